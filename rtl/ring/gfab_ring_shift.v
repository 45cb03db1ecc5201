// SPDX-License-Identifier: MIT
//
// A node of a ring fabric whose tokens are one word: what goes around goes from register to register, a node in every
// cycle, and stores are only written. A hop is 1 cycle, which a RAM in the loop could not do. ABREAST words travel side
// by side, each with a store of its own: flow j brings the tokens j STEPS to j STEPS + STEPS - 1 nodes behind.
//
// The node's own token is in a register of its own. While i_write is 0 i_start stands ready to go, which is the own
// token of this node, and for other flows that of a node farther behind; while it is 1 the registers take what the ring
// brings. o_stored is the word that i_distance of two cycles before names.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_shift #(
    parameter PLACE_BITS = 4,  // of a distance
    parameter STEPS      = 16, // words of a store
    parameter ABREAST    = 1,
    parameter BITS       = 32
) (
    input  wire                         i_clk,
    // of all nodes
    input  wire                         i_write,
    input  wire [`GFAB_BITS(STEPS)-1:0] i_write_place,
    // host
    input  wire                         i_load_valid,
    input  wire [BITS-1:0]              i_load_data,
    input  wire [PLACE_BITS-1:0]        i_distance,
    output wire [BITS-1:0]              o_stored,
    // arcs, a word for each flow, 0 last
    output wire [BITS-1:0]              o_own,
    input  wire [ABREAST*BITS-1:0]      i_start,
    input  wire [ABREAST*BITS-1:0]      i_link,
    output wire [ABREAST*BITS-1:0]      o_link // also what is written
);
    localparam STEP_BITS = `GFAB_BITS(STEPS);
    localparam FLOW_BITS = `GFAB_BITS(ABREAST);

    reg [BITS-1:0]         own_q;
    reg [ABREAST*BITS-1:0] word_q;
    always @(posedge i_clk) begin
        if (i_load_valid)
            own_q <= i_load_data;
        word_q <= i_write ? i_link : i_start;
    end
    assign o_own  = own_q;
    assign o_link = word_q;

    // Which flow brought it, and in which step.
    wire [STEP_BITS-1:0] step;
    wire [FLOW_BITS-1:0] flow;
    genvar j;
    generate
        if (ABREAST == 1) begin : gen_one
            assign step = i_distance;
            assign flow = 1'b0;
        end else if ((1 << STEP_BITS) == STEPS) begin : gen_power
            assign step = i_distance[STEP_BITS-1:0];
            assign flow = i_distance[STEP_BITS+:FLOW_BITS];
        end else begin : gen_any
            wire [31:0] far = {{(32-PLACE_BITS){1'b0}}, i_distance};
            reg [31:0]          left;
            reg [FLOW_BITS-1:0] which;
            integer             k;
            always @* begin
                left  = far;
                which = {FLOW_BITS{1'b0}};
                for (k = 1; k < ABREAST; k = k + 1)
                    if (far >= k * STEPS) begin
                        left  = far - k * STEPS;
                        which = k[FLOW_BITS-1:0];
                    end
            end
            assign step = left[STEP_BITS-1:0];
            assign flow = which;
        end
    endgenerate

    reg [STEP_BITS-1:0] read_address_q;
    always @(posedge i_clk)
        read_address_q <= step;

    wire [ABREAST*BITS-1:0] stored;
    generate
        for (j = 0; j < ABREAST; j = j + 1) begin : gen_store
            gfab_store #(
                .ADDRESS_BITS(STEP_BITS), .WORD_BITS(BITS)
            ) u_store (
                .i_clk(i_clk), .i_read_address(read_address_q), .o_read_data(stored[j*BITS+:BITS]),
                .i_write_enable(i_write), .i_write_address(i_write_place), .i_write_data(word_q[j*BITS+:BITS])
            );
        end
        if (ABREAST == 1) begin : gen_whole
            assign o_stored = stored;
        end else begin : gen_pick
            reg [FLOW_BITS-1:0] flow1_q, flow2_q;
            always @(posedge i_clk) begin
                flow1_q <= flow;
                flow2_q <= flow1_q;
            end
            assign o_stored = stored[flow2_q*BITS+:BITS];
        end
    endgenerate
endmodule

`default_nettype wire
