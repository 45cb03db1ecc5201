/* SPDX-License-Identifier: MIT */
/* Dot-wire diagrams (Lau & Zhang 2002, section 3): a row or column of the network over
 * time. Columns of dots are links, rows of dots are rounds, a black dot is a link in use; a
 * wire joins the moves of one token. */
#include "show_svg.h"
#include "cli_source.h"

#include <gossipfab/base/arena.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WIDTH 1240
#define LONGEST_NAME 48
#define MARGIN 24
#define TITLE_HEIGHT 64
#define LEGEND_HEIGHT 64
#define AXIS_WIDTH 24
#define HEAD_HEIGHT 40
#define GAP 22
#define MAX_DOTS 400000
#define NO_LINE UINT32_MAX
#define THICKEST 9
#define NAME_BYTES 10 /* of a name */

#define OWN_COLOUR "#2f6fb3"
#define FOREIGN_COLOUR "#d9822b"

/* Shape of the topology as rows and columns; CLI_GO_ON, or CLI_USAGE after an error line. */
static int find_shape(const gfab_topology *topology, uint32_t *rows, uint32_t *columns)
{
    size_t dimensions = gfab_topology_dimensions(topology);
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH) {
        return cli_error("show", "--style dot-wire: %s is neither a mesh nor a torus; give --style rounds or heat",
                         gfab_topology_name(topology));
    }
    if (dimensions > 2) {
        return cli_error("show", "--style dot-wire: %s has %zu dimensions, more than two; give --style rounds or heat",
                         gfab_topology_name(topology), dimensions);
    }
    *rows = dimensions == 2 ? gfab_topology_side(topology, 0) : 1;
    *columns = gfab_topology_side(topology, dimensions - 1);
    return CLI_GO_ON;
}

/* Hues go round with the token, lightness alternates: neighbours look different. Integer HSV to RGB. */
void show_svg_colour(FILE *file, uint32_t blocks, uint32_t token)
{
    uint32_t hue = (uint32_t)((uint64_t)token * 1536 / blocks) % 1536; /* 6 sectors of 256 */
    uint32_t value = token % 2 == 0 ? 200 : 150, part = hue % 256;
    uint32_t up = value * part / 255, down = value * (255 - part) / 255, low = 24;
    const uint32_t table[6][3] = {{value, up, low},   {down, value, low}, {low, value, up},
                                  {low, down, value}, {up, low, value},   {value, low, down}};
    const uint32_t *rgb = table[hue / 256];
    fprintf(file, "#%02x%02x%02x", rgb[0], rgb[1] < low ? low : rgb[1], rgb[2]);
}

void show_svg_begin(FILE *file, const gfab_schedule *schedule, uint32_t width, uint32_t height)
{
    const char *solver = gfab_schedule_solver(schedule);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\">\n",
            width, height, width, height);
    fprintf(file, "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n", width, height);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    fprintf(file, "<text x=\"%d\" y=\"34\" font-size=\"18\" font-weight=\"bold\" fill=\"#1f2933\">", MARGIN);
    if (goal.collective == GFAB_ALL_GATHER)
        fputs("Gossip", file);
    else
        fprintf(file, "%s of %u block%s", gfab_collective_name(goal.collective), goal.blocks,
                goal.blocks == 1 ? "" : "s");
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const uint32_t rounds = gfab_schedule_rounds(schedule);
    if (strlen(gfab_topology_name(topology)) > LONGEST_NAME) /* it is a list of links, which the picture shows */
        fprintf(file, " on a graph of %zu nodes", gfab_topology_node_count(topology));
    else
        fprintf(file, " on %s", gfab_topology_name(topology));
    fprintf(file, ": %u round%s</text>\n", rounds, rounds == 1 ? "" : "s");
    fprintf(file, "<text x=\"%d\" y=\"54\" font-size=\"12\" fill=\"#616e7c\">%s%s", MARGIN, solver,
            *solver != '\0' ? "; " : "");
    fprintf(file, "%s</text>\n", cli_goal_result(&goal, topology));
}

void show_svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

