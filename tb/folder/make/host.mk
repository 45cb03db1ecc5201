# SPDX-License-Identifier: MIT
# The simulation of a board top that a host drives. Few clocks a bit, so that it is not slower than the board.
HOST_CLOCKS_PER_BIT ?= 6

NEEDS_sim-host = VERILATOR
.PHONY: sim-host
## make sim-host    the whole board top in Verilator, its serial line a port that gossipfab board can open

sim-host: $(BUILD)/host/Vboard_top
	$(BUILD)/host/Vboard_top
$(BUILD)/host/Vboard_top: $(BOARD_RTL) $(FABRIC) $(HEADERS) tb/sim_host.cpp | $(BUILD)
	$(VERILATE) --cc --exe --build -O3 -Irtl --top-module board_top --Mdir $(BUILD)/host \
	    -GCLOCKS_PER_BIT=$(HOST_CLOCKS_PER_BIT) -CFLAGS "-std=c++17 -DCLOCKS_PER_BIT=$(HOST_CLOCKS_PER_BIT)" rtl/gfab.vlt \
	    $(BOARD_RTL) $(FABRIC) $(HERE)/tb/sim_host.cpp > $(BUILD)/verilator_host.log
