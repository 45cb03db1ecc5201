// SPDX-License-Identifier: MIT
// The choice among solvers of collectives: what fails is passed over, and nothing that is known is shorter.
#include "collective_fixture.h"

#include "solvers/auto/auto_best.h"

namespace
{

// Both ends of a path's links send at once: more than its links carry.
gfab_status solve_badly(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                        gfab_schedule **schedule, gfab_diag *)
{
    EXPECT_EQ(gfab_schedule_create(topology, model, schedule), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(*schedule, options->goal, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(*schedule, 1, 0, GFAB_COMBINE), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(*schedule, 1, 1, GFAB_COMBINE), GFAB_OK);
    return GFAB_OK;
}

// One after the other, a round later than need be.
gfab_status solve_slowly(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *)
{
    EXPECT_EQ(gfab_schedule_create(topology, model, schedule), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(*schedule, options->goal, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_solver(*schedule, "slow"), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(*schedule, 1, 0, GFAB_COMBINE), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(*schedule, 3, 1, 0), GFAB_OK);
    return GFAB_OK;
}

template <gfab_status status>
gfab_status fail(const gfab_topology *, const gfab_model *, const gfab_solver_options *, gfab_schedule **schedule,
                 gfab_diag *diag)
{
    *schedule = nullptr;
    if (diag)
        *diag = {0, "this solver is only a test"};
    return status;
}

gfab_status takes(const gfab_topology *, const gfab_model *, gfab_diag *)
{
    return GFAB_OK;
}

gfab_status refuses(const gfab_topology *, const gfab_model *, gfab_diag *)
{
    return GFAB_ERR_UNSUPPORTED;
}

template <int number>
gfab_status find_nothing(const gfab_topology *, const gfab_model *, const gfab_solver_options *,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = nullptr;
    snprintf(diag->message, sizeof diag->message, "reason %d", number);
    return GFAB_ERR_UNSUPPORTED;
}

gfab_solver solver_of(const char *name, decltype(gfab_solver::solve) solve,
                      decltype(gfab_solver::applies) applies = takes)
{
    gfab_solver made{};
    made.name = name;
    made.applies = applies;
    made.solve = solve;
    made.collectives = GFAB_MAKES(GFAB_ALL_REDUCE);
    return made;
}

const gfab_solver bad = solver_of("bad", solve_badly);
const gfab_solver slow = solver_of("slow", solve_slowly);
const gfab_solver limited = solver_of("limited", fail<GFAB_ERR_LIMIT>);
const gfab_solver unfit = solver_of("unfit", fail<GFAB_ERR_UNSUPPORTED>);
const gfab_solver first = solver_of("first", find_nothing<1>), second = solver_of("second", find_nothing<2>);
const gfab_solver other = solver_of("other", find_nothing<3>, refuses),
                  last = solver_of("last", find_nothing<4>, refuses);
const gfab_solver stopped = solver_of("stopped", fail<GFAB_ERR_INTERRUPTED>);
const gfab_solver forgetful = solver_of("forgetful", fail<GFAB_ERR_NO_MEMORY>);

std::vector<const gfab_solver *> listed;

const gfab_solver *at(size_t index)
{
    return index < listed.size() ? listed[index] : nullptr;
}

Made best_of(std::vector<const gfab_solver *> solvers, gfab_diag *faulty = nullptr)
{
    const Topology topology = parse("path:2");
    const gfab_model model = links(GFAB_LINK_HALF);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 1);
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    options.goal = &goal;
    options.faulty = faulty;
    listed = std::move(solvers);
    const gfab_status status = gfab_auto_best(at, topology.get(), &model, &options, &made, &diag);
    const Made result{Schedule(made), status, diag.message};
    EXPECT_EQ(made ? checked(result.schedule).fault : GFAB_FAULT_NONE, GFAB_FAULT_NONE);
    return {nullptr, status, made ? std::string("made by ") + gfab_schedule_solver(made) : diag.message};
}

TEST(Auto, PassesOverWhatFails)
{
    const gfab_solver *trees = gfab_solver_find("trees");
    for (const auto &solvers : std::vector<std::vector<const gfab_solver *>>{
             {&bad, trees}, {&limited, trees}, {&unfit, &limited, &bad, trees}, {&slow, &bad, trees}}) {
        const Made made = best_of(solvers);
        EXPECT_EQ(made.status, GFAB_OK) << made.says;
        EXPECT_EQ(made.says, "made by trees");
    }
    EXPECT_EQ(best_of({&slow, &bad, &limited, &unfit}).says, "made by slow"); // what is faulty is shorter, and no use
}

const char *const busy = "bad: the schedule is faulty: link-busy: round 1, link 0, node 1 to 0: the link already "
                         "carries a packet";

TEST(Auto, SaysWhichFailedAndWhy)
{
    for (const auto &solvers : std::vector<std::vector<const gfab_solver *>>{{&bad}, {&unfit, &bad}, {&bad, &unfit}}) {
        const Made made = best_of(solvers);
        EXPECT_EQ(made.status, GFAB_ERR_FAULT);
        EXPECT_EQ(made.says, busy);
    }
    EXPECT_EQ(best_of({&unfit, &limited}).status, GFAB_ERR_LIMIT);
    EXPECT_EQ(best_of({&limited}).says, "this solver is only a test");
    EXPECT_EQ(best_of({&unfit}).status, GFAB_ERR_UNSUPPORTED);
}

// Not that of the last one alone: of those that are for such a graph and model, or else of all; each reason once.
TEST(Auto, TellsEveryReason)
{
    EXPECT_EQ(best_of({&first, &last}).says, "first: reason 1");
    EXPECT_EQ(best_of({&last, &first, &first, &second, &other}).says,
              "no solver makes this all-reduce on path:2: first: reason 1; second: reason 2");
    EXPECT_EQ(best_of({&other, &last}).says, "no solver makes this all-reduce on path:2: reason 3; reason 4");
    EXPECT_EQ(best_of({&first, &bad, &second}).says, busy);
    EXPECT_EQ(best_of({}).says, "no solver makes this all-reduce on path:2");
    const Topology topology = parse("mesh:3x3");
    const gfab_model model = links(GFAB_LINK_HALF);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 9);
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    options.goal = &goal;
    options.rounds = 2;
    listed = {gfab_solver_find("trees")};
    EXPECT_EQ(gfab_auto_best(at, topology.get(), &model, &options, &made, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "no schedule has fewer than 12 rounds here (count bound); 2 were asked for");
}

TEST(Auto, NamesWhatItPassedOver)
{
    gfab_diag faulty{};
    EXPECT_EQ(best_of({&unfit, &limited, &slow}, &faulty).status, GFAB_OK);
    EXPECT_STREQ(faulty.message, "");
    EXPECT_EQ(best_of({&unfit, &bad, &slow}, &faulty).says, "made by slow");
    EXPECT_STREQ(faulty.message, busy);
}

// Node 0's token alone goes to node 1.
gfab_status gossip_badly(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *,
                         gfab_schedule **schedule, gfab_diag *)
{
    EXPECT_EQ(gfab_schedule_create(topology, model, schedule), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_solver(*schedule, "half"), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(*schedule, 1, 0, 0), GFAB_OK);
    return GFAB_OK;
}

TEST(Auto, AFaultyGossipIsMadeAnew)
{
    gfab_solver half = solver_of("half", gossip_badly);
    half.collectives = 0;
    listed = {&half};
    for (size_t i = 1; const gfab_solver *solver = gfab_solver_at(i); i++)
        if (solver->collectives)
            listed.push_back(solver);
    for (const char *spec : {"path:2", "mesh:3x4", "cycle:7"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL}) {
            const Topology topology = parse(spec);
            const gfab_model model = links(mode);
            gfab_solver_options options = gfab_solver_options_default();
            const gfab_goal goal = goal_on(topology, GFAB_ALL_GATHER);
            gfab_diag diag{}, faulty{};
            options.faulty = &faulty;
            options.goal = &goal;
            gfab_schedule *made = nullptr;
            ASSERT_EQ(gfab_auto_best(at, topology.get(), &model, &options, &made, &diag), GFAB_OK) << spec;
            EXPECT_EQ(checked(Schedule(made)).fault, GFAB_FAULT_NONE) << spec;
            EXPECT_EQ(std::string(faulty.message).rfind("half: the schedule is faulty: ", 0), 0u) << faulty.message;
        }
}

TEST(Auto, StopsWhereItIsAskedToOrOutOfMemory)
{
    const gfab_solver *trees = gfab_solver_find("trees");
    EXPECT_EQ(best_of({&stopped, trees}).status, GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(best_of({&forgetful, trees}).status, GFAB_ERR_NO_MEMORY);
}

uint32_t rounds_of(const char *solver, const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    const Made made = make(solver, topology, model, goal);
    return made.schedule ? made.rounds() : UINT32_MAX;
}

// On what is neither short nor long: schedules that repeat, and those that plan every block, are all tried.
TEST(Auto, NoSolverIsShorter)
{
    const struct {
        const char *spec;
        gfab_link_mode mode;
        uint32_t blocks;
    } cases[] = {
        {"mesh:4x4", GFAB_LINK_FULL, 256},  {"torus:4x4", GFAB_LINK_FULL, 256}, {"hypercube:4", GFAB_LINK_FULL, 256},
        {"debruijn:3", GFAB_LINK_HALF, 64}, {"mesh:3x3", GFAB_LINK_FULL, 27},
    };
    for (const auto &c : cases) {
        SCOPED_TRACE(std::string(c.spec) + " " + std::to_string(c.blocks));
        const Topology topology = parse(c.spec);
        const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, c.blocks);
        const uint32_t made = rounds_of("auto", topology, links(c.mode), goal);
        for (const char *solver : {"reversed", "packing", "trees"})
            EXPECT_LE(made, rounds_of(solver, topology, links(c.mode), goal)) << solver;
    }
}

// From a corner of torus:3x16 trees find 30 rounds, where what repeats has 31.
TEST(Auto, IsAsPatientAsTreesOnSmallGraphs)
{
    const Topology topology = parse("torus:3x16");
    const gfab_goal goal = goal_on(topology, GFAB_BROADCAST, 64);
    const uint32_t trees = rounds_of("trees", topology, links(GFAB_LINK_FULL), goal);
    EXPECT_LE(trees, 30u);
    EXPECT_LE(rounds_of("auto", topology, links(GFAB_LINK_FULL), goal), trees);
}

// Steiner's 70 rounds, not the 86 of a packing, which repeats, nor the 73 of in-out-trees.
TEST(Auto, AsksSteinerForShortVectorsBetweenMembers)
{
    const Topology topology = parse("mesh:8x8+relay=14-20");
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE);
    const uint32_t steiner = rounds_of("steiner", topology, links(GFAB_LINK_HALF), goal);
    EXPECT_LE(rounds_of("auto", topology, links(GFAB_LINK_HALF), goal), steiner);
}

// One port: calls-beam's 80 rounds, not the 81 of calls, also where a node has few blocks. On mesh:3x7 it takes 249,
// and no more where it is asked behind calls.
TEST(Auto, AsksTheBeamForShortVectors)
{
    const struct {
        const char *spec;
        gfab_collective collective;
        uint32_t blocks;
    } cases[] = {{"random:n=7,m=10,seed=2", GFAB_BROADCAST, 40},
                 {"random:n=7,m=10,seed=1", GFAB_REDUCE, 7},
                 {"mesh:4x4", GFAB_REDUCE, 40},
                 {"mesh:3x7", GFAB_REDUCE, 200}};
    gfab_model model = links(GFAB_LINK_FULL);
    model.port_mode = GFAB_PORT_ONE;
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        const gfab_goal goal = goal_on(topology, c.collective, c.blocks);
        EXPECT_LE(rounds_of("auto", topology, model, goal), rounds_of("calls-beam", topology, model, goal)) << c.spec;
    }
}

