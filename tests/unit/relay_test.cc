// SPDX-License-Identifier: MIT
// Relays and weighted links: specifications, goals by rank, the checker, bounds, proofs, and solver steiner.
#include "extras.h"
#include "marked_fixture.h"

namespace
{

// ---- specifications ----

TEST(Relay, RanksAndMembers)
{
    const Topology topology = parse("mesh:2x3+relay=1,3-4");
    const gfab_topology *t = topology.get();
    EXPECT_EQ(gfab_topology_get_kind(t), GFAB_TOPOLOGY_GRAPH);
    EXPECT_TRUE(gfab_topology_has_relays(t));
    EXPECT_FALSE(gfab_topology_is_plain(t));
    ASSERT_EQ(gfab_topology_member_count(t), 3u);
    const uint32_t rank[] = {0, GFAB_NO_RANK, 1, GFAB_NO_RANK, GFAB_NO_RANK, 2}, member[] = {0, 2, 5};
    for (uint32_t v = 0; v < 6; v++)
        EXPECT_EQ(gfab_topology_rank(t, v), rank[v]) << v;
    for (uint32_t r = 0; r < 3; r++)
        EXPECT_EQ(gfab_topology_member(t, r), member[r]) << r;
    const Topology plain = parse("mesh:2x3");
    EXPECT_TRUE(gfab_topology_is_plain(plain.get()));
    EXPECT_EQ(gfab_topology_rank(plain.get(), 4), 4u);
    EXPECT_EQ(gfab_topology_member_count(plain.get()), 6u);
}

TEST(Relay, SpecsComeBack)
{
    for (const char *spec :
         {"mesh:4x4+relay=5", "mesh:4x4+members=0-3,15", "graph:4:0-1,1-2,2-3+relay=1", "path:5+drop-node=0+relay=2",
          "graph:4:0-1,1-2,2-3+weight=0-1:3+weight=2-3:65535", "torus:3x3+relay=0,4-5+weight=1-2:2",
          "graph:5:0-1,1-2,2-3,3-4+drop-node=4+relay=2", "path:3+relay=1:forward",
          "mesh:2x4+relay=0-1:copy+drop-node=2+relay=3:combine",
          "graph:7:0-6,1-6,2-6,3-6,4-6,5-6+relay=0+relay=2-3:copy+relay=4:combine+relay=6:forward"}) {
        const Topology topology = parse(spec), again = parse(gfab_topology_spec(topology.get()));
        EXPECT_TRUE(gfab_topology_equal(topology.get(), again.get())) << spec;
        EXPECT_STREQ(gfab_topology_spec(topology.get()), gfab_topology_spec(again.get()));
        EXPECT_FALSE(gfab_topology_is_plain(again.get())) << spec;
    }
    EXPECT_STREQ(gfab_topology_spec(parse("graph:5:0-1,1-2,2-3,3-4+drop-node=0+relay=2,3+weight=4-3:2").get()),
                 "graph:4:0-1,1-2,2-3+relay=1-2+weight=2-3:2");
    EXPECT_TRUE(gfab_topology_is_plain(parse("path:3+weight=0-1:1+members=0-2").get()));
    const Topology a = parse("path:4+relay=1"), b = parse("path:4+members=0,2,3"), c = parse("path:4+relay=2"),
                   d = parse("path:4"), e = parse("path:4+weight=0-1:2");
    EXPECT_TRUE(gfab_topology_equal(a.get(), b.get()));
    EXPECT_FALSE(gfab_topology_equal(a.get(), c.get()));
    EXPECT_FALSE(gfab_topology_equal(a.get(), d.get()));
    EXPECT_FALSE(gfab_topology_equal(d.get(), e.get()));
}

TEST(Relay, BadSpecs)
{
    const BadSpec table[] = {
        {"path:3+relay=3", GFAB_ERR_INVALID, "node 3 does not exist"},
        {"path:3+relay=", GFAB_ERR_PARSE, "nodes such as 3,5-7 are expected"},
        {"path:3+relay=1,", GFAB_ERR_PARSE, "nodes such as 3,5-7 are expected"},
        {"path:3+relay=2-1", GFAB_ERR_PARSE, "nodes such as 3,5-7 are expected"},
        {"path:3+relay=1,0-1", GFAB_ERR_INVALID, "node 1 is named as a relay twice"},
        {"path:3+relay=0,1", GFAB_ERR_INVALID, "needs at least 2 members"},
        {"path:3+members=1", GFAB_ERR_INVALID, "needs at least 2 members"},
        {"path:3+relay=0-2", GFAB_ERR_INVALID, "no member"},
        {"path:3+relay=1x", GFAB_ERR_PARSE, "unexpected"},
        {"path:3+relay=1:send", GFAB_ERR_PARSE,
         "what relays do is :copy, :combine, :forward, :switch, :switch:copy, :switch:combine or :switch:copy-combine, "
         "not \":send\""},
        {"path:4+relay=1:copy+relay=1", GFAB_ERR_INVALID, "node 1 is named as a relay twice"},
        {"path:3+weight=0-2:2", GFAB_ERR_INVALID, "there is no link 0-2"},
        {"path:3+weight=0-1", GFAB_ERR_PARSE, "a link and its weight"},
        {"path:3+weight=0-1:0", GFAB_ERR_INVALID, "a weight of 0"},
        {"path:3+weight=0-1:65536", GFAB_ERR_LIMIT, "a weight above 65535"},
    };
    for (const BadSpec &bad : table)
        expect_refused(bad);
}

// ---- files ----

TEST(Relay, GraphFilesSayIt)
{
    WANTS_EXTRA(graphs);
    WANTS_EXTRA(formats);
    const Topology dot = read_file("a.dot", "graph { node [shape=box]\n a [relay=true, label=relay]; b\n"
                                            "a -- b -- c [packets=3]; c -- d [color=red] d [relay=\"false\"] }\n");
    EXPECT_STREQ(gfab_topology_spec(dot.get()), "graph:4:0-1,1-2,2-3+relay=0+weight=0-1:3+weight=1-2:3+names=a,b,c,d");
    const Topology xml =
        read_file("a.graphml",
                  "<graphml><key id='d0' for='node' attr.name='relay'/><key id='d1' for='edge' attr.name='packets'/>"
                  "<key id='d2' for='node' attr.name='x'><default>1</default></key>\n<graph edgedefault='undirected'>"
                  "<node id='0'><data key='d0'> true </data></node><node id='1'><data key='d2'>true</data></node>\n"
                  "<edge source='2' target='1'><data key='d1'>3</data></edge>"
                  "<edge source='0' target='1'><data key='d1'>3</data></edge><edge source='2' target='3'/>"
                  "</graph></graphml>\n");
    EXPECT_TRUE(gfab_topology_equal(dot.get(), xml.get()));
    const File file(std::tmpfile());
    ASSERT_EQ(gfab_format_find("graphml")->write_graph(dot.get(), file.get(), nullptr), GFAB_OK);
    std::rewind(file.get());
    std::string text(4096, '\0');
    text.resize(std::fread(&text[0], 1, text.size(), file.get()));
    EXPECT_TRUE(gfab_topology_equal(dot.get(), read_file("b.graphml", text).get()));
    const Topology kinds =
        read_file("k.gml", "graph [ node [ id 0 relay \"forward\" ] node [ id 1 relay \"copy\" ] "
                           "node [ id 2 relay \"combine\" ] edge [ source 0 target 1 ] edge [ source 1 target 2 ] "
                           "edge [ source 2 target 3 ] edge [ source 3 target 4 ] ]");
    EXPECT_STREQ(gfab_topology_spec(kinds.get()),
                 "graph:5:0-1,1-2,2-3,3-4+relay=1:copy+relay=2:combine+relay=0:forward");
    const File limited(std::tmpfile());
    ASSERT_EQ(gfab_format_find("graphml")->write_graph(kinds.get(), limited.get(), nullptr), GFAB_OK);
    std::rewind(limited.get());
    text.resize(4096);
    text.resize(std::fread(&text[0], 1, text.size(), limited.get()));
    EXPECT_TRUE(gfab_topology_equal(kinds.get(), read_file("c.graphml", text).get()));
    const std::pair<const char *, const char *> bad[] = {
        {"graph { a [relay=yes]; a -- b -- c }", "1: relay is \"yes\""},
        {"graph {\na -- b [packets=0] }", "2: a link of no packets"},
        {"graph {\na -- b [packets=1.5] }", "2: packets is \"1.5\""},
        {"graph {\na -- b [packets=99999] }", "2: a link of more than 65535"},
        {"graph { node [relay=true]; a -- b }", "needs at least 2 members"},
        {"graph { a -- b [relay=true] }", "1: relay belongs to a node"},
        {"graph { a [packets=2]; a -- b }", "1: packets belongs to a link"},
        {"graph { a [relay=true]; a -- b }", "needs at least 2 members"},
        {"<graphml><key id='r' attr.name='relay'><default>true</default></key></graphml>", "the file has no link"},
        {"<graphml><key id='r' attr.name='packets'/><graph edgedefault='undirected'>\n<node id='a'>"
         "<data key='r'>2</data></node></graph></graphml>",
         "2: packets belongs to an edge"},
        {"<graphml><key id='r' attr.name='packets'/><graph edgedefault='undirected'>\n<edge source='a' target='b'>"
         "<data key='r'></data></edge></graph></graphml>",
         "2: packets is \"\""},
    };
    for (const auto &[graph, words] : bad) {
        std::string says;
        read_file("bad", graph, &says);
        EXPECT_NE(says.find(words), std::string::npos) << graph << ": " << says;
    }
}

// ---- goals by rank ----

TEST(Relay, GoalsGoByRank)
{
    const Topology topology = parse("path:5+relay=1,3");
    const gfab_goal goal = goal_on(topology, GFAB_ALL_GATHER, 6);
    gfab_schedule *made = nullptr;
    const gfab_model model = gfab_model_default();
    ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_token_count(made), 3u);
    EXPECT_TRUE(gfab_schedule_even_load(made));
    EXPECT_EQ(gfab_schedule_origin(made, 2), 4u);
    ASSERT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    const uint32_t first[] = {0, 2, 2, 4, 4, 6};
    for (size_t v = 0; v <= 5; v++)
        EXPECT_EQ(gfab_schedule_first_token(made, v), first[v]) << v;
    const uint32_t on_relay[] = {1, 1, 0, 0, 0}, uneven[] = {2, 0, 1, 0, 0};
    EXPECT_EQ(gfab_schedule_set_load(made, on_relay, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(made, uneven, 1), GFAB_OK);
    EXPECT_FALSE(gfab_schedule_even_load(made));
    EXPECT_EQ(gfab_schedule_origin(made, 2), 2u);
    gfab_goal wrong = goal_on(topology, GFAB_BROADCAST);
    wrong.root = 3; /* ranks are 0 to 2 */
    EXPECT_EQ(gfab_schedule_set_goal(made, &wrong, nullptr), GFAB_ERR_INVALID);
    for (const gfab_collective collective : all_collectives) {
        const gfab_goal any = goal_on(topology, collective);
        for (uint32_t b = 0; b < any.blocks; b++) {
            EXPECT_FALSE(gfab_goal_holds(&any, 3, GFAB_NO_RANK, b));
            EXPECT_FALSE(gfab_goal_wants(&any, 3, GFAB_NO_RANK, b));
        }
        EXPECT_EQ(gfab_goal_held_count(&any, 3, GFAB_NO_RANK) + gfab_goal_wanted_count(&any, 3, GFAB_NO_RANK), 0u);
    }
}

// ---- the checker ----

// Two members, a relay between them: by hand.
TEST(Relay, CheckerOnAPath)
{
    const Topology path = parse("path:3+relay=1");
    const gfab_goal gather = goal_on(path, GFAB_ALL_GATHER), reduce = goal_on(path, GFAB_REDUCE);
    const auto faults = [&](const gfab_goal &goal, const std::vector<Row> &rows) {
        return verdict(path, GFAB_LINK_FULL, goal, rows).fault;
    };
    EXPECT_EQ(faults(gather, {{1, 0, 1, 0, false}, {1, 2, 1, 1, false}, {2, 1, 2, 0, false}, {2, 1, 0, 1, false}}),
              GFAB_FAULT_NONE);
    EXPECT_EQ(faults(gather, {{1, 0, 1, 0, false}, {1, 2, 1, 1, false}, {2, 1, 2, 0, false}}), GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(faults(gather, {{1, 1, 0, 1, false}}), GFAB_FAULT_TOKEN_MISSING);
    EXPECT_EQ(faults(reduce, {{1, 2, 1, 0, false}, {2, 1, 0, 0, true}}), GFAB_FAULT_NONE);
    EXPECT_EQ(faults(reduce, {{1, 2, 1, 0, true}, {2, 1, 0, 0, true}}), GFAB_FAULT_WRONG_COMBINE);
    EXPECT_EQ(faults(reduce, {{1, 1, 0, 0, true}}), GFAB_FAULT_TOKEN_MISSING);
    EXPECT_EQ(faults(reduce, {{1, 2, 1, 0, false}, {2, 1, 0, 0, false}}), GFAB_FAULT_CONTRIBUTION_LOST);
    EXPECT_EQ(faults(reduce, {{1, 2, 1, 0, false}}), GFAB_FAULT_PARTIAL_TOTAL);
}

// A relay stores what comes first, alone, and combines the rest.
TEST(Relay, CheckerOnAStar)
{
    const Topology star = parse("graph:4:0-3,1-3,2-3+relay=3");
    const gfab_goal reduce = goal_on(star, GFAB_REDUCE);
    const auto faults = [&](const std::vector<Row> &rows) { return verdict(star, GFAB_LINK_FULL, reduce, rows).fault; };
    EXPECT_EQ(faults({{1, 1, 3, 0, false}, {2, 2, 3, 0, true}, {3, 3, 0, 0, true}}), GFAB_FAULT_NONE);
    EXPECT_EQ(faults({{1, 1, 3, 0, false}, {1, 2, 3, 0, true}, {2, 3, 0, 0, true}}), GFAB_FAULT_STORE_CLASH);
    EXPECT_EQ(faults({{1, 1, 3, 0, true}, {1, 2, 3, 0, true}, {2, 3, 0, 0, true}}), GFAB_FAULT_WRONG_COMBINE);
    EXPECT_EQ(faults({{1, 1, 3, 0, false}, {2, 2, 3, 0, false}, {3, 3, 0, 0, true}}), GFAB_FAULT_PARTIAL_TOTAL);
}

// What a relay that does not copy has sent is gone, until the same block comes again.
TEST(Relay, CheckerOnRelaysThatForward)
{
    const Topology star = parse("graph:4:0-3,1-3,2-3+relay=3:forward"), all = parse("graph:4:0-3,1-3,2-3+relay=3");
    const gfab_goal broadcast = goal_on(star, GFAB_BROADCAST), reduce = goal_on(star, GFAB_REDUCE);
    const auto faults = [&](const Topology &on, const gfab_goal &goal, const std::vector<Row> &rows) {
        return verdict(on, GFAB_LINK_FULL, goal, rows).fault;
    };
    const std::vector<Row> copies = {{1, 0, 3, 0, false}, {2, 3, 1, 0, false}, {2, 3, 2, 0, false}},
                           late = {{1, 0, 3, 0, false}, {2, 3, 1, 0, false}, {3, 3, 2, 0, false}},
                           twice = {{1, 0, 3, 0, false}, {2, 0, 3, 0, false}, {2, 3, 1, 0, false}, {3, 3, 2, 0, false}};
    EXPECT_EQ(faults(all, broadcast, copies), GFAB_FAULT_NONE);
    EXPECT_EQ(faults(star, broadcast, copies), GFAB_FAULT_TOKEN_MISSING);
    EXPECT_EQ(faults(star, broadcast, late), GFAB_FAULT_TOKEN_MISSING);
    EXPECT_EQ(faults(star, broadcast, twice), GFAB_FAULT_NONE);
    const std::vector<Row> adds = {{1, 1, 3, 0, false}, {2, 2, 3, 0, true}, {3, 3, 0, 0, true}},
                           each = {{1, 1, 3, 0, false}, {2, 2, 3, 0, false}, {2, 3, 0, 0, true}, {3, 3, 0, 0, true}},
                           lost = {{1, 1, 3, 0, false}, {2, 2, 3, 0, false}, {3, 3, 0, 0, true}},
                           again = {{1, 1, 3, 0, false}, {2, 3, 0, 0, true}, {3, 3, 2, 0, false}};
    EXPECT_EQ(faults(all, reduce, adds), GFAB_FAULT_NONE);
    EXPECT_EQ(faults(star, reduce, adds), GFAB_FAULT_WRONG_COMBINE);
    EXPECT_EQ(faults(star, reduce, each), GFAB_FAULT_NONE);
    EXPECT_EQ(faults(star, reduce, lost), GFAB_FAULT_PARTIAL_TOTAL);
    EXPECT_EQ(faults(star, reduce, again), GFAB_FAULT_TOKEN_MISSING);
}

// All collectives on a switch that forwards alone, by the solvers that know of it, and refused by the others.
TEST(Relay, SolversOfRelaysThatForward)
{
    for (const char *kind : {":copy", ":combine", ":forward"}) {
        const Topology star = parse(std::string("graph:6:0-5,1-5,2-5,3-5,4-5+relay=5") + kind);
        for (const gfab_collective collective : all_collectives) {
            const gfab_goal goal = goal_on(star, collective, 0);
            const gfab_solver *solver;
            for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
                const Made made = make(solver->name, star, links(GFAB_LINK_FULL), goal, 1);
                const bool to_all = collective == GFAB_ALL_TO_ALL,
                           sums = collective == GFAB_ALL_REDUCE || collective == GFAB_BARRIER;
                const bool knows = !strcmp(solver->name, "auto") || !strcmp(solver->name, to_all ? "steiner"
                                                                                          : sums ? "in-out-trees"
                                                                                                 : "out-trees");
                EXPECT_EQ(made.status, knows ? GFAB_OK : GFAB_ERR_UNSUPPORTED)
                    << solver->name << kind << " " << gfab_collective_name(collective) << ": " << made.says;
            }
        }
    }
}

TEST(Relay, CheckerCountsPacketsOfALink)
{
    const Topology path = parse("path:2+weight=0-1:2");
    const gfab_goal gather = goal_on(path, GFAB_ALL_GATHER, 4);
    const auto faults = [&](gfab_link_mode mode, const std::vector<Row> &rows) {
        return verdict(path, mode, gather, rows).fault;
    };
    const std::vector<Row> at_once = {
        {1, 0, 1, 0, false}, {1, 0, 1, 1, false}, {1, 1, 0, 2, false}, {1, 1, 0, 3, false}};
    std::vector<Row> in_two = at_once;
    in_two[2].round = in_two[3].round = 2;
    EXPECT_EQ(faults(GFAB_LINK_FULL, at_once), GFAB_FAULT_NONE);
    EXPECT_EQ(faults(GFAB_LINK_HALF, at_once), GFAB_FAULT_LINK_BUSY);
    EXPECT_EQ(faults(GFAB_LINK_HALF, in_two), GFAB_FAULT_NONE);
    in_two.insert(in_two.begin(), {1, 0, 1, 0, false});
    EXPECT_EQ(faults(GFAB_LINK_FULL, in_two), GFAB_FAULT_LINK_BUSY);
}

// ---- random graphs ----

// The fewest rounds by SAT; the schedule that it finds is verified.
uint32_t least_rounds(const Topology &topology, const gfab_model &model, const gfab_goal &goal, uint32_t from)
{
    const gfab_prove_options options = gfab_prove_options_default();
    for (uint32_t rounds = from;; rounds++) {
        gfab_prove_report report;
        gfab_schedule *found = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_prove_goal(topology.get(), &model, &goal, rounds, &options, &report, &found, &diag), GFAB_OK)
            << diag.message;
        const Schedule schedule(found);
        if (!found && rounds < 64)
            continue;
        EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE) << checked(schedule).message;
        return rounds;
    }
}

