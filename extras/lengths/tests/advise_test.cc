// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/solvers/advise.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace
{

using Adviser = Owner<gfab_adviser, gfab_adviser_destroy>;

const uint32_t any = 1 << 20;
const gfab_model h_star = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_star = {GFAB_LINK_FULL, GFAB_PORT_ALL, any, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model worm = {GFAB_LINK_FULL, GFAB_PORT_ALL, any, 1, GFAB_ROUTING_CIRCUIT};

// ---- solvers that do as they are told ----

struct Told {
    gfab_cost cost;      // what the formula says
    gfab_status formula; // UNSUPPORTED: none
    gfab_status solve;   // other than OK: what solve gives
    bool incomplete;     // solve leaves the last packet out
    int solved;          // times
};
Told told[2];

gfab_status applies(const gfab_topology *, const gfab_model *, gfab_diag *)
{
    return GFAB_OK;
}

gfab_status not_circuit(const gfab_topology *, const gfab_model *model, gfab_diag *)
{
    return model->routing == GFAB_ROUTING_CIRCUIT ? GFAB_ERR_UNSUPPORTED : GFAB_OK;
}

gfab_status only_circuit(const gfab_topology *, const gfab_model *model, gfab_diag *)
{
    return model->routing == GFAB_ROUTING_CIRCUIT ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}

template <int which>
gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                  gfab_schedule **schedule, gfab_diag *diag)
{
    told[which].solved++;
    if (told[which].solve != GFAB_OK)
        return gfab_fail(diag, 0, told[which].solve, "told so");
    if (!told[which].incomplete)
        return gfab_solver_find("greedy")->solve(topology, model, options, schedule, diag);
    EXPECT_EQ(gfab_schedule_create(topology, model, schedule), GFAB_OK);
    return gfab_schedule_append(*schedule, 1, 0, gfab_topology_arc_from(topology, 0));
}

template <int which>
gfab_status cost(const gfab_topology *, const gfab_model *, const gfab_solver_options *, gfab_cost *result, gfab_diag *)
{
    if (told[which].formula == GFAB_OK)
        *result = told[which].cost;
    return told[which].formula;
}

gfab_solver solver(const char *name, bool formula)
{
    gfab_solver s{};
    const bool second = std::strcmp(name, "second") == 0;
    s.name = name;
    s.summary = "of the test";
    s.source = "the test";
    s.applies = applies;
    s.solve = second ? solve<1> : solve<0>;
    if (formula)
        s.cost = second ? cost<1> : cost<0>;
    return s;
}

gfab_machine_options widths(uint32_t token_bits, uint32_t link_bits, uint32_t latency_cycles, uint64_t gap_cycles)
{
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = token_bits;
    options.link_bits = link_bits;
    options.latency_cycles = latency_cycles;
    options.gap_cycles = gap_cycles;
    return options;
}

class Advise : public testing::Test
{
  protected:
    void SetUp() override
    {
        for (Told &t : told)
            t = {{1, 1, 1}, GFAB_OK, GFAB_OK, false, 0};
    }

    gfab_solver first_ = solver("first", true);
    gfab_solver second_ = solver("second", true);
    const gfab_solver *both_[2] = {&first_, &second_};
    std::vector<gfab_model> models_ = {f_star};
    gfab_machine_options machine_ = gfab_machine_options_default();
    gfab_adviser_options options_{};
    gfab_diag diag_{};

    // With 0 solvers: the library's but those that take their time.
    std::vector<const gfab_solver *> library_;
    Adviser adviser(const Topology &topology, size_t solvers = 2, bool fabric = false, size_t run_nodes = 100)
    {
        gfab_adviser *made = nullptr;
        library_.clear();
        for (size_t i = 0; const gfab_solver *s = gfab_solver_at(i); i++)
            if (!s->on_request && !s->broadcasts && !s->collectives && std::string(s->name) != "search")
                library_.push_back(s);
        options_.solvers = solvers > 0 ? both_ : library_.data();
        options_.solver_count = solvers > 0 ? solvers : library_.size();
        options_.models = models_.data();
        options_.model_count = models_.size();
        options_.solver = gfab_solver_options_default();
        options_.solver.effort = 1;
        options_.run_nodes = run_nodes;
        options_.machine = fabric ? &machine_ : nullptr;
        EXPECT_EQ(gfab_adviser_create(topology.get(), &options_, &made, &diag_), GFAB_OK) << diag_.message;
        return Adviser(made);
    }

    std::vector<gfab_advice> rank(const Adviser &adviser, gfab_ratio startup, gfab_status expected = GFAB_OK)
    {
        const gfab_advice *list = nullptr;
        size_t count = 0;
        EXPECT_EQ(gfab_adviser_rank(adviser.get(), startup, &list, &count, &diag_), expected) << diag_.message;
        return std::vector<gfab_advice>(list, list + count);
    }
};

TEST_F(Advise, TheCheaperIsFirstAndTheEarlierOfEquals)
{
    const Topology t = parse("cycle:8");
    told[0].cost = {2, 100, 1};
    told[1].cost = {10, 40, 2}; // 20 transfers of a token
    const Adviser a = adviser(t);
    const struct {
        gfab_ratio startup;
        const char *first, *total;
    } cases[] = {{{0, 1}, "second", "20/1"},
                 {{19, 2}, "second", "115/1"},
                 {{10, 1}, "first", "120/1"},
                 {{21, 2}, "first", "121/1"}};
    for (const auto &c : cases) {
        const std::vector<gfab_advice> list = rank(a, c.startup);
        ASSERT_EQ(list.size(), 2u);
        EXPECT_STREQ(list[0].solver->name, c.first);
        EXPECT_EQ(std::to_string(list[0].total.numerator) + "/" + std::to_string(list[0].total.denominator), c.total);
        EXPECT_EQ(list[0].source, GFAB_ADVICE_FORMULA);
        EXPECT_EQ(list[0].cycles, 0u);
    }
    EXPECT_EQ(told[0].solved + told[1].solved, 0); // a formula is enough
}

TEST_F(Advise, WithoutAFormulaItIsRunOnceUnlessItMindsTheStartup)
{
    const Topology t = parse("cycle:8");
    told[0].formula = told[1].formula = GFAB_ERR_UNSUPPORTED;
    second_.minds_startup = true;
    const Adviser a = adviser(t);
    for (uint32_t r = 1; r <= 3; r++) {
        const std::vector<gfab_advice> list = rank(a, {r, 1});
        ASSERT_EQ(list.size(), 2u);
        for (const gfab_advice &advice : list) {
            EXPECT_EQ(advice.source, GFAB_ADVICE_VERIFIED);
            EXPECT_EQ(advice.cost.startups, 4u); // greedy on cycle:8: the diameter
        }
    }
    EXPECT_EQ(told[0].solved, 1);
    EXPECT_EQ(told[1].solved, 3);
}

TEST_F(Advise, WhatIsNotKnownComesLastWithTheReason)
{
    const Topology t = parse("cycle:8");
    told[0].formula = GFAB_ERR_UNSUPPORTED;
    told[0].solve = GFAB_ERR_UNSUPPORTED;
    told[1].cost = {1000000, 1000000, 1};
    std::vector<gfab_advice> list = rank(adviser(t), {1, 1});
    ASSERT_EQ(list.size(), 2u);
    EXPECT_STREQ(list[0].solver->name, "second");
    EXPECT_EQ(list[1].source, GFAB_ADVICE_NONE);
    EXPECT_STREQ(list[1].reason, "told so");
    told[0].solve = GFAB_OK;
    list = rank(adviser(t, 2, false, 7), {1, 1});
    EXPECT_EQ(list[1].source, GFAB_ADVICE_NONE);
    EXPECT_NE(std::strstr(list[1].reason, "not run on more than 7 nodes"), nullptr) << list[1].reason;
}

TEST_F(Advise, AFaultyScheduleIsNoAdvice)
{
    const Topology t = parse("cycle:8");
    told[0].formula = GFAB_ERR_UNSUPPORTED;
    told[0].incomplete = true;
    rank(adviser(t), {1, 1}, GFAB_ERR_FAULT);
    EXPECT_NE(std::strstr(diag_.message, "first: "), nullptr) << diag_.message;
}

TEST_F(Advise, AnInterruptedSolverEndsTheCall)
{
    const Topology t = parse("cycle:8");
    told[0].formula = GFAB_ERR_UNSUPPORTED;
    told[0].solve = GFAB_ERR_INTERRUPTED;
    rank(adviser(t), {1, 1}, GFAB_ERR_INTERRUPTED);
}

TEST_F(Advise, AFormulaThatIsNotTheSchedulesIsFound)
{
    const Topology t = parse("cycle:8");
    models_ = {worm};
    const Schedule s = gossip_on(t, worm);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(t.get(), &worm, s.get(), nullptr, &report), GFAB_OK);
    const gfab_cost right = {report.startups, report.transfers, report.parts};
    told[0].cost = told[1].cost = right;
    const std::vector<gfab_advice> list = rank(adviser(t, 2, true), {1, 1});
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].path_links, report.path_links);
    told[1].cost.transfers++;
    rank(adviser(t, 2, true), {1, 1}, GFAB_ERR_FAULT);
    EXPECT_NE(std::strstr(diag_.message, "second"), nullptr) << diag_.message;
}

