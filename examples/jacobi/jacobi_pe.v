// SPDX-License-Identifier: MIT
//
// A processing element: one node's rows of x <- c - R x, in fixed point. It multiplies one word of an entry of x a
// cycle, that of the highest weight first: the sum is shifted by a word before each pass over the columns. All elements
// work in step; jacobi.v has the counters.
//
// Latency: the word of the store and the coefficient belong to the address of the cycle before; the product is added in
// the cycle after the next.
`default_nettype none

module jacobi_pe #(
    parameter ROWS      = 1,  // of this node
    parameter COLUMNS   = 16, // unknowns
    parameter ROW_BITS  = 1,
    parameter COL_BITS  = 4,
    parameter WORD_BITS = 8,  // of a store's word
    parameter WORDS     = 4,  // of an entry of x
    parameter WORD_SEL  = 2,  // bits of a word's number
    parameter X_BITS    = 32, // of an entry of x, two's complement
    parameter R_BITS    = 16, // of a coefficient, two's complement
    parameter R_POINT   = 15, // of these after the point
    parameter R_FILE    = "", // $readmemh: ROWS lines of COLUMNS coefficients
    parameter C_FILE    = ""  // $readmemh: ROWS entries of c, until others are loaded
) (
    input  wire                 i_clk,
    // a word of an entry of c
    input  wire                 i_load,
    input  wire [ROW_BITS-1:0]  i_load_row,
    input  wire [WORD_SEL-1:0]  i_load_word,
    input  wire [WORD_BITS-1:0] i_load_data,
    // while a row is multiplied
    input  wire [ROW_BITS-1:0]  i_row,
    input  wire [COL_BITS-1:0]  i_column,
    input  wire [WORD_BITS-1:0] i_word,   // of x, from the node's store
    input  wire                 i_top,    // it has the sign
    input  wire                 i_add,    // the product counts
    input  wire                 i_shift,  // it is the first of its weight
    input  wire                 i_clear,  // and the first of its row
    // when the sum is there
    input  wire                 i_finish,
    input  wire                 i_from_zero, // the old x is 0
    input  wire                 i_first_row, // of the change
    // a word of x, or of the change: the sum over the rows of |new x - old x|
    input  wire [WORD_SEL-1:0]  i_out_word,
    input  wire                 i_out_change,
    output wire [WORD_BITS-1:0] o_out
);
    localparam SUM_BITS = X_BITS + R_BITS + COL_BITS;
    localparam TOP_BIT  = (X_BITS - 1) % WORD_BITS;

    reg [R_BITS-1:0] coefficients [0:ROWS*COLUMNS-1];
    reg [WORDS*WORD_BITS-1:0] constants [0:ROWS-1];
    reg [X_BITS-1:0] x [0:ROWS-1];

    initial
        if (|R_FILE) begin
            $readmemh(R_FILE, coefficients);
            $readmemh(C_FILE, constants);
        end

    always @(posedge i_clk)
        if (i_load)
            constants[i_load_row][i_load_word*WORD_BITS+:WORD_BITS] <= i_load_data;

    // Stage 1: the coefficient; the store's word is there.
    reg signed [R_BITS-1:0] coefficient_q;
    always @(posedge i_clk)
        coefficient_q <= coefficients[i_row * COLUMNS + {{(32-COL_BITS){1'b0}}, i_column}];
    wire signed [WORD_BITS:0] word =
        i_top ? {{(WORD_BITS-TOP_BIT){i_word[TOP_BIT]}}, i_word[TOP_BIT:0]} : {1'b0, i_word};

    // Stage 2: the product.
    reg signed [R_BITS+WORD_BITS:0] product_q;
    reg                             add_q, shift_q, clear_q;
    always @(posedge i_clk) begin
        product_q <= coefficient_q * word;
        add_q     <= i_add;
        shift_q   <= i_shift;
        clear_q   <= i_clear;
    end

    // Stage 3: the sum.
    reg signed [SUM_BITS-1:0] sum_q;
    always @(posedge i_clk)
        if (add_q)
            sum_q <= (clear_q ? {SUM_BITS{1'b0}} : shift_q ? sum_q << WORD_BITS : sum_q) +
                {{(SUM_BITS-R_BITS-WORD_BITS-1){product_q[R_BITS+WORD_BITS]}}, product_q};

    reg  [X_BITS-1:0] change_q;
    wire [X_BITS-1:0] old_x = i_from_zero ? {X_BITS{1'b0}} : x[i_row];
    wire [WORDS*WORD_BITS-1:0] constant = constants[i_row];
    wire [X_BITS-1:0] sum   = sum_q[R_POINT+:X_BITS];
    reg  [X_BITS-1:0] offset_q; // of the change from the sum: known long before that
    wire [X_BITS-1:0] moved = offset_q - sum;
    wire              falls = moved[X_BITS-1];
    always @(posedge i_clk) begin
        offset_q <= constant[X_BITS-1:0] - old_x;
        if (i_finish) begin
            x[i_row] <= constant[X_BITS-1:0] - sum;
            change_q <= (i_first_row ? {X_BITS{1'b0}} : change_q) + (moved ^ {X_BITS{falls}}) +
                {{(X_BITS-1){1'b0}}, falls};
        end
    end

    wire [WORDS*WORD_BITS-1:0] out = {{(WORDS*WORD_BITS-X_BITS){1'b0}}, i_out_change ? change_q : old_x};
    assign o_out = out[i_out_word*WORD_BITS+:WORD_BITS];
endmodule

`default_nettype wire
