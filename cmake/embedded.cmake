# SPDX-License-Identifier: MIT
# Files that are compiled into the library, so that it has them wherever it is.

# What generated folders get copies of, or are made from: a binary always writes the RTL it was built with.
set(embedded
    rtl/common/gfab_assert.vh
    rtl/common/gfab_rom.vh
    rtl/common/gfab_trace.vh
    rtl/common/gfab_bits.vh
    rtl/common/gfab_op.vh
    rtl/common/gfab.vlt
    rtl/common/gfab_sequencer.v
    rtl/fabric/gfab_time.v
    rtl/fabric/gfab_fabric.v
    rtl/common/gfab_program.v
    rtl/narrow/gfab_store.v
    rtl/narrow/gfab_flits_in.v
    rtl/narrow/gfab_flits_out.v
    rtl/narrow/gfab_lane.v
    rtl/common/gfab_link.v
    rtl/common/gfab_sequence.v
    rtl/paths/gfab_path.vh
    rtl/paths/gfab_path_node.v
    rtl/paths/gfab_path_rom.v
    rtl/paths/gfab_path_switch.v
    rtl/paths/gfab_path_timer.v
    rtl/paths/gfab_path_writer.v
    rtl/combine/gfab_combine.v
    rtl/combine/gfab_combine_timer.v
    rtl/combine/gfab_operator.v
    rtl/narrow/gfab_lane_store.v
    rtl/narrow/gfab_slots.v
    rtl/combine/gfab_lane_order.v
    rtl/combine/gfab_lane_combine.v
    rtl/protect/gfab_lane_check.v
    rtl/narrow/gfab_node.v
    rtl/common/gfab_places.v
    rtl/wide/gfab_banks.v
    rtl/wide/gfab_bfloat16_add.v
    rtl/wide/gfab_float_add.v
    rtl/common/gfab_delay.v
    rtl/common/gfab_held_delay.v
    rtl/ring/gfab_ring.v
    rtl/ring/gfab_ring_arcs.v
    rtl/ring/gfab_ring_counter.v
    rtl/ring/gfab_ring_distance.v
    rtl/ring/gfab_ring_node.v
    rtl/ring/gfab_ring_reduce.v
    rtl/ring/gfab_ring_reduce_counter.v
    rtl/ring/gfab_ring_reduce_lane.v
    rtl/ring/gfab_ring_reduce_node.v
    rtl/ring/gfab_ring_shift.v
    rtl/ring/gfab_ring_pair.v
    rtl/ring/gfab_ring_checked.v
    rtl/stream/gfab_stream_chain.v
    rtl/stream/gfab_stream_ends.v
    rtl/stream/gfab_stream_fifo.v
    rtl/stream/gfab_stream_flow.v
    rtl/stream/gfab_stream_groups.v
    rtl/stream/gfab_stream_limit.v
    rtl/stream/gfab_stream_node.v
    rtl/stream/gfab_stream_pair.v
    rtl/stream/gfab_stream_turns.v
    rtl/stream/gfab_stream_queue.v
    rtl/stream/gfab_stream_port.v
    rtl/stream/gfab_stream_saturated.v
    rtl/stream/gfab_stream_single.v
    rtl/stream/gfab_stream_skid.v
    rtl/stream/gfab_stream_tree.v
    rtl/wide/gfab_wide_chain.v
    rtl/wide/gfab_wide_combine.v
    rtl/wide/gfab_wide_node.v
    rtl/wide/gfab_wide_pick.v
    rtl/protect/gfab_combine_check.v
    rtl/protect/gfab_guard.v
    rtl/protect/gfab_apart.v
    rtl/protect/gfab_twin_check.v
    rtl/protect/gfab_twin_guard.v
    rtl/protect/gfab_sequencer_pair.v
    rtl/protect/gfab_pad_check.v
    rtl/protect/gfab_chip_beat.v
    rtl/host/gfab_axis_host.v
    rtl/host/gfab_axis_overlap.v
    rtl/host/gfab_axis_blocks.v
    rtl/host/gfab_axis_command.v
    rtl/host/gfab_axis_ctrl.v
    rtl/host/gfab_axis.v
    rtl/host/gfab_registers.vh
    rtl/host/gfab_registers.v
    rtl/host/gfab_axi_lite.v
    rtl/host/gfab_wishbone.v
    rtl/board/gfab_cable.v
    rtl/board/gfab_chip_control.v
    rtl/board/gfab_chip_states.v
    rtl/board/gfab_chip_reset.v
    rtl/board/gfab_harness.v
    rtl/board/gfab_pad_duplex.v
    rtl/board/gfab_pad_link.v
    rtl/board/gfab_pll.v
    rtl/board/gfab_reset.v
    rtl/board/gfab_selftest.v
    rtl/board/gfab_selftest_blocks.v
    rtl/board/gfab_selftest_report.v
    rtl/board/gfab_synchroniser.v
    rtl/board/gfab_uart_tx.v
    rtl/board/gfab_uart_rx.v
    rtl/board/gfab_host_link.v
    rtl/board/gfab_board_host.v
    tb/sim_main.cpp
    tb/tb_fabric.v
    tb/collective/tb_fabric.v
    tb/axis/tb_axis.v
    tb/axis/tb_axis_blocks.v
    tb/axis/tb_blocks.vh
    tb/axis/tb_bus.vh
    tb/axis/tb_registers.v
    tb/axis/tb_axis_errors.v
    tb/axis/tb_axis_overlap.v
    tb/board/board_model.v
    tb/board/tb_board.v
    tb/cocotb/gfab_cocotb.py
    tb/cocotb/run_cocotb.py
    tb/cocotb/test_fabric.py
    tb/clocks/gfab_cable_wires.v
    tb/clocks/gfab_chip_host.v
    tb/clocks/tb_clocks.v
    tb/board/sim_host.cpp
    tb/pads/gfab_pad_watch.v
    tb/ring/tb_fabric.v
    tb/stream/tb_stream.v
    tb/folder/GUIDE.md
    tb/folder/make/axis.mk
    tb/folder/make/harness.mk
    tb/folder/make/ring.mk
    tb/folder/make/blocks.mk
    tb/folder/make/board.mk
    tb/folder/make/chips.mk
    tb/folder/make/clocks.mk
    tb/folder/make/ecp5.mk
    tb/folder/make/fabric.mk
    tb/folder/make/gowin.mk
    tb/folder/make/host.mk
    tb/folder/make/ice40.mk
    tb/folder/make/nextpnr.mk
    tb/folder/make/nodes.mk
    tb/folder/make/pads.mk
    tb/folder/make/placed.mk
    tb/folder/make/registers.mk
    tb/folder/make/roms.mk
    tb/folder/make/self-test.mk
    tb/folder/make/stream.mk
    tb/folder/make/tokens.mk
    tb/folder/make/xc7.mk
    gen/templates/Makefile
    gen/templates/README.md
    gen/templates/ring/README_ring.md
    gen/templates/ring/gossip_ring.v
    gen/templates/ring/gossip_ring_harness.v
    gen/templates/ring/gossip_ring_parameters.vh
    gen/templates/board_clock.v
    gen/templates/board_fabric.v
    gen/templates/chosen_wires.v
    gen/templates/board_host.v
    gen/templates/board_top.v
    gen/templates/chips/chip_checks.v
    gen/templates/chips/chip_control.v
    gen/templates/chips/chip_links.v
    gen/templates/chips/chip_ports.v
    gen/templates/chips/gossip_chips.v
    gen/templates/chips/gossip_clocks.v
    gen/templates/gossip_fabric.core
    gen/templates/gossip_fabric.f
    gen/templates/gossip_fabric.v
    gen/templates/gossip_fabric.vlt
    gen/templates/fabric_tables.v
    gen/templates/gossip_fabric_axis.v
    gen/templates/gossip_fabric_registers.h
    gen/templates/gossip_fabric_litex.py
    gen/templates/gossip_fabric_axis_nodes.v
    gen/templates/gossip_fabric_harness.v
    gen/templates/gossip_fabric_nodes.v
    gen/templates/gossip_fabric_parameters.h
    gen/templates/gossip_fabric_parameters.vh
    gen/templates/stream/README.md
    gen/templates/stream/README_words.md
    gen/templates/stream/gossip_fabric.v
    gen/templates/stream/gossip_words.v
    gen/templates/twins/stream_wires.v
    gen/templates/twins/wires.v
    gen/templates/vivado.tcl)
