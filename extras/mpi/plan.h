/* SPDX-License-Identifier: MIT */
/* A rank's share of a schedule, as plan.c makes it and carry.c carries it out. */
#ifndef GOSSIPFAB_MPI_PLAN_H
#define GOSSIPFAB_MPI_PLAN_H

#include "gossipfab_mpi.h"

#include <gossipfab/base/arena.h>

/* A block that the rank has to do with. Its home is in the caller's receive buffer where the rank wants it, in the
 * plan's scratch memory otherwise; blocks of either kind lie there one behind the other, in rising order. */
typedef struct plan_place {
    uint32_t piece;  /* which of the plan's pieces, of group 0 where it repeats: how long it is (plan_piece_end) */
    uint32_t number; /* among the places of its kind */
    uint32_t owner;  /* where it repeats: the member whose data or result it is, 0 where they are not shared out */
    uint32_t given;  /* its number among the places that are held */
    bool held, wanted;
    bool written;                /* something of it comes in */
    size_t length, home, source; /* for the counts of one call: elements; source: in the caller's send buffer */
} plan_place;

/* Of an entry, beside GFAB_COMBINE. LOWER: what comes is of lower ranks than what is there; only where the plan is
 * ordered. GIVEN: the rank's own data is still as the caller gave it, and is read in the send buffer, if there is one:
 * it need not be copied first. */
#define PLAN_LOWER ((uint32_t)1 << 30)
#define PLAN_GIVEN ((uint32_t)1 << 29)
#define PLAN_PLACE (PLAN_GIVEN - 1)

typedef struct plan_message {
    int peer;
    int direction;       /* the receiver's, by which it comes in: the tag, and the order of combining */
    size_t first, count; /* its entries */
    bool staged; /* goes through a buffer of its own: from there it is combined or stored, or there it is packed */
    bool given;  /* all entries have PLAN_GIVEN; of one that comes in: it may come straight to its places, if there is
                  * a send buffer, as what it is added to is there */
    bool lower;  /* an entry has PLAN_LOWER */
} plan_message;

/* messages[receives .. sends - 1] come in, in rising order of directions; messages[sends .. end - 1] go out. */
typedef struct plan_round {
    size_t receives, sends, end;
    uint32_t number; /* the schedule's */
} plan_round;

/* What is carried in one round: a round of the plan for a group, group 0 where it does not repeat. */
typedef struct plan_part {
    const plan_round *round;
    uint32_t group;
} plan_part;

/* A message under way. */
typedef struct plan_transfer {
    const plan_message *message;
    uint32_t group;
    char *data;
    size_t length;   /* elements */
    uint32_t number; /* among those of its two ranks, one way, where they share memory */
    bool pending;    /* has not come */
} plan_transfer;

struct gfab_mpi_plan {
    MPI_Comm comm;
    gfab_mpi_near *near; /* NULL: all goes by MPI */
    uint32_t rank, nodes;
    uint32_t members;    /* nodes that are no relays: the goal's N */
    uint32_t *member_of; /* [node]: its rank among the members, which the goal means; GFAB_NO_RANK for a relay */
    gfab_goal goal;
    uint32_t pieces;      /* what count elements are cut in, unless there is a granule */
    uint32_t granule;     /* elements of a piece; 0: count is cut evenly */
    bool any_length;      /* as many pieces as the granule makes of count */
    uint32_t period;      /* rounds from a group to the next; 0: it does not repeat */
    uint32_t share;       /* pieces of a group */
    uint32_t kept_rounds; /* of group 0 */
    uint32_t *first;      /* [nodes + 1]: an uneven all-gather's first tokens; else NULL */
    uint32_t most_tokens; /* in a packet, anywhere in the schedule */
    plan_place *places;
    uint32_t place_count;
    plan_round *rounds; /* those that concern the rank */
    size_t round_count;
    const plan_round **round_at; /* where it repeats: [kept_rounds + 1], NULL where nothing concerns the rank */
    plan_message *messages;
    uint32_t *entries; /* a place, with GFAB_COMBINE where it is combined, and PLAN_LOWER */
    bool ordered;      /* whatever is combined is of ranks that follow each other: operators need not be commutative */
    bool gaps;         /* types with gaps are taken */
    bool borrowed;     /* the communicator is the caller's */
    int code;          /* MPI's, of the last call */
    plan_part *parts;  /* room for what is under way in one round */
    plan_transfer *transfers;
    MPI_Request *requests;
    size_t most_staged; /* messages in one round, where it repeats */

    MPI_Datatype named; /* the last predefined type that was taken, if any, and the bytes of an element */
    size_t named_size;
    size_t scratch_length, stage_length; /* elements, of one call, as the lengths of places */
    char *scratch, *stage;
    size_t scratch_size, stage_size; /* bytes */
    gfab_arena arena;
};

/* Sets ordered, and PLAN_LOWER of the entries, in which block b is place place_of[b]. False where memory runs out. */
bool gfab_mpi_plan_order(gfab_mpi_plan *plan, const gfab_schedule *schedule, const uint32_t *place_of);

/* Elements before a piece, of count. */
static inline size_t plan_piece_end(const gfab_mpi_plan *plan, uint64_t piece, int count)
{
    const uint64_t start = piece * plan->granule;
    if (plan->granule)
        return start < (uint64_t)count ? (size_t)start : (size_t)count;
    return (size_t)(piece * (uint64_t)count / plan->pieces);
}

#endif
