# SPDX-License-Identifier: MIT
# The bench in Verilator of a fabric whose collectives have blocks.
## make sim         the fabric in Verilator: every block that a node wants, cycles against the formula

NEEDS_sim = VERILATOR
sim: $(BUILD)/sim/Vtb_fabric
	$(BUILD)/sim/Vtb_fabric
$(BUILD)/sim/Vtb_fabric: $(FABRIC) $(HEADERS) tb/tb_fabric.v $(PARAMETERS) | $(BUILD)
	$(VERILATE) --binary -Wno-lint -Wno-INITIALDLY -DGFAB_TRACE -Irtl -Itb --top-module tb_fabric --Mdir $(BUILD)/sim rtl/gfab.vlt $(FABRIC) \
	    tb/tb_fabric.v > $(BUILD)/verilator.log
