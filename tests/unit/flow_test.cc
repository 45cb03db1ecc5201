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

} // namespace
