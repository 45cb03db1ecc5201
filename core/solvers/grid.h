/* SPDX-License-Identifier: MIT */
/* A mesh or torus as the solvers with startup costs see it (highdimgo, torgo, cubgo), and the packets that they send
 * along its lines; private to core/solvers. docs/theory/startup-cost-tori.md. */
#ifndef GOSSIPFAB_SOLVERS_GRID_H
#define GOSSIPFAB_SOLVERS_GRID_H

#include "solvers/solvers.h"

/* What a node's data is split among. Each share is a gossip of its own, of some pieces of every node's data, and
 * runs at the same time as the others: phase by phase they go through the axes in turn, each from another first axis
 * on. */
typedef enum gfab_grid_shares {
    GFAB_GRID_ONE, /* one share of all data */
    /* A share for each axis, each with one piece of every node: parts = axes. HighDimGo'. */
    GFAB_GRID_COLOURS,
    /* Two axes of even sides: every 2 x 2 block first gossips by itself, then the four places in a block are four grids
     * of half the sides, of 4 tokens a node; white ones (even sum of coordinates) start along axis 0, black ones along
     * axis 1. Section 7. */
    GFAB_GRID_BLACK_WHITE
} gfab_grid_shares;

typedef struct gfab_grid {
    const gfab_topology *topology;
    gfab_grid_shares shares;
    size_t axes;                          /* of side 2 and up; sides of 1 are left out */
    uint32_t side[GFAB_MAX_DIMENSIONS];   /* of the grid that a share gossips on */
    bool wraps[GFAB_MAX_DIMENSIONS];      /* from the last node of a line there is a link to the first */
    uint32_t stride[GFAB_MAX_DIMENSIONS]; /* between nodes that are neighbours along an axis, one link apart */
    uint32_t spacing;                     /* links between neighbours of the grid: 1; black and white 2 */
    size_t share_count;
    uint32_t parts;    /* of the schedule: cut, times the colours */
    uint32_t cut;      /* pieces that a share of one node's data is cut in */
    uint32_t items;    /* pieces that a node of the grid starts with, in each share */
    size_t first_axis; /* of share 0 */
    bool one_port;
    bool uniform;     /* all sides and wraps are equal */
    uint32_t longest; /* most pieces in a packet */
} gfab_grid;

/* OK where the solvers of this kind work: a mesh or torus of two axes or more, full duplex, circuit, one round a hop.
 * UNSUPPORTED otherwise; name is the solver's, for the message. */
gfab_status gfab_grid_applies(const gfab_topology *topology, const gfab_model *model, const char *name,
                              gfab_diag *diag);
/* How the data is split. */
typedef struct gfab_grid_split {
    gfab_grid_shares shares;
    uint32_t cut;      /* from 1 on */
    size_t first_axis; /* of those of side 2 and up; for GFAB_GRID_ONE */
} gfab_grid_split;

/* UNSUPPORTED where the shares are not for this topology or model: colours need all ports, black and white nodes one
 * port and a cut of 1. The topology is borrowed. */
gfab_status gfab_grid_init(gfab_grid *grid, const gfab_topology *topology, const gfab_model *model,
                           gfab_grid_split split, gfab_diag *diag);
/* The axis of a share's phase i, counted from 0. */
static inline size_t gfab_grid_axis(const gfab_grid *grid, size_t share, size_t i)
{
    const size_t first = grid->shares == GFAB_GRID_COLOURS       ? share
                         : grid->shares == GFAB_GRID_BLACK_WHITE ? (share ^ share >> 1) & 1
                                                                 : grid->first_axis;
    return (first + i) % grid->axes;
}
/* Shares 0 .. these - 1 show all prices: every share costs what one of them does. */
static inline size_t gfab_grid_priced_shares(const gfab_grid *grid)
{
    return grid->uniform || grid->shares == GFAB_GRID_ONE ? 1 : grid->axes;
}
size_t gfab_grid_nodes(const gfab_grid *grid);
/* Along this axis a line can be gone round: by its own links; under one-port, where nothing else uses the links
 * downwards, on any line: from the last node straight back to the first. */
