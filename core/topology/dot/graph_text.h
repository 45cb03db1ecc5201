/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files: a file's text, where in it a reader stands, and the links it has read. */
#ifndef GOSSIPFAB_GRAPH_TEXT_H
#define GOSSIPFAB_GRAPH_TEXT_H

#include <gossipfab/base/text.h>

#include "topology/topology_internal.h"

#include <stdio.h>

typedef struct gfab_graph_text {
    char *bytes; /* ends in NUL, and has no other one */
    const char *at;
    uint32_t line;
    gfab_diag *diag;
} gfab_graph_text;

/* What becomes of links that a file has several times between the same nodes, the same way. */
typedef enum gfab_graph_parallel {
    GFAB_PARALLEL_REFUSED,
    GFAB_PARALLEL_ADDED, /* one link that weighs as much as all */
    GFAB_PARALLEL_ONE    /* one link, that weighs as much as the heaviest */
} gfab_graph_parallel;

#define GFAB_ATTRIBUTE_BYTES 64

/* How a file is to be taken: options behind its name. All zero: as docs/reference/graph-files.md says of its form. */
typedef struct gfab_graph_reading {
    bool both_ways; /* +links=both: each link goes both ways, whatever the file says */
    bool no_loops;  /* +loops=drop: a link from a node to itself is passed over */
    gfab_graph_parallel parallel;
    char relay[GFAB_ATTRIBUTE_BYTES];  /* +relay-attribute=: of nodes; "": relay */
    char weight[GFAB_ATTRIBUTE_BYTES]; /* +weight-attribute=: of links; "": packets, weight or bandwidth */
} gfab_graph_reading;

#define GFAB_NO_NAME SIZE_MAX

/* Numbered as they appear. Found by hashing; no order comes from the hash. */
typedef struct gfab_graph_names {
    size_t *table; /* number of a name + 1, 0: free */
    size_t table_size;
    size_t *start; /* of name i in pool */
    size_t count, capacity;
    char *pool;
    size_t pool_size, pool_capacity;
} gfab_graph_names;

/* What a graph is read into. */
typedef struct gfab_graph_links {
    gfab_graph_reading how;
    gfab_edges edges;
    gfab_edges relays; /* node[0] of each is one, and node[1] what it does */
    gfab_edges called; /* node[0] of each is called names[node[1]] */
    gfab_graph_names names;
    gfab_graph_names passed; /* attributes that have no meaning here */
    size_t passed_count;     /* how often they stand */
    size_t dealt;            /* links of which the file names parts of the graph, and not the nodes */
    const char *weighed_by;  /* the attribute that says what links carry; NULL: none so far */
    uint64_t *rates;         /* [edge], of those of a bandwidth; NULL: none has one */
    size_t rate_room;
    bool has_rate, has_unit;
    uint64_t rate_unit; /* bits a second of a link of weight 1; 0: unknown */
    size_t nodes;
} gfab_graph_links;

/* The attribute of nodes that says which are relays. */
static inline const char *gfab_graph_relay_attribute(const gfab_graph_links *g)
{
    return *g->how.relay ? g->how.relay : "relay";
}

/* The graph of what was read: links are sorted and simplified, relays and weights marked. spec is what it is parsed
 * from; NULL: it lists its links. INVALID as gfab_topology_parse says. */
gfab_status gfab_graph_links_make(gfab_graph_links *g, const char *spec, gfab_topology **topology, gfab_diag *diag);
void gfab_graph_links_release(gfab_graph_links *g);

/* A failure in the line where the reader stands. */
#define FAIL(t, status, ...) gfab_fail((t)->diag, (t)->line, (status), __VA_ARGS__)

/* The whole file into text, whose diag is set; bytes is the caller's to free. Errors as of gfab_text_read. */
gfab_status gfab_graph_text_read(FILE *file, gfab_graph_text *t);
void gfab_graph_text_skip_blanks(gfab_graph_text *t);
/* Up to the end of this line. */
void gfab_graph_text_skip_line(gfab_graph_text *t);
/* Past the end of this line; false at the end of the file. */
bool gfab_graph_text_next_line(gfab_graph_text *t);
/* A number up to maximum; what says in messages what it is for. */
gfab_status gfab_graph_text_number(gfab_graph_text *t, uint64_t maximum, const char *what, uint64_t *number);
/* Appends a link that stands in this line; one_way: it does not go back. It has the weight each way that it goes. name
 * is that of the node `from`, NULL: its number. A link from a node to itself is refused, or appended for
 * gfab_graph_links_make to drop. */
