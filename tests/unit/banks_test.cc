// SPDX-License-Identifier: MIT
// Wide programs: which bank each token is in, their files, and the check.
#include "fixture.h"

#include <algorithm>
#include <set>
#include <vector>

namespace
{

using Banks = Owner<gfab_banks, gfab_banks_destroy>;

gfab_model model_of(uint32_t lambda)
{
    gfab_model model = gfab_model_default();
    model.hop_rounds = lambda;
    return model;
}

Schedule solved(const Topology &topology, const char *solver, const gfab_model &model)
{
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    const gfab_solver_options options = gfab_solver_options_default();
    EXPECT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &schedule, &diag), GFAB_OK)
        << diag.message;
    return Schedule(schedule);
}

struct Wide {
    Topology topology;
    Layout layout;
    gfab_timing timing{};
    Image image;
    Banks banks;

    Wide(const char *spec, const char *solver, uint32_t lambda, gfab_frame frame = GFAB_FRAME_ABSOLUTE,
         gfab_protect protect = GFAB_PROTECT_NONE)
        : topology(parse(spec))
    {
        gfab_diag diag{};
        gfab_layout_options options = wide_nodes(false, frame);
        options.protect = protect;
        layout = layout_of(topology, options);
        EXPECT_EQ(compute(layout, {32, 32, 0, lambda, 0, 0}, &timing, &diag), GFAB_OK) << diag.message;
        image = assemble(lower(solved(topology, solver, model_of(lambda)), layout));
        gfab_banks *fit = nullptr;
        EXPECT_EQ(gfab_banks_fit(image.get(), nullptr, &fit, &diag), GFAB_OK) << diag.message;
        banks.reset(fit);
    }

    const gfab_crossbar &crossbar() const { return *gfab_banks_crossbar(banks.get()); }
    uint32_t rounds() const { return gfab_banks_halt(banks.get(), 0) - 1; }
    std::string check() const
    {
        gfab_diag diag{};
        const gfab_status status = gfab_banks_check(banks.get(), &timing, nullptr, &diag);
        EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
        return status == GFAB_OK ? "" : diag.message;
    }
};

std::string text_of(gfab_status (*write)(const gfab_banks *, size_t, FILE *, gfab_diag *), const Banks &banks,
                    size_t node)
{
    File file(std::tmpfile());
    EXPECT_EQ(write(banks.get(), node, file.get(), nullptr), GFAB_OK);
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file.get()), text.size());
    return text;
}

gfab_status read(gfab_status (*reader)(gfab_banks *, size_t, FILE *, gfab_diag *), const Banks &banks, size_t node,
                 const std::string &text, gfab_diag *diag = nullptr)
{
    File file(std::tmpfile());
    std::fwrite(text.data(), 1, text.size(), file.get());
    std::rewind(file.get());
    return reader(banks.get(), node, file.get(), diag);
}

} // namespace

TEST(Banks, WideLanesAreDirections)
{
    for (const char *spec :
         {"torus:4x5", "torus:3x3x3", "torus:2x4", "torus:1x5", "mesh:3x4", "mesh:2x5", "mesh:4x1x2"}) {
        const Topology topology = parse(spec);
        const Layout layout = layout_of(topology, wide_nodes());
        gfab_layout *const made = layout.get();
        EXPECT_FALSE(gfab_layout_any_skew(made));
        for (size_t node = 0; node < gfab_topology_node_count(topology.get()); node++) {
            size_t count = 0;
            const gfab_port *ports = gfab_topology_ports(topology.get(), node, &count);
            std::set<uint32_t> seen;
            for (size_t p = 0; p < count; p++) {
                // The step along the axis decides the lane, whichever the node.
                uint32_t stride = 1, expected = 0;
                for (size_t axis = gfab_topology_dimensions(topology.get()); axis-- > 0;) {
                    const uint32_t side = gfab_topology_side(topology.get(), axis);
                    const uint32_t a = static_cast<uint32_t>(node) / stride % side, b = ports[p].peer / stride % side;
                    stride *= side;
                    if (a == b)
                        continue;
                    for (size_t before = 0; before < axis; before++) {
                        const uint32_t other = gfab_topology_side(topology.get(), before);
                        expected += other > 2 ? 2 : other - 1;
                    }
                    const bool torus = gfab_topology_get_kind(topology.get()) == GFAB_TOPOLOGY_TORUS;
                    expected += side > 2 && (torus ? b != (a + 1) % side : b < a);
                }
                EXPECT_EQ(gfab_layout_lane(made, node, p), expected) << spec << " node " << node;
                EXPECT_EQ(gfab_layout_port(made, node, expected), p);
                EXPECT_TRUE(seen.insert(expected).second);
            }
        }
    }
}

