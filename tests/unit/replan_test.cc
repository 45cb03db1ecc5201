// SPDX-License-Identifier: MIT
// Schedules for what is left of a graph, made of those for the whole. All are verified by the checker, which knows
// nothing of how they are made.
#include "collective_fixture.h"
#include "extent.h"

extern "C" {
#include "base/random.h"
}

namespace
{

struct Replanned {
    Topology left;
    Schedule schedule;
    gfab_replan_report report;
    gfab_status status;
    std::string says;
};

Replanned replan(const Schedule &before, const std::string &changes, const gfab_progress *progress = nullptr)
{
    gfab_topology *left = nullptr;
    gfab_schedule *after = nullptr;
    uint32_t *nodes = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_change(gfab_schedule_topology(before.get()), changes.c_str(), &left, &nodes, &diag),
              GFAB_OK)
        << diag.message;
    Replanned made{Topology(left), nullptr, {}, GFAB_OK, ""};
    made.status = gfab_replan(before.get(), left, nodes, progress, &after, &made.report, &diag);
    free(nodes);
    made.schedule = Schedule(after);
    made.says = diag.message;
    EXPECT_EQ(made.status == GFAB_OK, static_cast<bool>(after)) << made.says;
    if (after) {
        EXPECT_EQ(checked(made.schedule).fault, GFAB_FAULT_NONE)
            << gfab_topology_spec(made.left.get()) << ": " << checked(made.schedule).message;
        const gfab_goal old = gfab_schedule_goal(before.get()), now = gfab_schedule_goal(after);
        const bool died =
            gfab_topology_node_count(left) < gfab_topology_node_count(gfab_schedule_topology(before.get()));
        EXPECT_TRUE(died || gfab_schedule_any_length(after) || gfab_goal_equal(&old, &now));
        EXPECT_EQ(old.collective, now.collective);
        EXPECT_EQ(gfab_schedule_any_length(before.get()), gfab_schedule_any_length(after));
        EXPECT_LE(made.report.kept, made.report.moves);
    }
    return made;
}

// A link, by its nodes.
std::string any_link(const Topology &topology, uint64_t *random)
{
    const auto count = static_cast<uint32_t>(gfab_topology_link_count(topology.get()));
    const gfab_link link = gfab_topology_link(topology.get(), gfab_random_below(random, count));
    return std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]);
}

// A link is dead that can be missed.
std::string dead_link(const Topology &topology, uint64_t *random)
{
    for (;;) {
        gfab_topology *left = nullptr;
        const std::string dropped = "+drop-link=" + any_link(topology, random);
        const gfab_status status =
            gfab_topology_parse((gfab_topology_spec(topology.get()) + dropped).c_str(), &left, nullptr);
        gfab_topology_destroy(left);
        if (status == GFAB_OK)
            return dropped;
    }
}

// A link is dead or has another weight.
std::string change(const Topology &topology, uint64_t *random)
{
    if (gfab_random_below(random, 2))
        return "+weight=" + any_link(topology, random) + ":" + std::to_string(1 + gfab_random_below(random, 2));
    return dead_link(topology, random);
}

// A random graph, some of it with weights and relays.
std::string draw(uint64_t seed, uint64_t *random)
{
    const uint32_t nodes = 5 + gfab_random_below(random, 8);
    std::string spec;
    for (;; seed++) {
        spec =
            "random:n=" + std::to_string(nodes) + ",m=" + std::to_string(2 * nodes) + ",seed=" + std::to_string(seed);
        gfab_topology *made = nullptr;
        const gfab_status status = gfab_topology_parse(spec.c_str(), &made, nullptr);
        const Topology topology(made);
        if (status != GFAB_OK)
            continue;
        for (uint32_t i = 0; seed % 3 == 1 && i < 6; i++) {
            const gfab_link link = gfab_topology_link(made, gfab_random_below(random, 2 * nodes));
            spec += "+weight=" + std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]) + ":2";
        }
        if (seed % 4 == 2)
            spec += "+relay=1,3";
        return spec;
    }
}

