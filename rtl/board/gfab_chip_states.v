// SPDX-License-Identifier: MIT
//
// The states of a chip with a clock of its own, and what it counts: gfab_chip_control has what they mean. All inputs
// are by the chip's clock.
//
// PROTECT: two of them check each other, the second with its flip-flops inverted (TWIN), so that synthesis keeps both.
// Where they differ, i_differ, both go to STOP. Chip 0 (REST above 0) starts by i_start alone then, and who else has
// started before it has a fault. So has a chip that starts by a neighbour's valid which is gone a cycle later: the bit
// flipped, and what the host reads from then on is wrong.
`default_nettype none
`include "gfab_bits.vh"

module gfab_chip_states #(
    parameter LATENCY = 9,  // as in gfab_chip_control
    parameter ENTRIES = 10,
    parameter TAIL    = 10,
    parameter REST    = 0,
    parameter PROTECT = 0,
    parameter TWIN    = 0
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire                           i_start,
    input  wire                           i_valid, // some neighbour's
    input  wire                           i_fault,
    input  wire                           i_done,
    input  wire                           i_differ, // 0 unless PROTECT
    // as those of gfab_chip_control
    output wire                           o_start,
    output wire                           o_stop,
    output wire                           o_valid,
    output wire                           o_read,
    output wire [`GFAB_BITS(ENTRIES)-1:0] o_entry,
    output wire                           o_phase,
    output wire                           o_sent_phase, // with PROTECT, else 0
    output wire                           o_busy,
    output wire                           o_done,
    output wire                           o_error,
    output wire [63:0]                    o_all // to be compared
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
    localparam ALL_BITS   = 2 * ENTRY_BITS + COUNT_BITS + 8;
    localparam [ALL_BITS-1:0] TURN = {ALL_BITS{TWIN != 0}};

    // All flip-flops: what they say, and what they load.
    reg  [ALL_BITS-1:0]   all_q;
    wire [2:0]            state;
    wire [COUNT_BITS-1:0] count; // cycles that are left of the state
    wire                  done, error, ran, phase, sent_phase; // ran: since the reset, which is not the end of a gossip
    wire [ENTRY_BITS-1:0] entry, sent_entry;
    assign {state, count, done, error, ran, phase, entry, sent_phase, sent_entry} = all_q ^ TURN;
    reg  [2:0]            next;
    reg  [COUNT_BITS-1:0] next_count;
    reg                   next_done, next_error;

    wire alone   = (PROTECT != 0) & (REST > 0);
    wire start   = (state == IDLE) & (i_start | (i_valid & ~alone));
    wire early   = (state == IDLE) & ~i_start & i_valid & alone;
    wire running = (state == FILL) | (state == RUN) | (state == LATE) | (state == HOLD);
    wire brief   = (state == FILL) & (count == LAST_FILL[COUNT_BITS-1:0]) & ~i_valid & (PROTECT != 0) & ~alone;
    wire fault   = (running & i_fault) | early | brief | i_differ;
    wire read    = (state == RUN) | (state == LATE);
    wire last    = (count == {COUNT_BITS{1'b0}});

    always @* begin
        next       = state;
        next_count = count - 1'b1;
        next_done  = done;
        next_error = error;
        if (fault) begin
            next       = STOP;
            next_count = LAST_STOP[COUNT_BITS-1:0];
            next_done  = 1'b0; // in both, as all that a fault leaves
            next_error = 1'b1;
        end else if (start) begin
            next       = FILL;
            next_count = LAST_FILL[COUNT_BITS-1:0];
            next_done  = 1'b0;
            next_error = 1'b0;
        end else if (state == FILL & last)
            next = RUN;
        else if (state == RUN & i_done) begin
            next       = LATE;
            next_count = LAST_LATE[COUNT_BITS-1:0];
        end else if (state == LATE & last) begin
            next       = HOLD;
            next_count = LAST_HOLD[COUNT_BITS-1:0];
        end else if ((state == HOLD | state == STOP) & last) begin
            next       = (REST > 0) ? WAIT : FREE;
            next_count = LAST_WAIT[COUNT_BITS-1:0];
        end else if (state == WAIT & last)
            next = FREE;
        else if (state == FREE & ~i_valid) begin
            next      = IDLE;
            next_done = ran;
        end
    end

    // Of what is read and, with PROTECT, of what leaves: from 0 on while it does.
    wire sent = (PROTECT != 0) & (start | running);
    wire [ENTRY_BITS:0] next_entry      = next_of(read, entry, phase);
    wire [ENTRY_BITS:0] next_sent_entry = next_of(sent, sent_entry, sent_phase);

    function [ENTRY_BITS:0] next_of(input counts, input [ENTRY_BITS-1:0] at, input phase_at); // {phase, entry}
        if (!counts)
            next_of = {(ENTRY_BITS+1){1'b0}};
        else if (at == LAST_ENTRY[ENTRY_BITS-1:0])
            next_of = {~phase_at, {ENTRY_BITS{1'b0}}};
        else
            next_of = {phase_at, at + 1'b1};
    endfunction

    localparam [ALL_BITS-1:0] BEGIN = {
        (REST > 0) ? WAIT : FREE, LAST_WAIT[COUNT_BITS-1:0], {(ALL_BITS-3-COUNT_BITS){1'b0}}
    };
    always @(posedge i_clk)
        all_q <= TURN ^ (i_rst ? BEGIN : {
            next, next_count, next_done, next_error, start | fault | ran, next_entry, next_sent_entry
        });

    assign o_start      = start;
    assign o_stop       = (state == STOP);
    assign o_valid      = start | running;
    assign o_read       = read;
    assign o_entry      = entry;
    assign o_phase      = phase;
    assign o_sent_phase = sent_phase;
    assign o_busy       = (state != IDLE);
    assign o_done       = done;
    assign o_error      = error;
    assign o_all        = {{(64-ALL_BITS){1'b0}}, all_q ^ TURN};
endmodule

`default_nettype wire
