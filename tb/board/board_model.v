// SPDX-License-Identifier: MIT
//
// What rtl/gfab_selftest.v says that a board does, clock by clock: its LEDs, every bit of its serial line, and what it
// asks of the fabric, whose answers alone it takes from the design. Whatever differs is told, and ends the simulation.
// It reads in the middle of a clock; what is forced for that clock's end must be so within a time unit.
`default_nettype none
`include "gossip_fabric_parameters.vh"

module board_model #(
    parameter CLOCKS_PER_BIT = 4,
    parameter PAUSE_BITS     = 6,
    parameter RESET_CYCLES   = 72,
    parameter LEDS           = 8  // of the board
) (
    input  wire                           clk,
    // what the board shows
    input  wire [7:0]                     led,
    input  wire                           tx,
    // in the board, between self-test and fabric
    input  wire                           rst,
    input  wire                           fabric_rst,
    input  wire                           start,
    input  wire                           done,
    input  wire                           late, // done is forced to be so
    input  wire [`GF_NODES-1:0]           load_valid,
    input  wire [`GF_LOAD_BITS-1:0]       load_word,
    input  wire [`GF_WORD_BITS-1:0]       load_data,
    input  wire [`GF_SLOT_BITS-1:0]       read_token,
    input  wire [`GF_INDEX_BITS-1:0]      read_word,
    input  wire [`GF_NODES*`GF_WORD_BITS-1:0] read_data
);
    localparam NODES = `GF_NODES;
    localparam PARTS = `GF_PARTS;
    localparam WORDS = `GF_WORDS;
    localparam BITS  = `GF_WORD_BITS;
    localparam SLOT_WORDS = NODES * PARTS * WORDS; // of a node's store
    localparam SYNCHRONISER = 2; // of the lock of a PLL, which is there at once
    localparam NEVER = 99999;
    localparam LOAD = 0, START = 1, RUN = 2, CHECK = 3, REPORT = 4, PAUSE = 5;

    integer state, at;     // at: clocks of this state that are over; in CHECK of this node
    integer clocks;        // since the bench began
    integer node;          // in CHECK
    integer cycles;        // of the gossip
    reg     heartbeat, pass, fail, failed, stuck, bad;

    task differs(input [8*24-1:0] what);
        begin
            $display("board_model: FAIL: %0s is not as it must be, in clock %0d", what, clocks);
            $stop;
            $finish;
        end
    endtask

    // The tokens: a sequence of period 2^LENGTH - 1, from where the last test stopped.
    localparam LENGTH = (`GF_PART_BITS >= 17) ? 17 : 7;
    localparam TAP    = (`GF_PART_BITS >= 17) ? 3 : 1;
    reg [LENGTH-1:0] first, sequence_q;
    reg [BITS-1:0]   words [0:SLOT_WORDS-1];
    reg [LENGTH-1:0] behind [0:SLOT_WORDS-1]; // the sequence behind each word
    task draw_words;
        integer i, b;
        begin
            sequence_q = first;
            for (i = 0; i < SLOT_WORDS; i = i + 1) begin
                for (b = 0; b < BITS; b = b + 1) begin
                    words[i][b] = sequence_q[0] & (i % WORDS * BITS + b < `GF_PART_BITS);
                    sequence_q = {sequence_q[0] ^ sequence_q[TAP], sequence_q[LENGTH-1:1]};
                end
                behind[i] = sequence_q;
            end
        end
    endtask

    // The line: its characters, and where in it the numbers of a node and of a token begin, which take their time.
    localparam NODE_DIGITS = (NODES > 1000) ? 4 : (NODES > 100) ? 3 : 2;
    localparam NAME_CHARS  = `GF_TOPOLOGY_LENGTH;
    localparam [8*NAME_CHARS-1:0] NAME = `GF_TOPOLOGY;
    reg [7:0] text [0:NAME_CHARS+63];
    integer   length, node_from, token_from;
    task put(input [8*16-1:0] chars);
        integer i;
        for (i = 15; i >= 0; i = i - 1)
            if (chars[8*i+:8] != 8'd0) begin
                text[length] = chars[8*i+:8];
                length = length + 1;
            end
    endtask
    task put_number(input integer value, input integer digits);
        integer i;
        for (i = digits - 1; i >= 0; i = i - 1) begin
            text[length] = "0" + value / 10 ** i % 10;
            length = length + 1;
        end
    endtask
    task compose(input integer token);
        integer i;
        begin
            for (i = 0; i < NAME_CHARS; i = i + 1)
                text[i] = NAME[8*(NAME_CHARS-1-i)+:8];
            length     = NAME_CHARS;
            node_from  = -1;
            token_from = -1;
            put(fail ? " FAIL " : " PASS ");
            if (bad) begin
                put("node=");
                node_from = length;
                put_number(node, NODE_DIGITS);
                put(" token=");
                token_from = length;
                put_number(token, NODE_DIGITS);
            end else begin
                put("cycles=");
                put_number(cycles, 5);
            end
            put("\015\n");
        end
    endtask

    // The serial line: the character on it was taken in the clock sent_at.
    integer   next, sent_at, ready_at, token;
    reg [9:0] frame;
    task begin_report(input integer found_token);
        begin
            state    = REPORT;
            at       = 0;
            token    = found_token;
            pass     = ~fail;
            failed   = failed | fail;
            compose(token);
            next     = 0;
            ready_at = clocks + 3;
        end
    endtask
    task report;
        begin
            if (next < length && clocks >= ready_at && clocks >= sent_at + 10 * CLOCKS_PER_BIT) begin
                frame    = {1'b1, text[next], 1'b0};
                sent_at  = clocks;
                next     = next + 1;
                ready_at = clocks + 3 + ((next == node_from) ? node + 5 : (next == token_from) ? token + 5 : 0);
            end
            if (next == length && clocks == sent_at + 3) begin
                state = PAUSE;
                at    = -1;
            end
            at = at + 1;
        end
    endtask

    wire       in_reset = clocks < RESET_CYCLES + SYNCHRONISER;
    wire       busy     = state == RUN && !(late && cycles >= `GF_CYCLES); // as long as the fabric runs
    wire [7:0] lights   = {2'b00, busy, failed, fail, pass, state != PAUSE, heartbeat};
    wire [7:0] known    = clocks > 1 ? 8'hff : 8'h1f; // a fabric is reset a cycle later than the rest
    reg        level;
    integer    part;
    task compare;
        begin
            level = 1'b1;
            if (clocks <= sent_at + 10 * CLOCKS_PER_BIT)
                level = frame[(clocks-sent_at-1)/CLOCKS_PER_BIT];
            if (rst !== in_reset) differs("the reset");
            if ((led & known[LEDS-1:0]) !== (lights & known & ((1 << LEDS) - 1))) differs("a LED");
            if (tx !== level) differs("the serial line");
            if (fabric_rst !== (clocks < RESET_CYCLES + SYNCHRONISER + 1 || stuck)) differs("the fabric's reset");
            if (start !== (state == START)) differs("start");
            part = at / (4 * WORDS);
            case (state)
                LOAD: begin
                    if (load_valid !== (at % 4 == 0 ? {NODES{1'b0}} : {{NODES{1'b0}}, 1'b1} << part / PARTS))
                        differs("the node that is loaded");
                    if (load_data !== words[at/4]) differs("a word that is loaded");
                    if (load_word !== (part % PARTS << `GF_INDEX_BITS) + at / 4 % WORDS)
                        differs("the place that is loaded");
                end
                CHECK:
                    if (read_token !== part || read_word !== at / 4 % WORDS)
                        differs("the place that is read");
                default: ;
            endcase
            if (state != LOAD && load_valid !== {NODES{1'b0}}) differs("a load");
        end
    endtask

    task advance;
        begin
            stuck = 1'b0;
            case (state)
                LOAD:
                    if (!in_reset) begin
                        at = at + 1;
                        if (at == 4 * SLOT_WORDS)
                            state = START;
                    end
                START: begin
                    state  = RUN;
                    cycles = 0;
                end
                RUN: begin
                    cycles = cycles + 1;
                    if (done) begin
                        state = CHECK;
                        at    = 0;
                        node  = 0;
                    end else if (cycles == NEVER) begin
                        stuck = 1'b1;
                        fail  = 1'b1;
                        bad   = 1'b0;
                        begin_report(0);
                    end
                end
                CHECK: begin
                    if (at % 4 == 1) // as it comes out of the store
                        bad = read_data[node*BITS+:BITS] !== words[at/4];
                    at = at + 1;
                    if (at % 4 == 0 && (bad || (at == 4 * SLOT_WORDS && node == NODES - 1))) begin
                        fail  = bad || (`GF_EXPECTED_CYCLES != 0 && cycles != `GF_EXPECTED_CYCLES);
                        first = behind[at/4-1];
                        begin_report((at / 4 - 1) / (PARTS * WORDS));
                    end else if (at == 4 * SLOT_WORDS) begin
                        at   = 0;
                        node = node + 1;
                    end
                end
                REPORT: report;
                default: begin
                    at = at + 1;
                    if (at == (1 << PAUSE_BITS) + 2) begin
                        state     = LOAD;
                        at        = 0;
                        heartbeat = ~heartbeat;
                        draw_words;
                    end
                end
            endcase
        end
    endtask

    initial begin
        {heartbeat, pass, fail, failed, stuck, bad} = 6'd0;
        state   = LOAD;
        at      = 0;
        clocks  = 0;
        sent_at = -20 * CLOCKS_PER_BIT;
        first   = {{LENGTH-1{1'b0}}, 1'b1};
        draw_words;
    end
    always @(posedge clk) clocks = clocks + 1;
    always @(negedge clk)
        if (clocks > 0) begin
            compare;
            #1 advance;
        end
endmodule

`default_nettype wire
