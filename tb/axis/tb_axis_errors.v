// SPDX-License-Identifier: MIT
//
// What gossip_fabric_axis does about errors: packets that are too long, tokens that are late, gossips that do not end,
// faults that the fabric finds itself, while it runs and while its tokens are read. Each must be told at once, with
// its nodes; nothing may move until i_clear; and the gossip after that must be right. GOSSIP_LIMIT is what a gossip
// takes, to the cycle. With --axi overlap and protection: flips in what the second store has beside its words.
// The fabric's numbers come from the generated gossip_fabric_parameters.vh. Run with vvp -N: a failure is a message
// and $stop, status 1.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_axis_errors;
    localparam NODES      = `GF_NODES;
    localparam W          = `GF_TOKEN_BITS;
    localparam CYCLES     = `GF_CYCLES; // R x F + c and the gaps
    localparam LOAD_LIMIT = 50;
    localparam LONGEST    = CYCLES + 4 * LOAD_LIMIT + 8 * W; // clocks in which nothing moves

`ifdef GF_OVERLAP
    `ifdef GF_WIDE_NODES
        `define STORE u_fabric.u_axis.gen_host[0].gen_banks.u_overlap
        wire [`GF_CELL_BITS-1:0] last_slot = u_fabric.u_axis.gen_host[0].gen_banks.u_places.places[NODES-1];
    `else
        `define STORE u_fabric.u_axis.gen_host[0].gen_store.u_overlap
        wire [`GF_SLOT_BITS-1:0] last_slot = NODES * `GF_PARTS - 1;
    `endif
    wire [`GF_INDEX_BITS-1:0] last_index = `GF_WORDS - 1;
    `define WORD gen_bank[b].u_store.store[{~`STORE.half_q, last_slot, last_index}]
    `ifdef GF_PROTECTED
        // Of the last token that goes out of node 0 the check bit of its last word; of wide nodes in all banks, of
        // which one has it.
        event flip;
        genvar b;
        generate
            for (b = 0; b < `GF_BANKS; b = b + 1) begin : gen_flip
                always @(flip)
                    `STORE.`WORD[`GF_WORD_BITS] = ~`STORE.`WORD[`GF_WORD_BITS];
            end
        endgenerate
    `endif
`endif

    localparam LATE   = 3'd1;
    localparam LONG   = 3'd2;
    localparam STUCK  = 3'd3;
    localparam FABRIC = 3'd4;

    reg              clk = 1'b0;
    reg              rst = 1'b1;
    reg              clear = 1'b0;
    reg  [NODES-1:0] s_valid = {NODES{1'b0}};
    reg  [NODES-1:0] s_last = {NODES{1'b1}};
    wire [NODES-1:0] s_ready;
    reg  [NODES*W-1:0] s_data = {NODES*W{1'b0}};
    wire [NODES-1:0] m_valid;
    wire [NODES*W-1:0] m_data;
    wire [NODES-1:0] m_last;
    wire             busy, error;
    wire [2:0]       status;
    wire [NODES-1:0] error_nodes;

    always #5 clk = ~clk;

    `GF_FABRIC_AXIS #(
        .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(CYCLES)
    ) u_fabric (
        .i_clk(clk), .i_rst(rst), .o_busy(busy), .o_error(error), .o_status(status), .o_error_nodes(error_nodes),
        .i_clear(clear), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data),
        .s_axis_tlast(s_last), .m_axis_tvalid(m_valid), .m_axis_tready({NODES{1'b1}}), .m_axis_tdata(m_data),
        .m_axis_tlast(m_last)
    );

    integer seed = 1;
    integer v, clocks, quiet, beats, errors, tests;
    integer beat [0:NODES-1];      // of this gossip, of each node
    reg [NODES*W-1:0] tokens;      // of this gossip
    reg [NODES-1:0]   taken;       // tokens of it

    task fail(input [8*48-1:0] what);
        begin
            $display("tb_axis_errors: FAIL: %0s, test %0d at %0t: status %0d, nodes %b", what, tests, $time, status,
                     error_nodes);
            $stop;
            $finish;
        end
    endtask

    // What is seen at an edge; sources change at the falling one.
    always @(posedge clk) begin
        clocks <= clocks + 1;
        quiet = (|(s_valid & s_ready) || |m_valid) ? 0 : quiet + 1;
        if (quiet > LONGEST) fail("no end");
        if (!rst && ^{s_ready, m_valid, error, busy} === 1'bx) fail("ready, valid, error or busy unknown");
        errors = errors + (error === 1'b1);
        for (v = 0; v < NODES; v = v + 1) begin
            if (!rst && m_valid[v]) begin
                if (beat[v] >= NODES || taken !== {NODES{1'b1}}) fail("a beat of no gossip");
                else if (m_data[v*W+:W] !== tokens[beat[v]*W+:W]) fail("a wrong beat");
                if (m_last[v] !== (beat[v] == NODES - 1)) fail("tlast wrong");
                beat[v] = beat[v] + 1;
                beats   = beats + 1;
            end
            if (!rst && s_valid[v] & s_ready[v])
                taken[v] = 1'b1;
        end
    end
    always @(negedge clk) s_valid <= s_valid & ~taken;

    // A gossip begins: nothing of it has been taken or given yet.
    task forget;
        begin
            taken  = {NODES{1'b0}};
            beats  = 0;
            errors = 0;
            for (v = 0; v < NODES; v = v + 1)
                beat[v] = 0;
        end
    endtask

    // Every node of `nodes` that offers nothing yet offers a token.
    task offer(input [NODES-1:0] nodes);
        begin
            for (v = 0; v < NODES; v = v + 1) begin
                if (nodes[v] & ~s_valid[v]) s_data[v*W+:W] = {(W + 31) / 32{$random(seed)}};
                if (nodes[v]) tokens[v*W+:W] = s_data[v*W+:W];
            end
            s_valid = s_valid | nodes;
        end
    endtask

    task expect_error(input [2:0] what, input [NODES-1:0] nodes);
        begin
            while (!error) @(negedge clk);
            if (status !== what) fail("another status");
            if (error_nodes !== nodes) fail("other nodes");
        end
    endtask

    task finish_gossip;
        begin
            while (beats < NODES * NODES) @(negedge clk);
            repeat (4) @(negedge clk);
            if (errors != 0) fail("an error where there is none");
            tests = tests + 1;
        end
    endtask

    task start;
        begin
            @(negedge clk) #1 forget;
            offer({NODES{1'b1}});
        end
    endtask

    // An error lasts, and nothing moves; then it is taken back, and a gossip is right.
    task recover;
        begin
            @(negedge clk);
            repeat (3 * LOAD_LIMIT) begin
                @(negedge clk);
                if (!error || |s_ready || |m_valid || busy) fail("something moves after an error");
            end
            #1 forget;
            offer({NODES{1'b1}});
            clear = 1'b1;
            @(negedge clk) #1 clear = 1'b0;
            if (error) fail("the error stays");
            errors = 0;
            finish_gossip;
        end
    endtask

    // Packets of three beats at the nodes of `nodes`: the first is taken for a token, the others are dropped. The other
    // nodes are in the middle of their tokens meanwhile, which count for the next gossip.
    task too_long(input [NODES-1:0] nodes, input clear_at_once);
        begin
            clear = clear_at_once;
            @(negedge clk) #1 forget;
            s_last = ~nodes;
            offer(nodes);
            @(negedge clk) #1 offer(~nodes);
            while ((taken & nodes) == 0) @(negedge clk);
            if (!clear_at_once) expect_error(LONG, nodes);
            repeat (2) begin
                #1 taken = taken & ~nodes;
                s_valid = s_valid | nodes;
                for (v = 0; v < NODES; v = v + 1)
                    if (nodes[v]) s_data[v*W+:W] = ~s_data[v*W+:W];
                while ((taken & nodes) != nodes) @(negedge clk);
                s_last = {NODES{1'b1}};
            end
            if (clear_at_once) begin
                if (errors != 1 || error || status !== LONG || error_nodes !== nodes) fail("not one cycle of error");
                errors = 0;
                #1 taken = taken & ~nodes;
                offer(nodes);
                finish_gossip;
                clear = 1'b0;
            end else
                recover;
        end
    endtask

    integer from;
    task too_late(input [NODES-1:0] nodes);
        begin
            @(negedge clk) #1 forget;
            offer(~nodes);
            while (taken != ~nodes) @(negedge clk);
            from = clocks; // they are in at the next edge; LOAD_LIMIT later it is seen, and told at the edge after that
            expect_error(LATE, nodes);
            if (clocks != from + LOAD_LIMIT + 1) fail("LOAD_LIMIT is another time");
            recover;
        end
    endtask

    initial begin
        clocks = 0;
        quiet  = 0;
        beats  = 0;
        errors = 0;
        tests  = 0;
        taken  = {NODES{1'b0}};
        repeat (4) @(negedge clk);
        rst = 1'b0;
        start;
        finish_gossip;

        too_long({{NODES-1{1'b0}}, 1'b1}, 1'b0);
        too_long({1'b1, {NODES-1{1'b0}}}, 1'b0);
        too_long({NODES{1'b1}}, 1'b0);
        too_long({{NODES-1{1'b0}}, 1'b1}, 1'b1);
        too_late({{NODES-1{1'b0}}, 1'b1});
        too_late({1'b1, {NODES-1{1'b0}}});

        // A gossip that does not end.
        start;
        force u_fabric.done = 1'b0;
        while (!busy) @(negedge clk);
        from = clocks;
        expect_error(STUCK, {NODES{1'b0}});
        if (clocks != from + CYCLES) fail("GOSSIP_LIMIT is another time");
        release u_fabric.done;
        recover;

        // The fabric's own error, in the middle of a gossip.
        start;
        while (!busy) @(negedge clk);
        repeat (CYCLES / 2) @(negedge clk);
        force u_fabric.fabric_error = 1'b1;
        @(negedge clk) release u_fabric.fabric_error;
        expect_error(FABRIC, {NODES{1'b0}});
        if (beats != 0) fail("a beat after an error");
        recover;

`ifdef GF_OVERLAP // what the fabric finds now is of the next gossip
`ifdef GF_PROTECTED
        // A check bit of the half that is read, of the last word; what says which half is written, and that beats go
        // out.
        start;
        while (beats < NODES) @(negedge clk);
        -> flip;
        expect_error(FABRIC, {NODES{1'b0}});
        while (beats < NODES * NODES) @(negedge clk);
        recover;
        start;
        while (beats < NODES) @(negedge clk);
        `STORE.gen_checks.other_q = ~`STORE.gen_checks.other_q;
        expect_error(FABRIC, {NODES{1'b0}});
        while (beats < NODES * NODES) @(negedge clk);
        recover;
        start;
        while (beats < NODES) @(negedge clk);
        `STORE.gen_checks.rest_q = ~`STORE.gen_checks.rest_q;
        expect_error(FABRIC, {NODES{1'b0}});
        while (beats < NODES * NODES) @(negedge clk);
        recover;
`endif
`else
        // And while tokens are read: what is offered is not taken back, nor is the error before the last of it is out.
        start;
        clear = 1'b1;
        while (beats < NODES) @(negedge clk);
        force u_fabric.fabric_error = 1'b1;
        @(negedge clk) release u_fabric.fabric_error;
        expect_error(FABRIC, {NODES{1'b0}});
        while (beats < NODES * NODES) begin
            if (!error) fail("an error taken back too early");
            @(negedge clk);
        end
        clear = 1'b0;
        recover;

        // In the one cycle between reading and loading.
        start;
        while (beats < NODES * NODES) @(negedge clk);
        while (u_fabric.u_axis.unload) @(negedge clk);
        force u_fabric.fabric_error = 1'b1;
        @(negedge clk) release u_fabric.fabric_error;
        expect_error(FABRIC, {NODES{1'b0}});
        recover;
`endif

        if (status !== FABRIC) fail("the last error is forgotten");
        rst = 1'b1;
        @(negedge clk) rst = 1'b0;
        if (status !== 3'd0) fail("a status after reset");
        start;
        finish_gossip;
        $display("tb_axis_errors: PASS (%0d nodes, %0d gossips, each after an error but for the first and last)", NODES,
                 tests);
        $finish;
    end
endmodule

`default_nettype wire