TEST_F(Advise, AModelThatAddsNothingIsLeftOut)
{
    const Topology t = parse("cycle:8");
    gfab_model one = f_star;
    one.packet_tokens = 1;
    models_ = {one, f_star, worm};
    first_.applies = only_circuit; // with a formula, and without one
    second_.applies = not_circuit;
    told[0].cost = {3, 9, 1};
    std::vector<gfab_advice> list = rank(adviser(t), {1, 1});
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].model.packet_tokens, 1u); // second: the same under both
    EXPECT_EQ(list[1].model.routing, GFAB_ROUTING_CIRCUIT);
    first_.applies = applies;
    first_.cost = nullptr;
    list = rank(adviser(t, 1), {1, 1});
    ASSERT_GE(list.size(), 1u);
    for (const gfab_advice &advice : list)
        EXPECT_EQ(advice.model.routing, GFAB_ROUTING_STORE_AND_FORWARD);
    first_.applies = only_circuit;
    list = rank(adviser(t, 1), {1, 1});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].model.routing, GFAB_ROUTING_CIRCUIT);
}

TEST_F(Advise, WhatTheFabricCannotPlayComesBehind)
{
    const Topology t = parse("cycle:8");
    models_ = {h_star};
    told[0].cost = {4, 12, 3};
    told[1].cost = {5, 30, 1};
    machine_.gap_cycles = 7;
    const std::vector<gfab_advice> list = rank(adviser(t, 2, true), {0, 1});
    ASSERT_EQ(list.size(), 2u);
    EXPECT_STREQ(list[0].solver->name, "second");    // dearer, but the fabric can play it
    EXPECT_EQ(list[0].cycles, 30u * 16 + 5 * 7 + 4); // F = 16, c = 4
    EXPECT_EQ(list[1].cycles, 0u);
    EXPECT_STREQ(list[1].reason, "token bits 32 cannot be cut in 3 equal parts");
}

