// SPDX-License-Identifier: MIT
//
// gfab_reset with a PLL that locks late, loses its lock before the reset is over, and loses it for good afterwards. The
// reset must be there from the first moment on, end the number of cycles after the lock that it is to take and not one
// before, and never come back. +seed=N draws when the PLL does what. A failure ends vvp -N with status 1.
`default_nettype none

module tb_reset;
    parameter CYCLES = 5;
    localparam SYNCHRONISER = 2; // cycles until a lock is seen

    reg     clk    = 1'b0;
    reg     locked = 1'b0;
    wire    rst;
    integer held   = 0; // edges that have sampled the lock without a break
    integer seed, times, i;

    gfab_reset #(.CYCLES(CYCLES)) u_reset (.i_clk(clk), .i_locked(locked), .o_rst(rst));

    task check(input wanted);
        if (rst !== wanted) begin
            $display("tb_reset: FAIL: o_rst is %b, not %b, %0d edges after the lock", rst, wanted, held);
            $stop;
        end
    endtask

    task cycle;
        begin
            clk = 1'b1;
            held = locked ? held + 1 : 0;
            #5 check(held < SYNCHRONISER + CYCLES);
            clk = 1'b0;
            #5;
        end
    endtask

    // Between two edges, as a PLL does.
    task lock(input integer cycles);
        begin
            #1 locked = 1'b1;
            for (i = 0; i < cycles; i = i + 1)
                cycle;
        end
    endtask
    task unlock(input integer cycles);
        begin
            #1 locked = 1'b0;
            for (i = 0; i < cycles; i = i + 1)
                cycle;
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed))
            seed = 1;
        #1 check(1'b1);
        unlock($urandom(seed) % 100);
        for (times = 0; times < 20; times = times + 1) begin
            lock($urandom % CYCLES); // too short by a cycle at least
            unlock(1 + $urandom % 3);
        end
        lock(SYNCHRONISER + CYCLES + 10);
        // It is over for good: the fabric goes on as long as there is a clock.
        #1 locked = 1'b0;
        for (i = 0; i < 20; i = i + 1) begin
            clk = 1'b1;
            #5 check(1'b0);
            clk = 1'b0;
            #5;
        end
        $display("tb_reset: PASS");
        $finish;
    end
endmodule

`default_nettype wire
