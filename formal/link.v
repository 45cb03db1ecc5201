// SPDX-License-Identifier: MIT
//
// Two lanes, v's and u's, on a link, timed by the sequencer. i_ops holds what they do in each
// round: v sends and u receives, u sends and v receives, neither, or, where FULL, both; any such list, of any length
// that the ROM holds, with any gaps. The nodes' other lanes do anything. Words to be sent are free in every cycle.
`default_nettype none
`include "gfab_bits.vh"

module formal_link #(
    parameter LANES      = 2,
    parameter WORDS      = 2,
    parameter LINK_BITS  = 1,
    parameter ROUND_BITS = 2,
    parameter SKEW       = 0, // 0, or u's lane, v's then being 0
    parameter LANE       = 0, // of both where SKEW = 0
    parameter FULL       = 0, // 1: full-duplex ports
    parameter GAP_BITS = 0,
    parameter LATENCY    = 0
) (
    input wire                         i_clk,
    input wire                         i_rst,
    input wire                         i_start,
    input wire [2*(1<<ROUND_BITS)-1:0] i_ops,
    input wire [ROUND_BITS-1:0]        i_rounds,
    input wire [((GAP_BITS > 0 ? GAP_BITS : 1)<<ROUND_BITS)-1:0] i_gaps,
    input wire                         i_other_v, // the op of v's other lanes: it sends
    input wire                         i_other_u,
    input wire [LANES*LINK_BITS-1:0]   i_word_v,
    input wire [LANES*LINK_BITS-1:0]   i_word_u,
    input wire [LANES*LINK_BITS-1:0]   i_flits   // what comes over the nodes' other lanes
);
    localparam LB     = `GFAB_BITS(LANES);
    localparam WB     = `GFAB_BITS(WORDS);
    localparam BITS   = LANES * LINK_BITS;
    localparam DIRECT = WORDS == 2;
    localparam X      = DIRECT ? 0 : 1;
    localparam LANE_V = SKEW != 0 ? 0 : LANE;
    localparam LANE_U = SKEW != 0 ? SKEW : LANE;
    localparam V_TO_U = 1;
    localparam U_TO_V = 2;
    localparam BOTH   = 3;
    localparam PB     = GAP_BITS > 0 ? GAP_BITS : 1;
    localparam WIRES  = FULL != 0 || LATENCY > 0 ? 2 : 1;

    // The programs.
    reg [2*(1<<ROUND_BITS)-1:0] ops_q;
    reg [ROUND_BITS-1:0]        rounds_q;
    reg [(PB<<ROUND_BITS)-1:0]  gaps_q;
    integer r;
    always @(posedge i_clk) begin
        ops_q    <= i_ops;
        rounds_q <= i_rounds;
        gaps_q <= i_gaps;
        assume (i_ops == ops_q && i_rounds == rounds_q && i_gaps == gaps_q);
        for (r = 0; r < 1 << ROUND_BITS; r = r + 1)
            assume (FULL != 0 || i_ops[2*r+:2] != BOTH);
    end

    wire                  busy, done, run;
    wire [ROUND_BITS-1:0] round;
    wire [LB-1:0]         lane;
    wire [WB-1:0]         read_word;
    wire [LANES-1:0]      strobe, close;
    wire [LANES*LB-1:0]   out_flit, in_lane;
    reg  [PB-1:0]         gap;
    reg                   halt, kind_v, kind_u; // op registers: halt, send
    always @(posedge i_clk) begin
        halt   <= lane == 0 && round == i_rounds;
        gap  <= i_gaps[round*PB+:PB];
        kind_v <= lane == LANE_V ? i_ops[2*round] && !(lane == 0 && round == i_rounds) : i_other_v;
        kind_u <= lane == LANE_U ? i_ops[2*round+1] && !(lane == 0 && round == i_rounds) : i_other_u;
    end
    gfab_sequencer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEW != 0), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round({ROUND_BITS{1'b0}}),
        .i_next({gap, halt}), .i_again(1'b0), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(read_word),
        .o_strobe(strobe), .o_close(close), .o_out_flit(out_flit), .o_in_lane(in_lane), .o_write_word(),
        .o_write_word_late()
    );

    // As in gfab_node.
    wire send_v = run & kind_v;
    wire send_u = run & kind_u;
    reg  send_v_q, send_u_q;
    always @(posedge i_clk) begin
        send_v_q <= send_v & ~i_rst;
        send_u_q <= send_u & ~i_rst;
    end

    wire [BITS-1:0]      got_v, got_u;
    wire [LINK_BITS-1:0] link, link_v, link_u, far_v, far_u;
    wire                 drive_v, drive_u;
    wire [BITS-1:0]      out_v, in_v;
    wire [LINK_BITS-1:0] came_v;
    gfab_flits_out #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .REGISTERED(!DIRECT)
    ) u_out_v (
        .i_clk(i_clk), .i_word(i_word_v), .i_flit(out_flit), .o_flits(out_v)
    );
    gfab_lane #(
        .LINK_BITS(LINK_BITS), .TX_DELAY(SKEW), .RX_DELAY(SKEW != 0 ? LANES - SKEW : 0)
    ) u_v (
        .i_clk(i_clk), .i_rst(i_rst), .i_strobe(strobe[LANE_V]), .i_close(close[LANE_V]),
        .i_send(DIRECT ? send_v : send_v_q), .i_rest(1'b1), .i_flit(out_v[LANE_V*LINK_BITS+:LINK_BITS]),
        .i_link(WIRES == 2 ? far_u : link), .o_link(link_v), .o_drive(drive_v), .o_flit(came_v), .o_fault()
    );
    gfab_flits_in #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .STEADY(GAP_BITS == 0)
    ) u_in_v (
        .i_clk(i_clk), .i_flits(in_v), .i_lane(in_lane), .o_word(got_v)
    );
    wire [BITS-1:0]      out_u, in_u;
    wire [LINK_BITS-1:0] came_u;
    gfab_flits_out #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .REGISTERED(!DIRECT)
    ) u_out_u (
        .i_clk(i_clk), .i_word(i_word_u), .i_flit(out_flit), .o_flits(out_u)
    );
    gfab_lane #(
        .LINK_BITS(LINK_BITS)
    ) u_u (
        .i_clk(i_clk), .i_rst(i_rst), .i_strobe(strobe[LANE_U]), .i_close(close[LANE_U]),
        .i_send(DIRECT ? send_u : send_u_q), .i_rest(1'b1), .i_flit(out_u[LANE_U*LINK_BITS+:LINK_BITS]),
        .i_link(WIRES == 2 ? far_v : link), .o_link(link_u), .o_drive(drive_u), .o_flit(came_u), .o_fault()
    );
    gfab_flits_in #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .STEADY(GAP_BITS == 0)
    ) u_in_u (
        .i_clk(i_clk), .i_flits(in_u), .i_lane(in_lane), .o_word(got_u)
    );
    genvar n;
    generate
        for (n = 0; n < LANES; n = n + 1) begin : gen_in
            assign in_v[n*LINK_BITS+:LINK_BITS] = n == LANE_V ? came_v : i_flits[n*LINK_BITS+:LINK_BITS];
            assign in_u[n*LINK_BITS+:LINK_BITS] = n == LANE_U ? came_u : i_flits[n*LINK_BITS+:LINK_BITS];
        end
    endgenerate
    generate
        if (WIRES == 2) begin : gen_wires
            gfab_delay #(.BITS(LINK_BITS), .CYCLES(LATENCY), .RESET(1)) u_wire_v (
                .i_clk(i_clk), .i_rst(i_rst), .i_data(link_v), .o_data(far_v), .o_taps()
            );
            gfab_delay #(.BITS(LINK_BITS), .CYCLES(LATENCY), .RESET(1)) u_wire_u (
                .i_clk(i_clk), .i_rst(i_rst), .i_data(link_u), .o_data(far_u), .o_taps()
            );
        end else begin : gen_joined
            gfab_link #(.LINK_BITS(LINK_BITS)) u_link (
                .i_clk(i_clk), .i_rst(i_rst), .i_end0(link_v), .i_drive0(drive_v), .i_end1(link_u), .i_drive1(drive_u),
                .o_link(link)
            );
        end
    endgenerate

    // What must happen: a word is read at stage 1, out a cycle later, and there when it is to be written.
    wire                  due, due_busy, due_done, due_run, due_held, due_tail;
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEW != 0), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY)
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
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(round), .i_lane(lane), .i_read_word(read_word)
    );
    wire v_sends = due_run & t_lane == LANE_V & i_ops[2*t_round];
    wire u_sends = due_run & t_lane == LANE_U & i_ops[2*t_round+1];

    wire            v_out, u_out, to_u, to_v;
    wire [BITS-1:0] sent_v, sent_u;
    later #(.CYCLES(1)) u_v_out (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(v_sends), .i_value(1'b0), .o_valid(v_out), .o_value()
    );
    later #(.CYCLES(1)) u_u_out (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(u_sends), .i_value(1'b0), .o_valid(u_out), .o_value()
    );
    later #(.CYCLES(LANES + X + SKEW + LATENCY - 1), .BITS(BITS)) u_to_u (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(v_out), .i_value(i_word_v), .o_valid(to_u), .o_value(sent_v)
    );
    later #(.CYCLES((SKEW != 0 ? 2 * LANES + X - SKEW - 1 : LANES + X - 1) + LATENCY), .BITS(BITS)) u_to_v (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(u_out), .i_value(i_word_u), .o_valid(to_v), .o_value(sent_u)
    );

    // The LANES cycles in which a word is on the wire.
    wire [LANES-1:0] window_v, window_u;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_window
            later #(.CYCLES(1 + X + SKEW + i)) u_window_v (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(v_sends), .i_value(1'b0), .o_valid(window_v[i]), .o_value()
            );
            later #(.CYCLES(1 + X + i)) u_window_u (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(u_sends), .i_value(1'b0), .o_valid(window_u[i]), .o_value()
            );
        end
    endgenerate

    reg was_v, was_u, cut_v; // a word has gone that way; v drove as a reset came
    initial cut_v = 0;
    always @(posedge i_clk) begin
        was_v <= ~i_rst & (was_v | to_u);
        was_u <= ~i_rst & (was_u | to_v);
        cut_v <= due & i_rst & drive_v;
        if (due) begin
            assert (FULL != 0 || !(drive_v && drive_u));
            assert (drive_v == |window_v);
            assert (drive_u == |window_u);
            assert (drive_v || link_v == 0);
            assert (drive_u || link_u == 0);
            if (to_u)
                assert (got_u == sent_v);
            if (to_v)
                assert (got_v == sent_u);
        end
        cover (due && to_v && was_v && &got_v);
        cover (due && to_u && was_u && !got_u[0]);
        cover (cut_v && i_start);
        if (FULL != 0)
            cover (due && to_v && drive_v && drive_u && &got_v && link_v == 0 && &link_u);
        if (GAP_BITS > 0)
            cover (due && due_held && to_v && was_v);
    end
endmodule

`default_nettype wire