TEST(Relay, BoundProofSearchAndSolverAgree)
{
    std::mt19937 random(270);
    uint32_t met = 0, all = 0;
    for (uint32_t i = 0; i < extent(24, 200); i++) {
        const std::string spec = random_spec(random, 3 + i % 2, 1 + i % 3, i % 3 != 2, i % 3 > 0);
        const Topology topology = parse(spec);
        for (const bool full : {false, true})
            for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
                const gfab_goal goal = goal_on(topology, collective, collective == GFAB_ALL_REDUCE ? 2 : 0);
                const gfab_model model = links(full ? GFAB_LINK_FULL : GFAB_LINK_HALF);
                const bool stores = !gfab_collective_combines(collective);
                const uint64_t bound = bound_on(topology, model, goal);
                const uint32_t made = make("steiner", topology, model, goal).rounds();
                const uint32_t least = stores ? Exhaustive(topology, goal, full).rounds() : 0;
                if (collective != GFAB_BROADCAST) {
                    const uint32_t proved = least_rounds(topology, model, goal, 1);
                    EXPECT_TRUE(!stores || proved == least) << spec << " " << full << ": " << proved << " " << least;
                    EXPECT_LE(bound, proved) << spec << " " << gfab_collective_name(collective) << " " << full;
                    EXPECT_LE(proved, made) << spec << " " << gfab_collective_name(collective) << " " << full;
                    met += made == proved;
                    all++;
                } else {
                    EXPECT_LE(bound, least) << spec << " " << full;
                    EXPECT_EQ(least, made) << spec << " " << full;
                }
            }
    }
    EXPECT_GE(met * 10, all * 8) << met << " of " << all << " are shortest";
}

