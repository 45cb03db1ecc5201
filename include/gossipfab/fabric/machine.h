/* SPDX-License-Identifier: MIT */
/* A machine: a fabric with its programs, as hardware has it. gfab_machine_compile (compile.h) makes one of a schedule;
 * the C model runs it and the generator writes it. Nothing here knows of schedules. */
#ifndef GOSSIPFAB_MACHINE_H
#define GOSSIPFAB_MACHINE_H

#include <gossipfab/fabric/banks.h>
#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/timing.h>

GFAB_C_BEGIN

typedef struct gfab_machine gfab_machine;

/* Of parts that the caller keeps: they are borrowed, and not checked. Narrow: image. Wide: banks, and image, from which
 * they were assigned; image may be NULL, and then the machine can be run, but not written. INVALID where timing is not
 * one for the layout; NO_MEMORY. */
gfab_status gfab_machine_create(const gfab_image *image, const gfab_banks *banks, const gfab_timing *timing,
                                gfab_machine **machine);
/* What one of its programs is for; images of narrow nodes do not say it. */
void gfab_machine_set_goal(gfab_machine *machine, size_t program, const gfab_goal *goal);
void gfab_machine_destroy(gfab_machine *machine);

/* Are its images and wide programs legal? Errors: those of gfab_image_check and gfab_banks_check. */
gfab_status gfab_machine_check(const gfab_machine *machine, gfab_diag *diag);

/* All borrowed. */
const gfab_topology *gfab_machine_topology(const gfab_machine *machine);
const gfab_layout *gfab_machine_layout(const gfab_machine *machine);
const gfab_timing *gfab_machine_timing(const gfab_machine *machine);
const gfab_image *gfab_machine_image(const gfab_machine *machine);     /* NULL: made of banks alone */
const gfab_sharing *gfab_machine_sharing(const gfab_machine *machine); /* NULL where image is */
const gfab_banks *gfab_machine_banks(const gfab_machine *machine);     /* NULL: narrow */

/* A collective that the fabric plays: one of the programs that every ROM has. */
typedef struct gfab_machine_program {
    gfab_goal goal;       /* of 0 blocks where it is not known: a node may hold and want every block */
    uint32_t first_round; /* of the ROM, from 0, where it begins */
    uint32_t rounds;      /* up to the halt */
    uint64_t cycles;      /* R F + c and the gaps */
} gfab_machine_program;
size_t gfab_machine_program_count(const gfab_machine *machine); /* 1 to GFAB_MAX_PROGRAMS */
const gfab_machine_program *gfab_machine_program_at(const gfab_machine *machine, size_t program);

/* Where its operator is chained, so that the order counts: the messages of a program's schedule, as
 * gfab_schedule_messages has them; borrowed. Else, or where the machine was not compiled, NULL, of 0 messages. */
const gfab_message *gfab_machine_messages(const gfab_machine *machine, size_t program, size_t *count);

/* Of program 0. */
uint32_t gfab_machine_rounds(const gfab_machine *machine);     /* up to the halt */
uint32_t gfab_machine_round_bits(const gfab_machine *machine); /* ROMs hold 2^round bits rounds, the halt's included */
uint64_t gfab_machine_gap_cycles(const gfab_machine *machine); /* of program 0 */
uint64_t gfab_machine_cycles(const gfab_machine *machine);     /* of a gossip: R F + c and the gaps */

uint64_t gfab_machine_store_bits(const gfab_machine *machine); /* of one member, as its slots or banks need them */
uint64_t gfab_machine_relay_store_bits(const gfab_machine *machine); /* of all relays together, likewise */
/* A node's ROM: its words, ops or those of its wide program, and the bits of one and of all, without the sequence's. */
size_t gfab_machine_word_count(const gfab_machine *machine);
uint32_t gfab_machine_word_bits(const gfab_machine *machine);
uint64_t gfab_machine_rom_bits(const gfab_machine *machine);
uint64_t gfab_machine_program_bits(const gfab_machine *machine); /* of all different programs */

/* What the ROM files of a folder do not say of themselves. */
typedef struct gfab_machine_shape {
    gfab_layout_options layout;
    gfab_timing_options timing;
    gfab_crossbar_kind crossbar; /* wide nodes: theirs, and how many banks a full one has */
    uint32_t banks;
    gfab_banks_use use; /* the programs, 0 for one; their goals where nodes are wide and the layout has blocks */
    uint32_t slots;     /* narrow nodes whose slots are all reused, for use.goals[0]: how many; else 0 */
    /* Where there are relays: the slots of each node's store, an entry a node, of which those of relays are looked at;
     * borrowed. NULL: as many as a member's. */
    const uint32_t *node_slots;
} gfab_machine_shape;

/* From a folder with ROM files as the generator writes them: sequence.hex, and of every node program_<node>.hex and,
 * where there are some, paths_<node>.hex, places_<node>.hex and loads_<node>.hex. Not checked; wide machines have no
 * image. topology is borrowed. Errors: UNSUPPORTED without sequence.hex (programs once had halts of their own), IO,
 * PARSE with the file's name, those of the layout, its slots, timing and crossbar. */
gfab_status gfab_machine_read(const gfab_topology *topology, const gfab_machine_shape *shape, const char *folder,
                              gfab_machine **machine, gfab_diag *diag);

GFAB_C_END
#endif
