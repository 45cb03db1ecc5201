// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <vector>

namespace
{

struct Fabric {
    Topology topology;
    Layout layout;
    gfab_timing timing;
    Image image;

    Fabric(const char *spec, uint32_t token_bits, uint32_t link_bits)
        : topology(parse(spec)), layout(layout_of(topology)), timing(timing_of(layout, token_bits, link_bits)),
          image(assemble(lower(gossip_on(topology), layout)))
    {
    }

    uint32_t rounds() const
    {
        uint32_t rounds = 0;
        EXPECT_EQ(check(&rounds), "");
        return rounds;
    }

    size_t at(uint32_t round, size_t lane) const { return (round - 1) * gfab_image_lane_stride(image.get()) + lane; }

    void set(size_t node, uint32_t round, size_t lane, gfab_op op)
    {
        gfab_image_set_word(image.get(), node, at(round, lane), gfab_op_encode(op));
    }

    gfab_op get(size_t node, uint32_t round, size_t lane) const
    {
        return gfab_op_decode(gfab_image_word(image.get(), node, at(round, lane)));
    }

    std::string check(uint32_t *rounds = nullptr) const
    {
        gfab_diag diag{};
        const gfab_status status = gfab_image_check(image.get(), &timing, nullptr, rounds, &diag);
        EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
        return status == GFAB_OK ? "" : diag.message;
    }
};

gfab_status read_status(const Image &image, const std::string &text, gfab_diag *diag)
{
    File file(std::tmpfile());
    std::fwrite(text.data(), 1, text.size(), file.get());
    std::rewind(file.get());
    return gfab_image_read(image.get(), 0, file.get(), diag);
}

} // namespace

TEST(Image, ShapeFollowsTheFormat)
{
    const struct {
        const char *spec;
        uint32_t slot_bits, stride;
    } rows[] = {{"path:2", 1, 1},   {"path:3", 2, 2},     {"mesh:2x3", 3, 4},
                {"mesh:4x4", 4, 4}, {"mesh:3x3x3", 5, 8}, {"mesh:5x5", 5, 4}};
    for (const auto &row : rows) {
        const Topology topology = parse(row.spec);
        const Layout layout = layout_of(topology);
        gfab_image *made = nullptr;
        ASSERT_EQ(gfab_image_create(layout.get(), 5, &made, nullptr), GFAB_OK);
        const Image image(made);
        EXPECT_EQ(gfab_image_slot_bits(made), row.slot_bits) << row.spec;
        EXPECT_EQ(gfab_image_op_bits(made), row.slot_bits + 2) << row.spec;
        EXPECT_EQ(gfab_image_lane_stride(made), row.stride) << row.spec;
        EXPECT_EQ(gfab_image_word_count(made), 32u * row.stride) << row.spec;
    }
}

TEST(Image, WordsOfAllNodesAreApart)
{
    const Topology topology = parse("mesh:2x3");
    const Layout layout = layout_of(topology);
    gfab_image *made = nullptr;
    ASSERT_EQ(gfab_image_create(layout.get(), 2, &made, nullptr), GFAB_OK);
    const Image image(made);
    for (size_t node = 0; node < 6; node++)
        for (size_t index = 0; index < 16; index++)
            gfab_image_set_word(made, node, index, static_cast<uint32_t>((node * 16 + index) % 31));
    for (size_t node = 0; node < 6; node++)
        for (size_t index = 0; index < 16; index++)
            EXPECT_EQ(gfab_image_word(made, node, index), (node * 16 + index) % 31);
}

TEST(Image, TooManyRoundsAreRefused)
{
    const Topology topology = parse("path:2");
    const Layout layout = layout_of(topology);
    gfab_image *image = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_image_create(layout.get(), 25, &image, &diag), GFAB_ERR_LIMIT);
    EXPECT_STREQ(diag.message, "25 round bits: at most 24");
}

