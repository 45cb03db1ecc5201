// SPDX-License-Identifier: MIT
// Schedules in the formats of other tools: what is written and read back is the same .gfs; without what only gossipfab
// reads, the same moves come back in rounds that the checker accepts.
#include "collective_fixture.h"

#include <random>
#include <regex>
#include <set>
#include <unistd.h>
#include <vector>

namespace
{

std::string written(gfab_format_write *write, const gfab_schedule *schedule, gfab_status expected = GFAB_OK)
{
    char *text = nullptr;
    size_t size = 0;
    gfab_diag diag = {0, ""};
    FILE *file = open_memstream(&text, &size);
    EXPECT_EQ(write(schedule, file, nullptr, &diag), expected) << diag.message;
    fclose(file);
    std::string result(text, size);
    free(text);
    return result;
}

// The .gfs of what other formats can say: of a schedule that repeats the packets of every group.
std::string plain_text(const Schedule &schedule)
{
    if (!gfab_schedule_period(schedule.get()))
        return written(gfab_schedule_write, schedule.get());
    const Schedule plain = unrolled(schedule);
    EXPECT_EQ(gfab_schedule_set_solver(plain.get(), gfab_schedule_solver(schedule.get())), GFAB_OK);
    return written(gfab_schedule_write, plain.get());
}

struct ReadBack {
    Topology topology;
    Schedule schedule;
    gfab_diag diag = {0, ""};
    gfab_status status = GFAB_OK;
};

ReadBack read(const gfab_format *format, std::string text, const gfab_format_options &options)
{
    ReadBack r;
    gfab_topology *topology = nullptr;
    gfab_schedule *schedule = nullptr;
    const File file(fmemopen(text.data(), text.size(), "r"));
    r.status = format->read(file.get(), &options, &topology, &schedule, &r.diag);
    r.topology.reset(topology);
    r.schedule.reset(schedule);
    return r;
}

Topology random_graph(std::mt19937_64 &random)
{
    for (;;) {
        gfab_topology *topology = nullptr;
        const unsigned n = 3 + random() % 7, most = n * (n - 1) / 2, m = n - 1 + random() % (most - n + 2);
        const std::string spec =
            "random:n=" + std::to_string(n) + ",m=" + std::to_string(m) + ",seed=" + std::to_string(random() % 1000);
        if (gfab_topology_parse(spec.c_str(), &topology, nullptr) == GFAB_OK) // not all are connected
            return Topology(topology);
    }
}

// A schedule of some collective; null where no solver makes one.
Schedule random_schedule(std::mt19937_64 &random, const Topology &topology)
{
    gfab_model model = gfab_model_default();
    gfab_solver_options options = gfab_solver_options_default();
    gfab_goal goal;
    const auto collective = static_cast<gfab_collective>(random() % GFAB_COLLECTIVES);
    model.link_mode = random() % 2 ? GFAB_LINK_FULL : GFAB_LINK_HALF;
    EXPECT_EQ(gfab_goal_of(collective, gfab_topology_node_count(topology.get()), &goal, nullptr), GFAB_OK);
    if (gfab_collective_has_root(collective))
        goal.root = static_cast<uint32_t>(random() % gfab_topology_node_count(topology.get()));
    options.goal = collective == GFAB_ALL_GATHER ? nullptr : &goal;
    gfab_schedule *made = nullptr;
    const gfab_status status = gfab_solver_find("auto")->solve(topology.get(), &model, &options, &made, nullptr);
    return Schedule(status == GFAB_OK ? made : nullptr);
}

std::multiset<std::string> moves(const gfab_schedule *schedule)
{
    std::multiset<std::string> all;
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    gfab_packet p;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++)
        for (gfab_packet_iter it = gfab_schedule_round(schedule, round); gfab_packet_next(&it, &p);)
            for (size_t i = 0; i < p.token_count; i++)
                all.insert(std::to_string(gfab_topology_arc_from(topology, p.arcs[0])) + ">" +
                           std::to_string(gfab_topology_arc_to(topology, p.arcs[0])) + ":" +
                           std::to_string(p.tokens[i]));
    return all;
}

// As another tool would have written it.
std::string without_ours(const std::string &format, std::string text)
{
    if (format == "sccl") {
        text = std::regex_replace(text, std::regex(" \"gossipfab\": [^\\n]*\\n"), "");
        return std::regex_replace(text, std::regex(", \"combine\": \\[[^\\]]*\\]"), "");
    }
    text.erase(0, text.find("-->") + 4);
    return std::regex_replace(text, std::regex(" block=\"\\d+\" round=\"\\d+\" place=\"\\d+\""), "");
}

class Formats : public testing::TestWithParam<const char *>
{
};

