/* SPDX-License-Identifier: MIT */
/* The pictures of gossipfab show. */
#ifndef GOSSIPFAB_CLI_SHOW_SVG_H
#define GOSSIPFAB_CLI_SHOW_SVG_H

#include "cli.h"

/* From one round to another, both counted. */
typedef struct show_rounds_range {
    uint32_t first, last;
} show_rounds_range;

/* show_svg.c: the papers' dot-wire diagrams; line: NULL for all, "row:I" or "column:J".
 * Paths, cycles, and meshes and tori of two dimensions.
 * show_svg_rounds.c: a drawing of the network for each round, any graph.
 * CLI_GO_ON or an exit status after an error line. */
int show_svg_dot_wire(const gfab_schedule *schedule, const char *line, const char *path);
int show_svg_rounds(const gfab_schedule *schedule, show_rounds_range range, const char *path);
/* Whether so many links in rounds, or packets over links of so many nodes, can be drawn; more: " or more" where that is
 * known before there is a schedule, else "". CLI_GO_ON or an exit status after an error line. */
int show_svg_check_dots(uint64_t dots, const char *more);
int show_svg_check_arrows(size_t nodes, uint64_t arrows, const char *more);
/* What both start with: size, background, styles, and a title that says what the schedule is. */
void show_svg_begin(FILE *file, const gfab_schedule *schedule, uint32_t width, uint32_t height);
void show_svg_end(FILE *file);
/* The colour of a token, of so many. */
void show_svg_colour(FILE *file, uint32_t blocks, uint32_t token);

/* ---- what a network looks like ---- */

#define SHOW_SVG_RELAY "#e4e7eb"

/* The greatest weight of a link; how thick a link is: 1 for the lightest, up to 9 for the heaviest. */
uint32_t show_svg_heaviest(const gfab_topology *topology);
uint32_t show_svg_thickness(const gfab_topology *topology, size_t link, uint32_t heaviest);
/* x6, or x6/3 each way, beside a quarter of the way from one end to the other; nothing where both are 1. */
void show_svg_weight(FILE *file, const gfab_topology *topology, size_t link, gfab_place from, gfab_place to);
/* What a node is called, below it; a long name is cut, at a letter. */
void show_svg_name(FILE *file, int32_t x, int32_t y, const char *name);

#endif
