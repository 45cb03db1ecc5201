// SPDX-License-Identifier: MIT
// Collectives of blocks in hardware: from schedule to programs, images and the C model.
#include "fixture.h"

#include <gossipfab/cmodel/cmodel.h>
#include <gossipfab/fabric/compile.h>
#include <gossipfab/fabric/program.h>
#include <gossipfab/solvers/solver.h>

#include <numeric>
#include <random>

namespace
{

gfab_layout_options combining(uint32_t blocks, gfab_operator op)
{
    gfab_layout_options options = gfab_layout_options_default();
    options.blocks = blocks;
    options.combines = op;
    return options;
}

struct Move {
    uint32_t round, from, to, block;
    bool combine;
};

Schedule schedule_of(const Topology &topology, const gfab_goal &goal, const std::vector<Move> &moves)
{
    const gfab_model model = gfab_model_default();
    gfab_schedule *schedule = nullptr;
    EXPECT_EQ(gfab_schedule_create(topology.get(), &model, &schedule), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(schedule, &goal, nullptr), GFAB_OK);
    for (const Move &move : moves) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology.get(), move.from, &count);
        size_t port = 0;
        while (ports[port].peer != move.to)
            port++;
        EXPECT_EQ(gfab_schedule_append(schedule, move.round, 2 * ports[port].link + ports[port].end,
                                       move.block | (move.combine ? GFAB_COMBINE : 0)),
                  GFAB_OK);
    }
    return Schedule(schedule);
}

// A star's centre has contributions from all of its leaves in round 1.
const gfab_goal to_centre = {GFAB_REDUCE, 1, 0, false};
const std::vector<Move> at_once = {{1, 1, 0, 0, true}, {1, 2, 0, 0, true}, {1, 3, 0, 0, true}, {1, 4, 0, 0, true}};

std::string lowered(const Schedule &schedule, const Layout &layout, Program *program)
{
    gfab_diag diag = {0, ""};
    gfab_program *made = nullptr;
    gfab_program_lower(schedule.get(), layout.get(), nullptr, 0, nullptr, &made, &diag);
    program->reset(made);
    return diag.message;
}

} // namespace

TEST(Combining, OpsSayWhatIsCombined)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4");
    const Layout layout = layout_of(star, combining(1, GFAB_OPERATOR_SUM));
    Program program;
    ASSERT_EQ(lowered(schedule_of(star, to_centre, at_once), layout, &program), "");
    for (size_t lane = 0; lane < 4; lane++)
        EXPECT_EQ(gfab_program_op(program.get(), 0, 1, lane).kind, GFAB_OP_COMBINE) << lane;
    gfab_image *image = nullptr;
    ASSERT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &image, nullptr), GFAB_OK);
    const Image owned(image);
    EXPECT_EQ(gfab_image_op_bits(image), 3u); // as without combining
    EXPECT_EQ(gfab_image_word(image, 0, 0), 3u);
    EXPECT_EQ(gfab_image_word(image, 0, 4), 0u);
    EXPECT_TRUE(gfab_image_halts(image, 2));
    EXPECT_EQ(gfab_program_check_image(program.get(), image, nullptr, nullptr), GFAB_OK);
}

TEST(Combining, LoweringRefusesWhatTheHardwareCannotDo)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4");
    const Schedule sum = schedule_of(star, to_centre, at_once);
    Program program;
    EXPECT_EQ(lowered(sum, layout_of(star, combining(1, GFAB_OPERATOR_NONE)), &program),
              "operator none: in round 1 node 0 is to combine what it receives");
    const Schedule two = schedule_of(star, {GFAB_REDUCE, 2, 0, false}, at_once);
    EXPECT_EQ(lowered(two, layout_of(star, combining(1, GFAB_OPERATOR_SUM)), &program),
              "the schedule has 2 blocks, the layout 1");
    EXPECT_EQ(lowered(sum, layout_of(star, combining(2, GFAB_OPERATOR_SUM)), &program), ""); // beside one of two blocks
    EXPECT_EQ(lowered(sum, layout_of(star, gfab_layout_options_default()), &program),
              "reduce: the layout is for all-gather");
    const Schedule twice = schedule_of(star, {GFAB_REDUCE, 1, 0, true}, at_once);
    for (const gfab_operator op : {GFAB_OPERATOR_SUM, GFAB_OPERATOR_XOR, GFAB_OPERATOR_ALL})
        EXPECT_NE(lowered(twice, layout_of(star, combining(1, op)), &program).find("may count more than once"),
                  std::string::npos);
    EXPECT_EQ(lowered(twice, layout_of(star, combining(1, GFAB_OPERATOR_UMAX)), &program), "");
}