TEST(Banks, SmallTorusCrossbarsFitTheirSchedules)
{
    const struct {
        const char *spec;
        uint32_t lambda, rounds;
    } rows[] = {{"torus:4x4", 2, 8},  {"torus:4x4", 3, 10}, {"torus:5x5", 3, 13},
                {"torus:8x8", 3, 33}, {"torus:3x5", 2, 7},  {"torus:4x4x4", 3, 22}};
    for (const auto &row : rows) {
        const Wide wide(row.spec, "torus-bank", row.lambda, GFAB_FRAME_RELATIVE);
        EXPECT_EQ(wide.rounds(), row.rounds) << row.spec;
        EXPECT_EQ(wide.crossbar().kind, GFAB_CROSSBAR_AXES) << row.spec;
        EXPECT_EQ(wide.crossbar().banks, gfab_topology_dimensions(wide.topology.get()));
        EXPECT_EQ(wide.check(), "") << row.spec;
        // One program and one assignment for all nodes.
        for (size_t node : {size_t{1}, gfab_topology_node_count(wide.topology.get()) - 1}) {
            EXPECT_EQ(text_of(gfab_banks_write_program, wide.banks, node),
                      text_of(gfab_banks_write_program, wide.banks, 0));
            for (uint32_t slot = 0; slot < gfab_topology_node_count(wide.topology.get()); slot++) {
                EXPECT_EQ(gfab_banks_bank(wide.banks.get(), node, slot), gfab_banks_bank(wide.banks.get(), 0, slot));
                EXPECT_EQ(gfab_banks_address(wide.banks.get(), node, slot),
                          gfab_banks_address(wide.banks.get(), 0, slot));
            }
        }
    }
}

TEST(Banks, ColouringServesAnySchedule)
{
    for (const char *spec : {"mesh:4x4", "path:6", "torus:4x4", "torus:2x4", "hypercube:3", "cycle:5"}) {
        const Wide wide(spec, "greedy", 3);
        EXPECT_EQ(wide.check(), "") << spec;
        EXPECT_LE(wide.crossbar().banks, gfab_topology_max_degree(wide.topology.get()) + 1) << spec;
    }
}

