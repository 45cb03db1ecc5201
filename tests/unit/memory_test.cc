// SPDX-License-Identifier: MIT
// Memory that runs out inside of a call of the library: each allocation fails once. The call then says NO_MEMORY, or
// has done without and gives what it gives otherwise; and it has let go of all that it had.
//
// The linker puts what is below in the place of malloc and its like (--wrap) wherever the library calls them.
#include "extras.h"
#include "fixture.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace
{

struct Memory {
    std::mutex lock; // solvers have threads
    bool counts = false, failed = false;
    unsigned long calls = 0, fails_at = 0;
    std::unordered_set<void *> live;

    bool fails()
    {
        const std::lock_guard<std::mutex> hold(lock);
        const bool now = counts && ++calls == fails_at;
        failed = failed || now;
        return now;
    }
    void *took(void *memory)
    {
        const std::lock_guard<std::mutex> hold(lock);
        if (counts && memory)
            live.insert(memory);
        return memory;
    }
    void let_go(void *memory)
    {
        const std::lock_guard<std::mutex> hold(lock);
        live.erase(memory);
    }
} memory;

} // namespace

// CaDiCaL's memory is lost where it runs out (cadical_guard.h); under LeakSanitizer that is no leak.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions()
{
    return "leak:CaDiCaL\nleak:gfab_cadical_create\n";
}

extern "C" {
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);

