@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// @BOARD_SUMMARY@: a host drives the fabric over the serial line (gossipfab board);
// rtl/gfab_board_host.v says how.
// LEDs: 0 changes with every request, 1 a host has greeted since power-on, 5 a collective runs.
// LED 6, of a protected fabric: a fault was noticed, until the next start.
`default_nettype none

module board_top #(
    parameter CLOCKS_PER_BIT = @CLOCKS_PER_BIT@ // @BAUD@ baud at @FABRIC_MHZ@ MHz
) (
    input  wire              i_clk, // @CLOCK_MHZ@ MHz
    output wire [@LEDS@-1:0] o_led,
    input  wire              i_uart_rx,
    output wire              o_uart_tx
);
    localparam NODES      = @NODES@;
    localparam WORDS      = @WORDS@;
    localparam SLOT_BITS  = @SLOT_BITS@;
    localparam INDEX_BITS = @INDEX_BITS@;
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam WORD_BITS  = @WORD_BITS@;

    wire fabric_rst, start, done, fresh;
    wire [NODES-1:0] load_valid;
    wire [NODES*LOAD_BITS-1:0] load_word;
    wire [NODES*INDEX_BITS-1:0] read_word;
    wire [NODES*WORD_BITS-1:0] load_data, read_data;
    wire [NODES*SLOT_BITS-1:0] read_token;
@INCLUDE gen/templates/chosen_wires.v@

@INCLUDE gen/templates/board_clock.v@

    gfab_board_host #(
        .NODES(NODES), .WORD_BITS(WORD_BITS), .WORDS(WORDS), .SLOTS(@SLOTS@), .SLOT_BITS(SLOT_BITS),
        .LOAD_BITS(LOAD_BITS), .BURST_SLOTS(@BURST_SLOTS@), .PROGRAM_BITS(@PROGRAM_BITS@), .CYCLE_BITS(@CYCLE_BITS@),
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT),
        .IDENTITY(@IDENTITY@)
    ) u_host (
        .i_clk(clk), .i_rst(rst), .i_rx(i_uart_rx), .o_tx(o_uart_tx),
        .o_fabric_rst(fabric_rst), .o_start(start),
@FILL CHOSEN@
        .@NAME@(@WIRE@),
@END@
        .i_error(fabric_error),
        .i_done(done), .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),
        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data),
        .o_request(led[0]), .o_fresh(fresh)
    );
    assign led[1]   = ~fresh;
    assign led[4:2] = 3'b0;
    assign led[7:6] = {1'b0, fabric_error};

    @FABRIC@ u_fabric (
@INCLUDE gen/templates/board_fabric.v@
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data)
    );
endmodule

`default_nettype wire
