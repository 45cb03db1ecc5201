// SPDX-License-Identifier: MIT
// Four cores on a 2x2 mesh, each with a stream to its node and one from it.
`default_nettype none

module four_cores (
    input  wire         i_clk,
    input  wire         i_rst,
    output wire [3:0]   o_valid,   // of each core
    output wire [127:0] o_own,
    output wire [127:0] o_largest,
    output wire         o_error
);
    wire        up0_valid, up0_ready, up0_last, down0_valid, down0_ready, down0_last;
    wire [31:0] up0_data, down0_data;
    core #(
        .SEED(32'd100000007)
    ) u_core0 (
        .i_clk(i_clk), .i_rst(i_rst),
        .m_axis_tvalid(up0_valid), .m_axis_tready(up0_ready), .m_axis_tdata(up0_data), .m_axis_tlast(up0_last),
        .s_axis_tvalid(down0_valid), .s_axis_tready(down0_ready),
        .s_axis_tdata(down0_data), .s_axis_tlast(down0_last),
        .o_valid(o_valid[0]), .o_own(o_own[0+:32]), .o_largest(o_largest[0+:32])
    );

    wire        up1_valid, up1_ready, up1_last, down1_valid, down1_ready, down1_last;
    wire [31:0] up1_data, down1_data;
    core #(
        .SEED(32'd200000007)
    ) u_core1 (
        .i_clk(i_clk), .i_rst(i_rst),
        .m_axis_tvalid(up1_valid), .m_axis_tready(up1_ready), .m_axis_tdata(up1_data), .m_axis_tlast(up1_last),
        .s_axis_tvalid(down1_valid), .s_axis_tready(down1_ready),
        .s_axis_tdata(down1_data), .s_axis_tlast(down1_last),
        .o_valid(o_valid[1]), .o_own(o_own[32+:32]), .o_largest(o_largest[32+:32])
    );

    wire        up2_valid, up2_ready, up2_last, down2_valid, down2_ready, down2_last;
    wire [31:0] up2_data, down2_data;
    core #(
        .SEED(32'd300000007)
    ) u_core2 (
        .i_clk(i_clk), .i_rst(i_rst),
        .m_axis_tvalid(up2_valid), .m_axis_tready(up2_ready), .m_axis_tdata(up2_data), .m_axis_tlast(up2_last),
        .s_axis_tvalid(down2_valid), .s_axis_tready(down2_ready),
        .s_axis_tdata(down2_data), .s_axis_tlast(down2_last),
        .o_valid(o_valid[2]), .o_own(o_own[64+:32]), .o_largest(o_largest[64+:32])
    );

    wire        up3_valid, up3_ready, up3_last, down3_valid, down3_ready, down3_last;
    wire [31:0] up3_data, down3_data;
    core #(
        .SEED(32'd400000007)
    ) u_core3 (
        .i_clk(i_clk), .i_rst(i_rst),
        .m_axis_tvalid(up3_valid), .m_axis_tready(up3_ready), .m_axis_tdata(up3_data), .m_axis_tlast(up3_last),
        .s_axis_tvalid(down3_valid), .s_axis_tready(down3_ready),
        .s_axis_tdata(down3_data), .s_axis_tlast(down3_last),
        .o_valid(o_valid[3]), .o_own(o_own[96+:32]), .o_largest(o_largest[96+:32])
    );

    gather_axis_nodes u_gather (
        .i_clk(i_clk), .i_rst(i_rst), .i_clear(1'b0),
        .o_busy(), .o_error(o_error), .o_status(), .o_error_nodes(),
        .s00_axis_tvalid(up0_valid), .s00_axis_tready(up0_ready),
        .s00_axis_tdata(up0_data), .s00_axis_tlast(up0_last),
        .m00_axis_tvalid(down0_valid), .m00_axis_tready(down0_ready),
        .m00_axis_tdata(down0_data), .m00_axis_tlast(down0_last),
        .s01_axis_tvalid(up1_valid), .s01_axis_tready(up1_ready),
        .s01_axis_tdata(up1_data), .s01_axis_tlast(up1_last),
        .m01_axis_tvalid(down1_valid), .m01_axis_tready(down1_ready),
        .m01_axis_tdata(down1_data), .m01_axis_tlast(down1_last),
        .s02_axis_tvalid(up2_valid), .s02_axis_tready(up2_ready),
        .s02_axis_tdata(up2_data), .s02_axis_tlast(up2_last),
        .m02_axis_tvalid(down2_valid), .m02_axis_tready(down2_ready),
        .m02_axis_tdata(down2_data), .m02_axis_tlast(down2_last),
        .s03_axis_tvalid(up3_valid), .s03_axis_tready(up3_ready),
        .s03_axis_tdata(up3_data), .s03_axis_tlast(up3_last),
        .m03_axis_tvalid(down3_valid), .m03_axis_tready(down3_ready),
        .m03_axis_tdata(down3_data), .m03_axis_tlast(down3_last)
    );
endmodule

`default_nettype wire
