// SPDX-License-Identifier: MIT
//
// gossip_fabric_axis of a fabric for collectives of blocks, between random sources and sinks: RUNS collectives, each of
// a random program and, where there is a choice, operator. Checked: every beat and tlast; that nothing is taken before
// its time, nothing offered without need, and tvalid and data stay until ready. Some packets are too long or too short:
// o_status and o_error_nodes must say so, and other blocks come in the place of those that were loaded. One run is cut
// off by a reset.
// With --axi overlap the next collective is loaded and played while a collective's blocks go out. Where there is no
// choice that is checked first: at full speed one starts every so many cycles as docs/reference/host-interface.md says.
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
`ifdef GF_OVERLAP
    localparam AHEAD    = 1; // runs that may be loaded before this one's blocks are out
`else
    localparam AHEAD    = 0;
`endif
    localparam KEPT     = AHEAD + 2;
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

    task fail(input [8*40-1:0] what, input integer node);
        begin
            $display("tb_axis: FAIL: %0s, node %0d at %0t", what, node, $time);
            $stop;
            $finish;
        end
    endtask

    // Of this run and those behind it, by run % KEPT.
    reg [W-1:0] data [0:KEPT*NODES*BLOCKS-1];
    integer     played [0:KEPT-1];
    integer     operator [0:KEPT-1]; // GFAB_OPERATOR_SUM ..
    integer     broken [0:KEPT-1];   // 0 none, 1 too long, 2 too short
    integer     breaker [0:KEPT-1];  // the node whose packet it is
    integer     run;            // that sinks are in
    integer     loading;        // run that is not loaded yet
    integer     commands;       // run of the next command
    integer     v, b, n, clocks, wrongs, beats;
    integer     s_run [0:NODES-1];
    integer     s_at [0:NODES-1];   // block; BLOCKS: the packet is over; BLOCKS + 1: a beat too many
    reg         again [0:NODES-1];  // the packet is dropped, and comes again
    integer     m_at [0:NODES-1];
    integer     eager [0:NODES-1];
    reg [NODES-1:0]   took, gave, stood;
    reg [NODES*W-1:0] stood_data;
    reg               command_taken, all, full_speed;
    // What streams have in the cycle that begins. They get it as a whole: in Verilator 5.006 what a process with delays
    // sets bit by bit is not always seen.
    reg [NODES-1:0]   next_valid = {NODES{1'b0}}, next_last = {NODES{1'b0}}, next_ready = {NODES{1'b0}};
    reg [NODES*W-1:0] next_data = {NODES*W{1'b0}};
    integer           overlaps, starts, started, period;
    reg               was_busy;

`include "tb_blocks.vh"

    task draw(input integer of_run);
        integer i;
        begin
            played[of_run%KEPT]   = random_below(PROGRAMS);
            operator[of_run%KEPT] = (FIXED == `GFAB_OPERATOR_ALL) ? `GFAB_OPERATOR_FIRST + random_below(8) : FIXED;
            fill(of_run);
            broken[of_run%KEPT]  = !full_speed && of_run % 4 == 3 ? 1 + of_run / 4 % 2 : 0;
            breaker[of_run%KEPT] = random_below(NODES);
            for (i = 0; i < NODES && next_block(0, of_run, breaker[of_run%KEPT], 0) == BLOCKS; i = i + 1)
                breaker[of_run%KEPT] = (breaker[of_run%KEPT] + 1) % NODES; // the next one that starts with some
            i = next_block(0, of_run, breaker[of_run%KEPT], 0); // too short is a packet of two blocks and more
            if (i == BLOCKS ||
                (broken[of_run%KEPT] == 2 && next_block(0, of_run, breaker[of_run%KEPT], i + 1) == BLOCKS))
                broken[of_run%KEPT] = 0;
        end
    endtask

    // Other blocks than those of a packet that came before, of which the node may have kept some.
    task fill_again(input integer of_run, input integer node);
        begin
            fill_node(of_run, node);
`ifdef GF_CHAINED
            play_messages(of_run);
`endif
        end
    endtask

    // Loading of the run begins anew in all nodes; what is left of packets is dropped.
    task anew;
        begin
            commands = loading;
            for (n = 0; n < NODES; n = n + 1) begin
                again[n] = s_run[n] == loading && s_at[n] != next_block(0, loading, n, 0) && s_at[n] != BLOCKS;
                if (!again[n]) begin
                    if (s_run[n] > loading || s_at[n] == BLOCKS)
                        fill_again(loading, n);
                    s_run[n]   = loading;
                    s_at[n]    = next_block(0, loading, n, 0);
                    next_valid[n] = 1'b0;
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
                eager[n] = full_speed ? 1 : 1 + random_below(4);
            end
            commands = run;
            loading  = run;
            was_busy = 1'b0;
            next_valid = {NODES{1'b0}};
            c_valid  = 1'b0;
            stood    = {NODES{1'b0}};
        end
    endtask

    // Sources and sinks set their signals; an offer is not taken back.
    task drive;
        for (v = 0; v < NODES; v = v + 1) begin
            if (s_at[v] == BLOCKS && s_run[v] <= run + AHEAD) begin // the next packet, or the same once more
                if (again[v])
                    fill_again(s_run[v], v);
                s_run[v] = s_run[v] + (again[v] ? 0 : 1);
                again[v] = 1'b0;
                s_at[v]  = next_block(0, s_run[v], v, 0);
            end
            if (s_at[v] != BLOCKS && random_below(eager[v]) == 0)
                next_valid[v] = 1'b1;
            b = s_run[v] % KEPT;
            if (s_at[v] < BLOCKS) begin
                next_data[v*W+:W] = data[(b*NODES+v)*BLOCKS+s_at[v]];
                next_last[v] = next_block(0, s_run[v], v, s_at[v] + 1) == BLOCKS;
                if (broken[b] != 0 && breaker[b] == v)
                    next_last[v] = broken[b] == 2 && s_at[v] == next_block(0, s_run[v], v, 0);
            end else if (s_at[v] > BLOCKS) begin // a beat too many, unlike the node's blocks
                next_data[v*W+:W] = ~data[(b*NODES+v)*BLOCKS+next_block(0, s_run[v], v, 0)];
                next_last[v] = 1'b1;
            end
            next_ready[v] = random_below(eager[v]) == 0;
        end
    endtask

    // Is the run loaded, all packets and the command?
    task count_loaded;
        reg there;
        begin
`ifdef GF_COMMANDS
            there = commands > loading;
`else
            there = 1'b1;
`endif
            for (v = 0; v < NODES; v = v + 1)
                there = there && (s_run[v] > loading || (s_run[v] == loading && s_at[v] == BLOCKS && !again[v]));
            if (there) begin
                if (broken[loading%KEPT] != 0)
                    fail("no error", breaker[loading%KEPT]);
                loading = loading + 1;
            end
        end
    endtask

    // At full speed a collective starts every `period` cycles, but for the second: before it nothing goes out.
    task watch_busy;
        begin
            if (busy && |m_valid)
                overlaps = overlaps + 1;
            if (busy && !was_busy) begin
                if (full_speed && starts > 1 && clocks - started != period)
                    fail("not the promised period", clocks - started);
                started = clocks;
                starts  = starts + 1;
            end
            was_busy = busy;
        end
    endtask

    // A handshake of a source.
    task advance(input integer node);
        if (next_last[node])
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
            s_valid = next_valid;
            s_data  = next_data;
            s_last  = next_last;
            m_ready = next_ready;
            if (!c_valid && commands <= run + 1 + AHEAD && random_below(3) == 0)
                c_valid = 1'b1;
            c_data = {3'd0, {PROGRAM_BITS{1'b0}}} | played[commands%KEPT] |
                     ((operator[commands%KEPT] - `GFAB_OPERATOR_FIRST) << PROGRAM_BITS);
            if (FIXED != `GFAB_OPERATOR_ALL)
                c_data[PROGRAM_BITS+:3] = 3'd0;
            #1;
            took = s_valid & s_ready;
            gave = m_valid & m_ready;
            command_taken = c_valid & c_ready;
            if (command_taken && (commands != loading || loading > run + AHEAD))
                fail("a command before its time", 0);
            for (v = 0; v < NODES; v = v + 1) begin
                if (took[v] && (s_run[v] != loading || loading > run + AHEAD))
                    fail("a block before its time", v);
                if (stood[v] && (!m_valid[v] || m_data[v*W+:W] !== stood_data[v*W+:W]))
                    fail("a beat taken back", v);
                if (m_valid[v]) begin
                    if (m_at[v] >= BLOCKS)
                        fail("a beat too many", v);
                    if (m_data[v*W+:W] !== total(run, v, m_at[v]))
                        fail("a wrong block", v);
                    if (m_last[v] != (next_block(1, run, v, m_at[v] + 1) == BLOCKS))
                        fail("tlast", v);
                end
            end
            stood = m_valid & ~m_ready;
            stood_data = m_data;
            @(negedge clk);
            clear = 1'b0;
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
                    next_valid[v] = 1'b0;
                end
                if (gave[v]) begin
                    m_at[v] = next_block(1, run, v, m_at[v] + 1);
                    beats   = beats + 1;
                end
                all = all && m_at[v] == BLOCKS;
            end
            watch_busy;
            if (error) begin
                n = breaker[loading%KEPT];
                if (broken[loading%KEPT] == 0 || status != 3'd2 || error_nodes != ({{NODES-1{1'b0}}, 1'b1} << n))
                    fail("a wrong error", n);
                wrongs = wrongs + 1;
                broken[loading%KEPT] = 0;
                anew;
                c_valid = 1'b0;
                clear = 1'b1; // in the next cycle
            end else
                count_loaded;
            if (all && loading > run) begin
                run = run + 1;
                draw(run + 1 + AHEAD);
                for (v = 0; v < NODES; v = v + 1)
                    m_at[v] = next_block(1, run, v, 0);
            end
        end
    endtask

    // From a reset on.
    task begin_from(input integer first);
        begin
            rst = 1'b1;
            repeat (4) @(negedge clk);
            rst = 1'b0;
            run = first;
            for (n = 0; n <= 1 + AHEAD; n = n + 1)
                draw(first + n);
            begin_all;
        end
    endtask

    // Blocks of the node that has the most of them in program 0.
    function integer most(input integer wanted);
        integer i, k, count;
        begin
            most = 0;
            for (i = 0; i < NODES; i = i + 1) begin
                count = 0;
                for (k = 0; k < BLOCKS; k = k + 1)
                    count = count + (wanted ? WANTED[i*BLOCKS+k] : HELD[i*BLOCKS+k]);
                if (count > most)
                    most = count;
            end
        end
    endfunction

    initial begin
        if (!$value$plusargs("seed=%d", seed))
            seed = 1;
        clocks   = 0;
        wrongs   = 0;
        beats    = 0;
        overlaps = 0;
        starts   = 0;
        period   = 0;
        full_speed = 1'b0;
`ifdef GF_OVERLAP
`ifndef GF_COMMANDS
        period = `GF_CYCLES + most(0) * `GF_WORDS + 4 + `GF_PROTECT;
        if (period < most(1) * (`GF_WORDS + 1) + 3)
            period = most(1) * (`GF_WORDS + 1) + 3;
        full_speed = 1'b1;
        begin_from(0);
        while (run < RUNS / 2)
            cycle;
        full_speed = 1'b0;
`endif
`endif
        begin_from(0);
        while (run < RUNS / 2)
            cycle;
        repeat (5 + random_below(`GF_CYCLES)) begin
            cycle;
        end
        begin_from(RUNS);
        while (run < RUNS + RUNS / 2)
            cycle;
        if (wrongs == 0)
            fail("no packet was wrong", 0);
        if (AHEAD != 0 && overlaps == 0)
            fail("nothing overlaps", 0);
        $display("tb_axis: PASS: %0d collectives, %0d beats, %0d wrong packets", RUNS, beats, wrongs);
        if (period != 0)
            $display("tb_axis: at full speed one every %0d cycles", period);
        $finish;
    end
endmodule

`default_nettype wire
