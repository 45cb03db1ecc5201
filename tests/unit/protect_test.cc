// SPDX-License-Identifier: MIT
// Protected machines: the sums of their programs, the check bits of their places, and what is refused.
#include "fixture.h"
#include "write_anew.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct Made {
    Topology topology;
    Schedule schedule;
    Machine machine;
};

// A protected machine; status and line of what went wrong where it is none.
gfab_status make(const char *spec, const char *solver, gfab_link_mode mode, gfab_machine_options options, Made &made,
                 std::string &line)
{
    gfab_diag diag{};
    gfab_plan plan{};
    gfab_model model = gfab_model_default();
    model.link_mode = mode;
    model.hop_rounds = 0;
    options.protect = GFAB_PROTECT_DETECT;
    made.topology = parse(spec);
    gfab_status status = gfab_machine_plan(made.topology.get(), &model, &options, &plan, &diag);
    gfab_schedule *schedule = nullptr;
    const gfab_solver_options settings = gfab_solver_options_default();
    if (status == GFAB_OK)
        status = gfab_solver_find(solver)->solve(plan.topology, &plan.model, &settings, &schedule, &diag);
    made.schedule = Schedule(schedule);
    gfab_machine *machine = nullptr;
    if (status == GFAB_OK)
        status = gfab_machine_compile(&plan, schedule, &machine, &diag);
    made.machine = Machine(machine);
    line = diag.message;
    return status;
}

Made made_of(const char *spec, const char *solver, gfab_link_mode mode, uint32_t token_bits, uint32_t link_bits)
{
    Made made;
    std::string line;
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = token_bits;
    options.link_bits = link_bits;
    EXPECT_EQ(make(spec, solver, mode, options, made, line), GFAB_OK) << line;
    return made;
}

uint32_t ones(uint64_t word)
{
    return static_cast<uint32_t>(__builtin_popcountll(word));
}

const struct {
    const char *spec, *solver;
    gfab_link_mode mode;
} narrow[] = {{"mesh:3x3", "greedy", GFAB_LINK_HALF},
              {"mesh:3x3", "greedy", GFAB_LINK_FULL},
              {"torus:4x4", "torus-tree", GFAB_LINK_HALF},
              {"mesh:4x4", "symmetric", GFAB_LINK_HALF},
              {"cycle:5", "greedy", GFAB_LINK_HALF}};

} // namespace

// A word that came in waits a cycle exactly where rounds leave room for it, F >= 2 K + 2 + l + skewed.
TEST(Protect, WordsWaitWhereThereIsRoom)
{
    const struct {
        const char *spec, *solver;
        uint32_t token_bits, link_bits, registered;
    } rows[] = {{"mesh:3x3", "greedy", 24, 2, 1}, // K = 4, F = 12 >= 10
                {"mesh:3x3", "greedy", 16, 2, 0}, // F = 8
                {"cycle:5", "greedy", 6, 1, 0},   // K = 2, skewed: F = 6 < 7
                {"cycle:5", "greedy", 8, 1, 1},   // F = 8
                {"path:2", "greedy", 3, 1, 0},    // K = 1, F = 3 < 4
                {"path:2", "greedy", 4, 1, 1}};
    for (const auto &row : rows) {
        const Made made = made_of(row.spec, row.solver, GFAB_LINK_HALF, row.token_bits, row.link_bits);
        EXPECT_EQ(gfab_machine_timing(made.machine.get())->registered, row.registered) << row.spec << row.token_bits;
    }
}

