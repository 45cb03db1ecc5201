/* SPDX-License-Identifier: MIT */
/* The tops around gossip_fabric: the measuring harness, AXI4-Stream, the board. */
#include "gen.h"

#include <inttypes.h>

void gfab_gen_harness_verilog(const gfab_gen *gen, FILE *file)
{
    gfab_gen_banner(gen, "//", file);
    fprintf(file,
            "// The fabric alone, for `make fabric-pnr`: rtl/gfab_harness.v between it and four pins.\n"
            "`default_nettype none\n\n"
            "module gossip_fabric_harness (\n"
            "    input  wire i_clk,\n"
            "    input  wire i_rst,\n"
            "    input  wire i_start,\n"
            "    input  wire i_bit,\n"
            "    output wire o_bit\n"
            ");\n"
            "    wire rst, start, busy, done;\n"
            "    wire [%zu:0] load_valid;\n"
            "    wire [%zu:0] load_word;\n"
            "    wire [%zu:0] read_word;\n"
            "    wire [%zu:0] load_data, read_data;\n"
            "    wire [%zu:0] read_token;\n\n",
            gen->nodes - 1, gen->nodes * gen->load_bits - 1, gen->nodes * gen->index_bits - 1,
            gen->nodes * gen->word_bits - 1, gen->nodes * gen->slot_bits - 1);
    fprintf(file,
            "    gfab_harness #(\n"
            "        .NODES(%zu), .SLOT_BITS(%" PRIu32 "), .INDEX_BITS(%" PRIu32 "), .LOAD_BITS(%" PRIu32
            "), .WORD_BITS(%" PRIu32 ")\n"
            "    ) u_harness (\n"
            "        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_bit(i_bit), .o_bit(o_bit),\n"
            "        .o_rst(rst), .o_start(start), .i_busy(busy), .i_done(done),\n"
            "        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),\n"
            "        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data)\n"
            "    );\n\n",
            gen->nodes, gen->slot_bits, gen->index_bits, gen->load_bits, gen->word_bits);
    fprintf(file, "    gossip_fabric u_fabric (\n"
                  "        .i_clk(i_clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),\n"
                  "        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),\n"
                  "        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data),\n"
                  "        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()\n"
                  "    );\n"
                  "endmodule\n\n`default_nettype wire\n");
}
