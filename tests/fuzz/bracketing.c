/* SPDX-License-Identifier: MIT */
/* The file of GOSSIPFAB_BRACKET, as libgossipfab_pmpi reads it: the first byte chooses the ranks. What it takes of a
 * file is characters of a bracketing alone, to the file's end; the schedule of it is good, and has one bracketing. */
#include "fuzz.h"

#include <pmpi.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *text, uint32_t ranks)
{
    char spec[32], *parameters = malloc(strlen(text) + 32);
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ALL, ranks, 1, GFAB_ROUTING_CIRCUIT};
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *schedule = NULL;
    gfab_verify_report report;
    gfab_diag diag = {0, ""};
    gfab_goal goal;
    FUZZ_CHECK(parameters);
    snprintf(spec, sizeof spec, "complete:%u", (unsigned)ranks);
    sprintf(parameters, "bracket=%s,form=whole", text);
    gfab_topology *topology = fuzz_topology(spec);
    FUZZ_CHECK(gfab_goal_of(GFAB_ALL_REDUCE, ranks, &goal, NULL) == GFAB_OK);
    goal.blocks = 1;
    options.goal = &goal;
    options.linear = true;
    options.parameters = parameters;
    const gfab_status status =
        gfab_solve(gfab_solver_find("bracket"), topology, &model, &options, &schedule, NULL, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        FUZZ_CHECK(gfab_verify(topology, &model, schedule, NULL, &report) == GFAB_OK);
        FUZZ_CHECK(gfab_expression_check_one(schedule, NULL) == GFAB_OK);
        for (uint32_t v = 0; v < ranks; v++) { /* nothing was lost on the way: each rank is named */
            snprintf(spec, sizeof spec, "n%u", (unsigned)v);
            FUZZ_CHECK(strstr(text, spec));
        }
    }
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    free(parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t ranks = 2 + (uint32_t)fuzz_choice(&data, &size, 7);
    char fault[PMPI_FAULT] = "";
    char *text = pmpi_bracket_read(fuzz_named_file("bracketing", data, size), fault);
    FUZZ_CHECK(text || (fault[0] && !strchr(fault, '\n')));
    if (text) {
        size_t kept = 0;
        for (size_t i = 0; i < size; i++)
            kept += !strchr(" \t\r\n", data[i]) || data[i] == '\0';
        FUZZ_CHECK(kept == strlen(text) && strspn(text, "n0123456789()+") == kept);
        check(text, ranks);
    }
    free(text);
    return 0;
}
