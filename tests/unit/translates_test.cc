// SPDX-License-Identifier: MIT
// Schedules kept as one tree: they are what all their packets are, to the checker, as text and in hardware.
#include "collective_fixture.h"
#include "schedule/verify_internal.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace
{

Schedule empty_tree(const Topology &on, const gfab_model &under)
{
    Schedule schedule = schedule_on(on, under);
    EXPECT_EQ(gfab_schedule_set_translated(schedule.get()), GFAB_OK);
    return schedule;
}

// By torus-tree, as one tree or as packets.
Schedule solved(const Topology &on, const gfab_model &under, const char *keep)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.parameters = keep;
    EXPECT_EQ(gfab_solver_find("torus-tree")->solve(on.get(), &under, &options, &made, &diag), GFAB_OK) << diag.message;
    return Schedule(made);
}

// All its packets, kept one by one.
Schedule expanded(const Schedule &tree)
{
    gfab_schedule *made = nullptr;
    EXPECT_EQ(gfab_schedule_create(gfab_schedule_topology(tree.get()), gfab_schedule_model(tree.get()), &made),
              GFAB_OK);
    EXPECT_EQ(gfab_schedule_append_all(made, tree.get()), GFAB_OK);
    return Schedule(made);
}

std::string csv_of(const Schedule &schedule)
{
    const File file(std::tmpfile());
    EXPECT_EQ(gfab_schedule_write_csv(schedule.get(), file.get(), nullptr, nullptr), GFAB_OK);
    std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(&text[0], 1, text.size(), file.get()), text.size());
    return text;
}

struct Case {
    const char *spec;
    gfab_link_mode mode;
    uint32_t hop_rounds;
};

const Case cases[] = {{"torus:4x4", GFAB_LINK_HALF, 1},   {"torus:4x4", GFAB_LINK_FULL, 1},
                      {"torus:5x3", GFAB_LINK_HALF, 2},   {"torus:5x7", GFAB_LINK_FULL, 1},
                      {"torus:6x5", GFAB_LINK_HALF, 1},   {"torus:2x4", GFAB_LINK_FULL, 1},
                      {"torus:3x3x3", GFAB_LINK_HALF, 1}, {"torus:3x1x4", GFAB_LINK_FULL, 3},
                      {"cycle:5", GFAB_LINK_HALF, 1},     {"torus:1x6", GFAB_LINK_FULL, 1}};

TEST(Translates, AreThePacketsOfTheSolver)
{
    for (const Case &c : cases) {
        const Topology on = parse(c.spec);
        const gfab_model under = links(c.mode, c.hop_rounds);
        const Schedule tree = solved(on, under, "keep=tree"), packets = solved(on, under, "keep=packets");
        const size_t nodes = gfab_topology_node_count(on.get());
        EXPECT_TRUE(gfab_schedule_translated(tree.get()));
        EXPECT_FALSE(gfab_schedule_translated(packets.get()));
        EXPECT_EQ(gfab_schedule_kept_count(tree.get()), nodes - 1);
        EXPECT_EQ(gfab_schedule_packet_count(tree.get()), nodes * (nodes - 1));
        EXPECT_EQ(gfab_schedule_move_count(tree.get()), gfab_schedule_move_count(packets.get()));
        EXPECT_EQ(schedule_text(expanded(tree)), schedule_text(expanded(packets))) << c.spec;
        EXPECT_EQ(csv_of(tree), csv_of(packets)) << c.spec;
        for (const Schedule *schedule : {&tree, &packets})
            EXPECT_EQ(checked(*schedule).fault, GFAB_FAULT_NONE) << c.spec;
        EXPECT_EQ(checked(expanded(tree)).fault, GFAB_FAULT_NONE) << c.spec;
    }
}

TEST(Translates, AreThereInTheOrderOfTheirSenders)
{
    const Topology on = parse("torus:3x3");
    const Schedule tree = empty_tree(on, gfab_model_default());
    append(tree, 1, 0, 1, 0);
    append(tree, 3, 1, 4, 0);
    gfab_packet_iter at = gfab_schedule_round(tree.get(), 3);
    std::vector<gfab_packet> seen; // borrowed for as long as the schedule is
    for (gfab_packet packet; gfab_packet_next(&at, &packet);)
        seen.push_back(packet);
    ASSERT_EQ(seen.size(), 9u);
    const uint32_t tokens[] = {2, 0, 1, 5, 3, 4, 8, 6, 7}; // of a node the one to its left
    for (uint32_t v = 0; v < 9; v++) {
        EXPECT_EQ(gfab_topology_arc_from(on.get(), seen[v].arcs[0]), v);
        EXPECT_EQ(gfab_topology_arc_to(on.get(), seen[v].arcs[0]), (v + 3) % 9);
        EXPECT_EQ(seen[v].tokens[0], tokens[v]);
    }
    for (const uint32_t round : {0u, 2u, 4u}) {
        gfab_packet packet;
        at = gfab_schedule_round(tree.get(), round);
        EXPECT_FALSE(gfab_packet_next(&at, &packet));
    }
    at = gfab_schedule_kept_round(tree.get(), 3);
    gfab_packet packet;
    ASSERT_TRUE(gfab_packet_next(&at, &packet));
    EXPECT_EQ(packet.tokens[0], 0u);
    EXPECT_FALSE(gfab_packet_next(&at, &packet));
}

