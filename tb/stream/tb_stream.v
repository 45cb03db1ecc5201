// SPDX-License-Identifier: MIT
// A generated fabric with streams: every host gives vectors of random lengths, one behind the other, and takes what
// comes; every beat is expected by arithmetic alone, and so is every tlast. Nothing may come after the last.
//
// +seed=N; +vectors=N; +beats=N: the longest vector; +length=N: all of this length; +pauses=.., else seed % 7:
//   0: no host pauses, 1: all do at random, 2: some do for long, 3: host seed % HOSTS pauses for LIMIT / 2 cycles once,
//   4: it never comes, and where seed / 7 is odd another one neither, 5: it pauses for +late=N (5000) cycles once,
//   6: its one vector is a beat shorter than the others', or of blocks, in even seeds, a block.
// Where the time limit is over it must say so, and name that host alone, of two one at least, and o_uneven where
// lengths differ: of blocks before a beat comes of the first that is not whole.
// Floats are whole numbers, so few that no sum is rounded; what saturates has one sign for all hosts, so that no order
// counts. +bits: words are any bits, whose sums are not expected here: for who looks at +trace.
// In seeds that are even a stream of random beats goes before, which a reset ends, in each fourth of them behind the
// time limit; with the C model eight do.
// +trace: all that goes in and comes out in every cycle from the reset on, to the file stream.trace, for the C model.
`default_nettype none
`include "gossip_fabric_parameters.vh"
`include "gfab_op.vh"

module tb_stream #(
    parameter LIMIT = `GF_WAY > 2021 ? `GF_WAY : 2021 // pauses of 0 to 3 are shorter
);
    localparam HOSTS = `GF_STREAMS;
    localparam WORD  = `GF_LINK_BITS;
    localparam WORDS = `GF_HOST_WORDS; // of a beat
    localparam BITS  = WORD * WORDS;
    localparam LINKS = `GF_LINKS + (WORDS - 1) * HOSTS;
    localparam GATHERS = `GF_OPERATOR == `GFAB_OPERATOR_GATHER;
    localparam TIMES = GATHERS ? HOSTS : 1; // beats that come for one that is given
    localparam FLITS = `GF_CYCLES_PER_ROUND;
    localparam [HOSTS*8-1:0] GIVES = `GF_GIVES;
    localparam [HOSTS*8-1:0] TAKES = `GF_TAKES;
    localparam [HOSTS*32-1:0] HOST_LINKS = `GF_HOST_LINKS;
    localparam WINDOW = LIMIT + 100;
`ifdef GF_WORD_STREAMS
    localparam WORD_STREAMS = 1;
`else
    localparam WORD_STREAMS = 0;
`endif

`ifdef GF_MODEL
    // The C model is in the simulation, and knows when a time limit of any length is over, to the cycle, and for whom.
    localparam MODEL = 1;
    import "DPI-C" function void stream_line(input string line);
`else
    localparam MODEL = 0;
`endif

    reg clk = 1'b0;
    reg rst = 1'b1;
    always #5 clk = ~clk;

    reg  [HOSTS-1:0]      give_valid = 0, give_last = 0, take_ready = 0;
    reg  [HOSTS*BITS-1:0] give_data = 0;
    wire [HOSTS-1:0]      give_ready, take_valid, take_last;
    wire [HOSTS*BITS-1:0] take_data;
    wire                  busy;
    wire [`GF_WIRES*LINKS*WORD-1:0]     trace_link;
    wire [2*LINKS-1:0]                  trace_drive;
