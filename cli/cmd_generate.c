/* SPDX-License-Identifier: MIT */
#include "cli.h"

static void print_text(const cli_source *source, const cli_machine *machine, const gfab_fabric_options *fabric)
{
    static const char *const numbered[] = {[GFAB_FRAME_ABSOLUTE] = "by origin",
                                           [GFAB_FRAME_RELATIVE] = "from each node",
                                           [GFAB_FRAME_ROTATED] = "turned with the node"};
    const gfab_image *image = machine->image;
    const gfab_timing *timing = &machine->timing;
    cli_print_topology(stdout, source->topology);
    cli_print_model(stdout, gfab_schedule_model(source->schedule));
    printf("solver       %s\n", *fabric->solver != '\0' ? fabric->solver : "unknown");
    cli_print_rounds(stdout, source);
    cli_print_timing(stdout, machine);
    const unsigned most_rounds = (1u << gfab_image_round_bits(image)) - 1;
    if (machine->banks != NULL) {
        printf("store        %llu bits a node: %u bank%s of %u words of %u bits\n",
               (unsigned long long)cli_machine_store_bits(machine), gfab_banks_crossbar(machine->banks)->banks,
               gfab_banks_crossbar(machine->banks)->banks == 1 ? "" : "s", (most_rounds + 1) * timing->words,
               timing->word_bits);
        printf("ROM          %llu bits a node: %u words of %u bits, for up to %u rounds\n",
               (unsigned long long)cli_machine_rom_bits(machine), most_rounds + 1, gfab_banks_word_bits(machine->banks),
               most_rounds);
    } else {
        printf("store        %llu bits a node: %zu tokens of %u words of %u bits\n",
               (unsigned long long)cli_machine_store_bits(machine), gfab_topology_node_count(source->topology),
               timing->words, timing->word_bits);
        printf("ROM          %llu bits a node: %zu ops of %u bits, for up to %u rounds\n",
               (unsigned long long)cli_machine_rom_bits(machine), gfab_image_word_count(image), gfab_image_op_bits(image),
               most_rounds);
    }
    const size_t nodes = gfab_topology_node_count(source->topology);
    const uint64_t program_bits = cli_machine_program_bits(machine);
    printf("programs     %zu for %zu nodes, in %zu ROMs: %llu.%llu bits a node; tokens numbered %s\n",
           machine->sharing->programs, nodes, machine->sharing->roms, (unsigned long long)(program_bits / nodes),
           (unsigned long long)(program_bits % nodes * 10 / nodes), numbered[gfab_slots_frame(machine->slots)]);
    if (fabric->board != NULL) {
        printf("board        %s: %s, %s\n", fabric->board->name, fabric->board->summary, fabric->board->part);
    } else {
        puts("board        none");
    }
    printf("written      %s\n", fabric->directory);
}

static void print_json(const cli_source *source, const cli_machine *machine, const gfab_fabric_options *fabric)
{
    json_t *report = cli_json_object();
    cli_json_text(report, "schema", "gossipfab.generate/1");
    cli_json_text(report, "directory", fabric->directory);
    cli_json_text(report, "board", fabric->board != NULL ? fabric->board->name : NULL);
    cli_json_int(report, "token_seed", fabric->token_seed);
    cli_json_schedule(report, source);
    cli_json_set(report, "timing", cli_json_timing(machine));
    cli_json_int(report, "store_bits", cli_machine_store_bits(machine));
    cli_json_int(report, "rom_bits", cli_machine_rom_bits(machine));
    cli_json_int(report, "programs", machine->sharing->programs);
    cli_json_int(report, "roms", machine->sharing->roms);
    cli_json_int(report, "program_bits", cli_machine_program_bits(machine));
    cli_json_text(report, "frame", gfab_frame_name(gfab_slots_frame(machine->slots)));
    cli_json_int(report, "rom_words", gfab_image_word_count(machine->image));
    cli_json_int(report, "op_bits", gfab_image_op_bits(machine->image));
    cli_json_int(report, "round_bits", gfab_image_round_bits(machine->image));
    cli_json_print(report, stdout);
}

