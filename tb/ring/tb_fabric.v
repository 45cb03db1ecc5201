// SPDX-License-Identifier: MIT
//
// Plays runs of a ring fabric: loads every node's own token, starts, counts the cycles, and reads every flit of every
// token back from every node. The numbers come from the generated gossip_fabric_parameters.vh; the module is
// gossip_fabric.v or a netlist of it.
//
//     iverilog -g2005 -Itb -s tb_fabric -o tb.vvp -c gossip_fabric.f tb/tb_fabric.v && vvp -N tb.vvp
//
// Runs that a reset cuts off come first, then one after the other: with the tokens that are there; again, with i_start
// in the cycle of o_done; with other tokens, loaded from the cycle after o_done on; with tokens whose last word is
// loaded in the cycle of i_start. Prints one line, PASS, or FAIL for each thing that is wrong and then stops, which
// ends vvp -N with status 1. +seed=<n>: other tokens. +trace: inputs and outputs of every cycle in ring.trace, for
// ring_lockstep.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_fabric;
    localparam NODES       = `GF_NODES;
    localparam RINGS       = `GF_RINGS;
    localparam LINK_BITS   = `GF_LINK_BITS;
    localparam BITS        = RINGS * LINK_BITS;
    localparam TOKEN_BITS  = `GF_TOKEN_BITS;
    localparam FLITS       = `GF_FLITS;
    localparam WORDS       = `GF_WORDS;
    localparam NODE_BITS   = `GF_NODE_BITS;
    localparam WORD_BITS   = `GF_WORD_BITS;
    localparam NUMBER_BITS = `GF_NUMBER_BITS;
    localparam RING_BITS   = RINGS > 1 ? $clog2(RINGS) : 0;
    localparam TRACE_BITS  = NODE_BITS + WORD_BITS;
    localparam CYCLES      = `GF_CYCLES;
    localparam CUTS        = 5;
    localparam MOST_FAULTS = 10; // that are printed

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                          rst = 1'b1;
    reg                          start = 1'b0;
    wire                         busy, done;
    reg  [NODES-1:0]             load_valid = {NODES{1'b0}};
    reg  [NODES*WORD_BITS-1:0]   load_word = {NODES*WORD_BITS{1'b0}};
    reg  [NODES*BITS-1:0]        load_data = {NODES*BITS{1'b0}};
    reg  [NODES*NODE_BITS-1:0]   read_token = {NODES*NODE_BITS{1'b0}};
    reg  [NODES*NUMBER_BITS-1:0] read_word = {NODES*NUMBER_BITS{1'b0}};
    wire [NODES*LINK_BITS-1:0]   read_data;
    wire                         trace_drive;
    wire [NODES*BITS-1:0]        trace_link, trace_data;
    wire [NODES-1:0]             trace_write;
    wire [NODES*TRACE_BITS-1:0]  trace_address;

    `GF_FABRIC u_fabric (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_drive(trace_drive), .o_trace_link(trace_link), .o_trace_write(trace_write),
        .o_trace_address(trace_address), .o_trace_data(trace_data)
    );

    // The tokens: bits 64 i .. 64 i + 63 of node v's are splitmix64(seed * 2^32 + 64 v + i); above W padding, 1 and 0.
    reg [WORDS*BITS-1:0] token [0:NODES-1];
    reg [63:0] seed, limb;
    task fill_tokens(input [63:0] of_seed);
        integer v, i;
        reg [63:0] z;
        begin
            for (v = 0; v < NODES; v = v + 1) begin
                token[v] = {WORDS*BITS{of_seed[0]}};
                for (i = 0; i < TOKEN_BITS; i = i + 1) begin
                    if (i % 64 == 0) begin
                        z = (of_seed << 32) + v * 64 + i / 64 + 64'h9e3779b97f4a7c15;
                        z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
                        z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
                        limb = z ^ (z >> 31);
                    end
                    token[v][i] = limb[i % 64];
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

    // What is unknown at power-up must not reach an output, but what is read of a store. While nothing is busy words
    // are written that the host loads, at most a cycle later, and no others; a run stores each word once.
    integer trace = 0;
    integer node;
    integer stored [0:NODES-1];
    reg [NODES-1:0] loaded_q = {NODES{1'b0}};
    // All of it at the end of a cycle.
    always @(posedge clk) begin
        if (!rst) begin
            if ((^{busy, done, trace_drive, trace_write}) === 1'bx || (trace_drive && (^trace_link) === 1'bx)) begin
                $display("FAIL: busy %b, done %b, drive %b, write %b at %0t", busy, done, trace_drive, trace_write,
                         $time);
                fault;
            end
            if (!busy && (trace_drive || (trace_write & ~load_valid & ~loaded_q) !== {NODES{1'b0}})) begin
                $display("FAIL: nothing is busy, and drive is %b, write %b at %0t", trace_drive, trace_write, $time);
                fault;
            end
        end
        loaded_q <= load_valid;
        for (node = 0; node < NODES; node = node + 1)
            stored[node] = stored[node] + (busy === 1'b1 && trace_write[node] === 1'b1);
        if (trace != 0)
            $fwrite(trace, "%b %b %b %h %h %h %h %b %b %b %b %h %b %h %h\n", rst, start, load_valid, load_word,
                    load_data, read_token, read_word, busy, done, read_data, trace_drive, trace_link, trace_write,
                    trace_address, trace_data);
    end

    integer v, t, w, at, cycles, run, cut, expected;
    reg [NODE_BITS-1:0]      slot;
    reg [NUMBER_BITS-1:0]    number;
    reg [WORD_BITS-1:0]      load_index;
    reg [NODES*BITS-1:0]     next_data;
    reg [NODES*WORD_BITS-1:0] next_word;

    task reset;
        begin
            rst = 1'b1;
            start = 1'b0;
            @(negedge clk);
            rst = 1'b0;
            repeat (4) begin
                if (busy !== 1'b0 || done !== 1'b0) begin
                    $display("FAIL: busy %b, done %b behind a reset", busy, done);
                    fault;
                end
                @(negedge clk);
            end
        end
    endtask

    // Words from `first` on; the last one's cycle is left to the caller.
    task load_words(input integer first, input integer behind);
        begin
            load_valid = {NODES{1'b1}};
            for (w = first; w < behind; w = w + 1) begin
                load_index = w;
                for (v = 0; v < NODES; v = v + 1)
                    next_data[v*BITS+:BITS] = token[v] >> (w * BITS);
                next_word = {NODES{load_index}};
                load_word = next_word;
                load_data = next_data;
                if (w + 1 < behind)
                    @(negedge clk);
            end
        end
    endtask

    task load_all(input [63:0] of_seed);
        begin
            fill_tokens(of_seed);
            load_words(0, WORDS);
            @(negedge clk);
            load_valid = {NODES{1'b0}};
        end
    endtask

    // Up to `most` cycles of a run; that i_start stays 1 is to change nothing, but start the next in the cycle of
    // o_done.
    task play(input integer most);
        begin
            start = 1'b1; // sampled by the edge to come
            @(negedge clk);
            load_valid = {NODES{1'b0}};
            for (v = 0; v < NODES; v = v + 1)
                stored[v] = 0;
            cycles = 1;
            while (done !== 1'b1 && cycles < most) begin
                @(negedge clk);
                cycles = cycles + 1;
            end
        end
    endtask

    task check_run;
        begin
            if (cycles != CYCLES || done !== 1'b1) begin
                $display("FAIL: done is %b after %0d cycles, and should rise after %0d", done, cycles, CYCLES);
                fault;
            end
        end
    endtask

    task check;
        begin
            start = 1'b0;
            check_run;
            @(negedge clk);
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b in the cycle after the run", busy, done);
                fault;
            end
            expected = (`GF_SHIFTS ? NODES : NODES - 1) * WORDS;
            for (v = 0; v < NODES; v = v + 1)
                if (stored[v] != expected && run != 3) begin
                    $display("FAIL: node %0d stored %0d words, should be %0d", v, stored[v], expected);
                    fault;
                end
        end
    endtask

    // A read in every cycle, whose flit is there two edges behind its number.
    task read_all;
        begin
            for (at = 0; at <= NODES * FLITS; at = at + 1) begin
                t = at / FLITS % NODES;
                w = at % FLITS;
                slot   = t;
                number = ((w / RINGS) << RING_BITS) + w % RINGS;
                read_token = {NODES{slot}};
                read_word  = {NODES{number}};
                @(negedge clk);
                t = (at - 1) / FLITS;
                w = (at - 1) % FLITS;
                for (v = 0; v < NODES && at > 0; v = v + 1)
                    if (read_data[v*LINK_BITS+:LINK_BITS] !== token[t][w*LINK_BITS+:LINK_BITS]) begin
                        $display("FAIL: node %0d has flit %0d of token %0d as %h, should be %h, in run %0d", v, w, t,
                                 read_data[v*LINK_BITS+:LINK_BITS], token[t][w*LINK_BITS+:LINK_BITS], run);
                        fault;
                    end
            end
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b while tokens are read", busy, done);
                fault;
            end
        end
    endtask

    // Anything that a host may do, for ring_lockstep to compare.
    integer left, chance;
    task play_at_random;
        begin
            for (left = 40 * CYCLES; left > 0; left = left - 1) begin
                chance     = $random;
                start      = (chance & 31) == 0;
                rst        = ((chance >> 5) & 511) == 0;
                load_valid = {NODES{1'b0}};
                for (v = 0; v < NODES; v = v + 1) begin
                    if (!busy && (chance & 'h4000) != 0)
                        load_valid[v] = $random;
                    load_index = $unsigned($random) % WORDS;
                    slot       = $unsigned($random) % NODES;
                    t          = $unsigned($random) % RINGS;
                    w          = $unsigned($random) % WORDS;
                    number     = (w << RING_BITS) + t;
                    load_word[v*WORD_BITS+:WORD_BITS]      = load_index;
                    read_token[v*NODE_BITS+:NODE_BITS]     = slot;
                    read_word[v*NUMBER_BITS+:NUMBER_BITS]  = number;
                    for (t = 0; t < BITS; t = t + 1)
                        load_data[v*BITS+t] = $random;
                end
                @(negedge clk);
            end
        end
    endtask

    initial begin
        seed = 64'd `GF_TOKEN_SEED;
        if ($value$plusargs("seed=%d", seed))
            $display("seed %0d", seed);
        if ($test$plusargs("trace"))
            trace = $fopen("ring.trace", "w");
        run = 0;
        reset;
        load_all(seed);
        for (cut = 1; cut <= CUTS; cut = cut + 1) begin
            play(cut + CYCLES * cut / (CUTS + 1));
            reset;
            play(CYCLES - cut); // at the end, too, when counters have stopped
            reset;
        end
        play(CYCLES + 1); // the tokens are still there
        check;
        read_all;
        run = 1;
        play(CYCLES + 1);
        check_run;
        run = 2;
        play(CYCLES + 1); // i_start is 1 in the cycle of o_done
        check;
        read_all;
        // The tokens with all bits turned over, the last word in the cycle of i_start; and once more, not loaded anew.
        run = 3;
        for (v = 0; v < NODES; v = v + 1)
            token[v] = ~token[v];
        load_words(0, WORDS);
        play(CYCLES + 1);
        check;
        read_all;
        run = 4;
        play(CYCLES + 1);
        check;
        read_all;
        // Others, loaded from the cycle after o_done on, and at once a run.
        run = 5;
        play(CYCLES + 1);
        start = 1'b0;
        @(negedge clk);
        load_all(seed + 1);
        play(CYCLES + 1);
        check;
        read_all;
        if (trace != 0)
            play_at_random;
        if (faults != 0)
            $stop;
        $display("PASS: %0d tokens of %0d bits right in %0d nodes; %0d cycles = %0d x %0d + %0d", NODES, TOKEN_BITS,
                 NODES, cycles, NODES - 1, WORDS, `GF_OVERHEAD_CYCLES);
        $finish;
    end
endmodule

`default_nettype wire
