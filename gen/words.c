/* SPDX-License-Identifier: MIT */
/* The words that templates can name, each one of a few, and the conditions. */
#include "gen.h"

#include <gossipfab/base/version.h>
#include <string.h>

/* What is loaded, how it is numbered, and what is read. */
static const char *loaded(const gfab_gen *gen)
{
    return !gen->blocks ? "the node's own token" : gen->counted ? "a block that the node starts with" : "any block";
}

static const char *load_number(const gfab_gen *gen)
{
    return gen->counted && gen->programs > 1                         ? "{program, block of its, word of it}"
           : gen->counted && gen->goal.collective == GFAB_ALL_TO_ALL ? "{node that the block is for, word of it}"
           : gen->blocks                                             ? "{block, word of it}"
           : gen->timing->parts > 1                                  ? "{part, word of it}"
                                                                     : "its number";
}

static const char *what_is_read(const gfab_gen *gen)
{
    return gen->counted && gen->programs > 1 ? "any block that the node wants: {program, block of its}"
           : gen->counted && gen->goal.collective == GFAB_ALL_TO_ALL
               ? "the block from any node, by the number of that node"
           : gen->blocks            ? "any block"
           : gen->timing->parts > 1 ? "any token; its number is PARTS times the node that it started at, and the part"
                                    : "any token, the number of which is that of the node that it started at";
}

static const char *when(bool holds, const char *text)
{
    return holds ? text : "";
}

const char *gfab_gen_word(const gfab_gen *gen, const char *name, size_t length)
{
    const gfab_fabric_options *options = gen->options;
    const gfab_board *board = gfab_gen_target(gen);
    const struct {
        const char *name, *text;
    } words[] = {
        {"FABRIC", gfab_gen_name(gen)},
        {"CHIP_TOP", gen->chip_name},
        {"ROM_FOLDER", gen->rom_folder},
        {"FIND_ROMS", options->inline_roms
                          ? "not looked at: the ROMs' words are below"
                          : "where a tool finds the ROMs' texts: from where it is started, or absolute"},
        {"VERSION", gfab_version()},
        {"TOPOLOGY", gfab_topology_name(gen->topology)},
        {"SOLVER", options->solver && options->solver[0] ? options->solver : "a schedule of unknown origin"},
        {"FRAME", gfab_frame_name(gfab_layout_frame(gen->layout))},
        {"DUPLEX", gen->full ? "full" : "half"},
        {"AND_TWINS", when(gen->twins, ", then those of the twin")},
        {"AND_GAPS", when(gen->gap_bits, " and the gaps between rounds")},
        {"CROSSBAR", gen->banks ? gfab_crossbar_name(gfab_banks_crossbar(gen->banks)->kind) : ""},
        {"INSTANCE", gen->twins ? "u_fabric [1:0]" : "u_fabric"},
        {"AND_ITS_TWIN",
         when(gen->twins, "// There are two of it, which do the same. Hosts see u_fabric[0]; what they see"
                          " of it is compared with u_fabric[1].\n")},
        {"PROGRAM_PLAYED", gen->programs > 1 ? "i_program" : "1'b0"},
        {"CHIP_START", gen->chip == 0 ? "i_start" : "1'b0"},
        {"AXIS_TOP_OF", gen->registers ? "registers" : "axis"},
        {"AXIS_BUSY", when(!gen->registers, "o_busy")},
        {"BUS_MODULE", options->registers == GFAB_BUS_AXI_LITE ? "gfab_axi_lite" : "gfab_wishbone"},
        {"LED_ON", when(board->leds_active_low, "~")},
        {"CHECK", when(gen->protect, "+1")}, /* a check bit's wire beside others */
        {"CHECKS", when(gen->protect, ", .PROTECT(1)")},
        {"CHECKS_ALONE", when(gen->protect, " #(.PROTECT(1))")},
        {"LOADED", loaded(gen)},
        {"LOAD_NUMBER", load_number(gen)},
        {"READ", what_is_read(gen)},
        {"ROM_STYLE", options->block_roms ? "block" : "logic"},
        {"LONG", gen->blocks ? "of another length" : "too long"}, /* what is wrong with a packet */
        {"DROPPED", options->dropped ? options->dropped : ""},
        {"BUS", options->registers == GFAB_BUS_AXI_LITE ? "AXI4-Lite" : "Wishbone"},
        {"BOARD", when(options->board, board->name)},
        {"BOARD_SUMMARY", when(options->board, board->summary)},
        {"PINS", gfab_gen_family(gen)->pins},
        {"PART", board->part},
        {"DEVICE", board->device},
        {"PACKAGE", board->package},
        {"FUSESOC", board->fusesoc},
        {"OPENFPGALOADER", board->openfpgaloader},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0)
            return words[i].text;
    return NULL;
}

