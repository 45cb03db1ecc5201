// SPDX-License-Identifier: MIT
//
// Two fabrics with names of their own, six and five, in one simulation at the same time: each gossips GOSSIPS times
// with tokens of its own at full speed, and every beat is checked. Run it where rom/ has the ROMs of both.
`default_nettype none

`ifndef SYNTHESIS
module pair;
    localparam GOSSIPS = 3;

    reg clk = 1'b0;
    reg rst = 1'b1;
    wire six_done, five_done;

    wire [`SIX_NODES-1:0] six_s_ready, six_m_valid, six_m_last;
    wire [`SIX_NODES*`SIX_BITS-1:0] six_s_data, six_m_data;
    six_axis u_six (
        .i_clk(clk), .i_rst(rst), .o_busy(), .o_error(), .o_status(), .o_error_nodes(), .i_clear(1'b0),
        .s_axis_tvalid({`SIX_NODES{1'b1}}), .s_axis_tready(six_s_ready), .s_axis_tdata(six_s_data),
        .s_axis_tlast({`SIX_NODES{1'b1}}), .m_axis_tvalid(six_m_valid), .m_axis_tready({`SIX_NODES{1'b1}}),
        .m_axis_tdata(six_m_data), .m_axis_tlast(six_m_last)
    );
    player #(
        .NODES(`SIX_NODES), .BITS(`SIX_BITS), .GOSSIPS(GOSSIPS)
    ) u_six_player (
        .i_clk(clk), .i_rst(rst), .i_ready(six_s_ready), .o_data(six_s_data), .i_valid(six_m_valid),
        .i_data(six_m_data), .i_last(six_m_last), .o_done(six_done)
    );

    wire [`FIVE_NODES-1:0] five_s_ready, five_m_valid, five_m_last;
    wire [`FIVE_NODES*`FIVE_BITS-1:0] five_s_data, five_m_data;
    five_axis u_five (
        .i_clk(clk), .i_rst(rst), .o_busy(), .o_error(), .o_status(), .o_error_nodes(), .i_clear(1'b0),
        .s_axis_tvalid({`FIVE_NODES{1'b1}}), .s_axis_tready(five_s_ready), .s_axis_tdata(five_s_data),
        .s_axis_tlast({`FIVE_NODES{1'b1}}), .m_axis_tvalid(five_m_valid), .m_axis_tready({`FIVE_NODES{1'b1}}),
        .m_axis_tdata(five_m_data), .m_axis_tlast(five_m_last)
    );
    player #(
        .NODES(`FIVE_NODES), .BITS(`FIVE_BITS), .GOSSIPS(GOSSIPS)
    ) u_five_player (
        .i_clk(clk), .i_rst(rst), .i_ready(five_s_ready), .o_data(five_s_data), .i_valid(five_m_valid),
        .i_data(five_m_data), .i_last(five_m_last), .o_done(five_done)
    );

    integer clocks;
    initial begin
        for (clocks = 0; (six_done && five_done) !== 1'b1; clocks = clocks + 1) begin
            #5 clk = 1'b1;
            #5 clk = 1'b0;
            if (clocks == 1)
                rst = 1'b0;
            if (clocks > 100000) begin
                $display("pair: FAIL: not done");
                $stop;
                $finish;
            end
        end
        $display("PASS: %0d gossips of %0d nodes and of %0d", GOSSIPS, `SIX_NODES, `FIVE_NODES);
        $finish;
    end
endmodule

// Sources that always have a token, and sinks that always take a beat. A token is a hash of its node and gossip.
module player #(
    parameter NODES   = 4,
    parameter BITS    = 16,
    parameter GOSSIPS = 3
) (
    input  wire                  i_clk,
    input  wire                  i_rst,
    input  wire [NODES-1:0]      i_ready,
    output reg  [NODES*BITS-1:0] o_data,
    input  wire [NODES-1:0]      i_valid,
    input  wire [NODES*BITS-1:0] i_data,
    input  wire [NODES-1:0]      i_last,
    output wire                  o_done
);
    integer given [0:NODES-1]; // tokens of each node
    integer beats [0:NODES-1];
    integer total, more, v; // beats of all nodes

    function [BITS-1:0] token(input integer node, input integer gossip);
        reg [63:0] hash;
        begin
            hash = (node * 64'd1000003 + gossip * 64'd7919 + NODES) * 64'h9e3779b97f4a7c15;
            token = hash[63-:BITS];
        end
    endfunction

    always @(posedge i_clk)
        if (i_rst) begin
            total <= 0;
            for (v = 0; v < NODES; v = v + 1) begin
                given[v] <= 0;
                beats[v] <= 0;
                o_data[v*BITS+:BITS] <= token(v, 0);
            end
        end else begin
            more = 0;
            for (v = 0; v < NODES; v = v + 1) begin
                if (i_ready[v]) begin
                    given[v] <= given[v] + 1;
                    o_data[v*BITS+:BITS] <= token(v, given[v] + 1);
                end
                if (i_valid[v]) begin
                    beats[v] <= beats[v] + 1;
                    more = more + 1;
                    if (i_data[v*BITS+:BITS] !== token(beats[v] % NODES, beats[v] / NODES) ||
                        i_last[v] !== (beats[v] % NODES == NODES - 1)) begin
                        $display("%m: FAIL: beat %0d of node %0d", beats[v], v);
                        $stop;
                        $finish;
                    end
                end
            end
            total <= total + more;
        end

    assign o_done = (total >= GOSSIPS * NODES * NODES);
endmodule

`else
// The same two on a chip: what Yosys and nextpnr take.
module pair_chip (
    input  wire       i_clk,
    input  wire       i_rst,
    input  wire       i_start,
    input  wire [1:0] i_bit,
    output wire [1:0] o_bit
);
    six_harness u_six (.i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_bit(i_bit[0]), .o_bit(o_bit[0]));
    five_harness u_five (.i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_bit(i_bit[1]), .o_bit(o_bit[1]));
endmodule
`endif

`default_nettype wire
