/* SPDX-License-Identifier: MIT */
/* The table of boards. A board needs an entry here and constraints/<name>.pcf. */
#include <gossipfab/gen/fabric.h>
#include <string.h>

static const gfab_board boards[] = {
    {"hx8k", "Lattice iCE40-HX8K breakout board", "ice40hx8k-ct256", 12000000, 32 * 4096 + 7680},
};

const gfab_board *gfab_board_at(size_t index)
{
    return index < sizeof boards / sizeof boards[0] ? &boards[index] : NULL;
}

const gfab_board *gfab_board_find(const char *name)
{
    for (size_t i = 0; gfab_board_at(i); i++)
        if (strcmp(boards[i].name, name) == 0)
            return &boards[i];
    return NULL;
}
