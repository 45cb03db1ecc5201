// SPDX-License-Identifier: MIT
//
// A node: what its program says, when to write what was received, and around these the store and a lane for each port
// (gfab_lane_store). Rounds are timed by one gfab_sequencer for the whole fabric; i_op is the op register of the
// node's gfab_program, which it may share.
//
// Tokens are cut in PARTS equal parts, each with a slot of its own; what moves in a round is a part. A node's own token
// has the slots from i_own_slot on.
//
// Host side. While i_busy = 0, i_load_valid writes i_load_data to word i_load_word, {part, word} of it, of the node's
// own token at the next edge; while i_busy = 1 it is ignored. o_read_data is, one cycle later, word
// i_read_word of store slot i_read_slot, right for reads presented in any cycle after
// o_done was sampled 1 and until the next start; while a gossip runs it is of no use.
//
// ANY_SLOT: i_load_word is {slot, word}, of any slot. OPERATOR: an op may say that what arrives is combined with what
// the slot has. All lanes of a node that combine into a slot in a round count: gfab_combine has how.
//
// FULL, GAPS and SKEWED say what the fabric can do. Each makes an input wider: i_op, i_strobe, i_write_word. A fabric
// without it has the narrow input, and no wires for what it cannot do.
//
// 30 ports and 17 parameters: what the sequencer, the program and the host say to gfab_lane_store, in other words, and
// the links.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_node #(
    parameter SLOTS        = 16, // that an op can name, 2 or more: nodes of the fabric times PARTS
    parameter STORE_SLOTS  = SLOTS, // of the store, 1 .. SLOTS: fewer in a relay
    parameter PARTS        = 1,  // of a token, 1 or more
    parameter LANES        = 4,  // K, 1 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c
    parameter SKEWED       = 0,  // 1: some link of the fabric is skewed
    parameter SKEW         = 0,  // 0, or the lane of the other end of a skewed lane 0; only with SKEWED
    parameter LINK_BITS    = 2,  // L, 1 or more
    parameter WORDS        = 4,  // store words of a part, 2 or more
    parameter FULL         = 0,  // 1: full-duplex ports
    parameter GAPS         = 0,  // 1: rounds may have gaps between
    parameter LATENCY      = 0,  // cycles, of every link, 0 .. 15
    parameter REGISTERED   = 0,  // 1: a word that came in waits a cycle before it is written
    parameter PROTECT      = 0,  // 1: faults are noticed, as gfab_lane_store says
    parameter ANY_SLOT     = 0,  // 1: the host loads every slot
    parameter OPERATOR     = `GFAB_OPERATOR_NONE,
    parameter TOP_BIT      = 7   // with OPERATOR: a token's top bit, in the word that has it
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from the sequencer
    input  wire                         i_busy,
    input  wire                         i_rests,  // in the next cycle no gossip writes
    input  wire                         i_run,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_sequence_word,
    input  wire [LANES*(GAPS ? 2 : 1)-1:0] i_strobe, // with GAPS {close, strobe}
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_out_flit,
    input  wire [`GFAB_BITS(LANES)*(LANES+(REGISTERED ? 1 : 0))-1:0] i_in_lane,
    input  wire [`GFAB_BITS(WORDS)*(SKEWED ? 2 : 1)-1:0] i_write_word, // with SKEWED {late word, word}
    // from the program; with FULL {receive, send}
    input  wire [(`GFAB_BITS(SLOTS)+`GFAB_OP_SLOT_LSB)*(FULL ? 2 : 1)-1:0] i_op,
    // with OPERATOR: of the gfab_combine_timer
    input  wire [`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_combining,
    // host
    input  wire                         i_host_reads, // with PROTECT: o_read_data will be a word that is there
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
    output wire                         o_fault,
    output wire                         o_alarm,
    output wire                         o_balance,
    // for test benches: the store's write port, host loads left out
    output wire                                               o_trace_write,
    output wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0]     o_trace_address,
    output wire [LANES*LINK_BITS-1:0]                         o_trace_data,
    output wire                                               o_trace_check // with PROTECT, else 0
);
    localparam LANE_BITS  = `GFAB_BITS(LANES);
    localparam TOKEN_BITS = `GFAB_BITS(SLOTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam DIRECT     = (WORDS == 2);
    localparam RECV_LSB   = FULL ? TOKEN_BITS + `GFAB_OP_SLOT_LSB : 0; // half duplex one op is either

    // Stage 1: the op. A kind has a bit for each of send and recv; both are combine, which other fabrics do not have.
    localparam COMBINES = (OPERATOR != `GFAB_OPERATOR_NONE);
    wire [1:0]            out_kind  = i_op[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH];
    wire [1:0]            in_kind   = i_op[RECV_LSB+`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH];
    wire                  send      = i_run & (COMBINES ? out_kind == `GFAB_OP_SEND : out_kind[0]);
    wire [TOKEN_BITS-1:0] send_slot = i_op[`GFAB_OP_SLOT_LSB+:TOKEN_BITS];
    wire                  combine   = COMBINES & i_run & (in_kind == `GFAB_OP_COMBINE);
    wire                  recv      = i_run & in_kind[1];
    wire [TOKEN_BITS-1:0] recv_slot = i_op[RECV_LSB+`GFAB_OP_SLOT_LSB+:TOKEN_BITS];

    // What is received, on its way from stage 1 to the write stage.
    localparam WRITE_DELAY = LANES + LATENCY + (DIRECT ? 0 : 1) + (REGISTERED ? 1 : 0);
    localparam LATE_DELAY  = WRITE_DELAY + (SKEW != 0 ? LANES : 0);
    localparam OWN_RESTS   = (PARTS == 1 && ANY_SLOT == 0 && SKEW == 0);
    reg  [LATE_DELAY-1:0]             recv_q;
    reg  [LATE_DELAY-1:0]             recv_d;
    wire [LATE_DELAY:0]               recv_chain = {recv_q, recv};
    wire [TOKEN_BITS-1:0]             slot_d, slot, late_slot;
    wire [WRITE_DELAY*TOKEN_BITS-1:0] slots;
    gfab_delay #(
        .BITS(TOKEN_BITS), .CYCLES(WRITE_DELAY - 1), .RESET(PROTECT)
    ) u_slot (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(recv_slot), .o_data(slot_d), .o_taps(slots)
    );
    // Where the host loads one slot alone, that slot rests in the last register: it is what a reset makes of it.
    reg [TOKEN_BITS-1:0] slot_q;
    always @(posedge i_clk)
        if (OWN_RESTS ? i_rests : (PROTECT != 0 && i_rst))
            slot_q <= OWN_RESTS ? i_own_slot : {TOKEN_BITS{1'b0}};
        else
            slot_q <= slot_d;
    assign slot = slot_q;
    gfab_delay #(
        .BITS(TOKEN_BITS), .CYCLES(LATE_DELAY - WRITE_DELAY), .RESET(PROTECT)
    ) u_slot_late (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(slot), .o_data(late_slot), .o_taps()
    );
    wire lane_0_writes = (i_in_lane[LANE_BITS*(LANES-(REGISTERED ? 0 : 1))+:LANE_BITS] == {LANE_BITS{1'b0}});
    // Only lane 0's receives go on to be late: those of other lanes, done by now, could be
    // there still when a next gossip starts at once and takes them for its own.
    always @* begin
        recv_d = recv_chain[LATE_DELAY-1:0];
        if (LATE_DELAY != WRITE_DELAY && !lane_0_writes)
            recv_d[LATE_DELAY-LANES] = 1'b0;
    end
    always @(posedge i_clk)
        recv_q <= i_rst ? {LATE_DELAY{1'b0}} : recv_d;

    // A late word's cycle is lane 0's next turn, or the first of a gap, in which the lane is 0, too.
    wire late = (SKEW != 0) & lane_0_writes;
    wire                  write   = late ? recv_chain[LATE_DELAY] : recv_chain[WRITE_DELAY];
    wire [TOKEN_BITS-1:0] to_slot = late ? late_slot : slot;
    wire [INDEX_BITS-1:0] to_word;
    generate
        if (SKEW != 0) begin : gen_late
            assign to_word = late ? i_write_word[INDEX_BITS+:INDEX_BITS] : i_write_word[INDEX_BITS-1:0];
        end else begin : gen_in_time
            assign to_word = i_write_word[INDEX_BITS-1:0];
        end
    endgenerate

    // The nearest lane before this one that combines into the same slot in the round: how many cycles before, or 0.
    // With PROTECT found twice.
    localparam TIMERS = PROTECT ? 2 : 1;
    wire [LANE_BITS*TIMERS-1:0] near;
    genvar s;
    generate
        for (s = 0; s < TIMERS; s = s + 1) begin : gen_nearest
            if (OPERATOR != `GFAB_OPERATOR_NONE && LANES > 1) begin : gen_near
                // Those whose results are still to come when this lane's flits arrive: all lanes before it, and before
                // a skewed lane 0, which is a period late, all others.
                wire forget = i_combining[s*`GFAB_COMBINING_BITS(LANES)+LANES+((SKEW != 0) ? 2 : 1)];
                reg  [LANES-2:0]     combine_q; // bit d - 1: d cycles ago
                reg  [LANE_BITS-1:0] nearest;
                integer              d;
                wire [LANES-1:0]     combine_chain = {combine_q, combine};
                always @(posedge i_clk)
                    combine_q <= forget ? {(LANES-1){1'b0}} : combine_chain[LANES-2:0];
                always @* begin
                    nearest = {LANE_BITS{1'b0}};
                    for (d = LANES - 1; d > 0; d = d - 1)
                        if (combine_q[d-1] && slots[d*TOKEN_BITS+:TOKEN_BITS] == recv_slot)
                            nearest = d[LANE_BITS-1:0];
                end
                assign near[s*LANE_BITS+:LANE_BITS] = nearest;
            end else begin : gen_alone
                assign near[s*LANE_BITS+:LANE_BITS] = {LANE_BITS{1'b0}};
            end
        end
    endgenerate

    // With PROTECT a bit that makes these even goes the same way.
    reg  [LATE_DELAY-1:0] check_q;
    wire [LATE_DELAY:0]   check_chain = {check_q, recv ^ (^recv_slot)};
    always @(posedge i_clk) begin
        check_q <= i_rst ? {LATE_DELAY{1'b0}} : check_chain[LATE_DELAY-1:0] ^ recv_chain[LATE_DELAY-1:0] ^ recv_d;
        if (OWN_RESTS && i_rests)
            check_q[LATE_DELAY-1] <= ^i_own_slot;
    end

    gfab_lane_store #(
        .SLOTS(SLOTS), .STORE_SLOTS(STORE_SLOTS), .PARTS(PARTS), .LANES(LANES), .LANE_MASK(LANE_MASK), .SKEW(SKEW),
        .LINK_BITS(LINK_BITS), .WORDS(WORDS), .FULL(FULL), .GAPS(GAPS), .LATENCY(LATENCY),
        .REGISTERED(REGISTERED), .PROTECT(PROTECT),
        .ANY_SLOT(ANY_SLOT), .OWN_RESTS(OWN_RESTS), .OPERATOR(OPERATOR), .TOP_BIT(TOP_BIT)
    ) u_lane_store (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(i_busy),
        .i_run(i_run), .i_send(send), .i_send_slot(send_slot), .i_send_word(i_sequence_word),
        .i_strobe(i_strobe), .i_out_flit(i_out_flit), .i_in_lane(i_in_lane),
        .i_receive(recv), .i_combine(combine), .i_combine_slot(recv_slot),
        .i_near(near), .i_combining(i_combining),
        .i_write(write), .i_write_slot(to_slot), .i_write_word(to_word),
        .i_write_check(late ? check_chain[LATE_DELAY] : check_chain[WRITE_DELAY]),
        .i_host_reads(i_host_reads),
        .i_own_slot(i_own_slot), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_slot(i_read_slot), .i_read_word(i_read_word), .o_read_data(o_read_data),
        .i_link(i_link), .o_link(o_link), .o_drive(o_drive),
        .o_fault(o_fault), .o_alarm(o_alarm), .o_balance(o_balance),
        .o_trace_write(o_trace_write), .o_trace_address(o_trace_address), .o_trace_data(o_trace_data),
        .o_trace_check(o_trace_check)
    );
endmodule

`default_nettype wire
