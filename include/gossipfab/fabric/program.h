/* SPDX-License-Identifier: MIT */
/* Programs: a schedule lowered to one op per round, node and lane, and on to ROM images; and both ways back. */
#ifndef GOSSIPFAB_PROGRAM_H
#define GOSSIPFAB_PROGRAM_H

#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/op.h>
#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

typedef struct gfab_program gfab_program; /* the programs of all nodes of a fabric */

/* An all-idle program of some rounds, for tools and tests. */
gfab_status gfab_program_create(const gfab_layout *layout, uint32_t rounds, gfab_program **program);
/* Lowers a schedule. layout (borrowed) must be for the schedule's topology, full duplex where the schedule is, and
 * with paths where a packet has several links, in as many parts as the schedule cuts tokens in (INVALID). A round
 * whose longest packet has s tokens becomes max(1, s) rounds of the program: the i-th moves the i-th token of each
 * packet. After the last of them comes a gap of gap_cycles, the time it takes to start a message; with paths it is
 * longer by gfab_timing_drain_cycles of the round's longest path. timing is the fabric's; it may be NULL without
 * paths. The layout must have the blocks of the schedule's goal, or more, and an operator where it combines, an
 * idempotent one where the goal is (INVALID). UNSUPPORTED where a packet has several blocks of a collective, and where
 * nodes of an all-gather start with more or less than a token each. FAULT where a link, or a direction of one, is used
 * twice in a round, or a packet's links do not join up; LIMIT above GFAB_MAX_ROUNDS rounds, and for a gap that takes
 * over GFAB_MAX_GAP_BITS; INTERRUPTED where progress (may be NULL) says so. */
gfab_status gfab_program_lower(const gfab_schedule *schedule, const gfab_layout *layout, const gfab_timing *timing,
                               uint64_t gap_cycles, const gfab_progress *progress, gfab_program **program,
                               gfab_diag *diag);
/* Of 1 to GFAB_MAX_PROGRAMS programs of one layout whose slots are blocks (else INVALID), as many whose slots are
 * allocated as blocks arrive, and reused as they leave. goal NULL: at relays alone. Otherwise goal is the single
 * program's, an all-to-all: at all nodes, and layout gets the places. layout, which is made like the programs' and
 * becomes that of placed, gets as many slots as a node needs at most, and each relay as many as it needs. A block may
 * be stored anew while it is still there; what is sent or combined after that is what came last. FAULT where a block is
 * sent, or combined, that is not there, or never comes where it is wanted. */
gfab_status gfab_program_allocate(const gfab_program *const *programs, size_t count, const gfab_goal *goal,
                                  gfab_layout *layout, gfab_program **placed, gfab_diag *diag);
void gfab_program_destroy(gfab_program *program);

uint32_t gfab_program_rounds(const gfab_program *program);
/* round from 1 to rounds. */
gfab_op gfab_program_op(const gfab_program *program, size_t node, uint32_t round, size_t lane);
/* Full duplex: half 0 of an op, which gfab_program_op gives, is what the lane sends, half 1 what it receives. */
gfab_op gfab_program_half(const gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half);
void gfab_program_set_half(gfab_program *program, size_t node, uint32_t round, size_t lane, uint32_t half, gfab_op op);
/* Cycles between a round, from 1, and the next; 0 after create. */
uint32_t gfab_program_gap(const gfab_program *program, uint32_t round);
void gfab_program_set_gap(gfab_program *program, uint32_t round, uint32_t cycles);

/* With paths: what a lane is set to in a round. */
gfab_path gfab_program_path(const gfab_program *program, size_t node, uint32_t round, size_t lane);
void gfab_program_set_path(gfab_program *program, size_t node, uint32_t round, size_t lane, gfab_path path);

/* Back to a schedule under the default model, full duplex and circuit where the layout is: a round for each of the
 * program's, packets of one token. Gaps are not a schedule's. INVERSE of lower for legal programs of one-token
 * packets. UNSUPPORTED for blocks. FAULT where the two ends of a link disagree. The layout's topology is borrowed by
 * the schedule. */
gfab_status gfab_program_raise(const gfab_program *program, gfab_schedule **schedule, gfab_diag *diag);

/* In the three below progress may be NULL; where it says so they return INTERRUPTED. */

/* The ROM images of a program, halts included. round_bits 0: the fewest that hold
 * rounds + 1 rounds; LIMIT where the given number is too few. As many gap bits as the longest gap needs. The image
 * borrows program's layout. */
gfab_status gfab_program_assemble(const gfab_program *program, uint32_t round_bits, const gfab_progress *progress,
                                  gfab_image **image, gfab_diag *diag);
/* Of 1 to GFAB_MAX_PROGRAMS of one layout (else INVALID), in one image: one behind another in this order, but a program
 * that another ends with, halt included, as its end; not so with protection. */
gfab_status gfab_program_assemble_all(const gfab_program *const *programs, size_t count, uint32_t round_bits,
                                      const gfab_progress *progress, gfab_image **image, gfab_diag *diag);
/* Back to ops, of program 0: every node's rounds up to the halt. FAULT where there is no halt. */
gfab_status gfab_program_disassemble(const gfab_image *image, const gfab_progress *progress, gfab_program **program,
                                     gfab_diag *diag);
/* Does the image, read back, give this program? Else FAULT, with the first node, round and lane that differ. */
gfab_status gfab_program_check_image(const gfab_program *program, const gfab_image *image,
                                     const gfab_progress *progress, gfab_diag *diag);
/* Does it give all of these? Also FAULT where it has more or fewer programs. */
gfab_status gfab_program_check_all(const gfab_program *const *programs, size_t count, const gfab_image *image,
                                   const gfab_progress *progress, gfab_diag *diag);

GFAB_C_END
#endif
