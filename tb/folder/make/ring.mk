# SPDX-License-Identifier: MIT
# The bench in Verilator of a ring fabric.
## make sim         the fabric in Verilator: every flit of every token in every node, cycles against the formula
NEEDS_sim = VERILATOR
sim: $(BUILD)/sim/Vtb_fabric
	$(BUILD)/sim/Vtb_fabric
$(BUILD)/sim/Vtb_fabric: $(FABRIC) $(HEADERS) tb/tb_fabric.v $(PARAMETERS) | $(BUILD)
	$(VERILATE) --binary -O3 -Wno-lint -Wno-INITIALDLY -Irtl -Itb --top-module tb_fabric --Mdir $(BUILD)/sim rtl/gfab.vlt \
	    $(FABRIC) tb/tb_fabric.v > $(BUILD)/verilator.log
