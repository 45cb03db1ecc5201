/* SPDX-License-Identifier: MIT */
/* Plans for GPUs, where a command takes them. */
#ifndef GOSSIPFAB_CLI_PLAN_H
#define GOSSIPFAB_CLI_PLAN_H

#include "cli.h"

/* The plan of an input, or NULL where that is something else. CLI_GO_ON or an exit status, after an error line. */
int cli_plan_find(const char *verb, const cli_input *input, gfab_gpu_plan **plan);
/* Checks it and prints what comes of it. page, or NULL: where a page goes that plays a fault's steps. The exit
 * status. */
int cli_plan_verify(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options, const char *page,
                    bool json);
/* The check alone: CLI_GO_ON, or CLI_FAULTY after the witness and a line. */
int cli_plan_check(const char *verb, const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                   gfab_gpu_report *report);
/* An input of MSCCL's XML as a program, in every order of its thread blocks; all zero: it is something else. */
typedef struct cli_msccl {
    bool is_there;
    gfab_status status;
    gfab_diag diag;
    gfab_msccl_report report;
} cli_msccl;

/* Checks it. CLI_GO_ON where its rounds are to be looked at, too; else the exit status, after all is printed. */
int cli_msccl_find(const char *verb, const cli_input *input, bool json, cli_msccl *program);
void cli_msccl_print(const cli_msccl *program, bool json);
void cli_plan_print(const gfab_gpu_plan *plan);

#endif
