// SPDX-License-Identifier: MIT
// All-to-all: solver routes.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace
{

Made all_to_all(const Topology &topology, const gfab_model &model)
{
    return make("routes", topology, model, goal_on(topology, GFAB_ALL_TO_ALL));
}

uint64_t bound_of(const Topology &topology, const gfab_model &model)
{
    return bound_on(topology, model, goal_on(topology, GFAB_ALL_TO_ALL));
}

// At the lower bound, or so many rounds above it.
void expect_near_bound(const std::string &spec, uint32_t spare = 0)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
        const Topology topology = parse(spec);
        const Made made = all_to_all(topology, links(mode));
        EXPECT_LE(made.rounds(), bound_of(topology, links(mode)) + spare) << spec << " " << mode;
        EXPECT_GE(made.rounds(), bound_of(topology, links(mode))) << spec << " " << mode;
    }
}

// Hand-computed: n^3 / 8 for even n, n (n^2 - 1) / 8 for odd n.
TEST(Routes, SquareTori)
{
    const gfab_model full = links(GFAB_LINK_FULL), half = links(GFAB_LINK_HALF);
    for (const auto &[n, rounds] : std::map<uint32_t, uint32_t>{{3, 3}, {4, 8}, {5, 15}, {6, 27}, {7, 42}, {8, 64}}) {
        const Topology torus = parse("torus:" + std::to_string(n) + "x" + std::to_string(n));
        EXPECT_EQ(all_to_all(torus, full).rounds(), rounds) << n;
        EXPECT_EQ(all_to_all(torus, half).rounds(), 2 * rounds) << n;
    }
    for (uint32_t n = 9; n <= extent(12, 20); n++)
        expect_near_bound("torus:" + std::to_string(n) + "x" + std::to_string(n));
}

// One round more only where one of three or more sides is 6, 10, ... and all others together are odd.
TEST(Routes, ToriAndCycles)
{
    for (const char *spec : {"torus:3x4", "torus:8x3", "torus:12x5", "torus:2x4", "torus:2x2x2", "torus:3x3x3",
                             "torus:4x4x4", "torus:3x4x5", "torus:1x8", "torus:2x3x4x5", "cycle:4", "cycle:5",
                             "cycle:6", "cycle:10", "cycle:50", "cycle:64", "hypercube:5"})
        expect_near_bound(spec);
    expect_near_bound("torus:6x3x3", 1);
    for (const char *spec : {"torus:3x6", "torus:6x5", "torus:3x10", "torus:5x10", "torus:7x10", "torus:14x3"})
        expect_near_bound(spec);
    for (uint32_t m = 3; m <= extent(3, 12); m++)
        for (uint32_t n = m + 1; n <= extent(3, 14); n++)
            expect_near_bound("torus:" + std::to_string(m) + "x" + std::to_string(n));
}

// max(m floor(n^2 / 4), n floor(m^2 / 4)) rounds, which is the bound.
TEST(Routes, Meshes)
{
    const gfab_model full = links(GFAB_LINK_FULL), half = links(GFAB_LINK_HALF);
    for (uint32_t m = 1; m <= extent(8, 14); m++)
        for (uint32_t n = std::max(m, 2u); n <= extent(9, 16); n++) {
            const Topology mesh = parse("mesh:" + std::to_string(m) + "x" + std::to_string(n));
            const uint32_t rounds = std::max(m * (n * n / 4), n * (m * m / 4));
            EXPECT_EQ(all_to_all(mesh, full).rounds(), rounds) << m << "x" << n;
            EXPECT_EQ(all_to_all(mesh, half).rounds(), 2 * rounds) << m << "x" << n;
        }
    for (const char *spec : {"mesh:3x3x3", "mesh:4x4x4", "mesh:2x3x4", "mesh:5x5x5", "mesh:1x5x1x3", "mesh:2x2x2"})
        expect_near_bound(spec);
}

