// SPDX-License-Identifier: MIT
//
// What a node of a ring fabric that combines has of one ring: a store of its blocks, what it has of a block added to
// what comes, and the result, which goes on to the next node and, where it is a total, back into the store. Of wide
// blocks it is one piece, whose carry goes to the next piece, a cycle later in all it does.
//
// A hop is 1 cycle: the own operand is read ahead into a register. Where a block is several flits it is FLITS cycles,
// which results wait for in registers. Timing is that of gfab_ring_reduce_counter, stage 1 being the cycle in which
// i_read_address comes.
`default_nettype none
`include "gfab_op.vh"

module gfab_ring_reduce_lane #(
    parameter ADDRESS_BITS = 4,
    parameter BITS         = 16,
    parameter FLITS        = 1,
    parameter OPERATOR     = `GFAB_OPERATOR_SUM, // .. GFAB_OPERATOR_UMAX; from GFAB_OPERATOR_MIN on of whole blocks
    parameter WAITS        = 0  // cycles for which what is read waits for other pieces
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire [ADDRESS_BITS-1:0] i_read_address,
    output wire [BITS-1:0]         o_stored, // of the address of 1 + WAITS cycles before
    input  wire                    i_pass,
    input  wire                    i_first,
    input  wire                    i_clear,
    input  wire                    i_load, // i_load_data is to be written, not the result
    input  wire [BITS-1:0]         i_load_data,
    input  wire                    i_write_enable, // a cycle behind i_load and the result
    input  wire [ADDRESS_BITS-1:0] i_write_address,
    output wire [BITS-1:0]         o_write_data,
    input  wire                    i_carry, // of the piece below, else 0
    output wire                    o_carry,
    input  wire [BITS-1:0]         i_link,
    output wire [BITS-1:0]         o_link
);
    localparam SUM    = (OPERATOR == `GFAB_OPERATOR_SUM);
    localparam SIGNED = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_MAX);
    localparam LEAST  = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_UMIN);
    // The highest bit alone; what changes nothing where it is an operand.
    localparam [BITS-1:0] TOP     = {1'b1, {(BITS-1){1'b0}}};
    localparam [BITS-1:0] NOTHING = {BITS{OPERATOR == `GFAB_OPERATOR_AND || LEAST}} ^ ({BITS{SIGNED}} & TOP);

    wire [BITS-1:0] read;
    reg  [BITS-1:0] operand_q;
    reg  [BITS-1:0] result_q;
    reg  [BITS-1:0] data_q;
    reg             carry_q;

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(BITS)
    ) u_store (
        .i_clk(i_clk), .i_read_address(i_read_address), .o_read_data(read),
        .i_write_enable(i_write_enable), .i_write_address(i_write_address), .i_write_data(data_q)
    );

    wire [BITS-1:0] result;
    wire            carry;
    generate
        if (SUM) begin : gen_sum
            wire carry_in = (FLITS > 1) ? carry_q & ~i_first : i_carry;
            assign {carry, result} = {1'b0, i_link} + {1'b0, operand_q} + {{BITS{1'b0}}, carry_in};
        end else begin : gen_bits
            wire more = (i_link ^ ({BITS{SIGNED}} & TOP)) > (operand_q ^ ({BITS{SIGNED}} & TOP));
            assign carry  = 1'b0;
            assign result = (OPERATOR == `GFAB_OPERATOR_AND) ? i_link & operand_q
                          : (OPERATOR == `GFAB_OPERATOR_OR)  ? i_link | operand_q
                          : (OPERATOR == `GFAB_OPERATOR_XOR) ? i_link ^ operand_q : (more ^ LEAST) ? i_link : operand_q;
        end
    endgenerate

    always @(posedge i_clk) begin
        if (i_pass)
            operand_q <= NOTHING;
        else
            operand_q <= read;
        if (i_rst | i_clear) begin
            result_q <= NOTHING;
            carry_q  <= 1'b0;
        end else begin
            result_q <= result;
            carry_q  <= carry;
        end
        data_q <= i_load ? i_load_data : result_q;
    end
    assign o_carry      = carry_q;
    assign o_write_data = data_q;

    generate
        if (FLITS > 1) begin : gen_wait
            reg [(FLITS-1)*BITS-1:0] waits_q;
            wire [FLITS*BITS-1:0] line = {waits_q, result_q};
            always @(posedge i_clk)
                if (i_rst)
                    waits_q <= {(FLITS-1){NOTHING}};
                else
                    waits_q <= line[(FLITS-1)*BITS-1:0];
            assign o_link = line[(FLITS-1)*BITS+:BITS];
        end else begin : gen_at_once
            assign o_link = result_q;
        end

        if (WAITS == 0) begin : gen_now
            assign o_stored = read;
        end else begin : gen_later
            gfab_delay #(
                .BITS(BITS), .CYCLES(WAITS - 1)
            ) u_delay (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(operand_q), .o_data(o_stored), .o_taps()
            );
        end
    endgenerate
endmodule

`default_nettype wire
