// SPDX-License-Identifier: MIT
// Tokens cut in parts: slots, timing, programs, images and the C model.
#include "fixture.h"

#include <cstring>
#include <string>
#include <vector>

namespace
{

// For each round of a gossip with whole tokens one for every part of them.
Schedule cut(const Schedule &whole, uint32_t parts)
{
    const gfab_topology *topology = gfab_schedule_topology(whole.get());
    gfab_schedule *made = nullptr;
    EXPECT_EQ(gfab_schedule_create(topology, gfab_schedule_model(whole.get()), &made), GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_load(made, nullptr, parts), GFAB_OK);
    for (uint32_t round = 1; round <= gfab_schedule_rounds(whole.get()); round++)
        for (uint32_t p = 0; p < parts; p++) {
            gfab_packet_iter it = gfab_schedule_round(whole.get(), round);
            for (gfab_packet packet; gfab_packet_next(&it, &packet);)
                EXPECT_EQ(gfab_schedule_append(made, (round - 1) * parts + p + 1, packet.arcs[0],
                                               packet.tokens[0] * parts + p),
                          GFAB_OK);
        }
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(topology, gfab_schedule_model(whole.get()), made, nullptr, &report), GFAB_OK)
        << report.message;
    return Schedule(made);
}

TEST(Layout, EachPartHasASlotAndAnOwnTokensFollowEachOther)
{
    const struct {
        const char *spec;
        gfab_frame frame;
    } cases[] = {
        {"mesh:3x4", GFAB_FRAME_ABSOLUTE}, {"torus:3x4", GFAB_FRAME_RELATIVE}, {"mesh:5x5", GFAB_FRAME_ROTATED}};
    for (const auto &c : cases) {
        const Topology t = parse(c.spec);
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(t.get()));
        for (uint32_t parts : {1u, 2u, 3u}) {
            const Layout layout = layout_of(t, in_parts(parts, c.frame));
            EXPECT_EQ(gfab_layout_parts(layout.get()), parts);
            EXPECT_EQ(gfab_layout_slot_count(layout.get()), nodes * parts);
            for (uint32_t node = 0; node < nodes; node++) {
                std::vector<bool> seen(nodes * parts);
                for (uint32_t part = 0; part < nodes * parts; part++) {
                    const uint32_t slot = gfab_layout_slot(layout.get(), node, part);
                    ASSERT_LT(slot, nodes * parts);
                    EXPECT_FALSE(seen[slot]);
                    seen[slot] = true;
                    EXPECT_EQ(gfab_layout_token(layout.get(), node, slot), part);
                    EXPECT_EQ(slot, gfab_layout_slot(layout.get(), node, part / parts * parts) + part % parts);
                }
            }
        }
    }
}