`ifdef GF_WORD_STREAMS
    wire [2*LINKS-1:0]                  trace_write; // which words would be taken
    wire                                trace_address = 1'b0, trace_data = 1'b0;
`else
    wire [`GF_NODES-1:0]                trace_write;
    wire [`GF_NODES*(`GF_OP_BITS/(`GF_FULL_DUPLEX+1)-2+`GF_INDEX_BITS)-1:0] trace_address;
    wire [`GF_NODES*`GF_WORD_BITS-1:0]  trace_data;
`endif
    wire                                error, uneven;
    wire [HOSTS-1:0]                    late;
`ifdef GF_PROTECTED
    wire [HOSTS-1:0]                    fault;
`else
    wire [HOSTS-1:0]                    fault = {HOSTS{1'b0}};
`endif
    `GF_FABRIC #(.LIMIT(LIMIT)) u_fabric (
        .i_clk(clk), .i_rst(rst), .o_busy(busy),
        .s_axis_tvalid(give_valid), .s_axis_tready(give_ready), .s_axis_tdata(give_data), .s_axis_tlast(give_last),
        .m_axis_tvalid(take_valid), .m_axis_tready(take_ready), .m_axis_tdata(take_data), .m_axis_tlast(take_last),
`ifdef GF_WORD_STREAMS
        .o_trace_ready(trace_write),
`else
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data),
`endif
`ifdef GF_PROTECTED
        .o_fault(fault),
`endif
        .o_error(error), .o_late(late), .o_uneven(uneven), .o_trace_link(trace_link), .o_trace_drive(trace_drive)
    );

    integer seed, vectors, beats, length, pauses, trace;
    integer chosen, from, longest; // the one host of pauses 3 to 6; when it pauses, and for how long
    integer other; // of pauses 4, or the same
    reg [HOSTS-1:0] waited; // both
    reg     bits;
    reg     differ, must_err; // pauses 6; the time limit must be over once

    // A number for three, the same in every simulator.
    function [31:0] mix(input [31:0] a, input [31:0] b, input [31:0] c);
        reg [31:0] x;
        begin
            x = (a * 32'h9e3779b1) ^ (b * 32'h85ebca77) ^ (c * 32'hc2b2ae3d) ^ seed;
            x = (x ^ (x >> 15)) * 32'h2c1b3c6d;
            x = (x ^ (x >> 12)) * 32'h297a2d39;
            mix = x ^ (x >> 15);
        end
    endfunction

    function integer length_of(input integer vector);
        length_of = length > 0 ? length : 1 + mix(vector, 7, 7) % beats;
    endfunction

    function integer given_of(input integer host, input integer vector);
        given_of = length_of(vector) + (!differ || host == chosen ? 0 : WORD_STREAMS || seed % 2 != 0 ? 1 : FLITS);
    endfunction

    localparam FRACTION  = `GF_OPERATOR == `GFAB_OPERATOR_BFLOAT16 ? 7 : 23; // of floats, of which a word has some
    localparam FLOATS    = `GF_OPERATOR == `GFAB_OPERATOR_BFLOAT16 || `GF_OPERATOR == `GFAB_OPERATOR_FLOAT32;
    localparam SATURATES = `GF_OPERATOR == `GFAB_OPERATOR_SATURATED;
    localparam MOST      = (2 << FRACTION) / HOSTS < 2 ? 2 : (2 << FRACTION) / HOSTS; // above whole numbers of hosts

    // As a float; 0 is +0.
    function [63:0] float_of(input integer number);
        integer top;
        reg [31:0] size;
        begin
            size = number < 0 ? -number : number;
            top  = 0;
            while (size >> top > 1)
                top = top + 1;
            float_of = number == 0 ? 0
                     : {number < 0, 8'd127 + top[7:0], 23'd0} >> (23 - FRACTION) |
                       (({32'd0, size} << FRACTION >> top) & ((64'd1 << FRACTION) - 1));
        end
    endfunction

    // A part of a word, of floats one number.
    function integer whole_of(input integer host, input integer vector, input integer word, input integer at);
        whole_of = mix(host + 1 + 64 * at, vector + 1000, word) % (2 * MOST - 1) - (MOST - 1);
    endfunction

    // Words of a vector are counted over its beats.
    function [WORD-1:0] word_of(input integer host, input integer vector, input integer word);
        reg [63:0] wide;
        integer    at;
        begin
            wide = {mix(host + 1, vector + 1000, word), mix(vector + 1, host + 2000, word)};
            if (FLOATS && !bits) begin
                wide = 0;
                for (at = 0; at < WORD; at = at + FRACTION + 9)
                    wide = wide | float_of(whole_of(host, vector, word, at)) << at;
            end else if (FLOATS) begin // of exponents that are near each other, mostly
                for (at = 0; at < WORD; at = at + FRACTION + 9)
                    if (mix(vector, 11, word) % 4 != 0)
                        wide[at+FRACTION+4+:4] = 4'h7;
            end else if (SATURATES && !bits)
                wide[WORD-1] = mix(vector, 9, word) >> 7 & 1;
            word_of = wide;
        end
    endfunction

    function [BITS-1:0] beat_of(input integer host, input integer vector, input integer beat);
        integer w;
        for (w = 0; w < WORDS; w = w + 1)
            beat_of[w*WORD+:WORD] = word_of(host, vector, beat * WORDS + w);
    endfunction

    // Of two words is the first the one that a minimum or maximum is?
    localparam SIGNED = `GF_OPERATOR == `GFAB_OPERATOR_MIN || `GF_OPERATOR == `GFAB_OPERATOR_MAX;
    function least(input signed [WORD-1:0] a, input signed [WORD-1:0] b);
        least = (SIGNED ? a < b : $unsigned(a) < $unsigned(b)) ==
                (`GF_OPERATOR == `GFAB_OPERATOR_MIN || `GF_OPERATOR == `GFAB_OPERATOR_UMIN);
    endfunction

    // Of two numbers of one sign.
    function [WORD-1:0] saturated(input [WORD-1:0] a, input [WORD-1:0] b);
        begin
            saturated = a + b;
            if (saturated[WORD-1] != a[WORD-1])
                saturated = {WORD{1'b1}} >> 1 ^ {WORD{a[WORD-1]}};
        end
    endfunction

    // What all that give make of a word; a sum has a carry, from beat to beat of a block. Or whose word it is.
    reg [63:0] sum;
    function [63:0] expected(input integer vector, input integer word, input [63:0] carry);
        integer h, n, at, whole;
        reg [63:0] all, one;
        begin
            n   = 0;
            all = GATHERS ? word_of(word % HOSTS, vector, word / HOSTS) : 0;
            for (h = 0; h < HOSTS; h = h + 1)
                if (GIVES[h*8+:8] != 0 && !GATHERS) begin
                    one = word_of(h, vector, word);
                    all = n == 0 ? one
                        : SATURATES ? saturated(all[WORD-1:0], one[WORD-1:0])
                        : `GF_OPERATOR >= `GFAB_OPERATOR_MIN ? (least(all, one) ? all : one)
                        : `GF_OPERATOR == `GFAB_OPERATOR_AND ? all & one
                        : `GF_OPERATOR == `GFAB_OPERATOR_OR ? all | one
                        : `GF_OPERATOR == `GFAB_OPERATOR_XOR ? all ^ one
                        : all + one;
                    n = n + 1;
                end
            if (FLOATS) begin
                all = 0;
                for (at = 0; at < WORD; at = at + FRACTION + 9) begin
                    whole = 0;
                    for (h = 0; h < HOSTS; h = h + 1)
                        if (GIVES[h*8+:8] != 0)
                            whole = whole + whole_of(h, vector, word, at);
                    all = all | float_of(whole) << at;
                end
            end
            expected = all + carry;
        end
    endfunction

    integer give_vector [0:HOSTS-1];
    integer give_beat   [0:HOSTS-1];
    integer take_vector [0:HOSTS-1];
    integer take_beat   [0:HOSTS-1];
    reg [63:0] carry    [0:HOSTS-1];
    integer h, w, cycle, file, first, last, left, total, after, beaten; // beaten: when the last beat came
    reg [63:0] want;
    integer given [0:HOSTS-1]; // beats of a host that went in
    integer taken [0:HOSTS-1]; // and came out
    integer most_in, least_in, moved; // moved: when a beat of any host last went in or out
    reg     earlier = 1'b0; // another stream is on its way, which a reset of one cycle ends
    reg     on_way, error_q, busy_q, moves; // on_way: a beat that went in has not come out everywhere

    integer phase = 0, ahead = 0, k; // of earlier streams
    reg     stops;

    // Does a host pause in this cycle?
    function pause(input integer host, input integer gives);
        case (pauses)
        1: pause = mix(host, cycle, gives) % 3 == 0;
        2: pause = mix(host, cycle / 64, gives + 2) % 5 == 0;
        4: pause = host == chosen || host == other;
        3, 5: pause = host == chosen && cycle > from && cycle <= from + longest;
        default: pause = 1'b0;
        endcase
    endfunction

    task offer(input integer host, input go);
        begin
            if (give_vector[host] < vectors && GIVES[host*8+:8] != 0 && go) begin
                give_valid[host] <= 1'b1;
                give_data[host*BITS+:BITS] <= beat_of(host, give_vector[host], give_beat[host]);
                give_last[host] <= give_beat[host] == given_of(host, give_vector[host]) - 1;
            end else
                give_valid[host] <= 1'b0;
        end
    endtask

    task fail(input integer host, input [40*8-1:0] what);
        begin
            $display("host %0d, vector %0d, beat %0d: %0s", host, take_vector[host], take_beat[host], what);
            $stop;
        end
    endtask

    initial begin
        seed = 1; vectors = 6; beats = 40; length = 0; trace = 0; longest = 5000; must_err = 0;
        if ($value$plusargs("seed=%d", seed)) begin end
        if ($value$plusargs("vectors=%d", vectors)) begin end
        if ($value$plusargs("beats=%d", beats)) begin end
        if ($value$plusargs("length=%d", length)) begin end
        pauses = seed % 7;
        if ($value$plusargs("pauses=%d", pauses)) begin end
        if ($value$plusargs("late=%d", longest)) begin end
        chosen  = seed % HOSTS;
        other   = chosen;
        if (pauses == 4 && HOSTS > 2 && (seed / 7) % 2 == 1) begin
            other = (chosen + 1 + seed / 14) % HOSTS;
            if ((GIVES[other*8+:8] != 0) != (GIVES[chosen*8+:8] != 0))
                other = chosen;
        end
        from    = pauses == 3 && FLITS > 1 ? 200 : mix(seed, 5, 5) % 60;
        longest = pauses == 3 ? LIMIT / 2 : longest;
        bits = $test$plusargs("bits") != 0;
        if ($test$plusargs("trace")) begin
            trace = 1;
            file  = $fopen("stream.trace", "w");
        end
        differ = 0;
        for (h = 0; h < HOSTS; h = h + 1)
            differ = differ | (pauses == 6 && h != chosen && GIVES[h*8+:8] != 0 && GIVES[chosen*8+:8] != 0);
        vectors = differ ? 1 : vectors;
        error_q = 0; busy_q = 0; moved = 0;
        cycle = 0; first = -1; last = 0; after = 0; beaten = 0; total = 0; left = 0;
        for (h = 0; h < HOSTS; h = h + 1) begin
            given[h] = 0; taken[h] = 0;
            give_vector[h] = 0; give_beat[h] = 0; take_vector[h] = 0; take_beat[h] = 0; carry[h] = 0;
            if (TAKES[h*8+:8] != 0)
                left = left + vectors;
        end
        for (h = 0; h < vectors; h = h + 1)
            total = total + length_of(h);
        // Between edges, where no simulator takes it for something that was before one.
        repeat (3) @(negedge clk);
        while (seed % 2 == 0 && phase < (MODEL ? 8 : 1)) begin
            earlier = 1'b1;
            rst     = 1'b0;
            repeat (100 + seed % 50 + (MODEL ? 2 * WINDOW : seed % 8 == 6 ? WINDOW : 0)) @(negedge clk);
            rst     = 1'b1;
            @(negedge clk);
            earlier = 1'b0;
            phase   = phase + 1;
        end
        rst = 1'b0;
    end

    // Earlier streams: hosts give and take often or seldom; for about the time limit one or all do not give, or take.
    always @(posedge clk)
        if (earlier) begin
            ahead = rst ? 0 : ahead + 1;
            for (k = 0; k < HOSTS; k = k + 1) begin
                stops = ahead % WINDOW > 20 + mix(phase, 5, 5) % 60 &&
                        ahead % WINDOW < 20 + mix(phase, 5, 5) % 60 + LIMIT + mix(phase, 1, 1) % 16 &&
                        (k == mix(phase, 8, ahead / WINDOW) % HOSTS || mix(phase, 2, 2) % 2 == 0);
                give_valid[k] <= !rst && mix(k, ahead, 3) % 16 < 12 >> mix(phase, 6, 6) % 4 &&
                                 !(stops && mix(phase, 9, 9) % 3 != 0);
                take_ready[k] <= !rst && mix(k, ahead, 4) % 16 < 12 >> mix(phase, 7, 7) % 3 &&
                                 !(stops && mix(phase, 9, 9) % 3 != 1);
                give_last[k]  <= mix(k, ahead, 5) % 8 == 0;
                give_data[k*BITS+:BITS] <= beat_of(k, phase, ahead);
            end
        end

    // A line has 8192 bits at most in Verilator: larger fabrics have no trace.
    localparam TRACED = LINKS * (2 * WORD + 4) + 2 * HOSTS * (BITS + 3) + `GF_NODES * (`GF_WORD_BITS + 32);
    reg was_reset = 1'b0;
    always @(posedge clk)
        was_reset <= 1'b1;
`define TB_LINE "%h %h %h %h %h %h %b %b %b %h %h %h %h %h %b %b %b %b %0d", give_valid, give_data, give_last, \
    take_ready, give_ready, take_valid, take_data, take_last, busy, trace_drive, trace_link, trace_write, \
    trace_address, trace_data, error, late, uneven, rst, LIMIT
    generate
        if (TRACED <= 8192) begin : gen_trace
            always @(posedge clk)
                if (was_reset && trace)
`ifdef GF_MODEL
                    stream_line($sformatf(`TB_LINE));
`else
                    $fdisplay(file, `TB_LINE);
