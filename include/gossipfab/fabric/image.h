/* SPDX-License-Identifier: MIT */
/* ROM images: the bits that the sequencer ROMs hold, as $readmemh text. docs/reference/rom-format.md. */
#ifndef GOSSIPFAB_IMAGE_H
#define GOSSIPFAB_IMAGE_H

#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/op.h>
#include <gossipfab/fabric/timing.h>
#include <stdio.h>

GFAB_C_BEGIN

typedef struct gfab_image gfab_image; /* the images of all nodes of a fabric */

/* All words 0 (idle). The ROM of each node holds 2^round_bits rounds, the halt's included.
 * layout is borrowed; full duplex or not, it says what an op is. LIMIT where round_bits is over 24, an op has over
 * 32 bits, each half of a full-duplex one, or the whole is too large to address. */
gfab_status gfab_image_create(const gfab_layout *layout, uint32_t round_bits, gfab_image **image, gfab_diag *diag);
void gfab_image_destroy(gfab_image *image);

const gfab_layout *gfab_image_layout(const gfab_image *image);
uint32_t gfab_image_round_bits(const gfab_image *image);
uint32_t gfab_image_slot_bits(const gfab_image *image);   /* max(1, ceil(log2 N P)), N P or B slots */
uint32_t gfab_image_op_bits(const gfab_image *image);     /* slot bits + 2, for each half */
uint32_t gfab_image_lane_stride(const gfab_image *image); /* K rounded up to a power of two */
/* Words of one node's ROM: 2^round_bits * lane_stride. Word (r - 1) * lane_stride + lane is the op of lane in round
 * r. */
size_t gfab_image_word_count(const gfab_image *image);
uint64_t gfab_image_word(const gfab_image *image, size_t node, size_t index);
/* Where nodes are alike, that of all nodes of its kind. */
void gfab_image_set_word(gfab_image *image, size_t node, size_t index, uint64_t word);

/* The programs that are in it, one behind another or one the end of another: of each the round, from 0, in which it
 * begins, the same in all nodes. One, from round 0, after create. */
#define GFAB_MAX_PROGRAMS 16u
/* INVALID for none, more than GFAB_MAX_PROGRAMS, or a round that the ROM does not hold. */
gfab_status gfab_image_set_programs(gfab_image *image, const uint32_t *first_rounds, size_t count, gfab_diag *diag);
size_t gfab_image_program_count(const gfab_image *image);
uint32_t gfab_image_first_round(const gfab_image *image, size_t program);
/* Is a round (from 1) none, but a halt: what follows the last round of a program? It is the fabric's, one for all
 * nodes, as gaps are. */
bool gfab_image_halts(const gfab_image *image, size_t round);
void gfab_image_set_halt(gfab_image *image, size_t round, bool halts);
/* Of a program that loops: does a group begin with a round; does the first round follow it again, while there are
 * groups? */
bool gfab_image_begins(const gfab_image *image, size_t round);
bool gfab_image_loops(const gfab_image *image, size_t round);
void gfab_image_set_loop(gfab_image *image, size_t round, bool begins, bool loops);
/* Of a layout with streams: the greatest age of a group (how many have begun behind it) of which a host gives or takes
 * a block, and one more. */
uint32_t gfab_image_ages(const gfab_image *image);
/* Likewise: the rank of a host that gives in the period in which a group begins, so that no other gives earlier. */
uint32_t gfab_image_leader(const gfab_image *image);
/* Rounds of a program before its halt, the first from its first round on; all that the ROM still holds where there is
 * none. */
uint32_t gfab_image_rounds(const gfab_image *image, size_t program);

/* The op of a lane in a round (from 1): what it does, or, full duplex, what it sends (half 0) and receives (half 1). */
gfab_op gfab_image_op(const gfab_image *image, size_t node, size_t round, size_t lane, uint32_t half);

/* The gaps, which all nodes share: cycles between a round (from 1) and the next. A gap is below 2^gap_bits; 0
 * bits after create: no gaps. LIMIT above GFAB_MAX_GAP_BITS or where a gap needs more. */
#define GFAB_MAX_GAP_BITS 24u
gfab_status gfab_image_set_gap_bits(gfab_image *image, uint32_t gap_bits, gfab_diag *diag);
uint32_t gfab_image_gap_bits(const gfab_image *image);
uint32_t gfab_image_gap(const gfab_image *image, size_t round);
void gfab_image_set_gap(gfab_image *image, size_t round, uint32_t cycles);
/* All gaps of a program up to its halt. */
uint64_t gfab_image_gap_cycles(const gfab_image *image, size_t program);

/* The paths of a round, where the layout has them: words beside those of the ops, with the same index, {wait, tap,
 * source} of ceil(log2(K + 1)), ceil(log2 K) and wait_bits bits; 1 wait bit after create. LIMIT where a word has over
 * 32 bits or a wait needs more. */
