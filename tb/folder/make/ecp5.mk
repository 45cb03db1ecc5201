# SPDX-License-Identifier: MIT
# What synthesises, places, packs and loads for the ECP5: Yosys, nextpnr-ecp5, ecppack, openFPGALoader.
NEXTPNR   ?= $(call tool,nextpnr-ecp5)
ECPPACK   ?= $(call tool,ecppack)
OPENFPGALOADER ?= openFPGALoader
# RAM made of LUTs would take more cells than the nodes do.
YOSYS_SYNTH ?= $(YOSYS)
SYNTH     ?= synth_ecp5 -nolutram
DEFINES   := -DGFAB_PLL_ECP5
# What nextpnr calls the cells and RAM blocks that it counts.
CELLS     := TRELLIS_COMB DP16KD
PLACE     := $(NEXTPNR) --$(DEVICE) --package $(PACKAGE)
HARNESS_PINS := --lpf-allow-unconstrained
PINS      := --lpf constraints/$(BOARD).lpf
WRITE     := --textcfg
ROUTED    := $(BUILD)/board_top.config
TO_BITSTREAM = YOSYS_SYNTH NEXTPNR ECPPACK
BITSTREAM := $(BUILD)/board_top.bit
PROG      := $(OPENFPGALOADER) -b $(OPENFPGALOADER_BOARD)
$(BITSTREAM): $(ROUTED)
	$(ECPPACK) --compress $< $@
