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
// Bits of a store's address in a ring fabric that combines, {distance, round, flit}.
`define GFAB_RING_ADDRESS_BITS(length, rounds, flits) \
    (`GFAB_BITS(length) + `GFAB_PART_BITS(rounds) + `GFAB_PART_BITS(flits))
// Bits of a block's number there, {home, round, ring}.
`define GFAB_RING_BLOCK_BITS(length, rounds, rings) \
    (`GFAB_BITS(length) + `GFAB_PART_BITS(rounds) + `GFAB_PART_BITS(rings))
// Bits of what is loaded there, {block, flit}.
`define GFAB_RING_LOAD_BITS(length, rounds, rings, flits) \
    (`GFAB_RING_BLOCK_BITS(length, rounds, rings) + `GFAB_PART_BITS(flits))
`endif
