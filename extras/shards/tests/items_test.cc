// SPDX-License-Identifier: MIT
// Work items of a search: the same end whoever does which item when, and texts that say what they should.
#include "fixture.h"

#include <algorithm>
#include <map>
#include <random>

namespace
{

using Items = Owner<gfab_items, gfab_items_destroy>;

// Short runs on a graph on which few of them find a short gossip.
struct Question {
    const char *topology = "debruijn:4";
    const char *parameters = "steps=100";
    uint32_t rounds = 0;
    uint64_t first = 3, last = 42;
    uint32_t effort = 1;
    const char *solver = "anneal";
};

gfab_status create(const Question &asked, const Topology &topology, Items *items, gfab_diag *diag)
{
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ONE, 16, 1, GFAB_ROUTING_STORE_AND_FORWARD};
    const gfab_items_question question = {
        gfab_solver_find(asked.solver), asked.parameters, asked.effort, asked.rounds, asked.first, asked.last};
    gfab_items *made = nullptr;
    const gfab_status status = gfab_items_create(topology.get(), &model, nullptr, &question, nullptr, &made, diag);
    items->reset(made);
    return status;
}

Items open_items(const Question &asked, const Topology &topology)
{
    Items items;
    gfab_diag diag{};
    EXPECT_EQ(create(asked, topology, &items, &diag), GFAB_OK) << diag.message;
    return items;
}

Schedule run(const Items &items, uint64_t item)
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_items_run(items.get(), item, nullptr, &schedule, &diag), GFAB_OK) << diag.message;
    return Schedule(schedule);
}

void settle(const Items &items, uint64_t item, const gfab_schedule *schedule)
{
    gfab_diag diag{};
    EXPECT_EQ(gfab_items_settle(items.get(), item, schedule, &diag), GFAB_OK) << diag.message;
}

std::string text_of(const Items &items)
{
    char *text = nullptr;
    size_t size = 0;
    File file(open_memstream(&text, &size));
    gfab_diag diag{};
    EXPECT_EQ(gfab_items_write(items.get(), file.get(), &diag), GFAB_OK) << diag.message;
    file.reset();
    const std::string copy(text, size);
    std::free(text);
    return copy;
}

struct Read {
    Topology topology; // outlives the items
    Items items;
    gfab_status status;
    gfab_diag diag;
};

Read read(const std::string &text)
{
    Read r{};
    const File file(fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
    gfab_topology *topology = nullptr;
    gfab_items *items = nullptr;
    r.status = gfab_items_read(file.get(), nullptr, &topology, &items, &r.diag);
    r.topology.reset(topology);
    r.items.reset(items);
    return r;
}

std::string do_in_order(const Question &asked, const std::vector<uint64_t> &order)
{
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    for (const uint64_t item : order)
        if (item <= gfab_items_limit(items.get()))
            settle(items, item, run(items, item).get());
    EXPECT_EQ(gfab_items_next(items.get(), 0), 0u);
    return text_of(items);
}

std::vector<uint64_t> all_of(const Question &asked)
{
    std::vector<uint64_t> all;
    for (uint64_t item = asked.first; item <= asked.last; item++)
        all.push_back(item);
    return all;
}

TEST(Items, SameBytesInAnyOrder)
{
    std::mt19937 generator(1);
    for (const uint32_t rounds : {0u, 6u, 7u}) {
        Question asked;
        asked.rounds = rounds;
        std::vector<uint64_t> order = all_of(asked);
        const std::string text = do_in_order(asked, order);
        for (int i = 0; i < 5; i++) {
            std::shuffle(order.begin(), order.end(), generator);
            EXPECT_EQ(do_in_order(asked, order), text) << rounds;
        }
    }
}

// The best is what the items' own schedules say, one by one.
TEST(Items, FewestRoundsThenLowestItem)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    std::map<uint32_t, uint64_t> first_with; // rounds: the lowest item
    for (const uint64_t item : all_of(asked)) {
        const Schedule schedule = run(items, item);
        ASSERT_TRUE(schedule);
        first_with.emplace(gfab_schedule_rounds(schedule.get()), item);
    }
    ASSERT_GE(first_with.size(), 2u); // else the case says nothing
    std::vector<uint64_t> order = all_of(asked);
    std::reverse(order.begin(), order.end());
    for (const uint64_t item : order)
        settle(items, item, run(items, item).get());
    uint64_t item = 0;
    const gfab_schedule *best = gfab_items_best(items.get(), &item);
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(gfab_schedule_rounds(best), first_with.begin()->first);
    EXPECT_EQ(item, first_with.begin()->second);
}

