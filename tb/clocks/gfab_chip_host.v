// SPDX-License-Identifier: MIT
//
// The host of a chip's nodes, by the chip's clock. While i_load is 1 it gives each its token of gossip number i_gossip;
// while i_check is 1 it reads the tokens of all nodes from each. o_ready: that is done; o_wrong: words that were wrong.
`default_nettype none
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

    // A word of a part; what is beyond the part's bits is 0.
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

    localparam LOADS = `GF_PARTS * `GF_WORDS;
    localparam READS = `GF_NODES * LOADS;

    integer step, v; // words so far
    reg [31:0]           part, word;
    reg [WORD_BITS-1:0]  right;
    reg [LOAD_BITS-1:0]  load_word;
    reg [SLOT_BITS-1:0]  token;
    reg [INDEX_BITS-1:0] index;

    assign o_read_token = {HERE{token}};
    assign o_read_word  = {HERE{index}};

    initial begin
        o_ready      = 1'b0;
        o_wrong      = 32'd0;
        o_load_valid = {HERE{1'b0}};
        step         = 0;
    end

    always @(posedge i_clk) begin
        o_load_valid <= {HERE{1'b0}};
        o_ready      <= (i_load && step >= LOADS) || (i_check && step >= READS + 2);
        step         <= (i_load || i_check) ? step + 1 : 0;
        part = step / `GF_WORDS;
        word = step % `GF_WORDS;
        if (i_load && step < LOADS) begin
            load_word    = (part << INDEX_BITS) + word;
            o_load_valid <= {HERE{1'b1}};
            o_load_word  <= {HERE{load_word}};
            for (v = 0; v < HERE; v = v + 1)
                o_load_data[v*WORD_BITS+:WORD_BITS] <= word_of(i_gossip, NODE[v*32+:32] * `GF_PARTS + part, word);
        end
        if (i_check && step < READS) begin
            token <= part[SLOT_BITS-1:0];
            index <= word[INDEX_BITS-1:0];
        end
        // What is asked for by one edge is read behind the next, and looked at by the one after that.
        if (i_check && step >= 2 && step < READS + 2) begin
            part  = (step - 2) / `GF_WORDS;
            word  = (step - 2) % `GF_WORDS;
            right = word_of(i_gossip, part, word);
            for (v = 0; v < HERE; v = v + 1)
                if (i_read_data[v*WORD_BITS+:WORD_BITS] !== right) begin
                    if (o_wrong == 0)
                        $display("FAIL: gossip %0d: node %0d has word %0d of part %0d as %h, should be %h", i_gossip,
                                 NODE[v*32+:32], word, part, i_read_data[v*WORD_BITS+:WORD_BITS], right);
                    o_wrong <= o_wrong + 1;
                end
        end
    end
endmodule

`default_nettype wire
