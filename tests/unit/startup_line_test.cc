// SPDX-License-Identifier: MIT
// Gossip with startup costs on one line: approach1, approach2, circgo, the libraries' algorithms, and auto.
// Formulas: docs/theory/startup-cost.md.
#include "fixture.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace
{

constexpr uint32_t any_length = 1u << 24;

gfab_model circuit(gfab_port_mode ports = GFAB_PORT_ALL, uint32_t packet_tokens = any_length)
{
    return {GFAB_LINK_FULL, ports, packet_tokens, 1, GFAB_ROUTING_CIRCUIT};
}

gfab_solver_options startup(gfab_ratio r, const char *parameters = nullptr)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.startup = r;
    options.linear = true;
    options.parameters = parameters;
    return options;
}

std::string line(bool cycle, uint32_t n)
{
    return (cycle ? "cycle:" : "path:") + std::to_string(n);
}

bool same(const gfab_cost &a, const gfab_cost &b)
{
    return a.startups == b.startups && a.transfers == b.transfers && a.parts == b.parts;
}

// What the checker sums, or a cost of no parts where it finds a fault.
gfab_cost summed(const Topology &topology, const gfab_model &model, const gfab_schedule *schedule, std::string *fault)
{
    gfab_verify_report report{};
    const gfab_status status = gfab_verify(topology.get(), &model, schedule, nullptr, &report);
    *fault = report.message;
    if (status != GFAB_OK)
        return {0, 0, 0};
    return {report.startups, report.transfers, report.parts};
}

Schedule solve(const char *solver, const Topology &topology, const gfab_model &model,
               const gfab_solver_options &options)
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &schedule, &diag), GFAB_OK)
        << solver << " on " << gfab_topology_name(topology.get()) << ": " << diag.message;
    return Schedule(schedule);
}

gfab_cost predicted(const char *solver, const Topology &topology, const gfab_model &model,
                    const gfab_solver_options &options)
{
    gfab_cost cost{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_solver_find(solver)->cost(topology.get(), &model, &options, &cost, &diag), GFAB_OK)
        << solver << " on " << gfab_topology_name(topology.get()) << ": " << diag.message;
    return cost;
}

// The prediction, which the schedule must meet.
gfab_cost checked(const char *solver, const Topology &topology, const gfab_model &model,
                  const gfab_solver_options &options)
{
    const gfab_cost cost = predicted(solver, topology, model, options);
    const Schedule schedule = solve(solver, topology, model, options);
    if (!schedule)
        return cost;
    std::string fault;
    const gfab_cost sum = summed(topology, model, schedule.get(), &fault);
    EXPECT_TRUE(same(cost, sum)) << solver << " on " << gfab_topology_name(topology.get()) << ", r "
                                 << options.startup.numerator << "/" << options.startup.denominator << ", "
                                 << (options.parameters ? options.parameters : "") << ": predicted " << cost.startups
                                 << " r + " << cost.transfers << " / " << cost.parts << ", found " << sum.startups
                                 << " r + " << sum.transfers << " / " << sum.parts << " " << fault;
    return cost;
}

bool applies(const char *solver, const Topology &topology, const gfab_model &model)
{
    return gfab_solver_applies(gfab_solver_find(solver), topology.get(), &model, nullptr) == GFAB_OK;
}

double total(const gfab_cost &cost, gfab_ratio r)
{
    gfab_ratio sum{};
    EXPECT_EQ(gfab_cost_total(&cost, r, &sum), GFAB_OK);
    return static_cast<double>(sum.numerator) / static_cast<double>(sum.denominator);
}

uint32_t logarithm(uint32_t base, uint32_t n)
{
    uint32_t rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= base)
        rounds++;
    return rounds;
}

const std::vector<gfab_ratio> ratios = {{1, 10}, {1, 1}, {10, 1}, {100, 1}, {10000, 1}};
const char *const all_solvers[] = {"approach1", "approach2",         "circgo", "ring", "recursive-doubling",
                                   "bruck",     "neighbour-exchange"};

class EveryLine : public testing::TestWithParam<bool>
{
};

