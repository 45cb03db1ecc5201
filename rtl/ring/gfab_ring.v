// SPDX-License-Identifier: MIT
//
// An all-gather along rings: directed cycles through all nodes that share no arc. Flit i of a token, LINK_BITS bits,
// goes around ring i % RINGS in word i / RINGS. Nodes are numbered along ring 0. There is one counter for all of them
// (gfab_ring_counter.v says how many cycles a run takes), and no program.
//
// With ABREAST above 1 as many tokens of one word travel side by side along the one ring: flow j starts with the token
// of the node j LENGTH / ABREAST before, over a chord, and goes LENGTH / ABREAST - 1 steps on.
//
// With PROTECT a bit that flips is noticed (docs/reference/protection.md): o_error, and with a word that is read its
// node's o_fault. Then a step takes 3 cycles at least, and the store is in the loop for tokens of one word, too.
//
// The host loads a word of the node's own token, WORDS of them, and reads a flit of any token: i_read_word is
// {word, ring}, each with no bits where there is one. While o_busy = 0.
`default_nettype none
`include "gfab_bits.vh"

module gfab_ring #(
    parameter NODES      = 16, // 3 or more
    parameter LENGTH     = NODES, // of a ring; NODES below it is for measuring some nodes of a longer one
    parameter ABREAST    = 1, // divides LENGTH; above 1: one ring, one way, tokens of one word
    parameter RINGS      = 2,
    parameter CYCLES     = 1, // rings, or with BOTH half as many
    parameter BOTH       = 1, // 1: rings 2c and 2c + 1 are cycle c, forwards and backwards
    parameter LINK_BITS  = 2,
    parameter WORDS      = 8, // of a token
    parameter PROTECT    = 0, // check bits of a word; 0: no protection; only with ABREAST 1
    parameter REGISTERED = (WORDS > 2 || PROTECT != 0),
    parameter [16*RINGS*NODES-1:0]  FROM   = 0, // of each ring, 0 last, and node, 0 last: whose flits come in
    parameter [16*CYCLES*LENGTH-1:0] PLACES = 0  // of each cycle and node, likewise: its place
) (
    input  wire i_clk,
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a run goes on
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a run to the next start
    input  wire [NODES-1:0]                                      i_load_valid,
    input  wire [NODES*`GFAB_BITS(WORDS)-1:0]                    i_load_word,
    input  wire [NODES*RINGS*LINK_BITS-1:0]                      i_load_data,
    input  wire [NODES*`GFAB_BITS(LENGTH)-1:0]                   i_read_token, // the number of its node
    input  wire [NODES*`GFAB_RING_INDEX_BITS(WORDS, RINGS)-1:0]  i_read_word,
    output wire [NODES*LINK_BITS-1:0]                            o_read_data, // two cycles later, three with PROTECT
    // with PROTECT, as gfab_guard has them, else 0
    output wire [NODES-1:0]                 o_fault, // with o_read_data
    output wire                             o_error,
    output wire [3:0]                       o_error_what,
    output wire [NODES-1:0]                 o_error_nodes,
    // for test benches
    output wire                             o_trace_drive, // o_trace_link counts
    // of each node, what comes in over its arcs, ring 0 last
    output wire [NODES*ABREAST*RINGS*LINK_BITS-1:0] o_trace_link,
    output wire [NODES-1:0]                 o_trace_write,
    output wire [NODES*(`GFAB_BITS(LENGTH/ABREAST)+`GFAB_BITS(WORDS))-1:0] o_trace_address, // {distance, word}
    output wire [NODES*ABREAST*RINGS*LINK_BITS-1:0] o_trace_data
);
    localparam PLACE_BITS   = `GFAB_BITS(LENGTH);
    localparam STEPS        = LENGTH / ABREAST;
    localparam STEP_BITS    = `GFAB_BITS(STEPS);
    localparam INDEX_BITS   = `GFAB_BITS(WORDS);
    localparam RING_BITS    = `GFAB_BITS(RINGS);
    localparam NUMBER_BITS  = `GFAB_RING_INDEX_BITS(WORDS, RINGS);
    localparam BITS         = RINGS * LINK_BITS;
    localparam OUT_BITS     = ABREAST * BITS; // of a node
    localparam ADDRESS_BITS = STEP_BITS + INDEX_BITS;
    localparam SHIFTS       = (WORDS == 1 && PROTECT == 0);
    localparam STEP         = (PROTECT != 0 && WORDS < 3) ? 3 : WORDS; // cycles of it
    localparam LAST         = SHIFTS ? STEPS - 1 : STEPS - 2;

    generate
        if (REGISTERED != 0 && STEP < 3) begin : gen_too_short
            gfab_error_a_register_needs_3_words_a_token u_bad ();
        end
        if (ABREAST > 1 &&
            (PROTECT != 0 || WORDS > 1 || RINGS > 1 || STEPS * ABREAST != LENGTH || STEPS < 2)) begin : gen_uneven
            gfab_error_tokens_abreast_need_one_ring_of_as_many_parts_and_one_word u_bad ();
        end
    endgenerate

    wire                  read, write;
    wire [STEP_BITS-1:0]  read_place, write_place;
    wire [INDEX_BITS-1:0] read_word, write_word;
    wire                  over; // with PROTECT
    wire [2*NODES-1:0]    checks;
    generate
        if (PROTECT != 0) begin : gen_guard
            wire stop, busy, done, fault;
            reg  wrote_q;
            always @(posedge i_clk)
                wrote_q <= i_rst ? 1'b0 : write;
            gfab_ring_pair #(
                .PLACE_BITS(STEP_BITS), .WORDS(WORDS), .STEP(STEP)
            ) u_time (
                .i_clk(i_clk), .i_rst(i_rst | stop), .i_start(i_start), .i_last_place(LAST[STEP_BITS-1:0]),
                .o_busy(busy), .o_done(done),
                .o_read(read), .o_read_place(read_place), .o_read_word(read_word),
                .o_write(write), .o_write_place(write_place), .o_write_word(write_word), .o_fault(fault)
            );
            gfab_guard #(
                .NODES(NODES), .PROGRAMS(1), .WORDS(1), .ROUND_BITS(1)
            ) u_guard (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_clear(1'b0), .i_busy(busy), .i_done(done),
                .i_run(1'b0), .i_halt(1'b0), .i_last(1'b0), .i_round(1'b0), .i_sequencer_fault(fault),
                .i_transfer_fault(wrote_q & (^checks)), .i_transfer_balance(1'b0), .i_node_faults(o_fault),
                .i_node_balances({NODES{1'b0}}), .i_odd_ops(1'b0), .o_stop(stop), .o_busy(o_busy), .o_done(o_done),
                .o_error(o_error), .o_error_what(o_error_what), .o_error_nodes(o_error_nodes), .o_error_round()
            );
            assign over = done & ~busy;
        end else begin : gen_time
            gfab_ring_counter #(
                .PLACE_BITS(STEP_BITS), .WORDS(WORDS), .REGISTERED(REGISTERED), .SHIFTS(SHIFTS)
            ) u_counter (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_last_place(LAST[STEP_BITS-1:0]),
                .o_busy(o_busy), .o_done(o_done),
                .o_read(read), .o_read_place(read_place), .o_read_word(read_word),
                .o_write(write), .o_write_place(write_place), .o_write_word(write_word)
            );
            assign {over, o_error, o_error_what, o_error_nodes} = {6+NODES{1'b0}};
        end
    endgenerate
    assign o_trace_drive = write;

    wire [NODES*OUT_BITS-1:0] links; // what each node puts out
    wire [NODES*BITS-1:0]     owns;  // where words shift, its own
    gfab_ring_arcs #(
        .NODES(NODES), .RINGS(RINGS), .CYCLES(CYCLES), .BOTH(BOTH), .LENGTH(LENGTH), .LINK_BITS(ABREAST*LINK_BITS),
        .FROM(FROM)
    ) u_arcs (
        .i_out(links), .o_in(o_trace_link)
    );
    genvar v, j;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            wire [NUMBER_BITS-1:0] number = i_read_word[v*NUMBER_BITS+:NUMBER_BITS];
            wire [RING_BITS-1:0]   ring;
            wire [INDEX_BITS-1:0]  word;
            if (RINGS > 1) begin : gen_rings
                assign ring = number[RING_BITS-1:0];
            end else begin : gen_one
                assign ring = 1'b0;
            end
            if (WORDS > 1) begin : gen_words
                assign word = number[NUMBER_BITS-1-:INDEX_BITS];
            end else begin : gen_one_word
                assign word = 1'b0;
            end
            wire [PLACE_BITS-1:0] distance;
            gfab_ring_distance #(
                .NODES(LENGTH), .PLACE_BITS(PLACE_BITS), .CYCLES(CYCLES), .BOTH(BOTH), .RINGS(RINGS), .PLACES(PLACES),
                .NODE(v), .EARLY(PROTECT)
            ) u_distance (
                .i_token(i_read_token[v*PLACE_BITS+:PLACE_BITS]), .i_ring(ring), .o_distance(distance)
            );

            wire [BITS-1:0]      stored;
            wire [LINK_BITS-1:0] picked; // with PROTECT
            if (SHIFTS) begin : gen_shift
                wire [OUT_BITS-1:0] starts; // what flows start with
                for (j = 0; j < ABREAST; j = j + 1) begin : gen_chord
                    assign starts[j*BITS+:BITS] = owns[(v+NODES-j*(NODES/ABREAST))%NODES*BITS+:BITS];
                end
                gfab_ring_shift #(
                    .PLACE_BITS(PLACE_BITS), .STEPS(STEPS), .ABREAST(ABREAST), .BITS(BITS)
                ) u_node (
                    .i_clk(i_clk), .i_write(write), .i_write_place(write_place),
                    .i_load_valid(i_load_valid[v]), .i_load_data(i_load_data[v*BITS+:BITS]),
                    .i_distance(distance), .o_stored(stored), .o_own(owns[v*BITS+:BITS]), .i_start(starts),
                    .i_link(o_trace_link[v*OUT_BITS+:OUT_BITS]), .o_link(links[v*OUT_BITS+:OUT_BITS])
                );
                assign o_trace_write[v] = write;
                assign o_trace_address[v*ADDRESS_BITS+:ADDRESS_BITS] = {write_place, {INDEX_BITS{1'b0}}};
                assign o_trace_data[v*OUT_BITS+:OUT_BITS] = links[v*OUT_BITS+:OUT_BITS];
                assign {checks[2*v+:2], o_fault[v], picked} = {3+LINK_BITS{1'b0}};
            end else if (PROTECT != 0) begin : gen_checked
                gfab_ring_checked #(
                    .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .RINGS(RINGS), .LINK_BITS(LINK_BITS), .CHECKS(PROTECT),
                    .TURNS((1 << PLACE_BITS) == LENGTH), .BOTH(BOTH)
                ) u_node (
                    .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_place(read_place), .i_read_word(read_word),
                    .i_write(write), .i_write_place(write_place), .i_write_word(write_word), .i_over(over),
                    .i_load_valid(i_load_valid[v]), .i_load_word(i_load_word[v*INDEX_BITS+:INDEX_BITS]),
                    .i_load_data(i_load_data[v*BITS+:BITS]), .i_distance(distance), .i_host_word(word), .i_ring(ring),
                    .o_read_data(picked), .i_link(o_trace_link[v*BITS+:BITS]), .o_link(stored),
                    .o_write_enable(o_trace_write[v]),
                    .o_write_address(o_trace_address[v*ADDRESS_BITS+:ADDRESS_BITS]),
                    .o_write_data(o_trace_data[v*BITS+:BITS]), .o_checks(checks[2*v+:2]), .o_fault(o_fault[v])
                );
                assign links[v*BITS+:BITS] = stored;
                assign owns[v*BITS+:BITS]  = {BITS{1'b0}};
            end else begin : gen_ram
                gfab_ring_node #(
                    .PLACE_BITS(PLACE_BITS), .WORDS(WORDS), .RINGS(RINGS), .LINK_BITS(LINK_BITS),
                    .REGISTERED(REGISTERED)
                ) u_node (
                    .i_clk(i_clk), .i_rst(i_rst), .i_read(read), .i_read_place(read_place), .i_read_word(read_word),
                    .i_write(write), .i_write_place(write_place), .i_write_word(write_word),
                    .i_load_valid(i_load_valid[v]), .i_load_word(i_load_word[v*INDEX_BITS+:INDEX_BITS]),
                    .i_load_data(i_load_data[v*BITS+:BITS]), .i_distance(distance), .i_host_word(word),
                    .i_link(o_trace_link[v*BITS+:BITS]), .o_link(stored),
                    .o_write_enable(o_trace_write[v]),
                    .o_write_address(o_trace_address[v*ADDRESS_BITS+:ADDRESS_BITS]),
                    .o_write_data(o_trace_data[v*BITS+:BITS])
                );
                assign links[v*BITS+:BITS] = stored;
                assign owns[v*BITS+:BITS]  = {BITS{1'b0}};
                assign {checks[2*v+:2], o_fault[v], picked} = {3+LINK_BITS{1'b0}};
            end

            if (PROTECT != 0) begin : gen_picked
                assign o_read_data[v*LINK_BITS+:LINK_BITS] = picked;
            end else if (RINGS > 1) begin : gen_pick
                reg [RING_BITS-1:0] ring1_q, ring2_q;
                always @(posedge i_clk) begin
                    ring1_q <= ring;
                    ring2_q <= ring1_q;
                end
                assign o_read_data[v*LINK_BITS+:LINK_BITS] = stored[ring2_q*LINK_BITS+:LINK_BITS];
            end else begin : gen_whole
                assign o_read_data[v*LINK_BITS+:LINK_BITS] = stored;
            end
        end
    endgenerate
endmodule

`default_nettype wire
