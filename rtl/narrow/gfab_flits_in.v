// SPDX-License-Identifier: MIT
//
// Flits that come over all lanes at once, as words for a narrow node's store, one lane's after another's: the way back
// of gfab_flits_out. Flit p of each word is taken where it comes, and waits for those behind it.
//
// Latency: a word is out in the cycle of its last flit, with REGISTERED one later.
`default_nettype none
`include "gfab_bits.vh"

module gfab_flits_in #(
    parameter LANES      = 4, // flits of a word, 1 or more
    parameter LINK_BITS  = 2, // bits of a flit, 1 or more
    parameter REGISTERED = 0
) (
    input  wire                               i_clk,
    input  wire [LANES*LINK_BITS-1:0]         i_flits, // one a lane
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_lane,  // of flit p of a word, the lane that has it now
    output wire [LANES*LINK_BITS-1:0]         o_word
);
    localparam LANE_BITS = `GFAB_BITS(LANES);

    genvar p;
    generate
        for (p = 0; p < LANES; p = p + 1) begin : gen_flit
            gfab_delay #(
                .BITS(LINK_BITS), .CYCLES(LANES - 1 - p + (REGISTERED ? 1 : 0))
            ) u_wait (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_flits[i_lane[p*LANE_BITS+:LANE_BITS]*LINK_BITS+:LINK_BITS]),
                .o_data(o_word[p*LINK_BITS+:LINK_BITS]), .o_taps()
            );
        end
    endgenerate
endmodule

`default_nettype wire
