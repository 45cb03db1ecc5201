// SPDX-License-Identifier: MIT
// Operators whose result depends on the order: bfloat16 sums, and the order in which wide nodes combine.
#include "fixture.h"

#include <gossipfab/cmodel/cmodel.h>
#include <gossipfab/fabric/compile.h>
#include <gossipfab/schedule/expression.h>

#include <cmath>
#include <cstring>
#include <random>

namespace
{

using Machine = Owner<gfab_machine, gfab_machine_destroy>;
using Cmodel = Owner<gfab_cmodel, gfab_cmodel_destroy>;
using Expression = Owner<gfab_expression, gfab_expression_destroy>;

float float_of(uint32_t number)
{
    const uint32_t bits = number << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// By the processor's float, of 24 bits: the sum of two numbers of 8 bits, rounded first to 2 * 8 + 2 bits or more and
// then to 8, is the same as rounded once (Figueroa, When is double rounding innocuous?, 1995); what float rounds at all
// is normal in bfloat16, which has the same exponents.
uint16_t reference(uint16_t a, uint16_t b)
{
    const float sum = float_of(a) + float_of(b);
    if (std::isnan(sum))
        return 0x7fc0;
    uint32_t bits;
    std::memcpy(&bits, &sum, sizeof bits);
    const uint32_t up = 0x7fff + (bits >> 16 & 1);
    return static_cast<uint16_t>((bits + up) >> 16);
}

// Signed zeros, subnormals, powers of two and their neighbours over all exponents, infinities, NaNs.
std::vector<uint16_t> corners()
{
    std::vector<uint16_t> all;
    for (uint32_t exponent = 0; exponent < 256; exponent++)
        for (uint32_t fraction : {0x00, 0x01, 0x3f, 0x40, 0x7f})
            for (uint32_t sign : {0x0000, 0x8000})
                all.push_back(static_cast<uint16_t>(sign | exponent << 7 | fraction));
    return all;
}

TEST(Chain, Bfloat16SumsAreNearest)
{
    EXPECT_EQ(gfab_bfloat16_sum(0x3f80, 0x3f80), 0x4000); // 1 + 1
    EXPECT_EQ(gfab_bfloat16_sum(0x3f80, 0x3b80), 0x3f80); // 1 + 2^-8: the even one of two equally near
    EXPECT_EQ(gfab_bfloat16_sum(0x3f81, 0x3b80), 0x3f82); // and here it is above
    EXPECT_EQ(gfab_bfloat16_sum(0x7f7f, 0x7b00), 0x7f80); // the largest, and half of its last bit
    EXPECT_EQ(gfab_bfloat16_sum(0x7f80, 0xff80), 0x7fc0);
    EXPECT_EQ(gfab_bfloat16_sum(0x0001, 0x8002), 0x8001); // subnormal
    EXPECT_EQ(gfab_bfloat16_sum(0x3f80, 0xbf80), 0x0000);
    EXPECT_EQ(gfab_bfloat16_sum(0x8000, 0x8000), 0x8000);
    const std::vector<uint16_t> values = corners();
    for (uint16_t a : values)
        for (uint16_t b : values)
            ASSERT_EQ(gfab_bfloat16_sum(a, b), reference(a, b)) << a << " + " << b;
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000000; i++) {
        const uint64_t word = random();
        const uint16_t a = static_cast<uint16_t>(word), b = static_cast<uint16_t>(word >> 16);
        const uint16_t near = static_cast<uint16_t>((a & 0x7f80) + (word >> 32 & 0x87ff)); // of an exponent not far off
        ASSERT_EQ(gfab_bfloat16_sum(a, b), reference(a, b)) << a << " + " << b;
        ASSERT_EQ(gfab_bfloat16_sum(a, near), reference(a, near)) << a << " + " << near;
    }
}

TEST(Chain, Bfloat16SumsAreOfEachPair)
{
    uint8_t total[] = {0x80, 0x3f, 0x00, 0x40};      // 1, 2
    const uint8_t more[] = {0x00, 0x40, 0x00, 0xc0}; // 2, -2
    gfab_token_combine(GFAB_OPERATOR_BFLOAT16, 32, total, more);
    EXPECT_EQ(total[0] | total[1] << 8, 0x4040); // 3
    EXPECT_EQ(total[2] | total[3] << 8, 0x0000);
}

// Neither commutative nor associative: what a bracketing makes of random numbers is that of no other.
void mix(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit)
{
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < bits / 8; i++) {
        a |= static_cast<uint32_t>(total[i]) << 8 * i;
        b |= static_cast<uint32_t>(flit[i]) << 8 * i;
    }
    const uint32_t mixed = (a * 5 + b * 3 + 1) ^ (a >> 7);
    for (uint32_t i = 0; i < bits / 8; i++)
        total[i] = static_cast<uint8_t>(mixed >> 8 * i);
    ++*static_cast<size_t *>(context);
}

