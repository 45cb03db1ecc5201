/* SPDX-License-Identifier: MIT */
/* The fabric's numbers for the benches, for templates and for the manifest: one table. */
#include "gen.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

typedef struct parameter {
    const char *name; /* GF_<NAME> in the benches, @NAME@ in templates, lower case in the manifest */
    uint64_t value;
    const char *meaning;
} parameter;

enum { PARAMETERS = 37 };

static void collect(const gfab_gen *gen, parameter table[PARAMETERS])
{
    const gfab_timing *timing = gen->timing;
    const uint32_t address_bits =
        (gen->banks ? gen->round_bits : gen->slot_bits) + (timing->words > 1 ? gen->index_bits : 0);
    const uint64_t store_bits = ((uint64_t)gen->word_bits * gen->write_ports) << address_bits;
    const uint64_t op_bits = gen->banks ? gfab_banks_word_bits(gen->banks) : gfab_image_op_bits(gen->image);
    const uint64_t rom_words = gen->banks ? (uint64_t)1 << gen->round_bits : gfab_image_word_count(gen->image);
    const parameter values[PARAMETERS] = {
        {"NODES", gen->nodes, "N"},
        {"LINKS", gen->links, "M"},
        {"LANES", gen->lanes, "K, ports of the largest node"},
        {"LINK_BITS", gen->link_bits, "L"},
        {"TOKEN_BITS", timing->token_bits, "W"},
        {"PARTS", timing->parts, "P, equal parts of a token; what is below of words and flits is about one part"},
        {"PART_BITS", timing->part_bits, "W / P"},
        {"SLOTS", gfab_layout_slot_count(gen->slots), "N P, parts in a node's store at the end"},
        {"WIDE", timing->wide, "1: wide nodes"},
        {"BANKS", gen->write_ports, "RAMs of a node's store"},
        {"WORDS", timing->words, "store words of a part"},
        {"WORD_BITS", gen->word_bits, "K L; wide: L"},
        {"SLOT_BITS", gen->slot_bits, "bits of a part's number"},
        {"INDEX_BITS", gen->index_bits, "bits of a word's number"},
        {"LOAD_BITS", gen->load_bits, "bits of {part, word}"},
        {"ROUND_BITS", gen->round_bits, "the ROMs hold 2^ROUND_BITS rounds"},
        {"ROUNDS", gen->rounds, "R, of the programs in rom/"},
        {"CYCLES_PER_ROUND", timing->cycles_per_round, "F"},
        {"HOP_ROUNDS", timing->hop_rounds, "a token received in round t can be sent from round t + HOP_ROUNDS on"},
        {"OVERHEAD_CYCLES", timing->overhead_cycles, "c"},
        {"TOKEN_FLITS", timing->token_flits, "W / (P L), flits of a part that carry payload"},
        {"PADDING_FLITS", timing->cycles_per_round - timing->token_flits, "F - W / (P L), flits of a part that do not"},
        {"CYCLES", gen->cycles, "of a gossip: R F + c and the gaps"},
        {"GAP_CYCLES", gfab_image_gap_cycles(gen->image), "of a gossip"},
        {"GAP_BITS", gen->gap_bits, "of a gap; 0: none"},
        {"LATENCY_CYCLES", timing->latency_cycles, "l, registers on every link"},
        {"WIRES", gen->wires, "sets of a link: 2 where each direction has its own"},
        {"FULL_DUPLEX", gen->full, "1: ports send and receive at once"},
        {"PATHS", gen->paths, "1: nodes pass flits on"},
        {"PATH_BITS", gfab_image_path_bits(gen->image), "of a path word; 0 without paths"},
        {"WAIT_BITS", gfab_image_wait_bits(gen->image), "of a path word's wait"},
        {"OP_BITS", op_bits, "of a ROM's word"},
        {"STORE_BITS", store_bits, "of a node's store"},
        {"ROM_BITS", rom_words * op_bits, "of a node's ROM"},
        {"PROGRAMS", gen->sharing->programs, "different programs in rom/"},
        {"SKEWED", timing->skewed, "1: some links have different lanes at their ends"},
        {"TOKEN_SEED", gen->options->token_seed, "seed of the benches' tokens"},
    };
    memcpy(table, values, sizeof values);
}

void gfab_gen_parameters_c(const gfab_gen *gen, FILE *file)
{
    parameter table[PARAMETERS];
    collect(gen, table);
    gfab_gen_banner(gen, "//", file);
    fprintf(file, "#ifndef GOSSIP_FABRIC_PARAMETERS_H\n#define GOSSIP_FABRIC_PARAMETERS_H\n");
    for (size_t i = 0; i < PARAMETERS; i++)
        fprintf(file, "#define GF_%s %" PRIu64 " // %s\n", table[i].name, table[i].value, table[i].meaning);
    fprintf(file, "#endif\n");
}