# A board is a folder: its board.json and its pins.
file(GLOB boards CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} constraints/*/board.json)
file(GLOB pins CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} constraints/*/*.pcf constraints/*/*.lpf
     constraints/*/*.cst constraints/*/*.xdc)
list(APPEND embedded ${pins})
list(TRANSFORM embedded PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE embedded_files)

add_executable(gfab_embed gen/tools/embed.c)
add_custom_command(
    OUTPUT embedded.c
    COMMAND gfab_embed embedded.c gen.h gfab_embedded_files ${PROJECT_SOURCE_DIR} ${embedded}
    DEPENDS gfab_embed ${embedded_files}
    VERBATIM)

# The page that plays a schedule: its frame, and what is put into it, in this order.
set(player
    extras/draw/player/player.html
    extras/draw/player/player.css
    extras/draw/player/replay.js
    extras/draw/player/rom.js
    extras/draw/player/wave.js
    extras/draw/player/colours.js
    extras/draw/player/scene.js
    extras/draw/player/curve.js
    extras/draw/player/panel.js
    extras/draw/player/main.js)
list(TRANSFORM player PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE player_files)
add_custom_command(
    OUTPUT player_files.c
    COMMAND gfab_embed player_files.c draw/player_internal.h gfab_player_files ${PROJECT_SOURCE_DIR} ${player}
    DEPENDS gfab_embed ${player_files}
    VERBATIM)

# The page that plays what goes wrong in a plan for GPUs.
set(witness extras/gpu-plans/page/witness.html)
list(TRANSFORM witness PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE witness_files)
add_custom_command(
    OUTPUT witness_files.c
    COMMAND gfab_embed witness_files.c gpu-plans/page/page.h gfab_witness_files ${PROJECT_SOURCE_DIR} ${witness}
    DEPENDS gfab_embed ${witness_files}
    VERBATIM)

# What carries out a plan in C, as it is handed on.
set(carry extras/formats/small/gfab_carry.c extras/formats/small/gfab_carry.h)
list(TRANSFORM carry PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE carry_sources)
add_custom_command(
    OUTPUT carry_files.c
    COMMAND gfab_embed carry_files.c formats/small/c_plan.h gfab_carry_files ${PROJECT_SOURCE_DIR} ${carry}
    DEPENDS gfab_embed ${carry_sources}
    VERBATIM)

list(TRANSFORM boards PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE board_files)
add_executable(gfab_boards gen/tools/boards.c gen/board_file.c gen/family.c gen/names.c)
target_include_directories(gfab_boards PRIVATE include gen)
target_link_libraries(gfab_boards PRIVATE gfab_base PkgConfig::JANSSON)
add_custom_command(
    OUTPUT boards.c
    COMMAND gfab_boards boards.c ${PROJECT_SOURCE_DIR} ${boards}
    DEPENDS gfab_boards ${board_files}
    VERBATIM)

# The machines of docs/reference/graph-files.md: DOT, in core/topology/families/machines.
set(machines a100x2 dgx1 h100x2 h100x4 mi250x2 ndv2x2 nvl72)
set(texts "")
list(LENGTH machines count)
foreach(machine IN LISTS machines)
    set(file ${PROJECT_SOURCE_DIR}/core/topology/families/machines/${machine}.dot)
    file(READ ${file} text)
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND texts "    {\"${machine}\",\n     \"${text}\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
file(CONFIGURE OUTPUT machine_texts.c @ONLY CONTENT [[#include "topology/families/machine_texts.h"

const gfab_machine_text gfab_machines[] = {
@texts@};
const size_t gfab_machine_count = @count@;
]])

# The records of docs/theory/records.md.
set(records ccc-7 debruijn-5 debruijn-6 debruijn-7 debruijn-8 pancake-8 shuffle-exchange-5 shuffle-exchange-6
            shuffle-exchange-7 shuffle-exchange-8 star-7 star-8)
set(texts "")
list(LENGTH records count)
foreach(record IN LISTS records)
    set(file ${PROJECT_SOURCE_DIR}/core/solvers/telephone/records/${record}.txt)
    file(READ ${file} text)
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    string(APPEND texts "    \"${text}\",\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
file(CONFIGURE OUTPUT record_texts.c @ONLY CONTENT [[#include "solvers/telephone/record_texts.h"

const char *const gfab_record_texts[] = {
@texts@};
const size_t gfab_record_text_count = @count@;
]])
