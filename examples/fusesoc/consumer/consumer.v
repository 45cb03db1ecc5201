// SPDX-License-Identifier: MIT
// Each node's token is made of its number; a gossip; then every token is read at every node. Once after power-up.
`default_nettype none

module consumer (
    input  wire i_clk,
    output reg  o_done,
    output reg  o_pass
);
    reg  [7:0] step = 0; // 0 to 15 reset, 16 and 17 load, 18 starts, 19 waits, 20 to 28 read
    wire gossip_done;
    wire [3:0] read_data [0:3];
    wire [15:0] read_bus, load_bus;
    reg  [2:0] place = 0; // {token, word} that read_bus has

    function [3:0] word_of(input [1:0] token, input word);
        word_of = {token, ~token} ^ {3'b0, word};
    endfunction

    genvar v;
    generate
        for (v = 0; v < 4; v = v + 1) begin : gen_node
            assign load_bus[4*v +: 4] = word_of(v[1:0], step[0]);
            assign read_data[v] = read_bus[4*v +: 4];
        end
    endgenerate

    wire [2:0] asked = step[2:0] - 3'd4;
    wire [3:0] expected = word_of(place[2:1], place[0]);
    wire right = read_data[0] == expected && read_data[1] == expected && read_data[2] == expected &&
        read_data[3] == expected;

    initial {o_done, o_pass} = 2'b01;
    always @(posedge i_clk) begin
        place <= asked;
        if (step < 19 || (step == 19 && gossip_done) || (step >= 20 && step < 29))
            step <= step + 1'b1;
        if (step > 20 && step < 29)
            o_pass <= o_pass && right;
        o_done <= step == 29;
    end

    wire unused_busy;
    rows u_fabric (
        .i_clk(i_clk), .i_rst(step < 16), .i_start(step == 18), .o_busy(unused_busy), .o_done(gossip_done),
        .i_load_valid({4{step == 16 || step == 17}}), .i_load_word({4{step[0]}}), .i_load_data(load_bus),
        .i_read_token({4{asked[2:1]}}), .i_read_word({4{asked[0]}}), .o_read_data(read_bus)
    );
endmodule
`default_nettype wire
