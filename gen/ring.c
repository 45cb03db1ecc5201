/* SPDX-License-Identifier: MIT */
/* The folder of a ring fabric: what its templates can name, its files, its manifest. All else is gen's own: the
 * expander of templates, the folder, and how the manifest sums up what was written. */
#include "gen.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* ---- numbers ---- */

enum { MEANT = 24, OF_BLOCKS = 8, FOR_TEMPLATES = 13 };

static void collect(const gfab_gen *gen, gfab_gen_number numbers[GFAB_GEN_NUMBERS])
{
    const gfab_ring_fabric *ring = gen->ring;
    const gfab_gen_number meant[MEANT] = {
        {"NODES", ring->nodes, "N"},
        {"RINGS", ring->rings, "R"},
        {"RING_CYCLES", ring->cycles, "rings, those that are one another backwards as one"},
        {"BOTH", ring->both, "1: rings 2c and 2c + 1 are cycle c, forwards and backwards"},
        {"LINK_BITS", ring->flit_width, "of a flit: L / ABREAST"},
        {"ABREAST", ring->abreast, "K, tokens that travel side by side on an arc"},
        {"TOKEN_BITS", ring->token_bits, "W"},
        {"FLITS", ring->flits,
         ring->blocks ? "of a block, W / L" : "of a token, W / L; flit i is word i / R of ring i % R"},
        {"WORDS", ring->words, "F, of a token"},
        {"PADDING_FLITS", ring->padding, "R F - W / L, flits of a token's last word that carry nothing"},
        {"SHIFTS", ring->shifts, "1: words go from register to register"},
        {"REGISTERED", ring->registered, "1: there is a register before the store"},
        {"HOP_CYCLES", ring->hop_cycles, "of a word over a node and an arc"},
        {"PROTECT", ring->check_bits, "check bits of a word; 0: no protection"},
        {"STEP_CYCLES", ring->blocks ? ring->flits : ring->step_cycles, "of a step, from an arc to the next one"},
        {"READ_WAIT", ring->read_wait, "cycles from a read to its flit"},
        {"OVERHEAD_CYCLES", ring->overhead_cycles, "c"},
        {"CYCLES", ring->run_cycles,
         ring->blocks ? "of a run: ROUNDS STEPS FLITS + c" : "of a run: STEPS STEP_CYCLES + c"},
        {"LOAD_CYCLES", ring->load_cycles, "to load a token, at all nodes at once"},
        {"READ_CYCLES", ring->read_cycles, "to read all tokens, at all nodes at once"},
        {"NODE_BITS", ring->place_bits, "of a node's number, which is its token's, too"},
        {"WORD_BITS", ring->word_bits, "of a loaded word's number"},
        {"NUMBER_BITS", ring->number_bits,
         ring->blocks ? "of a flit's number" : "of a flit's number {word, ring}, each with no bits where there is one"},
        {"TOKEN_SEED", gen->options->token_seed, "seed of the benches' tokens"},
    };
    const gfab_gen_number of_blocks[OF_BLOCKS] = {
        {"COMBINES", ring->blocks > 0, "1: blocks are combined; a token is a block then, and a word a flit of it"},
        {"BLOCKS", ring->blocks, "B"},
        {"ROUNDS", ring->blocks ? ring->rounds : 1, "blocks of each home and ring"},
        {"ALL", ring->collective != GFAB_REDUCE_SCATTER, "1: all nodes get a total; 0: its home alone"},
        {"STEPS", ring->steps, "of a round"},
        {"OPERATOR", (uint64_t)ring->combines, "as in gfab_op.vh"},
        {"PIECES", ring->blocks ? ring->pieces : 1, "cycles in which a total settles before it is stored"},
        {"BLOCK_BITS", ring->blocks ? ring->block_bits : ring->place_bits,
         ring->blocks ? "of a block's number {home, round, ring}" : "of a token's number"},
    };
    const gfab_gen_number others[FOR_TEMPLATES] = {
        {"OUT_BITS", (uint64_t)ring->rings * ring->link_bits, NULL},
        {"WIRES", ring->link_bits, NULL},
        {"STORE_BITS", ((uint64_t)ring->rings * ring->link_bits + ring->check_bits) << ring->address_bits, NULL},
        {"BOARD", 0, NULL},
        {"LINKS", gen->links, NULL},
        {"HOSTS_CYCLES", ring->load_cycles + ring->run_cycles + ring->read_cycles, NULL},
        {"CHIPS", 0, NULL},
        {"TWINS", 0, NULL},
        {"LOAD_BITS", ring->blocks ? ring->block_bits + ring->flit_bits : ring->word_bits, NULL},
        {"LOAD_DATA_BITS", (ring->blocks ? 1 : (uint64_t)ring->rings) * ring->flit_width, NULL},
        {"WRITES", ring->blocks ? ring->rings : 1, NULL},
        {"ADDRESS_BITS", ring->blocks ? ring->address_bits : ring->step_bits + ring->word_bits, NULL},
        {"PADDING_BLOCKS", ring->padding_blocks, NULL},
    };
    for (size_t i = 0; i < GFAB_GEN_NUMBERS; i++)
        numbers[i] = (gfab_gen_number){"", 0, NULL};
    memcpy(numbers, meant, sizeof meant);
    memcpy(numbers + MEANT, of_blocks, sizeof of_blocks);
    memcpy(numbers + MEANT + OF_BLOCKS, others, sizeof others);
}