TEST_P(EveryLine, CostsWhatTheFormulaSays)
{
    for (uint32_t n = 2; n <= 100; n++) {
        const Topology topology = parse(line(GetParam() && n > 2, n));
        for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
            for (const char *solver : all_solvers) {
                if (!applies(solver, topology, circuit(ports)))
                    continue;
                std::vector<gfab_ratio> rs = ratios;
                if (std::string(solver) != "circgo")
                    rs.resize(1);
                for (const gfab_ratio r : rs)
                    checked(solver, topology, circuit(ports), startup(r));
            }
    }
}

// Every setting of CircGo that fits, not only the best one: the schedule is complete and costs what is said.
TEST_P(EveryLine, CostsWhatTheFormulaSaysForAllSettings)
{
    size_t fit = 0;
    for (const uint32_t n : {2u, 3u, 5u, 8u, 9u, 16u, 23u, 27u, 40u})
        for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE}) {
            const Topology topology = parse(line(GetParam() && n > 2, n));
            const gfab_model model = circuit(ports);
            for (uint32_t a = 2; a <= 7; a++)
                for (uint32_t b = 1; b <= 4; b++)
                    for (const char *more : {"", ",spare=0", ",parts=2", ",form=ends", ",form=centres,spare=0,parts=3"})
                        for (const char *form : {"a=%,b=%", "a1=%,k=%", "a2=%,k=%,a1=1", "a=%:3:2,b=%:1"}) {
                            std::string text = form;
                            text.replace(text.find('%'), 1, std::to_string(a));
                            text.replace(text.find('%'), 1, std::to_string(b));
                            text += more;
                            const gfab_solver_options options = startup({1, 1}, text.c_str());
                            gfab_cost cost{};
                            const gfab_status status =
                                gfab_solver_find("circgo")->cost(topology.get(), &model, &options, &cost, nullptr);
                            if (status == GFAB_OK) {
                                checked("circgo", topology, model, options);
                                fit++;
                            } else {
                                EXPECT_EQ(status, GFAB_ERR_INVALID) << text;
                            }
                        }
        }
    EXPECT_GT(fit, 1000u);
}

INSTANTIATE_TEST_SUITE_P(StartupLine, EveryLine, testing::Bool());

TEST(StartupLine, Approach1IsFloorHalfNRounds)
{
    for (uint32_t n = 3; n <= 30; n++) {
        const Topology cycle = parse(line(true, n)), path = parse(line(false, n));
        const gfab_model saf = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
        EXPECT_TRUE(same(checked("approach1", cycle, saf, startup({1, 1}, "parts=1")), {n / 2, n / 2, 1}));
        EXPECT_TRUE(same(checked("approach1", cycle, circuit(), startup({1, 1}, "parts=2")), {n / 2, n - 1, 2}));
        EXPECT_EQ(checked("approach1", cycle, circuit(), startup({1, 1})).parts, n % 2 ? 1u : 2u);
        EXPECT_TRUE(same(checked("approach1", path, saf, startup({1, 1})), {n - 1, n - 1, 1}));
        for (const Topology *topology : {&cycle, &path})
            EXPECT_TRUE(
                same(checked("approach1", *topology, circuit(GFAB_PORT_ONE), startup({1, 1})), {n - 1, n - 1, 1}));
    }
}

TEST(StartupLine, Approach2IsTwoLogarithmsOfRounds)
{
    for (uint32_t n = 2; n <= 100; n++)
        for (const bool cycle : {false, true}) {
            if (cycle && n < 3)
                continue;
            const Topology topology = parse(line(cycle, n));
            const uint32_t threes = logarithm(3, n), twos = logarithm(2, n);
            EXPECT_TRUE(same(predicted("approach2", topology, circuit(), startup({1, 1})),
                             {2 * threes, uint64_t{n} * threes, 1}));
            EXPECT_TRUE(same(predicted("approach2", topology, circuit(GFAB_PORT_ONE), startup({1, 1})),
                             {2 * twos, uint64_t{n} * twos, 1}));
        }
}

// algorithms.md and the paper's Table 1, which prints one less of each.
TEST(StartupLine, Approach2On729)
{
    const Topology topology = parse("cycle:729");
    const std::pair<uint64_t, double> figures[] = {{2, 4398}, {10, 4494}, {50, 4974}, {250, 7374}};
    for (const auto &[r, figure] : figures)
        EXPECT_EQ(total(checked("approach2", topology, circuit(), startup({r, 1})), {r, 1}), figure);
}

