// SPDX-License-Identifier: MIT
//
// One port of a node: a shift register of one word (K flits, K = LANES) that sends the
// store's words over the link flit by flit and gathers the link's flits into words. One
// register serves both ways, even at once: what comes in goes on behind what goes out, and a word
// is complete in the cycle in which the next to be sent is loaded. Where that is not so (links with
// latency, a skewed lane behind a gap) SPLIT gives each direction its own.
//
// Sending (i_send = 1 at i_strobe): the word on i_word at i_first leaves in K
// cycles, least significant flit first; from the same cycle on where DIRECT, from the next
// otherwise. o_drive is 1 for exactly the cycles of the round in which the lane sends: up to
// the next i_strobe, or up to i_close, which is 1 in the lane's turn where no round follows at once.
// Receiving: o_word is complete in the cycle in which its last flit is on i_link
// (RX_DELAY = 0) and is to be written in that cycle.
//
// A lane 0 whose link keeps the window of another lane (docs/reference/fabric-timing.md, "Skewed
// links") delays what it sends by TX_DELAY and what it receives by RX_DELAY cycles.
//
// COMBINE: what goes into the register is i_in, which gfab_combine makes of o_new, what arrives, and o_old, what leaves
// the register in that cycle. A lane that receives takes i_word over, too. BOTH: it may send meanwhile, and o_old is
// i_old's, flit by flit, from a register of its own.
//
// PROTECT: what drives the link is kept twice, the second time inverted; o_fault says that the two differ.
`default_nettype none
`include "gfab_assert.vh"

module gfab_lane #(
    parameter LANES     = 4, // flits of a word, 1 or more
    parameter LINK_BITS = 2, // bits of a flit, 1 or more
    parameter DIRECT    = 0, // 1: the first flit comes straight from i_word
    parameter SPLIT     = 0, // 1: a register for each direction
    parameter TX_DELAY  = 0, // cycles, 0 .. LANES - 1
    parameter RX_DELAY  = 0, // cycles, 0 .. LANES - 1
    parameter COMBINE   = 0, // not with SPLIT
    parameter BOTH      = 0, // only with COMBINE
    parameter PROTECT   = 0
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    input  wire                       i_strobe, // the lane's cycle for taking over i_send
    input  wire                       i_close,  // the cycle for ending to send, where i_strobe is 0
    input  wire                       i_first,  // i_word is this lane's
    input  wire                       i_send,
    input  wire                       i_rest,   // ~i_send, kept apart from it; with PROTECT
    input  wire [LANES*LINK_BITS-1:0] i_word,
    input  wire [LANES*LINK_BITS-1:0] i_old,    // at the same time; with BOTH
    output wire [LANES*LINK_BITS-1:0] o_word,
    input  wire [LINK_BITS-1:0]       i_link,   // both ends joined, or the other end
    output wire [LINK_BITS-1:0]       o_link,   // this end of it; 0 unless o_drive
    output wire                       o_drive,
    output wire [LINK_BITS-1:0]       o_old,
    output wire [LINK_BITS-1:0]       o_new,
    input  wire [LINK_BITS-1:0]       i_in,     // with COMBINE
    output wire                       o_fault   // 0 unless PROTECT
);
    localparam WORD_BITS = LANES * LINK_BITS;

    reg                 send_q;
    reg [WORD_BITS-1:0] shift_q;

    wire [LINK_BITS-1:0]           arrived;
    wire [LINK_BITS-1:0]           rx       = COMBINE ? i_in : arrived;
    wire [WORD_BITS+LINK_BITS-1:0] incoming = {rx, shift_q};
    wire [WORD_BITS-1:0]           shifted  = incoming[WORD_BITS+LINK_BITS-1:LINK_BITS];
    wire [LINK_BITS-1:0]           tx;

    always @(posedge i_clk)
        if (i_rst)
            send_q <= 1'b0;
        else if (i_strobe)
            send_q <= i_send;
        else if (i_close)
            send_q <= 1'b0;

    generate
        if (SPLIT) begin : gen_split
            reg  [WORD_BITS-1:0]           tx_shift_q;
            wire [WORD_BITS+LINK_BITS-1:0] out  = {{LINK_BITS{1'b0}}, (DIRECT != 0 && i_first) ? i_word : tx_shift_q};
            wire [WORD_BITS-1:0]           rest = out[WORD_BITS+LINK_BITS-1:LINK_BITS];
            always @(posedge i_clk) begin
                shift_q    <= shifted;
                tx_shift_q <= (DIRECT == 0 && i_first) ? i_word : rest;
            end
            assign tx = out[LINK_BITS-1:0];
        end else if (DIRECT) begin : gen_direct
            // A skewed lane still receives the last word of one round when it sends the first of the
            // next: what comes in goes on behind what goes out.
            wire [WORD_BITS+LINK_BITS-1:0] rest = {rx, i_word};
            wire load = i_first & (send_q | (COMBINE != 0));
            always @(posedge i_clk)
                shift_q <= load ? rest[WORD_BITS+LINK_BITS-1:LINK_BITS] : shifted;
            assign tx = i_first ? i_word[LINK_BITS-1:0] : shift_q[LINK_BITS-1:0];
        end else begin : gen_registered
            // A receiving lane is loaded, too, in the cycle in which its last word is
            // complete: LANES - 1 shifts later nothing is left of the load.
            always @(posedge i_clk)
                shift_q <= i_first ? i_word : shifted;
            assign tx = shift_q[LINK_BITS-1:0];
        end

    endgenerate

    wire [LINK_BITS-1:0] leaving;
    gfab_delay #(
        .BITS(1), .CYCLES(TX_DELAY), .RESET(1)
    ) u_drive (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(send_q), .o_data(o_drive), .o_taps()
    );
    gfab_delay #(
        .BITS(LINK_BITS), .CYCLES(TX_DELAY), .RESET(0)
    ) u_tx (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(tx), .o_data(leaving), .o_taps()
    );
    gfab_delay #(
        .BITS(LINK_BITS), .CYCLES(RX_DELAY), .RESET(0)
    ) u_rx (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(i_link), .o_data(arrived), .o_taps()
    );
    assign o_link = {LINK_BITS{o_drive}} & leaving;

    generate
        if (PROTECT) begin : gen_twin
            (* keep *) reg rest_q;
            wire           rest;
            always @(posedge i_clk)
                if (i_rst)
                    rest_q <= 1'b1;
                else if (i_strobe)
                    rest_q <= i_rest;
            if (TX_DELAY == 0) begin : gen_now
                assign rest = rest_q;
            end else begin : gen_delayed
                (* keep *) reg [TX_DELAY-1:0] delayed_q;
                wire [TX_DELAY:0] chain = {delayed_q, rest_q};
                always @(posedge i_clk)
                    delayed_q <= i_rst ? {TX_DELAY{1'b1}} : chain[TX_DELAY-1:0];
                assign rest = chain[TX_DELAY];
            end
            assign o_fault = (o_drive == rest);
        end else begin : gen_no_twin
            assign o_fault = 1'b0;
        end
    endgenerate

    generate
        if (BOTH) begin : gen_old
            reg  [WORD_BITS-1:0] old_q;
            wire [WORD_BITS-1:0] old = (DIRECT != 0 && i_first) ? i_old : old_q;
            always @(posedge i_clk)
                old_q <= (DIRECT == 0 && i_first) ? i_old : old >> LINK_BITS;
            assign o_old = old[LINK_BITS-1:0];
        end else begin : gen_shared
            assign o_old = tx;
        end
    endgenerate

    assign o_word = shifted;
    assign o_new  = arrived;
endmodule

`default_nettype wire
