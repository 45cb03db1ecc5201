/* SPDX-License-Identifier: MIT */
/* The data of the page, in the form that docs/guide/player.md describes. */
#include "player_internal.h"

#include <inttypes.h>

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
    fputs("]}", file);
}

/* Every packet as its arcs, each as -1 - arc, and its tokens; where the goal combines, 2 * block + combine. */
static void put_round(const gfab_schedule *schedule, uint32_t round, FILE *file)
{
    const bool combines = gfab_collective_combines(gfab_schedule_goal(schedule).collective);
    gfab_packet_iter packets = gfab_schedule_round(schedule, round);
    gfab_packet packet;
    bool first = true;
    fputs(round > 1 ? ",\n[" : "[", file);
    while (gfab_packet_next(&packets, &packet)) {
        for (size_t i = 0; i < packet.arc_count; i++)
            put_number(file, &first, -1 - (int64_t)packet.arcs[i]);
        for (size_t i = 0; i < packet.token_count; i++) {
            const uint32_t token = packet.tokens[i] & ~GFAB_COMBINE;
            put_number(file, &first, combines ? 2 * (int64_t)token + (token != packet.tokens[i]) : token);
        }
    }
    putc(']', file);
}

static void put_schedule(const gfab_schedule *schedule, uint64_t bound, FILE *file)
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
        put_round(schedule, round, file);
    fputs("]}", file);
}

/* Are the ROM's rounds the schedules', so that a word is what a lane does in one? */
static bool has_words(const gfab_player *player)
{
    const gfab_machine *machine = player->machine;
    if (!machine || gfab_machine_banks(machine) || !gfab_machine_image(machine))
        return false;
    for (size_t i = 0; i < player->count; i++)
        if (gfab_machine_program_at(machine, i)->rounds != gfab_schedule_rounds(player->schedules[i]))
            return false;
    const uint64_t words = gfab_image_word_count(gfab_machine_image(machine));
    return words * gfab_topology_node_count(gfab_machine_topology(machine)) <= GFAB_MAX_PLAYED_MOVES;
}

/* Of every node its ROM as hex digits, up to the last halt, and the lanes of its ports. */
static void put_words(const gfab_player *player, FILE *file)
{
    const gfab_machine *machine = player->machine;
    const gfab_image *image = gfab_machine_image(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_topology *topology = gfab_machine_topology(machine);
    const uint32_t digits = (gfab_image_op_bits(image) + 3) / 4, stride = gfab_image_lane_stride(image);
    uint32_t rounds = 0;
    bool first = true;
    for (size_t i = 0; i < player->count; i++) {
        const gfab_machine_program *program = gfab_machine_program_at(machine, i);
        const uint32_t end = program->first_round + program->rounds + 1;
        rounds = end > rounds ? end : rounds;
    }
    fprintf(file, ",\n\"rom\":{\"digits\":%" PRIu32 ",\"bits\":%" PRIu32 ",\"stride\":%" PRIu32 ",\"first\":[", digits,
            gfab_image_op_bits(image), stride);
    for (size_t i = 0; i < player->count; i++)
        put_number(file, &first, gfab_machine_program_at(machine, i)->first_round);
    fputs("],\n\"lanes\":[", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        size_t ports;
        first = true;
        (void)gfab_topology_ports(topology, v, &ports);
        fputs(v > 0 ? ",[" : "[", file);
        for (size_t port = 0; port < ports; port++)
            put_number(file, &first, gfab_layout_lane(layout, v, port));
        putc(']', file);
    }
    fputs("],\n\"words\":[", file);
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        fputs(v > 0 ? ",\n\"" : "\"", file);
        for (size_t i = 0; i < (size_t)rounds * stride && i < gfab_image_word_count(image); i++)
            fprintf(file, "%0*" PRIx32, (int)digits, gfab_image_word(image, v, i));
        putc('"', file);
    }
    fputs("]}", file);
}

void gfab_player_write_data(const gfab_player *player, const gfab_placement *placement, FILE *file)
{
    fputs("{\"format\":\"gossipfab.player/1\",\n", file);
    put_graph(gfab_schedule_topology(player->schedules[0]), placement, file);
    fputs(",\n\"schedules\":[", file);
    for (size_t i = 0; i < player->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", file);
        put_schedule(player->schedules[i], player->bounds[i], file);
    }
    putc(']', file);
    if (has_words(player))
        put_words(player, file);
    if (player->machine && player->timing) {
        const gfab_timing *timing = gfab_machine_timing(player->machine);
        fprintf(file, ",\n\"timing\":{\"cycles_per_round\":%" PRIu32 ",\"cycles\":[", timing->cycles_per_round);
        for (size_t i = 0; i < player->count; i++)
            fprintf(file, i > 0 ? ",%" PRIu64 : "%" PRIu64, gfab_machine_program_at(player->machine, i)->cycles);
        fputs("]}", file);
    }
    fputs("}\n", file);
}
