@# SPDX-License-Identifier: MIT
@# Part of a protected fabric of streams: the ports of the fabric and its twin.
        .i_clk(i_clk), .i_rst({rst, i_rst}), .o_busy({twin_busy, o_busy}),
        .i_give_valid({give_valid, s_axis_tvalid}), .o_give_ready({twin_give_ready, s_axis_tready}),
        .i_give_data({give_data, s_axis_tdata}), .i_give_last({give_last, s_axis_tlast}),
        .o_take_valid({twin_take_valid, m_axis_tvalid}), .i_take_ready({take_ready, m_axis_tready}),
        .o_take_data({twin_take_data, m_axis_tdata}), .o_take_last({twin_take_last, m_axis_tlast}),
        .o_error({twin_overdue, overdue}), .o_late({twin_late, o_late}),
