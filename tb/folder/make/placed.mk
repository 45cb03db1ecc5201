# SPDX-License-Identifier: MIT
# The placed and routed board top, read back as Verilog from the text of its bitstream. The bench sees the pads alone, as
# on the board: one test, at the real speed of the serial line.
NEEDS_sim-placed = $(TO_BITSTREAM) ICEBOX_VLOG IVERILOG VVP
.PHONY: sim-placed
## make sim-placed  the bitstream, read back as Verilog, in Icarus; prints what its UART says
sim-placed: $(BUILD)/tb_placed.vvp
	$(VVP) -N $<
$(BUILD)/board_placed.v: $(BUILD)/board_top.asc constraints/$(PINS_FILE)
	$(ICEBOX_VLOG) -s -S -n board_placed -p constraints/$(PINS_FILE) $< > $@
$(BUILD)/tb_placed.vvp: tb/tb_board.v $(BUILD)/board_placed.v $(PARAMETERS)
	$(IVERILOG) -g2005 -DGFAB_PLACED -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_board -o $@ \
	    -Ptb_board.CLOCKS_PER_BIT=$(CLOCKS_PER_BIT) -Ptb_board.LINES=1 \
	    -Ptb_board.CYCLES=$$(sed -n 's/^`define GF_CYCLES //p' $(PARAMETERS)) $(filter %.v,$^) \
	    $(YOSYS_DATA)/ice40/cells_sim.v