struct Ask {
    const char *spec;
    gfab_link_mode mode;
    gfab_collective collective;
    uint32_t cycles; // D
};

gfab_machine_options options_for(uint32_t cycles)
{
    gfab_machine_options options = gfab_machine_options_default();
    options.token_bits = 32;
    options.link_bits = 32;
    options.combines = GFAB_OPERATOR_USER;
    options.operator_cycles = cycles;
    return options;
}

struct Played {
    Topology topology;
    Schedule schedule;
    Machine machine;
    Cmodel cmodel;
    gfab_goal goal{};
    std::vector<std::vector<uint8_t>> tokens; // node * blocks + block

    explicit Played(const Ask &ask) : topology(parse(ask.spec))
    {
        gfab_diag diag{};
        gfab_model model = gfab_model_default();
        model.link_mode = ask.mode;
        model.hop_rounds = 0;
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        EXPECT_EQ(gfab_goal_of(ask.collective, nodes, &goal, &diag), GFAB_OK);
        gfab_machine_options options = options_for(ask.cycles);
        options.blocks = goal.blocks;
        gfab_plan plan;
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        EXPECT_EQ(plan.timing.wide, 1u);
        gfab_solver_options solving = gfab_solver_options_default();
        solving.goal = &goal;
        gfab_schedule *solved = nullptr;
        EXPECT_EQ(gfab_solver_find("auto")->solve(topology.get(), &plan.model, &solving, &solved, &diag), GFAB_OK)
            << diag.message;
        schedule.reset(solved);
        gfab_machine *made = nullptr;
        EXPECT_EQ(gfab_machine_compile(&plan, solved, &made, &diag), GFAB_OK) << diag.message;
        machine.reset(made);
        gfab_cmodel *model_of_it = nullptr;
        EXPECT_EQ(gfab_cmodel_create(made, nullptr, &model_of_it), GFAB_OK);
        cmodel.reset(model_of_it);
    }

    void load(uint64_t seed)
    {
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        tokens.assign(nodes * goal.blocks, std::vector<uint8_t>(4));
        for (uint32_t i = 0; i < tokens.size(); i++) {
            gfab_token_pattern(seed, i, 32, tokens[i].data());
            EXPECT_EQ(gfab_cmodel_load_block(cmodel.get(), i / goal.blocks, i % goal.blocks, tokens[i].data()),
                      GFAB_OK);
        }
    }

    // What the expression makes of the nodes' own, by term; from_right: with operands in the wrong order.
    std::vector<std::vector<uint8_t>> values(const gfab_expression *e, uint32_t block, bool from_right) const
    {
        std::vector<std::vector<uint8_t>> value;
        size_t count = 0;
        for (uint32_t term = 0; term < gfab_expression_term_count(e); term++) {
            uint32_t left, right;
            if (!gfab_expression_term(e, term, &left, &right)) {
                value.push_back(tokens[term * goal.blocks + block]);
                continue;
            }
            std::vector<uint8_t> sum = value[from_right ? right : left];
            mix(&count, 32, sum.data(), value[from_right ? left : right].data());
            value.push_back(sum);
        }
        return value;
    }

