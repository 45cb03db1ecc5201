/* SPDX-License-Identifier: MIT */
/* Programs of MSCCL's XML, where `verify` takes them. */
#ifndef GOSSIPFAB_CLI_MSCCL_H
#define GOSSIPFAB_CLI_MSCCL_H

#include "cli.h"

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

/* Is a format one of MSCCL's XML? */
bool cli_msccl_is(const gfab_format *format);
/* Steps of the thread block that has most of them, where a schedule is written in such a format. */
gfab_status cli_msccl_steps(const gfab_format *format, const gfab_schedule *schedule, uint32_t *steps, gfab_diag *diag);

#endif
