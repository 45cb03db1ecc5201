/* SPDX-License-Identifier: MIT */
/* Private: a rank's steps, as they are made and written. */
#ifndef GOSSIPFAB_C_PLAN_INTERNAL_H
#define GOSSIPFAB_C_PLAN_INTERNAL_H

#include <gossipfab/formats/c_plan.h>

#include "base/embedded.h"
#include "formats/formats.h"
#include "gfab_carry.h"

/* The run time. */
extern const gfab_embedded gfab_carry_files[];

/* A block of a message at one of its ends. Those of a rank are in the order in which it takes them. */
typedef struct gfab_act {
    uint32_t rank, round;
    uint32_t colour; /* of all messages of a round that one has an end in common with none has the same */
    uint32_t place;  /* in the message */
    uint32_t block, peer;
    uint32_t direction; /* of what comes: what is combined is combined in their order */
    bool sends, combine;
} gfab_act;

typedef struct gfab_acts {
    gfab_act *at;
    size_t count;
} gfab_acts;

/* By rank, round, colour, place. UNSUPPORTED where a packet goes over several links; LIMIT; NO_MEMORY. */
gfab_status gfab_acts_of(const gfab_schedule *schedule, gfab_acts *acts, gfab_diag *diag);

typedef struct gfab_c_plan {
    gfab_carry_plan plan; /* steps and rounds are in the arrays below */
    gfab_carry_step *steps;
    size_t room;
    uint32_t *rounds;
} gfab_c_plan;

/* What plans of a schedule are made in, one after the other. */
typedef struct gfab_c_plan_maker gfab_c_plan_maker;
gfab_status gfab_c_plan_maker_create(const gfab_schedule *schedule, gfab_c_plan_maker **maker, gfab_diag *diag);
void gfab_c_plan_maker_destroy(gfab_c_plan_maker *maker);
/* The plan of a node, of these acts; borrowed until the next call. LIMIT; NO_MEMORY. */
gfab_status gfab_c_plan_make(gfab_c_plan_maker *maker, uint32_t node, const gfab_act *acts, size_t count,
                             const gfab_c_plan **plan, gfab_diag *diag);

#endif
