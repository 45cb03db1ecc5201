// SPDX-License-Identifier: MIT
//
// The wires of a ring fabric: what each node puts out on each ring comes in at the next node of that ring.
//
// Combinational.
`default_nettype none

module gfab_ring_arcs #(
    parameter NODES     = 16,
    parameter RINGS     = 2,
    parameter CYCLES    = 1, // rings, or with BOTH half as many
    parameter BOTH      = 1, // 1: rings 2c and 2c + 1 are cycle c, forwards and backwards
    parameter LENGTH    = NODES, // of a ring
    parameter LINK_BITS = 2,
    parameter [16*RINGS*NODES-1:0] FROM = 0 // of each ring, 0 last, and node, 0 last: whose flits come in
) (
    input  wire [NODES*RINGS*LINK_BITS-1:0] i_out, // of each node, 0 last, and ring, 0 last
    output wire [NODES*RINGS*LINK_BITS-1:0] o_in
);
    genvar v, j;
    generate
        if (LENGTH < 3) begin : gen_too_few
            gfab_error_a_ring_has_3_nodes_or_more u_bad ();
        end
        if (RINGS != (BOTH != 0 ? 2 * CYCLES : CYCLES)) begin : gen_unlike
            gfab_error_rings_must_be_the_cycles_or_both_ways_of_each u_bad ();
        end
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            for (j = 0; j < RINGS; j = j + 1) begin : gen_ring
                assign o_in[(v*RINGS+j)*LINK_BITS+:LINK_BITS] =
                    i_out[(FROM[16*(j*NODES+v)+:16]*RINGS+j)*LINK_BITS+:LINK_BITS];
            end
        end
    endgenerate
endmodule

`default_nettype wire
