@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
`ifndef GOSSIP_FABRIC_PARAMETERS_VH
`define GOSSIP_FABRIC_PARAMETERS_VH
// the module
`define GF_FABRIC @FABRIC@
@FOR NUMBERS@
// @MEANING@
`define GF_@NAME@ @VALUE@
@END@
`endif
