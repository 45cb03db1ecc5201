// SPDX-License-Identifier: MIT
//
// A host of a fabric with streams, in the place of a node: what it gives goes over its one link, block by block, and
// what it takes comes from there. Both are AXI4-Stream, a flit a beat, vectors of any length: a block has FLITS beats,
// and where i_give_last ends a vector earlier it is filled up with zeros, which no host takes.
//
// A group of blocks, one of each host that gives, begins only where all of them have given theirs, and all hosts that
// take have room for it: o_can. So the fabric never waits, and nothing is lost. i_begins takes a block, and the room
// for one, off what o_can counts. From then on all that happens to it happens in rounds of the program. A block is
// given while its group is the GIVES-th of those that began last, in all rounds alike, and taken while it is the
// TAKES-th; the slot of its op is that number less one. i_groups says whether that group is one that counts.
//
// Latency: what is given is on the link in the round of the program, if the group begins; a flit on the link is at
// o_take three cycles later.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_stream_port #(
    parameter LANES      = 5, // K, 1 or more
    parameter [LANES-1:0] LANE_MASK = 1, // the one lane that it has
    parameter LINK_BITS  = 2, // L
    parameter FLITS      = 10, // of a block: cycles of a round
    parameter SLOT_BITS  = 4, // of an op
    parameter FULL       = 1, // 1: full-duplex ports
    parameter DIRECT     = 1, // as in gfab_sequencer
    parameter LATENCY    = 0, // cycles, of every link
    parameter AGES       = 2, // groups on their way at most
    parameter GIVES      = 0, // the age of the group of which it gives, and 1; 0: it gives nothing
    parameter TAKES      = 0  // the same of what it takes
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    // the host
    input  wire                 i_give_valid,
    output wire                 o_give_ready,
    input  wire [LINK_BITS-1:0] i_give_data,
    input  wire                 i_give_last,
    output wire                 o_take_valid,
    input  wire                 i_take_ready,
    output wire [LINK_BITS-1:0] o_take_data,
    output wire                 o_take_last,
    // groups
    output wire                 o_holds,  // of what it gave something is not sent
    output wire                 o_lacks,  // it gives, and no block is there
    output wire                 o_can,    // a block is there, and there is room for one
    output wire [`GFAB_BITS(FLITS):0] o_end, // of the next block: {the vector ends with it, its last beat}
    input  wire                 i_begins, // a group begins that counts
    input  wire [AGES*(`GFAB_BITS(FLITS)+2)-1:0] i_groups, // by age {it counts, the same as o_end}
    // the fabric
    input  wire                 i_run,
    input  wire [LANES-1:0]     i_strobe,
    input  wire [(SLOT_BITS+`GFAB_OP_SLOT_LSB)*(FULL ? 2 : 1)-1:0] i_op,
    input  wire [LANES*LINK_BITS-1:0] i_link,
    output wire [LANES*LINK_BITS-1:0] o_link,
    output wire [LANES-1:0]     o_drive
);
    localparam BEAT_BITS  = `GFAB_BITS(FLITS);
    localparam GROUP_BITS = BEAT_BITS + 2;
    localparam LAST_BEAT  = FLITS - 1;
    localparam RECV_LSB   = FULL ? SLOT_BITS + `GFAB_OP_SLOT_LSB : 0;

    // Stage 1: the op, and the group that it is about.
    wire [1:0]            out_kind  = i_op[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH];
    wire [1:0]            in_kind   = i_op[RECV_LSB+`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH];
    localparam OUT_AGE = GIVES > 0 ? GIVES - 1 : 0;
    localparam IN_AGE  = TAKES > 0 ? TAKES - 1 : 0;
    wire [GROUP_BITS-1:0] in_group  = i_groups[IN_AGE*GROUP_BITS+:GROUP_BITS];
    wire                  gives     = i_run & (GIVES > 0) & (out_kind == `GFAB_OP_SEND) &
                                      i_groups[OUT_AGE*GROUP_BITS+GROUP_BITS-1];
    wire                  takes     = i_run & (TAKES > 0) & in_kind[1] & in_group[GROUP_BITS-1];
    wire [SLOT_BITS-1:0]  out_slot  = i_op[`GFAB_OP_SLOT_LSB+:SLOT_BITS];
    wire [SLOT_BITS-1:0]  in_slot   = i_op[RECV_LSB+`GFAB_OP_SLOT_LSB+:SLOT_BITS];
    wire                  out_fits  = (GIVES > 0) & (out_slot == OUT_AGE[SLOT_BITS-1:0]);
    wire                  in_fits   = (TAKES > 0) & (in_slot == IN_AGE[SLOT_BITS-1:0]);
    `GFAB_AFTER_RESET(was_reset)
    always @(posedge i_clk)
        if (was_reset && !i_rst && i_run) begin
            `GFAB_ASSERT(out_kind != `GFAB_OP_SEND || out_fits, "a block is given at another age")
            `GFAB_ASSERT(!in_kind[1] || in_fits, "a block is taken at another age")
        end

    // As a lane does, over K cycles from the strobe on.
    wire strobe = |(i_strobe & LANE_MASK);
    wire gives_at_strobe;
    wire [GROUP_BITS-1:0] takes_at_strobe; // {it takes, the end}
    gfab_delay #(
        .BITS(GROUP_BITS + 1), .CYCLES(DIRECT ? 0 : 1), .RESET(1)
    ) u_stage (
        .i_clk(i_clk), .i_rst(i_rst), .i_data({gives, takes, in_group[GROUP_BITS-2:0]}),
        .o_data({gives_at_strobe, takes_at_strobe}), .o_taps()
    );

    reg                  gives_q;
    reg [GROUP_BITS-1:0] takes_q;
    always @(posedge i_clk) begin
        if (strobe) begin
            gives_q <= gives_at_strobe;
            takes_q <= takes_at_strobe;
        end
        if (i_rst) begin
            gives_q               <= 1'b0;
            takes_q[GROUP_BITS-1] <= 1'b0;
        end
    end

    wire has, room;
    assign o_can = has & room;

    wire [LINK_BITS-1:0] given;
    reg  [LINK_BITS-1:0] arrived; // over the lane that there is
    integer l;
    always @* begin
        arrived = {LINK_BITS{1'b0}};
        for (l = 0; l < LANES; l = l + 1)
            if (LANE_MASK[l])
                arrived = i_link[l*LINK_BITS+:LINK_BITS];
    end

    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            assign o_drive[c] = LANE_MASK[c] & gives_q;
            assign o_link[c*LINK_BITS+:LINK_BITS] = {LINK_BITS{o_drive[c]}} & given;
        end

        if (GIVES > 0) begin : gen_gives
            // A block that is sent, one that waits for the round, one that comes in, and one for each group between.
            localparam BLOCKS     = GIVES + 2;
            localparam BLOCK_BITS = `GFAB_BITS(BLOCKS + 1);
            reg [BEAT_BITS-1:0]  beat_q;   // of the block that comes in
            reg [BEAT_BITS-1:0]  sent_q;   // of the block that goes out
            reg                  fill_q;   // the vector is over, the block is not
            reg [BEAT_BITS-1:0]  end_q;    // where it was over
            reg [BLOCK_BITS-1:0] blocks_q; // that have begun to come in, and are not sent
            reg [BLOCK_BITS-1:0] whole_q;  // that are there, and no group has yet
            wire accept  = i_give_valid & o_give_ready;
            wire push    = accept | fill_q;
            wire opens   = accept & (beat_q == {BEAT_BITS{1'b0}});
            wire closes  = push & (beat_q == LAST_BEAT[BEAT_BITS-1:0]);
            wire leaves  = gives_q & (sent_q == LAST_BEAT[BEAT_BITS-1:0]);
            wire is_there; // a flit of the block that is sent
            always @(posedge i_clk)
                if (i_rst) begin
                    beat_q   <= {BEAT_BITS{1'b0}};
                    sent_q   <= {BEAT_BITS{1'b0}};
                    fill_q   <= 1'b0;
                    blocks_q <= {BLOCK_BITS{1'b0}};
                    whole_q  <= {BLOCK_BITS{1'b0}};
                end else begin
                    if (push)
                        beat_q <= closes ? {BEAT_BITS{1'b0}} : beat_q + 1'b1;
                    if (gives_q)
                        sent_q <= leaves ? {BEAT_BITS{1'b0}} : sent_q + 1'b1;
                    fill_q <= (fill_q | (accept & i_give_last)) & ~closes;
                    if (opens & ~leaves)
                        blocks_q <= blocks_q + 1'b1;
                    else if (~opens & leaves)
                        blocks_q <= blocks_q - 1'b1;
                    if (closes & ~i_begins)
                        whole_q <= whole_q + 1'b1;
                    else if (~closes & i_begins)
                        whole_q <= whole_q - 1'b1;
                end
            always @(posedge i_clk)
                if (accept)
                    end_q <= beat_q;
            assign o_give_ready = ~fill_q & ((beat_q != {BEAT_BITS{1'b0}}) | (blocks_q != BLOCKS[BLOCK_BITS-1:0]));
            assign has          = (whole_q != {BLOCK_BITS{1'b0}});
            assign o_holds      = (blocks_q != {BLOCK_BITS{1'b0}});
            assign o_lacks      = ~has;
            gfab_stream_fifo #(
                .DEPTH(BLOCKS * FLITS), .WORD_BITS(LINK_BITS)
            ) u_flits (
                .i_clk(i_clk), .i_rst(i_rst), .i_push(push), .i_data(i_give_data & {LINK_BITS{~fill_q}}),
                .i_pop(gives_q), .o_valid(is_there), .o_data(given)
            );
            // Where vectors end, block by block.
            gfab_stream_ends #(
                .ENTRY_BITS(`GFAB_BITS(BLOCKS)), .BITS(BEAT_BITS + 1)
            ) u_ends (
                .i_clk(i_clk), .i_rst(i_rst), .i_push(closes),
                .i_data({fill_q | i_give_last, fill_q ? end_q : LAST_BEAT[BEAT_BITS-1:0]}),
                .i_pop(i_begins), .o_data(o_end)
            );
            always @(posedge i_clk)
                if (was_reset && !i_rst) begin
                    `GFAB_ASSERT(!gives_q || is_there, "a block is sent that is not there")
                    `GFAB_ASSERT(!i_begins || has, "a group begins without this host's block")
                end
        end else begin : gen_gives_nothing
            assign o_give_ready = 1'b0;
            assign has          = 1'b1;
            assign {o_holds, o_lacks} = 2'b00;
            assign given        = {LINK_BITS{1'b0}};
            assign o_end        = {(BEAT_BITS+1){1'b0}};
        end

        if (TAKES > 0) begin : gen_takes
            // A block that is taken, one that comes, one whose room is not yet counted, and one for each group between.
            localparam BLOCKS     = TAKES + 2;
            localparam BLOCK_BITS = `GFAB_BITS(BLOCKS + 1);
            wire [GROUP_BITS-1:0] coming; // {it comes, the end}, as flits are here
            gfab_delay #(
                .BITS(GROUP_BITS), .CYCLES(LATENCY), .RESET(1)
            ) u_wires (
                .i_clk(i_clk), .i_rst(i_rst), .i_data(takes_q), .o_data(coming), .o_taps()
            );
            reg [BEAT_BITS-1:0]  beat_q;
            reg [BLOCK_BITS-1:0] room_q; // blocks that there is room for, and no group has yet
            wire       comes = coming[GROUP_BITS-1];
            wire       final_block = coming[BEAT_BITS];
            wire       closes = (beat_q == LAST_BEAT[BEAT_BITS-1:0]);
            wire       ends  = final_block ? (beat_q == coming[BEAT_BITS-1:0]) : closes;
            wire       keeps = comes & ~(final_block & (beat_q > coming[BEAT_BITS-1:0]));
            wire       frees; // the last beat of a block is taken
            wire       pop   = o_take_valid & i_take_ready;
            always @(posedge i_clk)
                if (i_rst) begin
                    beat_q <= {BEAT_BITS{1'b0}};
                    room_q <= BLOCKS[BLOCK_BITS-1:0];
                end else begin
                    if (comes)
                        beat_q <= closes ? {BEAT_BITS{1'b0}} : beat_q + 1'b1;
                    if (pop & frees & ~i_begins)
                        room_q <= room_q + 1'b1;
                    else if (~(pop & frees) & i_begins)
                        room_q <= room_q - 1'b1;
                end
            assign room = (room_q != {BLOCK_BITS{1'b0}});
            gfab_stream_fifo #(
                .DEPTH(BLOCKS * FLITS), .WORD_BITS(LINK_BITS + 2)
            ) u_flits (
                .i_clk(i_clk), .i_rst(i_rst), .i_push(keeps), .i_data({ends, final_block & ends, arrived}),
                .i_pop(pop), .o_valid(o_take_valid), .o_data({frees, o_take_last, o_take_data})
            );
        end else begin : gen_takes_nothing
            assign room         = 1'b1;
            assign o_take_valid = 1'b0;
            assign o_take_data  = {LINK_BITS{1'b0}};
            assign o_take_last  = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
