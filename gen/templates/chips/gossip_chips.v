@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
@IF FULL_DUPLEX@
// @CHIPS@ chips and the wires between them, in the place of @FABRIC@ on one chip. Traces are left out.
@ELSE@
// @CHIPS@ chips and the wires between them, watched, in the place of @FABRIC@ on one chip. Traces are left out.
@END@
`default_nettype none

module @FABRIC@ #(
    parameter ROM_FOLDER = "@ROM_FOLDER@" // of all chips
) (
    input  wire i_clk,
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a gossip runs
@IF SEVERAL_PROGRAMS@
    input  wire [@PROGRAM_BITS@-1:0] i_program, // counts in the cycle before that of i_start
@END@
@IF ALL_OPERATORS@
    input  wire [2:0] i_operator, // with i_start
@END@
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a gossip to the next start
@IF PROTECT@
    output wire [@NODES@-1:0] o_fault, // a node's: now, as of the word at o_read_data; 0 while nothing is wrong
    output wire o_error, // of any chip
    output wire [3:0] o_error_what,
    output wire [@NODES@-1:0] o_error_nodes,
    output wire [@ROUND_BITS@-1:0] o_error_round, // or'ed over the chips
@END@
    // while o_busy = 0: write a word of @LOADED@
    input  wire [@HERE@-1:0] i_load_valid,
    input  wire [@HERE@*@LOAD_BITS@-1:0] i_load_word, // @LOAD_NUMBER@, 0 for the least significant
    input  wire [@HERE@*@WORD_BITS@-1:0] i_load_data,
    // while o_busy = 0: read a word of @READ@
    input  wire [@HERE@*@SLOT_BITS@-1:0] i_read_token,
    input  wire [@HERE@*@INDEX_BITS@-1:0] i_read_word,
    output wire [@HERE@*@WORD_BITS@-1:0] o_read_data, // one cycle later
    // for test benches
@IF JOINED@
    output wire [@LINKS@*@LINK_BITS@-1:0] o_trace_link, // what is on each link
@ELSE@
    output wire [2*@LINKS@*@LINK_BITS@-1:0] o_trace_link, // what each end of each link puts out
@END@
    output wire [2*@LINKS@-1:0] o_trace_drive, // bit 2 link + end: that end drives
@IF WIDE@
    output wire [@NODES@*@BANKS@-1:0] o_trace_write, // a received word is written to each of the node's banks
    output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address, // {round, word}
    output wire [@NODES@*@BANKS@*@WORD_BITS@-1:0] o_trace_data
@ELSE@
    output wire [@NODES@-1:0] o_trace_write, // a received word is written to the node's store
    output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address, // {store slot, word}
    output wire [@NODES@*@WORD_BITS@-1:0] o_trace_data
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

@FOR BETWEEN@
@IF FULL_DUPLEX@
    wire [@FLIT_BITS@@CHECK@-1:0] link_@LINK@_0, link_@LINK@_1; // from node @NODE0@, from node @NODE1@
@ELSE@
    wire [@FLIT_BITS@-1:0] link_@LINK@; // node @NODE0@, node @NODE1@
    wire [1:0] drive_@LINK@;
    gfab_pad_watch #(.LINK(@LINK@), .LINK_BITS(@FLIT_BITS@), .DEAD(@DEAD_CYCLES@)) u_watch_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_wire(link_@LINK@),
        .i_drive0(drive_@LINK@[0]), .i_drive1(drive_@LINK@[1])
    );
@END@
@END@
@FOR CHIPS@
    wire [@HERE@-1:0] load_valid_@CHIP@;
    wire [@HERE@*@LOAD_BITS@-1:0] load_word_@CHIP@;
    wire [@HERE@*@WORD_BITS@-1:0] load_data_@CHIP@, read_data_@CHIP@;
    wire [@HERE@*@SLOT_BITS@-1:0] read_token_@CHIP@;
    wire [@HERE@*@INDEX_BITS@-1:0] read_word_@CHIP@;
@IF PROTECT@
    wire [@HERE@-1:0] fault_@CHIP@, error_nodes_@CHIP@;
@END@
@FOR NODES@
    assign load_valid_@CHIP@[@PLACE@] = i_load_valid[@NODE@];
    assign load_word_@CHIP@[@PLACE@*@LOAD_BITS@+:@LOAD_BITS@] = i_load_word[@NODE@*@LOAD_BITS@+:@LOAD_BITS@];
    assign load_data_@CHIP@[@PLACE@*@WORD_BITS@+:@WORD_BITS@] = i_load_data[@NODE@*@WORD_BITS@+:@WORD_BITS@];
    assign read_token_@CHIP@[@PLACE@*@SLOT_BITS@+:@SLOT_BITS@] = i_read_token[@NODE@*@SLOT_BITS@+:@SLOT_BITS@];
    assign read_word_@CHIP@[@PLACE@*@INDEX_BITS@+:@INDEX_BITS@] = i_read_word[@NODE@*@INDEX_BITS@+:@INDEX_BITS@];
    assign o_read_data[@NODE@*@WORD_BITS@+:@WORD_BITS@] = read_data_@CHIP@[@PLACE@*@WORD_BITS@+:@WORD_BITS@];
@IF PROTECT@
    assign {o_fault[@NODE@], o_error_nodes[@NODE@]} = {fault_@CHIP@[@PLACE@], error_nodes_@CHIP@[@PLACE@]};
@END@
@END@
    @CHIP_TOP@_@CHIP@ #(.ROM_FOLDER(ROM_FOLDER)) u_chip_@CHIP@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start),
@IF SEVERAL_PROGRAMS@
        .i_program(i_program),
@END@
@IF ALL_OPERATORS@
        .i_operator(i_operator),
@END@
        .o_busy(busy[@CHIP@]), .o_done(done[@CHIP@]),
@IF PROTECT@
        .o_error(error[@CHIP@]), .o_error_what(what_of[4*@CHIP@+:4]),
        .o_error_round(round_of[@CHIP@*@ROUND_BITS@+:@ROUND_BITS@]),
        .o_fault(fault_@CHIP@), .o_error_nodes(error_nodes_@CHIP@),
@END@
        .i_load_valid(load_valid_@CHIP@), .i_load_word(load_word_@CHIP@), .i_load_data(load_data_@CHIP@),
        .i_read_token(read_token_@CHIP@), .i_read_word(read_word_@CHIP@), .o_read_data(read_data_@CHIP@),
@FOR CUTS@
@IF FULL_DUPLEX@
        .o_link_@LINK@(link_@LINK@_@END@), .i_link_@LINK@(link_@LINK@_@FAR_END@)@COMMA@
@ELSE@
        .io_link_@LINK@(link_@LINK@),
@END@
@END@
@IF !FULL_DUPLEX@
        .o_trace_pad_drive({
@FOR CUTS_FROM_LAST@
            drive_@LINK@[@END@]@COMMA@
@END@
        })
@END@
    );
@END@
endmodule

`default_nettype wire
