/* SPDX-License-Identifier: MIT */
/* The smallest program that uses an installed libgossipfab. The tests of installing build and run it by pkg-config, by
 * CMake and against the Debian package: mesh:3x4 must have 12 nodes and 17 links. */
#include <gossipfab/gossipfab.h>
#include <stdio.h>

int main(void)
{
    gfab_topology *topology;
    if (gfab_topology_parse("mesh:3x4", &topology, NULL))
        return 1;
    printf("%s %zu %zu\n", gfab_topology_name(topology), gfab_topology_node_count(topology),
           gfab_topology_link_count(topology));
    gfab_topology_destroy(topology);
    return 0;
}
