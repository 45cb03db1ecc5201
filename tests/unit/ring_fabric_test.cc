// SPDX-License-Identifier: MIT
// Ring fabrics: what they are wired as, and the C model of them, by arithmetic alone.
#include <gossipfab/gossipfab.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace
{

struct Row {
    const char *topology;
    bool full;
    uint32_t token_bits, link_bits;
    uint32_t rings, words, padding, hop;
    uint64_t cycles;
};

/* Cycles are (N - 1) ceil(W / (R L)) + c. */
const Row rows[] = {{"cycle:16", false, 32, 16, 1, 2, 0, 2, 32},
                    {"mesh:4x4", true, 32, 2, 2, 8, 0, 3, 123},
                    {"torus:4x4", true, 32, 4, 4, 2, 0, 2, 32},
                    {"torus:4x4", false, 32, 8, 2, 2, 0, 2, 32},
                    {"cycle:16", false, 32, 32, 1, 1, 0, 1, 17},
                    {"torus:5x7", true, 33, 3, 4, 3, 1, 3, 34 * 3 + 3},
                    {"hypercube:5", true, 32, 2, 5, 4, 4, 3, 31 * 4 + 3},
                    {"complete:7", false, 20, 4, 3, 2, 1, 2, 6 * 2 + 2},
                    {"torus:8x8", true, 32, 4, 4, 2, 0, 2, 63 * 2 + 2},
                    {"hypercube:6", true, 32, 4, 6, 2, 4, 2, 63 * 2 + 2},
                    {"torus:6x6x4", true, 32, 4, 6, 2, 4, 2, 143 * 2 + 2},
                    {"circulant:16,1,8", true, 32, 64, 1, 1, 0, 1, 9},
                    {"circulant:64,1,16,32", true, 32, 128, 1, 1, 0, 1, 17},
                    {"complete:9", true, 8, 24, 1, 1, 0, 1, 4}};

class RingFabric : public testing::Test
{
  protected:
    gfab_diag diag{};
    gfab_topology *topology = nullptr;
    gfab_ring_fabric fabric{};

    gfab_status plan(const char *spec, bool full, uint32_t token_bits, uint32_t link_bits, gfab_features others = 0,
                     bool protect = false)
    {
        release();
        EXPECT_EQ(gfab_topology_parse(spec, &topology, &diag), GFAB_OK) << diag.message;
        const gfab_ring_options options = {token_bits, link_bits,          full,   others, nullptr, GFAB_ALL_GATHER,
                                           0,          GFAB_OPERATOR_NONE, protect};
        return gfab_ring_fabric_plan(topology, &options, &fabric, &diag);
    }
    gfab_status plan_reduce(const char *spec, bool full, uint32_t token_bits, uint32_t link_bits,
                            gfab_collective collective, uint32_t blocks, gfab_operator combines)
    {
        release();
        EXPECT_EQ(gfab_topology_parse(spec, &topology, &diag), GFAB_OK) << diag.message;
        const gfab_ring_options options = {token_bits, link_bits, full,     0,    nullptr,
                                           collective, blocks,    combines, false};
        return gfab_ring_fabric_plan(topology, &options, &fabric, &diag);
    }
    void release()
    {
        gfab_ring_fabric_release(&fabric);
        gfab_topology_destroy(topology);
        topology = nullptr;
    }
    ~RingFabric() override { release(); }
};

TEST_F(RingFabric, WordsPaddingAndCyclesAreThoseOfTheFormula)
{
    for (const Row &row : rows) {
        ASSERT_EQ(plan(row.topology, row.full, row.token_bits, row.link_bits), GFAB_OK) << row.topology << diag.message;
        EXPECT_EQ(fabric.rings, row.rings) << row.topology;
        EXPECT_EQ(fabric.words, row.words) << row.topology;
        EXPECT_EQ(fabric.padding, row.padding) << row.topology;
        EXPECT_EQ(fabric.hop_cycles, row.hop) << row.topology;
        EXPECT_LE(fabric.hop_cycles, fabric.words) << row.topology;
        EXPECT_EQ(fabric.run_cycles, row.cycles) << row.topology;
        EXPECT_EQ(fabric.load_cycles, row.words);
        EXPECT_EQ(fabric.read_cycles, static_cast<uint64_t>(fabric.nodes) * row.token_bits / fabric.flit_width);
        EXPECT_EQ(fabric.abreast, row.link_bits > row.token_bits ? row.link_bits / row.token_bits : 1);
    }
}

/* Arcs are links of the graph, no two rings have one in common, each ring comes to all nodes, and along it places rise
 * by one, or of every second ring fall. */
TEST_F(RingFabric, TablesAreRingsOfTheGraph)
{
    for (const Row &row : rows) {
        ASSERT_EQ(plan(row.topology, row.full, row.token_bits, row.link_bits), GFAB_OK) << diag.message;
        const uint32_t n = fabric.nodes;
        std::set<std::pair<uint32_t, uint32_t>> arcs;
        for (uint32_t ring = 0; ring < fabric.rings; ring++) {
            const uint32_t *from = fabric.from + ring * n;
            const uint32_t *place = fabric.place + (fabric.both ? ring / 2 : ring) * n;
            const bool back = fabric.both && ring % 2;
            std::set<uint32_t> seen;
            for (uint32_t v = 0, steps = 0; steps < n; v = from[v], steps++) {
                seen.insert(v);
                EXPECT_EQ((place[back ? v : from[v]] + 1) % n, place[back ? from[v] : v]) << row.topology;
                const uint32_t a = fabric.order[from[v]], b = fabric.order[v];
                size_t count;
                bool linked = false;
                const gfab_port *ports = gfab_topology_ports(topology, a, &count);
                for (size_t port = 0; port < count; port++)
                    linked = linked || ports[port].peer == b;
                EXPECT_TRUE(linked) << row.topology << " " << a << " " << b;
                EXPECT_TRUE(arcs.insert({row.full || a < b ? a : b, row.full || a < b ? b : a}).second);
            }
            EXPECT_EQ(seen.size(), n) << row.topology;
        }
        for (uint32_t v = 0; v < n; v++) { /* numbered along ring 0 */
            EXPECT_EQ(fabric.place[v], v);
            EXPECT_EQ(fabric.from[v], (v + n - 1) % n);
        }
    }
}

TEST_F(RingFabric, RefusesWhatItCannot)
{
    EXPECT_EQ(plan("mesh:3x3", true, 32, 2), GFAB_ERR_UNSUPPORTED);
    EXPECT_NE(std::string(diag.message).find("no ring"), std::string::npos) << diag.message;
    EXPECT_EQ(plan("torus:4x4", true, 33, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(plan("torus:4x4", true, 32, 0), GFAB_ERR_INVALID);
    EXPECT_EQ(plan("torus:4x4", true, 0, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(plan("torus:4x4+relay=3", true, 32, 2), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(plan("torus:4x4+weight=0-1:2", true, 32, 2), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(plan("torus:4x4", true, 32, 2, GFAB_HAS(GAPS)), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "a ring fabric: not with gaps, since a word takes every cycle; leave --gap out");
    EXPECT_EQ(plan("torus:4x4", true, 32, 2, GFAB_HAS(LATENCY) | GFAB_HAS(REGISTERS)), GFAB_ERR_UNSUPPORTED);
}

TEST_F(RingFabric, RefusesTokensSideBySideWhereTheyCannotBe)
{
    const struct {
        const char *topology;
        bool full;
        uint32_t link_bits;
        gfab_status status;
        const char *says;
    } table[] = {{"circulant:16,1,8", false, 64, GFAB_ERR_UNSUPPORTED, "give --link-mode full"},
                 {"circulant:16,1,7", true, 64, GFAB_ERR_UNSUPPORTED, "as circulant:16,1,8 has them"},
                 {"circulant:16,1,8", true, 128, GFAB_ERR_UNSUPPORTED, "as circulant:16,1,4,.. has them"},
                 {"circulant:15,1,5", true, 64, GFAB_ERR_INVALID, "a ring of 15 nodes has no 2 parts"},
                 {"complete:4", true, 128, GFAB_ERR_INVALID, "a ring of 4 nodes has no 4 parts of 2 or more"},
                 {"circulant:16,1,8", true, 48, GFAB_ERR_INVALID, "does not divide"}};
    for (const auto &row : table) {
        EXPECT_EQ(plan(row.topology, row.full, 32, row.link_bits), row.status) << row.topology;
        EXPECT_NE(std::string(diag.message).find(row.says), std::string::npos) << diag.message;
    }
    EXPECT_EQ(plan_reduce("circulant:16,1,8", true, 32, 64, GFAB_ALL_REDUCE, 16, GFAB_OPERATOR_SUM), GFAB_ERR_INVALID);
}

/* Tokens by the pattern; all nodes are loaded with their own, and have all in the end, again and again. */
class Host
{
  public:
    explicit Host(const gfab_ring_fabric &fabric) : f(fabric)
    {
        gfab_diag diag{};
        EXPECT_EQ(gfab_ring_model_create(&f, &model, &diag), GFAB_OK);
    }
    ~Host() { gfab_ring_model_destroy(model); }
    Host(const Host &) = delete;
    Host &operator=(const Host &) = delete;

    bool bit(uint64_t seed, uint32_t node, uint32_t at) const
    {
        std::vector<uint8_t> token((f.token_bits + 7) / 8);
        gfab_token_pattern(seed, node, f.token_bits, token.data());
        return at < f.token_bits && (token[at / 8] >> at % 8 & 1);
    }
    /* The last word's cycle is left to what follows. */
    void load(uint64_t seed)
    {
        const uint32_t bits = f.rings * f.flit_width;
        for (uint32_t word = 0; word < f.words; word++) {
            for (uint32_t v = 0; v < f.nodes; v++) {
                std::vector<uint8_t> data((bits + 7) / 8);
                for (uint32_t i = 0; i < bits; i++)
                    data[i / 8] = static_cast<uint8_t>(data[i / 8] | bit(seed, v, word * bits + i) << i % 8);
                gfab_ring_model_load(model, v, word, data.data());
            }
            if (word + 1 < f.words)
                gfab_ring_model_step(model);
        }
    }
    uint64_t run()
    {
        uint64_t cycles = 0;
        gfab_ring_model_start(model);
        do {
            gfab_ring_model_step(model);
            cycles++;
        } while (!gfab_ring_model_done(model) && cycles < 100000);
        return cycles;
    }
    void check(uint64_t seed)
    {
        gfab_ring_model_step(model);
        EXPECT_FALSE(gfab_ring_model_busy(model));
        for (uint32_t t = 0; t < f.nodes; t++)
            for (uint32_t i = 0; i < f.flits; i++) {
                for (uint32_t v = 0; v < f.nodes; v++)
                    gfab_ring_model_read(model, v, t, i / f.rings, i % f.rings);
                for (uint32_t wait = 0; wait < f.read_wait; wait++)
                    gfab_ring_model_step(model);
                for (uint32_t v = 0; v < f.nodes; v++) {
                    const uint8_t *data = gfab_ring_model_read_data(model, v);
                    ASSERT_TRUE(data);
                    for (uint32_t b = 0; b < f.flit_width; b++)
                        ASSERT_EQ(data[b / 8] >> b % 8 & 1, bit(seed, t, i * f.flit_width + b))
                            << "node " << v << " token " << t << " flit " << i;
                }
            }
    }
    void reset()
    {
        gfab_ring_model_reset(model);
        gfab_ring_model_step(model);
    }

  private:
    const gfab_ring_fabric &f;
    gfab_ring_model *model = nullptr;
};

TEST_F(RingFabric, TheModelGathersEveryToken)
{
    const Row small[] = {
        {"cycle:5", false, 8, 4, 1, 2, 0, 2, 10},        {"mesh:2x3", true, 12, 2, 2, 3, 0, 3, 18},
        {"torus:3x3", true, 8, 2, 4, 1, 0, 1, 10},       {"complete:5", false, 6, 3, 2, 1, 0, 1, 6},
        {"torus:4x4", true, 30, 3, 4, 3, 2, 3, 48},      {"hypercube:3", true, 9, 1, 2, 5, 1, 3, 38},
        {"circulant:8,1,4", true, 9, 18, 1, 1, 0, 1, 5}, {"circulant:9,1,3", true, 4, 12, 1, 1, 0, 1, 4}};
    for (const Row &row : small) {
        SCOPED_TRACE(row.topology);
        ASSERT_EQ(plan(row.topology, row.full, row.token_bits, row.link_bits), GFAB_OK) << diag.message;
        EXPECT_EQ(fabric.run_cycles, row.cycles);
        Host host(fabric);
        host.load(1); /* the last word in the cycle of the start */
        EXPECT_EQ(host.run(), row.cycles);
        host.check(1);
        EXPECT_EQ(host.run(), row.cycles); /* without loading anew; the next from the cycle of done on */
        EXPECT_EQ(host.run(), row.cycles);
        host.check(1);
        host.run();
        host.reset();
        EXPECT_EQ(host.run(), row.cycles);
        host.check(1);
        host.load(2);
        EXPECT_EQ(host.run(), row.cycles);
        host.check(2);
    }
}

/* Nodes with check bits: 3 cycles a step at least, and what is loaded and read goes another way. */
TEST_F(RingFabric, TheModelOfAProtectedOneGathersEveryToken)
{
    const Row small[] = {
        {"cycle:5", false, 8, 8, 1, 1, 0, 3, 4 * 3 + 3},  {"cycle:5", false, 8, 4, 1, 2, 0, 3, 4 * 3 + 3},
        {"mesh:2x3", true, 12, 2, 2, 3, 0, 3, 5 * 3 + 3}, {"torus:4x4", true, 32, 4, 4, 2, 0, 3, 48},
        {"mesh:4x4", true, 32, 2, 2, 8, 0, 3, 123},       {"hypercube:3", true, 9, 1, 2, 5, 1, 3, 38}};
    for (const Row &row : small) {
        SCOPED_TRACE(row.topology);
        ASSERT_EQ(plan(row.topology, row.full, row.token_bits, row.link_bits, 0, true), GFAB_OK) << diag.message;
        EXPECT_EQ(fabric.run_cycles, row.cycles);
        EXPECT_EQ(fabric.words, row.words);
        EXPECT_EQ(fabric.hop_cycles, row.hop);
        Host host(fabric);
        for (uint64_t seed = 1; seed < 3; seed++) {
            host.load(seed); /* the last word in the cycle of the start */
            EXPECT_EQ(host.run(), row.cycles);
            EXPECT_EQ(host.run(), row.cycles); /* from the cycle of done on */
            host.check(seed);
        }
    }
    EXPECT_EQ(plan("circulant:16,1,8", true, 32, 64, 0, true), GFAB_ERR_UNSUPPORTED);
}

/* One for 4 bits of a word, as many as there is room for in RAMs of 16 bits, and one at least. */
TEST_F(RingFabric, CheckBitsFillWhatRoomThereIs)
{
    const uint32_t wanted[][2] = {{1, 1},  {4, 1},  {5, 2},  {12, 3}, {13, 3},
                                  {14, 2}, {15, 1}, {16, 4}, {30, 2}, {32, 8}};
    for (const auto &[bits, checks] : wanted) {
        ASSERT_EQ(plan("cycle:5", false, bits, bits, 0, true), GFAB_OK) << diag.message;
        EXPECT_EQ(fabric.check_bits, checks) << bits;
        ASSERT_EQ(plan("cycle:5", false, bits, bits, 0, false), GFAB_OK) << diag.message;
        EXPECT_EQ(fabric.check_bits, 0u);
    }
}

struct ReduceRow {
    const char *topology;
    bool full;
    uint32_t token_bits, link_bits;
    gfab_collective collective;
    uint32_t blocks;
    gfab_operator combines;
    uint32_t rounds, padding, pieces;
    uint64_t cycles;
};

/* Cycles are K 2 N F + 2, or K (N + 1) F + 2, and the pieces. */
const ReduceRow reduce_rows[] = {
    {"torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 64, GFAB_OPERATOR_SUM, 1, 0, 1, 35},
    {"torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 128, GFAB_OPERATOR_SUM, 2, 0, 1, 67},
    {"torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 192, GFAB_OPERATOR_SUM, 3, 0, 1, 99},
    {"torus:8x8", true, 32, 32, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_SUM, 1, 0, 1, 131},
    {"torus:5x7", true, 24, 8, GFAB_ALL_REDUCE, 141, GFAB_OPERATOR_XOR, 2, 139, 1, 2 * 70 * 3 + 3},
    {"hypercube:6", true, 16, 16, GFAB_REDUCE_SCATTER, 384, GFAB_OPERATOR_SUM, 1, 0, 1, 68},
    {"torus:6x6x4", true, 48, 48, GFAB_REDUCE_SCATTER, 864, GFAB_OPERATOR_SUM, 1, 0, 2, 149},
    {"torus:3x3", true, 9, 9, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_MIN, 1, 0, 1, 21},
    {"cycle:5", false, 6, 2, GFAB_REDUCE_SCATTER, 10, GFAB_OPERATOR_AND, 2, 0, 1, 2 * 6 * 3 + 3},
    {"cycle:4", true, 40, 40, GFAB_ALL_REDUCE, 3, GFAB_OPERATOR_SUM, 1, 5, 2, 12},
};

TEST_F(RingFabric, RoundsAndCyclesOfBlocksAreThoseOfTheFormula)
{
    for (const ReduceRow &row : reduce_rows) {
        ASSERT_EQ(plan_reduce(row.topology, row.full, row.token_bits, row.link_bits, row.collective, row.blocks,
                              row.combines),
                  GFAB_OK)
            << row.topology << diag.message;
        EXPECT_EQ(fabric.rounds, row.rounds) << row.topology;
        EXPECT_EQ(fabric.padding_blocks, row.padding) << row.topology;
        EXPECT_EQ(fabric.pieces, row.pieces) << row.topology;
        EXPECT_EQ(fabric.run_cycles, row.cycles) << row.topology;
    }
}

TEST_F(RingFabric, RefusesWhatItCannotCombine)
{
    const gfab_operator sum = GFAB_OPERATOR_SUM;
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 32, GFAB_BROADCAST, 0, sum), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_NONE), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_BFLOAT16), GFAB_ERR_UNSUPPORTED);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 8, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_UMAX), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(diag.message, "operator umax: a ring fabric compares whole blocks; give --link-bits 32");
    EXPECT_EQ(plan_reduce("torus:4x4", true, 128, 128, GFAB_ALL_REDUCE, 0, GFAB_OPERATOR_XOR), GFAB_ERR_LIMIT);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 128, 128, GFAB_ALL_REDUCE, 0, sum), GFAB_OK);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 32, GFAB_REDUCE_SCATTER, 65, sum), GFAB_ERR_INVALID);
    EXPECT_EQ(plan_reduce("torus:4x4", true, 32, 32, GFAB_ALL_REDUCE, 1u << 30, sum), GFAB_ERR_LIMIT);
}

uint64_t combined(gfab_operator combines, uint64_t a, uint64_t b, uint64_t top)
{
    switch (combines) {
    case GFAB_OPERATOR_AND:
        return a & b;
    case GFAB_OPERATOR_XOR:
        return a ^ b;
    case GFAB_OPERATOR_MIN:
        return (a ^ top) < (b ^ top) ? a : b;
    default:
        return (a + b) & (2 * top - 1);
    }
}

/* Contributions of a few bits that are all there is to know; totals where they are to be, contributions elsewhere. */
TEST_F(RingFabric, TheModelReducesEveryBlock)
{
    for (const ReduceRow &row : reduce_rows) {
        ASSERT_EQ(plan_reduce(row.topology, row.full, row.token_bits, row.link_bits, row.collective, row.blocks,
                              row.combines),
                  GFAB_OK);
        if (fabric.nodes > 16)
            continue;
        SCOPED_TRACE(row.topology);
        const uint32_t n = fabric.nodes, turn = n * fabric.rounds * fabric.rings;
        const uint64_t top = uint64_t{1} << (row.token_bits - 1), flit_mask = UINT64_MAX >> (64 - row.link_bits);
        std::vector<std::vector<uint64_t>> has(n, std::vector<uint64_t>(turn));
        gfab_ring_reduce_model *model = nullptr;
        ASSERT_EQ(gfab_ring_reduce_model_create(&fabric, &model, &diag), GFAB_OK);
        const auto block_of = [this](uint32_t b) {
            return gfab_ring_block{b / fabric.rings / fabric.rounds, b / fabric.rings % fabric.rounds,
                                   b % fabric.rings};
        };
        uint64_t seed = 1;
        for (uint32_t b = 0; b < turn; b++)
            for (uint32_t f = 0; f < fabric.flits; f++) {
                for (uint32_t v = 0; v < n; v++) {
                    uint8_t data[8];
                    seed = seed * 6364136223846793005u + 1442695040888963407u;
                    has[v][b] = f ? has[v][b] : (seed >> 7) & (2 * top - 1);
                    for (uint32_t i = 0; i < 8; i++)
                        data[i] = static_cast<uint8_t>((has[v][b] >> f * row.link_bits & flit_mask) >> 8 * i);
                    gfab_ring_reduce_model_load(model, v, block_of(b), f, data);
                }
                if (b + 1 < turn || f + 1 < fabric.flits) /* the last in the cycle of the start */
                    gfab_ring_reduce_model_step(model);
            }
        for (int run = 0; run < 2; run++) { /* the second in the cycle of done, of what is there then */
            uint64_t cycles = 0;
            gfab_ring_reduce_model_start(model);
            do {
                gfab_ring_reduce_model_step(model);
                cycles++;
            } while (!gfab_ring_reduce_model_done(model) && cycles < 100000);
            EXPECT_EQ(cycles, row.cycles);
            for (uint32_t b = 0; b < turn; b++) {
                uint64_t total = has[0][b];
                for (uint32_t v = 1; v < n; v++)
                    total = combined(row.combines, total, has[v][b], top);
                for (uint32_t v = 0; v < n; v++)
                    if (row.collective == GFAB_ALL_REDUCE || block_of(b).home == v)
                        has[v][b] = total;
            }
        }
        gfab_ring_reduce_model_step(model);
        EXPECT_FALSE(gfab_ring_reduce_model_busy(model));
        for (uint32_t b = 0; b < turn; b++)
            for (uint32_t f = 0; f < fabric.flits; f++) {
                for (uint32_t v = 0; v < n; v++)
                    gfab_ring_reduce_model_read(model, v, block_of(b), f);
                for (uint32_t wait = 0; wait < fabric.read_wait; wait++)
                    gfab_ring_reduce_model_step(model);
                for (uint32_t v = 0; v < n; v++) {
                    std::vector<uint8_t> data((row.link_bits + 7) / 8);
                    uint64_t flit = 0;
                    ASSERT_TRUE(gfab_ring_reduce_model_read_data(model, v, data.data()));
                    for (size_t i = data.size(); i-- > 0;)
                        flit = flit << 8 | data[i];
                    ASSERT_EQ(flit, has[v][b] >> f * row.link_bits & flit_mask) << "node " << v << " block " << b;
                }
            }
        gfab_ring_reduce_model_destroy(model);
    }
}

} // namespace
