/* SPDX-License-Identifier: MIT */
/* The options of what generate writes and reroute writes anew: board, chips, where the programs are. */
#define _POSIX_C_SOURCE 200809L
#include "cli_fabric.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cli_fabric cli_fabric_default(void)
{
    return (cli_fabric){.options = gfab_fabric_options_default(),
                        .rom = "logic",
                        .clocks = "one",
                        .host = "self-test",
                        .registers = "none",
                        .ports = "flat",
                        .axi = "turns"};
}

void cli_fabric_release(cli_fabric *fabric)
{
    free(fabric->chips);
    fabric->chips = NULL;
    free(fabric->hosted);
    fabric->hosted = NULL;
    gfab_board_free(fabric->own_board);
    fabric->own_board = NULL;
}

static bool is_folder(const char *name)
{
    struct stat found;
    return stat(name, &found) == 0 && S_ISDIR(found.st_mode);
}

/* A board that is no name of the library's: a folder. */
static int read_board(const char *verb, const char *folder, gfab_board **own)
{
    char file[PATH_MAX];
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_board_read(folder, own, &diag);
    snprintf(file, sizeof file, "--board: %s/board.json", folder);
    return status ? cli_fail(verb, status, file, &diag) : CLI_GO_ON;
}

int cli_find_board(const char *verb, const char *name, const gfab_board **board, gfab_board **own)
{
    const char *names[32];
    size_t count = 0;
    const gfab_board *entry;
    *board = gfab_board_find(name);
    if (*board)
        return CLI_GO_ON;
    if (strchr(name, '/') || is_folder(name)) {
        const int status = read_board(verb, name, own);
        *board = *own;
        return status;
    }
    while (count < 32 && (entry = gfab_board_at(count)))
        names[count++] = entry->name;
    const char *close = cli_suggest(name, names, count);
    if (close)
        return cli_error(verb, "--board: unknown board '%s'; did you mean '%s'?", name, close);
    return cli_error(verb, "--board: unknown board '%s'; gossipfab list boards has them", name);
}

/* "AxB" for a mesh or torus, or a number of nodes: what is on one chip. Gives each node's chip, to be freed. */
static int cut_into_chips(const char *verb, const char *text, const gfab_topology *topology, uint32_t **chips,
                          uint32_t *chip_count)
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
        return cli_error(
            verb, "--chips: '%s' is neither AxB, the part of a mesh or torus on a chip, nor a number of nodes", text);
    }
    if (sides > 1 && sides != dimensions) {
        return cli_error(verb, "--chips: '%s' has %zu sides, %s %zu; give as many, or a number of nodes", text, sides,
                         gfab_topology_name(topology), dimensions);
    }
    uint64_t count = 1;
    for (size_t i = 0; i < sides; i++) {
        side[i] = sides == 1 ? (uint32_t)nodes : gfab_topology_side(topology, i);
        if (side[i] % tile[i] != 0)
            return cli_error(verb, "--chips: %u does not divide %u", tile[i], side[i]);
        count *= side[i] / tile[i];
    }
    if (count == 1)
        return cli_error(verb, "--chips: %s is the whole of %s; leave --chips out", text, gfab_topology_name(topology));
    *chips = malloc(nodes * sizeof **chips);
    if (!*chips)
        return cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
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

static int choose(const char *verb, cli_fabric *fabric, const char *option, const char *word)
{
    gfab_diag diag = {0, ""};
    return gfab_fabric_choose(&fabric->options, option, word, &diag) ? cli_error(verb, "--%s", diag.message)
                                                                     : CLI_GO_ON;
}

static int read_clocks(const char *verb, cli_fabric *fabric)
{
    CLI_TRY(choose(verb, fabric, "clocks", fabric->clocks));
    if (fabric->options.own_clocks && !fabric->on_a_chip)
        return cli_error(verb, "--clocks own: for several chips; give --chips, too");
    return CLI_GO_ON;
}

static int read_rom(const char *verb, cli_machine *machine, cli_fabric *fabric)
{
    const int status = choose(verb, fabric, "rom", fabric->rom);
    if (status != CLI_GO_ON || !fabric->options.block_roms)
        return status;
    machine->fills_rams = true;
    if (strcmp(machine->frame, "auto") == 0)
        machine->frame = "absolute";
    return CLI_GO_ON;
}

static int read_host(const char *verb, cli_fabric *fabric)
{
    CLI_TRY(choose(verb, fabric, "host", fabric->host));
    if (fabric->options.uart_host && !fabric->options.board)
        return cli_error(verb, "--host uart: which board? give --board");
    return CLI_GO_ON;
}

gfab_board_top cli_fabric_top(const gfab_fabric_options *options)
{
    return (gfab_board_top){options->board, options->block_roms, options->uart_host};
}

