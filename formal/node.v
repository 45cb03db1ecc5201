// SPDX-License-Identifier: MIT
//
// A node and the sequencer, for every legal program (docs/reference/rom-format.md, rules 1 to 3) and every halt, every
// behaviour of its links, its host, the starts and the resets.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module formal_node #(
    parameter NODE       = 1,
    parameter NODES      = 3,
    parameter LANES      = 2,
    parameter LANE_MASK  = 3,
    parameter SKEW       = 0,
    parameter SKEWED     = 0, // some link of the fabric is; 1 where SKEW != 0
    parameter WORDS      = 2,
    parameter ROUND_BITS = 1,
    parameter LINK_BITS  = 1,
    parameter FULL       = 0,
    parameter GAP_BITS = 0,
    parameter LATENCY    = 0,
    parameter REGISTERED = 0,
    parameter PROTECT    = 0
) (
    input wire                         i_clk,
    input wire                         i_rst,
    input wire                         i_start,
    input wire [((FULL+1)*(`GFAB_BITS(NODES)+2)<<ROUND_BITS)*LANES-1:0] i_rom,
    input wire [(1<<ROUND_BITS)-1:0]   i_halts,
    input wire [((GAP_BITS > 0 ? GAP_BITS : 1)<<ROUND_BITS)-1:0] i_gaps,
    input wire                         i_load_valid,
    input wire [`GFAB_BITS(WORDS)-1:0] i_load_word,
    input wire [LANES*LINK_BITS-1:0]   i_load_data,
    input wire [`GFAB_BITS(NODES)-1:0] i_read_token,
    input wire [`GFAB_BITS(WORDS)-1:0] i_read_word,
    input wire [LANES*LINK_BITS-1:0]   i_link
);
    localparam LB      = `GFAB_BITS(LANES);
    localparam WB      = `GFAB_BITS(WORDS);
    localparam SB      = `GFAB_BITS(NODES);
    localparam HALF    = SB + `GFAB_OP_SLOT_LSB;
    localparam OP_BITS = (FULL + 1) * HALF;
    localparam IN      = FULL * HALF; // where an op says what is received
    localparam PB      = GAP_BITS > 0 ? GAP_BITS : 1;
    localparam ROUNDS  = 1 << ROUND_BITS;
    localparam X       = WORDS == 2 ? 0 : 1;
    localparam [LANES-1:0] PRESENT = LANE_MASK;

    // The program.
    reg [OP_BITS*ROUNDS*LANES-1:0] rom_q;
    reg [PB*ROUNDS-1:0]            gaps_q;
    reg [ROUNDS-1:0]               halts_q;
    integer r, c, h;
    reg [`GFAB_OP_KIND_WIDTH-1:0]  kind;
    reg [SB-1:0]                   slot;
    reg [ROUND_BITS-1:0]           rounds;
    always @* begin
        rounds = 0;
        for (r = ROUNDS - 1; r >= 0; r = r - 1)
            if (i_halts[r])
                rounds = r;
    end
    always @(posedge i_clk) begin
        rom_q    <= i_rom;
        gaps_q   <= i_gaps;
        halts_q  <= i_halts;
        assume (i_rom == rom_q && i_gaps == gaps_q && i_halts == halts_q && i_halts != 0);
        for (r = 0; r < ROUNDS; r = r + 1)
            for (c = 0; c < LANES; c = c + 1)
                for (h = 0; h <= FULL; h = h + 1) begin
                    kind = i_rom[(r*LANES+c)*OP_BITS+h*HALF+:2];
                    slot = i_rom[(r*LANES+c)*OP_BITS+h*HALF+`GFAB_OP_SLOT_LSB+:SB];
                    assume (slot < NODES);
                    assume (kind != `GFAB_OP_COMBINE);
                    assume (FULL == 0 || kind != (h == 0 ? `GFAB_OP_RECV : `GFAB_OP_SEND));
                    assume (PRESENT[c] && !i_halts[r] || kind == `GFAB_OP_IDLE);
                end
    end

    wire                       busy, done, run, trace_write;
    wire [ROUND_BITS-1:0]      round;
    wire [LB-1:0]              lane;
    wire [LANES*LB-1:0]        out_flit;
    wire [LB*(LANES+REGISTERED)-1:0] in_lane;
    wire                       fault, alarm;
    wire [WB-1:0]              sequence_word, write_word, write_word_late;
    wire [LANES-1:0]           strobe, close, drive;
    wire [SB+WB-1:0]           trace_address;
    wire [LANES*LINK_BITS-1:0] link;
    reg  [PB-1:0]              gap;
    reg                        halt;
    gfab_sequencer #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY), .REGISTERED(REGISTERED)
    ) u_sequencer (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_first_round({ROUND_BITS{1'b0}}),
        .i_next({gap, halt}), .i_again(1'b0), .o_opens(), .o_busy(busy), .o_done(done),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word),
        .o_strobe(strobe), .o_close(close), .o_out_flit(out_flit), .o_in_lane(in_lane),
        .o_write_word(write_word), .o_write_word_late(write_word_late)
    );
    // In the place of gfab_program and gfab_sequence: any ROM.
    reg [OP_BITS-1:0] op_q;
    always @(posedge i_clk) begin
        op_q  <= i_rom[(round * LANES + lane)*OP_BITS+:OP_BITS];
        gap   <= i_gaps[round*PB+:PB];
        halt  <= i_halts[round];
    end
    gfab_node #(
        .SLOTS(NODES), .LANES(LANES), .LANE_MASK(PRESENT), .SKEWED(SKEWED), .SKEW(SKEW),
        .LINK_BITS(LINK_BITS), .WORDS(WORDS), .FULL(FULL), .GAPS(GAP_BITS > 0), .LATENCY(LATENCY),
        .REGISTERED(REGISTERED), .PROTECT(PROTECT)
    ) u_node (
        .i_clk(i_clk), .i_rst(i_rst), .i_busy(busy), .i_rests(i_rst | ~busy | done), .i_run(run),
        .i_op(op_q),
        .i_sequence_word(sequence_word), .i_strobe({close, strobe}), .i_out_flit(out_flit), .i_in_lane(in_lane),
        .i_write_word({write_word_late, write_word}),
        .i_combining({`GFAB_COMBINING_BITS(LANES){1'b0}}),
        .i_own_slot(NODE[SB-1:0]), .i_load_valid(i_load_valid), .i_load_word(i_load_word), .i_load_data(i_load_data),
        .i_read_slot(i_read_token), .i_read_word(i_read_word), .o_read_data(),
        .i_link(i_link), .o_link(link), .o_drive(drive), .o_fault(fault), .o_alarm(alarm),
        .i_host_reads(1'b0),
        .o_trace_write(trace_write), .o_trace_address(trace_address), .o_trace_data()
    );

    // What the op of each cycle leads to.
    wire                  due, due_busy, due_done, due_run, due_held, due_tail;
    wire [ROUND_BITS-1:0] t_round;
    wire [WB-1:0]         t_word;
    wire [LB-1:0]         t_lane;
    wire [3:0]            t_tail;
    timeline #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .SKEWED(SKEWED), .GAP_BITS(GAP_BITS),
        .LATENCY(LATENCY), .REGISTERED(REGISTERED)
    ) u_timeline (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_rounds(rounds), .i_gaps(i_gaps), .o_held(due_held),
        .o_reset(due), .o_busy(due_busy), .o_done(due_done),
        .o_run(due_run), .o_round(t_round), .o_word(t_word), .o_lane(t_lane),
        .o_tail(due_tail), .o_tail_cycle(t_tail)
    );
    timeline_check #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
    ) u_check (
        .i_clk(i_clk), .i_due(due), .i_due_busy(due_busy), .i_due_done(due_done), .i_due_run(due_run),
        .i_t_round(t_round), .i_t_word(t_word), .i_t_lane(t_lane), .i_due_held(due_held),
        .i_due_tail(due_tail), .i_t_tail(t_tail),
        .i_busy(busy), .i_done(done), .i_run(run), .i_round(round), .i_lane(lane), .i_read_word(sequence_word)
    );
    wire [OP_BITS-1:0] t_op   = i_rom[(t_round * LANES + t_lane)*OP_BITS+:OP_BITS];
    wire               t_recv = due_run & t_op[IN+:2] == `GFAB_OP_RECV;
    wire               t_send = due_run & t_op[1:0] == `GFAB_OP_SEND;
    wire               t_late = SKEW != 0 & t_lane == 0;

    wire             write_due, late_due;
    wire [SB+WB-1:0] write_at, late_at;
    later #(.CYCLES(LANES + X + LATENCY + REGISTERED), .BITS(SB + WB)) u_write (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(t_recv & ~t_late), .i_value({t_op[IN+2+:SB], t_word}),
        .o_valid(write_due), .o_value(write_at)
    );
    later #(.CYCLES(2 * LANES + X + LATENCY + REGISTERED), .BITS(SB + WB)) u_late (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(t_recv & t_late), .i_value({t_op[IN+2+:SB], t_word}),
        .o_valid(late_due), .o_value(late_at)
    );

    // The LANES cycles in which each word is on the wire.
    wire [LANES*LANES-1:0] window;
    genvar i, j;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            for (j = 0; j < LANES; j = j + 1) begin : gen_window
                later #(.CYCLES(1 + X + (i == 0 ? SKEW : 0) + j)) u_window (
                    .i_clk(i_clk), .i_rst(i_rst), .i_valid(t_send & t_lane == i), .i_value(1'b0),
                    .o_valid(window[i*LANES+j]), .o_value()
                );
            end
            always @(posedge i_clk)
                if (due) begin
                    assert (drive[i] == |window[i*LANES+:LANES]);
                    assert (drive[i] || link[i*LINK_BITS+:LINK_BITS] == 0);
                    assert (!drive[i] || PRESENT[i]);
                end
        end
    endgenerate

    // A program that makes sense: a token is received once, not in its own node, and sent from the next
    // round on at the earliest; with WORDS = 2 not back over a skewed link in that round.
    reg sensible;
    integer r2, c2;
    always @* begin
        sensible = 1;
        for (r = 0; r < ROUNDS; r = r + 1)
            for (c = 0; c < LANES; c = c + 1)
                if (i_rom[(r*LANES+c)*OP_BITS+IN+:2] == `GFAB_OP_RECV)
                    for (r2 = 0; r2 < ROUNDS; r2 = r2 + 1)
                        for (c2 = 0; c2 < LANES; c2 = c2 + 1)
                            if (i_rom[(r2*LANES+c2)*OP_BITS+IN+:2] == `GFAB_OP_RECV && (r != r2 || c != c2) &&
                                i_rom[(r*LANES+c)*OP_BITS+IN+2+:SB] == i_rom[(r2*LANES+c2)*OP_BITS+IN+2+:SB])
                                sensible = 0;
                            else if (i_rom[(r2*LANES+c2)*OP_BITS+:2] == `GFAB_OP_SEND &&
                                     i_rom[(r*LANES+c)*OP_BITS+IN+2+:SB] == i_rom[(r2*LANES+c2)*OP_BITS+2+:SB]) begin
                                if (r2 <= r)
                                    sensible = 0;
                                if (r2 == r + 1 && c == 0 && c2 == 0 && SKEW != 0 && WORDS == 2 &&
                                    (GAP_BITS == 0 || i_gaps[r*PB+:PB] == 0))
                                    sensible = 0;
                            end
    end

    reg again, cut; // a gossip has ended since the reset; a reset came while the node drove
    reg fault_q;
    initial cut = 0;
    always @(posedge i_clk) begin
        fault_q <= fault & ~i_rst;
        again <= ~i_rst & (again | done);
        cut   <= due & i_rst & |drive;
        if (due) begin
            // Exactly the words that the program says, in their cycles.
            assert (!(write_due && late_due));
            assert (trace_write == (write_due | late_due));
            assert (PROTECT == 0 || alarm == fault_q); // of a word read that nobody wrote, and of nothing else
            if (write_due)
                assert (trace_address == write_at);
            if (late_due)
                assert (trace_address == late_at);
            if (trace_write) begin
                assert (trace_address[WB+:SB] < NODES);
                assert (trace_address[WB-1:0] < WORDS);
                // Nothing is read before, or in the cycle in which, it is written.
                for (r = 0; r < ROUNDS; r = r + 1)
                    for (c = 0; c < LANES; c = c + 1)
                        if (sensible && r < rounds && i_rom[(r*LANES+c)*OP_BITS+:2] == `GFAB_OP_SEND &&
                            i_rom[(r*LANES+c)*OP_BITS+2+:SB] == trace_address[WB+:SB])
                            assert (due_held && r >= t_round ||
                                    due_run && (r > t_round || r == t_round && trace_address[WB-1:0] > t_word ||
                                                r == t_round && trace_address[WB-1:0] == t_word && c > t_lane));
            end
        end
        cover (due && trace_write && sensible && trace_address == {2'd2, {(WB-1){1'b0}}, 1'b1});
        cover (due && done && busy && sensible && rounds == ROUNDS - 1);
        cover (due && again && drive != 0);
        cover (cut && i_start);
        if (SKEW != 0 && ROUND_BITS > 1)
            cover (due && late_due && t_send);
        if (FULL != 0)
            cover (due && trace_write && t_send && t_recv && sensible);
        if (GAP_BITS > 0)
            cover (due && due_held && trace_write && drive != 0);
    end
endmodule

`default_nettype wire
