// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/schedule/expression.h>
#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace
{

const gfab_model full{GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model half{GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 2, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model one{GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model circuit{GFAB_LINK_FULL, GFAB_PORT_ALL, 64, 1, GFAB_ROUTING_CIRCUIT};

// The schedule, or NULL with the reason. What is made is verified, and has one bracketing.
Schedule make(const gfab_topology *topology, const gfab_model &model, gfab_goal goal, const std::string &settings,
              bool any = false, std::string *says = nullptr)
{
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_verify_report report{};
    options.goal = &goal;
    options.any_length = any;
    options.parameters = settings.empty() ? nullptr : settings.c_str();
    gfab_solve(gfab_solver_find("bracket"), topology, &model, &options, &made, nullptr, &diag);
    if (says)
        *says = diag.message;
    if (made) {
        EXPECT_EQ(gfab_verify(topology, &model, made, nullptr, &report), GFAB_OK)
            << gfab_topology_name(topology) << ", " << settings << ": " << report.message;
        EXPECT_EQ(gfab_expression_check_one(made, &diag), GFAB_OK) << diag.message;
    }
    return Schedule(made);
}

gfab_goal goal_of(gfab_collective collective, size_t nodes, uint32_t blocks, uint32_t root = 0)
{
    gfab_goal goal{};
    EXPECT_EQ(gfab_goal_of(collective, nodes, &goal, nullptr), GFAB_OK);
    goal.blocks = blocks;
    goal.root = root;
    return goal;
}

// As text, the part with the least rank first: the same for what commutes.
std::string text_of(const gfab_expression *e, uint32_t term, uint32_t *least)
{
    uint32_t left, right, a, b;
    if (!gfab_expression_term(e, term, &left, &right)) {
        *least = term;
        return "n" + std::to_string(term);
    }
    std::string x = text_of(e, left, &a), y = text_of(e, right, &b);
    if (a > b)
        std::swap(x, y);
    *least = std::min(a, b);
    return "(" + x + "+" + y + ")";
}

std::string bracketing(const gfab_schedule *schedule, uint32_t block)
{
    gfab_expression *e = nullptr;
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    EXPECT_EQ(gfab_expression_create(schedule, block, &e, nullptr), GFAB_OK);
    uint32_t least;
    const std::string text = text_of(e, gfab_expression_result(e, gfab_goal_owner(&goal, nodes, block)), &least);
    gfab_expression_destroy(e);
    return text;
}

std::string linear(uint32_t nodes)
{
    std::string text = "n0";
    for (uint32_t v = 1; v < nodes; v++)
        text = "(" + text + "+n" + std::to_string(v) + ")";
    return text;
}

std::string binary(uint32_t first, uint32_t end)
{
    if (end - first == 1)
        return "n" + std::to_string(first);
    const uint32_t middle = end - (end - first) / 2;
    return "(" + binary(first, middle) + "+" + binary(middle, end) + ")";
}

// A bracketing of its own on every graph, for every collective that adds up, in every model.
TEST(Bracket, ChoosesOne)
{
    for (const char *graph : {"path:5", "cycle:6", "mesh:3x4", "torus:3x3", "hypercube:3", "complete:5", "debruijn:3"})
        for (const gfab_model &model : {full, half, one, circuit}) {
            const Topology topology = parse(graph);
            const uint32_t n = (uint32_t)gfab_topology_node_count(topology.get());
            for (const gfab_goal &goal :
                 {goal_of(GFAB_ALL_REDUCE, n, 1), goal_of(GFAB_ALL_REDUCE, n, n), goal_of(GFAB_ALL_REDUCE, n, 7),
                  goal_of(GFAB_REDUCE, n, 3, n - 1), goal_of(GFAB_REDUCE_SCATTER, n, 2 * n)})
                EXPECT_NE(make(topology.get(), model, goal, ""), nullptr) << graph;
            for (const gfab_goal &goal : {goal_of(GFAB_ALL_REDUCE, n, 1), goal_of(GFAB_REDUCE_SCATTER, n, n)})
                EXPECT_TRUE(model.routing == GFAB_ROUTING_CIRCUIT || make(topology.get(), model, goal, "", true))
                    << graph;
        }
}

// The same bits on another graph: a bracketing that is given is the one that comes out.
TEST(Bracket, IsTheSameOnEveryGraph)
{
    for (const char *graph : {"path:16", "cycle:16", "mesh:4x4", "torus:4x4", "hypercube:4", "complete:16"})
        for (const char *form : {"", ",form=parts"}) {
            const Topology topology = parse(graph);
            const Schedule in_line =
                make(topology.get(), circuit, goal_of(GFAB_ALL_REDUCE, 16, 16), std::string("bracket=linear") + form);
            const Schedule in_halves = make(topology.get(), circuit, goal_of(GFAB_REDUCE_SCATTER, 16, 16),
                                            std::string("bracket=binary") + form);
            ASSERT_TRUE(in_line && in_halves) << graph;
            EXPECT_EQ(bracketing(in_line.get(), 11), linear(16)) << graph;
            EXPECT_EQ(bracketing(in_halves.get(), 11), binary(0, 16)) << graph;
        }
    // Where single links will do, or where they will not.
    std::string says;
    EXPECT_EQ(bracketing(make(parse("path:9").get(), half, goal_of(GFAB_ALL_REDUCE, 9, 4), "bracket=linear").get(), 3),
              linear(9));
    EXPECT_EQ(
        bracketing(make(parse("hypercube:4").get(), full, goal_of(GFAB_REDUCE_SCATTER, 16, 16), "bracket=binary").get(),
                   5),
        binary(0, 16));
    EXPECT_EQ(make(parse("mesh:4x4").get(), full, goal_of(GFAB_ALL_REDUCE, 16, 1), "bracket=linear", false, &says),
              nullptr);
    EXPECT_EQ(says,
              "bracket: the bracketing adds n0+n1+n2+.. (4) and n4: no link joins nodes that can have them; --routing "
              "circuit goes over several links");
}

// Rounds by hand. On a hypercube the binary bracketing is recursive halving, and each block ends at its owner. Whole
// vectors take a round for each height. On a path a block leaves in each round; the first has its total at node 4 after
// round 5, where it goes from 0 to 4 and then meets node 5's part, and is at node 0 after four more.
TEST(Bracket, RoundsByHand)
{
    const Topology cube = parse("complete:8"), path = parse("path:6");
    EXPECT_EQ(gfab_schedule_rounds(
                  make(cube.get(), circuit, goal_of(GFAB_ALL_REDUCE, 8, 1), "bracket=binary,form=whole").get()),
              3u);
    EXPECT_EQ(gfab_schedule_rounds(
                  make(cube.get(), circuit, goal_of(GFAB_ALL_REDUCE, 8, 8), "bracket=binary,form=parts").get()),
              6u);
    EXPECT_EQ(gfab_schedule_rounds(make(path.get(), full, goal_of(GFAB_ALL_REDUCE, 6, 100000), "bracket=linear").get()),
              5u + 4u + 99999u);
    EXPECT_EQ(gfab_schedule_rounds(make(path.get(), full, goal_of(GFAB_REDUCE, 6, 100, 5), "").get()), 5u + 99u);
}

TEST(Bracket, TextsThatAreNone)
{
    const Topology topology = parse("complete:3");
    const struct {
        const char *text, *says;
    } bad[] = {{"((n0+n1)+n1)", "n1 is there twice"},
               {"(n0+n1)", "n2 is missing"},
               {"((n0+n1)+n3)", "there is no n3 among 3 ranks"},
               {"(n0+n1+n2)", "a closing bracket that ends no sum of two"},
               {"((n0+n1)+n2", "the text ends before the sum"},
               {"((n0+n1)*n2)", "character 9: neither a rank"},
               {"((n0+n1)+n2))", "a closing bracket that ends no sum of two"},
               {"((n0+n1)+n)", "a rank is n and a number"}};
    for (const auto &b : bad) {
        std::string says;
        EXPECT_EQ(make(topology.get(), circuit, goal_of(GFAB_ALL_REDUCE, 3, 1), std::string("bracket=") + b.text, false,
                       &says),
                  nullptr);
        EXPECT_NE(says.find(b.says), std::string::npos) << says;
    }
    EXPECT_EQ(bracketing(make(topology.get(), full, goal_of(GFAB_ALL_REDUCE, 3, 2), "bracket=((n2+n0)+n1)").get(), 1),
              "((n0+n2)+n1)");
    std::string says;
    EXPECT_EQ(make(topology.get(), full, goal_of(GFAB_ALL_REDUCE, 3, 2), "form=round", false, &says), nullptr);
    EXPECT_EQ(says, "bracket: form=round: there are links, parts, whole");
}

// The check is of something: what other solvers make has several bracketings, and so has one block whose totals differ.
TEST(Bracket, SeveralAreSeen)
{
    const Topology topology = parse("mesh:4x4");
    const gfab_goal goal = goal_of(GFAB_ALL_REDUCE, 16, 16);
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    options.goal = &goal;
    ASSERT_EQ(gfab_solver_find("trees")->solve(topology.get(), &full, &options, &made, &diag), GFAB_OK);
    const Schedule trees(made);
    EXPECT_EQ(gfab_expression_check_one(trees.get(), &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(diag.message).find("in another bracketing than block 0"), std::string::npos) << diag.message;

    // ((n0 + n1) + n2) in block 0, (n0 + (n1 + n2)) in block 1.
    const Topology path = parse("path:3");
    const gfab_goal two = goal_of(GFAB_ALL_REDUCE, 3, 2);
    ASSERT_EQ(gfab_schedule_create(path.get(), &full, &made), GFAB_OK);
    const Schedule pair(made);
    ASSERT_EQ(gfab_schedule_set_goal(made, &two, nullptr), GFAB_OK);
    const struct {
        uint32_t round, from, to, token;
    } moves[] = {{1, 0, 1, GFAB_COMBINE},
                 {1, 2, 1, GFAB_COMBINE | 1},
                 {2, 1, 2, GFAB_COMBINE},
                 {2, 1, 0, GFAB_COMBINE | 1},
                 {3, 2, 1, 0},
                 {3, 0, 1, 1},
                 {4, 1, 0, 0},
                 {4, 1, 2, 1}};
    for (const auto &m : moves) {
        gfab_arc arc;
        ASSERT_TRUE(gfab_topology_find_arc(path.get(), m.from, m.to, &arc));
        ASSERT_EQ(gfab_schedule_append(made, m.round, arc, m.token), GFAB_OK);
    }
    gfab_verify_report report{};
    EXPECT_EQ(gfab_verify(path.get(), &full, made, nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(gfab_expression_check_one(made, &diag), GFAB_ERR_FAULT);
    EXPECT_STREQ(diag.message, "block 1 is added up at node 0 in another bracketing than block 0");
}

} // namespace
