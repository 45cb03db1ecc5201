/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "cli.h"

int cmd_search(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("search", "shards");
}

int cmd_merge(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("merge", "shards");
}
