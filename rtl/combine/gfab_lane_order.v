// SPDX-License-Identifier: MIT
//
// The order of a word's flits in a narrow node that combines: operators that compare take the most significant flit
// first, so that there words go over links the other way round (i_down), and with a sign their top bit is turned over
// on the way. Words are stored as the host has them. No latency.
`default_nettype none
`include "gfab_op.vh"

module gfab_lane_order #(
    parameter LANES     = 4, // flits of a word
    parameter LINK_BITS = 2, // of a flit
    parameter OPERATOR  = `GFAB_OPERATOR_NONE,
    parameter TOP_BIT   = 7  // a token's top bit, in the word that has it
) (
    input  wire                       i_down,
    input  wire                       i_flip_out, // what leaves has the top bit, to be turned over
    input  wire                       i_flip_in,  // what comes in has
    input  wire [LANES*LINK_BITS-1:0] i_word, // as stored
    input  wire [LANES*LINK_BITS-1:0] i_old,
    output wire [LANES*LINK_BITS-1:0] o_word, // as it goes over a link
    output wire [LANES*LINK_BITS-1:0] o_old,
    input  wire [LANES*LINK_BITS-1:0] i_in,   // as it came
    output wire [LANES*LINK_BITS-1:0] o_in    // as it is stored
);
    localparam WORD_BITS = LANES * LINK_BITS;

    genvar f;
    generate
        if (OPERATOR >= `GFAB_OPERATOR_MIN) begin : gen_order
            // Only what is turned round has a bit that is turned over.
            wire [WORD_BITS-1:0] flip_out = {{(WORD_BITS-1){1'b0}}, i_flip_out} << TOP_BIT;
            wire [WORD_BITS-1:0] flip_in  = {{(WORD_BITS-1){1'b0}}, i_flip_in} << TOP_BIT;
            wire [WORD_BITS-1:0] out = i_word ^ flip_out;
            wire [WORD_BITS-1:0] had = i_old ^ flip_out;
            for (f = 0; f < LANES; f = f + 1) begin : gen_flit
                localparam TO   = f * LINK_BITS;
                localparam FROM = (LANES - 1 - f) * LINK_BITS;
                assign o_word[TO+:LINK_BITS] = i_down ? out[FROM+:LINK_BITS] : i_word[TO+:LINK_BITS];
                assign o_old[TO+:LINK_BITS]  = i_down ? had[FROM+:LINK_BITS] : i_old[TO+:LINK_BITS];
                assign o_in[TO+:LINK_BITS]   = i_down ? i_in[FROM+:LINK_BITS] ^ flip_in[TO+:LINK_BITS]
                                                      : i_in[TO+:LINK_BITS];
            end
        end else begin : gen_as_stored
            assign o_word = i_word;
            assign o_old  = i_old;
            assign o_in   = i_in;
        end
    endgenerate
endmodule

`default_nettype wire
