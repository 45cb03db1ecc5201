/* SPDX-License-Identifier: MIT */
/* Collectives that go one way: each block's moves are a tree out of the node that has it, or, where contributions are
 * combined, one into the node that wants it. The latter are looked at backwards, rounds and links reversed, as trees
 * out of that node. What of a tree is cut off is reached anew, as early as can be, over rounds in which links are free.
 * docs/theory/replanning.md. */
#include "replan_plan.h"

#include "base/ascending.h"
#include "base/heap.h"
#include "base/progress.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_REPLAN_NONE
#define GONE UINT32_MAX
#define MAX_SLOTS ((uint64_t)1 << 27)
/* Where every block has to find room, the period grows by 1, 2, 4 .. until it does; where nothing repeats, the rounds
 * that a block may be late by double. */
#define MAX_GROWTHS 12u

/* A node of a tree, as it is seen from where the block starts. */
typedef struct cell {
    uint32_t ready; /* the first round in which it may send; 0: not reached */
    gfab_arc arc;   /* that it is reached over; NONE where the block starts */
} cell;

typedef struct plan {
    const gfab_replan_job *job;
    uint32_t blocks, period; /* period 0: the rounds are no more than slots */
    uint32_t slots, hop;
    bool backwards, full;
    uint16_t *used; /* [(arcs, or links) * slots] */
    cell *cells;    /* [blocks * nodes] */
    uint32_t *sent; /* [blocks * nodes]: the last round that a relay sent in, backwards */
    uint32_t *kept; /* [blocks]: moves that are as they were; GONE: it found no room */
    uint32_t left;  /* blocks that did */
    /* Of a repair: */
    gfab_heap_entry *heap; /* [nodes + 2 * links]: arrival, node */
    size_t heap_size;
    cell *way;       /* [nodes]: the earliest way to a node */
    uint32_t *queue; /* [nodes] */
    gfab_arena arena;
} plan;

/* ---- rounds of links ---- */

static uint16_t *uses(const plan *p, gfab_arc arc, uint32_t round)
{
    const uint32_t slot = p->period ? (round - 1) % p->period : round - 1;
    return &p->used[(size_t)(p->full ? arc : arc / 2) * p->slots + slot];
}

/* The first round from `from` on in which the arc has room; 0 if there is none. */
static uint32_t first_free(const plan *p, gfab_arc arc, uint32_t from)
{
    const uint32_t room = gfab_topology_weight(p->job->left, arc / 2);
    const uint32_t end = p->period ? from + p->period : p->slots + 1;
    for (uint32_t round = from; round < end; round++)
        if (*uses(p, arc, round) < room)
            return round;
    return 0;
}

/* From when on a node may send the block. Looked at backwards a relay sends it once a round: what comes to it first is
 * stored, and nothing else of that block comes in that round. */
static uint32_t may_send(const plan *p, uint32_t block, uint32_t node)
{
    const size_t at = (size_t)block * p->job->nodes + node;
    return p->sent && p->sent[at] >= p->cells[at].ready ? p->sent[at] + 1 : p->cells[at].ready;
}

/* The block goes over an arc to a node that it has not reached, from `from` on. False where there is no room. */
static bool enter(plan *p, uint32_t block, gfab_arc arc, uint32_t node, uint32_t to, uint32_t from)
{
    const uint32_t earliest = may_send(p, block, node);
    const uint32_t round = first_free(p, arc, earliest > from ? earliest : from);
    if (round == 0 || round > GFAB_MAX_ROUNDS)
        return false;
    ++*uses(p, arc, round);
    p->cells[(size_t)block * p->job->nodes + to] = (cell){round + p->hop, arc};
    if (p->sent && gfab_topology_is_relay(p->job->left, node))
        p->sent[(size_t)block * p->job->nodes + node] = round;
    return true;
}

/* ---- the old moves ---- */

static uint32_t start_of(const plan *p, uint32_t block)
{
    const gfab_replan_job *j = p->job;
    const uint32_t members = (uint32_t)gfab_topology_member_count(j->left);
    gfab_goal goal = j->goal;
    goal.blocks = j->group;
    block %= j->group;
    if (goal.collective == GFAB_ALL_TO_ALL)
        return gfab_topology_member(j->left, block / members);
    return gfab_topology_member(j->left, gfab_goal_owner(&goal, members, block));
}

