/* SPDX-License-Identifier: MIT */
/* Private: a graph seen up to a group of its symmetries. A schedule that the group leaves as it is uses, in a round,
 * all links of an orbit or none; what becomes of one node's token then tells what becomes of the tokens of its orbit.
 * docs/theory/records.md lists the groups. */
#ifndef GOSSIPFAB_SYMMETRY_H
#define GOSSIPFAB_SYMMETRY_H

#include <gossipfab/base/arena.h>
#include <gossipfab/topology/topology.h>

typedef struct gfab_symmetry {
    const gfab_topology *topology;
    uint32_t nodes, links;
    uint32_t node_orbits, link_orbits; /* numbered by their lowest node or link */
    uint32_t *node_orbit;              /* [nodes] */
    uint32_t *link_orbit;              /* [links] */
    uint32_t *first_node;              /* [node_orbits]: the lowest node, whose token stands for the orbit's */
    uint32_t *node_count;              /* [node_orbits] */
    uint32_t *link_list;               /* [links]: orbit after orbit, links rising within one */
    uint32_t *link_start;              /* [link_orbits + 1]: where an orbit starts in link_list */
    bool *usable;                      /* [link_orbits]: no two of its links share a node */
    gfab_arena arena;
} gfab_symmetry;

/* The group that text, of so many characters, generates: names joined by '+', or "none". PARSE for a name that is
 * none for this topology; NO_MEMORY. On GFAB_OK to be released. */
gfab_status gfab_symmetry_create(const gfab_topology *topology, const char *text, size_t length,
                                 gfab_symmetry *symmetry, gfab_diag *diag);
/* Leaves all zero. */
void gfab_symmetry_release(gfab_symmetry *symmetry);

/* Do the usable orbits connect the graph? If not, no schedule that the group leaves as it is can gossip.
 * NO_MEMORY. */
gfab_status gfab_symmetry_is_connected(const gfab_symmetry *symmetry, bool *connected);

#define GFAB_SYMMETRY_ALL_SIZE 64
/* The group of all symmetries with names here, as gfab_symmetry_create reads it; "none" if there are none. */
void gfab_symmetry_all(const gfab_topology *topology, char text[GFAB_SYMMETRY_ALL_SIZE]);

/* By node: the lowest of the nodes that symmetries, each checked link by link, are found to turn it into; nodes that
 * share it are alike, others may be. O(links log links) for each of a few dozen renumberings. NO_MEMORY. */
gfab_status gfab_symmetry_node_orbits(const gfab_topology *topology, uint32_t *orbit);

/* The group that searches take for this topology where none is asked for; "none" if no other is known. Static. */
const char *gfab_symmetry_default(const gfab_topology *topology);

#endif