uint32_t show_svg_heaviest(const gfab_topology *topology)
{
    uint32_t heaviest = 1;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const uint32_t weight = gfab_topology_weight(topology, link);
        heaviest = weight > heaviest ? weight : heaviest;
    }
    return heaviest;
}

uint32_t show_svg_thickness(const gfab_topology *topology, size_t link, uint32_t heaviest)
{
    const uint32_t weight = gfab_topology_weight(topology, link);
    if (heaviest <= THICKEST)
        return weight;
    return 1 + (uint32_t)((uint64_t)(weight - 1) * (THICKEST - 1) / (heaviest - 1));
}

void show_svg_weight(FILE *file, const gfab_topology *topology, size_t link, gfab_place from, gfab_place to)
{
    const uint32_t there = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link));
    const uint32_t back = gfab_topology_arc_weight(topology, (gfab_arc)(2 * link + 1));
    const double x = to.x - from.x, y = to.y - from.y;
    const bool upright = fabs(x) < 0.5 * sqrt(x * x + y * y);
    if (there == 1 && back == 1)
        return;
    fprintf(file, "<text x=\"%d\" y=\"%d\">x%u", from.x + (to.x - from.x) / 4 + (upright ? 7 : 0),
            from.y + (to.y - from.y) / 4 + (upright ? 3 : 9), there);
    if (there != back)
        fprintf(file, "/%u", back);
    fputs("</text>\n", file);
}

void show_svg_name(FILE *file, int32_t x, int32_t y, const char *name)
{
    size_t bytes = strlen(name);
    const bool cut = bytes > NAME_BYTES;
    if (cut)
        for (bytes = NAME_BYTES; bytes > 0 && ((unsigned char)name[bytes] & 0xc0) == 0x80; bytes--)
            ;
    fprintf(file,
            "<text x=\"%d\" y=\"%d\" stroke=\"#ffffff\" stroke-width=\"2\" paint-order=\"stroke\" fill=\"#1f2933\">", x,
            y);
    for (size_t i = 0; i < bytes; i++)
        if (strchr("<>&", name[i]))
            fprintf(file, "&#%d;", name[i]);
        else
            fputc(name[i], file);
    fputs(cut ? "..</text>\n" : "</text>\n", file);
}

/* A line of nodes: row or column `index`. */
typedef struct line {
    bool column;
    uint32_t index;
    uint32_t nodes, links; /* links == nodes where the line is a ring */
    uint32_t first, step;  /* node i of the line is first + i * step */
} line;

/* A token over a link of a line. */
typedef struct move {
    uint32_t line, token, round, order; /* order: of moves in one round */
    uint32_t column;                    /* of the dot */
    bool rising;                        /* from node column to the next */
} move;

typedef struct diagram {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    uint32_t rounds;
    line *lines;
    uint32_t line_count;
    uint32_t *link_line, *link_column; /* by link */
    move *moves;
    size_t move_count;
    uint32_t dx, dy, radius;
    bool labels;
    gfab_arena arena;
} diagram;
GFAB_HOLDS_ARENA(diagram)

/* Every field, so that moves in any order make the same picture. */
static int compare_moves(const void *left, const void *right)
{
    const move *a = left, *b = right;
    const uint32_t keys_a[] = {a->line, a->token, a->round, a->order, a->column, a->rising};
    const uint32_t keys_b[] = {b->line, b->token, b->round, b->order, b->column, b->rising};
    for (size_t i = 0; i < sizeof keys_a / sizeof *keys_a; i++)
        if (keys_a[i] != keys_b[i])
            return keys_a[i] < keys_b[i] ? -1 : 1;
    return 0;
}

static void add_line(diagram *d, bool column, uint32_t index, uint32_t rows, uint32_t columns)
{
    line *l = &d->lines[d->line_count];
    l->column = column;
    l->index = index;
    l->nodes = column ? rows : columns;
    l->first = column ? index : index * columns;
    l->step = column ? columns : 1;
    l->links = 0;
    for (uint32_t i = 0; i < l->nodes && l->nodes > 1; i++) {
        gfab_arc arc;
        uint32_t next = i + 1 < l->nodes ? i + 1 : 0;
        if ((next == 0 && l->nodes == 2) ||
            !gfab_topology_find_arc(d->topology, l->first + i * l->step, l->first + next * l->step, &arc))
            continue;
        d->link_line[arc / 2] = d->line_count;
        d->link_column[arc / 2] = i;
        l->links++;
    }
    d->line_count += l->links != 0;
}

