// SPDX-License-Identifier: MIT
`default_nettype none

module tb_consumer;
    reg clk = 0;
    wire done, pass;
    integer cycles = 0;

    consumer u_consumer (.i_clk(clk), .o_done(done), .o_pass(pass));
    always #5 clk = !clk;
    always @(posedge clk) begin
        cycles = cycles + 1;
        if (done || cycles == 1000) begin
            $display("%0s", done && pass ? "PASS: every token at every node" : "FAIL: a token is wrong, or none came");
            $finish;
        end
    end
endmodule
`default_nettype wire
