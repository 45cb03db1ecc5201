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
`default_nettype none
`include "gfab_bits.vh"

module gfab_chip_control #(
    parameter CABLES  = 1,  // to other chips, 1 or more
    parameter LATENCY = 9,  // of every link, in cycles, 3 or more
    parameter ENTRIES = 10, // of a cable's buffer, more than LATENCY
    parameter TAIL    = 10, // cycles, 1 or more
    parameter REST    = 0   // cycles
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
    // the host
    output wire                           o_busy,
    output wire                           o_done, // from the end, with or without o_error, to the next start
    output wire                           o_error
);
    // Behind each other; a fault goes to STOP instead, and from there to REST.
    localparam [2:0] IDLE = 0;
    localparam [2:0] FILL = 1; // the buffers
    localparam [2:0] RUN  = 2; // until the gossip is over
    localparam [2:0] LATE = 3; // others may still say that they had a fault
    localparam [2:0] HOLD = 4; // the neighbours still read
    localparam [2:0] STOP = 5; // others learn of a fault
    localparam [2:0] WAIT = 6; // for chips far away
    localparam [2:0] FREE = 7; // when the neighbours are, too

    localparam MOST       = (TAIL > REST) ? TAIL : REST;
    localparam COUNT_MOST = (MOST > ENTRIES) ? MOST : ENTRIES;
    localparam COUNT_BITS = `GFAB_BITS(COUNT_MOST);
    localparam ENTRY_BITS = `GFAB_BITS(ENTRIES);
    localparam LAST_ENTRY = ENTRIES - 1;
    localparam LAST_FILL  = LATENCY - 3; // what the counter begins with: a cycle less than the state has
    localparam LAST_LATE  = TAIL - 1;
    localparam LAST_STOP  = (REST > 0) ? TAIL - 1 : 0; // who does not rest waits for its neighbours alone
    localparam LAST_HOLD  = ENTRIES - LATENCY - 1;
    localparam LAST_WAIT  = (REST > 0) ? REST - 1 : 0;

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

    reg [2:0]            state_q;
    reg [COUNT_BITS-1:0] count_q; // cycles that are left of the state
    reg                  done_q;
    reg                  error_q;
    reg [ENTRY_BITS-1:0] entry_q;
    reg                  phase_q;

    wire start  = (state_q == IDLE) & (i_start | (|valids));
    wire running = (state_q == FILL) | (state_q == RUN) | (state_q == LATE) | (state_q == HOLD);
    wire fault  = running & (|i_faults);
    wire read   = (state_q == RUN) | (state_q == LATE);
    wire last   = (count_q == {COUNT_BITS{1'b0}});

    reg ran_q; // since the reset, which is not the end of a gossip
    always @(posedge i_clk)
        ran_q <= ~i_rst & (start | ran_q);

    always @(posedge i_clk)
        if (i_rst) begin
            state_q <= (REST > 0) ? WAIT : FREE;
            count_q <= LAST_WAIT[COUNT_BITS-1:0];
            done_q  <= 1'b0;
            error_q <= 1'b0;
        end else begin
            count_q <= count_q - 1'b1;
            if (start) begin
                state_q <= FILL;
                count_q <= LAST_FILL[COUNT_BITS-1:0];
                done_q  <= 1'b0;
                error_q <= 1'b0;
            end else if (fault) begin
                state_q <= STOP;
                count_q <= LAST_STOP[COUNT_BITS-1:0];
                error_q <= 1'b1;
            end else if (state_q == FILL & last)
                state_q <= RUN;
            else if (state_q == RUN & i_done) begin
                state_q <= LATE;
                count_q <= LAST_LATE[COUNT_BITS-1:0];
            end else if (state_q == LATE & last) begin
                state_q <= HOLD;
                count_q <= LAST_HOLD[COUNT_BITS-1:0];
            end else if ((state_q == HOLD | state_q == STOP) & last) begin
                state_q <= (REST > 0) ? WAIT : FREE;
                count_q <= LAST_WAIT[COUNT_BITS-1:0];
            end else if (state_q == WAIT & last)
                state_q <= FREE;
            else if (state_q == FREE & ~(|valids)) begin
                state_q <= IDLE;
                done_q  <= ran_q;
            end
        end

    always @(posedge i_clk)
        if (~read) begin
            entry_q <= {ENTRY_BITS{1'b0}};
            phase_q <= 1'b0;
        end else begin
            entry_q <= (entry_q == LAST_ENTRY[ENTRY_BITS-1:0]) ? {ENTRY_BITS{1'b0}} : entry_q + 1'b1;
            phase_q <= phase_q ^ (entry_q == LAST_ENTRY[ENTRY_BITS-1:0]);
        end

    assign o_start = start;
    assign o_stop  = (state_q == STOP);
    assign o_valid = start | running;
    assign o_read  = read;
    assign o_entry = entry_q;
    assign o_phase = phase_q;
    assign o_busy  = (state_q != IDLE);
    assign o_done  = done_q;
    assign o_error = error_q;
endmodule

`default_nettype wire
