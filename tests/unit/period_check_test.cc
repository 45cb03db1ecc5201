// SPDX-License-Identifier: MIT
// The checker on schedules that repeat, against its replay of every group written out.
#include "period_fixture.h"

#include <set>

namespace
{

uint32_t arc_of(const Topology &on, uint32_t from, uint32_t to)
{
    gfab_arc arc = 0;
    EXPECT_TRUE(gfab_topology_find_arc(on.get(), from, to, &arc));
    return arc;
}

// On a path 0 - 1 - 2 block 0 of a broadcast goes out in two rounds, and further blocks each some rounds later.
Group along_path(const Topology &on, uint32_t period, const std::vector<std::pair<uint32_t, uint32_t>> &blocks)
{
    Group group{period, static_cast<uint32_t>(blocks.size()), {}};
    for (uint32_t b = 0; b < blocks.size(); b++) {
        group.steps.push_back({blocks[b].first, arc_of(on, 0, 1), b});
        group.steps.push_back({blocks[b].second, arc_of(on, 1, 2), b});
    }
    std::stable_sort(group.steps.begin(), group.steps.end(),
                     [](const Step &a, const Step &b) { return a.round < b.round; });
    return group;
}

TEST(PeriodCheck, NamesBothGroupsThatMeet)
{
    struct Case {
        const char *spec;
        gfab_port_mode ports;
        uint32_t period;
        std::vector<std::pair<uint32_t, uint32_t>> blocks;
        gfab_fault fault;
        const char *message;
    };
    const Case cases[] = {
        {"path:3", GFAB_PORT_ALL, 2, {{1, 3}, {2, 4}}, GFAB_FAULT_NONE, ""},
        {"path:3",
         GFAB_PORT_ALL,
         1,
         {{1, 3}, {2, 4}},
         GFAB_FAULT_LINK_BUSY,
         "round 2, link 0, node 0 to 1: block 1 of group 0 and, over link 0, block 0 of group 1, whose round 1 it is, "
         "meet at node 0: both are round 0 modulo the period 1; the link carries 1 in a round in this direction"},
        {"path:3",
         GFAB_PORT_ALL,
         3,
         {{1, 3}, {7, 11}},
         GFAB_FAULT_LINK_BUSY,
         "round 7, link 0, node 0 to 1: block 1 of group 0 and, over link 0, block 0 of group 2, whose round 1 it is, "
         "meet at node 0: both are round 1 modulo the period 3; the link carries 1 in a round in this direction"},
        {"path:3+weight=0-1:2", GFAB_PORT_ALL, 2, {{1, 3}, {3, 6}}, GFAB_FAULT_NONE, ""},
        {"path:3+weight=0-1:2",
         GFAB_PORT_ALL,
         3,
         {{1, 3}, {4, 8}, {7, 10}},
         GFAB_FAULT_LINK_BUSY,
         "round 7, link 0, node 0 to 1: block 2 of group 0 and, over link 0, block 0 of group 2, whose round 1 it is, "
         "meet at node 0: both are round 1 modulo the period 3; the link carries 2 in a round in this direction"},
        {"path:3", GFAB_PORT_ONE, 2, {{1, 2}}, GFAB_FAULT_NONE, ""},
        {"path:3",
         GFAB_PORT_ONE,
         1,
         {{1, 2}},
         GFAB_FAULT_PORT_BUSY,
         "round 2, link 1, node 1 to 2: block 0 of group 0 and, over link 0, block 0 of group 1, whose round 1 it is, "
         "meet at node 1: both are round 0 modulo the period 1; the model allows one port"},
        {"path:3",
         GFAB_PORT_ONE,
         2,
         {{1, 5}},
         GFAB_FAULT_PORT_BUSY,
         "round 5, link 1, node 1 to 2: block 0 of group 0 and, over link 0, block 0 of group 2, whose round 1 it is, "
         "meet at node 1: both are round 1 modulo the period 2; the model allows one port"},
    };
    for (const Case &c : cases) {
        const Topology on = parse(c.spec);
        gfab_model under = links(GFAB_LINK_FULL);
        under.port_mode = c.ports;
        const Group group = along_path(on, c.period, c.blocks);
        for (const uint32_t blocks : {1u, 2u, 100u}) {
            const Schedule s = repeating(on, under, goal_on(on, GFAB_BROADCAST, blocks), group);
            const gfab_verify_report report = checked(s);
            EXPECT_EQ(report.fault, c.fault) << report.message;
            EXPECT_STREQ(report.message, c.message);
        }
    }
}

// Of a directed link each way has its own weight.
TEST(PeriodCheck, HoldsEachWayToItsWeight)
{
    for (const char *spec : {"path:3+weight=0-1:2/1", "path:3+weight=0-1:1/2"}) {
        const Topology on = parse(spec);
        const Schedule s =
            repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, 9), along_path(on, 3, {{1, 3}, {4, 8}}));
        const bool fits = gfab_topology_arc_weight(on.get(), arc_of(on, 0, 1)) == 2;
        EXPECT_EQ(checked(s).fault, fits ? GFAB_FAULT_NONE : GFAB_FAULT_LINK_BUSY) << checked(s).message;
        EXPECT_EQ(std::string(checked(s).message).find("the link carries 1 in a round in this direction") ==
                      std::string::npos,
                  fits);
    }
}

