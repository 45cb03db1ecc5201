// SPDX-License-Identifier: MIT
//
// A signal of another clock, or of none, for this one: two flip-flops, of which the first may take a while to become 0
// or 1. A change is at the output behind the second or the third edge after it.
//
// GFAB_METASTABLE is for test benches: the first one keeps an x, which is an input that changes, for a whole cycle, and
// the second takes it for either value.
`default_nettype none

module gfab_synchroniser #(
    parameter RESET_VALUE = 1'b0
) (
    input  wire i_clk,
    input  wire i_rst,
    input  wire i_async,
    output wire o_sync
);
    (* ASYNC_REG = "TRUE" *) reg first_q;
    (* ASYNC_REG = "TRUE" *) reg second_q;

    always @(posedge i_clk)
        if (i_rst) begin
            first_q  <= RESET_VALUE;
            second_q <= RESET_VALUE;
        end else begin
            first_q  <= i_async;
`ifdef GFAB_METASTABLE
            second_q <= (first_q === 1'bx) ? $random : first_q;
`else
            second_q <= first_q;
`endif
        end

    assign o_sync = second_q;
endmodule

`default_nettype wire
