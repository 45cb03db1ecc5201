/* SPDX-License-Identifier: MIT */
/* The waves of gossipfab simulate. */
#ifndef GOSSIPFAB_CLI_SIMULATE_VCD_H
#define GOSSIPFAB_CLI_SIMULATE_VCD_H

#include "cli.h"

/* simulate_vcd.c: a value change dump of the links, which have one set of wires each or two. create gives NULL when out
 * of memory. */
typedef struct simulate_vcd simulate_vcd;
simulate_vcd *simulate_vcd_create(FILE *file, const gfab_topology *topology, uint32_t link_bits, uint32_t wires);
void simulate_vcd_destroy(simulate_vcd *vcd);
/* One cycle, after the clock edge that began it. */
void simulate_vcd_cycle(simulate_vcd *vcd, const gfab_cmodel *cmodel, uint64_t cycle);

#endif
