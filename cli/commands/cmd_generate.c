/* SPDX-License-Identifier: MIT */
#include "cli_machine.h"

#include <ctype.h>
#include <stdlib.h>

static size_t cut_links(const gfab_topology *topology, const gfab_fabric_options *fabric)
{
    size_t cut = 0;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_link ends = gfab_topology_link(topology, link);
        cut += fabric->chips[ends.node[0]] != fabric->chips[ends.node[1]];
    }
    return cut;
}

static void print_text(const cli_source *source, const gfab_machine *machine, const gfab_fabric_options *fabric)
{
    static const char *const numbered[] = {[GFAB_FRAME_ABSOLUTE] = "by origin",
                                           [GFAB_FRAME_RELATIVE] = "from each node",
                                           [GFAB_FRAME_ROTATED] = "turned with the node"};
    const gfab_image *image = gfab_machine_image(machine);
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_banks *banks = gfab_machine_banks(machine);
    const gfab_sharing *sharing = gfab_machine_sharing(machine);
    cli_print_topology(stdout, source->topology);
    cli_print_model(stdout, gfab_schedule_model(source->schedule));
    printf("solver       %s\n", *fabric->solver != '\0' ? fabric->solver : "unknown");
    cli_print_rounds(stdout, source);
    cli_print_cost(stdout, source);
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
        printf("ROM          %llu bits a node: %zu ops of %u bits, for up to %u rounds\n",
               (unsigned long long)gfab_machine_rom_bits(machine), gfab_image_word_count(image),
               gfab_image_op_bits(image), most_rounds);
    }
    const size_t nodes = gfab_topology_node_count(source->topology);
    const uint64_t program_bits = gfab_machine_program_bits(machine);
    printf("programs     %zu for %zu nodes, in %zu ROMs: %llu.%llu bits a node; tokens numbered %s\n",
           sharing->programs, nodes, sharing->roms, (unsigned long long)(program_bits / nodes),
           (unsigned long long)(program_bits % nodes * 10 / nodes), numbered[gfab_layout_frame(layout)]);
    if (fabric->chips) {
        const size_t cut = cut_links(source->topology, fabric);
        if (gfab_layout_full_duplex(layout)) {
            printf("chips        %u, with %zu links between them: %zu pads in all, half of them for each way\n",
                   fabric->chip_count, cut, 4 * cut * timing->link_bits);
        } else {
            printf("chips        %u, with %zu links between them: %zu pads in all, %u dead cycles when a link turns "
                   "round\n",
                   fabric->chip_count, cut, 2 * cut * timing->link_bits, 2 * timing->latency_cycles);
        }
    }
    if (fabric->board)
        printf("board        %s: %s, %s\n", fabric->board->name, fabric->board->summary, fabric->board->part);
    else
        puts("board        none");
    printf("written      %s\n", fabric->directory);
}

static void print_json(const cli_source *source, const gfab_machine *machine, const gfab_fabric_options *fabric)
{
    json_t *report = cli_json_object();
    cli_json_text(report, "schema", "gossipfab.generate/1");
    cli_json_text(report, "directory", fabric->directory);
    cli_json_text(report, "board", fabric->board ? fabric->board->name : NULL);
    if (fabric->chips) {
        cli_json_int(report, "chips", fabric->chip_count);
        cli_json_int(report, "links_between_chips", cut_links(source->topology, fabric));
    }
    cli_json_int(report, "token_seed", fabric->token_seed);
    cli_json_schedule(report, source);
    cli_json_set(report, "timing", cli_json_timing(machine));
    cli_json_int(report, "store_bits", gfab_machine_store_bits(machine));
    cli_json_int(report, "rom_bits", gfab_machine_rom_bits(machine));
    cli_json_int(report, "programs", gfab_machine_sharing(machine)->programs);
    cli_json_int(report, "roms", gfab_machine_sharing(machine)->roms);
    cli_json_int(report, "program_bits", gfab_machine_program_bits(machine));
    cli_json_text(report, "frame", gfab_frame_name(gfab_layout_frame(gfab_machine_layout(machine))));
    cli_json_int(report, "rom_words", gfab_image_word_count(gfab_machine_image(machine)));
    cli_json_int(report, "op_bits", gfab_image_op_bits(gfab_machine_image(machine)));
    cli_json_int(report, "round_bits", gfab_machine_round_bits(machine));
    cli_json_print(report, stdout);
}

