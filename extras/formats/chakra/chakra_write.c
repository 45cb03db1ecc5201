/* SPDX-License-Identifier: MIT */
/* Chakra execution traces for ASTRA-sim's custom collectives, a file a rank: a length, then a protobuf message, again
 * and again. A node of the trace sends, receives, or combines.
 *
 * What goes to and comes from a rank is in the order of rounds, in a round sent before received. Of what is sent
 * that to the next rank is the first, so that no two begin with the same one. A node waits for what is before it
 * alone: a send for the block and what its link did last; what comes also for the sends of what it replaces. Relays
 * are switches: past them one rank sends to another, in the round in which it does, and what comes does so in the
 * round of the last link. So nothing waits in a circle. All of it is in data_deps, each node once: ASTRA-sim's first
 * reader of traces passes over ctrl_deps, and waits for ever where a node stands there twice. Each message has a tag
 * of its own. */
#include <gossipfab/base/arena.h>
#include <gossipfab/formats/chakra.h>

#include "chakra_fields.h"
#include "formats/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT64_MAX /* as memset makes it */
#define MARKS (GFAB_MARK_WEIGHTS | GFAB_MARK_RELAYS | GFAB_MARK_LIMITED | GFAB_MARK_SWITCHES)

typedef struct bytes {
    uint8_t *at;
    size_t size, capacity;
    bool failed;
} bytes;

/* What goes from a rank to another, at one of its ends: the same move at both, unless relays are between them. */
typedef struct op {
    const gfab_move *move; /* over this rank's link */
    uint32_t peer, tag;
    uint32_t turn; /* among the others of its round */
    bool receives;
} op;

/* A node that has read a block since it was last written. */
typedef struct reading {
    uint64_t id;
    uint32_t next; /* in readings, UINT32_MAX: none */
} reading;

typedef struct writer {
    FILE *file;
    const gfab_topology *topology;
    gfab_model model;
    uint32_t rank, node;
    uint64_t block_bytes;
    uint64_t next_id;
    uint64_t *written_by; /* [block] */
    uint32_t *read_by;    /* [block]: first of its readings */
    reading *readings;
    uint32_t reading_count;
    uint64_t *last;  /* the nodes that used a link last, as many as it carries at once: [(2 port + way) most + i] */
    uint32_t *next;  /* [2 port + way]: the one of them that was first, and makes room for the next */
    uint32_t packet; /* blocks of the longest */
    uint32_t most;   /* blocks that any link carries at once */
    bytes message, attribute, deps;
    gfab_arena arena;
} writer;

/* ---- protobuf ---- */

static void put_byte(bytes *b, uint8_t byte)
{
    if (b->size == b->capacity && !b->failed) {
        const size_t capacity = b->capacity ? 2 * b->capacity : 256;
        uint8_t *grown = realloc(b->at, capacity);
        b->failed = !grown;
        if (grown) {
            b->at = grown;
            b->capacity = capacity;
        }
    }
    if (!b->failed)
        b->at[b->size++] = byte;
}

static void put_varint(bytes *b, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        put_byte(b, (uint8_t)(number | 0x80));
    put_byte(b, (uint8_t)number);
}

static void put_number(bytes *b, uint32_t field, uint64_t number)
{
    put_varint(b, field << 3 | GFAB_CHAKRA_VARINT);
    put_varint(b, number);
}

static void put_bytes(bytes *b, uint32_t field, const void *data, size_t size)
{
    put_varint(b, field << 3 | GFAB_CHAKRA_BYTES);
    put_varint(b, size);
    for (size_t i = 0; i < size; i++)
        put_byte(b, ((const uint8_t *)data)[i]);
}

/* An attribute of a node: its number. */
static void put_attribute(writer *w, const char *name, uint32_t kind, uint64_t number)
{
    w->attribute.size = 0;
    put_bytes(&w->attribute, GFAB_CHAKRA_ATTRIBUTE_NAME, name, strlen(name));
    put_number(&w->attribute, kind, number);
    put_bytes(&w->message, GFAB_CHAKRA_ATTRIBUTE, w->attribute.at, w->attribute.size);
}

