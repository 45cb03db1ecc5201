// SPDX-License-Identifier: MIT
//
// Wires that synthesis sees no further through: what two fabrics do alike stays there twice, for it does not know that
// they have the same inputs. A fabric and its twin would else share each register, ROM and gate that depends on inputs
// alone, and a bit that flips there would be wrong in both.
`default_nettype none

(* keep_hierarchy = "yes" *)
module gfab_apart #(
    parameter BITS = 2 // 1 or more
) (
    input  wire [BITS-1:0] i_wires,
    output wire [BITS-1:0] o_wires
);
    assign o_wires = i_wires;
endmodule

`default_nettype wire