// An all-reduce that sends each way over a link in alternate rounds: half duplex, an odd period brings them together.
TEST(PeriodCheck, HoldsBothWaysOfAHalfDuplexLinkToOneWeight)
{
    for (const char *spec : {"path:2", "path:2+weight=0-1:2/1"}) {
        const Topology on = parse(spec);
        for (const uint32_t period : {1u, 2u}) {
            const Group group{period, 1, {{1, 0, GFAB_COMBINE}, {2, 1, 0}}};
            const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_ALL_REDUCE, 1), group);
            EXPECT_EQ(checked(s).fault, GFAB_FAULT_NONE) << checked(s).message;
            const gfab_model half = links(GFAB_LINK_HALF);
            const bool full = period == 1 && !gfab_topology_is_directed(on.get());
            EXPECT_EQ(checked(s, &half).fault, full ? GFAB_FAULT_LINK_BUSY : GFAB_FAULT_NONE);
        }
    }
}

// Checked under the rules of circuits a node starts one packet and takes one, over whatever links; half duplex one of
// the two.
TEST(PeriodCheck, HoldsCircuitsToTheirPorts)
{
    const Topology on = parse("path:3");
    for (const uint32_t period : {1u, 2u, 3u})
        for (const gfab_link_mode mode : {GFAB_LINK_FULL, GFAB_LINK_HALF})
            for (const uint32_t second : {2u, 3u, 4u}) {
                gfab_model under = links(mode);
                under.port_mode = GFAB_PORT_ONE;
                under.routing = GFAB_ROUTING_CIRCUIT;
                const Group group = along_path(on, period, {{1, second}});
                const Schedule s = repeating(on, links(mode), goal_on(on, GFAB_BROADCAST, 9), group);
                const gfab_verify_report a = checked(s, &under), b = checked(unrolled(s), &under);
                EXPECT_EQ(a.fault, b.fault) << period << " " << second << ": " << a.message << b.message;
                EXPECT_EQ(a.fault != GFAB_FAULT_NONE, mode == GFAB_LINK_HALF && (second - 1) % period == 0);
            }
    // Two from one node in one round, over two links.
    const Topology ring = parse("cycle:3");
    const Group group{1, 1, {{1, arc_of(ring, 0, 1), 0}, {2, arc_of(ring, 0, 2), 0}}};
    gfab_model under = links(GFAB_LINK_FULL);
    under.routing = GFAB_ROUTING_CIRCUIT;
    const Schedule s = repeating(ring, links(GFAB_LINK_FULL), goal_on(ring, GFAB_BROADCAST, 9), group);
    EXPECT_EQ(checked(s, &under).fault, GFAB_FAULT_NONE);
    under.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(checked(s, &under).fault, GFAB_FAULT_PORT_BUSY);
    EXPECT_EQ(checked(unrolled(s), &under).fault, GFAB_FAULT_PORT_BUSY);
    // Two over one link that may carry two.
    const Topology wide = parse("path:3+weight=0-1:2+weight=1-2:2");
    for (const gfab_routing routing : {GFAB_ROUTING_STORE_AND_FORWARD, GFAB_ROUTING_CIRCUIT}) {
        const Schedule both = repeating(wide, links(GFAB_LINK_FULL), goal_on(wide, GFAB_BROADCAST, 9),
                                        along_path(wide, 2, {{1, 2}, {3, 4}}));
        under.routing = routing;
        const gfab_fault fault = routing == GFAB_ROUTING_CIRCUIT ? GFAB_FAULT_PORT_BUSY : GFAB_FAULT_NONE;
        EXPECT_EQ(checked(both, &under).fault, fault);
        EXPECT_EQ(checked(unrolled(both), &under).fault, fault);
    }
}

