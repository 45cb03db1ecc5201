# SPDX-License-Identifier: MIT
# What synthesises for the 7 series of Xilinx: Yosys. No open place and route is known of; what goes to a board Vivado
# synthesises, too.
# Without -flatten, Yosys 0.23 writes counts of cells that no reader of JSON takes.
YOSYS_SYNTH ?= $(YOSYS)
SYNTH     ?= synth_xilinx -family xc7 -nolutram -flatten
VIVADO    ?= vivado
OPENFPGALOADER ?= openFPGALoader
BITSTREAM := build/board_top.bit
PROG      := $(OPENFPGALOADER) -b $(OPENFPGALOADER_BOARD)

build/harness_seed$(SEED).json:
	@echo "make fabric-pnr: no open place and route is known of for $(PART); make synth counts its cells" >&2
	@exit 2
$(BITSTREAM): vivado.tcl $(BOARD_RTL) $(FABRIC) $(HEADERS) $(ROMS) constraints/$(PINS_FILE) | build
	@command -v $(VIVADO) > /dev/null || { echo "make bitstream: $(VIVADO) is not there, and no open place and route is known of for $(PART); put Vivado into the path, or give VIVADO=.." >&2; exit 2; }
	$(VIVADO) -mode batch -nojournal -log build/vivado.log -source vivado.tcl -tclargs $(BOARD_RTL) $(FABRIC)
