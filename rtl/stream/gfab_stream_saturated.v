// SPDX-License-Identifier: MIT
//
// The sum of two numbers with a sign, two's complement, or where there is none of BITS bits the nearest that there is.
//
// LATENCY: 1 has a register at the output, 2 one more behind the adder; what is above that delays the output.
`default_nettype none

module gfab_stream_saturated #(
    parameter BITS    = 32, // 1 or more
    parameter LATENCY = 2   // cycles, 0 or more
) (
    input  wire            i_clk,
    input  wire            i_enable, // 0: all stands still
    input  wire [BITS-1:0] i_a,
    input  wire [BITS-1:0] i_b,
    output wire [BITS-1:0] o_sum
);
    // With one bit more there is no overflow: the first two bits differ where the number is beyond what BITS have.
    wire [BITS:0] total;
    gfab_held_delay #(
        .BITS(BITS + 1), .CYCLES(LATENCY >= 2 ? 1 : 0)
    ) u_added (
        .i_clk(i_clk), .i_enable(i_enable), .i_data({i_a[BITS-1], i_a} + {i_b[BITS-1], i_b}), .o_data(total)
    );
    wire [BITS-1:0] most = {BITS{1'b1}} >> 1;
    gfab_held_delay #(
        .BITS(BITS), .CYCLES(LATENCY >= 2 ? LATENCY - 1 : LATENCY)
    ) u_sum (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data(total[BITS] == total[BITS-1] ? total[BITS-1:0] : most ^ {BITS{total[BITS]}}), .o_data(o_sum)
    );
endmodule

`default_nettype wire
