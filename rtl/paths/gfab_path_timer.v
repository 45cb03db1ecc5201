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
    output wire [`GFAB_BITS(LANES)-1:0] o_write_lane
);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    localparam LAST_LANE = LANES - 1;
    localparam DELAY     = LANES + LATENCY + (WORDS == 2 ? 0 : 1) - 2; // from i_begin to o_load

    localparam [LANE_BITS-1:0] TURN = {LANE_BITS{TWIN != 0}};

    reg  [LANE_BITS-1:0] lookup_q;
    reg  [LANE_BITS-1:0] write_q;
    wire [LANE_BITS-1:0] lookup = lookup_q ^ TURN;
    wire                 clear  = (PROTECT != 0) & i_rst;

    gfab_delay #(
        .BITS(1), .CYCLES(DELAY), .RESET(1), .TWIN(TWIN)
    ) u_begin (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(i_begin), .o_data(o_load), .o_taps()
    );

    always @(posedge i_clk) begin
        lookup_q <= TURN ^
                    ((clear | o_load | (lookup == LAST_LANE[LANE_BITS-1:0])) ? {LANE_BITS{1'b0}} : lookup + 1'b1);
        write_q  <= clear ? TURN : lookup_q;
    end

    assign o_lookup_lane = lookup;
    assign o_write_lane  = write_q ^ TURN;
endmodule

`default_nettype wire
