/* SPDX-License-Identifier: MIT */
/* Small multiples: the network once for each round, an arrow on each link in use, in the colour of its token or
 * block. Relays are squares, links are as thick as they carry packets, and nodes of files have their names. */
#include "show_sets.h"
#include "show_svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1240
#define MARGIN 24
#define TITLE_HEIGHT 70
#define LEGEND_HEIGHT 46
#define MOST_PIXELS 4000
#define GRID_STEP 58  /* between nodes */
#define GRAPH_STEP 92 /* a unit of the placement of another graph, in which nodes may be nearer to each other */
#define RADIUS 11
#define STUB 24 /* length of a wrap-around link's stub at either end */
#define HEAD_HEIGHT 20
#define GAP 26
#define MAX_NODES 1024
#define MAX_ARROWS 100000
#define NAME_HEIGHT 13
#define MORE_HEIGHT 26  /* of the legend's second line */
#define MOST_WEIGHTS 64 /* links of a picture in which each has its number */

typedef struct drawing {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    const gfab_placement *placement;
    show_rounds_range range;
    int32_t step;
    size_t nodes;
    gfab_goal goal;
    show_sets sets;    /* what nodes have after the round */
    uint32_t *carried; /* packets of each arc in the round */
    bool *drawn;       /* has the arc its arrow? */
    uint32_t heaviest; /* link's weight */
    int32_t stub;      /* STUB where some links are drawn as stubs, else 0 */
} drawing;

typedef struct point {
    int32_t x, y;
} point;

static point place(const drawing *d, uint32_t node)
{
    const gfab_place *at = &d->placement->nodes[node];
    point p = {d->stub + RADIUS + at->x * d->step / GFAB_PLACEMENT_UNIT,
               HEAD_HEIGHT + d->stub + RADIUS + at->y * d->step / GFAB_PLACEMENT_UNIT};
    return p;
}

/* A way to go: one pixel, rounded only once it is multiplied. */
typedef struct direction {
    double x, y;
} direction;

static point go(point from, direction way, double pixels)
{
    point p = {from.x + (int32_t)lround(way.x * pixels), from.y + (int32_t)lround(way.y * pixels)};
    return p;
}

static bool has_stubs(const drawing *d, size_t link)
{
    return d->placement->stubs[link].x != 0 || d->placement->stubs[link].y != 0;
}

/* From node[0] to node[1], or the way in which stubs leave the one and reach the other. */
static direction direction_of(const drawing *d, size_t link)
{
    const gfab_link ends = gfab_topology_link(d->topology, link);
    const point a = place(d, ends.node[0]), b = place(d, ends.node[1]);
    const gfab_place stub = d->placement->stubs[link];
    const double x = has_stubs(d, link) ? stub.x : b.x - a.x, y = has_stubs(d, link) ? stub.y : b.y - a.y;
    const double length = sqrt(x * x + y * y);
    return (direction){x / length, y / length};
}

static bool is_slanted(direction way)
{
    return fabs(way.x) > 0.3 && fabs(way.y) > 0.3;
}

/* From the middle of a node to the end of a stub; short aslant, where those of four nodes come near to each other. */
static int32_t stub_length(direction way)
{
    return is_slanted(way) ? RADIUS + STUB - 9 : RADIUS + STUB;
}

static void put_links(FILE *file, const drawing *d)
{
    fputs("<g stroke=\"#cbd2d9\" stroke-width=\"1\">\n", file);
    for (size_t i = 0; i < gfab_topology_link_count(d->topology); i++) {
        gfab_link link = gfab_topology_link(d->topology, i);
        point a = place(d, link.node[0]), b = place(d, link.node[1]);
        const direction way = direction_of(d, i);
        const point out = go(a, way, stub_length(way)), in = go(b, way, -stub_length(way));
        if (has_stubs(d, i))
            fprintf(file, "<path d=\"M%d %dL%d %dM%d %dL%d %d\"", a.x, a.y, out.x, out.y, b.x, b.y, in.x, in.y);
        else
            fprintf(file, "<path d=\"M%d %dL%d %d\"", a.x, a.y, b.x, b.y);
        if (d->heaviest > 1)
            fprintf(file, " stroke-width=\"%u\"", show_svg_thickness(d->topology, i, d->heaviest));
        fputs("/>\n", file);
    }
    fputs("</g>\n", file);
}

