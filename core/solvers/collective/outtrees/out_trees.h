/* SPDX-License-Identifier: MIT */
/* Trees that lead from their roots to all members, by way of relays, and share the arcs of a directed graph; private to
 * this folder. */
#ifndef GOSSIPFAB_SOLVERS_OUT_TREES_H
#define GOSSIPFAB_SOLVERS_OUT_TREES_H

#include "base/heap.h"
#include "solvers/collective/group_moves.h"
#include "solvers/solvers.h"

#include <gossipfab/schedule/certificate.h>

#define GFAB_OUT_NONE UINT32_MAX

/* ---- graphs with relays split off ---- */

/* An arc of the topology, or, from member to member, two arcs that meet at a relay. */
typedef struct gfab_out_arc {
    uint32_t from, to;
    uint32_t room;          /* how many trees it can be in */
    uint32_t length;        /* arcs of the topology */
    uint32_t first, second; /* the two arcs that it is made of; second NONE: first is the topology's */
    uint32_t turn;          /* in which it can be used, where rounds take turns and this is known */
} gfab_out_arc;

typedef struct gfab_out_graph {
    const gfab_topology *topology;
    uint32_t nodes;
    gfab_out_arc *arcs;
    uint32_t count;
    size_t capacity;
    bool *target;  /* [nodes]: trees come to it: the members, and relays that are not split off */
    uint64_t work; /* arcs of all flows that were asked for */
    uint32_t unit; /* above 0: switches alone are split off, and rooms stay multiples of this */
    bool loose;    /* of these: however few trees fit after it; no flows are asked for */
} gfab_out_graph;

/* How many trees are to have each node as their root: [nodes]; 0 at relays. */
typedef const uint32_t *gfab_out_supply;

/* The topology's arcs, each with room for `share` times its weight, which is weight[arc] unless that is NULL. To be
 * released, after an error too. LIMIT where that is 2^31 or more; NO_MEMORY. */
gfab_status gfab_out_graph_create(const gfab_topology *topology, const uint32_t *weight, uint32_t share,
                                  gfab_out_graph *graph);
void gfab_out_graph_release(gfab_out_graph *graph);
/* One arc more. NO_MEMORY. */
gfab_status gfab_out_graph_add(gfab_out_graph *graph, gfab_out_arc arc);
/* Relays that copy and that all trees can come to, as well as to the members, become targets. Of the others all room
 * is taken and given to arcs past them, so that so many trees fit after it if they did before; these must have as
 * much room in as out. FAULT where the trees do not fit; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_split(gfab_out_graph *graph, gfab_out_supply supply, const gfab_solver_options *options);

/* A part of each arc's weight, for so many rounds together, balanced at all switches: so many trees a root fit in
 * `rounds` times these, in lowest terms. */
typedef struct gfab_out_trimmed {
    uint32_t turns;
    uint32_t *weight; /* [arcs]; borrowed */
    uint64_t trees, rounds;
} gfab_out_trimmed;

/* The rate of a goal in full duplex with other weights of the arcs, of which each carries something at least: in the
 * certificate the set out of which least is carried. To be released, after an error too. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_least_set(const gfab_topology *topology, const uint32_t *weight, const gfab_goal *goal,
                               const gfab_solver_options *options, gfab_certificate *certificate);

/* Where switches send more than they take in, or less: what keeps the best rate of the goal, outwards, or nearly so,
 * for at most so many rounds together. UNSUPPORTED where that would take long or nothing is carried; NO_MEMORY;
 * INTERRUPTED. */
gfab_status gfab_out_trim(const gfab_topology *topology, const gfab_goal *goal, uint32_t most_turns,
                          const gfab_solver_options *options, gfab_out_trimmed *trimmed);

/* The same for half duplex, whether switches are balanced or not: a graph whose arcs past switches, each with room for
 * one and its turn, fit in that turn, no link carrying more than its weight both ways together. UNSUPPORTED where it
 * would take long, or a relay stores. */
gfab_status gfab_out_share(const gfab_topology *topology, const gfab_goal *goal, uint32_t most_turns,
                           const gfab_solver_options *options, gfab_out_trimmed *trimmed, gfab_out_graph *graph);

/* The topology's arcs that an arc is made of, in their order; how many. stack and list have room for all arcs. */
uint32_t gfab_out_list_arcs(const gfab_out_graph *graph, uint32_t arc, uint32_t *stack, gfab_arc *list);

/* ---- trees ---- */

/* So many equal trees. A cell is a node's place in a tree; behind the nodes come cells of relays that it passes more
 * than once, each on a chain from one node to another. */
typedef struct gfab_out_tree {
    uint32_t root, copies;
    uint32_t *parent; /* [cells]: the arc into it; NONE: the root, or not reached */
    uint32_t *before; /* [cells]: the cell where that comes from; NULL: the arc's node, and there are no chains */
    uint32_t *depth;  /* [nodes]: arcs of the topology from the root, NONE: not reached; NULL in chains */
} gfab_out_tree;

