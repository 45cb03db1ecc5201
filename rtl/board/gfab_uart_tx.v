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
    localparam BEFORE     = CLOCKS_PER_BIT - 2; // the count a cycle before a bit is over

    // The bits to come; the highest 1 is the stop bit, which is also the idle line.
    reg [9:0]            shift_q;
    reg [COUNT_BITS-1:0] count_q; // cycles of the bit
    reg                  over_q;  // the bit's time is over

    wire shift = over_q & (~o_ready | i_valid);
    assign o_ready = over_q & (shift_q[9:1] == 9'd0);

    always @(posedge i_clk)
        if (i_rst) begin
            shift_q <= 10'd1;
            over_q  <= 1'b1;
        end else begin
            over_q <= ~shift & (over_q | (count_q == BEFORE[COUNT_BITS-1:0]));
            if (shift)
                shift_q <= o_ready ? {1'b1, i_data, 1'b0} : {1'b0, shift_q[9:1]};
        end

    always @(posedge i_clk)
        count_q <= over_q ? {COUNT_BITS{1'b0}} : count_q + 1'b1;

    assign o_tx = shift_q[0];
endmodule

`default_nettype wire
