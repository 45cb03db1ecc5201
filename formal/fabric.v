// SPDX-License-Identifier: MIT
//
// A generated fabric with its ROM images, from the outside. The parameters are read off
// the generated folder by fabric_parameters.py.
//
// formal_fabric: starts and resets at any time, what nodes and links do in each cycle.
// formal_fabric_tokens: one gossip after a reset, for all tokens; every word written is the right one.
`default_nettype none
`include "gfab_bits.vh"

module formal_fabric #(
    parameter NODES      = 9,
    parameter LINKS      = 12,
    parameter LANES      = 4,
    parameter LINK_BITS  = 1,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 3,
    parameter SKEWED     = 0,
    parameter REGISTERED = 0,
    parameter ROUNDS     = 6,
    // for node and slot, EB bits at [(node * NODES + slot) * EB]: {late, round, lane}
    parameter [NODES*NODES*(1+ROUND_BITS+`GFAB_BITS(LANES))-1:0] RECEIVED = 0
) (
    input wire                                   i_clk,
    input wire                                   i_rst,
    input wire                                   i_start,
    input wire                                   i_haste, // start as early as can be and no resets: for the covers
    input wire [NODES-1:0]                       i_load_valid,
    input wire [NODES*`GFAB_BITS(WORDS)-1:0]     i_load_word,
    input wire [NODES*LANES*LINK_BITS-1:0]       i_load_data,
    input wire [NODES*`GFAB_BITS(NODES)-1:0]     i_read_token,
    input wire [NODES*`GFAB_BITS(WORDS)-1:0]     i_read_word
);
    localparam SB = `GFAB_BITS(NODES);
    localparam WB = `GFAB_BITS(WORDS);
    localparam LB = `GFAB_BITS(LANES);
    localparam PB = ROUND_BITS + WB + LB;
    localparam EB = 1 + ROUND_BITS + LB;
    localparam X  = WORDS == 2 ? 0 : 1;

    wire                   busy, done;
    wire [2*LINKS-1:0]     drive;
    wire [NODES-1:0]       write;
    wire [NODES*(SB+WB)-1:0] address;
    gossip_fabric u_fabric (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .o_busy(busy), .o_done(done),
        .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_token(i_read_token), .i_read_word(i_read_word), .o_read_data(),
        .o_trace_link(), .o_trace_drive(drive),
        .o_trace_write(write), .o_trace_address(address), .o_trace_data()
    );

    wire                  due, due_busy, due_done, due_run, due_tail;
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .REGISTERED(REGISTERED)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(ROUNDS[ROUND_BITS-1:0]),
        .i_gaps({(1<<ROUND_BITS){1'b0}}), .o_held(),
        .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );

    // Where the sequencer is. Induction needs it; the names are those of the flattened design.
    (* hierconn *) wire                  \u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_run ;
    (* hierconn *) wire [ROUND_BITS-1:0] \u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_round ;
    (* hierconn *) wire [LB-1:0]         \u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_lane ;
    (* hierconn *) wire [WB-1:0]         \u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_read_word ;
    timeline_check #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(1'b0),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(\u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_run ),
        .i_round(\u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_round ),
        .i_lane(\u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_lane ),
        .i_read_word(\u_fabric.u_fabric.u_time.gen_single.u_sequencer.o_read_word )
    );

    // What is written in this cycle: the word of this position, unless its lane is skewed or not.
    wire          start = i_start & (~busy | done);
    wire          write_due, late_due;
    wire [PB-1:0] write_position, late_position;
    later #(.CYCLES(LANES + X + REGISTERED), .BITS(PB)) u_write (
        .i_clk(i_clk), .i_rst(i_rst | start), .i_valid(due_busy), .i_value({t_round, t_word, t_lane}),
        .o_valid(write_due), .o_value(write_position)
    );
    later #(.CYCLES(2 * LANES + X + REGISTERED), .BITS(PB)) u_late (
        .i_clk(i_clk), .i_rst(i_rst | start), .i_valid(due_busy), .i_value({t_round, t_word, t_lane}),
        .o_valid(late_due), .o_value(late_position)
    );

    // The words that have been written since the start, and when RECEIVED says that each is.
    reg          again;
    reg [SB-1:0] slot;
    reg [WB-1:0] word;
    initial again = 0;
    always @(posedge i_clk) begin
        again <= ~i_rst & due & (again | done);
        assume (!i_haste || i_start && i_rst == !due);
        if (due)
            assert (busy || write == 0 && drive == 0);
        cover (due && again && write[0]);
        cover (due && done && busy && start);
    end
    genvar l, n, s, w;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : gen_link
            always @(posedge i_clk)
                if (due)
                    assert (drive[2*l+:2] != 3);
        end
        for (n = 0; n < NODES; n = n + 1) begin : gen_node
            reg  [(1<<SB+WB)-1:0] written;
            wire [SB+WB-1:0]      at = address[n*(SB+WB)+:SB+WB];
            always @(posedge i_clk) begin
                if (i_rst | start)
                    written <= 0;
                else if (write[n])
                    written[at] <= 1'b1;
                if (due && write[n]) begin
                    assert (at[WB+:SB] < NODES && at[WB+:SB] != n);
                    assert (at[WB-1:0] < WORDS);
                    assert (!written[at]);
                end
            end
            for (s = 0; s < NODES; s = s + 1) begin : gen_slot
                if (s != n)
                    for (w = 0; w < WORDS; w = w + 1) begin : gen_word
                        localparam [EB-1:0] ENTRY = RECEIVED[(n*NODES+s)*EB+:EB]; // {late, round, lane}
                        localparam [PB-1:0] POSITION = {ENTRY[EB-2:LB], w[WB-1:0], ENTRY[LB-1:0]};
                        always @(posedge i_clk)
                            if (due && busy) begin
                                assert (written[s<<WB|w] == (ENTRY[EB-1]
                                                             ? late_due && later_than(late_position, POSITION)
                                                             : write_due && later_than(write_position, POSITION)));
                                // As done rises, in the cycle of the last write, nothing is left to be written.
                                if (done)
                                    assert (written[s<<WB|w] || write[n] && at == (s<<WB|w));
                            end
                    end
            end
        end
    endgenerate

    function later_than(input [PB-1:0] a, input [PB-1:0] b);
        later_than = a > b;
    endfunction
endmodule

module formal_fabric_tokens #(
    parameter NODES      = 9,
    parameter LINKS      = 12,
    parameter LANES      = 4,
    parameter LINK_BITS  = 1,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 3,
    parameter SKEWED     = 0,
    parameter REGISTERED = 0,
    parameter ROUNDS     = 6
) (
    input wire                                     i_clk,
    input wire [NODES*WORDS*LANES*LINK_BITS-1:0]   i_tokens,
    input wire [`GFAB_BITS(NODES)-1:0]             i_read_token,
    input wire [`GFAB_BITS(WORDS)-1:0]             i_read_word
);
    localparam SB   = `GFAB_BITS(NODES);
    localparam WB   = `GFAB_BITS(WORDS);
    localparam BITS = LANES * LINK_BITS;

    // A reset, WORDS loads, a start, and then the host waits and reads the same word of each store.
    reg [9:0] cycle;
    initial cycle = 0;
    reg [NODES*WORDS*BITS-1:0] tokens_q;
    always @(posedge i_clk) begin
        cycle    <= cycle + 1'b1;
        tokens_q <= i_tokens;
        assume (i_tokens == tokens_q);
        assume (i_read_token < NODES && i_read_word < WORDS);
    end
    wire             load  = cycle >= 1 && cycle <= WORDS;
    wire [WB-1:0]    word  = cycle - 1;
    wire             start = cycle == WORDS + 1;
    reg [NODES*BITS-1:0] load_data;
    integer n;
    always @*
        for (n = 0; n < NODES; n = n + 1)
            load_data[n*BITS+:BITS] = i_tokens[(n*WORDS+word)*BITS+:BITS];

    reg [(BITS<<SB+WB)-1:0] expected; // in every store, by address
    integer t, k;
    always @* begin
        expected = 0;
        for (t = 0; t < NODES; t = t + 1)
            for (k = 0; k < WORDS; k = k + 1)
                expected[(t<<WB|k)*BITS+:BITS] = i_tokens[(t*WORDS+k)*BITS+:BITS];
    end

    wire                     busy, done;
    wire [NODES-1:0]         write;
    wire [NODES*(SB+WB)-1:0] address;
    wire [NODES*BITS-1:0]    data, read_data;
    gossip_fabric u_fabric (
        .i_clk(i_clk), .i_rst(cycle == 0), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid({NODES{load}}), .i_load_word({NODES{word}}), .i_load_data(load_data),
        .i_read_token({NODES{i_read_token}}), .i_read_word({NODES{i_read_word}}), .o_read_data(read_data),
        .o_trace_link(), .o_trace_drive(),
        .o_trace_write(write), .o_trace_address(address), .o_trace_data(data)
    );

    reg             ready; // the host's read of the cycle before was one of a finished gossip
    reg [SB-1:0]    token_q;
    reg [WB-1:0]    word_q;
    reg [SB+WB-1:0] at;
    initial ready = 0;
    always @(posedge i_clk) begin
        ready   <= cycle >= 1 & done & ~busy;
        token_q <= i_read_token;
        word_q  <= i_read_word;
        if (cycle >= 1)
            for (n = 0; n < NODES; n = n + 1) begin
                at = address[n*(SB+WB)+:SB+WB];
                if (write[n])
                    assert (data[n*BITS+:BITS] == expected[at*BITS+:BITS]);
                if (ready)
                    assert (read_data[n*BITS+:BITS] == expected[{token_q, word_q}*BITS+:BITS]);
            end
        cover (ready && &read_data);
    end
endmodule

`default_nettype wire
