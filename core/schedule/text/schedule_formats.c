/* SPDX-License-Identifier: MIT */
/* The table of formats: .gfs and CSV, and behind them those of other tools. */
#include "format_rows.h"

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
    {"gfs", "gossipfab's schedule file", .first = 'g', .read = read_gfs, .write = gfab_schedule_write},
    {"csv", "a row a move, without topology and model", .first = 'r', .read = read_csv,
     .write = gfab_schedule_write_csv},
};

const gfab_format *gfab_format_at(size_t index)
{
    const size_t own = sizeof formats / sizeof *formats;
    if (index < own)
        return &formats[index];
    for (size_t i = 0; gfab_foreign_formats[i].name; i++)
        if (i == index - own)
            return &gfab_foreign_formats[i];
    return NULL;
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
