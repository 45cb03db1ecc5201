// SPDX-License-Identifier: MIT
// Each time the cores say what the largest number was, it has to be that of all four.
`default_nettype none

module tb_four_cores;
    localparam TIMES = 1000;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    wire [3:0]   valid;
    wire [127:0] own, largest;
    wire         error;
    four_cores u_dut (
        .i_clk(clk), .i_rst(rst), .o_valid(valid), .o_own(own), .o_largest(largest), .o_error(error)
    );

    integer    times = 0, cycles = 0, node, wins [0:3];
    reg [31:0] expected;
    reg [3:0]  seen = 0;
    initial for (node = 0; node < 4; node = node + 1) wins[node] = 0;

    always @(posedge clk) begin
        rst    <= (cycles < 3);
        cycles <= cycles + 1;
        seen   = seen | valid;
        if (error || cycles > 200 * TIMES) begin
            $display("FAIL: %0s after %0d times", error ? "an error" : "no end", times);
            $fatal(1);
        end
        if (&seen) begin
            seen     = 0;
            expected = 0;
            for (node = 0; node < 4; node = node + 1)
                if (own[32*node+:32] > expected)
                    expected = own[32*node+:32];
            for (node = 0; node < 4; node = node + 1) begin
                if (largest[32*node+:32] !== expected) begin
                    $display("FAIL: core %0d says %0d, the largest is %0d", node, largest[32*node+:32], expected);
                    $fatal(1);
                end
                if (own[32*node+:32] == expected)
                    wins[node] = wins[node] + 1;
            end
            times = times + 1;
            if (times == TIMES) begin
                $write("%0d times, %0d cycles each: all four agree; ", TIMES, (cycles + TIMES / 2) / TIMES);
                $display("the largest was core 0's %0d times, 1's %0d, 2's %0d, 3's %0d",
                         wins[0], wins[1], wins[2], wins[3]);
                $finish;
            end
        end
    end
endmodule

`default_nettype wire
