// SPDX-License-Identifier: MIT
//
// A node of a fabric with paths: as gfab_node, full duplex, but that flits are passed on through it
// (gfab_path_switch), and that gfab_path_writer says when a received word is written, for which it reads a second copy
// of the program. One gfab_path_timer serves all nodes.
//
// 28 ports and 16 parameters: those of gfab_node, and of what times paths; those of gfab_program for the second copy.
`default_nettype none
`include "gfab_op.vh"
`include "gfab_path.vh"

module gfab_path_node #(
    parameter SLOTS        = 16, // that an op can name, 2 or more: nodes of the fabric times PARTS
    parameter STORE_SLOTS  = SLOTS, // of the store, 1 .. SLOTS: fewer in a relay
    parameter ANY_SLOT     = 0,  // 1: the host loads every slot
    parameter PARTS        = 1,  // of a token, 1 or more
    parameter LANES        = 4,  // K, 2 or more
    parameter [LANES-1:0] LANE_MASK = {LANES{1'b1}}, // bit c: the node has a port in lane c
    parameter LINK_BITS    = 2,  // L, 1 or more
    parameter WORDS        = 4,  // store words of a part, 2 or more
    parameter GAP_BITS     = 0,  // of a gap between rounds; 0: there are none
    parameter LATENCY      = 0,  // cycles, of every link, 0 .. 15
    parameter ROUND_BITS   = 4,  // the ROMs hold 2^ROUND_BITS rounds
    parameter WAIT_BITS    = 2,  // of a path word's wait, 1 or more
    parameter PATHS_FILE   = "", // $readmemh text of gfab_path_rom
    parameter PROGRAM_FILE = "", // of gfab_program, and its LANE_MAP and STYLE
    parameter [63:0] LANE_MAP = 64'hfedcba9876543210,
    parameter STYLE        = "logic"
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from the sequencer
    input  wire                         i_busy,
    input  wire                         i_run,
    input  wire [ROUND_BITS-1:0]        i_round,
    input  wire                         i_begin,
    input  wire [ROUND_BITS:0]          i_last_round,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_sequence_word,
    input  wire [LANES*(GAP_BITS > 0 ? 2 : 1)-1:0] i_strobe, // with gaps {close, strobe}
    input  wire [LANES-1:0]             i_first,
    // from the timer
    input  wire                         i_load,
    input  wire [`GFAB_BITS(LANES)-1:0] i_lookup_lane,
    input  wire [`GFAB_BITS(LANES)-1:0] i_write_lane,
    // from the program, the half that sends
    input  wire [`GFAB_BITS(SLOTS)+`GFAB_OP_SLOT_LSB-1:0] i_op,
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
    input  wire [LANES-1:0]             i_link_drive, // for assertions and traces
    output wire [LANES*LINK_BITS-1:0]   o_link,
    output wire [LANES-1:0]             o_drive,
    // for test benches: the store's write port, host loads left out
    output wire                                               o_trace_write,
    output wire [`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS)-1:0]     o_trace_address,
    output wire [LANES*LINK_BITS-1:0]                         o_trace_data
);
    localparam SLOT_BITS  = `GFAB_BITS(SLOTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam HALF_BITS  = SLOT_BITS + `GFAB_OP_SLOT_LSB;

    wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] path;
    gfab_path_rom #(
        .LANES(LANES), .WAIT_BITS(WAIT_BITS), .ROUND_BITS(ROUND_BITS), .FILE(PATHS_FILE)
    ) u_path_rom (
        .i_clk(i_clk), .i_round(i_round), .o_path(path)
    );

    wire [LANES*LINK_BITS-1:0] lane_in, lane_out;
    wire [LANES-1:0]           lane_drive;
    gfab_path_switch #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .WAIT_BITS(WAIT_BITS)
    ) u_path_switch (
        .i_clk(i_clk), .i_rst(i_rst), .i_setup(i_begin), .i_path(path),
        .i_link(i_link), .i_link_drive(i_link_drive), .o_link(o_link), .o_drive(o_drive),
        .i_lane(lane_out), .i_lane_drive(lane_drive), .o_lane(lane_in)
    );

    wire [ROUND_BITS-1:0] write_round;
    wire [INDEX_BITS-1:0] write_word;
    wire                  due;
    gfab_path_writer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .WAIT_BITS(WAIT_BITS)
    ) u_path_writer (
        .i_clk(i_clk), .i_rst(i_rst), .i_load(i_load), .i_round(i_round), .i_path(path),
        .i_last_round(i_last_round), .o_round(write_round), .o_due(due), .o_word(write_word)
    );

    // What is written: the half that receives, of the op whose turn it is to write.
    wire [2*HALF_BITS-1:0] write_op;
    wire [HALF_BITS-1:0]   receive = write_op[2*HALF_BITS-1:HALF_BITS];
    gfab_program #(
        .LANES(LANES), .BITS(2 * HALF_BITS), .ROUND_BITS(ROUND_BITS), .FILE(PROGRAM_FILE), .LANE_MAP(LANE_MAP),
        .STYLE(STYLE), .GAP_BITS(GAP_BITS)
    ) u_write_program (
        .i_clk(i_clk), .i_round(write_round), .i_lane(i_lookup_lane), .o_op(write_op), .o_odd(),
        .o_sequence()
    );

    // Without latency a lane has one shift register for both ways: with the tap a word is complete as the lane's next
    // one to send is loaded, or a cycle before, and the last of a round before the gap ends.
    gfab_lane_store #(
        .SLOTS(SLOTS), .STORE_SLOTS(STORE_SLOTS), .ANY_SLOT(ANY_SLOT), .PARTS(PARTS), .LANES(LANES),
        .LANE_MASK(LANE_MASK), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .GAPS(GAP_BITS > 0), .LATENCY(LATENCY)
    ) u_lane_store (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(i_busy), .i_run(i_run),
        .i_send(i_run & (i_op[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH] == `GFAB_OP_SEND)),
        .i_send_slot(i_op[`GFAB_OP_SLOT_LSB+:SLOT_BITS]), .i_send_word(i_sequence_word),
        .i_strobe(i_strobe), .i_first(i_first),
        .i_receive(1'b0), .i_combine(1'b0), .i_combine_slot({`GFAB_BITS(SLOTS){1'b0}}),
        .i_near({`GFAB_BITS(LANES){1'b0}}), .i_combining({`GFAB_COMBINING_BITS(LANES){1'b0}}),
        .i_write(due & (receive[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH] == `GFAB_OP_RECV)),
        .i_write_slot(receive[`GFAB_OP_SLOT_LSB+:SLOT_BITS]), .i_write_word(write_word),
        .i_write_lane(i_write_lane),
        .i_own_slot(i_own_slot), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_slot(i_read_slot), .i_read_word(i_read_word), .o_read_data(o_read_data),
        .i_link(lane_in), .o_link(lane_out), .o_drive(lane_drive),
        .i_write_check(1'b0), .i_host_reads(1'b0), .o_fault(), .o_alarm(), .o_balance(),
        .o_trace_write(o_trace_write), .o_trace_address(o_trace_address), .o_trace_data(o_trace_data),
        .o_trace_check()
    );
endmodule

`default_nettype wire
