/* SPDX-License-Identifier: MIT */
#include "grid_settings.h"

#include "../number.h"

#include <string.h>

gfab_status gfab_grid_wish_read(const char *parameters, gfab_grid_wish *wish, gfab_diag *diag)
{
    static const char *const names[] = {"one", "colours", "black-white"};
    static const gfab_grid_shares values[] = {GFAB_GRID_ONE, GFAB_GRID_COLOURS, GFAB_GRID_BLACK_WHITE};
    size_t length;
    *wish = (gfab_grid_wish){.shares = GFAB_GRID_ONE};
    const char *text = gfab_parameter(parameters, "shares", &length);
    wish->shares_given = text != NULL;
    bool known = !text;
    for (size_t i = 0; i < sizeof names / sizeof *names && !known; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            wish->shares = values[i];
            known = true;
        }
    if (!known)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "shares=%.*s is not one, colours or black-white",
                         length < 40 ? (int)length : 40, text);
    wish->first_given = gfab_parameter(parameters, "first", &length) != NULL;
    return gfab_parameter_number(parameters, "first", 0, GFAB_MAX_DIMENSIONS - 1, &wish->first, diag);
}

gfab_status gfab_grid_list(const char *parameters, const char *key, uint32_t least, uint32_t most, uint32_t *list,
                           uint32_t capacity, uint32_t *count, gfab_diag *diag)
{
    size_t length;
    const char *text = gfab_parameter(parameters, key, &length), *at = text;
    *count = 0;
    while (at) {
        uint64_t number = 0;
        const gfab_number_status status = gfab_number_read(&at, most, &number);
        const bool more = at < text + length;
        if (status != GFAB_NUMBER_OK || number < least || (more && *at != ':') || *count == capacity)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                             "%s=%.*s is not a list such as 3:3:2 of at most %u numbers from %u to %u", key,
                             length < 40 ? (int)length : 40, text, capacity, least, most);
        list[(*count)++] = (uint32_t)number;
        at = more ? at + 1 : NULL;
    }
    return GFAB_OK;
}

gfab_ratio gfab_grid_startup(const gfab_solver_options *options)
{
    return options->linear ? options->startup : (gfab_ratio){1000000000, 1};
}

gfab_status gfab_grid_choose(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_grid_planner planner, gfab_grid *grid, void *plan, void *spare, size_t plan_size,
                             gfab_cost *cost, gfab_diag *diag)
{
    static const gfab_grid_shares all[] = {GFAB_GRID_COLOURS, GFAB_GRID_BLACK_WHITE, GFAB_GRID_ONE};
    gfab_grid_wish wish;
    gfab_grid try;
    gfab_status status = gfab_grid_wish_read(options->parameters, &wish, diag);
    if (status == GFAB_OK)
        status = gfab_grid_init(&try, topology, model, GFAB_GRID_ONE, 0, diag);
    if (status == GFAB_OK && wish.first >= try.axes)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "first=%u: axes are 0 to %zu here", (unsigned)wish.first,
                           try.axes - 1);
    if (status == GFAB_OK && wish.first_given && wish.shares_given && wish.shares != GFAB_GRID_ONE)
        status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "first is for shares=one: other shares start in every axis");
    if (status != GFAB_OK)
        return status;
    const gfab_ratio startup = gfab_grid_startup(options);
    const size_t axes = try.axes;
    bool found = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (wish.shares_given ? all[i] != wish.shares : wish.first_given && all[i] != GFAB_GRID_ONE)
            continue;
        for (size_t first = wish.first; first < axes; first++) {
            gfab_cost price;
            status = gfab_grid_init(&try, topology, model, all[i], first, diag);
            if (status == GFAB_OK)
                status = planner(&try, options, spare, &price, diag);
            if (status != GFAB_OK && status != GFAB_ERR_UNSUPPORTED && status != GFAB_ERR_INVALID)
                return status;
            if (status == GFAB_OK && (!found || gfab_cost_compare(&price, cost, startup) < 0)) {
                found = true;
                *grid = try;
                *cost = price;
                memcpy(plan, spare, plan_size);
            }
            if (all[i] != GFAB_GRID_ONE || wish.first_given || try.uniform)
                break;
        }
    }
    return found ? GFAB_OK : status;
}
