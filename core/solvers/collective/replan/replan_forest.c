/* SPDX-License-Identifier: MIT */
/* All-reduce and barrier: the edges that each block goes along are a spanning tree, used both ways. What a tree lacks
 * is given back to it by exchanges among all trees, and all moves get rounds anew. docs/theory/replanning.md. */
#include "replan_plan.h"

#include "base/progress.h"
#include "base/sets.h"
#include "solvers/collective/packing/forest.h"
#include "solvers/collective/packing/pipeline.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

#define NONE GFAB_REPLAN_NONE
/* Exchanges of edges for each node of a tree, so that what was joined in a hurry is not too deep. */
#define FLATTEN_TRIES 2u
/* Exchanges of rounds, for each move and in all. */
#define ANNEAL_TRIES 10u
#define MAX_ANNEAL_TRIES ((uint64_t)1 << 16)

typedef struct plan {
    const gfab_replan_job *job;
    uint32_t copies, period; /* period: at least 1 */
    gfab_images alone;       /* each tree for itself */
    gfab_forest forest;
    uint32_t *parent; /* [nodes]: parts of a tree, joined */
    uint32_t *last;   /* [nodes]: the move that brought the total */
    size_t *order;    /* [moves]: by block */
    uint32_t *tree;   /* [trees]: of the blocks of the first group, then of its other copies; NONE: it has gone */
    gfab_arena arena;
} plan;

/* ---- the old trees ---- */

/* The edge of a move joins the tree of its block, in each copy of the group, if there is room for it. */
static void join(plan *p, const gfab_replan_move *m)
{
    gfab_forest *f = &p->forest;
    if (m->arc == NONE || f->left[m->arc / 2] == 0)
        return;
    const uint32_t a = gfab_set_of(p->parent, m->from), b = gfab_set_of(p->parent, m->to), edge = m->arc / 2;
    if (a == b)
        return;
    p->parent[a] = b;
    for (uint32_t copy = 0; copy < p->copies && f->left[edge] > 0; copy++) {
        f->has[((size_t)copy * p->job->group + m->block) * f->edges + edge] = true;
        f->left[edge]--;
        f->missing--;
    }
}

/* A block's tree: to each node the edge that its total came over; between nodes that exchanged what they had in one
 * round the edge of that. */
static void load_block(plan *p, const size_t *order, size_t count)
{
    const gfab_replan_job *j = p->job;
    for (uint32_t v = 0; v < j->nodes; v++) {
        p->parent[v] = v;
        p->last[v] = NONE;
    }
    for (size_t i = 0; i < count; i++)
        if (!j->moves[order[i]].combine && j->moves[order[i]].to != NONE)
            p->last[j->moves[order[i]].to] = (uint32_t)order[i];
    for (uint32_t v = 0; v < j->nodes; v++)
        if (p->last[v] != NONE)
            join(p, &j->moves[p->last[v]]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && j->moves[order[k]].round == j->moves[order[i]].round; k++)
            if (j->moves[order[i]].from == j->moves[order[k]].to && j->moves[order[i]].to == j->moves[order[k]].from &&
                j->moves[order[i]].combine && j->moves[order[k]].combine)
                join(p, &j->moves[order[i]]);
}

/* Reads all blocks. moves are by rising rounds, and stay so within a block. */
static gfab_status load(plan *p)
{
    const gfab_replan_job *j = p->job;
    GFAB_FREED size_t *start = calloc((size_t)j->group + 2, sizeof *start);
    GFAB_NEED(start);
    for (size_t i = 0; i < j->count; i++)
        start[j->moves[i].block + 2]++;
    for (uint32_t block = 2; block < j->group + 2; block++)
        start[block] += start[block - 1];
    for (size_t i = 0; i < j->count; i++)
        p->order[start[j->moves[i].block + 1]++] = i;
    for (uint32_t block = 0; block < j->group; block++)
        load_block(p, p->order + start[block], start[block + 1] - start[block]);
    return GFAB_OK;
}

/* ---- what the trees lack ---- */

static uint32_t edges_of(const gfab_forest *f, uint32_t tree)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < f->edges; e++)
        count += f->has[(size_t)tree * f->edges + e];
    return count;
}

/* The tree that lacks most goes, and the last one takes its number. */
static void drop(plan *p)
{
    gfab_forest *f = &p->forest;
    uint32_t worst = 0, least = f->nodes;
    for (uint32_t tree = 0; tree < f->trees; tree++) {
        const uint32_t edges = edges_of(f, tree);
        worst = edges < least ? tree : worst;
        least = edges < least ? edges : least;
    }
    bool *has = f->has + (size_t)worst * f->edges;
    const bool *last = f->has + (size_t)--f->trees * f->edges;
    for (uint32_t e = 0; e < f->edges; e++) {
        f->left[e] += has[e];
        has[e] = last[e];
    }
    f->missing -= f->nodes - 1 - least;
    f->root[worst] = f->root[f->trees];
    for (uint32_t block = 0; block < p->copies * p->job->group; block++)
        p->tree[block] = p->tree[block] == worst ? NONE : p->tree[block] == f->trees ? worst : p->tree[block];
    if (worst < f->trees)
        gfab_forest_hang(f, worst);
}

