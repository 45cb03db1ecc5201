// SPDX-License-Identifier: MIT
#include <gossipfab/schedule/schedule.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace
{

struct TopologyDelete {
    void operator()(gfab_topology *t) const { gfab_topology_destroy(t); }
};
struct ScheduleDelete {
    void operator()(gfab_schedule *s) const { gfab_schedule_destroy(s); }
};
struct FileClose {
    void operator()(FILE *f) const { std::fclose(f); }
};
using Topology = std::unique_ptr<gfab_topology, TopologyDelete>;
using Schedule = std::unique_ptr<gfab_schedule, ScheduleDelete>;
using File = std::unique_ptr<FILE, FileClose>;
using Numbers = std::vector<uint32_t>;

struct Packet {
    Numbers arcs, tokens;
    bool operator==(const Packet &o) const { return arcs == o.arcs && tokens == o.tokens; }
};

Topology parse(const char *spec)
{
    gfab_topology *t = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse(spec, &t, &diag), GFAB_OK) << diag.message;
    return Topology(t);
}

Schedule create(const gfab_topology *t, const gfab_model &m = gfab_model_default())
{
    gfab_schedule *s = nullptr;
    EXPECT_EQ(gfab_schedule_create(t, &m, &s), GFAB_OK);
    return Schedule(s);
}

gfab_arc arc(const gfab_schedule *s, uint32_t from, uint32_t to)
{
    gfab_arc a = 0;
    EXPECT_TRUE(gfab_topology_find_arc(gfab_schedule_topology(s), from, to, &a));
    return a;
}

// Appends a packet along a path of nodes.
void append(gfab_schedule *s, uint32_t round, const Numbers &nodes, const Numbers &tokens)
{
    Numbers arcs;
    for (size_t i = 1; i < nodes.size(); i++)
        arcs.push_back(arc(s, nodes[i - 1], nodes[i]));
    EXPECT_EQ(gfab_schedule_append_packet(s, round, arcs.data(), arcs.size(), tokens.data(), tokens.size()), GFAB_OK);
}

std::vector<Packet> packets(const gfab_schedule *s, uint32_t round)
{
    std::vector<Packet> result;
    gfab_packet_iter it = gfab_schedule_round(s, round);
    gfab_packet p;
    while (gfab_packet_next(&it, &p))
        result.push_back({Numbers(p.arcs, p.arcs + p.arc_count), Numbers(p.tokens, p.tokens + p.token_count)});
    return result;
}

std::string text_of(const gfab_schedule *s, bool csv = false, gfab_status expected = GFAB_OK)
{
    const File file(std::tmpfile());
    gfab_diag diag{};
    EXPECT_EQ(csv ? gfab_schedule_write_csv(s, file.get(), nullptr, &diag)
                  : gfab_schedule_write(s, file.get(), nullptr, &diag),
              expected)
        << diag.message;
    std::rewind(file.get());
    std::string text;
    for (int c; (c = std::fgetc(file.get())) != EOF;)
        text.push_back(static_cast<char>(c));
    return text;
}

File file_of(const std::string &text)
{
    File file(std::tmpfile());
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file.get()), text.size());
    std::rewind(file.get());
    return file;
}

gfab_status read(const std::string &text, Topology &t, Schedule &s, gfab_diag *diag)
{
    const File file = file_of(text);
    gfab_topology *topology = nullptr;
    gfab_schedule *schedule = nullptr;
    const gfab_status status = gfab_schedule_read(file.get(), nullptr, &topology, &schedule, diag);
    s.reset(schedule);
    t.reset(topology);
    return status;
}

// A short file must not ask for gigabytes.
TEST(ScheduleFile, LoadsThatAreTooLargeAreRefused)
{
    const std::string header = "gossipfab-schedule 1\ntopology mesh:100x100\nlink-mode half\nport-mode all\n"
                               "packet-tokens 1\nhop-rounds 1\nsolver -\n";
    for (const char *parts : {"parts 65537\n", "parts 100000000\n", "parts 3\n"}) {
        gfab_diag diag = {0, ""};
        Topology t;
        Schedule s;
        EXPECT_EQ(read(header + parts + "rounds 0\npackets 0\nend\n", t, s, &diag), GFAB_ERR_LIMIT) << parts;
        EXPECT_NE(std::string(diag.message).find("supported"), std::string::npos) << diag.message;
    }
    Topology t;
    Schedule s;
    EXPECT_EQ(read(header + "parts 2\nrounds 0\npackets 0\nend\n", t, s, nullptr), GFAB_OK);
}

