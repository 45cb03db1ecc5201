// SPDX-License-Identifier: MIT
//
// For Yosys' techmap: a cover is an assertion that it is never reached, which bounded model checking then refutes.
`default_nettype none

(* techmap_celltype = "$cover" *)
module formal_cover (
    input wire A,
    input wire EN
);
    \$assert _TECHMAP_REPLACE_ (.A(~A), .EN(EN));
endmodule

`default_nettype wire
