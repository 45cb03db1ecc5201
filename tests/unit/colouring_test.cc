// SPDX-License-Identifier: MIT
// Matchings, sequences of them, the colouring heuristic: Beier & Sibeyn, A powerful heuristic for telephone gossiping,
// sections 6 and 8.
#include "fixture.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace
{

using Matchings = Owner<gfab_matchings, gfab_matchings_destroy>;

Matchings matchings_of(const Topology &topology, const char *from = nullptr)
{
    gfab_matchings *matchings = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_matchings_create(topology.get(), from, &matchings, &diag), GFAB_OK) << diag.message;
    return Matchings(matchings);
}

gfab_sequence sequence_of(const Matchings &matchings, const std::string &text)
{
    gfab_sequence sequence{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_sequence_read(matchings.get(), text.c_str(), &sequence, &diag), GFAB_OK) << diag.message;
    return sequence;
}

gfab_sequence_report replay(const Matchings &matchings, const gfab_sequence &sequence)
{
    gfab_sequence_report report{};
    EXPECT_EQ(gfab_sequence_replay(matchings.get(), &sequence, nullptr, &report), GFAB_OK);
    return report;
}

gfab_model telephone(size_t nodes)
{
    return {GFAB_LINK_FULL, GFAB_PORT_ONE, static_cast<uint32_t>(nodes), 1, GFAB_ROUTING_STORE_AND_FORWARD};
}

struct Solved {
    gfab_status status;
    Schedule schedule;
    gfab_verify_report report;
    std::string message;
};

Solved solve(const Topology &topology, const char *solver, const std::string &parameters = "", uint32_t rounds = 0,
             uint32_t effort = 0)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = parameters.empty() ? nullptr : parameters.c_str();
    options.rounds = rounds;
    options.effort = effort;
    const gfab_model model = telephone(gfab_topology_node_count(topology.get()));
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    Solved solved{};
    solved.status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &schedule, &diag);
    solved.message = diag.message;
    solved.schedule = Schedule(schedule);
    if (schedule) {
        EXPECT_EQ(gfab_verify(topology.get(), &model, schedule, nullptr, &solved.report), GFAB_OK)
            << solved.report.message;
    }
    return solved;
}

// A matching of the topology's links; and all links are in one.
void expect_matchings(const std::string &spec, const char *from, size_t count, bool perfect)
{
    SCOPED_TRACE(spec);
    const Topology topology = parse(spec);
    const Matchings matchings = matchings_of(topology, from);
    const size_t nodes = gfab_topology_node_count(topology.get());
    std::vector<bool> covered(gfab_topology_link_count(topology.get()));
    EXPECT_EQ(gfab_matchings_count(matchings.get()), count);
    for (size_t c = 0; c < gfab_matchings_count(matchings.get()); c++) {
        const uint32_t *partner = gfab_matchings_partners(matchings.get(), c);
        for (uint32_t v = 0; v < nodes; v++) {
            gfab_arc arc = 0;
            ASSERT_LT(partner[v], nodes);
            EXPECT_EQ(partner[partner[v]], v);
            if (partner[v] != v) {
                ASSERT_TRUE(gfab_topology_find_arc(topology.get(), v, partner[v], &arc)) << v << "-" << partner[v];
                covered[arc / 2] = true;
            } else {
                EXPECT_FALSE(perfect) << c << ": " << v;
            }
        }
    }
    EXPECT_EQ(std::count(covered.begin(), covered.end(), false), 0);
}

TEST(Matchings, NaturalOnesCoverTheirGraphs)
{
    expect_matchings("hypercube:4", nullptr, 4, true);
    expect_matchings("knoedel:4", nullptr, 4, true);
    expect_matchings("knoedel:3,14", nullptr, 3, true);
    for (const char *k : {"3", "4", "5", "6", "7", "8"}) {
        expect_matchings(std::string("ccc:") + k, nullptr, 3, true);
        expect_matchings(std::string("butterfly:") + k, nullptr, 4, true);
        expect_matchings(std::string("shuffle-exchange:") + k, nullptr, 4, false);
        expect_matchings(std::string("debruijn:") + k, nullptr, 6, false);
    }
    expect_matchings("star:5", nullptr, 4, true);
    expect_matchings("pancake:5", nullptr, 4, true);
}

