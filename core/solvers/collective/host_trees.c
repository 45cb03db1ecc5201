/* SPDX-License-Identifier: MIT */
/* Broadcast and reduce where hosts give and take several words at once: a tree for each, out of the root's relay, no
 * two of which share an arc, so that all go on at the same time. Block b of a group goes along tree b:
 * docs/theory/long-vectors/host-tree.md. */
#include "solvers/collective/host_trees.h"

#include "solvers/collective/arborescences/arborescence_packing.h"
#include "solvers/collective/group_moves.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/goal.h>

#define NONE UINT32_MAX
#define STEPS 200000u /* of an annealing */
#define TRIES 2u

typedef struct trees {
    const gfab_topology *topology;
    const gfab_solver_options *options;
    gfab_goal goal;
    uint32_t words;
    uint32_t relays; /* the first nodes; hosts are behind them */
    uint32_t root;   /* the relay of the root's host */
    uint64_t random;
    gfab_arbor_graph graph; /* of the relays */
    gfab_arbor_packing packing;
    gfab_arc *host_arc; /* [relay]: to its host; NONE */
    uint32_t *send;     /* [word * relays + relay]: the round in which it sends on the way in; 0: it does not */
    uint32_t *first;    /* likewise: who sends to it first, and alone, if that is no host */
    gfab_group_move *moves;
    size_t count;
    gfab_arena arena;
} trees;

static size_t cell(const trees *t, uint32_t word, uint32_t relay)
{
    return (size_t)word * t->relays + relay;
}

/* Who is before a relay on the way from the root. */
static uint32_t parent(const trees *t, uint32_t word, uint32_t relay)
{
    return t->graph.from[t->packing.parent[cell(t, word, relay)]];
}

/* Arc-disjoint, and as shallow as annealing gets them. */
static gfab_status grow(trees *t, gfab_diag *diag)
{
    GFAB_AT_END(gfab_arbor_packing_release) gfab_arbor_packing tried = {0};
    uint32_t count = 0, least = 0;
    bool reached = false;
    GFAB_TRY(gfab_arbor_graph_create(t->topology, t->goal.collective == GFAB_REDUCE, 1, &t->graph));
    gfab_arbor_graph_keep(&t->graph, t->relays);
    GFAB_TRY(gfab_arbor_count(&t->graph, t->root, t->words, t->options, &count));
    if (count < t->words)
        return GFAB_REFUSE(diag, "%u words at once take as many trees without a common link; from node %u there are %u",
                           (unsigned)t->words, (unsigned)t->root, (unsigned)count);
    GFAB_TRY(gfab_arbor_least_depth(&t->graph, t->root, t->words, &least));
    GFAB_TRY(gfab_arbor_packing_create(&t->graph, t->root, t->words, &t->packing));
    GFAB_TRY(gfab_arbor_grow(&t->packing, &t->random, t->options));
    GFAB_TRY(gfab_arbor_packing_create(&t->graph, t->root, t->words, &tried));
    const uint32_t depth = gfab_arbor_depth(&t->packing);
    for (uint32_t wanted = least; wanted < depth && !reached; wanted += 1 + (wanted - least) / 4)
        for (uint32_t i = 0; i < TRIES && !reached; i++) {
            gfab_arbor_packing_copy(&t->packing, &tried);
            GFAB_TRY(gfab_arbor_anneal(&tried, wanted, STEPS, &t->random, t->options, &reached));
        }
    if (reached)
        gfab_arbor_packing_copy(&tried, &t->packing);
    return GFAB_OK;
}

static void move(trees *t, uint32_t round, uint32_t token, gfab_arc arc)
{
    t->moves[t->count++] = (gfab_group_move){round, token, arc};
}

/* A relay sends on in the round after a block came. A host takes all blocks of a group in rounds that follow each
 * other, once the last is there, so that they come in their order. */
static void list_broadcast(trees *t)
{
    const gfab_arc from_root = t->host_arc[t->root] ^ 1;
    for (uint32_t word = 0; word < t->words; word++)
        move(t, 1 + word, word, from_root);
    for (uint32_t v = 0; v < t->relays; v++) {
        uint32_t deepest = 0;
        for (uint32_t word = 0; word < t->words && v != t->root; word++) {
            const uint32_t depth = t->packing.depth[cell(t, word, v)];
            deepest = depth > deepest ? depth : deepest;
            move(t, 1 + word + depth, word, t->graph.name[t->packing.parent[cell(t, word, v)]]);
        }
        for (uint32_t word = 0; word < t->words && v != t->root && t->host_arc[v] != NONE; word++)
            move(t, 2 + deepest + word, word, t->host_arc[v]);
    }
}

