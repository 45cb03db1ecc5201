// SPDX-License-Identifier: MIT
//
// Sends bytes over a serial line: 8 data bits, no parity, 1 stop bit, least
// significant bit first. A byte is taken in a cycle in which i_valid and o_ready are 1; it takes 10 bits'
// time, after which o_ready is 1 again. o_tx is a flip-flop's output.
`default_nettype none
`include "gfab_bits.vh"

module gfab_uart_tx #(
    parameter CLOCKS_PER_BIT = 104 // 2 or more; 104 is 115200 Bd at 12 MHz
) (
    input  wire       i_clk,
    input  wire       i_rst,
    input  wire       i_valid,
    output wire       o_ready,
    input  wire [7:0] i_data,
    output wire       o_tx
);
    localparam COUNT_BITS = `GFAB_BITS(CLOCKS_PER_BIT);
    localparam LAST       = CLOCKS_PER_BIT - 1;

    // The bits to come; the highest 1 is the stop bit, which is also the idle line.
    reg [9:0]            shift_q;
    reg [COUNT_BITS-1:0] count_q; // cycles left of the bit

    wire tick = (count_q == {COUNT_BITS{1'b0}});
    assign o_ready = tick & (shift_q[9:1] == 9'd0);

    always @(posedge i_clk)
        if (i_rst) begin
            shift_q <= 10'd1;
            count_q <= {COUNT_BITS{1'b0}};
        end else if (!tick)
            count_q <= count_q - 1'b1;
        else if (!o_ready | i_valid) begin
            shift_q <= o_ready ? {1'b1, i_data, 1'b0} : {1'b0, shift_q[9:1]};
            count_q <= LAST[COUNT_BITS-1:0];
        end

    assign o_tx = shift_q[0];
endmodule

`default_nettype wire