// The formula for powers, [log3(n / a) + f + L b] r + (n - 1) / 2 + L b n / k: whole numbers where k divides n.
TEST(StartupLine, CircGoOnPowers)
{
    struct {
        uint32_t n, a, b;
    } const cases[] = {{27, 3, 1},  {81, 3, 2},    {81, 9, 4},  {243, 3, 1},
                       {729, 9, 4}, {729, 27, 13}, {729, 3, 5}, {729, 9, 8}};
    for (const auto &c : cases) {
        const Topology topology = parse(line(true, c.n));
        const std::string text = "a=" + std::to_string(c.a) + ",b=" + std::to_string(c.b) + ",spare=0,parts=1";
        const uint32_t k = 2 * c.b + 2 - c.a, levels = logarithm(c.a, c.n / c.a), f = c.a / 2;
        ASSERT_EQ(c.n % k, 0u);
        const gfab_cost cost = checked("circgo", topology, circuit(), startup({1, 1}, text.c_str()));
        EXPECT_EQ(cost.startups, logarithm(3, c.n / c.a) + f + levels * c.b);
        EXPECT_EQ(cost.transfers, (c.n - 1) / 2 + uint64_t{levels} * c.b * (c.n / k));
    }
}

TEST(StartupLine, CircGo31IsOneStartupFewerThanApproach2)
{
    for (uint32_t n = 3, j = 1; n <= 729; n *= 3, j++) {
        const Topology topology = parse(line(true, n));
        const gfab_solver_options options = startup({1, 1}, "a=3,b=1,spare=0,parts=1");
        const gfab_cost cost = checked("circgo", topology, circuit(), options);
        EXPECT_EQ(cost.startups + 1, predicted("approach2", topology, circuit(), startup({1, 1})).startups);
        EXPECT_EQ(cost.transfers, j * n - (n + 1) / 2);
        // A new head spared its own token: one transfer less in each of the j - 1 levels.
        EXPECT_EQ(checked("circgo", topology, circuit(), startup({1, 1}, "a=3,b=1,parts=1")).transfers,
                  cost.transfers - (j - 1));
    }
}

// The paper's form: a1 heads, gaps split in two, one message.
TEST(StartupLine, ParagonForm)
{
    const Topology topology = parse("cycle:64");
    for (uint32_t a1 = 1, log_a1 = 0; a1 <= 64; a1 *= 2, log_a1++) {
        const std::string text = "a1=" + std::to_string(a1) + ",a2=2,k=1,spare=0,parts=1";
        const gfab_cost cost = checked("circgo", topology, circuit(GFAB_PORT_ONE), startup({1, 1}, text.c_str()));
        const uint32_t levels = 6 - log_a1, cell = 64 / a1;
        EXPECT_EQ(cost.startups, (6 - log_a1) + (a1 - 1) + levels);
        EXPECT_EQ(cost.transfers, (cell - 1) + (a1 - 1) * cell + levels * 64);
    }
}

class Gains : public testing::TestWithParam<std::pair<uint32_t, double>>
{
};

// Never worse than the better approach for any r, and as much better somewhere as algorithms.md says; whole tokens.
TEST_P(Gains, OverTheBetterApproach)
{
    const auto [n, least_gain] = GetParam();
    const Topology topology = parse(line(true, n));
    std::vector<gfab_ratio> rs;
    for (uint64_t r = 100; r <= 10000000; r += r / 20)
        rs.push_back({r, 1000});
    rs.insert(rs.end(), {{68, 7}, {28, 3}, {71, 8}, {1094, 111}, {4010, 352}}); // where the approaches cost the same
    double gain = 0;
    for (const gfab_ratio r : rs) {
        const gfab_solver_options options = startup(r, "parts=1");
        const gfab_cost circgo = predicted("circgo", topology, circuit(), options);
        const double better = std::min(total(predicted("approach1", topology, circuit(), options), r),
                                       total(predicted("approach2", topology, circuit(), options), r));
        gain = std::max(gain, better / total(circgo, r));
        for (const char *approach : {"approach1", "approach2"}) {
            const gfab_cost other = predicted(approach, topology, circuit(), options);
            ASSERT_LE(gfab_cost_compare(&circgo, &other, r), 0)
                << approach << ", r " << r.numerator << "/" << r.denominator;
        }
    }
    EXPECT_GE(gain, least_gain);
    checked("circgo", topology, circuit(), startup({10, 1}, "parts=1"));
}

