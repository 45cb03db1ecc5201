/* SPDX-License-Identifier: MIT */
/* Gossip on one line of nodes, a cycle or a path, where a message costs a startup: approaches 1 and 2 and CircGo of
 * Sibeyn, Juurlink & Rao, section 4 (all-port) and section 7 (one-port), for any number of nodes. Nothing here knows a
 * topology: a plan is a list of messages between positions of the line, and whoever makes it runs it on a line of his
 * own (the phases on tori run it on every row). Formulas with their derivations: docs/theory/startup-cost.md.
 *
 * The line has positions 0 .. nodes - 1, step +1 goes up, on a cycle from the last to 0. Position i holds at the start
 * items i * items .. (i + 1) * items - 1 of the nodes * items items; every message carries a cyclic interval of them,
 * at most with the receiver's own items left out. In a round no two messages use a link in the same direction; with
 * one_port no position starts two or takes two. */
#ifndef GOSSIPFAB_SOLVERS_CIRCGO_PLAN_H
#define GOSSIPFAB_SOLVERS_CIRCGO_PLAN_H

#include <gossipfab/schedule/cost.h>

typedef struct gfab_circgo_line {
    uint32_t nodes;   /* >= 1; a cycle has 3 or more */
    uint32_t items;   /* at each position, >= 1; nodes * items < 2^31 */
    bool cycle;       /* else a path */
    bool one_port;    /* a position starts at most one message and takes at most one in a round */
    uint32_t longest; /* most items that a message may carry; UINT32_MAX for any number */
} gfab_circgo_line;

typedef enum gfab_circgo_form {
    /* approach 2: gathered by threes (one-port: by twos) at one position, and back on that tree */
    GFAB_CIRCGO_TREE,
    /* CircGo: heads in the middle of their cells, spaced floor(i n / heads); one-port: at the start of their cells.
     * heads = nodes without levels is approach 1 */
    GFAB_CIRCGO_CENTRES,
    /* CircGo on an all-port path: heads at floor(i (n - 1) / (heads - 1)), both ends included */
    GFAB_CIRCGO_ENDS
} gfab_circgo_form;

#define GFAB_CIRCGO_MAX_LEVELS 32

typedef struct gfab_circgo_level {
    uint32_t pieces;   /* a: what a gap between two heads is split in, >= 2; a shorter gap is split in all its links */
    uint32_t messages; /* k: what all items are cut in, >= 1; more than there are items counts as that many */
} gfab_circgo_level;

/* A plan by its parameters. */
typedef struct gfab_circgo_recipe {
    gfab_circgo_form form;
    uint32_t heads; /* bridgeheads of step 1, 1 .. nodes (ENDS: 2 .. nodes); TREE: not used */
    bool spare;     /* in the levels a new head is not sent its own items, where the messages can be cut so that this
                     * makes rounds shorter; false: the paper's messages */
    uint32_t level_count;
    gfab_circgo_level levels[GFAB_CIRCGO_MAX_LEVELS];
} gfab_circgo_recipe;

typedef struct gfab_circgo_message {
    uint32_t round; /* from 1 */
    uint32_t from, to;
    int step;       /* +1 or -1: the direction of its path */
    uint32_t begin; /* items begin, begin + 1, .., modulo nodes * items, */
    uint32_t count; /* count of them, >= 1, */
    uint32_t hole;  /* where `left_out` items are passed over behind the first `hole`: see gfab_circgo_item */
    uint32_t left_out;
} gfab_circgo_message;

/* Item number i, 0 .. count - 1, of a message. */
static inline uint32_t gfab_circgo_item(const gfab_circgo_line *line, const gfab_circgo_message *message, uint32_t i)
{
    const uint32_t total = line->nodes * line->items;
    const uint64_t item = (uint64_t)message->begin + i + (i < message->hole ? 0 : message->left_out);
    return (uint32_t)(item < total ? item : item - total);
}

typedef struct gfab_circgo_messages {
    gfab_circgo_message *messages; /* by round, then from, then step */
    size_t count, capacity;
} gfab_circgo_messages;

/* INVALID unless the recipe fits the line: form, heads, and levels that make every position a head, none to spare;
 * UNSUPPORTED where a message would be longer than line->longest. */
gfab_status gfab_circgo_check(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, gfab_diag *diag);
/* The cost of the plan, transfers in items, parts 1, by formula: what the messages of gfab_circgo_build sum to. The
 * recipe is one that gfab_circgo_check takes; so below. */
void gfab_circgo_cost(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, gfab_cost *cost);
/* The messages; to be freed with gfab_circgo_messages_free on any status. NO_MEMORY. */
gfab_status gfab_circgo_build(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe,
                              gfab_circgo_messages *plan);
void gfab_circgo_messages_free(gfab_circgo_messages *plan);

/* Approach 1: floor(n / 2) rounds on an all-port cycle, else n - 1. Approach 2. */
gfab_circgo_recipe gfab_circgo_approach1(const gfab_circgo_line *line);
gfab_circgo_recipe gfab_circgo_approach2(void);

/* What a search must keep to; 0 stands for any everywhere. The last of a list given holds for all levels behind it. */
typedef struct gfab_circgo_wish {
    bool spare;      /* recipe->spare; otherwise every message is one interval, as in the paper */
    bool form_given; /* GFAB_CIRCGO_CENTRES or GFAB_CIRCGO_ENDS */
    gfab_circgo_form form;
    uint32_t heads;       /* a1 */
    uint32_t level_count; /* with levels_given: exactly these many */
    bool levels_given;
    uint32_t pieces[GFAB_CIRCGO_MAX_LEVELS];   /* a2 of each level */
    uint32_t rounds[GFAB_CIRCGO_MAX_LEVELS];   /* b: as many messages are sent as fit in these rounds */
    uint32_t messages[GFAB_CIRCGO_MAX_LEVELS]; /* k; with b, too, they must agree */
    uint32_t pieces_count, rounds_count, messages_count;
} gfab_circgo_wish;

/* The cheapest CircGo that keeps to the wish (NULL: free; approach 1 is one of its recipes), heads, pieces and
 * messages of each level chosen by search over the formulas, where startup is that of a message in units of one
 * item's transfer. Deterministic: of equals the first found. INVALID where nothing keeps to the wish, UNSUPPORTED
 * where nothing does within line->longest; NO_MEMORY. */
gfab_status gfab_circgo_search(const gfab_circgo_line *line, const gfab_circgo_wish *wish, gfab_ratio startup,
                               gfab_circgo_recipe *recipe, gfab_diag *diag);
/* The cheapest of approach 1, approach 2 and CircGo. NO_MEMORY; UNSUPPORTED as above. */
gfab_status gfab_circgo_best(const gfab_circgo_line *line, gfab_ratio startup, gfab_circgo_recipe *recipe,
                             gfab_diag *diag);

#endif
