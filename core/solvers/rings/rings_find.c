/* SPDX-License-Identifier: MIT */
/* Which rings: those of a formula where the graph has one, and of a search where that may bring more. */
#include "rings_internal.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BITS 24u
#define MAX_STEPS ((uint64_t)1 << 25) /* of all rings */

typedef struct job {
    const gfab_topology *topology;
    const gfab_rings_options *options;
    uint32_t nodes, links, degree; /* the least one */
} job;

/* ---- families ---- */

/* The bits of a hypercube, whose nodes are linked where their numbers differ in one; 0 for any other graph. */
static uint32_t hypercube_bits(const job *j)
{
    uint32_t bits = 0;
    while (bits < MAX_BITS && (uint32_t)1 << bits < j->nodes)
        bits++;
    if ((uint32_t)1 << bits != j->nodes || (uint64_t)bits * j->nodes != 2 * (uint64_t)j->links)
        return 0;
    for (uint32_t l = 0; l < j->links; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        const uint32_t differ = link.node[0] ^ link.node[1];
        if (differ & (differ - 1))
            return 0;
    }
    return bits;
}

/* The numbers of a family's text, with these signs between them, the last of which may stand there again; 0 where the
 * text is of another family, or has more than MAX_BITS. */
static uint32_t read_numbers(const char *text, const char *family, const char *signs, uint32_t numbers[MAX_BITS])
{
    const char *at = text + strlen(family);
    uint32_t count = 0;
    if (strncmp(text, family, strlen(family)) != 0)
        return 0;
    for (; count < MAX_BITS; at++) {
        uint64_t number;
        if (gfab_number_read(&at, UINT32_MAX, &number) != GFAB_NUMBER_OK || (*at && *at != *signs))
            return 0;
        numbers[count++] = (uint32_t)number;
        if (!*at)
            return count;
        signs += signs[1] != '\0';
    }
    return 0;
}

/* Cycles by formula, where the graph has one; none else. */
static gfab_status by_formula(const job *j, gfab_rings *rings)
{
    uint32_t sides[MAX_BITS];
    size_t axes = gfab_topology_dimensions(j->topology);
    const uint32_t bits = hypercube_bits(j);
    *rings = (gfab_rings){0};
    for (size_t i = 0; i < axes; i++)
        sides[i] = gfab_topology_side(j->topology, i);
    if (j->degree < 2)
        return GFAB_OK;
    const char *text = gfab_topology_spec(j->topology);
    if (read_numbers(text, "twisted-torus:", "x,", sides) == 3)
        return gfab_rings_twisted(sides[0], sides[1], sides[2], j->options, rings);
    const uint32_t numbers = read_numbers(text, "circulant:", ",", sides);
    if (numbers > 1 && 2 * (uint64_t)j->links != (uint64_t)j->nodes * (j->nodes - 1)) /* half way there is no cycle */
        return gfab_rings_circulant(sides[0], sides + 1, numbers - 1 - (2 * sides[numbers - 1] == sides[0]), j->options,
                                    rings);
    if (2 * (uint64_t)j->links == (uint64_t)j->nodes * (j->nodes - 1))
        return gfab_rings_complete(j->nodes, rings);
    for (size_t i = 0; i < bits; i++)
        sides[i] = 2;
    if (bits > 0 || gfab_topology_get_kind(j->topology) == GFAB_TOPOLOGY_TORUS)
        return gfab_rings_torus(sides, bits > 0 ? bits : axes, j->options, rings);
    if (gfab_topology_get_kind(j->topology) == GFAB_TOPOLOGY_MESH && j->nodes % 2 == 0)
        return gfab_rings_mesh(sides, axes, rings);
    return GFAB_OK;
}

/* ---- none, or all ---- */

/* Colours nodes by the parity of their distance from node 0. Is one colour at both ends of a link? Else *odd are of the
 * other colour. */
