// SPDX-License-Identifier: MIT
// The bound from sets of nodes, of half-duplex links that differ in their two ways: against all sets, and against an
// exhaustive search.
#include "marked_fixture.h"

#include <cstring>

namespace
{

// What the bound says; 0 where it says nothing.
uint64_t said(const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count = 0;
    uint64_t most = 0;
    EXPECT_EQ(gfab_bound_goal(topology.get(), &model, &goal, nullptr, bounds, &count), GFAB_OK);
    for (size_t i = 0; i < count; i++)
        if (!std::strcmp(bounds[i].name, "set"))
            most = std::max<uint64_t>(most, bounds[i].rounds);
    return most;
}

// Links on the shortest way to every node from one, or from every node to it.
std::vector<uint32_t> distances(const Topology &topology, uint32_t root, bool to)
{
    std::vector<uint32_t> far(gfab_topology_node_count(topology.get()), 1000);
    far[root] = 0;
    for (size_t i = 0; i < far.size(); i++)
        for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology.get()); arc++) {
            const uint32_t a = gfab_topology_arc_from(topology.get(), arc),
                           b = gfab_topology_arc_to(topology.get(), arc);
            if (gfab_topology_arc_weight(topology.get(), arc))
                far[to ? a : b] = std::min(far[to ? a : b], far[to ? b : a] + 1);
        }
    return far;
}

// The most that any set says, whose nodes all take in, or send, so many messages.
uint64_t most_of_sets(const Topology &topology, const gfab_model &model, const std::vector<uint32_t> &far, bool out,
                      uint64_t messages)
{
    uint64_t most = 0;
    for (uint32_t set = 1; set < 1U << far.size(); set++) {
        uint64_t count = 0, room = 0, nearest = 1000;
        for (uint32_t v = 0; v < far.size(); v++)
            if (set >> v & 1) {
                count++;
                nearest = std::min<uint64_t>(nearest, far[v]);
            }
        for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(topology.get()); arc += 2) {
            uint64_t link = 0;
            for (const gfab_arc way : {arc, arc + 1}) {
                const uint32_t end =
                    out ? gfab_topology_arc_from(topology.get(), way) : gfab_topology_arc_to(topology.get(), way);
                if (set >> end & 1)
                    link = std::max<uint64_t>(link, gfab_topology_arc_weight(topology.get(), way));
            }
            room += link * model.packet_tokens;
        }
        if (nearest)
            most = std::max(most, model.hop_rounds * (nearest - 1) + (messages * count + room - 1) / room);
    }
    return most;
}

// Newton's steps find the best set.
TEST(BoundSets, AreTheBestOfAll)
{
    std::mt19937 random(291);
    for (uint32_t i = 0; i < extent(300, 5000); i++) {
        const Topology topology = random_directed(random, 3 + i % 4, random() % 6, i % 3 == 0, 4);
        gfab_model model = links(GFAB_LINK_HALF);
        model.hop_rounds = 1 + random() % 3;
        model.packet_tokens = 1 + random() % 2;
        if (!gfab_topology_is_directed(topology.get()))
            continue;
        for (const gfab_collective collective : all_collectives) {
            const uint32_t members = gfab_topology_member_count(topology.get());
            const bool owned = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER,
                       rooted = gfab_collective_has_root(collective),
                       backwards = collective == GFAB_REDUCE || collective == GFAB_REDUCE_SCATTER,
                       both = collective == GFAB_ALL_REDUCE || collective == GFAB_BARRIER;
            gfab_goal goal = goal_on(topology, collective);
            if (collective != GFAB_BARRIER && collective != GFAB_ALL_TO_ALL)
                goal = goal_on(topology, collective, (owned ? members : 1) * (1 + random() % 9));
            goal.root = rooted ? random() % members : 0;
            uint64_t most = 0;
            for (const bool out : {false, true}) {
                std::vector<uint32_t> far(gfab_topology_node_count(topology.get()), 1);
                if (rooted)
                    far = distances(topology, gfab_topology_member(topology.get(), goal.root), out);
                for (uint32_t v = 0; v < far.size(); v++)
                    far[v] = gfab_topology_is_relay(topology.get(), v) ? 0 : far[v];
                if (collective != GFAB_ALL_TO_ALL && (both || out == backwards))
                    most = std::max(most, most_of_sets(topology, model, far, out,
                                                       goal.blocks - (owned ? goal.blocks / members : 0)));
            }
            EXPECT_EQ(said(topology, model, goal), most)
                << gfab_topology_spec(topology.get()) << " " << gfab_collective_name(collective);
        }
    }
}

// No schedule is shorter.
TEST(BoundSets, AreNotAboveTheOptimum)
{
    std::mt19937 random(292);
    uint32_t met = 0;
    for (uint32_t i = 0; i < extent(1500, 10000); i++) {
        const Topology topology = random_directed(random, 3 + i % 3, 1 + random() % 3, i % 4 == 1, 2);
        for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_BROADCAST}) {
            const gfab_goal goal = goal_on(topology, collective, collective == GFAB_BROADCAST ? 1 + random() % 3 : 0);
            const uint32_t least = Exhaustive(topology, goal, false).rounds();
            const uint64_t bound = said(topology, links(GFAB_LINK_HALF), goal);
            EXPECT_LE(bound, least) << gfab_topology_spec(topology.get());
            met += bound == least;
        }
    }
    EXPECT_GE(met, extent(1000, 7000));
}

// Kautz graphs: two nodes that are joined both ways have three links in and three out.
TEST(BoundSets, TwoNodesShareALink)
{
    const gfab_model model = links(GFAB_LINK_HALF);
    const Topology kautz = parse("kautz:2,5");
    EXPECT_EQ(bound_on(kautz, model, goal_on(kautz, GFAB_BROADCAST, 192)), 132u);
    EXPECT_EQ(bound_on(kautz, model, goal_on(kautz, GFAB_REDUCE, 192)), 132u);
    EXPECT_EQ(bound_on(kautz, model, goal_on(kautz, GFAB_ALL_GATHER, 48)), 32u);
    EXPECT_EQ(said(kautz, links(GFAB_LINK_FULL), goal_on(kautz, GFAB_BROADCAST, 192)), 0u);
    const Topology mesh = parse("mesh:3x3");
    EXPECT_EQ(said(mesh, model, goal_on(mesh, GFAB_BROADCAST, 192)), 0u);
}

} // namespace
