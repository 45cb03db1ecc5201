// SPDX-License-Identifier: MIT
// Long vectors past switches against the true best rate, which a linear program of this file finds: flows past switches
// between members, and for each member a flow of all blocks to it within these (Edmonds 1973). What is made is replayed
// here, by rules that are written down once more.
#include "collective_fixture.h"
#include "extent.h"

#include <gossipfab/schedule/rate.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace
{

// ---- a linear program: the most of the last variable, all variables and right sides at least 0 ----

class Program
{
  public:
    explicit Program(size_t variables) : variables_(variables) {}
    void add(std::vector<double> row, double right)
    {
        row.push_back(right);
        rows_.push_back(std::move(row));
    }
    // Bland's rule: it ends. value gets the variables.
    double most(std::vector<double> *value)
    {
        std::vector<double> goal(variables_ + 1);
        goal[variables_ - 1] = -1;
        std::vector<size_t> basic(rows_.size());
        const size_t all = variables_ + rows_.size();
        for (size_t i = 0; i < rows_.size(); i++) {
            const double right = rows_[i].back();
            rows_[i].pop_back();
            rows_[i].resize(all);
            rows_[i][variables_ + i] = 1;
            rows_[i].push_back(right);
            basic[i] = variables_ + i;
        }
        goal.insert(goal.end() - 1, rows_.size(), 0);
        for (;;) {
            size_t enters = 0, leaves = rows_.size();
            while (enters < all && goal[enters] > -1e-9)
                enters++;
            if (enters == all) {
                value->assign(all, 0);
                for (size_t i = 0; i < rows_.size(); i++)
                    (*value)[basic[i]] = rows_[i].back();
                return goal.back();
            }
            for (size_t i = 0; i < rows_.size(); i++)
                if (rows_[i][enters] > 1e-9) {
                    const double ratio = rows_[i].back() / rows_[i][enters];
                    const double best = leaves < rows_.size() ? rows_[leaves].back() / rows_[leaves][enters] : INFINITY;
                    if (ratio < best - 1e-12 || (ratio < best + 1e-12 && basic[i] < basic[leaves]))
                        leaves = i;
                }
            if (leaves == rows_.size())
                return INFINITY;
            pivot(rows_[leaves], enters, goal);
            for (size_t i = 0; i < rows_.size(); i++)
                if (i != leaves)
                    subtract(rows_[i], rows_[leaves], enters);
            basic[leaves] = enters;
        }
    }

  private:
    static void subtract(std::vector<double> &row, const std::vector<double> &by, size_t at)
    {
        const double times = row[at];
        for (size_t k = 0; k < row.size() && times != 0; k++)
            row[k] -= times * by[k];
    }
    static void pivot(std::vector<double> &row, size_t at, std::vector<double> &goal)
    {
        const double by = row[at];
        for (double &x : row)
            x /= by;
        subtract(goal, row, at);
    }
    size_t variables_;
    std::vector<std::vector<double>> rows_;
};

// Half duplex: both ways of a link share what it carries. And of an odd set: a message from one of some members past
// switches to another of them takes room on two of their links, so that links that carry w a round have room for half
// of w such messages, rounded down. Three members on one switch have room for one, and not for one and a half.
void add_half_duplex(const gfab_topology *t, bool turned, size_t variables, Program *program)
{
    const size_t links = gfab_topology_link_count(t), members = gfab_topology_member_count(t), arcs = 2 * links;
    for (size_t l = 0; l < links; l++) {
        std::vector<double> row(variables);
        for (size_t u = 0; u < members; u++)
            row[u * arcs + 2 * l] = row[u * arcs + 2 * l + 1] = 1;
        program->add(row, gfab_topology_weight(t, l));
    }
    for (uint32_t set = 1; set < 1u << members; set++) {
        std::vector<double> row(variables);
        uint32_t width = 0;
        for (gfab_arc a = 0; a < arcs; a++) {
            const uint32_t from = turned ? gfab_topology_arc_to(t, a) : gfab_topology_arc_from(t, a);
            const uint32_t to = turned ? gfab_topology_arc_from(t, a) : gfab_topology_arc_to(t, a);
            const uint32_t rank = gfab_topology_rank(t, to);
            if (!gfab_topology_is_switch(t, from) || rank == GFAB_NO_RANK || !(set >> rank & 1))
                continue;
            width += gfab_topology_weight(t, a / 2);
            for (size_t u = 0; u < members; u++)
                row[u * arcs + a] = u != rank && (set >> u & 1);
        }
        if (width % 2)
            program->add(row, width / 2);
    }
}

// Each packet that comes to a set of switches comes over one link and leaves over another one. So where some of these
// links, for one way or both, carry w together, half of w packets at most, rounded down, use them for both. These are
// those that come over them, but for those that leave over others. Adds the rows that what links carry, flow[arc],
// does not meet: for each set of switches the links of odd w by which it is farthest off. None: false.
bool add_odd_links(const gfab_topology *t, bool turned, size_t variables, const std::vector<double> &flow,
                   Program *program)
{
    const size_t arcs = 2 * gfab_topology_link_count(t), members = gfab_topology_member_count(t);
    const size_t switches = gfab_topology_node_count(t) - members;
    bool added = false;
    for (uint32_t set = 1; set < 1u << switches; set++) {
        const auto is_in = [&](uint32_t v) { return v >= members && (set >> (v - members) & 1); };
        struct Best {
            double value = -INFINITY; // what is carried less half of w
            uint32_t width = 0;
            std::vector<double> row;
        } best[2]; // by w modulo 2
        best[0].value = 0;
        best[0].row.resize(arcs);
        for (gfab_arc a = 0; a < arcs; a++) {
            const bool from = is_in(gfab_topology_arc_from(t, a)), to = is_in(gfab_topology_arc_to(t, a));
            if (from == to || to == turned) // each link once, by its arc into the set
                continue;
            Best next[2];
            for (const Best &b : best)
                for (uint32_t choice = 0; choice < 4; choice++) { // its arc in is of these; its arc out is
                    const bool in = choice & 1, out = choice & 2;
                    const uint32_t width = in && out ? gfab_topology_weight(t, a / 2)
                                           : in      ? gfab_topology_arc_weight(t, a)
                                           : out     ? gfab_topology_arc_weight(t, a ^ 1)
                                                     : 0;
                    const double value = b.value + (in ? flow[a] : 0) - (out ? 0 : flow[a ^ 1]) - width / 2.0;
                    Best &n = next[(b.width + width) % 2];
                    if (b.row.empty() || value <= n.value)
                        continue;
                    n = b;
                    n.value = value;
                    n.width += width;
                    n.row[a] += in;
                    n.row[a ^ 1] -= !out;
                }
            best[0] = next[0];
            best[1] = next[1];
        }
        if (best[1].value + 0.5 < 1e-6)
            continue;
        std::vector<double> row(variables);
        for (size_t u = 0; u < members; u++)
            std::copy(best[1].row.begin(), best[1].row.end(), row.begin() + std::ptrdiff_t(u * arcs));
        program->add(row, best[1].width / 2);
        added = true;
    }
    return added;
}

// Blocks a round that every source can bring to all members. Sources: the root, or where it is negative all members.
// Turned: over the arcs backwards, which is a reduce. Odd: in half duplex with odd sets of links to switches, too.
double best_rate(const Topology &topology, int root, bool turned, gfab_link_mode mode, bool odd)
{
    const gfab_topology *t = topology.get();
    const size_t arcs = 2 * gfab_topology_link_count(t), members = gfab_topology_member_count(t);
    const size_t nodes = gfab_topology_node_count(t), pairs = members * members;
    // g[u][arc], then h[sink][u][v], then the rate.
    const size_t first = members * arcs, rate = first + members * pairs;
    Program program(rate + 1);
    const auto tail = [&](gfab_arc a) { return turned ? gfab_topology_arc_to(t, a) : gfab_topology_arc_from(t, a); };
    const auto head = [&](gfab_arc a) { return turned ? gfab_topology_arc_from(t, a) : gfab_topology_arc_to(t, a); };
    for (gfab_arc a = 0; a < arcs; a++) {
        std::vector<double> row(rate + 1);
        for (size_t u = 0; u < members; u++) {
            const uint32_t from = gfab_topology_rank(t, tail(a));
            row[u * arcs + a] = 1;
            if (from != GFAB_NO_RANK && from != u) { // past switches alone
                std::vector<double> none(rate + 1);
                none[u * arcs + a] = 1;
                program.add(none, 0);
            }
        }
        program.add(row, gfab_topology_arc_weight(t, a));
    }
    if (mode == GFAB_LINK_HALF)
        add_half_duplex(t, turned, rate + 1, &program);
    for (size_t u = 0; u < members; u++)
        for (uint32_t s = 0; s < nodes; s++) {
            std::vector<double> row(rate + 1);
            for (gfab_arc a = 0; a < arcs; a++)
                row[u * arcs + a] = (tail(a) == s) - (head(a) == s);
            if (gfab_topology_is_switch(t, s))
                program.add(row, 0);
        }
    for (size_t sink = 0; sink < members; sink++)
        for (size_t u = 0; u < members; u++) {
            std::vector<double> flow(rate + 1);
            const bool source = root < 0 || u == size_t(root);
            for (size_t v = 0; v < members; v++) {
                const size_t there = first + sink * pairs + u * members + v;
                const size_t back = first + sink * pairs + v * members + u;
                std::vector<double> row(rate + 1);
                row[there] = 1; // no more than comes from u to v
                for (gfab_arc a = 0; a < arcs; a++)
                    row[u * arcs + a] -= head(a) == gfab_topology_member(t, uint32_t(v));
                program.add(row, 0);
                if (u != v) {
                    flow[there] += 1;
                    flow[back] -= 1;
                }
            }
            const double others = root < 0 ? double(members) - 1 : size_t(root) != sink;
            flow[rate] = u == sink ? others : -double(source);
            program.add(flow, 0);
        }
    for (;;) {
        std::vector<double> value, flow(arcs);
        const double most = Program(program).most(&value);
        for (size_t i = 0; i < members * arcs; i++)
            flow[i % arcs] += value[i];
        if (!odd || !add_odd_links(t, turned, rate + 1, flow, &program))
            return most;
    }
}

// What the certificate says, in rounds a block.
double certified(const Topology &topology, const gfab_goal &goal, gfab_link_mode mode, bool *tight)
{
    gfab_certificate certificate{};
    gfab_ratio rounds{};
    EXPECT_EQ(gfab_rate(topology.get(), mode, &goal, nullptr, &certificate, tight), GFAB_OK);
    EXPECT_EQ(gfab_certificate_rate(&certificate, 1, &rounds), GFAB_OK);
    gfab_certificate_release(&certificate);
    return double(rounds.numerator) / double(rounds.denominator);
}

// ---- a replay ----

// What is wrong with it; "" where nothing is. Sets of contributions, or for what is stored the block itself.
std::string replayed(const Topology &topology, const Schedule &schedule)
{
    const gfab_topology *t = topology.get();
    const gfab_goal goal = gfab_schedule_goal(schedule.get());
    const uint32_t members = gfab_topology_member_count(t), nodes = gfab_topology_node_count(t);
    const bool combines = gfab_collective_combines(goal.collective);
    const bool half = gfab_schedule_model(schedule.get())->link_mode == GFAB_LINK_HALF;
    std::vector<std::map<uint32_t, uint64_t>> has(nodes);
    for (uint32_t r = 0; r < members; r++)
        for (uint32_t b = 0; b < goal.blocks; b++)
            if (gfab_goal_holds(&goal, members, r, b))
                has[gfab_topology_member(t, r)][b] = combines ? uint64_t(1) << r : 1;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
        auto after = has;
        std::vector<uint64_t> load(2 * gfab_topology_link_count(t));
        gfab_packet_iter it = gfab_schedule_round(schedule.get(), round);
        for (gfab_packet p; gfab_packet_next(&it, &p);) {
            const uint32_t from = gfab_topology_arc_from(t, p.arcs[0]);
            uint32_t at = from;
            for (size_t i = 0; i < p.arc_count; i++) {
                if (gfab_topology_arc_from(t, p.arcs[i]) != at || (i && !gfab_topology_is_switch(t, at)))
                    return "a path is none";
                if (++load[p.arcs[i]] > gfab_topology_arc_weight(t, p.arcs[i]) ||
                    (half && load[p.arcs[i]] + load[p.arcs[i] ^ 1] > gfab_topology_weight(t, p.arcs[i] / 2)))
                    return "a link carries too much";
                at = gfab_topology_arc_to(t, p.arcs[i]);
            }
            const uint32_t block = p.tokens[0] & ~GFAB_COMBINE;
            if (p.token_count != 1 || gfab_topology_is_relay(t, at) || gfab_topology_is_relay(t, from))
                return "an end is no member";
            if (!has[from].count(block))
                return "a block is not there";
            if ((p.tokens[0] & GFAB_COMBINE) && (after[at][block] & has[from][block]))
                return "a contribution counts twice";
            after[at][block] = has[from][block] | (p.tokens[0] & GFAB_COMBINE ? after[at][block] : 0);
        }
        has = after;
    }
    const uint64_t whole = combines ? (uint64_t(1) << members) - 1 : 1;
    for (uint32_t r = 0; r < members; r++)
        for (uint32_t b = 0; b < goal.blocks; b++)
            if (gfab_goal_wants(&goal, members, r, b) && has[gfab_topology_member(t, r)][b] != whole)
                return "it is not complete";
    return "";
}