// The ones of a program are even in number with any one word of the halt's round; nodes share ROMs as without.
TEST(Protect, SlotsOfTheHaltMakeProgramsEven)
{
    bool odd = false;
    for (const auto &row : narrow) {
        const Made made = made_of(row.spec, row.solver, row.mode, 32, 2);
        const gfab_image *image = gfab_machine_image(made.machine.get());
        const gfab_layout *layout = gfab_image_layout(image);
        const size_t lanes = gfab_layout_lane_count(layout), stride = gfab_image_lane_stride(image);
        const size_t halt = gfab_machine_rounds(made.machine.get()) * stride;
        for (size_t node = 0; node < gfab_topology_node_count(made.topology.get()); node++) {
            uint32_t sum = 0;
            for (size_t index = 0; index < halt; index++)
                sum += ones(gfab_image_word(image, node, index));
            odd = odd || sum % 2 == 1;
            for (size_t lane = 0; lane < lanes; lane++)
                EXPECT_EQ((sum + ones(gfab_image_word(image, node, halt + lane))) % 2, 0u) << row.spec << " " << node;
            for (size_t index = halt + lanes; index < gfab_image_word_count(image); index++)
                EXPECT_EQ(gfab_image_word(image, node, index), 0u);
        }
        gfab_machine_options plain = gfab_machine_options_default();
        gfab_plan plan{};
        gfab_machine *machine = nullptr;
        ASSERT_EQ(gfab_machine_plan_schedule(made.schedule.get(), &plain, &plan, nullptr), GFAB_OK);
        ASSERT_EQ(gfab_machine_compile(&plan, made.schedule.get(), &machine, nullptr), GFAB_OK);
        const Machine unprotected(machine);
        EXPECT_EQ(gfab_machine_sharing(made.machine.get())->roms, gfab_machine_sharing(machine)->roms) << row.spec;
        const gfab_timing *timing = gfab_machine_timing(machine);
        EXPECT_EQ(gfab_machine_cycles(made.machine.get()), gfab_machine_cycles(machine)) << row.spec;
        EXPECT_EQ(gfab_machine_store_bits(made.machine.get()) - gfab_machine_store_bits(machine),
                  gfab_layout_slot_count(layout) * timing->words);
    }
    EXPECT_TRUE(odd); // or nothing was seen
}

// Every bit of the halt's round counts: none can be changed.
TEST(Protect, SumsThatAreWrongAreRefused)
{
    const Made made = made_of("mesh:3x3", "greedy", GFAB_LINK_FULL, 32, 2);
    const gfab_image *right = gfab_machine_image(made.machine.get());
    const gfab_timing *timing = gfab_machine_timing(made.machine.get());
    gfab_image *copied = nullptr;
    ASSERT_EQ(gfab_image_create(gfab_image_layout(right), gfab_image_round_bits(right), &copied, nullptr), GFAB_OK);
    const Image image(copied);
    const size_t nodes = gfab_topology_node_count(made.topology.get());
    for (size_t node = 0; node < nodes; node++)
        for (size_t index = 0; index < gfab_image_word_count(right); index++)
            gfab_image_set_word(copied, node, index, gfab_image_word(right, node, index));
    gfab_image_set_halt(copied, gfab_machine_rounds(made.machine.get()) + 1, true);
    ASSERT_EQ(gfab_image_check(copied, timing, nullptr, nullptr, nullptr), GFAB_OK);
    const size_t halt = gfab_machine_rounds(made.machine.get()) * gfab_image_lane_stride(right);
    for (size_t node = 0; node < nodes; node++)
        for (size_t lane = 0; lane < gfab_layout_lane_count(gfab_image_layout(right)); lane++)
            for (uint32_t bit = 0; bit < gfab_image_op_bits(right); bit++) {
                const uint32_t word = gfab_image_word(copied, node, halt + lane);
                gfab_image_set_word(copied, node, halt + lane, word ^ 1u << bit);
                EXPECT_EQ(gfab_image_check(copied, timing, nullptr, nullptr, nullptr), GFAB_ERR_FAULT)
                    << node << " " << bit;
                gfab_image_set_word(copied, node, halt + lane, word);
            }
}

// Wide programs and places as files: they come back, and no bit of them can be changed.
TEST(Protect, WideFilesComeBackAndEveryBitCounts)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "gfab_protect_wide";
    std::filesystem::remove_all(folder);
    const Made made = made_of("mesh:2x3", "greedy", GFAB_LINK_HALF, 8, 8);
    const gfab_machine *machine = made.machine.get();
    ASSERT_NE(gfab_machine_banks(machine), nullptr);
    const std::string name = folder.string(), rom = (folder / "rom").string();
    gfab_fabric_options options{};
    options.directory = name.c_str();
    ASSERT_EQ(gfab_fabric_write(machine, &options, nullptr), GFAB_OK);
    gfab_machine_shape shape{};
    shape.layout = gfab_layout_options_default();
    shape.layout.wide = true;
    shape.layout.protect = GFAB_PROTECT_DETECT;
    shape.timing.token_bits = shape.timing.link_bits = 8;
    shape.timing.hop_rounds = gfab_machine_timing(machine)->hop_rounds;
    shape.crossbar = gfab_banks_crossbar(gfab_machine_banks(machine))->kind;
    shape.banks = gfab_banks_crossbar(gfab_machine_banks(machine))->banks;
    const auto read = [&] {
        gfab_machine *back = nullptr;
        gfab_status status = gfab_machine_read(made.topology.get(), &shape, rom.c_str(), &back, nullptr);
        if (status == GFAB_OK)
            status = gfab_machine_check(back, nullptr);
        gfab_machine_destroy(back);
        return status;
    };
    ASSERT_EQ(read(), GFAB_OK);
    size_t changed = 0;
    for (const char *file : {"program_0.hex", "program_3.hex", "places_0.hex", "places_5.hex"}) {
        std::string text;
        std::getline(std::ifstream((folder / "rom" / file).string()), text, '\0');
        for (size_t at = 0; at < text.size(); at++)
            for (unsigned bit = 0; bit < 4 && text[at] != '\n'; bit++) {
                const unsigned digit = std::strchr("0123456789abcdef", text[at]) - "0123456789abcdef";
                std::string wrong = text;
                wrong[at] = "0123456789abcdef"[digit ^ 1u << bit];
                write_anew(folder / "rom" / file, wrong);
                EXPECT_NE(read(), GFAB_OK) << file << " character " << at << " bit " << bit;
                changed++;
            }
        write_anew(folder / "rom" / file, text);
    }
    EXPECT_GT(changed, 100u);
    ASSERT_EQ(read(), GFAB_OK);
    std::filesystem::remove_all(folder);
}

