// SPDX-License-Identifier: MIT
// Gossip backwards: solvers reversed and repeated.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>

namespace
{

uint32_t gossip_rounds(const Topology &topology, const gfab_model &model, uint32_t effort = 0)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.effort = effort;
    EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK) << diag.message;
    const Schedule owner(made);
    return gfab_schedule_rounds(made);
}

std::string square(const char *kind, uint32_t n)
{
    return std::string(kind) + ":" + std::to_string(n) + "x" + std::to_string(n);
}

TEST(Reversed, HalfDuplexMeshesAreAtTheBound)
{
    const gfab_model half = links(GFAB_LINK_HALF);
    for (uint32_t n = 2; n <= extent(12, 32); n++) {
        const Topology mesh = parse(square("mesh", n));
        EXPECT_EQ(make("reversed", mesh, half, goal_on(mesh, GFAB_REDUCE_SCATTER)).rounds(), n * (n + 1) / 2) << n;
        EXPECT_EQ(make("reversed", mesh, half, goal_on(mesh, GFAB_ALL_REDUCE)).rounds(), n * (n + 1)) << n;
    }
}

TEST(Reversed, ToriTakeTwiceTheGossip)
{
    const gfab_model half = links(GFAB_LINK_HALF);
    for (uint32_t n = 3; n <= extent(12, 32); n++) {
        const Topology torus = parse(square("torus", n));
        const uint32_t gossip = (n * n + (n % 2 == 0 ? 1 : 0)) / 2; // ceil((n^2 - 1) / 2)
        EXPECT_EQ(make("reversed", torus, half, goal_on(torus, GFAB_REDUCE_SCATTER)).rounds(), gossip) << n;
        EXPECT_EQ(make("reversed", torus, half, goal_on(torus, GFAB_ALL_REDUCE)).rounds(), 2 * gossip) << n;
    }
}

// What is turned round is a gossip of the solvers that make gossip alone; auto's may be that of waves or turns, which
// make a reduce-scatter of as many rounds themselves.
TEST(Reversed, AnyGraphAnyModel)
{
    const gfab_model models[] = {
        links(GFAB_LINK_HALF),
        links(GFAB_LINK_FULL),
        links(GFAB_LINK_FULL, 3),
        {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD},
        {GFAB_LINK_FULL, GFAB_PORT_ONE, 4096, 1, GFAB_ROUTING_STORE_AND_FORWARD},
        {GFAB_LINK_FULL, GFAB_PORT_ALL, 3, 2, GFAB_ROUTING_STORE_AND_FORWARD},
        {GFAB_LINK_FULL, GFAB_PORT_ALL, 4096, 1, GFAB_ROUTING_CIRCUIT},
    };
    for (const char *spec : {"path:2", "cycle:5", "graph:5:0-1,0-2,0-3,0-4", "mesh:2x3", "torus:3x4x5", "debruijn:4",
                             "random:n=14,m=25,seed=3"})
        for (const gfab_model &model : models) {
            const Topology topology = parse(spec);
            const uint32_t best = gossip_rounds(topology, model, 1);
            const Made waves = make("waves", topology, model, goal_on(topology, GFAB_ALL_GATHER), 1);
            const Made scatter = make("reversed", topology, model, goal_on(topology, GFAB_REDUCE_SCATTER), 1);
            ASSERT_TRUE(scatter.schedule) << spec << ": " << scatter.says;
            const size_t nodes = gfab_topology_node_count(topology.get());
            const Made turns = make("turns", topology, model, goal_on(topology, GFAB_ALL_GATHER), 1);
            const Made beam = make("calls-beam", topology, model, goal_on(topology, GFAB_ALL_GATHER), 1);
            const bool by_others = (waves.schedule && waves.rounds() == best) ||
                                   (turns.schedule && turns.rounds() == best) ||
                                   (beam.schedule && beam.rounds() == best);
            const uint32_t rounds = by_others ? scatter.rounds() : best;
            EXPECT_GE(scatter.rounds(), best) << spec;
            EXPECT_LE(scatter.rounds(), rounds) << spec;
            EXPECT_EQ(steps_of(scatter.schedule).size(), nodes * (nodes - 1)) << spec;
            const Made reduce = make("reversed", topology, model, goal_on(topology, GFAB_ALL_REDUCE), 1);
            EXPECT_LE(reduce.rounds(), 2 * rounds + model.hop_rounds - 1) << spec;
        }
}

