// SPDX-License-Identifier: MIT
// Bits that number `n` things from 0, at least 1.
`ifndef GFAB_BITS_VH
`define GFAB_BITS_VH
`define GFAB_BITS(n) ((n) > 1 ? $clog2(n) : 1)
// Bits that number n parts from 0: none for one part.
`define GFAB_PART_BITS(n) ((n) > 1 ? $clog2(n) : 0)
// Bits of a gfab_combine_timer's o_combining, of n lanes.
`define GFAB_COMBINING_BITS(n) (2 * (n) + 10)
// Bits of a word of the sequence, with gaps of n bits: whole digits. After gfab_op.vh.
`define GFAB_SEQUENCE_BITS(n) (`GFAB_SEQUENCE_GAP + ((n) + 3) / 4 * 4)
// Bits of a flit's number {word, ring} in a token of a ring fabric; at least 1.
`define GFAB_RING_INDEX_BITS(words, rings) \
    ((words) * (rings) > 1 ? `GFAB_PART_BITS(words) + `GFAB_PART_BITS(rings) : 1)
`endif
