/* SPDX-License-Identifier: MIT */
/* Private to the formats: their readers and writers, and what those share. */
#ifndef GOSSIPFAB_FORMATS_INTERNAL_H
#define GOSSIPFAB_FORMATS_INTERNAL_H

#include <gossipfab/formats/format.h>

#include "formats/moves.h"

gfab_format_read gfab_sccl_read, gfab_msccl_read;
gfab_format_write gfab_sccl_write, gfab_msccl_write, gfab_msccl_write_apart, gfab_msccl_write_microsoft,
    gfab_mscclpp_write, gfab_mscclpp_write_apart, gfab_graphviz_write;
gfab_format_write_range gfab_msccl_write_range, gfab_msccl_write_range_apart, gfab_msccl_write_range_microsoft,
    gfab_mscclpp_write_range, gfab_mscclpp_write_range_apart;
gfab_format_write_graph gfab_graphml_write, gfab_smi_write;

/* Most nodes of a file that has a line, or a number, for each pair of them. */
#define GFAB_MAX_PAIRED_NODES 4096

/* The head of a schedule: its .gfs text without the rounds. Writers put it where other readers see a remark, so that
 * ours get back the topology, the model and the goal. NULL without memory; to be freed. */
char *gfab_format_head(const gfab_schedule *schedule);
/* Topology and empty schedule of a head. PARSE, without a line: the head's own are in the message. */
gfab_status gfab_format_read_head(const char *head, gfab_topology **topology, gfab_schedule **schedule,
                                  gfab_diag *diag);

/* The graph of these links, lower node in the upper half of a word; sorts them. The suffix is put behind its name. */
gfab_status gfab_format_graph(size_t nodes, uint64_t *links, size_t count, const char *suffix, gfab_topology **topology,
                              gfab_diag *diag);
static inline uint64_t gfab_format_link(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

gfab_status gfab_format_no_memory(gfab_diag *diag);
/* What a finished writer returns: IO where a write failed. */
/* UNSUPPORTED where the topology has what the format, by its name, cannot say: of GFAB_MARK_.. it can say these. */
gfab_status gfab_format_check_marks(const gfab_topology *topology, uint32_t says, const char *format, gfab_diag *diag);
gfab_status gfab_format_written(FILE *file, gfab_diag *diag);

#endif
