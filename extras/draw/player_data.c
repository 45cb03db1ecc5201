/* SPDX-License-Identifier: MIT */
/* The data of the page, in the form that docs/guide/player.md describes. */
#include "player_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '<' || c < ' ')
            fprintf(file, "\\u%04x", c);
        else
            putc(c, file);
    }
    putc('"', file);
}

/* A number of a list. */
static void put_number(FILE *file, bool *first, int64_t number)
{
    fprintf(file, "%s%" PRId64, *first ? "" : ",", number);
    *first = false;
}

static void put_graph(const gfab_topology *topology, const gfab_placement *placement, FILE *file)
{
    bool first = true;
    fputs("\"graph\":{\"name\":", file);
    put_text(file, gfab_topology_name(topology));
    fputs(",\"sides\":[", file);
    for (size_t i = 0; i < gfab_topology_dimensions(topology); i++)
        put_number(file, &first, gfab_topology_side(topology, i));
    first = true;
    fprintf(file, "],\"unit\":%d,\n\"places\":[", GFAB_PLACEMENT_UNIT);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        put_number(file, &first, placement->nodes[v].x);
        put_number(file, &first, placement->nodes[v].y);
    }
    first = true;
    fputs("],\n\"links\":[", file);
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++)
        for (size_t end = 0; end < 2; end++)
            put_number(file, &first, gfab_topology_link(topology, link).node[end]);
    first = true;
    fputs("],\n\"stubs\":[", file);
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_place stub = placement->stubs[link];
        if (stub.x == 0 && stub.y == 0)
            continue;
        put_number(file, &first, (int64_t)link);
        put_number(file, &first, stub.x);
        put_number(file, &first, stub.y);
    }
    first = true;
    fputs(gfab_topology_has_relays(topology) ? "],\n\"relays\":[" : "", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        if (gfab_topology_is_relay(topology, v))
            put_number(file, &first, (int64_t)v);
    first = true;
    fputs(gfab_topology_marks(topology) & GFAB_MARK_SWITCHES ? "],\n\"switches\":[" : "", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        if (gfab_topology_is_switch(topology, v))
            put_number(file, &first, (int64_t)v);
    first = true;
    const bool weighted = gfab_topology_marks(topology) & (GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED);
    fputs(weighted ? "],\n\"weights\":[" : "", file);
    for (size_t arc = 0; weighted && arc < 2 * gfab_topology_link_count(topology); arc++)
        put_number(file, &first, gfab_topology_arc_weight(topology, (gfab_arc)arc));
    fputs(gfab_topology_has_names(topology) ? "],\n\"names\":[" : "", file);
    for (size_t v = 0; gfab_topology_has_names(topology) && v < gfab_topology_node_count(topology); v++) {
        const char *name = gfab_topology_node_name(topology, v);
        fputs(v > 0 ? "," : "", file);
        put_text(file, name ? name : "");
    }
    fputs("]}", file);
}

static int compare_numbers(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return (a_count > b_count) - (a_count < b_count);
}

static int compare_packets(const void *left, const void *right)
{
    const gfab_packet *a = left, *b = right;
    const int order = compare_numbers(a->arcs, a->arc_count, b->arcs, b->arc_count);
    return order != 0 ? order : compare_numbers(a->tokens, a->token_count, b->tokens, b->token_count);
}

/* By arcs, in whatever order they were appended. NULL without memory; to be freed. */
static gfab_packet *sorted_packets(const gfab_schedule *schedule, uint32_t round, size_t *count)
{
    gfab_packet_iter packets = gfab_schedule_round(schedule, round);
    gfab_packet packet, *sorted;
    for (*count = 0; gfab_packet_next(&packets, &packet);)
        ++*count;
    sorted = malloc((*count + 1) * (sizeof *sorted + sizeof(uint32_t)));
    uint32_t *tokens =
        sorted ? (uint32_t *)(sorted + *count + 1) : NULL; /* single ones: an iterator need not keep them */
    packets = gfab_schedule_round(schedule, round);
    for (size_t i = 0; sorted && i < *count; i++) {
        (void)gfab_packet_next(&packets, &sorted[i]);
        if (sorted[i].token_count == 1) {
            tokens[i] = sorted[i].tokens[0];
            sorted[i].tokens = &tokens[i];
        }
    }
    if (sorted)
        qsort(sorted, *count, sizeof *sorted, compare_packets);
    return sorted;
}

/* Every packet as its arcs, each as -1 - arc, and its tokens; where the goal combines, 2 * block + combine. */
static gfab_status put_round(const gfab_schedule *schedule, uint32_t round, FILE *file)
{
    const bool combines = gfab_collective_combines(gfab_schedule_goal(schedule).collective);
    size_t count;
    GFAB_FREED gfab_packet *packets = sorted_packets(schedule, round, &count);
    bool first = true;
    GFAB_NEED(packets);
    fputs(round > 1 ? ",\n[" : "[", file);
    for (const gfab_packet *packet = packets; packet < packets + count; packet++) {
        for (size_t i = 0; i < packet->arc_count; i++)
            put_number(file, &first, -1 - (int64_t)packet->arcs[i]);
        for (size_t i = 0; i < packet->token_count; i++) {
            const uint32_t token = packet->tokens[i] & ~GFAB_COMBINE;
            put_number(file, &first, combines ? 2 * (int64_t)token + (token != packet->tokens[i]) : token);
        }
    }
    putc(']', file);
    return GFAB_OK;
}

static gfab_status put_schedule(const gfab_schedule *schedule, uint64_t bound, FILE *file)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const gfab_model *model = gfab_schedule_model(schedule);
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    bool first = true;
    fputs("{\"collective\":", file);
    put_text(file, gfab_collective_name(goal.collective));
    fprintf(file, ",\"blocks\":%zu,\"root\":%" PRIu32 ",\"idempotent\":%s,\"combines\":%s,\"parts\":%" PRIu32,
            gfab_schedule_token_count(schedule), goal.root, goal.idempotent ? "true" : "false",
            gfab_collective_combines(goal.collective) ? "true" : "false", gfab_schedule_parts(schedule));
    fputs(",\"solver\":", file);
    put_text(file, gfab_schedule_solver(schedule));
    fprintf(file,
            ",\"bound\":%" PRIu64 ",\n\"model\":{\"link\":\"%s\",\"port\":\"%s\",\"routing\":\"%s\",\"packet\":%" PRIu32
            ",\"hop\":%" PRIu32 "}",
            bound, gfab_link_mode_name(model->link_mode), gfab_port_mode_name(model->port_mode),
            gfab_routing_name(model->routing), model->packet_tokens, model->hop_rounds);
    if (goal.collective == GFAB_ALL_GATHER) {
        fputs(",\n\"starts\":[", file);
        for (size_t v = 0; v <= nodes; v++)
            put_number(file, &first, gfab_schedule_first_token(schedule, v));
        putc(']', file);
    }
    fputs(",\n\"rounds\":[", file);
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule); round++)
        GFAB_TRY(put_round(schedule, round, file));
    fputs("]}", file);
    return GFAB_OK;
}

