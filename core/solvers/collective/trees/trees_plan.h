/* SPDX-License-Identifier: MIT */
/* Trees in time, private to trees*.c: which message goes over which link in which round.
 *
 * Every block has a tree or two: its contributions go up an in-tree to the roots, the total goes down an out-tree from
 * them. Read backwards, rounds and links reversed, an in-tree is an out-tree. So all trees are kept as they look from
 * their roots, each in its own *view*: a node is reached over an arc in a round, from a node that was reached before.
 * Round t of an in-tree's view is round rounds + 1 - t, and the view's arcs are the reverse ones.
 *
 * A channel is what carries one message a round: a link in half duplex, an arc in full duplex. A slot is a channel in a
 * round; where the plan is of one group that repeats, in all rounds that are the same modulo the period. A plan has a
 * fixed number of rounds and may lack nodes of trees; it is a schedule once it lacks none.
 *
 * Where the graph has symmetries, a plan may have one block of each set of images: the trees of the others are images
 * of its trees, in the same rounds. Links, or arcs, that are images of each other are one channel then: when a message
 * goes over one of them, its images go over the others. mesh:16x16 has four symmetries, and a quarter of the trees.
 * docs/theory/collective-trees.md. */
#ifndef GOSSIPFAB_SOLVERS_TREES_PLAN_H
#define GOSSIPFAB_SOLVERS_TREES_PLAN_H

#include "base/random.h"
#include "solvers/collective/packing/images.h"
#include "solvers/solvers.h"

#define GFAB_TREES_NONE UINT32_MAX

/* Where a block's contributions come together: one node, or two or four (full duplex alone) that exchange what they
 * have, node i with node i ^ 1 in a round, then node i with node i ^ 2 in the next. All of them have the total then. */
#define GFAB_TREES_MAX_ROOTS 4u
#define GFAB_TREES_MAX_EXCHANGES 8u /* messages */
typedef struct gfab_trees_roots {
    uint32_t count;
    uint32_t node[GFAB_TREES_MAX_ROOTS];
} gfab_trees_roots;

/* A node of a tree. */
typedef struct gfab_trees_cell {
    uint32_t ready; /* the first round in which it may send, in the view; 0: not reached */
    gfab_arc arc;   /* that it is reached over, in the view; NONE at a root */
} gfab_trees_cell;

/* A message of an exchange between roots. */
typedef struct gfab_trees_exchange {
    uint32_t block;
    gfab_arc arc;
} gfab_trees_exchange;

typedef struct gfab_trees_tree {
    uint32_t block;
    bool backwards;           /* an in-tree */
    uint32_t start;           /* from this round of the view on its roots send; 0: not planted */
    uint32_t last;            /* the last round of the view that it may use */
    uint32_t missing;         /* nodes not reached */
    uint32_t turn;            /* of ways that are as early the one by this direction is taken, or by the next one, .. */
    const uint32_t *distance; /* [nodes]: from the nearest root; borrowed */
} gfab_trees_tree;

typedef struct gfab_trees_plan {
    const gfab_topology *topology;
    uint64_t random;
    uint32_t hop; /* rounds */
    uint32_t nodes, arcs, channels;
    uint32_t rounds, words;
    uint32_t period;           /* rounds, unless it repeats */
    uint32_t *from, *to;       /* [arcs] */
    uint32_t *channel;         /* [arcs] */
    const gfab_images *images; /* borrowed; NULL: the plan has all blocks */
    uint64_t *free;            /* [channels * words]: bit (round - 1) % period */
    uint32_t *owner;           /* [channels * period], where not free: a cell; from cell_count on, an exchange */
    gfab_trees_tree *trees;
    uint32_t tree_count;
    gfab_trees_cell *cells; /* [tree * nodes + node] */
    uint32_t cell_count;
    uint16_t *children;             /* [cells]: that are reached from it */
    gfab_trees_exchange *exchanges; /* at most GFAB_TREES_MAX_EXCHANGES a block */
    uint32_t exchange_count;
    uint64_t missing; /* cells not reached */
    /* Scratch of gfab_trees_grow: arcs by the round that they are free in, and by node the earliest such round. */
    uint32_t *head; /* [rounds + 1] */
    uint32_t *next; /* [arcs] */
    uint32_t *best; /* [nodes] */
    gfab_arc *best_arc;
    bool in_turn; /* trees' turns count; else of ways that are as early any is taken */
    gfab_arena arena;
} gfab_trees_plan;

/* Of each block an in-tree, an out-tree, or both, by turns in this order. With images, block b of the plan stands for
 * blocks b * count to b * count + count - 1. */
typedef struct gfab_trees_shape {
    uint32_t blocks;
    bool in, out;
    uint32_t rounds, period;   /* period is rounds or less */
    const gfab_images *images; /* for the model's link mode, kept while the plan is; or NULL */
} gfab_trees_shape;

/* Without trees planted. NO_MEMORY. To be released on any status. */
gfab_status gfab_trees_plan_create(const gfab_topology *topology, const gfab_model *model, gfab_trees_shape shape,
                                   uint64_t seed, gfab_trees_plan *plan);
GFAB_HOLDS_ARENA(gfab_trees_plan)

