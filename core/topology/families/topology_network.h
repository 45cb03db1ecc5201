/* SPDX-License-Identifier: MIT */
/* Private to the topology layer: networks of several numbers, with switches or directed links, and machines by name. */
#ifndef GOSSIPFAB_TOPOLOGY_NETWORK_H
#define GOSSIPFAB_TOPOLOGY_NETWORK_H

#include <gossipfab/topology/topology.h>

const gfab_topology_family *gfab_network_at(size_t index);
/* The topology of a spec that begins with the name of that family and a colon. */
gfab_status gfab_network_parse(size_t index, const char *spec, gfab_topology **topology, gfab_diag *diag);

#endif
