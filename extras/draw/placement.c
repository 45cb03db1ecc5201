/* SPDX-License-Identifier: MIT */
/* Where nodes stand in a picture. Graphs with a shape of their own get it: paths, circles, grids, and hypercubes as
 * tori of sides 4 by their Gray codes. Trees of switches, such as fat-trees, are rows: members below, and the relays
 * above by their distance from them. Any other graph is drawn by lowering its stress one pair of nodes at a time, with
 * shorter and shorter steps (Zheng, Pawar & Goodman 2018). Then nodes that cover each other are moved apart, and the
 * picture is turned so that it is wider than high. The random start has a fixed seed, so that a graph is drawn alike
 * each time. */
#include <gossipfab/draw/placement.h>

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT GFAB_PLACEMENT_UNIT
#define STUB (UNIT * 36 / 100)
#define SLANT (UNIT * 17 / 100) /* short, so that those of four nodes do not meet */
#define LONGEST_ROW 16
#define APART 0.62 /* nodes of a graph are not nearer to each other, in links */
#define SWEEPS 60  /* to bring them apart */
#define WIDEST 64  /* a row of members */
#define FLAT 10    /* the rows of wider ones are further apart */
#define NO_ROW UINT32_MAX

/* A long path goes to and fro, so that it is no line of dots. */
static void place_path(gfab_placement *p, size_t nodes)
{
    size_t columns = nodes;
    if (nodes > LONGEST_ROW)
        for (columns = LONGEST_ROW / 2; columns * columns < 2 * nodes;)
            columns++;
    for (size_t v = 0; v < nodes; v++) {
        const size_t row = v / columns, column = v % columns;
        p->nodes[v] = (gfab_place){(int32_t)((row % 2 ? columns - 1 - column : column) * UNIT), (int32_t)(row * UNIT)};
    }
}

static void place_cycle(gfab_placement *p, size_t nodes)
{
    const double turn = 2 * acos(-1) / (double)nodes, radius = UNIT / (2 * sin(turn / 2));
    for (size_t v = 0; v < nodes; v++)
        p->nodes[v] = (gfab_place){(int32_t)lround(radius * (1 + sin(turn * (double)v))),
                                   (int32_t)lround(radius * (1 - cos(turn * (double)v)))};
}

/* Which way links of a dimension leave where they are not straight: along the grid's own two, aslant for the others. */
static gfab_place stub_of(size_t from_last)
{
    static const gfab_place ways[] = {{STUB, 0}, {0, STUB}, {SLANT, -SLANT}, {SLANT, SLANT}};
    return ways[from_last < 2 ? from_last : 2 + from_last % 2];
}

/* A grid: its sides, and where in it, row by row, each node stands. */
typedef struct grid {
    uint32_t side[GFAB_MAX_DIMENSIONS]; /* the last one's first */
    size_t dimensions;
    bool gray; /* two bits of a node's number are a coordinate, by their Gray code: a hypercube */
} grid;

/* Which of a grid of 4 x 4 x .. stands for a node of a hypercube: neighbours of the one are neighbours in the other. */
static uint32_t number_in(const grid *g, uint32_t node)
{
    return g->gray ? node ^ (node >> 1 & 0x55555555) : node;
}

static void place_grid(gfab_placement *p, const gfab_topology *topology, const grid *g)
{
    const size_t nodes = gfab_topology_node_count(topology);
    int32_t step[GFAB_MAX_DIMENSIONS], extent[2] = {0, 0}; /* of a coordinate in the picture; so far, across and down */
    for (size_t i = 0; i < g->dimensions; i++) {
        step[i] = i < 2 ? UNIT : extent[i % 2] + UNIT * 3 / 2;
        extent[i % 2] += (int32_t)(g->side[i] - 1) * step[i];
    }
    for (size_t v = 0; v < nodes; v++) {
        uint32_t rest = number_in(g, (uint32_t)v);
        for (size_t i = 0; i < g->dimensions; i++) {
            *(i % 2 ? &p->nodes[v].y : &p->nodes[v].x) += (int32_t)(rest % g->side[i]) * step[i];
            rest /= g->side[i];
        }
    }
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_link ends = gfab_topology_link(topology, link);
        const uint32_t a = number_in(g, ends.node[0]), b = number_in(g, ends.node[1]), apart = a > b ? a - b : b - a;
        uint32_t scale = 1;
        size_t axis = 0;
        for (; apart >= scale * g->side[axis]; axis++)
            scale *= g->side[axis];
        if (axis < 2 && apart == scale)
            continue;
        const uint32_t side = g->side[axis], from = a / scale % side, to = b / scale % side;
        const gfab_place way = stub_of(axis);
        p->stubs[link] = (from + 1) % side == to ? way : (gfab_place){-way.x, -way.y};
    }
}

