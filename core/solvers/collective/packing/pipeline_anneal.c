/* SPDX-License-Identifier: MIT */
/* Shorter pipelines by threshold accepting (Dueck & Scheuer, Journal of Computational Physics 90 (1990)). A state says
 * which residue modulo the period each move has; every move goes in the first round of that residue in which it can. A
 * try takes a move that waits, on the longest chain of a block that ends late, and gives it an earlier residue; what
 * had that one on the same link gets the other. */
#include "base/random.h"
#include "pipeline.h"

#include <string.h>

#define NONE GFAB_PIPELINE_NONE
#define FULL_WEIGHT ((uint64_t)1 << 40) /* of a block that ends as late as the last one did at first */
#define MAX_CHANGES 4u
#define MAX_TREES 3u
#define REPORT_TRIES 4096u

typedef struct change {
    uint32_t move, slot; /* a slot to be: a move in a residue of a resource */
    uint32_t old;
} change;

typedef struct anneal {
    gfab_pipeline *p;
    uint32_t *slot_from; /* [resources + 1]: its slots are these, its residues by turns */
    uint32_t *slot;      /* [slots]: the move in it */
    uint32_t *slot_of;   /* [2 * cells] */
    uint32_t *residue;   /* [2 * cells] */
    uint32_t *order;     /* [cells]: of each tree the parents before their children */
    uint32_t *count;     /* [trees]: of cells in the order */
    uint32_t *round;     /* [2 * cells] */
    uint32_t *last;      /* [trees] */
    uint32_t *late;      /* [trees]: added to the last round of a block that the last group has */
    uint64_t *weight;    /* [weights]: by last round */
    uint32_t weights;
    uint32_t *chain; /* [2 * nodes]: moves that wait, of a chain */
    uint32_t *wait;  /* [2 * nodes]: for so many rounds */
    uint32_t *fresh; /* [MAX_TREES * 2 * nodes]: rounds after a try */
    /* A try: */
    change changes[MAX_CHANGES];
    uint32_t change_count;
    uint32_t trees[MAX_TREES], lasts[MAX_TREES], tree_count;
    gfab_arena arena;
} anneal;
GFAB_HOLDS_ARENA(anneal)

/* ---- setting up ---- */

static bool allocate(anneal *a)
{
    const gfab_pipeline *p = a->p;
    const size_t moves = 2 * (size_t)p->cells;
    a->slot_from = gfab_arena_zeroed(&a->arena, (size_t)p->resources + 1, sizeof *a->slot_from);
    if (a->arena.failed)
        return false;
    for (uint32_t r = 0; r < p->resources; r++)
        a->slot_from[r + 1] = a->slot_from[r] + p->period * p->weight[r];
    a->slot = gfab_arena_zeroed(&a->arena, a->slot_from[p->resources], sizeof *a->slot);
    GFAB_ARRAYS(&a->arena, moves, a->slot_of, a->residue, a->round);
    a->order = gfab_arena_zeroed(&a->arena, p->cells, sizeof *a->order);
    GFAB_ARRAYS(&a->arena, p->trees, a->count, a->last, a->late);
    a->weight = gfab_arena_zeroed(&a->arena, a->weights, sizeof *a->weight);
    GFAB_ARRAYS(&a->arena, 2 * (size_t)p->nodes, a->chain, a->wait);
    a->fresh = gfab_arena_zeroed(&a->arena, 2 * (size_t)p->nodes * MAX_TREES, sizeof *a->fresh);
    return !a->arena.failed;
}

static void put(anneal *a, uint32_t move, uint32_t slot)
{
    a->slot[slot] = move;
    if (move == NONE)
        return;
    a->slot_of[move] = slot;
    a->residue[move] = (slot - a->slot_from[a->p->resource[move]]) % a->p->period;
}

static void find_order(anneal *a, uint32_t tree)
{
    const gfab_pipeline *p = a->p;
    uint32_t *order = a->order + (size_t)tree * p->nodes, count = 0;
    for (uint32_t cell = tree * p->nodes; cell < (tree + 1) * p->nodes; cell++)
        if (p->parent[cell] == NONE && p->child_from[cell] != p->child_from[cell + 1])
            order[count++] = cell;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = p->child_from[order[i]]; k < p->child_from[order[i] + 1]; k++)
            order[count++] = p->child[k];
    a->count[tree] = count;
}

