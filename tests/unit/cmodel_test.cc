// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "register_fabric.h"

#include <cstring>
#include <random>
#include <vector>

namespace
{

using Bytes = std::vector<uint8_t>;

struct Fabric {
    Topology topology;
    Layout layout;
    gfab_timing timing;
    Image image;
    uint32_t rounds;
    Cmodel cmodel;

    Fabric(const std::string &spec, uint32_t token_bits, uint32_t link_bits)
        : topology(parse(spec)), layout(layout_of(topology)), timing(timing_of(layout, token_bits, link_bits)),
          image(gossip_image()), rounds(0), cmodel(create(image, timing))
    {
        gfab_diag diag{};
        EXPECT_EQ(gfab_image_check(image.get(), &timing, nullptr, &rounds, &diag), GFAB_OK) << diag.message;
    }

    Image gossip_image() const { return assemble(lower(gossip_on(topology), layout)); }
    size_t nodes() const { return gfab_topology_node_count(topology.get()); }
    size_t links() const { return gfab_topology_link_count(topology.get()); }

    Bytes pattern(uint64_t seed, uint32_t node) const
    {
        Bytes token((timing.token_bits + 7) / 8);
        gfab_token_pattern(seed, node, timing.token_bits, token.data());
        return token;
    }

    void load(uint64_t seed)
    {
        for (uint32_t node = 0; node < nodes(); node++)
            EXPECT_EQ(gfab_cmodel_load_token(cmodel.get(), node, pattern(seed, node).data()), GFAB_OK);
    }

    uint64_t run()
    {
        uint64_t cycles = 0;
        EXPECT_EQ(gfab_cmodel_run(cmodel.get(), 1u << 24, nullptr, &cycles), GFAB_OK);
        return cycles;
    }

    size_t wrong_tokens(uint64_t seed) const
    {
        size_t wrong = 0;
        for (uint32_t node = 0; node < nodes(); node++)
            for (uint32_t token = 0; token < nodes(); token++) {
                Bytes held((timing.token_bits + 7) / 8, 0xff);
                gfab_cmodel_read_token(cmodel.get(), node, token, held.data());
                wrong += held != pattern(seed, token);
            }
        return wrong;
    }