/* Which relays have something to send, and who is first where a relay has no host. */
static void mark_senders(trees *t, uint32_t word)
{
    uint32_t *send = t->send + cell(t, word, 0), *first = t->first + cell(t, word, 0);
    for (uint32_t v = 0; v < t->relays; v++)
        first[v] = NONE;
    for (uint32_t leaf = 0; leaf < t->relays; leaf++)
        for (uint32_t v = leaf; t->host_arc[leaf] != NONE && v != t->root && !send[v]; v = parent(t, word, v)) {
            send[v] = 1;
            if (t->host_arc[parent(t, word, v)] == NONE && first[parent(t, word, v)] == NONE)
                first[parent(t, word, v)] = v;
        }
}

/* The round in which a relay sends, if the root does in `last`: the round before the relay behind it does, but for who
 * is there first, alone. */
static uint32_t send_round(const trees *t, uint32_t word, uint32_t relay, uint32_t last)
{
    uint32_t round = last;
    for (uint32_t v = relay; v != t->root; v = parent(t, word, v))
        round -= 1 + (t->first[cell(t, word, parent(t, word, v))] == v);
    return round;
}

/* The trees backwards, as late as may be. Hosts give all blocks of a group in rounds that follow each other. */
static void list_reduce(trees *t)
{
    const uint32_t last = 2 * t->relays + 2 + t->words; /* early enough for the deepest tree; moved below */
    uint32_t least = last;
    for (uint32_t word = 0; word < t->words; word++) {
        mark_senders(t, word);
        move(t, last + word, word, t->host_arc[t->root]);
        for (uint32_t v = 0; v < t->relays; v++) {
            const uint32_t to = v == t->root ? NONE : parent(t, word, v);
            if (!t->send[cell(t, word, v)])
                continue;
            t->send[cell(t, word, v)] = send_round(t, word, v, last + word);
            move(t, t->send[cell(t, word, v)], word | (t->first[cell(t, word, to)] == v ? 0 : GFAB_COMBINE),
                 t->graph.name[t->packing.parent[cell(t, word, v)]] ^ 1);
        }
        t->send[cell(t, word, t->root)] = last + word;
    }
    for (uint32_t v = 0; v < t->relays; v++) {
        uint32_t gives = last;
        for (uint32_t word = 0; word < t->words && t->host_arc[v] != NONE; word++)
            gives = t->send[cell(t, word, v)] - 2 - word < gives ? t->send[cell(t, word, v)] - 2 - word : gives;
        for (uint32_t word = 0; word < t->words && t->host_arc[v] != NONE; word++)
            move(t, gives + word, word, t->host_arc[v] ^ 1);
    }
    for (size_t i = 0; i < t->count; i++)
        least = t->moves[i].round < least ? t->moves[i].round : least;
    for (size_t i = 0; i < t->count; i++)
        t->moves[i].round -= least - 1;
}

static bool open_trees(trees *t)
{
    const size_t cells = (size_t)t->words * t->relays;
    t->host_arc = gfab_arena_zeroed(&t->arena, t->relays, sizeof *t->host_arc);
    GFAB_ARRAYS(&t->arena, cells, t->send, t->first);
    t->moves = gfab_arena_zeroed(&t->arena, 2 * (cells + t->words), sizeof *t->moves);
    if (t->arena.failed)
        return false;
    for (uint32_t v = 0; v < t->relays; v++)
        t->host_arc[v] = NONE;
    for (uint32_t v = t->relays; v < gfab_topology_node_count(t->topology); v++) {
        size_t count;
        const gfab_port port = gfab_topology_ports(t->topology, v, &count)[0];
        t->host_arc[port.peer] = 2 * port.link + 1u - port.end;
        if (gfab_topology_arc_to(t->topology, t->host_arc[port.peer]) != v)
            t->host_arc[port.peer] ^= 1;
        if (v == gfab_topology_member(t->topology, t->goal.root))
            t->root = port.peer;
    }
    return true;
}

static void trees_release(trees *t)
{
    gfab_arbor_packing_release(&t->packing);
    gfab_arbor_graph_release(&t->graph);
    gfab_arena_release(&t->arena);
}

gfab_status gfab_host_trees_build(const gfab_topology *topology, uint32_t words, const gfab_solver_options *options,
                                  gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(trees_release)
    trees t = {.topology = topology,
               .options = options,
               .goal = gfab_schedule_goal(schedule),
               .words = words,
               .relays = (uint32_t)(gfab_topology_node_count(topology) - gfab_topology_member_count(topology)),
               .random = options->seed};
    if (t.goal.collective == GFAB_ALL_REDUCE)
        return GFAB_REFUSE(
            diag, "several words at once: an all-reduce would need twice as many trees; give broadcast or reduce");
    for (uint32_t v = 0; v < t.relays; v++)
        if (!gfab_topology_is_relay(topology, v))
            return GFAB_REFUSE(diag, "several words at once: hosts must be behind all relays");
    GFAB_NEED(open_trees(&t));
    GFAB_TRY(grow(&t, diag));
    (t.goal.collective == GFAB_REDUCE ? list_reduce : list_broadcast)(&t);
    return gfab_group_moves_append(t.moves, t.count, words, words, schedule);
}
