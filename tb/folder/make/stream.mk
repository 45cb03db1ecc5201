# SPDX-License-Identifier: MIT
# The bench of a fabric that hosts give streams to; tb/tb_stream.v says what STREAMS can be.
STREAMS ?=
NEEDS_sim-stream = VERILATOR
NEEDS_sim-icarus = IVERILOG VVP
.PHONY: sim-stream sim-icarus
## make sim-stream  streams in Verilator, by arithmetic: STREAMS="+seed=1 +vectors=20 +beats=200 +pauses=1"
## make sim-icarus  what make sim-stream does, in Icarus Verilog

sim-stream: $(BUILD)/stream/Vtb_stream
	$(BUILD)/stream/Vtb_stream $(STREAMS)
$(BUILD)/stream/Vtb_stream: $(FABRIC) $(HEADERS) tb/tb_stream.v $(PARAMETERS) | $(BUILD)
	$(VERILATE) --binary -O3 -Wno-lint -Wno-INITIALDLY -DGFAB_TRACE -Irtl -Itb --top-module tb_stream --Mdir $(BUILD)/stream rtl/gfab.vlt \
	    $(FABRIC) tb/tb_stream.v > $(BUILD)/verilator.log
sim-icarus: $(BUILD)/tb_stream.vvp
	$(VVP) -N $< $(STREAMS)
$(BUILD)/tb_stream.vvp: tb/tb_stream.v $(PARAMETERS) $(FABRIC) $(HEADERS) | $(BUILD)
	$(IVERILOG) -g2005 -Wall -DGFAB_TRACE -Irtl -Itb -s tb_stream -o $@ tb/tb_stream.v $(FABRIC)
