// SPDX-License-Identifier: MIT
// The solvers "search" and "torus-tree" on all that they are meant for: with GFAB_TESTS_LARGE.
#include "search_fixture.h"
#include "solvers/all_port/comb.h"

namespace
{

class Rows : public testing::TestWithParam<uint32_t>
{
};

INSTANTIATE_TEST_SUITE_P(All, Rows, testing::Range(3u, 21u));

TEST_P(Rows, EveryMeshMeetsTheBound)
{
    for (uint32_t n = GetParam(); n <= 20; n++)
        expect_search(grid("mesh", GetParam(), n), half);
}

TEST_P(Rows, EveryTorusMeetsTheBoundHalfAndFull)
{
    for (uint32_t n = GetParam(); n <= 20; n++) {
        expect_search(grid("torus", GetParam(), n), half);
        expect_search(grid("torus", GetParam(), n), full);
    }
}

TEST_P(Rows, SeveralTokensAPacket)
{
    expect_search(grid("mesh", GetParam(), GetParam()), model_of(GFAB_LINK_HALF, 2), 1);
    expect_search(grid("mesh", GetParam(), GetParam()), model_of(GFAB_LINK_HALF, 4), 2);
}

class TorusRows : public testing::TestWithParam<uint32_t>
{
};

INSTANTIATE_TEST_SUITE_P(All, TorusRows, testing::Range(3u, 65u));

// Whole schedules; optimal_test checks the trees, with the sides in either order.
TEST_P(TorusRows, EveryTreesScheduleMeetsTheBoundHalfAndFull)
{
    const uint32_t m = GetParam();
    for (uint32_t n = m; n <= 64; n++) {
        const std::string spec = grid("torus", m, n);
        for (const gfab_model &model : {half, full})
            expect_solver("torus-tree", spec, model);
        EXPECT_EQ(bound_of(parse(spec), half), m * n / 2) << spec;
        EXPECT_EQ(bound_of(parse(spec), full), (m * n + 2) / 4) << spec;
    }
}

TEST(SearchLarge, SquareMeshesMeetTheBound)
{
    for (uint32_t n = 21; n <= 32; n++)
        expect_search(grid("mesh", n, n), half);
    expect_search("mesh:48x48", half);
    expect_search("mesh:64x64", half);
}

// A schedule of 268 million moves is too large to keep: every move is checked as it comes.
struct Replay {
    const gfab_topology *topology;
    size_t words;
    std::vector<uint64_t> held;     // [node * words ...]: a bit set of tokens
    std::vector<uint32_t> last_use; // [link]: the last round that used it
    uint32_t rounds;
    uint64_t moves;
};

// First every move is held against what was known before the round, then all are entered.
gfab_status check_round(void *context, uint32_t round, const gfab_comb_move *moves, size_t count)
{
    Replay &r = *static_cast<Replay *>(context);
    for (size_t i = 0; i < count; i++) {
        const uint32_t token = moves[i].token, from = gfab_topology_arc_from(r.topology, moves[i].arc);
        if (r.last_use[moves[i].arc / 2] == round || !(r.held[from * r.words + token / 64] >> (token % 64) & 1))
            return GFAB_ERR_FAULT;
        r.last_use[moves[i].arc / 2] = round;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t token = moves[i].token, to = gfab_topology_arc_to(r.topology, moves[i].arc);
        const uint64_t bit = uint64_t{1} << (token % 64);
        if (r.held[to * r.words + token / 64] & bit)
            return GFAB_ERR_FAULT;
        r.held[to * r.words + token / 64] |= bit;
    }
    r.rounds = round;
    r.moves += count;
    return GFAB_OK;
}

gfab_status replay_comb(const gfab_topology *topology, Replay *replay)
{
    const size_t nodes = gfab_topology_node_count(topology), words = (nodes + 63) / 64;
    *replay = {topology, words, {}, {}, 0, 0};
    replay->held.resize(nodes * words);
    replay->last_use.resize(gfab_topology_link_count(topology));
    for (size_t v = 0; v < nodes; v++)
        replay->held[v * words + v / 64] |= uint64_t{1} << (v % 64);
    const gfab_solver_options options = gfab_solver_options_default();
    const gfab_comb_sink sink = {check_round, replay};
    return gfab_comb_stream(topology, &half, &options, &sink, nullptr);
}

// Each of the n (n - 1) 2 links carries a new token in each of the n (n + 1) / 2 rounds, so that none is missing.
TEST(CombLarge, Side128MeetsTheBound)
{
    const Topology mesh = parse("mesh:128x128");
    const uint64_t nodes = gfab_topology_node_count(mesh.get());
    Replay replay;
    ASSERT_EQ(replay_comb(mesh.get(), &replay), GFAB_OK);
    EXPECT_EQ(replay.rounds, 128u * 129 / 2);
    EXPECT_EQ(replay.moves, nodes * (nodes - 1));
}

} // namespace
