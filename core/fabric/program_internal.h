/* SPDX-License-Identifier: MIT */
/* Private: how programs are kept. */
#ifndef GOSSIPFAB_PROGRAM_INTERNAL_H
#define GOSSIPFAB_PROGRAM_INTERNAL_H

#include <gossipfab/fabric/program.h>

#include "base/word_array.h"

/* Ops are kept round by round, kind by kind of nodes, lane by lane, half by half, as words of half an op. */
struct gfab_program {
    const gfab_layout *layout;
    size_t kinds; /* of nodes, each with a program of its own: gfab_layout_kind */
    size_t lanes;
    uint32_t halves;
    uint32_t rounds;
    word_array ops;
    uint32_t *gaps;   /* by round, from 0 */
    gfab_path *paths; /* as ops, without halves; NULL without paths */
};

#endif
