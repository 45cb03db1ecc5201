// SPDX-License-Identifier: MIT
#ifndef OPTIMUM_SEARCH_H
#define OPTIMUM_SEARCH_H

#include <gossipfab/schedule/model.h>
#include <gossipfab/topology/topology.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

// The true optimum, by breadth-first search over what every node holds, and what it
// held lambda - 1 rounds before (lambda is 1 or 2; nodes times tokens at most 32). A second implementation of the model
// on purpose. Nodes start with load[v] tokens, or with one each.
class OptimumSearch
{
  public:
    OptimumSearch(const gfab_topology *t, const gfab_model &m, std::vector<uint32_t> load = {})
        : topology_(t), model_(m), load_(std::move(load))
    {
        nodes_ = gfab_topology_node_count(t);
        links_ = gfab_topology_link_count(t);
        load_.resize(nodes_, load_.empty());
        tokens_ = std::accumulate(load_.begin(), load_.end(), size_t{0});
    }

    uint32_t optimum()
    {
        uint64_t start = 0;
        for (size_t v = 0, token = 0; v < nodes_; v++)
            for (uint32_t i = 0; i < load_[v]; i++)
                start |= uint64_t{1} << (v * tokens_ + token++);
        const uint64_t full = (uint64_t{1} << (nodes_ * tokens_)) - 1;
        std::vector<uint64_t> frontier = {start << 32 | start};
        std::unordered_set<uint64_t> seen(frontier.begin(), frontier.end());
        for (uint32_t rounds = 0;; rounds++) {
            std::vector<uint64_t> next;
            for (const uint64_t state : frontier) {
                const uint64_t held = state & UINT32_MAX;
                if (held == full)
                    return rounds;
                ready_ = model_.hop_rounds == 1 ? held : state >> 32;
                play(0, held, held, 0, [&](uint64_t after) {
                    const uint64_t key = (model_.hop_rounds == 1 ? after : held) << 32 | after;
                    if (seen.insert(key).second)
                        next.push_back(key);
                });
            }
            frontier.swap(next);
        }
    }

  private:
    uint64_t row(uint64_t state, uint32_t node) const
    {
        return state >> (node * tokens_) & ((uint64_t{1} << tokens_) - 1);
    }

    // All packets from a to b that are of use, as large as they can be: a smaller one is never better.
    std::vector<uint64_t> packets(uint64_t before, uint32_t a, uint32_t b) const
    {
        const uint64_t useful = row(ready_, a) & ~row(before, b);
        const int size = std::min<int>(__builtin_popcountll(useful), static_cast<int>(model_.packet_tokens));
        std::vector<uint64_t> result;
        for (uint64_t subset = useful; subset; subset = (subset - 1) & useful)
            if (__builtin_popcountll(subset) == size)
                result.push_back(subset << (b * tokens_));
        return result;
    }

    void play(size_t link, uint64_t before, uint64_t after, uint32_t busy, const std::function<void(uint64_t)> &leaf)
    {
        if (link == links_) {
            leaf(after);
            return;
        }
        const gfab_link l = gfab_topology_link(topology_, link);
        const uint32_t ends = 1u << l.node[0] | 1u << l.node[1];
        const bool one = model_.port_mode == GFAB_PORT_ONE;
        play(link + 1, before, after, busy, leaf);
        if (one && (busy & ends))
            return;
        const uint32_t used = one ? busy | ends : busy;
        std::vector<uint64_t> there = packets(before, l.node[0], l.node[1]);
        std::vector<uint64_t> back = packets(before, l.node[1], l.node[0]);
        if (model_.link_mode == GFAB_LINK_FULL && !there.empty() && !back.empty()) {
            for (const uint64_t a : there)
                for (const uint64_t b : back)
                    play(link + 1, before, after | a | b, used, leaf);
            return;
        }
        there.insert(there.end(), back.begin(), back.end());
        for (const uint64_t a : there)
            play(link + 1, before, after | a, used, leaf);
    }

    const gfab_topology *topology_;
    gfab_model model_;
    std::vector<uint32_t> load_;
    size_t nodes_, links_, tokens_;
    uint64_t ready_ = 0;
};

#endif
