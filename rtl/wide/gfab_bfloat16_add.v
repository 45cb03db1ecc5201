// SPDX-License-Identifier: MIT
//
// The operator by which a wide fabric combines bfloat16 numbers, each pair of 16 bits for itself: gfab_float_add beside
// each other. A module of a user's has the same ports, docs/reference/wide-links.md: "An operator of your own".
//
// A pair of flits comes in every cycle. o_result is there LATENCY cycles later; with LATENCY 0 in the same one, without
// a register. Nothing is reset. i_a is what a node has of a block, or has made of it, i_b what arrives.
`default_nettype none

module gfab_bfloat16_add #(
    parameter BITS    = 16, // of a flit, LINK_BITS of the fabric
    parameter LATENCY = 2   // cycles, 0 or more
) (
    input  wire            i_clk,
    input  wire [BITS-1:0] i_a,
    input  wire [BITS-1:0] i_b,
    output wire [BITS-1:0] o_result
);
    genvar n;
    generate
        if (BITS % 16 != 0) begin : gen_bad_bits
            gfab_error_link_bits_must_be_a_multiple_of_16 u_bad ();
        end
        for (n = 0; n < BITS / 16; n = n + 1) begin : gen_number
            gfab_float_add #(
                .FRACTION(7), .LATENCY(LATENCY)
            ) u_add (
                .i_clk(i_clk), .i_enable(1'b1), .i_a(i_a[16*n+:16]), .i_b(i_b[16*n+:16]), .o_sum(o_result[16*n+:16])
            );
        end
    endgenerate
endmodule

`default_nettype wire