// Reports are made after so much work each: packing, slow on large graphs and no use for short vectors, is not asked.
TEST(Auto, AsksNobodyInVain)
{
    const Topology topology = parse("debruijn:6");
    const gfab_model model = links(GFAB_LINK_HALF);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE);
    uint64_t reports = 0;
    const gfab_progress progress{[](void *context, const char *, unsigned long long, unsigned long long) {
                                     ++*static_cast<uint64_t *>(context);
                                     return 1;
                                 },
                                 &reports};
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.progress = &progress;
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &model, &options, &made, nullptr), GFAB_OK);
    const Schedule schedule(made);
    EXPECT_EQ(gfab_schedule_rounds(made), bound_on(topology, model, goal));
    EXPECT_LT(reports, 2000u);
}

// Of rows by what they tell: one that would take an hour is asked where there is nothing yet; one for longer vectors
// and one that was asked with fewer rounds than there are, the same.
TEST(Auto, AsksByWhatRowsTell)
{
    static int asked = 0;
    static uint32_t rounds = 0;
    const auto count = [](const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          gfab_schedule **schedule, gfab_diag *diag) {
        asked++;
        rounds = options->rounds;
        return solve_slowly(topology, model, options, schedule, diag);
    };
    gfab_solver hours = solver_of("hours", count), longer = solver_of("longer", count), by_name = longer;
    hours.work.ns = (uint64_t)3600 * 1000000000;
    longer.long_from = 4;
    by_name.on_request = true;
    EXPECT_EQ(best_of({&hours}).says, "made by slow");
    EXPECT_EQ(best_of({&longer}).says, "made by slow");
    EXPECT_EQ(best_of({&by_name}).status, GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(best_of({&slow, &hours, &longer, &by_name}).says, "made by slow");
    EXPECT_EQ(asked, 2);
    hours.work.ns = 1000000000;
    hours.work.blocks = 200; // of one block
    longer.long_from = 0;
    EXPECT_EQ(best_of({&slow, &hours, &longer}).says, "made by slow");
    EXPECT_EQ(asked, 4);
    longer.improve = count;
    EXPECT_EQ(rounds, 0u);
    EXPECT_EQ(best_of({&slow, &longer}).says, "made by slow");
    EXPECT_EQ(rounds, 2u);
}

// A row says which graphs and models it is for; whatever else is refused by a line that says what is wrong.
TEST(Auto, RowsRefuseWhatTheyDoNotTake)
{
    const struct {
        uint32_t mark;
        const char *spec;
    } marked[] = {{GFAB_MARK_RELAYS, "mesh:3x3+relay=4"},
                  {GFAB_MARK_WEIGHTS, "mesh:3x3+weight=0-1:2"},
                  {GFAB_MARK_DIRECTED, "mesh:3x3+weight=0-1:1/0"}};
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
        SCOPED_TRACE(solver->name);
        gfab_diag diag{};
        for (const auto &m : marked)
            if (!(solver->knows & m.mark)) {
                const gfab_model model = links(GFAB_LINK_HALF);
                EXPECT_EQ(gfab_solver_applies(solver, parse(m.spec).get(), &model, &diag), GFAB_ERR_UNSUPPORTED);
                EXPECT_NE(std::string(diag.message).find(gfab_topology_marks_name(m.mark)), std::string::npos)
                    << diag.message;
            }
        for (uint32_t bits = 0; bits < 32; bits++) {
            const gfab_model model = {bits & 1 ? GFAB_LINK_FULL : GFAB_LINK_HALF,
                                      bits & 2 ? GFAB_PORT_ALL : GFAB_PORT_ONE, bits & 4 ? 1u : 9u, bits & 8 ? 1u : 2u,
                                      bits & 16 ? GFAB_ROUTING_STORE_AND_FORWARD : GFAB_ROUTING_CIRCUIT};
            const uint32_t is = (bits & 1 ? GFAB_ONLY_FULL : GFAB_ONLY_HALF) |
                                (bits & 2 ? GFAB_ONLY_ALL_PORTS : GFAB_ONLY_ONE_PORT) |
                                (bits & 4 ? GFAB_ONLY_SINGLE : 0) | (bits & 8 ? GFAB_ONLY_ONE_ROUND : 0) |
                                (bits & 16 ? GFAB_ONLY_STORED : GFAB_ONLY_CIRCUIT);
            if (gfab_model_check(&model, nullptr) != GFAB_OK || !(solver->only & ~is))
                continue;
            EXPECT_EQ(gfab_solver_applies(solver, parse("torus:3x3").get(), &model, &diag), GFAB_ERR_UNSUPPORTED);
            EXPECT_EQ(std::string(diag.message).rfind(std::string(solver->name) + " is for ", 0), 0u) << diag.message;
        }
    }
    const gfab_model one_port = {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    gfab_diag diag{};
    gfab_solver_applies(gfab_solver_find("out-trees"), parse("mesh:3x3").get(), &one_port, &diag);
    EXPECT_STREQ(diag.message, "out-trees is for all ports, 1 token a packet and store-and-forward routing");
    gfab_solver_applies(gfab_solver_find("trees"), parse("mesh:3x3+relay=4").get(), &one_port, &diag);
    EXPECT_STREQ(
        diag.message,
        "mesh:3x3+relay=4 has relays, which trees does not take; gossipfab list solvers says which solvers do");
}

// A block more than a whole number of groups took up to 15 rounds more; the bound takes 1 or 2. The last groups have
// trees and rounds of their own.
TEST(Auto, ABlockMoreIsNoCliff)
{
    const struct {
        const char *solver, *spec;
        gfab_collective collective;
        gfab_link_mode mode;
        uint32_t blocks;
    } cases[] = {{"auto", "cycle:16", GFAB_ALL_REDUCE, GFAB_LINK_FULL, 16},
                 {"auto", "cycle:64", GFAB_ALL_REDUCE, GFAB_LINK_FULL, 64},
                 {"auto", "mesh:4x4", GFAB_ALL_REDUCE, GFAB_LINK_HALF, 256},
                 {"out-trees", "cycle:16", GFAB_BROADCAST, GFAB_LINK_HALF, 1024},
                 {"out-trees", "cycle:16", GFAB_REDUCE, GFAB_LINK_HALF, 1024}};
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        const gfab_goal before = goal_on(topology, c.collective, c.blocks);
        const gfab_goal after = goal_on(topology, c.collective, c.blocks + 1);
        const gfab_model model = links(c.mode);
        const Made made = make(c.solver, topology, model, after);
        ASSERT_EQ(made.status, GFAB_OK) << c.spec << made.says;
        EXPECT_EQ(checked(made.schedule).fault, GFAB_FAULT_NONE) << c.spec;
        EXPECT_LE(made.rounds() + bound_on(topology, model, before),
                  rounds_of(c.solver, topology, model, before) + bound_on(topology, model, after) + 2)
            << c.spec << " " << c.blocks;
    }
}

