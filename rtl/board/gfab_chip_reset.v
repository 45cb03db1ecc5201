// SPDX-License-Identifier: MIT
//
// Reset of a chip with a clock of its own, from anywhere: begins at once, clock or none, and ends by an edge of the
// clock, so that all flip-flops leave it together, two to three cycles after i_rst falls. Parts that are configured
// with initial values begin in reset.
//
// PROTECT: there twice, the second time inverted, and it takes both for a reset.
`default_nettype none

module gfab_chip_reset #(
    parameter PROTECT = 0
) (
    input  wire i_clk,
    input  wire i_rst, // asynchronous
    output wire o_rst
);
    (* ASYNC_REG = "TRUE" *) reg [1:0] rst_q = 2'b11;

    always @(posedge i_clk or posedge i_rst)
        if (i_rst)
            rst_q <= 2'b11;
        else
            rst_q <= {rst_q[0], 1'b0};

    generate
        if (PROTECT) begin : gen_twin
            (* ASYNC_REG = "TRUE" *) reg [1:0] run_q = 2'b00;
            always @(posedge i_clk or posedge i_rst)
                if (i_rst)
                    run_q <= 2'b00;
                else
                    run_q <= {run_q[0], 1'b1};
            assign o_rst = rst_q[1] & ~run_q[1];
        end else begin : gen_one
            assign o_rst = rst_q[1];
        end
    endgenerate
endmodule

`default_nettype wire
