@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// The fabric alone, for `make fabric-pnr`: rtl/gfab_harness.v between it and four pins.
`default_nettype none

module @FABRIC@_harness (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_start,
    input  wire i_bit,
    output wire o_bit
);
    localparam NODES       = @NODES@;
    localparam LINK_BITS   = @LINK_BITS@;
    localparam BITS        = @LOAD_DATA_BITS@;
    localparam LOAD_BITS   = @LOAD_BITS@;
    localparam TOKEN_BITS  = @BLOCK_BITS@;
    localparam NUMBER_BITS = @NUMBER_BITS@;

    wire rst, start, busy, done;
    wire [NODES-1:0] load_valid;
    wire [NODES*LOAD_BITS-1:0] load_word;
    wire [NODES*NUMBER_BITS-1:0] read_word;
    wire [NODES*BITS-1:0] load_data;
    wire [NODES*LINK_BITS-1:0] read_data;
    wire [NODES*TOKEN_BITS-1:0] read_token;
    wire [2*NODES+4:0] errors; // of protection, where there is any

    gfab_harness #(
        .NODES(NODES), .SLOT_BITS(TOKEN_BITS), .INDEX_BITS(NUMBER_BITS), .LOAD_BITS(LOAD_BITS), .WORD_BITS(BITS),
        .READ_BITS(LINK_BITS), .ERROR_BITS(2*NODES+5)
    ) u_harness (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_bit(i_bit), .o_bit(o_bit),
        .i_errors(errors & {2*NODES+5{@PROTECT@ != 0}}),
        .o_rst(rst), .o_start(start), .i_busy(busy), .i_done(done),
        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),
        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data)
    );

    @FABRIC@ u_fabric (
        .i_clk(i_clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
@IF PROTECT@
        .o_error(errors[4]), .o_error_what(errors[3:0]), .o_error_nodes(errors[5+:NODES]),
        .o_fault(errors[5+NODES+:NODES]),
@END@
        .o_trace_drive(), .o_trace_link(), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );
endmodule

`default_nettype wire