TEST(Layout, PartsThatAreNoneTooManyOrForWideNodesAreRefused)
{
    const Topology t = parse("mesh:3x3");
    const Layout narrow = layout_of(t);
    gfab_diag diag{};
    EXPECT_EQ(gfab_layout_parts(narrow.get()), 1u);
    EXPECT_EQ(layout_status(t, in_parts(0), &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "parts must be at least 1");
    EXPECT_EQ(layout_status(t, in_parts(UINT32_MAX / 9), &diag), GFAB_ERR_LIMIT);
    gfab_layout_options wide = wide_nodes();
    EXPECT_EQ(layout_status(t, wide, &diag), GFAB_OK);
    wide.parts = 2;
    EXPECT_EQ(layout_status(t, wide, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message,
                 "wide nodes: not with tokens in parts, since a wide node does not cut tokens; give --store narrow");
    wide.parts = 1;
    wide.paths = true;
    EXPECT_EQ(layout_status(t, wide, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(
        diag.message,
        "wide nodes: not with packets over several links, since a wide node does not pass flits on; give --store "
        "narrow");
}

// All but the token's own width is that of a token as wide as the part.
TEST(Timing, IsThatOfTokensAsWideAsAPart)
{
    for (const char *spec : {"cycle:9", "mesh:4x4", "torus:3x3x3"}) {
        const Topology t = parse(spec);
        for (uint32_t parts : {2u, 3u, 8u})
            for (uint32_t flits : {1u, 4u, 5u, 12u, 40u})
                for (uint32_t latency : {0u, 3u})
                    for (bool paths : {false, true}) {
                        const Layout cut = layout_of(t, paths ? with_paths(parts) : in_parts(parts));
                        const Layout whole = layout_of(t, paths ? with_paths() : in_parts(1));
                        gfab_timing a{}, b{};
                        ASSERT_EQ(compute(cut, {2 * flits * parts, 2, latency, 0, 0, 0}, &a, nullptr), GFAB_OK);
                        ASSERT_EQ(compute(whole, {2 * flits, 2, latency, 0, 0, 0}, &b, nullptr), GFAB_OK);
                        EXPECT_EQ(a.token_bits, 2 * flits * parts);
                        EXPECT_EQ(a.parts, parts);
                        EXPECT_EQ(a.part_bits, 2 * flits);
                        EXPECT_EQ(b.parts, 1u);
                        EXPECT_EQ(b.part_bits, b.token_bits);
                        a.token_bits = b.token_bits;
                        a.parts = b.parts;
                        EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
                    }
    }
}

TEST(Timing, WidthsThatAreNotCutEquallyAreRefused)
{
    const Topology t = parse("cycle:9");
    const Layout layout = layout_of(t, in_parts(3));
    gfab_timing timing{};
    gfab_diag diag{};
    EXPECT_EQ(compute(layout, {32, 1, 0, 0, 0, 0}, &timing, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "token bits 32 cannot be cut in 3 equal parts");
    EXPECT_EQ(compute(layout, {30, 4, 0, 0, 0, 0}, &timing, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "token bits 30 in 3 parts: 10 bits are not a multiple of link bits 4");
    EXPECT_EQ(compute(layout, {36, 4, 0, 0, 0, 0}, &timing, &diag), GFAB_OK);
}

TEST(Program, LoweringAndRaisingAreInverse)
{
    for (const char *spec : {"mesh:3x3", "torus:3x4", "cycle:5"})
        for (uint32_t parts : {2u, 3u}) {
            const Topology t = parse(spec);
            const Layout layout = layout_of(t, in_parts(parts));
            const Schedule s = cut(gossip_on(t), parts);
            const Program program = lower(s, layout);
            EXPECT_EQ(gfab_program_rounds(program.get()), gfab_schedule_rounds(s.get()));
            gfab_schedule *raised = nullptr;
            gfab_diag diag{};
            ASSERT_EQ(gfab_program_raise(program.get(), &raised, &diag), GFAB_OK) << diag.message;
            const Schedule again(raised);
            EXPECT_EQ(gfab_schedule_parts(raised), parts);
            EXPECT_EQ(schedule_text(again), schedule_text(s));
        }
}

TEST(Program, OtherPartsOrUnevenLoadsAreRefused)
{
    const Topology t = parse("path:3");
    const Schedule whole = gossip_on(t), halves = cut(whole, 2);
    const Layout one = layout_of(t), two = layout_of(t, in_parts(2)), three = layout_of(t, in_parts(3));
    gfab_program *made = nullptr;
    gfab_diag diag{};
    const struct {
        const Schedule &schedule;
        const Layout &layout;
        const char *message;
    } cases[] = {{halves, one, "parts: the schedule cuts tokens in 2, the layout in 1"},
                 {whole, two, "parts: the schedule cuts tokens in 1, the layout in 2"},
                 {halves, three, "parts: the schedule cuts tokens in 2, the layout in 3"}};
    for (const auto &c : cases) {
        EXPECT_EQ(gfab_program_lower(c.schedule.get(), c.layout.get(), nullptr, 0, nullptr, &made, &diag),
                  GFAB_ERR_INVALID);
        EXPECT_STREQ(diag.message, c.message);
    }
    const Schedule uneven = schedule_on(t);
    const uint32_t load[] = {1, 2, 3};
    ASSERT_EQ(gfab_schedule_set_load(uneven.get(), load, 2), GFAB_OK);
    EXPECT_EQ(gfab_program_lower(uneven.get(), two.get(), nullptr, 0, nullptr, &made, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "load: the hardware starts with one token in each node");
}

TEST(Image, SlotsAreBelowNodesTimesParts)
{
    const Topology t = parse("mesh:3x3");
    const Layout layout = layout_of(t, in_parts(3));
    const Image image = assemble(lower(cut(gossip_on(t), 3), layout));
    EXPECT_EQ(gfab_image_slot_bits(image.get()), 5u); // 27 slots
    const gfab_timing timing = timing_of(layout, 24, 2);
    gfab_diag diag{};
    uint32_t rounds = 0;
    ASSERT_EQ(gfab_image_check(image.get(), &timing, nullptr, &rounds, &diag), GFAB_OK) << diag.message;
    const gfab_op send = gfab_image_op(image.get(), 0, 1, 0, 0);
    ASSERT_NE(send.kind, GFAB_OP_IDLE);
    gfab_image_set_word(image.get(), 0, 0, gfab_op_encode({send.kind, 27}));
    EXPECT_EQ(gfab_image_check(image.get(), &timing, nullptr, &rounds, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::strstr(diag.message, "slot 27 of only 27"), nullptr) << diag.message;
    gfab_image_set_word(image.get(), 0, 0, gfab_op_encode({send.kind, send.slot ^ 1})); // the other half of it
    EXPECT_EQ(gfab_image_check(image.get(), &timing, nullptr, &rounds, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::strstr(diag.message, "at the other end"), nullptr) << diag.message;
}

bool bit(const uint8_t *bytes, size_t at)
{
    return bytes[at / 8] >> at % 8 & 1;
}

// Loads the pattern's tokens, plays a gossip, and counts the tokens that are wrong in some node.
size_t wrong_tokens(const Cmodel &cmodel, const gfab_timing &timing, size_t nodes, uint64_t *cycles)
{
    std::vector<std::vector<uint8_t>> tokens(nodes, std::vector<uint8_t>((timing.token_bits + 7) / 8));
    for (size_t v = 0; v < nodes; v++) {
        gfab_token_pattern(5, static_cast<uint32_t>(v), timing.token_bits, tokens[v].data());
        EXPECT_EQ(gfab_cmodel_load_token(cmodel.get(), v, tokens[v].data()), GFAB_OK);
    }
    EXPECT_EQ(gfab_cmodel_run(cmodel.get(), 1000000, nullptr, cycles), GFAB_OK);
    size_t wrong = 0;
    for (size_t v = 0; v < nodes; v++)
        for (uint32_t origin = 0; origin < nodes; origin++) {
            std::vector<uint8_t> read(tokens[0].size());
            gfab_cmodel_read_token(cmodel.get(), v, origin, read.data());
            wrong += read != tokens[origin];
        }
    return wrong;
}

TEST(Cmodel, EveryPartArrivesInItsPlaceInTheCyclesOfTheFormula)
{
    for (const char *spec : {"mesh:3x3", "torus:3x3", "cycle:5"})
        for (uint32_t parts : {2u, 3u})
            for (uint32_t part_bits : {2u, 9u, 16u, 70u})
                for (gfab_frame frame : {GFAB_FRAME_ABSOLUTE, GFAB_FRAME_RELATIVE}) {
                    const Topology t = parse(spec);
                    const size_t nodes = gfab_topology_node_count(t.get());
                    if (gfab_frame_check(frame, t.get(), nullptr) != GFAB_OK)
                        continue;
                    const Layout layout = layout_of(t, in_parts(parts, frame));
                    const Program program = lower(cut(gossip_on(t), parts), layout);
                    const Image image = assemble(program);
                    const gfab_timing timing = timing_of(layout, parts * part_bits, 1);
                    const Cmodel cmodel = create(image, timing);
                    uint64_t cycles = 0;
                    EXPECT_EQ(wrong_tokens(cmodel, timing, nodes, &cycles), 0u);
                    EXPECT_EQ(cycles, gfab_timing_gossip_cycles(&timing, gfab_program_rounds(program.get())));
                    std::vector<uint8_t> token((timing.token_bits + 7) / 8);
                    gfab_token_pattern(5, 2, timing.token_bits, token.data());
                    for (uint32_t p = 0; p < parts; p++)
                        for (uint32_t i = 0; i < part_bits; i++) {
                            const uint32_t slot = gfab_layout_slot(layout.get(), 1, 2 * parts + p);
                            EXPECT_EQ(bit(gfab_cmodel_store(cmodel.get(), 1, slot, i / timing.word_bits),
                                          i % timing.word_bits),
                                      bit(token.data(), p * part_bits + i));
                        }
                }
}

TEST(Cmodel, PartsThatChangePlacesOnTheWayAreSeen)
{
    const Topology t = parse("mesh:3x3");
    const Layout layout = layout_of(t, in_parts(2));
    const Program program = lower(cut(gossip_on(t), 2), layout);
    // Node 8 takes the halves of all that it receives for each other.
    for (uint32_t round = 1; round <= gfab_program_rounds(program.get()); round++)
        for (size_t lane = 0; lane < gfab_layout_lane_count(layout.get()); lane++) {
            gfab_op op = gfab_program_op(program.get(), 8, round, lane);
            op.slot ^= 1u;
            if (op.kind == GFAB_OP_RECV)
                gfab_program_set_half(program.get(), 8, round, lane, 0, op);
        }
    const Image image = assemble(program);
    const gfab_timing timing = timing_of(layout, 32, 2);
    const Cmodel cmodel = create(image, timing);
    uint64_t cycles = 0;
    EXPECT_GE(wrong_tokens(cmodel, timing, 9, &cycles), 8u);
    EXPECT_EQ(gfab_image_check(image.get(), &timing, nullptr, nullptr, nullptr), GFAB_ERR_FAULT);
}

TEST(Cmodel, LoadsAreNumberedOverTheParts)
{
    const Topology t = parse("cycle:5");
    const Layout layout = layout_of(t, in_parts(3));
    const Image image = assemble(lower(cut(gossip_on(t), 3), layout));
    const gfab_timing timing = timing_of(layout, 36, 1); // 12 flits a part, 6 words of 2 bits
    ASSERT_EQ(timing.words, 6u);
    const Cmodel by_word = create(image, timing), by_token = create(image, timing);
    const uint8_t token[5] = {0x39, 0x5a, 0xc7, 0x12, 0x0e};
    EXPECT_EQ(gfab_cmodel_load_token(by_token.get(), 4, token), GFAB_OK);
    for (uint32_t word = 0; word < 18; word++) {
        const uint8_t data = static_cast<uint8_t>(bit(token, 2 * word) | bit(token, 2 * word + 1) << 1);
        gfab_cmodel_set_load(by_word.get(), 4, word, &data);
        gfab_cmodel_step(by_word.get());
    }
    for (uint32_t slot = 0; slot < 15; slot++)
        for (uint32_t word = 0; word < 6; word++) {
            const uint8_t value = *gfab_cmodel_store(by_word.get(), 4, slot, word);
            EXPECT_EQ(value, *gfab_cmodel_store(by_token.get(), 4, slot, word));
            if (slot == 13) { // the second third of node 4's token
                EXPECT_EQ(value, bit(token, 12 + 2 * word) | bit(token, 13 + 2 * word) << 1);
            }
        }
}

TEST(Cmodel, TimingForOtherPartsIsRefused)
{
    const Topology t = parse("cycle:5");
    const Layout layout = layout_of(t, in_parts(2));
    const Image image = assemble(lower(cut(gossip_on(t), 2), layout));
    const gfab_timing timing = timing_of(layout_of(t), 32, 2);
    gfab_machine *machine = nullptr;
    EXPECT_EQ(gfab_machine_create(image.get(), nullptr, &timing, &machine), GFAB_ERR_INVALID);
}

} // namespace
