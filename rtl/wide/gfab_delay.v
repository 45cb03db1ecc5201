// SPDX-License-Identifier: MIT
//
// A word CYCLES cycles later; with 0 a wire. Nothing is reset.
`default_nettype none

module gfab_delay #(
    parameter BITS   = 16, // 1 or more
    parameter CYCLES = 1   // 0 or more
) (
    input  wire            i_clk,
    input  wire [BITS-1:0] i_data,
    output wire [BITS-1:0] o_data
);
    generate
        if (CYCLES == 0) begin : gen_wire
            assign o_data = i_data;
        end else begin : gen_registers
            reg  [CYCLES*BITS-1:0]     data_q;
            wire [(CYCLES+1)*BITS-1:0] data = {data_q, i_data};
            always @(posedge i_clk)
                data_q <= data[CYCLES*BITS-1:0];
            assign o_data = data[CYCLES*BITS+:BITS];
        end
    endgenerate
endmodule

`default_nettype wire