/* Rounds of the ROM up to the last halt. */
static uint32_t rom_rounds(const gfab_player *player)
{
    uint32_t rounds = 0;
    for (size_t i = 0; i < player->count; i++) {
        const gfab_machine_program *program = gfab_machine_program_at(player->machine, i);
        const uint32_t end = program->first_round + program->rounds + 1;
        rounds = end > rounds ? end : rounds;
    }
    return rounds;
}

/* Are the ROM's rounds the schedules', so that a word is what a lane, or a wide node, does in one? */
static bool has_words(const gfab_player *player)
{
    const gfab_machine *machine = player->machine;
    if (!machine || (!gfab_machine_banks(machine) && !gfab_machine_image(machine)))
        return false;
    for (size_t i = 0; i < player->count; i++)
        if (gfab_machine_program_at(machine, i)->rounds != gfab_schedule_rounds(player->schedules[i]))
            return false;
    /* A wide word counts as so many of 32 bits, which narrow ones have at most. */
    const gfab_banks *banks = gfab_machine_banks(machine);
    const uint64_t words = banks ? (uint64_t)rom_rounds(player) * ((gfab_banks_word_bits(banks) + 31) / 32)
                                 : gfab_image_word_count(gfab_machine_image(machine));
    return words * gfab_topology_node_count(gfab_machine_topology(machine)) <= GFAB_MAX_PLAYED_MOVES;
}

