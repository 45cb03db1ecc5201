// SPDX-License-Identifier: MIT
//
// Of the words that are there, the least one or the greatest, as OPERATOR says. They come flit by flit, the most
// significant one first: a word is out as soon as one of its flits is worse than that of another word which is not out,
// and what is picked is a flit of a word that is not out. With one flit a word there is nothing to remember.
//
// Each is compared with each, all at once, so that more operands take more area, but hardly more time. A flit is picked
// in the cycle in which it comes.
`default_nettype none
`include "gfab_op.vh"

module gfab_wide_pick #(
    parameter OPERANDS  = 2,  // 2 or more
    parameter LINK_BITS = 32, // of a flit, 1 or more
    parameter WORDS     = 1,  // flits of a word, 1 or more
    parameter OPERATOR  = `GFAB_OPERATOR_MIN // GFAB_OPERATOR_MIN, MAX, UMIN or UMAX
) (
    input  wire                          i_clk,
    input  wire                          i_first, // the most significant flits are there
    input  wire [OPERANDS-1:0]           i_there, // the same for all flits of a word
    input  wire [OPERANDS*LINK_BITS-1:0] i_words,
    output wire [LINK_BITS-1:0]          o_word   // 0 where no word is there
);
    localparam SIGNED = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_MAX);
    localparam LEAST  = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_UMIN);

    // Of numbers with a sign the top bit is turned over, so that they compare as those without.
    wire [LINK_BITS-1:0] sign = {LINK_BITS{SIGNED && i_first}} & ~({LINK_BITS{1'b1}} >> 1);

    wire [OPERANDS-1:0] in; // words that are not out
    wire [OPERANDS-1:0] picked;
    genvar a, b;
    generate
        for (a = 0; a < OPERANDS; a = a + 1) begin : gen_word
            wire [LINK_BITS-1:0] key = i_words[a*LINK_BITS+:LINK_BITS] ^ sign;
            // Other words with which this one is not picked: of equal ones the first is.
            wire [OPERANDS-1:0]  hides;
            for (b = 0; b < OPERANDS; b = b + 1) begin : gen_other
                if (b > a) begin : gen_later
                    assign hides[b] = LEAST ? gen_word[b].key < key : gen_word[b].key > key;
                end else if (b < a) begin : gen_earlier
                    assign hides[b] = ~gen_word[b].hides[a];
                end else begin : gen_itself
                    assign hides[b] = 1'b0;
                end
            end
            assign picked[a] = in[a] & ~|(in & hides);

            if (WORDS == 1) begin : gen_whole
                assign in[a] = i_there[a];
            end else begin : gen_flits
                wire [OPERANDS-1:0] beats; // words with which it is out
                for (b = 0; b < OPERANDS; b = b + 1) begin : gen_out
                    assign beats[b] = hides[b] & (b > a || gen_word[b].key != key);
                end
                reg in_q;
                assign in[a] = i_there[a] & (i_first | in_q);
                always @(posedge i_clk)
                    in_q <= in[a] & ~|(in & beats);
            end
        end
    endgenerate

    reg [LINK_BITS-1:0] word;
    integer             i;
    always @* begin
        word = {LINK_BITS{1'b0}};
        for (i = 0; i < OPERANDS; i = i + 1)
            word = word | (i_words[i*LINK_BITS+:LINK_BITS] & {LINK_BITS{picked[i]}});
    end
    assign o_word = word;
endmodule

`default_nettype wire
