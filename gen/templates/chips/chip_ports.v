@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: what joins a chip to others.
@IF OWN_CLOCK@
    // cables to other chips
@FOR CABLES@
    output wire o_clock_@FAR_CHIP@, o_valid_@FAR_CHIP@,
    output wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] o_flits_@FAR_CHIP@, // links @LINKS_OF_CABLE@, the first lowest
    input  wire i_clock_@FAR_CHIP@, i_valid_@FAR_CHIP@,
    input  wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] i_flits_@FAR_CHIP@,
@END@
@ELSE@
    // links to other chips
@FOR CUTS@
@IF FULL_DUPLEX@
    output wire [@FLIT_BITS@@CHECK@-1:0] o_link_@LINK@,
    input  wire [@FLIT_BITS@@CHECK@-1:0] i_link_@LINK@,
@ELSE@
    inout  wire [@FLIT_BITS@-1:0] io_link_@LINK@,
@END@
@END@
@END@
@IF !FULL_DUPLEX@
    `GFAB_TRACE_PORT(output wire [@CUTS@-1:0] o_trace_pad_drive) // for test benches: each of these is driven from here
@END@