/* Which lane each port of each node is. */
static void put_lanes(const gfab_machine *machine, FILE *file)
{
    const gfab_topology *topology = gfab_machine_topology(machine);
    fputs(",\n\"lanes\":[", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        size_t ports;
        bool first = true;
        (void)gfab_topology_ports(topology, v, &ports);
        fputs(v > 0 ? ",[" : "[", file);
        for (size_t port = 0; port < ports; port++)
            put_number(file, &first, gfab_layout_lane(gfab_machine_layout(machine), v, port));
        putc(']', file);
    }
    putc(']', file);
}

/* Of every node its ROM as hex digits, up to the last halt, the lanes of its ports, and what is in a wide word. */
static gfab_status put_words(const gfab_player *player, FILE *file)
{
    const gfab_machine *machine = player->machine;
    const gfab_image *image = gfab_machine_image(machine);
    const gfab_banks *banks = gfab_machine_banks(machine);
    const uint32_t bits = banks ? gfab_banks_word_bits(banks) : gfab_image_op_bits(image);
    const uint32_t digits = (bits + 3) / 4, stride = banks ? 1 : gfab_image_lane_stride(image);
    const uint32_t rounds = rom_rounds(player);
    bool first = true;
    fprintf(file, ",\n\"rom\":{\"digits\":%" PRIu32 ",\"bits\":%" PRIu32 ",\"stride\":%" PRIu32 ",\"first\":[", digits,
            bits, stride);
    for (size_t i = 0; i < player->count; i++)
        put_number(file, &first, gfab_machine_program_at(machine, i)->first_round);
    putc(']', file);
    if (banks)
        fprintf(file,
                ",\"wide\":{\"lanes\":%" PRIu32 ",\"banks\":%" PRIu32 ",\"address_bits\":%" PRIu32 ",\"combines\":%s}",
                gfab_banks_crossbar(banks)->lanes, gfab_banks_crossbar(banks)->banks, gfab_banks_address_bits(banks),
                gfab_layout_combines(gfab_banks_layout(banks)) ? "true" : "false");
    put_lanes(machine, file);
    fputs(",\n\"words\":[", file);
    for (size_t v = 0; v < gfab_topology_node_count(gfab_machine_topology(machine)); v++) {
        fputs(v > 0 ? ",\n\"" : "\"", file);
        if (banks)
            GFAB_TRY(gfab_banks_write_words(banks, v, rounds, "", file, NULL));
        for (size_t i = 0; !banks && i < (size_t)rounds * stride && i < gfab_image_word_count(image); i++)
            fprintf(file, "%0*" PRIx64, (int)digits, gfab_image_word(image, v, i));
        putc('"', file);
    }
    fputs("]}", file);
    return GFAB_OK;
}

gfab_status gfab_player_write_data(const gfab_player *player, const gfab_placement *placement, FILE *file)
{
    fputs("{\"format\":\"gossipfab.player/1\",\n", file);
    put_graph(gfab_schedule_topology(player->schedules[0]), placement, file);
    fputs(",\n\"schedules\":[", file);
    for (size_t i = 0; i < player->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", file);
        GFAB_TRY(put_schedule(player->schedules[i], player->bounds[i], file));
    }
    putc(']', file);
    if (has_words(player))
        GFAB_TRY(put_words(player, file));
    if (player->machine && player->timing) {
        const gfab_timing *timing = gfab_machine_timing(player->machine);
        fprintf(file, ",\n\"timing\":{\"cycles_per_round\":%" PRIu32 ",\"cycles\":[", timing->cycles_per_round);
        for (size_t i = 0; i < player->count; i++)
            fprintf(file, i > 0 ? ",%" PRIu64 : "%" PRIu64, gfab_machine_program_at(player->machine, i)->cycles);
        fputs("]}", file);
    }
    if (player->ring)
        gfab_player_put_ring(player->ring, gfab_schedule_rounds(player->schedules[0]), file);
    fputs("}\n", file);
    return GFAB_OK;
}
