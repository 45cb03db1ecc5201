// SPDX-License-Identifier: MIT
#include "extent.h"
#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace
{

using Topology = std::unique_ptr<gfab_topology, decltype(&gfab_topology_destroy)>;
using Schedule = std::unique_ptr<gfab_schedule, decltype(&gfab_schedule_destroy)>;
using Moves = std::vector<std::tuple<uint32_t, gfab_arc, std::vector<uint32_t>>>;

Topology topology(const std::string &spec)
{
    gfab_topology *made = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(spec.c_str(), &made, &diag), GFAB_OK) << spec << ": " << diag.message;
    return Topology(made, gfab_topology_destroy);
}

std::string square(const char *family, uint32_t n)
{
    return std::string(family) + ":" + std::to_string(n) + "x" + std::to_string(n);
}

gfab_model model(gfab_link_mode link, gfab_port_mode port, uint32_t packet_tokens, uint32_t hop_rounds)
{
    return {link, port, packet_tokens, hop_rounds, GFAB_ROUTING_STORE_AND_FORWARD};
}

const gfab_model h_star = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1);

Schedule solve(const char *solver, const gfab_topology *on, const gfab_model &under = h_star, uint64_t seed = 1)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.seed = seed;
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_solver_find(solver)->solve(on, &under, &options, &made, &diag), GFAB_OK)
        << solver << " on " << gfab_topology_name(on) << ": " << diag.message;
    return Schedule(made, gfab_schedule_destroy);
}

gfab_status status_of(const char *solver, const gfab_topology *on, const gfab_model &under, gfab_diag *diag)
{
    const gfab_solver_options options = gfab_solver_options_default();
    int dummy = 0;
    gfab_schedule *made = reinterpret_cast<gfab_schedule *>(&dummy);
    const gfab_status status = gfab_solver_find(solver)->solve(on, &under, &options, &made, diag);
    EXPECT_EQ(made, nullptr);
    if (status != GFAB_ERR_LIMIT || std::string(solver) != "auto") { // which may still make a broadcast there
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find(solver), on, &under, nullptr), status);
    }
    return status;
}

Moves moves_of(const gfab_schedule *schedule)
{
    Moves moves;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter at = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (gfab_packet_next(&at, &packet))
            moves.emplace_back(round, packet.arcs[0],
                               std::vector<uint32_t>(packet.tokens, packet.tokens + packet.token_count));
    }
    return moves;
}

// The schedule is a gossip with no token sent twice to a node, in just these rounds, and so says formula().
void expect_rounds(const char *solver, const std::string &spec, uint64_t rounds)
{
    SCOPED_TRACE(std::string(solver) + " on " + spec);
    const Topology on = topology(spec);
    ASSERT_NE(on, nullptr);
    const Schedule schedule = solve(solver, on.get());
    ASSERT_NE(schedule, nullptr);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(on.get(), &h_star, schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.rounds, rounds);
    EXPECT_EQ(gfab_schedule_rounds(schedule.get()), rounds);
    const uint64_t nodes = gfab_topology_node_count(on.get());
    EXPECT_EQ(report.moves, nodes * (nodes - 1));
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_STREQ(gfab_schedule_solver(schedule.get()), solver);
    EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(schedule.get()), &h_star));
    uint64_t promised = 0;
    ASSERT_EQ(gfab_solver_find(solver)->formula(on.get(), &h_star, &promised), GFAB_OK);
    EXPECT_EQ(promised, rounds);
}

class Sides : public testing::TestWithParam<uint32_t>
{
};

// The tests over all sides take n, n + 8, n + 16, ... each, so that ctest can run them side by side.
INSTANTIATE_TEST_SUITE_P(EveryEighth, Sides, testing::Range(2u, 10u));

TEST_P(Sides, LauZhangMeshMeetsItsFormula)
{
    for (uint32_t n = GetParam(); n <= extent(40, 64); n += 8)
        expect_rounds("lau-zhang", square("mesh", n), n == 3 ? 6 : n * n / 2 + n - (n % 2 ? 0 : 1));
}

TEST_P(Sides, LauZhangTorusMeetsItsFormula)
{
    for (uint32_t n = GetParam(); n <= extent(40, 64); n += 8)
        expect_rounds("lau-zhang", square("torus", n), n == 2 ? 3 : n % 2 ? (n * n + 1) / 2 + 1 : n * n / 2);
}

TEST_P(Sides, FujitaYamashitaMeetsItsFormula)
{
    for (uint32_t n = GetParam(); n <= extent(40, 64); n += 8)
        expect_rounds("fujita-yamashita", square("mesh", n), n * n / 2 + 2 * n - (n % 2 ? 2 : 3));
}