// A hop of several rounds costs nothing but where a path alone takes that long.
TEST(Routes, Hops)
{
    const uint32_t rounds[][3] = {{2, 8, 64}, {3, 10, 64}, {4, 13, 64}, {8, 25, 64}};
    for (const auto &[hop, small, large] : rounds) {
        EXPECT_EQ(all_to_all(parse("torus:4x4"), links(GFAB_LINK_FULL, hop)).rounds(), small) << hop;
        EXPECT_EQ(all_to_all(parse("torus:8x8"), links(GFAB_LINK_FULL, hop)).rounds(), large) << hop;
    }
    for (const char *spec : {"mesh:5x5", "torus:2x4", "cycle:6", "debruijn:4", "path:2"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const uint32_t hop : {2u, 3u, 7u})
                EXPECT_TRUE(all_to_all(parse(spec), links(mode, hop)).schedule) << spec;
}

// On a torus of an odd side and one of 6 nodes do the same that are rows or half a row apart.
TEST(Routes, HalfRowsAreTranslated)
{
    const Topology torus = parse("torus:5x6");
    const Made made = all_to_all(torus, links(GFAB_LINK_FULL));
    const auto shifted = [](uint32_t node) { return (node / 6 + 1) % 5 * 6 + (node % 6 + 3) % 6; };
    std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> moves, images;
    for (const Step &step : steps_of(made.schedule)) {
        const uint32_t from = gfab_topology_arc_from(torus.get(), step.arc),
                       to = gfab_topology_arc_to(torus.get(), step.arc);
        moves.insert({step.round, from, to, step.token});
        images.insert(
            {step.round, shifted(from), shifted(to), shifted(step.token / 30) * 30 + shifted(step.token % 30)});
    }
    EXPECT_EQ(moves, images);
}

// On a torus every node does the same at the same time.
TEST(Routes, ToriAreTranslated)
{
    const Topology torus = parse("torus:4x4");
    const Made made = all_to_all(torus, links(GFAB_LINK_FULL));
    const auto shifted = [](uint32_t node) { return (node + 4) % 16 / 4 * 4 + (node + 1) % 4; };
    std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> moves, images;
    for (const Step &step : steps_of(made.schedule)) {
        const uint32_t from = gfab_topology_arc_from(torus.get(), step.arc);
        const uint32_t to = gfab_topology_arc_to(torus.get(), step.arc);
        moves.insert({step.round, from, to, step.token});
        images.insert(
            {step.round, shifted(from), shifted(to), shifted(step.token / 16) * 16 + shifted(step.token % 16)});
    }
    EXPECT_EQ(moves, images);
}

// Shortest paths, on any graph, the same for the same seed.
TEST(Routes, AnyGraph)
{
    for (const char *spec : {"debruijn:4", "ccc:3", "star:4", "complete:5", "graph:5:0-1,0-2,0-3,0-4",
                             "graph:7:0-1,0-2,1-3,1-4,2-5,2-6", "random:n=20,m=30,seed=2", "torus:4x4+drop-link=0-1"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology topology = parse(spec);
            const size_t nodes = gfab_topology_node_count(topology.get());
            std::vector<uint32_t> distance(nodes), work(nodes);
            uint64_t sum = 0;
            for (uint32_t v = 0; v < nodes; v++) {
                gfab_topology_distances(topology.get(), v, distance.data(), work.data());
                for (const uint32_t d : distance)
                    sum += d;
            }
            const Made made = all_to_all(topology, links(mode)), again = all_to_all(topology, links(mode));
            ASSERT_TRUE(made.schedule) << spec << ": " << made.says;
            EXPECT_EQ(steps_of(made.schedule).size(), sum) << spec;
            EXPECT_EQ(schedule_text(made.schedule), schedule_text(again.schedule)) << spec;
        }
    expect_near_bound("complete:6");
    // 32 * 32 blocks leave each half of ccc:4, split by a bit of the cycle's number, over 8 links
    EXPECT_EQ(all_to_all(parse("ccc:4"), links(GFAB_LINK_FULL)).rounds(), 128u);
    expect_near_bound("graph:5:0-1,0-2,0-3,0-4", 1);
}

TEST(Routes, RefusesWhatItDoesNotMake)
{
    const Topology mesh = parse("mesh:3x3"), large = parse("path:700");
    EXPECT_EQ(make("routes", mesh, links(GFAB_LINK_FULL), goal_on(mesh, GFAB_ALL_REDUCE)).status, GFAB_ERR_UNSUPPORTED);
    const Made made = all_to_all(large, links(GFAB_LINK_FULL));
    EXPECT_EQ(made.status, GFAB_ERR_LIMIT);
    EXPECT_NE(made.says.find("path:700"), std::string::npos) << made.says;
}

// What is made is checked by a checker that sees each of these.
TEST(Routes, MutantsAreRejected)
{
    const Topology torus = parse("torus:4x4");
    const Made made = all_to_all(torus, links(GFAB_LINK_FULL));
    const gfab_model slower = links(GFAB_LINK_FULL, 5), half = links(GFAB_LINK_HALF);
    EXPECT_EQ(checked(made.schedule, &slower).fault, GFAB_FAULT_TOKEN_TOO_NEW);
    EXPECT_EQ(checked(made.schedule, &half).fault, GFAB_FAULT_LINK_BUSY);
    std::vector<Step> mutant = steps_of(made.schedule);
    mutant.pop_back();
    EXPECT_EQ(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_INCOMPLETE);
    mutant = steps_of(made.schedule);
    mutant.front().token |= GFAB_COMBINE;
    EXPECT_EQ(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_WRONG_COMBINE);
    mutant = steps_of(made.schedule);
    std::swap(mutant.front().arc, mutant.back().arc);
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
}

} // namespace