static void find_weights(anneal *a, uint32_t top)
{
    uint64_t weight = FULL_WEIGHT;
    for (uint32_t i = a->weights; i-- > top;)
        a->weight[i] = FULL_WEIGHT + (uint64_t)(i - top) * (FULL_WEIGHT / 8);
    for (uint32_t i = top; i-- > 0;)
        a->weight[i] = weight = weight - weight / 11;
}

/* ---- rounds of a tree ---- */

static uint32_t next_of(const anneal *a, uint32_t ready, uint32_t residue)
{
    const uint32_t at = ready % a->p->period;
    return ready + (residue >= at ? residue - at : residue + a->p->period - at);
}

/* The round from which a cell can send upwards. round[] is of the tree's moves alone. */
static uint32_t ready_of(const gfab_pipeline *p, const uint32_t *round, uint32_t cell)
{
    const uint32_t base = 2 * (cell - cell % p->nodes);
    uint32_t ready = 1;
    for (uint32_t i = p->child_from[cell]; i < p->child_from[cell + 1]; i++)
        if (!gfab_pipeline_is_twin(p, p->child[i])) {
            const uint32_t come = round[2 * p->child[i] - base] + p->hop;
            ready = come > ready ? come : ready;
        }
    return ready;
}

/* Does more than one message come to a relay as its first? */
static bool crowds(const gfab_pipeline *p, const uint32_t *round, uint32_t cell)
{
    const uint32_t base = 2 * (cell - cell % p->nodes);
    uint32_t first = NONE, count = 0;
    if (!gfab_topology_is_relay(p->topology, cell % p->nodes))
        return false;
    for (uint32_t i = p->child_from[cell]; i < p->child_from[cell + 1]; i++) {
        const uint32_t come = round[2 * p->child[i] - base];
        count = come < first ? 1 : count + (come == first);
        first = come < first ? come : first;
    }
    return count > 1;
}

/* Rounds for a tree's moves by their residues. Returns the last one; NONE where a relay forbids it. */
static uint32_t find_rounds(const anneal *a, uint32_t tree, uint32_t *round)
{
    const gfab_pipeline *p = a->p;
    const uint32_t *order = a->order + (size_t)tree * p->nodes;
    const uint32_t base = 2 * tree * p->nodes, twin = p->twin[tree];
    uint32_t total = 0, last = 0;
    for (uint32_t i = a->count[tree]; i-- > 0;) {
        const uint32_t ready = ready_of(p, round, order[i]);
        if (crowds(p, round, order[i]))
            return NONE;
        if (i == 0 || order[i] == twin)
            total = ready > total ? ready : total;
        else
            round[2 * order[i] - base] = next_of(a, ready, a->residue[2 * order[i]]);
    }
    if (twin != NONE) {
        last = next_of(a, total, a->residue[2 * twin]);
        round[2 * twin - base] = round[2 * twin + 1 - base] = last;
        total = last + p->hop;
    }
    for (uint32_t i = 1; i < a->count[tree]; i++) {
        const uint32_t cell = order[i], parent = p->parent[cell];
        if (cell == twin)
            continue;
        const uint32_t ready =
            p->parent[parent] == NONE || parent == twin ? total : round[2 * parent + 1 - base] + p->hop;
        const uint32_t come = round[2 * cell + 1 - base] = next_of(a, ready, a->residue[2 * cell + 1]);
        last = come > last ? come : last;
    }
    return last;
}

static uint64_t weigh(const anneal *a, uint32_t tree, uint32_t last)
{
    const uint32_t at = last + a->late[tree];
    return a->weight[at < a->weights ? at : a->weights - 1];
}

