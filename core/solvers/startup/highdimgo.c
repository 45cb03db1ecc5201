/* SPDX-License-Identifier: MIT */
/* HighDimGo and HighDimGo' of Sibeyn, Juurlink & Rao, sections 4.3 and 5.1: a gossip on all lines along one axis after
 * the other, by a plan for lines in each phase. docs/theory/startup-cost-tori.md, section 3. */
#include "highdimgo.h"

#include "solvers/grid_settings.h"

#include <stdlib.h>
#include <string.h>

/* What a share's phase runs on each line along its axis. INVALID above what a line takes. */
static gfab_status line_of(const gfab_grid *grid, size_t share, size_t phase, gfab_circgo_line *line, gfab_diag *diag)
{
    uint64_t items = grid->items;
    for (size_t i = 0; i < phase; i++)
        items *= grid->side[gfab_grid_axis(grid, share, i)];
    const size_t axis = gfab_grid_axis(grid, share, phase);
    const uint32_t side = grid->side[axis];
    if (items * side >= (uint64_t)1 << 31)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a line of %u nodes with %llu pieces each is too much", side,
                         (unsigned long long)items);
    *line = (gfab_circgo_line){.nodes = side,
                               .items = (uint32_t)items,
                               .cycle = grid->wraps[axis] && side > 2,
                               .one_port = grid->one_port,
                               .longest = grid->longest};
    return GFAB_OK;
}

/* With a or b given it is CircGoS(n, a, b) as the paper has it, messages and all. */
static gfab_status circgo_for(const gfab_circgo_line *line, const gfab_highdimgo_wish *wish, gfab_ratio startup,
                              gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    if (!wish->a && !wish->b)
        return gfab_circgo_search(line, NULL, startup, recipe, diag);
    const bool levels = wish->a < line->nodes;
    const gfab_circgo_wish asked = {.spare = false,
                                    .heads = wish->a,
                                    .pieces = {wish->a},
                                    .pieces_count = wish->a && levels ? 1 : 0,
                                    .rounds = {wish->b},
                                    .rounds_count = wish->b && levels ? 1 : 0};
    return gfab_circgo_search(line, &asked, startup, recipe, diag);
}

static gfab_status recipe_for(const gfab_circgo_line *line, const gfab_highdimgo_wish *wish, gfab_ratio startup,
                              gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    switch (wish->form) {
    case GFAB_HIGHDIMGO_APPROACH1:
        *recipe = gfab_circgo_approach1(line);
        return gfab_circgo_check(line, recipe, diag);
    case GFAB_HIGHDIMGO_APPROACH2:
        *recipe = gfab_circgo_approach2();
        return gfab_circgo_check(line, recipe, diag);
    case GFAB_HIGHDIMGO_CIRCGO:
        return circgo_for(line, wish, startup, recipe, diag);
    case GFAB_HIGHDIMGO_BEST:
        break;
    }
    return gfab_circgo_best(line, startup, recipe, diag);
}

static bool same_line(const gfab_circgo_line *a, const gfab_circgo_line *b)
{
    return a->nodes == b->nodes && a->items == b->items && a->cycle == b->cycle;
}

/* The runs of a plan: the longest message of each round. */
static gfab_status runs_of(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, uint64_t **longest,
                           size_t *rounds)
{
    GFAB_AT_END(gfab_circgo_messages_free) gfab_circgo_messages plan = {0};
    gfab_status status = gfab_circgo_build(line, recipe, &plan);
    *rounds = plan.count ? plan.messages[plan.count - 1].round : 0;
    *longest = calloc(*rounds + 1, sizeof **longest);
    if (status == GFAB_OK && !*longest)
        status = GFAB_ERR_NO_MEMORY;
    for (size_t i = 0; i < plan.count && status == GFAB_OK; i++) {
        uint64_t *most = &(*longest)[plan.messages[i].round - 1];
        *most = plan.messages[i].count > *most ? plan.messages[i].count : *most;
    }
    return status;
}

/* Shares whose lines differ, side by side: round by round the longest message of all. Their plans on one line say
 * that. */
static gfab_status mixed_price(const gfab_circgo_line *lines, const gfab_circgo_recipe *recipes, size_t shares,
                               gfab_cost *cost)
{
    GFAB_FREED uint64_t *together = NULL;
    size_t rounds = 0;
    for (size_t s = 0; s < shares; s++) {
        GFAB_FREED uint64_t *longest = NULL;
        size_t count = 0;
        GFAB_TRY(runs_of(&lines[s], &recipes[s], &longest, &count));
        if (count > rounds) {
            uint64_t *swap = together;
            const size_t fewer = rounds;
            together = longest;
            longest = swap;
            rounds = count;
            count = fewer;
        }
        for (size_t i = 0; i < count; i++)
            together[i] = longest[i] > together[i] ? longest[i] : together[i];
    }
    cost->startups += rounds;
    for (size_t i = 0; i < rounds; i++)
        cost->transfers += together[i];
    return GFAB_OK;
}

