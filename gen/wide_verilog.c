/* SPDX-License-Identifier: MIT */
/* What gossip_fabric.v of a wide fabric has instead of the narrow one's sequencer, programs and nodes. */
#include "gen.h"

#include <inttypes.h>

static uint32_t field_bits(const gfab_gen *gen)
{
    return gfab_banks_word_bits(gen->banks) - 2;
}

/* One bit for each lane and bank, lane * banks + bank, highest first. */
static void write_ways(const gfab_gen *gen, bool (*has)(const gfab_crossbar *, uint32_t, uint32_t), FILE *file)
{
    const gfab_crossbar *crossbar = gfab_banks_crossbar(gen->banks);
    fprintf(file, "%" PRIu32 "'b", crossbar->lanes * crossbar->banks);
    for (uint32_t lane = crossbar->lanes; lane-- > 0;)
        for (uint32_t bank = crossbar->banks; bank-- > 0;)
            fputc(has(crossbar, lane, bank) ? '1' : '0', file);
}

void gfab_gen_wide_sequencer(const gfab_gen *gen, FILE *file)
{
    const gfab_crossbar *crossbar = gfab_banks_crossbar(gen->banks);
    fprintf(file,
            "    localparam NODES      = %zu;\n"
            "    localparam LANES      = %" PRIu32 "; // ports of the largest node\n"
            "    localparam BANKS      = %" PRIu32 "; // RAMs of a node's store\n"
            "    localparam LINK_BITS  = %" PRIu32 ";\n"
            "    localparam WORDS      = %" PRIu32 "; // flits of a token, and cycles of a round\n"
            "    localparam ROUND_BITS = %" PRIu32 "; // the ROMs hold 2^ROUND_BITS rounds\n"
            "    localparam DIRECT     = %" PRIu32 "; // 1: no register between banks and links\n"
            "    localparam LATENCY    = %" PRIu32 "; // registers on every link\n",
            gen->nodes, gen->lanes, crossbar->banks, gen->link_bits, gen->timing->words, gen->round_bits,
            gen->timing->direct, gen->timing->latency_cycles);
    fprintf(file, "    // Crossbar %s: bit lane * BANKS + bank.\n    localparam [LANES*BANKS-1:0] TAKES = ",
            gfab_crossbar_name(crossbar->kind));
    write_ways(gen, gfab_crossbar_takes, file);
    fprintf(file, ";\n    localparam [LANES*BANKS-1:0] GIVES = ");
    write_ways(gen, gfab_crossbar_gives, file);
    fprintf(file, ";\n    localparam [BANKS-1:0] OWN = %" PRIu32 "'b", crossbar->banks);
    for (uint32_t bank = crossbar->banks; bank-- > 0;)
        fputc(gfab_crossbar_holds_own(crossbar, bank) ? '1' : '0', file);
    fprintf(file,
            ";\n\n"
            "    wire [ROUND_BITS-1:0] round, write_round;\n"
            "    wire [%" PRIu32 ":0] sequence_word, write_word;\n"
            "    wire run;\n\n"
            "    gfab_sequencer #(\n"
            "        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT)\n"
            "    ) u_sequencer (\n"
            "        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_halt(program_%0*d_kind == `GFAB_OP_HALT),\n"
            "        .i_gap(1'b0),\n"
            "        .o_busy(o_busy), .o_done(o_done), .o_round(round), .o_lane(), .o_run(run), .o_begin(), "
            ".o_last_round(),\n"
            "        .o_read_word(sequence_word), .o_strobe(), .o_close(), .o_first(),\n"
            "        .o_write_lane(), .o_write_word(write_word), .o_write_word_late(), .o_write_round(write_round)\n"
            "    );\n\n",
            gen->index_bits - 1, gen->node_digits, 0);
}

void gfab_gen_wide_programs(const gfab_gen *gen, FILE *file)
{
    const int digits = gen->node_digits;
    const uint32_t bits = field_bits(gen);
    fprintf(file, "    // Programs: %zu for %zu nodes.\n", gen->sharing->roms, gen->nodes);
    for (size_t node = 0; node < gen->nodes; node++) {
        if (gen->sharing->rom[node] != node)
            continue;
        fprintf(file,
                "    wire [`GFAB_OP_KIND_WIDTH-1:0] program_%0*zu_kind;\n"
                "    wire [%" PRIu32 ":0] program_%0*zu_fields;\n"
                "    gfab_program #(\n"
                "        .LANES(1), .SLOT_BITS(%" PRIu32
                "), .ROUND_BITS(ROUND_BITS), .FILE(\"rom/program_%0*zu.hex\")\n"
                "    ) u_program_%0*zu (\n"
                "        .i_clk(i_clk), .i_round(round), .i_lane(1'b0),\n"
                "        .o_kind(program_%0*zu_kind), .o_slot(program_%0*zu_fields), .o_recv_kind(), .o_recv_slot()\n"
                "    );\n",
                digits, node, bits - 1, digits, node, bits, digits, node, digits, node, digits, node, digits, node);
    }
    fputc('\n', file);
}

void gfab_gen_wide_node(const gfab_gen *gen, size_t node, FILE *file)
{
    const int digits = gen->node_digits;
    fprintf(file,
            "    gfab_wide_node #(\n"
            "        .NODES(NODES), .LANES(LANES), .BANKS(BANKS), .LINK_BITS(LINK_BITS), .WORDS(WORDS),\n"
            "        .ROUND_BITS(ROUND_BITS), .DIRECT(DIRECT), .LATENCY(LATENCY),\n        "
            ".FILE(\"rom/places_%0*zu.hex\"),\n"
            "        .TAKES(TAKES), .GIVES(GIVES), .OWN(OWN)\n"
            "    ) u_node_%0*zu (\n"
            "        .i_clk(i_clk), .i_rst(i_rst), .i_busy(o_busy), .i_run(run), .i_sequence_word(sequence_word),\n"
            "        .i_write_round(write_round), .i_write_word(write_word), .i_program(program_%0*" PRIu32
            "_fields),\n",
            digits, node, digits, node, digits, gen->sharing->rom[node]);
    const struct {
        const char *name;
        uint32_t bits;
    } host[] = {
        {"i_load_valid", 1},
        {"i_load_word", gen->index_bits},
        {"i_load_data", gen->word_bits},
        {"i_read_token", gen->slot_bits},
        {"i_read_word", gen->index_bits},
        {"o_read_data", gen->word_bits},
        {"o_trace_write", gen->write_ports},
        {"o_trace_address", gen->trace_address_bits},
        {"o_trace_data", gen->write_ports * gen->word_bits},
    };
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
        fprintf(file, "        .%s(%s[%zu*%" PRIu32 "+:%" PRIu32 "]),\n", host[i].name, host[i].name, node,
                host[i].bits, host[i].bits);
    fprintf(file, "        .i_link(node_%0*zu_in), .o_link(node_%0*zu_out), .o_drive(node_%0*zu_drive)\n    );\n\n",
            digits, node, digits, node, digits, node);
}
