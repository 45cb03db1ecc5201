// SPDX-License-Identifier: MIT
// The solvers sat and anneal: telephone gossips, whole or invariant under a symmetry.
#include "fixture.h"
#include "optimum_search.h"

#include <sstream>
#include <string>

namespace
{

gfab_model telephone(const Topology &topology)
{
    return {GFAB_LINK_FULL, GFAB_PORT_ONE, static_cast<uint32_t>(gfab_topology_node_count(topology.get())), 1,
            GFAB_ROUTING_STORE_AND_FORWARD};
}

struct Answer {
    gfab_status status;
    uint32_t rounds; // of the schedule, 0 if there is none
    std::string message;
    std::string text; // the schedule
};

// A schedule that comes with OK must be a gossip.
Answer run(const char *solver, const std::string &spec, const char *parameters = nullptr, uint32_t rounds = 0,
           uint32_t effort = 0)
{
    const Topology topology = parse(spec);
    const gfab_model model = telephone(topology);
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = parameters;
    options.rounds = rounds;
    options.effort = effort;
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    Answer answer{};
    answer.status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag);
    answer.message = diag.message;
    const Schedule schedule(made);
    EXPECT_EQ(answer.status == GFAB_OK, !!made);
    if (made) {
        gfab_verify_report report;
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), GFAB_OK)
            << spec << ": " << report.message;
        EXPECT_EQ(report.redundant, 0u) << spec;
        EXPECT_STREQ(gfab_schedule_solver(made), solver);
        answer.rounds = report.rounds;
        answer.text = schedule_text(schedule);
    }
    return answer;
}

bool impossible(const std::string &spec, uint32_t rounds, const char *parameters = nullptr)
{
    const Answer answer = run("sat", spec, parameters, rounds);
    return answer.status == GFAB_ERR_UNSUPPORTED && answer.message.find("shown by SAT") != std::string::npos;
}

// The exhaustive search knows nothing of the formula.
TEST(Sat, AgreesWithExhaustiveSearch)
{
    for (const char *spec : {"path:2", "path:3", "path:4", "path:5", "cycle:3", "cycle:4", "cycle:5", "mesh:2x2",
                             "complete:4", "complete:5", "graph:5:0-1,0-2,0-3,0-4", "graph:5:0-1,1-2,2-0,2-3,3-4"}) {
        const Topology topology = parse(spec);
        const uint32_t optimum = OptimumSearch(topology.get(), telephone(topology)).optimum();
        EXPECT_EQ(run("sat", spec).rounds, optimum) << spec;
        EXPECT_EQ(run("sat", spec, nullptr, optimum).rounds, optimum) << spec;
        EXPECT_TRUE(optimum == 1 || impossible(spec, optimum - 1)) << spec;
    }
}

// The general formula of gfab_prove_rounds is another one.
TEST(Sat, AgreesWithTheGeneralFormula)
{
    for (const char *spec : {"path:7", "cycle:7", "mesh:3x3", "hypercube:3", "knoedel:2,8", "star:3", "debruijn:3",
                             "shuffle-exchange:3", "random:n=9,m=12,seed=1", "random:n=10,m=14,seed=2"}) {
        const Topology topology = parse(spec);
        const gfab_model model = telephone(topology);
        const gfab_prove_options options = gfab_prove_options_default();
        const uint32_t rounds = run("sat", spec).rounds;
        gfab_prove_report report;
        ASSERT_EQ(gfab_prove_rounds(topology.get(), &model, rounds, &options, &report, nullptr, nullptr), GFAB_OK);
        EXPECT_EQ(report.answer, GFAB_PROVE_POSSIBLE) << spec;
        ASSERT_EQ(gfab_prove_rounds(topology.get(), &model, rounds - 1, &options, &report, nullptr, nullptr), GFAB_OK);
        EXPECT_EQ(report.answer, GFAB_PROVE_IMPOSSIBLE) << spec;
    }
}

// docs/theory/records.md, What is impossible. With one round more there is one.
TEST(Sat, Optima)
{
    const struct {
        const char *spec;
        uint32_t rounds;
    } optima[] = {{"ccc:3", 7},      {"butterfly:3", 6},        {"debruijn:3", 4},
                  {"debruijn:4", 6}, {"debruijn:5", 7},         {"shuffle-exchange:3", 5},
                  {"pancake:4", 5},  {"shuffle-exchange:4", 7}, {"shuffle-exchange:5", 9}};
    for (const auto &o : optima) {
        EXPECT_TRUE(impossible(o.spec, o.rounds - 1)) << o.spec;
        EXPECT_EQ(run("sat", o.spec, nullptr, o.rounds, 100).rounds, o.rounds) << o.spec;
    }
}

