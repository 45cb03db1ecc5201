# SPDX-License-Identifier: MIT
# The bench in Verilator of a fabric whose nodes have a token each.
## make sim         the fabric in Verilator: every token in every node, cycles against the formula

sim: build/sim/Vgossip_fabric
	build/sim/Vgossip_fabric
build/sim/Vgossip_fabric: $(FABRIC) $(HEADERS) tb/sim_main.cpp tb/gossip_fabric_parameters.h | build
ifneq ($(words $(CURDIR)),1)
	@echo "make sim: Verilator builds nothing below a folder with a blank in its name; make sim-icarus does, or move this one" >&2
	@exit 2
else
	$(VERILATOR) --cc --exe --build -O3 -Irtl --prefix Vgossip_fabric --top-module $(NAME) --Mdir build/sim \
	    -CFLAGS "-std=c++17 -O2 -I../../tb" rtl/gfab.vlt $(FABRIC) ../../tb/sim_main.cpp > build/verilator.log
endif
