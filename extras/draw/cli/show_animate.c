/* SPDX-License-Identifier: MIT */
/* Twenty seconds of a schedule, as SVG that moves by CSS alone, so that it does so within a page's <img>, too: the
 * command; the way of block 0, round by round; all blocks at once, while the stores fill; rounds and lower bound. Where
 * nothing moves (other programs, readers who want no motion) it is the last of these. What is only a part of a sum is
 * pale, on links as in stores. Relays, thick links and names look as in pictures of rounds. */
#include "show_animate.h"
#include "show_sets.h"
#include "show_svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 20
#define LETTER 10 /* of the command: pixels across */
#define MARGIN 24
#define TOP 64    /* the command's line */
#define BOTTOM 54 /* what is said */
#define GAP 44    /* between stores */
#define STUB 20
#define NAME 13 /* from a store down to its name */
#define LEAST_WIDTH 400
#define MAX_NODES 100
#define MAX_CELLS 6000
#define MAX_HOPS 6000
#define MAX_ROUNDS 100
#define PALE "0.35"
#define FULL " --link-mode full"
#define COMMAND_BYTES 512
#define MOST_WEIGHTS 64 /* links of a picture in which each has its number */

/* When things happen, in hundredths of a percent of the whole. */
enum { TYPED = 900, TREE = 1100, TREE_END = 4000, ALL = 4200, ALL_END = 8000, WHOLE = 10000 };

typedef struct animation {
    const cli_source *source;
    const gfab_topology *topology;
    const gfab_placement *placement;
    gfab_goal goal;
    uint32_t nodes, rounds;
    uint32_t grid, cell, side; /* cells of a store, across and down; pixels of a cell; of a store */
    int32_t step, stub;
    uint32_t heaviest; /* link's weight */
    show_sets sets;
    uint32_t *since; /* [node * blocks + block]: the round after which all of it is there, 0 from the start, or NEVER */
    uint32_t *carried; /* packets of each arc in the round */
} animation;

#define NEVER UINT32_MAX

typedef struct point {
    int32_t x, y;
} point;

/* The middle of a node's store. */
static point middle(const animation *a, uint32_t node)
{
    const gfab_place *at = &a->placement->nodes[node];
    const int32_t half = (int32_t)a->side / 2;
    return (point){MARGIN + a->stub + half + (int32_t)((int64_t)at->x * a->step / GFAB_PLACEMENT_UNIT),
                   TOP + a->stub + half + (int32_t)((int64_t)at->y * a->step / GFAB_PLACEMENT_UNIT)};
}

/* When round r, or what follows the last, begins within a part. */
static uint32_t when(const animation *a, uint32_t from, uint32_t to, uint32_t round)
{
    return from + (to - from) * (round - 1) / a->rounds;
}

/* ---- what moves: a class for each round and kind ---- */

/* Unseen but from one time to another. */
static void put_window(FILE *file, const char *name, uint32_t round, uint32_t from, uint32_t to)
{
    fprintf(file, ".%s%u{animation-name:%s%u}@keyframes %s%u{0%%,%u.%02u%%{opacity:0}%u.%02u%%,%u.%02u%%{opacity:1}",
            name, round, name, round, name, round, (from - 1) / 100, (from - 1) % 100, from / 100, from % 100,
            (to - 1) / 100, (to - 1) % 100);
    if (to < WHOLE)
        fprintf(file, "%u.%02u%%,100%%{opacity:0}", to / 100, to % 100);
    else
        fputs("100%{opacity:1}", file);
    fputs("}\n", file);
}

/* A line that grows from its first point to its last within that time. */
static void put_growth(FILE *file, const char *name, uint32_t round, uint32_t from, uint32_t to)
{
    fprintf(file,
            ".%s%u .l{animation-name:%sl%u}@keyframes %sl%u{0%%,%u.%02u%%{stroke-dashoffset:1}%u.%02u%%,100%%"
            "{stroke-dashoffset:0}}\n",
            name, round, name, round, name, round, from / 100, from % 100, to / 100, to % 100);
}