/* ---- words, texts and tables ---- */

static const char *word(const gfab_gen *gen, const char *name, size_t length)
{
    const gfab_board *board = gfab_gen_target(gen);
    const struct {
        const char *name, *text;
    } words[] = {
        {"FABRIC", gfab_gen_name(gen)},
        {"TOPOLOGY", gfab_topology_name(gen->topology)},
        {"DUPLEX", gen->full ? "full" : "half"},
        {"COLLECTIVE", gfab_collective_name(gen->ring->collective)},
        {"OPERATOR_NAME", gfab_operator_name(gen->ring->combines)},
        {"A", gen->ring->collective == GFAB_REDUCE_SCATTER ? "a" : "an"},
        {"HOW", gen->ring->how},
        {"FLOWS", gen->ring->abreast > 1 ? "; all but the first begin over chords" : ""},
        {"PROTECTION", gen->ring->protect ? "detect" : "none"},
        {"A_RUN", gen->ring->blocks ? "Blocks are combined" : "Tokens are gathered"},
        {"DRIVE_IS", gen->ring->blocks ? "totals are written next" : "o_trace_link counts"},
        {"LOADS", gen->ring->blocks ? "a flit of a block" : "a word of the node's own token, a flit for each ring"},
        {"LOAD_IS", gen->ring->blocks ? "{home, round, ring, flit}, each but home with no bits for one"
                                      : "its number, 0 for the least significant"},
        {"READS", gen->ring->blocks ? "a flit of a block" : "a flit of any token, the number of which is its node's"},
        {"ITEM_IS", gen->ring->blocks ? "{home, round, ring}" : "the token's number"},
        {"FLIT_IS", gen->ring->blocks ? "its number, 0 for the least significant" : "{word, ring}"},
        {"ADDRESS_IS", gen->ring->blocks ? "{distance, round, flit}" : "{distance, word}"},
        {"ROM_FOLDER", gen->rom_folder},
        {"CHIP_TOP", gen->chip_name},
        {"DEVICE", board->device},
        {"PACKAGE", board->package},
        {"PART", board->part},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0)
            return words[i].text;
    return NULL;
}

/* Features that other fabrics have: numbers above say the rest. */
static bool condition(const gfab_gen *gen, const char *name, size_t length, bool *holds)
{
    static const char *const absent[] = {"USER_OPERATOR", "HAS_REGISTERS", "NODE_PORTS"};
    (void)gen;
    *holds = false;
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        if (strlen(absent[i]) == length && memcmp(absent[i], name, length) == 0)
            return true;
    return false;
}

static void write_banner(const gfab_gen *gen, FILE *file)
{
    fprintf(file,
            "Generated by gossipfab: %s, %" PRIu32 " nodes, %" PRIu32 " rings, %" PRIu32 "-bit tokens over %" PRIu32
            "-bit %s-duplex links.",
            gfab_topology_name(gen->topology), gen->ring->nodes, gen->ring->rings, gen->ring->token_bits,
            gen->ring->link_bits, gen->full ? "full" : "half");
}

static const gfab_gen_text texts[] = {{"BANNER", write_banner}, {NULL, NULL}};

/* A number of each node, node 0 last. */
static void write_row(const uint32_t *row, uint32_t nodes, FILE *file)
{
    enum { A_LINE = 12 };
    for (uint32_t v = nodes; v-- > 0;)
        fprintf(file, "16'd%" PRIu32 "%s", row[v], v == 0 ? "" : v % A_LINE == 0 ? ",\n            " : ", ");
}

static size_t count_rings(const gfab_gen *gen)
{
    return gen->ring->rings;
}

static size_t count_cycles(const gfab_gen *gen)
{
    return gen->ring->cycles;
}

static size_t count_nodes(const gfab_gen *gen)
{
    return gen->ring->nodes;
}

