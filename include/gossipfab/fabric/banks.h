/* SPDX-License-Identifier: MIT */
/* The programs of wide nodes: which bank of its store a node keeps each token in, and what banks and lanes do in each
 * round. docs/reference/rom-format.md, "Wide programs".
 *
 * A bank takes at most one token a round and gives at most one. A token's address in its bank is the round in which it
 * arrives, 0 for the node's own: nothing needs to say where to write.
 *
 * Where the layout has blocks a node starts with those that its goal gives it. Each has an address at which nothing
 * arrives, so that here, too, nothing is ever overwritten. */
#ifndef GOSSIPFAB_BANKS_H
#define GOSSIPFAB_BANKS_H

#include <gossipfab/fabric/crossbar.h>
#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/schedule/goal.h>
#include <stdio.h>

GFAB_C_BEGIN

#define GFAB_NO_BANK UINT32_MAX
#define GFAB_NO_LANE UINT32_MAX
#define GFAB_NO_ADDRESS UINT32_MAX
/* Most banks of a node, and most lanes of one that combines. */
#define GFAB_MAX_BANKS 64u
#define GFAB_MAX_COMBINING_LANES 32u

typedef struct gfab_banks gfab_banks; /* the programs of all nodes */

/* What the programs of a fabric with blocks are for. There may be several, one behind another in the ROM, of which each
 * is played alone: what arrives is at the address that is its round of the ROM, and each has loads and places of its
 * own. */
typedef struct gfab_banks_use {
    size_t programs; /* 1 to GFAB_MAX_PROGRAMS */
    gfab_goal goals[GFAB_MAX_PROGRAMS];
    uint32_t first_rounds[GFAB_MAX_PROGRAMS]; /* of the ROM, from 0, where they begin; rising */
    uint32_t address_bits;                    /* of an address in a bank: round bits or more */
} gfab_banks_use;

/* Of one program, from round 0 on. */
gfab_banks_use gfab_banks_use_of(const gfab_goal *goal, uint32_t address_bits);

/* All idle, without a halt. layout (wide) is borrowed; use is NULL where it has no blocks, and only there (INVALID, as
 * for programs that do not rise or whose most blocks are not the layout's). LIMIT where round_bits or address_bits is
 * over 24, there are more than GFAB_MAX_BANKS banks, or, where the layout combines, GFAB_MAX_COMBINING_LANES lanes, or
 * the whole is too large to address. */
gfab_status gfab_banks_create(const gfab_layout *layout, const gfab_crossbar *crossbar, uint32_t round_bits,
                              const gfab_banks_use *use, gfab_banks **banks, gfab_diag *diag);
void gfab_banks_destroy(gfab_banks *banks);

/* Assigns banks for a checked image and makes the programs: goals has one for each program of the image; NULL where the
 * layout has no blocks. Nodes with the same ops get the same banks. For a crossbar other than FULL a token's bank
 * follows from the lane it comes by; FAULT, naming node, round and bank, where that makes two tokens meet. For FULL the
 * tokens of a node are coloured so that no two that arrive, or leave, in one round are in one bank: with
 * crossbar->banks colours, FAULT where they are found too few. */
gfab_status gfab_banks_assign(const gfab_image *image, const gfab_goal *goals, const gfab_crossbar *crossbar,
                              gfab_banks **banks, gfab_diag *diag);
/* The smallest crossbar that fits: AXES, PINWHEEL, ARRIVAL, then FULL with the fewest banks found. LIMIT where that is
 * more than GFAB_MAX_BANKS. */
gfab_status gfab_banks_fit(const gfab_image *image, const gfab_goal *goals, gfab_banks **banks, gfab_diag *diag);

const gfab_layout *gfab_banks_layout(const gfab_banks *banks);
const gfab_crossbar *gfab_banks_crossbar(const gfab_banks *banks);
uint32_t gfab_banks_round_bits(const gfab_banks *banks);
uint32_t
gfab_banks_address_bits(const gfab_banks *banks); /* of a token's address in its bank; without blocks round bits */
size_t gfab_banks_program_count(const gfab_banks *banks);
gfab_goal gfab_banks_goal(const gfab_banks *banks, size_t program);
uint32_t gfab_banks_first_round(const gfab_banks *banks, size_t program);
/* Entries of a node's tables: as many as the node with most starts with, or wants; 0, and N, without blocks. Of several
 * programs each has as many as the one with most needs, rounded up to a power of two: entry {program, index}. */
uint32_t gfab_banks_load_count(const gfab_banks *banks);
uint32_t gfab_banks_place_count(const gfab_banks *banks);
uint32_t gfab_banks_first_load(const gfab_banks *banks, size_t program); /* entry of its first one */
uint32_t gfab_banks_first_place(const gfab_banks *banks, size_t program);

/* Rounds are those of the ROM, and count from 1 to 2^round bits. */
uint32_t gfab_banks_read(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank); /* the address read */
uint32_t gfab_banks_send(const gfab_banks *banks, size_t node, uint32_t round,
                         uint32_t lane); /* the bank, or NO_BANK */
uint32_t gfab_banks_store(const gfab_banks *banks, size_t node, uint32_t round,
                          uint32_t bank); /* the lane, or NO_LANE */
