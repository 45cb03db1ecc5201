// SPDX-License-Identifier: MIT
//
// The host of a chip's nodes, by the chip's clock. While i_load is 1 it gives each its token of gossip number i_gossip;
// while i_check is 1 it reads from each what it wants: the tokens of all, or blocks of a collective. o_ready: that is
// done; o_wrong: words that were wrong.
`default_nettype none
`include "gfab_op.vh"
`include "gossip_fabric_parameters.vh"

module gfab_chip_host #(
    parameter                HERE = 1, // nodes
    parameter [HERE*32-1:0]  NODE = 0  // their numbers in the whole fabric
) (
    input  wire                          i_clk,
    input  wire [31:0]                   i_gossip,
    input  wire                          i_load,
    input  wire                          i_check,
    output reg                           o_ready,
    output reg  [31:0]                   o_wrong,
    output reg  [HERE-1:0]               o_load_valid,
    output reg  [HERE*`GF_LOAD_BITS-1:0] o_load_word,
    output reg  [HERE*`GF_WORD_BITS-1:0] o_load_data,
    output wire [HERE*`GF_SLOT_BITS-1:0] o_read_token,
    output wire [HERE*`GF_INDEX_BITS-1:0] o_read_word,
    input  wire [HERE*`GF_WORD_BITS-1:0] i_read_data
);
    localparam WORD_BITS  = `GF_WORD_BITS;
    localparam LOAD_BITS  = `GF_LOAD_BITS;
    localparam SLOT_BITS  = `GF_SLOT_BITS;
    localparam INDEX_BITS = `GF_INDEX_BITS;

    // A word of a part or block; what is beyond its bits is 0.
    function [WORD_BITS-1:0] word_of(input [31:0] gossip, input [31:0] part, input [31:0] word);
        integer b;
        reg [31:0] hash;
        begin
            hash = 32'd0;
            for (b = 0; b < WORD_BITS; b = b + 1) begin
                if (b % 16 == 0) begin
                    hash = gossip * 32'h9e3779b1 + part * 32'h85ebca77 + word * 32'hc2b2ae3d + b;
                    hash = (hash ^ (hash >> 15)) * 32'h2c1b3c6d;
                    hash = (hash ^ (hash >> 12)) * 32'h297a2d39;
                    hash = hash ^ (hash >> 15);
                end
                word_of[b] = (word * WORD_BITS + b < `GF_PART_BITS) & hash[b%16];
            end
        end
    endfunction

    // What nodes have at the start and in the end, a bit for each node and number: tokens, in parts, or blocks. Where
    // they are counted the host numbers those of a node among themselves.
    localparam NODES   = `GF_NODES;
    localparam COUNTED = `GF_COUNTED;
    localparam W       = `GF_PART_BITS;
`ifdef GF_HELD
    localparam NUMBERS = `GF_BLOCKS; // of a node
    localparam READS   = `GF_BLOCKS;
    localparam [`GF_PROGRAMS*NODES*NUMBERS-1:0] HELD   = `GF_HELD;
    localparam [`GF_PROGRAMS*NODES*READS-1:0]   WANTED = `GF_WANTED;
`else
    localparam NUMBERS = `GF_PARTS;
    localparam READS   = NODES * NUMBERS;
    localparam [NODES*NUMBERS-1:0] HELD   = {NODES*NUMBERS{1'b1}};
    localparam [NODES*READS-1:0]   WANTED = {NODES*READS{1'b1}};
`endif

    // Each gossip plays the next program.
    wire [31:0] first = i_gossip % `GF_PROGRAMS * NODES;

    // A whole part or block of a node, or of all that hold it combined.
    function [W-1:0] bits_of(input [31:0] gossip, input integer node, input integer number);
        integer k;
        reg [`GF_WORDS*WORD_BITS-1:0] all;
        begin
            for (k = 0; k < `GF_WORDS; k = k + 1)
                all[k*WORD_BITS+:WORD_BITS] = word_of(gossip, node * NUMBERS + number, k);
            bits_of = all[W-1:0];
        end
    endfunction

    function [W-1:0] combined(input [W-1:0] x, input [W-1:0] y);
        reg signed [W-1:0] i, j;
        begin
            i = x;
            j = y;
            case (`GF_OPERATOR)
                `GFAB_OPERATOR_SUM:  combined = x + y;
                `GFAB_OPERATOR_AND:  combined = x & y;
                `GFAB_OPERATOR_OR:   combined = x | y;
                `GFAB_OPERATOR_XOR:  combined = x ^ y;
                `GFAB_OPERATOR_MIN:  combined = i < j ? x : y;
                `GFAB_OPERATOR_MAX:  combined = i > j ? x : y;
                `GFAB_OPERATOR_UMIN: combined = x < y ? x : y;
                default:             combined = x > y ? x : y;
            endcase
        end
    endfunction

    function [W-1:0] total(input [31:0] gossip, input integer number);
`ifdef GF_HELD
        integer n;
        reg     first;
        begin
            total = {W{1'b0}};
            first = 1'b1;
            for (n = 0; n < NODES; n = n + 1)
                if (HELD[(gossip%`GF_PROGRAMS*NODES+n)*NUMBERS+number]) begin
                    total = first ? bits_of(gossip, n, number) : combined(total, bits_of(gossip, n, number));
                    first = 1'b0;
                end
        end
`else
        total = bits_of(gossip, number / NUMBERS, number % NUMBERS);
`endif
    endfunction

    // The numbers that the host gives the nodes' `number`, which may be none of theirs; once for each, in turn.
    integer    named [0:HERE-1];
    reg [31:0] number, word;
    task name(input wanted);
        integer n;
        reg     more; // the one before is the node's
        for (n = 0; n < HERE; n = n + 1)
            if (number == 0) // counted ones go on from program to program
                named[n] = COUNTED ? i_gossip % `GF_PROGRAMS * ((wanted ? `GF_READS : `GF_LOADS) / `GF_PROGRAMS) : 0;
            else begin
                more = wanted ? WANTED[(first+NODE[n*32+:32])*READS+number-1]
                              : HELD[(first+NODE[n*32+:32])*NUMBERS+number-1];
                if (!COUNTED || (more && (!wanted || named[n] < `GF_READS - 1)))
                    named[n] = named[n] + 1;
            end
    endtask

    integer step, v; // words so far
    reg [WORD_BITS-1:0]          mask;
    reg [`GF_WORDS*WORD_BITS-1:0] right;
    reg [SLOT_BITS-1:0]          slot;
    reg [LOAD_BITS-1:0]          load_word;
    reg [HERE*SLOT_BITS-1:0]     token;
    reg [INDEX_BITS-1:0]         index;

    assign o_read_token = token;
    assign o_read_word  = {HERE{index}};

    initial begin
        o_ready      = 1'b0;
        o_wrong      = 32'd0;
        o_load_valid = {HERE{1'b0}};
        token        = {HERE*SLOT_BITS{1'b0}}; // where faults are noticed only what there is may be asked for
        index        = {INDEX_BITS{1'b0}};
        step         = 0;
    end

    always @(posedge i_clk) begin
        o_load_valid <= {HERE{1'b0}};
        o_ready      <= (i_load && step >= NUMBERS * `GF_WORDS) || (i_check && step >= READS * `GF_WORDS + 2);
        step         <= (i_load || i_check) ? step + 1 : 0;
        number = step / `GF_WORDS;
        word   = step % `GF_WORDS;
        if (word == 0 && (i_load || i_check))
            name(i_check);
        if (i_load && step < NUMBERS * `GF_WORDS)
            for (v = 0; v < HERE; v = v + 1) begin
                load_word       = (named[v] << INDEX_BITS) + word;
                o_load_valid[v] <= !COUNTED || HELD[(first+NODE[v*32+:32])*NUMBERS+number];
                o_load_word[v*LOAD_BITS+:LOAD_BITS] <= load_word;
                o_load_data[v*WORD_BITS+:WORD_BITS] <= word_of(i_gossip, NODE[v*32+:32] * NUMBERS + number, word);
            end
        if (i_check && step < READS * `GF_WORDS) begin
            for (v = 0; v < HERE; v = v + 1) begin
                slot = named[v];
                token[v*SLOT_BITS+:SLOT_BITS] <= slot;
            end
            index <= word[INDEX_BITS-1:0];
        end
        // What is asked for by one edge is read behind the next, and looked at by the one after that.
        if (i_check && step >= 2 && step < READS * `GF_WORDS + 2) begin
            number = (step - 2) / `GF_WORDS;
            word   = (step - 2) % `GF_WORDS;
            if (word == 0)
                right = total(i_gossip, number);
            // Above a block's top bit may be a carry.
            mask = ({{(`GF_WORDS*WORD_BITS-W){1'b0}}, {W{1'b1}}} >> (word * WORD_BITS)) |
                   {WORD_BITS{`GF_OPERATOR == 0}};
            for (v = 0; v < HERE; v = v + 1)
                if (WANTED[(first+NODE[v*32+:32])*READS+number] &&
                    ((i_read_data[v*WORD_BITS+:WORD_BITS] ^ right[word*WORD_BITS+:WORD_BITS]) & mask) !== 0) begin
                    if (o_wrong == 0)
                        $display("FAIL: gossip %0d: node %0d has word %0d of %0d as %h, should be %h", i_gossip,
                                 NODE[v*32+:32], word, number, i_read_data[v*WORD_BITS+:WORD_BITS],
                                 right[word*WORD_BITS+:WORD_BITS]);
                    o_wrong <= o_wrong + 1;
                end
        end
    end
endmodule

`default_nettype wire