// Every fault that group 0 has alone is there at a length where its block is not, too.
TEST(PeriodCheck, DoesNotDependOnTheLength)
{
    const Topology on = parse("path:3");
    const Group group{4, 2, {{1, 0, 0}, {2, 2, 0}, {3, 0, 1}}};
    const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, 1), group);
    EXPECT_EQ(checked(unrolled(s)).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(checked(s).fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_STREQ(checked(s).message,
                 "group 0 alone: after round 3: 1 delivery is missing; the first: node 2 lacks token 1");
}

TEST(PeriodCheck, TakesNoLongerForTwoThousandMillionBlocks)
{
    const Topology on = parse("path:5");
    const Group group{1, 1, {{1, 0, 0}, {2, 2, 0}, {3, 4, 0}, {4, 6, 0}}};
    const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, (1u << 31) - 4), group);
    const gfab_verify_report report = checked(s);
    EXPECT_EQ(report.fault, GFAB_FAULT_NONE);
    EXPECT_EQ(report.rounds, GFAB_MAX_PLAYED_ROUNDS);
    EXPECT_EQ(report.startups, GFAB_MAX_PLAYED_ROUNDS);
    EXPECT_EQ(report.max_link_moves, (1u << 31) - 4);
    EXPECT_EQ(report.moves, 4 * ((uint64_t{1} << 31) - 4));
}

// Deliveries that bring nothing new, in every group and in the part of the last one.
TEST(PeriodCheck, CountsWhatIsRedundant)
{
    const Topology on = parse("cycle:3");
    Group group = along_path(on, 4, {{1, 2}, {3, 4}});
    group.steps.push_back({9, arc_of(on, 2, 0), 0});
    group.steps.push_back({10, arc_of(on, 2, 0), 1});
    for (uint32_t blocks = 1; blocks <= 9; blocks++) {
        const Schedule s = repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, blocks), group);
        EXPECT_EQ(checked(s).redundant, blocks);
        EXPECT_EQ(checked(unrolled(s)).redundant, blocks);
    }
}

TEST(PeriodCheck, NeedsTheScheduleSTopology)
{
    const Topology on = parse("path:3"), other = parse("path:4");
    const Schedule s =
        repeating(on, links(GFAB_LINK_FULL), goal_on(on, GFAB_BROADCAST, 5), along_path(on, 1, {{1, 2}}));
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(other.get(), gfab_schedule_model(s.get()), s.get(), nullptr, &report), GFAB_ERR_FAULT);
    EXPECT_STREQ(report.message, "the schedule is for path:3, not for path:4");
    EXPECT_EQ(report.rounds, 6u);
}

// So many blocks of an owner that every two moves that ever fall in one round do, and in whole groups.
uint32_t long_enough(const PeriodCase &c, const Group &group)
{
    return c.share * (group.steps.back().round / group.period + 2);
}

