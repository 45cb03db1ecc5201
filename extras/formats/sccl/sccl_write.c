/* SPDX-License-Identifier: MIT */
/* SCCL's JSON, as msccl-tools' serialization.py reads it. Where contributions are combined, a block is as many chunks
 * of one address as there are nodes. What SCCL cannot say is in members that it passes over: the head of the schedule,
 * and in a step which of its sends the receiver combines. */
#include "formats/formats.h"

#include <jansson.h>

typedef struct writer {
    FILE *file;
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    gfab_model model;
    gfab_goal goal;
    uint32_t nodes;
    bool combines;
} writer;

static const char *const names[GFAB_COLLECTIVES] = {"Allgather", "ReduceScatter", "Allreduce", "Broadcast",
                                                    "Reduce",    "Barrier",       "Alltoall"};
static const char *const runtime_names[GFAB_COLLECTIVES] = {"allgather", "reduce_scatter", "allreduce", "broadcast",
                                                            "reduce",    "custom",         "alltoall"};

/* Nodes that have, or want, the block, as a list. */
static void put_nodes(const writer *w, uint32_t block, bool wants)
{
    const char *before = "";
    fputc('[', w->file);
    for (uint32_t v = 0; v < w->nodes; v++)
        if (wants ? gfab_goal_node_wants(&w->goal, w->topology, v, block) : gfab_moves_holds(w->schedule, v, block)) {
            fprintf(w->file, "%s%u", before, v);
            before = ",";
        }
    fputc(']', w->file);
}

/* The addresses that each node has, or wants. */
static void put_map(const writer *w, const char *key, bool wants)
{
    const char *between = "";
    fprintf(w->file, " \"%s\": {", key);
    for (uint32_t v = 0; v < w->nodes; v++) {
        const char *before = "";
        fprintf(w->file, "%s\"%u\": [", between, v);
        between = ", ";
        for (uint32_t b = 0; b < w->goal.blocks; b++)
            if (wants ? gfab_goal_node_wants(&w->goal, w->topology, v, b) : gfab_moves_holds(w->schedule, v, b)) {
                fprintf(w->file, "%s%u", before, b);
                before = ",";
            }
        fputc(']', w->file);
    }
    fputs("},\n", w->file);
}

static void put_steps(const writer *w, const gfab_moves *moves)
{
    const uint32_t rounds = gfab_schedule_rounds(w->schedule);
    size_t i = 0;
    fputs(" \"steps\": [", w->file);
    for (uint32_t round = 1; round <= rounds; round++) {
        size_t end = i;
        fprintf(w->file, "%s\n  {\"msccl_type\": \"step\", \"rounds\": 1, \"sends\": [", round > 1 ? "," : "");
        for (; end < moves->count && moves->at[end].round == round; end++) {
            const gfab_move *m = &moves->at[end];
            fprintf(w->file, "%s[%u,%u,%u]", end > i ? "," : "", m->block, m->from, m->to);
        }
        fputc(']', w->file);
        if (w->combines) {
            fputs(", \"combine\": [", w->file);
            for (size_t j = i; j < end; j++)
                fprintf(w->file, "%s%s", j > i ? "," : "", moves->at[j].combine ? "true" : "false");
            fputc(']', w->file);
        }
        fputc('}', w->file);
        i = end;
    }
    fputs("],\n", w->file);
}

/* Blocks that one chunk of the collective is cut in: those of an owner, or all of them. */
static uint32_t cut_of(const writer *w)
{
    const bool shared = w->goal.collective == GFAB_ALL_GATHER || w->goal.collective == GFAB_REDUCE_SCATTER;
    const uint32_t members = (uint32_t)gfab_topology_member_count(w->topology);
    uint32_t cut = w->goal.collective == GFAB_ALL_TO_ALL ? 1 : w->goal.blocks / (shared ? members : 1);
    for (uint32_t b = 1; w->goal.collective == GFAB_ALL_GATHER && b < w->goal.blocks && cut > 1; b++)
        if ((gfab_schedule_origin(w->schedule, b) == gfab_schedule_origin(w->schedule, b - 1)) != (b % cut != 0))
            cut = 1; /* nodes start with different numbers of blocks */
    return cut > 0 ? cut : 1;
}

static void put_collective(const writer *w)
{
    const uint32_t contributions = w->combines ? w->nodes : 1, cut = cut_of(w);
    const char *before = "";
    fprintf(w->file, " \"collective\": {\"msccl_type\": \"collective\", \"name\": \"%s(n=%u", names[w->goal.collective],
            w->nodes);
    if (gfab_collective_has_root(w->goal.collective))
        fprintf(w->file, ",root=%u", w->goal.root);
    fprintf(w->file, ")\", \"nodes\": %u, \"chunks\": [", w->nodes);
    for (uint32_t b = 0; b < w->goal.blocks; b += cut)
        for (uint32_t v = 0; v < contributions; v++) {
            if (w->combines && gfab_topology_is_relay(w->topology, v))
                continue;
            fprintf(w->file, "%s\n  {\"msccl_type\": \"chunk\", \"pre\": ", before);
            before = ",";
            if (w->combines)
                fprintf(w->file, "[%u]", v);
            else
                put_nodes(w, b, false);
            fputs(", \"post\": ", w->file);
            put_nodes(w, b, true);
            fprintf(w->file, ", \"addr\": %u}", b / cut);
        }
    fprintf(w->file, "],\n  \"triggers\": {}, \"runtime_name\": \"%s\"},\n", runtime_names[w->goal.collective]);
}

