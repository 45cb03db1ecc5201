/* SPDX-License-Identifier: MIT */
/* Conway's Game of Life on a fabric that is on a board, or simulated: each node has a tile of 8 x 4 cells as its token.
 * In every generation each tile goes into its node, an all-gather makes all tiles known to all nodes, and each node's
 * next tile is worked out from what is in its own store. The world has no edges. It is compared with the same in plain
 * C.
 *
 *     life PORT [GENERATIONS [BAUD]]     draws each generation over the last one, or below it without a terminal
 *
 * Exit status 1: a generation is not that of plain C; 2: anything else that is wrong. README.md walks through it. */
#define _POSIX_C_SOURCE 200809L
#include <gossipfab/board/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TILE_WIDTH = 8, TILE_HEIGHT = 4, TILE_BYTES = 4, MOST_NODES = 256, RUN_LIMIT_MS = 10000 };

typedef uint8_t tile[TILE_BYTES]; /* a row a byte, its leftmost cell in bit 0 */

static uint32_t nodes, across; /* tiles of the world, and of a row of them */
static tile world[MOST_NODES];
static uint8_t *slots; /* what goes to a node, and comes from one */

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "life: %s: %s\n", what, why);
    exit(2);
}

static void check(gfab_status status, const gfab_diag *diag)
{
    if (status != GFAB_OK)
        fail(gfab_status_string(status), diag->message);
}

static uint32_t width(void)
{
    return TILE_WIDTH * across;
}

static uint32_t height(void)
{
    return TILE_HEIGHT * (nodes / across);
}

/* A cell of the world as tiles have it; row and column may be one beyond an edge. */
static unsigned cell(const tile *tiles, uint32_t row, uint32_t column)
{
    row = (row + height()) % height();
    column = (column + width()) % width();
    return tiles[row / TILE_HEIGHT * across + column / TILE_WIDTH][row % TILE_HEIGHT] >> column % TILE_WIDTH & 1u;
}

/* The cell in the next generation. */
static unsigned next_cell(const tile *tiles, uint32_t row, uint32_t column)
{
    unsigned neighbours = 0;
    for (uint32_t i = 0; i < 9; i++)
        if (i != 4)
            neighbours += cell(tiles, row + i / 3 - 1, column + i % 3 - 1);
    return neighbours == 3 || (neighbours == 2 && cell(tiles, row, column));
}

/* A node's next tile, of the tiles that are in its store. */
static void step_tile(const tile *store, uint32_t node, tile next)
{
    const uint32_t first_row = node / across * TILE_HEIGHT, first_column = node % across * TILE_WIDTH;
    memset(next, 0, TILE_BYTES);
    for (uint32_t i = 0; i < TILE_HEIGHT * TILE_WIDTH; i++) {
        const unsigned alive = next_cell(store, first_row + i / TILE_WIDTH, first_column + i % TILE_WIDTH);
        next[i / TILE_WIDTH] |= (uint8_t)(alive << i % TILE_WIDTH);
    }
}

/* One generation on the board; the cycles of its all-gather. A slot may be longer than a tile. */
static uint64_t step_on_board(gfab_host *host)
{
    const size_t slot_bytes = gfab_host_slot_bytes(host);
    gfab_diag diag = {0, ""};
    uint64_t cycles;
    for (uint32_t node = 0; node < nodes; node++) {
        memcpy(slots, world[node], TILE_BYTES);
        check(gfab_host_load(host, node, 0, slots, &diag), &diag);
    }
    check(gfab_host_run(host, 0, 0, RUN_LIMIT_MS, &cycles, &diag), &diag);
    for (uint32_t node = 0; node < nodes; node++) {
        tile store[MOST_NODES];
        check(gfab_host_read(host, node, 0, nodes, slots, &diag), &diag);
        for (uint32_t i = 0; i < nodes; i++)
            memcpy(store[i], slots + i * slot_bytes, TILE_BYTES);
        step_tile((const tile *)store, node, world[node]);
        memset(slots, 0, slot_bytes);
    }
    return cycles;
}

/* The same as one loop over a grid of bytes, which it replaces. */
static void step_grid(uint8_t *grid, uint8_t *old)
{
    const int rows = (int)height(), columns = (int)width();
    memcpy(old, grid, (size_t)(rows * columns));
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            const int up = (row + rows - 1) % rows * columns, here = row * columns, down = (row + 1) % rows * columns;
            const int left = (column + columns - 1) % columns, right = (column + 1) % columns;
            const int sum = old[up + left] + old[up + column] + old[up + right] + old[here + left] +
                            old[here + right] + old[down + left] + old[down + column] + old[down + right];
            grid[here + column] = sum == 3 || (sum == 2 && old[here + column]);
        }
}

/* Two rows of cells a line. */
static void draw(unsigned generation, uint64_t cycles)
{
    static const char *const blocks[] = {" ", "▀", "▄", "█"};
    if (isatty(STDOUT_FILENO))
        printf("\033[H\033[J");
    for (uint32_t row = 0; row < height(); row += 2) {
        for (uint32_t column = 0; column < width(); column++)
            fputs(blocks[cell((const tile *)world, row, column) + 2 * cell((const tile *)world, row + 1, column)],
                  stdout);
        putchar('\n');
    }
    printf("generation %u, %u nodes, gossip in %llu cycles\n", generation, nodes, (unsigned long long)cycles);
    fflush(stdout);
}

/* The widest world of whole rows of tiles that is not higher than wide, and a third of its cells. */
static void create_world(uint8_t *grid)
{
    uint32_t random = 1;
    for (across = 1; across * across < nodes || nodes % across != 0;)
        across++;
    for (uint32_t i = 0; i < width() * height(); i++) {
        random = random * 1664525u + 1013904223u;
        grid[i] = random >> 24 < 85;
        const uint32_t row = i / width(), column = i % width();
        world[row / TILE_HEIGHT * across + column / TILE_WIDTH][row % TILE_HEIGHT] |=
            (uint8_t)(grid[i] << column % TILE_WIDTH);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4)
        fail("usage", "life PORT [GENERATIONS [BAUD]]");
    const unsigned long generations = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    gfab_host_options options = gfab_host_options_default();
    options.port = argv[1];
    if (argc > 3)
        options.baud = (uint32_t)strtoul(argv[3], NULL, 10);
    gfab_host *host;
    gfab_diag diag = {0, ""};
    check(gfab_host_open(&options, &host, &diag), &diag);
    const gfab_host_shape *shape = gfab_host_shape_of(host);
    nodes = shape->nodes;
    if (shape->programs != 0 || shape->loads != 1 || shape->token_bits != 8 * TILE_BYTES || nodes > MOST_NODES)
        fail(options.port, "not an all-gather of whole 32-bit tokens on up to 256 nodes");
    slots = calloc(nodes, gfab_host_slot_bytes(host));
    if (!slots)
        fail("slots", "not enough memory");

    static uint8_t grid[MOST_NODES * TILE_WIDTH * TILE_HEIGHT], old[sizeof grid];
    create_world(grid);
    for (unsigned generation = 1; generation <= generations; generation++) {
        const uint64_t cycles = step_on_board(host);
        draw(generation, cycles);
        step_grid(grid, old);
        for (uint32_t i = 0; i < width() * height(); i++)
            if (cell((const tile *)world, i / width(), i % width()) != grid[i]) {
                printf("wrong: row %u, column %u, a cell of node %u\n", i / width(), i % width(),
                       i / width() / TILE_HEIGHT * across + i % width() / TILE_WIDTH);
                return 1;
            }
    }
    free(slots);
    gfab_host_close(host);
    return 0;
}
