/* SPDX-License-Identifier: MIT */
/* Dinitz's algorithm (Soviet Math. Doklady 11, 1970): shortest ways that are left, all of one length at a time. A
 * search ends at the sink, and what it leaves behind is cleared node by node: a flow between two nodes near each other
 * costs what is around them, however large the network is. */
#include "flow.h"

#include <string.h>

#define NONE UINT32_MAX

gfab_status gfab_flow_create(size_t nodes, size_t room, gfab_flow *flow)
{
    *flow = (gfab_flow){.nodes = nodes, .room = 2 * room};
    const size_t arcs = flow->room ? flow->room : 1;
    GFAB_ARRAYS(&flow->arena, arcs, flow->to, flow->next, flow->capacity, flow->left);
    GFAB_ARRAYS(&flow->arena, nodes, flow->head, flow->level, flow->reached, flow->at, flow->path);
    GFAB_NEED(!flow->arena.failed);
    for (size_t v = 0; v < nodes; v++)
        flow->head[v] = flow->level[v] = NONE;
    return GFAB_OK;
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

void gfab_flow_hold(gfab_flow *flow, uint32_t arc, uint64_t capacity, uint64_t flowing)
{
    flow->capacity[arc] = capacity;
    flow->left[arc] = capacity - flowing;
    flow->left[arc ^ 1] = flowing;
}

uint64_t gfab_flow_over(const gfab_flow *flow, uint32_t arc)
{
    return flow->left[arc ^ 1];
}

static void reach(gfab_flow *flow, uint32_t v, uint32_t level)
{
    flow->level[v] = level;
    flow->at[v] = flow->head[v];
    flow->reached[flow->reached_count++] = v;
}

/* Levels of the nodes that can still be reached, until the sink is; is it? back is 1 where flow is taken back, which
 * the partners of the arcs limit, else 0. */
static bool find_levels(gfab_flow *flow, uint32_t source, uint32_t sink, uint32_t back)
{
    for (size_t i = 0; i < flow->reached_count; i++)
        flow->level[flow->reached[i]] = NONE;
    flow->reached_count = 0;
    reach(flow, source, 0);
    for (size_t i = 0; i < flow->reached_count; i++) {
        const uint32_t v = flow->reached[i];
        for (uint32_t arc = flow->head[v]; arc != NONE; arc = flow->next[arc])
            if (flow->left[arc ^ back] && flow->level[flow->to[arc]] == NONE) {
                reach(flow, flow->to[arc], flow->level[v] + 1);
                if (flow->to[arc] == sink)
                    return true;
            }
    }
    return false;
}

/* Sends what the path of so many arcs has room for. Returns the place of the first of its arcs that is full then. */
static size_t send(gfab_flow *flow, size_t length, uint32_t back, uint64_t most, uint64_t *sent)
{
    size_t full = length;
    for (size_t i = 0; i < length; i++)
        most = flow->left[flow->path[i] ^ back] < most ? flow->left[flow->path[i] ^ back] : most;
    for (size_t i = length; i-- > 0;) {
        const uint32_t arc = flow->path[i] ^ back;
        flow->left[arc] -= most;
        flow->left[arc ^ 1] += most;
        if (flow->left[arc] == 0)
            full = i;
    }
    *sent += most;
    return full;
}

/* Fills the shortest ways. */
static void fill(gfab_flow *flow, uint32_t source, uint32_t sink, uint32_t back, uint64_t limit, uint64_t *sent)
{
    size_t length = 0;
    uint32_t v = source;
    while (*sent < limit) {
        if (v == sink) {
            const size_t full = send(flow, length, back, limit - *sent, sent);
            if (full == length)
                return;
            length = full;
            v = flow->to[flow->path[length] ^ 1];
            continue;
        }
        uint32_t arc = flow->at[v];
        while (arc != NONE && !(flow->left[arc ^ back] && flow->level[flow->to[arc]] == flow->level[v] + 1))
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

static uint64_t add(gfab_flow *flow, uint32_t source, uint32_t sink, uint32_t back, uint64_t limit)
{
    uint64_t sent = 0;
    while (sent < limit && find_levels(flow, source, sink, back))
        fill(flow, source, sink, back, limit, &sent);
    return sent;
}

uint64_t gfab_flow_push(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit)
{
    return add(flow, source, sink, 0, limit);
}

uint64_t gfab_flow_take_back(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit)
{
    return add(flow, source, sink, 1, limit);
}

void gfab_flow_clear(gfab_flow *flow)
{
    memcpy(flow->left, flow->capacity, flow->arcs * sizeof *flow->left);
}

uint64_t gfab_flow_run(gfab_flow *flow, uint32_t source, uint32_t sink, uint64_t limit)
{
    gfab_flow_clear(flow);
    return add(flow, source, sink, 0, limit);
}

bool gfab_flow_on_source_side(const gfab_flow *flow, uint32_t node)
{
    return flow->level[node] != NONE;
}