static void put_neighbours(const writer *w, uint32_t node)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(w->topology, node, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(w->file, "%s%u", i ? "," : "", ports[i].peer);
}

/* Sends a round from a node over a link, or over any of its links. */
static uint32_t sends_over(const writer *w, gfab_arc arc)
{
    return w->model.packet_tokens * gfab_topology_arc_weight(w->topology, arc);
}

static uint32_t most_sends(const writer *w, uint32_t node, bool out)
{
    uint32_t most = 0;
    GFAB_EACH_PORT(port, w->topology, node) {
        const uint32_t sends = sends_over(w, (2 * port->link + port->end) ^ (out ? 0u : 1u));
        most = sends > most ? sends : most;
    }
    return most;
}

/* What SCCL calls a switch: so many sends a round, from some nodes to some. A half-duplex link is one, and each side
 * of a node that uses one port at a time. */
static void put_switches(const writer *w)
{
    const char *before = "";
    fputs("  \"switches\": [", w->file);
    if (w->model.link_mode == GFAB_LINK_HALF)
        for (size_t l = 0; l < gfab_topology_link_count(w->topology); l++) {
            const gfab_link link = gfab_topology_link(w->topology, l);
            fprintf(w->file, "%s\n   [[%u,%u],[%u,%u],%u,\"link %zu\"]", before, link.node[0], link.node[1],
                    link.node[0], link.node[1], w->model.packet_tokens * gfab_topology_weight(w->topology, l), l);
            before = ",";
        }
    if (w->model.port_mode == GFAB_PORT_ONE)
        for (uint32_t v = 0; v < w->nodes; v++) {
            fprintf(w->file, "%s\n   [[%u],[", before, v);
            put_neighbours(w, v);
            fprintf(w->file, "],%u,\"out %u\"],\n   [[", most_sends(w, v, true), v);
            put_neighbours(w, v);
            fprintf(w->file, "],[%u],%u,\"in %u\"]", v, most_sends(w, v, false), v);
            before = ",";
        }
    fputs("],\n", w->file);
}

/* links[to][from]: sends a round. */
static void put_links(const writer *w)
{
    fputs("  \"links\": [", w->file);
    for (uint32_t to = 0; to < w->nodes; to++) {
        fprintf(w->file, "%s\n   [", to ? "," : "");
        for (uint32_t from = 0; from < w->nodes; from++) {
            gfab_arc arc;
            const bool is_link = gfab_topology_find_arc(w->topology, from, to, &arc);
            fprintf(w->file, "%s%u", from ? "," : "", is_link ? sends_over(w, arc) : 0);
        }
        fputc(']', w->file);
    }
    fputs("]}}\n", w->file);
}

gfab_status gfab_sccl_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress, gfab_diag *diag)
{
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    writer w = {.file = file,
                .schedule = schedule,
                .topology = gfab_schedule_topology(schedule),
                .model = *gfab_schedule_model(schedule),
                .goal = gfab_schedule_goal(schedule)};
    w.nodes = (uint32_t)gfab_topology_node_count(w.topology);
    w.combines = gfab_collective_combines(w.goal.collective);
    (void)progress;
    if (w.nodes > GFAB_MAX_PAIRED_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "SCCL's JSON has a number for every pair of nodes; at most %d nodes",
                         GFAB_MAX_PAIRED_NODES);
    gfab_status status = gfab_format_check_marks(gfab_schedule_topology(schedule), GFAB_MARKS_STORED, "SCCL", diag);
    GFAB_THEN(status, gfab_moves_of(schedule, &moves, diag));
    GFAB_FREED char *head = status == GFAB_OK ? gfab_format_head(schedule) : NULL;
    json_t *text = head ? json_string(head) : NULL;
    if (status == GFAB_OK && !text)
        status = gfab_format_no_memory(diag);
    if (status == GFAB_OK) {
        const uint32_t rounds = gfab_schedule_rounds(schedule);
        fprintf(file, "{\"msccl_type\": \"algorithm\",\n \"name\": \"%s-%s-steps=%u\",\n \"gossipfab\": ",
                names[w.goal.collective], gfab_topology_name(w.topology), rounds);
        /* A failed write is the file's to tell. */
        if (json_dumpf(text, file, JSON_ENCODE_ANY) != 0 && !ferror(file))
            status = gfab_format_no_memory(diag);
        fprintf(file,
                ",\n \"instance\": {\"msccl_type\": \"instance\", \"steps\": %u, \"extra_rounds\": 0, \"chunks\": "
                "%u,\n  \"pipeline\": null, \"extra_memory\": null, \"allow_exchange\": false},\n",
                rounds, cut_of(&w));
        put_map(&w, "input_map", false);
        put_map(&w, "output_map", true);
        put_steps(&w, &moves);
        put_collective(&w);
        fprintf(file, " \"topology\": {\"msccl_type\": \"topology\", \"name\": \"%s\",\n",
                gfab_topology_name(w.topology));
        put_switches(&w);
        put_links(&w);
    }
    GFAB_THEN(status, gfab_format_written(file, diag));
    json_decref(text);
    return status;
}
