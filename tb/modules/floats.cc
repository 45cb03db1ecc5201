// SPDX-License-Identifier: MIT
// gfab_float_add against the processor's float: bench [--float32 PAIRS|--bfloat16]. floats.sh makes the model, and says
// before this file which latencies and how many mutants are in it. In every cycle another pair, but for one in eight in
// which all stands still. First all pairs of numbers near powers of two, infinities, NaNs, zeros and subnormal ones,
// then random ones; --bfloat16: all pairs of these, at latency 0. Prints how many pairs were added. Exit status: 0
// right, and every mutant seen, 1 a difference, or a mutant that is not seen.
#include "floats.h"
#include "Vfloats.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>
#include <verilated.h>

double sc_time_stamp()
{
    return 0;
}

namespace
{

constexpr size_t count = sizeof latencies / sizeof *latencies;

// Bits [at * bits +: bits] of a port, of 64 bits or fewer, or in words of 32.
template <typename Port> uint32_t part(const Port &port, size_t at, size_t bits)
{
    if constexpr (std::is_integral_v<Port>)
        return static_cast<uint32_t>(port >> at * bits & ((uint64_t{1} << bits) - 1));
    else
        return static_cast<uint32_t>(port[at * bits / 32] >> at * bits % 32 & ((uint64_t{1} << bits) - 1));
}

class Adders
{
  public:
    explicit Adders(bool wide) : wide_(wide)
    {
        top_.i_clk = 0;
        top_.i_enable = 1;
    }

    // False where a sum is wrong.
    bool add(uint32_t a, uint32_t b)
    {
        if (count_ % 8 == 5) { // nothing moves, whatever comes in
            top_.i_enable = 0;
            top_.i_a = ~a;
            top_.i_b = b ^ 1;
            clock();
            top_.i_enable = 1;
        }
        const uint32_t sum = wide_ ? float32_by_float(a, b) : bfloat16_by_float(a, b);
        sums_[count_ % 16] = {a, b, sum};
        top_.i_a = a;
        top_.i_b = b;
        top_.eval();
        bool good = true;
        for (size_t i = 0; i < count; i++)
            good = good && (count_ < latencies[i] ||
                            same(sums_[(count_ - latencies[i]) % 16],
                                 wide_ ? part(top_.o_float32, i, 32) : part(top_.o_bfloat16, i, 16), latencies[i]));
        for (size_t i = 0; wide_ && i < mutants; i++)
            seen_[i] = seen_[i] || part(top_.o_mutants, i, 32) != sum;
        count_++;
        clock();
        return good;
    }
    uint64_t added() const { return count_; }

    bool all_seen() const
    {
        bool all = true;
        for (size_t i = 0; i < mutants; i++) {
            if (!seen_[i])
                printf("floats: mutant %zu is not seen\n", i);
            all = all && seen_[i];
        }
        return all;
    }

  private:
    struct Sum {
        uint32_t a, b, sum;
    };
    static bool same(const Sum &right, uint32_t sum, size_t latency)
    {
        if (sum != right.sum)
            printf("floats: latency %zu: %x + %x is %x, not %x\n", latency, right.a, right.b, right.sum, sum);
        return sum == right.sum;
    }
    void clock()
    {
        top_.i_clk = 1;
        top_.eval();
        top_.i_clk = 0;
    }

    Vfloats top_;
    bool wide_;
    Sum sums_[16] = {};
    std::vector<char> seen_ = std::vector<char>(mutants + 1);
    uint64_t count_ = 0;
};

std::vector<uint32_t> corners(uint32_t fraction, const std::vector<uint32_t> &exponents)
{
    std::vector<uint32_t> all;
    const uint32_t ones = (1u << fraction) - 1;
    for (const uint32_t exponent : exponents)
        for (const uint32_t bits : {0u, 1u, ones ^ (ones >> 1), ones - 1, ones})
            for (const uint32_t sign : {0u, 1u})
                all.push_back(sign << (fraction + 8) | exponent << fraction | bits);
    return all;
}

bool add_corners(Adders &adders, const std::vector<uint32_t> &values)
{
    for (const uint32_t a : values)
        for (const uint32_t b : values)
            if (!adders.add(a, b))
                return false;
    return true;
}

// Every other one of numbers whose exponents differ by 31 at most, every fourth of those of nearly the same magnitude
// and different signs.
bool add_random(Adders &adders, uint32_t fraction, uint64_t pairs)
{
    const uint32_t sign = 1u << (fraction + 8), all = 2 * sign - 1, ones = (1u << fraction) - 1;
    std::mt19937_64 random(1);
    for (uint64_t i = 0; i < pairs; i++) {
        const uint64_t word = random();
        const uint32_t a = static_cast<uint32_t>(word) & all, b = static_cast<uint32_t>(word >> 32) & all;
        const uint32_t step = 1u << b % fraction;
        const uint32_t close = (a & (0xffu << fraction)) + (b & (sign | 0x1fu << fraction | ones));
        if (!adders.add(a, i % 4 == 3 ? (a ^ sign) + step : (i % 2 ? close : b) & all))
            return false;
    }
    return true;
}

bool add_all(Adders &adders)
{
    for (uint32_t a = 0; a < 0x10000; a++)
        for (uint32_t b = 0; b < 0x10000; b++)
            if (!adders.add(a, b))
                return false;
    return true;
}

bool say(const char *what, const Adders &adders, bool good)
{
    printf("%s: %llu pairs%s\n", what, static_cast<unsigned long long>(adders.added()),
           good ? " right" : " up to a wrong one");
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    std::vector<uint32_t> every, some;
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
        every.push_back(exponent);
        if (exponent < 3 || exponent > 252 || (exponent >= 126 && exponent < 156))
            some.push_back(exponent);
    }
    Adders narrow(false), wide(true);
    bool good = true;
    if (what == "--bfloat16")
        return !say("bfloat16", narrow, add_all(narrow));
    if (what != "--float32")
        good = say("bfloat16", narrow, add_corners(narrow, corners(7, every)) && add_random(narrow, 7, 200000));
    good = good && say("float32", wide,
                       add_corners(wide, corners(23, what == "--float32" ? every : some)) &&
                           add_random(wide, 23, argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 100000));
    return !(good && wide.all_seen());
}
