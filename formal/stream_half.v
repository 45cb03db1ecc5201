// SPDX-License-Identifier: MIT
//
// gfab_stream_flow on half-duplex links, for every behaviour of those who give and take: as stream.v, words come in
// every second cycle alone and go out every second one alone, and each goes out once over each lane, in order, as the
// sum of the words that belong together. By induction, hence for streams of any length.
//
// What is inside is joined to these wires by see_stores in run.sh.
`default_nettype none
`include "gfab_op.vh"

module formal_stream_half #(
    parameter [3:0] IN   = 3, // one lane or two, lane 0 among them
    parameter [3:0] OUT  = 12, // two lanes; those of IN, or others
    parameter       BITS = 4        // of a word
) (
    input wire              i_clk,
    input wire              i_rst,
    input wire [3:0]        i_valid,
    input wire [3:0]        i_ready,
    input wire [3:0]        i_wants,
    input wire [4*BITS+3:0] i_word
);
    localparam TWO    = IN != 4'b0001;
    localparam MEETS  = IN == OUT;
    localparam LEVELS = !TWO ? 0 : MEETS ? 1 : 2; // words between lanes and the last register
    localparam LOW    = (BITS + 1) / 2; // bits of a sum that are made first

    // Words come in this cycle; they go out in the same ones, or where all meet in the others.
    reg  comes;
    wire goes = MEETS ? !comes : comes;
    always @(posedge i_clk)
        comes <= i_rst || !comes;

    wire [3:0]    ready, valid, wants;
    wire [BITS:0] word;
    wire          busy, uneven;
    gfab_stream_flow #(
        .LANES(4), .LINK_BITS(BITS), .HALF(1), .SPLIT(LOW), .IN(IN), .OUT(OUT)
    ) u_flow (
        .i_clk(i_clk), .i_rst(i_rst), .i_comes(comes), .i_goes(goes), .i_valid(i_valid), .o_ready(ready),
        .i_word(i_word), .o_valid(valid), .i_ready(i_ready), .o_word(word), .i_wants(i_wants), .o_wants(wants),
        .o_busy(busy), .o_uneven(uneven)
    );

    // Word n as it comes in, and as it goes out.
    localparam [BITS-1:0] LATER = 2; // words that lane 1 is ahead
    function [BITS:0] came(input lane, input [BITS-1:0] n);
        came = {n[1:0] == 2'd0, lane ? n + LATER : n};
    endfunction
    function [BITS:0] made(input [BITS-1:0] n);
        made = {n[1:0] == 2'd0, TWO ? {n[BITS-2:0], 1'b0} + LATER : n};
    endfunction

    reg            started;
    reg [BITS-1:0] given [0:3]; // words that came in over a lane
    reg [BITS-1:0] taken [0:3]; // that went out over it
    (* keep *) wire  pending;      // the last register's word has still to go
    (* keep *) wire [1:0] level;   // words are behind the first registers, behind the second ones
    (* keep *) wire [BITS:0] last; // the last register, of its own or the sum's
    wire           first     = LEVELS > 0 && level[0];
    wire           second    = LEVELS > 1 && level[1];
    wire [BITS-1:0] fired    = given[0] - gen_see[0].valid; // words of each lane that were taken from its register
    wire [BITS-1:0] number_1 = fired - 1'b1; // of the word behind the first registers, the second and the last ones
    wire [BITS-1:0] number_2 = number_1 - first;
    wire [BITS-1:0] number_3 = number_2 - second;
    integer        i;
    genvar         c;
    initial started = 0;
    always @(posedge i_clk) begin
        started <= 1;
        for (i = 0; i < 4; i = i + 1) begin
            given[i] <= i_rst ? 0 : given[i] + (i_valid[i] & ready[i]);
            taken[i] <= i_rst ? 0 : taken[i] + (valid[i] & i_ready[i]);
            assume (!i_valid[i] || i_word[i*(BITS+1)+:BITS+1] == came(i == 1, given[i]));
        end
        assume (started || i_rst);
        if (started) begin
            assert ((ready & ~(IN & {4{comes}})) == 0 && !uneven);
            assert (valid == (pending && goes && (OUT & ~i_ready) == 0 ? OUT : 0));
            assert (busy == (first || second || pending || gen_see[0].valid || (TWO && gen_see[1].valid)));
            assert (!pending || word == made(number_3));
        end
        cover (started && !i_rst && fired == 5 && pending && goes && i_ready != 0 && valid == 0);
        cover (started && !i_rst && fired == 6 && valid == OUT && i_ready == OUT);
    end

    generate
        for (c = 0; c < 4; c = c + 1) begin : gen_see
            (* keep *) wire               valid; // of the lane's register
            (* keep *) wire [BITS:0]      held;
            (* keep *) wire [BITS-LOW:0]  upper; // what of it is added a cycle later
            if (IN[c]) begin : gen_in
                always @(posedge i_clk)
                    if (started) begin
                        assert (ready[c] == (comes && !valid));
                        assert (given[c] - valid == fired && (!valid || held == came(c == 1, fired)));
                        assert (!TWO || !first || upper == (came(c == 1, number_1) >> LOW));
                    end
            end
            if (OUT[c]) begin : gen_out
                always @(posedge i_clk)
                    if (started)
                        assert (taken[c] == number_3 + 1'b1 - pending); // so each goes once, in order
            end
        end
        if (TWO) begin : gen_sum
            // {the upper part of the word behind the second registers, the lower one of that behind the first}
            (* keep *) wire [BITS:0]  sum;
            (* keep *) wire           top_a, top_b; // the highest bits of its lower parts
            (* keep *) wire [LOW-1:0] lower; // behind the second ones
            wire [BITS:0] came_0 = came(1'b0, number_1), came_1 = came(1'b1, number_1);
            wire [BITS:0] made_1 = made(number_1), made_2 = made(number_2);
            wire          there  = MEETS ? pending : second;
            always @(posedge i_clk)
                if (started) begin
                    assert (!first || sum[LOW-1:0] == made_1[LOW-1:0] && top_a == came_0[LOW-1] &&
                            top_b == came_1[LOW-1]);
                    assert (!there || {sum[BITS:LOW], lower} == made_2);
                end
        end
        if (!MEETS) begin : gen_last
            always @(posedge i_clk)
                if (started)
                    assert (!pending || last == made(number_3));
        end
    endgenerate
endmodule

`default_nettype wire
