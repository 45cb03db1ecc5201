// SPDX-License-Identifier: MIT
// One block and an idempotent operator: solver flood.
#include "collective_fixture.h"
#include "extent.h"

namespace
{

uint32_t diameter_of(const Topology &topology)
{
    uint32_t diameter = 0;
    EXPECT_EQ(gfab_topology_diameter(topology.get(), nullptr, &diameter), GFAB_OK);
    return diameter;
}

TEST(Flood, FullDuplexTakesTheDiameter)
{
    for (const char *spec : {"path:2", "path:9", "cycle:8", "mesh:4x4", "torus:5x5", "mesh:3x4x5", "debruijn:5",
                             "graph:5:0-1,0-2,0-3,0-4", "random:n=70,m=300,seed=1"})
        for (const uint32_t hop : {1u, 2u, 5u}) {
            const Topology topology = parse(spec);
            const gfab_model model = links(GFAB_LINK_FULL, hop);
            const uint32_t rounds = (diameter_of(topology) - 1) * hop + 1;
            EXPECT_EQ(make("flood", topology, model, goal_on(topology, GFAB_BARRIER)).rounds(), rounds) << spec;
            const gfab_goal smallest = goal_on(topology, GFAB_ALL_REDUCE, 1, true);
            EXPECT_EQ(make("flood", topology, model, smallest).rounds(), rounds) << spec;
        }
}

// Odd sides have a node in the middle; of even ones one round is lost at most.
TEST(Flood, HalfDuplexMeshes)
{
    for (uint32_t m = 2; m <= extent(8, 16); m++)
        for (uint32_t n = m; n <= extent(8, 16); n++) {
            const Topology mesh = parse("mesh:" + std::to_string(m) + "x" + std::to_string(n));
            const Made made = make("flood", mesh, links(GFAB_LINK_HALF), goal_on(mesh, GFAB_BARRIER));
            const uint32_t spare = m % 2 && n % 2 ? 0 : m == n && m > 8 ? 3 : 1;
            EXPECT_LE(made.rounds(), diameter_of(mesh) + spare) << m << "x" << n;
        }
}

TEST(Flood, HalfDuplexAnyGraph)
{
    for (const char *spec : {"path:2", "cycle:3", "cycle:9", "torus:4x4", "torus:5x5", "debruijn:5", "complete:6",
                             "graph:5:0-1,0-2,0-3,0-4"})
        for (const uint32_t hop : {1u, 3u}) {
            const Topology topology = parse(spec);
            const Made made = make("flood", topology, links(GFAB_LINK_HALF, hop), goal_on(topology, GFAB_BARRIER), 20);
            EXPECT_LE(made.rounds(), (2 * diameter_of(topology) - 1) * hop + 1) << spec;
            EXPECT_EQ(
                schedule_text(made.schedule),
                schedule_text(
                    make("flood", topology, links(GFAB_LINK_HALF, hop), goal_on(topology, GFAB_BARRIER), 20).schedule));
        }
}

TEST(Flood, RefusesSumsAndSeveralBlocks)
{
    const Topology mesh = parse("mesh:3x3");
    gfab_model model = links(GFAB_LINK_FULL);
    for (const gfab_goal &goal : {goal_on(mesh, GFAB_ALL_REDUCE, 1), goal_on(mesh, GFAB_ALL_REDUCE, 2, true)}) {
        const Made made = make("flood", mesh, model, goal);
        EXPECT_EQ(made.status, GFAB_ERR_UNSUPPORTED);
        EXPECT_NE(made.says.find("one block"), std::string::npos) << made.says;
    }
    model.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(make("flood", mesh, model, goal_on(mesh, GFAB_BARRIER)).status, GFAB_ERR_UNSUPPORTED);
}

// For a sum the same moves count contributions twice; without the last one somebody lacks one.
TEST(Flood, MutantsAreRejected)
{
    const Topology mesh = parse("mesh:3x3");
    const Made made = make("flood", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_BARRIER));
    std::vector<Step> steps = steps_of(made.schedule);
    const gfab_goal sum = goal_on(mesh, GFAB_ALL_REDUCE, 1);
    EXPECT_EQ(checked(rebuilt(made.schedule, steps, &sum)).fault, GFAB_FAULT_COUNTED_TWICE);
    while (steps.back().round == 4)
        steps.pop_back();
    EXPECT_EQ(checked(rebuilt(made.schedule, steps)).fault, GFAB_FAULT_PARTIAL_TOTAL);
}

} // namespace
