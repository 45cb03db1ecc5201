/* SPDX-License-Identifier: MIT */
/* The solvers approach1, approach2 and circgo: plans on a line (circgo_plan.h) as schedules of a path or a cycle. */
#include "circgo_plan.h"
#include "solvers/solvers.h"

#include <stdlib.h>
#include <string.h>

/* Where only rounds count: no saving in transfers is worth a startup. */
static const gfab_ratio many_transfers = {1000000000, 1};

#define MAX_PARTS 64

/* A plan, and the schedule it is for: tokens are the items, `parts` a node. */
typedef struct choice {
    gfab_circgo_line line;
    gfab_circgo_recipe recipe;
    gfab_cost cost;
} choice;

typedef gfab_status (*choose)(const gfab_circgo_line *line, const gfab_solver_options *options, gfab_ratio startup,
                              gfab_circgo_recipe *recipe, gfab_diag *diag);

static gfab_circgo_line line_of(const gfab_topology *topology, const gfab_model *model, uint32_t parts)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    return (gfab_circgo_line){.nodes = shape.side,
                              .items = parts,
                              .cycle = shape.kind == GFAB_SHAPE_CYCLE,
                              .one_port = model->port_mode == GFAB_PORT_ONE,
                              .longest = model->packet_tokens};
}

static gfab_status check_line(const gfab_topology *topology, const gfab_model *model, bool long_paths, const char *name,
                              gfab_diag *diag)
{
    const gfab_shape shape = gfab_solver_shape(topology);
    if (shape.kind != GFAB_SHAPE_CYCLE && shape.kind != GFAB_SHAPE_PATH)
        return GFAB_REFUSE(diag, "%s is for paths and cycles, not for %s", name, gfab_topology_name(topology));
    if (long_paths && model->routing != GFAB_ROUTING_CIRCUIT)
        return GFAB_REFUSE(diag, "%s is for circuit routing", name);
    return GFAB_OK;
}

static gfab_status choose_approach1(const gfab_circgo_line *line, const gfab_solver_options *options,
                                    gfab_ratio startup, gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    (void)options;
    (void)startup;
    *recipe = gfab_circgo_approach1(line);
    return gfab_circgo_check(line, recipe, diag);
}

static gfab_status choose_approach2(const gfab_circgo_line *line, const gfab_solver_options *options,
                                    gfab_ratio startup, gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    (void)options;
    (void)startup;
    *recipe = gfab_circgo_approach2();
    return gfab_circgo_check(line, recipe, diag);
}

/* Of a setting that has a number for each level. */
static const gfab_parameter_range from_one = {1, GFAB_MAX_NODES, GFAB_CIRCGO_MAX_LEVELS},
                                  from_two = {2, GFAB_MAX_NODES, GFAB_CIRCGO_MAX_LEVELS};

/* a=A: A heads, and gaps split in A; a=A1:A2:..: A1 heads, gaps split in A2, .. */
static gfab_status read_pieces(const char *parameters, gfab_circgo_wish *wish, gfab_diag *diag)
{
    uint32_t both[GFAB_CIRCGO_MAX_LEVELS], count = 0;
    uint64_t heads = 0;
    GFAB_TRY(gfab_parameter_list(parameters, "a", from_two, both, &count, diag));
    GFAB_TRY(gfab_parameter_number(parameters, "a1", 1, GFAB_MAX_NODES, &heads, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "a2", from_two, wish->pieces, &wish->pieces_count, diag));
    wish->heads = (uint32_t)heads;
    if (count && (heads || wish->pieces_count))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a stands for a1 and a2; give a, or these");
    if (count) {
        wish->heads = both[0];
        wish->pieces_count = count > 1 ? count - 1 : 1;
        memcpy(wish->pieces, both + (count > 1), wish->pieces_count * sizeof *both);
    }
    return GFAB_OK;
}

static gfab_status read_wish(const gfab_circgo_line *line, const char *parameters, gfab_circgo_wish *wish,
                             gfab_diag *diag)
{
    *wish = (gfab_circgo_wish){.spare = true};
    uint64_t levels = UINT64_MAX, spare = 1;
    GFAB_TRY(read_pieces(parameters, wish, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "b", from_one, wish->rounds, &wish->rounds_count, diag));
    GFAB_TRY(gfab_parameter_list(parameters, "k", from_one, wish->messages, &wish->messages_count, diag));
    GFAB_TRY(gfab_parameter_number(parameters, "levels", 0, GFAB_CIRCGO_MAX_LEVELS, &levels, diag));
    GFAB_TRY(gfab_parameter_number(parameters, "spare", 0, 1, &spare, diag));
    wish->spare = spare == 1;
    wish->levels_given = levels != UINT64_MAX;
    wish->level_count = wish->levels_given ? (uint32_t)levels : 0;
    size_t length;
    const char *form = gfab_parameter(parameters, "form", &length);
    const bool ends = form && length == 4 && !memcmp(form, "ends", 4);
    const bool centres = form && length == 7 && !memcmp(form, "centres", 7);
    if (form && !centres && (!ends || line->cycle || line->one_port))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "form=%.*s is not centres%s", length < 40 ? (int)length : 40, form,
                         line->cycle || line->one_port ? "; ends is for paths under all-port" : " or ends");
    wish->form_given = form;
    wish->form = ends ? GFAB_CIRCGO_ENDS : GFAB_CIRCGO_CENTRES;
    return GFAB_OK;
}