/* What links carry, at a quarter of their way: the arrows' labels are in the middle. */
static void put_weights(FILE *file, const drawing *d)
{
    if (d->heaviest == 1 || gfab_topology_link_count(d->topology) > MOST_WEIGHTS)
        return;
    fputs("<g font-size=\"8\" text-anchor=\"middle\" fill=\"#7b8794\">\n", file);
    for (size_t i = 0; i < gfab_topology_link_count(d->topology); i++) {
        const gfab_link link = gfab_topology_link(d->topology, i);
        const point a = place(d, link.node[0]), b = place(d, link.node[1]);
        show_svg_weight(file, d->topology, i, (gfab_place){a.x, a.y}, (gfab_place){b.x, b.y});
    }
    fputs("</g>\n", file);
}

static void put_arrow(FILE *file, const drawing *d, point from, point to, direction way, uint32_t word)
{
    const uint32_t token = word & ~GFAB_COMBINE;
    const bool total = d->sets.combines && token == word;
    const direction across = {way.y, -way.x};
    const point neck = go(to, way, -9), one = go(neck, across, 5), other = go(neck, across, -5), end = go(to, way, -7);
    fputs("<path stroke=\"", file);
    show_svg_colour(file, d->goal.blocks, token);
    fprintf(file, "\"%s d=\"M%d %dL%d %d\"/>\n<path stroke=\"none\" fill=\"", total ? " stroke-dasharray=\"3 2\"" : "",
            from.x, from.y, end.x, end.y);
    show_svg_colour(file, d->goal.blocks, token);
    fprintf(file, "\" d=\"M%d %dL%d %dL%d %dz\"/>\n", to.x, to.y, one.x, one.y, other.x, other.y);
}

/* "+": of a packet that has more tokens, or the first of several packets of its link. */
static void put_label(FILE *file, const drawing *d, int32_t x, int32_t y, const gfab_packet *packet)
{
    const bool more = packet->token_count > 1 || d->carried[packet->arcs[0]] > 1;
    fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"", x, y);
    const uint32_t token = packet->tokens[0] & ~GFAB_COMBINE;
    show_svg_colour(file, d->goal.blocks, token);
    fprintf(file, more ? "\">%u+</text>\n" : "\">%u</text>\n", token);
}

/* A piece of a link, in the link's direction or against it; stub_end: of a stub, or NULL. */
typedef struct piece {
    point from, to;
    direction way;
    bool reversed;
    const point *stub_end;
} piece;

/* The token's number stands above an arrow that is rather level, to the right of one that is rather upright, and, where
 * two lie side by side in a full-duplex link, on the far side of its own. Beside the end, if there is one, of a stub
 * that is slanted. */
static void put_piece(FILE *file, const drawing *d, piece p, const gfab_packet *packet)
{
    const point from = p.from, to = p.to, *stub_end = p.stub_end;
    const direction way = p.way;
    const bool reversed = p.reversed;
    const bool full = gfab_schedule_model(d->schedule)->link_mode == GFAB_LINK_FULL;
    const bool level = fabs(way.x) >= fabs(way.y);
    const int32_t x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
    const direction along = reversed ? (direction){-way.x, -way.y} : way;
    put_arrow(file, d, from, to, along, packet->tokens[0]);
    if (stub_end && is_slanted(way)) {
        put_label(file, d, stub_end->x + (2 * stub_end->x > from.x + to.x ? 8 : -8), stub_end->y + 4, packet);
        return;
    }
    put_label(file, d, level ? x : x + (full && !reversed ? -10 : 10), level ? y + (full && reversed ? 13 : -6) : y + 3,
              packet);
}

