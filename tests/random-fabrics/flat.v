// SPDX-License-Identifier: MIT
//
// Plays a script on the plain ports of a fabric: loads, starts, resets, reads and what these should give. A line of
// script.txt is "op a b c d data", the op decimal, the others hexadecimal (play.py writes it):
//   1 node address - - data   stage a load      2 node token word - -      stage a read
//   3 - - - - -               a cycle           4 node bits - - data       the word read must have these low bits
//   5 program - - - -         ask for it        6 cycles - - - -           reset
//   7 operator next cycles flags -   start, and wait; ask for program `next`. It takes so many cycles, 0: any number.
//                             Flags: 1 loads and starts that do not count, all the time; 2 the next start is at once
//   9 node token - - -        read from there from the next start on, word 0
//   8 operator cycles - - -   start, and go on after so many cycles
// Run with vvp -N: a failure is a message and $stop, status 1.
`default_nettype none

module flat;
    localparam NODES      = `NODES;
    localparam WORD_BITS  = `WORD_BITS;
    localparam LOAD_BITS  = `LOAD_BITS;
    localparam SLOT_BITS  = `SLOT_BITS;
    localparam INDEX_BITS = `INDEX_BITS;

    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg                         rst = 1'b1;
    reg                         start = 1'b0;
    reg  [2:0]                  choice = 3'd0;
    reg  [`PROGRAM_BITS-1:0]    asked = 0;
    wire                        busy, done;
    wire                        error;
    reg  [NODES-1:0]            load_valid = 0;
    reg  [NODES*LOAD_BITS-1:0]  load_word = 0;
    reg  [NODES*WORD_BITS-1:0]  load_data = 0;
    reg  [NODES*SLOT_BITS-1:0]  read_token = 0;
    reg  [NODES*INDEX_BITS-1:0] read_word = 0;
    reg  [NODES*SLOT_BITS-1:0]  rest_token = 0; // of op 9
    reg                         rests = 1'b0;
    wire [NODES*WORD_BITS-1:0]  read_data;

    `TOP u_fabric (
`ifdef CHOICE
        .i_operator(choice),
`endif
`ifdef SEVERAL
        .i_program(asked),
`endif
`ifdef ERROR
        .o_error(error),
`endif
        .i_clk(clk), .i_rst(rst), .i_start(start), .o_busy(busy), .o_done(done),
        .i_load_valid(load_valid), .i_load_word(load_word), .i_load_data(load_data),
        .i_read_token(read_token), .i_read_word(read_word), .o_read_data(read_data)
    );
`ifndef ERROR
    assign error = 1'b0;
`endif

    integer script, line, op, cycles, checked, limit;

    task fail;
        begin
            $display("FAIL at line %0d", line);
            $stop;
            $finish; // where it goes on behind a $stop
        end
    endtask

    always @(negedge clk)
        if (!rst && ((^{busy, done}) === 1'bx || error !== 1'b0)) begin
            $display("busy %b, done %b, error %b", busy, done, error);
            fail;
        end

    // What does not count: before the edge that samples it busy is 1.
    task disturb;
        integer v;
        begin
            load_valid = {NODES{1'b1}} & $random;
            start      = $random;
            choice     = $random;
            for (v = 0; v < NODES; v = v + 1) begin
                load_word[v*LOAD_BITS+:LOAD_BITS] = $random;
                load_data[v*WORD_BITS+:WORD_BITS] = $random;
            end
        end
    endtask

    reg [31:0]          a, b, c, d;
    reg [WORD_BITS-1:0] data, mask;
    initial begin
        line    = 0;
        checked = 0;
        script  = $fopen("script.txt", "r");
        repeat (4 + 2 * `LATENCY) @(negedge clk);
        rst = 1'b0;
        repeat (2 + 2 * `LATENCY) @(negedge clk);
        while (busy !== 1'b0)
            @(negedge clk);
        while ($fscanf(script, "%d %h %h %h %h %h", op, a, b, c, d, data) == 6) begin
            line = line + 1;
            case (op)
                1: begin
                    load_valid[a] = 1'b1;
                    load_word[a*LOAD_BITS+:LOAD_BITS] = b;
                    load_data[a*WORD_BITS+:WORD_BITS] = data;
                end
                2: begin
                    read_token[a*SLOT_BITS+:SLOT_BITS]  = b;
                    read_word[a*INDEX_BITS+:INDEX_BITS] = c;
                end
                3: begin
                    @(negedge clk);
                    load_valid = 0;
                end
                4: begin
                    mask    = {WORD_BITS{1'b1}} >> (WORD_BITS - b);
                    checked = checked + 1;
                    if ((read_data[a*WORD_BITS+:WORD_BITS] & mask) !== data) begin
                        $display("node %0d has word %0d of %0d as %h, should be %h", a,
                                 read_word[a*INDEX_BITS+:INDEX_BITS], read_token[a*SLOT_BITS+:SLOT_BITS],
                                 read_data[a*WORD_BITS+:WORD_BITS] & mask, data);
                        fail;
                    end
                end
                5: asked = a;
                6: begin
                    rst   = 1'b1;
                    start = 1'b0;
                    repeat (a) @(negedge clk);
                    rst = 1'b0;
                    repeat (2 * `LATENCY) @(negedge clk);
                end
                7: begin
                    choice = a;
                    start  = 1'b1;
                    limit  = c == 0 ? `LIMIT : c;
                    @(negedge clk);
                    load_valid = 0;
                    start      = 1'b0;
                    choice     = ~choice;
                    asked      = b;
                    if (rests) begin
                        read_token = rest_token;
                        read_word  = 0;
                    end
                    rests      = 1'b0;
                    cycles     = 1;
                    while (done !== 1'b1 && cycles <= limit) begin
                        if (d[0])
                            disturb;
                        @(negedge clk);
                        cycles = cycles + 1;
                    end
                    start      = 1'b0;
                    load_valid = 0;
                    if (done !== 1'b1 || (c != 0 && cycles != c)) begin
                        $display("done is %b after %0d cycles, should rise after %0d", done, cycles, limit);
                        fail;
                    end
                    if (!d[1]) begin
                        if (c != 0) begin
                            if (d[0]) begin
                                disturb;
                                start = 1'b0;
                            end
                            @(negedge clk);
                            load_valid = 0;
                        end
                        while (c == 0 && busy !== 1'b0) // chips with clocks of their own
                            @(negedge clk);
                        if (busy !== 1'b0 || done !== 1'b1) begin
                            $display("busy is %b, done %b behind the end", busy, done);
                            fail;
                        end
                    end
                end
                8: begin
                    choice = a;
                    start  = 1'b1;
                    @(negedge clk);
                    load_valid = 0;
                    start      = 1'b0;
                    repeat (b - 1) @(negedge clk);
                end
                9: begin
                    rest_token[a*SLOT_BITS+:SLOT_BITS] = b;
                    rests = 1'b1;
                end
                default: fail;
            endcase
        end
        if (!$feof(script) || checked != `CHECKED) begin
            $display("%0d of %0d words were looked at", checked, `CHECKED);
            fail;
        end
        $display("PASS: %0d words right", checked);
        $finish;
    end
endmodule

`default_nettype wire