typedef struct gfab_out_forest {
    uint32_t nodes;
    uint32_t cells; /* of a tree: the nodes, unless it was unfolded into chains */
    gfab_out_tree *trees;
    uint32_t count;
    size_t capacity;
    uint64_t work; /* arcs of all flows that were asked for */
} gfab_out_forest;

/* Grows the trees that supply asks for side by side, each shallow where the others leave room. FAULT where they do not
 * fit. To be released, after an error too. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_grow(gfab_out_graph *graph, gfab_out_supply supply, uint64_t *random,
                          const gfab_solver_options *options, gfab_out_forest *forest);
void gfab_out_forest_release(gfab_out_forest *forest);
/* So many equal trees more, with nothing reached yet but the root. NO_MEMORY. */
gfab_status gfab_out_forest_add(gfab_out_forest *forest, uint32_t root, uint32_t copies);

/* What trees are grown with. */
typedef struct gfab_out_growth {
    const gfab_solver_options *options;
    uint64_t *random;
    uint64_t *work; /* gets more by the arcs of all flows, and of a graph for each tree by loads */
} gfab_out_growth;

/* All of this: the trees that supply asks for, on arcs with room for `share` times their weights, as above. To be
 * released, after an error too. FAULT where they do not fit; LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_pack(const gfab_topology *topology, const uint32_t *weight, uint32_t share, gfab_out_supply supply,
                          const gfab_out_growth *growth, gfab_out_forest *forest);
/* The best rate of a goal: so many trees from each root fit in so many rounds, in lowest terms. */
typedef struct gfab_out_rate {
    uint64_t trees, rounds;
    bool tight; /* they can be had */
} gfab_out_rate;

/* The goal moves blocks outwards. As gfab_rate. */
gfab_status gfab_out_find_rate(const gfab_topology *topology, gfab_link_mode link_mode, const gfab_goal *goal,
                               const gfab_solver_options *options, gfab_out_rate *rate);
/* So many trees out of every member and as many into it, in pairs, on arcs with room for share[0] times their
 * weights inwards and share[1] times outwards: an all-gather behind a reduce-scatter. *period gets rounds in which
 * all arcs have room for both. The topology is graphs[1], and reversed graphs[0]. As above. */
gfab_status gfab_out_pair(const gfab_topology *const graphs[2], uint32_t trees, const uint32_t share[2],
                          const gfab_out_growth *growth, uint32_t *period, gfab_out_forest *forest);
/* The cell where the arc into a cell comes from. */
static inline uint32_t gfab_out_before(const gfab_topology *topology, const gfab_out_tree *tree, uint32_t cell)
{
    return tree->before ? tree->before[cell] : gfab_topology_arc_from(topology, tree->parent[cell]);
}

/* Of a tree inwards: the cell to which one sends. */
static inline uint32_t gfab_out_behind(const gfab_topology *topology, const gfab_out_tree *in, uint32_t cell)
{
    return in->before ? in->before[cell] : gfab_topology_arc_to(topology, in->parent[cell]);
}

/* ---- trees by loads ---- */

/* How many trees have each arc of a topology. */
typedef struct gfab_out_loads {
    const gfab_topology *topology;
    bool half;     /* the two arcs of a link share its rounds */
    uint32_t flat; /* so many times halved is what depth adds to the cost of an arc */
    uint32_t n, arcs;
    uint32_t period;       /* rounds that the trees are to fit in */
    uint32_t *load;        /* [arcs] */
    gfab_heap_entry *heap; /* [arcs]: scratch */
    uint32_t *order;       /* [n]: scratch */
    uint32_t *below;       /* [n]: scratch */
    uint64_t *random;      /* borrowed */
    gfab_arena arena;
} gfab_out_loads;

/* Without a tree. To be released, after an error too. LIMIT; NO_MEMORY. */
gfab_status gfab_out_loads_create(const gfab_topology *topology, bool half, uint32_t period, uint64_t *random,
                                  gfab_out_loads *loads);
void gfab_out_loads_release(gfab_out_loads *loads);
/* Grows a tree anew from its root, over the arcs that cost least, and puts it on their loads. Inwards: one that leads
 * to the root; its `parent` is then the arc out of each node. Returns what its arcs cost. */
uint64_t gfab_out_loads_grow(gfab_out_loads *loads, gfab_out_tree *tree, bool inwards);
/* The loads without a tree that they have; with one that they have not. */
void gfab_out_loads_take(gfab_out_loads *loads, const gfab_out_tree *tree);
void gfab_out_loads_put(gfab_out_loads *loads, const gfab_out_tree *tree);
/* Rounds in which every arc, in half duplex every link, has room for its trees; 1 or more. */
uint32_t gfab_out_loads_rounds(const gfab_out_loads *loads);

/* How trees share the arcs by loads. */
typedef struct gfab_out_balance {
    bool half; /* the two arcs of a link share its rounds */
    bool even; /* pass after pass shallow trees count less, and even loads more */
} gfab_out_balance;

