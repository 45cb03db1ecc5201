@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// AXI4-Streams of @STREAMS@ hosts, a beat a cycle, of words of @LINK_BITS@ bits (@HOST_WORDS@): host h gives vectors at
// s_axis and takes them at m_axis, bit h, or bits [h*@BEAT_BITS@ +: @BEAT_BITS@] of tdata. Vectors may have any
// length and follow each other at once; those that hosts give for one operation have the same length.
//
@IF PROTECT@
// How to read this: there are two gfab_stream_tree, which do the same. Hosts see the fabric, u_fabric[0]; what they see
// of it is compared with its twin's, u_fabric[1], in every cycle. Tables say what is particular to each node and link,
// with number 0 in the last row. Node v is gen_node[v] in both; host h is node @HERE@ - @STREAMS@ + h. Link l is
// gen_link[l].
@ELSE@
// How to read this: gfab_stream_tree has all logic; tables say what is particular to each node and link, with number 0
// in the last row. Node v is u_fabric.gen_node[v]; host h is node @HERE@ - @STREAMS@ + h. Link l is gen_link[l].
@END@
`default_nettype none
`include "gfab_op.vh"
`include "gfab_trace.vh"

module @TOP@ #(
    parameter LIMIT = @LIMIT@ // cycles in which words wait and none moves, until o_error; @WAY@ or more, 0: no limit
) (
    input  wire i_clk,
    input  wire i_rst,  // synchronous
    output wire o_busy, // there are words on their way
    input  wire [@STREAMS@-1:0] s_axis_tvalid,
    output wire [@STREAMS@-1:0] s_axis_tready, // 0 of a host that gives nothing
    input  wire [@STREAMS@*@BEAT_BITS@-1:0] s_axis_tdata,
    input  wire [@STREAMS@-1:0] s_axis_tlast,
    output wire [@STREAMS@-1:0] m_axis_tvalid,
    input  wire [@STREAMS@-1:0] m_axis_tready,
    output wire [@STREAMS@*@BEAT_BITS@-1:0] m_axis_tdata,
    output wire [@STREAMS@-1:0] m_axis_tlast,
    // for test benches, where GFAB_TRACE is defined; bit 2 link + end: what each end puts out, whether it does, and
    // whether it would be taken
    `GFAB_TRACE_PORT(output wire [2*@WORD_LINKS@*@LINK_BITS@-1:0] o_trace_link)
    `GFAB_TRACE_PORT(output wire [2*@WORD_LINKS@-1:0] o_trace_drive)
    `GFAB_TRACE_PORT(output wire [2*@WORD_LINKS@-1:0] o_trace_ready)
    // until the reset
@IF PROTECT@
    output wire o_error, // the time limit is over, or a bit flipped: two cycles behind a wrong beat at the latest
    output wire [@STREAMS@-1:0] o_fault, // then: of these hosts
@ELSE@
    output wire o_error, // the time limit is over
@END@
    output wire [@STREAMS@-1:0] o_late, // where the limit is over: hosts that were waited for
    output wire o_uneven // vectors of one operation had different lengths
);
@IF PROTECT@
@INCLUDE gen/templates/twins/stream_wires.v@
    wire [2*@WORD_LINKS@*@LINK_BITS@-1:0] twin_link;
    wire [2*@WORD_LINKS@-1:0] twin_drive, twin_ready;
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
@IF PROTECT@
    ) u_fabric [1:0] (
@INCLUDE gen/templates/twins/stream_ports.v@
        .o_uneven({twin_uneven, o_uneven}),
        .o_trace_link(`GFAB_TRACED_TWINS(twin_link, o_trace_link)),
        .o_trace_drive(`GFAB_TRACED_TWINS(twin_drive, o_trace_drive)),
        .o_trace_ready(`GFAB_TRACED_TWINS(twin_ready, o_trace_ready))
    );
@ELSE@
    ) u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .o_busy(o_busy),
        .i_give_valid(s_axis_tvalid), .o_give_ready(s_axis_tready), .i_give_data(s_axis_tdata),
        .i_give_last(s_axis_tlast), .o_take_valid(m_axis_tvalid), .i_take_ready(m_axis_tready),
        .o_take_data(m_axis_tdata), .o_take_last(m_axis_tlast), .o_error(o_error), .o_late(o_late),
        .o_uneven(o_uneven), .o_trace_link(`GFAB_TRACED(o_trace_link)), .o_trace_drive(`GFAB_TRACED(o_trace_drive)),
        .o_trace_ready(`GFAB_TRACED(o_trace_ready))
    );
@END@
endmodule

`default_nettype wire
