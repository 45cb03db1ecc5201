/* SPDX-License-Identifier: MIT */
/* manifest.json: the fabric's numbers, and what belongs to each node. */
#include "gen.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* The lists that have an entry for each node. Not 0 where memory ran out. */
static int add_nodes(const gfab_gen *gen, json_t *root)
{
    const gfab_fabric_options *options = gen->options;
    int bad = 0;
    json_t *lanes = json_array();
    for (size_t node = 0; node < gen->nodes; node++) {
        json_t *peers = json_array();
        size_t count;
        const gfab_port *ports = gfab_topology_ports(gen->topology, node, &count);
        for (uint32_t lane = 0; lane < gen->lanes; lane++) {
            const uint32_t port = gfab_layout_port(gen->layout, node, lane);
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
    if (gfab_topology_has_relays(gen->topology)) {
        json_t *slots = json_array();
        for (size_t node = 0; node < gen->nodes; node++)
            bad |= json_array_append_new(slots, json_integer(gfab_layout_node_slots(gen->layout, node)));
        bad |= json_object_set_new(root, "slots_of_node", slots);
    }
    if (options->chips) {
        json_t *chips = json_array();
        for (size_t node = 0; node < gen->nodes; node++)
            bad |= json_array_append_new(chips, json_integer(options->chips[node]));
        bad |= json_object_set_new(root, "chip_of_node", chips);
    }
    if (options->own_clocks) {
        json_t *clocks = json_object();
        bad |= json_object_set_new(clocks, "entries", json_integer(gen->clocks.entries));
        bad |= json_object_set_new(clocks, "tail_cycles", json_integer(gen->clocks.tail_cycles));
        bad |= json_object_set_new(clocks, "rest_cycles", json_integer(gen->clocks.rest_cycles));
        bad |= json_object_set_new(clocks, "slack_cycles", json_integer(gen->clocks.slack_cycles));
        bad |= json_object_set_new(clocks, "cycles", json_integer((json_int_t)gen->clocks.cycles));
        bad |= json_object_set_new(root, "own_clocks", clocks);
    }
    return bad;
}

/* The collectives that the fabric plays, in the order of their numbers. */
static int add_programs(const gfab_gen *gen, json_t *root)
{
    json_t *programs = json_array();
    int bad = 0;
    for (size_t i = 0; i < gen->programs; i++) {
        const gfab_machine_program *program = gfab_machine_program_at(gen->machine, i);
        json_t *entry = json_object();
        bad |= json_object_set_new(entry, "collective", json_string(gfab_collective_name(program->goal.collective)));
        bad |= json_object_set_new(entry, "blocks", json_integer(program->goal.blocks));
        bad |= json_object_set_new(entry, "root", json_integer(program->goal.root));
        bad |= json_object_set_new(entry, "idempotent", json_boolean(program->goal.idempotent));
        bad |= json_object_set_new(entry, "first_round", json_integer(program->first_round));
        bad |= json_object_set_new(entry, "rounds", json_integer(program->rounds));
        bad |= json_object_set_new(entry, "cycles", json_integer((json_int_t)program->cycles));
        bad |= json_array_append_new(programs, entry);
    }
    return bad | json_object_set_new(root, "programs", programs);
}

/* All that is in the folder, and the modules of the fabric. */
static int add_files(const gfab_gen *gen, json_t *root)
{
    json_t *modules = json_array();
    int bad = 0;
    const gfab_gen_file *file;
    for (size_t i = 0; (file = gfab_gen_file_at(gen, GFAB_GEN_MODULE, i)); i++)
        bad |= json_array_append_new(modules, json_string(file->to));
    bad |= json_object_set_new(root, "modules", modules);
    json_t *all = json_object(); /* each with its sum; the manifest itself, the last, gets its own below */
    for (size_t i = 0; i + 1 < gen->folder->count; i++)
        bad |= json_object_set_new(all, gen->folder->written[i].name,
                                   json_sprintf("%08" PRIx32, gen->folder->written[i].sum));
    return bad | json_object_set_new(root, "files", all);
}

/* What the nodes are called: null of one without a name. */
int gfab_gen_describe_names(const gfab_gen *gen, json_t *root)
{
    if (!gfab_topology_has_names(gen->topology))
        return 0;
    json_t *names = json_array();
    int bad = 0;
    for (size_t node = 0; node < gfab_topology_node_count(gen->topology); node++) {
        const char *name = gfab_topology_node_name(gen->topology, node);
        bad |= json_array_append_new(names, name ? json_string(name) : json_null());
    }
    return bad | json_object_set_new(root, "names", names);
}

int gfab_gen_describe(const gfab_gen *gen, json_t *root)
{
    const gfab_fabric_options *options = gen->options;
    int bad = json_object_set_new(root, "axi", json_string(options->overlap ? "overlap" : "turns"));
    bad |= json_object_set_new(root, "topology", json_string(gfab_topology_spec(gen->topology)));
    bad |= gfab_gen_describe_names(gen, root);
    bad |= json_object_set_new(root, "solver", json_string(options->solver ? options->solver : ""));
    bad |= json_object_set_new(root, "frame", json_string(gfab_frame_name(gfab_layout_frame(gen->layout))));
    bad |= json_object_set_new(root, "crossbar",
                               gen->banks ? json_string(gfab_crossbar_name(gfab_banks_crossbar(gen->banks)->kind))
                                          : json_null());
    bad |= json_object_set_new(root, "board", options->board ? json_string(options->board->name) : json_null());
    bad |= json_object_set_new(root, "registers",
                               options->registers ? json_string(gfab_bus_name(options->registers)) : json_null());
    bad |= json_object_set_new(root, "host",
                               options->board ? json_string(options->uart_host ? "uart" : "self-test") : json_null());
    bad |= json_object_set_new(root, "identity", json_integer(gen->identity));
    bad |= json_object_set_new(root, "rom", json_string(gfab_gen_rom_word(options)));
    bad |= json_object_set_new(root, "dropped", options->dropped ? json_string(options->dropped) : json_null());
    return bad |
           json_object_set_new(root, "lower_bound_rounds",
                               options->bound_rounds ? json_integer((json_int_t)options->bound_rounds) : json_null());
}

int gfab_gen_describe_nodes(const gfab_gen *gen, json_t *root)
{
    return add_programs(gen, root) | add_nodes(gen, root);
}

/* An object; NULL where memory ran out. */
static json_t *manifest(const gfab_gen *gen)
{
    const gfab_gen_number *table = gen->numbers;
    json_t *root = json_object();
    int bad = json_object_set_new(root, "schema", json_string("gossipfab.fabric/1"));
    bad |= json_object_set_new(root, "name", json_string(gfab_gen_name(gen)));
    bad |= gen->language->describe(gen, root);
    for (size_t i = 0; i < GFAB_GEN_NUMBERS && table[i].meaning; i++) {
        char name[32];
        size_t length = 0;
        for (; table[i].name[length]; length++)
            name[length] = (char)(table[i].name[length] == '_' ? '_' : table[i].name[length] - 'A' + 'a');
        name[length] = '\0';
        if (strcmp(table[i].name, "PROGRAMS") != 0) /* those are a list */
            bad |= json_object_set_new(root, name, json_integer((json_int_t)table[i].value));
    }
    bad |= gen->language->describe_nodes(gen, root);
    bad |= add_files(gen, root);
    if (bad) {
        json_decref(root);
        return NULL;
    }
    return root;
}

gfab_status gfab_gen_manifest(const gfab_gen *gen, FILE *file, gfab_diag *diag)
{
    json_t *root = manifest(gen);
    uint32_t sum = 0;
    if (root && (gfab_gen_sum_json(root, &sum, NULL) ||
                 json_object_set_new(json_object_get(root, "files"), gen->folder->written[gen->folder->count - 1].name,
                                     json_sprintf("%08" PRIx32, sum)))) {
        json_decref(root);
        root = NULL;
    }
    /* Not json_dumps: it takes no notice where memory runs out under a key. A failed write is the file's to tell. */
    const bool good = root && (json_dumpf(root, file, JSON_INDENT(2) | JSON_PRESERVE_ORDER) == 0 || ferror(file));
    json_decref(root);
    if (!good)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the manifest");
    fputc('\n', file);
    return GFAB_OK;
}