/* Does it fit the board? Cells are an estimate: what may fit is let through. */
static int check_board(const char *verb, const gfab_machine *machine, const gfab_fabric_options *fabric)
{
    const gfab_board *board = fabric->board;
    const gfab_board_top top = cli_fabric_top(fabric);
    if (!board)
        return CLI_GO_ON;
    const gfab_board_use use = gfab_board_count(machine, &top);
    if (gfab_board_holds(board, &use, 100 - GFAB_CELLS_PERCENT))
        return CLI_GO_ON;
    const uint64_t blocks = use.store_blocks + use.rom_blocks;
    const unsigned long long nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    char what[160], roms[64] = "", narrower[112] = "";
    uint64_t missing, narrow_blocks;
    uint32_t there = board->logic_cells;
    if (use.flip_flops > board->logic_cells) {
        snprintf(what, sizeof what, "the stores of %llu nodes, too small for block RAMs, take %llu flip-flops", nodes,
                 (unsigned long long)use.flip_flops);
        missing = use.flip_flops - board->logic_cells;
    } else if (blocks > board->ram_blocks) {
        if (use.rom_blocks > 0)
            snprintf(roms, sizeof roms, " and their programs %llu", (unsigned long long)use.rom_blocks);
        snprintf(what, sizeof what, "the stores of %llu nodes take %llu block RAMs%s", nodes,
                 (unsigned long long)use.store_blocks, roms);
        missing = blocks - board->ram_blocks;
        there = board->ram_blocks;
        const uint32_t link_bits = fabric->block_roms ? 0 : gfab_board_narrower(machine, &top, &narrow_blocks);
        if (link_bits > 0)
            snprintf(narrower, sizeof narrower, ", and with %s--link-bits %u all, in %llu block RAMs",
                     gfab_machine_timing(machine)->wide ? "--store narrow " : "", (unsigned)link_bits,
                     (unsigned long long)narrow_blocks);
    } else {
        snprintf(what, sizeof what, "%llu nodes with %s take about %llu cells", nodes,
                 fabric->uart_host ? "a host port" : "a self-test", (unsigned long long)use.cells);
        missing = use.cells - board->logic_cells;
    }
    return cli_error(verb,
                     "--board %s: %s; the board has %u, %llu too few; of tokens of %u bits at most %llu nodes fit%s",
                     board->name, what, there, (unsigned long long)missing, gfab_machine_timing(machine)->token_bits,
                     (unsigned long long)gfab_board_fit(machine, &top), narrower);
}

/* Before anything is computed. */
static int check_name(const char *verb, const char *name)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = name ? gfab_fabric_check_name(name, &diag) : GFAB_OK;
    return status ? cli_fail(verb, status, NULL, &diag) : CLI_GO_ON;
}

int cli_fabric_build(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric)
{
    int status = check_name(verb, fabric->options.name);
    if (status == CLI_GO_ON && fabric->board)
        status = cli_find_board(verb, fabric->board, &fabric->options.board, &fabric->own_board);
    CLI_THEN(status, read_host(verb, fabric));
    CLI_THEN(status, choose(verb, fabric, "registers", fabric->registers));
    CLI_THEN(status, choose(verb, fabric, "ports", fabric->ports));
    CLI_THEN(status, choose(verb, fabric, "axi", fabric->axi));
    CLI_THEN(status, cli_machine_split(verb, source, machine));
    CLI_THEN(status, cli_source_open(verb, source));
    if (status == CLI_GO_ON && fabric->on_a_chip)
        status = cut_into_chips(verb, fabric->on_a_chip, source->topology, &fabric->chips, &fabric->options.chip_count);
    fabric->options.chips = fabric->chips;
    CLI_THEN(status, read_clocks(verb, fabric));
    CLI_THEN(status, read_rom(verb, machine, fabric));
    machine->fabric = fabric->options.name ? fabric->options.name : GFAB_FABRIC_NAME;
    CLI_THEN(status, cli_machine_build(verb, source, machine));
    fabric->options.operator_file = machine->operator_file;
    if (status == CLI_GO_ON && !machine->options.stream) /* a fabric's text names every token at every node */
        status = cli_source_check_listed(verb, source);
    if (status == CLI_GO_ON && cli_was_interrupted())
        status = cli_fail(verb, GFAB_ERR_INTERRUPTED, NULL, NULL);
    return status == CLI_GO_ON ? check_board(verb, machine->machine, &fabric->options) : status;
}

static gfab_status write_player(const void *player, FILE *file, gfab_diag *diag)
{
    return gfab_player_write(player, file, diag);
}

void cli_fabric_set_player(const gfab_player *player, gfab_fabric_options *options)
{
    if (gfab_player_check(player, NULL) != GFAB_OK)
        return;
    options->write_player = write_player;
    options->player = player;
}

void cli_fabric_add_player(const cli_source *source, const cli_machine *machine, cli_player *player,
                           gfab_fabric_options *options)
{
    const size_t count = machine->more_count + 1;
    for (size_t i = 0; i < count; i++) {
        player->schedules[i] = cli_machine_source(source, machine, i)->schedule;
        player->bounds[i] = cli_machine_source(source, machine, i)->bound.rounds;
    }
    player->player = (gfab_player){.schedules = player->schedules,
                                   .bounds = player->bounds,
                                   .count = count,
                                   .machine = machine->machine,
                                   .timing = true};
    cli_fabric_set_player(&player->player, options);
}

int cli_fabric_write(const char *verb, const gfab_machine *machine, gfab_fabric_options *options)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    options->progress = &progress;
    cli_hold_interrupt(true); /* the folder is made beside its place */
    const gfab_status status = gfab_fabric_write(machine, options, &diag);
    cli_hold_interrupt(false);
    options->progress = NULL;
    cli_progress_end();
    return cli_told(verb, status, NULL, &diag);
}
