// SPDX-License-Identifier: MIT
// The ROM word (docs/reference/rom-format.md); generated from include/gossipfab/fabric/op.h, do not edit.
`ifndef GFAB_OP_VH
`define GFAB_OP_VH

// neither drive the link nor store what is on it
`define GFAB_OP_IDLE 2'd0
// drive the link with the token in store slot `slot`
`define GFAB_OP_SEND 2'd1
// store the token on the link in store slot `slot`
`define GFAB_OP_RECV 2'd2
// the gossip is over; only in lane 0, after the last round
`define GFAB_OP_HALT 2'd3

// kind of op
`define GFAB_OP_KIND_LSB 0
`define GFAB_OP_KIND_WIDTH 2
// store slot of the token; docs/reference/rom-format.md
`define GFAB_OP_SLOT_LSB 2

`endif
