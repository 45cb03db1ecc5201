/* SPDX-License-Identifier: MIT */
/* An all-reduce or a barrier that does not repeat is two halves: what is combined goes up an in-tree, the total comes
 * down an out-tree. Both are loaded as they were into the trees in time of docs/theory/collective-trees.md. What of
 * them does not work any more is missing there. It is reached anew, over free slots, and over those of others that
 * find another one. First in as many rounds as before, then in more. Links of several packets a round are as many
 * links. docs/theory/replanning.md. */
#include "replan_plan.h"

#include "solvers/collective/trees/trees_plan.h"

#include <gossipfab/base/arena.h>
#include <string.h>

#define NONE GFAB_REPLAN_NONE
/* Cells and slots that a plan may have. */
#define MAX_CELLS ((uint64_t)1 << 19)
#define MAX_SLOTS ((uint64_t)1 << 25)
/* Work of all that is tried; without coming nearer, for so many rounds. */
#define WORK 1000000u
#define PATIENCE 50000u
/* From one number of rounds to the next that is tried: one more, and this part of them. */
#define STEP_PART 24u
/* In links beyond twice its depth, how much later than its roots a tree may go. */
#define REACH 32u

/* How a block goes. */
typedef struct course {
    gfab_trees_roots roots;
    uint32_t done; /* the round by which the roots have all that comes up to them; their exchange is after it */
} course;

typedef struct plan {
    const gfab_replan_job *job;
    gfab_topology *split;       /* where links carry several packets a round */
    const gfab_topology *graph; /* split, or what is left */
    uint32_t *first, *link_of;  /* of split: [links] the first in a link's place; [split's links] whose place it is */
    size_t *start, *order;      /* [blocks + 1], [moves]: those of a block by rising rounds */
    course *courses;            /* [blocks] */
    uint32_t *distance;         /* [blocks * nodes] */
    uint32_t *work;             /* [2 * nodes] */
    bool *told;                 /* [nodes]: the total comes to it */
    gfab_trees_plan trees;
    gfab_arena arena;
} plan;

/* ---- courses ---- */

/* The moves of a block. */
static const gfab_replan_move *move_at(const plan *p, size_t i)
{
    return &p->job->moves[p->order[i]];
}

/* With whom a node exchanges what it has in a round; NONE. */
static uint32_t partner(const plan *p, uint32_t block, uint32_t node, uint32_t round)
{
    uint32_t to = NONE, from = NONE;
    for (size_t i = p->start[block]; i < p->start[block + 1]; i++) {
        const gfab_replan_move *m = move_at(p, i);
        if (m->round != round || !m->combine || m->arc == NONE)
            continue;
        to = m->from == node ? m->to : to;
        from = m->to == node ? m->from : from;
    }
    return to == from ? to : NONE;
}

