// SPDX-License-Identifier: MIT
//
// What a node of a ring fabric that combines has of one ring: a store of its blocks, what it has of a block added to
// what comes, and the result, which goes on to the next node and, where it is a total, back into the store.
//
// A hop is 1 cycle: the own operand is read ahead into a register. Where a block is several flits it is FLITS cycles,
// which results wait for in registers. Timing is that of gfab_ring_reduce_counter, stage 1 being the cycle in which
// i_read_address comes.
//
// A carry goes through PART bits in a hop. What a part carries goes to the next node beside the bits, and there into
// the part above: the block is bits and carries together. Before a total is stored it settles: its carries go through
// PIECE bits in each of PIECES cycles.
`default_nettype none
`include "gfab_op.vh"

module gfab_ring_reduce_lane #(
    parameter ADDRESS_BITS = 4,
    parameter BITS         = 32,
    parameter PART         = 8,  // BITS: there are no carries beside the bits
    parameter PIECE        = 32, // a multiple of PART, or BITS
    parameter PARTS        = (BITS + PART - 1) / PART,
    parameter FLITS        = 1,
    parameter OPERATOR     = `GFAB_OPERATOR_SUM // .. GFAB_OPERATOR_UMAX; from GFAB_OPERATOR_MIN on of whole blocks
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire [ADDRESS_BITS-1:0] i_read_address,
    output wire [BITS-1:0]         o_stored, // of the address of the cycle before
    input  wire                    i_pass,
    input  wire                    i_first,
    input  wire                    i_clear,
    input  wire                    i_load, // i_load_data is to be written, not the result
    input  wire [BITS-1:0]         i_load_data,
    input  wire                    i_write_enable, // a cycle behind i_load, PIECES cycles behind the result
    input  wire [ADDRESS_BITS-1:0] i_write_address,
    output wire [BITS-1:0]         o_write_data,
    input  wire [BITS+PARTS-2:0]   i_link, // {carries, bits}
    output wire [BITS+PARTS-2:0]   o_link
);
    localparam SUM    = (OPERATOR == `GFAB_OPERATOR_SUM);
    localparam SIGNED = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_MAX);
    localparam LEAST  = (OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_UMIN);
    // The highest bit alone; what changes nothing where it is an operand.
    localparam [BITS-1:0] TOP     = {1'b1, {(BITS-1){1'b0}}};
    localparam [BITS-1:0] NOTHING = {BITS{OPERATOR == `GFAB_OPERATOR_AND || LEAST}} ^ ({BITS{SIGNED}} & TOP);

    localparam ARC    = BITS + PARTS - 1;
    localparam PIECES = (BITS + PIECE - 1) / PIECE;

    wire [BITS-1:0] read;
    reg  [BITS-1:0] operand_q;
    reg  [ARC-1:0]  result_q; // {carries, bits}

    gfab_store #(
        .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(BITS)
    ) u_store (
        .i_clk(i_clk), .i_read_address(i_read_address), .o_read_data(read),
        .i_write_enable(i_write_enable), .i_write_address(i_write_address), .i_write_data(o_write_data)
    );

    wire [ARC-1:0] result;
    genvar s, p;
    generate
        if (SUM) begin : gen_sum
            wire [PARTS-1:0] carries; // into each part
            wire             over;    // out of the highest
            reg              carry_q; // to the next flit
            always @(posedge i_clk)
                carry_q <= ~i_rst & ~i_clear & over;
            assign carries[0] = (FLITS > 1) & carry_q & ~i_first;
            for (s = 0; s < PARTS; s = s + 1) begin : gen_part
                localparam FIRST = s * PART;
                localparam OWN   = (BITS - FIRST < PART) ? BITS - FIRST : PART;
                wire out;
                assign {out, result[FIRST+:OWN]} =
                    {1'b0, i_link[FIRST+:OWN]} + {1'b0, operand_q[FIRST+:OWN]} + {{OWN{1'b0}}, carries[s]};
                if (s + 1 < PARTS) begin : gen_beside
                    assign result[BITS+s] = out;
                    assign carries[s+1]   = i_link[BITS+s];
                end else begin : gen_top
                    assign over = out;
                end
            end
        end else begin : gen_bits
            wire more = (i_link ^ ({BITS{SIGNED}} & TOP)) > (operand_q ^ ({BITS{SIGNED}} & TOP));
            assign result = (OPERATOR == `GFAB_OPERATOR_AND) ? i_link & operand_q
                          : (OPERATOR == `GFAB_OPERATOR_OR)  ? i_link | operand_q
                          : (OPERATOR == `GFAB_OPERATOR_XOR) ? i_link ^ operand_q : (more ^ LEAST) ? i_link : operand_q;
        end
    endgenerate

    localparam [ARC:0]   NO_CARRIES = {{PARTS{1'b0}}, NOTHING};
    localparam [ARC-1:0] NO_RESULT  = NO_CARRIES[ARC-1:0];
    always @(posedge i_clk) begin
        if (i_pass)
            operand_q <= NOTHING;
        else
            operand_q <= read;
        if (i_rst | i_clear)
            result_q <= NO_RESULT;
        else
            result_q <= result;
    end
    assign o_stored = read;

    generate
        if (FLITS > 1) begin : gen_wait
            reg [(FLITS-1)*ARC-1:0] waits_q;
            wire [FLITS*ARC-1:0] line = {waits_q, result_q};
            always @(posedge i_clk)
                if (i_rst)
                    waits_q <= {(FLITS-1){NO_RESULT}};
                else
                    waits_q <= line[(FLITS-1)*ARC-1:0];
            assign o_link = line[(FLITS-1)*ARC+:ARC];
        end else begin : gen_at_once
            assign o_link = result_q;
        end

        // Settling: piece p in cycle p, with the carries of its parts and that of the piece below.
        for (p = 0; p < PIECES; p = p + 1) begin : gen_settle
            localparam FIRST = p * PIECE;
            localparam OWN   = (BITS - FIRST < PIECE) ? BITS - FIRST : PIECE;
            localparam LAST  = (p == PIECES - 1);
            reg  [BITS-1:0] bits_q;
            wire [BITS-1:0] bits, carries; // carries: each at the bit that it is for; those that are settled stay 0
            wire [BITS-1:0] settled;
            wire [OWN-1:0]  operand;
            wire            out;           // the piece's carry
            if (p == 0) begin : gen_first
                assign bits = result_q[BITS-1:0];
                for (s = 0; s < BITS; s = s + 1) begin : gen_bit
                    if (s > 0 && s % PART == 0) begin : gen_carry
                        assign carries[s] = result_q[BITS+s/PART-1];
                    end else begin : gen_none
                        assign carries[s] = 1'b0;
                    end
                end
                assign {out, settled[OWN-1:0]} = {1'b0, bits[OWN-1:0]} + {1'b0, operand};
            end else begin : gen_next
                assign bits    = gen_settle[p-1].bits_q;
                assign carries = gen_settle[p-1].gen_goes_on.carries_q;
                assign {out, settled[FIRST+:OWN]} = {1'b0, bits[FIRST+:OWN]} + {1'b0, operand} +
                                                    {{OWN{1'b0}}, gen_settle[p-1].gen_goes_on.out_q};
            end
            // Behind the last piece is the choice between a total and what the host loads. An iCE40's LUT that adds has
            // one input more, which i_load_data takes. None is left for i_load, so it is an operand where there is no
            // carry, as the sum is of no use then. Where there is a carry, the choice is behind the register.
            for (s = 0; s < BITS; s = s + 1) begin : gen_stored
                localparam CARRY = (s > 0 && s % PART == 0);
                if (s >= FIRST && s < FIRST + OWN) begin : gen_own
                    assign operand[s-FIRST] = carries[s] | (LAST && s > PART && !CARRY && i_load);
                end else begin : gen_other
                    assign settled[s] = bits[s];
                end
                if (LAST && CARRY) begin : gen_late
                    reg load_q, data_q;
                    always @(posedge i_clk) begin
                        bits_q[s] <= settled[s];
                        load_q    <= i_load;
                        data_q    <= i_load_data[s];
                    end
                    assign o_write_data[s] = load_q ? data_q : bits_q[s];
                end else begin : gen_early
                    always @(posedge i_clk)
                        bits_q[s] <= (LAST && i_load) ? i_load_data[s] : settled[s];
                    if (LAST) begin : gen_out
                        assign o_write_data[s] = bits_q[s];
                    end
                end
            end
            if (p < PIECES - 1) begin : gen_goes_on
                reg [BITS-1:0] carries_q;
                reg            out_q;
                always @(posedge i_clk) begin
                    carries_q             <= carries;
                    carries_q[FIRST+:OWN] <= {OWN{1'b0}};
                    out_q                 <= out;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
