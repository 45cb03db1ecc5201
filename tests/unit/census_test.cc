// SPDX-License-Identifier: MIT
// Why each solver is there: a row for every one, with an instance on which it is the best that we have, or the paper
// whose algorithm it is. A solver without a row, or whose reason no longer holds, fails here.
#include "extent.h"
#include "fixture.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace
{

const gfab_model half = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model full = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model half_one = {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model half_one_packets = {GFAB_LINK_HALF, GFAB_PORT_ONE, 2, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model circuits = {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_CIRCUIT};
const gfab_model full_one = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model full_packets = {GFAB_LINK_FULL, GFAB_PORT_ALL, 4096, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model telephone = {GFAB_LINK_FULL, GFAB_PORT_ONE, 4096, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model messages = {GFAB_LINK_FULL, GFAB_PORT_ALL, 4096, 1, GFAB_ROUTING_CIRCUIT};

// What is asked of the solver.
struct Instance {
    const char *topology;
    gfab_model model;
    const char *parameters = nullptr;
    uint32_t startup = 0; // 0: rounds count; else the linear cost
    uint32_t rounds = 0;
    uint32_t effort = 0;
    bool broadcast = false; // from node 0
    gfab_goal goal = {};    // of no blocks: gossip
};

enum class Why {
    FewestRounds,  // fewer than any other; solvers on request, which take minutes, are asked with the least effort
    LowestCost,    // the same for the linear cost
    LowestPromise, // the least rounds that any closed formula promises, known without a schedule
    Alone,         // no other solver makes such a schedule
    Property,      // its schedules have what those of the solver named do not have
    Paper,         // the algorithm of this paper
    Library,       // what message-passing libraries do, which docs/theory/startup-cost.md compares with
    Chooses        // auto: never worse than the solver of a row for a paper or a library
};

struct Row {
    const char *solver;
    Instance instance;
    Why why;
    const char *what = ""; // Paper: words of its source; Property: the solver that lacks it
    bool slow = false;     // seconds: asked in the large form alone
};

const Row census[] = {
    {"auto", {"mesh:4x4", half}, Why::Chooses},
    {"torus-tree", {"torus:45x47", half}, Why::LowestPromise},
    {"torus-bank", {"torus:8x8", half}, Why::Property, "torus-tree"},
    {"comb", {"mesh:31x31", half}, Why::LowestPromise},
    {"lau-zhang", {"path:101", half}, Why::LowestPromise},
    {"lau-zhang", {"mesh:9x9", half}, Why::Paper, "Lau & Zhang"},
    {"fujita-yamashita", {"mesh:9x9", half}, Why::Paper, "Fujita & Yamashita"},
    {"record", {"debruijn:8", telephone}, Why::LowestPromise},
    {"sat", {"debruijn:5", telephone, nullptr, 0, 6}, Why::Property, "anneal"},
    {"anneal", {"ccc:7", telephone, "steps=100000", 0, 18, 20}, Why::FewestRounds},
    {"symmetric", {"mesh:6x6", half}, Why::Property, "comb"},
    {"search", {"mesh:2x9", half}, Why::FewestRounds},
    {"colouring", {"star:5", telephone}, Why::FewestRounds},
    {"exhaustive", {"mesh:3x3", telephone, nullptr, 50}, Why::LowestCost},
    {"greedy", {"random:n=40,m=90,seed=5", half_one_packets}, Why::FewestRounds},
    {"mesh-telephone", {"torus:13x13", telephone}, Why::FewestRounds, "", true},
    {"mesh-telephone", {"mesh:7x9", telephone}, Why::Paper, "Beier & Sibeyn, section 3"},
    {"approach1", {"cycle:20", full_packets}, Why::Paper, "Sibeyn, Juurlink & Rao, section 4.1"},
    {"approach2", {"cycle:27", messages}, Why::Paper, "Sibeyn, Juurlink & Rao, section 4.1"},
    {"circgo", {"cycle:27", messages, nullptr, 4}, Why::LowestCost},
    {"circgo", {"path:20", messages, nullptr, 50}, Why::Paper, "Sibeyn, Juurlink & Rao, section 4.2"},
    {"highdimgo", {"torus:8x8", messages, nullptr, 8}, Why::Paper, "Sibeyn, Juurlink & Rao, sections 4.3"},
    {"torgo", {"mesh:8x8", messages, nullptr, 100}, Why::Paper, "Sibeyn, Juurlink & Rao, sections 5.2"},
    {"cubgo", {"mesh:4x4x4", messages, nullptr, 30}, Why::LowestCost},
    {"cubgo", {"torus:4x4x4", messages, nullptr, 30}, Why::Paper, "Sibeyn, Juurlink & Rao, sections 6"},
    {"ring", {"cycle:16", messages, nullptr, 3}, Why::Library},
    {"recursive-doubling", {"cycle:16", messages, nullptr, 3}, Why::Library},
    {"bruck", {"cycle:15", messages, nullptr, 3}, Why::Library},
    {"neighbour-exchange", {"cycle:16", messages, nullptr, 3}, Why::Library},
    {"matching", {"random:n=40,m=90,seed=5", telephone}, Why::FewestRounds},
    {"matching", {"debruijn:5", telephone, nullptr, 1}, Why::Paper, "Beier & Sibeyn"},
    {"broadcast", {"butterfly:4", half_one, nullptr, 0, 0, 0, true}, Why::Alone},
    {"calls", {"complete:16", full_one, nullptr, 0, 0, 0, false, {GFAB_BROADCAST, 1, 0, false}}, Why::FewestRounds},
    {"one-tree", {"mesh:5x5", full_one, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 450, 0, false}}, Why::FewestRounds},
    {"calls-beam",
     {"random:n=10,m=24,seed=1", full_one, nullptr, 0, 0, 0, false, {GFAB_BROADCAST, 80, 0, false}},
     Why::FewestRounds},
    {"waves", {"mesh:5x6", half_one, nullptr, 0, 0, 0, false, {GFAB_ALL_GATHER, 480, 0, false}}, Why::FewestRounds},
    {"turns",
     {"machine:dgx1", full_one, nullptr, 0, 0, 0, false, {GFAB_REDUCE_SCATTER, 800, 0, false}},
     Why::FewestRounds},
    {"exchanges",
     {"hypercube:4", full_one, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 1, 0, false}},
     Why::FewestRounds},
    {"reversed", {"mesh:4x4", circuits, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 16, 0, false}}, Why::FewestRounds},
    {"repeated", {"mesh:4x4", circuits, nullptr, 0, 0, 0, false, {GFAB_ALL_GATHER, 32, 0, false}}, Why::FewestRounds},
    {"flood", {"torus:5x5", full, nullptr, 0, 0, 0, false, {GFAB_BARRIER, 1, 0, true}}, Why::FewestRounds},
    {"routes", {"torus:4x4", full, nullptr, 0, 0, 0, false, {GFAB_ALL_TO_ALL, 256, 0, false}}, Why::FewestRounds},
    {"axes", {"torus:6x6", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 1, 0, false}}, Why::FewestRounds},
    {"arborescences", {"torus:6x6", full, nullptr, 0, 0, 0, false, {GFAB_BROADCAST, 128, 0, false}}, Why::FewestRounds},
    {"trees-repeat",
     {"mesh:4x4", half, nullptr, 0, 0, 0, false, {GFAB_REDUCE, 256, 0, false}},
     Why::FewestRounds,
     "",
     true},
    {"rings",
     {"torus:4x4", half, nullptr, 0, 0, 0, false, {GFAB_ALL_GATHER, 64, 0, false}},
     Why::Property,
     "trees-repeat"},
    {"out-trees", {"machine:dgx1", full, nullptr, 0, 0, 0, false, {GFAB_ALL_GATHER, 48, 0, false}}, Why::FewestRounds},
    {"host-tree", {"mesh:4x4+hosts", full, nullptr, 0, 0, 0, false, {GFAB_REDUCE, 64, 0, false}}, Why::FewestRounds},
    {"in-network",
     {"graph:5:0-4,1-4,2-4,3-4+relay=4:switch:copy-combine",
      full,
      nullptr,
      0,
      0,
      0,
      false,
      {GFAB_ALL_REDUCE, 4, 0, false}},
     Why::FewestRounds},
    {"joined",
     {"torus:5x7", half, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 437, 0, false}},
     Why::FewestRounds,
     "",
     true},
    {"in-out-trees",
     {"machine:a100x2", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 4096, 0, false}},
     Why::FewestRounds,
     "",
     true},
    {"packing",
     {"mesh:4x4", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 512, 0, false}},
     Why::FewestRounds,
     "",
     true},
    {"trees", {"mesh:5x5", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 25, 0, false}}, Why::FewestRounds},
    {"library",
     {"torus:4x4", messages, "algorithm=swing", 0, 0, 0, false, {GFAB_ALL_REDUCE, 16, 0, false}},
     Why::Library},
    {"bracket",
     {"mesh:4x4", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 16, 0, false}},
     Why::Paper,
     "docs/theory/bracket.md"},
    {"steiner", {"fat-tree:4", full, nullptr, 0, 0, 0, false, {GFAB_ALL_TO_ALL, 256, 0, false}}, Why::Alone},
    {"part", {"torus:3x3+relay=4", full, nullptr, 0, 0, 0, false, {GFAB_BARRIER, 1, 0, true}}, Why::FewestRounds},
    {"past-switches",
     {"machine:h100x2", full, nullptr, 0, 0, 0, false, {GFAB_ALL_REDUCE, 256, 0, false}},
     Why::FewestRounds},
};