static grid grid_of(const gfab_topology *topology)
{
    grid g = {.dimensions = gfab_topology_dimensions(topology)};
    for (size_t i = 0; i < g.dimensions; i++)
        g.side[i] = gfab_topology_side(topology, g.dimensions - 1 - i);
    return g;
}

/* A hypercube of 4 bits or more with all its nodes is a torus with sides of 4, and one of 2 where the bits are odd: a
 * picture of it that can be read. Smaller ones can be read as any graph is drawn. */
static bool is_hypercube(const gfab_topology *topology, grid *g)
{
    const char name[] = "hypercube:";
    const size_t nodes = gfab_topology_node_count(topology);
    *g = (grid){.gray = true};
    if (strncmp(gfab_topology_name(topology), name, sizeof name - 1) != 0 || nodes < 16 || (nodes & (nodes - 1)) != 0)
        return false;
    for (size_t rest = nodes; rest > 1; rest /= g->side[g->dimensions++])
        g->side[g->dimensions] = rest > 2 ? 4 : 2;
    return strtoul(gfab_topology_name(topology) + sizeof name - 1, NULL, 10) < 32 &&
           nodes == (size_t)1 << strtoul(gfab_topology_name(topology) + sizeof name - 1, NULL, 10);
}

/* ---- other graphs ---- */

typedef struct point {
    double x, y;
} point;

/* Moves both so that they are `wish` apart, by the part `weight` of what that takes. */
static void pull(point *a, point *b, double wish, double weight)
{
    double dx = b->x - a->x, dy = b->y - a->y, length = sqrt(dx * dx + dy * dy);
    if (length < 1e-6) { /* any way is as good as any other */
        dx = length = 1e-6;
        dy = 0;
    }
    const double part = weight * (length - wish) / (2 * length);
    a->x += part * dx;
    a->y += part * dy;
    b->x -= part * dx;
    b->y -= part * dy;
}

/* Stress, the sum over all pairs of (distance in the picture / links between - 1)^2, one pair at a time, in an order
 * that changes. Steps are as long as the pair needs at first, and shorter by the round. */
static void lower_stress(point *points, const uint32_t *distances, size_t nodes, uint32_t *order)
{
    uint64_t random = 1;
    uint32_t longest = 1;
    for (size_t i = 0; i < nodes * nodes; i++)
        longest = distances[i] > longest ? distances[i] : longest;
    for (size_t v = 0; v < nodes; v++) {
        points[v].x = (double)gfab_random_below(&random, 1 << 20) * longest / (1 << 20);
        points[v].y = (double)gfab_random_below(&random, 1 << 20) * longest / (1 << 20);
        order[v] = (uint32_t)v;
    }
    for (double rate = (double)longest * longest; rate > 0.02; rate *= 0.75) {
        for (size_t i = nodes; i-- > 1;) {
            const uint32_t other = gfab_random_below(&random, (uint32_t)i + 1), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        for (size_t i = 0; i < nodes; i++) {
            for (size_t j = 0; j < i; j++) {
                const double wish = distances[(size_t)order[i] * nodes + order[j]];
                const double weight = rate / (wish * wish);
                pull(&points[order[i]], &points[order[j]], wish, weight < 1 ? weight : 1);
            }
        }
    }
}

/* Nodes do not cover each other. */
static void bring_apart(point *points, size_t nodes)
{
    bool moved = true;
    for (size_t sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (size_t i = 0; i < nodes; i++) {
            for (size_t j = 0; j < i; j++) {
                const double dx = points[j].x - points[i].x, dy = points[j].y - points[i].y;
                if (dx * dx + dy * dy < APART * APART) {
                    pull(&points[i], &points[j], APART * 1.02, 1);
                    moved = true;
                }
            }
        }
    }
}

/* Turned so that the picture is wider than it is high: the longest extent, the first eigenvector of the covariance,
 * goes across. */
static void turn_flat(point *points, size_t nodes)
{
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t v = 0; v < nodes; v++) {
        x += points[v].x / (double)nodes;
        y += points[v].y / (double)nodes;
    }
    for (size_t v = 0; v < nodes; v++) {
        points[v].x -= x;
        points[v].y -= y;
        xx += points[v].x * points[v].x;
        xy += points[v].x * points[v].y;
        yy += points[v].y * points[v].y;
    }
    const double half = (xx - yy) / 2, most = sqrt(half * half + xy * xy);
    point axis = half >= 0 ? (point){half + most, xy} : (point){xy, most - half};
    const double length = sqrt(axis.x * axis.x + axis.y * axis.y);
    if (length < 1e-9)
        return;
    for (size_t v = 0; v < nodes; v++)
        points[v] = (point){(points[v].x * axis.x + points[v].y * axis.y) / length,
                            (points[v].y * axis.x - points[v].x * axis.y) / length};
}