/* "row:I" or "column:J" picks one line. */
static int choose_lines(diagram *d, const char *choice, uint32_t rows, uint32_t columns)
{
    bool column = false;
    uint32_t index = 0;
    if (choice) {
        const char *number = strchr(choice, ':');
        size_t length = number ? (size_t)(number - choice) : 0;
        column = length == 6 && strncmp(choice, "column", 6) == 0;
        bool good = (column || (length == 3 && strncmp(choice, "row", 3) == 0)) && number[1] != '\0' &&
                    strlen(number + 1) <= 9 && strspn(number + 1, "0123456789") == strlen(number + 1);
        index = good ? (uint32_t)strtoul(number + 1, NULL, 10) : 0;
        if (!good || index >= (column ? columns : rows)) {
            return cli_error("show", "--line: no line '%s'; give row:0 to row:%u or column:0 to column:%u", choice,
                             rows - 1, columns - 1);
        }
        add_line(d, column, index, rows, columns);
        return d->line_count != 0 ? CLI_GO_ON : cli_error("show", "--line: %s is one node without a link", choice);
    }
    for (uint32_t i = 0; i < rows; i++)
        add_line(d, false, i, rows, columns);
    for (uint32_t i = 0; i < columns; i++)
        add_line(d, true, i, rows, columns);
    return CLI_GO_ON;
}

static void add_packet(diagram *d, uint32_t round, const gfab_packet *packet)
{
    for (size_t hop = 0; hop < packet->arc_count; hop++) {
        uint32_t link = packet->arcs[hop] / 2;
        if (d->link_line[link] == NO_LINE)
            continue;
        const line *l = &d->lines[d->link_line[link]];
        uint32_t start = l->first + d->link_column[link] * l->step;
        for (size_t token = 0; token < packet->token_count; token++) {
            move *m = &d->moves[d->move_count++];
            m->line = d->link_line[link];
            m->token = packet->tokens[token];
            m->round = round;
            m->order = (uint32_t)hop;
            m->column = d->link_column[link];
            m->rising = gfab_topology_arc_from(d->topology, packet->arcs[hop]) == start;
        }
    }
}

static int collect(diagram *d)
{
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (uint32_t round = 1; round <= d->rounds; round++) {
            gfab_packet_iter packets = gfab_schedule_round(d->schedule, round);
            for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
                count += packet.arc_count * packet.token_count;
                if (pass == 1)
                    add_packet(d, round, &packet);
            }
        }
        if (pass == 0) {
            d->moves = gfab_arena_zeroed(&d->arena, count + 1, sizeof *d->moves);
            CLI_NEED("show", d->moves);
        }
    }
    qsort(d->moves, d->move_count, sizeof *d->moves, compare_moves);
    return CLI_GO_ON;
}

static uint32_t line_width(const diagram *d, const line *l)
{
    return AXIS_WIDTH + l->links * d->dx + d->dx / 2;
}

static uint32_t dot_x(const diagram *d, uint32_t column)
{
    return AXIS_WIDTH + d->dx * column + d->dx / 2;
}

static uint32_t dot_y(const diagram *d, uint32_t round)
{
    return HEAD_HEIGHT + d->dy * round - d->dy / 2;
}

/* A token that waits in a node has a thin wire, so that the moves stand out. */
static void put_wire(FILE *file, bool waits, uint32_t x1, uint32_t y1, uint32_t x2, uint32_t y2)
{
    fprintf(file, "<path%s d=\"M%u %uL%u %u\"/>\n", waits ? " stroke-width=\"1\"" : "", x1, y1, x2, y2);
}

