@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// AXI4-Streams of @STREAMS@ hosts, a beat a cycle, of words of @LINK_BITS@ bits (@HOST_WORDS@): host h gives vectors at
// s_axis and takes them at m_axis, bit h, or bits [h*@BEAT_BITS@ +: @BEAT_BITS@] of tdata. Vectors may have any
// length and follow each other at once; those that hosts give for one operation have the same length.
//
// How to read this: gfab_stream_tree has all logic; tables say what is particular to each node and link, with number 0
// in the last row. Node v is gen_node[v] of u_fabric; host h is node @HERE@ - @STREAMS@ + h. Link l is gen_link[l].
@AND_ITS_TWIN@`default_nettype none
`include "gfab_op.vh"
`include "gfab_trace.vh"

module @TOP@ #(
    parameter LIMIT = @LIMIT@ // cycles in which words wait and none moves, until o_error; @WAY@ or more, 0: no limit
) (
    input  wire i_clk,
    input  wire i_rst,  // synchronous
    output wire o_busy, // there are words on their way
@FOR STREAM@
    @LINE@
@END@
@FOR WORD_TRACE@
    @LINE@
@END@
@FOR STREAM_ERROR@
    @ABOVE@@DECLARED@@COMMA@@REMARK@
@END@
);
@IF PROTECT@
@INCLUDE gen/templates/twins/stream_wires.v@
@FOR WORD_TRACE@
    wire @RANGE@twin_@WIRE@;
@END@
    wire twin_uneven;
@END@
    gfab_stream_tree #(
        .NODES(@HERE@), .HOSTS(@STREAMS@), .LINKS(@JOINED_LINKS@), .LANES(@LANES@), .LINK_BITS(@LINK_BITS@),
        .WORDS(@HOST_WORDS@), .QUEUE_BITS(@QUEUE_BITS@), .FLOWS(@FLOW_COUNT@),
        .OPERATOR(`GFAB_OPERATOR_@OPERATOR_NAME@),
        .OPERATOR_CYCLES(@OPERATOR_CYCLES@), .HALF(@ALTERNATES@), .LIMIT(LIMIT),
        .WAY(@WAY@),
        // Columns: node and lane of end 0, node and lane of end 1 // the link
        .LINK({
@FOR LINKS@
            @ROW@@COMMA@ // @LINK@
@END@
        }),
@IF TURNS@
        // Of each node: words that it takes by turns, or combines, and where in ORDER it says over which lanes.
        .TURNS({
@FOR NODES@
            @TURN_ROW@@COMMA@ // @NODE@
@END@
        }),
        .DIGITS(@TURNS@),
        .ORDER({
@FOR NODES@
            @ORDER@@COMMA@ // @NODE@
@END@
        }),
@END@
        // Of each node: lanes that go out and come in of its flows, the first one last; lanes that have a link, highest
        // first, before them those of hosts' further words; behind it their other ends.
        .NODE({
@FOR NODES@
            @FLOWS@@COMMA@ // @NODE@: @PEERS@
@END@
        })
    ) @INSTANCE@ (
@FILL JOINED@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
endmodule

`default_nettype wire