// Whatever solver: a schedule that verifies, or a refusal. auto makes all seven collectives.
TEST(Relay, SolversRefuseOrAreRight)
{
    for (const char *spec : {"mesh:3x3+relay=4", "path:3+weight=1-2:3", "complete:4+relay=2", "cycle:6+members=0,3"}) {
        const Topology topology = parse(spec);
        for (const gfab_port_mode port : {GFAB_PORT_ALL, GFAB_PORT_ONE})
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
                for (const gfab_collective collective : all_collectives) {
                    gfab_model model = links(mode);
                    model.port_mode = port;
                    const gfab_goal goal = goal_on(topology, collective);
                    const gfab_solver *solver;
                    for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
                        if (!strcmp(solver->name, "part"))
                            continue; // it asks auto of what is left, if that is connected
                        const Made made = make(solver->name, topology, model, goal, 1);
                        const bool packs = collective == GFAB_ALL_REDUCE && port == GFAB_PORT_ALL;
                        const bool pairs = packs || (collective == GFAB_BARRIER && port == GFAB_PORT_ALL);
                        const bool grows = gfab_collective_has_root(collective) && port == GFAB_PORT_ALL &&
                                           mode == GFAB_LINK_FULL && !gfab_topology_has_relays(topology.get());
                        const bool shares = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER ||
                                            gfab_collective_has_root(collective);
                        const bool splits = shares && port == GFAB_PORT_ALL;
                        const bool turns = shares || collective == GFAB_ALL_REDUCE;
                        const bool sums =
                            gfab_collective_combines(collective) && !gfab_topology_has_relays(topology.get());
                        const bool knows = !strcmp(solver->name, "auto") || !strcmp(solver->name, "steiner") ||
                                           (splits && !strcmp(solver->name, "out-trees")) ||
                                           (turns && port == GFAB_PORT_ONE && !strcmp(solver->name, "turns")) ||
                                           (packs && !strcmp(solver->name, "packing")) ||
                                           (pairs && !strcmp(solver->name, "in-out-trees")) ||
                                           (sums && !strcmp(solver->name, "bracket")) ||
                                           (grows && !strcmp(solver->name, "arborescences"));
                        EXPECT_EQ(made.status, knows ? GFAB_OK : GFAB_ERR_UNSUPPORTED)
                            << solver->name << " " << spec << ": " << made.says;
                        EXPECT_LE(knows ? bound_on(topology, model, goal) : 0, made.rounds()) << solver->name << spec;
                    }
                }
    }
}

