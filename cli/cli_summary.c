/* SPDX-License-Identifier: MIT */
/* The lines and JSON members that reports on topologies, models and schedules share. */
#include "cli_source.h"

__extension__ typedef unsigned __int128 u128;

/* The first names and the last one: a hundred in a line nobody reads. */
static void print_names(FILE *file, const gfab_topology *topology)
{
    enum { SHOWN = 4 };
    const size_t nodes = gfab_topology_node_count(topology);
    size_t shown = 0, named = 0, last = 0;
    for (size_t v = 0; v < nodes && gfab_topology_has_names(topology); v++) {
        const char *name = gfab_topology_node_name(topology, v);
        if (!name)
            continue;
        named++;
        last = v;
        if (shown < SHOWN)
            fprintf(file, "%s%zu %s", shown++ ? ", " : "names        ", v, name);
    }
    if (named > shown)
        fprintf(file, named > shown + 1 ? ", .. %zu %s" : ", %zu %s", last, gfab_topology_node_name(topology, last));
    if (named)
        fputc('\n', file);
}

void cli_print_topology(FILE *file, const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology), members = gfab_topology_member_count(topology);
    fprintf(file, "topology     %s: %zu nodes, ", gfab_topology_name(topology), nodes);
    if (members < nodes)
        fprintf(file, "%zu of them relays, ", nodes - members);
    fprintf(file, "%zu links%s%s%s\n", gfab_topology_link_count(topology),
            gfab_topology_marks(topology) & GFAB_MARK_PARALLEL ? ", some parallel" : "",
            gfab_topology_has_weights(topology) ? ", weighted" : "",
            gfab_topology_is_directed(topology) ? ", directed" : "");
    print_names(file, topology);
    if (gfab_topology_note(topology))
        fprintf(file, "file         %s\n", gfab_topology_note(topology));
}

void cli_print_recognised(FILE *file, const cli_source *source)
{
    const gfab_recognition *recognition = &source->recognition;
    if (recognition->gave_up)
        fprintf(file, "recognised   no: not all families were ruled out in %d tries\n", GFAB_RECOGNISE_MAX_TRIES);
    else if (source->like)
        fprintf(file, "recognised   %s under other numbers\n", gfab_topology_name(source->like->topology));
    else if (recognition->count > 0)
        fprintf(file, "recognised   %s under other numbers, which the solver does not take\n",
                gfab_topology_name(recognition->at[0].topology));
}

void cli_print_model(FILE *file, const gfab_model *model)
{
    fprintf(file, "model        %s: %s-duplex links, %s, %u token%s a packet, %u round%s a hop%s\n",
            gfab_model_symbol(model), gfab_link_mode_name(model->link_mode),
            model->port_mode == GFAB_PORT_ALL ? "all ports of a node at once" : "one port of a node at a time",
            model->packet_tokens, model->packet_tokens == 1 ? "" : "s", model->hop_rounds,
            model->hop_rounds == 1 ? "" : "s", model->routing == GFAB_ROUTING_CIRCUIT ? ", circuit" : "");
}

/* Where tokens are cut in parts, one a packet: rounds and bound are fractions of those of whole tokens. */
static void print_parts(FILE *file, const cli_source *source)
{
    const uint32_t parts = source->report.parts;
    if (parts > 1 && gfab_schedule_model(source->schedule)->packet_tokens == 1)
        fprintf(file, "             a token is cut in %u parts: %s rounds of whole tokens, at least %s\n", parts,
                cli_ratio(cli_transfers(source->report.transfers, parts)).text,
                cli_ratio(cli_transfers(source->bound.rounds, parts)).text);
}

static bool has_best_rate(const cli_source *source)
{
    return source->best_rate.numerator > 0 && gfab_ratio_compare(source->rate, source->best_rate) == 0;
}

/* What a block of a long vector takes, where the schedule repeats. */
static void print_rate(FILE *file, const cli_source *source)
{
    const gfab_ratio rate = source->rate, best = source->best_rate;
    if (rate.numerator == 0 || best.numerator == 0)
        return;
    fprintf(file, "rate         %s round%s a block of a long vector", cli_ratio(rate).text,
            rate.numerator == 1 && rate.denominator == 1 ? "" : "s");
    if (has_best_rate(source))
        fputs("; optimal: no schedule takes fewer\n", file);
    else
        fprintf(file, ", %.3f times the bound of %s\n",
                (double)rate.numerator / (double)rate.denominator * (double)best.denominator / (double)best.numerator,
                cli_ratio(best).text);
}

