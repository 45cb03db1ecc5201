// SPDX-License-Identifier: MIT
// The solvers "search" and "auto".
#include "search_fixture.h"

#include <chrono>

namespace
{

TEST(SearchAtTheBound, SquareMeshes)
{
    for (uint32_t n = 2; n <= 20; n++)
        expect_search(grid("mesh", n, n), half);
    expect_search("mesh:32x32", half);
}

TEST(SearchAtTheBound, SquareMeshBoundIsTheTriangularNumber)
{
    for (uint32_t n = 2; n <= 32; n++)
        EXPECT_EQ(bound_of(parse(grid("mesh", n, n)), half), n * (n + 1) / 2);
}

TEST(SearchAtTheBound, MeshesOfUnequalSides)
{
    for (uint32_t m = 3; m <= 20; m++)
        for (uint32_t n = m + 1; n <= 20; n += 1 + m % 3)
            expect_search(grid("mesh", m, n), half);
    expect_search("mesh:16x32", half);
}

TEST(SearchAtTheBound, LongMeshesEitherWayRound)
{
    for (uint32_t k = 2; k <= 20; k++) {
        expect_search(grid("mesh", 2, k), half);
        expect_search(grid("mesh", k, 2), half);
    }
    for (uint32_t k = 21; k <= 40; k++)
        expect_search(grid("mesh", 3, k), half);
    expect_search("mesh:4x40", half);
    expect_search("mesh:6x32", half);
}

// The hub's ports have numbers of more than 8 bits.
TEST(SearchAtTheBound, NodesOfMoreThan255Links)
{
    for (const uint32_t leaves : {255u, 256u, 257u}) {
        std::string spec = "graph:" + std::to_string(leaves + 1) + ":";
        for (uint32_t leaf = 1; leaf <= leaves; leaf++)
            spec += (leaf > 1 ? ",0-" : "0-") + std::to_string(leaf);
        expect_search(spec, half);
    }
    for (const char *spec : {"complete:257", "complete:258"})
        expect_search(spec, half);
}

TEST(SearchAtTheBound, Paths)
{
    for (uint32_t n = 2; n <= 64; n++) {
        const std::string spec = "path:" + std::to_string(n);
        expect_search(spec, half);
        EXPECT_EQ(bound_of(parse(spec), half), 3 * n / 2 - 1) << spec;
    }
}

TEST(SearchAtTheBound, ToriAndCycles)
{
    for (uint32_t n = 2; n <= 32; n++)
        expect_search(grid("torus", 2, n), half);
    for (uint32_t n = 3; n <= 16; n++) {
        expect_search("cycle:" + std::to_string(n), half);
        expect_search(grid("torus", 3, n), half);
        expect_search(grid("torus", n, n), half);
    }
    EXPECT_EQ(bound_of(parse("torus:2x32"), half), (2 * (2 * 32 - 1) + 2) / 3u);
}

// Nodes that lost a link need more than half of what the others carry: links share out their rounds.
TEST(SearchAtTheBound, ToriWithDeadLinks)
{
    const uint32_t side = 16, dead = 24;
    std::string spec = grid("torus", side, side);
    for (uint32_t i = 0; i < dead; i++) {
        const uint32_t node = i / 6 * 5 * side + i % 6 * 2;
        spec += "+drop-link=" + std::to_string(node) + "-" + std::to_string(node + 1);
    }
    expect_search(spec, half);
    EXPECT_EQ(bound_of(parse(spec), half), 134u);
}

TEST(SearchAtTheBound, ThreeDimensionsAndMore)
{
    for (const char *sides : {"2x2x2", "2x3x4", "3x3x3", "4x4x4", "3x4x5", "2x2x8", "5x5x5", "2x2x2x2", "1x4x4"}) {
        expect_search(std::string("mesh:") + sides, half);
        expect_search(std::string("torus:") + sides, half);
    }
}

TEST(SearchAtTheBound, FullDuplex)
{
    for (uint32_t m = 2; m <= 9; m++)
        for (uint32_t n = m; n <= 9; n++) {
            expect_search(grid("mesh", m, n), full);
            expect_search(grid("torus", m, n), full);
        }
    expect_search("mesh:3x20", full);
    expect_search("mesh:16x16", full);
    expect_search("path:16", full);
    expect_search("torus:3x3x3", full);
}

TEST(SearchNearTheBound, SlowHops)
{
    const uint32_t diameter_mesh = 14, diameter_torus = 8;
    for (uint32_t lambda : {2u, 3u, 4u, 8u}) {
        expect_search("mesh:8x8", model_of(GFAB_LINK_HALF, 1, lambda), (lambda - 1) * (diameter_mesh - 1));
        expect_search("torus:8x8", model_of(GFAB_LINK_HALF, 1, lambda), (lambda - 1) * (diameter_torus - 1));
    }
    // Far better than that, so that a step back shows.
    for (uint32_t lambda : {2u, 4u, 8u}) {
        expect_search("mesh:8x8", model_of(GFAB_LINK_HALF, 1, lambda), 1);
        expect_search("torus:8x8", model_of(GFAB_LINK_HALF, 1, lambda), 2);
        expect_search("mesh:8x8", model_of(GFAB_LINK_FULL, 1, lambda), 1);
    }
    expect_search("path:2", model_of(GFAB_LINK_HALF, 1, UINT32_MAX));
}

TEST(SearchNearTheBound, PacketsOfSeveralTokens)
{
    for (uint32_t n = 3; n <= 10; n++) {
        expect_search(grid("mesh", n, n), model_of(GFAB_LINK_HALF, 2), 1);
        expect_search(grid("mesh", n, n), model_of(GFAB_LINK_HALF, 4), 2);
    }
    expect_search("mesh:8x8", model_of(GFAB_LINK_HALF, 8), 2);
    expect_search("torus:8x8", model_of(GFAB_LINK_HALF, 2), 1);
    expect_search("mesh:8x8", model_of(GFAB_LINK_FULL, 2), 1);
    expect_search("mesh:3x3", model_of(GFAB_LINK_HALF, 1000), 1); // more than there are tokens
}

struct Result {
    gfab_status status;
    Schedule schedule;
    std::string message;
};

Result run(const char *solver, const Topology &topology, const gfab_solver_options &options,
           const gfab_model &model = half)
{
    int dummy = 0;
    gfab_schedule *made = reinterpret_cast<gfab_schedule *>(&dummy);
    gfab_diag diag{};
    const gfab_status status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag);
    EXPECT_EQ(!!made, status == GFAB_OK);
    return {status, Schedule(made), diag.message};
}

