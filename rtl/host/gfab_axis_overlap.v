// SPDX-License-Identifier: MIT
//
// What lets a node's host side give the results of one collective while the next one is loaded and played: a second
// store, in two halves. What is written to the node's store, on the way in and by the collective, is written here, too,
// to one half; results are read from the other. i_take is 1 for a cycle when a collective is over and o_idle is 1 in
// all nodes: the halves swap, and o_unload lets a gfab_axis_host, or gfab_axis_blocks, of its own give these results,
// in any phase, also after an error, which ends a later collective than theirs.
//
// A wide node has several banks, each of which writes a word a cycle, so that there are as many RAMs here, of two
// halves each; a result comes from one of them. A slot is then an address in a bank; what comes in has one in all.
//
// PROTECT: a word has its check bit beside it, as in gfab_lane_store, where that of what the collective writes is made,
// or in gfab_banks, or, with 2, made here; it is tested as the word is read. Which half is written is kept twice, and
// of the bits that say which bank is read an odd number is to be 1.
//
// Latency: o_read_data belongs to the i_read_bank, i_read_slot and i_read_word of the cycle before; o_fault, with
// PROTECT, comes a cycle after the word.
`default_nettype none
`include "gfab_bits.vh"

module gfab_axis_overlap #(
    parameter SLOTS     = 16, // that an op can name, 2 or more
    parameter STORE_SLOTS = SLOTS, // of the node's store, 1 .. SLOTS
    parameter PARTS     = 1,  // of a token, 1 or more
    parameter WORDS     = 4,  // store words of a part, 1 or more
    parameter WORD_BITS = 8,  // 1 or more
    parameter GIVES     = 1,  // 0: no host reads from it
    parameter BANKS     = 1,  // 1 or more; 1 for a narrow node
    parameter ANY_SLOT  = 0,  // 1: i_load_word is {slot, word}; 0: {part, word} of the node's own token
    parameter PROTECT   = 0   // 1: faults are noticed; 2: and what the collective writes comes without check bits
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_take,
    output wire                         o_idle, // all results are out
    // the host that gives
    output wire                         o_unload,
    input  wire                         i_given, // its o_done
    input  wire [`GFAB_BITS(BANKS)-1:0] i_read_bank, // below BANKS
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_read_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [WORD_BITS-1:0]         o_read_data,
    output wire                         o_fault,
    // what is loaded; while it is, the collective writes nothing
    input  wire                         i_load_valid,
    input  wire [BANKS-1:0]             i_load_banks, // that take it
    input  wire [`GFAB_BITS(WORDS)+(ANY_SLOT ? `GFAB_BITS(SLOTS) : `GFAB_PART_BITS(PARTS))-1:0] i_load_word,
    input  wire [WORD_BITS-1:0]         i_load_data,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_own_slot, // constant: the first one of the node's own token
    // what the collective writes to the node's store, each bank
    input  wire [BANKS-1:0]             i_write,
    input  wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0] i_write_address,
    input  wire [BANKS*WORD_BITS-1:0]   i_write_data,
    input  wire [BANKS-1:0]             i_write_check // with PROTECT 1
);
    localparam SLOT_BITS   = `GFAB_BITS(SLOTS);
    localparam STORE_BITS  = `GFAB_BITS(STORE_SLOTS); // of a slot's number in the RAM
    localparam INDEX_BITS  = `GFAB_BITS(WORDS);
    localparam STORED_BITS = WORD_BITS + (PROTECT != 0 ? 1 : 0);

    reg unload_q;
    reg half_q; // which is written
    always @(posedge i_clk) begin
        unload_q <= ~i_rst & (i_take | (unload_q & ~i_given));
        half_q   <= ~i_rst & (half_q ^ i_take);
    end
    assign o_idle   = ~unload_q;
    assign o_unload = unload_q;

    wire [SLOT_BITS+INDEX_BITS-1:0] load_address;
    generate
        if (ANY_SLOT) begin : gen_any
            assign load_address = i_load_word;
        end else if (PARTS > 1) begin : gen_part
            localparam PART_BITS = `GFAB_PART_BITS(PARTS);
            wire [SLOT_BITS-1:0] part = {{(SLOT_BITS-PART_BITS){1'b0}}, i_load_word[INDEX_BITS+:PART_BITS]};
            wire [SLOT_BITS-1:0] slot = i_own_slot + part;
            assign load_address = {slot, i_load_word[INDEX_BITS-1:0]};
        end else begin : gen_whole
            assign load_address = {i_own_slot, i_load_word};
        end
    endgenerate

    wire [BANKS*STORED_BITS-1:0] bank_words;
    reg  [STORED_BITS-1:0]       stored_out;
    wire [BANKS-1:0]             chosen; // the bank whose word it is
    wire [SLOT_BITS+INDEX_BITS-1:0] write_address = i_load_valid ? load_address : i_write_address;
    integer                      r;
    always @* begin
        stored_out = {STORED_BITS{1'b0}};
        for (r = 0; r < BANKS; r = r + 1)
            stored_out = stored_out | (bank_words[r*STORED_BITS+:STORED_BITS] & {STORED_BITS{chosen[r]}});
    end
    assign o_read_data = stored_out[WORD_BITS-1:0];

    genvar b;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            wire [STORED_BITS-1:0] stored_in;
            gfab_store #(
                .ADDRESS_BITS(1 + STORE_BITS + INDEX_BITS), .WORD_BITS(STORED_BITS)
            ) u_store (
                .i_clk(i_clk), .i_read_address({~half_q, i_read_slot[STORE_BITS-1:0], i_read_word}),
                .o_read_data(bank_words[b*STORED_BITS+:STORED_BITS]),
                .i_write_enable((i_load_valid & i_load_banks[b]) | i_write[b]),
                .i_write_address({half_q, write_address[STORE_BITS+INDEX_BITS-1:0]}),
                .i_write_data(stored_in)
            );
            wire [WORD_BITS-1:0] write_data = i_write_data[b*WORD_BITS+:WORD_BITS];
            if (PROTECT != 0) begin : gen_check
                wire check = PROTECT == 2 ? ~^write_data : i_write_check[b];
                assign stored_in = i_load_valid ? {~^i_load_data, i_load_data} : {check, write_data};
            end else begin : gen_no_check
                assign stored_in = i_load_valid ? i_load_data : write_data;
            end
        end

        if (BANKS > 1) begin : gen_banks
            reg [BANKS-1:0] chosen_q;
            always @(posedge i_clk)
                chosen_q <= {{(BANKS-1){1'b0}}, 1'b1} << i_read_bank;
            assign chosen = chosen_q;
        end else begin : gen_one_bank
            assign chosen = 1'b1;
        end

        if (PROTECT != 0) begin : gen_checks
            (* keep *) reg other_q; // ~half_q, kept apart from it
            (* keep *) reg rest_q;  // ~unload_q, likewise
            reg tested_q, fault_q;
            always @(posedge i_clk) begin
                other_q  <= i_rst | ~(half_q ^ i_take);
                rest_q   <= i_rst | ~(i_take | (unload_q & ~i_given));
                tested_q <= ~i_rst & unload_q & (GIVES != 0);
                fault_q  <= ~i_rst & ((tested_q & (~^stored_out | ~^chosen)) | (half_q == other_q)
                                      | (unload_q == rest_q));
            end
            assign o_fault = fault_q;
        end else begin : gen_no_checks
            assign o_fault = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
