# SPDX-License-Identifier: MIT
# The bench of chips with clocks of their own. Inputs of synchronisers and entries of buffers are unknown while they
# change.
CHIPS_TOP  := tb_clocks
CHIPS_TB   := tb/tb_clocks.v tb/gossip_clocks.v tb/gfab_chip_host.v tb/gfab_cable_wires.v
CHANGING   := -DGFAB_METASTABLE '-DGFAB_UNSETTLED=\#(1000000)'
