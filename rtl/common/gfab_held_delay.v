// SPDX-License-Identifier: MIT
//
// What i_data was CYCLES cycles ago, of those in which i_enable was 1: what is on its way stands still in the others.
// With 0 a wire.
`default_nettype none

module gfab_held_delay #(
    parameter BITS   = 16, // 1 or more
    parameter CYCLES = 1   // 0 or more
) (
    input  wire            i_clk,
    input  wire            i_enable,
    input  wire [BITS-1:0] i_data,
    output wire [BITS-1:0] o_data
);
    wire [(CYCLES+1)*BITS-1:0] taps; // bits [t * BITS +: BITS]: t cycles ago
    generate
        if (CYCLES == 0) begin : gen_wire
            assign taps = i_data;
        end else begin : gen_chain
            reg [CYCLES*BITS-1:0] data_q;
            always @(posedge i_clk)
                if (i_enable)
                    data_q <= taps[CYCLES*BITS-1:0];
            assign taps = {data_q, i_data};
        end
    endgenerate
    assign o_data = taps[CYCLES*BITS+:BITS];
endmodule

`default_nettype wire
