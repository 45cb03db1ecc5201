/* SPDX-License-Identifier: MIT */
/* The algorithms of message-passing libraries as steps of messages between ranks; private to this folder. */
#ifndef GOSSIPFAB_SOLVERS_LIBRARY_PLAN_H
#define GOSSIPFAB_SOLVERS_LIBRARY_PLAN_H

#include "solvers/solvers.h"

/* What a plan's steps are. */
typedef enum gfab_library_kind {
    GFAB_LIBRARY_SPREAD,   /* every block goes from where it is to all ranks, and reaches each once: an all-gather or a
                            * broadcast; backwards, with contributions, a reduce-scatter or a reduce */
    GFAB_LIBRARY_EXCHANGE, /* whole vectors, which are combined: of two ranks that send to each other in a step the one
                            * that sends later sends the total */
    GFAB_LIBRARY_MOVE      /* blocks are stored: an all-to-all */
} gfab_library_kind;

/* A message between ranks; its blocks are plan->blocks[first .. first + count - 1]. */
typedef struct gfab_library_message {
    uint32_t from, to;
    uint32_t count;
    size_t first;
} gfab_library_message;

typedef struct gfab_library_plan {
    const char *name; /* of the algorithm, for messages */
    gfab_library_kind kind;
    uint32_t ranks;
    gfab_library_message *messages; /* step after step */
    size_t message_count, message_room;
    uint32_t *blocks;
    size_t block_count, block_room;
    size_t *steps; /* [step_count + 1]: the first message of each */
    size_t step_count, step_room;
    size_t out;    /* EXCHANGE: from this step on messages are stored: totals on their way out */
    bool together; /* EXCHANGE: ranks send to more than one, so that all messages of a step have to go in one round */
} gfab_library_plan;

/* Where the ranks are: on a mesh or torus its axes with more than one node, else one axis. */
typedef struct gfab_library_ranks {
    uint32_t ranks;
    uint32_t axes;
    uint32_t side[GFAB_MAX_DIMENSIONS], stride[GFAB_MAX_DIMENSIONS];
    /* Groups of groups, of equal sizes: what stands closest together has neighbouring places, and a group at a level
     * the places that differ below it. One level: all ranks. */
    uint32_t levels, within[GFAB_MAX_DIMENSIONS]; /* groups of a level in one of the next; the lowest first */
    uint32_t ports[GFAB_MAX_DIMENSIONS];          /* to how many others of its level a rank sends at once, about */
    bool crosses;                                 /* links lead to other places of other groups; else they are rails */
    uint32_t *rank;                               /* [place]; to be freed */
    uint32_t tokens;                              /* of a message, at most */
    uint32_t steps;                               /* of the algorithm's row */
} gfab_library_ranks;

typedef struct gfab_library_algorithm {
    const char *name;
    const char *setting;  /* by which it is asked for: "algorithm=NAME" */
    uint32_t collectives; /* GFAB_MAKES of each */
    bool whole;           /* any number of blocks: they go together; else a multiple of the ranks */
    bool past;            /* for graphs with relays: everybody sends to everybody past them */
    bool fine;            /* 3 blocks a rank, or of whole ones 33, may be better than 2 or 4, or 32 or 64 */
    bool pairs;     /* each rank sends as many messages as there are ranks: long on many ranks, and slow to make */
    uint32_t steps; /* where it is made in so many; else 0 */
    /* Steps for a goal; UNSUPPORTED with the reason. */
    gfab_status (*plan)(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan, gfab_diag *diag);
} gfab_library_algorithm;

/* In order; NULL past the end. */
const gfab_library_algorithm *gfab_library_at(size_t index);

/* To be freed: at->rank. NO_MEMORY. */
gfab_status gfab_library_ranks_of(const gfab_topology *topology, const gfab_model *model, gfab_library_ranks *at);
/* Levels and places: library_groups.c. */
gfab_status gfab_library_find_groups(const gfab_topology *topology, gfab_library_ranks *at);

/* A message of the step that is open, and one block more for the last message. NO_MEMORY. */
gfab_status gfab_library_send(gfab_library_plan *plan, uint32_t from, uint32_t to);
gfab_status gfab_library_carry(gfab_library_plan *plan, uint32_t block);
/* Ends the step; one without messages is none. */
gfab_status gfab_library_end_step(gfab_library_plan *plan);
void gfab_library_release(gfab_library_plan *plan);
/* The same plan, but messages of many blocks are several, as many as may take different links side by side, so that all
 * of a step fit in a round by what the members' links carry. It borrows the plan's blocks: messages and steps are to be
 * freed, after an error too. NO_MEMORY. */
gfab_status gfab_library_cut(const gfab_library_plan *plan, const gfab_topology *topology, gfab_library_plan *cut);

/* ---- what the files of algorithms share ---- */

static inline bool gfab_library_is_power_of_two(uint32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static inline uint32_t gfab_library_log_of(uint32_t n)
{
    uint32_t log = 0;
    while (((uint64_t)1 << log) < n)
        log++;
    return log;
}

/* UNSUPPORTED where an axis has another number of ranks than a power of two. */
gfab_status gfab_library_check_powers(const gfab_library_ranks *at, const char *name, gfab_diag *diag);
/* Whom a rank exchanges with in the k-th of the steps of all axes. */
uint32_t gfab_library_swing_peer(const gfab_library_ranks *at, uint32_t way, uint32_t k, uint32_t rank);

/* The plans of the other files. */
typedef gfab_status gfab_library_planner(const gfab_library_ranks *at, const gfab_goal *goal, gfab_library_plan *plan,
                                         gfab_diag *diag);
gfab_library_planner gfab_library_plan_binomial, gfab_library_plan_chain, gfab_library_plan_swing_whole,
    gfab_library_plan_doubling, gfab_library_plan_dissemination, gfab_library_plan_across, gfab_library_plan_exchange,
    gfab_library_plan_multiplying, gfab_library_plan_knomial, gfab_library_plan_scatter_exchange,
    gfab_library_plan_pipelined, gfab_library_plan_rarest, gfab_library_plan_circulant;

/* Which round of its step a message goes in, from 0, and by which links. */
typedef struct gfab_library_way {
    uint32_t round;
    uint32_t length;
    size_t first; /* of way->arcs */
} gfab_library_way;

typedef struct gfab_library_embedding {
    gfab_library_way *ways; /* of each message */
    gfab_arc *arcs;
    size_t arc_count, arc_room;
    uint32_t *rounds; /* of each step */
} gfab_library_embedding;

/* Gives every message a shortest path, and the first round of its step in which one is free: long paths first, and
 * where links are shared, as past switches, messages of many blocks before that. Under store-and-forward UNSUPPORTED
 * where a path has several links, and passes what is no switch. */
gfab_status gfab_library_embed(const gfab_topology *topology, const gfab_model *model, const gfab_library_plan *plan,
                               const gfab_solver_options *options, gfab_library_embedding *embedding, gfab_diag *diag);
void gfab_library_embedding_release(gfab_library_embedding *embedding);

/* A plan's schedule into an empty one, for its goal; where members hang on several switches the plan's messages may be
 * cut in parts. UNSUPPORTED where packets are too long for the model, or not
 * together; else as gfab_library_embed. */
gfab_status gfab_library_append(const gfab_topology *topology, const gfab_model *model, gfab_library_plan *plan,
                                const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag);

#endif