bool gfab_gen_condition(const gfab_gen *gen, const char *name, size_t length, bool *holds)
{
    const char *const blank = memchr(name, ' ', length);
    if (blank) {
        const size_t first = (size_t)(blank - name);
        bool also = false;
        const bool known = gfab_gen_condition(gen, blank + 1, length - first - 1, &also);
        return gfab_gen_condition(gen, name, first, holds) && (*holds = *holds && also, known);
    }
    if (length > 0 && *name == '!') {
        const bool known = gfab_gen_condition(gen, name + 1, length - 1, holds);
        *holds = !*holds;
        return known;
    }
    for (size_t i = 0; i < GFAB_GEN_NUMBERS; i++)
        if (strlen(gen->numbers[i].name) == length && memcmp(gen->numbers[i].name, name, length) == 0) {
            *holds = gen->numbers[i].value != 0;
            return true;
        }
    return gen->language->condition(gen, name, length, holds);
}

bool gfab_gen_machine_condition(const gfab_gen *gen, const char *name, size_t length, bool *holds)
{
    const struct {
        const char *name;
        bool holds;
    } conditions[] = {
        {"CHIP", gen->chip != GFAB_GEN_WHOLE},
        {"OWN_CLOCK", gfab_gen_has_own_clock(gen)},
        {"FIRST_CHIP", gen->chip == 0},
        {"HAS_PLACES", gfab_gen_has_places(gen)},
        {"RELAYS", gfab_topology_has_relays(gen->topology)},
        {"JOINED", gen->wires == 1},
        {"WORD_STREAMS", gfab_gen_has_word_streams(gen)},
        {"ALTERNATES", gen->alternates},
        {"NODE_PORTS", gfab_gen_has_node_ports(gen)},
        {"OVERLAP", gen->options->overlap},
        {"CHECKED_TRACE", gen->options->overlap && gen->protect && !gen->twins},
        {"TKEEP", gen->options->ports == GFAB_PORTS_NODE_TKEEP},
        {"BOARD", gen->options->board},
        {"UART_HOST", gen->options->board && gen->options->uart_host},
        {"PLACES", gfab_gen_family(gen)->places},
        {"ICE40", strcmp(gfab_gen_target(gen)->family, "ice40") == 0},
        {"ECP5", strcmp(gfab_gen_target(gen)->family, "ecp5") == 0},
        {"GOWIN", strcmp(gfab_gen_target(gen)->family, "gowin") == 0},
        {"XC7", strcmp(gfab_gen_target(gen)->family, "xc7") == 0},
        {"READ_BACK",
         gen->options->board && !gen->options->uart_host && strcmp(gen->options->board->device, "hx8k") == 0},
        /* Paths are in LUTs, and of programs there are several copies, of which no two have the same bits. */
        {"REPLACED_ROMS",
         gen->options->block_roms && gfab_gen_family(gen)->replaces_roms && !gen->paths && gfab_gen_fills_rams(gen)},
        {"DROPPED", gen->options->dropped},
        {"CHAINED", gen->timing->merges > 0},
        {"USER_OPERATOR", gen->combines == GFAB_OPERATOR_USER},
        {"COMPARES", gfab_operator_compares(gen->combines)},
        {"SEVERAL_PROGRAMS", gen->programs > 1},
        {"COMMANDS", gen->programs > 1 || gen->combines == GFAB_OPERATOR_ALL || gen->registers},
        {"REGISTERS", gen->registers},
        {"HAS_REGISTERS", gen->options->registers != GFAB_BUS_NONE},
        {"AXI_LITE", gen->options->registers == GFAB_BUS_AXI_LITE},
        {"WISHBONE", gen->options->registers == GFAB_BUS_WISHBONE},
        {"ALL_OPERATORS", gen->combines == GFAB_OPERATOR_ALL},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        if (strlen(conditions[i].name) == length && memcmp(conditions[i].name, name, length) == 0) {
            *holds = conditions[i].holds;
            return true;
        }
    return false;
}

bool gfab_gen_holds(const gfab_gen *gen, const char *conditions)
{
    bool holds = false;
    return !*conditions || (gfab_gen_condition(gen, conditions, strlen(conditions), &holds) && holds);
}
