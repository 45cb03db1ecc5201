// SPDX-License-Identifier: MIT
//
// What a narrow node's lanes combine: gfab_combine, told of the op of stage 1 when the lanes take over what it says
// (DIRECT), or a cycle later.
//
// PROTECT: it is there twice. gfab_combine_check says whether both have the same (o_differ, a cycle later), and which
// parity has what came and what is written; o_stays, ~i_combine of the cycle before, is kept apart from it.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_lane_combine #(
    parameter LANES      = 4,
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}},
    parameter SKEW       = 0,
    parameter LINK_BITS  = 2,
    parameter DIRECT     = 0, // 1: strobes are in stage 1
    parameter REGISTERED = 0,
    parameter OPERATOR   = `GFAB_OPERATOR_SUM,
    parameter LATENCY    = 0, // cycles, of every link: so much later than what leaves is what arrives
    parameter GAPS       = 0,
    parameter PROTECT    = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // stage 1
    input  wire                         i_receive, // with PROTECT: stored or combined
    input  wire                         i_combine,
    input  wire [`GFAB_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_near,
    // as gfab_lane_store
    input  wire [LANES-1:0]             i_strobe,
    input  wire [LANES-1:0]             i_close,
    input  wire [`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_combining,
    input  wire [`GFAB_BITS(LANES)-1:0] i_ready_lane, // whose word is complete
    input  wire                         i_late,       // it is late
    // a flit a lane
    input  wire [LANES*LINK_BITS-1:0]   i_old,
    input  wire [LANES*LINK_BITS-1:0]   i_new,
    output wire [LANES*LINK_BITS-1:0]   o_in, // what goes into the lanes
    // with PROTECT
    output wire                         o_stays,
    output wire                         o_differ,
    output wire                         o_came_odd,
    output wire                         o_in_odd // of the word to be written
);
    localparam COMBINING_BITS = `GFAB_COMBINING_BITS(LANES);
    localparam TIMERS         = PROTECT ? 2 : 1;
    localparam FLITS_BITS     = LANES * LINK_BITS;
    localparam NEAR_BITS      = `GFAB_BITS(LANES);

    wire [TIMERS*FLITS_BITS-1:0] results, ins, owns; // owns: what of i_old is in them
    wire [FLITS_BITS-1:0]        old; // when what it is combined with is there
    gfab_delay #(
        .BITS(FLITS_BITS), .CYCLES(LATENCY)
    ) u_old (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(i_old), .o_data(old), .o_taps()
    );
    assign o_in = ins[FLITS_BITS-1:0];

    genvar s;
    generate
        if (PROTECT) begin : gen_leave
            (* keep *) reg leave_q;
            always @(posedge i_clk)
                leave_q <= ~i_combine | i_rst;
            assign o_stays = leave_q;
        end else begin : gen_no_leave
            assign o_stays = 1'b1;
        end

        for (s = 0; s < TIMERS; s = s + 1) begin : gen_timer
            wire [COMBINING_BITS-1:0] combining = i_combining[s*COMBINING_BITS+:COMBINING_BITS];
            wire                 combine;
            wire [NEAR_BITS-1:0] near;
            if (DIRECT) begin : gen_now
                assign combine = i_combine;
                assign near    = i_near[s*NEAR_BITS+:NEAR_BITS];
            end else begin : gen_next
                reg [NEAR_BITS-1:0] near_q;
                always @(posedge i_clk)
                    near_q <= i_near[s*NEAR_BITS+:NEAR_BITS];
                assign near = near_q;
                if (s == 0) begin : gen_first
                    reg combine_q;
                    always @(posedge i_clk)
                        combine_q <= i_combine & ~(PROTECT != 0 && i_rst);
                    assign combine = combine_q;
                end else begin : gen_second
                    assign combine = ~o_stays;
                end
            end
            wire [NEAR_BITS:0] then; // as long after
            gfab_delay #(
                .BITS(NEAR_BITS + 1), .CYCLES(LATENCY), .RESET(1)
            ) u_then (
                .i_clk(i_clk), .i_rst(i_rst), .i_data({combine, near}), .o_data(then), .o_taps()
            );
            wire [LANES-1:0] open, clear;
            if (SKEW != 0) begin : gen_late
                assign open  = {combining[LANES-1:1], combining[LANES]};
                assign clear = {combining[LANES+10+:LANES-1], combining[2*LANES+9]};
            end else begin : gen_in_time
                assign open  = combining[LANES-1:0];
                assign clear = combining[LANES+9+:LANES];
            end
            gfab_combine #(
                .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW), .LINK_BITS(LINK_BITS), .REGISTERED(REGISTERED),
                .OPERATOR(OPERATOR)
            ) u_combine (
                .i_clk(i_clk), .i_open(open), .i_clear(clear), .i_operator(combining[LANES+6+:3]),
                .i_combine(then[NEAR_BITS]), .i_near(then[NEAR_BITS-1:0]), .i_old(old), .i_new(i_new),
                .o_result(results[s*FLITS_BITS+:FLITS_BITS]), .o_in(ins[s*FLITS_BITS+:FLITS_BITS]),
                .o_own(owns[s*FLITS_BITS+:FLITS_BITS])
            );
        end

        if (PROTECT) begin : gen_checks
            wire       differs, result_odd;
            wire [1:0] flips_seen = i_combining[COMBINING_BITS+LANES+4+:2]; // {late, in time}
            reg        receive_q, differ_q;
            always @(posedge i_clk) begin
                receive_q <= i_receive & ~i_rst;
                differ_q  <= ~i_rst & differs;
            end
            assign o_differ = differ_q;
            localparam TURNS = LANES * (GAPS ? 2 : 1);
            wire [TURNS-1:0] turns; // {close, strobe}
            wire [TURNS+1:0] taken = {DIRECT ? {i_receive, i_combine} : {receive_q, ~o_stays}, turns};
            wire [TURNS+1:0] then; // when what is received arrives
            wire [LANES-1:0] close;
            assign turns[LANES-1:0] = i_strobe;
            if (GAPS) begin : gen_close
                assign turns[TURNS-1-:LANES] = i_close;
                assign close = then[TURNS-1-:LANES];
            end else begin : gen_no_close
                assign close = {LANES{1'b0}};
            end
            gfab_delay #(
                .BITS(TURNS + 2), .CYCLES(LATENCY), .RESET(1)
            ) u_then (
                .i_clk(i_clk), .i_rst(i_rst), .i_data(taken), .o_data(then), .o_taps()
            );
            gfab_combine_check #(
                .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW), .GAPS(GAPS), .LINK_BITS(LINK_BITS)
            ) u_check (
                .i_clk(i_clk), .i_rst(i_rst), .i_strobe(then[LANES-1:0]), .i_close(close),
                .i_receive(then[TURNS+1]), .i_combine(then[TURNS]),
                .i_new(i_new), .i_own(owns[FLITS_BITS+:FLITS_BITS]), .i_result(results[FLITS_BITS-1:0]),
                .i_twin(results[FLITS_BITS+:FLITS_BITS]), .i_ready_lane(i_ready_lane),
                .o_odd(o_came_odd), .o_result_odd(result_odd), .o_differ(differs)
            );
            if (REGISTERED) begin : gen_odd_registered
                reg result_odd_q;
                always @(posedge i_clk)
                    result_odd_q <= result_odd;
                (* keep *) reg in_time_q; // ~late_q of gfab_lane_store, kept apart from it
                always @(posedge i_clk)
                    in_time_q <= ~i_late;
                assign o_in_odd = result_odd_q ^ (in_time_q ? flips_seen[0] : flips_seen[1]);
            end else begin : gen_odd_at_once
                assign o_in_odd = result_odd ^ (i_late ? flips_seen[1] : flips_seen[0]);
            end
        end else begin : gen_no_checks
            assign {o_differ, o_came_odd, o_in_odd} = 3'b0;
        end
    endgenerate
endmodule

`default_nettype wire
