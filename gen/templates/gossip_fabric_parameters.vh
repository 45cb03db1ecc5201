@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
`ifndef GOSSIP_FABRIC_PARAMETERS_VH
`define GOSSIP_FABRIC_PARAMETERS_VH
// the modules
`define GF_FABRIC @FABRIC@
`define GF_FABRIC_AXIS @FABRIC@_axis
@FOR NUMBERS@
// @MEANING@
`define GF_@NAME@ @VALUE@
@END@
// 1 for each node that takes part, node 0 last
`define GF_ALIVE @NODES@'b@ALIVE@
@FOR MACRO@
@ABOVE@`define @NAME@
@END@
`endif
