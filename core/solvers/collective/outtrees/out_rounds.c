/* SPDX-License-Identifier: MIT */
/* List scheduling modulo the period: round by round each arc, in half duplex each link, takes the moves that can go and
 * have the longest way before them, if it has room in all rounds that are the same modulo the period. */
#include "base/random.h"
#include "out_trees.h"
#include "solvers/place/ready.h"

#include <string.h>

#define NONE GFAB_OUT_NONE

/* What the ways have in common: a move over the parent of each cell, and which moves come after it. A pair's first root
 * has no parent; it is a move of no arc that takes no time, after all that lead to it. */
typedef struct ways {
    uint32_t *arc;               /* [cells]; NONE: no move */
    uint32_t *height;            /* [cells]: moves on the longest way from it on, with itself */
    uint32_t *waits;             /* [cells]: moves before it */
    uint32_t *after_from, *next; /* [cells + 1], [cells]: moves behind it */
} ways;

typedef struct run {
    gfab_out_plan *p;
    uint32_t n, cells, resources; /* nodes; cells of a tree */
    size_t moves;
    ways *ways;                /* [trees]; of a pair at its first tree */
    uint64_t *key;             /* [moves]: of two moves that could go the one with the higher key goes */
    uint32_t *used, *arc_used; /* [resources * period], [arcs * period]; where there is no period one round's */
    uint32_t *before, span;    /* [arcs * span]: what groups before a tail take of its rounds */
    uint32_t *load;            /* [arcs]: moves */
    gfab_ready ready;          /* moves that can go */
    uint32_t *active, *is_active, active_count; /* [resources]: those with moves that can go */
    uint32_t *wait;                             /* [moves]: what has to come before it */
    uint32_t *left, *sent; /* [moves]: moves behind it that have to go; the last round in which one did */
    uint32_t *came;        /* [moves]: the round of the first move behind which it waits; 0: none yet */
    bool *taken;           /* [blocks * nodes]: by a message in a chain; NULL: there are no chains */
    uint64_t to_go;
    gfab_arena arena;
} run;
GFAB_HOLDS_ARENA(run)

/* ---- plans ---- */

