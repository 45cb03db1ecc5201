// SPDX-License-Identifier: MIT
//
// One end of a cable between two chips with clocks of their own. Each way it has a clock, valid, and a wire for each
// bit of the links that cross. What leaves changes by this chip's clock, which goes along turned over, so that it rises
// in the middle of a bit. What comes is taken into the pads by the clock that came with it, and written to a buffer
// entry by entry while valid is 1; this chip's clock reads the entries in order, as gfab_chip_control says, when
// they have been there for a cycle or more: docs/reference/own-clocks.md.
//
// Beside each entry is its phase: 0, and the other one at each time through the buffer; while valid is 0 all are 1.
// An entry that is read with the wrong phase was not written in time, or written over: o_fault, a cycle later.
//
// GFAB_PAD_ICE40 defined: SB_IO. Otherwise registers that other parts' tools move into the pads; there the clock
// should leave by the pad's double-rate register, too. GFAB_UNSETTLED is for test benches: the delay for which an entry
// is x after it was written.
`default_nettype none
`include "gfab_bits.vh"

module gfab_cable #(
    parameter WIRES   = 2,  // bits each way, 1 or more
    parameter ENTRIES = 10  // of the buffer, 2 or more
) (
    input  wire                           i_clk,
    input  wire [WIRES-1:0]               i_link,
    output wire [WIRES-1:0]               o_link,
    // gfab_chip_control's
    input  wire                           i_valid, // before the pad's register
    input  wire                           i_read,
    input  wire [`GFAB_BITS(ENTRIES)-1:0] i_entry,
    input  wire                           i_phase,
    output wire                           o_fault,
    // pads
    output wire                           o_pad_clk,
    output wire                           o_pad_valid,
    output wire [WIRES-1:0]               o_pad,
    input  wire                           i_pad_clk,
    input  wire                           i_pad_valid,
    input  wire [WIRES-1:0]               i_pad
);
    localparam ENTRY_BITS = `GFAB_BITS(ENTRIES);
    localparam LAST       = ENTRIES - 1;

    wire [WIRES:0]   out = {i_valid, i_link};
    wire [WIRES-1:0] in; // of the pads' registers

    genvar b;
    generate
        for (b = 0; b <= WIRES; b = b + 1) begin : gen_out
            wire pad;
`ifdef GFAB_PAD_ICE40
            // Output registered (0101), no input (01).
            SB_IO #(
                .PIN_TYPE(6'b0101_01)
            ) u_out (
                .PACKAGE_PIN(pad), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(1'b0), .OUTPUT_CLK(i_clk),
                .OUTPUT_ENABLE(1'b0), .D_OUT_0(out[b]), .D_OUT_1(1'b0), .D_IN_0(), .D_IN_1()
            );
`else
            (* IOB = "TRUE" *) reg out_q;
            always @(posedge i_clk)
                out_q <= out[b];
            assign pad = out_q;
`endif
            if (b < WIRES) begin : gen_data
                assign o_pad[b] = pad;
            end else begin : gen_valid
                assign o_pad_valid = pad;
            end
        end
        for (b = 0; b < WIRES; b = b + 1) begin : gen_in
`ifdef GFAB_PAD_ICE40
            // No output (0000), input registered (00).
            SB_IO #(
                .PIN_TYPE(6'b0000_00)
            ) u_in (
                .PACKAGE_PIN(i_pad[b]), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(i_pad_clk), .OUTPUT_CLK(1'b0),
                .OUTPUT_ENABLE(1'b0), .D_OUT_0(1'b0), .D_OUT_1(1'b0), .D_IN_0(in[b]), .D_IN_1()
            );
`else
            (* IOB = "TRUE" *) reg in_q;
            always @(posedge i_pad_clk)
                in_q <= i_pad[b];
            assign in[b] = in_q;
`endif
        end
    endgenerate

`ifdef GFAB_PAD_ICE40
    // Output of double rate (0100): 0 while the clock is 1, and 1 while it is 0.
    SB_IO #(
        .PIN_TYPE(6'b0100_01)
    ) u_clk (
        .PACKAGE_PIN(o_pad_clk), .LATCH_INPUT_VALUE(1'b0), .INPUT_CLK(1'b0), .OUTPUT_CLK(i_clk), .OUTPUT_ENABLE(1'b0),
        .D_OUT_0(1'b0), .D_OUT_1(1'b1), .D_IN_0(), .D_IN_1()
    );
`else
    assign o_pad_clk = ~i_clk;
`endif

    // The other chip's clock.
    reg                  valid_q;
    reg [ENTRY_BITS-1:0] entry_q;
    reg                  phase_q;
    reg [WIRES-1:0]      buffer_q [0:ENTRIES-1];
    reg [ENTRIES-1:0]    phases_q;

    always @(posedge i_pad_clk)
        valid_q <= i_pad_valid;

    always @(posedge i_pad_clk)
        if (~valid_q) begin
            entry_q <= {ENTRY_BITS{1'b0}};
            phase_q <= 1'b0;
        end else begin
            entry_q <= (entry_q == LAST[ENTRY_BITS-1:0]) ? {ENTRY_BITS{1'b0}} : entry_q + 1'b1;
            phase_q <= phase_q ^ (entry_q == LAST[ENTRY_BITS-1:0]);
        end

    always @(posedge i_pad_clk)
        if (~valid_q)
            phases_q <= {ENTRIES{1'b1}};
        else begin
`ifdef GFAB_UNSETTLED
            buffer_q[entry_q] <= {WIRES{1'bx}};
            phases_q[entry_q] <= 1'bx;
            buffer_q[entry_q] <= `GFAB_UNSETTLED in;
            phases_q[entry_q] <= `GFAB_UNSETTLED phase_q;
`else
            buffer_q[entry_q] <= in;
            phases_q[entry_q] <= phase_q;
`endif
        end

    // This chip's.
    reg [WIRES-1:0] link_q;
    reg             read_q;
    reg             seen_q;
    reg             right_q;

    always @(posedge i_clk) begin
        link_q  <= i_read ? buffer_q[i_entry] : {WIRES{1'b0}};
        read_q  <= i_read;
        seen_q  <= phases_q[i_entry];
        right_q <= i_phase;
    end

    assign o_link  = link_q;
    assign o_fault = read_q & (seen_q ^ right_q);
endmodule

`default_nettype wire
