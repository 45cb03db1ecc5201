# SPDX-License-Identifier: MIT
"""What run.py flips bits in: a new fabric, or a check that is left out, is a row."""

# What `gossipfab generate` is told; those with --protect are to notice every fault. Behind MERGED registers that always
# load the same are one: synthesis does so where nodes share programs.
MERGED = "merged"
PATHS = "--link-mode full --routing circuit --packet-tokens 1000 --startup 50"
# In front of a colon is what stands around the fabric, or what became of it: a top of streams, one with registers, a
# board top over its serial line, the chips that it is cut into, joined by wires, or those with clocks of their own;
# hosts that give and take streams; `gossipfab reroute`, and what is dropped.
OWN = "--link-mode full --chips 1 --clocks own --link-latency 10"  # each chip has a clock of its own
WORDS = "--stream --token-bits 8 --link-bits 8"
WIDE = "--store wide --token-bits 16 --link-bits 8"
RING = "--store ring --link-mode full"
BLOCKS = "--stream --link-mode full --token-bits 12 --link-bits 2"
SHORT = [
    "mesh:3x3",
    "mesh:2x3 --collective all-reduce --operator all --token-bits 16 --protect detect",
    "mesh:3x3 --protect detect",
    "registers: mesh:2x3 --registers axi-lite --protect detect",
    f"hosts: path:3 --collective all-reduce --operator sum {WORDS} --protect detect",
    f"mesh:2x2 --collective all-reduce --operator sum {WIDE} --protect detect merged",
    "cycle:3 --store ring --token-bits 4 --link-bits 2 --protect detect merged",
]
FABRICS = SHORT + [
    f"mesh:2x3 {RING} --token-bits 8 --link-bits 2",
    f"torus:3x3 {RING} --token-bits 8 --link-bits 2",
    f"mesh:4x4 {RING} --link-bits 2 --protect detect",
    f"mesh:4x4 {RING} --link-bits 2 --protect detect merged",
    f"torus:4x4 {RING} --link-bits 4 --protect detect",
    f"torus:4x4 {RING} --link-bits 4 --protect detect merged",
    f"complete:7 {RING} --token-bits 20 --link-bits 2 --protect detect merged",
    "mesh:4x4 --protect detect",
    "torus:3x3 --protect detect merged",
    "torus:4x4 --protect detect",
    "torus:4x4 --protect detect merged",
    "mesh:3x3 --token-bits 16 --protect detect",
    "mesh:3x3 --link-mode full --protect detect",
    "mesh:3x3 --link-latency 1 --protect detect",
    "mesh:3x3 --gap 3 --protect detect",
    "mesh:3x3 --gap 5 --schedule tb/lockstep/paths.gfs --protect detect",
    f"cycle:9 --solver circgo --solver-options parts=1 {PATHS} --link-latency 1 --protect detect merged",
    "cycle:5 --protect detect",
    "mesh:2x3 --collective all-reduce --operator all --token-bits 12 --link-latency 2 --protect detect",
    "mesh:3x3 --collective all-reduce --operator sum --token-bits 16",
    "mesh:3x3 --collective all-reduce --operator sum --token-bits 16 --protect detect",
    "torus:3x3 --collective all-reduce --operator all --token-bits 24 --protect detect merged",
    "mesh:2x3 --collective all-reduce --operator all --token-bits 12 --link-mode full --protect detect",
    "mesh:2x3 --collective all-gather,all-reduce,barrier --operator sum --token-bits 12 --protect detect",
    "mesh:2x3 --collective all-to-all --token-bits 16 --protect detect",
    "torus:3x3 --collective all-to-all --token-bits 24 --link-mode full --protect detect",
    "torus:4x4 --token-bits 32 --link-bits 32",
    "torus:4x4 --token-bits 32 --link-bits 32 --protect detect",
    "torus:4x4 --token-bits 32 --link-bits 32 --protect detect merged",
    "mesh:3x3 --token-bits 32 --link-bits 32 --link-mode full --protect detect",
    "torus:3x3 --token-bits 8 --link-bits 8 --link-mode full --rom block --protect detect",
    "rerouted by +drop-link=3-4: mesh:3x3 --frame absolute --protect detect",
    "axis: mesh:3x3 --protect detect",
    "axis: mesh:3x3 --axi overlap --protect detect",
    "axis: torus:3x3 --token-bits 32 --link-bits 32 --protect detect",
    "axis: torus:3x3 --token-bits 8 --link-bits 8 --link-mode full --axi overlap --protect detect",
    "axis: mesh:2x2 --collective all-reduce --operator xor --token-bits 16 --link-bits 4 --protect detect",
    f"axis: mesh:2x3 --collective all-reduce --operator xor {WIDE} --axi overlap --protect detect",
    "registers: mesh:2x3 --registers wishbone --protect detect",
    "chips: mesh:2x4 --link-mode full --chips 2x2 --link-latency 2",
    "chips: mesh:2x4 --link-mode full --chips 2x2 --link-latency 2 --protect detect",
    "clocks: mesh:2x4 --link-mode full --store narrow --chips 2x2 --clocks own --link-latency 9",
    "clocks: mesh:2x4 --link-mode full --store narrow --chips 2x2 --clocks own --link-latency 9 --protect detect",
    "chips: path:3 --token-bits 8 --link-bits 8 --link-mode full --chips 1 --link-latency 2 --protect detect",
    "clocks: path:3 --token-bits 8 --link-bits 8 --link-mode full --chips 1 --clocks own --link-latency 10 --protect detect",
    "serial: path:3 --token-bits 8 --board hx8k --host uart --protect detect",
    f"hosts: mesh:2x3 --collective all-reduce --operator sum {WORDS}",
    f"hosts: mesh:2x3 --collective all-reduce --operator sum {WORDS} --protect detect",
    f"hosts: mesh:2x3 --collective all-reduce --operator sum {WORDS} --protect detect merged",
    f"hosts: mesh:3x3 --collective reduce --operator max {WORDS} --root 4 --protect detect",
    f"hosts: cycle:5 --collective all-reduce --operator xor {WORDS} --protect detect",
    f"hosts: torus:3x3 --collective broadcast {WORDS} --host-words 3 --protect detect",
    f"hosts: mesh:2x2 --collective reduce --operator and {WORDS} --host-words 2 --protect detect",
    f"hosts: mesh:2x3 --collective all-gather {WORDS} --protect detect",
    "hosts: path:3 --collective all-reduce --operator float32 --stream --token-bits 32 --link-bits 32 --protect detect",
    "hosts: mesh:2x2 --collective reduce --operator bfloat16 --stream --token-bits 16 --link-bits 16 --protect detect",
    f"hosts: mesh:2x3 --collective all-reduce --operator saturated {WORDS} --protect detect",
    f"hosts: path:3 --collective all-reduce --operator sum {BLOCKS}",
    f"hosts: path:3 --collective all-reduce --operator sum {BLOCKS} --protect detect",
    f"hosts: path:3 --collective all-reduce --operator sum {BLOCKS} --protect detect merged",
    "hosts: cycle:4 --collective broadcast --stream --token-bits 18 --link-bits 2 --link-latency 1 --protect detect",
    f"hosts: path:3 --collective reduce --operator and {BLOCKS} --root 1 --protect detect",
    f"torus:3x3 --collective all-reduce --operator sum {WIDE}",
    f"torus:3x3 --collective all-reduce --operator sum {WIDE} --protect detect",
    f"torus:3x3 --collective all-reduce --operator sum {WIDE} --protect detect merged",
    f"mesh:2x3 --collective all-reduce --operator xor {WIDE} --link-mode full --link-latency 1 --protect detect",
    f"mesh:2x3 --collective all-gather,all-reduce,barrier --operator sum {WIDE} --protect detect",
    "mesh:2x2 --collective all-to-all --store wide --token-bits 8 --link-bits 8 --protect detect merged",
    "path:3 --collective all-reduce --operator bfloat16 --store wide --token-bits 32 --link-bits 16 --protect detect",
    f"chips: path:4 --collective all-reduce --operator sum {WIDE} --link-mode full --chips 2 --link-latency 2 --protect detect",
    f"clocks: path:3 --collective all-reduce --operator sum {WIDE} --link-mode full --chips 1 --clocks own --link-latency 10 --protect detect",
]

