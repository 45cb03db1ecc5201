// SPDX-License-Identifier: MIT
//
// gfab_stream_turns with its skids, for every behaviour of those who give and take: a group has two words of lane 0 and
// between them one of lane 1; each goes out once over either lane, in this order, and none before both lanes have one.
// The n-th word of a lane says which one it is. By induction, hence for streams of any length.
//
// What is inside is joined to gen_see by see_stores in run.sh.
`default_nettype none

module formal_stream_turns #(
    parameter ENDS = 1 // all hosts' words meet here
) (
    input wire        i_clk,
    input wire        i_rst,
    input wire [3:0]  i_valid,
    input wire [3:0]  i_ready,
    input wire [3:0]  i_wants,
    input wire [19:0] i_word
);
    localparam [3:0] IN  = 4'b0011;
    localparam [3:0] OUT = 4'b1100;

    wire [3:0] ready, valid, wants;
    wire [4:0] word;
    wire       busy, uneven;
    gfab_stream_turns #(
        .LANES(4), .LINK_BITS(4), .IN(IN), .OUT(OUT), .TURNS(3), .LANE_BITS(2), .ORDER(6'b00_01_00), .ENDS(ENDS)
    ) u_turns (
        .i_clk(i_clk), .i_rst(i_rst), .i_comes(1'b1), .i_goes(1'b1), .i_valid(i_valid), .o_ready(ready),
        .i_word(i_word), .o_valid(valid), .i_ready(i_ready), .o_word(word), .i_wants(i_wants), .o_wants(wants),
        .o_busy(busy), .o_uneven(uneven)
    );

    // Word n of a lane as it comes in: every fourth group ends vectors.
    function [4:0] came(input lane, input [2:0] n);
        came = {lane ? n[1:0] == 2'd3 : n[2:1] == 2'd3, lane, n};
    endfunction
    // The word of a turn of a group as it goes out.
    function [4:0] made(input [2:0] group, input [1:0] turn);
        made = {group[1:0] == 2'd3 && (ENDS == 0 || turn == 2), turn == 1, turn == 1 ? group : {group[1:0], turn == 2}};
    endfunction

    // What takes turns in the node.
    (* keep *) wire       pending; // a word is in the register that goes out
    (* keep *) wire [1:0] turn;
    (* keep *) wire [3:0] chosen;
    (* keep *) wire       begins, closes, said, some; // the group's first, last; its first, or some, ended vectors

    reg        started;
    reg  [2:0] given [0:1]; // words that came in over a lane
    wire [2:0] fired [0:1]; // of these no longer in the skid
    reg  [2:0] group [2:3]; // which word goes out next over a lane
    reg  [1:0] next  [2:3];
    wire [2:0] now = fired[1] - (turn == 2); // the group whose turn it is
    integer    i;
    genvar     c;
    initial started = 0;
    always @(posedge i_clk) begin
        started <= 1;
        for (i = 0; i < 2; i = i + 1) begin
            given[i] <= i_rst ? 0 : given[i] + (i_valid[i] & ready[i]);
            assume (!i_valid[i] || i_word[i*5+:5] == came(i, given[i]));
        end
        for (i = 2; i < 4; i = i + 1)
            if (i_rst) begin
                group[i] <= 0;
                next[i]  <= 0;
            end else if (valid[i] & i_ready[i]) begin
                group[i] <= group[i] + (next[i] == 2);
                next[i]  <= next[i] == 2 ? 0 : next[i] + 1'b1;
            end
        assume (started || i_rst);
        if (started) begin
            assert ((ready & ~IN) == 0 && (valid & ~OUT) == 0 && !uneven);
            assert (busy == (given[0] != fired[0] || given[1] != fired[1] || pending));
            assert (valid == (pending && (OUT & ~i_ready) == 0 ? OUT : 0)); // over both lanes at once
            assert (turn < 3 && begins == (turn == 0) && closes == (turn == 2) && chosen == (turn == 1 ? 2 : 1));
            assert (fired[0] == {now[1:0], turn != 0});
            assert (begins || ENDS == 0 || said == (now[1:0] == 3) && some == said);
            assert (turn != 1 || given[1] != fired[1]); // a group begins where each lane has a word
        end
        cover (started && !i_rst && pending && i_ready == 4'b1000 && group[2] == 1 && next[2] == 2 && ready == 0);
        cover (started && !i_rst && valid == OUT && i_ready == OUT && word[4] && (i_valid & ready) == IN);
    end

    generate
        for (c = 0; c < 2; c = c + 1) begin : gen_see
            (* keep *) wire       first, second, write, read; // of the lane's skid
            (* keep *) wire [4:0] even, odd;
            localparam [0:0] LANE = c;
            wire [2:0] behind = fired[c] + 1'b1;
            assign fired[c] = given[c] - first - second;
            always @(posedge i_clk)
                if (started) begin
                    assert (ready[c] == !second && (first || !second) && (write == read) == (first == second));
                    assert (!first || (read ? odd : even) == came(LANE, fired[c]));
                    assert (!second || (read ? even : odd) == came(LANE, behind));
                end
        end
        for (c = 2; c < 4; c = c + 1) begin : gen_out
            always @(posedge i_clk)
                if (started) begin
                    assert (next[c] < 3);
                    assert (!pending || word == made(group[c], next[c])); // what goes out is the next one
                    assert ({now, turn} == (!pending ? {group[c], next[c]}
                            : next[c] == 2 ? {group[c] + 3'd1, 2'd0} : {group[c], next[c] + 2'd1}));
                end
        end
    endgenerate
endmodule

`default_nettype wire
