/* SPDX-License-Identifier: MIT */
/* Grows the broadcast tree of node 0 whose translates are a gossip on a torus (relative_tree.h says why they never
 * meet). Round by round each class of links, such as "along axis 0, forwards", takes one step, to different offsets: a
 * bipartite matching by augmenting paths. A step that opens a line which the tree has not touched yet comes first, as
 * later rounds then have steps of every class. On torus:4x4 the tree reaches its 15 offsets in 8 rounds, two a round:
 * the lower bound.
 *
 * Every step is listed once and moved to a worse list at most once an axis, so that the time is linear in the nodes.
 * The tree, and the theorem that on two axes it meets the bound, are ours: docs/theory/optimal-gossip.md, section 1. */
#include "relative_tree.h"

#include <assert.h>
#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define MAX_CLASSES ((size_t)2 * GFAB_MAX_DIMENSIONS)
#define NONE UINT32_MAX

/* An entry stands for a way to reach an offset: offset * 2 * axes + 2 * axis + direction of the step. Entries whose
 * step could be taken now lie in lists, one per class and rank; the rank is the number of untouched lines - lines of
 * other axes without any offset reached - that the step would open. Ranks fall as lines are opened; an entry is moved
 * down when it is met. */
typedef struct growth {
    size_t axes;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    uint32_t strides[GFAB_MAX_DIMENSIONS];
    uint8_t classes[MAX_CLASSES]; /* [2 * axis + direction] */
    size_t class_count;
    size_t nodes;
    bool *reached;                      /* [offset] */
    bool *touched[GFAB_MAX_DIMENSIONS]; /* [first offset of a line of the axis] */
    uint32_t *next;                     /* [entry]: the next in its list, or NONE */
    uint32_t heads[MAX_CLASSES][GFAB_MAX_DIMENSIONS];
    uint32_t candidates[MAX_CLASSES][MAX_CLASSES]; /* of a class: its best entries, at most as many as classes */
    size_t candidate_count[MAX_CLASSES];
    size_t pick[MAX_CLASSES]; /* of a class: which candidate; candidate_count if none */
    gfab_arena arena;
} growth;
GFAB_HOLDS_ARENA(growth)

gfab_status gfab_relative_tree_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    GFAB_TRY(gfab_model_check(model, diag));
    if (model->port_mode != GFAB_PORT_ALL || model->packet_tokens != 1)
        return GFAB_REFUSE(diag, "torus-tree is for all ports and 1 token a packet");
    bool fits = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    for (size_t d = 0; d < gfab_topology_dimensions(topology); d++)
        fits = fits && (gfab_topology_side(topology, d) != 2 || model->link_mode == GFAB_LINK_FULL);
    if (!fits)
        return GFAB_REFUSE(diag, "torus-tree is for tori, without a side of 2 where links are half duplex, not for %s",
                           gfab_topology_name(topology));
    return GFAB_OK;
}

static uint32_t coordinate(const growth *g, uint32_t offset, size_t axis)
{
    return offset / g->strides[axis] % g->sides[axis];
}

static uint32_t line_start(const growth *g, uint32_t offset, size_t axis)
{
    return offset - coordinate(g, offset, axis) * g->strides[axis];
}

static uint32_t neighbour(const growth *g, uint32_t offset, size_t axis, unsigned direction)
{
    const uint32_t side = g->sides[axis], c = coordinate(g, offset, axis);
    return line_start(g, offset, axis) + (c + (direction ? side - 1 : 1)) % side * g->strides[axis];
}

static uint32_t entry_offset(const growth *g, uint32_t entry)
{
    return (uint32_t)(entry / (2 * g->axes));
}

static size_t entry_way(const growth *g, uint32_t entry)
{
    return entry % (2 * g->axes);
}

static size_t rank_of(const growth *g, uint32_t entry)
{
    const uint32_t offset = entry_offset(g, entry);
    const size_t own = entry_way(g, entry) / 2;
    size_t rank = 0;
    for (size_t axis = 0; axis < g->axes; axis++)
        rank += axis != own && !g->touched[axis][line_start(g, offset, axis)];
    return rank;
}

