@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// @CHIPS@ chips and the wires between them, in the place of @FABRIC@ on one chip; wires that turn are watched. Traces
// are left out, and what faults are noticed is or'ed over the chips.
`default_nettype none

module @FABRIC@ #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // of all chips
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
@FOR HOST@
    @LINE@
@END@
@FOR TRACE@
    @ABOVE@@DECLARED@@COMMA@
@END@
);
    wire [@CHIPS@-1:0] busy, done;
@IF PROTECT@
    wire [@CHIPS@-1:0] error;
    wire [@CHIPS@*4-1:0] what_of;
    wire [@CHIPS@*@ROUND_BITS@-1:0] round_of;
    reg  [3:0] what;
    reg  [@ROUND_BITS@-1:0] round;
    integer c;
    always @@* begin
        what  = 4'd0;
        round = {@ROUND_BITS@{1'b0}};
        for (c = 0; c < @CHIPS@; c = c + 1) begin
            what  = what | what_of[4*c+:4];
            round = round | (error[c] ? round_of[c*@ROUND_BITS@+:@ROUND_BITS@] : {@ROUND_BITS@{1'b0}});
        end
    end
    assign o_error = |error;
    assign o_error_what = what;
    assign o_error_round = round;
@END@
    assign o_busy = |busy;
    assign o_done = &done;
    assign o_trace_link = 0;
    assign o_trace_drive = 0;
    assign o_trace_write = 0;
    assign o_trace_address = 0;
    assign o_trace_data = 0;

@FOR BETWEEN_EACH_WAY@
    wire [@FLIT_BITS@@CHECK@-1:0] link_@LINK@_0, link_@LINK@_1; // from node @NODE0@, from node @NODE1@
@END@
@FOR BETWEEN_TURNED@
    wire [@FLIT_BITS@-1:0] link_@LINK@; // node @NODE0@, node @NODE1@
    wire [1:0] drive_@LINK@;
    gfab_pad_watch #(.LINK(@LINK@), .LINK_BITS(@FLIT_BITS@), .DEAD(@DEAD_CYCLES@)) u_watch_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_wire(link_@LINK@),
        .i_drive0(drive_@LINK@[0]), .i_drive1(drive_@LINK@[1])
    );
@END@
@FOR CHIPS@
@FOR HOST@
    wire @RANGE@@WIRE@_@CHIP@;
@END@
@FOR FAULT@
    wire @RANGE@@WIRE@_@CHIP@, fault_nodes_@CHIP@;
@END@
@FOR NODES@
@FOR HOST@
    @OF_CHIP@;
@END@
@FOR FAULT@
    @OF_CHIP@;
    assign o_error_nodes[@NODE@] = fault_nodes_@CHIP@[@PLACE@];
@END@
@END@
    @CHIP_TOP@_@CHIP@ #(.ROM_FOLDER(ROM_FOLDER)) u_chip_@CHIP@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(busy[@CHIP@]), .o_done(done[@CHIP@]),
@FILL CHOICE@
        .@NAME@(@NAME@),
@END@
@IF PROTECT@
        .o_error(error[@CHIP@]), .o_error_what(what_of[4*@CHIP@+:4]),
        .o_error_round(round_of[@CHIP@*@ROUND_BITS@+:@ROUND_BITS@]),
        .o_fault(faults_@CHIP@), .o_error_nodes(fault_nodes_@CHIP@),
@END@
@FOR CUTS_EACH_WAY@
        .o_link_@LINK@(link_@LINK@_@END@), .i_link_@LINK@(link_@LINK@_@FAR_END@),
@END@
@FOR CUTS_TURNED@
        .io_link_@LINK@(link_@LINK@),
@END@
@FOR PAD_TRACE@
        .@NAME@({@DRIVES@}),
@END@
@FILL HOST@
        .@NAME@(@WIRE@_@CHIP@)@COMMA@
@END@
    );
@END@
endmodule

`default_nettype wire