static int find_board(const char *name, const gfab_board **board)
{
    const char *names[32];
    size_t count = 0;
    const gfab_board *entry;
    *board = gfab_board_find(name);
    if (*board)
        return CLI_GO_ON;
    while (count < 32 && (entry = gfab_board_at(count)))
        names[count++] = entry->name;
    const char *close = cli_suggest(name, names, count);
    if (close)
        return cli_error("generate", "--board: unknown board '%s'; did you mean '%s'?", name, close);
    return cli_error("generate", "--board: unknown board '%s'; gossipfab list boards has them", name);
}

/* "AxB" for a mesh or torus, or a number of nodes: what is on one chip. Gives each node's chip, to be freed. */
static int cut_into_chips(const char *text, const gfab_topology *topology, uint32_t **chips, uint32_t *chip_count)
{
    const size_t nodes = gfab_topology_node_count(topology);
    const size_t dimensions = gfab_topology_dimensions(topology);
    uint32_t tile[GFAB_MAX_DIMENSIONS], side[GFAB_MAX_DIMENSIONS];
    size_t sides = 0;
    const char *at = text;
    bool good = true;
    while (good) {
        char *end = NULL;
        const unsigned long value = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
        good = value > 0 && value <= nodes && sides < GFAB_MAX_DIMENSIONS && (*end == '\0' || *end == 'x');
        if (good) {
            tile[sides++] = (uint32_t)value;
            at = end + 1;
        }
        if (good && *end == '\0')
            break;
    }
    if (!good) {
        return cli_error("generate",
                         "--chips: '%s' is neither AxB, the part of a mesh or torus on a chip, nor a number of nodes",
                         text);
    }
    if (sides > 1 && sides != dimensions) {
        return cli_error("generate", "--chips: '%s' has %zu sides, %s %zu; give as many, or a number of nodes", text,
                         sides, gfab_topology_name(topology), dimensions);
    }
    uint64_t count = 1;
    for (size_t i = 0; i < sides; i++) {
        side[i] = sides == 1 ? (uint32_t)nodes : gfab_topology_side(topology, i);
        if (side[i] % tile[i] != 0)
            return cli_error("generate", "--chips: %u does not divide %u", tile[i], side[i]);
        count *= side[i] / tile[i];
    }
    if (count == 1) {
        return cli_error("generate", "--chips: %s is the whole of %s; leave --chips out", text,
                         gfab_topology_name(topology));
    }
    *chips = malloc(nodes * sizeof **chips);
    if (!*chips)
        return cli_fail("generate", GFAB_ERR_NO_MEMORY, NULL, NULL);
    *chip_count = (uint32_t)count;
    for (size_t node = 0; node < nodes; node++) { /* the last coordinate is the fastest, of nodes and of chips */
        size_t rest = node, scale = 1, chip = 0;
        for (size_t i = sides; i-- > 0;) {
            chip += rest % side[i] / tile[i] * scale;
            scale *= side[i] / tile[i];
            rest /= side[i];
        }
        (*chips)[node] = (uint32_t)chip;
    }
    return CLI_GO_ON;
}

/* Do the nodes' stores fit the board? What else there is needs room, too: that is for place and route to say. */
static int check_board(const gfab_topology *topology, const gfab_machine *machine, const gfab_board *board)
{
    const uint64_t nodes = gfab_topology_node_count(topology);
    const uint64_t bits = nodes * gfab_machine_store_bits(machine);
    const uint64_t token_bits = gfab_machine_timing(machine)->token_bits;
    uint64_t fit = 1;
    if (!board || bits <= board->memory_bits)
        return CLI_GO_ON;
    while ((fit + 1) * (fit + 1) * token_bits <= board->memory_bits)
        fit++;
    return cli_error("generate",
                     "--board %s: the stores of %llu nodes take %llu bits, the board has %llu in RAM and flip-flops; "
                     "of tokens of %llu bits at most %llu nodes fit",
                     board->name, (unsigned long long)nodes, (unsigned long long)bits,
                     (unsigned long long)board->memory_bits, (unsigned long long)token_bits, (unsigned long long)fit);
}

