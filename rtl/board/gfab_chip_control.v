// SPDX-License-Identifier: MIT
//
// When a chip with a clock of its own starts and ends, and what it reads from its cables meanwhile.
// docs/reference/own-clocks.md has the protocol and why it is right.
//
// A chip starts by i_start, or when it sees a neighbour's valid wire rise. Call the cycle after that edge cycle 0.
// From the start on its own valid is 1, and entry j of each cable's buffer (gfab_cable) is read in cycle LATENCY - 2 +
// j, so that a flit that the other end had in cycle t is there in cycle t + LATENCY. After the gossip valid stays 1 for
// TAIL + ENTRIES - LATENCY cycles; then come REST cycles, and then the chip waits until valid is 0 at all neighbours.
//
// A fault of a cable, a flit that is not there in time, ends the gossip: valid falls at once, so that the neighbours
// have a fault LATENCY + 1 cycles later, and so on. Thus a gossip that ends without o_error at a chip went well
// everywhere within TAIL / (LATENCY + 1) cables of it.
//
// PROTECT: what else ends a gossip comes in by i_faults, too; the states are there twice and compared; and there are
// the tags of gfab_pad_check: the phase of the buffer's entry that a flit goes to, or comes from.
`default_nettype none
`include "gfab_bits.vh"

module gfab_chip_control #(
    parameter CABLES  = 1,  // to other chips, 1 or more
    parameter LATENCY = 9,  // of every link, in cycles, 3 or more
    parameter ENTRIES = 10, // of a cable's buffer, more than LATENCY
    parameter TAIL    = 10, // cycles, 1 or more
    parameter REST    = 0,  // cycles; above 0 on chip 0 alone
    parameter PROTECT = 0   // 1: faults are noticed
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire                           i_start,
    input  wire [CABLES-1:0]              i_valids, // asynchronous: the neighbours'
    input  wire [CABLES-1:0]              i_faults,
    // the sequencer
    output wire                           o_start,
    output wire                           o_stop, // holds it, and the nodes, in reset
    input  wire                           i_done,
    // the cables
    output wire                           o_valid, // for the pads' registers
    output wire                           o_read,
    output wire [`GFAB_BITS(ENTRIES)-1:0] o_entry,
    output wire                           o_phase, // of the entry: 0, and the other at each time through the buffer
    // with PROTECT, else 0
    output wire                           o_tag,
    output wire                           o_come_tag,
    output wire                           o_watch,  // something comes that is to be tested
    output wire                           o_differ, // the two are not in one state
    // the host
    output wire                           o_busy,
    output wire                           o_done, // from the end, with or without o_error, to the next start
    output wire                           o_error
);
    wire [CABLES-1:0] valids;
    genvar c;
    generate
        if (LATENCY < 3 || ENTRIES <= LATENCY || TAIL < 1) begin : gen_bad
            gfab_error_latency_3_or_more_entries_above_it_tail_1_or_more u_bad ();
        end
        // In reset as if neighbours were running: only what is seen to be 0 is.
        for (c = 0; c < CABLES; c = c + 1) begin : gen_cable
            gfab_synchroniser #(.RESET_VALUE(1'b1)) u_valid (
                .i_clk(i_clk), .i_rst(i_rst), .i_async(i_valids[c]), .o_sync(valids[c])
            );
        end
    endgenerate

    wire [63:0] all;
    gfab_chip_states #(
        .LATENCY(LATENCY), .ENTRIES(ENTRIES), .TAIL(TAIL), .REST(REST), .PROTECT(PROTECT)
    ) u_states (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_valid(|valids), .i_fault(|i_faults), .i_done(i_done),
        .i_differ(o_differ), .o_start(o_start), .o_stop(o_stop), .o_valid(o_valid), .o_read(o_read),
        .o_entry(o_entry), .o_phase(o_phase), .o_sent_phase(o_tag), .o_busy(o_busy), .o_done(o_done),
        .o_error(o_error), .o_all(all)
    );

    generate
        if (PROTECT) begin : gen_twin
            wire [63:0] twin;
            gfab_chip_states #(
                .LATENCY(LATENCY), .ENTRIES(ENTRIES), .TAIL(TAIL), .REST(REST), .PROTECT(1), .TWIN(1)
            ) u_states (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_valid(|valids), .i_fault(|i_faults),
                .i_done(i_done), .i_differ(o_differ), .o_start(), .o_stop(), .o_valid(), .o_read(), .o_entry(),
                .o_phase(), .o_sent_phase(), .o_busy(), .o_done(), .o_error(), .o_all(twin)
            );
            assign o_differ = (all != twin);

            reg come_tag_q, watch_q;
            always @(posedge i_clk) begin
                come_tag_q <= o_phase;
                watch_q    <= ~i_rst & o_read;
            end
            assign o_come_tag = come_tag_q;
            assign o_watch    = watch_q;
        end else begin : gen_one
            assign o_differ   = 1'b0;
            assign o_come_tag = 1'b0;
            assign o_watch    = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
