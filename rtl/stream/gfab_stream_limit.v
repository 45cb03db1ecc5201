// SPDX-License-Identifier: MIT
//
// The time limit of a fabric with streams: where words wait and for LIMIT cycles no host gives or takes one, o_error
// is 1 until the reset, and o_late has those that are waited for: hosts that do not take what there is for them, or
// where there are none those that do not give. The fabric itself goes on if they come.
//
// A word is on its way for WAY cycles at most, in which nobody is late. A shorter limit is refused: it would be over
// whatever hosts do.
`default_nettype none

module gfab_stream_limit #(
    parameter HOSTS = 2,
    parameter LIMIT = 65536, // cycles, WAY or more; 0: there is no limit
    parameter WAY   = 0 // cycles, from a word that goes in to one that comes out
) (
    input  wire             i_clk,
    input  wire             i_rst,
    input  wire             i_waits, // words are on their way
    input  wire [HOSTS-1:0] i_moves, // a word goes in or out
    input  wire [HOSTS-1:0] i_untaken, // a word for the host is there
    input  wire [HOSTS-1:0] i_lacks,   // the host gives, and its next word is not there
    output wire             o_error,
    output wire [HOSTS-1:0] o_late
);
    generate
        if (LIMIT != 0 && LIMIT < WAY) begin : gen_bad_limit
            gfab_error_limit_must_be_0_or_at_least_a_words_way u_bad ();
        end
        if (LIMIT > 0) begin : gen_limit
            localparam TIME_BITS = $clog2(LIMIT + 1);
            reg                 idle_q; // words wait, and nothing moves
            reg [TIME_BITS-1:0] time_q; // for so many cycles
            reg                 error_q;
            reg [HOSTS-1:0]     late_q;
            wire over = (time_q == LIMIT[TIME_BITS-1:0]);
            always @(posedge i_clk)
                if (i_rst) begin
                    idle_q  <= 1'b0;
                    time_q  <= {TIME_BITS{1'b0}};
                    error_q <= 1'b0;
                    late_q  <= {HOSTS{1'b0}};
                end else begin
                    idle_q <= i_waits & ~(|i_moves);
                    if (~idle_q)
                        time_q <= {TIME_BITS{1'b0}};
                    else
                        time_q <= time_q + 1'b1; // beyond the limit, too: o_error stays
                    if (over & ~error_q) begin
                        error_q <= 1'b1;
                        late_q  <= |i_untaken ? i_untaken : i_lacks;
                    end
                end
            assign o_error = error_q;
            assign o_late  = late_q;
        end else begin : gen_none
            assign o_error = 1'b0;
            assign o_late  = {HOSTS{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
