// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/telephone/record.h>

#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

namespace
{

gfab_model telephone(size_t nodes)
{
    return {GFAB_LINK_FULL, GFAB_PORT_ONE, static_cast<uint32_t>(nodes), 1, GFAB_ROUTING_STORE_AND_FORWARD};
}

// What a text says, expanded and checked.
struct Expanded {
    gfab_status read = GFAB_OK, verified = GFAB_OK;
    gfab_diag diag{};
    gfab_verify_report report{};
};

Expanded expand(const std::string &text, const Topology &topology)
{
    Expanded e;
    const Schedule schedule = schedule_on(topology, telephone(gfab_topology_node_count(topology.get())));
    e.read = gfab_record_expand(text.c_str(), schedule.get(), &e.diag);
    if (e.read == GFAB_OK)
        e.verified =
            gfab_verify(topology.get(), gfab_schedule_model(schedule.get()), schedule.get(), nullptr, &e.report);
    return e;
}

gfab_record head(const std::string &text)
{
    gfab_record record{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_record_head(text.c_str(), &record, &diag), GFAB_OK) << diag.message;
    return record;
}

std::vector<std::string> texts()
{
    std::vector<std::string> all;
    while (const char *text = gfab_record_at(all.size()))
        all.push_back(text);
    return all;
}

std::vector<std::string> lines_of(const std::string &text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string text_of(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
}

const size_t head_lines = 4;

// Beier & Sibeyn's Tables 5 and 6, column HR; the least published, which for stars and pancakes is that or what they
// say of their reference [3]; and what is kept here.
const struct {
    const char *spec;
    uint32_t heuristic, published, kept;
} figures[] = {{"ccc:7", 19, 19, 18},
               {"debruijn:5", 8, 8, 7},
               {"debruijn:6", 10, 10, 9},
               {"debruijn:7", 12, 12, 11},
               {"debruijn:8", 14, 14, 13},
               {"shuffle-exchange:5", 10, 10, 9},
               {"shuffle-exchange:6", 12, 12, 11},
               {"shuffle-exchange:7", 15, 15, 13},
               {"shuffle-exchange:8", 17, 17, 15},
               {"star:7", 18, 17, 17},
               {"star:8", 22, 21, 21},
               {"pancake:8", 20, 20, 19}};

// Expanded and verified, or, where there are too many nodes for a schedule, replayed for every token.
Expanded check(const std::string &text)
{
    const gfab_record record = head(text);
    const Topology topology = parse(record.topology);
    if (gfab_topology_node_count(topology.get()) <= 16384)
        return expand(text, topology);
    gfab_matchings *made = nullptr;
    Expanded e;
    e.read = gfab_matchings_create(topology.get(), record.matchings, &made, &e.diag);
    if (e.read != GFAB_OK)
        return e;
    const Owner<gfab_matchings, gfab_matchings_destroy> matchings(made);
    gfab_sequence sequence{};
    gfab_sequence_report report{};
    e.read = gfab_record_sequence(text.c_str(), made, &sequence, &e.diag);
    if (e.read != GFAB_OK)
        return e;
    EXPECT_EQ(gfab_sequence_replay(made, &sequence, nullptr, &report), GFAB_OK);
    e.verified = report.missing ? GFAB_ERR_FAULT : GFAB_OK;
    e.report.fault = report.missing ? GFAB_FAULT_INCOMPLETE : GFAB_FAULT_NONE;
    e.report.rounds = static_cast<uint32_t>(sequence.length);
    return e;
}

TEST(Record, EveryOneIsAGossip)
{
    std::map<std::string, uint32_t> kept;
    for (const auto &f : figures) {
        EXPECT_LT(f.kept, f.heuristic) << f.spec;
        EXPECT_LE(f.kept, f.published) << f.spec;
        kept[f.spec] = f.kept;
    }
    for (const std::string &text : texts()) {
        const gfab_record record = head(text);
        const Expanded e = check(text);
        ASSERT_EQ(e.read, GFAB_OK) << record.topology << ": " << e.diag.message;
        EXPECT_EQ(e.verified, GFAB_OK) << record.topology << ": " << e.report.message;
        EXPECT_EQ(e.report.rounds, record.rounds) << record.topology;
        EXPECT_EQ(e.report.redundant, 0u) << record.topology;
        ASSERT_EQ(kept.count(record.topology), 1u) << record.topology << ": not among the figures, or kept twice";
        EXPECT_EQ(kept[record.topology], record.rounds);
        kept.erase(record.topology);
    }
    EXPECT_TRUE(kept.empty()) << kept.begin()->first << " is not kept";
}

std::string text_of_file(const std::string &name)
{
    std::string text;
    const File file(std::fopen((GFAB_SOURCE_DIR "/" + name).c_str(), "r"));
    EXPECT_NE(file, nullptr) << name;
    for (int c; file && (c = std::getc(file.get())) != EOF;)
        text.push_back(static_cast<char>(c));
    return text;
}

// The rows of docs/theory/records.md: graph -> nodes, HR, published, kept, at least.
std::map<std::string, std::vector<std::string>> documented()
{
    std::map<std::string, std::vector<std::string>> rows;
    for (const std::string &line : lines_of(text_of_file("docs/theory/records.md"))) {
        std::istringstream in(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(in, cell, '|');) {
            const size_t first = cell.find_first_not_of(' ');
            cells.push_back(first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
        }
        if (cells.size() == 10 && cells[1].find(':') != std::string::npos)
            rows[cells[1]] = {cells.begin() + 2, cells.begin() + 7};
    }
    return rows;
}

TEST(Record, TheTableSaysWhatIsKeptAndNoLessThanTheBound)
{
    auto rows = documented();
    for (const auto &f : figures) {
        const auto row = rows[f.spec];
        ASSERT_EQ(row.size(), 5u) << f.spec;
        const Topology topology = parse(f.spec);
        const gfab_model model = telephone(gfab_topology_node_count(topology.get()));
        gfab_bound bound{};
        ASSERT_EQ(gfab_bound_best(topology.get(), &model, nullptr, &bound), GFAB_OK);
        EXPECT_EQ(row[0], std::to_string(gfab_topology_node_count(topology.get()))) << f.spec;
        EXPECT_EQ(row[1], std::to_string(f.heuristic)) << f.spec;
        EXPECT_EQ(row[2], std::to_string(f.published)) << f.spec;
        EXPECT_EQ(row[3], std::to_string(f.kept)) << f.spec;
        EXPECT_GE(std::stoul(row[4]), bound.rounds) << f.spec << ": a better bound is known";
        EXPECT_LE(std::stoul(row[4]), f.kept) << f.spec;
    }
    EXPECT_EQ(rows.size(), std::size(figures));
}

// How many are below all that is published, and where that number is told.
TEST(Record, TheTextsCountThemRight)
{
    size_t below = 0;
    for (const auto &f : figures)
        below += f.kept < f.published;
    ASSERT_EQ(below, 10u) << "change the texts, too";
    ASSERT_EQ(texts().size(), 12u) << "change the texts, too";
    EXPECT_NE(text_of_file("docs/reference/figures.md").find("Here ten of our schedules"), std::string::npos);
    EXPECT_NE(text_of_file("docs/theory/records.md").find("**Ten are records**"), std::string::npos);
    EXPECT_NE(text_of_file("docs/theory/records.md").find("For twelve graphs"), std::string::npos);
    EXPECT_NE(text_of_file("docs/theory/telephone-gossip.md").find("| twelve graphs with schedules no longer than"),
              std::string::npos);
}

TEST(Record, AreKeptAsTheyStandInTheirFiles)
{
    for (const std::string &text : texts()) {
        std::string name = head(text).topology;
        name[name.find(':')] = '-';
        EXPECT_EQ(text_of_file("core/solvers/telephone/records/" + name + ".txt"), text) << name;
    }
}

TEST(Record, WithoutAnyOfItsRoundsItIsNone)
{
    for (const std::string &text : texts()) {
        const gfab_record record = head(text);
        const Topology topology = parse(record.topology);
        for (uint32_t round = 0; round < record.rounds && !record.sequence; round++) {
            std::vector<std::string> lines = lines_of(text);
            lines[head_lines - 1] = "rounds: " + std::to_string(record.rounds - 1);
            lines.erase(lines.begin() + head_lines + round);
            const Expanded e = expand(text_of(lines), topology);
            ASSERT_EQ(e.read, GFAB_OK) << record.topology << ": " << e.diag.message;
            EXPECT_EQ(e.report.fault, GFAB_FAULT_INCOMPLETE) << record.topology << " without round " << round + 1;
        }
    }
}

// The same for a string: any digit left out, on a graph where that is quick.
TEST(Record, WithoutAnyOfItsDigitsAStringIsNone)
{
    const std::string digits = "01230130", start = "gossipfab-record 1\ntopology: pancake:5\nsymmetry: none\n";
    EXPECT_EQ(check(start + "rounds: 8\nsequence: " + digits + "\n").verified, GFAB_OK);
    for (size_t i = 0; i < digits.size(); i++) {
        std::string shorter = digits;
        shorter.erase(i, 1);
        const Expanded e = check(start + "rounds: 7\nsequence: " + shorter + "\n");
        ASSERT_EQ(e.read, GFAB_OK) << e.diag.message;
        EXPECT_EQ(e.report.fault, GFAB_FAULT_INCOMPLETE) << "without digit " << i;
    }
    for (const char *bad : {"rounds: 7\nsequence: 01230130\n", "rounds: 8\nsequence: 01230140\n",
                            "rounds: 8\nsequence: 01230130\nround: 0-1\n", "rounds: 8\nsequence: \n"})
        EXPECT_EQ(check(start + bad).read, GFAB_ERR_PARSE) << bad;
    EXPECT_EQ(check("gossipfab-record 1\ntopology: ccc:3\nsymmetry: translations\nrounds: 7\nsequence: 0120120\n").read,
              GFAB_ERR_PARSE);
}

// All kept strings, the last digit left out.
TEST(Record, StringsWithoutTheirLastDigitAreNone)
{
    size_t tried = 0;
    for (std::string text : texts()) {
        gfab_record record = head(text);
        if (!record.sequence)
            continue;
        std::vector<std::string> lines = lines_of(text);
        lines[head_lines - 1] = "rounds: " + std::to_string(record.rounds - 1);
        lines.back().pop_back();
        EXPECT_EQ(check(text_of(lines)).report.fault, GFAB_FAULT_INCOMPLETE) << record.topology;
        tried++;
    }
    EXPECT_EQ(tried, 3u);
}

// Star k from star k - 1: the string of the smaller one, the exchange with the last symbol, the doublings. None of the
// rounds behind the smaller one's can be left out.
TEST(Record, StarsOfOneSymbolMore)
{
    for (const auto &[spec, smaller, digits] :
         {std::tuple{"star:4", "010", "234"}, {"star:5", "012010", "345"}, {"star:6", "012310320", "4567"}}) {
        const std::string start = std::string("gossipfab-record 1\ntopology: ") + spec + "\nsymmetry: none\nrounds: ";
        const auto played = [&](const std::string &string) {
            return check(start + std::to_string(string.size()) + "\nmatchings: symbols\nsequence: " + string + "\n");
        };
        EXPECT_EQ(played(smaller + std::string(digits)).verified, GFAB_OK) << spec;
        for (size_t i = 0; i < std::strlen(digits); i++) {
            const Expanded e = played(smaller + std::string(digits).erase(i, 1));
            ASSERT_EQ(e.read, GFAB_OK) << e.diag.message;
            EXPECT_EQ(e.report.fault, GFAB_FAULT_INCOMPLETE) << spec << " without digit " << i;
        }
    }
    for (const char *spec : {"pancake:4", "star:2", "star:4+drop-link=0-6"}) {
        const Topology topology = parse(spec);
        gfab_matchings *made = nullptr;
        gfab_diag diag{};
        EXPECT_EQ(gfab_matchings_create(topology.get(), "symbols", &made, &diag), GFAB_ERR_INVALID) << spec;
        EXPECT_NE(std::string(diag.message).find("for star graphs"), std::string::npos) << diag.message;
    }
}

// A link more at a node that has one: expanded as it stands, and rejected.
TEST(Record, TwoLinksAtANodeAreRejected)
{
    for (const std::string &text : texts()) {
        const gfab_record record = head(text);
        if (record.sequence)
            continue;
        const Topology topology = parse(record.topology);
        std::vector<std::string> lines = lines_of(text);
        std::set<std::string> used;
        std::istringstream in(lines[head_lines].substr(6));
        for (std::string link; in >> link;)
            used.insert(link);
        size_t tried = 0;
        for (const std::string &taken : used) {
            size_t count = 0;
            const gfab_port *ports = gfab_topology_ports(topology.get(), std::stoul(taken), &count);
            for (size_t i = 0; i < count && tried < 10; i++) {
                const gfab_link link = gfab_topology_link(topology.get(), ports[i].link);
                std::vector<std::string> mutant = lines;
                mutant[head_lines] += " " + std::to_string(link.node[0]) + "-" + std::to_string(link.node[1]);
                const Expanded e = expand(text_of(mutant), topology);
                if (e.read != GFAB_OK) // the link itself, or an image of it, is there already
                    continue;
                tried++;
                EXPECT_EQ(e.report.fault, GFAB_FAULT_PORT_BUSY) << record.topology << ": " << e.report.message;
                EXPECT_EQ(e.report.round, 1u);
            }
        }
        EXPECT_GT(tried, 0u) << record.topology;
    }
}

TEST(Record, AutoTakesItAtOnce)
{
    for (const auto &f : figures) {
        const Topology topology = parse(f.spec);
        if (gfab_topology_node_count(topology.get()) > 1024)
            continue; // the tests of the command have these
        const gfab_model model = telephone(gfab_topology_node_count(topology.get()));
        gfab_solver_options options = gfab_solver_options_default();
        for (const char *name : {"auto", "record"}) {
            gfab_schedule *made = nullptr;
            gfab_diag diag{};
            ASSERT_EQ(gfab_solver_find(name)->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK)
                << diag.message;
            const Schedule schedule(made);
            gfab_verify_report report;
            EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), GFAB_OK) << report.message;
            EXPECT_EQ(report.rounds, f.kept) << f.spec;
            EXPECT_STREQ(gfab_schedule_solver(made), "record");
        }
        uint64_t promised = 0;
        EXPECT_EQ(gfab_solver_find("record")->formula(topology.get(), &model, &promised), GFAB_OK);
        EXPECT_EQ(promised, f.kept);
        options.rounds = f.kept - 1;
        gfab_schedule *made = nullptr;
        EXPECT_EQ(gfab_solver_find("record")->solve(topology.get(), &model, &options, &made, nullptr),
                  GFAB_ERR_UNSUPPORTED);
    }
}

TEST(Record, RefusesOtherModelsAndGraphs)
{
    const gfab_solver *solver = gfab_solver_find("record");
    const Topology topology = parse("debruijn:5"), other = parse("debruijn:4"),
                   less = parse("debruijn:5+drop-link=0-1");
    const gfab_model good = telephone(32);
    EXPECT_EQ(gfab_solver_applies(solver, topology.get(), &good, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_solver_applies(solver, other.get(), &good, nullptr), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(gfab_solver_applies(solver, less.get(), &good, nullptr), GFAB_ERR_UNSUPPORTED);
    gfab_model bad[5] = {good, good, good, good, good};
    bad[0].link_mode = GFAB_LINK_HALF;
    bad[1].port_mode = GFAB_PORT_ALL;
    bad[2].packet_tokens = 30;
    bad[3].hop_rounds = 2;
    bad[4].routing = GFAB_ROUTING_CIRCUIT;
    for (const gfab_model &model : bad) {
        gfab_diag diag{};
        EXPECT_EQ(gfab_solver_applies(solver, topology.get(), &model, &diag), GFAB_ERR_UNSUPPORTED);
        EXPECT_NE(std::string(diag.message).find(" is for "), std::string::npos) << diag.message;
    }
    const std::string text = gfab_record_find(topology.get());
    const Expanded e = expand(text, other);
    EXPECT_EQ(e.read, GFAB_ERR_INVALID);
    EXPECT_NE(std::string(e.diag.message).find("for debruijn:5, not for debruijn:4"), std::string::npos);
    const Schedule used = schedule_on(topology, good);
    append(used, 1, 0, 1, 0);
    EXPECT_EQ(gfab_record_expand(text.c_str(), used.get(), nullptr), GFAB_ERR_INVALID);
}

TEST(Record, MalformedTexts)
{
    const std::string top = "gossipfab-record 1\ntopology: ccc:3\nsymmetry: translations\nrounds: 1\n";
    const Topology topology = parse("ccc:3");
    ASSERT_EQ(expand(top + "round: 0-1\n", topology).read, GFAB_OK);
    ASSERT_EQ(expand(top + "round:\n", topology).read, GFAB_OK);
    const struct {
        std::string text;
        size_t line;
        const char *says;
    } bad[] = {{"", 1, "gossipfab-record 1"},
               {"gossipfab-record 2\n", 1, "gossipfab-record 1"},
               {"gossipfab-record 1\nsymmetry: none\n", 2, "topology: "},
               {"gossipfab-record 1\ntopology: ccc:3", 2, "topology: "},
               {"gossipfab-record 1\ntopology: " + std::string(128, 'x') + "\n", 2, "1 to 127 characters"},
               {"gossipfab-record 1\ntopology: ccc:3\nsymmetry: \n", 3, "symmetry: "},
               {"gossipfab-record 1\ntopology: ccc:3\nsymmetry: none\nrounds: x\n", 4, "rounds: "},
               {"gossipfab-record 1\ntopology: ccc:3\nsymmetry: none\nrounds: 99999999\n", 4, "rounds: "},
               {top, 5, "round:"},
               {top + "matchings: \n", 5, "matchings: "},
               {top + "matchings: natural\nround: 0-1\n", 6, "sequence: "},
               {top + "round: 0-1", 5, "unexpected"},
               {top + "round: 0-1 \n", 5, "nodes up to 23"},
               {top + "round: 0-24\n", 5, "nodes up to 23"},
               {top + "round: 0\n", 5, "nodes up to 23"},
               {top + "round: 0-4\n", 5, "no link 0-4"},
               {top + "round: 0-0\n", 5, "no link 0-0"},
               {top + "round: 0-1 3-4\n", 5, "images of each other"},
               {top + "round: 0-1,2-3\n", 5, "unexpected \",2-3"},
               {top + "round: 0-1\nround: 0-1\n", 6, "after 1 rounds"}};
    for (const auto &b : bad) {
        const Expanded e = expand(b.text, topology);
        EXPECT_EQ(e.read, GFAB_ERR_PARSE) << b.text;
        EXPECT_EQ(e.diag.line, b.line) << b.text;
        EXPECT_NE(std::string(e.diag.message).find(b.says), std::string::npos) << e.diag.message;
    }
    for (const char *symmetry : {"translation", "none+translations", "translations+", "+", "complement"}) {
        const Expanded e = expand("gossipfab-record 1\ntopology: ccc:3\nsymmetry: " + std::string(symmetry) +
                                      "\nrounds: 1\nround: 0-1\n",
                                  topology);
        EXPECT_EQ(e.read, GFAB_ERR_PARSE) << symmetry;
        EXPECT_NE(std::string(e.diag.message).find("no symmetry"), std::string::npos) << e.diag.message;
    }
}

// Links that a group brings one link to, counted by hand, two tokens a link.
TEST(Record, SymmetriesActAsDocumented)
{
    const struct {
        const char *spec, *symmetry, *link;
        size_t links;
    } cases[] = {{"ccc:3", "none", "0-1", 1},
                 {"ccc:3", "translations", "0-1", 8},
                 {"ccc:3", "even-translations", "0-1", 4},
                 {"ccc:3", "translations", "0-3", 4},
                 {"ccc:3", "rotation", "0-3", 3},
                 {"ccc:3", "translations+rotation", "0-3", 12},
                 {"butterfly:3", "translations", "0-4", 8},
                 {"butterfly:3", "even-translations", "0-4", 4},
                 {"butterfly:3", "rotation", "0-4", 3},
                 {"debruijn:4", "complement", "1-2", 2},
                 {"debruijn:4", "complement-reversal", "1-2", 2},
                 {"debruijn:3", "complement-reversal", "1-2", 2},
                 {"shuffle-exchange:3", "complement", "2-3", 2},
                 {"shuffle-exchange:4", "complement-reversal", "2-4", 2},
                 {"star:3", "relabel-102", "0-2", 1},
                 {"star:3", "relabel-102", "0-5", 2},
                 {"star:4", "relabel-1023+relabel-1230", "0-6", 12},
                 {"pancake:4", "relabel-1230", "0-6", 4}};
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        const size_t nodes = gfab_topology_node_count(topology.get());
        const Schedule schedule = schedule_on(topology, telephone(nodes));
        const std::string text = std::string("gossipfab-record 1\ntopology: ") + c.spec + "\nsymmetry: " + c.symmetry +
                                 "\nrounds: 1\nround: " + c.link + "\n";
        gfab_diag diag{};
        ASSERT_EQ(gfab_record_expand(text.c_str(), schedule.get(), &diag), GFAB_OK)
            << c.spec << " " << c.symmetry << ": " << diag.message;
        EXPECT_EQ(gfab_schedule_move_count(schedule.get()), 2 * c.links) << c.spec << " " << c.symmetry;
    }
    // Nothing is known of graphs with parts left out.
    for (const char *spec : {"ccc:3+drop-link=0-1", "ccc:3+drop-node=5"}) {
        const Topology topology = parse(spec);
        const Expanded e = expand("gossipfab-record 1\ntopology: " + std::string(gfab_topology_spec(topology.get())) +
                                      "\nsymmetry: rotation\nrounds: 0\n",
                                  topology);
        EXPECT_EQ(e.read, GFAB_ERR_PARSE);
        EXPECT_NE(std::string(e.diag.message).find("is known; there is none"), std::string::npos) << e.diag.message;
    }
}

} // namespace
