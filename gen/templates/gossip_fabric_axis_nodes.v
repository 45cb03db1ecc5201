@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// @FABRIC@_axis with ports of their own for each node, tdata padded to whole bytes: what tools that bind AXI4-Stream
// interfaces by their names look for. Wiring alone.
`default_nettype none

module @FABRIC@_axis_nodes #(
    parameter ROM_FOLDER   = "@ROM_FOLDER@", // as in @FABRIC@
    parameter LOAD_LIMIT   = 0, // cycles from the first node's token to the last one's; 0: none
    parameter GOSSIP_LIMIT = @LONGEST_CYCLES@ // of a gossip; this much no program @PROGRAMS_AT@ can take; 0: none
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 i_clk CLK",
       X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF @BUS_INTERFACES@, ASSOCIATED_RESET i_rst" *)
    input  wire i_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 i_rst RST", X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire i_rst, // synchronous, active high
@FOR NODE_COMMAND@
    @INTERFACE@
    @ABOVE@@DECLARED@,@REMARK@
@END@
@FOR ALL_NODES@
@FOR NODE_AXIS@
    @INTERFACE@
    @DECLARED@,@REMARK@
@END@
@END@
@FOR STATUS@
    @DECLARED@@COMMA@@REMARK@
@END@
);
    wire [@NODES@-1:0] s_axis_tvalid, s_axis_tready, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tlast;
    wire [@NODES@*@TOKEN_BITS@-1:0] s_axis_tdata, m_axis_tdata;
@FOR ALL_NODES@
    assign s_axis_tvalid[@NODE@] = s@PORT@_axis_tvalid;
    assign s@PORT@_axis_tready = s_axis_tready[@NODE@];
    assign s_axis_tdata[@NODE@*@TOKEN_BITS@+:@TOKEN_BITS@] = s@PORT@_axis_tdata[@TOKEN_BITS@-1:0];
    assign s_axis_tlast[@NODE@] = s@PORT@_axis_tlast;
    assign m@PORT@_axis_tvalid = m_axis_tvalid[@NODE@];
    assign m_axis_tready[@NODE@] = m@PORT@_axis_tready;
    assign m@PORT@_axis_tdata[@TOKEN_BITS@-1:0] = m_axis_tdata[@NODE@*@TOKEN_BITS@+:@TOKEN_BITS@];
@IF TDATA_PADDING@
    assign m@PORT@_axis_tdata[@TDATA_BITS@-1:@TOKEN_BITS@] = @TDATA_PADDING@'d0;
@END@
@IF TKEEP@
    assign m@PORT@_axis_tkeep = {@TDATA_BYTES@{1'b1}};
@END@
    assign m@PORT@_axis_tlast = m_axis_tlast[@NODE@];
@END@
    @FABRIC@_axis #(
        .ROM_FOLDER(ROM_FOLDER), .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_axis (
        .i_clk(i_clk), .i_rst(i_rst), .o_busy(o_busy), .o_error(o_error), .o_status(o_status),
        .o_error_nodes(o_error_nodes), .i_clear(i_clear),
@FILL NODE_COMMAND@
        .@NAME@(@WIRE@),
@END@
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
        .s_axis_tlast(s_axis_tlast), .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata), .m_axis_tlast(m_axis_tlast)
    );
endmodule

`default_nettype wire
