# SPDX-License-Identifier: MIT
"""Which modules are mutated, in which fabrics, and what plays them: a new class, or module, or fabric, is a row."""
import collections

# A class of modules. Each fabric is what `gossipfab generate` is told; its mutants are drawn evenly from all of them.
Class = collections.namedtuple("Class", "name title bench modules fabrics")

NARROW = "--store narrow --frame absolute"
FULL = "--store narrow --frame absolute --link-mode full"
PATHS = "--link-mode full --routing circuit --packet-tokens 1000 --startup 50"
PAIR = "gfab_sequencer_pair gfab_sequencer gfab_combine_timer gfab_delay"
TWIN = "gfab_twin_guard gfab_twin_check gfab_guard"
WORDS = "--stream --store wide"
REGISTERS = "gfab_registers ADDRESS_BITS=7 IDENTITY=1985229328"

CLASSES = [
    Class("sequencer", "Sequencer and sequence", "lockstep", ["gfab_sequencer", "gfab_sequence", "gfab_time"], [
        f"-t mesh:2x3 --token-bits 16 --link-bits 2 {NARROW}",  # three lanes, three words
        f"-t torus:3x3 --token-bits 16 --link-bits 2 {NARROW}",  # skewed, two words: direct
        f"-t torus:3x3 --token-bits 24 --link-bits 2 {NARROW} --gap 5",  # skewed, gaps
        f"-t cycle:5 --token-bits 16 --link-bits 2 {FULL} --link-latency 3 --gap 1",
        "-t torus:3x3 --token-bits 8 --link-bits 4 --store wide",
        f"-t cycle:9 --token-bits 8 --link-bits 2 --solver circgo --solver-options parts=1 --gap 5 {PATHS}",
    ]),
    Class("program", "Programs and frames", "lockstep", ["gfab_program"], [
        "-t mesh:4x4 --token-bits 32 --link-bits 2 --solver symmetric --frame rotated --store narrow",
        "-t torus:3x3 --token-bits 16 --link-bits 2 --frame relative --store narrow",
        f"-t mesh:2x3 --token-bits 16 --link-bits 2 {FULL}",
        "-t cycle:5 --token-bits 4 --link-bits 4 --store wide --rom block",
    ]),
    Class("narrow", "Narrow node", "lockstep",
          ["gfab_node", "gfab_lane_store", "gfab_flits_in", "gfab_flits_out", "gfab_lane", "gfab_slots", "gfab_store"], [
        f"-t mesh:2x3 --token-bits 16 --link-bits 2 {NARROW}",
        f"-t torus:3x3 --token-bits 16 --link-bits 2 {NARROW}",
        f"-t torus:3x3 --token-bits 24 --link-bits 2 {NARROW} --gap 5",
        f"-t cycle:5 --token-bits 16 --link-bits 2 {NARROW} --link-latency 3",
        f"-t cycle:6 --token-bits 8 --link-bits 1 --solver circgo --solver-options parts=2 {PATHS}",
    ]),
    Class("wide", "Wide node", "lockstep", ["gfab_wide_node", "gfab_banks", "gfab_store"], [
        "-t torus:3x3 --token-bits 8 --link-bits 4 --store wide",
        "-t torus:3x3 --token-bits 4 --link-bits 4 --store wide --link-mode full",
        "-t torus:3x3 --token-bits 8 --link-bits 4 --store wide --link-latency 1",
        "-t hypercube:3 --token-bits 9 --link-bits 3 --store wide --link-mode full --link-latency 3",
    ]),
    Class("combine", "Narrow, combining", "lockstep",
          ["gfab_combine", "gfab_combine_timer", "gfab_operator", "gfab_lane_combine", "gfab_lane_order", "gfab_node",
           "gfab_lane_store"], [
        f"-t mesh:2x3 --token-bits 16 --link-bits 2 {NARROW} --collective all-reduce --operator all",
        f"-t cycle:5 --token-bits 12 --link-bits 1 {NARROW} --collective all-reduce --operator all",  # skewed
        f"-t path:2 --token-bits 8 --link-bits 4 {NARROW} --collective all-reduce --operator xor",  # two words: direct
        f"-t graph:5:0-1,0-2,0-3,0-4 --token-bits 16 --link-bits 2 {NARROW} --collective reduce --operator sum"
        " --schedule tb/lockstep/arrivals.gfs --blocks 15",  # up to four words for a slot in a round
    ]),
    Class("wide-combine", "Wide, combining", "lockstep", ["gfab_wide_combine", "gfab_wide_pick"], [
        "-t mesh:2x3 --token-bits 12 --link-bits 4 --store wide --link-mode full --collective all-reduce --operator sum",
        "-t cycle:5 --token-bits 8 --link-bits 4 --store wide --collective reduce-scatter --operator xor",
        "-t mesh:2x3 --token-bits 9 --link-bits 3 --store wide --link-mode full --collective all-reduce --operator min",
        "-t cycle:5 --token-bits 4 --link-bits 4 --store wide --collective all-reduce --operator umax",
    ]),
    Class("path", "Path node", "lockstep",
          ["gfab_path_node", "gfab_path_rom", "gfab_path_switch", "gfab_path_timer", "gfab_path_writer"], [
        # of a random schedule, in which every node receives in all its lanes, after waits of many lengths
        "-t mesh:3x3 --token-bits 8 --link-bits 2 --gap 5 --schedule tb/lockstep/paths.gfs",
        "-t mesh:3x3 --token-bits 16 --link-bits 2 --link-latency 1 --schedule tb/lockstep/paths.gfs",
        f"-t torus:4x4 --token-bits 8 --link-bits 2 --solver highdimgo {PATHS}"
        " --solver-options phases=2:2,shares=one,cut=1",
    ]),
    Class("links", "Links and wires", "lockstep", ["gfab_link", "gfab_delay"], [
        f"-t torus:3x3 --token-bits 64 --link-bits 8 {NARROW}",
        f"-t torus:3x3 --token-bits 32 --link-bits 4 {NARROW} --link-latency 2",
    ]),
    Class("axis", "AXI4-Stream", "axis", ["gfab_axis_ctrl", "gfab_axis_host"], [
        f"-t mesh:2x2 --token-bits 16 --link-bits 2 {NARROW}",
        f"-t path:3 --token-bits 12 --link-bits 1 {NARROW}",
        "-t torus:3x3 --token-bits 8 --link-bits 4 --store wide",
        f"-t cycle:6 --token-bits 8 --link-bits 1 --solver circgo --solver-options parts=2 {PATHS}",
    ]),
    Class("blocks", "AXI4-Stream for blocks, overlap", "streams", [
        "gfab_axis", "gfab_axis_blocks", "gfab_axis_command", "gfab_axis_overlap"], [
        "-t path:3 --token-bits 8 --link-bits 2 --collective all-gather,all-reduce --operator all",
        "-t mesh:2x2 --token-bits 8 --link-bits 2 --collective all-to-all",
        "-t mesh:2x2 --token-bits 8 --link-bits 2 --axi overlap",
        "-t path:3 --token-bits 8 --link-bits 2 --collective all-gather,all-reduce --operator xor --axi overlap",
        "-t cycle:3 --token-bits 8 --link-bits 4 --store wide --collective all-gather,all-reduce --operator xor --axi overlap",
    ]),
    Class("stream-words", "Streams, a word a cycle", "hosts", [
        "gfab_stream_skid", "gfab_stream_single", "gfab_stream_pair", "gfab_stream_flow", "gfab_stream_node",
        "gfab_stream_limit", "gfab_stream_turns", "gfab_stream_queue", "gfab_stream_tree"], [
        # The time limit, and the fabric. Sums of more than 16 bits are made in two parts.
        f"48 -t cycle:3 --collective all-reduce --operator sum {WORDS} --token-bits 17 --link-bits 17",
        f"48 -t mesh:2x2 --collective all-reduce --operator max {WORDS} --token-bits 3 --link-bits 3",
        f"40 -t graph:4:0-1,0-2,0-3 --collective all-reduce --operator umin {WORDS} --token-bits 2 --link-bits 2",
        f"32 -t path:4 --collective all-gather {WORDS} --token-bits 2 --link-bits 2",
        f"57 -t mesh:2x2 --collective all-reduce --operator sum --link-mode half {WORDS} --token-bits 3 --link-bits 3",
        f"43 -t cycle:3 --collective reduce --operator xor --host-words 2 {WORDS} --token-bits 2 --link-bits 2",
    ]),
    Class("stream-blocks", "Streams, blocks by rounds", "hosts", [
        "gfab_stream_port", "gfab_stream_groups", "gfab_stream_ends", "gfab_stream_fifo", "gfab_stream_limit"], [
        "85 -t path:3 --collective all-reduce --operator sum --stream --token-bits 12 --link-bits 2",
        "128 -t cycle:5 --collective broadcast --root 2 --stream --token-bits 15 --link-bits 1 --link-latency 1",
        "125 -t path:4 --collective reduce --operator and --stream --token-bits 30 --link-bits 2 --link-latency 3",
        "88 -t mesh:2x2 --collective all-reduce --operator xor --stream --token-bits 18 --link-bits 2",
    ]),
    Class("protect", "Checks of protected fabrics", "alone", [
        "gfab_guard", "gfab_combine_check", "gfab_sequencer_pair", "gfab_pad_check", "gfab_chip_beat"], [
        "gfab_guard NODES=5 PROGRAMS=3 WORDS=4 ROUND_BITS=4",
        "gfab_guard NODES=2 PROGRAMS=1 WORDS=3 ROUND_BITS=2",
        "gfab_combine_check LANES=4 LANE_MASK=15 SKEW=0 LINK_BITS=2",
        "gfab_combine_check LANES=5 LANE_MASK=27 SKEW=1 LINK_BITS=3",
        "gfab_pad_check WIRES=5",
        "gfab_chip_beat LATENCY=3",
        f"{PAIR} LANES=4 WORDS=4 ROUND_BITS=4 REGISTERED=1",
        f"{PAIR} LANES=3 WORDS=4 ROUND_BITS=3 SKEWED=1 OPERATOR=9 FLITS=7",
        f"{PAIR} LANES=1 WORDS=4 ROUND_BITS=3 WIDE=1",
    ]),
    Class("twins", "Compare of a fabric with its twin", "alone", ["gfab_twin_check", "gfab_twin_guard"], [
        "gfab_twin_check PORTS=3 BITS=5 REGISTERED=1",
        "gfab_twin_check PORTS=2 BITS=7 REGISTERED=0",
        f"{TWIN} NODES=3 WORD_BITS=4 CUTS=0 LINK_BITS=4 BANKS=0 ADDRESS_BITS=1 ROUND_BITS=3 PROGRAMS=1"
        " WANTS=5",
        f"{TWIN} NODES=2 WORD_BITS=3 CUTS=3 LINK_BITS=3 BANKS=0 ADDRESS_BITS=1 ROUND_BITS=4 PROGRAMS=3"
        " PROGRAM_BITS=2 WANTS=29",
        f"{TWIN} NODES=2 WORD_BITS=4 CUTS=0 LINK_BITS=4 BANKS=3 ADDRESS_BITS=3 ROUND_BITS=3 PROGRAMS=1"
        " WANTS=3",
    ]),
    Class("pads", "Pads, one way each", "chips", ["gfab_pad_duplex"], [
        "-t mesh:2x2 --token-bits 64 --link-bits 16 --link-mode full --store narrow --chips 1x1 --link-latency 3",
    ]),
    Class("uart", "Serial line, reset", "alone", ["gfab_uart_tx", "gfab_uart_rx", "gfab_reset"], [
        "gfab_uart_tx CLOCKS_PER_BIT=5",
        "gfab_uart_tx CLOCKS_PER_BIT=16",
        "gfab_uart_rx CLOCKS_PER_BIT=4",
        "gfab_uart_rx CLOCKS_PER_BIT=7",
        "gfab_reset CYCLES=72",
        "gfab_reset CYCLES=5",
    ]),
    Class("registers", "Registers and their bus", "alone", ["gfab_registers", "gfab_axi_lite", "gfab_wishbone"], [
        "gfab_wishbone ADDRESS_BITS=7",
        "gfab_axi_lite ADDRESS_BITS=7",
        f"{REGISTERS} NODES=5 TOKEN_BITS=16 PROGRAMS=3 PROGRAM_BITS=2 OPERATORS=8 PROTECT=0 ROUND_BITS=4",
        f"{REGISTERS} NODES=40 TOKEN_BITS=32 PROGRAMS=1 PROGRAM_BITS=1 OPERATORS=1 PROTECT=1 ROUND_BITS=6",
        f"{REGISTERS} NODES=3 TOKEN_BITS=9 PROGRAMS=4 PROGRAM_BITS=2 OPERATORS=5 PROTECT=1 ROUND_BITS=3",
    ]),
    Class("board", "Self-test", "board", ["gfab_selftest", "gfab_selftest_report"], [
        f"-t cycle:5 --token-bits 18 --link-bits 2 --board hx8k {NARROW}",  # an odd number of words, padded
        f"-t cycle:6 --token-bits 16 --link-bits 1 --board hx8k --solver circgo --solver-options parts=2 {PATHS}",
    ]),
]