/* From the move before, or a stub from the node where the token enters the line. */
static void put_move_wire(FILE *file, const diagram *d, const move *m, const move *before)
{
    const line *l = &d->lines[m->line];
    uint32_t x = dot_x(d, m->column), y = dot_y(d, m->round), half = d->dx / 2;
    if (!before) {
        put_wire(file, false, m->rising ? x - half : x + half, y - d->dy / 2, x, y);
        return;
    }
    uint32_t x0 = dot_x(d, before->column), y0 = dot_y(d, before->round);
    uint32_t last = l->links - 1, middle = (y + y0) / 2;
    bool waits = m->round > before->round + 1;
    bool wraps = l->links == l->nodes && last > 1 &&
                 ((before->column == last && m->column == 0) || (before->column == 0 && m->column == last));
    if (wraps) {
        put_wire(file, waits, x0, y0, m->rising ? x0 + half : x0 - half, middle);
        put_wire(file, waits, m->rising ? x - half : x + half, middle, x, y);
    } else {
        put_wire(file, waits, x0, y0, x, y);
    }
}

/* The earlier move of the token, in the same direction, over the link before in the line. */
static const move *find_before(const diagram *d, size_t at)
{
    const move *m = &d->moves[at];
    const line *l = &d->lines[m->line];
    uint32_t links = l->links;
    uint32_t wanted = m->rising ? (m->column + links - 1) % links : (m->column + 1) % links;
    bool ring = links == l->nodes;
    if (!ring && (m->rising ? m->column == 0 : m->column == links - 1))
        return NULL;
    for (size_t i = at; i-- > 0;) {
        const move *other = &d->moves[i];
        if (other->line != m->line || other->token != m->token)
            break;
        if (other->rising == m->rising && other->column == wanted)
            return other;
    }
    return NULL;
}

static bool is_own(const line *l, uint32_t token)
{
    return token >= l->first && (token - l->first) % l->step == 0 && (token - l->first) / l->step < l->nodes;
}

static void put_frame(FILE *file, const diagram *d, const line *l, bool named)
{
    uint32_t bottom = HEAD_HEIGHT + d->rounds * d->dy;
    if (named) {
        fprintf(file, "<text x=\"%d\" y=\"14\" font-size=\"12\" font-weight=\"bold\" fill=\"#1f2933\">%s %u</text>\n",
                AXIS_WIDTH, l->column ? "column" : "row", l->index);
    }
    fputs("<g font-size=\"9\" text-anchor=\"middle\" fill=\"#7b8794\" stroke-width=\"1\">\n", file);
    for (uint32_t i = 0; i < l->nodes + (l->links == l->nodes); i++) {
        uint32_t x = AXIS_WIDTH + i * d->dx;
        if (d->labels || i % 4 == 0)
            fprintf(file, "<text x=\"%u\" y=\"%d\">%u</text>\n", x, HEAD_HEIGHT - 8, l->first + i % l->nodes * l->step);
        fprintf(file, "<path d=\"M%u %dV%u\" stroke=\"#e4e7eb\"/>\n", x, HEAD_HEIGHT - 4, bottom);
    }
    fprintf(file,
            "</g>\n<g font-size=\"9\" text-anchor=\"end\" fill=\"#7b8794\">\n"
            "<text x=\"%d\" y=\"%d\">node</text><text x=\"%d\" y=\"%d\">round</text>\n",
            AXIS_WIDTH - 9, HEAD_HEIGHT - 8, AXIS_WIDTH - 9, HEAD_HEIGHT + 1);
    for (uint32_t round = 1; round <= d->rounds; round++)
        if (d->labels || round % 5 == 0)
            fprintf(file, "<text x=\"%d\" y=\"%u\">%u</text>\n", AXIS_WIDTH - 9, dot_y(d, round) + 3, round);
    fputs("</g>\n", file);
}