/* The message, behind its length. */
static void put_message(writer *w)
{
    bytes *b = &w->attribute;
    b->size = 0;
    put_varint(b, w->message.size);
    if (!b->failed && !w->message.failed) {
        fwrite(b->at, 1, b->size, w->file);
        fwrite(w->message.at, 1, w->message.size, w->file);
    }
    w->message.size = 0;
}

/* ---- nodes ---- */

/* The version, and the head of the schedule, or NULL. */
static void put_metadata(writer *w, const char *head)
{
    static const char version[] = "0.0.4", name[] = "gossipfab";
    put_bytes(&w->message, GFAB_CHAKRA_VERSION, version, sizeof version - 1);
    if (!head) {
        put_message(w);
        return;
    }
    put_bytes(&w->attribute, GFAB_CHAKRA_ATTRIBUTE_NAME, name, sizeof name - 1);
    put_bytes(&w->attribute, GFAB_CHAKRA_STRING, head, strlen(head));
    put_bytes(&w->message, GFAB_CHAKRA_METADATA_ATTRIBUTE, w->attribute.at, w->attribute.size);
    put_message(w);
}

/* The start of a node, but for what it waits for; returns its id. */
static uint64_t begin_node(writer *w, const gfab_move *m, uint32_t type)
{
    static const char *const verbs[] = {"combine", "send", "receive"};
    char name[96];
    const int length = snprintf(name, sizeof name, "round %u: %s block %u, %u to %u", m->round,
                                verbs[type - GFAB_CHAKRA_COMP], m->block, m->from, m->to);
    w->message.size = 0;
    put_number(&w->message, GFAB_CHAKRA_ID, w->next_id);
    put_bytes(&w->message, GFAB_CHAKRA_NAME, name, (size_t)length);
    put_number(&w->message, GFAB_CHAKRA_TYPE, type);
    w->deps.size = 0;
    return w->next_id++;
}

static void wait_for(writer *w, uint64_t id)
{
    if (id != NONE)
        put_varint(&w->deps, id);
}

/* What was said by wait_for since the last time. */
static void put_deps(writer *w)
{
    if (w->deps.size)
        put_bytes(&w->message, GFAB_CHAKRA_DATA_DEPS, w->deps.at, w->deps.size);
    w->deps.size = 0;
}

static size_t port_of(const writer *w, uint32_t peer)
{
    size_t count, port = 0;
    const gfab_port *ports = gfab_topology_ports(w->topology, w->node, &count);
    if (w->model.port_mode == GFAB_PORT_ONE) /* all links take turns */
        return 0;
    while (ports[port].peer != peer)
        port++;
    return port;
}

/* What a link's next message waits for: it carries as many packets at once as it weighs. */
static uint64_t *last_of(writer *w, size_t port, uint32_t peer, bool way)
{
    const size_t link = 2 * port + way;
    gfab_arc arc = 0;
    gfab_topology_find_arc(w->topology, w->node, peer, &arc);
    const uint32_t weight = w->model.port_mode == GFAB_PORT_ONE ? 1 : gfab_topology_weight(w->topology, arc / 2);
    uint64_t *last = &w->last[link * w->most + w->next[link]];
    w->next[link] = (w->next[link] + 1) % (weight * w->packet);
    return last;
}

