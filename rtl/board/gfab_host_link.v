// SPDX-License-Identifier: MIT
//
// Frames over a serial line: the framing of RFC 1662 (HDLC over bytes) with its 32-bit check sequence.
// docs/reference/host-protocol.md has the format. Requests come in, each is answered, one at a time.
//
// Request: o_bit_valid and o_bit are its bits in the order of time, the last 32 of them the check sequence; they count
// once o_request says that the frame is over and right. Frames that are not are dropped without a word.
//
// Reply: i_reply begins it, in any cycle after o_request. Then a bit of it is taken in each cycle in which o_next and
// i_bit_valid are 1, until i_end is 1, which it stays; the last byte is filled up with zeros. Until the reply is
// out what comes in is dropped.
`default_nettype none

module gfab_host_link #(
    parameter CLOCKS_PER_BIT = 104 // of the serial line; 5 or more, so that bytes go on before the next one's bits
) (
    input  wire i_clk,
    input  wire i_rst,
    // serial line
    input  wire i_rx,
    output wire o_tx,
    // request
    output wire o_bit_valid,
    output wire o_bit,
    output wire o_request,
    // reply
    input  wire i_reply,
    output wire o_next,
    input  wire i_bit_valid,
    input  wire i_bit,
    input  wire i_end
);
    localparam [31:0] POLYNOMIAL = 32'hedb88320; // of IEEE 802.3, the lowest bit that of x^31
    localparam [31:0] RESIDUE    = 32'hdebb20e3; // over a whole frame, check sequence and all

    localparam LISTEN = 3'd0; // a byte comes in
    localparam TAKE   = 3'd1; // it goes on, bit by bit
    localparam WORK   = 3'd2; // the request is there
    localparam FLAG   = 3'd3; // a flag goes out, before the reply and behind it
    localparam GATHER = 3'd4; // a byte of the reply comes together, bit by bit
    localparam SEND   = 3'd5; // it goes out

    reg [2:0]  state_q;
    reg [2:0]  count_q;   // bits of the byte that were taken, or gathered
    reg [7:0]  byte_q;
    reg        escaped_q; // the byte before was an escape
    reg [2:0]  check_q;   // bytes of the check sequence that were gathered, and is this one
    reg [31:0] crc_q;
    reg        over_q;    // a flag, and what came before it is right; both stand still for the stop bit

    wire listen = (state_q == LISTEN);
    wire take   = (state_q == TAKE);
    wire work   = (state_q == WORK);
    wire gather = (state_q == GATHER);
    wire send   = (state_q == SEND);
    wire flag   = (state_q == FLAG);

    wire rx_bit_valid, rx_bit, rx_end, rx_bad, tx_ready;
    wire special = (byte_q[7:2] == 6'h1f) & (byte_q[1] ^ byte_q[0]);
    wire is_flag = special & byte_q[1];
    wire checks  = (check_q != 3'd0);
    wire begin_check = i_end & ~checks & (count_q == 3'd0); // of the bits to come
    wire check   = checks | begin_check;
    wire gathered = gather & (i_end | i_bit_valid);
    wire last    = (count_q == 3'd7);
    wire whole   = (check_q == 3'd4); // the last byte of the check sequence
    wire escape  = special & ~escaped_q;

    always @(posedge i_clk)
        if (i_rst)
            state_q <= LISTEN;
        else
            case (state_q)
                LISTEN:  if (rx_end) state_q <= o_request ? WORK : special ? LISTEN : TAKE;
                TAKE:    if (last) state_q <= LISTEN;
                WORK:    if (i_reply) state_q <= FLAG;
                FLAG:    if (tx_ready) state_q <= whole ? LISTEN : GATHER;
                GATHER:  if (gathered & last) state_q <= SEND;
                default: if (tx_ready & ~escape) state_q <= whole ? FLAG : GATHER;
            endcase

    // What goes into the check sequence, and into the byte.
    wire taken   = byte_q[0] ^ (escaped_q & (count_q == 3'd5));
    wire body    = i_bit & ~i_end;
    wire fed     = take ? taken : check ? crc_q[0] : body;
    wire reset   = i_rst | (listen & (rx_bad | (rx_end & is_flag)));
    wire invert  = fed ^ crc_q[0];

    always @(posedge i_clk)
        if (reset)
            crc_q <= {32{1'b1}};
        else if (take | gathered)
            crc_q <= {1'b0, crc_q[31:1]} ^ (POLYNOMIAL & {32{invert}});

    always @(posedge i_clk) begin
        over_q <= is_flag & (crc_q == RESIDUE);
        if ((listen & rx_bit_valid) | take | gathered)
            byte_q <= {listen ? rx_bit : check ? ~crc_q[0] : body, byte_q[7:1]};
        if (listen | work)
            count_q <= 3'd0;
        else if (take | gathered)
            count_q <= count_q + 1'b1;
        if (listen)
            check_q <= 3'd0;
        else if (gather & (begin_check | (checks & gathered & (count_q == 3'd0))))
            check_q <= check_q + 1'b1;
        if (reset | (take & last) | (send & tx_ready))
            escaped_q <= send & escape;
        else if (listen & rx_end & special)
            escaped_q <= 1'b1;
    end

    gfab_uart_rx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_rx (
        .i_clk(i_clk), .i_rst(i_rst), .i_rx(i_rx), .o_bit_valid(rx_bit_valid), .o_bit(rx_bit), .o_end(rx_end),
        .o_bad(rx_bad)
    );

    gfab_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_tx (
        .i_clk(i_clk), .i_rst(i_rst), .i_valid(flag | send), .o_ready(tx_ready),
        .i_data(flag ? 8'h7e : escape ? 8'h7d : byte_q ^ {2'b00, escaped_q, 5'd0}), .o_tx(o_tx)
    );

    assign o_bit_valid = take;
    assign o_bit       = taken;
    assign o_request   = listen & rx_end & over_q;
    assign o_next      = gather & ~i_end;
endmodule

`default_nettype wire
