# SPDX-License-Identifier: MIT
# What synthesises, places, packs and loads for the iCE40: Yosys, nextpnr-ice40, icestorm.
NEXTPNR   ?= $(call tool,nextpnr-ice40)
ICEPACK   ?= $(call tool,icepack)
ICEPROG   ?= iceprog
ICEBOX_VLOG ?= icebox_vlog
YOSYS_SYNTH ?= $(YOSYS)
SYNTH     ?= synth_ice40 -device $(if $(filter u%,$(DEVICE)),u -dsp,$(if $(filter l%,$(DEVICE)),lp,hx))
DEFINES   := -DGFAB_PLL_ICE40
# What nextpnr calls the cells and RAM blocks that it counts.
CELLS     := ICESTORM_LC ICESTORM_RAM
PLACE     := $(NEXTPNR) --$(DEVICE) --package $(PACKAGE)
PINS      := --pcf constraints/$(BOARD).pcf
WRITE     := --asc
ROUTED    := $(BUILD)/board_$(if $(BLANKS),blank,top).asc
TO_BITSTREAM = YOSYS_SYNTH NEXTPNR ICEPACK $(if $(BLANKS),ICEBRAM)
BITSTREAM := $(BUILD)/board_top.bin
# The breakout board of the HX8K has its SRAM loaded, others their flash.
PROG      := $(ICEPROG) $(if $(filter hx8k,$(DEVICE)),-S)
$(BITSTREAM): $(BUILD)/board_top.asc
	$(ICEPACK) $< $@

NEEDS_gate = YOSYS_SYNTH IVERILOG VVP
.PHONY: gate
## make gate        the netlist, with the ports for benches, plays the same gossip in Icarus
gate: | $(BUILD)
	$(YOSYS_SYNTH) -q -l $(BUILD)/gate_yosys.log -p "read_verilog -DGFAB_TRACE -Irtl $(FABRIC); $(SYNTH) -top $(NAME); \
	    write_verilog -noattr $(BUILD)/gate_netlist.v"
	$(IVERILOG) -g2005 -Irtl -Itb -y rtl -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_fabric -o $(BUILD)/tb_gate.vvp tb/tb_fabric.v \
	    $(BUILD)/gate_netlist.v $(YOSYS_DATA)/ice40/cells_sim.v
	$(VVP) -N $(BUILD)/tb_gate.vvp
