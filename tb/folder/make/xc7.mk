# SPDX-License-Identifier: MIT
# What synthesises for the 7 series of Xilinx: Yosys. No open place and route is known of; what goes to a board Vivado
# synthesises, too.
# Without -flatten, Yosys 0.23 writes counts of cells that no reader of JSON takes.
YOSYS_SYNTH ?= $(YOSYS)
SYNTH     ?= synth_xilinx -family xc7 -nolutram -flatten
VIVADO    ?= vivado
OPENFPGALOADER ?= openFPGALoader
WHERE_$(VIVADO) := no open place and route is known of for $(PART); put Vivado into the path, or give VIVADO=..
TO_BITSTREAM = VIVADO
BITSTREAM := $(BUILD)/board_top.bit
PROG      := $(OPENFPGALOADER) -b $(OPENFPGALOADER_BOARD)

$(BUILD)/harness_seed$(SEED).json:
	@echo "make fabric-pnr: no open place and route is known of for $(PART); make synth counts its cells" >&2
	@exit 2
$(BITSTREAM): vivado.tcl $(BOARD_RTL) $(FABRIC) $(HEADERS) $(ROMS) constraints/$(PINS_FILE) | $(BUILD)
	$(VIVADO) -mode batch -nojournal -log $(BUILD)/vivado.log -source vivado.tcl -tclargs $(BUILD) $(BOARD_RTL) $(FABRIC)