/* Where not all trees fit, a schedule that repeats has fewer of them; else more rounds make room for more trees. */
static gfab_status complete(plan *p, bool *dropped)
{
    gfab_forest *f = &p->forest;
    const uint32_t all = f->missing;
    for (uint32_t tree = 0; tree < f->trees; tree++)
        gfab_forest_hang(f, tree);
    while (f->missing > 0 && f->trees > 0) {
        GFAB_TRY(gfab_progress_report(p->job->progress, "edges", all - f->missing, all));
        if (gfab_forest_augment(f))
            continue;
        if (p->job->period) {
            drop(p);
            *dropped = true;
        } else {
            p->period += p->job->model.link_mode == GFAB_LINK_HALF ? 2 : 1;
            for (uint32_t e = 0; e < f->edges; e++)
                f->left[e] += gfab_topology_weight(p->job->left, e);
        }
    }
    return GFAB_OK;
}

/* Moves of the first group over edges that their block has kept. */
static uint64_t count_kept(const plan *p)
{
    const gfab_replan_job *j = p->job;
    const gfab_forest *f = &p->forest;
    uint64_t kept = 0;
    for (size_t i = 0; i < j->count; i++) {
        const gfab_replan_move *m = &j->moves[i];
        const uint32_t tree = p->tree[m->block];
        kept += tree != NONE && m->arc != NONE && f->has[(size_t)tree * f->edges + m->arc / 2];
    }
    return kept;
}

/* ---- plans ---- */

static gfab_status open(const gfab_replan_job *j, uint32_t copies, plan *p)
{
    const bool half = j->model.link_mode == GFAB_LINK_HALF;
    const uint32_t trees = copies * j->group;
    *p = (plan){.job = j, .copies = copies, .period = j->period ? copies * j->period : j->rounds};
    p->period += p->period == 0;
    GFAB_ARRAYS(&p->arena, j->nodes, p->parent, p->last);
    p->order = gfab_arena_zeroed(&p->arena, j->count + 1, sizeof *p->order);
    p->tree = gfab_arena_zeroed(&p->arena, trees, sizeof *p->tree);
    GFAB_FREED uint32_t *room = malloc(j->links * sizeof *room);
    gfab_status status = !p->arena.failed && room ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < trees && p->tree; i++)
        p->tree[i] = i;
    for (uint32_t l = 0; l < j->links && room; l++) {
        const uint64_t all = (uint64_t)p->period * gfab_topology_weight(j->left, l) / (half ? 2 : 1);
        room[l] = (uint32_t)(all < trees ? all : trees);
    }
    GFAB_THEN(status, gfab_images_create(j->left, j->model.link_mode == GFAB_LINK_FULL, false, &p->alone));
    GFAB_THEN(status, gfab_forest_create(&p->alone, trees, room, 1, &p->forest));
    return status;
}

static gfab_status emit(plan *p, gfab_schedule *after, uint64_t *kept, gfab_diag *diag)
{
    GFAB_AT_END(gfab_pipeline_release) gfab_pipeline pipeline = {0};
    gfab_forest *f = &p->forest;
    uint64_t tries = (uint64_t)f->trees * f->nodes * ANNEAL_TRIES;
    tries = tries < MAX_ANNEAL_TRIES ? tries : MAX_ANNEAL_TRIES;
    gfab_forest_centre(f);
    for (uint32_t i = 0; i < FLATTEN_TRIES; i++)
        gfab_forest_flatten(f, (uint64_t)f->trees * f->nodes);
    gfab_forest_centre(f);
    *kept = count_kept(p);
    gfab_forest_prune(f);
    gfab_status status = gfab_pipeline_create(&p->alone, &p->job->model, f->trees, p->period, f->up, &pipeline);
    if (status == GFAB_OK) {
        gfab_pipeline_run(&pipeline, 0);
        status = gfab_pipeline_anneal(&pipeline, p->job->goal.blocks, tries, p->job->progress);
    }
    GFAB_THEN(status, gfab_pipeline_emit(&pipeline, p->job->period > 0, after));
    return status == GFAB_ERR_LIMIT ? gfab_fail(diag, 0, status, "the schedule has too many rounds") : status;
}

gfab_status gfab_replan_forest(const gfab_replan_job *job, uint32_t copies, gfab_schedule *after,
                               gfab_replan_outcome *outcome, gfab_diag *diag)
{
    plan p;
    *outcome = (gfab_replan_outcome){0};
    gfab_status status = open(job, copies, &p);
    GFAB_THEN(status, load(&p));
    GFAB_THEN(status, complete(&p, &outcome->dropped));
    if (status == GFAB_OK && p.forest.trees == 0)
        status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the old plan leaves too little room; make a new one");
    GFAB_THEN(status, emit(&p, after, &outcome->kept, diag));
    gfab_forest_release(&p.forest);
    gfab_images_release(&p.alone);
    gfab_arena_release(&p.arena);
    return status;
}
