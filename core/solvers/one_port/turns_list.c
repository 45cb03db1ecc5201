/* SPDX-License-Identifier: MIT */
/* List scheduling (Graham 1966): round by round links take what can go and is due first: of an early block, with a long
 * way before it. Which links these are turns say, where blocks repeat. Where all blocks are put in order at once no
 * turns are needed: a round takes, of the links that have something to carry, the matching whose nodes have most to do,
 * so that no node is left with work when the others are done (as Tassiulas & Ephremides 1992 serve queues). */
#include "turns.h"

#include "base/random.h"
#include "flow/lemon_matching.h"
#include "solvers/place/ready.h"

#include <string.h>

#define LINK 16u
#define MOVE_BITS 20 /* of a move's number; the caller has no more than 2^19 */
#define REPORT_ROUNDS 1024u

typedef struct list {
    const gfab_turns *turns;
    const gfab_ways *ways;
    const uint32_t *way;
    const gfab_turns_rule *rule;
    uint32_t count, hop, resources;
    uint64_t noise;
    bool full;
    uint32_t *tail;         /* [moves of the ways]: links to the end of the way, or moves behind it where all blocks
                             * begin at once, times LINK */
    uint32_t *needs;        /* [moves of the ways]: moves that have to come first */
    uint32_t *next_from;    /* [moves of the ways + 1]: the moves that wait for it */
    uint32_t *next;         /* numbers in all ways */
    uint32_t *base, *block; /* [count + 1], [moves]: of all blocks: where a block's moves begin; of a move */
    uint32_t *wait;         /* [moves] */
    gfab_ready ready;       /* moves by what takes them: an arc, or a link in half duplex */
    uint32_t *left;         /* [resources]: moves that are to come */
    uint64_t *load;         /* [nodes]: rounds that its links need for these */
    uint32_t *ends, *mate;  /* [2 * links], [nodes] */
    uint64_t *weight;       /* [links] */
    bool *open;             /* [links] */
    uint32_t *used;         /* [resources * period] */
    gfab_arena arena;       /* of all but next */
} list;
GFAB_HOLDS_ARENA(list)

static uint32_t resource_of(const list *l, uint32_t move)
{
    const gfab_arc arc = l->ways->moves[move].arc;
    return l->full ? arc : arc / 2;
}

/* The way's move that a block's move is. */
static uint32_t origin_of(const list *l, uint32_t move)
{
    const uint32_t block = l->block[move];
    return l->ways->from[l->way[block]] + move - l->base[block];
}

/* ---- what waits for what ---- */

static bool follows(const list *l, uint32_t earlier, uint32_t later)
{
    const gfab_topology *t = l->turns->topology;
    return l->ways->moves[earlier].step < l->ways->moves[later].step &&
           gfab_topology_arc_to(t, l->ways->moves[earlier].arc) == gfab_topology_arc_from(t, l->ways->moves[later].arc);
}

/* Moves of a way rise by steps. */
static gfab_status find_order(list *l)
{
    const gfab_ways *w = l->ways;
    const uint32_t moves = w->from[w->count];
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (uint32_t i = 0; i < w->count; i++)
            for (uint32_t a = w->from[i]; a < w->from[i + 1]; a++) {
                l->next_from[a] = (uint32_t)count;
                for (uint32_t b = a + 1; b < w->from[i + 1]; b++)
                    if (follows(l, a, b)) {
                        if (pass) {
                            l->next[count] = b;
                            l->needs[b]++;
                        }
                        count++;
                    }
            }
        l->next_from[moves] = (uint32_t)count;
        if (!pass) {
            l->next = gfab_arena_zeroed(&l->arena, count + 1, sizeof *l->next);
            GFAB_NEED(l->next);
        }
    }
    return GFAB_OK;
}

static uint32_t room_of(const list *l, uint32_t resource)
{
    return l->full ? gfab_topology_arc_weight(l->turns->topology, resource)
                   : gfab_topology_weight(l->turns->topology, resource);
}

/* Rounds that a link needs for what is to come. */
static uint32_t need_of(const list *l, uint32_t link)
{
    uint32_t need = 0;
    for (uint32_t r = l->full ? 2 * link : link; r < (l->full ? 2 * link + 2 : link + 1); r++) {
        const uint32_t rounds = (l->left[r] + room_of(l, r) - 1) / room_of(l, r);
        need = rounds > need ? rounds : need;
    }
    return need;
}

