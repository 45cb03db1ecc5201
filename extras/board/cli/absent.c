/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "cli.h"

int cmd_board(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("board", "board");
}
