@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// AXI4-Streams of @STREAMS@ hosts, a flit of @LINK_BITS@ bits a beat: host h gives vectors at s_axis and takes them at
// m_axis, bit h, or bits [h*@LINK_BITS@ +: @LINK_BITS@] of tdata. Vectors may have any length and follow each other
// at once; those that hosts give for one operation have the same length. A block is @CYCLES_PER_ROUND@ beats; README.md
// says what comes of it, and when.
//
@IF PROTECT@
// There are two gfab_fabric, which do the same. Hosts see the fabric, u_fabric[0]; what they see of it is compared with
// its twin's, u_fabric[1], in every cycle.
//
@END@
// How to read this: gfab_fabric has all logic; tables say what is particular to each node and link, with number 0 in
@IF PROTECT@
// the last row. Node v is gen_node[v] in both; host h is node @HERE@ - @STREAMS@ + h. Link l is gen_link[l].
@ELSE@
// the last row. Node v is u_fabric.gen_node[v]; host h is node @HERE@ - @STREAMS@ + h. Link l is gen_link[l].
@END@
`default_nettype none
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
    input  wire [@STREAMS@-1:0] s_axis_tvalid,
    output wire [@STREAMS@-1:0] s_axis_tready, // 0 of a host that gives nothing
    input  wire [@STREAMS@*@LINK_BITS@-1:0] s_axis_tdata,
    input  wire [@STREAMS@-1:0] s_axis_tlast,
    output wire [@STREAMS@-1:0] m_axis_tvalid,
    input  wire [@STREAMS@-1:0] m_axis_tready,
    output wire [@STREAMS@*@LINK_BITS@-1:0] m_axis_tdata,
    output wire [@STREAMS@-1:0] m_axis_tlast,
    // for test benches, where GFAB_TRACE is defined: what is on each link, or what each end puts out; bit 2 link + end:
    // that end drives; a received word is written to the node's store, at {slot, word}
    `GFAB_TRACE_PORT(output wire [@WIRES@*@LINKS@*@LINK_BITS@-1:0] o_trace_link)
    `GFAB_TRACE_PORT(output wire [2*@LINKS@-1:0] o_trace_drive)
    `GFAB_TRACE_PORT(output wire [@NODES@-1:0] o_trace_write)
    `GFAB_TRACE_PORT(output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address)
    `GFAB_TRACE_PORT(output wire [@NODES@*@WORD_BITS@-1:0] o_trace_data)
    // until the reset
@IF PROTECT@
    output wire o_error, // the time limit is over, or a bit flipped: two cycles behind a wrong beat at the latest
    output wire [@STREAMS@-1:0] o_fault, // then: of these hosts
    output wire [@STREAMS@-1:0] o_late, // where the limit is over: hosts that were waited for
@ELSE@
    output wire o_error, // the time limit is over
    output wire [@STREAMS@-1:0] o_late, // then: hosts that were waited for
@END@
    output wire o_uneven // vectors of one operation had different lengths
);
@IF PROTECT@
@INCLUDE gen/templates/twins/stream_wires.v@
    wire [@WIRES@*@LINKS@*@LINK_BITS@-1:0] twin_link;
    wire [2*@LINKS@-1:0] twin_drive;
    wire [@NODES@-1:0] twin_write;
    wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] twin_address;
    wire [@NODES@*@WORD_BITS@-1:0] twin_data;
    wire twin_uneven;
@END@
    gfab_fabric #(
        .LIMIT(LIMIT), .WAY(@WAY@),
@INCLUDE gen/templates/fabric_tables.v@
@IF PROTECT@
    ) u_fabric [1:0] (
@INCLUDE gen/templates/twins/stream_ports.v@
        .i_start(1'b0), .i_hold(1'b0), .i_clear(1'b0), .o_done(), .i_program(1'b0), .i_operator(3'd0),
        .o_lefts(), .o_rights(), .i_results(1'b0),
        .i_transfer_fault(1'b0), .i_transfer_balance(1'b0), .o_fault(), .o_error_what(), .o_error_nodes(),
        .o_error_round(),
        .i_load_valid({@HERE@{1'b0}}), .i_load_word({@HERE@*@LOAD_BITS@{1'b0}}),
        .i_load_data({@HERE@*@WORD_BITS@{1'b0}}), .i_read_token({@HERE@*@SLOT_BITS@{1'b0}}),
        .i_read_word({@HERE@*@INDEX_BITS@{1'b0}}), .o_read_data(), .o_collides(), .i_cut(1'b0), .o_cut(),
        .o_cut_drive(), .o_uneven({twin_uneven, o_uneven}),
        .o_trace_check(),
        .o_trace_link(`GFAB_TRACED_TWINS(twin_link, o_trace_link)),
        .o_trace_drive(`GFAB_TRACED_TWINS(twin_drive, o_trace_drive)),
        .o_trace_write(`GFAB_TRACED_TWINS(twin_write, o_trace_write)),
        .o_trace_address(`GFAB_TRACED_TWINS(twin_address, o_trace_address)),
        .o_trace_data(`GFAB_TRACED_TWINS(twin_data, o_trace_data))
    );
@ELSE@
    ) u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(1'b0), .i_hold(1'b0), .i_clear(1'b0), .o_busy(o_busy), .o_done(),
        .i_program(1'b0), .i_operator(3'd0),
        .o_lefts(), .o_rights(), .i_results(1'b0),
        .i_transfer_fault(1'b0), .i_transfer_balance(1'b0), .o_fault(), .o_error(o_error), .o_error_what(),
        .o_error_nodes(), .o_error_round(),
        .i_load_valid({@HERE@{1'b0}}), .i_load_word({@HERE@*@LOAD_BITS@{1'b0}}),
        .i_load_data({@HERE@*@WORD_BITS@{1'b0}}), .i_read_token({@HERE@*@SLOT_BITS@{1'b0}}),
        .i_read_word({@HERE@*@INDEX_BITS@{1'b0}}), .o_read_data(),
        .o_collides(), .o_uneven(o_uneven), .i_give_valid(s_axis_tvalid), .o_give_ready(s_axis_tready),
        .i_give_data(s_axis_tdata), .i_give_last(s_axis_tlast), .o_take_valid(m_axis_tvalid),
        .i_take_ready(m_axis_tready), .o_take_data(m_axis_tdata), .o_take_last(m_axis_tlast), .o_late(o_late),
        .i_cut(1'b0), .o_cut(), .o_cut_drive(), .o_trace_check(),
@INCLUDE gen/templates/choice/traces.v@
    );
@END@
endmodule

`default_nettype wire