TEST(Replan, RandomGraphs)
{
    uint64_t random = 5;
    uint32_t repeating = 0, made = 0;
    for (uint64_t seed = 0; seed < extent(24, 1500); seed++) {
        const Topology topology = parse(draw(seed * 100 + seed, &random));
        const uint32_t members = static_cast<uint32_t>(gfab_topology_member_count(topology.get()));
        for (int c = 0; c < GFAB_COLLECTIVES; c++) {
            const gfab_collective collective = static_cast<gfab_collective>(c);
            const bool fixed = collective == GFAB_BARRIER || collective == GFAB_ALL_TO_ALL;
            gfab_goal goal = goal_on(topology, collective, fixed ? 0 : members * (seed % 2 ? 4 : 1));
            if (gfab_collective_has_root(collective))
                goal.root = gfab_random_below(&random, members);
            const gfab_model model =
                links(gfab_random_below(&random, 2) ? GFAB_LINK_FULL : GFAB_LINK_HALF, 1 + seed % 5 / 4);
            const char *solver = seed % 2 == 0 || fixed                 ? "steiner"
                                 : collective == GFAB_ALL_REDUCE        ? "packing"
                                 : gfab_collective_has_root(collective) ? "arborescences"
                                 : seed % 8 == 1                        ? "trees-repeat"
                                                                        : "steiner";
            const Made before = make(solver, topology, model, goal, 1);
            if (!before.schedule)
                continue;
            const Replanned after = replan(before.schedule, change(topology, &random));
            EXPECT_EQ(after.status, GFAB_OK) << after.says << ": " << gfab_topology_spec(after.left.get());
            made++;
            repeating += gfab_schedule_period(before.schedule.get()) > 0;
        }
    }
    EXPECT_GT(made, extent(90, 5000));
    EXPECT_GT(repeating, made / 8);
}

// One of any length, as arborescences makes it.
Schedule any_length(const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.any_length = true;
    EXPECT_EQ(gfab_solve(gfab_solver_find("arborescences"), topology.get(), &model, &options, &made, nullptr, &diag),
              GFAB_OK)
        << diag.message;
    return Schedule(made);
}

// The text of a schedule, without the name of its graph.
std::string moves_of(const Schedule &schedule)
{
    std::string text = schedule_text(schedule);
    const size_t at = text.find("topology ");
    return text.erase(at, text.find('\n', at) - at);
}

// A schedule that nothing hits comes back byte for byte: of every collective, under every model, that repeats or does
// not, on one tree for all nodes, with a load, over paths; where a link carries more, where one is dead that it does
// not use, where a relay is.
TEST(Replan, NothingHit)
{
    const Topology torus = parse("torus:4x4"), relays = parse("cycle:6+relay=3");
    std::vector<Schedule> all;
    for (int c = 0; c < GFAB_COLLECTIVES; c++) {
        const gfab_goal goal = goal_on(torus, static_cast<gfab_collective>(c));
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            gfab_model model = links(mode);
            all.push_back(std::move(make("auto", torus, model, goal, 1).schedule));
            model.port_mode = GFAB_PORT_ONE;
            all.push_back(std::move(make("steiner", torus, model, goal, 1).schedule));
        }
    }
    all.push_back(any_length(torus, links(GFAB_LINK_FULL), goal_on(torus, GFAB_BROADCAST)));
    all.push_back(
        std::move(make("packing", torus, links(GFAB_LINK_FULL), goal_on(torus, GFAB_ALL_REDUCE, 500)).schedule));
    all.push_back(
        std::move(make("torus-tree", torus, links(GFAB_LINK_FULL), goal_on(torus, GFAB_ALL_GATHER)).schedule));
    all.push_back(std::move(make("steiner", relays, links(GFAB_LINK_FULL), goal_on(relays, GFAB_ALL_REDUCE)).schedule));
    for (const Schedule &before : all) {
        ASSERT_TRUE(before);
        for (const char *changes : {"+weight=0-1:1", "+weight=0-1:2"}) {
            const Replanned after = replan(before, changes);
            ASSERT_EQ(after.status, GFAB_OK) << after.says;
            EXPECT_EQ(after.report.how, GFAB_REPLAN_STAYS);
            EXPECT_EQ(after.report.kept, after.report.moves);
            EXPECT_EQ(moves_of(after.schedule), moves_of(before));
        }
    }
    // A link that nobody takes; a relay beside the way.
    const Topology square = parse("cycle:4"), aside = parse("mesh:2x3+relay=4");
    const struct {
        const Topology &topology;
        std::vector<std::vector<uint32_t>> packets; // round, from, to
        const char *changes;
    } idle[] = {{square, {{1, 0, 1}, {2, 1, 2}, {3, 2, 3}}, "+drop-link=0-3"},
                {aside, {{1, 0, 1}, {1, 0, 3}, {2, 1, 2}, {3, 2, 5}}, "+drop-node=4"}};
    for (const auto &row : idle) {
        const Made like = make("steiner", row.topology, links(GFAB_LINK_FULL), goal_on(row.topology, GFAB_BROADCAST));
        const Schedule before = rebuilt(like.schedule, {});
        for (const std::vector<uint32_t> &packet : row.packets)
            append(before, packet[0], packet[1], packet[2], 0);
        const Replanned after = replan(before, row.changes);
        ASSERT_EQ(after.status, GFAB_OK) << after.says;
        EXPECT_EQ(after.report.how, GFAB_REPLAN_STAYS);
        EXPECT_EQ(gfab_schedule_rounds(after.schedule.get()), 3);
    }
}

