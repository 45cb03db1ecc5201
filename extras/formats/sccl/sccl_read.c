/* SPDX-License-Identifier: MIT */
/* Reads SCCL's JSON, as msccl-tools' serialization.py writes it. A file has a graph, a collective as what each node
 * has and wants, and steps of sends. Our own files say the same once more in a head, from which nothing has to be
 * guessed; of other files the graph becomes a topology here, and sccl_goal.c finds out which collective it is. What is
 * wrong is named by its place, "steps[3].sends[0]", since such a file may be a single line. */
#define _POSIX_C_SOURCE 200809L
#include "sccl.h"

#include <gossipfab/base/json.h>
#include <gossipfab/base/text.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BAD(...) gfab_fail(r->diag, 0, GFAB_ERR_PARSE, __VA_ARGS__)

/* A member of the right kind; *value is NULL after an error. */
static gfab_status get(const gfab_sccl *r, const json_t *object, const char *where, const char *key, json_type type,
                       const json_t **value)
{
    static const char *const kinds[] = {"an object", "an array", "a string", "a whole number"};
    *value = json_object_get(object, key);
    if (!*value)
        return BAD("%s: \"%s\" is missing", where, key);
    if (json_typeof(*value) == type)
        return GFAB_OK;
    *value = NULL;
    return BAD("%s.%s is not %s", where, key, kinds[type]);
}

/* An object that says what it is. */
static gfab_status get_typed(const gfab_sccl *r, const json_t *object, const char *where, const char *key,
                             const char *type, const json_t **value)
{
    GFAB_TRY(get(r, object, where, key, JSON_OBJECT, value));
    const char *is = json_string_value(json_object_get(*value, "msccl_type"));
    return is && strcmp(is, type) == 0 ? GFAB_OK : BAD("%s.%s: its msccl_type is not \"%s\"", where, key, type);
}

static gfab_status to_number(const gfab_sccl *r, const json_t *value, const char *where, uint64_t maximum,
                             uint32_t *number)
{
    const json_int_t is = json_integer_value(value);
    if (!json_is_integer(value) || is < 0 || (uint64_t)is > maximum)
        return BAD("%s: a whole number from 0 to %" PRIu64 " is expected", where, maximum);
    *number = (uint32_t)is;
    return GFAB_OK;
}

/* ---- the graph ---- */

/* links[to][from]: sends[to * nodes + from]. */
static gfab_status read_bandwidths(gfab_sccl *r, const json_t *links, uint32_t *sends)
{
    char where[64];
    const size_t nodes = r->nodes;
    for (uint32_t to = 0; to < nodes; to++) {
        const json_t *row = json_array_get(links, to);
        if (!json_is_array(row) || json_array_size(row) != nodes)
            return BAD("topology.links[%u]: an array of %zu numbers is expected", to, nodes);
        for (uint32_t from = 0; from < nodes; from++) {
            snprintf(where, sizeof where, "topology.links[%u][%u]", to, from);
            GFAB_TRY(to_number(r, json_array_get(row, from), where, GFAB_MAX_WEIGHT, &sends[to * nodes + from]));
            if (from == to && sends[to * nodes + from])
                return BAD("%s: a link from node %u to itself", where, to);
        }
    }
    return GFAB_OK;
}

/* What gives each way of each link its weight, as text to be freed; NULL without memory. */
static char *weights_of(const gfab_sccl *r, const uint32_t *sends)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (uint32_t v = 0; file && v < r->nodes; v++)
        for (uint32_t u = 0; u < v; u++) {
            const uint32_t up = sends[v * (size_t)r->nodes + u], down = sends[u * (size_t)r->nodes + v];
            if (up != down)
                fprintf(file, "+weight=%u-%u:%u/%u", u, v, up, down);
            else if (up > 1)
                fprintf(file, "+weight=%u-%u:%u", u, v, up);
        }
    if (gfab_memory_close(file, &text))
        return text;
    free(text);
    return NULL;
}

