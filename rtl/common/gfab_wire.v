// SPDX-License-Identifier: MIT
//
// One direction of a link that has wires of its own for each: LATENCY registers between a
// node's output and the other end's input. A reset empties them, so that nothing of a gossip that was cut off comes
// out in the next.
`default_nettype none

module gfab_wire #(
    parameter LINK_BITS = 2, // 1 or more
    parameter LATENCY   = 0  // cycles, 0 .. 15
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire [LINK_BITS-1:0] i_near,
    output wire [LINK_BITS-1:0] o_far
);
    generate
        if (LATENCY < 0 || LATENCY > 15) begin : gen_bad_latency
            gfab_error_latency_must_be_0_to_15 u_bad ();
        end
        if (LATENCY == 0) begin : gen_wire
            assign o_far = i_near;
        end else begin : gen_registers
            reg  [LATENCY*LINK_BITS-1:0]     way_q;
            wire [(LATENCY+1)*LINK_BITS-1:0] way = {way_q, i_near};
            always @(posedge i_clk)
                way_q <= i_rst ? {LATENCY*LINK_BITS{1'b0}} : way[LATENCY*LINK_BITS-1:0];
            assign o_far = way[LATENCY*LINK_BITS+:LINK_BITS];
        end
    endgenerate
endmodule

`default_nettype wire