static void put_hop(FILE *file, const drawing *d, gfab_arc arc, const gfab_packet *packet)
{
    const gfab_link link = gfab_topology_link(d->topology, arc / 2);
    const bool full = gfab_schedule_model(d->schedule)->link_mode == GFAB_LINK_FULL, reversed = arc % 2 == 1;
    const direction way = direction_of(d, arc / 2);
    const direction aside = fabs(way.x) >= fabs(way.y) ? (direction){way.y, -way.x} : (direction){-way.y, way.x};
    const int32_t shift = !full ? 0 : reversed ? -3 : 3;
    const point a = go(place(d, link.node[0]), aside, shift), b = go(place(d, link.node[1]), aside, shift);
    const point out = go(a, way, RADIUS + 1), in = go(b, way, -(RADIUS + 1));
    if (!has_stubs(d, arc / 2)) {
        put_piece(file, d, (piece){reversed ? in : out, reversed ? out : in, way, reversed, NULL}, packet);
        return;
    }
    const point far_out = go(a, way, stub_length(way)), far_in = go(b, way, -stub_length(way));
    put_piece(file, d, (piece){reversed ? far_out : out, reversed ? out : far_out, way, reversed, &far_out}, packet);
    put_piece(file, d, (piece){reversed ? in : far_in, reversed ? far_in : in, way, reversed, &far_in}, packet);
}

/* What the node has of what it wants, in hundredths of what came or is to come. */
static uint32_t share_of(const drawing *d, uint32_t node)
{
    const gfab_topology *topology = gfab_schedule_topology(d->schedule);
    uint64_t has = 0, first = 0, all = 0;
    for (uint32_t block = 0; block < d->goal.blocks; block++) {
        if (!gfab_goal_node_wants(&d->goal, topology, node, block))
            continue;
        has += show_sets_amount(&d->sets, node, block);
        first += d->sets.combines || gfab_schedule_origin(d->schedule, block) == node;
        all += d->sets.full;
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
        if (gfab_topology_is_relay(d->topology, node))
            fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\" fill=\"" SHOW_SVG_RELAY "\"/>\n",
                    p.x - RADIUS, p.y - RADIUS, 2 * RADIUS, 2 * RADIUS);
        else
            fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#%02x%02x%02x\"/>\n", p.x, p.y, RADIUS,
                    255 - share * 215 / 100, 255 - share * 150 / 100, 255 - share * 80 / 100);
        fprintf(file, "<text x=\"%d\" y=\"%d\" stroke=\"none\" fill=\"%s\">%u</text>\n", p.x, p.y + 4,
                share >= 60 ? "#ffffff" : "#1f2933", node);
        if (gfab_topology_node_name(d->topology, node))
            show_svg_name(file, p.x, p.y + RADIUS + NAME_HEIGHT - 3, gfab_topology_node_name(d->topology, node));
    }
    fputs("</g>\n", file);
}

static void put_round(FILE *file, drawing *d, uint32_t round)
{
    gfab_packet_iter packets = gfab_schedule_round(d->schedule, round);
    gfab_packet packet;
    fprintf(file, "<text x=\"%d\" y=\"10\" font-size=\"12\" font-weight=\"bold\" fill=\"#1f2933\">round %u</text>\n",
            d->stub, round);
    put_links(file, d);
    put_weights(file, d);
    memset(d->carried, 0, 2 * gfab_topology_link_count(d->topology) * sizeof *d->carried);
    for (gfab_packet_iter counted = packets; gfab_packet_next(&counted, &packet);)
        for (size_t hop = 0; hop < packet.arc_count; hop++)
            d->carried[packet.arcs[hop]]++;
    memset(d->drawn, 0, 2 * gfab_topology_link_count(d->topology) * sizeof *d->drawn);
    fputs("<g font-size=\"9\" text-anchor=\"middle\" stroke-width=\"2\">\n<g>\n", file);
    while (gfab_packet_next(&packets, &packet))
        for (size_t hop = 0; hop < packet.arc_count; hop++)
            if (!d->drawn[packet.arcs[hop]]) {
                d->drawn[packet.arcs[hop]] = true;
                put_hop(file, d, packet.arcs[hop], &packet);
            }
    fputs("</g>\n</g>\n", file);
    show_sets_play(&d->sets, round);
    put_nodes(file, d);
}

