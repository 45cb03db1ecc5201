// SPDX-License-Identifier: MIT
// Goals: what they say, their two text forms, and the checker's replay of contributions.
#include "fixture.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace
{

struct Move {
    uint32_t round, from, to, block;
    bool combine;
};

gfab_goal goal_of(gfab_collective collective, size_t nodes)
{
    gfab_goal goal;
    EXPECT_EQ(gfab_goal_of(collective, nodes, &goal, nullptr), GFAB_OK);
    return goal;
}

Schedule build(const gfab_topology *t, const gfab_model &m, const gfab_goal &goal, const std::vector<Move> &moves)
{
    gfab_schedule *s = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_schedule_create(t, &m, &s), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(s, &goal, &diag), GFAB_OK) << diag.message;
    for (const Move &move : moves) {
        gfab_arc arc = 0;
        EXPECT_TRUE(gfab_topology_find_arc(t, move.from, move.to, &arc));
        EXPECT_EQ(gfab_schedule_append(s, move.round, arc, move.block | (move.combine ? GFAB_COMBINE : 0)), GFAB_OK);
    }
    return Schedule(s);
}

gfab_verify_report verify(const gfab_topology *t, const gfab_model &m, const gfab_schedule *s)
{
    gfab_verify_report report;
    const gfab_status status = gfab_verify(t, &m, s, nullptr, &report);
    EXPECT_EQ(status, report.fault == GFAB_FAULT_NONE ? GFAB_OK : GFAB_ERR_FAULT);
    EXPECT_EQ(report.fault == GFAB_FAULT_NONE, report.message[0] == '\0');
    return report;
}

// All-reduce of one block on path:3, to node 1 and back.
const std::vector<Move> sum3 = {{1, 0, 1, 0, true}, {1, 2, 1, 0, true}, {2, 1, 0, 0, false}, {2, 1, 2, 0, false}};

gfab_goal one_block(size_t nodes)
{
    gfab_goal goal = goal_of(GFAB_ALL_REDUCE, nodes);
    goal.blocks = 1;
    return goal;
}

struct Wrong {
    const char *what;
    std::vector<Move> moves;
    gfab_fault fault;
    uint32_t round, node, source;
    const char *words;
};

const Wrong wrongs[] = {
    {"counted twice",
     {{1, 0, 1, 0, true}, {2, 1, 2, 0, true}, {3, 2, 1, 0, true}},
     GFAB_FAULT_COUNTED_TWICE,
     3,
     1,
     0,
     "node 0's contribution counts twice at node 1: there by 0 >1 1; again by 0 >1 1 >2 2 >3 1"},
    {"a combine where a store belongs",
     {{1, 0, 1, 0, true}, {1, 2, 1, 0, true}, {2, 1, 0, 0, true}, {2, 1, 2, 0, false}},
     GFAB_FAULT_COUNTED_TWICE,
     2,
     0,
     0,
     "there by 0; again by 0 >1 1 >2 0"},
    {"one contribution is lost",
     {{1, 0, 1, 0, true}, {1, 2, 1, 0, false}, {2, 1, 0, 0, false}, {2, 1, 2, 0, false}},
     GFAB_FAULT_STORE_CLASH,
     1,
     1,
     UINT32_MAX,
     "comes twice, and is stored"},
    {"lost before",
     {{1, 0, 1, 0, true}, {2, 2, 1, 0, false}, {3, 1, 0, 0, false}},
     GFAB_FAULT_CONTRIBUTION_LOST,
     3,
     0,
     0,
     "lacks node 0's contribution, which is lost"},
    {"a partial total taken for whole",
     {{1, 0, 1, 0, true}, {2, 1, 0, 0, false}, {2, 2, 1, 0, true}, {3, 1, 2, 0, false}},
     GFAB_FAULT_PARTIAL_TOTAL,
     3,
     0,
     2,
     "after round 3: node 0's total of block 0 lacks node 2's contribution"},
    {"a link twice",
     {{1, 0, 1, 0, true}, {1, 1, 0, 0, true}},
     GFAB_FAULT_LINK_BUSY,
     1,
     1,
     UINT32_MAX,
     "already carries"},
    {"twice in a round",
     {{1, 0, 1, 0, true}, {2, 1, 2, 0, true}, {3, 1, 0, 0, true}, {3, 2, 1, 0, true}},
     GFAB_FAULT_COUNTED_TWICE,
     3,
     0,
     0,
     "counts twice"},
};

