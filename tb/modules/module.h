// SPDX-License-Identifier: MIT
// A module of rtl/ alone under random inputs, every output in every cycle against a model of what its comment promises.
// A bench gives Top, Verilator's model, and Model, made of the module's parameters, with
//   void drive(Top &, Random &)   inputs of a cycle, of which i_clk, i_rst and mutant are set here before
//   void check(const Top &)       outputs of the cycle; throws Difference
//   void step(const Top &)        the edge at its end
//   bench NAME=VALUE... --seed S...
// Prints the cycles. Exit status: 0 right, 1 a difference. GFAB_MUTANT is the mutant's number.
#ifndef GFAB_TB_MODULE_H
#define GFAB_TB_MODULE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <verilated.h>

struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Parameters = std::map<std::string, uint32_t>;

class Random
{
  public:
    explicit Random(uint64_t seed) : random_(seed) {}
    uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
    uint32_t bits(uint32_t width) { return static_cast<uint32_t>(random_() & ((1ULL << width) - 1)); }
    bool one_in(uint32_t many) { return below(many) == 0; }

  private:
    std::mt19937_64 random_;
};

inline void equal(const char *what, uint64_t rtl, uint64_t right)
{
    if (rtl != right)
        throw Difference(std::string(what) + " is " + std::to_string(rtl) + ", not " + std::to_string(right));
}

inline uint16_t mutant()
{
    return static_cast<uint16_t>(std::stoul(std::getenv("GFAB_MUTANT")));
}

inline bool odd(uint64_t value)
{
    return (__builtin_popcountll(value) & 1) != 0;
}

template <typename Top, typename Model> uint64_t play_seed(const Parameters &parameters, uint64_t seed)
{
    constexpr uint64_t CYCLES = 4000, FIRST_RESET = 3;
    constexpr uint32_t RESET_ONE_IN = 500;
    VerilatedContext context;
    context.randSeed(static_cast<int>(seed % 1000 + 1));
    context.randReset(2);
    context.fatalOnError(false);
    Top top(&context, "module");
    top.mutant = mutant();
    top.i_clk = 0;
    Random random(seed);
    Model model(parameters);
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        top.i_rst = cycle < FIRST_RESET || random.one_in(RESET_ONE_IN);
        model.drive(top, random);
        top.eval();
        if (cycle >= FIRST_RESET)
            model.check(top);
        model.step(top);
        top.i_clk = 1;
        top.eval();
        top.i_clk = 0;
    }
    return CYCLES;
}

// With `play(parameters, seed)`, which gives the cycles, for each seed.
template <typename Play> int play_seeds(int argc, char **argv, Play play)
{
    Parameters parameters;
    try {
        for (int i = 1; i < argc; i++) {
            const std::string word = argv[i];
            const size_t equals = word.find('=');
            if (equals != std::string::npos) {
                parameters[word.substr(0, equals)] = static_cast<uint32_t>(std::stoul(word.substr(equals + 1)));
            } else if (word == "--seed" && i + 1 < argc) {
                const uint64_t seed = std::stoull(argv[++i]);
                printf("seed %llu: equal in %llu cycles\n", static_cast<unsigned long long>(seed),
                       static_cast<unsigned long long>(play(parameters, seed)));
            }
        }
    } catch (const Difference &difference) {
        printf("module: %s\n", difference.what());
        return 1;
    }
    return 0;
}

template <typename Top, typename Model> int play_module(int argc, char **argv)
{
    return play_seeds(argc, argv, play_seed<Top, Model>);
}

#endif
