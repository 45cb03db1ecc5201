// SPDX-License-Identifier: MIT
//
// A node of a protected ring fabric and its two counters, as ring.v has it: for every start, reset, load and read of
// the host, for whatever comes over the arcs of two rings, and for every length of the ring from 3 nodes to
// 2^PLACE_BITS. By induction, hence for any number of runs. Word f of a step, f = 0 .. STEP - 1, is a word of the token
// below WORDS, and behind these nobody reads. What goes out is what the store has, what comes in is stored a place
// farther, once, and what the host asked for three cycles ago is what the store had. Nobody is told of a fault, as
// there is none. When a run is over every word was written, but those that the host loads. What a node gives of the
// check bits are those of what it sent, and of what came.
//
// With CUT the first counter gives anything (see_stores in run.sh takes its place): then either it is what should be
// given, or o_fault is 1 in the same cycle.
//
// What is in the store, and what the second counter gives, is joined by see_stores, too.
`default_nettype none

module formal_ring_checked #(
    parameter WORDS      = 2,
    parameter STEP       = 3,
    parameter PLACE_BITS = 4,
    parameter CUT        = 0,
    parameter WORD_BITS  = WORDS > 2 ? 2 : 1
) (
    input wire                  i_clk,
    input wire                  i_rst,
    input wire                  i_start,
    input wire [PLACE_BITS-1:0] i_last, // place: any, and always the same
    input wire                  i_load_valid,
    input wire [WORD_BITS-1:0]  i_load_word,
    input wire [1:0]            i_load_data,
    input wire [PLACE_BITS-1:0] i_distance,
    input wire [WORD_BITS-1:0]  i_host_word,
    input wire                  i_ring,
    input wire [1:0]            i_link,
    input wire [2*(PLACE_BITS+WORD_BITS)+3:0] i_any // what the first counter gives, with CUT
);
    localparam ADDRESS_BITS = PLACE_BITS + WORD_BITS;
    localparam COUNT        = 1 << ADDRESS_BITS;
    localparam SEEN         = 2 * ADDRESS_BITS + 4;
    localparam AGE_BITS     = PLACE_BITS + 4;
    localparam [AGE_BITS-1:0] OF = STEP;

    reg  [PLACE_BITS-1:0] last;
    wire [AGE_BITS-1:0]   moves = ({4'd0, i_last} + 1'b1) * OF;
    wire [AGE_BITS-1:0]   ends  = moves + 3;

    wire                    busy, done, read, write, noticed, write_enable, read_data, fault;
    wire [PLACE_BITS-1:0]   read_place, write_place;
    wire [WORD_BITS-1:0]    read_word, write_word;
    wire [ADDRESS_BITS-1:0] write_address;
    wire [1:0]              link, write_data, checks;
    gfab_ring_pair #(
        .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .STEP(STEP)
    ) u_pair (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_last_place(i_last), .o_busy(busy), .o_done(done),
        .o_read(read), .o_read_place(read_place), .o_read_word(read_word),
        .o_write(write), .o_write_place(write_place), .o_write_word(write_word), .o_fault(noticed)
    );
    gfab_ring_checked #(
        .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .RINGS(2), .LINK_BITS(1), .CHECKS(1), .TURNS(1), .BOTH(1)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_place(read_place), .i_read_word(read_word),
        .i_write(write), .i_write_place(write_place), .i_write_word(write_word), .i_over(done & ~busy),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_distance(i_distance), .i_host_word(i_host_word), .i_ring(i_ring), .o_read_data(read_data),
        .i_link(i_link), .o_link(link), .o_write_enable(write_enable), .o_write_address(write_address),
        .o_write_data(write_data), .o_checks(checks), .o_fault(fault)
    );

    // The age of a run is 1 in the cycle behind the start, `ends` in that in which o_done rises, then 0.
    reg                 started = 0;
    reg                 over; // o_done stays
    reg  [AGE_BITS-1:0] age;
    wire [AGE_BITS-1:0] in  = age - 2; // which word of a step is read
    wire [AGE_BITS-1:0] out = age - 4; // which is on the arc
    wire [AGE_BITS-1:0] in_place = in / OF, in_word = in % OF, out_place = out / OF + 1'b1, out_word = out % OF;
    wire                begins = i_start & (age == 0 || age == ends);
    wire                reads  = age > 1 && in < moves && in_word < WORDS;
    wire                goes   = age > 3 && out < moves && out_word < WORDS;
    wire [ADDRESS_BITS-1:0] reads_from = reads ? {in_place[PLACE_BITS-1:0], in_word[WORD_BITS-1:0]} : 0;
    wire [ADDRESS_BITS-1:0] goes_to    = {out_place[PLACE_BITS-1:0], out_word[WORD_BITS-1:0]};
    wire                    quiet      = age < 4; // nothing is on its way in the counter
    (* keep *) wire [SEEN-1:0] second; // what the second counter gives
    wire                       first_right, second_right;
    formal_ring_right #(
        .PLACE_BITS(PLACE_BITS), .WORD_BITS(WORD_BITS)
    ) u_first (
        .i_given({busy, done, read, read_place, read_word, write, write_place, write_word}), .i_busy(age != 0),
        .i_done(over || age == ends), .i_reads(reads), .i_reads_from(reads_from), .i_goes(goes), .i_goes_to(goes_to),
        .i_quiet(quiet), .o_right(first_right)
    ), u_second (
        .i_given(second), .i_busy(age != 0), .i_done(over || age == ends), .i_reads(reads), .i_reads_from(reads_from),
        .i_goes(goes), .i_goes_to(goes_to), .i_quiet(quiet), .o_right(second_right)
    );

    // What is written, and what is read: at the store, a cycle later, and two, when it is at the arcs and the host.
    wire                    puts  = goes | i_load_valid;
    wire [ADDRESS_BITS-1:0] place = goes ? goes_to : i_load_word;
    wire [1:0]              what  = goes ? i_link : i_load_data;
    reg  [ADDRESS_BITS-1:0] named_q; // a ring that goes forwards is asked for with all bits turned over
    reg  [2:0]              rings_q;
    wire [ADDRESS_BITS-1:0] asked = reads ? reads_from : named_q;
    reg  [3*COUNT-1:0]      has; // the store, as far as it was written: a check bit, odd, and a flit of each ring
    reg  [COUNT-1:0]        known;
    reg  [2:0]              given, word;
    reg                     given_known, word_known, goes_q, sent_q, sent_known;
    reg  [1:0]              what_q, tested_q;

    always @(posedge i_clk) begin
        started <= 1;
        last    <= i_last;
        age     <= i_rst ? 0 : begins ? 1 : (age == 0 || age == ends) ? 0 : age + 1;
        over    <= ~i_rst & ~begins & (over | age == ends);
        named_q <= {i_distance ^ {PLACE_BITS{~i_ring}}, i_host_word};
        rings_q <= {rings_q[1:0], i_ring};
        given   <= has[3*asked+:3];
        given_known <= started & known[asked] & ~(~reads & puts & place == asked);
        word        <= given;
        word_known  <= started & given_known;
        goes_q      <= started & goes;
        what_q      <= what;
        sent_q      <= word[2];
        sent_known  <= started & word_known;
        tested_q    <= i_rst ? 0 : {tested_q[0], over & ~i_load_valid};
        if (~started)
            known <= 0;
        else if (puts) begin
            has[3*place+:3] <= {~^what, what};
            known[place]    <= 1;
        end

        assume (started || i_rst);
        assume (i_last != 0 && i_last != {PLACE_BITS{1'b1}} && (!started || i_last == last));
        assume (!i_load_valid || (age == 0 && i_load_word < WORDS));
        if (started) begin
            assert (age <= ends && (!over || age == 0));
            assert (second_right);
            if (CUT)
                assert (first_right || noticed);
            else begin
                assert (first_right && !noticed);
                assert (write_enable == puts && (!puts || (write_address == place && write_data == what)));
                assert (!word_known || (link == word[1:0] && read_data == word[rings_q[2]]));
                assert (!fault || (tested_q[1] && !word_known));
                assert (!goes_q || checks[0] == ~^what_q);
                assert (!goes_q || !sent_known || checks[1] == sent_q);
            end
            cover (age == ends && begins && word_known);
            cover (tested_q[1] && word_known && !noticed && i_last == 2);
        end
    end

    formal_ring_words #(
        .COUNT(CUT ? 1 : COUNT), .BITS(3)
    ) u_words (
        .i_clk(i_clk), .i_started(started && !CUT), .i_has(has[0+:3*(CUT ? 1 : COUNT)]),
        .i_known(known[0+:(CUT ? 1 : COUNT)])
    );
    genvar a, p, f;
    generate
        for (a = 0; a < COUNT; a = a + 1) begin : gen_odd
            always @(posedge i_clk)
                if (started)
                    assert (!known[a] || ^has[3*a+:3]);
        end
        for (p = 1; p < (1 << PLACE_BITS); p = p + 1) begin : gen_place
            for (f = 0; f < WORDS; f = f + 1) begin : gen_word
                localparam [AGE_BITS-1:0] MOVE = (p - 1) * STEP + f;
                always @(posedge i_clk)
                    if (started && p <= i_last + 1)
                        assert (known[p*(1<<WORD_BITS)+f] || !(over || (age > 4 && MOVE < out)));
            end
        end
    endgenerate
endmodule

// Is what a counter gives what it should be?
module formal_ring_right #(
    parameter PLACE_BITS = 4,
    parameter WORD_BITS  = 1
) (
    input  wire [2*(PLACE_BITS+WORD_BITS)+3:0] i_given,
    input  wire                                i_busy,
    input  wire                                i_done,
    input  wire                                i_reads,
    input  wire [PLACE_BITS+WORD_BITS-1:0]     i_reads_from, // 0 where nobody reads
    input  wire                                i_goes,
    input  wire [PLACE_BITS+WORD_BITS-1:0]     i_goes_to,
    input  wire                                i_quiet, // nothing is to go soon: the place is 0, for the host's words
    output wire                                o_right
);
    wire                  busy, done, read, write;
    wire [PLACE_BITS-1:0] read_place, write_place;
    wire [WORD_BITS-1:0]  read_word, write_word;
    assign {busy, done, read, read_place, read_word, write, write_place, write_word} = i_given;
    wire to_right  = i_goes ? {write_place, write_word} == i_goes_to : !i_quiet || write_place == 0;
    assign o_right = busy == i_busy && done == i_done && read == i_reads && {read_place, read_word} == i_reads_from &&
                     write == i_goes && to_right;
endmodule

`default_nettype wire
