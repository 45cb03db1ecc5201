// SPDX-License-Identifier: MIT
//
// A wide node: one flit a link in every cycle. A round is WORDS cycles, 1 or more; the rounds are timed by one
// gfab_sequencer (of one lane) for the whole fabric, and i_program comes from a gfab_program that nodes may share.
// docs/reference/rom-format.md, "Wide programs", has the word; docs/reference/fabric-timing.md, "Wide links", the
// cycles.
//
// PROTECT: every flit has a check bit above it, so that it has an odd number of ones. The bit is made where the host
// loads a flit, goes over all links with it, and is tested where the host reads it. A place has a check bit, too.
//
// Host side: as gfab_node, but that the store is read by origin: gfab_places says where each token ends up. With LOADS,
// for other collectives, the node starts with several tokens: i_load_word is {token, word}, and a second gfab_places
// says where each is kept.
//
// 29 ports and 23 parameters: those of gfab_banks, and the files of its places.
`default_nettype none
`include "gfab_bits.vh"

module gfab_wide_node #(
    parameter READS      = 16, // tokens that the host reads, 1 or more
    parameter LOADS      = 0,  // tokens that it loads, for collectives; 0: the node's own, in all OWN banks
    parameter LANES      = 4,  // 1 or more
    parameter BANKS      = 2,  // 1 or more
    parameter LINK_BITS  = 32, // L, 1 or more
    parameter WORDS      = 1,  // W / L, 1 or more
    parameter ROUND_BITS = 4,  // of the program's address
    parameter CELL_BITS  = ROUND_BITS, // of a token's address in its bank, ROUND_BITS or more
    parameter DIRECT     = 0,  // 1: no register between the banks and the links
    parameter REGISTERED = 0,  // of SUM .. XOR: 1: a register between the links and the operator
    parameter LATENCY    = 0,  // cycles, of every link
    parameter PROTECT    = 0,
    parameter OPERATOR   = 0,  // GFAB_OPERATOR_NONE, SUM .. UMAX, BFLOAT16 or USER
    parameter MERGES     = 1,  // of BFLOAT16 and USER: A, as in gfab_wide_chain
    parameter OPERATOR_CYCLES = 0, // likewise: D
    parameter FILE       = "", // $readmemh text, each read token's bank and address
    parameter LOAD_FILE  = "", // likewise of each loaded one, with LOADS
    parameter IMAGE_BITS = 0,  // of IMAGE and LOAD_IMAGE, in the place of the files
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0,
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] LOAD_IMAGE = 0,
    parameter [LANES*BANKS-1:0] TAKES = {LANES*BANKS{1'b1}}, // as in gfab_banks
    parameter [LANES*BANKS-1:0] GIVES = {LANES*BANKS{1'b1}},
    parameter [BANKS-1:0]       OWN   = 1
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from the sequencer
    input  wire                         i_busy,
    input  wire                         i_run,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_sequence_word,
    input  wire [ROUND_BITS-1:0]        i_write_round,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_write_word,
    // from the program: reads, sends, stores, and, with OPERATOR, what they are combined with
    input  wire [BANKS*CELL_BITS+LANES*(1+`GFAB_BITS(BANKS))
                 +BANKS*(OPERATOR > 0 ? LANES+1+CELL_BITS : 1+`GFAB_BITS(LANES))-1:0] i_program,
    // host
    input  wire                         i_host_reads, // with PROTECT: o_read_data will be a flit that is there
    input  wire                         i_load_valid,
    input  wire [(LOADS > 0 ? `GFAB_BITS(LOADS) : 0)+`GFAB_BITS(WORDS)-1:0] i_load_word, // {token, word}
    input  wire [LINK_BITS-1:0]         i_load_data,
    input  wire [`GFAB_BITS(READS)-1:0] i_read_token,
    input  wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [LINK_BITS-1:0]         o_read_data,
    output wire                         o_collides, // with i_read_token: what is read is written, and comes as anything
    // links, LINK_BITS for each lane, and its check bit
    input  wire [LANES*(LINK_BITS+(PROTECT ? 1 : 0))-1:0] i_link,
    output wire [LANES*(LINK_BITS+(PROTECT ? 1 : 0))-1:0] o_link,
    output wire [LANES-1:0]             o_drive,
    // with PROTECT, else 0
    output wire                         o_fault,   // a flit that the host reads is not what was loaded, or a bank gives
                                                   // or stores what it should not
    output wire                         o_alarm,   // the same
    output wire                         o_balance, // 0: flits carry their check bits with them
    // operators of each bank's gfab_wide_chain, else 0
    output wire [BANKS*MERGES*(LINK_BITS+(PROTECT ? 1 : 0))-1:0] o_lefts,
    output wire [BANKS*MERGES*(LINK_BITS+(PROTECT ? 1 : 0))-1:0] o_rights,
    input  wire [BANKS*MERGES*(LINK_BITS+(PROTECT ? 1 : 0))-1:0] i_results,
    // for test benches
    output wire [BANKS-1:0]             o_trace_write,
    output wire [ROUND_BITS+`GFAB_BITS(WORDS)-1:0] o_trace_address, // of all banks
    output wire [BANKS*LINK_BITS-1:0]   o_trace_data,
    output wire [BANKS-1:0]             o_trace_check // with PROTECT, else 0
);
    localparam FLIT_BITS  = LINK_BITS + (PROTECT ? 1 : 0);
    localparam BANK_BITS  = `GFAB_BITS(BANKS);
    localparam LANE_BITS  = `GFAB_BITS(LANES);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam SENDS_LSB  = BANKS * CELL_BITS;
    localparam STORES_LSB = SENDS_LSB + LANES * (1 + BANK_BITS);
    localparam OLDS_LSB   = STORES_LSB + BANKS * LANES;

    // Stage 1: the program's word.
    wire [LANES-1:0]       send;
    wire [LANES*BANKS-1:0] selects;
    wire [LANES*BANKS-1:0] stores;
    wire [BANKS-1:0]       combines;
    wire [BANKS*CELL_BITS-1:0] olds;
    genvar b, c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            wire [BANK_BITS:0] field = i_program[SENDS_LSB+c*(1+BANK_BITS)+:1+BANK_BITS];
            assign send[c] = i_run & field[0];
            for (b = 0; b < BANKS; b = b + 1) begin : gen_way
                assign selects[c*BANKS+b] = field[0] & (field[BANK_BITS:1] == b[BANK_BITS-1:0]);
                if (OPERATOR > 0) begin : gen_lanes
                    assign stores[c*BANKS+b] = i_program[STORES_LSB+b*LANES+c];
                end else begin : gen_lane_number
                    wire [LANE_BITS:0] store = i_program[STORES_LSB+b*(1+LANE_BITS)+:1+LANE_BITS];
                    assign stores[c*BANKS+b] = store[0] & (store[LANE_BITS:1] == c[LANE_BITS-1:0]);
                end
            end
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_old
            if (OPERATOR > 0) begin : gen_address
                assign {olds[b*CELL_BITS+:CELL_BITS], combines[b]} = i_program[OLDS_LSB+b*(1+CELL_BITS)+:1+CELL_BITS];
            end else begin : gen_none
                assign {olds[b*CELL_BITS+:CELL_BITS], combines[b]} = {1+CELL_BITS{1'b0}};
            end
        end
    endgenerate

    // Where a token is, for the host.
    localparam PLACE_BITS = BANK_BITS + CELL_BITS;
    wire [PLACE_BITS-1:0] place, load_place;
    wire                  place_fault;
    gfab_places #(
        .COUNT(READS), .PLACE_BITS(PLACE_BITS), .PROTECT(PROTECT), .FILE(FILE), .IMAGE_BITS(IMAGE_BITS),
        .IMAGE(IMAGE)
    ) u_places (
        .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(i_host_reads), .i_block(i_read_token), .o_place(place),
        .o_fault(place_fault)
    );
    generate
        if (LOADS > 0) begin : gen_loads
            gfab_places #(
                .COUNT(LOADS), .PLACE_BITS(PLACE_BITS), .PROTECT(PROTECT), .FILE(LOAD_FILE),
                .IMAGE_BITS(IMAGE_BITS), .IMAGE(LOAD_IMAGE)
            ) u_loads (
                .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(1'b0), .i_block(i_load_word[INDEX_BITS+:`GFAB_BITS(LOADS)]),
                .o_place(load_place), .o_fault()
            );
        end else begin : gen_no_loads
            assign load_place = {PLACE_BITS{1'b0}};
        end
    endgenerate

    wire [LANES*FLIT_BITS-1:0] words;
    wire [FLIT_BITS-1:0]       load_flit, read_flit;
    wire                       banks_fault, read_fault;
    wire [BANKS*FLIT_BITS-1:0] trace_data;
    gfab_banks #(
        .BANKS(BANKS), .LANES(LANES), .LINK_BITS(FLIT_BITS), .ROUND_BITS(ROUND_BITS),
        .CELL_BITS(CELL_BITS), .LOADS(LOADS > 0 ? 1 : 0), .WORDS(WORDS),
        .WRITE_DELAY((DIRECT ? 1 : 2) + (REGISTERED ? 1 : 0) + LATENCY), .QUIET(LATENCY == 0), .PROTECT(PROTECT),
        .OPERATOR(OPERATOR), .REGISTERED(REGISTERED), .MERGES(MERGES), .OPERATOR_CYCLES(OPERATOR_CYCLES),
        .TAKES(TAKES), .GIVES(GIVES), .OWN(OWN)
    ) u_banks (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(i_busy), .i_run(i_run),
        .i_word(i_sequence_word), .i_reads(i_program[SENDS_LSB-1:0]), .i_selects(selects), .o_words(words),
        .i_stores(stores), .i_combines(combines), .i_olds(olds), .i_write_round(i_write_round),
        .i_write_word(i_write_word), .i_words(i_link),
        .i_load_valid(i_load_valid), .i_load_bank(load_place[CELL_BITS+:BANK_BITS]),
        .i_load_cell(load_place[CELL_BITS-1:0]), .i_load_word(i_load_word[INDEX_BITS-1:0]), .i_load_data(load_flit),
        .i_read_bank(place[CELL_BITS+:BANK_BITS]), .i_read_cell(place[CELL_BITS-1:0]), .i_read_word(i_read_word),
        .o_read_data(read_flit), .o_collides(o_collides), .o_fault(banks_fault), .o_read_fault(read_fault),
        .o_lefts(o_lefts), .o_rights(o_rights), .i_results(i_results),
        .o_trace_write(o_trace_write), .o_trace_data(trace_data)
    );
    assign o_trace_address = {i_write_round, i_write_word};
    assign o_read_data     = read_flit[LINK_BITS-1:0];

    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_trace
            assign o_trace_data[b*LINK_BITS+:LINK_BITS] = trace_data[b*FLIT_BITS+:LINK_BITS];
            assign o_trace_check[b] = PROTECT ? trace_data[b*FLIT_BITS+FLIT_BITS-1] : 1'b0;
        end

        if (PROTECT) begin : gen_checks
            reg hosts_q; // what is read is the host's
            always @(posedge i_clk)
                hosts_q <= i_host_reads & ~o_collides & ~i_rst;
            assign load_flit = {~^i_load_data, i_load_data};
            assign o_fault   = banks_fault | place_fault | (hosts_q & (~^read_flit | read_fault));
        end else begin : gen_no_checks
            assign load_flit = i_load_data;
            assign o_fault   = banks_fault | place_fault | read_fault;
        end
    endgenerate
    assign o_alarm   = o_fault;
    assign o_balance = 1'b0;

    reg [LANES-1:0] send_q;
    always @(posedge i_clk)
        send_q <= i_rst ? {LANES{1'b0}} : send;
    generate
        if (DIRECT) begin : gen_direct
            assign o_link  = words;
            assign o_drive = send_q;
        end else begin : gen_registered
            reg [LANES-1:0]           drive_q;
            reg [LANES*FLIT_BITS-1:0] link_q;
            always @(posedge i_clk) begin
                drive_q <= i_rst ? {LANES{1'b0}} : send_q;
                link_q  <= i_rst ? {LANES*FLIT_BITS{1'b0}} : words;
            end
            assign o_link  = link_q;
            assign o_drive = drive_q;
        end
    endgenerate
endmodule

`default_nettype wire
