@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// A gossip of R rounds takes
//     R x @CYCLES_PER_ROUND@ + @OVERHEAD_CYCLES@ cycles@AND_GAPS@
// from the edge that samples i_start = 1 to the edge that samples o_done = 1. README.md has the number for the programs
// @PROGRAMS_AT@; they alone say how many rounds there are.
//
@IF TWINS@
// There are two gfab_fabric, which do the same. Hosts see the fabric, u_fabric[0]; what they see of it is compared with
// its twin's, u_fabric[1].
//
@END@
// How to read this: gfab_fabric has all logic; tables say what is particular to each node and link, with number 0 in
@IF TWINS@
// the last row. Node v is gen_node[v] in both, and has bits [v*width +: width] of a bus; link l is gen_link[l].
@ELSE@
// the last row. Node v is u_fabric.gen_node[v] and has bits [v*width +: width] of a bus; link l is gen_link[l].
@END@
// @NUMBERING@
`default_nettype none
`include "gfab_op.vh"
`include "gfab_trace.vh"

module @TOP@ #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // @FIND_ROMS@
) (
    input  wire i_clk,
@IF OWN_CLOCK@
    input  wire i_rst, // asynchronous
    output wire o_rst, // for the chips that get theirs from here
@IF FIRST_CHIP@
    input  wire i_start, // one cycle, of all chips; ignored while o_busy is 1
@END@
    output wire o_busy,  // from the start, or a reset, until the chip is ready for the next
    output wire o_done,  // from then to the next start; right if o_error = 0
    output wire o_error, // from a fault, which ends the gossip, to the next start
@ELSE@
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a gossip runs
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a gossip to the next start
@END@
@IF SEVERAL_PROGRAMS@
@IF OWN_CLOCK@
    // what is played; the same at all chips, and steady from before the start of chip 0 until that one is done
@ELSE@
    // what i_start plays; counts in the cycle before that of i_start, and in no other
@END@
@FOR COLLECTIVES@
    // @NUMBER@ @COLLECTIVE@
@END@
    input  wire [@PROGRAM_BITS@-1:0] i_program,
@END@
@IF ALL_OPERATORS@
    // with i_start: 0 sum, 1 and, 2 or, 3 xor, 4 min, 5 max, with a sign; 6 min, 7 max, without
    input  wire [2:0] i_operator,
@END@
@IF PROTECT@
    output wire [@HERE@-1:0] o_fault, // a node's: now, as of the word at o_read_data; 0 while nothing is wrong
@IF !OWN_CLOCK@
    output wire o_error, // from the cycle after a fault, which ends the gossip, to the next start
@END@
    output wire [3:0] o_error_what, // one cycle later: one of sequencer, program, transfer, node
    output wire [@HERE@-1:0] o_error_nodes, // which node
    output wire [@ROUND_BITS@-1:0] o_error_round, // from 0
@END@
@IF CHIP@
@INCLUDE gen/templates/chips/chip_ports.v@
@ELSE@
@IF OVERLAP@
    // what links carry, and what nodes write of it
    output wire [@WIRES@*@LINKS@*@LINK_BITS@-1:0] o_trace_link,
    output wire [2*@LINKS@-1:0] o_trace_drive,
    output wire [@NODES@*@BANKS@-1:0] o_trace_write,
    output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address,
@IF CHECKED_TRACE@
    output wire [@NODES@*@BANKS@-1:0] o_trace_check,
@END@
    output wire [@NODES@*@BANKS@*@WORD_BITS@-1:0] o_trace_data,
@ELSE@
    // for test benches, where GFAB_TRACE is defined: what is on each link, or what each end puts out; bit 2 link + end:
    // that end drives; a received word is written to the node's store, at {slot, word}, or to a bank, at {round, word}
    `GFAB_TRACE_PORT(output wire [@WIRES@*@LINKS@*@LINK_BITS@-1:0] o_trace_link)
    `GFAB_TRACE_PORT(output wire [2*@LINKS@-1:0] o_trace_drive)
    `GFAB_TRACE_PORT(output wire [@NODES@*@BANKS@-1:0] o_trace_write)
    `GFAB_TRACE_PORT(output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address)
    `GFAB_TRACE_PORT(output wire [@NODES@*@BANKS@*@WORD_BITS@-1:0] o_trace_data)
