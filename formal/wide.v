// SPDX-License-Identifier: MIT
//
// A wide node and the sequencer, for every legal wide program (docs/reference/rom-format.md, "Wide programs"), from any
// round of the ROM on, every behaviour of its links, its host, the starts and the resets. With DATA also that what is
// sent is what was stored: one cell of one bank, any, is followed from its writes to its reads.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module formal_wide #(
    parameter LANES      = 2,
    parameter BANKS      = 2,
    parameter TAKES      = 15,
    parameter GIVES      = 15,
    parameter OWN        = 1,
    parameter WORDS      = 1,
    parameter ROUND_BITS = 2,
    parameter LINK_BITS  = 1,
    parameter DIRECT     = 1,
    parameter LATENCY    = 0,
    parameter DATA       = 0,
    parameter FIELDS     = BANKS * ROUND_BITS + LANES * (1 + `GFAB_BITS(BANKS)) + BANKS * (1 + `GFAB_BITS(LANES))
) (
    input wire                         i_clk,
    input wire                         i_rst,
    input wire                         i_start,
    input wire [ROUND_BITS-1:0]        i_first_round,
    input wire [(FIELDS<<ROUND_BITS)-1:0] i_rom,
    input wire [(1<<ROUND_BITS)-1:0]   i_halts,
    input wire                         i_load_valid,
    input wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input wire [LINK_BITS-1:0]         i_load_data,
    input wire [1:0]                   i_read_token,
    input wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    input wire [LANES*LINK_BITS-1:0]   i_link,
    // the cell that is followed
    input wire [`GFAB_BITS(BANKS)-1:0] i_cell_bank,
    input wire [ROUND_BITS-1:0]        i_cell_round,
    input wire [`GFAB_BITS(WORDS)-1:0] i_cell_word
);
    localparam WB     = `GFAB_BITS(WORDS);
    localparam BB     = `GFAB_BITS(BANKS);
    localparam LB     = `GFAB_BITS(LANES);
    localparam WORD   = FIELDS;
    localparam SENDS  = BANKS * ROUND_BITS;
    localparam STORES = SENDS + LANES * (1 + BB);
    localparam ROUNDS = 1 << ROUND_BITS;
    localparam X      = DIRECT ? 0 : 1;
    localparam [LANES*BANKS-1:0] T = TAKES;
    localparam [LANES*BANKS-1:0] G = GIVES;
    localparam [BANKS-1:0]       O = OWN;

    // As a gossip sees it, from the round in which it began, that of i_first_round before its start.
    wire                  due, due_busy, due_done, due_run, due_held, due_tail, t_lane;
    reg  [ROUND_BITS-1:0] asked_q, begun_q;
    always @(posedge i_clk) begin
        asked_q <= i_first_round;
        if (i_start & (~due_busy | due_done))
            begun_q <= asked_q;
    end

    // The programs: any legal ones, the same all the time.
    reg [WORD*ROUNDS-1:0]  rom_q;
    reg [BB-1:0]           cell_bank_q;
    reg [ROUND_BITS-1:0]   cell_round_q;
    reg [WB-1:0]           cell_word_q;
    integer                r, c, b, e;
    reg [ROUND_BITS-1:0]   rounds;
    reg                    legal;
    reg [ROUNDS-1:0]       halts_q;
    wire [2*ROUNDS-1:0]    turned = {i_halts, i_halts} >> begun_q;
    reg [BB:0]             send;
    reg [LB:0]             store, other;
    always @* begin
        legal = (i_halts != 0);
        for (r = ROUNDS - 1; r >= 0; r = r - 1) begin
            for (c = 0; c < LANES; c = c + 1) begin
                send = i_rom[r*WORD+SENDS+c*(1+BB)+:1+BB];
                if (send[0] && (send[BB:1] >= BANKS || !G[c*BANKS+send[BB:1]] || i_halts[r]))
                    legal = 0;
            end
            for (b = 0; b < BANKS; b = b + 1) begin
                store = i_rom[r*WORD+STORES+b*(1+LB)+:1+LB];
                if (store[0] && (store[LB:1] >= LANES || !T[store[LB:1]*BANKS+b] || i_halts[r]))
                    legal = 0;
                for (e = 0; e < b; e = e + 1) begin
                    other = i_rom[r*WORD+STORES+e*(1+LB)+:1+LB];
                    if (store[0] && other == store)
                        legal = 0;
                end
            end
        end
    end
    always @* begin // up to the first halt
        rounds = 0;
        for (r = ROUNDS - 1; r >= 0; r = r - 1)
            if (turned[r])
                rounds = r;
    end
    always @(posedge i_clk) begin
        rom_q        <= i_rom;
        halts_q      <= i_halts;
        cell_bank_q  <= i_cell_bank;
        cell_round_q <= i_cell_round;
        cell_word_q  <= i_cell_word;
        assume (i_rom == rom_q && i_halts == halts_q && legal);
        assume (i_cell_bank == cell_bank_q && i_cell_round == cell_round_q && i_cell_word == cell_word_q);
        assume (i_cell_bank < BANKS && i_cell_word < WORDS && i_load_word < WORDS);
    end

    wire                       busy, done, run;
    wire                       active; // the sequencer's register of busy and not done; see_stores in run.sh joins it
    wire [ROUND_BITS-1:0]      round, write_round;
    wire [ROUND_BITS-1:0]      own_round = round - (due_busy & ~due_done ? begun_q : asked_q);
    wire [WB-1:0]              sequence_word, write_word;
    wire [LANES-1:0]           drive;
    wire [LANES*LINK_BITS-1:0] link;
    wire [BANKS-1:0]           trace_write;
    wire [ROUND_BITS+WB-1:0]   trace_address;
    wire [BANKS*LINK_BITS-1:0] trace_data;
    reg  [WORD-1:0]            op_q; // in the place of gfab_program and gfab_sequence
    reg                        halt;
    wire                       lane;
    always @(posedge i_clk) begin
        op_q <= i_rom[round*WORD+:WORD];
        halt <= i_halts[round];
    end
    gfab_sequencer #(
        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round),
        .i_next(halt), .i_again(1'b0), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word), .o_strobe(), .o_close(),
        .o_out_flit(), .o_in_lane(),
        .o_write_word(write_word), .o_write_word_late(), .o_write_round(write_round)
    );
    gfab_wide_node #(
        .READS(4), .LANES(LANES), .BANKS(BANKS), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS),
        .DIRECT(DIRECT), .LATENCY(LATENCY), .TAKES(T), .GIVES(G), .OWN(O)
    ) u_wide (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(busy), .i_run(run), .i_sequence_word(sequence_word),
        .i_write_round(write_round), .i_write_word(write_word), .i_program(op_q),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_token(i_read_token), .i_read_word(i_read_word), .o_read_data(),
        .i_link(i_link), .o_link(link), .o_drive(drive),
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data)
    );

    // What each cycle leads to.
    wire [ROUND_BITS-1:0] t_round;
    wire [ROUND_BITS-1:0] t_of_rom = t_round + begun_q;
    wire [WB-1:0]         t_word;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(rounds), .i_gaps({(1<<ROUND_BITS){1'b0}}),
        .o_held(due_held),
        .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );
    timeline_check #(
        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(own_round), .i_lane(lane), .i_read_word(sequence_word)
    );
    wire [WORD-1:0] t_op = i_rom[t_of_rom*WORD+:WORD];

    // The cell.
    reg                  known; // loaded or stored since the reset was first seen
    reg  [LINK_BITS-1:0] value;
    wire [ROUND_BITS-1:0] t_at = t_op[i_cell_bank*ROUND_BITS+:ROUND_BITS];
    // Programs read what was written before (rom-format): what is written just then comes as anything.
    wire                  t_written = trace_write[i_cell_bank] & trace_address == {i_cell_round, i_cell_word};
    wire                  t_read = due_run & t_word == i_cell_word & t_at == i_cell_round & ~t_written;

    genvar i, k;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [BB:0] t_send = t_op[SENDS+i*(1+BB)+:1+BB];
            wire        driven, cell_known;
            wire [LINK_BITS-1:0] cell_value;
            later #(.CYCLES(1 + X)) u_drive (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run & t_send[0]), .i_value(1'b0),
                .o_valid(driven), .o_value()
            );
            later #(.CYCLES(1 + X), .BITS(LINK_BITS)) u_cell (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(t_read & t_send[0] & t_send[BB:1] == i_cell_bank & known),
                .i_value(value), .o_valid(cell_known), .o_value(cell_value)
            );
            always @(posedge i_clk)
                if (due) begin
                    assert (drive[i] == driven);
                    assert (driven || link[i*LINK_BITS+:LINK_BITS] == 0);
                    if (DATA != 0 && cell_known)
                        assert (link[i*LINK_BITS+:LINK_BITS] == cell_value);
                end
            if (DATA != 0) begin : gen_cover
                always @(posedge i_clk)
                    cover (due && cell_known && cell_value != 0 && i_cell_round != 0);
            end
        end
        for (k = 0; k < BANKS; k = k + 1) begin : gen_bank
            wire [LB:0] t_store = t_op[STORES+k*(1+LB)+:1+LB];
            wire        stored;
            wire [ROUND_BITS+WB+LB-1:0] stored_at;
            later #(.CYCLES(1 + X + LATENCY), .BITS(ROUND_BITS + WB + LB)) u_store (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run & t_store[0]),
                .i_value({t_of_rom + 1'b1, t_word, t_store[LB:1]}), .o_valid(stored), .o_value(stored_at)
            );
            wire [LB-1:0] lane_of = stored_at[LB-1:0];
            always @(posedge i_clk)
                if (due) begin
                    // Once, in its cycle, at its place, what is on the link.
                    assert (trace_write[k] == stored);
                    if (stored) begin
                        assert (trace_address == stored_at[LB+:ROUND_BITS+WB]);
                        assert (trace_data[k*LINK_BITS+:LINK_BITS] == i_link[lane_of*LINK_BITS+:LINK_BITS]);
                    end
                    cover (stored && !i_rst);
                end
        end
    endgenerate

    initial known = 0;
    always @(posedge i_clk) begin
        if (due)
            assert (active == (busy & ~done));
        if (due && trace_write[i_cell_bank] && trace_address == {i_cell_round, i_cell_word}) begin
            known <= 1;
            value <= trace_data[i_cell_bank*LINK_BITS+:LINK_BITS];
        end
        if (due && !busy && i_load_valid && O[i_cell_bank] && i_cell_round == 0 && i_load_word == i_cell_word) begin
            known <= 1;
            value <= i_load_data;
        end
        // On quiet links nothing comes while no gossip runs.
        assume (LATENCY != 0 || busy || i_link == 0);
        cover (due && done && busy && rounds == ROUNDS - 1 && begun_q != 0);
        cover (due && i_rst && drive != 0);
    end
endmodule

module formal_wide_words #(
    parameter LANES      = 2,
    parameter BANKS      = 2,
    parameter TAKES      = 15,
    parameter GIVES      = 15,
    parameter OWN        = 1,
    parameter WORDS      = 1,
    parameter ROUND_BITS = 2,
    parameter LINK_BITS  = 1,
    parameter DIRECT     = 1,
    parameter LATENCY    = 0,
    parameter FIELDS     = BANKS * ROUND_BITS + LANES * (1 + `GFAB_BITS(BANKS)) + BANKS * (1 + `GFAB_BITS(LANES))
) (
    input wire                         i_clk,
    input wire                         i_rst,
    input wire                         i_start,
    input wire [ROUND_BITS-1:0]        i_first_round,
    input wire [(FIELDS<<ROUND_BITS)-1:0] i_rom,
    input wire [(1<<ROUND_BITS)-1:0]   i_halts,
    input wire                         i_load_valid,
    input wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input wire [LINK_BITS-1:0]         i_load_data,
    input wire [LANES*LINK_BITS-1:0]   i_link,
    input wire [`GFAB_BITS(BANKS)-1:0] i_cell_bank,
    input wire [ROUND_BITS-1:0]        i_cell_round,
    input wire [`GFAB_BITS(WORDS)-1:0] i_cell_word
);
    formal_wide #(
        .LANES(LANES), .BANKS(BANKS), .TAKES(TAKES), .GIVES(GIVES), .OWN(OWN), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS),
        .LINK_BITS(LINK_BITS), .DIRECT(DIRECT), .LATENCY(LATENCY), .DATA(1)
    ) u_wide (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round), .i_rom(i_rom),
        .i_halts(i_halts),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data), .i_read_token(2'd0),
        .i_read_word({`GFAB_BITS(WORDS){1'b0}}),
        .i_link(i_link), .i_cell_bank(i_cell_bank), .i_cell_round(i_cell_round), .i_cell_word(i_cell_word)
    );
endmodule
`default_nettype wire
