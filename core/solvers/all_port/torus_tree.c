/* SPDX-License-Identifier: MIT */
/* Solver `torus-tree`: a gossip made of one tree and its translates. relative_tree.c grows the tree; here every node
 * takes each of its steps. All packets of a large torus would fill memory - N - 1 moves for each of N nodes - so that
 * from LARGE_NODES nodes on the schedule keeps the tree alone, and readers translate it as they go. */
#include "torus_tree.h"
#include "topology/translate.h"

#include <string.h>

/* From so many nodes on a schedule is kept as one tree. */
#define LARGE_NODES ((size_t)1 << 13)

/* The rounds of the tree itself, which is quickly made. */
static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    gfab_relative_tree *tree;
    GFAB_TRY(gfab_solver_applies(&gfab_solver_torus_tree, topology, model, NULL));
    GFAB_TRY(gfab_relative_tree_create(topology, model, &tree, NULL));
    *rounds = tree->rounds;
    gfab_relative_tree_destroy(tree);
    return GFAB_OK;
}

/* Every node v takes the step with the token of v - from; of one tree node `from` alone. */
static gfab_status append_step(const gfab_topology *topology, const gfab_relative_step *step, gfab_schedule *schedule)
{
    gfab_arc arc = 0;
    if (!gfab_topology_find_arc(topology, step->from, step->to, &arc))
        return GFAB_ERR_INVALID;
    if (gfab_schedule_translated(schedule))
        return gfab_schedule_append(schedule, step->round, arc, 0);
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++)
        GFAB_TRY(gfab_schedule_append(schedule, step->round, gfab_translate_arc(topology, arc, v),
                                      gfab_translate_minus(topology, v, step->from)));
    return GFAB_OK;
}

gfab_status gfab_relative_tree_expand(const gfab_topology *topology, const gfab_relative_tree *tree,
                                      const gfab_solver_options *options, gfab_schedule *schedule)
{
    const size_t count = tree->step_count;
    const gfab_relative_step *steps = tree->steps;
    for (size_t i = 0; i < count; i++) {
        GFAB_TRY(append_step(topology, &steps[i], schedule));
        if (i + 1 == count || steps[i + 1].round > steps[i].round)
            GFAB_TRY(gfab_solver_report(options, "rounds", steps[i].round, tree->rounds));
    }
    return GFAB_OK;
}

/* Is the schedule to be kept as one tree? Unless keep says so, where all packets are so many that they take 1/2 GB. */
static gfab_status choose_form(const gfab_topology *topology, const gfab_solver_options *options,
                               gfab_schedule *schedule, gfab_diag *diag)
{
    size_t length;
    const char *keep = gfab_parameter(options->parameters, "keep", &length);
    const bool tree =
        keep ? length == 4 && strncmp(keep, "tree", length) == 0 : gfab_topology_node_count(topology) >= LARGE_NODES;
    if (keep && !tree && (length != 7 || strncmp(keep, "packets", length) != 0))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "keep is tree or packets");
    if (!tree && gfab_topology_node_count(topology) > GFAB_SOLVER_MAX_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "keep=packets takes at most %zu nodes", GFAB_SOLVER_MAX_NODES);
    return tree ? gfab_schedule_set_translated(schedule) : GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_relative_tree *tree;
    GFAB_TRY(choose_form(topology, options, schedule, diag));
    GFAB_TRY(gfab_relative_tree_create(topology, model, &tree, diag));
    gfab_status status = gfab_relative_tree_expand(topology, tree, options, schedule);
    gfab_relative_tree_destroy(tree);
    return status;
}

GFAB_SOLVE(solve, torus_tree, build)

static const char *const parameters[] = {"keep", NULL};

const gfab_solver gfab_solver_torus_tree = {
    .name = "torus-tree",
    .summary = "one broadcast tree and its translates on any torus, at the count bound (half or full, all, p = 1)",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = gfab_relative_tree_applies,
    .most_nodes = SIZE_MAX, /* the schedule can be one tree */
    .solve = solve,
    .formula = formula,
    .parameters = parameters,
};
