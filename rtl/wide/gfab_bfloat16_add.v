// SPDX-License-Identifier: MIT
//
// The sum of two bfloat16 numbers (a sign, 8 bits of exponent, 7 of fraction), rounded to nearest, to even of two
// equally near ones. Subnormal numbers are as good as others. Any NaN is 7fc0. A sum that is 0 is +0, unless both are
// -0.
//
// LATENCY: 1 has a register at the output, 2 one more behind the shifter, 3 one more behind the adder; what is above
// that delays the output.
`default_nettype none

module gfab_bfloat16_add #(
    parameter LATENCY = 2 // cycles, 0 or more
) (
    input  wire        i_clk,
    input  wire [15:0] i_a,
    input  wire [15:0] i_b,
    output wire [15:0] o_sum
);
    // The number of the larger magnitude, and the other one with its exponent.
    wire        swap     = i_b[14:0] > i_a[14:0];
    wire [15:0] high     = swap ? i_b : i_a;
    wire [15:0] low      = swap ? i_a : i_b;
    wire        differ   = high[15] ^ low[15];
    wire        l_normal = |high[14:7];
    wire        s_normal = |low[14:7];
    wire [7:0]  exponent = high[14:7] | {7'd0, ~l_normal}; // subnormals have that of the least normal ones
    wire [7:0]  distance = exponent - (low[14:7] | {7'd0, ~s_normal});
    // Three bits below the last one of the large number: two, and whether anything is lost below these.
    wire [10:0] augend   = {l_normal, high[6:0], 3'd0};
    wire [21:0] shifted  = {s_normal, low[6:0], 14'd0} >> (distance > 8'd11 ? 4'd11 : distance[3:0]);
    wire [10:0] addend   = {shifted[21:12], |shifted[11:0]};
    wire        special  = &high[14:7];
    wire        nan      = special & ((|high[6:0]) | ((&low[14:7]) & differ));
    wire        sign     = high[15];

    wire [10:0] augend1, addend1;
    wire [7:0]  exponent1;
    wire        sign1, differ1, special1, nan1;
    gfab_delay #(
        .BITS(34), .CYCLES(LATENCY >= 2 ? 1 : 0)
    ) u_shifted (
        .i_clk(i_clk), .i_rst(1'b0), .o_taps(), .i_data({augend, addend, exponent, sign, differ, special, nan}),
        .o_data({augend1, addend1, exponent1, sign1, differ1, special1, nan1})
    );

    // No less than 0, since the augend is no less than the addend.
    wire [11:0] total = {1'b0, augend1} + ({1'b0, addend1} ^ {12{differ1}}) + {11'd0, differ1};

    wire [11:0] total2;
    wire [7:0]  exponent2;
    wire        sign2, differ2, special2, nan2;
    gfab_delay #(
        .BITS(24), .CYCLES(LATENCY >= 3 ? 1 : 0)
    ) u_added (
        .i_clk(i_clk), .i_rst(1'b0), .o_taps(), .i_data({total, exponent1, sign1, differ1, special1, nan1}),
        .o_data({total2, exponent2, sign2, differ2, special2, nan2})
    );

    // Leading zeros, so many at most as the exponent is above the least: 0 is a carry.
    reg [3:0] zeros;
    integer   i;
    always @* begin
        zeros = 4'd12;
        for (i = 0; i < 12; i = i + 1)
            if (total2[i])
                zeros = 4'd11 - i[3:0];
    end
    wire [8:0]  raised   = {1'b0, exponent2} + 9'd1; // of a carry
    wire        deep     = {5'd0, zeros} >= raised;  // the result is subnormal
    wire [3:0]  left     = deep ? raised[3:0] - 4'd1 : zeros;
    wire [10:0] aligned  = total2[10:0] << left;
    wire [8:0]  exponent3 = deep ? 9'd0 : raised - {5'd0, zeros};
    // Without the leading one: the 7 bits of the fraction, and 4 by which to round.
    wire        up       = aligned[3] & (aligned[4] | (|aligned[2:0]));
    wire [15:0] rounded  = {exponent3, aligned[10:4]} + {15'd0, up}; // a carry goes on into the exponent
    wire        over     = rounded[15] | (&rounded[14:7]);
    wire        zero     = ~|total2;
    wire [15:0] sum      = nan2 ? 16'h7fc0
                         : special2 | over ? {sign2, 15'h7f80}
                         : zero ? {sign2 & ~differ2, 15'd0}
                         : {sign2, rounded[14:0]};

    gfab_delay #(
        .BITS(16), .CYCLES(LATENCY >= 3 ? LATENCY - 2 : LATENCY >= 1 ? 1 : 0)
    ) u_sum (
        .i_clk(i_clk), .i_rst(1'b0), .o_taps(), .i_data(sum), .o_data(o_sum)
    );
endmodule

`default_nettype wire
