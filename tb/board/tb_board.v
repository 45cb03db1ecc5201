// SPDX-License-Identifier: MIT
//
// The whole board top, watched as a person would: by its LEDs and its serial line. Every
// line the UART sends is shown; LINES of them must say PASS, with CYCLES if that is not 0, and the same; of blocks
// with the cycles of the program. Then, in a top of tokens that is not read back from a bitstream, all that it does is
// compared with board_model.v in every clock, and what the fabric says is spoilt: words of nodes, and the time that it
// takes; the lines must say so, and the last must say PASS.
//   +expect_fail          the first line must say FAIL and name a node and a token
//   +node=.. +token=..    ... and these ones
//   +expect_cycles_fail   the first line must say FAIL cycles=
// Run with vvp -N: a failure is a message and $stop, status 1.
`default_nettype none
`ifndef GFAB_PLACED
`include "gossip_fabric_parameters.vh"
`ifndef GF_HELD
`define GFAB_MODELLED // board_model.v knows of tokens
`endif
`endif

module tb_board;
    parameter CLOCKS_PER_BIT = 4;
`ifdef GF_HELD
    // Each program, with each operator, once with each member's words and once more.
    localparam CHOICES    = (`GF_OPERATOR == 9) ? 8 : 1; // GFAB_OPERATOR_ALL
    localparam [32*`GF_PROGRAMS-1:0] CYCLES_OF = `GF_CYCLES_OF;
    parameter LINES          = `GF_PROGRAMS * CHOICES * (`GF_NODES + 1);
`else
    parameter LINES          = 3;
`endif
`ifdef GFAB_PLACED
    parameter CYCLES         = 0;         // R x F + c
    parameter MAX_CLOCKS     = 400000;   // for all lines
`elsif GF_HELD
    parameter MAX_CLOCKS     = LINES * (20000 + 16 * `GF_WORDS * `GF_BLOCKS * `GF_NODES + `GF_CYCLES);
    parameter PAUSE_BITS     = (`GF_BLOCKS > 64) ? 17 : 6;
    parameter RESET_CYCLES   = 72;
`else
    parameter CYCLES         = `GF_CYCLES;
    parameter MAX_CLOCKS     = 400000 + 16 * (8 * `GF_WORDS * `GF_PARTS * `GF_NODES * `GF_NODES + `GF_CYCLES);
    parameter PAUSE_BITS     = (`GF_NODES > 64) ? 14 : 6; // longer than a character
    parameter RESET_CYCLES   = 72;
