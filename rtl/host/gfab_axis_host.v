// SPDX-License-Identifier: MIT
//
// AXI4-Stream at one node's host side: s_axis takes the node's own token, a packet of one beat;
// m_axis gives all NODES tokens, one beat each in the order of their origins, tlast on the last.
// The ports keep the names of the standard rather than i_ and o_, as the standard fixes their directions.
//
// While i_load = 1 the token goes to the node word by word, straight from s_axis_tdata, which
// the standard keeps steady until tready; tready is 1 when the last word is taken, PARTS WORDS
// cycles after tvalid at best. While i_unload = 1 a beat is gathered from the node's store: PARTS WORDS
// cycles, and one or more for the handshake. A token is PARTS equal parts, the least significant first. o_done says
// that the token is in, or that the last beat is out; it falls when both phases are off, which they must be for a cycle
// between two.
//
// A packet that goes on behind its first beat (s_axis_tlast = 0) is no token: o_long is 1 as that beat is taken,
// and the rest of the packet is taken as it comes, in any phase, and dropped. Where loading ends in the middle
// of a token, whose beat is then not taken yet, it goes on from there when loading begins again.
//
// No output depends on an input of the same stream in the same cycle. tvalid is never taken back
// except by i_rst. The last word of a beat comes straight from the store's output, which holds still since
// its address does.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"