TEST_P(Sides, LauZhangPathAndCycleMeetTheirFormulas)
{
    for (uint32_t n = GetParam(); n <= 64; n += 8) {
        expect_rounds("lau-zhang", "path:" + std::to_string(n), n + n / 2 - 1);
        if (n > 2)
            expect_rounds("lau-zhang", "cycle:" + std::to_string(n), n - 1);
    }
}

TEST(LauZhang, FirstMeshesAsPublished)
{
    const uint64_t rounds[] = {3, 6, 11, 17, 23, 31, 39, 49, 59, 71, 83, 97, 111, 127, 143};
    for (uint32_t n = 2; n <= 16; n++)
        expect_rounds("lau-zhang", square("mesh", n), rounds[n - 2]);
}

TEST(LauZhang, SidesOfOneAreLeftOut)
{
    expect_rounds("lau-zhang", "mesh:1x9", 12);
    expect_rounds("lau-zhang", "mesh:9x1", 12);
    expect_rounds("lau-zhang", "mesh:1x9x1", 12);
    expect_rounds("lau-zhang", "torus:1x2", 2);
    expect_rounds("lau-zhang", "torus:5x1", 4);
    expect_rounds("lau-zhang", "mesh:4x1x4", 11);
    expect_rounds("lau-zhang", "torus:1x5x5", 14);
    expect_rounds("fujita-yamashita", "mesh:4x1x4", 13);
}

// In the rounds up to `last` a token moves only along its own row (even nodes) or column (odd nodes), and gets to all
// of it; after them it moves only along the other axis.
void expect_separate_phases(const char *solver, const char *family, uint32_t n, uint32_t last)
{
    SCOPED_TRACE(std::string(solver) + " on " + square(family, n));
    const Topology on = topology(square(family, n));
    const Schedule schedule = solve(solver, on.get());
    ASSERT_NE(schedule, nullptr);
    size_t phase1 = 0;
    for (const auto &[round, arc, tokens] : moves_of(schedule.get())) {
        const uint32_t from = gfab_topology_arc_from(on.get(), arc), to = gfab_topology_arc_to(on.get(), arc);
        const uint32_t token = tokens.at(0);
        const bool horizontal = from / n == to / n, even = (token / n + token % n) % 2 == 0;
        EXPECT_EQ(horizontal == even, round <= last) << "round " << round << " token " << token;
        if (round > last)
            continue;
        EXPECT_EQ(even ? token / n : token % n, even ? from / n : from % n) << "round " << round;
        phase1++;
    }
    EXPECT_EQ(phase1, size_t{n} * n * (n - 1));
}

TEST(FujitaYamashita, PhasesDoNotOverlap)
{
    for (uint32_t n = 2; n <= 9; n++)
        expect_separate_phases("fujita-yamashita", "mesh", n, n - 1);
}

TEST(LauZhang, TorusPhasesDoNotOverlap)
{
    for (uint32_t n = 3; n <= 9; n++)
        expect_separate_phases("lau-zhang", "torus", n, (n + 1) / 2);
}

// On a mesh the first tokens of phase 2 move while phase 1 is still on.
TEST(LauZhang, MeshPhasesOverlap)
{
    const Topology on = topology("mesh:8x8");
    const Schedule schedule = solve("lau-zhang", on.get());
    size_t early = 0;
    for (const auto &[round, arc, tokens] : moves_of(schedule.get())) {
        const bool horizontal = gfab_topology_arc_from(on.get(), arc) / 8 == gfab_topology_arc_to(on.get(), arc) / 8;
        const bool even = (tokens.at(0) / 8 + tokens.at(0) % 8) % 2 == 0;
        early += round < 8 && horizontal != even;
    }
    // Section 3.1: n/2 - 1 white wires of n - 1 links in each of 2n lines, at least.
    EXPECT_GE(early, 16u * 7u * 3u);
}