TEST(Collective, SumsAreFollowed)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    const Schedule s = build(t.get(), m, one_block(3), sum3);
    const gfab_verify_report report = verify(t.get(), m, s.get());
    EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
    EXPECT_EQ(report.rounds, 2u);
    EXPECT_EQ(report.moves, 4u);
    for (const Wrong &wrong : wrongs) {
        const Schedule bad = build(t.get(), m, one_block(3), wrong.moves);
        const gfab_verify_report r = verify(t.get(), m, bad.get());
        EXPECT_STREQ(gfab_fault_name(r.fault), gfab_fault_name(wrong.fault)) << wrong.what << ": " << r.message;
        EXPECT_EQ(r.round, wrong.round) << wrong.what;
        EXPECT_EQ(r.node, wrong.node) << wrong.what;
        EXPECT_EQ(r.source, wrong.source) << wrong.what;
        EXPECT_NE(std::string(r.message).find(wrong.words), std::string::npos) << wrong.what << ": " << r.message;
    }
}

TEST(Collective, ACombinedPartWaitsForItsHop)
{
    const Topology t = parse("path:3");
    gfab_model m = gfab_model_default();
    m.hop_rounds = 2;
    Schedule s = build(t.get(), m, one_block(3), sum3);
    gfab_verify_report report = verify(t.get(), m, s.get());
    EXPECT_EQ(report.fault, GFAB_FAULT_TOKEN_TOO_NEW);
    EXPECT_EQ(report.round, 2u);
    EXPECT_EQ(report.node, 1u);
    std::vector<Move> later = sum3;
    later[2].round = later[3].round = 3;
    s = build(t.get(), m, one_block(3), later);
    report = verify(t.get(), m, s.get());
    EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
}

TEST(Collective, IdempotentOperatorsMayMeetAgain)
{
    const Topology t = parse("cycle:4");
    gfab_model m = gfab_model_default();
    m.link_mode = GFAB_LINK_FULL;
    std::vector<Move> flood;
    for (uint32_t round = 1; round <= 2; round++)
        for (uint32_t v = 0; v < 4; v++)
            for (const uint32_t to : {(v + 1) % 4, (v + 3) % 4})
                flood.push_back({round, v, to, 0, true});
    const Schedule barrier = build(t.get(), m, goal_of(GFAB_BARRIER, 4), flood);
    EXPECT_EQ(verify(t.get(), m, barrier.get()).fault, GFAB_FAULT_NONE);
    gfab_goal goal = one_block(4);
    const Schedule sum = build(t.get(), m, goal, flood);
    EXPECT_EQ(verify(t.get(), m, sum.get()).fault, GFAB_FAULT_COUNTED_TWICE);
    goal.idempotent = true;
    const Schedule most = build(t.get(), m, goal, flood);
    EXPECT_EQ(verify(t.get(), m, most.get()).fault, GFAB_FAULT_NONE);
}

