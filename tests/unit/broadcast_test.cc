// SPDX-License-Identifier: MIT
// Broadcasts: against published figures, against the optimum on small graphs, and from all nodes.
#include "extent.h"
#include "fixture.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace
{

const gfab_model telephone = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

struct Played {
    gfab_status status = GFAB_OK;
    gfab_diag diag{};
    Schedule schedule;
    gfab_verify_report report{};
};

Played play(const Topology &topology, uint32_t root, gfab_solver_options options = gfab_solver_options_default(),
            gfab_model model = telephone, const char *solver = "broadcast")
{
    Played played;
    std::vector<uint32_t> load(gfab_topology_node_count(topology.get()));
    load[root] = 1;
    options.load = load.data();
    gfab_schedule *made = nullptr;
    played.status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &played.diag);
    played.schedule.reset(made);
    EXPECT_EQ(played.status == GFAB_OK, !!made);
    if (made) {
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &played.report), GFAB_OK) << played.report.message;
        EXPECT_EQ(played.report.moves, load.size() - 1);
        EXPECT_STREQ(gfab_schedule_solver(made), "broadcast");
    }
    return played;
}

uint32_t rounds_of(const std::string &spec, uint32_t root = 0)
{
    return play(parse(spec), root).report.rounds;
}

// Beier & Sibeyn's Table 4, HR, and where they are lower the newer figures of design/algorithms.md, section 3.
TEST(Broadcast, TakesNoMoreRoundsThanPublished)
{
    const struct {
        const char *family;
        std::vector<uint32_t> rounds; // k = 3, 4, ...
    } table[] = {{"ccc", {6, 9, 11, 13, 16, 18, 21}},
                 {"shuffle-exchange", {5, 7, 9, 11, 13, 15, 17, 19, 21, 23}},
                 {"butterfly", {5, 7, 9, 10, 12}},
                 {"debruijn", {4, 5, 6, 8, 9, 10}}};
    for (const auto &row : table)
        for (size_t i = 0; i < std::min<size_t>(row.rounds.size(), extent(5, 10)); i++) {
            gfab_solver_options options = gfab_solver_options_default();
            options.rounds = row.rounds[i];
            const Played played = play(parse(row.family + (":" + std::to_string(3 + i))), 0, options);
            EXPECT_EQ(played.status, GFAB_OK) << row.family << 3 + i << ": " << played.diag.message;
        }
}

TEST(Broadcast, MeetsTheBoundWhereItIsKnownToBeMet)
{
    EXPECT_EQ(rounds_of("hypercube:9", 77), 9u);
    EXPECT_EQ(rounds_of("complete:64"), 6u);
    EXPECT_EQ(rounds_of("mesh:30x20"), 48u);
    EXPECT_EQ(rounds_of("path:3000"), 2999u);
    EXPECT_EQ(rounds_of("cycle:17"), 9u);
    EXPECT_EQ(rounds_of("knoedel:7"), 7u);
}

// The fewest rounds, by going through all sets of informed nodes.
uint32_t optimum(const gfab_topology *topology, uint32_t root)
{
    const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology)), all = (1u << nodes) - 1;
    std::vector<bool> now(all + 1), next;
    now[1u << root] = true;
    for (uint32_t round = 0;; round++) {
        if (now[all])
            return round;
        next = now;
        struct Walk {
            const gfab_topology *topology;
            uint32_t nodes;
            std::vector<bool> &reached;
            void go(uint32_t informed, uint32_t fresh, uint32_t v)
            {
                if (v == nodes) {
                    reached[informed | fresh] = true;
                    return;
                }
                go(informed, fresh, v + 1);
                size_t ports = 0;
                const gfab_port *port = gfab_topology_ports(topology, v, &ports);
                for (size_t i = 0; (informed >> v & 1) && i < ports; i++)
                    if (!((informed | fresh) >> port[i].peer & 1))
                        go(informed, fresh | 1u << port[i].peer, v + 1);
            }
        } walk{topology, nodes, next};
        for (uint32_t set = 1; set <= all; set++)
            if (now[set])
                walk.go(set, 0, 0);
        now = next;
    }
}

// A random tree of 8 nodes and up to four links more.
Topology small_graph(uint64_t seed)
{
    bool linked[8][8] = {};
    std::string text = "graph:8:";
    const auto draw = [&seed](uint32_t below) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return static_cast<uint32_t>((seed >> 33) % below);
    };
    const auto link = [&](uint32_t a, uint32_t b) {
        if (a != b && !linked[a][b])
            text += (text.back() == ':' ? "" : ",") + std::to_string(a) + "-" + std::to_string(b);
        linked[a][b] = linked[b][a] = true;
    };
    for (uint32_t v = 1; v < 8; v++)
        link(draw(v), v);
    for (uint32_t i = 0; i < 4; i++)
        link(draw(8), draw(8));
    return parse(text);
}