gfab_status gfab_image_set_wait_bits(gfab_image *image, uint32_t wait_bits, gfab_diag *diag);
uint32_t gfab_image_wait_bits(const gfab_image *image);
uint32_t gfab_image_path_bits(const gfab_image *image); /* of a word; 0 without paths */
gfab_path gfab_image_path(const gfab_image *image, size_t node, size_t round, size_t lane);
void gfab_image_set_path(gfab_image *image, size_t node, size_t round, size_t lane, gfab_path path);

/* Which nodes have the same program. In its lane l, node does what node program[node] does in lane
 * lanes[node * K + l]; the lanes of a node are a permutation of 0..K-1. Arrays have an entry a node. */
typedef struct gfab_sharing {
    uint32_t *program; /* the lowest node that has the same program; node itself where it is the first */
    uint32_t *lanes;   /* K a node */
    uint32_t *rom;     /* the lowest node that has the same program with the same lanes, so that one ROM serves both */
    size_t programs;   /* different ones */
    size_t roms;
} gfab_sharing;

/* In the absolute frame nodes share nothing, so that a fabric plays any schedule of its shape; in the relative frame
 * what is equal lane by lane; in the rotated frame what is equal up to the order of lanes. NO_MEMORY. */
gfab_status gfab_sharing_create(const gfab_image *image, gfab_sharing **sharing);
void gfab_sharing_destroy(gfab_sharing *sharing);

/* One node's ROM as $readmemh text: one word a line, ceil(op_bits / 4) hex digits, lower case, LF. */
gfab_status gfab_image_write(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag);
/* The fabric's sequence likewise, halts and gaps: 2^round_bits words of 1 + ceil(gap_bits / 4) digits. read: also PARSE
 * where a check bit is wrong, UNSUPPORTED for loops. */
gfab_status gfab_image_write_sequence(const gfab_image *image, FILE *file, gfab_diag *diag);
gfab_status gfab_image_read_sequence(gfab_image *image, FILE *file, gfab_diag *diag);
/* The same into words without checks, a round each. */
typedef struct gfab_sequence_form {
    uint32_t gap_bits;
    bool checked; /* of a fabric with protection */
    bool loops;   /* of one with streams */
} gfab_sequence_form;
gfab_status gfab_image_read_sequence_words(uint32_t *sequence, size_t rounds, gfab_sequence_form form, FILE *file,
                                           gfab_diag *diag);
/* One node's ROM where programs are in block RAMs: every word has the digits of the sequence's word of its round before
 * those of the op. read sets the image's sequence where `first`, and else compares: PARSE. LIMIT above 64 bits. */
gfab_status gfab_image_write_joined(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag);
gfab_status gfab_image_read_joined(gfab_image *image, size_t node, bool first, FILE *file, gfab_diag *diag);
/* One node's paths likewise, in the form of its ROM. Only with paths. */
gfab_status gfab_image_write_paths(const gfab_image *image, size_t node, FILE *file, gfab_diag *diag);
gfab_status gfab_image_read_paths(gfab_image *image, size_t node, FILE *file, gfab_diag *diag);
/* One node's places likewise, of slot_bits each (gfab_image_slot_bits), with protection one more above them, so that a
 * place has an odd number of ones. Without places of its own (gfab_layout_goal) those of the parts of tokens by origin,
 * which the layout's frame says; only the former can be read. */
gfab_status gfab_layout_write_places(const gfab_layout *layout, uint32_t slot_bits, size_t node, FILE *file,
                                     gfab_diag *diag);
gfab_status gfab_layout_read_places(gfab_layout *layout, uint32_t slot_bits, size_t node, FILE *file, gfab_diag *diag);
/* Reads one node's ROM into an image of the right shape. Whole file; // comments allowed; PARSE with the line. */
gfab_status gfab_image_read(gfab_image *image, size_t node, FILE *file, gfab_diag *diag);

/* Is every op legal, so that what is proved of the modules for legal ops holds for the fabric? Absent lanes idle; slots
 * below N; a halt for every program; the ends of a link never both send, and receive what
 * the other sends; with words == 2 no token received over a skewed link's lane 0 end leaves the same way in the next
 * round, unless a gap is between; no gap in the halt's round or later. With paths: rounds without a gap between are set
 * alike; each token sent arrives, over lanes that pass it on and nothing else, where it is received, at the right tap
 * and wait; nothing else is passed on or received; gaps are as long as the drain. Where the fabric combines: a slot in
 * which something is combined in a round gets nothing stored in it in that round. Where slots are reused: what is
 * sent from one is the block that the other end takes it for. Of several programs every round up to the last halt
 * belongs to one, and there are no paths. FAULT with node, round and lane in diag. *rounds (may be NULL) gets
 * the rounds of program 0. Where the
 * layout has streams: the program loops, and played for ever, by hosts that give a block each in every group, it gives
 * every host that takes the blocks of all that give, each once, in order. INTERRUPTED by progress, which may be NULL.
 */
gfab_status gfab_image_check(const gfab_image *image, const gfab_timing *timing, const gfab_progress *progress,
                             uint32_t *rounds, gfab_diag *diag);

GFAB_C_END
#endif
