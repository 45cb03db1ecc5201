/* SPDX-License-Identifier: MIT */
/* Command `generate`: from a topology to a folder with a fabric in it. The work is shared with `simulate` and
 * `reroute` and is in cli_machine.c (schedule and machine) and cli_fabric.c (options, the folder's files). What is
 * here is the report that only `generate` prints: cycles, bits of stores and ROMs, the pads that several chips need,
 * and how full the board's memory is. */
#include "cli_fabric.h"
#include "commands/chip.h"

#include <string.h>

static size_t cut_links(const gfab_topology *topology, const gfab_fabric_options *fabric)
{
    size_t cut = 0;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_link ends = gfab_topology_link(topology, link);
        cut += fabric->chips[ends.node[0]] != fabric->chips[ends.node[1]];
    }
    return cut;
}

static void print_chips(const cli_source *source, const gfab_machine *machine, const gfab_fabric_options *fabric,
                        const gfab_chip_clocks *clocks)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const size_t cut = cut_links(source->topology, fabric);
    const size_t check = gfab_layout_protect(gfab_machine_layout(machine)) != GFAB_PROTECT_NONE; /* a wire more */
    printf("chips        %u, with %zu links between them", fabric->chip_count, cut);
    if (fabric->own_clocks) {
        printf(" in %u cable%s: %zu pads in all, half of them for each way\n", clocks->cables,
               clocks->cables == 1 ? "" : "s", 4 * (cut * timing->link_bits + (2 + check) * clocks->cables));
        printf("clocks       own, within 100 ppm: buffers of %u flits; the farthest chip is %u cable%s from chip 0\n",
               clocks->entries, clocks->hops, clocks->hops == 1 ? "" : "s");
        printf("             of chip 0: %llu + %u of slack = %llu cycles\n",
               (unsigned long long)gfab_machine_cycles(machine), clocks->slack_cycles,
               (unsigned long long)clocks->cycles);
    } else if (gfab_layout_full_duplex(gfab_machine_layout(machine))) {
        printf(": %zu pads in all, half of them for each way\n", 4 * cut * (timing->link_bits + check));
    } else {
        printf(": %zu pads in all, %u dead cycles when a link turns round\n", 2 * cut * timing->link_bits,
               2 * timing->latency_cycles);
    }
}

static void print_board(const gfab_machine *machine, const gfab_fabric_options *fabric)
{
    const gfab_board *board = fabric->board;
    const gfab_board_top top = cli_fabric_top(fabric);
    const gfab_board_use use = gfab_board_count(machine, &top);
    const uint64_t blocks = use.store_blocks + use.rom_blocks;
    printf("board        %s: %s, %s\n", board->name, board->summary, board->part);
    printf("memory       %llu block RAMs of %u: stores %llu, programs ", (unsigned long long)blocks, board->ram_blocks,
           (unsigned long long)use.store_blocks);
    if (use.rom_blocks > 0)
        printf("%llu", (unsigned long long)use.rom_blocks);
    else
        printf("in LUTs");
    printf("; %llu left\n", (unsigned long long)(board->ram_blocks - blocks));
    if (use.cells > 0)
        printf("cells        about %llu of %u%s\n", (unsigned long long)use.cells, board->logic_cells,
               gfab_board_holds(board, &use, 100 + GFAB_CELLS_PERCENT) ? "" : ": place and route may fail");
    if (strcmp(board->family, "xc7") == 0)
        puts("bitstream    by Vivado alone: make bitstream runs vivado.tcl");
}

/* What their stores have room for. */
static void print_relays(const gfab_machine *machine)
{
    const gfab_topology *topology = gfab_machine_topology(machine);
    uint32_t least = UINT32_MAX, most = 0;
    if (!gfab_topology_has_relays(topology))
        return;
    for (size_t node = 0; node < gfab_topology_node_count(topology); node++) {
        const uint32_t slots = gfab_layout_node_slots(gfab_machine_layout(machine), node);
        if (!gfab_topology_is_relay(topology, node))
            continue;
        least = slots < least ? slots : least;
        most = slots > most ? slots : most;
    }
    printf("relays       %llu bits in all, for what is in transit: ",
           (unsigned long long)gfab_machine_relay_store_bits(machine));
    if (least != most)
        printf("%u to ", (unsigned)least);
    printf("%u token%s a relay\n", (unsigned)most, most == 1 ? "" : "s");
}

/* Wide nodes combine what all lanes bring in one cycle, and their clock shows it; a ring brings one word. */
static void print_ring(const gfab_machine *machine, uint64_t cycles)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    printf("ring         of the same wires: %llu cycles", (unsigned long long)cycles);
    if (timing->wide && gfab_layout_operator(gfab_machine_layout(machine)) != GFAB_OPERATOR_NONE && timing->lanes > 1)
        printf(", short ones: a word passes 1 operator in each, here up to %u", (unsigned)timing->lanes);
    puts("; --store ring makes it, for one chip");
}

