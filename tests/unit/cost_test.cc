// SPDX-License-Identifier: MIT
// The linear cost, loads and parts, circuit paths, and solvers' settings.
#include "fixture.h"
#include "solvers/parameters.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/cost.h>
#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{

gfab_ratio ratio(const char *text)
{
    gfab_ratio r = {0, 0};
    gfab_diag diag{};
    EXPECT_EQ(gfab_ratio_parse(text, &r, &diag), GFAB_OK) << diag.message;
    return r;
}

TEST(Ratio, ReadsFractionsInLowestTerms)
{
    const struct {
        const char *text;
        uint64_t numerator, denominator;
    } cases[] = {{"0", 0, 1},
                 {"50", 50, 1},
                 {"0.25", 1, 4},
                 {"1/3", 1, 3},
                 {"10/4", 5, 2},
                 {"2.50", 5, 2},
                 {"1000000000", 1000000000, 1},
                 {"0.000000001", 1, 1000000000}};
    for (const auto &c : cases) {
        const gfab_ratio r = ratio(c.text);
        EXPECT_EQ(r.numerator, c.numerator) << c.text;
        EXPECT_EQ(r.denominator, c.denominator) << c.text;
    }
    for (const char *bad :
         {"", "-1", "1/0", "1.", ".5", "1/", "1e3", "1000000001", "0.0000000001", "3 ", "01", "1/2/3"}) {
        gfab_ratio r;
        gfab_diag diag{};
        EXPECT_EQ(gfab_ratio_parse(bad, &r, &diag), GFAB_ERR_PARSE) << bad;
        EXPECT_NE(std::string(diag.message), "");
    }
    EXPECT_LT(gfab_ratio_compare(ratio("1/3"), ratio("0.34")), 0);
    EXPECT_EQ(gfab_ratio_compare(ratio("2/6"), ratio("1/3")), 0);
    EXPECT_GT(gfab_ratio_compare(ratio("999999999/1000000000"), ratio("999999998/999999999")), 0);
}

TEST(Cost, TotalsAndComparesExactly)
{
    const gfab_cost halves = {3, 7, 2}; // 3 r + 3.5
    const gfab_cost whole = {4, 3, 1};  // 4 r + 3
    gfab_ratio total;
    ASSERT_EQ(gfab_cost_total(&halves, ratio("1/3"), &total), GFAB_OK);
    EXPECT_EQ(total.numerator, 9u);
    EXPECT_EQ(total.denominator, 2u);
    EXPECT_EQ(gfab_cost_compare(&halves, &whole, ratio("0.5")), 0);
    EXPECT_GT(gfab_cost_compare(&halves, &whole, ratio("0.499")), 0);
    EXPECT_LT(gfab_cost_compare(&halves, &whole, ratio("0.501")), 0);
    const gfab_cost huge = {UINT32_MAX, ((uint64_t)1 << 61), 1};
    EXPECT_EQ(gfab_cost_compare(&huge, &huge, ratio("999999999/1000000000")), 0);
    EXPECT_EQ(gfab_cost_total(&huge, ratio("999999999/1000000000"), &total), GFAB_ERR_LIMIT);
}

const gfab_model circuit = {GFAB_LINK_FULL, GFAB_PORT_ALL, 9, 1, GFAB_ROUTING_CIRCUIT};

struct Packet {
    uint32_t round;
    std::vector<uint32_t> path, tokens;
};

gfab_verify_report verify(const gfab_topology *t, const gfab_model &m, const std::vector<Packet> &packets,
                          const std::vector<uint32_t> &load = {}, uint32_t parts = 1)
{
    gfab_schedule *s = nullptr;
    EXPECT_EQ(gfab_schedule_create(t, &m, &s), GFAB_OK);
    const Schedule owner(s);
    if (!load.empty() || parts != 1) {
        EXPECT_EQ(gfab_schedule_set_load(s, load.empty() ? nullptr : load.data(), parts), GFAB_OK);
    }
    for (const Packet &p : packets) {
        std::vector<gfab_arc> arcs(p.path.size() - 1);
        for (size_t i = 0; i < arcs.size(); i++)
            EXPECT_TRUE(gfab_topology_find_arc(t, p.path[i], p.path[i + 1], &arcs[i]));
        EXPECT_EQ(gfab_schedule_append_packet(s, p.round, arcs.data(), arcs.size(), p.tokens.data(), p.tokens.size()),
                  GFAB_OK);
    }
    gfab_verify_report report;
    const gfab_status status = gfab_verify(t, &m, s, nullptr, &report);
    EXPECT_EQ(status, report.fault == GFAB_FAULT_NONE ? GFAB_OK : GFAB_ERR_FAULT);
    return report;
}

