/* SPDX-License-Identifier: MIT */
/* tb/gossip_chips.v: the chips of a fabric as a board would join them, with the ports of the fabric on one chip. */
#include "gen.h"

#include <inttypes.h>

/* The parts of a bus that belong to a chip's nodes, its last node's first. */
static void write_parts(const gfab_gen *chip, const char *name, uint32_t bits, FILE *file)
{
    bool first = true;
    fprintf(file, "        .%s({", name);
    for (size_t node = chip->nodes; node-- > 0;)
        if (gfab_gen_has_node(chip, node)) {
            fprintf(file, "%s%s[%zu*%" PRIu32 "+:%" PRIu32 "]", first ? "" : ", ", name, node, bits, bits);
            first = false;
        }
    fprintf(file, "}),\n");
}

static void write_chip(const gfab_gen *chip, FILE *file)
{
    fprintf(file,
            "    gossip_chip_%" PRIu32 " u_chip_%" PRIu32 " (\n"
            "        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start),\n"
            "        .o_busy(busy[%" PRIu32 "]), .o_done(done[%" PRIu32 "]),\n",
            chip->chip, chip->chip, chip->chip, chip->chip);
    write_parts(chip, "i_load_valid", 1, file);
    write_parts(chip, "i_load_word", chip->load_bits, file);
    write_parts(chip, "i_load_data", chip->word_bits, file);
    write_parts(chip, "i_read_token", chip->slot_bits, file);
    write_parts(chip, "i_read_word", chip->index_bits, file);
    write_parts(chip, "o_read_data", chip->word_bits, file);
    bool first = true;
    for (size_t link = 0; link < chip->links; link++)
        if (gfab_gen_is_cut(chip, link)) {
            const unsigned end = !gfab_gen_has_node(chip, gfab_topology_link(chip->topology, link).node[0]);
            if (chip->full)
                fprintf(file, "%s        .o_link_%zu(link_%zu_%u), .i_link_%zu(link_%zu_%u)", first ? "" : ",\n", link,
                        link, end, link, link, 1 - end);
            else
                fprintf(file, "        .io_link_%zu(link_%zu),\n", link, link);
            first = false;
        }
    if (chip->full) {
        fprintf(file, "\n    );\n");
        return;
    }
    fprintf(file, "        .o_trace_pad_drive({");
    first = true;
    for (size_t link = chip->links; link-- > 0;)
        if (gfab_gen_is_cut(chip, link)) {
            const uint32_t end = !gfab_gen_has_node(chip, gfab_topology_link(chip->topology, link).node[0]);
            fprintf(file, "%sdrive_%zu[%" PRIu32 "]", first ? "" : ", ", link, end);
            first = false;
        }
    fprintf(file, "})\n    );\n");
}

void gfab_gen_joined_chips_verilog(const gfab_gen *gen, FILE *file)
{
    gfab_gen chip = *gen;
    const uint32_t chips = gen->options->chip_count;
    gfab_gen_banner(gen, "//", file);
    fprintf(file,
            "//\n"
            "// %" PRIu32 " chips and the wires between them%s, in the place of gossip_fabric on one chip.\n"
            "// The traces are left out.\n"
            "`default_nettype none\n\n",
            chips, gen->full ? "" : ", watched");
    gfab_gen_fabric_ports(gen, file);
    fprintf(file,
            "    wire [%" PRIu32 ":0] busy, done;\n"
            "    assign o_busy = |busy;\n"
            "    assign o_done = &done;\n"
            "    assign o_trace_link = 0;\n"
            "    assign o_trace_drive = 0;\n"
            "    assign o_trace_write = 0;\n"
            "    assign o_trace_address = 0;\n"
            "    assign o_trace_data = 0;\n\n",
            chips - 1);
    for (size_t link = 0; link < gen->links; link++) {
        const gfab_link ends = gfab_topology_link(gen->topology, link);
        if (gen->options->chips[ends.node[0]] == gen->options->chips[ends.node[1]])
            continue;
        if (gen->full) {
            fprintf(file,
                    "    wire [%" PRIu32 ":0] link_%zu_0, link_%zu_1; // from node %" PRIu32 ", from node %" PRIu32
                    "\n",
                    gen->link_bits - 1, link, link, ends.node[0], ends.node[1]);
            continue;
        }
        fprintf(file,
                "    wire [%" PRIu32 ":0] link_%zu; // node %" PRIu32 ", node %" PRIu32 "\n"
                "    wire [1:0] drive_%zu;\n"
                "    gfab_pad_watch #(.LINK(%zu), .LINK_BITS(%" PRIu32 "), .DEAD(%" PRIu32 ")) u_watch_%zu (\n"
                "        .i_clk(i_clk), .i_rst(i_rst), .i_wire(link_%zu),\n"
                "        .i_drive0(drive_%zu[0]), .i_drive1(drive_%zu[1])\n"
                "    );\n",
                gen->link_bits - 1, link, ends.node[0], ends.node[1], link, link, gen->link_bits,
                2 * gen->timing->latency_cycles, link, link, link, link);
    }
    for (chip.chip = 0; chip.chip < chips; chip.chip++)
        write_chip(&chip, file);
    fprintf(file, "endmodule\n\n`default_nettype wire\n");
}