INSTANTIATE_TEST_SUITE_P(StartupLine, Gains,
                         testing::Values(std::make_pair(27u, 1.42), std::make_pair(64u, 1.68),
                                         std::make_pair(81u, 1.71), std::make_pair(243u, 2.36),
                                         std::make_pair(729u, 3.12), std::make_pair(29u, 1.), std::make_pair(31u, 1.),
                                         std::make_pair(61u, 1.), std::make_pair(67u, 1.), std::make_pair(79u, 1.),
                                         std::make_pair(83u, 1.), std::make_pair(241u, 1.), std::make_pair(251u, 1.),
                                         std::make_pair(727u, 1.), std::make_pair(733u, 1.)));

TEST(StartupLine, LevelsThatDiffer)
{
    const Topology topology = parse("cycle:729");
    const gfab_ratio r = {500, 1};
    EXPECT_EQ(total(checked("circgo", topology, circuit(), startup(r, "spare=0,parts=1")), r), 9280);
    EXPECT_LE(total(checked("circgo", topology, circuit(), startup(r)), r), 9280);
    // One a and one b for all of it.
    double uniform = 1e9;
    for (const char *text : {"a=3,b=1,spare=0", "a=9,b=4,spare=0", "a=27,b=13,spare=0", "a=3,b=2,spare=0"})
        uniform = std::min(uniform, total(predicted("circgo", topology, circuit(), startup(r, text)), r));
    EXPECT_GE(uniform, 9500);
}

// On a path both forms are right somewhere: the free search takes the better one.
TEST(StartupLine, FormsOnAPath)
{
    const Topology topology = parse("path:81");
    bool ends_won = false, centres_won = false;
    for (const uint64_t r : {1, 3, 10, 30, 100, 1000}) {
        const gfab_cost free = checked("circgo", topology, circuit(), startup({r, 1}, "parts=1"));
        const gfab_cost ends = checked("circgo", topology, circuit(), startup({r, 1}, "parts=1,form=ends"));
        const gfab_cost centres = checked("circgo", topology, circuit(), startup({r, 1}, "parts=1,form=centres"));
        const int order = gfab_cost_compare(&ends, &centres, {r, 1});
        ends_won |= order < 0;
        centres_won |= order > 0;
        EXPECT_TRUE(same(free, order < 0 ? ends : centres)) << r;
    }
    EXPECT_TRUE(ends_won);
    EXPECT_TRUE(centres_won);
}

// The search finds what trying all settings finds.
TEST(StartupLine, SearchIsExhaustive)
{
    for (const uint32_t n : {9u, 13u, 16u})
        for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
            for (const gfab_ratio r : {gfab_ratio{1, 2}, gfab_ratio{4, 1}, gfab_ratio{30, 1}})
                for (const bool cycle : {false, true}) {
                    const Topology topology = parse(line(cycle, n));
                    const gfab_model model = circuit(ports);
                    const gfab_cost best = predicted("circgo", topology, model, startup(r, "parts=1"));
                    for (uint32_t a1 = 1; a1 <= n; a1++)
                        for (uint32_t a2 = 2; a2 <= n; a2++)
                            for (uint32_t k = 1; k <= n; k++)
                                for (const char *more : {"", ":2:3", ":3:2"})
                                    for (const char *form : {"centres", "ends"}) {
                                        const std::string text =
                                            "parts=1,a1=" + std::to_string(a1) + ",a2=" + std::to_string(a2) + more +
                                            ",k=" + std::to_string(k) + (*more ? ":1:2" : "") + ",form=" + form;
                                        const gfab_solver_options options = startup(r, text.c_str());
                                        gfab_cost cost{};
                                        if (gfab_solver_find("circgo")->cost(topology.get(), &model, &options, &cost,
                                                                             nullptr) == GFAB_OK) {
                                            ASSERT_LE(gfab_cost_compare(&best, &cost, r), 0) << text;
                                        }
                                    }
                }
}

TEST(StartupLine, PacketsAreNoLongerThanAllowed)
{
    for (const uint32_t n : {27u, 64u, 83u})
        for (const uint32_t most : {1u, 2u, 5u, 20u, 60u})
            for (const bool cycle : {false, true})
                for (const gfab_ratio r : ratios) {
                    const Topology topology = parse(line(cycle, n));
                    checked("circgo", topology, circuit(GFAB_PORT_ALL, most), startup(r));
                    EXPECT_FALSE(applies("approach2", topology, circuit(GFAB_PORT_ALL, n - 2)));
                }
}

