@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
//
// A gossip of R rounds takes
@IF GAP_BITS@
//     R x @CYCLES_PER_ROUND@ + @OVERHEAD_CYCLES@ cycles and the gaps between rounds
@ELSE@
//     R x @CYCLES_PER_ROUND@ + @OVERHEAD_CYCLES@ cycles
@END@
// from the edge that samples i_start = 1 to the edge that samples o_done = 1. README.md has the number for the programs
// in @ROM_FOLDER@/; they alone say how many rounds there are.
//
// How to read this: tables say what is particular to each node and link, with number 0 in the last row. One loop each
// makes node v, gen_node[v], and link l, gen_link[l], of row v and row l. Node v has bits [v*width +: width] of a bus.
@IF CHIP@
// This is chip @CHIP_NUMBER@; the text in row v of NODE is the number that its node v has in the whole fabric.
@ELSE@
// In a grid nodes are numbered row by row: row r and column c of C columns is node r*C + c.
@END@
`default_nettype none
`include "gfab_bits.vh"
`include "gfab_op.vh"

module @TOP@ (
    input  wire i_clk,
@IF OWN_CLOCK@
    input  wire i_rst, // asynchronous
    output wire o_rst, // for the chips that get theirs from here
@IF FIRST_CHIP@
    input  wire i_start, // one cycle, of all chips; ignored while o_busy is 1
@END@
@ELSE@
    input  wire i_rst,   // synchronous
    input  wire i_start, // one cycle; ignored while a gossip runs
@END@
@IF SEVERAL_PROGRAMS@
    // what i_start plays; counts in the cycle before that of i_start, and in no other
@FOR COLLECTIVES@
    // @NUMBER@ @COLLECTIVE@
@END@
    input  wire [@PROGRAM_BITS@-1:0] i_program,
@END@
@IF ALL_OPERATORS@
    // with i_start: 0 sum, 1 and, 2 or, 3 xor, 4 min, 5 max, with a sign; 6 min, 7 max, without
    input  wire [2:0] i_operator,
@END@
@IF OWN_CLOCK@
    output wire o_busy,  // from the start, or a reset, until the chip is ready for the next
    output wire o_done,  // from then to the next start; right if o_error = 0
    output wire o_error, // from a fault, which ends the gossip, to the next start
@ELSE@
    output wire o_busy,  // from the start to one cycle after o_done rises
    output wire o_done,  // from the end of a gossip to the next start
@END@
@IF PROTECT@
    output wire [@HERE@-1:0] o_fault, // a node's: now, as of the word at o_read_data; 0 while nothing is wrong
@IF !OWN_CLOCK@
    output wire o_error, // from the cycle after a fault, which ends the gossip, to the next start
@END@
    output wire [3:0] o_error_what, // one cycle later: one of sequencer, program, transfer, node
    output wire [@HERE@-1:0] o_error_nodes, // which node
    output wire [@ROUND_BITS@-1:0] o_error_round, // from 0
@END@
    // while o_busy = 0: write a word of @LOADED@
    input  wire [@HERE@-1:0] i_load_valid,
    input  wire [@HERE@*@LOAD_BITS@-1:0] i_load_word, // @LOAD_NUMBER@, 0 for the least significant
    input  wire [@HERE@*@WORD_BITS@-1:0] i_load_data,
    // while o_busy = 0: read a word of @READ@
    input  wire [@HERE@*@SLOT_BITS@-1:0] i_read_token,
    input  wire [@HERE@*@INDEX_BITS@-1:0] i_read_word,
    output wire [@HERE@*@WORD_BITS@-1:0] o_read_data, // one cycle later
@IF CHIP@
@INCLUDE gen/templates/chips/chip_ports.v@
@ELSE@
    // for test benches
@IF JOINED@
    output wire [@LINKS@*@LINK_BITS@-1:0] o_trace_link, // what is on each link
@ELSE@
    output wire [2*@LINKS@*@LINK_BITS@-1:0] o_trace_link, // what each end of each link puts out
@END@
    output wire [2*@LINKS@-1:0] o_trace_drive, // bit 2 link + end: that end drives
@IF WIDE@
    output wire [@NODES@*@BANKS@-1:0] o_trace_write, // a received word is written to each of the node's banks
    output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address, // {round, word}
    output wire [@NODES@*@BANKS@*@WORD_BITS@-1:0] o_trace_data
@ELSE@
    output wire [@NODES@-1:0] o_trace_write, // a received word is written to the node's store
    output wire [@NODES@*@TRACE_ADDRESS_BITS@-1:0] o_trace_address, // {store slot, word}
@IF CHECKED_TRACE@
    output wire [@NODES@-1:0] o_trace_check, // the word's check bit
@END@
    output wire [@NODES@*@WORD_BITS@-1:0] o_trace_data
@END@
@END@
);
    localparam NODES      = @NODES@;
@IF CHIP@
    localparam HERE       = @HERE@; // of them on this chip
@END@
@IF JOINED_LINKS@
    localparam LINKS      = @JOINED_LINKS@;
@END@
    localparam LANES      = @LANES@; // ports of the largest node
    localparam LINK_BITS  = @LINK_BITS@;
@IF WIDE@
    localparam BANKS      = @BANKS@; // RAMs of a node's store
    localparam WORDS      = @WORDS@; // flits of a token, and cycles of a round
@IF BLOCKS@
    localparam LOADS      = @LOADS@; // blocks that a node starts with, in all programs
    localparam READS      = @READS@; // blocks that a node wants, likewise
    localparam CELL_BITS  = @CELL_BITS@; // of a block's address in its bank
@END@
@ELSE@
    localparam PARTS      = @PARTS@; // of a token
@IF BLOCKS@
    localparam SLOTS      = @STORE_SLOTS@; // of a store, one for each block that it has at a time
@ELSE@
    localparam SLOTS      = NODES * PARTS; // of a store, one for each part
@END@
    localparam WORDS      = @WORDS@; // store words of a part; a round is LANES * WORDS cycles
@END@
    localparam ROUND_BITS = @ROUND_BITS@; // the ROMs hold 2^ROUND_BITS rounds
    localparam LATENCY    = @LATENCY_CYCLES@; // registers on every link
@IF COMBINES@
    localparam OPERATOR   = `GFAB_OPERATOR_@OPERATOR_NAME@;
    localparam TOP_BIT    = @TOP_BIT@; // of a token, in the word that has it
