/* SPDX-License-Identifier: MIT */
/* What the tables share: a schedule made and timed, and figures that may be missing. */
#define _POSIX_C_SOURCE 200809L
#include "tables/table.h"
#include "cli_source.h"

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

int table_measure(const char *verb, gfab_topology_kind kind, uint32_t n, const char *solver, table_result *result)
{
    char spec[TABLE_SPEC_SIZE];
    table_spec(kind, n, spec);
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    source.topology_spec = spec;
    source.solver_name = solver;
    *result = (table_result){.rounds = TABLE_NONE, .bound = TABLE_NONE};
    CLI_TRY(cli_source_open_topology(verb, &source));
    const gfab_solver *entry = gfab_solver_find(solver);
    if ((!entry || gfab_solver_applies(entry, source.topology, &source.model, NULL) != GFAB_ERR_UNSUPPORTED)) {
        const uint64_t start = table_milliseconds();
        CLI_TRY(cli_source_solve(verb, &source));
        result->milliseconds = table_milliseconds() - start;
        CLI_TRY(cli_source_load(verb, &source));
        result->rounds = source.report.rounds;
        result->bound = source.bound.rounds;
        result->solver = cli_source_solver(&source);
    }
    return CLI_GO_ON;
}

const char *table_figure(uint64_t value, char *text, size_t size, const char *none)
{
    if (value == TABLE_NONE)
        return none;
    snprintf(text, size, "%llu", (unsigned long long)value);
    return text;
}
