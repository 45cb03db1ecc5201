/* SPDX-License-Identifier: MIT */
/* Chakra execution traces, which ASTRA-sim takes as collectives of one's own: a file a rank, PREFIX.<rank>.et. Ranks
 * are nodes. docs/reference/formats.md has what is in them. */
#ifndef GOSSIPFAB_CHAKRA_H
#define GOSSIPFAB_CHAKRA_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* "all-gather", the start of the key that ASTRA-sim's system file has for it; NULL where it has none. Static. */
const char *gfab_chakra_hook(gfab_collective collective);

/* Writes the file of a rank; a message is a block of so many bytes. UNSUPPORTED where ASTRA-sim has no hook, or a
 * packet goes over several links; LIMIT; IO; NO_MEMORY. The schedule must be good (gfab_verify). */
gfab_status gfab_chakra_write(const gfab_schedule *schedule, uint32_t rank, uint64_t block_bytes, FILE *file,
                              gfab_diag *diag);
/* ASTRA-sim's system file, which names the traces by their prefix: JSON. Errors as above. */
gfab_status gfab_chakra_write_system(const gfab_schedule *schedule, const char *prefix, FILE *file, gfab_diag *diag);
/* Its workload, the same for every rank: this collective, once, of all blocks. Errors as above. */
gfab_status gfab_chakra_write_workload(const gfab_schedule *schedule, uint64_t block_bytes, FILE *file,
                                       gfab_diag *diag);
/* The network for its analytical backends: a link each way between any two nodes, of which the schedule uses those of
 * the graph; YAML. */
gfab_status gfab_chakra_write_analytical(const gfab_topology *topology, FILE *file, gfab_diag *diag);
/* The graph for its ns-3 backend, in which only switches pass on: a switch, N + v, for every node v. */
gfab_status gfab_chakra_write_network(const gfab_topology *topology, FILE *file, gfab_diag *diag);

/* Opens the file of a rank to be read; NULL where it is not there. */
typedef FILE *gfab_chakra_open(void *context, uint32_t rank);
/* Reads what gfab_chakra_write wrote, and closes the files. On GFAB_OK both results are the caller's. PARSE, with the
 * rank and the byte in the message; IO; LIMIT; NO_MEMORY. */
gfab_status gfab_chakra_read(gfab_chakra_open *open, void *context, gfab_topology **topology, gfab_schedule **schedule,
                             gfab_diag *diag);

GFAB_C_END
#endif