static gfab_status choose_circgo(const gfab_circgo_line *line, const gfab_solver_options *options, gfab_ratio startup,
                                 gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    gfab_circgo_wish wish;
    GFAB_TRY(read_wish(line, options->parameters, &wish, diag));
    return gfab_circgo_search(line, &wish, startup, recipe, diag);
}

/* What is asked of one of the three solvers. */
typedef struct question {
    choose with;
    const gfab_solver *solver;
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
} question;

/* The plan for so many parts a node. An item's transfer is then 1 / parts of a token's. */
static gfab_status choose_parts(const question *q, uint32_t parts, choice *made, gfab_diag *diag)
{
    made->line = line_of(q->topology, q->model, parts);
    gfab_ratio startup = q->options->linear ? q->options->startup : many_transfers;
    if (startup.denominator % parts == 0)
        startup.denominator /= parts;
    else
        startup.numerator *= parts;
    GFAB_TRY(q->with(&made->line, q->options, startup, &made->recipe, diag));
    gfab_circgo_cost(&made->line, &made->recipe, &made->cost);
    made->cost.parts = parts;
    return GFAB_OK;
}

/* Tokens stay whole unless halves cost less. */
static gfab_status choose_plan(const question *q, choice *made, gfab_diag *diag)
{
    uint64_t parts = 0;
    GFAB_TRY(gfab_parameter_number(q->options->parameters, "parts", 1, MAX_PARTS, &parts, diag));
    GFAB_TRY(choose_parts(q, parts ? (uint32_t)parts : 1, made, diag));
    if (parts || !q->options->linear)
        return GFAB_OK;
    choice halves;
    const gfab_status status = choose_parts(q, 2, &halves, NULL);
    if (status == GFAB_OK && gfab_cost_compare(&halves.cost, &made->cost, q->options->startup) < 0)
        *made = halves;
    return status == GFAB_ERR_NO_MEMORY ? status : GFAB_OK;
}

/* Out of node i: arcs[2 * i] to position i + 1, arcs[2 * i + 1] to position i - 1; not set past the ends of a path. */
static gfab_status find_arcs(const gfab_topology *topology, const gfab_circgo_line *line, gfab_arc *arcs)
{
    const uint32_t n = line->nodes;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t peers[2] = {i + 1 < n ? i + 1 : 0, i ? i - 1 : n - 1};
        const bool there[2] = {i + 1 < n || line->cycle, i > 0 || line->cycle};
        for (size_t side = 0; side < 2; side++)
            if (there[side] && !gfab_topology_find_arc(topology, i, peers[side], &arcs[2 * i + side]))
                return GFAB_ERR_INVALID;
    }
    return GFAB_OK;
}

static gfab_status append_messages(const gfab_topology *topology, const gfab_circgo_line *line,
                                   const gfab_circgo_messages *plan, const gfab_solver_options *options,
                                   gfab_schedule *schedule)
{
    const uint32_t n = line->nodes;
    GFAB_FREED gfab_arc *arcs = malloc(2 * (size_t)n * sizeof *arcs), *path = malloc((size_t)n * sizeof *path);
    GFAB_FREED uint32_t *tokens = malloc((size_t)n * line->items * sizeof *tokens);
    GFAB_NEED(arcs && path && tokens);
    GFAB_TRY(find_arcs(topology, line, arcs));
    for (size_t i = 0; i < plan->count; i++) {
        const gfab_circgo_message *m = &plan->messages[i];
        for (uint32_t t = 0; t < m->count; t++)
            tokens[t] = gfab_circgo_item(line, m, t);
        size_t length = 0;
        for (uint32_t at = m->from; at != m->to; at = m->step > 0 ? (at + 1 < n ? at + 1 : 0) : (at ? at - 1 : n - 1))
            path[length++] = arcs[2 * at + (m->step > 0 ? 0 : 1)];
        GFAB_TRY(gfab_schedule_append_packet(schedule, m->round, path, length, tokens, m->count));
        if (i % 1024 == 0)
            GFAB_TRY(gfab_solver_report(options, "packets", i, plan->count));
    }
    return GFAB_OK;
}