/* In place of all of that on large graphs, and in half duplex: trees of the topology's arcs that share them evenly, not
 * at the best rate for certain. *period: rounds that would do at best, or more; gets more where an arc, or a link, has
 * no room for its trees then. To be released, after an error too. LIMIT; NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_share_loads(const gfab_topology *topology, gfab_out_balance how, gfab_out_supply supply,
                                 uint32_t *period, const gfab_out_growth *growth, gfab_out_forest *forest);

/* ---- rounds ---- */

/* Arcs' weights that take turns: in round r those of turn r modulo count, or backwards. NULL: the topology's. */
typedef struct gfab_out_turns {
    uint32_t count;
    uint32_t *weight;       /* [count * arcs] */
    uint64_t trees, rounds; /* so many trees a root fit in so many rounds of all turns */
} gfab_out_turns;

/* Groups that repeat, with a tail after them that has trees and rounds of its own. Rounds are those of blocks that go
 * outwards, or in and out again. */
typedef struct gfab_out_head {
    gfab_group_move *moves; /* of a group */
    size_t count;
    uint32_t period, trees; /* trees: of a root */
    uint32_t end;           /* the last round of a group */
    uint64_t groups;        /* before the tail */
} gfab_out_head;

/* Can groups of so many trees a root go before a tail of a vector of so many blocks a root, which all nodes together
 * hold so often? */
bool gfab_out_head_may(uint64_t blocks, uint64_t trees, uint64_t holdings);
/* Does the other one repeat at a higher rate, or at the same and its group is sooner at its end? */
bool gfab_out_head_improves(const gfab_out_head *head, const gfab_out_head *other);
/* It becomes this one, whose moves it gets; backwards these are turned. */
void gfab_out_head_take(gfab_out_head *head, const gfab_out_head *other, bool backwards);
/* The tail is to have the rest and so many whole groups: blocks a root of it; 0: nothing would be left before it. */
uint64_t gfab_out_head_cut(gfab_out_head *head, uint64_t blocks, uint32_t groups);
void gfab_out_head_release(gfab_out_head *head);
/* So many rounds of a tail have moves of the groups before it; 0 without a head. */
uint32_t gfab_out_head_span(const gfab_out_head *head);
/* Counts them: [arcs * span]. */
void gfab_out_head_count(const gfab_out_head *head, uint32_t *taken);
/* All rounds, with a tail of so many. */
uint64_t gfab_out_head_rounds(const gfab_out_head *head, uint32_t tail);
/* The moves of a tail behind so many groups become those of the whole vector, of so many blocks a root. NO_MEMORY. */
gfab_status gfab_out_tail_join(gfab_out_head *head, uint64_t groups, uint32_t blocks, bool backwards,
                               gfab_group_move **moves, size_t *count);

/* What a block goes along. */
typedef enum gfab_out_ways {
    GFAB_OUT_WAYS,  /* a tree out of its root */
    GFAB_BACK_WAYS, /* the same, and what a relay sends last of a block goes alone: backwards it comes first */
    GFAB_PAIR_WAYS  /* two trees that follow each other in the forest: into a root, then out of it */
} gfab_out_ways;

/* One block goes along each copy of each tree, or pair of trees. In rounds that are the same modulo the period no arc
 * carries more than its weight, and in half duplex no link more than the greater of its two. */
typedef struct gfab_out_plan {
    const gfab_topology *topology;
    const gfab_out_forest *forest; /* unfolded */
    gfab_out_ways ways;
    bool half;
    const gfab_out_turns *turns; /* NULL: none; of GFAB_BACK_WAYS the arcs are turned round, and the turns */
    uint32_t period, hop;        /* period 0: rounds are never the same */
    const gfab_out_head *head;   /* of a tail, without a period; NULL */
    uint32_t blocks;             /* the copies of tree after tree */
    uint32_t cells;              /* of a block: its tree's; of a pair those of both, first of the tree inwards */
    uint32_t *tree;              /* [blocks]: the first of a pair */
    uint32_t *round;             /* [blocks * cells]: of the move over the node's parent; 0: none */
    uint32_t *first, *last;      /* [blocks]: rounds of its moves */
    gfab_arena arena;
} gfab_out_plan;

/* To be released, after an error too. NO_MEMORY. */
gfab_status gfab_out_plan_create(const gfab_topology *topology, const gfab_out_forest *forest, gfab_out_ways ways,
                                 const gfab_model *model, uint32_t period, gfab_out_plan *plan);
void gfab_out_plan_release(gfab_out_plan *plan);
/* Gives every move a round: on each arc what has the longest way before it, and on top of that the highest bonus
 * [blocks], goes first. NO_MEMORY; INTERRUPTED. */
gfab_status gfab_out_plan_run(gfab_out_plan *plan, const uint32_t *bonus, uint64_t *random,
                              const gfab_solver_options *options);

/* Solver out-trees, where weights take turns: those of the topology are their sum, or where that is nothing more. A
 * gfab_solver_build, but for them. */
gfab_status gfab_out_build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           const gfab_out_turns *turns, gfab_schedule *schedule, gfab_diag *diag);

#endif
