// SPDX-License-Identifier: MIT
//
// What follows each round of a fabric: a ROM with a word a round, {gap, flags}; docs/reference/rom-format.md has them.
// One serves all nodes, beside the sequencer, and alone says when a gossip is over. STYLE as in gfab_program: with
// "block" there is no ROM here, for it would take a block RAM; the words are in the programs, and i_word has them.
//
// PROTECT: a word has an odd number of ones, or o_fault is 1. o_twin_halt is the halt as the other bits of the word say
// it, for a second sequencer.
//
// Latency: the outputs belong to the i_round of the cycle before.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"
`include "gfab_rom.vh"

module gfab_sequence #(
    parameter ROUND_BITS = 4, // the ROM holds 2^ROUND_BITS rounds, the halt's included
    parameter GAP_BITS   = 0, // of a gap; 0: there are none
    parameter FILE       = "", // $readmemh text, found in the working directory
    parameter STYLE      = "logic", // or "block"
    parameter PROTECT    = 0,
    parameter IMAGE_BITS = 0, // of IMAGE, which gfab_rom.vh explains; 0: the words are in FILE
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0
) (
    input  wire                  i_clk,
    input  wire [ROUND_BITS-1:0] i_round,
    input  wire [`GFAB_SEQUENCE_BITS(GAP_BITS)-1:0] i_word, // STYLE "block": of the i_round before
    output wire                  o_halt, // the gossip is over: it is no round
    output wire                  o_twin_halt, // with PROTECT, else 0
    output wire                  o_fault,     // likewise
    output wire                  o_begins,    // with streams: a group begins with the round
    output wire                  o_again,     // with streams: the first round may follow it
    output wire [(GAP_BITS>0?GAP_BITS:1)-1:0] o_gap // cycles that the next one waits; 0 without gaps
);
    localparam WORD_BITS = `GFAB_SEQUENCE_BITS(GAP_BITS);

    wire [WORD_BITS-1:0] word;
    generate
        if (STYLE == "block") begin : gen_in_programs
            assign word = i_word;
        end else begin : gen_rom
            `GFAB_LOGIC_ROM
            reg [WORD_BITS-1:0] rom [0:(1 << ROUND_BITS)-1];
            reg [WORD_BITS-1:0] word_q;
            `GFAB_ROM_WORDS(rom, WORD_BITS, 1 << ROUND_BITS)

            always @(posedge i_clk)
                word_q <= rom[i_round];

            assign word = word_q;
        end
    endgenerate

    assign o_halt      = word[`GFAB_SEQUENCE_HALT];
    assign o_begins    = word[`GFAB_SEQUENCE_LOOP];
    assign o_again     = word[`GFAB_SEQUENCE_AGAIN];
    assign o_twin_halt = (PROTECT != 0) & ~(^word[WORD_BITS-1:`GFAB_SEQUENCE_HALT+1]);
    assign o_fault     = (PROTECT != 0) & ~(^word);

    generate
        if (GAP_BITS > 0) begin : gen_gap
            assign o_gap = word[`GFAB_SEQUENCE_GAP+:GAP_BITS];
        end else begin : gen_no_gap
            assign o_gap = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