void gfab_gen_parameters_verilog(const gfab_gen *gen, FILE *file)
{
    parameter table[PARAMETERS];
    collect(gen, table);
    gfab_gen_banner(gen, "//", file);
    fprintf(file, "`ifndef GOSSIP_FABRIC_PARAMETERS_VH\n`define GOSSIP_FABRIC_PARAMETERS_VH\n");
    for (size_t i = 0; i < PARAMETERS; i++)
        fprintf(file, "// %s\n`define GF_%s %" PRIu64 "\n", table[i].meaning, table[i].name, table[i].value);
    fprintf(file, "`endif\n");
}

/* An object; NULL where memory ran out. */
static json_t *manifest(const gfab_gen *gen)
{
    const gfab_fabric_options *options = gen->options;
    parameter table[PARAMETERS];
    collect(gen, table);
    json_t *root = json_object();
    int bad = json_object_set_new(root, "schema", json_string("gossipfab.fabric/1"));
    bad |= json_object_set_new(root, "topology", json_string(gfab_topology_spec(gen->topology)));
    bad |= json_object_set_new(root, "solver", json_string(options->solver ? options->solver : ""));
    bad |= json_object_set_new(root, "frame", json_string(gfab_frame_name(gfab_layout_frame(gen->slots))));
    bad |= json_object_set_new(root, "crossbar",
                               gen->banks ? json_string(gfab_crossbar_name(gfab_banks_crossbar(gen->banks)->kind))
                                          : json_null());
    bad |= json_object_set_new(root, "board", options->board ? json_string(options->board->name) : json_null());
    bad |= json_object_set_new(root, "lower_bound_rounds",
                               options->bound_rounds ? json_integer((json_int_t)options->bound_rounds) : json_null());
    for (size_t i = 0; i < PARAMETERS; i++) {
        char name[32];
        size_t length = 0;
        for (; table[i].name[length]; length++)
            name[length] = (char)(table[i].name[length] == '_' ? '_' : table[i].name[length] - 'A' + 'a');
        name[length] = '\0';
        bad |= json_object_set_new(root, name, json_integer((json_int_t)table[i].value));
    }
    json_t *lanes = json_array();
    for (size_t node = 0; node < gen->nodes; node++) {
        json_t *peers = json_array();
        size_t count;
        const gfab_port *ports = gfab_topology_ports(gen->topology, node, &count);
        for (uint32_t lane = 0; lane < gen->lanes; lane++) {
            const uint32_t port = gfab_layout_port(gen->slots, node, lane);
            bad |= json_array_append_new(peers, port == GFAB_NO_PORT ? json_null() : json_integer(ports[port].peer));
        }
        bad |= json_array_append_new(lanes, peers);
    }
    bad |= json_object_set_new(root, "lane_peers", lanes);
    json_t *programs = json_array();
    for (size_t node = 0; node < gen->nodes; node++)
        bad |= json_array_append_new(programs, json_integer(gen->sharing->program[node]));
    bad |= json_object_set_new(root, "program_of_node", programs);
    json_t *orders = json_array();
    for (size_t node = 0; node < gen->nodes; node++) {
        json_t *order = json_array();
        for (uint32_t lane = 0; lane < gen->lanes; lane++)
            bad |= json_array_append_new(order, json_integer(gen->sharing->lanes[node * gen->lanes + lane]));
        bad |= json_array_append_new(orders, order);
    }
    bad |= json_object_set_new(root, "program_lanes_of_node", orders);
    if (options->chips) {
        json_t *chips = json_array();
        for (size_t node = 0; node < gen->nodes; node++)
            bad |= json_array_append_new(chips, json_integer(options->chips[node]));
        bad |= json_object_set_new(root, "chip_of_node", chips);
    }
    if (bad) {
        json_decref(root);
        return NULL;
    }
    return root;
}

gfab_status gfab_gen_manifest(const gfab_gen *gen, FILE *file, gfab_diag *diag)
{
    json_t *root = manifest(gen);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(root);
    if (!text)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the manifest");
    fprintf(file, "%s\n", text);
    free(text);
    return GFAB_OK;
}

static void write_rom_file(const gfab_gen *gen, const char *what, size_t node, FILE *file)
{
    fprintf(file, "      - rom/%s_%0*zu.hex: {copyto: rom/%s_%0*zu.hex}\n", what, gen->node_digits, node, what,
            gen->node_digits, node);
}

