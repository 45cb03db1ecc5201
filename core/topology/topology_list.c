/* SPDX-License-Identifier: MIT */
/* Links named in a spec: graph:N:U-V,.... */
#include "topology_internal.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

gfab_status gfab_graph_read_pair(const char *const *names, size_t nodes, const char **at, uint32_t pair[2],
                                 gfab_diag *diag)
{
    const char *start = *at;
    for (int end = 0; end < 2; end++) {
        if (end == 1 && **at != '-') /* stays there: it may be the end of the text */
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \"%.20s\"", start);
        *at += end;
        const gfab_status status = gfab_topology_read_node(names, nodes, at, &pair[end], diag);
        if (status == GFAB_ERR_PARSE)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a link U-V is expected at \"%.20s\"", start);
        if (status != GFAB_OK)
            return status;
    }
    return GFAB_OK;
}

static gfab_status read_list(const char *at, gfab_edges *edges, size_t *nodes, gfab_diag *diag)
{
    uint64_t count = 0;
    const gfab_number_status number = gfab_number_read(&at, GFAB_MAX_NODES, &count);
    if (number == GFAB_NUMBER_OVERFLOW)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many nodes; at most %zu are supported", GFAB_MAX_NODES);
    if (number != GFAB_NUMBER_OK || *at != ':')
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a number of nodes and a colon are expected; write graph:N:U-V,...");
    *nodes = (size_t)count;
    if (count < 2)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s; a gossip needs at least 2",
                         count ? "one node in all" : "no nodes");
    do {
        uint32_t pair[2] = {0, 0};
        at++;
        GFAB_TRY(gfab_graph_read_pair(NULL, *nodes, &at, pair, diag));
        if (pair[0] == pair[1])
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the link %" PRIu32 "-%" PRIu32 " is a loop", pair[0], pair[1]);
        if (edges->count == GFAB_MAX_GRAPH_LINKS)
            return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "too many links; at most %zu are supported",
                             GFAB_MAX_GRAPH_LINKS);
        const bool falls = pair[0] > pair[1];
        gfab_edges_push(edges, pair[falls], pair[!falls], 0);
    } while (*at == ',');
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "unexpected \"%.20s\"; write graph:N:U-V,...", at);
    return GFAB_OK;
}

gfab_status gfab_graph_list_parse(const char *spec, gfab_topology **topology, gfab_diag *diag)
{
    GFAB_AT_END(gfab_edges_release) gfab_edges edges = {0};
    size_t nodes = 0;
    GFAB_TRY(read_list(strchr(spec, ':') + 1, &edges, &nodes, diag));
    if (gfab_edges_sort(&edges, nodes) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    GFAB_TRY(gfab_edges_simplify(&edges, diag));
    return gfab_graph_create(nodes, &edges, NULL, topology, diag);
}
