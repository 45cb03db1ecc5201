/* SPDX-License-Identifier: MIT */
/* From a spec such as mesh:4x4+drop-node=3 to a topology, of whatever kind. */
#include "families/topology_cluster.h"
#include "families/topology_network.h"
#include "topology_internal.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct family {
    gfab_topology_family text;
    gfab_topology_kind kind;
    size_t max_sides;
    uint32_t min_side;
} family;

static const family families[] = {
    {{"path", "path:N", "N nodes in a row"}, GFAB_TOPOLOGY_MESH, 1, 1},
    {{"cycle", "cycle:N", "N nodes in a ring, N at least 3"}, GFAB_TOPOLOGY_TORUS, 1, 3},
    {{"mesh", "mesh:AxB[xC...]", "a grid of A rows by B columns, or of more dimensions"},
     GFAB_TOPOLOGY_MESH,
     GFAB_MAX_DIMENSIONS,
     1},
    {{"torus", "torus:AxB[xC...]", "a grid that wraps around in every dimension"},
     GFAB_TOPOLOGY_TORUS,
     GFAB_MAX_DIMENSIONS,
     1},
};

#define GRIDS (sizeof families / sizeof families[0])

/* Graphs given link by link. */
static const gfab_topology_family given[] = {
    {"graph", "graph:N:U-V,...", "N nodes and the links between them"},
    {"file", "file:PATH", "a graph from a file: edge list, DOT, GraphML, GML, METIS, NCCL, .."},
    {"cluster", "cluster:NxHOST", "N hosts, each this graph or file, below a switch; or HOST+below=FABRIC's graph"},
};

const gfab_topology_family *gfab_topology_family_at(size_t index)
{
    if (index < GRIDS)
        return &families[index].text;
    const gfab_topology_family *graph;
    size_t graphs = 0;
    while ((graph = gfab_graph_family_at(graphs)) && graphs != index - GRIDS)
        graphs++;
    if (graph)
        return graph;
    index -= GRIDS + graphs;
    size_t networks = 0;
    while ((graph = gfab_network_at(networks)) && networks != index)
        networks++;
    if (graph)
        return graph;
    index -= networks;
    return index < sizeof given / sizeof given[0] ? &given[index] : NULL;
}

static gfab_status parse_grid(const family *f, const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const char *grammar = f->text.grammar;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    size_t count = 0;
    const char *at = strchr(spec, ':');
    do {
        at++;
        if (count == f->max_sides) {
            if (f->max_sides == 1)
                return gfab_fail(diag, 0, GFAB_ERR_PARSE, "one number is expected; write %s", grammar);
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "at most %d dimensions are supported", GFAB_MAX_DIMENSIONS);
        }
        uint64_t side = 0;
        switch (gfab_number_read(&at, GFAB_MAX_NODES, &side)) {
        case GFAB_NUMBER_OK:
            break;
        case GFAB_NUMBER_NONE:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number is expected at \"%.20s\"; write %s", at, grammar);
        case GFAB_NUMBER_ZERO:
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number has a leading zero");
        case GFAB_NUMBER_OVERFLOW:
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
        }
        sides[count++] = (uint32_t)side;
    } while (*at == 'x');
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write %s", at, grammar);
    if (f->min_side > 1 && sides[0] < f->min_side)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a %s needs at least %u nodes", f->text.name,
                         (unsigned)f->min_side);
    return gfab_topology_create_grid(f->kind, count, sides, topology, diag);
}

/* The family whose name stands before the colon, and its number; NULL: none has it. */
static const gfab_topology_family *find_family(const char *spec, size_t *index)
{
    const gfab_topology_family *f;
    const size_t length = strcspn(spec, ":");
    *index = 0;
    while ((f = gfab_topology_family_at(*index)) && (strlen(f->name) != length || memcmp(f->name, spec, length) != 0))
        ++*index;
    return f;
}

/* The topology of a spec without suffixes, without the spec in messages. */
static gfab_status parse_family(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    const char *colon = strchr(spec, ':');
    const size_t length = strcspn(spec, ":");
    size_t index;
    const gfab_topology_family *f = find_family(spec, &index);
    if (!f)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "unknown family \"%.*s\"; known are mesh:AxB, torus:AxB, file:PATH and what gossipfab list "
                         "topologies has",
                         (int)(length < 40 ? length : 40), spec);
    if (!colon)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "sizes are missing; write %s", f->grammar);
    if (index < GRIDS)
        return parse_grid(&families[index], spec, topology, diag);
    if (f == &given[0])
        return gfab_graph_list_parse(spec, topology, diag);
    if (f == &given[1])
        return gfab_graph_file_read(colon + 1, topology, diag);
    if (f == &given[2])
        return GFAB_REFUSE(diag, "a cluster as a part of another; write the inner one to a file");
    for (size_t network = 0; gfab_network_at(network); network++)
        if (f == gfab_network_at(network))
            return gfab_network_parse(network, spec, topology, diag);
    return gfab_graph_family_parse(index - GRIDS, spec, topology, diag);
}

/* The base, changed as the suffixes say; their canonical form, unless that is NULL. */
static gfab_status parse_changed(const char *spec, const char *suffixes, gfab_topology **topology, char **canonical,
                                 gfab_diag *diag)
{
    const size_t length = (size_t)(suffixes - spec);
    GFAB_FREED char *base_spec = malloc(length + 1);
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *base = NULL;
    GFAB_NEED_TOLD(base_spec, diag);
    memcpy(base_spec, spec, length);
    base_spec[length] = '\0';
    GFAB_TRY(parse_family(base_spec, &base, diag));
    return gfab_graph_change(base, suffixes, topology, canonical, diag);
}

