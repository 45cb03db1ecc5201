/* SPDX-License-Identifier: MIT */
#include "flood.h"

#include <inttypes.h>
#include <stdlib.h>

gfab_status gfab_flood_check(const gfab_topology *topology, const gfab_model *model, const char *name, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check(topology, model, diag);
    if (status != GFAB_OK)
        return status;
    const size_t most = gfab_topology_node_count(topology) - 1;
    if (model->link_mode != GFAB_LINK_FULL || model->port_mode != GFAB_PORT_ONE || model->hop_rounds != 1 ||
        model->routing != GFAB_ROUTING_STORE_AND_FORWARD)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "%s is for the telephone model: full-duplex links, one port, 1 round a hop, store-and-forward",
                         name);
    if (model->packet_tokens < most)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "%s is for packets of any size: here of up to %zu tokens, not %" PRIu32, name, most,
                         model->packet_tokens);
    return GFAB_OK;
}

gfab_status gfab_flood_create(gfab_schedule *schedule, gfab_flood *flood)
{
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    *flood = (gfab_flood){.schedule = schedule, .nodes = nodes, .words = (nodes + 63) / 64};
    if (nodes > SIZE_MAX / flood->words / sizeof *flood->known)
        return GFAB_ERR_NO_MEMORY;
    flood->known = calloc(nodes * flood->words, sizeof *flood->known);
    flood->tokens = malloc(nodes * sizeof *flood->tokens);
    if (!flood->known || !flood->tokens)
        return GFAB_ERR_NO_MEMORY;
    for (size_t v = 0; v < nodes; v++)
        flood->known[v * flood->words + v / 64] = (uint64_t)1 << (v % 64);
    return GFAB_OK;
}

void gfab_flood_release(gfab_flood *flood)
{
    free(flood->known);
    free(flood->tokens);
}

static gfab_status send_news(gfab_flood *flood, uint32_t from, uint32_t to)
{
    const uint64_t *have = flood->known + from * flood->words, *has = flood->known + to * flood->words;
    size_t count = 0;
    for (size_t w = 0; w < flood->words; w++)
        for (uint64_t bits = have[w] & ~has[w]; bits; bits &= bits - 1)
            flood->tokens[count++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
    gfab_arc arc;
    if (count == 0)
        return GFAB_OK;
    if (!gfab_topology_find_arc(gfab_schedule_topology(flood->schedule), from, to, &arc))
        return GFAB_ERR_INVALID;
    return gfab_schedule_append_packet(flood->schedule, flood->round, &arc, 1, flood->tokens, count);
}

gfab_status gfab_flood_round(gfab_flood *flood, const uint32_t *partner)
{
    gfab_status status = GFAB_OK;
    flood->round++;
    for (uint32_t v = 0; v < flood->nodes && status == GFAB_OK; v++) {
        const uint32_t u = partner[v];
        if (u <= v)
            continue;
        status = send_news(flood, v, u);
        if (status == GFAB_OK)
            status = send_news(flood, u, v);
        uint64_t *a = flood->known + v * flood->words, *b = flood->known + u * flood->words;
        for (size_t w = 0; w < flood->words; w++)
            a[w] = b[w] = a[w] | b[w];
    }
    return status;
}

bool gfab_flood_complete(const gfab_flood *flood)
{
    for (size_t v = 0; v < flood->nodes; v++)
        for (size_t t = 0; t < flood->nodes; t++)
            if (!(flood->known[v * flood->words + t / 64] >> (t % 64) & 1))
                return false;
    return true;
}
