// SPDX-License-Identifier: MIT
//
// Plays packets on the AXI4-Streams of a fabric, with random pauses on all of them, and compares every beat that comes
// out. play.py writes what goes in and what should come out: of node v lines v * DEPTH .. of in.hex and out.hex,
// {tlast, tdata} each, as many as counts.hex says; commands.hex has what is played, {operator, program}. With AXIL or
// WISHBONE the commands go through registers.
// Run with vvp -N: a failure is a message and $stop, status 1.
`default_nettype none

module streams;
    localparam NODES    = `NODES;
    localparam W        = `TOKEN_BITS;
    localparam DEPTH    = `DEPTH;
    localparam RUNS     = `RUNS;
    localparam COMMANDS = 3 + `PROGRAM_BITS; // bits of one

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                rst = 1'b1;
    reg  [NODES-1:0]   s_valid = 0, s_last = 0;
    wire [NODES-1:0]   s_ready;
    reg  [NODES*W-1:0] s_data = 0;
    wire [NODES-1:0]   m_valid, m_last;
    reg  [NODES-1:0]   m_ready = 0;
    wire [NODES*W-1:0] m_data;

    reg [W:0]          in  [0:NODES*DEPTH-1];
    reg [W:0]          out [0:NODES*DEPTH-1];
    reg [31:0]         counts [0:2*NODES-1]; // of node v: beats in, beats out
    reg [COMMANDS-1:0] commands [0:RUNS-1];
    initial begin
        $readmemh("in.hex", in);
        $readmemh("out.hex", out);
        $readmemh("counts.hex", counts);
        $readmemh("commands.hex", commands);
    end

    task fail;
        begin
            $display("FAIL at %0t", $time);
            $stop;
            $finish; // where it goes on behind a $stop
        end
    endtask

`ifdef AXIL
    `define REGISTERS
    reg         awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
    wire        awready, wready, bvalid, arready, rvalid;
    reg  [31:0] address = 0, wdata = 0;
    wire [31:0] rdata;
    wire [1:0]  bresp, rresp;
    reg         took_a, took_d, took_r;
    task write_register(input [31:0] at, input [31:0] value);
        begin
            address = at;
            wdata   = value;
            {awvalid, wvalid, bready} = 3'b111;
            while (bready) begin
                @(posedge clk) {took_a, took_d, took_r} = {awready, wready, bvalid};
                if (took_r && bresp != 0) begin
                    $display("a write of %h to register %h is refused", value, at);
                    fail;
                end
                @(negedge clk);
                awvalid = awvalid & ~took_a;
                wvalid  = wvalid & ~took_d;
                bready  = bready & ~took_r;
            end
        end
    endtask
    reg [31:0] value_read;
    task read_register(input [31:0] at);
        begin
            address = at;
            {arvalid, rready} = 2'b11;
            while (rready) begin
                @(posedge clk) {took_a, took_r} = {arready, rvalid};
                value_read = rdata;
                @(negedge clk);
                arvalid = arvalid & ~took_a;
                rready  = rready & ~took_r;
            end
        end
    endtask
`endif
`ifdef WISHBONE
    `define REGISTERS
    reg         cyc = 0, we = 0;
    wire        ack, err;
    reg  [31:0] address = 0, wdata = 0;
    wire [31:0] rdata;
    reg         took, refused;
    reg  [31:0] value_read;
    task transfer(input [31:0] at, input [31:0] value, input write);
        begin
            address = at;
            wdata   = value;
            we      = write;
            cyc     = 1'b1;
            while (cyc) begin
                @(posedge clk) {took, refused} = {ack, err};
                value_read = rdata;
                if (refused) begin
                    $display("a transfer of %h to register %h is refused", value, at);
                    fail;
                end
                @(negedge clk) cyc = ~took;
            end
        end
    endtask
    task write_register(input [31:0] at, input [31:0] value);
        transfer(at, value, 1'b1);
    endtask
    task read_register(input [31:0] at);
        transfer(at, 0, 1'b0);
    endtask
`endif

`ifndef REGISTERS
    wire                busy, error;
    wire                c_ready;
    reg                 c_valid = 1'b0;
    reg  [COMMANDS-1:0] c_data = 0;
`endif
    `TOP u_fabric (
`ifdef REGISTERS
        .o_interrupt(),
