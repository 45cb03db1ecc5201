// SPDX-License-Identifier: MIT
// Edmonds' algorithm in the form of LEMON's MaxWeightedMatching (lemon.cs.elte.hu, Boost licence), which starts from a
// fractional matching. LEMON's templates alone are used, so that nothing of it is linked.
#define LEMON_ONLY_TEMPLATES
#include "lemon_matching.h"

// In place of <lemon/bits/lock.h>: a graph here is one thread's. LEMON's own lock stays locked where memory runs out
// under it, and is then waited for without end.
#define LEMON_BITS_LOCK_H
namespace lemon
{
namespace bits
{
struct Lock {
    void lock() {}
    void unlock() {}
};
} // namespace bits
} // namespace lemon

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <vector>

namespace
{

template <typename T> T *keep(const std::vector<T> &from)
{
    T *to = static_cast<T *>(std::calloc(from.size() + 1, sizeof(T)));
    if (!to)
        throw std::bad_alloc();
    std::copy(from.begin(), from.end(), to);
    return to;
}

// node[] has the numbers outside of the matching's own ones.
template <typename Matching, typename Graph>
void keep_dual(const Matching &matching, const Graph &graph, const std::vector<uint32_t> &node, size_t nodes,
               gfab_matching_dual *dual)
{
    std::vector<uint64_t> values(nodes), sets;
    std::vector<size_t> from(1);
    std::vector<uint32_t> members;
    for (size_t v = 0; v < node.size(); v++)
        values[node[v]] = static_cast<uint64_t>(matching.nodeValue(graph.nodeFromId(static_cast<int>(v))));
    for (int i = 0; i < matching.blossomNum(); i++) {
        if (matching.blossomValue(i) <= 0)
            continue;
        for (typename Matching::BlossomIt v(matching, i); v != lemon::INVALID; ++v)
            members.push_back(node[static_cast<size_t>(graph.id(v))]);
        sets.push_back(static_cast<uint64_t>(matching.blossomValue(i)));
        from.push_back(members.size());
    }
    *dual = {};
    dual->sets = sets.size();
    dual->node = keep(values);
    dual->set = keep(sets);
    dual->from = keep(from);
    dual->member = keep(members);
}

} // namespace

void gfab_matching_dual_release(gfab_matching_dual *dual)
{
    std::free(dual->node);
    std::free(dual->set);
    std::free(dual->from);
    std::free(dual->member);
    *dual = {};
}

gfab_status gfab_lemon_matching(size_t nodes, size_t links, const uint32_t *ends, const uint64_t *weights,
                                uint32_t *mate, gfab_matching_dual *dual)
try {
    if (dual)
        *dual = {};
    using Graph = lemon::SmartGraph;
    using Weights = Graph::EdgeMap<int64_t>;
    // Nodes without a link of weight are left out: in a broadcast they are most.
    std::vector<uint32_t> number(nodes, GFAB_NO_MATE), node;
    std::vector<size_t> used;
    for (size_t l = 0; l < links; l++) {
        if (weights[l] == 0)
            continue;
        used.push_back(l);
        for (size_t end = 2 * l; end < 2 * l + 2; end++)
            if (number[ends[end]] == GFAB_NO_MATE) {
                number[ends[end]] = static_cast<uint32_t>(node.size());
                node.push_back(ends[end]);
            }
    }
    Graph graph;
    graph.reserveNode(static_cast<int>(node.size()));
    graph.reserveEdge(static_cast<int>(used.size()));
    for (size_t v = 0; v < node.size(); v++)
        graph.addNode();
    Weights weight(graph);
    for (const size_t l : used)
        weight[graph.addEdge(graph.nodeFromId(static_cast<int>(number[ends[2 * l]])),
                             graph.nodeFromId(static_cast<int>(number[ends[2 * l + 1]])))] =
            static_cast<int64_t>(weights[l]);
    lemon::MaxWeightedMatching<Graph, Weights> matching(graph, weight);
    matching.run();
    for (size_t v = 0; v < nodes; v++)
        mate[v] = GFAB_NO_MATE;
    for (size_t v = 0; v < node.size(); v++) {
        const Graph::Node other = matching.mate(graph.nodeFromId(static_cast<int>(v)));
        if (other != lemon::INVALID)
            mate[node[v]] = node[static_cast<size_t>(graph.id(other))];
    }
    if (dual)
        keep_dual(matching, graph, node, nodes, dual);
    return GFAB_OK;
} catch (const std::exception &) {
    if (dual)
        gfab_matching_dual_release(dual);
    return GFAB_ERR_NO_MEMORY; // nothing else is thrown
}
