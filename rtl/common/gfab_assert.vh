// SPDX-License-Identifier: MIT
// Assertions inside a clocked block: a proof obligation under FORMAL, a message
// and $stop in simulation (run vvp with -N, so that $stop ends it with status 1),
// nothing in synthesis. GFAB_ASSUME is for inputs: an assumption where the module is
// the top of a proof (GFAB_ASSUME_INPUTS defined), an assertion everywhere else.
`ifndef GFAB_ASSERT_VH
`define GFAB_ASSERT_VH
`ifdef FORMAL
`define GFAB_ASSERT(condition, message) assert (condition)
`ifdef GFAB_ASSUME_INPUTS
`define GFAB_ASSUME(condition, message) assume (condition)
`else
`define GFAB_ASSUME(condition, message) assert (condition)
`endif
`else
`ifdef SYNTHESIS
`define GFAB_ASSERT(condition, message)
`define GFAB_ASSUME(condition, message)
`else
`define GFAB_ASSERT(condition, message) \
    if ((condition) !== 1'b1) begin $display("%m: %s at %0t", message, $time); $stop; end
`define GFAB_ASSUME(condition, message) `GFAB_ASSERT(condition, message)
`endif
`endif
`endif