static void put_styles(FILE *file, const animation *a, size_t letters)
{
    fprintf(file,
            "<style>\n.m,.m .l{animation:%ds linear infinite}.l{stroke-dasharray:1 "
            "2;stroke-width:3;fill:none}.w{opacity:0}\n"
            ".k{transform:translateX(2000px);animation:k %ds infinite}@keyframes k{0%%{transform:translateX(0);"
            "animation-timing-function:steps(%zu)}%u.%02u%%{transform:translateX(%zupx);"
            "animation-timing-function:step-end}100%%{transform:translateX(%zupx)}}\n",
            SECONDS, SECONDS, letters, TYPED / 100, TYPED % 100, letters * LETTER, letters * LETTER);
    put_window(file, "say", 0, TREE, TREE_END);
    put_window(file, "say", 1, ALL_END, WHOLE);
    for (uint32_t round = 1; round <= a->rounds; round++) {
        const uint32_t tree = when(a, TREE, TREE_END - 400, round),
                       tree_next = when(a, TREE, TREE_END - 400, round + 1);
        const uint32_t all = when(a, ALL, ALL_END, round), next = when(a, ALL, ALL_END, round + 1);
        put_window(file, "t", round, tree, TREE_END);
        put_growth(file, "t", round, tree, tree + (tree_next - tree) * 3 / 4);
        put_window(file, "a", round, all, next);
        put_growth(file, "a", round, all, all + (next - all) * 3 / 4);
        put_window(file, "c", round, all + (next - all) * 3 / 4, WHOLE);
        /* A cell of block 0 is seen twice. */
        put_window(file, "s", round, tree + (tree_next - tree) * 3 / 4, TREE_END);
    }
    fputs("@media (prefers-reduced-motion:reduce){.m,.m .l,.k{animation:none}}\n</style>\n", file);
}

/* ---- what is drawn ---- */

typedef struct direction {
    double x, y; /* of length 1 */
} direction;

static point go(point from, direction way, double pixels)
{
    return (point){from.x + (int32_t)lround(way.x * pixels), from.y + (int32_t)lround(way.y * pixels)};
}

/* From the middle of a store to its border, and a little more. */
static double reach(const animation *a, direction way)
{
    const double longest = fabs(way.x) > fabs(way.y) ? fabs(way.x) : fabs(way.y);
    return (a->side / 2 + 3) / longest;
}

/* Behind the class's, for arrows of several packets. */
static const char *const wide[] = {"", "", " style=\"stroke-width:5\"", " style=\"stroke-width:7\"",
                                   " style=\"stroke-width:9\""};

static void put_arrow(FILE *file, point from, point to, direction way, uint32_t packets)
{
    const uint32_t width = 2 * packets + 1 < 9 ? 2 * packets + 1 : 9;
    const double half = (width + 7) / 2; /* of the head */
    const point neck = go(to, way, -8), one = go(neck, (direction){way.y, -way.x}, half),
                other = go(neck, (direction){-way.y, way.x}, half);
    fprintf(file,
            "<path class=\"l m\" pathLength=\"1\"%s d=\"M%d %dL%d %d\"/><path stroke=\"none\" d=\"M%d %dL%d %dL%d "
            "%dz\"/>\n",
            wide[width / 2], from.x, from.y, neck.x, neck.y, to.x, to.y, one.x, one.y, other.x, other.y);
}

/* A link, or where an arrow of some packets goes over it; the two ways of a full-duplex link lie side by side. */
static void put_link(FILE *file, const animation *a, size_t link, uint32_t arrow, bool reversed)
{
    const gfab_link ends = gfab_topology_link(a->topology, link);
    const gfab_place stub = a->placement->stubs[link];
    const bool full = gfab_schedule_model(a->source->schedule)->link_mode == GFAB_LINK_FULL;
    point from = middle(a, ends.node[0]), to = middle(a, ends.node[1]);
    const bool cut = stub.x != 0 || stub.y != 0;
    const double x = cut ? stub.x : to.x - from.x, y = cut ? stub.y : to.y - from.y, length = sqrt(x * x + y * y);
    direction way = {x / length, y / length};
    if (arrow && full) {
        const direction aside = {way.y, -way.x};
        from = go(from, aside, reversed ? -5 : 5);
        to = go(to, aside, reversed ? -5 : 5);
    }
    const double far = reach(a, way), end = far + a->stub - 2;
    const point out = go(from, way, far), in = go(to, way, -far);
    const point out_end = cut ? go(from, way, end) : in, in_end = cut ? go(to, way, -end) : out;
    const direction back = {-way.x, -way.y};
    if (!arrow) {
        fprintf(file, "<path d=\"M%d %dL%d %d", out.x, out.y, out_end.x, out_end.y);
        if (cut)
            fprintf(file, "M%d %dL%d %d", in_end.x, in_end.y, in.x, in.y);
        fputs("\"", file);
        if (a->heaviest > 1)
            fprintf(file, " stroke-width=\"%u\"", 1 + show_svg_thickness(a->topology, link, a->heaviest));
        fputs("/>\n", file);
        return;
    }
    put_arrow(file, reversed ? out_end : out, reversed ? out : out_end, reversed ? back : way, arrow);
    if (cut)
        put_arrow(file, reversed ? in : in_end, reversed ? in_end : in, reversed ? back : way, arrow);
}

