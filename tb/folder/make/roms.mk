# SPDX-License-Identifier: MIT
# Programs in block RAMs of the iCE40. What is synthesised, placed and routed has random ones, of which no two columns
# are alike: by these icebram finds each RAM in the text of the bitstream, and puts the program of rom/ in its place.
ICEBRAM   ?= $(call tool,icebram)
PROGRAMS  := $(filter $(ROM_FOLDER)/program_%,$(ROMS))
TABLES    := $(filter-out $(PROGRAMS),$(ROMS))
BLANKS    := $(ROMS:%=$(BUILD)/blank/%)
## make bitstream   places and routes nothing again where only programs have changed
$(PROGRAMS:%=$(BUILD)/blank/%): $(BUILD)/blank/$(ROM_FOLDER)/program_%.hex: | $(BUILD)
	mkdir -p $(BUILD)/blank/$(ROM_FOLDER)
	$(ICEBRAM) -g -s 1$* $(ROM_FILE_BITS) $(ROM_WORDS) > $@
# What is no program is in LUTs.
$(TABLES:%=$(BUILD)/blank/%): $(BUILD)/blank/%: % | $(BUILD)
	mkdir -p $(BUILD)/blank/$(ROM_FOLDER)
	cp $< $@
$(BUILD)/board_top.json: $(BOARD_RTL) $(FABRIC) $(HEADERS) $(BLANKS)
	cd $(BUILD)/blank && $(YOSYS_SYNTH) -q -l ../board_yosys.log \
	    -p "read_verilog $(DEFINES) -I$(HERE)/rtl $(addprefix $(HERE)/,$(BOARD_RTL) $(FABRIC)); \
	    $(SYNTH) -top board_top; write_json ../board_top.json; tee -o ../board_stat.json stat -json"
$(BUILD)/board_top.asc: $(BUILD)/board_blank.asc $(PROGRAMS)
	cp $< $@.next
	for rom in $(PROGRAMS); do \
	    $(ICEBRAM) $(BUILD)/blank/$$rom $$rom < $@.next > $@.patched && mv $@.patched $@.next || exit 1; done
	mv $@.next $@
