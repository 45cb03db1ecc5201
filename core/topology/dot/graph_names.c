/* SPDX-License-Identifier: MIT */
/* Nodes' names in graph files, as numbers. Names are counted as they appear and found again by a hash table (open
 * addressing, FNV-1a), so that a file is read in linear time; no order comes from the hash. Where the names are
 * numbers from 0 on without gaps, such as 0 to 8, these are kept as the nodes' numbers: "5 -- 2" then is the link of
 * nodes 5 and 2, whichever came first. Else they become the names of the topology's nodes. */
#include "graph_text.h"

#include "base/grow.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static size_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

const char *gfab_graph_name(const gfab_graph_names *n, size_t index)
{
    return n->pool + n->start[index];
}

static bool grow_table(gfab_graph_names *n)
{
    const size_t size = n->table_size ? 2 * n->table_size : 64;
    size_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < n->count; i++) {
        size_t place = hash_of(gfab_graph_name(n, i), strlen(gfab_graph_name(n, i))) & (size - 1);
        while (table[place])
            place = (place + 1) & (size - 1);
        table[place] = i + 1;
    }
    free(n->table);
    n->table = table;
    n->table_size = size;
    return true;
}

/* GFAB_NO_NAME without memory. */
static size_t number_of(gfab_graph_names *n, const char *name, size_t length)
{
    if (2 * n->count >= n->table_size && !grow_table(n))
        return GFAB_NO_NAME;
    size_t place = hash_of(name, length) & (n->table_size - 1);
    for (; n->table[place]; place = (place + 1) & (n->table_size - 1)) {
        const char *known = gfab_graph_name(n, n->table[place] - 1);
        if (strncmp(known, name, length) == 0 && !known[length])
            return n->table[place] - 1;
    }
    size_t *start = gfab_grown(n->start, n->count, &n->capacity, sizeof *start);
    if (!start)
        return GFAB_NO_NAME;
    n->start = start;
    if (n->pool_capacity - n->pool_size < length + 1) {
        const size_t capacity = 2 * n->pool_capacity + length + 256;
        char *pool = realloc(n->pool, capacity);
        if (!pool)
            return GFAB_NO_NAME;
        n->pool = pool;
        n->pool_capacity = capacity;
    }
    memcpy(n->pool + n->pool_size, name, length);
    n->pool[n->pool_size + length] = '\0';
    n->start[n->count] = n->pool_size;
    n->pool_size += length + 1;
    n->table[place] = n->count + 1;
    return n->count++;
}

gfab_status gfab_graph_names_number(gfab_graph_names *n, gfab_graph_text *t, const char *name, size_t length,
                                    size_t *number)
{
    *number = number_of(n, name, length);
    if (*number == GFAB_NO_NAME)
        return gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    if (*number >= GFAB_MAX_NODES)
        return FAIL(t, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    return GFAB_OK;
}

gfab_status gfab_graph_call(gfab_graph_links *g, gfab_graph_text *t, size_t node, const char *name, size_t length)
{
    const size_t before = g->names.count;
    size_t number = 0;
    if (!gfab_topology_is_name(name, length))
        return GFAB_OK;
    GFAB_TRY(gfab_graph_names_number(&g->names, t, name, length, &number));
    if (g->names.count > before)
        gfab_edges_push(&g->called, node, number, 0);
    return GFAB_OK;
}

/* Where the names are the numbers below their count, they are the nodes' numbers: true. */
static bool number_nodes(gfab_graph_links *g, const gfab_graph_names *n, uint32_t *numbers)
{
    gfab_edges *nodes[] = {&g->relays, &g->called};
    g->nodes = n->count;
    for (size_t i = 0; i < n->count; i++) {
        const char *at = gfab_graph_name(n, i);
        uint64_t number = 0;
        if (gfab_number_read(&at, n->count - 1, &number) != GFAB_NUMBER_OK || *at)
            return false;
        numbers[i] = (uint32_t)number;
    }
    for (size_t i = 0; i < g->edges.count; i++)
        for (int end = 0; end < 2; end++)
            g->edges.at[i].node[end] = numbers[g->edges.at[i].node[end]];
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < nodes[k]->count; i++)
            nodes[k]->at[i].node[0] = numbers[nodes[k]->at[i].node[0]];
    return true;
}

gfab_status gfab_graph_names_apply(const gfab_graph_names *n, gfab_graph_links *g, gfab_graph_text *t)
{
    GFAB_FREED uint32_t *numbers = malloc((n->count + 1) * sizeof *numbers);
    GFAB_NEED_TOLD(numbers, t->diag);
    if (g->called.count < n->count) { /* some node has no label, or another one's */
        g->called.count = 0;
        gfab_graph_names_release(&g->names);
    }
    const bool called = g->called.count > 0;
    if (!number_nodes(g, n, numbers))
        for (size_t i = 0; i < n->count && !called; i++)
            GFAB_TRY(gfab_graph_call(g, t, i, gfab_graph_name(n, i), strlen(gfab_graph_name(n, i))));
    return GFAB_OK;
}

void gfab_graph_names_release(gfab_graph_names *n)
{
    GFAB_FREE(n->table, n->start, n->pool);
    *n = (gfab_graph_names){.count = 0};
}
