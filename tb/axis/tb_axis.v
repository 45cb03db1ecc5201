// SPDX-License-Identifier: MIT
//
// gossip_fabric_axis between random sources and sinks, GOSSIPS gossips in a row, cut off by a reset in each of the
// three phases before. Each gossip draws for every stream how eager it is, from always to one cycle in eight, and each
// has another node whose token is offered last of all, and whose last beat is taken last of all. Checked: every beat;
// tready, tvalid, tlast and busy in every cycle against docs/reference/host-interface.md; data stay until ready; no
// output depends on an input of the same cycle.
//   +seed=..   other tokens, pauses and reset times
// The fabric's numbers come from the generated gossip_fabric_parameters.vh. Run with vvp -N: a failure is a message
// and $stop, status 1.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_axis;
    // Up to 16 nodes each is the slowest once; in larger fabrics, where a gossip takes seconds, six of them.
    parameter GOSSIPS    = `GF_NODES >= 6 && `GF_NODES <= 16 ? `GF_NODES : 6;
    parameter MAX_CLOCKS = 20000000; // in all

    localparam NODES       = `GF_NODES;
    localparam W           = `GF_TOKEN_BITS;
    localparam CYCLES      = `GF_CYCLES;
    localparam BEAT_CYCLES = `GF_PARTS * `GF_WORDS; // of a token, in or out
    localparam ALL_BEATS   = NODES * NODES;         // of a gossip

    reg              clk = 1'b0;
    reg              rst = 1'b1;
    reg  [NODES-1:0] s_valid = {NODES{1'b0}};
    wire [NODES-1:0] s_ready;
    reg  [NODES*W-1:0] s_data = {NODES*W{1'b0}};
    wire [NODES-1:0] m_valid;
    reg  [NODES-1:0] m_ready = {NODES{1'b0}};
    wire [NODES*W-1:0] m_data;
    wire [NODES-1:0] m_last;
    wire             busy;
    wire             error;

    always #5 clk = ~clk;

    `GF_FABRIC_AXIS u_fabric (
        .i_clk(clk), .i_rst(rst), .o_busy(busy), .o_error(error), .o_status(), .o_error_nodes(),
        .i_clear(1'b0), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data),
        .s_axis_tlast({NODES{1'b1}}),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last)
    );

    // The phases: loading; a cycle, and CYCLES with busy; unloading; two cycles.
    localparam LOAD   = 0;
    localparam GOSSIP = 1;
    localparam UNLOAD = 2;
    localparam TURN   = 3;
    integer phase;
    integer left;                      // cycles of GOSSIP or TURN, this one included
    integer spent [0:NODES-1];         // cycles on the token or beat

    integer seed;
    integer resets; // so far
    integer given_total, beats_total;  // of all nodes since reset
    integer given [0:NODES-1];         // tokens taken of each node since reset
    integer beats [0:NODES-1];         // beats of each node since reset
    integer s_pause [0:NODES-1];       // a source or sink acts one cycle in 1 + pause
    integer m_pause [0:NODES-1];
    reg [W-1:0] tokens [0:2*NODES-1];  // of this gossip and, offered already, the next
    reg [NODES-1:0]   taken;           // tokens, in the last handshake
    reg [NODES-1:0]   held;            // m_valid without m_ready in the cycle before
    reg [NODES*W-1:0] held_data;
    reg [NODES*(W+3):0] earlier;       // all outputs, before the inputs change
    reg               ready_due, valid_due, cut;
    integer slowest;                   // node, in the first gossip; then the next one
    integer v, k, origin, clocks;
    integer stalls_in, stalls_out;     // cycles in which one side waits for the other

    task fail(input [8*48-1:0] what, input integer node);
        begin
            $display("tb_axis: FAIL: %0s, node %0d at %0t", what, node, $time);
            $stop;
            $finish;
        end
    endtask

    function integer random_below(input integer limit);
        random_below = $unsigned($random(seed)) % limit;
    endfunction

    task draw_pauses;
        for (k = 0; k < NODES; k = k + 1) begin
            s_pause[k] = (1 << random_below(4)) - 1;
            m_pause[k] = (1 << random_below(4)) - 1;
        end
    endtask

    task restart;
        begin
            phase       = LOAD;
            s_valid     = {NODES{1'b0}};
            taken       = {NODES{1'b0}};
            held        = {NODES{1'b0}};
            given_total = 0;
            beats_total = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                given[v] = 0;
                beats[v] = 0;
                spent[v] = 0;
            end
            draw_pauses;
        end
    endtask

    task offer(input integer node);
        begin
            s_valid[node] = 1'b1;
            for (k = 0; k < W; k = k + 1)
                s_data[node*W+k] = random_below(2);
            tokens[(given[node] % 2) * NODES + node] = s_data[node*W+:W];
        end
    endtask

    // The slowest node's token, and its last beat, wait for those of all others.
    function may_offer(input integer node);
        may_offer = given[node] < GOSSIPS &&
                    (node != (slowest + given[node]) % NODES || given_total % NODES == NODES - 1);
    endfunction
    function may_take(input integer node);
        may_take = node != (slowest + given[node] - 1) % NODES || beats[node] % NODES != NODES - 1 ||
                   beats_total % ALL_BEATS == ALL_BEATS - 1;
    endfunction

    task drive;
        begin
            earlier = {busy, s_ready, m_valid, m_last, m_data};
            s_valid = s_valid & ~taken;
            for (v = 0; v < NODES; v = v + 1) begin
                if (!s_valid[v] && may_offer(v) && random_below(1 + s_pause[v]) == 0) offer(v);
                m_ready[v] = may_take(v) && random_below(1 + m_pause[v]) == 0;
            end
            #1 if ({busy, s_ready, m_valid, m_last, m_data} !== earlier)
                fail("an output depends on an input of the same cycle", NODES);
        end
    endtask

    task check_source(input integer node);
        begin
            ready_due = phase == LOAD && given[node] * ALL_BEATS == beats_total && spent[node] == BEAT_CYCLES - 1;
            if (s_ready[node] !== ready_due) fail("tready wrong", node);
            if (s_valid[node] & ~s_ready[node]) stalls_in = stalls_in + 1;
        end
    endtask

    task check_sink(input integer node);
        begin
            origin    = beats[node] % NODES;
            valid_due = phase == UNLOAD && spent[node] == BEAT_CYCLES;
            if (m_valid[node] !== valid_due) fail("tvalid wrong", node);
            if (m_valid[node]) begin
                if (held[node] && m_data[node*W+:W] !== held_data[node*W+:W]) fail("tdata changed before tready", node);
                if (m_data[node*W+:W] !== tokens[(beats[node] / NODES % 2) * NODES + origin]) begin
                    $display("beat %0d: %h, not %h", beats[node], m_data[node*W+:W],
                             tokens[(beats[node] / NODES % 2) * NODES + origin]);
                    fail("a wrong beat", node);
                end
                if (m_last[node] !== (origin == NODES - 1)) fail("tlast wrong", node);
            end
            held[node]           = m_valid[node] & ~m_ready[node];
            held_data[node*W+:W] = m_data[node*W+:W];
            if (held[node]) stalls_out = stalls_out + 1;
        end
    endtask

    // What the edge does to a stream.
    task step_stream(input integer node);
        if (phase == LOAD && given[node] * ALL_BEATS == beats_total) begin
            if (taken[node]) begin
                given[node] = given[node] + 1;
                spent[node] = 0;
            end else if (s_valid[node])
                spent[node] = spent[node] + 1;
        end else if (phase == UNLOAD && beats[node] < given[node] * NODES) begin
            if (m_valid[node] & m_ready[node]) begin
                beats[node] = beats[node] + 1;
                spent[node] = 0;
            end else if (!m_valid[node])
                spent[node] = spent[node] + 1;
        end
    endtask

    // And to the phase.
    task step_phase;
        case (phase)
            LOAD:
                if (given_total * NODES == beats_total + ALL_BEATS) begin
                    phase = GOSSIP;
                    left  = 1 + CYCLES;
                end
            UNLOAD:
                if (beats_total == given_total * NODES) begin
                    phase = TURN;
                    left  = 2;
                    draw_pauses;
                end
            default: begin
                left = left - 1;
                if (left == 0) phase = (phase == GOSSIP) ? UNLOAD : LOAD;
            end
        endcase
    endtask

    // A handshake is what is seen just before the edge; sources and sinks change at the falling one.
    task at_edge;
        begin
            if (busy !== (phase == GOSSIP && left <= CYCLES)) fail("busy wrong", NODES);
            if (error !== 1'b0) fail("an error where there is none", NODES);
            for (v = 0; v < NODES; v = v + 1) begin
                check_source(v);
                check_sink(v);
            end
            taken = s_valid & s_ready;
            for (v = 0; v < NODES; v = v + 1)
                step_stream(v);
            given_total = 0;
            beats_total = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                given_total = given_total + given[v];
                beats_total = beats_total + beats[v];
            end
            step_phase;
        end
    endtask

    task cycle;
        begin
            @(negedge clk) drive;
            #3 at_edge; // just before it
            @(posedge clk);
            clocks = clocks + 1;
            if (clocks > MAX_CLOCKS) fail("no end within MAX_CLOCKS", NODES);
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        slowest    = random_below(NODES);
        stalls_in  = 0;
        stalls_out = 0;
        clocks     = 0;
        repeat (`GF_PROTECT ? 4 : 1) @(posedge clk); // at power-up; later one edge is enough
        for (resets = 0; resets <= 3; resets = resets + 1) begin // LOAD, GOSSIP and UNLOAD are cut off, then none
            #1 restart;
            rst = 1'b0;
            cut = 1'b0;
            while (!cut && beats_total < GOSSIPS * ALL_BEATS) begin
                cycle;
                cut = resets < 3 && phase == resets && (random_below(16) == 0 || beats_total >= 3 * ALL_BEATS);
            end
            if (cut) begin
                #1 rst = 1'b1;
                @(posedge clk);
            end
        end
        repeat (4 * BEAT_CYCLES) cycle; // nothing more
        if (stalls_in == 0 || stalls_out == 0) fail("no back-pressure: the test is too easy", NODES);
        $display("tb_axis: PASS (%0d nodes, %0d gossips, %0d beats, 3 resets, %0d clocks, %0d stalls in, %0d out)",
                 NODES, GOSSIPS, beats_total, clocks, stalls_in, stalls_out);
        $finish;
    end
endmodule

`default_nettype wire