// TorGo's gossip, which auto takes here, cuts tokens in parts; these take another solver's.
TEST(Reversed, TokensInOnePiece)
{
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ALL, 4096, 1, GFAB_ROUTING_CIRCUIT};
    for (const char *spec : {"mesh:4x4", "mesh:8x8"}) {
        const Topology mesh = parse(spec);
        const uint32_t nodes = gfab_topology_node_count(mesh.get());
        const Made scatter = make("reversed", mesh, model, goal_on(mesh, GFAB_REDUCE_SCATTER));
        const Made gather = make("repeated", mesh, model, goal_on(mesh, GFAB_ALL_GATHER, 2 * nodes));
        ASSERT_TRUE(scatter.schedule && gather.schedule) << scatter.says << gather.says;
        EXPECT_EQ(gather.rounds(), 2 * scatter.rounds()) << spec;
        EXPECT_EQ(make("auto", mesh, model, goal_on(mesh, GFAB_ALL_REDUCE)).status, GFAB_OK);
    }
}

// A reduce-scatter takes as many rounds as a gossip, no fewer: what bounds one bounds the other, and auto then looks
// for nothing shorter.
TEST(Reversed, NoReduceScatterIsShorterThanTheGossip)
{
    for (const char *spec : {"path:2", "path:7", "path:64", "path:300", "mesh:3x5", "torus:4x4", "star:5", "ccc:3"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology topology = parse(spec);
            const gfab_goal scatter = goal_on(topology, GFAB_REDUCE_SCATTER);
            EXPECT_GE(bound_on(topology, links(mode), scatter),
                      bound_on(topology, links(mode), goal_on(topology, GFAB_ALL_GATHER)))
                << spec;
        }
    for (const uint32_t n : {5u, 64u, 300u}) {
        const Topology path = parse("path:" + std::to_string(n));
        const gfab_goal scatter = goal_on(path, GFAB_REDUCE_SCATTER);
        EXPECT_EQ(bound_on(path, links(GFAB_LINK_HALF), scatter), n + n / 2 - 1);
        EXPECT_EQ(make("auto", path, links(GFAB_LINK_HALF), scatter).rounds(), n + n / 2 - 1);
    }
}

TEST(Reversed, SeveralBlocksANode)
{
    for (const uint32_t hop : {1u, 2u}) {
        const Topology mesh = parse("mesh:3x4");
        const gfab_model model = links(GFAB_LINK_HALF, hop);
        const uint32_t rounds = gossip_rounds(mesh, model);
        EXPECT_EQ(make("reversed", mesh, model, goal_on(mesh, GFAB_REDUCE_SCATTER, 36)).rounds(), 3 * rounds);
        const Topology square = parse("mesh:4x4"); // its gossip uses every link in every round
        EXPECT_EQ(make("reversed", square, model, goal_on(square, GFAB_ALL_REDUCE, 48)).rounds(),
                  6 * gossip_rounds(square, model) + hop - 1);
        EXPECT_EQ(make("repeated", mesh, model, goal_on(mesh, GFAB_ALL_GATHER, 36)).rounds(), 3 * rounds);
    }
}

// Where gossips after each other leave links idle an all-gather of all blocks takes their place, both ways.
TEST(Reversed, GathersAllBlocks)
{
    for (const uint32_t hop : {1u, 2u}) {
        const Topology mesh = parse("mesh:2x8");
        const gfab_model model = links(GFAB_LINK_HALF, hop);
        const gfab_goal goal = goal_on(mesh, GFAB_ALL_REDUCE, 64);
        const Made made = make("reversed", mesh, model, goal);
        EXPECT_LT(made.rounds(), 8 * gossip_rounds(mesh, model) + hop - 1);
        EXPECT_EQ(made.rounds(),
                  2 * make("trees-repeat", mesh, model, goal_on(mesh, GFAB_ALL_GATHER, 64)).rounds() + hop - 1);
    }
}

TEST(Reversed, RefusesWhatItDoesNotMake)
{
    const Topology mesh = parse("mesh:3x3");
    const gfab_model half = links(GFAB_LINK_HALF);
    const struct {
        const char *solver;
        gfab_goal goal;
        const char *words;
    } refused[] = {
        {"reversed", goal_on(mesh, GFAB_ALL_REDUCE, 10), "10 blocks on 9 nodes"},
        {"reversed", goal_on(mesh, GFAB_ALL_GATHER), "does not make all-gather"},
        {"reversed", goal_on(mesh, GFAB_BROADCAST), "does not make broadcast"},
        {"repeated", goal_on(mesh, GFAB_ALL_GATHER), "more blocks than one a node"},
        {"repeated", goal_on(mesh, GFAB_ALL_REDUCE), "does not make all-reduce"},
        {"comb", goal_on(mesh, GFAB_ALL_GATHER, 18), "one block a node"},
    };
    for (const auto &r : refused) {
        const Made made = make(r.solver, mesh, half, r.goal);
        EXPECT_EQ(made.status, GFAB_ERR_UNSUPPORTED) << r.solver;
        EXPECT_NE(made.says.find(r.words), std::string::npos) << made.says;
    }
    gfab_model packets = half; // of several tokens: these cannot be kept as one gossip that repeats
    packets.packet_tokens = 2;
    gfab_goal many = goal_on(mesh, GFAB_REDUCE_SCATTER, 9u << 24);
    EXPECT_EQ(make("reversed", mesh, packets, many).status, GFAB_ERR_LIMIT);
    many.collective = GFAB_ALL_GATHER;
    EXPECT_EQ(make("repeated", mesh, packets, many).status, GFAB_ERR_LIMIT);
}

// Copies of a gossip are kept as one that repeats: as many as the collective takes.
TEST(Reversed, ManyBlocks)
{
    const Topology mesh = parse("mesh:3x3");
    for (const gfab_port_mode port : {GFAB_PORT_ALL, GFAB_PORT_ONE}) {
        gfab_model model = links(GFAB_LINK_HALF);
        model.port_mode = port;
        for (const auto &[solver, collective] :
             {std::pair{"reversed", GFAB_REDUCE_SCATTER}, std::pair{"repeated", GFAB_ALL_GATHER}}) {
            const uint32_t one = make("auto", mesh, model, goal_on(mesh, GFAB_ALL_GATHER)).rounds();
            for (const uint32_t copies : {2u, 5u, 1u << 24}) {
                const Made made = make(solver, mesh, model, goal_on(mesh, collective, 9 * copies));
                EXPECT_EQ(made.rounds(), one * copies) << solver;
                EXPECT_EQ(gfab_schedule_kept_count(made.schedule.get()), 72u) << solver;
            }
        }
    }
}

// A block more than many: even parts, in each of which all links are in use in all rounds, and what is left.
TEST(Joined, EvenPartsAreAtTheBound)
{
    struct {
        const char *spec;
        gfab_link_mode mode;
        uint32_t blocks;
    } const rows[] = {{"hypercube:4", GFAB_LINK_FULL, 4097}, {"hypercube:4", GFAB_LINK_HALF, 4097},
                      {"torus:4x8", GFAB_LINK_HALF, 513},    {"mesh:2x5", GFAB_LINK_HALF, 10000},
                      {"mesh:2x8", GFAB_LINK_HALF, 128},     {"torus:4x4", GFAB_LINK_FULL, 1025}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, row.blocks);
        const gfab_model model = links(row.mode);
        EXPECT_EQ(make("joined", topology, model, goal).rounds(), bound_on(topology, model, goal)) << row.spec;
    }
}

