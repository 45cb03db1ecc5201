@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v: the ports of the fabric and its twin.
        .i_clk(i_clk), .i_rst({twin_rst, reset}), .i_start({twin_start, starts}), .i_hold({twin_hold, hold}),
        .i_clear({twin_clear, clear}), .o_busy(busy), .o_done(done), .i_program({twin_program, program_number}),
        .i_operator(3'd0), .i_transfer_fault(1'b0), .i_transfer_balance(1'b0), .o_fault(), .o_error(),
        .o_error_what(), .o_error_nodes(), .o_error_round(rounds),
        .i_load_valid({twin_load_valid, i_load_valid}), .i_load_word({twin_load_word, i_load_word}),
        .i_load_data({twin_load_data, i_load_data}), .i_read_token({twin_read_token, i_read_token}),
        .i_read_word({twin_read_word, i_read_word}), .o_read_data({twin_read_data, o_read_data}),
        .o_collides(collides),
        .i_give_valid(1'b0), .o_give_ready(), .i_give_data(@LINK_BITS@'d0), .i_give_last(1'b0), .o_take_valid(),
        .i_take_ready(1'b0), .o_take_data(), .o_take_last(), .o_late(), .o_uneven(),
        .o_trace_check(),
@IF CHIP@
        .i_cut({twin_cut_in, cut_in}), .o_cut({twin_cut_out, cut_out}), .o_cut_drive({twin_cut_drive, cut_drive}),
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data()
    );
@ELSE@
        .i_cut(1'b0), .o_cut(), .o_cut_drive(),
@IF OVERLAP@
        .o_trace_link({twin_trace_link, o_trace_link}), .o_trace_drive({twin_trace_drive, o_trace_drive}),
        .o_trace_write({twin_trace_write, o_trace_write}), .o_trace_address({twin_trace_address, o_trace_address}),
        .o_trace_data({twin_trace_data, o_trace_data})
@ELSE@
        .o_trace_link(`GFAB_TRACED_TWINS(twin_trace_link, o_trace_link)),
        .o_trace_drive(`GFAB_TRACED_TWINS(twin_trace_drive, o_trace_drive)),
        .o_trace_write(`GFAB_TRACED_TWINS(twin_trace_write, o_trace_write)),
        .o_trace_address(`GFAB_TRACED_TWINS(twin_trace_address, o_trace_address)),
        .o_trace_data(`GFAB_TRACED_TWINS(twin_trace_data, o_trace_data))
@END@
    );
@END@
