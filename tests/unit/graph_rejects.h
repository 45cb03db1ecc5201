// SPDX-License-Identifier: MIT
// Graph files with one fault, each named for it: tests/reject/graphs/.
#ifndef GFAB_TESTS_GRAPH_REJECTS_H
#define GFAB_TESTS_GRAPH_REJECTS_H

#include <gossipfab/base/status.h>

struct Reject {
    const char *file;
    gfab_status status;
    size_t line;
    const char *words;
};

const Reject rejects[] = {
    {"after-end.dot", GFAB_ERR_PARSE, 4, "the end of the file is expected"},
    {"arrow.dot", GFAB_ERR_PARSE, 2, "\"->\" in a graph"},
    {"attributes.dot", GFAB_ERR_PARSE, 4, "] is expected"},
    {"comment.dot", GFAB_ERR_PARSE, 3, "comment without an end"},
    {"count.graph", GFAB_ERR_PARSE, 0, "2 links; the first line says 3"},
    {"digraph.dot", GFAB_ERR_INVALID, 0, "no way from node 1 to node 0"},
    {"disconnected.dot", GFAB_ERR_INVALID, 0, "node 2 has no link"},
    {"disconnected.graph", GFAB_ERR_INVALID, 0, "no way from node 0 to node 2"},
    {"disconnected.txt", GFAB_ERR_INVALID, 0, "no way from node 0 to node 2"},
    {"doubled.dot", GFAB_ERR_INVALID, 4, "line 2 already"},
    {"doubled.graph", GFAB_ERR_INVALID, 2, "stands twice"},
    {"doubled.txt", GFAB_ERR_INVALID, 5, "1-2 is doubled: it stands in line 2 already"},
    {"empty.txt", GFAB_ERR_INVALID, 0, "no link"},
    {"from-one.txt", GFAB_ERR_INVALID, 0, "node 0 has no link"},
    {"half-link.dot", GFAB_ERR_PARSE, 3, "a node's name is expected"},
    {"leading-zero.txt", GFAB_ERR_PARSE, 2, "\"02\""},
    {"long.graph", GFAB_ERR_PARSE, 5, "after the last of 3 nodes"},
    {"loop.dot", GFAB_ERR_INVALID, 3, "from node b to itself"},
    {"loop.graph", GFAB_ERR_INVALID, 3, "from node 2 to itself"},
    {"loop.txt", GFAB_ERR_INVALID, 4, "from node 1 to itself"},
    {"negative.txt", GFAB_ERR_PARSE, 2, "\"-1 2\""},
    {"no-end.dot", GFAB_ERR_PARSE, 4, "the file ends where } is expected"},
    {"no-link.txt", GFAB_ERR_INVALID, 0, "no link"},
    {"no-node.dot", GFAB_ERR_INVALID, 0, "no link"},
    {"no-such-node.graph", GFAB_ERR_PARSE, 3, "node 4 does not exist"},
    {"node-zero.graph", GFAB_ERR_PARSE, 3, "node 0 does not exist"},
    {"not-a-graph.dot", GFAB_ERR_PARSE, 1, "graph is expected"},
    {"nul.txt", GFAB_ERR_PARSE, 2, "NUL"},
    {"one-node.dot", GFAB_ERR_INVALID, 0, "one node in all"},
    {"one-node.graph", GFAB_ERR_INVALID, 0, "one node in all"},
    {"one-number.txt", GFAB_ERR_PARSE, 2, "the line ends where a number is expected"},
    {"one-way.graph", GFAB_ERR_PARSE, 3, "not the other way round"},
    {"overflow.txt", GFAB_ERR_LIMIT, 2, "too large"},
    {"port.dot", GFAB_ERR_UNSUPPORTED, 2, "ports"},
    {"quote.dot", GFAB_ERR_PARSE, 2, "quoted name without an end"},
    {"set.dot", GFAB_ERR_PARSE, 2, "\"{\" where a node's name"},
    {"short.graph", GFAB_ERR_PARSE, 3, "not the other way round"},
    {"subgraph.dot", GFAB_ERR_UNSUPPORTED, 3, "subgraphs"},
    {"three-numbers.txt", GFAB_ERR_PARSE, 2, "unexpected \"3\""},
    {"too-large.graph", GFAB_ERR_LIMIT, 1, "too large"},
    {"too-large.txt", GFAB_ERR_LIMIT, 2, "too large"},
    {"weights.graph", GFAB_ERR_UNSUPPORTED, 1, "without weights"},
    {"word.graph", GFAB_ERR_PARSE, 4, "\"x\""},
    {"word.txt", GFAB_ERR_PARSE, 3, "\"x\""},
    {"alone.json", GFAB_ERR_INVALID, 0, "node 2 has no link"},
    {"channel-twice.json", GFAB_ERR_INVALID, 0, "\"fpga-1:acl0:ch1\" is connected twice"},
    {"directed-edge.graphml", GFAB_ERR_INVALID, 0, "no way from node 1 to node 0"},
    {"directed.graphml", GFAB_ERR_INVALID, 0, "no way from node 1 to node 0"},
    {"disconnected.graphml", GFAB_ERR_INVALID, 0, "not connected"},
    {"document-type.graphml", GFAB_ERR_UNSUPPORTED, 2, "document type"},
    {"doubled.graphml", GFAB_ERR_INVALID, 7, "doubled"},
    {"hyperedge.graphml", GFAB_ERR_UNSUPPORTED, 6, "two ends"},
    {"loop.graphml", GFAB_ERR_INVALID, 6, "itself"},
    {"loop.json", GFAB_ERR_INVALID, 0, "the same FPGA"},
    {"no-channel.json", GFAB_ERR_PARSE, 0, "a colon and a channel"},
    {"no-connections.json", GFAB_ERR_PARSE, 0, "\"connections\" is missing"},
    {"no-direction.graphml", GFAB_ERR_PARSE, 3, "edgedefault"},
    {"no-id.graphml", GFAB_ERR_PARSE, 4, "<node> without id"},
    {"no-source.graphml", GFAB_ERR_PARSE, 6, "<edge> without source"},
    {"not-a-text.json", GFAB_ERR_PARSE, 0, "is no text"},
    {"other-root.graphml", GFAB_ERR_PARSE, 2, "starts with <graphml>"},
    {"second-graph.graphml", GFAB_ERR_UNSUPPORTED, 8, "a second <graph>"},
    {"syntax.json", GFAB_ERR_PARSE, 4, "not JSON"},
    {"truncated.graphml", GFAB_ERR_PARSE, 7, "not XML"},
    {"unknown-fpga.json", GFAB_ERR_PARSE, 0, "\"fpga-2:acl0:ch1\""},
};

#endif
