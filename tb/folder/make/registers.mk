# SPDX-License-Identifier: MIT
# The top with registers on a bus.
REGISTERS  := $(NAME)_registers.v $(AXIS_RTL) $(REGISTER_RTL)
REGISTERS_BENCH := tb/tb_registers.v $(REGISTERS) $(FABRIC)

NEEDS_sim-registers = IVERILOG VVP VERILATOR
.PHONY: sim-registers
## make sim-registers  the top with registers on a bus, with random stalls, in Icarus and Verilator

sim-registers: $(BUILD)/tb_registers.vvp $(BUILD)/registers/Vtb_registers
	$(VVP) -N $(BUILD)/tb_registers.vvp
	$(BUILD)/registers/Vtb_registers
$(BUILD)/tb_registers.vvp: $(REGISTERS_BENCH) tb/tb_blocks.vh tb/tb_bus.vh $(PARAMETERS) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s tb_registers -o $@ $(REGISTERS_BENCH)
$(BUILD)/registers/Vtb_registers: $(REGISTERS_BENCH) tb/tb_blocks.vh tb/tb_bus.vh $(PARAMETERS) $(HEADERS) | $(BUILD)
	$(VERILATE) --binary -Wno-lint -Wno-INITIALDLY -Irtl -Itb --top-module tb_registers --Mdir $(BUILD)/registers \
	    rtl/gfab.vlt $(REGISTERS_BENCH) > $(BUILD)/verilator-registers.log

lint::
	$(call lint_verilator,$(NAME)_registers,$(REGISTERS) $(FABRIC))
	$(call lint_icarus,$(NAME)_registers,$(REGISTERS) $(FABRIC))
	$(call lint_yosys,$(NAME)_registers,$(REGISTERS) $(FABRIC))
