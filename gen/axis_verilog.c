/* SPDX-License-Identifier: MIT */
/* gossip_fabric_axis.v: a gfab_axis_host at every node and one gfab_axis_ctrl. */
#include "gen.h"

#include <inttypes.h>

void gfab_gen_axis_verilog(const gfab_gen *gen, FILE *file)
{
    gfab_gen_banner(gen, "//", file);
    fprintf(file,
            "// AXI4-Stream at every node: s_axis takes its token, m_axis gives the tokens of all %zu by origin. Node "
            "v has bit v, or\n"
            "// bits [v*%" PRIu32 " +: %" PRIu32 "] of tdata.\n"
            "`default_nettype none\n\n"
            "module gossip_fabric_axis (\n"
            "    input  wire         i_clk,\n"
            "    input  wire         i_rst, // synchronous, active high\n"
            "    output wire         o_busy, // a gossip runs\n"
            "    input  wire [%zu:0] s_axis_tvalid,\n"
            "    output wire [%zu:0] s_axis_tready,\n"
            "    input  wire [%zu:0] s_axis_tdata,\n"
            "    output wire [%zu:0] m_axis_tvalid,\n"
            "    input  wire [%zu:0] m_axis_tready,\n"
            "    output wire [%zu:0] m_axis_tdata,\n"
            "    output wire [%zu:0] m_axis_tlast\n"
            ");\n",
            gen->nodes, gen->timing->token_bits, gen->timing->token_bits, gen->nodes - 1, gen->nodes - 1,
            gen->nodes * gen->timing->token_bits - 1, gen->nodes - 1, gen->nodes - 1,
            gen->nodes * gen->timing->token_bits - 1, gen->nodes - 1);
    fprintf(file,
            "    localparam NODES      = %zu;\n"
            "    localparam LANES      = %" PRIu32 "; // flits of a word\n"
            "    localparam LINK_BITS  = %" PRIu32 ";\n"
            "    localparam WORDS      = %" PRIu32 ";\n"
            "    localparam PARTS      = %" PRIu32 ";\n"
            "    localparam TOKEN_BITS = %" PRIu32 ";\n"
            "    localparam SLOT_BITS  = %" PRIu32 ";\n"
            "    localparam INDEX_BITS = %" PRIu32 ";\n"
            "    localparam LOAD_BITS  = %" PRIu32 ";\n"
            "    localparam WORD_BITS  = LANES * LINK_BITS;\n\n"
            "    wire start, done, load, unload;\n"
            "    wire [NODES-1:0] node_done, load_valid;\n"
            "    wire [NODES*LOAD_BITS-1:0] load_word;\n"
            "    wire [NODES*INDEX_BITS-1:0] read_word;\n"
            "    wire [NODES*WORD_BITS-1:0] load_data, read_data;\n"
            "    wire [NODES*SLOT_BITS-1:0] read_token;\n\n",
            gen->nodes, gen->word_bits / gen->link_bits, gen->link_bits, gen->timing->words, gen->timing->parts,
            gen->timing->token_bits, gen->slot_bits, gen->index_bits, gen->load_bits);
    fprintf(file,
            "    gfab_axis_ctrl #(.NODES(NODES)) u_ctrl (\n"
            "        .i_clk(i_clk), .i_rst(i_rst), .o_start(start), .i_done(done),\n"
            "        .o_load(load), .o_unload(unload), .i_node_done(node_done)\n"
            "    );\n\n"
            "    genvar v;\n"
            "    generate\n"
            "        for (v = 0; v < NODES; v = v + 1) begin : gen_host\n"
            "            gfab_axis_host #(\n"
            "                .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),\n"
            "                .TOKEN_BITS(TOKEN_BITS)\n"
            "            ) u_host (\n"
            "                .i_clk(i_clk), .i_rst(i_rst), .i_load(load), .i_unload(unload), .o_done(node_done[v]),\n"
            "                .s_axis_tvalid(s_axis_tvalid[v]), .s_axis_tready(s_axis_tready[v]),\n"
            "                .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]),\n"
            "                .m_axis_tvalid(m_axis_tvalid[v]), .m_axis_tready(m_axis_tready[v]),\n"
            "                .m_axis_tdata(m_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .m_axis_tlast(m_axis_tlast[v]),\n"
            "                .o_load_valid(load_valid[v]), .o_load_word(load_word[v*LOAD_BITS+:LOAD_BITS]),\n"
            "                .o_load_data(load_data[v*WORD_BITS+:WORD_BITS]),\n"
            "                .o_read_token(read_token[v*SLOT_BITS+:SLOT_BITS]),\n"
            "                .o_read_word(read_word[v*INDEX_BITS+:INDEX_BITS]),\n"
            "                .i_read_data(read_data[v*WORD_BITS+:WORD_BITS])\n"
            "            );\n"
            "        end\n"
            "    endgenerate\n\n");
    fprintf(file, "    gossip_fabric u_fabric (\n"
                  "        .i_clk(i_clk), .i_rst(i_rst), .i_start(start), .o_busy(o_busy), .o_done(done),\n"
                  "        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),\n"
                  "        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),\n"
                  "        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()\n"
                  "    );\n"
                  "endmodule\n\n`default_nettype wire\n");
}
