/* SPDX-License-Identifier: MIT */
/* The files of a generated folder, and when each is there: the one list that the folder, its Makefile, its FuseSoC core
 * and its manifest follow. */
#include "gen.h"

#include <string.h>

static bool has_narrow(const gfab_gen *gen)
{
    return !gen->banks;
}

static bool has_wide(const gfab_gen *gen)
{
    return gen->banks;
}

static bool has_joined_links(const gfab_gen *gen)
{
    return gen->wires == 1;
}

static bool has_paths(const gfab_gen *gen)
{
    return gen->paths;
}

static bool has_narrow_ops(const gfab_gen *gen)
{
    return !gen->banks && !gen->paths;
}

static bool is_protected(const gfab_gen *gen)
{
    return gen->protect;
}

static bool combines(const gfab_gen *gen)
{
    return !gen->banks && gen->combines != GFAB_OPERATOR_NONE;
}

static bool checks_narrow(const gfab_gen *gen)
{
    return gen->protect && !gen->banks;
}

static bool checks_combining(const gfab_gen *gen)
{
    return gen->protect && combines(gen);
}

/* Nodes are loaded and read; else hosts give and take streams, and all of this is part of the fabric. */
static bool is_loaded(const gfab_gen *gen)
{
    return gen->streams == 0;
}

static bool is_streamed(const gfab_gen *gen)
{
    return gen->streams > 0;
}

static bool has_blocks(const gfab_gen *gen)
{
    return gen->blocks != 0 && is_loaded(gen);
}

/* One token a node: it is one beat of AXI4-Stream. */
static bool has_streams(const gfab_gen *gen)
{
    return gen->blocks == 0;
}

static bool has_overlap(const gfab_gen *gen)
{
    return gen->options->overlap;
}

static bool has_turns(const gfab_gen *gen)
{
    return has_streams(gen) && !has_overlap(gen);
}

static bool has_tri_state(const gfab_gen *gen)
{
    return gen->options->chips && !gen->full;
}

static bool has_duplex_pads(const gfab_gen *gen)
{
    return gen->options->chips && gen->full && !gen->options->own_clocks;
}

static bool checks_pads(const gfab_gen *gen)
{
    return gen->options->chips && gen->protect;
}

static bool checks_pads_of_one_clock(const gfab_gen *gen)
{
    return checks_pads(gen) && !gen->options->own_clocks;
}

static bool has_cables(const gfab_gen *gen)
{
    return gen->options->own_clocks;
}

static bool has_one_clock(const gfab_gen *gen)
{
    return gen->options->chips && !gen->options->own_clocks;
}

static bool has_board(const gfab_gen *gen)
{
    return gen->options->board;
}

/* A board top that tests itself, or one that a host drives. */
static bool has_selftest(const gfab_gen *gen)
{
    return gen->options->board && !gen->options->uart_host;
}

static bool has_uart_host(const gfab_gen *gen)
{
    return gen->options->board && gen->options->uart_host;
}

static bool has_pll(const gfab_gen *gen)
{
    const gfab_board *board = gen->options->board;
    return board && board->fabric_hz != board->clock_hz;
}

static bool combines_wide(const gfab_gen *gen)
{
    return gen->banks && gen->combines != GFAB_OPERATOR_NONE;
}

static bool has_chains(const gfab_gen *gen)
{
    return gen->timing->merges > 0;
}

static bool has_registers(const gfab_gen *gen)
{
    return gen->options->registers != GFAB_BUS_NONE;
}

static bool has_axi_lite(const gfab_gen *gen)
{
    return gen->options->registers == GFAB_BUS_AXI_LITE;
}

static bool has_wishbone(const gfab_gen *gen)
{
    return gen->options->registers == GFAB_BUS_WISHBONE;
}

/* No open place and route. */
static bool has_vivado(const gfab_gen *gen)
{
    return has_board(gen) && !gfab_gen_family(gen)->places;
}

static bool has_commands(const gfab_gen *gen)
{
    return has_blocks(gen) || has_registers(gen);
}

