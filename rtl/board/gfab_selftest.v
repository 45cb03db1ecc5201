// SPDX-License-Identifier: MIT
//
// Tests a fabric on a board, with no host but someone who looks at the LEDs or reads the serial line:
//   1. loads every node with a token of its own,
//   2. starts the gossip and counts its cycles,
//   3. reads all NODES tokens of all NODES nodes and checks every word, node by node,
//   4. sends one line over the UART, then waits 2^PAUSE_BITS cycles and begins again with other tokens.
// gfab_selftest_report has that line, and counts the cycles. A fabric that is not done by 99999 is reset, so that the
// next test finds it idle.
//
// Tokens are PARTS equal parts, slot s = PARTS v + p the p-th of node v's. A shift register of GEN bits runs through a
// sequence of period 2^GEN - 1, a prime; the part of slot s is bits S s .. S s + TOKEN_BITS / PARTS - 1 of it, S =
// WORDS * LANES * LINK_BITS, from where the last test stopped.
// A part holds at least GEN bits, which is the register's whole state, and two different multiples of S
// are not equal modulo that prime where there are fewer than 2^GEN - 1 slots. So no two parts are the same, none
// is 0, and after a PASS none is what it was: a store that keeps old tokens is found out.
//
// BLOCKS: collectives of so many blocks, of each program in turn; gfab_selftest_blocks says what nodes load and what is
// expected, lines say "block=". A test goes through all blocks for each node that is loaded, and once more for each
// that is read; a word takes 8 cycles.
//
// The host side of the fabric is broadcast: o_load_word, o_load_data, o_read_token and o_read_word go to all
// nodes, o_load_valid to one at a time. One word takes 4 cycles, a test about 4 WORDS PARTS NODES (NODES + 1).
//
// 378 lines, 22 parameters: phases that share their counters, and what blocks have beside tokens.
`default_nettype none
`include "gfab_bits.vh"

