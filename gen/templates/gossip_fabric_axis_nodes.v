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
    output wire o_busy, // a gossip runs
    output wire o_error, // until i_clear: nothing moves
    output wire [2:0] o_status, // the last error: 1 a token late, 2 a packet @LONG@, 3 stuck, 4 the fabric's own
    output wire [@NODES@-1:0] o_error_nodes, // 1 and 2: of these nodes
@IF COMMANDS@
    // what is played next, a beat for each collective: {i_operator, i_program} of @FABRIC@, 0 where it has it not
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s_command TVALID" *)
    input  wire s_command_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s_command TREADY" *)
    output wire s_command_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s_command TDATA" *)
    input  wire [@COMMAND_TDATA_BITS@-1:0] s_command_tdata,
@END@
@FOR ALL_NODES@
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s@PORT@_axis TVALID" *)
    input  wire s@PORT@_axis_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s@PORT@_axis TREADY" *)
    output wire s@PORT@_axis_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s@PORT@_axis TDATA" *)
    input  wire [@TDATA_BITS@-1:0] s@PORT@_axis_tdata,
@IF TKEEP@
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s@PORT@_axis TKEEP" *)
    input  wire [@TDATA_BYTES@-1:0] s@PORT@_axis_tkeep, // not looked at: a beat is whole
@END@
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 s@PORT@_axis TLAST" *)
    input  wire s@PORT@_axis_tlast,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 m@PORT@_axis TVALID" *)
    output wire m@PORT@_axis_tvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 m@PORT@_axis TREADY" *)
    input  wire m@PORT@_axis_tready,
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 m@PORT@_axis TDATA" *)
    output wire [@TDATA_BITS@-1:0] m@PORT@_axis_tdata,
@IF TKEEP@
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 m@PORT@_axis TKEEP" *)
    output wire [@TDATA_BYTES@-1:0] m@PORT@_axis_tkeep,
@END@
    (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 m@PORT@_axis TLAST" *)
    output wire m@PORT@_axis_tlast,
@END@
    input  wire i_clear // begin anew after an error; may be tied to 1
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
@IF COMMANDS@
        .s_command_tvalid(s_command_tvalid), .s_command_tready(s_command_tready),
        .s_command_tdata(s_command_tdata[@COMMAND_BITS@-1:0]),
@END@
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
        .s_axis_tlast(s_axis_tlast), .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata), .m_axis_tlast(m_axis_tlast)
    );
endmodule

`default_nettype wire