static void print_text(const cli_source *source, const cli_machine *made, const gfab_fabric_options *fabric,
                       const gfab_chip_clocks *clocks, uint64_t ring_cycles)
{
    const gfab_machine *machine = made->machine;
    static const char *const numbered[] = {[GFAB_FRAME_ABSOLUTE] = "by origin",
                                           [GFAB_FRAME_RELATIVE] = "from each node",
                                           [GFAB_FRAME_ROTATED] = "turned with the node"};
    const gfab_image *image = gfab_machine_image(machine);
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_banks *banks = gfab_machine_banks(machine);
    const gfab_sharing *sharing = gfab_machine_sharing(machine);
    cli_print_topology(stdout, source->topology);
    cli_print_recognised(stdout, source);
    cli_print_model(stdout, gfab_schedule_model(source->schedule));
    printf("solver       %s\n", *fabric->solver != '\0' ? fabric->solver : "unknown");
    cli_print_programs(stdout, source, made);
    cli_print_timing(stdout, machine);
    const unsigned most_rounds = (1u << gfab_machine_round_bits(machine)) - 1;
    if (banks) {
        printf("store        %llu bits a node: %u bank%s of %u words of %u bits\n",
               (unsigned long long)gfab_machine_store_bits(machine), gfab_banks_crossbar(banks)->banks,
               gfab_banks_crossbar(banks)->banks == 1 ? "" : "s", (most_rounds + 1) * timing->words, timing->word_bits);
        printf("ROM          %llu bits a node: %u words of %u bits, for up to %u rounds\n",
               (unsigned long long)gfab_machine_rom_bits(machine), most_rounds + 1, gfab_banks_word_bits(banks),
               most_rounds);
    } else {
        printf("store        %llu bits a node: %zu %s of %u words of %u bits\n",
               (unsigned long long)gfab_machine_store_bits(machine), gfab_layout_slot_count(layout),
               timing->parts > 1 ? "parts" : "tokens", timing->words, timing->word_bits);
        print_relays(machine);
        printf("ROM          %llu bits a node: %zu ops of %u bits, for up to %u rounds\n",
               (unsigned long long)gfab_machine_rom_bits(machine), gfab_image_word_count(image),
               gfab_image_op_bits(image), most_rounds);
    }
    const size_t nodes = gfab_topology_node_count(source->topology);
    const uint64_t program_bits = gfab_machine_program_bits(machine);
    printf("programs     %zu for %zu nodes, in %zu ROMs: %llu.%llu bits a node; tokens numbered %s\n",
           sharing->programs, nodes, sharing->roms, (unsigned long long)(program_bits / nodes),
           (unsigned long long)(program_bits % nodes * 10 / nodes), numbered[gfab_layout_frame(layout)]);
    if (fabric->chips)
        print_chips(source, machine, fabric, clocks);
    else if (ring_cycles)
        print_ring(machine, ring_cycles);
    if (fabric->board)
        print_board(machine, fabric);
    else
        puts("board        none");
    printf("written      %s\n", fabric->directory);
}

static void print_json(const cli_source *source, const cli_machine *made, const gfab_fabric_options *fabric,
                       const gfab_chip_clocks *clocks, uint64_t ring_cycles)
{
    const gfab_machine *machine = made->machine;
    json_t *report = cli_json_report("gossipfab.generate/1");
    CLI_JSON(report, CLI_KEY("directory", fabric->directory));
    const gfab_board_top top = cli_fabric_top(fabric);
    const gfab_board_use use = gfab_board_count(machine, &top);
    CLI_JSON(report, CLI_KEY("board", fabric->board ? fabric->board->name : NULL),
             CLI_KEY("block_rams", use.store_blocks + use.rom_blocks), CLI_KEY_IF(use.cells > 0, "cells", use.cells));
    if (fabric->chips) {
        CLI_JSON(report, CLI_KEY("chips", fabric->chip_count),
                 CLI_KEY("links_between_chips", cut_links(source->topology, fabric)));
    }
    if (fabric->own_clocks) {
        CLI_JSON(report, CLI_KEY("cables", clocks->cables), CLI_KEY("buffer_entries", clocks->entries),
                 CLI_KEY("slack_cycles", clocks->slack_cycles), CLI_KEY("cycles_with_slack", clocks->cycles));
    }
    CLI_JSON(report, CLI_KEY("token_seed", fabric->token_seed));
    cli_json_schedule(report, source);
    if (made->more_count)
        cli_json_programs(report, source, made);
    CLI_JSON(report, CLI_KEY("timing", cli_json_timing(machine)),
             CLI_KEY("ring_cycles", cli_json_number_if(ring_cycles, ring_cycles)),
             CLI_KEY("store_bits", gfab_machine_store_bits(machine)));
    if (gfab_topology_has_relays(source->topology))
        CLI_JSON(report, CLI_KEY("relay_store_bits", gfab_machine_relay_store_bits(machine)));
    CLI_JSON(report, CLI_KEY("rom_bits", gfab_machine_rom_bits(machine)),
             CLI_KEY("programs", gfab_machine_sharing(machine)->programs),
             CLI_KEY("roms", gfab_machine_sharing(machine)->roms),
             CLI_KEY("program_bits", gfab_machine_program_bits(machine)),
             CLI_KEY("frame", gfab_frame_name(gfab_layout_frame(gfab_machine_layout(machine)))),
             CLI_KEY("rom_words", gfab_image_word_count(gfab_machine_image(machine))),
             CLI_KEY("op_bits", gfab_image_op_bits(gfab_machine_image(machine))),
             CLI_KEY("round_bits", gfab_machine_round_bits(machine)));
    cli_json_print(report, stdout);
}

