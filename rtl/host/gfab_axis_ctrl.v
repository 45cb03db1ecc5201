// SPDX-License-Identifier: MIT
//
// Turns for the gfab_axis_hosts of a fabric, over and over: load, until every node's token
// is in; the gossip; unload, until every node's last beat is taken. So a gossip
// starts by itself, and the slowest reader holds back the next tokens of all nodes: nothing is overwritten.
//
// Errors end it. o_error is 1 from then on; o_status says what it was, o_error_nodes whose, until the next one:
//   1 LATE   a node had no token LOAD_LIMIT cycles after the first node's was in; these nodes
//   2 LONG   a packet of tokens was not over with its one beat; these nodes
//   3 STUCK  the gossip was not over after GOSSIP_LIMIT cycles
//   4 FABRIC the fabric said so itself
// A gossip with an error is given up before a beat of it is offered. One that the fabric finds while beats are taken,
// when none can be taken back, lets the last one go out first. Then the fabric is held in reset, and no stream moves,
// until i_clear is 1; loading begins after that for all nodes alike.
//
// Latency: o_start is 1 in the first cycle in which all of i_node_done are; unloading begins in the cycle
// after i_done is 1; loading two cycles after the last i_node_done, or one after i_clear.
`default_nettype none
`include "gfab_bits.vh"

module gfab_axis_ctrl #(
    parameter NODES        = 16, // 2 or more
    parameter LOAD_LIMIT   = 0,  // cycles; 0: none
    parameter GOSSIP_LIMIT = 0   // cycles from o_start on; 0: none
) (
    input  wire             i_clk,
    input  wire             i_rst,
    // gossip_fabric
    output wire             o_start,
    input  wire             i_done,
    input  wire             i_error,
    output wire             o_fabric_rst,
    // gfab_axis_host, all nodes
    output wire             o_load,
    output wire             o_unload,
    input  wire [NODES-1:0] i_node_done,
    input  wire [NODES-1:0] i_node_long,
    // the user
    input  wire             i_clear,
    output wire             o_error,
    output wire [2:0]       o_status,
    output wire [NODES-1:0] o_error_nodes
);
    localparam LOAD   = 3'd0;
    localparam RUN    = 3'd1;
    localparam UNLOAD = 3'd2;
    localparam TURN   = 3'd3; // lets i_node_done fall
    localparam FAILED = 3'd4;

    localparam LATE   = 3'd1;
    localparam LONG   = 3'd2;
    localparam STUCK  = 3'd3;
    localparam FABRIC = 3'd4;

    reg [2:0]       phase_q;
    reg [2:0]       phase_d;
    reg             error_q;
    reg [2:0]       status_q;
    reg [NODES-1:0] nodes_q;

    wire load   = (phase_q == LOAD);
    wire run    = (phase_q == RUN);
    wire unload = (phase_q == UNLOAD);
    wire failed = (phase_q == FAILED);
    wire all    = &i_node_done;
    wire overdue; // the phase has lasted for as long as it may

    wire long  = |i_node_long;
    wire late  = load & overdue;
    wire stuck = run & overdue & ~i_done;
    wire fault = (i_error & ~failed) | long | late | stuck;

    always @*
        case (phase_q)
            LOAD:    phase_d = fault ? FAILED : all ? RUN : LOAD;
            RUN:     phase_d = fault ? FAILED : i_done ? UNLOAD : RUN;
            UNLOAD:  phase_d = ~all ? UNLOAD : (fault | error_q) ? FAILED : TURN;
            TURN:    phase_d = fault ? FAILED : LOAD;
            default: phase_d = i_clear ? LOAD : FAILED;
        endcase

    always @(posedge i_clk) begin
        phase_q <= i_rst ? LOAD : phase_d;
        error_q <= ~i_rst & (fault | (error_q & ~(failed & i_clear)));
        if (i_rst) begin
            status_q <= 3'd0;
            nodes_q  <= {NODES{1'b0}};
        end else if (fault) begin
            status_q <= i_error ? FABRIC : long ? LONG : late ? LATE : STUCK;
            nodes_q  <= i_error ? {NODES{1'b0}} : long ? i_node_long : late ? ~i_node_done : {NODES{1'b0}};
        end
    end

    generate
        if (LOAD_LIMIT == 0 && GOSSIP_LIMIT == 0) begin : gen_no_limit
            assign overdue = 1'b0;
        end else begin : gen_limit
            localparam LONGEST     = (LOAD_LIMIT > GOSSIP_LIMIT) ? LOAD_LIMIT : GOSSIP_LIMIT;
            localparam COUNT_BITS  = `GFAB_BITS(LONGEST + 1);
            localparam LOAD_FROM   = LONGEST - LOAD_LIMIT; // counts up to the same number in both phases
            localparam GOSSIP_FROM = LONGEST - GOSSIP_LIMIT + 1;
            reg [COUNT_BITS-1:0] count_q;
            wire waits = load & (|i_node_done) & ~all & (LOAD_LIMIT != 0);
            wire runs  = run & (GOSSIP_LIMIT != 0);
            always @(posedge i_clk)
                if (waits | runs)
                    count_q <= count_q + 1'b1;
                else
                    count_q <= o_start ? GOSSIP_FROM[COUNT_BITS-1:0] : LOAD_FROM[COUNT_BITS-1:0];
            assign overdue = (waits | runs) & (count_q == LONGEST[COUNT_BITS-1:0]);
        end
    endgenerate

    assign o_start       = load & all;
    assign o_load        = load;
    assign o_unload      = unload;
    assign o_fabric_rst  = failed;
    assign o_error       = error_q;
    assign o_status      = status_q;
    assign o_error_nodes = nodes_q;
endmodule

`default_nettype wire
