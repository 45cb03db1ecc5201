/* SPDX-License-Identifier: MIT */
/* The relative trees of torus-tree for wide nodes with few banks: random trees that fit a small crossbar, the one of
 * fewest rounds, and of those of equal rounds the one for the smaller crossbar. */
#include "torus_tree.h"

#include <gossipfab/schedule/bound.h>

#define TRIES 64

/* The crossbars that torus-bank tries, the smallest first; how many fit. */
static size_t crossbars(const gfab_topology *topology, const gfab_model *model, gfab_crossbar crossbar[2])
{
    size_t count = 0;
    if (model->link_mode == GFAB_LINK_HALF)
        return gfab_crossbar_make(topology, GFAB_CROSSBAR_AXES, 0, &crossbar[0], NULL) == GFAB_OK;
    count += gfab_crossbar_make(topology, GFAB_CROSSBAR_PINWHEEL, 0, &crossbar[count], NULL) == GFAB_OK;
    count += gfab_crossbar_make(topology, GFAB_CROSSBAR_ARRIVAL, 0, &crossbar[count], NULL) == GFAB_OK;
    return count;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    gfab_crossbar crossbar[2];
    GFAB_TRY(gfab_relative_tree_applies(topology, model, diag));
    if (crossbars(topology, model, crossbar) == 0)
        return GFAB_REFUSE(diag, "torus-bank needs nodes with two links or more");
    return GFAB_OK;
}

typedef struct search {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_relative_tree *best;
    gfab_bound bound;
    uint32_t most_rounds; /* that a better one has */
} search;

/* Random trees for one crossbar; the best is replaced by a better one. */
static gfab_status try_crossbar(search *s, const gfab_crossbar *crossbar)
{
    const uint32_t tries = s->options->effort ? s->options->effort : TRIES;
    for (uint32_t try = 0; try < tries && s->most_rounds >= s->bound.rounds; try++) {
        gfab_relative_tree *tree;
        const uint64_t seed = s->options->seed + ((uint64_t)try << 32);
        const gfab_status status =
            gfab_relative_tree_create_banked(s->topology, s->model, crossbar, seed, s->most_rounds, &tree);
        if (status == GFAB_OK) {
            gfab_relative_tree_destroy(s->best);
            s->best = tree;
            s->most_rounds = tree->rounds - 1;
        } else if (status != GFAB_ERR_UNSUPPORTED)
            return status;
        GFAB_TRY(gfab_solver_report(s->options, "tries", try + 1, tries));
    }
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_crossbar crossbar[2];
    search s = {.topology = topology,
                .model = model,
                .options = options,
                .most_rounds = options->rounds ? options->rounds : GFAB_MAX_ROUNDS};
    gfab_status status = gfab_bound_best(topology, model, options->progress, &s.bound);
    const size_t count = crossbars(topology, model, crossbar);
    for (size_t i = 0; i < count && status == GFAB_OK; i++)
        status = try_crossbar(&s, &crossbar[i]);
    if (status == GFAB_OK && !s.best)
        status = GFAB_REFUSE(diag, "torus-bank finds no schedule of %u rounds; a greater --effort may",
                             (unsigned)s.most_rounds);
    GFAB_THEN(status, gfab_relative_tree_expand(topology, s.best, options, schedule));
    gfab_relative_tree_destroy(s.best);
    return status;
}

GFAB_SOLVE(solve, torus_bank, build)

const gfab_solver gfab_solver_torus_bank = {
    .name = "torus-bank",
    .summary = "as torus-tree, for wide nodes: tokens that leave a node together came by different axes or ports",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .few_banks = true,
};
