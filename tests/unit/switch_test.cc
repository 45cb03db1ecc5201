// SPDX-License-Identifier: MIT
// Switches, which packets pass in the round in which they are sent: specifications, hops, the checker, bounds against
// an exhaustive search, and what everybody uses below one switch.
#include "extras.h"
#include "marked_fixture.h"
#include "switch_fixture.h"

namespace
{

// ---- specifications ----

TEST(Switch, SpecsComeBack)
{
    for (const char *spec : {"path:3+relay=1:switch", "mesh:2x4+relay=0-1:copy+relay=2:switch+relay=3",
                             "graph:6:0-5,1-5,2-5,3-5,4-5+relay=5:switch+relay=4:forward+weight=0-5:3"}) {
        const Topology topology = parse(spec), again = parse(gfab_topology_spec(topology.get()));
        EXPECT_TRUE(gfab_topology_equal(topology.get(), again.get())) << spec;
        EXPECT_STREQ(gfab_topology_spec(topology.get()), gfab_topology_spec(again.get()));
        EXPECT_TRUE(gfab_topology_marks(again.get()) & GFAB_MARK_SWITCHES) << spec;
    }
    const Topology one = parse("path:3+relay=1:switch"), other = parse("path:3+relay=1:forward");
    EXPECT_FALSE(gfab_topology_equal(one.get(), other.get()));
    EXPECT_EQ(gfab_topology_marks(one.get()), GFAB_MARK_RELAYS | GFAB_MARK_SWITCHES);
    EXPECT_EQ(gfab_topology_marks(other.get()), GFAB_MARK_RELAYS | GFAB_MARK_LIMITED);
    EXPECT_STREQ(gfab_topology_marks_name(gfab_topology_marks(one.get())), "switches");
    EXPECT_TRUE(gfab_topology_is_switch(one.get(), 1));
    EXPECT_FALSE(gfab_topology_is_switch(one.get(), 0));
    EXPECT_FALSE(gfab_topology_is_switch(other.get(), 1));
    gfab_topology *turned = nullptr;
    ASSERT_EQ(gfab_topology_reverse(one.get(), &turned), GFAB_OK);
    EXPECT_TRUE(gfab_topology_equal(one.get(), Topology(turned).get()));
    expect_refused({"path:3+relay=1:switches", GFAB_ERR_PARSE, "unexpected \"es\""});
}

// All relays that a graph has, in its canonical text one by one.
TEST(Switch, AllRelaysAreOfAKind)
{
    const Topology tree = parse("fat-tree:4+relays=switch"), listed = parse("fat-tree:4+relay=16-35:switch");
    EXPECT_TRUE(gfab_topology_equal(tree.get(), listed.get()));
    EXPECT_STREQ(gfab_topology_spec(tree.get()), "fat-tree:4+relay=16-35:switch");
    EXPECT_STREQ(gfab_topology_spec(parse("machine:h100x2+relays=true").get()), "machine:h100x2+relay=16-18");
    EXPECT_STREQ(gfab_topology_spec(parse("dragonfly:1,2,1+drop-node=0+relays=switch:copy").get()),
                 "dragonfly:1,2,1+drop-node=0+relay=6-11:switch:copy");
    expect_refused({"mesh:2x2+relays=switch", GFAB_ERR_INVALID, "where there are no relays"});
    expect_refused({"fat-tree:4+relays=5", GFAB_ERR_PARSE, "+relays=true, copy"});
    expect_refused({"fat-tree:4+relays=switch+relay=16", GFAB_ERR_INVALID, "named as a relay twice"});
    expect_refused({"fat-tree:4+relays=switch+relays=true", GFAB_ERR_INVALID, "named as a relay twice"});
}

TEST(Switch, FilesSayIt)
{
    WANTS_EXTRA(graphs);
    WANTS_EXTRA(formats);
    const char *spec = "graph:4:0-1,1-2,1-3+relay=1:switch";
    const Topology made = parse(spec);
    const std::pair<const char *, const char *> files[] = {
        {"s.dot", "graph { 1 [relay=switch]; 0 -- 1 -- 2; 1 -- 3 }"},
        {"s.gml", "graph [ node [ id 0 ] node [ id 1 relay \"switch\" ] node [ id 2 ] node [ id 3 ]"
                  " edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 3 target 1 ] ]"},
        {"s.graphml", "<graphml><key id='r' attr.name='relay'/><graph edgedefault='undirected'>"
                      "<node id='0'/><node id='1'><data key='r'>switch</data></node><node id='2'/><node id='3'/>"
                      "<edge source='0' target='1'/><edge source='2' target='1'/><edge source='3' target='1'/>"
                      "</graph></graphml>"},
    };
    for (const auto &[name, text] : files)
        EXPECT_STREQ(gfab_topology_spec(read_file(name, text).get()), gfab_topology_spec(made.get())) << name;
    const File file(std::tmpfile());
    ASSERT_EQ(gfab_format_find("graphml")->write_graph(made.get(), file.get(), nullptr), GFAB_OK);
    std::rewind(file.get());
    std::string text(4096, '\0');
    text.resize(std::fread(&text[0], 1, text.size(), file.get()));
    EXPECT_TRUE(gfab_topology_equal(made.get(), read_file("t.graphml", text).get()));
}

TEST(Switch, HopsPassThem)
{
    // 0 - s1 - s2 - 3 - 4, and 0 - 5 - 3: node 3 is one hop from node 0 by the switches.
    const Topology t = parse("graph:6:0-1,1-2,2-3,3-4,0-5,3-5+relay=1,2:switch");
    uint32_t hops[6], work[12];
    const uint32_t from0[6] = {0, 1, 1, 1, 2, 1}, to0[6] = {0, 0, 0, 1, 2, 1};
    gfab_topology_hops(t.get(), 0, false, hops, work);
    EXPECT_EQ(std::vector<uint32_t>(hops, hops + 6), std::vector<uint32_t>(from0, from0 + 6));
    gfab_topology_hops(t.get(), 0, true, hops, work);
    EXPECT_EQ(std::vector<uint32_t>(hops, hops + 6), std::vector<uint32_t>(to0, to0 + 6));
}

// ---- the checker ----

struct Packet {
    uint32_t round;
    std::vector<uint32_t> path, tokens;
};

gfab_verify_report verdict(const char *spec, gfab_link_mode mode, uint32_t blocks, const std::vector<Packet> &packets)
{
    const Topology topology = parse(spec);
    gfab_schedule *made = nullptr;
    gfab_model model = links(mode);
    model.packet_tokens = 8;
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    const gfab_goal goal = {GFAB_BROADCAST, blocks, 0, false};
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    for (const Packet &p : packets) {
        std::vector<gfab_arc> arcs(p.path.size() - 1);
        for (size_t i = 0; i < arcs.size(); i++)
            EXPECT_TRUE(gfab_topology_find_arc(topology.get(), p.path[i], p.path[i + 1], &arcs[i]));
        EXPECT_EQ(
            gfab_schedule_append_packet(made, p.round, arcs.data(), arcs.size(), p.tokens.data(), p.tokens.size()),
            GFAB_OK);
    }
    return checked(schedule);
}

// Members 0 to 2 on switch 3, by links of weight 2 and 1; member 4 behind member 2.
const char *const star = "graph:5:0-3,1-3,2-3,2-4+relay=3:switch+weight=0-3:2";

TEST(Switch, PacketsPassInTheirRound)
{
    const std::vector<Packet> good = {{1, {0, 3, 1}, {0}}, {1, {0, 3, 2}, {0}}, {2, {2, 4}, {0}}};
    const gfab_verify_report report = verdict(star, GFAB_LINK_FULL, 1, good);
    EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
    EXPECT_EQ(report.startups, 2u);
    EXPECT_EQ(report.moves, 5u);
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_EQ(verdict(star, GFAB_LINK_HALF, 1, good).fault, GFAB_FAULT_NONE);
}

// The time of a round is that of the link with most tokens for its weight.
TEST(Switch, RoundsAreAsLongAsTheirBusiestLink)
{
    const gfab_verify_report two = verdict(star, GFAB_LINK_FULL, 1, {{1, {0, 3, 1}, {0}}, {1, {0, 3, 2}, {0}}});
    EXPECT_EQ(two.link_parts, 2u);
    EXPECT_EQ(two.link_transfers, 2u); // 2 tokens over weight 2, 1 over weight 1: a whole one
    const char *const heavy = "complete:3+weight=0-1:3+weight=0-2:2";
    const gfab_verify_report third = verdict(heavy, GFAB_LINK_FULL, 1, {{1, {0, 1}, {0}}, {2, {0, 2}, {0}}});
    EXPECT_EQ(third.fault, GFAB_FAULT_NONE);
    EXPECT_EQ(third.link_parts, 6u);
    EXPECT_EQ(third.link_transfers, 2u + 3u);
    EXPECT_EQ(third.transfers, 2u);
    // Half duplex both ways share the weight.
    const std::vector<Packet> ways = {{1, {0, 1}, {0, 1}}, {2, {0, 1}, {0}}, {2, {1, 0}, {1}}};
    EXPECT_EQ(verdict(heavy, GFAB_LINK_HALF, 2, ways).link_transfers, 4u + 4u);
    EXPECT_EQ(verdict(heavy, GFAB_LINK_FULL, 2, ways).link_transfers, 4u + 2u);
}

// Each is one change to what is good.
TEST(Switch, MutantsAreRejected)
{
    const struct {
        gfab_fault fault;
        const char *words;
        std::vector<Packet> packets;
    } mutants[] = {
        {GFAB_FAULT_SWITCH_END, "ends at node 3, which is a switch", {{1, {0, 3}, {0}}}},
        {GFAB_FAULT_SWITCH_END, "begins at node 3", {{1, {3, 1}, {0}}}},
        {GFAB_FAULT_PATH_TOO_LONG, "more past switches alone", {{1, {0, 3, 2, 4}, {0}}}},
        {GFAB_FAULT_PATH_BROKEN, "visits node 0 twice", {{1, {0, 3, 0}, {0}}}},
        {GFAB_FAULT_TOKEN_MISSING, "node 2 to 4", {{1, {0, 3, 2}, {0}}, {1, {2, 4}, {0}}}},
        {GFAB_FAULT_TOKEN_MISSING, "", {{1, {1, 3, 2}, {0}}}},
        {GFAB_FAULT_INCOMPLETE, "node 1 lacks", {{1, {0, 3, 2}, {0}}, {2, {2, 4}, {0}}}},
    };
    for (const auto &mutant : mutants) {
        const gfab_verify_report report = verdict(star, GFAB_LINK_FULL, 1, mutant.packets);
        EXPECT_EQ(report.fault, mutant.fault) << mutant.words << ": " << report.message;
        EXPECT_NE(std::string(report.message).find(mutant.words), std::string::npos) << report.message;
    }
}

// A link of weight w carries w s blocks in a round whose longest packet has s.
TEST(Switch, LinksShareBlocks)
{
    const std::vector<uint32_t> two = {0, 1}, three = {0, 1, 2};
    const std::vector<Packet> rest = {{1, {0, 3, 1}, two}, {1, {0, 3, 2}, {0}}, {1, {0, 3, 4}, {1}}};
    const char *const spec = "graph:5:0-3,1-3,2-3,3-4+relay=3:switch+weight=0-3:2";
    // 2 + 1 + 1 blocks over a link of weight 2, the longest of 2: full.
    EXPECT_EQ(verdict(spec, GFAB_LINK_FULL, 2, rest).fault, GFAB_FAULT_INCOMPLETE);
    std::vector<Packet> more = rest;
    more.push_back({1, {0, 3, 1}, {0}});
    EXPECT_EQ(verdict(spec, GFAB_LINK_FULL, 2, more).fault, GFAB_FAULT_LINK_BUSY);
    // With a packet of 3 elsewhere there is room for 6; over node 2's own link of weight 1 for 3.
    std::vector<Packet> longer = {{1, {0, 3, 1}, three}, {1, {0, 3, 2}, {0}}, {1, {0, 3, 2}, {1}}, {1, {0, 3, 2}, {2}}};
    EXPECT_EQ(verdict(spec, GFAB_LINK_FULL, 3, longer).fault, GFAB_FAULT_INCOMPLETE);
    longer.push_back({1, {0, 3, 4}, {0}});
    EXPECT_EQ(verdict(spec, GFAB_LINK_FULL, 3, longer).fault, GFAB_FAULT_LINK_BUSY);
    // Half duplex both ways share it, too.
    const std::vector<Packet> both = {{1, {0, 3, 1}, {0}}, {2, {0, 3, 2}, {0}}, {2, {1, 3, 4}, {0}}};
    EXPECT_EQ(verdict(spec, GFAB_LINK_HALF, 1, both).fault, GFAB_FAULT_NONE);
    const std::vector<Packet> back = {{1, {0, 3, 1}, {0}}, {2, {1, 3, 2}, {0}}, {2, {0, 3, 1}, {0}}};
    EXPECT_EQ(verdict(spec, GFAB_LINK_HALF, 1, back).fault, GFAB_FAULT_LINK_BUSY);
    EXPECT_NE(verdict(spec, GFAB_LINK_FULL, 1, back).fault, GFAB_FAULT_LINK_BUSY);
    // Where there are no switches a link carries packets, as ever.
    const std::vector<Packet> stored = {{1, {0, 1}, three}, {1, {0, 2}, {0}}, {1, {0, 2}, {1}}};
    EXPECT_EQ(verdict("complete:3", GFAB_LINK_FULL, 3, stored).fault, GFAB_FAULT_LINK_BUSY);
}

// ---- one switch ----

// All-gather, reduce-scatter and all-reduce of a block a member: at the bound.
TEST(Switch, BelowOneSwitchAndBelowPlanes)
{
    const struct {
        uint32_t members, switches, weight, rounds, both;
    } table[] = {{8, 1, 1, 7, 14}, {8, 1, 12, 1, 2}, {36, 1, 18, 2, 4}, {72, 1, 18, 4, 8}, {72, 18, 1, 4, 8}};
    for (const auto &row : table) {
        const Topology t = parse(below_switches(row.members, row.switches, row.weight));
        for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE}) {
            const gfab_goal goal = {c, row.members, 0, false};
            const gfab_model model = links(GFAB_LINK_FULL);
            const Made result = make("auto", t, model, goal);
            ASSERT_EQ(result.status, GFAB_OK) << result.says;
            EXPECT_EQ(checked(result.schedule).fault, GFAB_FAULT_NONE) << checked(result.schedule).message;
            const uint32_t rounds = c == GFAB_ALL_REDUCE ? row.both : row.rounds;
            EXPECT_EQ(gfab_schedule_rounds(result.schedule.get()), rounds) << row.members << " " << row.weight;
            gfab_bound bound;
            ASSERT_EQ(gfab_bound_goal_best(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
            EXPECT_EQ(bound.rounds, rounds) << bound.argument;
        }
    }
}

// ---- bounds ----

// The fewest rounds of any schedule, by looking at all that can happen: what nodes have is a set of (node, block). A
// round is filled path by path; to move less is never better.
class Passing
{
  public:
    Passing(const Topology &topology, const gfab_goal &goal, const gfab_model &model)
        : t_(topology.get()), nodes_(gfab_topology_node_count(t_)), blocks_(goal.blocks),
          full_(model.link_mode == GFAB_LINK_FULL), one_(model.port_mode == GFAB_PORT_ONE)
    {
        const uint32_t members = gfab_topology_member_count(t_);
        for (uint32_t v = 0; v < nodes_; v++)
            for (uint32_t b = 0; b < blocks_; b++) {
                const uint32_t rank = gfab_topology_rank(t_, v);
                start_ |= gfab_goal_holds(&goal, members, rank, b) ? bit(v, b) : 0;
                wanted_ |= gfab_goal_wants(&goal, members, rank, b) ? bit(v, b) : 0;
            }
        for (uint32_t v = 0; v < nodes_; v++)
            if (!gfab_topology_is_switch(t_, v))
                walk({v}, {});
    }
    uint32_t rounds() const
    {
        std::set<uint64_t> states = {start_}, seen = states;
        for (uint32_t round = 0;; round++) {
            std::set<uint64_t> next;
            for (const uint64_t state : states) {
                if ((state & wanted_) == wanted_)
                    return round;
                std::vector<uint32_t> used(2 * gfab_topology_link_count(t_));
                fill(state, state, 0, used, next);
            }
            states.clear();
            for (const uint64_t state : next)
                if (seen.insert(state).second)
                    states.insert(state);
        }
    }

