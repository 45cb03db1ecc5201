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
// Node v has bit v, or bits [v*@TOKEN_BITS@ +: @TOKEN_BITS@] of tdata. rtl/gfab_axis_ctrl.v says what errors there are.
`default_nettype none

@IF REGISTERS@
module @FABRIC@_registers #(
@ELSE@
module @FABRIC@_axis #(
@END@
    parameter ROM_FOLDER   = "@ROM_FOLDER@", // as in @FABRIC@
    parameter LOAD_LIMIT   = 0, // cycles from the first node's token to the last one's; 0: none
    parameter GOSSIP_LIMIT = @LONGEST_CYCLES@ // of a gossip; this much no program in @ROM_FOLDER@/ can take; 0: none
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
    localparam NODES      = @NODES@;
    localparam LANES      = @FLITS_OF_WORD@; // flits of a word
    localparam LINK_BITS  = @LINK_BITS@;
    localparam WORDS      = @WORDS@;
@IF BLOCKS@
    localparam PROGRAMS     = @PROGRAMS@;
    localparam PROGRAM_BITS = @PROGRAM_BITS@;
    localparam BLOCK_BITS   = @AXIS_BLOCK_BITS@;
@ELSE@
    localparam PARTS      = @PARTS@;
@IF REGISTERS@
    localparam PROGRAMS     = @PROGRAMS@;
    localparam PROGRAM_BITS = @PROGRAM_BITS@;
@END@
@END@
@IF REGISTERS@
    localparam ADDRESS_BITS = @ADDRESS_BITS@;
@END@
    localparam TOKEN_BITS = @TOKEN_BITS@;
    localparam SLOT_BITS  = @SLOT_BITS@;
@IF OVERLAP@
    localparam STORE_BITS = @STORE_SLOT_BITS@; // of a slot in a node's store
@END@
    localparam INDEX_BITS = @INDEX_BITS@;
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam WORD_BITS  = LANES * LINK_BITS;

@IF BLOCKS@
    // Of each node, node 0 last, for each program, program 0 last: blocks to load, how many and from which on; blocks
    // to read, likewise, and in which steps. Of wide nodes, and of those of an all-to-all, they are numbers among
    // the node's own.
    localparam                          FIELD = BLOCK_BITS + 1;
    localparam [NODES*PROGRAMS*2*FIELD-1:0] LOADS = {
@FOR NODES@
        @AXIS_LOADS@@COMMA@
@END@
    };
    localparam [NODES*PROGRAMS*3*FIELD-1:0] READS = {
@FOR NODES@
        @AXIS_READS@@COMMA@
@END@
    };

@END@
    wire start, done, load, unload, fabric_rst, error;
@IF REGISTERS@
    wire clear;
    wire [2:0] status;
    wire [NODES-1:0] error_nodes;
    wire [ADDRESS_BITS-1:2] read_address, write_address;
    wire [31:0] register_read, register_write;
    wire [3:0] register_strobe;
    wire writes, refused;
    wire s_command_tvalid, s_command_tready;
    wire [3+PROGRAM_BITS-1:0] s_command_tdata;
@ELSE@
    assign o_error = error;
@END@
@IF PROTECT@
    wire fabric_error;
@IF REGISTERS@
    wire [3:0] fault;
    wire [NODES-1:0] fault_nodes;
    wire [@ROUND_BITS@-1:0] fault_round;
@END@
@ELSE@
    wire fabric_error = 1'b0; // the fabric watches nothing itself
@END@
    wire [NODES-1:0] node_done, node_long, load_valid;
    wire [NODES*LOAD_BITS-1:0] load_word;
    wire [NODES*WORD_BITS-1:0] load_data, read_data;
    wire [NODES*SLOT_BITS-1:0] read_token;
    wire [NODES*INDEX_BITS-1:0] read_word;
@IF OVERLAP@
@IF BLOCKS@
    localparam [3*FIELD-1:0] COUNTS = {{FIELD{1'b0}}, {FIELD{1'b1}}, {FIELD{1'b0}}}; // in a program's part of READS
@ELSE@
    // Of each node, node 0 last: the slot that the store has its own token in.
    localparam [NODES*SLOT_BITS-1:0] OWN_SLOT = {
@FOR NODES@
        @SLOT_BITS@'d@OWN_SLOT_NUMBER@@COMMA@
@END@
    };
@END@
    // Of each node, node 0 last: the slots of its store.
    localparam [NODES*32-1:0] STORE_SLOTS = {
@FOR NODES@
        32'd@NODE_SLOTS@@COMMA@
@END@
    };
    // The last gossip's beats go out while the next one is loaded and played; unloading waits for those before them.
    wire [NODES-1:0] loaded, idle, giving, given, trace_write;
    wire [NODES*(STORE_BITS+INDEX_BITS)-1:0] trace_address;
    wire [NODES*WORD_BITS-1:0] trace_data;
    wire [NODES*STORE_BITS-1:0] read_slot;
@IF PROTECT@
    // The fabric's verdict comes two cycles after it is done.
    reg judged_q;
    always @@(posedge i_clk)
        judged_q <= unload;
    wire [NODES-1:0] trace_check, faults;
@IF PLACED@
    wire [NODES-1:0] place_faults;
@END@
    wire take = unload & judged_q & (&idle) & ~error & ~fabric_error;
    assign node_done = unload ? idle & {NODES{judged_q}} : loaded;
@ELSE@
    wire take = unload & (&idle) & ~error & ~fabric_error;
    assign node_done = unload ? idle : loaded;
@END@
@IF PLACED@
@FOR NODES@
    gfab_places #(
        .FILE({ROM_FOLDER, "/places_@NAME@.hex"}), .COUNT(@PLACE_COUNT@), .PLACE_BITS(STORE_BITS)@CHECKS@
    ) u_places_@NAME@ (
@IF PROTECT@
        .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(giving[@PLACE@]), .o_fault(place_faults[@PLACE@]),
@ELSE@
        .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(1'b0), .o_fault(),
@END@
        .i_block(read_token[@PLACE@*SLOT_BITS+:SLOT_BITS]), .o_place(read_slot[@PLACE@*STORE_BITS+:STORE_BITS])
    );
@END@
@ELSE@
    assign read_slot = read_token;
@END@
@END@

    gfab_axis_ctrl #(
        .NODES(NODES), .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_ctrl (
        .i_clk(i_clk), .i_rst(i_rst), .o_start(start), .i_done(done),
@IF CHECKED_TRACE@
@IF PLACED@
        .i_error(fabric_error | (|faults) | (|place_faults)),
@ELSE@
        .i_error(fabric_error | (|faults)),
@END@
@ELSE@
        .i_error(fabric_error),
@END@
        .o_fabric_rst(fabric_rst), .o_load(load), .o_unload(unload), .i_node_done(node_done), .i_node_long(node_long),
@IF REGISTERS@
        .i_clear(clear), .o_error(error), .o_status(status), .o_error_nodes(error_nodes)
@ELSE@
        .i_clear(i_clear), .o_error(error), .o_status(o_status), .o_error_nodes(o_error_nodes)
@END@
    );

@IF COMMANDS@
    wire load_now;
@IF BLOCKS@
    wire [PROGRAM_BITS-1:0] chosen;
@END@
@IF ALL_OPERATORS@
    wire [2:0] operator;
@END@
    gfab_axis_command #(
        .PROGRAMS(PROGRAMS), .PROGRAM_BITS(PROGRAM_BITS), .OPERATOR_BITS(3)
    ) u_command (
        .i_clk(i_clk), .i_rst(i_rst), .s_axis_tvalid(s_command_tvalid), .s_axis_tready(s_command_tready),
        .s_axis_tdata(s_command_tdata), .i_load(load), .i_start(start), .o_load(load_now),
@IF BLOCKS@
        .o_program(chosen),
@ELSE@
        .o_program(),
@END@
@IF ALL_OPERATORS@
        .o_operator(operator)
@ELSE@
        .o_operator()
@END@
    );
@END@
@IF OVERLAP@
@IF BLOCKS@
@IF COMMANDS@
    reg [PROGRAM_BITS-1:0] taken_q; // the program whose results go out
    always @@(posedge i_clk)
        if (take)
            taken_q <= chosen;
@END@
@END@
@END@
@IF REGISTERS@

@IF AXI_LITE@
    gfab_axi_lite #(.ADDRESS_BITS(ADDRESS_BITS)) u_bus (
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
@ELSE@
    gfab_wishbone #(.ADDRESS_BITS(ADDRESS_BITS)) u_bus (
        .i_wb_cyc(i_wb_cyc), .i_wb_stb(i_wb_stb), .i_wb_we(i_wb_we), .i_wb_adr(i_wb_adr), .i_wb_dat(i_wb_dat),
        .i_wb_sel(i_wb_sel), .o_wb_ack(o_wb_ack), .o_wb_err(o_wb_err), .o_wb_dat(o_wb_dat),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .o_read_address(read_address), .i_read_data(register_read), .o_write(writes),
        .o_write_address(write_address), .o_write_data(register_write), .o_write_strobe(register_strobe),
        .i_write_refused(refused)
    );
    gfab_registers #(
        .ADDRESS_BITS(ADDRESS_BITS), .IDENTITY(32'h@IDENTITY_WORD@), .NODES(NODES), .TOKEN_BITS(TOKEN_BITS),
        .PROGRAMS(PROGRAMS), .PROGRAM_BITS(PROGRAM_BITS), .OPERATORS(@OPERATORS@), .PROTECT(@PROTECT@),
@IF PROTECT@
        .ROUND_BITS(@ROUND_BITS@)
    ) u_registers (
        .i_fault(fault), .i_fault_nodes(fault_nodes), .i_fault_round(fault_round),
@ELSE@
        .ROUND_BITS(1)
    ) u_registers (
        .i_fault(4'b0), .i_fault_nodes({NODES{1'b0}}), .i_fault_round(1'b0),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .o_interrupt(o_interrupt), .i_read_address(read_address),
        .o_read_data(register_read), .i_write(writes), .i_write_address(write_address),
        .i_write_data(register_write), .i_write_strobe(register_strobe), .o_write_refused(refused),
        .m_axis_tvalid(s_command_tvalid), .m_axis_tready(s_command_tready), .m_axis_tdata(s_command_tdata),
@IF OVERLAP@
        .i_unload(unload | ~(&idle)),
@ELSE@
        .i_unload(unload),
@END@
        .i_load(load_now), .i_start(start), .i_error(error), .i_status(status),
        .i_error_nodes(error_nodes), .o_clear(clear), .i_done(done)
    );
@END@

    genvar v;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_host
@IF BLOCKS@
            gfab_axis_blocks #(
                .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .TOKEN_BITS(TOKEN_BITS), .PROGRAMS(PROGRAMS),
                .PROGRAM_BITS(PROGRAM_BITS), .LOAD_BITS(LOAD_BITS), .SLOT_BITS(SLOT_BITS), .BLOCK_BITS(BLOCK_BITS),
                .LOADS(LOADS[v*PROGRAMS*2*FIELD+:PROGRAMS*2*FIELD]),
                .READS(READS[v*PROGRAMS*3*FIELD+:PROGRAMS*3*FIELD]), .PROTECT(@PROTECT@)
            ) u_host (
@IF COMMANDS@
                .i_program(chosen), .i_load(load_now),
@ELSE@
                .i_program(1'b0), .i_load(load),
@END@
                .o_wrong(node_long[v]),
@ELSE@
            gfab_axis_host #(
                .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),
                .TOKEN_BITS(TOKEN_BITS)
            ) u_host (
@IF COMMANDS@
                .i_load(load_now),
@ELSE@
                .i_load(load),
@END@
                .o_long(node_long[v]),
@END@
@IF OVERLAP@
                .i_unload(1'b0), .o_done(loaded[v]),
                .m_axis_tvalid(), .m_axis_tready(1'b0), .m_axis_tdata(), .m_axis_tlast(),
                .o_read_token(), .o_read_word(), .i_read_data({WORD_BITS{1'b0}}),
@ELSE@
                .i_unload(unload), .o_done(node_done[v]),
                .m_axis_tvalid(m_axis_tvalid[v]), .m_axis_tready(m_axis_tready[v]),
                .m_axis_tdata(m_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .m_axis_tlast(m_axis_tlast[v]),
                .o_read_token(read_token[v*SLOT_BITS+:SLOT_BITS]),
                .o_read_word(read_word[v*INDEX_BITS+:INDEX_BITS]),
                .i_read_data(read_data[v*WORD_BITS+:WORD_BITS]),
@END@
                .i_clk(i_clk), .i_rst(i_rst),
                .s_axis_tvalid(s_axis_tvalid[v]), .s_axis_tready(s_axis_tready[v]),
                .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .s_axis_tlast(s_axis_tlast[v]),
                .o_load_valid(load_valid[v]), .o_load_word(load_word[v*LOAD_BITS+:LOAD_BITS]),
                .o_load_data(load_data[v*WORD_BITS+:WORD_BITS])
            );
@IF OVERLAP@
@IF BLOCKS@
            gfab_axis_blocks #(
                .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .TOKEN_BITS(TOKEN_BITS), .PROGRAMS(PROGRAMS),
                .PROGRAM_BITS(PROGRAM_BITS), .LOAD_BITS(LOAD_BITS), .SLOT_BITS(SLOT_BITS), .BLOCK_BITS(BLOCK_BITS),
                .LOADS(LOADS[v*PROGRAMS*2*FIELD+:PROGRAMS*2*FIELD]),
                .READS(READS[v*PROGRAMS*3*FIELD+:PROGRAMS*3*FIELD]), .PROTECT(@PROTECT@)
            ) u_giver (
@IF COMMANDS@
                .i_program(taken_q),
@ELSE@
                .i_program(1'b0),
@END@
                .o_wrong(),
@ELSE@
            gfab_axis_host #(
                .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),
                .TOKEN_BITS(TOKEN_BITS)
            ) u_giver (
                .o_long(),
@END@
                .i_clk(i_clk), .i_rst(i_rst), .i_load(1'b0), .i_unload(giving[v]), .o_done(given[v]),
                .s_axis_tvalid(1'b0), .s_axis_tready(), .s_axis_tdata({TOKEN_BITS{1'b0}}), .s_axis_tlast(1'b1),
                .m_axis_tvalid(m_axis_tvalid[v]), .m_axis_tready(m_axis_tready[v]),
                .m_axis_tdata(m_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .m_axis_tlast(m_axis_tlast[v]),
                .o_load_valid(), .o_load_word(), .o_load_data(),
                .o_read_token(read_token[v*SLOT_BITS+:SLOT_BITS]),
                .o_read_word(read_word[v*INDEX_BITS+:INDEX_BITS]),
                .i_read_data(read_data[v*WORD_BITS+:WORD_BITS])
            );
            gfab_axis_overlap #(
@IF BLOCKS@
                .GIVES(|(READS[v*PROGRAMS*3*FIELD+:PROGRAMS*3*FIELD] & {PROGRAMS{COUNTS}})), // a relay gives nothing
@END@
                .STORE_SLOTS(STORE_SLOTS[v*32+:32]), .SLOTS(@STORE_SLOTS@), .PARTS(@PARTS@), .ANY_SLOT(@ANY_SLOT@),
                .WORDS(WORDS), .WORD_BITS(WORD_BITS), .PROTECT(@PROTECT@)
            ) u_overlap (
                .i_clk(i_clk), .i_rst(i_rst), .i_take(take), .o_idle(idle[v]), .o_unload(giving[v]), .i_given(given[v]),
                .i_read_slot(read_slot[v*STORE_BITS+:STORE_BITS]), .i_read_word(read_word[v*INDEX_BITS+:INDEX_BITS]),
                .o_read_data(read_data[v*WORD_BITS+:WORD_BITS]),
                .i_load_valid(load_valid[v]), @OVERLAP_LOADED_WORD@,
                .i_load_data(load_data[v*WORD_BITS+:WORD_BITS]), .i_write(trace_write[v]),
@IF BLOCKS@
                .i_own_slot({STORE_BITS{1'b0}}),
@ELSE@
                .i_own_slot(OWN_SLOT[v*SLOT_BITS+:SLOT_BITS]),
@END@
                .i_write_address(trace_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS]),
                .i_write_data(trace_data[v*WORD_BITS+:WORD_BITS]),
@IF PROTECT@
                .i_write_check(trace_check[v]), .o_fault(faults[v])
@ELSE@
                .i_write_check(1'b0), .o_fault()
@END@
            );
@END@
        end
    endgenerate

    @FABRIC@ #(.ROM_FOLDER(ROM_FOLDER)) u_fabric (
@IF PROTECT@
        .o_fault(), .o_error(fabric_error),
@IF REGISTERS@
        .o_error_what(fault), .o_error_nodes(fault_nodes), .o_error_round(fault_round),
@ELSE@
        .o_error_what(), .o_error_nodes(), .o_error_round(),
@END@
@END@
@IF SEVERAL_PROGRAMS@
        .i_program(chosen),
@END@
@IF ALL_OPERATORS@
        .i_operator(operator),
@END@
        .i_clk(i_clk), .i_rst(i_rst | fabric_rst), .i_start(start), .o_done(done),
@IF REGISTERS@
        .o_busy(),
@ELSE@
        .o_busy(o_busy),
@END@
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
@IF OVERLAP@
        .i_read_token({NODES*SLOT_BITS{1'b0}}), .i_read_word({NODES*INDEX_BITS{1'b0}}), .o_read_data(),
        .o_trace_link(), .o_trace_drive(),
@IF PROTECT@
        .o_trace_check(trace_check),
@END@
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data)
@ELSE@
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()
@END@
    );
endmodule

`default_nettype wire
