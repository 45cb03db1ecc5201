// SPDX-License-Identifier: MIT
// Beier & Sibeyn, section 3: the rounds R and steps S of Lemmas 1, 2 and 5, which the checker sums from the schedules.
#include "fixture.h"

#include <gossipfab/solver.h>
#include <gossipfab/verify.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

gfab_verify_report solve(const std::string &spec, const char *startup = nullptr, const uint32_t *load = nullptr)
{
    const Topology t = parse(spec.c_str());
    const gfab_model f1 = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1000000, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = startup != nullptr;
    if (startup) {
        EXPECT_EQ(gfab_ratio_parse(startup, &options.startup, nullptr), GFAB_OK);
    }
    options.load = load;
    gfab_schedule *s = nullptr;
    gfab_diag diag{};
    gfab_verify_report report{};
    EXPECT_EQ(gfab_solver_find("beier-sibeyn")->solve(t.get(), &f1, &options, &s, &diag), GFAB_OK) << diag.message;
    const Schedule owner(s);
    if (s) {
        EXPECT_EQ(gfab_verify(t.get(), &f1, s, &report), GFAB_OK) << spec << ": " << report.message;
    }
    return report;
}

TEST(BeierSibeyn, Lemma1PathsAndCycles)
{
    for (uint64_t n = 2; n <= 60; n++) {
        const gfab_verify_report path = solve("path:" + std::to_string(n));
        EXPECT_EQ(path.rounds, n % 2 == 0 ? n - 1 : n) << n;
        EXPECT_EQ(path.transfers, n == 2 ? 1 : n == 3 ? 4 : 2 * n - 3) << n;
        if (n < 3)
            continue;
        const gfab_verify_report cycle = solve("cycle:" + std::to_string(n));
        EXPECT_EQ(cycle.rounds, n % 2 == 0 ? n / 2 : n / 2 + 2) << n;
        EXPECT_EQ(cycle.transfers, n % 2 == 0 ? n - 1 : n + 1) << n;
    }
}

TEST(BeierSibeyn, Lemma2MeshesAndTori)
{
    for (uint64_t a = 4; a <= 9; a++)
        for (uint64_t b = 4; b <= 9; b++) {
            const std::string sides = std::to_string(a) + "x" + std::to_string(b);
            const gfab_verify_report mesh = solve("mesh:" + sides), torus = solve("torus:" + sides);
            const uint64_t even = a % 2 ? b : a; // an even side, where there is one
            const uint64_t small = std::min(a, b), large = std::max(a, b);
            if (a % 2 == 0 && b % 2 == 0) {
                EXPECT_EQ(mesh.transfers, a * b + small - 1) << sides;
                EXPECT_EQ(torus.transfers, a * b - 1) << sides;
            } else if (a % 2 != b % 2) {
                EXPECT_EQ(mesh.transfers, a * b + 3 * even / 2 - 3) << sides;
                EXPECT_EQ(torus.transfers, a * b + 1) << sides;
            } else {
                EXPECT_EQ(mesh.transfers, 2 * a * b - large - 3) << sides;
                EXPECT_EQ(torus.transfers, a * b + 2 * small + 1) << sides;
            }
            EXPECT_EQ(mesh.rounds, a + b - (a % 2 == 0 || b % 2 == 0)) << sides;
            EXPECT_EQ(torus.rounds, a / 2 + b / 2 + 2 * (a % 2) + 2 * (b % 2)) << sides;
        }
}

TEST(BeierSibeyn, Lemma5ToriOfMoreAxes)
{
    const gfab_verify_report torus = solve("torus:4x6x4"), four = solve("torus:4x4x4x4");
    EXPECT_EQ(torus.rounds, 7u);
    EXPECT_EQ(torus.transfers, 95u);
    EXPECT_EQ(four.rounds, 8u);
    EXPECT_EQ(four.transfers, 255u);
    // Meshes: from the third axis on a phase needs its first round (docs/telephone-gossip.md).
    const gfab_verify_report mesh = solve("mesh:4x4x4");
    EXPECT_EQ(mesh.rounds, 11u);
    EXPECT_EQ(mesh.transfers, 75u);
}

TEST(BeierSibeyn, LoadsAreHonoured)
{
    const uint32_t twos[] = {2, 2, 2, 2, 2, 2};
    EXPECT_EQ(solve("cycle:6", nullptr, twos).transfers, 10u); // h (n - 1)
    const uint32_t broadcast[] = {0, 0, 0, 1, 0, 0};
    const gfab_verify_report one = solve("mesh:2x3", nullptr, broadcast);
    EXPECT_LE(one.transfers, one.rounds);
}

TEST(BeierSibeyn, TheOrderOfTheAxesFollowsTheCost)
{
    // Rows of 4 or of 5 first: same rounds or fewer tokens; the cheaper at each startup.
    for (const char *startup : {"0", "1", "100"}) {
        const gfab_verify_report a = solve("torus:5x9", startup), b = solve("torus:9x5", startup);
        EXPECT_EQ(a.rounds, b.rounds);
        EXPECT_EQ(a.transfers, b.transfers);
    }
}

TEST(BeierSibeyn, RefusesOtherModelsAndGraphs)
{
    const gfab_solver *solver = gfab_solver_find("beier-sibeyn");
    const Topology grid = parse("mesh:4x4"), graph = parse("hypercube:4");
    const gfab_model f1 = {GFAB_LINK_FULL, GFAB_PORT_ONE, 16, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_model half = f1, small = f1;
    half.link_mode = GFAB_LINK_HALF;
    small.packet_tokens = 15;
    EXPECT_EQ(solver->applies(grid.get(), &f1, nullptr), GFAB_OK);
    for (const gfab_model &m : {half, small})
        EXPECT_EQ(solver->applies(grid.get(), &m, nullptr), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(solver->applies(graph.get(), &f1, nullptr), GFAB_ERR_UNSUPPORTED);
}

} // namespace
