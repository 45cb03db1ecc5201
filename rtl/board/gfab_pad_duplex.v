// SPDX-License-Identifier: MIT
//
// One end of a full-duplex link between two chips that have a common clock: a pad that only drives and one that only
// samples for each bit. What leaves and what arrives are registered in the pads, so that LATENCY cycles pass from
// i_link at one end to o_link at the other, two of them in the pads and the rest behind the input. Nothing is ever
// turned round. The pads have no reset: the lane's ends what they drive a cycle after its own.
//
// GFAB_PAD_ICE40 defined: SB_IO. Otherwise registers that other parts' tools move into the pads.
`default_nettype none

module gfab_pad_duplex #(
    parameter LINK_BITS = 2, // 1 or more
    parameter LATENCY   = 2  // cycles, 2 .. 15
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire [LINK_BITS-1:0] i_link,
    output wire [LINK_BITS-1:0] o_link,
    output wire [LINK_BITS-1:0] o_pad,
    input  wire [LINK_BITS-1:0] i_pad
);
    wire [LINK_BITS-1:0] in; // of the pads' registers

    genvar b;
    generate
        if (LATENCY < 2) begin : gen_bad_latency
            gfab_error_latency_must_be_2_or_more u_bad ();
        end
        for (b = 0; b < LINK_BITS; b = b + 1) begin : gen_pad
`ifdef GFAB_PAD_ICE40
            // Output registered (0101), no input (01); no output (0000), input registered (00).
            SB_IO #(
                .PIN_TYPE(6'b0101_01)
            ) u_out (
                .PACKAGE_PIN(o_pad[b]), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(1'b0), .OUTPUT_CLK(i_clk),
                .OUTPUT_ENABLE(1'b0), .D_OUT_0(i_link[b]), .D_OUT_1(1'b0), .D_IN_0(), .D_IN_1()
            );
            SB_IO #(
                .PIN_TYPE(6'b0000_00)
            ) u_in (
                .PACKAGE_PIN(i_pad[b]), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(i_clk), .OUTPUT_CLK(1'b0),
                .OUTPUT_ENABLE(1'b0), .D_OUT_0(1'b0), .D_OUT_1(1'b0), .D_IN_0(in[b]), .D_IN_1()
            );
`else
            (* IOB = "TRUE" *) reg out_q;
            (* IOB = "TRUE" *) reg in_q;
            always @(posedge i_clk) begin
                out_q <= i_link[b];
                in_q  <= i_pad[b];
            end
            assign o_pad[b] = out_q;
            assign in[b]    = in_q;
`endif
        end
    endgenerate

    gfab_delay #(.BITS(LINK_BITS), .CYCLES(LATENCY < 2 ? 0 : LATENCY - 2), .RESET(1)) u_rest (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(in), .o_data(o_link), .o_taps()
    );
endmodule

`default_nettype wire