gfab_status gfab_graph_text_link(gfab_graph_text *t, gfab_graph_links *g, uint64_t from, uint64_t to, bool one_way,
                                 uint32_t weight, const char *name);

/* Gives a link that was read the weight, each way that it goes. */
void gfab_graph_text_weigh(gfab_edge *link, uint32_t weight);

/* What stands there, so many bytes, is not what is expected; at the end of the file, NULL. PARSE. */
gfab_status gfab_graph_text_unexpected(gfab_graph_text *t, const char *at, size_t length, const char *expected);

/* What a node's attribute says of relays, or a link's of its weight, in this line; name is the attribute's. Relays:
 * true, True, 1, copy, combine, forward, switch, or false, False, 0; *relay is what it does, 0 of a member. Weights:
 * whole numbers, 2 or 2.0. PARSE, INVALID, LIMIT. */
gfab_status gfab_graph_text_relay(gfab_graph_text *t, const char *name, const char *value, size_t length,
                                  uint8_t *relay);
gfab_status gfab_graph_text_weight(gfab_graph_text *t, const char *name, const char *value, size_t length,
                                   uint32_t *weight);

/* ---- attributes: graph_attributes.c ---- */

/* *known: the name of the attribute of a node or a link, where it is one that has a meaning; NULL: it has none, and is
 * counted. PARSE where it is nearly such a name; NO_MEMORY. */
gfab_status gfab_graph_attribute(gfab_graph_links *g, gfab_graph_text *t, const char *name, size_t length, bool of_link,
                                 const char **known);
/* What an attribute says that a link carries: one of the two is not 0. */
typedef struct gfab_graph_load {
    uint32_t packets;
    uint64_t rate;
} gfab_graph_load;
/* The value of that attribute, by its known name. PARSE, INVALID, LIMIT. */
gfab_status gfab_graph_text_load(gfab_graph_text *t, gfab_graph_links *g, const char *name, const char *value,
                                 size_t length, gfab_graph_load *load);
/* Of a link that was read, by its number. NO_MEMORY. */
gfab_status gfab_graph_load_link(gfab_graph_links *g, gfab_graph_text *t, size_t link, const gfab_graph_load *load);
/* Bandwidths become weights. INVALID, LIMIT. */
gfab_status gfab_graph_weigh_rates(gfab_graph_links *g, gfab_diag *diag);
/* What is to be said of attributes; NULL: nothing. To be freed. NO_MEMORY. */
gfab_status gfab_graph_note(const gfab_graph_links *g, char **note, gfab_diag *diag);

static inline bool gfab_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static inline bool gfab_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- names of nodes: graph_names.c ---- */

/* The number of the node of a name, a new one if it is new. NO_MEMORY; LIMIT where there are too many. */
gfab_status gfab_graph_names_number(gfab_graph_names *n, gfab_graph_text *t, const char *name, size_t length,
                                    size_t *number);
const char *gfab_graph_name(const gfab_graph_names *n, size_t index);
/* What a node is called; nothing where that is no name, or another node's. NO_MEMORY, LIMIT. */
gfab_status gfab_graph_call(gfab_graph_links *g, gfab_graph_text *t, size_t node, const char *name, size_t length);
/* The links' numbers of names become those of nodes: where the names are the numbers from 0 on without gaps, these;
 * else they are names, by which nodes are called unless all have been called something. NO_MEMORY. */
gfab_status gfab_graph_names_apply(const gfab_graph_names *n, gfab_graph_links *g, gfab_graph_text *t);
void gfab_graph_names_release(gfab_graph_names *n);

/* ---- DOT: dot.c ---- */

gfab_status gfab_graph_read_dot(gfab_graph_text *t, gfab_graph_links *g);

#endif