// What a part takes in the fabric, padding and all, decides, and not what it takes of a token.
TEST_F(Advise, PartsAreRankedByTheirCycles)
{
    const Topology t = parse("cycle:8");
    models_ = {h_star};
    told[0].cost = {4, 56, 2}; // 28 tokens
    told[1].cost = {4, 29, 1};
    const struct {
        uint32_t token_bits;
        const char *first;
        uint64_t halves, whole;
    } cases[] = {{32, "first", 56 * 8 + 4, 29 * 16 + 4},  // F = 8 and 16, c = 4
                 {20, "second", 56 * 6 + 4, 29 * 10 + 4}, // 5 flits take 6 cycles
                 {16, "first", 56 * 4 + 2, 29 * 8 + 4},   // halves of two words: c = 2
                 {8, "second", 56 * 4 + 2, 29 * 4 + 2}};  // 2 flits take 4 cycles
    for (const auto &c : cases) {
        machine_ = widths(c.token_bits, 2, 0, 0);
        const std::vector<gfab_advice> list = rank(adviser(t, 2, true), {0, 1});
        ASSERT_EQ(list.size(), 2u);
        EXPECT_STREQ(list[0].solver->name, c.first) << c.token_bits;
        const bool halves_first = std::strcmp(c.first, "first") == 0;
        EXPECT_EQ(list[halves_first ? 0 : 1].cycles, c.halves) << c.token_bits;
        EXPECT_EQ(list[halves_first ? 1 : 0].cycles, c.whole) << c.token_bits;
    }
}