TEST(StartupLine, WithoutAStartupRoundsCount)
{
    const Topology topology = parse("cycle:729");
    gfab_solver_options options = gfab_solver_options_default();
    const gfab_cost cost = checked("circgo", topology, circuit(), options);
    EXPECT_EQ(cost.startups, 11u);
    EXPECT_EQ(gfab_schedule_rounds(solve("auto", topology, circuit(), options).get()), 11u);
    options.rounds = 10;
    gfab_schedule *none = nullptr;
    const gfab_model model = circuit();
    EXPECT_EQ(gfab_solver_find("circgo")->solve(topology.get(), &model, &options, &none, nullptr),
              GFAB_ERR_UNSUPPORTED);
}

// The libraries' algorithms: what contention makes of their rounds.
TEST(StartupLine, LibrariesOnACycle)
{
    for (uint32_t n = 3; n <= 65; n++) {
        const Topology topology = parse(line(true, n));
        const gfab_model model = circuit(GFAB_PORT_ONE);
        const gfab_solver_options options = startup({1, 1});
        EXPECT_TRUE(same(predicted("ring", topology, model, options), {n - 1, n - 1, 1}));
        gfab_cost bruck = {0, 0, 1}, doubling = {0, 0, 1};
        for (uint32_t d = 1; d < n; d *= 2) {
            const uint32_t shorter = std::min(d, n - d), at_once = n / shorter, split = (n + at_once - 1) / at_once;
            bruck.startups += split;
            bruck.transfers += uint64_t{split} * shorter;
            doubling.startups += d;
            doubling.transfers += uint64_t{d} * d;
        }
        EXPECT_TRUE(same(predicted("bruck", topology, model, options), bruck)) << n;
        EXPECT_EQ(applies("recursive-doubling", topology, model), (n & (n - 1)) == 0);
        if ((n & (n - 1)) == 0) {
            EXPECT_TRUE(same(predicted("recursive-doubling", topology, model, options), doubling)) << n;
        }
        EXPECT_EQ(applies("neighbour-exchange", topology, model), n % 2 == 0);
        if (n % 2 == 0) {
            EXPECT_TRUE(same(predicted("neighbour-exchange", topology, model, options), {n / 2, n - 1, 1})) << n;
        }
    }
}

TEST(StartupLine, LibrariesOnAPath)
{
    for (uint32_t n = 2; n <= 65; n++) {
        const Topology topology = parse(line(false, n));
        const gfab_model model = circuit(GFAB_PORT_ONE);
        const gfab_solver_options options = startup({1, 1});
        EXPECT_TRUE(same(predicted("ring", topology, model, options), {n - 1, n - 1, 1}));
        gfab_cost bruck = {0, 0, 1};
        for (uint32_t d = 1; d < n; d *= 2) {
            const uint32_t shorter = std::min(d, n - d);
            bruck.startups += shorter;
            bruck.transfers += uint64_t{shorter} * shorter;
        }
        EXPECT_TRUE(same(predicted("bruck", topology, model, options), bruck)) << n;
        if (n % 2 == 0) { // in every second round the ends exchange across all others
            EXPECT_TRUE(same(predicted("neighbour-exchange", topology, model, options),
                             {n / 2 + n / 4, n - 1 + 2 * (n / 4), 1}))
                << n;
        }
    }
}

TEST(StartupLine, LibrariesOnMeshesAndTori)
{
    for (const char *spec :
         {"mesh:4x4", "torus:4x4", "torus:8x8", "mesh:3x5", "torus:2x3x4", "torus:5x5", "mesh:1x8x1"})
        for (const char *solver : {"ring", "recursive-doubling", "bruck", "neighbour-exchange"}) {
            const Topology topology = parse(spec);
            if (applies(solver, topology, circuit(GFAB_PORT_ONE)))
                checked(solver, topology, circuit(GFAB_PORT_ONE), startup({1, 1}));
        }
    // On 8 x 8 doubling first doubles rows, distance 4 up in all of them at last, then columns: 1 + 2 + 4 each.
    EXPECT_TRUE(same(predicted("recursive-doubling", parse("torus:8x8"), circuit(), startup({1, 1})),
                     {14, 1 + 4 + 16 + 8 + 32 + 128, 1}));
}

