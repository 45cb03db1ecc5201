/* SPDX-License-Identifier: MIT */
/* A graph that was recognised is solved as the family's, under the family's numbers, and the schedule is brought back
 * to the graph's own: nodes by the likeness, blocks with the nodes that they belong to. */
#include "solvers.h"

#include <gossipfab/schedule/bound.h>

#include <stdlib.h>

/* Where any number will do: so many that the rate is what counts. */
#define MANY_BLOCKS ((uint32_t)1 << 20)

/* From a family's numbers to the graph's. */
typedef struct renumbering {
    const gfab_topology *topology;
    const gfab_likeness *like;
    size_t nodes;
    uint32_t *origin; /* [nodes]: of the family's node */
    gfab_arc *arc;    /* of the family's arc */
    uint32_t *token;  /* of the family's schedule's; NULL: they keep their numbers */
    gfab_arena arena;
} renumbering;
GFAB_HOLDS_ARENA(renumbering)

/* FAULT where the likeness is none. */
static gfab_status create(renumbering *r, const gfab_topology *topology, const gfab_likeness *like)
{
    const size_t arcs = 2 * gfab_topology_link_count(topology);
    bool is_image = false;
    *r = (renumbering){.topology = topology, .like = like, .nodes = gfab_topology_node_count(topology)};
    gfab_status status = gfab_topology_is_image(topology, like->topology, like->image, &is_image);
    if (status != GFAB_OK || !is_image)
        return status == GFAB_OK ? GFAB_ERR_FAULT : status;
    r->origin = gfab_arena_zeroed(&r->arena, r->nodes, sizeof *r->origin);
    r->arc = gfab_arena_zeroed(&r->arena, arcs, sizeof *r->arc);
    GFAB_FREED gfab_arc *to = malloc(r->nodes * sizeof *to); /* the node's arc to each of the family's nodes */
    GFAB_NEED(!r->arena.failed && to);
    for (uint32_t v = 0; v < r->nodes; v++)
        r->origin[like->image[v]] = v;
    for (uint32_t f = 0; f < r->nodes; f++) {
        GFAB_EACH_PORT(port, topology, r->origin[f])
            to[like->image[port->peer]] = 2 * port->link + port->end;
        GFAB_EACH_PORT(port, like->topology, f)
            r->arc[2 * port->link + port->end] = to[port->peer];
    }
    return GFAB_OK;
}

/* Gives schedule the goal or load that made has, and finds which token is which. A block that belongs to a node in an
 * all-gather, a reduce-scatter or an all-to-all belongs to that node under either number. In other collectives every
 * node has a part in every block, or the root does: there blocks keep their numbers. */
static gfab_status set_tokens(renumbering *r, const gfab_solver_options *options, const gfab_schedule *made,
                              gfab_schedule *schedule)
{
    const gfab_goal goal = gfab_schedule_goal(made);
    const uint32_t *image = r->like->image, nodes = (uint32_t)r->nodes;
    const bool owned = goal.collective == GFAB_ALL_GATHER || goal.collective == GFAB_REDUCE_SCATTER;
    const uint32_t period = gfab_schedule_period(made), group = gfab_schedule_group(made);
    if (goal.collective != GFAB_ALL_GATHER || period) {
        GFAB_TRY(gfab_schedule_set_goal(schedule, options->goal, NULL));
    } else {
        GFAB_FREED uint32_t *load = malloc(nodes * sizeof *load);
        GFAB_NEED(load);
        for (uint32_t v = 0; v < nodes; v++)
            load[v] = gfab_schedule_first_token(made, image[v] + 1) - gfab_schedule_first_token(made, image[v]);
        GFAB_TRY(gfab_schedule_set_load(schedule, load, gfab_schedule_parts(made)));
    }
    if (!owned && goal.collective != GFAB_ALL_TO_ALL)
        return GFAB_OK;
    r->token = gfab_arena_zeroed(&r->arena, (size_t)group, sizeof *r->token);
    GFAB_NEED(r->token);
    for (uint32_t v = 0; v < nodes; v++) {
        const uint32_t share = group / nodes;
        uint32_t count = owned ? share : nodes, first = v * count, from = image[v] * count;
        if (goal.collective == GFAB_ALL_GATHER && !period) {
            first = gfab_schedule_first_token(schedule, v);
            count = gfab_schedule_first_token(schedule, v + 1) - first;
            from = gfab_schedule_first_token(made, image[v]);
        }
        for (uint32_t i = 0; i < count; i++)
            r->token[from + (owned ? i : image[i])] = first + i;
    }
    return GFAB_OK;
}

