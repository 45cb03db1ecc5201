// SPDX-License-Identifier: MIT
//
// What all checks of a fabric come to: o_error, from the cycle after a fault is noticed to the next i_start. A fault
// ends the gossip: o_stop holds sequencers and nodes in reset, for a cycle at least, and then the fabric is done. The
// next start begins clean.
//
// Once a gossip is over the balances must come to 0 (gfab_lane_store, gfab_program): that of a node's words and those
// of a program each, the check bits of all nodes together. The verdict is there two cycles after i_done rises, with
// the first word that the host can have asked for.
`default_nettype none

module gfab_guard #(
    parameter NODES      = 16, // 2 or more
    parameter PROGRAMS   = 16, // ROMs of programs, 1 or more
    parameter WORDS      = 4,
    parameter ROUND_BITS = 4
) (
    input  wire                  i_clk,
    input  wire                  i_rst,
    input  wire                  i_start,
    // the sequencer's
    input  wire                  i_busy,
    input  wire                  i_done,
    input  wire                  i_run,
    input  wire                  i_halt, // the op registers have it
    input  wire                  i_last, // word of a round
    input  wire [ROUND_BITS-1:0] i_round,
    input  wire                  i_sequencer_fault,
    // to the programs
    output wire                  o_count,
    output wire                  o_count_last,
    // from nodes and programs
    input  wire [NODES-1:0]      i_node_faults,
    input  wire [2*NODES-1:0]    i_node_balances,
    input  wire [2*PROGRAMS-1:0] i_program_balances,
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
    // A program's ones in all words, and in those of a round's last: WORDS times as many, and once. The halt's round
    // has what makes the ones of a program even; it is played for one cycle.
    assign o_count      = i_run & (WORDS % 2 == 1 || !i_halt);
    assign o_count_last = i_run & (i_last | i_halt);

    // The balances.
    reg  [2:0] done_q;
    reg        words_q, checks_q, programs_q; // not 0
    reg        words, checks;
    integer    n;
    always @* begin
        words  = 1'b0;
        checks = 1'b0;
        for (n = 0; n < NODES; n = n + 1) begin
            words  = words | i_node_balances[2*n];
            checks = checks ^ i_node_balances[2*n+1];
        end
    end
    always @(posedge i_clk) begin
        done_q     <= (i_rst | o_stop) ? 3'b0 : {done_q[1:0], i_done};
        words_q    <= words;
        checks_q   <= checks;
        programs_q <= |i_program_balances;
    end
    wire over = done_q[1] & ~done_q[2];

    // What is noticed at once has a register before it goes on, for there is much logic before that.
    reg              sequencer_q;
    reg  [NODES-1:0] node_faults_q;
    wire [3:0]       faults = {sequencer_q, over & programs_q, over & (words_q | checks_q), |node_faults_q};
    wire             fault  = |faults;
    always @(posedge i_clk) begin
        sequencer_q   <= i_sequencer_fault & ~i_rst & ~o_stop;
        node_faults_q <= (i_rst | o_stop) ? {NODES{1'b0}} : i_node_faults;
    end

    reg                  error_q;
    reg                  stopped_q;
    reg [3:0]            what_q;
    reg [NODES-1:0]      nodes_q;
    reg [ROUND_BITS-1:0] round_q;
    wire                 restart = i_start & stopped_q;

    always @(posedge i_clk) begin
        error_q   <= ~i_rst & (fault | (error_q & ~restart));
        stopped_q <= ~i_rst & error_q & ~restart;
        if (~error_q) begin
            what_q  <= faults;
            nodes_q <= node_faults_q;
            round_q <= i_round;
        end
    end

    assign o_stop        = error_q & ~restart;
    assign o_busy        = error_q ? ~stopped_q : i_busy;
    assign o_done        = error_q ? stopped_q : i_done;
    assign o_error       = fault | error_q;
    assign o_error_what  = what_q;
    assign o_error_nodes = nodes_q;
    assign o_error_round = round_q;
endmodule

`default_nettype wire