static gfab_status place_graph(gfab_placement *p, const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *distances = malloc(nodes * nodes * sizeof *distances), *work = malloc(nodes * sizeof *work);
    point *points = malloc(nodes * sizeof *points), least = {INFINITY, INFINITY};
    const gfab_status status = distances && work && points ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    if (!status) {
        for (size_t v = 0; v < nodes; v++)
            gfab_topology_distances(topology, (uint32_t)v, distances + v * nodes, work);
        for (size_t i = 0; i < nodes * nodes; i++) /* a directed graph: as near as the nearer way */
            if (distances[i / nodes + i % nodes * nodes] < distances[i])
                distances[i] = distances[i / nodes + i % nodes * nodes];
        lower_stress(points, distances, nodes, work);
        bring_apart(points, nodes);
        turn_flat(points, nodes);
        for (size_t v = 0; v < nodes; v++)
            least = (point){fmin(least.x, points[v].x), fmin(least.y, points[v].y)};
        for (size_t v = 0; v < nodes; v++)
            p->nodes[v] = (gfab_place){(int32_t)lround((points[v].x - least.x) * UNIT),
                                       (int32_t)lround((points[v].y - least.y) * UNIT)};
    }
    free(points);
    return status;
}

/* ---- trees of switches ---- */

/* The row of each node: how far it is from the nearest member. Every link must go from one row to the next, and no row
 * may be longer than the members'. */
static bool find_rows(const gfab_topology *topology, uint32_t *row, uint32_t *rows)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const size_t members = gfab_topology_member_count(topology);
    size_t placed = members, below = 0;
    if (members == nodes || members > WIDEST)
        return false;
    for (size_t v = 0; v < nodes; v++)
        row[v] = gfab_topology_is_relay(topology, (uint32_t)v) ? NO_ROW : 0;
    for (*rows = 1; placed < nodes && placed - below <= members; (*rows)++) {
        below = placed;
        for (size_t l = 0; l < links; l++)
            for (int end = 0; end < 2; end++) {
                const gfab_link link = gfab_topology_link(topology, l);
                if (row[link.node[end]] == *rows - 1 && row[link.node[1 - end]] == NO_ROW) {
                    row[link.node[1 - end]] = *rows;
                    placed++;
                }
            }
    }
    if (placed - below > members)
        return false;
    for (size_t l = 0; l < links; l++)
        if (row[gfab_topology_link(topology, l).node[0]] == row[gfab_topology_link(topology, l).node[1]])
            return false;
    return true;
}

/* A node of a row, and where it wants to stand: in the middle of its neighbours below, summed over their number. */
typedef struct stand {
    uint32_t node;
    int64_t sum, below;
} stand;

static int compare_stands(const void *a, const void *b)
{
    const stand *x = a, *y = b;
    const int64_t difference = x->sum * y->below - y->sum * x->below;
    return difference ? (difference > 0) - (difference < 0) : (x->node > y->node) - (x->node < y->node);
}

