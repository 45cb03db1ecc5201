/* SPDX-License-Identifier: MIT */
/* Across: the numbers of blocks as they come, evenly spaced. Up: rounds / bound, from 1 to the next half above all. */
#include "blocks_svg.h"

#include <inttypes.h>

#define WIDTH 760
#define HEIGHT 420
#define LEFT 70
#define RIGHT 24
#define TOP 74
#define BOTTOM 64

static const char *const colours[] = {"#2869af", "#a0400f"}; /* half, full duplex */

/* In thousandths of the bound. */
static uint64_t ratio(const blocks_row *row)
{
    return row->rounds * 1000 / row->bound;
}

static uint32_t across(size_t index, size_t count)
{
    return LEFT + (uint32_t)(index * (WIDTH - LEFT - RIGHT) / (count > 1 ? count - 1 : 1));
}

static uint32_t up(uint64_t value, uint64_t top)
{
    return HEIGHT - BOTTOM - (uint32_t)((value - 1000) * (HEIGHT - TOP - BOTTOM) / (top - 1000));
}

static void put_axes(FILE *file, const blocks_row *rows, size_t count, uint64_t top)
{
    fputs("<g font-size=\"12\" fill=\"#616e7c\">\n", file);
    for (uint64_t value = 1000; value <= top; value += top > 3000 ? 500 : 100) {
        const uint32_t y = up(value, top);
        fprintf(file,
                "<path d=\"M%d %uH%d\" stroke=\"#cbd2d9\"/><text x=\"%d\" y=\"%u\" text-anchor=\"end\">%" PRIu64
                ".%" PRIu64 "</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, value / 1000, value % 1000 / 100);
    }
    for (size_t i = 0; i < count; i++)
        fprintf(file, "<text x=\"%u\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", across(i, count),
                HEIGHT - BOTTOM + 20, rows[i].blocks);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">blocks</text>\n", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - BOTTOM + 44);
    fprintf(file,
            "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">rounds / lower bound</text>\n"
            "</g>\n",
            (TOP + HEIGHT - BOTTOM) / 2);
}

static void put_curve(FILE *file, const blocks_row *rows, size_t count, uint64_t top)
{
    const gfab_link_mode mode = rows[0].link_mode;
    fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colours[mode]);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%u %u", i == 0 ? "M" : "L", across(i, count), up(ratio(&rows[i]), top));
    fputs("\"/>\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file,
                "<circle cx=\"%u\" cy=\"%u\" r=\"4\" fill=\"%s\"><title>%u blocks: %" PRIu64 " rounds, bound %" PRIu64
                ", %s</title></circle>\n",
                across(i, count), up(ratio(&rows[i]), top), colours[mode], rows[i].blocks, rows[i].rounds,
                rows[i].bound, rows[i].solver);
    fprintf(file, "<text x=\"%d\" y=\"60\" font-size=\"12\" fill=\"%s\">%s-duplex links</text>\n",
            mode == GFAB_LINK_HALF ? LEFT : LEFT + 150, colours[mode], gfab_link_mode_name(mode));
}

int blocks_svg(const blocks_row *rows, size_t count, const char *path)
{
    cli_output output = {NULL, NULL, NULL};
    uint64_t top = 1500;
    for (size_t i = 0; i < count; i++)
        while (ratio(&rows[i]) > top)
            top += 500;
    CLI_TRY(cli_output_open("table", path, &output));
    fprintf(output.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(output.file,
            "<text x=\"%d\" y=\"34\" font-size=\"18\" font-weight=\"bold\" fill=\"#1f2933\">%s on %s: rounds over the "
            "lower bound</text>\n",
            LEFT, gfab_collective_name(rows[0].collective), rows[0].spec);
    put_axes(output.file, rows, count / 2, top);
    put_curve(output.file, rows, count / 2, top);
    put_curve(output.file, rows + count / 2, count / 2, top);
    fputs("</svg>\n", output.file);
    return cli_output_commit("table", &output);
}