@END@
@IF PATHS@
    localparam WAIT_BITS  = @WAIT_BITS@; // of a path word's wait
@END@
@IF WIDE@
    localparam DIRECT     = @DIRECT@; // 1: no register between banks and links
@END@
@IF CHAINED@
    localparam MERGES     = @MERGES@; // operators of a bank, one behind the other
    localparam OPERATOR_CYCLES = @OPERATOR_CYCLES@; // of each of them
@END@
@IF CHECKED_FLITS@
    localparam FLIT_BITS  = LINK_BITS + 1; // a flit and its check bit
@END@
    localparam SLOT_BITS  = @OP_SLOT_BITS@; // of an op, above its kind
    localparam OP_BITS    = @OP_BITS@;
    localparam WORD_BITS  = @WORD_BITS@;
    localparam INDEX_BITS = @INDEX_BITS@; // of a word's number
    localparam LOAD_BITS  = @LOAD_BITS@;
    localparam NAME_BITS  = @NAME_BITS@; // of a node's number as text
@IF JOINED_LINKS@
    localparam NODE_BITS  = @NODE_BITS@; // of a node's number here
@END@
    localparam LANE_BITS  = @LANE_BITS@;

@IF WIDE@
    // Crossbar @CROSSBAR@: bit lane * BANKS + bank.
    localparam [LANES*BANKS-1:0] TAKES = @TAKES@;
    localparam [LANES*BANKS-1:0] GIVES = @GIVES@;
    localparam [BANKS-1:0]       OWN   = @OWN_BANKS@;

@END@
@IF SHARED@
    // Programs: @PROGRAM_FILES@ for @NODES@ nodes.