static void put_op(writer *w, const op *o)
{
    const gfab_move *m = o->move;
    const uint32_t next = o->receives ? m->from : m->to;
    const bool way = o->receives && w->model.link_mode == GFAB_LINK_FULL;
    uint64_t *last = last_of(w, port_of(w, next), next, way);
    const uint64_t id = begin_node(w, m, o->receives ? GFAB_CHAKRA_RECV : GFAB_CHAKRA_SEND);
    wait_for(w, *last);
    for (uint32_t r = w->read_by[m->block]; o->receives && r != UINT32_MAX; r = w->readings[r].next)
        if (w->readings[r].id != *last)
            wait_for(w, w->readings[r].id);
    if (w->written_by[m->block] != *last)
        wait_for(w, w->written_by[m->block]);
    put_deps(w);
    put_attribute(w, "comm_size", GFAB_CHAKRA_INT64, w->block_bytes);
    put_attribute(w, "comm_tag", GFAB_CHAKRA_INT32, o->tag);
    put_attribute(w, o->receives ? "comm_src" : "comm_dst", GFAB_CHAKRA_INT32, o->peer);
    put_attribute(w, "round", GFAB_CHAKRA_INT32, m->round);
    put_attribute(w, "block", GFAB_CHAKRA_INT32, m->block);
    put_attribute(w, "place", GFAB_CHAKRA_INT32, m->place);
    put_attribute(w, "combine", GFAB_CHAKRA_INT32, m->combine);
    put_message(w);
    *last = id;
    if (!o->receives) {
        w->readings[w->reading_count] = (reading){id, w->read_by[m->block]};
        w->read_by[m->block] = w->reading_count++;
        return;
    }
    w->read_by[m->block] = UINT32_MAX;
    w->written_by[m->block] = id;
    if (m->combine) {
        w->written_by[m->block] = begin_node(w, m, GFAB_CHAKRA_COMP);
        wait_for(w, id);
        put_deps(w);
        put_message(w);
    }
}

/* ---- a rank ---- */

