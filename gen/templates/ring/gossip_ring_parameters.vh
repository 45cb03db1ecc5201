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
@IF !COMBINES@
// nothing is combined: an item is a token
`define GF_COMBINES 0
`define GF_ROUNDS 1
`define GF_ALL 1
`define GF_STEPS @STEPS@
`define GF_OPERATOR 0
`define GF_PIECES 1
`define GF_BLOCK_BITS @NODE_BITS@
@END@
`endif
