// SPDX-License-Identifier: MIT
//
// Time for a protected ring fabric: two counters (gfab_ring_counter), compared in every cycle. Stores are addressed by
// registers that are here, once for all nodes, so that they are compared, too.
//
// o_fault is 1 where the two differ in what nodes or the host see of them.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring_pair #(
    parameter PLACE_BITS = 4, // of a distance
    parameter WORDS      = 8, // of a token, 1 or more
    parameter STEP       = 8  // cycles of a step: 3 or more, and not below WORDS
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_start,
    input  wire [PLACE_BITS-1:0]        i_last_place, // as gfab_ring_counter has it
    output wire                         o_busy,
    output wire                         o_done,
    output wire                         o_read, // in this cycle stores are read for the ring, at the end of it
    output wire [PLACE_BITS-1:0]        o_read_place,
    output wire [`GFAB_BITS(WORDS)-1:0] o_read_word,
    output wire                         o_write, // words are on the arcs, and written at the end of the cycle
    output wire [PLACE_BITS-1:0]        o_write_place, // 0 where no run goes on
    output wire [`GFAB_BITS(WORDS)-1:0] o_write_word,
    output wire                         o_fault
);
    localparam WORD_BITS = `GFAB_BITS(WORDS);
    localparam SEEN      = 4 + 2 * (PLACE_BITS + WORD_BITS);

    wire [1:0] controls;
    gfab_apart #(
        .BITS(2)
    ) u_apart (
        .i_wires({i_rst, i_start}), .o_wires(controls)
    );

    wire [2*SEEN-1:0] seen; // of the two, the first one last
    genvar t;
    generate
        for (t = 0; t < 2; t = t + 1) begin : gen_counter
            wire                  rst   = t == 0 ? i_rst : controls[1];
            wire                  start = t == 0 ? i_start : controls[0];
            wire                  busy, done, read, write;
            wire [PLACE_BITS-1:0] read_place, write_place;
            wire [WORD_BITS-1:0]  read_word, write_word;
            gfab_ring_counter #(
                .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .STEP(STEP), .REGISTERED(1), .PROMPT(0), .SHIFTS(0)
            ) u_counter (
                .i_clk(i_clk), .i_rst(rst), .i_start(start), .i_last_place(i_last_place),
                .o_busy(busy), .o_done(done), .o_read(read), .o_read_place(read_place), .o_read_word(read_word),
                .o_write(write), .o_write_place(write_place), .o_write_word(write_word)
            );

            reg                  read_q, write_q;
            reg [PLACE_BITS-1:0] read_place_q, write_place_q;
            reg [WORD_BITS-1:0]  read_word_q, write_word_q;
            always @(posedge i_clk) begin
                read_q        <= rst ? 1'b0 : read;
                read_place_q  <= (rst | ~read) ? {PLACE_BITS{1'b0}} : read_place;
                read_word_q   <= (rst | ~read) ? {WORD_BITS{1'b0}} : read_word;
                write_q       <= rst ? 1'b0 : write;
                write_place_q <= rst ? {PLACE_BITS{1'b0}} : write_place;
                write_word_q  <= rst ? {WORD_BITS{1'b0}} : write_word;
            end
            assign seen[t*SEEN+:SEEN] = {busy, done, read_q, read_place_q, read_word_q,
                                         write_q, write_place_q, write_word_q};
        end
    endgenerate

    assign {o_busy, o_done, o_read, o_read_place, o_read_word, o_write, o_write_place, o_write_word} = seen[SEEN-1:0];
    assign o_fault = seen[SEEN-1:0] != seen[SEEN+:SEEN];
endmodule

`default_nettype wire
