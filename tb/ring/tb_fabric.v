// SPDX-License-Identifier: MIT
//
// Plays runs of a ring fabric: loads what every node starts with, starts, counts the cycles, and reads every flit of
// every item back from every node. Of an all-gather items are the tokens, of which a node loads its own; where blocks
// are combined items are the blocks, and a node loads its contributions to all of them. The numbers come from the
// generated gossip_fabric_parameters.vh; the module is gossip_fabric.v or a netlist of it.
//
//     iverilog -g2005 -Itb -s tb_fabric -o tb.vvp -c gossip_fabric.f tb/tb_fabric.v && vvp -N tb.vvp
//
// Runs that a reset cuts off come first, then one after the other: of what was loaded; of what is there then, totals
// where blocks are combined; again, with i_start in the cycle of o_done; of what is loaded from the cycle after o_done
// on, the last of it in the cycle of i_start: each bit that was loaded first turned over, so that each is 0 and 1
// once; once more, with nothing loaded; and of other numbers, loaded from the cycle after a reset on, of many where
// the least is wanted. Prints one line, PASS, or FAIL for each thing that is wrong and then stops, which ends vvp -N
// with status 1. +seed=<n>: other numbers. +trace: inputs and outputs of every cycle in ring.trace, for ring_lockstep.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module tb_fabric;
    localparam COMBINES    = `GF_COMBINES;
    localparam NODES       = `GF_NODES;
    localparam RINGS       = `GF_RINGS;
    localparam ROUNDS      = `GF_ROUNDS;
    localparam LINK_BITS   = `GF_LINK_BITS;
    localparam BITS        = RINGS * LINK_BITS;
    localparam OUT_BITS    = `GF_ABREAST * BITS; // of a node
    localparam TOKEN_BITS  = `GF_TOKEN_BITS;
    localparam FLITS       = `GF_FLITS;
    localparam WORDS       = `GF_WORDS;
    localparam NODE_BITS   = `GF_NODE_BITS;
    localparam NUMBER_BITS = `GF_NUMBER_BITS;
    localparam ROUND_BITS  = ROUNDS > 1 ? $clog2(ROUNDS) : 0;
    localparam RING_BITS   = RINGS > 1 ? $clog2(RINGS) : 0;
    localparam FLIT_BITS   = FLITS > 1 ? $clog2(FLITS) : 0;
    localparam ITEMS       = COMBINES ? NODES * ROUNDS * RINGS : NODES; // with padding
    localparam ITEM_BITS   = `GF_BLOCK_BITS;
    localparam HAS_BITS    = COMBINES ? TOKEN_BITS : WORDS * BITS; // of an item, with padding
    localparam LOADS       = COMBINES ? ITEMS * FLITS : WORDS;
    localparam LOAD_BITS   = COMBINES ? ITEM_BITS + FLIT_BITS : `GF_WORD_BITS;
    localparam DATA_BITS   = COMBINES ? LINK_BITS : BITS; // of what is loaded in a cycle
    localparam WRITES      = COMBINES ? RINGS : 1; // stores of a node
    localparam TRACE_BITS  = COMBINES ? NODE_BITS + ROUND_BITS + FLIT_BITS : $clog2(NODES/`GF_ABREAST) + `GF_WORD_BITS;
    localparam WAIT        = `GF_READ_WAIT; // from a read to its flit
    localparam CYCLES      = `GF_CYCLES;
    localparam STORED      = COMBINES ? (`GF_ALL ? NODES : 1) * ROUNDS * FLITS : (`GF_STEPS + `GF_SHIFTS) * WORDS;
    localparam CUTS        = COMBINES ? 3 : 5;
    localparam MORE        = `GF_OPERATOR > 4 ? 1 + 256 / ITEMS : 1; // runs: what is least takes many numbers
    localparam MOST_FAULTS = 10; // that are printed

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                          rst = 1'b1;
    reg                          start = 1'b0;
    wire                         busy, done;
    reg  [NODES-1:0]             load_valid = {NODES{1'b0}};
    reg  [NODES*LOAD_BITS-1:0]   load_word = {NODES*LOAD_BITS{1'b0}};
    reg  [NODES*DATA_BITS-1:0]   load_data = {NODES*DATA_BITS{1'b0}};
    reg  [NODES*ITEM_BITS-1:0]   read_token = {NODES*ITEM_BITS{1'b0}};
    reg  [NODES*NUMBER_BITS-1:0] read_word = {NODES*NUMBER_BITS{1'b0}};
    wire [NODES*LINK_BITS-1:0]   read_data;
    wire                         trace_drive;
    wire [NODES*OUT_BITS-1:0]    trace_link, trace_data;
    wire [NODES*WRITES-1:0]      trace_write;
    wire [NODES*TRACE_BITS-1:0]  trace_address;

    `GF_FABRIC u_fabric (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_drive(trace_drive), .o_trace_link(trace_link), .o_trace_write(trace_write),
        .o_trace_address(trace_address), .o_trace_data(trace_data)
    );
    wire error; // that a protected fabric has noticed: nothing flips here
    generate
        if (`GF_PROTECT) begin : gen_protect
            assign error = |{u_fabric.o_error, u_fabric.o_fault};
        end else begin : gen_plain
            assign error = 1'b0;
        end
    endgenerate

    // What each node has of each item: bits 64 i .. 64 i + 63 of the n-th, n = node * ITEMS + item, are
    // splitmix64(seed * 2^32 + 64 n + i), or turned over; above W padding, 1 and 0. Of an all-gather nodes start with
    // their own. alike: contributions to a block have the upper bits in common, of each block and ring another
    // number of them, so that lower bits decide which is the least.
    reg [HAS_BITS-1:0] has [0:NODES*ITEMS-1];
    reg [63:0] seed, limb;
    task fill(input [63:0] of_seed, input turned, input alike);
        integer n, i;
        reg [63:0] z;
        for (n = 0; n < NODES * ITEMS; n = n + 1)
            if (COMBINES || n / ITEMS == n % ITEMS) begin
                has[n] = {HAS_BITS{of_seed[0] ^ turned}};
                for (i = 0; i < TOKEN_BITS; i = i + 1) begin
                    if (i % 64 == 0) begin
                        z = (of_seed << 32) + n * 64 + i / 64 + 64'h9e3779b97f4a7c15;
                        z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
                        z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
                        limb = z ^ (z >> 31);
                    end
                    has[n][i] = limb[i % 64] ^ turned;
                    if (alike && n >= ITEMS && i > n % ITEMS / RINGS % TOKEN_BITS)
                        has[n][i] = has[n%ITEMS][i];
                end
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
    reg [HAS_BITS-1:0] item;
    task carry_out;
        integer n, u;
        for (n = 0; n < ITEMS; n = n + 1) begin
            item = has[COMBINES ? n : n * ITEMS + n];
            for (u = 1; COMBINES && u < NODES; u = u + 1)
                item = combined(item[TOKEN_BITS-1:0], has[u*ITEMS+n][TOKEN_BITS-1:0]);
            for (u = 0; u < NODES; u = u + 1)
                if (!COMBINES || `GF_ALL || n / RINGS / ROUNDS == u)
                    has[u*ITEMS+n] = item;
        end
    endtask

    // Blocks are counted with the ring as the fastest, then the round; {home, round, ring} has bits for each.
    function [ITEM_BITS-1:0] number_of(input integer n);
        number_of = !COMBINES ? n
                  : (((n / RINGS / ROUNDS << ROUND_BITS) + n / RINGS % ROUNDS) << RING_BITS) + n % RINGS;
    endfunction
    // Of a flit: {word, ring} of a token.
    function [NUMBER_BITS-1:0] flit_of(input integer n);
        flit_of = COMBINES ? n : ((n / RINGS) << RING_BITS) + n % RINGS;
    endfunction
    // What is loaded n-th.
    function [LOAD_BITS-1:0] load_of(input integer n);
        load_of = COMBINES ? (number_of(n / FLITS) << FLIT_BITS) + n % FLITS : n;
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

    // What is unknown at power-up must not reach an output, but what is read of a store. While nothing is busy that is
    // written which the host loads, a cycle later, or of an all-gather at once, and nothing else but the last totals; a
    // run stores each item once.
    integer trace = 0;
    integer node;
    integer stored [0:NODES*WRITES-1];
    reg [NODES-1:0] loaded_q = {NODES{1'b0}};
    reg             busy_q = 1'b1;
    // All of it at the end of a cycle.
    always @(posedge clk) begin
        if (!rst) begin
            if ((^{busy, done, trace_drive, trace_write}) === 1'bx || (trace_drive && (^trace_link) === 1'bx) ||
                error !== 1'b0) begin
                $display("FAIL: busy %b, done %b, drive %b, write %b, error %b at %0t", busy, done, trace_drive,
                         trace_write, error, $time);
                fault;
            end
            for (node = 0; node < NODES; node = node + 1)
                if (!busy && (trace_drive || (!loaded_q[node] && !(COMBINES ? busy_q : load_valid[node]) &&
                                              trace_write[node*WRITES+:WRITES] !== 0))) begin
                    $display("FAIL: nothing is busy, and drive is %b, write %b at %0t", trace_drive, trace_write,
                             $time);
                    fault;
                end
        end
        loaded_q <= load_valid;
        busy_q   <= busy;
        for (node = 0; node < NODES * WRITES; node = node + 1)
            stored[node] = stored[node] +
                           ((busy === 1'b1 || (COMBINES && busy_q === 1'b1)) && trace_write[node] === 1'b1);
        if (trace != 0)
            $fwrite(trace, "%b %b %b %h %h %h %h %b %b %b %b %h %b %h %h\n", rst, start, load_valid, load_word,
                    load_data, read_token, read_word, busy, done, read_data, trace_drive, trace_link, trace_write,
                    trace_address, trace_data);
    end

    integer v, t, w, at, cycles, run, cut;
    reg [ITEM_BITS-1:0]       slot;
    reg [NUMBER_BITS-1:0]     number;
    reg [LOAD_BITS-1:0]       load_index;
    reg [NODES*DATA_BITS-1:0] next_data;

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

    // All that nodes start with; the last cycle is left to the caller.
    task load_words;
        begin
            load_valid = {NODES{1'b1}};
            for (w = 0; w < LOADS; w = w + 1) begin
                load_index = load_of(w);
                for (v = 0; v < NODES; v = v + 1)
                    next_data[v*DATA_BITS+:DATA_BITS] =
                        has[v*ITEMS+(COMBINES?w/FLITS:v)] >> (COMBINES ? w % FLITS * LINK_BITS : w * BITS);
                load_word = {NODES{load_index}};
                load_data = next_data;
                if (w + 1 < LOADS)
                    @(negedge clk);
            end
        end
    endtask

    task load_all;
        begin
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
            for (v = 0; v < NODES * WRITES; v = v + 1)
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
            carry_out;
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
            @(negedge clk); // the last total's write
            for (v = 0; v < NODES * WRITES; v = v + 1)
                if (stored[v] != STORED && (run == 0 || run == 4)) begin
                    $display("FAIL: node %0d stored %0d words in store %0d, should be %0d", v / WRITES, stored[v],
                             v % WRITES, STORED);
                    fault;
                end
        end
    endtask

    // A read in every cycle.
    task read_all;
        begin
            for (at = 0; at < ITEMS * FLITS + WAIT - 1; at = at + 1) begin
                slot       = number_of(at / FLITS % ITEMS);
                number     = flit_of(at % FLITS);
                read_token = {NODES{slot}};
                read_word  = {NODES{number}};
                @(negedge clk);
                t = (at - WAIT + 1) / FLITS;
                w = (at - WAIT + 1) % FLITS;
                for (v = 0; v < NODES && at >= WAIT - 1; v = v + 1) begin
                    item = has[v*ITEMS+t] >> (w * LINK_BITS);
                    if (read_data[v*LINK_BITS+:LINK_BITS] !== item[LINK_BITS-1:0]) begin
                        $display("FAIL: node %0d has flit %0d of item %0d as %h, should be %h, in run %0d", v, w, t,
                                 read_data[v*LINK_BITS+:LINK_BITS], item[LINK_BITS-1:0], run);
                        fault;
                    end
                end
            end
            if (busy !== 1'b0 || done !== 1'b1) begin
                $display("FAIL: busy %b, done %b while all is read", busy, done);
                fault;
            end
        end
    endtask

    // Anything that a host may do, for ring_lockstep to compare.
    integer left, chance;
    task play_at_random;
        begin
            for (left = (COMBINES ? 20 : 40) * CYCLES; left > 0; left = left - 1) begin
                chance     = $random;
                start      = (chance & 31) == 0;
                rst        = ((chance >> 5) & 511) == 0;
                load_valid = {NODES{1'b0}};
                for (v = 0; v < NODES; v = v + 1) begin
                    if (!busy && (chance & 'h4000) != 0)
                        load_valid[v] = $random;
                    load_index = load_of($unsigned($random) % LOADS);
                    slot       = number_of($unsigned($random) % ITEMS);
                    number     = flit_of($unsigned($random) % (COMBINES ? FLITS : WORDS * RINGS));
                    load_word[v*LOAD_BITS+:LOAD_BITS]      = load_index;
                    read_token[v*ITEM_BITS+:ITEM_BITS]     = slot;
                    read_word[v*NUMBER_BITS+:NUMBER_BITS]  = number;
                    for (t = 0; t < DATA_BITS; t = t + 1)
                        load_data[v*DATA_BITS+t] = $random;
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
        fill(seed, 1'b0, 1'b0);
        load_all;
        for (cut = 1; cut <= CUTS; cut = cut + 1) begin
            play(cut + CYCLES * cut / (CUTS + 1));
            reset;
            play(CYCLES - cut); // at the end, too, when counters have stopped
            reset;
        end
        if (COMBINES) // contributions may be totals by now; tokens are still there
            load_all;
        play(CYCLES + 1);
        check;
        read_all;
        run = 1;
        play(CYCLES + 1);
        check_run;
        run = 2;
        play(CYCLES + 1); // i_start is 1 in the cycle of o_done
        check;
        read_all;
        run = 3;
        play(CYCLES + 1);
        start = 1'b0;
        @(negedge clk);
        fill(seed, 1'b1, 1'b0);
        load_words;
        play(CYCLES + 1);
        check;
        read_all;
        run = 4;
        play(CYCLES + 1);
        check;
        read_all;
        for (run = 5; run < 5 + MORE; run = run + 1) begin
            rst = 1'b1;
            @(negedge clk);
            rst = 1'b0;
            fill(seed + run - 4, 1'b0, COMBINES && run % 2 == 0);
            load_words;
            play(CYCLES + 1);
            check;
            read_all;
        end
        if (trace != 0)
            play_at_random;
        if (faults != 0)
            $stop;
        if (COMBINES)
            $display("PASS: %0d blocks of %0d bits right in %0d nodes; %0d cycles = %0d x %0d x %0d + %0d", ITEMS,
                     TOKEN_BITS, NODES, cycles, ROUNDS, `GF_STEPS, FLITS, `GF_OVERHEAD_CYCLES);
        else
            $display("PASS: %0d tokens of %0d bits right in %0d nodes; %0d cycles = %0d x %0d + %0d", NODES, TOKEN_BITS,
                     NODES, cycles, `GF_STEPS, `GF_STEP_CYCLES, `GF_OVERHEAD_CYCLES);
        $finish;
    end
endmodule

`default_nettype wire
