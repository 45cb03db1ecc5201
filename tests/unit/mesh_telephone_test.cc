// SPDX-License-Identifier: MIT
// Beier & Sibeyn, section 3: the rounds R and steps S of Lemmas 1 to 5, which the checker sums from the schedules.
#include "extent.h"
#include "fixture.h"

#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace
{

gfab_verify_report solve(const std::string &spec, const char *startup = nullptr, const uint32_t *load = nullptr,
                         uint32_t rounds = 0)
{
    const Topology t = parse(spec.c_str());
    const gfab_model f1 = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1000000, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = startup;
    if (startup) {
        EXPECT_EQ(gfab_ratio_parse(startup, &options.startup, nullptr), GFAB_OK);
    }
    options.load = load;
    options.rounds = rounds;
    gfab_schedule *s = nullptr;
    gfab_diag diag{};
    gfab_verify_report report{};
    EXPECT_EQ(gfab_solver_find("mesh-telephone")->solve(t.get(), &f1, &options, &s, &diag), GFAB_OK) << diag.message;
    const Schedule owner(s);
    if (s) {
        EXPECT_EQ(gfab_verify(t.get(), &f1, s, nullptr, &report), GFAB_OK) << spec << ": " << report.message;
    }
    return report;
}

TEST(MeshTelephone, Lemma1PathsAndCycles)
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

TEST(MeshTelephone, Lemma2MeshesAndTori)
{
    for (uint64_t a = 4; a <= 9; a++)
        for (uint64_t b = 4; b <= 9; b++) {
            const std::string sides = std::to_string(a) + "x" + std::to_string(b);
            const gfab_verify_report mesh = solve("mesh:" + sides), torus = solve("torus:" + sides, "0");
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
            // At the lemma's S a round less than it has, while that is no dearer.
            EXPECT_LE(torus.rounds, a / 2 + b / 2 + 2 * (a % 2) + 2 * (b % 2)) << sides;
        }
}

// A round less than Lemma 2 has for tori with an odd side: the lines along it two by two.
TEST(MeshTelephone, ToriWithOddSides)
{
    for (uint64_t a = 3; a <= 21; a += 2)
        for (uint64_t b = 3; b <= 10; b++) {
            const uint64_t odd = b % 2 ? std::min(a, b) : a, h = odd / 2;
            const gfab_verify_report torus = solve("torus:" + std::to_string(a) + "x" + std::to_string(b));
            EXPECT_EQ(torus.rounds, a / 2 + b / 2 + (b % 2 ? 3 : 1)) << a << "x" << b;
            EXPECT_EQ(torus.transfers, a * b + h * h + 3 * h + 1 - (b % 2 ? 0 : 2 * a)) << a << "x" << b;
        }
    EXPECT_EQ(solve("torus:21x21").rounds, 23u); // Beier & Sibeyn, Table 3
    EXPECT_EQ(solve("torus:9x4x4").rounds, 9u);
}

// A lemma's R and S at once: the fewest steps in at most so many rounds.
void expect_within(uint64_t a, uint64_t b, uint64_t rounds, uint64_t steps)
{
    const std::string spec = "mesh:" + std::to_string(a) + "x" + std::to_string(b);
    const gfab_verify_report made = solve(spec, "0", nullptr, static_cast<uint32_t>(rounds));
    EXPECT_LE(made.rounds, rounds) << spec;
    EXPECT_LE(made.transfers, steps) << spec << " in " << rounds;
}

TEST(MeshTelephone, Lemma3MeshesOfTwoOddSides)
{
    const uint64_t most = extent(11, 15);
    for (uint64_t a = 3; a <= most; a += 2)
        for (uint64_t b = 3; b <= most; b += 2)
            expect_within(a, b, a + (3 * b + 3) / 2, (a + 2) / 3 * (3 * b + 4) + 2 * a - 3);
    for (uint64_t b = 5; b <= 25; b += 2) { // three columns need no phase before; one step less than the lemma has
        const gfab_verify_report made = solve("mesh:3x" + std::to_string(b), "0");
        EXPECT_EQ(made.rounds, (3 * b + 3) / 2) << b;
        EXPECT_EQ(made.transfers, 3 * b + 3) << b;
    }
}

TEST(MeshTelephone, Lemma4MeshesOfTwoOddSides)
{
    const uint64_t most = extent(11, 15);
    for (uint64_t a = 3; a <= most; a += 2)
        for (uint64_t b = 5; b <= most; b += 2)
            for (uint64_t k = 3; k < b; k += 2)
                if (a * b <= 121 || (a >= b && (k == 3 || k == b - 2))) // (a + 1) (b + b/k + k/2 + 7/2) - 13/2
                    expect_within(a, b, a + b + (k + 1) / 2,
                                  ((a + 1) * (2 * k * b + 2 * b + k * k + 7 * k) - 13 * k) / (2 * k));
}

TEST(MeshTelephone, StripsTakeMoreRoundsForFewerSteps)
{
    struct {
        const char *spec, *startup;
        uint64_t rounds, transfers;
    } made[] = {{"mesh:3x5", "0", 9, 18},     {"mesh:3x7", "0", 12, 24},    {"mesh:5x5", "0", 14, 37},
                {"mesh:5x5", "5", 10, 42},    {"mesh:7x7", "0", 19, 66},    {"mesh:7x7", "5", 18, 67},
                {"mesh:7x7", "20", 14, 88},   {"mesh:9x9", "5", 23, 102},   {"mesh:9x9", "20", 18, 150},
                {"mesh:11x25", "5", 42, 343}, {"mesh:15x15", "5", 38, 262}, {"mesh:15x15", "20", 32, 360}};
    for (size_t i = 0; i < extent(9, 12); i++) {
        const auto &m = made[i];
        const gfab_verify_report r = solve(m.spec, m.startup);
        EXPECT_EQ(r.rounds, m.rounds) << m.spec << " " << m.startup;
        EXPECT_EQ(r.transfers, m.transfers) << m.spec << " " << m.startup;
    }
    // Three odd sides: no strips.
    EXPECT_EQ(solve("mesh:3x3x3", "0").rounds, solve("mesh:3x3x3").rounds);
}

TEST(MeshTelephone, StripsHonourLoads)
{
    uint32_t ones[25], uneven[25], last[25] = {0};
    for (uint32_t v = 0; v < 25; v++) {
        ones[v] = 1;
        uneven[v] = v * 7 % 4;
    }
    last[24] = 6;
    const gfab_verify_report plain = solve("mesh:5x5", "0"), same = solve("mesh:5x5", "0", ones);
    EXPECT_EQ(same.rounds, plain.rounds);
    EXPECT_EQ(same.transfers, plain.transfers);
    EXPECT_GE(solve("mesh:5x5", "0", uneven).transfers, 36u); // 36 tokens, some nodes start with none
    EXPECT_GE(solve("mesh:5x5", "0", last).transfers, 8u);    // as far as the other corner
}

TEST(MeshTelephone, KeepsToTheRoundsAskedFor)
{
    EXPECT_EQ(solve("mesh:5x5", "0", nullptr, 14).transfers, 37u);
    EXPECT_EQ(solve("mesh:5x5", "0", nullptr, 13).rounds, 13u);
    EXPECT_EQ(solve("mesh:5x5", "0", nullptr, 10).transfers, 42u);
    const Topology t = parse("mesh:5x5");
    const gfab_model f1 = {GFAB_LINK_FULL, GFAB_PORT_ONE, 25, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_solver_options options = gfab_solver_options_default();
    options.rounds = 9;
    gfab_schedule *s = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_solver_find("mesh-telephone")->solve(t.get(), &f1, &options, &s, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(s, nullptr);
    EXPECT_STREQ(diag.message, "mesh-telephone makes 10 rounds here, more than the 9 asked for");
}

TEST(MeshTelephone, Lemma5ToriOfMoreAxes)
{
    const gfab_verify_report torus = solve("torus:4x6x4"), four = solve("torus:4x4x4x4");
    EXPECT_EQ(torus.rounds, 7u);
    EXPECT_EQ(torus.transfers, 95u);
    EXPECT_EQ(four.rounds, 8u);
    EXPECT_EQ(four.transfers, 255u);
}

TEST(MeshTelephone, Lemma5MeshesOfMoreAxes)
{
    // Sum of a_i - d + 1 rounds; steps: docs/theory/telephone-gossip.md.
    for (uint64_t a = 4; a <= 8; a += 2)
        for (uint64_t b = 4; b <= a; b += 2)
            for (uint64_t c = 2; c <= b; c += 2) {
                const std::string spec =
                    "mesh:" + std::to_string(c) + "x" + std::to_string(a) + "x" + std::to_string(b);
                const gfab_verify_report mesh = solve(spec);
                EXPECT_EQ(mesh.rounds, a + b + c - 2 - (c == 2)) << spec;
                EXPECT_EQ(mesh.transfers, c == 2 ? 2 * a * b - 1 : a * b * c + b * c - 1) << spec;
            }
    EXPECT_EQ(solve("mesh:4x4x4x4").rounds, 13u);
    EXPECT_EQ(solve("mesh:4x4x4x4").transfers, 319u);
    const gfab_verify_report few = solve("mesh:4x4x4", "0");
    EXPECT_EQ(few.rounds, 11u);
    EXPECT_EQ(few.transfers, 75u);
}

TEST(MeshTelephone, LaddersAreOneCycle)
{
    for (uint64_t b = 2; b <= 12; b++) {
        const gfab_verify_report ladder = solve("mesh:2x" + std::to_string(b));
        EXPECT_EQ(ladder.rounds, b);
        EXPECT_EQ(ladder.transfers, 2 * b - 1);
    }
}

TEST(MeshTelephone, LoadsAreHonoured)
{
    const uint32_t twos[] = {2, 2, 2, 2, 2, 2};
    EXPECT_EQ(solve("cycle:6", nullptr, twos).transfers, 10u); // h (n - 1)
    const uint32_t broadcast[] = {0, 0, 0, 1, 0, 0};
    const gfab_verify_report one = solve("mesh:2x3", nullptr, broadcast);
    EXPECT_LE(one.transfers, one.rounds);
}

TEST(MeshTelephone, TheOrderOfTheAxesFollowsTheCost)
{
    // Rows of 4 or of 5 first: same rounds or fewer tokens; the cheaper at each startup.
    for (const char *startup : {"0", "1", "100"}) {
        const gfab_verify_report a = solve("torus:5x9", startup), b = solve("torus:9x5", startup);
        EXPECT_EQ(a.rounds, b.rounds);
        EXPECT_EQ(a.transfers, b.transfers);
    }
}

TEST(MeshTelephone, RefusesOtherModelsAndGraphs)
{
    const gfab_solver *solver = gfab_solver_find("mesh-telephone");
    const Topology grid = parse("mesh:4x4"), graph = parse("hypercube:4");
    const gfab_model f1 = {GFAB_LINK_FULL, GFAB_PORT_ONE, 16, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_model half = f1, small = f1;
    half.link_mode = GFAB_LINK_HALF;
    small.packet_tokens = 15;
    EXPECT_EQ(gfab_solver_applies(solver, grid.get(), &f1, nullptr), GFAB_OK);
    for (const gfab_model &m : {half, small})
        EXPECT_EQ(gfab_solver_applies(solver, grid.get(), &m, nullptr), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(gfab_solver_applies(solver, graph.get(), &f1, nullptr), GFAB_ERR_UNSUPPORTED);
}

} // namespace