@IF LANE_MAPS@
    // Of each ROM its file and, a digit a lane, the lane of the file that stands in for it.
    localparam                       ROMS = @ROMS@;
    localparam                       ROM_ROW = NAME_BITS + 64;
    localparam [ROMS*ROM_ROW-1:0] ROM = {
@FOR ROMS@
        "@NAME@", 64'h@LANE_MAP@@COMMA@
@END@
    };
@ELSE@
    // Of each ROM its file.
    localparam                      ROMS = @ROMS@;
    localparam                      ROM_ROW = NAME_BITS;
    localparam [ROMS*ROM_ROW-1:0] ROM = {
@FOR ROMS@
        "@NAME@"@COMMA@
@END@
    };
@END@

@END@
@IF SEVERAL_PROGRAMS@
    // Of each number that i_program can be, the round in which the program begins; what is none of them is program 0.
    localparam [(ROUND_BITS<<@PROGRAM_BITS@)-1:0] FIRST_ROUND = {
@FOR CHOICES@
        @FIRST_ROUND@@COMMA@ // @NUMBER@ @COLLECTIVE@
@END@
    };

@END@
    // Of each node: @NODE_COLUMNS@.
    localparam                      NODE_ROW = @NODE_ROW@;
    localparam [@HERE_NAME@*NODE_ROW-1:0] NODE = {
@FOR NODES@
        "@NAME@", @ROM@@STORE@@OWN_SLOT@@SKEW@@LANE_MASK@@COMMA@ // @PEERS@
@END@
    };

@IF JOINED_LINKS@
    // Of each link: node and lane of end 0, node and lane of end 1.
    localparam                       END_ROW = NODE_BITS + LANE_BITS;
    localparam [LINKS*2*END_ROW-1:0] LINK = {
@FOR LINKS@
        @NODE_BITS@'d@NODE0@, @LANE_BITS@'d@LANE0@, @NODE_BITS@'d@NODE1@, @LANE_BITS@'d@LANE1@@COMMA@ // @LINK@
@END@
    };