TEST_F(Advise, TheLibrarysSolversAreAskedButThoseThatOnlyChoose)
{
    const Topology t = parse("path:5");
    models_ = {h_star};
    gfab_adviser *made = nullptr;
    options_.models = models_.data();
    options_.model_count = 1;
    options_.solver.effort = 1;
    options_.run_nodes = 100;
    ASSERT_EQ(gfab_adviser_create(t.get(), &options_, &made, &diag_), GFAB_OK);
    const Adviser a(made);
    std::vector<std::string> names;
    for (const gfab_advice &advice : rank(a, {1, 1}))
        names.push_back(advice.solver->name);
    for (const char *name : {"lau-zhang", "search", "greedy"})
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    EXPECT_EQ(std::count(names.begin(), names.end(), "auto"), 0);
}

TEST_F(Advise, ABadPaceOrModelIsRefused)
{
    const Topology t = parse("cycle:8");
    gfab_adviser *made = nullptr;
    options_.models = models_.data();
    options_.model_count = 1;
    options_.machine = &machine_;
    machine_.link_bits = 3;
    EXPECT_EQ(gfab_adviser_create(t.get(), &options_, &made, &diag_), GFAB_ERR_INVALID);
    EXPECT_EQ(made, nullptr);
    machine_.link_bits = 2;
    models_[0].hop_rounds = 0;
    EXPECT_EQ(gfab_adviser_create(t.get(), &options_, &made, &diag_), GFAB_ERR_INVALID);
    EXPECT_EQ(made, nullptr);
}

// The library's own solvers, at random settings: what is said is what the checker finds in the schedule of these very
// options, and nothing is cheaper than what is ranked first.
TEST_F(Advise, NothingIsCheaperThanTheFirst)
{
    const char *const specs[] = {"cycle:5",    "cycle:9",     "cycle:16", "path:6",   "path:13",
                                 "torus:4x4",  "torus:3x5",   "mesh:3x4", "mesh:4x4", "torus:3x3x3",
                                 "mesh:2x3x4", "hypercube:3", "torus:6x6"};
    std::mt19937 random(20);
    for (int setting = 0; setting < 200; setting++) {
        const Topology t = parse(specs[random() % (sizeof specs / sizeof *specs)]);
        const gfab_ratio startup = {random() % 2000, 1 + random() % 20};
        gfab_ratio reduced;
        const gfab_cost unit = {1, 0, 1};
        ASSERT_EQ(gfab_cost_total(&unit, startup, &reduced), GFAB_OK);
        models_.clear();
        for (const gfab_link_mode link : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_routing routing : {GFAB_ROUTING_STORE_AND_FORWARD, GFAB_ROUTING_CIRCUIT})
                for (const uint32_t p : {1u, any})
                    if (random() % 3 > 0 && (p == any || link == GFAB_LINK_HALF))
                        models_.push_back({link, random() % 4 ? GFAB_PORT_ALL : GFAB_PORT_ONE, p, 1, routing});
        const Adviser a = adviser(t, 0);
        rank(a, {1, 7}); // what was asked before does not matter
        const std::vector<gfab_advice> list = rank(a, reduced);
        for (size_t i = 0; i < list.size() && list[i].source != GFAB_ADVICE_NONE; i++) {
            gfab_solver_options options = gfab_solver_options_default();
            options.startup = reduced;
            options.linear = true;
            options.effort = 1;
            gfab_schedule *made = nullptr;
            ASSERT_EQ(list[i].solver->solve(t.get(), &list[i].model, &options, &made, &diag_), GFAB_OK)
                << list[i].solver->name << ": " << diag_.message;
            const Schedule s(made);
            gfab_verify_report report;
            ASSERT_EQ(gfab_verify(t.get(), &list[i].model, made, nullptr, &report), GFAB_OK)
                << list[i].solver->name << " on " << gfab_topology_spec(t.get()) << ": " << report.message;
            const gfab_cost cost = {report.startups, report.transfers, report.parts};
            EXPECT_EQ(gfab_cost_compare(&cost, &list[i].cost, reduced), 0) << list[i].solver->name;
            EXPECT_GE(gfab_cost_compare(&cost, &list[0].cost, reduced), 0) << list[i].solver->name;
        }
    }
}

