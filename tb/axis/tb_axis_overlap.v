// SPDX-License-Identifier: MIT
//
// gossip_fabric_axis with --axi overlap between sources and sinks: first at full speed, when a gossip must start every
// so many cycles as docs/reference/host-interface.md says; then with random pauses, each stream at its own pace, and
// resets. Checked: every beat; data stay until ready; a gossip takes its cycles; the last one's beats and the next one
// do overlap.
//   +seed=..   other tokens, pauses and reset times
// The fabric's numbers come from the generated gossip_fabric_parameters.vh. Run with vvp -N: a failure is a message
// and $stop, status 1.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_axis;
    localparam GOSSIPS = 8; // of each run
    localparam RUNS    = 6; // the first at full speed, a reset before each other

    localparam NODES  = `GF_NODES;
    localparam W      = `GF_TOKEN_BITS;
    localparam CYCLES = `GF_CYCLES;
    localparam WORDS  = `GF_PARTS * `GF_WORDS; // of a token
    localparam PLAY   = CYCLES + WORDS + 3 + `GF_PROTECT; // for the verdict
    localparam GIVE   = NODES * (WORDS + 1) + 2;
    localparam PERIOD = PLAY > GIVE ? PLAY : GIVE;

    reg              clk = 1'b0;
    reg              rst = 1'b1;
    reg  [NODES-1:0] s_valid = {NODES{1'b0}};
    wire [NODES-1:0] s_ready;
    reg  [NODES*W-1:0] s_data = {NODES*W{1'b0}};
    wire [NODES-1:0] m_valid;
    reg  [NODES-1:0] m_ready = {NODES{1'b0}};
    wire [NODES*W-1:0] m_data;
    wire [NODES-1:0] m_last;
    wire             busy, error;

    always #5 clk = ~clk;

    `GF_FABRIC_AXIS u_fabric (
        .i_clk(clk), .i_rst(rst), .o_busy(busy), .o_error(error), .o_status(), .o_error_nodes(), .i_clear(1'b0),
        .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tlast({NODES{1'b1}}),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last)
    );

    integer seed, salt;
    integer given [0:NODES-1]; // tokens taken of each node in this run
    integer beats [0:NODES-1];
    integer pause [0:2*NODES-1]; // a source, or a sink behind these, acts one cycle in 1 + pause
    reg [NODES-1:0]   held;
    reg [NODES*W-1:0] held_data;
    reg [NODES-1:0]   taken = {NODES{1'b0}}; // tokens, in the cycle before
    // What streams have in the cycle that begins. They get it as a whole: in Verilator 5.006 what a process with delays
    // sets bit by bit is not always seen.
    reg [NODES-1:0]   next_valid = {NODES{1'b0}}, next_ready = {NODES{1'b0}};
    reg [NODES*W-1:0] next_data = {NODES*W{1'b0}};
    integer run, u, v, clocks, total, overlaps, busy_cycles, started, starts;

    // The low bits of some simulators' $random repeat soon.
    function integer random_below(input integer limit);
        random_below = ($unsigned($random(seed)) >> 8) % limit;
    endfunction

    task fail(input [8*32-1:0] what, input integer node);
        begin
            $display("tb_axis: FAIL: %0s, node %0d, run %0d at %0t", what, node, run, $time);
            $stop;
            $finish;
        end
    endtask

    function [W-1:0] token(input integer node, input integer gossip);
        reg [W+63:0] hash;
        begin
            hash  = ((gossip * RUNS + run) * NODES + node + 1 + salt) * 64'h9e3779b97f4a7c15;
            token = {(W+63)/64+1{hash[63:0] ^ hash[63:0] >> 29}};
        end
    endfunction

    task begin_run;
        begin
            rst     = 1'b1;
            s_valid = {NODES{1'b0}};
            repeat (2) @(negedge clk);
            rst         = 1'b0;
            held        = {NODES{1'b0}};
            total       = 0;
            started     = -1;
            starts      = 0;
            busy_cycles = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                given[v] = 0;
                beats[v] = 0;
            end
            for (v = 0; v < 2 * NODES; v = v + 1)
                pause[v] = (run == 0) ? 0 : random_below(4);
            v = NODES + random_below(NODES);
            if (run != 0) // all wait for one sink, which the next gossip overtakes
                pause[v] = 12;
        end
    endtask

    task watch_busy;
        if (busy) begin
            if (busy_cycles == 0) begin
                // Of the second gossip nothing goes out before the first is over.
                if (run == 0 && started >= 0 && clocks - started != (starts == 1 ? PLAY : PERIOD))
                    fail("not the promised period", clocks - started);
                started = clocks;
                starts  = starts + 1;
            end
            busy_cycles = busy_cycles + 1;
            if (|m_valid)
                overlaps = overlaps + 1;
        end else begin
            if (busy_cycles != 0 && busy_cycles != CYCLES)
                fail("cycles of a gossip", 0);
            busy_cycles = 0;
        end
    endtask

    // Before an edge: what it will take. Inputs change behind it.
    task sample;
        for (v = 0; v < NODES; v = v + 1) begin
            if (held[v] && (!m_valid[v] || m_data[v*W+:W] !== held_data[v*W+:W])) fail("a beat taken back", v);
            held[v]            = m_valid[v] & ~m_ready[v];
            held_data[v*W+:W]  = m_data[v*W+:W];
            if (m_valid[v] && m_ready[v]) begin
                if (m_data[v*W+:W] !== token(beats[v] % NODES, beats[v] / NODES)) fail("a wrong beat", v);
                if (m_last[v] !== (beats[v] % NODES == NODES - 1)) fail("tlast", v);
                for (u = 0; u < NODES; u = u + 1) // a gossip's first beats come when all nodes have given those before
                    if (beats[u] < beats[v] / NODES * NODES) fail("a node left behind", u);
                beats[v] = beats[v] + 1;
                total    = total + 1;
            end
            if (s_valid[v] && s_ready[v]) given[v] = given[v] + 1;
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        salt     = seed;
        overlaps = 0;
        clocks   = 0;
        for (run = 0; run < RUNS; run = run + 1) begin
            begin_run;
            // All but the last run end before their time, at a reset.
            while (total < (run == 0 || run == RUNS - 1 ? GOSSIPS * NODES * NODES : 3 * NODES * NODES + run)) begin
                next_valid = s_valid;
                for (v = 0; v < NODES; v = v + 1) begin
                    if (!s_valid[v] || taken[v])
                        next_valid[v] = random_below(1 + pause[v]) == 0;
                    next_data[v*W+:W] = token(v, given[v]);
                    next_ready[v]     = random_below(1 + pause[NODES+v]) == 0;
                end
                s_valid = next_valid;
                s_data  = next_data;
                m_ready = next_ready;
                #1 taken = s_ready & s_valid;
                watch_busy;
                sample;
                @(negedge clk);
                clocks = clocks + 1;
                if (error !== 1'b0) fail("an error", 0);
                if (clocks > 4000 * PERIOD) fail("no end", 0);
            end
        end
        if (overlaps == 0) fail("nothing overlaps", 0);
        $display("tb_axis: PASS (%0d nodes, %0d runs, a gossip every %0d cycles, %0d cycles of both)", NODES, RUNS,
                 PERIOD, overlaps);
        $finish;
    end
endmodule

`default_nettype wire
