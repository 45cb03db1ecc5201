// SPDX-License-Identifier: MIT
//
// One end of a half-duplex link between two chips that have a common clock: tri-state pads, one
// wire a bit. What leaves, the enable, and what arrives are registered in the pad, so that LATENCY cycles pass from
// i_link at one end to o_link at the other, two of them in the pads and the rest behind the input. i_drive is the
// lane's: in a cycle with i_drive = 1 the lane has a flit on i_link, and the pads drive in the next.
//
// The ends must leave the wire alone for 2 LATENCY cycles between one driving and the other: gaps in the program,
// checked when it is generated (docs/reference/fabric-timing.md, "Links between chips"). What o_link holds while the
// other end does not drive is of no use. The pads have no reset: the lane's ends what they drive a cycle after its own.
//
// GFAB_PAD_ICE40 defined: SB_IO. Otherwise registers that other parts' tools move into the pads. GFAB_PAD_DELAY is for
// test benches: the delays of the pads' outputs.
`default_nettype none
`ifndef GFAB_PAD_DELAY
`define GFAB_PAD_DELAY
`endif

module gfab_pad_link #(
    parameter LINK_BITS = 2, // 1 or more
    parameter LATENCY   = 2  // cycles, 2 .. 15
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire [LINK_BITS-1:0] i_link,
    input  wire                 i_drive,
    output wire [LINK_BITS-1:0] o_link,
    inout  wire [LINK_BITS-1:0] io_pad,
    output wire                 o_trace_drive // for test benches: the pads drive
);
    wire [LINK_BITS-1:0] in; // of the pads' registers
    reg                  drive_q;

    always @(posedge i_clk)
        drive_q <= i_drive;
    assign o_trace_drive = drive_q;

    genvar b;
    generate
        if (LATENCY < 2) begin : gen_bad_latency
            gfab_error_latency_must_be_2_or_more u_bad ();
        end
        for (b = 0; b < LINK_BITS; b = b + 1) begin : gen_pad
`ifdef GFAB_PAD_ICE40
            // Output and enable registered (1101), input registered (00); pulled up while nobody drives.
            SB_IO #(
                .PIN_TYPE(6'b1101_00), .PULLUP(1'b1)
            ) u_io (
                .PACKAGE_PIN(io_pad[b]), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(i_clk), .OUTPUT_CLK(i_clk),
                .OUTPUT_ENABLE(i_drive), .D_OUT_0(i_link[b]), .D_OUT_1(1'b0), .D_IN_0(in[b]), .D_IN_1()
            );
`else
            (* IOB = "TRUE" *) reg out_q;
            (* IOB = "TRUE" *) reg enable_q;
            (* IOB = "TRUE" *) reg in_q;
            always @(posedge i_clk) begin
                out_q    <= i_link[b];
                enable_q <= i_drive;
                in_q     <= io_pad[b];
            end
            assign `GFAB_PAD_DELAY io_pad[b] = enable_q ? out_q : 1'bz;
            assign in[b] = in_q;
`endif
        end
    endgenerate

    gfab_delay #(.BITS(LINK_BITS), .CYCLES(LATENCY < 2 ? 0 : LATENCY - 2), .RESET(1)) u_rest (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(in), .o_data(o_link), .o_taps()
    );
endmodule

`default_nettype wire
