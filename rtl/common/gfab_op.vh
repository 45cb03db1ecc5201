// SPDX-License-Identifier: MIT
// The ROMs' words (docs/reference/rom-format.md); generated from include/gossipfab/fabric/op.h, do not edit.
`ifndef GFAB_OP_VH
`define GFAB_OP_VH

// neither drive the link nor store what is on it
`define GFAB_OP_IDLE 2'd0
// drive the link with the token in store slot `slot`
`define GFAB_OP_SEND 2'd1
// store the token on the link in store slot `slot`
`define GFAB_OP_RECV 2'd2
// where the fabric combines: what slot `slot` has with the token on the link
`define GFAB_OP_COMBINE 2'd3

// kind of op
`define GFAB_OP_KIND_LSB 0
`define GFAB_OP_KIND_WIDTH 2
// store slot of the token; docs/reference/rom-format.md
`define GFAB_OP_SLOT_LSB 2

// the gossip is over: this is no round, but what follows the last one
`define GFAB_SEQUENCE_HALT 0
// with streams: a group begins with this round
`define GFAB_SEQUENCE_LOOP 1
// with streams: the program's last round; its first one follows again
`define GFAB_SEQUENCE_AGAIN 2
// with protection: what makes the number of ones odd, else 0
`define GFAB_SEQUENCE_CHECK 3
// and above: cycles between this round and the next
`define GFAB_SEQUENCE_GAP 4

// none: nothing is combined
`define GFAB_OPERATOR_NONE 0
// sum: modulo 2^W
`define GFAB_OPERATOR_SUM 1
// and: bit by bit
`define GFAB_OPERATOR_AND 2
// or: bit by bit
`define GFAB_OPERATOR_OR 3
// xor: bit by bit
`define GFAB_OPERATOR_XOR 4
// min: the less of two numbers with a sign, two's complement
`define GFAB_OPERATOR_MIN 5
// max: the greater of two numbers with a sign
`define GFAB_OPERATOR_MAX 6
// umin: the less of two numbers without a sign
`define GFAB_OPERATOR_UMIN 7
// umax: the greater of two numbers without a sign
`define GFAB_OPERATOR_UMAX 8
// all: any of these, chosen at start
`define GFAB_OPERATOR_ALL 9
// bfloat16: sum of bfloat16 numbers; wide nodes, streams
`define GFAB_OPERATOR_BFLOAT16 10
// user: a module of the user's, <name>_operator; wide nodes
`define GFAB_OPERATOR_USER 11
// gather: words one behind another, by the node that gave them; streams of a word a cycle
`define GFAB_OPERATOR_GATHER 12
// float32: sum of float32 numbers; streams of a word a cycle
`define GFAB_OPERATOR_FLOAT32 13
// saturated: sum of numbers with a sign, or the nearest that there is; streams of a word a cycle
`define GFAB_OPERATOR_SATURATED 14
// the choice 0
`define GFAB_OPERATOR_FIRST 1

`endif