gfab_status gfab_highdimgo_best(const gfab_grid *grid, const gfab_highdimgo_wish *wishes, gfab_ratio startup,
                                gfab_highdimgo_recipe *recipe, gfab_cost *cost, gfab_diag *diag)
{
    const gfab_ratio by = {startup.numerator * grid->parts, startup.denominator};
    const size_t shares = gfab_grid_priced_shares(grid);
    *cost = gfab_grid_opening_cost(grid);
    for (size_t phase = 0; phase < grid->axes; phase++) {
        gfab_circgo_line lines[GFAB_MAX_DIMENSIONS];
        gfab_circgo_recipe *recipes = recipe->phases[phase];
        bool same = true;
        for (size_t s = 0; s < shares; s++) {
            gfab_status status = line_of(grid, s, phase, &lines[s], diag);
            GFAB_THEN(status, recipe_for(&lines[s], &wishes[phase], by, &recipes[s], diag));
            if (status != GFAB_OK)
                return status;
            same = same && same_line(&lines[s], &lines[0]);
        }
        if (same) {
            gfab_cost line_cost;
            gfab_circgo_cost(&lines[0], &recipes[0], &line_cost);
            cost->startups += line_cost.startups;
            cost->transfers += line_cost.transfers;
            continue;
        }
        GFAB_TRY(mixed_price(lines, recipes, shares, cost));
    }
    return GFAB_OK;
}

/* Messages of one share's plan in a round, on every line along its axis: a line is met at its node 0. */
static gfab_status send_messages(gfab_grid_writer *writer, size_t share, size_t phase,
                                 const gfab_circgo_message *messages, size_t count)
{
    const gfab_grid *grid = writer->grid;
    const size_t axis = gfab_grid_axis(grid, share, phase);
    uint32_t at[GFAB_MAX_DIMENSIONS];
    gfab_grid_box box;
    for (size_t node = 0; node < gfab_grid_nodes(grid); node++) {
        gfab_grid_node(grid, node, at);
        if (at[axis] != 0)
            continue;
        for (size_t i = 0; i <= phase; i++) {
            const size_t done = gfab_grid_axis(grid, share, i);
            gfab_grid_box_set(&box, done, 0, 1, grid->side[done]);
        }
        for (size_t i = phase + 1; i < grid->axes; i++) {
            const size_t later = gfab_grid_axis(grid, share, i);
            gfab_grid_box_set(&box, later, at[later], 1, 1);
        }
        for (size_t i = 0; i < count; i++) {
            const gfab_circgo_message *m = &messages[i];
            const int64_t side = grid->side[axis], ahead = ((int64_t)m->to - m->from + side) % side;
            at[axis] = m->from;
            const gfab_grid_way way = {share, at, axis, m->step > 0 ? ahead : ahead - side};
            GFAB_TRY(
                gfab_grid_send(writer, way, &box, axis, (gfab_grid_part){m->begin, m->count, m->hole, m->left_out}));
        }
    }
    return GFAB_OK;
}

static gfab_status send_phase(gfab_grid_writer *writer, const gfab_highdimgo_recipe *recipe, size_t phase,
                              const gfab_solver_options *options, uint64_t total)
{
    const gfab_grid *grid = writer->grid;
    const size_t priced = gfab_grid_priced_shares(grid);
    gfab_circgo_messages plans[GFAB_MAX_DIMENSIONS] = {{0}};
    size_t next[GFAB_MAX_DIMENSIONS] = {0}, end[GFAB_MAX_DIMENSIONS];
    gfab_status status = GFAB_OK;
    for (size_t s = 0; s < priced && status == GFAB_OK; s++) {
        gfab_circgo_line line;
        status = line_of(grid, s, phase, &line, NULL);
        GFAB_THEN(status, gfab_circgo_build(&line, &recipe->phases[phase][s], &plans[s]));
    }
    bool more = status == GFAB_OK;
    for (uint32_t round = 1; more && status == GFAB_OK; round++) {
        more = false;
        for (size_t s = 0; s < priced; s++) {
            for (end[s] = next[s]; end[s] < plans[s].count && plans[s].messages[end[s]].round == round; end[s]++)
                continue;
            more = more || next[s] < plans[s].count;
        }
        if (!more)
            break;
        writer->round++;
        status = gfab_solver_report(options, "rounds", writer->round - 1, total);
        for (size_t share = 0; share < grid->share_count && status == GFAB_OK; share++) {
            const size_t s = priced == 1 ? 0 : gfab_grid_axis(grid, share, 0);
            status = send_messages(writer, share, phase, plans[s].messages + next[s], end[s] - next[s]);
        }
        memcpy(next, end, priced * sizeof *next);
    }
    for (size_t s = 0; s < priced; s++)
        gfab_circgo_messages_free(&plans[s]);
    return status;
}

gfab_status gfab_highdimgo_send(gfab_grid_writer *writer, const gfab_highdimgo_recipe *recipe,
                                const gfab_solver_options *options, uint64_t total)
{
    for (size_t phase = 0; phase < writer->grid->axes; phase++)
        GFAB_TRY(send_phase(writer, recipe, phase, options, total));
    return GFAB_OK;
}

