# SPDX-License-Identifier: MIT
# The top with registers on a bus.
REGISTERS  := $(NAME)_registers.v $(AXIS_RTL) $(REGISTER_RTL)
REGISTERS_BENCH := tb/tb_registers.v $(REGISTERS) $(FABRIC)

.PHONY: sim-registers
## make sim-registers  the top with registers on a bus, with random stalls, in Icarus and Verilator

sim-registers: build/tb_registers.vvp build/registers/Vtb_registers
	$(VVP) -N build/tb_registers.vvp
	build/registers/Vtb_registers
build/tb_registers.vvp: $(REGISTERS_BENCH) tb/tb_blocks.vh tb/tb_bus.vh $(PARAMETERS) $(HEADERS) | build
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s tb_registers -o $@ $(REGISTERS_BENCH)
build/registers/Vtb_registers: $(REGISTERS_BENCH) tb/tb_blocks.vh tb/tb_bus.vh $(PARAMETERS) $(HEADERS) | build
	$(VERILATOR) --binary -Wno-lint -Wno-INITIALDLY -Irtl -Itb --top-module tb_registers --Mdir build/registers \
	    -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0" rtl/gfab.vlt $(REGISTERS_BENCH) > build/verilator-registers.log

lint::
	$(call lint_verilator,$(NAME)_registers,$(REGISTERS) $(FABRIC))
	$(call lint_icarus,$(NAME)_registers,$(REGISTERS) $(FABRIC))
	$(call lint_yosys,$(NAME)_registers,$(REGISTERS) $(FABRIC))
