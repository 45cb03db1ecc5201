/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files: a reader for each form, in a file of its name. DOT's is in core/topology/dot,
 * since the families machine:* are made of it. */
#ifndef GOSSIPFAB_GRAPH_READERS_H
#define GOSSIPFAB_GRAPH_READERS_H

#include "topology/dot/graph_text.h"

#include <jansson.h>

/* The form of a text, by what it has: forms.c. PARSE where none fits. */
gfab_status gfab_graph_read_any(gfab_graph_text *t, gfab_graph_links *g);

/* A word of a line, without its quotes. */
typedef struct gfab_graph_word {
    const char *at;
    size_t length;
} gfab_graph_word;

/* The words of the line where the reader stands, as many as there is room for, and past them; between them are blanks,
 * and at most one of `separators`. Texts in quotes, " or ', are a word, and so is { .. }. The number of words. */
size_t gfab_graph_words(gfab_graph_text *t, const char *separators, gfab_graph_word *words, size_t room);
bool gfab_graph_word_is(const gfab_graph_word *word, const char *text);

/* Is the text lines of two names, and perhaps a weight? */
bool gfab_graph_is_edge_list(const char *first);
gfab_status gfab_graph_read_edge_list(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_metis(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_gml(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_graphml(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_anynet(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_analytical(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_ns3(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_nccl(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_hwloc(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_simgrid(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_slurm(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_infiniband(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_tenstorrent(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_tenstorrent_mesh(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_matrix_market(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_pajek(gfab_graph_text *t, gfab_graph_links *g);
/* Where the line of GPU0, GPU1, .. begins; NULL: there is none. */
const char *gfab_graph_find_matrix(const char *at);
gfab_status gfab_graph_read_rocm(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_matrix(gfab_graph_text *t, gfab_graph_links *g);
/* JSON of all forms; SMI's alone, and node-link's. */
gfab_status gfab_graph_read_json(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_smi(gfab_graph_text *t, gfab_graph_links *g, const json_t *root);
gfab_status gfab_graph_read_node_link(gfab_graph_text *t, gfab_graph_links *g, const json_t *root);

#endif
