/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include <string.h>
#include <time.h>

uint64_t table_milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void table_spec(gfab_topology_kind kind, uint32_t n, char spec[TABLE_SPEC_SIZE])
{
    snprintf(spec, TABLE_SPEC_SIZE, "%s:%ux%u", kind == GFAB_TOPOLOGY_MESH ? "mesh" : "torus", n, n);
}

int table_measure(gfab_topology_kind kind, uint32_t n, const char *solver, table_result *result)
{
    char spec[TABLE_SPEC_SIZE];
    table_spec(kind, n, spec);
    cli_source source = cli_source_default();
    source.topology_spec = spec;
    source.solver_name = solver;
    *result = (table_result){.rounds = TABLE_NONE, .bound = TABLE_NONE};
    int status = cli_source_open_topology("table", &source);
    const gfab_solver *entry = gfab_solver_find(solver);
    if (status == CLI_GO_ON &&
        (!entry || entry->applies(source.topology, &source.model, NULL) != GFAB_ERR_UNSUPPORTED)) {
        const uint64_t start = table_milliseconds();
        status = cli_source_solve("table", &source);
        result->milliseconds = table_milliseconds() - start;
        if (status == CLI_GO_ON)
            status = cli_source_load("table", &source);
        if (status == CLI_GO_ON) {
            result->rounds = source.report.rounds;
            result->bound = source.bound.rounds;
            result->solver = cli_source_solver(&source);
        }
    }
    cli_source_release(&source);
    return status;
}

const char *table_figure(uint64_t value, char *text, size_t size, const char *none)
{
    if (value == TABLE_NONE)
        return none;
    snprintf(text, size, "%llu", (unsigned long long)value);
    return text;
}

void table_json_figure(json_t *object, const char *key, uint64_t value)
{
    cli_json_set(object, key, value == TABLE_NONE ? json_null() : json_integer((json_int_t)value));
}

static const struct {
    const char *name;
    int (*run)(const table_request *request);
} tables[] = {{"lau-zhang", table_lau_zhang}, {"optimal", table_optimal}, {"telephone", table_telephone},
              {"circgo", table_startup},      {"torgo", table_startup},   {"cubgo", table_startup}};

#define TABLES (sizeof tables / sizeof *tables)

/* The line for a name that is no table's; name may be NULL. */
static int unknown_table(const char *name)
{
    const char *names[TABLES], *close = NULL;
    for (size_t i = 0; i < TABLES; i++)
        names[i] = tables[i].name;
    if (!name)
        return cli_error("table", "no table named; give table lau-zhang, optimal, telephone, circgo, torgo or cubgo");
    close = cli_suggest(name, names, TABLES);
    if (close)
        return cli_error("table", "unknown table '%s'; did you mean '%s'?", name, close);
    return cli_error("table", "unknown table '%s'; give table lau-zhang, optimal, telephone, circgo, torgo or cubgo",
                     name);
}

int cmd_table(int argc, char **argv)
{
    table_request request = {.max_n = 16, .solver = "auto", .mesh = true, .torus = true};
    const char *format = "text", *topologies = "all";
    bool topologies_given = false, solver_given = false, max_n_given = false, sides_given = false;
    bool startups_given = false;
    const cli_option options[] = {
        {"max-n", 'n', CLI_U32, &request.max_n, &max_n_given, "N", "16; telephone: 12", 2, TABLE_MAX_SIDE, NULL,
         "lau-zhang, optimal: the largest side; telephone: the largest k"},
        {"topologies", '\0', CLI_TEXT, &topologies, &topologies_given, "WHICH", "all", 0, 0, NULL,
         "table optimal: mesh, torus or all"},
        {"solver", 's', CLI_TEXT, &request.solver, &solver_given, "S", "auto", 0, 0, NULL,
         "table optimal: what makes our schedules"},
        {"sides", '\0', CLI_TEXT, &request.sides, &sides_given, "N,...", "the paper's", 0, 0, NULL,
         "circgo, torgo, cubgo: the sides n"},
        {"startups", '\0', CLI_TEXT, &request.startups, &startups_given, "R,...", "the paper's", 0, 0, NULL,
         "circgo, torgo, cubgo: the startups r"},
        {"format", 'f', CLI_TEXT, &format, NULL, "text|csv", "text", 0, 0, NULL, "form of the table"},
        CLI_JSON_OPTION(request.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        "table",
        "lau-zhang|optimal|telephone NUMBER|circgo|torgo|cubgo [--max-n N] [--sides N,...] [--startups R,...]\n"
        "       [--format text|csv] [--json]",
        "Prints a table of rounds, or of costs. Schedules of rounds are made and verified anew. Seconds are in the "
        "text\n"
        "form only.\n"
        "lau-zhang  Table 1 of Lau & Zhang's paper beside the rounds that their schedules take; exit status 1\n"
        "           where one does not meet its formula\n"
        "optimal    the lower bound, our rounds, Lau & Zhang's and Fujita & Yamashita's; exit status 1 where\n"
        "           ours are above the bound\n"
        "telephone  Beier & Sibeyn's Table 1 to 6 (NUMBER) beside ours; exit status 1 where ours are above theirs\n"
        "circgo, torgo, cubgo  Tables 1, 2 and 3 of Sibeyn, Juurlink & Rao: the cost of a gossip on rings and on\n"
        "           square and cubic tori where starting a message costs r transfers of a token; circgo: exit status\n"
        "           1 where CircGo loses to approach 1 or 2",
        "  gossipfab table lau-zhang --max-n 8\n"
        "  gossipfab table optimal --topologies mesh --max-n 32\n"
        "  gossipfab table telephone 6 --max-n 10\n"
        "  gossipfab table circgo --sides 64,729 --startups 0.5,50",
        options,
        2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    size_t table = 0;
    while (arguments[0] && table < TABLES && strcmp(arguments[0], tables[table].name) != 0)
        table++;
    if (!arguments[0] || table == TABLES)
        return unknown_table(arguments[0]);
    if (arguments[1] && tables[table].run != table_telephone)
        return cli_error("table", "unexpected '%s' after %s", arguments[1], arguments[0]);
    if ((topologies_given || solver_given) && tables[table].run != table_optimal)
        return cli_error("table", "--%s goes with table optimal only", topologies_given ? "topologies" : "solver");
    const bool startup = tables[table].run == table_startup;
    if (startup ? max_n_given : sides_given || startups_given) {
        return cli_error("table", "--%s does not go with table %s",
                         startup       ? "max-n"
                         : sides_given ? "sides"
                                       : "startups",
                         arguments[0]);
    }
    request.name = arguments[0];
    if (strcmp(format, "text") != 0 && strcmp(format, "csv") != 0)
        return cli_error("table", "--format: unknown format '%s'; give text or csv", format);
    if (strcmp(topologies, "mesh") != 0 && strcmp(topologies, "torus") != 0 && strcmp(topologies, "all") != 0)
        return cli_error("table", "--topologies: unknown '%s'; give mesh, torus or all", topologies);
    request.number = arguments[1];
    if (tables[table].run == table_telephone && !max_n_given)
        request.max_n = TABLE_TELEPHONE_K;
    request.csv = strcmp(format, "csv") == 0;
    request.mesh = strcmp(topologies, "torus") != 0;
    request.torus = strcmp(topologies, "mesh") != 0;
    return tables[table].run(&request);
}
