// SPDX-License-Identifier: MIT
// What tests of relays, weights and directed links share: files, schedules row by row, random graphs, an exhaustive
// search.
#ifndef GFAB_TESTS_MARKED_FIXTURE_H
#define GFAB_TESTS_MARKED_FIXTURE_H

#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>

const gfab_collective all_collectives[] = {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST,
                                           GFAB_REDUCE,     GFAB_BARRIER,        GFAB_ALL_TO_ALL};

inline Topology read_file(const std::string &name, const std::string &text, std::string *says = nullptr)
{
    const std::string path = testing::TempDir() + "marked_" + name;
    {
        const File file(std::fopen(path.c_str(), "w"));
        std::fputs(text.c_str(), file.get());
    }
    gfab_topology *topology = nullptr;
    gfab_diag diag{};
    const gfab_status status = gfab_topology_parse(("file:" + path).c_str(), &topology, &diag);
    EXPECT_EQ(status == GFAB_OK, !says) << diag.message;
    if (says)
        *says = std::to_string(diag.line) + ": " + diag.message;
    std::remove(path.c_str());
    return Topology(topology);
}

struct Row {
    uint32_t round, from, to, token;
    bool combine;
};

inline gfab_verify_report verdict(const Topology &topology, gfab_link_mode mode, const gfab_goal &goal,
                                  const std::vector<Row> &rows)
{
    gfab_schedule *made = nullptr;
    const gfab_model model = links(mode);
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    for (const Row &row : rows) {
        gfab_arc arc = 0;
        EXPECT_TRUE(gfab_topology_find_arc(topology.get(), row.from, row.to, &arc));
        EXPECT_EQ(gfab_schedule_append(made, row.round, arc, row.token | (row.combine ? GFAB_COMBINE : 0)), GFAB_OK);
    }
    return checked(schedule);
}

// A connected graph of few nodes, with relays, weights, or both.
inline std::string random_spec(std::mt19937 &random, uint32_t nodes, uint32_t extra, bool relays, bool weights)
{
    std::set<std::pair<uint32_t, uint32_t>> edges;
    for (uint32_t v = 1; v < nodes; v++)
        edges.emplace(random() % v, v);
    for (uint32_t i = 0; i < extra; i++) {
        const uint32_t a = random() % nodes, b = random() % nodes;
        if (a != b)
            edges.emplace(std::min(a, b), std::max(a, b));
    }
    std::string spec = "graph:" + std::to_string(nodes) + ":", more;
    for (const auto &[a, b] : edges) {
        const std::string name = std::to_string(a) + "-" + std::to_string(b);
        spec += (spec.back() == ':' ? "" : ",") + name;
        if (weights && random() % 3 == 0)
            more += "+weight=" + name + ":2";
    }
    uint32_t members = nodes;
    for (uint32_t v = 0; relays && v < nodes && members > 2; v++)
        if (random() % 2) {
            more += "+relay=" + std::to_string(v);
            members--;
        }
    return spec + more;
}

// A graph of random_spec with random weights each way, 0 among them: tried until every node reaches every other one.
inline Topology random_directed(std::mt19937 &random, uint32_t nodes, uint32_t extra, bool relays, uint32_t most)
{
    for (;;) {
        std::string spec = random_spec(random, nodes, extra, relays, false);
        const Topology plain = parse(spec);
        for (size_t l = 0; l < gfab_topology_link_count(plain.get()); l++) {
            const gfab_link link = gfab_topology_link(plain.get(), l);
            const uint32_t there = random() % (most + 1), back = there ? random() % (most + 1) : 1;
            spec += "+weight=" + std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]) + ":" +
                    std::to_string(there) + "/" + std::to_string(back);
        }
        gfab_topology *made = nullptr;
        if (gfab_topology_parse(spec.c_str(), &made, nullptr) == GFAB_OK)
            return Topology(made);
    }
}

// The fewest rounds of an all-gather or a broadcast, by looking at all that can happen: what the nodes have is a set of
// (node, token), and a channel carries a packet a round. An arc of weight w is w channels; half
// duplex, those that a link has both ways are one, to be used either way.
class Exhaustive
{
  public:
    Exhaustive(const Topology &topology, const gfab_goal &goal, bool full)
        : nodes_(gfab_topology_node_count(topology.get())), goal_(goal)
    {
        const uint32_t members = gfab_topology_member_count(topology.get());
        for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology.get()); arc++)
            for (uint32_t w = 0; w < gfab_topology_arc_weight(topology.get(), arc); w++) {
                const uint32_t from = gfab_topology_arc_from(topology.get(), arc),
                               to = gfab_topology_arc_to(topology.get(), arc);
                const bool shared = !full && w < gfab_topology_arc_weight(topology.get(), arc ^ 1);
                if (!shared)
                    channels_.push_back({{from, to}});
                else if (arc % 2 == 0)
                    channels_.push_back({{from, to}, {to, from}});
            }
        for (uint32_t v = 0; v < nodes_; v++)
            for (uint32_t b = 0; b < goal.blocks; b++) {
                const uint32_t rank = gfab_topology_rank(topology.get(), v);
                start_ |= gfab_goal_holds(&goal, members, rank, b) ? bit(v, b) : 0;
                wanted_ |= gfab_goal_wants(&goal, members, rank, b) ? bit(v, b) : 0;
            }
    }
    uint32_t rounds()
    {
        std::set<uint64_t> states = {start_}, seen = states;
        for (uint32_t round = 0;; round++) {
            for (const uint64_t state : states)
                if ((state & wanted_) == wanted_)
                    return round;
            std::set<uint64_t> next;
            for (const uint64_t state : states)
                extend(state, state, 0, next);
            states.clear();
            for (const uint64_t state : next)
                if (seen.insert(state).second)
                    states.insert(state);
        }
    }

  private:
    uint64_t bit(uint32_t node, uint32_t block) const { return uint64_t(1) << (node * goal_.blocks + block); }
    // Something new moves over every channel that has something new to carry: to move less is never better.
    void extend(uint64_t before, uint64_t after, size_t channel, std::set<uint64_t> &next) const
    {
        if (channel == channels_.size()) {
            next.insert(after);
            return;
        }
        bool any = false;
        for (const auto &[from, to] : channels_[channel])
            for (uint32_t b = 0; b < goal_.blocks; b++)
                if ((before & bit(from, b)) && !(after & bit(to, b))) {
                    any = true;
                    extend(before, after | bit(to, b), channel + 1, next);
                }
        if (!any)
            extend(before, after, channel + 1, next);
    }
    const uint32_t nodes_;
    const gfab_goal goal_;
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> channels_;
    uint64_t start_ = 0, wanted_ = 0;
};

#endif
