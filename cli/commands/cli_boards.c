/* SPDX-License-Identifier: MIT */
/* The largest fabrics that boards hold: sizes are compiled from the largest down, and counted
 * for every board. */
#include "cli_fabric.h"

const uint32_t cli_board_widths[CLI_BOARD_WIDTHS] = {1, 2, 4};

/* Tori share programs. */
static const struct {
    const char *name;
    gfab_frame frame;
} kinds[] = {[CLI_BOARD_MESH] = {"mesh", GFAB_FRAME_AUTO}, [CLI_BOARD_TORUS] = {"torus", GFAB_FRAME_RELATIVE}};

/* Each has a store, and that is a RAM block at least. */
static uint32_t most_nodes(void)
{
    uint32_t most = 0;
    const gfab_board *board;
    for (size_t i = 0; (board = gfab_board_at(i)); i++)
        most = board->ram_blocks > most ? board->ram_blocks : most;
    return most;
}

/* Columns a row: longer ones take more rounds than a smaller square does. */
#define MOST_COLUMNS 2

/* Of the grid of so many nodes that is most like a square. */
static uint32_t rows_of(uint32_t nodes)
{
    uint32_t rows = 1;
    for (uint32_t side = 1; side * side <= nodes; side++)
        rows = nodes % side ? rows : side;
    return rows;
}

/* Is there a board with a RAM block for each of so many nodes, whose largest is not known as yet? */
static bool is_asked(uint32_t nodes, int kind, const cli_board_largest *largest)
{
    const gfab_board *board;
    for (size_t i = 0; (board = gfab_board_at(i)); i++)
        for (int slot = 0; board->ram_blocks >= nodes && slot < 2 * CLI_BOARD_WIDTHS; slot++)
            if (largest[i].size[slot / CLI_BOARD_WIDTHS][kind][slot % CLI_BOARD_WIDTHS].rows == 0)
                return true;
    return false;
}

/* Notes of every board that holds it, and no larger one, that it does. */
static void note(const gfab_machine *machine, cli_board_size size, int kind, int width, cli_board_largest *largest)
{
    const gfab_board *board;
    for (size_t i = 0; (board = gfab_board_at(i)); i++)
        for (int host = 0; host < 2; host++) {
            const gfab_board_top top = {.board = board, .uart_host = host != 0};
            const gfab_board_use use = gfab_board_count(machine, &top);
            largest[i].by_ram_alone = use.cells == 0;
            cli_board_size *noted = &largest[i].size[host][kind][width];
            if (noted->rows == 0 && gfab_board_holds(board, &use, 100 + GFAB_CELLS_PERCENT))
                *noted = size;
        }
}

static gfab_status try_size(cli_board_size size, int kind, cli_board_largest *largest, gfab_diag *diag)
{
    char name[32];
    const gfab_model model = gfab_model_default();
    gfab_solver_options search = gfab_solver_options_default();
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    snprintf(name, sizeof name, "%s:%ux%u", kinds[kind].name, size.rows, size.columns);
    gfab_status status = gfab_topology_parse(name, &topology, diag);
    for (int width = 0; !status && width < CLI_BOARD_WIDTHS; width++) {
        gfab_plan plan;
        gfab_machine *machine = NULL;
        gfab_machine_options options = gfab_machine_options_default();
        options.link_bits = cli_board_widths[width];
        options.store = GFAB_STORE_NARROW;
        options.frame = kinds[kind].frame;
        status = gfab_machine_plan(topology, &model, &options, &plan, diag);
        if (!status && !schedule)
            status = gfab_solver_find("auto")->solve(topology, &plan.model, &search, &schedule, diag);
        if (!status)
            status = gfab_machine_compile(&plan, schedule, &machine, diag);
        if (!status)
            note(machine, size, kind, width, largest);
        gfab_machine_destroy(machine);
    }
    return status;
}

gfab_status cli_boards_survey(cli_board_largest largest[CLI_BOARD_MOST], gfab_diag *diag)
{
    const uint32_t most = most_nodes();
    gfab_status status = GFAB_OK;
    for (int kind = 0; kind < CLI_BOARD_KINDS; kind++)
        for (uint32_t nodes = most; !status && nodes >= 4; nodes--) {
            const uint32_t rows = rows_of(nodes);
            if (nodes / rows <= MOST_COLUMNS * rows && is_asked(nodes, kind, largest))
                status = cli_was_interrupted() ? GFAB_ERR_INTERRUPTED
                                               : try_size((cli_board_size){rows, nodes / rows}, kind, largest, diag);
        }
    return status;
}
