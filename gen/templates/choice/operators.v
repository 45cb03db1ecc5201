@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: ports of the fabric, and of its twin, to the operators of chains.
@IF CHAINED@
        .o_lefts(lefts), .o_rights(rights), .i_results(results),
@ELSE@
        .o_lefts(), .o_rights(), .i_results(1'b0),
@END@
