# SPDX-License-Identifier: MIT
# The bench in Verilator of a fabric whose nodes have a token each.
## make sim         the fabric in Verilator: every token in every node, cycles against the formula

NEEDS_sim = VERILATOR
sim: $(BUILD)/sim/Vgossip_fabric
	$(BUILD)/sim/Vgossip_fabric
$(BUILD)/sim/Vgossip_fabric: $(FABRIC) $(HEADERS) tb/sim_main.cpp tb/gossip_fabric_parameters.h | $(BUILD)
ifneq ($(words $(CURDIR)),1)
	@echo "make sim: Verilator builds nothing below a folder with a blank in its name; make sim-icarus does, or move this one" >&2
	@exit 2
else
	$(VERILATE) --cc --exe --build -O3 -DGFAB_TRACE -Irtl --prefix Vgossip_fabric --top-module $(NAME) --Mdir $(BUILD)/sim \
	    -CFLAGS "-std=c++17 -I$(HERE)/tb" rtl/gfab.vlt $(FABRIC) $(HERE)/tb/sim_main.cpp > $(BUILD)/verilator.log
endif
