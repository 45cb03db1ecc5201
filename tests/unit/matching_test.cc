// SPDX-License-Identifier: MIT
// The matching heuristic of Beier & Sibeyn: what they report, every setting, and what must not show in the result.
#include "extent.h"
#include "fixture.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

namespace
{

const gfab_model telephone = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1u << 20, 1, GFAB_ROUTING_STORE_AND_FORWARD};

struct Played {
    gfab_status status = GFAB_OK;
    gfab_diag diag{};
    Topology topology; // of the schedule, where it is not the caller's
    Schedule schedule;
    gfab_verify_report report{};
};

// Solves and replays; the checker knows nothing of the solver.
Played play(const Topology &topology, const gfab_solver_options &options, gfab_model model = telephone)
{
    Played played;
    gfab_schedule *made = nullptr;
    played.status = gfab_solver_find("matching")->solve(topology.get(), &model, &options, &made, &played.diag);
    played.schedule.reset(made);
    EXPECT_EQ(played.status == GFAB_OK, !!made);
    if (made) {
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &played.report), GFAB_OK) << played.report.message;
        EXPECT_EQ(played.report.redundant, 0u);
    }
    return played;
}

Played play(const std::string &spec, uint32_t effort, const char *parameters = nullptr)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = effort;
    options.parameters = parameters;
    Topology topology = parse(spec);
    Played played = play(topology, options);
    played.topology = std::move(topology);
    EXPECT_EQ(played.status, GFAB_OK) << spec << ": " << played.diag.message;
    return played;
}

Played play_linear(const std::string &spec, uint64_t startup, uint32_t effort)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = effort;
    options.linear = true;
    options.startup = {startup, 1};
    const Topology topology = parse(spec);
    Played played = play(topology, options);
    played.schedule.reset();
    return played;
}

std::string text_of(const Played &played)
{
    return schedule_text(played.schedule);
}

// The same graph with its nodes numbered otherwise.
std::string renumbered(const std::string &spec, uint64_t seed)
{
    const Topology topology = parse(spec);
    const size_t nodes = gfab_topology_node_count(topology.get());
    std::vector<size_t> number(nodes);
    std::iota(number.begin(), number.end(), size_t{0});
    for (size_t i = nodes; i > 1; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        std::swap(number[i - 1], number[(seed >> 33) % i]);
    }
    std::vector<std::pair<size_t, size_t>> links;
    for (size_t l = 0; l < gfab_topology_link_count(topology.get()); l++) {
        const gfab_link link = gfab_topology_link(topology.get(), l);
        links.emplace_back(std::minmax(number[link.node[0]], number[link.node[1]]));
    }
    std::sort(links.begin(), links.end());
    std::string text = "graph:" + std::to_string(nodes) + ":";
    for (const auto &[a, b] : links)
        text += (text.back() == ':' ? "" : ",") + std::to_string(a) + "-" + std::to_string(b);
    return text;
}

// Table 5's families that the paper's matching heuristic is best at, and Table 1's small relatives.
TEST(Matching, GossipsInNoMoreRoundsThanThePaper)
{
    const uint32_t shuffle[] = {5, 7, 10, 12, 15, 17}, de_bruijn[] = {4, 6, 8, 10, 12, 14};
    for (uint32_t k = 3; k <= extent(7, 8); k++) {
        const std::string number = std::to_string(k);
        EXPECT_LE(play("shuffle-exchange:" + number, 200).report.rounds, shuffle[k - 3]) << k;
        EXPECT_LE(play("debruijn:" + number, 64).report.rounds, de_bruijn[k - 3]) << k;
    }
    EXPECT_EQ(play("mesh:10x10", 16).report.rounds, 18u);
    EXPECT_LE(play("torus:8x8", 16).report.rounds, 9u);
    EXPECT_LE(play("knoedel:8", 200).report.rounds, 9u);
}

TEST(Matching, HypercubesTakeTheirDimensionHoweverNumbered)
{
    for (uint32_t k = 3; k <= 8; k++) {
        const std::string spec = "hypercube:" + std::to_string(k);
        EXPECT_EQ(play(spec, 1).report.rounds, k);
        EXPECT_EQ(play(renumbered(spec, k), 1).report.rounds, k) << "renumbered";
    }
}

