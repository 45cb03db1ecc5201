// SPDX-License-Identifier: MIT
//
// A wide node that combines, and the sequencer, for every legal program, every behaviour of its links, its host, the
// starts and the resets: what a bank stores is, as a token, the sum of what its lanes bring and of what it had at the
// old address, or what another operator makes of them. In each round the program may say anything that is legal, and it
// begins in any round of the ROM. Operators that compare have a token's last word first.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module formal_wide_combine #(
    parameter LANES      = 2,
    parameter BANKS      = 2,
    parameter WORDS      = 1,
    parameter ROUND_BITS = 1,
    parameter LINK_BITS  = 2,
    parameter DIRECT     = 1,
    parameter REGISTERED = 0, // words wait a cycle between their links and the operator
    parameter LATENCY    = 0,
    parameter OPERATOR   = `GFAB_OPERATOR_SUM,
    parameter FIELDS     = BANKS * ROUND_BITS + LANES * (1 + `GFAB_BITS(BANKS)) + BANKS * (LANES + 1 + ROUND_BITS)
) (
    input wire                         i_clk,
    input wire                         i_rst,
    input wire                         i_start,
    input wire [ROUND_BITS-1:0]        i_first_round,
    input wire [ROUND_BITS-1:0]        i_rounds,
    input wire [FIELDS-1:0]            i_program, // what the ROM gives
    input wire                         i_load_valid,
    input wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input wire [LINK_BITS-1:0]         i_load_data,
    input wire [LANES*LINK_BITS-1:0]   i_link,
    output wire [LANES*LINK_BITS-1:0]  o_link // so that the stores are read
);
    localparam WB     = `GFAB_BITS(WORDS);
    localparam BB     = `GFAB_BITS(BANKS);
    localparam STORES = BANKS * ROUND_BITS + LANES * (1 + BB);
    localparam OLDS   = STORES + BANKS * LANES;
    localparam X      = (DIRECT ? 0 : 1) + REGISTERED;
    localparam TOKEN  = WORDS * LINK_BITS;
    localparam DOWN   = OPERATOR >= `GFAB_OPERATOR_MIN;
    localparam SIGNED = OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_MAX;
    localparam [TOKEN-1:0] SIGN = SIGNED ? ~({TOKEN{1'b1}} >> 1) : 0;
    localparam LEAST  = OPERATOR == `GFAB_OPERATOR_MIN || OPERATOR == `GFAB_OPERATOR_UMIN;
    localparam LAST   = WORDS - 1;
    localparam FIRST  = DOWN ? LAST : 0; // the word that a round begins with
    localparam AB     = ROUND_BITS + (WORDS > 1 ? WB : 0); // of an address

    // All words of the banks, and of their copies; see_stores in run.sh joins them to what the RTL has.
    wire [(BANKS*LINK_BITS<<AB)-1:0] words, copies;
    genvar a, b, c;
    generate
        for (a = 0; a < BANKS << AB; a = a + 1) begin : gen_word
            (* keep *) wire [LINK_BITS-1:0] word;
            assign words[a*LINK_BITS+:LINK_BITS] = word;
        end
        for (a = 0; a < BANKS << AB; a = a + 1) begin : gen_copy
            (* keep *) wire [LINK_BITS-1:0] word;
            assign copies[a*LINK_BITS+:LINK_BITS] = word;
        end
    endgenerate

    wire                       busy, done, run, lane;
    wire                       active; // the sequencer's register of busy and not done; see_stores in run.sh joins it
    wire [ROUND_BITS-1:0]      round, write_round;
    wire [WB-1:0]              sequence_word, write_word;
    wire [BANKS-1:0]           trace_write;
    wire [ROUND_BITS+WB-1:0]   trace_address;
    wire [BANKS*LINK_BITS-1:0] trace_data;
    reg  [FIELDS-1:0]          program_q;
    reg                        halt;
    gfab_sequencer #(
        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT),
        .REGISTERED(REGISTERED)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round(i_first_round),
        .i_next(halt), .i_again(1'b0), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word), .o_strobe(), .o_close(),
        .o_out_flit(), .o_in_lane(),
        .o_begin(), .o_last_round(), .o_write_word(write_word), .o_write_word_late(),
        .o_write_round(write_round)
    );
    // As in gfab_time.
    wire [WB-1:0] node_word  = DOWN ? LAST[WB-1:0] - sequence_word : sequence_word;
    wire [WB-1:0] node_write = DOWN ? LAST[WB-1:0] - write_word : write_word;
    gfab_wide_node #(
        .READS(4), .LANES(LANES), .BANKS(BANKS), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS),
        .DIRECT(DIRECT), .REGISTERED(REGISTERED), .LATENCY(LATENCY), .OPERATOR(OPERATOR)
    ) u_wide (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(busy), .i_run(run), .i_sequence_word(node_word),
        .i_write_round(write_round), .i_write_word(node_write), .i_program(program_q),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data), .i_host_reads(1'b0),
        .i_read_token(2'd0), .i_read_word({WB{1'b0}}), .o_read_data(),
        .i_link(i_link), .o_link(o_link), .o_drive(), .o_fault(), .o_alarm(), .o_balance(),
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data(trace_data)
    );

    wire                  due, due_busy, due_done, due_run, due_held, due_tail, t_lane;
    // As a gossip sees it, from the round in which it began, that of i_first_round before its start.
    reg  [ROUND_BITS-1:0] asked_q, begun_q;
    wire [ROUND_BITS-1:0] own_round = round - (due_busy & ~due_done ? begun_q : asked_q);
    always @(posedge i_clk) begin
        asked_q <= i_first_round;
        if (i_start & (~due_busy | due_done))
            begun_q <= asked_q;
    end
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(1), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT),
        .REGISTERED(REGISTERED)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(i_rounds), .i_gaps({(1<<ROUND_BITS){1'b0}}),
        .o_held(due_held), .o_reset(due), .o_busy(due_busy), .o_done(due_done),
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

    // What is told in a round's first cycle holds for all of it, and in the halt's round nothing is.
    reg [FIELDS-1:0]     told_q;
    reg [ROUND_BITS-1:0] rounds_q;
    reg                  was_due; // the first cycle of all is over
    integer              i, j, k;
    initial was_due = 0;
    always @(posedge i_clk) begin
        program_q <= i_program;
        halt      <= own_round == i_rounds;
        rounds_q  <= i_rounds;
        told_q    <= program_q;
        was_due   <= due;
        assume (i_rounds == rounds_q && i_load_word < WORDS);
        assume (!due_run || t_word == 0 || program_q == told_q);
        assume (due_run || !run || program_q == 0);
        for (i = 0; i < LANES; i = i + 1) // a lane's words go to one bank
            for (j = 0; j < BANKS; j = j + 1)
                for (k = 0; k < j; k = k + 1)
                    assume (!due_run || !program_q[STORES+j*LANES+i] || !program_q[STORES+k*LANES+i]);
        assume (LATENCY != 0 || busy || i_link == 0); // quiet links
        if (due && !was_due)
            assume (copies == words);
        if (due) begin
            assert (copies == words);
            assert (active == (busy & ~done));
        end
        cover (due && done && busy && i_rounds == (1 << ROUND_BITS) - 1 && begun_q != 0);
    end

    generate
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            wire                  stored, combines;
            wire [LANES-1:0]      lanes;
            wire [ROUND_BITS-1:0] old_at, at;
            wire [WB-1:0]         word;
            later #(.CYCLES(1 + X + LATENCY), .BITS(2 * ROUND_BITS + 1 + LANES + WB)) u_store (
                .i_clk(i_clk), .i_rst(i_rst), .i_valid(due_run & |program_q[STORES+b*LANES+:LANES]),
                .i_value({program_q[OLDS+b*(1+ROUND_BITS)+:1+ROUND_BITS], program_q[STORES+b*LANES+:LANES],
                          t_round + begun_q + 1'b1, DOWN ? LAST[WB-1:0] - t_word : t_word}),
                .o_valid(stored), .o_value({old_at, combines, lanes, at, word})
            );

            // As much as is known of the tokens that the lanes bring and of the old one, else 0.
            wire [AB-1:0]         address = WORDS > 1 ? {old_at, word} : old_at;
            reg  [LANES*TOKEN-1:0] came_q, came;
            reg  [TOKEN-1:0]      had_q, had, wanted, one;
            reg                   any;
            // With REGISTERED they come a cycle before the old one.
            reg  [LANES*LINK_BITS-1:0] link_q;
            wire [LANES*LINK_BITS-1:0] link = REGISTERED ? link_q : i_link;
            integer               n;
            always @(posedge i_clk)
                link_q <= i_link;
            always @* begin
                came = word == FIRST ? 0 : came_q;
                had  = word == FIRST ? 0 : had_q;
                had[word*LINK_BITS+:LINK_BITS] = words[((b<<AB)+address)*LINK_BITS+:LINK_BITS];
                for (n = 0; n < LANES; n = n + 1)
                    came[n*TOKEN+word*LINK_BITS+:LINK_BITS] = link[n*LINK_BITS+:LINK_BITS];
                wanted = OPERATOR == `GFAB_OPERATOR_AND ? {TOKEN{1'b1}} : 0;
                any    = 0;
                for (n = 0; n <= LANES; n = n + 1) begin
                    one = n < LANES ? came[n*TOKEN+:TOKEN] : had;
                    if (n < LANES ? lanes[n] : combines) begin
                        case (OPERATOR)
                        `GFAB_OPERATOR_SUM: wanted = wanted + one;
                        `GFAB_OPERATOR_AND: wanted = wanted & one;
                        `GFAB_OPERATOR_OR: wanted = wanted | one;
                        `GFAB_OPERATOR_XOR: wanted = wanted ^ one;
                        default:
                            if (!any || ((one ^ SIGN) < (wanted ^ SIGN)) == LEAST)
                                wanted = one;
                        endcase
                        any = 1;
                    end
                end
            end
            always @(posedge i_clk) begin
                came_q <= came;
                had_q  <= had;
                if (due) begin
                    // Once, in its cycle, at its place, all that arrives, with what is kept of its own token.
                    assert (trace_write[b] == stored);
                    if (stored) begin
                        assert (trace_address == {at, word});
                        assert (trace_data[b*LINK_BITS+:LINK_BITS] == wanted[word*LINK_BITS+:LINK_BITS]);
                    end
                end
                cover (due && stored && &lanes && combines && word == LAST - FIRST && wanted != 0 && &link);
            end
        end
    endgenerate
endmodule

`default_nettype wire