TEST(Combining, LayoutsRefuseWhatDoesNotGoWithBlocks)
{
    const Topology torus = parse("torus:3x3");
    const auto refused = [&](gfab_layout_options options) {
        gfab_diag diag = {0, ""};
        EXPECT_NE(layout_status(torus, options, &diag), GFAB_OK);
        return std::string(diag.message);
    };
    gfab_layout_options options = combining(9, GFAB_OPERATOR_SUM);
    options.frame = GFAB_FRAME_RELATIVE;
    EXPECT_NE(refused(options).find("--frame auto or absolute"), std::string::npos);
    options = combining(9, GFAB_OPERATOR_ALL);
    options.wide = true;
    EXPECT_NE(refused(options).find("wide nodes: not with the choice of all operators"), std::string::npos);
    EXPECT_NE(refused(combining(0, GFAB_OPERATOR_SUM)).find("combines nothing"), std::string::npos);
}

// Rule 8 of docs/reference/rom-format.md.
TEST(Combining, AnImageThatStoresWhereItCombinesIsRefused)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4");
    const Layout layout = layout_of(star, combining(1, GFAB_OPERATOR_SUM));
    gfab_timing timing;
    const gfab_timing_options widths = {8, 1, 0, 0, 0, 0};
    ASSERT_EQ(gfab_timing_compute(layout.get(), &widths, &timing, nullptr), GFAB_OK);
    for (const size_t lane : {0u, 1u, 2u, 3u}) {
        Program program;
        ASSERT_EQ(lowered(schedule_of(star, to_centre, at_once), layout, &program), "");
        gfab_image *image = nullptr;
        ASSERT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &image, nullptr), GFAB_OK);
        const Image owned(image);
        EXPECT_EQ(gfab_image_check(image, &timing, nullptr, nullptr, nullptr), GFAB_OK);
        gfab_image_set_word(image, 0, lane, gfab_op_encode({GFAB_OP_RECV, 0}));
        gfab_diag diag = {0, ""};
        EXPECT_EQ(gfab_image_check(image, &timing, nullptr, nullptr, &diag), GFAB_ERR_FAULT);
        EXPECT_NE(std::string(diag.message).find("in the same round"), std::string::npos) << diag.message;
    }
}

// The halt's round of a protected program makes its ones even; every other word there is seen.
TEST(Combining, AProtectedHaltMakesTheOnesEven)
{
    const Topology star = parse("graph:5:0-1,0-2,0-3,0-4");
    gfab_layout_options options = combining(1, GFAB_OPERATOR_SUM);
    options.protect = GFAB_PROTECT_DETECT;
    const Layout layout = layout_of(star, options);
    gfab_timing timing;
    const gfab_timing_options widths = {8, 1, 0, 0, 0, 0};
    ASSERT_EQ(gfab_timing_compute(layout.get(), &widths, &timing, nullptr), GFAB_OK);
    Program program;
    ASSERT_EQ(lowered(schedule_of(star, to_centre, at_once), layout, &program), "");
    gfab_image *image = nullptr;
    ASSERT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &image, nullptr), GFAB_OK);
    const Image owned(image);
    EXPECT_EQ(gfab_image_check(image, &timing, nullptr, nullptr, nullptr), GFAB_OK);
    for (size_t node = 0; node < 5; node++) {
        for (size_t halt = 4; halt < 8; halt++) {
            uint32_t ones = gfab_image_word(image, node, halt);
            for (size_t lane = 0; lane < 4; lane++)
                ones ^= gfab_image_word(image, node, lane);
            EXPECT_EQ(__builtin_parity(ones), 0) << node;
        }
        for (size_t lane = 0; lane < 4; lane++)
            for (uint32_t bit = 0; bit < gfab_image_op_bits(image); bit++) {
                const uint32_t word = gfab_image_word(image, node, 4 + lane);
                gfab_image_set_word(image, node, 4 + lane, word ^ 1u << bit);
                EXPECT_EQ(gfab_image_check(image, &timing, nullptr, nullptr, nullptr), GFAB_ERR_FAULT) << lane << bit;
                gfab_image_set_word(image, node, 4 + lane, word);
            }
    }
}

