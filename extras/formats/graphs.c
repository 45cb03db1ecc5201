/* SPDX-License-Identifier: MIT */
/* Graphs in the formats that core/topology/ reads. */
#include "formats/formats.h"

#include <string.h>

/* A node's id: its name, or else its number. */
static void put_id(const gfab_topology *topology, uint32_t node, FILE *file)
{
    const char *name = gfab_topology_node_name(topology, node);
    if (!name) {
        fprintf(file, "%u", node);
        return;
    }
    for (; *name; name++)
        if (strchr("<>&\"'", *name))
            fprintf(file, "&#%d;", *name);
        else
            fputc(*name, file);
}

static void put_edge(const gfab_topology *topology, gfab_arc arc, FILE *file)
{
    const uint32_t weight = gfab_topology_arc_weight(topology, arc);
    fputs("    <edge source=\"", file);
    put_id(topology, gfab_topology_arc_from(topology, arc), file);
    fputs("\" target=\"", file);
    put_id(topology, gfab_topology_arc_to(topology, arc), file);
    if (weight > 1)
        fprintf(file, "\"><data key=\"packets\">%u</data></edge>\n", weight);
    else
        fputs("\"/>\n", file);
}

gfab_status gfab_graphml_write(const gfab_topology *topology, FILE *file, gfab_diag *diag)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
          file);
    if (gfab_topology_has_relays(topology))
        fprintf(file, "  <key id=\"relay\" for=\"node\" attr.name=\"relay\" attr.type=\"%s\"/>\n",
                gfab_topology_marks(topology) & (GFAB_MARK_LIMITED | GFAB_MARK_SWITCHES) ? "string" : "boolean");
    if (gfab_topology_has_weights(topology))
        fputs("  <key id=\"packets\" for=\"edge\" attr.name=\"packets\" attr.type=\"int\"/>\n", file);
    const bool directed = gfab_topology_is_directed(topology);
    fprintf(file, "  <graph edgedefault=\"%s\">\n", directed ? "directed" : "undirected");
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        fputs("    <node id=\"", file);
        put_id(topology, (uint32_t)v, file);
        if (gfab_topology_is_relay(topology, v))
            fprintf(file, "\"><data key=\"relay\">%s</data></node>\n",
                    gfab_topology_relay_name(gfab_topology_relay(topology, v)));
        else
            fputs("\"/>\n", file);
    }
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology); arc++)
        if (gfab_topology_arc_weight(topology, arc) != 0 && (arc % 2 == 0 || directed))
            put_edge(topology, arc, file);
    fputs("  </graph>\n</graphml>\n", file);
    return gfab_format_written(file, diag);
}

/* The port of a link at one of its ends: a channel of the FPGA. */
static size_t channel_of(const gfab_topology *topology, size_t link, int end)
{
    return gfab_topology_port_of(topology, gfab_topology_link(topology, link).node[end], link);
}

/* Names that are in the order of the nodes, whichever way they are sorted. */
gfab_status gfab_smi_write(const gfab_topology *topology, FILE *file, gfab_diag *diag)
{
    GFAB_TRY(gfab_format_check_marks(topology, 0, "SMI", diag));
    enum { CHANNELS = 4 };
    if (gfab_topology_max_degree(topology) > CHANNELS)
        return GFAB_REFUSE(diag, "a node has %zu links; SMI's FPGAs have %d channels",
                           gfab_topology_max_degree(topology), CHANNELS);
    fputs("{\n  \"fpgas\": {", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        fprintf(file, "%s\n    \"fpga-%08zu:acl0\": \"program\"", v ? "," : "", v);
    fputs("\n  },\n  \"connections\": {", file);
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        fprintf(file, "%s\n    \"fpga-%08u:acl0:ch%zu\": \"fpga-%08u:acl0:ch%zu\"", l ? "," : "", link.node[0],
                channel_of(topology, l, 0), link.node[1], channel_of(topology, l, 1));
    }
    fputs("\n  }\n}\n", file);
    return gfab_format_written(file, diag);
}
