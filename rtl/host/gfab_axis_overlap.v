// SPDX-License-Identifier: MIT
//
// AXI4-Stream at one node's host side that gives the tokens of the last gossip while the next one is loaded and played.
// The streams are those of gfab_axis_host. What is written to the node's store, the own token on the way in and what
// the gossip brings, is written here, too, to one half of a second store; beats are read from the other half. i_take is
// 1 for a cycle when a gossip is over and o_idle is 1 in all nodes: the halves swap, and the beats of that gossip go
// out.
//
// A token is loaded while i_load = 1, as gfab_axis_host does it. Beats go out in any phase, also after an error, which
// ends a later gossip than theirs.
`default_nettype none
`include "gfab_bits.vh"

module gfab_axis_overlap #(
    parameter NODES      = 16, // nodes of the fabric, 2 or more
    parameter LANES      = 4,  // K, 1 or more
    parameter LINK_BITS  = 2,  // L, 1 or more
    parameter WORDS      = 4,  // store words of a part, 1 or more
    parameter PARTS      = 1,  // of a token, 1 or more
    parameter TOKEN_BITS = 32  // W, PARTS times 1 .. WORDS * LANES * LINK_BITS
) (
    input  wire                         i_clk,
    input  wire                         i_rst,
    // from and to gfab_axis_ctrl
    input  wire                         i_load,
    output wire                         o_loaded, // until i_load falls
    output wire                         o_long,
    input  wire                         i_take,
    output wire                         o_idle, // all beats are out
    // own token
    input  wire                         s_axis_tvalid,
    output wire                         s_axis_tready,
    input  wire [TOKEN_BITS-1:0]        s_axis_tdata,
    input  wire                         s_axis_tlast,
    // all tokens
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [TOKEN_BITS-1:0]        m_axis_tdata,
    output wire                         m_axis_tlast,
    // the node's host side
    output wire                         o_load_valid,
    output wire [`GFAB_BITS(WORDS)+`GFAB_PART_BITS(PARTS)-1:0] o_load_word,
    output wire [LANES*LINK_BITS-1:0]   o_load_data,
    // what the gossip writes to the node's store, and where that has tokens
    input  wire                         i_write,
    input  wire [`GFAB_BITS(NODES*PARTS)+`GFAB_BITS(WORDS)-1:0] i_write_address,
    input  wire [LANES*LINK_BITS-1:0]   i_write_data,
    input  wire [`GFAB_BITS(NODES*PARTS)-1:0] i_own_slot, // constant
    output wire [`GFAB_BITS(NODES*PARTS)-1:0] o_read_token,
    input  wire [`GFAB_BITS(NODES*PARTS)-1:0] i_read_slot // of o_read_token, in the same cycle
);
    localparam SLOT_BITS  = `GFAB_BITS(NODES * PARTS);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;

    gfab_axis_host #(
        .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS), .TOKEN_BITS(TOKEN_BITS)
    ) u_loader (
        .i_clk(i_clk), .i_rst(i_rst), .i_load(i_load), .i_unload(1'b0), .o_done(o_loaded), .o_long(o_long),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(s_axis_tready), .s_axis_tdata(s_axis_tdata),
        .s_axis_tlast(s_axis_tlast),
        .m_axis_tvalid(), .m_axis_tready(1'b0), .m_axis_tdata(), .m_axis_tlast(),
        .o_load_valid(o_load_valid), .o_load_word(o_load_word), .o_load_data(o_load_data),
        .o_read_token(), .o_read_word(), .i_read_data({WORD_BITS{1'b0}})
    );

    reg  unload_q;
    reg  half_q; // which is written
    wire given;
    always @(posedge i_clk) begin
        unload_q <= ~i_rst & (i_take | (unload_q & ~given));
        half_q   <= ~i_rst & (half_q ^ i_take);
    end
    assign o_idle = ~unload_q;

    wire [WORD_BITS-1:0]  read_data;
    wire [INDEX_BITS-1:0] read_word;
    gfab_axis_host #(
        .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS), .TOKEN_BITS(TOKEN_BITS)
    ) u_unloader (
        .i_clk(i_clk), .i_rst(i_rst), .i_load(1'b0), .i_unload(unload_q), .o_done(given), .o_long(),
        .s_axis_tvalid(1'b0), .s_axis_tready(), .s_axis_tdata({TOKEN_BITS{1'b0}}), .s_axis_tlast(1'b1),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata),
        .m_axis_tlast(m_axis_tlast),
        .o_load_valid(), .o_load_word(), .o_load_data(),
        .o_read_token(o_read_token), .o_read_word(read_word), .i_read_data(read_data)
    );

    // Loading and gossiping take turns.
    wire [SLOT_BITS+INDEX_BITS-1:0] load_address;
    generate
        if (PARTS == 1) begin : gen_whole
            assign load_address = {i_own_slot, o_load_word};
        end else begin : gen_parts
            localparam PART_BITS = `GFAB_PART_BITS(PARTS);
            wire [SLOT_BITS-1:0] part = {{(SLOT_BITS-PART_BITS){1'b0}}, o_load_word[INDEX_BITS+:PART_BITS]};
            assign load_address = {i_own_slot + part, o_load_word[INDEX_BITS-1:0]};
        end
    endgenerate
    gfab_store #(
        .ADDRESS_BITS(1 + SLOT_BITS + INDEX_BITS), .WORD_BITS(WORD_BITS)
    ) u_store (
        .i_clk(i_clk), .i_read_address({~half_q, i_read_slot, read_word}), .o_read_data(read_data),
        .i_write_enable(o_load_valid | i_write),
        .i_write_address({half_q, o_load_valid ? load_address : i_write_address}),
        .i_write_data(o_load_valid ? o_load_data : i_write_data)
    );
endmodule

`default_nettype wire