// Too large for flows: trees by the loads of arcs, at most 5 % above the bound and the ways of the last blocks.
TEST(Relay, OutTreesOfLargeGraphs)
{
    const struct {
        const char *spec;
        gfab_collective collective;
        uint32_t each;
    } rows[] = {{"torus:17x17+weight=0-1:2", GFAB_ALL_GATHER, 4},
                {"fat-tree:12", GFAB_REDUCE_SCATTER, 4},
                {"dragonfly:3,8,3", GFAB_ALL_GATHER, 1}};
    for (const auto &[spec, collective, each] : rows) {
        const Topology topology = parse(spec);
        const uint32_t members = static_cast<uint32_t>(gfab_topology_member_count(topology.get()));
        const gfab_goal goal = goal_on(topology, collective, each * members);
        const Made made = make("out-trees", topology, links(GFAB_LINK_FULL), goal);
        ASSERT_EQ(made.status, GFAB_OK) << spec << ": " << made.says;
        EXPECT_EQ(checked(made.schedule).fault, GFAB_FAULT_NONE) << spec;
        const uint64_t bound = bound_on(topology, links(GFAB_LINK_FULL), goal);
        EXPECT_LE(made.rounds(), bound + bound / 20 + 40) << spec;
        EXPECT_EQ(gfab_schedule_period(made.schedule.get()) > 0, each > 1);
    }
}

