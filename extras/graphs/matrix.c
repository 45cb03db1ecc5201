/* SPDX-License-Identifier: MIT */
/* The matrices of nvidia-smi topo -m and rocm-smi --showtopo: what is between every two GPUs. NVn are n NVLinks: a link
 * of weight n; where every two GPUs have as many, and more in all than a GPU has, they are n links from each to one
 * NVSwitch. The other words say how far apart two GPUs are in the machine: PIX, PXB, PHB, NODE, SYS, nearest first.
 * GPUs that are so near hang, with links of weight 1, on a switch of their own. rocm-smi has tables: an XGMI of one hop
 * is a link of weight 1, and PCIE as far apart as it gets. */
#include "graphs/readers.h"

#include "base/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GPUS 256u
#define MOST_NVLINKS 18u /* of a GPU, Hopper's and Blackwell's */

static const char *const near[] = {"PIX", "PXB", "PHB", "NODE", "SYS"};

enum { LEVELS = sizeof near / sizeof near[0] };

/* Of two GPUs: the level of what is between them, or LEVELS + n. */
typedef struct reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    uint32_t gpus;
    uint32_t *cell;  /* [gpu * gpus + other] */
    uint32_t *group; /* [gpu]: the node that it hangs on so far, itself or a relay */
} reader;

/* The next word of the line; its length, 0 at the end. */
static size_t word(gfab_graph_text *t, const char **at)
{
    gfab_graph_text_skip_blanks(t);
    *at = t->at;
    const size_t length = strcspn(t->at, " \t\r\n");
    t->at += length;
    return length;
}

/* GPUn: the n-th? */
static bool is_gpu(const char *at, size_t length, uint32_t number)
{
    char name[16];
    snprintf(name, sizeof name, "GPU%" PRIu32, number);
    return gfab_is_name(at, length, name);
}

/* GPU0, and GPU1 or the end of the line, somewhere behind a prompt and headings. */
const char *gfab_graph_find_matrix(const char *at)
{
    for (; at; at = strchr(at, '\n')) {
        at += strspn(at, " \t\r\n");
        const size_t next = 4 + strspn(at + (strncmp(at, "GPU0", 4) == 0 ? 4 : 0), " \t\r");
        if (strncmp(at, "GPU0", 4) == 0 && next > 4 && strchr("GNmXC", at[next]) && at[next])
            return at;
    }
    return NULL;
}

static gfab_status read_head(reader *r)
{
    const char *at;
    for (size_t length; (length = word(r->t, &at)) > 0 && is_gpu(at, length, r->gpus);)
        if (++r->gpus > MAX_GPUS)
            return FAIL(r->t, GFAB_ERR_LIMIT, "more than %u GPUs", MAX_GPUS);
    r->cell = calloc((size_t)r->gpus * r->gpus + 1, sizeof *r->cell);
    r->group = malloc((r->gpus + 1) * sizeof *r->group);
    return r->cell && r->group ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->t->diag);
}

static gfab_status read_cell(reader *r, uint32_t row, uint32_t column)
{
    const char *at;
    const size_t length = word(r->t, &at);
    uint32_t *cell = &r->cell[row * r->gpus + column], count = 0;
    if (length == 0)
        return FAIL(r->t, GFAB_ERR_PARSE, "the line of GPU%" PRIu32 " ends at GPU%" PRIu32, row, column);
    if (row == column)
        return gfab_is_name(at, length, "X")
                   ? GFAB_OK
                   : FAIL(r->t, GFAB_ERR_PARSE, "GPU%" PRIu32 " and itself: X is expected", row);
    for (*cell = 0; *cell < LEVELS; ++*cell)
        if (gfab_is_name(at, length, near[*cell]))
            return GFAB_OK;
    for (size_t i = 2; i < length && length < 6 && gfab_is_digit(at[i]); i++)
        count = 10 * count + (uint32_t)(at[i] - '0');
    if (strncmp(at, "NV", 2) != 0 || count == 0 || strspn(at + 2, "0123456789") + 2 != length)
        return FAIL(r->t, GFAB_ERR_PARSE,
                    "\"%.*s\" between GPU%" PRIu32 " and GPU%" PRIu32 "; NVn, PIX, PXB, PHB, NODE or SYS is expected",
                    length > 40 ? 40 : (int)length, at, row, column);
    *cell = LEVELS + count;
    return GFAB_OK;
}

/* To the line of a GPU, past the word that says so. */
static gfab_status begin_row(reader *r, uint32_t row)
{
    const char *at = "";
    size_t length = 0;
    while (gfab_graph_text_next_line(r->t) && (length = word(r->t, &at)) == 0)
        continue;
    if (is_gpu(at, length, row))
        return GFAB_OK;
    return FAIL(r->t, GFAB_ERR_PARSE, "\"%.*s\" where the line of GPU%" PRIu32 " is expected",
                length > 40 ? 40 : (int)length, at, row);
}

static gfab_status read_rows(reader *r)
{
    for (uint32_t row = 0; row < r->gpus; row++) {
        GFAB_TRY(begin_row(r, row));
        for (uint32_t column = 0; column < r->gpus; column++)
            GFAB_TRY(read_cell(r, row, column));
        for (uint32_t column = 0; column < row; column++)
            if (r->cell[row * r->gpus + column] != r->cell[column * r->gpus + row])
                return FAIL(r->t, GFAB_ERR_INVALID,
                            "GPU%" PRIu32 " and GPU%" PRIu32 " are not linked as the other way round", row, column);
    }
    return GFAB_OK;
}

