// SPDX-License-Identifier: MIT
//
// A node's share of a stream of a word a cycle, gfab_stream_flow with its gfab_stream_skid, for every behaviour of
// those who give and take: nothing is lost, doubled or put in another order, and what goes out is the sum of words that
// belong together. The n-th word of lane 0 is n, that of lane 1 is n + 2, so that a word says which one it is; more
// than are in the node at once have different ones. By induction, hence for streams of any length.
//
// What is inside is joined to gen_see by see_stores in run.sh.
`default_nettype none
`include "gfab_op.vh"

module formal_stream #(
    parameter LEVELS = 1, // of operators: 0: one lane comes in, 1: two do
    parameter BITS   = 4, // of a word
    parameter SPLIT  = 0  // bits of a sum's lower part; 0: it is whole
) (
    input wire              i_clk,
    input wire              i_rst,
    input wire [3:0]        i_valid,
    input wire [3:0]        i_ready,
    input wire [3:0]        i_wants,
    input wire [4*BITS+3:0] i_word
);
    localparam [3:0] IN  = LEVELS > 0 ? 4'b0011 : 4'b0001;
    localparam [3:0] OUT = 4'b1100;

    wire [3:0]    ready, valid, wants;
    wire [BITS:0] word;
    wire          busy, uneven;
    gfab_stream_flow #(
        .LANES(4), .LINK_BITS(BITS), .SPLIT(SPLIT), .IN(IN), .OUT(OUT)
    ) u_flow (
        .i_clk(i_clk), .i_rst(i_rst), .i_comes(1'b1), .i_goes(1'b1), .i_valid(i_valid), .o_ready(ready),
        .i_word(i_word), .o_valid(valid), .i_ready(i_ready), .o_word(word), .i_wants(i_wants), .o_wants(wants),
        .o_busy(busy), .o_uneven(uneven)
    );

    // Word n as it comes in, and as it goes out.
    localparam [BITS-1:0] LATER = 2; // words that lane 1 is ahead
    function [BITS:0] came(input lane, input [BITS-1:0] n);
        came = {n[1:0] == 2'd0, lane ? n + LATER : n};
    endfunction
    function [BITS:0] made(input [BITS-1:0] n);
        made = {n[1:0] == 2'd0, LEVELS > 0 ? {n[BITS-2:0], 1'b0} + LATER : n};
    endfunction

    reg              started;
    reg [BITS-1:0]   given [0:3]; // words that came in over a lane
    reg [BITS-1:0]   taken [0:3]; // that went out over it
    (* keep *) wire  pending;     // one is behind all registers
    (* keep *) wire [1:0] middle; // a word is in the operands' registers; with SPLIT: the lower part of one is made
    wire             between = LEVELS > 0 && middle[0];
    wire             parted  = LEVELS > 0 && SPLIT > 0 && middle[1];
    wire [BITS-1:0]  fired [0:3]; // words of a lane that were taken from its skid
    wire [BITS-1:0]  behind = fired[0] - 1'b1 - between; // the word behind the operands' registers
    integer          i;
    genvar           c;
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
            assert ((ready & ~IN) == 0 && (valid & ~OUT) == 0 && !uneven);
            assert (busy == (given[0] != taken[2] || given[1] != taken[2] && LEVELS > 0));
            assert (valid == (pending && (OUT & ~i_ready) == 0 ? OUT : 0)); // over both lanes at once
            assert (!pending || word == made(taken[2]));
        end
        cover (started && !i_rst && valid == 0 && i_ready == 4'b1000 && taken[2] == 5 && ready == 0);
        cover (started && !i_rst && (LEVELS == 0 || between) && (SPLIT == 0 || parted) &&
               valid == OUT && i_ready == OUT && (i_valid & ready) == IN);
    end

    generate
        for (c = 0; c < 4; c = c + 1) begin : gen_see
            // of the lane's skid, and of the register behind it
            (* keep *) wire          first, second, write, read;
            (* keep *) wire [BITS:0] even, odd, operand;
            (* keep *) wire [BITS-SPLIT:0] upper; // with SPLIT: what of it is added a cycle later
            if (IN[c]) begin : gen_in
                assign fired[c] = given[c] - first - second;
                always @(posedge i_clk)
                    if (started) begin
                        assert (ready[c] == !second && (first || !second) && (write == read) == (first == second));
                        assert (!first || (read ? odd : even) == came(c == 1, fired[c]));
                        assert (!second || (read ? even : odd) == came(c == 1, fired[c] + 1'b1));
                        assert (fired[c] == fired[0]);
                        assert (!between || operand == came(c == 1, fired[0] - 1'b1));
                        assert (!parted || upper == (came(c == 1, behind) >> SPLIT));
                        assert (LEVELS > 0 || !pending || operand == came(c == 1, fired[0] - 1'b1));
                    end
            end
            if (OUT[c]) begin : gen_out
                always @(posedge i_clk)
                    if (started) begin
                        assert (taken[c] == fired[0] - between - parted - pending);
                    end
            end
        end
        if (SPLIT > 0) begin : gen_sum
            (* keep *) wire [BITS:0] sum; // of which the lower part is of the word behind the operands
            (* keep *) wire          top_a, top_b; // the highest bits of its lower parts
            wire [BITS:0] came_0 = came(1'b0, behind), came_1 = came(1'b1, behind), made_1 = made(behind);
            always @(posedge i_clk)
                if (started)
                    assert (!parted || sum[SPLIT-1:0] == made_1[SPLIT-1:0] && top_a == came_0[SPLIT-1] &&
                            top_b == came_1[SPLIT-1]);
        end
    endgenerate
endmodule

`default_nettype wire
