/* SPDX-License-Identifier: MIT */
/* How much each link is used, as a picture or a table. `show` counts packets of the schedule, `simulate` counts cycles
 * in the C model; both draw them here, so that the two pictures can be laid side by side. More use is a darker colour,
 * so that the order can also be seen in grey. */
#include "heat.h"

#include <inttypes.h>
#include <string.h>

#define MARGIN 60
#define TITLE_HEIGHT 84
#define LEGEND_HEIGHT 70
#define RADIUS 11
#define MOST_PIXELS 4000
#define LEAST_WIDTH 420
#define RAMP 240 /* pixels of the legend */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length >= size && strcmp(path + length - size, ending) == 0;
}

int heat_check(const char *verb, const char *option, const char *path)
{
    if (!path || ends_in(path, ".svg") || ends_in(path, ".csv"))
        return CLI_GO_ON;
    return cli_error(verb, "--%s '%s': the name says what to write; let it end in .svg or .csv", option, path);
}

static uint64_t use_of(const heat_map *heat, size_t link)
{
    return heat->uses[2 * link] + heat->uses[2 * link + 1];
}

static void write_csv(const heat_map *heat, FILE *file)
{
    fputs("link,from,to,from_to,to_from\n", file);
    for (size_t link = 0; link < gfab_topology_link_count(heat->topology); link++) {
        const gfab_link ends = gfab_topology_link(heat->topology, link);
        fprintf(file, "%zu,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n", link, ends.node[0], ends.node[1],
                heat->uses[2 * link], heat->uses[2 * link + 1]);
    }
}

/* From pale yellow over orange to dark violet: darker is more for every eye. */
static void put_colour(FILE *file, uint64_t use, uint64_t most)
{
    static const uint32_t stops[][3] = {{247, 236, 190}, {240, 170, 80}, {196, 71, 87}, {90, 24, 110}, {22, 11, 57}};
    const uint64_t steps = sizeof stops / sizeof *stops - 1, at = most == 0 ? 0 : use * steps * 256 / most;
    const uint64_t low = at / 256 < steps ? at / 256 : steps - 1, part = at - low * 256;
    fputc('#', file);
    for (size_t i = 0; i < 3; i++)
        fprintf(file, "%02" PRIx64, (stops[low][i] * (256 - part) + stops[low + 1][i] * part) / 256);
}

/* Pixels a unit of the placement: as many as fit, but no more than 80. */
static int32_t choose_step(const gfab_placement *p)
{
    const int32_t longest = p->size.x > p->size.y ? p->size.x : p->size.y;
    const int64_t room = MOST_PIXELS - 2 * MARGIN - TITLE_HEIGHT - LEGEND_HEIGHT;
    const int64_t step = longest == 0 ? 80 : room * GFAB_PLACEMENT_UNIT / longest;
    return (int32_t)(step < 80 ? step : 80);
}

static void put_links(const heat_map *heat, const gfab_placement *p, int32_t step, uint64_t most, FILE *file)
{
    fprintf(file, "<g fill=\"none\" stroke-width=\"%d\">\n", step >= 40 ? 8 : step >= 12 ? 4 : 2);
    for (size_t link = 0; link < gfab_topology_link_count(heat->topology); link++) {
        const gfab_link ends = gfab_topology_link(heat->topology, link);
        const gfab_place a = p->nodes[ends.node[0]], b = p->nodes[ends.node[1]], stub = p->stubs[link];
        const bool whole = stub.x == 0 && stub.y == 0;
        const int32_t ax = MARGIN + a.x * step / GFAB_PLACEMENT_UNIT, bx = MARGIN + b.x * step / GFAB_PLACEMENT_UNIT;
        const int32_t ay = TITLE_HEIGHT + a.y * step / GFAB_PLACEMENT_UNIT;
        const int32_t by = TITLE_HEIGHT + b.y * step / GFAB_PLACEMENT_UNIT;
        const int32_t sx = stub.x * step * 3 / 2 / GFAB_PLACEMENT_UNIT,
                      sy = stub.y * step * 3 / 2 / GFAB_PLACEMENT_UNIT;
        fputs("<path stroke=\"", file);
        put_colour(file, use_of(heat, link), most);
        if (whole)
            fprintf(file, "\" d=\"M%d %dL%d %d\">", ax, ay, bx, by);
        else
            fprintf(file, "\" d=\"M%d %dl%d %dM%d %dl%d %d\">", ax, ay, sx, sy, bx, by, -sx, -sy);
        fprintf(file, "<title>%" PRIu32 " to %" PRIu32 ": %" PRIu64 ", back: %" PRIu64 "</title></path>\n",
                ends.node[0], ends.node[1], heat->uses[2 * link], heat->uses[2 * link + 1]);
    }
    fputs("</g>\n", file);
}