void cli_print_rounds(FILE *file, const cli_source *source)
{
    uint64_t rounds = source->report.rounds, least = source->bound.rounds;
    const uint32_t group = gfab_schedule_group(source->schedule);
    char of[48] = "";
    if (gfab_schedule_any_length(source->schedule)) {
        fprintf(file, "rounds       %s for %u n blocks\n", cli_repeat_formula(source->schedule).text, group);
        (void)snprintf(of, sizeof of, " for %u block%s", group, group == 1 ? "" : "s");
    } else {
        fprintf(file, "rounds       %llu\n", (unsigned long long)rounds);
    }
    fprintf(file, "lower bound  %llu%s, %s: %s\n", (unsigned long long)least, of, source->bound.name,
            source->bound.argument);
    if (rounds == least) {
        fprintf(file, "             optimal: meets the %s bound\n", source->bound.name);
    } else if (cli_source_exact(source)) {
        fprintf(file, "             optimal: %s has ruled fewer rounds out\n", gfab_schedule_solver(source->schedule));
    } else if (rounds > least) {
        fprintf(file, "             %llu round%s above the %s bound\n", (unsigned long long)(rounds - least),
                rounds - least == 1 ? "" : "s", source->bound.name);
    }
    print_parts(file, source);
    print_rate(file, source);
}

cli_ratio_text cli_ratio(gfab_ratio ratio)
{
    cli_ratio_text t;
    uint64_t places = 1;
    int count = 0;
    while (count < 4 && places % ratio.denominator != 0) {
        places *= 10;
        count++;
    }
    if (ratio.denominator == 1) {
        snprintf(t.text, sizeof t.text, "%llu", (unsigned long long)ratio.numerator);
    } else if (places % ratio.denominator == 0) {
        snprintf(t.text, sizeof t.text, "%llu.%0*llu", (unsigned long long)(ratio.numerator / ratio.denominator), count,
                 (unsigned long long)(ratio.numerator % ratio.denominator * (places / ratio.denominator)));
    } else {
        snprintf(t.text, sizeof t.text, "%llu/%llu", (unsigned long long)ratio.numerator,
                 (unsigned long long)ratio.denominator);
    }
    return t;
}

cli_ratio_text cli_decimal(gfab_ratio ratio, unsigned places)
{
    cli_ratio_text t;
    uint64_t scale = 1;
    for (unsigned i = 0; i < places; i++)
        scale *= 10;
    const u128 scaled = ((u128)ratio.numerator * scale * 2 + ratio.denominator) / ((u128)ratio.denominator * 2);
    snprintf(t.text, sizeof t.text, places == 0 ? "%llu" : "%llu.%0*llu", (unsigned long long)(scaled / scale),
             (int)places, (unsigned long long)(scaled % scale));
    return t;
}

gfab_ratio cli_transfers(uint64_t transfers, uint32_t parts)
{
    const gfab_cost cost = {0, transfers, parts};
    const gfab_ratio free_startup = {0, 1};
    gfab_ratio total = {transfers, parts};
    (void)gfab_cost_total(&cost, free_startup, &total); /* only brings it to lowest terms */
    return total;
}

void cli_print_cost(FILE *file, const cli_source *source)
{
    const gfab_cost cost = cli_cost(source);
    const gfab_cost_bound *bound = &source->cost_bound;
    if (!source->linear)
        return;
    fprintf(file, "cost         %s: %llu startups of %s, %s transfers\n", cli_ratio(source->cost).text,
            (unsigned long long)cost.startups, cli_ratio(source->startup).text,
            cli_ratio(cli_transfers(cost.transfers, cost.parts)).text);
    if (!bound->name)
        return;
    fprintf(file, "lower bound  %s, %s: %s\n", cli_ratio(bound->cost).text, bound->name, bound->argument);
    if (gfab_ratio_compare(source->cost, bound->cost) == 0)
        fputs("             optimal\n", file);
}

