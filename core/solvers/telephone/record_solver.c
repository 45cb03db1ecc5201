/* SPDX-License-Identifier: MIT */
/* The schedules kept in records/; docs/theory/records.md tells where they come from. */
#include "telephone.h"

#include <gossipfab/telephone/record.h>

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    GFAB_TRY(gfab_telephone_check(topology, model, diag));
    if (!gfab_record_find(topology))
        return GFAB_REFUSE(diag, "no record is kept for %s", gfab_topology_name(topology));
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    (void)options;
    return gfab_record_expand(gfab_record_find(topology), schedule, diag);
}

GFAB_SOLVE(solve, record, build)

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    gfab_record record;
    GFAB_TRY(gfab_solver_applies(&gfab_solver_record, topology, model, NULL));
    GFAB_TRY(gfab_record_head(gfab_record_find(topology), &record, NULL));
    *rounds = record.rounds;
    return GFAB_OK;
}

const gfab_solver gfab_solver_record = {
    .name = "record",
    .summary = "telephone model: a kept schedule, as short as any published or shorter",
    .source = "gossipfab, docs/theory/records.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .only = GFAB_ONLY_TELEPHONE,
};