void *__wrap_malloc(size_t size)
{
    return memory.fails() ? nullptr : memory.took(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return memory.fails() ? nullptr : memory.took(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (memory.fails())
        return nullptr;
    memory.let_go(old);
    return memory.took(__real_realloc(old, size));
}

char *__wrap_strdup(const char *text)
{
    const size_t size = std::strlen(text) + 1;
    void *copy = __wrap_malloc(size);
    return copy ? static_cast<char *>(std::memcpy(copy, text, size)) : nullptr;
}

void __wrap_free(void *old)
{
    memory.let_go(old);
    __real_free(old);
}
}

namespace
{

// What is made: a text that says all of it, where the status is OK.
using Call = std::function<gfab_status(std::string *made)>;

// One run; the allocation fails_at fails, 0: none. False where there were fewer.
bool run(const Call &call, unsigned long fails_at, gfab_status *status, std::string *made)
{
    made->clear();
    memory.calls = 0;
    memory.fails_at = fails_at;
    memory.failed = false;
    memory.counts = true;
    *status = call(made);
    memory.counts = false;
    EXPECT_TRUE(memory.live.empty()) << memory.live.size() << " leaks after allocation " << fails_at << " failed";
    memory.live.clear();
    return memory.failed;
}

// All allocations, or of thousands about 2 * most: ever fewer the later they come.
void expect_each(const Call &call, unsigned long most = 400)
{
    gfab_status status;
    std::string right, made;
    run(call, 0, &status, &right);
    ASSERT_EQ(status, GFAB_OK);
    const unsigned long all = memory.calls;
    ASSERT_GT(all, 0u);
    for (unsigned long n = 1; n <= all; n += 1 + n / most) {
        if (!run(call, n, &status, &made))
            break; // threads: not as many in this run
        if (status == GFAB_OK)
            EXPECT_EQ(made, right) << "allocation " << n << " of " << all;
        else
            EXPECT_EQ(status, GFAB_ERR_NO_MEMORY) << "allocation " << n << " of " << all;
        if (::testing::Test::HasFailure())
            return;
    }
}

std::string file_text(FILE *file)
{
    std::string text(static_cast<size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file), text.size());
    return text;
}

std::string text_of(const gfab_schedule *schedule)
{
    const bool counted = std::exchange(memory.counts, false);
    File file(std::tmpfile());
    EXPECT_EQ(gfab_schedule_write(schedule, file.get(), nullptr, nullptr), GFAB_OK);
    memory.counts = counted;
    return file_text(file.get());
}

TEST(Memory, MutantsAreSeen)
{
    // One that hides a failure and gives something else, one that leaks.
    gfab_status status;
    std::string made;
    const Call leaks = [](std::string *) {
        void *kept = __wrap_malloc(8);
        return kept ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    };
    memory.counts = true;
    EXPECT_EQ(leaks(&made), GFAB_OK);
    memory.counts = false;
    ASSERT_EQ(memory.live.size(), 1u);
    __wrap_free(*memory.live.begin());
    EXPECT_TRUE(memory.live.empty());
    EXPECT_TRUE(run([](std::string *) { return __wrap_malloc(1) ? GFAB_OK : GFAB_ERR_NO_MEMORY; }, 1, &status, &made));
    EXPECT_EQ(status, GFAB_ERR_NO_MEMORY);
}

TEST(Memory, Topologies)
{
    for (const char *spec :
         {"mesh:2x3", "torus:3x4", "hypercube:3", "ccc:3", "butterfly:3", "star:4", "knoedel:8", "debruijn:3",
          "shuffle-exchange:3", "random:n=6,m=9,seed=1", "graph:4:0-1,1-2,2-3", "mesh:3x3+drop-link=0-1+drop-node=4"})
        expect_each([spec](std::string *made) {
            gfab_topology *topology = nullptr;
            const gfab_status status = gfab_topology_parse(spec, &topology, nullptr);
            if (status == GFAB_OK)
                *made = gfab_topology_spec(topology);
            gfab_topology_destroy(topology);
            return status;
        });
}

TEST(Memory, GraphFiles)
{
    WANTS_EXTRA(graphs);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gossipfab-memory-test";
    std::filesystem::create_directories(folder);
    const std::pair<const char *, const char *> files[] = {
        {"g.txt", "0 1\n1 2\n2 0\n"},
        {"g.dot", "graph g { node [shape=box]; a -- b -- c; c -- a [w=1]; \"d e\" -- a; }\n"},
        {"g.graph", "3 3\n2 3\n1 3\n1 2\n"}};
    for (const auto &[name, text] : files) {
        const std::string path = (folder / name).string();
        {
            File file(std::fopen(path.c_str(), "w"));
            std::fputs(text, file.get());
        }
        expect_each([&path](std::string *made) {
            gfab_topology *topology = nullptr;
            const gfab_status status = gfab_topology_parse(("file:" + path).c_str(), &topology, nullptr);
            if (status == GFAB_OK)
                *made = gfab_topology_spec(topology);
            gfab_topology_destroy(topology);
            return status;
        });
    }
    std::filesystem::remove_all(folder);
}

// Solver, its settings, topology, model.
struct Case {
    const char *solver, *parameters, *topology;
    gfab_model model;
};

constexpr gfab_routing forward = GFAB_ROUTING_STORE_AND_FORWARD, circuit = GFAB_ROUTING_CIRCUIT;
constexpr gfab_model half{GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, forward};
constexpr gfab_model full{GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, forward};
constexpr gfab_model long_paths{GFAB_LINK_FULL, GFAB_PORT_ALL, 1000, 1, circuit};
constexpr gfab_model telephone{GFAB_LINK_FULL, GFAB_PORT_ONE, 1000, 1, forward};

class Solvers : public ::testing::TestWithParam<Case>
{
};

TEST_P(Solvers, EachAllocation)
{
    const Case &c = GetParam();
    const Topology topology = parse(c.topology);
    expect_each(
        [&](std::string *made) {
            gfab_schedule *schedule = nullptr;
            gfab_solver_options options = gfab_solver_options_default();
            options.parameters = c.parameters;
            options.effort = 1;
            options.linear = c.model.packet_tokens == 1000 && c.model.routing == circuit;
            options.startup = {2, 1};
            const gfab_status status =
                gfab_solver_find(c.solver)->solve(topology.get(), &c.model, &options, &schedule, nullptr);
            if (status == GFAB_OK)
                *made = text_of(schedule);
            gfab_schedule_destroy(schedule);
            return status;
        },
        100);
}

INSTANTIATE_TEST_SUITE_P(
    , Solvers,
    ::testing::Values(
        Case{"auto", nullptr, "mesh:2x2", half}, Case{"auto", nullptr, "torus:3x3", full},
        Case{"auto", nullptr, "mesh:3x4", half}, Case{"auto", nullptr, "cycle:5", long_paths},
        Case{"auto", nullptr, "hypercube:3", telephone}, Case{"torus-tree", nullptr, "torus:3x3", half},
        Case{"torus-tree", "keep=tree", "torus:3x3", half}, Case{"torus-bank", nullptr, "torus:4x4", half},
        Case{"comb", nullptr, "mesh:3x4", half}, Case{"comb", nullptr, "mesh:4x4", half},
        Case{"lau-zhang", nullptr, "mesh:3x3", half}, Case{"lau-zhang", nullptr, "torus:4x4", half},
        Case{"fujita-yamashita", nullptr, "mesh:3x3", half}, Case{"record", nullptr, "debruijn:5", telephone},
        Case{"sat", nullptr, "cycle:4", telephone}, Case{"anneal", nullptr, "cycle:6", telephone},
        Case{"symmetric", nullptr, "mesh:2x2", half}, Case{"search", nullptr, "mesh:2x3", half},
        Case{"colouring", nullptr, "hypercube:3", telephone},
        Case{"colouring", "matchings=edges", "mesh:2x3", telephone}, Case{"exhaustive", nullptr, "path:3", telephone},
        Case{"greedy", nullptr, "mesh:2x3", half}, Case{"mesh-telephone", nullptr, "mesh:3x4", telephone},
        Case{"mesh-telephone", nullptr, "mesh:5x5", telephone}, Case{"approach1", nullptr, "cycle:5", long_paths},
        Case{"approach2", nullptr, "cycle:6", long_paths}, Case{"circgo", nullptr, "cycle:9", long_paths},
        Case{"circgo", "parts=2", "path:9", long_paths}, Case{"highdimgo", nullptr, "torus:3x3", long_paths},
        Case{"torgo", nullptr, "torus:3x3", long_paths}, Case{"torgo", "shares=one,cut=1", "torus:3x6", long_paths},
        Case{"cubgo", nullptr, "torus:2x2x2", long_paths}, Case{"cubgo", "shares=one,cut=1", "torus:3x3x3", long_paths},
        Case{"ring", nullptr, "cycle:5", long_paths}, Case{"neighbour-exchange", nullptr, "cycle:4", long_paths},
        Case{"recursive-doubling", nullptr, "torus:4x4", long_paths}, Case{"bruck", nullptr, "cycle:5", long_paths},
        Case{"matching", "threads=1", "hypercube:3", telephone},
        Case{"matching", "threads=1,weights=potential", "mesh:2x3", telephone},
        Case{"matching", "threads=1,weights=flow", "cycle:6", telephone},
        Case{"matching", "threads=1,weights=flow,distances=search", "cycle:6", telephone},
        Case{"matching", "threads=1,matching=greedy", "cycle:6", telephone}));

TEST(Memory, SchedulesFromFiles)
{
    const std::string text = schedule_text(gossip_on(parse("mesh:2x2")));
    expect_each([&text](std::string *made) {
        gfab_topology *topology = nullptr;
        gfab_schedule *schedule = nullptr;
        gfab_verify_report report;
        File file(fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
        gfab_status status = gfab_schedule_read(file.get(), nullptr, &topology, &schedule, nullptr);
        if (status == GFAB_OK)
            status = gfab_verify(topology, gfab_schedule_model(schedule), schedule, nullptr, &report);
        if (status == GFAB_OK)
            *made = text_of(schedule);
        gfab_schedule_destroy(schedule);
        gfab_topology_destroy(topology);
        return status;
    });
}

// Kept as one tree: read, verified, and lowered to ROMs.
TEST(Memory, Trees)
{
    const std::string text =
        "gossipfab-schedule 3\ntopology torus:3x1\nlink-mode full\nport-mode all\npacket-tokens 1\n"
        "hop-rounds 1\nsolver -\ntranslates yes\nrounds 1\npackets 2\nround 1\n0 1:0\n0 2:0\nend\n";
    expect_each([&text](std::string *made) {
        gfab_topology *topology = nullptr;
        gfab_schedule *schedule = nullptr;
        gfab_machine *machine = nullptr;
        gfab_verify_report report;
        gfab_plan plan;
        gfab_machine_options options = gfab_machine_options_default();
        options.frame = GFAB_FRAME_RELATIVE;
        File file(fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
        gfab_status status = gfab_schedule_read(file.get(), nullptr, &topology, &schedule, nullptr);
        if (status == GFAB_OK)
            status = gfab_verify(topology, gfab_schedule_model(schedule), schedule, nullptr, &report);
        if (status == GFAB_OK)
            status = gfab_machine_plan_schedule(schedule, &options, &plan, nullptr);
        if (status == GFAB_OK)
            status = gfab_machine_compile(&plan, schedule, &machine, nullptr);
        if (status == GFAB_OK)
            *made = text_of(schedule) + std::to_string(gfab_machine_sharing(machine)->programs);
        gfab_machine_destroy(machine);
        gfab_schedule_destroy(schedule);
        gfab_topology_destroy(topology);
        return status;
    });
}

TEST(Memory, SchedulesToFiles)
{
    const Topology topology = parse("mesh:2x2");
    const Schedule schedule = gossip_on(topology);
    expect_each([&](std::string *made) {
        File gfs(std::tmpfile()), csv(std::tmpfile());
        gfab_schedule *again = nullptr;
        gfab_status status = gfab_schedule_write(schedule.get(), gfs.get(), nullptr, nullptr);
        if (status == GFAB_OK)
            status = gfab_schedule_write_csv(schedule.get(), csv.get(), nullptr, nullptr);
        std::rewind(csv.get());
        if (status == GFAB_OK) {
            const gfab_model model = gfab_model_default();
            status = gfab_schedule_read_csv(csv.get(), topology.get(), &model, nullptr, nullptr, &again, nullptr);
        }
        gfab_schedule_destroy(again);
        if (status == GFAB_OK)
            *made = file_text(gfs.get());
        return status;
    });
}

// A machine of a schedule; what its images say.
void expect_machine(const char *spec, const gfab_model &model, const gfab_machine_options &options)
{
    const Topology topology = parse(spec);
    gfab_solver_options solver_options = gfab_solver_options_default();
    gfab_schedule *made_schedule = nullptr;
    gfab_plan plan;
    ASSERT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, nullptr), GFAB_OK);
    solver_options.linear = true;
    solver_options.startup = {2, 1};
    ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &plan.model, &solver_options, &made_schedule, nullptr),
              GFAB_OK);
    const Schedule schedule(made_schedule);
    expect_each([&](std::string *made) {
        gfab_machine *machine = nullptr;
        gfab_cmodel *cmodel = nullptr;
        uint64_t cycles = 0;
        gfab_status status = gfab_machine_compile(&plan, schedule.get(), &machine, nullptr);
        if (status == GFAB_OK)
            status = gfab_cmodel_create(machine, nullptr, &cmodel);
        if (status == GFAB_OK)
            status = gfab_cmodel_run(cmodel, gfab_machine_cycles(machine), nullptr, &cycles);
        *made = std::to_string(cycles);
        gfab_cmodel_destroy(cmodel);
        gfab_machine_destroy(machine);
        return status;
    });
}

