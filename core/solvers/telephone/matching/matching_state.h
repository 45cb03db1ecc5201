/* SPDX-License-Identifier: MIT */
/* The matching heuristic of Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 4, private to
 * matching*.c. docs/theory/matching.md tells the method in full.
 *
 * A token's region is the set of nodes that know it; its distance at a node is that to the region; its frontier is
 * the nodes at distance 1. In a round the frontier nodes that are matched into the region get it. */
#ifndef GOSSIPFAB_SOLVERS_MATCHING_STATE_H
#define GOSSIPFAB_SOLVERS_MATCHING_STATE_H

#include "matching_kernel.h"
#include "solvers/parallel.h"
#include "solvers/solvers.h"

#include "base/random.h"

#include <string.h>

/* Distances are kept in bytes, for all pairs of nodes, where they are below this and the nodes few enough; elsewhere
 * they are searched for anew, token by token. */
#define GFAB_MATCHING_FAR 255u
#define GFAB_MATCHING_TABLE_NODES ((size_t)1 << 14)

typedef enum gfab_matching_rule {
    GFAB_MATCHING_BFS,  /* formula (9): who is far from a token shares a weight among the links that bring it nearer */
    GFAB_MATCHING_FLOW, /* the same weight, split from a node to its neighbours nearer the region, and so on */
    GFAB_MATCHING_POTENTIAL /* the number of tokens that one end knows and the other does not */
} gfab_matching_rule;

/* Of one run. Exponents are in quarters, so that powers need square roots alone, which all processors round alike. */
typedef struct gfab_matching_settings {
    gfab_matching_rule rule;
    uint32_t dist_exp[2]; /* where the farthest node is at the diameter, and at 1; between them it falls evenly */
    uint32_t num_exp;
    uint32_t need_exp;    /* a node's weights count by what it lacks, to this power: who lags behind catches up */
    bool greedy;          /* the matching by falling weight, in place of the heaviest */
    uint32_t lookahead;   /* matchings tried in a round, >= 1 */
    uint32_t depth;       /* rounds played on from each of them before they are compared */
    uint32_t haste;       /* rounds have the length that is best for a startup this many hundredths of the true one */
    bool capped;          /* where packets are cut, links are weighed by what would be sent, and matched again */
    uint32_t noise;       /* a link's weight is raised by up to this many in a thousand, at random, anew each round */
    uint32_t class_noise; /* and by up to this for all links of a class alike, the same in all rounds */
    uint64_t seed;
} gfab_matching_settings;

/* What all runs share. */
typedef struct gfab_matching_graph {
    size_t nodes, links;
    uint32_t *ends; /* [2 * link + end] */
    size_t *start;  /* [node]: of its neighbours in peer and by; [nodes]: 2 * links */
    uint32_t *peer;
    uint32_t *by;         /* the link to that neighbour */
    uint32_t diameter;    /* 0 where there is no table of distances */
    size_t tiles, padded; /* padded: GFAB_TILE * tiles, columns */
    uint8_t *distance;    /* [(tile * nodes + node) * GFAB_TILE + column]; NULL: no table */
    uint32_t *link_class; /* links that lie opposite each other in cycles of 4 have the same class */
    gfab_arena arena;
} gfab_matching_graph;

/* table: with a table of distances, where the graph is small enough for one. Shares the work among workers threads. On
 * failure gfab_matching_graph_free is still due. */
gfab_status gfab_matching_graph_init(gfab_matching_graph *g, const gfab_topology *topology, bool table,
                                     unsigned workers);
void gfab_matching_graph_free(gfab_matching_graph *g);

/* What is asked for. */
typedef struct gfab_matching_problem {
    gfab_matching_graph graph;
    const gfab_matching_kernel *kernel;
    size_t tokens;
    uint32_t *origin; /* [token] */
    uint32_t packet;  /* most tokens in a packet, at most tokens */
    bool linear;      /* startup counts, and rounds are cut to the best length */
    gfab_ratio startup;
} gfab_matching_problem;

/* What is known where. */
typedef struct gfab_matching_state {
    size_t tokens, words;    /* words: of a set of tokens */
    uint64_t *known;         /* [node * words] */
    uint8_t *far;            /* [token * padded + node]: distances; 0 in columns past the nodes; NULL without a table */
    uint32_t farthest;       /* the highest of all distances; without a table, when weights were last made */
    uint32_t farthest_first; /* what it was before the first round */
    uint64_t missing;        /* deliveries still to make */
} gfab_matching_state;

void gfab_matching_state_reset(gfab_matching_state *s, const gfab_matching_graph *g, const uint32_t *origin);
void gfab_matching_state_copy(gfab_matching_state *to, const gfab_matching_state *from, const gfab_matching_graph *g);

/* Tokens that go through the tiles together: a tile's rows are then in the cache for all but the first. */
#define GFAB_MATCHING_BLOCK 16u

