@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: the links that leave a chip, by cables, each way, or turned.
@FOR CABLES@
    wire [@CABLE_LINKS@*@FLIT_BITS@-1:0] to_@FAR_CHIP@, from_@FAR_CHIP@;
    wire [@CABLE_LINKS@*@FLIT_BITS@@CHECK@-1:0] out_@FAR_CHIP@, in_@FAR_CHIP@;
    assign valids[@CABLE@] = i_valid_@FAR_CHIP@;
@IF PROTECT@
    gfab_pad_check #(.WIRES(@CABLE_LINKS@*@FLIT_BITS@)) u_check_@FAR_CHIP@ (
        .i_clk(i_clk), .i_busy(o_busy), .i_link(to_@FAR_CHIP@), .o_link(from_@FAR_CHIP@), .o_far(out_@FAR_CHIP@),
        .i_far(in_@FAR_CHIP@), .i_tag(tag), .i_come_tag(come_tag), .i_watch(watch),
        .o_fault(pad_faults[@CABLE@]), .o_balance(pad_balances[@CABLE@])
    );
@ELSE@
    assign out_@FAR_CHIP@ = to_@FAR_CHIP@;
    assign from_@FAR_CHIP@ = in_@FAR_CHIP@;
@END@
    gfab_cable #(.WIRES(@CABLE_LINKS@*@FLIT_BITS@@CHECK@), .ENTRIES(ENTRIES)) u_cable_@FAR_CHIP@ (
        .i_clk(i_clk), .i_link(out_@FAR_CHIP@), .o_link(in_@FAR_CHIP@), .i_valid(valid), .i_read(read),
        .i_entry(entry), .i_phase(phase), .o_fault(faults[@CABLE@]),
        .o_pad_clk(o_clock_@FAR_CHIP@), .o_pad_valid(o_valid_@FAR_CHIP@), .o_pad(o_flits_@FAR_CHIP@),
        .i_pad_clk(i_clock_@FAR_CHIP@), .i_pad_valid(i_valid_@FAR_CHIP@), .i_pad(i_flits_@FAR_CHIP@)
    );
@END@
@FOR CUTS_IN_CABLES@
    assign to_@FAR_CHIP@[@IN_CABLE@*@FLIT_BITS@+:@FLIT_BITS@] = cut_out[@PAD@*@FLIT_BITS@+:@FLIT_BITS@];
    assign cut_in[@PAD@*@FLIT_BITS@+:@FLIT_BITS@] = from_@FAR_CHIP@[@IN_CABLE@*@FLIT_BITS@+:@FLIT_BITS@];
@END@
@FOR CUTS_EACH_WAY@
    wire [@FLIT_BITS@@CHECK@-1:0] out_@LINK@, in_@LINK@;
@IF PROTECT@
    gfab_pad_check #(.WIRES(@FLIT_BITS@)) u_check_@LINK@ (
        .i_clk(i_clk), .i_busy(o_busy), .i_link(cut_out[@PAD@*@FLIT_BITS@+:@FLIT_BITS@]),
        .o_link(cut_in[@PAD@*@FLIT_BITS@+:@FLIT_BITS@]), .o_far(out_@LINK@), .i_far(in_@LINK@),
        .i_tag(tag), .i_come_tag(come_tag), .i_watch(watch),
        .o_fault(pad_faults[@PAD@]), .o_balance(pad_balances[@PAD@])
    );
@ELSE@
    assign out_@LINK@ = cut_out[@PAD@*@FLIT_BITS@+:@FLIT_BITS@];
    assign cut_in[@PAD@*@FLIT_BITS@+:@FLIT_BITS@] = in_@LINK@;
@END@
    gfab_pad_duplex #(.LINK_BITS(@FLIT_BITS@@CHECK@), .LATENCY(@LATENCY_CYCLES@)) u_pad_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_link(out_@LINK@), .o_link(in_@LINK@),
        .o_pad(o_link_@LINK@), .i_pad(i_link_@LINK@)
    );
@END@
@FOR CUTS_TURNED@
    gfab_pad_link #(.LINK_BITS(@FLIT_BITS@), .LATENCY(@LATENCY_CYCLES@)) u_pad_@LINK@ (
        .i_clk(i_clk), .i_rst(i_rst), .i_link(cut_out[@PAD@*@FLIT_BITS@+:@FLIT_BITS@]),
        .i_drive(cut_drive[@PAD@]),
        .o_link(cut_in[@PAD@*@FLIT_BITS@+:@FLIT_BITS@]), .io_pad(io_link_@LINK@),
        .o_trace_drive(`GFAB_TRACED(o_trace_pad_drive[@PAD@]))
    );
@END@
