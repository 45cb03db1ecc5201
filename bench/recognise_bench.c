/* SPDX-License-Identifier: MIT */
/* Time of recognising graphs under random numbers: the families' largest, and one that is none of them but has as many
 * nodes and links as many tori. One line a graph: its name, nodes, links, what it was recognised as, seconds. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/gossipfab.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nodes linked with those 1, 37 and 1001 on, round a ring: a torus with a twist. */
static const char twisted[] = "twisted";
enum { TWISTED_NODES = 15120, TWISTED_LINKS = 3 * TWISTED_NODES };

static const char *const cases[] = {"torus:20x20",   "hypercube:9",         "mesh:128x128", "torus:128x128",
                                    "hypercube:14",  "knoedel:14",          "ccc:10",       "butterfly:10",
                                    "debruijn:14",   "shuffle-exchange:14", "star:7",       "pancake:7",
                                    "complete:1000", "path:16384",          "cycle:16384",  twisted};

static void require(bool holds, const char *what, const char *reason)
{
    if (holds)
        return;
    fprintf(stderr, "recognise_bench: %s: %s\n", what, reason);
    exit(1);
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static gfab_topology *parse(const char *spec)
{
    gfab_topology *topology = NULL;
    gfab_diag diag = {0, ""};
    require(gfab_topology_parse(spec, &topology, &diag) == GFAB_OK, "parse", diag.message);
    return topology;
}

static gfab_link link_of(const gfab_topology *topology, size_t link)
{
    static const uint32_t jumps[] = {1, 37, 1001};
    const uint32_t node = (uint32_t)(link / 3);
    if (topology)
        return gfab_topology_link(topology, link);
    return (gfab_link){{node, (node + jumps[link % 3]) % TWISTED_NODES}};
}

static void run(const char *name)
{
    gfab_topology *topology = strcmp(name, twisted) == 0 ? NULL : parse(name);
    const size_t nodes = topology ? gfab_topology_node_count(topology) : TWISTED_NODES;
    const size_t links = topology ? gfab_topology_link_count(topology) : TWISTED_LINKS;
    uint32_t *number = malloc(nodes * sizeof *number);
    char *spec = malloc(32 + 24 * links);
    require(number && spec, name, "out of memory");
    for (size_t v = 0; v < nodes; v++)
        number[v] = (uint32_t)v;
    srand(1);
    for (size_t v = nodes - 1; v > 0; v--) {
        const size_t other = (size_t)rand() % (v + 1);
        const uint32_t kept = number[v];
        number[v] = number[other];
        number[other] = kept;
    }
    size_t length = (size_t)sprintf(spec, "graph:%zu:", nodes);
    for (size_t l = 0; l < links; l++) {
        const gfab_link link = link_of(topology, l);
        length += (size_t)sprintf(spec + length, l ? ",%u-%u" : "%u-%u", number[link.node[0]], number[link.node[1]]);
    }
    gfab_topology *graph = parse(spec);
    gfab_recognition found;
    const double start = now_seconds();
    const gfab_status status = gfab_topology_recognise(graph, NULL, &found);
    const double seconds = now_seconds() - start;
    require(status == GFAB_OK, name, gfab_status_string(status));
    require((found.count > 0) == !!topology && !found.gave_up, name, "recognised as what it is not, or not at all");
    printf("recognise %s nodes %zu links %zu as", name, nodes, links);
    for (size_t i = 0; i < found.count; i++)
        printf(" %s", gfab_topology_name(found.at[i].topology));
    printf("%s in %.3f s\n", found.count ? "" : " nothing", seconds);
    gfab_recognition_release(&found);
    gfab_topology_destroy(graph);
    gfab_topology_destroy(topology);
    free(number);
    free(spec);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(cases[i]);
    return 0;
}