TEST(Banks, TorusBankIsAtTheBound)
{
    for (gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
        for (uint32_t lambda = 1; lambda <= 3; lambda++)
            for (const char *spec : {"torus:3x3", "torus:3x4", "torus:3x5", "torus:4x4", "torus:4x6", "torus:5x5",
                                     "torus:5x7", "torus:6x6", "torus:8x8", "torus:1x7", "torus:9", "torus:3x3x3"}) {
                const Topology topology = parse(spec);
                gfab_model model = model_of(lambda);
                model.link_mode = mode;
                const Schedule schedule = solved(topology, "torus-bank", model);
                gfab_bound bound{};
                gfab_verify_report report{};
                ASSERT_EQ(gfab_bound_best(topology.get(), &model, nullptr, &bound), GFAB_OK);
                ASSERT_EQ(gfab_verify(topology.get(), &model, schedule.get(), nullptr, &report), GFAB_OK);
                EXPECT_EQ(report.fault, GFAB_FAULT_NONE) << spec;
                const std::string name = spec;
                const bool above =
                    lambda == 3 && ((mode == GFAB_LINK_FULL && (name == "torus:5x7" || name == "torus:3x3x3")) ||
                                    (mode == GFAB_LINK_HALF && (name == "torus:9" || name == "torus:1x7")));
                EXPECT_LE(report.rounds, bound.rounds + above)
                    << spec << " " << lambda << " " << gfab_link_mode_name(mode);
            }
}

// Full duplex: a turn to the right only, two banks a lane.
TEST(Banks, PinwheelFitsSquareTori)
{
    for (const char *spec : {"torus:4x4", "torus:5x5", "torus:8x8"}) {
        const Topology topology = parse(spec);
        gfab_diag diag{};
        const Layout layout = layout_of(topology, wide_nodes(true, GFAB_FRAME_RELATIVE));
        gfab_timing timing{};
        ASSERT_EQ(compute(layout, {32, 32, 0, 0, 0, 0}, &timing, &diag), GFAB_OK);
        gfab_model model = model_of(timing.hop_rounds);
        model.link_mode = GFAB_LINK_FULL;
        const Program program = lower(solved(topology, "torus-bank", model), layout);
        const Image image = assemble(program);
        gfab_banks *fit = nullptr;
        ASSERT_EQ(gfab_banks_fit(image.get(), nullptr, &fit, &diag), GFAB_OK) << diag.message;
        const Banks banks(fit);
        EXPECT_EQ(gfab_banks_crossbar(fit)->kind, GFAB_CROSSBAR_PINWHEEL) << spec;
        EXPECT_EQ(gfab_banks_check(fit, &timing, nullptr, &diag), GFAB_OK) << diag.message;
        gfab_crossbar axes{};
        ASSERT_EQ(gfab_crossbar_make(topology.get(), GFAB_CROSSBAR_AXES, 0, &axes, &diag), GFAB_OK);
        gfab_banks *none = nullptr;
        EXPECT_EQ(gfab_banks_assign(image.get(), nullptr, &axes, &none, &diag), GFAB_ERR_FAULT)
            << "two arrive along one axis";
    }
}

// Two tokens that meet need two banks: with one less than the most that leave or arrive at once there is no colouring.
TEST(Banks, TooFewBanksAreRefused)
{
    const Wide wide("mesh:4x4", "greedy", 3);
    size_t most = 0;
    for (size_t node = 0; node < 16; node++)
        for (uint32_t round = 1; round <= wide.rounds(); round++) {
            size_t arrive = 0;
            for (uint32_t bank = 0; bank < wide.crossbar().banks; bank++)
                arrive += gfab_banks_store(wide.banks.get(), node, round, bank) != GFAB_NO_LANE;
            most = std::max(most, arrive);
        }
    ASSERT_GE(most, 2U);
    gfab_crossbar few{};
    ASSERT_EQ(
        gfab_crossbar_make(wide.topology.get(), GFAB_CROSSBAR_FULL, static_cast<uint32_t>(most - 1), &few, nullptr),
        GFAB_OK);
    gfab_banks *banks = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_banks_assign(wide.image.get(), nullptr, &few, &banks, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(diag.message).find("too few"), std::string::npos) << diag.message;
}

TEST(Banks, CrossbarsSayWhatTheyNeed)
{
    gfab_crossbar crossbar{};
    const struct {
        const char *spec;
        gfab_crossbar_kind kind;
        gfab_status status;
        uint32_t banks;
    } rows[] = {{"torus:4x4", GFAB_CROSSBAR_AXES, GFAB_OK, 2},
                {"torus:2x4", GFAB_CROSSBAR_AXES, GFAB_ERR_UNSUPPORTED, 0},
                {"mesh:4x4", GFAB_CROSSBAR_AXES, GFAB_ERR_UNSUPPORTED, 0},
                {"mesh:4x4", GFAB_CROSSBAR_ARRIVAL, GFAB_OK, 4},
                {"path:2", GFAB_CROSSBAR_ARRIVAL, GFAB_ERR_UNSUPPORTED, 0},
                {"torus:4x1x5", GFAB_CROSSBAR_PINWHEEL, GFAB_OK, 4},
                {"torus:4x4x4", GFAB_CROSSBAR_PINWHEEL, GFAB_ERR_UNSUPPORTED, 0},
                {"path:2", GFAB_CROSSBAR_FULL, GFAB_ERR_INVALID, 0}};
    for (const auto &row : rows) {
        EXPECT_EQ(gfab_crossbar_make(parse(row.spec).get(), row.kind, 0, &crossbar, nullptr), row.status) << row.spec;
        if (row.status == GFAB_OK) {
            EXPECT_EQ(crossbar.banks, row.banks) << row.spec;
        }
    }
    // Every lane can send the own token, and no lane of a pinwheel has more than two banks.
    for (gfab_crossbar_kind kind :
         {GFAB_CROSSBAR_FULL, GFAB_CROSSBAR_AXES, GFAB_CROSSBAR_ARRIVAL, GFAB_CROSSBAR_PINWHEEL}) {
        ASSERT_EQ(gfab_crossbar_make(parse("torus:4x4").get(), kind, 2, &crossbar, nullptr), GFAB_OK);
        for (uint32_t lane = 0; lane < crossbar.lanes; lane++) {
            bool own = false;
            uint32_t gives = 0, takes = 0;
            for (uint32_t bank = 0; bank < crossbar.banks; bank++) {
                own = own || (gfab_crossbar_holds_own(&crossbar, bank) && gfab_crossbar_gives(&crossbar, lane, bank));
                gives += gfab_crossbar_gives(&crossbar, lane, bank);
                takes += gfab_crossbar_takes(&crossbar, lane, bank);
            }
            EXPECT_TRUE(own) << gfab_crossbar_name(kind);
            EXPECT_GE(takes, 1U);
            if (kind == GFAB_CROSSBAR_PINWHEEL) {
                EXPECT_EQ(gives, 2U);
            }
        }
    }
}

TEST(Banks, FilesComeBackEqual)
{
    for (const char *spec : {"torus:4x4", "mesh:3x4", "path:2"}) {
        const Wide wide(spec, "greedy", 2);
        gfab_banks *again = nullptr;
        ASSERT_EQ(gfab_banks_create(wide.layout.get(), &wide.crossbar(), gfab_banks_round_bits(wide.banks.get()),
                                    nullptr, &again, nullptr),
                  GFAB_OK);
        const Banks copy(again);
        const auto sequence = [](gfab_banks *banks, size_t, FILE *file, gfab_diag *diag) {
            return gfab_banks_read_sequence(banks, 0, file, diag);
        };
        std::string words(size_t{2} << gfab_banks_round_bits(again), '\n');
        for (size_t i = 0; i < words.size(); i += 2)
            words[i] = i / 2 == wide.rounds() ? '1' : '0';
        ASSERT_EQ(read(sequence, copy, 0, words), GFAB_OK);
        EXPECT_EQ(gfab_banks_halt(again, 0), wide.rounds() + 1);
        words[2 * wide.rounds() - 2] = '1';
        gfab_diag second{};
        EXPECT_EQ(read(sequence, copy, 0, words, &second), GFAB_ERR_FAULT);
        EXPECT_EQ(second.message, "round " + std::to_string(wide.rounds() + 1) + ": a halt of no program");
        const auto gaps = [](gfab_banks *banks, size_t, FILE *file, gfab_diag *diag) {
            return gfab_banks_read_sequence(banks, 4, file, diag);
        };
        std::string gapped;
        for (size_t i = 0; i < words.size() / 2; i++)
            gapped += i == wide.rounds() ? "01\n" : i == 0 ? "a0\n" : "00\n";
        ASSERT_EQ(read(gaps, copy, 0, gapped), GFAB_OK);
        EXPECT_EQ(gfab_banks_gap(again, 1), 10U);
        EXPECT_EQ(gfab_banks_gap(again, 2), 0U);
        gfab_banks_set_halt(again, 0, wide.rounds() + 1);
        for (size_t node = 0; node < gfab_topology_node_count(wide.topology.get()); node++) {
            const std::string program = text_of(gfab_banks_write_program, wide.banks, node);
            const std::string places = text_of(gfab_banks_write_places, wide.banks, node);
            ASSERT_EQ(read(gfab_banks_read_program, copy, node, program), GFAB_OK);
            ASSERT_EQ(read(gfab_banks_read_places, copy, node, places), GFAB_OK);
            EXPECT_EQ(text_of(gfab_banks_write_program, copy, node), program);
            EXPECT_EQ(text_of(gfab_banks_write_places, copy, node), places);
            EXPECT_EQ(program.size() % (static_cast<size_t>(1) << gfab_banks_round_bits(again)), 0U);
        }
        gfab_diag diag{};
        EXPECT_EQ(gfab_banks_check(again, &wide.timing, nullptr, &diag), GFAB_OK) << diag.message;
        const std::string program = text_of(gfab_banks_write_program, wide.banks, 0);
        EXPECT_EQ(read(gfab_banks_read_program, copy, 0, program + "0\n", &diag), GFAB_ERR_PARSE);
        EXPECT_EQ(read(gfab_banks_read_program, copy, 0, program.substr(1), &diag), GFAB_ERR_PARSE);
        EXPECT_EQ(diag.line, 1U);
        EXPECT_EQ(read(gfab_banks_read_program, copy, 0, "G" + program.substr(1), &diag), GFAB_ERR_PARSE);
    }
}

TEST(Banks, TheSequenceIsBeforeTheWordsInBlockRams)
{
    for (const gfab_protect protect : {GFAB_PROTECT_NONE, GFAB_PROTECT_DETECT}) {
        const Wide wide("mesh:3x4", "greedy", 2, GFAB_FRAME_ABSOLUTE, protect);
        gfab_banks *b = wide.banks.get();
        const uint32_t rounds = uint32_t{1} << gfab_banks_round_bits(b), digits = (gfab_banks_word_bits(b) + 3) / 4;
        const auto write = [](const gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag) {
            return gfab_banks_write_joined(banks, node, 5, file, diag);
        };
        const auto sets = [](gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag) {
            return gfab_banks_read_joined(banks, node, true, 5, file, diag);
        };
        const auto compares = [](gfab_banks *banks, size_t node, FILE *file, gfab_diag *diag) {
            return gfab_banks_read_joined(banks, node, false, 5, file, diag);
        };
        gfab_banks_set_gap(b, 2, 17);
        // Three digits of what follows: the gap, and 1 in the halt's round; 8 makes the ones of a protected word odd.
        const std::string first = text_of(write, wide.banks, 0), second = text_of(write, wide.banks, 1);
        const std::string words = text_of(gfab_banks_write_program, wide.banks, 0);
        const bool checked = protect != GFAB_PROTECT_NONE;
        for (uint32_t round = 1; round <= rounds; round++)
            EXPECT_EQ(first.substr((digits + 4) * (round - 1), digits + 4),
                      (round == 2                   ? checked ? "118" : "110"
                       : round == wide.rounds() + 1 ? "001"
                       : checked                    ? "008"
                                                    : "000") +
                          words.substr((digits + 1) * (round - 1), digits + 1));
        gfab_banks *again = nullptr;
        ASSERT_EQ(
            gfab_banks_create(wide.layout.get(), &wide.crossbar(), gfab_banks_round_bits(b), nullptr, &again, nullptr),
            GFAB_OK);
        const Banks copy(again);
        ASSERT_EQ(read(sets, copy, 0, first), GFAB_OK);
        EXPECT_EQ(gfab_banks_gap(again, 2), 17U);
        EXPECT_EQ(gfab_banks_halt(again, 0), wide.rounds() + 1);
        ASSERT_EQ(read(compares, copy, 1, second), GFAB_OK);
        EXPECT_EQ(text_of(write, copy, 0), first);
        EXPECT_EQ(text_of(write, copy, 1), second);

        const size_t round_2 = digits + 4, halt = (digits + 4) * wide.rounds();
        const auto refused = [&](size_t at, const char *follows) {
            gfab_diag diag{};
            std::string bad = second;
            EXPECT_NE(read(compares, copy, 1, bad.replace(at, 3, follows), &diag), GFAB_OK);
            return std::string(diag.message);
        };
        EXPECT_EQ(refused(round_2, checked ? "108" : "100"), checked
                                                                 ? "an even number of ones, in a word with a check bit"
                                                                 : "what follows round 2 is not the same everywhere");
        EXPECT_EQ(refused(round_2, checked ? "100" : "000"), "what follows round 2 is not the same everywhere");
        EXPECT_EQ(refused(halt, checked ? "008" : "000"),
                  "what follows round " + std::to_string(wide.rounds() + 1) + " is not the same everywhere");
        EXPECT_EQ(refused(round_2, checked ? "11a" : "118"),
                  checked ? "an even number of ones, in a word with a check bit" : "a check bit, without protection");
        EXPECT_EQ(refused(round_2, "112"), "a loop, in a fabric without streams");
        gfab_diag diag{};
        std::string twice = first;
        EXPECT_EQ(read(sets, copy, 0, twice.replace(0, 3, "001"), &diag), GFAB_ERR_FAULT);
        EXPECT_EQ(std::string(diag.message),
                  checked ? "node 0: the sum of the program is odd"
                          : "round " + std::to_string(wide.rounds() + 1) + ": a halt of no program");
        EXPECT_NE(read(sets, copy, 0, words, &diag), GFAB_OK);
        const auto wider = [](gfab_banks *banks, size_t node, FILE *file, gfab_diag *d) {
            return gfab_banks_read_joined(banks, node, true, GFAB_MAX_GAP_BITS + 1, file, d);
        };
        EXPECT_EQ(read(wider, copy, 0, first, &diag), GFAB_ERR_LIMIT);
    }
}

// Every single change of a legal program is refused, or changes nothing that counts.
TEST(Banks, CheckRefusesMutants)
{
    Wide wide("torus:4x4", "torus-bank", 3, GFAB_FRAME_RELATIVE);
    ASSERT_EQ(wide.check(), "");
    gfab_banks *b = wide.banks.get();
    for (uint32_t round = 1; round <= wide.rounds() + 1; round++) {
        for (uint32_t bank = 0; bank < wide.crossbar().banks; bank++) {
            const uint32_t address = gfab_banks_read(b, 5, round, bank), lane = gfab_banks_store(b, 5, round, bank);
            for (uint32_t other = 0; other < 16; other++) {
                gfab_banks_set_read(b, 5, round, bank, other);
                EXPECT_EQ(wide.check() == "", other == address)
                    << "round " << round << " bank " << bank << " reads " << other;
            }
            gfab_banks_set_read(b, 5, round, bank, address);
            for (uint32_t other = 0; other <= wide.crossbar().lanes; other++) {
                gfab_banks_set_store(b, 5, round, bank, other - 1);
                EXPECT_EQ(wide.check() == "", other - 1 == lane)
                    << "round " << round << " bank " << bank << " stores " << other;
            }
            gfab_banks_set_store(b, 5, round, bank, lane);
        }
        for (uint32_t lane = 0; lane < wide.crossbar().lanes; lane++) {
            const uint32_t bank = gfab_banks_send(b, 5, round, lane);
            for (uint32_t other = 0; other <= wide.crossbar().banks; other++) {
                gfab_banks_set_send(b, 5, round, lane, other - 1);
                EXPECT_EQ(wide.check() == "", other - 1 == bank)
                    << "round " << round << " lane " << lane << " sends " << other;
            }
            gfab_banks_set_send(b, 5, round, lane, bank);
        }
    }
    gfab_banks_set_place(b, 3, 7, 1 - gfab_banks_bank(b, 3, 7), gfab_banks_address(b, 3, 7));
    EXPECT_NE(wide.check(), "");
}

// A hop that is faster than the hardware's is seen.
TEST(Banks, CheckKnowsTheHop)
{
    Wide wide("torus:5x5", "torus-bank", 2, GFAB_FRAME_RELATIVE);
    EXPECT_EQ(wide.timing.direct, 1U);
    EXPECT_EQ(wide.check(), "");
    wide.timing.hop_rounds = 3;
    EXPECT_NE(wide.check().find("not there before round"), std::string::npos) << wide.check();
}

TEST(Banks, TimingTakesTheRegisterWhereItFits)
{
    const Topology topology = parse("torus:4x4");
    const struct {
        gfab_link_mode mode;
        uint32_t flits, asked, hop_rounds, direct;
    } rows[] = {{GFAB_LINK_HALF, 1, 0, 3, 0}, {GFAB_LINK_HALF, 1, 2, 2, 1}, {GFAB_LINK_HALF, 1, 5, 3, 0},
                {GFAB_LINK_HALF, 2, 0, 2, 0}, {GFAB_LINK_HALF, 2, 1, 1, 1}, {GFAB_LINK_HALF, 3, 0, 1, 0},
                {GFAB_LINK_FULL, 1, 0, 2, 1}, {GFAB_LINK_FULL, 2, 0, 1, 1}, {GFAB_LINK_FULL, 3, 0, 1, 0},
                {GFAB_LINK_FULL, 1, 3, 3, 0}};
    for (const auto &row : rows) {
        gfab_timing timing{};
        const Layout layout = layout_of(topology, wide_nodes(row.mode == GFAB_LINK_FULL));
        ASSERT_EQ(compute(layout, {8 * row.flits, 8, 0, row.asked, 0, 0}, &timing, nullptr), GFAB_OK);
        EXPECT_EQ(timing.hop_rounds, row.hop_rounds) << row.flits << " " << row.asked;
        EXPECT_EQ(timing.direct, row.direct);
        EXPECT_EQ(timing.cycles_per_round, row.flits);
        EXPECT_EQ(timing.overhead_cycles, 2U);
    }
    gfab_timing timing{};
    EXPECT_EQ(compute(layout_of(topology, wide_nodes(true)), {8, 8, 0, 1, 0, 0}, &timing, nullptr),
              GFAB_ERR_UNSUPPORTED);
}

// The C model of wide nodes: tokens, the law, resets and restarts.
TEST(Banks, ModelPlaysTheGossip)
{
    const struct {
        const char *spec;
        uint32_t token_bits, link_bits, latency, lambda;
        bool full;
    } rows[] = {{"torus:4x4", 32, 32, 0, 3, false},
                {"torus:4x4", 32, 32, 0, 2, true},
                {"mesh:3x4", 24, 8, 0, 1, false},
                {"mesh:3x3", 130, 65, 3, 3, true},
                {"path:2", 9, 9, 1, 3, false}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const size_t nodes = gfab_topology_node_count(topology.get());
        gfab_diag diag{};
        const Layout layout = layout_of(topology, wide_nodes(row.full));
        gfab_timing timing{};
        ASSERT_EQ(compute(layout, {row.token_bits, row.link_bits, row.latency, row.lambda, 0, 0}, &timing, &diag),
                  GFAB_OK);
        gfab_model model = model_of(row.lambda);
        model.link_mode = row.full ? GFAB_LINK_FULL : GFAB_LINK_HALF;
        const Schedule schedule = solved(topology, "greedy", model);
        const Program program = lower(schedule, layout);
        const Image image = assemble(program);
        gfab_banks *fit = nullptr;
        ASSERT_EQ(gfab_banks_fit(image.get(), nullptr, &fit, &diag), GFAB_OK) << diag.message;
        const Banks banks(fit);
        gfab_cmodel *created = nullptr;
        gfab_machine *machine = nullptr;
        EXPECT_EQ(gfab_machine_create(image.get(), nullptr, &timing, &machine), GFAB_ERR_INVALID);
        ASSERT_EQ(gfab_machine_create(nullptr, fit, &timing, &machine), GFAB_OK);
        EXPECT_EQ(gfab_cmodel_create(machine, nullptr, &created), GFAB_OK);
        gfab_machine_destroy(machine);
        const Cmodel cmodel(created);
        const size_t bytes = (row.token_bits + 7) / 8;
        const uint32_t rounds = gfab_schedule_rounds(schedule.get());
        for (uint64_t seed = 1; seed <= 3; seed++) {
            std::vector<uint8_t> token(bytes), expected(bytes);
            for (uint32_t node = 0; node < nodes; node++) {
                gfab_token_pattern(seed, node, row.token_bits, token.data());
                ASSERT_EQ(gfab_cmodel_load_token(created, node, token.data()), GFAB_OK);
            }
            if (seed == 2) { // cut short
                gfab_cmodel_set_start(created, true);
                for (uint32_t i = 0; i < rounds; i++)
                    gfab_cmodel_step(created);
                gfab_cmodel_set_reset(created, true);
                gfab_cmodel_step(created);
                EXPECT_FALSE(gfab_cmodel_busy(created));
            }
            uint64_t cycles = 0;
            ASSERT_EQ(gfab_cmodel_run(created, 10000, nullptr, &cycles), GFAB_OK);
            EXPECT_EQ(cycles, static_cast<uint64_t>(rounds) * (row.token_bits / row.link_bits) +
                                  std::max(2U, 2 - timing.direct + row.latency))
                << row.spec;
            for (uint32_t node = 0; node < nodes; node++)
                for (uint32_t origin = 0; origin < nodes; origin++) {
                    gfab_token_pattern(seed, origin, row.token_bits, expected.data());
                    gfab_cmodel_read_token(created, node, origin, token.data());
                    ASSERT_EQ(token, expected) << row.spec << " node " << node << " token " << origin;
                }
        }
    }
}
