// SPDX-License-Identifier: MIT
//
// The store of a wide node: BANKS simple dual-port RAMs of one-flit words, and the crossbar between them and the lanes.
// All lanes work in every cycle. Which bank a lane sends from, and which a bank stores from, is in the program, which
// is made so that no bank is read or written twice in a cycle: there is no arbitration.
//
// A token that arrives in round r is at address {r, flit} of its bank, the node's own at {0, flit}: a bank takes at
// most one token a round, so that the round is address enough. With LOADS the node starts with several tokens, and the
// host side says where each is: i_load_bank, i_load_cell.
//
// OPERATOR: a bank may store what several lanes receive, combined, and combined with what it has at another address:
// with the block's sum of an earlier round, say. Its RAM is there twice, with the same words, so that it gives
// what it combines while it gives what is sent. The old word is read one cycle before the new one is written. With one
// flit a token it may be the one that is written in just that cycle, which is then taken from there.
//
// PROTECT: the selects and the stores are kept twice, the second time inverted; o_fault says that the two differ. A
// word that the host reads is to come from one bank: o_read_fault says that it does not.
//
// A word that is written while it is read comes out as anything. What a program reads has been written before, or is
// taken from there; of what the host reads o_collides says that the host writes that very word.
//
// Latency: o_words belongs to the i_reads and i_selects of the cycle before, as o_read_data to the i_read_* inputs.
// i_words are stored at the end of the cycle, by the i_stores of WRITE_DELAY cycles before; with REGISTERED they come a
// cycle earlier, with BFLOAT16 and USER MERGES * OPERATOR_CYCLES cycles earlier than i_write_round and i_write_word.
//
// 31 ports, 17 parameters and 268 lines: all banks are read, written, loaded and combined in one place, so that what
// they share is there once.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_banks #(
    parameter BANKS       = 2,  // 1 or more
    parameter LANES       = 4,  // 1 or more
    parameter LINK_BITS   = 32, // of a flit, 1 or more
    parameter ROUND_BITS  = 4,
    parameter CELL_BITS   = ROUND_BITS, // of a token's address, ROUND_BITS or more
    parameter LOADS       = 0,  // 1: tokens are loaded to i_load_bank and i_load_cell, and not to {0, flit} of OWN
    parameter WORDS       = 1,  // flits of a token, 1 or more
    parameter WRITE_DELAY = 1,  // 1 or more
    parameter QUIET       = 1,  // 1: i_words is 0 while i_busy = 0
    parameter PROTECT     = 0,
    parameter OPERATOR    = 0,  // GFAB_OPERATOR_NONE, SUM .. UMAX, BFLOAT16 or USER
    parameter REGISTERED  = 0,  // as in gfab_wide_combine
    parameter MERGES      = 1,  // of BFLOAT16 and USER, as in gfab_wide_chain
    parameter OPERATOR_CYCLES = 0,
    // The crossbar: bit lane * BANKS + bank. Ways that are left out cost nothing.
    parameter [LANES*BANKS-1:0] TAKES = {LANES*BANKS{1'b1}}, // the bank may store what the lane receives
    parameter [LANES*BANKS-1:0] GIVES = {LANES*BANKS{1'b1}}, // the lane may send what is in the bank
    parameter [BANKS-1:0]       OWN   = 1                    // banks that are loaded
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    input  wire                         i_busy,
    input  wire                         i_run,
    // sending, stage 1
    input  wire [`GFAB_BITS(WORDS)-1:0] i_word,
    input  wire [BANKS*CELL_BITS-1:0]   i_reads,   // each bank's address
    input  wire [LANES*BANKS-1:0]       i_selects, // each lane's bank, one-hot; 0: it rests
    output wire [LANES*LINK_BITS-1:0]   o_words,   // stage 2; 0 for a lane that rests
    // receiving
    input  wire [LANES*BANKS-1:0]       i_stores,  // stage 1; bit lane * BANKS + bank: the bank stores the lane's
    input  wire [BANKS-1:0]             i_combines, // stage 1; with OPERATOR: combined with what is at i_olds
    input  wire [BANKS*CELL_BITS-1:0]   i_olds,
    input  wire [ROUND_BITS-1:0]        i_write_round,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    input  wire [LANES*LINK_BITS-1:0]   i_words,
    // host
    input  wire                         i_load_valid,
    input  wire [`GFAB_BITS(BANKS)-1:0] i_load_bank,
    input  wire [CELL_BITS-1:0]         i_load_cell,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input  wire [LINK_BITS-1:0]         i_load_data,
    input  wire [`GFAB_BITS(BANKS)-1:0] i_read_bank,
    input  wire [CELL_BITS-1:0]         i_read_cell,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [LINK_BITS-1:0]         o_read_data,
    output wire                         o_collides,   // with i_read_bank, i_read_cell and i_read_word
    output wire                         o_fault,      // 0 unless PROTECT
    output wire                         o_read_fault, // of o_read_data; 0 unless PROTECT
    output wire [BANKS*MERGES*LINK_BITS-1:0] o_lefts, // of operators of each bank's gfab_wide_chain, else 0
    output wire [BANKS*MERGES*LINK_BITS-1:0] o_rights,
    input  wire [BANKS*MERGES*LINK_BITS-1:0] i_results,
    // for test benches: the banks' write ports, host loads left out
    output wire [BANKS-1:0]             o_trace_write,
    output wire [BANKS*LINK_BITS-1:0]   o_trace_data
);
    localparam INDEX_BITS   = `GFAB_BITS(WORDS);
    localparam ADDRESS_BITS = CELL_BITS + (WORDS > 1 ? INDEX_BITS : 0);
    localparam WAYS         = LANES * BANKS;
    localparam CHAIN_BITS   = MERGES * LINK_BITS;
    localparam WAITS        = REGISTERED ? 1 : 0; // cycles, from i_words to the write stage

    // An address is cell and word side by side, without the word where there is but one.
    wire [CELL_BITS+ROUND_BITS-1:0] round_full = {{CELL_BITS{1'b0}}, i_write_round};
    wire [CELL_BITS+INDEX_BITS-1:0] load_full  = {LOADS > 0 ? i_load_cell : {CELL_BITS{1'b0}}, i_load_word};
    wire [CELL_BITS+INDEX_BITS-1:0] write_full = {round_full[CELL_BITS-1:0], i_write_word};
    wire [CELL_BITS+INDEX_BITS-1:0] read_full  = {i_read_cell, i_read_word};
    wire [ADDRESS_BITS-1:0]         load_at    = load_full[CELL_BITS+INDEX_BITS-1-:ADDRESS_BITS];
    wire [ADDRESS_BITS-1:0]         write_at   = write_full[CELL_BITS+INDEX_BITS-1-:ADDRESS_BITS];
    wire [ADDRESS_BITS-1:0]         read_at    = read_full[CELL_BITS+INDEX_BITS-1-:ADDRESS_BITS];

    // A load is joined to what comes in by OR: one level of logic, and nothing comes in then.
    wire                 load      = i_load_valid & ~i_busy;
    wire [LINK_BITS-1:0] load_data = i_load_data & {LINK_BITS{~i_busy}};

    wire [BANKS-1:0] loaded;
    wire [BANKS-1:0] read_bank = {{(BANKS-1){1'b0}}, 1'b1} << i_read_bank;
    assign o_collides = (|(loaded & read_bank)) & (load_at == read_at);

    reg  [BANKS-1:0]                   read_bank_q;
    reg  [WAYS-1:0]                    selects_q;
    wire [WAYS-1:0]                    stores;
    wire [WAYS-1:0]                    takes; // the same, when i_words come
    wire [BANKS*LINK_BITS-1:0]         bank_words; // stage 2

    always @(posedge i_clk) begin
        selects_q   <= i_rst ? {WAYS{1'b0}} : i_selects & GIVES & {WAYS{i_run}};
        read_bank_q <= read_bank;
    end
    gfab_delay #(
        .BITS(WAYS), .CYCLES(WRITE_DELAY - WAITS), .RESET(1)
    ) u_takes (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(i_stores & TAKES & {WAYS{i_run}}), .o_data(takes), .o_taps()
    );
    gfab_delay #(
        .BITS(WAYS), .CYCLES(WAITS), .RESET(1)
    ) u_stores (
        .i_clk(i_clk), .i_rst(i_rst), .i_data(takes), .o_data(stores), .o_taps()
    );

    generate
        if (PROTECT) begin : gen_twin
            (* keep *) reg  [WAYS-1:0]             others_q;
            (* keep *) reg  [WRITE_DELAY*WAYS-1:0] omits_q;
            wire [(WRITE_DELAY+1)*WAYS-1:0]        omits = {omits_q, ~(i_stores & TAKES & {WAYS{i_run}})};
            always @(posedge i_clk) begin
                others_q <= i_rst ? {WAYS{1'b1}} : ~(i_selects & GIVES & {WAYS{i_run}});
                omits_q  <= i_rst ? {WRITE_DELAY*WAYS{1'b1}} : omits[WRITE_DELAY*WAYS-1:0];
            end
            assign o_fault      = (selects_q != ~others_q) | (stores != ~omits[WRITE_DELAY*WAYS+:WAYS]);
            assign o_read_fault = ~^read_bank_q;
        end else begin : gen_no_twin
            assign o_fault      = 1'b0;
            assign o_read_fault = 1'b0;
        end
    endgenerate

    genvar b, c;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            wire [LINK_BITS-1:0]            in_word;
            wire                            write;
            assign loaded[b] = OWN[b] & load & (LOADS == 0 || i_load_bank == b[`GFAB_BITS(BANKS)-1:0]);
            wire [CELL_BITS+INDEX_BITS-1:0] send_full = {i_reads[b*CELL_BITS+:CELL_BITS], i_word};
            wire [ADDRESS_BITS-1:0]         write_address = OWN[b] && !i_busy ? load_at : write_at;
            wire [LINK_BITS-1:0]            write_data = in_word | (load_data & {LINK_BITS{OWN[b]}});
            if (OPERATOR == `GFAB_OPERATOR_NONE) begin : gen_store
                // A bank that takes from one lane needs no gate: what is on the link while it stores nothing is not
                // written, and not joined to a load where links are quiet.
                reg [LINK_BITS-1:0] word;
                reg                 any;
                integer             lane, lanes;
                always @* begin
                    word  = {LINK_BITS{1'b0}};
                    any   = 1'b0;
                    lanes = 0;
                    for (lane = 0; lane < LANES; lane = lane + 1)
                        if (TAKES[lane*BANKS+b])
                            lanes = lanes + 1;
                    for (lane = 0; lane < LANES; lane = lane + 1)
                        if (TAKES[lane*BANKS+b]) begin
                            word = word | (i_words[lane*LINK_BITS+:LINK_BITS]
                                           & {LINK_BITS{stores[lane*BANKS+b]
                                                        | (lanes == 1 && (QUIET || !OWN[b]))}});
                            any  = any | stores[lane*BANKS+b];
                        end
                end
                assign in_word = word;
                assign write   = any;
                assign o_lefts[b*CHAIN_BITS+:CHAIN_BITS]  = {CHAIN_BITS{1'b0}};
                assign o_rights[b*CHAIN_BITS+:CHAIN_BITS] = {CHAIN_BITS{1'b0}};
            end else begin : gen_combine
                wire [LANES-1:0] taken, coming;
                for (c = 0; c < LANES; c = c + 1) begin : gen_taken
                    assign taken[c]  = stores[c*BANKS+b];
                    assign coming[c] = takes[c*BANKS+b];
                end
                gfab_wide_combine #(
                    .LANES(LANES), .LINK_BITS(LINK_BITS), .CELL_BITS(CELL_BITS), .WORDS(WORDS),
                    .WRITE_DELAY(WRITE_DELAY), .OPERATOR(OPERATOR), .REGISTERED(REGISTERED), .MERGES(MERGES),
                    .OPERATOR_CYCLES(OPERATOR_CYCLES)
                ) u_combine (
                    .i_clk(i_clk), .i_rst(i_rst), .i_word(i_word), .i_combines(i_combines[b] & i_run),
                    .i_old(i_olds[b*CELL_BITS+:CELL_BITS]), .i_write_word(i_write_word), .i_takes(coming),
                    .i_taken(taken), .i_words(i_words),
                    .i_write_enable(write | loaded[b]), .i_write_address(write_address),
                    .i_write_data(write_data), .o_write(write), .o_word(in_word),
                    .o_lefts(o_lefts[b*CHAIN_BITS+:CHAIN_BITS]), .o_rights(o_rights[b*CHAIN_BITS+:CHAIN_BITS]),
                    .i_results(i_results[b*CHAIN_BITS+:CHAIN_BITS])
                );
            end

            gfab_store #(
                .ADDRESS_BITS(ADDRESS_BITS), .WORD_BITS(LINK_BITS)
            ) u_store (
                .i_clk(i_clk),
                .i_read_address(i_run ? send_full[CELL_BITS+INDEX_BITS-1-:ADDRESS_BITS] : read_at),
                .o_read_data(bank_words[b*LINK_BITS+:LINK_BITS]),
                .i_write_enable(write | loaded[b]),
                .i_write_address(write_address),
                .i_write_data(write_data)
            );

            assign o_trace_write[b] = write;
            assign o_trace_data[b*LINK_BITS+:LINK_BITS] = in_word;
        end

        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            reg [LINK_BITS-1:0] out_word;
            integer             bank;
            always @* begin
                out_word = {LINK_BITS{1'b0}};
                for (bank = 0; bank < BANKS; bank = bank + 1)
                    if (GIVES[c*BANKS+bank])
                        out_word = out_word | (bank_words[bank*LINK_BITS+:LINK_BITS]
                                               & {LINK_BITS{selects_q[c*BANKS+bank]}});
            end
            assign o_words[c*LINK_BITS+:LINK_BITS] = out_word;
        end
    endgenerate

    reg [LINK_BITS-1:0] read_word;
    integer             r;
    always @* begin
        read_word = {LINK_BITS{1'b0}};
        for (r = 0; r < BANKS; r = r + 1)
            read_word = read_word | (bank_words[r*LINK_BITS+:LINK_BITS] & {LINK_BITS{read_bank_q[r]}});
    end
    assign o_read_data = read_word;

    // What the program promises: no two lanes for one bank, no two banks for one lane.
    `GFAB_AFTER_RESET(after_reset)
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_promise_lane
            wire [BANKS-1:0] selects = i_selects[c*BANKS+:BANKS];
            wire [BANKS-1:0] taking  = i_stores[c*BANKS+:BANKS];
            always @(posedge i_clk)
                if (after_reset && !i_rst && i_run) begin
                    `GFAB_ASSUME((selects & (selects - 1'b1)) == 0, "a lane sends from two banks")
                    `GFAB_ASSUME((taking & (taking - 1'b1)) == 0, "two banks store from one lane")
                end
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_promise_bank
            wire [LANES-1:0] taken;
            for (c = 0; c < LANES; c = c + 1) begin : gen_way
                assign taken[c] = i_stores[c*BANKS+b];
            end
            always @(posedge i_clk)
                if (after_reset && !i_rst && i_run && OPERATOR == `GFAB_OPERATOR_NONE) begin
                    `GFAB_ASSUME((taken & (taken - 1'b1)) == 0, "a bank stores from two lanes")
                end
        end
    endgenerate
endmodule

`default_nettype wire
