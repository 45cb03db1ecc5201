// SPDX-License-Identifier: MIT
//
// AXI4-Stream at every node of a fabric: what says when to load, to play and to unload, what takes and gives each
// node's packets, and with OVERLAP a second store of each node. The fabric is beside it, in the generated top, and what
// is particular to each node is in tables, row 0 the lowest. Node v has bits [v*width +: width] of a bus.
//
// OVERLAP, of narrow nodes and, with CELL_BITS, of wide ones: the last collective's beats go out while the next one is
// loaded and played; unloading waits for those before them. What the fabric writes comes by its trace ports; its own
// stores are not read.
//
// 31 parameters, 35 ports and 339 lines: all that tops with AXI4-Stream differ in, so that generated text does not.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_rom.vh"

module gfab_axis #(
    parameter FOLDER       = "", // with OVERLAP and PLACED: of the tables
    parameter NODES        = 16, // 2 or more
    parameter LANES        = 4,  // flits of a word
    parameter LINK_BITS    = 2,
    parameter WORDS        = 4,  // store words of a part
    parameter PARTS        = 0,  // of a token, 1 or more; 0: there are no hosts
    parameter TOKEN_BITS   = 32, // W
    parameter LOAD_BITS    = 2,  // of what is loaded: {part or block, word}
    parameter SLOT_BITS    = 4,  // of what is read: a token, a part or a block
    parameter LOAD_LIMIT   = 0,  // as in gfab_axis_ctrl
    parameter GOSSIP_LIMIT = 0,
    parameter PROTECT      = 0,  // with OVERLAP 2, where the fabric's words have no check bits
    parameter COMMANDS     = 0,  // 1: a beat says what is played next
    parameter PROGRAMS     = 1,
    parameter PROGRAM_BITS = 1,
    // of each node LOADS and READS of gfab_axis_blocks, whose numbers have BLOCK_BITS; 0: nodes have a token each
    parameter BLOCK_BITS   = 0,
    parameter [NODES*PROGRAMS*2*(BLOCK_BITS+1)-1:0] LOADS = 0,
    parameter [NODES*PROGRAMS*3*(BLOCK_BITS+1)-1:0] READS = 0,
    parameter OVERLAP      = 0,
    parameter SLOTS        = 2,  // that i_write_address can name; with CELL_BITS rounds
    parameter ANY_SLOT     = 0,  // 1: the host loads any slot
    parameter PLACED       = 0,  // 1: tables say which slot has what is read,
    parameter PLACES       = 2,  // so many things
    // wide nodes, with OVERLAP: as in gfab_wide_node; 0 CELL_BITS: narrow ones
    parameter BANKS        = 1,
    parameter CELL_BITS    = 0,
    parameter WIDE_LOADS   = 0,  // its LOADS
    parameter [BANKS-1:0] OWN = 1,
    parameter NAME_BITS    = 8,  // of a number as text
    // the tables where there are no files: of each node where it finds what is read, then of each what is loaded
    parameter IMAGE_BITS   = 0,
    parameter [(IMAGE_BITS>0?NODES*(WIDE_LOADS>0?2:1)*IMAGE_BITS:1)-1:0] IMAGES = 0,
    // of each node its number, as text; the slot of its own token; the slots of its store
    parameter [NODES*(NAME_BITS+64)-1:0] STORE = 0
) (
    input  wire                          i_clk,
    input  wire                          i_rst,
    // the user
    input  wire                          i_clear,
    output wire                          o_error,
    output wire [2:0]                    o_status,
    output wire [NODES-1:0]              o_error_nodes,
    input  wire                          s_command_tvalid, // with COMMANDS
    output wire                          s_command_tready,
    input  wire [3+PROGRAM_BITS-1:0]     s_command_tdata,
    input  wire [NODES-1:0]              s_axis_tvalid,
    output wire [NODES-1:0]              s_axis_tready,
    input  wire [NODES*TOKEN_BITS-1:0]   s_axis_tdata,
    input  wire [NODES-1:0]              s_axis_tlast,
    output wire [NODES-1:0]              m_axis_tvalid,
    input  wire [NODES-1:0]              m_axis_tready,
    output wire [NODES*TOKEN_BITS-1:0]   m_axis_tdata,
    output wire [NODES-1:0]              m_axis_tlast,
    // what is going on, for gfab_registers
    output wire                          o_load,
    output wire                          o_unload,
    // the fabric
    output wire                          o_fabric_rst,
    output wire                          o_start,
    input  wire                          i_done,
    input  wire                          i_error, // with PROTECT
    output wire [PROGRAM_BITS-1:0]       o_program,
    output wire [2:0]                    o_operator,
    output wire [NODES-1:0]              o_load_valid,
    output wire [NODES*LOAD_BITS-1:0]    o_load_word,
    output wire [NODES*LANES*LINK_BITS-1:0] o_load_data,
    output wire [NODES*SLOT_BITS-1:0]    o_read_token,
    output wire [NODES*`GFAB_BITS(WORDS)-1:0] o_read_word,
    input  wire [NODES*LANES*LINK_BITS-1:0] i_read_data,
    // with OVERLAP, the trace ports
    input  wire [NODES*BANKS-1:0]        i_write,
    input  wire [NODES*(`GFAB_BITS(SLOTS)+`GFAB_BITS(WORDS))-1:0] i_write_address,
    input  wire [NODES*BANKS*LANES*LINK_BITS-1:0] i_write_data,
    input  wire [NODES*BANKS-1:0]        i_write_check
);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam WORD_BITS  = LANES * LINK_BITS;
    localparam STORE_BITS = `GFAB_BITS(SLOTS); // of a slot in a node's store
    localparam FIELD      = BLOCK_BITS + 1;
    localparam LOAD_ROW   = PROGRAMS * 2 * FIELD;
    localparam READ_ROW   = PROGRAMS * 3 * FIELD;
    localparam STORE_ROW  = NAME_BITS + 64;
    localparam BANK_BITS  = `GFAB_BITS(BANKS);
    localparam PLACE_BITS = BANK_BITS + CELL_BITS; // with CELL_BITS
    localparam GIVER      = OVERLAP ? 1 : 0; // of a node's hosts the one that gives; host 0 takes
    localparam [3*FIELD-1:0] COUNT = {{FIELD{1'b0}}, {FIELD{1'b1}}, {FIELD{1'b0}}}; // in a program's part of READS
    localparam STORE_LOAD_BITS = INDEX_BITS + (ANY_SLOT ? STORE_BITS : `GFAB_PART_BITS(PARTS));

    wire                    load, unload, take;
    wire [PROGRAM_BITS-1:0] given_program; // whose results go out
    wire [NODES-1:0]        taken, given, long, node_done, idle, faults;

    gfab_axis_ctrl #(
        .NODES(NODES), .LOAD_LIMIT(LOAD_LIMIT), .GOSSIP_LIMIT(GOSSIP_LIMIT)
    ) u_ctrl (
        .i_clk(i_clk), .i_rst(i_rst), .o_start(o_start), .i_done(i_done),
        .i_error(OVERLAP ? i_error | (|faults) : i_error), .o_fabric_rst(o_fabric_rst), .o_load(load),
        .o_unload(unload), .i_node_done(node_done), .i_node_long(long), .i_clear(i_clear),
        .o_error(o_error), .o_status(o_status), .o_error_nodes(o_error_nodes)
    );

    genvar v, h;
    generate
        if (COMMANDS) begin : gen_command
            gfab_axis_command #(
                .PROGRAMS(PROGRAMS), .PROGRAM_BITS(PROGRAM_BITS), .OPERATOR_BITS(3)
            ) u_command (
                .i_clk(i_clk), .i_rst(i_rst), .s_axis_tvalid(s_command_tvalid), .s_axis_tready(s_command_tready),
                .s_axis_tdata(s_command_tdata), .i_load(load), .i_start(o_start), .o_load(o_load),
                .o_program(o_program), .o_operator(o_operator)
            );
        end else begin : gen_no_command
            assign o_load           = load;
            assign s_command_tready = 1'b0;
            assign {o_program, o_operator} = {PROGRAM_BITS+3{1'b0}};
        end

        if (OVERLAP) begin : gen_overlap
            reg [PROGRAM_BITS-1:0] taken_q;
            always @(posedge i_clk)
                if (take)
                    taken_q <= o_program;
            wire judged;
            if (PROTECT != 0) begin : gen_judged // the fabric's verdict comes two cycles after it is done
                reg judged_q;
                always @(posedge i_clk)
                    judged_q <= unload;
                assign judged = judged_q;
            end else begin : gen_unjudged
                assign judged = 1'b1;
            end
            assign given_program = taken_q;
            assign take          = unload & judged & (&idle) & ~o_error & ~i_error;
            assign node_done     = unload ? idle & {NODES{judged}} : taken;
            assign o_unload      = unload | ~(&idle);
            assign o_read_word   = {NODES*INDEX_BITS{1'b0}};
            // Nobody reads the fabric's own stores, but it tests the word that it is asked for: one of the program that
            // ran, which is there.
            if (PROTECT != 0 && BLOCK_BITS > 0) begin : gen_rest
                reg [PROGRAM_BITS-1:0] ran_q;
                always @(posedge i_clk)
                    if (o_start)
                        ran_q <= o_program;
                for (v = 0; v < NODES; v = v + 1) begin : gen_node
                    wire [READ_ROW-1:0] row = READS[v*READ_ROW+:READ_ROW];
                    assign o_read_token[v*SLOT_BITS+:SLOT_BITS] = row[ran_q*3*FIELD+:SLOT_BITS];
                end
            end else begin : gen_any
                assign o_read_token = {NODES*SLOT_BITS{1'b0}};
            end
        end else begin : gen_turns
            assign given_program = o_program;
            assign take          = 1'b0;
            assign node_done     = taken;
            assign o_unload      = unload;
            assign {idle, faults} = {2*NODES{1'b0}};
        end
    endgenerate

    generate
        for (v = 0; v < NODES; v = v + 1) begin : gen_host
            // A relay gives nothing.
            localparam GIVES_ANY = BLOCK_BITS == 0 || |(READS[v*READ_ROW+:READ_ROW] & {PROGRAMS{COUNT}});
            wire                  giving;
            wire [SLOT_BITS-1:0]  token; // what the host that gives reads
            wire [INDEX_BITS-1:0] word;
            wire [WORD_BITS-1:0]  data;
            for (h = 0; h <= GIVER; h = h + 1) begin : gen_side
                // Host 0 takes, the last one gives: where there is but one it does both.
                wire loads = (h == 0) ? o_load : 1'b0;
                wire reads = (h == GIVER) ? giving : 1'b0;
                wire comes = (h == 0) ? s_axis_tvalid[v] : 1'b0;
                wire goes  = (h == GIVER) ? m_axis_tready[v] : 1'b0;
                wire done, wrong, ready, valid, last, load_valid;
                wire [TOKEN_BITS-1:0] beat;
                wire [LOAD_BITS-1:0]  load_word;
                wire [WORD_BITS-1:0]  load_data;
                wire [SLOT_BITS-1:0]  read_token;
                wire [INDEX_BITS-1:0] read_word;
                if (BLOCK_BITS > 0) begin : gen_blocks
                    gfab_axis_blocks #(
                        .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .TOKEN_BITS(TOKEN_BITS),
                        .PROGRAMS(PROGRAMS), .PROGRAM_BITS(PROGRAM_BITS), .LOAD_BITS(LOAD_BITS),
                        .SLOT_BITS(SLOT_BITS), .BLOCK_BITS(BLOCK_BITS), .LOADS(LOADS[v*LOAD_ROW+:LOAD_ROW]),
                        .READS(READS[v*READ_ROW+:READ_ROW]), .PROTECT(PROTECT)
                    ) u_host (
                        .i_clk(i_clk), .i_rst(i_rst), .i_program(h == GIVER && OVERLAP ? given_program : o_program),
                        .i_load(loads), .i_unload(reads), .o_done(done), .o_wrong(wrong),
                        .s_axis_tvalid(comes), .s_axis_tready(ready),
                        .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .s_axis_tlast(s_axis_tlast[v]),
                        .m_axis_tvalid(valid), .m_axis_tready(goes), .m_axis_tdata(beat),
                        .m_axis_tlast(last), .o_load_valid(load_valid), .o_load_word(load_word),
                        .o_load_data(load_data), .o_read_token(read_token), .o_read_word(read_word),
                        .i_read_data(data)
                    );
                end else if (PARTS > 0) begin : gen_token
                    gfab_axis_host #(
                        .NODES(NODES), .LANES(LANES), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .PARTS(PARTS),
                        .TOKEN_BITS(TOKEN_BITS)
                    ) u_host (
                        .i_clk(i_clk), .i_rst(i_rst), .i_load(loads), .i_unload(reads), .o_done(done), .o_long(wrong),
                        .s_axis_tvalid(comes), .s_axis_tready(ready),
                        .s_axis_tdata(s_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS]), .s_axis_tlast(s_axis_tlast[v]),
                        .m_axis_tvalid(valid), .m_axis_tready(goes), .m_axis_tdata(beat),
                        .m_axis_tlast(last), .o_load_valid(load_valid), .o_load_word(load_word),
                        .o_load_data(load_data), .o_read_token(read_token), .o_read_word(read_word),
                        .i_read_data(data)
                    );
                end else begin : gen_none
                    assign {done, wrong, ready, valid, last, load_valid} = 6'd0;
                    assign {beat, load_word, load_data, read_token, read_word} =
                        {TOKEN_BITS+LOAD_BITS+WORD_BITS+SLOT_BITS+INDEX_BITS{1'b0}};
                end
                if (h == 0) begin : gen_takes
                    assign taken[v]         = done;
                    assign long[v]          = wrong;
                    assign s_axis_tready[v] = ready;
                    assign o_load_valid[v]  = load_valid;
                    assign o_load_word[v*LOAD_BITS+:LOAD_BITS] = load_word;
                    assign o_load_data[v*WORD_BITS+:WORD_BITS] = load_data;
                end
                if (h == GIVER) begin : gen_gives
                    assign {token, word}    = {read_token, read_word};
                    assign given[v]         = done;
                    assign m_axis_tvalid[v] = valid;
                    assign m_axis_tlast[v]  = last;
                    assign m_axis_tdata[v*TOKEN_BITS+:TOKEN_BITS] = beat;
                end
            end

            if (OVERLAP && CELL_BITS > 0) begin : gen_banks
                localparam [STORE_ROW-1:0] ROW = STORE[v*STORE_ROW+:STORE_ROW];
                wire [PLACE_BITS-1:0] place, load_place;
                wire [BANKS-1:0]      load_banks;
                wire                  fault, place_fault, load_fault;
                assign faults[v] = fault | place_fault | load_fault;
                gfab_places #(
                    .FILE({FOLDER, "/places_", ROW[64+:NAME_BITS], ".hex"}), .COUNT(PLACES), .PLACE_BITS(PLACE_BITS),
                    .PROTECT(PROTECT), .IMAGE_BITS(IMAGE_BITS),
                    .IMAGE(`GFAB_IMAGE(IMAGES, v))
                ) u_places (
                    .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(PROTECT != 0 ? giving : 1'b0), .i_block(token),
                    .o_place(place), .o_fault(place_fault)
                );
                if (WIDE_LOADS > 0) begin : gen_loads
                    gfab_places #(
                        .FILE({FOLDER, "/loads_", ROW[64+:NAME_BITS], ".hex"}), .COUNT(WIDE_LOADS),
                        .PLACE_BITS(PLACE_BITS), .PROTECT(PROTECT), .IMAGE_BITS(IMAGE_BITS),
                        .IMAGE(`GFAB_IMAGE(IMAGES, NODES + v))
                    ) u_loads (
                        .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(PROTECT != 0 ? o_load_valid[v] : 1'b0),
                        .i_block(o_load_word[v*LOAD_BITS+INDEX_BITS+:`GFAB_BITS(WIDE_LOADS)]), .o_place(load_place),
                        .o_fault(load_fault)
                    );
                    assign load_banks = OWN & ({{(BANKS-1){1'b0}}, 1'b1} << load_place[CELL_BITS+:BANK_BITS]);
                end else begin : gen_own
                    assign load_place = {PLACE_BITS{1'b0}};
                    assign load_banks = OWN;
                    assign load_fault = 1'b0;
                end
                wire [CELL_BITS+STORE_BITS+INDEX_BITS-1:0] write_address =
                    {{CELL_BITS{1'b0}}, i_write_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS]};
                gfab_axis_overlap #(
                    .GIVES(GIVES_ANY), .STORE_SLOTS(1 << CELL_BITS), .SLOTS(1 << CELL_BITS), .BANKS(BANKS),
                    .ANY_SLOT(1), .WORDS(WORDS), .WORD_BITS(WORD_BITS), .PROTECT(PROTECT)
                ) u_overlap (
                    .i_clk(i_clk), .i_rst(i_rst), .i_take(take), .o_idle(idle[v]), .o_unload(giving),
                    .i_given(given[v]), .i_read_bank(place[CELL_BITS+:BANK_BITS]), .i_read_slot(place[CELL_BITS-1:0]),
                    .i_read_word(word), .o_read_data(data), .o_fault(fault), .i_load_valid(o_load_valid[v]),
                    .i_load_banks(load_banks),
                    .i_load_word({load_place[CELL_BITS-1:0], o_load_word[v*LOAD_BITS+:INDEX_BITS]}),
                    .i_load_data(o_load_data[v*WORD_BITS+:WORD_BITS]), .i_own_slot({CELL_BITS{1'b0}}),
                    .i_write(i_write[v*BANKS+:BANKS]), .i_write_address(write_address[CELL_BITS+INDEX_BITS-1:0]),
                    .i_write_data(i_write_data[v*BANKS*WORD_BITS+:BANKS*WORD_BITS]),
                    .i_write_check(i_write_check[v*BANKS+:BANKS])
                );
            end else if (OVERLAP) begin : gen_store
                localparam [STORE_ROW-1:0] ROW = STORE[v*STORE_ROW+:STORE_ROW];
                wire [STORE_BITS-1:0] slot;
                wire fault, place_fault;
                // A slot's number may have more bits than that of a loaded block.
                wire [LOAD_BITS+STORE_LOAD_BITS-1:0] load_word =
                    {{STORE_LOAD_BITS{1'b0}}, o_load_word[v*LOAD_BITS+:LOAD_BITS]};
                assign faults[v] = fault | place_fault;
                if (PLACED) begin : gen_places
                    gfab_places #(
                        .FILE({FOLDER, "/places_", ROW[64+:NAME_BITS], ".hex"}), .COUNT(PLACES),
                        .PLACE_BITS(STORE_BITS), .PROTECT(PROTECT), .IMAGE_BITS(IMAGE_BITS),
                        .IMAGE(`GFAB_IMAGE(IMAGES, v))
                    ) u_places (
                        .i_clk(i_clk), .i_rst(i_rst), .i_host_reads(PROTECT != 0 ? giving : 1'b0), .i_block(token),
                        .o_place(slot), .o_fault(place_fault)
                    );
                end else begin : gen_slots
                    assign slot        = token[STORE_BITS-1:0];
                    assign place_fault = 1'b0;
                end
                gfab_axis_overlap #(
                    .GIVES(GIVES_ANY),
                    .STORE_SLOTS(ROW[31:0]), .SLOTS(SLOTS), .PARTS(PARTS), .ANY_SLOT(ANY_SLOT), .WORDS(WORDS),
                    .WORD_BITS(WORD_BITS), .PROTECT(PROTECT)
                ) u_overlap (
                    .i_clk(i_clk), .i_rst(i_rst), .i_take(take), .o_idle(idle[v]), .o_unload(giving),
                    .i_given(given[v]), .i_read_bank(1'b0), .i_read_slot(slot), .i_read_word(word), .o_read_data(data),
                    .o_fault(fault), .i_load_valid(o_load_valid[v]), .i_load_banks(1'b1),
                    .i_load_word(load_word[STORE_LOAD_BITS-1:0]),
                    .i_load_data(o_load_data[v*WORD_BITS+:WORD_BITS]), .i_own_slot(ROW[32+:STORE_BITS]),
                    .i_write(i_write[v]),
                    .i_write_address(i_write_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS]),
                    .i_write_data(i_write_data[v*WORD_BITS+:WORD_BITS]), .i_write_check(i_write_check[v])
                );
            end else begin : gen_fabrics
                assign giving = unload;
                assign data   = i_read_data[v*WORD_BITS+:WORD_BITS];
                assign o_read_token[v*SLOT_BITS+:SLOT_BITS]   = token;
                assign o_read_word[v*INDEX_BITS+:INDEX_BITS] = word;
            end
        end
    endgenerate
endmodule

`default_nettype wire