module gfab_selftest #(
    parameter NODES           = 16,  // 2 .. 10000
    parameter LANES           = 4,   // K, 1 or more
    parameter LINK_BITS       = 2,   // L, 1 or more
    parameter WORDS           = 4,   // store words of a part, 2 or more
    parameter PARTS           = 1,   // of a token, 1 or more
    parameter TOKEN_BITS      = 32,  // W, PARTS times 7 .. WORDS * LANES * LINK_BITS; 17 or more for over 126 slots
    parameter PROGRAMS        = 1,
    parameter [32*PROGRAMS-1:0] EXPECTED_CYCLES = 0, // of each, up to 99998; 0: any number will do
    parameter SEED            = 1,   // its low 17 bits (7 where a part has fewer) must not be 0
    parameter CLOCKS_PER_BIT  = 104, // of the UART
    parameter PAUSE_BITS      = 23,  // log2 of the pause in cycles; 2^PAUSE_BITS at least NODES
    parameter LOAD_BITS       = `GFAB_BITS(WORDS) + `GFAB_PART_BITS(PARTS), // of what is loaded: {part or block, word}
    parameter READ_BITS       = `GFAB_BITS(NODES*PARTS), // of what is read
    // with BLOCKS, up to 99999, as in gfab_selftest_blocks
    parameter BLOCKS          = 0,
    parameter MEMBERS         = NODES,
    parameter COUNTED         = 0,
    parameter FIELD_BITS      = 4,
    parameter OPERATOR        = 0,
    parameter [PROGRAMS-1:0] COMBINES = 0,
    parameter [PROGRAMS*NODES*9*FIELD_BITS-1:0] TABLE = 0,
    parameter NAME_CHARS      = 9,
    parameter [8*NAME_CHARS-1:0] NAME = "gossipfab"
) (
    input  wire                             i_clk,
    input  wire                             i_rst,
    // gossip_fabric
    output wire                             o_fabric_rst,
    output wire                             o_start,
    output wire [`GFAB_BITS(PROGRAMS)-1:0]  o_program,
    output wire [2:0]                       o_operator,
    input  wire                             i_done,
    output wire [NODES-1:0]                 o_load_valid,
    output wire [LOAD_BITS-1:0]             o_load_word,
    output wire [LANES*LINK_BITS-1:0]       o_load_data,
    output wire [READ_BITS-1:0]             o_read_token,
    output wire [`GFAB_BITS(WORDS)-1:0]     o_read_word,
    input  wire [NODES*LANES*LINK_BITS-1:0] i_read_data,
    // board
    output wire                             o_uart_tx,
    output wire                             o_busy,      // a test runs; off in the pause
    output wire                             o_pass,      // what the last test said
    output wire                             o_fail,
    output wire                             o_failed,    // some test since reset failed
    output wire                             o_heartbeat  // changes with every test
);
    localparam ITEMS      = (BLOCKS > 0) ? BLOCKS : NODES; // tokens, or blocks
    localparam NODE_BITS  = `GFAB_BITS(NODES);
    localparam ITEM_BITS  = `GFAB_BITS(ITEMS);
    localparam PHASE_BITS = (BLOCKS > 0) ? 3 : 2;
    localparam SLOT_BITS  = `GFAB_BITS(NODES * PARTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam PART_BITS  = TOKEN_BITS / PARTS;
    localparam LAST_WORD  = WORDS - 1;
    localparam LAST_NODE  = NODES - 1;
    localparam LAST_ITEM  = ITEMS - 1;
    localparam GEN        = (PART_BITS >= 17) ? 17 : 7;
    localparam TAP        = (PART_BITS >= 17) ? 3 : 1; // x^17 + x^3 + 1, x^7 + x + 1
    localparam FIRST_SEED = SEED;

    generate
        if (PART_BITS < 7 || PART_BITS * PARTS != TOKEN_BITS) begin : gen_bad_token_bits
            gfab_error_parts_must_be_at_least_7_bits u_bad ();
        end
        if (PART_BITS > WORDS * WORD_BITS) begin : gen_bad_words
            gfab_error_parts_must_fit_words u_bad ();
        end
        if (ITEMS * PARTS > 126 && PART_BITS < 17) begin : gen_bad_nodes
            gfab_error_over_126_slots_need_parts_of_17_bits u_bad ();
        end
        if ((WORDS * WORD_BITS) % ((1 << GEN) - 1) == 0) begin : gen_bad_stride
            gfab_error_token_stride_must_not_be_a_multiple_of_the_period u_bad ();
        end
        if (FIRST_SEED[GEN-1:0] == {GEN{1'b0}}) begin : gen_bad_seed
            gfab_error_low_bits_of_seed_must_not_be_0 u_bad ();
        end
        if (PAUSE_BITS < NODE_BITS || PAUSE_BITS < ITEM_BITS) begin : gen_bad_pause
            gfab_error_pause_must_be_at_least_nodes u_bad ();
        end
    endgenerate

    localparam LOAD   = 3'd0;
    localparam START  = 3'd1;
    localparam RUN    = 3'd2;
    localparam CHECK  = 3'd3;
    localparam REPORT = 3'd4;
    localparam PAUSE  = 3'd5;

    reg [2:0] state_q;
    wire load   = (state_q == LOAD);
    wire start  = (state_q == START);
    wire run    = (state_q == RUN);
    wire check  = (state_q == CHECK);
    wire report = (state_q == REPORT);
    wire pause  = (state_q == PAUSE);

    // A word's 4 phases: 0 its address is out, 1 the store's output, 2 group_q, 3 bad_q. With BLOCKS there are 8, as in
    // the first it is not yet known where a block is.
    reg [PHASE_BITS-1:0] phase_q;
    reg [INDEX_BITS-1:0] word_q;
    reg [ITEM_BITS-1:0]  token_q; // or the block; of tokens in LOAD the node, too
    reg [NODE_BITS-1:0]  node_q;
    reg                  bad_q;   // of CHECK alone

    reg  step_q; // the last phase
    wire step       = step_q;
    wire last_in_part = (word_q == LAST_WORD[INDEX_BITS-1:0]);
    wire last_word; // of the token
    wire last_token = (token_q == LAST_ITEM[ITEM_BITS-1:0]);
    wire last_node  = (node_q == LAST_NODE[NODE_BITS-1:0]);
    // Known before the phase that asks for them.
    reg  pass_end_q;
    reg  all_end_q;
    wire found      = step & bad_q;
    wire leave      = step & (bad_q | (check & all_end_q));
    wire again;     // the pause is over
    wire text_end;
    wire stuck;     // the gossip is not done by 99999
    wire late;      // its cycles are not the expected ones

    always @(posedge i_clk)
        if (i_rst)
            state_q <= LOAD;
        else
            case (state_q)
                LOAD:    if (step & (BLOCKS > 0 ? all_end_q : pass_end_q)) state_q <= START;
                START:   state_q <= RUN;
                RUN:     if (i_done) state_q <= CHECK; else if (stuck) state_q <= REPORT;
                CHECK:   if (leave) state_q <= REPORT;
                REPORT:  if (text_end) state_q <= PAUSE;
                default: if (again) state_q <= LOAD;
            endcase

    always @(posedge i_clk) begin
        pass_end_q <= last_word & last_token;
        all_end_q  <= last_word & last_token & last_node;
    end

    always @(posedge i_clk) begin
        if (i_rst)
            phase_q <= {PHASE_BITS{1'b0}};
        else if (load | check)
            phase_q <= phase_q + 1'b1;
        step_q <= ~i_rst & (load | check) & (&phase_q[PHASE_BITS-1:1]) & ~phase_q[0];
    end

    always @(posedge i_clk)
        if (i_rst | again) begin
            word_q  <= {INDEX_BITS{1'b0}};
            token_q <= {ITEM_BITS{1'b0}};
            node_q  <= {NODE_BITS{1'b0}};
        end else if (step & ~found) begin
            word_q <= last_in_part ? {INDEX_BITS{1'b0}} : word_q + 1'b1;
            if (last_word)
                token_q <= last_token ? {ITEM_BITS{1'b0}} : token_q + 1'b1;
            if (pass_end_q & (check | (BLOCKS > 0)))
                node_q <= (BLOCKS > 0 && all_end_q && load) ? {NODE_BITS{1'b0}} : node_q + 1'b1;
        end

    // Which part of the token it is, and its slot.
    generate
        if (BLOCKS > 0) begin : gen_numbers
            wire [LOAD_BITS+FIELD_BITS+INDEX_BITS-1:0] load_at = {{LOAD_BITS{1'b0}}, gen_content.number, word_q};
            wire [READ_BITS+FIELD_BITS-1:0]            read_at = {{READ_BITS{1'b0}}, gen_content.number};
            assign last_word    = last_in_part;
            assign o_load_word  = load_at[LOAD_BITS-1:0];
            assign o_read_token = read_at[READ_BITS-1:0];
        end else if (PARTS == 1) begin : gen_whole
            assign last_word    = last_in_part;
            assign o_load_word  = word_q;
            assign o_read_token = token_q;
        end else begin : gen_parts
            localparam NUMBER_BITS = `GFAB_PART_BITS(PARTS);
            localparam LAST_PART   = PARTS - 1;
            reg [NUMBER_BITS-1:0] part_q;
            reg [SLOT_BITS-1:0]   slot_q;
            wire                  last_part = (part_q == LAST_PART[NUMBER_BITS-1:0]);
            always @(posedge i_clk)
                if (i_rst | again) begin
                    part_q <= {NUMBER_BITS{1'b0}};
                    slot_q <= {SLOT_BITS{1'b0}};
                end else if (step & ~found & last_in_part) begin
                    part_q <= last_part ? {NUMBER_BITS{1'b0}} : part_q + 1'b1;
                    slot_q <= pass_end_q ? {SLOT_BITS{1'b0}} : slot_q + 1'b1;
                end
            assign last_word    = last_in_part & last_part;
            assign o_load_word  = {part_q, word_q};
            assign o_read_token = slot_q;
        end
    endgenerate

    // The generator: the same words in LOAD and for every node in CHECK.
    reg [GEN-1:0] gen_q;
    reg [GEN-1:0] seed_q;

    function [GEN+WORD_BITS-1:0] sequence_from(input [GEN-1:0] state);
        integer i;
        begin
            sequence_from = {{WORD_BITS{1'b0}}, state};
            for (i = 0; i < WORD_BITS; i = i + 1)
                sequence_from[GEN+i] = sequence_from[i] ^ sequence_from[i+TAP];
        end
    endfunction

    wire [GEN+WORD_BITS-1:0] bits = sequence_from(gen_q);
    wire [GEN-1:0]           next = bits[GEN+WORD_BITS-1:WORD_BITS];

    always @(posedge i_clk)
        if (i_rst) begin
            gen_q  <= FIRST_SEED[GEN-1:0];
            seed_q <= FIRST_SEED[GEN-1:0];
        end else begin
            if (step)
                gen_q <= (pass_end_q & ~leave) ? seed_q : next;
            if (report)
                seed_q <= gen_q; // which is where the test left it
        end

    // Its word without what lies behind the part's end.
    localparam FULL_WORDS = PART_BITS / WORD_BITS;
    localparam REST_BITS  = PART_BITS % WORD_BITS;
    wire [WORD_BITS-1:0] valid;
    genvar b, g, v;
    generate
        if (FULL_WORDS == WORDS) begin : gen_unpadded
            assign valid = {WORD_BITS{1'b1}};
        end else begin : gen_padded
            wire full = (word_q < FULL_WORDS[INDEX_BITS-1:0]);
            wire part = (word_q == FULL_WORDS[INDEX_BITS-1:0]);
            for (b = 0; b < WORD_BITS; b = b + 1) begin : gen_bit
                assign valid[b] = full | (part & (b < REST_BITS));
            end
        end
    endgenerate

    // The word read, of node_q: of each group of nodes first, for a store's output comes late in its cycle.
    localparam GROUP_BITS = (NODE_BITS > 2) ? 2 : 1;
    localparam GROUPS     = (NODES + (1 << GROUP_BITS) - 1) >> GROUP_BITS;
    localparam OF_GROUP   = `GFAB_BITS(GROUPS);
    wire [WORD_BITS-1:0] selected;
    reg  [GROUPS*WORD_BITS-1:0] group_q;
    generate
        for (b = 0; b < WORD_BITS; b = b + 1) begin : gen_select
            wire [GROUPS-1:0] column;
            for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
                // The last group may have fewer.
                localparam LEFT   = NODES - (g << GROUP_BITS);
                localparam CHOICE = (LEFT < 1 << GROUP_BITS) ? $clog2(LEFT) : GROUP_BITS;
                wire [(1<<CHOICE)-1:0] in_group;
                for (v = 0; v < 1 << CHOICE; v = v + 1) begin : gen_node
                    assign in_group[v] = i_read_data[((g<<GROUP_BITS)+(v<LEFT?v:0))*WORD_BITS+b];
                end
                always @(posedge i_clk)
                    group_q[g*WORD_BITS+b] <= (CHOICE > 0) ? in_group[node_q[(CHOICE>0?CHOICE:1)-1:0]] : in_group[0];
                assign column[g] = group_q[g*WORD_BITS+b];
            end
            assign selected[b] = (NODES > 1 << GROUP_BITS) ? column[node_q[NODE_BITS-1-:OF_GROUP]] : column[0];
        end
        for (v = 0; v < NODES; v = v + 1) begin : gen_load
            if (BLOCKS > 0) begin : gen_here
                assign o_load_valid[v] = load & step & gen_content.here & (node_q == v[NODE_BITS-1:0]);
            end else begin : gen_own
                reg load_q; // in the last three phases of a word
                always @(posedge i_clk)
                    load_q <= ~i_rst & load & ~step & (token_q == v[ITEM_BITS-1:0]);
                assign o_load_valid[v] = load_q;
            end
        end

        // In simulation, a word never written is wrong, too.
        if (BLOCKS > 0) begin : gen_content
            wire                  here;
            wire [FIELD_BITS-1:0] number;
            wire [WORD_BITS-1:0]  expected;
            gfab_selftest_blocks #(
                .NODES(NODES), .MEMBERS(MEMBERS), .BLOCKS(BLOCKS), .PROGRAMS(PROGRAMS), .COUNTED(COUNTED),
                .WORDS(WORDS), .WORD_BITS(WORD_BITS), .TOKEN_BITS(TOKEN_BITS), .FIELD_BITS(FIELD_BITS),
                .OPERATOR(OPERATOR), .COMBINES(COMBINES), .TABLE(TABLE)
            ) u_blocks (
                .i_clk(i_clk), .i_rst(i_rst), .i_again(again), .i_check(check),
                .i_first((phase_q == {PHASE_BITS{1'b0}}) & (token_q == {ITEM_BITS{1'b0}}) &
                         (word_q == {INDEX_BITS{1'b0}})),
                .i_step(step), .i_last_word(last_word), .i_node(node_q), .i_block(token_q), .i_index(word_q),
                .i_word(bits[WORD_BITS-1:0]), .i_valid(valid), .o_program(o_program), .o_operator(o_operator),
                .o_here(here), .o_number(number), .o_load(o_load_data), .o_expected(expected)
            );
            always @(posedge i_clk)
                bad_q <= check & here & ((selected & valid) !== expected);
        end else begin : gen_tokens
            assign {o_program, o_operator} = {`GFAB_BITS(PROGRAMS)+3{1'b0}};
            wire [WORD_BITS-1:0] word = bits[WORD_BITS-1:0] & valid;
            assign o_load_data = word;
            always @(posedge i_clk)
                bad_q <= check & (selected !== word);
        end
    endgenerate

    assign o_read_word = word_q;
    assign o_start     = start;

    // The verdict.
    reg pass_q;
    reg fail_q;
    reg found_q;
    reg failed_q;
    reg reset_q;
    reg heartbeat_q;

    always @(posedge i_clk)
        if (i_rst) begin
            pass_q      <= 1'b0;
            fail_q      <= 1'b0;
            found_q     <= 1'b0;
            failed_q    <= 1'b0;
            heartbeat_q <= 1'b0;
        end else begin
            if (leave | stuck) begin
                pass_q   <= ~(stuck | bad_q | late);
                fail_q   <= stuck | bad_q | late;
                failed_q <= failed_q | stuck | bad_q | late;
                found_q  <= found;
            end
            heartbeat_q <= heartbeat_q ^ again;
        end

    always @(posedge i_clk)
        reset_q <= i_rst | stuck;

    assign o_fabric_rst = reset_q;
    assign o_busy       = ~pause;
    assign o_pass       = pass_q;
    assign o_fail       = fail_q;
    assign o_failed     = failed_q;
    assign o_heartbeat  = heartbeat_q;

    // A line for each test, the pause behind it, and the clock that says how long a gossip took.
    gfab_selftest_report #(
        .NODES(NODES), .ITEMS(ITEMS), .NAMES_BLOCKS(BLOCKS > 0), .PROGRAMS(PROGRAMS),
        .EXPECTED_CYCLES(EXPECTED_CYCLES), .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .PAUSE_BITS(PAUSE_BITS),
        .NAME_CHARS(NAME_CHARS), .NAME(NAME)
    ) u_report (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(start), .i_run(run), .i_done(i_done), .i_report(report), .i_pause(pause),
        .i_program(o_program), .i_fail(fail_q), .i_found(found_q), .i_node(node_q), .i_item(token_q),
        .o_late(late), .o_stuck(stuck), .o_end(text_end), .o_again(again), .o_uart_tx(o_uart_tx)
    );
endmodule

`default_nettype wire
