// SPDX-License-Identifier: MIT
//
// The store of a wide node: BANKS simple dual-port RAMs of one-flit words, and the crossbar between them and the lanes.
// All lanes work in every cycle, so that a flit leaves or arrives at each of them; the program says which bank each
// lane reads, and each bank stores, and was made so that no bank is read or written twice in a cycle. There is no
// arbitration.
//
// A token that arrives in round r is at address {r, flit} of its bank, the node's own at {0, flit} of bank 0: a bank
// takes at most one token a round, so that the round is address enough.
//
// Latency: o_words belongs to the i_read of the cycle before, as o_read_data to i_read_bank and i_read_address.
// i_words are stored at the end of the cycle, by the i_writes of WRITE_DELAY cycles before.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_banks #(
    parameter BANKS        = 2, // 1 or more
    parameter LANES        = 4, // 1 or more
    parameter LINK_BITS    = 32, // of a flit
    parameter ADDRESS_BITS = 4, // of a token in its bank
    parameter FLITS        = 1, // of a token, 1 or more
    parameter WRITE_DELAY  = 1, // cycles from the program's word to the lanes' flits, 1 or more
    // The crossbar: bit lane * BANKS + bank.
    parameter [LANES*BANKS-1:0] TAKES = {LANES*BANKS{1'b1}}, // the bank may store what the lane receives
    parameter [LANES*BANKS-1:0] GIVES = {LANES*BANKS{1'b1}}, // the lane may send what is in the bank
    parameter [BANKS-1:0]       OWN   = 1 // the banks that hold the node's own token
) (
    input  wire                                i_clk,
    input  wire                                i_rst,
    input  wire                                i_busy,
    input  wire                                i_run,
    // the program, for the flit i_flit of a round
    input  wire [`GFAB_BITS(FLITS)-1:0]        i_flit,
    input  wire [BANKS*ADDRESS_BITS-1:0]       i_reads,   // by bank
    input  wire [LANES*BANKS-1:0]              i_selects, // by lane, one-hot
    input  wire [BANKS*LANES-1:0]              i_writes,  // by bank, one-hot: the lane; none: 0
    // what is stored
    input  wire [ADDRESS_BITS-1:0]             i_write_round,
    input  wire [`GFAB_BITS(FLITS)-1:0]        i_write_flit,
    input  wire [LANES*LINK_BITS-1:0]          i_words,
    output wire [LANES*LINK_BITS-1:0]          o_words,
    // host
    input  wire                                i_load_valid,
    input  wire [`GFAB_BITS(FLITS)-1:0]        i_load_flit,
    input  wire [LINK_BITS-1:0]                i_load_data,
    input  wire [`GFAB_BITS(BANKS)-1:0]        i_read_bank,
    input  wire [ADDRESS_BITS-1:0]             i_read_address,
    input  wire [`GFAB_BITS(FLITS)-1:0]        i_read_flit,
    output wire [LINK_BITS-1:0]                o_read_data,
    // for test benches
    output wire [BANKS-1:0]                    o_trace_write,
    output wire [BANKS*LINK_BITS-1:0]          o_trace_data
);
    localparam FLIT_BITS = `GFAB_BITS(FLITS);
    localparam DEPTH_BITS = ADDRESS_BITS + (FLITS > 1 ? FLIT_BITS : 0);

    // A bank's address; the flit's number is left out where there is one only.
    `define GFAB_PLACE(token, flit) full_to_place({token, flit})
    function [DEPTH_BITS-1:0] full_to_place(input [ADDRESS_BITS+FLIT_BITS-1:0] full);
        full_to_place = full[ADDRESS_BITS+FLIT_BITS-1-:DEPTH_BITS];
    endfunction

    wire [BANKS*LINK_BITS-1:0] bank_words;
    wire [DEPTH_BITS-1:0] write_place = i_busy ? `GFAB_PLACE(i_write_round, i_write_flit)
                                               : `GFAB_PLACE({ADDRESS_BITS{1'b0}}, i_load_flit);
    wire [DEPTH_BITS-1:0] load_place = `GFAB_PLACE(i_read_address, i_read_flit);

    wire                 load      = i_load_valid & ~i_busy;
    wire [LINK_BITS-1:0] load_data = i_load_data & {LINK_BITS{~i_busy}};

    reg  [BANKS-1:0]       read_bank_q;
    reg  [LANES*BANKS-1:0] selects_q;
    reg  [WRITE_DELAY*BANKS*LANES-1:0] writes_q;
    wire [(WRITE_DELAY+1)*BANKS*LANES-1:0] writes_chain = {writes_q, i_writes & {BANKS*LANES{i_run}}};
    wire [BANKS*LANES-1:0] writes = writes_chain[WRITE_DELAY*BANKS*LANES+:BANKS*LANES];
    always @(posedge i_clk) begin
        selects_q   <= i_selects & {LANES*BANKS{i_run}};
        read_bank_q <= {{(BANKS-1){1'b0}}, 1'b1} << i_read_bank;
        writes_q    <= i_rst ? {WRITE_DELAY*BANKS*LANES{1'b0}} : writes_chain[WRITE_DELAY*BANKS*LANES-1:0];
    end

    genvar b, c;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            // In from the lanes that the bank serves.
            reg [LINK_BITS-1:0] in_word;
            reg                 taken;
            integer             l, lanes;
            always @* begin
                in_word = {LINK_BITS{1'b0}};
                taken   = 1'b0;
                lanes   = 0;
                for (l = 0; l < LANES; l = l + 1)
                    if (TAKES[l*BANKS+b])
                        lanes = lanes + 1;
                for (l = 0; l < LANES; l = l + 1)
                    if (TAKES[l*BANKS+b]) begin
                        in_word = in_word | (i_words[l*LINK_BITS+:LINK_BITS] & {LINK_BITS{writes[b*LANES+l] | (lanes == 1)}});
                        taken   = taken | writes[b*LANES+l];
                    end
            end

            gfab_store #(
                .ADDRESS_BITS(DEPTH_BITS), .WORD_BITS(LINK_BITS)
            ) u_store (
                .i_clk(i_clk),
                .i_read_address(i_run ? `GFAB_PLACE(i_reads[b*ADDRESS_BITS+:ADDRESS_BITS], i_flit) : load_place),
                .o_read_data(bank_words[b*LINK_BITS+:LINK_BITS]),
                .i_write_enable(OWN[b] ? taken | load : taken),
                .i_write_address(OWN[b] ? write_place : `GFAB_PLACE(i_write_round, i_write_flit)),
                .i_write_data(OWN[b] ? in_word | load_data : in_word)
            );
            assign o_trace_write[b] = i_busy & taken;
            assign o_trace_data[b*LINK_BITS+:LINK_BITS] = in_word;
        end

        for (c = 0; c < LANES; c = c + 1) begin : gen_out
            reg [LINK_BITS-1:0] out_word;
            integer             k;
            always @* begin
                out_word = {LINK_BITS{1'b0}};
                for (k = 0; k < BANKS; k = k + 1)
                    if (GIVES[c*BANKS+k])
                        out_word = out_word | (bank_words[k*LINK_BITS+:LINK_BITS] & {LINK_BITS{selects_q[c*BANKS+k]}});
            end
            assign o_words[c*LINK_BITS+:LINK_BITS] = out_word;
        end
    endgenerate

    reg [LINK_BITS-1:0] read_word;
    integer             r;
    always @* begin
        read_word = {LINK_BITS{1'b0}};
        for (r = 0; r < BANKS; r = r + 1)
            read_word = read_word | (bank_words[r*LINK_BITS+:LINK_BITS] & {LINK_BITS{read_bank_q[r]}});
    end
    assign o_read_data = read_word;
endmodule

`default_nettype wire
