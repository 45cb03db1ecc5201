// SPDX-License-Identifier: MIT
// gfab_bfloat16_add against the processor's float: bfloat16 CYCLES PAIRS [FIRST LAST]. CYCLES is the module's LATENCY,
// in every cycle another pair. First all pairs of numbers near powers of two, infinities, NaNs, zeros and subnormal
// numbers, then PAIRS random ones; with FIRST and LAST all pairs whose first number is between these, and nothing else.
// Prints how many pairs were added. Exit status: 0 right, 1 a difference, 2 usage.
#include "bfloat16.h"
#include "Vgfab_bfloat16_add.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>
#include <verilated.h>

double sc_time_stamp()
{
    return 0;
}

namespace
{

class Adder
{
  public:
    explicit Adder(size_t cycles) : asked_(cycles + 1) { top_.i_clk = 0; }

    // False where the sum of the pair of CYCLES cycles ago is wrong.
    bool add(uint16_t a, uint16_t b)
    {
        const size_t slots = asked_.size();
        asked_[count_ % slots] = {a, b};
        top_.i_a = a;
        top_.i_b = b;
        top_.eval();
        const bool good = count_ + 1 < slots || check(asked_[(count_ + 1) % slots]);
        count_++;
        if (slots > 1) {
            top_.i_clk = 1;
            top_.eval();
            top_.i_clk = 0;
        }
        return good;
    }
    uint64_t count() const { return count_; }

  private:
    struct Pair {
        uint16_t a, b;
    };
    bool check(Pair pair) const
    {
        const uint16_t sum = bfloat16_by_float(pair.a, pair.b);
        if (top_.o_sum != sum)
            printf("bfloat16: %04x + %04x is %04x, not %04x\n", pair.a, pair.b, sum, top_.o_sum);
        return top_.o_sum == sum;
    }

    Vgfab_bfloat16_add top_;
    std::vector<Pair> asked_;
    uint64_t count_ = 0;
};

std::vector<uint16_t> corners()
{
    std::vector<uint16_t> all;
    for (uint32_t exponent = 0; exponent < 256; exponent++)
        for (uint32_t fraction : {0x00, 0x01, 0x7f})
            for (uint32_t sign : {0x0000, 0x8000})
                all.push_back(static_cast<uint16_t>(sign | exponent << 7 | fraction));
    return all;
}

bool add_corners(Adder &adder)
{
    const std::vector<uint16_t> values = corners();
    for (uint16_t a : values)
        for (uint16_t b : values)
            if (!adder.add(a, b))
                return false;
    return true;
}

// Every other one of numbers whose exponents differ by 15 at most.
bool add_random(Adder &adder, uint64_t pairs)
{
    std::mt19937_64 random(1);
    for (uint64_t i = 0; i < pairs; i++) {
        const uint64_t word = random();
        const uint16_t a = static_cast<uint16_t>(word), b = static_cast<uint16_t>(word >> 16);
        const uint16_t close = static_cast<uint16_t>((a & 0x7f80) + (b & 0x87ff));
        if (!adder.add(a, i % 2 ? close : b))
            return false;
    }
    return true;
}

bool add_all(Adder &adder, uint32_t first, uint32_t last)
{
    for (uint32_t a = first; a <= last; a++)
        for (uint32_t b = 0; b < 0x10000; b++)
            if (!adder.add(static_cast<uint16_t>(a), static_cast<uint16_t>(b)))
                return false;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5)
        return 2;
    Adder adder(std::strtoul(argv[1], nullptr, 0));
    bool good;
    if (argc == 5)
        good = add_all(adder, static_cast<uint32_t>(std::strtoul(argv[3], nullptr, 0)),
                       static_cast<uint32_t>(std::strtoul(argv[4], nullptr, 0)));
    else
        good = add_corners(adder) && add_random(adder, std::strtoull(argv[2], nullptr, 0));
    printf("bfloat16: latency %s, %llu pairs%s\n", argv[1], static_cast<unsigned long long>(adder.count()),
           good ? " right" : " up to a wrong one");
    return good ? 0 : 1;
}
