// SPDX-License-Identifier: MIT
//
// The wires of a cable from one chip to another, as bad as docs/reference/own-clocks.md allows: each takes at most a
// cycle, and the fastest and the slowest are a quarter of a cycle apart. i_draw changes: other lengths. While i_cut is
// 1 nothing comes through. A wire that changes is x from when the fastest would until the slowest would; Verilator,
// which has no x, changes it anywhere between.
`default_nettype none

module gfab_cable_wires #(
    parameter WIRES  = 2,
    parameter PERIOD = 1000000
) (
    input  wire             i_draw,
    input  wire             i_cut,
    input  wire             i_clock,
    input  wire             i_valid,
    input  wire [WIRES-1:0] i_flits,
    output reg              o_clock,
    output reg              o_valid,
    output reg  [WIRES-1:0] o_flits
);
    localparam SKEW = PERIOD / 4;

    integer shortest = 0, clock = 0; // times of flight

    function integer any(input integer most); // 0 .. most, its ends more often than others
        case ($random & 3)
            0:       any = 0;
            1:       any = most;
            default: any = {$random} % (most + 1);
        endcase
    endfunction

    initial begin
        o_clock = 1'b0;
        o_valid = 1'b0;
        o_flits = {WIRES{1'b0}};
    end

    always @(i_draw) begin
        shortest = any(PERIOD - SKEW);
        clock    = shortest + any(SKEW);
    end

    always @(i_clock or i_cut)
        if (!i_cut)
            o_clock <= #(clock) i_clock;
`ifdef VERILATOR
    always @(i_valid or i_cut)
        if (!i_cut)
            o_valid <= #(shortest + {$random} % SKEW) i_valid;
    always @(i_flits or i_cut)
        if (!i_cut)
            o_flits <= #(shortest + {$random} % SKEW) i_flits;
`else
    always @(i_valid or i_cut)
        if (!i_cut) begin
            o_valid <= #(shortest) 1'bx;
            o_valid <= #(shortest + SKEW) i_valid;
        end
    always @(i_flits or i_cut)
        if (!i_cut) begin
            o_flits <= #(shortest) {WIRES{1'bx}};
            o_flits <= #(shortest + SKEW) i_flits;
        end
`endif
endmodule

`default_nettype wire
