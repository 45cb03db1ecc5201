// SPDX-License-Identifier: MIT
//
// The tags of gfab_pad_check where chips have one clock: they change with every cycle of a collective, which begins on
// all chips by one edge. What comes is tested from when the first flit can be there.
`default_nettype none

module gfab_chip_beat #(
    parameter LATENCY = 2 // cycles of every link, 1 or more
) (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_busy,
    output wire o_tag,
    output wire o_come_tag,
    output wire o_watch
);
    reg                 tag_q;
    reg  [LATENCY-1:0]  tags_q, busy_q; // as they were 1 .. LATENCY cycles before
    wire [LATENCY:0]    tags = {tags_q, tag_q};
    wire [LATENCY:0]    busy = {busy_q, i_busy};

    always @(posedge i_clk) begin
        tag_q  <= ~i_rst & i_busy & ~tag_q;
        tags_q <= i_rst ? {LATENCY{1'b0}} : tags[LATENCY-1:0];
        busy_q <= i_rst ? {LATENCY{1'b0}} : busy[LATENCY-1:0];
    end

    assign o_tag      = tag_q;
    assign o_come_tag = tags[LATENCY];
    assign o_watch    = i_busy & busy[LATENCY];
endmodule

`default_nettype wire
