// SPDX-License-Identifier: MIT
// From a topology and a schedule to a machine: plan, compile, and machines of parts and of files.
#include "fixture.h"

#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace
{

gfab_machine_options widths(uint32_t token_bits, uint32_t link_bits)
{
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = token_bits;
    options.link_bits = link_bits;
    return options;
}

gfab_model open_model(gfab_link_mode link_mode = GFAB_LINK_HALF)
{
    gfab_model model = gfab_model_default();
    model.link_mode = link_mode;
    model.hop_rounds = 0; // the timing's choice
    return model;
}

gfab_plan plan_of(const Topology &topology, const gfab_model &model, const gfab_machine_options &options)
{
    gfab_plan plan{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
    return plan;
}

Schedule solved(const gfab_plan &plan, const char *solver, const char *parameters = nullptr)
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = parameters;
    EXPECT_EQ(gfab_solver_find(solver)->solve(plan.topology, &plan.model, &options, &schedule, &diag), GFAB_OK)
        << diag.message;
    return Schedule(schedule);
}

Machine compiled(const gfab_plan &plan, const Schedule &schedule)
{
    gfab_machine *machine = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &machine, &diag), GFAB_OK) << diag.message;
    return Machine(machine);
}

// The status, and what is said: one line that gfab_machine_plan or gfab_machine_compile gives.
std::string compile_error(const gfab_plan &plan, const Schedule &schedule, gfab_status status)
{
    gfab_machine *machine = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &machine, &diag), status) << diag.message;
    gfab_machine_destroy(machine);
    EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &machine, nullptr), status);
    gfab_machine_destroy(machine);
    return diag.message;
}

std::string plan_error(const Topology &topology, const gfab_model &model, const gfab_machine_options &options,
                       gfab_status status)
{
    gfab_plan plan{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), status) << diag.message;
    EXPECT_EQ(plan.topology, nullptr);
    return diag.message;
}

// Plays a gossip: the cycles, or 0 where a token is wrong.
uint64_t played(const gfab_machine *machine)
{
    gfab_cmodel *made = nullptr;
    EXPECT_EQ(gfab_cmodel_create(machine, nullptr, &made), GFAB_OK);
    const Cmodel cmodel(made);
    const size_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    const uint32_t token_bits = gfab_machine_timing(machine)->token_bits;
    std::vector<uint8_t> token((token_bits + 7) / 8), held(token.size());
    for (uint32_t node = 0; node < nodes; node++) {
        gfab_token_pattern(3, node, token_bits, token.data());
        EXPECT_EQ(gfab_cmodel_load_token(made, node, token.data()), GFAB_OK);
    }
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(made, 1000000, nullptr, &cycles), GFAB_OK);
    for (uint32_t origin = 0; origin < nodes; origin++) {
        gfab_token_pattern(3, origin, token_bits, token.data());
        for (size_t node = 0; node < nodes; node++) {
            gfab_cmodel_read_token(made, node, origin, held.data());
            if (held != token)
                return 0;
        }
    }
    return cycles;
}

// A schedule of packets over paths, or of parts.
struct Ring {
    Topology topology = parse("cycle:9");
    gfab_plan plan;
    Schedule schedule;

    explicit Ring(const char *parameters, gfab_machine_options options = widths(24, 2))
    {
        gfab_model model = open_model(GFAB_LINK_FULL);
        model.packet_tokens = 100;
        model.routing = GFAB_ROUTING_CIRCUIT;
        plan = plan_of(topology, model, options);
        schedule = solved(plan, "circgo", parameters);
    }
};

} // namespace

