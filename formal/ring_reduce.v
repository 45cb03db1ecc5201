// SPDX-License-Identifier: MIT
//
// A node of a ring fabric that combines, and its counter, as ring.v has it: for every start, reset, load and read of
// the host, and whatever comes over the arc, by induction, hence for any number of runs. Move t of a run is step t %
// STEPS of round t / STEPS, on the block whose home is (step + 1) % LENGTH arcs behind. In the first LENGTH steps what
// comes is added to what the store has of the block, in later ones it is passed on; from the step at home on, but for
// the last one, what comes out is stored, once, and the last step gives nothing. No word is read while it is written
// and then looked at. All nodes being in step, what comes in is what the node before gives: so a block is the sum of
// all nodes' contributions when it is at home, whatever the length of the ring.
//
// What is in the store is joined by see_stores in run.sh.
`default_nettype none

module formal_ring_reduce #(
    parameter LENGTH     = 3,
    parameter ROUNDS     = 2,
    parameter ALL        = 1,
    parameter PLACE_BITS = 2
) (
    input wire                  i_clk,
    input wire                  i_rst,
    input wire                  i_start,
    input wire                  i_load_valid,
    input wire [PLACE_BITS:0]   i_load_address,
    input wire                  i_load_data,
    input wire [PLACE_BITS:0]   i_host_address,
    input wire                  i_link
);
    localparam ADDRESS_BITS = PLACE_BITS + 1; // of two rounds
    localparam STEPS        = ALL ? 2 * LENGTH : LENGTH + 1;
    localparam MOVES        = STEPS * ROUNDS;
    localparam END          = MOVES + 3;

    wire busy, done, read, pass, first, clear, write, link, stored, write_enable, write_data;
    wire [ADDRESS_BITS-1:0] read_address, total_address, write_address;
    gfab_ring_reduce_counter #(
        .LENGTH(LENGTH), .ROUNDS(ROUNDS), .FLITS(1), .ALL(ALL)
    ) u_counter (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(busy), .o_done(done), .o_read(read),
        .o_read_address(read_address), .o_pass(pass), .o_first(first), .o_clear(clear), .o_write(write),
        .o_write_address(total_address)
    );
    gfab_ring_reduce_node #(
        .ADDRESS_BITS(ADDRESS_BITS), .RINGS(1), .LINK_BITS(1)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_address(read_address), .i_pass(pass), .i_first(first),
        .i_clear(clear), .i_write(write), .i_write_address(total_address),
        .i_load_valid(i_load_valid), .i_load_ring(1'b0), .i_load_address(i_load_address), .i_load_data(i_load_data),
        .i_host_address(i_host_address), .i_host_ring(1'b0), .o_host_data(stored), .i_link(i_link), .o_link(link),
        .o_write_enable(write_enable), .o_write_address(write_address), .o_write_data(write_data)
    );

    // The age of a run is 1 in the cycle behind the start, END in that in which o_done rises, then 0.
    reg        started = 0;
    reg  [4:0] age;
    reg        over; // o_done stays
    localparam [4:0] OF = STEPS, AROUND = LENGTH;
    wire [4:0] in = age - 1, at = age - 3, adds = age - 4, out = age - 5, asked = age - 2; // moves, of stages
    wire [4:0] in_step = in % OF, in_place = (in_step + 5'd1) % AROUND, in_round = in / OF;
    wire [4:0] out_step = out % OF, out_place = (out_step + 5'd1) % AROUND, out_round = out / OF;
    wire [4:0] at_step = at % OF, adds_step = adds % OF, asked_step = asked % OF;
    wire       begins  = i_start & (age == 0 || age == END);
    wire       reads   = age != 0 && in < MOVES;
    wire       passes  = age > 2 && at < MOVES && at_step >= LENGTH;
    wire       nothing = !(age > 3 && adds < MOVES) || adds_step == STEPS - 1;
    wire       totals  = age > 4 && out < MOVES && out_step >= LENGTH - 1 && out_step < STEPS - 1;
    wire [PLACE_BITS-1:0]   read_place  = in_place[PLACE_BITS-1:0];
    wire [PLACE_BITS-1:0]   write_place = out_place[PLACE_BITS-1:0];
    wire                    read_round  = in_round[0];
    wire                    write_round = out_round[0];

    reg  [(1<<ADDRESS_BITS)-1:0] has, known; // the store, as far as it was written with what is known
    reg  [ADDRESS_BITS-1:0] asked_q, place_q;
    reg                     host_q, given, given_known, operand, operand_known, result, result_known;
    reg                     enable_q, data_q, data_known;

    always @(posedge i_clk) begin
        started <= 1;
        age     <= i_rst ? 0 : begins ? 1 : (age == 0 || age == END) ? 0 : age + 1;
        over    <= ~i_rst & ~begins & (over | age == END);
        asked_q <= reads ? {read_place, read_round} : i_host_address;
        host_q  <= ~reads;
        given   <= has[asked_q];
        given_known   <= started & known[asked_q] & ~(enable_q & place_q == asked_q);
        operand       <= passes ? 0 : given;
        operand_known <= passes | given_known;
        result        <= (i_rst | nothing) ? 0 : i_link ^ operand;
        result_known  <= i_rst | nothing | operand_known;
        enable_q   <= (totals | i_load_valid) & ~i_rst;
        place_q    <= totals ? {write_place, write_round} : i_load_address;
        data_q     <= i_load_valid ? i_load_data : result;
        data_known <= started & (i_load_valid | result_known);
        if (~started)
            known <= 0;
        else if (enable_q) begin
            has[place_q]   <= data_q;
            known[place_q] <= data_known;
        end

        assume (started || i_rst);
        assume (!i_load_valid || age == 0);
        if (started) begin
            assert (age <= END && (!over || age == 0));
            assert (busy == (age != 0) && done == (over || age == END));
            assert (read == reads && (!reads || read_address == {read_place, read_round}));
            assert (reads || read_address == 2); // {1, 0}
            assert (pass == passes && clear == nothing && write == totals);
            assert (!totals || total_address == {write_place, write_round});
            assert (!given_known || stored == given);
            assert (!result_known || link == result);
            assert (write_enable == enable_q && (!enable_q || write_address == place_q));
            assert (!(enable_q && data_known) || write_data == data_q);
            // Of what a run adds and looks at nothing was written at the edge at which it was read.
            assert (host_q || !enable_q || place_q != asked_q || age < 2 || asked_step >= LENGTH);
            cover (age == END && begins && totals && result_known && result);
            cover (age == 6 && result_known && link);
        end
    end

    formal_ring_words #(
        .COUNT(1 << ADDRESS_BITS)
    ) u_words (
        .i_clk(i_clk), .i_started(started), .i_has(has), .i_known(known)
    );
endmodule

`default_nettype wire
