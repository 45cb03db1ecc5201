/* SPDX-License-Identifier: MIT */
/* Private: how images are kept, and the part of gfab_image_check that is about paths. */
#ifndef GOSSIPFAB_IMAGE_INTERNAL_H
#define GOSSIPFAB_IMAGE_INTERNAL_H

#include <gossipfab/fabric/image.h>

#include "base/word_array.h"

/* Words are kept round by round, kind by kind of nodes, lane by lane: what works on an image works on one round of all
 * of them. */
struct gfab_image {
    const gfab_layout *layout;
    size_t kinds; /* gfab_layout_kind */
    uint32_t round_bits;
    uint32_t slot_bits;
    uint32_t op_bits;
    uint32_t stride_bits; /* the lane stride is 2^stride_bits */
    uint32_t half_bits;   /* op_bits is one or two of them */
    uint32_t gap_bits;
    uint32_t source_bits, tap_bits, wait_bits; /* of a path word; 0 without paths */
    word_array words;                          /* their lower 32 bits */
    word_array upper;                          /* the rest; no data where no op has over 32 bits */
    word_array paths;                          /* likewise; no data without paths */
    uint32_t *sequence;                        /* by round, from 0: words without checks */
    uint32_t first_rounds[GFAB_MAX_PROGRAMS];
    size_t program_count;
};

/* A path as a word of its ROM, {wait, tap, source}, and back. */
uint32_t gfab_image_path_word(const gfab_image *image, gfab_path path);
gfab_path gfab_image_path_of(const gfab_image *image, uint32_t word);

/* 1 where the ops of a node's rounds first .. halt - 1, from 1, have an odd number of ones; 0 where not, or the layout
 * has no protection. */
uint32_t gfab_image_sum(const gfab_image *image, size_t node, size_t first, size_t halt);
/* Rule 7 of docs/reference/rom-format.md, for ops that keep rules 1 to 3, of the program from round `first`, from 1, to
 * its halt in round `halt`. FAULT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_check_paths(const gfab_image *image, const gfab_timing *timing, size_t first, size_t halt,
                             const gfab_progress *progress, gfab_diag *diag);
/* Rule 9, for images that keep rules 1 to 4 and 8 of layouts with places, or relays. Likewise. */
gfab_status gfab_check_places(const gfab_image *image, const gfab_progress *progress, gfab_diag *diag);
/* Rule 10, for images that keep rules 1 to 4 and 8 of layouts with streams. Likewise. */
gfab_status gfab_check_loop(const gfab_image *image, const gfab_progress *progress, gfab_diag *diag);

/* Of a layout that alternates: does each flow give its words in the cycles in which the next relay takes them?
 * UNSUPPORTED where it does not. */
gfab_status gfab_image_check_alternates(const gfab_image *image, gfab_diag *diag);

/* A word of the sequence as ROMs have it, with its check bit where `checked`; and back, in a line, refused as
 * gfab_image_read_sequence does. */
uint32_t gfab_image_sequence_word(uint32_t word, bool checked);
gfab_status gfab_image_take_sequence_word(uint64_t read, gfab_sequence_form form, size_t line, uint32_t *word,
                                          gfab_diag *diag);

#endif