static void write_item(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "%zu", item);
}

static void write_from(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row(gen->ring->from + item * gen->ring->nodes, gen->ring->nodes, file);
}

static void write_place(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row(gen->ring->place + item * gen->ring->nodes, gen->ring->nodes, file);
}

static void write_order(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gen->ring->order[item]);
}

static const gfab_gen_field ring_fields[] = {{"RING", write_item}, {"FROM_ROW", write_from}, {NULL, NULL}};
static const gfab_gen_field cycle_fields[] = {{"CYCLE", write_item}, {"PLACE_ROW", write_place}, {NULL, NULL}};
static const gfab_gen_field node_fields[] = {{"NODE", write_item}, {"ORDER", write_order}, {NULL, NULL}};
static const gfab_gen_list lists[] = {
    {"ALL_RINGS", count_rings, ring_fields, GFAB_GEN_TABLE, 0},
    {"ALL_CYCLES", count_cycles, cycle_fields, GFAB_GEN_TABLE, 0},
    {"ALL_NODES", count_nodes, node_fields, GFAB_GEN_PLAIN, 0},
    {NULL, NULL, NULL, GFAB_GEN_PLAIN, 0},
};

/* ---- files ---- */

static const gfab_gen_file files[] = {
    {"rtl/common/gfab_bits.vh", "rtl/gfab_bits.vh", GFAB_GEN_HEADER, NULL},
    {"rtl/common/gfab.vlt", "rtl/gfab.vlt", GFAB_GEN_OTHER, NULL},
    {"rtl/narrow/gfab_store.v", "rtl/gfab_store.v", GFAB_GEN_MODULE, NULL},
    {"rtl/common/gfab_op.vh", "rtl/gfab_op.vh", GFAB_GEN_HEADER, "COMBINES"},
    {"rtl/common/gfab_delay.v", "rtl/gfab_delay.v", GFAB_GEN_MODULE, "COMBINES"},
    {"rtl/ring/gfab_ring_reduce_counter.v", "rtl/gfab_ring_reduce_counter.v", GFAB_GEN_MODULE, "COMBINES"},
    {"rtl/ring/gfab_ring_reduce_lane.v", "rtl/gfab_ring_reduce_lane.v", GFAB_GEN_MODULE, "COMBINES"},
    {"rtl/ring/gfab_ring_reduce_node.v", "rtl/gfab_ring_reduce_node.v", GFAB_GEN_MODULE, "COMBINES"},
    {"rtl/ring/gfab_ring_reduce.v", "rtl/gfab_ring_reduce.v", GFAB_GEN_MODULE, "COMBINES"},
    {"rtl/ring/gfab_ring_counter.v", "rtl/gfab_ring_counter.v", GFAB_GEN_MODULE, "!COMBINES"},
    {"rtl/ring/gfab_ring_arcs.v", "rtl/gfab_ring_arcs.v", GFAB_GEN_MODULE, NULL},
    {"rtl/ring/gfab_ring_distance.v", "rtl/gfab_ring_distance.v", GFAB_GEN_MODULE, NULL},
    {"rtl/ring/gfab_ring_node.v", "rtl/gfab_ring_node.v", GFAB_GEN_MODULE, "!COMBINES"},
    {"rtl/ring/gfab_ring_pair.v", "rtl/gfab_ring_pair.v", GFAB_GEN_MODULE, "PROTECT"},
    {"rtl/ring/gfab_ring_checked.v", "rtl/gfab_ring_checked.v", GFAB_GEN_MODULE, "PROTECT"},
    {"rtl/protect/gfab_apart.v", "rtl/gfab_apart.v", GFAB_GEN_MODULE, "PROTECT"},
    {"rtl/protect/gfab_guard.v", "rtl/gfab_guard.v", GFAB_GEN_MODULE, "PROTECT"},
    {"rtl/ring/gfab_ring_shift.v", "rtl/gfab_ring_shift.v", GFAB_GEN_MODULE, "!COMBINES"},
    {"rtl/ring/gfab_ring.v", "rtl/gfab_ring.v", GFAB_GEN_MODULE, "!COMBINES"},
    {"rtl/board/gfab_harness.v", "rtl/gfab_harness.v", GFAB_GEN_OTHER, NULL},
    {"tb/ring/tb_fabric.v", "tb/tb_fabric.v", GFAB_GEN_OTHER, NULL},
    {"gen/templates/ring/gossip_ring.v", "*.v", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/ring/gossip_ring_harness.v", "*_harness.v", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/ring/gossip_ring_parameters.vh", "tb/gossip_fabric_parameters.vh", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/gossip_fabric.vlt", "*.vlt", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/gossip_fabric.f", "*.f", GFAB_GEN_TEMPLATE, NULL},
    {"tb/folder/make/fabric.mk", "make/fabric.mk", GFAB_GEN_SCRIPT, NULL},
    {"tb/folder/make/ice40.mk", "family.mk", GFAB_GEN_SCRIPT, NULL},
    {"tb/folder/make/nextpnr.mk", "make/nextpnr.mk", GFAB_GEN_SCRIPT, NULL},
    {"tb/folder/make/harness.mk", "make/harness.mk", GFAB_GEN_SCRIPT, NULL},
    {"tb/folder/make/ring.mk", "make/ring.mk", GFAB_GEN_SCRIPT, NULL},
    {"gen/templates/Makefile", "Makefile", GFAB_GEN_TEMPLATE, NULL},
    {"gen/templates/ring/README_ring.md", "README.md", GFAB_GEN_TEMPLATE, NULL},
    {NULL, NULL, GFAB_GEN_OTHER, NULL},
};