// What is made is checked by a checker that sees each of these.
TEST(Reversed, MutantsAreRejected)
{
    const Topology mesh = parse("mesh:3x3");
    const Made made = make("reversed", mesh, links(GFAB_LINK_HALF), goal_on(mesh, GFAB_ALL_REDUCE));
    const std::vector<Step> steps = steps_of(made.schedule);
    const auto last_sum = std::find_if(steps.begin(), steps.end(), [](const Step &s) { return s.round == 6; });
    ASSERT_TRUE(last_sum != steps.end() && last_sum->token & GFAB_COMBINE);
    const auto at = static_cast<size_t>(last_sum - steps.begin());

    std::vector<Step> mutant = steps;
    mutant.erase(mutant.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_CONTRIBUTION_LOST);
    mutant = steps;
    mutant[at].token &= ~GFAB_COMBINE;
    EXPECT_NE(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_NONE);
    mutant = steps;
    for (Step &step : mutant)
        step.token |= GFAB_COMBINE; // a total that comes back is added
    EXPECT_EQ(checked(rebuilt(made.schedule, mutant)).fault, GFAB_FAULT_COUNTED_TWICE);
    const gfab_model slower = links(GFAB_LINK_HALF, 2);
    EXPECT_EQ(checked(made.schedule, &slower).fault, GFAB_FAULT_TOKEN_TOO_NEW);
}

TEST(Auto, TakesTheBestOfAllThatMakeIt)
{
    for (const char *spec : {"mesh:2x3", "cycle:5"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (int c = 0; c <= GFAB_ALL_TO_ALL; c++) {
                const Topology topology = parse(spec);
                const gfab_goal goal = goal_on(topology, static_cast<gfab_collective>(c));
                const gfab_model model = links(mode);
                const uint32_t best = make("auto", topology, model, goal).rounds();
                for (size_t i = 1; const gfab_solver *solver = gfab_solver_at(i); i++) {
                    const bool makes = solver->collectives & GFAB_MAKES(goal.collective);
                    const uint32_t rounds = makes ? make(solver->name, topology, model, goal).rounds() : 0;
                    EXPECT_TRUE(!rounds || (best && best <= rounds)) << spec << " " << solver->name;
                }
            }
}

} // namespace
