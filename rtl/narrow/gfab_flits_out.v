// SPDX-License-Identifier: MIT
//
// Words that leave a narrow node's store, one lane's after another's, as flits of all lanes at once. Flit p of a word
// waits p cycles; then it is there just when its lane, whose word came p cycles before, wants it. So no lane keeps a
// word of its own, and none is loaded: each looks, in every cycle, at the flit whose turn it is.
//
// STEADY: turns never stop, so that of four lanes 0 and 2 want either flits 0 and 2, or 1 and 3, and lanes 1 and 3 the
// others. Which it is is chosen once for two lanes, before flits 2 and 3 wait: the choices are half as wide, and
// registers are right behind them, which counts where a flip-flop takes a LUT's place.
//
// Latency: flit p of a word is out p cycles after the word, with REGISTERED one more.
`default_nettype none
`include "gfab_bits.vh"

module gfab_flits_out #(
    parameter LANES      = 4, // flits of a word, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c; of others comes 0
    parameter LINK_BITS  = 2, // bits of a flit, 1 or more
    parameter STEADY     = 0, // 1: turns never stop while there is something to send
    parameter REGISTERED = 1  // 1: a register behind the choice
) (
    input  wire                               i_clk,
    input  wire [LANES*LINK_BITS-1:0]         i_word,
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_flit,  // of each lane, which flit of its word it wants
    output wire [LANES*LINK_BITS-1:0]         o_flits  // one a lane
);
    localparam LANE_BITS = `GFAB_BITS(LANES);

    wire [LANES*LINK_BITS-1:0] chosen;
    genvar p;
    generate
        if (STEADY && LANES == 4) begin : gen_halves
            localparam L = LINK_BITS;
            wire [2*L-1:0] late; // flits 3 and 1 a cycle later
            wire [4*L-1:0] near; // of odd lanes, of even ones: flit 2 or 3, flit 0 or 1
            wire [2*L-1:0] far;  // of odd lanes, of even ones: flit 2 or 3 when it is wanted
            wire [1:0]     odd = {i_flit[LANE_BITS], i_flit[0]}; // of lanes 3 and 1, of lanes 2 and 0: flit 1 or 3
            gfab_delay #(
                .BITS(2 * L), .CYCLES(1)
            ) u_held (
                .i_clk(i_clk), .i_rst(1'b0), .i_data({i_word[3*L+:L], i_word[L+:L]}), .o_data(late), .o_taps()
            );
            gfab_delay #(
                .BITS(2 * L), .CYCLES(2)
            ) u_far (
                .i_clk(i_clk), .i_rst(1'b0), .i_data({near[3*L+:L], near[L+:L]}), .o_data(far), .o_taps()
            );
            for (p = 0; p < 2; p = p + 1) begin : gen_parity
                assign near[2*p*L+:2*L] = odd[p] ? late : {i_word[2*L+:L], i_word[0+:L]};
            end
            for (p = 0; p < LANES; p = p + 1) begin : gen_lane
                assign chosen[p*L+:L] = !LANE_MASK[p] ? {L{1'b0}} :
                    i_flit[p*LANE_BITS+1] ? far[(p%2)*L+:L] : near[(p%2)*2*L+:L];
            end
        end else begin : gen_whole
            wire [LANES*LINK_BITS-1:0] waited;
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
        end
    endgenerate

    gfab_delay #(
        .BITS(LANES * LINK_BITS), .CYCLES(REGISTERED ? 1 : 0)
    ) u_chosen (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(chosen), .o_data(o_flits), .o_taps()
    );
endmodule

`default_nettype wire
