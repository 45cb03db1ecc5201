/* SPDX-License-Identifier: MIT */
/* Rounds for moves of which only what they carry is known. A block at a node is a set of contributions, which moves
 * read and change; a move is done in the first round in which its sender has just the set that it carries. Where the
 * receiver is still to send what it has, that must go in the same round at the latest: so two nodes exchange partial
 * results. */
#include "formats/formats.h"

#include "base/progress.h"

#include <gossipfab/base/arena.h>

#define NONE UINT32_MAX
#define MAX_CHAIN 4096 /* moves that wait for each other in one round */

typedef enum state { PENDING, CLAIMED, DONE } state;

/* A block at a node. */
typedef struct holding {
    uint32_t now, next; /* its set: as a round starts, and as it ends */
    uint32_t came;      /* the last round before this one in which something came */
    bool comes, stored; /* in this round: something; to be stored */
    uint32_t reads;     /* moves that send it, in their order: the first that is not done; NONE */
} holding;

/* A claim, and what to put back where it comes to nothing. */
typedef struct claim {
    uint32_t move;
    uint32_t ports[2]; /* of sender and receiver */
    holding before;    /* the receiver's */
} claim;

typedef struct timer {
    gfab_moves *moves;
    gfab_sets *sets;
    const gfab_topology *topology;
    gfab_model model;
    bool combines;
    size_t blocks;
    uint32_t round;
    holding *holdings; /* [node * blocks] */
    uint32_t *next;    /* [move]: the next that sends the same block from the same node */
    uint8_t *states;   /* [move] */
    uint32_t *pending; /* moves, in order */
    size_t left;
    uint32_t *used;  /* [arc]: packets of the round */
    uint32_t *ports; /* [node]: a link that the node uses in the round; NONE */
    claim *claims;
    size_t claimed;
    gfab_arena arena;
} timer;
GFAB_HOLDS_ARENA(timer)

static holding *at(const timer *t, uint32_t node, uint32_t block)
{
    return &t->holdings[node * t->blocks + block];
}

static gfab_arc arc_of(const timer *t, const gfab_move *m)
{
    gfab_arc arc = 0;
    gfab_topology_find_arc(t->topology, m->from, m->to, &arc);
    return arc;
}

/* Is the sender's set there, and a place on the link? */
static bool can_leave(const timer *t, const gfab_move *m)
{
    const holding *h = at(t, m->from, m->block);
    const gfab_arc arc = arc_of(t, m);
    const bool there = h->now == m->set && (h->came == 0 || t->round - h->came >= t->model.hop_rounds);
    if (!there || t->used[arc] >= t->model.packet_tokens)
        return false;
    if (t->model.link_mode == GFAB_LINK_HALF && t->used[arc ^ 1])
        return false;
    return t->model.port_mode == GFAB_PORT_ALL || ((t->ports[m->from] == NONE || t->ports[m->from] == arc / 2) &&
                                                   (t->ports[m->to] == NONE || t->ports[m->to] == arc / 2));
}

/* Puts what comes to what is there; false where that is not possible in this round. */
static bool arrive(const timer *t, gfab_move *m, holding *h)
{
    const bool first = !h->comes;
    m->combine = t->combines && gfab_sets_disjoint(t->sets, h->next, m->set);
    if (m->combine && (first || !h->stored))
        h->next = gfab_sets_union(t->sets, h->next, m->set);
    else if (!m->combine && first && gfab_sets_within(t->sets, h->next, m->set))
        h->next = m->set;
    else
        return false;
    h->comes = true;
    h->stored = !m->combine;
    return true;
}

static void unclaim(timer *t, size_t down_to)
{
    while (t->claimed > down_to) {
        const claim *c = &t->claims[--t->claimed];
        const gfab_move *m = &t->moves->at[c->move];
        *at(t, m->to, m->block) = c->before;
        t->ports[m->from] = c->ports[0];
        t->ports[m->to] = c->ports[1];
        t->used[arc_of(t, m)]--;
        t->states[c->move] = PENDING;
    }
}

/* Takes a move into this round, and those that must not come later. */
static bool take(timer *t, uint32_t move, unsigned depth)
{
    gfab_move *m = &t->moves->at[move];
    holding *h = at(t, m->to, m->block);
    const size_t down_to = t->claimed;
    const holding before = *h;
    if (depth == MAX_CHAIN || !can_leave(t, m))
        return false;
    if (!arrive(t, m, h)) {
        *h = before;
        return false;
    }
    const gfab_arc arc = arc_of(t, m);
    t->claims[t->claimed++] = (claim){move, {t->ports[m->from], t->ports[m->to]}, before};
    t->ports[m->from] = t->ports[m->to] = arc / 2;
    t->states[move] = CLAIMED;
    m->place = t->used[arc]++;
    m->round = t->round;
    const uint32_t after = h->next;
    for (uint32_t read = h->reads; read != NONE; read = t->next[read])
        if (t->states[read] == PENDING && !gfab_sets_within(t->sets, after, t->moves->at[read].set) &&
            !take(t, read, depth + 1)) {
            unclaim(t, down_to);
            return false;
        }
    return true;
}

