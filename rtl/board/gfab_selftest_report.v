// SPDX-License-Identifier: MIT
//
// What a board's self-test says, one line over the UART, and how it counts to that. Numbers are decimal:
//   <NAME> PASS cycles=00181
//   <NAME> FAIL node=03 token=07     the first wrong word: of the token that started at node 7, in node 3
//   <NAME> FAIL cycles=00197         all tokens right, but not in EXPECTED_CYCLES; or 99999: not done by then
// With NAMES_BLOCKS "block=" stands where "token=" is.
//
// One decimal counter counts the cycles of a gossip; in a report it counts up to a node's or an item's number, so that
// nothing divides. The timer of the pause runs from the last number of a line on.
`default_nettype none
`include "gfab_bits.vh"

module gfab_selftest_report #(
    parameter NODES           = 16, // 2 .. 10000
    parameter ITEMS           = NODES, // tokens, or blocks
    parameter NAMES_BLOCKS    = 0,
    parameter PROGRAMS        = 1,
    parameter [32*PROGRAMS-1:0] EXPECTED_CYCLES = 0, // of each, up to 99998; 0: any number will do
    parameter CLOCKS_PER_BIT  = 104, // of the UART
    parameter PAUSE_BITS      = 23,  // log2 of the pause in cycles
    parameter NAME_CHARS      = 9,
    parameter [8*NAME_CHARS-1:0] NAME = "gossipfab"
) (
    input  wire                            i_clk,
    input  wire                            i_rst,
    // where the test is
    input  wire                            i_start,  // the cycle of the fabric's start
    input  wire                            i_run,
    input  wire                            i_done,   // of the fabric
    input  wire                            i_report, // from here on what follows stays as it is
    input  wire                            i_pause,
    input  wire [`GFAB_BITS(PROGRAMS)-1:0] i_program,
    input  wire                            i_fail,
    input  wire                            i_found,  // a wrong word, of
    input  wire [`GFAB_BITS(NODES)-1:0]    i_node,
    input  wire [`GFAB_BITS(ITEMS)-1:0]    i_item,
    // what the test goes by
    output wire                            o_late,   // the count is not the expected one
    output wire                            o_stuck,  // the gossip is not done by 99999
    output wire                            o_end,    // of the text
    output wire                            o_again,  // the pause is over
    output wire                            o_uart_tx
);
    localparam NODE_BITS = `GFAB_BITS(NODES);
    localparam ITEM_BITS = `GFAB_BITS(ITEMS);

    // A decimal counter: the cycles of the gossip; in a report, a node's number.
    localparam DIGITS = 5;
    wire [4*DIGITS*PROGRAMS-1:0] expected_cycles;
    wire [4*DIGITS-1:0]          due_cycles = expected_cycles[i_program*4*DIGITS+:4*DIGITS];
    reg  [4*DIGITS-1:0] decimal_q;
    wire [DIGITS-1:0]   nine;
    wire                decimal_count;
    wire                decimal_clear;
    reg                 late_q; // of a count that stands still
    reg                 near_q; // it is 99997
    always @(posedge i_clk) begin
        late_q <= (EXPECTED_CYCLES != 0) & (decimal_q != due_cycles);
        near_q <= i_run & (&nine[DIGITS-1:1]) & (decimal_q[3:0] == 4'd6);
    end
    genvar d, p;
    generate
        for (p = 0; p < PROGRAMS; p = p + 1) begin : gen_expected
            localparam [31:0] CYCLES = EXPECTED_CYCLES[32*p+:32];
            localparam [31:0] DECIMAL =
                (CYCLES / 10000 % 10) * 65536 + (CYCLES / 1000 % 10) * 4096 + (CYCLES / 100 % 10) * 256 +
                (CYCLES / 10 % 10) * 16 + CYCLES % 10;
            assign expected_cycles[4*DIGITS*p+:4*DIGITS] = DECIMAL[4*DIGITS-1:0];
        end
        for (d = 0; d < DIGITS; d = d + 1) begin : gen_digit
            wire lower_nines = &(nine | ({DIGITS{1'b1}} << d));
            assign nine[d] = decimal_q[4*d+3] & decimal_q[4*d]; // of 0 to 9
            always @(posedge i_clk)
                if (decimal_clear)
                    decimal_q[4*d+:4] <= 4'd0;
                else if (decimal_count & lower_nines) // no count goes on behind 99999
                    decimal_q[4*d+:4] <= (nine[d] && d < DIGITS - 1) ? 4'd0 : decimal_q[4*d+:4] + 1'b1;
        end
    endgenerate
    assign o_late = late_q;
    // At 99997: the counter, which is a cycle behind, is left at 99999.
    assign o_stuck = i_run & near_q & ~i_done;

    // The text: 7-bit characters; 0 .. 4 stand for a decimal digit's place, 16 for the
    // end, 17 and 18 for counting decimal_q up to i_node and i_item.
    localparam MOST         = (ITEMS > NODES) ? ITEMS : NODES;
    localparam NODE_DIGITS  = (MOST > 10000) ? 5 : (MOST > 1000) ? 4 : (MOST > 100) ? 3 : 2;
    localparam MOST_BITS    = `GFAB_BITS(MOST);
    localparam CYCLES_CHARS = NAME_CHARS + 13 + DIGITS + 3;
    localparam FOUND_CHARS  = NAME_CHARS + 11 + 1 + NODE_DIGITS + 7 + 1 + NODE_DIGITS + 3;
    localparam CHARS_BITS   = $clog2(FOUND_CHARS + 1); // FOUND_CHARS is the larger
    localparam CHARS        = 1 << CHARS_BITS;
    localparam [8*DIGITS-1:0]      PLACES      = {8'd4, 8'd3, 8'd2, 8'd1, 8'd0};
    localparam [8*NODE_DIGITS-1:0] NODE_PLACES = PLACES[8*NODE_DIGITS-1:0];
    localparam [23:0]              LINE_END    = {8'd13, 8'd10, 8'd16};
    localparam [8*CHARS-1:0] TEXT_PASS =
        {NAME, " PASS cycles=", PLACES, LINE_END, {8*(CHARS-CYCLES_CHARS){1'b0}}};
    localparam [8*CHARS-1:0] TEXT_CYCLES =
        {NAME, " FAIL cycles=", PLACES, LINE_END, {8*(CHARS-CYCLES_CHARS){1'b0}}};
    localparam [8*CHARS-1:0] TEXT_FOUND =
        {NAME, " FAIL node=", 8'd17, NODE_PLACES, (NAMES_BLOCKS != 0 ? " block=" : " token="), 8'd18, NODE_PLACES,
         LINE_END, {8*(CHARS-FOUND_CHARS){1'b0}}};
    localparam [32*CHARS-1:0] TEXTS = {TEXT_FOUND, TEXT_CYCLES, TEXT_FOUND, TEXT_PASS};

    reg  [CHARS_BITS-1:0] position_q;
    reg                   counting_q; // decimal_q is on its way to the number
    reg  [PAUSE_BITS:0]   timer_q;
    reg  [6:0]            char_q;     // at position_q, one cycle later
    reg                   settled_q;  // char_q is that
    reg                   fresh_q;    // and control_q says what it is
    reg                   control_q;
    wire                  literal = (char_q[6:5] != 2'd0) | char_q[3];
    wire                  number  = char_q[0] | char_q[1];
    wire [3:0]            digit   = decimal_q[4*char_q[2:0]+:4];
    wire [MOST_BITS+NODE_BITS-1:0] node_named = {{MOST_BITS{1'b0}}, i_node};
    wire [MOST_BITS+ITEM_BITS-1:0] item_named = {{MOST_BITS{1'b0}}, i_item};
    reg                   clear_q; // the first cycle of counting, in which decimal_q becomes 0
    reg                   count_q;
    reg  [MOST_BITS:0]    left_q;  // of that number; below 0 when it is reached
    wire                  counted = left_q[MOST_BITS];
    wire                  uart_ready;
    wire                  advance = control_q ? counting_q & counted : fresh_q & uart_ready;

    assign o_end         = control_q & ~number;
    assign decimal_clear = i_start | clear_q;
    assign decimal_count = count_q;
    assign o_again       = i_pause & timer_q[PAUSE_BITS];

    always @(posedge i_clk)
        if (i_rst | ~i_report) begin
            position_q <= {CHARS_BITS{1'b0}};
            counting_q <= 1'b0;
            settled_q  <= 1'b0;
            fresh_q    <= 1'b0;
            control_q  <= 1'b0;
        end else begin
            if (advance)
                position_q <= position_q + 1'b1;
            counting_q <= control_q & number & ~(counting_q & counted);
            settled_q  <= ~advance;
            fresh_q    <= settled_q & ~advance;
            control_q  <= settled_q & ~advance & ~literal & char_q[4];
        end

    always @(posedge i_clk)
        char_q <= TEXTS[{i_fail, i_found, ~position_q, 3'b000}+:7];

    always @(posedge i_clk)
        if (control_q & ~counting_q) begin
            timer_q <= {(PAUSE_BITS+1){1'b0}};
            left_q  <= {1'b0, char_q[0] ? node_named[MOST_BITS-1:0] : item_named[MOST_BITS-1:0]};
        end else begin
            timer_q <= timer_q + 1'b1;
            left_q  <= left_q - 1'b1;
        end
    always @(posedge i_clk) begin
        clear_q <= ~i_rst & control_q & ~counting_q;
        count_q <= ~i_rst & (i_run | (counting_q & ~counted & ~clear_q));
    end

    gfab_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_uart_tx (
        .i_clk(i_clk), .i_rst(i_rst),
        .i_valid(fresh_q & ~control_q), .o_ready(uart_ready),
        .i_data(literal ? {1'b0, char_q} : {4'h3, digit}),
        .o_tx(o_uart_tx)
    );
endmodule

`default_nettype wire