TEST(Solvers, RefuseWhatTheyAreNotFor)
{
    const char *const shapes[] = {"mesh:2x3", "torus:3x4", "torus:2x5", "mesh:3x3x3", "torus:3x3x3"};
    for (const char *spec : shapes) {
        const Topology on = topology(spec);
        for (const char *solver : {"lau-zhang", "fujita-yamashita"}) {
            gfab_diag diag{};
            EXPECT_EQ(status_of(solver, on.get(), h_star, &diag), GFAB_ERR_UNSUPPORTED) << solver << spec;
            EXPECT_NE(std::string(diag.message).find(spec), std::string::npos) << diag.message;
            uint64_t rounds;
            EXPECT_EQ(gfab_solver_find(solver)->formula(on.get(), &h_star, &rounds), GFAB_ERR_UNSUPPORTED);
        }
    }
    for (const char *spec : {"torus:4x4", "path:5", "cycle:5"})
        EXPECT_EQ(status_of("fujita-yamashita", topology(spec).get(), h_star, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
}

TEST(Solvers, RefuseOtherModels)
{
    const Topology on = topology("mesh:4x4");
    for (const gfab_model &other :
         {model(GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1), model(GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1),
          model(GFAB_LINK_HALF, GFAB_PORT_ALL, 2, 1), model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 2)}) {
        for (const char *solver : {"lau-zhang", "fujita-yamashita"}) {
            gfab_diag diag{};
            EXPECT_EQ(status_of(solver, on.get(), other, &diag), GFAB_ERR_UNSUPPORTED);
            EXPECT_NE(std::string(diag.message).find(solver), std::string::npos) << diag.message;
            uint64_t rounds;
            EXPECT_EQ(gfab_solver_find(solver)->formula(on.get(), &other, &rounds), GFAB_ERR_UNSUPPORTED);
        }
    }
}

TEST(Solvers, InvalidModelsAndLargeTopologies)
{
    const Topology small = topology("mesh:3x3"), large = topology("path:20000");
    for (size_t i = 0; gfab_solver_at(i); i++) {
        const char *name = gfab_solver_at(i)->name;
        if (gfab_solver_at(i)->broadcasts) // refuses all gossip
            continue;
        EXPECT_EQ(status_of(name, small.get(), model(GFAB_LINK_HALF, GFAB_PORT_ALL, 0, 1), nullptr), GFAB_ERR_INVALID);
        EXPECT_EQ(status_of(name, small.get(), model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 0), nullptr), GFAB_ERR_INVALID);
        const gfab_status status = status_of(name, large.get(), h_star, nullptr);
        EXPECT_TRUE(status == GFAB_ERR_LIMIT || (status == GFAB_ERR_UNSUPPORTED &&
                                                 status_of(name, small.get(), h_star, nullptr) == GFAB_ERR_UNSUPPORTED))
            << name;
    }
}

TEST(Solvers, TheTableIsSound)
{
    std::set<std::string> names;
    size_t count = 0;
    for (; const gfab_solver *solver = gfab_solver_at(count); count++) {
        EXPECT_TRUE(names.insert(solver->name).second) << solver->name;
        EXPECT_EQ(gfab_solver_find(solver->name), solver);
        EXPECT_NE(std::string(solver->summary), "");
        EXPECT_NE(std::string(solver->source), "");
        EXPECT_EQ(std::string(solver->summary).find('\n'), std::string::npos);
    }
    EXPECT_STREQ(gfab_solver_at(0)->name, "auto");
    for (const char *name : {"mesh-telephone", "comb", "fujita-yamashita", "greedy", "lau-zhang", "search"})
        EXPECT_TRUE(names.count(name)) << name;
    EXPECT_EQ(gfab_solver_at(count), nullptr);
    EXPECT_EQ(gfab_solver_at(SIZE_MAX), nullptr);
    EXPECT_EQ(gfab_solver_find("lau_zhang"), nullptr);
    EXPECT_EQ(gfab_solver_find(""), nullptr);
}

// Who asks for a solver by a name of earlier versions is told which one to take: one that there is.
TEST(Registry, FormerNamesHaveASuccessor)
{
    for (const char *former : {"beam", "beier-sibeyn", "best"}) {
        const char *successor = gfab_solver_successor(former);
        EXPECT_EQ(gfab_solver_find(former), nullptr) << former;
        ASSERT_NE(successor, nullptr) << former;
        EXPECT_NE(gfab_solver_find(successor), nullptr) << former;
    }
    EXPECT_STREQ(gfab_solver_successor("best"), "auto");
    EXPECT_EQ(gfab_solver_successor("auto"), nullptr);
    EXPECT_EQ(gfab_solver_successor("magic"), nullptr);
}

const char *const spread[] = {"path:2",    "path:7",   "cycle:3",    "cycle:8",    "mesh:1x5",
                              "mesh:2x5",  "mesh:3x7", "mesh:4x4",   "mesh:2x2x2", "torus:3x5",
                              "torus:2x4", "mesh:9x9", "mesh:2x3x4", "torus:5x5",  "torus:3x3x3"};