/* Links that all carry as much are of weight 1, and packets have as many tokens; else the bandwidths are weights. */
static gfab_status make_links(gfab_sccl *r, uint32_t *sends)
{
    const size_t nodes = r->nodes, entries = nodes * nodes;
    uint32_t least = UINT32_MAX, most = 0;
    size_t count = 0;
    GFAB_FREED uint64_t *pairs = malloc(entries * sizeof *pairs);
    GFAB_NEED_TOLD(pairs, r->diag);
    for (size_t i = 0; i < entries; i++)
        if (sends[i]) {
            least = sends[i] < least ? sends[i] : least;
            most = sends[i] > most ? sends[i] : most;
            pairs[count++] = gfab_format_link((uint32_t)(i % nodes), (uint32_t)(i / nodes));
        }
    r->sends = least == most ? most : 1;
    for (size_t i = 0; i < entries; i++)
        sends[i] /= r->sends;
    GFAB_FREED char *weights = weights_of(r, sends);
    GFAB_NEED_TOLD(weights, r->diag);
    return gfab_format_graph(nodes, pairs, count, weights, &r->topology, r->diag);
}

static gfab_status read_links(gfab_sccl *r, const json_t *links)
{
    const size_t nodes = json_array_size(links);
    if (nodes < 2 || nodes > GFAB_MAX_PAIRED_NODES)
        return BAD("topology.links: %zu nodes; from 2 to %d are read", nodes, GFAB_MAX_PAIRED_NODES);
    r->nodes = (uint32_t)nodes;
    GFAB_FREED uint32_t *sends = calloc(nodes * nodes, sizeof *sends);
    GFAB_NEED_TOLD(sends, r->diag);
    GFAB_TRY(read_bandwidths(r, links, sends));
    return make_links(r, sends);
}

/* ---- what it is for ---- */

/* The nodes of a list, each once: how many, and the first. */
static gfab_status read_nodes(const gfab_sccl *r, const json_t *object, const char *where, const char *key,
                              uint32_t *count, uint32_t *first)
{
    const json_t *list = NULL;
    char place[64];
    gfab_status status = get(r, object, where, key, JSON_ARRAY, &list);
    if (status != GFAB_OK)
        return status;
    snprintf(place, sizeof place, "%s.%s", where, key);
    GFAB_FREED bool *seen = calloc(r->nodes, sizeof *seen);
    GFAB_NEED_TOLD(seen, r->diag);
    *count = (uint32_t)json_array_size(list);
    for (size_t i = 0; i < json_array_size(list) && status == GFAB_OK; i++) {
        uint32_t node = 0;
        status = to_number(r, json_array_get(list, i), place, r->nodes - 1, &node);
        if (status == GFAB_OK && seen[node])
            status = BAD("%s: node %u stands twice", place, node);
        if (status != GFAB_OK)
            break;
        seen[node] = true;
        if (i == 0)
            *first = node;
    }
    return status;
}

static gfab_status read_chunk(gfab_sccl *r, const json_t *value, size_t index, gfab_sccl_chunk *chunk)
{
    char where[64];
    const json_t *address = NULL;
    uint32_t holders = 0, wanting = 0;
    snprintf(where, sizeof where, "collective.chunks[%zu]", index);
    if (!json_is_object(value))
        return BAD("%s is not an object", where);
    GFAB_TRY(read_nodes(r, value, where, "pre", &holders, &chunk->holder));
    GFAB_TRY(read_nodes(r, value, where, "post", &wanting, &chunk->wanted_by));
    GFAB_TRY(get(r, value, where, "addr", JSON_INTEGER, &address));
    GFAB_TRY(to_number(r, address, where, UINT32_MAX, &chunk->address));
    if (holders != 1)
        return GFAB_REFUSE(r->diag, "%s: %u nodes have it at first; one is read", where, holders);
    if (wanting != 1 && wanting != r->nodes)
        return GFAB_REFUSE(r->diag, "%s: %u nodes want it in the end; one, or all, are read", where, wanting);
    if (wanting == r->nodes)
        chunk->wanted_by = GFAB_SCCL_ALL;
    return GFAB_OK;
}

