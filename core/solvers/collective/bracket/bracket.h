/* SPDX-License-Identifier: MIT */
/* A bracketing over the ranks, and how it is carried out on a graph; private to this folder. docs/theory/bracket.md. */
#ifndef GOSSIPFAB_SOLVERS_BRACKET_H
#define GOSSIPFAB_SOLVERS_BRACKET_H

#include "solvers/solvers.h"

#define GFAB_BRACKET_MAX_NODES 2048u

/* Term v < leaves is the contribution of rank v; term leaves + i adds pairs[i]. Terms come before those they are in;
 * the last is the whole. The leaves of a term are order[first[term] .. end[term] - 1]. */
typedef struct gfab_bracket {
    uint32_t leaves;
    uint32_t (*pairs)[2];    /* [leaves - 1]: left, right */
    uint32_t *height;        /* [2 leaves - 1]: 0 of a contribution */
    uint32_t *order, *place; /* [leaves]: leaves from left to right; where each stands */
    uint32_t *first, *end;   /* [2 leaves - 1] */
    gfab_arena arena;
} gfab_bracket;

/* "binary", "linear", or terms as gfab_expression_write has them, such as ((n0+n1)+n2), in which each of the leaves is
 * once. PARSE with the reason; NO_MEMORY. */
gfab_status gfab_bracket_parse(const char *text, size_t length, uint32_t leaves, gfab_bracket *bracket,
                               gfab_diag *diag);
/* That of a tree of shortest paths from a root: every node adds what its children have, the lowest subtree first.
 * NO_MEMORY. */
gfab_status gfab_bracket_of_tree(const gfab_topology *topology, uint32_t root, gfab_bracket *bracket);
GFAB_HOLDS_ARENA(gfab_bracket)
static inline uint32_t gfab_bracket_root(const gfab_bracket *bracket)
{
    return 2 * bracket->leaves - 2;
}
static inline bool gfab_bracket_has(const gfab_bracket *bracket, uint32_t term, uint32_t leaf)
{
    return bracket->place[leaf] >= bracket->first[term] && bracket->place[leaf] < bracket->end[term];
}

/* Which nodes can have which term where messages go over single links. A node that has (L + R) has one of the two and
 * gets the other from a neighbour that can have that. */
typedef struct gfab_bracket_hosts {
    size_t *start; /* [2 leaves - 1] */
    bool *can;     /* [start[term] + place[node] - first[term]] */
} gfab_bracket_hosts;

/* UNSUPPORTED, with the term that nobody can have. */
gfab_status gfab_bracket_find_hosts(const gfab_topology *topology, const gfab_bracket *bracket,
                                    gfab_bracket_hosts *hosts, gfab_diag *diag);
void gfab_bracket_hosts_release(gfab_bracket_hosts *hosts);
static inline bool gfab_bracket_can(const gfab_bracket *bracket, const gfab_bracket_hosts *hosts, uint32_t term,
                                    uint32_t node)
{
    return gfab_bracket_has(bracket, term, node) &&
           hosts->can[hosts->start[term] + bracket->place[node] - bracket->first[term]];
}

/* Single blocks over single links: appends to an empty schedule. */
gfab_status gfab_bracket_moves(const gfab_solver_options *options, const gfab_bracket *bracket, gfab_schedule *schedule,
                               gfab_diag *diag);
/* Messages between any two ranks, over paths of links: appends to an empty schedule. whole: the ranks of two terms
 * exchange vectors; else each block goes to its owner and back. */
gfab_status gfab_bracket_steps(const gfab_solver_options *options, const gfab_bracket *bracket, bool whole,
                               gfab_schedule *schedule, gfab_diag *diag);

#endif
