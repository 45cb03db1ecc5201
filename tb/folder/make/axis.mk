# SPDX-License-Identifier: MIT
# A fabric that is loaded and read: its benches in Icarus, and the harness for place and route of it alone.
AXIS       := $(NAME)_axis.v $(AXIS_RTL)
HARNESS    := $(NAME)_harness.v rtl/gfab_harness.v

.PHONY: sim sim-icarus sim-axis fabric-pnr
## make sim-icarus  what make sim does, in Icarus Verilog
## make sim-axis    the AXI4-Stream top with random back-pressure, in Icarus
## make fabric-pnr  place and route of the fabric alone, in a harness of registers (SEED=1)

# Icarus prints what a sound bench prints; a failing one stops, which ends vvp -N with status 1.
sim-icarus: build/tb_fabric.vvp
	$(VVP) -N $<
build/tb_fabric.vvp: tb/tb_fabric.v $(PARAMETERS) $(FABRIC) $(HEADERS) | build
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s tb_fabric -o $@ tb/tb_fabric.v $(FABRIC)

AXIS_BENCHES := $(patsubst tb/%.v,build/%.vvp,$(wildcard tb/tb_axis*.v))
sim-axis: $(AXIS_BENCHES)
	$(foreach bench,$(AXIS_BENCHES),$(VVP) -N $(bench) &&) true
$(AXIS_BENCHES): build/%.vvp: tb/%.v $(PARAMETERS) $(AXIS) $(FABRIC) $(HEADERS) | build
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s $* -o $@ $< $(AXIS) $(FABRIC)

lint::
	$(call lint_verilator,$(NAME)_axis,$(AXIS) $(FABRIC))
	$(call lint_icarus,$(NAME)_axis,$(AXIS) $(FABRIC))
	$(call lint_yosys,$(NAME)_axis,$(AXIS) $(FABRIC))

fabric-pnr: build/harness_seed$(SEED).json
build/harness.json: $(HARNESS) $(FABRIC) $(HEADERS) $(ROMS) | build
	$(YOSYS_SYNTH) -q -l build/harness_yosys.log -p "read_verilog -Irtl $(HARNESS) $(FABRIC); \
	    $(SYNTH) -top $(NAME)_harness; write_json $@; tee -o build/harness_stat.json stat -json"
