/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "gpu-plans/cli/cli_plan.h"

int cmd_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return cli_without("run", "gpu-plans");
}

int cli_plan_verify(const char *verb, const cli_input *input, const gfab_gpu_plan_options *options, const char *page,
                    bool json)
{
    (void)options;
    (void)json;
    (void)input;
    return page ? cli_without(verb, "gpu-plans") : CLI_GO_ON;
}
