/* SPDX-License-Identifier: MIT */
/* Candidates are the families' graphs with as many nodes, links and nodes of each degree. */
#include <gossipfab/topology/recognise.h>

#include "base/progress.h"
#include "isomorphism.h"
#include "topology_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct recogniser {
    const gfab_topology *topology;
    const gfab_progress *progress;
    gfab_recognition *found;
    bool open; /* a candidate has not been ruled out */
    uint32_t sides[GFAB_MAX_DIMENSIONS];
} recogniser;

static gfab_status same_degrees(const gfab_topology *a, const gfab_topology *b, bool *same)
{
    *same = a->link_count == b->link_count && a->min_degree == b->min_degree && a->max_degree == b->max_degree;
    if (!*same)
        return GFAB_OK;
    GFAB_FREED int64_t *surplus = calloc(a->max_degree + 1, sizeof *surplus);
    GFAB_NEED(surplus);
    for (size_t v = 0; v < a->node_count; v++) {
        surplus[a->port_start[v + 1] - a->port_start[v]]++;
        surplus[b->port_start[v + 1] - b->port_start[v]]--;
    }
    for (size_t d = 0; d <= a->max_degree; d++)
        *same = *same && surplus[d] == 0;
    return GFAB_OK;
}

/* Takes the candidate down, which it owns, if it is the topology. */
static gfab_status try_candidate(recogniser *r, gfab_topology *candidate)
{
    const size_t nodes = r->topology->node_count;
    const bool complete = candidate->link_count == nodes * (nodes - 1) / 2; /* whose nodes can be numbered in any way */
    const bool all_alike =
        candidate->kind == GFAB_TOPOLOGY_TORUS || candidate->diameter_rule == GFAB_DIAMETER_SAME || complete;
    gfab_isomorphism result = GFAB_ISOMORPHISM_NONE;
    bool same;
    gfab_status status = same_degrees(r->topology, candidate, &same);
    uint32_t *image = status == GFAB_OK && same ? malloc(nodes * sizeof *image) : NULL;
    if (status == GFAB_OK && same && !image)
        status = GFAB_ERR_NO_MEMORY;
    for (size_t v = 0; v < nodes && image && complete; v++)
        image[v] = (uint32_t)v;
    if (image && complete)
        result = GFAB_ISOMORPHISM_FOUND;
    else if (image)
        status = gfab_isomorphism_find(r->topology, candidate, all_alike, r->progress, image, &result);
    r->open = r->open || result == GFAB_ISOMORPHISM_OPEN;
    if (status == GFAB_OK && result == GFAB_ISOMORPHISM_FOUND) {
        r->found->at[r->found->count++] = (gfab_likeness){candidate, image};
        return GFAB_OK;
    }
    free(image);
    gfab_topology_destroy(candidate);
    return status;
}

static bool is_full(const recogniser *r)
{
    return r->found->count == GFAB_RECOGNISE_MAX_NAMES;
}

static gfab_status try_grid(recogniser *r, gfab_topology_kind kind, size_t dimensions)
{
    const size_t nodes = r->topology->node_count;
    size_t links = 0, twos = 0;
    for (size_t d = 0; d < dimensions; d++) {
        const bool wraps = kind == GFAB_TOPOLOGY_TORUS && r->sides[d] > 2;
        twos += r->sides[d] == 2;
        links += wraps ? nodes : nodes - nodes / r->sides[d];
    }
    /* A torus of twos alone is a mesh, two twos of a torus are a four, and a mesh of twos is a hypercube. */
    const bool other = kind == GFAB_TOPOLOGY_TORUS ? twos > 1 || twos == dimensions : twos == dimensions && twos > 1;
    gfab_topology *candidate;
    if (other || links != r->topology->link_count || is_full(r))
        return GFAB_OK;
    GFAB_TRY(gfab_topology_create_grid(kind, dimensions, r->sides, &candidate, NULL));
    return try_candidate(r, candidate);
}

/* All ways to write rest as a product of sides that do not fall, after those that there are. */
static gfab_status try_grids(recogniser *r, uint32_t rest, uint32_t least, size_t dimensions)
{
    for (uint32_t side = least; side <= rest / side && dimensions + 1 < GFAB_MAX_DIMENSIONS; side++) {
        if (rest % side != 0)
            continue;
        r->sides[dimensions] = side;
        GFAB_TRY(try_grids(r, rest / side, side, dimensions + 1));
    }
    r->sides[dimensions] = rest;
    GFAB_TRY(try_grid(r, GFAB_TOPOLOGY_MESH, dimensions + 1));
    return try_grid(r, GFAB_TOPOLOGY_TORUS, dimensions + 1);
}

static gfab_status try_spec(recogniser *r, const char *spec)
{
    gfab_topology *candidate;
    if (is_full(r))
        return GFAB_OK;
    GFAB_TRY(gfab_topology_parse(spec, &candidate, NULL));
    return try_candidate(r, candidate);
}

static gfab_status try_families(recogniser *r)
{
    const size_t nodes = r->topology->node_count, links = r->topology->link_count;
    const size_t degree = r->topology->max_degree;
    const gfab_topology_family *family;
    char spec[64];
    for (size_t i = 0; (family = gfab_graph_family_at(i)); i++) {
        uint32_t k;
        if (!gfab_graph_family_number(i, nodes, &k))
            continue;
        /* There is a complete graph of any size, too large to be made in vain. */
        if (strcmp(family->name, "complete") == 0 && links != nodes * (nodes - 1) / 2)
            continue;
        (void)snprintf(spec, sizeof spec, "%s:%" PRIu32, family->name, k);
        GFAB_TRY(try_spec(r, spec));
    }
    if (nodes % 2 == 0 && degree > 1 && degree <= 24 && nodes >> degree > 0 && nodes != (size_t)1 << degree &&
        2 * links == degree * nodes) {
        (void)snprintf(spec, sizeof spec, "knoedel:%zu,%zu", degree, nodes);
        GFAB_TRY(try_spec(r, spec));
    }
    return GFAB_OK;
}

gfab_status gfab_topology_recognise(const gfab_topology *topology, const gfab_progress *progress,
                                    gfab_recognition *recognition)
{
    recogniser r = {.topology = topology, .progress = progress, .found = recognition};
    *recognition = (gfab_recognition){.count = 0};
    if (!gfab_topology_is_plain(topology)) /* the families have neither relays nor weights */
        return GFAB_OK;
    if (!topology->listed && !gfab_graph_suffixes(gfab_topology_spec(topology)))
        return GFAB_OK;
    recognition->gave_up = topology->node_count > GFAB_RECOGNISE_MAX_NODES;
    if (recognition->gave_up)
        return GFAB_OK;
    gfab_status status = try_grids(&r, (uint32_t)topology->node_count, 2, 0);
    GFAB_THEN(status, try_families(&r));
    if (status != GFAB_OK)
        gfab_recognition_release(recognition);
    recognition->gave_up = r.open && !recognition->count;
    return status;
}

void gfab_recognition_release(gfab_recognition *recognition)
{
    for (size_t i = 0; i < recognition->count; i++) {
        gfab_topology_destroy(recognition->at[i].topology);
        free(recognition->at[i].image);
    }
    *recognition = (gfab_recognition){.count = 0};
}