/* Where the layout combines, in the place of store: the lanes whose flits the bank stores, a bit each; several are
 * combined. And the address of what they are combined with, in the same bank, or NO_ADDRESS. */
uint32_t gfab_banks_lanes(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank);
uint32_t gfab_banks_old(const gfab_banks *banks, size_t node, uint32_t round, uint32_t bank);
void gfab_banks_set_lanes(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t lanes);
void gfab_banks_set_old(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t address);
uint32_t gfab_banks_halt(const gfab_banks *banks, size_t program); /* the round of its halt; 0: none */
uint32_t gfab_banks_gap(const gfab_banks *banks, uint32_t round);  /* idle cycles behind the round */
void gfab_banks_set_read(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t address);
void gfab_banks_set_send(gfab_banks *banks, size_t node, uint32_t round, uint32_t lane, uint32_t bank);
void gfab_banks_set_store(gfab_banks *banks, size_t node, uint32_t round, uint32_t bank, uint32_t lane);
void gfab_banks_set_halt(gfab_banks *banks, size_t program, uint32_t round);
void gfab_banks_set_gap(gfab_banks *banks, uint32_t round, uint32_t cycles);
/* Where the token of a store slot is once the gossip is over; with blocks slot is an entry: the first place of a
 * program and the index of a block that the node wants (gfab_goal_wanted). */
uint32_t gfab_banks_bank(const gfab_banks *banks, size_t node, uint32_t slot);
uint32_t gfab_banks_address(const gfab_banks *banks, size_t node, uint32_t slot);
void gfab_banks_set_place(gfab_banks *banks, size_t node, uint32_t slot, uint32_t bank, uint32_t address);
/* With blocks: where a block that the node starts with is loaded to; index is an entry, likewise (gfab_goal_held). */
uint32_t gfab_banks_load_bank(const gfab_banks *banks, size_t node, uint32_t index);
uint32_t gfab_banks_load_address(const gfab_banks *banks, size_t node, uint32_t index);
void gfab_banks_set_load(gfab_banks *banks, size_t node, uint32_t index, uint32_t bank, uint32_t address);

/* A program as $readmemh text: a word for each of 2^round bits rounds. A place table: a word for each of
 * N tokens, by origin, or for each block that a node wants: the address, above it the bank, and with protection a bit
 * that makes the number of ones odd. A load table: likewise for each block that a node starts with; there is one where
 * the load count is not 0. What a node, or a program, has fewer of than another is filled up with zeros,
 * but places of a fabric that is there twice: with that of something that the node has. */
uint32_t gfab_banks_word_bits(const gfab_banks *banks);
gfab_status gfab_banks_write_program(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);
/* The same where programs are in block RAMs: every word has the digits of the sequence's word of its round, with a gap
 * of gap_bits, before its own. */
gfab_status gfab_banks_write_joined(const gfab_banks *banks, size_t node, uint32_t gap_bits, FILE *file,
                                    gfab_diag *diag);
/* The words of a program's first rounds, 2^round bits at most, each with end behind it. */
gfab_status gfab_banks_write_words(const gfab_banks *banks, size_t node, uint32_t rounds, const char *end, FILE *file,
                                   gfab_diag *diag);
gfab_status gfab_banks_write_places(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);
gfab_status gfab_banks_write_loads(const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);
/* Whole files, one word a line of exactly the digits that write gives it; PARSE with the line. The sequence, which is
 * read before programs, has gaps, and a halt for each program in rising order; FAULT where it has more. It is
 * gfab_image_write_sequence that writes it. */
gfab_status gfab_banks_read_sequence(gfab_banks *banks, uint32_t gap_bits, FILE *file, gfab_diag *diag);
gfab_status gfab_banks_read_program(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);
/* What write_joined writes. Where `first` the gaps and halts are set by it, as by read_sequence; else they are
 * compared: PARSE. */
gfab_status gfab_banks_read_joined(gfab_banks *banks, size_t node, bool first, uint32_t gap_bits, FILE *file,
                                   gfab_diag *diag);
gfab_status gfab_banks_read_places(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);
gfab_status gfab_banks_read_loads(gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag);

/* Are the programs legal, each by itself, so that what is proved of the modules for legal words holds for the fabric,
 * and is every token where the place table says? Followed from round to round with tokens in the banks: lanes that a
 * node does not have rest; the crossbar has the ways used; the ends of a link never both send (half duplex), and what
 * is sent is received; an address that is sent from was written timing->hop_rounds rounds before, and no bank that no
 * lane sends from is asked for anything but address 0. With blocks: every block that a node starts with is loaded to a
 * cell of its own, and nothing that arrives is written over it; contributions that are combined are of one block, no
 * more at once than a chain of timing->merges takes, and, unless the operator is idempotent, none of them counts twice;
 * what a node wants has them all. FAULT with node and round in diag. *rounds (may be NULL) gets the number of rounds of
 * program 0. */
gfab_status gfab_banks_check(const gfab_banks *banks, const gfab_timing *timing, uint32_t *rounds, gfab_diag *diag);

GFAB_C_END
#endif
