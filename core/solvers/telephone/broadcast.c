/* SPDX-License-Identifier: MIT */
/* Broadcast: one token to all nodes in few rounds. One-port, a broadcast is a spanning tree and an order of every
 * node's children: of a node informed in round t, child i = 1, 2, ... is informed in round t + i. The fewest rounds of
 * a tree are T(root), T(v) = max over i of i + T(child i), children by falling T. Trees are searched by simulated
 * annealing: a step hangs a node, with all below it, under another of its neighbours. Their energy is not T, which few
 * steps change, but the sum over all nodes of 2^(round in which it is informed). From the leaves up it is E(root),
 * E(v) = 1 + sum over i of 2^i E(child i), children by falling E, so that a step changes it on two ways to the root
 * alone. All ports: the tree of a breadth-first search, whose rounds are the distance of the farthest node. */
#include "solvers/solvers.h"

#include "base/random.h"
#include "solvers/parallel.h"

#include <gossipfab/schedule/bound.h>
#include <pthread.h>
#include <string.h>

#define RUNS 4u                          /* for each number of rounds */
#define SHORT_RUNS 2u                    /* of these, the first; each takes a quarter of the steps of the next */
#define STEPS_A_NODE ((uint64_t)1 << 16) /* of the others */
#define MOST_STEPS ((uint64_t)1 << 26)
#define CHECK 4096u /* steps between looks at a tree's rounds, or as many as there are nodes */
/* The temperature falls evenly from START to END hundredths of 2^(rounds asked for). */
#define START 250.0
#define END 30.0
/* Energies are doubles. Up to here they do not overflow. */
#define MOST_ROUNDS 900u
#define MAX_NODES ((size_t)1 << 20)
#define NONE UINT32_MAX

static const char *const keys[] = {"steps", "threads", NULL};

/* What all runs share. */
typedef struct graph {
    const gfab_topology *topology;
    size_t nodes;
    size_t *start; /* [nodes + 1]: of a node's children in a tree's lists; by degrees */
    uint32_t root;
} graph;

typedef struct tree {
    const graph *g;
    uint32_t *parent; /* [node]; NONE for the root */
    uint32_t *child;  /* [start[v] + i], i < count[v], by falling energy */
    uint32_t *count;
    double *energy;  /* sums of exact products with powers of 2: the same on all machines */
    double *rounds;  /* T, where it was computed last */
    uint32_t *order; /* scratch: nodes, parents first */
    gfab_arena arena;
} tree;
GFAB_HOLDS_ARENA(tree)