/* ---- the manifest ---- */

static int describe(const gfab_gen *gen, json_t *root)
{
    int bad = json_object_set_new(root, "store", json_string("ring"));
    bad |= json_object_set_new(root, "topology", json_string(gfab_topology_spec(gen->topology)));
    bad |= gfab_gen_describe_names(gen, root);
    bad |= json_object_set_new(root, "link_mode", json_string(gen->full ? "full" : "half"));
    bad |= json_object_set_new(root, "collective", json_string(gfab_collective_name(gen->ring->collective)));
    if (gen->ring->blocks)
        bad |= json_object_set_new(root, "operator_name", json_string(gfab_operator_name(gen->ring->combines)));
    return bad | json_object_set_new(root, "rings_from", json_string(gen->ring->how));
}

/* Rows of so many numbers each. */
static int add_rows(json_t *root, const char *name, const uint32_t *numbers, uint32_t rows, uint32_t columns)
{
    json_t *table = json_array();
    int bad = 0;
    for (uint32_t row = 0; row < rows; row++) {
        json_t *entry = json_array();
        for (uint32_t column = 0; column < columns; column++)
            bad |= json_array_append_new(entry, json_integer(numbers[(size_t)row * columns + column]));
        bad |= json_array_append_new(table, entry);
    }
    return bad | json_object_set_new(root, name, table);
}

static int describe_nodes(const gfab_gen *gen, json_t *root)
{
    const gfab_ring_fabric *ring = gen->ring;
    return add_rows(root, "topology_node_of_node", ring->order, 1, ring->nodes) |
           add_rows(root, "from_of_ring", ring->from, ring->rings, ring->nodes) |
           add_rows(root, "place_of_cycle", ring->place, ring->cycles, ring->nodes);
}

static gfab_status write_folder(gfab_gen *gen, gfab_diag *diag)
{
    static const char *const folders[] = {"rtl", "tb", "make"};
    GFAB_AT_END(gfab_gen_folder_release) gfab_gen_folder folder = {0};
    gfab_status status = gfab_gen_folder_open(&folder, gen->options, diag);
    gen->folder = &folder;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !status; i++)
        status = gfab_gen_make_folder(gen, folders[i], diag);
    if (!status)
        status = gfab_gen_write_files(gen, ~0u, diag);
    GFAB_THEN(status, gfab_gen_write_player(gen, diag));
    GFAB_THEN(status, gfab_gen_write_manifest(gen, diag));
    GFAB_THEN(status, gfab_gen_folder_finish(&folder, diag));
    return status;
}

gfab_status gfab_ring_fabric_write(const gfab_ring_fabric *fabric, const gfab_fabric_options *options, gfab_diag *diag)
{
    static const gfab_gen_language language = {.texts = texts,
                                               .lists = lists,
                                               .word = word,
                                               .condition = condition,
                                               .files = files,
                                               .describe = describe,
                                               .describe_nodes = describe_nodes};
    gfab_gen_number numbers[GFAB_GEN_NUMBERS];
    if (!fabric || !options || !options->directory)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a ring fabric is written with options that say where");
    gfab_gen gen = {.language = &language,
                    .ring = fabric,
                    .topology = fabric->topology,
                    .options = options,
                    .nodes = fabric->nodes,
                    .links = gfab_topology_link_count(fabric->topology),
                    .full = fabric->full_duplex,
                    .chip = GFAB_GEN_WHOLE,
                    .rom_folder = "rom",
                    .numbers = numbers};
    GFAB_TRY(gfab_fabric_check_name(gfab_gen_name(&gen), diag));
    collect(&gen, numbers);
    return write_folder(&gen, diag);
}