// What does not repeat, and becomes longer: not much longer than made anew, whatever happens, and as mended where no
// plan is made anew.
TEST(Replan, Short)
{
    const struct {
        const char *graph;
        gfab_collective collective;
        uint32_t blocks;
        gfab_link_mode mode;
    } cases[] = {{"mesh:3x3", GFAB_ALL_GATHER, 9, GFAB_LINK_HALF},  {"torus:3x4", GFAB_ALL_REDUCE, 9, GFAB_LINK_FULL},
                 {"torus:5x5", GFAB_BARRIER, 1, GFAB_LINK_HALF},    {"complete:7", GFAB_ALL_REDUCE, 7, GFAB_LINK_FULL},
                 {"hypercube:4", GFAB_BARRIER, 1, GFAB_LINK_FULL},  {"mesh:3x3", GFAB_ALL_REDUCE, 18, GFAB_LINK_FULL},
                 {"cycle:9", GFAB_ALL_REDUCE, 5, GFAB_LINK_HALF},   {"torus:4x4", GFAB_ALL_REDUCE, 16, GFAB_LINK_FULL},
                 {"torus:4x4", GFAB_ALL_REDUCE, 32, GFAB_LINK_HALF}};
    for (uint32_t i = 0; i < extent(2, 9); i++)
        for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
            for (const char *changes : {"+drop-link=0-1", "+drop-node=2"}) {
                const auto &c = cases[i];
                const Topology topology = parse(c.graph);
                gfab_model model = links(c.mode);
                model.port_mode = ports;
                const Made before = make("auto", topology, model, goal_on(topology, c.collective, c.blocks), 1);
                const Replanned after = replan(before.schedule, changes);
                ASSERT_EQ(after.status, GFAB_OK) << after.says;
                const gfab_goal goal = gfab_schedule_goal(after.schedule.get());
                const Made anew = make("auto", after.left, model, goal);
                EXPECT_LE(10 * gfab_schedule_rounds(after.schedule.get()), 11 * anew.rounds()) << c.graph << changes;
            }
}

// What can be made anew in a second is not all: larger ones are mended, with links of any weight.
TEST(Replan, MendedHalves)
{
    for (const char *spec : {"torus:10x10", "torus:10x10+weight=4-5:2+weight=44-45:3"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology torus = parse(spec);
            const Made before = make("steiner", torus, links(mode), goal_on(torus, GFAB_ALL_REDUCE), 1);
            for (const char *changes : {"+drop-link=44-54", "+weight=44-45:1+drop-link=3-4", "+drop-node=37"}) {
                const Replanned after = replan(before.schedule, changes);
                ASSERT_EQ(after.status, GFAB_OK) << after.says;
                EXPECT_NE(after.report.how, GFAB_REPLAN_ANEW);
                EXPECT_GT(2 * after.report.kept, after.report.moves) << spec << changes;
                EXPECT_LE(10 * gfab_schedule_rounds(after.schedule.get()), 12 * before.rounds()) << spec << changes;
            }
        }
}

// A member dies: the others do what they did, but for what is its own.
TEST(Replan, DeadNode)
{
    const Topology mesh = parse("mesh:3x4");
    const uint32_t blocks[GFAB_COLLECTIVES] = {22, 22, 24, 5, 5, 1, 121};
    for (int c = 0; c < GFAB_COLLECTIVES; c++) {
        const auto collective = static_cast<gfab_collective>(c);
        const uint32_t asked = collective == GFAB_ALL_TO_ALL || collective == GFAB_BARRIER ? 0 : c < 3 ? 24 : 5;
        gfab_goal goal = goal_on(mesh, collective, asked);
        goal.root = gfab_collective_has_root(collective) ? 7 : 0;
        const Made before = make("auto", mesh, links(GFAB_LINK_FULL), goal, 1);
        const Replanned after = replan(before.schedule, "+drop-node=5");
        ASSERT_EQ(after.status, GFAB_OK) << after.says;
        const gfab_goal left = gfab_schedule_goal(after.schedule.get());
        EXPECT_EQ(left.blocks, blocks[c]) << c;
        EXPECT_EQ(left.root, goal.root ? 6 : 0) << c;
        if (goal.root) {
            const Replanned rootless = replan(before.schedule, "+drop-node=7");
            EXPECT_EQ(rootless.status, GFAB_ERR_UNSUPPORTED);
            EXPECT_NE(rootless.says.find("node 7, the root, has died"), std::string::npos) << rootless.says;
        }
    }
}

// At most 5 % above the lower bound, and so above a plan made anew; and most of it is kept.
TEST(Replan, NearTheBound)
{
    for (const char *spec : {"torus:5x5", "random:n=32,m=80,seed=3", "hypercube:4"}) {
        const Topology topology = parse(spec);
        for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
            const gfab_goal goal = goal_on(topology, collective, 2048);
            const Made before = make(collective == GFAB_ALL_REDUCE ? "packing" : "arborescences", topology,
                                     links(GFAB_LINK_FULL), goal, 1);
            const gfab_link link = gfab_topology_link(topology.get(), 20);
            const Replanned after = replan(before.schedule, "+drop-link=" + std::to_string(link.node[0]) + "-" +
                                                                std::to_string(link.node[1]));
            EXPECT_LE(gfab_schedule_rounds(after.schedule.get()),
                      bound_on(after.left, links(GFAB_LINK_FULL), goal) * 21 / 20)
                << spec << " " << gfab_collective_name(collective);
            EXPECT_GT(after.report.kept, after.report.moves / 2);
        }
    }
}