static gfab_status tree_init(tree *t, const graph *g)
{
    *t = (tree){.g = g};
    GFAB_ARRAYS(&t->arena, g->nodes, t->parent, t->count, t->energy, t->rounds, t->order);
    t->child = gfab_arena_zeroed(&t->arena, g->start[g->nodes], sizeof *t->child);
    return t->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static void tree_copy(tree *to, const tree *from)
{
    const graph *g = from->g;
    memcpy(to->parent, from->parent, g->nodes * sizeof *to->parent);
    memcpy(to->child, from->child, g->start[g->nodes] * sizeof *to->child);
    memcpy(to->count, from->count, g->nodes * sizeof *to->count);
    memcpy(to->energy, from->energy, g->nodes * sizeof *to->energy);
}

/* Puts v's children in order of falling key. They are mostly so already. */
static void sort_children(tree *t, uint32_t v, const double *key)
{
    uint32_t *child = t->child + t->g->start[v];
    for (uint32_t i = 1; i < t->count[v]; i++) {
        const uint32_t x = child[i];
        uint32_t at = i;
        for (; at > 0 && key[child[at - 1]] < key[x]; at--)
            child[at] = child[at - 1];
        child[at] = x;
    }
}

static void weigh(tree *t, uint32_t v)
{
    const uint32_t *child = t->child + t->g->start[v];
    double sum = 1, factor = 1;
    sort_children(t, v, t->energy);
    for (uint32_t i = 0; i < t->count[v]; i++)
        sum += (factor *= 2) * t->energy[child[i]];
    t->energy[v] = sum;
}

static void weigh_up(tree *t, uint32_t v)
{
    for (; v != NONE; v = t->parent[v])
        weigh(t, v);
}

static void hang(tree *t, uint32_t v, uint32_t parent)
{
    t->parent[v] = parent;
    t->child[t->g->start[parent] + t->count[parent]++] = v;
}

static void unhang(tree *t, uint32_t v)
{
    const uint32_t parent = t->parent[v];
    uint32_t *child = t->child + t->g->start[parent];
    uint32_t i = 0;
    while (child[i] != v)
        i++;
    t->count[parent]--;
    memmove(child + i, child + i + 1, (t->count[parent] - i) * sizeof *child);
}

/* All nodes, parents first, into order. */
static void sort_nodes(tree *t)
{
    size_t known = 0;
    t->order[known++] = t->g->root;
    for (size_t i = 0; i < known; i++) {
        const uint32_t v = t->order[i];
        memcpy(t->order + known, t->child + t->g->start[v], t->count[v] * sizeof *t->order);
        known += t->count[v];
    }
}

static void time_node(tree *t, uint32_t v)
{
    const uint32_t *child = t->child + t->g->start[v];
    double most = 0;
    sort_children(t, v, t->rounds);
    for (uint32_t i = 0; i < t->count[v]; i++)
        most = t->rounds[child[i]] + i + 1 > most ? t->rounds[child[i]] + i + 1 : most;
    t->rounds[v] = most;
}

/* The fewest rounds of the tree. Children are then in the order that it takes. */
static uint32_t rounds_of(tree *t)
{
    sort_nodes(t);
    for (size_t i = t->g->nodes; i-- > 0;)
        time_node(t, t->order[i]);
    return (uint32_t)t->rounds[t->g->root];
}

static void weigh_all(tree *t)
{
    sort_nodes(t);
    for (size_t i = t->g->nodes; i-- > 0;)
        weigh(t, t->order[i]);
}

/* Back to the root alone, in order. */
static void fell(tree *t)
{
    memset(t->count, 0, t->g->nodes * sizeof *t->count);
    for (size_t v = 0; v < t->g->nodes; v++)
        t->parent[v] = NONE;
    t->order[0] = t->g->root;
}

static void grow_breadth_first(tree *t)
{
    const graph *g = t->g;
    size_t known = 1;
    fell(t);
    for (size_t i = 0; i < known; i++) {
        size_t ports;
        const gfab_port *port = gfab_topology_ports(g->topology, t->order[i], &ports);
        for (; ports > 0; ports--, port++)
            if (port->peer != g->root && t->parent[port->peer] == NONE) {
                hang(t, port->peer, t->order[i]);
                t->order[known++] = port->peer;
            }
    }
}

/* Round by round, every informed node informs the first of its neighbours that is not. */
static gfab_status grow_greedily(tree *t)
{
    const graph *g = t->g;
    size_t known = 1;
    size_t *next = gfab_arena_zeroed(&t->arena, g->nodes,
                                     sizeof *next); /* a node's first port that may lead to an uninformed one */
    GFAB_NEED(next);
    fell(t);
    while (known < g->nodes)
        for (size_t i = 0, end = known; i < end; i++) {
            const uint32_t v = t->order[i];
            size_t ports;
            const gfab_port *port = gfab_topology_ports(g->topology, v, &ports);
            while (next[v] < ports && (port[next[v]].peer == g->root || t->parent[port[next[v]].peer] != NONE))
                next[v]++;
            if (next[v] < ports) {
                hang(t, port[next[v]].peer, v);
                t->order[known++] = port[next[v]].peer;
            }
        }
    return GFAB_OK;
}

/* ---- the search ---- */

typedef struct search {
    graph g;
    const gfab_solver_options *options;
    gfab_arena arena;
    uint64_t steps; /* of the longest runs */
    uint32_t runs, target;
    unsigned threads;
    tree best;
    tree *tree;           /* [threads] */
    pthread_mutex_t lock; /* of all that follows, and of the caller's progress function */
    uint32_t first_found; /* the lowest run that has found a tree of target rounds; NONE */
    tree found;           /* that tree */
    uint64_t done, total; /* steps, in units of CHECK */
    gfab_status status;
} search;

/* Hangs a random node elsewhere, unless that makes the energy rise by heat or more. */
static void step(tree *t, uint64_t *random, double heat)
{
    const graph *g = t->g;
    const uint32_t v = gfab_random_below(random, (uint32_t)g->nodes), old = t->parent[v];
    size_t ports;
    const gfab_port *port = gfab_topology_ports(g->topology, v, &ports);
    const uint32_t parent = port[gfab_random_below(random, (uint32_t)ports)].peer;
    if (v == g->root || parent == old)
        return;
    for (uint32_t u = parent; u != NONE; u = t->parent[u])
        if (u == v)
            return;
    const double before = t->energy[g->root];
    unhang(t, v);
    weigh_up(t, old);
    hang(t, v, parent);
    weigh_up(t, parent);
    if (t->energy[g->root] >= before + heat) {
        unhang(t, v);
        weigh_up(t, parent);
        hang(t, v, old);
        weigh_up(t, old);
    }
}

/* Whether the run is to go on. Only a lower run's success ends it, so that who is first does not show in the result. */
static bool go_on(search *s, size_t run)
{
    pthread_mutex_lock(&s->lock);
    if (s->status == GFAB_OK)
        s->status = gfab_solver_report(s->options, "steps", s->done++, s->total);
    const bool on = s->status == GFAB_OK && s->first_found > run;
    pthread_mutex_unlock(&s->lock);
    return on;
}

static void keep(search *s, size_t run, const tree *t)
{
    pthread_mutex_lock(&s->lock);
    if (run < s->first_found) {
        s->first_found = (uint32_t)run;
        tree_copy(&s->found, t);
    }
    pthread_mutex_unlock(&s->lock);
}

static uint64_t steps_of(const search *s, size_t run)
{
    return run < SHORT_RUNS ? s->steps >> 2 * (SHORT_RUNS - run) : s->steps;
}

static void anneal(void *context, unsigned worker, size_t run)
{
    search *s = context;
    tree *t = &s->tree[worker];
    const uint64_t steps = steps_of(s, run), check = s->g.nodes > CHECK ? s->g.nodes : CHECK;
    uint64_t random = s->options->seed ^ ((uint64_t)s->target << 32 | run);
    double scale = 0.01;
    for (uint32_t i = 0; i < s->target; i++)
        scale *= 2;
    tree_copy(t, &s->best);
    for (uint64_t i = 0; i < steps;) {
        if (!go_on(s, run))
            return;
        const double heat = scale * (START - (START - END) * ((double)i / (double)steps));
        for (const uint64_t end = i + check; i < end; i++)
            step(t, &random, heat * ((double)(gfab_random(&random) >> 11) / 9007199254740992.0));
        if (rounds_of(t) <= s->target) {
            keep(s, run, t);
            return;
        }
        weigh_all(t); /* its order again */
    }
}

/* From the better of two simple trees down, a round at a time. */
static gfab_status search_trees(search *s, uint32_t least)
{
    tree *t = &s->best;
    grow_breadth_first(t);
    uint32_t rounds = rounds_of(t);
    if (rounds > least) {
        GFAB_TRY(grow_greedily(t));
        if (rounds_of(t) >= rounds)
            grow_breadth_first(t);
        rounds = rounds_of(t);
    }
    const uint64_t check = s->g.nodes > CHECK ? s->g.nodes : CHECK;
    for (uint32_t i = 0; i < s->runs; i++)
        s->total += steps_of(s, i) / check + 1;
    for (s->first_found = 0; rounds > least && rounds <= MOST_ROUNDS && s->first_found != NONE;) {
        s->target = rounds - 1;
        s->first_found = NONE;
        s->done = 0;
        weigh_all(t);
        gfab_parallel_for(s->threads, s->runs, anneal, s);
        GFAB_TRY(s->status);
        if (s->first_found != NONE) {
            tree_copy(t, &s->found);
            rounds = rounds_of(t);
        }
    }
    (void)rounds_of(t);
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* The tree's moves, by rising round; `waits`: a node's children are informed one by one. */
static gfab_status append_moves(tree *t, bool waits, gfab_schedule *schedule)
{
    const graph *g = t->g;
    uint32_t *round = gfab_arena_zeroed(&t->arena, g->nodes, sizeof *round), last = 0;
    uint32_t *by_round = gfab_arena_zeroed(&t->arena, g->nodes, sizeof *by_round);
    GFAB_NEED(!t->arena.failed);
    sort_nodes(t);
    for (size_t i = 0; i < g->nodes; i++) {
        const uint32_t v = t->order[i];
        for (uint32_t k = 0; k < t->count[v]; k++) {
            const uint32_t x = t->child[g->start[v] + k];
            round[x] = round[v] + (waits ? k + 1 : 1);
            last = round[x] > last ? round[x] : last;
        }
    }
    size_t *start = gfab_arena_zeroed(&t->arena, (size_t)last + 2, sizeof *start);
    GFAB_NEED(start);
    for (size_t v = 0; v < g->nodes; v++)
        start[round[v] + 1]++;
    for (uint32_t i = 0; i <= last; i++)
        start[i + 1] += start[i];
    for (size_t v = 0; v < g->nodes; v++)
        by_round[start[round[v]]++] = (uint32_t)v;
    for (size_t i = 1; i < g->nodes; i++) { /* 0 is the root */
        gfab_arc arc = 0;
        (void)gfab_topology_find_arc(g->topology, t->parent[by_round[i]], by_round[i], &arc);
        GFAB_TRY(gfab_schedule_append(schedule, round[by_round[i]], arc, 0));
    }
    return GFAB_OK;
}

static gfab_status set_up(search *s, const gfab_topology *topology, uint32_t root)
{
    s->g = (graph){.topology = topology, .nodes = gfab_topology_node_count(topology), .root = root};
    s->g.start = gfab_arena_zeroed(&s->arena, s->g.nodes + 1, sizeof *s->g.start);
    s->tree = gfab_arena_zeroed(&s->arena, s->threads, sizeof *s->tree);
    GFAB_NEED(!s->arena.failed);
    for (size_t v = 0; v < s->g.nodes; v++) {
        size_t ports;
        (void)gfab_topology_ports(topology, v, &ports);
        s->g.start[v + 1] = s->g.start[v] + ports;
    }
    const uint64_t usual = STEPS_A_NODE * s->g.nodes;
    s->steps = usual < MOST_STEPS ? usual : MOST_STEPS;
    s->runs = s->options->effort ? s->options->effort : RUNS;
    GFAB_TRY(tree_init(&s->best, &s->g));
    GFAB_TRY(tree_init(&s->found, &s->g));
    for (unsigned i = 0; i < s->threads; i++)
        GFAB_TRY(tree_init(&s->tree[i], &s->g));
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    if (gfab_schedule_token_count(schedule) != 1)
        return GFAB_REFUSE(diag, "it is for one token at one node, here there are %zu",
                           gfab_schedule_token_count(schedule));
    search s = {.options = options};
    gfab_bound bound;
    uint64_t threads = gfab_parallel_workers();
    const uint32_t root = gfab_schedule_origin(schedule, 0);
    gfab_status status = gfab_parameter_number(options->parameters, "threads", 1, GFAB_MAX_WORKERS, &threads, diag);
    s.threads = (unsigned)threads;
    GFAB_THEN(status, set_up(&s, topology, root));
    GFAB_THEN(status, gfab_parameter_number(options->parameters, "steps", 1, UINT64_MAX / 2, &s.steps, diag));
    GFAB_THEN(status, gfab_bound_broadcast(topology, model, root, &bound));
    pthread_mutex_init(&s.lock, NULL);
    if (status == GFAB_OK) {
        const bool one_port = model->port_mode == GFAB_PORT_ONE;
        const uint32_t least = options->rounds > bound.rounds ? options->rounds : (uint32_t)bound.rounds;
        if (one_port)
            status = search_trees(&s, least);
        else
            grow_breadth_first(&s.best);
        GFAB_THEN(status, append_moves(&s.best, one_port, schedule));
    }
    pthread_mutex_destroy(&s.lock);
    for (unsigned i = 0; s.tree && i < s.threads; i++)
        tree_release(&s.tree[i]);
    tree_release(&s.best);
    tree_release(&s.found);
    gfab_arena_release(&s.arena);
    return status;
}

GFAB_SOLVE(solve, broadcast, build)

const gfab_solver gfab_solver_broadcast = {
    .name = "broadcast",
    .summary = "one token to all nodes: simulated annealing of spanning trees; all ports: a breadth-first tree",
    .source = "gossipfab, docs/theory/broadcast.md",
    .solve = solve,
    .takes_load = true,
    .broadcasts = true,
    .parameters = keys,
    .only = GFAB_ONLY_ONE_ROUND | GFAB_ONLY_STORED,
    .most_nodes = MAX_NODES,
};
