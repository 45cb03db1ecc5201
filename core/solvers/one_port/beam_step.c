/* SPDX-License-Identifier: MIT */
/* A round of a beam search: the heaviest matching by weights that are drawn, the rarest block over each of its links,
 * and how soon what comes out can end. An arc weighs what the certificate counts of its block, how many blocks it may
 * carry, how rare the rarest is, and how much its head is in need. Edmonds' matchings; the score is ours. */
#include "beam.h"

#include "base/bits.h"
#include "base/random.h"
#include "rate/port_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT 10000.0 /* of weights */
#define LATE 6       /* a node that lacks so many blocks fewer than the one that lacks most is not in need */
#define ENOUGH 8u    /* a longer lead is not better */

static double chance(gfab_beam *b)
{
    return gfab_random_below(&b->random, 1 << 20) / (double)(1 << 20);
}

/* ---- the certificate ---- */

/* Which messages a term counts: into a part, of a cut the second one; none into the root's. */
static void read_term(gfab_beam *b, const gfab_certificate *term, uint64_t *part)
{
    for (uint32_t v = 0; v < b->nodes; v++) {
        part[v] = 0;
        for (uint32_t u = 0; u < b->nodes; u++)
            part[v] |= term->part[u] == term->part[v] ? (uint64_t)1 << u : 0;
        if ((term->cut && term->part[v] == 0) || (!b->owned && term->part[v] == term->part[b->root]))
            part[v] = 0;
    }
}

/* What a message weighs that is the first of its block into the node; holders: who has the block. */
static double gain(const gfab_beam *b, uint32_t node, uint64_t holders)
{
    double sum = 0;
    for (uint32_t i = 0; i < b->terms; i++) {
        const uint64_t part = b->part[(size_t)i * b->nodes + node];
        sum += part && !(part & holders) ? b->factor[i] : 0;
    }
    return sum;
}

