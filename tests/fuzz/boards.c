/* SPDX-License-Identifier: MIT */
/* A board of the user's own, a folder: what `gossipfab generate --board FOLDER` reads. The first byte chooses the file
 * of pins; then come board.json and that file, with a NUL between them. */
#include "fuzz.h"

#include <gossipfab/gen/board.h>

#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {"pcf", "lpf", "cst", "xdc"};
    char folder[192], name[256];
    gfab_board *board = NULL;
    gfab_diag diag = {0, ""};
    const size_t choice = fuzz_choice(&data, &size, sizeof endings / sizeof *endings);
    const uint8_t *gap = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t first = gap ? (size_t)(gap - data) : size, second = gap ? first + 1 : size;
    snprintf(folder, sizeof folder, "%s/own", fuzz_folder()); /* the name of a board has no capitals */
    mkdir(folder, 0700);
    fuzz_named_file("own/board.json", data, first);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "%s/own.%s", folder, endings[i]);
        remove(name);
    }
    snprintf(name, sizeof name, "own/own.%s", endings[choice]);
    fuzz_named_file(name, data + second, size - second);
    const gfab_status status = gfab_board_read(folder, &board, &diag);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!board);
    if (board) {
        FUZZ_CHECK(strcmp(board->name, "own") == 0 && board->pins && board->leds >= 1 && board->leds <= 8);
        FUZZ_CHECK(strlen(board->pins) <= size && !strchr(board->summary, '\n'));
    }
    gfab_board_free(board);
    return 0;
}
