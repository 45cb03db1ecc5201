// SPDX-License-Identifier: MIT
//
// Where the host of a node finds a part of a token: how far the token's node is behind this one along the ring that
// the part goes around. Nodes are numbered along ring 0, so that the first cycle's place is the number itself, and the
// distance one subtraction of a constant. Other cycles have a table of places, but where a token's number is its place
// along whatever cycle it is on. A cycle that is gone along both ways is two rings: i_ring is {cycle, backwards}; the
// other way the difference has the other sign.
//
// Combinational.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_distance #(
    parameter NODES      = 16, // 3 or more
    parameter PLACE_BITS = 4,
    parameter CYCLES     = 1,
    parameter BOTH       = 0, // 1: each cycle is two rings, one each way
    parameter RINGS      = 1, // CYCLES, or with BOTH twice as many
    // Of each cycle, 0 last, and node, 0 last: its place; of cycle 0 that is its number.
    parameter [16*CYCLES*NODES-1:0] PLACES = 0,
    parameter NODE       = 0,
    parameter BY_PLACE   = 0, // 1: i_token is a place, of the ring's cycle
    // 1: for NODES that are a power of two o_distance is still to be turned over where i_ring goes forwards.
    parameter EARLY      = 0
) (
    input  wire [PLACE_BITS-1:0]        i_token, // the number of its node; or its place
    input  wire [`GFAB_BITS(RINGS)-1:0] i_ring,
    output wire [PLACE_BITS-1:0]        o_distance
);
    localparam CYCLE_BITS = `GFAB_BITS(CYCLES);
    localparam POWER      = (1 << PLACE_BITS) == NODES;

    wire [CYCLES*PLACE_BITS-1:0] places; // of the token's node
    wire [CYCLES*PLACE_BITS-1:0] owns;
    genvar c;
    generate
        for (c = 0; c < CYCLES; c = c + 1) begin : gen_cycle
            assign owns[c*PLACE_BITS+:PLACE_BITS] = PLACES[16*(c*NODES+NODE)+:PLACE_BITS];
            if (c == 0 || BY_PLACE != 0) begin : gen_number
                assign places[c*PLACE_BITS+:PLACE_BITS] = i_token;
            end else begin : gen_table
                wire [16*NODES-1:0] row = PLACES[16*c*NODES+:16*NODES];
                assign places[c*PLACE_BITS+:PLACE_BITS] = row[16*i_token+:PLACE_BITS];
            end
        end
    endgenerate

    wire [CYCLE_BITS-1:0] cycle;
    wire                  back;
    generate
        if (BOTH != 0) begin : gen_both
            assign back = i_ring[0];
            if (RINGS > 2) begin : gen_cycles
                assign cycle = i_ring[1+:CYCLE_BITS];
            end else begin : gen_one
                assign cycle = 1'b0;
            end
        end else begin : gen_one_way
            assign back  = 1'b0;
            assign cycle = i_ring[CYCLE_BITS-1:0];
        end
    endgenerate

    wire [PLACE_BITS-1:0] place = places[cycle*PLACE_BITS+:PLACE_BITS];
    wire [PLACE_BITS-1:0] own   = owns[cycle*PLACE_BITS+:PLACE_BITS];
    generate
        if (POWER) begin : gen_power
            // place - own, or with all bits turned over own - place, which is one less than it turned over.
            wire [PLACE_BITS-1:0] difference = place + ~own + {{(PLACE_BITS-1){1'b0}}, back};
            assign o_distance = difference ^ {PLACE_BITS{~back & (EARLY == 0)}};
        end else begin : gen_any
            localparam [PLACE_BITS-1:0] AROUND = NODES;
            wire [PLACE_BITS:0] ahead = {1'b0, back ? place : own} - {1'b0, back ? own : place};
            assign o_distance = ahead[PLACE_BITS-1:0] + (ahead[PLACE_BITS] ? AROUND : {PLACE_BITS{1'b0}});
        end
    endgenerate
endmodule

`default_nettype wire