/* The best rate's, of the forward collective; where it is not to be had all messages weigh the same. */
static gfab_status find_certificate(gfab_beam *b)
{
    const gfab_goal goal = {
        .collective = b->owned ? GFAB_ALL_GATHER : GFAB_BROADCAST, .blocks = b->blocks, .root = b->owned ? 0 : b->root};
    GFAB_AT_END(gfab_certificate_release) gfab_certificate c = {0};
    gfab_port_mix mix[2];
    bool tight;
    b->terms = 0;
    b->greatest = b->capacity = 1;
    b->demand = 0;
    gfab_status status =
        gfab_port_rate(b->topology, b->model->link_mode, &goal, 0, GFAB_PORT_FEW_STEPS, b->progress, &c, &tight, mix);
    if (status != GFAB_OK)
        return gfab_solver_cut_short(status) ? status : GFAB_OK;
    b->part = gfab_arena_zeroed2(&b->arena, c.ports->terms, b->nodes, sizeof *b->part);
    b->factor = gfab_arena_zeroed(&b->arena, c.ports->terms, sizeof *b->factor);
    if (!b->arena.failed) {
        b->terms = c.ports->terms;
        b->capacity = (double)c.capacity;
        b->demand = (double)c.demand * b->blocks / c.goal.blocks;
        for (uint32_t i = 0; i < b->terms; i++) {
            b->factor[i] = (double)c.ports->factor[i];
            read_term(b, &c.ports->term[i], b->part + (size_t)i * b->nodes);
        }
        for (uint32_t v = 0; v < b->nodes; v++)
            b->greatest = fmax(b->greatest, gain(b, v, 0));
    }
    gfab_port_mix_shares(&mix[0], b->share);
    gfab_port_mix_release(&mix[0]);
    gfab_port_mix_release(&mix[1]);
    return b->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

/* ---- states ---- */

static gfab_beam_state *take_states(gfab_beam *b, size_t count)
{
    const size_t cells = (size_t)b->nodes * b->words;
    gfab_beam_state *s = gfab_arena_zeroed(&b->arena, count, sizeof *s);
    uint64_t *has = gfab_arena_zeroed2(&b->arena, count, cells, sizeof *has);
    uint64_t *holders = gfab_arena_zeroed2(&b->arena, count, b->blocks, sizeof *holders);
    uint64_t *level = gfab_arena_zeroed2(&b->arena, count, cells, sizeof *level);
    uint8_t *copies = gfab_arena_zeroed2(&b->arena, count, b->blocks, sizeof *copies);
    uint32_t *missing = gfab_arena_zeroed2(&b->arena, count, b->nodes, sizeof *missing);
    double *credit = gfab_arena_zeroed2(&b->arena, count, b->links, sizeof *credit);
    gfab_beam_move *move = gfab_arena_zeroed2(&b->arena, count, b->nodes, sizeof *move);
    for (size_t i = 0; i < count && !b->arena.failed; i++)
        s[i] = (gfab_beam_state){.has = has + i * cells,
                                 .holders = holders + i * b->blocks,
                                 .level = level + i * cells,
                                 .copies = copies + i * b->blocks,
                                 .missing = missing + i * b->nodes,
                                 .credit = credit + i * b->links,
                                 .move = move + i * b->nodes};
    return s;
}

gfab_status gfab_beam_open(gfab_beam *b, uint32_t most, uint32_t width)
{
    const size_t steps = ((size_t)most + 1) * width;
    b->nodes = (uint32_t)gfab_topology_node_count(b->topology);
    b->links = (uint32_t)gfab_topology_link_count(b->topology);
    b->words = (b->blocks + 63) / 64;
    b->full = b->model->link_mode == GFAB_LINK_FULL;
    b->arena = (gfab_arena){0};
    GFAB_ARRAYS(&b->arena, 2 * (size_t)b->links, b->ends, b->leaving, b->worth, b->arcs);
    b->mate = gfab_arena_zeroed(&b->arena, b->nodes, sizeof *b->mate);
    GFAB_ARRAYS(&b->arena, b->links, b->share, b->heavy);
    b->news = gfab_arena_zeroed(&b->arena, b->words, sizeof *b->news);
    b->first = gfab_arena_zeroed(&b->arena, (size_t)b->nodes + 1, sizeof *b->first);
    b->now = take_states(b, width);
    b->after = take_states(b, (size_t)GFAB_BEAM_EACH * width);
    b->order = gfab_arena_zeroed(&b->arena, (size_t)GFAB_BEAM_EACH * width, sizeof(gfab_beam_state *));
    b->steps = gfab_arena_zeroed(&b->arena, steps, sizeof *b->steps);
    b->past = gfab_arena_zeroed2(&b->arena, steps, b->nodes, sizeof *b->past);
    if (!b->best)
        b->best = malloc((size_t)b->nodes * b->blocks * sizeof *b->best);
    GFAB_NEED(!b->arena.failed && b->best);
    for (gfab_arc arc = 0; arc < 2 * b->links; arc++)
        b->ends[arc] = gfab_topology_arc_from(b->topology, arc);
    for (uint32_t v = 0; v < b->nodes; v++) {
        b->first[v + 1] = b->first[v];
        for (gfab_arc arc = 0; arc < 2 * b->links; arc++)
            if (b->ends[arc] == v)
                b->leaving[b->first[v + 1]++] = arc;
    }
    return find_certificate(b);
}

void gfab_beam_close(gfab_beam *b)
{
    gfab_arena_release(&b->arena);
}

void gfab_beam_begin(gfab_beam *b)
{
    gfab_beam_state *s = &b->now[0];
    memset(s->has, 0, (size_t)b->nodes * b->words * sizeof *s->has);
    memset(s->level, 0, (size_t)b->nodes * b->words * sizeof *s->level);
    memset(s->credit, 0, b->links * sizeof *s->credit);
    s->weight = s->score = 0;
    s->left = (uint64_t)b->blocks * (b->nodes - 1);
    for (uint32_t v = 0; v < b->nodes; v++)
        s->missing[v] = b->blocks;
    for (uint32_t block = 0; block < b->blocks; block++) {
        const uint32_t owner = b->owned ? block / (b->blocks / b->nodes) : b->root;
        s->has[(size_t)owner * b->words + block / 64] |= (uint64_t)1 << block % 64;
        s->holders[block] = (uint64_t)1 << owner;
        s->level[block / 64] |= (uint64_t)1 << block % 64;
        s->copies[block] = 1;
        s->missing[owner]--;
    }
}

void gfab_beam_copy(const gfab_beam *b, const gfab_beam_state *from, gfab_beam_state *to)
{
    to->score = from->score;
    to->weight = from->weight;
    to->left = from->left;
    memcpy(to->has, from->has, (size_t)b->nodes * b->words * sizeof *to->has);
    memcpy(to->level, from->level, (size_t)b->nodes * b->words * sizeof *to->level);
    memcpy(to->holders, from->holders, b->blocks * sizeof *to->holders);
    memcpy(to->copies, from->copies, b->blocks * sizeof *to->copies);
    memcpy(to->credit, from->credit, b->links * sizeof *to->credit);
    memcpy(to->missing, from->missing, b->nodes * sizeof *to->missing);
}

/* ---- a round ---- */

/* The rarest block that an arc may carry, by chance of equals, but of those that only their start has the first one;
 * b->blocks where there is none. *lead: how many there are, to ENOUGH. */
GFAB_COUNTS_BITS static uint32_t find_rarest(gfab_beam *b, const gfab_beam_state *s, gfab_arc arc, const uint64_t *has,
                                             uint32_t *lead)
{
    const uint64_t *to = s->has + (size_t)b->ends[arc ^ 1] * b->words, *level = s->level;
    uint64_t any = 0;
    uint32_t equals = 0;
    *lead = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        any |= b->news[w] = has[w] & ~to[w];
        *lead += gfab_count_bits(b->news[w]);
    }
    if (!any)
        return b->blocks;
    for (; equals == 0; level += b->words)
        for (uint32_t w = 0; w < b->words; w++)
            equals += gfab_count_bits(b->news[w] & level[w]);
    level -= b->words;
    *lead = level == s->level || *lead > ENOUGH ? ENOUGH : *lead;
    uint32_t skip = level == s->level ? 0 : gfab_random_below(&b->random, equals), w = 0;
    for (uint32_t count; skip >= (count = gfab_count_bits(b->news[w] & level[w])); w++)
        skip -= count;
    uint64_t bits = b->news[w] & level[w];
    for (; skip > 0; skip--)
        bits &= bits - 1;
    return 64 * w + (uint32_t)__builtin_ctzll(bits);
}

