/* SPDX-License-Identifier: MIT */
/* What templates can name beside numbers: texts, conditions, and lists with the fields of their items. */
#include "gen.h"

#include <inttypes.h>
#include <string.h>

static void write_bits(FILE *file, uint32_t bits, uint64_t value)
{
    fprintf(file, "%" PRIu32 "'d%" PRIu64 ", ", bits, value);
}

static void write_number(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "%zu", item);
}

/* Nodes of this top. */
static size_t count_nodes(const gfab_gen *gen)
{
    return gen->top->node_count;
}

static uint32_t node_of(const gfab_gen *gen, size_t item)
{
    return gen->top->nodes[item];
}

static void write_node_name(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%0*" PRIu32, gen->node_digits, node_of(gen, item));
}

static void write_port_of(const gfab_gen *gen, size_t node, FILE *file) /* two digits at least, as other cores have */
{
    fprintf(file, "%0*zu", gen->node_digits > 2 ? gen->node_digits : 2, node);
}

static void write_node_port(const gfab_gen *gen, size_t item, FILE *file)
{
    write_port_of(gen, node_of(gen, item), file);
}

static void write_node(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, node_of(gen, item));
}

static void write_node_slots(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_layout_node_slots(gen->layout, node_of(gen, item)));
}

static void write_own_slot_number(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t node = node_of(gen, item);
    fprintf(file, "%" PRIu32, gen->blocks ? 0 : gfab_layout_slot(gen->layout, node, node * gen->timing->parts));
}

/* Blocks of a node in a program: how many, which is the first, and in which steps. */
typedef struct block_range {
    uint32_t count, first, stride;
} block_range;

static block_range range_of(const gfab_gen *gen, const gfab_goal *goal, uint32_t node, bool reads)
{
    uint32_t (*const count)(const gfab_goal *, size_t, uint32_t) =
        reads ? gfab_goal_wanted_count : gfab_goal_held_count;
    uint32_t (*const at)(const gfab_goal *, size_t, uint32_t, uint32_t) = reads ? gfab_goal_wanted : gfab_goal_held;
    const uint32_t rank = gfab_topology_rank(gen->topology, node);
    if (goal->blocks == 0) /* not known: all */
        return (block_range){gen->blocks, 0, 1};
    block_range range = {count(goal, gen->members, rank), 0, 1};
    if (range.count == 0)
        return range;
    range.first = at(goal, gen->members, rank, 0);
    if (range.count > 1)
        range.stride = at(goal, gen->members, rank, 1) - range.first;
    return range;
}

/* What is loaded, or read, in each program, the last first; reads may have steps; numbers of what is counted go on by
 * program. Where there is nothing to read from a protected store the first is a slot that is loaded, so that it is
 * there. */
static void write_axis_ranges(const gfab_gen *gen, size_t item, bool reads, FILE *file)
{
    const uint32_t bits = gfab_gen_axis_block_bits(gen) + 1;
    for (size_t i = gen->programs; i-- > 0;) {
        const gfab_goal goal = gfab_machine_program_at(gen->machine, i)->goal;
        block_range range = range_of(gen, &goal, node_of(gen, item), reads);
        if (gen->counted)
            range = (block_range){range.count, 0, 1};
        else if (reads && gen->protect && range.count == 0)
            range.first = range_of(gen, &goal, node_of(gen, item), false).first;
        const uint32_t before = gfab_gen_numbers_before(gen, i, reads);
        if (reads)
            write_bits(file, bits, range.stride);
        write_bits(file, bits, range.count);
        fprintf(file, "%" PRIu32 "'d%" PRIu32 "%s", bits, before + range.first, i ? ", " : "");
    }
}

static void write_axis_loads(const gfab_gen *gen, size_t item, FILE *file)
{
    write_axis_ranges(gen, item, false, file);
}

static void write_axis_reads(const gfab_gen *gen, size_t item, FILE *file)
{
    write_axis_ranges(gen, item, true, file);
}

/* Of each program, the last first: does the node want something of it? */
static void write_wants(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t node = node_of(gen, item);
    fprintf(file, "%zu'b", gen->programs);
    for (size_t i = gen->programs; i-- > 0;) {
        const gfab_goal goal = gfab_machine_program_at(gen->machine, i)->goal;
        const bool wants = !gfab_topology_is_relay(gen->topology, node) && range_of(gen, &goal, node, true).count > 0;
        fputc(wants ? '1' : '0', file);
    }
}

