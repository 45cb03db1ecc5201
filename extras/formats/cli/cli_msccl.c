/* SPDX-License-Identifier: MIT */
/* A program of MSCCL's XML is checked for every order of its thread blocks, beside the rounds that it has as a
 * schedule. */
#include "formats/cli/cli_msccl.h"

#include <string.h>

void cli_msccl_print(const cli_msccl *program, bool json)
{
    const gfab_msccl_report *report = &program->report;
    if (!json && program->is_there) {
        printf("program      of %zu GPUs, %zu thread blocks, %zu steps; good in every order of them%s\n", report->gpus,
               report->thread_blocks, report->steps,
               report->is_custom ? "; what should come out is not said, and not checked" : "");
        if (report->cut > 1)
            printf("good         every node ends with a block from every node, of %u chunks each\n", report->cut);
    }
    if (!json)
        return;
    cli_json_print(CLI_JSON(cli_json_report("gossipfab.verify-program/1"), CLI_KEY("good", (bool)true),
                            CLI_KEY("goal", (bool)(!report->is_custom)), CLI_KEY("gpus", report->gpus),
                            CLI_KEY("thread_blocks", report->thread_blocks), CLI_KEY("steps", report->steps)),
                   stdout);
}

int cli_msccl_find(const char *verb, const cli_input *input, bool json, cli_msccl *program)
{
    program->is_there = input->first == '<';
    if (!program->is_there)
        return CLI_GO_ON;
    program->status = gfab_msccl_check(input->file, &program->report, &program->diag);
    rewind(input->file);
    if (!program->report.is_custom && program->report.cut <= 1)
        return CLI_GO_ON;
    if (program->status != GFAB_OK)
        return cli_fail(verb, program->status, input->name, &program->diag);
    cli_msccl_print(program, json);
    return CLI_GOOD;
}

bool cli_msccl_is(const gfab_format *format)
{
    return strcmp(format->name, "msccl") == 0 || strncmp(format->name, "msccl-", strlen("msccl-")) == 0;
}

gfab_status cli_msccl_steps(const gfab_format *format, const gfab_schedule *schedule, uint32_t *steps, gfab_diag *diag)
{
    return gfab_msccl_steps(schedule, strcmp(format->name, "msccl-apart") != 0, steps, diag);
}