TEST(ScheduleFile, AMissingLineIsSeenBeforeTheTopologyIsMade)
{
    gfab_diag diag = {0, ""};
    Topology t;
    Schedule s;
    EXPECT_EQ(read("gossipfab-schedule 1\ntopology torus:1000000x1000000\n", t, s, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(diag.line, 3u);
    EXPECT_NE(std::string(diag.message).find("link-mode"), std::string::npos) << diag.message;
}

TEST(Schedule, AnEmptyOneHasNoRounds)
{
    const Topology t = parse("mesh:2x2");
    const Schedule s = create(t.get());
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 0u);
    EXPECT_EQ(gfab_schedule_packet_count(s.get()), 0u);
    EXPECT_EQ(gfab_schedule_move_count(s.get()), 0u);
    EXPECT_TRUE(packets(s.get(), 0).empty());
    EXPECT_TRUE(packets(s.get(), 1).empty());
    EXPECT_STREQ(gfab_schedule_solver(s.get()), "");
    EXPECT_EQ(gfab_schedule_topology(s.get()), t.get());
    gfab_schedule_destroy(nullptr);
}

TEST(Schedule, KeepsItsModelAndRefusesABadOne)
{
    const Topology t = parse("mesh:2x2");
    gfab_model m = {GFAB_LINK_FULL, GFAB_PORT_ONE, 3, 4, GFAB_ROUTING_STORE_AND_FORWARD};
    const Schedule s = create(t.get(), m);
    EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(s.get()), &m));
    m.packet_tokens = 0;
    gfab_schedule *none = nullptr;
    EXPECT_EQ(gfab_schedule_create(t.get(), &m, &none), GFAB_ERR_INVALID);
    EXPECT_EQ(none, nullptr);
}

TEST(Schedule, KeepsPacketsInTheOrderOfAppending)
{
    const Topology t = parse("path:5");
    const Schedule s = create(t.get());
    append(s.get(), 1, {4, 3}, {4});
    append(s.get(), 1, {0, 1}, {0});
    append(s.get(), 4, {0, 1, 2, 3}, {0, 4, 2});
    append(s.get(), 4, {1, 0}, {3});
    append(s.get(), 4, {1, 2}, {});
    append(s.get(), 4, {2, 3}, {1, 0});
    append(s.get(), 7, {3, 4}, {3});
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 7u);
    EXPECT_EQ(gfab_schedule_packet_count(s.get()), 7u);
    EXPECT_EQ(gfab_schedule_move_count(s.get()), 9u);
    EXPECT_EQ(packets(s.get(), 1), (std::vector<Packet>{{{7}, {4}}, {{0}, {0}}}));
    for (const uint32_t round : {0u, 2u, 3u, 5u, 6u, 8u, UINT32_MAX})
        EXPECT_TRUE(packets(s.get(), round).empty()) << round;
    EXPECT_EQ(packets(s.get(), 4), (std::vector<Packet>{{{0, 2, 4}, {0, 4, 2}}, {{1}, {3}}, {{2}, {}}, {{4}, {1, 0}}}));
    EXPECT_EQ(packets(s.get(), 7), (std::vector<Packet>{{{6}, {3}}}));
}

