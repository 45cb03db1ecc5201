// SPDX-License-Identifier: MIT
// The torus tree of docs/theory/optimal-gossip.md. What the page calls a lemma is asserted here on the running
// construction, by its number; and auto, which takes the best of the page.
#include "optimal_fixture.h"
#include "solvers/all_port/relative_tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace
{

using Tree = Owner<gfab_relative_tree, gfab_relative_tree_destroy>;
using Steps = std::vector<gfab_relative_step>;

class Shard : public testing::TestWithParam<uint32_t>
{
};

// The tests over all sides take every eighth each, so that ctest can run them side by side.
INSTANTIATE_TEST_SUITE_P(EveryEighth, Shard, testing::Range(2u, 10u));

uint32_t neighbour(const gfab_topology *on, uint32_t node, size_t axis, unsigned direction)
{
    uint32_t stride = 1;
    for (size_t d = gfab_topology_dimensions(on); --d > axis;)
        stride *= gfab_topology_side(on, d);
    const uint32_t side = gfab_topology_side(on, axis), c = node / stride % side;
    return node - c * stride + (c + (direction ? side - 1 : 1)) % side * stride;
}

// What is wrong with a tree; "" if nothing is.
std::string fault_of(const gfab_topology *on, const gfab_model &under, const Steps &steps)
{
    const size_t nodes = gfab_topology_node_count(on);
    if (steps.size() != nodes - 1)
        return "not one step an offset";
    std::vector<int64_t> since(nodes, INT64_MAX); // the round from which an offset may send
    since[0] = 1;
    for (size_t i = 0; i < steps.size(); i++) {
        const gfab_relative_step &s = steps[i];
        const bool full = under.link_mode == GFAB_LINK_FULL;
        if (i && (steps[i - 1].round > s.round ||
                  (steps[i - 1].round == s.round && steps[i - 1].link_class >= s.link_class)))
            return "not in order, or a class twice in a round";
        for (size_t j = 0; j < i && j < 64; j++) {
            const gfab_relative_step &t = steps[i - 1 - j];
            const bool same_way = t.axis == s.axis && (!full || t.direction == s.direction);
            if (same_way != (t.link_class == s.link_class))
                return "a class is not an axis, or an axis and a direction";
        }
        if (s.from >= nodes || s.to >= nodes || s.axis >= gfab_topology_dimensions(on) || s.direction > 1 ||
            neighbour(on, s.from, s.axis, s.direction) != s.to)
            return "a step does not go where it says";
        if (since[s.from] > s.round)
            return "an offset sends too early";
        if (since[s.to] != INT64_MAX)
            return "an offset is reached twice";
        since[s.to] = int64_t{s.round} + under.hop_rounds;
    }
    return "";
}

Tree tree_of(const Topology &on, const gfab_model &under)
{
    gfab_relative_tree *tree = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_relative_tree_create(on.get(), &under, &tree, &diag), GFAB_OK) << diag.message;
    return Tree(tree);
}

Steps steps_of(const Tree &tree)
{
    return Steps(tree->steps, tree->steps + tree->step_count);
}

uint32_t tree_rounds(const Topology &on, const gfab_model &under)
{
    const Tree tree = tree_of(on, under);
    const Steps steps = steps_of(tree);
    EXPECT_EQ(fault_of(on.get(), under, steps), "");
    EXPECT_EQ(steps.back().round, tree->rounds);
    return tree->rounds;
}

// Theorem 1.
TEST_P(Shard, TorusTreesOfTwoAxesMeetTheCountBound)
{
    for (uint32_t m = GetParam(); m <= 64; m += 8)
        for (uint32_t n = 3; m >= 3 && n <= 64; n++) {
            const Topology on = parse(sides("torus", {m, n}));
            EXPECT_EQ(tree_rounds(on, h_star), m * n / 2) << m << "x" << n;
            EXPECT_EQ(tree_rounds(on, f_star), (m * n + 2) / 4) << m << "x" << n;
        }
}

TEST(TorusTree, MoreAxesMeetTheCountBound)
{
    std::vector<std::vector<uint32_t>> shapes = {{3, 3, 3, 3}, {4, 4, 4, 4}, {3, 4, 5, 3}, {3, 3, 3, 3, 3},
                                                 {16, 16, 16}, {7},          {8},          {1, 5, 1, 6},
                                                 {3, 3, 50},   {50, 3, 3}};
    for (uint32_t a = 3; a <= 7; a++)
        for (uint32_t b = 3; b <= 7; b++)
            for (uint32_t c = 3; c <= 7; c++)
                shapes.push_back({a, b, c});
    for (const auto &shape : shapes) {
        const Topology on = parse(sides("torus", shape));
        for (const gfab_model &under : {h_star, f_star})
            EXPECT_EQ(tree_rounds(on, under), count_bound(on.get(), under)) << gfab_topology_name(on.get());
    }
}

TEST(TorusTree, SidesOfTwoInFullDuplex)
{
    for (const char *spec : {"torus:2x2", "torus:2x5", "torus:2x2x2", "torus:2x4x3", "torus:2x2x2x2x2x2"}) {
        const Topology on = parse(spec);
        expect_rounds("torus-tree", spec, f_star, count_bound(on.get(), f_star));
    }
}

