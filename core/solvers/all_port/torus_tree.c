/* SPDX-License-Identifier: MIT */
#include "torus_tree.h"

#include <stdlib.h>

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check(topology, model, diag);
    return status == GFAB_OK ? gfab_relative_tree_applies(topology, model, diag) : status;
}

/* The rounds of the tree itself, which is quickly made. */
static bool formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    gfab_relative_tree *tree;
    if (applies(topology, model, NULL) != GFAB_OK)
        return false;
    const gfab_status status = gfab_relative_tree_create(topology, model, &tree, NULL);
    if (status != GFAB_OK) {
        *rounds = status == GFAB_ERR_NO_MEMORY ? 0 : *rounds;
        return false;
    }
    *rounds = tree->rounds;
    gfab_relative_tree_destroy(tree);
    return true;
}

typedef struct expansion {
    size_t axes;
    uint32_t sides[GFAB_MAX_DIMENSIONS];
    uint32_t strides[GFAB_MAX_DIMENSIONS];
    size_t nodes;
    gfab_arc *arcs; /* [(2 * axis + direction) * nodes + node]: out of the node; not set for a side of 1 */
} expansion;

static gfab_status expansion_init(expansion *e, const gfab_topology *topology)
{
    *e = (expansion){.axes = gfab_topology_dimensions(topology), .nodes = gfab_topology_node_count(topology)};
    e->arcs = malloc(2 * e->axes * e->nodes * sizeof *e->arcs);
    if (!e->arcs)
        return GFAB_ERR_NO_MEMORY;
    uint32_t stride = 1;
    for (size_t axis = e->axes; axis-- > 0; stride *= e->sides[axis]) {
        const uint32_t side = e->sides[axis] = gfab_topology_side(topology, axis);
        e->strides[axis] = stride;
        for (size_t direction = 0; direction < 2 && side > 1; direction++)
            for (uint32_t v = 0; v < e->nodes; v++) {
                const uint32_t c = v / stride % side;
                const uint32_t to = v - c * stride + (c + (direction ? side - 1 : 1)) % side * stride;
                if (!gfab_topology_find_arc(topology, v, to, &e->arcs[(2 * axis + direction) * e->nodes + v]))
                    return GFAB_ERR_INVALID;
            }
    }
    return GFAB_OK;
}

/* Every node v takes the step with the token of v - from. */
static gfab_status append_step(const expansion *e, const gfab_relative_step *step, gfab_schedule *schedule)
{
    const gfab_arc *arcs = e->arcs + (2 * (size_t)step->axis + step->direction) * e->nodes;
    gfab_status status = GFAB_OK;
    for (uint32_t v = 0; v < e->nodes && status == GFAB_OK; v++) {
        uint32_t token = 0;
        for (size_t axis = 0; axis < e->axes; axis++) {
            const uint32_t side = e->sides[axis], stride = e->strides[axis];
            token += (v / stride % side + side - step->from / stride % side) % side * stride;
        }
        status = gfab_schedule_append(schedule, step->round, arcs[v], token);
    }
    return status;
}

gfab_status gfab_relative_tree_expand(const gfab_topology *topology, const gfab_relative_tree *tree,
                                      const gfab_solver_options *options, gfab_schedule *schedule)
{
    const size_t count = tree->step_count;
    const gfab_relative_step *steps = tree->steps;
    expansion e;
    gfab_status status = expansion_init(&e, topology);
    for (size_t i = 0; i < count && status == GFAB_OK; i++) {
        status = append_step(&e, &steps[i], schedule);
        if (status == GFAB_OK && (i + 1 == count || steps[i + 1].round > steps[i].round))
            status = gfab_solver_report(options, "rounds", steps[i].round, tree->rounds);
    }
    free(e.arcs);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_relative_tree *tree;
    gfab_status status = gfab_relative_tree_create(topology, model, &tree, diag);
    if (status != GFAB_OK)
        return status;
    status = gfab_relative_tree_expand(topology, tree, options, schedule);
    gfab_relative_tree_destroy(tree);
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_torus_tree, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_torus_tree = {
    .name = "torus-tree",
    .summary = "one broadcast tree and its translates on any torus, at the count bound (half or full, all, p = 1)",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
};