/* Writes the value of a template's key; false if there is no such key. */
static bool write_value(const gfab_gen *gen, const char *key, size_t length, FILE *file)
{
    const gfab_board *board = gen->options->board;
    parameter table[PARAMETERS];
    collect(gen, table);
    for (size_t i = 0; i < PARAMETERS; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, key, length) == 0) {
            fprintf(file, "%" PRIu64, table[i].value);
            return true;
        }
    const struct {
        const char *name, *value;
    } texts[] = {
        {"TOPOLOGY", gfab_topology_name(gen->topology)},
        {"SOLVER",
         gen->options->solver && gen->options->solver[0] ? gen->options->solver : "a schedule of unknown origin"},
        {"DUPLEX", gen->full ? "full" : "half"},
        {"BOARD", board ? board->name : ""},
        {"BOARD_SUMMARY", board ? board->summary : ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strlen(texts[i].name) == length && memcmp(texts[i].name, key, length) == 0) {
            fputs(texts[i].value, file);
            return true;
        }
    if (length == strlen("ROM_FILES") && memcmp(key, "ROM_FILES", length) == 0) {
        for (size_t node = 0; node < gen->nodes; node++) {
            if (gen->sharing->program[node] == node)
                write_rom_file(gen, "program", node, file);
            if (gen->paths)
                write_rom_file(gen, "paths", node, file);
            if (gen->banks)
                write_rom_file(gen, "places", node, file);
        }
        if (gen->gap_bits)
            fputs("      - rom/gap.hex: {copyto: rom/gap.hex}\n", file);
        return true;
    }
    if (length == strlen("SCHEDULE") && memcmp(key, "SCHEDULE", length) == 0) {
        const uint32_t rounds = gen->options->schedule_rounds ? gen->options->schedule_rounds : gen->rounds;
        fprintf(file, "%" PRIu32 " rounds (lower bound: ", rounds);
        if (gen->options->bound_rounds)
            fprintf(file, "%" PRIu64 ")", gen->options->bound_rounds);
        else
            fputs("unknown)", file);
        if (rounds != gen->rounds)
            fprintf(file, ", played in %" PRIu32 " of one %s a packet each", gen->rounds,
                    gen->timing->parts > 1 ? "part" : "token");
        return true;
    }
    return false;
}

static bool is_mark(const char *line, size_t length, const char *mark)
{
    return length == strlen(mark) && memcmp(line, mark, length) == 0;
}

gfab_status gfab_gen_template(const gfab_gen *gen, const char *text, size_t size, FILE *file, gfab_diag *diag)
{
    const char *end = text + size;
    const gfab_frame frame = gfab_layout_frame(gen->slots);
    bool skip = false;
    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop + 1 : end;
        const size_t length = (size_t)(stop - line);
        if (is_mark(line, length, "@IF_BOARD@\n")) {
            skip = !gen->options->board;
        } else if (is_mark(line, length, "@IF_ABSOLUTE@\n")) {
            skip = frame != GFAB_FRAME_ABSOLUTE;
        } else if (is_mark(line, length, "@IF_SHARED@\n")) {
            skip = frame == GFAB_FRAME_ABSOLUTE;
        } else if (is_mark(line, length, "@IF_RELATIVE@\n")) {
            skip = frame != GFAB_FRAME_RELATIVE;
        } else if (is_mark(line, length, "@IF_ROTATED@\n")) {
            skip = frame != GFAB_FRAME_ROTATED;
        } else if (is_mark(line, length, "@IF_GAPS@\n")) {
            skip = !gen->gap_bits;
        } else if (is_mark(line, length, "@IF_NO_GAPS@\n")) {
            skip = gen->gap_bits != 0;
        } else if (is_mark(line, length, "@IF_PARTS@\n")) {
            skip = gen->timing->parts == 1;
        } else if (is_mark(line, length, "@IF_WHOLE@\n")) {
            skip = gen->timing->parts > 1;
        } else if (is_mark(line, length, "@IF_CHIPS@\n")) {
            skip = !gen->options->chips;
        } else if (is_mark(line, length, "@END@\n")) {
            skip = false;
        } else if (!skip) {
            for (const char *at = line; at < stop;) {
                const char *key = memchr(at, '@', (size_t)(stop - at));
                fwrite(at, 1, (size_t)((key ? key : stop) - at), file);
                if (!key)
                    break;
                const char *close = memchr(key + 1, '@', (size_t)(stop - key - 1));
                if (close && write_value(gen, key + 1, (size_t)(close - key - 1), file)) {
                    at = close + 1;
                } else if (close == key + 1) { /* @@ is an @ */
                    fputc('@', file);
                    at = close + 1;
                } else {
                    return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "a template has the unknown key %.20s", key);
                }
            }
        }
        line = stop;
    }
    return GFAB_OK;
}
