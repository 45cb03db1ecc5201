// SPDX-License-Identifier: MIT
// Assertions inside a clocked block: a proof obligation under FORMAL, a message
// and $stop in simulation (run vvp with -N, so that $stop ends it with status 1),
// nothing elsewhere. GFAB_ASSUME is for inputs: an assumption where the module is
// the top of a proof (GFAB_ASSUME_INPUTS defined), an assertion everywhere else.
// GFAB_AFTER_RESET declares what is 1 in simulation from the first reset by i_rst on, and
// always elsewhere: before it nothing is asserted, as registers may have any value.
// GFAB_FOUND, behind $readmemh in the same block: simulation ends where the file was not found.
// All of these are whole statements or declarations: no semicolon follows them.
//
// A simulation is what says so: Icarus, Verilator, Questa, VCS, Xcelium, Vivado's simulator and Active-HDL define the
// names below; with another simulator define SIMULATION. Not all synthesis tools define SYNTHESIS, so that what names
// itself as neither gets no assertions.
`ifndef GFAB_ASSERT_VH
`define GFAB_ASSERT_VH
`ifdef SIMULATION
`define GFAB_SIMULATION
`endif
`ifdef __ICARUS__
`define GFAB_SIMULATION
`endif
`ifdef VERILATOR
`define GFAB_SIMULATION
`endif
`ifdef MODEL_TECH
`define GFAB_SIMULATION
`endif
`ifdef VCS
`define GFAB_SIMULATION
`endif
`ifdef XCELIUM
`define GFAB_SIMULATION
`endif
`ifdef INCA
`define GFAB_SIMULATION
`endif
`ifdef XILINX_SIMULATOR
`define GFAB_SIMULATION
`endif
`ifdef ALDEC
`define GFAB_SIMULATION
`endif
`ifdef SYNTHESIS
`undef GFAB_SIMULATION
`endif
`ifdef FORMAL
`define GFAB_ASSERT(condition, message) assert (condition);
`ifdef GFAB_ASSUME_INPUTS
`define GFAB_ASSUME(condition, message) assume (condition);
`else
`define GFAB_ASSUME(condition, message) assert (condition);
`endif
`define GFAB_AFTER_RESET(name) wire name = 1'b1;
`define GFAB_FOUND(path, word) begin end
`else
`ifdef GFAB_SIMULATION
`define GFAB_ASSERT(condition, message) \
    if ((condition) !== 1'b1) begin $display("%m: %s at %0t", message, $time); $stop; end
`define GFAB_ASSUME(condition, message) `GFAB_ASSERT(condition, message)
`define GFAB_AFTER_RESET(name) \
    reg name; \
    initial \
        name = 1'b0; \
    always @(posedge i_clk) \
        name <= name | (i_rst === 1'b1);
`define GFAB_FOUND(path, word) \
    if ((^(word)) === 1'bx) begin \
        $display("%m: no file %0s where the simulation was started", path); \
        $stop; \
    end
`else
`define GFAB_ASSERT(condition, message) begin end
`define GFAB_ASSUME(condition, message) begin end
`define GFAB_AFTER_RESET(name) wire name = 1'b1;
`define GFAB_FOUND(path, word) begin end
`endif
`endif
`endif
