/* SPDX-License-Identifier: MIT */
/* The ports of the generated tops, and when each is there: the one list that tops, the wires of what has an instance
 * of them, the tops with ports of their own for each node and through these the components of VHDL follow; what a
 * top's gfab_fabric is joined to; and the macros by which benches know what a fabric has.
 *
 * A template lists a group: @FOR HOST@ .. @END@. The texts of a row are of the templates' language themselves. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <ctype.h>
#include <gossipfab/base/text.h>
#include <stdlib.h>
#include <string.h>

#define LOADED_WORD "while o_busy = 0: write a word of @LOADED@"
#define READ_WORD "while o_busy = 0: read a word of @READ@"
#define TRACED                                                                                                         \
    "for test benches, where GFAB_TRACE is defined: what is on each link, or what each end puts out; bit 2 link + "    \
    "end:\n    // that end drives; a received word is written to the node's store, at {slot, word}, or to a bank, at " \
    "{round, word}"
#define COMMANDED \
    "what is played next, a beat for each collective: {i_operator, i_program} of @FABRIC@, 0 where it has it not"

/* Streams into and out of each of count, of beats of so many bits; `of` stands behind the letter of their names. The
 * rest are the rows of what ends a packet that goes in. */
#define AXIS_LAST(group, when, of, count, remark)                               \
    {                                                                           \
        group, when, "i s" of "_axis_tlast", count, "", remark, "", "give_last" \
    }
#define AXIS_PORTS(group, of, count, bits, ...)                                             \
    {group, "", "i s" of "_axis_tvalid", count, "", "", "", "give_valid"},                  \
        {group, "", "o s" of "_axis_tready", count, "", "", "", "give_ready"},              \
        {group, "", "i s" of "_axis_tdata", count, bits, "", "", "give_data"}, __VA_ARGS__, \
        {group, "", "o m" of "_axis_tvalid", count, "", "", "", "take_valid"},              \
        {group, "", "i m" of "_axis_tready", count, "", "", "", "take_ready"},              \
        {group, "", "o m" of "_axis_tdata", count, bits, "", "", "take_data"},              \
    {                                                                                       \
        group, "", "o m" of "_axis_tlast", count, "", "", "", "take_last"                   \
    }

/* Columns: group, when, name, of how many (none: one for all), bits of each (none: 1), what it is, what is said above,
 * how the wire is called that an instance has for it (none: as the port, without what it begins with; " ": no wire). */