/* A node's row in the self-test's TABLE, the last program first. */
static void write_selftest_row(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t node = node_of(gen, item), bits = gfab_gen_selftest_bits(gen);
    const bool relay = gfab_topology_is_relay(gen->topology, node);
    for (size_t i = gen->programs; i-- > 0;) {
        const gfab_goal goal = gfab_machine_program_at(gen->machine, i)->goal;
        write_bits(file, bits, relay ? gen->members : gfab_topology_rank(gen->topology, node));
        for (unsigned loads = 0; loads < 2; loads++) {
            const block_range range = range_of(gen, &goal, node, !loads);
            write_bits(file, bits, gfab_gen_numbers_before(gen, i, !loads));
            write_bits(file, bits, range.stride);
            write_bits(file, bits, range.count);
            fprintf(file, "%" PRIu32 "'d%" PRIu32 "%s", bits, range.first, i || !loads ? ", " : "");
        }
    }
}

/* A node's row in the table NODE, behind its name; slots are those of narrow nodes. */
static void write_node_row(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t node = node_of(gen, item), slot_bits = gen->banks ? 1 : gen->store_slot_bits;
    const bool own = !gen->banks && !gen->blocks, skew = gen->timing->skewed && !gen->paths && !gen->banks;
    write_bits(file, gfab_gen_bits_for(gen->top->rom_count), gen->top->rom_of[node]);
    fprintf(file, "1'b%d, ", !gfab_topology_is_relay(gen->topology, node));
    write_bits(file, slot_bits + 1, gen->banks ? 0 : gfab_layout_node_slots(gen->layout, node));
    write_bits(file, slot_bits, own ? gfab_layout_slot(gen->layout, node, node * gen->timing->parts) : 0);
    write_bits(file, gfab_gen_bits_for(gen->lanes), skew ? gfab_layout_skew(gen->layout, node) : 0);
    fprintf(file, "%" PRIu32 "'b", gen->lanes);
    for (uint32_t lane = gen->lanes; lane-- > 0;)
        fputc(gfab_layout_port(gen->layout, node, lane) == GFAB_NO_PORT ? '0' : '1', file);
}

static void write_peers(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t node = node_of(gen, item);
    size_t count;
    const gfab_port *ports = gfab_topology_ports(gen->topology, node, &count);
    for (uint32_t lane = gen->lanes; lane-- > 0;) {
        const uint32_t port = gfab_layout_port(gen->layout, node, lane);
        if (port == GFAB_NO_PORT)
            fputc('-', file);
        else
            fprintf(file, "%" PRIu32, ports[port].peer);
        fputs(lane ? " " : "", file);
    }
}

static void write_flows(const gfab_gen *gen, size_t item, FILE *file)
{
    gfab_gen_write_flows(gen, node_of(gen, item), file);
}

static void write_turn_row(const gfab_gen *gen, size_t item, FILE *file)
{
    gfab_gen_write_turn_row(gen, node_of(gen, item), file);
}

static void write_order(const gfab_gen *gen, size_t item, FILE *file)
{
    gfab_gen_write_order(gen, node_of(gen, item), file);
}

static const gfab_gen_field node_fields[] = {
    {"NAME", write_node_name},
    {"PORT", write_node_port},
    {"NODE", write_node},
    {"PLACE", write_number},
    {"NODE_SLOTS", write_node_slots},
    {"OWN_SLOT_NUMBER", write_own_slot_number},
    {"AXIS_LOADS", write_axis_loads},
    {"AXIS_READS", write_axis_reads},
    {"WANTS", write_wants},
    {"ROW", write_node_row},
    {"FLOWS", write_flows},
    {"PEERS", write_peers},
    {"TURN_ROW", write_turn_row},
    {"SELFTEST_ROW", write_selftest_row},
    {"ORDER", write_order},
    {NULL, NULL},
};

/* Links with both ends on this top. */
static size_t count_joined(const gfab_gen *gen)
{
    return gen->top->joined_count;
}

