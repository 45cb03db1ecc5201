// SPDX-License-Identifier: MIT
// Switches that copy or combine within the round: specifications, what counts once on a link, mutants, bounds against
// an exhaustive search, and solver in-network, replayed by rules of the tests.
#include "extras.h"
#include "in_network_fixture.h"
#include "switch_fixture.h"

namespace
{

const char *const kinds[] = {"switch", "switch:copy", "switch:combine", "switch:copy-combine"};

TEST(InNetwork, SpecsAndFilesComeBack)
{
    WANTS_EXTRA(graphs);
    WANTS_EXTRA(formats);
    for (const std::string kind : kinds) {
        const std::string spec = "graph:4:0-1,1-2,1-3+relay=1:" + kind;
        const Topology t = parse(spec);
        EXPECT_EQ(gfab_topology_spec(t.get()), spec);
        EXPECT_EQ(gfab_topology_relay_name(gfab_topology_relay(t.get(), 1)), kind);
        EXPECT_TRUE(gfab_topology_is_switch(t.get(), 1));
        EXPECT_EQ(gfab_topology_is_passive(t.get(), 1), kind == "switch");
        EXPECT_EQ(gfab_topology_copies(t.get(), 1), kind.find("copy") != std::string::npos);
        EXPECT_EQ(gfab_topology_combines(t.get(), 1), kind.find("combine") != std::string::npos);
        EXPECT_EQ(!!(gfab_topology_marks(t.get()) & GFAB_MARK_HELPING), kind != "switch");
        const std::string dot = "graph { 1 [relay=\"" + kind + "\"]; 0 -- 1 -- 2; 1 -- 3 }";
        EXPECT_EQ(gfab_topology_spec(read_file("k.dot", dot).get()), spec);
        const std::string gml = "graph [ node [ id 0 ] node [ id 1 relay \"" + kind +
                                "\" ] node [ id 2 ] node [ id 3 ]"
                                " edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 3 target 1 ] ]";
        EXPECT_EQ(gfab_topology_spec(read_file("k.gml", gml).get()), spec);
        const File file(std::tmpfile());
        ASSERT_EQ(gfab_format_find("graphml")->write_graph(t.get(), file.get(), nullptr), GFAB_OK);
        std::rewind(file.get());
        std::string text(4096, '\0');
        text.resize(std::fread(&text[0], 1, text.size(), file.get()));
        EXPECT_EQ(gfab_topology_spec(read_file("k.graphml", text).get()), spec);
    }
    gfab_topology *turned = nullptr; // backwards in time copying and combining change places
    ASSERT_EQ(gfab_topology_reverse(parse("path:3+relay=1:switch:copy").get(), &turned), GFAB_OK);
    EXPECT_STREQ(gfab_topology_spec(Topology(turned).get()), "graph:3:0-1,1-2+relay=1:switch:combine");
    expect_refused({"path:3+relay=1:switch:both", GFAB_ERR_PARSE, "unexpected \":both\""});
    expect_refused({"path:3+relay=1:multicast", GFAB_ERR_PARSE, ":switch:copy-combine"});
    std::string says;
    read_file("k.dot", "graph { 1 [relay=\"switch:sum\"]; 0 -- 1 -- 2 }", &says);
    EXPECT_NE(says.find("switch:copy-combine or false is expected"), std::string::npos) << says;
}

// ---- the checker ----

gfab_verify_report verdict(const Topology &topology, gfab_link_mode mode, const gfab_goal &goal,
                           const std::vector<Packet> &packets, std::string *own = nullptr)
{
    gfab_schedule *made = nullptr;
    const gfab_model model = links(mode);
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    for (const Packet &p : packets) {
        std::vector<gfab_arc> arcs(p.path.size() - 1);
        for (size_t i = 0; i < arcs.size(); i++)
            EXPECT_TRUE(gfab_topology_find_arc(topology.get(), p.path[i], p.path[i + 1], &arcs[i]));
        const uint32_t token = p.token | (p.combine ? GFAB_COMBINE : 0);
        EXPECT_EQ(gfab_schedule_append_packet(made, p.round, arcs.data(), arcs.size(), &token, 1), GFAB_OK);
    }
    if (own)
        *own = replay(made);
    return checked(schedule);
}

// Members 0 and 1 on switch 4, members 2 and 3 on switch 5, a link between the switches; all links weigh 1.
std::string two_boxes(const std::string &first, const std::string &second)
{
    return "graph:6:0-4,1-4,2-5,3-5,4-5+relay=4:" + first + "+relay=5:" + second;
}

std::vector<Packet> all_pairs(bool combine)
{
    std::vector<Packet> packets;
    for (uint32_t s = 0; s < 4; s++)
        for (uint32_t r = 0; r < 4; r++)
            if (r != s) {
                const bool near = s / 2 == r / 2;
                packets.push_back(
                    {1,
                     near ? std::vector<uint32_t>{s, 4 + s / 2, r} : std::vector<uint32_t>{s, 4 + s / 2, 4 + r / 2, r},
                     0, combine});
            }
    return packets;
}

TEST(InNetwork, WhatCountsOnce)
{
    const gfab_goal broadcast = {GFAB_BROADCAST, 1, 0, false}, sum = {GFAB_ALL_REDUCE, 1, 0, false},
                    reduce = {GFAB_REDUCE, 1, 0, false};
    const std::vector<Packet> down = {
        {1, {0, 4, 1}, 0, false}, {1, {0, 4, 5, 2}, 0, false}, {1, {0, 4, 5, 3}, 0, false}};
    const std::vector<Packet> up = {{1, {1, 4, 0}, 0, true}, {1, {2, 5, 4, 0}, 0, true}, {1, {3, 5, 4, 0}, 0, true}};
    const struct {
        const char *first, *second;
        bool copies, combines, both;
    } table[] = {{"switch:copy-combine", "switch:copy-combine", true, true, true},
                 {"switch:copy", "switch:copy", true, false, false},
                 {"switch:combine", "switch:combine", false, true, false},
                 {"switch", "switch", false, false, false},
                 {"switch:copy", "switch:combine", false, false, false},
                 {"switch:copy-combine", "switch", false, false, false},
                 {"switch", "switch:copy-combine", false, false, false}};
    for (const auto &row : table)
        for (const gfab_link_mode mode : {GFAB_LINK_FULL, GFAB_LINK_HALF}) {
            const Topology t = parse(two_boxes(row.first, row.second));
            std::string own;
            const auto fault = [](bool good) { return good ? GFAB_FAULT_NONE : GFAB_FAULT_LINK_BUSY; };
            gfab_verify_report r = verdict(t, mode, broadcast, down, &own);
            EXPECT_EQ(r.fault, fault(row.copies)) << row.first << " " << row.second << ": " << r.message;
            EXPECT_EQ(own.empty(), row.copies) << own;
            if (row.copies) {
                EXPECT_EQ(r.moves, 5u); // each link once
                EXPECT_EQ(r.link_transfers, 1u);
            }
            r = verdict(t, mode, reduce, up, &own);
            EXPECT_EQ(r.fault, fault(row.combines)) << row.first << " " << row.second << ": " << r.message;
            EXPECT_EQ(own.empty(), row.combines) << own;
            r = verdict(t, mode, sum, all_pairs(true), &own); // both ways over each link
            EXPECT_EQ(r.fault, fault(row.both && mode == GFAB_LINK_FULL)) << row.first << ": " << r.message;
            EXPECT_EQ(own.empty(), row.both && mode == GFAB_LINK_FULL) << own;
        }
}

// Each is one change to what is good.
TEST(InNetwork, MutantsAreRejected)
{
    const Topology t = parse(two_boxes("switch:copy-combine", "switch:copy-combine"));
    const gfab_goal sum = {GFAB_ALL_REDUCE, 1, 0, false}, two = {GFAB_BROADCAST, 2, 0, false};
    std::string own;
    // One of four pairs over the middle link is missing: the sum at 2 and that at 3 differ, so that they are two.
    for (size_t i = 0; i < 12; i++) {
        std::vector<Packet> packets = all_pairs(true);
        const bool middle = packets[i].path.size() == 4;
        packets.erase(packets.begin() + long(i));
        const gfab_verify_report r = verdict(t, GFAB_LINK_FULL, sum, packets, &own);
        EXPECT_EQ(r.fault, middle ? GFAB_FAULT_LINK_BUSY : GFAB_FAULT_PARTIAL_TOTAL) << i << ": " << r.message;
        EXPECT_FALSE(own.empty());
    }
    // One is stored.
    std::vector<Packet> packets = all_pairs(true);
    packets[3].combine = false;
    EXPECT_NE(verdict(t, GFAB_LINK_FULL, sum, packets, &own).fault, GFAB_FAULT_NONE);
    EXPECT_FALSE(own.empty());
    // The same packet twice is two.
    packets = all_pairs(true);
    packets.push_back(packets[0]);
    EXPECT_NE(verdict(t, GFAB_LINK_FULL, sum, packets, &own).fault, GFAB_FAULT_NONE);
    EXPECT_FALSE(own.empty());
    // Two blocks are two messages.
    packets = {{1, {0, 4, 1}, 0, false}, {1, {0, 4, 5, 2}, 1, false}};
    EXPECT_EQ(verdict(t, GFAB_LINK_FULL, two, packets, &own).fault, GFAB_FAULT_LINK_BUSY);
    EXPECT_FALSE(own.empty());
    // Nothing is combined where messages are stored.
    packets = {{1, {0, 4, 5, 2}, 0, false}, {2, {0, 4, 1}, 0, false}, {2, {2, 5, 4, 1}, 0, false}};
    EXPECT_EQ(verdict(t, GFAB_LINK_FULL, {GFAB_BROADCAST, 1, 0, false}, packets).fault, GFAB_FAULT_LINK_BUSY);
}

// Paths that part at a member, or come back together, are not one message.
TEST(InNetwork, WaysThatPartEarlier)
{
    // 0 - 4 - {5, 6} - 7 - {1, 2}; member 3 hangs on 4.
    const Topology t = parse("graph:8:0-4,3-4,4-5,4-6,5-7,6-7,1-7,2-7+relay=4-7:switch:copy");
    const gfab_goal goal = {GFAB_BROADCAST, 1, 0, false};
    std::string own;
    std::vector<Packet> packets = {
        {1, {0, 4, 5, 7, 1}, 0, false}, {1, {0, 4, 6, 7, 2}, 0, false}, {1, {0, 4, 3}, 0, false}};
    EXPECT_EQ(verdict(t, GFAB_LINK_FULL, goal, packets, &own).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(own, "");
    // Over 4-5 and 5-7 together: 7 copies, so that it is one.
    packets[1].path = {0, 4, 5, 7, 2};
    EXPECT_EQ(verdict(t, GFAB_LINK_FULL, goal, packets, &own).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(own, "");
}

// ---- bounds ----

// The fewest rounds, by every set of packets in every round. Gives up (0) where a round has too many.
class Everything
{
  public:
    Everything(const Topology &t, const gfab_goal &goal, bool full) : t_(t.get()), goal_(goal), full_(full)
    {
        for (uint32_t v = 0; v < gfab_topology_node_count(t_); v++)
            if (!gfab_topology_is_relay(t_, v))
                walk({v});
    }
    uint32_t rounds()
    {
        std::set<State> states = {start_of(t_, goal_)}, seen = states;
        for (uint32_t round = 0; round < 5; round++) {
            std::set<State> next;
            for (const State &state : states) {
                if (is_done(t_, goal_, state))
                    return round;
                if (!expand(state, next) || next.size() > 60)
                    return 0;
            }
            states.clear();
            for (const State &state : next)
                if (seen.insert(state).second)
                    states.insert(state);
        }
        return 0;
    }

  private:
    void walk(const std::vector<uint32_t> &nodes)
    {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(t_, nodes.back(), &count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t peer = ports[i].peer;
            if (std::count(nodes.begin(), nodes.end(), peer))
                continue;
            std::vector<uint32_t> further = nodes;
            further.push_back(peer);
            if (gfab_topology_is_relay(t_, peer))
                walk(further);
            else
                paths_.push_back(further);
        }
    }
    bool expand(const State &state, std::set<State> &next) const
    {
        const bool combines = gfab_collective_combines(goal_.collective);
        std::vector<Packet> choice;
        for (const std::vector<uint32_t> &path : paths_)
            for (uint32_t b = 0; b < goal_.blocks; b++) {
                const uint64_t sent = state[path.front() * goal_.blocks + b],
                               has = state[path.back() * goal_.blocks + b];
                if (combines && sent && !(sent & has))
                    choice.push_back({1, path, b, true});
                if (combines ? sent != has && (sent & has) == has : sent && !has)
                    choice.push_back({1, path, b, false});
            }
        if (choice.size() > 8)
            return false;
        for (uint32_t set = 1; set < 1u << choice.size(); set++) {
            std::vector<Packet> round;
            for (size_t i = 0; i < choice.size(); i++)
                if (set >> i & 1)
                    round.push_back(choice[i]);
            State after = state;
            if (play(t_, goal_, full_, round, after).empty())
                next.insert(after);
        }
        return true;
    }
    const gfab_topology *t_;
    const gfab_goal goal_;
    const bool full_;
    std::vector<std::vector<uint32_t>> paths_;
};

std::string random_helped(std::mt19937 &random)
{
    const uint32_t members = 2 + random() % 2, switches = 1 + random() % 2, nodes = members + switches;
    std::string spec = random_spec(random, nodes, random() % 2, false, true);
    std::set<uint32_t> chosen;
    while (chosen.size() < switches)
        chosen.insert(random() % nodes);
    for (const uint32_t v : chosen)
        spec += "+relay=" + std::to_string(v) + ":" + kinds[chosen.size() == 1 ? 1 + random() % 3 : random() % 4];
    return spec;
}

// Exhaustively: no bound is above the fewest rounds, and no schedule of auto's below it.
TEST(InNetwork, BoundsAreNeverAboveTheOptimum)
{
    std::mt19937 random(3);
    uint32_t met = 0, all = 0, reached = 0;
    for (uint32_t i = 0; i < extent(40, 300); i++) {
        const std::string spec = random_helped(random);
        const Topology t = parse(spec);
        for (const gfab_collective c :
             {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE})
            for (const gfab_link_mode mode : {GFAB_LINK_FULL, GFAB_LINK_HALF}) {
                gfab_goal goal = goal_on(t, c, c == GFAB_BROADCAST || c == GFAB_REDUCE ? 2 : 0);
                if (c == GFAB_ALL_REDUCE)
                    goal.blocks = 1;
                const uint32_t rounds = Everything(t, goal, mode == GFAB_LINK_FULL).rounds();
                if (rounds == 0)
                    continue;
                const gfab_model model = links(mode);
                gfab_bound bound;
                ASSERT_EQ(gfab_bound_goal_best(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
                EXPECT_LE(bound.rounds, rounds)
                    << spec << " " << gfab_collective_name(c) << ": " << bound.name << ": " << bound.argument;
                met += bound.rounds == rounds;
                all++;
                const Made made = make("auto", t, model, goal);
                if (!made.schedule)
                    continue;
                EXPECT_GE(made.rounds(), rounds) << spec << " " << gfab_collective_name(c);
                reached += made.rounds() == rounds;
            }
    }
    EXPECT_GE(all, extent(60, 500));
    EXPECT_GE(10 * met, 7 * all) << met << " of " << all;         // they are of use
    EXPECT_GE(10 * reached, 7 * all) << reached << " of " << all; // and so are the schedules
}

// ---- schedules ----

// Below one switch of weight w: B blocks in ceil(B / w) rounds, at the bound.
TEST(InNetwork, BelowOneSwitchAndBelowPlanes)
{
    const struct {
        uint32_t members, switches, weight, blocks, rounds;
    } table[] = {{8, 1, 1, 16, 16}, {8, 1, 9, 9, 1}, {8, 1, 9, 10, 2}, {36, 1, 18, 36, 2}, {16, 18, 1, 36, 2}};
    for (const auto &row : table) {
        std::string spec = below_switches(row.members, row.switches, row.weight);
        spec.replace(spec.find(":switch"), 7, ":switch:copy-combine");
        const Topology t = parse(spec);
        for (const gfab_collective c : {GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
            const gfab_goal goal = goal_on(t, c, row.blocks);
            const gfab_model model = links(GFAB_LINK_FULL);
            const Made made = make("auto", t, model, goal);
            ASSERT_TRUE(made.schedule) << made.says;
            EXPECT_EQ(checked(made.schedule).fault, GFAB_FAULT_NONE) << checked(made.schedule).message;
            EXPECT_EQ(made.rounds(), row.rounds) << row.members << " " << gfab_collective_name(c);
            EXPECT_EQ(bound_on(t, model, goal), row.rounds);
        }
    }
}

// Boxes, planes and spines of all kinds: what is made is right by the checker and by the replay above.
TEST(InNetwork, WhatIsMadeIsValid)
{
    std::mt19937 random(17);
    uint32_t helped = 0;
    for (uint32_t i = 0; i < extent(12, 150); i++) {
        std::string spec = two_levels(random);
        spec.replace(spec.find(":switch"), 7, std::string(":") + kinds[1 + random() % 3]);
        gfab_topology *parsed = nullptr;
        if (gfab_topology_parse(spec.c_str(), &parsed, nullptr) != GFAB_OK)
            continue;
        const Topology t(parsed);
        for (const gfab_collective c : all_collectives)
            for (const char *solver : {"auto", "in-network"}) {
                const gfab_goal goal = goal_on(
                    t, c, c == GFAB_ALL_TO_ALL || c == GFAB_BARRIER ? 0 : 2 * gfab_topology_member_count(t.get()));
                const gfab_model model = links(i % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
                const Made made = make(solver, t, model, goal);
                if (!made.schedule) {
                    EXPECT_TRUE(made.status == GFAB_ERR_UNSUPPORTED) << spec << ": " << made.says;
                    continue;
                }
                helped += std::string(gfab_schedule_solver(made.schedule.get())) == "in-network";
                const gfab_verify_report report = checked(made.schedule);
                EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << spec << ": " << report.message;
                if (gfab_schedule_period(made.schedule.get()) == 0 &&
                    gfab_schedule_packet_count(made.schedule.get()) < 1000) {
                    EXPECT_EQ(replay(made.schedule.get()), "") << spec << " " << gfab_collective_name(c);
                }
                EXPECT_LE(bound_on(t, model, goal), made.rounds()) << spec;
            }
    }
    EXPECT_GE(helped, 20u);
}

// Any number of blocks: a round's blocks repeat, each group by itself.
TEST(InNetwork, GroupsRepeat)
{
    std::string spec = below_switches(5, 1, 3);
    spec.replace(spec.find(":switch"), 7, ":switch:copy-combine");
    const Topology t = parse(spec);
    for (const gfab_collective c : {GFAB_BROADCAST, GFAB_ALL_REDUCE, GFAB_ALL_GATHER}) {
        const gfab_goal goal = goal_on(t, c, 10);
        gfab_solver_options options = gfab_solver_options_default();
        options.goal = &goal;
        options.any_length = true;
        const gfab_model model = links(GFAB_LINK_FULL);
        gfab_schedule *made = nullptr;
        ASSERT_EQ(gfab_solve(gfab_solver_find("in-network"), t.get(), &model, &options, &made, nullptr, nullptr),
                  GFAB_OK);
        const Schedule schedule(made);
        ASSERT_EQ(gfab_schedule_set_blocks(made, 10), GFAB_OK);
        EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE) << checked(schedule).message;
        EXPECT_EQ(replay(made), "");
        EXPECT_EQ(gfab_schedule_rounds(made), 4u) << gfab_collective_name(c);
    }
}

// What does not take them says so.
TEST(InNetwork, Refusals)
{
    const gfab_model full = links(GFAB_LINK_FULL);
    const Topology copies = parse("path:3+relay=1:switch:copy"), plain = parse("path:3+relay=1:switch");
    Made made = make("in-network", copies, full, {GFAB_REDUCE, 1, 0, false});
    EXPECT_NE(made.says.find("no tree of switches that combine"), std::string::npos) << made.says;
    made = make("in-network", plain, full, {GFAB_BROADCAST, 1, 0, false});
    EXPECT_NE(made.says.find("for graphs with switches that copy or combine"), std::string::npos) << made.says;
    made = make("steiner", copies, full, {GFAB_BROADCAST, 1, 0, false});
    EXPECT_NE(made.says.find("switches that copy or combine"), std::string::npos) << made.says;
}

} // namespace