TEST(StartupLine, BestNeverLoses)
{
    for (const char *spec : {"cycle:9", "cycle:16", "cycle:31", "path:2", "path:27", "torus:3x3", "mesh:2x4"})
        for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
            for (const uint32_t most : {1u, 4u, any_length})
                for (const gfab_ratio r : ratios) {
                    const Topology topology = parse(spec);
                    const gfab_model model = circuit(ports, most);
                    std::string fault;
                    const gfab_cost best =
                        summed(topology, model, solve("auto", topology, model, startup(r)).get(), &fault);
                    ASSERT_EQ(fault, "") << spec;
                    for (size_t i = 0; const gfab_solver *solver = gfab_solver_at(i); i++) {
                        if (gfab_solver_applies(solver, topology.get(), &model, nullptr) != GFAB_OK)
                            continue;
                        gfab_schedule *made = nullptr;
                        const gfab_solver_options options = startup(r);
                        if (solver->solve(topology.get(), &model, &options, &made, nullptr) != GFAB_OK)
                            continue;
                        const gfab_cost other = summed(topology, model, made, &fault);
                        gfab_schedule_destroy(made);
                        ASSERT_LE(gfab_cost_compare(&best, &other, r), 0) << spec << " loses to " << solver->name;
                    }
                }
}

TEST(StartupLine, BestTellsItsCostWhereItKnows)
{
    const Topology topology = parse("cycle:64");
    for (const gfab_ratio r : {gfab_ratio{1, 10}, gfab_ratio{10, 1}, gfab_ratio{1000, 1}}) {
        const gfab_cost circgo = predicted("circgo", topology, circuit(), startup(r));
        gfab_cost best{};
        const gfab_model model = circuit();
        const gfab_solver_options options = startup(r);
        const gfab_status status = gfab_solver_find("auto")->cost(topology.get(), &model, &options, &best, nullptr);
        ASSERT_EQ(status, GFAB_OK);
        EXPECT_EQ(gfab_cost_compare(&circgo, &best, r), 0);
    }
    gfab_cost cost{};
    const gfab_model half = gfab_model_default();
    const gfab_solver_options options = startup({1, 1});
    EXPECT_EQ(gfab_solver_find("auto")->cost(topology.get(), &half, &options, &cost, nullptr), GFAB_ERR_UNSUPPORTED);
}

TEST(StartupLine, BadSettingsAreRefusedByName)
{
    struct {
        const char *solver, *text, *said;
    } const cases[] = {
        {"circgo", "c=3", "unknown setting \"c\""},
        {"circgo", "a=1", "a=1 is not a list"},
        {"circgo", "a=3:", "a=3: is not a list"},
        {"circgo", "a=3x", "a=3x is not a list"},
        {"circgo", "a=3,a1=3", "give a, or these"},
        {"circgo", "a1=0", "a1=0"},
        {"circgo", "a1=28", "no CircGo on 27 nodes"},
        {"circgo", "b=0", "b=0 is not a list"},
        {"circgo", "a1=1,a2=9,b=1", "no CircGo on 27 nodes"},
        {"circgo", "a=3,b=1,k=5", "no CircGo on 27 nodes"},
        {"circgo", "a=3,levels=1", "no CircGo on 27 nodes"},
        {"circgo", "levels=33", "levels=33"},
        {"circgo", "form=ends", "form=ends is not centres; ends is for paths"},
        {"circgo", "spare=2", "spare=2"},
        {"circgo", "parts=0", "parts=0"},
        {"approach1", "a=3", "unknown setting \"a\""},
        {"ring", "parts=2", "unknown setting \"parts\""},
    };
    const Topology topology = parse("cycle:27");
    for (const auto &c : cases) {
        const gfab_model model = circuit();
        const gfab_solver_options options = startup({1, 1}, c.text);
        gfab_schedule *schedule = nullptr;
        gfab_diag diag{}, cost_diag{};
        gfab_cost cost{};
        const gfab_solver *solver = gfab_solver_find(c.solver);
        EXPECT_EQ(solver->solve(topology.get(), &model, &options, &schedule, &diag), GFAB_ERR_INVALID) << c.text;
        EXPECT_EQ(schedule, nullptr);
        EXPECT_NE(std::string(diag.message).find(c.said), std::string::npos) << c.text << ": " << diag.message;
        EXPECT_EQ(solver->cost(topology.get(), &model, &options, &cost, &cost_diag), GFAB_ERR_INVALID);
        EXPECT_STREQ(cost_diag.message, diag.message);
    }
}

