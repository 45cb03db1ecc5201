@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// A gossip of R rounds takes
//     R x @CYCLES_PER_ROUND@ + @OVERHEAD_CYCLES@ cycles@AND_GAPS@
// from the edge that samples i_start = 1 to the edge that samples o_done = 1. README.md has the number for the programs
// @PROGRAMS_AT@; they alone say how many rounds there are.
//
// How to read this: gfab_fabric has all logic; tables say what is particular to each node and link, with number 0 in
// the last row. Node v is gen_node[v] of u_fabric and has bits [v*width +: width] of a bus; link l is gen_link[l].
@AND_ITS_TWIN@// @NUMBERING@
`default_nettype none
`include "gfab_op.vh"
`include "gfab_trace.vh"

module @TOP@ #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // @FIND_ROMS@
) (
    input  wire i_clk,
@FOR CONTROL@
    @LINE@
@END@
@FOR CHOICE@
    @LINE@
@END@
@FOR FAULT@
    @LINE@
@END@
@FOR ERROR@
    @LINE@
@END@
@FOR REPORT@
    @LINE@
@END@
@INCLUDE gen/templates/chips/chip_ports.v@
@FOR TRACE@
    @LINE@
@END@
@FOR HOST@
    @ABOVE@@DECLARED@@COMMA@@REMARK@
@END@
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
    ) @INSTANCE@ (
@FILL JOINED@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
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
