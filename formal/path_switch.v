// SPDX-License-Identifier: MIT
//
// gfab_path_switch, for all paths that gfab_image_check lets through: no two lanes pass on the same input, none passes
// and sends, and nothing is passed on in a cycle of setting up. Links, lanes, setting up and resets are free otherwise.
`default_nettype none
`include "gfab_path.vh"

module formal_path_switch #(
    parameter LANES     = 3,
    parameter LINK_BITS = 1,
    parameter WAIT_BITS = 1
) (
    input wire                       i_clk,
    input wire                       i_rst,
    input wire                       i_setup,
    input wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] i_path,
    input wire [LANES*LINK_BITS-1:0] i_link,
    input wire [LANES-1:0]           i_link_drive,
    input wire [LANES*LINK_BITS-1:0] i_lane,
    input wire [LANES-1:0]           i_lane_drive
);
    localparam PATH = `GFAB_PATH_WIDTH(LANES, WAIT_BITS);
    localparam SB   = `GFAB_PATH_SOURCE_WIDTH(LANES);
    localparam TB   = `GFAB_PATH_TAP_WIDTH(LANES);

    wire [LANES*LINK_BITS-1:0] link, lane;
    wire [LANES-1:0]           drive;
    gfab_path_switch #(
        .LANES(LANES), .LINK_BITS(LINK_BITS), .WAIT_BITS(WAIT_BITS)
    ) u_path_switch (
        .i_clk(i_clk), .i_rst(i_rst), .i_setup(i_setup), .i_path(i_path),
        .i_link(i_link), .i_link_drive(i_link_drive), .o_link(link), .o_drive(drive),
        .i_lane(i_lane), .i_lane_drive(i_lane_drive), .o_lane(lane)
    );

    // What is set, and what went in a cycle ago to be passed on, by input.
    reg                       due, set; // a reset has been seen; a setup since
    reg [LANES*SB-1:0]        source;
    reg [LANES*TB-1:0]        tap;
    reg [LANES*LANES*LINK_BITS-1:0] past; // of LANES cycles, the latest lowest
    reg [2:0]                 clocked; // the ways in have no reset
    reg [LANES-1:0]           passing, passing_q; // by input
    reg [LANES-1:0]           through, through_q; // by output
    integer a, b, n_in, n_out;
    always @* begin
        passing = 0;
        through = 0;
        for (b = 0; b < LANES; b = b + 1)
            for (a = 0; a < LANES; a = a + 1)
                if (source[b*SB+:SB] == a + 1) begin
                    passing[a] = i_link_drive[a];
                    through[b] = i_link_drive[a];
                end
    end
    initial {due, set, clocked} = 0;
    always @(posedge i_clk) begin
        due       <= due | i_rst;
        clocked   <= clocked == LANES ? clocked : clocked + 1'b1;
        set       <= ~i_rst & (set | i_setup);
        past      <= {past, i_link};
        passing_q <= i_rst ? 0 : passing;
        through_q <= i_rst ? 0 : through;
        if (i_rst)
            source <= 0;
        else if (i_setup)
            for (b = 0; b < LANES; b = b + 1) begin
                source[b*SB+:SB] <= i_path[b*PATH+:SB];
                tap[b*TB+:TB]    <= i_path[b*PATH+`GFAB_PATH_TAP_LSB(LANES)+:TB];
            end
        assume (due | i_rst);
        for (b = 0; b < LANES; b = b + 1) begin
            assume (i_path[b*PATH+:SB] <= LANES && i_path[b*PATH+:SB] != b + 1);
            assume (i_path[b*PATH+`GFAB_PATH_TAP_LSB(LANES)+:TB] < LANES);
            for (a = 0; a < b; a = a + 1)
                assume (i_path[a*PATH+:SB] == 0 || i_path[a*PATH+:SB] != i_path[b*PATH+:SB]);
            assume (i_lane_drive[b] || i_lane[b*LINK_BITS+:LINK_BITS] == 0);
            assume (i_link_drive[b] || i_link[b*LINK_BITS+:LINK_BITS] == 0);
            assume (!due || !(i_lane_drive[b] && through_q[b]));
        end
        if (i_setup)
            assume (passing == 0);

        if (due) begin
            n_in = 0;
            n_out = 0;
            for (b = 0; b < LANES; b = b + 1) begin
                // What goes out is what came in a cycle ago, or the lane's own; nothing else.
                assert (drive[b] == (through_q[b] | i_lane_drive[b]));
                assert (drive[b] || link[b*LINK_BITS+:LINK_BITS] == 0);
                if (i_lane_drive[b])
                    assert (link[b*LINK_BITS+:LINK_BITS] == i_lane[b*LINK_BITS+:LINK_BITS]);
                for (a = 0; a < LANES; a = a + 1)
                    if (through_q[b] && source[b*SB+:SB] == a + 1)
                        assert (link[b*LINK_BITS+:LINK_BITS] == past[a*LINK_BITS+:LINK_BITS]);
                // Late by the tap.
                if (set && clocked == LANES)
                    assert (lane[b*LINK_BITS+:LINK_BITS] == (tap[b*TB+:TB] == 0 ? i_link[b*LINK_BITS+:LINK_BITS] :
                            past[((tap[b*TB+:TB]-1)*LANES+b)*LINK_BITS+:LINK_BITS]));
                n_in  = n_in + passing_q[b] + i_lane_drive[b];
                n_out = n_out + drive[b];
            end
            // No flit is lost or doubled.
            assert (n_in == n_out);
        end
        cover (due && through_q == {LANES{1'b1}} && &link);
        cover (due && through_q[0] && i_lane_drive[1] && tap[TB-1]);
        cover (due && i_setup && set && source != 0);
    end
endmodule

`default_nettype wire