static void put_nodes(const heat_map *heat, const gfab_placement *p, int32_t step, FILE *file)
{
    const bool numbers = step >= 40;
    fprintf(file, "<g fill=\"#ffffff\" stroke=\"#3e4c59\" text-anchor=\"middle\" font-size=\"10\">\n");
    for (size_t node = 0; node < gfab_topology_node_count(heat->topology); node++) {
        const int32_t x = MARGIN + p->nodes[node].x * step / GFAB_PLACEMENT_UNIT;
        const int32_t y = TITLE_HEIGHT + p->nodes[node].y * step / GFAB_PLACEMENT_UNIT;
        fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", x, y, numbers ? RADIUS : step >= 12 ? 3 : 1);
        if (numbers)
            fprintf(file, "<text x=\"%d\" y=\"%d\" stroke=\"none\" fill=\"#1f2933\">%zu</text>\n", x, y + 4, node);
    }
    fputs("</g>\n", file);
}

static void put_legend(const heat_map *heat, int32_t y, uint64_t most, FILE *file)
{
    fputs("<g font-size=\"12\" fill=\"#3e4c59\">\n", file);
    for (int32_t i = 0; i < RAMP; i += 4) {
        fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"4\" height=\"12\" fill=\"", MARGIN + i, y);
        put_colour(file, (uint64_t)i, RAMP - 4);
        fputs("\"/>\n", file);
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\">0</text>\n", MARGIN, y + 28);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%" PRIu64 " %s over a link, both ways</text>\n</g>\n",
            MARGIN + RAMP, y + 28, most, heat->unit);
}

static void write_svg(const heat_map *heat, const gfab_placement *p, FILE *file)
{
    const int32_t step = choose_step(p), high = p->size.y * step / GFAB_PLACEMENT_UNIT;
    const int32_t across = 2 * MARGIN + p->size.x * step / GFAB_PLACEMENT_UNIT;
    const int32_t width = across < LEAST_WIDTH ? LEAST_WIDTH : across,
                  height = TITLE_HEIGHT + high + LEGEND_HEIGHT + 40;
    uint64_t most = 0;
    for (size_t link = 0; link < gfab_topology_link_count(heat->topology); link++)
        most = use_of(heat, link) > most ? use_of(heat, link) : most;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
    fprintf(file, "<text x=\"24\" y=\"34\" font-size=\"18\" font-weight=\"bold\" fill=\"#1f2933\">%s on %s</text>\n",
            heat->title, gfab_topology_name(heat->topology));
    put_links(heat, p, step, most, file);
    put_nodes(heat, p, step, file);
    put_legend(heat, height - LEGEND_HEIGHT + 20, most, file);
    fputs("</svg>\n", file);
}

int heat_write(const char *verb, const heat_map *heat, const char *path)
{
    const bool table = ends_in(path, ".csv");
    gfab_placement *placement = NULL;
    gfab_diag diag = {0, ""};
    cli_output output = {NULL, NULL, NULL};
    if (!table) {
        const gfab_status status = gfab_placement_create(heat->topology, &placement, &diag);
        if (status != GFAB_OK)
            return cli_fail(verb, status, NULL, &diag);
    }
    int status = cli_output_open(verb, path, &output);
    if (status == CLI_GO_ON) {
        if (table)
            write_csv(heat, output.file);
        else
            write_svg(heat, placement, output.file);
        status = cli_output_commit(verb, &output);
    }
    gfab_placement_destroy(placement);
    return status;
}