/* Rounds that each node's links need; the most of all. */
static uint64_t find_loads(list *l)
{
    const size_t nodes = gfab_topology_node_count(l->turns->topology);
    uint64_t most = 1;
    memset(l->load, 0, nodes * sizeof *l->load);
    for (uint32_t link = 0; link < l->turns->links; link++) {
        const uint32_t need = need_of(l, link);
        l->load[l->ends[2 * link]] += need;
        l->load[l->ends[2 * link + 1]] += need;
    }
    for (size_t v = 0; v < nodes; v++)
        most = l->load[v] > most ? l->load[v] : most;
    return most;
}

/* Links to the end of the way; or, where all blocks begin at once, moves behind it. */
static void find_tails(list *l)
{
    const bool paced = l->rule->period || l->rule->pace > 0;
    for (uint32_t a = l->ways->from[l->ways->count]; a-- > 0;) {
        l->tail[a] = LINK;
        for (uint32_t i = l->next_from[a]; i < l->next_from[a + 1]; i++)
            if (!paced)
                l->tail[a] += l->tail[l->next[i]];
            else if (l->tail[l->next[i]] + LINK > l->tail[a])
                l->tail[a] = l->tail[l->next[i]] + LINK;
        if (l->noise)
            l->tail[a] += gfab_random_below(&l->noise, LINK);
    }
}

/* ---- what may go ---- */

/* When a move should go, up to a constant: its block's turn comes `pace` rounds after the one before, and each link of
 * its way takes so many rounds. */
static int64_t due_of(const list *l, uint32_t move)
{
    return (int64_t)((double)l->block[move] * l->rule->pace * LINK) -
           (int64_t)l->tail[origin_of(l, move)] * l->rule->link_wait;
}

/* The one that is due first; of two that are, the one with the lower number. */
static void push(list *l, uint32_t move)
{
    const uint64_t due = (uint64_t)(due_of(l, move) + ((int64_t)1 << (63 - MOVE_BITS)));
    gfab_ready_push(&l->ready, resource_of(l, origin_of(l, move)), due << MOVE_BITS | move, move);
}

/* ---- rounds ---- */

static gfab_status open(list *l, uint32_t *moves)
{
    gfab_arena *a = &l->arena;
    const size_t kinds = l->ways->from[l->ways->count], links = l->turns->links;
    const size_t nodes = gfab_topology_node_count(l->turns->topology);
    l->base = gfab_arena_zeroed(a, (size_t)l->count + 1, sizeof *l->base);
    GFAB_NEED(l->base);
    for (uint32_t b = 0; b < l->count; b++)
        l->base[b + 1] = l->base[b] + l->ways->from[l->way[b] + 1] - l->ways->from[l->way[b]];
    const size_t all = *moves = l->base[l->count];
    GFAB_ARRAYS(a, kinds, l->tail, l->needs);
    l->next_from = gfab_arena_zeroed(a, kinds + 1, sizeof *l->next_from);
    GFAB_ARRAYS(a, all, l->block, l->wait);
    l->used = gfab_arena_zeroed2(a, l->resources, l->rule->period ? l->rule->period : 1, sizeof *l->used);
    l->left = gfab_arena_zeroed(a, l->resources, sizeof *l->left);
    GFAB_ARRAYS(a, nodes, l->load, l->mate);
    l->ends = gfab_arena_zeroed2(a, 2, links, sizeof *l->ends);
    GFAB_ARRAYS(a, links, l->weight, l->open);
    gfab_ready_create(&l->ready, a, all, l->resources, l->hop);
    GFAB_NEED(!a->failed);
    for (uint32_t link = 0; link < links; link++)
        for (uint32_t i = 0; i < 2; i++)
            l->ends[2 * link + i] = gfab_topology_link(l->turns->topology, link).node[i];
    GFAB_TRY(find_order(l));
    for (uint32_t b = 0; b < l->count; b++)
        for (uint32_t m = l->base[b]; m < l->base[b + 1]; m++) {
            l->block[m] = b;
            l->wait[m] = l->needs[origin_of(l, m)];
            gfab_ready_count(&l->ready, resource_of(l, origin_of(l, m)));
            l->left[resource_of(l, origin_of(l, m))]++;
        }
    gfab_ready_cut(&l->ready);
    find_tails(l);
    return GFAB_OK;
}

