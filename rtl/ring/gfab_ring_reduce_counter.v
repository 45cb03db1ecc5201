// SPDX-License-Identifier: MIT
//
// Time for a ring fabric that combines: one counter for all nodes. ROUNDS blocks that belong to each node go around one
// after the other, with all others of their round. In step t every node works on the block whose home is (t + 1) %
// LENGTH arcs behind it: in steps 0 .. LENGTH - 1 it adds what it has of it to what comes, the last time at home. With
// ALL totals then go around: in steps LENGTH .. 2 LENGTH - 2 it passes on what comes. One step more empties the arcs
// for the next round. A step is FLITS cycles.
//
// From the edge that samples i_start to the edge that samples o_done = 1 there are ROUNDS * STEPS * FLITS + 3 + SETTLES
// cycles, STEPS being 2 LENGTH with ALL, else LENGTH + 1. i_start, o_busy and o_done are those of gfab_ring_counter.
// LENGTH is i_last_place + 1, an input, so that a proof is for every length.
//
// Stages: 0 the counter, o_read; 1 nodes have its address; 2 stores answer, o_pass; 3 operands are added, o_first,
// o_clear; 4 o_write: the result is in a register, and written at the end of the next cycle.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_reduce_counter #(
    parameter PLACE_BITS = 4, // of a distance
    parameter ROUNDS     = 1, // 1 or more
    parameter FLITS      = 1, // of a block, 1 or more
    parameter ALL        = 1, // 1: all nodes get a block's total; 0: its home alone
    parameter SETTLES    = 0  // cycles by which totals are stored later
) (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_start,
    input  wire [PLACE_BITS-1:0] i_last_place, // constant: LENGTH - 1, 2 or more
    output wire o_busy,
    output wire o_done,
    output wire o_read,  // stores are to be read for the ring
    output wire [`GFAB_RING_ADDRESS_BITS(1 << PLACE_BITS, ROUNDS, FLITS)-1:0] o_read_address, // {distance, round, flit}
    output wire o_pass,  // operands are to be nothing
    output wire o_first, // it is a block's first flit
    output wire o_clear, // results are to be nothing; always while nothing runs
    output wire o_write, // results are to be written
    output wire [`GFAB_RING_ADDRESS_BITS(1 << PLACE_BITS, ROUNDS, FLITS)-1:0] o_write_address
);
    localparam ROUND_BITS   = `GFAB_BITS(ROUNDS);
    localparam FLIT_BITS    = `GFAB_BITS(FLITS);
    localparam ADDRESS_BITS = `GFAB_RING_ADDRESS_BITS(1 << PLACE_BITS, ROUNDS, FLITS);
    localparam LAST_ROUND   = ROUNDS - 1;
    localparam LAST_FLIT    = FLITS - 1;
    localparam [PLACE_BITS-1:0] FIRST_PLACE = 1;

    reg                  busy_q;
    reg                  done_q;
    reg                  run_q;
    reg                  after_q; // own operands are through
    reg [PLACE_BITS-1:0] place_q;
    reg [ROUND_BITS-1:0] round_q;
    reg [FLIT_BITS-1:0]  flit_q;
    reg [SETTLES+1:0]    last_q;

    wire start   = i_start & (~busy_q | done_q);
    wire home    = place_q == {PLACE_BITS{1'b0}};
    wire empties = after_q & (home | (ALL == 0)); // the step that empties the arcs
    wire writes  = after_q ? ~empties : home;
    wire ends    = FLITS == 1 || flit_q == LAST_FLIT[FLIT_BITS-1:0]; // the step
    wire over    = ends & empties; // the round
    wire last    = run_q & over & (ROUNDS == 1 || round_q == LAST_ROUND[ROUND_BITS-1:0]);

    always @(posedge i_clk) begin
        if (i_rst) begin
            busy_q <= 1'b0;
            done_q <= 1'b0;
            run_q  <= 1'b0;
            last_q <= {(SETTLES+2){1'b0}};
        end else begin
            busy_q <= start | (busy_q & ~done_q);
            done_q <= last_q[SETTLES+1] | (done_q & ~start);
            run_q  <= start | (run_q & ~last);
            last_q <= {last_q[SETTLES:0], last};
        end
        // No start comes in the cycle behind the last one, so that it need not be known here.
        if (i_rst | ~run_q) begin
            after_q <= 1'b0;
            place_q <= FIRST_PLACE;
            round_q <= {ROUND_BITS{1'b0}};
            flit_q  <= {FLIT_BITS{1'b0}};
        end else begin
            flit_q <= ends ? {FLIT_BITS{1'b0}} : flit_q + 1'b1;
            if (ends) begin
                after_q <= ~empties & (after_q | home);
                place_q <= over ? FIRST_PLACE : (place_q == i_last_place) ? {PLACE_BITS{1'b0}} : place_q + 1'b1;
            end
            if (over)
                round_q <= last ? {ROUND_BITS{1'b0}} : round_q + 1'b1;
        end
    end

    wire [ADDRESS_BITS-1:0] address;
    generate
        if (ROUNDS > 1 && FLITS > 1) begin : gen_rounds_flits
            assign address = {place_q, round_q, flit_q};
        end else if (ROUNDS > 1) begin : gen_rounds
            assign address = {place_q, round_q};
        end else if (FLITS > 1) begin : gen_flits
            assign address = {place_q, flit_q};
        end else begin : gen_places
            assign address = place_q;
        end
    endgenerate
    assign o_busy         = busy_q;
    assign o_done         = done_q;
    assign o_read         = run_q;
    assign o_read_address = address;

    // Stages 1 .. 4, as far as each is needed.
    reg       run1_q, run2_q;
    reg       pass1_q, pass2_q;
    reg [2:0] first_q;
    reg       empties1_q, empties2_q, clear_q;
    reg [3:0] write_q;
    reg [4*ADDRESS_BITS-1:0] address_q;
    always @(posedge i_clk) begin
        {run2_q, run1_q} <= {run1_q, run_q} & {2{~i_rst}};
        pass1_q    <= run_q & after_q & ~i_rst;
        pass2_q    <= pass1_q & ~i_rst;
        first_q    <= {first_q[1:0], flit_q == {FLIT_BITS{1'b0}}};
        empties1_q <= empties;
        empties2_q <= empties1_q;
        clear_q    <= i_rst | ~run2_q | empties2_q;
        write_q    <= {write_q[2:0], run_q & writes} & {4{~i_rst}};
        address_q  <= {address_q[3*ADDRESS_BITS-1:0], address};
    end
    assign o_pass          = pass2_q;
    assign o_first         = first_q[2];
    assign o_clear         = clear_q;
    assign o_write         = write_q[3];
    assign o_write_address = address_q[3*ADDRESS_BITS+:ADDRESS_BITS];
endmodule

`default_nettype wire
