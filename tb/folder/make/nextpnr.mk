# SPDX-License-Identifier: MIT
# Place and route by nextpnr, as family.mk has it called.
$(BUILD)/harness_seed$(SEED).json: $(BUILD)/harness.json
	$(PLACE) --json $< $(HARNESS_PINS) --freq 200 --timing-allow-fail --seed $(SEED) --report $@ -q --log $(BUILD)/harness_seed$(SEED).log \
	    2> /dev/null
	@sed -n 's/.*Max frequency.*: *\([0-9.]* MHz\).*/highest clock of the fabric: \1/p' \
	    $(BUILD)/harness_seed$(SEED).log | tail -n 1

ifdef BOARD
$(ROUTED): $(BUILD)/board_top.json constraints/$(PINS_FILE)
	$(PLACE) --json $< $(PINS) --freq $(FABRIC_MHZ) --seed $(SEED) $(WRITE) $@ --report $(BUILD)/board_report.json -q \
	    --log $(BUILD)/board_pnr.log
	@sed -n 's/.*Max frequency.*: *\([0-9.]* MHz\).*/highest clock of the board top: \1 (it runs at $(FABRIC_MHZ) MHz)/p' \
	    $(BUILD)/board_pnr.log | tail -n 1
	@sed -nE 's/^Info:[[:space:]]+($(subst $() ,|,$(CELLS))): *([0-9]+)\/ *([0-9]+) .*/of the board top: \1 \2 of \3/p' \
	    $(BUILD)/board_pnr.log
# Where only the programs may be others, make/roms.mk has another rule.
ifndef BLANKS
$(BUILD)/board_top.json: $(BOARD_RTL) $(FABRIC) $(HEADERS) $(ROMS) | $(BUILD)
	$(YOSYS_SYNTH) -q -l $(BUILD)/board_yosys.log -p "read_verilog $(DEFINES) -Irtl $(BOARD_RTL) $(FABRIC); \
	    $(SYNTH) -top board_top; write_json $@; tee -o $(BUILD)/board_stat.json stat -json"
endif
endif
