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

@IF REGISTERS@
module @FABRIC@_registers #(
@ELSE@
module @FABRIC@_axis #(
@END@
    parameter ROM_FOLDER   = "@ROM_FOLDER@", // as in @FABRIC@
    parameter LOAD_LIMIT   = 0, // cycles from the first node's token to the last one's; 0: none
    parameter GOSSIP_LIMIT = @LONGEST_CYCLES@ // of a gossip; this much no program @PROGRAMS_AT@ can take; 0: none
) (
    input  wire i_clk,
    input  wire i_rst, // synchronous, active high
@IF REGISTERS@
    output wire o_interrupt, // as the register INTERRUPT says
@IF AXI_LITE@
    input  wire s_axil_awvalid,
    output wire s_axil_awready,
    input  wire [@ADDRESS_BITS@-1:0] s_axil_awaddr,
    input  wire s_axil_wvalid,
    output wire s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0] s_axil_wstrb,
    output wire s_axil_bvalid,
    input  wire s_axil_bready,
    output wire [1:0] s_axil_bresp,
    input  wire s_axil_arvalid,
    output wire s_axil_arready,
    input  wire [@ADDRESS_BITS@-1:0] s_axil_araddr,
    output wire s_axil_rvalid,
    input  wire s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0] s_axil_rresp,
@ELSE@
    input  wire i_wb_cyc,
    input  wire i_wb_stb,
    input  wire i_wb_we,
    input  wire [@ADDRESS_BITS@-1:2] i_wb_adr, // of a register of 32 bits
    input  wire [31:0] i_wb_dat,
    input  wire [3:0] i_wb_sel,
    output wire o_wb_ack,
    output wire o_wb_err,
    output wire [31:0] o_wb_dat,
@END@
@ELSE@
    output wire o_busy, // a gossip runs
    output wire o_error, // until i_clear: nothing moves
    output wire [2:0] o_status, // the last error: 1 a token late, 2 a packet @LONG@, 3 stuck, 4 the fabric's own
    output wire [@NODES@-1:0] o_error_nodes, // 1 and 2: of these nodes
    input  wire i_clear, // begin anew after an error; may be tied to 1
@IF COMMANDS@
    // what is played next, a beat for each collective: {i_operator, i_program} of @FABRIC@, 0 where it has it not
    input  wire s_command_tvalid,
    output wire s_command_tready,
    input  wire [3+@PROGRAM_BITS@-1:0] s_command_tdata,
@END@
@END@
    input  wire [@NODES@-1:0] s_axis_tvalid,
    output wire [@NODES@-1:0] s_axis_tready,
    input  wire [@NODES@*@TOKEN_BITS@-1:0] s_axis_tdata,
@IF BLOCKS@
    input  wire [@NODES@-1:0] s_axis_tlast,
@ELSE@
    input  wire [@NODES@-1:0] s_axis_tlast, // 1: a token is a packet of one beat
@END@
    output wire [@NODES@-1:0] m_axis_tvalid,
    input  wire [@NODES@-1:0] m_axis_tready,
    output wire [@NODES@*@TOKEN_BITS@-1:0] m_axis_tdata,
    output wire [@NODES@-1:0] m_axis_tlast
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
    wire [@NODES@-1:0] load_valid;
    wire [@NODES@*@LOAD_BITS@-1:0] load_word;
    wire [@NODES@*@SLOT_BITS@-1:0] read_token;
    wire [@NODES@*@INDEX_BITS@-1:0] read_word;
    wire [@NODES@*@WORD_BITS@-1:0] load_data, read_data;
@IF OVERLAP@
    wire [@NODES@*@BANKS@-1:0] trace_write;
    wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] trace_address;
    wire [@NODES@*@BANKS@*@WORD_BITS@-1:0] trace_data;
@END@
@IF CHECKED_TRACE@
    wire [@NODES@*@BANKS@-1:0] trace_check;
@END@
@INCLUDE gen/templates/choice/wires.v@
@IF PROTECT@
    wire fabric_error;
@ELSE@
    wire fabric_error = 1'b0; // the fabric watches nothing itself
@END@
@IF REGISTERS@
    wire load, unload, clear, error;
    wire [2:0] status;
    wire [@NODES@-1:0] error_nodes;
@IF PROTECT@
    wire [3:0] fault;
    wire [@NODES@-1:0] fault_nodes;
    wire [@ROUND_BITS@-1:0] fault_round;
@ELSE@
    wire [3:0] fault = 4'b0;
    wire [@NODES@-1:0] fault_nodes = @NODES@'d0;
    wire fault_round = 1'b0;