static bool wanted(const plan *p, uint32_t block, uint32_t node)
{
    const uint32_t rank = gfab_topology_rank(p->job->left, node);
    if (p->job->goal.collective == GFAB_ALL_TO_ALL)
        return rank == block % gfab_topology_member_count(p->job->left);
    return rank != GFAB_NO_RANK;
}

/* All that can be as it was, or a little later. */
static void load(plan *p, uint32_t copies)
{
    const gfab_replan_job *j = p->job;
    for (uint32_t block = 0; block < p->blocks; block++)
        p->cells[(size_t)block * j->nodes + start_of(p, block)] = (cell){1, NONE};
    for (uint32_t copy = 0; copy < copies; copy++)
        for (size_t i = 0; i < j->count; i++) {
            const gfab_replan_move *m = &j->moves[p->backwards ? j->count - 1 - i : i];
            const uint32_t block = copy * j->group + m->block;
            const uint32_t from = p->backwards ? m->to : m->from, to = p->backwards ? m->from : m->to;
            const uint32_t round = (p->backwards ? j->rounds + 1 - m->round : m->round) + copy * j->period;
            const cell *cells = p->cells + (size_t)block * j->nodes;
            if (m->arc == NONE || !cells[from].ready || cells[to].ready)
                continue;
            if (!j->punctual || first_free(p, m->arc ^ p->backwards, round) == round)
                p->kept[block] += enter(p, block, m->arc ^ p->backwards, from, to, round);
        }
}

/* ---- what is cut off ---- */

static void push(plan *p, uint32_t node, uint32_t arrival)
{
    gfab_heap_push(p->heap, &p->heap_size, (uint64_t)arrival << 32 | node, node);
}

/* The earliest ways from the part of the tree that is there to all other nodes. */
static void find_ways(plan *p, uint32_t block)
{
    const gfab_replan_job *j = p->job;
    cell *way = p->way;
    memcpy(way, p->cells + (size_t)block * j->nodes, j->nodes * sizeof *way);
    p->heap_size = 0;
    for (uint32_t v = 0; v < j->nodes; v++)
        if (way[v].ready)
            push(p, v, way[v].ready);
    while (p->heap_size > 0) {
        const gfab_heap_entry next = gfab_heap_pop(p->heap, &p->heap_size);
        const uint32_t v = next.item;
        size_t count;
        const gfab_port *ports = gfab_topology_ports(j->left, v, &count);
        if (next.key >> 32 != way[v].ready)
            continue;
        const bool there = p->cells[(size_t)block * j->nodes + v].ready;
        const uint32_t from = there ? may_send(p, block, v) : way[v].ready;
        for (size_t i = 0; i < count; i++) {
            const uint32_t u = ports[i].peer;
            const gfab_arc arc = 2 * ports[i].link + ports[i].end;
            if (way[u].ready && way[u].ready <= from + p->hop)
                continue;
            const uint32_t round = first_free(p, arc, from);
            if (round == 0 || (way[u].ready && way[u].ready <= round + p->hop))
                continue;
            way[u] = (cell){round + p->hop, arc};
            push(p, u, way[u].ready);
        }
    }
}

/* Takes the ways to all nodes that want the block. False where one has none. */
static bool repair(plan *p, uint32_t block)
{
    const gfab_replan_job *j = p->job;
    const cell *cells = p->cells + (size_t)block * j->nodes;
    bool searched = false;
    for (uint32_t v = 0; v < j->nodes; v++) {
        if (!wanted(p, block, v) || cells[v].ready)
            continue;
        if (!searched)
            find_ways(p, block);
        searched = true;
        if (!p->way[v].ready)
            return false;
        uint32_t length = 0;
        for (uint32_t u = v; !cells[u].ready; u = gfab_topology_arc_from(j->left, p->way[u].arc))
            p->queue[length++] = u;
        while (length > 0) {
            const uint32_t u = p->queue[--length];
            if (!enter(p, block, p->way[u].arc, gfab_topology_arc_from(j->left, p->way[u].arc), u, 1))
                return false;
        }
    }
    return true;
}

