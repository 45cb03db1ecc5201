/* SPDX-License-Identifier: MIT */
/* Private to the sources of the topology layer: what a topology is made of, and how graphs are put together. */
#ifndef GOSSIPFAB_TOPOLOGY_INTERNAL_H
#define GOSSIPFAB_TOPOLOGY_INTERNAL_H

#include <gossipfab/base/arena.h>
#include <gossipfab/topology/topology.h>

#include <stddef.h>

#define GFAB_NAME_BYTES 128 /* "torus:" and 8 sides of at most 8 digits fit easily */

typedef enum gfab_diameter_rule {
    GFAB_DIAMETER_SEARCH, /* nothing is known */
    GFAB_DIAMETER_SAME,   /* every node looks alike: the longest distance from any one */
    GFAB_DIAMETER_KNOWN
} gfab_diameter_rule;

struct gfab_topology {
    gfab_topology_kind kind;
    size_t dimensions; /* 0 for a graph */
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    char name[GFAB_NAME_BYTES];
    gfab_arena arena; /* of the arrays below */
    char *spec;       /* NULL: the name is it */
    bool listed;      /* spec lists the links: from a file, or graph:N:... */
    gfab_diameter_rule diameter_rule;
    uint32_t diameter; /* GFAB_DIAMETER_KNOWN */
    size_t node_count;
    size_t link_count;
    size_t min_degree;
    size_t max_degree;
    gfab_link *links;
    gfab_port *ports;    /* of all nodes, one node after the other */
    size_t *port_start;  /* node_count + 1 */
    uint32_t *rank;      /* [node], GFAB_NO_RANK for a relay; NULL: there is none */
    uint32_t *member;    /* [rank]; NULL with rank */
    size_t member_count; /* with rank */
    uint8_t *relay;      /* [node]: what the relay does, 0: a member; NULL: all relays do all */
    uint32_t *weight;    /* [arc]; NULL: all 1 */
    bool directed;       /* the two of some link differ */
    bool parallel;       /* some two nodes have several links */
    uint64_t rate_unit;  /* bits a second of a link of weight 1; 0: unknown */
    char *note;          /* what a report says of the file; NULL: nothing */
    char **names;        /* [node], NULL: it has none; one block; NULL: no node has one */
};

/* ---- topology.c ---- */

/* Room for a topology of these sizes, links not yet set; NULL without memory. */
gfab_topology *gfab_topology_new(size_t nodes, size_t links);
/* Ports and degrees from the links. GFAB_ERR_NO_MEMORY. */
gfab_status gfab_topology_connect(gfab_topology *topology);

/* ---- topology_marks.c ---- */

/* Marks nodes as relays (relay[node] says what they do, 0 of a member; or NULL) and gives arcs their weights
 * (weight[arc], one of a link at least 1, or NULL); the spec of a graph that lists its links gets them, too. Once
 * for a topology. INVALID where fewer than two members are left, or some node has no way to another; NO_MEMORY. */
gfab_status gfab_topology_mark(gfab_topology *topology, const uint8_t *relay, const uint32_t *weight, gfab_diag *diag);

/* What relays do, and the word for it in texts and files. */
typedef struct gfab_relay_kind {
    const char *word;
    uint32_t relay;
} gfab_relay_kind;
/* In the order in which canonical texts have them; NULL past the end. */
const gfab_relay_kind *gfab_relay_kind_at(size_t index);

/* ---- topology_names.c ---- */

#define GFAB_MAX_NODE_NAME 255

/* Is this a name: 1 to GFAB_MAX_NODE_NAME bytes of UTF-8 without control characters? */
bool gfab_topology_is_name(const char *name, size_t length);
/* Names of nodes, [node], NULL of one that has none; copied; one that is the node's number is none. The spec of a graph
 * that lists its links gets them, too. Once for a topology, behind gfab_topology_mark. INVALID where two are alike;
 * NO_MEMORY. */
