/* SPDX-License-Identifier: MIT */
/* The ways that blocks take, from schedules for all ports. Where links carry as much as their turns allow these are at
 * the best rate; of their rounds nothing is kept. In half duplex, and for an all-reduce, a way is a tree that spans the
 * members, from a packing of such trees: over each of its links a message goes one way, from wherever it starts. */
#include "solvers/collective/collectives.h"
#include "turns.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_MOVES ((size_t)1 << 20)
#define MOST_MS 5u

void gfab_ways_release(gfab_ways *w)
{
    free(w->from);
    free(w->arc);
    free(w->step);
    free(w->down);
    *w = (gfab_ways){0};
}

gfab_status gfab_ways_open(gfab_ways *w)
{
    uint32_t *from = realloc(w->from, ((size_t)w->count + 2) * sizeof *from);
    if (!from)
        return GFAB_ERR_NO_MEMORY;
    w->from = from;
    if (w->count == 0)
        from[0] = 0;
    from[w->count + 1] = from[w->count];
    w->count++;
    return GFAB_OK;
}

gfab_status gfab_ways_add(gfab_ways *w, gfab_arc arc, uint32_t step, bool down)
{
    const size_t at = w->from[w->count];
    if (at == MOST_MOVES)
        return GFAB_ERR_UNSUPPORTED;
    if (at == w->room) {
        const size_t room = w->room ? 2 * w->room : 256;
        gfab_arc *arcs = realloc(w->arc, room * sizeof *arcs);
        w->arc = arcs ? arcs : w->arc;
        uint32_t *steps = realloc(w->step, room * sizeof *steps);
        w->step = steps ? steps : w->step;
        bool *downs = realloc(w->down, room * sizeof *downs);
        w->down = downs ? downs : w->down;
        if (!arcs || !steps || !downs)
            return GFAB_ERR_NO_MEMORY;
        w->room = room;
    }
    w->arc[at] = arc;
    w->step[at] = step;
    w->down[at] = down;
    w->from[w->count]++;
    return GFAB_OK;
}

/* ---- trees ---- */

typedef struct tree {
    const gfab_topology *topology;
    const bool *has; /* [links] */
    uint32_t nodes, count;
    uint32_t *order, *depth; /* [nodes]: from the root outwards; NONE: not in the tree */
    gfab_arc *into;          /* [nodes]: from the parent */
} tree;

static void hang(tree *t, uint32_t root)
{
    for (uint32_t v = 0; v < t->nodes; v++)
        t->depth[v] = NONE;
    t->depth[root] = 0;
    t->order[0] = root;
    t->count = 1;
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t v = t->order[i];
        size_t count;
        const gfab_port *ports = gfab_topology_ports(t->topology, v, &count);
        for (size_t k = 0; k < count; k++) {
            const uint32_t peer = ports[k].peer;
            if (!t->has[ports[k].link] || t->depth[peer] != NONE)
                continue;
            t->depth[peer] = t->depth[v] + 1;
            t->into[peer] = 2 * ports[k].link + ports[k].end;
            t->order[t->count++] = peer;
        }
    }
}

/* At the middle of its longest way. */
static void hang_middle(tree *t, uint32_t somewhere)
{
    hang(t, somewhere);
    hang(t, t->order[t->count - 1]);
    uint32_t v = t->order[t->count - 1];
    for (uint32_t i = t->depth[v] / 2; i > 0; i--)
        v = gfab_topology_arc_from(t->topology, t->into[v]);
    hang(t, v);
}

static gfab_status add_tree(const tree *t, bool up, gfab_ways *ways)
{
    const uint32_t height = t->depth[t->order[t->count - 1]];
    gfab_status status = gfab_ways_open(ways);
    for (uint32_t i = t->count; up && i-- > 1 && status == GFAB_OK;)
        status = gfab_ways_add(ways, t->into[t->order[i]] ^ 1, height - t->depth[t->order[i]], false);
    for (uint32_t i = 1; i < t->count && status == GFAB_OK; i++)
        status = gfab_ways_add(ways, t->into[t->order[i]], height + t->depth[t->order[i]], true);
    return status;
}

/* has[block * links + link]: links that a block of the group goes over. */
static gfab_status read_trees(const gfab_schedule *made, const uint32_t *link, size_t links, bool *has)
{
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(made); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(made, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            has[(packet.tokens[0] & ~GFAB_COMBINE) * links + link[packet.arcs[0] / 2]] = true;
    }
    return GFAB_OK;
}

