/* SPDX-License-Identifier: MIT */
/* Machines as TACCL and TE-CCL describe them, JSON of a few numbers: what is linked stands in their sources
 * (taccl/topologies/generic.py at 426bd1e, teccl/topologies at c128bf2), and so here. */
#include "graphs/readers.h"

#include "base/divisor.h"

#include <gossipfab/base/json.h>

#include <stdlib.h>
#include <string.h>

#define GPUS 8u
#define MOST_GPUS 4096u
#define MILLION 1000000.0

/* The NVLinks between the eight GPUs of a DGX-1 and of an NDv2: some are of twice the rate. */
static const struct {
    uint8_t node[2], rate;
} nvlinks[] = {{{0, 1}, 2}, {{0, 2}, 1}, {{0, 3}, 1}, {{0, 4}, 2}, {{1, 2}, 1}, {{1, 3}, 2}, {{1, 5}, 1}, {{2, 3}, 2},
               {{2, 6}, 2}, {{3, 7}, 1}, {{4, 5}, 2}, {{4, 6}, 1}, {{4, 7}, 1}, {{5, 6}, 1}, {{5, 7}, 2}, {{6, 7}, 2}};
#define NVLINKS (sizeof nvlinks / sizeof *nvlinks)

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
} reader;

#define BAD(r, ...) gfab_fail((r)->t->diag, 0, GFAB_ERR_PARSE, __VA_ARGS__)

static gfab_status put(reader *r, size_t from, size_t to, bool one_way, uint32_t weight)
{
    return gfab_graph_text_link(r->t, r->g, from, to, one_way, weight, NULL);
}

static void put_switch(reader *r, size_t node)
{
    gfab_edges_push(&r->g->relays, node, GFAB_SWITCH, 0);
}

/* A whole number of an object from 1 up; 0: it is not there. */
static gfab_status read_count(reader *r, const json_t *object, const char *key, uint32_t most, uint32_t *count)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_integer_value(value);
    *count = 0;
    if (!value)
        return GFAB_OK;
    if (!json_is_integer(value) || number < 1 || number > most)
        return BAD(r, "\"%s\": a whole number from 1 to %u is expected", key, most);
    *count = (uint32_t)number;
    return GFAB_OK;
}

/* ---- TACCL ---- */

/* What a chunk takes on a link, in millionths. */
static gfab_status read_beta(reader *r, const json_t *value, const char *key, uint64_t *beta)
{
    const double number = json_is_number(value) ? json_number_value(value) : 0;
    if (!(number >= 1 / MILLION && number <= MILLION))
        return BAD(r, "\"%s\": numbers above 0, up to a million, are expected", key);
    *beta = (uint64_t)(number * MILLION + 0.5);
    return GFAB_OK;
}

/* Times become weights: rates, counted in the greatest one that all are multiples of. */
static gfab_status weigh(reader *r, uint64_t *betas, size_t count)
{
    uint64_t unit = 0, multiple = 1, least = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        unit = gfab_common_divisor(unit, betas[i]);
    for (size_t i = 0; i < count; i++) {
        betas[i] /= unit;
        least = betas[i] < least ? betas[i] : least;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t factor = betas[i] / gfab_common_divisor(multiple, betas[i]);
        if (factor > UINT64_MAX / multiple || multiple * factor / least > GFAB_MAX_WEIGHT)
            return gfab_fail(r->t->diag, 0, GFAB_ERR_LIMIT,
                             "times so uneven that a link would weigh more than %u; round them", GFAB_MAX_WEIGHT);
        multiple *= factor;
    }
    for (size_t i = 0; i < count; i++)
        betas[i] = multiple / betas[i];
    return GFAB_OK;
}

static const json_t *cell(const json_t *matrix, size_t row, size_t column)
{
    return json_array_get(json_array_get(matrix, row), column);
}

static gfab_status check_matrix(reader *r, const json_t *matrix, const char *key, uint32_t gpus)
{
    bool good = json_array_size(matrix) == gpus;
    for (size_t row = 0; row < gpus && good; row++)
        good = json_array_size(json_array_get(matrix, row)) == gpus;
    return good ? GFAB_OK : BAD(r, "\"%s\": %u lists of %u numbers are expected", key, gpus, gpus);
}