// ---- graphs ----

// Members on switches of one or two levels, with weights, several planes, and links whose two ways differ.
std::string drawn(std::mt19937 &random)
{
    const uint32_t members = 3 + random() % 4, lower = 1 + random() % 2, upper = random() % 3;
    const uint32_t nodes = members + lower + upper, ways = random() % 3; // 0: both alike; 1: some differ
    std::string links, weights;
    const auto link = [&](uint32_t u, uint32_t v) {
        const std::string name = std::to_string(u) + "-" + std::to_string(v);
        const uint32_t weight = 1 + random() % 4, back = ways == 1 ? 1 + random() % 4 : weight;
        links += (links.empty() ? "" : ",") + name;
        weights += "+weight=" + name + ":" + std::to_string(weight) + "/" + std::to_string(back);
    };
    for (uint32_t v = 0; v < members; v++) {
        link(v, members + v % lower);
        for (uint32_t s = 0; s < upper; s++)
            if (random() % 2)
                link(v, members + lower + s);
    }
    for (uint32_t s = 0; s < lower; s++)
        for (uint32_t top = 0; top < upper; top++)
            link(members + s, members + lower + top);
    for (uint32_t v = 1; v < members; v++)
        if (random() % 8 == 0)
            link(v - 1, v);
    return "graph:" + std::to_string(nodes) + ":" + links + "+relay=" + std::to_string(members) + "-" +
           std::to_string(nodes - 1) + ":switch" + weights;
}

