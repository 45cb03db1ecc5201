/* SPDX-License-Identifier: MIT */
/* The schedules kept in records/; docs/theory/records.md tells where they come from. */
#include "telephone.h"

#include <gossipfab/telephone/record.h>

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status status = gfab_telephone_check(topology, model, diag);
    if (status == GFAB_OK && !gfab_record_find(topology))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no record is kept for %s", gfab_topology_name(topology));
    return status;
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
    gfab_status status = gfab_solver_applies(&gfab_solver_record, topology, model, NULL);
    GFAB_THEN(status, gfab_record_head(gfab_record_find(topology), &record, NULL));
    if (status == GFAB_OK)
        *rounds = record.rounds;
    return status;
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
