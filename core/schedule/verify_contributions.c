/* SPDX-License-Identifier: MIT */
/* The part of the checker that follows contributions. Blocks do not touch each other, so they are replayed one by one:
 * a node's partial result of the block is the set of the nodes whose contributions are in it. */
#include "verify_internal.h"

#include "base/progress.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE GFAB_VERIFY_NONE
#define SET_BITS 64
#define IDLE_A_REPORT 65536u /* blocks without a move between two reports */

/* A message. */
typedef struct move {
    uint32_t round;
    gfab_arc arc; /* the first of its path */
    uint32_t to : 31;
    uint32_t combine : 1;
} move;

/* A contribution that comes to a node: for the two ways of one that counts twice. */
typedef struct arrival {
    uint32_t round;
    uint32_t node;
    uint32_t from;
} arrival;

typedef struct replay {
    const gfab_topology *topology;
    gfab_model model;
    gfab_goal goal;
    size_t nodes, members;
    size_t words;   /* of a set */
    move *moves;    /* block after block, in the order of the schedule */
    size_t *start;  /* [blocks + 1] of moves */
    uint64_t *sets; /* [node * words]: the node's partial result */
    uint64_t *sent; /* [move of the round * words]: what it carries */
    uint32_t *came; /* [node]: the round in which the partial result last changed; 0 at first */
    bool *stored;   /* [node]: in that round it was stored */
    bool *empty;    /* [node]: a relay that has no message of the block: none has come, or it does not copy */
    uint32_t *held; /* is_tree, [2 * nodes]: contributions of a partial result; those that moves of a round carry */
    bool *gave;     /* is_tree, [node]: it has handed its partial result on */
    size_t most;    /* moves of a block in a round, at most */
    gfab_verify_report *report;
    gfab_arena arena;
} replay;
GFAB_HOLDS_ARENA(replay)

static uint32_t from_of(const replay *r, const move *m)
{
    return gfab_topology_arc_from(r->topology, m->arc);
}

static uint32_t to_of(const replay *r, const move *m)
{
    (void)r;
    return m->to;
}

/* The lowest node in both sets; NONE. */
static uint32_t common(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return (uint32_t)(i * SET_BITS) + (uint32_t)__builtin_ctzll(a[i] & b[i]);
    return NONE;
}

/* Every member has its own contribution, a relay none. */
static void begin(replay *r)
{
    memset(r->sets, 0, r->nodes * r->words * sizeof *r->sets);
    memset(r->came, 0, r->nodes * sizeof *r->came);
    memset(r->stored, 0, r->nodes * sizeof *r->stored);
    for (size_t v = 0; v < r->nodes; v++) {
        r->empty[v] = gfab_topology_is_relay(r->topology, v);
        if (!r->empty[v])
            r->sets[v * r->words + v / SET_BITS] = (uint64_t)1 << v % SET_BITS;
    }
}

/* Writes the way by which a contribution came to be in node's partial result after `round` as "5 >1 4 >3 2": from node
 * 5 in round 1 to node 4, in round 3 to node 2. */
#define WAY_BYTES 80u
static void write_way(const arrival *arrivals, size_t count, uint32_t source, uint32_t node, uint32_t round,
                      char text[WAY_BYTES])
{
    uint32_t nodes[8], rounds[8];
    size_t steps = 0;
    bool more = false;
    while (node != source || round > 0) {
        const arrival *last = NULL;
        for (size_t i = 0; i < count; i++)
            if (arrivals[i].node == node && arrivals[i].round <= round && (!last || arrivals[i].round > last->round))
                last = &arrivals[i];
        if (!last)
            break;
        more = steps == sizeof nodes / sizeof *nodes;
        if (more)
            break;
        nodes[steps] = node;
        rounds[steps++] = last->round;
        node = last->from;
        round = last->round - 1;
    }
    int used = snprintf(text, WAY_BYTES, "%s%u", more ? "... " : "", node);
    while (steps-- && used > 0 && (size_t)used < WAY_BYTES)
        used += snprintf(text + used, WAY_BYTES - (size_t)used, " >%u %u", rounds[steps], nodes[steps]);
}

/* The moves of a block again, but for one contribution alone: where it came, before move `end`. *arrivals is NULL
 * without memory. */