// A group leaves fewer schedules to choose from, and so at least as many rounds.
TEST(Sat, AmongInvariantSchedules)
{
    EXPECT_EQ(run("sat", "shuffle-exchange:6", "symmetry=complement", 11).rounds, 11u);
    EXPECT_EQ(run("sat", "debruijn:5", "symmetry=complement").rounds, 7u);
    EXPECT_EQ(run("sat", "ccc:4", "symmetry=translations").rounds, 9u);
    EXPECT_EQ(run("sat", "butterfly:4", "symmetry=translations").rounds, 7u);
    EXPECT_EQ(run("sat", "butterfly:3", "symmetry=even-translations").rounds, 6u);
    EXPECT_TRUE(impossible("butterfly:3", 6, "symmetry=translations"));
}

// Rounds of even number have no exchange link, the first one has all, and a mirror leaves less to choose from.
TEST(Sat, AmongMirroredSchedules)
{
    const std::string spec = "shuffle-exchange:6";
    const Answer answer = run("sat", spec, "symmetry=complement,mirror=complement-reversal,exchange=odd", 11);
    ASSERT_EQ(answer.rounds, 11u) << answer.message;
    std::istringstream lines(answer.text);
    std::string line;
    size_t round = 0, first = 0;
    while (std::getline(lines, line)) {
        unsigned from = 0, to = 0;
        if (line.rfind("round ", 0) == 0)
            round = std::stoul(line.substr(6));
        else if (round > 0 && sscanf(line.c_str(), "%u %u:", &from, &to) == 2) {
            first += round == 1 && (from ^ to) == 1;
            EXPECT_TRUE(round % 2 == 1 || (from ^ to) != 1) << line << " in round " << round;
        }
    }
    EXPECT_EQ(first, 64u);
    EXPECT_EQ(run("sat", "debruijn:3", "symmetry=complement", 4).rounds, 4u);
    EXPECT_TRUE(impossible("debruijn:3", 4, "symmetry=complement,mirror=complement-reversal"));
    EXPECT_TRUE(impossible("debruijn:5", 7, "mirror=complement"));
}