gfab_solver_options with(uint64_t seed, uint32_t effort, uint32_t rounds)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.seed = seed;
    options.effort = effort;
    options.rounds = rounds;
    return options;
}

TEST(SearchOptions, SameSeedSameSchedule)
{
    for (const char *spec : {"mesh:6x6", "torus:2x7", "mesh:3x17"}) {
        const Topology topology = parse(spec);
        const std::string first = schedule_text(run("search", topology, with(7, 0, 0)).schedule);
        EXPECT_EQ(first, schedule_text(run("search", topology, with(7, 0, 0)).schedule)) << spec;
        EXPECT_NE(first, schedule_text(run("search", topology, with(8, 0, 0)).schedule)) << spec;
    }
}

TEST(SearchOptions, EverySeedMeetsTheBound)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        for (const char *spec : {"mesh:4x4", "mesh:2x7", "mesh:3x13", "mesh:5x6", "torus:2x5"}) {
            const Topology topology = parse(spec);
            const Result result = run("search", topology, with(seed, 0, 0));
            ASSERT_EQ(result.status, GFAB_OK);
            EXPECT_EQ(gfab_schedule_rounds(result.schedule.get()), bound_of(topology, half)) << spec << " " << seed;
        }
}

TEST(SearchOptions, RoundsAreAnUpperLimit)
{
    const Topology topology = parse("mesh:4x5");
    const uint32_t bound = static_cast<uint32_t>(bound_of(topology, half));
    for (uint32_t rounds : {bound, bound + 1, bound + 5, 10 * bound, GFAB_MAX_ROUNDS}) {
        const Result result = run("search", topology, with(1, 0, rounds));
        ASSERT_EQ(result.status, GFAB_OK) << result.message;
        EXPECT_LE(gfab_schedule_rounds(result.schedule.get()), rounds);
    }
    const Result below = run("search", topology, with(1, 0, bound - 1));
    EXPECT_EQ(below.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(below.message.find("lower bound is " + std::to_string(bound)), std::string::npos) << below.message;
}

// On a path of even length with slow hops the first tokens of the two ends meet in the middle, so that the diameter
// bound can't be met.
TEST(SearchOptions, RoundsThatCannotBeMetSayHowMuchIsMissing)
{
    const gfab_model slow = model_of(GFAB_LINK_HALF, 1, 4);
    const Topology topology = parse("path:4");
    const Result result = run("search", topology, with(1, 2, static_cast<uint32_t>(bound_of(topology, slow))), slow);
    EXPECT_EQ(result.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(result.message.find("at best 1 deliveries short"), std::string::npos) << result.message;
}

TEST(SearchOptions, OtherSolversHonourRounds)
{
    const Topology topology = parse("mesh:4x4");
    EXPECT_EQ(run("lau-zhang", topology, with(1, 0, 11)).status, GFAB_OK);
    const Result result = run("lau-zhang", topology, with(1, 0, 10));
    EXPECT_EQ(result.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(result.message.find("11 rounds"), std::string::npos) << result.message;
}

struct Stop {
    unsigned calls_left;
    unsigned long long highest;
};

int report(void *context, const char *, unsigned long long done, unsigned long long total)
{
    Stop *stop = static_cast<Stop *>(context);
    stop->highest = done > stop->highest ? done : stop->highest;
    EXPECT_LE(done, total);
    return stop->calls_left-- > 0;
}

TEST(SearchOptions, StopsWhenToldTo)
{
    // A search that can't succeed early: p = 2 on 4x4 has no schedule at its count bound that any seed finds at once.
    const gfab_model pairs = model_of(GFAB_LINK_HALF, 2);
    const Topology topology = parse("mesh:4x4");
    for (unsigned calls : {0u, 1u, 3u, 7u, 50u, 500u}) {
        Stop stop{calls, 0};
        const gfab_progress progress{report, &stop};
        gfab_solver_options options = gfab_solver_options_default();
        options.progress = &progress;
        EXPECT_EQ(run("search", topology, options, pairs).status, GFAB_ERR_INTERRUPTED) << calls;
        EXPECT_GT(stop.highest, 0u);
    }
}

TEST(SearchApplies, RefusesWhatItCannotDo)
{
    const Topology topology = parse("mesh:9x9");
    gfab_diag diag{};
    gfab_model one_port = half;
    one_port.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(gfab_solver_applies(gfab_solver_find("search"), topology.get(), &one_port, &diag), GFAB_ERR_UNSUPPORTED);
    const gfab_model large = model_of(GFAB_LINK_HALF, 65);
    EXPECT_EQ(gfab_solver_applies(gfab_solver_find("search"), topology.get(), &large, &diag), GFAB_ERR_UNSUPPORTED);
    const gfab_model slow = model_of(GFAB_LINK_HALF, 1, 100000);
    EXPECT_EQ(gfab_solver_applies(gfab_solver_find("search"), topology.get(), &slow, &diag), GFAB_ERR_LIMIT);
    EXPECT_EQ(run("search", topology, with(1, 0, 0), one_port).status, GFAB_ERR_UNSUPPORTED);
}

// Rounds of these are above the bound, or of schedules so rare that no try finds them: SAT says so.
TEST(Search, FewNodesAndLargePacketsTakeNoTime)
{
    struct {
        const char *spec;
        uint64_t above;
    } const cases[] = {{"path:4", 1}, {"mesh:2x2", 1}, {"cycle:5", 2}, {"graph:5:0-1,0-2,0-3,0-4", 0}};
    const auto start = std::chrono::steady_clock::now();
    for (const auto &c : cases)
        for (const uint32_t packet : {3u, 4u})
            expect_search(c.spec, model_of(GFAB_LINK_HALF, packet), packet == 3 && c.above == 0 ? 1 : c.above);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// Rounds of a schedule by "auto", verified, and who made it.
void expect_best(const std::string &spec, const gfab_model &model, uint64_t rounds, const char *solver)
{
    SCOPED_TRACE(spec);
    const Topology topology = parse(spec);
    const Result result = run("auto", topology, with(1, 0, 0), model);
    ASSERT_EQ(result.status, GFAB_OK) << result.message;
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(topology.get(), &model, result.schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.rounds, rounds);
    EXPECT_STREQ(gfab_schedule_solver(result.schedule.get()), solver);
}

TEST(Best, TakesAClosedFormThatMeetsTheBound)
{
    expect_best("path:9", half, 12, "lau-zhang");
    expect_best("torus:5x5", half, 12, "torus-tree");
    expect_best("mesh:5x5", half, 15, "comb");
    uint64_t promised = 0;
    EXPECT_EQ(gfab_solver_find("auto")->formula(parse("torus:5x5").get(), &half, &promised), GFAB_OK);
    EXPECT_EQ(promised, 12u);
    EXPECT_EQ(gfab_solver_find("auto")->formula(parse("mesh:2x9").get(), &half, &promised), GFAB_ERR_UNSUPPORTED);
}

TEST(Best, SearchesWhereNoClosedFormIsOptimal)
{
    expect_best("mesh:2x9", half, 13, "search");
    expect_best("torus:2x7", half, 9, "search");
}

TEST(Best, TakesTheCombWhereItMeetsTheBound)
{
    expect_best("mesh:3x4", half, 8, "comb");
    expect_best("mesh:9x7", half, 36, "comb");
    expect_best("mesh:5x6", half, 18, "search"); // comb: 19
    uint64_t promised = 0;
    EXPECT_EQ(gfab_solver_find("auto")->formula(parse("mesh:3x4").get(), &half, &promised), GFAB_ERR_UNSUPPORTED);
}

TEST(Best, IsNoLongerThanGreedyWhereLittleElseApplies)
{
    gfab_model one_port = half;
    one_port.port_mode = GFAB_PORT_ONE;
    one_port.packet_tokens = 2;
    const Topology topology = parse("mesh:3x4");
    const Result result = run("auto", topology, with(1, 0, 0), one_port);
    ASSERT_EQ(result.status, GFAB_OK) << result.message;
    const Result greedy = run("greedy", topology, with(1, 0, 0), one_port);
    EXPECT_LE(gfab_schedule_rounds(result.schedule.get()), gfab_schedule_rounds(greedy.schedule.get()));
}

TEST(Best, HonoursRounds)
{
    const Topology mesh = parse("mesh:2x9");
    EXPECT_EQ(run("auto", mesh, with(1, 0, 13)).status, GFAB_OK);
    EXPECT_EQ(run("auto", mesh, with(1, 0, 12)).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(run("auto", parse("torus:5x5"), with(1, 0, 11)).status, GFAB_ERR_UNSUPPORTED);
    const Topology rectangle = parse("mesh:5x6");
    const Result comb = run("auto", rectangle, with(1, 0, 19)), searched = run("auto", rectangle, with(1, 0, 18));
    ASSERT_EQ(comb.status, GFAB_OK) << comb.message;
    EXPECT_LE(gfab_schedule_rounds(comb.schedule.get()), 19u);
    ASSERT_EQ(searched.status, GFAB_OK) << searched.message;
    EXPECT_EQ(gfab_schedule_rounds(searched.schedule.get()), 18u);
    const Result below = run("auto", rectangle, with(1, 0, 17));
    EXPECT_EQ(below.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(below.schedule, nullptr);
    EXPECT_EQ(run("auto", parse("mesh:3x4"), with(1, 0, 7)).status, GFAB_ERR_UNSUPPORTED);
}

int stop_search(void *, const char *what, unsigned long long, unsigned long long)
{
    return std::string(what) != "deliveries";
}

TEST(Best, KeepsNoCombWhenTheSearchIsStopped)
{
    const gfab_progress progress = {stop_search, nullptr};
    gfab_solver_options options = with(1, 0, 0);
    options.progress = &progress;
    const Result stopped = run("auto", parse("mesh:5x6"), options);
    EXPECT_EQ(stopped.status, GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(stopped.schedule, nullptr);
    EXPECT_EQ(run("auto", parse("mesh:5x7"), options).status, GFAB_OK);
}

TEST(Best, IsWhatAutoTakes)
{
    const Result result = run("auto", parse("mesh:2x9"), with(1, 0, 0));
    ASSERT_EQ(result.status, GFAB_OK) << result.message;
    EXPECT_STREQ(gfab_schedule_solver(result.schedule.get()), "search");
}

} // namespace
