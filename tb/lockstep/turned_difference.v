// SPDX-License-Identifier: MIT
//
// An operator whose result depends on the order of everything, for the lockstep bench: its first operand, turned by a
// bit, less its second. bench.cc says the same in C++.
`default_nettype none

module gossip_fabric_operator #(
    parameter BITS    = 16, // 2 or more
    parameter LATENCY = 2   // cycles, 0 or more
) (
    input  wire            i_clk,
    input  wire [BITS-1:0] i_a,
    input  wire [BITS-1:0] i_b,
    output wire [BITS-1:0] o_result
);
    wire [BITS-1:0] result = {i_a[BITS-2:0], i_a[BITS-1]} - i_b;
    gfab_delay #(
        .BITS(BITS), .CYCLES(LATENCY)
    ) u_delay (
        .i_clk(i_clk), .i_rst(1'b0), .o_taps(), .i_data(result), .o_data(o_result)
    );
endmodule

`default_nettype wire