void check_own(const gfab_format *format, const Schedule &schedule, const std::string &text)
{
    const ReadBack own = read(format, text, gfab_format_options_default(format));
    ASSERT_EQ(own.status, GFAB_OK) << own.diag.line << ": " << own.diag.message;
    ASSERT_EQ(written(gfab_schedule_write, own.schedule.get()), plain_text(schedule));
    ASSERT_EQ(written(format->write, own.schedule.get()), text);
}

void check_foreign(const gfab_format *format, const gfab_schedule *schedule, const std::string &text)
{
    gfab_format_options options = gfab_format_options_default(format);
    options.model = *gfab_schedule_model(schedule);
    const ReadBack foreign = read(format, without_ours(format->name, text), options);
    ASSERT_EQ(foreign.status, GFAB_OK) << foreign.diag.line << ": " << foreign.diag.message << text;
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(gfab_schedule_topology(foreign.schedule.get()), &options.model, foreign.schedule.get(),
                          nullptr, &report),
              GFAB_OK)
        << report.message;
    EXPECT_EQ(moves(foreign.schedule.get()), moves(schedule));
    EXPECT_LE(gfab_schedule_rounds(foreign.schedule.get()), gfab_schedule_rounds(schedule));
}

TEST_P(Formats, GiveBackWhatWasWritten)
{
    const gfab_format *format = gfab_format_find(GetParam());
    ASSERT_TRUE(format);
    std::mt19937_64 random(1);
    for (int done = 0; done < 200 && !HasFatalFailure();) {
        const Topology topology = random_graph(random);
        const Schedule schedule = random_schedule(random, topology);
        if (!schedule || (strcmp(GetParam(), "msccl") == 0 &&
                          gfab_schedule_goal(schedule.get()).collective == GFAB_BARRIER)) // which MSCCL has not
            continue;
        SCOPED_TRACE(gfab_topology_spec(topology.get()));
        const std::string text = written(format->write, schedule.get());
        check_own(format, schedule, text);
        if (!gfab_schedule_goal(schedule.get()).idempotent) // which only our files say
            check_foreign(format, schedule.get(), text);
        done++;
    }
}

struct Traces {
    const gfab_schedule *schedule;
    std::vector<std::string> texts;
};

FILE *open_trace(void *context, uint32_t rank)
{
    auto &texts = static_cast<Traces *>(context)->texts;
    return rank < texts.size() ? fmemopen(texts[rank].data(), texts[rank].size(), "r") : nullptr;
}

TEST(Chakra, GivesBackWhatWasWritten)
{
    std::mt19937_64 random(2);
    for (int done = 0; done < 200;) {
        const Topology topology = random_graph(random);
        const Schedule schedule = random_schedule(random, topology);
        if (!schedule)
            continue;
        const bool hook = gfab_chakra_hook(gfab_schedule_goal(schedule.get()).collective);
        Traces traces{schedule.get(), {}};
        for (uint32_t rank = 0; rank < gfab_topology_node_count(topology.get()); rank++) {
            char *text = nullptr;
            size_t size = 0;
            FILE *file = open_memstream(&text, &size);
            ASSERT_EQ(gfab_chakra_write(schedule.get(), rank, 64, file, nullptr),
                      hook ? GFAB_OK : GFAB_ERR_UNSUPPORTED);
            fclose(file);
            traces.texts.emplace_back(text, size);
            free(text);
        }
        if (!hook)
            continue;
        FILE *workload = tmpfile();
        EXPECT_EQ(gfab_chakra_write_workload(schedule.get(), INT64_MAX, workload, nullptr), GFAB_ERR_LIMIT);
        fclose(workload);
        gfab_topology *graph = nullptr;
        gfab_schedule *read = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_chakra_read(open_trace, &traces, &graph, &read, &diag), GFAB_OK) << diag.message;
        const Topology owner(graph);
        const Schedule again(read);
        ASSERT_EQ(written(gfab_schedule_write, read), plain_text(schedule));
        traces.texts.pop_back();
        graph = nullptr;
        EXPECT_EQ(gfab_chakra_read(open_trace, &traces, &graph, &read, &diag), GFAB_ERR_IO);
        done++;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Formats, testing::Values("sccl", "msccl"),
                         [](const auto &info) { return std::string(info.param); });

TEST(FormatsTable, FindsByNameAndFirstByte)
{
    std::set<std::string> names;
    const gfab_format *format;
    for (size_t i = 0; (format = gfab_format_at(i)); i++) {
        EXPECT_TRUE(names.insert(format->name).second);
        EXPECT_EQ(gfab_format_find(format->name), format);
        EXPECT_TRUE(format->write || format->write_graph || format->folder);
        EXPECT_TRUE(!format->first || gfab_format_of_first(format->first) == format);
    }
    EXPECT_FALSE(gfab_format_find("xml"));
    EXPECT_FALSE(gfab_format_of_first('!'));
}