TEST(Collective, WhatIsMovedAsItIs)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    gfab_goal goal = goal_of(GFAB_BROADCAST, 3);
    goal.root = 2;
    goal.blocks = 2;
    const std::vector<Move> moves = {
        {1, 2, 1, 1, false}, {2, 2, 1, 0, false}, {2, 1, 0, 1, false}, {3, 1, 0, 0, false}};
    EXPECT_EQ(verify(t.get(), m, build(t.get(), m, goal, moves).get()).fault, GFAB_FAULT_NONE);
    std::vector<Move> wrong = moves;
    wrong[2].combine = true;
    gfab_verify_report report = verify(t.get(), m, build(t.get(), m, goal, wrong).get());
    EXPECT_EQ(report.fault, GFAB_FAULT_WRONG_COMBINE);
    EXPECT_STREQ(report.message, "round 2, link 0, node 1 to 0: token 1 is to be combined; what moves in broadcast is "
                                 "stored");
    wrong = moves;
    wrong[2].block = 0; // comes in this round only
    EXPECT_EQ(verify(t.get(), m, build(t.get(), m, goal, wrong).get()).fault, GFAB_FAULT_TOKEN_MISSING);
    wrong = moves;
    wrong.pop_back();
    report = verify(t.get(), m, build(t.get(), m, goal, wrong).get());
    EXPECT_EQ(report.fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(report.missing, 1u);

    const Topology two = parse("path:2");
    const gfab_goal all = goal_of(GFAB_ALL_TO_ALL, 2);
    EXPECT_EQ(all.blocks, 4u);
    const std::vector<Move> swap = {{1, 0, 1, 1, false}, {2, 1, 0, 2, false}};
    EXPECT_EQ(verify(two.get(), m, build(two.get(), m, all, swap).get()).fault, GFAB_FAULT_NONE);
    report = verify(two.get(), m, build(two.get(), m, all, {swap[0]}).get());
    EXPECT_EQ(report.fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(report.missing, 1u);
    EXPECT_EQ(report.node, 0u);
    EXPECT_EQ(report.token, 2u);
    report = verify(two.get(), m, build(two.get(), m, all, {{1, 1, 0, 1, false}}).get());
    EXPECT_EQ(report.fault, GFAB_FAULT_TOKEN_MISSING);
}

// Numbers instead of sets: each contribution a random number, totals modulo 2^64. A schedule that the checker takes has
// to make the right totals; mutants of one that it takes have to fail if they make wrong ones.
bool right_totals(const gfab_topology *t, const gfab_goal &goal, std::vector<Move> moves, std::mt19937_64 &random)
{
    const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(t));
    std::vector<uint64_t> value(nodes * goal.blocks), total(goal.blocks);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < goal.blocks; b++)
            total[b] += value[v * goal.blocks + b] = random();
    for (size_t i = 0; i < moves.size();) {
        const std::vector<uint64_t> before = value;
        const uint32_t round = moves[i].round;
        for (; i < moves.size() && moves[i].round == round; i++) {
            uint64_t &to = value[moves[i].to * goal.blocks + moves[i].block];
            const uint64_t sent = before[moves[i].from * goal.blocks + moves[i].block];
            to = moves[i].combine ? to + sent : sent;
        }
    }
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t b = 0; b < goal.blocks; b++)
            if (gfab_goal_wants(&goal, nodes, v, b) && value[v * goal.blocks + b] != total[b])
                return false;
    return true;
}

// Reduce-scatter along a path, one move a round: block b's partial results go to node b from both ends.
std::vector<Move> along_path(uint32_t nodes)
{
    std::vector<Move> moves;
    uint32_t round = 1;
    for (uint32_t b = 0; b < nodes; b++) {
        for (uint32_t v = 0; v < b; v++)
            moves.push_back({round++, v, v + 1, b, true});
        for (uint32_t v = nodes - 1; v > b; v--)
            moves.push_back({round++, v, v - 1, b, true});
    }
    return moves;
}