    uint64_t use_cycles() const
    {
        uint64_t sum = 0;
        for (size_t link = 0; link < links(); link++)
            for (uint32_t end = 0; end < 2; end++)
                sum += gfab_cmodel_link_use_cycles(cmodel.get(), link, end);
        return sum;
    }
};

bool bit(const uint8_t *bytes, size_t index)
{
    return bytes[index / 8] >> index % 8 & 1;
}

Flit flit_of(const uint8_t *bytes, size_t first, uint32_t bits)
{
    Flit flit = 0;
    for (uint32_t i = 0; i < bits; i++)
        flit |= Flit{bit(bytes, first + i)} << i;
    return flit;
}

Word word_of(const uint8_t *bytes, const gfab_timing &timing)
{
    Word word;
    for (uint32_t i = 0; i < timing.lanes; i++)
        word.push_back(flit_of(bytes, size_t{i} * timing.link_bits, timing.link_bits));
    return word;
}

// "" or the first difference between the two in this cycle.
std::string difference(const Fabric &fabric, const gfab_cmodel *cmodel, const RegisterFabric &registers)
{
    if (gfab_cmodel_busy(cmodel) != registers.busy())
        return "busy";
    if (gfab_cmodel_done(cmodel) != registers.done())
        return "done";
    for (size_t link = 0; link < fabric.links(); link++) {
        for (uint32_t end = 0; end < 2; end++)
            if (gfab_cmodel_link_drive(cmodel, link, end) != registers.drive(link, end))
                return "drive of link " + std::to_string(link);
        const uint8_t *data = gfab_cmodel_link_data(cmodel, link);
        if (flit_of(data, 0, fabric.timing.link_bits) != registers.link(link))
            return "data of link " + std::to_string(link);
        for (uint32_t i = fabric.timing.link_bits; i % 8; i++)
            if (bit(data, i))
                return "bits past the width of link " + std::to_string(link);
    }
    for (size_t node = 0; node < fabric.nodes(); node++) {
        uint32_t slot = 0, word = 0;
        const uint8_t *data = nullptr;
        const RegisterFabric::Write &write = registers.write(node);
        if (gfab_cmodel_write(cmodel, node, &slot, &word, &data) != write.enable)
            return "write enable of node " + std::to_string(node);
        if (write.enable && (slot != write.slot || word != write.word || word_of(data, fabric.timing) != write.data))
            return "write of node " + std::to_string(node);
    }
    return "";
}

std::string store_difference(const Fabric &fabric, const gfab_cmodel *cmodel, const RegisterFabric &registers)
{
    for (size_t node = 0; node < fabric.nodes(); node++)
        for (uint32_t slot = 0; slot < 1u << gfab_image_slot_bits(fabric.image.get()); slot++)
            for (uint32_t word = 0; word < fabric.timing.words; word++)
                if (word_of(gfab_cmodel_store(cmodel, node, slot, word), fabric.timing) !=
                    registers.stored(node, slot, word))
                    return "store of node " + std::to_string(node);
    return "";
}

enum class Ops { legal, wild };

// Random ops for `rounds` rounds, then a halt; legal ones by rule 4, or any at all.
void randomize(Fabric &fabric, uint32_t rounds, Ops ops, std::mt19937 &random)
{
    const size_t stride = gfab_image_lane_stride(fabric.image.get());
    gfab_image *image = nullptr;
    ASSERT_EQ(gfab_image_create(fabric.layout.get(), 4, &image, nullptr), GFAB_OK);
    fabric.image.reset(image);
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t node = 0; ops == Ops::wild && node < fabric.nodes(); node++)
            for (size_t lane = 0; lane < fabric.timing.lanes; lane++) {
                const gfab_op op = {static_cast<gfab_op_kind>(random() % 3),
                                    static_cast<uint32_t>(random() % (1u << gfab_image_slot_bits(image)))};
                gfab_image_set_word(image, node, round * stride + lane, gfab_op_encode(op));
            }
        for (size_t link = 0; ops == Ops::legal && link < fabric.links(); link++) {
            const uint32_t sender = random() % 3; // 2: idle
            const uint32_t slot = random() % fabric.nodes();
            for (uint32_t end = 0; end < 2 && sender < 2; end++) {
                const uint32_t node = gfab_topology_link(fabric.topology.get(), link).node[end];
                size_t count;
                const gfab_port *ports = gfab_topology_ports(fabric.topology.get(), node, &count);
                size_t port = 0;
                while (ports[port].link != link)
                    port++;
                const uint32_t lane = gfab_layout_lane(fabric.layout.get(), node, port);
                const gfab_op op = {end == sender ? GFAB_OP_SEND : GFAB_OP_RECV, slot};
                gfab_image_set_word(image, node, round * stride + lane, gfab_op_encode(op));
            }
        }
    }
    gfab_image_set_halt(image, rounds + 1, true);
    fabric.rounds = rounds;
    fabric.cmodel = create(fabric.image, fabric.timing);
}

// Both through `cycles` cycles of random starts, loads and resets.
void expect_lockstep(Fabric &fabric, uint32_t cycles, std::mt19937 &random)
{
    RegisterFabric registers(fabric.image.get(), fabric.timing);
    gfab_cmodel *cmodel = fabric.cmodel.get();
    const size_t bytes = (fabric.timing.word_bits + 7) / 8;
    std::vector<uint64_t> uses(2 * fabric.links(), 0);
    unsigned gossips = 0;
    for (uint32_t cycle = 0; cycle < cycles; cycle++) {
        ASSERT_EQ(difference(fabric, cmodel, registers), "")
            << gfab_topology_name(fabric.topology.get()) << " cycle " << cycle;
        gossips += registers.done();
        for (size_t use = 0; use < uses.size(); use++) {
            ASSERT_EQ(gfab_cmodel_link_use_cycles(cmodel, use / 2, use % 2), uses[use]) << "cycle " << cycle;
            uses[use] += registers.drive(use / 2, use % 2);
        }
        for (size_t node = 0; node < fabric.nodes(); node++) {
            if (random() % 4)
                continue;
            Bytes data(bytes);
            for (uint8_t &byte : data)
                byte = static_cast<uint8_t>(random());
            const uint32_t word = random() % fabric.timing.words;
            gfab_cmodel_set_load(cmodel, node, word, data.data());
            registers.load(node, word, word_of(data.data(), fabric.timing));
        }
        const bool start = random() % 5 == 0;
        const bool reset = random() % 150 == 0;
        gfab_cmodel_set_start(cmodel, start);
        gfab_cmodel_set_reset(cmodel, reset);
        gfab_cmodel_step(cmodel);
        registers.step(reset, start);
    }
    EXPECT_GT(gossips, 0u) << "no gossip came to its end";
    EXPECT_EQ(store_difference(fabric, cmodel, registers), "");
}