static void follow(const replay *r, uint32_t block, const move *end, uint32_t source, arrival **arrivals, size_t *count)
{
    const move *m = r->moves + r->start[block];
    GFAB_FREED bool *has = calloc(r->nodes, sizeof *has), *had = calloc(r->nodes, sizeof *had);
    *count = 0;
    *arrivals = has && had ? malloc(((size_t)(end - m) + 1) * sizeof **arrivals) : NULL;
    if (*arrivals) {
        has[source] = had[source] = true;
        for (uint32_t round = 0; m < end; m++) {
            if (m->round != round)
                memcpy(had, has, r->nodes * sizeof *has);
            round = m->round;
            if (had[from_of(r, m)])
                (*arrivals)[(*count)++] = (arrival){round, to_of(r, m), from_of(r, m)};
            has[to_of(r, m)] = had[from_of(r, m)] || (m->combine && has[to_of(r, m)]);
        }
    }
}

static gfab_status counted_twice(const replay *r, uint32_t block, const move *m, uint32_t source)
{
    char here[WAY_BYTES] = "?", there[WAY_BYTES] = "?";
    GFAB_FREED arrival *arrivals = NULL;
    size_t count;
    follow(r, block, m, source, &arrivals, &count);
    GFAB_NEED(arrivals);
    write_way(arrivals, count, source, from_of(r, m), m->round - 1, there);
    write_way(arrivals, count, source, to_of(r, m), m->round, here);
    r->report->source = source;
    return gfab_verify_fault(
        r->report, GFAB_FAULT_COUNTED_TWICE, m->round, m->arc / 2, to_of(r, m), block,
        "round %u, block %u: node %u's contribution counts twice at node %u: there by %s; again by "
        "%s >%u %u",
        m->round, block, source, to_of(r, m), here, there, m->round, to_of(r, m));
}

static gfab_status too_new(const replay *r, uint32_t block, const move *m)
{
    const uint32_t from = from_of(r, m);
    return gfab_verify_fault(r->report, GFAB_FAULT_TOKEN_TOO_NEW, m->round, m->arc / 2, from, block,
                             "round %u, link %u, node %u to %u: the sender's part of block %u changed in round %u and "
                             "may leave from round %" PRIu64 " on",
                             m->round, m->arc / 2, from, to_of(r, m), block, r->came[from],
                             (uint64_t)r->came[from] + r->model.hop_rounds);
}

/* A relay has nothing of a block before its first message, which it has to store, and where it does not copy nothing
 * after each that it sends. */
static gfab_status nothing_there(const replay *r, uint32_t block, const move *m, bool sends)
{
    const uint32_t from = from_of(r, m), to = to_of(r, m);
    if (sends)
        return gfab_verify_fault(r->report, GFAB_FAULT_TOKEN_MISSING, m->round, m->arc / 2, from, block,
                                 "round %u, link %u, node %u to %u: the sender is a relay and has nothing of block %u",
                                 m->round, m->arc / 2, from, to, block);
    return gfab_verify_fault(r->report, GFAB_FAULT_WRONG_COMBINE, m->round, m->arc / 2, to, block,
                             "round %u, link %u, node %u to %u: block %u is to be combined at a relay that has nothing "
                             "of it; the first message is stored",
                             m->round, m->arc / 2, from, to, block);
}

static gfab_status apply(replay *r, uint32_t block, const move *m, const uint64_t *sent)
{
    const uint32_t to = to_of(r, m);
    uint64_t *set = r->sets + to * r->words;
    if (r->came[to] == m->round && (r->stored[to] || !m->combine))
        return gfab_verify_fault(r->report, GFAB_FAULT_STORE_CLASH, m->round, m->arc / 2, to, block,
                                 "round %u, node %u: block %u comes twice, and is stored; two in a round can only be "
                                 "combined",
                                 m->round, to, block);
    if (m->combine && r->empty[to])
        return nothing_there(r, block, m, false);
    if (m->combine && !gfab_topology_combines(r->topology, to))
        return gfab_verify_fault(
            r->report, GFAB_FAULT_WRONG_COMBINE, m->round, m->arc / 2, to, block,
            "round %u, link %u, node %u to %u: block %u is to be combined at a relay that does not combine", m->round,
            m->arc / 2, from_of(r, m), to, block);
    r->empty[to] = false;
    if (!m->combine) {
        memcpy(set, sent, r->words * sizeof *set);
    } else {
        const uint32_t twice = r->goal.idempotent ? NONE : common(set, sent, r->words);
        if (twice != NONE)
            return counted_twice(r, block, m, twice);
        for (size_t i = 0; i < r->words; i++)
            set[i] |= sent[i];
    }
    r->came[to] = m->round;
    r->stored[to] = !m->combine;
    return GFAB_OK;
}

/* The moves of one round, which all read what there was before. */
static gfab_status replay_round(replay *r, uint32_t block, const move *m, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = from_of(r, &m[i]);
        if (r->empty[from])
            return nothing_there(r, block, &m[i], true);
        if (r->came[from] > 0 && m[i].round - r->came[from] < r->model.hop_rounds)
            return too_new(r, block, &m[i]);
        memcpy(r->sent + i * r->words, r->sets + from * r->words, r->words * sizeof *r->sent);
        r->empty[from] = !gfab_topology_copies(r->topology, from);
    }
    for (size_t i = 0; i < count; i++)
        GFAB_TRY(apply(r, block, &m[i], r->sent + i * r->words));
    return GFAB_OK;
}

