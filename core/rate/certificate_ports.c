/* SPDX-License-Identifier: MIT */
/* What a certificate of one port proves: the messages of its terms, by what these count, and a round's room by Edmonds'
 * weights of nodes and odd sets (Journal of Research of the NBS 69B, 1965). A matching has at most one link at a node
 * and (size - 1) / 2 links in an odd set. Nothing here knows how certificates are found. */
#include "certificate_ports.h"

#include <inttypes.h>
#include <stdlib.h>

void gfab_port_certificate_release(gfab_port_certificate *ports)
{
    if (!ports)
        return;
    for (uint32_t i = 0; i < ports->terms && ports->term; i++)
        free(ports->term[i].part);
    for (uint32_t i = 0; i < ports->sets && ports->in; i++)
        free(ports->in[i]);
    GFAB_FREE(ports->term, ports->factor, ports->node, ports->set, ports->in, ports);
}

/* False where it does not fit. */
static bool add_times(uint64_t *sum, uint64_t factor, uint64_t value)
{
    if (value && factor > (UINT64_MAX - *sum) / value)
        return false;
    *sum += factor * value;
    return true;
}

static uint64_t size_of(const bool *in, size_t nodes)
{
    uint64_t size = 0;
    for (size_t v = 0; v < nodes; v++)
        size += in[v];
    return size;
}

gfab_status gfab_port_certificate_count(const gfab_topology *topology, const gfab_port_certificate *ports,
                                        uint64_t *demand, uint64_t *capacity)
{
    const size_t nodes = gfab_topology_node_count(topology);
    bool fits = true;
    *demand = *capacity = 0;
    for (uint32_t i = 0; i < ports->terms; i++) {
        uint64_t messages, room;
        GFAB_TRY(gfab_certificate_count_parts(topology, &ports->term[i], &messages, &room));
        fits = fits && add_times(demand, ports->factor[i], messages);
    }
    for (size_t v = 0; v < nodes; v++)
        fits = fits && add_times(capacity, 1, ports->node[v]);
    for (uint32_t i = 0; i < ports->sets; i++)
        fits = fits && add_times(capacity, ports->set[i], size_of(ports->in[i], nodes) / 2);
    return fits ? GFAB_OK : GFAB_ERR_LIMIT;
}

gfab_status gfab_port_certificate_check(const gfab_topology *topology, const gfab_port_certificate *ports,
                                        gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology);
    for (uint32_t i = 0; i < ports->sets; i++)
        if (size_of(ports->in[i], nodes) % 2 == 0)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "odd set %" PRIu32 " of %" PRIu64 " nodes: it is not odd", i + 1,
                             size_of(ports->in[i], nodes));
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_link ends = gfab_topology_link(topology, link);
        uint64_t carries = 0, around = 0;
        bool fits =
            add_times(&around, 1, ports->node[ends.node[0]]) && add_times(&around, 1, ports->node[ends.node[1]]);
        for (uint32_t i = 0; i < ports->terms; i++)
            fits =
                fits && add_times(&carries, ports->factor[i], gfab_certificate_link(topology, &ports->term[i], link));
        for (uint32_t i = 0; i < ports->sets; i++)
            if (ports->in[i][ends.node[0]] && ports->in[i][ends.node[1]])
                fits = fits && add_times(&around, 1, ports->set[i]);
        if (!fits || carries > around)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "link %" PRIu32 "-%" PRIu32 " carries %" PRIu64
                             " a round; its nodes and the odd sets around "
                             "it weigh %" PRIu64,
                             ends.node[0], ends.node[1], carries, around);
    }
    return GFAB_OK;
}