/* A link's row in the table LINK: node and lane of each end. */
static void write_link_row(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t link = gen->top->joined[item];
    const uint32_t node_bits = gfab_gen_bits_for(gen->top->node_count), lane_bits = gfab_gen_bits_for(gen->lanes);
    uint32_t lane[2];
    gfab_gen_link_lanes(gen, link, lane);
    for (unsigned end = 0; end < 2; end++) {
        const uint32_t node = gfab_topology_link(gen->topology, link).node[end];
        write_bits(file, node_bits, gen->top->place_of[node]);
        fprintf(file, "%" PRIu32 "'d%" PRIu32 "%s", lane_bits, lane[end], end == 0 ? ", " : "");
    }
}

static const gfab_gen_field link_fields[] = {{"LINK", write_number}, {"ROW", write_link_row}, {NULL, NULL}};

/* Links with one end on this top; the other is on another chip. */
static size_t count_cuts(const gfab_gen *gen)
{
    return gen->top->cut_count;
}

/* The same of one kind: in cables, or a way each, or turned. */
static size_t count_in_cables(const gfab_gen *gen)
{
    return gfab_gen_has_own_clock(gen) ? gen->top->cut_count : 0;
}

static size_t count_each_way(const gfab_gen *gen)
{
    return gen->full && !gfab_gen_has_own_clock(gen) ? gen->top->cut_count : 0;
}

static size_t count_turned(const gfab_gen *gen)
{
    return gen->full ? 0 : gen->top->cut_count;
}

static unsigned end_here(const gfab_gen *gen, size_t item)
{
    return !gfab_gen_has_node(gen, gfab_topology_link(gen->topology, gen->top->cut[item]).node[0]);
}

static void write_cut(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gen->top->cut[item]);
}

static void write_cut_end(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%u", end_here(gen, item));
}

static void write_far_end(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%u", 1 - end_here(gen, item));
}

static void write_cut_place(const gfab_gen *gen, size_t item, FILE *file)
{
    const gfab_link ends = gfab_topology_link(gen->topology, gen->top->cut[item]);
    fprintf(file, "%" PRIu32, gen->top->place_of[ends.node[end_here(gen, item)]]);
}

static void write_cut_lane(const gfab_gen *gen, size_t item, FILE *file)
{
    uint32_t lane[2];
    gfab_gen_link_lanes(gen, gen->top->cut[item], lane);
    fprintf(file, "%" PRIu32, lane[end_here(gen, item)]);
}

static void write_cable_of_cut(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_gen_cable_of(gen, item));
}

static void write_place_in_cable(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%zu", gfab_gen_cable_links(gen, gfab_gen_cable_of(gen, item), item));
}

static const gfab_gen_field cut_fields[] = {
    {"LINK", write_cut},        {"FAR_CHIP", write_cable_of_cut}, {"IN_CABLE", write_place_in_cable},
    {"END", write_cut_end},     {"FAR_END", write_far_end},       {"PAD", write_number},
    {"PLACE", write_cut_place}, {"LANE", write_cut_lane},         {NULL, NULL},
};

/* Links between chips, likewise. */
static size_t count_between_each_way(const gfab_gen *gen)
{
    return gen->full ? gfab_gen_count_between(gen) : 0;
}

static size_t count_between_turned(const gfab_gen *gen)
{
    return gen->full ? 0 : gfab_gen_count_between(gen);
}

/* Cables of a chip with a clock of its own. */
static void write_cable_chip(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_gen_cable_chip(gen, item));
}

static void write_cable_links(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%zu", gfab_gen_cable_links(gen, gfab_gen_cable_chip(gen, item), SIZE_MAX));
}

static void write_cable_names(const gfab_gen *gen, size_t item, FILE *file)
{
    const uint32_t chip = gfab_gen_cable_chip(gen, item);
    for (size_t cut = 0, named = 0; cut < gen->top->cut_count; cut++)
        if (gfab_gen_cable_of(gen, cut) == chip)
            fprintf(file, "%s%" PRIu32, named++ > 0 ? ", " : "", gen->top->cut[cut]);
}

static const gfab_gen_field cable_fields[] = {
    {"FAR_CHIP", write_cable_chip},
    {"CABLE", write_number},
    {"CABLE_LINKS", write_cable_links},
    {"LINKS_OF_CABLE", write_cable_names},
    {NULL, NULL},
};

