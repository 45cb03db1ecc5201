@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
@IF COMBINES@
// @COLLECTIVE@ by @OPERATOR_NAME@ along rings: a run takes @CYCLES@ cycles from the edge that samples i_start = 1 to
// the edge that samples o_done = 1. README.md says how nodes and blocks are numbered.
//
// How to read this: gfab_ring_reduce has all logic; tables say what comes from where, with number 0 in the last row.
// Node v is u_ring.gen_node[v] and has bits [v*width +: width] of a bus.
@ELSE@
// An all-gather along rings: a run takes @CYCLES@ cycles from the edge that samples i_start = 1 to the edge that
// samples o_done = 1. Nodes are numbered along ring 0; README.md says which node of @TOPOLOGY@ each is.
//
// How to read this: gfab_ring has all logic; tables say what comes from where, with number 0 in the last row. Node v is
// u_ring.gen_node[v] and has bits [v*width +: width] of a bus.
@END@
`default_nettype none

module @FABRIC@ (
    input  wire i_clk,
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a run goes on
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a run to the next start
@IF COMBINES@
    // while o_busy = 0: write a flit of a block
    input  wire [@NODES@-1:0] i_load_valid,
    input  wire [@NODES@*@LOAD_BITS@-1:0] i_load_word, // {home, round, ring, flit}, each but home with no bits for one
    input  wire [@NODES@*@LINK_BITS@-1:0] i_load_data,
    // while o_busy = 0: read a flit of a block
    input  wire [@NODES@*@BLOCK_BITS@-1:0] i_read_token, // {home, round, ring}
    input  wire [@NODES@*@NUMBER_BITS@-1:0] i_read_word, // the flit, 0 for the least significant
    output wire [@NODES@*@LINK_BITS@-1:0] o_read_data, // @READ_WAIT@ cycles later
    // for test benches
    output wire o_trace_drive, // totals are written next
    output wire [@NODES@*@BITS@-1:0] o_trace_link, // of each node, what comes in, ring 0 last
    output wire [@NODES@*@RINGS@-1:0] o_trace_write, // a flit is written to the ring's store, its lowest piece
    output wire [@NODES@*@ADDRESS_BITS@-1:0] o_trace_address, // {distance, round, flit}
    output wire [@NODES@*@BITS@-1:0] o_trace_data
);
    gfab_ring_reduce #(
        .NODES(@NODES@), .RINGS(@RINGS@), .CYCLES(@RING_CYCLES@), .BOTH(@BOTH@), .LINK_BITS(@LINK_BITS@),
        .FLITS(@FLITS@), .ROUNDS(@ROUNDS@), .ALL(@ALL@), .OPERATOR(@OPERATOR@), .PIECE(@PIECE_BITS@),
@ELSE@
    // while o_busy = 0: write a word of the node's own token, flits word * @RINGS@ and on
    input  wire [@NODES@-1:0] i_load_valid,
    input  wire [@NODES@*@WORD_BITS@-1:0] i_load_word, // its number, 0 for the least significant
    input  wire [@NODES@*@BITS@-1:0] i_load_data,
    // while o_busy = 0: read flit word * @RINGS@ + ring of any token, the number of which is that of its node
    input  wire [@NODES@*@NODE_BITS@-1:0] i_read_token,
    input  wire [@NODES@*@NUMBER_BITS@-1:0] i_read_word, // {word, ring}
    output wire [@NODES@*@LINK_BITS@-1:0] o_read_data, // two cycles later
    // for test benches
    output wire o_trace_drive, // o_trace_link counts
    output wire [@NODES@*@OUT_BITS@-1:0] o_trace_link, // of each node, what comes in, ring 0 last
    output wire [@NODES@-1:0] o_trace_write, // a word is written to the node's store
    output wire [@NODES@*@TRACE_BITS@-1:0] o_trace_address, // {distance, word}
    output wire [@NODES@*@OUT_BITS@-1:0] o_trace_data
);
    gfab_ring #(
        .NODES(@NODES@), .RINGS(@RINGS@), .CYCLES(@RING_CYCLES@), .BOTH(@BOTH@), .LINK_BITS(@LINK_BITS@),
        .WORDS(@WORDS@), .REGISTERED(@REGISTERED@), .ABREAST(@ABREAST@),
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
        .o_trace_drive(o_trace_drive), .o_trace_link(o_trace_link), .o_trace_write(o_trace_write),
        .o_trace_address(o_trace_address), .o_trace_data(o_trace_data)
    );
endmodule

`default_nettype wire
