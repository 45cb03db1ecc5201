// SPDX-License-Identifier: MIT
//
// gossip_fabric_axis of a fabric for collectives of blocks, between random sources and sinks: RUNS collectives, each of
// a random program and, where there is a choice, operator. Checked: every beat and tlast; that nothing is taken before
// its time, nothing offered without need, and tvalid and data stay until ready. Some packets are too long or too short:
// o_status and o_error_nodes must say so, and all that was loaded comes again. One run is cut off by a reset.
//   +seed=..   other blocks, choices and pauses
// The fabric's numbers come from the generated gossip_fabric_parameters.vh. Run with vvp -N: a failure is a message
// and $stop, status 1.
`default_nettype none
`include "gfab_op.vh"
`include "gossip_fabric_parameters.vh"

module tb_axis;
    parameter RUNS       = 16;
    parameter MAX_CLOCKS = 2000 + RUNS * (2 * `GF_CYCLES + 40 * `GF_BLOCKS * (1 + `GF_WORDS));

    localparam NODES    = `GF_NODES;
    localparam W        = `GF_TOKEN_BITS;
    localparam BLOCKS   = `GF_BLOCKS;
    localparam PROGRAMS = `GF_PROGRAMS;
    localparam PROGRAM_BITS = `GF_PROGRAM_BITS;
    localparam FIXED    = `GF_OPERATOR;
    localparam [PROGRAMS*NODES*BLOCKS-1:0] HELD   = `GF_HELD;
    localparam [PROGRAMS*NODES*BLOCKS-1:0] WANTED = `GF_WANTED;

    reg                clk = 1'b0;
    reg                rst = 1'b1;
    reg                clear = 1'b0;
    reg  [NODES-1:0]   s_valid = {NODES{1'b0}};
    wire [NODES-1:0]   s_ready;
    reg  [NODES*W-1:0] s_data = {NODES*W{1'b0}};
    reg  [NODES-1:0]   s_last = {NODES{1'b0}};
    wire [NODES-1:0]   m_valid;
    reg  [NODES-1:0]   m_ready = {NODES{1'b0}};
    wire [NODES*W-1:0] m_data;
    wire [NODES-1:0]   m_last;
    wire               busy, error;
    wire [2:0]         status;
    wire [NODES-1:0]   error_nodes;
    reg                c_valid = 1'b0;
    wire               c_ready;
    reg  [3+PROGRAM_BITS-1:0] c_data = {3+PROGRAM_BITS{1'b0}};

    always #5 clk = ~clk;

    `GF_FABRIC_AXIS u_fabric (
`ifdef GF_COMMANDS
        .s_command_tvalid(c_valid), .s_command_tready(c_ready), .s_command_tdata(c_data),
`endif
        .i_clk(clk), .i_rst(rst), .o_busy(busy), .o_error(error), .o_status(status), .o_error_nodes(error_nodes),
        .i_clear(clear), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data),
        .s_axis_tlast(s_last), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data),
        .m_axis_tlast(m_last)
    );
`ifndef GF_COMMANDS
    assign c_ready = 1'b0;
`endif

    integer seed;
    function integer random_below(input integer limit);
        random_below = $unsigned($random(seed)) % limit;
    endfunction
    task fail(input [8*40-1:0] what, input integer node);
        begin
            $display("tb_axis: FAIL: %0s, node %0d at %0t", what, node, $time);
            $stop;
            $finish;
        end
    endtask

    // Of this run and the next, by parity.
    reg [W-1:0] data [0:2*NODES*BLOCKS-1];
    integer     played [0:1];
    integer     operator [0:1]; // GFAB_OPERATOR_SUM ..
    integer     broken [0:1];   // 0 none, 1 too long, 2 too short
    integer     breaker [0:1];  // the node whose packet it is
    integer     run;            // that sinks are in
    integer     commands;       // run of the next command
    integer     v, b, n, clocks, wrongs, beats;
    integer     s_run [0:NODES-1];
    integer     s_at [0:NODES-1];   // block; BLOCKS: the packet is over; BLOCKS + 1: a beat too many
    reg         again [0:NODES-1];  // the packet is dropped, and comes again
    integer     m_at [0:NODES-1];
    integer     eager [0:NODES-1];
    reg [NODES-1:0]   took, gave, stood;
    reg [NODES*W-1:0] stood_data;
    reg               command_taken, all;

`include "tb_blocks.vh"

    task draw(input integer of_run);
        integer i;
        begin
            played[of_run%2]   = random_below(PROGRAMS);
            operator[of_run%2] = (FIXED == `GFAB_OPERATOR_ALL) ? `GFAB_OPERATOR_FIRST + random_below(8) : FIXED;
            fill(of_run);
            broken[of_run%2]  = of_run % 4 == 3 ? 1 + of_run / 4 % 2 : 0;
            breaker[of_run%2] = random_below(NODES);
            i = next_block(0, of_run, breaker[of_run%2], 0); // too short is a packet of two blocks and more
            if (i == BLOCKS || (broken[of_run%2] == 2 && next_block(0, of_run, breaker[of_run%2], i + 1) == BLOCKS))
                broken[of_run%2] = 0;
        end
    endtask

    // Loading of the run begins anew in all nodes; what is left of packets is dropped.
    task anew;
        begin
            commands = run;
            for (n = 0; n < NODES; n = n + 1) begin
                again[n] = (s_run[n] == run && s_at[n] != next_block(0, run, n, 0) && s_at[n] != BLOCKS) ||
                           (s_run[n] == run && s_at[n] == BLOCKS + 1);
                if (!again[n]) begin
                    s_run[n]   = run;
                    s_at[n]    = next_block(0, run, n, 0);
                    s_valid[n] = 1'b0;
                end
            end
        end
    endtask

    task begin_all;
        begin
            for (n = 0; n < NODES; n = n + 1) begin
                s_run[n] = run;
                s_at[n]  = next_block(0, run, n, 0);
                m_at[n]  = next_block(1, run, n, 0);
                again[n] = 1'b0;
                eager[n] = 1 + random_below(4);
            end
            commands = run;
            s_valid  = {NODES{1'b0}};
            c_valid  = 1'b0;
            stood    = {NODES{1'b0}};
        end
    endtask

    // Sources and sinks set their signals; an offer is not taken back.
    task drive;
        for (v = 0; v < NODES; v = v + 1) begin
            if (s_at[v] == BLOCKS && s_run[v] <= run) begin // the next packet, or the same once more
                s_run[v] = s_run[v] + (again[v] ? 0 : 1);
                again[v] = 1'b0;
                s_at[v]  = next_block(0, s_run[v], v, 0);
            end
            if (s_at[v] != BLOCKS && random_below(eager[v]) == 0)
                s_valid[v] = 1'b1;
            b = s_run[v] % 2;
            if (s_at[v] < BLOCKS) begin
                s_data[v*W+:W] = data[(b*NODES+v)*BLOCKS+s_at[v]];
                s_last[v] = next_block(0, s_run[v], v, s_at[v] + 1) == BLOCKS;
                if (broken[b] != 0 && breaker[b] == v)
                    s_last[v] = broken[b] == 2 && s_at[v] == next_block(0, s_run[v], v, 0);
            end else if (s_at[v] > BLOCKS)
                s_last[v] = 1'b1;
            m_ready[v] = random_below(eager[v]) == 0;
        end
    endtask

    // A handshake of a source.
    task advance(input integer node);
        if (s_last[node])
            s_at[node] = BLOCKS;
        else begin
            s_at[node] = next_block(0, s_run[node], node, s_at[node] + 1);
            if (s_at[node] == BLOCKS)
                s_at[node] = BLOCKS + 1; // a beat too many
        end
    endtask

    task cycle;
        begin
            drive;
            if (!c_valid && commands <= run + 1 && random_below(3) == 0)
                c_valid = 1'b1;
            c_data = {3'd0, {PROGRAM_BITS{1'b0}}} | played[commands%2] |
                     ((operator[commands%2] - `GFAB_OPERATOR_FIRST) << PROGRAM_BITS);
            if (FIXED != `GFAB_OPERATOR_ALL)
                c_data[PROGRAM_BITS+:3] = 3'd0;
            #1;
            took = s_valid & s_ready;
            gave = m_valid & m_ready;
            command_taken = c_valid & c_ready;
            if (command_taken && commands != run)
                fail("a command before its time", 0);
            for (v = 0; v < NODES; v = v + 1) begin
                if (took[v] && s_run[v] != run)
                    fail("a block before its time", v);
                if (stood[v] && (!m_valid[v] || m_data[v*W+:W] !== stood_data[v*W+:W]))
                    fail("a beat taken back", v);
                if (m_valid[v]) begin
                    if (m_at[v] >= BLOCKS)
                        fail("a beat too many", v);
                    if (m_data[v*W+:W] !== total(run, m_at[v]))
                        fail("a wrong block", v);
                    if (m_last[v] != (next_block(1, run, v, m_at[v] + 1) == BLOCKS))
                        fail("tlast", v);
                end
            end
            stood = m_valid & ~m_ready;
            stood_data = m_data;
            @(negedge clk);
            clocks = clocks + 1;
            if (clocks > MAX_CLOCKS)
                fail("no end", 0);
            if (command_taken) begin
                commands = commands + 1;
                c_valid  = 1'b0;
            end
            all = 1'b1;
            for (v = 0; v < NODES; v = v + 1) begin
                if (took[v]) begin
                    advance(v);
                    s_valid[v] = 1'b0;
                end
                if (gave[v]) begin
                    m_at[v] = next_block(1, run, v, m_at[v] + 1);
                    beats   = beats + 1;
                end
                all = all && m_at[v] == BLOCKS;
            end
            if (error) begin
                if (broken[run%2] == 0 || status != 3'd2 || error_nodes != ({{NODES-1{1'b0}}, 1'b1} << breaker[run%2]))
                    fail("a wrong error", breaker[run%2]);
                wrongs = wrongs + 1;
                broken[run%2] = 0;
                anew;
                c_valid = 1'b0;
                clear = 1'b1;
                drive;
                took = s_valid & s_ready; // what is left of packets goes on
                #1 took = s_valid & s_ready;
                @(negedge clk);
                clear = 1'b0;
                for (v = 0; v < NODES; v = v + 1)
                    if (took[v]) begin
                        advance(v);
                        s_valid[v] = 1'b0;
                    end
                stood = {NODES{1'b0}};
            end else if (all) begin
                if (broken[run%2] != 0)
                    fail("no error", breaker[run%2]);
                run = run + 1;
                draw(run + 1);
                for (v = 0; v < NODES; v = v + 1)
                    m_at[v] = next_block(1, run, v, 0);
            end
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed))
            seed = 1;
        clocks = 0;
        wrongs = 0;
        beats  = 0;
        run    = 0;
        draw(0);
        draw(1);
        begin_all;
        @(negedge clk);
        rst = 1'b0;
        while (run < RUNS / 2)
            cycle;
        repeat (5 + random_below(`GF_CYCLES)) begin
            cycle;
        end
        rst = 1'b1;
        @(negedge clk);
        rst = 1'b0;
        run = RUNS;
        draw(run);
        draw(run + 1);
        begin_all;
        while (run < RUNS + RUNS / 2)
            cycle;
        if (wrongs == 0)
            fail("no packet was wrong", 0);
        $display("tb_axis: PASS: %0d collectives, %0d beats, %0d wrong packets", RUNS, beats, wrongs);
        $finish;
    end
endmodule

`default_nettype wire