/* A cell that is not reached has no arc: its 0 is that of a link, which others use. */
static void leave(plan *p, cell *c)
{
    if (c->ready && c->arc != NONE)
        --*uses(p, c->arc, c->ready - p->hop);
    *c = (cell){0};
}

/* Takes out what now leads to no node that wants the block, from the ends on. */
static void prune(plan *p, uint32_t block)
{
    const gfab_replan_job *j = p->job;
    cell *cells = p->cells + (size_t)block * j->nodes;
    bool changed = j->goal.collective == GFAB_ALL_TO_ALL || gfab_topology_has_relays(j->left);
    while (changed) {
        changed = false;
        memset(p->queue, 0, j->nodes * sizeof *p->queue);
        for (uint32_t v = 0; v < j->nodes; v++)
            if (cells[v].ready && cells[v].arc != NONE)
                p->queue[gfab_topology_arc_from(j->left, cells[v].arc)]++;
        for (uint32_t v = 0; v < j->nodes; v++)
            if (cells[v].ready && cells[v].arc != NONE && p->queue[v] == 0 && !wanted(p, block, v)) {
                leave(p, &cells[v]);
                changed = true;
            }
    }
    for (uint32_t v = 0; v < j->nodes && p->sent; v++)
        p->sent[(size_t)block * j->nodes + v] = 0;
    for (uint32_t v = 0; v < j->nodes && p->sent; v++)
        if (cells[v].ready && cells[v].arc != NONE) {
            const size_t from = (size_t)block * j->nodes + gfab_topology_arc_from(j->left, cells[v].arc);
            const uint32_t round = cells[v].ready - p->hop;
            p->sent[from] = round > p->sent[from] ? round : p->sent[from];
        }
}

static void drop(plan *p, uint32_t block)
{
    for (uint32_t v = 0; v < p->job->nodes; v++)
        leave(p, &p->cells[(size_t)block * p->job->nodes + v]);
    p->kept[block] = GONE;
    p->left--;
}

/* ---- plans ---- */

static gfab_status open(const gfab_replan_job *j, uint32_t copies, uint32_t growth, plan *p)
{
    const uint32_t period = j->period ? copies * j->period + (1u << growth) / 2 : 0;
    const uint64_t slots = period ? period : (2 * (uint64_t)j->rounds + 64 * (uint64_t)j->model.hop_rounds) << growth;
    *p = (plan){.job = j,
                .blocks = copies * j->group,
                .period = period,
                .slots = (uint32_t)slots,
                .hop = j->model.hop_rounds,
                .backwards = gfab_collective_combines(j->goal.collective),
                .full = j->model.link_mode == GFAB_LINK_FULL,
                .left = copies * j->group};
    const size_t cells = (size_t)p->blocks * j->nodes, resources = p->full ? 2 * (size_t)j->links : j->links;
    if (slots > MAX_SLOTS / resources)
        return GFAB_ERR_LIMIT;
    p->used = gfab_arena_zeroed2(&p->arena, resources, p->slots, sizeof *p->used);
    p->cells = gfab_arena_zeroed(&p->arena, cells, sizeof *p->cells);
    if (p->backwards && gfab_topology_has_relays(j->left))
        p->sent = gfab_arena_zeroed(&p->arena, cells, sizeof *p->sent);
    p->kept = gfab_arena_zeroed(&p->arena, p->blocks, sizeof *p->kept);
    p->heap = gfab_arena_zeroed(&p->arena, j->nodes + 2 * (size_t)j->links, sizeof *p->heap);
    GFAB_ARRAYS(&p->arena, j->nodes, p->way, p->queue);
    return p->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static gfab_status make(plan *p, uint32_t copies)
{
    load(p, copies);
    for (uint32_t block = 0; block < p->blocks; block++) {
        if (repair(p, block))
            prune(p, block);
        else
            drop(p, block);
        if (block % 16 == 0)
            GFAB_TRY(gfab_progress_report(p->job->progress, "blocks", block, p->blocks));
    }
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* Backwards: is it the block's first message to a relay? */
static bool opens(const plan *p, uint32_t block, uint32_t relay, uint32_t round)
{
    return p->sent && gfab_topology_is_relay(p->job->left, relay) &&
           p->sent[(size_t)block * p->job->nodes + relay] == round;
}

/* The moves in their own direction; where a schedule has one root, blocks are numbered by the rounds they end in. */
static size_t list_moves(const plan *p, uint64_t *order, uint32_t *number, gfab_group_move *moves)
{
    const gfab_replan_job *j = p->job;
    const bool rooted = gfab_collective_has_root(j->goal.collective);
    uint32_t last = 0, first = UINT32_MAX, blocks = 0;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)p->blocks * j->nodes; i++)
        if (p->kept[i / j->nodes] != GONE && p->cells[i].ready && p->cells[i].arc != NONE) {
            last = p->cells[i].ready > last ? p->cells[i].ready : last;
            first = p->cells[i].ready < first ? p->cells[i].ready : first;
        }
    for (uint32_t block = 0; block < p->blocks; block++) {
        uint32_t end = 0;
        for (uint32_t v = 0; v < j->nodes && p->kept[block] != GONE; v++) {
            const cell *c = &p->cells[(size_t)block * j->nodes + v];
            if (!c->ready || c->arc == NONE)
                continue;
            const uint32_t round = 1 + (p->backwards ? last - c->ready : c->ready - first);
            const bool stored =
                !p->backwards || opens(p, block, gfab_topology_arc_from(j->left, c->arc), c->ready - p->hop);
            moves[count++] = (gfab_group_move){round, block | (stored ? 0 : GFAB_COMBINE), c->arc ^ p->backwards};
            end = round > end ? round : end;
        }
        if (p->kept[block] != GONE)
            order[blocks++] = (uint64_t)(rooted ? end : 0) << 32 | block;
    }
    qsort(order, blocks, sizeof *order, gfab_ascending);
    for (uint32_t i = 0; i < blocks; i++)
        number[(uint32_t)order[i]] = i;
    for (size_t i = 0; i < count; i++)
        moves[i].token = number[moves[i].token & ~GFAB_COMBINE] | (moves[i].token & GFAB_COMBINE);
    return count;
}

