# SPDX-License-Identifier: MIT
# A fabric that is loaded and read: its bench in Icarus, and the harness for place and route of it alone.
HARNESS    := $(NAME)_harness.v rtl/gfab_harness.v

NEEDS_sim-icarus = IVERILOG VVP
NEEDS_fabric-pnr = YOSYS_SYNTH NEXTPNR
.PHONY: sim sim-icarus fabric-pnr
## make sim-icarus  what make sim does, in Icarus Verilog
## make fabric-pnr  place and route of the fabric alone, in a harness of registers (SEED=1)

# Icarus prints what a sound bench prints; a failing one stops, which ends vvp -N with status 1.
sim-icarus: $(BUILD)/tb_fabric.vvp
	$(VVP) -N $<
$(BUILD)/tb_fabric.vvp: tb/tb_fabric.v $(PARAMETERS) $(FABRIC) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -Wall -DGFAB_TRACE -Irtl -Itb -s tb_fabric -o $@ tb/tb_fabric.v $(FABRIC)

fabric-pnr: $(BUILD)/harness_seed$(SEED).json
$(BUILD)/harness.json: $(HARNESS) $(FABRIC) $(HEADERS) $(ROMS) | $(BUILD)
	$(YOSYS_SYNTH) -q -l $(BUILD)/harness_yosys.log -p "read_verilog -Irtl $(HARNESS) $(FABRIC); \
	    $(SYNTH) -top $(NAME)_harness; write_json $@; tee -o $(BUILD)/harness_stat.json stat -json"
