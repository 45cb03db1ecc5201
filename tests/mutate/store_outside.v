// SPDX-License-Identifier: MIT
//
// What cut_store.v puts in the place of a store, for `expose -evert`.
module store_outside #(
    parameter ABITS = 1, WIDTH = 1
) (
    input  [ABITS-1:0] i_read_address,
    input  [WIDTH-1:0] i_write_enable,
    input  [ABITS-1:0] i_write_address,
    input  [WIDTH-1:0] i_write_data,
    output [WIDTH-1:0] o_read_data
);
    assign o_read_data = {WIDTH{1'b0}}; // it becomes an input of the netlist
endmodule
