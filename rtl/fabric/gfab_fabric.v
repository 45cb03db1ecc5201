// SPDX-License-Identifier: MIT
//
// A whole fabric of any kind, or what one chip of it has: time, programs, nodes and the links between them. What is
// particular to each node and link is in tables; the generator writes these, and one instance of this.
//
// One loop each makes ROM r, gen_program[r], node v, gen_node[v], and link l, gen_link[l], of row r, v and l; row 0 is
// the lowest of its table. Node v has bits [v*width +: width] of a bus.
//
// i_start starts a gossip when the fabric is idle or in the cycle in which o_done rises; it is ignored while a gossip
// runs. A gossip takes as many cycles as gfab_sequencer says.
//
// 58 parameters, 45 ports and 512 lines: the one place that has what kinds of fabrics differ in, so that neither the
// generator's texts nor other modules ask which kind it is. It has no registers.
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"
`include "gfab_rom.vh"

module gfab_fabric #(
    parameter FOLDER     = "", // where a tool finds the ROMs' $readmemh texts; without it ROMs are empty
    // nodes: one of these is 1, or there is nothing in them
    parameter NARROW     = 0, // gfab_node
    parameter PATHS      = 0, // gfab_path_node
    parameter WIDE       = 0, // gfab_wide_node
    parameter NODES      = 2, // here, 2 or more, or 1 of several chips
    parameter LINKS      = 0, // between them
    parameter WIRES      = 1, // of each link: 1, as gfab_link, or 2, of registers
    parameter CUTS       = 0, // links to elsewhere
    parameter ROMS       = 1, // of programs
    parameter LANES      = 4, // K, ports of the largest node
    parameter LINK_BITS  = 2, // L
    parameter WORDS      = 4, // store words of a part; WIDE: flits of a token
    parameter ROUND_BITS = 4, // the ROMs hold 2^ROUND_BITS rounds
    parameter LATENCY    = 0, // registers on every link
    parameter DIRECT     = (WORDS == 2), // 1: no register between stores and links
    parameter OPERATOR   = `GFAB_OPERATOR_NONE,
    parameter PROTECT    = 0,
    parameter STYLE      = "logic", // of the ROMs of programs and sequence, as in gfab_program
    // what the host loads and reads
    parameter PLACED     = 0, // 1: i_read_token is not a slot's number, but tables say the slot
    parameter READS      = 2, // with PLACED or WIDE: what is read of a node
    parameter LOADS      = 0, // with WIDE: blocks that it loads, 0: the node's token
    parameter ANY_SLOT   = 0, // narrow: 1: it loads any slot
    parameter LOAD_BITS  = 2, // of what it loads: {part or block, word}
    parameter READ_BITS  = 1, // of what it reads: a token, a part or a block
    // programs, where there are several
    parameter PROGRAM_BITS = 1,
    parameter [(ROUND_BITS<<PROGRAM_BITS)-1:0] FIRST_ROUND = 0, // of each the round in which it begins
    // narrow nodes
    parameter SLOTS      = 2, // that an op can name
    parameter PARTS      = 1, // of a token
    parameter FULL       = 0, // 1: full-duplex ports
    parameter SKEWED     = 0, // 1: some links have different lanes at their ends
    parameter REGISTERED = 0, // as in gfab_sequencer
    parameter GAP_BITS   = 0, // of a gap between rounds; 0: there are none
    parameter WAIT_BITS  = 1, // with PATHS: of a path word's wait
    parameter FLITS      = 16, // with OPERATOR: of a token
    parameter TOP_BIT    = 7, // with OPERATOR: a token's top bit, in the word that has it
    // wide nodes
    parameter BANKS      = 1, // RAMs of a node's store
    parameter CELL_BITS  = ROUND_BITS, // of a token's address in its bank
    parameter MERGES     = 0, // operators of a bank, one behind the other, of OPERATOR_CYCLES each
    parameter OPERATOR_CYCLES = 0,
    parameter [LANES*BANKS-1:0] TAKES = 0, // the crossbar, as in gfab_banks
    parameter [LANES*BANKS-1:0] GIVES = 0,
    parameter [BANKS-1:0]       OWN   = 0,
    // streams
    parameter STREAMS    = 0, // hosts, the last nodes, that give and take streams; 0: nodes are loaded and read
    parameter AGES       = 1, // with STREAMS: groups on their way at most
    parameter LEADER     = 0, // with STREAMS: the host that gives first
    parameter LIMIT      = 0, // with STREAMS: as in gfab_stream_limit
    parameter WAY        = 0, // likewise
    // of each host, 8 bits each: GIVES and TAKES of gfab_stream_port
    parameter [(STREAMS>0?STREAMS:1)*8-1:0] GIVES_OF = 0,
    parameter [(STREAMS>0?STREAMS:1)*8-1:0] TAKES_OF = 0,
    // tables: of each ROM its file's number, and which of the file's lanes each lane has, 4 bits a lane;
    parameter NAME_BITS  = 8, // of a number as text
    parameter [ROMS*NAME_BITS-1:0] ROM = 0,
    parameter [ROMS*64-1:0] LANE_MAP = {ROMS{64'hfedcba9876543210}},
    // the ROMs' words without files, IMAGE_BITS of each: of what follows each round, of each ROM, and of each
    // node where it finds what is read (PLACED, WIDE), and loaded (LOADS), and its paths (PATHS);
    parameter IMAGE_BITS = 0,
    parameter IMAGES_OF_NODE = (PLACED || WIDE ? 1 : 0) + (LOADS > 0 ? 1 : 0) + (PATHS ? 1 : 0),
    parameter [(IMAGE_BITS>0?(1+ROMS+NODES*IMAGES_OF_NODE)*IMAGE_BITS:1)-1:0] IMAGES = 0,
    // of each node: its number in the whole fabric, as text; its ROM; 0: a relay; its store's slots; that of its own
    // token; the lane of the other end of a skewed lane 0; the lanes that have a port;
    parameter [NODES*(NAME_BITS+`GFAB_BITS(ROMS)+2*`GFAB_BITS(SLOTS)+2+`GFAB_BITS(LANES)+LANES)-1:0] NODE = 0,
    // of each link: node and lane of end 0, node and lane of end 1; of each cut one: node and lane
    parameter [(LINKS>0?LINKS:1)*2*(`GFAB_BITS(NODES)+`GFAB_BITS(LANES))-1:0] LINK = 0,
    parameter [(CUTS>0?CUTS:1)*(`GFAB_BITS(NODES)+`GFAB_BITS(LANES))-1:0] CUT = 0
) (
    input  wire                    i_clk,
    input  wire                    i_rst,
    input  wire                    i_start,
    input  wire [PROGRAM_BITS-1:0] i_program,  // what i_start plays; counts in the cycle before
    input  wire [2:0]              i_operator, // with GFAB_OPERATOR_ALL, with i_start
    input  wire                    i_hold,     // nodes take no loads
    input  wire                    i_clear,    // ends a gossip as a reset does, but for what is told of a fault
    input  wire                    i_transfer_fault,   // with PROTECT: of cut links, and the balance of what they carry
    input  wire                    i_transfer_balance,
    output wire                    o_busy,     // from the start to one cycle after o_done rises
    output wire                    o_done,     // from the end of a gossip to the next start
    // with PROTECT, else 0
    output wire [NODES-1:0]        o_fault, // a node's: now, as of the word at o_read_data
    output wire                    o_error, // and below as gfab_guard; with STREAMS as gfab_stream_limit
    output wire [3:0]              o_error_what,
    output wire [NODES-1:0]        o_error_nodes,
    output wire [ROUND_BITS-1:0]   o_error_round, // without PROTECT the sequencer's, now
    // the host, while o_busy is 0
    input  wire [NODES-1:0]        i_load_valid,
    input  wire [NODES*LOAD_BITS-1:0] i_load_word,
    input  wire [NODES*LINK_BITS*(WIDE?1:LANES)-1:0] i_load_data,
    input  wire [NODES*READ_BITS-1:0] i_read_token,
    input  wire [NODES*`GFAB_BITS(WORDS)-1:0] i_read_word,
    output wire [NODES*LINK_BITS*(WIDE?1:LANES)-1:0] o_read_data, // one cycle later
    output wire [NODES-1:0]        o_collides, // of wide nodes: what is read is written, so that it comes as anything
    // with STREAMS: AXI4-Streams of hosts, a flit a beat
    input  wire [(STREAMS>0?STREAMS:1)-1:0] i_give_valid,
    output wire [(STREAMS>0?STREAMS:1)-1:0] o_give_ready,
    input  wire [(STREAMS>0?STREAMS:1)*LINK_BITS-1:0] i_give_data,
    input  wire [(STREAMS>0?STREAMS:1)-1:0] i_give_last,
    output wire [(STREAMS>0?STREAMS:1)-1:0] o_take_valid,
    input  wire [(STREAMS>0?STREAMS:1)-1:0] i_take_ready,
    output wire [(STREAMS>0?STREAMS:1)*LINK_BITS-1:0] o_take_data,
    output wire [(STREAMS>0?STREAMS:1)-1:0] o_take_last,
    output wire [(STREAMS>0?STREAMS:1)-1:0] o_late, // with o_error: hosts that are waited for
    output wire                    o_uneven, // vectors of one operation had different lengths
    // cut links: what comes in, what goes out, and whether the end here drives
    input  wire [(CUTS>0?CUTS*(LINK_BITS+(PROTECT&&WIDE?1:0)):1)-1:0] i_cut,
    output wire [(CUTS>0?CUTS*(LINK_BITS+(PROTECT&&WIDE?1:0)):1)-1:0] o_cut,
    output wire [(CUTS>0?CUTS:1)-1:0] o_cut_drive,
    // with MERGES: what the operators of each node and bank combine, and OPERATOR_CYCLES later what they make of it
    output wire [(MERGES>0?NODES*BANKS*MERGES*LINK_BITS:1)-1:0] o_lefts,
    output wire [(MERGES>0?NODES*BANKS*MERGES*LINK_BITS:1)-1:0] o_rights,
    input  wire [(MERGES>0?NODES*BANKS*MERGES*LINK_BITS:1)-1:0] i_results,
    // for test benches: what is on each link, or what each of its ends puts out; bit 2 link + end: that end drives;
    // what a node writes of what it received: to its store, at {slot, word}; WIDE: to each bank, at {round, word}
    output wire [(LINKS>0?LINKS:1)*WIRES*LINK_BITS-1:0] o_trace_link,
    output wire [(LINKS>0?LINKS:1)*2-1:0]     o_trace_drive,
    output wire [NODES*(WIDE?BANKS:1)-1:0]    o_trace_write,
    output wire [NODES*((WIDE?ROUND_BITS:`GFAB_BITS(SLOTS))+`GFAB_BITS(WORDS))-1:0] o_trace_address,
    output wire [NODES*(WIDE?BANKS:1)-1:0]    o_trace_check, // with PROTECT: the word's check bit
    output wire [NODES*LINK_BITS*(WIDE?BANKS:LANES)-1:0] o_trace_data
);
    localparam LANE_BITS  = `GFAB_BITS(LANES);
    localparam INDEX_BITS = `GFAB_BITS(WORDS);
    localparam STORE_BITS = `GFAB_BITS(SLOTS); // of a slot of a narrow node
    localparam WORD_BITS  = LINK_BITS * (WIDE ? 1 : LANES);
    localparam FLIT_BITS  = LINK_BITS + (PROTECT && WIDE ? 1 : 0); // of a link
    localparam COMBINING_BITS = `GFAB_COMBINING_BITS(LANES) * (PROTECT ? 2 : 1);
    // A program's word: an op; a wide node's.
    localparam OP_BITS    = WIDE ? BANKS * CELL_BITS + LANES * (1 + `GFAB_BITS(BANKS)) +
                                   BANKS * (OPERATOR > 0 ? LANES + 1 + CELL_BITS : 1 + LANE_BITS)
                                 : (STORE_BITS + `GFAB_OP_SLOT_LSB) * (FULL ? 2 : 1);
    localparam END_BITS   = `GFAB_BITS(LANES * WORDS) + 1; // with STREAMS: of where a vector ends in a block
    // The columns of NODE.
    localparam SKEW_AT    = LANES;
    localparam OWN_AT     = SKEW_AT + LANE_BITS;
    localparam STORE_AT   = OWN_AT + STORE_BITS;
    localparam MEMBER_AT  = STORE_AT + STORE_BITS + 1;
    localparam ROM_AT     = MEMBER_AT + 1;
    localparam NAME_AT    = ROM_AT + `GFAB_BITS(ROMS);
    localparam NODE_ROW   = NAME_AT + NAME_BITS;
    // The rows of IMAGES.
    localparam PROGRAMS_AT = 1;
    localparam PLACES_AT  = PROGRAMS_AT + ROMS;
    localparam LOADS_AT   = PLACES_AT + (PLACED || WIDE ? NODES : 0);
    localparam PATHS_AT   = LOADS_AT + (LOADS > 0 ? NODES : 0);
    // Of LINK and CUT.
    localparam NODE_BITS  = `GFAB_BITS(NODES);
    localparam END_ROW    = NODE_BITS + LANE_BITS;

    // Time: one for all nodes.
    wire [ROUND_BITS-1:0]     round, write_round;
    wire [LANE_BITS-1:0]      lane;
    wire [LANE_BITS*(PROTECT ? 2 : 1)-1:0] lookup_lane;
    wire [(PROTECT ? 2 : 1)-1:0] writers_load;
    wire                      run, round_begins;
    wire [INDEX_BITS-1:0]     sequence_word;
    wire [LANES*(GAP_BITS > 0 ? 2 : 1)-1:0] strobe;
    wire [LANES*LANE_BITS-1:0] out_flit;
    wire [LANE_BITS*(LANES+(REGISTERED ? 1 : 0))-1:0] in_lane;
    wire [2*INDEX_BITS-1:0]   write_word;
    wire [ROUND_BITS:0]       last_round;
    wire [COMBINING_BITS-1:0] combining;
    wire                      busy, done, stop, halts, last, sequencer_fault;
    wire                      more, start, begins, overdue; // with STREAMS
    wire                      rst   = i_rst | stop | i_clear; // a fault stops all, as a reset does
    wire                      hold  = busy | i_hold;
    wire                      reads = done & ~busy;
    wire                      rests = rst | ~busy | done; // nothing is written in the next cycle
    gfab_time #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(DIRECT), .SKEWED(SKEWED),
        .REGISTERED(REGISTERED), .WIDE(WIDE), .CHAIN(MERGES * OPERATOR_CYCLES), .PATHS(PATHS), .GAP_BITS(GAP_BITS),
        .FILE(|FOLDER ? {FOLDER, "/sequence.hex"} : ""), .IMAGE_BITS(IMAGE_BITS), .IMAGE(`GFAB_IMAGE(IMAGES, 0)),
        .STYLE(STYLE), .OPERATOR(OPERATOR), .FLITS(FLITS), .LOOPS(STREAMS > 0), .PROTECT(PROTECT)
    ) u_time (
        .i_clk(i_clk), .i_rst(rst), .i_start(start), .i_more(more), .o_begins(begins),
        .i_first_round(FIRST_ROUND[i_program*ROUND_BITS+:ROUND_BITS]), .i_operator(i_operator),
        .i_sequence(gen_program[0].what_follows),
        .o_busy(busy), .o_done(done), .o_fault(sequencer_fault), .o_halt(halts), .o_last(last),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word), .o_strobe(strobe),
        .o_out_flit(out_flit), .o_in_lane(in_lane), .o_write_word(write_word), .o_write_round(write_round),
        .o_combining(combining), .o_begin(round_begins), .o_last_round(last_round), .o_load(writers_load),
        .o_lookup_lane(lookup_lane)
    );

    // Hosts that give something.
    function [(STREAMS>0?STREAMS:1)-1:0] giving(input [(STREAMS>0?STREAMS:1)*8-1:0] gives_of);
        integer host;
        for (host = 0; host < (STREAMS > 0 ? STREAMS : 1); host = host + 1)
            giving[host] = |gives_of[host*8+:8];
    endfunction

    wire [NODES-1:0] alarms, balances;
    wire [ROMS-1:0]  odd_ops;
    genvar r, v, c, l;
    generate
        if (LATENCY < 0 || LATENCY > 15) begin : gen_bad_latency
            gfab_error_latency_must_be_0_to_15 u_bad ();
        end

        if (PROTECT) begin : gen_guard
            gfab_guard #(
                .NODES(NODES), .PROGRAMS(ROMS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
            ) u_guard (
                .i_clk(i_clk), .i_rst(i_rst), .i_start(i_start), .i_clear(i_clear), .i_busy(busy), .i_done(done),
                .i_run(run), .i_transfer_fault(i_transfer_fault), .i_transfer_balance(i_transfer_balance & !WIDE),
                .i_halt(halts), .i_last(last), .i_round(round), .i_sequencer_fault(sequencer_fault),
                .i_node_faults(alarms), .i_node_balances(balances), .i_odd_ops(odd_ops), .o_stop(stop),
                .o_busy(o_busy), .o_done(o_done), .o_error(o_error), .o_error_what(o_error_what),
                .o_error_nodes(o_error_nodes), .o_error_round(o_error_round)
            );
        end else begin : gen_no_guard
            assign stop   = 1'b0;
            assign o_busy = busy;
            assign o_done = done;
            assign o_error = overdue;
            assign {o_error_what, o_error_nodes} = {4+NODES{1'b0}};
            assign o_error_round = round;
        end

        if (STREAMS > 0) begin : gen_groups
            wire [AGES*END_BITS+AGES-1:0] groups;
            wire                          counts; // a group begins that does
            wire [STREAMS-1:0]            can;
            wire [STREAMS*END_BITS-1:0]   ends;
            wire [STREAMS-1:0]            holds, lacks;
            gfab_stream_groups #(
                .HOSTS(STREAMS), .AGES(AGES), .BITS(END_BITS + 1), .LEADER(LEADER), .GIVE(giving(GIVES_OF))
            ) u_groups (
                .i_clk(i_clk), .i_rst(rst), .i_begins(begins), .i_can(can), .i_ends(ends), .o_start(start),
                .o_more(more), .o_begins(counts), .o_groups(groups), .o_uneven(o_uneven)
            );
            gfab_stream_limit #(
                .HOSTS(STREAMS), .LIMIT(LIMIT), .WAY(WAY)
            ) u_limit (
                .i_clk(i_clk), .i_rst(rst), .i_waits((|holds) | (|o_take_valid)),
                .i_moves((i_give_valid & o_give_ready) | (o_take_valid & i_take_ready)), .i_untaken(o_take_valid),
                .i_lacks(lacks), .o_error(overdue), .o_late(o_late)
            );
        end else begin : gen_no_groups
            assign start = i_start;
            assign {more, overdue, o_uneven} = 3'b000;
            assign {o_give_ready, o_take_valid, o_take_data, o_take_last, o_late} = {(4+LINK_BITS){1'b0}};
        end

        for (l = 0; l < LINKS; l = l + 1) begin : gen_link
            localparam [2*END_ROW-1:0] ROW   = LINK[l*2*END_ROW+:2*END_ROW];
            localparam [NODE_BITS-1:0] NODE0 = ROW[END_ROW+LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE0 = ROW[END_ROW+:LANE_BITS];
            localparam [NODE_BITS-1:0] NODE1 = ROW[LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] LANE1 = ROW[0+:LANE_BITS];
            wire [1:0]           drive = {gen_node[NODE1].drive[LANE1], gen_node[NODE0].drive[LANE0]};
            wire [FLIT_BITS-1:0] link; // with one set of wires
            wire [FLIT_BITS-1:0] out0 = gen_node[NODE0].out[LANE0*FLIT_BITS+:FLIT_BITS];
            wire [FLIT_BITS-1:0] out1 = gen_node[NODE1].out[LANE1*FLIT_BITS+:FLIT_BITS];
            assign o_trace_drive[2*l+:2] = drive;
            if (WIRES == 1) begin : gen_joined
                gfab_link #(
                    .LINK_BITS(FLIT_BITS)
                ) u_link (
                    .i_clk(i_clk), .i_rst(rst), .i_end0(out0), .i_drive0(drive[0]), .i_end1(out1),
                    .i_drive1(drive[1]), .o_link(link)
                );
                assign gen_node[NODE0].in[LANE0*FLIT_BITS+:FLIT_BITS] = link;
                assign gen_node[NODE1].in[LANE1*FLIT_BITS+:FLIT_BITS] = link;
                assign o_trace_link[l*LINK_BITS+:LINK_BITS] = link[LINK_BITS-1:0];
                assign gen_node[NODE0].in_drive[LANE0] = drive[1];
                assign gen_node[NODE1].in_drive[LANE1] = drive[0];
            end else begin : gen_wires
                // With PATHS drives go along.
                localparam WIRE_BITS = FLIT_BITS + (PATHS ? 1 : 0);
                wire [FLIT_BITS:0] near0 = {drive[0], out0};
                wire [FLIT_BITS:0] near1 = {drive[1], out1};
                wire [FLIT_BITS:0] far0, far1;
                gfab_delay #(
                    .BITS(WIRE_BITS), .CYCLES(LATENCY), .RESET(1)
                ) u_wire_0 (
                    .i_clk(i_clk), .i_rst(rst), .i_data(near0[WIRE_BITS-1:0]),
                    .o_data(far1[WIRE_BITS-1:0]), .o_taps()
                );
                gfab_delay #(
                    .BITS(WIRE_BITS), .CYCLES(LATENCY), .RESET(1)
                ) u_wire_1 (
                    .i_clk(i_clk), .i_rst(rst), .i_data(near1[WIRE_BITS-1:0]),
                    .o_data(far0[WIRE_BITS-1:0]), .o_taps()
                );
                if (!PATHS) begin : gen_no_drives
                    assign {far1[FLIT_BITS], far0[FLIT_BITS]} = 2'b0;
                end
                assign {gen_node[NODE0].in_drive[LANE0], gen_node[NODE0].in[LANE0*FLIT_BITS+:FLIT_BITS]} = far0;
                assign {gen_node[NODE1].in_drive[LANE1], gen_node[NODE1].in[LANE1*FLIT_BITS+:FLIT_BITS]} = far1;
                assign link = {FLIT_BITS{1'b0}};
                assign o_trace_link[2*l*LINK_BITS+:2*LINK_BITS] = {out1[LINK_BITS-1:0], out0[LINK_BITS-1:0]};
            end
        end

        for (r = 0; r < ROMS; r = r + 1) begin : gen_program
            wire [OP_BITS-1:0] op;
            wire [`GFAB_SEQUENCE_BITS(GAP_BITS)-1:0] what_follows; // all say the same: that of the first counts
            gfab_program #(
                .FILE(|FOLDER ? {FOLDER, "/program_", ROM[r*NAME_BITS+:NAME_BITS], ".hex"} : ""),
                .LANES(WIDE ? 1 : LANES), .LANE_MAP(LANE_MAP[r*64+:64]), .BITS(OP_BITS),
                .ROUND_BITS(ROUND_BITS), .GAP_BITS(GAP_BITS), .PROTECT(PROTECT), .STYLE(STYLE),
                .IMAGE_BITS(IMAGE_BITS), .IMAGE(`GFAB_IMAGE(IMAGES, PROGRAMS_AT + r))
            ) u_program (
                .i_clk(i_clk), .i_round(round), .i_lane(lane[(WIDE ? 1 : LANE_BITS)-1:0]), .o_op(op),
                .o_sequence(what_follows), .o_odd(odd_ops[r])
            );
        end

        for (v = 0; v < NODES; v = v + 1) begin : gen_node
            localparam [NODE_ROW-1:0]  ROW  = NODE[v*NODE_ROW+:NODE_ROW];
            localparam [NAME_BITS-1:0] NAME = ROW[NAME_AT+:NAME_BITS];
            localparam [`GFAB_BITS(ROMS)-1:0] NODE_ROM = ROW[ROM_AT+:`GFAB_BITS(ROMS)];
            wire [OP_BITS-1:0]         op   = gen_program[NODE_ROM].op;
            wire [LANES*FLIT_BITS-1:0] in, out;
            wire [LANES-1:0]           drive;
            wire [LANES-1:0]           in_drive; // with PATHS
            wire                       read = reads & ROW[MEMBER_AT]; // nobody reads a relay's words
            if (!WIDE) begin : gen_collides
                assign o_collides[v] = 1'b0; // who has checks of its own looks at it by itself
            end
            for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                if (!ROW[c]) begin : gen_absent
                    assign in[c*FLIT_BITS+:FLIT_BITS] = {FLIT_BITS{1'b0}};
                    assign in_drive[c] = 1'b0;
                end
            end

            // What a narrow node's store has, and where it goes.
            localparam NODE_LOAD_BITS = INDEX_BITS + (ANY_SLOT ? STORE_BITS : `GFAB_PART_BITS(PARTS));
            wire [LOAD_BITS+NODE_LOAD_BITS-1:0] load_word =
                {{NODE_LOAD_BITS{1'b0}}, i_load_word[v*LOAD_BITS+:LOAD_BITS]};
            wire [READ_BITS-1:0]  token = i_read_token[v*READ_BITS+:READ_BITS];
            wire [STORE_BITS-1:0] slot;
            wire                  fault, alarm, place_fault;
            assign o_fault[v] = fault | place_fault;
            assign alarms[v]  = alarm | place_fault;
            if (PLACED) begin : gen_places
                gfab_places #(
                    .FILE(|FOLDER ? {FOLDER, "/places_", NAME, ".hex"} : ""), .COUNT(READS), .PLACE_BITS(STORE_BITS),
                    .PROTECT(PROTECT), .IMAGE_BITS(IMAGE_BITS), .IMAGE(`GFAB_IMAGE(IMAGES, PLACES_AT + v))
                ) u_places (
                    .i_clk(i_clk), .i_rst(rst), .i_host_reads(read), .i_block(token), .o_place(slot),
                    .o_fault(place_fault)
                );
            end else begin : gen_slots
                assign slot        = token[(WIDE ? 1 : STORE_BITS)-1:0];
                assign place_fault = 1'b0;
            end

            if (STREAMS > 0 && v >= NODES - STREAMS) begin : gen_host
                localparam H = v - (NODES - STREAMS);
                gfab_stream_port #(
                    .LANES(LANES), .LANE_MASK(ROW[LANES-1:0]), .LINK_BITS(LINK_BITS), .FLITS(LANES * WORDS),
                    .SLOT_BITS(STORE_BITS), .FULL(FULL), .DIRECT(DIRECT), .LATENCY(LATENCY), .AGES(AGES),
                    .GIVES(GIVES_OF[H*8+:8]), .TAKES(TAKES_OF[H*8+:8])
                ) u_host (
                    .i_clk(i_clk), .i_rst(rst),
                    .i_give_valid(i_give_valid[H]), .o_give_ready(o_give_ready[H]),
                    .i_give_data(i_give_data[H*LINK_BITS+:LINK_BITS]), .i_give_last(i_give_last[H]),
                    .o_take_valid(o_take_valid[H]), .i_take_ready(i_take_ready[H]),
                    .o_take_data(o_take_data[H*LINK_BITS+:LINK_BITS]), .o_take_last(o_take_last[H]),
                    .o_holds(gen_groups.holds[H]), .o_lacks(gen_groups.lacks[H]),
                    .o_can(gen_groups.can[H]), .o_end(gen_groups.ends[H*END_BITS+:END_BITS]),
                    .i_begins(gen_groups.counts), .i_groups(gen_groups.groups),
                    .i_run(run), .i_strobe(strobe[LANES-1:0]), .i_op(op), .i_link(in), .o_link(out), .o_drive(drive)
                );
                assign {fault, alarm, balances[v], o_trace_check[v]} = 4'd0;
                assign o_read_data[v*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
                assign o_trace_write[v] = 1'b0;
                assign o_trace_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS] =
                    {STORE_BITS+INDEX_BITS{1'b0}};
                assign o_trace_data[v*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
            end else if (NARROW) begin : gen_narrow
                gfab_node #(
                    .SLOTS(SLOTS), .STORE_SLOTS({{(31-STORE_BITS){1'b0}}, ROW[STORE_AT+:STORE_BITS+1]}),
                    .PARTS(PARTS), .LANES(LANES), .LANE_MASK(ROW[LANES-1:0]), .SKEWED(SKEWED),
                    .SKEW({{(32-LANE_BITS){1'b0}}, ROW[SKEW_AT+:LANE_BITS]}), .LINK_BITS(LINK_BITS), .WORDS(WORDS),
                    .FULL(FULL), .GAPS(GAP_BITS > 0), .LATENCY(LATENCY), .REGISTERED(REGISTERED), .PROTECT(PROTECT),
                    .ANY_SLOT(ANY_SLOT), .OPERATOR(OPERATOR), .TOP_BIT(TOP_BIT)
                ) u_node (
                    .i_clk(i_clk), .i_rst(rst), .i_busy(hold), .i_rests(rests), .i_run(run),
                    .i_sequence_word(sequence_word), .i_strobe(strobe), .i_out_flit(out_flit), .i_in_lane(in_lane),
                    .i_write_word(write_word[INDEX_BITS*(SKEWED ? 2 : 1)-1:0]), .i_op(op), .i_combining(combining),
                    .i_host_reads(read), .i_own_slot(ROW[OWN_AT+:STORE_BITS]), .i_load_valid(i_load_valid[v]),
                    .i_load_word(load_word[NODE_LOAD_BITS-1:0]), .i_load_data(i_load_data[v*WORD_BITS+:WORD_BITS]),
                    .i_read_slot(slot), .i_read_word(i_read_word[v*INDEX_BITS+:INDEX_BITS]),
                    .o_read_data(o_read_data[v*WORD_BITS+:WORD_BITS]), .i_link(in), .o_link(out), .o_drive(drive),
                    .o_fault(fault), .o_alarm(alarm), .o_balance(balances[v]), .o_trace_write(o_trace_write[v]),
                    .o_trace_address(o_trace_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS]),
                    .o_trace_data(o_trace_data[v*WORD_BITS+:WORD_BITS]), .o_trace_check(o_trace_check[v])
                );
            end else if (PATHS) begin : gen_paths
                gfab_path_node #(
                    .PATHS_FILE(|FOLDER ? {FOLDER, "/paths_", NAME, ".hex"} : ""),
                    .PROGRAM_FILE(|FOLDER ? {FOLDER, "/program_", ROM[NODE_ROM*NAME_BITS+:NAME_BITS], ".hex"} : ""),
                    .IMAGE_BITS(IMAGE_BITS), .PATHS_IMAGE(`GFAB_IMAGE(IMAGES, PATHS_AT + v)),
                    .PROGRAM_IMAGE(`GFAB_IMAGE(IMAGES, PROGRAMS_AT + NODE_ROM)),
                    .LANE_MAP(LANE_MAP[NODE_ROM*64+:64]), .STYLE(STYLE), .ROUND_BITS(ROUND_BITS),
                    .WAIT_BITS(WAIT_BITS), .SLOTS(SLOTS), .ANY_SLOT(ANY_SLOT),
                    .STORE_SLOTS({{(31-STORE_BITS){1'b0}}, ROW[STORE_AT+:STORE_BITS+1]}), .PARTS(PARTS), .LANES(LANES),
                    .LANE_MASK(ROW[LANES-1:0]), .LINK_BITS(LINK_BITS), .WORDS(WORDS), .GAP_BITS(GAP_BITS),
                    .LATENCY(LATENCY), .PROTECT(PROTECT)
                ) u_node (
                    .i_clk(i_clk), .i_rst(rst), .i_busy(hold), .i_run(run), .i_round(round), .i_begin(round_begins),
                    .i_last_round(last_round), .i_sequence_word(sequence_word), .i_strobe(strobe),
                    .i_out_flit(out_flit), .i_load(writers_load), .i_lookup_lane(lookup_lane), .i_in_lane(in_lane),
                    .i_op(op[STORE_BITS+`GFAB_OP_SLOT_LSB-1:0]), .i_host_reads(read),
                    .i_own_slot(ROW[OWN_AT+:STORE_BITS]), .i_load_valid(i_load_valid[v]),
                    .i_load_word(load_word[NODE_LOAD_BITS-1:0]),
                    .i_load_data(i_load_data[v*WORD_BITS+:WORD_BITS]), .i_read_slot(slot),
                    .i_read_word(i_read_word[v*INDEX_BITS+:INDEX_BITS]),
                    .o_read_data(o_read_data[v*WORD_BITS+:WORD_BITS]), .i_link(in), .i_link_drive(in_drive),
                    .o_link(out), .o_drive(drive), .o_fault(fault), .o_alarm(alarm), .o_balance(balances[v]),
                    .o_trace_write(o_trace_write[v]),
                    .o_trace_address(o_trace_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS]),
                    .o_trace_data(o_trace_data[v*WORD_BITS+:WORD_BITS]), .o_trace_check(o_trace_check[v])
                );
            end else if (WIDE) begin : gen_wide
                localparam CHAIN_BITS = BANKS * (MERGES > 0 ? MERGES : 1) * FLIT_BITS;
                wire [CHAIN_BITS-1:0] lefts, rights, results;
                if (MERGES > 0) begin : gen_operators
                    assign o_lefts[v*CHAIN_BITS+:CHAIN_BITS]  = lefts;
                    assign o_rights[v*CHAIN_BITS+:CHAIN_BITS] = rights;
                    assign results = i_results[v*CHAIN_BITS+:CHAIN_BITS];
                end else begin : gen_no_operators
                    assign results = {CHAIN_BITS{1'b0}};
                end
                wire [WORD_BITS-1:0] there; // at a relay nobody's, and maybe nothing yet, which twins could tell apart
                assign o_read_data[v*WORD_BITS+:WORD_BITS] = there & {WORD_BITS{ROW[MEMBER_AT]}};
                gfab_wide_node #(
                    .FILE(|FOLDER ? {FOLDER, "/places_", NAME, ".hex"} : ""), .READS(READS),
                    .LOAD_FILE(|FOLDER && LOADS > 0 ? {FOLDER, "/loads_", NAME, ".hex"} : ""), .LOADS(LOADS),
                    .IMAGE_BITS(IMAGE_BITS), .IMAGE(`GFAB_IMAGE(IMAGES, PLACES_AT + v)),
                    .LOAD_IMAGE(`GFAB_IMAGE(IMAGES, LOADS > 0 ? LOADS_AT + v : PLACES_AT + v)),
                    .CELL_BITS(CELL_BITS), .LANES(LANES), .BANKS(BANKS), .LINK_BITS(LINK_BITS), .WORDS(WORDS),
                    .ROUND_BITS(ROUND_BITS), .DIRECT(DIRECT), .REGISTERED(REGISTERED), .LATENCY(LATENCY),
                    .PROTECT(PROTECT), .OPERATOR(OPERATOR), .MERGES(MERGES > 0 ? MERGES : 1),
                    .OPERATOR_CYCLES(OPERATOR_CYCLES),
                    .TAKES(TAKES), .GIVES(GIVES), .OWN(OWN)
                ) u_node (
                    .i_clk(i_clk), .i_rst(rst), .i_busy(hold), .i_run(run), .i_sequence_word(sequence_word),
                    .i_write_round(write_round), .i_write_word(write_word[INDEX_BITS-1:0]),
                    .i_program(op), .i_host_reads(read),
                    .i_load_valid(i_load_valid[v]), .i_load_word(i_load_word[v*LOAD_BITS+:LOAD_BITS]),
                    .i_load_data(i_load_data[v*WORD_BITS+:WORD_BITS]), .i_read_token(token),
                    .i_read_word(i_read_word[v*INDEX_BITS+:INDEX_BITS]),
                    .o_read_data(there), .o_collides(o_collides[v]), .i_link(in), .o_link(out), .o_drive(drive),
                    .o_lefts(lefts), .o_rights(rights), .i_results(results),
                    .o_fault(fault), .o_alarm(alarm), .o_balance(balances[v]),
                    .o_trace_write(o_trace_write[v*BANKS+:BANKS]),
                    .o_trace_address(o_trace_address[v*(ROUND_BITS+INDEX_BITS)+:ROUND_BITS+INDEX_BITS]),
                    .o_trace_data(o_trace_data[v*BANKS*WORD_BITS+:BANKS*WORD_BITS]),
                    .o_trace_check(o_trace_check[v*BANKS+:BANKS])
                );
            end else begin : gen_none
                assign {out, drive, fault, alarm, balances[v], o_trace_check[v]} = {LANES*(FLIT_BITS+1)+4{1'b0}};
                assign o_read_data[v*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
                assign o_trace_write[v] = 1'b0;
                assign o_trace_address[v*(STORE_BITS+INDEX_BITS)+:STORE_BITS+INDEX_BITS] =
                    {STORE_BITS+INDEX_BITS{1'b0}};
                assign o_trace_data[v*WORD_BITS+:WORD_BITS] = {WORD_BITS{1'b0}};
            end
        end

        if (MERGES == 0) begin : gen_no_lefts
            assign {o_lefts, o_rights} = 2'b00;
        end
        if (LINKS == 0) begin : gen_no_links
            assign o_trace_link  = {WIRES*LINK_BITS{1'b0}};
            assign o_trace_drive = 2'b0;
        end

        for (l = 0; l < CUTS; l = l + 1) begin : gen_cut
            localparam [NODE_BITS-1:0] CUT_NODE = CUT[l*END_ROW+LANE_BITS+:NODE_BITS];
            localparam [LANE_BITS-1:0] CUT_LANE = CUT[l*END_ROW+:LANE_BITS];
            assign o_cut[l*FLIT_BITS+:FLIT_BITS] = gen_node[CUT_NODE].out[CUT_LANE*FLIT_BITS+:FLIT_BITS];
            assign o_cut_drive[l] = gen_node[CUT_NODE].drive[CUT_LANE];
            assign gen_node[CUT_NODE].in[CUT_LANE*FLIT_BITS+:FLIT_BITS] = i_cut[l*FLIT_BITS+:FLIT_BITS];
            assign gen_node[CUT_NODE].in_drive[CUT_LANE] = 1'b0; // for test benches alone, so not from elsewhere
        end
        if (CUTS == 0) begin : gen_no_cuts
            assign o_cut       = 1'b0;
            assign o_cut_drive = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