TEST(PeriodCheck, AgreesWithAReplayOfTwentyLengths)
{
    std::mt19937 random(20);
    for (const PeriodCase &c : period_cases()) {
        const Topology on = parse(c.spec);
        const Group group = group_of(c, on);
        const Schedule kept = repeating(on, model_of(c), goal_of(c, on, c.share), group);
        for (uint32_t i = 1; i <= 20; i++) {
            const uint32_t length = i <= 12 ? i : 13 + static_cast<uint32_t>(random() % 100);
            ASSERT_EQ(gfab_schedule_set_blocks(kept.get(), goal_of(c, on, length).blocks), GFAB_OK);
            const gfab_verify_report a = checked(kept), b = checked(unrolled(kept));
            ASSERT_EQ(a.fault, GFAB_FAULT_NONE) << c.spec << ": " << a.message;
            ASSERT_EQ(b.fault, GFAB_FAULT_NONE) << c.spec << " " << length << ": " << b.message;
            EXPECT_EQ(a.rounds, b.rounds) << c.spec << " " << length;
            EXPECT_EQ(gfab_schedule_rounds(kept.get()), b.rounds);
            EXPECT_EQ(a.moves, b.moves);
            EXPECT_EQ(a.redundant, b.redundant);
            EXPECT_EQ(a.missing, 0u);
            EXPECT_EQ(a.startups, b.startups) << c.spec << " " << length;
            EXPECT_EQ(a.transfers, b.transfers);
            EXPECT_EQ(a.path_links, b.path_links);
            EXPECT_EQ(a.parts, b.parts);
            EXPECT_EQ(a.max_link_moves, b.max_link_moves);
            EXPECT_EQ(a.min_link_moves, b.min_link_moves);
        }
    }
}

// What is done to a period: each may be harmless where it is tried, and must be found where it is not.
using Plant = bool (*)(const PeriodCase &, const Topology &, Group &, std::mt19937 &);

bool drop(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    group.steps.erase(group.steps.begin() + static_cast<long>(random() % group.steps.size()));
    return group.steps.size() > 1;
}
bool repeat(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    Step step = group.steps[random() % group.steps.size()];
    step.round += 1 + static_cast<uint32_t>(random() % 9);
    group.steps.push_back(step);
    return true;
}
bool earlier(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    Step &step = group.steps[random() % group.steps.size()];
    return step.round > 1 && step.round--;
}
bool later(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    return group.steps[random() % group.steps.size()].round++;
}
bool a_period_earlier(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    Step &step = group.steps[random() % group.steps.size()];
    return step.round > group.period && (step.round -= group.period);
}
bool a_period_later(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    return group.steps[random() % group.steps.size()].round += group.period;
}
bool shorter_period(const PeriodCase &, const Topology &, Group &group, std::mt19937 &)
{
    return group.period > 1 && group.period--;
}
bool wrong_number(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    Step &step = group.steps[random() % group.steps.size()];
    step.token = static_cast<uint32_t>(random() % group.blocks) | (step.token & GFAB_COMBINE);
    return true;
}
bool numbers_exchanged(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    const uint32_t a = static_cast<uint32_t>(random() % group.blocks),
                   b = static_cast<uint32_t>(random() % group.blocks);
    for (Step &step : group.steps) {
        const uint32_t block = step.token & ~GFAB_COMBINE;
        step.token = (block == a ? b : block == b ? a : block) | (step.token & GFAB_COMBINE);
    }
    return true;
}
bool other_kind(const PeriodCase &c, const Topology &, Group &group, std::mt19937 &random)
{
    group.steps[random() % group.steps.size()].token ^= GFAB_COMBINE;
    return c.collective != GFAB_ALL_GATHER; // whose tokens are never combined: append says so
}
bool other_link(const PeriodCase &, const Topology &on, Group &group, std::mt19937 &random)
{
    group.steps[random() % group.steps.size()].arc =
        static_cast<gfab_arc>(random() % (2 * gfab_topology_link_count(on.get())));
    return true;
}
bool turned(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    group.steps[random() % group.steps.size()].arc ^= 1;
    return true;
}
bool two_exchanged(const PeriodCase &, const Topology &, Group &group, std::mt19937 &random)
{
    std::swap(group.steps[random() % group.steps.size()].round, group.steps[random() % group.steps.size()].round);
    return true;
}

