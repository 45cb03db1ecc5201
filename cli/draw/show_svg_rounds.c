/* SPDX-License-Identifier: MIT */
/* Small multiples: the network once for each round, an arrow on each link in use, in the colour of its token or
 * block. */
#include "show_svg.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1240
#define MARGIN 24
#define TITLE_HEIGHT 70
#define LEGEND_HEIGHT 46
#define STEP 58 /* between nodes */
#define RADIUS 11
#define STUB 24 /* length of a wrap-around link's stub at either end */
#define HEAD_HEIGHT 20
#define GAP 26
#define MAX_NODES 1024
#define MAX_ARROWS 100000

typedef struct drawing {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    uint32_t rows, columns, rounds;
    size_t nodes;
    gfab_goal goal;
    bool combines;
    size_t words;     /* of a set: the nodes whose contributions are in it; where nothing is combined bit 0, has it */
    uint64_t *sets;   /* [(node * blocks + block) * words]: what the node has of the block after the round */
    uint64_t *before; /* likewise, before it */
    int32_t stub;     /* STUB for tori, 0 for meshes */
} drawing;

typedef struct point {
    int32_t x, y;
} point;

static point place(const drawing *d, uint32_t node)
{
    point p = {d->stub + RADIUS + (int32_t)(node % d->columns) * STEP,
               HEAD_HEIGHT + d->stub + RADIUS + (int32_t)(node / d->columns) * STEP};
    return p;
}

/* Hues go round with the column, lightness alternates with the row: neighbours look different. Integer HSV to RGB. */
static void put_colour(FILE *file, const drawing *d, uint32_t token)
{
    uint32_t hue = (uint32_t)((uint64_t)token * 1536 / d->goal.blocks) % 1536; /* 6 sectors of 256 */
    uint32_t value = token % 2 == 0 ? 200 : 150, part = hue % 256;
    uint32_t up = value * part / 255, down = value * (255 - part) / 255, low = 24;
    const uint32_t table[6][3] = {{value, up, low},   {down, value, low}, {low, value, up},
                                  {low, down, value}, {up, low, value},   {value, low, down}};
    const uint32_t *rgb = table[hue / 256];
    fprintf(file, "#%02x%02x%02x", rgb[0], rgb[1] < low ? low : rgb[1], rgb[2]);
}

/* Is the link a wrap-around one, and which way does it leave node[1]'s end? */
static bool wraps(const drawing *d, gfab_link link)
{
    uint32_t distance = link.node[0] > link.node[1] ? link.node[0] - link.node[1] : link.node[1] - link.node[0];
    return distance != 1 && distance != d->columns;
}

static bool horizontal(const drawing *d, gfab_link link)
{
    return link.node[0] / d->columns == link.node[1] / d->columns;
}

static void put_links(FILE *file, const drawing *d)
{
    fputs("<g stroke=\"#cbd2d9\" stroke-width=\"1\">\n", file);
    for (size_t i = 0; i < gfab_topology_link_count(d->topology); i++) {
        gfab_link link = gfab_topology_link(d->topology, i);
        point a = place(d, link.node[0]), b = place(d, link.node[1]);
        if (!wraps(d, link))
            fprintf(file, "<path d=\"M%d %dL%d %d\"/>\n", a.x, a.y, b.x, b.y);
        else if (horizontal(d, link))
            fprintf(file, "<path d=\"M%d %dh%dM%d %dh%d\"/>\n", a.x, a.y, RADIUS + STUB, b.x, b.y, -(RADIUS + STUB));
        else
            fprintf(file, "<path d=\"M%d %dv%dM%d %dv%d\"/>\n", a.x, a.y, RADIUS + STUB, b.x, b.y, -(RADIUS + STUB));
    }
    fputs("</g>\n", file);
}

