// SPDX-License-Identifier: MIT
//
// Takes bytes from a serial line: 8 data bits, no parity, 1 stop bit, least significant bit first. Each bit is
// sampled in its middle, counted from the falling edge of the start bit. A start bit that is over by its middle is
// noise and is passed over.
//
// i_rx may change at any time: two flip-flops bring it to i_clk. In the cycle behind a sample o_bit_valid says that
// o_bit is one of the eight bits; after them o_end says that the byte is over, with its stop bit, or o_bad that there
// was none. All outputs are flip-flops'.
`default_nettype none
`include "gfab_bits.vh"

module gfab_uart_rx #(
    parameter CLOCKS_PER_BIT = 104 // 4 or more; 104 is 115200 Bd at 12 MHz
) (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_rx,
    output reg  o_bit_valid,
    output reg  o_bit,
    output reg  o_end,
    output reg  o_bad
);
    localparam COUNT_BITS = `GFAB_BITS(CLOCKS_PER_BIT);
    localparam LAST       = CLOCKS_PER_BIT - 1;
    localparam HALF       = CLOCKS_PER_BIT / 2 - 1;
    localparam REST       = 4'd0;
    localparam START      = 4'd1;
    localparam STOP       = 4'd10; // 2 .. 9 are the data bits

    reg [1:0]            line_q;
    reg [3:0]            state_q;
    reg [COUNT_BITS-1:0] count_q; // cycles since the last sample, which is 0 at its end whatever it counts to

    wire line   = line_q[1];
    wire rest   = (state_q == REST);
    wire stop   = (state_q == STOP);
    wire start  = (state_q == START);
    wire sample = ~rest & (count_q == (start ? HALF[COUNT_BITS-1:0] : LAST[COUNT_BITS-1:0]));
    wire noise  = start & line;

    always @(posedge i_clk)
        if (i_rst) begin
            line_q  <= 2'b11;
            state_q <= REST;
        end else begin
            line_q <= {line_q[0], i_rx};
            if (rest)
                state_q <= line ? REST : START;
            else if (sample)
                state_q <= (stop | noise) ? REST : state_q + 1'b1;
        end

    always @(posedge i_clk)
        count_q <= (rest | sample) ? {COUNT_BITS{1'b0}} : count_q + 1'b1;

    always @(posedge i_clk) begin
        o_bit_valid <= sample & ~start & ~stop;
        o_bit       <= line;
        o_end       <= sample & stop & line;
        o_bad       <= sample & stop & ~line;
    end
endmodule

`default_nettype wire
