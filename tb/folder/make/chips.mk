# SPDX-License-Identifier: MIT
# Several chips.
CHIPS      := $(basename $(wildcard $(CHIP_TOP)_*.v))
CHIPS_RTL  := $(CHIP_RTL) $(NODE_RTL)
PADS       ?= any
PADS_ice40 := -DGFAB_PAD_ICE40 -DNO_ICE40_DEFAULT_ASSIGNMENTS $(YOSYS_DATA)/ice40/cells_sim.v

NEEDS_sim-chips = IVERILOG VVP
NEEDS_lint-chips = $(NEEDS_lint)
NEEDS_synth-chips = YOSYS
.PHONY: sim-chips lint-chips synth-chips print-chips-rtl
## make sim-chips   the chips joined by wires, in Icarus; with PADS=ice40, SB_IO instead of behavioural pads
## make lint-chips  each chip's top, as make lint
## make synth-chips Yosys on each chip for the iCE40, pads as SB_IO

print-chips-rtl:
	@echo $(CHIPS_RTL)
sim-chips: $(BUILD)/tb_chips_$(PADS).vvp
	$(VVP) -N $< $(PLAY)
$(BUILD)/tb_chips_$(PADS).vvp: $(CHIPS_TB) $(PARAMETERS) $(CHIPS:=.v) $(CHIPS_RTL) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -DGFAB_TRACE -Irtl -Itb -s $(CHIPS_TOP) -o $@ $(CHANGING) $(PADS_$(PADS)) $(filter %.v,$^)

lint-chips: $(CHIPS:%=lint-%)
lint-$(CHIP_TOP)_%: $(CHIP_TOP)_%.v
	$(call lint_verilator,$(CHIP_TOP)_$*,$< $(CHIPS_RTL))
	$(call lint_icarus,$(CHIP_TOP)_$*,$< $(CHIPS_RTL))
	$(YOSYS) -q -w 'limited support for tri-state' -p "read_verilog -Irtl $< $(CHIPS_RTL); hierarchy -check -top $(CHIP_TOP)_$*; proc; check -assert"

synth-chips: $(CHIPS:%=$(BUILD)/%_stat.json)
$(BUILD)/$(CHIP_TOP)_%_stat.json: $(CHIP_TOP)_%.v $(CHIPS_RTL) $(HEADERS) $(ROMS) | $(BUILD)
	$(YOSYS) -q -l $(BUILD)/$(CHIP_TOP)_$*_yosys.log -p "read_verilog -DGFAB_PAD_ICE40 -Irtl $< $(CHIPS_RTL); \
	    $(SYNTH) -top $(CHIP_TOP)_$*; tee -o $@ stat -json; tee -o $(BUILD)/$(CHIP_TOP)_$*_stat.txt stat"
	@cat $(BUILD)/$(CHIP_TOP)_$*_stat.txt
