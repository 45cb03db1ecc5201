// SPDX-License-Identifier: MIT
//
// A node of a fabric with paths: as gfab_node, full duplex, but that flits are passed on through it
// (gfab_path_switch), and that gfab_path_writer says when a received word is written, for which it reads a second copy
// of the program. One gfab_path_timer serves all nodes.
//
// PROTECT: as gfab_lane_store says; what says when a word is written, and where to, is there twice and compared.
//
// 33 ports and 20 parameters: those of gfab_node, and of what times paths; those of gfab_program for the second copy.
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
    parameter IMAGE_BITS   = 0,  // of both, in the place of files
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] PATHS_IMAGE = 0,
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] PROGRAM_IMAGE = 0,
    parameter [63:0] LANE_MAP = 64'hfedcba9876543210,
    parameter STYLE        = "logic",
    parameter PROTECT      = 0
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
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_out_flit,
    // from the timer, with PROTECT {the second's, the first's}
    input  wire [(PROTECT ? 2 : 1)-1:0] i_load,
    input  wire [`GFAB_BITS(LANES)*(PROTECT ? 2 : 1)-1:0] i_lookup_lane,
    input  wire [LANES*`GFAB_BITS(LANES)-1:0] i_in_lane,
    // from the program, the half that sends
    input  wire [`GFAB_BITS(SLOTS)+`GFAB_OP_SLOT_LSB-1:0] i_op,
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
    input  wire [LANES-1:0]             i_link_drive, // for assertions and traces
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
    localparam SLOT_BITS  = `GFAB_BITS(SLOTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam HALF_BITS  = SLOT_BITS + `GFAB_OP_SLOT_LSB;

    wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] path;
    wire path_fault, switch_fault;
    gfab_path_rom #(
        .LANES(LANES), .WAIT_BITS(WAIT_BITS), .ROUND_BITS(ROUND_BITS), .FILE(PATHS_FILE),
        .IMAGE_BITS(IMAGE_BITS), .IMAGE(PATHS_IMAGE), .PROTECT(PROTECT)
    ) u_path_rom (
        .i_clk(i_clk), .i_round(i_round), .o_path(path), .o_fault(path_fault)
    );

    wire [LANES*LINK_BITS-1:0] lane_in, lane_out;
    wire [LANES-1:0]           lane_drive;
    gfab_path_switch #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .WAIT_BITS(WAIT_BITS), .PROTECT(PROTECT)
    ) u_path_switch (
        .i_clk(i_clk), .i_rst(i_rst), .i_setup(i_begin), .i_path(path),
        .i_link(i_link), .i_link_drive(i_link_drive), .o_link(o_link), .o_drive(o_drive),
        .i_lane(lane_out), .i_lane_drive(lane_drive), .o_lane(lane_in), .o_fault(switch_fault)
    );

    // What is written: the half that receives, of the op whose turn it is to write; {it is, word, slot}.
    localparam WRITE_BITS = 1 + INDEX_BITS + SLOT_BITS;
    wire [WRITE_BITS*(PROTECT ? 2 : 1)-1:0] writes;
    genvar s;
    generate
        for (s = 0; s < (PROTECT ? 2 : 1); s = s + 1) begin : gen_writer
            wire [ROUND_BITS-1:0]  round;
            wire [INDEX_BITS-1:0]  word;
            wire                   due;
            wire [2*HALF_BITS-1:0] write_op;
            wire [HALF_BITS-1:0]   receive = write_op[2*HALF_BITS-1:HALF_BITS];
            wire written = due & (receive[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH] == `GFAB_OP_RECV);
            gfab_path_writer #(
                .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .WAIT_BITS(WAIT_BITS), .PROTECT(PROTECT),
                .TWIN(s)
            ) u_path_writer (
                .i_clk(i_clk), .i_rst(i_rst), .i_load(i_load[s]), .i_round(i_round), .i_path(path),
                .i_last_round(i_last_round), .o_round(round), .o_due(due), .o_word(word)
            );
            gfab_program #(
                .LANES(LANES), .BITS(2 * HALF_BITS), .ROUND_BITS(ROUND_BITS), .FILE(PROGRAM_FILE),
                .IMAGE_BITS(IMAGE_BITS), .IMAGE(PROGRAM_IMAGE), .LANE_MAP(LANE_MAP), .STYLE(STYLE), .GAP_BITS(GAP_BITS)
            ) u_write_program (
                .i_clk(i_clk), .i_round(round), .i_lane(i_lookup_lane[s*LANE_BITS+:LANE_BITS]), .o_op(write_op),
                .o_odd(), .o_sequence()
            );
            assign writes[s*WRITE_BITS+:WRITE_BITS] = {written, word, receive[`GFAB_OP_SLOT_LSB+:SLOT_BITS]};
        end
    endgenerate
    wire                  write;
    wire [INDEX_BITS-1:0] write_word;
    wire [SLOT_BITS-1:0]  write_slot;
    assign {write, write_word, write_slot} = writes[WRITE_BITS-1:0];

    wire [WRITE_BITS-1:0] twin; // what the second says
    wire                  differ = twin[WRITE_BITS-1] ? twin != writes[WRITE_BITS-1:0] : write;
    wire                  alarm;
    assign twin    = writes[(PROTECT ? WRITE_BITS : 0)+:WRITE_BITS];
    assign o_alarm = alarm | switch_fault | (path_fault & (i_begin | i_load[0])) | differ;

    gfab_lane_store #(
        .SLOTS(SLOTS), .STORE_SLOTS(STORE_SLOTS), .ANY_SLOT(ANY_SLOT), .PARTS(PARTS), .LANES(LANES),
        .LANE_MASK(LANE_MASK), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .GAPS(GAP_BITS > 0), .LATENCY(LATENCY),
        .PROTECT(PROTECT)
    ) u_lane_store (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(i_busy), .i_run(i_run),
        .i_send(i_run & (i_op[`GFAB_OP_KIND_LSB+:`GFAB_OP_KIND_WIDTH] == `GFAB_OP_SEND)),
        .i_send_slot(i_op[`GFAB_OP_SLOT_LSB+:SLOT_BITS]), .i_send_word(i_sequence_word),
        .i_strobe(i_strobe), .i_out_flit(i_out_flit), .i_in_lane(i_in_lane),
        .i_receive(1'b0), .i_combine(1'b0), .i_combine_slot({`GFAB_BITS(SLOTS){1'b0}}),
        .i_near({LANE_BITS*(PROTECT ? 2 : 1){1'b0}}),
        .i_combining({`GFAB_COMBINING_BITS(LANES)*(PROTECT ? 2 : 1){1'b0}}),
        .i_write(write), .i_write_slot(write_slot), .i_write_word(write_word),
        .i_own_slot(i_own_slot), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_slot(i_read_slot), .i_read_word(i_read_word), .o_read_data(o_read_data),
        .i_link(lane_in), .o_link(lane_out), .o_drive(lane_drive),
        .i_write_check(^{write, write_slot}), // these are compared with their twins'
        .i_host_reads(i_host_reads), .o_fault(o_fault), .o_alarm(alarm), .o_balance(o_balance),
        .o_trace_write(o_trace_write), .o_trace_address(o_trace_address), .o_trace_data(o_trace_data),
        .o_trace_check(o_trace_check)
    );
endmodule

`default_nettype wire