/* Writes the folder, then the report. */
static int write_folder(const cli_source *source, const cli_machine *machine, gfab_fabric_options *fabric, bool json)
{
    gfab_diag diag = {0, ""};
    cli_player player;
    fabric->solver = gfab_schedule_solver(source->schedule);
    fabric->schedule_rounds = gfab_schedule_rounds(source->schedule);
    fabric->bound_rounds = source->bound.rounds;
    cli_fabric_add_player(source, machine, &player, fabric);
    uint64_t ring_cycles = 0;
    if (!fabric->chips)
        CLI_TRY(cli_ring_beside("generate", source, machine, &ring_cycles));
    CLI_TRY(cli_fabric_write("generate", machine->machine, fabric));
    gfab_chip_clocks clocks = {0};
    gfab_status status = GFAB_OK;
    if (fabric->own_clocks)
        status = gfab_chip_clocks_compute(machine->machine, fabric->chips, fabric->chip_count, &clocks, NULL, &diag);
    if (status != GFAB_OK)
        return cli_fail("generate", status, NULL, &diag);
    (json ? print_json : print_text)(source, machine, fabric, &clocks, ring_cycles);
    return CLI_GOOD;
}

static const cli_rule rules[] = {
    {.options = "nodes", .exclude = "topology schedule store link-bits blocks"},
    CLI_RULES_END,
};

/* --nodes: the first row of advise --chip. */
static int choose(cli_source *source, cli_machine *machine, cli_chip *chip)
{
    if (!chip->nodes)
        return CLI_GO_ON;
    if (source->link_mode_given)
        return cli_error("generate", "--nodes does not go with --link-mode; leave one of them out");
    chip->token_bits = machine->options.token_bits;
    if (source->collective_text)
        CLI_TRY(cli_collective_name("generate", source->collective_text, &chip->collective));
    return cli_chip_choose("generate", chip, source, machine);
}

int cmd_generate(int argc, char **argv)
{
    cli_chip chip = {.collective = GFAB_ALL_GATHER, .part = CLI_CHIP_PART};
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    GFAB_AT_END(cli_machine_release) cli_machine machine = cli_machine_default();
    GFAB_AT_END(cli_fabric_release) cli_fabric fabric = cli_fabric_default();
    bool json = false;
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_SOLVER_OPTIONS(source),
        CLI_SCHEDULE_OPTION(source),
        CLI_OPTION(.name = "nodes", .kind = CLI_U32, .value = &chip.nodes, .word = "N", .most = CLI_CHIP_MOST,
                   .unit = "nodes",
                   .help = "in place of a topology: N nodes on one chip, 3 or more; the fabric that advise --chip "
                           "ranks first"),
        CLI_GOAL_OPTIONS(source),
        CLI_MODEL_OPTIONS(source),
        CLI_FABRIC_OPTIONS(machine),
        CLI_STREAM_OPTIONS(machine, fabric),
        CLI_FOLDER_OPTIONS(fabric, machine),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &fabric.options.directory, .word = "DIR",
                   .help = "the folder to make"),
        CLI_OPTION(.name = "force", .kind = CLI_FLAG, .value = &fabric.options.force,
                   .help =
                       "replace DIR where all that is in it is as gossipfab wrote it; its build/ is kept, and so are "
                       "the times of its files where all are the same, so that make has nothing to do"),
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "generate",
        .usage = "T | FILE.gfs  [--solver S]  [--token-bits W --link-bits L] [--board B] -o DIR",
        .text = "Writes a self-contained folder with a fabric that plays a schedule: RTL, ROM images, test benches, "
                "scripts.\n"
                "The schedule is verified and the ROM images are checked before anything is written. The folder is\n"
                "made as DIR.tmp-XXXXXX and then renamed: a second Ctrl-C, which ends at once, may leave that behind.",
        .example = "  gossipfab generate mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out",
        .options = options,
        .rules = rules};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    if (!fabric.options.directory)
        return cli_error("generate", "no -o DIR given; name the folder to make");
    if (cli_is_standard(fabric.options.directory))
        return cli_error("generate", "-o -: standard output takes no folder; give its name");
    status = choose(&source, &machine, &chip);
    if (status == CLI_GO_ON && strcmp(machine.store, "ring") == 0)
        status = cli_ring_generate("generate", &source, &machine, &fabric, json);
    CLI_THEN(status, cli_fabric_stream("generate", &source, &machine, &fabric));
    CLI_THEN(status, cli_fabric_build("generate", &source, &machine, &fabric));
    CLI_THEN(status, write_folder(&source, &machine, &fabric.options, json));
    return status;
}