static void put_links(FILE *file, const animation *a)
{
    const size_t links = gfab_topology_link_count(a->topology);
    fputs("<g stroke=\"#cbd2d9\" stroke-width=\"2\">\n", file);
    for (size_t link = 0; link < links; link++)
        put_link(file, a, link, 0, false);
    fputs("</g>\n", file);
    if (a->heaviest == 1 || links > MOST_WEIGHTS)
        return;
    fputs("<g font-size=\"11\" text-anchor=\"middle\" fill=\"#52606d\">\n", file);
    for (size_t link = 0; link < links; link++) {
        const gfab_link ends = gfab_topology_link(a->topology, link);
        const point one = middle(a, ends.node[0]), other = middle(a, ends.node[1]);
        const double x = other.x - one.x, y = other.y - one.y, length = sqrt(x * x + y * y);
        const direction way = {x / length, y / length};
        const point from = go(one, way, reach(a, way)), to = go(other, way, -reach(a, way));
        show_svg_weight(file, a->topology, link, (gfab_place){from.x, from.y}, (gfab_place){to.x, to.y});
    }
    fputs("</g>\n", file);
}

/* The arrow of an arc, in the colour of the first of its packets. */
static void put_hop(FILE *file, const animation *a, gfab_arc arc, uint32_t token, uint32_t packets)
{
    fputs("<g stroke=\"", file);
    show_svg_colour(file, a->goal.blocks, token & ~GFAB_COMBINE);
    fputs("\" fill=\"", file);
    show_svg_colour(file, a->goal.blocks, token & ~GFAB_COMBINE);
    fputs(token & GFAB_COMBINE ? "\" opacity=\"" PALE "\">" : "\">", file);
    put_link(file, a, arc / 2, packets, arc % 2 == 1);
    fputs("</g>\n", file);
}

/* The arrows of a round: of block 0 alone, or of all packets. */
static void put_round(FILE *file, const animation *a, uint32_t round, bool tree)
{
    gfab_packet_iter packets = gfab_schedule_round(a->source->schedule, round);
    gfab_packet packet;
    memset(a->carried, 0, 2 * gfab_topology_link_count(a->topology) * sizeof *a->carried);
    for (gfab_packet_iter counted = packets; !tree && gfab_packet_next(&counted, &packet);)
        for (size_t hop = 0; hop < packet.arc_count; hop++)
            a->carried[packet.arcs[hop]]++;
    fprintf(file, "<g class=\"m w %s%u\">\n", tree ? "t" : "a", round);
    while (gfab_packet_next(&packets, &packet)) {
        uint32_t shown = tree ? NEVER : packet.tokens[0];
        for (size_t i = 0; tree && i < packet.token_count; i++)
            shown = (packet.tokens[i] & ~GFAB_COMBINE) == 0 ? packet.tokens[i] : shown;
        for (size_t hop = 0; hop < packet.arc_count && shown != NEVER; hop++) {
            const uint32_t count = tree ? 1 : a->carried[packet.arcs[hop]];
            a->carried[packet.arcs[hop]] = 0; /* one arrow for all packets of an arc */
            if (count > 0)
                put_hop(file, a, packet.arcs[hop], shown, count);
        }
    }
    fputs("</g>\n", file);
}

static void put_cell(FILE *file, const animation *a, uint32_t node, uint32_t block, const char *class)
{
    const point p = middle(a, node);
    const int32_t corner = -(int32_t)a->side / 2 + 1;
    fprintf(file, "<rect%s x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" fill=\"", class,
            p.x + corner + (int32_t)(block % a->grid) * (int32_t)a->cell,
            p.y + corner + (int32_t)(block / a->grid) * (int32_t)a->cell, a->cell - 1, a->cell - 1);
    show_svg_colour(file, a->goal.blocks, block);
    fputs("\"/>\n", file);
}

