# SPDX-License-Identifier: MIT
# What synthesises for the 7 series of Xilinx: Yosys. No open place and route is known of.
# Without -flatten, Yosys 0.23 writes counts of cells that no reader of JSON takes.
SYNTH     ?= synth_xilinx -family xc7 -nolutram -flatten
