// SPDX-License-Identifier: MIT
//
// Two gfab_stream_tree that do the same, cycle by cycle: the fabric, and its twin, which is asked whether that is so.
// Hosts see the fabric alone. In every cycle their ports are compared with the twin's: what is ready, what is there,
// and what it is. So a word that is wrong, lost, doubled or late is noticed where it goes out, whatever happened to it,
// and a host that is kept waiting is, too.
//
// The twin's words are whole: a parity would be right by chance where a word is lost and the next one comes for it.
//
// 17 parameters, and ports, as gfab_stream_tree's. Latency: o_error and o_fault are 1 two cycles behind what is wrong.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module gfab_stream_twins #(
    parameter NODES     = 4,
    parameter HOSTS     = 2,
    parameter LINKS     = 3,
    parameter LANES     = 2,
    parameter LINK_BITS = 32,
    parameter WORDS     = 1,
    parameter QUEUE_BITS = 1,
    parameter FLOWS     = 1,
    parameter OPERATOR  = `GFAB_OPERATOR_NONE,
    parameter OPERATOR_CYCLES = 0,
    parameter HALF      = 0,
    parameter LIMIT     = 65536,
    parameter [NODES*(2*FLOWS+1)*(LANES+WORDS-1)-1:0] NODE = {
        6'b00_01_01, 6'b01_00_01, 6'b10_01_11, 6'b01_10_11
    },
    parameter [NODES*32-1:0] TURNS = {NODES{32'd0}},
    parameter DIGITS = 1,
    parameter [DIGITS*4-1:0] ORDER = {DIGITS{4'd0}},
    parameter [LINKS*2*(`GFAB_BITS(NODES)+`GFAB_BITS(LANES))-1:0] LINK = {
        6'b01_1_11_0, 6'b00_1_10_0, 6'b00_0_01_0
    }
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    output wire                       o_busy,
    input  wire [HOSTS-1:0]           i_give_valid,
    output wire [HOSTS-1:0]           o_give_ready,
    input  wire [HOSTS*WORDS*LINK_BITS-1:0] i_give_data,
    input  wire [HOSTS-1:0]           i_give_last,
    output wire [HOSTS-1:0]           o_take_valid,
    input  wire [HOSTS-1:0]           i_take_ready,
    output wire [HOSTS*WORDS*LINK_BITS-1:0] o_take_data,
    output wire [HOSTS-1:0]           o_take_last,
    output wire                       o_error, // a time limit is over, or a fault
    output wire [HOSTS-1:0]           o_late,
    output wire                       o_uneven,
    output wire [HOSTS-1:0]           o_fault, // until the reset: the host's ports are not the twin's
    output wire [2*(LINKS+(WORDS-1)*HOSTS)*LINK_BITS-1:0] o_trace_link,
    output wire [2*(LINKS+(WORDS-1)*HOSTS)-1:0] o_trace_drive,
    output wire [2*(LINKS+(WORDS-1)*HOSTS)-1:0] o_trace_ready
);
    localparam BITS = WORDS * LINK_BITS; // of a beat

    wire over; // the time limit is
    gfab_stream_tree #(
        .NODES(NODES), .HOSTS(HOSTS), .LINKS(LINKS), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS),
        .QUEUE_BITS(QUEUE_BITS), .FLOWS(FLOWS), .OPERATOR(OPERATOR), .OPERATOR_CYCLES(OPERATOR_CYCLES),
        .HALF(HALF), .LIMIT(LIMIT), .NODE(NODE), .TURNS(TURNS), .DIGITS(DIGITS), .ORDER(ORDER), .LINK(LINK)
    ) u_tree (
        .i_clk(i_clk), .i_rst(i_rst), .o_busy(o_busy), .i_give_valid(i_give_valid), .o_give_ready(o_give_ready),
        .i_give_data(i_give_data), .i_give_last(i_give_last), .o_take_valid(o_take_valid),
        .i_take_ready(i_take_ready), .o_take_data(o_take_data), .o_take_last(o_take_last), .o_error(over),
        .o_late(o_late), .o_uneven(o_uneven), .o_trace_link(o_trace_link), .o_trace_drive(o_trace_drive),
        .o_trace_ready(o_trace_ready)
    );

    wire [HOSTS-1:0]      ready, valid, last;
    wire [HOSTS*BITS-1:0] data;
    gfab_stream_tree #(
        .NODES(NODES), .HOSTS(HOSTS), .LINKS(LINKS), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS),
        .QUEUE_BITS(QUEUE_BITS), .FLOWS(FLOWS), .OPERATOR(OPERATOR), .OPERATOR_CYCLES(OPERATOR_CYCLES),
        .HALF(HALF), .LIMIT(LIMIT), .NODE(NODE), .TURNS(TURNS), .DIGITS(DIGITS), .ORDER(ORDER), .LINK(LINK)
    ) u_twin (
        .i_clk(i_clk), .i_rst(i_rst), .o_busy(), .i_give_valid(i_give_valid), .o_give_ready(ready),
        .i_give_data(i_give_data), .i_give_last(i_give_last), .o_take_valid(valid), .i_take_ready(i_take_ready),
        .o_take_data(data), .o_take_last(last), .o_error(), .o_late(), .o_uneven(), .o_trace_link(),
        .o_trace_drive(), .o_trace_ready()
    );

    wire [HOSTS-1:0] fault;
    genvar h;
    generate
        for (h = 0; h < HOSTS; h = h + 1) begin : gen_host
            reg            turns_q; // what is ready, there, or last differs
            reg [BITS-1:0] data_q;  // or these bits
            reg            fault_q;
            always @(posedge i_clk) begin
                turns_q <= ~i_rst & ((o_give_ready[h] ^ ready[h]) | (o_take_valid[h] ^ valid[h]) |
                                     (o_take_valid[h] & (o_take_last[h] ^ last[h])));
                data_q  <= i_rst | ~o_take_valid[h] ? {BITS{1'b0}} : o_take_data[h*BITS+:BITS] ^ data[h*BITS+:BITS];
                fault_q <= ~i_rst & (fault_q | turns_q | (|data_q));
            end
            assign fault[h] = fault_q;
        end
    endgenerate
    assign o_fault = fault;
    assign o_error = over | (|fault);
endmodule

`default_nettype wire
