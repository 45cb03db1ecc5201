/* SPDX-License-Identifier: MIT */
/* Graphs as SMI's code generator has them: JSON with its FPGAs and the cables between their channels. FPGAs are
 * numbered by their names, in alphabetical order, as SMI's ranks are. Several cables between two FPGAs are one link. */
#include "graphs/readers.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    const char **fpgas; /* sorted */
    size_t fpga_count;
    const char **ends; /* of cables: "node:fpga:channel" */
    size_t end_count;
} reader;

#define BAD(r, ...) gfab_fail((r)->t->diag, 0, GFAB_ERR_PARSE, __VA_ARGS__)

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "node:fpga", and so many characters of it. */
static int compare_name(const void *key, const void *entry)
{
    const char *end = key, *name = *(const char *const *)entry;
    const size_t length = (size_t)(strrchr(end, ':') - end);
    const int order = strncmp(end, name, length);
    return order ? order : -(name[length] != '\0');
}

static gfab_status find_fpga(const reader *r, const char *end, size_t *number)
{
    const char *colon = strrchr(end, ':');
    const char *const *found = colon ? bsearch(end, r->fpgas, r->fpga_count, sizeof *r->fpgas, compare_name) : NULL;
    if (!found)
        return BAD(r, "connections: \"%.80s\": the name of an FPGA in \"fpgas\", a colon and a channel are expected",
                   end);
    *number = (size_t)(found - r->fpgas);
    return GFAB_OK;
}

static gfab_status read_fpgas(reader *r, json_t *fpgas)
{
    const char *name;
    json_t *program;
    r->fpgas = malloc((json_object_size(fpgas) + 1) * sizeof *r->fpgas);
    GFAB_NEED_TOLD(r->fpgas, r->t->diag);
    json_object_foreach(fpgas, name, program) r->fpgas[r->fpga_count++] = name;
    if (r->fpga_count > GFAB_MAX_NODES)
        return gfab_fail(r->t->diag, 0, GFAB_ERR_LIMIT, "too many FPGAs; at most %zu are supported", GFAB_MAX_NODES);
    qsort(r->fpgas, r->fpga_count, sizeof *r->fpgas, compare);
    r->g->nodes = r->fpga_count;
    return GFAB_OK;
}

static gfab_status read_cable(reader *r, const char *from, const json_t *target)
{
    const char *to = json_string_value(target);
    size_t ends[2];
    if (!to)
        return BAD(r, "connections: what \"%.80s\" is connected with is no text", from);
    GFAB_TRY(find_fpga(r, from, &ends[0]));
    GFAB_TRY(find_fpga(r, to, &ends[1]));
    if (ends[0] == ends[1])
        return gfab_fail(r->t->diag, 0, GFAB_ERR_INVALID, "connections: a link from \"%.80s\" to the same FPGA", from);
    r->ends[r->end_count++] = from;
    r->ends[r->end_count++] = to;
    return gfab_graph_text_link(r->t, r->g, ends[0], ends[1], false, 1, NULL);
}

/* A channel has one cable. */
static gfab_status check_ends(reader *r)
{
    qsort(r->ends, r->end_count, sizeof *r->ends, compare);
    for (size_t i = 1; i < r->end_count; i++)
        if (strcmp(r->ends[i - 1], r->ends[i]) == 0)
            return gfab_fail(r->t->diag, 0, GFAB_ERR_INVALID, "connections: \"%.80s\" is connected twice", r->ends[i]);
    return GFAB_OK;
}

/* Cables between the same FPGAs are one link. */
static gfab_status merge_cables(reader *r)
{
    gfab_edges *edges = &r->g->edges;
    size_t count = 0;
    if (edges->failed || gfab_edges_sort(edges, r->g->nodes) != GFAB_OK)
        return gfab_fail(r->t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < edges->count; i++) {
        const gfab_edge *e = &edges->at[i], *last = count ? &edges->at[count - 1] : NULL;
        const bool same = last && ((last->node[0] == e->node[0] && last->node[1] == e->node[1]) ||
                                   (last->node[0] == e->node[1] && last->node[1] == e->node[0]));
        if (!same)
            edges->at[count++] = *e;
    }
    edges->count = count;
    return GFAB_OK;
}

static gfab_status read_root(reader *r, const json_t *root)
{
    json_t *fpgas = json_object_get(root, "fpgas"), *connections = json_object_get(root, "connections");
    const char *from;
    json_t *to;
    if (!json_is_object(fpgas) || !json_is_object(connections))
        return BAD(r, "JSON, but not node-link's, SMI's, TACCL's or TE-CCL's: \"%s\" is missing, or no object",
                   json_is_object(fpgas) ? "connections" : "fpgas");
    gfab_status status = read_fpgas(r, fpgas);
    if (status != GFAB_OK)
        return status;
    r->ends = malloc((2 * json_object_size(connections) + 1) * sizeof *r->ends);
    GFAB_NEED_TOLD(r->ends, r->t->diag);
    json_object_foreach(connections, from, to) if ((status = read_cable(r, from, to)) != GFAB_OK) return status;
    status = check_ends(r);
    return status == GFAB_OK ? merge_cables(r) : status;
}

gfab_status gfab_graph_read_smi(gfab_graph_text *t, gfab_graph_links *g, const json_t *root)
{
    reader r = {.t = t, .g = g};
    const gfab_status status = read_root(&r, root);
    GFAB_FREE(r.fpgas, r.ends);
    return status;
}
