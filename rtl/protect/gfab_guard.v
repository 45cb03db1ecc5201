// SPDX-License-Identifier: MIT
//
// What all checks of a fabric come to: o_error, from the cycle after a fault is noticed to the next i_start. A fault
// ends the gossip: o_stop resets sequencers and nodes, for a cycle, and then the fabric is done. The next start begins
// clean.
//
// Once a gossip is over the nodes' balances (gfab_lane_store) must add up to 0, and the ones in all ops (gfab_program)
// to an even number. The verdict is there two cycles after i_done rises, with the first word that the host can have
// asked for.
`default_nettype none

module gfab_guard #(
    parameter NODES      = 16, // 1 or more
    parameter PROGRAMS   = 16, // ROMs of programs, 1 or more
    parameter WORDS      = 4,
    parameter ROUND_BITS = 4
) (
    input  wire                  i_clk,
    input  wire                  i_rst,
    input  wire                  i_start,
    input  wire                  i_clear, // sequencer and nodes are stopped by what is around; no fault by itself
    // the sequencer's
    input  wire                  i_busy,
    input  wire                  i_done,
    input  wire                  i_run,
    input  wire                  i_halt, // the round in stage 1 is it
    input  wire                  i_last, // word of a round
    input  wire [ROUND_BITS-1:0] i_round,
    input  wire                  i_sequencer_fault,
    // between chips, else 0; the balance as those of nodes
    input  wire                  i_transfer_fault,
    input  wire                  i_transfer_balance,
    // from nodes and programs
    input  wire [NODES-1:0]      i_node_faults,
    input  wire [NODES-1:0]      i_node_balances,
    input  wire [PROGRAMS-1:0]   i_odd_ops,
    // to sequencer and nodes
    output wire                  o_stop,
    // to the host
    output wire                  o_busy,
    output wire                  o_done,
    output wire                  o_error,
    // of the first fault, from the cycle after o_error rises on
    output wire [3:0]            o_error_what,  // one-hot: a node, a transfer, a program, the sequencer
    output wire [NODES-1:0]      o_error_nodes, // which node
    output wire [ROUND_BITS-1:0] o_error_round  // from 0: where the sequencer was; of a transfer or program nothing
);
    wire rst = i_rst | o_stop | i_clear;

    // The programs' ones, {in a round's last word, in every word}: once, and WORDS times as many. The halt's round has
    // what makes the ones of a program even; it is played for one cycle.
    wire [1:0]          counts = {2{i_run}} & {i_last | i_halt, WORDS % 2 == 1 || !i_halt};
    reg  [PROGRAMS-1:0] odd_ops_q;
    reg  [1:0]          counts_q;
    reg  [1:0]          ones_q; // odd or even
    always @(posedge i_clk) begin
        odd_ops_q <= i_odd_ops;
        counts_q  <= rst ? 2'b0 : counts;
        ones_q    <= rst ? 2'b0 : ones_q ^ (counts_q & {2{^odd_ops_q}});
    end

    reg  [2:0] done_q;
    reg        nodes_odd_q;
    always @(posedge i_clk) begin
        done_q      <= rst ? 3'b0 : {done_q[1:0], i_done};
        nodes_odd_q <= ^{i_node_balances, i_transfer_balance};
    end
    wire over = done_q[1] & ~done_q[2];

    reg error_q;
    reg stopped_q; // a cycle after error_q, however that came
    reg stop_q;    // error_q, and not yet stopped_q

    // What is noticed at once has a register before it goes on, for there is much logic before that.
    reg              sequencer_q, transfer_q;
    reg  [NODES-1:0] node_faults_q;
    wire [3:0]       faults = {sequencer_q, over & |ones_q, transfer_q | (over & nodes_odd_q), |node_faults_q};
    wire             fault  = |faults;
    always @(posedge i_clk) begin
        sequencer_q   <= i_sequencer_fault & ~rst;
        transfer_q    <= i_transfer_fault & ~rst;
        node_faults_q <= rst ? {NODES{1'b0}} : i_node_faults;
    end

    reg [3:0]            what_q;
    reg [NODES-1:0]      nodes_q;
    reg [ROUND_BITS-1:0] round_q;
    wire                 restart = i_start & stopped_q;

    always @(posedge i_clk) begin
        error_q   <= ~i_rst & (fault | stop_q | (error_q & ~restart)); // a flip of stop_q is a fault, too
        stopped_q <= ~i_rst & error_q & ~restart;
        stop_q    <= ~i_rst & fault & ~(error_q & ~restart);
        what_q    <= error_q ? what_q : faults;
        nodes_q   <= error_q ? nodes_q : node_faults_q;
        round_q   <= error_q ? round_q : i_round;
    end

    assign o_stop        = stop_q;
    assign o_busy        = error_q ? ~stopped_q : i_busy;
    assign o_done        = error_q ? stopped_q : i_done;
    assign o_error       = fault | error_q;
    assign o_error_what  = what_q;
    assign o_error_nodes = nodes_q;
    assign o_error_round = round_q;
endmodule

`default_nettype wire