/* What the claims of a round come to. */
static void settle(timer *t)
{
    for (size_t i = 0; i < t->claimed; i++) {
        const gfab_move *m = &t->moves->at[t->claims[i].move];
        holding *from = at(t, m->from, m->block), *to = at(t, m->to, m->block);
        const gfab_arc arc = arc_of(t, m);
        t->states[t->claims[i].move] = DONE;
        while (from->reads != NONE && t->states[from->reads] == DONE)
            from->reads = t->next[from->reads];
        if (to->comes && (t->combines || to->now != to->next))
            to->came = t->round;
        to->now = to->next;
        to->comes = to->stored = false;
        t->used[arc] = 0;
        t->ports[m->from] = t->ports[m->to] = NONE;
    }
    size_t left = 0;
    for (size_t i = 0; i < t->left; i++)
        if (t->states[t->pending[i]] != DONE)
            t->pending[left++] = t->pending[i];
    t->left = left;
    t->claimed = 0;
}

static gfab_status stuck(const timer *t, gfab_diag *diag)
{
    const gfab_move *m = &t->moves->at[t->pending[0]];
    return GFAB_REFUSE(diag,
                       "block %u, node %u to %u: a schedule keeps one copy of a block at a node, and what moves here "
                       "is never what node %u has",
                       m->block, m->from, m->to, m->from);
}

static gfab_status run(timer *t, const gfab_progress *progress, gfab_diag *diag)
{
    uint32_t last = 0; /* the last round in which something moved */
    for (t->round = 1; t->left > 0; t->round++) {
        if (t->round > GFAB_MAX_ROUNDS)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u rounds", GFAB_MAX_ROUNDS);
        for (size_t i = 0; i < t->left; i++)
            if (t->states[t->pending[i]] == PENDING)
                take(t, t->pending[i], 0);
        if (t->claimed > 0)
            last = t->round;
        else if (t->round - last >= t->model.hop_rounds)
            return stuck(t, diag);
        settle(t);
        GFAB_NEED_TOLD(!t->sets->failed, diag);
        GFAB_TRY(gfab_progress_report(progress, "moves timed", t->moves->count - t->left, t->moves->count));
    }
    return GFAB_OK;
}

/* What each node has at first, and what it is to send. */
static void begin(timer *t, const gfab_schedule *schedule)
{
    const size_t nodes = gfab_topology_node_count(t->topology);
    for (uint32_t v = 0; v < nodes; v++) {
        t->ports[v] = NONE;
        for (uint32_t b = 0; b < t->blocks; b++) {
            holding *h = at(t, v, b);
            *h = (holding){.reads = NONE};
            if (gfab_moves_holds(schedule, v, b))
                h->now = h->next = gfab_sets_single(t->sets, v);
        }
    }
    for (size_t i = t->moves->count; i-- > 0;) { /* so that lists are in order */
        const gfab_move *m = &t->moves->at[i];
        holding *h = at(t, m->from, m->block);
        t->next[i] = h->reads;
        h->reads = (uint32_t)i;
    }
    for (uint32_t i = 0; i < t->moves->count; i++)
        t->pending[i] = i;
    t->left = t->moves->count;
}

static gfab_status check(const timer *t, gfab_diag *diag)
{
    for (size_t i = 0; i < t->moves->count; i++) {
        const gfab_move *m = &t->moves->at[i];
        gfab_arc arc;
        if (!gfab_topology_find_arc(t->topology, m->from, m->to, &arc))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s has no link from node %u to node %u",
                             gfab_topology_name(t->topology), m->from, m->to);
    }
    if (gfab_topology_node_count(t->topology) * (uint64_t)t->blocks > GFAB_MAX_FILE_HOLDINGS || t->moves->count >= NONE)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%zu nodes times %zu blocks; at most %u are supported",
                         gfab_topology_node_count(t->topology), t->blocks, GFAB_MAX_FILE_HOLDINGS);
    return GFAB_OK;
}

gfab_status gfab_moves_time(gfab_moves *moves, gfab_sets *sets, const gfab_schedule *schedule,
                            const gfab_progress *progress, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const size_t count = moves->count + 1;
    GFAB_AT_END(timer_release)
    timer t = {.moves = moves,
               .sets = sets,
               .topology = topology,
               .model = *gfab_schedule_model(schedule),
               .combines = gfab_collective_combines(gfab_schedule_goal(schedule).collective),
               .blocks = gfab_schedule_token_count(schedule)};
    GFAB_TRY(check(&t, diag));
    t.holdings = gfab_arena_zeroed2(&t.arena, nodes, t.blocks, sizeof *t.holdings);
    GFAB_ARRAYS(&t.arena, count, t.next, t.states, t.pending);
    t.used = gfab_arena_zeroed2(&t.arena, 2, links, sizeof *t.used);
    t.ports = gfab_arena_zeroed(&t.arena, nodes, sizeof *t.ports);
    t.claims = gfab_arena_zeroed(&t.arena, count, sizeof *t.claims);
    GFAB_NEED_TOLD(!t.arena.failed, diag);
    begin(&t, schedule);
    return run(&t, progress, diag);
}