/* Chips. */
static size_t count_chips(const gfab_gen *gen)
{
    return gen->options->chips ? gen->options->chip_count : 0;
}

static void write_parent(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gen->parents ? gen->parents[item] : 0);
}

static const gfab_gen_field chip_fields[] = {{"CHIP", write_number}, {"PARENT", write_parent}, {NULL, NULL}};

/* Files of rom/. */
static size_t count_programs(const gfab_gen *gen)
{
    size_t count = 0;
    for (size_t node = 0; node < gen->nodes; node++)
        count += gen->sharing->program[node] == node;
    return count;
}

static void write_program(const gfab_gen *gen, size_t item, FILE *file)
{
    size_t node = 0;
    while (gen->sharing->program[node] != node || item-- > 0)
        node++;
    fprintf(file, "%0*zu", gen->node_digits, node);
}

static size_t count_all_nodes(const gfab_gen *gen)
{
    return gen->nodes;
}

static void write_any_node(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%0*zu", gen->node_digits, item);
}

static const gfab_gen_field program_fields[] = {{"NAME", write_program}, {NULL, NULL}};
static const gfab_gen_field any_node_fields[] = {
    {"NAME", write_any_node}, {"PORT", write_port_of}, {"NODE", write_number}, {NULL, NULL}};

/* The benches' numbers. */
static size_t count_numbers(const gfab_gen *gen)
{
    size_t count = 0;
    while (count < GFAB_GEN_NUMBERS && gen->numbers[count].meaning)
        count++;
    return count;
}

static void write_number_name(const gfab_gen *gen, size_t item, FILE *file)
{
    fputs(gen->numbers[item].name, file);
}

static void write_number_value(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu64, gen->numbers[item].value);
}

static void write_number_meaning(const gfab_gen *gen, size_t item, FILE *file)
{
    fputs(gen->numbers[item].meaning, file);
}

static const gfab_gen_field number_fields[] = {
    {"NAME", write_number_name}, {"VALUE", write_number_value}, {"MEANING", write_number_meaning}, {NULL, NULL}};

/* The collectives that the fabric plays, from program 0. */
static size_t count_collectives(const gfab_gen *gen)
{
    return gen->programs;
}

static void write_collective(const gfab_gen *gen, size_t item, FILE *file)
{
    const gfab_goal goal = gfab_machine_program_at(gen->machine, item)->goal;
    fprintf(file, "%s of %" PRIu32 " block%s", gfab_collective_name(goal.collective), goal.blocks,
            goal.blocks == 1 ? "" : "s");
    if (gfab_collective_has_root(goal.collective))
        fprintf(file, ", root %" PRIu32, goal.root);
}

static void write_collective_rounds(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32, gfab_machine_program_at(gen->machine, item)->rounds);
}

static void write_collective_cycles(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu64, gfab_machine_program_at(gen->machine, item)->cycles);
}

static const gfab_gen_field collective_fields[] = {{"NUMBER", write_number},
                                                   {"COLLECTIVE", write_collective},
                                                   {"COLLECTIVE_ROUNDS", write_collective_rounds},
                                                   {"COLLECTIVE_CYCLES", write_collective_cycles},
                                                   {NULL, NULL}};

/* What i_program can be, the highest number first. */
static size_t count_choices(const gfab_gen *gen)
{
    return (size_t)1 << gfab_gen_bits_for(gen->programs);
}

static size_t chosen(const gfab_gen *gen, size_t item)
{
    return item < gen->programs ? item : 0;
}

static void write_choice_collective(const gfab_gen *gen, size_t item, FILE *file)
{
    write_collective(gen, chosen(gen, item), file);
}

static void write_first_round(const gfab_gen *gen, size_t item, FILE *file)
{
    fprintf(file, "%" PRIu32 "'d%" PRIu32, gen->round_bits,
            gfab_machine_program_at(gen->machine, chosen(gen, item))->first_round);
}

static const gfab_gen_field choice_fields[] = {{"NUMBER", write_number},
                                               {"COLLECTIVE", write_choice_collective},
                                               {"FIRST_ROUND", write_first_round},
                                               {NULL, NULL}};

/* The register map. */
static size_t count_registers(const gfab_gen *gen)
{
    size_t count = 0;
    (void)gen;
    while (gfab_register_at(count))
        count++;
    return count;
}

