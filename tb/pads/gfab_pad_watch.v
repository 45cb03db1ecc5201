// SPDX-License-Identifier: MIT
//
// Watches the wire between two ends of a link between chips, from reset on: never do both drive, nor one
// without DEAD cycles since the other; what is sampled is 0 or 1 where an end drives, and z where none does; no bit is
// x at any time.
// Prints FAIL and stops.
`default_nettype none

module gfab_pad_watch #(
    parameter LINK      = 0, // its number
    parameter LINK_BITS = 2,
    parameter DEAD      = 4
) (
    input wire                 i_clk,
    input wire                 i_rst,
    input wire [LINK_BITS-1:0] i_wire,
    input wire                 i_drive0,
    input wire                 i_drive1
);
    reg     driven = 1'b0; // since reset
    reg     last;          // the end that drove last
    integer dead;          // cycles since
    integer b;

    always @(posedge i_clk)
        if (i_rst)
            driven <= 1'b0;
        else begin
            if ((i_drive0 & i_drive1) !== 1'b0) begin
                $display("FAIL: link %0d at %0t: drive %b%b", LINK, $time, i_drive1, i_drive0);
                $stop;
            end
            if (i_drive0 | i_drive1) begin
                if ((^i_wire) === 1'bx) begin
                    $display("FAIL: link %0d at %0t: end %0d drives and %b is sampled", LINK, $time, i_drive1, i_wire);
                    $stop;
                end
                if (driven && last != i_drive1 && dead < DEAD) begin
                    $display("FAIL: link %0d at %0t: turned round after %0d dead cycles, should be %0d", LINK, $time,
                             dead, DEAD);
                    $stop;
                end
                driven <= 1'b1;
                last   <= i_drive1;
                dead   <= 0;
            end else begin
                if (i_wire !== {LINK_BITS{1'bz}}) begin
                    $display("FAIL: link %0d at %0t: nobody drives and %b is sampled", LINK, $time, i_wire);
                    $stop;
                end
                dead <= dead + 1;
            end
        end

    always @(i_wire)
        #1 if (!i_rst)
            for (b = 0; b < LINK_BITS; b = b + 1)
                if (i_wire[b] === 1'bx) begin
                    $display("FAIL: link %0d at %0t: the ends drive against each other, %b", LINK, $time, i_wire);
                    $stop;
                end
endmodule

`default_nettype wire
