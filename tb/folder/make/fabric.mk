# SPDX-License-Identifier: MIT
# What all fabrics have: tools, help, lint, synth, player, clean. Lines that begin with ## are what `make` lists.

# The first of a tool's two names that is there: its own, and the one that YoWASP gives it.
tool = $(or $(firstword $(foreach name,$1 yowasp-$1,$(if $(shell command -v $(name)),$(name)))),$1)
VERILATOR ?= verilator
IVERILOG  ?= iverilog
VVP       ?= vvp
YOSYS     ?= $(call tool,yosys)
SEED      ?= 1
# Where Yosys keeps its simulation models of the cells.
YOSYS_DATA ?= $(dir $(shell command -v $(YOSYS)))../share/yosys

FABRIC     := $(NAME).v $(NODE_RTL)
ROMS       := $(wildcard $(ROM_FOLDER)/*.hex)
HEADERS    := $(wildcard rtl/*.vh)
PARAMETERS := tb/gossip_fabric_parameters.vh
# Another file with a board_top, and what it needs more, may take the place of this one.
BOARD_TOP  ?= board_top.v
BOARD_RTL  := $(BOARD_TOP) $(BOARD_MODULES)

.DEFAULT_GOAL := help
# What a recipe that failed has left is no target.
.DELETE_ON_ERROR:
.PHONY: help lint synth player clean
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | sed 's|$$(SYNTH)|$(SYNTH)|; s|$$(NAME)|$(NAME)|; s|$$(BOARD)|$(BOARD)|' | LC_ALL=C sort
## make player      the programs in a browser, round by round: player.html
## make lint        Verilator -Wall, Icarus -Wall, Yosys hierarchy -check
## make synth       Yosys on the fabric alone: $(SYNTH)

build:
	mkdir -p $@

# One file, without network; where there is a desktop it is opened.
player:
	@test -f player.html || { echo "make player: this folder came without player.html; gossipfab show --html FILE writes one" >&2; exit 2; }
	@echo "player.html plays the programs in a browser"
	@xdg-open player.html > /dev/null 2>&1 || true

# What each tool says of a top and its files: $(call lint_verilator,TOP,FILES), and so on.
lint_verilator = $(VERILATOR) --lint-only -Wall -Irtl rtl/gfab.vlt $(NAME).vlt --top-module $1 $2
lint_icarus    = $(IVERILOG) -g2005 -Wall -Irtl -s $1 -o /dev/null $2
lint_yosys     = $(YOSYS) -q -p "read_verilog -Irtl $2; hierarchy -check -top $1; proc; check -assert"
lint:: | build
	$(call lint_verilator,$(NAME),$(FABRIC))
	$(call lint_icarus,$(NAME),$(FABRIC))
	$(call lint_yosys,$(NAME),$(FABRIC))

synth: build/fabric_stat.json
build/fabric_stat.json: $(FABRIC) $(HEADERS) $(ROMS) | build
	$(YOSYS_SYNTH) -q -l build/fabric_yosys.log -p "read_verilog -Irtl $(FABRIC); $(SYNTH) -top $(NAME); \
	    write_verilog -noattr build/fabric_netlist.v; tee -o $@ stat -json; tee -o build/fabric_stat.txt stat"
	@cat build/fabric_stat.txt

clean:
	rm -rf build
