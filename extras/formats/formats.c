/* SPDX-License-Identifier: MIT */
/* The formats of other tools, as rows of the table in core/schedule/text/schedule_formats.c. */
#include "formats/formats.h"

#include "schedule/text/format_rows.h"

const gfab_format gfab_foreign_formats[] = {
    {"sccl", "JSON of SCCL and msccl-tools: steps of sends", '{', false, true, gfab_sccl_read, gfab_sccl_write, NULL},
    {"msccl", "XML of MSCCL: a program for each GPU", '<', false, true, gfab_msccl_read, gfab_msccl_write, NULL},
    {"msccl-apart", "the same, from an input to an output of its own", 0, false, true, NULL, gfab_msccl_write_apart,
     NULL},
    {"msccl-microsoft", "the same, in place, in the words of microsoft/msccl", 0, false, true, NULL,
     gfab_msccl_write_microsoft, NULL},
    {"mscclpp", "JSON of MSCCL++: a plan for GPUs, in place", 0, false, true, NULL, gfab_mscclpp_write, NULL},
    {"mscclpp-apart", "the same, from an input to an output of its own", 0, false, true, NULL, gfab_mscclpp_write_apart,
     NULL},
    {"chakra", "traces for ASTRA-sim: a folder with a file a rank", 0, true, true, NULL, NULL, NULL},
    {"c-plan", "a table in C for each rank, and what carries it out: a folder", 0, true, true, NULL, NULL, NULL},
    {"graphviz", "a picture for dot: arrows with rounds and blocks", 0, false, false, NULL, gfab_graphviz_write, NULL},
    {"graphml", "the graph alone; --topology file:F reads it", 0, false, false, NULL, NULL, gfab_graphml_write},
    {"smi", "the graph alone, as JSON of SMI; --topology file:F reads it", 0, false, false, NULL, NULL, gfab_smi_write},
    {.name = NULL},
};
