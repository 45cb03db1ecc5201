@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: where a chip has a clock of its own.

    // Other chips: when this one starts, and what it reads from its cables.
    localparam ENTRIES    = @ENTRIES@; // of a cable's buffer
    localparam CABLES     = @CABLES@;
    wire                  start, stop, gossip_done, valid, read, phase;
    wire [@ENTRY_BITS@-1:0] entry;
    wire [CABLES-1:0]     valids, faults;
@IF PROTECT@
    wire                  differ, chip_error, fabric_error, tag, come_tag, watch;
    assign o_error = chip_error | fabric_error;
@END@
    gfab_chip_reset@CHECKS_ALONE@ u_reset (
        .i_clk(i_clk), .i_rst(i_rst), .o_rst(o_rst)
    );
    gfab_chip_control #(
        .CABLES(CABLES), .LATENCY(@LATENCY_CYCLES@), .ENTRIES(ENTRIES),
        .TAIL(@TAIL_CYCLES@), .REST(@REST_CYCLES@)@CHECKS@
    ) u_control (
        .i_clk(i_clk), .i_rst(o_rst), .i_start(@CHIP_START@),
@IF PROTECT@
        .i_faults(faults | {CABLES{fabric_error}}), .o_tag(tag), .o_come_tag(come_tag), .o_watch(watch),
        .o_differ(differ), .o_error(chip_error),
@ELSE@
        .i_faults(faults), .o_tag(), .o_come_tag(), .o_watch(), .o_differ(), .o_error(o_error),
@END@
        .i_valids(valids), .o_start(start), .o_stop(stop), .i_done(gossip_done), .o_valid(valid), .o_read(read),
        .o_entry(entry), .o_phase(phase), .o_busy(o_busy), .o_done(o_done)
    );

