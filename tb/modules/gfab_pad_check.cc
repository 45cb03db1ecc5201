// SPDX-License-Identifier: MIT
// gfab_pad_check: the check bit of what leaves, the test of what comes, and the balance of both. See module.h.
#include "Vgfab_pad_check.h"
#include "module.h"

namespace
{

uint64_t play(const Parameters &parameters, uint64_t seed)
{
    constexpr uint64_t CYCLES = 4000;
    const uint32_t wires = parameters.at("WIRES"), all = (1U << wires) - 1;
    Random random(seed);
    VerilatedContext context;
    context.fatalOnError(false);
    Vgfab_pad_check top(&context, "module");
    top.mutant = mutant();
    top.i_clk = 0;
    bool balance = false, known = false; // what counts since i_busy rose; is it known?
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        top.i_busy = !random.one_in(10);
        top.i_link = random.bits(wires);
        top.i_far = random.bits(wires + 1);
        top.i_tag = random.below(2);
        top.i_come_tag = random.below(2);
        top.i_watch = random.below(2);
        top.eval();
        const bool leaves = odd(top.i_link), came = odd(top.i_far & all);
        equal("o_far", top.o_far, top.i_link | static_cast<uint32_t>(leaves != (top.i_tag != 0)) << wires);
        equal("o_link", top.o_link, top.i_far & all);
        equal("o_fault", top.o_fault, top.i_watch != 0 && odd(top.i_far) != (top.i_come_tag != 0));
        if (known)
            equal("o_balance", top.o_balance, balance);
        balance = top.i_busy != 0 && balance != (leaves != came);
        known = known || top.i_busy == 0;
        top.i_clk = 1;
        top.eval();
        top.i_clk = 0;
    }
    return CYCLES;
}

} // namespace

int main(int argc, char **argv)
{
    return play_seeds(argc, argv, play);
}
