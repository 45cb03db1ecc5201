// SPDX-License-Identifier: MIT
//
// The same by a shared bus: an OR tree with registers, a token of L = W bits in a cycle, which all stores write.
// N + 4 cycles from start to done.
module by_hand #(
    parameter N = 16,
    parameter W = 32,
    parameter L = 32,
    parameter I = 1,
    parameter S = $clog2(N),
    parameter G = 4, // nodes of a group
    parameter H = N / G
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
    reg  [N:0]   turn;
    reg  [S-1:0] a;
    reg          w1, w2, w3;
    reg  [W-1:0] own [0:N-1];
    reg  [W-1:0] grp [0:H-1];
    reg  [W-1:0] all, b, x;
    integer      h, g;
    assign o_busy = |turn[N-1:0] | w1 | w2 | w3;
    wire go = i_start & ~o_busy;
    always @(posedge i_clk) begin
        turn <= i_rst ? 0 : {turn[N-1:0], go};
        w1   <= |turn[N-1:0];
        w2   <= w1;
        w3   <= w2;
        a    <= w3 ? a + 1'b1 : 0;
        if (i_rst | go) o_done <= 0; else if (w3 & ~w2) o_done <= 1;
        for (h = 0; h < H; h = h + 1) begin
            x = 0;
            for (g = 0; g < G; g = g + 1)
                x = x | (own[h*G+g] & {W{turn[h*G+g]}});
            grp[h] <= x;
        end
        x = 0;
        for (h = 0; h < H; h = h + 1)
            x = x | grp[h];
        all <= x;
        b   <= all;
    end
    genvar v;
    generate
        for (v = 0; v < N; v = v + 1) begin : node
            (* no_rw_check *) reg [W-1:0] mem [0:N-1];
            reg [W-1:0] q;
            assign o_read_data[v*W+:W] = q;
            always @(posedge i_clk) begin
                if (i_load_valid[v]) own[v] <= i_load_data[v*W+:W];
                if (w3) mem[a] <= b;
                q <= mem[i_read_token[v*S+:S]];
            end
        end
    endgenerate
endmodule