// What came out; [1]: all switches send as much as they take in.
struct Sums {
    uint32_t cases[2] = {0, 0}, near[2] = {0, 0};
    double worst[2] = {0, 0};
};

// 16 blocks a member, by auto: as many rounds as the optimum and four at most.
void compare(const std::string &spec, const Topology &t, gfab_link_mode mode, gfab_collective c, uint32_t root,
             Sums *sums)
{
    const gfab_model model = links(mode);
    const uint32_t members = gfab_topology_member_count(t.get());
    gfab_goal goal = goal_on(t, c, 16 * members);
    const bool rooted = gfab_collective_has_root(c);
    goal.root = root;
    const auto optimum_of = [&](bool odd) {
        const double rate = best_rate(t, rooted ? int(root) : -1, gfab_collective_combines(c), mode, odd);
        return goal.blocks / (rooted ? rate : rate * members);
    };
    double optimum = optimum_of(false);
    const Made made = make("auto", t, model, goal);
    ASSERT_TRUE(made.schedule) << spec << ": " << made.says;
    const Schedule whole = unrolled(made.schedule);
    EXPECT_EQ(replayed(t, whole), "") << spec << " " << gfab_collective_name(c);
    EXPECT_GE(made.rounds() + 1e-6, optimum) << spec << " " << gfab_collective_name(c);
    bool tight = false;
    const double least = goal.blocks * certified(t, goal, mode, &tight);
    EXPECT_GE(optimum + 1e-6, least) << spec << " " << gfab_collective_name(c);
    if (tight && mode == GFAB_LINK_FULL) { // balanced switches: there is no better rate than the cut's
        EXPECT_LE(optimum, least + 1e-6) << spec << " " << gfab_collective_name(c);
    }
    if (mode == GFAB_LINK_HALF && made.rounds() > std::ceil(optimum - 1e-6) + 4) { // there may be none so good
        optimum = optimum_of(true);
        EXPECT_GE(made.rounds() + 1e-6, optimum) << spec << " " << gfab_collective_name(c);
    }
    const bool close = made.rounds() <= std::ceil(optimum - 1e-6) + 4;
    if (!close)
        std::printf("%s -c %s --blocks %u --root %u: %u rounds, the optimum is %.3f\n", spec.c_str(),
                    gfab_collective_name(c), goal.blocks, goal.root, made.rounds(), optimum);
    sums->cases[tight]++;
    sums->near[tight] += close;
    sums->worst[tight] = std::max(sums->worst[tight], (made.rounds() - 4) / optimum);
}

