@# SPDX-License-Identifier: MIT
@# Part of a protected fabric of streams: what it and its twin get and give, {the twin's, the fabric's}.
    wire rst, overdue;
    wire [@STREAMS@-1:0] give_valid, give_last, take_ready;
    wire [@STREAMS@*@BEAT_BITS@-1:0] give_data;
    wire [@STREAMS@-1:0] twin_give_ready, twin_take_valid, twin_take_last, twin_late;
    wire [@STREAMS@*@BEAT_BITS@-1:0] twin_take_data;
    wire twin_busy, twin_overdue;
    gfab_apart #(
        .BITS(1 + 3 * @STREAMS@ + @STREAMS@ * @BEAT_BITS@)
    ) u_apart (
        .i_wires({i_rst, s_axis_tvalid, s_axis_tlast, m_axis_tready, s_axis_tdata}),
        .o_wires({rst, give_valid, give_last, take_ready, give_data})
    );
    gfab_twin_check #(
        .PORTS(@STREAMS@), .BITS(@BEAT_BITS@), .REGISTERED(1)
    ) u_check (
        .i_clk(i_clk), .i_rst(i_rst), .i_ready({twin_give_ready, s_axis_tready}),
        .i_valid({twin_take_valid, m_axis_tvalid}), .i_last({twin_take_last, m_axis_tlast}),
        .i_data({twin_take_data, m_axis_tdata}), .o_fault(o_fault)
    );
    assign o_error = overdue | (|o_fault);