static int find_board(const char *name, const gfab_board **board)
{
    const char *names[32];
    size_t count = 0;
    const gfab_board *entry;
    *board = gfab_board_find(name);
    if (*board != NULL) {
        return CLI_GO_ON;
    }
    while (count < 32 && (entry = gfab_board_at(count)) != NULL) {
        names[count++] = entry->name;
    }
    const char *close = cli_suggest(name, names, count);
    if (close != NULL) {
        return cli_error("generate", "--board: unknown board '%s'; did you mean '%s'?", name, close);
    }
    return cli_error("generate", "--board: unknown board '%s'; gossipfab list boards has them", name);
}

int cmd_generate(int argc, char **argv)
{
    cli_source source = cli_source_default();
    cli_machine machine = cli_machine_default();
    gfab_fabric_options fabric = {.solver = "", .token_seed = 1};
    const char *board = NULL;
    bool json = false;
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(source),
        CLI_SOLVER_OPTIONS(source),
        CLI_SCHEDULE_OPTION(source),
        CLI_MODEL_OPTIONS(source),
        CLI_FABRIC_OPTIONS(machine),
        {"board", 'b', CLI_TEXT, &board, NULL, "B", "none", 0, 0, NULL,
         "also a board top and its constraints (see: gossipfab list boards)"},
        {"token-seed", '\0', CLI_U64, &fabric.token_seed, NULL, "N", "1", 0, INT64_MAX, NULL,
         "seed of the tokens in the test benches and the board top"},
        {"rom-rounds", '\0', CLI_U32, &machine.rom_rounds, NULL, "N", "the fewest", 2, 1u << 24, "rounds",
         "rounds that the ROMs hold, the halt included; rounded up to a power of two"},
        {"output", 'o', CLI_TEXT, &fabric.directory, NULL, "DIR", NULL, 0, 0, NULL, "the folder to make"},
        {"force", '\0', CLI_FLAG, &fabric.force, NULL, NULL, NULL, 0, 0, NULL,
         "replace DIR where gossipfab generated it"},
        CLI_JSON_OPTION(json),
        CLI_OPTIONS_END};
    const cli_command command = {
        "generate", "--topology T [--solver S] | --schedule FILE  [--token-bits W --link-bits L] [--board B] -o DIR",
        "Writes a self-contained folder with a fabric that plays a schedule: RTL, ROM images, test benches, scripts.\n"
        "The schedule is verified and the ROM images are checked before anything is written.",
        "  gossipfab generate --topology mesh:4x4 --token-bits 32 --link-bits 2 --board hx8k -o out", options, 0};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON) {
        return status;
    }
    if (fabric.directory == NULL) {
        return cli_error("generate", "no -o DIR given; name the folder to make");
    }
    if (board != NULL) {
        status = find_board(board, &fabric.board);
    }
    if (status == CLI_GO_ON) {
        status = cli_machine_build("generate", &source, &machine);
    }
    if (status == CLI_GO_ON && cli_was_interrupted()) {
        status = cli_fail("generate", GFAB_ERR_INTERRUPTED, NULL, NULL);
    }
    if (status == CLI_GO_ON) {
        gfab_diag diag = {0, ""};
        fabric.solver = gfab_schedule_solver(source.schedule);
        fabric.bound_rounds = source.bound.rounds;
        fabric.banks = machine.banks;
        gfab_status result = gfab_fabric_write(machine.image, &machine.timing, &fabric, &diag);
        if (result != GFAB_OK) {
            status = cli_fail("generate", result, NULL, &diag);
        } else {
            (json ? print_json : print_text)(&source, &machine, &fabric);
            status = CLI_GOOD;
        }
    }
    cli_machine_release(&machine);
    cli_source_release(&source);
    return status;
}