json_t *cli_json_topology(const gfab_topology *topology)
{
    json_t *object = cli_json_object();
    CLI_JSON(object, CLI_KEY("name", gfab_topology_name(topology)),
             CLI_KEY("nodes", gfab_topology_node_count(topology)),
             CLI_KEY("links", gfab_topology_link_count(topology)));
    if (gfab_topology_has_relays(topology))
        CLI_JSON(object, CLI_KEY("members", gfab_topology_member_count(topology)));
    CLI_JSON(object, CLI_KEY_IF(gfab_topology_has_weights(topology), "weighted", (bool)true),
             CLI_KEY_IF(gfab_topology_is_directed(topology), "directed", (bool)true),
             CLI_KEY("max_degree", gfab_topology_max_degree(topology)));
    if (gfab_topology_has_names(topology)) {
        json_t *names = cli_json_array();
        for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
            const char *name = gfab_topology_node_name(topology, v);
            cli_json_append(names, name ? json_string(name) : json_null());
        }
        cli_json_set(object, "names", names);
    }
    return object;
}

json_t *cli_json_model(const gfab_model *model)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("symbol", gfab_model_symbol(model)),
                    CLI_KEY("link_mode", gfab_link_mode_name(model->link_mode)),
                    CLI_KEY("port_mode", gfab_port_mode_name(model->port_mode)),
                    CLI_KEY("packet_tokens", model->packet_tokens), CLI_KEY("hop_rounds", model->hop_rounds),
                    CLI_KEY("routing", gfab_routing_name(model->routing)));
}

json_t *cli_json_bound(const gfab_bound *bound)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("name", bound->name), CLI_KEY("rounds", bound->rounds),
                    CLI_KEY("argument", bound->argument), CLI_KEY("source", bound->source));
}

json_t *cli_json_of_ratio(gfab_ratio ratio)
{
    return cli_json_of_text(cli_ratio(ratio).text);
}

json_t *cli_json_cost_bound(const gfab_cost_bound *bound)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("name", bound->name), CLI_KEY("cost", bound->cost),
                    CLI_KEY("startups", bound->startups), CLI_KEY("transfers", bound->transfers),
                    CLI_KEY("argument", bound->argument), CLI_KEY("source", bound->source));
}

void cli_json_schedule(json_t *object, const cli_source *source)
{
    const gfab_verify_report *report = &source->report;
    const char *solver = gfab_schedule_solver(source->schedule);
    bool good = report->fault == GFAB_FAULT_NONE;
    CLI_JSON(object, CLI_KEY("topology", cli_json_topology(source->topology)),
             CLI_KEY("recognised", source->like ? gfab_topology_name(source->like->topology) : NULL),
             CLI_KEY("model", cli_json_model(gfab_schedule_model(source->schedule))));
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    cli_json_set(object, "goal", cli_goal_json(&goal));
    if (gfab_schedule_period(source->schedule))
        cli_json_set(object, "repeats", cli_repeat_json(source->schedule));
    if (source->best_rate.numerator > 0) {
        cli_json_set(object, "rate",
                     CLI_JSON(cli_json_object(), CLI_KEY("rounds_a_block", source->rate),
                              CLI_KEY("bound", source->best_rate),
                              CLI_KEY("optimal", (bool)(good && has_best_rate(source)))));
    }
    CLI_JSON(object, CLI_KEY("solver", *solver != '\0' ? solver : NULL), CLI_KEY("rounds", report->rounds),
             CLI_KEY("bound", cli_json_bound(&source->bound)),
             CLI_KEY("optimal", (bool)(good && (report->rounds == source->bound.rounds || cli_source_exact(source)))),
             CLI_KEY("formula_rounds", cli_json_number_if(source->promised != 0, source->promised)),
             CLI_KEY("startups", report->startups), CLI_KEY("transfers", report->transfers),
             CLI_KEY("path_links", report->path_links), CLI_KEY("parts", gfab_schedule_parts(source->schedule)));
    if (source->linear) {
        CLI_JSON(
            object, CLI_KEY("startup", source->startup), CLI_KEY("cost", source->cost),
            CLI_KEY("cost_bound", source->cost_bound.name ? cli_json_cost_bound(&source->cost_bound) : json_null()));
    }
    CLI_JSON(object, CLI_KEY("moves", report->moves), CLI_KEY("redundant", report->redundant),
             CLI_KEY("link_use_permille", cli_source_link_use_permille(source)),
             CLI_KEY("max_link_moves", report->max_link_moves), CLI_KEY("min_link_moves", report->min_link_moves));
}
