/* SPDX-License-Identifier: MIT */
/* The solvers torgo and cubgo: TorGoS on two axes, CubGoS and CubGo' on two or more. */
#include "cubgo_plan.h"
#include "highdimgo.h"
#include "solvers/grid_settings.h"

typedef struct cubgo_plan {
    bool by_lines; /* HighDimGo with the best plan in every phase, where that is cheaper and allowed */
    gfab_cubgo_recipe cub;
    gfab_highdimgo_recipe lines;
} cubgo_plan;

/* The paper's one parameter a: a bridgeheads in a row to begin with, and a times as many after each level. */
static gfab_status read_power(const gfab_grid *grid, uint32_t a, gfab_cubgo_wish *wish, gfab_diag *diag)
{
    const uint32_t side = grid->side[gfab_grid_axis(grid, 0, 0)];
    if (side % a != 0 || wish->cell)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a=%u %s", a,
                         wish->cell ? "and cell= say the same; give one" : "does not divide the side");
    wish->cell = side / a;
    if (wish->factors_given)
        return GFAB_OK;
    wish->factors_given = true;
    uint32_t cell = wish->cell;
    for (; cell % a == 0; cell /= a)
        wish->factors[wish->factor_count++] = a;
    if (cell != 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a=%u: side %u is no power of it; say factors=, too", a, side);
    return GFAB_OK;
}

static gfab_status read_wish(const gfab_grid *grid, const char *parameters, gfab_cubgo_wish *wish, gfab_diag *diag)
{
    const gfab_parameter_range factors = {2, GFAB_MAX_NODES, GFAB_CUBGO_MAX_LEVELS},
                               rounds = {1, UINT32_MAX / 4, GFAB_CUBGO_MAX_LEVELS};
    size_t length;
    uint64_t cell = 0, a = 0;
    *wish = (gfab_cubgo_wish){0};
    GFAB_TRY(gfab_parameter_number(parameters, "cell", 1, GFAB_MAX_NODES, &cell, diag));
    GFAB_TRY(gfab_parameter_number(parameters, "a", 2, GFAB_MAX_NODES, &a, diag));
    wish->cell = (uint32_t)cell;
    wish->factors_given = gfab_parameter(parameters, "factors", &length);
    GFAB_TRY(gfab_parameter_list(parameters, "factors", factors, wish->factors, &wish->factor_count, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "b", rounds, wish->rounds, &wish->rounds_count, diag));
    if (a)
        GFAB_TRY(read_power(grid, (uint32_t)a, wish, diag));
    if (wish->rounds_count > 1 && !wish->factors_given)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "b has more than one number: say factors= or a=, too");
    return GFAB_OK;
}

static gfab_status plan(const gfab_grid *grid, const gfab_solver_options *options, void *result, gfab_cost *cost,
                        gfab_diag *diag)
{
    cubgo_plan *made = result;
    gfab_cubgo_wish wish;
    uint64_t lines = 1;
    GFAB_TRY(read_wish(grid, options->parameters, &wish, diag));
    GFAB_TRY(gfab_parameter_number(options->parameters, "lines", 0, 1, &lines, diag));
    const gfab_ratio startup = gfab_grid_startup(options);
    made->by_lines = false;
    gfab_status status = gfab_cubgo_best(grid, &wish, startup, &made->cub, diag);
    GFAB_THEN(status, gfab_cubgo_cost(grid, &made->cub, cost, diag));
    if (!lines || wish.cell || wish.factors_given || wish.rounds_count)
        return status;
    const gfab_highdimgo_wish best[GFAB_MAX_DIMENSIONS] = {{.form = GFAB_HIGHDIMGO_BEST}};
    gfab_cost by_lines;
    const gfab_status other = gfab_highdimgo_best(grid, best, startup, &made->lines, &by_lines, NULL);
    if (other == GFAB_OK && (status != GFAB_OK || gfab_cost_compare(&by_lines, cost, startup) < 0)) {
        made->by_lines = true;
        *cost = by_lines;
    }
    return made->by_lines || other == GFAB_ERR_NO_MEMORY ? other : status;
}

static gfab_status choose(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          cubgo_plan *made, gfab_grid_choice *choice, gfab_diag *diag)
{
    cubgo_plan spare = {0};
    *choice = (gfab_grid_choice){.planner = plan, .plan = made, .spare = &spare, .plan_size = sizeof spare};
    return gfab_grid_choose(topology, model, options, choice, diag);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_grid_choice choice;
    cubgo_plan made;
    GFAB_AT_END(gfab_grid_writer_close) gfab_grid_writer writer = {0};
    GFAB_TRY(choose(topology, model, options, &made, &choice, diag));
    GFAB_TRY(gfab_grid_writer_open(&writer, &choice.grid, schedule));
    if (made.by_lines)
        GFAB_TRY(gfab_highdimgo_send(&writer, &made.lines, options, choice.cost.startups));
    else
        GFAB_TRY(gfab_cubgo_send(&writer, &made.cub, options));
    return GFAB_OK;
}

/* Whatever the size of the topology. */
static gfab_status check_kind(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                              gfab_diag *diag)
{
    gfab_grid grid;
    GFAB_TRY(gfab_grid_applies(topology, model, solver->name, diag));
    GFAB_TRY(gfab_grid_init(&grid, topology, model, (gfab_grid_split){GFAB_GRID_ONE, 1, 0}, diag));
    if (solver == &gfab_solver_torgo && grid.axes != 2)
        return GFAB_REFUSE(diag, "torgo is for two sides; cubgo takes %s", gfab_topology_name(topology));
    return GFAB_OK;
}

static gfab_status cubgo_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return check_kind(&gfab_solver_cubgo, topology, model, diag);
}

static gfab_status torgo_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return check_kind(&gfab_solver_torgo, topology, model, diag);
}

static gfab_status cost_of(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                           const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)
{
    gfab_grid_choice choice = {.found = false};
    cubgo_plan made;
    GFAB_TRY(check_kind(solver, topology, model, diag));
    GFAB_TRY(gfab_solver_check_options(solver, options, diag));
    GFAB_TRY(choose(topology, model, options, &made, &choice, diag));
    *cost = choice.cost;
    return GFAB_OK;
}

static gfab_status cubgo_cost(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)
{
    return cost_of(&gfab_solver_cubgo, topology, model, options, cost, diag);
}

static gfab_status torgo_cost(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)
{
    return cost_of(&gfab_solver_torgo, topology, model, options, cost, diag);
}

GFAB_SOLVE(cubgo_solve, cubgo, build)

GFAB_SOLVE(torgo_solve, torgo, build)

static const char *const keys[] = {"a", "b", "cell", "factors", "lines", "shares", "cut", "first", NULL};

const gfab_solver gfab_solver_cubgo = {
    .name = "cubgo",
    .summary = "meshes and tori with startup costs: gather on the diagonal, and make it denser (full, circuit)",
    .source = "Sibeyn, Juurlink & Rao, sections 6 and 7",
    .applies = cubgo_applies,
    .solve = cubgo_solve,
    .cost = cubgo_cost,
    .parameters = keys,
};

const gfab_solver gfab_solver_torgo = {
    .name = "torgo",
    .summary = "cubgo in two dimensions",
    .source = "Sibeyn, Juurlink & Rao, sections 5.2 and 7",
    .applies = torgo_applies,
    .solve = torgo_solve,
    .cost = torgo_cost,
    .parameters = keys,
};