// In a schedule without a redundant message each is needed, and in its round.
TEST(Relay, MutantsAreRefused)
{
    for (const char *spec : {"mesh:3x3+relay=1,4", "graph:5:0-4,1-4,2-4,3-4+relay=4", "cycle:6+relay=1+weight=0-1:2"}) {
        const Topology topology = parse(spec);
        for (const gfab_collective collective : all_collectives) {
            const Made made = make("steiner", topology, links(GFAB_LINK_FULL), goal_on(topology, collective));
            const std::vector<Step> steps = steps_of(made.schedule);
            ASSERT_EQ(checked(made.schedule).redundant, 0u);
            for (size_t i = 0; i < steps.size() && collective != GFAB_BARRIER; i++) {
                std::vector<Step> less = steps, other = steps;
                less.erase(less.begin() + static_cast<ptrdiff_t>(i));
                EXPECT_NE(checked(rebuilt(made.schedule, less)).fault, GFAB_FAULT_NONE) << spec << " " << collective;
                if (!gfab_collective_combines(collective))
                    continue;
                other[i].token ^= GFAB_COMBINE;
                EXPECT_NE(checked(rebuilt(made.schedule, other)).fault, GFAB_FAULT_NONE) << spec << " " << collective;
            }
        }
    }
}

TEST(Relay, FilesComeBack)
{
    WANTS_EXTRA(graphs);
    WANTS_EXTRA(formats);
    const Topology topology = parse("mesh:3x3+relay=4+weight=0-1:2");
    for (const gfab_collective collective : all_collectives) {
        const Made made = make("steiner", topology, links(GFAB_LINK_HALF), goal_on(topology, collective));
        const File file(std::tmpfile());
        ASSERT_EQ(gfab_schedule_write(made.schedule.get(), file.get(), nullptr, nullptr), GFAB_OK);
        std::rewind(file.get());
        gfab_topology *read_topology = nullptr;
        gfab_schedule *read = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_schedule_read(file.get(), nullptr, &read_topology, &read, &diag), GFAB_OK) << diag.message;
        const Topology owner(read_topology);
        const Schedule again(read);
        EXPECT_TRUE(gfab_topology_equal(topology.get(), read_topology));
        EXPECT_EQ(gfab_schedule_move_count(read), gfab_schedule_move_count(made.schedule.get()));
        EXPECT_EQ(checked(again).fault, GFAB_FAULT_NONE);
    }
}

