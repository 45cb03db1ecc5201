// SPDX-License-Identifier: MIT
//
// Loads a token into each node, starts, counts cycles from the edge that samples start to the one that samples done,
// and compares all N * N tokens; twice, with other tokens.
module tb #(
    parameter L = 32 // bits of a flit
);
    localparam N = 16, W = 32, F = W / L, I = F == 1 ? 1 : $clog2(F), S = 4;
    reg            clk = 0, rst = 1, start = 0;
    wire           busy, done;
    reg  [N-1:0]   load = 0;
    reg  [N*I-1:0] load_word = 0, read_word = 0;
    reg  [N*L-1:0] load_data = 0;
    reg  [N*S-1:0] read_token = 0;
    wire [N*L-1:0] read;
    reg  [W-1:0]   token [0:N-1];
    integer        v, k, f, wrong, cycles, pass;
    always #1 clk = ~clk;
    by_hand u_dut (
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done), .i_load_valid(load),
        .i_load_word(load_word), .i_load_data(load_data), .i_read_token(read_token), .i_read_word(read_word),
        .o_read_data(read)
    );
    initial begin
        repeat (4) @(negedge clk);
        rst   = 0;
        wrong = 0;
        for (pass = 0; pass < 2; pass = pass + 1) begin
            for (v = 0; v < N; v = v + 1)
                token[v] = $random;
            for (f = 0; f < F; f = f + 1) begin
                for (v = 0; v < N; v = v + 1) begin
                    load_data[v*L+:L] = token[v] >> f * L;
                    load_word[v*I+:I] = f;
                end
                load = ~0;
                @(negedge clk);
            end
            load      = 0;
            load_data = ~0;
            start     = 1;
            @(negedge clk);
            start = 0;
            for (cycles = 1; !done && cycles < 1000; cycles = cycles + 1)
                @(negedge clk);
            for (k = 0; k < N; k = k + 1)
                for (f = 0; f < F; f = f + 1) begin
                    read_token = {N{k[S-1:0]}};
                    read_word  = {N{f[I-1:0]}};
                    @(negedge clk);
                    @(negedge clk);
                    for (v = 0; v < N; v = v + 1)
                        wrong = wrong + (read[v*L+:L] !== (token[k] >> f * L) % (64'd1 << L));
                end
        end
        if (wrong != 0)
            $display("FAIL: %0d flits", wrong);
        else
            $display("%0d", cycles);
        $finish;
    end
endmodule
