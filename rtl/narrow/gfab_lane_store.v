// SPDX-License-Identifier: MIT
//
// What all narrow nodes have: the store, and a lane for each port. What is sent and what is written when is told by
// gfab_node or gfab_path_node around it, which also say what the host sees.
//
// Only one lane a cycle reads the store and only one writes it: the lanes take turns. With FULL and OPERATOR a lane may
// send one word while it combines another: then there is a second copy of the store, which is read for the latter.
//
// PROTECT: a word has a check bit beside it, odd parity (docs/reference/protection.md). It is made where the word is
// written and tested where it is read. It does not go over links: the parities of what leaves and of what arrives are
// entered in the node's balance, and those of all nodes must come out even. It is cleared while nothing is busy. What
// is combined with is entered as it is read, and once more as it is combined; gfab_combine is there twice.
`default_nettype none
`include "gfab_assert.vh"
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
    parameter LATENCY      = 0,  // cycles, of every link; above 0 a lane has a shift register for each direction
    parameter REGISTERED   = 0,  // 1: a word that came in waits a cycle before it is written; with OPERATOR its last
                                 // flit goes into the lane's register in that cycle
    parameter PROTECT      = 0,  // 1: faults are noticed
    parameter ANY_SLOT     = 0,  // 1: the host loads every slot, not only those of the node's own token
    parameter OPERATOR     = `GFAB_OPERATOR_NONE, // not with GAPS
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
    input  wire [LANES-1:0]             i_first,
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
    input  wire [`GFAB_BITS(LANES)*(REGISTERED ? 2 : 1)-1:0] i_write_lane, // with REGISTERED {to be written, complete}
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
    localparam TOKEN_BITS = `GFAB_BITS(SLOTS);
    localparam STORE_BITS = `GFAB_BITS(STORE_SLOTS); // of a slot's number in the RAM
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam DIRECT     = (WORDS == 2);
    localparam STORED_BITS = WORD_BITS + (PROTECT ? 1 : 0);
    localparam LANE_BITS  = `GFAB_BITS(LANES);
    localparam COMBINING_BITS = `GFAB_COMBINING_BITS(LANES);

    generate
        if (WORDS < 2) begin : gen_bad_words
            gfab_error_words_must_be_at_least_2 u_bad ();
        end
        if (SKEW < 0 || SKEW >= LANES) begin : gen_bad_skew
            gfab_error_skew_must_be_below_lanes u_bad ();
        end
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
            assign load_address = {i_own_slot, i_load_word};
        end
    endgenerate

    // The store.
    wire [WORD_BITS-1:0]       out_word; // stage 2
    wire [LANES*WORD_BITS-1:0] in_words; // each lane's
    wire [LANE_BITS-1:0]       ready_lane = i_write_lane[LANE_BITS-1:0];
    wire [WORD_BITS-1:0]       ready_word = in_words[ready_lane*WORD_BITS+:WORD_BITS];
    wire [WORD_BITS-1:0]       in_flits;   // what goes into the lanes
    wire [WORD_BITS-1:0]       in_word;
    wire [WORD_BITS-1:0]       sent;     // out_word as it goes over a link
    wire [WORD_BITS-1:0]       received; // in_word as it goes to the store
    generate
        if (REGISTERED) begin : gen_registered
            reg [WORD_BITS-1:0] word_q;
            always @(posedge i_clk)
                word_q <= ready_word;
            if (OPERATOR != `GFAB_OPERATOR_NONE) begin : gen_last_flit
                wire [LANE_BITS-1:0]           write_lane = i_write_lane[LANE_BITS+:LANE_BITS];
                wire [WORD_BITS+LINK_BITS-1:0] flits      = {in_flits[write_lane*LINK_BITS+:LINK_BITS], word_q};
                assign in_word = flits[WORD_BITS+LINK_BITS-1:LINK_BITS];
            end else begin : gen_whole_word
                assign in_word = word_q;
            end
        end else begin : gen_at_once
            assign in_word = ready_word;
        end
    endgenerate

    localparam ADDRESS_BITS = STORE_BITS + INDEX_BITS;
    wire [TOKEN_BITS+INDEX_BITS-1:0] read_address  = i_run ? {i_send_slot, i_send_word} : {i_read_slot, i_read_word};
    wire [TOKEN_BITS+INDEX_BITS-1:0] write_address = i_busy ? {i_write_slot, i_write_word} : load_address;
    wire [WORD_BITS-1:0]             write_data    = i_busy ? received : i_load_data;
    wire [STORED_BITS-1:0]           stored_out, stored_in;

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(STORED_BITS)
    ) u_store (
        .i_clk(i_clk),
        .i_read_address(read_address[ADDRESS_BITS-1:0]),
        .o_read_data(stored_out),
        .i_write_enable(i_busy ? i_write : i_load_valid),
        .i_write_address(write_address[ADDRESS_BITS-1:0]),
        .i_write_data(stored_in)
    );

    assign out_word    = stored_out[WORD_BITS-1:0];
    assign o_read_data = out_word;

    // What the node has of what is combined: half duplex the word that is read in place of one to be sent.
    localparam COPY = (OPERATOR != `GFAB_OPERATOR_NONE && FULL != 0);
    wire [WORD_BITS-1:0] old_word; // stage 2
    wire [WORD_BITS-1:0] old;      // as it would go over a link
    wire [STORED_BITS-1:0] stored_old;
    assign old_word = stored_old[WORD_BITS-1:0];
    generate
        if (COPY) begin : gen_copy
            gfab_store #(
                .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(STORED_BITS)
            ) u_copy (
                .i_clk(i_clk),
                .i_read_address({i_combine_slot[STORE_BITS-1:0], i_send_word}),
                .o_read_data(stored_old),
                .i_write_enable(i_busy ? i_write : i_load_valid),
                .i_write_address(write_address[ADDRESS_BITS-1:0]),
                .i_write_data(stored_in)
            );
        end else begin : gen_one
            assign stored_old = stored_out;
        end
    endgenerate

    // With OPERATOR {i_clear of gfab_operator: of a skewed lane 0, of the lanes, operator, turn over the top bit of: a
    // late word, a word to be written, the word that is out, stage 1 of lane 0 or a reset, of the last lane or a reset,
    // strobes of a token's first word: of a skewed lane 0, of the lanes}.
    // A skewed lane 0's word is written late.
    wire late_at_ready = (SKEW != 0) & (ready_lane == {LANE_BITS{1'b0}});
    wire late;
    generate
        if (REGISTERED) begin : gen_late_registered
            reg late_q;
            always @(posedge i_clk)
                late_q <= late_at_ready;
            assign late = late_q;
        end else begin : gen_late_at_once
            assign late = late_at_ready;
        end
    endgenerate
    wire flips = late ? i_combining[LANES+5] : i_combining[LANES+4];

    genvar f;
    generate
        if (OPERATOR >= `GFAB_OPERATOR_MIN) begin : gen_order
            wire                 down     = i_combining[LANES+8];
            // Only what is turned round has a bit that is turned over.
            wire [WORD_BITS-1:0] flip_out = {{(WORD_BITS-1){1'b0}}, i_combining[LANES+3]} << TOP_BIT;
            wire [WORD_BITS-1:0] flip_in  = {{(WORD_BITS-1){1'b0}}, flips} << TOP_BIT;
            wire [WORD_BITS-1:0] out = out_word ^ flip_out;
            wire [WORD_BITS-1:0] had = old_word ^ flip_out;
            for (f = 0; f < LANES; f = f + 1) begin : gen_flit
                localparam TO   = f * LINK_BITS;
                localparam FROM = (LANES - 1 - f) * LINK_BITS;
                assign sent[TO+:LINK_BITS]     = down ? out[FROM+:LINK_BITS] : out_word[TO+:LINK_BITS];
                assign old[TO+:LINK_BITS]      = down ? had[FROM+:LINK_BITS] : old_word[TO+:LINK_BITS];
                assign received[TO+:LINK_BITS] = down ? in_word[FROM+:LINK_BITS] ^ flip_in[TO+:LINK_BITS]
                                                      : in_word[TO+:LINK_BITS];
            end
        end else begin : gen_as_stored
            assign sent     = out_word;
            assign old      = old_word;
            assign received = in_word;
        end
    endgenerate

    // The lanes. i_send is of stage 1, which is where i_strobe is if DIRECT.
    reg send_q;
    always @(posedge i_clk)
        send_q <= i_send & ~i_rst;
    wire send_at_strobe = DIRECT ? i_send : send_q;

    // The same inverted, for the lanes to compare.
    wire rest_at_strobe;
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

    // Likewise of i_combine, in stage 2.
    wire leave;
    generate
        if (PROTECT != 0 && OPERATOR != `GFAB_OPERATOR_NONE) begin : gen_leave
            (* keep *) reg leave_q;
            always @(posedge i_clk)
                leave_q <= ~i_combine | i_rst;
            assign leave = leave_q;
        end else begin : gen_no_leave
            assign leave = 1'b1;
        end
    endgenerate

    wire [LANES-1:0] close;
    generate
        if (GAPS) begin : gen_close
            assign close = i_strobe[LANES+:LANES];
        end else begin : gen_no_close
            assign close = {LANES{1'b0}};
        end
    endgenerate

    localparam TIMERS     = PROTECT ? 2 : 1;
    localparam FLITS_BITS = LANES * LINK_BITS;
    wire [FLITS_BITS-1:0]        old_flits, new_flits;
    wire [FLITS_BITS-1:0]        own_flits; // old_flits as long after as links take: when new_flits are there
    wire [TIMERS*FLITS_BITS-1:0] results, ins, owns; // ins: what goes into the lanes; owns: what of old_flits is in it
    genvar s;
    generate
        if (OPERATOR != `GFAB_OPERATOR_NONE) begin : gen_combine
            localparam NEAR_BITS = `GFAB_BITS(LANES);
            if (LATENCY > 0) begin : gen_wait
                gfab_wire #(.LINK_BITS(FLITS_BITS), .LATENCY(LATENCY)) u_own (
                    .i_clk(i_clk), .i_rst(i_rst), .i_near(old_flits), .o_far(own_flits)
                );
            end else begin : gen_no_wait
                assign own_flits = old_flits;
            end
            for (s = 0; s < TIMERS; s = s + 1) begin : gen_timer
                wire [COMBINING_BITS-1:0] combining = i_combining[s*COMBINING_BITS+:COMBINING_BITS];
                wire                 combine;
                wire [NEAR_BITS-1:0] near;
                if (DIRECT) begin : gen_now
                    assign combine = i_combine;
                    assign near    = i_near[s*NEAR_BITS+:NEAR_BITS];
                end else begin : gen_next
                    reg [NEAR_BITS-1:0] near_q;
                    always @(posedge i_clk)
                        near_q <= i_near[s*NEAR_BITS+:NEAR_BITS];
                    assign near = near_q;
                    if (s == 0) begin : gen_first
                        reg combine_q;
                        always @(posedge i_clk)
                            combine_q <= i_combine & ~(PROTECT != 0 && i_rst);
                        assign combine = combine_q;
                    end else begin : gen_second
                        assign combine = ~leave;
                    end
                end
                wire [NEAR_BITS:0] then; // as long after
                if (LATENCY > 0) begin : gen_wait
                    gfab_wire #(.LINK_BITS(NEAR_BITS + 1), .LATENCY(LATENCY)) u_then (
                        .i_clk(i_clk), .i_rst(i_rst), .i_near({combine, near}), .o_far(then)
                    );
                end else begin : gen_no_wait
                    assign then = {combine, near};
                end
                wire [LANES-1:0] open, clear;
                if (SKEW != 0) begin : gen_late
                    assign open  = {combining[LANES-1:1], combining[LANES]};
                    assign clear = {combining[LANES+10+:LANES-1], combining[2*LANES+9]};
                end else begin : gen_in_time
                    assign open  = combining[LANES-1:0];
                    assign clear = combining[LANES+9+:LANES];
                end
                gfab_combine #(
                    .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW), .LINK_BITS(LINK_BITS), .REGISTERED(REGISTERED),
                    .OPERATOR(OPERATOR)
                ) u_combine (
                    .i_clk(i_clk), .i_open(open), .i_clear(clear), .i_operator(combining[LANES+6+:3]),
                    .i_combine(then[NEAR_BITS]), .i_near(then[NEAR_BITS-1:0]), .i_old(own_flits), .i_new(new_flits),
                    .o_result(results[s*FLITS_BITS+:FLITS_BITS]), .o_in(ins[s*FLITS_BITS+:FLITS_BITS]),
                    .o_own(owns[s*FLITS_BITS+:FLITS_BITS])
                );
            end
        end else begin : gen_store
            assign results = {TIMERS{new_flits}};
            assign ins     = {TIMERS{new_flits}};
            assign owns    = {TIMERS{old_flits}};
            assign own_flits = old_flits;
        end
    endgenerate
    assign in_flits = ins[FLITS_BITS-1:0];

    wire [LANES-1:0] lane_faults;
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            if (LANE_MASK[c]) begin : gen_present
                gfab_lane #(
                    .LANES(LANES), .LINK_BITS(LINK_BITS), .DIRECT(DIRECT),
                    .SPLIT(LATENCY > 0 || (GAPS != 0 && c == 0 && SKEW != 0)),
                    .TX_DELAY(c == 0 ? SKEW : 0), .RX_DELAY(c == 0 && SKEW != 0 ? LANES - SKEW : 0),
                    .COMBINE(OPERATOR != `GFAB_OPERATOR_NONE), .BOTH(COPY), .PROTECT(PROTECT)
                ) u_lane (
                    .i_clk(i_clk), .i_rst(i_rst),
                    .i_strobe(i_strobe[c]), .i_close(close[c]), .i_first(i_first[c]),
                    .i_send(send_at_strobe), .i_rest(rest_at_strobe),
                    .i_word(sent), .i_old(old), .o_word(in_words[c*WORD_BITS+:WORD_BITS]),
                    .i_link(i_link[c*LINK_BITS+:LINK_BITS]), .o_link(o_link[c*LINK_BITS+:LINK_BITS]),
                    .o_drive(o_drive[c]),
                    .o_old(old_flits[c*LINK_BITS+:LINK_BITS]), .o_new(new_flits[c*LINK_BITS+:LINK_BITS]),
                    .i_in(in_flits[c*LINK_BITS+:LINK_BITS]), .o_fault(lane_faults[c])
                );
            end else begin : gen_absent
                assign in_words[c*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
                assign o_link[c*LINK_BITS+:LINK_BITS]   = {LINK_BITS{1'b0}};
                assign o_drive[c]                       = 1'b0;
                assign old_flits[c*LINK_BITS+:LINK_BITS] = {LINK_BITS{1'b0}};
                assign new_flits[c*LINK_BITS+:LINK_BITS] = {LINK_BITS{1'b0}};
                assign lane_faults[c]                   = 1'b0;
            end
        end
    endgenerate

    generate
        if (PROTECT) begin : gen_checks
            wire in_check;  // of the word to be written
            wire out_check; // to be entered, 1 for nothing: of what is out
            wire came;      // and of what came in
            wire old_fault, differ;
            if (OPERATOR != `GFAB_OPERATOR_NONE) begin : gen_combined
                wire differs, came_odd, result_odd, in_odd;
                wire [1:0] flips_seen = i_combining[COMBINING_BITS+LANES+4+:2]; // {late, in time}
                reg        receive_q, differ_q, old_tested_q;
                always @(posedge i_clk) begin
                    receive_q    <= i_receive & ~i_rst;
                    differ_q     <= ~i_rst & differs;
                    old_tested_q <= ~i_rst & COPY & i_combine;
                end
                wire [LANES+1:0] taken = {DIRECT ? {i_receive, i_combine} : {receive_q, ~leave}, i_strobe[LANES-1:0]};
                wire [LANES+1:0] then; // when what is received arrives
                if (LATENCY > 0) begin : gen_wait
                    gfab_wire #(.LINK_BITS(LANES + 2), .LATENCY(LATENCY)) u_then (
                        .i_clk(i_clk), .i_rst(i_rst), .i_near(taken), .o_far(then)
                    );
                end else begin : gen_no_wait
                    assign then = taken;
                end
                gfab_combine_check #(
                    .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW), .LINK_BITS(LINK_BITS)
                ) u_check (
                    .i_clk(i_clk), .i_rst(i_rst), .i_strobe(then[LANES-1:0]),
                    .i_receive(then[LANES+1]), .i_combine(then[LANES]),
                    .i_new(new_flits), .i_own(owns[FLITS_BITS+:FLITS_BITS]), .i_result(results[FLITS_BITS-1:0]),
                    .i_twin(results[FLITS_BITS+:FLITS_BITS]), .i_ready_lane(ready_lane),
                    .o_odd(came_odd), .o_result_odd(result_odd), .o_differ(differs)
                );
                if (REGISTERED) begin : gen_odd_registered
                    reg result_odd_q;
                    always @(posedge i_clk)
                        result_odd_q <= result_odd;
                    (* keep *) reg in_time_q; // ~gen_late_registered.late_q, kept apart from it
                    always @(posedge i_clk)
                        in_time_q <= ~late_at_ready;
                    assign in_odd = result_odd_q ^ (in_time_q ? flips_seen[0] : flips_seen[1]);
                end else begin : gen_odd_at_once
                    assign in_odd = result_odd ^ (late_at_ready ? flips_seen[1] : flips_seen[0]);
                end
                // Over links a top bit that is turned over counts as it is there.
                wire flipped = i_combining[LANES+3];
                assign in_check  = ~(i_busy ? in_odd : ^i_load_data);
                assign out_check = (gen_rest.rest_q | (stored_out[WORD_BITS] ^ flipped)) ^
                                   (~leave & ~(stored_old[WORD_BITS] ^ flipped));
                assign came      = came_odd;
                assign differ    = differ_q;
                assign old_fault = old_tested_q & ~^stored_old;
            end else begin : gen_received
                assign in_check  = ~^write_data;
                assign out_check = gen_rest.rest_q ? 1'b1 : stored_out[WORD_BITS]; // sent_check_q's set
                assign came      = i_write & ~in_check;
                assign differ    = 1'b0;
                assign old_fault = 1'b0;
            end

            reg sent_check_q;
            reg balance_q;
            always @(posedge i_clk) begin
                sent_check_q <= out_check;
                if (!i_busy)
                    balance_q <= 1'b0;
                else
                    balance_q <= balance_q ^ ~sent_check_q ^ came;
            end
            assign stored_in = {in_check, write_data};

            reg tested_q; // what is out is sent, or the host's, or combined
            reg fault_q;
            always @(posedge i_clk) begin
                tested_q <= ~i_rst & (i_send | i_host_reads | (i_combine & !COPY));
                fault_q  <= i_rst ? 1'b0 : o_fault; // a reset, not a LUT's input
            end
            // The RAM is slow and the host is to have the verdict with the word. Kept, so that it is two LUTs away.
            localparam HALF_BITS = (WORD_BITS + 1) / 2;
            (* keep *) wire [1:0] halves;
            assign halves    = {^(out_word >> HALF_BITS), ^out_word[HALF_BITS-1:0]};
            assign o_fault   = (tested_q & ~^{stored_out[WORD_BITS], halves}) | old_fault;
            // A flip makes one of these odd, and no two at once.
            assign o_alarm   = (^{fault_q, i_write_check, i_write_slot, i_write, lane_faults}) | differ;
            assign o_balance = balance_q;
            assign o_trace_check = in_check;
        end else begin : gen_no_checks
            assign stored_in = write_data;
            assign o_fault   = 1'b0;
            assign o_alarm   = |lane_faults;
            assign o_balance = 1'b0;
            assign o_trace_check = 1'b0;
        end
    endgenerate

    assign o_trace_write   = i_busy & i_write;
    assign o_trace_address = {i_write_slot, i_write_word};
    assign o_trace_data    = received;
endmodule

`default_nettype wire