/* Writes the folder, then the report. */
static int write_folder(const cli_source *source, const cli_machine *machine, gfab_fabric_options *fabric, bool json)
{
    gfab_diag diag = {0, ""};
    fabric->solver = gfab_schedule_solver(source->schedule);
    fabric->schedule_rounds = gfab_schedule_rounds(source->schedule);
    fabric->bound_rounds = source->bound.rounds;
    const gfab_status status = gfab_fabric_write(machine->machine, fabric, &diag);
    if (status != GFAB_OK)
        return cli_fail("generate", status, NULL, &diag);
    (json ? print_json : print_text)(source, machine->machine, fabric);
    return CLI_GOOD;
}

int cmd_generate(int argc, char **argv)
{
    cli_source source = cli_source_default();
    cli_machine machine = cli_machine_default();
    gfab_fabric_options fabric = {.solver = "", .token_seed = 1};
    const char *board = NULL, *on_a_chip = NULL;
    uint32_t *chips = NULL;
    bool json = false;
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_SOLVER_OPTIONS(source),
        CLI_SCHEDULE_OPTION(source),
        CLI_MODEL_OPTIONS(source),
        CLI_FABRIC_OPTIONS(machine),
        CLI_PROTECT_OPTION(machine),
        CLI_OPTION(.name = "board", .letter = 'b', .kind = CLI_TEXT, .value = &board, .word = "B", .initial = "none",
                   .help = "also a board top and its constraints (see: gossipfab list boards)"),
        CLI_OPTION(.name = "chips", .kind = CLI_TEXT, .value = &on_a_chip, .word = "AxB|N", .initial = "one chip",
                   .help =
                       "what is on one chip: a part of AxB nodes of a mesh or torus, or N nodes in their order; links "
                       "between chips go through pads, with --link-latency of 2 or more; half duplex these are "
                       "tri-state and need a --gap of twice that"),
        CLI_OPTION(.name = "token-seed", .kind = CLI_U64, .value = &fabric.token_seed, .word = "N", .initial = "1",
                   .most = INT64_MAX, .help = "seed of the tokens in the test benches and the board top"),
        CLI_OPTION(.name = "rom-rounds", .kind = CLI_U32, .value = &machine.options.rom_rounds, .word = "N",
                   .initial = "the fewest", .least = 2, .most = 1u << 24, .unit = "rounds",
                   .help = "rounds that the ROMs hold, the halt included; rounded up to a power of two"),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &fabric.directory, .word = "DIR",
                   .help = "the folder to make"),
        CLI_OPTION(.name = "force", .kind = CLI_FLAG, .value = &fabric.force,
                   .help = "replace DIR where gossipfab generated it"),
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "generate",
        .usage = "--topology T [--solver S] | --schedule FILE  [--token-bits W --link-bits L] [--board B] -o DIR",
        .text = "Writes a self-contained folder with a fabric that plays a schedule: RTL, ROM images, test benches, "
                "scripts.\n"
                "The schedule is verified and the ROM images are checked before anything is written.",
        .example = "  gossipfab generate --topology mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    if (!fabric.directory)
        return cli_error("generate", "no -o DIR given; name the folder to make");
    if (cli_is_standard(fabric.directory))
        return cli_error("generate", "-o -: standard output takes no folder; give its name");
    if (board)
        status = find_board(board, &fabric.board);
    if (status == CLI_GO_ON && on_a_chip) {
        status = cli_source_open("generate", &source);
        if (status == CLI_GO_ON)
            status = cut_into_chips(on_a_chip, source.topology, &chips, &fabric.chip_count);
        fabric.chips = chips;
    }
    if (status == CLI_GO_ON)
        status = cli_machine_build("generate", &source, &machine);
    if (status == CLI_GO_ON && cli_was_interrupted())
        status = cli_fail("generate", GFAB_ERR_INTERRUPTED, NULL, NULL);
    if (status == CLI_GO_ON)
        status = check_board(source.topology, machine.machine, fabric.board);
    if (status == CLI_GO_ON)
        status = write_folder(&source, &machine, &fabric, json);
    free(chips);
    cli_machine_release(&machine);
    cli_source_release(&source);
    return status;
}