// Table 4, HR: broadcasts from node 0.
TEST(Matching, BroadcastsInNoMoreRoundsThanThePaper)
{
    const struct {
        const char *family;
        uint32_t least_k;
        std::vector<uint32_t> rounds;
    } table[] = {{"ccc", 3, {6, 9, 11, 13, 16, 18}},
                 {"shuffle-exchange", 3, {5, 7, 9, 11, 13, 15, 17, 19}},
                 {"butterfly", 3, {5, 7, 9, 10, 12, 14}},
                 {"debruijn", 3, {4, 5, 6, 8, 9, 11, 12, 14}}};
    for (const auto &row : table)
        for (uint32_t i = 0; i < row.rounds.size(); i++) {
            const Topology topology = parse(row.family + (":" + std::to_string(row.least_k + i)));
            std::vector<uint32_t> load(gfab_topology_node_count(topology.get()));
            load[0] = 1;
            gfab_solver_options options = gfab_solver_options_default();
            options.effort = 16;
            options.load = load.data();
            const Played played = play(topology, options);
            ASSERT_EQ(played.status, GFAB_OK) << played.diag.message;
            EXPECT_LE(played.report.rounds, row.rounds[i]) << row.family << ":" << row.least_k + i;
            EXPECT_EQ(played.report.moves, load.size() - 1);
        }
}

// Sections 3 and 8 and Figures 5 and 6: rounds and steps of small gossips.
TEST(Matching, PaysAsFewStartupsAndTransfersAsThePaperOnSmallGraphs)
{
    const struct {
        const char *spec;
        uint64_t startup, rounds, transfers;
    } examples[] = {{"mesh:3x3", 4, 5, 11}, {"pancake:4", 4, 5, 23}, {"butterfly:3", 20, 6, 25}};
    for (const auto &example : examples) {
        const Played played = play_linear(example.spec, example.startup, 200);
        EXPECT_EQ(played.report.startups, example.rounds) << example.spec;
        EXPECT_EQ(played.report.transfers, example.transfers) << example.spec;
    }
}

// Table 3 in small: the dearer a startup, the fewer of them; and a cost below that of the fewest rounds.
TEST(Matching, TradesStartupsForTransfers)
{
    const gfab_ratio half = {1, 2};
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = 16;
    options.linear = true;
    options.startup = half;
    const Topology mesh = parse("mesh:10x10");
    const gfab_verify_report cheap = play(mesh, options).report;
    const gfab_verify_report dear = play_linear("mesh:10x10", 1000, 16).report;
    EXPECT_GT(cheap.startups, dear.startups);
    EXPECT_LT(cheap.transfers, dear.transfers);
    const gfab_verify_report unit = play("mesh:10x10", 16).report;
    const gfab_cost ours = {cheap.startups, cheap.transfers, 1}, other = {unit.startups, unit.transfers, 1};
    EXPECT_LT(gfab_cost_compare(&ours, &other, half), 0);
}

// Neither threads, nor the processor's instructions, nor the way to distances show: the same bytes.
TEST(Matching, ResultDependsOnTheSeedAlone)
{
    for (const char *spec : {"debruijn:6", "mesh:9x11", "random:n=150,m=400,seed=3", "complete:20", "star:5"}) {
        const std::string base = text_of(play(spec, 3, "threads=1,kernel=portable"));
        for (const char *parameters : {"threads=2", "threads=5", "threads=1"})
            EXPECT_TRUE(text_of(play(spec, 3, parameters)) == base) << spec << " " << parameters;
        EXPECT_TRUE(text_of(play(spec, 3, "threads=3,distances=search")) == base) << spec;
    }
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = "kernel=avx2,threads=2";
    options.effort = 3;
    const Topology topology = parse("debruijn:6");
    const Played played = play(topology, options);
    if (played.status == GFAB_ERR_UNSUPPORTED)
        GTEST_SKIP() << played.diag.message;
    EXPECT_TRUE(text_of(played) == text_of(play("debruijn:6", 3, "kernel=portable")));
}

