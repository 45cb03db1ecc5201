// SPDX-License-Identifier: MIT
// A bench in Verilog under coverage: Verilator's main, and coverage.dat, which that of 5.006 leaves out. What nothing
// sets starts with random bits.
#include "../play_verilog.h"
#include "Vtop.h"
#include <verilated_cov.h>

int main(int argc, char **argv)
{
    VerilatedContext context;
    context.randReset(2);
    context.commandArgs(argc, argv);
    Vtop top(&context); // whose coverage is gone with it
    if (!play_verilog(context, top))
        return 1;
    context.coveragep()->write("coverage.dat");
    return 0;
}
