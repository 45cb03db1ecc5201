/* SPDX-License-Identifier: MIT */
/* `show --html`: the page that plays one schedule. The page itself is made in extras/draw/; here the schedule is
 * lowered to ROM words first, where narrow nodes can play it, because the page shows them beside the moves. */
#include "show_html.h"

/* The ROM is a function of the schedule alone; the widths are any that fit. Where the hardware cannot play it there is
 * no machine, which is no failure; that memory runs out is one. */
static gfab_status lower(const gfab_schedule *schedule, gfab_machine **machine, gfab_diag *diag)
{
    const gfab_progress progress = cli_progress("show");
    gfab_machine_options options = gfab_machine_options_default();
    gfab_plan plan;
    options.token_bits = 4096;
    options.any_width = true;
    options.link_bits = 1;
    options.progress = &progress;
    gfab_status status = gfab_machine_plan_schedule(schedule, &options, &plan, diag);
    GFAB_THEN(status, gfab_machine_compile(&plan, schedule, machine, diag));
    cli_progress_end();
    if (cli_was_interrupted())
        return GFAB_ERR_INTERRUPTED;
    return status == GFAB_ERR_NO_MEMORY ? status : GFAB_OK;
}

int show_html(const cli_source *source, const char *path)
{
    const gfab_schedule *schedule = source->schedule;
    gfab_player player = {.schedules = &schedule, .bounds = &source->bound.rounds, .count = 1};
    gfab_diag diag = {0, ""};
    cli_output output = {NULL, NULL, NULL};
    gfab_status status = gfab_player_check(&player, &diag);
    if (status != GFAB_OK)
        return cli_fail("show", status, "--html", &diag);
    gfab_machine *machine = NULL;
    status = lower(schedule, &machine, &diag);
    player.machine = machine;
    int result = status != GFAB_OK ? cli_fail("show", status, NULL, &diag) : cli_output_open("show", path, &output);
    if (result == CLI_GO_ON) {
        status = gfab_player_write(&player, output.file, &diag);
        if (status != GFAB_OK)
            result = cli_fail("show", status, "--html", &diag);
    }
    if (result == CLI_GO_ON)
        result = cli_output_commit("show", &output);
    else
        cli_output_discard(&output);
    gfab_machine_destroy(machine);
    return result;
}
