// SPDX-License-Identifier: MIT
//
// The store of a narrow node: its RAM, and who has it: while i_busy is 1 the program, else the host. Where a node sends
// one word while it combines another (COPY) there is a second RAM with the same words, which is read for the latter.
// A word that is read as it is written comes as anything: no program does so, and a host that does looks a cycle later.
//
// Latency: 1 cycle from the address to the word.
`default_nettype none
`include "gfab_bits.vh"

module gfab_slots #(
    parameter SLOTS       = 16, // that an op can name, 2 or more
    parameter STORE_SLOTS = SLOTS, // of the RAM, 1 .. SLOTS; a higher number is taken modulo a power of two
    parameter PARTS       = 1,  // of a token
    parameter WORDS       = 4,  // of a slot
    parameter WORD_BITS   = 8,  // with the check bit
    parameter ANY_SLOT    = 0,  // 1: the host loads every slot
    parameter OWN_RESTS   = 0,  // 1: while i_busy is 0, i_write_slot is the only one that it loads
    parameter COPY        = 0
) (
    input  wire                         i_clk,
    input  wire                         i_busy,
    // the program's
    input  wire                         i_run,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_send_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_send_word,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_combine_slot, // with COPY
    input  wire                         i_write,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_write_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    // the host's
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_own_slot,
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(WORDS)+(ANY_SLOT ? `GFAB_BITS(SLOTS) : `GFAB_PART_BITS(PARTS))-1:0] i_load_word,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_read_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    // both
    input  wire [WORD_BITS-1:0]         i_data,
    output wire [WORD_BITS-1:0]         o_word,
    output wire [WORD_BITS-1:0]         o_old // with COPY of i_combine_slot, else o_word
);
    localparam TOKEN_BITS = `GFAB_BITS(SLOTS);
    localparam STORE_BITS = `GFAB_BITS(STORE_SLOTS); // of a slot's number in the RAM
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam ADDRESS_BITS = STORE_BITS + INDEX_BITS;

    generate
        if (STORE_SLOTS < 1 || STORE_SLOTS > SLOTS) begin : gen_bad_slots
            gfab_error_store_slots_must_be_1_to_slots u_bad ();
        end
    endgenerate

    // Where a loaded word goes.
    wire [TOKEN_BITS+INDEX_BITS-1:0] load_address;
    generate
        if (ANY_SLOT) begin : gen_any
            assign load_address = i_load_word;
        end else if (PARTS > 1) begin : gen_part
            localparam PART_BITS = `GFAB_PART_BITS(PARTS);
            wire [TOKEN_BITS-1:0] part = {{(TOKEN_BITS-PART_BITS){1'b0}}, i_load_word[INDEX_BITS+:PART_BITS]};
            wire [TOKEN_BITS-1:0] slot = i_own_slot + part;
            assign load_address = {slot, i_load_word[INDEX_BITS-1:0]};
        end else begin : gen_whole
            assign load_address = {OWN_RESTS ? i_write_slot : i_own_slot, i_load_word};
        end
    endgenerate

    wire [TOKEN_BITS+INDEX_BITS-1:0] read_address  = i_run ? {i_send_slot, i_send_word} : {i_read_slot, i_read_word};
    wire [TOKEN_BITS+INDEX_BITS-1:0] write_address = i_busy ? {i_write_slot, i_write_word} : load_address;

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(WORD_BITS)
    ) u_store (
        .i_clk(i_clk),
        .i_read_address(read_address[ADDRESS_BITS-1:0]),
        .o_read_data(o_word),
        .i_write_enable(i_busy ? i_write : i_load_valid),
        .i_write_address(write_address[ADDRESS_BITS-1:0]),
        .i_write_data(i_data)
    );
    generate
        if (COPY) begin : gen_copy
            gfab_store #(
                .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(WORD_BITS)
            ) u_copy (
                .i_clk(i_clk),
                .i_read_address({i_combine_slot[STORE_BITS-1:0], i_send_word}),
                .o_read_data(o_old),
                .i_write_enable(i_busy ? i_write : i_load_valid),
                .i_write_address(write_address[ADDRESS_BITS-1:0]),
                .i_write_data(i_data)
            );
        end else begin : gen_one
            assign o_old = o_word;
        end
    endgenerate
endmodule

`default_nettype wire
