/* SPDX-License-Identifier: MIT */
/* What stands in for this extra's commands where a build is without it. */
#include "draw/cli/blocks_svg.h"
#include "draw/cli/heat.h"
#include "draw/cli/show_animate.h"
#include "draw/cli/show_html.h"
#include "draw/cli/show_svg.h"

int blocks_svg(const blocks_row *rows, size_t count, const char *path)
{
    (void)rows;
    (void)count;
    (void)path;
    return cli_without("table", "draw");
}

int heat_check(const char *verb, const char *option, const char *path)
{
    (void)option;
    return path ? cli_without(verb, "draw") : CLI_GO_ON;
}

int heat_write(const char *verb, const heat_map *heat, const char *path)
{
    (void)heat;
    (void)path;
    return cli_without(verb, "draw");
}

int show_animate(const cli_source *source, const char *path)
{
    (void)source;
    (void)path;
    return cli_without("show", "draw");
}

int show_html(const cli_source *source, const char *path)
{
    (void)source;
    (void)path;
    return cli_without("show", "draw");
}

int show_svg_dot_wire(const gfab_schedule *schedule, const char *line, const char *path)
{
    (void)schedule;
    (void)line;
    (void)path;
    return cli_without("show", "draw");
}

int show_svg_rounds(const gfab_schedule *schedule, show_rounds_range range, const char *path)
{
    (void)schedule;
    (void)range;
    (void)path;
    return cli_without("show", "draw");
}

int show_svg_check_dots(uint64_t dots, const char *more)
{
    (void)dots;
    (void)more;
    return cli_without("show", "draw");
}

int show_svg_check_arrows(size_t nodes, uint64_t arrows, const char *more)
{
    (void)nodes;
    (void)arrows;
    (void)more;
    return cli_without("show", "draw");
}