std::set<std::pair<uint32_t, uint32_t>> links_of(const gfab_topology *topology)
{
    std::set<std::pair<uint32_t, uint32_t>> links;
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        links.insert(std::minmax(link.node[0], link.node[1]));
    }
    return links;
}

// Equal graphs come back; in their files links have no numbers, so that those of grids change.
TEST(FormatsTable, GraphsComeBack)
{
    char path[] = "/tmp/gossipfab-formats-XXXXXX";
    const int descriptor = mkstemp(path);
    ASSERT_GE(descriptor, 0);
    close(descriptor);
    for (const char *name : {"graphml", "smi"})
        for (const char *spec : {"path:2", "mesh:3x4", "torus:4x5", "ccc:3", "debruijn:5", "cycle:101",
                                 "mesh:4x4+drop-link=5-6", "shuffle-exchange:4"}) {
            const Topology topology = parse(spec);
            const File file(fopen(path, "w"));
            ASSERT_EQ(gfab_format_find(name)->write_graph(topology.get(), file.get(), nullptr), GFAB_OK) << spec;
            const Topology again = parse(std::string("file:") + path);
            ASSERT_TRUE(again) << name << " " << spec;
            EXPECT_EQ(gfab_topology_node_count(again.get()), gfab_topology_node_count(topology.get()));
            EXPECT_EQ(links_of(again.get()), links_of(topology.get())) << name << " " << spec;
        }
    gfab_diag diag{};
    EXPECT_EQ(gfab_format_find("smi")->write_graph(parse("complete:6").get(), stdout, &diag), GFAB_ERR_UNSUPPORTED);
    std::remove(path);
}

gfab_arc arc_of(const Topology &topology, uint32_t from, uint32_t to)
{
    gfab_arc arc = 0;
    EXPECT_TRUE(gfab_topology_find_arc(topology.get(), from, to, &arc));
    return arc;
}

// Packets keep the order of their tokens; parts are in the head; rounds may be empty.
TEST(FormatsTable, PacketsOfParts)
{
    const Topology topology = parse("path:3");
    gfab_model model = gfab_model_default();
    model.packet_tokens = 3;
    model.link_mode = GFAB_LINK_FULL;
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    ASSERT_EQ(gfab_schedule_set_load(made, nullptr, 2), GFAB_OK);
    const uint32_t down[] = {5, 4, 3}, up[] = {1, 0};
    const gfab_arc first = arc_of(topology, 2, 1), second = arc_of(topology, 1, 0), back = arc_of(topology, 0, 1);
    ASSERT_EQ(gfab_schedule_append_packet(made, 2, &first, 1, down, 2), GFAB_OK);
    ASSERT_EQ(gfab_schedule_append_packet(made, 5, &second, 1, down, 3), GFAB_OK);
    ASSERT_EQ(gfab_schedule_append_packet(made, 5, &back, 1, up, 2), GFAB_OK);
    for (const char *name : {"sccl", "msccl"}) {
        const gfab_format *format = gfab_format_find(name);
        check_own(format, schedule, written(format->write, made));
    }
}

TEST(FormatsTable, PathsOfSeveralLinksAreRefused)
{
    const Topology topology = parse("path:3");
    gfab_model model = gfab_model_default();
    model.routing = GFAB_ROUTING_CIRCUIT;
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule schedule(made);
    const gfab_arc arcs[2] = {arc_of(topology, 0, 1), arc_of(topology, 1, 2)};
    const uint32_t token = 0;
    ASSERT_EQ(gfab_schedule_append_packet(made, 1, arcs, 2, &token, 1), GFAB_OK);
    for (const char *name : {"sccl", "msccl"})
        EXPECT_EQ(written(gfab_format_find(name)->write, made, GFAB_ERR_UNSUPPORTED), "");
}

TEST(FormatsTable, MscclHas256StepsAThreadBlock)
{
    const Topology topology = parse("path:2");
    const gfab_model model = gfab_model_default();
    for (const uint32_t blocks : {256u, 257u}) {
        gfab_schedule *made = nullptr;
        ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
        const Schedule schedule(made);
        const gfab_goal goal = {GFAB_BROADCAST, blocks, 0, false};
        ASSERT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
        for (uint32_t b = 0; b < blocks; b++)
            ASSERT_EQ(gfab_schedule_append(made, b + 1, 0, b), GFAB_OK);
        const bool fits = blocks == 256;
        const gfab_status expected = fits ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
        EXPECT_EQ(written(gfab_format_find("msccl")->write, made, expected).empty(), !fits);
    }
}

} // namespace
