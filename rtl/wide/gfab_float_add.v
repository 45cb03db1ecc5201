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
    localparam SIGN = FRACTION + 8;
    localparam BITS = FRACTION + 4; // of a significand: the leading one, the fraction, and three bits below
    localparam SHIFT_BITS = $clog2(BITS + 1);
    localparam [7:0] MOST = BITS[7:0]; // whatever is moved so far down is below all bits

    // The number of the larger magnitude, and the other one with its exponent.
    wire              swap     = i_b[SIGN-1:0] > i_a[SIGN-1:0];
    wire [SIGN:0]     high     = swap ? i_b : i_a;
    wire [SIGN:0]     low      = swap ? i_a : i_b;
    wire              differ   = high[SIGN] ^ low[SIGN];
    wire              l_normal = |high[SIGN-1:FRACTION];
    wire              s_normal = |low[SIGN-1:FRACTION];
    // Subnormals have the exponent of the least normal ones.
    wire [7:0]        exponent = high[SIGN-1:FRACTION] | {7'd0, ~l_normal};
    wire [7:0]        distance = exponent - (low[SIGN-1:FRACTION] | {7'd0, ~s_normal});
    wire              special  = &high[SIGN-1:FRACTION];
    wire              nan      = special & ((|high[FRACTION-1:0]) | ((&low[SIGN-1:FRACTION]) & differ));
    wire              sign     = high[SIGN];

    wire [FRACTION:0] large0, small0; // significands
    wire [7:0]        exponent0, distance0;
    wire              sign0, differ0, special0, nan0;
    gfab_held_delay #(
        .BITS(2 * FRACTION + 22), .CYCLES(LATENCY >= 4 ? 1 : 0)
    ) u_ordered (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data({l_normal, high[FRACTION-1:0], s_normal, low[FRACTION-1:0], exponent, distance, sign, differ, special,
                 nan}),
        .o_data({large0, small0, exponent0, distance0, sign0, differ0, special0, nan0})
    );

    // Three bits below the last one of the large number: two, and whether anything is lost below these.
    wire [BITS-1:0]       augend = {large0, 3'd0};
    wire [SHIFT_BITS-1:0] down   = distance0 > MOST ? MOST[SHIFT_BITS-1:0] : distance0[SHIFT_BITS-1:0];
    wire [2*BITS-1:0]     shifted = {small0, {BITS+3{1'b0}}} >> down;
    wire [BITS-1:0]       addend = {shifted[2*BITS-1:BITS+1], |shifted[BITS:0]};

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

    wire [BITS:0] total2;
    wire [7:0]    exponent2;
    wire          sign2, differ2, special2, nan2;
    gfab_held_delay #(
        .BITS(BITS + 13), .CYCLES(LATENCY >= 3 ? 1 : 0)
    ) u_added (
        .i_clk(i_clk), .i_enable(i_enable), .i_data({total, exponent1, sign1, differ1, special1, nan1}),
        .o_data({total2, exponent2, sign2, differ2, special2, nan2})
    );

    // Leading zeros, so many at most as the exponent is above the least: 0 is a carry.
    reg [SHIFT_BITS-1:0] zeros;
    integer              i;
    always @* begin
        zeros = BITS[SHIFT_BITS-1:0] + 1'b1;
        for (i = 0; i <= BITS; i = i + 1)
            if (total2[i])
                zeros = BITS[SHIFT_BITS-1:0] - i[SHIFT_BITS-1:0];
    end
    wire [8:0]            raised   = {1'b0, exponent2} + 9'd1; // of a carry
    wire                  deep     = {{9-SHIFT_BITS{1'b0}}, zeros} >= raised; // the result is subnormal
    wire [SHIFT_BITS-1:0] up       = deep ? raised[SHIFT_BITS-1:0] - 1'b1 : zeros;
    wire [BITS-1:0]       moved    = total2[BITS-1:0] << up;

    wire [BITS-1:0] aligned3; // without the leading one: the bits of the fraction, and 4 by which to round
    wire [8:0]      exponent3;
    wire            sign3, differ3, special3, nan3, zero3;
    gfab_held_delay #(
        .BITS(BITS + 14), .CYCLES(LATENCY >= 5 ? 1 : 0)
    ) u_aligned (
        .i_clk(i_clk), .i_enable(i_enable),
        .i_data({moved, deep ? 9'd0 : raised - {{9-SHIFT_BITS{1'b0}}, zeros}, sign2, differ2, special2, nan2,
                 ~|total2}),
        .o_data({aligned3, exponent3, sign3, differ3, special3, nan3, zero3})
    );
    // A carry goes on into the exponent.
    wire            half    = aligned3[3] & (aligned3[4] | (|aligned3[2:0]));
    wire [SIGN:0]   rounded = {exponent3, aligned3[BITS-1:4]} + {{SIGN{1'b0}}, half};
    wire            over    = rounded[SIGN] | (&rounded[SIGN-1:FRACTION]);
    wire [SIGN:0]   sum     = nan3 ? {9'h0ff, 1'b1, {FRACTION-1{1'b0}}}
                            : special3 | over ? {sign3, 8'hff, {FRACTION{1'b0}}}
                            : zero3 ? {sign3 & ~differ3, {SIGN{1'b0}}}
                            : {sign3, rounded[SIGN-1:0]};

    gfab_held_delay #(
        .BITS(SIGN + 1), .CYCLES(LATENCY >= 5 ? LATENCY - 4 : LATENCY >= 1 ? 1 : 0)
    ) u_sum (
        .i_clk(i_clk), .i_enable(i_enable), .i_data(sum), .o_data(o_sum)
    );
endmodule

`default_nettype wire
