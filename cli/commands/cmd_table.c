/* SPDX-License-Identifier: MIT */
/* Command `table`: rounds of many topologies at once, beside the lower bound. Here are the names of the tables and
 * which options go with which; the tables themselves are in cli/tables/. Tables of single papers were here once and
 * are now in bench/papers/: their names still get a line that says so. */
#include "cli_source.h"
#include "tables/table.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const table_request *request);
} tables[] = {{"optimal", table_optimal}, {"collectives", table_collectives}};

#define TABLES (sizeof tables / sizeof *tables)

/* The line for a name that is no table's; name may be NULL. */
static int unknown_table(const char *name)
{
    static const char *const papers[] = {"lau-zhang", "telephone", "circgo", "torgo", "cubgo"};
    const char *names[TABLES];
    for (size_t i = 0; i < TABLES; i++)
        names[i] = tables[i].name;
    if (!name)
        return cli_error("table", "no table named; give table optimal or collectives");
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(name, papers[i]) == 0)
            return cli_error("table", "%s is the table of a paper; build/bin/paper_tables %s prints it", name, name);
    const char *close = cli_suggest(name, names, TABLES);
    if (close)
        return cli_error("table", "unknown table '%s'; did you mean '%s'?", name, close);
    return cli_error("table", "unknown table '%s'; give table optimal or collectives", name);
}

/* Options that become part of the request, and which were given. */
typedef struct table_options {
    const char *format, *topologies;
    bool solver, max_n, sides;
} table_options;

/* Takes over the options where they go with this table. CLI_GO_ON, or CLI_USAGE after an error line. */
static int check_options(const table_options *given, table_request *request, int (*run)(const table_request *))
{
    const char *optimal = given->solver ? "solver" : given->sides ? "sides" : NULL;
    const char *collectives = request->topology     ? "topology"
                              : request->blocks     ? "blocks"
                              : request->collective ? "collective"
                              : request->svg        ? "svg"
                                                    : NULL;
    if (optimal && run != table_optimal)
        return cli_error("table", "--%s goes with table optimal only", optimal);
    if (collectives && run != table_collectives)
        return cli_error("table", "--%s goes with table collectives only", collectives);
    if (given->max_n && (request->topology || request->sides))
        return cli_error("table", "--max-n does not go with --%s; give one of them",
                         request->topology ? "topology" : "sides");
    if (strcmp(given->format, "text") != 0 && strcmp(given->format, "csv") != 0)
        return cli_error("table", "--format: unknown format '%s'; give text or csv", given->format);
    const char *topologies = given->topologies;
    if (strcmp(topologies, "mesh") != 0 && strcmp(topologies, "torus") != 0 && strcmp(topologies, "all") != 0)
        return cli_error("table", "--topologies: unknown '%s'; give mesh, torus or all", topologies);
    if (run == table_collectives && !given->max_n)
        request->max_n = TABLE_COLLECTIVES_N;
    request->csv = strcmp(given->format, "csv") == 0;
    request->mesh = strcmp(topologies, "torus") != 0;
    request->torus = strcmp(topologies, "mesh") != 0;
    return CLI_GO_ON;
}

int cmd_table(int argc, char **argv)
{
    table_request request = {.max_n = 16, .solver = "auto", .mesh = true, .torus = true};
    table_options given = {.format = "text", .topologies = "all"};
    const cli_option options[] = {
        CLI_OPTION(.name = "max-n", .letter = 'n', .kind = CLI_U32, .value = &request.max_n, .given = &given.max_n,
                   .word = "N", .initial = "16; collectives: 5", .least = 2, .most = TABLE_MAX_SIDE,
                   .help = "the largest side n"),
        CLI_OPTION(.name = "topologies", .kind = CLI_TEXT, .value = &given.topologies, .word = "WHICH",
                   .initial = "all", .help = "mesh, torus or all"),
        CLI_OPTION(.name = "solver", .letter = 's', .kind = CLI_TEXT, .value = &request.solver, .given = &given.solver,
                   .word = "S", .initial = "auto", .help = "optimal: what makes our schedules"),
        CLI_OPTION(.name = "sides", .kind = CLI_TEXT, .value = &request.sides, .given = &given.sides, .word = "N,...",
                   .initial = "all up to --max-n", .help = "optimal: the sides n"),
        CLI_OPTION(.name = "collective", .letter = 'c', .kind = CLI_TEXT, .value = &request.collective, .word = "C",
                   .initial = "all", .help = "collectives: this one alone"),
        CLI_OPTION(.name = "topology", .letter = 't', .kind = CLI_TEXT, .value = &request.topology, .word = "T",
                   .help = "collectives: this graph alone, over --blocks"),
        CLI_OPTION(.name = "blocks", .kind = CLI_TEXT, .value = &request.blocks, .word = "B,...",
                   .help = "collectives, with --topology: the numbers of blocks"),
        CLI_OPTION(.name = "svg", .kind = CLI_TEXT, .value = &request.svg, .word = "FILE",
                   .help = "collectives, with --blocks: draw rounds / bound over blocks"),
        CLI_OPTION(.name = "format", .letter = 'f', .kind = CLI_TEXT, .value = &given.format, .word = "text|csv",
                   .initial = "text", .help = "form of the table"),
        CLI_JSON_OPTION(request.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "table",
        .usage = "optimal|collectives [--max-n N] [--format text|csv] [--json]",
        .text =
            "Prints a table of rounds beside their lower bounds. Schedules are made and verified anew. Seconds are in "
            "the\n"
            "text form only.\n"
            "optimal      gossip on square meshes and tori: the lower bound, our rounds, Lau & Zhang's and Fujita &\n"
            "             Yamashita's; exit status 1 where ours are above the bound\n"
            "collectives  all-gather, all-reduce and the rest on square meshes and tori; or one graph over numbers of\n"
            "             blocks",
        .example = "  gossipfab table optimal --sides 4,5,8,16,64\n"
                   "  gossipfab table collectives mesh:8x8 --blocks 1,4,16,64,256 --svg curve.svg",
        .options = options,
        .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    size_t table = 0;
    while (arguments[0] && table < TABLES && strcmp(arguments[0], tables[table].name) != 0)
        table++;
    if (!arguments[0] || table == TABLES)
        return unknown_table(arguments[0]);
    int status = check_options(&given, &request, tables[table].run);
    return status == CLI_GO_ON ? tables[table].run(&request) : status;
}