/* A store: a cell for each block that the node gets or has; pale is its own contribution. A relay has none. */
static void put_store(FILE *file, const animation *a, uint32_t node)
{
    const point p = middle(a, node);
    const bool relay = gfab_topology_is_relay(a->topology, node);
    fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" rx=\"3\" fill=\"%s\" stroke=\"#3e4c59\"/>\n",
            p.x - (int32_t)a->side / 2 - 1, p.y - (int32_t)a->side / 2 - 1, a->side + 1, a->side + 1,
            relay ? SHOW_SVG_RELAY : "#f5f7fa");
    for (uint32_t block = 0; !relay && block < a->goal.blocks; block++) {
        const uint32_t since = a->since[(size_t)node * a->goal.blocks + block];
        char class[32] = " fill-opacity=\"" PALE "\"";
        if (a->sets.combines)
            put_cell(file, a, node, block, class);
        *class = '\0';
        if (since == NEVER)
            continue;
        if (since > 0)
            snprintf(class, sizeof class, " class=\"m c%u\"", since);
        put_cell(file, a, node, block, class);
        if (block == 0 && since > 0) {
            snprintf(class, sizeof class, " class=\"m w s%u\"", since);
            put_cell(file, a, node, block, class);
        }
    }
}

/* Above the arrows. */
static void put_names(FILE *file, const animation *a)
{
    if (!gfab_topology_has_names(a->topology))
        return;
    fputs("<g font-size=\"11\" text-anchor=\"middle\">\n", file);
    for (uint32_t node = 0; node < a->nodes; node++) {
        const point p = middle(a, node);
        const char *name = gfab_topology_node_name(a->topology, node);
        if (name)
            show_svg_name(file, p.x, p.y + (int32_t)a->side / 2 + NAME, name);
    }
    fputs("</g>\n", file);
}

static void put_words(FILE *file, const animation *a, uint32_t height)
{
    const uint32_t y = height - 22, rounds = a->rounds;
    const uint64_t least = a->source->bound.rounds;
    const char *plural = rounds == 1 ? "" : "s";
    fputs("<g font-size=\"17\" fill=\"#1f2933\">\n", file);
    fprintf(file, "<text class=\"m w say0\" x=\"%d\" y=\"%u\">block 0 of %u%s</text>\n", MARGIN, y, a->goal.blocks,
            a->sets.combines ? "; pale: a part of the sum" : ", and the tree on which it goes");
    for (uint32_t round = 1; round <= rounds; round++)
        fprintf(file, "<text class=\"m w a%u\" x=\"%d\" y=\"%u\">all blocks at once: round %u of %u</text>\n", round,
                MARGIN, y, round, rounds);
    fprintf(file, "<text class=\"m say1\" x=\"%d\" y=\"%u\" font-weight=\"bold\">", MARGIN, y);
    if (rounds == least)
        fprintf(file, "%u round%s, the lower bound</text>\n", rounds, plural);
    else
        fprintf(file, "%u round%s; lower bound %" PRIu64 "</text>\n", rounds, plural, least);
    fputs("</g>\n", file);
}

/* What makes the schedule, as it is shown; its letters. */
static size_t write_command(const animation *a, char *text)
{
    const bool gossip = a->goal.collective == GFAB_ALL_GATHER, asked = a->source->solver_given;
    const bool full = gfab_schedule_model(a->source->schedule)->link_mode == GFAB_LINK_FULL;
    snprintf(text, COMMAND_BYTES, "$ gossipfab schedule %s%s%s%s%s%s", gfab_topology_name(a->topology),
             gossip ? "" : " -c ", gossip ? "" : gfab_collective_name(a->goal.collective), full ? FULL : "",
             asked ? " --solver " : "", asked ? a->source->solver_name : "");
    return strlen(text);
}

static void put_all(FILE *file, const animation *a, uint32_t width, uint32_t height)
{
    const char *name = gfab_topology_name(a->topology), *collective = gfab_collective_name(a->goal.collective);
    const bool gossip = a->goal.collective == GFAB_ALL_GATHER;
    char command[COMMAND_BYTES];
    const size_t letters = write_command(a, command);
    const uint32_t least = 2 * MARGIN + (uint32_t)letters * LETTER;
    width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
    width = width < least ? least : width;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<title>",
            width, height, width, height);
    fprintf(file, "%s on %s, %u rounds, one after another</title>\n", gossip ? "Gossip" : collective, name, a->rounds);
    put_styles(file, a, letters);
    fprintf(file, "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n", width, height);
    fprintf(file,
            "<text x=\"%d\" y=\"36\" font-family=\"DejaVu Sans Mono, Menlo, monospace\" font-size=\"16\" "
            "textLength=\"%zu\" "
            "lengthAdjust=\"spacingAndGlyphs\" fill=\"#1f2933\">%s",
            MARGIN, letters * LETTER, command);
    fprintf(file, "</text>\n<rect class=\"k\" x=\"%d\" y=\"16\" width=\"%u\" height=\"30\" fill=\"#ffffff\"/>\n",
            MARGIN + 2 * LETTER, width);
    put_links(file, a);
    for (uint32_t node = 0; node < a->nodes; node++)
        put_store(file, a, node);
    for (uint32_t round = 1; round <= a->rounds; round++) {
        put_round(file, a, round, true);
        put_round(file, a, round, false);
    }
    put_names(file, a);
    put_words(file, a, height);
    show_svg_end(file);
}

