@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
// AXI4-Stream at every node: s_axis takes its token, m_axis gives the tokens of all @NODES@ by origin.
// Node v has bit v, or bits [v*@TOKEN_BITS@ +: @TOKEN_BITS@] of tdata.
`default_nettype none

module gossip_fabric_axis (
    input  wire i_clk,
    input  wire i_rst, // synchronous, active high
    output wire o_busy, // a gossip runs
    input  wire [@NODES@-1:0] s_axis_tvalid,
    output wire [@NODES@-1:0] s_axis_tready,
    input  wire [@NODES@*@TOKEN_BITS@-1:0] s_axis_tdata,
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

    wire start, done, load, unload;
    wire [NODES-1:0] node_done, load_valid;
    wire [NODES*LOAD_BITS-1:0] load_word;
    wire [NODES*INDEX_BITS-1:0] read_word;
    wire [NODES*WORD_BITS-1:0] load_data, read_data;
    wire [NODES*SLOT_BITS-1:0] read_token;

    gfab_axis_ctrl #(.NODES(NODES)) u_ctrl (
        .i_clk(i_clk), .i_rst(i_rst), .o_start(start), .i_done(done),
        .o_load(load), .o_unload(unload), .i_node_done(node_done)
    );

    genvar v;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_host
            gfab_axis_host #(
                .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),
                .TOKEN_BITS(TOKEN_BITS)
            ) u_host (
                .i_clk(i_clk), .i_rst(i_rst), .i_load(load), .i_unload(unload), .o_done(node_done[v]),
                .s_axis_tvalid(s_axis_tvalid[v]), .s_axis_tready(s_axis_tready[v]),
                .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]),
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
        .o_error(), .o_error_what(), .o_error_nodes(), .o_error_round(),
@END@
        .i_clk(i_clk), .i_rst(i_rst), .i_start(start), .o_busy(o_busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );
endmodule

`default_nettype wire