static void go(list *l, uint32_t move, uint32_t round, gfab_group_move *to)
{
    const uint32_t origin = origin_of(l, move), first = l->base[l->block[move]] - l->ways->from[l->way[l->block[move]]];
    *to = (gfab_group_move){round, l->block[move], l->ways->moves[origin].arc};
    for (uint32_t i = l->next_from[origin]; i < l->next_from[origin + 1]; i++)
        if (--l->wait[first + l->next[i]] == 0)
            gfab_ready_allow(&l->ready, first + l->next[i], round + l->hop);
}

/* Without turns: the links that are used in a round are a matching of those that have something to carry, the one whose
 * nodes have most to do. */
static gfab_status choose_links(list *l)
{
    const uint32_t links = l->turns->links, ways = l->full ? 2 : 1;
    (void)find_loads(l);
    for (uint32_t link = 0; link < links; link++) {
        const uint64_t a = l->load[l->ends[2 * link]], b = l->load[l->ends[2 * link + 1]];
        uint32_t ready = 0, tail = 0;
        for (uint32_t r = ways * link; r < ways * link + ways; r++)
            if (l->ready.size[r] > 0) {
                ready++;
                tail += l->tail[origin_of(l, l->ready.heap[l->ready.start[r]].item)];
            }
        l->weight[link] = ready ? (a * a + b * b) * ready * 16 + tail * (a + b) / 8 : 0;
    }
    GFAB_TRY(
        gfab_lemon_matching(gfab_topology_node_count(l->turns->topology), links, l->ends, l->weight, l->mate, NULL));
    for (uint32_t link = 0; link < links; link++)
        l->open[link] = l->weight[link] && l->mate[l->ends[2 * link]] == l->ends[2 * link + 1];
    return GFAB_OK;
}

/* What a resource takes in a round. Returns how many moves that are. */
static uint32_t take(list *l, uint32_t resource, uint32_t round, gfab_group_move *moves)
{
    const uint32_t period = l->rule->period ? l->rule->period : 1;
    uint32_t *used = &l->used[(size_t)resource * period + round % period], made = 0;
    const uint32_t room = room_of(l, resource);
    if (!l->rule->period)
        *used = 0;
    for (; l->ready.size[resource] > 0 && *used < room; ++*used, made++) {
        const uint32_t move = gfab_ready_pop(&l->ready, resource);
        l->left[resource]--;
        go(l, move, round, &moves[move]);
    }
    return made;
}

static gfab_status run(list *l, uint32_t left, const gfab_solver_options *options, gfab_group_move *moves,
                       uint32_t *last)
{
    const uint32_t all = left, ways = l->full ? 2 : 1;
    uint64_t most = GFAB_MAX_ROUNDS;
    if (l->rule->period) /* what can go waits no longer than a period */
        most = ((uint64_t)l->ways->from[l->ways->count] + 1) * ((uint64_t)l->rule->period + l->hop);
    for (uint32_t m = 0; m < all; m++)
        if (l->wait[m] == 0)
            gfab_ready_allow(&l->ready, m, 1);
    for (uint32_t round = 1; left > 0; round++) {
        const bool *is_open = l->open;
        if (l->rule->period)
            is_open = l->turns->open + (size_t)((round - 1) % l->turns->length) * l->turns->links;
        for (uint32_t m = gfab_ready_due(&l->ready, round); m != GFAB_READY_NONE; m = l->ready.next[m])
            push(l, m);
        if (!l->rule->period)
            GFAB_TRY(choose_links(l));
        for (uint32_t link = 0; link < l->turns->links; link++)
            for (uint32_t i = 0; is_open[link] && i < ways; i++)
                left -= take(l, ways * link + i, round, moves);
        *last = round;
        if (round >= most)
            return GFAB_ERR_LIMIT;
        if (round % REPORT_ROUNDS == 0)
            GFAB_TRY(gfab_solver_report(options, "moves", all - left, all));
    }
    return GFAB_OK;
}

gfab_status gfab_turns_list(const gfab_turns *turns, const gfab_model *model, const gfab_ways *ways,
                            const uint32_t *way, uint32_t count, const gfab_turns_rule *rule,
                            const gfab_solver_options *options, gfab_group_move *moves, uint32_t *last)
{
    GFAB_AT_END(list_release)
    list l = {.turns = turns,
              .ways = ways,
              .way = way,
              .rule = rule,
              .count = count,
              .noise = rule->noise,
              .hop = model->hop_rounds,
              .full = model->link_mode == GFAB_LINK_FULL};
    l.resources = l.full ? 2 * turns->links : turns->links;
    uint32_t all = 0;
    GFAB_TRY(open(&l, &all));
    return run(&l, all, options, moves, last);
}
