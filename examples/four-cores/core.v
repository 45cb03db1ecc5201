// SPDX-License-Identifier: MIT
// A core that knows a number and wants to know all: it sends its own, takes the packet of all of them, and says whether
// its own is the largest. Then it makes another number, and so on.
`default_nettype none

module core #(
    parameter [31:0] SEED = 1 // not 0
) (
    input  wire        i_clk,
    input  wire        i_rst,
    // its own number: one beat
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire        m_axis_tlast,
    // everybody's: a packet of a beat for each node
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    // once a packet is there
    output reg         o_valid,
    output reg  [31:0] o_own,
    output reg  [31:0] o_largest
);
    reg [31:0] own;
    reg [31:0] largest;
    reg        sent;

    assign m_axis_tvalid = !sent;
    assign m_axis_tdata  = own;
    assign m_axis_tlast  = 1'b1;
    assign s_axis_tready = 1'b1;

    wire [31:0] so_far = s_axis_tdata > largest ? s_axis_tdata : largest;

    always @(posedge i_clk) begin
        o_valid <= 1'b0;
        if (m_axis_tvalid && m_axis_tready)
            sent <= 1'b1;
        if (s_axis_tvalid) begin
            largest <= so_far;
            if (s_axis_tlast) begin
                o_valid   <= 1'b1;
                o_own     <= own;
                o_largest <= so_far;
                own       <= {own[30:0], own[31] ^ own[21] ^ own[1] ^ own[0]}; // the next number
                largest   <= 32'd0;
                sent      <= 1'b0;
            end
        end
        if (i_rst) begin
            own     <= SEED;
            largest <= 32'd0;
            sent    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
