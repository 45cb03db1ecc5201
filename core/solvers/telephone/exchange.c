/* SPDX-License-Identifier: MIT */
/* From matchings to a schedule of the telephone model: in a round two nodes tell each other all that the other lacks.
 * What nodes hold is a bit set of N bits each, of which one copy is from before the round, because what comes in a
 * round leaves in the next at the earliest. Solvers and the reader of records make their packets here, so that they
 * only need to say which links are used. */
#include "exchange.h"

#include <string.h>

gfab_status gfab_exchange_create(gfab_schedule *schedule, gfab_exchange *exchange)
{
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule)), words = (nodes + 63) / 64;
    *exchange = (gfab_exchange){.schedule = schedule, .nodes = nodes, .words = words, .round = 1};
    exchange->tokens = gfab_arena_zeroed(&exchange->arena, nodes, sizeof *exchange->tokens);
    exchange->before = gfab_arena_zeroed2(&exchange->arena, nodes, words, sizeof *exchange->before);
    exchange->held = gfab_arena_zeroed2(&exchange->arena, nodes, words, sizeof *exchange->held);
    GFAB_NEED(!exchange->arena.failed);
    for (size_t v = 0; v < nodes; v++)
        exchange->held[v * words + v / 64] = (uint64_t)1 << v % 64;
    gfab_exchange_end_round(exchange);
    exchange->round = 1;
    return GFAB_OK;
}

static gfab_status send(gfab_exchange *e, gfab_arc arc)
{
    const gfab_topology *topology = gfab_schedule_topology(e->schedule);
    const uint64_t *from = e->before + gfab_topology_arc_from(topology, arc) * e->words;
    const uint64_t *had = e->before + gfab_topology_arc_to(topology, arc) * e->words;
    uint64_t *to = e->held + gfab_topology_arc_to(topology, arc) * e->words;
    size_t count = 0;
    for (size_t w = 0; w < e->words; w++) {
        for (uint64_t bits = from[w] & ~had[w]; bits; bits &= bits - 1)
            e->tokens[count++] = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
        to[w] |= from[w];
    }
    return count ? gfab_schedule_append_packet(e->schedule, e->round, &arc, 1, e->tokens, count) : GFAB_OK;
}

gfab_status gfab_exchange_link(gfab_exchange *exchange, uint32_t link)
{
    GFAB_TRY(send(exchange, 2 * link));
    return send(exchange, 2 * link + 1);
}

void gfab_exchange_end_round(gfab_exchange *exchange)
{
    memcpy(exchange->before, exchange->held, exchange->nodes * exchange->words * sizeof *exchange->held);
    exchange->round++;
}

gfab_status gfab_exchange_matching(gfab_exchange *exchange, const uint32_t *partner)
{
    const gfab_topology *topology = gfab_schedule_topology(exchange->schedule);
    for (uint32_t v = 0; v < exchange->nodes; v++) {
        gfab_arc arc;
        if (partner[v] > v)
            GFAB_TRY(gfab_topology_find_arc(topology, v, partner[v], &arc) ? gfab_exchange_link(exchange, arc / 2)
                                                                           : GFAB_ERR_INVALID);
    }
    gfab_exchange_end_round(exchange);
    return GFAB_OK;
}

bool gfab_exchange_complete(const gfab_exchange *exchange)
{
    for (size_t v = 0; v < exchange->nodes; v++)
        for (size_t t = 0; t < exchange->nodes; t++)
            if (!(exchange->held[v * exchange->words + t / 64] >> (t % 64) & 1))
                return false;
    return true;
}
