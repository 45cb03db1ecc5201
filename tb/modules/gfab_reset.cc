// SPDX-License-Identifier: MIT
// gfab_reset: from many power-ups, while i_locked comes, goes and comes back; when o_rst ends, and that it stays so.
// See module.h.
#include "Vgfab_reset.h"
#include "module.h"

namespace
{

uint64_t power_up(const Parameters &parameters, Random &random)
{
    const uint32_t cycles = parameters.at("CYCLES"), played = 8 * cycles + 300;
    const uint32_t lost_one_in = 1 + random.below(4 * cycles); // a cycle without lock
    VerilatedContext context;
    context.fatalOnError(false);
    Vgfab_reset top(&context, "module");
    top.mutant = mutant();
    top.i_clk = 0;
    // Of the last two cycles; since when it has been locked; once all were locked, out of reset for good.
    bool locked = false, seen = false, released = false;
    uint32_t in_a_row = 0;
    for (uint32_t cycle = 0; cycle < played; cycle++) {
        top.i_locked = cycle >= 4 * cycles || !random.one_in(lost_one_in);
        top.eval();
        equal("o_rst", top.o_rst, !released);
        in_a_row = seen ? in_a_row + 1 : 0;
        released = released || in_a_row == cycles;
        seen = locked;
        locked = top.i_locked;
        top.i_clk = 1;
        top.eval();
        top.i_clk = 0;
    }
    return played;
}

uint64_t play(const Parameters &parameters, uint64_t seed)
{
    Random random(seed);
    uint64_t cycles = 0;
    for (unsigned time = 0; time < 100; time++)
        cycles += power_up(parameters, random);
    return cycles;
}

} // namespace

int main(int argc, char **argv)
{
    return play_seeds(argc, argv, play);
}
