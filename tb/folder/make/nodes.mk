# SPDX-License-Identifier: MIT
# The tops with ports of their own for each node. PYTHON: with cocotb 2 and cocotbext-axi; that of a virtual environment
# is in its bin/. TESTS: a module of yours.
NODES      := $(NAME)_nodes.v $(NAME)_axis_nodes.v
PYTHON     ?= python3
TESTS      ?= test_fabric

NEEDS_sim-cocotb = PYTHON IVERILOG VVP
.PHONY: sim-cocotb
## make sim-cocotb  tb/test_fabric.py on $(NAME)_axis_nodes in Icarus, by cocotb 2; TESTS=.. for yours

sim-cocotb: | $(BUILD)
	BUILD=$(BUILD) $(PYTHON) tb/run_cocotb.py $(TESTS) $(NAME)_axis_nodes $(NODES) $(AXIS) $(FABRIC)

lint::
	$(call lint_verilator,$(NAME)_nodes,$(NAME)_nodes.v $(FABRIC))
	$(call lint_verilator,$(NAME)_axis_nodes,$(NAME)_axis_nodes.v $(AXIS) $(FABRIC))
	$(IVERILOG) -g2005 -Wall -Irtl -s $(NAME)_nodes -s $(NAME)_axis_nodes -o /dev/null $(NODES) $(AXIS) $(FABRIC)
	$(YOSYS) -q -p "read_verilog -Irtl $(NODES) $(AXIS) $(FABRIC); hierarchy -check -top $(NAME)_nodes; \
	    design -reset; read_verilog -Irtl $(NODES) $(AXIS) $(FABRIC); hierarchy -check -top $(NAME)_axis_nodes"
