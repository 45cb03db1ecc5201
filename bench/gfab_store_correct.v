// SPDX-License-Identifier: MIT
//
// gfab_store with a Hamming code and a bit over all, 13 bits for words of 8: a bit that has flipped is corrected as its
// word is read. What that costs is all that this is for (protect_curve.py); no fabric has it.
`default_nettype none

module gfab_store #(
    parameter ADDRESS_BITS = 6,
    parameter WORD_BITS    = 8 // no other
) (
    input  wire                    i_clk,
    input  wire [ADDRESS_BITS-1:0] i_read_address,
    output wire [WORD_BITS-1:0]    o_read_data,
    input  wire                    i_write_enable,
    input  wire [ADDRESS_BITS-1:0] i_write_address,
    input  wire [WORD_BITS-1:0]    i_write_data
);
    generate
        if (WORD_BITS != 8) begin : gen_bad_word
            gfab_error_word_bits_must_be_8 u_bad ();
        end
    endgenerate

    // Data bit i has place 3, 5, 6, 7, 9 .. 12; check bit j is that of the places that have bit j.
    function [3:0] checks;
        input [7:0] word;
        checks = {^(word & 8'hf0), ^(word & 8'h8e), ^(word & 8'h6d), ^(word & 8'h5b)};
    endfunction

    (* no_rw_check *)
    reg [12:0] store [0:(1 << ADDRESS_BITS)-1];
    reg [12:0] out_q; // {over all, checks, word}

    wire [11:0] in = {checks(i_write_data), i_write_data};
    always @(posedge i_clk) begin
        out_q <= store[i_read_address];
        if (i_write_enable)
            store[i_write_address] <= {^in, in};
    end

    wire [3:0] place = checks(out_q[7:0]) ^ out_q[11:8];
    wire       one   = ^out_q; // two that have flipped are not corrected
    assign o_read_data = out_q[7:0] ^ {
        one & (place == 4'd12), one & (place == 4'd11), one & (place == 4'd10), one & (place == 4'd9),
        one & (place == 4'd7), one & (place == 4'd6), one & (place == 4'd5), one & (place == 4'd3)};
endmodule

`default_nettype wire