# What a user runs in a generated folder: a target of its Makefile and what the folder was made with. No modules: all of
# rtl/ that the target plays.
CLASSES += [
    Class("own-fabric", "make sim, sim-icarus", "own", [], [
        "sim-icarus -t mesh:2x2",
        "sim -t path:3 --token-bits 12 --link-bits 1",
    ]),
    Class("ring", "Ring fabrics, make sim-icarus", "own", [
        "gfab_ring", "gfab_ring_arcs", "gfab_ring_counter", "gfab_ring_distance", "gfab_ring_node", "gfab_ring_reduce",
        "gfab_ring_reduce_counter", "gfab_ring_reduce_lane", "gfab_ring_reduce_node", "gfab_ring_shift"], [
        "sim-icarus -t mesh:2x4 --link-mode full --token-bits 12 --link-bits 2 --store ring",  # a register more
        "sim-icarus -t cycle:5 --token-bits 8 --link-bits 4 --store ring",
        "sim-icarus -t torus:3x3 --link-mode full --token-bits 8 --link-bits 2 --store ring",  # words shift
        "sim-icarus -t circulant:15,1,5 --link-mode full --token-bits 5 --link-bits 15 --store ring",  # side by side
        "sim-icarus -t cycle:4 --link-mode full --token-bits 12 --link-bits 4 --store ring -c all-reduce --blocks 16",
        "sim-icarus -t cycle:5 --token-bits 20 --link-bits 20 --store ring -c reduce-scatter",  # three parts
        "sim-icarus -t cycle:4 --link-mode full --token-bits 4 --link-bits 4 --store ring -c all-reduce --operator max",
    ]),
    Class("own-axis", "make sim-axis", "own", [], [
        "sim-axis -t mesh:2x2 --token-bits 16",
    ]),
    Class("own-registers", "make sim-registers", "own", [], [
        "sim-registers -t path:3 --token-bits 8 --registers axi-lite",
        "sim-registers -t path:3 --token-bits 8 --registers wishbone --protect detect",
    ]),
    Class("own-board", "make sim-board", "own", [], [
        "sim-board -t path:3 --token-bits 8 --board hx8k",
    ]),
]

