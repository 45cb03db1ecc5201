/* SPDX-License-Identifier: MIT */
/* How certificates are counted, those of one port too; private to core/rate. */
#ifndef GOSSIPFAB_CERTIFICATE_PORTS_H
#define GOSSIPFAB_CERTIFICATE_PORTS_H

#include <gossipfab/schedule/certificate.h>

/* gfab_certificate_count of one for all ports. */
gfab_status gfab_certificate_count_parts(const gfab_topology *topology, const gfab_certificate *certificate,
                                         uint64_t *demand, uint64_t *capacity);

/* NULL is fine. */
void gfab_port_certificate_release(gfab_port_certificate *ports);
/* What the terms' messages weigh, and a round at most if the weights of nodes and sets are what they have to be. LIMIT,
 * NO_MEMORY. */
gfab_status gfab_port_certificate_count(const gfab_topology *topology, const gfab_port_certificate *ports,
                                        uint64_t *demand, uint64_t *capacity);
/* Are they? FAULT with the link or the set for which they are not. */
gfab_status gfab_port_certificate_check(const gfab_topology *topology, const gfab_port_certificate *ports,
                                        gfab_diag *diag);

#endif