gfab_schedule *made_within(uint32_t rounds, const gfab_solver *solver, const Topology &topology,
                           const gfab_model &model, const gfab_goal &goal)
{
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    options.goal = &goal;
    options.rounds = rounds;
    gfab_solve(solver, topology.get(), &model, &options, &made, nullptr, nullptr);
    return made;
}

// Auto and part ask for fewer rounds than there are: who can make them must not fail then.
TEST(Solvers, MakeAsManyRoundsAsTheyAreAskedFor)
{
    const struct {
        const char *spec;
        gfab_collective collective;
    } cases[] = {{"torus:3x3+drop-node=4", GFAB_BARRIER}, {"mesh:3x3", GFAB_ALL_REDUCE}, {"cycle:7", GFAB_BROADCAST},
                 {"kautz:2,2", GFAB_ALL_GATHER},          {"cycle:5", GFAB_BARRIER},     {"mesh:2x5", GFAB_REDUCE}};
    size_t asked = 0;
    for (const auto &c : cases)
        for (uint32_t way = 0; way < 4; way++) {
            const Topology topology = parse(c.spec);
            const gfab_goal goal = goal_on(topology, c.collective);
            gfab_model model = links(way % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF);
            model.port_mode = way / 2 ? GFAB_PORT_ONE : GFAB_PORT_ALL;
            for (size_t i = 0; const gfab_solver *solver = gfab_solver_at(i); i++) {
                const Schedule made(solver->on_request ? nullptr : made_within(0, solver, topology, model, goal));
                if (!made)
                    continue;
                const uint32_t rounds = gfab_schedule_rounds(made.get());
                const Schedule again(made_within(rounds, solver, topology, model, goal));
                ASSERT_TRUE(again) << solver->name << " " << c.spec << " " << way << ": " << rounds;
                EXPECT_LE(gfab_schedule_rounds(again.get()), rounds) << solver->name << " " << c.spec;
                asked++;
            }
        }
    EXPECT_GT(asked, 100u);
}