/* A contribution that the node's partial result lacks; NONE. */
static uint32_t lacking(const replay *r, uint32_t node)
{
    const uint64_t *set = r->sets + node * r->words;
    for (uint32_t v = 0; v < r->nodes; v++)
        if (!(set[v / SET_BITS] >> v % SET_BITS & 1) && !gfab_topology_is_relay(r->topology, v))
            return v;
    return NONE;
}

/* Is the contribution in some node's partial result? */
static bool anywhere(const replay *r, uint32_t source)
{
    bool there = false;
    for (size_t v = 0; v < r->nodes && !there; v++)
        there = r->sets[v * r->words + source / SET_BITS] >> source % SET_BITS & 1;
    return there;
}

/* After the last round: does everybody who wants the total have it? Counts who has not; the first becomes the fault,
 * unless one of an earlier block is. */
static void check_totals(replay *r, uint32_t block, uint32_t rounds)
{
    for (uint32_t v = 0; v < r->nodes; v++) {
        const uint32_t source = gfab_goal_node_wants(&r->goal, r->topology, v, block) ? lacking(r, v) : NONE;
        if (source == NONE || r->report->missing++ > 0)
            continue;
        const bool lost = !anywhere(r, source);
        r->report->source = source;
        (void)gfab_verify_fault(r->report, lost ? GFAB_FAULT_CONTRIBUTION_LOST : GFAB_FAULT_PARTIAL_TOTAL, rounds, NONE,
                                v, block, "after round %u: node %u's total of block %u lacks node %u's contribution%s",
                                rounds, v, block, source, lost ? ", which is lost: nobody has it" : "");
    }
}

/* Moves by block; those of a block stay in their order. */
static gfab_status sort_moves(replay *r, const gfab_schedule *schedule, uint32_t last)
{
    const size_t blocks = r->goal.blocks;
    r->start = gfab_arena_zeroed(&r->arena, blocks + 2, sizeof *r->start);
    GFAB_NEED(r->start);
    gfab_packet packet;
    for (uint32_t round = 1; round <= last; round++)
        for (gfab_packet_iter it = gfab_schedule_round(schedule, round); gfab_packet_next(&it, &packet);)
            for (size_t i = 0; i < packet.token_count; i++)
                r->start[(packet.tokens[i] & ~GFAB_COMBINE) + 2]++;
    for (size_t b = 2; b < blocks + 2; b++)
        r->start[b] += r->start[b - 1];
    r->moves = gfab_arena_zeroed(&r->arena, (r->start[blocks + 1] + 1), sizeof *r->moves);
    GFAB_NEED(r->moves);
    for (uint32_t round = 1; round <= last; round++)
        for (gfab_packet_iter it = gfab_schedule_round(schedule, round); gfab_packet_next(&it, &packet);)
            for (size_t i = 0; i < packet.token_count; i++) {
                const uint32_t token = packet.tokens[i];
                r->moves[r->start[(token & ~GFAB_COMBINE) + 1]++] =
                    (move){round, packet.arcs[0],
                           gfab_topology_arc_to(r->topology, packet.arcs[packet.arc_count - 1]) & INT32_MAX,
                           (token & GFAB_COMBINE) != 0};
            }
    return GFAB_OK;
}

/* How many of the moves from m on are of its round. */
static size_t of_one_round(const move *m, const move *end)
{
    size_t count = 1;
    while (m + count < end && m[count].round == m->round)
        count++;
    return count;
}

