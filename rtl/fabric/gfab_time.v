// SPDX-License-Identifier: MIT
//
// Time of a whole fabric of any kind, one for all nodes: its sequencer, or with PROTECT two of them that check each
// other, and what stands around: the ROM of what follows each round, the timer of what is combined, that of paths.
// Every port is about the cycle that gfab_sequencer's of its name is about; what a kind of fabric has no use for is 0.
//
// 19 parameters and 27 ports: all that kinds of fabrics differ in with regard to time, so that no other module has to
// ask which kind it is in.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_time #(
    parameter LANES      = 4, // K, 1 or more
    parameter WORDS      = 4, // words of a token, 1 or more; a round is LANES * WORDS cycles, with WIDE WORDS cycles
    parameter ROUND_BITS = 4, // the ROMs hold 2^ROUND_BITS rounds
    parameter LATENCY    = 0, // cycles, of every link, 0 .. 15
    parameter DIRECT     = (WORDS == 2), // 1: no register between the stores and the links
    parameter SKEWED     = 0, // 1: some links have different lanes at their ends
    parameter REGISTERED = 0, // as in gfab_sequencer
    parameter WIDE       = 0, // 1: nodes are wide, and have no lanes, but write by rounds
    parameter CHAIN      = 0, // with WIDE: cycles of a bank's operators, by which words are written later
    parameter PATHS      = 0, // 1: nodes pass flits on
    parameter GAP_BITS   = 0, // of a gap; 0: there are none
    parameter FILE       = "", // of gfab_sequence, or in its place
    parameter IMAGE_BITS = 0,
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0,
    parameter STYLE      = "logic", // of its ROM
    parameter OPERATOR   = `GFAB_OPERATOR_NONE, // of wide nodes only what compares counts here
    parameter FLITS      = 16, // with OPERATOR: of a token
    parameter LOOPS      = 0, // 1: the program loops while i_more is 1
    parameter PROTECT    = 0  // 1: two sequencers, and two timers of paths; no chains then
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [ROUND_BITS-1:0]        i_first_round,
    input  wire [2:0]                   i_operator, // with GFAB_OPERATOR_ALL
    input  wire [`GFAB_SEQUENCE_BITS(GAP_BITS)-1:0] i_sequence, // with STYLE "block": the word of o_round's programs
    input  wire                         i_more,     // with LOOPS
    output wire                         o_begins,   // with LOOPS, stage 1: a group begins
    output wire                         o_busy,
    output wire                         o_done,
    // to gfab_guard, with PROTECT
    output wire                         o_fault,
    output wire                         o_halt,
    output wire                         o_last,
    // to programs and nodes
    output wire [ROUND_BITS-1:0]        o_round,
    output wire [`GFAB_BITS(LANES)-1:0] o_lane,
    output wire                         o_run,
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    output wire [LANES*(GAP_BITS > 0 ? 2 : 1)-1:0] o_strobe, // with gaps {close, strobe}
    output wire [LANES*`GFAB_BITS(LANES)-1:0] o_out_flit,
    output wire [`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0))-1:0] o_in_lane,
    output wire [2*`GFAB_BITS(WORDS)-1:0] o_write_word, // {of a skewed lane 0, of all else}
    output wire [ROUND_BITS-1:0]        o_write_round,  // with WIDE
    output wire [`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] o_combining, // with OPERATOR
    // with PATHS, of gfab_sequencer and gfab_path_timer
    output wire                         o_begin,
    output wire [ROUND_BITS:0]          o_last_round,
    output wire [(PROTECT ? 2 : 1)-1:0] o_load,
    output wire [`GFAB_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] o_lookup_lane
);
    localparam TURNS      = WIDE ? 1 : LANES; // of a sequencer's lanes
    localparam TURN_BITS  = `GFAB_BITS(TURNS);
    localparam WORD_BITS  = `GFAB_BITS(WORDS);
    localparam FLIT_BITS  = TURNS * TURN_BITS; // of a sequencer's o_out_flit
    localparam IN_BITS    = FLIT_BITS + (REGISTERED ? TURN_BITS : 0); // and o_in_lane
    localparam TIMERS     = PROTECT ? 2 : 1; // of paths
    localparam COMBINES   = !WIDE && (OPERATOR != `GFAB_OPERATOR_NONE);
    // Wide nodes that compare have a token's last word first; in narrow ones the timer of what is combined sees to it.
    localparam DOWN       = WIDE && (OPERATOR >= `GFAB_OPERATOR_MIN) && (OPERATOR <= `GFAB_OPERATOR_UMAX);
    localparam LAST_WORD  = WORDS - 1;

    wire [TURN_BITS-1:0]  lane;
    wire [TURNS-1:0]      strobe, close;
    wire [FLIT_BITS-1:0]  out_flit;
    wire                  halt, twin_halt, sequence_fault, begins, again, opens;
    wire [(GAP_BITS>0?GAP_BITS:1)-1:0] gap; // behind the round
    wire [IN_BITS-1:0]    in_lane;
    wire [`GFAB_COMBINING_BITS(TURNS)*(PROTECT ? 2 : 1)-1:0] combining;

    wire [LANES*`GFAB_BITS(LANES)*TIMERS-1:0] path_lanes; // o_in_lane of each timer
    wire                  timers_differ;

    gfab_sequence #(
        .ROUND_BITS(ROUND_BITS), .GAP_BITS(GAP_BITS), .FILE(FILE), .IMAGE_BITS(IMAGE_BITS),
        .IMAGE(IMAGE), .STYLE(STYLE), .PROTECT(PROTECT)
    ) u_sequence (
        .i_clk(i_clk), .i_round(o_round), .i_word(i_sequence), .o_halt(halt), .o_twin_halt(twin_halt),
        .o_fault(sequence_fault), .o_gap(gap), .o_begins(begins), .o_again(again)
    );
    assign o_begins = opens & begins;

    genvar s;
    generate
        if (PROTECT && CHAIN > 0) begin : gen_bad
            gfab_error_protected_fabrics_have_no_chains u_bad ();
        end

        if (PROTECT) begin : gen_pair
            wire pair_fault;
            assign o_fault = pair_fault | sequence_fault | timers_differ;
            gfab_sequencer_pair #(
                .LANES(TURNS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .LATENCY(LATENCY),
                .DIRECT(DIRECT), .REGISTERED(REGISTERED), .WIDE(WIDE), .FLITS(FLITS), .PATHS(PATHS),
                .GAP_BITS(GAP_BITS), .OPERATOR(COMBINES ? OPERATOR : `GFAB_OPERATOR_NONE)
            ) u_sequencers (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round),
                .i_operator(i_operator), .i_next(halt), .i_twin_next(twin_halt), .i_gap(gap),
                .o_fault(pair_fault), .o_halt(o_halt), .o_last(o_last), .o_busy(o_busy), .o_done(o_done),
                .o_round(o_round), .o_lane(lane), .o_run(o_run), .o_read_word(o_read_word), .o_strobe(strobe),
                .o_close(close), .o_out_flit(out_flit), .o_in_lane(in_lane),
                .o_write_word(o_write_word[WORD_BITS-1:0]),
                .o_write_word_late(o_write_word[WORD_BITS+:WORD_BITS]), .o_write_round(o_write_round),
                .o_begin(o_begin), .o_last_round(o_last_round), .o_combining(combining)
            );
            assign opens = 1'b0;
        end else begin : gen_single
            wire [GAP_BITS:0]    next;
            wire [WORD_BITS-1:0] read_word, write_word, write_word_late;
            gfab_sequencer #(
                .LANES(TURNS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .GAP_BITS(GAP_BITS),
                .LATENCY(LATENCY + CHAIN), .DIRECT(DIRECT), .REGISTERED(REGISTERED), .LOOPS(LOOPS)
            ) u_sequencer (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round), .i_next(next),
                .i_again(again & i_more), .o_opens(opens), .o_busy(o_busy), .o_done(o_done), .o_round(o_round),
                .o_lane(lane), .o_run(o_run),
                .o_read_word(read_word), .o_begin(o_begin), .o_last_round(o_last_round), .o_strobe(strobe),
                .o_close(close), .o_out_flit(out_flit), .o_in_lane(in_lane), .o_write_word(write_word),
                .o_write_word_late(write_word_late), .o_write_round(o_write_round)
            );
            assign o_fault = sequence_fault;
            assign {o_halt, o_last} = 2'd0;

            if (GAP_BITS > 0) begin : gen_next_gap
                assign next = {gap, halt};
            end else begin : gen_next
                assign next = halt;
            end

            if (COMBINES) begin : gen_timer
                gfab_combine_timer #(
                    .LANES(LANES), .WORDS(WORDS), .OPERATOR(OPERATOR), .FLITS(FLITS), .LATENCY(LATENCY)
                ) u_combine_timer (
                    .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_busy(o_busy), .i_done(o_done),
                    .i_operator(i_operator), .i_lane(lane), .i_strobe(strobe), .i_close(close), .i_read_word(read_word),
                    .i_write_word(write_word), .i_write_word_late(write_word_late), .o_read_word(o_read_word),
                    .o_write_word(o_write_word[WORD_BITS-1:0]),
                    .o_write_word_late(o_write_word[WORD_BITS+:WORD_BITS]), .o_combining(combining)
                );
            end else begin : gen_no_timer
                assign o_read_word  = DOWN ? LAST_WORD[WORD_BITS-1:0] - read_word : read_word;
                assign o_write_word = {write_word_late, DOWN ? LAST_WORD[WORD_BITS-1:0] - write_word : write_word};
                assign combining    = {`GFAB_COMBINING_BITS(TURNS){1'b0}};
            end
        end

        // What wide nodes have no lanes for.
        if (WIDE) begin : gen_no_lanes
            assign o_lane       = {`GFAB_BITS(LANES){1'b0}};
            assign o_strobe     = {LANES*(GAP_BITS > 0 ? 2 : 1){1'b0}};
            assign o_out_flit   = {LANES*`GFAB_BITS(LANES){1'b0}};
            assign o_in_lane    = {`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0)){1'b0}};
            assign o_combining  = {`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1){1'b0}};
        end else begin : gen_lanes
            assign o_lane      = lane;
            assign o_out_flit  = out_flit;
            assign o_combining = combining;
            if (GAP_BITS > 0) begin : gen_close
                assign o_strobe = {close, strobe};
            end else begin : gen_no_close
                assign o_strobe = strobe;
            end
            if (!PATHS) begin : gen_in_lane
                assign o_in_lane = in_lane;
            end
        end

        if (PATHS) begin : gen_paths
            for (s = 0; s < TIMERS; s = s + 1) begin : gen_path_timer
                gfab_path_timer #(
                    .LANES(LANES), .WORDS(WORDS), .LATENCY(LATENCY), .PROTECT(PROTECT), .TWIN(s)
                ) u_path_timer (
                    .i_clk(i_clk), .i_rst(i_rst), .i_begin(o_begin), .o_load(o_load[s]),
                    .o_lookup_lane(o_lookup_lane[s*`GFAB_BITS(LANES)+:`GFAB_BITS(LANES)]),
                    .o_in_lane(path_lanes[s*LANES*`GFAB_BITS(LANES)+:LANES*`GFAB_BITS(LANES)])
                );
            end
            assign o_in_lane     = path_lanes[LANES*`GFAB_BITS(LANES)-1:0];
            assign timers_differ = {TIMERS{o_load[0]}} != o_load |
                                   {TIMERS{o_lookup_lane[`GFAB_BITS(LANES)-1:0]}} != o_lookup_lane |
                                   {TIMERS{o_in_lane}} != path_lanes;
        end else begin : gen_no_paths
            assign o_load        = {TIMERS{1'b0}};
            assign o_lookup_lane = {`GFAB_BITS(LANES)*TIMERS{1'b0}};
            assign path_lanes    = {LANES*`GFAB_BITS(LANES)*TIMERS{1'b0}};
            assign timers_differ = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