Sums compare_all(gfab_link_mode mode, uint32_t most)
{
    std::mt19937 random(17);
    uint32_t graphs = 0;
    Sums sums;
    while (graphs < most) {
        const std::string spec = drawn(random);
        gfab_topology *parsed = nullptr;
        if (gfab_topology_parse(spec.c_str(), &parsed, nullptr) != GFAB_OK) // not connected
            continue;
        const Topology t(parsed);
        graphs++;
        for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_BROADCAST, GFAB_REDUCE}) {
            const bool rooted = gfab_collective_has_root(c);
            compare(spec, t, mode, c, rooted ? uint32_t(random() % gfab_topology_member_count(parsed)) : 0, &sums);
            if (::testing::Test::HasFatalFailure())
                return sums;
        }
    }
    for (int i = 0; i < 2; i++)
        std::printf("%s: %u of %u within 4 rounds of the optimum; worst %.3f\n", i ? "balanced" : "others",
                    sums.near[i], sums.cases[i], sums.worst[i]);
    return sums;
}

TEST(SwitchOptimum, LongVectorsComeNearIt)
{
    const Sums sums = compare_all(GFAB_LINK_FULL, extent(8, 300));
    EXPECT_EQ(sums.near[1], sums.cases[1]);
    EXPECT_EQ(sums.near[0], sums.cases[0]);
}