static gfab_status open(anneal *a, gfab_pipeline *p, uint32_t blocks)
{
    uint32_t top = 0;
    for (uint32_t tree = 0; tree < p->trees; tree++)
        top = p->last[tree] > top ? p->last[tree] : top;
    *a = (anneal){.p = p, .weights = 2 * (top + p->period) + 16};
    GFAB_NEED(allocate(a));
    find_weights(a, top + p->period);
    for (uint32_t i = 0; i < a->slot_from[p->resources]; i++)
        a->slot[i] = NONE;
    for (uint32_t cell = 0; cell < p->cells; cell++)
        for (uint32_t move = 2 * cell; p->parent[cell] != NONE && move < 2 * cell + 2; move++) {
            uint32_t slot = a->slot_from[p->resource[move]] + p->round[move] % p->period;
            while (a->slot[slot] != NONE)
                slot += p->period;
            put(a, move, slot);
        }
    const uint32_t rest = gfab_pipeline_rest(p, blocks);
    for (uint32_t tree = 0; tree < p->trees; tree++) {
        uint32_t rank = 0;
        for (uint32_t k = 0; k < p->trees; k++)
            rank += p->last[k] < p->last[tree] || (p->last[k] == p->last[tree] && k < tree);
        a->late[tree] = rank < rest ? p->period : 0;
        find_order(a, tree);
        a->last[tree] = find_rounds(a, tree, a->round + 2 * (size_t)tree * p->nodes);
    }
    return GFAB_OK;
}

/* ---- a try ---- */

/* Adds a move to the chain. */
static uint32_t link_of(anneal *a, uint32_t count, uint32_t move, uint32_t wait)
{
    if (wait == 0)
        return count;
    a->chain[count] = move;
    a->wait[count] = wait;
    return count + 1;
}

/* The moves that wait on the way up to a cell, which was ready in that round. */
static uint32_t climb(anneal *a, const uint32_t *round, uint32_t cell, uint32_t count)
{
    const gfab_pipeline *p = a->p;
    const uint32_t base = 2 * (cell - cell % p->nodes);
    for (;;) {
        const uint32_t ready = ready_of(p, round, cell);
        uint32_t from = NONE;
        for (uint32_t i = p->child_from[cell]; i < p->child_from[cell + 1]; i++)
            if (!gfab_pipeline_is_twin(p, p->child[i]) && round[2 * p->child[i] - base] + p->hop == ready)
                from = p->child[i];
        if (from == NONE)
            return count;
        count = link_of(a, count, 2 * from, round[2 * from - base] - ready_of(p, round, from));
        cell = from;
    }
}

/* The moves that wait on the longest chain of a block, from its end. */
static uint32_t find_chain(anneal *a, uint32_t tree)
{
    const gfab_pipeline *p = a->p;
    const uint32_t base = 2 * tree * p->nodes, twin = p->twin[tree], *round = a->round + base;
    const uint32_t *order = a->order + (size_t)tree * p->nodes, root = order[0];
    uint32_t cell = NONE, count = 0;
    for (uint32_t i = 1; i < a->count[tree]; i++)
        if (round[2 * order[i] + 1 - base] == a->last[tree])
            cell = order[i];
    if (cell == NONE) /* the last is no move down: two nodes that exchange */
        return 0;
    const uint32_t at_root = ready_of(p, round, root), at_twin = twin == NONE ? 0 : ready_of(p, round, twin);
    const uint32_t total = twin == NONE ? at_root : round[2 * twin - base] + p->hop;
    for (; cell != twin && cell != root; cell = p->parent[cell]) {
        const uint32_t parent = p->parent[cell];
        const uint32_t ready = parent == root || parent == twin ? total : round[2 * parent + 1 - base] + p->hop;
        count = link_of(a, count, 2 * cell + 1, round[2 * cell + 1 - base] - ready);
    }
    if (twin != NONE)
        count = link_of(a, count, 2 * twin, total - p->hop - (at_root > at_twin ? at_root : at_twin));
    return climb(a, round, at_root >= at_twin ? root : twin, count);
}

static void add_tree(anneal *a, uint32_t tree)
{
    for (uint32_t i = 0; i < a->tree_count; i++)
        if (a->trees[i] == tree)
            return;
    a->trees[a->tree_count++] = tree;
}

/* A move goes to a residue, and what is there to where it was. False where that takes part in an exchange. */
static bool trade(anneal *a, uint32_t move, uint32_t residue)
{
    gfab_pipeline *p = a->p;
    const uint32_t from = a->slot_from[p->resource[move]], to = a->slot_from[p->resource[move] + 1];
    const uint32_t slot = from + residue + p->period * gfab_random_below(&p->random, (to - from) / p->period);
    const uint32_t other = a->slot[slot], old = a->slot_of[move];
    if (other != NONE && gfab_pipeline_is_twin(p, other / 2))
        return false;
    a->changes[a->change_count++] = (change){move, slot, old};
    a->changes[a->change_count++] = (change){other, old, slot};
    add_tree(a, move / 2 / p->nodes);
    if (other != NONE)
        add_tree(a, other / 2 / p->nodes);
    return true;
}

