/* SPDX-License-Identifier: MIT */
/* Dinitz's algorithm (Soviet Math. Doklady 11, 1970): shortest ways that are left, all of one length at a time. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

gfab_status gfab_flow_create(size_t nodes, size_t room, gfab_flow *flow)
{
    *flow = (gfab_flow){.nodes = nodes, .room = 2 * room};
    const size_t arcs = flow->room ? flow->room : 1;
    flow->to = malloc(arcs * sizeof *flow->to);
    flow->next = malloc(arcs * sizeof *flow->next);
    flow->capacity = malloc(arcs * sizeof *flow->capacity);
    flow->left = malloc(arcs * sizeof *flow->left);
    flow->head = malloc(nodes * sizeof *flow->head);
    flow->level = malloc(nodes * sizeof *flow->level);
    flow->at = malloc(nodes * sizeof *flow->at);
    flow->path = malloc(nodes * sizeof *flow->path);
    if (!flow->to || !flow->next || !flow->capacity || !flow->left || !flow->head || !flow->level || !flow->at ||
        !flow->path)
        return GFAB_ERR_NO_MEMORY;
    for (size_t v = 0; v < nodes; v++)
        flow->head[v] = NONE;
    return GFAB_OK;
}

void gfab_flow_release(gfab_flow *flow)
{
    free(flow->to);
    free(flow->next);
    free(flow->capacity);
    free(flow->left);
    free(flow->head);
    free(flow->level);
    free(flow->at);
    free(flow->path);
    *flow = (gfab_flow){0};
}

static void add_one(gfab_flow *flow, uint32_t from, uint32_t to, uint64_t capacity)
{
    const uint32_t arc = (uint32_t)flow->arcs++;
    flow->to[arc] = to;
    flow->capacity[arc] = capacity;
    flow->next[arc] = flow->head[from];
    flow->head[from] = arc;
}

uint32_t gfab_flow_add(gfab_flow *flow, uint32_t from, uint32_t to, uint64_t there, uint64_t back)
{
    const uint32_t arc = (uint32_t)flow->arcs;
    add_one(flow, from, to, there);
    add_one(flow, to, from, back);
    return arc;
}

void gfab_flow_set(gfab_flow *flow, uint32_t arc, uint64_t capacity)
{
    flow->capacity[arc] = capacity;
}

/* Levels of the nodes that can still be reached; does the sink have one? */
static bool find_levels(gfab_flow *flow, uint32_t source, uint32_t sink)
{
    uint32_t *queue = flow->path;
    size_t first = 0, last = 0;
    for (size_t v = 0; v < flow->nodes; v++)
        flow->level[v] = NONE;
    flow->level[source] = 0;
    queue[last++] = source;
    while (first < last) {
        const uint32_t v = queue[first++];
        for (uint32_t arc = flow->head[v]; arc != NONE; arc = flow->next[arc])
            if (flow->left[arc] && flow->level[flow->to[arc]] == NONE) {
                flow->level[flow->to[arc]] = flow->level[v] + 1;
                queue[last++] = flow->to[arc];
            }
    }
    return flow->level[sink] != NONE;
}

/* Sends what the path of so many arcs has room for. Returns the place of the first of its arcs that is full then. */
static size_t send(gfab_flow *flow, size_t length, uint64_t most, uint64_t *sent)
{
    size_t full = length;
    for (size_t i = 0; i < length; i++)
        most = flow->left[flow->path[i]] < most ? flow->left[flow->path[i]] : most;
    for (size_t i = length; i-- > 0;) {
        flow->left[flow->path[i]] -= most;
        flow->left[flow->path[i] ^ 1] += most;
        if (flow->left[flow->path[i]] == 0)
            full = i;
    }
    *sent += most;
    return full;
}

/* Fills the shortest ways. */
static void fill(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit, uint64_t *sent)
{
    size_t length = 0;
    uint32_t v = source;
    memcpy(flow->at, flow->head, flow->nodes * sizeof *flow->at);
    while (*sent < limit) {
        if (v == sink) {
            const size_t full = send(flow, length, limit - *sent, sent);
            if (full == length)
                return;
            length = full;
            v = flow->to[flow->path[length] ^ 1];
            continue;
        }
        uint32_t arc = flow->at[v];
        while (arc != NONE && !(flow->left[arc] && flow->level[flow->to[arc]] == flow->level[v] + 1))
            arc = flow->next[arc];
        flow->at[v] = arc;
        if (arc != NONE) {
            flow->path[length++] = arc;
            v = flow->to[arc];
        } else if (length > 0) {
            v = flow->to[flow->path[--length] ^ 1];
            flow->at[v] = flow->next[flow->at[v]];
        } else {
            return;
        }
    }
}

uint64_t gfab_flow_run(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit)
{
    uint64_t sent = 0;
    memcpy(flow->left, flow->capacity, flow->arcs * sizeof *flow->left);
    while (sent < limit && find_levels(flow, source, sink))
        fill(flow, source, sink, limit, &sent);
    return sent;
}

bool gfab_flow_on_source_side(const gfab_flow *flow, uint32_t node)
{
    return flow->level[node] != NONE;
}
