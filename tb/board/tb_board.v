// SPDX-License-Identifier: MIT
//
// The whole board top, watched as a person would: by its LEDs and its serial line. Every
// line the UART sends is shown; LINES of them must say PASS, with CYCLES if that is not 0.
//   +expect_fail          the first line must say FAIL and name a node and a token
//   +node=.. +token=..    ... and these ones
//   +expect_cycles_fail   the first line must say FAIL cycles=
// Run with vvp -N: a failure is a message and $stop, status 1.
`default_nettype none

module tb_board;
    parameter CLOCKS_PER_BIT = 4;
    parameter PAUSE_BITS     = 9;
    parameter LINES          = 3;
    parameter CYCLES         = 0;         // R x F + c
    parameter MAX_CLOCKS     = 400000;   // for all lines
    parameter LEDS           = 8;        // of the board, 4 or more
    parameter LEDS_ACTIVE_LOW = 0;

    reg        clk = 1'b0;
    wire [7:0] led; // 1: on; those that the board does not have are off
    wire [LEDS-1:0] pads;
    wire       tx;

    always #5 clk = ~clk;

    assign led = pads ^ {LEDS{LEDS_ACTIVE_LOW != 0}};

`ifdef GFAB_PLACED
    // What icebox_vlog reads back from the placed and routed top: ports are named after pins, parameters are settled.
    board_placed u_board (
        .i_clk(clk), .o_uart_tx(tx),
        .\o_led[0] (pads[0]), .\o_led[1] (pads[1]), .\o_led[2] (pads[2]), .\o_led[3] (pads[3]),
        .\o_led[4] (pads[4]), .\o_led[5] (pads[5]), .\o_led[6] (pads[6]), .\o_led[7] (pads[7])
    );
`else
    board_top #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT), .PAUSE_BITS(PAUSE_BITS)) u_board (
        .i_clk(clk), .o_led(pads), .i_uart_rx(1'b1), .o_uart_tx(tx)
    );
`endif

    task fail(input [8*40-1:0] what);
        begin
            $display("tb_board: FAIL: %0s at %0t", what, $time);
            $stop;
            $finish;
        end
    endtask

    // What a line says.
    reg [8*13-1:0]  window; // its last characters
    reg [8*200-1:0] line;
    reg             says_pass;
    reg             says_fail;
    integer         said_cycles;
    integer         said_node;
    integer         said_token;
    integer         reading; // 0 nothing, 1 cycles, 2 node, 3 token
    integer         lines;

    task clear_line;
        begin
            window      = 0;
            line        = 0;
            says_pass   = 1'b0;
            says_fail   = 1'b0;
            said_cycles = -1;
            said_node   = -1;
            said_token  = -1;
            reading     = 0;
        end
    endtask

    function integer with_digit(input integer value, input [7:0] char);
        with_digit = ((value < 0) ? 0 : value) * 10 + (char - "0");
    endfunction

    task take_char(input [7:0] char);
        begin
            if (char < "0" || char > "9")
                reading = 0;
            case (reading)
                1: said_cycles = with_digit(said_cycles, char);
                2: said_node   = with_digit(said_node, char);
                3: said_token  = with_digit(said_token, char);
                default: ;
            endcase
            window = {window, char};
            line   = {line, char};
            if (window[47:0] == " PASS ") says_pass = 1'b1;
            if (window[47:0] == " FAIL ") says_fail = 1'b1;
            if (window[63:0] == " cycles=") reading = 1;
            if (window[47:0] == " node=") reading = 2;
            if (window[55:0] == " token=") reading = 3;
        end
    endtask

    integer want;
    task judge_line;
        begin
            $display("board: %0s", line);
            lines = lines + 1;
            if (says_pass === says_fail) fail("a line says neither PASS nor FAIL");
            if (led[2] !== says_pass) fail("LED 2 is not what the line says");
            if (led[3] !== says_fail) fail("LED 3 is not what the line says");
            if ($test$plusargs("expect_fail")) begin
                if (!says_fail) fail("the line does not say FAIL");
                if (said_node < 0 || said_token < 0) fail("no node and token are named");
                if ($value$plusargs("node=%d", want) && want != said_node) fail("another node is named");
                if ($value$plusargs("token=%d", want) && want != said_token) fail("another token is named");
            end else if ($test$plusargs("expect_cycles_fail")) begin
                if (!says_fail || said_cycles < 0) fail("the line does not say FAIL cycles=");
            end else begin
                if (!says_pass) fail("the line says FAIL");
                if (led[4] !== 1'b0) fail("LED 4 says that a test failed");
                if (CYCLES != 0 && said_cycles != CYCLES) fail("another number of cycles");
            end
            if (lines == LINES || says_fail) begin
                $display("tb_board: PASS (%0d line%0s as expected)", lines, (lines == 1) ? "" : "s");
                $finish;
            end
            clear_line;
        end
    endtask

    // The UART, sampled in the middle of each bit.
    reg [7:0] received;
    integer   bit_number;
    initial begin
        lines = 0;
        clear_line;
        repeat (4) @(posedge clk); // in reset
        forever begin
            while (tx !== 1'b0) begin
                if (tx !== 1'b1) fail("the serial line is unknown");
                @(posedge clk);
            end
            repeat (CLOCKS_PER_BIT / 2) @(posedge clk);
            if (tx !== 1'b0) fail("a start bit is too short");
            for (bit_number = 0; bit_number < 8; bit_number = bit_number + 1) begin
                repeat (CLOCKS_PER_BIT) @(posedge clk);
                received[bit_number] = tx;
            end
            repeat (CLOCKS_PER_BIT) @(posedge clk);
            if (tx !== 1'b1) fail("a stop bit is missing");
            if (^received === 1'bx) fail("a character is unknown");
            if (received == 8'd10) judge_line;
            else if (received != 8'd13) take_char(received);
        end
    end

    initial begin
        repeat (MAX_CLOCKS) @(posedge clk);
        fail("no more lines within MAX_CLOCKS");
    end
endmodule

`default_nettype wire
