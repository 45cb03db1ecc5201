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
    localparam NODES      = @NODES@;
    localparam SLOT_BITS  = @SLOT_BITS@;
    localparam INDEX_BITS = @INDEX_BITS@;
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam WORD_BITS  = @WORD_BITS@;

    wire rst, start, busy, done;
@FOR FAULT@
    wire @RANGE@@WIRE@;
@END@
@FOR ERROR@
    wire @RANGE@@WIRE@;
@END@
@FOR REPORT@
    wire @RANGE@@WIRE@;
@END@
@FOR HOST@
    wire @RANGE@@WIRE@;
@END@
@IF ALL_OPERATORS@
    wire [NODES*WORD_BITS+2:0] operator = {3'd0, load_data}; // as registered as anything else
@END@
@IF SEVERAL_PROGRAMS@
    wire [NODES*WORD_BITS+@PROGRAM_BITS@-1:0] choice = {@PROGRAM_BITS@'d0, load_data}; // likewise
@END@

    gfab_harness #(
        .NODES(NODES), .SLOT_BITS(SLOT_BITS), .INDEX_BITS(INDEX_BITS), .LOAD_BITS(LOAD_BITS), .WORD_BITS(WORD_BITS),
@IF PROTECT@
        .ERROR_BITS(5 + 2 * @NODES@ + @ROUND_BITS@)
    ) u_harness (
        .i_errors({faults, fabric_error, fault, fault_nodes, fault_round}),
@ELSE@
        .ERROR_BITS(1)
    ) u_harness (
        .i_errors(1'b0),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_bit(i_bit), .o_bit(o_bit),
        .o_rst(rst), .o_start(start), .i_busy(busy), .i_done(done),
        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),
        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data)
    );

    @FABRIC@ u_fabric (
@FILL FAULT@
        .@NAME@(@WIRE@),
@END@
@FILL ERROR@
        .@NAME@(@WIRE@),
@END@
@FILL REPORT@
        .@NAME@(@WIRE@),
@END@
@IF ALL_OPERATORS@
        .i_operator(operator[2:0]),
@END@
@IF SEVERAL_PROGRAMS@
        .i_program(choice[@PROGRAM_BITS@-1:0]),
@END@
        .i_clk(i_clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
@FILL UNSEEN@
        .@NAME@(),
@END@
@FILL SECOND@
        .@NAME@(),
@END@
@FILL HOST@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
endmodule

`default_nettype wire
