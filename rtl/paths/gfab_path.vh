// SPDX-License-Identifier: MIT
// The path word of a lane in a round (docs/reference/rom-format.md, "Paths"): {wait, tap, source}.
`ifndef GFAB_PATH_VH
`define GFAB_PATH_VH
`include "gfab_bits.vh"
`define GFAB_PATH_SOURCE_WIDTH(lanes) `GFAB_BITS((lanes) + 1)
`define GFAB_PATH_TAP_WIDTH(lanes) `GFAB_BITS(lanes)
`define GFAB_PATH_TAP_LSB(lanes) (`GFAB_PATH_SOURCE_WIDTH(lanes))
`define GFAB_PATH_WAIT_LSB(lanes) (`GFAB_PATH_SOURCE_WIDTH(lanes) + `GFAB_PATH_TAP_WIDTH(lanes))
`define GFAB_PATH_WIDTH(lanes, wait_bits) (`GFAB_PATH_WAIT_LSB(lanes) + (wait_bits))
`endif
