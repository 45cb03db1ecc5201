/* SPDX-License-Identifier: MIT */
/* gossipfab board, with a board that says what the input says: the first byte chooses the command line, then come the
 * board's shape, events, and two texts with a NUL between them: the manifest of its folder, and the file of `load`. */
#include "pretend.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS 8
#define MOST_REQUESTS 2000u         /* of one command */
#define MOST_BITS ((size_t)1 << 18) /* that are read */

int cmd_board(int argc, char **argv); /* cli/cli.h */

/* @load is the path of a file, @folder that of a folder with a manifest. */
static const char *const lines[] = {
    "board load @load --port p",
    "board read --port p",
    "board test --port p --count 2",
    "board load @load --port p --folder @folder",
    "board read --port p --folder @folder",
    "board test --port p --folder @folder",
    "board run --port p --folder @folder --program 1",
    "board bench --port p --folder @folder --operator max",
};

/* Are there so many requests, or bits to read, that a run takes seconds? */
static bool takes_long(const gfab_host_shape *shape)
{
    const uint64_t slots = (uint64_t)shape->loads + shape->reads;
    return shape->nodes * slots > MOST_REQUESTS || shape->nodes * slots * shape->span_bits > MOST_BITS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char load[256], folder[256];
    pretend_board board;
    const size_t choice = fuzz_choice(&data, &size, sizeof lines / sizeof *lines);
    if (!pretend_take(&data, &size, MOST_EVENTS, &board) || takes_long(&board.shape))
        return -1;
    const uint8_t *const end = data + size;
    const uint8_t *const gap = size > 0 ? memchr(data, 0, size) : NULL;
    const uint8_t *const second = gap ? gap + 1 : end;
    fuzz_named_file("manifest.json", data, (size_t)((gap ? gap : end) - data));
    snprintf(load, sizeof load, "%s", fuzz_named_file("load", second, (size_t)(end - second)));
    snprintf(folder, sizeof folder, "%s", fuzz_folder());
    pretend(&board);
    const fuzz_word words[] = {{"@load", load}, {"@folder", folder}, {NULL, NULL}};
    fuzz_line(cmd_board, lines[choice], words);
    return 0;
}
