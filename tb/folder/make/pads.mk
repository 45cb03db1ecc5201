# SPDX-License-Identifier: MIT
# The bench of several chips with one clock. Pads let go later than they take hold: ends that drive one after the other
# without dead cycles fight.
CHIPS_TOP  := tb_fabric
CHIPS_TB   := tb/tb_fabric.v tb/gossip_chips.v $(wildcard tb/gfab_pad_watch.v)
PADS_any   := '-DGFAB_PAD_DELAY=\#(0,0,3)'