/* Where packets are written under their new numbers. */
typedef struct rewriter {
    const gfab_arc *arc;
    const uint32_t *token;
    gfab_arc *arcs;
    uint32_t *tokens;
    size_t arc_room, token_room;
} rewriter;

static bool make_room(rewriter *w, const gfab_packet *packet)
{
    if (packet->arc_count <= w->arc_room && packet->token_count <= w->token_room)
        return true;
    w->arc_room = packet->arc_count > w->arc_room ? 2 * packet->arc_count : w->arc_room;
    w->token_room = packet->token_count > w->token_room ? 2 * packet->token_count : w->token_room;
    GFAB_FREE(w->arcs, w->tokens);
    w->arcs = malloc((w->arc_room + 1) * sizeof *w->arcs);
    w->tokens = malloc((w->token_room + 1) * sizeof *w->tokens);
    return w->arcs && w->tokens;
}

static gfab_status copy_packet(rewriter *w, const gfab_packet *packet, uint32_t round, gfab_schedule *schedule)
{
    GFAB_NEED(make_room(w, packet));
    for (size_t i = 0; i < packet->arc_count; i++)
        w->arcs[i] = w->arc ? w->arc[packet->arcs[i]] : packet->arcs[i];
    for (size_t i = 0; i < packet->token_count; i++) {
        const uint32_t from = packet->tokens[i] & ~GFAB_COMBINE;
        w->tokens[i] = (w->token ? w->token[from] : from) | (packet->tokens[i] & GFAB_COMBINE);
    }
    return gfab_schedule_append_packet(schedule, round, w->arcs, packet->arc_count, w->tokens, packet->token_count);
}

gfab_status gfab_solver_copy_rounds(const gfab_schedule *made, const gfab_arc *arc, const uint32_t *token,
                                    gfab_schedule *schedule)
{
    rewriter w = {.arc = arc, .token = token};
    const bool repeats = gfab_schedule_period(made);
    const uint32_t rounds = repeats ? gfab_schedule_kept_rounds(made) : gfab_schedule_rounds(made);
    gfab_status status = repeats
                             ? gfab_schedule_set_period(schedule, gfab_schedule_period(made), gfab_schedule_group(made))
                             : gfab_schedule_check_listed(made, NULL);
    for (uint32_t round = 1; round <= rounds && status == GFAB_OK; round++) {
        gfab_packet_iter packets = repeats ? gfab_schedule_kept_round(made, round) : gfab_schedule_round(made, round);
        for (gfab_packet packet; status == GFAB_OK && gfab_packet_next(&packets, &packet);)
            status = copy_packet(&w, &packet, round, schedule);
    }
    GFAB_FREE(w.arcs, w.tokens);
    return status;
}

/* The schedule for the graph, of one for the family's. */
static gfab_status bring_back(renumbering *r, const gfab_model *model, const gfab_solver_options *options,
                              const gfab_schedule *made, gfab_schedule **schedule)
{
    gfab_schedule *own = NULL;
    gfab_status status = gfab_schedule_create(r->topology, model, &own);
    GFAB_THEN(status, gfab_schedule_set_solver(own, gfab_schedule_solver(made)));
    GFAB_THEN(status, set_tokens(r, options, made, own));
    GFAB_THEN(status, gfab_solver_copy_rounds(made, r->arc, r->token, own));
    return GFAB_HAND_OVER(status, own, gfab_schedule_destroy, schedule);
}

/* What is to be solved. */
typedef struct question {
    const gfab_solver *solver;
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
} question;

