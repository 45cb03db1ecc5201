# SPDX-License-Identifier: MIT
# The placed and routed board top, read back as Verilog from the text of its bitstream. The bench sees the pads alone, as
# on the board: one test, at the real speed of the serial line.
.PHONY: sim-placed
## make sim-placed  the bitstream, read back as Verilog, in Icarus; prints what its UART says
sim-placed: build/tb_placed.vvp
	$(VVP) -N $<
build/board_placed.v: build/board_top.asc constraints/$(PINS_FILE)
	$(ICEBOX_VLOG) -s -S -n board_placed -p constraints/$(PINS_FILE) $< > $@
build/tb_placed.vvp: tb/tb_board.v build/board_placed.v $(PARAMETERS)
	$(IVERILOG) -g2005 -DGFAB_PLACED -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_board -o $@ \
	    -Ptb_board.CLOCKS_PER_BIT=$(CLOCKS_PER_BIT) -Ptb_board.LINES=1 \
	    -Ptb_board.CYCLES=$$(sed -n 's/^`define GF_CYCLES //p' $(PARAMETERS)) $(filter %.v,$^) \
	    $(YOSYS_DATA)/ice40/cells_sim.v
