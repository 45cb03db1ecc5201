// SPDX-License-Identifier: MIT
//
// A node: its store and a lane for each port. Rounds are timed by one gfab_sequencer for
// the whole fabric; i_kind and i_slot come from the op register of the node's gfab_program, which it may share.
//
// Tokens are cut in PARTS equal parts, each with a slot of its own; what moves in a round is a part. A node's own token
// has the slots from OWN_SLOT on.
//
// Host side. While i_busy = 0, i_load_valid writes i_load_data to word i_load_word, {part, word} of it, of the node's
// own token at the next edge; while i_busy = 1 it is ignored. o_read_data is, one cycle later, word
// i_read_word of store slot i_read_slot, right for reads presented in any cycle after
// o_done was sampled 1 and until the next start; while a gossip runs it is of no use.
//
// Only one lane a cycle reads the store and only one writes it: the lanes take turns.
//
// i_recv_kind and i_recv_slot are the receive half of the op where ports are full duplex; half duplex, they are i_kind
// and i_slot themselves. With paths they are what the node's gfab_path_writer looked up: those of i_write_lane in this
// very cycle, and count where i_write_due is 1.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_node #(
    parameter OWN_SLOT     = 0,  // the first store slot of the node's own token
    parameter SLOTS        = 16, // of the store, 2 or more: nodes of the fabric times PARTS
    parameter PARTS        = 1,  // of a token, 1 or more
    parameter LANES        = 4,  // K, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c
    parameter SKEW         = 0,  // 0, or the lane of the other end of a skewed lane 0
    parameter LINK_BITS    = 2,  // L, 1 or more
    parameter WORDS        = 4,  // store words of a part, 2 or more
    parameter GAPS       = 0,  // 1: rounds may have gaps between
    parameter PATHS        = 0,  // 1: a gfab_path_writer says what is written when
    parameter LATENCY      = 0   // cycles, of every link, 0 .. 15
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from the sequencer
    input  wire                         i_busy,
    input  wire                         i_run,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_sequence_word,
    input  wire [LANES-1:0]             i_strobe,
    input  wire [LANES-1:0]             i_close,
    input  wire [LANES-1:0]             i_first,
    input  wire [`GFAB_BITS(LANES)-1:0] i_write_lane,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word_late,
    input  wire                         i_write_due, // with PATHS
    // from the program
    input  wire [`GFAB_OP_KIND_WIDTH-1:0] i_kind,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_slot,
    input  wire [`GFAB_OP_KIND_WIDTH-1:0] i_recv_kind,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_recv_slot,
    // host
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(WORDS)+`GFAB_PART_BITS(PARTS)-1:0] i_load_word,
    input  wire [LANES*LINK_BITS-1:0]   i_load_data,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_read_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [LANES*LINK_BITS-1:0]   o_read_data,
    // links, LINK_BITS for each lane
    input  wire [LANES*LINK_BITS-1:0]   i_link,
    output wire [LANES*LINK_BITS-1:0]   o_link,
    output wire [LANES-1:0]             o_drive,
    // for test benches: the store's write port, host loads left out
    output wire                                               o_trace_write,
    output wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0]     o_trace_address,
    output wire [LANES*LINK_BITS-1:0]                         o_trace_data
);
    localparam LANE_BITS  = `GFAB_BITS(LANES);
    localparam TOKEN_BITS = `GFAB_BITS(SLOTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam DIRECT     = (WORDS == 2);
    localparam OWN        = OWN_SLOT;

    generate
        if (OWN_SLOT < 0 || OWN_SLOT + PARTS > SLOTS) begin : gen_bad_own_slot
            gfab_error_own_slots_must_be_below_slots u_bad ();
        end
        if (WORDS < 2) begin : gen_bad_words
            gfab_error_words_must_be_at_least_2 u_bad ();
        end
        if (SKEW < 0 || SKEW >= LANES) begin : gen_bad_skew
            gfab_error_skew_must_be_below_lanes u_bad ();
        end
    endgenerate

    // Stage 1: the op.
    wire send = i_run & (i_kind == `GFAB_OP_SEND);

    // What is to be written, if anything, in the write stage.
    wire                  write;
    wire [TOKEN_BITS-1:0] to_slot;
    wire [INDEX_BITS-1:0] to_word;
    generate
        if (PATHS) begin : gen_paths
            assign write   = i_write_due & (i_recv_kind == `GFAB_OP_RECV);
            assign to_slot = i_recv_slot;
            assign to_word = i_write_word;
        end else begin : gen_chain
            // What is received, on its way from stage 1 to the write stage.
            wire recv = i_run & (i_recv_kind == `GFAB_OP_RECV);
            localparam WRITE_DELAY = LANES + LATENCY + (DIRECT ? 0 : 1);
            localparam LATE_DELAY  = WRITE_DELAY + (SKEW != 0 ? LANES : 0);
            reg  [LATE_DELAY-1:0]             recv_q;
            reg  [LATE_DELAY-1:0]             recv_d;
            reg  [LATE_DELAY*TOKEN_BITS-1:0]  slot_q;
            wire [LATE_DELAY:0]               recv_chain = {recv_q, recv};
            wire [(LATE_DELAY+1)*TOKEN_BITS-1:0] slot_chain = {slot_q, i_recv_slot};
            // Only lane 0's receives go on to be late: those of other lanes, done by now, could be
            // there still when a next gossip starts at once and takes them for its own.
            always @* begin
                recv_d = recv_chain[LATE_DELAY-1:0];
                if (LATE_DELAY != WRITE_DELAY && i_write_lane != {LANE_BITS{1'b0}})
                    recv_d[LATE_DELAY-LANES] = 1'b0;
            end
            always @(posedge i_clk) begin
                recv_q <= i_rst ? {LATE_DELAY{1'b0}} : recv_d;
                slot_q <= slot_chain[LATE_DELAY*TOKEN_BITS-1:0];
            end

            // A late word's cycle is lane 0's next turn, or the first of a gap, in which the lane is 0, too.
            wire late = (SKEW != 0) & (i_write_lane == {LANE_BITS{1'b0}});
            assign write   = late ? recv_chain[LATE_DELAY] : recv_chain[WRITE_DELAY];
            assign to_slot = late ? slot_chain[LATE_DELAY*TOKEN_BITS+:TOKEN_BITS]
                                  : slot_chain[WRITE_DELAY*TOKEN_BITS+:TOKEN_BITS];
            assign to_word = late ? i_write_word_late : i_write_word;
        end
    endgenerate

    // Where a loaded word goes.
    wire [TOKEN_BITS+INDEX_BITS-1:0] load_address;
    generate
        if (PARTS > 1) begin : gen_part
            localparam PART_BITS = `GFAB_PART_BITS(PARTS);
            wire [TOKEN_BITS-1:0] part = {{(TOKEN_BITS-PART_BITS){1'b0}}, i_load_word[INDEX_BITS+:PART_BITS]};
            wire [TOKEN_BITS-1:0] slot = OWN[TOKEN_BITS-1:0] + part;
            assign load_address = {slot, i_load_word[INDEX_BITS-1:0]};
        end else begin : gen_whole
            assign load_address = {OWN[TOKEN_BITS-1:0], i_load_word};
        end
    endgenerate

    // The store.
    wire [WORD_BITS-1:0]       out_word; // stage 2
    wire [LANES*WORD_BITS-1:0] in_words; // each lane's
    wire [WORD_BITS-1:0]       in_word = in_words[i_write_lane*WORD_BITS+:WORD_BITS];

    gfab_store #(
        .ADDRESS_BITS(TOKEN_BITS + INDEX_BITS), .WORD_BITS(WORD_BITS)
    ) u_store (
        .i_clk(i_clk),
        .i_read_address(i_run ? {i_slot, i_sequence_word} : {i_read_slot, i_read_word}),
        .o_read_data(out_word),
        .i_write_enable(i_busy ? write : i_load_valid),
        .i_write_address(i_busy ? {to_slot, to_word} : load_address),
        .i_write_data(i_busy ? in_word : i_load_data)
    );

    assign o_read_data = out_word;

    // The lanes. send is of stage 1, which is where i_strobe is if DIRECT.
    reg send_q;
    always @(posedge i_clk)
        send_q <= send & ~i_rst;
    wire send_at_strobe = DIRECT ? send : send_q;

    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            if (LANE_MASK[c]) begin : gen_present
                gfab_lane #(
                    .LANES(LANES), .LINK_BITS(LINK_BITS), .DIRECT(DIRECT),
                    .SPLIT(LATENCY > 0 || PATHS != 0 || (GAPS != 0 && c == 0 && SKEW != 0)),
                    .TX_DELAY(c == 0 ? SKEW : 0), .RX_DELAY(c == 0 && SKEW != 0 ? LANES - SKEW : 0)
                ) u_lane (
                    .i_clk(i_clk), .i_rst(i_rst),
                    .i_strobe(i_strobe[c]), .i_close(i_close[c]), .i_first(i_first[c]), .i_send(send_at_strobe),
                    .i_word(out_word), .o_word(in_words[c*WORD_BITS+:WORD_BITS]),
                    .i_link(i_link[c*LINK_BITS+:LINK_BITS]), .o_link(o_link[c*LINK_BITS+:LINK_BITS]),
                    .o_drive(o_drive[c])
                );
            end else begin : gen_absent
                assign in_words[c*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
                assign o_link[c*LINK_BITS+:LINK_BITS]   = {LINK_BITS{1'b0}};
                assign o_drive[c]                       = 1'b0;
            end
        end
    endgenerate

    assign o_trace_write   = i_busy & write;
    assign o_trace_address = {to_slot, to_word};
    assign o_trace_data    = in_word;
endmodule

`default_nettype wire
