// SPDX-License-Identifier: MIT
//
// The registers by which a processor on the chip drives a fabric with AXI4-Streams: what they mean is in
// docs/reference/registers.md, where they are in gfab_registers.vh. A bus front, gfab_axi_lite or gfab_wishbone, reads
// and writes them; reading changes nothing. A start is a beat for gfab_axis_command, so that the nodes' packets wait
// until it is played.
//
// Latency: o_read_data and o_write_refused are of the same cycle. What is refused changes nothing.
`default_nettype none
`include "gfab_registers.vh"

module gfab_registers #(
    parameter        ADDRESS_BITS = 7,    // of a byte's address: 2^ADDRESS_BITS is behind the last of ERROR_NODES
    parameter [31:0] IDENTITY     = 0,
    parameter        NODES        = 16,
    parameter        TOKEN_BITS   = 32,
    parameter        PROGRAMS     = 1,
    parameter        PROGRAM_BITS = 1,    // of a program's number
    parameter        OPERATORS    = 1,    // to choose from, 1 .. 8
    parameter        PROTECT      = 0,    // 1: the fabric says what its faults are
    parameter        ROUND_BITS   = 4
) (
    input  wire                      i_clk,
    input  wire                      i_rst,
    output wire                      o_interrupt,
    // a bus front
    input  wire [ADDRESS_BITS-1:2]   i_read_address,
    output wire [31:0]               o_read_data,
    input  wire                      i_write,
    input  wire [ADDRESS_BITS-1:2]   i_write_address,
    input  wire [31:0]               i_write_data,
    input  wire [3:0]                i_write_strobe, // of each byte
    output wire                      o_write_refused,
    // gfab_axis_command
    output wire                      m_axis_tvalid,
    input  wire                      m_axis_tready,
    output wire [3+PROGRAM_BITS-1:0] m_axis_tdata,
    input  wire                      i_load, // its o_load
    // gfab_axis_ctrl
    input  wire                      i_start,
    input  wire                      i_unload,
    input  wire                      i_error,
    input  wire [2:0]                i_status,
    input  wire [NODES-1:0]          i_error_nodes,
    output wire                      o_clear,
    // the fabric
    input  wire                      i_done,
    input  wire [3:0]                i_fault, // a cycle after its o_error has risen; 0 without protection
    input  wire [NODES-1:0]          i_fault_nodes,
    input  wire [ROUND_BITS-1:0]     i_fault_round
);
    localparam FABRIC     = 3'd4; // i_status
    localparam WORDS      = 1 << (ADDRESS_BITS - 2);
    localparam BYTES      = `GFAB_REGISTER_ERROR_NODES + (NODES + 31) / 32 * 4;

    generate
        if (BYTES > 4 * WORDS) begin : gen_bad_address_bits
            gfab_error_address_bits_must_reach_all_registers u_bad ();
        end
    endgenerate

    // Writing.
    wire [ADDRESS_BITS-1:0] at   = {i_write_address, 2'b0};
    wire [31:0]             mask = {{8{i_write_strobe[3]}}, {8{i_write_strobe[2]}}, {8{i_write_strobe[1]}},
                                    {8{i_write_strobe[0]}}};
    wire [31:0]             ones = i_write_data & mask;
    wire                    to_control   = (at == `GFAB_REGISTER_CONTROL);
    wire                    to_program   = (at == `GFAB_REGISTER_PROGRAM);
    wire                    to_operator  = (at == `GFAB_REGISTER_OPERATOR);
    wire                    to_interrupt = (at == `GFAB_REGISTER_INTERRUPT);

    reg                     valid_q; // a start waits
    reg  [PROGRAM_BITS-1:0] program_q;
    reg  [2:0]              operator_q;
    reg  [1:0]              interrupt_q;
    reg                     clear_q;
    wire                    ready       = ~valid_q & ~i_error;
    wire [31:0]             to_play     = ({{(32-PROGRAM_BITS){1'b0}}, program_q} & ~mask) | ones;
    wire [31:0]             to_combine  = ({29'b0, operator_q} & ~mask) | ones;
    wire                    asks_start  = to_control & ones[`GFAB_CONTROL_START_LSB];
    wire                    asks_clear  = to_control & ones[`GFAB_CONTROL_CLEAR_LSB];
    wire                    is_program  = (to_play[31:PROGRAM_BITS] == 0) &
                                          ({1'b0, to_play[PROGRAM_BITS-1:0]} < PROGRAMS[PROGRAM_BITS:0]);
    wire                    is_operator = (to_combine[31:3] == 0) & ({1'b0, to_combine[2:0]} < OPERATORS[3:0]);
    wire                    taken       = (to_control & (ready | ~asks_start)) | to_interrupt |
                                          (to_program & ready & is_program) |
                                          (to_operator & ready & is_operator);
    wire                    write       = i_write & taken;
    wire                    start       = write & asks_start;
    assign o_write_refused = ~taken;

    // Starts that have not ended: one may wait, one load and one be played.
    reg       running_q;
    reg [1:0] left_q;
    reg       done_q;
    wire      ended;
    always @(posedge i_clk)
        if (i_rst) begin
            valid_q     <= 1'b0;
            program_q   <= {PROGRAM_BITS{1'b0}};
            operator_q  <= 3'd0;
            interrupt_q <= 2'b0;
            clear_q     <= 1'b0;
            running_q   <= 1'b0;
            left_q      <= 2'd0;
            done_q      <= 1'b0;
        end else begin
            valid_q <= (start | (valid_q & ~m_axis_tready)) & ~i_error;
            if (write & to_program)
                program_q <= to_play[PROGRAM_BITS-1:0];
            if (write & to_operator)
                operator_q <= to_combine[2:0];
            if (write & to_interrupt)
                interrupt_q <= (interrupt_q & ~mask[1:0]) | ones[1:0];
            clear_q   <= i_error & (clear_q | (write & asks_clear));
            running_q <= (i_start | (running_q & ~i_done)) & ~i_error;
            left_q    <= i_error ? 2'd0 : left_q + {1'b0, start} - {1'b0, ended};
            done_q    <= ~i_error & ~start & (done_q | (ended & (left_q == 2'd1)));
        end
    assign m_axis_tvalid = valid_q;
    assign m_axis_tdata  = {operator_q, program_q};
    assign o_clear       = clear_q;

    // A protected fabric's verdict comes behind the end.
    generate
        if (PROTECT != 0) begin : gen_late_end
            reg [2:0] ended_q;
            always @(posedge i_clk)
                ended_q <= (i_rst | i_error) ? 3'b0 : {ended_q[1:0], running_q & i_done};
            assign ended = ended_q[2] & ~i_error;
        end else begin : gen_end
            assign ended = running_q & i_done & ~i_error;
        end
    endgenerate

    reg [31:0] collectives_q;
    reg [31:0] cycles_q;
    always @(posedge i_clk)
        if (i_rst) begin
            collectives_q <= 32'd0;
            cycles_q      <= 32'd0;
        end else begin
            if (ended)
                collectives_q <= collectives_q + 1'b1;
            if (i_start)
                cycles_q <= 32'd0;
            else if (running_q)
                cycles_q <= cycles_q + 1'b1;
        end

    // The reset that follows an error clears what a protected fabric says of it.
    wire [3:0]            fault;
    wire [ROUND_BITS-1:0] fault_round;
    wire [NODES-1:0]      error_nodes;
    generate
        if (PROTECT != 0) begin : gen_fault
            reg                  before_q;
            reg [3:0]            fault_q;
            reg [ROUND_BITS-1:0] round_q;
            reg [NODES-1:0]      nodes_q;
            wire                 fabric = (i_status == FABRIC);
            always @(posedge i_clk) begin
                before_q <= i_error;
                if (i_rst) begin
                    fault_q <= 4'b0;
                    round_q <= {ROUND_BITS{1'b0}};
                    nodes_q <= {NODES{1'b0}};
                end else if (i_error & ~before_q) begin
                    fault_q <= fabric ? i_fault : 4'b0;
                    round_q <= fabric ? i_fault_round : {ROUND_BITS{1'b0}};
                    nodes_q <= fabric ? i_fault_nodes : i_error_nodes;
                end
            end
            assign fault       = fault_q;
            assign fault_round = round_q;
            assign error_nodes = nodes_q;
        end else begin : gen_no_fault
            assign fault       = 4'b0;
            assign fault_round = {ROUND_BITS{1'b0}};
            assign error_nodes = i_error_nodes;
        end
    endgenerate

    // Reading: every register in its place, 8 bits a byte. An error ends what was started from its first cycle on, in
    // which the registers still have it.
    reg [32*WORDS-1:0] value;
    always @* begin
        value = {(32*WORDS){1'b0}};
        value[8*`GFAB_REGISTER_VERSION+:32]     = {24'h676661, `GFAB_REGISTER_MAP_VERSION};
        value[8*`GFAB_REGISTER_IDENTITY+:32]    = IDENTITY;
        value[8*`GFAB_REGISTER_NODES+:32]       = NODES;
        value[8*`GFAB_REGISTER_TOKEN_BITS+:32]  = TOKEN_BITS;
        value[8*`GFAB_REGISTER_PROGRAMS+:32]    = PROGRAMS;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_READY_LSB]     = ready;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_BUSY_LSB]      = (left_q != 2'd0) & ~i_error;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_DONE_LSB]      = done_q & ~i_error;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_FAILED_LSB]    = i_error;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_LOADING_LSB]   = i_load;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_RUNNING_LSB]   = running_q & ~i_error;
        value[8*`GFAB_REGISTER_STATUS+`GFAB_STATUS_UNLOADING_LSB] = i_unload;
        value[8*`GFAB_REGISTER_PROGRAM+:PROGRAM_BITS]             = program_q;
        value[8*`GFAB_REGISTER_OPERATOR+:3]                       = operator_q;
        value[8*`GFAB_REGISTER_INTERRUPT+`GFAB_INTERRUPT_ON_DONE_LSB+:2] = interrupt_q;
        value[8*`GFAB_REGISTER_COLLECTIVES+:32]                   = collectives_q;
        value[8*`GFAB_REGISTER_CYCLES+:32]                        = cycles_q;
        value[8*`GFAB_REGISTER_ERROR+`GFAB_ERROR_WHAT_LSB+:3]     = i_status;
        value[8*`GFAB_REGISTER_ERROR+`GFAB_ERROR_FAULT_LSB+:4]    = fault;
        value[8*`GFAB_REGISTER_ERROR_ROUND+:ROUND_BITS]           = fault_round;
        value[8*`GFAB_REGISTER_ERROR_NODES+:NODES]                = error_nodes;
    end
    assign o_read_data = value[32*i_read_address+:32];
    assign o_interrupt = |(interrupt_q & {i_error, done_q & ~i_error});
endmodule

`default_nettype wire
