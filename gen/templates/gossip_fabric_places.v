@# SPDX-License-Identifier: MIT
@# Where the host finds blocks, in the loop over nodes of gossip_fabric.v.
@IF PROTECT@
            wire node_fault, node_alarm, place_fault;
            assign o_fault[v]     = node_fault | place_fault;
            assign node_alarms[v] = node_alarm | place_fault;
@END@
            gfab_places #(
                .FILE({"@ROM_FOLDER@/places_", NAME, ".hex"}), .READS(@READS@), .SLOT_BITS(SLOT_BITS)@CHECKS@
            ) u_places (
@IF PROTECT@
                .i_clk(i_clk), .i_rst(@RST@), .i_host_reads(reads), .o_fault(place_fault),
@ELSE@
                .i_clk(i_clk), .i_rst(@RST@), .i_host_reads(1'b0), .o_fault(),
@END@
                .i_token(i_read_token[v*@SLOT_BITS@+:@SLOT_BITS@]), .o_slot(read_slot)
            );
