// SPDX-License-Identifier: MIT
// The comb on meshes that are no squares (docs/theory/optimal-gossip.md, section 7). Squares: optimal_test.cc.
#include "fixture.h"
#include "solvers/all_port/comb.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

const gfab_model h_star = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

struct Move {
    uint32_t round;
    gfab_arc arc;
    uint32_t token;
    bool operator==(const Move &o) const { return round == o.round && arc == o.arc && token == o.token; }
};

std::string mesh(uint32_t rows, uint32_t columns)
{
    return "mesh:" + std::to_string(rows) + "x" + std::to_string(columns);
}

uint32_t count_bound(uint32_t m, uint32_t n)
{
    const uint32_t nodes = m * n, links = 2 * nodes - m - n;
    return (nodes * (nodes - 1) + links - 1) / links;
}

struct Result {
    gfab_status status;
    std::string message;
    Schedule schedule;
};

Result solve(const char *solver, const Topology &on, uint32_t rounds = 0, const gfab_progress *progress = nullptr)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.rounds = rounds;
    options.progress = progress;
    const gfab_status status = gfab_solver_find(solver)->solve(on.get(), &h_star, &options, &made, &diag);
    return {status, diag.message, Schedule(made)};
}

// The rounds of a comb that is checked; 0 if there is none.
uint32_t comb_rounds(const Topology &on)
{
    const Result result = solve("comb", on);
    EXPECT_EQ(result.status, GFAB_OK) << result.message;
    if (!result.schedule)
        return 0;
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(on.get(), &h_star, result.schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.redundant, 0u);
    return static_cast<uint32_t>(report.rounds);
}

uint32_t comb_rounds(uint32_t rows, uint32_t columns)
{
    SCOPED_TRACE(mesh(rows, columns));
    return comb_rounds(parse(mesh(rows, columns)));
}

TEST(CombMesh, MeetsTheCountBoundOrMissesItByOne)
{
    // The sizes at one round more.
    const std::set<std::pair<uint32_t, uint32_t>> longer = {
        {3, 8},   {3, 9},   {3, 13},  {3, 14},  {3, 18},  {3, 19},  {3, 20}, {4, 14}, {4, 18},
        {4, 20},  {5, 6},   {5, 10},  {5, 14},  {5, 19},  {5, 20},  {6, 9},  {6, 13}, {6, 17},
        {6, 20},  {7, 12},  {7, 16},  {7, 18},  {7, 20},  {8, 19},  {9, 10}, {9, 14}, {9, 18},
        {10, 13}, {10, 17}, {11, 20}, {13, 14}, {13, 18}, {14, 17}, {17, 18}};
    for (uint32_t m = 3; m <= 20; m++)
        for (uint32_t n = m + 1; n <= 20; n++)
            EXPECT_EQ(comb_rounds(m, n), count_bound(m, n) + longer.count({m, n})) << m << "x" << n;
}

TEST(CombMesh, MeetsTheCountBoundOnLargeMeshes)
{
    for (const auto &[m, n] : {std::pair{16u, 32u}, {10u, 60u}, {31u, 37u}, {32u, 33u}, {20u, 40u}, {24u, 48u}})
        EXPECT_EQ(comb_rounds(m, n), count_bound(m, n)) << m << "x" << n;
}

TEST(CombMesh, ThinMeshes)
{
    for (const auto &[m, n] : {std::pair{3u, 24u}, {3u, 32u}, {3u, 40u}, {4u, 40u}, {6u, 32u}})
        EXPECT_EQ(comb_rounds(m, n), count_bound(m, n) + 1) << m << "x" << n;
    EXPECT_LE(comb_rounds(8, 100), count_bound(8, 100) + 2);
}

TEST(CombMesh, TurnsWithTheMesh)
{
    for (const auto &[m, n] : {std::pair{3u, 4u}, {5u, 6u}, {4u, 9u}, {7u, 10u}, {12u, 19u}})
        EXPECT_EQ(comb_rounds(n, m), comb_rounds(m, n)) << m << "x" << n;
    EXPECT_EQ(comb_rounds(parse("mesh:3x1x4")), 8u);
}

// ---- Trees ----

std::vector<Move> moves_of(const gfab_schedule *schedule)
{
    std::vector<Move> moves;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter at = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (gfab_packet_next(&at, &packet))
            moves.push_back({round, packet.arcs[0], packet.tokens[0]});
    }
    return moves;
}