static void write_register_name(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->name, file);
}

static void write_register_offset(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "0x%02" PRIx32, gfab_register_at(item)->offset);
}

static void write_register_access(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->access, file);
}

static void write_register_meaning(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->meaning, file);
}

static const gfab_gen_field register_fields[] = {{"NAME", write_register_name},
                                                 {"OFFSET", write_register_offset},
                                                 {"ACCESS", write_register_access},
                                                 {"MEANING", write_register_meaning},
                                                 {NULL, NULL}};

static size_t count_register_parts(const gfab_gen *gen)
{
    size_t count = 0;
    (void)gen;
    while (gfab_register_field_at(count))
        count++;
    return count;
}

static void write_part_name(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "%s_%s", gfab_register_field_at(item)->of, gfab_register_field_at(item)->name);
}

static void write_part_mask(const gfab_gen *gen, size_t item, FILE *file)
{
    const gfab_register_field *field = gfab_register_field_at(item);
    (void)gen;
    fprintf(file, "0x%02" PRIx32, ((1u << field->bits) - 1) << field->lsb);
}

static void write_part_meaning(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_field_at(item)->meaning, file);
}

static const gfab_gen_field register_part_fields[] = {
    {"NAME", write_part_name}, {"MASK", write_part_mask}, {"MEANING", write_part_meaning}, {NULL, NULL}};

const gfab_gen_list gfab_gen_common_lists[] = {
    {"HEADERS", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_HEADER},
    {"MODULES", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_MODULE},
    {"AXIS_MODULES", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_AXIS},
    {"REGISTER_MODULES", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_REGISTERS},
    {"BOARD_MODULES", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_BOARD},
    {"CHIP_MODULES", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_PAD},
    {"SCRIPTS", NULL, NULL, GFAB_GEN_PLAIN, GFAB_GEN_SCRIPT},
    {"NUMBERS", count_numbers, number_fields, GFAB_GEN_PLAIN, 0},
    {NULL, NULL, NULL, GFAB_GEN_PLAIN, 0},
};

const gfab_gen_list gfab_gen_lists[] = {
    {"NODES", count_nodes, node_fields, GFAB_GEN_TABLE, 0},
    {"LINKS", count_joined, link_fields, GFAB_GEN_TABLE, 0},
    {"CUTS_IN_CABLES", count_in_cables, cut_fields, GFAB_GEN_PLAIN, 0},
    {"CUTS_EACH_WAY", count_each_way, cut_fields, GFAB_GEN_PLAIN, 0},
    {"CUTS_TURNED", count_turned, cut_fields, GFAB_GEN_PLAIN, 0},
    {"CUTS_FROM_LAST", count_cuts, cut_fields, GFAB_GEN_TABLE, 0},
    {"CABLES", gfab_gen_cable_count, cable_fields, GFAB_GEN_PLAIN, 0},
    {"BETWEEN_EACH_WAY", count_between_each_way, gfab_gen_between_fields, GFAB_GEN_PLAIN, 0},
    {"BETWEEN_TURNED", count_between_turned, gfab_gen_between_fields, GFAB_GEN_PLAIN, 0},
    {"CHIPS", count_chips, chip_fields, GFAB_GEN_OF_CHIPS, 0},
    {"PROGRAMS", count_programs, program_fields, GFAB_GEN_PLAIN, 0},
    {"COLLECTIVES", count_collectives, collective_fields, GFAB_GEN_PLAIN, 0},
    {"CHOICES", count_choices, choice_fields, GFAB_GEN_TABLE, 0},
    {"IMAGES", gfab_gen_count_images, gfab_gen_image_fields, GFAB_GEN_TABLE, 0},
    {"PLACE_IMAGES", gfab_gen_count_place_images, gfab_gen_place_image_fields, GFAB_GEN_TABLE, 0},
    {"ALL_NODES", count_all_nodes, any_node_fields, GFAB_GEN_PLAIN, 0},
    {"REGISTER_MAP", count_registers, register_fields, GFAB_GEN_PLAIN, 0},
    {"REGISTER_PARTS", count_register_parts, register_part_fields, GFAB_GEN_PLAIN, 0},
    {NULL, NULL, NULL, GFAB_GEN_PLAIN, 0},
};
