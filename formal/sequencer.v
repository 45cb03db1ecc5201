// SPDX-License-Identifier: MIT
//
// The sequencer against docs/reference/fabric-timing.md, for every ROM: i_halts says in which
// rounds the sequence has a halt, any set of rounds but the empty one; i_first_round is free, so that a gossip may
// begin anywhere, and go on in round 0 behind the last. What the
// register holds for other lanes than 0 is free in every cycle: the sequencer must not listen.
`default_nettype none
`include "gfab_bits.vh"

module formal_sequencer #(
    parameter LANES      = 2,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 2,
    parameter SKEWED     = 0,
    parameter GAP_BITS = 0,
    parameter LATENCY    = 0,
    parameter REGISTERED = 0,
    parameter LOOPS      = 0  // 1: gossips begin in round 0, which may follow any round
) (
    input wire                       i_clk,
    input wire                       i_rst,
    input wire                       i_start,
    input wire [ROUND_BITS-1:0]      i_first_round,
    input wire [(1<<ROUND_BITS)-1:0] i_halts,
    input wire [((GAP_BITS > 0 ? GAP_BITS : 1)<<ROUND_BITS)-1:0] i_gaps,
    input wire                       i_other_halt,
    input wire                       i_again // with LOOPS
);
    localparam ROUNDS = 1 << ROUND_BITS;
    localparam LB     = `GFAB_BITS(LANES);
    localparam WB     = `GFAB_BITS(WORDS);
    localparam AB     = ROUND_BITS + WB + LB;
    localparam PB     = GAP_BITS > 0 ? GAP_BITS : 1;
    localparam X      = WORDS == 2 ? 0 : 1;
    localparam Y      = X + LATENCY + REGISTERED; // and LANES: from stage 1 to the write stage

    // The ROM.
    reg [ROUNDS-1:0]    halts_q;
    reg [PB*ROUNDS-1:0] gaps_q;
    reg                 again_q; // of stage 1
    wire                opens;
    always @(posedge i_clk) begin
        halts_q  <= i_halts;
        gaps_q <= i_gaps;
        assume (i_halts == halts_q && i_gaps == gaps_q);
        assume (i_halts != 0);
        assume (LOOPS == 0 || i_first_round == 0);
        again_q <= i_again;
    end
    // As a gossip sees it, from the round in which it began, that of i_first_round before its start.
    wire                  busy, done, run;
    wire                  active; // the sequencer's register of busy and not done; see_stores in run.sh joins it
    wire                  due, due_busy, due_done, due_run, due_held, due_tail;
    reg  [ROUND_BITS-1:0] asked_q, begun_q;
    wire [2*ROUNDS-1:0]    halts = {i_halts, i_halts} >> begun_q;
    wire [2*PB*ROUNDS-1:0] gaps  = {i_gaps, i_gaps} >> (begun_q * PB);
    always @(posedge i_clk) begin
        asked_q <= i_first_round;
        if (i_start & (~due_busy | due_done))
            begun_q <= asked_q;
    end
    reg [ROUND_BITS-1:0] rounds; // before the first halt
    integer r;
    always @* begin
        rounds = 0;
        for (r = ROUNDS - 1; r >= 0; r = r - 1)
            if (halts[r])
                rounds = r;
    end

    wire [ROUND_BITS-1:0] round;
    wire [ROUND_BITS-1:0] own_round = round - (due_busy & ~due_done ? begun_q : asked_q);
    wire [LB-1:0]         lane;
    wire [WB-1:0]         read_word, write_word, write_word_late;
    wire [LANES-1:0]      strobe, close;
    wire [LANES*LB-1:0]   out_flit;
    wire [LB*(LANES+REGISTERED)-1:0] in_lane;
    wire [LB-1:0]         write_lane = in_lane[LB*(LANES+REGISTERED-1)+:LB];

    reg          halt; // what the sequence's register holds
    reg [PB-1:0] gap;
    always @(posedge i_clk) begin
        halt  <= lane == 0 ? i_halts[round] : i_other_halt;
        gap <= i_gaps[round*PB+:PB];
    end

    gfab_sequencer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY), .REGISTERED(REGISTERED), .LOOPS(LOOPS)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round),
        .i_next({gap, halt}), .i_again(i_again), .o_opens(opens), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(read_word),
        .o_strobe(strobe), .o_close(close), .o_out_flit(out_flit), .o_in_lane(in_lane),
        .o_write_word(write_word), .o_write_word_late(write_word_late)
    );

    // Stage 1 as it must be, and what must follow from it later.
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY), .REGISTERED(REGISTERED), .LOOPS(LOOPS)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(rounds), .i_gaps(gaps[PB*ROUNDS-1:0]),
        .i_again(again_q), .o_held(due_held), .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );
    timeline_check #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LOOPS(LOOPS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held), .i_again(again_q),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(own_round), .i_lane(lane), .i_read_word(read_word)
    );
    wire [AB-1:0] position = {t_round, t_word, t_lane};

    wire          ready_due, write_due, late_due;
    wire [AB-1:0] written, late;
    wire [LB-1:0] ready_lane;
    later #(.CYCLES(X), .BITS(LB)) u_strobe (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run), .i_value(t_lane), .o_valid(ready_due), .o_value(ready_lane)
    );
    later #(.CYCLES(LANES + Y), .BITS(AB)) u_write (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run), .i_value(position), .o_valid(write_due), .o_value(written)
    );
    later #(.CYCLES(2 * LANES + Y), .BITS(AB)) u_late (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run), .i_value(position), .o_valid(late_due), .o_value(late)
    );

    // Flit p of a lane's word is taken over p cycles after the word is out, and comes in p cycles after the first.
    genvar p;
    generate
        for (p = 0; p < LANES; p = p + 1) begin : gen_flit
            wire          out_due, in_due, late_in_due;
            wire [LB-1:0] out_lane, came_lane, late_lane;
            later #(.CYCLES(1 + p), .BITS(LB)) u_out (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run), .i_value(t_lane), .o_valid(out_due),
                .o_value(out_lane)
            );
            later #(.CYCLES(1 + X + LATENCY + p), .BITS(LB)) u_in (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run), .i_value(t_lane), .o_valid(in_due),
                .o_value(came_lane)
            );
            later #(.CYCLES(1 + X + LATENCY + LANES + p), .BITS(LB)) u_late_in (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run && t_lane == 0), .i_value(t_lane),
                .o_valid(late_in_due), .o_value(late_lane)
            );
            always @(posedge i_clk)
                if (due) begin
                    if (out_due)
                        assert (out_flit[out_lane*LB+:LB] == p);
                    if (in_due)
                        assert (in_lane[p*LB+:LB] == came_lane);
                    if (late_in_due && SKEWED != 0)
                        assert (in_lane[p*LB+:LB] == 0);
                end
        end
    endgenerate

    // A round's last turns, a period later.
    wire          close_due;
    wire [LB-1:0] close_lane;
    later #(.CYCLES(LANES + X), .BITS(LB)) u_close (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run && t_word == WORDS - 1), .i_value(t_lane), .o_valid(close_due),
        .o_value(close_lane)
    );

    // Words go through registers that have no reset: in range once those have been clocked.
    reg [5:0] clocked;
    initial clocked = 0;
    always @(posedge i_clk)
        clocked <= due ? clocked + (clocked != 6'd63) : 0;
    reg again; // a gossip has ended since the reset
    always @(posedge i_clk)
        again <= ~i_rst & (again | done);

    reg held_q;
    always @(posedge i_clk)
        held_q <= due & due_held & ~i_rst;

    wire [LANES-1:0] one = 1;
    always @(posedge i_clk)
        if (due) begin
            assert (active == (busy & ~done));
            // Later stages.
            if (ready_due)
                assert (strobe == one << ready_lane);
            if (write_due)
                assert ({write_word, write_lane} == written[WB+LB-1:0]);
            if (late_due && SKEWED != 0 && late[LB-1:0] == 0)
                assert ({write_word_late, write_lane} == late[WB+LB-1:0]);
            assert (opens == (LOOPS != 0 && t_word == 0 && t_lane == 0 && (due_run || due_tail && t_tail == 0)));
            // Nothing is in flight when the host may load.
            if (!busy)
                assert (!write_due && !(late_due && SKEWED != 0 && late[LB-1:0] == 0));
            if (clocked >= 2 * LANES + Y + 2) begin
                assert (read_word < WORDS);
                assert (write_lane < LANES);
                assert (write_word < WORDS);
                assert (write_word_late < WORDS);
            end
            if (clocked >= 3) begin
                assert ((GAP_BITS > 0 || strobe != 0) && (strobe & (strobe - one)) == 0);
            end
            // Nobody's turn in a gap; those who had the last one before it are told to close.
            assert (close == (GAP_BITS > 0 && close_due ? one << close_lane : 0));
            if (due_held && X == 0)
                assert (strobe == 0);
            if (held_q)
                assert (X == 0 || strobe == 0);
        end

    // The longest gossip ends, another begins in the cycle in which one ends, a reset cuts one off.
    reg cut;
    initial cut = 0;
    always @(posedge i_clk) begin
        cut <= due & due_run & i_rst;
        cover (due && done && busy && rounds == ROUNDS - 1);
        cover (due && done && busy && i_start && again == 0 && rounds == 1 && (LOOPS != 0 || begun_q != asked_q));
        cover (due && again && due_run && t_lane == LANES - 1);
        cover (cut && i_start);
        if (LOOPS != 0)
            cover (due && due_run && write_due && t_round == 0 && written[AB-1-:ROUND_BITS] == 1);
        if (GAP_BITS > 0)
            cover (due && due_held && close != 0 && write_due);
    end
endmodule

`default_nettype wire