TEST(Plan, DefaultsAreThoseOfTheCommandLine)
{
    const gfab_machine_options o = gfab_machine_options_default();
    EXPECT_EQ(o.token_bits, 32u);
    EXPECT_EQ(o.link_bits, 2u);
    EXPECT_EQ(o.latency_cycles + o.gap_cycles + o.rom_rounds, 0u);
    EXPECT_EQ(o.store, GFAB_STORE_AUTO);
    EXPECT_EQ(o.frame, GFAB_FRAME_AUTO);
    EXPECT_FALSE(o.any_width);
    EXPECT_STREQ(gfab_store_name(GFAB_STORE_AUTO), "auto");
    EXPECT_STREQ(gfab_store_name(GFAB_STORE_NARROW), "narrow");
    EXPECT_STREQ(gfab_store_name(GFAB_STORE_WIDE), "wide");
    EXPECT_STREQ(gfab_frame_name(GFAB_FRAME_AUTO), "auto");
}

TEST(Plan, StoreIsWideWhereTokensAreShortAndNothingAsksForNarrow)
{
    const Topology topology = parse("mesh:4x4"); // K = 4
    const auto wide = [&](const gfab_model &model, const gfab_machine_options &options) {
        return plan_of(topology, model, options).timing.wide == 1;
    };
    EXPECT_FALSE(wide(open_model(), widths(32, 4))); // 8 flits
    EXPECT_TRUE(wide(open_model(), widths(28, 4)));
    EXPECT_TRUE(wide(open_model(), widths(32, 32)));
    gfab_machine_options gap = widths(32, 32);
    gap.gap_cycles = 1;
    EXPECT_FALSE(wide(open_model(), gap));
    gfab_model model = open_model();
    model.packet_tokens = 2;
    EXPECT_FALSE(wide(model, widths(32, 32)));
    model = open_model();
    model.routing = GFAB_ROUTING_CIRCUIT;
    EXPECT_FALSE(wide(model, widths(32, 32)));
    model = open_model();
    model.hop_rounds = 1; // a hop takes two cycles, a round one
    EXPECT_FALSE(wide(model, widths(32, 32)));
    model.hop_rounds = 2;
    EXPECT_TRUE(wide(model, widths(32, 32)));
    gfab_machine_options asked = widths(32, 32);
    asked.store = GFAB_STORE_NARROW;
    EXPECT_FALSE(wide(open_model(), asked));
    asked = widths(32, 2);
    asked.store = GFAB_STORE_WIDE;
    EXPECT_TRUE(wide(open_model(), asked));
}

TEST(Plan, SaysWhichModelToSolveFor)
{
    const Topology topology = parse("torus:4x4");
    EXPECT_EQ(plan_of(topology, open_model(), widths(32, 2)).model.hop_rounds, 1u);
    EXPECT_EQ(plan_of(topology, open_model(), widths(32, 32)).model.hop_rounds, 3u);
    EXPECT_EQ(plan_of(topology, open_model(GFAB_LINK_FULL), widths(32, 32)).model.hop_rounds, 2u);
    gfab_model model = open_model();
    model.hop_rounds = 5;
    EXPECT_EQ(plan_of(topology, model, widths(32, 32)).model.hop_rounds, 5u);
    EXPECT_EQ(plan_of(topology, model, widths(32, 2)).model.hop_rounds, 5u);
}