static void push(growth *g, uint32_t entry, size_t rank)
{
    uint32_t *head = &g->heads[g->classes[entry_way(g, entry)]][rank];
    g->next[entry] = *head;
    *head = entry;
}

static void reach(growth *g, uint32_t offset)
{
    g->reached[offset] = true;
    for (size_t axis = 0; axis < g->axes; axis++)
        g->touched[axis][line_start(g, offset, axis)] = true;
}

/* Lists the steps from an offset that may send from now on. */
static void offer_steps(growth *g, uint32_t from)
{
    for (size_t way = 0; way < 2 * g->axes; way++) {
        if (g->sides[way / 2] == 2 && way % 2 == 1)
            continue;
        const uint32_t to = neighbour(g, from, way / 2, way % 2);
        const uint32_t entry = (uint32_t)(to * 2 * g->axes + way);
        if (!g->reached[to])
            push(g, entry, rank_of(g, entry));
    }
}

static bool is_candidate(const growth *g, size_t c, uint32_t offset)
{
    for (size_t i = 0; i < g->candidate_count[c]; i++)
        if (entry_offset(g, g->candidates[c][i]) == offset)
            return true;
    return false;
}

/* Takes a class's best entries to different offsets out of its lists. As many as there are classes are enough: with
 * that many, one is left over whatever the others take. */
static void gather(growth *g, size_t c)
{
    g->candidate_count[c] = 0;
    for (size_t rank = g->axes; rank-- > 0;)
        while (g->candidate_count[c] < g->class_count && g->heads[c][rank] != NONE) {
            const uint32_t entry = g->heads[c][rank], offset = entry_offset(g, entry);
            g->heads[c][rank] = g->next[entry];
            if (g->reached[offset] || is_candidate(g, c, offset))
                continue;
            const size_t now = rank_of(g, entry);
            if (now < rank)
                push(g, entry, now);
            else
                g->candidates[c][g->candidate_count[c]++] = entry;
        }
}

/* Kuhn's augmenting paths: a class takes its first candidate that is free or whose taker can take another. visited
 * holds a bit per class. */
static bool assign(growth *g, size_t c, uint32_t *visited)
{
    *visited |= (uint32_t)1 << c;
    for (size_t i = 0; i < g->candidate_count[c]; i++) {
        const uint32_t offset = entry_offset(g, g->candidates[c][i]);
        size_t taker = 0;
        while (taker < g->class_count && (g->pick[taker] == g->candidate_count[taker] ||
                                          entry_offset(g, g->candidates[taker][g->pick[taker]]) != offset))
            taker++;
        if (taker < g->class_count && ((*visited >> taker & 1) || !assign(g, taker, visited)))
            continue;
        g->pick[c] = i;
        return true;
    }
    return false;
}

/* The steps of one round: as many classes as can be served at different offsets, each with the best it can get. Returns
 * how many. */
static size_t take_steps(growth *g, uint32_t round, gfab_relative_step *steps)
{
    for (size_t c = 0; c < g->class_count; c++) {
        gather(g, c);
        g->pick[c] = g->candidate_count[c];
    }
    for (size_t c = 0; c < g->class_count; c++) {
        uint32_t visited = 0;
        assign(g, c, &visited);
    }
    size_t count = 0;
    for (size_t c = 0; c < g->class_count; c++)
        if (g->pick[c] < g->candidate_count[c]) {
            const uint32_t entry = g->candidates[c][g->pick[c]], to = entry_offset(g, entry);
            const size_t axis = entry_way(g, entry) / 2;
            const unsigned direction = entry_way(g, entry) % 2;
            steps[count++] = (gfab_relative_step){.round = round,
                                                  .from = neighbour(g, to, axis, 1 - direction),
                                                  .to = to,
                                                  .axis = (uint8_t)axis,
                                                  .direction = (uint8_t)direction,
                                                  .link_class = (uint8_t)c};
        }
    for (size_t i = 0; i < count; i++)
        reach(g, steps[i].to);
    for (size_t c = 0; c < g->class_count; c++)
        for (size_t i = g->candidate_count[c]; i-- > 0;)
            push(g, g->candidates[c][i], rank_of(g, g->candidates[c][i]));
    return count;
}

