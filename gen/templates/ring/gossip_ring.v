@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// @A_RUN@ along rings: a run takes @CYCLES@ cycles from the edge that samples i_start = 1 to the
// edge that samples o_done = 1. README.md says how nodes and what goes around are numbered.
//
// How to read this: u_ring has all logic; tables say what comes from where, with number 0 in the last row. Node v is
// u_ring.gen_node[v] and has bits [v*width +: width] of a bus.
`default_nettype none

module @FABRIC@ (
    input  wire i_clk,
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a run goes on
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a run to the next start
    // while o_busy = 0: write @LOADS@
    input  wire [@NODES@-1:0] i_load_valid,
    input  wire [@NODES@*@LOAD_BITS@-1:0] i_load_word, // @LOAD_IS@
    input  wire [@NODES@*@LOAD_DATA_BITS@-1:0] i_load_data,
    // while o_busy = 0: read @READS@
    input  wire [@NODES@*@BLOCK_BITS@-1:0] i_read_token, // @ITEM_IS@
    input  wire [@NODES@*@NUMBER_BITS@-1:0] i_read_word, // @FLIT_IS@
    output wire [@NODES@*@LINK_BITS@-1:0] o_read_data, // so many cycles later: @READ_WAIT@
@IF PROTECT@
    // a bit that flips is noticed: docs/reference/protection.md of gossipfab
    output wire [@NODES@-1:0] o_fault, // of what is at o_read_data
    output wire o_error, // from a fault on to the next start
    output wire [3:0] o_error_what, // a cycle later, one-hot: a node, what is on the arcs, nothing, the counter
    output wire [@NODES@-1:0] o_error_nodes,
@END@
    // for test benches
    output wire o_trace_drive, // @DRIVE_IS@
    output wire [@NODES@*@OUT_BITS@-1:0] o_trace_link, // of each node, what comes in, ring 0 last
    output wire [@NODES@*@WRITES@-1:0] o_trace_write, // what is written to the node's stores
    output wire [@NODES@*@ADDRESS_BITS@-1:0] o_trace_address, // @ADDRESS_IS@
    output wire [@NODES@*@OUT_BITS@-1:0] o_trace_data
);
@IF COMBINES@
    gfab_ring_reduce #(
        .NODES(@NODES@), .RINGS(@RINGS@), .CYCLES(@RING_CYCLES@), .BOTH(@BOTH@), .LINK_BITS(@LINK_BITS@),
        .FLITS(@FLITS@), .ROUNDS(@ROUNDS@), .ALL(@ALL@), .OPERATOR(@OPERATOR@),
@ELSE@
    gfab_ring #(
        .NODES(@NODES@), .RINGS(@RINGS@), .CYCLES(@RING_CYCLES@), .BOTH(@BOTH@), .LINK_BITS(@LINK_BITS@),
        .WORDS(@WORDS@), .PROTECT(@PROTECT@), .REGISTERED(@REGISTERED@), .ABREAST(@ABREAST@),
@END@
        // Of each ring and node: the node whose flits come in.
        .FROM({
@FOR ALL_RINGS@
            @FROM_ROW@@COMMA@ // ring @RING@
@END@
        }),
        // Of each cycle and node: its place along the cycle.
        .PLACES({
@FOR ALL_CYCLES@
            @PLACE_ROW@@COMMA@ // cycle @CYCLE@
@END@
        })
    ) u_ring (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(o_busy), .o_done(o_done),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_token(i_read_token), .i_read_word(i_read_word), .o_read_data(o_read_data),
@IF PROTECT@
        .o_fault(o_fault), .o_error(o_error), .o_error_what(o_error_what), .o_error_nodes(o_error_nodes),
@END@
        .o_trace_drive(o_trace_drive), .o_trace_link(o_trace_link), .o_trace_write(o_trace_write),
        .o_trace_address(o_trace_address), .o_trace_data(o_trace_data)
    );
endmodule

`default_nettype wire
