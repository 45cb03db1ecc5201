// SPDX-License-Identifier: MIT
//
// From a token's origin to its store slot, in a node whose store does not number tokens by origin
// (docs/reference/rom-format.md, "Slots"). A table of constants, so that neither divider nor adder is made of it. No
// latency.
`default_nettype none
`include "gfab_bits.vh"

module gfab_frame #(
    parameter TOKENS = 16, // or parts of tokens, 2 or more
    parameter [TOKENS*`GFAB_BITS(TOKENS)-1:0] SLOTS = 0 // bit b of origin t's slot is bit b * TOKENS + t
) (
    input  wire [`GFAB_BITS(TOKENS)-1:0] i_token, // 0 .. TOKENS - 1
    output wire [`GFAB_BITS(TOKENS)-1:0] o_slot
);
    localparam SLOT_BITS = `GFAB_BITS(TOKENS);

    genvar b;
    generate
        for (b = 0; b < SLOT_BITS; b = b + 1) begin : gen_bit
            localparam [TOKENS-1:0] PLANE = SLOTS[b*TOKENS+:TOKENS];
            assign o_slot[b] = PLANE[i_token];
        end
    endgenerate
endmodule

`default_nettype wire
