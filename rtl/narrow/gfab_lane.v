// SPDX-License-Identifier: MIT
//
// One port of a node: who drives its link when. What it sends is made of words by gfab_flits_out, and what comes in is
// made words of by gfab_flits_in, for all lanes of a node together.
//
// Sending (i_send = 1 at i_strobe): o_drive is 1 for exactly the cycles of the round in which the lane sends: up to
// the next i_strobe, or up to i_close, which is 1 in the lane's turn where no round follows at once.
//
// A lane 0 whose link keeps the window of another lane (docs/reference/fabric-timing.md, "Skewed
// links") delays what it sends by TX_DELAY and what it receives by RX_DELAY cycles.
//
// PROTECT: what drives the link is kept twice, the second time inverted; o_fault says that the two differ.
`default_nettype none

module gfab_lane #(
    parameter LINK_BITS = 2, // bits of a flit, 1 or more
    parameter TX_DELAY  = 0, // cycles, 0 or more
    parameter RX_DELAY  = 0, // cycles, 0 or more
    parameter PROTECT   = 0
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire                 i_strobe, // the lane's cycle for taking over i_send
    input  wire                 i_close,  // the cycle for ending to send, where i_strobe is 0
    input  wire                 i_send,
    input  wire                 i_rest,   // ~i_send, kept apart from it; with PROTECT
    input  wire [LINK_BITS-1:0] i_flit,   // of the word that it sends
    input  wire [LINK_BITS-1:0] i_link,   // both ends joined, or the other end
    output wire [LINK_BITS-1:0] o_link,   // this end of it; 0 unless o_drive
    output wire                 o_drive,
    output wire [LINK_BITS-1:0] o_flit,   // what came in
    output wire                 o_fault   // 0 unless PROTECT
);
    reg send_q;
    always @(posedge i_clk)
        if (i_rst)
            send_q <= 1'b0;
        else if (i_strobe)
            send_q <= i_send;
        else if (i_close)
            send_q <= 1'b0;

    wire [LINK_BITS-1:0] leaving;
    gfab_delay #(
        .BITS(1), .CYCLES(TX_DELAY), .RESET(1)
    ) u_drive (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(send_q), .o_data(o_drive), .o_taps()
    );
    gfab_delay #(
        .BITS(LINK_BITS), .CYCLES(TX_DELAY), .RESET(0)
    ) u_tx (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(i_flit), .o_data(leaving), .o_taps()
    );
    gfab_delay #(
        .BITS(LINK_BITS), .CYCLES(RX_DELAY), .RESET(0)
    ) u_rx (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(i_link), .o_data(o_flit), .o_taps()
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
                else if (i_close)
                    rest_q <= 1'b1;
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
endmodule

`default_nettype wire
