// SPDX-License-Identifier: MIT
//
// Which groups of a fabric with streams count. A group begins every few rounds of the program, whether there is
// something to do or not: it counts where every host has its block and its room (i_can) by then. One that does not is
// idle: hosts give nothing for it, and take nothing of what comes. So the program is the same round after round, and
// its beginning and its end are idle groups.
//
// o_groups has the groups on their way by age, that which begins in this cycle included. While there are some, or one
// can begin, the program goes on (o_more); where it has stopped, one that can begin starts it again (o_start).
//
// Hosts give vectors of one length: o_uneven is 1 from a group on of which one host says that its vector ends, and
// another that it does not, or elsewhere, until the reset. Who takes sees it end as the LEADER's does.
`default_nettype none

module gfab_stream_groups #(
    parameter HOSTS = 2,
    parameter AGES  = 2, // groups on their way at most, 1 or more
    parameter BITS  = 6, // of a group: {it counts, its end}
    parameter LEADER = 0, // the host that gives first
    parameter [HOSTS-1:0] GIVE = {HOSTS{1'b1}} // those that give
) (
    input  wire                 i_clk,
    input  wire                 i_rst,
    input  wire                 i_begins, // stage 1: a group begins, of whatever kind
    input  wire [HOSTS-1:0]     i_can,
    input  wire [HOSTS*(BITS-1)-1:0] i_ends, // of each host's next block
    output wire                 o_start,
    output wire                 o_more,
    output wire                 o_begins, // one that counts
    output wire [AGES*BITS-1:0] o_groups,
    output wire                 o_uneven
);
    reg                 can_q;
    reg [AGES*BITS-1:0] groups_q;

    wire [BITS-2:0]          end_of_all = i_ends[LEADER*(BITS-1)+:BITS-1];
    wire [(AGES+1)*BITS-1:0] after = {groups_q, can_q, end_of_all};
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

    // Ends stand still from where can_q is told of them until they are taken.
    reg     differ, differ_q, uneven_q;
    integer h;
    always @* begin
        differ = 1'b0;
        for (h = 0; h < HOSTS; h = h + 1)
            differ = differ | (GIVE[h] & (i_ends[h*(BITS-1)+:BITS-1] != end_of_all));
    end
    always @(posedge i_clk) begin
        differ_q <= differ;
        uneven_q <= ~i_rst & (uneven_q | (o_begins & differ_q));
    end
    assign o_uneven = uneven_q;

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
