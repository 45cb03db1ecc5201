/* SPDX-License-Identifier: MIT */
/* Private to the topology layer: a cluster, copies of a host's graph behind the switches of a fabric's. */
#ifndef GOSSIPFAB_TOPOLOGY_CLUSTER_H
#define GOSSIPFAB_TOPOLOGY_CLUSTER_H

#include <gossipfab/topology/topology.h>

/* What cluster:[Nx]HOST[+through=NODES][+below=FABRIC] says. */
typedef struct gfab_cluster {
    const gfab_topology *host;
    const gfab_topology *fabric; /* its members become hosts; NULL: one switch */
    uint32_t copies;             /* 0: as many as the fabric has members */
    const char *through;         /* nodes of the host that have links out of it, such as 0-7,nic; NULL: its members */
} gfab_cluster;

/* INVALID where the numbers of hosts do not agree, or rates are known of one of the two graphs alone; else as
 * gfab_topology_parse says. */
gfab_status gfab_cluster_make(const gfab_cluster *cluster, gfab_topology **topology, gfab_diag *diag);

#endif
