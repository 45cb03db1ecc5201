// SPDX-License-Identifier: MIT
//
// The program of one node: its ROM and the op register. The address is round and
// lane side by side; docs/reference/rom-format.md has the words. STYLE "logic" keeps the ROM in LUTs, since
// it is read a few bits wide and every block RAM is wanted for a store. "block" keeps it in block RAMs, so that icebram
// can replace it in a finished bitstream; that takes whole hexadecimal digits of its file. There a word has the
// sequence's of its round above the op's digits, which a RAM has room for (gfab_sequence).
//
// LANE_MAP lets nodes whose programs differ in the order of their lanes alone have one file: 4 bits a lane, lane 0's
// lowest, the lane of the file that stands in for it.
//
// PROTECT: o_odd says that the op register has an odd number of ones, for gfab_guard to add up. In the round of the
// halt the words of all lanes have the bit that makes the ones of a program even.
//
// Latency: o_op, the op register, belongs to the i_round and i_lane of the cycle before.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"
`include "gfab_rom.vh"

module gfab_program #(
    parameter LANES      = 4, // ports of the fabric's largest node, 1 or more
    parameter BITS       = 6, // of a word, 3 or more
    parameter ROUND_BITS = 4, // the ROM holds 2^ROUND_BITS rounds, the halt's included
    parameter FILE       = "", // $readmemh text, found in the working directory
    parameter STYLE      = "logic", // or "block"
    parameter [63:0] LANE_MAP = 64'hfedcba9876543210,
    parameter GAP_BITS   = 0, // with STYLE "block": of a gap, as in gfab_sequence
    parameter PROTECT    = 0,
    parameter IMAGE_BITS = 0, // of IMAGE, which gfab_rom.vh explains; 0: the words are in FILE
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0
) (
    input  wire                         i_clk,
    input  wire [ROUND_BITS-1:0]        i_round,
    input  wire [`GFAB_BITS(LANES)-1:0] i_lane,
    output wire                         o_odd, // 0 unless PROTECT
    output wire [BITS-1:0]              o_op,
    output wire [`GFAB_SEQUENCE_BITS(GAP_BITS)-1:0] o_sequence // with STYLE "block", else 0: the round's word
);
    localparam LANE_BITS = `GFAB_BITS(LANES);
    // The stride of a round is LANES rounded up to a power of two: 1 for a single lane.
    localparam ADDRESS_BITS = ROUND_BITS + (LANES > 1 ? LANE_BITS : 0);

    wire [LANE_BITS-1:0] lane;
    generate
        if (LANE_MAP == 64'hfedcba9876543210) begin : gen_in_order
            assign lane = i_lane;
        end else begin : gen_mapped
            reg [LANE_BITS-1:0] mapped;
            integer             c;
            always @* begin
                mapped = LANE_MAP[LANE_BITS-1:0];
                for (c = 1; c < LANES; c = c + 1)
                    if (i_lane == c[LANE_BITS-1:0])
                        mapped = LANE_MAP[4*c+:LANE_BITS];
            end
            assign lane = mapped;
        end
    endgenerate

    wire [ROUND_BITS+LANE_BITS-1:0] round_and_lane = {i_round, lane};
    wire [ADDRESS_BITS-1:0]         address =
        round_and_lane[ROUND_BITS+LANE_BITS-1:ROUND_BITS+LANE_BITS-ADDRESS_BITS];

    localparam SEQUENCE_BITS = `GFAB_SEQUENCE_BITS(GAP_BITS);
    localparam DIGIT_BITS    = (BITS + 3) / 4 * 4;
    localparam WORDS         = 1 << ADDRESS_BITS;
    reg [BITS-1:0] op_q;
    assign o_op = op_q;

    generate
        if (STYLE == "block") begin : gen_block
            `GFAB_BLOCK_ROM
            reg [SEQUENCE_BITS+DIGIT_BITS-1:0] rom [0:WORDS-1];
            reg [SEQUENCE_BITS-1:0] sequence_q;
            `GFAB_ROM_WORDS(rom, SEQUENCE_BITS + DIGIT_BITS, WORDS)

            always @(posedge i_clk) begin
                op_q       <= rom[address][BITS-1:0];
                sequence_q <= rom[address][DIGIT_BITS+:SEQUENCE_BITS];
            end
            assign o_sequence = sequence_q;
        end else begin : gen_logic
            `GFAB_LOGIC_ROM
            reg [BITS-1:0] rom [0:WORDS-1];
            `GFAB_ROM_WORDS(rom, BITS, WORDS)

            always @(posedge i_clk)
                op_q <= rom[address];
            assign o_sequence = {SEQUENCE_BITS{1'b0}};
        end

        if (PROTECT) begin : gen_checks
            // The slot's parity is also that which gfab_node enters.
            assign o_odd = (^op_q[BITS-1:`GFAB_OP_SLOT_LSB]) ^ (^op_q[`GFAB_OP_SLOT_LSB-1:0]);
        end else begin : gen_no_checks
            assign o_odd = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