// Packets of several tokens, hops of several rounds.
TEST(Relay, OtherModels)
{
    const Topology topology = parse("torus:4x4+relay=0-3+weight=4-5:3");
    for (const uint32_t tokens : {2, 5})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_collective collective : all_collectives) {
                gfab_model model = links(mode, tokens - 1);
                model.packet_tokens = tokens;
                const gfab_goal goal = goal_on(topology, collective);
                EXPECT_GE(make("steiner", topology, model, goal, 2).rounds(), bound_on(topology, model, goal));
            }
}

// ---- hardware ----

TEST(Relay, HardwareRefusesWhatItCannot)
{
    const auto refusal = [](const char *spec, const gfab_machine_options &options) {
        const Topology topology = parse(spec);
        gfab_plan plan;
        gfab_diag diag{};
        const gfab_model model = gfab_model_default();
        const gfab_status status = gfab_machine_plan(topology.get(), &model, &options, &plan, &diag);
        return status == GFAB_ERR_UNSUPPORTED ? std::string(diag.message) : std::to_string(status);
    };
    gfab_machine_options options = gfab_machine_options_default();
    EXPECT_EQ(refusal("path:3+relay=1", options), std::to_string(GFAB_OK));
    EXPECT_NE(refusal("path:3+weight=0-1:2", options).find("weighted links"), std::string::npos);
    options.protect = GFAB_PROTECT_DETECT;
    EXPECT_EQ(refusal("path:3+relay=1", options), std::to_string(GFAB_OK));
    options = gfab_machine_options_default();
    options.store = GFAB_STORE_WIDE;
    EXPECT_EQ(refusal("path:3+relay=1", options), std::to_string(GFAB_OK));
}

} // namespace