// A row's topology and options; what they point to lives as long.
class Asked
{
  public:
    explicit Asked(const Instance &instance) : instance(instance), topology(parse(instance.topology))
    {
        load.resize(gfab_topology_node_count(topology.get()));
        load[0] = 1;
    }

    gfab_solver_options options(bool own) const
    {
        gfab_solver_options made = gfab_solver_options_default();
        made.parameters = own ? instance.parameters : nullptr;
        made.effort = own ? instance.effort : 0;
        made.rounds = instance.rounds;
        made.linear = instance.startup > 0;
        made.startup = {instance.startup, 1};
        made.load = instance.broadcast ? load.data() : nullptr;
        made.goal = instance.goal.blocks ? &instance.goal : nullptr;
        return made;
    }

    // NULL where the solver makes none; otherwise it is verified.
    Schedule solve(const gfab_solver *solver, const gfab_solver_options &how, std::string *says = nullptr) const
    {
        gfab_schedule *made = nullptr;
        gfab_diag diag{};
        gfab_status status = gfab_solver_applies(solver, topology.get(), &instance.model, &diag);
        if (status == GFAB_OK)
            status = gfab_solver_check_options(solver, &how, &diag);
        if (status == GFAB_OK)
            status = solver->solve(topology.get(), &instance.model, &how, &made, &diag);
        if (says)
            *says = diag.message;
        gfab_verify_report report{};
        EXPECT_TRUE(!made || gfab_verify(topology.get(), &instance.model, made, nullptr, &report) == GFAB_OK)
            << report.message;
        return Schedule(made);
    }

