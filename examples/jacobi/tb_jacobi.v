// SPDX-License-Identifier: MIT
//
// jacobi.v solves its system, twice; iterations, the last change and every bit of x, in every node, are those of
// jacobi.c, which wrote build/data/. Run in the folder of the fabric. Prints a line of cycles and PASS, or FAIL and
// stops, which ends vvp -N with status 1.
`default_nettype none
`include "tb/gossip_fabric_parameters.vh"
`include "build/data/jacobi_parameters.vh"

module tb_jacobi;
    localparam NODES     = `GF_NODES;
    localparam UNKNOWNS  = NODES * `JACOBI_ROWS;
    localparam WORD_BITS = `GF_WORD_BITS;
    localparam WORDS     = `GF_WORDS;

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                      rst = 1'b1;
    reg                      start = 1'b0;
    reg  [`GF_SLOT_BITS-1:0]  read_entry = 0;
    reg  [`GF_INDEX_BITS-1:0] read_word = 0;
    wire                     busy, solved;
    wire [15:0]              iterations;
    wire [31:0]              change, cycles_compute, cycles_communicate;
    wire [NODES*WORD_BITS-1:0] read_data;

    jacobi #(.ROWS(`JACOBI_ROWS)) u_jacobi (
        .i_clk(clk), .i_rst(rst), .i_start(start), .i_tolerance(`JACOBI_TOLERANCE), .i_most(16'd500), .o_busy(busy),
        .o_solved(solved), .o_iterations(iterations), .o_change(change), .o_cycles_compute(cycles_compute),
        .o_cycles_communicate(cycles_communicate),
        .i_load_valid({NODES{1'b0}}), .i_load_word({NODES*`GF_LOAD_BITS{1'b0}}), .i_load_data({NODES*WORD_BITS{1'b0}}),
        .i_read_entry({NODES{read_entry}}), .i_read_word({NODES{read_word}}), .o_read_data(read_data)
    );

    reg [31:0] x [0:UNKNOWNS-1];
    initial $readmemh("build/data/x.hex", x);

    task fail(input [8*40-1:0] what, input [31:0] is, input [31:0] wanted);
        begin
            $display("FAIL: %0s is %0d, not %0d", what, is, wanted);
            $stop;
        end
    endtask

    integer time_no, node, entry, word;
    reg [WORDS*WORD_BITS-1:0] got;
    initial begin
        repeat (4) @(negedge clk);
        rst = 1'b0;
        for (time_no = 0; time_no < 2; time_no = time_no + 1) begin
            start = 1'b1;
            @(negedge clk);
            start = 1'b0;
            while (busy) @(negedge clk);
            if (!solved) fail("solved", 0, 1);
            if (iterations != `JACOBI_ITERATIONS) fail("iterations", iterations, `JACOBI_ITERATIONS);
            if (change != `JACOBI_CHANGE) fail("the last change", change, `JACOBI_CHANGE);
            if (cycles_compute != `JACOBI_MULTIPLY) fail("cycles of multiplying", cycles_compute, `JACOBI_MULTIPLY);
            if (cycles_communicate != `JACOBI_MOVE) fail("cycles of moving data", cycles_communicate, `JACOBI_MOVE);
            for (node = 0; node < NODES; node = node + 1)
                for (entry = 0; entry < UNKNOWNS; entry = entry + 1) begin
                    for (word = 0; word < WORDS; word = word + 1) begin
                        read_entry = entry;
                        read_word = word;
                        @(negedge clk);
                        got[word*WORD_BITS+:WORD_BITS] = read_data[node*WORD_BITS+:WORD_BITS];
                    end
                    if (got[31:0] != x[entry]) fail("an entry of x", got[31:0], x[entry]);
                end
        end
        $display("PASS: %0d unknowns, %0d iterations, %0d cycles of multiplying, %0d of moving data", UNKNOWNS,
            iterations, cycles_compute, cycles_communicate);
        $finish;
    end
endmodule

`default_nettype wire
