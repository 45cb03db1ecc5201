# SPDX-License-Identifier: MIT
# A board's top.
NEEDS_bitstream = $(TO_BITSTREAM)
NEEDS_prog = $(TO_BITSTREAM) PROG
.PHONY: bitstream prog
## make bitstream   the board top for the board $(BOARD)
## make prog        loads the bitstream

lint::
	$(call lint_verilator,board_top,$(BOARD_RTL) $(FABRIC))
	$(call lint_icarus,board_top,$(BOARD_RTL) $(FABRIC))
	$(call lint_yosys,board_top,$(BOARD_RTL) $(FABRIC))

bitstream: $(BITSTREAM)
prog: $(BITSTREAM)
	$(PROG) $<
