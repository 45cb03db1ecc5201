// SPDX-License-Identifier: MIT
//
// What a bank of a wide node stores where the fabric combines: the words of the lanes that it takes, combined with each
// other and, with i_combines, with the one at address i_old of the bank. That comes from a copy of the bank's RAM,
// which is written with it. OPERATOR sum: adders in a row, and what they carry goes on to the token's next flit.
// OPERATOR min, max, umin or umax: gfab_wide_pick; a token's most significant flit, whose number is WORDS - 1, comes
// first. OPERATOR bfloat16 or user: a gfab_wide_chain, which takes MERGES * OPERATOR_CYCLES cycles more.
//
// Latency: the old word's address is asked for WRITE_DELAY - 1 cycles after stage 1, o_word is there one cycle later,
// with the i_taken of WRITE_DELAY cycles after stage 1. Nothing is taken that a reset cut off; it is for the chain.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_wide_combine #(
    parameter LANES       = 4,  // 1 or more
    parameter LINK_BITS   = 32, // of a flit, 1 or more
    parameter CELL_BITS   = 4,  // of a token's address
    parameter WORDS       = 1,  // flits of a token, 1 or more
    parameter WRITE_DELAY = 1,  // 1 or more
    parameter OPERATOR    = 1,  // GFAB_OPERATOR_SUM .. UMAX, BFLOAT16 or USER
    parameter REGISTERED  = 0,  // of SUM .. XOR: i_words come a cycle before the write stage, and wait
    parameter MERGES      = 1,  // of BFLOAT16 and USER, as in gfab_wide_chain
    parameter OPERATOR_CYCLES = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // stage 1
    input  wire [`GFAB_BITS(WORDS)-1:0] i_word,
    input  wire                         i_combines,
    input  wire [CELL_BITS-1:0]         i_old,
    // write stage
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    input  wire [LANES-1:0]             i_taken, // lanes whose words are stored
    // the same, with REGISTERED a cycle before
    input  wire [LANES-1:0]             i_takes,
    input  wire [LANES*LINK_BITS-1:0]   i_words,
    // the bank's write port, which the copy has, too
    input  wire                         i_write_enable,
    input  wire [CELL_BITS+(WORDS > 1 ? `GFAB_BITS(WORDS) : 0)-1:0] i_write_address,
    input  wire [LINK_BITS-1:0]         i_write_data,
    output wire                         o_write,
    output wire [LINK_BITS-1:0]         o_word, // 0 unless o_write
    output wire [MERGES*LINK_BITS-1:0]  o_lefts, // of the operators of gfab_wide_chain; without it 0
    output wire [MERGES*LINK_BITS-1:0]  o_rights,
    input  wire [MERGES*LINK_BITS-1:0]  i_results
);
    localparam INDEX_BITS   = `GFAB_BITS(WORDS);
    localparam ADDRESS_BITS = CELL_BITS + (WORDS > 1 ? INDEX_BITS : 0);
    localparam STAGE_BITS   = 1 + CELL_BITS + INDEX_BITS;

    // The address on its way to the cycle before the write stage.
    wire [STAGE_BITS-1:0] ask;
    generate
        if (WRITE_DELAY == 1) begin : gen_now
            assign ask = {i_combines, i_old, i_word};
        end else begin : gen_later
            reg  [(WRITE_DELAY-1)*STAGE_BITS-1:0] asks_q;
            wire [WRITE_DELAY*STAGE_BITS-1:0]     asks = {asks_q, i_combines, i_old, i_word};
            always @(posedge i_clk)
                asks_q <= asks[(WRITE_DELAY-1)*STAGE_BITS-1:0];
            assign ask = asks[WRITE_DELAY*STAGE_BITS-1-:STAGE_BITS];
        end
    endgenerate
    wire [ADDRESS_BITS-1:0] ask_at = ask[CELL_BITS+INDEX_BITS-1-:ADDRESS_BITS];

    reg combines_q; // write stage
    always @(posedge i_clk)
        combines_q <= ask[STAGE_BITS-1];

    wire [LINK_BITS-1:0] stored;
    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(LINK_BITS)
    ) u_copy (
        .i_clk(i_clk), .i_read_address(ask_at), .o_read_data(stored), .i_write_enable(i_write_enable),
        .i_write_address(i_write_address), .i_write_data(i_write_data)
    );

    wire [LINK_BITS-1:0] old;
    generate
        if (WORDS == 1) begin : gen_bypass
            reg                 bypass_q;
            reg [LINK_BITS-1:0] last_q;
            always @(posedge i_clk) begin
                bypass_q <= i_write_enable & (i_write_address == ask_at);
                last_q   <= i_write_data;
            end
            assign old = bypass_q ? last_q : stored;
        end else begin : gen_no_bypass
            assign old = stored;
        end
    endgenerate

    localparam CHAINED  = (OPERATOR == `GFAB_OPERATOR_BFLOAT16 || OPERATOR == `GFAB_OPERATOR_USER);
    localparam COMPARES = (OPERATOR >= `GFAB_OPERATOR_MIN && OPERATOR <= `GFAB_OPERATOR_UMAX);

    // Operands that are not there are what changes nothing.
    localparam ABSENT = (OPERATOR == `GFAB_OPERATOR_AND);
    wire [(LANES+1)*LINK_BITS-1:0] operands;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_operand
            wire [LINK_BITS-1:0] operand = i_takes[c] ? i_words[c*LINK_BITS+:LINK_BITS] : {LINK_BITS{ABSENT}};
            if (REGISTERED) begin : gen_register
                reg [LINK_BITS-1:0] operand_q;
                always @(posedge i_clk)
                    operand_q <= operand;
                assign operands[c*LINK_BITS+:LINK_BITS] = operand_q;
            end else begin : gen_wire
                assign operands[c*LINK_BITS+:LINK_BITS] = operand;
            end
        end
    endgenerate
    assign operands[LANES*LINK_BITS+:LINK_BITS] = combines_q ? old : {LINK_BITS{ABSENT}};

    reg  [LINK_BITS-1:0] result;
    wire [LINK_BITS-1:0] sum;
    integer              i;
    always @* begin
        result = operands[LINK_BITS-1:0];
        for (i = 1; i <= LANES; i = i + 1)
            case (OPERATOR)
                `GFAB_OPERATOR_AND: result = result & operands[i*LINK_BITS+:LINK_BITS];
                `GFAB_OPERATOR_OR:  result = result | operands[i*LINK_BITS+:LINK_BITS];
                default:            result = result ^ operands[i*LINK_BITS+:LINK_BITS];
            endcase
    end

    generate
        if (CHAINED) begin : gen_chain
            gfab_wide_chain #(
                .LANES(LANES), .LINK_BITS(LINK_BITS), .MERGES(MERGES), .LATENCY(OPERATOR_CYCLES)
            ) u_chain (
                .i_clk(i_clk), .i_rst(i_rst), .i_combines(combines_q), .i_old(old), .i_taken(i_taken),
                .i_words(i_words), .o_write(o_write), .o_word(sum), .o_lefts(o_lefts), .o_rights(o_rights),
                .i_results(i_results)
            );
        end else if (COMPARES) begin : gen_compare
            localparam LAST_WORD = WORDS - 1;
            gfab_wide_pick #(
                .OPERANDS(LANES + 1), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .OPERATOR(OPERATOR)
            ) u_pick (
                .i_clk(i_clk), .i_first(i_write_word == LAST_WORD[INDEX_BITS-1:0]),
                .i_there({combines_q & o_write, i_taken}), .i_words({old, i_words}), .o_word(sum)
            );
        end else if (OPERATOR != `GFAB_OPERATOR_SUM) begin : gen_bitwise
            assign sum = result;
        end else if (WORDS == 1) begin : gen_whole
            reg [LINK_BITS-1:0] total;
            integer             t;
            always @* begin
                total = operands[LINK_BITS-1:0];
                for (t = 1; t <= LANES; t = t + 1)
                    total = total + operands[t*LINK_BITS+:LINK_BITS];
            end
            assign sum = total;
        end else begin : gen_flits
            // LANES + 1 words and a carry of at most LANES again carry at most LANES.
            localparam CARRY_BITS = `GFAB_BITS(LANES + 1);
            reg [CARRY_BITS-1:0]           carry_q;
            reg [LINK_BITS+CARRY_BITS-1:0] total;
            integer                        t;
            always @* begin
                total = {{LINK_BITS{1'b0}}, (i_write_word == {INDEX_BITS{1'b0}}) ? {CARRY_BITS{1'b0}} : carry_q};
                for (t = 0; t <= LANES; t = t + 1)
                    total = total + {{CARRY_BITS{1'b0}}, operands[t*LINK_BITS+:LINK_BITS]};
            end
            always @(posedge i_clk)
                carry_q <= total[LINK_BITS+:CARRY_BITS];
            assign sum = total[LINK_BITS-1:0];
        end
    endgenerate

    generate
        if (!CHAINED) begin : gen_write
            assign o_write = |i_taken;
            assign {o_lefts, o_rights} = {2*MERGES*LINK_BITS{1'b0}};
        end
    endgenerate
    assign o_word = COMPARES ? sum : sum & {LINK_BITS{o_write}}; // of no words 0 is picked
endmodule

`default_nettype wire
