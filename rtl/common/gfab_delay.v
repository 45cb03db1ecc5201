// SPDX-License-Identifier: MIT
//
// What i_data was CYCLES cycles ago; with 0 a wire. RESET: a reset empties it, so that nothing of what was cut off
// comes out later; otherwise nothing is reset. TWIN: its flip-flops hold the inverse, so that synthesis keeps it beside
// another of the same.
`default_nettype none

module gfab_delay #(
    parameter BITS   = 16, // 1 or more
    parameter CYCLES = 1,  // 0 or more
    parameter RESET  = 0,
    parameter TWIN   = 0
) (
    input  wire            i_clk,
    input  wire            i_rst, // with RESET
    input  wire [BITS-1:0] i_data,
    output wire [BITS-1:0] o_data,
    output wire [(CYCLES+1)*BITS-1:0] o_taps // bits [t * BITS +: BITS]: t cycles ago
);
    generate
        if (CYCLES == 0) begin : gen_wire
            assign o_taps = i_data;
        end else begin : gen_chain
            localparam [CYCLES*BITS-1:0] TURN = {CYCLES*BITS{TWIN != 0}};
            reg [CYCLES*BITS-1:0] data_q;
            always @(posedge i_clk)
                data_q <= ((RESET != 0 && i_rst) ? {CYCLES*BITS{1'b0}} : o_taps[CYCLES*BITS-1:0]) ^ TURN;
            assign o_taps = {data_q ^ TURN, i_data};
        end
    endgenerate
    assign o_data = o_taps[CYCLES*BITS+:BITS];
endmodule

`default_nettype wire
