# SPDX-License-Identifier: MIT
# The bench of a board top that tests itself.
BOARD_BENCH := -Ptb_board.LEDS=$(LEDS) -Ptb_board.LEDS_ACTIVE_LOW=$(LEDS_ACTIVE_LOW) -Ptb_board.RESET_CYCLES=$(RESET_CYCLES)

NEEDS_sim-board = IVERILOG VVP
.PHONY: sim-board
## make sim-board   the whole board top in Icarus; prints what its UART says

sim-board: $(BUILD)/tb_board.vvp
	$(VVP) -N $<
$(BUILD)/tb_board.vvp: tb/tb_board.v $(wildcard tb/board_model.v) $(PARAMETERS) $(BOARD_RTL) $(FABRIC) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s tb_board $(BOARD_BENCH) -o $@ tb/tb_board.v $(wildcard tb/board_model.v) $(BOARD_RTL) $(FABRIC)