TEST(TorusTree, ASchedulesMovesAreTranslates)
{
    for (uint32_t m = 3; m <= 10; m++)
        for (uint32_t n = 3; n <= 10; n++) {
            expect_rounds("torus-tree", sides("torus", {m, n}), h_star, m * n / 2);
            expect_rounds("torus-tree", sides("torus", {m, n}), f_star, (m * n + 2) / 4);
        }
    for (const char *spec : {"torus:4x4x4x4", "cycle:9", "torus:1x7", "torus:32x32"})
        for (const gfab_model &under : {h_star, f_star}) {
            const Topology on = parse(spec);
            expect_rounds("torus-tree", spec, under, count_bound(on.get(), under));
        }
    for (uint32_t a = 3; a <= 7; a++)
        for (uint32_t b = 3; b <= 7; b++)
            for (uint32_t c = 3; c <= 7; c++) {
                expect_rounds("torus-tree", sides("torus", {a, b, c}), h_star, (a * b * c + 1) / 3);
                expect_rounds("torus-tree", sides("torus", {a, b, c}), f_star, (a * b * c + 4) / 6);
            }
}

TEST(TorusTree, HopsOfSeveralRounds)
{
    for (const char *spec : {"torus:8x8", "torus:3x3", "torus:5x7", "torus:4x4x4", "cycle:11", "torus:16x16"}) {
        const Topology on = parse(spec);
        uint32_t diameter = 0;
        ASSERT_EQ(gfab_topology_diameter(on.get(), nullptr, &diameter), GFAB_OK);
        for (const gfab_model &base : {h_star, f_star})
            for (uint32_t lambda : {2u, 3u, 4u, 8u}) {
                const gfab_model under = with_hop_rounds(base, lambda);
                const uint32_t rounds = tree_rounds(on, under);
                EXPECT_LE(rounds, count_bound(on.get(), base) + (lambda - 1) * (diameter - 1)) << spec << lambda;
                expect_rounds("torus-tree", spec, under, rounds);
            }
    }
    // Rounds in which nothing can move are in no list, and too many of them are refused.
    const Topology on = parse("cycle:7");
    const Tree slow = tree_of(on, with_hop_rounds(f_star, 1000));
    EXPECT_EQ(slow->rounds, 2001u);
    EXPECT_EQ(steps_of(slow).size(), 6u);
    gfab_relative_tree *none = nullptr;
    const gfab_model endless = with_hop_rounds(f_star, UINT32_MAX);
    EXPECT_EQ(gfab_relative_tree_create(on.get(), &endless, &none, nullptr), GFAB_ERR_LIMIT);
    EXPECT_EQ(none, nullptr);
}

TEST(TorusTree, LargeTori)
{
    const Topology on = parse("torus:1024x1024");
    EXPECT_EQ(tree_rounds(on, h_star), 524288u);
    EXPECT_EQ(tree_rounds(on, f_star), 262144u);
}

TEST(TorusTree, FaultyTreesAreSeen)
{
    const Topology on = parse("torus:4x5");
    const Steps good = steps_of(tree_of(on, h_star));
    EXPECT_EQ(fault_of(on.get(), with_hop_rounds(h_star, 4), good), "an offset sends too early");
    EXPECT_EQ(fault_of(on.get(), f_star, good), "a class is not an axis, or an axis and a direction");
    Steps bad(good.begin(), good.end() - 1);
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "not one step an offset");
    bad = good;
    bad[5].to = bad[5].to == 19 ? 0 : bad[5].to + 1;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "a step does not go where it says");
    bad = good;
    bad[3].round = bad[2].round;
    bad[3].link_class = bad[2].link_class;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "not in order, or a class twice in a round");
    bad = good;
    bad.back() = bad[0];
    bad.back().round = good.back().round + 1;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "an offset is reached twice");
}

TEST(TorusTree, RefusesWhatItIsNotFor)
{
    const struct {
        const char *spec;
        gfab_model under;
    } cases[] = {{"mesh:4x4", h_star},
                 {"path:5", f_star},
                 {"torus:2x4", h_star},
                 {"torus:4x4", {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD}},
                 {"torus:4x4", {GFAB_LINK_HALF, GFAB_PORT_ALL, 2, 1, GFAB_ROUTING_STORE_AND_FORWARD}}};
    for (const auto &c : cases) {
        const Topology on = parse(c.spec);
        gfab_diag diag{};
        gfab_relative_tree *tree = nullptr;
        uint64_t rounds = 0;
        EXPECT_EQ(gfab_relative_tree_create(on.get(), &c.under, &tree, &diag), GFAB_ERR_UNSUPPORTED) << c.spec;
        EXPECT_EQ(tree, nullptr);
        EXPECT_NE(std::string(diag.message).find("torus-tree"), std::string::npos) << diag.message;
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find("torus-tree"), on.get(), &c.under, nullptr),
                  GFAB_ERR_UNSUPPORTED);
        EXPECT_EQ(gfab_solver_find("torus-tree")->formula(on.get(), &c.under, &rounds), GFAB_ERR_UNSUPPORTED);
    }
}

// Whatever solver auto takes: it is as good as the best of these.
TEST(Auto, IsAtTheCountBound)
{
    const struct {
        const char *spec;
        gfab_model under;
    } cases[] = {{"mesh:4x4", h_star},  {"mesh:9x9", h_star},  {"torus:5x5", h_star},
                 {"torus:3x7", h_star}, {"torus:5x5", f_star}, {"torus:3x3x3", h_star}};
    for (const auto &c : cases) {
        const Topology on = parse(c.spec);
        const Schedule schedule = solve("auto", on, c.under);
        EXPECT_EQ(gfab_schedule_rounds(schedule.get()), count_bound(on.get(), c.under)) << c.spec;
    }
}

} // namespace
