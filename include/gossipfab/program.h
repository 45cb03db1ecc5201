/* SPDX-License-Identifier: MIT */
/* Programs: a schedule lowered to one op per round, node and lane, and on to ROM images; and both ways back. */
#ifndef GOSSIPFAB_PROGRAM_H
#define GOSSIPFAB_PROGRAM_H

#include <gossipfab/image.h>
#include <gossipfab/op.h>
#include <gossipfab/schedule.h>
#include <gossipfab/slots.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gfab_program gfab_program; /* the programs of all nodes of a fabric */

/* An all-idle program of some rounds, for tools and tests. */
gfab_status gfab_program_create(const gfab_slots *slots, uint32_t rounds, gfab_program **program);
/* Lowers a schedule. slots (borrowed) must be for the schedule's topology
 * (INVALID). UNSUPPORTED, naming the model's part, where the hardware does not
 * do it yet: full-duplex links, packets of several tokens or links. FAULT where a link
 * is used twice in a round. */
gfab_status gfab_program_lower(const gfab_schedule *schedule, const gfab_slots *slots, gfab_program **program,
                               gfab_diag *diag);
void gfab_program_destroy(gfab_program *program);

const gfab_slots *gfab_program_slots(const gfab_program *program);
uint32_t gfab_program_rounds(const gfab_program *program);
/* round from 1 to rounds. */
gfab_op gfab_program_op(const gfab_program *program, size_t node, uint32_t round, size_t lane);
void gfab_program_set_op(gfab_program *program, size_t node, uint32_t round, size_t lane, gfab_op op);

/* Disassembles back to a schedule under the default model; INVERSE of lower for
 * legal programs. FAULT where the two ends of a link disagree. topology of slots is borrowed by the schedule. */
gfab_status gfab_program_raise(const gfab_program *program, gfab_schedule **schedule, gfab_diag *diag);

/* The ROM images of a program, halts included. round_bits 0: the fewest that hold
 * rounds + 1 rounds; LIMIT where the given number is too few. The image borrows program's slots. */
gfab_status gfab_program_assemble(const gfab_program *program, uint32_t round_bits, gfab_image **image,
                                  gfab_diag *diag);
/* Back to ops: every node's rounds up to its halt. FAULT where there is no halt, or halts differ between nodes. */
gfab_status gfab_program_disassemble(const gfab_image *image, gfab_program **program, gfab_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