const char *const small[] = {"path:2",   "path:4",    "cycle:3",   "cycle:5",    "cycle:6",    "mesh:2x3",
                             "mesh:3x3", "torus:3x3", "torus:3x4", "mesh:2x2x2", "torus:3x3x3"};

} // namespace

TEST(Cmodel, CyclesAreThoseOfTheFormulaAndAllTokensArrive)
{
    for (const char *spec : {"path:2", "path:7", "cycle:5", "cycle:6", "mesh:1x4", "mesh:2x5", "mesh:4x4", "mesh:3x7",
                             "torus:4x4", "torus:3x3", "torus:3x5", "torus:3x4", "mesh:3x3x3", "torus:3x3x3"}) {
        const Topology topology = parse(spec);
        const uint32_t lanes = static_cast<uint32_t>(gfab_topology_max_degree(topology.get()));
        const struct {
            uint32_t token_bits, link_bits;
        } widths[] = {{2 * lanes, 1}, {2 * lanes + 1, 1}, {32, 2},      {256, 8}, {8, 8},
                      {1, 1},         {57, 19},           {4096, 1024}, {90, 15}};
        for (const auto &width : widths) {
            Fabric fabric(spec, width.token_bits, width.link_bits);
            fabric.load(7);
            EXPECT_EQ(fabric.run(), gfab_timing_gossip_cycles(&fabric.timing, fabric.rounds))
                << spec << " " << width.token_bits << " " << width.link_bits;
            EXPECT_EQ(fabric.wrong_tokens(7), 0u) << spec << " " << width.token_bits << " " << width.link_bits;
            EXPECT_FALSE(gfab_cmodel_busy(fabric.cmodel.get()));
            EXPECT_TRUE(gfab_cmodel_done(fabric.cmodel.get()));
        }
    }
}

TEST(Cmodel, AWrongOpIsSeenInTheTokens)
{
    Fabric fabric("mesh:3x3", 32, 2);
    for (size_t index = 0; index < gfab_image_word_count(fabric.image.get()); index++) {
        const gfab_op op = gfab_op_decode(gfab_image_word(fabric.image.get(), 4, index));
        if (op.kind != GFAB_OP_RECV)
            continue;
        gfab_image_set_word(fabric.image.get(), 4, index, 0);
        break;
    }
    fabric.cmodel = create(fabric.image, fabric.timing);
    fabric.load(1);
    fabric.run();
    EXPECT_GT(fabric.wrong_tokens(1), 0u);
}

TEST(Cmodel, GossipAfterGossipAndAfterReset)
{
    for (const char *spec : {"path:4", "cycle:5", "mesh:4x4", "torus:3x3", "torus:3x3x3"})
        for (const uint32_t token_bits : {8u, 64u}) {
            Fabric fabric(spec, token_bits, 1);
            const uint64_t expected = gfab_timing_gossip_cycles(&fabric.timing, fabric.rounds);
            for (uint64_t seed = 1; seed <= 3; seed++) {
                fabric.load(seed);
                EXPECT_EQ(fabric.run(), expected);
                EXPECT_EQ(fabric.wrong_tokens(seed), 0u) << spec;
            }
            fabric.load(4);
            gfab_cmodel_set_start(fabric.cmodel.get(), true);
            for (uint64_t cycle = 0; cycle < expected / 2; cycle++)
                gfab_cmodel_step(fabric.cmodel.get());
            EXPECT_TRUE(gfab_cmodel_busy(fabric.cmodel.get()));
            gfab_cmodel_set_reset(fabric.cmodel.get(), true);
            gfab_cmodel_step(fabric.cmodel.get());
            EXPECT_FALSE(gfab_cmodel_busy(fabric.cmodel.get()));
            for (size_t link = 0; link < fabric.links(); link++)
                EXPECT_FALSE(gfab_cmodel_link_drive(fabric.cmodel.get(), link, 0) ||
                             gfab_cmodel_link_drive(fabric.cmodel.get(), link, 1));
            EXPECT_GT(fabric.wrong_tokens(4), 0u);
            fabric.load(5);
            EXPECT_EQ(fabric.run(), expected);
            EXPECT_EQ(fabric.wrong_tokens(5), 0u) << spec;
        }
}

TEST(Cmodel, EqualToTheRegistersOnLegalPrograms)
{
    std::mt19937 random(1);
    for (const char *spec : small)
        for (const uint32_t link_bits : {1u, 3u, 20u})
            for (const uint32_t flits : {1u, 13u, 20u}) {
                Fabric fabric(spec, flits * link_bits, link_bits);
                randomize(fabric, random() % 6, Ops::legal, random);
                expect_lockstep(fabric, 1200, random);
            }
}

