/* SPDX-License-Identifier: MIT */
#include "cli_source.h"
#include "papers/table.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const table_request *request);
} tables[] = {{"lau-zhang", table_lau_zhang}, {"optimal", table_optimal},
              {"telephone", table_telephone}, {"collectives", table_collectives},
              {"circgo", table_startup},      {"torgo", table_startup},
              {"cubgo", table_startup}};

#define TABLES (sizeof tables / sizeof *tables)

/* The line for a name that is no table's; name may be NULL. */
static int unknown_table(const char *name)
{
    const char *names[TABLES], *close = NULL;
    for (size_t i = 0; i < TABLES; i++)
        names[i] = tables[i].name;
    if (!name)
        return cli_error(
            "table", "no table named; give table lau-zhang, optimal, collectives, telephone, circgo, torgo or cubgo");
    close = cli_suggest(name, names, TABLES);
    if (close)
        return cli_error("table", "unknown table '%s'; did you mean '%s'?", name, close);
    return cli_error(
        "table", "unknown table '%s'; give table lau-zhang, optimal, collectives, telephone, circgo, torgo or cubgo",
        name);
}

/* Options that become part of the request, and which were given. */
typedef struct table_options {
    const char *format, *topologies;
    bool which, solver, max_n, sides, startups; /* which: --topologies */
} table_options;

/* Takes over the options where they go with this table. CLI_GO_ON, or CLI_USAGE after an error line. */
static int check_options(const table_options *given, table_request *request, int (*run)(const table_request *))
{
    if (request->number && run != table_telephone)
        return cli_error("table", "unexpected '%s' after %s", request->number, request->name);
    if (given->solver && run != table_optimal)
        return cli_error("table", "--solver goes with table optimal only");
    if (given->which && run != table_optimal && run != table_collectives)
        return cli_error("table", "--topologies goes with table optimal and collectives only");
    const char *collectives = request->topology     ? "topology"
                              : request->blocks     ? "blocks"
                              : request->collective ? "collective"
                              : request->svg        ? "svg"
                                                    : NULL;
    if (collectives && run != table_collectives)
        return cli_error("table", "--%s goes with table collectives only", collectives);
    if (given->max_n && request->topology)
        return cli_error("table", "--max-n does not go with --topology; give one of them");
    if (given->max_n && given->sides && run == table_optimal)
        return cli_error("table", "--max-n does not go with --sides; give one of them");
    const bool startup = run == table_startup, sides = given->sides && run != table_optimal;
    if (startup ? given->max_n : sides || given->startups) {
        const char *name = sides ? "sides" : "startups";
        return cli_error("table", "--%s does not go with table %s", startup ? "max-n" : name, request->name);
    }
    if (run == table_telephone && given->max_n && request->number && strchr("123", request->number[0]))
        return cli_error("table", "--max-n does not go with table telephone %s, which has no k", request->number);
    if (strcmp(given->format, "text") != 0 && strcmp(given->format, "csv") != 0)
        return cli_error("table", "--format: unknown format '%s'; give text or csv", given->format);
    const char *topologies = given->topologies;
    if (strcmp(topologies, "mesh") != 0 && strcmp(topologies, "torus") != 0 && strcmp(topologies, "all") != 0)
        return cli_error("table", "--topologies: unknown '%s'; give mesh, torus or all", topologies);
    if (run == table_telephone && !given->max_n)
        request->max_n = TABLE_TELEPHONE_K;
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
                   .word = "N", .initial = "16; telephone: 12; collectives: 5", .least = 2, .most = TABLE_MAX_SIDE,
                   .help = "lau-zhang, optimal, collectives: the largest side; telephone: the largest k"),
        CLI_OPTION(.name = "topologies", .kind = CLI_TEXT, .value = &given.topologies, .given = &given.which,
                   .word = "WHICH", .initial = "all", .help = "optimal, collectives: mesh, torus or all"),
        CLI_OPTION(.name = "solver", .letter = 's', .kind = CLI_TEXT, .value = &request.solver, .given = &given.solver,
                   .word = "S", .initial = "auto", .help = "table optimal: what makes our schedules"),
        CLI_OPTION(.name = "sides", .kind = CLI_TEXT, .value = &request.sides, .given = &given.sides, .word = "N,...",
                   .initial = "the paper's", .help = "optimal, circgo, torgo, cubgo: the sides n"),
        CLI_OPTION(.name = "startups", .kind = CLI_TEXT, .value = &request.startups, .given = &given.startups,
                   .word = "R,...", .initial = "the paper's", .help = "circgo, torgo, cubgo: the startups r"),
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
        .usage = "lau-zhang|optimal|collectives|telephone NUMBER|circgo|torgo|cubgo [--max-n N] [--sides N,...] "
                 "[--startups R,...]\n"
                 "       [--format text|csv] [--json]",
        .text =
            "Prints a table of rounds, or of costs. Schedules of rounds are made and verified anew. Seconds are in the "
            "text\n"
            "form only.\n"
            "lau-zhang  Table 1 of Lau & Zhang's paper beside the rounds that their schedules take; exit status 1\n"
            "           where one does not meet its formula\n"
            "optimal    the lower bound, our rounds, Lau & Zhang's and Fujita & Yamashita's; exit status 1 where\n"
            "           ours are above the bound\n"
            "collectives  all-gather, all-reduce and the rest on square meshes and tori, rounds beside the bound; or "
            "one\n"
            "           graph over numbers of blocks\n"
            "telephone  Beier & Sibeyn's Table 1 to 6 (NUMBER) beside ours; exit status 1 where ours are above theirs\n"
            "circgo, torgo, cubgo  Tables 1, 2 and 3 of Sibeyn, Juurlink & Rao: the cost of a gossip on rings and on\n"
            "           square and cubic tori where starting a message costs r transfers of a token; circgo: exit "
            "status\n"
            "           1 where CircGo loses to approach 1 or 2",
        .example = "  gossipfab table lau-zhang --max-n 8\n"
                   "  gossipfab table optimal --sides 4,5,8,16,64\n"
                   "  gossipfab table collectives --topology mesh:8x8 --blocks 1,4,16,64,256 --svg curve.svg\n"
                   "  gossipfab table telephone 6 --max-n 10\n"
                   "  gossipfab table circgo --sides 64,729 --startups 0.5,50",
        .options = options,
        .max_arguments = 2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    size_t table = 0;
    while (arguments[0] && table < TABLES && strcmp(arguments[0], tables[table].name) != 0)
        table++;
    if (!arguments[0] || table == TABLES)
        return unknown_table(arguments[0]);
    request.name = arguments[0];
    request.number = arguments[1];
    status = check_options(&given, &request, tables[table].run);
    return status == CLI_GO_ON ? tables[table].run(&request) : status;
}