@END@
    // Time: one for all nodes. What a kind of fabric has no use for is 0.
    wire [ROUND_BITS-1:0]   round, write_round;
    wire [LANE_BITS-1:0]    lane, lookup_lane;
    wire                    run, round_begins, writers_load;
    wire [INDEX_BITS-1:0]   sequence_word;
    wire [LANES*(@GAP_BITS@ > 0 ? 2 : 1)-1:0] strobe;
    wire [LANES-1:0]        first;
    wire [LANE_BITS*(@REGISTERED@ ? 2 : 1)-1:0] write_lane;
    wire [2*INDEX_BITS-1:0] write_word;
    wire [ROUND_BITS:0]     last_round;
    wire [`GFAB_COMBINING_BITS(LANES)*(@PROTECT@ ? 2 : 1)-1:0] combining;
    wire [OP_BITS-1:0]      halt_op = @HALT_OP@; // says when to halt
@IF OWN_CLOCK@
@INCLUDE gen/templates/chips/chip_control.v@
@END@
@IF PROTECT@
    // What a fault stops, and what notices one.
@IF !OWN_CLOCK@
    wire                    done;
@END@
    wire                    busy, stop, halts, last, sequencer_fault, transfer_fault, transfer_balance;
    wire                    rst  = @RESETS@ | stop;
    wire [@HERE_NAME@-1:0]        node_alarms, node_balances;
    wire [@ROMS@-1:0]       odd_ops;
@IF !TWIN_ROUNDS@
    wire [OP_BITS-1:0]      twin_op = gen_node[@HERE_NAME@-1].op;
@END@
    gfab_guard #(
        .NODES(@HERE_NAME@), .PROGRAMS(@ROMS@), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS)
    ) u_guard (
        .i_clk(i_clk), .i_rst(@RESET@), .i_start(@START@), .i_clear(@GUARD_CLEAR@), .i_busy(busy), .i_done(done),
        .i_run(run), .i_halt(halts),
        .i_last(last), .i_round(round), .i_sequencer_fault(sequencer_fault), .i_transfer_fault(transfer_fault),
        .i_transfer_balance(transfer_balance), .i_node_faults(node_alarms),
        .i_node_balances(node_balances), .i_odd_ops(odd_ops), .o_stop(stop), .o_busy(@GUARD_BUSY@),
        .o_done(@GUARD_DONE@), .o_error(@GUARD_ERROR@),
        .o_error_what(o_error_what), .o_error_nodes(o_error_nodes), .o_error_round(o_error_round)
    );
@IF CHIP@
@INCLUDE gen/templates/chips/chip_checks.v@
@ELSE@
    assign transfer_fault   = 1'b0;
    assign transfer_balance = 1'b0;
@END@
@END@
    gfab_time #(
        .LANES(LANES), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .LATENCY(LATENCY), .DIRECT(@DIRECT@),
        .SKEWED(@SKEWED@), .REGISTERED(@REGISTERED@), .WIDE(@WIDE@), .CHAIN(@MERGES@ * @OPERATOR_CYCLES@),
        .PATHS(@PATHS@), .GAP_BITS(@GAP_BITS@), .GAP_FILE("@GAP_FILE@"), .OPERATOR(@OPERATOR@), .FLITS(@TOKEN_FLITS@),
        .PROTECT(@PROTECT@), .ROUNDS(@PAIR_ROUNDS@)
    ) u_time (
        .i_clk(i_clk), .i_rst(@RST@), .i_start(@START@),
@IF SEVERAL_PROGRAMS@
        .i_first_round(FIRST_ROUND[i_program*ROUND_BITS+:ROUND_BITS]),
@ELSE@
        .i_first_round({ROUND_BITS{1'b0}}),
@END@
        .i_operator(@CHOICE@), .i_op(halt_op[2:0]),
@IF PROTECT@
@IF TWIN_ROUNDS@
        .i_twin_op(3'd0),
@ELSE@
        .i_twin_op(twin_op[2:0]),
@END@
        .o_fault(sequencer_fault), .o_halt(halts), .o_last(last),
@ELSE@
        .i_twin_op(3'd0), .o_fault(), .o_halt(), .o_last(),
@END@
        .o_busy(@SEQUENCER_BUSY@), .o_done(@SEQUENCER_DONE@),
        .o_round(round), .o_lane(lane), .o_run(run), .o_read_word(sequence_word), .o_strobe(strobe),
        .o_first(first), .o_write_lane(write_lane), .o_write_word(write_word), .o_write_round(write_round),
        .o_combining(combining), .o_begin(round_begins), .o_last_round(last_round), .o_load(writers_load),
        .o_lookup_lane(lookup_lane)
    );

    genvar @GENVARS@;
    generate
@IF SHARED@
        for (r = 0; r < ROMS; r = r + 1) begin : gen_program
            wire [OP_BITS-1:0] op;
            gfab_program #(
@IF LANE_MAPS@
                .FILE({"@ROM_FOLDER@/program_", ROM[r*ROM_ROW+64+:NAME_BITS], ".hex"}), .LANE_MAP(ROM[r*ROM_ROW+:64]),
@ELSE@
                .FILE({"@ROM_FOLDER@/program_", ROM[r*ROM_ROW+:NAME_BITS], ".hex"}),
@END@
                .LANES(@PROGRAM_LANES@), .SLOT_BITS(SLOT_BITS), .ROUND_BITS(ROUND_BITS)@HALVES@@CHECKS@@ROM_STYLE@
            ) u_program (
                .i_clk(i_clk), .i_round(round), .i_lane(@PROGRAM_LANE@), .o_op(op),
@IF PROTECT@
                .o_odd(odd_ops[r])
@ELSE@
                .o_odd()
@END@
            );
        end

@END@
        for (v = 0; v < @HERE_NAME@; v = v + 1) begin : gen_node
            localparam [NODE_ROW-1:0]  ROW  = NODE[v*NODE_ROW+:NODE_ROW];
@IF NAMED@
            localparam [NAME_BITS-1:0] NAME = ROW[NODE_ROW-1-:NAME_BITS];
@END@
            wire [OP_BITS-1:0]         op;
            wire [LANES*@FLIT@-1:0] in, out;
            wire [LANES-1:0]           drive;
@IF PATHS@
            wire [LANES-1:0]           in_drive;
@END@
@IF ABSENT_LANES@
            for (c = 0; c < LANES; c = c + 1) begin : gen_lane
                if (!ROW[c]) begin : gen_absent
                    assign in[c*@FLIT@+:@FLIT@] = {@FLIT@{1'b0}};
@IF PATHS@
                    assign in_drive[c] = 1'b0;
@END@
                end
            end
@END@

@IF SHARED@
            assign op = gen_program[ROW[@ROM_AT@+:@ROM_NUMBER_BITS@]].op;
@ELSE@
            gfab_program #(
                .FILE({"@ROM_FOLDER@/program_", NAME, ".hex"}),
                .LANES(@PROGRAM_LANES@), .SLOT_BITS(SLOT_BITS), .ROUND_BITS(ROUND_BITS)@HALVES@@CHECKS@@ROM_STYLE@
            ) u_program (
                .i_clk(i_clk), .i_round(round), .i_lane(@PROGRAM_LANE@), .o_op(op),
@IF PROTECT@
                .o_odd(odd_ops[v])
@ELSE@
                .o_odd()
@END@
            );
@END@
@IF PROTECT@
@IF RELAYS@
            wire reads = done & ~busy & ROW[@MEMBER_AT@]; // nobody reads a relay's words
@ELSE@
            wire reads = done & ~busy;
@END@
@END@
@IF READ_SLOT@
            wire [SLOT_BITS-1:0] read_slot;
@END@
@IF PLACED@
@INCLUDE gen/templates/gossip_fabric_places.v@
@END@
@IF WIDE@
            gfab_wide_node #(
@IF BLOCKS@
                .FILE({"@ROM_FOLDER@/places_", NAME, ".hex"}), .READS(READS),
                .LOAD_FILE({"@ROM_FOLDER@/loads_", NAME, ".hex"}), .LOADS(LOADS),
                .CELL_BITS(CELL_BITS), .LANES(LANES), .BANKS(BANKS),
@IF COMBINES_WIDE@
                .OPERATOR(`GFAB_OPERATOR_@OPERATOR_NAME@),
