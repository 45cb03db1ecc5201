/* SPDX-License-Identifier: MIT */
/* Graphs from files. The first byte chooses the file's name, and so METIS or DOT, and whether options follow it; the
 * other forms are told apart by their text. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"g.txt", "g.dot", "g.graph"};
    const size_t choice = fuzz_choice(&data, &size, 2 * sizeof names / sizeof *names);
    const bool plain = choice < sizeof names / sizeof *names;
    const char *const name = names[choice % (sizeof names / sizeof *names)];
    const char *const options = plain ? "" : "+links=both+parallel=add+loops=drop+weight-attribute=weight";
    gfab_topology *topology = NULL, *again = NULL;
    gfab_diag diag = {0, ""};
    char spec[256];
    snprintf(spec, sizeof spec, "file:%s%s", fuzz_named_file(name, data, size), options);
    const gfab_status status = gfab_topology_parse(spec, &topology, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        const gfab_status read = gfab_topology_parse(gfab_topology_spec(topology), &again, &diag);
        FUZZ_CHECK(read == GFAB_OK || read == GFAB_ERR_NO_MEMORY);
        FUZZ_CHECK(read != GFAB_OK || gfab_topology_equal(topology, again));
        for (uint32_t v = 0, node = 0; v < gfab_topology_node_count(topology) && v < 64; v++) {
            const char *called = gfab_topology_node_name(topology, v);
            if (!called || called[strspn(called, "0123456789")] == '\0') /* a number is a node's number */
                continue;
            FUZZ_CHECK(gfab_topology_find_node(topology, called, &node, &diag) == GFAB_OK && node == v);
        }
        gfab_topology_destroy(again);
        gfab_topology_destroy(topology);
    }
    return 0;
}