/* Gives a tree its roots, which send from round start of the view on. */
void gfab_trees_plant(gfab_trees_plan *plan, uint32_t tree, const gfab_trees_roots *roots, const uint32_t *distance,
                      uint32_t start, uint32_t last);
/* Enters the exchanges of a block's roots, the last in round `round`. False where a slot is taken; nothing is entered
 * then. */
bool gfab_trees_exchange_enter(gfab_trees_plan *plan, uint32_t block, const gfab_trees_roots *roots, uint32_t round);
/* Rounds from the first exchange to the first round with the total, less that of the last exchange: 0 for one root. */
static inline uint32_t gfab_trees_exchange_rounds(const gfab_trees_roots *roots, uint32_t hop)
{
    return (roots->count == 4 ? 2 : roots->count == 2) * hop;
}

/* Reaches over free slots all nodes of a tree that can be reached, each as early as can be; where it is narrow its root
 * sends but once, the roots of successive blocks over one port after the other. */
void gfab_trees_grow(gfab_trees_plan *plan, uint32_t tree, bool narrow);

void gfab_trees_attach(gfab_trees_plan *plan, uint32_t tree, gfab_arc arc, uint32_t view_round);
void gfab_trees_detach(gfab_trees_plan *plan, uint32_t tree, uint32_t node);

static inline uint32_t gfab_trees_channel(const gfab_trees_plan *plan, uint32_t tree, gfab_arc view_arc)
{
    return plan->channel[view_arc ^ plan->trees[tree].backwards];
}

static inline uint32_t gfab_trees_round(const gfab_trees_plan *plan, uint32_t tree, uint32_t view_round)
{
    return plan->trees[tree].backwards ? plan->rounds + 1 - view_round : view_round;
}

/* A round's slot among those of its channel. */
static inline uint32_t gfab_trees_slot(const gfab_trees_plan *plan, uint32_t round)
{
    return round <= plan->period ? round - 1 : (round - 1) % plan->period;
}

static inline bool gfab_trees_is_free(const gfab_trees_plan *plan, uint32_t channel, uint32_t round)
{
    const uint32_t slot = gfab_trees_slot(plan, round);
    return plan->free[(size_t)channel * plan->words + slot / 64] >> slot % 64 & 1;
}

static inline uint32_t gfab_trees_owner(const gfab_trees_plan *plan, uint32_t channel, uint32_t round)
{
    return plan->owner[(size_t)channel * plan->period + gfab_trees_slot(plan, round)];
}

/* The first free round of the view from `from` to `to`; 0 if there is none. */
uint32_t gfab_trees_first_free(const gfab_trees_plan *plan, uint32_t tree, gfab_arc view_arc, uint32_t from,
                               uint32_t to);
/* The last round of the view in which a node may be reached and its children be as they are. */
uint32_t gfab_trees_deadline(const gfab_trees_plan *plan, uint32_t tree, uint32_t node);

/* Out of a port's node, and into it. */
static inline gfab_arc gfab_trees_arc_out(const gfab_port *port)
{
    return 2 * port->link + port->end;
}

static inline gfab_arc gfab_trees_arc_in(const gfab_port *port)
{
    return 2 * port->link + (port->end ^ 1u);
}

/* The messages of a plan that lacks no cells, which has not a period, and their images, in an empty schedule. The
 * schedule's graph has link link_of[l] where the plan's has l; NULL: the same. Errors of gfab_schedule_append;
 * INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_trees_emit(const gfab_trees_plan *plan, const uint32_t *link_of, const gfab_progress *progress,
                            gfab_schedule *schedule);

/* ---- trees_repair.c ---- */

/* Work is counted, not timed: in (node, round) pairs looked at. */
typedef struct gfab_trees_budget {
    uint64_t work, limit; /* of all repairs */
    uint64_t patience;    /* a repair ends when this much work has not brought the missing cells to a new minimum, */
    bool soon;            /* or has not brought a quarter of them */
} gfab_trees_budget;

/* Reaches missing cells by taking slots from others. OK whatever is left missing; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_trees_repair(gfab_trees_plan *plan, const gfab_solver_options *options, gfab_trees_budget *budget);

/* ---- trees_sites.c ---- */

/* Where blocks may have their roots. */
typedef struct gfab_trees_site {
    gfab_trees_roots roots;
    uint32_t depth;     /* links to the farthest node */
    uint32_t *distance; /* [nodes] */
} gfab_trees_site;

typedef struct gfab_trees_sites {
    gfab_trees_site *at;
    uint32_t count;
} gfab_trees_sites;

/* The sites of so many roots (1, 2 or 4) each whose depth is at most `slack` more than the least there is; some of them
 * where there are many. None where no nodes lie so. NO_MEMORY; INTERRUPTED. To be released on any status. */
gfab_status gfab_trees_sites_find(const gfab_topology *topology, const gfab_solver_options *options, uint32_t roots,
                                  uint32_t slack, gfab_trees_sites *sites);
/* One site at each of some nodes. */
gfab_status gfab_trees_sites_at(const gfab_topology *topology, const uint32_t *nodes, uint32_t count,
                                gfab_trees_sites *sites);
void gfab_trees_sites_release(gfab_trees_sites *sites);

#endif