static gfab_status solve_as(const question *q, const gfab_likeness *like, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_solver_options *options = q->options;
    gfab_solver_options renamed = *options;
    gfab_goal goal;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL;
    GFAB_AT_END(renumbering_release) renumbering r = {0};
    GFAB_FREED uint32_t *load = NULL;
    gfab_status status = create(&r, q->topology, like);
    renamed.recognition = NULL;
    if (status == GFAB_OK && options->load && !(load = malloc(r.nodes * sizeof *load)))
        status = GFAB_ERR_NO_MEMORY;
    if (status == GFAB_OK && load) {
        for (size_t f = 0; f < r.nodes; f++)
            load[f] = options->load[r.origin[f]];
        renamed.load = load;
    }
    if (options->goal) {
        goal = *options->goal;
        if (gfab_collective_has_root(goal.collective) && goal.root < r.nodes)
            goal.root = like->image[goal.root];
        renamed.goal = &goal;
    }
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    else if ((status = q->solver->solve(like->topology, q->model, &renamed, &made, diag)) == GFAB_OK &&
             (status = bring_back(&r, q->model, options, made, schedule)) != GFAB_OK)
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    return status;
}

/* Of a graph with several names: no schedule has fewer rounds than *least, 0 where they do not count or it is not
 * known. */
static gfab_status least_rounds(const question *q, uint64_t *least)
{
    const gfab_solver_options *options = q->options;
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(q->topology));
    gfab_bound bound;
    *least = 0;
    if (options->recognition->count < 2 || options->linear || options->load)
        return GFAB_OK;
    const gfab_status status =
        gfab_bound_goal_best(q->topology, q->model, options->goal ? options->goal : &gossip, options->progress, &bound);
    if (status == GFAB_OK)
        *least = bound.rounds;
    return gfab_solver_cut_short(status) ? status : GFAB_OK;
}

/* For as many blocks as the options say. */
static gfab_status solve(const question *q, gfab_schedule **schedule, const gfab_likeness **like, gfab_diag *diag)
{
    const gfab_solver_options *options = q->options;
    const size_t names = options->recognition ? options->recognition->count : 0;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *best = NULL;
    uint64_t least = 0;
    gfab_status status = names ? least_rounds(q, &least) : GFAB_OK;
    *schedule = NULL;
    if (like)
        *like = NULL;
    GFAB_TRY(gfab_told(status, diag));
    for (size_t i = 0; i < names && (!best || options->linear || gfab_schedule_rounds(best) > least); i++) {
        const gfab_likeness *one = &options->recognition->at[i];
        gfab_schedule *made = NULL;
        status = solve_as(q, one, &made, diag);
        if (gfab_solver_cut_short(status) || status == GFAB_ERR_FAULT)
            return status;
        bool better;
        GFAB_TRY(gfab_solver_keep(made, options, &best, &better));
        if (better && like)
            *like = one;
    }
    if (!best)
        return q->solver->solve(q->topology, q->model, options, schedule, diag);
    *schedule = best;
    best = NULL;
    return GFAB_OK;
}

gfab_status gfab_solve(const gfab_solver *solver, const gfab_topology *topology, const gfab_model *model,
                       const gfab_solver_options *options, gfab_schedule **schedule, const gfab_likeness **like,
                       gfab_diag *diag)
{
    const uint32_t members = (uint32_t)gfab_topology_member_count(topology);
    question q = {solver, topology, model, options};
    if (!options->any_length)
        return solve(&q, schedule, like, diag);
    gfab_solver_options many = *options;
    gfab_goal goal = options->goal ? *options->goal : gfab_goal_default(members);
    const bool shared = goal.collective == GFAB_ALL_GATHER || goal.collective == GFAB_REDUCE_SCATTER;
    goal.blocks = shared ? MANY_BLOCKS / members * members + members : MANY_BLOCKS;
    many.goal = &goal;
    q.options = &many;
    GFAB_TRY(gfab_goal_check(&goal, members, diag));
    GFAB_TRY(solve(&q, schedule, like, diag));
    if (gfab_schedule_set_any_length(*schedule) != GFAB_OK) {
        gfab_schedule_destroy(*schedule);
        *schedule = NULL;
        return GFAB_REFUSE(diag, "%s makes no schedule that repeats on %s", solver->name, gfab_topology_name(topology));
    }
    return GFAB_OK;
}