TEST(Matchings, EdgeColouringsElsewhere)
{
    expect_matchings("mesh:3x3", nullptr, 4, false);
    expect_matchings("torus:4x4", nullptr, 4, true);
    expect_matchings("cycle:5", nullptr, 3, false);
    expect_matchings("graph:4:0-1,1-2,0-2,2-3", nullptr, 3, false);
    expect_matchings("ccc:3+drop-link=0-1", nullptr, 3, false);
    expect_matchings("ccc:4", "edges", 3, true);
}

struct MatchingsFile {
    std::string path;
    explicit MatchingsFile(const std::string &text) : path(testing::TempDir() + "matchings.txt")
    {
        std::ofstream(path) << text;
    }
    ~MatchingsFile() { std::remove(path.c_str()); }
};

std::string refusal(const Topology &topology, const std::string &from, gfab_status status)
{
    gfab_matchings *matchings = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_matchings_create(topology.get(), from.c_str(), &matchings, &diag), status);
    EXPECT_EQ(matchings, nullptr);
    return std::to_string(diag.line) + ": " + diag.message;
}

TEST(Matchings, FromAFile)
{
    const Topology cycle = parse("cycle:4");
    const MatchingsFile file("# two matchings\n0-1 3-2\n\n1-2\t0-3 # the rest\n");
    const Matchings matchings = matchings_of(cycle, ("file:" + file.path).c_str());
    ASSERT_EQ(gfab_matchings_count(matchings.get()), 2u);
    EXPECT_EQ(gfab_matchings_partners(matchings.get(), 0)[2], 3u);
    EXPECT_EQ(replay(matchings, sequence_of(matchings, "01")).missing, 0u);
    const Solved solved = solve(cycle, "colouring", "matchings=file:" + file.path);
    ASSERT_EQ(solved.status, GFAB_OK) << solved.message;
    EXPECT_EQ(solved.report.rounds, 2u);
}

TEST(Matchings, BadFilesSayWhere)
{
    const Topology cycle = parse("cycle:4");
    const auto read = [&](const std::string &text, gfab_status status) {
        const MatchingsFile file(text);
        return refusal(cycle, "file:" + file.path, status);
    };
    EXPECT_EQ(read("0-1\n2-x\n", GFAB_ERR_PARSE), "2: a link U-V is expected at \"2-x\"");
    EXPECT_EQ(read("0-1 1-2\n", GFAB_ERR_INVALID), "1: node 1 has two links in this matching");
    EXPECT_EQ(read("0-2\n", GFAB_ERR_INVALID), "1: cycle:4 has no link 0-2");
    EXPECT_EQ(read("0-7\n", GFAB_ERR_INVALID), "1: cycle:4 has no link 0-7");
    EXPECT_EQ(read("# nothing\n", GFAB_ERR_PARSE), "0: the file has no matching; a line has the links U-V of one");
    std::string many;
    for (int i = 0; i < 37; i++)
        many += "0-1\n";
    EXPECT_EQ(read(many, GFAB_ERR_LIMIT), "37: more than 36 matchings");
    refusal(cycle, "file:/nowhere/at/all", GFAB_ERR_IO);
    refusal(cycle, "other", GFAB_ERR_INVALID);
    refusal(parse("complete:40"), "edges", GFAB_ERR_LIMIT);
}

