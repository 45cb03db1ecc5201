// SPDX-License-Identifier: MIT
// A verilated gossip_fabric_axis under coverage: it plays gossips between sources and sinks that pause at random, is cut
// off by a reset, and plays more; every beat is checked. With BOARD it is board_top, which tests itself; its LEDs must
// say PASS where the argument is "board", FAIL elsewhere. With HARNESS gossip_fabric_harness, which folds all that the
// fabric puts out into one bit that has to change. What a reset does not reach starts with random bits, but behind the
// harness. Writes coverage.dat.
#include "Vtop.h"
#include "dut.h"
#include <verilated.h>
#include <verilated_cov.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace
{

VerilatedContext context;
std::unique_ptr<Vtop> top;

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "coverage: %s\n", what);
    std::exit(1);
}

void edge()
{
    top->i_clk = 1;
    top->eval();
    context.timeInc(5);
    top->i_clk = 0;
    top->eval();
    context.timeInc(5);
    if (context.gotError() || context.gotFinish())
        fail("an assertion in the RTL");
}

#ifdef BOARD

void play(const std::string &rom)
{
    const unsigned lines = rom == "board" ? 3 : 1;
    unsigned tests = 0, cycles = 0, beat = top->o_led & 1;
    for (; tests < lines; cycles++) {
        if (cycles > 2000000)
            fail("the self-test does not end");
        edge();
        if ((top->o_led & 1) == beat)
            continue;
        beat = top->o_led & 1;
        tests++;
    }
    for (cycles = 0; cycles < 200000 && (top->o_led >> 2 & 3) == 0; cycles++)
        edge();
    if ((top->o_led >> 2 & 3) != (rom == "board" ? 1 : 2))
        fail("the LEDs of the self-test");
}

#elif defined HARNESS

void play(const std::string &)
{
    std::mt19937 random(1);
    unsigned changes = 0;
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        const unsigned before = top->o_bit;
        top->i_rst = cycle % 5000 < 3;
        top->i_start = random() % 128 == 0;
        top->i_bit = random() & 1;
        edge();
        changes += top->o_bit != before;
    }
    if (changes < 100)
        fail("the harness shows nothing of the fabric");
}

#else

class Streams
{
  public:
    // `gossips` of them, or fewer where a reset comes after so many cycles.
    void play(unsigned gossips, unsigned cut)
    {
        std::vector<unsigned> given(NODES), beats(NODES);
        Bytes value;
        valid_.clear();
        ready_.clear();
        reset();
        std::vector<std::vector<Bytes>> tokens(gossips, std::vector<Bytes>(NODES));
        std::vector<unsigned> pauses(2 * NODES);
        for (unsigned cycle = 0;; cycle++) {
            if (cycle == cut)
                return;
            if (cycle > 1000000)
                fail("the gossips do not end");
            if (cycle % 64 == 0)
                for (unsigned &pause : pauses)
                    pause = 1U << random_() % 4;
            for (unsigned v = 0; v < NODES; v++) {
                if (!valid_.get(v, 1) && given[v] < gossips && random_() % pauses[v] == 0)
                    offer(v, &tokens[given[v]][v]);
                ready_.set(v, 1, random_() % pauses[NODES + v] == 0);
            }
            top->eval();
            std::vector<bool> taken(NODES);
            for (unsigned v = 0; v < NODES; v++) {
                taken[v] = valid_.get(v, 1) && taking_.get(v, 1);
                if (!offers_.get(v, 1) || !ready_.get(v, 1))
                    continue;
                const unsigned gossip = beats[v] / NODES, origin = beats[v] % NODES;
                result_.get(v * TOKEN_BITS, TOKEN_BITS, value);
                if (gossip >= gossips || value != tokens[gossip][origin])
                    fail("a wrong beat");
                if (last_.get(v, 1) != (origin == NODES - 1))
                    fail("a wrong tlast");
                beats[v]++;
            }
            edge();
            bool done = true;
            for (unsigned v = 0; v < NODES; v++) {
                given[v] += taken[v];
                if (taken[v])
                    valid_.set(v, 1, 0U);
                done = done && beats[v] == gossips * NODES;
            }
            if (done)
                break;
        }
        for (int i = 0; i < 8; i++)
            edge();
        if (top->o_busy)
            fail("busy at the end");
    }

  private:
    void reset()
    {
        top->i_rst = 1;
        edge();
        edge();
        top->i_rst = 0;
    }

    void offer(unsigned node, Bytes *token)
    {
        token->resize((TOKEN_BITS + 7) / 8);
        for (uint8_t &byte : *token)
            byte = static_cast<uint8_t>(random_());
        if (TOKEN_BITS % 8 != 0)
            token->back() &= static_cast<uint8_t>((1U << TOKEN_BITS % 8) - 1);
        data_.set(node * TOKEN_BITS, TOKEN_BITS, token->data());
        valid_.set(node, 1, 1U);
    }

    std::mt19937 random_{1};
    Bus valid_{top->s_axis_tvalid}, taking_{top->s_axis_tready}, data_{top->s_axis_tdata};
    Bus offers_{top->m_axis_tvalid}, ready_{top->m_axis_tready}, result_{top->m_axis_tdata}, last_{top->m_axis_tlast};
};

void play(const std::string &)
{
    Streams streams;
    for (unsigned cut = 1; cut < 400; cut += 57)
        streams.play(2, cut);
    streams.play(6, UINT_MAX);
}

#endif

} // namespace

int main(int argc, char **argv)
{
#ifndef HARNESS // its reset comes a cycle late
    context.randReset(2);
#endif
    context.fatalOnError(false);
    top = std::make_unique<Vtop>(&context);
    top->i_clk = 0;
    play(argc > 1 ? argv[1] : "");
    top->final();
    context.coveragep()->write("coverage.dat");
    return 0;
}