/* "phases=2:1": a form a phase, the last for all that follow. */
static gfab_status read_forms(const char *parameters, gfab_highdimgo_wish *wishes, gfab_diag *diag)
{
    static const char *const names[] = {"best", "1", "2", "circgo"};
    size_t length, count = 0;
    const char *text = gfab_parameter(parameters, "phases", &length), *at = text;
    while (at) {
        const size_t left = (size_t)(text + length - at);
        const char *colon = memchr(at, ':', left);
        const size_t word = colon ? (size_t)(colon - at) : left;
        size_t form = 0;
        while (form < sizeof names / sizeof *names && (strlen(names[form]) != word || memcmp(names[form], at, word)))
            form++;
        if (form == sizeof names / sizeof *names || count == GFAB_MAX_DIMENSIONS)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                             "phases=%.*s is not a list such as 2:1 of at most %d of 1, 2, circgo and best",
                             length < 40 ? (int)length : 40, text, GFAB_MAX_DIMENSIONS);
        for (size_t i = count++; i < GFAB_MAX_DIMENSIONS; i++)
            wishes[i].form = (gfab_highdimgo_form)form;
        at = colon ? colon + 1 : NULL;
    }
    return GFAB_OK;
}

/* "a=9:3", "b=4": of CircGo, a number a phase, the last for all that follow. */
static gfab_status read_wishes(const char *parameters, gfab_highdimgo_wish *wishes, gfab_diag *diag)
{
    uint32_t a[GFAB_MAX_DIMENSIONS], b[GFAB_MAX_DIMENSIONS], a_count, b_count;
    const gfab_parameter_range pieces = {2, GFAB_MAX_NODES, GFAB_MAX_DIMENSIONS},
                               rounds = {1, GFAB_MAX_NODES, GFAB_MAX_DIMENSIONS};
    GFAB_TRY(read_forms(parameters, wishes, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "a", pieces, a, &a_count, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "b", rounds, b, &b_count, diag));
    for (uint32_t i = 0; i < GFAB_MAX_DIMENSIONS; i++) {
        if ((a_count || b_count) && wishes[i].form != GFAB_HIGHDIMGO_CIRCGO)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a and b are for phases=circgo");
        wishes[i].a = a_count ? a[i < a_count ? i : a_count - 1] : 0;
        wishes[i].b = b_count ? b[i < b_count ? i : b_count - 1] : 0;
    }
    return GFAB_OK;
}

static gfab_status plan(const gfab_grid *grid, const gfab_solver_options *options, void *recipe, gfab_cost *cost,
                        gfab_diag *diag)
{
    gfab_highdimgo_wish wishes[GFAB_MAX_DIMENSIONS] = {{.form = GFAB_HIGHDIMGO_BEST}};
    GFAB_TRY(read_wishes(options->parameters, wishes, diag));
    return gfab_highdimgo_best(grid, wishes, gfab_grid_startup(options), recipe, cost, diag);
}

static gfab_status choose(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          gfab_highdimgo_recipe *recipe, gfab_grid_choice *choice, gfab_diag *diag)
{
    gfab_highdimgo_recipe spare = {0};
    *choice = (gfab_grid_choice){.planner = plan, .plan = recipe, .spare = &spare, .plan_size = sizeof spare};
    return gfab_grid_choose(topology, model, options, choice, diag);
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return gfab_grid_applies(topology, model, "highdimgo", diag);
}

/* Prices need no schedule: topologies may be larger than solve takes. */
static gfab_status cost_of(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           gfab_cost *cost, gfab_diag *diag)
{
    gfab_grid_choice choice = {.found = false};
    gfab_highdimgo_recipe recipe;
    GFAB_TRY(gfab_grid_applies(topology, model, "highdimgo", diag));
    GFAB_TRY(gfab_solver_check_options(&gfab_solver_highdimgo, options, diag));
    GFAB_TRY(choose(topology, model, options, &recipe, &choice, diag));
    *cost = choice.cost;
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_grid_choice choice;
    gfab_highdimgo_recipe recipe;
    GFAB_AT_END(gfab_grid_writer_close) gfab_grid_writer writer = {0};
    GFAB_TRY(choose(topology, model, options, &recipe, &choice, diag));
    GFAB_TRY(gfab_grid_writer_open(&writer, &choice.grid, schedule));
    return gfab_highdimgo_send(&writer, &recipe, options, choice.cost.startups);
}

GFAB_SOLVE(solve, highdimgo, build)

static const char *const keys[] = {"phases", "a", "b", "shares", "cut", "first", NULL};

const gfab_solver gfab_solver_highdimgo = {
    .name = "highdimgo",
    .summary = "meshes and tori with startup costs: one-dimensional gossips, axis after axis (full, circuit)",
    .source = "Sibeyn, Juurlink & Rao, sections 4.3, 5.1 and 7",
    .applies = applies,
    .solve = solve,
    .cost = cost_of,
    .parameters = keys,
};
