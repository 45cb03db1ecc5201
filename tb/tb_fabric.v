// SPDX-License-Identifier: MIT
//
// Plays gossips on gossip_fabric: loads every node's own token, starts, counts the cycles, and reads every token back
// from every node. The first is cut off by a reset; the last has other tokens. The fabric's numbers come from the
// generated gossip_fabric_parameters.vh; the module is gossip_fabric.v or a netlist of it.
//
//     iverilog -g2005 -Itb -s tb_fabric -o tb.vvp -c gossip_fabric.f tb/tb_fabric.v && vvp -N tb.vvp
//
// Run it where rom/ is. Prints one line, PASS, or FAIL for each thing that is wrong and then stops, which ends vvp -N
// with status 1. Plus arguments: +seed=<n> for other tokens, +dump=<file> to have every word that is
// read written there, a line each: node, token (its part, where tokens are cut in parts), word, and the word in
// hexadecimal.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_fabric;
    localparam NODES      = `GF_NODES;
    localparam LINKS      = `GF_LINKS;
    localparam WIRES      = `GF_WIRES; // 2: each direction of a link has its own
    localparam LINK_BITS  = `GF_LINK_BITS;
    localparam TOKEN_BITS = `GF_TOKEN_BITS;
    localparam PARTS      = `GF_PARTS;
    localparam PART_BITS  = `GF_PART_BITS;
    localparam BANKS      = `GF_BANKS;
    localparam WORDS      = `GF_WORDS;
    localparam WORD_BITS  = `GF_WORD_BITS;
    localparam SLOT_BITS  = `GF_SLOT_BITS;
    localparam INDEX_BITS = `GF_INDEX_BITS;
    localparam LOAD_BITS  = `GF_LOAD_BITS;
    localparam CYCLES     = `GF_CYCLES;
    localparam [NODES-1:0] ALIVE = `GF_ALIVE; // the others neither have nor give anything
`ifdef GF_UNTRACED
    localparam TRACED = 0;