static void put_idle_dots(FILE *file, const diagram *d, uint32_t index, bool *used)
{
    const line *l = &d->lines[index];
    memset(used, 0, (size_t)l->links * d->rounds);
    for (size_t i = 0; i < d->move_count; i++)
        if (d->moves[i].line == index)
            used[(size_t)(d->moves[i].round - 1) * l->links + d->moves[i].column] = true;
    fputs("<g fill=\"#ffffff\" stroke=\"#9aa5b1\">\n", file);
    for (uint32_t round = 1; round <= d->rounds; round++) {
        for (uint32_t column = 0; column < l->links; column++) {
            if (!used[(size_t)(round - 1) * l->links + column]) {
                fprintf(file, "<circle cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n", dot_x(d, column), dot_y(d, round),
                        d->radius - 1);
            }
        }
    }
    fputs("</g>\n", file);
}

static void put_line(FILE *file, const diagram *d, uint32_t index, bool *used)
{
    const line *l = &d->lines[index];
    fputs("<g>\n", file);
    put_frame(file, d, l, d->line_count > 1 || gfab_topology_dimensions(d->topology) > 1);
    put_idle_dots(file, d, index, used);
    for (int own = 0; own < 2; own++) {
        fprintf(file, "<g stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\" fill=\"none\">\n",
                own ? OWN_COLOUR : FOREIGN_COLOUR, d->labels ? 3 : 2);
        for (size_t i = 0; i < d->move_count; i++)
            if (d->moves[i].line == index && is_own(l, d->moves[i].token) == (own != 0))
                put_move_wire(file, d, &d->moves[i], find_before(d, i));
        fputs("</g>\n", file);
    }
    fprintf(file, "<g fill=\"#1f2933\" font-size=\"%d\" text-anchor=\"middle\">\n", 9);
    for (size_t i = 0; i < d->move_count; i++) {
        const move *m = &d->moves[i];
        if (m->line != index)
            continue;
        uint32_t x = dot_x(d, m->column), y = dot_y(d, m->round);
        fprintf(file, "<circle cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n", x, y, d->radius);
        if (d->labels)
            fprintf(file, "<text x=\"%u\" y=\"%u\" fill=\"#ffffff\">%u</text>\n", x, y + 3, m->token);
    }
    fputs("</g>\n</g>\n", file);
}

static void put_legend(FILE *file, const diagram *d, uint32_t y)
{
    uint32_t x = MARGIN + 8;
    bool crossing = gfab_topology_dimensions(d->topology) > 1;
    fprintf(file, "<g font-size=\"12\" fill=\"#3e4c59\">\n<circle cx=\"%u\" cy=\"%u\" r=\"8\" fill=\"#1f2933\"/>\n", x,
            y);
    fprintf(file, "<text x=\"%u\" y=\"%u\">link in use%s</text>\n", x + 15, y + 4,
            d->labels ? "; the number is the token's" : "");
    x += d->labels ? 270 : 110;
    fprintf(file, "<circle cx=\"%u\" cy=\"%u\" r=\"7\" fill=\"#ffffff\" stroke=\"#9aa5b1\"/>\n", x, y);
    fprintf(file, "<text x=\"%u\" y=\"%u\">idle link</text>\n", x + 15, y + 4);
    x += 100;
    fprintf(file, "<path d=\"M%u %uh26\" stroke=\"" OWN_COLOUR "\" stroke-width=\"4\"/>\n", x, y);
    fprintf(file, "<text x=\"%u\" y=\"%u\">a token that starts in this line</text>\n", x + 34, y + 4);
    if (crossing) {
        x += 262;
        fprintf(file, "<path d=\"M%u %uh26\" stroke=\"" FOREIGN_COLOUR "\" stroke-width=\"4\"/>\n", x, y);
        fprintf(file, "<text x=\"%u\" y=\"%u\">one that a crossing line has brought</text>\n", x + 34, y + 4);
    }
    fprintf(file,
            "<text x=\"%d\" y=\"%u\" fill=\"#616e7c\">Rounds run downward. Dots stand on the links of the line, "
            "between its nodes. A wire follows one token; it is thin where the token waits in a node.</text>\n</g>\n",
            MARGIN, y + 26);
}

/* Panels side by side, rows and columns of the network apart unless all fit beside each other. With file NULL it
 * only measures. */
