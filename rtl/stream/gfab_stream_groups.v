// SPDX-License-Identifier: MIT
//
// Which groups of a fabric with streams count. A group begins every few rounds of the program, whether there is
// something to do or not: it counts where every host has its block and its room (i_can) by then. One that does not is
// idle: hosts give nothing for it, and take nothing of what comes. So the program is the same round after round, and
// its beginning and its end are idle groups.
//
// o_groups has the groups on their way by age, that which begins in this cycle included. While there are some, or one
// can begin, the program goes on (o_more); where it has stopped, one that can begin starts it again (o_start).
`default_nettype none

module gfab_stream_groups #(
    parameter HOSTS = 2,
    parameter AGES  = 2, // groups on their way at most, 1 or more
    parameter BITS  = 6  // of a group: {it counts, its end}
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire                 i_begins, // stage 1: a group begins, of whatever kind
    input  wire [HOSTS-1:0]     i_can,
    input  wire [BITS-2:0]      i_end,    // of the next vectors' blocks, as the host says that gives first
    output wire                 o_start,
    output wire                 o_more,
    output wire                 o_begins, // one that counts
    output wire [AGES*BITS-1:0] o_groups
);
    reg                 can_q;
    reg [AGES*BITS-1:0] groups_q;

    wire [(AGES+1)*BITS-1:0] after = {groups_q, can_q, i_end};
    assign o_begins = i_begins & can_q;
    assign o_groups = i_begins ? after[AGES*BITS-1:0] : groups_q;
    assign o_start  = can_q;

    integer g;
    always @(posedge i_clk) begin
        can_q    <= (&i_can) & ~o_begins; // in the cycle behind o_begins ports have not yet counted it
        groups_q <= o_groups;
        if (i_rst) begin
            can_q <= 1'b0;
            for (g = 0; g < AGES; g = g + 1)
                groups_q[g*BITS+BITS-1] <= 1'b0;
        end
    end

    // Those that have something to do in the next rounds.
    wire [AGES-1:0] counts;
    genvar a;
    generate
        for (a = 0; a < AGES; a = a + 1) begin : gen_age
            assign counts[a] = groups_q[a*BITS+BITS-1] & (a != AGES - 1);
        end
    endgenerate
    assign o_more = can_q | (|counts);
endmodule

`default_nettype wire
