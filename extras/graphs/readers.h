/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files: a reader for each form, in a file of its name. DOT's is in core/topology/dot,
 * since the families machine:* are made of it. */
#ifndef GOSSIPFAB_GRAPH_READERS_H
#define GOSSIPFAB_GRAPH_READERS_H

#include "topology/dot/graph_text.h"

#include <jansson.h>

gfab_status gfab_graph_read_edge_list(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_metis(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_gml(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_graphml(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_anynet(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_analytical(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_ns3(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_nccl(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_matrix(gfab_graph_text *t, gfab_graph_links *g);
/* The JSON of SMI, TACCL and TE-CCL; the second is of the first alone. */
gfab_status gfab_graph_read_json(gfab_graph_text *t, gfab_graph_links *g);
gfab_status gfab_graph_read_smi(gfab_graph_text *t, gfab_graph_links *g, const json_t *root);

#endif
