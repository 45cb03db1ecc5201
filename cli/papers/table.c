/* SPDX-License-Identifier: MIT */
/* What the tables share: a schedule made and timed, and figures that may be missing. */
#define _POSIX_C_SOURCE 200809L
#include "table.h"
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

int table_check(gfab_topology_kind kind, uint32_t n, const char *solver)
{
    char spec[TABLE_SPEC_SIZE];
    table_spec(kind, n, spec);
    cli_source source = cli_source_default();
    source.topology_spec = spec;
    int status = cli_source_open_topology("table", &source);
    const gfab_solver *entry = gfab_solver_find(solver);
    if (status == CLI_GO_ON && !entry)
        status = cli_unknown_solver("table", "--solver", solver);
    if (status == CLI_GO_ON) {
        const gfab_status applies = entry->applies(source.topology, &source.model, NULL);
        if (applies == GFAB_ERR_UNSUPPORTED)
            status = cli_error("table", "solver %s is not for %s", solver, spec);
        else if (applies != GFAB_OK)
            status = cli_fail("table", applies, NULL, NULL);
    }
    cli_source_release(&source);
    return status;
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