TEST(Sat, SaysWhatItCannotDo)
{
    const struct {
        const char *spec, *parameters;
        gfab_status status;
        const char *says;
    } bad[] = {
        {"ccc:3", "symmetry=mirror", GFAB_ERR_PARSE, "no symmetry \"mirror\" of ccc:3 is known; there is none, "},
        {"mesh:3x3", "symmetry=translations", GFAB_ERR_PARSE, "of mesh:3x3 is known; there is none"},
        {"ccc:3+drop-node=1", "symmetry=translations", GFAB_ERR_PARSE, "is known; there is none"},
        {"shuffle-exchange:4", "symmetry=complement+complement-reversal", GFAB_ERR_UNSUPPORTED, "do not connect"},
        {"ccc:3", "width=3", GFAB_ERR_INVALID, "unknown setting \"width\""},
        {"ccc:3", "mirror=rotation", GFAB_ERR_UNSUPPORTED, "done twice it is not in the group"},
        {"ccc:3", "symmetry=translations,mirror=up", GFAB_ERR_PARSE, "no symmetry \"up\" of ccc:3 is known"},
        {"ccc:3", "exchange=odd", GFAB_ERR_UNSUPPORTED, "is for shuffle-exchange graphs"},
        {"shuffle-exchange:3", "exchange=even", GFAB_ERR_PARSE, "exchange=even: odd is expected"},
        {"ccc:9", nullptr, GFAB_ERR_LIMIT, "too large for SAT"}};
    for (const auto &b : bad) {
        const Answer answer = run("sat", b.spec, b.parameters);
        EXPECT_EQ(answer.status, b.status) << b.spec;
        EXPECT_NE(answer.message.find(b.says), std::string::npos) << answer.message;
    }
    EXPECT_NE(run("sat", "shuffle-exchange:3", "exchange=odd", 6).message.find("an odd number of rounds"),
              std::string::npos);
    const Answer open = run("sat", "debruijn:6", nullptr, 8, 1);
    EXPECT_EQ(open.status, GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(open.message.find("none of 8 rounds was found; a greater --effort may"), std::string::npos);
}

TEST(Anneal, FindsWhatIsKnown)
{
    EXPECT_EQ(run("anneal", "ccc:3", "steps=10000").rounds, 7u);
    EXPECT_EQ(run("anneal", "ccc:4", "steps=20000").rounds, 9u);
    EXPECT_EQ(run("anneal", "ccc:5", nullptr, 13, 20).rounds, 13u);
    EXPECT_EQ(run("anneal", "ccc:7", "steps=100000", 18, 20).rounds, 18u);
    EXPECT_EQ(run("anneal", "butterfly:3", "symmetry=none,steps=50000").rounds, 6u);
    EXPECT_EQ(run("anneal", "butterfly:3", "symmetry=translations,steps=10000").rounds, 7u);
    EXPECT_EQ(run("anneal", "butterfly:3", "steps=10000").rounds, 6u);
    EXPECT_EQ(run("anneal", "butterfly:4", nullptr, 7).rounds, 7u);
    EXPECT_EQ(run("anneal", "shuffle-exchange:3", "symmetry=none,steps=10000").rounds, 5u);
    EXPECT_EQ(run("anneal", "debruijn:6", "symmetry=complement", 9, 20).rounds, 9u);
    EXPECT_EQ(run("anneal", "shuffle-exchange:5", "symmetry=none", 9).rounds, 9u);
    EXPECT_EQ(run("anneal", "hypercube:4", nullptr, 4, 20).rounds, 4u);
    EXPECT_EQ(run("anneal", "star:4", "symmetry=relabel-1203", 6).rounds, 6u);
    for (const char *spec : {"path:2", "path:5", "cycle:7", "mesh:3x3", "random:n=9,m=12,seed=1"})
        EXPECT_EQ(run("anneal", spec, "steps=20000").rounds, run("sat", spec).rounds) << spec;
}

TEST(Anneal, SaysWhatItCannotDo)
{
    const struct {
        const char *spec, *parameters;
        uint32_t rounds;
        gfab_status status;
        const char *says;
    } bad[] = {
        {"ccc:4", "steps=1000", 8, GFAB_ERR_UNSUPPORTED, "none of 8 rounds was found; more steps"},
        {"ccc:4", "steps=0", 0, GFAB_ERR_INVALID, "steps=0 is not a whole number"},
        {"ccc:4", "exponent=2", 0, GFAB_ERR_INVALID, "there are symmetry, steps"},
        {"ccc:4", "steps=x", 0, GFAB_ERR_INVALID, "steps=x is not a whole number"},
        {"shuffle-exchange:4", "symmetry=complement+complement-reversal", 0, GFAB_ERR_UNSUPPORTED, "do not connect"},
        {"mesh:64x64", nullptr, 600, GFAB_ERR_LIMIT, "take more than 1 GiB"}};
    for (const auto &b : bad) {
        const Answer answer = run("anneal", b.spec, b.parameters, b.rounds);
        EXPECT_EQ(answer.status, b.status) << b.spec << " " << answer.message;
        EXPECT_NE(answer.message.find(b.says), std::string::npos) << answer.message;
    }
}

TEST(Telephone, SameScheduleTwice)
{
    EXPECT_EQ(run("anneal", "ccc:4", "steps=9999").text, run("anneal", "ccc:4", "steps=9999").text);
    EXPECT_EQ(run("sat", "debruijn:5", nullptr, 7).text, run("sat", "debruijn:5", nullptr, 7).text);
}

TEST(Telephone, StopsWhenAsked)
{
    for (const auto &[solver, spec] : {std::pair{"sat", "butterfly:4"}, std::pair{"anneal", "ccc:6"}}) {
        const Topology topology = parse(spec);
        const gfab_model model = telephone(topology);
        int calls = 0;
        const gfab_progress stop = {[](void *context, const char *, unsigned long long, unsigned long long) {
                                        return ++*static_cast<int *>(context) < 20 ? 1 : 0;
                                    },
                                    &calls};
        gfab_solver_options options = gfab_solver_options_default();
        options.progress = &stop;
        gfab_schedule *made = nullptr;
        EXPECT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, nullptr),
                  GFAB_ERR_INTERRUPTED);
        EXPECT_EQ(made, nullptr);
        EXPECT_EQ(calls, 20);
    }
}

TEST(Telephone, RefusesOtherModels)
{
    const Topology topology = parse("ccc:3");
    const gfab_model good = telephone(topology),
                     all = {GFAB_LINK_FULL, GFAB_PORT_ALL, 24, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    for (const char *solver : {"sat", "anneal"}) {
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find(solver), topology.get(), &good, nullptr), GFAB_OK);
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find(solver), topology.get(), &all, nullptr), GFAB_ERR_UNSUPPORTED);
        gfab_model small = good;
        small.packet_tokens = 22;
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find(solver), topology.get(), &small, nullptr), GFAB_ERR_UNSUPPORTED);
        small.packet_tokens = 23;
        EXPECT_EQ(gfab_solver_applies(gfab_solver_find(solver), topology.get(), &small, nullptr), GFAB_OK);
    }
}

} // namespace
