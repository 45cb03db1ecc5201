@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
`ifndef GOSSIP_FABRIC_PARAMETERS_VH
`define GOSSIP_FABRIC_PARAMETERS_VH
// the modules
`define GF_FABRIC @FABRIC@
`define GF_FABRIC_AXIS @FABRIC@_axis
@IF OVERLAP@
`define GF_OVERLAP
@END@
@IF WIDE@
`define GF_WIDE_NODES
@END@
@IF PROTECT@
`define GF_PROTECTED
@IF HAS_REGISTERS@
@IF TWINS@
`define GF_GUARD u_guard.u_guard
@ELSE@
`define GF_GUARD u_fabric.gen_guard.u_guard
@END@
@END@
@END@
@FOR NUMBERS@
// @MEANING@
`define GF_@NAME@ @VALUE@
@END@
@IF BOARD@
// with which the lines of the self-test begin; cycles of a gossip that are no fault, 0: any
`define GF_TOPOLOGY "@TOPOLOGY@"
`define GF_TOPOLOGY_LENGTH @TOPOLOGY_LENGTH@
`define GF_EXPECTED_CYCLES @EXPECTED_CYCLES@
@END@
// 1 for each node that takes part, node 0 last
`define GF_ALIVE @NODES@'b@ALIVE@
@IF CHIPS@
// chips do not say what their nodes store
`define GF_UNTRACED
@END@
@IF OWN_CLOCKS@
// chips, and cables from chip 0 to the farthest; of chip 0, with @SLACK_CYCLES@ of slack
`define GF_CHIPS @CHIPS@
`define GF_HOPS @HOPS@
`define GF_CHIP_CYCLES @CHIP_CYCLES@
`define GF_SLACK_CYCLES @SLACK_CYCLES@
@END@
@IF HAS_REGISTERS@
// of the registers
`define GF_FABRIC_REGISTERS @FABRIC@_registers
`define GF_ADDRESS_BITS @ADDRESS_BITS@
`define GF_IDENTITY 32'h@IDENTITY_WORD@
`define GF_OPERATORS @OPERATORS@
@IF AXI_LITE@
`define GF_AXI_LITE
@END@
@END@
@IF STREAMS@
// 8 bits for each host, host 0 last: not 0 where it gives, or takes
`define GF_GIVES {@GIVES_OF@}
`define GF_TAKES {@TAKES_OF@}
@IF WORD_STREAMS@
`define GF_WORD_STREAMS
@END@
@ELSE@
@IF BLOCKS@
// 32 bits for each program, program 0 last: cycles of it
`define GF_CYCLES_OF {@CYCLES_OF@}
// bit (program * NODES + node) * BLOCKS + block: blocks that nodes hold at the start, and that they want
`define GF_HELD @HELD@
`define GF_WANTED @WANTED@
@IF ALL_OPERATORS@
`define GF_ALL_OPERATORS
@END@
@IF CHAINED@
`define GF_CHAINED
`define GF_OPERATOR_MODULE @OPERATOR_MODULE@
@END@
@IF SEVERAL_PROGRAMS@
`define GF_SEVERAL_PROGRAMS
@END@
@IF COMMANDS@
`define GF_COMMANDS
@END@
@END@
@END@
`endif