gfab_status gfab_out_plan_create(const gfab_topology *topology, const gfab_out_forest *forest, gfab_out_ways kind,
                                 const gfab_model *model, uint32_t period, gfab_out_plan *plan)
{
    const uint32_t step = kind == GFAB_PAIR_WAYS ? 2 : 1;
    *plan = (gfab_out_plan){.topology = topology,
                            .forest = forest,
                            .ways = kind,
                            .half = model->link_mode == GFAB_LINK_HALF,
                            .period = period,
                            .hop = model->hop_rounds,
                            .cells = step * forest->cells};
    for (uint32_t t = 0; t < forest->count; t += step)
        plan->blocks += forest->trees[t].copies;
    plan->tree = gfab_arena_zeroed(&plan->arena, plan->blocks, sizeof *plan->tree);
    plan->round = gfab_arena_zeroed2(&plan->arena, plan->blocks, plan->cells, sizeof *plan->round);
    plan->first = gfab_arena_zeroed(&plan->arena, plan->blocks, sizeof *plan->first);
    plan->last = gfab_arena_zeroed(&plan->arena, plan->blocks, sizeof *plan->last);
    if (plan->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    uint32_t block = 0;
    for (uint32_t t = 0; t < forest->count; t += step)
        for (uint32_t i = 0; i < forest->trees[t].copies; i++)
            plan->tree[block++] = t;
    return GFAB_OK;
}

void gfab_out_plan_release(gfab_out_plan *plan)
{
    gfab_arena_release(&plan->arena);
    *plan = (gfab_out_plan){0};
}

/* ---- setting up ---- */

/* The cell behind which one of a tree comes: NONE of a root, or where it waits for nothing. */
static uint32_t cell_before(const run *r, const gfab_out_tree *tree, uint32_t cell, uint32_t base)
{
    const uint32_t parent = gfab_out_before(r->p->topology, tree, cell);
    return parent == tree->root && r->p->ways != GFAB_PAIR_WAYS ? NONE : base + parent;
}

/* before[]: for a tree outwards the cell before each one, for one inwards the cell behind it. */
static void find_arcs(run *r, ways *w, uint32_t t, uint32_t *before)
{
    const uint32_t n = r->cells, outwards = r->p->ways == GFAB_PAIR_WAYS ? 1 : 0;
    const gfab_out_tree *in = &r->p->forest->trees[t], *out = in + outwards;
    for (uint32_t v = 0; v < n; v++) {
        if (outwards) {
            w->arc[v] = in->parent[v];
            before[v] = w->arc[v] == NONE ? NONE : gfab_out_behind(r->p->topology, in, v);
        }
        const uint32_t cell = outwards * n + v;
        w->arc[cell] = out->parent[v];
        before[cell] = w->arc[cell] == NONE ? NONE : cell_before(r, out, v, outwards * n);
        if (outwards && before[cell] == n + out->root)
            before[cell] = out->root;
    }
}

/* The moves behind each, and heights: of trees inwards a move's follower is known, of trees outwards its forerunner. */
static void link_ways(const run *r, ways *w, const uint32_t *before, uint32_t *count)
{
    const uint32_t cells = r->p->cells, inwards = cells - r->cells;
    memset(count, 0, cells * sizeof *count);
    memset(w->waits, 0, cells * sizeof *w->waits);
    for (uint32_t c = 0; c < cells; c++)
        if (before[c] != NONE)
            count[c < inwards ? c : before[c]]++;
    w->after_from[0] = 0;
    for (uint32_t c = 0; c < cells; c++) {
        w->after_from[c + 1] = w->after_from[c] + count[c];
        count[c] = 0;
    }
    for (uint32_t c = 0; c < cells; c++) {
        if (before[c] == NONE)
            continue;
        const uint32_t first = c < inwards ? c : before[c], second = c < inwards ? before[c] : c;
        w->next[w->after_from[first] + count[first]++] = second;
        w->waits[second]++;
    }
}

/* In the order in which moves could go, then back again. */
static void find_heights(const run *r, ways *w, uint32_t *order, uint32_t *left)
{
    const uint32_t cells = r->p->cells;
    uint32_t count = 0;
    memcpy(left, w->waits, cells * sizeof *left);
    for (uint32_t c = 0; c < cells; c++)
        if (left[c] == 0)
            order[count++] = c;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = w->after_from[order[i]]; k < w->after_from[order[i] + 1]; k++)
            if (--left[w->next[k]] == 0)
                order[count++] = w->next[k];
    while (count-- > 0) {
        const uint32_t c = order[count];
        uint32_t most = 0;
        for (uint32_t k = w->after_from[c]; k < w->after_from[c + 1]; k++)
            most = w->height[w->next[k]] > most ? w->height[w->next[k]] : most;
        w->height[c] = most + (w->arc[c] != NONE);
    }
}

static void set_ways(run *r)
{
    const uint32_t cells = r->p->cells, step = r->p->ways == GFAB_PAIR_WAYS ? 2 : 1;
    const size_t each = 5 * (size_t)cells + 1;
    r->ways = gfab_arena_zeroed(&r->arena, r->p->forest->count, sizeof *r->ways);
    uint32_t *at = gfab_arena_zeroed2(&r->arena, r->p->forest->count / step, each, sizeof *at);
    uint32_t *scratch = gfab_arena_zeroed2(&r->arena, cells, 2, sizeof *scratch);
    for (uint32_t t = 0; t < r->p->forest->count && !r->arena.failed; t += step, at += each) {
        ways *w = &r->ways[t];
        *w = (ways){at, at + cells, at + 2 * cells, at + 3 * cells, at + 4 * cells + 1};
        find_arcs(r, w, t, scratch);
        link_ways(r, w, scratch, scratch + cells);
        find_heights(r, w, scratch, scratch + cells);
    }
}

static const ways *ways_of(const run *r, uint32_t move)
{
    return &r->ways[r->p->tree[move / r->p->cells]];
}

static gfab_arc arc_of(const run *r, uint32_t move)
{
    return ways_of(r, move)->arc[move % r->p->cells];
}

static uint32_t resource_of(const run *r, gfab_arc arc)
{
    return r->p->half ? arc / 2 : arc;
}