    // Of a schedule: rounds that start messages, or the whole cost where that counts.
    bool is_less(const Schedule &a, const Schedule &b) const
    {
        const gfab_cost of_a = cost(a), of_b = cost(b);
        if (instance.startup == 0)
            return gfab_schedule_rounds(a.get()) < gfab_schedule_rounds(b.get());
        return gfab_cost_compare(&of_a, &of_b, {instance.startup, 1}) < 0;
    }

    gfab_cost cost(const Schedule &schedule) const
    {
        gfab_verify_report report{};
        EXPECT_EQ(gfab_verify(topology.get(), &instance.model, schedule.get(), nullptr, &report), GFAB_OK)
            << report.message;
        return {report.startups, report.transfers, report.parts};
    }

    const Instance instance;
    const Topology topology;

  private:
    std::vector<uint32_t> load;
};

const gfab_solver *find(const char *name)
{
    const gfab_solver *solver = gfab_solver_find(name);
    EXPECT_NE(solver, nullptr) << name;
    return solver;
}

// All solvers but auto, which takes one of the others, and this one.
std::vector<const gfab_solver *> others(const gfab_solver *solver)
{
    std::vector<const gfab_solver *> list;
    for (size_t i = 1; const gfab_solver *other = gfab_solver_at(i); i++)
        if (other != solver)
            list.push_back(other);
    return list;
}

// Records are what the solvers on request once found, kept: they are no rivals of these.
void expect_best(const Asked &asked, const gfab_solver *solver)
{
    const Schedule own = asked.solve(solver, asked.options(true));
    ASSERT_NE(own, nullptr);
    for (const gfab_solver *other : others(solver)) {
        gfab_solver_options how = asked.options(false);
        if (solver->on_request || other->on_request)
            how.effort = 1;
        if ((solver->on_request && std::string(other->name) == "record") || (!solver->on_request && other->on_request))
            continue;
        const Schedule made = asked.solve(other, how);
        EXPECT_TRUE(!made || asked.is_less(own, made)) << solver->name << " is no better than " << other->name;
    }
}

