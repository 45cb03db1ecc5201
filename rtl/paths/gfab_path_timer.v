// SPDX-License-Identifier: MIT
//
// Time for what is received over paths: turns to write that go on through a gap, until what the round
// sent has come in. One serves all nodes, beside the sequencer.
//
// PROTECT: there are two, and a reset clears them, so that they agree from then on; the flip-flops of the TWIN hold the
// inverse.
//
// A lane's first turn to write in a round is LANES + LATENCY (+ 1 unless WORDS = 2) cycles after its turn to read, and
// the next ones every LANES cycles. The lookup stage is a cycle before. o_load is 1 in the cycle before lane 0's first
// lookup.
`default_nettype none
`include "gfab_bits.vh"

module gfab_path_timer #(
    parameter LANES   = 4, // 2 or more
    parameter WORDS   = 4, // words of a token, 2 or more
    parameter LATENCY = 0, // cycles, of every link, 0 .. 15
    parameter PROTECT = 0,
    parameter TWIN    = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_begin, // the sequencer's o_begin
    output wire                         o_load,
    output wire [`GFAB_BITS(LANES)-1:0] o_lookup_lane,
    output wire [LANES*`GFAB_BITS(LANES)-1:0] o_in_lane // as in gfab_sequencer; the last flit's is to be written
);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    localparam LAST_LANE = LANES - 1;
    localparam DELAY     = LANES + LATENCY + (WORDS == 2 ? 0 : 1) - 2; // from i_begin to o_load

    localparam ARRIVAL   = LATENCY + (WORDS == 2 ? 0 : 1);
    localparam [LANE_BITS-1:0] TURN = {LANE_BITS{TWIN != 0}};

    wire [DELAY:0] begins; // bit t: t cycles ago
    gfab_delay #(
        .BITS(1), .CYCLES(DELAY), .RESET(1), .TWIN(TWIN)
    ) u_begin (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(i_begin), .o_data(o_load), .o_taps(begins)
    );

    // The lane whose first flit comes in; that of p cycles ago has its flit p.
    reg  [LANE_BITS-1:0] first_q;
    wire [LANE_BITS-1:0] first = first_q ^ TURN;
    wire                 clear = (PROTECT != 0) & i_rst;
    always @(posedge i_clk)
        first_q <= TURN ^ ((clear | begins[ARRIVAL] | (first == LAST_LANE[LANE_BITS-1:0])) ? {LANE_BITS{1'b0}}
                                                                                          : first + 1'b1);
    gfab_delay #(
        .BITS(LANE_BITS), .CYCLES(LANES - 1), .RESET(1), .TWIN(TWIN)
    ) u_lane (
        .i_clk(i_clk), .i_rst(clear), .i_data(first), .o_data(), .o_taps(o_in_lane)
    );
    assign o_lookup_lane = o_in_lane[(LANES-2)*LANE_BITS+:LANE_BITS];
endmodule

`default_nettype wire
