// SPDX-License-Identifier: MIT
//
// Plays each collective that gossip_fabric has, each with every operator where it has all: loads every block of every
// node, starts, counts the cycles, and reads the blocks that nodes want; then all of them once more, the next in the
// cycle in which one is done. In wide nodes, and in those of an all-to-all, those alone that a node holds are loaded,
// and both are numbered among themselves, program by program; of a node that wants nothing any number is read, and is
// no fault. The fabric's numbers, and which nodes hold and want which
// blocks, come from the generated gossip_fabric_parameters.vh; the module is gossip_fabric.v or a netlist of it.
//
//     iverilog -g2005 -Irtl -Itb -s tb_fabric -o tb.vvp -c gossip_fabric.f tb/tb_fabric.v && vvp -N tb.vvp
//
// Run it where rom/ is. Prints one line, PASS, or FAIL for each thing that is wrong and then stops, which ends vvp -N
// with status 1. Plus argument: +seed=<n> for other blocks.
`default_nettype none
`include "gfab_op.vh"
`include "gossip_fabric_parameters.vh"

module tb_fabric;
    localparam NODES      = `GF_NODES;
    localparam LINKS      = `GF_LINKS;
    localparam LINK_BITS  = `GF_LINK_BITS;
    localparam W          = `GF_TOKEN_BITS;
    localparam BLOCKS     = `GF_BLOCKS;
    localparam COUNTED    = `GF_COUNTED;
    localparam LOADS      = COUNTED ? `GF_LOADS / `GF_PROGRAMS : 0; // numbers of each program
    localparam READS      = COUNTED ? `GF_READS / `GF_PROGRAMS : 0;
    localparam WORDS      = `GF_WORDS;
    localparam WORD_BITS  = `GF_WORD_BITS;
    localparam SLOT_BITS  = `GF_SLOT_BITS;
    localparam INDEX_BITS = `GF_INDEX_BITS;
    localparam LOAD_BITS  = `GF_LOAD_BITS;
    localparam PROGRAMS   = `GF_PROGRAMS;
    localparam PROGRAM_BITS = `GF_PROGRAM_BITS;
    localparam [32*PROGRAMS-1:0] CYCLES_OF = `GF_CYCLES_OF;
    localparam OPERATOR   = `GF_OPERATOR;
    localparam ALL        = (OPERATOR == `GFAB_OPERATOR_ALL);
    // Bit (program * NODES + node) * BLOCKS + block: at the start; in the end.
    localparam [PROGRAMS*NODES*BLOCKS-1:0] HELD   = `GF_HELD;
    localparam [PROGRAMS*NODES*BLOCKS-1:0] WANTED = `GF_WANTED;
    localparam MOST_FAULTS = 10; // that are printed

    reg                         clk = 1'b0;
    reg                         rst = 1'b1;
    reg                         start = 1'b0;
    wire                        busy, done;
    reg  [2:0]                  choice = 3'd0;
    reg  [PROGRAM_BITS-1:0]     asked = {PROGRAM_BITS{1'b0}};
    reg  [NODES-1:0]            load_valid = {NODES{1'b0}};
    reg  [NODES*LOAD_BITS-1:0]  load_word = {NODES*LOAD_BITS{1'b0}};
    reg  [NODES*WORD_BITS-1:0]  load_data = {NODES*WORD_BITS{1'b0}};
    reg  [NODES*SLOT_BITS-1:0]  read_token = {NODES*SLOT_BITS{1'b0}};
    reg  [NODES*INDEX_BITS-1:0] read_word = {NODES*INDEX_BITS{1'b0}};
    wire [NODES*WORD_BITS-1:0]  read_data;
    wire [2*LINKS-1:0]          trace_drive;

    `GF_FABRIC u_fabric (
`ifdef GF_ALL_OPERATORS
        .i_operator(choice),
`endif
`ifdef GF_SEVERAL_PROGRAMS
        .i_program(asked),
`endif
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_link(), .o_trace_drive(trace_drive), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );

`ifdef GF_PROTECTED
    always @(negedge clk)
        if (!rst && u_fabric.o_error !== 1'b0) begin
            $display("FAIL: error %b of node %b at %0t, and nothing is wrong", u_fabric.o_error_what,
                     u_fabric.o_error_nodes, $time);
            fault;
        end
`endif

    localparam KEPT = 1; // runs, for tb_blocks.vh
    reg [W-1:0] data [0:NODES*BLOCKS-1];
    integer     played [0:0];   // the program
    integer     operator [0:0]; // that counts: GFAB_OPERATOR_SUM .. GFAB_OPERATOR_UMAX
`include "tb_blocks.vh"

    // The blocks: bits 64 i .. 64 i + 63 of block b of node v are splitmix64(of_blocks * 2^32 + 64 (v * BLOCKS + b) +
    // i).
    reg [63:0] of_blocks, limb;
    task make_blocks;
        integer t, i;
        reg [63:0] z;
        begin
            for (t = 0; t < NODES * BLOCKS; t = t + 1)
                for (i = 0; i < W; i = i + 1) begin
                    if (i % 64 == 0) begin
                        z = (of_blocks << 32) + t * 64 + i / 64 + 64'h9e3779b97f4a7c15;
                        z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
                        z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
                        limb = z ^ (z >> 31);
                    end
                    data[t][i] = limb[i % 64];
                end
`ifdef GF_CHAINED
            play_messages(0);
`endif
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

    always @(negedge clk)
        if (!rst && (^{busy, done, trace_drive}) === 1'bx) begin
            $display("FAIL: busy %b, done %b, drive %b at %0t", busy, done, trace_drive, $time);
            fault;
        end

    integer v, b, w, p, o, cycles, last_cycles, checked;
    reg [SLOT_BITS-1:0]         slot;
    reg [LOAD_BITS-1:0]         load_index;
    reg [INDEX_BITS-1:0]        index;
    reg [NODES*WORD_BITS-1:0]   next_data; // a bus is set whole: every assignment to a part would wake all nodes
    reg [NODES*LOAD_BITS-1:0]   next_word;
    reg [NODES*SLOT_BITS-1:0]   next_token;
    integer                     number [0:NODES-1]; // of the block in the node
    reg [WORDS*WORD_BITS-1:0]   got [0:NODES-1];

    task load;
        begin
            for (v = 0; v < NODES; v = v + 1)
                number[v] = played[0] * LOADS;
            for (b = 0; b < BLOCKS; b = b + 1) begin
                for (v = 0; v < NODES; v = v + 1)
                    load_valid[v] = !COUNTED || HELD[(played[0]*NODES+v)*BLOCKS+b];
                for (w = 0; w < WORDS; w = w + 1) begin
                    for (v = 0; v < NODES; v = v + 1) begin
                        load_index = (number[v] << INDEX_BITS) + w;
                        next_word[v*LOAD_BITS+:LOAD_BITS] = load_index;
                        next_data[v*WORD_BITS+:WORD_BITS] = data[v*BLOCKS+b] >> (w * WORD_BITS);
                    end
                    load_word = next_word;
                    load_data = next_data;
                    @(negedge clk);
                end
                for (v = 0; v < NODES; v = v + 1)
                    if (load_valid[v])
                        number[v] = number[v] + 1;
            end
            load_valid = {NODES{1'b0}};
        end
    endtask

    // A number of what is read of node v: its first of the program, or where it wants nothing any number.
    function integer first_number(input integer node, input integer turn);
        if (COUNTED && WANTED[(played[0]*NODES+node)*BLOCKS+:BLOCKS] == {BLOCKS{1'b0}})
            first_number = (of_blocks[15:0] + node + turn) % `GF_READS;
        else
            first_number = played[0] * READS;
    endfunction

    // Up to the cycle in which done rises; the program has been asked for a cycle before, and next is asked for now.
    task play;
        input integer next;
        begin
            for (v = 0; v < NODES; v = v + 1) begin
                slot = first_number(v, 0);
                next_token[v*SLOT_BITS+:SLOT_BITS] = slot;
            end
            start = 1'b1; // sampled by the edge to come
            @(negedge clk);
            read_token = next_token; // what the program leaves there is read from when it is done on
            choice = ~choice; // no longer looked at, although start stays 1
            asked  = next;
            cycles = 1;
            last_cycles = CYCLES_OF[32*played[0]+:32];
            while (done !== 1'b1 && cycles <= last_cycles) begin
                @(negedge clk);
                cycles = cycles + 1;
            end
            start = 1'b0;
            if (cycles != last_cycles || done !== 1'b1) begin
                $display("FAIL: program %0d: done is %b after %0d cycles, and should rise after %0d", played[0], done,
                         cycles, last_cycles);
                fault;
            end
        end
    endtask

    task check;
        for (b = 0; b < BLOCKS; b = b + 1) begin
            for (v = 0; v < NODES; v = v + 1) begin
                if (b == 0 || first_number(v, 0) != first_number(v, 1))
                    number[v] = first_number(v, b);
                else if ((!COUNTED || WANTED[(played[0]*NODES+v)*BLOCKS+b-1]) &&
                         number[v] < (COUNTED ? (played[0] + 1) * READS : `GF_READS) - 1)
                    number[v] = number[v] + 1;
                slot = number[v];
                next_token[v*SLOT_BITS+:SLOT_BITS] = slot;
            end
            for (w = 0; w < WORDS; w = w + 1) begin
                index = w;
                read_token = next_token;
                read_word  = {NODES{index}};
                @(negedge clk);
                for (v = 0; v < NODES; v = v + 1)
                    got[v][w*WORD_BITS+:WORD_BITS] = read_data[v*WORD_BITS+:WORD_BITS];
            end
            for (v = 0; v < NODES; v = v + 1)
                if (WANTED[(played[0]*NODES+v)*BLOCKS+b]) begin
                    checked = checked + 1;
                    if (got[v][W-1:0] !== total(0, v, b)) begin
                        $display("FAIL: operator %0d: node %0d has block %0d as %h, should be %h", operator[0], v, b,
                                 got[v][W-1:0], total(0, v, b));
                        fault;
                    end
                end
        end
    endtask

    initial begin
        of_blocks = 64'd `GF_TOKEN_SEED;
        if ($value$plusargs("seed=%d", of_blocks))
            $display("seed %0d", of_blocks);
        checked = 0;
        // The op register and pads have no reset, and the parity of an X is an X.
        repeat (1 + `GF_LATENCY_CYCLES + `GF_PROTECT) @(negedge clk);
        rst = 1'b0;
        for (p = 0; p < PROGRAMS; p = p + 1) begin
            played[0] = p;
            asked = p;
            for (o = (ALL ? `GFAB_OPERATOR_FIRST : OPERATOR); o <= (ALL ? `GFAB_OPERATOR_UMAX : OPERATOR);
                 o = o + 1) begin
                operator[0] = o;
                make_blocks;
                load;
                choice = o - `GFAB_OPERATOR_FIRST;
                play(p);
                @(negedge clk);
                check;
                of_blocks = of_blocks + 1;
            end
        end
        asked = {PROGRAM_BITS{1'b0}};
        @(negedge clk);
        for (p = 0; p < PROGRAMS; p = p + 1) begin
            played[0] = p;
            play((p + 1) % PROGRAMS);
        end
        if (faults != 0)
            $stop;
        last_cycles = CYCLES_OF[31:0];
        $display("PASS: %0d blocks of %0d bits right; %0d cycles = %0d rounds x %0d + %0d", checked, W,
                 last_cycles, `GF_ROUNDS, `GF_CYCLES_PER_ROUND, `GF_OVERHEAD_CYCLES);
        if (PROGRAMS > 1)
            $display("      %0d programs, also one behind another", PROGRAMS);
        $finish;
    end
endmodule

`default_nettype wire
