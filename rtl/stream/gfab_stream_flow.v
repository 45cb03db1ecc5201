// SPDX-License-Identifier: MIT
//
// A node's share of one stream that goes through all of a fabric: words come in over the lanes of IN, one of each is
// made into one, and that goes out over the lanes of OUT. A word of every lane of IN must be there. A word goes out
// over all lanes of OUT at once, where all have room. Where one has none all words stand still, so that what lets them
// move is one gate of registers.
//
// A gfab_stream_skid a lane, then registers on both sides of each operator, which takes two words: a tree of them, or
// where the order counts a gfab_stream_chain. A sum of more than 16 bits is made in two parts (gfab_stream_pair), the
// upper one a cycle behind. Latency: 2 + LEVELS cycles, of a tree 2 where one lane comes in, 5 where 5 to 8 do, and one
// more for a sum in two parts.
//
// With HALF, on half-duplex links, words come in every second cycle, i_comes, and go out every second one, i_goes: the
// same ones, or where lanes of IN are of OUT, too, the others. A lane has a gfab_stream_single, nothing stands still
// while no word is at the end, and registers without an operator let words be there in their cycle. Latency: 1 +
// STAGES.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_flow #(
    parameter LANES     = 5,
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_SUM, // NONE where one lane comes in
    parameter HALF      = 0,
    parameter SPLIT     = LINK_BITS > 16 ? LINK_BITS / 2 : 0, // bits of a sum's lower part; 0: it is whole
    parameter [LANES-1:0] IN  = 1, // not 0
    parameter [LANES-1:0] OUT = 2, // not 0
    // of an operator of a chain: its latency, and lanes in the order in which it takes them, the first one lowest
    parameter OPERATOR_CYCLES = 0,
    parameter DIGITS    = 1,
    parameter LANE_BITS = 3,
    parameter [DIGITS*LANE_BITS-1:0] ORDER = 3'd0 // those that are not of IN do not count
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire                           i_comes, // without HALF 1, as i_goes
    input  wire                           i_goes,
    // lanes: {the vector ends, word}
    input  wire [LANES-1:0]               i_valid,
    output wire [LANES-1:0]               o_ready, // 0 where none of IN
    input  wire [LANES*(LINK_BITS+1)-1:0] i_word,
    output wire [LANES-1:0]               o_valid, // 0 where none of OUT
    input  wire [LANES-1:0]               i_ready,
    output wire [LINK_BITS:0]             o_word,
    input  wire [LANES-1:0]               i_wants, // who is behind the lane waits for a word of it
    output reg  [LANES-1:0]               o_wants, // a word of the lane of IN is waited for, here or behind
    output wire                           o_busy,  // words are here
    output wire                           o_uneven // in this cycle vectors end that are shorter than others
);
    localparam BITS = LINK_BITS + 1;
    localparam [LANES-1:0] FIRST = 1;

    // How many lanes come in.
    function integer count(input [LANES-1:0] mask);
        integer c;
        begin
            count = 0;
            for (c = 0; c < LANES; c = c + 1)
                count = count + {31'b0, mask[c]};
        end
    endfunction
    // How many lanes of IN come before one in ORDER.
    function integer place_of(input integer lane);
        integer c;
        reg     found;
        begin
            place_of = 0;
            found  = 1'b0;
            for (c = 0; c < DIGITS; c = c + 1) begin
                found  = found | ({{32-LANE_BITS{1'b0}}, ORDER[c*LANE_BITS+:LANE_BITS]} == lane);
                place_of = place_of + (found ? 0 : count(IN & (FIRST << ORDER[c*LANE_BITS+:LANE_BITS])));
            end
        end
    endfunction
    localparam CHAINED = OPERATOR == `GFAB_OPERATOR_BFLOAT16 || OPERATOR == `GFAB_OPERATOR_FLOAT32 ||
                         OPERATOR == `GFAB_OPERATOR_SATURATED;
    localparam INPUTS  = count(IN);
    localparam TREE    = CHAINED ? 0 : $clog2(INPUTS); // levels of it
    localparam WIDTH   = CHAINED ? INPUTS : 1 << TREE;
    localparam LOW     = TREE > 0 && OPERATOR == `GFAB_OPERATOR_SUM ? SPLIT : 0; // of pairs
    localparam UPPER   = LOW > 0 ? BITS - LOW : 0; // what comes and goes a cycle behind
    localparam WORK    = CHAINED ? (INPUTS - 1) * OPERATOR_CYCLES : TREE + (LOW > 0 ? 1 : 0); // stages with an operator
    localparam EVEN    = (IN & OUT) != 0; // the stages' number
    localparam SPARE   = !HALF ? 0 : !EVEN ? 1 - WORK % 2 : WORK == 0 ? 2 : WORK % 2;
    localparam STAGES  = HALF ? WORK + SPARE : WORK + 1;
    localparam LEVELS  = STAGES - 1; // cycles from the first registers behind lanes to o_word

    wire [LANES-1:0] holds;    // a word of the lane waits
    wire             advance;  // all levels do
    wire             joins;    // a word of each lane is there, and this is not a cycle in which they come
    wire             fires = advance & joins;
    wire [LANES-1:0] lasts;    // that of the lane is the last of its vector
    wire [LEVELS:0]  valid;    // words are in front of stage k
    reg              pending_q; // one is behind the last stage
    wire [LANES-1:0] ready;    // of lanes
    wire             room   = ((OUT & ~i_ready) == {LANES{1'b0}}); // behind all lanes of OUT
    wire             leaves = pending_q & room & i_goes;
    wire             moving;   // a word is behind the first registers
    wire [BITS-1:0]  made;     // what operators make
    wire [BITS-1:0]  whole;    // the same, its lower part as late as the upper one

    genvar c, k, i;
    generate
        for (k = 0; k <= TREE; k = k + 1) begin : gen_level
            wire [(WIDTH>>k)*BITS-1:0] words; // behind stage k
        end

        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            localparam AT = CHAINED ? place_of(c) : count(IN & ((1 << c) - 1));
            if (IN[c]) begin : gen_in
                wire [BITS-1:0] word;  // that came over the lane
                wire [BITS-1:0] taken; // the same, as operators take it
                if (HALF) begin : gen_half
                    gfab_stream_single #(
                        .BITS(BITS)
                    ) u_word (
                        .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid[c] & i_comes), .o_ready(ready[c]),
                        .i_word(i_word[c*BITS+:BITS]), .o_valid(holds[c]), .i_ready(fires), .o_word(word)
                    );
                    assign taken = word;
                end else begin : gen_full
                    gfab_stream_skid #(
                        .BITS(BITS)
                    ) u_skid (
                        .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid[c]), .o_ready(ready[c]),
                        .i_word(i_word[c*BITS+:BITS]), .o_valid(holds[c]), .i_ready(fires), .o_word(word)
                    );
                    gfab_held_delay #(
                        .BITS(BITS), .CYCLES(1)
                    ) u_operand (
                        .i_clk(i_clk), .i_enable(advance), .i_data(word), .o_data(taken)
                    );
                end
                assign lasts[c] = word[LINK_BITS];
                assign gen_level[0].words[AT*BITS+:BITS-UPPER] = taken[BITS-UPPER-1:0];
                if (LOW > 0) begin : gen_split
                    gfab_held_delay #(
                        .BITS(UPPER), .CYCLES(1)
                    ) u_upper (
                        .i_clk(i_clk), .i_enable(advance), .i_data(taken[BITS-1:LOW]),
                        .o_data(gen_level[0].words[AT*BITS+LOW+:UPPER])
                    );
                end
            end else begin : gen_none
                assign ready[c]   = 1'b0;
                assign holds[c]   = 1'b0;
                assign lasts[c]   = 1'b0;
            end
        end
        for (i = INPUTS; i < WIDTH; i = i + 1) begin : gen_no_word
            assign gen_level[0].words[i*BITS+:BITS] = {BITS{1'b0}};
        end

        assign valid[0] = joins;
        if (LEVELS > 0) begin : gen_valid
            reg [LEVELS-1:0] valid_q;
            always @(posedge i_clk)
                if (i_rst)
                    valid_q <= {LEVELS{1'b0}};
                else if (advance)
                    valid_q <= valid[LEVELS-1:0];
            assign valid[LEVELS:1] = valid_q;
        end

        // Behind stage k there are ceil(INPUTS / 2^k) words.
        for (k = 1; k <= TREE; k = k + 1) begin : gen_stage
            for (i = 0; i < (WIDTH >> k); i = i + 1) begin : gen_pair
                if (i << k < INPUTS) begin : gen_word
                    localparam TWO = ((i << k) + (1 << (k - 1))) < INPUTS;
                    gfab_stream_pair #(
                        .LINK_BITS(LINK_BITS), .OPERATOR(TWO ? OPERATOR : `GFAB_OPERATOR_NONE), .SPLIT(LOW)
                    ) u_pair (
                        .i_clk(i_clk), .i_enable(advance),
                        .i_first(gen_level[k-1].words[2*i*BITS+:BITS]),
                        .i_second(gen_level[k-1].words[(2*i+1)*BITS+:BITS]),
                        .o_word(gen_level[k].words[i*BITS+:BITS])
                    );
                end else begin : gen_no_word
                    assign gen_level[k].words[i*BITS+:BITS] = {BITS{1'b0}};
                end
            end
        end
        if (CHAINED && INPUTS > 1) begin : gen_chain
            gfab_stream_chain #(
                .INPUTS(INPUTS), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .LATENCY(OPERATOR_CYCLES)
            ) u_chain (
                .i_clk(i_clk), .i_enable(advance), .i_words(gen_level[0].words), .o_word(made)
            );
        end else begin : gen_tree
            assign made = gen_level[TREE].words;
        end
        if (LOW > 0) begin : gen_join
            assign whole[BITS-1:LOW] = made[BITS-1:LOW];
            gfab_held_delay #(
                .BITS(LOW), .CYCLES(1)
            ) u_lower (
                .i_clk(i_clk), .i_enable(advance), .i_data(made[LOW-1:0]), .o_data(whole[LOW-1:0])
            );
        end else begin : gen_whole
            assign whole = made;
        end
        gfab_held_delay #(
            .BITS(BITS), .CYCLES(SPARE)
        ) u_spare (
            .i_clk(i_clk), .i_enable(advance), .i_data(whole), .o_data(o_word)
        );
    endgenerate

    assign joins    = ((holds & IN) == IN) & ~(HALF != 0 & i_comes);
    assign advance  = HALF ? ~pending_q | leaves : room;
    assign o_ready  = ready & {LANES{i_comes}};
    assign o_valid  = OUT & {LANES{leaves}};
    assign moving   = pending_q | (LEVELS > 0 && (|(valid >> 1)));
    assign o_busy   = (|holds) | moving;
    assign o_uneven = fires & (|lasts) & ((lasts & IN) != IN);

    reg waits_q; // for words, a cycle ago: some are here, or one is wanted and none is on its way
    always @(posedge i_clk) begin
        waits_q <= (|holds) | ((|(i_wants & OUT)) & ~moving);
        o_wants <= IN & ~holds & {LANES{waits_q}};
    end

    always @(posedge i_clk)
        pending_q <= ~i_rst & (advance ? valid[LEVELS] : pending_q);
endmodule

`default_nettype wire
