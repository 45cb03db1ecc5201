// SPDX-License-Identifier: MIT
//
// A bank's chain, for every operator: what is taken in a cycle comes out MERGES * LATENCY cycles later, the old word
// first, then those of the lanes in their order, each combined with what there is so far; and nothing else comes out.
// The operator is a table of what each pair makes, which nobody knows.
`default_nettype none

module formal_wide_chain #(
    parameter LANES     = 3,
    parameter LINK_BITS = 1,
    parameter MERGES    = 2,
    parameter LATENCY   = 1
) (
    input wire                                   i_clk,
    input wire                                   i_rst,
    input wire [(LINK_BITS<<(2*LINK_BITS))-1:0]  i_rule,
    input wire                                   i_combines,
    input wire [LINK_BITS-1:0]                   i_old,
    input wire [LANES-1:0]                       i_taken,
    input wire [LANES*LINK_BITS-1:0]             i_words
);
    localparam DELAY = MERGES * LATENCY;

    // Any table, from a reset on.
    reg [(LINK_BITS<<(2*LINK_BITS))-1:0] rule;
    reg                                  begun = 1'b0;
    always @(posedge i_clk) begin
        begun <= begun | i_rst;
        if (i_rst && !begun)
            rule <= i_rule;
    end

    wire                 write;
    wire [LINK_BITS-1:0] word;
    wire [MERGES*LINK_BITS-1:0] lefts, rights, results;
    gfab_wide_chain #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .MERGES(MERGES), .LATENCY(LATENCY)
    ) u_chain (
        .i_clk(i_clk), .i_rst(i_rst), .i_combines(i_combines), .i_old(i_old), .i_taken(i_taken), .i_words(i_words),
        .o_write(write), .o_word(word), .o_lefts(lefts), .o_rights(rights), .i_results(results)
    );
    // The operators: what the table has, LATENCY cycles later.
    genvar k;
    generate
        for (k = 0; k < MERGES; k = k + 1) begin : gen_operator
            gfab_delay #(
                .BITS(LINK_BITS), .CYCLES(LATENCY)
            ) u_delay (
                .i_clk(i_clk), .i_rst(1'b0), .o_taps(), .o_data(results[k*LINK_BITS+:LINK_BITS]),
                .i_data(rule[{lefts[k*LINK_BITS+:LINK_BITS], rights[k*LINK_BITS+:LINK_BITS]}*LINK_BITS+:LINK_BITS])
            );
        end
    endgenerate

    // What should be made of what is taken now.
    reg [LINK_BITS-1:0] total;
    integer             lane, taken;
    always @* begin
        total = i_old;
        taken = 0;
        for (lane = 0; lane < LANES; lane = lane + 1)
            if (i_taken[lane]) begin
                total = i_combines ? rule[{total, i_words[lane*LINK_BITS+:LINK_BITS]}*LINK_BITS+:LINK_BITS]
                                   : i_words[lane*LINK_BITS+:LINK_BITS];
                taken = taken + 1;
            end
    end
    always @* begin
        assume (taken <= MERGES);
        assume (i_combines || taken <= 1);
    end

    // The same, later.
    reg  [DELAY:0]                 due_q;
    reg  [(DELAY+1)*LINK_BITS-1:0] totals_q;
    wire [DELAY+1:0]               due    = {due_q, |i_taken};
    wire [(DELAY+2)*LINK_BITS-1:0] totals = {totals_q, total};
    always @(posedge i_clk) begin
        due_q    <= i_rst ? {DELAY+1{1'b0}} : due[DELAY:0];
        totals_q <= totals[(DELAY+1)*LINK_BITS-1:0];
    end

    always @(posedge i_clk)
        if (begun && !i_rst) begin
            assert (write == due[DELAY]);
            assert (word == (due[DELAY] ? totals[DELAY*LINK_BITS+:LINK_BITS] : {LINK_BITS{1'b0}}));
            cover (write && word != {LINK_BITS{1'b0}});
        end
endmodule

`default_nettype wire
