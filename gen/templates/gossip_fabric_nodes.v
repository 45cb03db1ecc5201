@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// @FABRIC@ with ports of their own for each node, in place of vectors over all. Wiring alone; traces are left out.
`default_nettype none

module @FABRIC@_nodes #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // as in @FABRIC@
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 i_clk CLK",
       X_INTERFACE_PARAMETER = "ASSOCIATED_RESET i_rst" *)
    input  wire i_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 i_rst RST", X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a gossip runs
@IF SEVERAL_PROGRAMS@
    input  wire [@PROGRAM_BITS@-1:0] i_program, // what i_start plays; counts in the cycle before that of i_start
@END@
@IF ALL_OPERATORS@
    input  wire [2:0] i_operator, // with i_start: 0 sum, 1 and, 2 or, 3 xor, 4 min, 5 max, 6 umin, 7 umax
@END@
@FOR ALL_NODES@
    input  wire i_load_valid_@PORT@,
    input  wire [@LOAD_BITS@-1:0] i_load_word_@PORT@,
    input  wire [@WORD_BITS@-1:0] i_load_data_@PORT@,
    input  wire [@SLOT_BITS@-1:0] i_read_token_@PORT@,
    input  wire [@INDEX_BITS@-1:0] i_read_word_@PORT@,
    output wire [@WORD_BITS@-1:0] o_read_data_@PORT@, // one cycle later
@IF PROTECT@
    output wire o_fault_@PORT@,
@END@
@END@
@IF PROTECT@
    output wire o_error,
    output wire [3:0] o_error_what,
    output wire [@NODES@-1:0] o_error_nodes,
    output wire [@ROUND_BITS@-1:0] o_error_round,
@END@
    output wire o_busy,
    output wire o_done
);
    wire [@NODES@-1:0] load_valid;
    wire [@NODES@*@LOAD_BITS@-1:0] load_word;
    wire [@NODES@*@WORD_BITS@-1:0] load_data, read_data;
    wire [@NODES@*@SLOT_BITS@-1:0] read_token;
    wire [@NODES@*@INDEX_BITS@-1:0] read_word;
@IF PROTECT@
    wire [@NODES@-1:0] fault;
@END@
@FOR ALL_NODES@
    assign load_valid[@NODE@] = i_load_valid_@PORT@;
    assign load_word[@NODE@*@LOAD_BITS@+:@LOAD_BITS@] = i_load_word_@PORT@;
    assign load_data[@NODE@*@WORD_BITS@+:@WORD_BITS@] = i_load_data_@PORT@;
    assign read_token[@NODE@*@SLOT_BITS@+:@SLOT_BITS@] = i_read_token_@PORT@;
    assign read_word[@NODE@*@INDEX_BITS@+:@INDEX_BITS@] = i_read_word_@PORT@;
    assign o_read_data_@PORT@ = read_data[@NODE@*@WORD_BITS@+:@WORD_BITS@];
@IF PROTECT@
    assign o_fault_@PORT@ = fault[@NODE@];
@END@
@END@
    @FABRIC@ #(.ROM_FOLDER(ROM_FOLDER)) u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(o_busy), .o_done(o_done),
@IF SEVERAL_PROGRAMS@
        .i_program(i_program),
@END@
@IF ALL_OPERATORS@
        .i_operator(i_operator),
@END@
@IF PROTECT@
        .o_fault(fault), .o_error(o_error),
        .o_error_what(o_error_what), .o_error_nodes(o_error_nodes), .o_error_round(o_error_round),
@END@
@INCLUDE gen/templates/choice/untraced.v@
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data)
    );
endmodule

`default_nettype wire
