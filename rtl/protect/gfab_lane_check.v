// SPDX-License-Identifier: MIT
//
// With PROTECT, at a narrow node's store: the check bit of what is written, a fault of what is read, and the node's
// balance of what left and what came (docs/reference/protection.md). With COMBINES what is combined counts, too.
`default_nettype none

module gfab_lane_check #(
    parameter WORD_BITS = 8,
    parameter SLOT_BITS = 4,
    parameter LANES     = 4,
    parameter COMBINES  = 0,
    parameter COPY      = 0 // 1: what is combined is read from a second RAM
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire                 i_busy,
    // stage 1
    input  wire                 i_send,
    input  wire                 i_combine,
    input  wire                 i_host_reads,
    // stage 2
    input  wire                 i_rests, // ~i_send of the cycle before, kept apart from it
    input  wire                 i_stays, // ~i_combine likewise
    input  wire                 i_flipped, // the word's top bit is turned over on the way
    input  wire [WORD_BITS:0]   i_out,   // the word that is read, and its check bit
    input  wire [WORD_BITS:0]   i_old,   // the one that is combined
    // write stage
    input  wire                 i_write,
    input  wire                 i_write_check, // makes i_write and i_write_slot even
    input  wire [SLOT_BITS-1:0] i_write_slot,
    input  wire [WORD_BITS-1:0] i_data,
    input  wire                 i_loaded_odd, // of what the host loads
    // of gfab_lane_combine, and of the lanes
    input  wire                 i_in_odd,
    input  wire                 i_came_odd,
    input  wire                 i_differ,
    input  wire [LANES-1:0]     i_lane_faults,
    output wire                 o_check, // of i_data
    output wire                 o_fault,
    output wire                 o_alarm,
    output wire                 o_balance
);
    wire out_check; // to be entered, 1 for nothing: of what is out
    wire came;      // and of what came in
    wire old_fault;
    generate
        if (COMBINES) begin : gen_combined
            reg old_tested_q;
            always @(posedge i_clk)
                old_tested_q <= ~i_rst & (COPY != 0) & i_combine;
            // Over links a top bit that is turned over counts as it is there.
            assign o_check   = ~(i_busy ? i_in_odd : i_loaded_odd);
            assign out_check = (i_rests | (i_out[WORD_BITS] ^ i_flipped)) ^
                               (~i_stays & ~(i_old[WORD_BITS] ^ i_flipped));
            assign came      = i_came_odd;
            assign old_fault = old_tested_q & ~^i_old;
        end else begin : gen_received
            assign o_check   = ~^i_data;
            assign out_check = i_rests ? 1'b1 : i_out[WORD_BITS]; // sent_check_q's set
            assign came      = i_write & ~o_check;
            assign old_fault = 1'b0;
        end
    endgenerate

    reg sent_check_q;
    reg balance_q;
    always @(posedge i_clk) begin
        sent_check_q <= out_check;
        if (!i_busy)
            balance_q <= 1'b0;
        else
            balance_q <= balance_q ^ ~sent_check_q ^ came;
    end
    assign o_balance = balance_q;

    reg tested_q; // what is out is sent, or the host's, or combined
    reg fault_q;
    always @(posedge i_clk) begin
        tested_q <= i_rst ? 1'b0 : i_send | i_host_reads | (i_combine & (COPY == 0));
        fault_q  <= i_rst ? 1'b0 : o_fault; // a reset, not a LUT's input
    end
    // The RAM is slow and the host is to have the verdict with the word. Kept, so that it is two LUTs away.
    localparam HALF_BITS = (WORD_BITS + 1) / 2;
    wire [WORD_BITS-1:0] word = i_out[WORD_BITS-1:0];
    (* keep *) wire [1:0] halves;
    assign halves  = {^(word >> HALF_BITS), ^word[HALF_BITS-1:0]};
    assign o_fault = (tested_q & ~^{i_out[WORD_BITS], halves}) | old_fault;
    // A flip makes one of these odd, and no two at once.
    assign o_alarm = (^{fault_q, i_write_check, i_write_slot, i_write, i_lane_faults}) | i_differ;
endmodule

`default_nettype wire
