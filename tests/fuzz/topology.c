/* SPDX-License-Identifier: MIT */
/* Specifications of topologies, "mesh:3x3+drop-link=0-1"; those that name a file are graph.c's. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Links, ports and lanes agree, and lanes of a node differ. */
static void check_graph(const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    gfab_layout *layout = NULL;
    gfab_bound bound;
    const gfab_model model = gfab_model_default();
    for (size_t l = 0; l < links; l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        gfab_arc arc = 0;
        FUZZ_CHECK(link.node[0] < nodes && link.node[1] < nodes && link.node[0] != link.node[1]);
        FUZZ_CHECK(gfab_topology_find_arc(topology, link.node[1], link.node[0], &arc) && arc == 2 * l + 1);
    }
    FUZZ_CHECK(gfab_bound_best(topology, &model, NULL, &bound) == GFAB_OK && bound.rounds > 0);
    const gfab_status laid_out = gfab_layout_create(topology, NULL, &layout, NULL);
    FUZZ_CHECK(laid_out == GFAB_OK || !gfab_topology_is_plain(topology));
    for (size_t v = 0; v < nodes; v++) {
        size_t ports = 0;
        gfab_topology_ports(topology, v, &ports);
        FUZZ_CHECK(ports > 0);
        for (size_t p = 0; p < ports && layout; p++)
            FUZZ_CHECK(gfab_layout_port(layout, v, gfab_layout_lane(layout, v, p)) == p);
    }
    gfab_layout_destroy(layout);
}

/* What it is called in messages has these alone. */
static void check_name(const char *name)
{
    FUZZ_CHECK(strlen(name) < 128);
    for (; *name != '\0'; name++)
        FUZZ_CHECK(strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:,=+-._/", *name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *spec = fuzz_text(data, size);
    gfab_topology *topology = NULL, *again = NULL;
    gfab_diag diag = {0, ""};
    if (strncmp(spec, "file:", 5) == 0 || fuzz_large(spec)) {
        free(spec);
        return -1;
    }
    const gfab_status status = gfab_topology_parse(spec, &topology, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        FUZZ_CHECK(gfab_topology_node_count(topology) > 1);
        check_name(gfab_topology_name(topology));
        const gfab_status read = gfab_topology_parse(gfab_topology_spec(topology), &again, &diag);
        FUZZ_CHECK(read == GFAB_OK || read == GFAB_ERR_NO_MEMORY);
        if (read == GFAB_OK) {
            FUZZ_CHECK(gfab_topology_equal(topology, again));
            FUZZ_CHECK(strcmp(gfab_topology_spec(topology), gfab_topology_spec(again)) == 0);
        }
        if (gfab_topology_node_count(topology) <= 64)
            check_graph(topology);
    } else {
        FUZZ_CHECK(!topology);
    }
    gfab_topology_destroy(again);
    gfab_topology_destroy(topology);
    free(spec);
    return 0;
}
