/* SPDX-License-Identifier: MIT */
/* Plans for GPUs, where a command takes them. */
#ifndef GOSSIPFAB_CLI_PLAN_H
#define GOSSIPFAB_CLI_PLAN_H

#include "cli.h"

/* The plan of a file, or NULL where the file is something else, or cannot be opened, for others to see to. CLI_GO_ON or
 * an exit status, after an error line. */
int cli_plan_find(const char *verb, const char *path, gfab_gpu_plan **plan);
/* Checks it and prints what comes of it; the exit status. */
int cli_plan_verify(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, bool json);
/* The check alone: CLI_GO_ON, or CLI_FAULTY after the witness and a line. */
int cli_plan_check(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                   gfab_gpu_report *report);
void cli_plan_print(const gfab_gpu_plan *plan);

#endif
