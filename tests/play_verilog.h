// SPDX-License-Identifier: MIT
// What Verilator's own main does with a bench in Verilog: false where it waits for ever. A failing bench stops, which
// aborts.
#ifndef GFAB_TESTS_PLAY_VERILOG_H
#define GFAB_TESTS_PLAY_VERILOG_H

#include <verilated.h>

template <typename Top> bool play_verilog(VerilatedContext &context, Top &top)
{
    while (!context.gotFinish()) {
        top.eval();
        if (!top.eventsPending())
            return false;
        context.time(top.nextTimeSlot());
    }
    top.final();
    return true;
}

#endif
