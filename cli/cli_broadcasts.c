/* SPDX-License-Identifier: MIT */
/* How long broadcasts take, from each node. */
#include "cli_source.h"

#include <stdlib.h>

/* How many sources take so many rounds, and the first of them. */
typedef struct tally {
    size_t count;
    uint32_t first;
} tally;

static void print_text(const cli_source *source, const uint32_t *rounds, uint32_t worst, const tally *tallies)
{
    const size_t nodes = gfab_topology_node_count(source->topology);
    uint32_t least = rounds[worst];
    uint64_t sum = 0;
    for (size_t v = 0; v < nodes; v++) {
        least = rounds[v] < least ? rounds[v] : least;
        sum += rounds[v];
    }
    cli_print_topology(stdout, source->topology);
    cli_print_recognised(stdout, source);
    cli_print_model(stdout, &source->model);
    printf("solver       %s\nbroadcasts   from each of %zu nodes: %u to %u rounds, %llu.%02llu on average\n",
           source->solver_name, nodes, least, rounds[worst], (unsigned long long)(sum / nodes),
           (unsigned long long)(100 * (sum % nodes) / nodes));
    printf("worst        from node %u: %u rounds\nlower bound  %llu, %s: %s\n", worst, rounds[worst],
           (unsigned long long)source->bound.rounds, source->bound.name, source->bound.argument);
    for (uint32_t r = least; r <= rounds[worst]; r++) {
        if (tallies[r].count > 0) {
            printf("%4u rounds  from %zu node%s, the first is %u\n", r, tallies[r].count,
                   tallies[r].count == 1 ? "" : "s", tallies[r].first);
        }
    }
}

static void print_json(const cli_source *source, const uint32_t *rounds, uint32_t worst)
{
    json_t *report = cli_json_report("gossipfab.broadcasts/1"), *array = cli_json_array();
    CLI_JSON(report, CLI_KEY("topology", cli_json_topology(source->topology)),
             CLI_KEY("recognised", source->like ? gfab_topology_name(source->like->topology) : NULL),
             CLI_KEY("model", cli_json_model(&source->model)), CLI_KEY("solver_asked", source->solver_name),
             CLI_KEY("worst_source", worst), CLI_KEY("worst_rounds", rounds[worst]),
             CLI_KEY("worst_bound", cli_json_bound(&source->bound)));
    for (size_t v = 0; v < gfab_topology_node_count(source->topology); v++)
        cli_json_append(array, json_integer(rounds[v]));
    cli_json_set(report, "rounds", array);
    cli_json_print(report, stdout);
}

static int count(const char *verb, const cli_source *source, const uint32_t *rounds, uint32_t worst)
{
    GFAB_FREED tally *tallies = calloc((size_t)rounds[worst] + 1, sizeof *tallies);
    CLI_NEED(verb, tallies);
    for (size_t v = gfab_topology_node_count(source->topology); v-- > 0;) {
        tallies[rounds[v]].count++;
        tallies[rounds[v]].first = (uint32_t)v;
    }
    print_text(source, rounds, worst, tallies);
    return CLI_GOOD;
}

int cli_broadcasts(const char *verb, cli_source *source, bool json)
{
    uint32_t *rounds = NULL, worst = 0;
    int status = cli_source_open_topology(verb, source);
    CLI_THEN(status, cli_source_survey(verb, source, &rounds, &worst));
    if (status == CLI_GO_ON) {
        const gfab_status bound = gfab_bound_broadcast(source->topology, &source->model, worst, &source->bound);
        status = cli_told(verb, bound, "lower bound", NULL);
    }
    if (status == CLI_GO_ON && json) {
        print_json(source, rounds, worst);
        status = CLI_GOOD;
    } else if (status == CLI_GO_ON) {
        status = count(verb, source, rounds, worst);
    }
    free(rounds);
    return status;
}
