// SPDX-License-Identifier: MIT
// Plays a bench in Verilog with the mutant whose number is in GFAB_MUTANT: bench --seed S.. . What nothing sets starts
// with random bits. A failing bench stops, which aborts: exit status 1, as where it waits for ever. With GF_MODEL it is
// tb_stream.v with the C model beside it; then all starts with 0, as that does, and earlier streams see to the rest.
#include "../play_verilog.h"
#include "Vbench.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifdef GF_MODEL
extern "C" void stream_restart(); // tb/stream
static constexpr int RANDOM = 0;
#else
static void stream_restart() {}
static constexpr int RANDOM = 2;
#endif

static bool passes(const std::string &seed, const std::string &mutant)
{
    VerilatedContext context;
    const std::string with_seed = "+seed=" + seed, with_mutant = "+mutant=" + mutant;
    const char *const words[] = {"bench", with_seed.c_str(), with_mutant.c_str(), "+trace"};
    stream_restart();
    context.randReset(RANDOM);
    context.randSeed(std::atoi(seed.c_str()));
    context.commandArgs(4, const_cast<char **>(words));
    Vbench top(&context);
    if (!play_verilog(context, top))
        return false;
    std::printf("seed %s: equal in %llu cycles\n", seed.c_str(), static_cast<unsigned long long>(context.time() / 10));
    return true;
}

int main(int argc, char **argv)
{
    const char *const mutant = std::getenv("GFAB_MUTANT");
    std::signal(SIGABRT, [](int) { std::_Exit(1); });
    for (int at = 1; at + 1 < argc; at += 2)
        if (std::strcmp(argv[at], "--seed") != 0 || !passes(argv[at + 1], mutant ? mutant : "0"))
            return 1;
    return 0;
}