TEST(Cmodel, EqualToTheRegistersOnAnyProgram)
{
    std::mt19937 random(2);
    for (const char *spec : small)
        for (const uint32_t flits : {1u, 13u, 20u}) {
            Fabric fabric(spec, flits * 2, 2);
            randomize(fabric, 1 + random() % 5, Ops::wild, random);
            expect_lockstep(fabric, 1200, random);
        }
}

TEST(Cmodel, RegistersDifferFromAnotherProgram)
{
    std::mt19937 random(3);
    Fabric fabric("mesh:3x3", 32, 2);
    const Image gossip = fabric.gossip_image();
    RegisterFabric registers(gossip.get(), fabric.timing);
    randomize(fabric, fabric.rounds, Ops::legal, random);
    fabric.load(1);
    gfab_cmodel_set_start(fabric.cmodel.get(), true);
    std::string seen;
    for (int cycle = 0; cycle < 100 && seen.empty(); cycle++) {
        gfab_cmodel_step(fabric.cmodel.get());
        registers.step(false, cycle == 0);
        seen = difference(fabric, fabric.cmodel.get(), registers);
    }
    EXPECT_NE(seen, "");
}

TEST(Cmodel, ProgramWithoutAHaltGoesRoundAndRound)
{
    Fabric fabric("path:3", 32, 2);
    gfab_image_set_halt(fabric.image.get(), fabric.rounds + 1, false);
    fabric.cmodel = create(fabric.image, fabric.timing);
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), 10000, nullptr, &cycles), GFAB_ERR_FAULT);
    EXPECT_TRUE(gfab_cmodel_busy(fabric.cmodel.get()));
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), 10000, nullptr, &cycles), GFAB_ERR_INVALID);
}

TEST(Cmodel, RunStopsAtItsLimit)
{
    Fabric fabric("path:3", 32, 2);
    const uint64_t needed = gfab_timing_gossip_cycles(&fabric.timing, fabric.rounds);
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), needed, nullptr, &cycles), GFAB_OK);
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), needed - 1, nullptr, &cycles), GFAB_ERR_FAULT);
}

TEST(Cmodel, ProgressIsToldAndCanStop)
{
    struct Calls {
        unsigned count;
        unsigned stop_at;
    };
    const auto report = [](void *context, const char *what, unsigned long long done, unsigned long long total) {
        Calls *calls = static_cast<Calls *>(context);
        EXPECT_STREQ(what, "rounds");
        EXPECT_EQ(done, calls->count);
        EXPECT_EQ(total, 3u);
        return static_cast<int>(++calls->count != calls->stop_at);
    };
    Calls calls{0, 0};
    gfab_progress progress{report, &calls};
    Fabric fabric("path:3", 32, 2);
    uint64_t cycles = 0;
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), 1000, &progress, &cycles), GFAB_OK);
    EXPECT_EQ(calls.count, 4u);
    calls = {0, 2};
    EXPECT_EQ(gfab_cmodel_run(fabric.cmodel.get(), 1000, &progress, &cycles), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(calls.count, 2u);
}

TEST(Cmodel, LoadsActWhileIdleAlone)
{
    Fabric fabric("path:3", 12, 1); // six words of two bits
    gfab_cmodel *cmodel = fabric.cmodel.get();
    const uint8_t data = 0xfe;
    gfab_cmodel_set_load(cmodel, 1, 3, &data);
    EXPECT_EQ(*gfab_cmodel_store(cmodel, 1, 1, 3), 0) << "before the edge";
    gfab_cmodel_step(cmodel);
    EXPECT_EQ(*gfab_cmodel_store(cmodel, 1, 1, 3), 2) << "bits past the word are ignored";
    gfab_cmodel_step(cmodel);
    gfab_cmodel_set_start(cmodel, true);
    gfab_cmodel_step(cmodel);
    const uint8_t other = 1;
    gfab_cmodel_set_load(cmodel, 1, 3, &other);
    gfab_cmodel_step(cmodel);
    EXPECT_EQ(*gfab_cmodel_store(cmodel, 1, 1, 3), 2);
    EXPECT_EQ(gfab_cmodel_load_token(cmodel, 1, &other), GFAB_ERR_INVALID);
}