/* Is there more to explain than nodes and tokens? */
static bool has_more(const drawing *d)
{
    return d->heaviest > 1 || gfab_topology_has_relays(d->topology);
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
            d->sets.combines ? "a block on a link, by its number; dashed: stored, not combined"
                             : "a token on a link, in the token's colour and with its number");
    if (!has_more(d))
        return;
    fputs("<g font-size=\"12\" fill=\"#3e4c59\">\n", file);
    if (gfab_topology_has_relays(d->topology))
        fprintf(file,
                "<rect x=\"69\" y=\"%u\" width=\"18\" height=\"18\" rx=\"2\" fill=\"" SHOW_SVG_RELAY
                "\" stroke=\"#3e4c59\"/>\n"
                "<text x=\"96\" y=\"%u\">a relay, such as a switch: it passes on what others send</text>\n",
                y + MORE_HEIGHT - 9, y + MORE_HEIGHT + 4);
    if (d->heaviest > 1)
        fprintf(file,
                "<path d=\"M580 %uh28\" stroke=\"#cbd2d9\" stroke-width=\"6\"/>\n"
                "<text x=\"618\" y=\"%u\">x6: it carries 6 packets a round; 4+: block 4 and others</text>\n",
                y + MORE_HEIGHT, y + MORE_HEIGHT + 4);
    fputs("</g>\n", file);
}

static uint32_t legend_height(const drawing *d)
{
    return LEGEND_HEIGHT + (has_more(d) ? MORE_HEIGHT : 0);
}

/* The panels of a page: so many across and down, each so large. */
typedef struct page {
    uint32_t panel_width, panel_height, across, down;
} page;

static uint32_t width_of(const page *p)
{
    return 2 * MARGIN + p->across * p->panel_width + (p->across - 1) * GAP;
}

static uint32_t height_of(const drawing *d, const page *p)
{
    return TITLE_HEIGHT + p->down * (p->panel_height + GAP) + legend_height(d);
}

/* As wide as a text's page, and wider where it would be too long. */
static int make_page(const drawing *d, page *p)
{
    const uint32_t rounds = d->range.last - d->range.first + 1;
    p->panel_width = (uint32_t)(2 * d->stub + 2 * RADIUS + d->placement->size.x * d->step / GFAB_PLACEMENT_UNIT);
    p->panel_height =
        (uint32_t)(HEAD_HEIGHT + 2 * d->stub + 2 * RADIUS + d->placement->size.y * d->step / GFAB_PLACEMENT_UNIT) +
        (gfab_topology_has_names(d->topology) ? NAME_HEIGHT : 0);
    const uint32_t most_across = (MOST_PIXELS - 2 * MARGIN + GAP) / (p->panel_width + GAP);
    const uint32_t most_down = (MOST_PIXELS - TITLE_HEIGHT - legend_height(d)) / (p->panel_height + GAP);
    p->across = (PAGE_WIDTH - 2 * MARGIN + GAP) / (p->panel_width + GAP);
    p->across = p->across == 0 ? 1 : p->across > rounds ? rounds : p->across;
    p->down = (rounds + p->across - 1) / p->across;
    if (p->down > most_down && most_down > 0) {
        p->down = most_down;
        p->across = (rounds + p->down - 1) / p->down;
    } else {
        p->across = (rounds + p->down - 1) / p->down;
    }
    if (most_down == 0 || most_across == 0)
        return cli_error("show", "--style rounds: one round of %s takes %u x %u pixels, more than %d; --html shows it",
                         gfab_topology_name(d->topology), p->panel_width, p->panel_height, MOST_PIXELS);
    if (p->across > most_across)
        return cli_error(
            "show", "--style rounds: %u rounds do not fit a page of %d pixels, at most %u do; give --rounds %u-%u",
            rounds, MOST_PIXELS, most_across * most_down, d->range.first, d->range.first + most_across * most_down - 1);
    return CLI_GO_ON;
}