@END@
    wire [@ADDRESS_BITS@-1:2] read_address, write_address;
    wire [31:0] register_read, register_write;
    wire [3:0] register_strobe;
    wire writes, refused, s_command_tvalid, s_command_tready;
    wire [3+@PROGRAM_BITS@-1:0] s_command_tdata;

@IF AXI_LITE@
    gfab_axi_lite #(.ADDRESS_BITS(@ADDRESS_BITS@)) u_bus (
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
@ELSE@
    gfab_wishbone #(.ADDRESS_BITS(@ADDRESS_BITS@)) u_bus (
        .i_wb_cyc(i_wb_cyc), .i_wb_stb(i_wb_stb), .i_wb_we(i_wb_we), .i_wb_adr(i_wb_adr), .i_wb_dat(i_wb_dat),
        .i_wb_sel(i_wb_sel), .o_wb_ack(o_wb_ack), .o_wb_err(o_wb_err), .o_wb_dat(o_wb_dat),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .o_read_address(read_address), .i_read_data(register_read), .o_write(writes),
        .o_write_address(write_address), .o_write_data(register_write), .o_write_strobe(register_strobe),
        .i_write_refused(refused)
    );
    gfab_registers #(
        .ADDRESS_BITS(@ADDRESS_BITS@), .IDENTITY(32'h@IDENTITY_WORD@), .NODES(@NODES@), .TOKEN_BITS(@TOKEN_BITS@),
        .PROGRAMS(@PROGRAMS@), .PROGRAM_BITS(@PROGRAM_BITS@), .OPERATORS(@OPERATORS@), .PROTECT(@PROTECT@),
@IF PROTECT@
        .ROUND_BITS(@ROUND_BITS@)
@ELSE@
        .ROUND_BITS(1)
@END@
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
@IF IMAGE_BITS@
@IF HAS_PLACES@
        .IMAGE_BITS(@IMAGE_BITS@), .IMAGES({
@FOR PLACE_IMAGES@
            @ROW@@COMMA@ // @IMAGE@
@END@
        }),
@END@
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
@IF REGISTERS@
        .i_clear(clear), .o_error(error), .o_status(status), .o_error_nodes(error_nodes), .o_load(load),
        .o_unload(unload),
@ELSE@
        .i_clear(i_clear), .o_error(o_error), .o_status(o_status), .o_error_nodes(o_error_nodes), .o_load(),
        .o_unload(),
@END@
@IF COMMANDS@
        .s_command_tvalid(s_command_tvalid), .s_command_tready(s_command_tready), .s_command_tdata(s_command_tdata),
@ELSE@
        .s_command_tvalid(1'b0), .s_command_tready(), .s_command_tdata(4'd0),
@END@
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
        .s_axis_tlast(s_axis_tlast), .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata), .m_axis_tlast(m_axis_tlast),
        .o_fabric_rst(fabric_rst), .o_start(start), .i_done(done), .i_error(fabric_error),
@INCLUDE gen/templates/choice/outputs.v@
        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data), .o_read_token(read_token),
        .o_read_word(read_word), .i_read_data(read_data),
@IF OVERLAP@
@IF CHECKED_TRACE@
        .i_write_check(trace_check),
@ELSE@
        .i_write_check({@NODES@*@BANKS@{1'b0}}),
@END@
        .i_write(trace_write), .i_write_address(trace_address), .i_write_data(trace_data)
@ELSE@
        .i_write_check(@NODES@'d0), .i_write(@NODES@'d0), .i_write_address({@NODES@*(1+@INDEX_BITS@){1'b0}}),
        .i_write_data({@NODES@*@WORD_BITS@{1'b0}})
@END@
    );

    @FABRIC@ #(.ROM_FOLDER(ROM_FOLDER)) u_fabric (
@IF PROTECT@
        .o_fault(), .o_error(fabric_error),
@IF REGISTERS@
        .o_error_what(fault), .o_error_nodes(fault_nodes), .o_error_round(fault_round),
@ELSE@
        .o_error_what(), .o_error_nodes(), .o_error_round(),
@END@
@END@
@INCLUDE gen/templates/choice/inputs.v@
        .i_clk(i_clk), .i_rst(i_rst | fabric_rst), .i_start(start), .o_done(done),
@IF REGISTERS@
        .o_busy(),
@ELSE@
        .o_busy(o_busy),
@END@
@IF OVERLAP@
@IF CHECKED_TRACE@
        .o_trace_check(trace_check),
@END@
        .o_trace_link(), .o_trace_drive(),
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data),
@END@
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data), .i_read_token(read_token),
        .i_read_word(read_word), .o_read_data(read_data)
    );
endmodule

`default_nettype wire
