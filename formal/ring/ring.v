// SPDX-License-Identifier: MIT
//
// A node of a ring fabric whose store is in the loop, and the counter, for every start, reset, load and read of the
// host, for whatever comes over the arc, and for every length of the ring from 3 nodes to 2^PLACE_BITS. By induction,
// hence for any number of runs. Time is one number here, the
// age of a run, and which word has its turn follows by division: word t of a run, t = 0 .. steps * WORDS - 1, goes out
// two cycles behind the one that reads it as the store has it at {t / WORDS, t % WORDS}, and what comes in then is
// stored at {t / WORDS + 1, t % WORDS}, once, and nothing else but what the host loads. No word is read while it is
// written, since a store gives anything then. All nodes being in step, what comes in is what the node before gives: so
// after D steps a node has what was loaded D arcs behind it.
//
// What is in the store is joined by see_stores in run.sh.
`default_nettype none

module formal_ring #(
    parameter WORDS      = 2,
    parameter REGISTERED = 0,
    parameter PLACE_BITS = 4,
    parameter WORD_BITS  = WORDS > 2 ? 2 : 1
) (
    input wire                  i_clk,
    input wire                  i_rst,
    input wire                  i_start,
    input wire [PLACE_BITS-1:0] i_last, // place: any, and always the same
    input wire                  i_load_valid,
    input wire [WORD_BITS-1:0]  i_load_word,
    input wire                  i_load_data,
    input wire [PLACE_BITS-1:0] i_distance,
    input wire [WORD_BITS-1:0]  i_host_word,
    input wire                  i_link
);
    localparam ADDRESS_BITS = PLACE_BITS + WORD_BITS;
    localparam AGE_BITS     = ADDRESS_BITS + 1;
    localparam [AGE_BITS-1:0] OF = WORDS, OVERHEAD = REGISTERED ? 3 : 2;

    reg  [PLACE_BITS-1:0] last;
    wire [AGE_BITS-1:0]   moves = ({{(WORD_BITS+1){1'b0}}, i_last} + 1'b1) * OF;
    wire [AGE_BITS-1:0]   ends  = moves + OVERHEAD;

    wire                    busy, done, read, write, link, write_enable, write_data;
    wire [PLACE_BITS-1:0]   read_place, write_place;
    wire [WORD_BITS-1:0]    read_word, write_word;
    wire [ADDRESS_BITS-1:0] write_address;
    gfab_ring_counter #(
        .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .REGISTERED(REGISTERED), .SHIFTS(0)
    ) u_counter (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_last_place(i_last), .o_busy(busy), .o_done(done),
        .o_read(read), .o_read_place(read_place), .o_read_word(read_word),
        .o_write(write), .o_write_place(write_place), .o_write_word(write_word)
    );
    gfab_ring_node #(
        .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .RINGS(1), .LINK_BITS(1), .REGISTERED(REGISTERED)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_place(read_place), .i_read_word(read_word),
        .i_write(write), .i_write_place(write_place), .i_write_word(write_word),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_distance(i_distance), .i_host_word(i_host_word), .i_link(i_link), .o_link(link),
        .o_write_enable(write_enable), .o_write_address(write_address), .o_write_data(write_data)
    );

    // The age of a run is 1 in the cycle behind the start, `ends` in that in which o_done rises, then 0.
    reg        started = 0;
    reg                 over; // o_done stays
    reg  [AGE_BITS-1:0] age;
    wire [AGE_BITS-1:0] out = age - 3; // which word is on the arc
    wire [AGE_BITS-1:0] in  = age - 1; // which is read
    wire [AGE_BITS-1:0] in_place = in / OF, in_word = in % OF, out_place = out / OF + 1'b1, out_word = out % OF;
    wire       begins = i_start & (age == 0 || age == ends);
    wire       reads  = age != 0 && in < moves;
    wire       goes   = age > 2 && out < moves;

    // What is to be written, at once or a cycle later, and what is read two cycles later.
    wire [ADDRESS_BITS-1:0] goes_to = goes ? {out_place[PLACE_BITS-1:0], out_word[WORD_BITS-1:0]} : i_load_word;
    wire                    puts    = goes | i_load_valid;
    wire                    what    = goes ? i_link : i_load_data;
    reg                     puts_q, what_q;
    reg  [ADDRESS_BITS-1:0] goes_to_q, asked_q;
    reg                     host_q; // the host asked
    wire                    enable = REGISTERED ? puts_q : puts;
    wire [ADDRESS_BITS-1:0] place  = REGISTERED ? goes_to_q : goes_to;
    wire                    data   = REGISTERED ? what_q : what;
    reg  [(1<<ADDRESS_BITS)-1:0] has, known;               // the store, as far as it was written
    reg                     given, given_known;

    always @(posedge i_clk) begin
        started   <= 1;
        last      <= i_last;
        age       <= i_rst ? 0 : begins ? 1 : (age == 0 || age == ends) ? 0 : age + 1;
        over      <= ~i_rst & ~begins & (over | age == ends);
        puts_q    <= puts & ~i_rst;
        goes_to_q <= goes_to;
        what_q    <= what;
        asked_q   <= reads ? {in_place[PLACE_BITS-1:0], in_word[WORD_BITS-1:0]} : {i_distance, i_host_word};
        host_q    <= ~reads;
        given     <= has[asked_q];
        given_known <= started & known[asked_q] & ~((host_q | age == 0) & enable & place == asked_q);
        if (~started)
            known <= 0;
        else if (enable) begin
            has[place]   <= data;
            known[place] <= 1;
        end

        assume (started || i_rst);
        assume (i_last != 0 && i_last != {PLACE_BITS{1'b1}} && (!started || i_last == last));
        assume (!i_load_valid || (age == 0 && i_load_word < WORDS));
        if (started) begin
            assert (age <= ends && (!over || age == 0));
            assert (busy == (age != 0) && done == (over || age == ends));
            assert (read == reads && (!reads || (read_place == in_place && read_word == in_word)));
            assert (reads || (read_place == 0 && read_word == 0));
            assert (write == goes && (goes || write_place == 0));
            assert (!goes || (write_place == out_place && write_word == out_word));
            assert (write_enable == enable);
            assert (!enable || (write_address == place && write_data == data));
            assert (!given_known || link == given);
            cover (age == ends && begins && given_known);
            cover (age == 1 && puts_q && over == 0 && known[0]);
        end
    end

    formal_ring_words #(
        .COUNT(1 << ADDRESS_BITS)
    ) u_words (
        .i_clk(i_clk), .i_started(started), .i_has(has), .i_known(known)
    );
endmodule

// The words of a store are those that a proof says, as far as it knows them.
module formal_ring_words #(
    parameter COUNT = 8,
    parameter BITS  = 1 // of a word
) (
    input wire                  i_clk,
    input wire                  i_started,
    input wire [COUNT*BITS-1:0] i_has,
    input wire [COUNT-1:0]      i_known
);
    genvar a;
    generate
        for (a = 0; a < COUNT; a = a + 1) begin : gen_word
            (* keep *) wire [BITS-1:0] word;
            always @(posedge i_clk)
                if (i_started)
                    assert (!i_known[a] || word == i_has[a*BITS+:BITS]);
        end
    endgenerate
endmodule

`default_nettype wire
