// SPDX-License-Identifier: MIT
//
// gfab_stream_queue with its RAM, for every behaviour of those who give and take: no place of the RAM is written while
// its word has still to go out, and words go out once, in order. The n-th word is n, so that a word says which one it
// is; more than there is room for have different ones. By induction, hence for streams of any length.
//
// What is inside is joined by see_stores in run.sh.
`default_nettype none

module formal_stream_queue #(
    parameter ADDRESS_BITS = 2,
    parameter BITS         = 4 // of a word, more than ADDRESS_BITS
) (
    input wire            i_clk,
    input wire            i_rst,
    input wire            i_valid,
    input wire            i_ready,
    input wire [BITS-1:0] i_word
);
    localparam PLACES = 1 << ADDRESS_BITS;

    wire            ready, valid, busy;
    wire [BITS-1:0] word;
    gfab_stream_queue #(
        .BITS(BITS), .ADDRESS_BITS(ADDRESS_BITS)
    ) u_queue (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(i_valid), .o_ready(ready), .i_word(i_word), .o_valid(valid),
        .i_ready(i_ready), .o_word(word), .o_busy(busy)
    );

    reg                           started;
    reg  [BITS-1:0]               given, taken;
    wire [BITS-1:0]               here = given - taken;
    (* keep *) wire [ADDRESS_BITS-1:0] write, read, count; // where the next word goes, where the first one is, how many
    (* keep *) wire [ADDRESS_BITS-1:0] seen;               // that can be read
    (* keep *) wire                    fresh;              // one came a cycle ago
    initial started = 0;
    always @(posedge i_clk) begin
        started <= 1;
        given   <= i_rst ? 0 : given + (i_valid & ready);
        taken   <= i_rst ? 0 : taken + (valid & i_ready);
        assume (started || i_rst);
        assume (!i_valid || i_word == given);
        if (started) begin
            assert (here < PLACES && ready == (here != PLACES - 1) && busy == (here != 0));
            assert (write == given[ADDRESS_BITS-1:0] && read == taken[ADDRESS_BITS-1:0] && count == here);
            assert (seen == here - fresh && (!fresh || here != 0));
            assert (valid == (here > fresh));
            assert (!valid || word == taken);
        end
        cover (started && !i_rst && !ready && i_valid && valid && taken == PLACES + 1);
        cover (started && !i_rst && i_valid && ready && valid && i_ready && here == PLACES - 2);
    end

    genvar a;
    generate
        for (a = 0; a < PLACES; a = a + 1) begin : gen_word
            (* keep *) wire [BITS-1:0] word;
            wire [ADDRESS_BITS-1:0] behind = a - taken[ADDRESS_BITS-1:0]; // how many go out before it
            always @(posedge i_clk)
                if (started) begin
                    assert (behind >= here || word == taken + behind);
                    assert (behind >= here || !(i_valid & ready) || write != a); // no place in use is written
                end
        end
    endgenerate
endmodule

`default_nettype wire
