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
    parameter ROUNDS     = 6,
    parameter NODE       = 0 // its store is watched
) (
    input wire                                   i_clk,
    input wire                                   i_rst,
    input wire                                   i_start,
    input wire [NODES-1:0]                       i_load_valid,
    input wire [NODES*`GFAB_BITS(WORDS)-1:0]     i_load_word,
    input wire [NODES*LANES*LINK_BITS-1:0]       i_load_data,
    input wire [NODES*`GFAB_BITS(NODES)-1:0]     i_read_token,
    input wire [NODES*`GFAB_BITS(WORDS)-1:0]     i_read_word
);
    localparam SB = `GFAB_BITS(NODES);
    localparam WB = `GFAB_BITS(WORDS);

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

    wire                  due, due_busy, due_done, t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(ROUNDS[ROUND_BITS-1:0]),
        .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(), .o_round(), .o_word(), .o_lane(), .o_tail(t_tail), .o_tail_cycle()
    );

    // The words of the node's store that have been written since the start.
    wire start = i_start & (~busy | done);
    wire [SB+WB-1:0] at = address[NODE*(SB+WB)+:SB+WB];
    reg  [(1<<SB+WB)-1:0] written;
    always @(posedge i_clk)
        if (i_rst | start)
            written <= 0;
        else if (write[NODE])
            written[at] <= 1'b1;
    wire [(1<<SB+WB)-1:0] written_now = write[NODE] ? written | 1 << at : written;

    integer i, w;
    reg again;
    initial again = 0;
    always @(posedge i_clk) begin
        again <= ~i_rst & due & (again | done);
        if (due) begin
            assert (busy == due_busy);
            assert (done == due_done);
            for (i = 0; i < LINKS; i = i + 1)
                assert (drive[2*i+:2] != 3);
            assert (busy || drive == 0 && write == 0);
            if (write[NODE]) begin
                assert (at[WB+:SB] < NODES && at[WB+:SB] != NODE);
                assert (at[WB-1:0] < WORDS);
                assert (!written[at]);
            end
            // As done rises, in the cycle of the last write, nothing is left to be written.
            if (busy && done)
                for (i = 0; i < NODES; i = i + 1)
                    for (w = 0; w < WORDS; w = w + 1)
                        assert (i == NODE || written_now[i<<WB|w]);
        end
        cover (due && again && busy && write[NODE]);
    end
endmodule

module formal_fabric_tokens #(
    parameter NODES      = 9,
    parameter LINKS      = 12,
    parameter LANES      = 4,
    parameter LINK_BITS  = 1,
    parameter WORDS      = 2,
    parameter ROUND_BITS = 3,
    parameter SKEWED     = 0,
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