TEST(Collective, WhatPassesMakesTheRightTotals)
{
    std::mt19937_64 random(7);
    const Topology t = parse("path:5");
    const gfab_model m = gfab_model_default();
    const gfab_goal goal = goal_of(GFAB_REDUCE_SCATTER, 5);
    const std::vector<Move> moves = along_path(5);
    ASSERT_EQ(verify(t.get(), m, build(t.get(), m, goal, moves).get()).fault, GFAB_FAULT_NONE);
    ASSERT_TRUE(right_totals(t.get(), goal, moves, random));
    int refused = 0, wrong = 0;
    for (int i = 0; i < 2000; i++) {
        std::vector<Move> mutant = moves;
        Move &move = mutant[random() % mutant.size()];
        switch (random() % 4) {
        case 0:
            move.combine = !move.combine;
            break;
        case 1:
            std::swap(move.from, move.to);
            break;
        case 2:
            move.block = static_cast<uint32_t>(random() % 5);
            break;
        default:
            std::swap(move.block, mutant[random() % mutant.size()].block);
            break;
        }
        const bool passes = verify(t.get(), m, build(t.get(), m, goal, mutant).get()).fault == GFAB_FAULT_NONE;
        const bool right = right_totals(t.get(), goal, mutant, random);
        EXPECT_TRUE(right || !passes);
        refused += !passes;
        wrong += !right;
    }
    EXPECT_GT(wrong, 1000);
    EXPECT_GE(refused, wrong);
}

std::string text_of(const gfab_expression *e, uint32_t term)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    EXPECT_EQ(gfab_expression_write(e, term, file), GFAB_OK);
    std::fclose(file);
    const std::string result(text, size);
    std::free(text);
    return result;
}

using Expression = Owner<gfab_expression, gfab_expression_destroy>;

TEST(Collective, ExpressionsSayTheOrder)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    const Schedule s = build(t.get(), m, one_block(3), sum3);
    gfab_diag diag{};
    gfab_expression *made = nullptr;
    ASSERT_EQ(gfab_expression_create(s.get(), 0, &made, &diag), GFAB_OK) << diag.message;
    const Expression e(made);
    for (uint32_t v = 0; v < 3; v++) // directions in rising order: what the next node sends comes first
        EXPECT_EQ(text_of(made, gfab_expression_result(made, v)), "((n1 + n2) + n0)");
    EXPECT_EQ(gfab_expression_term_count(made), 5u);
    // Whatever the order of appending.
    const Schedule other = build(t.get(), m, one_block(3), {sum3[1], sum3[0], sum3[3], sum3[2]});
    ASSERT_EQ(gfab_expression_create(other.get(), 0, &made, &diag), GFAB_OK);
    EXPECT_EQ(text_of(Expression(made).get(), gfab_expression_result(made, 2)), "((n1 + n2) + n0)");
    EXPECT_EQ(gfab_expression_create(s.get(), 1, &made, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "block 1 does not exist; the schedule has 0 to 0");
    const Schedule barrier = build(t.get(), m, goal_of(GFAB_BARRIER, 3), sum3);
    EXPECT_EQ(gfab_expression_create(barrier.get(), 0, &made, &diag), GFAB_ERR_UNSUPPORTED);
    const Schedule broadcast = build(t.get(), m, goal_of(GFAB_BROADCAST, 3), {});
    EXPECT_EQ(gfab_expression_create(broadcast.get(), 0, &made, &diag), GFAB_ERR_UNSUPPORTED);
}

// Every node's contribution stands in the expression of a total once.
TEST(Collective, ExpressionsOfTotalsAreWhole)
{
    const Topology t = parse("mesh:3x4");
    const gfab_model m = gfab_model_default();
    const gfab_goal goal = goal_of(GFAB_ALL_REDUCE, 12);
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_solver_find("auto")->solve(t.get(), &m, &options, &made, &diag), GFAB_OK) << diag.message;
    const Schedule s(made);
    for (uint32_t block = 0; block < 12; block++) {
        gfab_expression *raw = nullptr;
        ASSERT_EQ(gfab_expression_create(made, block, &raw, &diag), GFAB_OK);
        const Expression e(raw);
        for (uint32_t v = 0; v < 12; v++) {
            std::vector<uint32_t> pending = {gfab_expression_result(raw, v)}, count(12);
            while (!pending.empty()) {
                const uint32_t term = pending.back();
                uint32_t left = 0, right = 0;
                pending.pop_back();
                if (gfab_expression_term(raw, term, &left, &right))
                    pending.insert(pending.end(), {left, right});
                else
                    count[term]++;
            }
            EXPECT_EQ(count, std::vector<uint32_t>(12, 1));
        }
    }
}