/* ---- before it ---- */

/* After which round each node has all of each block; the hops are counted. */
static uint64_t follow(animation *a)
{
    uint64_t hops = 0;
    for (uint32_t round = 0; round <= a->rounds; round++) {
        if (round > 0) {
            gfab_packet_iter packets = gfab_schedule_round(a->source->schedule, round);
            for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
                hops += packet.arc_count;
            show_sets_play(&a->sets, round);
        }
        for (uint32_t node = 0; node < a->nodes; node++)
            for (uint32_t block = 0; block < a->goal.blocks; block++) {
                uint32_t *since = &a->since[(size_t)node * a->goal.blocks + block];
                if (round == 0)
                    *since = NEVER;
                if (*since == NEVER && show_sets_amount(&a->sets, node, block) == a->sets.full)
                    *since = round;
            }
    }
    return hops;
}

static int check(const animation *a)
{
    if (a->nodes > MAX_NODES || a->rounds > MAX_ROUNDS || (uint64_t)a->nodes * a->goal.blocks > MAX_CELLS)
        return cli_error(
            "show",
            "--animate: %u nodes, %u blocks, %u rounds are too many for 20 seconds: at most %d nodes, %d rounds "
            "and %d blocks in all stores; --html FILE plays it",
            a->nodes, a->goal.blocks, a->rounds, MAX_NODES, MAX_ROUNDS, MAX_CELLS);
    return CLI_GO_ON;
}

static int draw(animation *a, const char *path)
{
    cli_output output = {NULL, NULL, NULL};
    const uint64_t hops = follow(a);
    if (hops > MAX_HOPS)
        return cli_error("show", "--animate: %" PRIu64 " packets over links, at most %d; --html FILE plays it", hops,
                         MAX_HOPS);
    const bool graph = gfab_topology_get_kind(a->topology) == GFAB_TOPOLOGY_GRAPH;
    while (a->grid * a->grid < a->goal.blocks)
        a->grid++;
    a->cell = a->grid > 4 ? 8 : 12;
    a->side = a->grid * a->cell + 1;
    /* Nodes of other graphs may stand nearer to each other than a unit. */
    a->step = (int32_t)(graph ? (a->side + GAP) * 3 / 2 : a->side + GAP);
    for (size_t link = 0; link < gfab_topology_link_count(a->topology) && a->stub == 0; link++)
        a->stub = a->placement->stubs[link].x != 0 || a->placement->stubs[link].y != 0 ? STUB : 0;
    const uint32_t around = 2 * (uint32_t)a->stub + a->side;
    const gfab_place size = a->placement->size;
    const uint32_t width = 2 * MARGIN + around + (uint32_t)((int64_t)size.x * a->step / GFAB_PLACEMENT_UNIT);
    const uint32_t height = TOP + BOTTOM + around + (uint32_t)((int64_t)size.y * a->step / GFAB_PLACEMENT_UNIT);
    CLI_TRY(cli_output_open("show", path, &output));
    put_all(output.file, a, width, height);
    return cli_output_commit("show", &output);
}

int show_animate(const cli_source *source, const char *path)
{
    gfab_placement *placement = NULL;
    gfab_diag diag = {0, ""};
    animation a = {.source = source,
                   .topology = gfab_schedule_topology(source->schedule),
                   .goal = gfab_schedule_goal(source->schedule),
                   .rounds = gfab_schedule_rounds(source->schedule),
                   .grid = 1};
    a.nodes = (uint32_t)gfab_topology_node_count(a.topology);
    CLI_TRY(check(&a));
    CLI_TRY(cli_told("show", gfab_placement_create(a.topology, &placement, &diag), NULL, &diag));
    a.placement = placement;
    a.heaviest = show_svg_heaviest(a.topology);
    a.since = calloc((size_t)a.nodes * a.goal.blocks + 1, sizeof *a.since);
    a.carried = calloc(2 * gfab_topology_link_count(a.topology), sizeof *a.carried);
    int status = a.since && a.carried ? show_sets_begin(&a.sets, source->schedule)
                                      : cli_fail("show", GFAB_ERR_NO_MEMORY, NULL, NULL);
    CLI_THEN(status, draw(&a, path));
    show_sets_release(&a.sets);
    GFAB_FREE(a.carried, a.since);
    gfab_placement_destroy(placement);
    return status;
}