// A ring of 4: neighbours across, then all that is left over paths of two links.
const std::vector<Packet> ring4 = {{1, {0, 1}, {0}},       {1, {1, 0}, {1}},       {1, {2, 3}, {2}},
                                   {1, {3, 2}, {3}},       {2, {0, 1, 2}, {0, 1}}, {2, {2, 3, 0}, {2, 3}},
                                   {3, {1, 2, 3}, {0, 1}}, {3, {3, 0, 1}, {2, 3}}};

TEST(Circuit, PathsOfSeveralLinksAndTheirCost)
{
    const Topology t = parse("cycle:4");
    const gfab_verify_report r = verify(t.get(), circuit, ring4);
    EXPECT_EQ(r.fault, GFAB_FAULT_NONE) << r.message;
    EXPECT_EQ(r.startups, 3u);
    EXPECT_EQ(r.transfers, 5u);
    EXPECT_EQ(r.path_links, 5u);
    EXPECT_EQ(r.moves, 12u);
    gfab_model saf = circuit;
    saf.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    EXPECT_EQ(verify(t.get(), saf, ring4).fault, GFAB_FAULT_PATH_TOO_LONG);
}

TEST(Circuit, MutantsAreRejected)
{
    const Topology t = parse("cycle:4");
    std::vector<Packet> overlap = ring4;
    overlap.push_back({3, {2, 3}, {2}}); // on the way from 1 to 3
    EXPECT_EQ(verify(t.get(), circuit, overlap).fault, GFAB_FAULT_LINK_BUSY);
    std::vector<Packet> missing = ring4;
    missing[4].tokens = {0, 2};
    EXPECT_EQ(verify(t.get(), circuit, missing).fault, GFAB_FAULT_TOKEN_MISSING);
    std::vector<Packet> from_the_middle = ring4; // what passed node 1 in round 2 is not node 1's
    from_the_middle.erase(from_the_middle.begin(), from_the_middle.begin() + 2);
    from_the_middle[2].tokens = {0};
    EXPECT_EQ(verify(t.get(), circuit, from_the_middle).fault, GFAB_FAULT_TOKEN_MISSING);
    std::vector<Packet> incomplete = ring4;
    incomplete.pop_back();
    EXPECT_EQ(verify(t.get(), circuit, incomplete).fault, GFAB_FAULT_INCOMPLETE);
    std::vector<Packet> loop = ring4;
    loop[4].path = {0, 1, 0};
    EXPECT_EQ(verify(t.get(), circuit, loop).fault, GFAB_FAULT_PATH_BROKEN);
}

