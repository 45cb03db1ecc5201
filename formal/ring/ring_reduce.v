// SPDX-License-Identifier: MIT
//
// A node of a ring fabric that combines, and its counter, as ring.v has it: for every start, reset, load and read of
// the host, for whatever comes over the arc, and for every length N of the ring from 3 nodes to 2^PLACE_BITS. By
// induction, hence for any number of runs. Here a run is two rounds of STEPS steps of FLITS flits, counted by a flit, a
// step and a round. In step t the node works on the block whose home is (t + 1) % N arcs behind. In the first N steps
// what comes is added to what the store has of the block, in later ones it is passed on. From the step at home on, but
// for the last one, what comes out is stored, once, and the last step gives nothing. No word is read while it is
// written and then looked at. All nodes being in step, what comes in is what the node before gives: so a block is the
// sum of all nodes' contributions when it is at home, whatever the length of the ring.
//
// A block of several flits is a sum of several words: the carry of a flit goes to the next one, and none goes into the
// first. What goes on to the next node is what came out FLITS - 1 cycles before, so that a hop is FLITS cycles.
//
// What is in the store is joined by see_stores in run.sh.
`default_nettype none

module formal_ring_reduce #(
    parameter ALL          = 1,
    parameter PLACE_BITS   = 4,
    parameter FLITS        = 1,
    parameter FLIT_BITS    = FLITS > 2 ? 2 : FLITS - 1, // 1, 2, 3 or 4 flits
    parameter ADDRESS_BITS = PLACE_BITS + 1 + FLIT_BITS // of two rounds
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire                    i_start,
    input  wire [PLACE_BITS-1:0]   i_last, // place: any, and always the same
    input  wire                    i_load_valid,
    input  wire [ADDRESS_BITS-1:0] i_load_address,
    input  wire                    i_load_data,
    input  wire [ADDRESS_BITS-1:0] i_host_address,
    input  wire                    i_link
);
    localparam STEP_BITS    = PLACE_BITS + 2;
    localparam TIME_BITS    = STEP_BITS + 4;
    localparam [STEP_BITS-1:0] ONE       = 1;
    localparam [1:0]           LAST_FLIT = FLITS - 1;
    localparam                 LAST_LINE = FLITS > 1 ? FLITS - 2 : 0;

    reg  [PLACE_BITS-1:0] last;
    wire [STEP_BITS-1:0]  length = {2'b00, i_last} + ONE;
    wire [STEP_BITS-1:0]  steps  = ALL ? length << 1 : length + ONE; // of a round

    wire busy, done, read, pass, first, clear, write, link, stored, write_enable, write_data;
    wire [ADDRESS_BITS-1:0] read_address, total_address, write_address;
    gfab_ring_reduce_counter #(
        .PLACE_BITS(PLACE_BITS), .ROUNDS(2), .FLITS(FLITS), .ALL(ALL)
    ) u_counter (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_last_place(i_last), .o_busy(busy), .o_done(done),
        .o_read(read), .o_read_address(read_address), .o_pass(pass), .o_first(first), .o_clear(clear), .o_write(write),
        .o_write_address(total_address)
    );
    gfab_ring_reduce_node #(
        .ADDRESS_BITS(ADDRESS_BITS), .RINGS(1), .LINK_BITS(1), .FLITS(FLITS)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_address(read_address), .i_pass(pass), .i_first(first),
        .i_clear(clear), .i_write(write), .i_write_address(total_address),
        .i_load_valid(i_load_valid), .i_load_ring(1'b0), .i_load_address(i_load_address), .i_load_data(i_load_data),
        .i_host_address(i_host_address), .i_host_ring(1'b0), .o_host_data(stored), .i_link(i_link), .o_link(link),
        .o_write_enable(write_enable), .o_write_address(write_address), .o_write_data(write_data)
    );

    // The age of a run is 1 in the cycle behind the start, `ends` in that in which o_done rises, then 0. Of ages 1 to
    // `moves` each is a move: `flit`, `step` and `round` say which. What was a move 1 to 4 cycles ago is in a line
    // behind it.
    reg                    started = 0;
    reg  [TIME_BITS-1:0]   age;
    reg                    over; // o_done stays
    wire [TIME_BITS-1:0]   round_moves = {{(TIME_BITS-STEP_BITS){1'b0}}, steps} * FLITS;
    wire [TIME_BITS-1:0]   moves  = round_moves << 1;
    wire [TIME_BITS-1:0]   ends   = moves + 3;
    wire                   begins = i_start & (age == 0 || age == ends);
    wire                   reads  = age != 0 && age <= moves;
    reg  [1:0]             flit;
    reg  [STEP_BITS-1:0]   step;
    reg                    round;
    reg  [4*STEP_BITS-1:0] steps_q; // of the moves before, the one before last
    reg  [7:0]             flits_q;
    reg  [3:0]             moves_q, rounds_q;
    wire [STEP_BITS-1:0]   asked_step = steps_q[0+:STEP_BITS], at_step = steps_q[STEP_BITS+:STEP_BITS],
                           adds_step = steps_q[2*STEP_BITS+:STEP_BITS], out_step = steps_q[3*STEP_BITS+:STEP_BITS];

    function [PLACE_BITS-1:0] home; // how far behind
        input [STEP_BITS-1:0] of_step, of_length;
        reg   [STEP_BITS-1:0] place;
        begin
            place = of_step + ONE;
            if (place >= of_length)
                place = place - of_length;
            if (place >= of_length)
                place = place - of_length;
            home = place[PLACE_BITS-1:0];
        end
    endfunction
    function [ADDRESS_BITS-1:0] address_of;
        input [PLACE_BITS-1:0] place;
        input                  of_round;
        input [1:0]            of_flit;
        address_of = ({place, of_round} << FLIT_BITS) | of_flit;
    endfunction
    wire [ADDRESS_BITS-1:0] reads_at  = address_of(home(step, length), round, flit);
    wire [ADDRESS_BITS-1:0] writes_at = address_of(home(out_step, length), rounds_q[3], flits_q[7:6]);
    wire                    passes    = moves_q[1] && at_step >= length;
    wire                    nothing   = !moves_q[2] || adds_step == steps - ONE;
    wire                    opens     = flits_q[5:4] == 0; // a block, as its first flit is added
    wire                    totals    = moves_q[3] && out_step >= length - ONE && out_step < steps - ONE;

    reg  [(1<<ADDRESS_BITS)-1:0] has, known; // the store, as far as it was written with what is known
    reg  [ADDRESS_BITS-1:0] asked_q, place_q;
    reg                     host_q, given, given_known, operand, operand_known, result, result_known;
    reg                     enable_q, data_q, data_known;
    reg                     carry, carry_known; // of the flit before
    reg  [3:0]              line, line_known;   // of results before, the last one lowest
    wire                    adds       = (FLITS > 1) && !opens && carry;
    wire                    adds_known = (FLITS == 1) || opens || carry_known;

    always @(posedge i_clk) begin
        started  <= 1;
        last     <= i_last;
        age      <= i_rst ? 0 : begins ? 1 : (age == 0 || age == ends) ? 0 : age + 1;
        over     <= ~i_rst & ~begins & (over | age == ends);
        flit     <= (i_rst || !reads || flit == LAST_FLIT) ? 0 : flit + 1;
        step     <= (i_rst || !reads) ? 0 : flit != LAST_FLIT ? step : step == steps - ONE ? 0 : step + ONE;
        round    <= ~i_rst & reads & age != moves & (round | (flit == LAST_FLIT && step == steps - ONE));
        flits_q  <= {flits_q[5:0], flit};
        steps_q  <= {steps_q[0+:3*STEP_BITS], step};
        moves_q  <= {moves_q[2:0], reads} & {4{~i_rst}};
        rounds_q <= {rounds_q[2:0], round};

        asked_q <= reads ? reads_at : i_host_address;
        host_q  <= ~reads;
        given   <= has[asked_q];
        given_known   <= started & known[asked_q] & ~(enable_q & place_q == asked_q);
        operand       <= passes ? 0 : given;
        operand_known <= passes | given_known;
        result        <= (i_rst | nothing) ? 0 : i_link ^ operand ^ adds;
        result_known  <= i_rst | nothing | (operand_known & adds_known);
        carry         <= (i_rst | nothing) ? 0 : (i_link & operand) | (i_link & adds) | (operand & adds);
        carry_known   <= i_rst | nothing | (operand_known & adds_known);
        line          <= i_rst ? 0 : {line[2:0], result};
        line_known    <= i_rst ? 4'hf : {line_known[2:0], result_known};
        enable_q   <= (totals | i_load_valid) & ~i_rst;
        place_q    <= totals ? writes_at : i_load_address;
        data_q     <= i_load_valid ? i_load_data : result;
        data_known <= started & (i_load_valid | result_known);
        if (~started)
            known <= 0;
        else if (enable_q) begin
            has[place_q]   <= data_q;
            known[place_q] <= data_known;
        end

        assume (started || i_rst);
        assume (i_last > 1 && (!started || i_last == last));
        assume (!i_load_valid || age == 0);
        if (started) begin
            assert (age <= ends && (!over || age == 0));
            assert (flit <= LAST_FLIT && step < steps && (reads || (flit == 0 && step == 0 && !round)));
            assert (!reads || age == step * FLITS + flit + 1 + (round ? round_moves : 0));
            assert (busy == (age != 0) && done == (over || age == ends));
            assert (read == reads && (!reads || read_address == reads_at));
            assert (reads || read_address == 2 << FLIT_BITS); // the first step's
            assert (pass == passes && clear == nothing && write == totals);
            assert (!totals || total_address == writes_at);
            assert (!given_known || stored == given);
            assert (FLITS > 1 ? !line_known[LAST_LINE] || link == line[LAST_LINE] : !result_known || link == result);
            assert (write_enable == enable_q && (!enable_q || write_address == place_q));
            assert (!(enable_q && data_known) || write_data == data_q);
            // Of what a run adds and looks at nothing was written at the edge at which it was read.
            assert (host_q || !enable_q || place_q != asked_q || age < 2 || asked_step >= length);
            cover (age == ends && begins && (FLITS > 1 || (totals && result_known && result)));
            if (FLITS > 1)
                cover (totals && rounds_q[3] && flits_q[7:6] == LAST_FLIT && result_known && result);
            cover (age == 5 + FLITS && link);
            cover (age == 2 && i_last == {PLACE_BITS{1'b1}});
        end
    end

    formal_ring_words #(
        .COUNT(1 << ADDRESS_BITS)
    ) u_words (
        .i_clk(i_clk), .i_started(started), .i_has(has), .i_known(known)
    );
endmodule

`default_nettype wire
