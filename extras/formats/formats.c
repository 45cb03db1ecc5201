/* SPDX-License-Identifier: MIT */
/* The formats of other tools, as rows of the table in core/schedule/text/schedule_formats.c. */
#include "formats/formats.h"

#include "schedule/text/format_rows.h"

const gfab_format gfab_foreign_formats[] = {
    {"sccl", "JSON of SCCL and msccl-tools: steps of sends", .first = '{', .each_way = true, .read = gfab_sccl_read,
     .write = gfab_sccl_write},
    {"msccl", "XML of MSCCL: a program for each GPU", .first = '<', .each_way = true, .read = gfab_msccl_read,
     .write = gfab_msccl_write, .write_range = gfab_msccl_write_range, .extension = "xml"},
    {"msccl-apart", "the same, from an input to an output of its own", .each_way = true,
     .write = gfab_msccl_write_apart, .write_range = gfab_msccl_write_range_apart, .extension = "xml"},
    {"msccl-microsoft", "the same, in place, in the words of microsoft/msccl", .each_way = true,
     .write = gfab_msccl_write_microsoft, .write_range = gfab_msccl_write_range_microsoft, .extension = "xml"},
    {"mscclpp", "JSON of MSCCL++: a plan for GPUs, in place", .each_way = true, .write = gfab_mscclpp_write,
     .write_range = gfab_mscclpp_write_range, .extension = "json"},
    {"mscclpp-apart", "the same, from an input to an output of its own", .each_way = true,
     .write = gfab_mscclpp_write_apart, .write_range = gfab_mscclpp_write_range_apart, .extension = "json"},
    {"chakra", "traces for ASTRA-sim: a folder with a file a rank", .folder = true, .each_way = true},
    {"c-plan", "a table in C for each rank, and what carries it out: a folder", .folder = true, .each_way = true},
    {"graphviz", "a picture for dot: arrows with rounds and blocks", .write = gfab_graphviz_write},
    {"graphml", "the graph alone; --topology file:F reads it", .write_graph = gfab_graphml_write},
    {"smi", "the graph alone, as JSON of SMI; --topology file:F reads it", .write_graph = gfab_smi_write},
    {.name = NULL},
};
