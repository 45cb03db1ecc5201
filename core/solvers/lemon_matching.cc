// SPDX-License-Identifier: MIT
// Edmonds' algorithm in the form of LEMON's MaxWeightedMatching (lemon.cs.elte.hu, Boost licence), which starts from a
// fractional matching. LEMON's templates alone are used, so that nothing of it is linked.
#define LEMON_ONLY_TEMPLATES
#include "lemon_matching.h"

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <exception>

gfab_status gfab_lemon_matching(size_t nodes, size_t links, const uint32_t *ends, const uint64_t *weights,
                                uint32_t *mate)
try {
    using Graph = lemon::SmartGraph;
    using Weights = Graph::EdgeMap<int64_t>;
    size_t used = 0;
    for (size_t l = 0; l < links; l++)
        used += weights[l] > 0;
    Graph graph;
    graph.reserveNode(static_cast<int>(nodes));
    graph.reserveEdge(static_cast<int>(used));
    for (size_t v = 0; v < nodes; v++)
        graph.addNode();
    Weights weight(graph);
    for (size_t l = 0; l < links; l++)
        if (weights[l] > 0)
            weight[graph.addEdge(graph.nodeFromId(static_cast<int>(ends[2 * l])),
                                 graph.nodeFromId(static_cast<int>(ends[2 * l + 1])))] =
                static_cast<int64_t>(weights[l]);
    lemon::MaxWeightedMatching<Graph, Weights> matching(graph, weight);
    matching.run();
    for (size_t v = 0; v < nodes; v++) {
        const Graph::Node other = matching.mate(graph.nodeFromId(static_cast<int>(v)));
        mate[v] = other == lemon::INVALID ? GFAB_NO_MATE : static_cast<uint32_t>(graph.id(other));
    }
    return GFAB_OK;
} catch (const std::exception &) {
    return GFAB_ERR_NO_MEMORY; // nothing else is thrown
}