TEST(Translates, AreOfATorusAndOneTokenANode)
{
    const gfab_model under = gfab_model_default();
    for (const char *spec : {"mesh:3x3", "torus:3x3+drop-link=0-1", "hypercube:3"}) {
        const Topology on = parse(spec);
        EXPECT_EQ(gfab_schedule_set_translated(schedule_on(on, under).get()), GFAB_ERR_INVALID) << spec;
    }
    const Topology on = parse("torus:3x3");
    const Schedule begun = schedule_on(on), parts = schedule_on(on), reduce = schedule_on(on),
                   tree = empty_tree(on, under);
    append(begun, 1, 0, 1, 0);
    EXPECT_EQ(gfab_schedule_set_translated(begun.get()), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(parts.get(), nullptr, 2), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_translated(parts.get()), GFAB_ERR_INVALID);
    const gfab_goal goal = goal_on(on, GFAB_ALL_REDUCE), gossip = gfab_goal_default(9);
    EXPECT_EQ(gfab_schedule_set_goal(reduce.get(), &goal, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_translated(reduce.get()), GFAB_ERR_INVALID);

    gfab_arc arcs[2];
    const uint32_t tokens[2] = {0, 1};
    ASSERT_TRUE(gfab_topology_find_arc(on.get(), 0, 1, &arcs[0]));
    ASSERT_TRUE(gfab_topology_find_arc(on.get(), 1, 2, &arcs[1]));
    EXPECT_EQ(gfab_schedule_set_goal(tree.get(), &gossip, nullptr), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_set_load(tree.get(), nullptr, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append(tree.get(), 1, arcs[0], 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(tree.get(), 1, arcs, 2, tokens, 1), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(tree.get(), 1, arcs, 1, tokens, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_schedule_append_packet(tree.get(), 1, arcs, 1, tokens, 1), GFAB_OK);
}

TEST(Translates, AreReadAsTheyAreWritten)
{
    for (const Case &c : cases) {
        const Topology on = parse(c.spec);
        const Schedule tree = solved(on, links(c.mode, c.hop_rounds), "keep=tree");
        std::string text = schedule_text(tree);
        EXPECT_EQ(text.rfind("gossipfab-schedule 3\n", 0), 0u);
        const File file(fmemopen(&text[0], text.size(), "r"));
        gfab_topology *topology = nullptr;
        gfab_schedule *schedule = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_schedule_read(file.get(), nullptr, &topology, &schedule, &diag), GFAB_OK) << diag.message;
        const Topology owner(topology);
        const Schedule read(schedule);
        EXPECT_TRUE(gfab_schedule_translated(schedule));
        EXPECT_EQ(schedule_text(read), text);
        EXPECT_EQ(checked(read).fault, GFAB_FAULT_NONE);
    }
}

// Of the tree and of all its packets, checked one by one.
void expect_same_verdict(const Schedule &tree, const gfab_model &under)
{
    const Schedule packets = expanded(tree);
    const gfab_verify_report a = checked(tree, &under), b = checked(packets, &under);
    ASSERT_EQ(a.fault == GFAB_FAULT_NONE, b.fault == GFAB_FAULT_NONE) << a.message << "\n" << b.message;
    ASSERT_EQ(a.round, b.round) << a.message << "\n" << b.message;
    ASSERT_EQ(a.moves, b.moves);
    ASSERT_EQ(a.missing, b.missing);
    if (a.fault != GFAB_FAULT_NONE && a.fault != GFAB_FAULT_INCOMPLETE)
        return;
    ASSERT_EQ(a.redundant, b.redundant);
    ASSERT_EQ(a.startups, b.startups);
    ASSERT_EQ(a.transfers, b.transfers);
    ASSERT_EQ(a.path_links, b.path_links);
    ASSERT_EQ(a.max_link_moves, b.max_link_moves);
    ASSERT_EQ(a.min_link_moves, b.min_link_moves);
}

// Trees of torus-tree with some packets lost, doubled, moved to other arcs or rounds: the proof by symmetry against a
// replay of everything.
TEST(Translates, AreJudgedAsAllPacketsAre)
{
    std::mt19937 random(7);
    const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    size_t good = 0, faulty = 0;
    for (int i = 0; i < 600; i++) {
        const char *specs[] = {"torus:3x3", "torus:2x3", "torus:4x3", "cycle:4", "torus:2x2x3", "torus:1x5"};
        const Topology on = parse(specs[below(6)]);
        const gfab_model made_for = links(below(2) ? GFAB_LINK_FULL : GFAB_LINK_HALF, 1 + below(2));
        gfab_model under = made_for;
        if (below(8) == 0)
            under.port_mode = GFAB_PORT_ONE;
        if (below(8) == 0)
            under.routing = GFAB_ROUTING_CIRCUIT;
        if (below(8) == 0)
            under.link_mode = GFAB_LINK_HALF;
        std::vector<Step> steps;
        if (gfab_solver_applies(gfab_solver_find("torus-tree"), on.get(), &made_for, nullptr) == GFAB_OK && below(8)) {
            const Schedule whole = solved(on, made_for, "keep=tree");
            for (uint32_t round = 1; round <= gfab_schedule_rounds(whole.get()); round++) {
                gfab_packet_iter at = gfab_schedule_kept_round(whole.get(), round);
                for (gfab_packet p; gfab_packet_next(&at, &p);)
                    steps.push_back({round, p.arcs[0], 0});
            }
        } else {
            for (uint32_t round = 1; round < 4; round++)
                steps.push_back({round, below(2 * gfab_topology_link_count(on.get())), 0});
        }
        const size_t changes = below(3);
        for (size_t change = 0; change < changes && !steps.empty(); change++) {
            const size_t at = below(steps.size());
            const size_t arcs = 2 * gfab_topology_link_count(on.get());
            switch (below(4)) {
            case 0:
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            case 1:
                steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), steps[at]);
                break;
            case 2:
                steps[at].arc = below(arcs);
                break;
            default:
                steps[at].round = steps[at ? at - 1 : 0].round;
            }
        }
        const Schedule tree = empty_tree(on, made_for);
        for (const Step &step : steps)
            ASSERT_EQ(gfab_schedule_append(tree.get(), step.round, step.arc, 0), GFAB_OK);
        expect_same_verdict(tree, under);
        (checked(tree, &under).fault == GFAB_FAULT_NONE ? good : faulty)++;
        if (HasFatalFailure())
            return;
    }
    EXPECT_GT(good, 60u);
    EXPECT_GT(faulty, 200u);
}

// What the checker takes for granted of a torus it refuses of other graphs: each is a mutant of a torus.
TEST(Translates, AreSymmetriesOfATorusAlone)
{
    gfab_verify_report report{};
    for (const char *spec : {"torus:4x4", "torus:2x3", "cycle:7", "torus:3x1x2"})
        EXPECT_EQ(gfab_verify_translations(parse(spec).get(), &report), GFAB_OK) << spec;
    for (const char *spec : {"mesh:3x3", "path:4", "torus:3x3+drop-link=0-1", "hypercube:3"}) {
        report = {};
        EXPECT_EQ(gfab_verify_translations(parse(spec).get(), &report), GFAB_ERR_FAULT) << spec;
        EXPECT_EQ(report.fault, GFAB_FAULT_WRONG_TOPOLOGY) << spec;
        EXPECT_NE(std::string(report.message), "");
    }
}

Machine compiled(const Schedule &schedule, gfab_frame frame)
{
    gfab_plan plan{};
    gfab_machine *machine = nullptr;
    gfab_diag diag{};
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = 64;
    options.link_bits = 1;
    options.frame = frame;
    EXPECT_EQ(gfab_machine_plan_schedule(schedule.get(), &options, &plan, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_machine_compile(&plan, schedule.get(), &machine, &diag), GFAB_OK) << diag.message;
    return Machine(machine);
}

// The same ROMs, shared by the same nodes, though the tree's are kept a few times only.
TEST(Translates, AreLoweredToTheRomsOfAllPackets)
{
    for (const Case &c : cases) {
        const Topology on = parse(c.spec);
        const gfab_model under = links(c.mode, c.hop_rounds);
        const Schedule tree = solved(on, under, "keep=tree"), packets = solved(on, under, "keep=packets");
        for (const gfab_frame frame : {GFAB_FRAME_AUTO, GFAB_FRAME_RELATIVE, GFAB_FRAME_ABSOLUTE}) {
            const Machine a = compiled(tree, frame), b = compiled(packets, frame);
            const gfab_sharing *x = gfab_machine_sharing(a.get()), *y = gfab_machine_sharing(b.get());
            const gfab_layout *layout = gfab_machine_layout(a.get());
            EXPECT_EQ(gfab_layout_alike(layout), gfab_layout_frame(layout) == GFAB_FRAME_RELATIVE);
            EXPECT_EQ(gfab_layout_frame(layout), gfab_layout_frame(gfab_machine_layout(b.get())));
            EXPECT_EQ(x->programs, y->programs) << c.spec;
            EXPECT_EQ(x->roms, y->roms) << c.spec;
            for (size_t v = 0; v < gfab_topology_node_count(on.get()); v++) {
                EXPECT_EQ(x->rom[v], y->rom[v]) << c.spec;
                EXPECT_EQ(x->program[v], y->program[v]) << c.spec;
                for (size_t i = 0; i < gfab_image_word_count(gfab_machine_image(a.get())); i++)
                    ASSERT_EQ(gfab_image_word(gfab_machine_image(a.get()), v, i),
                              gfab_image_word(gfab_machine_image(b.get()), v, i))
                        << c.spec << ", node " << v << ", word " << i;
            }
        }
    }
}

// Images of alike nodes are checked for one node and link of each kind. Every bit of a word that is used is checked.
TEST(Translates, AreCheckedInTheirImages)
{
    const Topology on = parse("torus:4x5");
    const Machine machine = compiled(solved(on, links(GFAB_LINK_FULL), "keep=tree"), GFAB_FRAME_RELATIVE);
    const gfab_layout *layout = gfab_machine_layout(machine.get());
    const gfab_image *right = gfab_machine_image(machine.get());
    const size_t kinds = gfab_layout_kind_count(layout), words = gfab_image_word_count(right);
    EXPECT_LT(kinds, 20u);
    gfab_image *image = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_image_create(layout, gfab_image_round_bits(right), &image, &diag), GFAB_OK);
    const Image owner(image);
    for (size_t kind = 0; kind < kinds; kind++)
        for (size_t i = 0; i < words; i++) {
            const size_t v = gfab_layout_kind_node(layout, kind);
            EXPECT_EQ(gfab_layout_kind(layout, v), kind);
            gfab_image_set_word(image, v, i, gfab_image_word(right, v, i));
        }
    gfab_image_set_halt(image, gfab_machine_rounds(machine.get()) + 1, true);
    const gfab_timing *timing = gfab_machine_timing(machine.get());
    ASSERT_EQ(gfab_image_check(image, timing, nullptr, nullptr, &diag), GFAB_OK) << diag.message;
    for (size_t v = 0; v < gfab_topology_node_count(on.get()); v++)
        for (size_t i = 0; i < words; i++)
            for (uint32_t bit = 0; bit < gfab_image_op_bits(image); bit++) {
                const uint64_t word = gfab_image_word(image, v, i);
                gfab_image_set_word(image, v, i, word ^ uint64_t{1} << bit);
                EXPECT_EQ(gfab_image_check(image, timing, nullptr, nullptr, &diag), GFAB_ERR_FAULT)
                    << "node " << v << ", word " << i << ", bit " << bit;
                gfab_image_set_word(image, v, i, word);
            }
}

TEST(Translates, AreTooManyToGoThroughAndStillLowered)
{
    const Topology on = parse("torus:128x130");
    const Schedule tree = solved(on, links(GFAB_LINK_FULL), nullptr);
    gfab_diag diag{};
    EXPECT_TRUE(gfab_schedule_translated(tree.get()));
    EXPECT_EQ(gfab_schedule_check_listed(tree.get(), &diag), GFAB_ERR_LIMIT);
    EXPECT_NE(std::string(diag.message).find("276872960 packets"), std::string::npos) << diag.message;
    const Schedule copy = schedule_on(on, links(GFAB_LINK_FULL));
    EXPECT_EQ(gfab_schedule_append_all(copy.get(), tree.get()), GFAB_ERR_LIMIT);
    EXPECT_EQ(gfab_schedule_packet_count(copy.get()), 0u);
    const File file(std::tmpfile());
    EXPECT_EQ(gfab_schedule_write_csv(tree.get(), file.get(), nullptr, &diag), GFAB_ERR_LIMIT);
    EXPECT_EQ(checked(tree).fault, GFAB_FAULT_NONE);
    const Machine machine = compiled(tree, GFAB_FRAME_AUTO);
    EXPECT_EQ(gfab_machine_sharing(machine.get())->programs, 4u);
    EXPECT_GT(gfab_image_op_bits(gfab_machine_image(machine.get())), 32u);
    gfab_plan plan{};
    gfab_machine_options options = gfab_machine_options_default();
    gfab_machine *none = nullptr;
    options.frame = GFAB_FRAME_ABSOLUTE;
    ASSERT_EQ(gfab_machine_plan_schedule(tree.get(), &options, &plan, &diag), GFAB_OK);
    EXPECT_EQ(gfab_machine_compile(&plan, tree.get(), &none, &diag), GFAB_ERR_LIMIT);
    EXPECT_NE(std::string(diag.message).find("kept as one tree"), std::string::npos) << diag.message;
}

} // namespace
