@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
@IF BLOCKS@
// AXI4-Stream at every node: s_axis takes a packet of the blocks that it starts with, m_axis gives one of those that it
// wants, a beat each in rising order, tlast on the last. A node that has none of either has no packet.
@ELSE@
// AXI4-Stream at every node: s_axis takes its token, m_axis gives the tokens of all @NODES@ by origin.
@END@
@IF REGISTERS@
// A processor on the chip starts and watches it, by registers on @BUS@: @FABRIC@_registers.h has their
// offsets. Packets wait until a collective is started.
@END@
// Node v has bit v, or bits [v*@TOKEN_BITS@ +: @TOKEN_BITS@] of tdata. rtl/gfab_axis.v has all of it
// but the fabric; rtl/gfab_axis_ctrl.v says what errors there are.
`default_nettype none

module @FABRIC@_@AXIS_TOP_OF@ #(
    parameter ROM_FOLDER   = "@ROM_FOLDER@", // as in @FABRIC@
    parameter LOAD_LIMIT   = 0, // cycles from the first node's token to the last one's; 0: none
    parameter GOSSIP_LIMIT = @LONGEST_CYCLES@ // of a gossip; this much no program @PROGRAMS_AT@ can take; 0: none
) (
    input  wire i_clk,
    input  wire i_rst, // synchronous, active high
@FOR STATUS@
    @LINE@
@END@
@FOR BUS@
    @LINE@
@END@
@FOR COMMAND@
    @LINE@
@END@
@FOR AXIS@
    @DECLARED@@COMMA@@REMARK@
@END@
);
@IF BLOCKS@
    // Of each node, node 0 last, for each program, program 0 last: blocks to load, how many and from which on; blocks
    // to read, likewise, and in which steps. Of wide nodes, and of those of an all-to-all, they are numbers among
    // the node's own.
    localparam [@NODES@*@PROGRAMS@*2*(@AXIS_BLOCK_BITS@+1)-1:0] LOADS = {
@FOR NODES@
        @AXIS_LOADS@@COMMA@
@END@
    };
    localparam [@NODES@*@PROGRAMS@*3*(@AXIS_BLOCK_BITS@+1)-1:0] READS = {
@FOR NODES@
        @AXIS_READS@@COMMA@
@END@
    };

@END@
    wire start, done, fabric_rst;
@FOR HOST@
    wire @RANGE@@WIRE@;
@END@
@FOR SECOND@
    wire @RANGE@@WIRE@;
@END@
@INCLUDE gen/templates/chosen_wires.v@
@IF REGISTERS@
    wire load, unload, clear, error;
    wire [2:0] status;
    wire [@NODES@-1:0] error_nodes;
@FOR REPORT@
    wire @RANGE@@WIRE@;
@END@
@FOR NO_REPORT@
    wire @RANGE@@WIRE@;
@END@
    wire [@ADDRESS_BITS@-1:2] read_address, write_address;
    wire [31:0] register_read, register_write;
    wire [3:0] register_strobe;
    wire writes, refused, s_command_tvalid, s_command_tready;
    wire [@COMMAND_BITS@-1:0] s_command_tdata;

    @BUS_MODULE@ #(.ADDRESS_BITS(@ADDRESS_BITS@)) u_bus (
@FILL BUS@
        .@NAME@(@NAME@),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .o_read_address(read_address), .i_read_data(register_read), .o_write(writes),
        .o_write_address(write_address), .o_write_data(register_write), .o_write_strobe(register_strobe),
        .i_write_refused(refused)
    );
    gfab_registers #(
        .ADDRESS_BITS(@ADDRESS_BITS@), .IDENTITY(32'h@IDENTITY_WORD@), .NODES(@NODES@), .TOKEN_BITS(@TOKEN_BITS@),
        .PROGRAMS(@PROGRAMS@), .PROGRAM_BITS(@PROGRAM_BITS@), .OPERATORS(@OPERATORS@), .PROTECT(@PROTECT@),
        .ROUND_BITS(@ROUND_BITS@)
    ) u_registers (
        .i_fault(fault), .i_fault_nodes(fault_nodes), .i_fault_round(fault_round),
        .i_clk(i_clk), .i_rst(i_rst), .o_interrupt(o_interrupt), .i_read_address(read_address),
        .o_read_data(register_read), .i_write(writes), .i_write_address(write_address),
        .i_write_data(register_write), .i_write_strobe(register_strobe), .o_write_refused(refused),
        .m_axis_tvalid(s_command_tvalid), .m_axis_tready(s_command_tready), .m_axis_tdata(s_command_tdata),
        .i_unload(unload), .i_load(load), .i_start(start), .i_error(error), .i_status(status),
        .i_error_nodes(error_nodes), .o_clear(clear), .i_done(done)
    );
@END@

    gfab_axis #(
        .NODES(@NODES@), .LANES(@FLITS_OF_WORD@), .LINK_BITS(@LINK_BITS@), .WORDS(@WORDS@), .PARTS(@PARTS@),
        .TOKEN_BITS(@TOKEN_BITS@), .LOAD_BITS(@LOAD_BITS@), .SLOT_BITS(@SLOT_BITS@),
        .PROTECT(@AXIS_PROTECT@),
@IF COMMANDS@
        .COMMANDS(1), .PROGRAMS(@PROGRAMS@), .PROGRAM_BITS(@PROGRAM_BITS@),
@END@
@IF BLOCKS@
        .BLOCK_BITS(@AXIS_BLOCK_BITS@), .LOADS(LOADS), .READS(READS),
@END@
@IF OVERLAP@
        .OVERLAP(1), .FOLDER(ROM_FOLDER), .PLACES(@PLACE_COUNT@), .NAME_BITS(@NAME_BITS@),
@IF WIDE@
        .SLOTS(1 << @ROUND_BITS@), .BANKS(@BANKS@), .CELL_BITS(@CELL_BITS@), .WIDE_LOADS(@WIDE_LOADS@),
        .OWN(@OWN_BANKS@),
@ELSE@
        .SLOTS(@STORE_SLOTS@), .ANY_SLOT(@ANY_SLOT@), .PLACED(@PLACED@),
@END@
@IF IMAGE_BITS HAS_PLACES@
        .IMAGE_BITS(@IMAGE_BITS@), .IMAGES({
@FOR PLACE_IMAGES@
            @ROW@@COMMA@ // @IMAGE@
@END@
        }),
@END@
        // Of each node its number, the slot of its own token, the slots of its store.
        .STORE({
@FOR NODES@
            "@NAME@", 32'd@OWN_SLOT_NUMBER@, 32'd@NODE_SLOTS@@COMMA@
@END@
        }),
@END@
        .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_axis (
        .i_clk(i_clk), .i_rst(i_rst),
@FILL WATCHED@
        .@NAME@(@WIRE@),
@END@
@FILL COMMANDED@
        .@NAME@(@WIRE@),
@END@
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
        .s_axis_tlast(s_axis_tlast), .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata), .m_axis_tlast(m_axis_tlast),
        .o_fabric_rst(fabric_rst), .o_start(start), .i_done(done), .i_error(fabric_error),
@FILL CHOSEN@
        .@NAME@(@WIRE@),
@END@
        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data), .o_read_token(read_token),
        .o_read_word(read_word), .i_read_data(read_data),
@FILL WRITTEN@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );

    @FABRIC@ #(.ROM_FOLDER(ROM_FOLDER)) u_fabric (
@FILL FAULT@
        .@NAME@(),
@END@
@FILL ERROR@
        .@NAME@(@WIRE@),
@END@
@FILL REPORTED@
        .@NAME@(@WIRE@),
@END@
@FILL CHOICE@
        .@NAME@(@WIRE@),
@END@
        .i_clk(i_clk), .i_rst(i_rst | fabric_rst), .i_start(start), .o_done(done), .o_busy(@AXIS_BUSY@),
@FILL UNSEEN@
        .@NAME@(),
@END@
@FILL SECOND@
        .@NAME@(@WIRE@),
@END@
@FILL HOST@
        .@NAME@(@WIRE@)@COMMA@
@END@
    );
endmodule

`default_nettype wire
