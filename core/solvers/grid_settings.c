/* SPDX-License-Identifier: MIT */
/* Settings of highdimgo, torgo and cubgo, and the choice that the user leaves open. Into how many shares and pieces
 * the data is cut changes the price: more pieces are shorter packets, but more startups. So every combination that the
 * settings leave open is planned, without making a schedule, and the cheapest is kept. With cut=2 all of them have two
 * pieces. */
#include "grid_settings.h"

#include <string.h>

#define MAX_CUT 64

/* The settings "shares" (one, colours, black-white), "cut" (pieces that a share is cut in) and "first" (an axis,
 * from 0) that every one of them has. */
typedef struct wishes {
    bool shares_given, first_given;
    uint64_t cut; /* 0: free */
    gfab_grid_shares shares;
    uint64_t first; /* counted among the axes of side 2 and up */
} wishes;

/* INVALID with a message. */
static gfab_status read_wishes(const char *parameters, size_t axes, wishes *wish, gfab_diag *diag)
{
    static const char *const names[] = {"one", "colours", "black-white"};
    static const gfab_grid_shares values[] = {GFAB_GRID_ONE, GFAB_GRID_COLOURS, GFAB_GRID_BLACK_WHITE};
    size_t length;
    *wish = (wishes){.shares = GFAB_GRID_ONE};
    const char *text = gfab_parameter(parameters, "shares", &length);
    wish->shares_given = text;
    bool known = !text;
    for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            wish->shares = values[i];
            known = true;
        }
    if (!known)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "shares=%.*s is not one, colours or black-white",
                         length < 40 ? (int)length : 40, text);
    wish->first_given = gfab_parameter(parameters, "first", &length);
    GFAB_TRY(gfab_parameter_number(parameters, "cut", 1, MAX_CUT, &wish->cut, diag));
    GFAB_TRY(gfab_parameter_number(parameters, "first", 0, GFAB_MAX_DIMENSIONS - 1, &wish->first, diag));
    if (wish->first >= axes)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "first=%u: axes are 0 to %zu here", (unsigned)wish->first,
                         axes - 1);
    if (wish->first_given && wish->shares_given && wish->shares != GFAB_GRID_ONE)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "first is for shares=one: other shares start in every axis");
    return GFAB_OK;
}

gfab_ratio gfab_grid_startup(const gfab_solver_options *options)
{
    return options->linear ? options->startup : (gfab_ratio){1000000000, 1};
}

static gfab_status try_grid(const gfab_grid *grid, const gfab_solver_options *options, gfab_grid_choice *best,
                            gfab_diag *diag)
{
    gfab_cost cost;
    GFAB_TRY(best->planner(grid, options, best->spare, &cost, diag));
    if (!best->found || gfab_cost_compare(&cost, &best->cost, gfab_grid_startup(options)) < 0) {
        best->found = true;
        best->grid = *grid;
        best->cost = cost;
        memcpy(best->plan, best->spare, best->plan_size);
    }
    return GFAB_OK;
}

gfab_status gfab_grid_choose(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_grid_choice *choice, gfab_diag *diag)
{
    static const gfab_grid_shares all[] = {GFAB_GRID_COLOURS, GFAB_GRID_BLACK_WHITE, GFAB_GRID_ONE};
    wishes wish;
    gfab_grid plain;
    gfab_status status = gfab_grid_init(&plain, topology, model, (gfab_grid_split){GFAB_GRID_ONE, 1, 0}, diag);
    GFAB_THEN(status, read_wishes(options->parameters, plain.axes, &wish, diag));
    if (status != GFAB_OK)
        return status;
    gfab_status failure = GFAB_OK;
    gfab_diag reason = {0, ""};
    /* Halves pay where an exchange ends with the two halves of something odd. */
    const uint32_t least = wish.cut ? (uint32_t)wish.cut : 1;
    const uint32_t most = wish.cut ? least : options->linear && !plain.one_port ? 2 : 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (wish.shares_given ? all[i] != wish.shares : wish.first_given && all[i] != GFAB_GRID_ONE)
            continue;
        const bool turns = all[i] == GFAB_GRID_ONE && !wish.first_given && !plain.uniform;
        for (size_t first = wish.first; first < (turns ? plain.axes : wish.first + 1); first++)
            for (uint32_t cut = least; cut <= most; cut++) {
                gfab_diag here = {0, ""};
                gfab_grid grid;
                status = gfab_grid_init(&grid, topology, model, (gfab_grid_split){all[i], cut, first}, &here);
                GFAB_THEN(status, try_grid(&grid, options, choice, &here));
                if (status == GFAB_ERR_NO_MEMORY)
                    return status;
                if (status != GFAB_OK && cut == least) {
                    failure = status;
                    reason = here;
                }
            }
    }
    return choice->found ? GFAB_OK : gfab_fail(diag, 0, failure, "%s", reason.message);
}
