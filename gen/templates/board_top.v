@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// @BOARD_SUMMARY@: the fabric tests itself over and over; rtl/gfab_selftest.v says how and what it reports.
// LEDs: 0 changes with every test, 1 testing, 2 pass, 3 fail, 4 some test since reset failed, 5 a gossip runs.
// LED 6, of a protected fabric: a fault was noticed, until the next start.
`default_nettype none
@IF BLOCKS@
`include "gfab_op.vh"
@END@

module board_top #(
    parameter CLOCKS_PER_BIT = @CLOCKS_PER_BIT@, // @BAUD@ baud at @FABRIC_MHZ@ MHz
    parameter PAUSE_BITS     = 23   // log2 of the pause between two tests, in cycles
) (
    input  wire              i_clk, // @CLOCK_MHZ@ MHz
    output wire [@LEDS@-1:0] o_led,
    input  wire              i_uart_rx, // not used: all board tops have the same pins
    output wire              o_uart_tx
);
    localparam NODES      = @NODES@;
    localparam LANES      = @FLITS_OF_WORD@; // flits of a word
    localparam LINK_BITS  = @LINK_BITS@;
    localparam WORDS      = @WORDS@;
    localparam PARTS      = @PARTS@;
    localparam TOKEN_BITS = @TOKEN_BITS@;
    localparam SLOT_BITS  = @SLOT_BITS@;
    localparam INDEX_BITS = @INDEX_BITS@;
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam WORD_BITS  = @WORD_BITS@;

    wire fabric_rst, start, done;
@INCLUDE gen/templates/chosen_wires.v@
    wire [NODES-1:0] load_valid;
    wire [LOAD_BITS-1:0] load_word;
    wire [INDEX_BITS-1:0] read_word;
    wire [WORD_BITS-1:0] load_data;
    wire [SLOT_BITS-1:0] read_token;
    wire [NODES*WORD_BITS-1:0] read_data;

@INCLUDE gen/templates/board_clock.v@

    gfab_selftest #(
        .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS), .TOKEN_BITS(TOKEN_BITS),
@IF BLOCKS@
        .BLOCKS(@BLOCKS@), .MEMBERS(@MEMBERS@), .PROGRAMS(@PROGRAMS@), .COUNTED(@COUNTED@),
        .OPERATOR(`GFAB_OPERATOR_@OPERATOR_NAME@),
        .LOAD_BITS(LOAD_BITS), .READ_BITS(SLOT_BITS), .COMBINES(@COMBINES@), .FIELD_BITS(@SELFTEST_BITS@),
        // Of each node and program: its rank; of what it wants, then of what it starts with: the first one's number in
        // the node, steps, how many, the first one.
        .TABLE({
@FOR NODES@
            @SELFTEST_ROW@@COMMA@ // @NODE@
@END@
        }),
@IF BLOCK_ROMS@
        .EXPECTED_CYCLES({@PROGRAMS@{32'd0}}),
@ELSE@
        .EXPECTED_CYCLES({@CYCLES_OF@}),
@END@
@ELSE@
        .EXPECTED_CYCLES(@EXPECTED_CYCLES@),
@END@
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .PAUSE_BITS(PAUSE_BITS),
        .NAME_CHARS(@TOPOLOGY_LENGTH@), .NAME("@TOPOLOGY@")
    ) u_selftest (
        .i_clk(clk), .i_rst(rst), .o_fabric_rst(fabric_rst), .o_start(start), .i_done(done),
@FILL CHOSEN@
        .@NAME@(@WIRE@),
@END@
        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),
        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data),
        .o_uart_tx(o_uart_tx), .o_heartbeat(led[0]), .o_busy(led[1]), .o_pass(led[2]),
        .o_fail(led[3]), .o_failed(led[4])
    );
    assign led[7:6] = {1'b0, fabric_error};

    @FABRIC@ u_fabric (
@INCLUDE gen/templates/board_fabric.v@
        .i_load_valid(load_valid), .i_load_word({NODES{load_word}}), .i_load_data({NODES{load_data}}),
        .i_read_token({NODES{read_token}}), .i_read_word({NODES{read_word}}), .o_read_data(read_data)
    );
endmodule

`default_nettype wire
