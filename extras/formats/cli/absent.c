/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "cli_source.h"

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