static void set_moves(run *r, const uint32_t *bonus, uint64_t *random)
{
    const uint32_t cells = r->p->cells;
    for (uint32_t move = 0; move < r->moves; move++) {
        const ways *w = ways_of(r, move);
        const uint32_t c = move % cells;
        r->key[move] = (uint64_t)(w->height[c] + (bonus ? bonus[move / cells] : 0)) << 32 | gfab_random(random) >> 32;
        r->wait[move] = w->waits[c];
        r->left[move] = w->after_from[c + 1] - w->after_from[c];
        if (w->arc[c] == NONE)
            continue;
        gfab_ready_count(&r->ready, resource_of(r, w->arc[c]));
        r->load[w->arc[c]]++;
    }
    gfab_ready_cut(&r->ready);
    r->to_go = r->ready.start[r->resources];
}

static gfab_status open(run *r, gfab_out_plan *p, const uint32_t *bonus, uint64_t *random)
{
    const uint32_t links = (uint32_t)gfab_topology_link_count(p->topology), rounds = p->period ? p->period : 1;
    *r = (run){.p = p, .n = p->forest->nodes, .cells = p->forest->cells, .resources = p->half ? links : 2 * links};
    const bool chains = r->cells > r->n;
    r->moves = (size_t)p->blocks * p->cells;
    if (chains)
        r->taken = gfab_arena_zeroed2(&r->arena, p->blocks, r->n, sizeof *r->taken);
    r->key = gfab_arena_zeroed(&r->arena, r->moves, sizeof *r->key);
    r->used = gfab_arena_zeroed(&r->arena, (size_t)r->resources * rounds, sizeof *r->used);
    r->arc_used = gfab_arena_zeroed(&r->arena, p->half ? 2 * (size_t)links * rounds : 1, sizeof *r->arc_used);
    r->span = gfab_out_head_span(p->head);
    r->before = gfab_arena_zeroed2(&r->arena, 2 * (size_t)links, r->span ? r->span : 1, sizeof *r->before);
    r->load = gfab_arena_zeroed(&r->arena, 2 * (size_t)links, sizeof *r->load);
    r->active = gfab_arena_zeroed(&r->arena, r->resources, sizeof *r->active);
    r->is_active = gfab_arena_zeroed(&r->arena, r->resources, sizeof *r->is_active);
    r->wait = gfab_arena_zeroed(&r->arena, r->moves, sizeof *r->wait);
    r->left = gfab_arena_zeroed(&r->arena, r->moves, sizeof *r->left);
    r->sent = gfab_arena_zeroed(&r->arena, r->moves, sizeof *r->sent);
    r->came = gfab_arena_zeroed(&r->arena, r->moves, sizeof *r->came);
    gfab_ready_create(&r->ready, &r->arena, r->moves, r->resources, p->hop);
    set_ways(r);
    if (r->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    if (r->span)
        gfab_out_head_count(p->head, r->before);
    set_moves(r, bonus, random);
    return GFAB_OK;
}

/* ---- the run ---- */

static void release_next(run *r, uint32_t move, uint32_t round);

/* A move that waits for nothing more may go from a round on. */
static void allow(run *r, uint32_t move, uint32_t round)
{
    if (arc_of(r, move) == NONE)
        release_next(r, move, round);
    else
        gfab_ready_allow(&r->ready, move, round);
}

static void release_next(run *r, uint32_t move, uint32_t round)
{
    const ways *w = ways_of(r, move);
    const uint32_t base = move - move % r->p->cells, c = move % r->p->cells;
    for (uint32_t i = w->after_from[c]; i < w->after_from[c + 1]; i++)
        if (--r->wait[base + w->next[i]] == 0)
            allow(r, base + w->next[i], round);
}

/* A move over a chain, from one relay that was split off to another, or to or from a node: the relays at its ends, as
 * far as they are in the chain; NONE. */
typedef struct chain_move {
    uint32_t from, to;
} chain_move;

static chain_move find_chain(const run *r, uint32_t move)
{
    const uint32_t c = move % r->p->cells, cell = c % r->cells;
    const bool inwards = r->p->ways == GFAB_PAIR_WAYS && c < r->cells;
    const gfab_out_tree *tree = &r->p->forest->trees[r->p->tree[move / r->p->cells] + (c >= r->cells)];
    chain_move m = {NONE, NONE};
    if (!tree->before)
        return m;
    const gfab_arc arc = tree->parent[cell];
    const uint32_t first = inwards ? cell : tree->before[cell], second = inwards ? tree->before[cell] : cell;
    m.from = first >= r->n ? gfab_topology_arc_from(r->p->topology, arc) : NONE;
    m.to = second >= r->n ? gfab_topology_arc_to(r->p->topology, arc) : NONE;
    return m;
}

/* A message enters a chain when no other of its block is at one of the chain's relays, and has these until it leaves
 * them: so messages of a block do not meet at a relay, or wait for each other. May it? Or, `take`: it does. */
static bool enter_chain(const run *r, uint32_t move, bool take)
{
    const uint32_t block = move / r->p->cells;
    bool *taken = r->taken + (size_t)block * r->n;
    for (chain_move m = find_chain(r, move); m.to != NONE; m = find_chain(r, move)) {
        if (!take && taken[m.to])
            return false;
        taken[m.to] = taken[m.to] || take;
        const ways *w = ways_of(r, move);
        move = block * r->p->cells + w->next[w->after_from[move % r->p->cells]];
    }
    return true;
}

/* Where the block's store of a relay is written: forwards by what comes to it, a cell of the tree inwards; NONE where
 * messages may come beside others, or go in chains. */
static uint32_t relay_cell(const run *r, uint32_t move)
{
    const gfab_arc arc = arc_of(r, move);
    const uint32_t base = move - move % r->p->cells;
    if (r->p->ways == GFAB_OUT_WAYS || (r->p->ways == GFAB_PAIR_WAYS && move - base >= r->cells))
        return NONE;
    if (r->taken) {
        const chain_move m = find_chain(r, move);
        if ((r->p->ways == GFAB_PAIR_WAYS ? m.to : m.from) != NONE)
            return NONE;
    }
    const uint32_t node = gfab_topology_arc_from(r->p->topology, arc ^ (r->p->ways == GFAB_PAIR_WAYS));
    return gfab_topology_is_relay(r->p->topology, node) ? base + node : NONE;
}

/* May it go beside what came to the relay, or was sent by it, in this round? */
static bool may_go(const run *r, uint32_t move, uint32_t round)
{
    const uint32_t relay = relay_cell(r, move);
    if (r->taken && find_chain(r, move).from == NONE && !enter_chain(r, move, false))
        return false;
    if (relay == NONE)
        return true;
    return r->p->ways == GFAB_PAIR_WAYS ? r->came[relay] != round : r->left[relay] > 1 || r->sent[relay] != round;
}

static void go(run *r, uint32_t move, uint32_t round)
{
    const uint32_t block = move / r->p->cells, relay = relay_cell(r, move);
    if (relay != NONE) {
        r->left[relay]--;
        r->sent[relay] = round;
        r->came[relay] = r->came[relay] ? r->came[relay] : round;
    }
    if (r->taken) {
        const chain_move m = find_chain(r, move);
        if (m.from == NONE)
            enter_chain(r, move, true);
        else
            r->taken[(size_t)block * r->n + m.from] = false;
    }
    r->p->round[move] = round;
    r->p->first[block] = round < r->p->first[block] ? round : r->p->first[block];
    r->p->last[block] = round > r->p->last[block] ? round : r->p->last[block];
    release_next(r, move, round + r->p->hop);
}

static uint32_t room_of(const run *r, uint32_t resource, uint32_t round)
{
    const gfab_out_turns *turns = r->p->turns;
    if (turns) {
        const uint32_t turn = round % turns->count, back = r->p->ways == GFAB_BACK_WAYS;
        return turns->weight[(back ? (turns->count - turn) % turns->count : turn) * r->resources + (resource ^ back)];
    }
    return r->p->half ? gfab_topology_weight(r->p->topology, resource)
                      : gfab_topology_arc_weight(r->p->topology, resource);
}

/* Where the arcs of a half-duplex link differ the lighter one has its share of each round of a period, the other one
 * the rest: so that the moves of both fit. */
static uint32_t arc_room(const run *r, gfab_arc arc, uint32_t at)
{
    const uint32_t here = gfab_topology_arc_weight(r->p->topology, arc),
                   back = gfab_topology_arc_weight(r->p->topology, arc ^ 1);
    if (here == back || here == 0 || back == 0 || !r->p->period)
        return here;
    const uint64_t load = r->load[here < back ? arc : arc ^ 1],
                   share = load * (at + 1) / r->p->period - load * at / r->p->period;
    return (uint32_t)(here < back ? share : here - share);
}

static void push(run *r, uint32_t resource, uint32_t move)
{
    gfab_ready_push(&r->ready, resource, ~r->key[move], move);
    if (!r->is_active[resource]) {
        r->is_active[resource] = 1;
        r->active[r->active_count++] = resource;
    }
}

/* Where rounds are never the same: what an arc, or a link, carries before a round's own moves. */
static void begin(run *r, uint32_t resource, uint32_t round)
{
    const uint32_t arcs = r->p->half ? 2 : 1;
    r->used[resource] = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        const size_t arc = arcs * (size_t)resource + i;
        const uint32_t before = round <= r->span ? r->before[arc * r->span + round - 1] : 0;
        r->used[resource] += before;
        if (r->p->half)
            r->arc_used[arc] = before;
    }
}

