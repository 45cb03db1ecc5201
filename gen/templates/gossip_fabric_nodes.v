@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// @FABRIC@ with ports of their own for each node, in place of vectors over all. Wiring alone; traces are left out.
`default_nettype none

module @FABRIC@_nodes #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // as in @FABRIC@
) (
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 i_clk CLK",
       X_INTERFACE_PARAMETER = "ASSOCIATED_RESET i_rst" *)
    input  wire i_clk,
    (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 i_rst RST", X_INTERFACE_PARAMETER = "POLARITY ACTIVE_HIGH" *)
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a gossip runs
@FOR CHOICE@
    @LINE@
@END@
@FOR ALL_NODES@
@FOR HOST@
    @DIRECTION@ @EACH@@NAME@_@PORT@,@REMARK@
@END@
@FOR FAULT@
    @DIRECTION@ @EACH@@NAME@_@PORT@,
@END@
@END@
@FOR ERROR@
    @LINE@
@END@
@FOR REPORT@
    @LINE@
@END@
    output wire o_busy,
    output wire o_done
);
@FOR HOST@
    wire @RANGE@@WIRE@;
@END@
@FOR FAULT@
    wire @RANGE@@WIRE@;
@END@
@FOR ALL_NODES@
@FOR HOST@
    @OF_NODE@;
@END@
@FOR FAULT@
    @OF_NODE@;
@END@
@END@
    @FABRIC@ #(.ROM_FOLDER(ROM_FOLDER)) u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(o_busy), .o_done(o_done),
@FILL CHOICE@
        .@NAME@(@NAME@),
@END@
@FILL FAULT@
        .@NAME@(@WIRE@),
@END@
@FILL ERROR@
        .@NAME@(@NAME@),
@END@
@FILL REPORT@
        .@NAME@(@NAME@),
@END@
@FILL UNSEEN@
        .@NAME@(),
@END@
@FILL SECOND@
        .@NAME@(),
@END@
@FILL HOST@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
endmodule

`default_nettype wire
