/* SPDX-License-Identifier: MIT */
/* List scheduling modulo the period: round by round each arc takes the moves that can go and have the longest way
 * before them, if it has room in all rounds that are the same modulo the period. */
#include "base/random.h"
#include "out_trees.h"

#include <stdlib.h>
#include <string.h>

#define NONE GFAB_OUT_NONE

typedef struct run {
    gfab_out_plan *p;
    uint32_t n, arcs;
    uint32_t *height;              /* [trees * n]: arcs on the longest way down from a node */
    uint32_t *child_from, *child;  /* [trees * n + 1], ..: the nodes below a node */
    uint64_t *key;                 /* [blocks * n]: of two moves that could go the one with the higher key goes */
    uint32_t *used;                /* [arcs * period]; where there is no period [arcs] */
    uint32_t *start, *size, *heap; /* [arcs + 1], [arcs], [moves]: moves that can go, a heap for each arc */
    uint32_t *bucket, *next; /* [hop + 2], [blocks * n]: moves that may go from a round on, by the round modulo that */
    uint32_t *active, *is_active, active_count; /* [arcs]: those with moves that can go */
    uint32_t *left, *sent; /* [blocks * n]: children that wait for their move; the last round in which one had it */
} run;

/* ---- plans ---- */

gfab_status gfab_out_plan_create(const gfab_topology *topology, const gfab_out_forest *forest, uint32_t period,
                                 uint32_t hop, bool lone, gfab_out_plan *plan)
{
    *plan = (gfab_out_plan){.topology = topology, .forest = forest, .period = period, .hop = hop, .lone = lone};
    for (uint32_t t = 0; t < forest->count; t++)
        plan->blocks += forest->trees[t].copies;
    plan->tree = malloc(plan->blocks * sizeof *plan->tree);
    plan->round = malloc((size_t)plan->blocks * forest->nodes * sizeof *plan->round);
    plan->first = malloc(plan->blocks * sizeof *plan->first);
    plan->last = malloc(plan->blocks * sizeof *plan->last);
    if (!plan->tree || !plan->round || !plan->first || !plan->last)
        return GFAB_ERR_NO_MEMORY;
    uint32_t block = 0;
    for (uint32_t t = 0; t < forest->count; t++)
        for (uint32_t i = 0; i < forest->trees[t].copies; i++)
            plan->tree[block++] = t;
    return GFAB_OK;
}

void gfab_out_plan_release(gfab_out_plan *plan)
{
    free(plan->tree);
    free(plan->round);
    free(plan->first);
    free(plan->last);
    *plan = (gfab_out_plan){0};
}

/* ---- setting up ---- */

static uint32_t arc_into(const run *r, uint32_t move)
{
    return r->p->forest->trees[r->p->tree[move / r->n]].parent[move % r->n];
}

/* Children and heights of a tree. */
static void find_children(run *r, uint32_t t, uint32_t *at)
{
    const gfab_out_tree *tree = &r->p->forest->trees[t];
    uint32_t *from = r->child_from + (size_t)t * r->n, *height = r->height + (size_t)t * r->n;
    uint32_t *count = at + 1;
    memset(count, 0, r->n * sizeof *count);
    for (uint32_t v = 0; v < r->n; v++)
        if (tree->parent[v] != NONE)
            count[gfab_topology_arc_from(r->p->topology, tree->parent[v])]++;
    for (uint32_t v = 0; v < r->n; v++) {
        from[v] = *at;
        *at += count[v];
        count[v] = 0;
        height[v] = 0;
    }
    for (uint32_t v = 0; v < r->n; v++) {
        uint32_t up = v, below = 0;
        if (tree->parent[v] == NONE)
            continue;
        const uint32_t parent = gfab_topology_arc_from(r->p->topology, tree->parent[v]);
        r->child[from[parent] + count[parent]++] = v;
        while (tree->parent[up] != NONE) {
            up = gfab_topology_arc_from(r->p->topology, tree->parent[up]);
            if (height[up] > below)
                break;
            height[up] = ++below;
        }
    }
}