/* links[to][from], and what each takes. */
static gfab_status read_matrix(reader *r, const json_t *root, uint32_t gpus)
{
    const json_t *links = json_object_get(root, "links"), *betas = json_object_get(root, "betas");
    gfab_status status = check_matrix(r, links, "links", gpus);
    GFAB_THEN(status, check_matrix(r, betas, "betas", gpus));
    GFAB_FREED uint64_t *times = status == GFAB_OK ? malloc((size_t)gpus * gpus * sizeof *times) : NULL;
    if (status == GFAB_OK && !times)
        return gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    const size_t first = r->g->edges.count;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)gpus * gpus && status == GFAB_OK; i++) {
        const json_t *link = cell(links, i / gpus, i % gpus);
        if (!json_is_integer(link) || json_integer_value(link) < 0 || json_integer_value(link) > 1)
            status = BAD(r, "\"links\": 0 and 1 are expected");
        if (status != GFAB_OK || json_integer_value(link) == 0)
            continue;
        status = read_beta(r, cell(betas, i / gpus, i % gpus), "betas", &times[count++]);
        GFAB_THEN(status, put(r, i % gpus, i / gpus, true, 1));
    }
    GFAB_THEN(status, weigh(r, times, count));
    for (size_t i = 0; i < count && status == GFAB_OK && !r->g->edges.failed; i++)
        if (first + i < r->g->edges.count)
            gfab_graph_text_weigh(&r->g->edges.at[first + i], (uint32_t)times[i]);
    return status;
}

/* One box: the file does not say how several are linked. */
static gfab_status read_taccl(reader *r, const json_t *root)
{
    const json_t *list = json_object_get(root, "node_betas_list");
    const size_t kinds = json_array_size(list);
    uint64_t betas[2] = {1, 1};
    uint32_t gpus = 0;
    GFAB_TRY(read_count(r, root, "gpus_per_node", MOST_GPUS, &gpus));
    r->g->nodes = gpus;
    if (json_object_get(root, "links"))
        return read_matrix(r, root, gpus);
    if (kinds != 1 && (kinds != 2 || gpus != GPUS))
        return BAD(r,
                   "TACCL's JSON: \"links\" and \"betas\", or \"node_betas_list\" of one time, or of two for %u GPUs, "
                   "are expected",
                   GPUS);
    for (size_t i = 0; i < kinds; i++)
        GFAB_TRY(read_beta(r, json_array_get(list, i), "node_betas_list", &betas[i]));
    GFAB_TRY(weigh(r, betas, kinds));
    for (size_t i = 0; i < NVLINKS && kinds == 2; i++)
        GFAB_TRY(put(r, nvlinks[i].node[0], nvlinks[i].node[1], false, (uint32_t)betas[2 - nvlinks[i].rate]));
    for (uint32_t u = 0; u < gpus && kinds == 1; u++)
        for (uint32_t v = u + 1; v < gpus; v++)
            GFAB_TRY(put(r, u, v, false, 1));
    return GFAB_OK;
}

/* ---- TE-CCL ---- */

static gfab_status put_nvlinks(reader *r, size_t first, uint32_t unit)
{
    for (size_t i = 0; i < NVLINKS; i++)
        GFAB_TRY(put(r, first + nvlinks[i].node[0], first + nvlinks[i].node[1], false, unit * nvlinks[i].rate));
    return GFAB_OK;
}

static gfab_status read_dgx1(reader *r, uint32_t boxes, uint32_t side)
{
    (void)boxes; /* it has one, whatever the file says */
    (void)side;
    r->g->nodes = GPUS;
    return put_nvlinks(r, 0, 1);
}

/* What leaves a box goes by its first GPU, what comes in by its second; two boxes have no switch. */
static gfab_status read_ndv2(reader *r, uint32_t boxes, uint32_t side)
{
    const size_t first = boxes != 2;
    (void)side;
    r->g->nodes = first + (size_t)boxes * GPUS;
    if (first)
        put_switch(r, 0);
    for (size_t b = 0; b < boxes; b++) {
        const size_t base = first + b * GPUS;
        GFAB_TRY(put_nvlinks(r, base, 2));
        GFAB_TRY(put(r, base, first ? 0 : (1 - b) * GPUS + 1, true, 1));
        if (first)
            GFAB_TRY(put(r, 0, base + 1, true, 1));
    }
    return GFAB_OK;
}