TEST(Protect, WordsOfPathsHaveACheckBit)
{
    gfab_machine_options options = gfab_machine_options_default();
    options.protect = GFAB_PROTECT_DETECT;
    gfab_model model = gfab_model_default();
    model.link_mode = GFAB_LINK_FULL;
    model.routing = GFAB_ROUTING_CIRCUIT;
    model.packet_tokens = 100;
    gfab_solver_options settings = gfab_solver_options_default();
    settings.parameters = "parts=1";
    const Topology topology = parse("cycle:9");
    gfab_plan plan{};
    gfab_schedule *schedule = nullptr;
    gfab_machine *machine = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, nullptr), GFAB_OK);
    ASSERT_EQ(gfab_solver_find("circgo")->solve(topology.get(), &model, &settings, &schedule, nullptr), GFAB_OK);
    const Schedule owned(schedule);
    ASSERT_EQ(gfab_machine_compile(&plan, schedule, &machine, &diag), GFAB_OK) << diag.message;
    const std::unique_ptr<gfab_machine, void (*)(gfab_machine *)> kept(machine, gfab_machine_destroy);
    ASSERT_TRUE(gfab_layout_paths(gfab_machine_layout(machine)));
    FILE *file = tmpfile();
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(gfab_image_write_paths(gfab_machine_image(machine), 4, file, &diag), GFAB_OK);
    rewind(file);
    unsigned word = 0, count = 0;
    for (; fscanf(file, "%x", &word) == 1; count++)
        EXPECT_EQ(__builtin_popcount(word) % 2, 1) << count;
    EXPECT_EQ(count, gfab_image_word_count(gfab_machine_image(machine)));
    // A bit that is another.
    gfab_image *read = nullptr;
    ASSERT_EQ(gfab_image_create(gfab_machine_layout(machine), gfab_image_round_bits(gfab_machine_image(machine)), &read,
                                &diag),
              GFAB_OK);
    ASSERT_EQ(gfab_image_set_wait_bits(read, gfab_image_wait_bits(gfab_machine_image(machine)), &diag), GFAB_OK);
    rewind(file);
    EXPECT_EQ(gfab_image_read_paths(read, 4, file, &diag), GFAB_OK) << diag.message;
    rewind(file);
    const int digit = getc(file);
    rewind(file);
    putc(digit == '0' ? '1' : '0', file);
    rewind(file);
    EXPECT_EQ(gfab_image_read_paths(read, 4, file, &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(diag.line, 1u);
    EXPECT_NE(std::strstr(diag.message, "even number of ones"), nullptr) << diag.message;
    gfab_image_destroy(read);
    fclose(file);
}

TEST(Protect, ChipsWithoutLatencyAreRefused)
{
    gfab_diag diag{};
    const Made two = made_of("mesh:2x2", "greedy", GFAB_LINK_FULL, 32, 2);
    const uint32_t chips[] = {0, 0, 1, 1};
    gfab_fabric_options fabric{};
    fabric.directory = "never-made";
    fabric.chips = chips;
    fabric.chip_count = 2;
    EXPECT_EQ(gfab_fabric_write(two.machine.get(), &fabric, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "links between chips have a register in each pad: a latency of 2 cycles or more, not 0");
    EXPECT_FALSE(std::filesystem::exists("never-made"));
}
