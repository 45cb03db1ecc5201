@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// AXI4-Streams of @STREAMS@ hosts, a flit of @LINK_BITS@ bits a beat: host h gives vectors at s_axis and takes them at
// m_axis, bit h, or bits [h*@LINK_BITS@ +: @LINK_BITS@] of tdata. Vectors may have any length and follow each other
// at once; those that hosts give for one operation have the same length. A block is @CYCLES_PER_ROUND@ beats; README.md
// says what comes of it, and when.
//
// How to read this: gfab_fabric has all logic; tables say what is particular to each node and link, with number 0 in
// the last row. Node v is gen_node[v] of u_fabric; host h is node @HERE@ - @STREAMS@ + h. Link l is gen_link[l].
@AND_ITS_TWIN@`default_nettype none
`include "gfab_op.vh"
`include "gfab_trace.vh"

module @TOP@ #(
    // cycles in which something waits and no host gives or takes, until o_error; @WAY@ or more, 0: no limit
    parameter LIMIT = @LIMIT@,
    parameter ROM_FOLDER = "@ROM_FOLDER@" // @FIND_ROMS@
) (
    input  wire i_clk,
    input  wire i_rst,  // synchronous
    output wire o_busy, // there are vectors on their way
@FOR STREAM@
    @LINE@
@END@
@FOR TRACE@
    @LINE@
@END@
@FOR STREAM_ERROR@
    @ABOVE@@DECLARED@@COMMA@@REMARK@
@END@
);
@IF PROTECT@
@INCLUDE gen/templates/twins/stream_wires.v@
@FOR TRACE@
    wire @RANGE@twin_@WIRE@;
@END@
    wire twin_uneven;
@END@
    gfab_fabric #(
        .LIMIT(LIMIT), .WAY(@WAY@),
@INCLUDE gen/templates/fabric_tables.v@
    ) @INSTANCE@ (
@FILL JOINED@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
endmodule

`default_nettype wire
