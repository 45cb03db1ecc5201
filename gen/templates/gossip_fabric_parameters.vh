@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
`ifndef GOSSIP_FABRIC_PARAMETERS_VH
`define GOSSIP_FABRIC_PARAMETERS_VH
@FOR NUMBERS@
// @MEANING@
`define GF_@NAME@ @VALUE@
@END@
// 1 for each node that takes part, node 0 last
`define GF_ALIVE @NODES@'b@ALIVE@
`endif