TEST(Greedy, ValidUnderEveryModel)
{
    for (const char *spec : spread) {
        const Topology on = topology(spec);
        const uint64_t nodes = gfab_topology_node_count(on.get());
        for (gfab_link_mode link : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (gfab_port_mode port : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                for (uint32_t p : {1u, 2u, 4u, 1000u})
                    for (uint32_t hop_rounds : {1u, 2u, 3u}) {
                        const gfab_model under = model(link, port, p, hop_rounds);
                        SCOPED_TRACE(std::string(spec) + " " + gfab_model_symbol(&under) + " p " + std::to_string(p) +
                                     " lambda " + std::to_string(hop_rounds));
                        const Schedule schedule = solve("greedy", on.get(), under);
                        ASSERT_NE(schedule, nullptr);
                        gfab_verify_report report;
                        ASSERT_EQ(gfab_verify(on.get(), &under, schedule.get(), nullptr, &report), GFAB_OK)
                            << report.message;
                        EXPECT_EQ(report.redundant, 0u);
                        uint64_t deliveries = 0;
                        for (const auto &packet : moves_of(schedule.get()))
                            deliveries += std::get<2>(packet).size();
                        EXPECT_EQ(deliveries, nodes * (nodes - 1));
                        EXPECT_STREQ(gfab_schedule_solver(schedule.get()), "greedy");
                        EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(schedule.get()), &under));
                    }
    }
}

// It uses what a model allows: the checker refuses its schedule under each stricter one.
TEST(Greedy, UsesTheModelItIsGiven)
{
    const Topology on = topology("mesh:4x4");
    const Schedule free = solve("greedy", on.get(), model(GFAB_LINK_FULL, GFAB_PORT_ALL, 2, 1));
    const struct {
        gfab_model under;
        gfab_fault fault;
    } stricter[] = {
        {model(GFAB_LINK_HALF, GFAB_PORT_ALL, 2, 1), GFAB_FAULT_LINK_BUSY},
        {model(GFAB_LINK_FULL, GFAB_PORT_ONE, 2, 1), GFAB_FAULT_PORT_BUSY},
        {model(GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1), GFAB_FAULT_PACKET_SIZE},
        {model(GFAB_LINK_FULL, GFAB_PORT_ALL, 2, 2), GFAB_FAULT_TOKEN_TOO_NEW},
    };
    for (const auto &s : stricter) {
        gfab_verify_report report;
        EXPECT_EQ(gfab_verify(on.get(), &s.under, free.get(), nullptr, &report), GFAB_ERR_FAULT);
        EXPECT_STREQ(gfab_fault_name(report.fault), gfab_fault_name(s.fault));
    }
}

TEST(Greedy, SameSeedSameSchedule)
{
    for (const gfab_model &under : {h_star, model(GFAB_LINK_FULL, GFAB_PORT_ONE, 3, 2)}) {
        const Topology on = topology("mesh:5x7");
        const Moves first = moves_of(solve("greedy", on.get(), under, 7).get());
        EXPECT_EQ(first, moves_of(solve("greedy", on.get(), under, 7).get()));
        EXPECT_NE(first, moves_of(solve("greedy", on.get(), under, 8).get()));
    }
}

// Moves over links, rounded up: no schedule takes fewer rounds.
uint64_t count_bound(const gfab_topology *on)
{
    const uint64_t nodes = gfab_topology_node_count(on), links = gfab_topology_link_count(on);
    return (nodes * (nodes - 1) + links - 1) / links;
}

TEST(Greedy, CloseToTheCountBound)
{
    for (const char *spec : {"mesh:4x4", "mesh:5x5", "mesh:8x8", "mesh:5x7", "mesh:16x16", "mesh:10x20", "torus:4x4",
                             "torus:7x7", "torus:16x16", "torus:3x3x3", "mesh:4x4x4"}) {
        const Topology on = topology(spec);
        const uint64_t bound = count_bound(on.get());
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const uint32_t rounds = gfab_schedule_rounds(solve("greedy", on.get(), h_star, seed).get());
            EXPECT_GE(rounds, bound) << spec;
            EXPECT_LE(rounds, bound + (bound * 15 + 99) / 100) << spec << " seed " << seed;
        }
    }
}

// Rounds in which nothing can move are skipped, and a schedule of more rounds than there are numbers is refused.
TEST(Greedy, LongHops)
{
    const Topology on = topology("path:3");
    const gfab_model slow = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1000);
    const Schedule schedule = solve("greedy", on.get(), slow);
    ASSERT_NE(schedule, nullptr);
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(on.get(), &slow, schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_GE(report.rounds, 1001u);
    EXPECT_LE(report.rounds, 1004u);
    const gfab_model endless = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, UINT32_MAX);
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *none = nullptr;
    EXPECT_EQ(gfab_solver_find("greedy")->solve(on.get(), &endless, &options, &none, nullptr), GFAB_ERR_LIMIT);
    EXPECT_EQ(none, nullptr);
}

