# SPDX-License-Identifier: MIT
# What synthesises, places, packs and loads for the iCE40: Yosys, nextpnr-ice40, icestorm.
NEXTPNR   ?= $(call tool,nextpnr-ice40)
ICEPACK   ?= $(call tool,icepack)
ICEPROG   ?= iceprog
ICEBOX_VLOG ?= icebox_vlog
SYNTH     ?= synth_ice40 -device $(if $(filter u%,@DEVICE@),u -dsp,$(if $(filter l%,@DEVICE@),lp,hx))
DEFINES   := -DGFAB_PLL_ICE40
# What nextpnr calls the cells and RAM blocks that it counts.
CELLS     := ICESTORM_LC ICESTORM_RAM
PLACE     := $(NEXTPNR) --@DEVICE@ --package @PACKAGE@

.PHONY: gate
gate: build/fabric_stat.json
	$(IVERILOG) -g2005 -Irtl -Itb -y rtl -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_fabric -o build/tb_gate.vvp tb/tb_fabric.v \
	    build/fabric_netlist.v $(YOSYS_DATA)/ice40/cells_sim.v
	$(VVP) -N build/tb_gate.vvp
@IF BOARD@

PINS      := --pcf constraints/@BOARD@.pcf
WRITE     := --asc
BITSTREAM := build/board_top.bin
# The breakout board of the HX8K has its SRAM loaded, others their flash.
PROG      := $(ICEPROG) $(if $(filter hx8k,@DEVICE@),-S)
@IF REPLACED_ROMS@
# The programs are in block RAMs. What is synthesised, placed and routed has random ones, of which no two columns are
# alike: by these icebram finds each RAM in the text of the bitstream, and puts the program of rom/ in its place.
ICEBRAM   ?= $(call tool,icebram)
PROGRAMS  := $(filter @ROM_FOLDER@/program_%,$(ROMS))
TABLES    := $(filter-out $(PROGRAMS),$(ROMS))
BLANKS    := $(ROMS:%=build/blank/%)
$(PROGRAMS:%=build/blank/%): build/blank/@ROM_FOLDER@/program_%.hex: | build
	mkdir -p build/blank/@ROM_FOLDER@
	$(ICEBRAM) -g -s 1$* @ROM_FILE_BITS@ @ROM_WORDS@ > $@@
# What is no program is in LUTs.
$(TABLES:%=build/blank/%): build/blank/%: % | build
	mkdir -p build/blank/@ROM_FOLDER@
	cp $< $@@
build/board_top.json: $(BOARD_RTL) $(FABRIC) $(HEADERS) $(BLANKS)
	cd build/blank && $(YOSYS_SYNTH) -q -l ../board_yosys.log \
	    -p "read_verilog $(DEFINES) -I../../rtl $(addprefix ../../,$(BOARD_RTL) $(FABRIC)); \
	    $(SYNTH) -top board_top; write_json ../board_top.json; tee -o ../board_stat.json stat -json"
ROUTED    := build/board_blank.asc
build/board_top.asc: $(ROUTED) $(PROGRAMS)
	cp $< $@@.next
	for rom in $(PROGRAMS); do \
	    $(ICEBRAM) build/blank/$$rom $$rom < $@@.next > $@@.patched && mv $@@.patched $@@.next || exit 1; done
	mv $@@.next $@@
@ELSE@
ROUTED    := build/board_top.asc
@END@
$(BITSTREAM): build/board_top.asc
	$(ICEPACK) $< $@@
@IF READ_BACK@
# The bench sees the pads alone, as on the board: one test, at the real speed of the serial line.
.PHONY: sim-placed
sim-placed: build/tb_placed.vvp
	$(VVP) -N $<
build/board_placed.v: build/board_top.asc constraints/@BOARD@.pcf
	$(ICEBOX_VLOG) -s -S -n board_placed -p constraints/@BOARD@.pcf $< > $@@
build/tb_placed.vvp: tb/tb_board.v build/board_placed.v tb/gossip_fabric_parameters.vh
	$(IVERILOG) -g2005 -DGFAB_PLACED -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_board -o $@@ \
	    -Ptb_board.CLOCKS_PER_BIT=@CLOCKS_PER_BIT@ -Ptb_board.LINES=1 \
	    -Ptb_board.CYCLES=$$(sed -n 's/^`define GF_CYCLES //p' tb/gossip_fabric_parameters.vh) $(filter %.v,$^) \
	    $(YOSYS_DATA)/ice40/cells_sim.v
@END@
@END@