TEST(Items, WhatIsAboveOneThatIsEnoughCannotWin)
{
    Question asked;
    asked.rounds = 8;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    settle(items, 40, nullptr);
    settle(items, 5, nullptr);
    EXPECT_EQ(gfab_items_settled(items.get()), 2u);
    uint64_t item = 20;
    Schedule schedule = run(items, item);
    while (!schedule)
        schedule = run(items, ++item);
    settle(items, item, schedule.get());
    EXPECT_EQ(gfab_items_limit(items.get()), item);
    EXPECT_EQ(gfab_items_settled(items.get()), 2u); // 5 and item: 40 is forgotten
    settle(items, 41, nullptr);
    EXPECT_EQ(gfab_items_settled(items.get()), 2u);
    EXPECT_EQ(gfab_items_next(items.get(), 0), 3u);
    EXPECT_EQ(gfab_items_next(items.get(), 5), 6u);
    EXPECT_EQ(gfab_items_next(items.get(), item), 0u);
}

TEST(Items, TextIsReadBack)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    EXPECT_EQ(text_of(items).find("settled none\nbest 0\n") == std::string::npos, false);
    for (const uint64_t item : {3, 4, 5, 9, 41, 42}) {
        settle(items, item, run(items, item).get());
        const Read again = read(text_of(items));
        ASSERT_EQ(again.status, GFAB_OK) << again.diag.line << ": " << again.diag.message;
        EXPECT_EQ(text_of(again.items), text_of(items));
    }
    EXPECT_NE(text_of(items).find("\nsettled 3..5,9,41..42\n"), std::string::npos) << text_of(items);
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Items, TextsThatAreRefused)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    settle(items, 4, run(items, 4).get());
    settle(items, 9, nullptr);
    const std::string good = text_of(items);
    ASSERT_EQ(read(good).status, GFAB_OK);
    const size_t at = good.find("round 1\n");
    const std::string packet = good.substr(at, good.find(':', at) - at);
    const struct {
        std::string from, to;
        gfab_status status;
        size_t line;
        const char *words;
    } bad[] = {
        {"gossipfab-search 1", "gossipfab-search 2", GFAB_ERR_PARSE, 1, "not a search"},
        {"solver anneal", "solver annealing", GFAB_ERR_PARSE, 2, "there is no solver"},
        {"options steps=100", "options stops=100", GFAB_ERR_INVALID, 6, "stops"},
        {"effort 1", "effort 0", GFAB_ERR_PARSE, 4, "a number from 1"},
        {"effort 1", "effort 1x", GFAB_ERR_PARSE, 4, "should end before this"},
        {"rounds 0\nitems", "items", GFAB_ERR_PARSE, 5, "\"rounds\" and a value"},
        {"rounds 0\nitems", "rounds 4\nitems", GFAB_ERR_UNSUPPORTED, 6, "below the lower bound"},
        {"items 3..42", "items 3..2", GFAB_ERR_PARSE, 6, "a number from 3"},
        {"items 3..42", "items 3-42", GFAB_ERR_PARSE, 6, "items are A..B"},
        {"items 3..42", "items 3..2000000", GFAB_ERR_LIMIT, 6, "at most 1000000"},
        {"settled 4,9", "settled 4,43", GFAB_ERR_PARSE, 7, "a number from 6 to 42"},
        {"settled 4,9", "settled 9,4", GFAB_ERR_PARSE, 7, "a number from 11"},
        {"settled 4,9", "settled 4,", GFAB_ERR_PARSE, 7, "a number from"},
        {"settled 4,9", "settled 4;9", GFAB_ERR_PARSE, 7, "should end before this"},
        {"best 4", "best 2", GFAB_ERR_PARSE, 8, "there is no item 2"},
        {"best 4", "best 0", GFAB_ERR_PARSE, 8, "no item is best, but there is a schedule"},
        {"topology debruijn:4", "topology debruijn", GFAB_ERR_PARSE, 10, "debruijn"},
        {"end\n", "", GFAB_ERR_PARSE, 0, "truncated"},
        {packet + ":0", packet + ":5", GFAB_ERR_FAULT, 0, "item 4: "},
        {"link-mode full", "link-mode half", GFAB_ERR_UNSUPPORTED, 6, "full-duplex"},
    };
    for (const auto &b : bad) {
        const Read r = read(replaced(good, b.from, b.to));
        EXPECT_EQ(r.status, b.status) << b.to << ": " << r.diag.message;
        EXPECT_NE(std::string(r.diag.message).find(b.words), std::string::npos) << b.to << ": " << r.diag.message;
        if (b.line != 0) {
            EXPECT_EQ(r.diag.line, b.line) << b.to << ": " << r.diag.message;
        }
        EXPECT_EQ(r.items, nullptr);
        EXPECT_EQ(r.topology, nullptr);
    }
    for (size_t size = 0; size < good.size(); size += 7)
        EXPECT_NE(read(good.substr(0, size)).status, GFAB_OK) << size;
}