static int compare_ops(const void *a, const void *b)
{
    const op *x = a, *y = b;
    if (x->move->round != y->move->round)
        return x->move->round < y->move->round ? -1 : 1;
    if (x->receives != y->receives)
        return x->receives ? 1 : -1;
    if (!x->receives && x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    if (x->move->block != y->move->block)
        return x->move->block < y->move->block ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

const char *gfab_chakra_hook(gfab_collective collective)
{
    static const char *const hooks[GFAB_COLLECTIVES] = {"all-gather", "reduce-scatter", "all-reduce", NULL, NULL,
                                                        NULL,         "all-to-all"};
    return hooks[collective];
}

static gfab_status check(const gfab_schedule *schedule, const gfab_moves *moves, uint64_t block_bytes, gfab_diag *diag)
{
    const gfab_collective collective = gfab_schedule_goal(schedule).collective;
    if (!gfab_chakra_hook(collective))
        return GFAB_REFUSE(diag, "ASTRA-sim takes no %s of one's own", gfab_collective_name(collective));
    if (moves->count > INT32_MAX || block_bytes < 1 || block_bytes > INT64_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "at most 2^31 - 1 moves, and blocks of 1 to 2^63 - 1 bytes");
    return GFAB_OK;
}

/* The end of a message that this rank is, if it is one: it sent it by one move, another brought it. */
static bool end_of(const writer *w, const gfab_move *sent, const gfab_move *came, uint32_t tag, op *o)
{
    const uint32_t ranks = (uint32_t)gfab_topology_member_count(w->topology);
    const uint32_t from = gfab_topology_rank(w->topology, sent->from), to = gfab_topology_rank(w->topology, came->to);
    if (to == GFAB_NO_RANK || (from != w->rank && to != w->rank))
        return false;
    *o = (op){from == w->rank ? sent : came, from == w->rank ? to : from, tag, (to + ranks - from) % ranks,
              to == w->rank};
    return true;
}

static gfab_status write_rank(writer *w, const gfab_moves *moves, const gfab_move **firsts, size_t blocks,
                              const char *head, gfab_diag *diag)
{
    size_t count = 0, ports;
    GFAB_FREED op *ops = malloc((moves->count + 1) * sizeof *ops);
    gfab_topology_ports(w->topology, w->node, &ports);
    GFAB_ARRAYS(&w->arena, blocks, w->written_by, w->read_by);
    w->readings = gfab_arena_zeroed(&w->arena, moves->count + 1, sizeof *w->readings);
    w->packet = 1;
    for (size_t i = 0; i < moves->count; i++)
        w->packet = moves->at[i].place >= w->packet ? moves->at[i].place + 1 : w->packet;
    w->most = 1;
    for (size_t l = 0; l < gfab_topology_link_count(w->topology); l++)
        w->most = gfab_topology_weight(w->topology, l) > w->most ? gfab_topology_weight(w->topology, l) : w->most;
    w->most *= w->packet;
    w->last = gfab_arena_zeroed(&w->arena, 2 * ports * w->most, sizeof *w->last);
    w->next = gfab_arena_zeroed2(&w->arena, 2, ports, sizeof *w->next);
    if (ops && !w->arena.failed) {
        memset(w->written_by, 0xff, blocks * sizeof *w->written_by);
        memset(w->read_by, 0xff, blocks * sizeof *w->read_by);
        memset(w->last, 0xff, 2 * ports * w->most * sizeof *w->last);
        for (size_t i = 0; i < moves->count; i++)
            count += end_of(w, firsts[i], &moves->at[i], (uint32_t)i, &ops[count]);
        if (count)
            qsort(ops, count, sizeof *ops, compare_ops);
        put_metadata(w, head);
        for (size_t i = 0; i < count; i++)
            put_op(w, &ops[i]);
    }
    const bool good = ops && !w->arena.failed && !w->message.failed && !w->attribute.failed && !w->deps.failed;
    gfab_arena_release(&w->arena);
    return good ? gfab_format_written(w->file, diag) : gfab_format_no_memory(diag);
}

gfab_status gfab_chakra_write(const gfab_schedule *schedule, uint32_t rank, uint64_t block_bytes, FILE *file,
                              gfab_diag *diag)
{
    GFAB_TRY(gfab_format_check_marks(gfab_schedule_topology(schedule), MARKS, "a Chakra trace", diag));
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    const gfab_move **firsts = NULL;
    writer w = {.file = file,
                .topology = gfab_schedule_topology(schedule),
                .model = *gfab_schedule_model(schedule),
                .rank = rank,
                .node = gfab_topology_member(gfab_schedule_topology(schedule), rank),
                .block_bytes = block_bytes};
    gfab_status status = gfab_moves_of(schedule, &moves, diag);
    GFAB_THEN(status, check(schedule, &moves, block_bytes, diag));
    GFAB_THEN(status, gfab_moves_past_relays(schedule, &moves, &firsts, diag));
    if (status == GFAB_OK) {
        char *head = gfab_format_head(schedule);
        status = head ? write_rank(&w, &moves, firsts, gfab_schedule_token_count(schedule), head, diag)
                      : gfab_format_no_memory(diag);
        free(head);
    }
    GFAB_FREE(firsts, w.message.at, w.attribute.at, w.deps.at);
    return status;
}

/* A node that is the collective, in place of its moves. */
static void put_collective(writer *w, gfab_collective collective, uint64_t size)
{
    static const uint32_t types[GFAB_COLLECTIVES] = {
        [GFAB_ALL_GATHER] = 2, [GFAB_REDUCE_SCATTER] = 7, [GFAB_ALL_REDUCE] = 0, [GFAB_ALL_TO_ALL] = 6};
    const char *name = gfab_collective_name(collective);
    put_number(&w->message, GFAB_CHAKRA_ID, 0);
    put_bytes(&w->message, GFAB_CHAKRA_NAME, name, strlen(name));
    put_number(&w->message, GFAB_CHAKRA_TYPE, GFAB_CHAKRA_COLLECTIVE);
    put_attribute(w, "is_cpu_op", GFAB_CHAKRA_BOOL, 0);
    put_attribute(w, "comm_type", GFAB_CHAKRA_INT64, types[collective]);
    put_attribute(w, "comm_size", GFAB_CHAKRA_INT64, size);
    put_message(w);
}

gfab_status gfab_chakra_write_workload(const gfab_schedule *schedule, uint64_t block_bytes, FILE *file, gfab_diag *diag)
{
    const gfab_collective collective = gfab_schedule_goal(schedule).collective;
    const bool shared = collective == GFAB_ALL_GATHER || collective == GFAB_ALL_TO_ALL;
    const uint64_t all = gfab_schedule_token_count(schedule);
    /* What one rank gives, as the built-in algorithms take it. */
    const uint64_t blocks = shared ? all / gfab_topology_member_count(gfab_schedule_topology(schedule)) : all;
    writer w = {.file = file};
    if (!gfab_chakra_hook(collective))
        return GFAB_REFUSE(diag, "ASTRA-sim takes no %s of one's own", gfab_collective_name(collective));
    if (block_bytes < 1 || block_bytes > INT64_MAX / all)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "all blocks together have 1 to 2^63 - 1 bytes");
    put_metadata(&w, NULL);
    put_collective(&w, collective, blocks * block_bytes);
    const bool good = !w.message.failed && !w.attribute.failed;
    GFAB_FREE(w.message.at, w.attribute.at);
    return good ? gfab_format_written(file, diag) : gfab_format_no_memory(diag);
}

gfab_status gfab_chakra_write_system(const gfab_schedule *schedule, const char *prefix, FILE *file, gfab_diag *diag)
{
    const gfab_collective collective = gfab_schedule_goal(schedule).collective;
    if (!gfab_chakra_hook(collective))
        return GFAB_REFUSE(diag, "ASTRA-sim takes no %s of one's own", gfab_collective_name(collective));
    fprintf(file,
            "{\n  \"scheduling-policy\": \"FIFO\",\n  \"preferred-dataset-splits\": 1,\n  \"local-mem-bw\": 1600,\n"
            "  \"%s-implementation-custom\": [\"%s\"]\n}\n",
            gfab_chakra_hook(collective), prefix);
    return gfab_format_written(file, diag);
}

/* What a node's links carry together. */
static uint64_t ways_of(const gfab_topology *topology, size_t node)
{
    uint64_t sum = 0;
    GFAB_EACH_PORT(port, topology, node)
        sum += gfab_topology_weight(topology, port->link);
    return sum;
}

gfab_status gfab_chakra_write_network(const gfab_topology *topology, FILE *file, gfab_diag *diag)
{
    GFAB_TRY(gfab_format_check_marks(topology, MARKS, "the network file", diag));
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    const uint32_t ranks = (uint32_t)gfab_topology_member_count(topology);
    fprintf(file, "%zu %zu %zu\n", ranks + nodes, nodes, ranks + links);
    for (size_t v = 0; v < nodes; v++)
        fprintf(file, "%s%zu", v ? " " : "", ranks + v);
    fputc('\n', file);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint32_t v = gfab_topology_member(topology, r);
        fprintf(file, "%u %u %" PRIu64 "Gbps 0.0005ms 0\n", r, ranks + v, 400 * ways_of(topology, v));
    }
    for (size_t l = 0; l < links; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        fprintf(file, "%u %u %" PRIu64 "Gbps 0.0005ms 0\n", ranks + link.node[0], ranks + link.node[1],
                400 * (uint64_t)gfab_topology_weight(topology, l));
    }
    return gfab_format_written(file, diag);
}

/* Are all members around one relay, without other links? */
static bool is_switch(const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology), ranks = gfab_topology_member_count(topology);
    size_t around = 0;
    for (size_t v = 0; v < nodes; v++)
        if (gfab_topology_rank(topology, (uint32_t)v) == GFAB_NO_RANK)
            gfab_topology_ports(topology, v, &around);
    return nodes == ranks + 1 && around == ranks && gfab_topology_link_count(topology) == ranks;
}

gfab_status gfab_chakra_write_analytical(const gfab_topology *topology, FILE *file, gfab_diag *diag)
{
    GFAB_TRY(gfab_format_check_marks(topology, MARKS, "the network file", diag));
    fprintf(file, "topology: [ %s ]\nnpus_count: [ %zu ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n",
            is_switch(topology) ? "Switch" : "FullyConnected", gfab_topology_member_count(topology));
    return gfab_format_written(file, diag);
}
