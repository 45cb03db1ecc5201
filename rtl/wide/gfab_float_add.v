// SPDX-License-Identifier: MIT
//
// The sum of two numbers as IEEE 754 has them: a sign, 8 bits of exponent, FRACTION bits of fraction; 23: float32, 7:
// bfloat16. Rounded to nearest, to even of two equally near ones. Subnormal numbers are as good as others. Any NaN, of
// a NaN or of infinities of different signs, is the one without a sign of which the fraction's first bit alone is 1. A
// sum that is 0 is +0, unless both are -0.
//
// LATENCY: 1 has a register at the output, 2 one more behind the shifter, 3 one more behind the adder, 4 one more
// before the shifter, 5 one more before what is rounded; what is above that delays the output.
`default_nettype none

module gfab_float_add #(
    parameter FRACTION = 23, // 2 or more
    parameter LATENCY  = 2   // cycles, 0 or more
) (
    input  wire                i_clk,
    input  wire                i_enable, // 0: all stands still
    input  wire [FRACTION+8:0] i_a,
    input  wire [FRACTION+8:0] i_b,
    output wire [FRACTION+8:0] o_sum
);
    localparam SIGN  = FRACTION + 8;
    localparam BITS  = FRACTION + 4; // of a significand: the leading one, the fraction, and three bits below
    localparam STEPS = $clog2(BITS + 1);
    localparam MOST  = 1 << STEPS;   // what is moved so far down changes no sum

    // The number of the larger magnitude, and the other one with its exponent; subnormal numbers have that of the least
    // normal ones.
    wire           swap     = i_b[SIGN-1:0] > i_a[SIGN-1:0];
    wire           sign     = swap ? i_b[SIGN] : i_a[SIGN];
    wire [FRACTION-1:0] high = swap ? i_b[FRACTION-1:0] : i_a[FRACTION-1:0];
    wire [FRACTION-1:0] low  = swap ? i_a[FRACTION-1:0] : i_b[FRACTION-1:0];
    wire           differ   = i_a[SIGN] ^ i_b[SIGN];
    wire           a_normal = |i_a[SIGN-1:FRACTION];
    wire           b_normal = |i_b[SIGN-1:FRACTION];
    wire [7:0]     a_scale  = i_a[SIGN-1:FRACTION] | {7'd0, ~a_normal};
    wire [7:0]     b_scale  = i_b[SIGN-1:FRACTION] | {7'd0, ~b_normal};
    wire [7:0]     a_above  = a_scale - b_scale;
    wire [7:0]     b_above  = b_scale - a_scale;
    wire           a_odd    = &i_a[SIGN-1:FRACTION]; // infinite, or no number
    wire           b_odd    = &i_b[SIGN-1:FRACTION];
    wire           nan      = (a_odd & (|i_a[FRACTION-1:0])) | (b_odd & (|i_b[FRACTION-1:0]))
                            | (a_odd & b_odd & differ);

    wire [FRACTION:0] large0, small0; // significands
    wire [7:0]        exponent0, distance0;
    wire              sign0, differ0, special0, nan0;
    gfab_held_delay #(
        .BITS(2 * FRACTION + 22), .CYCLES(LATENCY >= 4 ? 1 : 0)
    ) u_ordered (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data({swap ? b_normal : a_normal, high, swap ? a_normal : b_normal, low,
                 swap ? b_scale : a_scale, swap ? b_above : a_above, sign, differ,
                 a_odd | b_odd, nan}),
        .o_data({large0, small0, exponent0, distance0, sign0, differ0, special0, nan0})
    );

    // Three bits below the last one of the large number: two, and whether anything is lost below these.
    wire [BITS-1:0]      augend  = {large0, 3'd0};
    wire                 far     = |distance0[7:STEPS];
    wire [BITS+MOST-1:0] shifted = {small0, {MOST+3{1'b0}}} >> distance0[STEPS-1:0];
    wire [BITS-1:0]      addend  = {BITS{~far}} & {shifted[BITS+MOST-1:MOST+1], |shifted[MOST:0]};

    wire [BITS-1:0] augend1, addend1;
    wire [7:0]      exponent1;
    wire            sign1, differ1, special1, nan1;
    gfab_held_delay #(
        .BITS(2 * BITS + 12), .CYCLES(LATENCY >= 2 ? 1 : 0)
    ) u_shifted (
        .i_clk(i_clk), .i_enable(i_enable), .i_data({augend, addend, exponent0, sign0, differ0, special0, nan0}),
        .o_data({augend1, addend1, exponent1, sign1, differ1, special1, nan1})
    );

    // No less than 0, since the augend is no less than the addend.
    wire [BITS:0] total = {1'b0, augend1} + ({1'b0, addend1} ^ {BITS+1{differ1}}) + {{BITS{1'b0}}, differ1};
    // It is moved up until its first bit is a one, but by no more than the exponent: then it is subnormal.
    wire [BITS:0] stop  = {1'b1, {BITS{1'b0}}} >> exponent1;

    // By halves. Behind step s it was moved as far as bits s and above of `up` say.
    wire [BITS:0]     total2;
    wire [STEPS-1:0]  up2;
    wire [MOST/2-1:0] window2;
    genvar s;
    generate
        for (s = STEPS; s >= 0; s = s - 1) begin : gen_step
            wire [BITS:0]    moved;
            wire [STEPS-1:0] up;
            wire [(1<<s)-1:0] window; // in which the first one is, of it or of `stop`
            if (s == STEPS) begin : gen_first
                assign moved  = total;
                assign up     = {STEPS{1'b0}};
                assign window = {total | stop, {MOST-BITS-1{1'b1}}};
            end else begin : gen_next
                wire [(2<<s)-1:0] before_window;
                wire [BITS:0]     was;
                wire [STEPS-1:0]  had;
                if (s == STEPS - 2) begin : gen_behind
                    assign {was, had, before_window} = {total2, up2, window2};
                end else begin : gen_at_once
                    assign {was, had, before_window} =
                        {gen_step[s+1].moved, gen_step[s+1].up, gen_step[s+1].window};
                end
                wire none = ~|before_window[(2<<s)-1:1<<s];
                assign window = none ? before_window[(1<<s)-1:0] : before_window[(2<<s)-1:1<<s];
                assign moved  = none ? was << (1 << s) : was;
                assign up     = had | {{STEPS-1{1'b0}}, none} << s;
            end
        end
    endgenerate

    wire [7:0]        exponent2;
    wire              sign2, differ2, special2, nan2;
    gfab_held_delay #(
        .BITS(BITS + 1 + STEPS + MOST / 2 + 12), .CYCLES(LATENCY >= 3 ? 1 : 0)
    ) u_added (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data({gen_step[STEPS-1].moved, gen_step[STEPS-1].up, gen_step[STEPS-1].window, exponent1, sign1, differ1,
                 special1, nan1}),
        .o_data({total2, up2, window2, exponent2, sign2, differ2, special2, nan2})
    );

    wire [BITS:0]    aligned3;
    wire [STEPS-1:0] up3;
    wire [7:0]       exponent3;
    wire             sign3, differ3, special3, nan3;
    gfab_held_delay #(
        .BITS(BITS + 1 + STEPS + 12), .CYCLES(LATENCY >= 5 ? 1 : 0)
    ) u_aligned (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data({gen_step[0].moved, gen_step[0].up, exponent2, sign2, differ2, special2, nan2}),
        .o_data({aligned3, up3, exponent3, sign3, differ3, special3, nan3})
    );

    // Without the leading one: the bits of the fraction, and 4 by which to round. A carry goes on into the exponent.
    wire [8:0]    scale   = aligned3[BITS] ? {1'b0, exponent3} + 9'd1 - {{9-STEPS{1'b0}}, up3} : 9'd0;
    wire          half    = aligned3[3] & (aligned3[4] | (|aligned3[2:0]));
    wire [SIGN:0] rounded = {scale, aligned3[BITS-1:4]} + {{SIGN{1'b0}}, half};
    wire          over    = rounded[SIGN] | (&rounded[SIGN-1:FRACTION]);
    wire [SIGN:0] sum     = nan3 ? {9'h0ff, 1'b1, {FRACTION-1{1'b0}}}
                          : special3 | over ? {sign3, 8'hff, {FRACTION{1'b0}}}
                          : {sign3 & ~(differ3 & (~|aligned3)), rounded[SIGN-1:0]};

    gfab_held_delay #(
        .BITS(SIGN + 1), .CYCLES(LATENCY >= 5 ? LATENCY - 4 : LATENCY >= 1 ? 1 : 0)
    ) u_sum (
        .i_clk(i_clk), .i_enable(i_enable), .i_data(sum), .o_data(o_sum)
    );
endmodule

`default_nettype wire