static inline bool gfab_grid_ring(const gfab_grid *grid, size_t axis)
{
    return grid->wraps[axis] || grid->one_port;
}

/* What all the shares do before their first phase: the gossip of the 2 x 2 blocks, none elsewhere. */
gfab_cost gfab_grid_opening_cost(const gfab_grid *grid);

/* A set of nodes of the grid: on each axis `count` coordinates from start on, `step` apart, round the side. */
typedef struct gfab_grid_box {
    uint32_t start[GFAB_MAX_DIMENSIONS], step[GFAB_MAX_DIMENSIONS], count[GFAB_MAX_DIMENSIONS];
} gfab_grid_box;

static inline void gfab_grid_box_set(gfab_grid_box *box, size_t axis, uint32_t start, uint32_t step, uint32_t count)
{
    box->start[axis] = start;
    box->step[axis] = step;
    box->count[axis] = count;
}
/* Pieces of a box's data, in one share. */
uint64_t gfab_grid_box_pieces(const gfab_grid *grid, const gfab_grid_box *box);

/* Where packets go. */
typedef struct gfab_grid_writer {
    const gfab_grid *grid;
    gfab_schedule *schedule;
    uint32_t round; /* of the packets sent; the caller's to raise */
    uint32_t *tokens;
    size_t token_capacity;
    gfab_arc *arcs;
} gfab_grid_writer;

/* Sets the schedule's parts and sends what all shares do first. gfab_grid_writer_close is due on any status. */
gfab_status gfab_grid_writer_open(gfab_grid_writer *writer, const gfab_grid *grid, gfab_schedule *schedule);
void gfab_grid_writer_close(gfab_grid_writer *writer);

/* Some of a box's pieces, by number: begin, begin + 1, .., modulo their number; `count` of them, and behind the first
 * `hole` of these `left_out` are passed over. */
typedef struct gfab_grid_part {
    uint64_t begin, count;
    uint64_t hole, left_out;
} gfab_grid_part;

/* From a node of the grid along an axis, `steps` nodes of the grid up (negative: down), in a share. */
typedef struct gfab_grid_way {
    size_t share;
    const uint32_t *from;
    size_t axis;
    int64_t steps;
} gfab_grid_way;

/* Sends a part of a box's data. The box's pieces are in the order of its coordinates, of which those on the axis
 * `slowest` change slowest; where along an axis of the grid a step leaves a line that does not wrap, it goes back the
 * other way to where the ring has it. count 0 sends nothing. */
gfab_status gfab_grid_send(gfab_grid_writer *writer, gfab_grid_way way, const gfab_grid_box *box, size_t slowest,
                           gfab_grid_part part);

/* Nodes of the grid in order: fills coordinates of node number `node`. */
void gfab_grid_node(const gfab_grid *grid, size_t node, uint32_t *coordinates);

/* A round-by-round price: runs of rounds whose longest packet has the same size. */
#define GFAB_GRID_MAX_RUNS 80
typedef struct gfab_grid_runs {
    size_t count;
    uint64_t rounds[GFAB_GRID_MAX_RUNS], size[GFAB_GRID_MAX_RUNS];
} gfab_grid_runs;

/* Appends rounds of a size; none where rounds is 0. */
void gfab_grid_runs_add(gfab_grid_runs *runs, uint64_t rounds, uint64_t size);
uint64_t gfab_grid_runs_rounds(const gfab_grid_runs *runs);
/* Adds to cost what shares cost that run side by side: round by round the longest packet of all. */
void gfab_grid_runs_price(const gfab_grid_runs *runs, size_t shares, gfab_cost *cost, uint64_t *longest);

#endif
