// SPDX-License-Identifier: MIT
//
// Flits that come over all lanes at once, as words for a narrow node's store, one lane's after another's: the way back
// of gfab_flits_out. Flit p of each word is taken where it comes, and waits for those behind it.
//
// STEADY: turns never stop, so that of four lanes 0 and 2 bring either flits 0 and 2 of their words, or 1 and 3, and
// lanes 1 and 3 the others. Which of a pair brings the lower one is asked once for both, before flits 0 and 1 wait: two
// choices between two lanes in place of one among four. On the way out the same takes no LUT less, and is slower.
//
// Latency: a word is out in the cycle of its last flit, with REGISTERED one later.
`default_nettype none
`include "gfab_bits.vh"

module gfab_flits_in #(
    parameter LANES      = 4, // flits of a word, 1 or more
    parameter LINK_BITS  = 2, // bits of a flit, 1 or more
    parameter STEADY     = 0, // 1: turns never stop while something comes
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
        if (STEADY && LANES == 4) begin : gen_halves
            localparam L = LINK_BITS;
            wire [2*L-1:0] first;  // over the odd lanes, over the even ones: flit 0 or 1
            wire [2*L-1:0] second; // flit 2 or 3
            wire [2*L-1:0] waited; // first, when second's word is it
            for (p = 0; p < 2; p = p + 1) begin : gen_parity
                wire upper = i_lane[p*LANE_BITS+1]; // lane 2 or 3 has it
                assign first[p*L+:L]  = upper ? i_flits[(p+2)*L+:L] : i_flits[p*L+:L];
                assign second[p*L+:L] = upper ? i_flits[p*L+:L] : i_flits[(p+2)*L+:L];
            end
            gfab_delay #(
                .BITS(2 * L), .CYCLES(2)
            ) u_waited (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(first), .o_data(waited), .o_taps()
            );
            for (p = 0; p < 2; p = p + 1) begin : gen_flit
                wire odd = i_lane[(p+2)*LANE_BITS]; // the lane is
                wire [2*L-1:0] flits = {odd ? second[L+:L] : second[0+:L], odd ? waited[L+:L] : waited[0+:L]};
                wire [2*L-1:0] late;
                gfab_delay #(
                    .BITS(2 * L), .CYCLES(1 - p + (REGISTERED ? 1 : 0))
                ) u_wait (
                    .i_clk(i_clk), .i_rst(1'b0), .i_data(flits), .o_data(late), .o_taps()
                );
                assign {o_word[(p+2)*L+:L], o_word[p*L+:L]} = late;
            end
        end else begin : gen_whole
            for (p = 0; p < LANES; p = p + 1) begin : gen_flit
                gfab_delay #(
                    .BITS(LINK_BITS), .CYCLES(LANES - 1 - p + (REGISTERED ? 1 : 0))
                ) u_wait (
                    .i_clk(i_clk), .i_rst(1'b0), .i_data(i_flits[i_lane[p*LANE_BITS+:LANE_BITS]*LINK_BITS+:LINK_BITS]),
                    .o_data(o_word[p*LINK_BITS+:LINK_BITS]), .o_taps()
                );
            end
        end
    endgenerate
endmodule

`default_nettype wire
