/* SPDX-License-Identifier: MIT */
#include "formats.h"

#include <string.h>

static gfab_status read_gfs(FILE *file, const gfab_format_options *options, gfab_topology **topology,
                            gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_schedule_read(file, options->progress, topology, schedule, diag);
}

static gfab_status read_csv(FILE *file, const gfab_format_options *options, gfab_topology **topology,
                            gfab_schedule **schedule, gfab_diag *diag)
{
    *topology = NULL;
    if (!options->topology)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "CSV does not say its topology");
    return gfab_schedule_read_csv(file, options->topology, &options->model, options->goal, options->progress, schedule,
                                  diag);
}

static const gfab_format formats[] = {
    {"gfs", "gossipfab's schedule file", 'g', false, false, read_gfs, gfab_schedule_write, NULL},
    {"csv", "a row a move, without topology and model", 'r', false, false, read_csv, gfab_schedule_write_csv, NULL},
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
};

const gfab_format *gfab_format_at(size_t index)
{
    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}

const gfab_format *gfab_format_find(const char *name)
{
    const gfab_format *format;
    for (size_t i = 0; (format = gfab_format_at(i)); i++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

const gfab_format *gfab_format_of_first(int first)
{
    const gfab_format *format;
    for (size_t i = 0; (format = gfab_format_at(i)); i++)
        if (format->first != 0 && format->first == first)
            return format;
    return NULL;
}

gfab_format_options gfab_format_options_default(const gfab_format *format)
{
    gfab_format_options options = {.model = gfab_model_default()};
    options.model.link_mode = format->each_way ? GFAB_LINK_FULL : GFAB_LINK_HALF;
    return options;
}
