// SPDX-License-Identifier: MIT
//
// What a node's ports pass on, circuit-switched: for a whole round an output lane takes its flits from
// an input lane, through one register, or from the node's own lane. And what comes in for the node itself goes to
// its lane so many cycles later that words are complete in the lane's turn to write.
//
// i_setup takes over i_path, a path word a lane: source, 0 for the node's own lane or 1 + the input lane; tap, the
// cycles, 0 .. LANES - 1, by which the lane's own input is late. A legal program passes nothing in that cycle, and no
// lane passes and sends in one round. Drives go along for test benches and assertions.
//
// PROTECT: what a lane has taken over has a check bit beside it, tested in every cycle (o_fault). Flits have none: one
// that is spoilt on its way is missing in the balance of who sends and who receives.
//
// Latency: 1 cycle from i_link to o_link, tap cycles from i_link to o_lane.
`default_nettype none
`include "gfab_assert.vh"
`include "gfab_path.vh"

module gfab_path_switch #(
    parameter LANES     = 4, // 2 or more
    parameter LINK_BITS = 2, // 1 or more
    parameter WAIT_BITS = 2, // 1 or more
    parameter PROTECT   = 0
) (
    input  wire                       i_clk,
    input  wire                       i_rst,
    input  wire                       i_setup,
    input  wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] i_path,
    // links
    input  wire [LANES*LINK_BITS-1:0] i_link,
    input  wire [LANES-1:0]           i_link_drive,
    output wire [LANES*LINK_BITS-1:0] o_link,
    output wire [LANES-1:0]           o_drive,
    // the node's lanes
    input  wire [LANES*LINK_BITS-1:0] i_lane, // 0 unless i_lane_drive
    input  wire [LANES-1:0]           i_lane_drive,
    output wire [LANES*LINK_BITS-1:0] o_lane,
    output wire                       o_fault // 0 unless PROTECT
);
    localparam PATH_BITS   = `GFAB_PATH_WIDTH(LANES, WAIT_BITS);
    localparam SOURCE_BITS = `GFAB_PATH_SOURCE_WIDTH(LANES);
    localparam TAP_BITS    = `GFAB_PATH_TAP_WIDTH(LANES);
    localparam TAP_LSB     = `GFAB_PATH_TAP_LSB(LANES);

    wire [LANES-1:0] faults;
    assign o_fault = |faults;
    `GFAB_AFTER_RESET(after_reset)
    genvar b;
    generate
        for (b = 0; b < LANES; b = b + 1) begin : gen_lane
            // Out.
            reg [SOURCE_BITS-1:0] source_q;
            reg [LINK_BITS-1:0]   pass_q;
            reg [LINK_BITS-1:0]   pass_d;
            reg                   drive_q;
            reg                   drive_d;
            integer               a;
            always @* begin
                pass_d  = {LINK_BITS{1'b0}};
                drive_d = 1'b0;
                for (a = 0; a < LANES; a = a + 1)
                    if (source_q == a[SOURCE_BITS-1:0] + 1'b1) begin
                        pass_d  = i_link[a*LINK_BITS+:LINK_BITS];
                        drive_d = i_link_drive[a];
                    end
            end
            // All of it, so that nothing of a gossip that was cut off is passed on in the next.
            always @(posedge i_clk)
                if (i_rst) begin
                    source_q <= {SOURCE_BITS{1'b0}};
                    pass_q   <= {LINK_BITS{1'b0}};
                    drive_q  <= 1'b0;
                end else begin
                    if (i_setup)
                        source_q <= i_path[b*PATH_BITS+:SOURCE_BITS];
                    pass_q  <= pass_d;
                    drive_q <= drive_d;
                end
            assign o_link[b*LINK_BITS+:LINK_BITS] = pass_q | i_lane[b*LINK_BITS+:LINK_BITS];
            assign o_drive[b]                     = drive_q | i_lane_drive[b];
            always @(posedge i_clk)
                if (after_reset && !i_rst) begin
                    `GFAB_ASSERT(!(drive_q && i_lane_drive[b]), "a lane passes and sends")
                end

            // In.
            reg  [TAP_BITS-1:0]        tap_q;
            wire [LANES*LINK_BITS-1:0] way;
            gfab_delay #(
                .BITS(LINK_BITS), .CYCLES(LANES - 1), .RESET(0)
            ) u_way (
                .i_clk(i_clk), .i_rst(1'b0), .i_data(i_link[b*LINK_BITS+:LINK_BITS]), .o_data(), .o_taps(way)
            );
            always @(posedge i_clk)
                if (PROTECT != 0 && i_rst)
                    tap_q <= {TAP_BITS{1'b0}};
                else if (i_setup)
                    tap_q <= i_path[b*PATH_BITS+TAP_LSB+:TAP_BITS];
            assign o_lane[b*LINK_BITS+:LINK_BITS] = way[tap_q*LINK_BITS+:LINK_BITS];

            if (PROTECT) begin : gen_check
                reg check_q;
                always @(posedge i_clk)
                    if (i_rst)
                        check_q <= 1'b0;
                    else if (i_setup)
                        check_q <= ^i_path[b*PATH_BITS+:TAP_LSB+TAP_BITS];
                assign faults[b] = ^{source_q, tap_q, check_q};
            end else begin : gen_no_check
                assign faults[b] = 1'b0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
