// SPDX-License-Identifier: MIT
//
// A host of a fabric with streams, gfab_stream_port, with the gfab_stream_groups that says which groups count. It is
// proved for every behaviour of the host, of other hosts, and of a program's rounds:
// - What is given goes over the lane block by block, each once, in order, filled up with zeros behind a vector's end.
// - What comes is taken in order, without what it was filled up with.
// - No FIFO runs over, however long a host gives nothing or takes nothing.
// By induction, hence for streams of any length.
//
// Of the program it is assumed what gfab_check_loop (core/fabric/checks/image_loop.c) finds of every program: a group's
// block is given in one round, in which it is the GIVES-th of the groups that began last, and taken while it is the
// TAKES-th.
//
// A block is known by its number: its flit f is {its number, f}. Blocks that are in the port at once have different
// numbers. What is inside is joined to these wires by see_stores in run.sh. FLITS, LANES * WORDS, is a power of two
// here.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module formal_stream_port #(
    parameter LANES  = 2,
    parameter WORDS  = 2,
    parameter MINE   = 1, // the port's lane
    parameter FULL   = 1, // this, and below, as in gfab_stream_port
    parameter DIRECT = 1,
    parameter GIVES  = 2,
    parameter TAKES  = 0
) (
    input wire       i_clk,
    input wire       i_rst,
    input wire       i_give_valid,
    input wire       i_give_last,
    input wire       i_take_ready,
    input wire       i_other, // hosts beside this one can
    input wire       i_opens, // a group begins with the round
    input wire       i_goes,  // behind a round, or while there is none: one follows
    input wire [7:0] i_op,    // {what is received, what is sent}, {slot, kind} each
    input wire [7:0] i_end    // of the next vectors' blocks, as another host says that gives first
);
    localparam FLITS      = LANES * WORDS;
    localparam BEAT_BITS  = `GFAB_BITS(FLITS);
    localparam AGES       = GIVES > TAKES ? GIVES : TAKES;
    localparam GROUP_BITS = BEAT_BITS + 2;
    localparam RING_BITS  = `GFAB_BITS(AGES + 2); // of an end's place: AGES + 2 blocks at most are in the port
    localparam BLOCK_BITS = RING_BITS + 1;        // of a block's number
    localparam LINK_BITS  = BLOCK_BITS + BEAT_BITS;
    localparam [BEAT_BITS-1:0] LAST = FLITS - 1;

    reg started;
    initial started = 0;

    // Time, as gfab_sequencer has it: rounds of FLITS cycles, each lane's turn every LANES cycles. Behind the last
    // round every lane has a turn once more, in which nothing is due, and then there may be none for a while.
    reg                         run, turns; // stage 1: a round is played; a lane has its turn
    reg [`GFAB_BITS(LANES)-1:0] lane;
    reg [`GFAB_BITS(WORDS)-1:0] word;
    reg [LANES-1:0]             late_strobe;
    wire [LANES-1:0] strobe    = {{(LANES-1){1'b0}}, turns} << lane;
    wire             last_lane = lane == LANES - 1;
    always @(posedge i_clk) begin
        late_strobe <= i_rst ? 0 : strobe;
        if (i_rst) begin
            run   <= 0;
            turns <= 0;
            lane  <= 0;
            word  <= 0;
        end else if (!turns || (last_lane && (!run || word == WORDS - 1))) begin
            run   <= i_goes;
            turns <= i_goes || run;
            lane  <= 0;
            word  <= 0;
        end else begin
            lane <= last_lane ? 0 : lane + 1'b1;
            word <= last_lane ? word + 1'b1 : word;
        end
    end
    wire mine   = turns && lane == MINE; // the op register has this lane's op
    wire marks  = run && mine && word == 0; // for the first time in a round
    wire amid   = run && (word != 0 || lane > MINE);
    wire begins = run && lane == 0 && word == 0 && i_opens;
    // A flit's number in its block, of the block that the op began which was in the op register in the cycle before.
    wire [BEAT_BITS-1:0] early_flit = word * LANES + lane - MINE - 1;
    reg  [BEAT_BITS-1:0] late_flit;
    wire [BEAT_BITS-1:0] flit = DIRECT ? early_flit : late_flit;

    wire                       can, holds, lacks, counts_now, start, more, uneven;
    wire                       give_ready, take_valid, take_last;
    wire [BEAT_BITS:0]         port_end;
    wire [BEAT_BITS:0]         group_end = GIVES > 0 ? port_end : i_end[BEAT_BITS:0];
    wire [AGES*GROUP_BITS-1:0] groups;
    wire [LINK_BITS-1:0]       give_data, take_data, came_data;
    wire [LANES*LINK_BITS-1:0] link;
    wire [LANES-1:0]           drive;
    gfab_stream_groups #(
        .HOSTS(2), .AGES(AGES), .BITS(GROUP_BITS)
    ) u_groups (
        .i_clk(i_clk), .i_rst(i_rst), .i_begins(begins), .i_can({i_other, can}),
        .i_ends({i_end[BEAT_BITS:0], group_end}), .o_start(start), .o_more(more), .o_begins(counts_now),
        .o_groups(groups), .o_uneven(uneven)
    );
    gfab_stream_port #(
        .LANES(LANES), .LANE_MASK(1 << MINE), .LINK_BITS(LINK_BITS), .FLITS(FLITS), .SLOT_BITS(2), .FULL(FULL),
        .DIRECT(DIRECT), .LATENCY(0), .AGES(AGES), .GIVES(GIVES), .TAKES(TAKES)
    ) u_port (
        .i_clk(i_clk), .i_rst(i_rst), .i_give_valid(i_give_valid), .o_give_ready(give_ready), .i_give_data(give_data),
        .i_give_last(i_give_last), .o_take_valid(take_valid), .i_take_ready(i_take_ready), .o_take_data(take_data),
        .o_take_last(take_last), .o_holds(holds), .o_lacks(lacks), .o_can(can), .o_end(port_end),
        .i_begins(counts_now), .i_groups(groups), .i_run(run), .i_strobe(DIRECT ? strobe : late_strobe),
        .i_op(i_op[(FULL ? 8 : 4)-1:0]), .i_link({LANES{came_data}}), .o_link(link), .o_drive(drive)
    );

    // The other host gives, too, and its next block's end stands still until a group has it.
    reg [BEAT_BITS:0] end_was;
    reg               counted, differed;
    initial differed = 0;
    always @(posedge i_clk) begin
        end_was  <= i_end[BEAT_BITS:0];
        counted  <= counts_now;
        differed <= !i_rst && (differed || counts_now && i_end[BEAT_BITS:0] != group_end);
        assume (!started || counted || i_end[BEAT_BITS:0] == end_was);
        if (started)
            assert (uneven == differed);
        if (GIVES > 0)
            cover (started && !i_rst && uneven);
    end

    // How many blocks groups have that count, and of each age whether it counts, and its block's number.
    reg  [BLOCK_BITS-1:0]      begun;
    wire [BLOCK_BITS-1:0]      begun_now = begun + counts_now;
    wire [AGES-1:0]            counts;
    wire [AGES*BLOCK_BITS-1:0] block_of;
    reg                        marked; // the op was this lane's, in the cycle before
    reg  [7:0]                 op;     // of the round
    wire [3:0] its_op  = FULL ? i_op[7:4] : i_op[3:0]; // what is received
    wire [3:0] its_was = FULL ? op[7:4] : op[3:0];
    always @(posedge i_clk) begin
        started   <= 1;
        begun     <= i_rst ? 0 : begun_now;
        marked    <= mine && !i_rst;
        late_flit <= early_flit;
        if (marks)
            op <= i_op;
        assume (started || i_rst);
        assume (!run || !mine || word == 0 || i_op == op);
        assume (i_op[1:0] != `GFAB_OP_SEND || (GIVES > 0 && i_op[3:2] == GIVES - 1));
        assume (!its_op[1] || (TAKES > 0 && its_op[3:2] == TAKES - 1));
        if (started) begin
            assert (lane < LANES && (turns || (!run && lane == 0)) && (run || word == 0));
            assert (late_strobe[MINE] == marked && counts_now == (begins && start));
        end
    end
    genvar g;
    generate
        for (g = 0; g < AGES; g = g + 1) begin : gen_age
            assign counts[g] = groups[g*GROUP_BITS+GROUP_BITS-1];
            if (g == 0) begin : gen_first
                assign block_of[0+:BLOCK_BITS] = begun_now - 1'b1;
            end else begin : gen_next
                assign block_of[g*BLOCK_BITS+:BLOCK_BITS] = block_of[(g-1)*BLOCK_BITS+:BLOCK_BITS] - counts[g-1];
            end
        end

        if (GIVES > 0) begin : gen_gives
            localparam BLOCKS       = GIVES + 2;
            localparam ADDRESS_BITS = `GFAB_BITS(BLOCKS * FLITS);
            localparam PLACES       = 1 << ADDRESS_BITS;
            localparam ENTRY_BITS   = `GFAB_BITS(BLOCKS);

            wire                  going;   // a block goes out
            wire [BLOCK_BITS-1:0] pending; // blocks that groups have, and are not gone
            formal_stream_rounds #(
                .AGES(AGES), .LIMIT(GIVES), .DIRECT(DIRECT), .BLOCK_BITS(BLOCK_BITS), .BEAT_BITS(BEAT_BITS)
            ) u_rounds (
                .i_clk(i_clk), .i_rst(i_rst), .i_begins(begins), .i_counts(counts), .i_run(run), .i_mine(mine),
                .i_marks(marks), .i_acts(i_op[1:0] == `GFAB_OP_SEND), .i_inside(amid),
                .i_acted(op[1:0] == `GFAB_OP_SEND), .i_turns(turns),
                .i_before(lane <= MINE), .i_flit(early_flit), .i_late_flit(late_flit), .o_early(), .o_acts(going),
                .o_pending(pending)
            );

            reg [BLOCK_BITS-1:0] closed; // blocks that are there, or were
            reg [BLOCK_BITS-1:0] left;   // that are gone
            reg [BEAT_BITS-1:0]  beat;   // of the block that comes in
            reg [(BEAT_BITS+1)*(1<<RING_BITS)-1:0] ends; // by blocks: {the vector ends with it, its last beat}
            wire [BEAT_BITS:0]   end_in  = ends[closed[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
            wire [BEAT_BITS:0]   end_out = ends[left[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
            wire [BEAT_BITS:0]   end_next = ends[begun[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
            wire                 accept  = i_give_valid && give_ready;
            wire                 fills   = beat != 0 && end_in[BEAT_BITS];
            wire                 push    = accept || fills;
            wire [BEAT_BITS-1:0] sent    = going ? flit : 0;
            wire [BLOCK_BITS-1:0] here   = closed - left; // blocks, and of flits also those that come in
            wire [BLOCK_BITS-1:0] ready  = closed - begun;
            wire [BLOCK_BITS+BEAT_BITS-1:0] flits = {closed, beat} - {left, sent};
            assign give_data = {closed, beat};

            // What goes out as a block's flit, where its end is this.
            function [LINK_BITS-1:0] filled(input [LINK_BITS-1:0] number, input [BEAT_BITS:0] its_end);
                filled = its_end[BEAT_BITS] && number[BEAT_BITS-1:0] > its_end[BEAT_BITS-1:0] ? 0 : number;
            endfunction

            (* keep *) wire [BEAT_BITS-1:0]    see_beat, see_sent, see_end;
            (* keep *) wire                    see_fill, see_fresh, see_gives;
            (* keep *) wire [`GFAB_BITS(BLOCKS+1)-1:0] see_blocks, see_whole;
            (* keep *) wire [ADDRESS_BITS-1:0] see_write, see_read;
            (* keep *) wire [`GFAB_BITS(BLOCKS*FLITS+1)-1:0] see_count;
            (* keep *) wire [ENTRY_BITS-1:0]   see_first, see_next; // of ends
            always @(posedge i_clk) begin
                closed <= i_rst ? 0 : closed + (push && beat == LAST);
                left   <= i_rst ? 0 : left + (going && flit == LAST);
                beat   <= i_rst || (push && beat == LAST) ? 0 : beat + push;
                if (accept)
                    ends[closed[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1] <= {i_give_last, i_give_last ? beat : LAST};
                if (started) begin
                    // what goes out, and what groups are told
                    assert (drive == going << MINE && (!going || here != 0));
                    assert (!going || link[MINE*LINK_BITS+:LINK_BITS] == filled({left, flit}, end_out));
                    assert (holds == (flits != 0) && lacks == (ready == 0));
                    assert (!start || port_end == end_next);
                    // what is inside
                    assert (here + (beat != 0) <= BLOCKS && ready <= here && begun_now - left == pending);
                    assert (see_beat == beat && see_fill == fills && see_sent == sent && see_gives == going);
                    assert (!fills || (see_end == end_in[BEAT_BITS-1:0] && beat > see_end));
                    assert (beat == 0 || fills || end_in == {1'b0, LAST});
                    assert (see_blocks == here + (beat != 0) && see_whole == ready);
                    assert (see_fresh == 0 || flits != 0);
                    assert (ready >= start + (see_fresh && beat == 0)); // a group takes what can be read
                    assert (see_write == {closed[RING_BITS-1:0], beat} && see_read == {left[RING_BITS-1:0], sent});
                    assert (see_count == flits - see_fresh);
                    assert (see_first == begun[ENTRY_BITS-1:0] && see_next == closed[ENTRY_BITS-1:0]);
                end
                cover (started && !i_rst && left == 3 && going && link == 0 && !give_ready);
                cover (started && !i_rst && here == BLOCKS && i_give_valid);
            end
            for (g = 0; g < PLACES; g = g + 1) begin : gen_word
                (* keep *) wire [LINK_BITS-1:0] word;
                // how many go out before it, and which flit it is
                wire [ADDRESS_BITS-1:0] behind = g - see_read;
                wire [BLOCK_BITS+BEAT_BITS-1:0] number = {left, sent} + behind;
                wire [BEAT_BITS:0] its = ends[number[BEAT_BITS+:RING_BITS]*(BEAT_BITS+1)+:BEAT_BITS+1];
                always @(posedge i_clk)
                    if (started)
                        assert (behind >= flits || word == filled(number, its));
            end
            (* keep *) wire [LINK_BITS-1:0] see_word;
            always @(posedge i_clk)
                if (started)
                    assert (see_count == 0 || see_word == filled({left, sent}, end_out));
            for (g = 0; g < 1 << ENTRY_BITS; g = g + 1) begin : gen_end
                (* keep *) wire [BEAT_BITS:0] entry;
                wire [ENTRY_BITS-1:0] after = g - see_first;
                wire [BLOCK_BITS-1:0] block = begun + after;
                always @(posedge i_clk)
                    if (started)
                        assert (after >= ready || entry == ends[block[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1]);
            end
        end else begin : gen_gives_nothing
            assign give_data = 0;
        end

        if (TAKES > 0) begin : gen_takes
            localparam BLOCKS       = TAKES + 2;
            localparam ADDRESS_BITS = `GFAB_BITS(BLOCKS * FLITS);
            localparam PLACES       = 1 << ADDRESS_BITS;
            localparam WORD_BITS    = LINK_BITS + 2;

            wire                  early, coming; // a block comes
            wire [BLOCK_BITS-1:0] pending;       // blocks that groups have, and have not come
            formal_stream_rounds #(
                .AGES(AGES), .LIMIT(TAKES), .DIRECT(DIRECT), .BLOCK_BITS(BLOCK_BITS), .BEAT_BITS(BEAT_BITS)
            ) u_rounds (
                .i_clk(i_clk), .i_rst(i_rst), .i_begins(begins), .i_counts(counts), .i_run(run), .i_mine(mine),
                .i_marks(marks), .i_acts(its_op[1]), .i_inside(amid), .i_acted(its_was[1]), .i_turns(turns),
                .i_before(lane <= MINE), .i_flit(early_flit), .i_late_flit(late_flit), .o_early(early),
                .o_acts(coming), .o_pending(pending)
            );

            reg [BLOCK_BITS-1:0] came;  // blocks that have come
            reg [BLOCK_BITS-1:0] freed; // that are taken
            reg [BEAT_BITS-1:0]  gone;  // flits of the next one that are
            reg [(BEAT_BITS+1)*(1<<RING_BITS)-1:0] ends; // by blocks: {the vector ends with it, its last beat}
            wire [BEAT_BITS:0]   end_in  = ends[came[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
            wire [BEAT_BITS:0]   end_out = ends[freed[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
            wire [BEAT_BITS-1:0] last_in  = end_in[BEAT_BITS] ? end_in[BEAT_BITS-1:0] : LAST;
            wire [BEAT_BITS-1:0] last_out = end_out[BEAT_BITS] ? end_out[BEAT_BITS-1:0] : LAST;
            wire [BEAT_BITS-1:0] in    = coming ? flit : 0; // flits of a block that have come, and that are kept
            wire [BEAT_BITS:0]   kept  = in > last_in ? last_in + 1 : in;
            wire                 pop   = take_valid && i_take_ready;
            // A block that ends early may be taken before what it is filled up with has come.
            wire [BLOCK_BITS-1:0] came_next = came + 1'b1;
            wire                  ahead = freed == came_next;
            wire [BLOCK_BITS-1:0] here = ahead ? 0 : came - freed, used = begun - freed;
            wire [BLOCK_BITS-1:0] next = came + (!DIRECT && coming && flit == LAST); // of the op's round
            assign came_data = {came, flit};

            // Flits that are there: those of whole blocks, and of that which comes.
            reg [ADDRESS_BITS:0] flits;
            integer b;
            reg [RING_BITS-1:0] at;
            always @* begin
                flits = ahead ? 0 : kept;
                for (b = 0; b < 1 << RING_BITS; b = b + 1) begin
                    at = freed + b;
                    if (b < here)
                        flits = flits + 1 +
                                (ends[at*(BEAT_BITS+1)+BEAT_BITS] ? ends[at*(BEAT_BITS+1)+:BEAT_BITS] : LAST);
                end
                flits = flits - gone;
            end

            (* keep *) wire [BEAT_BITS-1:0]    see_beat;
            (* keep *) wire [`GFAB_BITS(BLOCKS+1)-1:0] see_room;
            (* keep *) wire [GROUP_BITS-1:0]   see_takes;
            (* keep *) wire                    see_fresh;
            (* keep *) wire [ADDRESS_BITS-1:0] see_write, see_read;
            (* keep *) wire [`GFAB_BITS(BLOCKS*FLITS+1)-1:0] see_count;
            (* keep *) wire [WORD_BITS-1:0]    see_word;
            wire [PLACES*WORD_BITS-1:0]        order; // what the FIFO is to hold, from its first word on
            always @(posedge i_clk) begin
                came  <= i_rst ? 0 : came + (coming && flit == LAST);
                freed <= i_rst ? 0 : freed + (pop && gone == last_out);
                gone  <= i_rst || (pop && gone == last_out) ? 0 : gone + pop;
                if (counts_now)
                    ends[begun[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1] <= group_end;
                if (started) begin
                    // what is taken
                    assert (!take_valid || take_data == {freed, gone});
                    assert (!take_valid || take_last == (end_out[BEAT_BITS] && gone == last_out));
                    assert (take_valid == (flits > see_fresh));
                    // what is inside
                    assert (used <= BLOCKS && here <= used && begun_now - came == pending);
                    assert (gone == 0 || (!ahead && gone <= last_out && (here != 0 || gone <= kept)));
                    assert (!ahead || (coming && in > last_in));
                    assert (see_beat == in && see_room == BLOCKS - used && (!start || see_room != 0));
                    assert (see_takes[GROUP_BITS-1] == coming && (!coming || see_takes[BEAT_BITS:0] == end_in));
                    assert (!amid || !early || block_of[(TAKES-1)*BLOCK_BITS+:BLOCK_BITS] == next);
                    assert (!see_fresh || flits != 0);
                    assert (see_count == flits - see_fresh);
                    assert (see_write - see_read == flits[ADDRESS_BITS-1:0] ||
                            flits[ADDRESS_BITS-1:0] + see_read == see_write + PLACES);
                    assert (see_count == 0 || see_word == entry(freed, gone, end_out));
                end
                cover (started && !i_rst && freed == 2 && take_valid && take_last && gone == 1);
                cover (started && !i_rst && used == BLOCKS && i_other && i_goes && i_opens);
            end
            // A block's flit in the FIFO: {the last one of it that is kept, the vector's last one, itself}.
            function [WORD_BITS-1:0] entry(input [BLOCK_BITS-1:0] block, input [BEAT_BITS-1:0] number,
                                           input [BEAT_BITS:0] its_end);
                entry = {number == (its_end[BEAT_BITS] ? its_end[BEAT_BITS-1:0] : LAST),
                         its_end[BEAT_BITS] && number == its_end[BEAT_BITS-1:0], block, number};
            endfunction
            for (g = 0; g < PLACES; g = g + 1) begin : gen_word
                (* keep *) wire [WORD_BITS-1:0] word;
                wire [ADDRESS_BITS-1:0] behind = g - see_read;
                always @(posedge i_clk)
                    if (started)
                        assert (behind >= flits || word == order[behind*WORD_BITS+:WORD_BITS]);
            end
            for (g = 0; g < PLACES; g = g + 1) begin : gen_order
                wire [BLOCK_BITS-1:0] block;
                wire [BEAT_BITS-1:0]  number;
                wire [BEAT_BITS:0]    its = ends[block[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
                wire                  last = number == (its[BEAT_BITS] ? its[BEAT_BITS-1:0] : LAST);
                assign order[g*WORD_BITS+:WORD_BITS] = entry(block, number, its);
                if (g == 0) begin : gen_first
                    assign block  = freed;
                    assign number = gone;
                end else begin : gen_next
                    assign block  = gen_order[g-1].block + gen_order[g-1].last;
                    assign number = gen_order[g-1].last ? 0 : gen_order[g-1].number + 1'b1;
                end
            end
            for (g = 0; g < AGES; g = g + 1) begin : gen_group
                wire [BLOCK_BITS-1:0] its_block = block_of[g*BLOCK_BITS+:BLOCK_BITS];
                wire [BLOCK_BITS-1:0] after = its_block - came, behind = begun_now - came;
                wire [BEAT_BITS:0]    its = g == 0 && counts_now ? group_end :
                                            ends[its_block[RING_BITS-1:0]*(BEAT_BITS+1)+:BEAT_BITS+1];
                always @(posedge i_clk)
                    if (started)
                        assert (!counts[g] || after >= behind || groups[g*GROUP_BITS+:BEAT_BITS+1] == its);
            end
        end else begin : gen_takes_nothing
            assign came_data = 0;
        end
    endgenerate
endmodule

// Which of a program's rounds give a block of a group that counts, or take one, and what is left to be done: assumes of
// the program what is said above.
module formal_stream_rounds #(
    parameter AGES       = 2,
    parameter LIMIT      = 2, // GIVES or TAKES
    parameter DIRECT     = 1,
    parameter BLOCK_BITS = 3,
    parameter BEAT_BITS  = 2
) (
    input  wire            i_clk,
    input  wire            i_rst,
    input  wire            i_begins,
    input  wire [AGES-1:0] i_counts,
    input  wire            i_run,
    input  wire            i_mine,
    input  wire            i_marks,
    input  wire            i_acts,
    input  wire            i_inside, // the round has had the lane's first turn: the op was this
    input  wire            i_acted,
    input  wire            i_turns,
    input  wire            i_before,
    input  wire [BEAT_BITS-1:0] i_flit,      // of the block that o_early tells of
    input  wire [BEAT_BITS-1:0] i_late_flit, // a cycle later
    output wire            o_early,     // one is on its way, of the op in the cycle before
    output wire            o_acts,      // as the port has it
    output reg  [BLOCK_BITS-1:0] o_pending // blocks that groups have, and are not yet given or taken to the end
);
    localparam AGE = LIMIT - 1;
    reg  done_q, counts_q; // of the group of this age
    reg  early_q, late_q;
    wire done = done_q & ~i_begins;
    wire acts = i_marks & i_acts & i_counts[AGE];
    wire [BEAT_BITS-1:0] next_flit = i_late_flit + 1'b1;
    assign o_early = early_q;
    assign o_acts  = DIRECT ? early_q : late_q;

    integer a;
    always @* begin
        o_pending = early_q + (i_counts[AGE] & ~done);
        if (!DIRECT)
            o_pending = o_pending + (late_q & (&i_late_flit));
        for (a = 0; a < AGE; a = a + 1)
            o_pending = o_pending + i_counts[a];
    end
    always @(posedge i_clk) begin
        done_q   <= !i_rst & (done | acts);
        counts_q <= !i_rst & i_counts[AGE];
        early_q  <= !i_rst && (i_marks ? acts : early_q && !(i_mine && !i_run));
        late_q   <= !i_rst && early_q;
        assume (!acts || !done);
        assume (!i_begins || !counts_q || done_q);
        if (!i_rst) begin
            assert (!early_q || (i_turns && (i_run || i_before)));
            assert (!i_inside || early_q == (i_acted && i_counts[AGE]));
            assert (!i_inside || !early_q || done);
            assert (early_q || !late_q || (&i_late_flit));
            assert (!early_q || i_flit == (late_q ? next_flit : 0));
        end
    end
endmodule

`default_nettype wire