TEST(StartupLine, OtherModelsAndTopologiesAreRefused)
{
    const Topology cycle = parse("cycle:8"), torus = parse("torus:3x3"), graph = parse("graph:3:0-1,1-2");
    for (const char *solver : all_solvers) {
        EXPECT_FALSE(applies(solver, cycle, gfab_model_default())) << solver;
        gfab_model slow = circuit();
        slow.hop_rounds = 2;
        EXPECT_FALSE(applies(solver, cycle, slow)) << solver;
        EXPECT_FALSE(applies(solver, graph, circuit())) << solver;
        gfab_model one = circuit(GFAB_PORT_ONE);
        one.routing = GFAB_ROUTING_STORE_AND_FORWARD;
        EXPECT_FALSE(applies(solver, cycle, one)) << solver;
    }
    for (const char *solver : {"approach1", "approach2", "circgo"})
        EXPECT_FALSE(applies(solver, torus, circuit())) << solver;
    EXPECT_FALSE(applies("bruck", cycle, circuit(GFAB_PORT_ONE, 3)));
}

// A copy of the schedule with one packet changed, by `change`, or left out where that says so.
template <typename Change>
Schedule mutant(const Topology &topology, const gfab_schedule *from, size_t index, Change change)
{
    Schedule made = schedule_on(topology, *gfab_schedule_model(from));
    size_t seen = 0;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(from); round++) {
        gfab_packet_iter at = gfab_schedule_round(from, round);
        gfab_packet packet;
        while (gfab_packet_next(&at, &packet)) {
            std::vector<gfab_arc> arcs(packet.arcs, packet.arcs + packet.arc_count);
            std::vector<uint32_t> tokens(packet.tokens, packet.tokens + packet.token_count);
            if (seen++ == index)
                change(arcs, tokens);
            if (tokens.empty())
                continue;
            EXPECT_EQ(
                gfab_schedule_append_packet(made.get(), round, arcs.data(), arcs.size(), tokens.data(), tokens.size()),
                GFAB_OK);
        }
    }
    return made;
}

// What the tests above rest on: the checker sees a packet left out, a path that goes on too far, and a longer packet.
TEST(StartupLine, MutantsAreCaught)
{
    const Topology topology = parse("cycle:27");
    const gfab_model model = circuit();
    const gfab_solver_options options = startup({10, 1}, "a=3,b=1,parts=1");
    const Schedule good = solve("circgo", topology, model, options);
    const gfab_cost cost = predicted("circgo", topology, model, options);
    std::string fault;
    ASSERT_TRUE(same(summed(topology, model, good.get(), &fault), cost));
    size_t incomplete = 0, overlapping = 0, dearer = 0;
    const size_t packets = gfab_schedule_packet_count(good.get());
    for (size_t i = 0; i < packets; i++) {
        const Schedule lost = mutant(topology, good.get(), i, [](auto &, auto &tokens) { tokens.clear(); });
        incomplete += summed(topology, model, lost.get(), &fault).parts == 0;
        const Schedule far = mutant(topology, good.get(), i, [&](auto &arcs, auto &) {
            const uint32_t before = gfab_topology_arc_from(topology.get(), arcs.back());
            const uint32_t end = gfab_topology_arc_to(topology.get(), arcs.back());
            gfab_arc next = 0;
            ASSERT_TRUE(gfab_topology_find_arc(topology.get(), end, (2 * end + 27 - before) % 27, &next));
            arcs.push_back(next);
        });
        overlapping += summed(topology, model, far.get(), &fault).parts == 0;
        const Schedule longer = mutant(topology, good.get(), i, [](auto &, auto &tokens) {
            for (uint32_t t = 0; t < 27; t++)
                if (std::find(tokens.begin(), tokens.end(), t) == tokens.end())
                    tokens.push_back(t);
        });
        dearer += !same(summed(topology, model, longer.get(), &fault), cost);
    }
    EXPECT_EQ(incomplete, packets);
    EXPECT_EQ(overlapping, packets);
    EXPECT_EQ(dearer, packets);
}

} // namespace