/* Modules stand behind those that they are made of. */
static const gfab_gen_file files[] = {
    {"rtl/common/gfab_assert.vh", "rtl/gfab_assert.vh", GFAB_GEN_HEADER, NULL},
    {"rtl/common/gfab_bits.vh", "rtl/gfab_bits.vh", GFAB_GEN_HEADER, NULL},
    {"rtl/common/gfab_op.vh", "rtl/gfab_op.vh", GFAB_GEN_HEADER, NULL},
    {"rtl/paths/gfab_path.vh", "rtl/gfab_path.vh", GFAB_GEN_HEADER, has_paths},
    {"rtl/common/gfab.vlt", "rtl/gfab.vlt", GFAB_GEN_OTHER, NULL},
    {"rtl/common/gfab_delay.v", "rtl/gfab_delay.v", GFAB_GEN_MODULE, NULL},
    {"rtl/common/gfab_sequencer.v", "rtl/gfab_sequencer.v", GFAB_GEN_MODULE, NULL},
    {"rtl/protect/gfab_sequencer_pair.v", "rtl/gfab_sequencer_pair.v", GFAB_GEN_MODULE, is_protected},
    {"rtl/protect/gfab_guard.v", "rtl/gfab_guard.v", GFAB_GEN_MODULE, is_protected},
    {"rtl/protect/gfab_combine_check.v", "rtl/gfab_combine_check.v", GFAB_GEN_MODULE, checks_combining},
    {"rtl/common/gfab_sequence.v", "rtl/gfab_sequence.v", GFAB_GEN_MODULE, NULL},
    {"rtl/common/gfab_program.v", "rtl/gfab_program.v", GFAB_GEN_MODULE, NULL},
    {"rtl/fabric/gfab_time.v", "rtl/gfab_time.v", GFAB_GEN_MODULE, NULL},
    {"rtl/common/gfab_places.v", "rtl/gfab_places.v", GFAB_GEN_MODULE, gfab_gen_has_places},
    {"rtl/common/gfab_link.v", "rtl/gfab_link.v", GFAB_GEN_MODULE, has_joined_links},
    {"rtl/narrow/gfab_store.v", "rtl/gfab_store.v", GFAB_GEN_MODULE, NULL},
    {"rtl/combine/gfab_operator.v", "rtl/gfab_operator.v", GFAB_GEN_MODULE, combines},
    {"rtl/combine/gfab_combine.v", "rtl/gfab_combine.v", GFAB_GEN_MODULE, combines},
    {"rtl/combine/gfab_combine_timer.v", "rtl/gfab_combine_timer.v", GFAB_GEN_MODULE, combines},
    {"rtl/narrow/gfab_lane.v", "rtl/gfab_lane.v", GFAB_GEN_MODULE, has_narrow},
    {"rtl/narrow/gfab_slots.v", "rtl/gfab_slots.v", GFAB_GEN_MODULE, has_narrow},
    {"rtl/combine/gfab_lane_order.v", "rtl/gfab_lane_order.v", GFAB_GEN_MODULE, has_narrow},
    {"rtl/combine/gfab_lane_combine.v", "rtl/gfab_lane_combine.v", GFAB_GEN_MODULE, combines},
    {"rtl/protect/gfab_lane_check.v", "rtl/gfab_lane_check.v", GFAB_GEN_MODULE, checks_narrow},
    {"rtl/narrow/gfab_lane_store.v", "rtl/gfab_lane_store.v", GFAB_GEN_MODULE, has_narrow},
    {"rtl/narrow/gfab_node.v", "rtl/gfab_node.v", GFAB_GEN_MODULE, has_narrow_ops},
    {"rtl/paths/gfab_path_rom.v", "rtl/gfab_path_rom.v", GFAB_GEN_MODULE, has_paths},
    {"rtl/paths/gfab_path_switch.v", "rtl/gfab_path_switch.v", GFAB_GEN_MODULE, has_paths},
    {"rtl/paths/gfab_path_timer.v", "rtl/gfab_path_timer.v", GFAB_GEN_MODULE, has_paths},
    {"rtl/paths/gfab_path_writer.v", "rtl/gfab_path_writer.v", GFAB_GEN_MODULE, has_paths},
    {"rtl/paths/gfab_path_node.v", "rtl/gfab_path_node.v", GFAB_GEN_MODULE, has_paths},
    {"rtl/stream/gfab_stream_fifo.v", "rtl/gfab_stream_fifo.v", GFAB_GEN_MODULE, is_streamed},
    {"rtl/stream/gfab_stream_ends.v", "rtl/gfab_stream_ends.v", GFAB_GEN_MODULE, is_streamed},
    {"rtl/stream/gfab_stream_port.v", "rtl/gfab_stream_port.v", GFAB_GEN_MODULE, is_streamed},
    {"rtl/stream/gfab_stream_groups.v", "rtl/gfab_stream_groups.v", GFAB_GEN_MODULE, is_streamed},
    {"rtl/wide/gfab_bfloat16_add.v", "rtl/gfab_bfloat16_add.v", GFAB_GEN_MODULE, has_chains},
    {"rtl/wide/gfab_user_operator.v", "rtl/gfab_user_operator.v", GFAB_GEN_MODULE, has_chains},
    {"rtl/wide/gfab_wide_chain.v", "rtl/gfab_wide_chain.v", GFAB_GEN_MODULE, has_chains},
    {"rtl/wide/gfab_wide_combine.v", "rtl/gfab_wide_combine.v", GFAB_GEN_MODULE, combines_wide},
    {"rtl/wide/gfab_banks.v", "rtl/gfab_banks.v", GFAB_GEN_MODULE, has_wide},
    {"rtl/wide/gfab_wide_node.v", "rtl/gfab_wide_node.v", GFAB_GEN_MODULE, has_wide},
    {"rtl/fabric/gfab_fabric.v", "rtl/gfab_fabric.v", GFAB_GEN_MODULE, NULL},
    {"rtl/host/gfab_axis_host.v", "rtl/gfab_axis_host.v", GFAB_GEN_OTHER, has_streams},
    {"rtl/host/gfab_axis_overlap.v", "rtl/gfab_axis_overlap.v", GFAB_GEN_OTHER, has_overlap},
    {"rtl/host/gfab_axis_blocks.v", "rtl/gfab_axis_blocks.v", GFAB_GEN_OTHER, has_blocks},
    {"rtl/host/gfab_axis_command.v", "rtl/gfab_axis_command.v", GFAB_GEN_OTHER, has_commands},
    {"rtl/host/gfab_axis_ctrl.v", "rtl/gfab_axis_ctrl.v", GFAB_GEN_OTHER, is_loaded},
    {"rtl/host/gfab_axis.v", "rtl/gfab_axis.v", GFAB_GEN_OTHER, is_loaded},
    {"rtl/host/gfab_registers.vh", "rtl/gfab_registers.vh", GFAB_GEN_OTHER, has_registers},
    {"rtl/host/gfab_registers.v", "rtl/gfab_registers.v", GFAB_GEN_OTHER, has_registers},
    {"rtl/host/gfab_axi_lite.v", "rtl/gfab_axi_lite.v", GFAB_GEN_OTHER, has_axi_lite},
    {"rtl/host/gfab_wishbone.v", "rtl/gfab_wishbone.v", GFAB_GEN_OTHER, has_wishbone},
    {"rtl/board/gfab_harness.v", "rtl/gfab_harness.v", GFAB_GEN_OTHER, is_loaded},
    {"rtl/board/gfab_pll.v", "rtl/gfab_pll.v", GFAB_GEN_OTHER, has_pll},
    {"rtl/board/gfab_reset.v", "rtl/gfab_reset.v", GFAB_GEN_OTHER, has_board},
    {"rtl/board/gfab_selftest.v", "rtl/gfab_selftest.v", GFAB_GEN_OTHER, has_selftest},
    {"rtl/board/gfab_uart_tx.v", "rtl/gfab_uart_tx.v", GFAB_GEN_OTHER, has_board},
    {"rtl/board/gfab_uart_rx.v", "rtl/gfab_uart_rx.v", GFAB_GEN_OTHER, has_uart_host},
    {"rtl/board/gfab_host_link.v", "rtl/gfab_host_link.v", GFAB_GEN_OTHER, has_uart_host},
    {"rtl/board/gfab_board_host.v", "rtl/gfab_board_host.v", GFAB_GEN_OTHER, has_uart_host},
    {"rtl/board/gfab_pad_link.v", "rtl/gfab_pad_link.v", GFAB_GEN_PAD, has_tri_state},
    {"rtl/board/gfab_pad_duplex.v", "rtl/gfab_pad_duplex.v", GFAB_GEN_PAD, has_duplex_pads},
    {"rtl/board/gfab_synchroniser.v", "rtl/gfab_synchroniser.v", GFAB_GEN_PAD, has_cables},
    {"rtl/board/gfab_chip_reset.v", "rtl/gfab_chip_reset.v", GFAB_GEN_PAD, has_cables},
    {"rtl/protect/gfab_pad_check.v", "rtl/gfab_pad_check.v", GFAB_GEN_PAD, checks_pads},
    {"rtl/protect/gfab_chip_beat.v", "rtl/gfab_chip_beat.v", GFAB_GEN_PAD, checks_pads_of_one_clock},
    {"rtl/board/gfab_chip_states.v", "rtl/gfab_chip_states.v", GFAB_GEN_PAD, has_cables},
    {"rtl/board/gfab_chip_control.v", "rtl/gfab_chip_control.v", GFAB_GEN_PAD, has_cables},
    {"rtl/board/gfab_cable.v", "rtl/gfab_cable.v", GFAB_GEN_PAD, has_cables},
    {"tb/sim_main.cpp", "tb/sim_main.cpp", GFAB_GEN_OTHER, has_streams},
    {"tb/tb_fabric.v", "tb/tb_fabric.v", GFAB_GEN_OTHER, has_streams},
    {"tb/collective/tb_fabric.v", "tb/tb_fabric.v", GFAB_GEN_OTHER, has_blocks},
    {"tb/axis/tb_axis.v", "tb/tb_axis.v", GFAB_GEN_OTHER, has_turns},
    {"tb/axis/tb_axis_overlap.v", "tb/tb_axis.v", GFAB_GEN_OTHER, has_overlap},
    {"tb/axis/tb_axis_blocks.v", "tb/tb_axis.v", GFAB_GEN_OTHER, has_blocks},
    {"tb/axis/tb_axis_errors.v", "tb/tb_axis_errors.v", GFAB_GEN_OTHER, has_streams},
    {"tb/axis/tb_blocks.vh", "tb/tb_blocks.vh", GFAB_GEN_OTHER, has_commands},
    {"tb/axis/tb_bus.vh", "tb/tb_bus.vh", GFAB_GEN_OTHER, has_registers},
    {"tb/axis/tb_registers.v", "tb/tb_registers.v", GFAB_GEN_OTHER, has_registers},
    {"tb/stream/tb_stream.v", "tb/tb_stream.v", GFAB_GEN_OTHER, is_streamed},
    {"tb/cocotb/gfab_cocotb.py", "tb/gfab_cocotb.py", GFAB_GEN_OTHER, gfab_gen_has_node_ports},
    {"tb/cocotb/run_cocotb.py", "tb/run_cocotb.py", GFAB_GEN_OTHER, gfab_gen_has_node_ports},
    {"tb/cocotb/test_fabric.py", "tb/test_fabric.py", GFAB_GEN_OTHER, gfab_gen_has_node_ports},
    {"tb/board/board_model.v", "tb/board_model.v", GFAB_GEN_OTHER, has_selftest},
    {"tb/board/tb_board.v", "tb/tb_board.v", GFAB_GEN_OTHER, has_selftest},
    {"tb/board/sim_host.cpp", "tb/sim_host.cpp", GFAB_GEN_OTHER, has_uart_host},
    {"tb/pads/gfab_pad_watch.v", "tb/gfab_pad_watch.v", GFAB_GEN_PAD_BENCH, has_tri_state},
    {"tb/clocks/gfab_cable_wires.v", "tb/gfab_cable_wires.v", GFAB_GEN_PAD_BENCH, has_cables},
    {"tb/clocks/gfab_chip_host.v", "tb/gfab_chip_host.v", GFAB_GEN_PAD_BENCH, has_cables},
    {"tb/clocks/tb_clocks.v", "tb/tb_clocks.v", GFAB_GEN_PAD_BENCH, has_cables},
    {"gen/templates/gossip_fabric.v", "*.v", GFAB_GEN_TEMPLATE, is_loaded},
    {"gen/templates/stream/gossip_fabric.v", "*.v", GFAB_GEN_TEMPLATE, is_streamed},
    {"gen/templates/gossip_fabric.vlt", "*.vlt", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/gossip_fabric.f", "*.f", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/gossip_fabric_axis.v", "*_axis.v", GFAB_GEN_TEMPLATE, is_loaded},
    {"gen/templates/gossip_fabric_nodes.v", "*_nodes.v", GFAB_GEN_TEMPLATE, gfab_gen_has_node_ports},
    {"gen/templates/gossip_fabric_axis_nodes.v", "*_axis_nodes.v", GFAB_GEN_TEMPLATE, gfab_gen_has_node_ports},
    {"gen/templates/gossip_fabric_harness.v", "*_harness.v", GFAB_GEN_TEMPLATE, is_loaded},
    {"gen/templates/board_top.v", "board_top.v", GFAB_GEN_PROGRAMS, has_selftest},
    {"gen/templates/board_host.v", "board_top.v", GFAB_GEN_PROGRAMS, has_uart_host},
    {"gen/templates/vivado.tcl", "vivado.tcl", GFAB_GEN_TEMPLATE, has_vivado},
    {"gen/templates/chips/gossip_chips.v", "tb/gossip_chips.v", GFAB_GEN_TEMPLATE, has_one_clock},
    {"gen/templates/chips/gossip_clocks.v", "tb/gossip_clocks.v", GFAB_GEN_TEMPLATE, has_cables},
    {"gen/templates/gossip_fabric_registers.h", "*_registers.h", GFAB_GEN_PROGRAMS, has_registers},
    {"gen/templates/gossip_fabric_litex.py", "*_litex.py", GFAB_GEN_PROGRAMS, has_wishbone},
    {"gen/templates/gossip_fabric_parameters.h", "tb/gossip_fabric_parameters.h", GFAB_GEN_PROGRAMS, is_loaded},
    {"gen/templates/gossip_fabric_parameters.vh", "tb/gossip_fabric_parameters.vh", GFAB_GEN_PROGRAMS, NULL},
    {"gen/templates/Makefile", "Makefile", GFAB_GEN_TEMPLATE, is_loaded},
    {"gen/templates/README.md", "README.md", GFAB_GEN_PROGRAMS, is_loaded},
    {"gen/templates/stream/Makefile", "Makefile", GFAB_GEN_TEMPLATE, is_streamed},
    {"gen/templates/stream/README.md", "README.md", GFAB_GEN_PROGRAMS, is_streamed},
    {"gen/templates/gossip_fabric.core", "*.core", GFAB_GEN_TEMPLATE, is_loaded},
    {NULL, NULL, GFAB_GEN_OTHER, NULL},
};

const gfab_gen_file *gfab_gen_file_at(const gfab_gen *gen, unsigned kinds, size_t index)
{
    for (const gfab_gen_file *at = files; at->from; at++)
        if (kinds & (unsigned)at->kind && (!at->used || at->used(gen)) && index-- == 0)
            return at;
    return NULL;
}

const gfab_embedded *gfab_gen_embedded(const char *path)
{
    for (const gfab_embedded *at = gfab_embedded_files; at->path; at++)
        if (strcmp(at->path, path) == 0)
            return at;
    return NULL;
}
