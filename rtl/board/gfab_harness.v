// SPDX-License-Identifier: MIT
//
// For measuring a fabric alone in place and route: it needs far more pins than
// a part has. All that goes into the fabric comes from one serial shift register, broadcast to
// all nodes, and all that comes out is registered and folded into one pin, so that every path that counts
// lies between registers. Not for use.
//
// Latency: 2 cycles from i_bit to the fabric, 3 from the fabric to o_bit.
`default_nettype none

module gfab_harness #(
    parameter NODES      = 16, // 2 or more
    parameter SLOT_BITS  = 4,
    parameter INDEX_BITS = 2,
    parameter LOAD_BITS  = 2, // of i_load_word
    parameter WORD_BITS  = 8,
    parameter READ_BITS  = WORD_BITS, // of what is read
    parameter ERROR_BITS = 1
) (
    input  wire                        i_clk,
    // pins
    input  wire                        i_rst,
    input  wire                        i_start,
    input  wire                        i_bit,
    output wire                        o_bit,
    // fabric
    output wire                        o_rst,
    output wire                        o_start,
    input  wire                        i_busy,
    input  wire                        i_done,
    output wire [NODES-1:0]            o_load_valid,
    output wire [NODES*LOAD_BITS-1:0]  o_load_word,
    output wire [NODES*WORD_BITS-1:0]  o_load_data,
    output wire [NODES*SLOT_BITS-1:0]  o_read_token,
    output wire [NODES*INDEX_BITS-1:0] o_read_word,
    input  wire [NODES*READ_BITS-1:0]  i_read_data,
    input  wire [ERROR_BITS-1:0]       i_errors // 0 for a fabric without protection
);
    localparam IN_BITS = NODES + LOAD_BITS + INDEX_BITS + WORD_BITS + SLOT_BITS;

    reg                       rst_q;
    reg                       start_q;
    reg [IN_BITS-1:0]         in_q;
    reg [NODES*READ_BITS-1:0] out_q;
    reg [NODES-1:0]           folded_q;
    reg [ERROR_BITS-1:0]      errors_q;
    reg                       bit_q;

    always @(posedge i_clk) begin
        rst_q   <= i_rst;
        start_q <= i_start;
        in_q    <= {in_q[IN_BITS-2:0], i_bit};
        out_q   <= i_read_data;
        bit_q   <= ^folded_q ^ i_busy ^ i_done ^ (^errors_q);
        errors_q <= i_errors;
    end

    genvar v;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_fold
            always @(posedge i_clk)
                folded_q[v] <= ^out_q[v*READ_BITS+:READ_BITS];
        end
    endgenerate

    assign o_rst        = rst_q;
    assign o_start      = start_q;
    assign o_load_valid = in_q[NODES-1:0];
    assign o_load_word  = {NODES{in_q[NODES+:LOAD_BITS]}};
    assign o_read_word  = {NODES{in_q[NODES+LOAD_BITS+:INDEX_BITS]}};
    assign o_read_token = {NODES{in_q[NODES+LOAD_BITS+INDEX_BITS+:SLOT_BITS]}};
    assign o_load_data  = {NODES{in_q[NODES+LOAD_BITS+INDEX_BITS+SLOT_BITS+:WORD_BITS]}};
    assign o_bit        = bit_q;
endmodule

`default_nettype wire