`ifdef AXIL
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(address[`ADDRESS_BITS-1:0]),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(4'hf),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(address[`ADDRESS_BITS-1:0]),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
`else
        .i_wb_cyc(cyc), .i_wb_stb(cyc), .i_wb_we(we), .i_wb_adr(address[`ADDRESS_BITS-1:2]), .i_wb_dat(wdata),
        .i_wb_sel(4'hf), .o_wb_ack(ack), .o_wb_err(err), .o_wb_dat(rdata),
`endif
`else
`ifdef COMMANDED
        .s_command_tvalid(c_valid), .s_command_tready(c_ready), .s_command_tdata(c_data),
`endif
        .o_busy(busy), .o_error(error), .o_status(), .o_error_nodes(), .i_clear(1'b0),
`endif
        .i_clk(clk), .i_rst(rst),
        .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tlast(s_last),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tlast(m_last)
    );

    integer seed, played;
    reg     running = 1'b0, counted = 1'b0;
`ifdef REGISTERS
    initial begin
        played = 0;
        wait (running);
        while (played < RUNS) begin
            read_register(32'h18);
            if (value_read[3]) begin
                $display("the registers say FAILED");
                fail;
            end
            if (value_read[0]) begin
                write_register(32'h1c, commands[played][`PROGRAM_BITS-1:0]);
`ifdef CHOICE
                write_register(32'h20, commands[played][`PROGRAM_BITS+:3]);
`endif
                write_register(32'h14, 1);
                played = played + 1;
            end
        end
        value_read = 0;
        while (!value_read[2]) // DONE
            read_register(32'h18);
        read_register(32'h28);
        if (value_read != RUNS) begin
            $display("the registers say that %0d collectives ended, not %0d", value_read, RUNS);
            fail;
        end
        read_register(32'h2c);
        if (value_read != `CYCLES) begin
            $display("the registers say %0d cycles, not %0d", value_read, `CYCLES);
            fail;
        end
        counted = 1'b1;
    end
`else
    initial counted = 1'b1;
    initial played = 0;
    always @(posedge clk)
        if (running) begin
            if (error !== 1'b0) begin
                $display("o_error is %b", error);
                fail;
            end
            if (c_valid & c_ready)
                played = played + 1;
            if ((c_valid & ~c_ready) || (played < RUNS && $random(seed) % 4 == 0)) begin
                c_valid <= 1'b1;
                c_data  <= commands[played];
            end else
                c_valid <= 1'b0;
        end
`endif

    // Sources and sinks; each is quick or slow.
    integer v, idle, at[0:NODES-1], got[0:NODES-1], open, pace[0:2*NODES-1];
    always @(posedge clk)
        if (running) begin
            idle = idle + 1;
            open = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                if ((^{s_ready[v], m_valid[v]}) === 1'bx) begin
                    $display("node %0d: tready %b, tvalid %b", v, s_ready[v], m_valid[v]);
                    fail;
                end
                if (s_valid[v] & s_ready[v]) begin
                    at[v] = at[v] + 1;
                    idle  = 0;
                end
                if ((s_valid[v] & ~s_ready[v]) || (at[v] < counts[2*v] && {$random(seed)} % 8 < pace[2*v])) begin
                    s_valid[v] <= 1'b1;
                    {s_last[v], s_data[v*W+:W]} <= in[v*DEPTH+at[v]];
                end else
                    s_valid[v] <= 1'b0;
                if (m_valid[v] & m_ready[v]) begin
                    if (got[v] == counts[2*v+1]) begin
                        $display("node %0d gives more than %0d beats", v, got[v]);
                        fail;
                    end
                    if ({m_last[v], m_data[v*W+:W]} !== out[v*DEPTH+got[v]]) begin
                        $display("node %0d gives beat %0d as %h, should be %h", v, got[v],
                                 {m_last[v], m_data[v*W+:W]}, out[v*DEPTH+got[v]]);
                        fail;
                    end
                    got[v] = got[v] + 1;
                    idle   = 0;
                end
                m_ready[v] <= {$random(seed)} % 8 < pace[2*v+1];
                open = open + counts[2*v] + counts[2*v+1] - at[v] - got[v];
            end
            if (open == 0 && idle > 100 && counted)
                finish;
            if (idle > `LIMIT) begin
                $display("%0d beats are missing", open);
                fail;
            end
        end

    integer total;
    task finish;
        begin
            total = 0;
            for (v = 0; v < NODES; v = v + 1)
                total = total + got[v];
`ifdef COMMANDED
            if (played != RUNS) begin
                $display("%0d of %0d were played", played, RUNS);
                fail;
            end
`endif
            $display("PASS: %0d beats right", total);
            $finish;
        end
    endtask

    initial begin
        seed = `SEED;
        idle = 0;
        for (v = 0; v < 2 * NODES; v = v + 1)
            pace[v] = 1 + {$random(seed)} % 8;
        for (v = 0; v < NODES; v = v + 1) begin
            at[v]  = 0;
            got[v] = 0;
        end
        repeat (6 + 2 * `LATENCY) @(negedge clk);
        rst = 1'b0;
        repeat (2 + 2 * `LATENCY) @(negedge clk);
        running = 1'b1;
    end
endmodule

`default_nettype wire
