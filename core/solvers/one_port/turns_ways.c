/* SPDX-License-Identifier: MIT */
/* The ways that blocks take, from schedules for all ports. Where links carry as much as their turns allow these are at
 * the best rate; of their rounds nothing is kept. In half duplex, and for an all-reduce, a way is a tree that spans the
 * members, from a packing of such trees: over each of its links a message goes one way, from wherever it starts. */
#include "solvers/collective/collectives.h"
#include "turns.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_MOVES ((size_t)1 << 20)
#define MOST_MS 5u

void gfab_ways_release(gfab_ways *w)
{
    GFAB_FREE(w->from, w->moves);
    *w = (gfab_ways){0};
}

/* An empty way. */
static gfab_status open_way(gfab_ways *w)
{
    GFAB_NEED(gfab_grow(&w->from, (size_t)w->count + 1, &w->from_room, sizeof *w->from));
    if (w->count == 0)
        w->from[0] = 0;
    w->from[w->count + 1] = w->from[w->count];
    w->count++;
    return GFAB_OK;
}

/* One move more of the last way. */
static gfab_status add_move(gfab_ways *w, gfab_arc arc, uint32_t step, bool down)
{
    const size_t at = w->from[w->count];
    if (at == MOST_MOVES)
        return GFAB_ERR_UNSUPPORTED;
    GFAB_NEED(gfab_grow(&w->moves, at, &w->room, sizeof *w->moves));
    w->moves[at] = (struct gfab_way_move){arc, step, down};
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
    GFAB_TRY(open_way(ways));
    for (uint32_t i = t->count; up && i-- > 1;)
        GFAB_TRY(add_move(ways, t->into[t->order[i]] ^ 1, height - t->depth[t->order[i]], false));
    for (uint32_t i = 1; i < t->count; i++)
        GFAB_TRY(add_move(ways, t->into[t->order[i]], height + t->depth[t->order[i]], true));
    return GFAB_OK;
}

/* has[block * links + link]: links that a block of the group goes over. */
static void read_trees(const gfab_schedule *made, const uint32_t *link, size_t links, bool *has)
{
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(made); round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(made, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            has[(packet.tokens[0] & ~GFAB_COMBINE) * links + link[packet.arcs[0] / 2]] = true;
    }
}

static gfab_status add_trees(const gfab_topology *topology, const gfab_goal *goal, const gfab_schedule *made,
                             const uint32_t *link, gfab_arena *arena, gfab_ways *ways)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const bool all = goal->collective == GFAB_ALL_REDUCE, owned = goal->collective == GFAB_ALL_GATHER;
    const uint32_t roots = owned ? (uint32_t)gfab_topology_member_count(topology) : 1;
    const uint32_t trees = gfab_schedule_group(made);
    bool *has = gfab_arena_zeroed2(arena, trees, links, sizeof *has);
    tree t = {.topology = topology, .nodes = (uint32_t)nodes};
    GFAB_ARRAYS(arena, nodes, t.order, t.depth, t.into);
    GFAB_NEED(!arena->failed);
    read_trees(made, link, links, has);
    for (uint32_t i = 0; i < roots; i++)
        for (uint32_t k = 0; k < trees; k++) {
            t.has = has + k * links;
            (all ? hang_middle : hang)(&t, gfab_topology_member(topology, owned ? i : goal->root));
            GFAB_TRY(add_tree(&t, all, ways));
        }
    return GFAB_OK;
}

/* ---- other ways ---- */

/* Those of a schedule, block by block. */
static gfab_status read_ways(const gfab_schedule *made, const uint32_t *link, gfab_arena *arena, gfab_ways *ways)
{
    const uint32_t group = gfab_schedule_group(made), rounds = gfab_schedule_kept_rounds(made);
    const size_t kept = gfab_schedule_kept_count(made);
    uint64_t *moves = gfab_arena_zeroed(arena, kept, sizeof *moves);
    uint32_t *count = gfab_arena_zeroed(arena, (size_t)group + 1, sizeof *count);
    uint32_t *step = gfab_arena_zeroed(arena, kept, sizeof *step);
    GFAB_NEED(!arena->failed);
    for (int pass = 0; pass < 2; pass++) {
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
    for (uint32_t b = 0, at = 0; b < group; b++) {
        GFAB_TRY(open_way(ways));
        for (; at < count[b]; at++)
            GFAB_TRY(add_move(ways, (gfab_arc)moves[at], step[at], true));
    }
    return GFAB_OK;
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
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *wide = NULL;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL;
    GFAB_FREED uint32_t *link = NULL;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    *ways = (gfab_ways){0};
    gfab_status status = gfab_topology_weigh(topology, weight, &wide, &link);
    GFAB_THEN(status, make(wide, model, goal, span, options, &made));
    if (status == GFAB_OK) {
        *rounds = gfab_schedule_period(made) / (span && model->link_mode == GFAB_LINK_HALF ? 2 : 1);
        status = span ? add_trees(topology, goal, made, link, &arena, ways) : read_ways(made, link, &arena, ways);
    }
    if (status != GFAB_OK)
        gfab_ways_release(ways);
    return status == GFAB_ERR_INVALID || status == GFAB_ERR_LIMIT ? GFAB_ERR_UNSUPPORTED : status;
}
