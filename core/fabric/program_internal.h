/* SPDX-License-Identifier: MIT */
/* Private: how programs are kept. */
#ifndef GOSSIPFAB_PROGRAM_INTERNAL_H
#define GOSSIPFAB_PROGRAM_INTERNAL_H

#include <gossipfab/fabric/program.h>
#include <gossipfab/schedule/expression.h>

#include "base/word_array.h"

/* Ops are kept round by round, kind by kind of nodes, lane by lane, half by half, as words of half an op. */
struct gfab_program {
    const gfab_layout *layout;
    size_t kinds; /* of nodes, each with a program of its own: gfab_layout_kind */
    size_t lanes;
    uint32_t halves;
    uint32_t rounds;
    uint32_t period; /* 0, or it loops: in every so many rounds, from the first on, a group begins */
    word_array ops;
    uint32_t *gaps;   /* by round, from 0 */
    gfab_path *paths; /* as ops, without halves; NULL without paths */
};

/* One end of what goes over an arc in a round: end 0 sends. FAULT where the lane has something to do already. */
gfab_status gfab_program_set_end(gfab_program *program, uint32_t round, gfab_arc arc, uint32_t end, gfab_op op,
                                 gfab_diag *diag);

/* As gfab_program_allocate, at relays alone, for a program of a layout that has its relays' slots already: LIMIT where
 * it would take more. */
gfab_status gfab_program_allocate_again(const gfab_program *program, gfab_program **placed, gfab_diag *diag);

/* Of streams of a word a cycle, and all messages of their schedule: do nodes combine in the schedule's order, where the
 * operator minds it, and with half_links, do words go one way over each link between relays? UNSUPPORTED. */
gfab_status gfab_check_words(const gfab_image *image, bool half_links, const gfab_message *messages, size_t count,
                             gfab_diag *diag);

/* A schedule for any number of blocks as a program that loops, for hosts that give and take streams
 * (docs/guide/streams.md): how it becomes one. schedule is borrowed. UNSUPPORTED, with the reason, for what it cannot
 * be made of; LIMIT; NO_MEMORY. */
typedef struct gfab_loop gfab_loop;
gfab_status gfab_loop_create(const gfab_schedule *schedule, gfab_loop **loop, gfab_diag *diag);
void gfab_loop_destroy(gfab_loop *loop);
/* Slots that its ops name: the blocks of a layout for it, which has streams. */
uint32_t gfab_loop_slots(const gfab_loop *loop);
/* Its program, and the slots of the layout's relays. FAULT where a link is used twice in a round. */
gfab_status gfab_loop_lower(const gfab_loop *loop, gfab_layout *layout, gfab_program **program, gfab_diag *diag);

/* Have they the same ops, gaps and paths, for layouts of the same size? */
bool gfab_program_equal(const gfab_program *a, const gfab_program *b);

#endif
