// SPDX-License-Identifier: MIT
//
// What gfab_selftest loads and expects in a fabric for collectives of blocks, program after program. Its words are the
// test's (i_word), the same for a block wherever it is loaded and read.
//
// A block that is moved has them. Of a block that is combined one member has them, in each test another one, and all
// others have what changes them in a way that is known: for a sum -1, so that carries run through all words, for an
// exclusive or ones; for all else what changes nothing, which of an operator of the user's own must be 0. So a
// contribution that is lost, or counts twice, is seen once its member has its turn. Numbers of bfloat16 get exponents
// that are neither the least nor the greatest, for only those come back as they were.
//
// TABLE, node by node and in it program by program, from the lowest bits on, has fields of FIELD_BITS: the node's rank
// among the members (of a relay MEMBERS); of the blocks that it wants, then of those that it starts with: the number
// that the first one has in the node, with COUNTED, in what steps blocks follow, how many, the first one.
//
// Latency: a row is looked up in the cycle of i_first; all else is of the same cycle.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_selftest_blocks #(
    parameter NODES      = 4,
    parameter MEMBERS    = 4, // those that are no relays
    parameter BLOCKS     = 4,
    parameter PROGRAMS   = 1,
    parameter COUNTED    = 0, // 1: blocks are numbered among those of a node
    parameter WORDS      = 2,
    parameter WORD_BITS  = 8,
    parameter TOKEN_BITS = 16, // of a block
    parameter FIELD_BITS = 4,
    parameter OPERATOR   = `GFAB_OPERATOR_NONE,
    parameter [PROGRAMS-1:0] COMBINES = 0, // programs that combine
    parameter [PROGRAMS*NODES*9*FIELD_BITS-1:0] TABLE = 0
) (
    input  wire                          i_clk,
    input  wire                          i_rst,
    input  wire                          i_again, // the next test comes
    input  wire                          i_check, // 1: reads, 0: loads
    input  wire                          i_first, // of a node
    input  wire                          i_step,  // to the next word
    input  wire                          i_last_word,
    input  wire [`GFAB_BITS(NODES)-1:0]  i_node,
    input  wire [`GFAB_BITS(BLOCKS)-1:0] i_block,
    input  wire [`GFAB_BITS(WORDS)-1:0]  i_index, // of the word
    input  wire [WORD_BITS-1:0]          i_word,
    input  wire [WORD_BITS-1:0]          i_valid, // its bits that count
    output wire [`GFAB_BITS(PROGRAMS)-1:0] o_program,
    output wire [2:0]                    o_operator, // with GFAB_OPERATOR_ALL
    output wire                          o_here,     // the node loads, or wants, the block
    output wire [FIELD_BITS-1:0]         o_number,   // which it is there
    output wire [WORD_BITS-1:0]          o_load,
    output wire [WORD_BITS-1:0]          o_expected
);
    localparam PROGRAM_BITS = `GFAB_BITS(PROGRAMS);
    localparam LAST_PROGRAM = PROGRAMS - 1;
    localparam LAST_MEMBER  = MEMBERS - 1;
    localparam ROW          = 9 * FIELD_BITS;
    localparam ALL          = (OPERATOR == `GFAB_OPERATOR_ALL);
    localparam CHAINED      = (OPERATOR == `GFAB_OPERATOR_BFLOAT16 || OPERATOR == `GFAB_OPERATOR_USER);
    localparam TOP_WORD     = (TOKEN_BITS - 1) / WORD_BITS;
    localparam TOP_BIT      = (TOKEN_BITS - 1) % WORD_BITS;

    // The test: its program, its operator, the member whose words they are.
    reg [PROGRAM_BITS-1:0] program_q;
    reg [2:0]              operator_q;
    reg [FIELD_BITS-1:0]   turn_q;
    wire last_program  = (program_q == LAST_PROGRAM[PROGRAM_BITS-1:0]);
    wire last_operator = !ALL | (&operator_q);
    always @(posedge i_clk)
        if (i_rst) begin
            program_q  <= {PROGRAM_BITS{1'b0}};
            operator_q <= 3'd0;
            turn_q     <= {FIELD_BITS{1'b0}};
        end else if (i_again) begin
            program_q <= last_program ? {PROGRAM_BITS{1'b0}} : program_q + 1'b1;
            if (last_program & ALL)
                operator_q <= operator_q + 1'b1;
            if (last_program & last_operator)
                turn_q <= (turn_q == LAST_MEMBER[FIELD_BITS-1:0]) ? {FIELD_BITS{1'b0}} : turn_q + 1'b1;
        end
    assign o_program  = program_q;
    assign o_operator = operator_q;
    wire combines = COMBINES[program_q];
    wire [3:0] operator = ALL ? {1'b0, operator_q} + 4'd1 : OPERATOR; // GFAB_OPERATOR_FIRST is 1

    // The node's blocks, one behind another.
    wire [31:0]             node  = {{(32-`GFAB_BITS(NODES)){1'b0}}, i_node};
    wire [31:0]             place = node * PROGRAMS + {{(32-PROGRAM_BITS){1'b0}}, program_q};
    wire [ROW-1:0]          row   = TABLE[place*ROW+:ROW];
    wire [4*FIELD_BITS-1:0] range = i_check ? row[4*FIELD_BITS+:4*FIELD_BITS] : row[0+:4*FIELD_BITS];
    reg  [FIELD_BITS-1:0]   number_q, stride_q, left_q, next_q, rank_q;
    always @(posedge i_clk)
        if (i_first) begin
            {number_q, stride_q, left_q, next_q} <= range;
            rank_q <= row[8*FIELD_BITS+:FIELD_BITS];
        end else if (i_step & i_last_word & o_here) begin
            number_q <= number_q + 1'b1;
            left_q   <= left_q - 1'b1;
            next_q   <= next_q + stride_q;
        end
    wire [FIELD_BITS+`GFAB_BITS(BLOCKS)-1:0] block = {{FIELD_BITS{1'b0}}, i_block};
    assign o_here   = (left_q != {FIELD_BITS{1'b0}}) & (next_q == block[FIELD_BITS-1:0]);
    assign o_number = COUNTED ? number_q : block[FIELD_BITS-1:0];

    // What others than the member have: ones or zeros, and in the block's top bit something else for numbers with sign.
    wire sum  = (operator == `GFAB_OPERATOR_SUM);
    wire odd  = (operator == `GFAB_OPERATOR_XOR);
    wire ones = sum | odd | (operator == `GFAB_OPERATOR_AND) | (operator == `GFAB_OPERATOR_MIN) |
                (operator == `GFAB_OPERATOR_UMIN);
    wire top  = (ones & (operator != `GFAB_OPERATOR_MIN)) | (operator == `GFAB_OPERATOR_MAX);
    localparam [WORD_BITS-1:0] AT_TOP = {{(WORD_BITS-1){1'b0}}, 1'b1} << TOP_BIT;
    wire [WORD_BITS-1:0] at_top = AT_TOP & {WORD_BITS{i_index == TOP_WORD[`GFAB_BITS(WORDS)-1:0]}};
    wire [WORD_BITS-1:0] fill   = ({WORD_BITS{ones}} & ~at_top) | ({WORD_BITS{top}} & at_top);

    wire [WORD_BITS-1:0] own;
    genvar b;
    generate
        for (b = 0; b < WORD_BITS; b = b + 1) begin : gen_bit
            if (CHAINED && b % 16 == 14) begin : gen_exponent
                assign own[b] = ~i_word[b-1];
            end else begin : gen_as_it_is
                assign own[b] = i_word[b];
            end
        end
    endgenerate
    assign o_load = ((combines & (rank_q != turn_q)) ? fill : own) & i_valid;

    // Of a sum MEMBERS - 1 less.
    localparam [WORDS*WORD_BITS-1:0] LESS = {WORDS*WORD_BITS{1'b0}} - LAST_MEMBER;
    reg                  carry_q;
    wire                 carry = carry_q & (i_index != {`GFAB_BITS(WORDS){1'b0}});
    wire [WORD_BITS:0]   total = {1'b0, own} + {1'b0, LESS[i_index*WORD_BITS+:WORD_BITS]} + {{WORD_BITS{1'b0}}, carry};
    always @(posedge i_clk)
        if (i_step)
            carry_q <= total[WORD_BITS];
    wire [WORD_BITS-1:0] combined = sum ? total[WORD_BITS-1:0] : own ^ {WORD_BITS{odd & LAST_MEMBER[0]}};
    assign o_expected = (combines ? combined : own) & i_valid;
endmodule

`default_nettype wire