// The C model's cycles of a schedule; 0 where the fabric does not play it.
uint64_t measured(const Topology &topology, const Schedule &schedule, gfab_machine_options options)
{
    gfab_plan plan{};
    gfab_machine *made = nullptr;
    gfab_diag diag{};
    options.store = GFAB_STORE_NARROW;
    EXPECT_EQ(gfab_machine_plan_schedule(schedule.get(), &options, &plan, &diag), GFAB_OK) << diag.message;
    const gfab_status status = gfab_machine_compile(&plan, schedule.get(), &made, &diag);
    const Machine machine(made);
    EXPECT_EQ(plan.topology, topology.get());
    if (options.token_bits % (options.link_bits * gfab_schedule_parts(schedule.get())))
        EXPECT_EQ(status, GFAB_ERR_INVALID) << diag.message;
    else
        EXPECT_NE(status, GFAB_ERR_INVALID) << diag.message;
    if (status != GFAB_OK)
        return 0;
    gfab_cmodel *model = nullptr;
    EXPECT_EQ(gfab_cmodel_create(made, nullptr, &model), GFAB_OK);
    const Cmodel cmodel(model);
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(model, 10000000, nullptr, &cycles), GFAB_OK);
    return cycles;
}

// Cycles as the C model takes them, and nothing that it plays is faster than what is ranked first.
TEST_F(Advise, NoCModelIsFasterThanTheFirst)
{
    const char *const specs[] = {"cycle:5",   "cycle:8",  "path:7",     "torus:3x3",
                                 "torus:4x4", "mesh:3x4", "mesh:2x3x2", "hypercube:3"};
    const uint32_t bits[][2] = {{8, 1}, {8, 4}, {32, 2}, {12, 3}, {24, 1}, {60, 2}};
    std::mt19937 random(4);
    size_t played = 0, in_parts = 0, first_in_parts = 0;
    for (int setting = 0; setting < 200; setting++) {
        const Topology t = parse(specs[random() % (sizeof specs / sizeof *specs)]);
        const size_t width = random() % (sizeof bits / sizeof *bits);
        const uint32_t latency = random() % 3 ? 0 : static_cast<uint32_t>(random() % 4);
        machine_ = widths(bits[width][0], bits[width][1], latency, random() % 3 ? random() % 500 : 0);
        gfab_timing timing = timing_of(layout_of(t), machine_.token_bits, machine_.link_bits);
        const gfab_cost gap = {1, 0, 1};
        gfab_ratio startup;
        ASSERT_EQ(gfab_cost_total(&gap, {machine_.gap_cycles, timing.cycles_per_round}, &startup), GFAB_OK);
        models_.clear();
        for (const gfab_link_mode link : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_routing routing : {GFAB_ROUTING_STORE_AND_FORWARD, GFAB_ROUTING_CIRCUIT})
                for (const uint32_t p : {1u, any})
                    if (p == any || link == GFAB_LINK_HALF)
                        models_.push_back({link, random() % 4 ? GFAB_PORT_ALL : GFAB_PORT_ONE, p, 1, routing});
        const std::vector<gfab_advice> list = rank(adviser(t, 0, true), startup);
        ASSERT_FALSE(list.empty());
        ASSERT_NE(list[0].cycles, 0u);
        for (const gfab_advice &advice : list) {
            if (advice.source == GFAB_ADVICE_NONE)
                break;
            gfab_solver_options options = gfab_solver_options_default();
            options.startup = startup;
            options.linear = true;
            options.effort = 1;
            gfab_schedule *made = nullptr;
            ASSERT_EQ(advice.solver->solve(t.get(), &advice.model, &options, &made, &diag_), GFAB_OK) << diag_.message;
            const Schedule s(made);
            const uint64_t cycles = measured(t, s, machine_);
            EXPECT_EQ(cycles, advice.cycles)
                << advice.solver->name << " on " << gfab_topology_spec(t.get()) << " W " << machine_.token_bits << " L "
                << machine_.link_bits << " l " << machine_.latency_cycles << " G " << machine_.gap_cycles;
            if (cycles != 0) {
                EXPECT_GE(cycles, list[0].cycles);
                played++;
                in_parts += gfab_schedule_parts(made) > 1;
                first_in_parts += gfab_schedule_parts(made) > 1 && cycles == list[0].cycles;
            }
        }
    }
    EXPECT_GT(played, 1000u);
    EXPECT_GT(in_parts, 100u);
    EXPECT_GT(first_in_parts, 20u);
}

} // namespace