static uint32_t add_switch(reader *r)
{
    gfab_edges_push(&r->g->relays, r->g->nodes, GFAB_SWITCH, 0);
    return (uint32_t)r->g->nodes++;
}

static gfab_status push(reader *r, uint32_t from, uint32_t to, uint32_t weight)
{
    return gfab_graph_text_link(r->t, r->g, from, to, false, weight, NULL);
}

static gfab_status link_nvlinks(reader *r)
{
    const uint32_t first = r->gpus > 1 ? r->cell[1] : 0;
    bool same = first > LEVELS && (r->gpus - 1) * (uint64_t)(first - LEVELS) > MOST_NVLINKS;
    for (uint32_t a = 0; a < r->gpus; a++)
        for (uint32_t b = 0; b < a; b++)
            same = same && r->cell[a * r->gpus + b] == first;
    const uint32_t nvswitch = same ? add_switch(r) : 0;
    for (uint32_t a = 0; a < r->gpus && same; a++)
        GFAB_TRY(push(r, a, nvswitch, first - LEVELS));
    for (uint32_t a = 0; a < r->gpus && !same; a++)
        for (uint32_t b = 0; b < a; b++)
            if (r->cell[a * r->gpus + b] > LEVELS)
                GFAB_TRY(push(r, b, a, r->cell[a * r->gpus + b] - LEVELS));
    return GFAB_OK;
}

/* The GPUs that are no further apart than the level, one after the other, hang on one switch. */
static gfab_status link_level(reader *r, uint32_t level)
{
    for (uint32_t a = 0; a < r->gpus; a++) {
        uint32_t hub = UINT32_MAX;
        for (uint32_t b = a + 1; b < r->gpus; b++) {
            if (r->cell[a * r->gpus + b] != level || r->group[a] == r->group[b])
                continue;
            const uint32_t old[2] = {r->group[a], r->group[b]};
            const bool hangs = hub != UINT32_MAX && old[0] == hub;
            hub = hangs ? hub : add_switch(r);
            for (int i = hangs ? 1 : 0; i < 2; i++)
                GFAB_TRY(push(r, old[i], hub, 1));
            for (uint32_t c = 0; c < r->gpus; c++)
                if (r->group[c] == old[0] || r->group[c] == old[1])
                    r->group[c] = hub;
        }
    }
    return GFAB_OK;
}

/* What is read becomes links: NVLinks, then what hangs on what. */
static gfab_status finish(reader *r, gfab_status status)
{
    r->g->nodes = r->gpus;
    for (uint32_t a = 0; a < r->gpus && status == GFAB_OK; a++)
        r->group[a] = a;
    GFAB_THEN(status, link_nvlinks(r));
    for (uint32_t level = 0; level < LEVELS && status == GFAB_OK; level++)
        status = link_level(r, level);
    GFAB_FREE(r->cell, r->group);
    return status;
}

gfab_status gfab_graph_read_matrix(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    const char *first = gfab_graph_find_matrix(t->bytes);
    for (; t->at < first; t->at++)
        t->line += *t->at == '\n';
    gfab_status status = read_head(&r);
    GFAB_THEN(status, read_rows(&r));
    return finish(&r, status);
}

/* ---- rocm-smi ---- */

/* To the table of this heading; false where there is none. */
static bool go_to_table(gfab_graph_text *t, const char *heading)
{
    const char *table = strstr(t->bytes, heading);
    if (!table)
        return false;
    t->at = t->bytes;
    t->line = 1;
    while (t->at < table && gfab_graph_text_next_line(t))
        continue;
    for (gfab_graph_text_skip_blanks(t); *t->at == '\n' || *t->at == '\r'; gfab_graph_text_skip_blanks(t))
        (void)gfab_graph_text_next_line(t);
    return true;
}

/* XGMI or PCIE; what is more than one hop away goes over other GPUs. */
static gfab_status read_type(reader *r, uint32_t row, uint32_t column, bool hops)
{
    const char *at;
    const size_t length = word(r->t, &at);
    uint32_t *cell = &r->cell[row * r->gpus + column];
    if (length == 0)
        return FAIL(r->t, GFAB_ERR_PARSE, "the line of GPU%" PRIu32 " ends at GPU%" PRIu32, row, column);
    if (row == column)
        return GFAB_OK;
    if (hops) {
        *cell = gfab_is_name(at, length, "1") || *cell != LEVELS + 1 ? *cell : LEVELS;
        return GFAB_OK;
    }
    if (!gfab_is_name(at, length, "XGMI") && !gfab_is_name(at, length, "PCIE"))
        return FAIL(r->t, GFAB_ERR_PARSE,
                    "\"%.*s\" between GPU%" PRIu32 " and GPU%" PRIu32 "; XGMI or PCIE is expected",
                    length > 40 ? 40 : (int)length, at, row, column);
    *cell = gfab_is_name(at, length, "XGMI") ? LEVELS + 1 : LEVELS - 1;
    return GFAB_OK;
}

static gfab_status read_table(reader *r, bool hops)
{
    for (uint32_t row = 0; row < r->gpus; row++) {
        GFAB_TRY(begin_row(r, row));
        for (uint32_t column = 0; column < r->gpus; column++)
            GFAB_TRY(read_type(r, row, column, hops));
    }
    return GFAB_OK;
}

gfab_status gfab_graph_read_rocm(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.t = t, .g = g};
    (void)go_to_table(t, "Link Type between two GPUs");
    gfab_status status = read_head(&r);
    GFAB_THEN(status, read_table(&r, false));
    if (status == GFAB_OK && go_to_table(t, "Hops between two GPUs"))
        status = read_table(&r, true);
    return finish(&r, status);
}