// Whether what brings token (a, b) to the nodes is a trunk, spines and teeth: the tree of section 2 or its transpose.
// sideways[node]: the token came over a link of the node's row.
bool is_comb_tree(const std::vector<bool> &sideways, uint32_t rows, uint32_t columns, uint32_t a, uint32_t b)
{
    for (const bool row_trunk : {true, false})
        for (const uint32_t parity : {0u, 1u}) {
            bool same = true;
            for (uint32_t i = 0; i < rows; i++)
                for (uint32_t j = 0; j < columns; j++) {
                    const bool on_trunk = row_trunk ? i == a : j == b;
                    const bool on_spine = (row_trunk ? j : i) % 2 == parity;
                    const bool along_trunk = on_trunk || !on_spine;
                    if ((i != a || j != b) && sideways[i * columns + j] != (along_trunk == row_trunk))
                        same = false;
                }
            if (same)
                return true;
        }
    return false;
}

// Tokens that do not take a comb's tree.
uint32_t other_trees(const Topology &on, const gfab_schedule *schedule)
{
    const uint32_t rows = gfab_topology_side(on.get(), 0), columns = gfab_topology_side(on.get(), 1);
    const uint32_t nodes = rows * columns;
    std::vector<std::vector<bool>> sideways(nodes, std::vector<bool>(nodes));
    for (const Move &move : moves_of(schedule)) {
        const uint32_t from = gfab_topology_arc_from(on.get(), move.arc), to = gfab_topology_arc_to(on.get(), move.arc);
        sideways[move.token][to] = from / columns == to / columns;
    }
    uint32_t others = 0;
    for (uint32_t token = 0; token < nodes; token++)
        others += !is_comb_tree(sideways[token], rows, columns, token / columns, token % columns);
    return others;
}

TEST(CombMesh, EveryTokenTakesATrunkSpinesAndTeeth)
{
    for (const char *spec : {"mesh:3x4", "mesh:3x7", "mesh:8x5", "mesh:6x13", "mesh:9x9", "mesh:16x7"}) {
        const Topology on = parse(spec);
        EXPECT_EQ(other_trees(on, solve("comb", on).schedule.get()), 0u) << spec;
        EXPECT_GT(other_trees(on, solve("search", on).schedule.get()), 0u) << spec;
    }
}

// ---- The solver's frame ----

gfab_status keep_round(void *context, uint32_t round, const gfab_comb_move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        static_cast<std::vector<Move> *>(context)->push_back({round, moves[i].arc, moves[i].token});
    return GFAB_OK;
}

TEST(CombMesh, StreamsWhatItSolves)
{
    const gfab_solver_options options = gfab_solver_options_default();
    for (const char *spec : {"mesh:3x4", "mesh:5x6", "mesh:9x4"}) {
        const Topology on = parse(spec);
        std::vector<Move> moves;
        const gfab_comb_sink sink = {keep_round, &moves};
        ASSERT_EQ(gfab_comb_stream(on.get(), &h_star, &options, &sink, nullptr), GFAB_OK);
        EXPECT_EQ(moves, moves_of(solve("comb", on).schedule.get())) << spec;
    }
}

TEST(CombMesh, PromisesNothingButHonoursRounds)
{
    const Topology on = parse("mesh:5x6");
    uint64_t rounds = 0;
    EXPECT_EQ(gfab_solver_find("comb")->formula(on.get(), &h_star, &rounds), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(solve("comb", on, 19).status, GFAB_OK);
    const Result shorter = solve("comb", on, 18);
    EXPECT_EQ(shorter.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(shorter.message, "comb: comb makes 19 rounds here, more than the 18 asked for");
    EXPECT_EQ(shorter.schedule, nullptr);
}

int count_reports(void *context, const char *, unsigned long long, unsigned long long)
{
    return --*static_cast<int *>(context) > 0;
}

TEST(CombMesh, StopsWhenTold)
{
    const Topology on = parse("mesh:5x6");
    for (int reports : {1, 10, 30}) { // while it tries plans, and while it makes the schedule
        const gfab_progress progress = {count_reports, &reports};
        const Result result = solve("comb", on, 0, &progress);
        EXPECT_EQ(result.status, GFAB_ERR_INTERRUPTED);
        EXPECT_EQ(result.schedule, nullptr);
    }
}

} // namespace
