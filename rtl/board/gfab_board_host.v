// SPDX-License-Identifier: MIT
//
// A fabric driven over a serial line: loads and reads its stores, starts it and counts its cycles.
// docs/reference/host-protocol.md has the requests and their answers; gfab_host_link has the frames.
//
// A request shifts into one register, so that a field's place is known from the end of the frame; one with fewer
// fields is short in front. Its fields in the order of time, from the lowest bit on:
//   data     WORDS * WORD_BITS, the words of a part or block, word 0 first
//   slot     the larger of what i_load_word and i_read_token have of it
//   node     log2 NODES
//   program  PROGRAM_BITS
//   command  8: the request's kind, and in its bits 5:3 the operator
//   sequence 8; a start with that of the request before is that one again, and is not played twice
//
// The host side of the fabric is broadcast, through a register for each GROUP of nodes and their words back through
// another, so that no net has more than GROUP nodes at its end. Addresses stand still for WAIT cycles before a word is
// taken.
//
// 272 lines: a request's fields, what they ask for and the answer share one register and one set of counters.
`default_nettype none
`include "gfab_bits.vh"

module gfab_board_host #(
    parameter NODES          = 16,  // 2 or more
    parameter WORD_BITS      = 8,   // of a store word
    parameter WORDS          = 4,   // store words of a part, 1 or more
    parameter SLOTS          = 16,  // that are read from a node
    parameter SLOT_BITS      = 4,   // of such a slot's number
    parameter LOAD_BITS      = 2,   // of {part, word} or {block, word}
    parameter BURST_SLOTS    = 16,  // an answer to a read ends at a multiple of these, a power of two
    parameter PROGRAM_BITS   = 1,   // of a program's number
    parameter CYCLE_BITS     = 16,  // of the cycles of a collective
    parameter CLOCKS_PER_BIT = 104, // of the serial line, 5 or more
    parameter [127:0] IDENTITY = 128'd0 // what a host is told of the fabric
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    // serial line
    input  wire                       i_rx,
    output wire                       o_tx,
    // gossip_fabric
    output wire                       o_fabric_rst,
    output wire                       o_start,
    output wire [PROGRAM_BITS-1:0]    o_program,  // steady from the cycle before o_start on
    output wire [2:0]                 o_operator, // likewise
    input  wire                       i_done,
    input  wire                       i_error,    // 0 for a fabric without protection
    output wire [NODES-1:0]           o_load_valid,
    output wire [NODES*LOAD_BITS-1:0] o_load_word,
    output wire [NODES*WORD_BITS-1:0] o_load_data,
    output wire [NODES*SLOT_BITS-1:0] o_read_token,
    output wire [NODES*`GFAB_BITS(WORDS)-1:0] o_read_word,
    input  wire [NODES*WORD_BITS-1:0] i_read_data,
    // for LEDs
    output wire                       o_request,  // changes with every request
    output wire                       o_fresh     // no host has greeted since the reset
);
    localparam GROUP_BITS = 4;
    localparam GROUP      = 1 << GROUP_BITS; // nodes
    localparam GROUPS     = (NODES + GROUP - 1) / GROUP;
    localparam NODE_BITS  = `GFAB_BITS(NODES);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam FIELD_BITS = (LOAD_BITS - INDEX_BITS > SLOT_BITS) ? LOAD_BITS - INDEX_BITS : SLOT_BITS;
    localparam BIT_BITS   = `GFAB_BITS(WORD_BITS);
    localparam LAST_BIT   = WORD_BITS - 1;
    localparam LAST_WORD  = WORDS - 1;
    localparam LAST_SLOT  = SLOTS - 1;
    localparam BURST_MASK = BURST_SLOTS - 1;
    localparam WAIT       = 7;

    // Kinds of requests; 0 asks who is there, and how the collective goes on.
    localparam QUERY = 3'd0;
    localparam GREET = 3'd1;
    localparam RESET = 3'd2;
    localparam START = 3'd3;
    localparam LOAD  = 3'd4; // those of a slot have bit 2
    localparam READ  = 3'd5;

    // The request.
    localparam CHECK_BITS = 32;
    localparam FIELDS     = FIELD_BITS + NODE_BITS + PROGRAM_BITS + 16;
    reg  [FIELDS+CHECK_BITS-1:0]     fields_q; // and the check sequence
    reg  [WORDS*WORD_BITS-1:0]       data_q;
    wire [FIELD_BITS-1:0]   field    = fields_q[FIELD_BITS-1:0];
    wire [NODE_BITS-1:0]    node     = fields_q[FIELD_BITS+:NODE_BITS];
    wire [5:0]              command  = fields_q[FIELDS-16+:6];
    wire [7:0]              number   = fields_q[FIELDS-8+:8];

    wire       bit_valid, link_bit, request, next;
    reg        reply_q;
    reg        loading_q;
    reg        request_q;

    // From the last request on: where a load or a read has got to.
    reg [BIT_BITS-1:0]   bit_q;
    reg [INDEX_BITS-1:0] word_q;
    reg [FIELD_BITS-1:0] slot_q;
    reg [2:0]            wait_q;  // cycles since the address changed
    reg                  ended_q; // all is read
    wire waited    = (wait_q == WAIT);
    wire last_bit  = (bit_q == LAST_BIT[BIT_BITS-1:0]);
    wire last_word = last_bit & (word_q == LAST_WORD[INDEX_BITS-1:0]);
    wire last_slot = ((slot_q & BURST_MASK[FIELD_BITS-1:0]) == BURST_MASK[FIELD_BITS-1:0]) |
                     (slot_q == LAST_SLOT[FIELD_BITS-1:0]);

    // The answer: sequence, status, and to a query all the rest. The bits of a read come instead of that.
    localparam ANSWER_BITS = 16 + 128 + 8 + CYCLE_BITS;
    localparam COUNT_BITS  = `GFAB_BITS(ANSWER_BITS + 1);
    localparam HEAD        = 16;
    reg  [COUNT_BITS-1:0]  count_q; // bits that are out; of a read's data none are counted
    reg                    fresh_q;
    reg                    running_q;
    reg  [7:0]             runs_q;
    reg  [CYCLE_BITS-1:0]  cycles_q;
    reg                    settled_q; // the bit that goes out next is that of the counts
    wire [ANSWER_BITS-1:0] answer = {cycles_q, runs_q, IDENTITY, 5'd0, i_error, fresh_q, running_q, number};
    wire query   = (command[2:0] == QUERY);
    wire read    = (command[2:0] == READ);
    wire head    = (count_q[COUNT_BITS-1:4] == HEAD[COUNT_BITS-1:4]); // it is out, and nothing behind it
    wire reading = read & head;
    wire taken   = next & settled_q;
    wire step    = loading_q | (reading & taken & ~ended_q);

    // A bit is chosen from many: it waits in a register, for every second cycle.
    reg  [WORD_BITS-1:0]   read_data_q;
    reg                    reply_bit_q;
    reg                    reply_end_q;
    always @(posedge i_clk) begin
        settled_q   <= (~reading | waited) & ~taken;
        reply_bit_q <= reading ? read_data_q[bit_q] : answer[count_q];
        reply_end_q <= query ? (count_q == ANSWER_BITS[COUNT_BITS-1:0]) : head & (~read | ended_q);
    end

    // A start counts once, however often it is asked for.
    reg  [7:0] before_q;
    reg        start_q;
    reg        rst_q;
    wire greet = request & (command[2:0] == GREET);
    wire reset = request & (command[2:0] == RESET);
    wire load  = request & (command[2:0] == LOAD);
    wire start = request & (command[2:0] == START) & (number != before_q);

    always @(posedge i_clk) begin
        if (bit_valid)
            fields_q <= {link_bit, fields_q[FIELDS+CHECK_BITS-1:1]};
        if (bit_valid | loading_q)
            data_q <= {fields_q[0], data_q[WORDS*WORD_BITS-1:1]};
        if (request) begin
            bit_q   <= {BIT_BITS{1'b0}};
            word_q  <= {INDEX_BITS{1'b0}};
            ended_q <= 1'b0;
        end else if (step) begin
            bit_q <= last_bit ? {BIT_BITS{1'b0}} : bit_q + 1'b1;
            if (last_bit)
                word_q <= last_word ? {INDEX_BITS{1'b0}} : word_q + 1'b1;
            ended_q <= last_word & last_slot;
        end
        if (request & ~command[2])
            slot_q <= {FIELD_BITS{1'b0}}; // as after the last slot it rests at one that is there
        else if (request | (step & last_word & ~last_slot))
            slot_q <= request ? field : slot_q + 1'b1;
        if (request | (step & last_bit))
            wait_q <= 3'd0;
        else if (~waited)
            wait_q <= wait_q + 1'b1;
        if (request)
            count_q <= {COUNT_BITS{1'b0}};
        else if (taken & ~reading)
            count_q <= count_q + 1'b1;
        if (start_q)
            cycles_q <= {CYCLE_BITS{1'b0}};
        else if (running_q)
            cycles_q <= cycles_q + 1'b1;
    end

    always @(posedge i_clk)
        if (i_rst) begin
            reply_q   <= 1'b0;
            request_q <= 1'b0;
            loading_q <= 1'b0;
            fresh_q   <= 1'b1;
            before_q  <= 8'd0;
            start_q   <= 1'b0;
            rst_q     <= 1'b0;
            running_q <= 1'b0;
            runs_q    <= 8'd0;
        end else begin
            loading_q <= load | (loading_q & ~last_word);
            reply_q   <= (request & ~load) | (loading_q & last_word);
            request_q <= request_q ^ request;
            fresh_q   <= fresh_q & ~greet;
            if (request)
                before_q <= number;
            start_q   <= start;
            rst_q     <= reset;
            running_q <= start_q | (running_q & ~i_done & ~rst_q);
            if (start_q)
                runs_q <= runs_q + 1'b1;
        end

    // To the nodes and back.
    wire [15:0] place = {{(16-NODE_BITS){1'b0}}, node};
    wire        write = loading_q & (bit_q == {BIT_BITS{1'b0}});
    wire [LOAD_BITS-1:0]         load_word;
    wire [GROUPS*WORD_BITS-1:0]  group_data;
    genvar g;
    genvar b;
    genvar v;
    generate
        if (LOAD_BITS > INDEX_BITS) begin : gen_load_slot
            assign load_word = {slot_q[LOAD_BITS-INDEX_BITS-1:0], word_q};
        end else begin : gen_load_word
            assign load_word = word_q;
        end
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            localparam FIRST = g * GROUP;
            localparam SIZE  = (g == GROUPS - 1) ? NODES - FIRST : GROUP;
            reg  [SIZE-1:0]       valid_q;
            reg  [LOAD_BITS-1:0]  load_word_q;
            reg  [WORD_BITS-1:0]  load_data_q;
            reg  [SLOT_BITS-1:0]  token_q;
            reg  [INDEX_BITS-1:0] read_word_q;
            reg  [WORD_BITS-1:0]  read_q;
            wire                  here = (place[15:GROUP_BITS] == FIRST[15:GROUP_BITS]);
            wire [WORD_BITS-1:0]  selected;
            for (b = 0; b < WORD_BITS; b = b + 1) begin : gen_bit
                wire [GROUP-1:0] column;
                for (v = 0; v < GROUP; v = v + 1) begin : gen_node
                    if (v < SIZE) begin : gen_there
                        assign column[v] = i_read_data[(FIRST+v)*WORD_BITS+b];
                    end else begin : gen_absent
                        assign column[v] = 1'b0;
                    end
                end
                assign selected[b] = column[place[GROUP_BITS-1:0]];
            end
            always @(posedge i_clk) begin
                valid_q <= {{(SIZE-1){1'b0}}, write & here} << place[GROUP_BITS-1:0];
                read_q  <= selected;
                if (here) begin // registers that are not the same in all groups stay apart
                    load_word_q <= load_word;
                    load_data_q <= data_q[WORD_BITS-1:0];
                    token_q     <= slot_q[SLOT_BITS-1:0];
                    read_word_q <= word_q;
                end
            end
            assign group_data[g*WORD_BITS+:WORD_BITS]              = read_q;
            assign o_load_valid[FIRST+:SIZE]                       = valid_q;
            assign o_load_word[FIRST*LOAD_BITS+:SIZE*LOAD_BITS]    = {SIZE{load_word_q}};
            assign o_load_data[FIRST*WORD_BITS+:SIZE*WORD_BITS]    = {SIZE{load_data_q}};
            assign o_read_token[FIRST*SLOT_BITS+:SIZE*SLOT_BITS]   = {SIZE{token_q}};
            assign o_read_word[FIRST*INDEX_BITS+:SIZE*INDEX_BITS]  = {SIZE{read_word_q}};
        end
    endgenerate
    always @(posedge i_clk)
        read_data_q <= group_data[place[15:GROUP_BITS]*WORD_BITS+:WORD_BITS];

    gfab_host_link #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_link (
        .i_clk(i_clk), .i_rst(i_rst), .i_rx(i_rx), .o_tx(o_tx),
        .o_bit_valid(bit_valid), .o_bit(link_bit), .o_request(request),
        .i_reply(reply_q), .o_next(next), .i_bit_valid(settled_q), .i_bit(reply_bit_q), .i_end(reply_end_q)
    );

    assign o_fabric_rst = i_rst | rst_q;
    assign o_start      = start_q;
    assign o_program    = fields_q[FIELD_BITS+NODE_BITS+:PROGRAM_BITS];
    assign o_operator   = command[5:3];
    assign o_request    = request_q;
    assign o_fresh      = fresh_q;
endmodule

`default_nettype wire