TEST(Collective, GoalsAreChecked)
{
    gfab_diag diag{};
    gfab_goal goal = gfab_goal_default(4);
    EXPECT_EQ(gfab_goal_check(&goal, 4, &diag), GFAB_OK);
    const struct {
        gfab_goal goal;
        gfab_status status;
        const char *words;
    } bad[] = {
        {{GFAB_ALL_REDUCE, 0, 0, false}, GFAB_ERR_INVALID, "0 blocks"},
        {{GFAB_ALL_REDUCE, UINT32_MAX, 0, false}, GFAB_ERR_LIMIT, "fewer than 2^31"},
        {{GFAB_REDUCE_SCATTER, 6, 0, false}, GFAB_ERR_INVALID, "6 blocks on 4 nodes; a multiple"},
        {{GFAB_ALL_GATHER, 6, 0, false}, GFAB_ERR_INVALID, "a multiple"},
        {{GFAB_BARRIER, 2, 0, true}, GFAB_ERR_INVALID, "it has 1"},
        {{GFAB_ALL_TO_ALL, 15, 0, false}, GFAB_ERR_INVALID, "it has 16"},
        {{GFAB_ALL_REDUCE, 4, 1, false}, GFAB_ERR_INVALID, "no root"},
        {{GFAB_REDUCE, 4, 4, false}, GFAB_ERR_INVALID, "root 4 does not exist; roots are 0 to 3"},
        {{GFAB_BROADCAST, 4, 0, true}, GFAB_ERR_INVALID, "combines nothing"},
    };
    for (const auto &b : bad) {
        EXPECT_EQ(gfab_goal_check(&b.goal, 4, &diag), b.status);
        EXPECT_NE(std::string(diag.message).find(b.words), std::string::npos) << diag.message;
    }
    EXPECT_EQ(gfab_goal_of(GFAB_ALL_TO_ALL, 50000, &goal, &diag), GFAB_ERR_LIMIT);
    gfab_collective collective;
    EXPECT_EQ(gfab_collective_parse("allreduce", &collective, &diag), GFAB_ERR_PARSE);
    for (int c = GFAB_ALL_GATHER; c <= GFAB_ALL_TO_ALL; c++) {
        EXPECT_EQ(gfab_collective_parse(gfab_collective_name(static_cast<gfab_collective>(c)), &collective, &diag),
                  GFAB_OK);
        EXPECT_EQ(collective, c);
        goal = goal_of(static_cast<gfab_collective>(c), 4);
        EXPECT_EQ(gfab_goal_check(&goal, 4, &diag), GFAB_OK) << diag.message;
    }
    // Owners of uneven numbers of blocks: floor(b N / B).
    goal = {GFAB_ALL_REDUCE, 6, 0, false};
    const uint32_t owners[] = {0, 0, 1, 2, 2, 3};
    for (uint32_t b = 0; b < 6; b++)
        EXPECT_EQ(gfab_goal_owner(&goal, 4, b), owners[b]);

    const Topology t = parse("path:4");
    const gfab_model m = gfab_model_default();
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_schedule_create(t.get(), &m, &made), GFAB_OK);
    const Schedule s(made);
    goal = {GFAB_ALL_GATHER, 8, 0, false}; // a load of two at each node
    ASSERT_EQ(gfab_schedule_set_goal(made, &goal, &diag), GFAB_OK);
    EXPECT_EQ(gfab_schedule_token_count(made), 8u);
    EXPECT_EQ(gfab_schedule_first_token(made, 2), 4u);
    EXPECT_TRUE(gfab_goal_equal(&goal, &(const gfab_goal &)gfab_schedule_goal(made)));
    EXPECT_EQ(gfab_schedule_append(made, 1, 0, GFAB_COMBINE), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(made, 1, 0, 0), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, &diag), GFAB_ERR_INVALID); // there is a packet
}