static const gfab_gen_port ports[] = {
    /* What starts a fabric and says when it ends. */
    {"CONTROL", "OWN_CLOCK", "i_rst", "", "", "asynchronous", "", ""},
    {"CONTROL", "OWN_CLOCK", "o_rst", "", "", "for the chips that get theirs from here", "", ""},
    {"CONTROL", "OWN_CLOCK FIRST_CHIP", "i_start", "", "", "one cycle, of all chips; ignored while o_busy is 1", "",
     ""},
    {"CONTROL", "OWN_CLOCK", "o_busy", "", "", "from the start, or a reset, until the chip is ready for the next", "",
     ""},
    {"CONTROL", "OWN_CLOCK", "o_done", "", "", "from then to the next start; right if o_error = 0", "", ""},
    {"CONTROL", "OWN_CLOCK", "o_error", "", "", "from a fault, which ends the gossip, to the next start", "", ""},
    {"CONTROL", "!OWN_CLOCK", "i_rst", "", "", "synchronous", "", ""},
    {"CONTROL", "!OWN_CLOCK", "i_start", "", "", "one cycle; ignored while a gossip runs", "", ""},
    {"CONTROL", "!OWN_CLOCK", "o_busy", "", "", "from the start to one cycle after o_done rises", "", ""},
    {"CONTROL", "!OWN_CLOCK", "o_done", "", "", "from the end of a gossip to the next start", "", ""},
    /* What is played, of several. */
    {"CHOICE", "SEVERAL_PROGRAMS OWN_CLOCK", "i_program", "", "@PROGRAM_BITS@", "",
     "what is played, a row of FIRST_ROUND; the same at all chips, and steady from before the start of chip 0 until\n"
     "    // that one is done",
     "program_number"},
    {"CHOICE", "SEVERAL_PROGRAMS !OWN_CLOCK", "i_program", "", "@PROGRAM_BITS@", "",
     "what i_start plays, a row of FIRST_ROUND; counts in the cycle before that of i_start, and in no other",
     "program_number"},
    {"CHOICE", "ALL_OPERATORS", "i_operator", "", "3", "",
     "with i_start: 0 sum, 1 and, 2 or, 3 xor, 4 min, 5 max, with a sign; 6 min, 7 max, without", ""},
    {"PROGRAM", "SEVERAL_PROGRAMS", "i_program", "", "@PROGRAM_BITS@", "steady from before the start on", "", ""},
    {"OF_CLOCKS", "SEVERAL_PROGRAMS", "i_program", "", "", "", "", "i_program"},
    {"OF_CLOCKS", "ALL_OPERATORS", "i_operator", "", "", "", "", "3'd7"},
    /* Of the module that chooses. */
    {"CHOSEN", "SEVERAL_PROGRAMS", "o_program", "", "", "", "", "program_number"},
    {"CHOSEN", "!SEVERAL_PROGRAMS", "o_program", "", "", "", "", " "},
    {"CHOSEN", "ALL_OPERATORS", "o_operator", "", "", "", "", "operator"},
    {"CHOSEN", "!ALL_OPERATORS", "o_operator", "", "", "", "", " "},
    /* What a protected fabric says, {of each node, of all}. */
    {"FAULT", "PROTECT", "o_fault", "@HERE@", "",
     "a node's: now, as of the word at o_read_data; 0 while nothing is wrong", "", "faults"},
    {"ERROR", "PROTECT !OWN_CLOCK", "o_error", "", "",
     "from the cycle after a fault, which ends the gossip, to the next start", "", "fabric_error"},
    {"REPORT", "PROTECT", "o_error_what", "", "4", "one cycle later: one of sequencer, program, transfer, node", "",
     "fault"},
    {"REPORT", "PROTECT", "o_error_nodes", "@HERE@", "", "which node", "", "fault_nodes"},
    {"REPORT", "PROTECT", "o_error_round", "", "@ROUND_BITS@", "from 0", "", "fault_round"},
    {"REPORTED", "PROTECT REGISTERS", "o_error_what", "", "", "", "", "fault"},
    {"REPORTED", "PROTECT REGISTERS", "o_error_nodes", "", "", "", "", "fault_nodes"},
    {"REPORTED", "PROTECT REGISTERS", "o_error_round", "", "", "", "", "fault_round"},
    {"REPORTED", "PROTECT !REGISTERS", "o_error_what", "", "", "", "", " "},
    {"REPORTED", "PROTECT !REGISTERS", "o_error_nodes", "", "", "", "", " "},
    {"REPORTED", "PROTECT !REGISTERS", "o_error_round", "", "", "", "", " "},
    /* Wires in their place. */
    {"NO_ERROR", "!PROTECT", "", "", "", "the fabric watches nothing itself", "", "fabric_error = 1'b0"},
    {"NO_REPORT", "!PROTECT", "", "", "4", "", "", "fault = 4'b0"},
    {"NO_REPORT", "!PROTECT", "", "@HERE@", "", "", "", "fault_nodes = @HERE@'d0"},
    {"NO_REPORT", "!PROTECT", "", "", "@ROUND_BITS@", "", "", "fault_round = @ROUND_BITS@'d0"},
    /* What benches and second stores see. */
    {"TRACE", "!CHIP OVERLAP", "o_trace_link", "@WIRES@*@LINKS@", "@LINK_BITS@", "",
     "what links carry, and what nodes write of it", ""},
    {"TRACE", "!CHIP !OVERLAP", "o_trace_link", "@WIRES@*@LINKS@", "@LINK_BITS@", "", TRACED, ""},
    {"TRACE", "!CHIP", "o_trace_drive", "2*@LINKS@", "", "", "", ""},
    {"TRACE", "!CHIP", "o_trace_write", "@NODES@*@BANKS@", "", "", "", ""},
    {"TRACE", "!CHIP", "o_trace_address", "@NODES@", "@TRACE_ADDRESS_BITS@", "", "", ""},
    {"TRACE", "!CHIP CHECKED_TRACE", "o_trace_check", "@NODES@*@BANKS@", "", "", "", ""},
    {"TRACE", "!CHIP", "o_trace_data", "@NODES@*@BANKS@", "@WORD_BITS@", "", "", ""},
    {"PAD_TRACE", "CHIP !FULL_DUPLEX", "o_trace_pad_drive", "@CUTS@", "",
     "for test benches: each of these is driven from here", "", ""},
    /* What second stores are given of these, and what they are not. */
    {"UNSEEN", "OVERLAP", "o_trace_link", "", "", "", "", ""},
    {"UNSEEN", "OVERLAP", "o_trace_drive", "", "", "", "", ""},
    {"SECOND", "OVERLAP", "o_trace_write", "@NODES@*@BANKS@", "", "", "", ""},
    {"SECOND", "OVERLAP", "o_trace_address", "@NODES@", "@TRACE_ADDRESS_BITS@", "", "", ""},
    {"SECOND", "OVERLAP", "o_trace_data", "@NODES@*@BANKS@", "@WORD_BITS@", "", "", ""},
    {"SECOND", "CHECKED_TRACE", "o_trace_check", "@NODES@*@BANKS@", "", "", "", ""},
    {"WRITTEN", "CHECKED_TRACE", "i_write_check", "", "", "", "", "trace_check"},
    {"WRITTEN", "OVERLAP !CHECKED_TRACE", "i_write_check", "", "", "", "", "{@NODES@*@BANKS@{1'b0}}"},
    {"WRITTEN", "!OVERLAP", "i_write_check", "", "", "", "", "@NODES@'d0"},
    {"WRITTEN", "OVERLAP", "i_write", "", "", "", "", "trace_write"},
    {"WRITTEN", "OVERLAP", "i_write_address", "", "", "", "", "trace_address"},
    {"WRITTEN", "OVERLAP", "i_write_data", "", "", "", "", "trace_data"},
    {"WRITTEN", "!OVERLAP", "i_write", "", "", "", "", "@NODES@'d0"},
    {"WRITTEN", "!OVERLAP", "i_write_address", "", "", "", "", "{@NODES@*(1+@INDEX_BITS@){1'b0}}"},
    {"WRITTEN", "!OVERLAP", "i_write_data", "", "", "", "", "{@NODES@*@WORD_BITS@{1'b0}}"},
    {"WORD_TRACE", "", "o_trace_link", "2*@WORD_LINKS@", "@LINK_BITS@", "",
     "for test benches, where GFAB_TRACE is defined; bit 2 link + end: what each end puts out, whether it does, and\n"
     "    // whether it would be taken",
     ""},
    {"WORD_TRACE", "", "o_trace_drive", "2*@WORD_LINKS@", "", "", "", ""},
    {"WORD_TRACE", "", "o_trace_ready", "2*@WORD_LINKS@", "", "", "", ""},
    /* The host, at each node. */
    {"HOST", "!STREAMS", "i_load_valid", "@HERE@", "", "", LOADED_WORD, ""},
    {"HOST", "!STREAMS", "i_load_word", "@HERE@", "@LOAD_BITS@", "@LOAD_NUMBER@, 0 for the least significant", "", ""},
    {"HOST", "!STREAMS", "i_load_data", "@HERE@", "@WORD_BITS@", "", "", ""},
    {"HOST", "!STREAMS", "i_read_token", "@HERE@", "@SLOT_BITS@", "", READ_WORD, ""},
    {"HOST", "!STREAMS", "i_read_word", "@HERE@", "@INDEX_BITS@", "", "", ""},
    {"HOST", "!STREAMS", "o_read_data", "@HERE@", "@WORD_BITS@", "one cycle later", "", ""},
    /* Streams of any length, at each host. */
    AXIS_PORTS("STREAM", "", "@STREAMS@", "@BEAT_BITS@", AXIS_LAST("STREAM", "", "", "@STREAMS@", "")),
    {"STREAM_ERROR", "!PROTECT", "o_error", "", "", "the time limit is over", "until the reset", ""},
    {"STREAM_ERROR", "PROTECT", "o_error", "", "",
     "the time limit is over, or a bit flipped: two cycles behind a wrong beat at the latest", "until the reset", ""},
    {"STREAM_ERROR", "PROTECT", "o_fault", "@STREAMS@", "", "then: of these hosts", "", ""},
    {"STREAM_ERROR", "", "o_late", "@STREAMS@", "", "where the limit is over: hosts that were waited for", "", ""},
    {"STREAM_ERROR", "", "o_uneven", "", "", "vectors of one operation had different lengths", "", ""},
    /* AXI4-Stream at each node: what happens, what is played, the packets. */
    {"STATUS", "REGISTERS", "o_interrupt", "", "", "as the register INTERRUPT says", "", ""},
    {"STATUS", "!REGISTERS", "o_busy", "", "", "a gossip runs", "", ""},
    {"STATUS", "!REGISTERS", "o_error", "", "", "until i_clear: nothing moves", "", ""},
    {"STATUS", "!REGISTERS", "o_status", "", "3",
     "the last error: 1 a token late, 2 a packet @LONG@, 3 stuck, 4 the fabric's own", "", ""},
    {"STATUS", "!REGISTERS", "o_error_nodes", "@NODES@", "", "1 and 2: of these nodes", "", ""},
    {"STATUS", "!REGISTERS", "i_clear", "", "", "begin anew after an error; may be tied to 1", "", ""},
    /* Who looks at them: registers, or who has the top. */
    {"WATCHED", "REGISTERS", "i_clear", "", "", "", "", "clear"},
    {"WATCHED", "REGISTERS", "o_error", "", "", "", "", "error"},
    {"WATCHED", "REGISTERS", "o_status", "", "", "", "", "status"},
    {"WATCHED", "REGISTERS", "o_error_nodes", "", "", "", "", "error_nodes"},
    {"WATCHED", "REGISTERS", "o_load", "", "", "", "", "load"},
    {"WATCHED", "REGISTERS", "o_unload", "", "", "", "", "unload"},
    {"WATCHED", "!REGISTERS", "i_clear", "", "", "", "", "i_clear"},
    {"WATCHED", "!REGISTERS", "o_error", "", "", "", "", "o_error"},
    {"WATCHED", "!REGISTERS", "o_status", "", "", "", "", "o_status"},
    {"WATCHED", "!REGISTERS", "o_error_nodes", "", "", "", "", "o_error_nodes"},
    {"WATCHED", "!REGISTERS", "o_load", "", "", "", "", " "},
    {"WATCHED", "!REGISTERS", "o_unload", "", "", "", "", " "},
    {"COMMAND", "COMMANDS !REGISTERS", "i s_command_tvalid", "", "", "", COMMANDED, ""},
    {"COMMAND", "COMMANDS !REGISTERS", "o s_command_tready", "", "", "", "", ""},
    {"COMMAND", "COMMANDS !REGISTERS", "i s_command_tdata", "", "@COMMAND_BITS@", "", "", ""},
    {"COMMANDED", "COMMANDS", "i s_command_tvalid", "", "", "", "", "s_command_tvalid"},
    {"COMMANDED", "COMMANDS", "o s_command_tready", "", "", "", "", "s_command_tready"},
    {"COMMANDED", "COMMANDS", "i s_command_tdata", "", "@COMMAND_BITS@", "", "", "s_command_tdata"},
    {"COMMANDED", "!COMMANDS", "i s_command_tvalid", "", "", "", "", "1'b0"},
    {"COMMANDED", "!COMMANDS", "o s_command_tready", "", "", "", "", " "},
    {"COMMANDED", "!COMMANDS", "i s_command_tdata", "", "", "", "", "4'd0"},
    AXIS_PORTS("AXIS", "", "@NODES@", "@TOKEN_BITS@", AXIS_LAST("AXIS", "BLOCKS", "", "@NODES@", ""),
               AXIS_LAST("AXIS", "!BLOCKS", "", "@NODES@", "1: a token is a packet of one beat")),
    /* The same of one node, in bytes; the wire is the part of the vector. */
    {"NODE_COMMAND", "COMMANDS", "i s_command_tvalid", "", "", "", COMMANDED, "s_command_tvalid"},
    {"NODE_COMMAND", "COMMANDS", "o s_command_tready", "", "", "", "", "s_command_tready"},
    {"NODE_COMMAND", "COMMANDS", "i s_command_tdata", "", "@COMMAND_TDATA_BITS@", "", "",
     "s_command_tdata[@COMMAND_BITS@-1:0]"},
    AXIS_PORTS("NODE_AXIS", "@PORT@", "", "@TDATA_BITS@", AXIS_LAST("NODE_AXIS", "", "@PORT@", "", "")),
    {"NODE_AXIS", "TKEEP", "i s@PORT@_axis_tkeep", "", "@TDATA_BYTES@", "not looked at: a beat is whole", "", ""},
    {"NODE_AXIS", "TKEEP", "o m@PORT@_axis_tkeep", "", "@TDATA_BYTES@", "", "", ""},
    /* A processor's bus. */
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_awvalid", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_awready", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_awaddr", "", "@ADDRESS_BITS@", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_wvalid", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_wready", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_wdata", "", "32", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_wstrb", "", "4", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_bvalid", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_bready", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_bresp", "", "2", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_arvalid", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_arready", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_araddr", "", "@ADDRESS_BITS@", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_rvalid", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "i s_axil_rready", "", "", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_rdata", "", "32", "", "", ""},
    {"BUS", "REGISTERS AXI_LITE", "o s_axil_rresp", "", "2", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_cyc", "", "", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_stb", "", "", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_we", "", "", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_adr", "", "@ADDRESS_BITS@-1:2", "of a register of 32 bits", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_dat", "", "32", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "i_wb_sel", "", "4", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "o_wb_ack", "", "", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "o_wb_err", "", "", "", "", ""},
    {"BUS", "REGISTERS WISHBONE", "o_wb_dat", "", "32", "", "", ""},
    /* What a top has inside, by the names of the ports of gfab_fabric. */
    {"INSIDE", "CHAINED", "o_lefts", "", "", "", "", "lefts"},
    {"INSIDE", "CHAINED", "o_rights", "", "", "", "", "rights"},
    {"INSIDE", "CHAINED", "i_results", "", "", "", "", "results"},
    {"INSIDE", "CHIP TWINS", "i_cut", "", "", "", "", "{twin_cut_in, cut_in}"},
    {"INSIDE", "CHIP TWINS", "o_cut", "", "", "", "", "{twin_cut_out, cut_out}"},
    {"INSIDE", "CHIP TWINS", "o_cut_drive", "", "", "", "", "{twin_cut_drive, cut_drive}"},
    {"INSIDE", "CHIP !TWINS", "i_cut", "", "", "", "", "cut_in"},
    {"INSIDE", "CHIP !TWINS", "o_cut", "", "", "", "", "cut_out"},
    {"INSIDE", "CHIP !TWINS", "o_cut_drive", "", "", "", "", "cut_drive"},
    {"INSIDE", "CHIP CHECKED", "i_transfer_fault", "", "", "", "", "transfer_fault"},
    {"INSIDE", "CHIP CHECKED", "i_transfer_balance", "", "", "", "", "^pad_balances"},
    {"INSIDE", "OWN_CLOCK PROTECT", "o_error", "", "", "", "", "fabric_error"},
    {"INSIDE", "OWN_CLOCK !PROTECT", "o_error", "", "", "", "", ""},
    /* What benches are told a fabric has. */
    {"MACRO", "OVERLAP", "GF_OVERLAP", "", "", "", "", ""},
    {"MACRO", "WIDE", "GF_WIDE_NODES", "", "", "", "", ""},
    {"MACRO", "PROTECT", "GF_PROTECTED", "", "", "", "", ""},
    {"MACRO", "PROTECT HAS_REGISTERS TWINS", "GF_GUARD u_guard.u_guard", "", "", "", "", ""},
    {"MACRO", "PROTECT HAS_REGISTERS !TWINS", "GF_GUARD u_fabric.gen_guard.u_guard", "", "", "", "", ""},
    {"MACRO", "BOARD", "GF_TOPOLOGY \"@TOPOLOGY@\"", "", "", "", "with this the lines of the self-test begin", ""},
    {"MACRO", "BOARD", "GF_TOPOLOGY_LENGTH @TOPOLOGY_LENGTH@", "", "", "", "", ""},
    {"MACRO", "BOARD", "GF_EXPECTED_CYCLES @EXPECTED_CYCLES@", "", "", "",
     "cycles of a gossip that are no fault, 0: any", ""},
    {"MACRO", "CHIPS", "GF_UNTRACED", "", "", "", "chips do not say what their nodes store", ""},
    {"MACRO", "OWN_CLOCKS", "GF_CHIPS @CHIPS@", "", "", "",
     "chips, and cables from chip 0 to the farthest; of chip 0, with @SLACK_CYCLES@ of slack", ""},
    {"MACRO", "OWN_CLOCKS", "GF_HOPS @HOPS@", "", "", "", "", ""},
    {"MACRO", "OWN_CLOCKS", "GF_CHIP_CYCLES @CHIP_CYCLES@", "", "", "", "", ""},
    {"MACRO", "OWN_CLOCKS", "GF_SLACK_CYCLES @SLACK_CYCLES@", "", "", "", "", ""},
    {"MACRO", "HAS_REGISTERS", "GF_FABRIC_REGISTERS @FABRIC@_registers", "", "", "", "of the registers", ""},
    {"MACRO", "HAS_REGISTERS", "GF_ADDRESS_BITS @ADDRESS_BITS@", "", "", "", "", ""},
    {"MACRO", "HAS_REGISTERS", "GF_IDENTITY 32'h@IDENTITY_WORD@", "", "", "", "", ""},
    {"MACRO", "HAS_REGISTERS", "GF_OPERATORS @OPERATORS@", "", "", "", "", ""},
    {"MACRO", "AXI_LITE", "GF_AXI_LITE", "", "", "", "", ""},
    {"MACRO", "STREAMS", "GF_GIVES {@GIVES_OF@}", "", "", "",
     "8 bits for each host, host 0 last: not 0 where it gives, or takes", ""},
    {"MACRO", "STREAMS", "GF_TAKES {@TAKES_OF@}", "", "", "", "", ""},
    {"MACRO", "STREAMS", "GF_HOST_LINKS {@HOST_LINKS@}", "", "", "", "32 bits for each host, host 0 last: its link",
     ""},
    {"MACRO", "WORD_STREAMS", "GF_WORD_STREAMS", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS", "GF_CYCLES_OF {@CYCLES_OF@}", "", "", "",
     "32 bits for each program, program 0 last: cycles of it", ""},
    {"MACRO", "BLOCKS !STREAMS", "GF_HELD @HELD@", "", "", "",
     "bit (program * NODES + node) * BLOCKS + block: blocks that nodes hold at the start, and that they want", ""},
    {"MACRO", "BLOCKS !STREAMS", "GF_WANTED @WANTED@", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS ALL_OPERATORS", "GF_ALL_OPERATORS", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS CHAINED", "GF_CHAINED", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS CHAINED", "GF_OPERATOR_MODULE @OPERATOR_MODULE@", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS SEVERAL_PROGRAMS", "GF_SEVERAL_PROGRAMS", "", "", "", "", ""},
    {"MACRO", "BLOCKS !STREAMS COMMANDS", "GF_COMMANDS", "", "", "", "", ""},
};

/* What the ports of gfab_fabric are joined to, or of gfab_stream_tree in streams of a word a cycle, {the twin's, the
 * fabric's} where there are two. Columns: which of these modules has it; the port; what
 * stands there where the top has no port, or inside no wire, for it; of a chip with a clock of its own; of twins; of
 * streams; of twins of streams. None: by the port's name. */
static const struct {
    enum { FABRIC = 1, WORDS = 2, BOTH = 3 } has;
    const char *port, *none, *own_clock, *twins, *streams, *stream_twins;
} joined[] = {
    {BOTH, "i_clk", "i_clk", NULL, NULL, NULL, NULL},
    {BOTH, "i_rst", "i_rst", "o_rst", "{twin_rst, reset}", "i_rst", "{rst, i_rst}"},
    {FABRIC, "i_start", "i_start", "start", "{twin_start, starts}", "1'b0", "1'b0"},
    {FABRIC, "i_hold", "1'b0", "o_busy", "{twin_hold, hold}", "1'b0", "1'b0"},
    {FABRIC, "i_clear", "1'b0", "stop", "{twin_clear, clear}", "1'b0", "1'b0"},
    {BOTH, "o_busy", "o_busy", "", "busy", "o_busy", "{twin_busy, o_busy}"},
    {FABRIC, "o_done", "o_done", "gossip_done", "done", "", ""},
    {FABRIC, "i_program", "1'b0", NULL, "{twin_program, program_number}", "1'b0", "1'b0"},
    {FABRIC, "i_operator", "3'd0", NULL, NULL, "3'd0", "3'd0"},
    {FABRIC, "i_transfer_fault", "1'b0", NULL, "1'b0", "1'b0", "1'b0"},
    {FABRIC, "i_transfer_balance", "1'b0", NULL, "1'b0", "1'b0", "1'b0"},
    {FABRIC, "o_fault", "", NULL, "", "", ""},
    {BOTH, "o_error", "", NULL, "", "o_error", "{twin_overdue, overdue}"},
    {FABRIC, "o_error_what", "", NULL, "", "", ""},
    {FABRIC, "o_error_nodes", "", NULL, "", "", ""},
    {FABRIC, "o_error_round", "", NULL, "rounds", "", ""},
    {FABRIC, "i_load_valid", "{@HERE@{1'b0}}", NULL, "{twin_load_valid, i_load_valid}", NULL, NULL},
    {FABRIC, "i_load_word", "{@HERE@*@LOAD_BITS@{1'b0}}", NULL, "{twin_load_word, i_load_word}", NULL, NULL},
    {FABRIC, "i_load_data", "{@HERE@*@WORD_BITS@{1'b0}}", NULL, "{twin_load_data, i_load_data}", NULL, NULL},
    {FABRIC, "i_read_token", "{@HERE@*@SLOT_BITS@{1'b0}}", NULL, "{twin_read_token, i_read_token}", NULL, NULL},
    {FABRIC, "i_read_word", "{@HERE@*@INDEX_BITS@{1'b0}}", NULL, "{twin_read_word, i_read_word}", NULL, NULL},
    {FABRIC, "o_read_data", "", NULL, "{twin_read_data, o_read_data}", NULL, NULL},
    {FABRIC, "o_collides", "", NULL, "collides", "", ""},
    {BOTH, "i_give_valid", "1'b0", NULL, NULL, "s_axis_tvalid", "{give_valid, s_axis_tvalid}"},
    {BOTH, "o_give_ready", "", NULL, NULL, "s_axis_tready", "{twin_give_ready, s_axis_tready}"},
    {BOTH, "i_give_data", "@LINK_BITS@'d0", NULL, NULL, "s_axis_tdata", "{give_data, s_axis_tdata}"},
    {BOTH, "i_give_last", "1'b0", NULL, NULL, "s_axis_tlast", "{give_last, s_axis_tlast}"},
    {BOTH, "o_take_valid", "", NULL, NULL, "m_axis_tvalid", "{twin_take_valid, m_axis_tvalid}"},
    {BOTH, "i_take_ready", "1'b0", NULL, NULL, "m_axis_tready", "{take_ready, m_axis_tready}"},
    {BOTH, "o_take_data", "", NULL, NULL, "m_axis_tdata", "{twin_take_data, m_axis_tdata}"},
    {BOTH, "o_take_last", "", NULL, NULL, "m_axis_tlast", "{twin_take_last, m_axis_tlast}"},
    {BOTH, "o_late", "", NULL, NULL, "o_late", "{twin_late, o_late}"},
    {BOTH, "o_uneven", "", NULL, NULL, "o_uneven", "{twin_uneven, o_uneven}"},
    {FABRIC, "o_lefts", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_rights", "", NULL, NULL, NULL, NULL},
    {FABRIC, "i_results", "1'b0", NULL, NULL, NULL, NULL},
    {FABRIC, "i_cut", "1'b0", NULL, NULL, NULL, NULL},
    {FABRIC, "o_cut", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_cut_drive", "", NULL, NULL, NULL, NULL},
    {BOTH, "o_trace_link", "", NULL, NULL, NULL, NULL},
    {BOTH, "o_trace_drive", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_trace_write", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_trace_address", "", NULL, NULL, NULL, NULL},
    {WORDS, "o_trace_ready", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_trace_check", "", NULL, NULL, NULL, NULL},
    {FABRIC, "o_trace_data", "", NULL, NULL, NULL, NULL},
};

static const char *name_of(const gfab_gen_port *port)
{
    return port->name + (port->name[0] && port->name[1] == ' ' ? 2 : 0);
}

static const char *wire_of(const gfab_gen_port *port)
{
    return *port->wire ? port->wire : name_of(port) + (port->name[1] == '_' ? 2 : 0);
}

static const gfab_gen_port *find(const gfab_gen *gen, const char *groups, const char *name)
{
    for (const gfab_gen_port *at = ports; at < ports + sizeof ports / sizeof ports[0]; at++) {
        const char *const among = strcmp(at->name, name) == 0 ? strstr(groups, at->group) : NULL;
        if (among && among[-1] == ' ' && among[strlen(at->group)] == ' ' && gfab_gen_holds(gen, at->when))
            return at;
    }
    return NULL;
}

static void join(const gfab_gen *gen, size_t row, gfab_gen_port *port)
{
    const char *const of_kind = gen->streams && gen->twins    ? joined[row].stream_twins
                                : gen->streams                ? joined[row].streams
                                : gen->twins                  ? joined[row].twins
                                : gfab_gen_has_own_clock(gen) ? joined[row].own_clock
                                                              : NULL;
    const gfab_gen_port *const inside = find(gen, " INSIDE ", joined[row].port);
    const char *const groups =
        gfab_gen_has_word_streams(gen) ? " WORD_TRACE " : " CONTROL CHOICE FAULT ERROR REPORT TRACE HOST ";
    const gfab_gen_port *const in_top = find(gen, groups, joined[row].port);
    *port = (gfab_gen_port){"JOINED", "", joined[row].port, "", "", "", "", ""};
    port->wire = of_kind ? of_kind : inside ? inside->wire : in_top ? in_top->name : joined[row].none;
}

bool gfab_gen_port_at(const gfab_gen *gen, const char *group, size_t index, gfab_gen_port *port)
{
    if (strcmp(group, "JOINED") == 0) {
        const unsigned has = gfab_gen_has_word_streams(gen) ? WORDS : FABRIC;
        for (size_t row = 0; row < sizeof joined / sizeof joined[0]; row++)
            if (joined[row].has & has && index-- == 0) {
                join(gen, row, port);
                return true;
            }
        return false;
    }
    for (const gfab_gen_port *at = ports; at < ports + sizeof ports / sizeof ports[0]; at++)
        if (strcmp(at->group, group) == 0 && gfab_gen_holds(gen, at->when) && index-- == 0) {
            *port = *at;
            return true;
        }
    return false;
}

bool gfab_gen_has_ports(const char *group)
{
    for (const gfab_gen_port *at = ports; at < ports + sizeof ports / sizeof ports[0]; at++)
        if (strcmp(at->group, group) == 0)
            return true;
    return strcmp(group, "JOINED") == 0;
}

/* "[high:0] ", or nothing for a wire; of one, or of all. */
static void write_range(const gfab_gen_port *port, bool all, FILE *text)
{
    if (strchr(port->bits, ':'))
        fprintf(text, "[%s] ", port->bits);
    else if (!*port->count && isdigit((unsigned char)*port->bits))
        fprintf(text, "[%d:0] ", atoi(port->bits) - 1);
    else if (all && *port->count)
        fprintf(text, "[%s%s%s-1:0] ", port->count, *port->bits ? "*" : "", port->bits);
    else if (*port->bits)
        fprintf(text, "[%s-1:0] ", port->bits);
}

/* The part of a vector that is the item's whose number the template calls `place`. */
static void write_part(const gfab_gen_port *port, const char *place, FILE *text)
{
    if (*port->bits)
        fprintf(text, "[@%s@*%s+:%s]", place, port->bits, port->bits);
    else
        fprintf(text, "[@%s@]", place);
}

static void write_above(const gfab_gen_port *port, const char *indent, FILE *text)
{
    if (*port->above)
        fprintf(text, "// %s\n%s", port->above, indent);
}

static void write_declared(const gfab_gen_port *port, FILE *text)
{
    fputs(port->name[0] == 'i' ? "input  wire " : "output wire ", text);
    write_range(port, true, text);
    fputs(name_of(port), text);
}

static void write_remark(const gfab_gen_port *port, FILE *text)
{
    fprintf(text, "%s%s", *port->remark ? " // " : "", port->remark);
}

/* A line of a head: with a comma, or as a port that is there for benches alone. */
static void write_port(const gfab_gen *gen, const gfab_gen_port *port, FILE *text)
{
    const bool for_benches = strncmp(name_of(port), "o_trace_", 8) == 0 && !gen->options->overlap;
    write_above(port, "    ", text);
    fputs(for_benches ? "`GFAB_TRACE_PORT(" : "", text);
    write_declared(port, text);
    fputs(for_benches ? ")" : ",", text);
    write_remark(port, text);
}

static void write_wire(const gfab_gen *gen, const gfab_gen_port *port, FILE *text)
{
    const char *const wire = strcmp(wire_of(port), " ") == 0 ? "" : wire_of(port);
    if (strcmp(port->group, "JOINED") != 0 || strncmp(port->wire, "o_trace_", 8) != 0)
        fputs(strcmp(port->group, "JOINED") == 0 ? port->wire : wire, text);
    else if (gen->options->overlap)
        fprintf(text, gen->twins ? "{twin_%s, %s}" : "%.0s%s", wire + 2, wire);
    else
        fprintf(text, gen->twins ? "`GFAB_TRACED_TWINS(twin_%s, %s)" : "`GFAB_TRACED(%.0s%s)", wire + 2, wire);
}

/* The interface's signal that the port is, of AXI4-Stream, as tools look for it. */
static void write_interface(const gfab_gen_port *port, FILE *text)
{
    const char *const signal = strrchr(name_of(port), '_');
    fprintf(text, "(* X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 %.*s ", (int)(signal - name_of(port)),
            name_of(port));
    for (const char *at = signal + 1; *at; at++)
        fputc(toupper((unsigned char)*at), text);
    fputs("\" *)", text);
}

static void write_inner(const gfab_gen_port *port, bool of_chip, FILE *text)
{
    fprintf(text, "%s%s", wire_of(port), of_chip ? "_@CHIP@" : "");
    write_part(port, of_chip ? "PLACE" : "NODE", text);
}

static void write_outer(const gfab_gen_port *port, bool of_chip, FILE *text)
{
    fprintf(text, "%s%s", name_of(port), of_chip ? "" : "_@PORT@");
    if (of_chip)
        write_part(port, "NODE", text);
}

/* From a node's own port to its part of a vector, or back; or from the whole fabric's to a chip's. */
static void write_assigned(const gfab_gen_port *port, bool of_chip, FILE *text)
{
    const bool in = port->name[0] == 'i';
    fputs("assign ", text);
    (in ? write_inner : write_outer)(port, of_chip, text);
    fputs(" = ", text);
    (in ? write_outer : write_inner)(port, of_chip, text);
}

static bool write_field(const gfab_gen *gen, const gfab_gen_port *port, const char *field, FILE *text)
{
    if (strcmp(field, "LINE") == 0)
        write_port(gen, port, text);
    else if (strcmp(field, "DECLARED") == 0)
        write_declared(port, text);
    else if (strcmp(field, "DIRECTION") == 0)
        fputs(port->name[0] == 'i' ? "input  wire" : "output wire", text);
    else if (strcmp(field, "REMARK") == 0)
        write_remark(port, text);
    else if (strcmp(field, "ABOVE") == 0)
        write_above(port, strcmp(port->group, "MACRO") == 0 ? "" : "    ", text);
    else if (strcmp(field, "RANGE") == 0 || strcmp(field, "EACH") == 0)
        write_range(port, field[0] == 'R', text);
    else if (strcmp(field, "NAME") == 0)
        fputs(name_of(port), text);
    else if (strcmp(field, "WIRE") == 0)
        write_wire(gen, port, text);
    else if (strcmp(field, "INTERFACE") == 0)
        write_interface(port, text);
    else if (strcmp(field, "OF_NODE") == 0 || strcmp(field, "OF_CHIP") == 0)
        write_assigned(port, field[3] == 'C', text);
    else
        return false;
    return true;
}

gfab_status gfab_gen_port_field(const gfab_gen *gen, const gfab_gen_port *port, const char *field,
                                char text[GFAB_GEN_PORT])
{
    text[0] = '\0'; /* what nothing is written to stays as it is */
    FILE *file = fmemopen(text, GFAB_GEN_PORT, "w");
    const bool known = file && write_field(gen, port, field, file);
    return !gfab_memory_close(file, &text) ? GFAB_ERR_NO_MEMORY : known ? GFAB_OK : GFAB_ERR_UNSUPPORTED;
}