// Every pair of latency and gap, half and full duplex: the tokens arrive, in the cycles of the law.
TEST(Cmodel, GapsLatencyAndFullDuplexKeepTheLaw)
{
    for (const char *spec : {"path:2", "cycle:5", "cycle:6", "mesh:3x4", "torus:3x3", "hypercube:3"})
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const uint32_t packet_tokens : {1u, 3u})
                for (const uint32_t latency : {0u, 1u, 3u, 15u})
                    for (const uint32_t gap : {0u, 1u, 2u, 5u}) {
                        const Topology topology = parse(spec);
                        const Layout layout = layout_of(topology, full_duplex(mode == GFAB_LINK_FULL));
                        const Schedule schedule = gossip_on(
                            topology, {mode, GFAB_PORT_ALL, packet_tokens, 1, GFAB_ROUTING_STORE_AND_FORWARD});
                        gfab_program *made = nullptr;
                        ASSERT_EQ(
                            gfab_program_lower(schedule.get(), layout.get(), nullptr, gap, nullptr, &made, nullptr),
                            GFAB_OK);
                        const Program program(made);
                        const Image image = assemble(program);
                        gfab_timing timing{};
                        ASSERT_EQ(compute(layout, {16, 2, latency, 0, 0, 0}, &timing, nullptr), GFAB_OK);
                        gfab_diag diag{};
                        uint32_t rounds = 0;
                        ASSERT_EQ(gfab_image_check(image.get(), &timing, nullptr, &rounds, &diag), GFAB_OK)
                            << diag.message;
                        const Cmodel cmodel = create(image, timing);
                        const size_t nodes = gfab_topology_node_count(topology.get());
                        uint8_t token[2], held[2];
                        for (uint32_t node = 0; node < nodes; node++) {
                            gfab_token_pattern(5, node, 16, token);
                            ASSERT_EQ(gfab_cmodel_load_token(cmodel.get(), node, token), GFAB_OK);
                        }
                        uint64_t cycles = 0;
                        ASSERT_EQ(gfab_cmodel_run(cmodel.get(), 100000, nullptr, &cycles), GFAB_OK);
                        EXPECT_EQ(cycles, uint64_t{rounds} * timing.cycles_per_round + timing.overhead_cycles +
                                              uint64_t{gfab_schedule_rounds(schedule.get())} * gap);
                        size_t wrong = 0;
                        for (uint32_t node = 0; node < nodes; node++)
                            for (uint32_t origin = 0; origin < nodes; origin++) {
                                gfab_token_pattern(5, origin, 16, token);
                                gfab_cmodel_read_token(cmodel.get(), node, origin, held);
                                wrong += std::memcmp(token, held, 2) != 0;
                            }
                        EXPECT_EQ(wrong, 0u) << spec << " latency " << latency << " gap " << gap;
                    }
}

TEST(Cmodel, LinksAreUsedAWholeRoundForEachMove)
{
    for (const char *spec : {"mesh:3x3", "torus:3x3", "cycle:5"})
        for (const uint32_t token_bits : {8u, 64u}) {
            Fabric fabric(spec, token_bits, 1);
            const uint64_t moves = gfab_schedule_move_count(gossip_on(fabric.topology).get());
            fabric.run();
            EXPECT_EQ(fabric.use_cycles(), moves * fabric.timing.cycles_per_round) << spec;
            fabric.run();
            EXPECT_EQ(fabric.use_cycles(), 2 * moves * fabric.timing.cycles_per_round) << spec;
        }
}

TEST(Cmodel, TimingOfAnotherFabricIsRefused)
{
    Fabric fabric("path:3", 8, 1);
    gfab_timing timing = fabric.timing;
    timing.lanes = 4;
    gfab_machine *machine = nullptr;
    EXPECT_EQ(gfab_machine_create(fabric.image.get(), nullptr, &timing, &machine), GFAB_ERR_INVALID);
}

TEST(TokenPattern, IsSplitmix64)
{
    uint8_t token[16];
    gfab_token_pattern(0, 0, 64, token); // SplitMix64's published first output from seed 0
    const uint8_t zero[] = {0xaf, 0xcd, 0x1d, 0x7b, 0x39, 0xa8, 0x20, 0xe2};
    EXPECT_EQ(std::memcmp(token, zero, 8), 0);
    uint8_t shorter[2] = {0xff, 0xff};
    gfab_token_pattern(0, 0, 11, shorter);
    EXPECT_EQ(shorter[0], 0xaf);
    EXPECT_EQ(shorter[1], 0x05);
    uint8_t next[16];
    gfab_token_pattern(0, 0, 128, next);
    EXPECT_EQ(std::memcmp(next, zero, 8), 0);
    gfab_token_pattern(0, 1, 64, token);
    EXPECT_NE(std::memcmp(token, next, 8), 0);
    EXPECT_NE(std::memcmp(token, next + 8, 8), 0);
    gfab_token_pattern(1, 0, 64, token);
    EXPECT_NE(std::memcmp(token, next, 8), 0);
}
