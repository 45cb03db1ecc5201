// SPDX-License-Identifier: MIT
//
// A sequencer, gfab_path_timer and a gfab_path_writer against docs/reference/fabric-timing.md, for all waits up to 1,
// all programs and all gaps that are long enough for them: a word that is read in a lane's turn is due K + x + l +
// wait K cycles later, in the lane's turn to write, and nothing else ever is. And of the lanes, whatever they send
// meanwhile: the word due is what the lane's link had in the K cycles up to then.
`default_nettype none
`include "gfab_path.vh"

module formal_path_writer #(
    parameter LANES      = 2,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 2,
    parameter GAP_BITS = 3,
    parameter LATENCY    = 0
) (
    input wire                             i_clk,
    input wire                             i_rst,
    input wire                             i_start,
    input wire [ROUND_BITS-1:0]            i_rounds,
    input wire [(GAP_BITS<<ROUND_BITS)-1:0] i_gaps,
    input wire [LANES-1:0]                 i_waits,
    input wire [LANES-1:0]                 i_link
);
    localparam LB   = `GFAB_BITS(LANES);
    localparam WB   = `GFAB_BITS(WORDS);
    localparam AB   = ROUND_BITS + WB + LB;
    localparam X    = WORDS == 2 ? 0 : 1;
    localparam D    = LANES + X + LATENCY;
    localparam PATH = `GFAB_PATH_WIDTH(LANES, 1);

    reg [ROUND_BITS-1:0]               rounds_q;
    reg [(GAP_BITS<<ROUND_BITS)-1:0] gaps_q;
    reg [LANES-1:0]                    waits_q;
    integer r, c;
    always @(posedge i_clk) begin
        rounds_q <= i_rounds;
        gaps_q <= i_gaps;
        waits_q  <= i_waits;
        assume (i_rounds == rounds_q && i_gaps == gaps_q && i_waits == waits_q);
        for (r = 0; r < 1 << ROUND_BITS; r = r + 1) begin
            assume (r + 1 != i_rounds || i_gaps[r*GAP_BITS+:GAP_BITS] != 0);
            assume (r < i_rounds || i_gaps[r*GAP_BITS+:GAP_BITS] == 0);
            for (c = 0; c < LANES; c = c + 1) // all that is due comes before the next round's first turn
                assume (i_gaps[r*GAP_BITS+:GAP_BITS] == 0 ||
                        i_gaps[r*GAP_BITS+:GAP_BITS] + (i_waits[c] ? 0 : LANES) >= D + c);
        end
    end
    wire [LANES*PATH-1:0] path;
    genvar g;
    generate
        for (g = 0; g < LANES; g = g + 1) begin : gen_path
            assign path[g*PATH+:PATH] = {i_waits[g], {(PATH-1){1'b0}}};
        end
    endgenerate

    wire                  busy, done, run, begins, load, got;
    wire [ROUND_BITS-1:0] round, receive_round;
    wire [ROUND_BITS:0]   last_round;
    wire [LB-1:0]         lane, lookup_lane;
    wire [LANES*LB-1:0]   in_lane;
    wire [LB-1:0]         write_lane = in_lane[(LANES-1)*LB+:LB];
    wire [WB-1:0]         read_word, word;
    reg                   halt;
    reg [GAP_BITS-1:0]  gap;
    always @(posedge i_clk) begin
        halt  <= lane == 0 && round == i_rounds;
        gap <= i_gaps[round*GAP_BITS+:GAP_BITS];
    end
    gfab_sequencer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .GAP_BITS(GAP_BITS), .LATENCY(LATENCY)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round({ROUND_BITS{1'b0}}),
        .i_next({gap, halt}), .i_again(1'b0), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(read_word),
        .o_begin(begins), .o_last_round(last_round), .o_strobe(), .o_close(), .o_out_flit(), .o_in_lane(),
        .o_write_word(), .o_write_word_late()
    );
    gfab_path_timer #(
        .LANES(LANES), .WORDS(WORDS), .LATENCY(LATENCY)
    ) u_path_timer (
        .i_clk(i_clk), .i_rst(i_rst), .i_begin(begins), .o_load(load), .o_lookup_lane(lookup_lane),
        .o_in_lane(in_lane)
    );
    gfab_path_writer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .WAIT_BITS(1)
    ) u_path_writer (
        .i_clk(i_clk), .i_rst(i_rst), .i_load(load), .i_round(round), .i_path(path), .i_last_round(last_round),
        .o_round(receive_round), .o_due(got), .o_word(word)
    );

    wire [LANES-1:0] received;
    wire [LANES-1:0] same; // the word is what was on the lane's link
    gfab_flits_in #(
        .LANES(LANES), .LINK_BITS(1)
    ) u_in (
        .i_clk(i_clk), .i_flits(i_link), .i_lane(in_lane), .o_word(received)
    );
    generate
        for (g = 0; g < LANES; g = g + 1) begin : gen_lane
            reg  [LANES-2:0] before_q;
            wire [LANES-1:0] linked = {i_link[g], before_q};
            always @(posedge i_clk)
                before_q <= linked[LANES-1:1];
            assign same[g] = received == linked;
        end
    endgenerate

    wire                  due, due_busy, due_done, due_run, due_held, due_tail;
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .GAP_BITS(GAP_BITS), .LATENCY(LATENCY)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(i_rounds), .i_gaps(i_gaps), .o_held(due_held),
        .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );
    timeline_check #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held), .i_due_tail(due_tail),
        .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(round), .i_lane(lane), .i_read_word(read_word)
    );

    wire          soon, late;
    wire [AB-1:0] soon_at, late_at;
    later #(.CYCLES(D), .BITS(AB)) u_soon (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run & ~i_waits[t_lane]), .i_value({t_round, t_word, t_lane}),
        .o_valid(soon), .o_value(soon_at)
    );
    later #(.CYCLES(D + LANES), .BITS(AB)) u_late (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run & i_waits[t_lane]), .i_value({t_round, t_word, t_lane}),
        .o_valid(late), .o_value(late_at)
    );
    wire [AB-1:0] at = soon ? soon_at : late_at;

    reg [ROUND_BITS-1:0] receive_round_q;
    reg [LB-1:0]         lookup_lane_q;
    reg                  again;
    always @(posedge i_clk) begin
        receive_round_q <= receive_round;
        lookup_lane_q   <= lookup_lane;
        again           <= ~i_rst & (again | done);
        if (due) begin
            assert (!(soon && late));
            assert (got == (soon | late));
            if (got)
                assert ({receive_round_q, word, write_lane} == at && lookup_lane_q == write_lane && same[write_lane]);
            if (!busy)
                assert (!got);
            // Without this, induction would start from a round that no gap follows.
            assert (!last_round[ROUND_BITS] || i_gaps[last_round[ROUND_BITS-1:0]*GAP_BITS+:GAP_BITS] != 0);
        end
        cover (due && got && late && due_held);
        cover (due && got && soon && at[AB-1:WB+LB] == 1 && i_waits[0] != i_waits[1]);
        cover (due && again && got);
    end
endmodule

`default_nettype wire