TEST(Memory, Machines)
{
    gfab_machine_options options = gfab_machine_options_default();
    expect_machine("mesh:2x2", half, options);
    options.gap_cycles = 3;
    expect_machine("cycle:5", full, options);
    expect_machine("cycle:5", {GFAB_LINK_FULL, GFAB_PORT_ALL, 5, 1, circuit}, options);
    options = gfab_machine_options_default();
    options.store = GFAB_STORE_WIDE;
    options.link_bits = 16;
    expect_machine("torus:3x3", full, options);
    expect_machine("mesh:2x3", half, options);
}

// A folder of a machine, with chips where there are two or more; read back where no node shares its ROM.
void expect_folder(const char *spec, const gfab_model &model, const gfab_machine_options &options, uint32_t chips = 0)
{
    const Topology topology = parse(spec);
    gfab_plan plan;
    gfab_schedule *solved = nullptr;
    gfab_machine *compiled = nullptr;
    gfab_solver_options solver = gfab_solver_options_default();
    solver.linear = true;
    solver.startup = {2, 1};
    ASSERT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_solver_find("auto")->solve(topology.get(), &plan.model, &solver, &solved, nullptr), GFAB_OK);
    const Schedule schedule(solved);
    ASSERT_EQ(gfab_machine_compile(&plan, schedule.get(), &compiled, nullptr), GFAB_OK);
    const Machine machine(compiled);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gossipfab-memory-fabric";
    std::filesystem::remove_all(folder);
    const std::string path = folder.string(), rom = (folder / "rom").string();
    std::vector<uint32_t> chip_of(gfab_topology_node_count(topology.get()));
    for (size_t v = 0; v < chip_of.size(); v++)
        chip_of[v] = chips ? static_cast<uint32_t>(v % chips) : 0;
    gfab_fabric_options fabric{};
    fabric.directory = path.c_str();
    fabric.board = chips ? nullptr : gfab_board_find("hx8k");
    fabric.solver = "auto";
    fabric.chips = chips ? chip_of.data() : nullptr;
    fabric.chip_count = chips;
    expect_each(
        [&](std::string *made) {
            const gfab_status status = gfab_fabric_write(machine.get(), &fabric, nullptr);
            EXPECT_EQ(std::filesystem::exists(folder), status == GFAB_OK);
            *made = "written";
            std::filesystem::remove_all(folder);
            return status;
        },
        30);
    if (options.frame != GFAB_FRAME_ABSOLUTE)
        return;
    ASSERT_EQ(gfab_fabric_write(machine.get(), &fabric, nullptr), GFAB_OK);
    const gfab_timing *timing = gfab_machine_timing(machine.get());
    const gfab_layout *layout = gfab_machine_layout(machine.get());
    const gfab_banks *banks = gfab_machine_banks(machine.get());
    const gfab_machine_shape shape = {{gfab_layout_full_duplex(layout), gfab_layout_paths(layout),
                                       gfab_layout_wide(layout), gfab_layout_parts(layout), gfab_layout_frame(layout),
                                       gfab_layout_protect(layout), 0, GFAB_OPERATOR_NONE, false, false, false, false},
                                      {timing->token_bits, timing->link_bits, timing->latency_cycles, 0, 0, 0},
                                      banks ? gfab_banks_crossbar(banks)->kind : GFAB_CROSSBAR_FULL,
                                      banks ? gfab_banks_crossbar(banks)->banks : 0,
                                      {},
                                      0,
                                      nullptr};
    expect_each(
        [&](std::string *made) {
            gfab_machine *again = nullptr;
            const gfab_status status = gfab_machine_read(topology.get(), &shape, rom.c_str(), &again, nullptr);
            if (status == GFAB_OK)
                *made = std::to_string(gfab_machine_cycles(again));
            gfab_machine_destroy(again);
            return status;
        },
        100);
    std::filesystem::remove_all(folder);
}