static gfab_status open(run *r, gfab_out_plan *p, const uint32_t *bonus, uint64_t *random)
{
    const uint32_t arcs = 2 * (uint32_t)gfab_topology_link_count(p->topology), n = p->forest->nodes;
    const size_t moves = (size_t)p->blocks * n, cells = (size_t)p->forest->count * n;
    *r = (run){.p = p, .n = n, .arcs = arcs};
    r->height = malloc(cells * sizeof *r->height);
    r->child_from = malloc((cells + 1) * sizeof *r->child_from);
    r->child = malloc(cells * sizeof *r->child);
    r->key = malloc(moves * sizeof *r->key);
    r->used = calloc((size_t)arcs * (p->period ? p->period : 1), sizeof *r->used);
    r->start = calloc((size_t)arcs + 1, sizeof *r->start);
    r->size = calloc(arcs, sizeof *r->size);
    r->heap = malloc(moves * sizeof *r->heap);
    r->bucket = malloc(((size_t)p->hop + 2) * sizeof *r->bucket);
    r->next = malloc(moves * sizeof *r->next);
    r->active = malloc(arcs * sizeof *r->active);
    r->is_active = calloc(arcs, sizeof *r->is_active);
    r->left = malloc(moves * sizeof *r->left);
    r->sent = calloc(moves, sizeof *r->sent);
    uint32_t *at = malloc(((size_t)n + 1) * sizeof *at);
    const bool good = r->height && r->child_from && r->child && r->key && r->used && r->start && r->size && r->heap &&
                      r->bucket && r->next && r->active && r->is_active && r->left && r->sent && at;
    if (good) {
        *at = 0;
        for (uint32_t t = 0; t < p->forest->count; t++)
            find_children(r, t, at);
        r->child_from[cells] = *at;
        for (size_t move = 0; move < moves; move++) {
            const size_t cell = p->tree[move / n] * (size_t)n + move % n;
            const uint32_t arc = arc_into(r, (uint32_t)move);
            r->key[move] =
                (uint64_t)(r->height[cell] + (bonus ? bonus[move / n] : 0)) << 32 | gfab_random(random) >> 32;
            r->left[move] = r->child_from[cell + 1] - r->child_from[cell];
            if (arc != NONE)
                r->start[arc + 1]++;
        }
        for (uint32_t a = 0; a < arcs; a++)
            r->start[a + 1] += r->start[a];
        for (uint32_t i = 0; i < p->hop + 2; i++)
            r->bucket[i] = NONE;
    }
    free(at);
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static void release(run *r)
{
    uint32_t *const all[] = {r->height, r->child_from, r->child,  r->used,      r->start, r->size, r->heap,
                             r->bucket, r->next,       r->active, r->is_active, r->left,  r->sent};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(r->key);
}

/* ---- heaps ---- */

static void push(run *r, uint32_t arc, uint32_t move)
{
    uint32_t *heap = r->heap + r->start[arc], at = r->size[arc]++;
    while (at > 0 && r->key[heap[(at - 1) / 2]] < r->key[move]) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = move;
    if (!r->is_active[arc]) {
        r->is_active[arc] = 1;
        r->active[r->active_count++] = arc;
    }
}

static uint32_t pop(run *r, uint32_t arc)
{
    uint32_t *heap = r->heap + r->start[arc], at = 0;
    const uint32_t top = heap[0], size = --r->size[arc], move = heap[size];
    for (uint32_t child = 1; child < size; child = 2 * at + 1) {
        child += child + 1 < size && r->key[heap[child + 1]] > r->key[heap[child]];
        if (r->key[heap[child]] <= r->key[move])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = move;
    return top;
}

/* ---- the run ---- */

/* What is below a node may go to it from a round on. */
static void allow_children(run *r, uint32_t block, uint32_t node, uint32_t round)
{
    const size_t cell = (size_t)r->p->tree[block] * r->n + node;
    uint32_t *bucket = &r->bucket[round % (r->p->hop + 2)];
    for (uint32_t i = r->child_from[cell]; i < r->child_from[cell + 1]; i++) {
        const uint32_t move = block * r->n + r->child[i];
        r->next[move] = *bucket;
        *bucket = move;
    }
}

/* May it go beside what its sender has sent of the block in this round? */
static bool may_go(const run *r, uint32_t move, uint32_t round)
{
    const uint32_t from = gfab_topology_arc_from(r->p->topology, arc_into(r, move));
    const uint32_t sender = move - move % r->n + from;
    return !r->p->lone || r->left[sender] > 1 || r->sent[sender] != round ||
           !gfab_topology_is_relay(r->p->topology, from);
}

static void go(run *r, uint32_t move, uint32_t round)
{
    const uint32_t block = move / r->n, from = gfab_topology_arc_from(r->p->topology, arc_into(r, move));
    const uint32_t sender = block * r->n + from;
    r->left[sender]--;
    r->sent[sender] = round;
    r->p->round[move] = round;
    r->p->first[block] = round < r->p->first[block] ? round : r->p->first[block];
    r->p->last[block] = round > r->p->last[block] ? round : r->p->last[block];
    allow_children(r, block, move % r->n, round + r->p->hop);
}

/* As many moves of an arc as it has room for. Those that have to wait for another round come back. */
static uint32_t serve(run *r, uint32_t arc, uint32_t round)
{
    const uint32_t period = r->p->period, weight = gfab_topology_arc_weight(r->p->topology, arc);
    uint32_t *used = period ? &r->used[(size_t)arc * period + round % period] : &r->used[arc];
    uint32_t made = 0, held = NONE;
    if (!period)
        *used = 0;
    while (*used < weight && r->size[arc] > 0) {
        const uint32_t move = pop(r, arc);
        if (may_go(r, move, round)) {
            (*used)++;
            made++;
            go(r, move, round);
        } else {
            r->next[move] = held;
            held = move;
        }
    }
    for (uint32_t next; held != NONE; held = next) {
        next = r->next[held];
        push(r, arc, held);
    }
    return made;
}

gfab_status gfab_out_plan_run(gfab_out_plan *plan, const uint32_t *bonus, uint64_t *random,
                              const gfab_solver_options *options)
{
    run r;
    gfab_status status = open(&r, plan, bonus, random);
    uint64_t left = 0, all;
    if (status == GFAB_OK) {
        left = r.start[r.arcs];
        memset(plan->round, 0, (size_t)plan->blocks * r.n * sizeof *plan->round);
        for (uint32_t block = 0; block < plan->blocks; block++) {
            plan->first[block] = NONE;
            plan->last[block] = 0;
            allow_children(&r, block, plan->forest->trees[plan->tree[block]].root, 1);
        }
    }
    all = left;
    for (uint32_t round = 1; left > 0 && status == GFAB_OK; round++) {
        uint32_t *bucket = &r.bucket[round % (plan->hop + 2)], kept = 0;
        for (uint32_t next, move = *bucket; move != NONE; move = next) {
            next = r.next[move];
            push(&r, arc_into(&r, move), move);
        }
        *bucket = NONE;
        for (uint32_t i = 0; i < r.active_count; i++) {
            const uint32_t arc = r.active[i];
            left -= serve(&r, arc, round);
            r.is_active[arc] = r.size[arc] > 0;
            if (r.size[arc] > 0)
                r.active[kept++] = arc;
        }
        r.active_count = kept;
        if (round % 16 == 0)
            status = gfab_solver_report(options, "moves", all - left, all);
    }
    release(&r);
    return status;
}