/* Two or four nodes that exchange what they have, in the rounds that gfab_trees_exchange_enter gives them. */
static bool find_exchange(const plan *p, uint32_t block, const uint32_t *nodes, uint32_t count, course *c)
{
    const uint32_t hop = p->job->model.hop_rounds;
    uint32_t last = 0;
    for (size_t i = p->start[block]; i < p->start[block + 1]; i++)
        if (move_at(p, i)->combine && move_at(p, i)->to == nodes[0])
            last = move_at(p, i)->round;
    const uint32_t stages = count / 2;
    if (p->job->model.link_mode != GFAB_LINK_FULL || (count != 2 && count != 4) || last < stages * hop)
        return false;
    uint32_t *node = c->roots.node;
    node[0] = nodes[0];
    node[1] = partner(p, block, node[0], last - (stages - 1) * hop);
    if (count == 4 && node[1] != NONE) {
        node[2] = partner(p, block, node[0], last);
        node[3] = partner(p, block, node[1], last);
        if (node[2] == NONE || node[3] == NONE || partner(p, block, node[2], last - hop) != node[3])
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (node[i] == NONE || p->told[node[i]] || (i > 1 && (node[i] == node[0] || node[i] == node[1])))
            return false;
    if (count == 4 && node[2] == node[3])
        return false;
    c->roots.count = count;
    c->done = last - stages * hop;
    return true;
}

/* One root: the total is there when the last that comes up has come, and before the first leaves; halfway between, so
 * that both halves have room. Where it died the first that it told. */
static void find_root(const plan *p, uint32_t block, uint32_t root, course *c)
{
    const uint32_t hop = p->job->model.hop_rounds;
    uint32_t last_up = 0, first_down = 0;
    c->roots = (gfab_trees_roots){1, {root}};
    for (size_t i = p->start[block]; i < p->start[block + 1]; i++) {
        const gfab_replan_move *m = move_at(p, i);
        if (m->combine && m->to == root)
            last_up = m->round;
        if (!m->combine && m->from == root && !first_down)
            first_down = m->round;
    }
    c->done = first_down > last_up + hop ? last_up + (first_down - hop - last_up) / 2 : last_up;
}

static void find_course(plan *p, uint32_t block)
{
    const gfab_replan_job *j = p->job;
    course *c = &p->courses[block];
    uint32_t roots[GFAB_TREES_MAX_ROOTS] = {0}, count = 0, root = NONE;
    memset(p->told, 0, j->nodes * sizeof *p->told);
    for (size_t i = p->start[block]; i < p->start[block + 1]; i++) {
        const gfab_replan_move *m = move_at(p, i);
        if (m->combine || m->to == NONE)
            continue;
        if (m->from == NONE && root == NONE)
            root = m->to;
        p->told[m->to] = true;
    }
    for (uint32_t v = 0; v < j->nodes; v++)
        if (!p->told[v] && count++ < GFAB_TREES_MAX_ROOTS)
            roots[count - 1] = v;
    if (!find_exchange(p, block, roots, count, c))
        find_root(p, block, count == 0 && root != NONE ? root : roots[0], c);
}

static void measure(plan *p, uint32_t block)
{
    const gfab_trees_roots *roots = &p->courses[block].roots;
    uint32_t *distance = p->distance + (size_t)block * p->job->nodes, *other = p->work + p->job->nodes;
    gfab_topology_distances(p->graph, roots->node[0], distance, p->work);
    for (uint32_t i = 1; i < roots->count; i++) {
        gfab_topology_distances(p->graph, roots->node[i], other, p->work);
        for (uint32_t v = 0; v < p->job->nodes; v++)
            distance[v] = other[v] < distance[v] ? other[v] : distance[v];
    }
}

/* ---- loading ---- */

/* The arc, in the graph of the trees, that a move may take in its round of the view; NONE: none that is free. */
static gfab_arc free_arc(const plan *p, uint32_t tree, gfab_arc arc, uint32_t view_round)
{
    const uint32_t count = p->split ? gfab_topology_weight(p->job->left, arc / 2) : 1;
    const gfab_arc lowest = p->split ? 2 * p->first[arc / 2] + arc % 2 : arc;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t channel = gfab_trees_channel(&p->trees, tree, lowest + 2 * i);
        if (gfab_trees_is_free(&p->trees, channel, gfab_trees_round(&p->trees, tree, view_round)))
            return lowest + 2 * i;
    }
    return NONE;
}

/* A move as it was, if the node that it leaves, in the view, is reached by then, and the other one is not. */
static void load_move(plan *p, uint32_t tree, const gfab_replan_move *m, uint32_t later)
{
    gfab_trees_plan *trees = &p->trees;
    const bool up = trees->trees[tree].backwards;
    const uint32_t from = up ? m->to : m->from, to = up ? m->from : m->to, round = m->round + later;
    const uint32_t view_round = up ? trees->rounds + 1 - round : round;
    const gfab_trees_cell *cells = trees->cells + (size_t)tree * trees->nodes;
    if (m->arc == NONE || !cells[from].ready || cells[from].ready > view_round || cells[to].ready)
        return;
    const gfab_arc arc = free_arc(p, tree, m->arc ^ up, view_round);
    if (arc == NONE)
        return;
    gfab_trees_attach(trees, tree, arc, view_round);
    if (view_round > trees->trees[tree].last)
        trees->trees[tree].last = view_round;
}

/* Plants the trees of a block, and loads what works of them. */
static void load_block(plan *p, uint32_t block, uint32_t later)
{
    gfab_trees_plan *trees = &p->trees;
    course c = p->courses[block];
    const uint32_t hop = trees->hop, *distance = p->distance + (size_t)block * trees->nodes;
    uint32_t depth = 0;
    const uint32_t done = c.done + later;
    if (!gfab_trees_exchange_enter(trees, block, &c.roots, done + gfab_trees_exchange_rounds(&c.roots, hop)))
        c.roots.count = 1;
    for (uint32_t v = 0; v < trees->nodes; v++)
        depth = distance[v] > depth ? distance[v] : depth;
    const uint32_t in = trees->rounds + 1 - done, out = done + gfab_trees_exchange_rounds(&c.roots, hop) + hop;
    const uint32_t reach = (2 * depth + REACH) * hop;
    gfab_trees_plant(trees, 2 * block, &c.roots, distance, in, in + reach);
    gfab_trees_plant(trees, 2 * block + 1, &c.roots, distance, out, out + reach);
    for (size_t i = p->start[block + 1]; i-- > p->start[block];)
        if (move_at(p, i)->combine)
            load_move(p, 2 * block, move_at(p, i), later);
    for (size_t i = p->start[block]; i < p->start[block + 1]; i++)
        if (!move_at(p, i)->combine)
            load_move(p, 2 * block + 1, move_at(p, i), later);
}

/* ---- plans ---- */