/* A thread's memory. */
typedef struct gfab_matching_worker {
    uint64_t *weights;                   /* [link] */
    uint32_t *list[GFAB_MATCHING_BLOCK]; /* of a token: its frontier, or those who get it */
    uint8_t *add[GFAB_MATCHING_BLOCK];   /* and of each node of it the links into the region, at most 255 */
    uint64_t *sums[GFAB_MATCHING_BLOCK]; /* and the weight of each of those links */
    uint32_t *into[GFAB_MATCHING_BLOCK]; /* the links into the region, of one frontier node after the other */
    uint32_t *into_count[GFAB_MATCHING_BLOCK];
    size_t count[GFAB_MATCHING_BLOCK]; /* of the frontier */
    /* For lists of frontier nodes, of one token, [node]: */
    uint32_t *distance;
    uint32_t *order; /* nodes by rising distance */
    double *flow;
    uint32_t *mark;
    size_t *list_start; /* of the node's frontier nodes in entries, and their number */
    size_t *list_count;
    uint32_t *links;     /* as add */
    uint64_t *node_sums; /* as sums */
    uint32_t *entries;
    size_t entry_capacity;
    uint32_t deepest;
    bool failed;
    gfab_arena arena;
} gfab_matching_worker;

/* The memory of gfab_matching_weights. */
typedef struct gfab_matching_scratch {
    unsigned workers;
    gfab_matching_worker *worker; /* [workers] */
    float *distance_power;        /* [distance] */
    float *count_power;           /* [count], for num_exp */
    uint32_t counts;              /* the highest count */
    float *need;                  /* [node] */
    uint32_t num_exp;
    gfab_arena arena;
} gfab_matching_scratch;

gfab_status gfab_matching_scratch_init(gfab_matching_scratch *scratch, const gfab_matching_graph *g, unsigned workers);
void gfab_matching_scratch_free(gfab_matching_scratch *scratch);

/* Weights of all links. priority: NULL, or [token * nodes + node] for what formula (9) gives to the links over which
 * the node could get the token, at least 1 there and of no meaning elsewhere. NO_MEMORY. */
gfab_status gfab_matching_weights(const gfab_matching_problem *problem, gfab_matching_state *s,
                                  const gfab_matching_settings *settings, gfab_matching_scratch *scratch,
                                  uint64_t *weights, uint32_t *priority);

/* A token that could be sent. */
typedef struct gfab_matching_candidate {
    uint64_t key; /* higher is better */
    uint32_t token;
} gfab_matching_candidate;

/* The memory of one run at a time. */
typedef struct gfab_matching_run {
    const gfab_matching_problem *problem;
    gfab_matching_state state, trial; /* trial: for looking ahead */
    gfab_matching_scratch scratch;
    uint64_t *weights;  /* [link] */
    uint64_t *altered;  /* [link] */
    uint32_t *order;    /* [link] */
    uint32_t *mate[4];  /* [node]: the round's; for looking ahead: one played on, the best, where the one began */
    uint32_t *priority; /* [token * nodes + node]; NULL where packets hold all that there is to send */
    uint64_t *chosen;   /* [node * words]: what the node gets in the round */
    uint32_t *gets;     /* [node]: how many */
    uint32_t *counts;   /* [token]: a histogram of gets; a packet */
    gfab_matching_candidate *candidates[GFAB_MAX_WORKERS]; /* [token] */
    gfab_arena arena;
} gfab_matching_run;

/* lookahead: looking ahead is wanted. On failure gfab_matching_run_free is still due. */
gfab_status gfab_matching_run_init(gfab_matching_run *run, const gfab_matching_problem *problem, bool lookahead,
                                   unsigned workers);
void gfab_matching_run_free(gfab_matching_run *run);

/* Asked before every round whether a run is to go on that will have at least so many rounds and transfers in all;
 * missing: deliveries still to make. Any status but OK ends the run. */
typedef struct gfab_matching_judge {
    gfab_status (*go_on)(void *context, uint64_t rounds, uint64_t transfers, uint64_t missing);
    void *context;
} gfab_matching_judge;

/* Plays one gossip and appends its packets to an empty schedule. transfers: the sum over the rounds of the longest
 * packet. Returns what the judge returns where that is not OK. */
gfab_status gfab_matching_play(gfab_matching_run *run, const gfab_matching_settings *settings,
                               const gfab_matching_judge *judge, gfab_schedule *schedule, uint64_t *transfers);

/* Whether any of eight columns is at distance 1. */
static inline bool gfab_matching_any_one(const uint8_t *eight)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t bytes;
    memcpy(&bytes, eight, 8);
    bytes ^= ones;
    return (bytes - ones) & ~bytes & (ones << 7);
}

/* base^(quarters / 4): a product of square roots, which are exactly rounded everywhere. */
double gfab_matching_power(double base, uint32_t quarters);

static inline bool gfab_matching_knows(const gfab_matching_state *s, size_t node, size_t token)
{
    return s->known[node * s->words + token / 64] >> (token % 64) & 1;
}

/* splitmix64 (Steele, Lea & Flood 2014), of a number. */
static inline uint64_t gfab_matching_hash(uint64_t number)
{
    return gfab_random(&number);
}

#endif