TEST(Memory, Folders)
{
    gfab_machine_options options = gfab_machine_options_default();
    options.frame = GFAB_FRAME_ABSOLUTE;
    expect_folder("mesh:2x2", half, options);
    options.gap_cycles = 2;
    expect_folder("cycle:4", {GFAB_LINK_FULL, GFAB_PORT_ALL, 4, 1, circuit}, options);
    options.gap_cycles = 0;
    options.latency_cycles = 2;
    options.store = GFAB_STORE_NARROW;
    expect_folder("cycle:4", full, options, 2);
    options = gfab_machine_options_default();
    options.frame = GFAB_FRAME_ABSOLUTE;
    options.store = GFAB_STORE_WIDE;
    options.link_bits = 16;
    expect_folder("mesh:2x3", half, options);
    options.frame = GFAB_FRAME_AUTO;
    expect_folder("torus:3x3", full, options);
}

TEST(Memory, Broadcasts)
{
    const Topology topology = parse("mesh:2x3");
    const uint32_t load[6] = {0, 1, 0, 0, 0, 0}, uneven[6] = {1, 2, 0, 0, 1, 0};
    const std::pair<const char *, const uint32_t *> loads[] = {{"broadcast", load}, {"auto", load}, {"auto", uneven}};
    for (const auto &[name, tokens] : loads)
        expect_each(
            [&, name = name, tokens = tokens](std::string *made) {
                gfab_schedule *schedule = nullptr;
                gfab_solver_options options = gfab_solver_options_default();
                options.load = tokens;
                options.effort = 1;
                const gfab_status status =
                    gfab_solver_find(name)->solve(topology.get(), &telephone, &options, &schedule, nullptr);
                if (status == GFAB_OK)
                    *made = text_of(schedule);
                gfab_schedule_destroy(schedule);
                return status;
            },
            100);
}