/* The moves by block; stays by rising rounds. */
static void sort_moves(plan *p)
{
    const gfab_replan_job *j = p->job;
    for (size_t i = 0; i < j->count; i++)
        p->start[j->moves[i].block + 1]++;
    for (uint32_t block = 0; block < j->group; block++)
        p->start[block + 1] += p->start[block];
    for (size_t i = j->count; i-- > 0;)
        p->order[--p->start[j->moves[i].block + 1]] = i;
    memmove(p->start, p->start + 1, j->group * sizeof *p->start);
    p->start[j->group] = j->count;
}

static gfab_status split_links(plan *p, gfab_diag *diag)
{
    GFAB_TRY(gfab_topology_split(p->job->left, &p->split, diag));
    p->graph = p->split;
    p->first = gfab_arena_zeroed(&p->arena, p->job->links, sizeof *p->first);
    p->link_of = gfab_arena_zeroed(&p->arena, gfab_topology_link_count(p->split), sizeof *p->link_of);
    GFAB_NEED(!p->arena.failed);
    for (uint32_t link = 0, next = 0; link < p->job->links; link++) {
        p->first[link] = next;
        for (uint32_t i = 0; i < gfab_topology_weight(p->job->left, link); i++)
            p->link_of[next++] = link;
    }
    return GFAB_OK;
}

static gfab_status open(const gfab_replan_job *j, plan *p, gfab_diag *diag)
{
    *p = (plan){.job = j, .graph = j->left};
    if (gfab_topology_has_relays(j->left) || (uint64_t)j->group * j->nodes > MAX_CELLS / 2)
        return GFAB_REFUSE(diag, "it is for graphs without relays, and short vectors");
    p->start = gfab_arena_zeroed(&p->arena, (size_t)j->group + 2, sizeof *p->start);
    p->order = gfab_arena_zeroed(&p->arena, j->count + 1, sizeof *p->order);
    p->courses = gfab_arena_zeroed(&p->arena, j->group, sizeof *p->courses);
    p->distance = gfab_arena_zeroed2(&p->arena, j->group, j->nodes, sizeof *p->distance);
    p->work = gfab_arena_zeroed(&p->arena, 2 * (size_t)j->nodes, sizeof *p->work);
    p->told = gfab_arena_zeroed(&p->arena, j->nodes, sizeof *p->told);
    GFAB_NEED(!p->arena.failed);
    sort_moves(p);
    for (uint32_t block = 0; block < j->group; block++) {
        find_course(p, block);
        measure(p, block);
    }
    return gfab_topology_has_weights(j->left) ? split_links(p, diag) : GFAB_OK;
}

static void close(plan *p)
{
    gfab_trees_plan_release(&p->trees);
    gfab_topology_destroy(p->split);
    gfab_arena_release(&p->arena);
}

/* A plan of so many rounds: half of those that are more than there were before all others. It lacks cells where no way
 * was found. */
static gfab_status attempt(plan *p, uint32_t rounds, gfab_trees_budget *budget)
{
    const gfab_replan_job *j = p->job;
    const gfab_trees_shape shape = {.blocks = j->group, .in = true, .out = true, .rounds = rounds, .period = rounds};
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = j->progress;
    if ((uint64_t)rounds * 2 * gfab_topology_link_count(p->graph) > MAX_SLOTS)
        return GFAB_ERR_LIMIT;
    gfab_trees_plan_release(&p->trees);
    GFAB_TRY(gfab_trees_plan_create(p->graph, &j->model, shape, rounds, &p->trees));
    for (uint32_t block = 0; block < j->group; block++)
        load_block(p, block, (rounds - j->rounds) / 2);
    for (uint32_t tree = 0; tree < p->trees.tree_count; tree++)
        if (p->trees.trees[tree].missing)
            gfab_trees_grow(&p->trees, tree, false);
    return p->trees.missing > 0 ? gfab_trees_repair(&p->trees, &options, budget) : GFAB_OK;
}

gfab_status gfab_replan_halves(const gfab_replan_job *job, uint32_t copies, gfab_schedule *after,
                               gfab_replan_outcome *outcome, gfab_diag *diag)
{
    GFAB_AT_END(close) plan p = {0};
    (void)copies;
    *outcome = (gfab_replan_outcome){0};
    gfab_trees_budget budget = {.limit = WORK, .patience = PATIENCE};
    GFAB_TRY(open(job, &p, diag));
    for (uint32_t rounds = job->rounds ? job->rounds : 1;; rounds += 1 + rounds / STEP_PART) {
        GFAB_TRY(attempt(&p, rounds, &budget));
        if (p.trees.missing == 0)
            break;
        if (budget.work >= budget.limit)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the old plan leaves too little room; make a new one");
    }
    GFAB_TRY(gfab_trees_emit(&p.trees, p.link_of, job->progress, after));
    gfab_replan_report report;
    GFAB_TRY(gfab_replan_count(job, after, &report));
    outcome->kept = report.kept;
    return GFAB_OK;
}
