# SPDX-License-Identifier: MIT
# What synthesises for the 7 series of Xilinx: Yosys. No open place and route is known of.
SYNTH     ?= synth_xilinx -family xc7 -nolutram
