// SPDX-License-Identifier: MIT
//
// Words that leave a narrow node's store, one lane's after another's, as flits of all lanes at once. Flit p of a word
// waits p cycles; then it is there just when its lane, whose word came p cycles before, wants it. So no lane keeps a
// word of its own, and none is loaded: each looks, in every cycle, at the flit whose turn it is.
//
// Latency: flit p of a word is out p cycles after the word, with REGISTERED one more.
`default_nettype none
`include "gfab_bits.vh"

module gfab_flits_out #(
    parameter LANES      = 4, // flits of a word, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c; of others comes 0
    parameter LINK_BITS  = 2, // bits of a flit, 1 or more
    parameter REGISTERED = 1  // 1: a register behind the choice
) (
    input  wire                               i_clk,
    input  wire [LANES*LINK_BITS-1:0]         i_word,
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_flit,  // of each lane, which flit of its word it wants
    output wire [LANES*LINK_BITS-1:0]         o_flits  // one a lane
);
    localparam LANE_BITS = `GFAB_BITS(LANES);

    wire [LANES*LINK_BITS-1:0] waited, chosen;
    genvar p;
    generate
        for (p = 0; p < LANES; p = p + 1) begin : gen_flit
            gfab_delay #(
                .BITS(LINK_BITS), .CYCLES(p)
            ) u_wait (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_word[p*LINK_BITS+:LINK_BITS]),
                .o_data(waited[p*LINK_BITS+:LINK_BITS]), .o_taps()
            );
            if (LANE_MASK[p]) begin : gen_lane
                assign chosen[p*LINK_BITS+:LINK_BITS] = waited[i_flit[p*LANE_BITS+:LANE_BITS]*LINK_BITS+:LINK_BITS];
            end else begin : gen_absent
                assign chosen[p*LINK_BITS+:LINK_BITS] = {LINK_BITS{1'b0}};
            end
        end
    endgenerate

    gfab_delay #(
        .BITS(LANES * LINK_BITS), .CYCLES(REGISTERED ? 1 : 0)
    ) u_chosen (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(chosen), .o_data(o_flits), .o_taps()
    );
endmodule

`default_nettype wire