const Plant plants[] = {drop,           repeat,       earlier,           later,      a_period_earlier, a_period_later,
                        shorter_period, wrong_number, numbers_exchanged, other_kind, other_link,       turned,
                        two_exchanged};

// Each is tried on every case; a replay of enough groups says whether the period is broken, and the checker must agree,
// to the round where one group alone is right.
TEST(PeriodCheck, FindsWhatIsPlantedInPeriods)
{
    std::set<std::pair<gfab_fault, bool>> found; // and whether group 0 alone is right
    size_t total = 0;
    std::vector<std::vector<Group>> made;
    for (const PeriodCase &c : period_cases()) {
        made.emplace_back();
        for (uint32_t seed = 1; seed <= 3; seed++)
            made.back().push_back(group_of(c, parse(c.spec), seed));
    }
    for (const Plant &plant : plants) {
        size_t broken = 0;
        for (size_t i = 0; i < period_cases().size(); i++) {
            const PeriodCase &c = period_cases()[i];
            const Topology on = parse(c.spec);
            std::mt19937 random(7);
            for (uint32_t seed = 1; seed <= 3; seed++) {
                Group group = made[i][seed - 1];
                if (!plant(c, on, group, random))
                    continue;
                std::stable_sort(group.steps.begin(), group.steps.end(),
                                 [](const Step &a, const Step &b) { return a.round < b.round; });
                const gfab_goal goal = goal_of(c, on, long_enough(c, group)), one = goal_of(c, on, c.share);
                const gfab_verify_report own = checked(repeating(on, model_of(c), one, group));
                const gfab_verify_report all = checked(repeating(on, model_of(c), goal, group));
                const gfab_verify_report replay = checked(unrolled(repeating(on, model_of(c), goal, group)));
                const gfab_verify_report first = checked(unrolled(repeating(on, model_of(c), one, group)));
                ASSERT_EQ(all.fault != GFAB_FAULT_NONE, replay.fault != GFAB_FAULT_NONE)
                    << c.spec << " " << seed << ": " << all.message << replay.message;
                ASSERT_STREQ(own.message, all.message); // found at any length
                if (all.fault == GFAB_FAULT_NONE)
                    continue;
                broken++;
                found.insert({all.fault, first.fault == GFAB_FAULT_NONE});
                const std::string message = all.message;
                EXPECT_EQ(message.find('\n'), std::string::npos);
                if (first.fault != GFAB_FAULT_NONE) {
                    EXPECT_EQ(message, "group 0 alone: " + std::string(first.message));
                    continue;
                }
                EXPECT_EQ(all.round, replay.round) << message << "\n" << replay.message;
                const std::string residue = "both are round " + std::to_string(all.round % group.period) +
                                            " modulo the period " + std::to_string(group.period) + "; ";
                EXPECT_NE(message.find(residue), std::string::npos) << message;
                EXPECT_NE(message.find("of group 0 and, over link "), std::string::npos) << message;
            }
        }
        EXPECT_GE(broken, 5u) << "plant " << &plant - plants;
        total += broken;
    }
    EXPECT_GE(total, 200u);
    const std::set<std::pair<gfab_fault, bool>> all = {
        {GFAB_FAULT_LINK_BUSY, false},     {GFAB_FAULT_LINK_BUSY, true},          {GFAB_FAULT_PORT_BUSY, false},
        {GFAB_FAULT_PORT_BUSY, true},      {GFAB_FAULT_TOKEN_MISSING, false},     {GFAB_FAULT_TOKEN_TOO_NEW, false},
        {GFAB_FAULT_WRONG_COMBINE, false}, {GFAB_FAULT_STORE_CLASH, false},       {GFAB_FAULT_COUNTED_TWICE, false},
        {GFAB_FAULT_PARTIAL_TOTAL, false}, {GFAB_FAULT_CONTRIBUTION_LOST, false}, {GFAB_FAULT_INCOMPLETE, false}};
    EXPECT_EQ(found, all);
}

} // namespace