/* An arrow from the edge of one point's circle, or from `start` without a circle, along an axis. */
static void put_arrow(FILE *file, const drawing *d, point from, point to, uint32_t word)
{
    const uint32_t token = word & ~GFAB_COMBINE;
    const bool total = d->combines && token == word;
    int32_t dx = (to.x > from.x) - (to.x < from.x), dy = (to.y > from.y) - (to.y < from.y);
    fputs("<path stroke=\"", file);
    put_colour(file, d, token);
    fprintf(file, "\"%s d=\"M%d %dL%d %d\"/>\n<path stroke=\"none\" fill=\"", total ? " stroke-dasharray=\"3 2\"" : "",
            from.x, from.y, to.x - 7 * dx, to.y - 7 * dy);
    put_colour(file, d, token);
    fprintf(file, "\" d=\"M%d %dL%d %dL%d %dz\"/>\n", to.x, to.y, to.x - 9 * dx + 5 * dy, to.y - 9 * dy + 5 * dx,
            to.x - 9 * dx - 5 * dy, to.y - 9 * dy - 5 * dx);
}

static void put_label(FILE *file, const drawing *d, int32_t x, int32_t y, const gfab_packet *packet)
{
    fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"", x, y);
    const uint32_t token = packet->tokens[0] & ~GFAB_COMBINE;
    put_colour(file, d, token);
    fprintf(file, packet->token_count > 1 ? "\">%u+</text>\n" : "\">%u</text>\n", token);
}

/* The token's number stands above a horizontal arrow, to the right of a vertical one. Full-duplex links have two arrows
 * side by side, the label on the far side of its own. */
static void put_hop(FILE *file, const drawing *d, gfab_arc arc, const gfab_packet *packet)
{
    gfab_link link = gfab_topology_link(d->topology, arc / 2);
    bool full = gfab_schedule_model(d->schedule)->link_mode == GFAB_LINK_FULL, level = horizontal(d, link);
    uint32_t direction = arc % 2;
    int32_t shift = !full ? 0 : direction == 0 ? -3 : 3;
    point ends[2] = {place(d, link.node[0]), place(d, link.node[1])};
    for (size_t i = 0; i < 2; i++)
        *(level ? &ends[i].y : &ends[i].x) += shift;
    int32_t label_shift = full && direction == 1 ? 13 : -6;
    if (!wraps(d, link)) {
        int32_t *a = level ? &ends[0].x : &ends[0].y, *b = level ? &ends[1].x : &ends[1].y;
        *a += RADIUS + 1;
        *b -= RADIUS + 1;
        put_arrow(file, d, ends[direction], ends[1 - direction], packet->tokens[0]);
        int32_t x = (ends[0].x + ends[1].x) / 2, y = (ends[0].y + ends[1].y) / 2;
        put_label(file, d, level ? x : x + (full && direction == 0 ? -10 : 10), level ? y + label_shift : y + 3,
                  packet);
        return;
    }
    for (uint32_t end = 0; end < 2; end++) {
        point inner = ends[end], outer = ends[end];
        int32_t sign = end == 0 ? 1 : -1;
        *(level ? &inner.x : &inner.y) += sign * (RADIUS + 1);
        *(level ? &outer.x : &outer.y) += sign * (RADIUS + STUB);
        bool leaving = end == direction;
        put_arrow(file, d, leaving ? inner : outer, leaving ? outer : inner, packet->tokens[0]);
        int32_t x = (inner.x + outer.x) / 2, y = (inner.y + outer.y) / 2;
        put_label(file, d, level ? x : x + (full && direction == 0 ? -10 : 10), level ? y + label_shift : y + 3,
                  packet);
    }
}

static uint64_t *set_of(const drawing *d, uint64_t *sets, uint32_t node, uint32_t block)
{
    return sets + ((size_t)node * d->goal.blocks + block) * d->words;
}