TEST(Auto, TakesTheBestThatApplies)
{
    const gfab_model f1 = model(GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1);
    const gfab_model telephone = model(GFAB_LINK_FULL, GFAB_PORT_ONE, 121, 1);
    const struct {
        const char *spec;
        gfab_model under;
        const char *solver;
    } cases[] = {{"mesh:4x4", h_star, "comb"},
                 {"mesh:2x2", h_star, "comb"},
                 {"torus:5x5", h_star, "torus-tree"},
                 {"torus:4x4", h_star, "torus-tree"},
                 {"cycle:6", h_star, "torus-tree"},
                 {"torus:3x3x3", h_star, "torus-tree"},
                 {"path:6", h_star, "lau-zhang"},
                 {"mesh:2x5", h_star, "search"},
                 {"mesh:4x4", f1, "waves"},
                 {"mesh:3x3", f1, "matching"},
                 {"torus:8x8", telephone, "mesh-telephone"},
                 {"torus:11x11", telephone, "mesh-telephone"}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.spec);
        const Topology on = topology(c.spec);
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find("auto"), on.get(), &c.under, nullptr), GFAB_OK);
        const Schedule schedule = solve("auto", on.get(), c.under);
        ASSERT_NE(schedule, nullptr);
        EXPECT_STREQ(gfab_schedule_solver(schedule.get()), c.solver);
        EXPECT_EQ(moves_of(schedule.get()), moves_of(solve(c.solver, on.get(), c.under).get()));
        uint64_t rounds = 0;
        const bool promised = gfab_solver_find("auto")->formula(on.get(), &c.under, &rounds) == GFAB_OK;
        EXPECT_EQ(promised, c.under.port_mode == GFAB_PORT_ALL && std::string(c.solver) != "search");
        if (promised) {
            EXPECT_EQ(rounds, gfab_schedule_rounds(schedule.get()));
        }
    }
}

struct Progress {
    std::vector<unsigned long long> done;
    std::set<unsigned long long> totals;
    std::set<std::string> what;
    size_t stop_after = SIZE_MAX;
};

int report_to(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    auto *seen = static_cast<Progress *>(context);
    seen->done.push_back(done);
    seen->totals.insert(total);
    seen->what.insert(what);
    return seen->done.size() < seen->stop_after;
}

gfab_status solve_with(const char *solver, const char *spec, Progress *seen)
{
    const Topology on = topology(spec);
    const gfab_progress progress = {report_to, seen};
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = &progress;
    int dummy = 0;
    gfab_schedule *made = reinterpret_cast<gfab_schedule *>(&dummy);
    const gfab_status status = gfab_solver_find(solver)->solve(on.get(), &h_star, &options, &made, nullptr);
    EXPECT_EQ(!!made, status == GFAB_OK);
    gfab_schedule_destroy(made);
    return status;
}

TEST(Solvers, ReportProgressAndStopWhenTold)
{
    const struct {
        const char *solver, *spec, *what;
        unsigned long long total;
    } cases[] = {{"lau-zhang", "mesh:5x5", "rounds", 17},        {"lau-zhang", "torus:5x5", "rounds", 14},
                 {"lau-zhang", "mesh:2x2", "rounds", 3},         {"lau-zhang", "path:9", "rounds", 12},
                 {"lau-zhang", "cycle:9", "rounds", 8},          {"auto", "mesh:4x4", "rounds", 10},
                 {"fujita-yamashita", "mesh:5x5", "rounds", 20}, {"greedy", "mesh:3x4", "deliveries", 132}};
    for (const auto &c : cases) {
        SCOPED_TRACE(std::string(c.solver) + " on " + c.spec);
        Progress all;
        EXPECT_EQ(solve_with(c.solver, c.spec, &all), GFAB_OK);
        EXPECT_EQ(all.what, std::set<std::string>{c.what});
        EXPECT_EQ(all.totals, std::set<unsigned long long>{c.total});
        ASSERT_FALSE(all.done.empty());
        EXPECT_EQ(all.done.back(), c.total);
        for (size_t i = 1; i < all.done.size(); i++)
            EXPECT_LT(all.done[i - 1], all.done[i]);
        for (size_t stop : {size_t{1}, all.done.size() - 1}) {
            Progress some;
            some.stop_after = stop;
            EXPECT_EQ(solve_with(c.solver, c.spec, &some), GFAB_ERR_INTERRUPTED);
            EXPECT_EQ(some.done.size(), stop);
        }
    }
}

} // namespace