TEST(Image, NodesMayHaveMoreThan255Lanes)
{
    std::string spec = "graph:258:0-1";
    for (uint32_t leaf = 2; leaf <= 257; leaf++)
        spec += ",0-" + std::to_string(leaf);
    const Topology topology = parse(spec);
    const Layout layout = layout_of(topology);
    gfab_image *made = nullptr;
    ASSERT_EQ(gfab_image_create(layout.get(), 1, &made, nullptr), GFAB_OK);
    const Image image(made);
    gfab_sharing *shared = nullptr;
    ASSERT_EQ(gfab_sharing_create(made, &shared), GFAB_OK);
    EXPECT_EQ(shared->roms, 258u);
    for (size_t i = 0; i < size_t{258} * 257; i++)
        ASSERT_EQ(shared->lanes[i], i % 257);
    gfab_sharing_destroy(shared);
}

TEST(Image, WhatIsWrittenIsReadBack)
{
    for (const char *spec : {"path:2", "mesh:4x4", "mesh:3x3x3", "cycle:20"}) {
        const Fabric fabric(spec, 32, 2);
        gfab_image *made = nullptr;
        const uint32_t round_bits = gfab_image_round_bits(fabric.image.get());
        ASSERT_EQ(gfab_image_create(fabric.layout.get(), round_bits, &made, nullptr), GFAB_OK);
        const Image copy(made);
        const size_t nodes = gfab_topology_node_count(fabric.topology.get());
        for (size_t node = 0; node < nodes; node++) {
            File file(std::tmpfile());
            gfab_diag diag{};
            ASSERT_EQ(gfab_image_write(fabric.image.get(), node, file.get(), &diag), GFAB_OK);
            std::rewind(file.get());
            ASSERT_EQ(gfab_image_read(made, node, file.get(), &diag), GFAB_OK) << diag.message;
            for (size_t i = 0; i < gfab_image_word_count(made); i++)
                EXPECT_EQ(gfab_image_word(made, node, i), gfab_image_word(fabric.image.get(), node, i));
        }
    }
}

