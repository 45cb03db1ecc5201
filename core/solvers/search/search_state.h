/* SPDX-License-Identifier: MIT */
/* The state of a search for a schedule of a given number of rounds, private to search*.c.
 *
 * Tokens have numbers of their own here, a random permutation of the nodes they start at, so that neighbours in a bit
 * set are no neighbours in the graph. A delivery (token, node) is numbered token * nodes + node: what happens to a
 * token in one neighbourhood then lies together in memory. A channel is what carries one packet a round: a link in
 * half duplex, an arc in full duplex.
 *
 * The schedule may be asked to stay the same under quarter turns of a square mesh. Whatever happens then happens in all
 * four orientations at once, and the state always looks the same from the four sides; only what is counted and listed,
 * the missing deliveries, stands for all four. No link is its own turn, and no delivery, so nothing gets in its own
 * way. */
#ifndef GOSSIPFAB_SOLVERS_SEARCH_STATE_H
#define GOSSIPFAB_SOLVERS_SEARCH_STATE_H

#include "base/random.h"
#include "solvers/solvers.h"

/* Rounds are kept in 16 bits; the last value is that of a delivery not made. */
#define GFAB_SEARCH_MAX_ROUNDS 60000u
#define GFAB_SEARCH_NEVER UINT16_MAX
/* Ports, too: a node has fewer than GFAB_SOLVER_MAX_NODES. */
#define GFAB_SEARCH_NO_PORT UINT16_MAX
/* A slot has room for a whole packet at once. */
#define GFAB_SEARCH_MAX_PACKET 64u

typedef struct gfab_search {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    uint64_t random;
    uint32_t nodes;
    uint32_t arcs; /* 2 * links */
    uint32_t channels;
    uint32_t packet; /* most tokens in a packet, at most nodes */
    uint32_t lambda;
    uint32_t rounds;      /* the schedule shall have at most these */
    uint32_t round_words; /* of a bit set of rounds 0..rounds */
    bool full;
    uint32_t turns;         /* 1, or 4: orientations in which all happens */
    uint32_t *node_turned;  /* [nodes]: where a quarter turn brings a node */
    gfab_arc *arc_turned;   /* [arcs] */
    uint32_t *token_turned; /* [token] */
    uint32_t *arc_from;     /* [arcs] */
    uint32_t *arc_to;
    uint16_t *port_to;       /* [arcs]: the port of arc_to */
    const gfab_port **ports; /* [nodes] */
    uint32_t *degree;        /* [nodes] */
    uint32_t *home;          /* [token]: its first node */
    uint32_t *token_at;      /* [nodes]: the token that starts there */
    uint16_t *came;          /* [delivery]: the round; 0 for own tokens, NEVER if missing */
    uint16_t *by;            /* [delivery]: the receiver's port, NO_PORT if not made */
    uint16_t *slots;         /* [(channel * (rounds + 1) + round) * packet]: 1 + 2 * token + direction of the arc, 0 at
                                the end; one direction in all of a slot */
    uint64_t *room;          /* [arc * round_words]: the rounds in which the arc can take one token more */
    uint32_t *room_count;    /* [arc]: how many */
    uint32_t *arcs_in;       /* [nodes]: arcs to the node with room */
    uint32_t missing;        /* deliveries not made, one of each four that are turns of each other */
    uint32_t *lost;          /* [missing]: which */
    size_t lost_capacity;
    gfab_arena arena;
} gfab_search;

static inline uint64_t gfab_search_random(gfab_search *s)
{
    return gfab_random(&s->random);
}

static inline uint32_t gfab_search_below(gfab_search *s, uint32_t bound)
{
    return gfab_random_below(&s->random, bound);
}

static inline uint32_t gfab_search_channel(const gfab_search *s, gfab_arc arc)
{
    return s->full ? arc : arc / 2;
}

static inline uint16_t *gfab_search_slot(const gfab_search *s, gfab_arc arc, uint32_t round)
{
    return s->slots + ((size_t)gfab_search_channel(s, arc) * (s->rounds + 1) + round) * s->packet;
}

/* The arc by which a port receives. */
static inline gfab_arc gfab_search_in_arc(const gfab_port *port)
{
    return 2 * port->link + (1 - port->end);
}

static inline uint32_t gfab_search_turned_delivery(const gfab_search *s, uint32_t delivery)
{
    return s->token_turned[delivery / s->nodes] * s->nodes + s->node_turned[delivery % s->nodes];
}

/* The same number for all turns of a delivery: the lowest. */
static inline uint32_t gfab_search_orbit(const gfab_search *s, uint32_t delivery)
{
    uint32_t lowest = delivery;
    for (uint32_t turn = 1; turn < s->turns; turn++) {
        delivery = gfab_search_turned_delivery(s, delivery);
        lowest = delivery < lowest ? delivery : lowest;
    }
    return lowest;
}

/* Searches from the lower bound upwards and fills an empty schedule; with turns 4, on a square mesh and for packets of
 * one token, one that stays the same under quarter turns. */
gfab_status gfab_search_build(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, uint32_t turns, gfab_schedule *schedule,
                              gfab_diag *diag);

/* The weightings to use in a try, number `try` of several. far_apart: the diameter is what keeps the rounds up. */
uint32_t gfab_search_style_of(const gfab_search *s, uint32_t try, bool far_apart);

/* Builds the first rounds of a gossip, a round at a time, into an empty state (came, by, slots; not room), and leaves
 * the deliveries that did not fit in missing and lost. style: the weightings. */
gfab_status gfab_search_greedy(gfab_search *s, uint32_t style);

/* Fits in lost deliveries until none is missing or steps are used up. */
gfab_status gfab_search_repair(gfab_search *s, uint64_t steps);

#endif
