// SPDX-License-Identifier: MIT
//
// Between the nodes of a chip and the pads to another: a check bit goes along with what leaves, and that of what comes
// is tested. It is the parity of all wires, turned over by a tag that changes with time and that both chips know: so
// what stands still, comes late or comes twice is noticed, too.
//
// What leaves and what comes is entered in the balance of the chip's nodes as another node would enter it: on a chip,
// as on a whole fabric, the balances then come out even (docs/reference/protection.md). Wide nodes enter nothing, as
// each flit has its own check bit with it, and gfab_fabric does not look at this balance there.
`default_nettype none

module gfab_pad_check #(
    parameter WIRES = 2 // 1 or more
) (
    input  wire             i_clk,
    input  wire             i_busy,     // as the nodes have it: balances count
    // from and to the nodes; 0 while nothing is sent
    input  wire [WIRES-1:0] i_link,
    output wire [WIRES-1:0] o_link,
    // to and from the pads: {check bit, what the nodes have}
    output wire [WIRES:0]   o_far,
    input  wire [WIRES:0]   i_far,
    input  wire             i_tag,      // of what leaves now
    input  wire             i_come_tag, // of what comes now
    input  wire             i_watch,    // what comes now is tested
    output wire             o_fault,
    output wire             o_balance
);
    wire leaves = ^i_link;
    wire came   = ^i_far[WIRES-1:0];

    reg balance_q;
    always @(posedge i_clk)
        balance_q <= i_busy ? balance_q ^ leaves ^ came : 1'b0;

    assign o_far     = {leaves ^ i_tag, i_link};
    assign o_link    = i_far[WIRES-1:0];
    assign o_fault   = i_watch & (came ^ i_far[WIRES] ^ i_come_tag);
    assign o_balance = balance_q;
endmodule

`default_nettype wire