static gfab_status emit(plan *p, gfab_schedule *after)
{
    gfab_group_move *moves = gfab_arena_zeroed2(&p->arena, p->blocks, p->job->nodes, sizeof *moves);
    uint64_t *order = gfab_arena_zeroed(&p->arena, p->blocks, sizeof *order);
    uint32_t *number = gfab_arena_zeroed(&p->arena, p->blocks, sizeof *number);
    GFAB_TRY(p->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK);
    if (p->period)
        GFAB_TRY(gfab_schedule_set_period(after, p->period, p->left));
    return gfab_group_moves_append(moves, list_moves(p, order, number, moves), p->period, UINT32_MAX, after);
}

gfab_status gfab_replan_trees(const gfab_replan_job *job, uint32_t copies, gfab_schedule *after,
                              gfab_replan_outcome *outcome, gfab_diag *diag)
{
    const bool rooted = gfab_collective_has_root(job->goal.collective);
    gfab_status status = GFAB_ERR_LIMIT;
    if (!rooted && copies > 1)
        return GFAB_REFUSE(diag, "groups are joined where there is a root");
    bool opened = true;
    for (uint32_t growth = 0; growth < MAX_GROWTHS && opened && status == GFAB_ERR_LIMIT; growth++) {
        plan p;
        status = open(job, copies, growth, &p);
        opened = status == GFAB_OK;
        GFAB_THEN(status, make(&p, copies));
        const bool enough = rooted && job->period ? p.left > 0 : p.left == p.blocks;
        *outcome = (gfab_replan_outcome){.dropped = p.left < p.blocks};
        for (uint32_t block = 0; block < job->group && status == GFAB_OK; block++)
            outcome->kept += p.kept[block] == GONE ? 0 : p.kept[block];
        if (status == GFAB_OK && enough)
            status = emit(&p, after);
        else if (status == GFAB_OK)
            status = GFAB_ERR_LIMIT;
        gfab_arena_release(&p.arena);
    }
    if (status == GFAB_ERR_LIMIT)
        return gfab_fail(diag, 0, status, "the old plan leaves too little room; make a new one");
    return status;
}
