@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: the links that leave a chip.
@IF OWN_CLOCK@
    // Cables to other chips.
@FOR CABLES@
    wire [@CABLE_LINKS@*@LINK_BITS@-1:0] to_@FAR_CHIP@, from_@FAR_CHIP@;
    assign valids[@CABLE@] = i_valid_@FAR_CHIP@;
    gfab_cable #(.WIRES(@CABLE_LINKS@*@LINK_BITS@), .ENTRIES(ENTRIES)) u_cable_@FAR_CHIP@ (
        .i_clk(i_clk), .i_link(to_@FAR_CHIP@), .o_link(from_@FAR_CHIP@), .i_valid(valid), .i_read(read),
        .i_entry(entry), .i_phase(phase), .o_fault(faults[@CABLE@]),
        .o_pad_clk(o_clock_@FAR_CHIP@), .o_pad_valid(o_valid_@FAR_CHIP@), .o_pad(o_flits_@FAR_CHIP@),
        .i_pad_clk(i_clock_@FAR_CHIP@), .i_pad_valid(i_valid_@FAR_CHIP@), .i_pad(i_flits_@FAR_CHIP@)
    );
@END@
@FOR CUTS@
    assign to_@FAR_CHIP@[@IN_CABLE@*@LINK_BITS@+:@LINK_BITS@] = cut_out[@PAD@*@LINK_BITS@+:@LINK_BITS@];
    assign cut_in[@PAD@*@LINK_BITS@+:@LINK_BITS@] = from_@FAR_CHIP@[@IN_CABLE@*@LINK_BITS@+:@LINK_BITS@];
@END@
@ELSE@
    // Links to other chips.
@FOR CUTS@
@IF FULL_DUPLEX@
    gfab_pad_duplex #(.LINK_BITS(@LINK_BITS@), .LATENCY(@LATENCY_CYCLES@)) u_pad_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_link(cut_out[@PAD@*@LINK_BITS@+:@LINK_BITS@]),
        .o_link(cut_in[@PAD@*@LINK_BITS@+:@LINK_BITS@]), .o_pad(o_link_@LINK@), .i_pad(i_link_@LINK@)
    );
@ELSE@
    gfab_pad_link #(.LINK_BITS(@LINK_BITS@), .LATENCY(@LATENCY_CYCLES@)) u_pad_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_link(cut_out[@PAD@*@LINK_BITS@+:@LINK_BITS@]),
        .i_drive(cut_drive[@PAD@]),
        .o_link(cut_in[@PAD@*@LINK_BITS@+:@LINK_BITS@]), .io_pad(io_link_@LINK@),
        .o_trace_drive(o_trace_pad_drive[@PAD@])
    );
@END@
@END@
@END@