/* A step is chosen, before anything else, to open lines: once every line is touched, a step of every class is possible
 * as long as anything is missing. docs/theory/optimal-gossip.md, "The torus". */
static gfab_status grow(growth *g, const gfab_model *model, gfab_relative_tree *tree, gfab_diag *diag)
{
    size_t count = 0, offered = 0;
    uint64_t round = 0;
    reach(g, 0);
    offer_steps(g, 0);
    while (count < g->nodes - 1) {
        round++;
        while (offered < count && (uint64_t)tree->steps[offered].round + model->hop_rounds <= round)
            offer_steps(g, tree->steps[offered++].to);
        if (round > GFAB_MAX_ROUNDS)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the schedule has more than %u rounds",
                             (unsigned)GFAB_MAX_ROUNDS);
        const size_t taken = take_steps(g, (uint32_t)round, tree->steps + count);
        if (taken == 0) { /* all wait for the next offset that may send */
            assert(offered < count);
            round = (uint64_t)tree->steps[offered].round + model->hop_rounds - 1;
        }
        count += taken;
    }
    tree->rounds = (uint32_t)round;
    tree->step_count = count;
    return GFAB_OK;
}

static gfab_status growth_init(growth *g, const gfab_topology *topology, const gfab_model *model)
{
    *g = (growth){.axes = gfab_topology_dimensions(topology), .nodes = gfab_topology_node_count(topology)};
    uint32_t stride = 1;
    for (size_t axis = g->axes; axis-- > 0; stride *= g->sides[axis]) {
        g->sides[axis] = gfab_topology_side(topology, axis);
        g->strides[axis] = stride;
    }
    for (size_t axis = 0; axis < g->axes; axis++) {
        if (g->sides[axis] == 1)
            continue;
        const bool two = model->link_mode == GFAB_LINK_FULL && g->sides[axis] > 2;
        g->classes[2 * axis] = (uint8_t)g->class_count++;
        g->classes[2 * axis + 1] = (uint8_t)(two ? g->class_count++ : g->classes[2 * axis]);
    }
    for (size_t c = 0; c < g->class_count; c++)
        for (size_t rank = 0; rank < g->axes; rank++)
            g->heads[c][rank] = NONE;
    /* At most 2^24 nodes and 16 entries a node. */
    g->reached = gfab_arena_zeroed(&g->arena, g->nodes, sizeof *g->reached);
    g->next = gfab_arena_zeroed(&g->arena, g->nodes * 2 * g->axes, sizeof *g->next);
    for (size_t axis = 0; axis < g->axes; axis++)
        g->touched[axis] = gfab_arena_zeroed(&g->arena, g->nodes, sizeof *g->touched[axis]);
    const bool complete = !g->arena.failed;
    return complete ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

gfab_relative_tree *gfab_relative_tree_allocate(size_t class_count, size_t nodes)
{
    gfab_relative_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->class_count = class_count;
    tree->steps = malloc(nodes * sizeof *tree->steps);
    if (tree->steps)
        return tree;
    free(tree);
    return NULL;
}

gfab_status gfab_relative_tree_create(const gfab_topology *topology, const gfab_model *model, gfab_relative_tree **tree,
                                      gfab_diag *diag)
{
    GFAB_TRY(gfab_relative_tree_applies(topology, model, diag));
    GFAB_AT_END(growth_release) growth g = {0};
    gfab_status status = growth_init(&g, topology, model);
    gfab_relative_tree *made = gfab_relative_tree_allocate(g.class_count, g.nodes);
    if (!made)
        status = GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, grow(&g, model, made, diag));
    if (status != GFAB_OK) {
        gfab_relative_tree_destroy(made);
        return status == GFAB_ERR_NO_MEMORY ? gfab_fail(diag, 0, status, "out of memory") : status;
    }
    *tree = made;
    return GFAB_OK;
}

void gfab_relative_tree_destroy(gfab_relative_tree *tree)
{
    if (!tree)
        return;
    GFAB_FREE(tree->steps, tree);
}
