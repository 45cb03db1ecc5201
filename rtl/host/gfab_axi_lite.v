// SPDX-License-Identifier: MIT
//
// AXI4-Lite in front of gfab_registers. The ports keep the names of the standard. A write that the registers refuse is
// answered SLVERR, all else OKAY. awprot and arprot are left out, as all may do all.
//
// The address of a write is taken first, its data once it is there and the answer before is taken. No output depends on
// an input of the same cycle. Latency: a cycle from the data to bvalid, one from the address to rvalid.
//
// 26 ports: AXI4-Lite has 17.
`default_nettype none

module gfab_axi_lite #(
    parameter ADDRESS_BITS = 7 // of a byte's address
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire                    s_axil_awvalid,
    output wire                    s_axil_awready,
    input  wire [ADDRESS_BITS-1:0] s_axil_awaddr,
    input  wire                    s_axil_wvalid,
    output wire                    s_axil_wready,
    input  wire [31:0]             s_axil_wdata,
    input  wire [3:0]              s_axil_wstrb,
    output wire                    s_axil_bvalid,
    input  wire                    s_axil_bready,
    output wire [1:0]              s_axil_bresp,
    input  wire                    s_axil_arvalid,
    output wire                    s_axil_arready,
    input  wire [ADDRESS_BITS-1:0] s_axil_araddr,
    output wire                    s_axil_rvalid,
    input  wire                    s_axil_rready,
    output wire [31:0]             s_axil_rdata,
    output wire [1:0]              s_axil_rresp,
    // gfab_registers
    output wire [ADDRESS_BITS-1:2] o_read_address,
    input  wire [31:0]             i_read_data,
    output wire                    o_write,
    output wire [ADDRESS_BITS-1:2] o_write_address,
    output wire [31:0]             o_write_data,
    output wire [3:0]              o_write_strobe,
    input  wire                    i_write_refused
);
    reg                    address_q; // of a write: taken
    reg [ADDRESS_BITS-1:2] write_address_q;
    reg                    b_q;
    reg                    refused_q;
    reg                    r_q;
    reg [31:0]             data_q;
    wire                   takes_data = address_q & ~b_q;

    always @(posedge i_clk)
        if (i_rst) begin
            address_q <= 1'b0;
            b_q       <= 1'b0;
            r_q       <= 1'b0;
        end else begin
            address_q <= address_q ? ~o_write : s_axil_awvalid;
            b_q       <= o_write | (b_q & ~s_axil_bready);
            r_q       <= r_q ? ~s_axil_rready : s_axil_arvalid;
        end

    always @(posedge i_clk) begin
        if (~address_q)
            write_address_q <= s_axil_awaddr[ADDRESS_BITS-1:2];
        if (o_write)
            refused_q <= i_write_refused;
        if (~r_q)
            data_q <= i_read_data;
    end

    assign s_axil_awready  = ~address_q;
    assign s_axil_wready   = takes_data;
    assign s_axil_bvalid   = b_q;
    assign s_axil_bresp    = {refused_q, 1'b0};
    assign s_axil_arready  = ~r_q;
    assign s_axil_rvalid   = r_q;
    assign s_axil_rdata    = data_q;
    assign s_axil_rresp    = 2'b0;
    assign o_read_address  = s_axil_araddr[ADDRESS_BITS-1:2];
    assign o_write         = takes_data & s_axil_wvalid;
    assign o_write_address = write_address_q;
    assign o_write_data    = s_axil_wdata;
    assign o_write_strobe  = s_axil_wstrb;
endmodule

`default_nettype wire
