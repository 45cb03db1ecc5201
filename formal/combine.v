// SPDX-License-Identifier: MIT
//
// A narrow node that combines, the sequencer and the timer beside it, for every legal program
// (docs/reference/rom-format.md, rule 8), every behaviour of its links, its host, the starts and the resets. One slot
// of the store, any, is followed: i_slot. What it must hold is told here by arithmetic on whole tokens, without flits,
// carries or neighbours.
//
// The ROM is free: in each round each lane may be told anything that is legal, however long the program.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module formal_combine #(
    parameter SLOTS      = 3,
    parameter LANES      = 2,
    parameter LANE_MASK  = (1 << LANES) - 1,
    parameter SKEW       = 0,
    parameter WORDS      = 2, // 3 or more with SKEW
    parameter FLITS      = LANES * WORDS, // of a token; above these is padding
    parameter ROUND_BITS = 2,
    parameter LINK_BITS  = 1,
    parameter FULL       = 0,
    parameter REGISTERED = 0, // where a round has room for it
    parameter LOOPS      = 0, // 1: round 0 may follow any round, as with streams
    parameter OPERATOR   = `GFAB_OPERATOR_SUM
) (
    input wire                           i_clk,
    input wire                           i_rst,
    input wire                           i_start,
    input wire [ROUND_BITS-1:0]          i_rounds,
    input wire                           i_again, // with LOOPS
    input wire [(FULL+1)*(`GFAB_BITS(SLOTS)+2)-1:0] i_op, // what the ROM gives
    input wire [2:0]                     i_operator,
    input wire [`GFAB_BITS(SLOTS)-1:0]   i_slot,
    input wire                           i_load_valid,
    input wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0] i_load_word,
    input wire [LANES*LINK_BITS-1:0]     i_load_data,
    input wire [`GFAB_BITS(SLOTS)-1:0]   i_read_slot,
    input wire [`GFAB_BITS(WORDS)-1:0]   i_read_word,
    input wire [LANES*LINK_BITS-1:0]     i_link
);
    localparam LB         = `GFAB_BITS(LANES);
    localparam WB         = `GFAB_BITS(WORDS);
    localparam SB         = `GFAB_BITS(SLOTS);
    localparam BITS       = LANES * LINK_BITS; // of a word
    localparam TOKEN      = WORDS * BITS;
    localparam DATA       = FLITS * LINK_BITS; // of a token that are no padding
    localparam TOP_WORD   = (DATA - 1) / BITS;
    localparam TOP_BIT    = (DATA - 1) % BITS;
    localparam HALF       = SB + `GFAB_OP_SLOT_LSB;
    localparam OP_BITS    = (FULL + 1) * HALF;
    localparam IN         = FULL * HALF; // where an op says what is received
    localparam X          = WORDS == 2 ? 0 : 1;
    localparam SKEWED     = SKEW != 0;
    localparam COPIES     = FULL + 1;
    localparam [LANES-1:0] PRESENT = LANE_MASK;

    // All words of the stores, copy by copy; see_stores in run.sh joins them to what the RTL has.
    wire [((COPIES*BITS)<<(SB+WB))-1:0] words;
    genvar a;
    generate
        for (a = 0; a < COPIES << (SB + WB); a = a + 1) begin : gen_word
            (* keep *) wire [BITS-1:0] word;
            assign words[a*BITS+:BITS] = word;
        end
    endgenerate

    wire                       busy, done, run, trace_write;
    wire [ROUND_BITS-1:0]      round;
    wire [LB-1:0]              lane;
    wire [LANES*LB-1:0]        out_flit;
    wire [LB*(LANES+REGISTERED)-1:0] in_lane;
    wire [WB-1:0]              sequence_word, sequence_write_word, sequence_write_word_late;
    wire [WB-1:0]              read_word, write_word, write_word_late;
    wire [LANES-1:0]           strobe, drive;
    wire [SB+WB-1:0]           trace_address;
    wire [BITS-1:0]            trace_data, read_data, link;
    wire [`GFAB_COMBINING_BITS(LANES)-1:0] combining;
    reg                        halt;
    reg                        again_q; // of stage 1
    gfab_sequencer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .REGISTERED(REGISTERED),
        .LOOPS(LOOPS)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round({ROUND_BITS{1'b0}}),
        .i_next(halt), .i_again(i_again), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word),
        .o_strobe(strobe), .o_close(), .o_out_flit(out_flit), .o_in_lane(in_lane), .o_begin(), .o_last_round(),
        .o_write_round(), .o_write_word(sequence_write_word), .o_write_word_late(sequence_write_word_late)
    );
    gfab_combine_timer #(
        .LANES(LANES), .WORDS(WORDS), .OPERATOR(OPERATOR), .FLITS(FLITS)
    ) u_timer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_busy(busy), .i_done(done), .i_operator(i_operator),
        .i_lane(lane), .i_strobe(strobe), .i_close({LANES{1'b0}}), .i_read_word(sequence_word),
        .i_write_word(sequence_write_word),
        .i_write_word_late(sequence_write_word_late), .o_read_word(read_word), .o_write_word(write_word),
        .o_write_word_late(write_word_late), .o_combining(combining)
    );
    reg [OP_BITS-1:0] op_q;
    gfab_node #(
        .SLOTS(SLOTS), .LANES(LANES), .LANE_MASK(PRESENT), .SKEWED(SKEWED), .SKEW(SKEW),
        .LINK_BITS(LINK_BITS), .WORDS(WORDS), .FULL(FULL), .REGISTERED(REGISTERED),
        .ANY_SLOT(1), .OPERATOR(OPERATOR), .TOP_BIT(TOP_BIT)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(busy), .i_rests(i_rst | ~busy | done), .i_run(run), .i_op(op_q),
        .i_sequence_word(read_word), .i_strobe(strobe), .i_out_flit(out_flit), .i_in_lane(in_lane),
        .i_write_word({write_word_late, write_word}), .i_combining(combining),
        .i_own_slot({SB{1'b0}}), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_slot(i_read_slot), .i_read_word(i_read_word), .o_read_data(read_data),
        .i_link(i_link), .o_link(link), .o_drive(drive), .o_fault(), .o_alarm(), .o_balance(), .i_host_reads(1'b0),
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data)
    );

    // Stage 1 by the timeline. t_op is what the ROM gave.
    wire                  due, due_busy, due_done, due_run, due_held, due_tail;
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .REGISTERED(REGISTERED),
        .LOOPS(LOOPS)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(i_rounds), .i_gaps({(1<<ROUND_BITS){1'b0}}),
        .i_again(again_q), .o_held(due_held), .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );
    timeline_check #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LOOPS(LOOPS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held), .i_again(again_q),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(round), .i_lane(lane), .i_read_word(sequence_word)
    );
    wire          t_sends    = due_run & op_q[1:0] == `GFAB_OP_SEND;
    wire          t_combines = due_run & op_q[IN+:2] == `GFAB_OP_COMBINE;
    wire          t_takes    = due_run & op_q[IN+:2] == `GFAB_OP_RECV | t_combines;
    wire [SB-1:0] t_from     = op_q[2+:SB];
    wire [SB-1:0] t_to       = op_q[IN+2+:SB];

    // What is legal. What the lanes were told in a round's first period holds for all of it.
    reg [LANES*OP_BITS-1:0] told_q;
    reg [ROUND_BITS-1:0]    rounds_q;
    reg [SB-1:0]            slot_q;
    integer                 e;
    always @(posedge i_clk) begin
        op_q     <= i_op;
        again_q  <= i_again;
        halt     <= lane == 0 && round == i_rounds;
        rounds_q <= i_rounds;
        slot_q   <= i_slot;
        assume (i_rounds == rounds_q && i_slot == slot_q && i_slot < SLOTS);
        assume (i_load_word[WB+:SB] < SLOTS && i_load_word[WB-1:0] < WORDS);
        assume (i_read_slot < SLOTS && i_read_word < WORDS);
        if (due_run) begin
            if (t_word == 0)
                told_q[t_lane*OP_BITS+:OP_BITS] <= op_q;
            else
                assume (op_q == told_q[t_lane*OP_BITS+:OP_BITS]);
            assume (t_from < SLOTS && t_to < SLOTS);
            assume (PRESENT[t_lane] || !t_takes && !t_sends);
            if (FULL != 0)
                assume (!op_q[1] && op_q[IN+:2] != `GFAB_OP_SEND);
            // Where something is combined nothing is stored, and at most one lane stores in a slot.
            for (e = 0; e < LANES; e = e + 1)
                if (t_word == 0 && e < t_lane && t_takes && told_q[e*OP_BITS+IN+1] &&
                    told_q[e*OP_BITS+IN+2+:SB] == t_to)
                    assume (t_combines && told_q[e*OP_BITS+IN]);
        end else
            assume (!run || op_q[1:0] == `GFAB_OP_IDLE && op_q[IN+:2] == `GFAB_OP_IDLE); // the halt's round
    end

    // The operator of a gossip, and which word goes first.
    reg  [2:0] chosen_q;
    wire [3:0] fixed    = OPERATOR - `GFAB_OPERATOR_FIRST;
    wire [2:0] operator = OPERATOR == `GFAB_OPERATOR_ALL ? chosen_q : fixed[2:0];
    wire       down     = operator[2];
    wire       signs    = operator == `GFAB_OPERATOR_MIN - 1 || operator == `GFAB_OPERATOR_MAX - 1;
    always @(posedge i_clk)
        if (i_start && (!due_busy || due_done))
            chosen_q <= i_operator;

    // A turn where its word is to be written: `d_`, and a period later: `l_`, where a skewed lane 0 writes.
    localparam TURN = 3 + 2 * SB + WB + LB;
    wire            d_run, d_sends, d_takes, d_combines, l_run, l_sends, l_takes, l_combines;
    wire [SB-1:0]   d_from, d_to, l_from, l_to;
    wire [WB-1:0]   d_word, l_word;
    wire [LB-1:0]   d_lane, l_lane;
    wire [TURN-1:0] d_turn, l_turn;
    later #(.CYCLES(LANES + X + REGISTERED), .BITS(TURN)) u_turn (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run),
        .i_value({t_sends, t_takes, t_combines, t_from, t_to, t_word, t_lane}), .o_valid(d_run), .o_value(d_turn)
    );
    later #(.CYCLES(2 * LANES + X + REGISTERED), .BITS(TURN)) u_late_turn (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run),
        .i_value({t_sends, t_takes, t_combines, t_from, t_to, t_word, t_lane}), .o_valid(l_run), .o_value(l_turn)
    );
    assign {d_sends, d_takes, d_combines, d_from, d_to, d_word, d_lane} = d_turn;
    assign {l_sends, l_takes, l_combines, l_from, l_to, l_word, l_lane} = l_turn;

    // The word that was on each lane's link in the LANES cycles up to here, or AGO cycles ago, and that which the lane
    // put there. Over links the top bit of a number with a sign is turned over, and what goes `down` begins with the
    // most significant flit.
    localparam PAST = 2 * LANES + 1; // cycles, this one included
    reg  [(PAST-1)*BITS-1:0]  came_past_q, sent_past_q;
    reg  [(PAST-1)*LANES-1:0] drive_past_q;
    wire [PAST*BITS-1:0]      came_past  = {came_past_q, i_link};
    wire [PAST*BITS-1:0]      sent_past  = {sent_past_q, link};
    wire [PAST*LANES-1:0]     drive_past = {drive_past_q, drive};
    always @(posedge i_clk) begin
        came_past_q  <= came_past;
        sent_past_q  <= sent_past;
        drive_past_q <= drive_past;
    end
    wire [WB-1:0]         d_index = down ? WORDS - 1 - d_word : d_word; // in the store
    wire [WB-1:0]         l_index = down ? WORDS - 1 - l_word : l_word;
    wire [LANES*BITS-1:0] arrived, sent;
    wire [LANES-1:0]      driven, rested; // all of those cycles
    genvar i, f;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            localparam LATE  = SKEW != 0 && i == 0;
            localparam AGO   = REGISTERED + (LATE ? LANES - SKEW : 0); // cycles
            wire [WB-1:0]    index = LATE ? l_index : d_index;
            wire [BITS-1:0]  turns = {{(BITS-1){1'b0}}, signs && index == TOP_WORD} << TOP_BIT;
            wire [BITS-1:0]  came_bits, sent_bits;
            wire [LANES-1:0] drives;
            for (f = 0; f < LANES; f = f + 1) begin : gen_flit
                localparam FIRST = AGO + LANES - 1 - f; // flit f, least significant first
                localparam LAST  = AGO + f;
                assign came_bits[f*LINK_BITS+:LINK_BITS] = down ? came_past[LAST*BITS+i*LINK_BITS+:LINK_BITS]
                                                                : came_past[FIRST*BITS+i*LINK_BITS+:LINK_BITS];
                assign sent_bits[f*LINK_BITS+:LINK_BITS] = down ? sent_past[LAST*BITS+i*LINK_BITS+:LINK_BITS]
                                                                : sent_past[FIRST*BITS+i*LINK_BITS+:LINK_BITS];
                assign drives[f] = drive_past[LAST*LANES+i];
            end
            assign arrived[i*BITS+:BITS] = came_bits ^ turns;
            assign sent[i*BITS+:BITS]    = sent_bits ^ turns;
            assign driven[i]             = &drives;
            assign rested[i]             = ~|drives;
        end
    endgenerate

    // Padding may be anything here: nothing is carried into it, and minimum and maximum compare it, too.
    localparam [TOKEN-1:0] SIGN  = {{(TOKEN-1){1'b0}}, 1'b1} << (DATA - 1);
    localparam [TOKEN-1:0] BELOW = {TOKEN{1'b1}} >> (TOKEN - DATA);
    function [TOKEN-1:0] result_of(input [2:0] what, input [TOKEN-1:0] a, input [TOKEN-1:0] b);
        case ({1'b0, what} + `GFAB_OPERATOR_FIRST)
        `GFAB_OPERATOR_SUM: result_of = ((a & ~BELOW) + (b & ~BELOW)) | (a + b & BELOW);
        `GFAB_OPERATOR_AND: result_of = a & b;
        `GFAB_OPERATOR_OR: result_of = a | b;
        `GFAB_OPERATOR_XOR: result_of = a ^ b;
        `GFAB_OPERATOR_MIN: result_of = (a ^ SIGN) < (b ^ SIGN) ? a : b;
        `GFAB_OPERATOR_MAX: result_of = (a ^ SIGN) < (b ^ SIGN) ? b : a;
        `GFAB_OPERATOR_UMIN: result_of = a < b ? a : b;
        default: result_of = a < b ? b : a;
        endcase
    endfunction

    // The slot that is followed: what it holds; what it had when the round began; what each lane takes for it in the
    // round. Of the last two as much as is known, else 0: no operator's result depends, in the words that are known,
    // on the others.
    wire                   write_due = d_run & d_takes & (SKEW == 0 | d_lane != 0);
    wire                   late_due  = SKEW != 0 & l_run & l_takes & l_lane == 0;
    wire [WB-1:0]          index = late_due ? l_index : d_index;
    wire [SB-1:0]          to    = late_due ? l_to : d_to;
    reg  [TOKEN-1:0]       held_q, held, base_q, base;
    reg  [LANES*TOKEN-1:0] came_q, came;
    reg  [LANES-1:0]       joins_q, joins; // the lanes that combine into it
    reg  [TOKEN-1:0]       wanted;
    integer                c;
    always @* begin
        base  = base_q;
        came  = came_q;
        joins = joins_q;
        // In the turn of lane 0 nothing of the round has been written yet to the word.
        if (d_run && d_lane == 0) begin
            if (d_word == 0)
                base = 0;
            base[d_index*BITS+:BITS] = held_q[d_index*BITS+:BITS];
        end
        for (c = 0; c < LANES; c = c + 1)
            if (SKEW != 0 && c == 0 ? l_run && l_lane == 0 : d_run && d_lane == c) begin
                if ((SKEW != 0 && c == 0 ? l_word : d_word) == 0)
                    came[c*TOKEN+:TOKEN] = 0;
                came[c*TOKEN+(SKEW != 0 && c == 0 ? l_index : d_index)*BITS+:BITS] = arrived[c*BITS+:BITS];
                joins[c] = SKEW != 0 && c == 0 ? l_combines && l_to == i_slot : d_combines && d_to == i_slot;
            end
        // All lanes that combine into the slot, up to this one; a skewed lane 0 comes last.
        wanted = late_due ? base_q : base;
        for (c = 0; c < LANES; c = c + 1)
            if (joins[c] && (SKEW == 0 || c != 0) && (late_due || c <= d_lane))
                wanted = result_of(operator, wanted, came[c*TOKEN+:TOKEN]);
        if (late_due && joins[0])
            wanted = result_of(operator, wanted, came[0+:TOKEN]);
        if (late_due ? !l_combines : !d_combines)
            wanted = came[(late_due ? 0 : d_lane)*TOKEN+:TOKEN];
        held = held_q;
        if ((write_due || late_due) && to == i_slot)
            held[index*BITS+:BITS] = wanted[index*BITS+:BITS];
        else if (!due_busy && i_load_valid && i_load_word[WB+:SB] == i_slot)
            held[i_load_word[WB-1:0]*BITS+:BITS] = i_load_data;
    end
    always @(posedge i_clk) begin
        held_q  <= held;
        base_q  <= base;
        came_q  <= came;
        joins_q <= joins;
    end

    reg  was_due;  // the first cycle of all is over
    reg  agree;    // the stores have in the slot what it holds
    reg  reads_q;  // the host reads the slot, and does not write that word
    reg  [BITS-1:0] read_q;
    reg  again;    // a gossip has ended since the reset
    reg  looped;   // it is in round 0 once more
    integer w, n;
    initial was_due = 0;
    always @* begin
        agree = 1;
        for (w = 0; w < WORDS; w = w + 1)
            for (n = 0; n < COPIES; n = n + 1)
                if (words[((n<<(SB+WB))+(i_slot<<WB)+w)*BITS+:BITS] != held_q[w*BITS+:BITS])
                    agree = 0;
    end
    always @(posedge i_clk) begin
        was_due <= due;
        reads_q <= ~busy & ~due_run & i_read_slot == i_slot &
                   ~(i_load_valid & i_load_word == {i_read_slot, i_read_word});
        read_q  <= held_q[i_read_word*BITS+:BITS];
        if (due && !was_due)
            assume (agree);
        if (due) begin
            assert (agree);
            // Exactly the words that the program says, in their cycles, at their addresses.
            assert (!(write_due && late_due));
            assert (trace_write == (write_due | late_due));
            if (trace_write)
                assert (trace_address == {to, index});
            if (trace_write && to == i_slot)
                assert (trace_data == wanted[index*BITS+:BITS]);
            // What leaves is what the slot had when the round began; nothing leaves otherwise.
            if (d_run && (SKEW == 0 || d_lane != 0)) begin
                assert (d_sends ? driven[d_lane] : rested[d_lane]);
                if (d_sends && d_from == i_slot)
                    assert (sent[d_lane*BITS+:BITS] == base[d_index*BITS+:BITS]);
            end
            if (SKEW != 0 && l_run && l_lane == 0) begin
                assert (l_sends ? driven[0] : rested[0]);
                if (l_sends && l_from == i_slot)
                    assert (sent[0+:BITS] == base_q[l_index*BITS+:BITS]);
            end
            if (was_due && reads_q)
                assert (read_data == read_q);
        end
        again <= ~i_rst & (again | done);
        looped <= ~i_rst & due_run & (looped | (t_lane == LANES - 1 && t_word == WORDS - 1 && again_q));
        // All lanes combine into the slot, and the last of them writes its last word.
        cover (due && trace_write && &(joins | ~PRESENT) && (SKEW != 0 ? late_due : d_lane == LANES - 1) &&
               index == WORDS - 1 && trace_data != 0 && came[0+:TOKEN] != 0 && base != 0);
        cover (due && again && trace_write && to == i_slot && |joins);
        cover (due && d_sends && d_from == i_slot && |joins && |drive);
        cover (due && done && reads_q && |joins);
        if (LOOPS != 0) // a round of the next time writes the slot
            cover (due && looped && trace_write && to == i_slot && t_word == WORDS - 1);
        if (FULL != 0)
            cover (due && d_sends && d_combines && d_from == i_slot && d_to == i_slot);
    end
endmodule

`default_nettype wire