uint64_t best_bound(const std::string &spec, gfab_link_mode mode, gfab_goal goal, const char *name = nullptr)
{
    const Topology t = parse(spec);
    gfab_model m = gfab_model_default();
    m.link_mode = mode;
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count = 0;
    EXPECT_EQ(gfab_bound_goal(t.get(), &m, &goal, nullptr, bounds, &count), GFAB_OK);
    for (size_t i = 0; i < count; i++) {
        EXPECT_NE(bounds[i].argument[0], '\0');
        EXPECT_LE(bounds[i].rounds, bounds[0].rounds);
        if (name && std::strcmp(bounds[i].name, name) == 0)
            return bounds[i].rounds;
    }
    return name ? 0 : bounds[0].rounds;
}

TEST(Collective, Bounds)
{
    // Full-duplex meshes, all-reduce, B = N: ceil(n^2 / 2) + 2n - 3 and n(n + 1)/2; half duplex n(n + 1).
    for (const uint32_t n : {4u, 5u, 8u, 16u}) {
        const std::string mesh = "mesh:" + std::to_string(n) + "x" + std::to_string(n);
        const gfab_goal goal = goal_of(GFAB_ALL_REDUCE, n * n);
        EXPECT_EQ(best_bound(mesh, GFAB_LINK_FULL, goal), (n * n + 1) / 2 + 2 * n - 3);
        EXPECT_EQ(best_bound(mesh, GFAB_LINK_FULL, goal, "count"), n * (n + 1) / 2);
        EXPECT_EQ(best_bound(mesh, GFAB_LINK_HALF, goal), n * (n + 1));
        EXPECT_EQ(best_bound(mesh, GFAB_LINK_HALF, goal_of(GFAB_REDUCE_SCATTER, n * n)), n * (n + 1) / 2);
    }
    EXPECT_EQ(best_bound("torus:4x4", GFAB_LINK_HALF, goal_of(GFAB_ALL_REDUCE, 16)), 15u);
    EXPECT_EQ(best_bound("torus:4x4", GFAB_LINK_FULL, goal_of(GFAB_ALL_TO_ALL, 16)), 8u);
    EXPECT_EQ(best_bound("torus:8x8", GFAB_LINK_FULL, goal_of(GFAB_ALL_TO_ALL, 64)), 64u);
    EXPECT_EQ(best_bound("mesh:8x8", GFAB_LINK_FULL, goal_of(GFAB_ALL_TO_ALL, 64), "cut"), 128u);
    EXPECT_EQ(best_bound("mesh:5x5", GFAB_LINK_FULL, one_block(25)), 8u);
    // From a corner: the last of six blocks leaves in round 3 at the earliest, and is 6 links from the other corner.
    EXPECT_EQ(best_bound("mesh:4x4", GFAB_LINK_FULL, {GFAB_BROADCAST, 6, 0, false}), 8u);
    EXPECT_EQ(best_bound("mesh:4x4", GFAB_LINK_FULL, {GFAB_REDUCE, 6, 0, false}), 8u);
    // The middle of a path: one link, 5 messages each way in those rounds in which they are neither too soon nor late.
    EXPECT_EQ(best_bound("path:4", GFAB_LINK_FULL, {GFAB_ALL_REDUCE, 5, 0, false}, "cut"), 7u);
    EXPECT_EQ(best_bound("path:4", GFAB_LINK_HALF, {GFAB_ALL_REDUCE, 5, 0, false}, "cut"), 12u);
}