/* The nodes of a row, from left to right. */
static size_t order_row(const gfab_placement *p, const gfab_topology *topology, const uint32_t *row, uint32_t r,
                        stand *stands)
{
    const size_t nodes = gfab_topology_node_count(topology);
    size_t count = 0;
    for (uint32_t v = 0; v < nodes; v++)
        stands[v] = (stand){.node = v};
    for (size_t l = 0; r > 0 && l < gfab_topology_link_count(topology); l++)
        for (int end = 0; end < 2; end++) {
            const gfab_link link = gfab_topology_link(topology, l);
            if (row[link.node[end]] == r && row[link.node[1 - end]] < r) {
                stands[link.node[end]].sum += p->nodes[link.node[1 - end]].x;
                stands[link.node[end]].below++;
            }
        }
    for (uint32_t v = 0; v < nodes; v++)
        if (row[v] == r)
            stands[count++] = stands[v];
    qsort(stands, count, sizeof *stands, compare_stands);
    return count;
}

/* Members side by side in the order of their numbers; the relays of each row above, evenly. */
static gfab_status place_rows(gfab_placement *p, const gfab_topology *topology, bool *fits)
{
    const size_t nodes = gfab_topology_node_count(topology), members = gfab_topology_member_count(topology);
    uint32_t *row = calloc(nodes, sizeof *row), rows = 0;
    GFAB_FREED stand *stands = calloc(nodes, sizeof *stands);
    if (!row || !stands) {
        free(row);
        return GFAB_ERR_NO_MEMORY;
    }
    *fits = find_rows(topology, row, &rows);
    const size_t height = members > FLAT ? UNIT * members / FLAT : UNIT; /* so that links are not too slanted */
    for (uint32_t r = 0; *fits && r < rows; r++) {
        const size_t count = order_row(p, topology, row, r, stands);
        for (size_t i = 0; i < count; i++)
            p->nodes[stands[i].node] = (gfab_place){
                (int32_t)lround(UNIT * APART * ((double)members * (2 * (double)i + 1) / (double)count - 1) / 2),
                (int32_t)((rows - 1 - r) * height)};
    }
    free(row);
    return GFAB_OK;
}

static gfab_status place_any(gfab_placement *p, const gfab_topology *topology)
{
    bool fits = false;
    const gfab_status status = place_rows(p, topology, &fits);
    return status || fits ? status : place_graph(p, topology);
}

/* ---- all ---- */

static gfab_status place(gfab_placement *p, const gfab_topology *topology)
{
    const gfab_topology_kind kind = gfab_topology_get_kind(topology);
    const size_t nodes = gfab_topology_node_count(topology);
    grid g = grid_of(topology);
    if (g.dimensions > 1 || is_hypercube(topology, &g))
        place_grid(p, topology, &g);
    else if (kind == GFAB_TOPOLOGY_GRAPH)
        GFAB_TRY(place_any(p, topology));
    else if (kind == GFAB_TOPOLOGY_TORUS && nodes > 2)
        place_cycle(p, nodes);
    else
        place_path(p, nodes);
    for (size_t v = 0; v < nodes; v++) {
        p->size.x = p->nodes[v].x > p->size.x ? p->nodes[v].x : p->size.x;
        p->size.y = p->nodes[v].y > p->size.y ? p->nodes[v].y : p->size.y;
    }
    return GFAB_OK;
}

gfab_status gfab_placement_create(const gfab_topology *topology, gfab_placement **placement, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    *placement = NULL;
    if (nodes > GFAB_MAX_PLACED_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s has %zu nodes: pictures have at most %zu",
                         gfab_topology_name(topology), nodes, GFAB_MAX_PLACED_NODES);
    gfab_placement *p = calloc(1, sizeof *p);
    if (p) {
        p->nodes = calloc(nodes, sizeof *p->nodes);
        p->stubs = calloc(links, sizeof *p->stubs);
    }
    const gfab_status status = p && p->nodes && p->stubs ? place(p, topology) : GFAB_ERR_NO_MEMORY;
    if (status) {
        gfab_placement_destroy(p);
        return gfab_fail(diag, 0, status, "out of memory for a picture of %zu nodes", nodes);
    }
    *placement = p;
    return GFAB_OK;
}

void gfab_placement_destroy(gfab_placement *placement)
{
    if (!placement)
        return;
    GFAB_FREE(placement->nodes, placement->stubs, placement);
}