// What a graph contains: without its weights, its relays, its one-way links, or several of these.
TEST(Part, IsNeverShorterThanAuto)
{
    const struct {
        const char *whole, *part;
        gfab_collective collective;
        gfab_link_mode mode;
        uint32_t blocks;
    } cases[] = {{"mesh:3x3+weight=0-1:2", "mesh:3x3", GFAB_ALL_REDUCE, GFAB_LINK_FULL, 0},
                 {"torus:3x3+relay=4", "torus:3x3+drop-node=4", GFAB_REDUCE, GFAB_LINK_HALF, 40},
                 {"complete:6+relay=5", "complete:5", GFAB_REDUCE, GFAB_LINK_HALF, 7},
                 {"complete:6+relay=5+weight=0-1:3", "complete:5", GFAB_REDUCE, GFAB_LINK_HALF, 7},
                 {"complete:5+weight=0-1:1/0", "complete:5+drop-link=0-1", GFAB_REDUCE, GFAB_LINK_HALF, 7}};
    for (const auto &c : cases) {
        const Topology whole = parse(c.whole), part = parse(c.part);
        const Made made = make("auto", whole, links(c.mode), goal_on(whole, c.collective, c.blocks));
        ASSERT_EQ(made.status, GFAB_OK) << c.whole << made.says;
        EXPECT_EQ(checked(made.schedule).fault, GFAB_FAULT_NONE) << c.whole;
        EXPECT_LE(made.rounds(), rounds_of("auto", part, links(c.mode), goal_on(part, c.collective, c.blocks)))
            << c.whole;
    }
    const Topology dgx1 = parse("machine:dgx1");
    const gfab_goal barrier = goal_on(dgx1, GFAB_BARRIER);
    EXPECT_EQ(rounds_of("auto", dgx1, links(GFAB_LINK_FULL), barrier), 2u);
    const Made plain = make("part", parse("mesh:3x3"), links(GFAB_LINK_HALF), goal_on(parse("mesh:3x3"), GFAB_BARRIER));
    EXPECT_EQ(plain.says, "part is for graphs with relays, one-way or weighted links, not for mesh:3x3");
}

