// SPDX-License-Identifier: MIT
//
// Of several words one, where the operator's result depends on the order: INPUTS - 1 operators one behind the other,
// ((first + second) + third), each of LATENCY cycles. A word that has its turn later waits as long. A flit has one
// number or more, but for SATURATED, where it is a number. Vectors end with the word in which any of them does.
//
// Latency: (INPUTS - 1) * LATENCY cycles of those in which i_enable is 1.
`default_nettype none
`include "gfab_op.vh"

module gfab_stream_chain #(
    parameter INPUTS    = 2,  // 2 or more
    parameter LINK_BITS = 32, // L
    parameter OPERATOR  = `GFAB_OPERATOR_FLOAT32, // or BFLOAT16, SATURATED
    parameter LATENCY   = 2   // 0 or more
) (
    input  wire                            i_clk,
    input  wire                            i_enable,
    input  wire [INPUTS*(LINK_BITS+1)-1:0] i_words, // {the vector ends, word}, the first operand lowest
    output wire [LINK_BITS:0]              o_word
);
    localparam BITS     = LINK_BITS + 1;
    localparam FRACTION = OPERATOR == `GFAB_OPERATOR_BFLOAT16 ? 7 : 23;
    localparam NUMBER   = OPERATOR == `GFAB_OPERATOR_SATURATED ? LINK_BITS : FRACTION + 9;

    genvar k, n;
    generate
        if (LINK_BITS % NUMBER != 0) begin : gen_bad_bits
            gfab_error_link_bits_must_be_a_multiple_of_a_numbers u_bad ();
        end
        for (k = 0; k < INPUTS; k = k + 1) begin : gen_stage
            wire [BITS-1:0] so_far; // what is made of the words up to k
            if (k == 0) begin : gen_first
                assign so_far = i_words[0+:BITS];
            end else begin : gen_next
                wire [BITS-1:0]      met;
                wire [LINK_BITS-1:0] a = gen_stage[k-1].so_far[LINK_BITS-1:0];
                wire [LINK_BITS-1:0] b = met[LINK_BITS-1:0];
                gfab_held_delay #(
                    .BITS(BITS), .CYCLES((k - 1) * LATENCY)
                ) u_met (
                    .i_clk(i_clk), .i_enable(i_enable), .i_data(i_words[k*BITS+:BITS]), .o_data(met)
                );
                gfab_held_delay #(
                    .BITS(1), .CYCLES(LATENCY)
                ) u_ends (
                    .i_clk(i_clk), .i_enable(i_enable), .i_data(gen_stage[k-1].so_far[LINK_BITS] | met[LINK_BITS]),
                    .o_data(so_far[LINK_BITS])
                );
                for (n = 0; n < LINK_BITS / NUMBER; n = n + 1) begin : gen_number
                    if (OPERATOR == `GFAB_OPERATOR_SATURATED) begin : gen_saturated
                        gfab_stream_saturated #(
                            .BITS(NUMBER), .LATENCY(LATENCY)
                        ) u_add (
                            .i_clk(i_clk), .i_enable(i_enable), .i_a(a), .i_b(b), .o_sum(so_far[LINK_BITS-1:0])
                        );
                    end else begin : gen_float
                        gfab_float_add #(
                            .FRACTION(FRACTION), .LATENCY(LATENCY)
                        ) u_add (
                            .i_clk(i_clk), .i_enable(i_enable), .i_a(a[n*NUMBER+:NUMBER]), .i_b(b[n*NUMBER+:NUMBER]),
                            .o_sum(so_far[n*NUMBER+:NUMBER])
                        );
                    end
                end
            end
        end
    endgenerate
    assign o_word = gen_stage[INPUTS-1].so_far;
endmodule

`default_nettype wire
