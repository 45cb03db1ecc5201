// SPDX-License-Identifier: MIT
//
// From a token's origin to its store slot in a node of a square mesh whose stores number tokens as they lie when the
// node is turned into the first quarter: TURNS quarter turns, clockwise, each of which brings row r, column c
// to row c, column SIDE - 1 - r. Nodes and slots are row-major. A table, so that no divider is made of it. No latency.
`default_nettype none
`include "gfab_bits.vh"

module gfab_turn #(
    parameter TURNS = 1, // 0 .. 3
    parameter SIDE  = 4  // 2 or more
) (
    input  wire [`GFAB_BITS(SIDE*SIDE)-1:0] i_token,
    output wire [`GFAB_BITS(SIDE*SIDE)-1:0] o_slot
);
    localparam SLOT_BITS = `GFAB_BITS(SIDE*SIDE);

    (* rom_style = "logic", ram_style = "logic" *)
    reg [SLOT_BITS-1:0] slots [0:(1 << SLOT_BITS)-1];

    integer token, slot, turn;
    initial
        for (token = 0; token < (1 << SLOT_BITS); token = token + 1) begin
            slot = token % (SIDE * SIDE);
            for (turn = 0; turn < TURNS; turn = turn + 1)
                slot = slot % SIDE * SIDE + (SIDE - 1 - slot / SIDE);
            slots[token] = slot[SLOT_BITS-1:0];
        end

    assign o_slot = slots[i_token];
endmodule

`default_nettype wire
