// SPDX-License-Identifier: MIT
//
// Solves A x = b: x <- c - R x with c = D^-1 b and R = D^-1 (A - D), D the diagonal of A (Jacobi's method), each node
// having some rows. An iteration:
//
//   load x      every node writes its entries of x into its store
//   all-gather  every node has all of x
//   multiply    every node computes its rows, and by how much its entries change
//   load change every node writes that sum into its store
//   all-reduce  every node has the sum over all nodes, the change
//
// It ends when the change is at most i_tolerance, or after i_most iterations. x is then in the elements. It is gathered
// once more, so that it can be read from any node's store. Both collectives are programs of one fabric. Another c can
// be loaded before each start, as blocks are into the fabric: the word {row, word} of the node that has the row.
`default_nettype none
`include "tb/gossip_fabric_parameters.vh"

module jacobi #(
    parameter ROWS    = 1, // of a node
    parameter R_BITS  = 16,
    parameter R_POINT = 15
) (
    input  wire        i_clk,
    input  wire        i_rst,
    input  wire        i_start,
    input  wire [31:0] i_tolerance,
    input  wire [15:0] i_most,
    output wire        o_busy,
    output reg         o_solved,     // the change was at most the tolerance
    output reg  [15:0] o_iterations,
    output wire [31:0] o_change,     // of the last one
    output reg  [31:0] o_cycles_compute,
    output reg  [31:0] o_cycles_communicate,
    // while o_busy = 0: write a word of c
    input  wire [`GF_NODES-1:0]                i_load_valid,
    input  wire [`GF_NODES*`GF_LOAD_BITS-1:0]  i_load_word,
    input  wire [`GF_NODES*`GF_WORD_BITS-1:0]  i_load_data,
    // while o_busy = 0: read a word of x from a node's store, one cycle later
    input  wire [`GF_NODES*`GF_SLOT_BITS-1:0]  i_read_entry,
    input  wire [`GF_NODES*`GF_INDEX_BITS-1:0] i_read_word,
    output wire [`GF_NODES*`GF_WORD_BITS-1:0]  o_read_data
);
    localparam NODES     = `GF_NODES;
    localparam WORDS     = `GF_WORDS;
    localparam WORD_BITS = `GF_WORD_BITS;
    localparam WORD_SEL  = `GF_INDEX_BITS;
    localparam SLOT_BITS = `GF_SLOT_BITS;
    localparam COLUMNS   = NODES * ROWS;
    localparam ROW_BITS  = (ROWS > 1) ? $clog2(ROWS) : 1;
    localparam LAST_ROW    = ROWS - 1;
    localparam LAST_COLUMN = COLUMNS - 1;
    localparam LAST_WORD   = WORDS - 1;

    localparam [3:0] IDLE = 0, LOAD_X = 1, GATHER = 2, MULTIPLY = 3, FINISH = 4, LOAD_CHANGE = 5, REDUCE = 6, READ = 7,
                     TEST = 8;

    reg [3:0]           state_q;
    reg                 begun_q; // the collective of this state was started
    reg                 last_q;  // x is gathered for those who read it
    reg [ROW_BITS-1:0]  row_q;
    reg [WORD_SEL-1:0]  word_q;
    reg [SLOT_BITS-1:0] column_q;
    reg [1:0]           wait_q;
    reg                 read_q;  // the word that is there belongs to this state

    wire row_ends    = row_q == LAST_ROW[ROW_BITS-1:0];
    wire column_ends = column_q == LAST_COLUMN[SLOT_BITS-1:0];
    wire top         = word_q == LAST_WORD[WORD_SEL-1:0];
    wire communicate = state_q == GATHER || state_q == REDUCE;
    wire compute     = state_q == MULTIPLY || state_q == FINISH;
    wire load        = state_q == LOAD_X || state_q == LOAD_CHANGE;
    wire finish      = state_q == FINISH && wait_q == 2'd2;
    wire ended; // the collective
    wire solved      = o_change <= i_tolerance;
    assign o_busy    = state_q != IDLE;

    always @(posedge i_clk)
        if (i_rst) begin
            state_q  <= IDLE;
            o_solved <= 1'b0;
        end else
            case (state_q)
                IDLE: if (i_start) begin
                    state_q      <= LOAD_X;
                    o_solved     <= 1'b0;
                    o_iterations <= 16'd0;
                    last_q       <= 1'b0;
                end
                LOAD_X: if (top && row_ends) state_q <= GATHER;
                GATHER: if (ended) state_q <= last_q ? IDLE : MULTIPLY;
                MULTIPLY: if (column_ends && word_q == {WORD_SEL{1'b0}}) state_q <= FINISH;
                FINISH: if (finish) state_q <= row_ends ? LOAD_CHANGE : MULTIPLY;
                LOAD_CHANGE: if (top) state_q <= REDUCE;
                REDUCE: if (ended) state_q <= READ;
                READ: if (top) state_q <= TEST;
                default: if (!read_q) begin
                    state_q      <= LOAD_X;
                    o_iterations <= o_iterations + 1'b1;
                    o_solved     <= solved;
                    last_q       <= solved || o_iterations + 1'b1 >= i_most;
                end
            endcase

    // Counters: words rise while they are moved, and fall where a row is multiplied, for each of them over the columns.
    always @(posedge i_clk) begin
        begun_q <= communicate && !ended;
        read_q  <= state_q == READ;
        wait_q  <= (state_q == FINISH) ? wait_q + 1'b1 : 2'd0;
        if (state_q == MULTIPLY)
            column_q <= column_ends ? {SLOT_BITS{1'b0}} : column_q + 1'b1;
        else
            column_q <= {SLOT_BITS{1'b0}};
        if (load || state_q == READ)
            word_q <= top ? {WORD_SEL{1'b0}} : word_q + 1'b1;
        else if (state_q != MULTIPLY)
            word_q <= (state_q == GATHER && !last_q) || (state_q == FINISH && !row_ends) ? LAST_WORD[WORD_SEL-1:0]
                                                                                         : {WORD_SEL{1'b0}};
        else if (column_ends)
            word_q <= word_q - 1'b1;
        if (state_q == IDLE || ((finish || (state_q == LOAD_X && top)) && row_ends))
            row_q <= {ROW_BITS{1'b0}};
        else if (finish || (state_q == LOAD_X && top))
            row_q <= row_q + 1'b1;
        if (!o_busy && i_start) begin
            o_cycles_compute     <= 32'd0;
            o_cycles_communicate <= 32'd0;
        end else if (compute)
            o_cycles_compute <= o_cycles_compute + 1'b1;
        else if (o_busy)
            o_cycles_communicate <= o_cycles_communicate + 1'b1;
    end

    // Of what is read, this follows the address by a cycle.
    reg add_q, shift_q, clear_q, top_q;
    always @(posedge i_clk) begin
        add_q   <= state_q == MULTIPLY;
        shift_q <= column_q == {SLOT_BITS{1'b0}};
        clear_q <= column_q == {SLOT_BITS{1'b0}} && top;
        top_q   <= top;
    end

    // The change comes word by word, the least significant first.
    reg  [WORDS*WORD_BITS-1:0] words_q;
    wire [NODES*WORD_BITS-1:0] read_data, load_data;
    always @(posedge i_clk)
        if (read_q)
            words_q <= {read_data[WORD_BITS-1:0], words_q[WORDS*WORD_BITS-1:WORD_BITS]};
    assign o_change = words_q[31:0];

    wire [NODES*SLOT_BITS-1:0] read_entry = o_busy ? {NODES{column_q}} : i_read_entry;
    wire [NODES*WORD_SEL-1:0]  read_word  = o_busy ? {NODES{word_q}} : i_read_word;
    wire [NODES*`GF_LOAD_BITS-1:0] load_word;
    wire [15:0] row = {{(16-ROW_BITS){1'b0}}, row_q};
    wire fabric_done;
    assign ended       = begun_q && fabric_done;
    assign o_read_data = read_data;

    gossip_fabric u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(communicate && !begun_q), .o_busy(), .o_done(fabric_done),
        .i_program(state_q == LOAD_CHANGE || state_q == REDUCE),
        .i_load_valid({NODES{load}}), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_entry), .i_read_word(read_word), .o_read_data(read_data)
    );

    generate
        genvar v;
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            localparam [SLOT_BITS-1:0] FIRST = v * ROWS;
            localparam [15:0]          NAME  = 16'h3030 + 256 * (v / 10 % 10) + v % 10; // as text
            wire [SLOT_BITS-1:0] block = (state_q == LOAD_X) ? FIRST + row[SLOT_BITS-1:0] : {SLOT_BITS{1'b0}};
            wire [`GF_LOAD_BITS-1:0] c_word = i_load_word[v*`GF_LOAD_BITS+:`GF_LOAD_BITS];
            wire [SLOT_BITS-1:0]     c_row  = c_word[WORD_SEL+:SLOT_BITS] - FIRST;
            assign load_word[v*`GF_LOAD_BITS+:`GF_LOAD_BITS] = {block, word_q};

            jacobi_pe #(
                .ROWS(ROWS), .COLUMNS(COLUMNS), .ROW_BITS(ROW_BITS), .COL_BITS(SLOT_BITS), .WORD_BITS(WORD_BITS),
                .WORDS(WORDS), .WORD_SEL(WORD_SEL), .R_BITS(R_BITS), .R_POINT(R_POINT),
                .R_FILE({"build/data/r_", NAME, ".hex"}), .C_FILE({"build/data/c_", NAME, ".hex"})
            ) u_pe (
                .i_clk(i_clk), .i_load(i_load_valid[v] && !o_busy), .i_load_row(c_row[ROW_BITS-1:0]),
                .i_load_word(c_word[WORD_SEL-1:0]), .i_load_data(i_load_data[v*WORD_BITS+:WORD_BITS]),
                .i_row(row_q), .i_column(column_q), .i_word(read_data[v*WORD_BITS+:WORD_BITS]),
                .i_top(top_q), .i_add(add_q), .i_shift(shift_q), .i_clear(clear_q),
                .i_finish(finish), .i_from_zero(o_iterations == 16'd0), .i_first_row(row_q == {ROW_BITS{1'b0}}),
                .i_out_word(word_q), .i_out_change(state_q == LOAD_CHANGE),
                .o_out(load_data[v*WORD_BITS+:WORD_BITS])
            );
        end
    endgenerate
endmodule

`default_nettype wire
