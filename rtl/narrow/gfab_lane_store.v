// SPDX-License-Identifier: MIT
//
// What all narrow nodes have: the store, and a lane for each port. What is sent and what is written when is told by
// gfab_node or gfab_path_node around it, which also say what the host sees.
//
// Only one lane a cycle reads the store and only one writes it: the lanes take turns. With FULL and OPERATOR a lane may
// send one word while it combines another: then there is a second copy of the store, which is read for the latter.
//
// PROTECT: a word has a check bit beside it, odd parity (docs/reference/protection.md). It is made where the word is
// written and tested where it is read. It does not go over links: those of what leaves and of what arrives are
// entered in the node's balance, and those of all nodes must come out even. It is cleared while nothing is busy. What
// is combined with is entered as it is read, and once more as it is combined; gfab_combine is there twice.
//
// 37 ports, 17 parameters and 262 lines: what a program says of a word that is sent, one that is written and one that
// is combined, the host's side, and the links. What is done with them is in the modules below.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_lane_store #(
    parameter SLOTS        = 16, // that an op can name, 2 or more: nodes of the fabric times PARTS
    parameter STORE_SLOTS  = SLOTS, // of the store, 1 .. SLOTS; a higher number is taken modulo a power of two
    parameter PARTS        = 1,  // of a token, 1 or more
    parameter LANES        = 4,  // K, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c
    parameter SKEW         = 0,  // 0, or the lane of the other end of a skewed lane 0
    parameter LINK_BITS    = 2,  // L, 1 or more
    parameter WORDS        = 4,  // store words of a part, 2 or more
    parameter FULL         = 0,  // 1: full-duplex ports; only looked at with OPERATOR
    parameter GAPS         = 0,  // 1: rounds may have gaps between
    parameter LATENCY      = 0,  // cycles, of every link
    parameter REGISTERED   = 0,  // 1: a word that came in waits a cycle before it is written; with OPERATOR each of its
                                 // flits does, behind the operator
    parameter PROTECT      = 0,  // 1: faults are noticed
    parameter ANY_SLOT     = 0,  // 1: the host loads every slot, not only those of the node's own token
    parameter OWN_RESTS    = 0,  // as in gfab_slots
    parameter OPERATOR     = `GFAB_OPERATOR_NONE,
    parameter TOP_BIT      = 7   // with OPERATOR: a token's top bit, in the word that has it
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_busy,
    // sending, stage 1
    input  wire                         i_run,
    input  wire                         i_send,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_send_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_send_word,
    input  wire [LANES*(GAPS ? 2 : 1)-1:0] i_strobe, // with GAPS {close, strobe}
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_out_flit, // as in gfab_sequencer
    input  wire [`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0))-1:0] i_in_lane,
    // with OPERATOR, stage 1
    input  wire                         i_receive, // stored or combined; only with PROTECT
    input  wire                         i_combine,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_combine_slot, // with FULL; else i_send_slot is it
    // as in gfab_combine, and of the gfab_combine_timer; with PROTECT of two
    input  wire [`GFAB_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_near,
    input  wire [`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_combining,
    // receiving, write stage
    input  wire                         i_write,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_write_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    // with PROTECT
    input  wire                         i_write_check, // makes i_write and i_write_slot even
    input  wire                         i_host_reads,  // stage 1: words that are there
    // host
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_own_slot, // the first one of the node's own token; constant
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(WORDS)+(ANY_SLOT ? `GFAB_BITS(SLOTS) : `GFAB_PART_BITS(PARTS))-1:0] i_load_word,
    input  wire [LANES*LINK_BITS-1:0]   i_load_data,
    input  wire [`GFAB_BITS(SLOTS)-1:0] i_read_slot,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [LANES*LINK_BITS-1:0]   o_read_data,
    // links, LINK_BITS for each lane
    input  wire [LANES*LINK_BITS-1:0]   i_link,
    output wire [LANES*LINK_BITS-1:0]   o_link,
    output wire [LANES-1:0]             o_drive,
    // with PROTECT, else 0
    output wire                         o_fault,   // the word that is out is not what was written
    output wire                         o_alarm,   // o_fault was 1 a cycle before, a lane drives or rests that should
                                                   // not, or i_write is not as told
    output wire                         o_balance, // of check bits, complete in the cycle after o_done rises
    // for test benches: the store's write port, host loads left out
    output wire                                               o_trace_write,
    output wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0]     o_trace_address,
    output wire [LANES*LINK_BITS-1:0]                         o_trace_data,
    output wire                                               o_trace_check // with PROTECT, else 0
);
    localparam WORD_BITS   = LANES * LINK_BITS;
    localparam STORED_BITS = WORD_BITS + (PROTECT ? 1 : 0);
    localparam LANE_BITS   = `GFAB_BITS(LANES);
    localparam DIRECT      = (WORDS == 2);
    localparam COMBINES    = (OPERATOR != `GFAB_OPERATOR_NONE);
    localparam COPY        = (COMBINES && FULL != 0);

    generate
        if (WORDS < 2) begin : gen_bad_words
            gfab_error_words_must_be_at_least_2 u_bad ();
        end
        if (SKEW < 0 || SKEW >= LANES) begin : gen_bad_skew
            gfab_error_skew_must_be_below_lanes u_bad ();
        end
    endgenerate

    // The store. Half duplex, what is combined with is read in place of a word to be sent.
    wire [STORED_BITS-1:0] stored_out, stored_old, stored_in; // out, old: stage 2
    wire [WORD_BITS-1:0]   out_word   = stored_out[WORD_BITS-1:0];
    wire [WORD_BITS-1:0]   received; // as it goes to the store
    wire [WORD_BITS-1:0]   write_data = i_busy ? received : i_load_data;
    gfab_slots #(
        .SLOTS(SLOTS), .STORE_SLOTS(STORE_SLOTS), .PARTS(PARTS), .WORDS(WORDS), .WORD_BITS(STORED_BITS),
        .ANY_SLOT(ANY_SLOT), .OWN_RESTS(OWN_RESTS), .COPY(COPY)
    ) u_slots (
        .i_clk(i_clk), .i_busy(i_busy), .i_run(i_run), .i_send_slot(i_send_slot), .i_send_word(i_send_word),
        .i_combine_slot(i_combine_slot), .i_write(i_write), .i_write_slot(i_write_slot), .i_write_word(i_write_word),
        .i_own_slot(i_own_slot), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_read_slot(i_read_slot),
        .i_read_word(i_read_word), .i_data(stored_in), .o_word(stored_out), .o_old(stored_old)
    );
    assign o_read_data     = out_word;
    assign o_trace_write   = i_busy & i_write;
    assign o_trace_address = {i_write_slot, i_write_word};
    assign o_trace_data    = received;

    // What came in: the word that is to be written. With an operator it is a cycle later that a flit is combined.
    localparam LATE_FLITS = (REGISTERED != 0 && COMBINES);
    wire [WORD_BITS-1:0] in_flits; // what words are made of, a flit a lane
    wire [WORD_BITS-1:0] in_word;
    gfab_flits_in #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .STEADY(!GAPS), .REGISTERED(REGISTERED != 0 && !COMBINES)
    ) u_in (
        .i_clk(i_clk), .i_flits(in_flits), .i_lane(i_in_lane[(LATE_FLITS ? LANE_BITS : 0)+:LANES*LANE_BITS]),
        .o_word(in_word)
    );

    // Whose word is complete.
    wire [LANE_BITS-1:0] ready_lane = i_in_lane[LANES*LANE_BITS-1-:LANE_BITS];
    // A skewed lane 0's word is written late.
    wire late_at_ready = (SKEW != 0) ? (ready_lane == {LANE_BITS{1'b0}}) : 1'b0;
    wire late;
    gfab_delay #(
        .BITS(1), .CYCLES(REGISTERED ? 1 : 0)
    ) u_late (
        .i_clk(i_clk), .i_rst(1'b0), .i_data(late_at_ready), .o_data(late), .o_taps()
    );
    wire                 flips = late ? i_combining[LANES+5] : i_combining[LANES+4];
    wire [WORD_BITS-1:0] sent, old; // as they go over a link
    gfab_lane_order #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .OPERATOR(OPERATOR), .TOP_BIT(TOP_BIT)
    ) u_order (
        .i_down(i_combining[LANES+8]), .i_flip_out(i_combining[LANES+3]), .i_flip_in(flips), .i_word(out_word),
        .i_old(stored_old[WORD_BITS-1:0]), .o_word(sent), .o_old(old), .i_in(in_word), .o_in(received)
    );

    // The lanes. i_send is of stage 1, which is where i_strobe is if DIRECT.
    reg send_q;
    always @(posedge i_clk)
        send_q <= i_send & ~i_rst;
    wire send_at_strobe = DIRECT ? i_send : send_q;

    wire rest_at_strobe; // the same inverted, for the lanes to compare
    generate
        if (PROTECT) begin : gen_rest
            reg rest_q;
            always @(posedge i_clk)
                rest_q <= ~i_send | i_rst;
            assign rest_at_strobe = DIRECT ? ~i_send : rest_q;
        end else begin : gen_no_rest
            assign rest_at_strobe = 1'b1;
        end
    endgenerate

    // A choice by a parameter: Yosys 0.23 makes 48 LUTs more of a 4x4 mesh where a constant is a gate's input.
    wire [LANES-1:0] close = (GAPS != 0) ? i_strobe[(GAPS ? LANES : 0)+:LANES] : {LANES{1'b0}};
    wire [WORD_BITS-1:0] out_flits, old_flits, new_flits; // a flit a lane
    gfab_flits_out #(
        .LANES(LANES), .LANE_MASK(LANE_MASK), .LINK_BITS(LINK_BITS), .REGISTERED(!DIRECT)
    ) u_out (
        .i_clk(i_clk), .i_word(sent), .i_flit(i_out_flit), .o_flits(out_flits)
    );
    generate
        if (COPY) begin : gen_old
            gfab_flits_out #(
                .LANES(LANES), .LANE_MASK(LANE_MASK), .LINK_BITS(LINK_BITS), .REGISTERED(!DIRECT)
            ) u_old (
                .i_clk(i_clk), .i_word(old), .i_flit(i_out_flit), .o_flits(old_flits)
            );
        end else begin : gen_same
            assign old_flits = out_flits;
        end
    endgenerate
    wire                 stays, differ, came_odd, in_odd;
    generate
        if (COMBINES) begin : gen_combine
            gfab_lane_combine #(
                .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW), .LINK_BITS(LINK_BITS), .DIRECT(DIRECT),
                .REGISTERED(REGISTERED), .OPERATOR(OPERATOR), .LATENCY(LATENCY), .GAPS(GAPS), .PROTECT(PROTECT)
            ) u_combines (
                .i_clk(i_clk), .i_rst(i_rst), .i_receive(i_receive), .i_combine(i_combine), .i_near(i_near),
                .i_strobe(i_strobe[LANES-1:0]), .i_close(close), .i_combining(i_combining), .i_ready_lane(ready_lane),
                .i_late(late_at_ready), .i_old(old_flits), .i_new(new_flits), .o_in(in_flits), .o_stays(stays),
                .o_differ(differ), .o_came_odd(came_odd), .o_in_odd(in_odd)
            );
        end else begin : gen_store
            assign in_flits = new_flits;
            assign {stays, differ, came_odd, in_odd} = 4'b1000;
        end
    endgenerate
    wire [LANES-1:0] lane_faults;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            if (LANE_MASK[c]) begin : gen_present
                gfab_lane #(
                    .LINK_BITS(LINK_BITS), .TX_DELAY(c == 0 ? SKEW : 0),
                    .RX_DELAY(c == 0 && SKEW != 0 ? LANES - SKEW : 0), .PROTECT(PROTECT)
                ) u_lane (
                    .i_clk(i_clk), .i_rst(i_rst), .i_strobe(i_strobe[c]), .i_close(close[c]), .i_send(send_at_strobe),
                    .i_rest(rest_at_strobe), .i_flit(out_flits[c*LINK_BITS+:LINK_BITS]),
                    .i_link(i_link[c*LINK_BITS+:LINK_BITS]), .o_link(o_link[c*LINK_BITS+:LINK_BITS]),
                    .o_drive(o_drive[c]), .o_flit(new_flits[c*LINK_BITS+:LINK_BITS]), .o_fault(lane_faults[c])
                );
            end else begin : gen_absent
                assign o_link[c*LINK_BITS+:LINK_BITS]   = {LINK_BITS{1'b0}};
                assign o_drive[c]                       = 1'b0;
                assign new_flits[c*LINK_BITS+:LINK_BITS] = {LINK_BITS{1'b0}};
                assign lane_faults[c]                   = 1'b0;
            end
        end

        if (PROTECT) begin : gen_checks
            // The host reads the very word that it writes, which comes as anything.
            localparam SLOT_BITS    = `GFAB_BITS(SLOTS);
            localparam INDEX_BITS   = `GFAB_BITS(WORDS);
            localparam ADDRESS_BITS = `GFAB_BITS(STORE_SLOTS) + INDEX_BITS; // in the RAM, as in gfab_slots
            localparam FIRST_BITS   = ANY_SLOT ? SLOT_BITS : `GFAB_PART_BITS(PARTS);
            wire [SLOT_BITS+INDEX_BITS-1:0] load_word = {{(SLOT_BITS-FIRST_BITS){1'b0}}, i_load_word};
            wire [SLOT_BITS-1:0] load_slot = load_word[INDEX_BITS+:SLOT_BITS]
                                             + (ANY_SLOT ? {SLOT_BITS{1'b0}} : i_own_slot);
            wire [SLOT_BITS+INDEX_BITS-1:0] load_address = {load_slot, load_word[INDEX_BITS-1:0]};
            wire [SLOT_BITS+INDEX_BITS-1:0] read_address = {i_read_slot, i_read_word};
            wire collides = ~i_busy & i_load_valid &
                            (load_address[ADDRESS_BITS-1:0] == read_address[ADDRESS_BITS-1:0]);
            gfab_lane_check #(
                .WORD_BITS(WORD_BITS), .SLOT_BITS(`GFAB_BITS(SLOTS)), .LANES(LANES), .COMBINES(COMBINES), .COPY(COPY)
            ) u_check (
                .i_clk(i_clk), .i_rst(i_rst), .i_busy(i_busy), .i_send(i_send), .i_combine(i_combine),
                .i_host_reads(i_host_reads & ~collides), .i_rests(gen_rest.rest_q), .i_stays(stays),
                .i_flipped(i_combining[LANES+3]), .i_out(stored_out), .i_old(stored_old), .i_write(i_write),
                .i_write_check(i_write_check), .i_write_slot(i_write_slot), .i_data(write_data),
                .i_loaded_odd(^i_load_data), .i_in_odd(in_odd), .i_came_odd(came_odd), .i_differ(differ),
                .i_lane_faults(lane_faults), .o_check(o_trace_check), .o_fault(o_fault), .o_alarm(o_alarm),
                .o_balance(o_balance)
            );
            assign stored_in = {o_trace_check, write_data};
        end else begin : gen_no_checks
            assign stored_in = write_data;
            assign o_alarm   = |lane_faults;
            assign {o_fault, o_balance, o_trace_check} = 3'b0;
        end
    endgenerate
endmodule

`default_nettype wire