`endif
        end
    endgenerate

    always @(posedge clk)
        if (!rst && !earlier) begin
            cycle = cycle + 1;
            most_in = -1; least_in = -1;
            for (h = 0; h < HOSTS && GATHERS; h = h + 1)
                most_in = most_in + given[h] + (h == 0);
            for (h = 0; h < HOSTS; h = h + 1) begin
                if (GIVES[h*8+:8] != 0 && !GATHERS) begin
                    most_in  = given[h] > most_in ? given[h] : most_in;
                    least_in = least_in < 0 || given[h] < least_in ? given[h] : least_in;
                end
                if (TAKES[h*8+:8] != 0)
                    least_in = least_in < 0 || taken[h] < least_in ? taken[h] : least_in;
            end
            on_way = most_in != least_in;
            moves  = |(give_valid & give_ready) | |(take_valid & take_ready);
            // When the time limit is over to the cycle; in blocks there may be no beat at either end for a while.
`ifdef GF_WORD_STREAMS
            if (!MODEL && (busy !== busy_q || error !== (error_q | (on_way && cycle == moved + LIMIT + 3)))) begin
`else
            if (!MODEL && error && !error_q &&
                (cycle < moved + LIMIT + 3 || cycle > moved + LIMIT + 8 * FLITS * `GF_AGES)) begin
