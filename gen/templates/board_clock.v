@# SPDX-License-Identifier: MIT
@# What the two board tops have in common: clk, the fabric's clock, rst, and led, which drives o_led.
    wire clk, locked, rst;
    wire [7:0] led; // 1: on
@IF PLL@
    gfab_pll #(.DIVIDE(@PLL@), .MULTIPLY(@PLL_MULTIPLY@), .OUTPUT(@PLL_OUTPUT@), .MHZ("@CLOCK_MHZ@")) u_pll (
        .i_clk(i_clk), .o_clk(clk), .o_locked(locked)
    );
@ELSE@
    assign clk    = i_clk;
    assign locked = 1'b1;
@END@
    gfab_reset #(.CYCLES(@RESET_CYCLES@)) u_reset (.i_clk(clk), .i_locked(locked), .o_rst(rst));
    wire unused_leds = ^led; // of more than the board has
    assign o_led = @LED_ON@led[@LEDS@-1:0];