/* What the node has of what it wants, in hundredths of what came or is to come. */
static uint32_t share_of(const drawing *d, uint32_t node)
{
    uint64_t has = 0, first = 0, all = 0;
    for (uint32_t block = 0; block < d->goal.blocks; block++) {
        const uint64_t *set = set_of(d, d->sets, node, block);
        if (!gfab_goal_wants(&d->goal, d->nodes, node, block))
            continue;
        for (size_t i = 0; i < d->words; i++)
            has += (uint64_t)__builtin_popcountll(set[i]);
        first += d->combines || gfab_schedule_origin(d->schedule, block) == node;
        all += d->combines ? d->nodes : 1;
    }
    return all > first ? (uint32_t)((has - first) * 100 / (all - first)) : 0;
}

/* White with its own token alone, deeper blue the more it has. */
static void put_nodes(FILE *file, const drawing *d)
{
    fputs("<g stroke=\"#3e4c59\" stroke-width=\"1\" text-anchor=\"middle\" font-size=\"10\">\n", file);
    for (uint32_t node = 0; node < d->nodes; node++) {
        point p = place(d, node);
        uint32_t share = share_of(d, node);
        fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#%02x%02x%02x\"/>\n", p.x, p.y, RADIUS,
                255 - share * 215 / 100, 255 - share * 150 / 100, 255 - share * 80 / 100);
        fprintf(file, "<text x=\"%d\" y=\"%d\" stroke=\"none\" fill=\"%s\">%u</text>\n", p.x, p.y + 4,
                share >= 60 ? "#ffffff" : "#1f2933", node);
    }
    fputs("</g>\n", file);
}

static void receive(drawing *d, const gfab_packet *packet)
{
    const uint32_t from = gfab_topology_arc_from(d->topology, packet->arcs[0]);
    const uint32_t to = gfab_topology_arc_to(d->topology, packet->arcs[packet->arc_count - 1]);
    for (size_t i = 0; i < packet->token_count; i++) {
        const uint32_t block = packet->tokens[i] & ~GFAB_COMBINE;
        const uint64_t *sent = set_of(d, d->before, from, block);
        uint64_t *set = set_of(d, d->sets, to, block);
        for (size_t w = 0; w < d->words; w++)
            set[w] = packet->tokens[i] & GFAB_COMBINE ? set[w] | sent[w] : sent[w];
    }
}

static void put_round(FILE *file, drawing *d, uint32_t round)
{
    gfab_packet_iter packets = gfab_schedule_round(d->schedule, round);
    gfab_packet packet;
    fprintf(file, "<text x=\"%d\" y=\"10\" font-size=\"12\" font-weight=\"bold\" fill=\"#1f2933\">round %u</text>\n",
            d->stub, round);
    put_links(file, d);
    memcpy(d->before, d->sets, d->nodes * d->goal.blocks * d->words * sizeof *d->sets);
    fputs("<g font-size=\"9\" text-anchor=\"middle\" stroke-width=\"2\">\n<g>\n", file);
    while (gfab_packet_next(&packets, &packet)) {
        for (size_t hop = 0; hop < packet.arc_count; hop++)
            put_hop(file, d, packet.arcs[hop], &packet);
        receive(d, &packet);
    }
    fputs("</g>\n</g>\n", file);
    put_nodes(file, d);
}

static void put_legend(FILE *file, const drawing *d, uint32_t y)
{
    fprintf(file,
            "<g font-size=\"12\" fill=\"#3e4c59\">\n"
            "<circle cx=\"34\" cy=\"%u\" r=\"9\" fill=\"#ffffff\" stroke=\"#3e4c59\"/>\n"
            "<circle cx=\"56\" cy=\"%u\" r=\"9\" fill=\"#94b4d7\" stroke=\"#3e4c59\"/>\n"
            "<circle cx=\"78\" cy=\"%u\" r=\"9\" fill=\"#2869af\" stroke=\"#3e4c59\"/>\n"
            "<text x=\"96\" y=\"%u\">a node; the deeper its blue, the more %s after the round</text>\n",
            y, y, y, y + 4, d->goal.collective == GFAB_ALL_GATHER ? "tokens it holds" : "of its blocks it has");
    fprintf(file,
            "<path d=\"M580 %uh20\" stroke=\"#a0400f\" stroke-width=\"2\"/><path d=\"M608 %ul-9 -5v10z\" "
            "fill=\"#a0400f\"/>\n<text x=\"618\" y=\"%u\">%s</text>\n</g>\n",
            y, y, y + 4,
            d->combines ? "a block on a link, by its number; dashed: stored, not combined"
                        : "a token on a link, in the token's colour and with its number");
}