static int draw(drawing *d, const char *path)
{
    page p;
    cli_output output = {NULL, NULL, NULL};
    CLI_TRY(make_page(d, &p));
    CLI_TRY(cli_output_open("show", path, &output));
    const uint32_t width = width_of(&p), height = height_of(d, &p);
    show_svg_begin(output.file, d->schedule, width < 1000 ? 1000 : width, height);
    for (uint32_t round = 1; round < d->range.first; round++)
        show_sets_play(&d->sets, round);
    for (uint32_t round = d->range.first; round <= d->range.last; round++) {
        const uint32_t number = round - d->range.first;
        fprintf(output.file, "<g transform=\"translate(%u %u)\">\n", MARGIN + number % p.across * (p.panel_width + GAP),
                TITLE_HEIGHT + number / p.across * (p.panel_height + GAP));
        put_round(output.file, d, round);
        fputs("</g>\n", output.file);
    }
    put_legend(output.file, d, height - legend_height(d) + 16);
    show_svg_end(output.file);
    return cli_output_commit("show", &output);
}

/* What nodes start with. */
static int begin(drawing *d)
{
    d->carried = calloc(2 * gfab_topology_link_count(d->topology), sizeof *d->carried);
    d->drawn = calloc(2 * gfab_topology_link_count(d->topology), sizeof *d->drawn);
    CLI_NEED("show", d->carried && d->drawn);
    return show_sets_begin(&d->sets, d->schedule);
}

/* Arrows of the rounds that are drawn. */
static uint64_t count_arrows(const drawing *d)
{
    uint64_t arrows = 0;
    for (uint32_t round = d->range.first; round <= d->range.last; round++) {
        gfab_packet_iter packets = gfab_schedule_round(d->schedule, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            arrows += packet.arc_count;
    }
    return arrows;
}

int show_svg_check_arrows(size_t nodes, uint64_t arrows, const char *more)
{
    if (nodes <= MAX_NODES && arrows <= MAX_ARROWS)
        return CLI_GO_ON;
    return cli_error("show",
                     "--style rounds: %zu nodes with %" PRIu64 "%s arrows are too many, at most %d and %d; give fewer "
                     "--rounds, or --style heat",
                     nodes, arrows, more, MAX_NODES, MAX_ARROWS);
}

int show_svg_rounds(const gfab_schedule *schedule, show_rounds_range range, const char *path)
{
    gfab_placement *placement = NULL;
    gfab_diag diag = {0, ""};
    drawing d = {.schedule = schedule, .topology = gfab_schedule_topology(schedule), .range = range};
    d.nodes = gfab_topology_node_count(d.topology);
    d.goal = gfab_schedule_goal(schedule);
    d.step = gfab_topology_get_kind(d.topology) == GFAB_TOPOLOGY_GRAPH ? GRAPH_STEP : GRID_STEP;
    CLI_TRY(show_svg_check_arrows(d.nodes, count_arrows(&d), ""));
    CLI_TRY(cli_told("show", gfab_placement_create(d.topology, &placement, &diag), NULL, &diag));
    d.placement = placement;
    d.heaviest = show_svg_heaviest(d.topology);
    for (size_t link = 0; link < gfab_topology_link_count(d.topology); link++)
        d.stub = has_stubs(&d, link) ? STUB : d.stub;
    int status = begin(&d);
    CLI_THEN(status, draw(&d, path));
    show_sets_release(&d.sets);
    GFAB_FREE(d.carried, d.drawn);
    gfab_placement_destroy(placement);
    return status;
}
