/* SPDX-License-Identifier: MIT */
/* The symmetry of a set of matchings. Where these connect all nodes, a permutation that keeps each of them is known by
 * the image of one node: all others follow along the links. */
#include "colouring_internal.h"
#include "matchings_internal.h"

#include "base/sets.h"

#include <gossipfab/base/arena.h>

#define NONE UINT32_MAX
/* More orbits than this are not worth the while. */
#define MAX_ORIGINS 256

typedef struct symmetry {
    const gfab_matchings *matchings;
    size_t nodes, count;
    uint32_t *image;  /* NONE where unknown */
    uint32_t *order;  /* nodes that have an image, in the order in which they got it */
    uint32_t *parent; /* of the sets of nodes that are known to be in one orbit, the lowest node is the root */
    gfab_arena arena;
} symmetry;
GFAB_HOLDS_ARENA(symmetry)

/* Whether there is a permutation that keeps all matchings and takes `from` to `to`; *reached: nodes connected to
 * `from`. */
static bool extends(symmetry *s, uint32_t from, uint32_t to, size_t *reached)
{
    size_t known = 0;
    bool good = true;
    s->image[from] = to;
    s->order[known++] = from;
    for (size_t i = 0; i < known && good; i++)
        for (size_t c = 0; c < s->count && good; c++) {
            const uint32_t *partner = gfab_matchings_partners(s->matchings, c);
            const uint32_t x = s->order[i], y = partner[x], y_image = partner[s->image[x]];
            if (s->image[y] == NONE && y != x) {
                s->image[y] = y_image;
                s->order[known++] = y;
                good = y_image != s->image[x];
            } else
                good = s->image[y] == y_image;
        }
    for (size_t i = 0; i < known; i++) {
        if (good)
            gfab_sets_join(s->parent, s->order[i], s->image[s->order[i]]);
        s->image[s->order[i]] = NONE;
    }
    *reached = known;
    return good;
}

/* A map that keeps the matchings and is onto a connected graph is a permutation: it is a covering of the graph by
 * itself, which is finite. */
static gfab_status find_origins(symmetry *s, uint32_t *origin, size_t *count)
{
    size_t reached;
    extends(s, 0, 0, &reached);
    if (reached < s->nodes)
        return GFAB_ERR_UNSUPPORTED;
    *count = 0;
    for (uint32_t v = 0; v < s->nodes; v++) {
        if (gfab_set_of(s->parent, v) != v)
            continue;
        bool new_orbit = true;
        for (size_t i = 0; i < *count && new_orbit; i++)
            new_orbit = !extends(s, origin[i], v, &reached);
        if (!new_orbit)
            continue;
        if (*count == MAX_ORIGINS) {
            for (*count = 0; *count < s->nodes; (*count)++)
                origin[*count] = (uint32_t)*count;
            return GFAB_OK;
        }
        origin[(*count)++] = v;
    }
    return GFAB_OK;
}

gfab_status gfab_matchings_origins(const gfab_matchings *matchings, uint32_t *origin, size_t *count)
{
    const size_t nodes = gfab_topology_node_count(gfab_matchings_topology(matchings));
    GFAB_AT_END(symmetry_release)
    symmetry s = {.matchings = matchings, .nodes = nodes, .count = gfab_matchings_count(matchings)};
    GFAB_ARRAYS(&s.arena, nodes, s.image, s.order, s.parent);
    GFAB_NEED(!s.arena.failed);
    for (uint32_t v = 0; v < nodes; v++) {
        s.image[v] = NONE;
        s.parent[v] = v;
    }
    return find_origins(&s, origin, count);
}
