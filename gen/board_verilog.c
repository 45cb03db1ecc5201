/* SPDX-License-Identifier: MIT */
/* board_top.v: the fabric, its self-test, reset, LEDs and UART. */
#include "gen.h"

#include <inttypes.h>
#include <string.h>

#define UART_BITS_PER_SECOND 115200

void gfab_gen_board_verilog(const gfab_gen *gen, FILE *file)
{
    const gfab_board *board = gen->options->board;
    const char *name = gfab_topology_name(gen->topology);
    gfab_gen_banner(gen, "//", file);
    fprintf(file,
            "// %s: the fabric tests itself over and over; rtl/gfab_selftest.v says how and what it reports.\n"
            "// LEDs: 0 changes with every test, 1 testing, 2 pass, 3 fail, 4 some test since reset failed, 5 a gossip "
            "runs.\n"
            "`default_nettype none\n\n"
            "module board_top #(\n"
            "    parameter CLOCKS_PER_BIT = %" PRIu32 ", // %d baud at %" PRIu32 " Hz\n"
            "    parameter PAUSE_BITS     = 23   // log2 of the pause between two tests, in cycles\n"
            ") (\n"
            "    input  wire       i_clk,\n"
            "    output wire [7:0] o_led,\n"
            "    output wire       o_uart_tx\n"
            ");\n",
            board->summary, board->clock_hz / UART_BITS_PER_SECOND, UART_BITS_PER_SECOND, board->clock_hz);
    fprintf(file,
            "    localparam NODES      = %zu;\n"
            "    localparam SLOT_BITS  = %" PRIu32 ";\n"
            "    localparam INDEX_BITS = %" PRIu32 ";\n"
            "    localparam LOAD_BITS  = %" PRIu32 ";\n"
            "    localparam WORD_BITS  = %" PRIu32 ";\n\n"
            "    wire rst, fabric_rst, start, done;\n"
            "    wire [NODES-1:0] load_valid;\n"
            "    wire [LOAD_BITS-1:0] load_word;\n"
            "    wire [INDEX_BITS-1:0] read_word;\n"
            "    wire [WORD_BITS-1:0] load_data;\n"
            "    wire [SLOT_BITS-1:0] read_token;\n"
            "    wire [NODES*WORD_BITS-1:0] read_data;\n\n"
            "    gfab_reset u_reset (.i_clk(i_clk), .o_rst(rst));\n\n",
            gen->nodes, gen->slot_bits, gen->index_bits, gen->load_bits, gen->word_bits);
    fprintf(file,
            "    gfab_selftest #(\n"
            "        .NODES(NODES), .LANES(%" PRIu32 "), .LINK_BITS(%" PRIu32 "), .WORDS(%" PRIu32 "), .PARTS(%" PRIu32
            "), .TOKEN_BITS(%" PRIu32 "),\n"
            "        .EXPECTED_CYCLES(%" PRIu64 "), .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .PAUSE_BITS(PAUSE_BITS),\n"
            "        .NAME_CHARS(%zu), .NAME(\"%s\")\n"
            "    ) u_selftest (\n"
            "        .i_clk(i_clk), .i_rst(rst), .o_fabric_rst(fabric_rst), .o_start(start), .i_done(done),\n"
            "        .o_load_valid(load_valid), .o_load_word(load_word), .o_load_data(load_data),\n"
            "        .o_read_token(read_token), .o_read_word(read_word), .i_read_data(read_data),\n"
            "        .o_uart_tx(o_uart_tx), .o_heartbeat(o_led[0]), .o_busy(o_led[1]), .o_pass(o_led[2]),\n"
            "        .o_fail(o_led[3]), .o_failed(o_led[4])\n"
            "    );\n"
            "    assign o_led[7:6] = 2'b0;\n\n",
            gen->word_bits / gen->link_bits, gen->link_bits, gen->timing->words, gen->timing->parts,
            gen->timing->token_bits, gen->cycles, strlen(name), name);
    fprintf(file,
            "    gossip_fabric u_fabric (\n"
            "        .i_clk(i_clk), .i_rst(fabric_rst), .i_start(start), .o_busy(o_led[5]), .o_done(done),\n"
            "        .i_load_valid(load_valid), .i_load_word({NODES{load_word}}), .i_load_data({NODES{load_data}}),\n"
            "        .i_read_token({NODES{read_token}}), .i_read_word({NODES{read_word}}), .o_read_data(read_data),\n"
            "        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()\n"
            "    );\n"
            "endmodule\n\n`default_nettype wire\n");
}
