// SPDX-License-Identifier: MIT
// A verilated gossip_fabric_axis under coverage: it plays gossips between sources and sinks that pause at random, is
// cut off by a reset, and plays more; every beat is checked. With DRIVES_BOARD it is board_top, which tests itself; its
// LEDs must say PASS where the argument is "board", FAIL elsewhere. With DRIVES_HARNESS gossip_fabric_harness, which
// folds all that the fabric puts out into one bit that has to change. What a reset does not reach starts with random
// bits, but behind the harness. Writes coverage.dat.
#include "Vtop.h"
#include <verilated.h>
#include <verilated_cov.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

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

#ifdef DRIVES_BOARD

// Clocks until LED 1, a test runs, is so.
void await_testing(unsigned testing)
{
    for (unsigned cycles = 0; (top->o_led >> 1 & 1) != testing; cycles++) {
        if (cycles > 200000)
            fail("the self-test stands still");
        edge();
    }
}

void play(const std::string &rom)
{
    const unsigned tests = rom == "board" ? 3 : 1;
    for (int cycle = 0; cycle < 64; cycle++) // in reset
        edge();
    for (unsigned test = 0; test < tests; test++) {
        await_testing(1);
        await_testing(0);
        if ((top->o_led >> 2 & 3) != (rom == "board" ? 1 : 2))
            fail("the LEDs of the self-test");
    }
    await_testing(1); // the line has been sent
}

#elif defined DRIVES_HARNESS

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

using Bits = std::vector<bool>;

// A port of any width, in the integer or the array of 32-bit words that Verilator keeps it in.
class Bus
{
  public:
    explicit Bus(void *port) : bytes_(static_cast<uint8_t *>(port)) {}
    bool operator[](size_t bit) const { return bytes_[bit / 8] >> bit % 8 & 1; }
    Bits get(size_t lsb, size_t width) const
    {
        Bits value(width);
        for (size_t i = 0; i < width; i++)
            value[i] = (*this)[lsb + i];
        return value;
    }
    void set(size_t bit, bool value)
    {
        const unsigned mask = 1U << bit % 8;
        bytes_[bit / 8] = static_cast<uint8_t>(value ? bytes_[bit / 8] | mask : bytes_[bit / 8] & ~mask);
    }

  private:
    uint8_t *bytes_;
};

class Streams
{
  public:
    // `gossips` of them, or fewer where a reset comes after so many cycles.
    void play(unsigned gossips, unsigned cut)
    {
        std::vector<unsigned> given(NODES), beats(NODES);
        for (unsigned v = 0; v < NODES; v++) {
            valid_.set(v, false);
            ready_.set(v, false);
        }
        reset();
        std::vector<std::vector<Bits>> tokens(gossips, std::vector<Bits>(NODES));
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
                if (!valid_[v] && given[v] < gossips && random_() % pauses[v] == 0)
                    tokens[given[v]][v] = offer(v);
                ready_.set(v, random_() % pauses[NODES + v] == 0);
            }
            top->eval();
            std::vector<bool> taken(NODES);
            for (unsigned v = 0; v < NODES; v++) {
                taken[v] = valid_[v] && taking_[v];
                if (!offers_[v] || !ready_[v])
                    continue;
                const unsigned gossip = beats[v] / NODES, origin = beats[v] % NODES;
                if (gossip >= gossips || result_.get(v * TOKEN_BITS, TOKEN_BITS) != tokens[gossip][origin])
                    fail("a wrong beat");
                if (last_[v] != (origin == NODES - 1))
                    fail("a wrong tlast");
                beats[v]++;
            }
            edge();
            bool done = true;
            for (unsigned v = 0; v < NODES; v++) {
                given[v] += taken[v];
                if (taken[v])
                    valid_.set(v, false);
                done = done && beats[v] == gossips * NODES;
            }
            if (done)
                break;
        }
        for (int i = 0; i < 8; i++)
            edge();
        if (top->o_busy)
            fail("busy at the end");
        if (top->o_error)
            fail("an error where there is none");
    }

    // A packet of two tokens at `node`, in the first gossip: nothing moves from then on until i_clear.
    void play_error(unsigned node)
    {
        const Bus nodes(&top->o_error_nodes);
        reset();
        top->i_clear = 0;
        single_.set(node, false);
        for (unsigned v = 0; v < NODES; v++)
            offer(v);
        for (unsigned cycle = 0; cycle < 10000 && !top->o_error; cycle++)
            edge();
        if (!top->o_error || top->o_status != 2 || !nodes[node])
            fail("a packet of two tokens is not seen");
        for (int i = 0; i < 8; i++)
            edge();
        if (!top->o_error)
            fail("an error is over by itself");
        top->i_clear = 1;
        edge();
        edge();
        if (top->o_error)
            fail("an error is not over");
    }

  private:
    void reset()
    {
        top->i_clear = 1;
        for (unsigned v = 0; v < NODES; v++)
            single_.set(v, true);
        top->i_rst = 1;
        edge();
        edge();
        top->i_rst = 0;
    }

    Bits offer(unsigned node)
    {
        for (unsigned bit = 0; bit < TOKEN_BITS; bit++)
            data_.set(node * TOKEN_BITS + bit, random_() & 1);
        valid_.set(node, true);
        return data_.get(node * TOKEN_BITS, TOKEN_BITS);
    }

    std::mt19937 random_{1};
    Bus valid_{&top->s_axis_tvalid}, taking_{&top->s_axis_tready}, data_{&top->s_axis_tdata};
    Bus offers_{&top->m_axis_tvalid}, ready_{&top->m_axis_tready}, result_{&top->m_axis_tdata};
    Bus last_{&top->m_axis_tlast}, single_{&top->s_axis_tlast};
};

void play(const std::string &)
{
    Streams streams;
    for (unsigned cut = 1; cut < 400; cut += 57)
        streams.play(2, cut);
    for (unsigned node = 0; node < NODES; node++)
        streams.play_error(node);
    streams.play(6, UINT_MAX);
}

#endif

} // namespace

int main(int argc, char **argv)
{
#ifndef DRIVES_HARNESS // its reset comes a cycle late
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