static int draw(drawing *d, const char *path)
{
    uint32_t panel_width = 2 * (uint32_t)d->stub + 2 * RADIUS + (d->columns - 1) * STEP;
    uint32_t panel_height = HEAD_HEIGHT + 2 * (uint32_t)d->stub + 2 * RADIUS + (d->rows - 1) * STEP;
    uint32_t across = (PAGE_WIDTH - 2 * MARGIN + GAP) / (panel_width + GAP);
    across = across == 0 ? 1 : across > d->rounds ? d->rounds : across;
    uint32_t down = (d->rounds + across - 1) / across;
    across = (d->rounds + down - 1) / down;
    uint32_t width = 2 * MARGIN + across * panel_width + (across - 1) * GAP;
    uint32_t height = TITLE_HEIGHT + down * (panel_height + GAP) + LEGEND_HEIGHT;
    cli_output output = {NULL, NULL, NULL};
    int status = cli_output_open("show", path, &output);
    if (status != CLI_GO_ON)
        return status;
    show_svg_begin(output.file, d->schedule, width < 1000 ? 1000 : width, height);
    for (uint32_t round = 1; round <= d->rounds; round++) {
        fprintf(output.file, "<g transform=\"translate(%u %u)\">\n",
                MARGIN + (round - 1) % across * (panel_width + GAP),
                TITLE_HEIGHT + (round - 1) / across * (panel_height + GAP));
        put_round(output.file, d, round);
        fputs("</g>\n", output.file);
    }
    put_legend(output.file, d, height - LEGEND_HEIGHT + 16);
    show_svg_end(output.file);
    return cli_output_commit("show", &output);
}

int show_svg_rounds(const gfab_schedule *schedule, const char *path)
{
    drawing d;
    memset(&d, 0, sizeof d);
    d.schedule = schedule;
    d.topology = gfab_schedule_topology(schedule);
    d.rounds = gfab_schedule_rounds(schedule);
    d.nodes = gfab_topology_node_count(d.topology);
    d.stub = gfab_topology_get_kind(d.topology) == GFAB_TOPOLOGY_TORUS ? STUB : 0;
    int status = show_svg_shape(d.topology, &d.rows, &d.columns);
    if (status != CLI_GO_ON)
        return status;
    if (d.nodes > MAX_NODES || gfab_schedule_move_count(schedule) > MAX_ARROWS) {
        return cli_error("show",
                         "--style rounds: %zu nodes with %llu arrows are too many, at most %d and %d; draw "
                         "--style dot-wire",
                         d.nodes, (unsigned long long)gfab_schedule_move_count(schedule), MAX_NODES, MAX_ARROWS);
    }
    d.goal = gfab_schedule_goal(schedule);
    d.combines = gfab_collective_combines(d.goal.collective);
    d.words = d.combines ? (d.nodes + 63) / 64 : 1;
    d.sets = calloc(d.nodes * d.goal.blocks, d.words * sizeof *d.sets);
    d.before = calloc(d.nodes * d.goal.blocks, d.words * sizeof *d.before);
    if (!d.sets || !d.before) {
        status = cli_fail("show", GFAB_ERR_NO_MEMORY, NULL, NULL);
    } else {
        for (uint32_t node = 0; node < d.nodes; node++)
            for (uint32_t block = 0; block < d.goal.blocks; block++)
                if (d.combines)
                    set_of(&d, d.sets, node, block)[node / 64] = (uint64_t)1 << node % 64;
                else
                    *set_of(&d, d.sets, node, block) = gfab_schedule_origin(schedule, block) == node;
        status = draw(&d, path);
    }
    free(d.sets);
    free(d.before);
    return status;
}
