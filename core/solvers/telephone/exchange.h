/* SPDX-License-Identifier: MIT */
/* Private: a schedule of the telephone model from its matchings. */
#ifndef GOSSIPFAB_EXCHANGE_H
#define GOSSIPFAB_EXCHANGE_H

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/schedule.h>

typedef struct gfab_exchange {
    gfab_arena arena;
    gfab_schedule *schedule;
    size_t nodes, words; /* words of a bit set of tokens */
    uint32_t round;      /* the one being filled, from 1 */
    uint64_t *before;    /* [node * words]: held when the round began */
    uint64_t *held;      /* and now */
    uint32_t *tokens;    /* scratch */
} gfab_exchange;

/* schedule: empty, one token a node; borrowed. NO_MEMORY; to be released whatever is returned. */
gfab_status gfab_exchange_create(gfab_schedule *schedule, gfab_exchange *exchange);
GFAB_HOLDS_ARENA(gfab_exchange)
/* The ends of a link tell each other all that they had before this round and the other then lacked. The links
 * of a round may share nodes. NO_MEMORY, LIMIT. */
gfab_status gfab_exchange_link(gfab_exchange *exchange, uint32_t link);
/* A whole round: each node with its partner, itself where it has none. Also INVALID where partners have no link. */
gfab_status gfab_exchange_matching(gfab_exchange *exchange, const uint32_t *partner);
/* Whether every node has every token. */
bool gfab_exchange_complete(const gfab_exchange *exchange);
void gfab_exchange_end_round(gfab_exchange *exchange);

#endif