/* Into how many chunks the algorithm cuts each of the collective's; addresses are those of what is cut. */
static gfab_status read_cut(const gfab_sccl *r, const json_t *root, uint32_t *cut)
{
    const json_t *instance = json_object_get(root, "instance");
    const json_t *chunks = json_object_get(instance, "chunks");
    *cut = 1;
    GFAB_TRY(chunks ? to_number(r, chunks, "instance.chunks", GFAB_MAX_FILE_PARTS, cut) : GFAB_OK);
    return *cut == 0 ? BAD("instance.chunks: 1 is the least") : GFAB_OK;
}

/* The index-th chunk of the file becomes `cut` of them. */
static void cut_chunk(gfab_sccl *r, size_t index, uint32_t cut)
{
    const gfab_sccl_chunk whole = r->chunks[index * cut];
    for (uint32_t i = 0; i < cut; i++) {
        r->chunks[index * cut + i] = whole;
        r->chunks[index * cut + i].address = whole.address * cut + i;
    }
}

static gfab_status read_collective(gfab_sccl *r, const json_t *root)
{
    const json_t *collective = NULL, *nodes = NULL, *chunks = NULL;
    uint32_t count = 0, cut = 1;
    gfab_status status;
    if ((status = get_typed(r, root, "the file", "collective", "collective", &collective)) != GFAB_OK ||
        (status = get(r, collective, "collective", "nodes", JSON_INTEGER, &nodes)) != GFAB_OK ||
        (status = to_number(r, nodes, "collective.nodes", GFAB_MAX_NODES, &count)) != GFAB_OK ||
        (status = get(r, collective, "collective", "chunks", JSON_ARRAY, &chunks)) != GFAB_OK)
        return status;
    if (count != r->nodes)
        return BAD("collective.nodes is %u; topology.links has %u", count, r->nodes);
    if (json_array_size(chunks) == 0)
        return BAD("collective.chunks is empty");
    if ((status = read_cut(r, root, &cut)) != GFAB_OK)
        return status;
    r->chunk_count = json_array_size(chunks) * cut;
    r->chunks = calloc(r->chunk_count, sizeof *r->chunks);
    GFAB_NEED_TOLD(r->chunks, r->diag);
    for (size_t i = 0; i < json_array_size(chunks) && status == GFAB_OK; i++) {
        status = read_chunk(r, json_array_get(chunks, i), i, &r->chunks[i * cut]);
        if (status == GFAB_OK && (uint64_t)r->chunks[i * cut].address * cut + cut > UINT32_MAX)
            status = gfab_fail(r->diag, 0, GFAB_ERR_LIMIT, "collective.chunks[%zu]: addresses of 2^32 or more", i);
        if (status == GFAB_OK)
            cut_chunk(r, i, cut);
    }
    return status == GFAB_OK ? gfab_sccl_find_goal(r) : status;
}

/* ---- steps ---- */

/* [address, from, to], its place known by step and index. */
static gfab_status read_send(gfab_sccl *r, const json_t *send, const char *where, gfab_move *move)
{
    uint32_t address = 0;
    if (!json_is_array(send) || json_array_size(send) != 3)
        return BAD("%s: [address, from, to] is expected", where);
    GFAB_TRY(to_number(r, json_array_get(send, 0), where, UINT32_MAX, &address));
    GFAB_TRY(to_number(r, json_array_get(send, 1), where, r->nodes - 1, &move->from));
    GFAB_TRY(to_number(r, json_array_get(send, 2), where, r->nodes - 1, &move->to));
    gfab_arc arc;
    if (!gfab_topology_find_arc(r->topology, move->from, move->to, &arc) ||
        gfab_topology_arc_weight(r->topology, arc) == 0)
        return BAD("%s: there is no link from node %u to node %u", where, move->from, move->to);
    return gfab_sccl_find_block(r, address, &move->block) ? GFAB_OK
                                                          : BAD("%s: no chunk has address %u", where, address);
}