static gfab_status allocate(replay *r, const gfab_schedule *schedule, uint32_t last)
{
    GFAB_TRY(sort_moves(r, schedule, last));
    for (size_t b = 0; b < r->goal.blocks; b++)
        for (size_t i = r->start[b], count; i < r->start[b + 1]; i += count) {
            count = of_one_round(r->moves + i, r->moves + r->start[b + 1]);
            r->most = count > r->most ? count : r->most;
        }
    r->sets = gfab_arena_zeroed2(&r->arena, r->nodes, r->words, sizeof *r->sets);
    r->sent = gfab_arena_zeroed2(&r->arena, r->most + 1, r->words, sizeof *r->sent);
    GFAB_ARRAYS(&r->arena, r->nodes, r->came, r->stored, r->empty, r->gave);
    r->held = gfab_arena_zeroed(&r->arena, 2 * r->nodes, sizeof *r->held);
    return r->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

/* One block, as far as the round before the first fault that is known. */
static gfab_status replay_block(replay *r, uint32_t block, uint32_t before)
{
    const move *m = r->moves + r->start[block], *end = r->moves + r->start[block + 1];
    begin(r);
    for (size_t count; m < end && m->round < before; m += count) {
        count = of_one_round(m, end);
        GFAB_TRY(replay_round(r, block, m, count));
    }
    return GFAB_OK;
}

/* ---- trees ---- */

/* Most blocks are added up along a tree and their totals handed on as they are. That can be told without sets, from how
 * many contributions each partial result has. While every node hands its partial result on at most once, to one that
 * has not yet, those who have not are the roots of a forest, and what a root has comes from its own tree alone. So what
 * a root gives another is disjoint from what that one has, the sum is as large as both, and a partial result of as many
 * as there are members is the total. Then all nodes but one have handed theirs on, and totals alone may follow. False
 * where the block does something else, or is faulty: the sets then say more. */
static bool is_tree(replay *r, uint32_t block)
{
    const move *m = r->moves + r->start[block], *end = r->moves + r->start[block + 1];
    uint32_t *had = r->held + r->nodes; /* [nodes]: by move of the round */
    for (size_t v = 0; v < r->nodes; v++)
        r->held[v] = 1;
    memset(r->came, 0, r->nodes * sizeof *r->came);
    memset(r->gave, 0, r->nodes * sizeof *r->gave);
    for (size_t count; m < end; m += count) {
        count = of_one_round(m, end);
        if (count > r->nodes)
            return false;
        for (size_t i = 0; i < count; i++) {
            const uint32_t from = from_of(r, &m[i]);
            had[i] = r->held[from];
            if (r->came[from] > 0 && m[i].round - r->came[from] < r->model.hop_rounds)
                return false;
        }
        for (size_t i = 0; i < count; i++) {
            const uint32_t from = from_of(r, &m[i]), to = to_of(r, &m[i]);
            if (m[i].combine ? r->gave[from] || r->gave[to] : had[i] != r->members || r->came[to] == m[i].round)
                return false;
            r->gave[from] = r->gave[from] || m[i].combine;
            r->held[to] = m[i].combine ? r->held[to] + had[i] : had[i];
            r->came[to] = m[i].round;
        }
    }
    for (uint32_t v = 0; v < r->nodes; v++)
        if (r->held[v] != r->members && gfab_goal_node_wants(&r->goal, r->topology, v, block))
            return false;
    return true;
}

gfab_status gfab_verify_contributions(const gfab_topology *topology, const gfab_model *model,
                                      const gfab_schedule *schedule, uint32_t last, const gfab_progress *progress,
                                      gfab_verify_report *report)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_AT_END(replay_release)
    replay r = {.topology = topology,
                .model = *model,
                .goal = gfab_schedule_goal(schedule),
                .nodes = nodes,
                .members = gfab_topology_member_count(topology),
                .words = (nodes + SET_BITS - 1) / SET_BITS,
                .report = report};
    const uint32_t rounds = gfab_schedule_rounds(schedule);
    uint32_t before = last + 1; /* the round of the first fault */
    gfab_status status = allocate(&r, schedule, last);
    bool trees = true; /* nothing is stored but at members */
    for (size_t v = 0; v < nodes && trees; v++)
        trees = !gfab_topology_is_relay(topology, v) || gfab_topology_is_switch(topology, v);
    bool broken = false;
    uint64_t idle_missing = 0; /* totals that a block without a move lacks: as many as any other */
    for (uint32_t block = 0; block < r.goal.blocks && status == GFAB_OK; block++) {
        const bool idle = r.start[block] == r.start[block + 1];
        const uint64_t missing = report->missing;
        if (idle && (broken || idle_missing)) {
            report->missing += idle_missing;
            if (block % IDLE_A_REPORT == 0)
                status = gfab_progress_report(progress, "blocks verified", block, r.goal.blocks);
            continue;
        }
        const bool done = trees && !broken && is_tree(&r, block);
        status = done ? GFAB_OK : replay_block(&r, block, before);
        if (status == GFAB_ERR_FAULT) {
            broken = true;
            before = report->round;
            status = GFAB_OK;
        } else if (status == GFAB_OK && !done && !broken && last == rounds) {
            check_totals(&r, block, rounds);
            idle_missing = idle ? report->missing - missing : idle_missing;
        }
        GFAB_THEN(status, gfab_progress_report(progress, "blocks verified", block, r.goal.blocks));
    }
    if (broken)
        report->missing = 0;
    return status == GFAB_OK && report->fault != GFAB_FAULT_NONE ? GFAB_ERR_FAULT : status;
}
