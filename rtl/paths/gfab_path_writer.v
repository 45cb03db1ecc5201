// SPDX-License-Identifier: MIT
//
// What a node's lanes receive over paths, when: a lane waits so many of its turns from the round's first on, then
// each turn writes a word, token after token, until the round's last one. The lanes' states go round with
// their turns, so that one updater serves all.
//
// PROTECT: there are two, and a reset clears them, so that they agree from then on; the flip-flops of the TWIN hold the
// inverse.
//
// Latency: o_round is the address of the op whose turn it is in the lookup stage; o_due and o_word are
// those of the cycle after, the write stage.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_path.vh"

module gfab_path_writer #(
    parameter LANES      = 4, // 2 or more
    parameter WORDS      = 4, // words of a token, 2 or more
    parameter ROUND_BITS = 4, // of the programs' address
    parameter WAIT_BITS  = 2, // 1 or more
    parameter PROTECT    = 0,
    parameter TWIN       = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_load, // a round begins: i_round, with i_path of all lanes
    input  wire [ROUND_BITS-1:0]        i_round,
    input  wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] i_path,
    input  wire [ROUND_BITS:0]          i_last_round, // the sequencer's
    output wire [ROUND_BITS-1:0]        o_round,
    output wire                         o_due,
    output wire [`GFAB_BITS(WORDS)-1:0] o_word
);
    localparam PATH_BITS  = `GFAB_PATH_WIDTH(LANES, WAIT_BITS);
    localparam WAIT_LSB   = `GFAB_PATH_WAIT_LSB(LANES);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam LAST_WORD  = WORDS - 1;

    // A state is {round, word, wait}; the lowest is that of the lane in the lookup stage.
    localparam STATE_BITS = ROUND_BITS + INDEX_BITS + WAIT_BITS;
    localparam ALL_BITS   = LANES * (1 + STATE_BITS) + 1 + INDEX_BITS;
    localparam [ALL_BITS-1:0] TURN = {ALL_BITS{TWIN != 0}};
    reg  [ALL_BITS-1:0]         all_q; // the flip-flops, and what they say
    wire [LANES-1:0]            actives;
    wire [LANES*STATE_BITS-1:0] states;
    assign {actives, states, o_due, o_word} = all_q ^ TURN;

    wire [WAIT_BITS-1:0]  waits  = states[WAIT_BITS-1:0];
    wire [INDEX_BITS-1:0] word   = states[WAIT_BITS+:INDEX_BITS];
    wire [ROUND_BITS-1:0] round  = states[WAIT_BITS+INDEX_BITS+:ROUND_BITS];
    wire                  due    = actives[0] & (waits == {WAIT_BITS{1'b0}});
    wire                  ends   = due & (word == LAST_WORD[INDEX_BITS-1:0]);
    wire [STATE_BITS-1:0] next   = {
        ends ? round + 1'b1 : round,
        ends ? {INDEX_BITS{1'b0}} : due ? word + 1'b1 : word,
        due ? waits : waits - 1'b1
    };
    wire                  active = actives[0] & ~(ends & ({1'b1, round} == i_last_round));

    wire [LANES*STATE_BITS-1:0] loaded;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            assign loaded[c*STATE_BITS+:STATE_BITS] =
                {i_round, {INDEX_BITS{1'b0}}, i_path[c*PATH_BITS+WAIT_LSB+:WAIT_BITS]};
        end
    endgenerate

    wire clear = (PROTECT != 0) & i_rst;
    always @(posedge i_clk)
        all_q <= {
            i_rst ? {LANES{1'b0}} : i_load ? {LANES{1'b1}} : {active, actives[LANES-1:1]},
            clear ? {LANES*STATE_BITS{1'b0}} : i_load ? loaded : {next, states[LANES*STATE_BITS-1:STATE_BITS]},
            due & ~i_rst,
            clear ? {INDEX_BITS{1'b0}} : word
        } ^ TURN;

    assign o_round = round;
endmodule

`default_nettype wire
