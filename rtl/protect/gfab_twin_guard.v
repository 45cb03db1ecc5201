// SPDX-License-Identifier: MIT
//
// Two gfab_fabric that do the same, without checks of their own, and what hosts and other chips see of the first: when
// it is busy and done, in which round it is, what is read of it, and what leaves over links. All that is compared with
// the second's, and what differs is a fault as those of gfab_guard: it ends the gossip of both.
//
// What is read counts from one cycle after o_done rises on, while there is no fault yet, at nodes that want something
// of the program that was played last. Words differ too where nobody has written any: as with check bits, the host
// reads what there is. A word that is written as it is read comes as anything; it does not count where both fabrics
// say so.
//
// BANKS: hosts have stores of their own, to which goes what the fabric writes to its banks; that is what is compared.
//
// 24 ports: those of gfab_guard, and the words. Each bus of both is {the twin's, the fabric's}.
`default_nettype none

module gfab_twin_guard #(
    parameter NODES      = 16, // 1 or more
    parameter WORD_BITS  = 32, // of what is read of a node
    parameter CUTS       = 0,  // links to other chips
    parameter LINK_BITS  = 32,
    parameter BANKS      = 0,  // of a node, whose writes are compared
    parameter ADDRESS_BITS = 1, // in a bank
    parameter ROUND_BITS = 4,
    parameter PROGRAMS   = 1,
    parameter PROGRAM_BITS = 1,
    // bit node * PROGRAMS + program: there is something to read
    parameter [NODES*PROGRAMS-1:0] WANTS = {NODES*PROGRAMS{1'b1}}
) (
    input  wire                           i_clk,
    input  wire                           i_rst,
    input  wire                           i_start,
    input  wire [PROGRAM_BITS-1:0]        i_program, // what i_start plays; counts in the cycle before
    input  wire                           i_clear, // as gfab_guard
    // of both
    input  wire [1:0]                     i_busy,
    input  wire [1:0]                     i_done,
    input  wire [2*ROUND_BITS-1:0]        i_round,
    input  wire [2*NODES*WORD_BITS-1:0]   i_read_data,
    input  wire [2*NODES-1:0]             i_collides, // with the address of what is read
    input  wire [2*(CUTS>0?CUTS:1)-1:0]           i_cut_drive,
    input  wire [2*(CUTS>0?CUTS:1)*LINK_BITS-1:0] i_cut,
    // with BANKS, of which each node's have one address
    input  wire [2*(BANKS>0?NODES*BANKS:1)-1:0] i_write,
    input  wire [2*(BANKS>0?NODES*ADDRESS_BITS:1)-1:0] i_write_address,
    input  wire [2*(BANKS>0?NODES*BANKS:1)*WORD_BITS-1:0] i_write_data,
    input  wire                           i_transfer_fault, // of pads, else 0
    // to both
    output wire                           o_stop,
    // to the host
    output wire                           o_busy,
    output wire                           o_done,
    output wire [NODES-1:0]               o_fault, // a node's: of the word that is read now
    output wire                           o_error, // and below as gfab_guard
    output wire [3:0]                     o_error_what,
    output wire [NODES-1:0]               o_error_nodes,
    output wire [ROUND_BITS-1:0]          o_error_round
);
    localparam ENDS = CUTS > 0 ? CUTS : 1;
    genvar v, b, s;

    wire [NODES-1:0] wants; // of the program that was played last
    generate
        if (PROGRAMS == 1) begin : gen_one_program
            assign wants = WANTS;
        end else begin : gen_programs
            reg [PROGRAM_BITS-1:0] next_q, last_q;
            always @(posedge i_clk) begin
                next_q <= i_program;
                if (i_rst)
                    last_q <= {PROGRAM_BITS{1'b0}};
                else if (i_start & (~i_busy[0] | i_done[0]))
                    last_q <= next_q;
            end
            for (v = 0; v < NODES; v = v + 1) begin : gen_node
                localparam [PROGRAMS-1:0] ROW = WANTS[v*PROGRAMS+:PROGRAMS];
                assign wants[v] = ROW[last_q];
            end
        end
    endgenerate

    reg [NODES-1:0] reads_q; // there is a word that was read
    wire            reads = ~(i_rst | o_stop | i_clear) & i_done[0] & ~i_busy[0];
    always @(posedge i_clk)
        reads_q <= {NODES{reads}} & wants & ~(i_collides[NODES-1:0] & i_collides[NODES+:NODES]);

    gfab_twin_check #(
        .PORTS(NODES), .BITS(WORD_BITS), .REGISTERED(0)
    ) u_reads (
        .i_clk(i_clk), .i_rst(i_rst), .i_ready({2*NODES{1'b0}}), .i_valid({2{reads_q}}),
        .i_last({2*NODES{1'b0}}), .i_data(i_read_data), .o_fault(o_fault)
    );
    wire [ENDS-1:0] cut_faults;
    gfab_twin_check #(
        .PORTS(ENDS), .BITS(LINK_BITS), .REGISTERED(0)
    ) u_cuts (
        .i_clk(i_clk), .i_rst(i_rst), .i_ready({2*ENDS{1'b0}}), .i_valid(i_cut_drive), .i_last({2*ENDS{1'b0}}),
        .i_data(i_cut), .o_fault(cut_faults)
    );
    wire [NODES-1:0] write_faults;
    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_writes
            if (BANKS > 0) begin : gen_banks
                localparam WRITE_BITS = ADDRESS_BITS + WORD_BITS;
                wire [2*BANKS-1:0]            valid;
                wire [2*BANKS*WRITE_BITS-1:0] data;
                wire [BANKS-1:0]              faults;
                for (s = 0; s < 2; s = s + 1) begin : gen_side
                    assign valid[s*BANKS+:BANKS] = i_write[(s*NODES+v)*BANKS+:BANKS];
                    for (b = 0; b < BANKS; b = b + 1) begin : gen_word
                        assign data[(s*BANKS+b)*WRITE_BITS+:WRITE_BITS] = {
                            i_write_address[(s*NODES+v)*ADDRESS_BITS+:ADDRESS_BITS],
                            i_write_data[((s*NODES+v)*BANKS+b)*WORD_BITS+:WORD_BITS]
                        };
                    end
                end
                gfab_twin_check #(
                    .PORTS(BANKS), .BITS(WRITE_BITS), .REGISTERED(0)
                ) u_check (
                    .i_clk(i_clk), .i_rst(i_rst), .i_ready({2*BANKS{1'b0}}), .i_valid(valid),
                    .i_last({2*BANKS{1'b0}}), .i_data(data), .o_fault(faults)
                );
                assign write_faults[v] = |faults;
            end else begin : gen_none
                assign write_faults[v] = 1'b0;
            end
        end
    endgenerate
    wire differ = (i_busy[0] ^ i_busy[1]) | (i_done[0] ^ i_done[1]) |
                  (i_round[ROUND_BITS-1:0] != i_round[ROUND_BITS+:ROUND_BITS]);

    gfab_guard #(
        .NODES(NODES), .PROGRAMS(1), .WORDS(1), .ROUND_BITS(ROUND_BITS)
    ) u_guard (
        .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_clear(i_clear), .i_busy(i_busy[0]), .i_done(i_done[0]),
        .i_run(1'b0), .i_halt(1'b0), .i_last(1'b0), .i_round(i_round[ROUND_BITS-1:0]), .i_sequencer_fault(differ),
        .i_transfer_fault(i_transfer_fault | (|cut_faults) | (|write_faults)), .i_transfer_balance(1'b0),
        .i_node_faults(o_fault), .i_node_balances({NODES{1'b0}}), .i_odd_ops(1'b0), .o_stop(o_stop),
        .o_busy(o_busy), .o_done(o_done), .o_error(o_error), .o_error_what(o_error_what),
        .o_error_nodes(o_error_nodes), .o_error_round(o_error_round)
    );
endmodule

`default_nettype wire