static bool propose(anneal *a)
{
    gfab_pipeline *p = a->p;
    uint32_t tree = gfab_random_below(&p->random, p->trees);
    for (uint32_t i = gfab_random_below(&p->random, 2) * 3; i > 0; i--) {
        const uint32_t k = gfab_random_below(&p->random, p->trees);
        tree = a->last[k] + a->late[k] > a->last[tree] + a->late[tree] ? k : tree;
    }
    const uint32_t count = find_chain(a, tree);
    if (count == 0)
        return false;
    const uint32_t pick = gfab_random_below(&p->random, count), move = a->chain[pick];
    const uint32_t back = 1 + gfab_random_below(&p->random, a->wait[pick]);
    const uint32_t residue = (a->residue[move] + p->period - back) % p->period;
    a->change_count = a->tree_count = 0;
    if (!gfab_pipeline_is_twin(p, move / 2))
        return trade(a, move, residue);
    return trade(a, move, residue) && trade(a, move ^ 1, residue);
}

static void apply(anneal *a, bool there)
{
    for (uint32_t i = 0; i < a->change_count; i++)
        put(a, a->changes[i].move, there ? a->changes[i].slot : a->changes[i].old);
}

/* Makes the change, unless the blocks end later by more than the threshold allows. */
static void attempt(anneal *a, uint64_t threshold)
{
    const size_t row = 2 * (size_t)a->p->nodes;
    uint64_t before = 0, after = 0;
    bool good = true;
    apply(a, true);
    for (uint32_t i = 0; i < a->tree_count && good; i++) {
        const uint32_t tree = a->trees[i];
        a->lasts[i] = find_rounds(a, tree, a->fresh + i * row);
        good = a->lasts[i] != NONE;
        before += weigh(a, tree, a->last[tree]);
        after += good ? weigh(a, tree, a->lasts[i]) : 0;
    }
    if (!good || after > before + threshold) {
        apply(a, false);
        return;
    }
    for (uint32_t i = 0; i < a->tree_count; i++) {
        a->last[a->trees[i]] = a->lasts[i];
        memcpy(a->round + a->trees[i] * row, a->fresh + i * row, row * sizeof *a->round);
    }
}

/* ---- all of it ---- */

/* Has each tree rounds at its residues? Where a node would combine too much at once it has none. */
static bool has_rounds(const anneal *a)
{
    for (uint32_t tree = 0; tree < a->p->trees; tree++)
        if (a->last[tree] == NONE)
            return false;
    return true;
}

gfab_status gfab_pipeline_anneal(gfab_pipeline *p, uint32_t blocks, uint64_t tries, const gfab_progress *progress)
{
    GFAB_AT_END(anneal_release) anneal a = {0};
    uint64_t before = 0, after = 0;
    gfab_status status = gfab_pipeline_rounds(p, blocks, &before);
    const gfab_status opened = open(&a, p, blocks);
    status = opened == GFAB_OK ? status : opened;
    const bool begun = status == GFAB_OK && has_rounds(&a);
    for (uint64_t i = 0; i < tries && begun && status == GFAB_OK; i++) {
        const uint64_t limit = (FULL_WEIGHT / 8) / tries * (tries - i);
        if (i % REPORT_TRIES == 0 && progress && !progress->report(progress->context, "tries", i, tries))
            status = GFAB_ERR_INTERRUPTED;
        if (propose(&a))
            attempt(&a, ((gfab_random(&p->random) >> 32) * (limit >> 16)) >> 16);
    }
    if (begun && status == GFAB_OK) {
        uint32_t *const last = p->last;
        p->last = a.last;
        status = gfab_pipeline_rounds(p, blocks, &after);
        p->last = last;
        if (status == GFAB_OK && after <= before) {
            memcpy(p->round, a.round, 2 * (size_t)p->cells * sizeof *p->round);
            memcpy(p->last, a.last, p->trees * sizeof *p->last);
        }
    }
    return status;
}
