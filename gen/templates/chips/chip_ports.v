@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: what joins a chip to others: cables, or links each way, or such as turn.
@FOR CABLES@
    output wire o_clock_@FAR_CHIP@, o_valid_@FAR_CHIP@, // to chip @FAR_CHIP@, and from it
    output wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] o_flits_@FAR_CHIP@, // links @LINKS_OF_CABLE@, the first lowest
    input  wire i_clock_@FAR_CHIP@, i_valid_@FAR_CHIP@,
    input  wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] i_flits_@FAR_CHIP@,
@END@
@FOR CUTS_EACH_WAY@
    output wire [@FLIT_BITS@@CHECK@-1:0] o_link_@LINK@, // to another chip, and from it
    input  wire [@FLIT_BITS@@CHECK@-1:0] i_link_@LINK@,
@END@
@FOR CUTS_TURNED@
    inout  wire [@FLIT_BITS@-1:0] io_link_@LINK@, // to another chip
@END@
@FOR PAD_TRACE@
    @LINE@
@END@