    // Wanted blocks whose value is not what the machine's messages make in their order; from_right as above.
    size_t unlike_messages(bool from_right) const
    {
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        size_t count, calls = 0, wrong = 0;
        const gfab_message *messages = gfab_machine_messages(machine.get(), 0, &count);
        std::vector<std::vector<uint8_t>> has = tokens, was;
        for (size_t i = 0; i < count; i++) {
            const gfab_message &m = messages[i];
            if (m.opens)
                was = has;
            const std::vector<uint8_t> &sent = was[m.from * goal.blocks + m.block];
            std::vector<uint8_t> &kept = has[m.to * goal.blocks + m.block];
            std::vector<uint8_t> result = m.combine && !from_right ? kept : sent;
            if (m.combine)
                mix(&calls, 32, result.data(), (from_right ? kept : sent).data());
            kept = result;
        }
        for (uint32_t i = 0; i < nodes * goal.blocks; i++) {
            uint8_t token[4];
            if (!gfab_goal_wants(&goal, nodes, i / goal.blocks, i % goal.blocks))
                continue;
            gfab_cmodel_read_token(cmodel.get(), i / goal.blocks, i % goal.blocks, token);
            wrong += std::memcmp(token, has[i].data(), 4) != 0;
        }
        return wrong;
    }

    // Wanted blocks whose value is not the expression's.
    size_t wrong(bool from_right) const
    {
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        size_t count = 0;
        for (uint32_t block = 0; block < goal.blocks; block++) {
            gfab_expression *made = nullptr;
            EXPECT_EQ(gfab_expression_create(schedule.get(), block, &made, nullptr), GFAB_OK);
            const Expression e(made);
            const auto value = values(made, block, from_right);
            for (uint32_t node = 0; node < nodes; node++) {
                uint8_t token[4];
                if (!gfab_goal_wants(&goal, nodes, node, block))
                    continue;
                gfab_cmodel_read_token(cmodel.get(), node, block, token);
                count += std::memcmp(token, value[gfab_expression_result(made, node)].data(), 4) != 0;
            }
        }
        return count;
    }
};

TEST(Chain, WideNodesCombineAsTheExpressionSays)
{
    const Ask asks[] = {{"mesh:3x3", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 2},
                        {"mesh:2x3", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 0},
                        {"torus:3x3", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 1},
                        {"torus:3x3", GFAB_LINK_HALF, GFAB_REDUCE_SCATTER, 0},
                        {"torus:2x4", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 3},
                        {"cycle:5", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 2},
                        {"graph:6:0-1,0-2,0-3,0-4,4-5", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 1}};
    uint32_t most = 0;
    for (const Ask &ask : asks) {
        SCOPED_TRACE(ask.spec);
        Played p(ask);
        size_t calls = 0;
        gfab_cmodel_set_user_operator(p.cmodel.get(), mix, &calls);
        for (uint64_t seed = 1; seed <= 2; seed++) {
            uint64_t cycles = 0;
            p.load(seed);
            ASSERT_EQ(gfab_cmodel_run(p.cmodel.get(), 100000, nullptr, &cycles), GFAB_OK);
            EXPECT_EQ(cycles, gfab_machine_cycles(p.machine.get()));
            EXPECT_EQ(p.wrong(false), 0u);
            EXPECT_GT(p.wrong(true), 0u); // the mutant: operands the other way round
            EXPECT_EQ(p.unlike_messages(false), 0u);
            EXPECT_GT(p.unlike_messages(true), 0u);
        }
        EXPECT_GT(calls, 0u);
        const gfab_timing *t = gfab_machine_timing(p.machine.get());
        EXPECT_EQ(t->operator_cycles, ask.cycles);
        most = t->merges > most ? t->merges : most;
    }
    EXPECT_GE(most, 3u); // rounds in which the order of arrivals counts
}

