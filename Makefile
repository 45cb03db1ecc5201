# SPDX-License-Identifier: MIT
# A thin front: the build is CMake's (CMakeLists.txt), each target below is a line or a script.
.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-large proofs trust inject mutate fuzz coverage faults bits plans bench site pictures release
.PHONY: streams lint format install uninstall clean

BUILD ?= build
PREFIX ?= /usr/local
# `make test SETUP=true` leaves the machine's packages alone.
SETUP ?= scripts/setup.sh
export BUILD PREFIX SETUP

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 21
	@echo '  BUILD=$(BUILD) is the build folder, PREFIX=$(PREFIX) where install goes, SETUP=true skips the set-up'

setup: ## install what is missing of all packages in docs/reference/dependencies.md (apt)
	@$(SETUP)

build: setup ## the library and the command, build/bin/gossipfab
	@scripts/build.sh

demo: ## a 4x4 mesh from schedule to bitstream, and the figures; BOARD=hx8k, or another of constraints/
	@scripts/demo.sh

test: ## every test but the large ones
	@scripts/test.sh

test-large: ## every test, those that take minutes too
	@scripts/test.sh --large

proofs: ## theorems about schedules, by Coq, and a checker proved right, BUILD/proofs/gfab-proved-check: minutes
	@$(SETUP) proofs
	@formal/schedules/prove.sh

trust: setup ## the six campaigns below, and docs/reference/trust.md of what they found: hours
	@scripts/trust.sh

inject: setup ## every allocation of some command lines fails once: minutes
	@scripts/build.sh
	@tests/inject/run.py $(BUILD)/bin/gossipfab --mutant $(BUILD)/bin/gfab_inject_mutant --report $(BUILD)/trust/inject.md

# Minutes of processor time for each target.
MINUTES ?= 8
fuzz: setup ## every reader of text or bytes from outside, by libFuzzer: MINUTES=8 each
	@scripts/build.sh
	@tests/fuzz/run.py $(BUILD) --minutes $(MINUTES)

coverage: setup ## what the tests run of C (gcov) and of the RTL (Verilator): two hours
	@scripts/build.sh
	@tests/coverage/run.py $(BUILD)

faults: setup ## one bit of generated fabrics flips, COUNT=100000 times in each, SEED=1: minutes
	@scripts/build.sh
	@mkdir -p $(BUILD)/trust
	@tests/faults/run.py $(BUILD)/bin/gossipfab --report $(BUILD)/trust/faults.md \
	    --count $(or $(COUNT),100000) --seed $(or $(SEED),1)

bits: setup ## sums by MPI, the C model and RTL have the same bits: COUNT=100000 cases at 2, 3, 8 and 16 ranks: ten minutes
	@scripts/build.sh
	@extras/mpi/tests/bits/campaign.py mpirun $(BUILD)/bin $(BUILD)/extras/mpi/pmpi/libgossipfab_pmpi.so --cases $(or $(COUNT),100000)

mutate: setup ## mutants of the RTL's netlist, a thousand of each class of modules: an hour
	@scripts/build.sh
	@tests/mutate/run.py $(BUILD)

streams: setup ## long streams with pauses through 44 fabrics, COUNT=1000 times, SEED=1: an hour
	@scripts/build.sh
	@tests/streams/run.py $(BUILD)/bin/gossipfab $(BUILD)/bin/stream_lockstep --work $(BUILD)/streams \
	    --runs $(or $(COUNT),1000) --seed $(or $(SEED),1)

plans: setup ## plans and programs against every order of them, run times and readers of files: COUNT=1000 mutants, 20 minutes
	@scripts/build.sh
	@extras/gpu-plans/tests/campaign.py $(BUILD)/bin/gossipfab $(BUILD)/plans --count $(or $(COUNT),1000) \
	    --report $(BUILD)/trust/plans.md

bench: setup ## measurements
	@scripts/build.sh
	@for bench in $(BUILD)/bin/*_bench; do "$$bench" || exit; done
	@bench/large_graphs.py $(BUILD)/bin/gossipfab $(BUILD)/bench/large-graphs
	@bench/long/one_port.py $(BUILD)/bin/gossipfab --count 60
	@bench/slow_lines.py $(BUILD)/bin/gossipfab
	@bench/forestcoll.py $(BUILD)/bin/gossipfab
	@bench/long/lengths.py $(BUILD)/bin/gossipfab
	@bench/long/published.py $(BUILD)/bin/gossipfab
	@bench/long/thousand.py $(BUILD)/bin/gossipfab $(BUILD)/bench/thousand
	@for table in lau-zhang circgo torgo cubgo; do $(BUILD)/bin/paper_tables $$table || exit; done
	@bench/telephone-tables.sh $(BUILD)/bin/paper_tables
	@bench/fabric-area.sh $(BUILD)/bin/gossipfab $(BUILD)/bench/fabric-area 1 2 3 4 5
	@scripts/setup-boards.sh
	@PATH="$$PATH:$(abspath $(BUILD))/tools/bin" bench/board_figures.py $(BUILD)/bin/gossipfab $(BUILD)/bench/boards nodes

site: setup ## these docs as pages with search, and the player, in BUILD/site
	@scripts/build.sh
	@docs/site/site.sh

pictures: setup ## docs/pictures, drawn anew but for the screenshot: minutes
	@scripts/build.sh
	@scripts/draw-pictures.sh $(BUILD)/bin/gossipfab docs/pictures

release: ## all that a release consists of, in BUILD/release: docs/release.md; PARTS="tarball wheel debian site"
	@$(SETUP) release
	@cmake/release.sh

lint: setup ## checks of the sources: licences, style, sizes, layers, lists, links, clean Verilog
	@scripts/lint.sh

format: ## clang-format over the C and C++ sources, in place
	@scripts/check-style.sh --write

install: ## library, headers, command, manual pages, completions, to PREFIX (DESTDIR is honoured)
	@$(SETUP) demo
	@scripts/build.sh -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	@cmake --install $(BUILD)

uninstall: ## remove what install put there
	@cmake -P $(BUILD)/uninstall.cmake

clean: ## remove the build folder
	@rm -rf $(BUILD)
