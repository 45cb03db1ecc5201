/* SPDX-License-Identifier: MIT */
/* What the bounds on gossip, on broadcast and on other goals share; private to core/schedule. */
#ifndef GOSSIPFAB_BOUND_INTERNAL_H
#define GOSSIPFAB_BOUND_INTERNAL_H

#include <gossipfab/schedule/bound.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct gfab_bound_list {
    gfab_bound *bounds;
    size_t count;
} gfab_bound_list;

/* Keeps the list sorted, highest first, earlier first among equals. */
#ifdef __GNUC__
__attribute__((format(printf, 5, 6)))
#endif
void gfab_bound_add(gfab_bound_list *list, const char *name, uint64_t rounds, const char *source, const char *format,
                    ...);

/* gfab_bound_all where there are neither relays nor weights. */
gfab_status gfab_bound_gossip(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                              gfab_bound *bounds, size_t *count);

static inline const char *gfab_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

typedef struct gfab_bound_words {
    char text[64];
} gfab_bound_words;

/* "none in the first 3 rounds, ", or in the last ones; nothing of no rounds. */
static inline gfab_bound_words gfab_bound_wait(const char *end, uint64_t rounds)
{
    gfab_bound_words words = {""};
    if (rounds == 1)
        snprintf(words.text, sizeof words.text, "none in the %s round, ", end);
    else if (rounds > 1)
        snprintf(words.text, sizeof words.text, "none in the %s %" PRIu64 " rounds, ", end, rounds);
    return words;
}

static inline uint64_t gfab_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* One-port: no round before `rounds` sees all nodes know the token of node root, for of the `far` nodes that are
 * `distance` or more links away at most `told` can know it a round before. */
typedef struct gfab_spread {
    uint64_t rounds;
    uint32_t root;
    uint32_t distance;
    uint64_t far;
    uint64_t told;
    uint64_t degree; /* the highest of the graph */
} gfab_spread;

/* lambda is hop_rounds. At least the rounds to the farthest node. */
gfab_status gfab_bound_spread_from(const gfab_topology *topology, uint64_t lambda, uint32_t root, gfab_spread *spread);
/* The most of all roots that were tried: all of them but in large graphs. */
gfab_status gfab_bound_spread(const gfab_topology *topology, uint64_t lambda, gfab_spread *spread);
/* With the sentence that says so. */
void gfab_bound_of_spread(const gfab_spread *spread, gfab_bound *bound);

/* ---- relays and weighted links: bound_marked.c ---- */

#define GFAB_BOUND_MAX_SOURCES 4096u /* nodes that are looked at, in larger graphs: any of them gives a bound */

uint64_t gfab_bound_widest(const gfab_topology *topology);
/* Tokens that a round has room for, each over one link, or past switches over several. */
uint64_t gfab_bound_room(const gfab_topology *topology, const gfab_model *model);
/* Ends of messages at nodes that store: those that leave, those that come, and in half duplex both together. */
typedef struct gfab_bound_ends {
    uint64_t out, in, both;
} gfab_bound_ends;
/* What a round has room for. */
gfab_bound_ends gfab_bound_room_at_ends(const gfab_topology *topology, const gfab_model *model);
/* What the links of a node carry, or where it uses one at a time the best of them: to it, from it, or one way of each.
 */
typedef enum gfab_way { GFAB_WAY_IN, GFAB_WAY_OUT, GFAB_WAY_EITHER } gfab_way;
uint64_t gfab_bound_width(const gfab_topology *topology, uint32_t node, bool one, gfab_way way);
/* Relays that are in everything that joins all members, at least. NO_MEMORY. */
gfab_status gfab_bound_relays(const gfab_topology *topology, uint64_t *relays);
/* The best of the cuts around members. NO_MEMORY, INTERRUPTED. */
gfab_status gfab_bound_add_cuts(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal, const gfab_progress *progress);

/* Nodes times links, up to which the best rate is asked for. */
#define GFAB_BOUND_MAX_RATE ((size_t)1 << 21)

/* What follows from the best rate, where there is one that is known (gossipfab/schedule/rate.h). Store-and-forward.
 * NO_MEMORY, INTERRUPTED. */
gfab_status gfab_bound_add_rate(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal, const gfab_progress *progress);

/* Half duplex, links that differ in their two ways: sets of nodes that take in, or send, as much each. NO_MEMORY. */
gfab_status gfab_bound_add_sets(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                const gfab_goal *goal);

/* The best rate with one port, of graphs of no more nodes times links; where it may say more than what is known, the
 * list's first. NO_MEMORY, INTERRUPTED. */
#define GFAB_BOUND_MAX_PORTS ((size_t)1 << 13)
gfab_status gfab_bound_add_ports(gfab_bound_list *list, const gfab_topology *topology, const gfab_model *model,
                                 const gfab_goal *goal, const gfab_progress *progress);

/* Trees, of two nodes or more. */
bool gfab_bound_is_tree(const gfab_topology *topology);
/* One-port, lambda = 1, trees: the fewest rounds of a broadcast, from the node where it takes fewest. */
gfab_status gfab_bound_tree_broadcast(const gfab_topology *topology, uint32_t *rounds);

#endif
