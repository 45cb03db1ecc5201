// SPDX-License-Identifier: MIT
//
// AXI4-Stream at one node's host side, of a fabric whose collectives have blocks: s_axis takes a packet with the blocks
// that the node starts with, m_axis gives one with those that it wants, a beat each in rising order, tlast on the last.
// Which they are is the program's to say, by a table; a node without any has no packet. The ports keep the names of the
// standard.
//
// i_program holds still from before i_load on. While i_load = 1 blocks go to the node word by word, straight from
// s_axis_tdata; tready comes with a block's last word. While i_unload = 1 a beat is gathered from the store: WORDS
// cycles, and one or more for the handshake. Either begins a cycle after i_load or i_unload rises; o_done says that it
// is over, and falls when both are off, which they must be for a cycle between two.
//
// A packet that goes on behind the last block, or ends before it, is wrong: o_wrong is 1 as that beat is taken. What
// is left of a packet, of a wrong one or of one whose loading was cut off, is taken as it comes, in any phase, and
// dropped.
//
// PROTECT: while nothing is fetched the store is asked for a block that it has, since a protected one says what it
// thinks of any word that is read.
//
// No output depends on an input of the same stream in the same cycle. tvalid is never taken back except by i_rst.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_axis_blocks #(
    parameter LANES        = 4,  // flits of a word
    parameter LINK_BITS    = 2,
    parameter WORDS        = 4,  // store words of a block
    parameter TOKEN_BITS   = 32, // W, of a block, 1 .. WORDS * LANES * LINK_BITS
    parameter PROGRAMS     = 1,
    parameter PROGRAM_BITS = 1,
    parameter LOAD_BITS    = 4,  // of {block, word} to load
    parameter SLOT_BITS    = 2,  // of a block to read
    parameter BLOCK_BITS   = 2,  // of either block's number
    // Of each program, program 0 lowest, {count, first} and {stride, count, first}, of BLOCK_BITS + 1 bits each.
    parameter [PROGRAMS*2*(BLOCK_BITS+1)-1:0] LOADS = 0,
    parameter [PROGRAMS*3*(BLOCK_BITS+1)-1:0] READS = 0,
    parameter PROTECT      = 0
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from and to gfab_axis_ctrl
    input  wire [PROGRAM_BITS-1:0]      i_program, // below PROGRAMS
    input  wire                         i_load,
    input  wire                         i_unload,
    output wire                         o_done,
    output wire                         o_wrong,
    // blocks that the node starts with
    input  wire                         s_axis_tvalid,
    output wire                         s_axis_tready,
    input  wire [TOKEN_BITS-1:0]        s_axis_tdata,
    input  wire                         s_axis_tlast,
    // blocks that it wants
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [TOKEN_BITS-1:0]        m_axis_tdata,
    output wire                         m_axis_tlast,
    // the node's host side
    output wire                         o_load_valid,
    output wire [LOAD_BITS-1:0]         o_load_word,
    output wire [LANES*LINK_BITS-1:0]   o_load_data,
    output wire [SLOT_BITS-1:0]         o_read_token,
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    input  wire [LANES*LINK_BITS-1:0]   i_read_data
);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam BEAT_BITS  = WORDS * WORD_BITS;
    localparam LAST_WORD  = WORDS - 1;
    localparam FIELD      = BLOCK_BITS + 1;

    generate
        if (TOKEN_BITS < 1 || TOKEN_BITS > BEAT_BITS) begin : gen_bad_token_bits
            gfab_error_token_bits_must_fit_words u_bad ();
        end
    endgenerate

    wire [2*FIELD-1:0] loads = LOADS[i_program*2*FIELD+:2*FIELD];
    wire [3*FIELD-1:0] reads = READS[i_program*3*FIELD+:3*FIELD];

    reg                  begun_q; // the phase has its count
    reg                  mid_q;   // a packet has begun to come in and is not over
    reg                  valid_q; // a beat is complete
    reg [INDEX_BITS-1:0] word_q;  // loaded, or being read
    reg [FIELD-1:0]      block_q, left_q; // the next of the phase; how many there are, that one included

    wire phase  = i_load | i_unload;
    wire begins = phase & ~begun_q & ~(i_load & mid_q);
    wire last   = (left_q == {{BLOCK_BITS{1'b0}}, 1'b1});
    wire over   = begun_q & (left_q == {FIELD{1'b0}});
    wire last_word = (word_q == LAST_WORD[INDEX_BITS-1:0]);

    wire loads_now = i_load & begun_q & ~over;
    wire load      = loads_now & s_axis_tvalid;
    wire load_beat = load & last_word;
    wire fetch     = i_unload & begun_q & ~over & ~valid_q;
    wire taken     = valid_q & m_axis_tready;
    wire next      = load_beat | taken;

    always @(posedge i_clk)
        if (i_rst) begin
            begun_q <= 1'b0;
            mid_q   <= 1'b0;
            valid_q <= 1'b0;
            word_q  <= {INDEX_BITS{1'b0}};
        end else begin
            begun_q <= phase & (begun_q | begins);
            mid_q   <= (s_axis_tvalid & s_axis_tready) ? ~s_axis_tlast : mid_q;
            valid_q <= (fetch & last_word) | (valid_q & ~m_axis_tready);
            if (begins | next)
                word_q <= {INDEX_BITS{1'b0}};
            else if ((load | fetch) & ~last_word)
                word_q <= word_q + 1'b1;
        end

    always @(posedge i_clk)
        if (begins) begin
            block_q <= i_load ? loads[0+:FIELD] : reads[0+:FIELD];
            left_q  <= i_load ? loads[FIELD+:FIELD] : reads[FIELD+:FIELD];
        end else if (next) begin
            block_q <= block_q + (i_load ? {{BLOCK_BITS{1'b0}}, 1'b1} : reads[2*FIELD+:FIELD]);
            left_q  <= left_q - 1'b1;
        end

    assign o_done        = over;
    assign o_wrong       = load_beat & (s_axis_tlast != last);
    assign s_axis_tready = loads_now ? last_word : mid_q;
    assign m_axis_tvalid = valid_q;
    assign m_axis_tlast  = last;

    // In: a word of the block, zeros behind its end.
    wire [BEAT_BITS-1:0] padded;
    genvar b;
    generate
        for (b = 0; b < BEAT_BITS; b = b + 1) begin : gen_padded
            if (b < TOKEN_BITS) begin : gen_bit
                assign padded[b] = s_axis_tdata[b];
            end else begin : gen_padding
                assign padded[b] = 1'b0;
            end
        end
    endgenerate
    wire [FIELD+INDEX_BITS-1:0] load_word = {block_q, word_q};
    assign o_load_valid = load;
    assign o_load_word  = load_word[LOAD_BITS-1:0];
    assign o_load_data  = padded[word_q*WORD_BITS+:WORD_BITS];

    // Out: WORDS shifts for a beat. The first takes what the store had out before, and the last pushes that out again.
    wire [BEAT_BITS-1:0] beat;
    generate
        if (WORDS == 1) begin : gen_one_word
            assign beat = i_read_data;
        end else begin : gen_words
            reg [BEAT_BITS-WORD_BITS-1:0] shift_q;
            always @(posedge i_clk)
                if (~valid_q)
                    shift_q <= beat[BEAT_BITS-1:WORD_BITS];
            assign beat = {i_read_data, shift_q};
        end
    endgenerate
    assign m_axis_tdata = beat[TOKEN_BITS-1:0];
    generate
        if (PROTECT != 0) begin : gen_rest
            // Unloading the first one of the program; in other phases the last one of the unloading.
            reg  [SLOT_BITS-1:0] rest_q;
            wire [FIELD-1:0]     asked = (begun_q & ~over) ? block_q : reads[0+:FIELD];
            always @(posedge i_clk)
                rest_q <= o_read_token;
            assign o_read_token = i_unload ? asked[SLOT_BITS-1:0] : rest_q;
        end else begin : gen_any
            assign o_read_token = block_q[SLOT_BITS-1:0];
        end
    endgenerate
    assign o_read_word  = word_q;

    `GFAB_AFTER_RESET(after_reset)
    always @(posedge i_clk)
        if (after_reset && !i_rst) begin
            `GFAB_ASSUME(!(i_load && i_unload), "loading and unloading at once")
            `GFAB_ASSERT(!valid_q || (i_unload && !over), "a beat is offered outside the unloading")
        end
endmodule

`default_nettype wire
