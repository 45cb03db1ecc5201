/* SPDX-License-Identifier: MIT */
/* Build tool: boards OUTPUT ROOT PATH... writes a C file with gfab_boards, a gfab_board for each PATH, which is
 * constraints/<name>/board.json below ROOT, in the order of their names. A board.json that is wrong ends the build. */
#include <gossipfab/gen/board.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static _Noreturn void fail(const char *path, const gfab_diag *diag)
{
    fprintf(stderr, "boards: %s: ", path);
    if (diag->line != 0)
        fprintf(stderr, "line %zu: ", diag->line);
    fprintf(stderr, "%s\n", diag->message);
    exit(2);
}

static void convert(FILE *out, const char *root, const char *path)
{
    const char *end = strrchr(path, '/');
    char folder[PATH_SIZE];
    gfab_board *board = NULL;
    gfab_diag diag = {0, ""};
    snprintf(folder, sizeof folder, "%s/%.*s", root, end ? (int)(end - path) : 1, end ? path : ".");
    if (gfab_board_read(folder, &board, &diag) != GFAB_OK)
        fail(path, &diag);
    fprintf(out, "    {\n        .name = \"%s\",\n        .summary = \"%s\",\n        .family = \"%s\",\n", board->name,
            board->summary, board->family);
    fprintf(out, "        .part = \"%s\",\n        .device = \"%s\",\n        .package = \"%s\",\n", board->part,
            board->device, board->package);
    fprintf(out, "        .clock_hz = %u,\n        .fabric_hz = %u,\n        .logic_cells = %uu,\n", board->clock_hz,
            board->fabric_hz, board->logic_cells);
    fprintf(out, "        .ram_blocks = %uu,\n        .leds = %u,\n        .leds_active_low = %s,\n", board->ram_blocks,
            board->leds, board->leds_active_low ? "true" : "false");
    fprintf(out, "        .baud = %u,\n        .fusesoc = \"%s\",\n        .openfpgaloader = \"%s\",\n    },\n",
            board->baud, board->fusesoc, board->openfpgaloader);
    gfab_board_free(board);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    const gfab_diag cannot = {0, "cannot be written"};
    if (argc < 3) {
        fprintf(stderr, "usage: boards OUTPUT ROOT PATH...\n");
        return 2;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out)
        fail(argv[1], &cannot);
    qsort(argv + 3, (size_t)(argc - 3), sizeof *argv, compare);
    fprintf(out, "/* SPDX-License-Identifier: MIT */\n#include \"gen.h\"\n\nconst gfab_board gfab_boards[] = {\n");
    for (int i = 3; i < argc; i++)
        convert(out, argv[2], argv[i]);
    fprintf(out, "    {.name = NULL},\n};\n");
    if (ferror(out) || fclose(out))
        fail(argv[1], &cannot);
    return 0;
}
