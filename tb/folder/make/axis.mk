# SPDX-License-Identifier: MIT
# The top with AXI4-Streams: its benches in Icarus, and lint.
AXIS       := $(NAME)_axis.v $(AXIS_RTL)

NEEDS_sim-axis = IVERILOG VVP
.PHONY: sim-axis
## make sim-axis    the AXI4-Stream top with random back-pressure, in Icarus

AXIS_BENCHES := $(patsubst tb/%.v,$(BUILD)/%.vvp,$(wildcard tb/tb_axis*.v))
sim-axis: $(AXIS_BENCHES)
	$(foreach bench,$(AXIS_BENCHES),$(VVP) -N $(bench) &&) true
$(AXIS_BENCHES): $(BUILD)/%.vvp: tb/%.v $(PARAMETERS) $(AXIS) $(FABRIC) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s $* -o $@ $< $(AXIS) $(FABRIC)

lint::
	$(call lint_verilator,$(NAME)_axis,$(AXIS) $(FABRIC))
	$(call lint_icarus,$(NAME)_axis,$(AXIS) $(FABRIC))
	$(call lint_yosys,$(NAME)_axis,$(AXIS) $(FABRIC))