module gfab_axis_host #(
    parameter NODES      = 16, // nodes of the fabric, 2 or more
    parameter LANES      = 4,  // K, 1 or more
    parameter LINK_BITS  = 2,  // L, 1 or more
    parameter WORDS      = 4,  // store words of a part, 1 or more
    parameter PARTS      = 1,  // of a token, 1 or more
    parameter TOKEN_BITS = 32  // W, PARTS times 1 .. WORDS * LANES * LINK_BITS
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from and to gfab_axis_ctrl
    input  wire                         i_load,
    input  wire                         i_unload,
    output wire                         o_done,
    output wire                         o_long,
    // own token
    input  wire                         s_axis_tvalid,
    output wire                         s_axis_tready,
    input  wire [TOKEN_BITS-1:0]        s_axis_tdata,
    input  wire                         s_axis_tlast,
    // all tokens
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [TOKEN_BITS-1:0]        m_axis_tdata,
    output wire                         m_axis_tlast,
    // the node's host side
    output wire                         o_load_valid,
    output wire [`GFAB_BITS(WORDS)+`GFAB_PART_BITS(PARTS)-1:0] o_load_word,
    output wire [LANES*LINK_BITS-1:0]   o_load_data,
    output wire [`GFAB_BITS(NODES*PARTS)-1:0] o_read_token,
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    input  wire [LANES*LINK_BITS-1:0]   i_read_data
);
    localparam SLOT_BITS  = `GFAB_BITS(NODES * PARTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam COUNT_BITS = `GFAB_BITS(PARTS * WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam SPAN_BITS  = WORDS * WORD_BITS; // a part with its padding
    localparam BEAT_BITS  = PARTS * SPAN_BITS; // a token with that of its parts
    localparam PART_BITS  = TOKEN_BITS / PARTS;
    localparam LAST_WORD  = WORDS - 1;
    localparam LAST_SLOT  = NODES * PARTS - 1;

    generate
        if (PART_BITS < 1 || PART_BITS > SPAN_BITS || PART_BITS * PARTS != TOKEN_BITS) begin : gen_bad_token_bits
            gfab_error_token_bits_must_fit_words u_bad ();
        end
    endgenerate

    reg                  done_q;
    reg                  valid_q; // a beat is complete
    reg                  skip_q;  // what comes in is the rest of a packet that is too long
    reg [INDEX_BITS-1:0] word_q;  // loaded, or being read
    reg [SLOT_BITS-1:0]  slot_q;  // being read: the part's number

    wire last_in_part = (word_q == LAST_WORD[INDEX_BITS-1:0]);
    wire last_word; // of the token
    wire next_part; // after a word that is read: the next is of another part of the token
    wire [COUNT_BITS-1:0] count; // words of the token before this one
    wire load      = i_load & ~done_q & ~skip_q & s_axis_tvalid;
    wire load_beat = load & last_word;
    wire fetch     = i_unload & ~done_q & ~valid_q;
    wire taken     = valid_q & m_axis_tready;
    // Between the phases. What an error broke off begins with its first word: what was loaded of a token may not be in
    // the store.
    wire anew      = ~(i_load | i_unload);

    always @(posedge i_clk)
        if (i_rst) begin
            done_q  <= 1'b0;
            valid_q <= 1'b0;
            skip_q  <= 1'b0;
            word_q  <= {INDEX_BITS{1'b0}};
        end else begin
            done_q  <= (i_load | i_unload) & (done_q | load_beat | (taken & m_axis_tlast));
            skip_q  <= (load_beat | (skip_q & s_axis_tvalid)) ? ~s_axis_tlast : skip_q;
            valid_q <= (fetch & last_word) | (valid_q & ~m_axis_tready);
            if ((load & last_in_part) | next_part | taken | anew)
                word_q <= {INDEX_BITS{1'b0}};
            else if ((load | fetch) & ~last_in_part)
                word_q <= word_q + 1'b1;
        end

    // 0 from the first cycle between phases on, in which a reset ends, too.
    always @(posedge i_clk)
        if (taken | next_part | anew)
            slot_q <= (m_axis_tlast | anew) ? {SLOT_BITS{1'b0}} : slot_q + 1'b1;

    // Which part of the token it is.
    generate
        if (PARTS == 1) begin : gen_whole
            assign last_word   = last_in_part;
            assign next_part   = 1'b0;
            assign count       = word_q;
            assign o_load_word = word_q;
        end else begin : gen_parts
            localparam PART_NUMBER_BITS = `GFAB_PART_BITS(PARTS);
            localparam LAST_PART        = PARTS - 1;
            reg [PART_NUMBER_BITS-1:0] part_q;
            reg [COUNT_BITS-1:0]       count_q;
            wire                       last_part = (part_q == LAST_PART[PART_NUMBER_BITS-1:0]);
            always @(posedge i_clk)
                if (i_rst | load_beat | taken | anew) begin
                    part_q  <= {PART_NUMBER_BITS{1'b0}};
                    count_q <= {COUNT_BITS{1'b0}};
                end else if (load | (fetch & ~last_word)) begin
                    part_q  <= last_in_part ? part_q + 1'b1 : part_q;
                    count_q <= count_q + 1'b1;
                end
            assign last_word   = last_in_part & last_part;
            assign next_part   = fetch & last_in_part & ~last_part;
            assign count       = count_q;
            assign o_load_word = {part_q, word_q};
        end
    endgenerate

    assign o_done        = done_q;
    assign o_long        = load_beat & ~s_axis_tlast;
    assign s_axis_tready = skip_q | (i_load & ~done_q & last_word);
    assign m_axis_tvalid = valid_q;
    assign m_axis_tlast  = (slot_q == LAST_SLOT[SLOT_BITS-1:0]);

    // In: a word of the token, zeros behind the end of a part.
    wire [BEAT_BITS-1:0] padded;
    genvar b;
    generate
        for (b = 0; b < BEAT_BITS; b = b + 1) begin : gen_padded
            if (b % SPAN_BITS < PART_BITS) begin : gen_bit
                assign padded[b] = s_axis_tdata[b/SPAN_BITS*PART_BITS+b%SPAN_BITS];
            end else begin : gen_padding
                assign padded[b] = 1'b0;
            end
        end
    endgenerate

    assign o_load_valid = load;
    assign o_load_data  = padded[count*WORD_BITS+:WORD_BITS];

    // Out: PARTS WORDS shifts for a beat. The first takes what the store had out before, and the
    // last pushes that out again.
    wire [BEAT_BITS-1:0] beat;
    generate
        if (PARTS * WORDS == 1) begin : gen_one_word
            assign beat = i_read_data;
        end else begin : gen_words
            reg [BEAT_BITS-WORD_BITS-1:0] shift_q;
            always @(posedge i_clk)
                if (~valid_q)
                    shift_q <= beat[BEAT_BITS-1:WORD_BITS];
            assign beat = {i_read_data, shift_q};
        end
    endgenerate

    assign o_read_token = slot_q;
    assign o_read_word  = word_q;
    generate
        for (b = 0; b < PARTS; b = b + 1) begin : gen_out
            assign m_axis_tdata[b*PART_BITS+:PART_BITS] = beat[b*SPAN_BITS+:PART_BITS];
        end
    endgenerate

    `GFAB_AFTER_RESET(after_reset)
    always @(posedge i_clk)
        if (after_reset && !i_rst) begin
            `GFAB_ASSUME(!(i_load && i_unload), "loading and unloading at once")
            `GFAB_ASSERT(!valid_q || (i_unload && !done_q), "a beat is offered outside the unloading")
        end
endmodule

`default_nettype wire