void expect_lowest_promise(const Asked &asked, const gfab_solver *solver)
{
    uint64_t own = 0, rounds = 0;
    ASSERT_TRUE(solver->formula && solver->formula(asked.topology.get(), &asked.instance.model, &own) == GFAB_OK);
    for (const gfab_solver *other : others(solver)) {
        const bool told =
            other->formula && other->formula(asked.topology.get(), &asked.instance.model, &rounds) == GFAB_OK;
        EXPECT_TRUE(!told || own < rounds) << solver->name << " promises no less than " << other->name;
    }
}

void expect_alone(const Asked &asked, const gfab_solver *solver)
{
    EXPECT_NE(asked.solve(solver, asked.options(true)), nullptr);
    for (const gfab_solver *other : others(solver))
        EXPECT_EQ(asked.solve(other, asked.options(false)), nullptr) << other->name;
}

// Half duplex: of two tokens that leave a node in a round neither came along the same axis as the other; a node's own
// token came along none. Such a node needs a bank for each axis and no more (gossipfab/fabric/crossbar.h).
bool leaves_by_banks(const Asked &asked, const Schedule &schedule)
{
    const uint32_t columns = gfab_topology_side(asked.topology.get(), 1);
    std::map<std::pair<uint32_t, uint32_t>, bool> came; // (node, token): along the rows?
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
        std::map<std::pair<uint32_t, bool>, uint32_t> bank; // (node, along the rows): the token that leaves it
        gfab_packet_iter at = gfab_schedule_round(schedule.get(), round);
        std::vector<gfab_packet> packets;
        for (gfab_packet packet; gfab_packet_next(&at, &packet);) {
            packets.push_back(packet);
            const uint32_t from = gfab_topology_arc_from(asked.topology.get(), packet.arcs[0]);
            const uint32_t token = packet.tokens[0];
            if (token != from && !bank.insert({{from, came.at({from, token})}, token}).second &&
                bank.at({from, came.at({from, token})}) != token)
                return false;
        }
        for (const gfab_packet &packet : packets) {
            const uint32_t from = gfab_topology_arc_from(asked.topology.get(), packet.arcs[0]);
            const uint32_t to = gfab_topology_arc_to(asked.topology.get(), packet.arcs[0]);
            came[{to, packet.tokens[0]}] = from / columns == to / columns;
        }
    }
    return true;
}

// No link ever turns round.
bool goes_one_way(const Asked &, const Schedule &schedule)
{
    std::set<gfab_arc> used;
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(schedule.get()); round++) {
        gfab_packet_iter at = gfab_schedule_kept_round(schedule.get(), round);
        for (gfab_packet packet; gfab_packet_next(&at, &packet);)
            used.insert(packet.arcs[0]);
    }
    return std::none_of(used.begin(), used.end(), [&](gfab_arc arc) { return used.count(arc ^ 1) > 0; });
}

// A square mesh's schedule that a quarter turn leaves as it is: four nodes share a program.
bool is_turned(const Asked &asked, const Schedule &schedule)
{
    const uint32_t n = gfab_topology_side(asked.topology.get(), 0);
    const auto turned = [n](uint32_t node) { return node % n * n + (n - 1 - node / n); };
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
        std::set<std::vector<uint32_t>> moves, images;
        gfab_packet_iter at = gfab_schedule_round(schedule.get(), round);
        for (gfab_packet packet; gfab_packet_next(&at, &packet);) {
            const uint32_t from = gfab_topology_arc_from(asked.topology.get(), packet.arcs[0]);
            const uint32_t to = gfab_topology_arc_to(asked.topology.get(), packet.arcs[0]);
            moves.insert({from, to, packet.tokens[0]});
            images.insert({turned(from), turned(to), turned(packet.tokens[0])});
        }
        if (moves != images)
            return false;
    }
    return true;
}