// Whether so many rounds do, by SAT; where they do the schedule is replayed.
gfab_prove_answer prove(const std::string &spec, gfab_link_mode mode, gfab_goal goal, uint32_t rounds,
                        bool translations = false, uint32_t lambda = 1)
{
    const Topology t = parse(spec);
    gfab_model m = gfab_model_default();
    m.link_mode = mode;
    m.hop_rounds = lambda;
    gfab_prove_options options = gfab_prove_options_default();
    options.translations = translations;
    gfab_prove_report report;
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_prove_goal(t.get(), &m, &goal, rounds, &options, &report, &made, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(!made, report.answer != GFAB_PROVE_POSSIBLE);
    const Schedule s(made);
    if (made) {
        EXPECT_EQ(verify(t.get(), m, made).fault, GFAB_FAULT_NONE) << spec << ": " << verify(t.get(), m, made).message;
        EXPECT_LE(gfab_schedule_rounds(made), rounds);
    }
    return report.answer;
}

TEST(Collective, Proofs)
{
    const struct {
        const char *spec;
        gfab_link_mode mode;
        gfab_goal goal;
        uint32_t fewest;
        bool translations;
        uint32_t lambda;
    } optima[] = {
        {"mesh:2x2", GFAB_LINK_HALF, goal_of(GFAB_ALL_REDUCE, 4), 6, false, 1},
        {"mesh:2x2", GFAB_LINK_FULL, goal_of(GFAB_ALL_REDUCE, 4), 3, false, 1},
        {"path:3", GFAB_LINK_HALF, one_block(3), 2, false, 1},
        {"path:4", GFAB_LINK_HALF, one_block(4), 4, false, 1},
        {"path:3", GFAB_LINK_HALF, one_block(3), 3, false, 2},
        {"path:4", GFAB_LINK_FULL, goal_of(GFAB_BARRIER, 4), 3, false, 1},
        {"path:4", GFAB_LINK_FULL, one_block(4), 3, false, 1},
        {"cycle:4", GFAB_LINK_FULL, one_block(4), 2, false, 1},
        {"cycle:5", GFAB_LINK_FULL, goal_of(GFAB_BARRIER, 5), 2, false, 1},
        {"mesh:2x3", GFAB_LINK_FULL, goal_of(GFAB_REDUCE_SCATTER, 6), 3, false, 1},
        {"path:4", GFAB_LINK_HALF, {GFAB_REDUCE, 2, 0, false}, 4, false, 1},
        {"cycle:5", GFAB_LINK_FULL, goal_of(GFAB_REDUCE_SCATTER, 5), 2, true, 1},
        {"torus:3x3", GFAB_LINK_FULL, goal_of(GFAB_ALL_REDUCE, 9), 4, true, 1},
    };
    for (const auto &o : optima) {
        EXPECT_EQ(prove(o.spec, o.mode, o.goal, o.fewest, o.translations, o.lambda), GFAB_PROVE_POSSIBLE) << o.spec;
        EXPECT_EQ(prove(o.spec, o.mode, o.goal, o.fewest - 1, o.translations, o.lambda), GFAB_PROVE_IMPOSSIBLE)
            << o.spec;
        EXPECT_GE(o.fewest, best_bound(o.spec, o.mode, o.goal)) << o.spec;
    }
}

std::string written(const gfab_schedule *s, bool csv)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    gfab_diag diag{};
    EXPECT_EQ((csv ? gfab_schedule_write_csv : gfab_schedule_write)(s, file, nullptr, &diag), GFAB_OK) << diag.message;
    std::fclose(file);
    const std::string result(text, size);
    std::free(text);
    return result;
}

Topology read_topology;