`else
    localparam TRACED = 1;
`endif
    localparam MOST_FAULTS = 10; // that are printed

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                         rst = 1'b1;
    reg                         start = 1'b0;
    wire                        busy, done;
    reg  [NODES-1:0]            load_valid = {NODES{1'b0}};
    reg  [NODES*LOAD_BITS-1:0]  load_word = {NODES*LOAD_BITS{1'b0}};
    reg  [NODES*WORD_BITS-1:0]  load_data = {NODES*WORD_BITS{1'b0}};
    reg  [NODES*SLOT_BITS-1:0]  read_token = {NODES*SLOT_BITS{1'b0}};
    reg  [NODES*INDEX_BITS-1:0] read_word = {NODES*INDEX_BITS{1'b0}};
    wire [NODES*WORD_BITS-1:0]  read_data;
    wire [WIRES*LINKS*LINK_BITS-1:0] trace_link;
    wire [2*LINKS-1:0]          trace_drive;
    wire [NODES*BANKS-1:0]      trace_write;

    `GF_FABRIC u_fabric (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_link(trace_link), .o_trace_drive(trace_drive),
        .o_trace_write(trace_write), .o_trace_address(), .o_trace_data()
    );

    generate
        if (`GF_PROTECT) begin : gen_protect
            always @(negedge clk)
                if (!rst && u_fabric.o_error !== 1'b0) begin
                    $display("FAIL: error %b of node %b at %0t, and nothing is wrong", u_fabric.o_error_what,
                             u_fabric.o_error_nodes, $time);
                    fault;
                end
        end
    endgenerate

    // The tokens: bits 64 i .. 64 i + 63 of node v's are splitmix64(seed * 2^32 + 64 v + i). They are kept by parts.
    reg [WORDS*WORD_BITS-1:0] token [0:NODES*PARTS-1];
    reg [63:0] seed, limb;
    task fill_tokens(input [63:0] of_seed);
        integer v, i;
        reg [63:0] z;
        begin
            for (v = 0; v < NODES; v = v + 1) begin
                for (i = 0; i < PARTS; i = i + 1)
                    token[v*PARTS+i] = {WORDS*WORD_BITS{1'b0}};
                for (i = 0; i < TOKEN_BITS; i = i + 1) begin
                    if (i % 64 == 0) begin
                        z = (of_seed << 32) + v * 64 + i / 64 + 64'h9e3779b97f4a7c15;
                        z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
                        z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
                        limb = z ^ (z >> 31);
                    end
                    token[v*PARTS+i/PART_BITS][i%PART_BITS] = limb[i % 64];
                end
            end
        end
    endtask

    integer faults = 0;
    task fault; // after the $display of what is wrong
        begin
            faults = faults + 1;
            if (faults == MOST_FAULTS) begin
                $display("FAIL: and maybe more");
                $stop;
            end
        end
    endtask

    // What is unknown at power-up, in RAM or register, must not reach an output, but what is read of a store; and
    // no link may be driven by both ends. While nothing is busy nothing is driven. A gossip stores each word once.
    integer link, place;
    integer stored [0:NODES-1];
    always @(negedge clk)
        if (!rst) begin
            if ((^{busy, done, trace_drive, trace_write}) === 1'bx) begin
                $display("FAIL: busy %b, done %b, drive %b, write %b at %0t", busy, done, trace_drive, trace_write,
                         $time);
                fault;
            end
            if (!busy && {trace_drive, trace_write} !== {2*LINKS+NODES*BANKS{1'b0}}) begin
                $display("FAIL: nothing is busy, and drive is %b, write %b at %0t", trace_drive, trace_write, $time);
                fault;
            end
            for (place = 0; place < NODES * BANKS; place = place + 1)
                stored[place/BANKS] = stored[place/BANKS] + (trace_write[place] === 1'b1);
            for (link = 0; link < LINKS; link = link + 1)
                if ((WIRES == 1 && trace_drive[2*link+:2] === 2'b11) ||
                    (^trace_link[link*WIRES*LINK_BITS+:WIRES*LINK_BITS]) === 1'bx) begin
                    $display("FAIL: link %0d at %0t: drive %b, wires %b", link, $time, trace_drive[2*link+:2],
                             trace_link[link*WIRES*LINK_BITS+:WIRES*LINK_BITS]);
                    fault;
                end
        end

    localparam CUTS = 5;
    integer v, p, t, w, cycles, dump, gossip, cut;
    reg [SLOT_BITS-1:0]       slot;
    reg [INDEX_BITS-1:0]      index;
    reg [LOAD_BITS-1:0]       load_index;
    reg [NODES*WORD_BITS-1:0] next_data; // a bus is set whole: every assignment to a part of it would wake all nodes
    reg [8*256-1:0] dump_name;

    // One edge is enough, and one more for each register of a link: pads have no reset. Where faults are noticed one
    // more: the op register has no reset, and the parity of an X is an X.
    task reset;
        begin
            rst = 1'b1;
            repeat (1 + `GF_LATENCY_CYCLES + `GF_PROTECT) @(negedge clk);
            rst = 1'b0;
        end
    endtask

    task load(input [63:0] of_seed);
        begin
            fill_tokens(of_seed);
            load_valid = {NODES{1'b1}};
            for (p = 0; p < PARTS; p = p + 1)
                for (w = 0; w < WORDS; w = w + 1) begin
                    load_index = (p << INDEX_BITS) + w;
                    for (v = 0; v < NODES; v = v + 1)
                        next_data[v*WORD_BITS+:WORD_BITS] = token[v*PARTS+p] >> (w * WORD_BITS);
                    load_word = {NODES{load_index}};
                    load_data = next_data;
                    @(negedge clk);
                end
            load_valid = {NODES{1'b0}};
        end
    endtask

    // Up to `most` cycles of a gossip. That i_start stays 1 is to change nothing.
    task play(input integer most);
        begin
            for (v = 0; v < NODES; v = v + 1)
                stored[v] = 0;
            start = 1'b1; // sampled by the edge to come
            @(negedge clk);
            cycles = 1;
            while (done !== 1'b1 && cycles < most) begin
                @(negedge clk);
                cycles = cycles + 1;
            end
            start = 1'b0;
        end
    endtask

    task check;
        begin
            if (cycles != CYCLES || done !== 1'b1) begin
                $display("FAIL: done is %b after %0d cycles, and should rise after %0d", done, cycles, CYCLES);
                fault;
            end
            @(negedge clk);
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b in the cycle after the gossip", busy, done);
                fault;
            end
            for (v = 0; v < NODES; v = v + 1)
                if (TRACED && ALIVE[v] && stored[v] != (`GF_SURVIVORS - 1) * PARTS * WORDS) begin
                    $display("FAIL: node %0d stored %0d words, should be %0d", v, stored[v],
                             (`GF_SURVIVORS - 1) * PARTS * WORDS);
                    fault;
                end
            for (t = 0; t < NODES * PARTS; t = t + 1)
                for (w = 0; w < WORDS; w = w + 1) begin
                    slot  = t;
                    index = w;
                    read_token = {NODES{slot}};
                    read_word  = {NODES{index}};
                    @(negedge clk);
                    for (v = 0; v < NODES; v = v + 1) begin
                        if (dump != 0 && gossip == 1)
                            $fwrite(dump, "%0d %0d %0d %h\n", v, t, w, read_data[v*WORD_BITS+:WORD_BITS]);
                        if (ALIVE[v] && ALIVE[t/PARTS] &&
                            read_data[v*WORD_BITS+:WORD_BITS] !== token[t][w*WORD_BITS+:WORD_BITS]) begin
                            $display("FAIL: node %0d has word %0d of part %0d of token %0d as %h, should be %h", v, w,
                                     t % PARTS, t / PARTS, read_data[v*WORD_BITS+:WORD_BITS],
                                     token[t][w*WORD_BITS+:WORD_BITS]);
                            fault;
                        end
                    end
                end
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b while tokens are read", busy, done);
                fault;
            end
        end
    endtask

    initial begin
        seed = 64'd `GF_TOKEN_SEED;
        if ($value$plusargs("seed=%d", seed))
            $display("seed %0d", seed);
        dump = 0;
        if ($value$plusargs("dump=%s", dump_name))
            dump = $fopen(dump_name, "w");
        reset;
        // Gossips that a reset cuts off, and at once the same once more: the nodes' own tokens are still there. Then
        // one with other tokens, without a reset.
        load(seed);
        for (cut = 1; cut <= CUTS; cut = cut + 1) begin
            play(cut + CYCLES * cut / (CUTS + 1));
            reset;
        end
        for (gossip = 1; gossip <= 2; gossip = gossip + 1) begin
            play(CYCLES + 1);
            check;
            if (dump != 0 && gossip == 1)
                $fclose(dump);
            load(seed + gossip);
        end
        if (faults != 0)
            $stop;
        $display("PASS: %0d tokens of %0d bits right in %0d nodes; %0d cycles = %0d rounds x %0d + %0d%0s",
                 `GF_SURVIVORS, TOKEN_BITS, `GF_SURVIVORS, cycles, `GF_ROUNDS, `GF_CYCLES_PER_ROUND,
                 `GF_OVERHEAD_CYCLES, `GF_GAP_CYCLES != 0 ? " and the gaps" : "");
        $finish;
    end
endmodule

`default_nettype wire