TEST(Circuit, OnePortIsAPathsTwoEnds)
{
    const Topology t = parse("cycle:4");
    gfab_model one = circuit;
    one.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(verify(t.get(), one, ring4).fault, GFAB_FAULT_NONE);
    std::vector<Packet> starts = ring4;
    starts.insert(starts.begin() + 1, {1, {0, 3}, {0}});
    EXPECT_EQ(verify(t.get(), circuit, starts).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(verify(t.get(), one, starts).fault, GFAB_FAULT_PORT_BUSY);
    std::vector<Packet> takes = ring4;
    takes[0] = {1, {1, 2}, {1}};
    EXPECT_EQ(verify(t.get(), one, takes).fault, GFAB_FAULT_PORT_BUSY);
    one.link_mode = GFAB_LINK_HALF; // a node starts or takes
    EXPECT_EQ(verify(t.get(), one, {{1, {0, 1}, {0}}, {1, {1, 2}, {1}}}).fault, GFAB_FAULT_PORT_BUSY);
}

TEST(Load, PartsAndBroadcast)
{
    const Topology t = parse("path:3");
    const gfab_model f = {GFAB_LINK_FULL, GFAB_PORT_ALL, 4, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    // Node v has the parts 2 v and 2 v + 1.
    const std::vector<Packet> gossip = {{1, {0, 1}, {0, 1}}, {1, {1, 0}, {2, 3}}, {1, {1, 2}, {2, 3}},
                                        {1, {2, 1}, {4, 5}}, {2, {1, 0}, {4, 5}}, {2, {1, 2}, {0, 1}}};
    gfab_verify_report r = verify(t.get(), f, gossip, {}, 2);
    EXPECT_EQ(r.fault, GFAB_FAULT_NONE) << r.message;
    EXPECT_EQ(r.transfers, 4u);
    EXPECT_EQ(r.parts, 2u);
    EXPECT_EQ(verify(t.get(), f, {{1, {0, 1}, {0}}, {2, {1, 2}, {0}}}, {1, 0, 0}).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(verify(t.get(), f, {{1, {0, 1}, {0}}}, {1, 0, 0}).fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(verify(t.get(), f, {{1, {1, 2}, {0}}}, {1, 0, 0}).fault, GFAB_FAULT_TOKEN_MISSING);
}

TEST(Load, NumbersTokensNodeByNode)
{
    const Topology t = parse("path:4");
    const gfab_model m = gfab_model_default();
    gfab_schedule *s = nullptr;
    ASSERT_EQ(gfab_schedule_create(t.get(), &m, &s), GFAB_OK);
    const Schedule owner(s);
    const uint32_t load[] = {2, 0, 3, 1};
    EXPECT_TRUE(gfab_schedule_even_load(s));
    ASSERT_EQ(gfab_schedule_set_load(s, load, 1), GFAB_OK);
    EXPECT_FALSE(gfab_schedule_even_load(s));
    ASSERT_EQ(gfab_schedule_token_count(s), 6u);
    const uint32_t origin[] = {0, 0, 2, 2, 2, 3};
    for (uint32_t token = 0; token < 6; token++)
        EXPECT_EQ(gfab_schedule_origin(s, token), origin[token]);
    EXPECT_EQ(gfab_schedule_first_token(s, 4), 6u);
    EXPECT_EQ(gfab_schedule_append(s, 1, 0, 6), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(s, 1, 0, 5), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_load(s, nullptr, 2), GFAB_ERR_INVALID); // there is a packet
    gfab_schedule *other = nullptr;
    ASSERT_EQ(gfab_schedule_create(t.get(), &m, &other), GFAB_OK);
    const Schedule other_owner(other);
    const uint32_t none[] = {0, 0, 0, 0};
    EXPECT_EQ(gfab_schedule_set_load(other, none, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(other, nullptr, 0), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(other, nullptr, UINT32_MAX), GFAB_ERR_LIMIT);
    ASSERT_EQ(gfab_schedule_set_load(other, nullptr, 3), GFAB_OK);
    EXPECT_EQ(gfab_schedule_origin(other, 8), 2u);
}

TEST(Parameters, AreReadAndChecked)
{
    static const char *const keys[] = {"a", "b", "mode", nullptr};
    size_t length = 0;
    EXPECT_EQ(std::string(gfab_parameter("a=3,mode=fast", "mode", &length), 4), "fast");
    EXPECT_EQ(length, 4u);
    EXPECT_EQ(gfab_parameter("a=3", "b", &length), nullptr);
    EXPECT_EQ(gfab_parameter(nullptr, "b", &length), nullptr);
    uint64_t value = 7;
    EXPECT_EQ(gfab_parameter_number("a=3,b=12", "b", 1, 12, &value, nullptr), GFAB_OK);
    EXPECT_EQ(value, 12u);
    EXPECT_EQ(gfab_parameter_number("a=3", "b", 1, 12, &value, nullptr), GFAB_OK);
    EXPECT_EQ(value, 12u);
    gfab_diag diag{};
    for (const char *bad : {"b=13", "b=0", "b=1x", "b=-1"})
        EXPECT_EQ(gfab_parameter_number(bad, "b", 1, 12, &value, &diag), GFAB_ERR_INVALID) << bad;
    EXPECT_EQ(gfab_parameters_check("a=1,b=2", keys, &diag), GFAB_OK);
    EXPECT_EQ(gfab_parameters_check(nullptr, keys, &diag), GFAB_OK);
    for (const char *bad : {"c=1", "a", "a=", "a=1,a=2", "a=1,", ",a=1"})
        EXPECT_EQ(gfab_parameters_check(bad, keys, &diag), GFAB_ERR_INVALID) << bad;
    EXPECT_EQ(gfab_parameters_check("a=1", nullptr, &diag), GFAB_ERR_INVALID);
}

TEST(Parameters, ASolverWithoutSettingsOrLoadsRefusesThem)
{
    const Topology t = parse("mesh:2x2");
    const gfab_model m = gfab_model_default();
    const uint32_t load[] = {1, 0, 0, 0};
    const gfab_solver *solver = gfab_solver_find("lau-zhang");
    ASSERT_NE(solver, nullptr);
    gfab_schedule *s = nullptr;
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = "a=1";
    EXPECT_EQ(solver->solve(t.get(), &m, &options, &s, nullptr), GFAB_ERR_INVALID);
    options = gfab_solver_options_default();
    options.load = load;
    EXPECT_EQ(solver->solve(t.get(), &m, &options, &s, nullptr), GFAB_ERR_UNSUPPORTED);
}

TEST(Circuit, BoundsHoldForARingsGossip)
{
    const Topology t = parse("cycle:9"); // by threes there and back: 4 rounds
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count = 0;
    ASSERT_EQ(gfab_bound_all(t.get(), &circuit, nullptr, bounds, &count), GFAB_OK);
    ASSERT_EQ(count, 3u);
    EXPECT_STREQ(bounds[0].name, "growth");
    EXPECT_EQ(bounds[0].rounds, 2u);
}

} // namespace
