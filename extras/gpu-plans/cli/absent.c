/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "gpu-plans/cli/cli_plan.h"

int cmd_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("run", "gpu-plans");
}