TEST(Part, TopologyWithout)
{
    const Topology whole = parse("mesh:2x3+relay=1+weight=0-3:1/0+weight=3-4:2");
    const struct {
        uint32_t marks;
        size_t nodes, links;
        uint32_t left; // marks
    } cases[] = {{GFAB_MARK_RELAYS, 5, 4, GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED},
                 {GFAB_MARK_DIRECTED, 6, 6, GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS},
                 {GFAB_MARK_WEIGHTS, 6, 7, GFAB_MARK_RELAYS | GFAB_MARK_DIRECTED},
                 {GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED, 6, 6, GFAB_MARK_RELAYS},
                 {GFAB_MARK_RELAYS | GFAB_MARK_DIRECTED, 0, 0, 0}}; // node 0 is alone
    for (const auto &c : cases) {
        gfab_topology *made = nullptr;
        uint32_t *node = nullptr, *link = nullptr;
        gfab_diag diag{};
        const gfab_status status = gfab_topology_without(whole.get(), c.marks, &made, &node, &link, &diag);
        const Topology part(made);
        if (c.nodes == 0 || (c.marks == GFAB_MARK_RELAYS)) { // node 0 has one link, which goes one way
            EXPECT_EQ(status, GFAB_ERR_INVALID) << diag.message;
            continue;
        }
        ASSERT_EQ(status, GFAB_OK) << diag.message;
        EXPECT_EQ(gfab_topology_node_count(made), c.nodes);
        EXPECT_EQ(gfab_topology_link_count(made), c.links);
        EXPECT_EQ(gfab_topology_marks(made), c.left);
        for (size_t l = 0; l < c.links; l++)
            for (size_t end = 0; end < 2; end++)
                EXPECT_EQ(node[gfab_topology_link(made, l).node[end]],
                          gfab_topology_link(whole.get(), link[l]).node[end]);
        free(node);
        free(link);
    }
}

} // namespace
