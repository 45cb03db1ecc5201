// SPDX-License-Identifier: MIT
//
// gossip_fabric_axis between random sources and sinks, GOSSIPS gossips in a row, cut off by a reset at a random
// time, then GOSSIPS again to the end. Each gossip draws for every stream how eager it is, from always to one
// cycle in eight. Checked: every beat, tlast, the number of beats; valid and data stay until ready; no token is
// taken before all beats of the gossip before are.
//   +seed=..   other tokens, pauses and reset time
// NODES and TOKEN_BITS must be the fabric's (-Ptb_axis.NODES=..). Run with vvp -N: a
// failure is a message and $stop, status 1.
`default_nettype none

module tb_axis;
    parameter NODES      = 9;
    parameter TOKEN_BITS = 32;
    parameter GOSSIPS    = 6;
    parameter MAX_CLOCKS = 2000000; // in all

    localparam W = TOKEN_BITS;

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

    gossip_fabric_axis u_fabric (
        .i_clk(clk), .i_rst(rst), .o_busy(busy), .o_error(error), .o_status(), .o_error_nodes(),
        .i_clear(1'b0), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data),
        .s_axis_tlast({NODES{1'b1}}),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last)
    );

    integer seed;
    integer beats_now;                 // of all nodes since reset, as of the last edge
    integer beats_total;
    integer resets;
    integer given [0:NODES-1];         // tokens taken of each node since reset
    integer beats [0:NODES-1];         // beats of each node since reset
    integer s_pause [0:NODES-1];       // a source or sink acts one cycle in 1 + pause
    integer m_pause [0:NODES-1];
    reg [W-1:0] tokens [0:2*NODES-1];  // of this gossip and, offered already, the next
    reg [NODES-1:0]   taken;           // tokens, in the last handshake
    reg [NODES-1:0]   held;            // m_valid without m_ready in the cycle before
    reg [NODES*W-1:0] held_data;
    reg [NODES-1:0]   held_last;
    integer v, k, origin, reset_at, clocks, largest;
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

    task offer(input integer node);
        begin
            s_valid[node] = 1'b1;
            for (k = 0; k < W; k = k + 1)
                s_data[node*W+k] = random_below(2);
            tokens[(given[node] % 2) * NODES + node] = s_data[node*W+:W];
        end
    endtask

    task restart;
        begin
            s_valid     = {NODES{1'b0}};
            taken       = {NODES{1'b0}};
            held        = {NODES{1'b0}};
            beats_total = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                given[v] = 0;
                beats[v] = 0;
            end
            draw_pauses;
        end
    endtask

    // A handshake is what is seen just before the edge; sources and sinks change at the falling one.
    task at_edge;
        begin
            beats_now = beats_total;
            taken     = {NODES{1'b0}};
            if (error !== 1'b0) fail("an error where there is none", NODES);
            for (v = 0; v < NODES; v = v + 1) begin
                if (s_ready[v] === 1'bx || m_valid[v] === 1'bx) fail("ready or valid unknown", v);
                if (held[v]) begin
                    if (m_valid[v] !== 1'b1) fail("tvalid taken back", v);
                    if (m_data[v*W+:W] !== held_data[v*W+:W]) fail("tdata changed before tready", v);
                    if (m_last[v] !== held_last[v]) fail("tlast changed before tready", v);
                end
                held[v]             = m_valid[v] & ~m_ready[v];
                held_data[v*W+:W]   = m_data[v*W+:W];
                held_last[v]        = m_last[v];
                if (s_valid[v] & ~s_ready[v]) stalls_in = stalls_in + 1;
                if (held[v]) stalls_out = stalls_out + 1;
                if (m_valid[v] & m_ready[v]) begin
                    origin = beats[v] % NODES;
                    if (beats[v] / NODES >= given[v]) fail("a beat of a gossip not begun", v);
                    if (m_data[v*W+:W] !== tokens[(beats[v] / NODES % 2) * NODES + origin]) begin
                        $display("beat %0d: %h, not %h", beats[v], m_data[v*W+:W],
                                 tokens[(beats[v] / NODES % 2) * NODES + origin]);
                        fail("a wrong beat", v);
                    end
                    if (m_last[v] !== (origin == NODES - 1)) fail("tlast wrong", v);
                    beats[v]    = beats[v] + 1;
                    beats_total = beats_total + 1;
                    if (beats_total % (NODES * NODES) == 0) draw_pauses;
                end
            end
            for (v = 0; v < NODES; v = v + 1)
                if (s_valid[v] & s_ready[v]) begin
                    if (beats_now != given[v] * NODES * NODES) fail("a token taken too early", v);
                    given[v] = given[v] + 1;
                    taken[v] = 1'b1;
                end
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        stalls_in  = 0;
        stalls_out = 0;
        clocks     = 0;
        resets     = 0;
        largest    = 0;
        restart;
        reset_at = 20 + random_below(GOSSIPS * NODES * 16);
        repeat (4) @(posedge clk);
        #1 rst = 1'b0;
        while (beats_total < GOSSIPS * NODES * NODES || resets == 0) begin
            @(negedge clk);
            s_valid = s_valid & ~taken;
            for (v = 0; v < NODES; v = v + 1) begin
                if (!s_valid[v] && given[v] < GOSSIPS && random_below(1 + s_pause[v]) == 0) offer(v);
                m_ready[v] = (random_below(1 + m_pause[v]) == 0);
            end
            #4 at_edge; // just before it
            @(posedge clk);
            clocks = clocks + 1;
            if (resets == 0 && (clocks == reset_at || beats_total == GOSSIPS * NODES * NODES)) begin
                #1 rst  = 1'b1;
                resets  = 1;
                largest = beats_total;
                @(negedge clk) restart;
                @(posedge clk);
                #1 rst = 1'b0;
            end
            if (clocks > MAX_CLOCKS) fail("no end within MAX_CLOCKS", NODES);
        end
        repeat (8 * NODES * W) begin
            @(negedge clk);
            if (|m_valid) fail("a beat too many", NODES);
        end
        if (busy !== 1'b0) fail("busy at the end", NODES);
        if (stalls_in == 0 || stalls_out == 0) fail("no back-pressure: the test is too easy", NODES);
        $display("tb_axis: PASS (%0d nodes, %0d gossips, %0d beats, reset after %0d beats, %0d stalls in, %0d out)",
                 NODES, GOSSIPS, beats_total, largest, stalls_in, stalls_out);
        $finish;
    end
endmodule

`default_nettype wire