TEST(Memory, Matchings)
{
    const Topology topology = parse("hypercube:3");
    for (const char *from : {"natural", "edges"})
        expect_each([&](std::string *made) {
            gfab_matchings *matchings = nullptr;
            gfab_sequence_report report{};
            static gfab_sequence sequence;
            gfab_status status = gfab_matchings_create(topology.get(), from, &matchings, nullptr);
            if (status == GFAB_OK)
                status = gfab_sequence_read(matchings, "012", &sequence, nullptr);
            if (status == GFAB_OK)
                status = gfab_sequence_replay(matchings, &sequence, nullptr, &report);
            *made = std::to_string(report.missing);
            gfab_matchings_destroy(matchings);
            return status;
        });
}

#ifdef GFAB_HAS_LENGTHS
TEST(Memory, Advice)
{
    const Topology topology = parse("cycle:4");
    const gfab_model models[] = {full, {GFAB_LINK_FULL, GFAB_PORT_ALL, 4, 1, circuit}};
    expect_each(
        [&](std::string *made) {
            gfab_adviser *adviser = nullptr;
            gfab_adviser_options options{};
            options.models = models;
            options.model_count = 2;
            options.solver = gfab_solver_options_default();
            const gfab_advice *list = nullptr;
            size_t count = 0;
            gfab_status status = gfab_adviser_create(topology.get(), &options, &adviser, nullptr);
            if (status == GFAB_OK)
                status = gfab_adviser_rank(adviser, {3, 1}, &list, &count, nullptr);
            for (size_t i = 0; status == GFAB_OK && i < count; i++)
                *made += std::string(list[i].solver->name) + " " + std::to_string(list[i].total.numerator) + "\n";
            gfab_adviser_destroy(adviser);
            return status;
        },
        50);
}
#endif

TEST(Memory, Bounds)
{
    const Topology topology = parse("mesh:2x3");
    expect_each([&](std::string *made) {
        gfab_bound bound;
        const gfab_status status = gfab_bound_broadcast(topology.get(), &telephone, 0, &bound);
        if (status == GFAB_OK)
            *made = bound.argument;
        return status;
    });
}

} // namespace