/* As many moves of an arc or a link as it has room for. Those that have to wait for another round come back. */
static uint32_t serve(run *r, uint32_t resource, uint32_t round)
{
    const uint32_t period = r->p->period, at = period ? round % period : 0, rounds = period ? period : 1;
    uint32_t *used = &r->used[(size_t)resource * rounds + at], spare = 0, made = 0, held = NONE;
    const uint32_t room = room_of(r, resource, round);
    if (!period)
        begin(r, resource, round);
    while (*used < room && r->ready.size[resource] > 0) {
        const uint32_t move = gfab_ready_pop(&r->ready, resource), arc = arc_of(r, move);
        uint32_t *arc_used = r->p->half ? &r->arc_used[(size_t)arc * rounds + at] : &spare;
        if (may_go(r, move, round) && (!r->p->half || *arc_used < arc_room(r, arc, at))) {
            (*used)++;
            (*arc_used)++;
            made++;
            go(r, move, round);
        } else {
            r->ready.next[move] = held;
            held = move;
        }
    }
    for (uint32_t next; held != NONE; held = next) {
        next = r->ready.next[held];
        push(r, resource, held);
    }
    return made;
}

static void start_blocks(run *r)
{
    gfab_out_plan *p = r->p;
    memset(p->round, 0, r->moves * sizeof *p->round);
    for (uint32_t block = 0; block < p->blocks; block++) {
        p->first[block] = NONE;
        p->last[block] = 0;
    }
    for (uint32_t move = 0; move < r->moves; move++)
        if (ways_of(r, move)->waits[move % p->cells] == 0)
            allow(r, move, 1);
}

gfab_status gfab_out_plan_run(gfab_out_plan *plan, const uint32_t *bonus, uint64_t *random,
                              const gfab_solver_options *options)
{
    GFAB_AT_END(run_release) run r = {0};
    GFAB_TRY(open(&r, plan, bonus, random));
    start_blocks(&r);
    const uint64_t all = r.to_go;
    for (uint32_t round = 1; r.to_go > 0; round++) {
        uint32_t kept = 0;
        for (uint32_t next, move = gfab_ready_due(&r.ready, round); move != NONE; move = next) {
            next = r.ready.next[move];
            push(&r, resource_of(&r, arc_of(&r, move)), move);
        }
        for (uint32_t i = 0; i < r.active_count; i++) {
            const uint32_t resource = r.active[i];
            r.to_go -= serve(&r, resource, round);
            r.is_active[resource] = r.ready.size[resource] > 0;
            if (r.ready.size[resource] > 0)
                r.active[kept++] = resource;
        }
        r.active_count = kept;
        if (round % 16 == 0)
            GFAB_TRY(gfab_solver_report(options, "moves", all - r.to_go, all));
    }
    return GFAB_OK;
}
