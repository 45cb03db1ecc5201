// SPDX-License-Identifier: MIT
//
// The top with registers, between a processor on its bus and random sources and sinks. The processor, with random
// stalls on every channel, reads all registers, writes with all byte strobes what is good and what must be refused,
// starts collectives, one ahead, of random programs and operators, meets each error, and a reset. Checked: what it
// reads; the interrupt; every beat that the sinks get; on the bus that an answer comes once, and stays until it is
// taken. Beside a write AXI4-Lite reads at once; on Wishbone some requests are taken back.
//   +seed=..   other data, choices and stalls
// The fabric's numbers come from the generated gossip_fabric_parameters.vh. Run with vvp -N: a failure is a message
// and $stop, status 1.
`default_nettype none
`include "gfab_op.vh"
`include "gfab_registers.vh"
`include "gossip_fabric_parameters.vh"

module tb_registers;
    parameter PAIRS = 8; // of collectives, one behind the other

    localparam NODES     = `GF_NODES;
    localparam W         = `GF_TOKEN_BITS;
    localparam BLOCKS    = `GF_BLOCKS > 0 ? `GF_BLOCKS : NODES;
    localparam PROGRAMS  = `GF_PROGRAMS;
    localparam OPERATORS = `GF_OPERATORS;
    localparam FIRST     = `GF_OPERATOR == `GFAB_OPERATOR_ALL ? `GFAB_OPERATOR_FIRST : `GF_OPERATOR;
    localparam A         = `GF_ADDRESS_BITS;
    localparam GOSSIP_LIMIT = 2 * `GF_CYCLES + 512;
    localparam LOAD_LIMIT   = 2048 + 16 * BLOCKS * `GF_WORDS; // longer than sources take, even while they are held
    localparam MAX_CLOCKS   = 60000 + 100 * (`GF_CYCLES + BLOCKS * `GF_WORDS);
    localparam LATE = 1, LONG = 2, STUCK = 3, FABRIC = 4;

    reg                clk = 1'b0;
    reg                rst = 1'b1;
    reg  [NODES-1:0]   s_valid = {NODES{1'b0}};
    wire [NODES-1:0]   s_ready;
    reg  [NODES*W-1:0] s_data = {NODES*W{1'b0}};
    reg  [NODES-1:0]   s_last = {NODES{1'b0}};
    wire [NODES-1:0]   m_valid;
    reg  [NODES-1:0]   m_ready = {NODES{1'b0}};
    wire [NODES*W-1:0] m_data;
    wire [NODES-1:0]   m_last;
    wire               interrupt;

`ifdef GF_AXI_LITE
    reg          aw_valid = 1'b0, w_valid = 1'b0, b_ready = 1'b0, ar_valid = 1'b0, r_ready = 1'b0;
    wire         aw_ready, w_ready, b_valid, ar_ready, r_valid;
    reg  [A-1:0] aw_addr, ar_addr;
    reg  [31:0]  w_data;
    reg  [3:0]   w_strb;
    wire [1:0]   b_resp, r_resp;
    wire [31:0]  r_data;
`else
    reg          cyc = 1'b0, stb = 1'b0, we = 1'b0;
    reg  [A-1:2] adr;
    reg  [31:0]  dat;
    reg  [3:0]   sel;
    wire         ack, err;
    wire [31:0]  dat_read;
`endif

    `GF_FABRIC_REGISTERS #(
        .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_fabric (
`ifdef GF_AXI_LITE
        .s_axil_awvalid(aw_valid), .s_axil_awready(aw_ready), .s_axil_awaddr(aw_addr), .s_axil_wvalid(w_valid),
        .s_axil_wready(w_ready), .s_axil_wdata(w_data), .s_axil_wstrb(w_strb), .s_axil_bvalid(b_valid),
        .s_axil_bready(b_ready), .s_axil_bresp(b_resp), .s_axil_arvalid(ar_valid), .s_axil_arready(ar_ready),
        .s_axil_araddr(ar_addr), .s_axil_rvalid(r_valid), .s_axil_rready(r_ready), .s_axil_rdata(r_data),
        .s_axil_rresp(r_resp),