/* Two boxes, whatever the file says: 16 GPUs behind a switch; each second one sends to one of the other box. */
static gfab_status read_dgx2(reader *r, uint32_t boxes, uint32_t side)
{
    (void)boxes;
    (void)side;
    r->g->nodes = 34;
    for (size_t base = 0; base < 34; base += 17) {
        put_switch(r, base);
        for (size_t gpu = 1; gpu <= 16; gpu++) {
            GFAB_TRY(put(r, base, base + gpu, false, 10));
            if (gpu % 2 == 0)
                GFAB_TRY(put(r, base + gpu, 17 - base + gpu - 1, true, 1));
        }
    }
    return GFAB_OK;
}

static gfab_status read_amd(reader *r, uint32_t boxes, uint32_t side)
{
    static const uint8_t links[][3] = {{0, 1, 4},   {0, 4, 2},   {0, 8, 1},   {1, 5, 1},   {1, 9, 1},   {1, 10, 1},
                                       {2, 3, 4},   {2, 6, 1},   {2, 9, 1},   {2, 10, 1},  {3, 7, 2},   {3, 11, 1},
                                       {4, 5, 4},   {4, 6, 1},   {5, 6, 1},   {5, 7, 1},   {6, 7, 4},   {8, 9, 4},
                                       {8, 12, 2},  {9, 13, 1},  {10, 11, 4}, {10, 14, 1}, {11, 15, 2}, {12, 13, 4},
                                       {12, 14, 1}, {13, 14, 1}, {13, 15, 1}, {14, 15, 4}};
    (void)side;
    if (boxes > 1)
        return GFAB_REFUSE(r->t->diag, "AMD of several chassis: TE-CCL takes the last GPU of each for a switch; "
                                       "machine:mi250x2 is such a machine");
    r->g->nodes = 16;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        GFAB_TRY(put(r, links[i][0], links[i][1], false, links[i][2]));
    return GFAB_OK;
}

/* The last of a row is linked with the first of the next, too, as it is there. */
static gfab_status read_mesh(reader *r, uint32_t boxes, uint32_t side)
{
    (void)boxes;
    r->g->nodes = (size_t)side * side;
    for (size_t v = 0; v < r->g->nodes; v++) {
        if (v + 1 < r->g->nodes)
            GFAB_TRY(put(r, v, v + 1, false, 1));
        if (side > 1 && v + side < r->g->nodes)
            GFAB_TRY(put(r, v, v + side, false, 1));
    }
    return GFAB_OK;
}

static gfab_status read_teccl(reader *r, const json_t *topology)
{
    static const struct {
        const char *name;
        gfab_status (*read)(reader *r, uint32_t boxes, uint32_t side);
    } machines[] = {
        {"DGX1", read_dgx1}, {"DGX2", read_dgx2}, {"NDv2", read_ndv2}, {"AMD", read_amd}, {"Mesh", read_mesh}};
    const char *name = json_string_value(json_object_get(topology, "name"));
    uint32_t boxes, side;
    gfab_status status = read_count(r, topology, "chassis", 512, &boxes);
    GFAB_THEN(status, read_count(r, topology, "side_length", 4096, &side));
    for (size_t i = 0; i < sizeof machines / sizeof *machines && name && status == GFAB_OK; i++)
        if (strcmp(machines[i].name, name) == 0)
            return machines[i].read(r, boxes ? boxes : 1, side ? side : 4);
    return status == GFAB_OK ? BAD(r, "TopologyParams: \"name\": DGX1, DGX2, NDv2, AMD or Mesh is expected") : status;
}

/* ---- JSON ---- */

gfab_status gfab_graph_read_json(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {t, g};
    json_t *root = NULL;
    gfab_status status = gfab_json_parse(t->bytes, &root, t->diag);
    t->line = 0; /* a value does not say where it stood */
    if (status == GFAB_OK && json_object_get(root, "TopologyParams"))
        status = read_teccl(&r, json_object_get(root, "TopologyParams"));
    else if (status == GFAB_OK && json_object_get(root, "gpus_per_node"))
        status = read_taccl(&r, root);
    else if (status == GFAB_OK && (json_object_get(root, "nodes") || json_object_get(root, "elements")))
        status = gfab_graph_read_node_link(t, g, root);
    else if (status == GFAB_OK)
        status = gfab_graph_read_smi(t, g, root);
    json_decref(root);
    return status;
}