// One try on all cores, as large graphs have it, and frontiers so large that they go by lists.
TEST(Matching, LargeGraphsDoNotDependOnThreadsEither)
{
    const char *spec = "random:n=1500,m=6000,seed=1";
    const std::string one = text_of(play(spec, 1, "threads=1"));
    EXPECT_TRUE(text_of(play(spec, 1, "threads=4")) == one);
    EXPECT_TRUE(text_of(play(spec, 1, "threads=2,distances=search")) == one);
}

TEST(Matching, EverySettingMakesAGossip)
{
    for (const char *parameters :
         {"weights=potential", "weights=flow", "weights=flow,distances=search", "matching=greedy", "dist-exp=0",
          "dist-exp=60,num-exp=0", "dist-exp=8:2", "dist-exp=0.25:0.25,num-exp=1.75,need-exp=3.5",
          "look-ahead=5,depth=2,noise=100", "look-ahead=3,depth=0", "noise=1000,class-noise=1000",
          "dist-exp=4,num-exp=1,need-exp=0,haste=100,packets=all,class-noise=0,noise=0"})
        for (const char *spec : {"ccc:3", "mesh:5x7", "random:n=30,m=60,seed=2", "path:2", "star:4"})
            EXPECT_GT(play(spec, 2, parameters).report.rounds, 0u) << spec << " " << parameters;
}

// Section 5.3: looking ahead finds shorter gossips for a good part of random graphs of 30 nodes and 60 links.
TEST(Matching, LookingAheadHelpsOnSmallRandomGraphs)
{
    uint32_t shorter = 0, longer = 0;
    for (int seed = 1; seed <= 40; seed++) {
        const std::string spec = "random:n=30,m=60,seed=" + std::to_string(seed);
        gfab_topology *topology = nullptr;
        if (gfab_topology_parse(spec.c_str(), &topology, nullptr) != GFAB_OK)
            continue; // not connected
        gfab_topology_destroy(topology);
        const uint32_t plain = play(spec, 1, "noise=0").report.rounds;
        const uint32_t ahead = play(spec, 1, "noise=0,look-ahead=10,depth=2").report.rounds;
        shorter += ahead < plain;
        longer += ahead > plain;
    }
    EXPECT_GT(shorter, longer);
}

TEST(Matching, PacketsKeepToTheModel)
{
    const Topology topology = parse("ccc:3");
    for (const uint32_t tokens : {1u, 2u, 5u, 24u}) {
        gfab_model model = telephone;
        model.packet_tokens = tokens;
        gfab_solver_options options = gfab_solver_options_default();
        options.effort = 4;
        for (const char *parameters : {"packets=all", "packets=capped", "weights=potential"}) {
            options.parameters = parameters;
            const Played played = play(topology, options, model); /* the checker refuses larger packets */
            ASSERT_EQ(played.status, GFAB_OK) << played.diag.message;
            EXPECT_GE(played.report.rounds * tokens, 23u);
        }
        options.parameters = nullptr;
        options.linear = true;
        options.startup = {3, 1};
        EXPECT_EQ(play(topology, options, model).status, GFAB_OK);
    }
}

TEST(Matching, TakesUnequalLoads)
{
    const Topology topology = parse("mesh:4x4");
    const std::vector<uint32_t> load = {0, 3, 0, 0, 1, 0, 0, 7, 0, 0, 0, 0, 2, 0, 0, 0};
    gfab_solver_options options = gfab_solver_options_default();
    options.load = load.data();
    const Played unit = play(topology, options);
    ASSERT_EQ(unit.status, GFAB_OK) << unit.diag.message;
    EXPECT_EQ(gfab_schedule_token_count(unit.schedule.get()), 13u);
    options.linear = true;
    options.startup = {1, 1};
    const Played linear = play(topology, options);
    ASSERT_EQ(linear.status, GFAB_OK) << linear.diag.message;
    EXPECT_GE(linear.report.transfers, 13u); /* nodes that start with nothing get 13 tokens */
}

// Distances above 253 have no table.
TEST(Matching, LongPaths)
{
    const Played played = play("path:300", 1);
    EXPECT_GE(played.report.rounds, 299u);
    EXPECT_LE(played.report.rounds, 301u);
}