gfab_status gfab_topology_name_nodes(gfab_topology *topology, const char *const *names, gfab_diag *diag);
/* The node at *at, a number or a name of names[count] (or NULL), and past it. PARSE, INVALID. */
gfab_status gfab_topology_read_node(const char *const *names, size_t count, const char **at, uint32_t *node,
                                    gfab_diag *diag);
/* A node or a range V-W of them at *at, and past it; *range: it was one. PARSE, also where W is below V; INVALID. */
gfab_status gfab_topology_read_range(const char *const *names, size_t count, const char **at, uint32_t ends[2],
                                     bool *range, gfab_diag *diag);
/* The list of +names=, in place of *names: one block to be freed. PARSE, INVALID, NO_MEMORY. */
gfab_status gfab_topology_read_names(const char **at, size_t count, char ***names, gfab_diag *diag);

/* ---- topology_graph.c ---- */

/* NULL without memory. */
char *gfab_topology_copy_text(const char *text);
/* Its name becomes prefix and text, with _ for characters that would need quotes somewhere. */
void gfab_topology_call(gfab_topology *topology, const char *prefix, const char *text);

/* A link on its way into a graph; line: of the file it comes from, 0 elsewhere. */
typedef struct gfab_edge {
    uint32_t node[2];
    uint32_t line;
    uint32_t weight[2]; /* from node[0] to node[1], and back; one of them may be 0 */
} gfab_edge;

typedef struct gfab_edges {
    gfab_edge *at;
    size_t count, capacity;
    bool failed; /* memory ran out */
} gfab_edges;

/* Appends a link of weight 1; at[] is the caller's to free. */
void gfab_edges_push(gfab_edges *edges, size_t from, size_t to, size_t line);
/* By lower node, then by higher node, otherwise as they stand. GFAB_ERR_NO_MEMORY. */
gfab_status gfab_edges_sort(gfab_edges *edges, size_t nodes);
void gfab_edges_release(gfab_edges *edges);
/* Of sorted edges, which get their lower node first: two that go opposite ways, and one way each, become one.
 * GFAB_ERR_INVALID with a message where two are the same link otherwise. */
gfab_status gfab_edges_simplify(gfab_edges *edges, gfab_diag *diag);

/* The graph of these links, in their order, neither loops nor doubled. spec is what it is parsed from; NULL: it gets
 * the spec graph:N:U-V,.... INVALID where it is not connected. */
gfab_status gfab_graph_create(size_t nodes, const gfab_edges *edges, const char *spec, gfab_topology **topology,
                              gfab_diag *diag);

/* ---- what topology_parse.c chooses among: topology_family.c, topology_list.c, topology_suffix.c,
 * topology_file.c ---- */

const gfab_topology_family *gfab_graph_family_at(size_t index);
/* The number of the family's graph that has so many nodes; false where none has. */
bool gfab_graph_family_number(size_t index, size_t nodes, uint32_t *k);
gfab_status gfab_graph_family_parse(size_t index, const char *spec, gfab_topology **topology, gfab_diag *diag);
/* graph:N:U-V,... */
gfab_status gfab_graph_list_parse(const char *spec, gfab_topology **topology, gfab_diag *diag);
/* A file's links; its format by its name and first character. */
gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag);
/* "U-V" at *at: two nodes, by their numbers or their names (names[nodes], or NULL), and past them. PARSE; INVALID where
 * there is no such node. */
gfab_status gfab_graph_read_pair(const char *const *names, size_t nodes, const char **at, uint32_t pair[2],
                                 gfab_diag *diag);
/* Where a spec's suffixes start, the first of those that gfab_graph_change reads; NULL if it has none. */
const char *gfab_graph_suffixes(const char *spec);
/* The topology without the links and nodes that suffixes, +drop-link=U-V+drop-node=V..., name; with the relays of
 * +relay= and +members=, the weights of +weight= and the names of +names=. *canonical, unless it is NULL, gets the
 * suffixes in their canonical form, in which nodes are numbers, to be freed. */
gfab_status gfab_graph_change(const gfab_topology *base, const char *suffixes, gfab_topology **topology,
                              char **canonical, gfab_diag *diag);

#endif