void gfab_beam_look(gfab_beam *b, const gfab_beam_state *s)
{
    for (gfab_arc arc = 0; arc < 2 * b->links; arc++) {
        gfab_beam_arc *a = &b->arcs[arc];
        uint32_t lead;
        const uint32_t block = find_rarest(b, s, arc, s->has + (size_t)b->ends[arc] * b->words, &lead);
        a->open = block < b->blocks;
        if (!a->open)
            continue;
        a->counts = gain(b, b->ends[arc ^ 1], s->holders[block]) / b->greatest;
        a->lead = log1p(lead);
        a->rare = 1 - (s->copies[block] - 1.0) / (b->nodes - 1.0);
    }
}

/* What all arcs are worth to this state. */
static void weigh(gfab_beam *b, const gfab_beam_state *s)
{
    const double counts = chance(b) < 0.5 ? 1 : 4, rare = 2 * chance(b), need = 2 * chance(b),
                 due = b->likes_shares * chance(b), luck = 0.02 + 0.6 * chance(b);
    uint32_t most = 0;
    for (uint32_t v = 0; v < b->nodes; v++)
        most = s->missing[v] > most ? s->missing[v] : most;
    for (gfab_arc arc = 0; arc < 2 * b->links; arc++) {
        const gfab_beam_arc *a = &b->arcs[arc];
        const double late = (double)s->missing[b->ends[arc ^ 1]] + LATE - most;
        b->worth[arc] =
            a->open ? 0.05 + counts * a->counts + 0.3 * a->lead + rare * a->rare + need * fmax(0, late) / LATE : 0;
    }
    for (uint32_t l = 0; l < b->links; l++) {
        const double there = b->worth[2 * l], back = b->worth[2 * l + 1];
        const double sum = b->full ? there + back : fmax(there, back);
        const double worth = fmax(0, sum + due * s->credit[l] + luck * chance(b));
        b->heavy[l] = sum > 0 ? (uint64_t)(UNIT * worth) + 1 : 0;
    }
}

