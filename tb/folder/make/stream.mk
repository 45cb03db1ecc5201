# SPDX-License-Identifier: MIT
# The bench of a fabric that hosts give streams to; tb/tb_stream.v says what STREAMS can be.
STREAMS ?=
.PHONY: sim-stream sim-icarus
## make sim-stream  streams in Verilator, by arithmetic: STREAMS="+seed=1 +vectors=20 +beats=200 +pauses=1"
## make sim-icarus  what make sim-stream does, in Icarus Verilog

sim-stream: build/stream/Vtb_stream
	build/stream/Vtb_stream $(STREAMS)
build/stream/Vtb_stream: $(FABRIC) $(HEADERS) tb/tb_stream.v $(PARAMETERS) | build
	$(VERILATOR) --binary -O3 -Wno-lint -Wno-INITIALDLY -Irtl -Itb --top-module tb_stream --Mdir build/stream rtl/gfab.vlt \
	    $(FABRIC) tb/tb_stream.v > build/verilator.log
sim-icarus: build/tb_stream.vvp
	$(VVP) -N $< $(STREAMS)
build/tb_stream.vvp: tb/tb_stream.v $(PARAMETERS) $(FABRIC) $(HEADERS) | build
	$(IVERILOG) -g2005 -Wall -Irtl -Itb -s tb_stream -o $@ tb/tb_stream.v $(FABRIC)
