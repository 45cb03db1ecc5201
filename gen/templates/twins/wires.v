@# SPDX-License-Identifier: MIT
@# Part of gossip_fabric.v, where it is there twice: what it and its twin get and give, {the twin's, the fabric's}.
    wire twin_rst, twin_start, stops;
    wire [@PROGRAM_BITS@-1:0] program_number, twin_program;
@FOR HOST@
    wire @RANGE@twin_@WIRE@;
@END@
    wire [2*@HERE@-1:0] collides;
    wire [1:0] busy, done;
    wire [2*@ROUND_BITS@-1:0] rounds;
    assign program_number = @PROGRAM_PLAYED@;
@IF OWN_CLOCK@
    wire clear = stop | stops, hold = o_busy, reset = o_rst, starts = start;
@ELSE@
    wire clear = stops, hold = 1'b0, reset = i_rst, starts = i_start;
@END@
    wire twin_clear, twin_hold;
@IF CHIP@
    wire [@CUTS@*@FLIT_BITS@-1:0] twin_cut_in, twin_cut_out;
    wire [@CUTS@-1:0] twin_cut_drive;
@END@
@FOR TRACE@
    wire @RANGE@twin_@WIRE@;
@END@
    gfab_apart #(
        .BITS(4 + @PROGRAM_BITS@ + @HERE@ * (1 + @LOAD_BITS@ + @WORD_BITS@ + @SLOT_BITS@ + @INDEX_BITS@))
    ) u_apart (
        .i_wires({reset, starts, clear, hold, program_number, i_load_valid, i_load_word, i_load_data, i_read_token,
                  i_read_word}),
        .o_wires({twin_rst, twin_start, twin_clear, twin_hold, twin_program, twin_load_valid, twin_load_word,
                  twin_load_data, twin_read_token, twin_read_word})
    );
@IF CHIP@
    gfab_apart #(
        .BITS(@CUTS@ * @FLIT_BITS@)
    ) u_apart_cuts (
        .i_wires(cut_in), .o_wires(twin_cut_in)
    );
@END@
    gfab_twin_guard #(
@IF OVERLAP@
        .BANKS(@BANKS@), .ADDRESS_BITS(@TRACE_ADDRESS_BITS@),
@END@
        .NODES(@HERE@), .WORD_BITS(@WORD_BITS@), .CUTS(@CUTS@), .LINK_BITS(@FLIT_BITS@), .ROUND_BITS(@ROUND_BITS@),
        .PROGRAMS(@PROGRAMS@), .PROGRAM_BITS(@PROGRAM_BITS@),
        // Of each node, program 0 last: does it want something?
        .WANTS({
@FOR NODES@
            @WANTS@@COMMA@ // @NODE@
@END@
        })
    ) u_guard (
        .i_clk(i_clk), .i_rst(reset), .i_start(starts), .i_program(program_number), .i_busy(busy), .i_done(done),
        .i_round(rounds),
@IF OVERLAP@
        .i_read_data({2*@NODES@*@WORD_BITS@{1'b0}}), .i_write({twin_trace_write, o_trace_write}),
        .i_write_address({twin_trace_address, o_trace_address}), .i_write_data({twin_trace_data, o_trace_data}),
@ELSE@
        .i_read_data({twin_read_data, o_read_data}), .i_write(2'b00), .i_write_address(2'b00),
        .i_write_data({2*@WORD_BITS@{1'b0}}),
@END@
        .i_collides(collides), .o_stop(stops), .o_fault(o_fault), .o_error_what(o_error_what),
        .o_error_nodes(o_error_nodes), .o_error_round(o_error_round),
@IF CHIP@
        .i_cut_drive({twin_cut_drive, cut_drive}), .i_cut({twin_cut_out, cut_out}),
        .i_transfer_fault(transfer_fault),
@ELSE@
        .i_cut_drive(2'b00), .i_cut({2*@FLIT_BITS@{1'b0}}), .i_transfer_fault(1'b0),
@END@
@IF OWN_CLOCK@
        .i_clear(stop), .o_busy(), .o_done(gossip_done), .o_error(fabric_error)
@ELSE@
        .i_clear(1'b0), .o_busy(o_busy), .o_done(o_done), .o_error(o_error)
@END@
    );