# Checks that are left out, by sed, in a file of the folder's rtl/: the fabric, and the class that must then be refused.
PLANTED = [
    ("serial: path:3 --token-bits 8 --board hx8k --host uart --protect detect", "line", "gfab_host_link.v",
     "(crc_q == RESIDUE)", "(crc_q != {32{1'b1}} & crc_q != 32'd0)"),  # any frame is taken that is not empty
    (f"hosts: path:3 --collective all-reduce --operator sum {WORDS} --protect detect", "store", "gfab_twin_check.v",
     "i_rst ? {BITS{1'b0}}", "1'b1 ? {BITS{1'b0}}"),  # of words that differ nobody is told
    (f"axis: path:2 --collective all-reduce --operator xor {WIDE} --axi overlap --protect detect", "combine",
     "gfab_twin_guard.v", " | (|write_faults)", ""),  # of words that go to a second store
    ("cycle:3 --store ring --token-bits 4 --link-bits 2 --protect detect", "link", "gfab_ring.v",
     "wrote_q & (^checks)", "1'b0"),  # of what is sent and does not come
]
# Those that `--planted --short` leaves out, as they take long.
PLANTED_LONG = [
    (f"mesh:2x3 {RING} --token-bits 8 --link-bits 2 --protect detect", "store", "gfab_ring_checked.v",
     "(odd ^ word_q[BITS+CHECKS-1] ^ (CHECKS % 2 == 1))", "1'b0"),  # of words that are read
    (f"mesh:2x3 {RING} --token-bits 8 --link-bits 2 --protect detect", "node", "gfab_ring_checked.v",
     "far3_q, part3_q", "far3_q, 1'b1"),  # of which word and ring are read
    (f"mesh:2x3 {RING} --token-bits 8 --link-bits 2 --protect detect", "node", "gfab_ring_checked.v",
     "far3_q, part3_q", "1'b1, part3_q"),  # and whose
    (f"mesh:2x3 {RING} --token-bits 8 --link-bits 2 --protect detect", "sequencer", "gfab_ring_pair.v",
     "seen[SEEN-1:0] != seen[SEEN+:SEEN]", "1'b0"),  # of the two counters
    (f"axis: mesh:2x3 --collective all-reduce --operator xor {WIDE} --axi overlap --protect detect", "combine",
     "gfab_twin_guard.v", " | (|write_faults)", ""),  # of words that go to a second store
    ("clocks: path:4 --link-mode full --store narrow --chips 2 --clocks own --link-latency 12", "cable",
     "gfab_chip_states.v", "next_error = 1'b0;\n        end else if (state == FILL",
     "end else if (state == FILL"),  # it stays
    (f"hosts: path:3 --collective all-reduce --operator sum {WORDS} --protect detect", "node", "gfab_twin_check.v",
     "(valid ^ i_valid[PORTS+p])", "1'b0"),  # and of those that are not there
    (f"mesh:2x2 --collective all-reduce --operator sum {WIDE} --protect detect", "link", "gfab_twin_check.v",
     "turns | (|data)", "turns"),  # of words that are read
    (f"mesh:2x2 --collective all-reduce --operator sum {WIDE} --protect detect", "sequencer", "gfab_twin_guard.v",
     ".i_sequencer_fault(differ)", ".i_sequencer_fault(1'b0)"),  # of who is done, and of who is not
    ("mesh:3x3 --gap 5 --schedule tb/lockstep/paths.gfs --protect detect", "node", "gfab_path_node.v",
     " | switch_fault", ""),  # a node passes on what comes in on another lane
    ("clocks: mesh:2x4 --link-mode full --store narrow --chips 2x2 --clocks own --link-latency 9 --protect detect",
     "cable", "gfab_chip_states.v", " | brief", ""),  # a neighbour's valid that is 1 for a cycle starts a chip, and nobody tells
]