Schedule read_text(const std::string &text, gfab_diag *diag)
{
    const File file(fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
    gfab_topology *topology = nullptr;
    gfab_schedule *schedule = nullptr;
    if (gfab_schedule_read(file.get(), nullptr, &topology, &schedule, diag) == GFAB_OK)
        read_topology.reset(topology);
    return Schedule(schedule);
}

TEST(Collective, TextForms)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    const Schedule s = build(t.get(), m, one_block(3), sum3);
    const std::string gfs = written(s.get(), false);
    EXPECT_EQ(gfs, "gossipfab-schedule 2\ntopology path:3\nlink-mode half\nport-mode all\npacket-tokens 1\n"
                   "hop-rounds 1\nsolver -\ncollective all-reduce\nblocks 1\nrounds 2\npackets 4\n"
                   "round 1\n0 1:+0\n2 1:+0\nround 2\n1 0:0\n1 2:0\nend\n");
    gfab_diag diag{};
    const Schedule back = read_text(gfs, &diag);
    ASSERT_NE(back, nullptr) << diag.message;
    EXPECT_EQ(written(back.get(), false), gfs);
    EXPECT_EQ(verify(t.get(), m, back.get()).fault, GFAB_FAULT_NONE);
    const std::string csv = written(s.get(), true);
    EXPECT_EQ(csv, "round,from,to,block,combine\n1,0,1,0,1\n1,2,1,0,1\n2,1,0,0,0\n2,1,2,0,0\n");
    const gfab_goal goal = one_block(3);
    gfab_schedule *made = nullptr;
    const File file(fmemopen(const_cast<char *>(csv.data()), csv.size(), "r"));
    ASSERT_EQ(gfab_schedule_read_csv(file.get(), t.get(), &m, &goal, nullptr, &made, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(written(Schedule(made).get(), true), csv);

    gfab_goal reduce = goal_of(GFAB_REDUCE, 3);
    reduce.root = 1;
    reduce.idempotent = true;
    const Schedule rooted = build(t.get(), m, reduce, {sum3[0], sum3[1]});
    EXPECT_NE(written(rooted.get(), false).find("collective reduce\nblocks 1\nroot 1\nidempotent yes\nrounds"),
              std::string::npos);
    const Schedule again = read_text(written(rooted.get(), false), &diag);
    ASSERT_NE(again, nullptr) << diag.message;
    EXPECT_EQ(written(again.get(), false), written(rooted.get(), false));

    const struct {
        const char *from, *to, *words;
        size_t line;
    } bad[] = {
        {"collective all-reduce", "collective sum", "unknown collective \"sum\"", 8},
        {"collective all-reduce", "collective reduce-scatter", "1 blocks on 3 nodes", 9},
        {"collective all-reduce\n", "", "\"collective\" and a value", 8},
        {"blocks 1\n", "blocks 0\n", "blocks is 0", 9},
        {"blocks 1\n", "blocks 200000000\n", "at most 268435456", 9},
        {"blocks 1\n", "blocks 1\nidempotent no\n", "yes, or no such line", 10},
        {"blocks 1\n", "blocks 1\nroot 0\n", "\"rounds\" and a value", 10},
        {"collective all-reduce\nblocks 1\n", "collective reduce\nblocks 1\n", "\"root\" and a value", 10},
        {"collective all-reduce\nblocks 1\n", "collective reduce\nblocks 1\nroot 3\n", "node 3 does not exist", 10},
        {"0 1:+0", "0 1:+1", "token 1 does not exist", 13},
        {"0 1:+0", "0 1:++0", "a number is expected", 13},
        {"gossipfab-schedule 2", "gossipfab-schedule 5", "versions 1 to 4", 1},
        {"gossipfab-schedule 2", "gossipfab-schedule 1", "\"rounds\" and a value", 8},
    };
    for (const auto &b : bad) {
        std::string text = gfs;
        ASSERT_NE(text.find(b.from), std::string::npos) << b.from;
        text.replace(text.find(b.from), std::strlen(b.from), b.to);
        EXPECT_EQ(read_text(text, &diag), nullptr) << text;
        EXPECT_NE(std::string(diag.message).find(b.words), std::string::npos) << b.to << ": " << diag.message;
        EXPECT_EQ(diag.line, b.line) << b.to << ": " << diag.message;
    }
}

} // namespace
