// SPDX-License-Identifier: MIT
//
// The paths of one node: a ROM with a word for each round and lane, addressed as gfab_program's,
// of which the words of all lanes are read at once. PROTECT: a word has a check bit below it, so that it has an odd
// number of ones; o_fault says that one of those in o_path has not.
//
// Latency: o_path belongs to the i_round of the cycle before.
`default_nettype none
`include "gfab_path.vh"
`include "gfab_rom.vh"

module gfab_path_rom #(
    parameter LANES      = 4, // 2 or more
    parameter WAIT_BITS  = 2, // 1 or more
    parameter ROUND_BITS = 4, // the ROM holds 2^ROUND_BITS rounds
    parameter FILE       = "", // $readmemh text, found in the working directory
    parameter PROTECT    = 0,
    parameter IMAGE_BITS = 0, // of IMAGE, which gfab_rom.vh explains; 0: the words are in FILE
    parameter [(IMAGE_BITS>0?IMAGE_BITS:1)-1:0] IMAGE = 0
) (
    input  wire                                               i_clk,
    input  wire [ROUND_BITS-1:0]                              i_round,
    output wire [LANES*`GFAB_PATH_WIDTH(LANES, WAIT_BITS)-1:0] o_path,
    output wire                                               o_fault // 0 unless PROTECT
);
    localparam PATH_BITS = `GFAB_PATH_WIDTH(LANES, WAIT_BITS);
    localparam ROM_BITS  = PATH_BITS + (PROTECT ? 1 : 0);
    localparam LANE_BITS = `GFAB_BITS(LANES);

    `GFAB_LOGIC_ROM
    reg [ROM_BITS-1:0] rom [0:(1 << ROUND_BITS + LANE_BITS)-1];
    `GFAB_ROM_WORDS(rom, ROM_BITS, 1 << ROUND_BITS + LANE_BITS)

    wire [LANES-1:0] even;
    assign o_fault = (PROTECT != 0) & (|even);
    genvar c;
    generate
        for (c = 0; c < LANES; c = c + 1) begin : gen_lane
            localparam [LANE_BITS-1:0] LANE = c;
            reg [ROM_BITS-1:0] path_q;
            always @(posedge i_clk)
                path_q <= rom[{i_round, LANE}];
            assign o_path[c*PATH_BITS+:PATH_BITS] = path_q[ROM_BITS-1-:PATH_BITS];
            assign even[c] = ~^path_q;
        end
    endgenerate
endmodule

`default_nettype wire