static gfab_status is_bipartite(const job *j, bool *bipartite, uint32_t *odd)
{
    GFAB_FREED uint32_t *distance = malloc(2 * (size_t)j->nodes * sizeof *distance);
    GFAB_NEED(distance);
    gfab_topology_distances(j->topology, 0, distance, distance + j->nodes);
    *bipartite = true;
    *odd = 0;
    for (uint32_t l = 0; l < j->links; l++) {
        const gfab_link link = gfab_topology_link(j->topology, l);
        *bipartite = *bipartite && (distance[link.node[0]] + distance[link.node[1]]) % 2 == 1;
    }
    for (uint32_t v = 0; v < j->nodes; v++)
        *odd += distance[v] % 2;
    return GFAB_OK;
}

/* Why there is no ring, where that is plain to see. */
static gfab_status check_possible(const job *j, gfab_diag *diag)
{
    bool bipartite = false;
    uint32_t odd = 0;
    for (uint32_t v = 0; v < j->nodes; v++) {
        size_t ports;
        (void)gfab_topology_ports(j->topology, v, &ports);
        if (ports < 2)
            return GFAB_REFUSE(diag,
                               "no ring goes through all nodes: node %u has one link, and a ring enters and leaves", v);
    }
    GFAB_TRY(gfab_told(is_bipartite(j, &bipartite, &odd), diag));
    if (bipartite && 2 * odd != j->nodes)
        return GFAB_REFUSE(diag,
                           "no ring goes through all nodes: every link joins one of %u nodes with one of the other %u, "
                           "and a ring visits both kinds by turns",
                           odd, j->nodes - odd);
    return GFAB_OK;
}

/* Each cycle both ways. */
static gfab_status both_ways(gfab_rings *rings)
{
    const uint32_t nodes = rings->nodes;
    gfab_rings both;
    GFAB_TRY(gfab_rings_create(2 * rings->count, nodes, &both));
    for (uint32_t i = 0; i < rings->count; i++) {
        const uint32_t *from = rings->node + (size_t)i * nodes;
        uint32_t *to = both.node + 2 * (size_t)i * nodes;
        memcpy(to, from, nodes * sizeof *to);
        for (uint32_t k = 0; k < nodes; k++)
            to[nodes + k] = from[(nodes - k) % nodes];
    }
    both.how = rings->how;
    gfab_rings_release(rings);
    *rings = both;
    return GFAB_OK;
}

/* From `most` rings down to one more than there are, the first number that is found. */
static gfab_status search_more(const job *j, uint32_t most, bool directed, gfab_rings *rings)
{
    for (uint32_t count = most; count > rings->count; count--) {
        gfab_rings found;
        GFAB_TRY(gfab_rings_search(j->topology, count, directed, j->options, &found));
        if (found.count > 0) {
            gfab_rings_release(rings);
            *rings = found;
        }
    }
    return GFAB_OK;
}

gfab_status gfab_rings_find(const gfab_topology *topology, const gfab_rings_options *options, gfab_rings *rings,
                            gfab_diag *diag)
{
    const job j = {.topology = topology,
                   .options = options,
                   .nodes = (uint32_t)gfab_topology_node_count(topology),
                   .links = (uint32_t)gfab_topology_link_count(topology),
                   .degree = (uint32_t)gfab_topology_min_degree(topology)};
    *rings = (gfab_rings){0};
    if (!gfab_topology_is_plain(topology))
        return GFAB_REFUSE(diag, "rings are found on graphs without %s",
                           gfab_topology_marks_name(gfab_topology_marks(topology)));
    if ((uint64_t)j.nodes * j.degree > MAX_STEPS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u nodes of %u links or more are too many to find rings on", j.nodes,
                         j.degree);
    GFAB_TRY(check_possible(&j, diag));
    gfab_status status = by_formula(&j, rings);
    GFAB_THEN(status, search_more(&j, j.degree / 2, false, rings));
    if (status == GFAB_OK && !options->one_way && rings->count > 0)
        status = both_ways(rings);
    if (status == GFAB_OK && !options->one_way && j.degree > rings->count)
        status = search_more(&j, j.degree, true, rings);
    if (status == GFAB_OK && rings->count > 0)
        return GFAB_OK;
    gfab_rings_release(rings);
    if (status == GFAB_OK)
        return GFAB_REFUSE(diag, "found no ring that goes through all nodes");
    return gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
}