// Of the 1,200 schedules for 300 graphs six are not within four rounds, and all nearly are.
TEST(SwitchOptimum, HalfDuplexComesNearIt)
{
    const Sums sums = compare_all(GFAB_LINK_HALF, extent(2, 300));
    EXPECT_GE(100 * (sums.near[0] + sums.near[1]), 99 * (sums.cases[0] + sums.cases[1]));
    for (const double worst : sums.worst)
        EXPECT_LE(worst, 1.1);
}

// In half duplex blocks go on and on at the same rate: three members on a switch have room for one message a round.
TEST(SwitchOptimum, HalfDuplexRepeats)
{
    const Topology t = parse("graph:4:0-3,1-3,2-3+relay=3:switch");
    for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_BROADCAST, GFAB_REDUCE}) {
        const gfab_goal goal = goal_on(t, c, 96);
        const gfab_model model = links(GFAB_LINK_HALF);
        gfab_solver_options options = gfab_solver_options_default();
        gfab_schedule *made = nullptr;
        options.goal = &goal;
        options.any_length = true;
        ASSERT_EQ(gfab_solve(gfab_solver_find("past-switches"), t.get(), &model, &options, &made, nullptr, nullptr),
                  GFAB_OK);
        const Schedule owner(made);
        gfab_verify_report report{};
        EXPECT_EQ(gfab_verify(t.get(), &model, made, nullptr, &report), GFAB_OK) << report.message;
        EXPECT_GT(gfab_schedule_period(made), 0u);
        EXPECT_LE(gfab_schedule_period(made), 2 * gfab_schedule_group(made)) << gfab_collective_name(c);
    }
}

// Twelve rounds take turns, and 27.4 of them would do: the trees are packed for some of the last turns, not for 36.
TEST(SwitchOptimum, TurnsAreNotAllTaken)
{
    const std::string spec =
        "graph:8:0-6,1-6,2-6,3-6,4-6,4-7,5-6,6-7,0-1+relay=6-7:switch+weight=0-6:2/3+weight=1-6:4/3"
        "+weight=2-6:4/1+weight=3-6:3/2+weight=4-6:4/3+weight=4-7:2/4+weight=5-6:3/1+weight=0-1:2/3";
    const Topology t = parse(spec.c_str());
    Sums sums;
    compare(spec, t, GFAB_LINK_FULL, GFAB_REDUCE_SCATTER, 0, &sums);
    EXPECT_EQ(sums.near[0], 1u);
}

// The replay finds that a move is left out.
TEST(SwitchOptimum, ReplayRejectsMutants)
{
    const Topology t = parse("graph:4:0-3,1-3,2-3+relay=3:switch");
    for (const gfab_collective c : {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER}) {
        const gfab_goal goal = goal_on(t, c);
        const Made made = make("auto", t, links(GFAB_LINK_FULL), goal);
        ASSERT_EQ(replayed(t, made.schedule), "");
        for (uint32_t skip = 0; skip < 6; skip++) {
            gfab_schedule *mutant = nullptr;
            const gfab_model model = links(GFAB_LINK_FULL);
            ASSERT_EQ(gfab_schedule_create(t.get(), &model, &mutant), GFAB_OK);
            const Schedule owner(mutant);
            ASSERT_EQ(gfab_schedule_set_goal(mutant, &goal, nullptr), GFAB_OK);
            uint32_t at = 0;
            for (uint32_t round = 1; round <= made.rounds(); round++) {
                gfab_packet_iter it = gfab_schedule_round(made.schedule.get(), round);
                for (gfab_packet p; gfab_packet_next(&it, &p);)
                    if (at++ != skip) {
                        ASSERT_EQ(gfab_schedule_append_packet(mutant, round, p.arcs, p.arc_count, p.tokens, 1),
                                  GFAB_OK);
                    }
            }
            EXPECT_NE(replayed(t, owner), "") << skip;
        }
    }
}

} // namespace
