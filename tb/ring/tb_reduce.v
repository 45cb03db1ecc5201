// SPDX-License-Identifier: MIT
//
// Plays runs of a ring fabric that combines: loads every node's contributions to every block, starts, counts the
// cycles, and reads every flit of every block back from every node: totals where they are to be, contributions
// elsewhere. The numbers come from the generated gossip_fabric_parameters.vh; the module is gossip_fabric.v or a
// netlist of it.
//
//     iverilog -g2005 -Itb -s tb_fabric -o tb.vvp -c gossip_fabric.f tb/tb_fabric.v && vvp -N tb.vvp
//
// Runs that a reset cuts off come first, and all is loaded again; then one after the other: of what was loaded; of what
// is there then, totals that is, with i_start in the cycle of o_done; of contributions that are loaded from the cycle
// after o_done on, the last flit in the cycle of i_start. Prints one line, PASS, or FAIL for each thing that is wrong
// and then stops, which ends vvp -N with status 1. +seed=<n>: other contributions. +trace: inputs and outputs of every
// cycle in ring.trace, for ring_lockstep.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_fabric;
    localparam NODES       = `GF_NODES;
    localparam RINGS       = `GF_RINGS;
    localparam ROUNDS      = `GF_ROUNDS;
    localparam LINK_BITS   = `GF_LINK_BITS;
    localparam BITS        = RINGS * LINK_BITS;
    localparam TOKEN_BITS  = `GF_TOKEN_BITS;
    localparam FLITS       = `GF_FLITS;
    localparam NODE_BITS   = `GF_NODE_BITS;
    localparam ROUND_BITS  = ROUNDS > 1 ? $clog2(ROUNDS) : 0;
    localparam RING_BITS   = RINGS > 1 ? $clog2(RINGS) : 0;
    localparam FLIT_BITS   = FLITS > 1 ? $clog2(FLITS) : 0;
    localparam BLOCK_BITS  = `GF_BLOCK_BITS;
    localparam LOAD_BITS   = BLOCK_BITS + FLIT_BITS;
    localparam NUMBER_BITS = `GF_NUMBER_BITS;
    localparam TRACE_BITS  = NODE_BITS + ROUND_BITS + FLIT_BITS;
    localparam BLOCKS      = NODES * ROUNDS * RINGS; // with padding
    localparam WAIT        = 1 + `GF_PIECES; // from a read to its flit
    localparam CYCLES      = `GF_CYCLES;
    localparam CUTS        = 3;
    localparam MOST_FAULTS = 10; // that are printed

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                          rst = 1'b1;
    reg                          start = 1'b0;
    wire                         busy, done;
    reg  [NODES-1:0]             load_valid = {NODES{1'b0}};
    reg  [NODES*LOAD_BITS-1:0]   load_word = {NODES*LOAD_BITS{1'b0}};
    reg  [NODES*LINK_BITS-1:0]   load_data = {NODES*LINK_BITS{1'b0}};
    reg  [NODES*BLOCK_BITS-1:0]  read_token = {NODES*BLOCK_BITS{1'b0}};
    reg  [NODES*NUMBER_BITS-1:0] read_word = {NODES*NUMBER_BITS{1'b0}};
    wire [NODES*LINK_BITS-1:0]   read_data;
    wire                         trace_drive;
    wire [NODES*BITS-1:0]        trace_link, trace_data;
    wire [NODES*RINGS-1:0]       trace_write;
    wire [NODES*TRACE_BITS-1:0]  trace_address;

    `GF_FABRIC u_fabric (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_drive(trace_drive), .o_trace_link(trace_link), .o_trace_write(trace_write),
        .o_trace_address(trace_address), .o_trace_data(trace_data)
    );

    // What each node has of each block: bits 64 i .. 64 i + 63 of the n-th, n = node * BLOCKS + block, are
    // splitmix64(seed * 2^32 + 64 n + i).
    reg [TOKEN_BITS-1:0] has [0:NODES*BLOCKS-1];
    reg [63:0] seed, limb;
    task fill(input [63:0] of_seed);
        integer n, i;
        reg [63:0] z;
        for (n = 0; n < NODES * BLOCKS; n = n + 1)
            for (i = 0; i < TOKEN_BITS; i = i + 1) begin
                if (i % 64 == 0) begin
                    z = (of_seed << 32) + n * 64 + i / 64 + 64'h9e3779b97f4a7c15;
                    z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
                    z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
                    limb = z ^ (z >> 31);
                end
                has[n][i] = limb[i % 64];
            end
    endtask

    // What a run makes of it.
    function [TOKEN_BITS-1:0] combined(input [TOKEN_BITS-1:0] a, input [TOKEN_BITS-1:0] b);
        case (`GF_OPERATOR)
            1: combined = a + b;
            2: combined = a & b;
            3: combined = a | b;
            4: combined = a ^ b;
            5: combined = $signed(a) < $signed(b) ? a : b;
            6: combined = $signed(a) < $signed(b) ? b : a;
            7: combined = a < b ? a : b;
            8: combined = a < b ? b : a;
            default: combined = {TOKEN_BITS{1'bx}};
        endcase
    endfunction
    reg [TOKEN_BITS-1:0] total;
    task reduce_all;
        integer n, u;
        for (n = 0; n < BLOCKS; n = n + 1) begin
            total = has[n];
            for (u = 1; u < NODES; u = u + 1)
                total = combined(total, has[u*BLOCKS+n]);
            for (u = 0; u < NODES; u = u + 1)
                if (`GF_ALL || n / RINGS / ROUNDS == u)
                    has[u*BLOCKS+n] = total;
        end
    endtask

    // Blocks are counted with the ring as the fastest, then the round; {home, round, ring} has bits for each.
    function [BLOCK_BITS-1:0] number_of(input integer block);
        number_of = (((block / RINGS / ROUNDS << ROUND_BITS) + block / RINGS % ROUNDS) << RING_BITS) + block % RINGS;
    endfunction

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

    // What is unknown at power-up must not reach an output, but what is read of a store. While nothing is busy flits
    // are written that the host loads, a cycle later, and no others, but for the last totals; a run stores each once.
    integer trace = 0;
    integer node, ring;
    integer stored [0:NODES*RINGS-1];
    reg [NODES-1:0] loaded_q = {NODES{1'b0}};
    reg             busy_q = 1'b1;
    // All of it at the end of a cycle.
    always @(posedge clk) begin
        if (!rst) begin
            if ((^{busy, done, trace_drive, trace_write}) === 1'bx || (trace_drive && (^trace_link) === 1'bx)) begin
                $display("FAIL: busy %b, done %b, drive %b, write %b at %0t", busy, done, trace_drive, trace_write,
                         $time);
                fault;
            end
            for (node = 0; node < NODES; node = node + 1)
                if (!busy && (trace_drive || (!busy_q && !loaded_q[node] && trace_write[node*RINGS+:RINGS] !== 0)))
                begin
                    $display("FAIL: nothing is busy, and drive is %b, write %b at %0t", trace_drive, trace_write,
                             $time);
                    fault;
                end
        end
        loaded_q <= load_valid;
        busy_q   <= busy;
        for (node = 0; node < NODES * RINGS; node = node + 1)
            stored[node] = stored[node] + ((busy === 1'b1 || busy_q === 1'b1) && trace_write[node] === 1'b1);
        if (trace != 0)
            $fwrite(trace, "%b %b %b %h %h %h %h %b %b %b %b %h %b %h %h\n", rst, start, load_valid, load_word,
                    load_data, read_token, read_word, busy, done, read_data, trace_drive, trace_link, trace_write,
                    trace_address, trace_data);
    end

    integer v, t, w, at, cycles, run, cut, expected;
    reg [BLOCK_BITS-1:0]      slot;
    reg [NUMBER_BITS-1:0]     number;
    reg [LOAD_BITS-1:0]       load_index;
    reg [NODES*LINK_BITS-1:0] next_data;

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

    // Every flit of every block; the last one's cycle is left to the caller.
    task load_words;
        begin
            load_valid = {NODES{1'b1}};
            for (w = 0; w < BLOCKS * FLITS; w = w + 1) begin
                load_index = (number_of(w / FLITS) << FLIT_BITS) + w % FLITS;
                for (v = 0; v < NODES; v = v + 1)
                    next_data[v*LINK_BITS+:LINK_BITS] = has[v*BLOCKS+w/FLITS] >> (w % FLITS * LINK_BITS);
                load_word = {NODES{load_index}};
                load_data = next_data;
                if (w + 1 < BLOCKS * FLITS)
                    @(negedge clk);
            end
        end
    endtask

    task load_all(input [63:0] of_seed);
        begin
            fill(of_seed);
            load_words;
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
            for (v = 0; v < NODES * RINGS; v = v + 1)
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
            reduce_all;
            @(negedge clk); // the last total's write
            expected = (`GF_ALL ? NODES : 1) * ROUNDS * FLITS;
            for (v = 0; v < NODES * RINGS; v = v + 1)
                if (stored[v] != expected && run == 0) begin
                    $display("FAIL: node %0d stored %0d flits of ring %0d, should be %0d", v / RINGS, stored[v],
                             v % RINGS, expected);
                    fault;
                end
        end
    endtask

    // A read in every cycle.
    task read_all;
        begin
            for (at = 0; at < BLOCKS * FLITS + WAIT - 1; at = at + 1) begin
                slot       = number_of(at / FLITS % BLOCKS);
                number     = at % FLITS;
                read_token = {NODES{slot}};
                read_word  = {NODES{number}};
                @(negedge clk);
                t = (at - WAIT + 1) / FLITS;
                w = (at - WAIT + 1) % FLITS;
                for (v = 0; v < NODES && at >= WAIT - 1; v = v + 1) begin
                    total = has[v*BLOCKS+t] >> (w * LINK_BITS);
                    if (read_data[v*LINK_BITS+:LINK_BITS] !== total[LINK_BITS-1:0]) begin
                        $display("FAIL: node %0d has flit %0d of block %0d as %h, should be %h, in run %0d", v, w, t,
                                 read_data[v*LINK_BITS+:LINK_BITS], total[LINK_BITS-1:0], run);
                        fault;
                    end
                end
            end
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b while blocks are read", busy, done);
                fault;
            end
        end
    endtask

    // Anything that a host may do, for ring_lockstep to compare.
    integer left, chance;
    task play_at_random;
        begin
            for (left = 20 * CYCLES; left > 0; left = left - 1) begin
                chance     = $random;
                start      = (chance & 31) == 0;
                rst        = ((chance >> 5) & 511) == 0;
                load_valid = {NODES{1'b0}};
                for (v = 0; v < NODES; v = v + 1) begin
                    if (!busy && (chance & 'h4000) != 0)
                        load_valid[v] = $random;
                    t          = $unsigned($random) % BLOCKS;
                    w          = $unsigned($random) % FLITS;
                    load_index = (number_of(t) << FLIT_BITS) + w;
                    t          = $unsigned($random) % BLOCKS;
                    slot       = number_of(t);
                    number     = $unsigned($random) % FLITS;
                    load_word[v*LOAD_BITS+:LOAD_BITS]      = load_index;
                    read_token[v*BLOCK_BITS+:BLOCK_BITS]   = slot;
                    read_word[v*NUMBER_BITS+:NUMBER_BITS]  = number;
                    for (t = 0; t < LINK_BITS; t = t + 1)
                        load_data[v*LINK_BITS+t] = $random;
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
        load_all(seed);
        play(CYCLES + 1);
        check;
        read_all;
        run = 1; // of the totals; then again, i_start being 1 in the cycle of o_done
        play(CYCLES + 1);
        check_run;
        reduce_all;
        play(CYCLES + 1);
        check;
        read_all;
        // Others, from the cycle after o_done on, the last flit in the cycle of i_start.
        run = 2;
        play(CYCLES + 1);
        start = 1'b0;
        @(negedge clk);
        fill(seed + 1);
        load_words;
        play(CYCLES + 1);
        check;
        read_all;
        if (trace != 0)
            play_at_random;
        if (faults != 0)
            $stop;
        $display("PASS: %0d blocks of %0d bits right in %0d nodes; %0d cycles = %0d x %0d x %0d + %0d", BLOCKS,
                 TOKEN_BITS, NODES, cycles, ROUNDS, `GF_STEPS, FLITS, `GF_OVERHEAD_CYCLES);
        $finish;
    end
endmodule

`default_nettype wire