TEST(Sequence, TextIsReadAndWritten)
{
    const Topology pancake = parse("pancake:4");
    const Matchings matchings = matchings_of(pancake);
    const gfab_sequence sequence = sequence_of(matchings, "02102");
    char text[6];
    gfab_sequence_write(&sequence, text);
    EXPECT_STREQ(text, "02102");
    gfab_sequence other{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_sequence_read(matchings.get(), "", &other, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(gfab_sequence_read(matchings.get(), "0213", &other, &diag), GFAB_ERR_PARSE);
    EXPECT_STREQ(diag.message, "'3', round 4 of the sequence, is no matching; pancake:4 has 3, 0 to 2");
    EXPECT_EQ(gfab_sequence_read(matchings.get(), "0 2", &other, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(gfab_sequence_read(matchings.get(), std::string(GFAB_MAX_SEQUENCE + 1, '0').c_str(), &other, &diag),
              GFAB_ERR_LIMIT);
}

// Table 6 for k up to 9; steps are N - 1 but for odd CCC and butterflies.
struct Printed {
    const char *spec, *schedule;
    uint64_t steps;
};
const Printed table_6[] = {
    {"ccc:3", "0120120", 27},
    {"ccc:4", "012021202", 63},
    {"ccc:5", "2020120120210", 215},
    {"ccc:6", "01202120212020", 383},
    {"ccc:7", "2012010201202120210", 1069},
    {"ccc:8", "012120212021201212", 2047},
    {"ccc:9", "01212021202120212021210", 6111},
    {"butterfly:3", "012320", 25},
    {"butterfly:4", "0123023", 63},
    {"butterfly:5", "02103231023", 207},
    {"butterfly:6", "012030230123", 383},
    {"butterfly:7", "0123012321032310", 1109},
    {"butterfly:8", "01230123103230123", 2047},
    {"butterfly:9", "012301231012321032031", 5761},
    {"star:3", "010", 5},
    {"star:4", "012010", 23},
    {"star:5", "012310320", 119},
    {"star:6", "0123402413203", 719},
    {"star:7", "012345024153012540", 5039},
    {"pancake:3", "010", 5},
    {"pancake:4", "02102", 23},
    {"pancake:5", "01230130", 119},
    {"pancake:6", "02102432104", 719},
    {"pancake:7", "012345021025012", 5039},
};

TEST(Sequence, Table6IsRight)
{
    for (const Printed &row : table_6) {
        const Topology topology = parse(row.spec);
        const Matchings matchings = matchings_of(topology);
        gfab_sequence sequence = sequence_of(matchings, row.schedule);
        gfab_sequence_report report = replay(matchings, sequence);
        EXPECT_EQ(report.missing, 0u) << row.spec;
        EXPECT_EQ(report.steps, row.steps) << row.spec;
        sequence.length--;
        EXPECT_GT(replay(matchings, sequence).missing, 0u) << row.spec << ", the last round left out";
    }
}

// What the colouring heuristic finds where the paper has none.
TEST(Sequence, ShorterThanTable6)
{
    for (const auto &[spec, schedule] :
         {std::pair<const char *, const char *>{"star:7", "01234052413503120"}, {"pancake:8", "0123456024560341630"}}) {
        const Topology topology = parse(spec);
        const Matchings matchings = matchings_of(topology);
        EXPECT_EQ(replay(matchings, sequence_of(matchings, schedule)).missing, 0u) << spec;
    }
}

TEST(Sequence, ReplayStops)
{
    const Topology topology = parse("ccc:4");
    const Matchings matchings = matchings_of(topology);
    const gfab_sequence sequence = sequence_of(matchings, "012");
    const gfab_progress stop = {[](void *, const char *, unsigned long long, unsigned long long) { return 0; },
                                nullptr};
    gfab_sequence_report report{};
    EXPECT_EQ(gfab_sequence_replay(matchings.get(), &sequence, &stop, &report), GFAB_ERR_INTERRUPTED);
}

TEST(Colouring, ASequenceBecomesASchedule)
{
    for (const Printed &row : table_6) {
        const Topology topology = parse(row.spec);
        if (gfab_topology_node_count(topology.get()) > 1000)
            continue;
        const Solved solved = solve(topology, "colouring", std::string("rounds=") + row.schedule);
        ASSERT_EQ(solved.status, GFAB_OK) << row.spec << ": " << solved.message;
        EXPECT_EQ(solved.report.rounds, std::strlen(row.schedule)) << row.spec;
        EXPECT_EQ(solved.report.transfers, row.steps) << row.spec;
        EXPECT_EQ(solved.report.redundant, 0u);
    }
}

TEST(Colouring, Pancake4HasFourSequencesOfFiveRoundsThatStartThere)
{
    // "The coloring heuristic finds four schedules with R = 5 and S = 23".
    const Topology topology = parse("pancake:4");
    const Matchings matchings = matchings_of(topology);
    std::vector<std::string> found;
    for (int i = 0; i < 243; i++) {
        std::string text;
        for (int j = 0, rest = i; j < 5; j++, rest /= 3)
            text.insert(text.begin(), static_cast<char>('0' + rest % 3));
        const gfab_sequence_report report = replay(matchings, sequence_of(matchings, text));
        if (report.missing == 0) {
            EXPECT_EQ(report.steps, 23u);
            found.push_back(text);
        }
    }
    EXPECT_EQ(found, (std::vector<std::string>{"02102", "12012", "20120", "21021"}));
}

TEST(Colouring, FindsWhatThePaperFinds)
{
    for (const Printed &row : table_6) {
        const Topology topology = parse(row.spec);
        const size_t nodes = gfab_topology_node_count(topology.get());
        if (nodes > 500)
            continue;
        const Solved solved = solve(topology, "colouring", "", 0, 1);
        ASSERT_EQ(solved.status, GFAB_OK) << row.spec << ": " << solved.message;
        EXPECT_LE(solved.report.rounds, std::strlen(row.schedule)) << row.spec;
        EXPECT_STREQ(gfab_schedule_solver(solved.schedule.get()), "colouring");
    }
}

TEST(Colouring, IsDeterministic)
{
    const Topology topology = parse("ccc:5");
    const Matchings matchings = matchings_of(topology);
    gfab_colouring_options options = gfab_colouring_options_default();
    options.effort = 3000000;
    gfab_sequence first{}, second{};
    ASSERT_EQ(gfab_colouring_find(matchings.get(), &options, &first, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_colouring_find(matchings.get(), &options, &second, nullptr), GFAB_OK);
    EXPECT_EQ(first.length, second.length);
    EXPECT_EQ(std::memcmp(first.at, second.at, first.length), 0);
}

TEST(Colouring, AnyGraph)
{
    for (const char *spec :
         {"path:2", "path:7", "cycle:9", "mesh:3x3", "mesh:4x5+drop-link=0-1", "torus:4x4", "hypercube:5", "knoedel:5",
          "complete:8", "random:n=24,m=48,seed=3", "shuffle-exchange:5", "debruijn:5", "graph:5:0-1,0-2,0-3,0-4"}) {
        const Solved solved = solve(parse(spec), "colouring", "", 0, 1);
        EXPECT_EQ(solved.status, GFAB_OK) << spec << ": " << solved.message;
    }
    EXPECT_EQ(solve(parse("hypercube:5"), "colouring").report.rounds, 5u);
    EXPECT_EQ(solve(parse("knoedel:5"), "colouring").report.rounds, 5u);
}

TEST(Colouring, SettingsPrune)
{
    const auto rounds_of = [](const char *spec, const std::string &parameters) {
        const Solved solved = solve(parse(spec), "colouring", parameters, 0, 1);
        EXPECT_EQ(solved.status, GFAB_OK) << parameters << ": " << solved.message;
        return solved.report.rounds;
    };
    EXPECT_EQ(rounds_of("ccc:6", "f=0"), 14u);
    EXPECT_GT(rounds_of("ccc:6", "f=1"), 14u) << "the best matchings alone lead past what f = 0 finds";
    EXPECT_EQ(rounds_of("ccc:4", "f=0"), 9u);
    // 012021202 has 202: with no matching back after one other there are two sequences in all, 012012... and 021021...
    EXPECT_GT(rounds_of("ccc:4", "f=0,no-return=1"), 9u);
    EXPECT_LE(rounds_of("ccc:4", "f=0.5,window=1"), 10u);
}

TEST(Colouring, RefusesWhatItCannot)
{
    const Topology pancake = parse("pancake:4");
    EXPECT_EQ(solve(pancake, "colouring", "rounds=0210").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "rounds=02109").status, GFAB_ERR_PARSE);
    EXPECT_EQ(solve(pancake, "colouring", "f=1.5").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "f=x").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "window=2").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "colours=3").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "matchings=none").status, GFAB_ERR_INVALID);
    EXPECT_EQ(solve(pancake, "colouring", "", 4).status, GFAB_ERR_UNSUPPORTED);
    const MatchingsFile half("0-1\n2-3\n");
    EXPECT_EQ(solve(parse("cycle:4"), "colouring", "matchings=file:" + half.path).status, GFAB_ERR_UNSUPPORTED);
    const gfab_solver *colouring = gfab_solver_find("colouring");
    gfab_model model = telephone(24);
    EXPECT_EQ(gfab_solver_applies(colouring, pancake.get(), &model, nullptr), GFAB_OK);
    model.packet_tokens = 22;
    EXPECT_EQ(gfab_solver_applies(colouring, pancake.get(), &model, nullptr), GFAB_ERR_UNSUPPORTED);
    model = telephone(24);
    model.port_mode = GFAB_PORT_ALL;
    EXPECT_EQ(gfab_solver_applies(colouring, pancake.get(), &model, nullptr), GFAB_ERR_UNSUPPORTED);
    model = telephone(24);
    model.link_mode = GFAB_LINK_HALF;
    EXPECT_EQ(gfab_solver_applies(colouring, pancake.get(), &model, nullptr), GFAB_ERR_UNSUPPORTED);
}

} // namespace
