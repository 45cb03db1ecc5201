// SPDX-License-Identifier: MIT
//
// What a node's lanes receive over paths, when: a lane waits so many of its turns from the round's first on, then
// each turn writes a word, token after token, until the round's last one. The lanes' states go round with
// their turns, so that one updater serves all.
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
    parameter WAIT_BITS  = 2  // 1 or more
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
    reg [LANES-1:0]            active_q;
    reg [LANES*STATE_BITS-1:0] states_q;
    reg                        due_q;
    reg [INDEX_BITS-1:0]       word_q;

    wire [WAIT_BITS-1:0]  waits  = states_q[WAIT_BITS-1:0];
    wire [INDEX_BITS-1:0] word   = states_q[WAIT_BITS+:INDEX_BITS];
    wire [ROUND_BITS-1:0] round  = states_q[WAIT_BITS+INDEX_BITS+:ROUND_BITS];
    wire                  due    = active_q[0] & (waits == {WAIT_BITS{1'b0}});
    wire                  ends   = due & (word == LAST_WORD[INDEX_BITS-1:0]);
    wire [STATE_BITS-1:0] next   = {
        ends ? round + 1'b1 : round,
        ends ? {INDEX_BITS{1'b0}} : due ? word + 1'b1 : word,
        due ? waits : waits - 1'b1
    };
    wire                  active = active_q[0] & ~(ends & ({1'b1, round} == i_last_round));

    wire [LANES*STATE_BITS-1:0] loaded;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            assign loaded[c*STATE_BITS+:STATE_BITS] =
                {i_round, {INDEX_BITS{1'b0}}, i_path[c*PATH_BITS+WAIT_LSB+:WAIT_BITS]};
        end
    endgenerate

    always @(posedge i_clk) begin
        active_q <= i_rst ? {LANES{1'b0}} : i_load ? {LANES{1'b1}} : {active, active_q[LANES-1:1]};
        states_q <= i_load ? loaded : {next, states_q[LANES*STATE_BITS-1:STATE_BITS]};
        due_q    <= due & ~i_rst;
        word_q   <= word;
    end

    assign o_round = round;
    assign o_due   = due_q;
    assign o_word  = word_q;
endmodule

`default_nettype wire
