// SPDX-License-Identifier: MIT
//
// Whether two fabrics that do the same say the same at each of their ports: what is ready, what is there, and, where
// something is there, what it is. Each bus is {the twin's, the fabric's}. So a word that is wrong, lost, doubled or
// late is noticed where it goes out, whatever happened to it, and who is kept waiting is, too.
//
// The twin's words are whole: a parity would be right by chance where a word is lost and the next one comes for it.
`default_nettype none

module gfab_twin_check #(
    parameter PORTS = 2,  // 1 or more
    parameter BITS  = 32, // of what is there, 1 or more
    parameter REGISTERED = 0 // 1: o_fault is two cycles late, and stays; 0: it is there in the very cycle alone
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire [2*PORTS-1:0]      i_ready,
    input  wire [2*PORTS-1:0]      i_valid,
    input  wire [2*PORTS-1:0]      i_last,  // with i_valid
    input  wire [2*PORTS*BITS-1:0] i_data,  // likewise
    output wire [PORTS-1:0]        o_fault  // of these ports
);
    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : gen_port
            wire            valid = i_valid[p];
            wire            turns = (i_ready[p] ^ i_ready[PORTS+p]) | (valid ^ i_valid[PORTS+p]) |
                                    (valid & (i_last[p] ^ i_last[PORTS+p])); // differ
            wire [BITS-1:0] data  = (i_data[p*BITS+:BITS] ^ i_data[(PORTS+p)*BITS+:BITS]) & {BITS{valid}};
            if (REGISTERED) begin : gen_registers
                reg            turns_q;
                reg [BITS-1:0] data_q;
                reg            fault_q; // until the reset
                always @(posedge i_clk) begin
                    turns_q <= ~i_rst & turns;
                    data_q  <= i_rst ? {BITS{1'b0}} : data;
                    fault_q <= ~i_rst & (fault_q | turns_q | (|data_q));
                end
                assign o_fault[p] = fault_q;
            end else begin : gen_at_once
                assign o_fault[p] = turns | (|data);
            end
        end
    endgenerate
endmodule

`default_nettype wire
