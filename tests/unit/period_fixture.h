// SPDX-License-Identifier: MIT
// Groups that repeat, made by hand, and what they are when every group is written out.
#ifndef GFAB_TESTS_PERIOD_FIXTURE_H
#define GFAB_TESTS_PERIOD_FIXTURE_H

#include "collective_fixture.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

// Steps of a group, and how it repeats.
struct Group {
    uint32_t period, blocks;
    std::vector<Step> steps;
};

inline bool shared_out(gfab_collective collective)
{
    return collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
}

// Places moves in rounds so that none clashes with another one a whole number of periods away.
class Placer
{
  public:
    Placer(const Topology &on, const gfab_model &under, uint32_t period) : on_(on), under_(under), period_(period) {}

    // The first round from `round` on that is free for the arc, which is then taken; 0 where none ever is.
    uint32_t take(gfab_arc arc, uint32_t round)
    {
        for (uint32_t tried = 0; tried < period_; tried++, round++)
            if (free(arc, round % period_)) {
                uses_[key(arc, round % period_)]++;
                if (under_.port_mode == GFAB_PORT_ONE)
                    port(gfab_topology_arc_from(on_.get(), arc), round) =
                        port(gfab_topology_arc_to(on_.get(), arc), round) = arc / 2 + 1;
                return round;
            }
        return 0;
    }

  private:
    using Key = std::pair<uint32_t, uint32_t>;

    Key key(gfab_arc arc, uint32_t residue) const
    {
        return {under_.link_mode == GFAB_LINK_HALF ? arc / 2 : arc, residue};
    }
    uint32_t &port(uint32_t node, uint32_t round) { return ports_[{node, round % period_}]; }
    bool free(gfab_arc arc, uint32_t residue)
    {
        const uint32_t from = gfab_topology_arc_from(on_.get(), arc), to = gfab_topology_arc_to(on_.get(), arc);
        const bool open =
            under_.port_mode == GFAB_PORT_ALL || ((!port(from, residue) || port(from, residue) == arc / 2 + 1) &&
                                                  (!port(to, residue) || port(to, residue) == arc / 2 + 1));
        return open && uses_[key(arc, residue)] < gfab_topology_weight(on_.get(), arc / 2);
    }

    const Topology &on_;
    const gfab_model under_;
    const uint32_t period_;
    std::map<Key, uint32_t> uses_, ports_;
};

// The arcs of a random spanning tree, from its root outwards.
inline std::vector<gfab_arc> random_tree(const Topology &on, uint32_t root, std::mt19937 &random)
{
    const size_t nodes = gfab_topology_node_count(on.get());
    std::vector<bool> reached(nodes);
    std::vector<gfab_arc> open, tree;
    const auto reach = [&](uint32_t node) {
        reached[node] = true;
        for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(on.get()); arc++)
            if (gfab_topology_arc_from(on.get(), arc) == node)
                open.push_back(arc);
    };
    for (reach(root); !open.empty();) {
        const size_t i = random() % open.size();
        const gfab_arc arc = open[i];
        open.erase(open.begin() + static_cast<long>(i));
        if (reached[gfab_topology_arc_to(on.get(), arc)])
            continue;
        tree.push_back(arc);
        reach(gfab_topology_arc_to(on.get(), arc));
    }
    return tree;
}

// A block along a tree: its total towards the root, and from there to all. False where the period is too short.
inline bool place_block(const Topology &on, const gfab_model &under, const std::vector<gfab_arc> &tree, uint32_t block,
                        bool inwards, bool outwards, Placer &placer, std::vector<Step> &steps)
{
    const size_t nodes = gfab_topology_node_count(on.get());
    std::vector<uint32_t> ready(nodes, 1); // a node's part may leave from this round on
    std::vector<uint32_t> came(nodes);
    bool placed = true;
    const auto place = [&](gfab_arc arc, bool combine) {
        const uint32_t from = gfab_topology_arc_from(on.get(), arc), to = gfab_topology_arc_to(on.get(), arc);
        const bool relay = gfab_topology_is_relay(on.get(), to); // stores the first, combines what comes later
        const uint32_t earliest = relay && combine ? std::max(ready[from], came[to] + 1) : ready[from];
        const uint32_t round = placer.take(arc, earliest);
        placed = placed && round;
        steps.push_back({round, arc, block | (combine && !(relay && !came[to]) ? GFAB_COMBINE : 0)});
        ready[to] = std::max(ready[to], round + under.hop_rounds);
        came[to] = std::max(came[to], round);
    };
    for (auto arc = tree.rbegin(); inwards && arc != tree.rend(); ++arc)
        place(*arc ^ 1, true);
    for (const gfab_arc arc : tree)
        if (outwards)
            place(arc, false);
    return placed;
}

// A valid group of so many blocks, each along a random tree, with the least period from `period` on that works.
// Relays that are leaves of a tree are in it too: they do no harm to what is stored, and carry nothing inwards.
inline Group make_group(const Topology &on, const gfab_model &under, gfab_goal goal, uint32_t blocks, uint32_t seed)
{
    const size_t members = gfab_topology_member_count(on.get());
    goal.blocks = blocks;
    std::mt19937 random(seed);
    std::vector<std::vector<gfab_arc>> trees;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t owner = goal.collective == GFAB_ALL_REDUCE ? static_cast<uint32_t>(random() % members)
                                                                  : gfab_goal_owner(&goal, members, b);
        trees.push_back(random_tree(on, gfab_topology_member(on.get(), owner), random));
        // No leaf is a relay.
        std::vector<gfab_arc> &tree = trees.back();
        for (size_t i = tree.size(); i-- > 0;) {
            const uint32_t end = gfab_topology_arc_to(on.get(), tree[i]);
            const bool leaf = std::none_of(tree.begin(), tree.end(),
                                           [&](gfab_arc arc) { return gfab_topology_arc_from(on.get(), arc) == end; });
            if (leaf && gfab_topology_is_relay(on.get(), end))
                tree.erase(tree.begin() + static_cast<long>(i));
        }
    }
    const bool inwards = gfab_collective_combines(goal.collective);
    const bool outwards = goal.collective != GFAB_REDUCE && goal.collective != GFAB_REDUCE_SCATTER;
    for (uint32_t period = 1;; period++) {
        Placer placer(on, under, period);
        Group group{period, blocks, {}};
        bool placed = true;
        for (uint32_t b = 0; b < blocks && placed; b++)
            placed = place_block(on, under, trees[b], b, inwards, outwards, placer, group.steps);
        if (!placed)
            continue;
        std::stable_sort(group.steps.begin(), group.steps.end(),
                         [](const Step &a, const Step &b) { return a.round < b.round; });
        return group;
    }
}

