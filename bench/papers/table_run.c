/* SPDX-License-Identifier: MIT */
/* A solver run for a row of a table in the telephone model, and its schedule verified. */
#include "cli_source.h"
#include "papers.h"

/* The startup of a cost 1 + tau s, in units of a token's transfer. */
static gfab_ratio startup_of(const char *tau)
{
    gfab_ratio ratio = {0, 1};
    (void)gfab_ratio_parse(tau, &ratio, NULL);
    return (gfab_ratio){ratio.denominator, ratio.numerator};
}

int paper_run(const paper_task *task, paper_outcome *outcome)
{
    cli_source source = cli_source_default();
    source.topology_spec = task->spec;
    source.solver_name = task->solver;
    source.solver_seed = task->seed;
    source.effort = task->effort;
    source.parameters = task->settings;
    source.broadcast = task->broadcast;
    source.linear = task->tau;
    source.startup = startup_of(task->tau ? task->tau : "1");
    source.model = (gfab_model){GFAB_LINK_FULL, GFAB_PORT_ONE, GFAB_MAX_NODES, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    int status = cli_source_open_topology("telephone", &source);
    const uint64_t start = table_milliseconds();
    CLI_THEN(status, cli_source_solve("telephone", &source));
    const uint64_t milliseconds = table_milliseconds() - start;
    CLI_THEN(status, cli_source_load("telephone", &source));
    if (status == CLI_GO_ON) {
        *outcome = (paper_outcome){.nodes = gfab_topology_node_count(source.topology),
                                   .links = gfab_topology_link_count(source.topology),
                                   .rounds = source.report.rounds,
                                   .steps = source.report.transfers,
                                   .milliseconds = milliseconds};
    }
    cli_source_release(&source);
    return status;
}