TEST(Matching, StopsAtTheRoundsAskedFor)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = 8;
    options.rounds = 8;
    const Topology mesh = parse("mesh:5x5");
    EXPECT_LE(play(mesh, options).report.rounds, 8u);
    options.rounds = 7; /* below the diameter */
    const Played played = play(mesh, options);
    EXPECT_EQ(played.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(std::string(played.diag.message).find("more than the 7 asked for"), std::string::npos);
}

TEST(Matching, RefusesOtherModelsAndBadSettings)
{
    const Topology topology = parse("mesh:4x4");
    gfab_solver_options options = gfab_solver_options_default();
    gfab_model models[] = {telephone, telephone, telephone, telephone};
    models[0].link_mode = GFAB_LINK_HALF;
    models[1].port_mode = GFAB_PORT_ALL;
    models[2].hop_rounds = 2;
    models[3].routing = GFAB_ROUTING_CIRCUIT;
    for (const gfab_model &model : models)
        EXPECT_EQ(play(topology, options, model).status, GFAB_ERR_UNSUPPORTED);
    for (const char *parameters :
         {"dist-exp=", "dist-exp=0.3", "dist-exp=61", "dist-exp=4:", "num-exp=1:2", "weights=bf", "matching=best",
          "noise=1001", "threads=0", "look-ahead=0", "speed=1", "kernel=mmx"}) {
        options.parameters = parameters;
        const Played played = play(topology, options);
        EXPECT_EQ(played.status, GFAB_ERR_INVALID) << parameters;
        EXPECT_NE(std::string(played.diag.message).find(std::string(parameters).substr(0, 5)), std::string::npos)
            << played.diag.message;
    }
}

TEST(Matching, StopsWhenToldTo)
{
    const Topology topology = parse("debruijn:7");
    for (const uint32_t effort : {1u, 50u}) {
        std::atomic<int> calls{0};
        const gfab_progress progress = {[](void *context, const char *, unsigned long long, unsigned long long) {
                                            return ++*static_cast<std::atomic<int> *>(context) < 5 ? 1 : 0;
                                        },
                                        &calls};
        gfab_solver_options options = gfab_solver_options_default();
        options.effort = effort;
        options.progress = &progress;
        EXPECT_EQ(play(topology, options).status, GFAB_ERR_INTERRUPTED);
        EXPECT_GE(calls, 5);
    }
}

// auto takes it where packets are exchanged one link a node, and what else is shorter.
TEST(Matching, AutoIsNeverLonger)
{
    const std::vector<const char *> specs = {"random:n=60,m=180,seed=1",
                                             "mesh:6x7",
                                             "debruijn:5",
                                             "star:5",
                                             "ccc:5",
                                             "torus:5x6",
                                             "hypercube:6",
                                             "butterfly:4"};
    for (const char *spec : std::vector<const char *>(specs.begin(), specs.begin() + extent(4, 8)))
        for (const uint32_t packet : {1u, 3u, 1000u}) {
            const Topology topology = parse(spec);
            gfab_model model = telephone;
            model.packet_tokens = packet;
            gfab_solver_options options = gfab_solver_options_default();
            options.effort = 3;
            const Played played = play(topology, options, model);
            gfab_schedule *made = nullptr;
            gfab_verify_report report{};
            ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &model, &options, &made, nullptr), GFAB_OK);
            const Schedule schedule(made);
            EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), GFAB_OK) << report.message;
            EXPECT_LE(report.rounds, played.report.rounds) << spec << ", packets of " << packet;
        }
}

// A sequence of matchings is shorter on CCC5: 13 rounds (Table 6).
TEST(Matching, AutoTakesAnotherWhereThatIsShorter)
{
    const Topology topology = parse("ccc:5");
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &telephone, &options, &made, nullptr), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_rounds(made), 13u);
    EXPECT_STREQ(gfab_schedule_solver(made), "colouring");
}

// A load of several tokens.
TEST(Matching, AutoTakesItForLoads)
{
    const Topology topology = parse("debruijn:4");
    std::vector<uint32_t> load(16);
    load[3] = 2;
    load[9] = 1;
    gfab_solver_options options = gfab_solver_options_default();
    options.load = load.data();
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &telephone, &options, &made, nullptr), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_STREQ(gfab_schedule_solver(made), "matching");
    EXPECT_EQ(gfab_schedule_rounds(made), play(topology, options).report.rounds);
}

} // namespace