# Modules that no class has, and why.
APART = {
    "gfab_pll": "A vendor's primitive and nothing else: it has no cell that could be mutated.",
    "gfab_fabric": "Instances and wires, which the designs of all classes have; it has no registers.",
    "gfab_lane_check": "Checks alone, which a fabric that is right never needs; `make faults` tries them.",
    "gfab_ring_checked": "Played by tb/ring (--protect), with mutants of its own; `make faults` tries its checks.",
    "gfab_ring_pair": "With gfab_ring_checked.",
    "gfab_places": "A ROM, whose words stay as they are; `make faults` tries its check.",
    "gfab_harness": "For measuring area and clock alone; nobody uses what it gives.",
    "gfab_pad_link": "Tri-state wires, which the netlist has not; tb/pads plays it, with mutants of its own.",
    "gfab_cable": "Two clocks, of which the proofs know one; tb/clocks plays it with clocks that drift, with mutants.",
    "gfab_chip_control": "With gfab_cable: all that it is for happens between chips with clocks of their own.",
    "gfab_chip_states": "With gfab_cable; `make faults` flips its bits.",
    "gfab_chip_reset": "With gfab_cable: an asynchronous reset.",
    "gfab_synchroniser": "With gfab_cable: what it is for, metastable inputs, the netlist has not.",
    "gfab_selftest_blocks": "tests/generated/ (selftest) plays it on boards, right ones and such as are at fault.",
    "gfab_float_add": "tb/modules/floats.sh adds all pairs of bfloat16 numbers, with mutants of its own.",
    "gfab_wide_chain": "Played by tb/lockstep (--chain), with mutants of its own; the bench here has no expressions.",
    "gfab_stream_chain": "tests/streams/bits.py plays it, bit by bit as the schedule's expression says, with mutants.",
    "gfab_stream_saturated": "With gfab_stream_chain.",
    "gfab_held_delay": "With gfab_stream_chain and gfab_float_add.",
    "gfab_apart": "Wires alone.",
    "gfab_bfloat16_add": "With gfab_wide_chain; wires alone.",
    "gfab_board_host": "Played by the command itself at a pseudo-terminal (tb/board/host.py), with mutants of its own.",
    "gfab_host_link": "With gfab_board_host.",
}

COUNT = 1000  # mutants of a class in a whole run
COUNT_OWN = 300  # of one that a generated folder's own benches play

# What `make test` runs of them: name, fabrics, mutants of each.
SHORT = [("sequencer", 1, 15), ("axis", 1, 15), ("own-fabric", 1, 80)]
