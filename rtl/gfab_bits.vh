// SPDX-License-Identifier: MIT
// Bits that number `n` things from 0, at least 1.
`ifndef GFAB_BITS_VH
`define GFAB_BITS_VH
`define GFAB_BITS(n) ((n) > 1 ? $clog2(n) : 1)
`endif