TEST(Image, MalformedTextIsRefusedWithItsLine)
{
    const Topology topology = parse("path:3"); // two rounds of two lanes: four words of four bits
    const Layout layout = layout_of(topology);
    gfab_image *made = nullptr;
    ASSERT_EQ(gfab_image_create(layout.get(), 1, &made, nullptr), GFAB_OK);
    const Image image(made);
    gfab_diag diag{};
    for (const char *good : {"// words\n1\n\n2 // two\n3//three\n4", "1\r\n2 // two\r\n\r\n3\r\n4\r\n"}) {
        EXPECT_EQ(read_status(image, good, &diag), GFAB_OK) << diag.message;
        for (uint32_t i = 0; i < 4; i++)
            EXPECT_EQ(gfab_image_word(made, 0, i), i + 1);
    }
    const struct {
        const char *text;
        size_t line;
    } bad[] = {
        {"1\n2\n3\n", 4},    {"1\n2\n3\n4\n5\n", 5}, {"1\ng\n3\n4\n", 2},    {"1\n2\n03\n4\n", 3}, {"1\r2\n3\n4\n", 1},
        {"A\n2\n3\n4\n", 1}, {"1 2\n3\n4\n", 1},     {"1\n/\n2\n3\n4\n", 2}, {"1\n2 / 3\n4\n", 2}, {"", 1},
        {"1\n2\n3\n4x\n", 4}};
    for (const auto &row : bad) {
        EXPECT_EQ(read_status(image, row.text, &diag), GFAB_ERR_PARSE) << row.text;
        EXPECT_EQ(diag.line, row.line) << row.text << diag.message;
        EXPECT_EQ(gfab_image_word(made, 0, 3), 4u) << "a bad file must leave the image alone";
    }
    const Topology wide = parse("path:5"); // five bits: two digits, of which the first is 0 or 1
    const Layout wide_slots = layout_of(wide);
    ASSERT_EQ(gfab_image_create(wide_slots.get(), 0, &made, nullptr), GFAB_OK);
    const Image wide_image(made);
    EXPECT_EQ(read_status(wide_image, "1f\n00\n", &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(read_status(wide_image, "00\n20\n", &diag), GFAB_ERR_PARSE);
    EXPECT_STREQ(diag.message, "word 20 has more than 5 bits");
    EXPECT_EQ(read_status(wide_image, "0\n00\n", &diag), GFAB_ERR_PARSE);
}

TEST(ImageCheck, GossipsAreLegal)
{
    for (const char *spec :
         {"path:2", "path:7", "cycle:5", "mesh:2x5", "mesh:4x4", "torus:3x3", "torus:3x4", "torus:3x3x3"}) {
        const Fabric fabric(spec, 64, 1);
        EXPECT_EQ(fabric.rounds(), gfab_schedule_rounds(gossip_on(fabric.topology).get())) << spec;
    }
}

TEST(ImageCheck, Rule1LanesThatTheNodeDoesNotHave)
{
    Fabric fabric("path:3", 32, 2); // node 2 has no lane 0
    fabric.set(2, 1, 0, {GFAB_OP_RECV, 0});
    EXPECT_EQ(fabric.check(), "node 2, round 1, lane 0: recv in a lane that the node does not have");
    Fabric padding("mesh:2x3", 32, 2); // three lanes, a stride of four
    padding.set(1, 2, 3, {GFAB_OP_SEND, 1});
    EXPECT_EQ(padding.check(), "node 1, round 2, lane 3: send in a lane that the node does not have");
}

TEST(ImageCheck, Rule2Slots)
{
    for (const gfab_op_kind kind : {GFAB_OP_SEND, GFAB_OP_RECV}) {
        Fabric fabric("path:3", 32, 2);
        fabric.set(0, 1, 0, {kind, 3});
        const std::string name = gfab_op_kind_name(kind);
        EXPECT_EQ(fabric.check(), "node 0, round 1, lane 0: " + name + " slot 3 of only 3");
    }
    Fabric idle("path:3", 32, 2);
    idle.set(0, 1, 1, {GFAB_OP_IDLE, 1});
    EXPECT_EQ(idle.check(), "node 0, round 1, lane 1: idle with slot 1");
    Fabric halt("path:3", 32, 2);
    halt.set(1, 4, 0, {GFAB_OP_IDLE, 2});
    EXPECT_EQ(halt.check(), "node 1, round 4, lane 0: idle with slot 2");
    Fabric combine("path:3", 32, 2);
    combine.set(1, 2, 1, {GFAB_OP_COMBINE, 0});
    EXPECT_EQ(combine.check(), "node 1, round 2, lane 1: combine, in a fabric that does not");
}

TEST(ImageCheck, Rule3Halts)
{
    Fabric none("path:3", 32, 2);
    ASSERT_EQ(none.rounds(), 3u);
    gfab_image_set_halt(none.image.get(), 4, false);
    EXPECT_EQ(none.check(), "no halt in any round");
    Fabric early("path:3", 32, 2);
    gfab_image_set_halt(early.image.get(), 3, true);
    EXPECT_EQ(early.check(), "node 0, round 3, lane 0: recv, but the gossip halts in round 3");
}

TEST(ImageCheck, Rule3NothingAfterTheHalt)
{
    Fabric same("path:3", 32, 2);
    same.set(1, 4, 1, {GFAB_OP_SEND, 0});
    same.set(2, 4, 1, {GFAB_OP_RECV, 0});
    EXPECT_EQ(same.check(), "node 1, round 4, lane 1: send, but the gossip halts in round 4");
    Fabric again("path:3", 32, 2);
    again.image = assemble(lower(gossip_on(again.topology), again.layout), 3);
    ASSERT_EQ(again.check(), "");
    gfab_image_set_halt(again.image.get(), 6, true);
    EXPECT_EQ(again.check(), "round 6: a halt behind the one in round 4");
}

TEST(ImageCheck, Rule4EndsOfALink)
{
    // Whatever one op of a legal image becomes instead, the other end no longer fits.
    const Fabric good("mesh:2x3", 32, 2);
    const uint32_t rounds = good.rounds();
    for (uint32_t round = 1; round <= rounds; round++)
        for (size_t node = 0; node < 6; node++)
            for (size_t lane = 0; lane < 3; lane++) {
                if (gfab_layout_port(good.layout.get(), node, lane) == GFAB_NO_PORT)
                    continue;
                const gfab_op was = good.get(node, round, lane);
                for (const gfab_op_kind kind : {GFAB_OP_IDLE, GFAB_OP_SEND, GFAB_OP_RECV})
                    for (uint32_t slot = 0; slot < (kind == GFAB_OP_IDLE ? 1u : 6u); slot++) {
                        if (kind == was.kind && slot == was.slot)
                            continue;
                        gfab_image_set_word(good.image.get(), node, good.at(round, lane), gfab_op_encode({kind, slot}));
                        EXPECT_NE(good.check().find("at the other end"), std::string::npos);
                    }
                gfab_image_set_word(good.image.get(), node, good.at(round, lane), gfab_op_encode(was));
            }
    EXPECT_EQ(good.check(), "");
    Fabric both("path:2", 32, 2);
    both.set(0, 1, 0, {GFAB_OP_SEND, 0});
    both.set(1, 1, 0, {GFAB_OP_SEND, 1});
    EXPECT_EQ(both.check(), "node 0, round 1, lane 0: send slot 0, but send slot 1 at the other end, node 1, lane 0");
}

TEST(ImageCheck, Rule5StraightBackOverASkewedLink)
{
    const Topology topology = parse("cycle:3");
    const Layout layout = layout_of(topology);
    uint32_t skewed = 0;
    while (gfab_layout_skew(layout.get(), skewed) == 0)
        skewed++;
    size_t count;
    const gfab_port *ports = gfab_topology_ports(topology.get(), skewed, &count);
    const uint32_t peer = ports[gfab_layout_port(layout.get(), skewed, 0)].peer;
    const auto check = [&](const Schedule &schedule, uint32_t token_bits) {
        const Image image = assemble(lower(schedule, layout));
        const gfab_timing timing = timing_of(layout, token_bits, 1);
        gfab_diag diag{};
        const gfab_status status = gfab_image_check(image.get(), &timing, nullptr, nullptr, &diag);
        return status == GFAB_OK ? std::string() : std::string(diag.message);
    };
    const Schedule back = schedule_on(topology);
    append(back, 1, peer, skewed, peer);
    append(back, 2, skewed, peer, peer);
    EXPECT_EQ(check(back, 4), "node " + std::to_string(skewed) + ", round 2, lane 0: token " + std::to_string(peer) +
                                  " goes back over the skewed link it came by in the round before, too soon for "
                                  "tokens of two words");
    EXPECT_EQ(check(back, 5), "") << "three words are enough";
    const Schedule other = schedule_on(topology);
    append(other, 1, peer, skewed, peer);
    append(other, 2, skewed, peer, skewed);
    append(other, 3, skewed, peer, peer);
    EXPECT_EQ(check(other, 4), "") << "another token, or a round later";
    const Schedule away = schedule_on(topology);
    append(away, 1, skewed, peer, skewed);
    append(away, 2, peer, skewed, skewed);
    EXPECT_EQ(check(away, 4), "") << "the other end is in time";
}

TEST(Image, TheSequenceIsAFileOfItsOwn)
{
    const Fabric fabric("mesh:3x3", 32, 2);
    gfab_image *image = fabric.image.get();
    gfab_diag diag{};
    EXPECT_EQ(gfab_image_gap_bits(image), 0u);
    EXPECT_EQ(gfab_image_set_gap_bits(image, 25, &diag), GFAB_ERR_LIMIT);
    ASSERT_EQ(gfab_image_set_gap_bits(image, 5, &diag), GFAB_OK);
    const uint32_t rounds = fabric.rounds();
    gfab_image_set_gap(image, 2, 17);
    EXPECT_EQ(gfab_machine_cycles(machine_of(fabric.image, fabric.timing).get()),
              gfab_timing_gossip_cycles(&fabric.timing, rounds) + 17);
    EXPECT_EQ(fabric.check(), "");
    EXPECT_EQ(gfab_image_set_gap_bits(image, 4, &diag), GFAB_ERR_LIMIT);
    EXPECT_STREQ(diag.message, "round 2: a gap of 17 cycles does not fit in 4 bits");

    File file(std::tmpfile());
    ASSERT_EQ(gfab_image_write_sequence(image, file.get(), &diag), GFAB_OK);
    std::rewind(file.get());
    char line[8];
    for (uint32_t round = 1; round <= 1u << gfab_image_round_bits(image); round++) {
        ASSERT_TRUE(std::fgets(line, sizeof line, file.get()));
        EXPECT_STREQ(line, round == 2 ? "110\n" : round == rounds + 1 ? "001\n" : "000\n") << round;
    }
    EXPECT_FALSE(std::fgets(line, sizeof line, file.get()));
    gfab_image_set_gap(image, 2, 3);
    gfab_image_set_halt(image, rounds + 1, false);
    std::rewind(file.get());
    ASSERT_EQ(gfab_image_read_sequence(image, file.get(), &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_image_gap(image, 2), 17u);
    EXPECT_EQ(gfab_image_gap(image, 3), 0u);
    EXPECT_EQ(gfab_image_rounds(image, 0), rounds);

    const auto refused = [&](const std::string &words) {
        File bad(std::tmpfile());
        std::fputs(words.c_str(), bad.get());
        std::rewind(bad.get());
        EXPECT_NE(gfab_image_read_sequence(image, bad.get(), &diag), GFAB_OK) << words;
        return std::string(diag.message);
    };
    EXPECT_EQ(refused("200\n"), "word 200 has more than 9 bits");
    const auto all = [&](const char *first, size_t count) {
        std::string words = first;
        for (size_t i = 1; i < count; i++)
            words += "000\n";
        return words;
    };
    const size_t count = size_t{1} << gfab_image_round_bits(image);
    EXPECT_EQ(refused(all("008\n", count)), "a check bit, without protection");
    EXPECT_EQ(refused(all("002\n", count)), "a loop, in a fabric without streams");
    EXPECT_EQ(refused(all("004\n", count)), "a loop, in a fabric without streams");

    gfab_image_set_halt(image, rounds + 1, true);
    gfab_image_set_gap(image, rounds + 1, 1);
    EXPECT_EQ(fabric.check(), "round " + std::to_string(rounds + 1) +
                                  ": a gap of 1 cycles, but the gossip halts in round " + std::to_string(rounds + 1));
}

TEST(Image, TheSequenceIsBeforeTheOpsInBlockRams)
{
    const Fabric fabric("mesh:3x3", 32, 2);
    gfab_image *image = fabric.image.get();
    gfab_diag diag{};
    ASSERT_EQ(gfab_image_set_gap_bits(image, 5, &diag), GFAB_OK);
    gfab_image_set_gap(image, 2, 17);
    const auto joined = [&](size_t node) {
        File file(std::tmpfile());
        EXPECT_EQ(gfab_image_write_joined(image, node, file.get(), &diag), GFAB_OK) << diag.message;
        std::string text(static_cast<size_t>(std::ftell(file.get())), '\0');
        std::rewind(file.get());
        EXPECT_EQ(std::fread(text.data(), 1, text.size(), file.get()), text.size());
        return text;
    };
    const std::string first = joined(0), second = joined(1);
    const auto read = [&](const std::string &text, size_t node, bool sets) {
        File file(std::tmpfile());
        std::fputs(text.c_str(), file.get());
        std::rewind(file.get());
        diag = gfab_diag{};
        gfab_image_read_joined(image, node, sets, file.get(), &diag);
        return std::string(diag.message);
    };

    // Three digits of what follows, two of the op; four lanes a round.
    const size_t line = 6;
    const std::string ops = image_text(fabric.image, 0);
    for (size_t index = 0; index < gfab_image_word_count(image); index++) {
        const size_t round = index / 4 + 1;
        EXPECT_EQ(first.substr(line * index, line), (round == 2                     ? "110"
                                                     : round == fabric.rounds() + 1 ? "001"
                                                                                    : "000") +
                                                        ops.substr(3 * index, 3));
    }
    gfab_image_set_gap(image, 2, 3);
    gfab_image_set_halt(image, fabric.rounds() + 1, false);
    EXPECT_EQ(read(second, 1, false), "what follows round 2 is not the same everywhere");
    EXPECT_EQ(read(first, 0, true), "");
    EXPECT_EQ(read(second, 1, false), "");
    EXPECT_EQ(gfab_image_gap(image, 2), 17u);
    EXPECT_TRUE(gfab_image_halts(image, fabric.rounds() + 1));
    EXPECT_EQ(joined(0), first);

    std::string bad = first;
    bad.replace(line * 6, 3, "000"); // in lane 2 alone
    EXPECT_EQ(read(bad, 0, true), "what follows round 2 is not the same everywhere");
    bad = first;
    bad.replace(line * 6, 3, "118");
    EXPECT_EQ(read(bad, 0, true), "a check bit, without protection");
    bad = first;
    bad[line * 6 + 3] = 'f';
    EXPECT_EQ(read(bad, 0, true).substr(0, 4), "op f");
    EXPECT_EQ(read(ops, 0, true), "a word has 5 hexadecimal digits");
}

TEST(Image, FullDuplexHalvesAreChecked)
{
    const Topology topology = parse("torus:3x3");
    const Layout layout = layout_of(topology, full_duplex());
    const Schedule schedule =
        gossip_on(topology, {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD});
    const Program program = lower(schedule, layout);
    const gfab_timing timing = timing_of(layout, 32, 2);
    EXPECT_EQ(timing.wires, 2u);
    const auto check = [&] {
        const Image image = assemble(program);
        gfab_diag diag{};
        const gfab_status status = gfab_image_check(image.get(), &timing, nullptr, nullptr, &diag);
        EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
        return std::string(status == GFAB_OK ? "" : diag.message);
    };
    EXPECT_EQ(check(), "");
    const gfab_op send = gfab_program_half(program.get(), 4, 1, 1, 0),
                  receive = gfab_program_half(program.get(), 4, 1, 1, 1);
    ASSERT_EQ(send.kind, GFAB_OP_SEND);
    ASSERT_EQ(receive.kind, GFAB_OP_RECV);
    const struct {
        uint32_t half;
        gfab_op op;
        const char *text;
    } mutants[] = {{0, {GFAB_OP_RECV, 4}, "recv in the half for what is sent"},
                   {1, {GFAB_OP_SEND, 4}, "send in the half for what is received"},
                   {1, {GFAB_OP_COMBINE, 0}, "combine, in a fabric that does not"},
                   {0, {GFAB_OP_COMBINE, 0}, "combine in the half for what is sent"},
                   {1, {GFAB_OP_IDLE, 1}, "idle with slot 1"},
                   {1, {GFAB_OP_IDLE, 0}, "idle slot 0 at the other end"},
                   {1, {GFAB_OP_RECV, (receive.slot + 1) % 9}, "at the other end"},
                   {0, {GFAB_OP_IDLE, 0}, "idle slot 0, but recv slot"},
                   {0, {GFAB_OP_SEND, (send.slot + 1) % 9}, "at the other end"}};
    for (const auto &mutant : mutants) {
        gfab_program_set_half(program.get(), 4, 1, 1, mutant.half, mutant.op);
        EXPECT_NE(check().find(mutant.text), std::string::npos) << mutant.text << ": " << check();
        gfab_program_set_half(program.get(), 4, 1, 1, 0, send);
        gfab_program_set_half(program.get(), 4, 1, 1, 1, receive);
    }
    EXPECT_EQ(check(), "");
}

TEST(Image, ATokenGoesBackOverASkewedLinkAfterAGap)
{
    const Topology topology = parse("cycle:3");
    const Layout layout = layout_of(topology);
    const gfab_timing timing = timing_of(layout, 4, 1);
    ASSERT_EQ(timing.words, 2u);
    uint32_t node = 0;
    while (gfab_layout_skew(layout.get(), node) == 0)
        node++;
    size_t count;
    const uint32_t peer =
        gfab_topology_ports(topology.get(), node, &count)[gfab_layout_port(layout.get(), node, 0)].peer;
    const Schedule schedule = schedule_on(topology);
    append(schedule, 1, peer, node, peer);
    append(schedule, 2, node, peer, peer);
    const auto status = [&](uint32_t gap) {
        gfab_program *made = nullptr;
        EXPECT_EQ(gfab_program_lower(schedule.get(), layout.get(), nullptr, gap, nullptr, &made, nullptr), GFAB_OK);
        const Program program(made);
        return gfab_image_check(assemble(program).get(), &timing, nullptr, nullptr, nullptr);
    };
    EXPECT_EQ(status(0), GFAB_ERR_FAULT);
    EXPECT_EQ(status(1), GFAB_OK);
}
