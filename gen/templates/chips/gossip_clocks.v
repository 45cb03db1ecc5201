@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// @CHIPS@ chips, each with its own clock, the cables between them, and a host at each chip. Chip 0 starts; resets come
// from it, too, or from i_rst to a chip alone.
`default_nettype none

module gossip_clocks #(
    parameter PERIOD = 1000000, // about that of all clocks
    parameter CHIPS  = @CHIPS@
) (
    input  wire [CHIPS-1:0] i_clk,
    input  wire [CHIPS-1:0] i_rst,
    input  wire             i_start,
@FOR PROGRAM@
    @LINE@
@END@
    output wire [CHIPS-1:0] o_busy,
    output wire [CHIPS-1:0] o_done,
    output wire [CHIPS-1:0] o_error,
    // the hosts
    input  wire [31:0]      i_gossip,
    input  wire             i_load,
    input  wire             i_check,
    output wire [CHIPS-1:0] o_ready,
    output wire [CHIPS-1:0] o_wrong,
    // the cables
    input  wire             i_draw,
    input  wire [CHIPS-1:0] i_cut // what leaves these chips
);
    wire [CHIPS-1:0] rst;
@FOR CHIPS@
@FOR CABLES@
    wire out_clock_@CHIP@_@FAR_CHIP@, out_valid_@CHIP@_@FAR_CHIP@;
    wire in_clock_@CHIP@_@FAR_CHIP@, in_valid_@CHIP@_@FAR_CHIP@;
    wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] out_flits_@CHIP@_@FAR_CHIP@, in_flits_@CHIP@_@FAR_CHIP@;
@END@
@END@
@FOR CHIPS@

    // Chip @CHIP@.
@FOR CABLES@
    gfab_cable_wires #(
        .WIRES(@CABLE_LINKS@*@FLIT_BITS@@CHECK@), .PERIOD(PERIOD)
    ) u_wires_@CHIP@_@FAR_CHIP@ (
        .i_draw(i_draw), .i_cut(i_cut[@CHIP@]), .i_clock(out_clock_@CHIP@_@FAR_CHIP@),
        .i_valid(out_valid_@CHIP@_@FAR_CHIP@), .i_flits(out_flits_@CHIP@_@FAR_CHIP@),
        .o_clock(in_clock_@FAR_CHIP@_@CHIP@), .o_valid(in_valid_@FAR_CHIP@_@CHIP@), .o_flits(in_flits_@FAR_CHIP@_@CHIP@)
    );
@END@
    wire [31:0] wrong_@CHIP@;
@FOR HOST@
    wire @RANGE@@WIRE@_@CHIP@;
@END@
    assign o_wrong[@CHIP@] = (wrong_@CHIP@ != 32'd0);
    gfab_chip_host #(
        .HERE(@HERE@), .NODE({
@FOR NODES@
            32'd@NODE@@COMMA@
@END@
        })
    ) u_host_@CHIP@ (
        .i_clk(i_clk[@CHIP@]), .i_gossip(i_gossip), .i_load(i_load), .i_check(i_check), .o_ready(o_ready[@CHIP@]),
        .o_wrong(wrong_@CHIP@), .o_load_valid(load_valid_@CHIP@), .o_load_word(load_word_@CHIP@),
        .o_load_data(load_data_@CHIP@), .o_read_token(read_token_@CHIP@), .o_read_word(read_word_@CHIP@),
        .i_read_data(read_data_@CHIP@)
    );
    @CHIP_TOP@_@CHIP@ u_chip_@CHIP@ (
@FILL OF_CLOCKS@
        .@NAME@(@WIRE@),
@END@
@IF FIRST_CHIP@
        .i_start(i_start), .i_rst(i_rst[0]),
@ELSE@
        .i_rst(i_rst[@CHIP@] | rst[@PARENT@]),
@END@
        .i_clk(i_clk[@CHIP@]), .o_rst(rst[@CHIP@]),
        .o_busy(o_busy[@CHIP@]), .o_done(o_done[@CHIP@]), .o_error(o_error[@CHIP@]),
@FILL FAULT@
        .@NAME@(),
@END@
@FILL REPORT@
        .@NAME@(),
@END@
        .i_load_valid(load_valid_@CHIP@), .i_load_word(load_word_@CHIP@), .i_load_data(load_data_@CHIP@),
        .i_read_token(read_token_@CHIP@), .i_read_word(read_word_@CHIP@), .o_read_data(read_data_@CHIP@),
@FOR CABLES@
        .o_clock_@FAR_CHIP@(out_clock_@CHIP@_@FAR_CHIP@), .o_valid_@FAR_CHIP@(out_valid_@CHIP@_@FAR_CHIP@),
        .o_flits_@FAR_CHIP@(out_flits_@CHIP@_@FAR_CHIP@),
        .i_clock_@FAR_CHIP@(in_clock_@CHIP@_@FAR_CHIP@), .i_valid_@FAR_CHIP@(in_valid_@CHIP@_@FAR_CHIP@),
        .i_flits_@FAR_CHIP@(in_flits_@CHIP@_@FAR_CHIP@)@COMMA@
@END@
    );
@END@
endmodule

`default_nettype wire