static gfab_status add_trees(const gfab_topology *topology, const gfab_goal *goal, const bool *has, uint32_t trees,
                             gfab_ways *ways)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const bool all = goal->collective == GFAB_ALL_REDUCE, owned = goal->collective == GFAB_ALL_GATHER;
    const uint32_t members = (uint32_t)gfab_topology_member_count(topology);
    tree t = {.topology = topology, .nodes = (uint32_t)nodes};
    t.order = malloc(nodes * sizeof *t.order);
    t.depth = malloc(nodes * sizeof *t.depth);
    t.into = malloc(nodes * sizeof *t.into);
    gfab_status status = t.order && t.depth && t.into ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < (owned ? members : 1); i++)
        for (uint32_t k = 0; k < trees && status == GFAB_OK; k++) {
            const uint32_t root = gfab_topology_member(topology, owned ? i : goal->root);
            t.has = has + k * links;
            (all ? hang_middle : hang)(&t, root);
            status = add_tree(&t, all, ways);
        }
    free(t.order);
    free(t.depth);
    free(t.into);
    return status;
}

/* ---- other ways ---- */

/* Those of a schedule, block by block. */
static gfab_status read_ways(const gfab_schedule *made, const uint32_t *link, gfab_ways *ways)
{
    const uint32_t group = gfab_schedule_group(made), rounds = gfab_schedule_kept_rounds(made);
    gfab_status status = GFAB_OK;
    uint64_t *moves = malloc(gfab_schedule_kept_count(made) * sizeof *moves);
    uint32_t *count = calloc((size_t)group + 1, sizeof *count), *step = NULL;
    step = malloc(gfab_schedule_kept_count(made) * sizeof *step);
    if (!moves || !count || !step)
        status = GFAB_ERR_NO_MEMORY;
    for (int pass = 0; pass < 2 && status == GFAB_OK; pass++) {
        for (uint32_t round = 1; round <= rounds; round++) {
            gfab_packet_iter packets = gfab_schedule_kept_round(made, round);
            for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
                const uint32_t block = packet.tokens[0], arc = packet.arcs[0];
                if (pass) {
                    step[count[block]] = round;
                    moves[count[block]++] = 2 * (uint64_t)link[arc / 2] + arc % 2;
                } else {
                    count[block + 1]++;
                }
            }
        }
        for (uint32_t b = 0; b < group && !pass; b++)
            count[b + 1] += count[b];
    }
    for (uint32_t b = 0, at = 0; b < group && status == GFAB_OK; b++) {
        status = gfab_ways_open(ways);
        for (; at < count[b] && status == GFAB_OK; at++)
            status = gfab_ways_add(ways, (gfab_arc)moves[at], step[at], true);
    }
    free(moves);
    free(count);
    free(step);
    return status;
}

/* ---- all ---- */

static const gfab_solver *maker_of(const gfab_topology *wide, const gfab_goal *goal, bool span)
{
    if (span)
        return &gfab_solver_packing;
    const bool plain = !gfab_topology_has_relays(wide) && goal->collective == GFAB_BROADCAST;
    return plain ? &gfab_solver_arborescences : &gfab_solver_out_trees;
}

static gfab_status make(const gfab_topology *wide, const gfab_model *model, const gfab_goal *goal, bool span,
                        const gfab_solver_options *options, gfab_schedule **made)
{
    const gfab_goal wanted = {.collective = span ? GFAB_ALL_REDUCE : goal->collective,
                              .blocks = (uint32_t)gfab_topology_member_count(wide),
                              .root = span ? 0 : goal->root};
    gfab_solver_options asked = {.seed = options->seed,
                                 .progress = options->progress,
                                 .startup = {0, 1},
                                 .goal = &wanted,
                                 .any_length = true,
                                 .most_ms = MOST_MS};
    gfab_model all = *model;
    all.port_mode = GFAB_PORT_ALL;
    all.hop_rounds = 1;
    return gfab_solve(maker_of(wide, goal, span), wide, &all, &asked, made, NULL, NULL);
}

gfab_status gfab_ways_find(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal, bool span,
                           const uint32_t *weight, const gfab_solver_options *options, gfab_ways *ways,
                           uint32_t *rounds)
{
    gfab_topology *wide = NULL;
    gfab_schedule *made = NULL;
    uint32_t *link = NULL;
    bool *has = NULL;
    *ways = (gfab_ways){0};
    gfab_status status = gfab_topology_weigh(topology, weight, &wide, &link);
    if (status == GFAB_OK)
        status = make(wide, model, goal, span, options, &made);
    const size_t links = gfab_topology_link_count(topology), group = made ? gfab_schedule_group(made) : 0;
    if (status == GFAB_OK && span) {
        *rounds = gfab_schedule_period(made) / (model->link_mode == GFAB_LINK_HALF ? 2 : 1);
        has = calloc(group * links, sizeof *has);
        status = has ? read_trees(made, link, links, has) : GFAB_ERR_NO_MEMORY;
        if (status == GFAB_OK)
            status = add_trees(topology, goal, has, (uint32_t)group, ways);
    } else if (status == GFAB_OK) {
        *rounds = gfab_schedule_period(made);
        status = read_ways(made, link, ways);
    }
    free(has);
    free(link);
    gfab_schedule_destroy(made);
    gfab_topology_destroy(wide);
    if (status != GFAB_OK)
        gfab_ways_release(ways);
    return status == GFAB_ERR_INVALID || status == GFAB_ERR_LIMIT ? GFAB_ERR_UNSUPPORTED : status;
}
