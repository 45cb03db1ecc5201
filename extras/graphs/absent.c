/* SPDX-License-Identifier: MIT */
/* What stands in for this extra where a build is without it. */
#include "topology/topology_internal.h"

gfab_status gfab_graph_file_read(const char *path, gfab_topology **topology, gfab_diag *diag)
{
    (void)path;
    (void)topology;
    return GFAB_REFUSE(diag,
                       "this gossipfab reads no graph files: it was built without the extra graphs (GFAB_EXTRAS)");
}
