// SPDX-License-Identifier: MIT
//
// What a person writes by hand for an all-gather of one token of W bits a node, among N nodes on one chip: a ring of
// RAMs, F = W / L flits of L bits. Node v's RAM has the flits of v, v - 1, v - 2 ..: at time t it puts out flit t, and
// takes flit t + F from the node before it. All nodes have the same addresses, so that one counter serves all of them.
// (N - 1) F + 2 cycles from start to done.
module by_hand #(
    parameter N = 16,
    parameter W = 32,
    parameter L = 16,
    parameter A = $clog2(N * W / L),
    parameter I = $clog2(W / L),
    parameter S = $clog2(N)
) (
    input  wire           i_clk,
    input  wire           i_rst,
    input  wire           i_start,
    output wire           o_busy,
    output reg            o_done,
    input  wire [N-1:0]   i_load_valid,
    input  wire [N*I-1:0] i_load_word,
    input  wire [N*L-1:0] i_load_data,
    input  wire [N*S-1:0] i_read_token,
    input  wire [N*I-1:0] i_read_word,
    output wire [N*L-1:0] o_read_data
);
    localparam F = W / L, END = (N - 1) * F;
    reg run, wr;
    reg [A-1:0] t, t1;
    assign o_busy = run | wr;
    always @(posedge i_clk) begin
        t  <= run ? t + 1'b1 : {A{1'b0}};
        t1 <= t + F[A-1:0]; // where the flit that is read now goes in the next node
        wr <= run & ~i_rst;
        if (i_rst) run <= 0; else if (run) run <= t != END - 1; else run <= i_start;
        if (i_rst | i_start) o_done <= 0; else if (wr & ~run) o_done <= 1;
    end
    wire [L-1:0] out [0:N-1];
    genvar v;
    generate
        for (v = 0; v < N; v = v + 1) begin : node
            (* no_rw_check *) reg [L-1:0] mem [0:N*F-1];
            reg  [L-1:0] q;
            wire [S-1:0] rel = v - i_read_token[v*S+:S];
            wire [A-1:0] ra = run ? t : {rel, i_read_word[v*I+:I]};
            wire [A-1:0] wa = wr ? t1 : i_load_word[v*I+:I];
            wire [L-1:0] d = wr ? out[(v+N-1)%N] : i_load_data[v*L+:L];
            always @(posedge i_clk) begin
                if (wr | i_load_valid[v]) mem[wa] <= d;
                q <= mem[ra];
            end
            assign out[v] = q, o_read_data[v*L+:L] = q;
        end
    endgenerate
endmodule