void expect_property(const Asked &asked, const gfab_solver *solver, const gfab_solver *without)
{
    const std::string name = solver->name;
    std::string says, also;
    const Schedule own = asked.solve(solver, asked.options(true), &says);
    const Schedule other = asked.solve(without, asked.options(false), &also);
    if (name == "sat") { // it can tell that there is none
        EXPECT_EQ(own, nullptr);
        EXPECT_NE(says.find("shown by SAT"), std::string::npos) << says;
        EXPECT_EQ(also.find("shown"), std::string::npos) << also;
        return;
    }
    const auto &has = name == "torus-bank" ? leaves_by_banks : name == "rings" ? goes_one_way : is_turned;
    ASSERT_TRUE(own && other);
    EXPECT_EQ(gfab_schedule_rounds(own.get()), gfab_schedule_rounds(other.get()));
    EXPECT_TRUE(has(asked, own)) << solver->name;
    EXPECT_FALSE(has(asked, other)) << without->name;
}

// auto makes nothing worse than a solver that it may run.
void expect_auto_no_worse(const Asked &asked, const gfab_solver *solver, const Schedule &made)
{
    if (solver->on_request || asked.instance.parameters || gfab_schedule_rounds(made.get()) == 0)
        return;
    const Schedule chosen = asked.solve(find("auto"), asked.options(false));
    ASSERT_NE(chosen, nullptr);
    EXPECT_FALSE(asked.is_less(made, chosen)) << solver->name << " is better than auto";
}

void expect_from(const Asked &asked, const gfab_solver *solver, const char *what)
{
    EXPECT_NE(std::string(solver->source).find(what), std::string::npos) << solver->source;
    const gfab_solver_options how = asked.options(true);
    const Schedule made = asked.solve(solver, how);
    ASSERT_NE(made, nullptr);
    uint64_t promised = 0;
    gfab_cost told{};
    const bool promises =
        solver->formula && solver->formula(asked.topology.get(), &asked.instance.model, &promised) == GFAB_OK;
    EXPECT_TRUE(!promises || gfab_schedule_rounds(made.get()) == promised) << promised;
    if (solver->cost && solver->cost(asked.topology.get(), &asked.instance.model, &how, &told, nullptr) == GFAB_OK) {
        const gfab_cost cost = asked.cost(made);
        EXPECT_EQ(gfab_cost_compare(&cost, &told, how.startup), 0);
    }
    expect_auto_no_worse(asked, solver, made);
}

class Census : public testing::TestWithParam<Row>
{
};

std::string name_of(const testing::TestParamInfo<Row> &info)
{
    std::string name = info.param.solver;
    for (char &letter : name)
        letter = letter == '-' ? '_' : letter;
    return name + "_" + std::to_string(info.index);
}

std::vector<Row> rows_to_ask()
{
    std::vector<Row> rows;
    for (const Row &row : census)
        if (!row.slow || extent(0, 1) > 0)
            rows.push_back(row);
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Row, Census, testing::ValuesIn(rows_to_ask()), name_of);

TEST_P(Census, TheReasonHolds)
{
    const Row &row = GetParam();
    const gfab_solver *solver = find(row.solver);
    const Asked asked(row.instance);
    ASSERT_NE(solver, nullptr);
    switch (row.why) {
    case Why::FewestRounds:
    case Why::LowestCost:
        return expect_best(asked, solver);
    case Why::LowestPromise:
        return expect_lowest_promise(asked, solver);
    case Why::Alone:
        return expect_alone(asked, solver);
    case Why::Property:
        return expect_property(asked, solver, find(row.what));
    case Why::Paper:
    case Why::Library:
    case Why::Chooses:
        return expect_from(asked, solver, row.what);
    }
}

TEST(CensusTable, HasEverySolver)
{
    std::set<std::string> rows, solvers;
    for (const Row &row : census)
        rows.insert(row.solver);
    for (size_t i = 0; const gfab_solver *solver = gfab_solver_at(i); i++)
        solvers.insert(solver->name);
    EXPECT_EQ(rows, solvers);
}

// A reason that does not hold is seen.
TEST(CensusTable, WrongReasonsAreSeen)
{
    const Asked mesh({"mesh:4x4", half});
    EXPECT_FALSE(is_turned(mesh, mesh.solve(find("comb"), mesh.options(false))));
    const Asked torus({"torus:8x8", half});
    EXPECT_FALSE(leaves_by_banks(torus, torus.solve(find("torus-tree"), torus.options(false))));
    const Schedule comb = mesh.solve(find("comb"), mesh.options(false)),
                   slower = mesh.solve(find("lau-zhang"), mesh.options(false));
    EXPECT_TRUE(mesh.is_less(comb, slower));
    EXPECT_FALSE(mesh.is_less(slower, comb));
}

} // namespace
