// SPDX-License-Identifier: MIT
//
// The solver with the ports of a gossip_fabric, so that it takes that one's place in a board top: a start solves, loads
// write c and reads give x. The Makefile puts it there.
`default_nettype none
`include "tb/gossip_fabric_parameters.vh"
`include "build/data/jacobi_parameters.vh"

module jacobi_board (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_start,
    input  wire [`GF_PROGRAM_BITS-1:0] i_program, // whatever it is
    output wire o_busy,
    output wire o_done, // from the end of a solution to the next start
    input  wire [`GF_NODES-1:0] i_load_valid,
    input  wire [`GF_NODES*`GF_LOAD_BITS-1:0] i_load_word,
    input  wire [`GF_NODES*`GF_WORD_BITS-1:0] i_load_data,
    input  wire [`GF_NODES*`GF_SLOT_BITS-1:0] i_read_token,
    input  wire [`GF_NODES*`GF_INDEX_BITS-1:0] i_read_word,
    output wire [`GF_NODES*`GF_WORD_BITS-1:0] o_read_data
);
    wire unused = ^i_program;

    reg started_q; // since the reset
    always @(posedge i_clk)
        started_q <= !i_rst && (started_q || i_start);
    assign o_done = started_q && !o_busy;

    jacobi #(.ROWS(`JACOBI_ROWS)) u_jacobi (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_tolerance(`JACOBI_TOLERANCE), .i_most(`JACOBI_MOST),
        .o_busy(o_busy), .o_solved(), .o_iterations(), .o_change(), .o_cycles_compute(), .o_cycles_communicate(),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_entry(i_read_token), .i_read_word(i_read_word), .o_read_data(o_read_data)
    );
endmodule

`default_nettype wire
