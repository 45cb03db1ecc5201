# SPDX-License-Identifier: MIT
# What synthesises for the 7 series of Xilinx: Yosys. No open place and route is known of; what goes to a board Vivado
# synthesises, too.
# Without -flatten, Yosys 0.23 writes counts of cells that no reader of JSON takes.
SYNTH     ?= synth_xilinx -family xc7 -nolutram -flatten
@IF BOARD@
VIVADO    ?= vivado
OPENFPGALOADER ?= openFPGALoader
BITSTREAM := build/board_top.bit
PROG      := $(OPENFPGALOADER) -b @OPENFPGALOADER@
@END@