static gfab_status build(const question *q, gfab_schedule *schedule, gfab_diag *diag)
{
    choice made;
    GFAB_AT_END(gfab_circgo_messages_free) gfab_circgo_messages plan = {0};
    GFAB_TRY(choose_plan(q, &made, diag));
    if (made.line.items > 1)
        GFAB_TRY(gfab_schedule_set_load(schedule, NULL, made.line.items));
    GFAB_TRY(gfab_circgo_build(&made.line, &made.recipe, &plan));
    return append_messages(q->topology, &made.line, &plan, q->options, schedule);
}

static gfab_status cost_of(const question *q, gfab_cost *cost, gfab_diag *diag)
{
    choice made;
    gfab_diag reason = {0, ""};
    GFAB_TRY(gfab_solver_applies(q->solver, q->topology, q->model, diag));
    GFAB_TRY(gfab_solver_check_options(q->solver, q->options, diag));
    const gfab_status status = choose_plan(q, &made, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s: %s", q->solver->name,
                         reason.message[0] ? reason.message : gfab_status_string(status));
    *cost = made.cost;
    return GFAB_OK;
}

/* The rounds where only rounds count. */
static gfab_status rounds_with(choose with, const gfab_solver *solver, const gfab_topology *topology,
                               const gfab_model *model, uint64_t *rounds)
{
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_cost cost = {.parts = 1};
    const question q = {with, solver, topology, model, &options};
    GFAB_TRY(cost_of(&q, &cost, NULL));
    *rounds = cost.startups;
    return GFAB_OK;
}

/* The members that differ between the three solvers in nothing but how they choose a plan. */
#define LINE_SOLVER(name)                                                                                         \
    static gfab_status name##_build(const gfab_topology *topology, const gfab_model *model,                       \
                                    const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag) \
    {                                                                                                             \
        const question q = {choose_##name, &gfab_solver_##name, topology, model, options};                        \
        return build(&q, schedule, diag);                                                                         \
    }                                                                                                             \
    GFAB_SOLVE(name##_solve, name, name##_build)                                                                  \
    static gfab_status name##_cost(const gfab_topology *topology, const gfab_model *model,                        \
                                   const gfab_solver_options *options, gfab_cost *cost, gfab_diag *diag)          \
    {                                                                                                             \
        const question q = {choose_##name, &gfab_solver_##name, topology, model, options};                        \
        return cost_of(&q, cost, diag);                                                                           \
    }

LINE_SOLVER(approach1)
LINE_SOLVER(approach2)
LINE_SOLVER(circgo)

static gfab_status approach1_formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    return rounds_with(choose_approach1, &gfab_solver_approach1, topology, model, rounds);
}

static gfab_status approach2_formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    return rounds_with(choose_approach2, &gfab_solver_approach2, topology, model, rounds);
}

/* Under one-port with circuit routing a node starts one packet and takes one; store-and-forward is stricter. */
static gfab_status approach1_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return check_line(topology, model, model->port_mode == GFAB_PORT_ONE, "approach1", diag);
}

static gfab_status approach2_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    GFAB_TRY(check_line(topology, model, true, "approach2", diag));
    const gfab_circgo_line line = line_of(topology, model, 1);
    if (line.longest < line.nodes - 1)
        return GFAB_REFUSE(diag, "approach2 sends packets of %u tokens here, more than the %u allowed", line.nodes - 1,
                           line.longest);
    return GFAB_OK;
}

static gfab_status circgo_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return check_line(topology, model, true, "circgo", diag);
}

static const char *const parts_only[] = {"parts", NULL};
static const char *const circgo_keys[] = {"a", "a1", "a2", "b", "k", "levels", "form", "spare", "parts", NULL};

const gfab_solver gfab_solver_approach1 = {
    .name = "approach1",
    .summary = "paths and cycles, full duplex: every node relays the newest token both ways (one-port: one way)",
    .source = "Sibeyn, Juurlink & Rao, section 4.1",
    .applies = approach1_applies,
    .solve = approach1_solve,
    .formula = approach1_formula,
    .cost = approach1_cost,
    .parameters = parts_only,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ONE_ROUND,
};

const gfab_solver gfab_solver_approach2 = {
    .name = "approach2",
    .summary = "paths and cycles, circuit: all tokens gathered in one node by threes, and back (one-port: by twos)",
    .source = "Sibeyn, Juurlink & Rao, section 4.1",
    .applies = approach2_applies,
    .solve = approach2_solve,
    .formula = approach2_formula,
    .cost = approach2_cost,
    .parameters = parts_only,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_CIRCUIT,
};

const gfab_solver gfab_solver_circgo = {
    .name = "circgo",
    .summary = "paths and cycles, circuit: bridgeheads gather, exchange, inform ever more; best for the startup",
    .source = "Sibeyn, Juurlink & Rao, section 4.2; docs/theory/startup-cost.md",
    .applies = circgo_applies,
    .solve = circgo_solve,
    .cost = circgo_cost,
    .parameters = circgo_keys,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ONE_ROUND | GFAB_ONLY_CIRCUIT,
};