TEST(Plan, OfAScheduleIsNarrowWhereItCutsTokens)
{
    const Ring ring("parts=2");
    gfab_plan plan{};
    gfab_diag diag{};
    gfab_machine_options options = widths(4, 2);
    ASSERT_EQ(gfab_machine_plan_schedule(ring.schedule.get(), &options, &plan, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(plan.timing.wide, 0u);
    EXPECT_EQ(plan.topology, ring.topology.get());
    const Topology topology = parse("mesh:3x3");
    const Schedule halves = schedule_on(topology);
    ASSERT_EQ(gfab_schedule_set_load(halves.get(), nullptr, 2), GFAB_OK);
    options = widths(32, 16);
    ASSERT_EQ(gfab_machine_plan_schedule(halves.get(), &options, &plan, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(plan.timing.wide, 0u) << "tokens in parts";
}

TEST(Plan, ErrorsSayWhatAndWhy)
{
    const Topology topology = parse("mesh:3x3");
    gfab_machine_options wide = widths(32, 2);
    wide.store = GFAB_STORE_WIDE;
    gfab_model model = open_model();
    model.routing = GFAB_ROUTING_CIRCUIT;
    EXPECT_EQ(plan_error(topology, model, wide, GFAB_ERR_UNSUPPORTED),
              "wide nodes: not with packets over several links, since a wide node does not pass flits on; give --store "
              "narrow");
    EXPECT_EQ(plan_error(parse("path:2"), model, widths(32, 2), GFAB_ERR_UNSUPPORTED),
              "paths: no node of path:2 has a link to pass anything on to");
    EXPECT_EQ(plan_error(topology, open_model(), widths(33, 2), GFAB_ERR_INVALID),
              "token bits 33 are not a multiple of link bits 2");
    EXPECT_EQ(plan_error(topology, open_model(), widths(32, 0), GFAB_ERR_INVALID), "link bits must be at least 1");
    EXPECT_EQ(plan_error(topology, open_model(), widths(8192, 2), GFAB_ERR_LIMIT), "token bits 8192: at most 4096");
    gfab_machine_options slow = widths(32, 2);
    slow.latency_cycles = 16;
    EXPECT_EQ(plan_error(topology, open_model(), slow, GFAB_ERR_LIMIT), "link latency 16: at most 15 cycles");
    wide = widths(8, 8);
    wide.store = GFAB_STORE_WIDE;
    model = open_model();
    model.hop_rounds = 1;
    EXPECT_EQ(plan_error(topology, model, wide, GFAB_ERR_UNSUPPORTED),
              "hop-rounds 1: a hop takes at least 2 cycles, and so 2 rounds of 1 cycle");
}

TEST(Compile, NarrowMachinesPlayTheirSchedule)
{
    for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (const char *spec : {"mesh:3x4", "torus:3x3", "cycle:5", "ccc:3"}) {
            const Topology topology = parse(spec);
            gfab_machine_options options = widths(32, 2);
            options.gap_cycles = 3;
            const gfab_plan plan = plan_of(topology, open_model(mode), options);
            const Schedule schedule = solved(plan, "greedy");
            const Machine machine = compiled(plan, schedule);
            const gfab_machine *m = machine.get();
            ASSERT_NE(m, nullptr);
            EXPECT_EQ(gfab_machine_banks(m), nullptr);
            EXPECT_EQ(gfab_machine_topology(m), topology.get());
            EXPECT_EQ(gfab_layout_full_duplex(gfab_machine_layout(m)), mode == GFAB_LINK_FULL);
            EXPECT_EQ(gfab_machine_rounds(m), gfab_schedule_rounds(schedule.get()));
            EXPECT_EQ(gfab_machine_gap_cycles(m), 3u * gfab_machine_rounds(m));
            const gfab_timing *t = gfab_machine_timing(m);
            EXPECT_EQ(gfab_machine_cycles(m),
                      uint64_t{gfab_machine_rounds(m)} * (t->cycles_per_round + 3) + t->overhead_cycles);
            EXPECT_EQ(played(m), gfab_machine_cycles(m)) << spec;
            gfab_diag diag{};
            EXPECT_EQ(gfab_machine_check(m, &diag), GFAB_OK) << diag.message;
            const size_t nodes = gfab_topology_node_count(topology.get());
            EXPECT_EQ(gfab_machine_store_bits(m), nodes * t->words * t->word_bits);
            EXPECT_EQ(gfab_machine_rom_bits(m), uint64_t{gfab_image_word_count(gfab_machine_image(m))} *
                                                    gfab_image_op_bits(gfab_machine_image(m)));
            EXPECT_EQ(gfab_machine_program_bits(m), gfab_machine_sharing(m)->programs * gfab_machine_rom_bits(m));
        }
}

TEST(Compile, WideMachinesPlayTheirSchedule)
{
    for (const char *spec : {"torus:4x4", "mesh:3x4"}) {
        const Topology topology = parse(spec);
        gfab_machine_options options = widths(32, 32);
        options.store = GFAB_STORE_WIDE;
        options.gap_cycles = spec[0] == 'm' ? 5 : 0;
        const gfab_plan plan = plan_of(topology, open_model(), options);
        ASSERT_EQ(plan.timing.wide, 1u);
        const gfab_solver *solver;
        ASSERT_EQ(gfab_solver_for_fabric(topology.get(), &plan.model, true, &solver), GFAB_OK);
        const Machine machine = compiled(plan, solved(plan, solver ? solver->name : "greedy"));
        const gfab_machine *m = machine.get();
        ASSERT_NE(gfab_machine_banks(m), nullptr);
        EXPECT_EQ(played(m), gfab_machine_cycles(m)) << spec;
        const uint32_t banks = gfab_banks_crossbar(gfab_machine_banks(m))->banks;
        EXPECT_EQ(gfab_machine_store_bits(m), (uint64_t{banks} << gfab_machine_round_bits(m)) * 32);
        EXPECT_EQ(gfab_machine_rom_bits(m),
                  uint64_t{gfab_banks_word_bits(gfab_machine_banks(m))} << gfab_machine_round_bits(m));
        EXPECT_EQ(gfab_machine_gap_cycles(m), options.gap_cycles * gfab_machine_rounds(m));
        gfab_diag diag{};
        EXPECT_EQ(gfab_machine_check(m, &diag), GFAB_OK) << diag.message;
    }
}

TEST(Compile, TheSolverForWideNodesIsOneThatApplies)
{
    const gfab_model model = gfab_model_default();
    const gfab_solver *solver;
    ASSERT_EQ(gfab_solver_for_fabric(parse("torus:4x4").get(), &model, true, &solver), GFAB_OK);
    ASSERT_NE(solver, nullptr);
    EXPECT_TRUE(solver->few_banks);
    ASSERT_EQ(gfab_solver_for_fabric(parse("mesh:4x4").get(), &model, true, &solver), GFAB_OK);
    EXPECT_EQ(solver, nullptr);
}

TEST(Compile, FrameAutoIsTheOneInWhichNodesShareRoms)
{
    const struct {
        const char *spec, *solver;
        gfab_frame frame;
    } rows[] = {{"torus:4x4", "torus-tree", GFAB_FRAME_RELATIVE},
                {"torus:4x4", "greedy", GFAB_FRAME_ABSOLUTE},
                {"mesh:4x4", "symmetric", GFAB_FRAME_ROTATED},
                {"mesh:4x4", "greedy", GFAB_FRAME_ABSOLUTE},
                {"mesh:3x4", "greedy", GFAB_FRAME_ABSOLUTE}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        gfab_plan plan = plan_of(topology, open_model(), gfab_machine_options_default());
        const Schedule schedule = solved(plan, row.solver);
        const Machine machine = compiled(plan, schedule);
        EXPECT_EQ(gfab_layout_frame(gfab_machine_layout(machine.get())), row.frame) << row.spec << " " << row.solver;
        EXPECT_EQ(gfab_machine_sharing(machine.get())->roms < gfab_topology_node_count(topology.get()),
                  row.frame != GFAB_FRAME_ABSOLUTE);
        plan.options.frame = row.frame; // by name: the same
        const Machine named = compiled(plan, schedule);
        EXPECT_EQ(gfab_layout_frame(gfab_machine_layout(named.get())), row.frame);
        plan.options.frame = GFAB_FRAME_ABSOLUTE;
        const Machine absolute = compiled(plan, schedule);
        EXPECT_EQ(gfab_layout_frame(gfab_machine_layout(absolute.get())), GFAB_FRAME_ABSOLUTE);
    }
    // Asked for, whether nodes share ROMs or not.
    const Topology torus = parse("torus:4x4");
    gfab_machine_options options = gfab_machine_options_default();
    options.frame = GFAB_FRAME_RELATIVE;
    const gfab_plan plan = plan_of(torus, open_model(), options);
    EXPECT_EQ(gfab_layout_frame(gfab_machine_layout(compiled(plan, solved(plan, "greedy")).get())),
              GFAB_FRAME_RELATIVE);
}

TEST(Compile, PartsAndPathsAreThoseOfTheSchedule)
{
    const Ring whole("parts=1"), halves("parts=2");
    for (const Ring *ring : {&whole, &halves}) {
        const Machine machine = compiled(ring->plan, ring->schedule);
        const gfab_timing *timing = gfab_machine_timing(machine.get());
        EXPECT_EQ(timing->parts, ring == &whole ? 1u : 2u);
        EXPECT_EQ(timing->paths, 1u);
        EXPECT_GT(gfab_machine_gap_cycles(machine.get()), 0u); // drains
        EXPECT_EQ(played(machine.get()), gfab_machine_cycles(machine.get()));
    }
    // A model that allows paths, a schedule that has none: nodes pass nothing on.
    gfab_model model = open_model(GFAB_LINK_FULL);
    model.routing = GFAB_ROUTING_CIRCUIT;
    const Topology topology = parse("mesh:3x3");
    const gfab_plan plan = plan_of(topology, model, widths(32, 2));
    EXPECT_EQ(plan.timing.paths, 1u);
    EXPECT_EQ(gfab_machine_timing(compiled(plan, solved(plan, "greedy")).get())->paths, 0u);
}

TEST(Compile, AnyWidthIsRoundedDownToWhatTheScheduleCuts)
{
    gfab_machine_options options = widths(32, 2);
    const Ring ring("parts=3", options);
    EXPECT_EQ(compile_error(ring.plan, ring.schedule, GFAB_ERR_INVALID),
              "the hardware cannot play this schedule: token bits 32 cannot be cut in 3 equal parts");
    options.any_width = true;
    const Ring any("parts=3", options);
    EXPECT_EQ(gfab_machine_timing(compiled(any.plan, any.schedule).get())->token_bits, 30u);
}

TEST(Compile, RomsHoldTheRoundsAskedFor)
{
    const Topology topology = parse("mesh:3x3"); // 6 rounds
    gfab_machine_options options = gfab_machine_options_default();
    for (const uint32_t rom_rounds : {0u, 7u, 8u, 9u, 100u}) {
        options.rom_rounds = rom_rounds;
        const gfab_plan plan = plan_of(topology, open_model(), options);
        const Schedule schedule = solved(plan, "comb");
        ASSERT_EQ(gfab_schedule_rounds(schedule.get()), 6u);
        EXPECT_EQ(gfab_machine_round_bits(compiled(plan, schedule).get()), rom_rounds <= 8   ? 3u
                                                                           : rom_rounds == 9 ? 4u
                                                                                             : 7u);
    }
    options.rom_rounds = 6;
    const gfab_plan plan = plan_of(topology, open_model(), options);
    EXPECT_EQ(compile_error(plan, solved(plan, "comb"), GFAB_ERR_LIMIT),
              "--rom-rounds 6 is too few: the schedule's 6 rounds and the halt take 7");
}

TEST(Compile, NodesWithPathsShareProgramsWhereTheyAreAsked)
{
    gfab_machine_options options = widths(24, 2);
    options.frame = GFAB_FRAME_RELATIVE;
    const Ring by_origin("parts=2"), from_node("parts=2", options);
    EXPECT_EQ(gfab_machine_sharing(compiled(by_origin.plan, by_origin.schedule).get())->programs, 9u);
    EXPECT_LT(gfab_machine_sharing(compiled(from_node.plan, from_node.schedule).get())->programs, 9u);
}

TEST(Compile, ErrorsSayWhatAndWhy)
{
    const Topology mesh = parse("mesh:3x4"), torus = parse("torus:3x3");
    gfab_machine_options options = gfab_machine_options_default();
    options.frame = GFAB_FRAME_RELATIVE;
    gfab_plan plan = plan_of(mesh, open_model(), options);
    const Schedule schedule = solved(plan, "greedy");
    EXPECT_EQ(compile_error(plan, schedule, GFAB_ERR_UNSUPPORTED), "--frame: frame relative: mesh:3x4 is not a torus");
    plan.options.frame = GFAB_FRAME_ROTATED;
    EXPECT_EQ(compile_error(plan, schedule, GFAB_ERR_UNSUPPORTED),
              "--frame: frame rotated: mesh:3x4 is not a square mesh");
    plan.options.frame = GFAB_FRAME_AUTO;
    plan.options.gap_cycles = uint64_t{1} << 40;
    EXPECT_EQ(
        compile_error(plan, schedule, GFAB_ERR_LIMIT).find("the hardware cannot play this schedule: round 1: a gap of"),
        0u);
    const gfab_plan other = plan_of(torus, open_model(), gfab_machine_options_default());
    EXPECT_EQ(compile_error(other, schedule, GFAB_ERR_INVALID),
              "the hardware cannot play this schedule: the schedule is for mesh:3x4, the layout is for torus:3x3");

    options = widths(8, 8);
    options.frame = GFAB_FRAME_ROTATED;
    plan = plan_of(mesh, open_model(), options);
    ASSERT_EQ(plan.timing.wide, 1u);
    EXPECT_EQ(
        compile_error(plan, solved(plan, "greedy"), GFAB_ERR_UNSUPPORTED),
        "wide nodes: not with slots turned with the node, since a wide node's lanes have one order; give --frame auto "
        "or absolute");
    EXPECT_EQ(compile_error(plan, schedule, GFAB_ERR_UNSUPPORTED).find("wide nodes: not with slots turned"), 0u);
    plan.options.frame = GFAB_FRAME_AUTO;
    const std::string early = compile_error(plan, schedule, GFAB_ERR_FAULT); // made for shorter hops
    EXPECT_EQ(early.find("wide nodes, as a token has fewer than 2 flits a lane: "), 0u) << early;
    plan.options.store = GFAB_STORE_WIDE;
    const std::string asked = compile_error(plan, schedule, GFAB_ERR_FAULT);
    EXPECT_EQ(asked.find("--store wide: "), 0u) << asked;

    const Ring ring("parts=2", widths(24, 2));
    gfab_machine_options wide = widths(24, 2);
    wide.store = GFAB_STORE_WIDE;
    plan = plan_of(ring.topology, open_model(GFAB_LINK_FULL), wide);
    EXPECT_EQ(compile_error(plan, ring.schedule, GFAB_ERR_UNSUPPORTED),
              "wide nodes: not with packets over several links, since a wide node does not pass flits on; give --store "
              "narrow");

    const Schedule uneven = schedule_on(mesh);
    std::vector<uint32_t> load(12, 1);
    load[3] = 2;
    ASSERT_EQ(gfab_schedule_set_load(uneven.get(), load.data(), 1), GFAB_OK);
    plan = plan_of(mesh, open_model(), widths(32, 2));
    EXPECT_EQ(compile_error(plan, uneven, GFAB_ERR_UNSUPPORTED),
              "the hardware cannot play this schedule: load: the hardware starts with one token in each node");
}

TEST(Machine, PartsThatAreNotOfOneFabricAreRefused)
{
    const Topology topology = parse("mesh:3x3");
    const Layout layout = layout_of(topology);
    const Image image = assemble(lower(gossip_on(topology), layout));
    const gfab_timing right = timing_of(layout, 32, 2);
    gfab_machine *machine = nullptr;
    EXPECT_EQ(gfab_machine_create(nullptr, nullptr, &right, &machine), GFAB_ERR_INVALID);
    for (const auto &change : std::vector<std::function<void(gfab_timing *)>>{
             [](gfab_timing *t) { t->lanes++; }, [](gfab_timing *t) { t->wide = 1; },
             [](gfab_timing *t) { t->paths = 1; }, [](gfab_timing *t) { t->parts = 2; }}) {
        gfab_timing wrong = right;
        change(&wrong);
        EXPECT_EQ(gfab_machine_create(image.get(), nullptr, &wrong, &machine), GFAB_ERR_INVALID);
    }
    EXPECT_EQ(machine, nullptr);
}

// A faulty image can be made a machine, which the check refuses.
TEST(Machine, FaultsAreFound)
{
    const Topology topology = parse("mesh:3x3");
    const Layout layout = layout_of(topology);
    const Image image = assemble(lower(gossip_on(topology), layout));
    const gfab_timing timing = timing_of(layout, 32, 2);
    gfab_image_set_word(image.get(), 0, 0, gfab_image_word(image.get(), 0, 0) ^ 4);
    gfab_diag diag{};
    EXPECT_EQ(gfab_machine_check(machine_of(image, timing).get(), &diag), GFAB_ERR_FAULT);
    gfab_fabric_options options{};
    options.directory = "never-made";
    EXPECT_EQ(gfab_fabric_write(machine_of(image, timing).get(), &options, &diag), GFAB_ERR_FAULT);
    EXPECT_FALSE(std::filesystem::exists("never-made"));
}

namespace
{

class Files : public testing::Test
{
  protected:
    void SetUp() override
    {
        folder_ = std::filesystem::path(testing::TempDir()) /
                  (std::string("gfab_machine_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // The machine written as a folder and read back from its ROM files.
    Machine written_and_read(const gfab_machine *machine, const gfab_machine_shape &shape, gfab_status expected,
                             bool block_roms = false)
    {
        const std::string name = folder_.string(), rom = (folder_ / "rom").string();
        gfab_fabric_options options{};
        options.directory = name.c_str();
        options.force = true;
        options.block_roms = block_roms;
        EXPECT_EQ(gfab_fabric_write(machine, &options, &diag_), GFAB_OK) << diag_.message;
        EXPECT_EQ(std::filesystem::exists(folder_ / "rom" / "sequence.hex"), !block_roms);
        return read(gfab_machine_topology(machine), shape, expected);
    }
    Machine read(const gfab_topology *topology, const gfab_machine_shape &shape, gfab_status expected)
    {
        const std::string rom = (folder_ / "rom").string();
        gfab_machine *read = nullptr;
        EXPECT_EQ(gfab_machine_read(topology, &shape, rom.c_str(), &read, &diag_), expected) << diag_.message;
        return Machine(read);
    }
    gfab_machine_shape shape_of(const gfab_machine *machine)
    {
        const gfab_layout *layout = gfab_machine_layout(machine);
        const gfab_timing *timing = gfab_machine_timing(machine);
        gfab_machine_shape shape{};
        shape.layout = gfab_layout_options_default();
        shape.layout.full_duplex = gfab_layout_full_duplex(layout);
        shape.layout.paths = gfab_layout_paths(layout);
        shape.layout.wide = gfab_layout_wide(layout);
        shape.layout.parts = gfab_layout_parts(layout);
        shape.layout.frame = gfab_layout_frame(layout);
        shape.layout.protect = gfab_layout_protect(layout);
        shape.layout.alike = gfab_layout_alike(layout);
        shape.layout.streams = gfab_layout_streams(layout);
        shape.timing = {timing->token_bits, timing->link_bits, timing->latency_cycles,
                        timing->hop_rounds, timing->merges,    timing->operator_cycles};
        if (gfab_machine_banks(machine)) {
            shape.crossbar = gfab_banks_crossbar(gfab_machine_banks(machine))->kind;
            shape.banks = gfab_banks_crossbar(gfab_machine_banks(machine))->banks;
        }
        return shape;
    }

    std::filesystem::path folder_;
    gfab_diag diag_{};
};

} // namespace

TEST_F(Files, NarrowWideAndPathsComeBack)
{
    const Topology mesh = parse("mesh:3x3"), torus = parse("torus:4x4");
    gfab_machine_options options = widths(32, 2);
    options.gap_cycles = 5;
    const gfab_plan narrow = plan_of(mesh, open_model(GFAB_LINK_FULL), options);
    gfab_machine_options absolute = widths(32, 32);
    absolute.frame = GFAB_FRAME_ABSOLUTE;
    const gfab_plan wide = plan_of(torus, open_model(), absolute);
    options.frame = GFAB_FRAME_ABSOLUTE;
    options.rom_rounds = 64;
    const gfab_plan block_roms = plan_of(mesh, open_model(GFAB_LINK_FULL), options);
    const Ring ring("parts=2");
    const Machine machines[] = {compiled(narrow, solved(narrow, "greedy")), compiled(wide, solved(wide, "torus-bank")),
                                compiled(ring.plan, ring.schedule), compiled(block_roms, solved(narrow, "greedy")),
                                compiled(wide, solved(wide, "torus-bank"))};
    for (const Machine &machine : machines) {
        const Machine back =
            written_and_read(machine.get(), shape_of(machine.get()), GFAB_OK, &machine >= &machines[3]);
        ASSERT_TRUE(back);
        EXPECT_EQ(gfab_machine_check(back.get(), &diag_), GFAB_OK) << diag_.message;
        EXPECT_EQ(gfab_machine_rounds(back.get()), gfab_machine_rounds(machine.get()));
        EXPECT_EQ(gfab_machine_cycles(back.get()), gfab_machine_cycles(machine.get()));
        EXPECT_EQ(played(back.get()), gfab_machine_cycles(machine.get()));
        if (gfab_machine_banks(back.get())) { // no image: it can be run, but not written
            EXPECT_EQ(gfab_machine_image(back.get()), nullptr);
            EXPECT_EQ(gfab_machine_sharing(back.get()), nullptr);
            EXPECT_EQ(gfab_machine_program_bits(back.get()), 16 * gfab_machine_rom_bits(back.get()));
            gfab_fabric_options none{};
            none.directory = "never-made";
            EXPECT_EQ(gfab_fabric_write(back.get(), &none, &diag_), GFAB_ERR_INVALID);
            EXPECT_STREQ(diag_.message, "a machine without images cannot be written");
        }
    }
}

TEST_F(Files, WhatIsMissingOrMalformedIsNamed)
{
    const Topology mesh = parse("mesh:3x3");
    const gfab_plan plan = plan_of(mesh, open_model(), widths(32, 2));
    const Machine machine = compiled(plan, solved(plan, "greedy"));
    const gfab_machine_shape shape = shape_of(machine.get());
    ASSERT_TRUE(written_and_read(machine.get(), shape, GFAB_OK));
    {
        File file(std::fopen((folder_ / "rom" / "program_4.hex").c_str(), "a"));
        std::fputs("zz\n", file.get());
    }
    EXPECT_FALSE(read(mesh.get(), shape, GFAB_ERR_PARSE));
    EXPECT_NE(std::strstr(diag_.message, "program_4.hex: "), nullptr) << diag_.message;
    EXPECT_GT(diag_.line, 1u);
    std::filesystem::remove(folder_ / "rom" / "program_4.hex");
    EXPECT_FALSE(read(mesh.get(), shape, GFAB_ERR_IO));
    EXPECT_NE(std::strstr(diag_.message, "cannot open "), nullptr) << diag_.message;
    EXPECT_NE(std::strstr(diag_.message, "program_4.hex: "), nullptr) << diag_.message;
    std::filesystem::remove(folder_ / "rom" / "sequence.hex");
    EXPECT_FALSE(read(mesh.get(), shape, GFAB_ERR_UNSUPPORTED));
    EXPECT_NE(std::strstr(diag_.message,
                          "sequence.hex: there is none; programs of before it, which have halts in them, "
                          "are not read: generate the fabric again"),
              nullptr)
        << diag_.message;
    gfab_machine_shape bad = shape;
    bad.layout.parts = 3;
    EXPECT_FALSE(read(mesh.get(), bad, GFAB_ERR_INVALID)); // 32 bits are not cut in 3
}