TEST(Schedule, AppendRefusesWhatDoesNotExist)
{
    const Topology t = parse("path:3"); // arcs 0..3, tokens 0..2
    const Schedule s = create(t.get());
    gfab_schedule *p = s.get();
    EXPECT_EQ(gfab_schedule_append(p, 0, 0, 0), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(p, 1, 4, 0), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(p, 1, 0, 3), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(p, GFAB_MAX_ROUNDS + 1, 0, 0), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_append(p, UINT32_MAX, 0, 0), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_rounds(p), 0u);
    EXPECT_EQ(gfab_schedule_append(p, 2, 3, 2), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append(p, 1, 0, 0), GFAB_ERR_INVALID);
    const gfab_arc arcs[2] = {0, 4};
    const uint32_t tokens[2] = {0, 3};
    EXPECT_EQ(gfab_schedule_append_packet(p, 2, arcs, 2, tokens, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(p, 2, arcs, 1, tokens, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(p, 2, arcs, 0, tokens, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(p, 1, arcs, 1, tokens, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_packet_count(p), 1u);
    EXPECT_EQ(gfab_schedule_rounds(p), 2u);
}

TEST(Schedule, TakesAllPacketsOfAnother)
{
    const Topology line = parse("path:4"), shorter = parse("path:3");
    const Schedule from = create(line.get()), to = create(line.get()), less = create(shorter.get());
    append(from.get(), 1, {0, 1, 2}, {0});
    append(from.get(), 1, {1, 0}, {1});
    append(from.get(), 4, {3, 2}, {3, 2});
    EXPECT_EQ(gfab_schedule_append_all(to.get(), from.get()), GFAB_OK);
    for (uint32_t round = 1; round <= 4; round++)
        EXPECT_EQ(packets(to.get(), round), packets(from.get(), round)) << round;
    EXPECT_EQ(gfab_schedule_rounds(to.get()), 4u);
    EXPECT_EQ(gfab_schedule_append_all(to.get(), from.get()), GFAB_ERR_INVALID); // rounds would fall
    EXPECT_EQ(gfab_schedule_append_all(less.get(), from.get()), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_packet_count(less.get()), 2u);
}

TEST(Schedule, HoldsManyPackets)
{
    const Topology t = parse("mesh:8x8");
    const Schedule s = create(t.get());
    const uint32_t arcs = static_cast<uint32_t>(2 * gfab_topology_link_count(t.get()));
    for (uint32_t i = 0; i < 300000; i++)
        ASSERT_EQ(gfab_schedule_append(s.get(), 1 + i / 1000, i % arcs, i % 64), GFAB_OK);
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 300u);
    for (uint32_t round = 1; round <= 300; round++) {
        const std::vector<Packet> got = packets(s.get(), round);
        ASSERT_EQ(got.size(), 1000u);
        for (uint32_t i = 0; i < 1000; i++) {
            const uint32_t k = (round - 1) * 1000 + i;
            ASSERT_EQ(got[i], (Packet{{k % arcs}, {k % 64}}));
        }
    }
}

TEST(Schedule, SolverNamesAreChecked)
{
    const Topology t = parse("path:2");
    const Schedule s = create(t.get());
    EXPECT_EQ(gfab_schedule_set_solver(s.get(), "lau-zhang-2"), GFAB_OK);
    for (const char *bad : {"-", "a b", "a_b", "a\n", "\xc3\xa9"})
        EXPECT_EQ(gfab_schedule_set_solver(s.get(), bad), GFAB_ERR_INVALID) << bad;
    EXPECT_EQ(gfab_schedule_set_solver(s.get(), std::string(64, 'a').c_str()), GFAB_ERR_INVALID);
    EXPECT_STREQ(gfab_schedule_solver(s.get()), "lau-zhang-2");
    EXPECT_EQ(gfab_schedule_set_solver(s.get(), std::string(63, 'a').c_str()), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_solver(s.get(), ""), GFAB_OK);
    EXPECT_STREQ(gfab_schedule_solver(s.get()), "");
}

const char *const golden = "gossipfab-schedule 1\n"
                           "topology path:4\n"
                           "link-mode full\n"
                           "port-mode one\n"
                           "packet-tokens 3\n"
                           "hop-rounds 2\n"
                           "solver by-hand\n"
                           "rounds 12\n"
                           "packets 9\n"
                           "round 2\n"
                           "0 1:0\n"
                           "0 1:0 2\n"
                           "0 1:3 0\n"
                           "0 1 2:0\n"
                           "0 1 2 3:0\n"
                           "2 1:0\n"
                           "2 3:1\n"
                           "round 12\n"
                           "1 0:1 0\n"
                           "3 2:3\n"
                           "end\n";

TEST(ScheduleText, IsSortedWhateverTheOrderOfAppending)
{
    const Topology t = parse("path:4");
    const std::vector<std::pair<Numbers, Numbers>> second = {{{0, 1}, {0}},    {{0, 1}, {0, 2}},    {{0, 1}, {3, 0}},
                                                             {{0, 1, 2}, {0}}, {{0, 1, 2, 3}, {0}}, {{2, 1}, {0}},
                                                             {{2, 3}, {1}}};
    for (size_t shift = 0; shift < second.size(); shift++)
        for (const size_t step : {1u, 3u, 6u}) {
            const Schedule s = create(t.get(), {GFAB_LINK_FULL, GFAB_PORT_ONE, 3, 2, GFAB_ROUTING_STORE_AND_FORWARD});
            for (size_t i = 0; i < second.size(); i++) {
                const auto &p = second[(shift + step * i) % second.size()];
                append(s.get(), 2, p.first, p.second);
            }
            append(s.get(), 12, {3, 2}, {3});
            append(s.get(), 12, {1, 0}, {1, 0});
            EXPECT_EQ(gfab_schedule_set_solver(s.get(), "by-hand"), GFAB_OK);
            EXPECT_EQ(text_of(s.get()), golden);
        }
}

TEST(ScheduleText, ReadsBackWhatItWrote)
{
    Topology t;
    Schedule s;
    gfab_diag diag{};
    ASSERT_EQ(read(golden, t, s, &diag), GFAB_OK) << diag.message;
    EXPECT_STREQ(gfab_topology_name(t.get()), "path:4");
    EXPECT_STREQ(gfab_schedule_solver(s.get()), "by-hand");
    EXPECT_EQ(gfab_schedule_rounds(s.get()), 12u);
    EXPECT_EQ(packets(s.get(), 2).size(), 7u);
    EXPECT_EQ(packets(s.get(), 12), (std::vector<Packet>{{{1}, {1, 0}}, {{5}, {3}}}));
    EXPECT_EQ(text_of(s.get()), golden);
}

TEST(ScheduleText, AnEmptyScheduleReadsBack)
{
    const Topology t = parse("torus:3x3");
    const Schedule s = create(t.get());
    const std::string text = text_of(s.get());
    EXPECT_EQ(text, "gossipfab-schedule 1\ntopology torus:3x3\nlink-mode half\nport-mode all\npacket-tokens 1\n"
                    "hop-rounds 1\nsolver -\nrounds 0\npackets 0\nend\n");
    Topology back_t;
    Schedule back;
    ASSERT_EQ(read(text, back_t, back, nullptr), GFAB_OK);
    EXPECT_EQ(text_of(back.get()), text);
}

TEST(ScheduleText, ReadsEarlierFilesWordForCircuits)
{
    std::string text = golden;
    text.insert(text.find("solver"), "routing circuit\n");
    std::string earlier = golden;
    earlier.insert(earlier.find("solver"), "routing wormhole\n");
    Topology t;
    Schedule s;
    gfab_diag diag{};
    ASSERT_EQ(read(earlier, t, s, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_schedule_model(s.get())->routing, GFAB_ROUTING_CIRCUIT);
    EXPECT_EQ(text_of(s.get()), text);
}

TEST(ScheduleText, SkipsCommentsAndEmptyLinesAndTakesAnyOrderInARound)
{
    std::string text = golden;
    text.replace(text.find("0 1:0\n"), 6, "");
    text.insert(text.find("round 12"), "# a comment, \xc3\xa9\n\n0 1:0\n");
    text.insert(text.find("topology"), "#\n\n");
    text.insert(text.find("end\n"), "\n");
    Topology t;
    Schedule s;
    gfab_diag diag{};
    ASSERT_EQ(read(text, t, s, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(text_of(s.get()), golden);
}

TEST(ScheduleText, EveryTruncationAndEveryExtensionIsRefused)
{
    const std::string text = golden;
    for (size_t length = 0; length < text.size(); length++) {
        Topology t;
        Schedule s;
        gfab_diag diag{};
        EXPECT_EQ(read(text.substr(0, length), t, s, &diag), GFAB_ERR_PARSE) << length;
        EXPECT_GE(diag.line, 1u);
        EXPECT_LE(diag.line, 21u);
        EXPECT_FALSE(t || s);
    }
    for (const char *tail : {"\n", " ", "end\n", "# comment\n", "x"}) {
        Topology t;
        Schedule s;
        EXPECT_EQ(read(text + tail, t, s, nullptr), GFAB_ERR_PARSE) << tail;
    }
}

TEST(ScheduleText, LongLinesAreRead)
{
    const Topology t = parse("path:20000");
    const Schedule s = create(t.get(), {GFAB_LINK_FULL, GFAB_PORT_ALL, 20000, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    Numbers nodes, tokens;
    for (uint32_t i = 0; i < 20000; i++) {
        nodes.push_back(i);
        tokens.push_back(19999 - i);
    }
    append(s.get(), 3, nodes, tokens);
    const std::string text = text_of(s.get());
    Topology back_t;
    Schedule back;
    gfab_diag diag{};
    ASSERT_EQ(read(text, back_t, back, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(packets(back.get(), 3), packets(s.get(), 3));
    EXPECT_EQ(text_of(back.get()), text);
}

TEST(ScheduleText, WhatHasNoTextFormIsRefusedBeforeAByteIsWritten)
{
    const Topology t = parse("path:4");
    const uint32_t token = 0;
    const Schedule no_token = create(t.get());
    append(no_token.get(), 1, {0, 1}, {0});
    append(no_token.get(), 1, {1, 2}, {});
    EXPECT_EQ(text_of(no_token.get(), false, GFAB_ERR_UNSUPPORTED), "");
    const Schedule broken = create(t.get());
    const gfab_arc arcs[2] = {arc(broken.get(), 0, 1), arc(broken.get(), 2, 3)};
    ASSERT_EQ(gfab_schedule_append_packet(broken.get(), 1, arcs, 2, &token, 1), GFAB_OK);
    EXPECT_EQ(text_of(broken.get(), false, GFAB_ERR_UNSUPPORTED), "");
    const Schedule two_links = create(t.get());
    append(two_links.get(), 1, {0, 1, 2}, {0});
    EXPECT_EQ(text_of(two_links.get(), true, GFAB_ERR_UNSUPPORTED), "");
    const Schedule two_tokens = create(t.get());
    append(two_tokens.get(), 1, {0, 1}, {0, 1});
    EXPECT_EQ(text_of(two_tokens.get(), true, GFAB_ERR_UNSUPPORTED), "");
}

TEST(ScheduleText, CsvIsSortedAndReadsBack)
{
    const Topology t = parse("path:12");
    const gfab_model m = gfab_model_default();
    const Schedule s = create(t.get());
    append(s.get(), 1, {10, 11}, {10});
    append(s.get(), 1, {2, 3}, {11});
    append(s.get(), 1, {2, 3}, {2});
    append(s.get(), 1, {2, 1}, {5});
    append(s.get(), 10, {0, 1}, {0});
    const std::string text = text_of(s.get(), true);
    EXPECT_EQ(text, "round,from,to,token\n1,2,1,5\n1,2,3,2\n1,2,3,11\n1,10,11,10\n10,0,1,0\n");
    const File file = file_of(text);
    gfab_schedule *back = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_schedule_read_csv(file.get(), t.get(), &m, nullptr, nullptr, &back, &diag), GFAB_OK) << diag.message;
    const Schedule owned(back);
    EXPECT_EQ(text_of(back, true), text);
    EXPECT_EQ(text_of(back), text_of(s.get()));
    gfab_model bad = m;
    bad.hop_rounds = 0;
    gfab_schedule *none = nullptr;
    EXPECT_EQ(gfab_schedule_read_csv(file.get(), t.get(), &bad, nullptr, nullptr, &none, nullptr), GFAB_ERR_INVALID);
}

TEST(ScheduleText, AFullDiskAndAFolderAreIoErrors)
{
    const Topology t = parse("path:4");
    const gfab_model m = gfab_model_default();
    const Schedule s = create(t.get());
    append(s.get(), 1, {0, 1}, {0});
    gfab_diag diag{};
    if (const File full{std::fopen("/dev/full", "w")}) {
        EXPECT_EQ(gfab_schedule_write(s.get(), full.get(), nullptr, &diag), GFAB_ERR_IO);
        EXPECT_NE(std::string(diag.message).find("No space left"), std::string::npos) << diag.message;
        EXPECT_EQ(gfab_schedule_write_csv(s.get(), full.get(), nullptr, &diag), GFAB_ERR_IO);
    }
    const File folder(std::fopen("/", "r"));
    ASSERT_TRUE(folder);
    gfab_topology *topology = nullptr;
    gfab_schedule *schedule = nullptr;
    EXPECT_EQ(gfab_schedule_read(folder.get(), nullptr, &topology, &schedule, &diag), GFAB_ERR_IO);
    EXPECT_EQ(gfab_schedule_read_csv(folder.get(), t.get(), &m, nullptr, nullptr, &schedule, &diag), GFAB_ERR_IO);
    EXPECT_NE(std::string(diag.message).find("cannot read: "), std::string::npos);
}

TEST(ScheduleText, TheDocumentedFormatIsTheWrittenOne)
{
    std::ifstream page(GFAB_SOURCE_DIR "/docs/reference/schedule-format.md");
    std::stringstream text;
    text << page.rdbuf();
    const Topology t = parse("mesh:2x2");
    const Schedule s = create(t.get());
    const uint32_t ring[4] = {0, 1, 3, 2};
    for (uint32_t round = 1; round <= 3; round++)
        for (uint32_t i = 0; i < 4; i++)
            append(s.get(), round, {ring[i], ring[(i + 1) % 4]}, {ring[(i + 5 - round) % 4]});
    EXPECT_EQ(gfab_schedule_set_solver(s.get(), "lau-zhang"), GFAB_OK);
    const std::string written = text_of(s.get());
    const std::string header = written.substr(0, written.find("round 1\n"));
    EXPECT_NE(text.str().find(header), std::string::npos) << header;
    const std::string csv = text_of(s.get(), true);
    EXPECT_NE(text.str().find(csv.substr(0, csv.find('\n') + 1)), std::string::npos);
}

} // namespace
