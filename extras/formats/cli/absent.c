/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "cli_source.h"
#include "formats/cli/cli_folder.h"
#include "formats/cli/cli_msccl.h"

int cmd_convert(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("convert", "formats");
}

bool cli_chakra_is_folder(const char *path)
{
    (void)path;
    return false;
}

int cli_chakra_read(const char *verb, const char *path, gfab_topology **topology, gfab_schedule **schedule)
{
    (void)path;
    (void)topology;
    (void)schedule;
    return cli_without(verb, "formats");
}

int cli_chakra_verify(const char *verb, const cli_source *source, uint64_t bytes, bool json)
{
    (void)verb;
    (void)source;
    (void)bytes;
    (void)json;
    return CLI_GO_ON;
}

int cli_msccl_find(const char *verb, const cli_input *input, bool json, cli_msccl *program)
{
    (void)json;
    (void)program;
    return input->first == '<' || input->first == '{' ? cli_without(verb, "formats") : CLI_GO_ON;
}

void cli_msccl_print(const cli_msccl *program, bool json)
{
    (void)program;
    (void)json;
}

gfab_status cli_ranged_takes(const gfab_format *format, const gfab_schedule *schedule, gfab_diag *diag)
{
    (void)format;
    (void)schedule;
    return GFAB_REFUSE(diag, "this gossipfab is without the extra formats");
}

int cli_ranged_write(const char *verb, const gfab_format *format, cli_ranged *plans, uint32_t count, const char *path)
{
    (void)format;
    (void)plans;
    (void)count;
    (void)path;
    return cli_without(verb, "formats");
}