/* A block goes over an arc: the rarest that the tail had before the round, by what has gone in it. */
static void send(gfab_beam *b, const gfab_beam_state *before, gfab_arc arc, gfab_beam_state *s)
{
    const uint32_t to = b->ends[arc ^ 1];
    uint32_t lead;
    const uint32_t block = find_rarest(b, s, arc, before->has + (size_t)b->ends[arc] * b->words, &lead);
    if (block == b->blocks)
        return;
    s->weight += gain(b, to, s->holders[block]);
    s->left--;
    s->missing[to]--;
    const uint64_t bit = (uint64_t)1 << block % 64;
    uint64_t *level = s->level + (size_t)(s->copies[block]++ - 1) * b->words + block / 64;
    s->has[(size_t)to * b->words + block / 64] |= bit;
    s->holders[block] |= (uint64_t)1 << to;
    level[0] &= ~bit;
    level[b->words] |= bit;
    s->move[s->moves++] = (gfab_beam_move){block, arc};
}

/* How many neighbours have something for each other, and how much. */
GFAB_COUNTS_BITS static double find_variety(const gfab_beam *b, const gfab_beam_state *s)
{
    double sum = 0;
    for (gfab_arc arc = 0; arc < 2 * b->links; arc++) {
        const uint64_t *from = s->has + (size_t)b->ends[arc] * b->words;
        const uint64_t *to = s->has + (size_t)b->ends[arc ^ 1] * b->words;
        uint32_t lead = 0;
        for (uint32_t w = 0; w < b->words; w++)
            lead += gfab_count_bits(from[w] & ~to[w]);
        sum += lead ? 1 - 1 / (1.0 + lead) : 0;
    }
    return sum / (2 * b->links);
}

/* Rounds that a state needs still, at least, and what else is good about it. */
static void judge(gfab_beam *b, uint32_t round, gfab_beam_state *s)
{
    const uint32_t pairs = b->nodes / 2, room = b->full ? 2 * pairs - (!b->owned && b->nodes % 2 == 0) : pairs;
    const double by_weight = (b->demand - s->weight) / b->capacity, by_count = (double)s->left / room;
    const double mean = (double)s->left / (b->nodes - !b->owned);
    double least = fmax(by_weight, by_count), uneven = 0;
    uint32_t fewest = b->nodes, starts = 0;
    for (uint32_t v = 0; v < b->nodes; v++) {
        least = fmax(least, s->missing[v]);
        uneven += b->owned || v != b->root ? (s->missing[v] - mean) * (s->missing[v] - mean) : 0;
    }
    for (uint32_t block = 0; block < b->blocks; block++) {
        const uint32_t holders = s->copies[block];
        fewest = holders < fewest ? holders : fewest;
        starts += holders == 1;
    }
    const double doublings = ceil(log2((double)b->nodes / fewest));
    least = fmax(least, doublings + (!b->owned && starts ? starts - 1 : 0));
    s->score = -(least + 0.2 * (by_weight + by_count)) * b->nodes / 2 +
               b->likes_variety * b->nodes * find_variety(b, s) - b->likes_even * uneven / b->nodes + 0.01 * chance(b);
    if (round + least > b->most + 1e-6)
        s->score = -INFINITY;
    else if (s->left == 0)
        s->score = INFINITY;
}

void gfab_beam_step(gfab_beam *b, const gfab_beam_state *before, uint32_t round, gfab_beam_state *after)
{
    gfab_beam_copy(b, before, after);
    after->moves = 0;
    weigh(b, before);
    gfab_beam_match(b);
    for (uint32_t l = 0; l < b->links; l++) {
        after->credit[l] += b->share[l];
        if (b->mate[b->ends[2 * l]] != b->ends[2 * l + 1] || b->heavy[l] == 0)
            continue;
        after->credit[l]--;
        const bool back = b->worth[2 * l + 1] > b->worth[2 * l];
        if (b->full || !back)
            send(b, before, 2 * l, after);
        if (b->full || back)
            send(b, before, 2 * l + 1, after);
    }
    judge(b, round, after);
}
