/* SPDX-License-Identifier: MIT */
/* Which ranks' contributions a partial result has: where they always follow each other, a schedule adds up in the order
 * of the ranks, and an operator need not be commutative. */
#include "plan.h"

#include <stdlib.h>

/* Beyond so many ranks times blocks nobody looks: such a plan is not ordered. */
#define MOST_RESULTS ((uint64_t)1 << 20)

typedef struct range {
    uint32_t first, last; /* ranks */
} range;

/* A block of a message: what the sender had of it before the round. */
typedef struct arrival {
    uint32_t to, direction, token;
    size_t order;
    range carried;
} arrival;

typedef struct follower {
    gfab_mpi_plan *plan;
    const gfab_schedule *schedule;
    range *had; /* [node][block] */
    arrival *arrivals;
    size_t count, room;
} follower;

static int compare(const void *a, const void *b)
{
    const arrival *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool add(follower *f, arrival one)
{
    if (f->count == f->room) {
        const size_t room = 2 * f->room + 64;
        arrival *grown = realloc(f->arrivals, room * sizeof *grown);
        if (!grown)
            return false;
        f->arrivals = grown;
        f->room = room;
    }
    one.order = f->count;
    f->arrivals[f->count++] = one;
    return true;
}

/* What comes in a round, in the order in which it is combined. */
static bool collect(follower *f, uint32_t round)
{
    const gfab_topology *topology = gfab_schedule_topology(f->schedule);
    gfab_packet_iter packets = gfab_schedule_round(f->schedule, round);
    f->count = 0;
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
        const gfab_arc last = packet.arcs[packet.arc_count - 1];
        const uint32_t from = gfab_topology_arc_from(topology, packet.arcs[0]);
        for (size_t i = 0; i < packet.token_count; i++) {
            const uint32_t block = packet.tokens[i] & ~GFAB_COMBINE;
            if (!add(f, (arrival){gfab_topology_arc_to(topology, last), gfab_topology_arrival(topology, last),
                                  packet.tokens[i], 0, f->had[from * (size_t)f->plan->goal.blocks + block]}))
                return false;
        }
    }
    if (f->count)
        qsort(f->arrivals, f->count, sizeof *f->arrivals, compare);
    return true;
}

/* The rank's entries of a round are in the order of the directions, but in a message by places: found by block. */
static void mark(gfab_mpi_plan *plan, const plan_round *round, const arrival *a, uint32_t place)
{
    for (plan_message *m = plan->messages + round->receives; m < plan->messages + round->sends; m++)
        for (size_t i = m->first; i < m->first + m->count; i++)
            if ((uint32_t)m->direction == a->direction && (plan->entries[i] & PLAN_PLACE) == place) {
                plan->entries[i] |= PLAN_LOWER;
                m->lower = true;
            }
}

/* Combines or stores; false where ranks do not follow each other. */
static bool apply(follower *f, const plan_round *round, const arrival *a, const uint32_t *place_of)
{
    const uint32_t block = a->token & ~GFAB_COMBINE;
    range *had = &f->had[a->to * (size_t)f->plan->goal.blocks + block];
    if (!(a->token & GFAB_COMBINE)) {
        *had = a->carried;
        return true;
    }
    const bool lower = a->carried.last + 1 == had->first, higher = had->last + 1 == a->carried.first;
    if (lower && a->to == f->plan->rank && round)
        mark(f->plan, round, a, place_of[block]);
    had->first = lower ? a->carried.first : had->first;
    had->last = higher ? a->carried.last : had->last;
    return lower || higher;
}

/* From round to round what each rank has of each block. */
static void follow(follower *f, const uint32_t *place_of)
{
    const gfab_mpi_plan *plan = f->plan;
    const plan_round *at = plan->rounds;
    bool ordered = true;
    for (uint32_t v = 0; v < plan->nodes; v++)
        for (uint32_t block = 0; block < plan->goal.blocks; block++)
            f->had[v * (size_t)plan->goal.blocks + block] = (range){plan->member_of[v], plan->member_of[v]};
    for (uint32_t round = 1; round <= plan->kept_rounds && ordered; round++) {
        while (at < plan->rounds + plan->round_count && at->number < round)
            at++;
        const bool own = at < plan->rounds + plan->round_count && at->number == round;
        ordered = collect(f, round);
        for (size_t i = 0; i < f->count && ordered; i++)
            ordered = apply(f, own ? at : NULL, &f->arrivals[i], place_of);
    }
    f->plan->ordered = ordered;
}

bool gfab_mpi_plan_order(gfab_mpi_plan *plan, const gfab_schedule *schedule, const uint32_t *place_of)
{
    follower f = {.plan = plan, .schedule = schedule};
    const uint64_t results = (uint64_t)plan->nodes * plan->goal.blocks;
    plan->ordered = false;
    if (plan->period || plan->goal.idempotent || !gfab_collective_combines(plan->goal.collective) ||
        plan->members < plan->nodes || results > MOST_RESULTS)
        return true;
    f.had = malloc(results * sizeof *f.had);
    if (f.had)
        follow(&f, place_of);
    const bool good = f.had;
    GFAB_FREE(f.arrivals, f.had);
    return good;
}