// A group of few blocks that loses one: several groups as one lose less. A cycle of 8 has 8/7 trees of rate; one link
// less and it is a path, of rate 1.
TEST(Replan, AnyLength)
{
    const Topology cycle = parse("cycle:8");
    gfab_schedule *made = nullptr;
    gfab_goal goal = goal_on(cycle, GFAB_ALL_REDUCE);
    const gfab_model model = links(GFAB_LINK_FULL);
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.any_length = true;
    ASSERT_EQ(gfab_solve(gfab_solver_find("auto"), cycle.get(), &model, &options, &made, nullptr, nullptr), GFAB_OK);
    const Schedule before(made);
    const Replanned after = replan(before, "+drop-link=3-4");
    ASSERT_EQ(after.status, GFAB_OK) << after.says;
    EXPECT_TRUE(gfab_schedule_any_length(after.schedule.get()));
    EXPECT_EQ(gfab_schedule_period(after.schedule.get()), gfab_schedule_group(after.schedule.get()));
}

// All link rounds are in use, so that a schedule that does not repeat has to become longer.
TEST(Replan, FullLinks)
{
    const Topology mesh = parse("mesh:3x3");
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (int c = 0; c < GFAB_COLLECTIVES; c++) {
            const Made before = make("auto", mesh, links(mode), goal_on(mesh, static_cast<gfab_collective>(c)));
            EXPECT_EQ(replan(before.schedule, "+drop-link=3-4").status, GFAB_OK) << c;
        }
}

// Broadcasts and reduces that repeat, on graphs that are full of them: a link less is a block less in each group. What
// the block had is given back, no more: the others' links are still theirs.
TEST(Replan, RepeatingFromOneRoot)
{
    const char *graphs[] = {"torus:5x5", "torus:4x4", "torus:3x6", "torus:5x4", "hypercube:4"};
    uint64_t random = 11;
    uint32_t made = 0;
    for (uint32_t i = 0; i < extent(60, 1000); i++) {
        const Topology topology = parse(graphs[i % 5]);
        gfab_goal goal = goal_on(topology, i % 2 ? GFAB_REDUCE : GFAB_BROADCAST);
        goal.root = gfab_random_below(&random, static_cast<uint32_t>(gfab_topology_node_count(topology.get())));
        const Schedule before = any_length(topology, links(GFAB_LINK_FULL), goal);
        ASSERT_TRUE(before);
        ASSERT_GT(gfab_schedule_period(before.get()), 0);
        for (int changes = 0; changes < 4; changes++, made++) {
            const Replanned after = replan(before, changes ? dead_link(topology, &random) : change(topology, &random));
            EXPECT_EQ(after.status, GFAB_OK) << after.says << ": " << gfab_topology_spec(after.left.get());
        }
    }
    EXPECT_GE(made, 232);
}

