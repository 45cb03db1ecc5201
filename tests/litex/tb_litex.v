// SPDX-License-Identifier: MIT
//
// Gossips on a fabric in a LiteX SoC (soc.py): a processor starts each through LiteX's bus and reads how it went;
// tokens are random, and go through LiteX's streams with pauses at random. Every beat of every node is compared.
`default_nettype none

module tb_litex;
`include "soc.vh"
    localparam GOSSIPS = 4;

    reg clk = 1'b0, rst = 1'b1;
    always #5 clk = ~clk;

    // The bus.
    reg         cyc = 1'b0, we = 1'b0;
    reg  [29:0] adr;
    reg  [31:0] dat_w;
    wire [31:0] dat_r;
    wire        ack, err, interrupt;

    // The streams.
    reg  [NODES-1:0]            s_valid = 0, m_ready = 0;
    wire [NODES-1:0]            s_ready, m_valid, m_last;
    reg  [NODES*TOKEN_BITS-1:0] s_data = 0;
    wire [NODES*TOKEN_BITS-1:0] m_data;

    soc u_soc (
        .clk(clk), .rst(rst), .interrupt(interrupt), .wb_cyc(cyc), .wb_stb(cyc), .wb_we(we), .wb_adr(adr),
        .wb_dat_w(dat_w), .wb_sel(4'hf), .wb_cti(3'b0), .wb_bte(2'b0), .wb_dat_r(dat_r), .wb_ack(ack), .wb_err(err),
        .s_valid(s_valid), .s_ready(s_ready), .s_last({NODES{1'b1}}), .s_data(s_data), .m_valid(m_valid),
        .m_ready(m_ready), .m_last(m_last), .m_data(m_data)
    );

    reg [TOKEN_BITS-1:0] tokens[0:GOSSIPS*NODES-1]; // node v's of gossip g: g N + v
    integer              sent[0:NODES-1], beats[0:NODES-1];
    integer              all_beats = 0;

    task fail(input [40*8-1:0] what, input [31:0] had, input [31:0] expected);
        begin
            $display("FAIL: %0s: %0h, not %0h", what, had, expected);
            $finish;
        end
    endtask

    // At every node: a token is taken where it was offered; a beat is compared with the token of its origin.
    integer v;
    always @(posedge clk) begin
        for (v = 0; v < NODES; v = v + 1) begin
            if (s_valid[v] && s_ready[v]) begin
                sent[v] = sent[v] + 1;
                s_valid[v] <= 1'b0;
            end else if (!s_valid[v] && !rst && sent[v] < GOSSIPS && $urandom % 4 == 0) begin
                s_valid[v] <= 1'b1;
                s_data[v*TOKEN_BITS+:TOKEN_BITS] <= tokens[sent[v]*NODES+v];
            end
            if (m_valid[v] && m_ready[v]) begin
                if (beats[v] == GOSSIPS * NODES)
                    fail("a beat too many at node", v, 0);
                else if (m_data[v*TOKEN_BITS+:TOKEN_BITS] !== tokens[beats[v]])
                    fail("token", m_data[v*TOKEN_BITS+:TOKEN_BITS], tokens[beats[v]]);
                if (m_last[v] !== (beats[v] % NODES == NODES - 1))
                    fail("last", m_last[v], !m_last[v]);
                beats[v]  = beats[v] + 1;
                all_beats = all_beats + 1;
            end
        end
        m_ready <= $urandom;
    end

    reg refused;
    reg [31:0] word;
    task access(input write, input [31:0] offset, input [31:0] data);
        begin
            cyc <= 1'b1;
            we <= write;
            adr <= (ORIGIN + offset) >> 2;
            dat_w <= data;
            @(posedge clk);
            while (!ack)
                @(posedge clk);
            word = dat_r;
            refused = err;
            cyc <= 1'b0;
            @(posedge clk);
        end
    endtask
    task expects(input [40*8-1:0] what, input [31:0] offset, input [31:0] expected);
        begin
            access(1'b0, offset, 0);
            if (refused || word !== expected)
                fail(what, word, expected);
        end
    endtask

    integer g;
    initial begin
        for (g = 0; g < GOSSIPS * NODES; g = g + 1)
            tokens[g] = {$urandom, $urandom};
        for (g = 0; g < NODES; g = g + 1) begin
            sent[g]  = 0;
            beats[g] = 0;
        end
        repeat (4) @(posedge clk);
        rst <= 1'b0;
        repeat (4) @(posedge clk);
        access(1'b0, VERSION_OFFSET, 0);
        if (word[31:8] !== "gfa")
            fail("VERSION", word[31:8], "gfa");
        expects("IDENTITY", IDENTITY_OFFSET, IDENTITY_VALUE);
        expects("NODES", NODES_OFFSET, NODES);
        expects("TOKEN_BITS", TOKEN_BITS_OFFSET, TOKEN_BITS);
        access(1'b1, NODES_OFFSET, 0);
        if (!refused)
            fail("a write of NODES, refused", refused, 1);
        access(1'b1, INTERRUPT_OFFSET, INTERRUPT_ON_DONE_MASK);
        repeat (200) @(posedge clk);
        expects("STATUS before a start", STATUS_OFFSET, STATUS_READY_MASK);

        for (g = 0; g < GOSSIPS; g = g + 1) begin
            access(1'b1, CONTROL_OFFSET, CONTROL_START_MASK);
            if (refused)
                fail("START, refused", refused, 0);
            if (interrupt)
                fail("interrupt after START", interrupt, 0);
            word = 0;
            while (!(word & (STATUS_DONE_MASK | STATUS_FAILED_MASK)))
                access(1'b0, STATUS_OFFSET, 0);
            if (word & STATUS_FAILED_MASK)
                fail("STATUS", word, STATUS_DONE_MASK);
            if (!interrupt)
                fail("interrupt when DONE", interrupt, 1);
            expects("CYCLES", CYCLES_OFFSET, CYCLES);
            expects("COLLECTIVES", COLLECTIVES_OFFSET, g + 1);
            word = 0;
            while (!(word & STATUS_READY_MASK))
                access(1'b0, STATUS_OFFSET, 0);
        end
        while (all_beats < GOSSIPS * NODES * NODES)
            @(posedge clk);
        repeat (100) @(posedge clk);
        $display("PASS: %0d gossips through LiteX, %0d beats right, %0d cycles each", GOSSIPS, all_beats, CYCLES);
        $finish;
    end

    initial begin
        repeat (200000) @(posedge clk);
        fail("cycles without an end", 200000, 0);
    end
endmodule

`default_nettype wire