TEST(Broadcast, FindsTheOptimumOnSmallGraphsAndTheBoundIsNeverAbove)
{
    size_t above = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        const Topology topology = small_graph(seed);
        for (uint32_t root = 0; root < 8; root++) {
            const uint32_t best = optimum(topology.get(), root);
            gfab_bound bound{};
            ASSERT_EQ(gfab_bound_broadcast(topology.get(), &telephone, root, &bound), GFAB_OK);
            EXPECT_LE(bound.rounds, best);
            above += bound.rounds < best;
            gfab_solver_options options = gfab_solver_options_default();
            options.parameters = "steps=20000";
            EXPECT_EQ(play(topology, root, options).report.rounds, best) << seed << " from " << root;
        }
    }
    EXPECT_GT(above, 0u) << "the bound alone would have told the optimum everywhere";
}

TEST(Broadcast, BoundOnKnownGraphs)
{
    gfab_bound bound{};
    gfab_model model = telephone;
    const Topology cube = parse("hypercube:10"), line = parse("path:9"), star = parse("mesh:1x2");
    ASSERT_EQ(gfab_bound_broadcast(cube.get(), &model, 5, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 10u);
    ASSERT_EQ(gfab_bound_broadcast(line.get(), &model, 2, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 6u);
    EXPECT_STREQ(bound.name, "distance");
    ASSERT_EQ(gfab_bound_broadcast(star.get(), &model, 1, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 1u);
    model.hop_rounds = 3;
    ASSERT_EQ(gfab_bound_broadcast(line.get(), &model, 0, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 22u);
    model = telephone;
    model.routing = GFAB_ROUTING_CIRCUIT;
    ASSERT_EQ(gfab_bound_broadcast(line.get(), &model, 0, &bound), GFAB_OK);
    EXPECT_EQ(bound.rounds, 4u);
}

TEST(Broadcast, AllPortsTakeTheDistanceAndHalfDuplexIsNoHindrance)
{
    gfab_model model = gfab_model_default();
    EXPECT_EQ(play(parse("mesh:5x9"), 0, gfab_solver_options_default(), model).report.rounds, 12u);
    EXPECT_EQ(play(parse("debruijn:8"), 0, gfab_solver_options_default(), model).report.rounds, 8u);
    model.port_mode = GFAB_PORT_ONE;
    EXPECT_EQ(play(parse("debruijn:5"), 0, gfab_solver_options_default(), model).report.rounds, 6u);
}

TEST(Broadcast, BestTakesIt)
{
    const Topology topology = parse("debruijn:6");
    EXPECT_EQ(play(topology, 3, gfab_solver_options_default(), telephone, "auto").report.rounds,
              play(topology, 3).report.rounds);
}

// More nodes than any gossip may have.
TEST(Broadcast, AutoTakesItOnLargeGraphs)
{
    const Topology on = parse("path:20000");
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    const gfab_solver *automatic = gfab_solver_find("auto");
    ASSERT_EQ(gfab_solver_applies(automatic, on.get(), &model, nullptr), GFAB_OK);
    std::vector<uint32_t> load(20000);
    load[0] = 1;
    gfab_solver_options options = gfab_solver_options_default();
    options.load = load.data();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(automatic->solve(on.get(), &model, &options, &made, &diag), GFAB_OK) << diag.message;
    const Schedule schedule(made);
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(on.get(), &model, made, nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.rounds, 19999u);
    EXPECT_STREQ(gfab_schedule_solver(made), "broadcast");
    options.load = nullptr;
    EXPECT_EQ(automatic->solve(on.get(), &model, &options, &made, &diag), GFAB_ERR_LIMIT) << "a gossip";
    EXPECT_EQ(made, nullptr);
    const gfab_model circuit = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_CIRCUIT};
    EXPECT_EQ(gfab_solver_applies(automatic, on.get(), &circuit, nullptr), GFAB_ERR_LIMIT) << "no solver does";
}

TEST(Broadcast, ThreadsDoNotShow)
{
    const Topology topology = parse("debruijn:7");
    std::string texts[3];
    const char *parameters[] = {"steps=200000,threads=1", "steps=200000,threads=2", "steps=200000,threads=7"};
    for (size_t i = 0; i < 3; i++) {
        gfab_solver_options options = gfab_solver_options_default();
        options.parameters = parameters[i];
        options.effort = 6;
        const Played played = play(topology, 5, options);
        texts[i] = schedule_text(played.schedule);
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_EQ(texts[0], texts[2]);
}

TEST(Broadcast, RefusesWhatItDoesNotMake)
{
    const Topology topology = parse("cycle:5");
    const gfab_solver *solver = gfab_solver_find("broadcast");
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(solver->solve(topology.get(), &telephone, &options, &made, &diag), GFAB_ERR_UNSUPPORTED);
    const std::vector<uint32_t> two = {1, 0, 0, 1, 0};
    options.load = two.data();
    EXPECT_EQ(solver->solve(topology.get(), &telephone, &options, &made, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(std::string(diag.message).find("one token at one node, here there are 2"), std::string::npos)
        << diag.message;
    gfab_model slow = telephone;
    slow.hop_rounds = 2;
    EXPECT_EQ(gfab_solver_applies(solver, topology.get(), &slow, &diag), GFAB_ERR_UNSUPPORTED);
    gfab_solver_options asked = gfab_solver_options_default();
    asked.rounds = 2;
    EXPECT_EQ(play(topology, 0, asked).status, GFAB_ERR_UNSUPPORTED);
    asked.rounds = 3;
    EXPECT_EQ(play(topology, 0, asked).report.rounds, 3u);
    EXPECT_EQ(made, nullptr);
}

int stop_later(void *context, const char *, unsigned long long, unsigned long long)
{
    return ++*static_cast<std::atomic<int> *>(context) < 5;
}

TEST(Broadcast, CanBeStopped)
{
    const Topology topology = parse("debruijn:8");
    std::atomic<int> calls{0};
    const gfab_progress progress = {stop_later, &calls};
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = &progress;
    EXPECT_EQ(play(topology, 0, options).status, GFAB_ERR_INTERRUPTED);
    std::vector<uint32_t> rounds(256);
    uint32_t worst = 0;
    calls = 0;
    EXPECT_EQ(gfab_broadcast_survey(topology.get(), &telephone, gfab_solver_find("broadcast"), &options, rounds.data(),
                                    &worst, nullptr),
              GFAB_ERR_INTERRUPTED);
}

// ---- from all nodes ----

std::atomic<unsigned> solved{0};

gfab_status counting_solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           gfab_schedule **schedule, gfab_diag *diag)
{
    solved++;
    return gfab_solver_find("broadcast")->solve(topology, model, options, schedule, diag);
}

struct Surveyed {
    std::vector<uint32_t> rounds;
    uint32_t worst = 0;
    unsigned solved = 0;
};

Surveyed survey(const std::string &spec, uint32_t effort = 1)
{
    const Topology topology = parse(spec);
    gfab_solver counting = *gfab_solver_find("broadcast");
    counting.solve = counting_solve;
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = effort;
    options.parameters = "steps=2000000";
    Surveyed result;
    gfab_diag diag{};
    result.rounds.resize(gfab_topology_node_count(topology.get()));
    solved = 0;
    EXPECT_EQ(gfab_broadcast_survey(topology.get(), &telephone, &counting, &options, result.rounds.data(),
                                    &result.worst, &diag),
              GFAB_OK)
        << diag.message;
    result.solved = solved;
    EXPECT_EQ(result.rounds[result.worst], *std::max_element(result.rounds.begin(), result.rounds.end()));
    return result;
}

TEST(BroadcastSurvey, SolvesAlikeNodesOnce)
{
    for (const char *spec : {"hypercube:5", "torus:4x6", "cycle:9", "ccc:4", "butterfly:3", "star:4", "pancake:4",
                             "knoedel:4", "complete:6"})
        EXPECT_EQ(survey(spec).solved, 1u) << spec;
    EXPECT_EQ(survey("mesh:3x3").solved, 3u);
    EXPECT_EQ(survey("path:6").solved, 3u);
    EXPECT_EQ(survey("mesh:2x3x3").solved, 3u);
}

// Without the link nodes differ: a symmetry that was not checked would still join them.
TEST(BroadcastSurvey, TellsNodesApartWhereALinkIsMissing)
{
    for (const char *spec : {"hypercube:3+drop-link=0-1", "torus:3x4+drop-link=0-1", "ccc:3+drop-link=0-1",
                             "star:4+drop-node=3", "debruijn:4+drop-link=0-1"})
        EXPECT_GT(survey(spec).solved, 1u) << spec;
    EXPECT_EQ(survey("random:n=11,m=33,seed=3").solved, 11u);
}

TEST(BroadcastSurvey, GivesWhatEachSourceTakes)
{
    for (const char *spec :
         {"mesh:4x5", "debruijn:5", "shuffle-exchange:4", "mesh:4x4+drop-node=5", "random:n=20,m=60,seed=2"}) {
        const Surveyed all = survey(spec);
        const Topology topology = parse(spec);
        for (uint32_t v = 0; v < all.rounds.size(); v++) {
            gfab_solver_options options = gfab_solver_options_default();
            options.effort = 1;
            options.parameters = "steps=2000000";
            EXPECT_EQ(all.rounds[v], play(topology, v, options).report.rounds) << spec << " from " << v;
        }
    }
}

// Quick first, then the worst in earnest: from node 0 of DB6 8 rounds are the least, from most others 7.
TEST(BroadcastSurvey, SettlesTheWorst)
{
    const Surveyed quick = survey("debruijn:6", 0);
    EXPECT_EQ(quick.worst, 0u);
    EXPECT_EQ(quick.rounds[0], 8u);
    EXPECT_EQ(quick.rounds[63], 8u);
    EXPECT_EQ(*std::min_element(quick.rounds.begin(), quick.rounds.end()), 7u);
}

} // namespace
