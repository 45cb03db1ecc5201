// SPDX-License-Identifier: MIT
// Greatest flows against least cuts, found by looking at every set of nodes.
#include "fixture.h"

extern "C" {
#include "base/random.h"
#include "flow/flow.h"
}

#include <algorithm>

namespace
{

struct Arc {
    uint32_t from, to;
    uint64_t there, back;
};

struct Network {
    uint32_t nodes;
    std::vector<Arc> arcs;
};

// Few capacities, 0 among them, so that there are cuts of the same size and nodes that cannot be reached.
Network random_network(uint64_t *random)
{
    Network made{2 + gfab_random_below(random, 6), {}};
    const uint32_t count = gfab_random_below(random, 3 * made.nodes);
    for (uint32_t i = 0; i < count; i++)
        made.arcs.push_back({gfab_random_below(random, made.nodes), gfab_random_below(random, made.nodes),
                             gfab_random_below(random, 5), gfab_random_below(random, 3)});
    return made;
}

// What leaves a set of nodes, a bit a node.
uint64_t leaving(const Network &network, uint32_t set)
{
    uint64_t sum = 0;
    for (const Arc &arc : network.arcs) {
        const bool from = set >> arc.from & 1, to = set >> arc.to & 1;
        sum += from && !to ? arc.there : !from && to ? arc.back : 0;
    }
    return sum;
}

uint64_t least_cut(const Network &network, uint32_t source, uint32_t sink)
{
    uint64_t least = GFAB_FLOW_MOST;
    for (uint32_t set = 0; set < 1u << network.nodes; set++)
        if ((set >> source & 1) && !(set >> sink & 1))
            least = std::min(least, leaving(network, set));
    return least;
}

void build(const Network &network, gfab_flow *flow)
{
    ASSERT_EQ(gfab_flow_create(network.nodes, network.arcs.size(), flow), GFAB_OK);
    for (const Arc &arc : network.arcs)
        gfab_flow_add(flow, arc.from, arc.to, arc.there, arc.back);
}

TEST(Flow, EqualsTheLeastOfAllCuts)
{
    uint64_t random = 7;
    for (int i = 0; i < 400; i++) {
        const Network network = random_network(&random);
        gfab_flow flow;
        build(network, &flow);
        for (uint32_t sink = 1; sink < network.nodes; sink++) {
            const uint64_t least = least_cut(network, 0, sink);
            ASSERT_EQ(gfab_flow_run(&flow, 0, sink, GFAB_FLOW_MOST), least) << "network " << i;
            uint32_t side = 0;
            for (uint32_t v = 0; v < network.nodes; v++)
                side |= static_cast<uint32_t>(gfab_flow_on_source_side(&flow, v)) << v;
            EXPECT_TRUE(side & 1);
            EXPECT_FALSE(side >> sink & 1);
            EXPECT_EQ(leaving(network, side), least);
        }
        gfab_flow_release(&flow);
    }
}

TEST(Flow, EndsAtItsLimitAndTakesOtherCapacities)
{
    gfab_flow flow;
    build({3, {{0, 1, 5, 0}, {1, 2, 4, 0}, {0, 2, 3, 0}}}, &flow);
    EXPECT_EQ(gfab_flow_run(&flow, 0, 2, 6), 6u);
    EXPECT_EQ(gfab_flow_run(&flow, 0, 2, 7), 7u);
    EXPECT_EQ(gfab_flow_run(&flow, 0, 2, 8), 7u);
    EXPECT_EQ(gfab_flow_run(&flow, 0, 2, 0), 0u);
    EXPECT_EQ(gfab_flow_run(&flow, 2, 0, 8), 0u);
    gfab_flow_set(&flow, 3, 2); // the way back of the second arc
    gfab_flow_set(&flow, 1, 9);
    EXPECT_EQ(gfab_flow_run(&flow, 2, 0, 8), 2u);
    gfab_flow_release(&flow);
}

// A flow to one sink that is turned to another is one to the other, if there is any of that size; what is taken back
// leaves as much for others as there was.
TEST(Flow, IsTurnedToAnotherSinkAndTakenBack)
{
    uint64_t random = 11;
    size_t turned = 0, refused = 0;
    for (int i = 0; i < 400; i++) {
        const Network network = random_network(&random);
        gfab_flow flow;
        build(network, &flow);
        const uint32_t first = 1 + gfab_random_below(&random, network.nodes - 1);
        const uint64_t size = gfab_flow_run(&flow, 0, first, 4);
        for (uint32_t sink = 1, last = first; sink < network.nodes; sink++) {
            if (sink == last)
                continue;
            const bool there = least_cut(network, 0, sink) >= size;
            const uint64_t sent = gfab_flow_push(&flow, last, sink, size);
            ASSERT_EQ(sent == size, there) << "network " << i;
            (there ? turned : refused)++;
            if (there)
                last = sink;
            else
                ASSERT_EQ(gfab_flow_take_back(&flow, last, sink, sent), sent);
        }
        gfab_flow_clear(&flow);
        for (uint32_t sink = 1; sink < network.nodes; sink++) {
            const uint64_t sent = gfab_flow_push(&flow, 0, sink, GFAB_FLOW_MOST);
            ASSERT_EQ(sent, least_cut(network, 0, sink)) << "network " << i;
            ASSERT_EQ(gfab_flow_take_back(&flow, 0, sink, sent), sent);
        }
        gfab_flow_release(&flow);
    }
    EXPECT_GT(turned, 100u);
    EXPECT_GT(refused, 100u);
}

// A flow between neighbours in a large network looks at what is around them: a search that runs through all of it would
// come to every node.
TEST(Flow, StaysNear)
{
    const uint32_t side = 64;
    Network network{side * side, {}};
    for (uint32_t v = 0; v < network.nodes; v++) {
        network.arcs.push_back({v, v / side * side + (v + 1) % side, 1, 1});
        network.arcs.push_back({v, (v + side) % network.nodes, 1, 1});
    }
    gfab_flow flow;
    build(network, &flow);
    gfab_flow_clear(&flow);
    for (uint32_t v = 0; v + 1 < network.nodes; v++) {
        ASSERT_EQ(gfab_flow_push(&flow, v, v + 1, 4), 4u);
        ASSERT_LT(flow.reached_count, 200u) << v;
        ASSERT_EQ(gfab_flow_take_back(&flow, v, v + 1, 4), 4u);
        ASSERT_LT(flow.reached_count, 200u) << v;
    }
    gfab_flow_release(&flow);
}

} // namespace
