/* SPDX-License-Identifier: MIT */
/* Solvers' own settings, --solver-options: the first byte chooses the solver, the second the graph and the model. What
 * a solver makes of them is a gossip, or there is a reason. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MOST_REPORTS 200

static const struct {
    const char *topology;
    gfab_model model;
} cases[] = {
    {"cycle:6", {GFAB_LINK_FULL, GFAB_PORT_ALL, 6, 1, GFAB_ROUTING_CIRCUIT}},
    {"torus:3x3", {GFAB_LINK_FULL, GFAB_PORT_ALL, 9, 1, GFAB_ROUTING_CIRCUIT}},
    {"torus:2x2x2", {GFAB_LINK_FULL, GFAB_PORT_ALL, 8, 1, GFAB_ROUTING_CIRCUIT}},
    {"hypercube:3", {GFAB_LINK_FULL, GFAB_PORT_ONE, 8, 1, GFAB_ROUTING_STORE_AND_FORWARD}},
    {"mesh:2x3", {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD}},
};

static size_t solver_count(void)
{
    size_t count = 0;
    while (gfab_solver_at(count))
        count++;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const gfab_solver *solver = gfab_solver_at(fuzz_choice(&data, &size, solver_count()));
    const size_t choice = fuzz_choice(&data, &size, sizeof cases / sizeof *cases);
    gfab_topology *topology = fuzz_topology(cases[choice].topology);
    gfab_solver_options options = gfab_solver_options_default();
    unsigned left = MOST_REPORTS;
    const gfab_progress progress = fuzz_progress(&left);
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    char *text = fuzz_text(data, size);
    /* Files are matchings.c's; threads would not be told apart by what they cover. */
    const bool skipped = strstr(text, "file:") || strstr(text, "threads");
    options.parameters = text;
    options.effort = 1;
    options.progress = &progress;
    options.linear = true;
    options.startup = (gfab_ratio){3, 2};
    gfab_status status = gfab_solver_applies(solver, topology, &cases[choice].model, &diag);
    fuzz_check_diag(status, &diag);
    if (!skipped && status == GFAB_OK) {
        status = gfab_solver_check_options(solver, &options, &diag);
        fuzz_check_diag(status, &diag);
        if (status == GFAB_OK) {
            status = solver->solve(topology, &cases[choice].model, &options, &schedule, &diag);
            FUZZ_CHECK(status != GFAB_ERR_FAULT);
        }
        if (status == GFAB_OK) {
            gfab_verify_report report;
            FUZZ_CHECK(gfab_verify(topology, &cases[choice].model, schedule, NULL, &report) == GFAB_OK);
        }
    }
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    free(text);
    return skipped ? -1 : 0;
}