// A chain one shorter than the programs need is refused.
TEST(Chain, ProgramsFitTheChain)
{
    const Played p({"mesh:3x3", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 1});
    const gfab_banks *banks = gfab_machine_banks(p.machine.get());
    gfab_timing timing = *gfab_machine_timing(p.machine.get());
    gfab_diag diag{};
    EXPECT_EQ(gfab_banks_check(banks, &timing, nullptr, &diag), GFAB_OK) << diag.message;
    timing.merges--;
    EXPECT_EQ(gfab_banks_check(banks, &timing, nullptr, &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::string(diag.message).find("its chain is for"), std::string::npos) << diag.message;
}

gfab_layout_options chained(gfab_operator op, bool full)
{
    gfab_layout_options options = wide_nodes(full);
    options.blocks = 9;
    options.combines = op;
    return options;
}

// F = max(W / L, 2 + l + A D, and 1 with a register before a link that both ends share); c; the hop is one round.
TEST(Chain, RoundsAreAsLongAsTheirHop)
{
    const struct {
        bool full;
        uint32_t flits, latency, merges, cycles, round, overhead, hops;
    } rows[] = {{true, 1, 0, 1, 0, 1, 2, 2},  {false, 1, 0, 1, 0, 1, 2, 3},  {true, 1, 0, 1, 1, 3, 2, 1},
                {false, 1, 0, 1, 1, 4, 3, 1}, {true, 4, 3, 4, 2, 13, 12, 1}, {true, 32, 3, 4, 2, 32, 13, 1},
                {true, 1, 0, 0, 2, 10, 9, 1}, {false, 64, 0, 2, 3, 64, 8, 1}};
    const Topology topology = parse("torus:3x3");
    for (const auto &row : rows) {
        gfab_timing t{};
        gfab_diag diag{};
        const Layout layout = layout_of(topology, chained(GFAB_OPERATOR_USER, row.full));
        ASSERT_EQ(compute(layout, {16 * row.flits, 16, row.latency, 0, row.merges, row.cycles}, &t, &diag), GFAB_OK)
            << diag.message;
        EXPECT_EQ(t.cycles_per_round, row.round);
        EXPECT_EQ(t.words, row.round);
        EXPECT_EQ(t.overhead_cycles, row.overhead);
        EXPECT_EQ(t.hop_rounds, row.hops);
        EXPECT_EQ(t.merges, row.merges ? row.merges : 4u);
    }
}

TEST(Chain, RefusesWhatItHasNot)
{
    const Topology topology = parse("torus:3x3");
    gfab_diag diag{};
    gfab_timing t{};
    gfab_layout_options narrow = chained(GFAB_OPERATOR_BFLOAT16, false);
    narrow.wide = false;
    EXPECT_EQ(layout_status(topology, narrow, &diag), GFAB_ERR_UNSUPPORTED);
    EXPECT_STREQ(
        diag.message,
        "narrow nodes: not with a chained operator, since a narrow node combines bits in the cycle in which they come; "
        "give --store wide");
    const Layout numbers = layout_of(topology, chained(GFAB_OPERATOR_BFLOAT16, false));
    EXPECT_EQ(compute(numbers, {32, 8, 0, 0, 0, 1}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_STREQ(diag.message, "operator bfloat16: link bits 8 are not a multiple of 16");
    EXPECT_EQ(compute(numbers, {32, 32, 0, 0, 5, 1}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(compute(numbers, {32, 32, 0, 0, 0, 16}, &t, &diag), GFAB_ERR_LIMIT);
    const Layout sums = layout_of(topology, chained(GFAB_OPERATOR_SUM, false));
    EXPECT_EQ(compute(sums, {32, 32, 0, 0, 0, 1}, &t, &diag), GFAB_ERR_INVALID);
    EXPECT_FALSE(gfab_operator_is_idempotent(GFAB_OPERATOR_BFLOAT16));
    EXPECT_FALSE(gfab_operator_is_idempotent(GFAB_OPERATOR_USER));
}

} // namespace
