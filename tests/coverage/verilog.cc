// SPDX-License-Identifier: MIT
// A bench in Verilog under coverage: what Verilator's own main does, and coverage.dat, which that of 5.006 leaves out.
// What nothing sets starts with random bits. A failing bench stops, which aborts.
#include "Vtop.h"
#include <verilated.h>
#include <verilated_cov.h>

#include <memory>

int main(int argc, char **argv)
{
    VerilatedContext context;
    context.randReset(2);
    context.commandArgs(argc, argv);
    const auto top = std::make_unique<Vtop>(&context);
    while (!context.gotFinish()) {
        top->eval();
        if (!top->eventsPending())
            return 1; // a bench that waits for ever
        context.time(top->nextTimeSlot());
    }
    top->final();
    context.coveragep()->write("coverage.dat");
    return 0;
}