namespace
{

uint64_t plain(gfab_operator op, uint32_t bits, uint64_t a, uint64_t b)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    const auto number = [&](uint64_t value) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); };
    switch (op) {
    case GFAB_OPERATOR_SUM:
        return (a + b) & mask;
    case GFAB_OPERATOR_AND:
        return a & b;
    case GFAB_OPERATOR_OR:
        return a | b;
    case GFAB_OPERATOR_XOR:
        return a ^ b;
    case GFAB_OPERATOR_MIN:
        return number(a) < number(b) ? a : b;
    case GFAB_OPERATOR_MAX:
        return number(a) > number(b) ? a : b;
    case GFAB_OPERATOR_UMIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

// A narrow fabric that plays an all-reduce of blocks.
void make_all_reduce(const gfab_topology *topology, uint32_t blocks, gfab_link_mode mode, uint32_t token_bits,
                     uint32_t link_bits, gfab_operator fabric, Machine *machine)
{
    const gfab_goal goal = {GFAB_ALL_REDUCE, blocks, 0, false};
    gfab_solver_options how = gfab_solver_options_default();
    how.goal = &goal;
    gfab_model model = gfab_model_default();
    model.link_mode = mode;
    gfab_schedule *schedule = nullptr;
    const char *solver = blocks == 1 ? "auto" : mode == GFAB_LINK_FULL ? "trees" : "reversed";
    ASSERT_EQ(gfab_solver_find(solver)->solve(topology, &model, &how, &schedule, nullptr), GFAB_OK);
    const Schedule owned(schedule);
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = token_bits;
    options.link_bits = link_bits;
    options.store = GFAB_STORE_NARROW;
    options.combines = fabric;
    gfab_plan plan;
    gfab_diag diag = {0, ""};
    gfab_machine *made = nullptr;
    ASSERT_EQ(gfab_machine_plan_schedule(schedule, &options, &plan, &diag), GFAB_OK) << diag.message;
    ASSERT_EQ(gfab_machine_compile(&plan, schedule, &made, &diag), GFAB_OK) << diag.message;
    machine->reset(made);
}

// An all-reduce of random blocks, one a node, for each operator in turn; `all` in one fabric.
void run_all_reduce(const char *spec, gfab_link_mode mode, uint32_t token_bits, uint32_t link_bits,
                    gfab_operator fabric)
{
    const Topology topology = parse(spec);
    const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
    Machine machine;
    ASSERT_NO_FATAL_FAILURE(make_all_reduce(topology.get(), nodes, mode, token_bits, link_bits, fabric, &machine));
    gfab_cmodel *cmodel = nullptr;
    ASSERT_EQ(gfab_cmodel_create(machine.get(), nullptr, &cmodel), GFAB_OK);
    const Cmodel model_owned(cmodel);
    std::mt19937_64 random(token_bits + link_bits + fabric);
    const uint64_t mask = token_bits == 64 ? UINT64_MAX : (uint64_t{1} << token_bits) - 1;
    for (int i = 0; i < 8; i++) {
        const auto op = fabric == GFAB_OPERATOR_ALL ? static_cast<gfab_operator>(GFAB_OPERATOR_FIRST + i) : fabric;
        std::vector<uint64_t> totals(nodes);
        gfab_cmodel_set_operator(cmodel, op);
        for (uint32_t node = 0; node < nodes; node++)
            for (uint32_t block = 0; block < nodes; block++) {
                const uint64_t value = random() & mask & (random() % 4 ? UINT64_MAX : 0xff); // equal tops, too
                ASSERT_EQ(gfab_cmodel_load_block(cmodel, node, block, reinterpret_cast<const uint8_t *>(&value)),
                          GFAB_OK);
                totals[block] = node == 0 ? value : plain(op, token_bits, totals[block], value);
            }
        uint64_t cycles = 0;
        ASSERT_EQ(gfab_cmodel_run(cmodel, UINT64_MAX, nullptr, &cycles), GFAB_OK);
        EXPECT_EQ(cycles, gfab_machine_cycles(machine.get()));
        for (uint32_t node = 0; node < nodes; node++)
            for (uint32_t block = 0; block < nodes; block++) {
                uint64_t value = 0;
                gfab_cmodel_read_token(cmodel, node, block, reinterpret_cast<uint8_t *>(&value));
                EXPECT_EQ(value, totals[block]) << spec << " " << gfab_operator_name(op) << " node " << node;
            }
    }
}

// Every operator after every other, each node with what it holds by then or, one time in two, with another block.
void run_pairs(const char *spec, gfab_link_mode mode, uint32_t token_bits)
{
    const Topology topology = parse(spec);
    const auto nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
    Machine machine;
    ASSERT_NO_FATAL_FAILURE(make_all_reduce(topology.get(), 1, mode, token_bits, 1, GFAB_OPERATOR_ALL, &machine));
    gfab_cmodel *cmodel = nullptr;
    ASSERT_EQ(gfab_cmodel_create(machine.get(), nullptr, &cmodel), GFAB_OK);
    const Cmodel model_owned(cmodel);
    std::mt19937_64 random(token_bits);
    std::vector<uint64_t> held(nodes);
    constexpr int count = GFAB_OPERATOR_ALL - GFAB_OPERATOR_FIRST;
    for (int i = 0; i < 2 * count * count; i++) {
        const int pair = i / 2, number = i % 2 ? pair % count : pair / count;
        const auto op = static_cast<gfab_operator>(GFAB_OPERATOR_FIRST + number);
        gfab_cmodel_set_operator(cmodel, op);
        for (uint32_t node = 0; node < nodes; node++) {
            if (i > 0 && random() % 2)
                continue;
            held[node] = random() & ((uint64_t{1} << token_bits) - 1);
            ASSERT_EQ(gfab_cmodel_load_block(cmodel, node, 0, reinterpret_cast<const uint8_t *>(&held[node])), GFAB_OK);
        }
        const uint64_t total = std::accumulate(held.begin() + 1, held.end(), held[0],
                                               [&](uint64_t a, uint64_t b) { return plain(op, token_bits, a, b); });
        uint64_t cycles = 0;
        ASSERT_EQ(gfab_cmodel_run(cmodel, UINT64_MAX, nullptr, &cycles), GFAB_OK);
        for (uint32_t node = 0; node < nodes; node++) {
            held[node] = 0;
            gfab_cmodel_read_token(cmodel, node, 0, reinterpret_cast<uint8_t *>(&held[node]));
            ASSERT_EQ(held[node], total) << spec << " " << token_bits << " bits, " << gfab_operator_name(op)
                                         << " in run " << i << ", node " << node;
        }
    }
}

} // namespace

