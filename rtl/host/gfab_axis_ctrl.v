// SPDX-License-Identifier: MIT
//
// Turns for the gfab_axis_hosts of a fabric, over and over: load, until every node's token
// is in; the gossip; unload, until every node's last beat is taken. So a gossip
// starts by itself, and the slowest reader holds back the next tokens of all nodes: nothing is overwritten.
//
// Latency: o_start is 1 in the first cycle in which all of i_node_done are; unloading begins in the cycle
// after i_done is 1; loading two cycles after the last i_node_done.
`default_nettype none

module gfab_axis_ctrl #(
    parameter NODES = 16 // 2 or more
) (
    input  wire             i_clk,
    input  wire             i_rst,
    // gossip_fabric
    output wire             o_start,
    input  wire             i_done,
    // gfab_axis_host, all nodes
    output wire             o_load,
    output wire             o_unload,
    input  wire [NODES-1:0] i_node_done
);
    localparam LOAD   = 2'd0;
    localparam RUN    = 2'd1;
    localparam UNLOAD = 2'd2;
    localparam TURN   = 2'd3; // lets i_node_done fall

    reg [1:0] phase_q;
    reg [1:0] phase_d;

    always @*
        case (phase_q)
            LOAD:    phase_d = (&i_node_done) ? RUN : LOAD;
            RUN:     phase_d = i_done ? UNLOAD : RUN;
            UNLOAD:  phase_d = (&i_node_done) ? TURN : UNLOAD;
            default: phase_d = LOAD;
        endcase

    always @(posedge i_clk)
        phase_q <= i_rst ? LOAD : phase_d;

    assign o_start  = (phase_q == LOAD) & (&i_node_done);
    assign o_load   = (phase_q == LOAD);
    assign o_unload = (phase_q == UNLOAD);
endmodule

`default_nettype wire
