@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: what is checked between chips.

    // What leaves the chip and comes from others: on pads and on their way to the nodes.
    wire [@CROSSINGS@-1:0] pad_faults, pad_balances;
@IF OWN_CLOCK@
    wire transfer_fault = (|pad_faults) | (|faults) | differ;
@ELSE@
    wire tag, come_tag, watch;
    wire transfer_fault = |pad_faults;
    gfab_chip_beat #(.LATENCY(@LATENCY_CYCLES@)) u_beat (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(o_busy), .o_tag(tag), .o_come_tag(come_tag), .o_watch(watch)
    );
@END@