@END@
@END@
    // while o_busy = 0: write a word of @LOADED@
    input  wire [@HERE@-1:0] i_load_valid,
    input  wire [@HERE@*@LOAD_BITS@-1:0] i_load_word, // @LOAD_NUMBER@, 0 for the least significant
    input  wire [@HERE@*@WORD_BITS@-1:0] i_load_data,
    // while o_busy = 0: read a word of @READ@
    input  wire [@HERE@*@SLOT_BITS@-1:0] i_read_token,
    input  wire [@HERE@*@INDEX_BITS@-1:0] i_read_word,
    output wire [@HERE@*@WORD_BITS@-1:0] o_read_data // one cycle later
);
@IF OWN_CLOCK@
@INCLUDE gen/templates/chips/chip_control.v@
@END@
@IF CHIP@
    // Links to other chips: what comes in, what goes out, and whether the end here drives.
    wire [@CUTS@*@FLIT_BITS@-1:0] cut_in, cut_out;
    wire [@CUTS@-1:0] cut_drive;
@IF PROTECT@
@INCLUDE gen/templates/chips/chip_checks.v@
@END@
@END@
@IF TWINS@
@INCLUDE gen/templates/twins/wires.v@
@END@
@IF CHAINED@
    wire [@CHAINED_OPERATORS@*@LINK_BITS@-1:0] lefts, rights, results;
@END@
    gfab_fabric #(
@INCLUDE gen/templates/fabric_tables.v@
@IF TWINS@
    ) u_fabric [1:0] (
@INCLUDE gen/templates/choice/operators.v@
@INCLUDE gen/templates/twins/ports.v@
@ELSE@
    ) u_fabric (
@INCLUDE gen/templates/choice/operators.v@
@IF OWN_CLOCK@
        .i_clk(i_clk), .i_rst(o_rst), .i_start(start), .i_hold(o_busy), .i_clear(stop), .o_busy(),
        .o_done(gossip_done),
@ELSE@
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_hold(1'b0), .i_clear(1'b0), .o_busy(o_busy),
        .o_done(o_done),
@END@
@IF SEVERAL_PROGRAMS@
        .i_program(i_program),
@ELSE@
        .i_program(1'b0),
@END@
@IF ALL_OPERATORS@
        .i_operator(i_operator),
@ELSE@
        .i_operator(3'd0),
@END@
@IF PROTECT@
@IF OWN_CLOCK@
        .o_error(fabric_error),
@ELSE@
        .o_error(o_error),
@END@
@IF CHIP@
        .i_transfer_fault(transfer_fault), .i_transfer_balance(^pad_balances),
@ELSE@
        .i_transfer_fault(1'b0), .i_transfer_balance(1'b0),
@END@
        .o_fault(o_fault), .o_error_what(o_error_what), .o_error_nodes(o_error_nodes), .o_error_round(o_error_round),
@ELSE@
        .i_transfer_fault(1'b0), .i_transfer_balance(1'b0), .o_fault(), .o_error(), .o_error_what(), .o_error_nodes(),
        .o_error_round(),
@END@
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_token(i_read_token), .i_read_word(i_read_word), .o_read_data(o_read_data),
        .o_collides(), .i_give_valid(1'b0), .o_give_ready(), .i_give_data(@LINK_BITS@'d0), .i_give_last(1'b0),
        .o_take_valid(), .i_take_ready(1'b0), .o_take_data(), .o_take_last(), .o_late(), .o_uneven(),
@IF CHECKED_TRACE@
        .o_trace_check(o_trace_check),
@ELSE@
        .o_trace_check(),
@END@
@IF CHIP@
        .i_cut(cut_in), .o_cut(cut_out), .o_cut_drive(cut_drive),
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );
@ELSE@
        .i_cut(1'b0), .o_cut(), .o_cut_drive(),
@INCLUDE gen/templates/choice/traces.v@
    );
@END@
@END@
@IF CHAINED@

    // What combines, for each node and bank MERGES of them@AND_TWINS@.
    genvar n;
    generate
        for (n = 0; n < @CHAINED_OPERATORS@; n = n + 1) begin : gen_operator
            @OPERATOR_MODULE@ #(
                .BITS(@LINK_BITS@), .LATENCY(@OPERATOR_CYCLES@)
            ) u_operator (
                .i_clk(i_clk), .i_a(lefts[n*@LINK_BITS@+:@LINK_BITS@]), .i_b(rights[n*@LINK_BITS@+:@LINK_BITS@]),
                .o_result(results[n*@LINK_BITS@+:@LINK_BITS@])
            );
        end
    endgenerate
@END@
@IF CHIP@

@INCLUDE gen/templates/chips/chip_links.v@
@END@
endmodule

`default_nettype wire