`endif
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
            if (window[55:0] == " token=" || window[55:0] == " block=") reading = 3;
        end
    endtask

`ifdef GFAB_MODELLED
    // After LINES lines tests are spoilt: a word of the first node, then, after a test that is sound, one of the last
    // node, then the time that a gossip takes. In a small fabric these are the times that differ from the right one in
    // one bit of a decimal digit, and one without an end; in others one time.
    localparam NODES  = `GF_NODES;
    localparam PARTS  = `GF_PARTS;
    localparam WORDS  = `GF_WORDS;
    localparam BITS   = `GF_WORD_BITS;
    localparam LAST_BITS = `GF_PART_BITS - (WORDS - 1) * BITS; // every word has them at least
    localparam SMALL  = 4 * NODES * (NODES + 1) * PARTS * WORDS <= 256; // clocks of loads and checks
    localparam LATE   = 1229; // cycles: digits of all four places are seen
    localparam NEVER  = 100000;
    localparam TIME_BITS = SMALL ? 16 : 0;
    localparam NOTHING = 0, WORD = 1, TIME = 2;
    integer node, token, part, word, draw, spoilt, late_by, time_bit;
    reg                  told;
    reg [NODES*BITS-1:0] seen;
    reg [BITS-1:0]       mask;
`endif

    integer want;
    reg     finish, beat;
    reg     failed = 1'b0;
    reg [8*200-1:0] first_line;
    task judge_line;
        begin
            $display("board: %0s", line);
            lines = lines + 1;
            if (says_pass === says_fail) fail("a line says neither PASS nor FAIL");
            if (led[2] !== says_pass) fail("LED 2 is not what the line says");
            if (led[3] !== says_fail) fail("LED 3 is not what the line says");
            failed = failed || says_fail;
            if (LEDS > 4 && led[4] !== failed) fail("LED 4 is not whether some test failed");
            if (led[0] === beat || led[0] === 1'bx) fail("LED 0 does not change with every test");
            if ($test$plusargs("expect_fail")) begin
                if (!says_fail) fail("the line does not say FAIL");
                if (said_node < 0 || said_token < 0) fail("no node and token are named");
                if ($value$plusargs("node=%d", want) && want != said_node) fail("another node is named");
                if ($value$plusargs("token=%d", want) && want != said_token) fail("another token is named");
            end else if ($test$plusargs("expect_cycles_fail")) begin
                if (!says_fail || said_cycles < 0) fail("the line does not say FAIL cycles=");
`ifdef GFAB_MODELLED
            end else if (spoilt != NOTHING) begin
                if (says_fail !== (spoilt == WORD || told || late_by == NEVER)) fail("what is wrong is not told");
                if (spoilt == WORD && (said_node != node || said_token != token)) fail("another node or token");
                if (spoilt == TIME && said_cycles != ((late_by == NEVER) ? NEVER - 1 : CYCLES + late_by))
                    fail("another number of cycles that are too many");
`endif
            end else begin
                if (!says_pass) fail("the line says FAIL");
`ifdef GF_HELD
                if (`GF_EXPECTED_CYCLES != 0 && said_cycles != CYCLES_OF[(lines-1)%`GF_PROGRAMS*32+:32])
                    fail("another number of cycles");
`else
                if (lines == 1) first_line = line;
                if (line !== first_line) fail("a line is not as the first one");
                if (CYCLES != 0 && said_cycles != CYCLES) fail("another number of cycles");
`endif
            end
            beat   = led[0];
            finish = lines == LINES || says_fail;
`ifdef GFAB_MODELLED
            if (!$test$plusargs("expect_fail") && !$test$plusargs("expect_cycles_fail"))
                spoil;
`endif
            if (finish) begin
                $display("tb_board: PASS (%0d line%0s as expected)", lines, (lines == 1) ? "" : "s");
                $finish;
            end
            clear_line;
        end
    endtask

`ifdef GFAB_MODELLED
    initial begin
        {spoilt, node, token, late_by} = 128'd0;
        told     = `GF_EXPECTED_CYCLES != 0;
        draw     = 1;
        time_bit = 0;
    end

    // Cycles by which a digit is more with this bit; 0 where that is no digit, or less.
    function integer more_with(input integer number);
        integer place, digit;
        begin
            place     = 10 ** (number / 4);
            digit     = CYCLES / place % 10;
            more_with = ((digit ^ (1 << number % 4)) - digit) * place;
            if (more_with < 0 || digit + (1 << number % 4) > 9)
                more_with = 0;
        end
    endfunction

    task spoil;
        begin
            finish = late_by == NEVER && spoilt == NOTHING;
            if (lines == LINES || lines == LINES + 2) begin
                spoilt = WORD;
                node   = (lines == LINES) ? 0 : NODES - 1;
                token  = (node + 1 + $unsigned($random(draw)) % NODES) % NODES;
                part   = token * PARTS + $unsigned($random(draw)) % PARTS;
                word   = $unsigned($random(draw)) % WORDS;
                mask   = 1 << $unsigned($random(draw)) % LAST_BITS;
            end else if (lines < LINES + 4 || late_by == NEVER)
                spoilt = NOTHING;
            else begin
                spoilt  = TIME;
                late_by = (lines == LINES + 4) ? LATE : 0;
                while (late_by == 0 && time_bit < TIME_BITS) begin
                    late_by  = more_with(time_bit);
                    time_bit = time_bit + 1;
                end
                if (late_by == 0) begin
                    late_by = NEVER;
                    spoilt  = SMALL ? TIME : NOTHING;
                end
            end
        end
    endtask

    board_model #(
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .PAUSE_BITS(PAUSE_BITS), .RESET_CYCLES(RESET_CYCLES), .LEDS(LEDS)
    ) u_model (
        .clk(clk), .led(led), .tx(tx), .rst(u_board.rst), .fabric_rst(u_board.fabric_rst), .start(u_board.start),
        .done(u_board.done), .late(spoilt == TIME), .load_valid(u_board.load_valid), .load_word(u_board.load_word),
        .load_data(u_board.load_data), .read_token(u_board.read_token), .read_word(u_board.read_word),
        .read_data(u_board.read_data)
    );
    // Of a word's four clocks the second is that in which it is there. In the others, and in other nodes, anything is
    // read once those LINES are over.
    integer v;
    wire checking = lines >= LINES && u_model.state == u_model.CHECK;
    wire here     = spoilt == WORD && u_model.node == node && u_board.read_token == part && u_board.read_word == word;
    always @(negedge clk)
        if (!checking || u_model.at % 4 == 0)
            release u_board.read_data;
        else begin
            for (v = 0; v < NODES; v = v + 1)
                if (v != u_model.node || u_model.at % 4 != 1)
                    seen[v*BITS+:BITS] = $random(draw);
                else
                    seen[v*BITS+:BITS] = u_board.read_data[v*BITS+:BITS] ^ (here ? mask : {BITS{1'b0}});
            force u_board.read_data = seen;
        end
    always @(negedge clk)
        if (spoilt == TIME && (u_model.state == u_model.RUN && u_model.cycles < CYCLES + late_by - 1))
            force u_board.done = 1'b0;
        else
            release u_board.done;
`endif

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
