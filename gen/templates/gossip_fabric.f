@# SPDX-License-Identifier: MIT
// The sources of gossip_fabric: iverilog -g2005 -c gossip_fabric.f, or verilator -f gossip_fabric.f.
+incdir+rtl
gossip_fabric.v
@FOR MODULES@
@FILE@
@END@