// The steps of so many blocks, every group written out: what a repeating schedule stands for, counted anew.
inline std::vector<Step> written_out(const Group &group, const gfab_goal &goal, size_t members)
{
    const uint32_t owners = shared_out(goal.collective) ? static_cast<uint32_t>(members) : 1;
    const uint32_t share = group.blocks / owners, length = goal.blocks / owners;
    std::vector<Step> steps;
    for (uint32_t g = 0; g * share < length; g++)
        for (const Step &step : group.steps) {
            const uint32_t block = step.token & ~GFAB_COMBINE, owner = block / share, j = g * share + block % share;
            if (j < length)
                steps.push_back(
                    {step.round + g * group.period, step.arc, (owner * length + j) | (step.token & GFAB_COMBINE)});
        }
    std::stable_sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.round < b.round; });
    return steps;
}

// The group kept as one that repeats.
inline Schedule repeating(const Topology &on, const gfab_model &under, const gfab_goal &goal, const Group &group)
{
    Schedule schedule = schedule_on(on, under);
    EXPECT_EQ(gfab_schedule_set_goal(schedule.get(), &goal, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_period(schedule.get(), group.period, group.blocks), GFAB_OK);
    for (const Step &step : group.steps)
        EXPECT_EQ(gfab_schedule_append(schedule.get(), step.round, step.arc, step.token), GFAB_OK);
    return schedule;
}

// What the tests go through: a graph, a model, a collective, and blocks of a group (a node's of it, where shared out).
struct PeriodCase {
    const char *spec;
    gfab_link_mode mode;
    gfab_port_mode ports;
    uint32_t hop_rounds;
    gfab_collective collective;
    uint32_t root, share;
};

inline const std::vector<PeriodCase> &period_cases()
{
    static const std::vector<PeriodCase> cases = {
        {"path:5", GFAB_LINK_FULL, GFAB_PORT_ALL, 1, GFAB_BROADCAST, 0, 1},
        {"path:4", GFAB_LINK_HALF, GFAB_PORT_ONE, 2, GFAB_BROADCAST, 1, 2},
        {"cycle:6", GFAB_LINK_FULL, GFAB_PORT_ALL, 1, GFAB_BROADCAST, 2, 3},
        {"mesh:3x4", GFAB_LINK_HALF, GFAB_PORT_ALL, 1, GFAB_REDUCE, 5, 4},
        {"mesh:3x3", GFAB_LINK_FULL, GFAB_PORT_ONE, 1, GFAB_REDUCE, 0, 5},
        {"torus:3x3", GFAB_LINK_FULL, GFAB_PORT_ALL, 3, GFAB_ALL_REDUCE, 0, 4},
        {"mesh:2x3", GFAB_LINK_HALF, GFAB_PORT_ONE, 1, GFAB_ALL_REDUCE, 0, 3},
        {"cycle:5", GFAB_LINK_HALF, GFAB_PORT_ALL, 1, GFAB_ALL_GATHER, 0, 2},
        {"mesh:2x3", GFAB_LINK_FULL, GFAB_PORT_ALL, 2, GFAB_ALL_GATHER, 0, 1},
        {"hypercube:3", GFAB_LINK_FULL, GFAB_PORT_ALL, 1, GFAB_REDUCE_SCATTER, 0, 2},
        {"cycle:4", GFAB_LINK_HALF, GFAB_PORT_ONE, 1, GFAB_REDUCE_SCATTER, 0, 3},
        {"torus:3x3+weight=0-1:3", GFAB_LINK_HALF, GFAB_PORT_ALL, 1, GFAB_ALL_REDUCE, 0, 6},
        {"star:5+relay=0", GFAB_LINK_FULL, GFAB_PORT_ALL, 1, GFAB_ALL_GATHER, 0, 2},
        {"star:5+relay=0", GFAB_LINK_HALF, GFAB_PORT_ALL, 2, GFAB_ALL_REDUCE, 0, 3},
    };
    return cases;
}

inline gfab_model model_of(const PeriodCase &c)
{
    gfab_model model = links(c.mode, c.hop_rounds);
    model.port_mode = c.ports;
    return model;
}

inline uint32_t owners_of(const PeriodCase &c, const Topology &on)
{
    return shared_out(c.collective) ? static_cast<uint32_t>(gfab_topology_member_count(on.get())) : 1;
}

inline gfab_goal goal_of(const PeriodCase &c, const Topology &on, uint32_t length)
{
    gfab_goal goal = goal_on(on, c.collective, length * owners_of(c, on));
    goal.root = c.root;
    return goal;
}

inline Group group_of(const PeriodCase &c, const Topology &on, uint32_t seed = 1)
{
    return make_group(on, model_of(c), goal_of(c, on, c.share), c.share * owners_of(c, on), seed);
}

#endif
