// SPDX-License-Identifier: MIT
//
// Wishbone B4 in front of gfab_registers: classic cycles of 32 bits, in bytes, addresses of words. A write that the
// registers refuse is answered err, all else ack.
//
// The answer comes in the second cycle of a request. A write happens with its answer: a request that is taken back
// before has done nothing.
`default_nettype none

module gfab_wishbone #(
    parameter ADDRESS_BITS = 7 // of a byte's address
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire                    i_wb_cyc,
    input  wire                    i_wb_stb,
    input  wire                    i_wb_we,
    input  wire [ADDRESS_BITS-1:2] i_wb_adr,
    input  wire [31:0]             i_wb_dat,
    input  wire [3:0]              i_wb_sel,
    output wire                    o_wb_ack,
    output wire                    o_wb_err,
    output wire [31:0]             o_wb_dat,
    // gfab_registers
    output wire [ADDRESS_BITS-1:2] o_read_address,
    input  wire [31:0]             i_read_data,
    output wire                    o_write,
    output wire [ADDRESS_BITS-1:2] o_write_address,
    output wire [31:0]             o_write_data,
    output wire [3:0]              o_write_strobe,
    input  wire                    i_write_refused
);
    reg         second_q; // cycle of a request
    reg  [31:0] data_q;
    wire        request = i_wb_cyc & i_wb_stb;
    wire        answer  = request & second_q;
    wire        refused = i_wb_we & i_write_refused; // as it is when the write would happen

    always @(posedge i_clk) begin
        second_q <= request & ~second_q & ~i_rst;
        data_q   <= i_read_data;
    end

    assign o_wb_ack        = answer & ~refused;
    assign o_wb_err        = answer & refused;
    assign o_wb_dat        = data_q;
    assign o_read_address  = i_wb_adr;
    assign o_write         = answer & i_wb_we & ~refused;
    assign o_write_address = i_wb_adr;
    assign o_write_data    = i_wb_dat;
    assign o_write_strobe  = i_wb_sel;
endmodule

`default_nettype wire
