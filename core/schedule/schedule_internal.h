/* SPDX-License-Identifier: MIT */
/* Private: how a schedule is kept, for the files that build and iterate one.
 *
 * Packets lie one after the other in one array of 32-bit words. The common one, one token over one link, is two words:
 * arc, token. Any other is, with the top bit of the first word set: arc count, token count, the arcs, the tokens. */
#ifndef GOSSIPFAB_SCHEDULE_INTERNAL_H
#define GOSSIPFAB_SCHEDULE_INTERNAL_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

#define GFAB_LONG_FORM ((uint32_t)1 << 31) /* arcs stay below: a topology has at most 2^27 links */

/* How a schedule repeats. A "share" is what one owner has of a group: the group's blocks of a node in an all-gather or
 * a reduce-scatter, the whole group in other collectives, where one owner stands for all. */
typedef struct gfab_repeat {
    uint32_t period;       /* rounds from a group's move to the next group's; 0: the schedule does not repeat */
    uint32_t group;        /* blocks of a group */
    uint32_t share;        /* of these an owner's */
    uint32_t length;       /* blocks of an owner in the whole vector */
    uint32_t count;        /* groups: the last may be a part of one */
    uint32_t last;         /* blocks of a share that the last group has, 1 .. share */
    uint32_t last_rounds;  /* last round, in the kept numbering, of those blocks */
    uint64_t last_packets; /* and their packets */
    uint64_t last_moves;   /* and the links of these */
    bool any_length;
} gfab_repeat;

struct gfab_schedule {
    const gfab_topology *topology;
    gfab_model model;
    char solver[64];
    size_t arc_limit;
    bool switches;      /* the topology has some, so that a group's packets may pass them */
    size_t token_limit; /* tokens of what is kept: blocks of the goal, or of a group */
    gfab_goal goal;
    uint32_t flags; /* that a token may have: GFAB_COMBINE or 0 */
    uint32_t parts;
    uint32_t *first_token; /* all-gather: an entry a node and one more; NULL where every node has `parts` */
    bool uneven;           /* a member has not `parts` tokens */
    uint32_t *words;
    size_t word_count;
    size_t word_capacity;
    size_t *round_start; /* round r has words round_start[r - 1] .. round_start[r], the last round ends at word_count */
    uint32_t rounds;     /* kept */
    size_t round_capacity;
    uint64_t packet_count; /* kept */
    uint64_t move_count;   /* of these */
    uint32_t *numbers;     /* kept as one tree: 0, 1, .., which a translate's arc and token point into; else NULL */
    gfab_repeat repeat;
};

/* Has the last group a kept token's block? */
static inline bool gfab_repeat_in_last(const gfab_repeat *repeat, uint32_t token)
{
    return (token & ~GFAB_COMBINE) % repeat->share < repeat->last;
}

/* Counts a kept packet of the last group. */
static inline void gfab_repeat_count(gfab_repeat *repeat, uint32_t round, uint32_t token, size_t links)
{
    if (!gfab_repeat_in_last(repeat, token))
        return;
    repeat->last_rounds = round;
    repeat->last_packets++;
    repeat->last_moves += links;
}

/* What every node starts with in an all-gather of so many blocks a node, in place of what was set before.
 * INVALID, LIMIT, NO_MEMORY. */
gfab_status gfab_schedule_load_members(gfab_schedule *schedule, uint32_t blocks);

GFAB_C_END
#endif