  private:
    uint64_t bit(uint32_t node, uint32_t block) const { return uint64_t(1) << (node * blocks_ + block); }
    void walk(const std::vector<uint32_t> &nodes, const std::vector<gfab_arc> &arcs)
    {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(t_, nodes.back(), &count);
        for (size_t i = 0; i < count; i++) {
            const gfab_arc arc = 2 * ports[i].link + ports[i].end;
            if (std::count(nodes.begin(), nodes.end(), ports[i].peer) || !gfab_topology_arc_weight(t_, arc))
                continue;
            std::vector<uint32_t> further = nodes;
            std::vector<gfab_arc> over = arcs;
            further.push_back(ports[i].peer);
            over.push_back(arc);
            if (gfab_topology_is_switch(t_, ports[i].peer))
                walk(further, over);
            else
                paths_.push_back({nodes.front(), ports[i].peer, over});
        }
    }
    // One port: all that ends at a node does so over one of its links.
    bool is_free(uint32_t node, uint32_t link, const std::vector<uint32_t> &used) const
    {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(t_, node, &count);
        for (size_t i = 0; i < count; i++)
            if (ports[i].link != link && used[2 * ports[i].link] + used[2 * ports[i].link + 1])
                return false;
        return true;
    }
    bool has_room(const std::vector<gfab_arc> &arcs, const std::vector<uint32_t> &used) const
    {
        if (one_ && !(is_free(gfab_topology_arc_from(t_, arcs.front()), arcs.front() / 2, used) &&
                      is_free(gfab_topology_arc_to(t_, arcs.back()), arcs.back() / 2, used)))
            return false;
        for (const gfab_arc arc : arcs)
            if (used[arc] >= gfab_topology_arc_weight(t_, arc) ||
                (!full_ && used[arc] + used[arc ^ 1] >= gfab_topology_weight(t_, arc / 2)))
                return false;
        return true;
    }
    void fill(uint64_t before, uint64_t after, size_t from, std::vector<uint32_t> &used, std::set<uint64_t> &next) const
    {
        bool any = false;
        for (size_t i = from; i < paths_.size() * blocks_; i++) {
            const auto &[start, end, arcs] = paths_[i / blocks_];
            const uint32_t b = i % blocks_;
            if (!(before & bit(start, b)) || (after & bit(end, b)) || !has_room(arcs, used))
                continue;
            any = true;
            for (const gfab_arc arc : arcs)
                used[arc]++;
            fill(before, after | bit(end, b), i + 1, used, next);
            for (const gfab_arc arc : arcs)
                used[arc]--;
        }
        if (!any)
            next.insert(after);
    }
    struct Path {
        uint32_t from, to;
        std::vector<gfab_arc> arcs;
    };
    const gfab_topology *t_;
    const uint32_t nodes_, blocks_;
    const bool full_, one_;
    std::vector<Path> paths_;
    uint64_t start_ = 0, wanted_ = 0;
};

// Three members, or four, with one to three switches anywhere.
std::string random_switched(std::mt19937 &random)
{
    for (;;) {
        const uint32_t members = 3 + random() % 5 / 4, switches = 1 + random() % 3, nodes = members + switches;
        std::string spec = random_spec(random, nodes, random() % 3, false, true);
        std::set<uint32_t> chosen;
        while (chosen.size() < switches)
            chosen.insert(random() % nodes);
        for (const uint32_t v : chosen)
            spec += "+relay=" + std::to_string(v) + ":switch";
        return spec;
    }
}

TEST(Switch, BoundsAreNeverAboveTheOptimum)
{
    std::mt19937 random(7);
    uint32_t met = 0, all = 0;
    for (uint32_t i = 0; i < extent(40, 300); i++) {
        const std::string spec = random_switched(random);
        const Topology t = parse(spec);
        const uint32_t members = gfab_topology_member_count(t.get());
        for (const gfab_goal &goal :
             {gfab_goal{GFAB_ALL_GATHER, members, 0, false},
              gfab_goal{GFAB_BROADCAST, 1 + uint32_t(random() % 2), uint32_t(random() % members), false}})
            for (int m = 0; m < 4; m++) {
                gfab_model model = links(m % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
                model.port_mode = m / 2 ? GFAB_PORT_ONE : GFAB_PORT_ALL;
                gfab_bound bound;
                ASSERT_EQ(gfab_bound_goal_best(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
                const uint32_t rounds = Passing(t, goal, model).rounds();
                EXPECT_LE(bound.rounds, rounds) << spec << ": " << m << " " << bound.name << ": " << bound.argument;
                met += bound.rounds == rounds;
                all++;
            }
    }
    EXPECT_GE(10 * met, 6 * all) << met << " of " << all; // they are of use
}

// Random graphs with switches, all that `library` makes for them: valid, and not below the bound.
TEST(Switch, WhatIsMadeIsValid)
{
    std::mt19937 random(11);
    for (uint32_t i = 0; i < extent(20, 200); i++) {
        const std::string spec = random_switched(random);
        const Topology t = parse(spec);
        for (const gfab_collective c : all_collectives)
            for (const uint32_t tokens : {1u, 4u}) {
                const gfab_goal goal = goal_on(t, c);
                gfab_model model = links(i % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
                model.packet_tokens = tokens;
                const Made result = make("auto", t, model, goal);
                if (result.status != GFAB_OK) { // no way past switches alone between some two members
                    EXPECT_EQ(result.status, GFAB_ERR_UNSUPPORTED) << spec << ": " << result.says;
                    continue;
                }
                const gfab_verify_report report = checked(result.schedule);
                EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << spec << ": " << report.message;
                gfab_bound bound;
                ASSERT_EQ(gfab_bound_goal_best(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
                EXPECT_LE(bound.rounds, gfab_schedule_rounds(result.schedule.get())) << spec << ": " << bound.argument;
            }
    }
}

// A full-duplex schedule's packets in half duplex, with relays that store, copy or combine beside the switches: nothing
// that is added up or stored changes, whatever the rounds of a hop. Where links weigh 1 no two nodes can exchange their
// sums in a round: most other schedules are made.
TEST(Switch, HalfDuplexKeepsWhatNodesDo)
{
    uint32_t count = 0;
    for (const char *spec : {"graph:4:0-3,1-3,2-3+relay=3:switch+weight=2-3:3/1", "machine:h100x2",
                             "graph:7:0-5,1-5,2-5,2-6,3-6,4-6,5-6+relay=5:switch+relay=6+weight=0-5:2+weight=5-6:3",
                             "graph:6:0-5,1-5,2-5,3-5,4-5,0-1+relay=5:switch:copy-combine+weight=0-5:2"})
        for (const uint32_t hop : {1u, 2u})
            for (const gfab_collective c : all_collectives) {
                const Topology t = parse(spec);
                gfab_model model = links(GFAB_LINK_HALF);
                model.hop_rounds = hop;
                const Made made = make("past-switches", t, model, goal_on(t, c)); // it is checked there
                count += made.status == GFAB_OK;
                EXPECT_TRUE(made.schedule || made.says.find("finds no room in one in half duplex") != std::string::npos)
                    << spec << " " << gfab_collective_name(c) << ": " << made.says;
                EXPECT_TRUE(made.schedule || c == GFAB_ALL_REDUCE || c == GFAB_BARRIER) << spec << ": " << made.says;
            }
    EXPECT_GE(count, 50u); // of 56
}

// What is not for switches says so.
TEST(Switch, Refusals)
{
    const Topology t = parse(below_switches(4, 1, 1));
    for (const char *solver : {"steiner", "out-trees", "greedy", "packing"}) {
        const Made result = make(solver, t, links(GFAB_LINK_FULL), {GFAB_ALL_REDUCE, 4, 0, false});
        EXPECT_EQ(result.status, GFAB_ERR_UNSUPPORTED) << solver;
    }
}

// Models that switches are not split off for: each has a line that says what they are split off for.
TEST(Switch, ModelsThatAreRefused)
{
    const Topology several = parse("machine:h100x2"), single = parse(below_switches(4, 1, 1));
    const gfab_model half = links(GFAB_LINK_HALF);
    gfab_model packets = links(GFAB_LINK_FULL), one = packets, circuit = packets;
    packets.packet_tokens = 2;
    one.port_mode = GFAB_PORT_ONE;
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    const struct {
        const gfab_topology *topology;
        const gfab_model *model;
        const char *words;
    } table[] = {{several.get(), &half, nullptr},
                 {several.get(), &packets, "past-switches is for 1 token a packet"},
                 {several.get(), &circuit, "store-and-forward routing"},
                 {several.get(), &one, "past-switches, with one port, is for nodes that have one link each"},
                 {single.get(), &one, nullptr}};
    for (const auto &row : table) {
        gfab_diag diag{};
        const gfab_status status =
            gfab_solver_applies(gfab_solver_find("past-switches"), row.topology, row.model, &diag);
        EXPECT_EQ(status, row.words ? GFAB_ERR_UNSUPPORTED : GFAB_OK) << diag.message;
        EXPECT_NE(std::string(diag.message).find(row.words ? row.words : ""), std::string::npos) << diag.message;
    }
}

// ---- switches split off ----

// The sum over all rounds of what a round may carry, by the bound, plus two hops a message: trees that share links.
TEST(Switch, LongVectorsComeNearTheBound)
{
    std::mt19937 random(5);
    const gfab_model model = links(GFAB_LINK_FULL);
    uint64_t rounds = 0, bounds = 0;
    for (uint32_t i = 0; i < extent(3, 100); i++) {
        const std::string spec = two_levels(random);
        gfab_topology *parsed = nullptr;
        if (gfab_topology_parse(spec.c_str(), &parsed, nullptr) != GFAB_OK) // two upper switches, not connected
            continue;
        const Topology t(parsed);
        const uint32_t members = gfab_topology_member_count(t.get());
        for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_BROADCAST, GFAB_REDUCE}) {
            const gfab_goal goal = goal_on(t, c, 16 * members);
            const Made made = make("auto", t, model, goal);
            ASSERT_TRUE(made.schedule) << spec << ": " << made.says;
            const uint64_t bound = bound_on(t, model, goal);
            EXPECT_LE(made.rounds(), bound + bound / 10 + 4) << spec << " " << gfab_collective_name(c);
            rounds += made.rounds();
            bounds += bound;
        }
    }
    EXPECT_LE(rounds, bounds + bounds / 7) << rounds << " " << bounds;
}

// A group that repeats passes switches, in the text and back, and every group by itself.
TEST(Switch, GroupsRepeatPastThem)
{
    const Topology t = parse("graph:11:0-8,1-8,2-8,3-8,4-9,5-9,6-9,7-9,8-10,9-10+relay=8-10:switch"
                             "+weight=8-10:2+weight=9-10:2");
    const gfab_model model = links(GFAB_LINK_FULL);
    for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_ALL_REDUCE, GFAB_BROADCAST}) {
        const gfab_goal goal = goal_on(t, c, 8 * 40);
        gfab_solver_options options = gfab_solver_options_default();
        options.goal = &goal;
        options.any_length = true;
        gfab_schedule *made = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_solve(gfab_solver_find("auto"), t.get(), &model, &options, &made, nullptr, &diag), GFAB_OK)
            << diag.message;
        const Schedule schedule(made);
        ASSERT_GT(gfab_schedule_period(made), 0u);
        for (const uint32_t blocks : {8u, 24u, 8u * 40}) {
            ASSERT_EQ(gfab_schedule_set_blocks(made, blocks), GFAB_OK);
            const gfab_verify_report report = checked(schedule), listed = checked(unrolled(schedule));
            EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << report.message;
            EXPECT_EQ(listed.fault, GFAB_FAULT_NONE) << listed.message;
            EXPECT_EQ(report.moves, listed.moves);
            EXPECT_EQ(report.rounds, listed.rounds);
            EXPECT_EQ(report.max_link_moves, listed.max_link_moves);
        }
        const File file(std::tmpfile());
        ASSERT_EQ(gfab_schedule_write(made, file.get(), nullptr, nullptr), GFAB_OK);
        std::rewind(file.get());
        gfab_topology *topology = nullptr;
        gfab_schedule *again = nullptr;
        ASSERT_EQ(gfab_schedule_read(file.get(), nullptr, &topology, &again, &diag), GFAB_OK) << diag.message;
        const Topology owned(topology);
        const Schedule read(again);
        EXPECT_EQ(checked(read).moves, checked(schedule).moves);
    }
}

// Where each node has one link, one port is as good as all: in schedules and bounds. Elsewhere a line says why not.
TEST(Switch, OnePortIsAllPortsWhereNodesHaveOneLink)
{
    const std::string two_levels = "graph:9:0-6,1-6,2-6,3-7,4-7,5-7,6-8,7-8+relay=6-8:switch+weight=6-8:3+weight=7-8:2";
    for (const std::string &spec : {below_switches(7, 1, 1), below_switches(5, 1, 3), two_levels}) {
        const Topology t = parse(spec.c_str());
        for (const gfab_collective collective : all_collectives) {
            const uint32_t members = (uint32_t)gfab_topology_member_count(t.get());
            gfab_goal goal = gfab_goal_default(members);
            goal.collective = collective;
            goal.idempotent = collective == GFAB_BARRIER;
            goal.blocks = collective == GFAB_ALL_TO_ALL ? members * members : collective == GFAB_BARRIER ? 1 : members;
            gfab_solver_options options = gfab_solver_options_default();
            options.goal = &goal;
            gfab_model model = links(GFAB_LINK_FULL);
            uint32_t rounds[2];
            uint64_t least[2];
            for (int one = 0; one < 2; one++) {
                gfab_schedule *made = nullptr;
                gfab_diag diag{};
                gfab_bound bound{};
                model.port_mode = one ? GFAB_PORT_ONE : GFAB_PORT_ALL;
                ASSERT_EQ(gfab_solve(gfab_solver_find("auto"), t.get(), &model, &options, &made, nullptr, &diag),
                          GFAB_OK)
                    << spec << diag.message;
                const Schedule schedule(made);
                const gfab_verify_report report = checked(schedule);
                EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << spec << report.message;
                EXPECT_EQ(gfab_schedule_model(made)->port_mode, model.port_mode);
                rounds[one] = gfab_schedule_rounds(made);
                ASSERT_EQ(gfab_bound_goal_best(t.get(), &model, &goal, nullptr, &bound), GFAB_OK);
                least[one] = bound.rounds;
            }
            EXPECT_EQ(rounds[0], rounds[1]) << spec << " " << gfab_collective_name(collective);
            EXPECT_EQ(least[0], least[1]) << spec << " " << gfab_collective_name(collective);
        }
    }
    const Topology two = parse("machine:h100x2");
    gfab_model model = links(GFAB_LINK_FULL);
    gfab_diag diag{};
    model.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(gfab_solver_applies(gfab_solver_find("auto"), two.get(), &model, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(std::string(diag.message).find("is for nodes that have one link each"), std::string::npos)
        << diag.message;
}

} // namespace
