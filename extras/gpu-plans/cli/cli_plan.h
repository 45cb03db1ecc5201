/* SPDX-License-Identifier: MIT */
/* Plans for GPUs, where a command takes them. */
#ifndef GOSSIPFAB_CLI_PLAN_H
#define GOSSIPFAB_CLI_PLAN_H

#include "cli.h"

/* The plan of an input, or NULL where that is something else. CLI_GO_ON or an exit status, after an error line. */ int
cli_plan_find(const char *verb, const cli_input *input, gfab_gpu_plan **plan); /* Where an input is a plan, checks it
and prints what comes of it: the exit status. CLI_GO_ON where it is something else.
 * page, or NULL: where a page goes that plays a fault's steps. */
int cli_plan_verify(const char *verb, const cli_input *input, const gfab_gpu_plan_options *options, const char *page,
                    bool json);
/* The check alone: CLI_GO_ON, or CLI_FAULTY after the witness and a line. */
int cli_plan_check(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                   gfab_gpu_report *report);
void cli_plan_print(const gfab_gpu_plan *plan);

#endif