// A schedule that lacks a packet is no schedule, whoever says that it is.
TEST(Items, FaultySchedulesAreNotTaken)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    const Schedule good = run(items, 7);
    gfab_schedule *less = nullptr;
    ASSERT_EQ(gfab_schedule_create(topology.get(), gfab_schedule_model(good.get()), &less), GFAB_OK);
    const Schedule faulty(less);
    for (uint32_t round = 1; round < gfab_schedule_rounds(good.get()); round++) {
        gfab_packet_iter packets = gfab_schedule_round(good.get(), round);
        for (gfab_packet p; gfab_packet_next(&packets, &p);)
            ASSERT_EQ(gfab_schedule_append_packet(less, round, p.arcs, p.arc_count, p.tokens, p.token_count), GFAB_OK);
    }
    const std::string before = text_of(items);
    gfab_diag diag{};
    EXPECT_EQ(gfab_items_settle(items.get(), 7, less, &diag), GFAB_ERR_FAULT);
    EXPECT_EQ(std::string(diag.message).find("item 7: "), 0u) << diag.message;
    EXPECT_EQ(text_of(items), before);
    const Topology other = parse("debruijn:3");
    const Schedule small = [&] {
        gfab_schedule *made = nullptr;
        EXPECT_EQ(gfab_schedule_create(other.get(), gfab_schedule_model(good.get()), &made), GFAB_OK);
        return Schedule(made);
    }();
    EXPECT_EQ(gfab_items_settle(items.get(), 7, small.get(), &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_items_settle(items.get(), 43, nullptr, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(text_of(items), before);
}

// Shards that overlap, merged in any order, are the whole.
TEST(Items, ShardsMerge)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const std::string whole = do_in_order(asked, all_of(asked));
    std::vector<std::string> texts;
    for (uint64_t shard = 0; shard < 4; shard++) {
        const Items items = open_items(asked, topology);
        for (const uint64_t item : all_of(asked))
            if (item % 4 == shard || item % 7 == 0)
                settle(items, item, run(items, item).get());
        texts.push_back(text_of(items));
        EXPECT_NE(texts.back(), whole);
    }
    std::mt19937 generator(2);
    for (int i = 0; i < 5; i++) {
        std::shuffle(texts.begin(), texts.end(), generator);
        const Read into = read(texts[0]);
        gfab_diag diag{};
        for (const std::string &text : texts) {
            const Read from = read(text);
            ASSERT_EQ(gfab_items_merge(into.items.get(), from.items.get(), &diag), GFAB_OK) << diag.message;
        }
        EXPECT_EQ(text_of(into.items), whole);
    }
}

TEST(Items, OtherSearchesDoNotMerge)
{
    const Topology topology = parse("debruijn:4"), other = parse("shuffle-exchange:4");
    const Items items = open_items({}, topology);
    const std::pair<Question, const char *> others[] = {
        {{"shuffle-exchange:4"}, "topologies"},
        {{"debruijn:4", "steps=101"}, "solver options"},
        {{"debruijn:4", nullptr}, "solver options"},
        {{"debruijn:4", "steps=100", 7}, "rounds"},
        {{"debruijn:4", "steps=100", 0, 4}, "items"},
        {{"debruijn:4", "steps=100", 0, 3, 43}, "items"},
        {{"debruijn:4", "steps=100", 0, 3, 42, 2}, "efforts"},
        {{"debruijn:4", nullptr, 0, 3, 42, 1, "sat"}, "solvers"},
    };
    for (const auto &[asked, what] : others) {
        gfab_diag diag{};
        const Items with = open_items(asked, asked.topology == std::string("debruijn:4") ? topology : other);
        EXPECT_EQ(gfab_items_merge(items.get(), with.get(), &diag), GFAB_ERR_INVALID);
        EXPECT_EQ(diag.message, "another search: the " + std::string(what) + " are different");
    }
}

TEST(Items, QuestionsThatAreRefused)
{
    const Topology topology = parse("debruijn:4");
    const std::pair<Question, gfab_status> bad[] = {
        {{"debruijn:4", nullptr, 0, 0, 5}, GFAB_ERR_INVALID},
        {{"debruijn:4", nullptr, 0, 6, 5}, GFAB_ERR_INVALID},
        {{"debruijn:4", nullptr, 0, 1, 1000001}, GFAB_ERR_LIMIT},
        {{"debruijn:4", nullptr, 0, 1, 5, 0}, GFAB_ERR_INVALID},
        {{"debruijn:4", "steps", 0, 1, 5}, GFAB_ERR_INVALID},
        {{"debruijn:4", nullptr, 4, 1, 5}, GFAB_ERR_UNSUPPORTED},
        {{"debruijn:4", nullptr, 0, 1, 5, 1, "search"}, GFAB_ERR_UNSUPPORTED},
        {{"debruijn:4", nullptr, 0, 1, 5, 1, "reversed"}, GFAB_ERR_UNSUPPORTED},
    };
    for (const auto &[asked, status] : bad) {
        Items items;
        gfab_diag diag{};
        EXPECT_EQ(create(asked, topology, &items, &diag), status) << diag.message;
        EXPECT_NE(diag.message[0], '\0');
        EXPECT_EQ(items, nullptr);
    }
}

// Item k is what the solver makes with seed k, and a graph under other numbers is solved as what it is.
TEST(Items, AnItemIsASeed)
{
    Question asked;
    const Topology topology = parse(asked.topology);
    const Items items = open_items(asked, topology);
    gfab_solver_options options = gfab_solver_options_default();
    options.seed = 11;
    options.effort = 1;
    options.parameters = asked.parameters;
    const Schedule mine = run(items, 11);
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(
        gfab_solver_find("anneal")->solve(topology.get(), gfab_schedule_model(mine.get()), &options, &made, &diag),
        GFAB_OK);
    const Schedule theirs(made);
    const Topology again = parse(asked.topology);
    const Items a = open_items(asked, topology), b = open_items(asked, again);
    settle(a, 11, mine.get());
    settle(b, 11, theirs.get());
    EXPECT_EQ(text_of(a), text_of(b));
}

} // namespace