`else
        .i_wb_cyc(cyc), .i_wb_stb(stb), .i_wb_we(we), .i_wb_adr(adr), .i_wb_dat(dat), .i_wb_sel(sel), .o_wb_ack(ack),
        .o_wb_err(err), .o_wb_dat(dat_read),
`endif
        .i_clk(clk), .i_rst(rst), .o_interrupt(interrupt), .s_axis_tvalid(s_valid), .s_axis_tready(s_ready),
        .s_axis_tdata(s_data), .s_axis_tlast(s_last), .m_axis_tvalid(m_valid), .m_axis_tready(m_ready),
        .m_axis_tdata(m_data), .m_axis_tlast(m_last)
    );

    localparam  KEPT = 2; // of this run and the next
    reg [W-1:0] data [0:KEPT*NODES*BLOCKS-1];
    integer     played [0:KEPT-1];
    integer     operator [0:KEPT-1]; // GFAB_OPERATOR_SUM ..
`ifdef GF_HELD
    wire [PROGRAMS*NODES*BLOCKS-1:0] HELD   = `GF_HELD;
    wire [PROGRAMS*NODES*BLOCKS-1:0] WANTED = `GF_WANTED;
    wire [PROGRAMS*32-1:0]           TAKES  = `GF_CYCLES_OF;
`else
    wire [NODES*NODES-1:0] HELD; // all-gather: block v is node v's token
    wire [NODES*NODES-1:0] WANTED = {NODES*NODES{1'b1}};
    wire [31:0]            TAKES  = `GF_CYCLES;
    genvar g;
    generate
        for (g = 0; g < NODES * NODES; g = g + 1) begin : gen_held
            assign HELD[g] = (g / NODES == g % NODES);
        end
    endgenerate