// No operator sees in the padding what another has left there: all paddings, of words and of flits of a word.
TEST(Combining, NothingIsLeftInThePadding)
{
    for (const char *spec : {"path:2", "path:3", "cycle:5", "graph:4:0-1,0-2,0-3", "mesh:3x3"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (uint32_t bits = 1; bits <= 12; bits++)
                ASSERT_NO_FATAL_FAILURE(run_pairs(spec, mode, bits));
}

TEST(Combining, TheModelGivesPlainTotals)
{
    for (const char *spec : {"mesh:2x3", "mesh:3x3", "torus:3x3", "cycle:5", "path:4", "path:2", "hypercube:3"})
        for (const uint32_t bits : {8u, 13u, 32u, 64u})
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
                run_all_reduce(spec, mode, bits, 1, GFAB_OPERATOR_ALL);
    for (int op = GFAB_OPERATOR_FIRST; op < GFAB_OPERATOR_ALL; op++)
        run_all_reduce("torus:3x3", GFAB_LINK_HALF, 24, 4, static_cast<gfab_operator>(op));
}

// Tokens of two words over a skewed link would be read before they are written.
TEST(Combining, SkewedFabricsHaveThreeWords)
{
    const gfab_timing_options widths = {8, 2, 0, 0, 0, 0};
    for (const auto &[spec, words] : {std::pair<const char *, uint32_t>{"torus:3x3", 3}, {"mesh:3x3", 2}}) {
        gfab_timing timing;
        const Topology topology = parse(spec);
        const Layout layout = layout_of(topology, combining(9, GFAB_OPERATOR_SUM));
        ASSERT_EQ(gfab_timing_compute(layout.get(), &widths, &timing, nullptr), GFAB_OK);
        EXPECT_EQ(timing.words, words) << spec;
    }
}

// What came in waits a cycle exactly where rounds leave room for it, F >= 2 K + 2 + skewed: a result behind the
// operator as a token without one.
TEST(Combining, ResultsWaitWhereThereIsRoom)
{
    const struct {
        const char *spec;
        uint32_t token_bits, registered, overhead;
    } rows[] = {{"mesh:3x3", 8, 0, 4},  // K = 4, F = 8
                {"mesh:3x3", 12, 1, 6}, // F = 12 >= 10
                {"cycle:5", 6, 0, 4},   // K = 2, skewed: F = 6 < 7
                {"cycle:5", 8, 1, 5}};
    for (const auto &row : rows) {
        const gfab_timing_options widths = {row.token_bits, 1, 0, 0, 0, 0};
        gfab_timing timing;
        const Topology topology = parse(row.spec);
        const Layout layout = layout_of(topology, combining(9, GFAB_OPERATOR_SUM));
        ASSERT_EQ(gfab_timing_compute(layout.get(), &widths, &timing, nullptr), GFAB_OK);
        EXPECT_EQ(timing.registered, row.registered) << row.spec << row.token_bits;
        EXPECT_EQ(timing.overhead_cycles, row.overhead) << row.spec << row.token_bits;
        const Layout plain = layout_of(topology, combining(9, GFAB_OPERATOR_NONE));
        ASSERT_EQ(gfab_timing_compute(plain.get(), &widths, &timing, nullptr), GFAB_OK);
        EXPECT_EQ(timing.registered, row.registered) << row.spec << row.token_bits;
        EXPECT_EQ(timing.overhead_cycles, row.overhead) << row.spec << row.token_bits;
    }
}
