@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// AXI4-Stream at every node: s_axis takes its token, m_axis gives the tokens of all @NODES@ by origin.
// Node v has bit v, or bits [v*@TOKEN_BITS@ +: @TOKEN_BITS@] of tdata. rtl/gfab_axis_ctrl.v says what errors there are.
`default_nettype none

module gossip_fabric_axis #(
    parameter LOAD_LIMIT   = 0, // cycles from the first node's token to the last one's; 0: none
    parameter GOSSIP_LIMIT = @LONGEST_CYCLES@ // of a gossip; this much no program in rom/ can take; 0: none
) (
    input  wire i_clk,
    input  wire i_rst, // synchronous, active high
    output wire o_busy, // a gossip runs
    output wire o_error, // until i_clear: nothing moves
    output wire [2:0] o_status, // the last error: 1 a token late, 2 a packet too long, 3 stuck, 4 the fabric's own
    output wire [@NODES@-1:0] o_error_nodes, // 1 and 2: of these nodes
    input  wire i_clear, // begin anew after an error; may be tied to 1
    input  wire [@NODES@-1:0] s_axis_tvalid,
    output wire [@NODES@-1:0] s_axis_tready,
    input  wire [@NODES@*@TOKEN_BITS@-1:0] s_axis_tdata,
    input  wire [@NODES@-1:0] s_axis_tlast, // 1: a token is a packet of one beat
    output wire [@NODES@-1:0] m_axis_tvalid,
    input  wire [@NODES@-1:0] m_axis_tready,
    output wire [@NODES@*@TOKEN_BITS@-1:0] m_axis_tdata,
    output wire [@NODES@-1:0] m_axis_tlast
);
    localparam NODES      = @NODES@;
    localparam LANES      = @FLITS_OF_WORD@; // flits of a word
    localparam LINK_BITS  = @LINK_BITS@;
    localparam WORDS      = @WORDS@;
    localparam PARTS      = @PARTS@;
    localparam TOKEN_BITS = @TOKEN_BITS@;
    localparam SLOT_BITS  = @SLOT_BITS@;
    localparam INDEX_BITS = @INDEX_BITS@;
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam WORD_BITS  = LANES * LINK_BITS;

    wire start, done, load, unload, fabric_rst;
@IF PROTECT@
    wire fabric_error;
@ELSE@
    wire fabric_error = 1'b0; // the fabric watches nothing itself
@END@
    wire [NODES-1:0] node_done, node_long, load_valid;
    wire [NODES*LOAD_BITS-1:0] load_word;
    wire [NODES*INDEX_BITS-1:0] read_word;
    wire [NODES*WORD_BITS-1:0] load_data, read_data;
    wire [NODES*SLOT_BITS-1:0] read_token;

    gfab_axis_ctrl #(
        .NODES(NODES), .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_ctrl (
        .i_clk(i_clk), .i_rst(i_rst), .o_start(start), .i_done(done), .i_error(fabric_error),
        .o_fabric_rst(fabric_rst), .o_load(load), .o_unload(unload), .i_node_done(node_done), .i_node_long(node_long),
        .i_clear(i_clear), .o_error(o_error), .o_status(o_status), .o_error_nodes(o_error_nodes)
    );

    genvar v;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_host
            gfab_axis_host #(
                .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),
                .TOKEN_BITS(TOKEN_BITS)
            ) u_host (
                .i_clk(i_clk), .i_rst(i_rst), .i_load(load), .i_unload(unload), .o_done(node_done[v]),
                .o_long(node_long[v]),
                .s_axis_tvalid(s_axis_tvalid[v]), .s_axis_tready(s_axis_tready[v]),
                .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .s_axis_tlast(s_axis_tlast[v]),
                .m_axis_tvalid(m_axis_tvalid[v]), .m_axis_tready(m_axis_tready[v]),
                .m_axis_tdata(m_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .m_axis_tlast(m_axis_tlast[v]),
                .o_load_valid(load_valid[v]), .o_load_word(load_word[v*LOAD_BITS+:LOAD_BITS]),
                .o_load_data(load_data[v*WORD_BITS+:WORD_BITS]),
                .o_read_token(read_token[v*SLOT_BITS+:SLOT_BITS]),
                .o_read_word(read_word[v*INDEX_BITS+:INDEX_BITS]),
                .i_read_data(read_data[v*WORD_BITS+:WORD_BITS])
            );
        end
    endgenerate

    gossip_fabric u_fabric (
@IF PROTECT@
        .o_fault(), .o_error(fabric_error), .o_error_what(), .o_error_nodes(), .o_error_round(),
@END@
        .i_clk(i_clk), .i_rst(i_rst | fabric_rst), .i_start(start), .o_busy(o_busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );
endmodule

`default_nettype wire