`endif

    task fail(input [8*48-1:0] what, input [31:0] detail);
        begin
            $display("tb_registers: FAIL: %0s: %0d, 0x%0h, at %0t", what, detail, detail, $time);
            $stop;
            $finish;
        end
    endtask

    integer run;     // that sinks are in
    integer drawn;   // runs that have data
    integer clocks;
    integer v;
    integer broken;        // node with a packet that is too long; NODES: none
    reg [NODES-1:0] late;  // nodes that begin none
    integer came, failed;  // clocks when the first packet of the run was in, and an error was there
    integer beats;
    reg     hold;         // no packet is begun
    reg     fresh;        // the sinks have not begun the run
    integer s_run [0:NODES-1];
    integer s_at [0:NODES-1];  // block; BLOCKS: the packet is over; BLOCKS + 1: a beat too many
    reg     again [0:NODES-1]; // the packet is dropped, and comes again
    integer m_at [0:NODES-1];
    reg [NODES-1:0]   took, gave, stood;
    reg [NODES*W-1:0] stood_data;
    reg               all;

`include "tb_blocks.vh"

    task draw(input integer of_run, input integer number, input integer choice);
        begin
            played[of_run%KEPT]   = number;
            operator[of_run%KEPT] = FIRST + choice;
            fill(of_run);
            drawn = of_run + 1;
        end
    endtask

    // Loading of the run begins anew in all nodes; what is left of packets is dropped.
    task anew;
        integer n;
        begin
            drawn  = run + 1;
            broken = NODES;
            late   = {NODES{1'b0}};
            stood  = {NODES{1'b0}};
            for (n = 0; n < NODES; n = n + 1) begin
                again[n] = s_run[n] == run && s_at[n] != BLOCKS && s_at[n] != next_block(0, run, n, 0);
                if (!again[n]) begin
                    s_run[n]   = run;
                    s_at[n]    = next_block(0, run, n, 0);
                    s_valid[n] = 1'b0;
                end
            end
        end
    endtask

    task begin_all;
        integer n;
        begin
            fresh = 1'b1;
            stood = {NODES{1'b0}};
            drawn = run;
            for (n = 0; n < NODES; n = n + 1) begin
                s_run[n] = run - 1;
                s_at[n]  = BLOCKS;
                again[n] = 1'b0;
            end
            s_valid = {NODES{1'b0}};
        end
    endtask

    // Sources and sinks: handshakes at an edge, other signals behind it.
    always @(posedge clk) begin
        took = s_valid & s_ready;
        gave = m_valid & m_ready;
        for (v = 0; !rst && v < NODES; v = v + 1) begin
            if (stood[v] && (!m_valid[v] || m_data[v*W+:W] !== stood_data[v*W+:W]))
                fail("a beat taken back", v);
            if (m_valid[v] && (fresh || m_at[v] >= BLOCKS))
                fail("a beat too many", v);
            if (m_valid[v] && m_data[v*W+:W] !== total(run, v, m_at[v]))
                fail("a wrong block", v);
            if (m_valid[v] && m_last[v] != (next_block(1, run, v, m_at[v] + 1) == BLOCKS))
                fail("tlast", v);
        end
        stood      = m_valid & ~m_ready & {NODES{!rst}};
        stood_data = m_data;
        clocks     = clocks + 1;
        if (clocks > MAX_CLOCKS)
            fail("no end", run);
    end
    always @(negedge clk)
        if (rst) begin
            {took, gave} = {2*NODES{1'b0}};
        end else begin
            failed = failed == 0 && u_fabric.error ? clocks : failed;
            for (v = 0; v < NODES; v = v + 1) begin
                if (took[v]) begin
                    if (s_last[v]) begin
                        s_at[v] = BLOCKS;
                        came    = s_run[v] == run && came == 0 ? clocks : came;
                    end else begin
                        s_at[v] = next_block(0, s_run[v], v, s_at[v] + 1);
                        if (s_at[v] == BLOCKS)
                            s_at[v] = BLOCKS + 1;
                    end
                    s_valid[v] = 1'b0;
                end
                if (gave[v]) begin
                    m_at[v] = next_block(1, run, v, m_at[v] + 1);
                    beats   = beats + 1;
                end
            end
            {took, gave} = {2*NODES{1'b0}};
            all  = !fresh;
            for (v = 0; v < NODES; v = v + 1)
                all = all && m_at[v] == BLOCKS;
            if (all) begin
                run   = run + 1;
                fresh = 1'b1;
            end
            if (fresh && run < drawn) begin
                fresh = 1'b0;
                for (v = 0; v < NODES; v = v + 1)
                    m_at[v] = next_block(1, run, v, 0);
            end
            for (v = 0; v < NODES; v = v + 1) begin
                if (s_at[v] == BLOCKS && s_run[v] + (again[v] ? 0 : 1) < drawn) begin // the next, or the same once more
                    s_run[v] = s_run[v] + (again[v] ? 0 : 1);
                    again[v] = 1'b0;
                    s_at[v]  = next_block(0, s_run[v], v, 0);
                end
                if (s_at[v] != BLOCKS && random_below(3) == 0 &&
                    !((hold || late[v]) && s_at[v] == next_block(0, s_run[v], v, 0)))
                    s_valid[v] = 1'b1;
                if (s_at[v] < BLOCKS) begin
                    s_data[v*W+:W] = data[(s_run[v]%KEPT*NODES+v)*BLOCKS+s_at[v]];
                    s_last[v] = next_block(0, s_run[v], v, s_at[v] + 1) == BLOCKS && (broken != v || s_run[v] != run);
                end else
                    s_last[v] = 1'b1;
                m_ready[v] = random_below(3) != 0;
            end
        end

`include "tb_bus.vh"

    function [31:0] constant(input integer which);
        case (which)
            0:       constant = {24'h676661, `GFAB_REGISTER_MAP_VERSION};
            1:       constant = `GF_IDENTITY;
            2:       constant = NODES;
            3:       constant = W;
            default: constant = PROGRAMS;
        endcase
    endfunction

    task check(input [31:0] at, input [31:0] value);
        begin
            read(at);
            if (got !== value)
                fail("a register with another value", {at[15:0], got[15:0]});
        end
    endtask
    // Some writes have one or two reads beside them.
    integer reads, which [0:1];
    task write_all(input integer writes);
        begin
            for (reads = 0; reads < 2; reads = reads + 1) begin
                which[reads]   = random_below(5);
                from_at[reads] = 4 * which[reads];
            end
            reads = random_below(3);
            transfer(writes, reads);
            for (reads = reads; reads > 0; reads = reads - 1)
                if (got_of[reads-1] !== constant(which[reads-1]))
                    fail("a constant with another value", got_of[reads-1]);
        end
    endtask
    task write(input [31:0] at, input [31:0] word, input [3:0] strobe, input is_refused);
        begin
            {to_at[0], word_of[0], strobe_of[0]} = {at[A-1:0], word, strobe};
            write_all(1);
            if (refused !== is_refused)
                fail(is_refused ? "a write not refused" : "a write refused", at);
        end
    endtask
    // Two writes at once, to the first register one that is refused, to the second one that is not, or the other way
    // round.
    task write_both(input [31:0] bad, input [31:0] bad_word, input [31:0] good, input [31:0] good_word);
        integer first;
        begin
            first = random_below(2);
            {to_at[first], word_of[first], strobe_of[first]}       = {bad[A-1:0], bad_word, 4'hf};
            {to_at[1-first], word_of[1-first], strobe_of[1-first]} = {good[A-1:0], good_word, 4'hf};
            write_all(2);
            if (refused_of !== 2'b01 << first)
                fail("of two writes another is refused", refused_of);
        end
    endtask

    task status(input [6:0] mask, input [6:0] value);
        begin
            read(`GFAB_REGISTER_STATUS);
            if ((got & {25'b0, mask}) !== {25'b0, value} || got[31:7] !== 25'b0)
                fail("another status", got);
        end
    endtask
    localparam [6:0] READY = 7'd1 << `GFAB_STATUS_READY_LSB, BUSY = 7'd1 << `GFAB_STATUS_BUSY_LSB,
                     DONE = 7'd1 << `GFAB_STATUS_DONE_LSB, FAILED = 7'd1 << `GFAB_STATUS_FAILED_LSB,
                     LOADING = 7'd1 << `GFAB_STATUS_LOADING_LSB, RUNNING = 7'd1 << `GFAB_STATUS_RUNNING_LSB;

    task wait_for(input integer bit_number, input value);
        begin
            got = {32{~value}};
            while (got[bit_number] !== value) begin
                read(`GFAB_REGISTER_STATUS);
                if (got[`GFAB_STATUS_FAILED_LSB] && (got[6:0] & (READY | BUSY | DONE | RUNNING)) != 7'd0)
                    fail("FAILED beside another state", got);
            end
        end
    endtask

    integer    program_now, operator_now, ended; // as the registers have them
    reg [1:0]  mask;                             // of the interrupt
    integer    i, k, node, tests;

    // PROGRAM and OPERATOR, by bytes or all at once.
    task choose(input integer number, input integer choice);
        begin
            write(`GFAB_REGISTER_PROGRAM, {24'hffffff, number[7:0]}, 4'b0001, 1'b0);
            write(`GFAB_REGISTER_PROGRAM, 32'hffffffff, 4'b0000, 1'b0);
            write(`GFAB_REGISTER_PROGRAM, PROGRAMS, 4'b1111, 1'b1);
            write_both(`GFAB_REGISTER_PROGRAM, 32'h00010000, `GFAB_REGISTER_OPERATOR, choice);
            write(`GFAB_REGISTER_OPERATOR, 32'h80000000 | OPERATORS, 4'b0001, 1'b1);
            check(`GFAB_REGISTER_PROGRAM, number);
            check(`GFAB_REGISTER_OPERATOR, choice);
        end
    endtask
    task start(input integer of_run);
        begin
            program_now  = random_below(PROGRAMS);
            operator_now = random_below(OPERATORS);
            choose(program_now, operator_now);
            draw(of_run, program_now, operator_now);
            write(`GFAB_REGISTER_CONTROL, 32'h00000001, 4'b1110, 1'b0); // no strobe, no start
            write(`GFAB_REGISTER_CONTROL, 32'h00000001, 4'b0001, 1'b0);
        end
    endtask
    task check_interrupt(input [1:0] due);
        if (interrupt !== |(mask & due))
            fail("the interrupt", {mask, due});
    endtask
    task set_mask;
        begin
            mask = random_below(4);
            write(`GFAB_REGISTER_INTERRUPT, {30'h3fffffff, mask}, 4'b0001, 1'b0);
            write(`GFAB_REGISTER_INTERRUPT, 32'hffffffff, 4'b1110, 1'b0);
            check(`GFAB_REGISTER_INTERRUPT, mask);
        end
    endtask

    // The counters stand where they would after long: at any number, with ones below, which carry.
    function [31:0] any_count(input unused);
        any_count = random_bits(1'b0) | ~(32'hffffffff << random_below(32));
    endfunction
    task set_collectives;
        begin
`ifndef VERILATOR // which does not always see what another module sets
            ended = any_count(1'b0);
            u_fabric.u_registers.collectives_q <= ended;
            @(negedge clk);
`endif
        end
    endtask
    reg [31:0] counted; // what CYCLES is to be
    task set_cycles; // of the second collective of a pair, while it is played
        begin
`ifndef VERILATOR
            while (u_fabric.u_registers.collectives_q !== ended + 1 || !u_fabric.u_registers.running_q) @(negedge clk);
            counted = any_count(1'b0);
            u_fabric.u_registers.cycles_q <= counted;
            counted = counted + TAKES[program_now*32+:32] - u_fabric.u_registers.cycles_q;
            @(negedge clk);
`endif
        end
    endtask

    // Two collectives, the second asked for while the first waits for packets.
    task pair;
        begin
            hold = 1'b1;
            wait_for(`GFAB_STATUS_READY_LSB, 1'b1);
            set_mask;
            start(run);
            wait_for(`GFAB_STATUS_LOADING_LSB, 1'b1);
            status(7'h7f, READY | BUSY | LOADING);
            check_interrupt(2'b00);
            start(run + 1);
            status(7'h7f, BUSY | LOADING);
            write(`GFAB_REGISTER_CONTROL, 32'h00000001, 4'b1111, 1'b1);
            write(`GFAB_REGISTER_PROGRAM, program_now, 4'b1111, 1'b1);
            write(`GFAB_REGISTER_OPERATOR, operator_now, 4'b1111, 1'b1);
            check(`GFAB_REGISTER_COLLECTIVES, ended);
            set_collectives;
            hold    = 1'b0;
            counted = TAKES[program_now*32+:32];
            if (random_below(2))
                set_cycles;
            wait_for(`GFAB_STATUS_DONE_LSB, 1'b1);
            ended = ended + 2;
            status(READY | BUSY | DONE | FAILED, READY | DONE);
            check_interrupt(2'b01);
            check(`GFAB_REGISTER_COLLECTIVES, ended);
            check(`GFAB_REGISTER_CYCLES, counted);
            while (run < drawn) @(negedge clk);
            wait_for(`GFAB_STATUS_UNLOADING_LSB, 1'b0);
            status(7'h7f, READY | DONE);
        end
    endtask

    // The run ends with an error; then it is played once more.
    task recover(input integer what, input [NODES-1:0] nodes);
        begin
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b1);
            anew;
            status(READY | BUSY | DONE | FAILED, FAILED);
            check_interrupt(2'b10);
            read(`GFAB_REGISTER_ERROR);
            if (got[2:0] !== what || (what != FABRIC && got[31:3] !== 29'b0))
                fail("another error", got);
            for (k = 0; k < NODES; k = k + 32)
                check(`GFAB_REGISTER_ERROR_NODES + k / 8, nodes >> k);
            write(`GFAB_REGISTER_CONTROL, 32'h00000001, 4'b1111, 1'b1);
            write(`GFAB_REGISTER_CONTROL, 32'h00000003, 4'b1111, 1'b1); // refused as a whole
            status(FAILED, FAILED);
            write(`GFAB_REGISTER_PROGRAM, 32'd0, 4'b1111, 1'b1);
            write(`GFAB_REGISTER_OPERATOR, 32'd0, 4'b1111, 1'b1);
            check(`GFAB_REGISTER_PROGRAM, program_now);
            check(`GFAB_REGISTER_OPERATOR, operator_now);
            check(`GFAB_REGISTER_COLLECTIVES, ended);
            write(`GFAB_REGISTER_CONTROL, 32'h00000002, 4'b0001, 1'b0);
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b0);
            status(7'h7f, READY);
            check_interrupt(2'b00);
            write(`GFAB_REGISTER_CONTROL, 32'h00000001, 4'b1111, 1'b0);
            wait_for(`GFAB_STATUS_DONE_LSB, 1'b1);
            ended = ended + 1;
            check(`GFAB_REGISTER_COLLECTIVES, ended);
            while (run < drawn) @(negedge clk);
            tests = tests + 1;
        end
    endtask
    // A node that gives some block in this program: this one, or the next.
    task giver(input integer from);
        begin
            node = from;
            while (next_block(0, run, node, 0) == BLOCKS)
                node = (node + 1) % NODES;
        end
    endtask

    reg [NODES-1:0] lates, gives;
    // Others give while these, some of the givers, begin no packet.
    task too_late(input [NODES-1:0] nodes);
        begin
            hold = 1'b1;
            start(run);
            for (node = 0; node < NODES; node = node + 1)
                gives[node] = next_block(0, run, node, 0) < BLOCKS;
            late = nodes & gives;
            giver(random_below(NODES));
            if (late == {NODES{1'b0}})
                late[node] = 1'b1;
            if (late == {NODES{1'b1}})
                late[node] = 1'b0;
            {hold, came, failed} = 65'd0;
            lates = late;
            recover(LATE, lates);
            if (&gives && failed != came + LOAD_LIMIT + 1)
                fail("LOAD_LIMIT is another time", failed - came);
        end
    endtask
    integer         breaks;

    // What is noticed behind the last cycle: the results go out, but they do not count.
    task too_late_to_stop(input integer what);
        begin
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b1);
            check(`GFAB_REGISTER_ERROR, FABRIC | what << `GFAB_ERROR_FAULT_LSB);
`ifdef GF_OVERLAP // but where they wait for the verdict
            recover(FABRIC, {NODES{1'b0}});
`else
            check(`GFAB_REGISTER_COLLECTIVES, ended);
            while (run < drawn) @(negedge clk);
            write(`GFAB_REGISTER_CONTROL, 32'h00000002, 4'b0001, 1'b0);
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b0);
            status(7'h7f, READY);
            check_interrupt(2'b00);
            tests = tests + 1;
`endif
        end
    endtask

    task errors;
        begin
            set_mask;
            for (breaks = 0; breaks < NODES && breaks < 4; breaks = breaks + 1) begin
                hold = 1'b1;
                start(run);
                giver(breaks);
                broken = node;
                hold   = 1'b0;
                recover(LONG, {{NODES-1{1'b0}}, 1'b1} << node);
            end
            for (k = 0; k < NODES; k = k + 1)
                lates[k] = random_below(2);
            too_late(lates);
            too_late(~lates);

`ifndef VERILATOR // whose force does not reach what is joined to a port
            force u_fabric.done = 1'b0; // a short one would be over before the processor has seen that it is started
            start(run);
            wait_for(`GFAB_STATUS_RUNNING_LSB, 1'b1);
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b1);
            release u_fabric.done;
            check(`GFAB_REGISTER_CYCLES, GOSSIP_LIMIT + 1);
            recover(STUCK, {NODES{1'b0}});
`ifdef GF_PROTECTED
            hold = 1'b1;
            start(run);
            hold = 1'b0;
            while (!u_fabric.u_registers.running_q) @(negedge clk);
            force u_fabric.u_fabric.`GF_GUARD.node_faults_q = {1'b1, {NODES-1{1'b0}}};
            k = u_fabric.u_fabric.`GF_GUARD.i_round;
            @(negedge clk) release u_fabric.u_fabric.`GF_GUARD.node_faults_q;
            wait_for(`GFAB_STATUS_FAILED_LSB, 1'b1);
            check(`GFAB_REGISTER_ERROR, FABRIC | 1 << `GFAB_ERROR_FAULT_LSB);
            check(`GFAB_REGISTER_ERROR_ROUND, k);
            recover(FABRIC, {1'b1, {NODES-1{1'b0}}});
            hold = 1'b1;
            start(run); // balances that do not come out even; ones of ops
            force u_fabric.u_fabric.`GF_GUARD.nodes_odd_q = 1'b1;
            hold = 1'b0;
            while (!u_fabric.u_fabric.`GF_GUARD.fault) @(negedge clk);
            @(negedge clk) release u_fabric.u_fabric.`GF_GUARD.nodes_odd_q;
            too_late_to_stop(2);
            hold = 1'b1;
            start(run);
            force u_fabric.u_fabric.`GF_GUARD.ones_q = 2'b01;
            hold = 1'b0;
            while (!u_fabric.u_fabric.`GF_GUARD.fault) @(negedge clk);
            @(negedge clk) release u_fabric.u_fabric.`GF_GUARD.ones_q;
            too_late_to_stop(4);
`endif
`endif
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed))
            seed = 1;
        {clocks, beats, transfers, tests, ended, run, came, failed} = 256'd0;
        {mask, hold} = 3'b0;
        broken = NODES;
        late   = {NODES{1'b0}};
        begin_all;
        repeat (3) @(negedge clk);
        rst = 1'b0;
        for (i = 0; i < 5; i = i + 1)
            check(4 * i, constant(i));
        for (i = 0; i < 1 << A; i = i + 4) // nothing else is there, or takes a word
            if (i != `GFAB_REGISTER_CONTROL && i != `GFAB_REGISTER_PROGRAM && i != `GFAB_REGISTER_OPERATOR &&
                i != `GFAB_REGISTER_INTERRUPT)
                write(i, random_bits(1'b0), 4'b1111, 1'b1);
        for (i = `GFAB_REGISTER_PROGRAM; i < 1 << A; i = i + 4)
            check(i, 32'd0);
        for (i = 3; i < 32; i = i + 1) begin // no bit of a number is left out
            write(`GFAB_REGISTER_PROGRAM, 32'd1 << i, 4'b1111, 1'b1);
            write(`GFAB_REGISTER_OPERATOR, 32'd1 << i, 4'b1111, 1'b1);
        end
        status(7'h7f, READY);
        repeat (PAIRS)
            pair;
        errors;
        pair;
        start(run); // cut off in one of its steps
        repeat (random_below(`GF_CYCLES + 20)) @(negedge clk);
        rst = 1'b1;
        run = run + 2;
        begin_all;
        @(negedge clk) rst = 1'b0;
        ended = 0;
        for (i = `GFAB_REGISTER_PROGRAM; i < 1 << A; i = i + 4)
            check(i, 32'd0);
        status(7'h7f, READY);
        pair;
        $display("tb_registers: PASS: %0d transfers, %0d beats, %0d errors, %0d clocks", transfers, beats, tests,
                 clocks);
        $finish;
    end
endmodule

`default_nettype wire