@END@
@IF CHAINED@
                .MERGES(MERGES), .OPERATOR_CYCLES(OPERATOR_CYCLES),
@END@
@ELSE@
                .FILE({"@ROM_FOLDER@/places_", NAME, ".hex"}), .READS(NODES), .LANES(LANES), .BANKS(BANKS),
@END@
                .LINK_BITS(LINK_BITS), .WORDS(WORDS), .ROUND_BITS(ROUND_BITS), .DIRECT(DIRECT), .LATENCY(LATENCY),
                .TAKES(TAKES), .GIVES(GIVES), .OWN(OWN)@CHECKS@
            ) u_node (
                .i_clk(i_clk), .i_rst(@RST@), .i_busy(@BUSY@), .i_run(run), .i_sequence_word(sequence_word),
                .i_write_round(write_round), .i_write_word(write_word[INDEX_BITS-1:0]),
                .i_program(op[OP_BITS-1:`GFAB_OP_SLOT_LSB]),
                .i_read_token(i_read_token[v*@SLOT_BITS@+:@SLOT_BITS@]),
@ELSE@
@IF PATHS@
            gfab_path_node #(
                .PATHS_FILE({"@ROM_FOLDER@/paths_", NAME, ".hex"}),
                .PROGRAM_FILE({"@ROM_FOLDER@/program_", NAME, ".hex"}),
                .ROUND_BITS(ROUND_BITS), .WAIT_BITS(WAIT_BITS),
                .SLOTS(SLOTS), .PARTS(PARTS), .LANES(LANES), .LANE_MASK(ROW[LANES-1:0]),
                .LINK_BITS(LINK_BITS), .WORDS(WORDS)@GAPS@, .LATENCY(LATENCY)
            ) u_node (
                .i_clk(i_clk), .i_rst(@RST@), .i_busy(o_busy), .i_run(run), .i_round(round), .i_begin(round_begins),
                .i_last_round(last_round), .i_sequence_word(sequence_word), .i_strobe(strobe), .i_first(first),
                .i_load(writers_load), .i_lookup_lane(lookup_lane), .i_write_lane(write_lane),
                .i_op(op[SLOT_BITS+`GFAB_OP_SLOT_LSB-1:0]), .i_link_drive(in_drive),
@ELSE@
            gfab_node #(
                .SLOTS(SLOTS), .PARTS(PARTS), .LANES(LANES), .LANE_MASK(ROW[LANES-1:0]),
@IF RELAYS@
                .STORE_SLOTS({{(31-SLOT_BITS){1'b0}}, ROW[@STORE_AT@+:SLOT_BITS+1]}),
@END@
@IF SKEW@
                .SKEWED(1), .SKEW({{(32-LANE_BITS){1'b0}}, ROW[LANES+:LANE_BITS]}),
@END@
@IF COMBINES@
                .OPERATOR(OPERATOR), .TOP_BIT(TOP_BIT),
@END@
                .LINK_BITS(LINK_BITS), .WORDS(WORDS)@HALVES@@GAPS@, .LATENCY(LATENCY)@REGISTERS@@CHECKS@@ANY_SLOT@
            ) u_node (
                .i_clk(i_clk), .i_rst(@RST@), .i_busy(@BUSY@), .i_run(run), .i_sequence_word(sequence_word),
                .i_strobe(strobe), .i_first(first), .i_write_lane(write_lane),
@IF SKEW@
                .i_write_word(write_word), .i_op(op), .i_combining(combining),
@ELSE@
                .i_write_word(write_word[INDEX_BITS-1:0]), .i_op(op), .i_combining(combining),
@END@
@END@
                .i_own_slot(ROW[@OWN_AT@+:SLOT_BITS]),
@IF READ_SLOT@
                .i_read_slot(read_slot),
@ELSE@
                .i_read_slot(i_read_token[v*SLOT_BITS+:SLOT_BITS]),
@END@
@END@
                .i_load_valid(i_load_valid[v]), @LOADED_WORD@,
                .i_load_data(i_load_data[v*WORD_BITS+:WORD_BITS]), .i_read_word(i_read_word[v*INDEX_BITS+:INDEX_BITS]),
                .o_read_data(o_read_data[v*WORD_BITS+:WORD_BITS]),
@IF CHIP@
                .o_trace_write(), .o_trace_address(), .o_trace_data(),
@ELSE@
@IF WIDE@
                .o_trace_write(o_trace_write[v*BANKS+:BANKS]),
                .o_trace_address(o_trace_address[v*(ROUND_BITS+INDEX_BITS)+:ROUND_BITS+INDEX_BITS]),
                .o_trace_data(o_trace_data[v*BANKS*WORD_BITS+:BANKS*WORD_BITS]),
@ELSE@
                .o_trace_write(o_trace_write[v]),
                .o_trace_address(o_trace_address[v*(SLOT_BITS+INDEX_BITS)+:SLOT_BITS+INDEX_BITS]),
                .o_trace_data(o_trace_data[v*WORD_BITS+:WORD_BITS]),
@END@
@END@
@IF !PATHS@
@IF !WIDE@
@IF CHECKED_TRACE@
                .o_trace_check(o_trace_check[v]),
@ELSE@
                .o_trace_check(),
@END@
@END@
@IF PROTECT@
                .i_host_reads(reads), @NODE_FAULTS@,
                .o_balance(node_balances[v]),
@ELSE@
                .i_host_reads(1'b0), .o_fault(), .o_alarm(), .o_balance(),
@END@
@END@
                .i_link(in), .o_link(out), .o_drive(drive)
            );
        end
@INCLUDE gen/templates/gossip_fabric_links.v@
    endgenerate
@IF FRAME@

    // From a token's origin to its store slot, of each node.
@FOR NODES@
    gfab_frame #(
        .TOKENS(SLOTS), .SLOTS(@FRAME_TABLE@)
    ) u_frame_@NAME@ (
        .i_token(i_read_token[@PLACE@*SLOT_BITS+:SLOT_BITS]), .o_slot(gen_node[@PLACE@].read_slot)
    );
@END@
@END@
@IF CHIP@

@INCLUDE gen/templates/chips/chip_links.v@
@END@
endmodule

`default_nettype wire