`endif
                $display("streams: o_busy %b, and o_error %b in cycle %0d, %0d behind the last beat", busy, error,
                         cycle, cycle - moved);
                $stop;
            end
            error_q = error;
            busy_q  = on_way | (|(give_valid & give_ready));
            if (moves)
                moved = cycle;
            for (h = 0; h < HOSTS; h = h + 1) begin
                if (give_valid[h] && give_ready[h]) begin
                    given[h] = given[h] + 1;
                    if (first < 0)
                        first = cycle;
                    give_beat[h] = give_beat[h] + 1;
                    if (give_beat[h] == given_of(h, give_vector[h])) begin
                        give_beat[h]   = 0;
                        give_vector[h] = give_vector[h] + 1;
                    end
                    offer(h, !pause(h, 1));
                end else if (!give_valid[h])
                    offer(h, !pause(h, 1));

                if (take_valid[h] && take_ready[h]) begin
                    taken[h] = taken[h] + 1;
                    if (take_vector[h] == vectors)
                        fail(h, "a beat behind the last vector");
                    if (take_beat[h] % FLITS == 0)
                        carry[h] = 0;
                    for (w = 0; w < WORDS; w = w + 1) begin
                        want = expected(take_vector[h], take_beat[h] * WORDS + w, carry[h]);
                        if (take_data[h*BITS+w*WORD+:WORD] !== want[WORD-1:0] && !bits)
                            fail(h, "another beat than expected");
                    end
                    if (take_last[h] !== (take_beat[h] == TIMES * length_of(take_vector[h]) - 1))
                        fail(h, "tlast");
                    carry[h]     = want >> WORD;
                    take_beat[h] = take_beat[h] + 1;
                    beaten       = cycle;
                    if (take_last[h]) begin
                        take_beat[h]   = 0;
                        take_vector[h] = take_vector[h] + 1;
                        left = left - 1;
                        last = cycle;
                    end
                end
                take_ready[h] <= !pause(h, 0);
            end
            // Who is behind the others' beats by so much keeps them waiting.
            if (pauses == 5 && cycle == from + 2 && longest > LIMIT + 1000 && give_vector[chosen] < vectors &&
                !(give_valid[chosen] && give_last[chosen]))
                must_err = GIVES[chosen*8+:8] != 0 && (GIVES & ~(255 << 8 * chosen)) != 0;
            waited = {{HOSTS-1{1'b0}}, 1'b1} << chosen | {{HOSTS-1{1'b0}}, 1'b1} << other;
            if (fault !== {HOSTS{1'b0}} || !MODEL &&
                (error !== (error && (pauses == 4 || pauses == 5 && longest >= LIMIT || differ && left == 0)) ||
                 (error && (late === {HOSTS{1'b0}} || (late & ~waited) !== {HOSTS{1'b0}})) ||
                 uneven !== (uneven && differ))) begin
                $display("streams: o_error %b, o_late %b, o_uneven %b, o_fault %b", error, late, uneven, fault);
                $stop;
            end
            if (error && (pauses == 4 || uneven)) begin
                $display("streams: seed %0d, host %0d is late, and the time limit says so", seed, chosen);
                $finish;
            end
            if (uneven && !WORD_STREAMS) begin
                $display("streams: seed %0d, host %0d gives less, and o_uneven says so", seed, chosen);
                $finish;
            end
`ifdef GF_WORD_STREAMS
            for (h = 0; h < HOSTS; h = h + 1)
                for (w = 0; w < WORDS; w = w + 1)
                    if (TAKES[h*8+:8] == 0 &&
                        trace_drive[2*(w == 0 ? HOST_LINKS[h*32+:32] : `GF_LINKS+(w-1)*HOSTS+h)])
                        fail(h, "a word for a host that takes none");
`endif
            if (left == 0)
                after = after + 1;
            if (after > 8 * FLITS * `GF_AGES && !busy) begin
                if (must_err && !error || differ) begin
                    $display("streams: host %0d is late, or gave less, and o_error is %b", chosen, error);
                    $stop;
                end
                $display("streams: seed %0d, %0d vectors of %0d beats in all in %0d cycles, every beat as expected",
                         seed, vectors, total, last - first + 1);
                $finish;
            end
            if (cycle > beaten + LIMIT + 3000 + (pauses == 5 ? longest : 0) && left + differ > 0) begin
                if (pauses == 4 && first < 0) begin
                    $display("streams: seed %0d, host %0d never gives, and nothing waits for it", seed, chosen);
                    $finish;
                end else begin
                    $display("streams: nothing comes any more, and %0d vectors are missing", left);
                    $stop;
                end
            end
        end
endmodule

`default_nettype wire
