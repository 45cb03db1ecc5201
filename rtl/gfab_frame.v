// SPDX-License-Identifier: MIT
//
// From a token's origin to its store slot in a node of a torus whose stores number tokens from
// the node: origin - NODE, coordinate by coordinate, each modulo its side; nodes and slots are row-major, last
// coordinate fastest. A table, so that no divider is made of it. No latency.
`default_nettype none
`include "gfab_bits.vh"

module gfab_frame #(
    parameter NODE       = 0,                  // 0 .. NODES - 1
    parameter NODES      = 16,                 // product of the sides, 2 or more
    parameter DIMENSIONS = 2,                  // 1 .. 8
    parameter [DIMENSIONS*32-1:0] SIDES = {32'd4, 32'd4} // the last side in the low bits
) (
    input  wire [`GFAB_BITS(NODES)-1:0] i_token,
    output wire [`GFAB_BITS(NODES)-1:0] o_slot
);
    localparam SLOT_BITS = `GFAB_BITS(NODES);

    (* rom_style = "logic", ram_style = "logic" *)
    reg [SLOT_BITS-1:0] slots [0:(1 << SLOT_BITS)-1];

    integer token, slot, stride, side, from, to, d;
    initial
        for (token = 0; token < (1 << SLOT_BITS); token = token + 1) begin
            slot   = 0;
            stride = 1;
            from   = NODE;
            to     = token;
            for (d = 0; d < DIMENSIONS; d = d + 1) begin
                side   = SIDES[d*32+:32];
                slot   = slot + (to % side + side - from % side) % side * stride;
                stride = stride * side;
                from   = from / side;
                to     = to / side;
            end
            slots[token] = slot[SLOT_BITS-1:0];
        end

    assign o_slot = slots[i_token];
endmodule

`default_nettype wire