// A link that carried 200 packets a round carries one: nothing is lost, however late it comes.
TEST(Replan, MuchSlower)
{
    const Topology path = parse("path:3+weight=0-1:200+weight=1-2:200");
    for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
        const gfab_goal goal = goal_on(path, collective, 600);
        const Made before = make("steiner", path, links(GFAB_LINK_FULL), goal, 1);
        ASSERT_TRUE(before.schedule);
        const Replanned after = replan(before.schedule, "+weight=1-2:1");
        ASSERT_EQ(after.status, GFAB_OK) << after.says;
        EXPECT_LE(gfab_schedule_rounds(after.schedule.get()), 610);
    }
}

// A file may say anything: that a node sends what it never had, over and over, and to the root. The answer is a
// schedule that is right, or a reason.
TEST(Replan, AnyMoves)
{
    uint64_t random = 17;
    for (uint32_t i = 0; i < extent(40, 5000); i++) {
        const Topology topology = parse(i % 3 ? "mesh:3x3" : "cycle:5+relay=2");
        const uint32_t members = static_cast<uint32_t>(gfab_topology_member_count(topology.get()));
        const uint32_t arcs = 2 * static_cast<uint32_t>(gfab_topology_link_count(topology.get()));
        const auto collective = static_cast<gfab_collective>(gfab_random_below(&random, GFAB_COLLECTIVES));
        gfab_goal goal = goal_on(topology, collective);
        goal.root = gfab_collective_has_root(collective) ? gfab_random_below(&random, members) : 0;
        const gfab_model model =
            links(gfab_random_below(&random, 2) ? GFAB_LINK_FULL : GFAB_LINK_HALF, 1 + gfab_random_below(&random, 2));
        gfab_schedule *drawn = nullptr;
        ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &drawn), GFAB_OK);
        const Schedule before(drawn);
        ASSERT_EQ(gfab_schedule_set_goal(drawn, &goal, nullptr), GFAB_OK);
        if (gfab_random_below(&random, 2))
            gfab_schedule_set_period(drawn, 1 + gfab_random_below(&random, 4), goal.blocks); /* some do not repeat */
        for (uint32_t round = 1, moves = gfab_random_below(&random, 60); moves > 0; moves--) {
            round += gfab_random_below(&random, 3) == 0;
            const uint32_t token = gfab_random_below(&random, goal.blocks);
            const bool combine = gfab_collective_combines(collective) && gfab_random_below(&random, 2);
            const gfab_arc way[2] = {gfab_random_below(&random, arcs), gfab_random_below(&random, arcs)};
            const uint32_t tokens[2] = {token | (combine ? GFAB_COMBINE : 0), token};
            gfab_schedule_append_packet(drawn, round, way, 1 + (i % 5 == 4), tokens, i % 7 == 6 ? moves % 3 : 1);
        }
        const Replanned after = replan(before, change(topology, &random));
        EXPECT_EQ(after.status == GFAB_OK, after.says.empty()) << after.says;
    }
}

TEST(Replan, Refused)
{
    const Topology mesh = parse("mesh:3x3"), large = parse("mesh:11x12");
    const Made gossip = make("auto", mesh, links(GFAB_LINK_HALF), goal_on(mesh, GFAB_ALL_GATHER));
    const Replanned relay = replan(gossip.schedule, "+relay=4");
    EXPECT_EQ(relay.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(relay.says.find("members and relays stay what they are"), std::string::npos) << relay.says;
    gfab_schedule *after = nullptr;
    gfab_replan_report report{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_replan(gossip.schedule.get(), large.get(), nullptr, nullptr, &after, &report, &diag),
              GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "9 nodes were planned for, and 132 are left");
    // Neither mended, nor made anew in a second.
    gfab_model one = links(GFAB_LINK_HALF);
    one.port_mode = GFAB_PORT_ONE;
    const Made slow = make("steiner", large, one, goal_on(large, GFAB_ALL_GATHER), 1);
    const Replanned ports = replan(slow.schedule, "+drop-link=3-4");
    EXPECT_EQ(ports.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(ports.says.find("plans are kept for all ports"), std::string::npos) << ports.says;
}

TEST(Replan, Interrupted)
{
    const Topology mesh = parse("mesh:3x3");
    for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_ALL_REDUCE}) {
        const Made before = make("auto", mesh, links(GFAB_LINK_HALF), goal_on(mesh, collective));
        const gfab_progress stop = {[](void *, const char *, unsigned long long, unsigned long long) { return 0; },
                                    nullptr};
        EXPECT_EQ(replan(before.schedule, "+drop-link=3-4", &stop).status, GFAB_ERR_INTERRUPTED);
    }
}

} // namespace
