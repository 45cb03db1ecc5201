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

#define GFAB_MAX_CHAKRA_RANKS 65536u

/* What was found of traces of any tool. */
typedef struct gfab_chakra_report {
    uint32_t ranks;
    uint64_t sends, bytes; /* that all ranks send */
    char message[256];     /* what is wrong, in a line */
} gfab_chakra_report;

/* Checks traces that may be another tool's, of ranks 0 up to the first that has none: sends and receives pair, nothing
 * waits for itself, and with the best content of all messages the collective can come about; where `bytes`, the length
 * of the vector, is not 0, enough bytes are moved: an all-gather's is what everybody has in the end, an all-to-all's
 * what each rank starts with. Which bytes a message has the traces do not say: OK is no proof. FAULT where they are
 * wrong in any case, with report->message; PARSE; INVALID, of a root or a number of ranks; LIMIT; IO; NO_MEMORY. The
 * goal's blocks are not looked at. */
gfab_status gfab_chakra_check(gfab_chakra_open *open, void *context, const gfab_goal *goal, uint64_t bytes,
                              gfab_chakra_report *report, gfab_diag *diag);

GFAB_C_END
#endif
