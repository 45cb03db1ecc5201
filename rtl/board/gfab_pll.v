// SPDX-License-Identifier: MIT
//
// The fabric's clock out of a board's, by the PLL of the family that is defined: GFAB_PLL_ICE40, GFAB_PLL_ECP5 or
// GFAB_PLL_GOWIN. It runs at i_clk / DIVIDE * MULTIPLY / OUTPUT (iCE40), or i_clk / DIVIDE * MULTIPLY, where OUTPUT is
// the divider between oscillator and output, within the loop (the others). o_locked comes at any time. On the iCE40
// i_clk is the pin that belongs to the PLL. Where none is defined, in simulation, o_clk is i_clk.
`default_nettype none

module gfab_pll #(
    parameter DIVIDE   = 1,
    parameter MULTIPLY = 54,
    parameter OUTPUT   = 16,  // iCE40 and Gowin: a power of two
    parameter MHZ      = "12" // of i_clk
) (
    input  wire i_clk,
    output wire o_clk,
    output wire o_locked
);
    generate
        if (DIVIDE < 1 || MULTIPLY < 1 || OUTPUT < 1 || MHZ == "") begin : gen_bad_settings
            gfab_error_pll_settings_must_not_be_0 u_bad ();
        end
    endgenerate

`ifdef GFAB_PLL_ICE40
    localparam DIVR = DIVIDE - 1;
    localparam DIVF = MULTIPLY - 1;
    localparam DIVQ = $clog2(OUTPUT);
    SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"), .PLLOUT_SELECT("GENCLK"),
        .DIVR(DIVR[3:0]), .DIVF(DIVF[6:0]), .DIVQ(DIVQ[2:0]),
        .FILTER_RANGE(3'd1) // of phase detectors below 17 MHz
    ) u_pll (.PACKAGEPIN(i_clk), .PLLOUTCORE(o_clk), .LOCK(o_locked), .RESETB(1'b1), .BYPASS(1'b0));
`elsif GFAB_PLL_ECP5
    (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
        .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
        .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(OUTPUT), .CLKOP_CPHASE(OUTPUT / 2), .CLKOP_FPHASE(0),
        .CLKI_DIV(DIVIDE), .CLKFB_DIV(MULTIPLY), .FEEDBK_PATH("CLKOP")
    ) u_pll (
        .CLKI(i_clk), .CLKFB(o_clk), .CLKOP(o_clk), .LOCK(o_locked), .CLKINTFB(), .RST(1'b0), .STDBY(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
    );
`elsif GFAB_PLL_GOWIN
    rPLL #(
        .FCLKIN(MHZ), .IDIV_SEL(DIVIDE - 1), .FBDIV_SEL(MULTIPLY - 1), .ODIV_SEL(OUTPUT)
    ) u_pll (
        .CLKIN(i_clk), .CLKOUT(o_clk), .LOCK(o_locked), .CLKOUTP(), .CLKOUTD(), .CLKOUTD3(), .RESET(1'b0),
        .RESET_P(1'b0), .CLKFB(1'b0), .FBDSEL(6'b0), .IDSEL(6'b0), .ODSEL(6'b0), .PSDA(4'b0), .DUTYDA(4'b0),
        .FDLY(4'b0)
    );
`else
    assign o_clk    = i_clk;
    assign o_locked = 1'b1;
`endif
endmodule

`default_nettype wire