static void lay_out(FILE *file, const diagram *d, uint32_t *width, uint32_t *height, bool *used)
{
    uint32_t panel_height = HEAD_HEIGHT + d->rounds * d->dy, total = 0;
    for (uint32_t i = 0; i < d->line_count; i++)
        total += line_width(d, &d->lines[i]) + (i != 0 ? GAP : 0);
    bool one_row = total <= PAGE_WIDTH - 2 * MARGIN;
    uint32_t x = MARGIN, y = TITLE_HEIGHT, right = 0;
    for (uint32_t i = 0; i < d->line_count; i++) {
        uint32_t panel_width = line_width(d, &d->lines[i]);
        bool turn = i != 0 && !one_row && d->lines[i].column != d->lines[i - 1].column;
        if (i != 0 && (turn || x + panel_width > PAGE_WIDTH - MARGIN)) {
            x = MARGIN;
            y += panel_height + GAP;
        }
        if (file) {
            fprintf(file, "<g transform=\"translate(%u %u)\">\n", x, y);
            put_line(file, d, i, used);
            fputs("</g>\n", file);
        }
        x += panel_width + GAP;
        right = x > right ? x : right;
    }
    *width = right - GAP + MARGIN;
    *height = y + panel_height + LEGEND_HEIGHT;
}

int show_svg_check_dots(uint64_t dots, const char *more)
{
    if (dots <= MAX_DOTS)
        return CLI_GO_ON;
    return cli_error("show", "--svg: %" PRIu64 "%s dots are too many, at most %d; choose one --line", dots, more,
                     MAX_DOTS);
}

static int draw(diagram *d, const char *path)
{
    uint32_t width, height;
    size_t dots = 0, most = 1;
    for (uint32_t i = 0; i < d->line_count; i++) {
        size_t here = (size_t)d->lines[i].links * d->rounds;
        dots += here;
        most = here > most ? here : most;
    }
    CLI_TRY(show_svg_check_dots(dots, ""));
    GFAB_FREED bool *used = calloc(most, sizeof *used);
    CLI_NEED("show", used);
    /* Numbers in the dots where each link carries at most one token a round and there is room. */
    const gfab_model *model = gfab_schedule_model(d->schedule);
    d->labels = dots <= 4000 && gfab_topology_node_count(d->topology) <= 100 && model->link_mode == GFAB_LINK_HALF &&
                model->packet_tokens == 1;
    d->dx = d->labels ? 30 : 16;
    d->dy = d->labels ? 26 : 14;
    d->radius = d->labels ? 9 : 4;
    lay_out(NULL, d, &width, &height, used);
    width = width < 940 ? 940 : width;
    cli_output output = {NULL, NULL, NULL};
    CLI_TRY(cli_output_open("show", path, &output));
    uint32_t ignored;
    show_svg_begin(output.file, d->schedule, width, height);
    lay_out(output.file, d, &ignored, &ignored, used);
    put_legend(output.file, d, height - LEGEND_HEIGHT + 24);
    show_svg_end(output.file);
    return cli_output_commit("show", &output);
}

int show_svg_dot_wire(const gfab_schedule *schedule, const char *choice, const char *path)
{
    GFAB_AT_END(diagram_release) diagram d = {0};
    uint32_t rows = 0, columns = 0;
    memset(&d, 0, sizeof d);
    d.schedule = schedule;
    d.topology = gfab_schedule_topology(schedule);
    d.rounds = gfab_schedule_rounds(schedule);
    CLI_TRY(find_shape(d.topology, &rows, &columns));
    size_t links = gfab_topology_link_count(d.topology);
    d.lines = gfab_arena_zeroed(&d.arena, (size_t)rows + columns + 1, sizeof *d.lines);
    GFAB_ARRAYS(&d.arena, links, d.link_line, d.link_column);
    if (d.arena.failed)
        return cli_fail("show", GFAB_ERR_NO_MEMORY, NULL, NULL);
    memset(d.link_line, 0xff, links * sizeof *d.link_line);
    CLI_TRY(choose_lines(&d, choice, rows, columns));
    CLI_TRY(collect(&d));
    return draw(&d, path);
}