static gfab_status read_step(gfab_sccl *r, const json_t *step, uint32_t round)
{
    char where[64], place[96];
    const json_t *sends = NULL, *rounds = NULL;
    uint32_t takes = 0;
    snprintf(where, sizeof where, "steps[%u]", round - 1);
    GFAB_TRY(get(r, step, where, "sends", JSON_ARRAY, &sends));
    GFAB_TRY(get(r, step, where, "rounds", JSON_INTEGER, &rounds));
    GFAB_TRY(to_number(r, rounds, where, GFAB_MAX_ROUNDS, &takes));
    const json_t *combine = json_object_get(step, "combine");
    GFAB_TRY(gfab_sccl_add_step(r, takes));
    if (combine && json_array_size(combine) != json_array_size(sends))
        return BAD("%s.combine: as many values as there are sends are expected", where);
    for (size_t i = 0; i < json_array_size(sends); i++) {
        gfab_move move = {.round = round, .place = (uint32_t)i};
        snprintf(place, sizeof place, "%s.sends[%zu]", where, i);
        GFAB_TRY(read_send(r, json_array_get(sends, i), place, &move));
        move.combine = json_is_true(json_array_get(combine, i));
        if (move.combine && !gfab_collective_combines(gfab_schedule_goal(r->schedule).collective))
            return BAD("%s: nothing is combined in this collective", place);
        gfab_moves_push(&r->moves, &move);
    }
    return GFAB_OK;
}

static gfab_status read_steps(gfab_sccl *r, const json_t *root)
{
    const json_t *steps = NULL;
    GFAB_TRY(get(r, root, "the file", "steps", JSON_ARRAY, &steps));
    if (json_array_size(steps) > GFAB_MAX_ROUNDS)
        return gfab_fail(r->diag, 0, GFAB_ERR_LIMIT, "steps: at most %u are supported", GFAB_MAX_ROUNDS);
    for (uint32_t i = 0; i < json_array_size(steps); i++)
        GFAB_TRY(read_step(r, json_array_get(steps, i), i + 1));
    return r->moves.failed ? gfab_format_no_memory(r->diag) : GFAB_OK;
}

/* ---- all ---- */

/* A file of ours: its head says all but the steps. */
static gfab_status read_own(gfab_sccl *r, const json_t *head)
{
    GFAB_TRY(gfab_format_read_head(json_string_value(head), &r->topology, &r->schedule, r->diag));
    r->nodes = (uint32_t)gfab_topology_node_count(r->topology);
    return GFAB_OK;
}

static gfab_status read_foreign(gfab_sccl *r, const json_t *root, const gfab_format_options *options)
{
    const json_t *topology = NULL, *links = NULL;
    gfab_status status;
    if ((status = get_typed(r, root, "the file", "topology", "topology", &topology)) != GFAB_OK ||
        (status = get(r, topology, "topology", "links", JSON_ARRAY, &links)) != GFAB_OK ||
        (status = read_links(r, links)) != GFAB_OK)
        return status;
    gfab_model model = options->model;
    model.packet_tokens = model.packet_tokens > r->sends ? model.packet_tokens : r->sends;
    status = gfab_schedule_create(r->topology, &model, &r->schedule);
    GFAB_TRY(gfab_told(status, r->diag));
    return read_collective(r, root);
}

static gfab_status read_root(gfab_sccl *r, const json_t *root, const gfab_format_options *options)
{
    const char *type = json_string_value(json_object_get(root, "msccl_type"));
    const json_t *head = json_object_get(root, "gossipfab");
    if (!type || strcmp(type, "algorithm") != 0)
        return BAD("its msccl_type is not \"algorithm\"");
    GFAB_TRY(json_is_string(head) ? read_own(r, head) : read_foreign(r, root, options));
    GFAB_TRY(read_steps(r, root));
    if (!json_is_string(head))
        GFAB_TRY(gfab_sccl_time(r, options->progress));
    return gfab_moves_append(&r->moves, r->schedule, r->diag);
}

gfab_status gfab_sccl_read(FILE *file, const gfab_format_options *options, gfab_topology **topology,
                           gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_sccl r = {.diag = diag};
    json_t *root = NULL;
    gfab_status status = gfab_json_read(file, &root, diag);
    GFAB_THEN(status, read_root(&r, root, options));
    if (status == GFAB_OK) {
        *topology = r.topology;
        *schedule = r.schedule;
    } else {
        gfab_schedule_destroy(r.schedule);
        gfab_topology_destroy(r.topology);
    }
    json_decref(root);
    GFAB_FREE(r.chunks, r.ends, r.blocks);
    gfab_moves_release(&r.moves);
    return status;
}