static gfab_status parse_spec(const char *spec, gfab_topology **topology, char **canonical, gfab_diag *diag)
{
    const char *suffixes = gfab_graph_suffixes(spec);
    return suffixes ? parse_changed(spec, suffixes, topology, canonical, diag) : parse_family(spec, topology, diag);
}

/* ---- clusters ---- */

static const char cluster[] = "cluster:", below[] = "+below=", through[] = "+through=";

/* A part of a cluster, called what in messages: a topology, or a file by its name alone. */
static gfab_status parse_part(const char *what, const char *part, gfab_topology **topology, gfab_diag *diag)
{
    size_t index;
    const size_t size = strlen(part) + sizeof "file:";
    const gfab_topology_family *f = find_family(part, &index);
    gfab_diag inner = {0, ""};
    GFAB_FREED char *spec = malloc(size);
    GFAB_NEED_TOLD(spec, diag);
    snprintf(spec, size, "%s%s", f ? "" : "file:", part);
    const gfab_status status = *part ? parse_spec(spec, topology, NULL, &inner)
                                     : gfab_fail(&inner, 0, GFAB_ERR_PARSE,
                                                 "it is missing; write cluster:NxHOST or cluster:HOST+below=FABRIC");
    if (status == GFAB_OK)
        return GFAB_OK;
    if (inner.line)
        return gfab_fail(diag, 0, status, "the %s, line %zu: %s", what, inner.line, inner.message);
    return gfab_fail(diag, 0, status, "the %s: %s", what, inner.message);
}

/* Cuts what stands behind a word off; NULL: the word is not there. */
static const char *cut(char *text, const char *word)
{
    char *at = strstr(text, word);
    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(word);
}

/* cluster:[Nx]HOST[+through=NODES][+below=FABRIC], where all that stands behind +below= is the fabric's. */
static gfab_status parse_cluster(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *host = NULL, *fabric = NULL;
    gfab_cluster parts = {.copies = 0};
    GFAB_FREED char *text = gfab_topology_copy_text(spec + strlen(cluster));
    GFAB_NEED_TOLD(text, diag);
    const char *fabric_spec = cut(text, below), *at = text;
    uint64_t copies = 0;
    parts.through = cut(text, through);
    if (gfab_number_read(&at, GFAB_MAX_NODES, &copies) != GFAB_NUMBER_OK || *at != 'x') {
        at = text;
        copies = 0;
    } else
        at++;
    GFAB_TRY(parse_part("host", at, &host, diag));
    if (fabric_spec)
        GFAB_TRY(parse_part("fabric", fabric_spec, &fabric, diag));
    parts.host = host;
    parts.fabric = fabric;
    parts.copies = (uint32_t)copies;
    GFAB_TRY(gfab_cluster_make(&parts, topology, diag));
    gfab_topology_call(*topology, "", spec);
    return GFAB_OK;
}

static gfab_status parse(const char *spec, gfab_topology **topology, char **canonical, gfab_diag *diag)
{
    gfab_diag inner = {0, ""};
    gfab_topology *made = NULL;
    const gfab_status status = strncmp(spec, cluster, strlen(cluster)) == 0
                                   ? parse_cluster(spec, &made, &inner)
                                   : parse_spec(spec, &made, canonical, &inner);
    if (status != GFAB_OK && inner.line)
        return gfab_fail(diag, inner.line, status, "%s", inner.message);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "topology \"%.80s\": %s", spec, inner.message);
    *topology = made;
    return GFAB_OK;
}

gfab_status gfab_topology_parse(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    return parse(spec, topology, NULL, diag);
}

/* ---- changes to a topology that is there ---- */

static const char drop_node[] = "+drop-node=";

/* Does the text, a canonical one, drop this node of the topology that it starts with? */
static bool drops(const char *spec, size_t node)
{
    for (const char *at = spec; (at = strstr(at, drop_node)); at++)
        if (strtoul(at + sizeof drop_node - 1, NULL, 10) == node)
            return true;
    return false;
}

/* Both texts number the nodes as they were before any was dropped; text has the suffixes of all. */
static void number_nodes(const gfab_topology *whole, const char *text, uint32_t *node)
{
    const char *whole_spec = gfab_topology_spec(whole);
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(whole);
    for (uint32_t first = 0, in_whole = 0, left = 0; in_whole < nodes; first++) {
        if (drops(whole_spec, first))
            continue;
        if (!drops(text, first))
            node[left++] = in_whole;
        in_whole++;
    }
}

gfab_status gfab_topology_change(const gfab_topology *whole, const char *suffixes, gfab_topology **topology,
                                 uint32_t **node, gfab_diag *diag)
{
    const char *whole_spec = gfab_topology_spec(whole);
    const size_t size = strlen(whole_spec) + strlen(suffixes) + 1;
    if (*suffixes != '+') /* mesh:2x3 and "2" is mesh:2x32 */
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.40s\"; a change begins with a +", suffixes);
    GFAB_FREED char *spec = malloc(size), *canonical = NULL;
    gfab_topology *made = NULL;
    uint32_t *numbers = NULL;
    gfab_status status = spec ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
    if (spec) {
        memcpy(spec, whole_spec, strlen(whole_spec));
        memcpy(spec + strlen(whole_spec), suffixes, strlen(suffixes) + 1);
        status = parse(spec, &made, &canonical, diag);
    }
    if (status == GFAB_OK && node) {
        numbers = malloc(gfab_topology_node_count(made) * sizeof *numbers);
        status = numbers ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
    }
    if (numbers) {
        number_nodes(whole, canonical, numbers);
        *node = numbers;
    }
    return GFAB_HAND_OVER(status, made, gfab_topology_destroy, topology);
}
