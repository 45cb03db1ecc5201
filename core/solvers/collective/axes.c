/* SPDX-License-Identifier: MIT */
/* A few blocks on meshes and tori: the all-reduce of a line on all lines of an axis at once, then along the next axis,
 * with what the lines before have added up. Blocks are dealt out to as many groups as there are axes. Group g starts
 * with axis g, so that groups do not meet. On a line trees do well; on a short one a SAT solver looks for fewer rounds:
 * on cycles totals then come about at several nodes at once. docs/theory/collective-trees.md. */
#include "solvers/solvers.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/prove.h>

/* Of a group: beyond these, trees that know all axes do better. */
#define MAX_BLOCKS 4u
/* SAT: variables of a formula, and the conflicts after which it gives up; a few seconds at most. */
#define SAT_VARIABLES 10000u
#define SAT_CONFLICTS 30000u

typedef struct line {
    gfab_topology *topology;
    gfab_schedule *schedule; /* of the blocks of a group */
    uint32_t rounds, side, stride;
} line;

typedef struct axes {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    uint32_t nodes, blocks;
    uint32_t count; /* of axes of side 2 and up, and of groups: group g has the blocks g, g + count, ... */
    line lines[GFAB_MAX_DIMENSIONS];
} axes;

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const gfab_status status = gfab_solver_check(topology, model, diag);
    if (status != GFAB_OK)
        return status;
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "axes is for meshes and tori, not for %s",
                         gfab_topology_name(topology));
    return gfab_solver_trees.applies(topology, model, diag);
}

/* Fewer rounds, as long as the formula is small and SAT finds such. */
static gfab_status shorten(const axes *a, line *made, const gfab_goal *goal)
{
    gfab_bound least;
    gfab_status status = gfab_bound_goal_best(made->topology, a->model, goal, a->options->progress, &least);
    gfab_prove_options options = gfab_prove_options_default();
    options.max_conflicts = SAT_CONFLICTS;
    options.progress = a->options->progress;
    const size_t each = made->side + 2 * gfab_topology_link_count(made->topology);
    for (gfab_schedule *shorter; status == GFAB_OK; made->schedule = shorter) {
        const uint32_t rounds = gfab_schedule_rounds(made->schedule) - 1;
        gfab_prove_report report;
        if (rounds < least.rounds || (uint64_t)goal->blocks * (made->side + 1) * each * rounds > SAT_VARIABLES)
            break;
        status = gfab_prove_goal(made->topology, a->model, goal, rounds, &options, &report, &shorter, NULL);
        if (!shorter)
            break;
        gfab_schedule_destroy(made->schedule);
    }
    return status;
}

static gfab_status make_line(const axes *a, gfab_topology_kind kind, line *made)
{
    const gfab_goal goal = {.collective = GFAB_ALL_REDUCE, .blocks = (a->blocks + a->count - 1) / a->count};
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = a->options->progress;
    options.goal = &goal;
    gfab_status status = gfab_topology_create_grid(kind, 1, &made->side, &made->topology, NULL);
    if (status == GFAB_OK)
        status = gfab_solver_trees.solve(made->topology, a->model, &options, &made->schedule, NULL);
    if (status == GFAB_OK)
        status = shorten(a, made, &goal);
    if (status == GFAB_OK)
        made->rounds = gfab_schedule_rounds(made->schedule);
    return status;
}

static gfab_status make_lines(axes *a)
{
    gfab_status status = GFAB_OK;
    uint32_t stride = 1;
    line *made = a->lines;
    for (size_t axis = gfab_topology_dimensions(a->topology); axis-- > 0 && status == GFAB_OK;) {
        const uint32_t side = gfab_topology_side(a->topology, axis);
        const bool wraps = gfab_topology_get_kind(a->topology) == GFAB_TOPOLOGY_TORUS && side > 2;
        if (side > 1) {
            *made = (line){.side = side, .stride = stride};
            status = make_line(a, wraps ? GFAB_TOPOLOGY_TORUS : GFAB_TOPOLOGY_MESH, made++);
        }
        stride *= side;
    }
    return status;
}

/* A round of a line, on all lines of its axis, with the blocks of a group. */
static gfab_status append_lines(const axes *a, const line *along, uint32_t line_round, uint32_t round, uint32_t group,
                                gfab_schedule *schedule)
{
    gfab_packet_iter packets = gfab_schedule_round(along->schedule, line_round);
    gfab_status status = GFAB_OK;
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
        const uint32_t block = (packet.tokens[0] & ~GFAB_COMBINE) * a->count + group;
        const uint32_t from = gfab_topology_arc_from(along->topology, packet.arcs[0]);
        const uint32_t to = gfab_topology_arc_to(along->topology, packet.arcs[0]);
        for (uint32_t v = 0; v < a->nodes && block < a->blocks && status == GFAB_OK; v++) {
            gfab_arc arc;
            if (v / along->stride % along->side != from ||
                !gfab_topology_find_arc(a->topology, v, v - from * along->stride + to * along->stride, &arc))
                continue;
            status = gfab_schedule_append(schedule, round, arc, block | (packet.tokens[0] & GFAB_COMBINE));
        }
    }
    return status;
}

/* Phase p brings group g along axis g + p, and lasts as long as the longest of its lines. */
static gfab_status append_phases(const axes *a, gfab_schedule *schedule)
{
    const uint32_t groups = a->blocks < a->count ? a->blocks : a->count;
    gfab_status status = GFAB_OK;
    uint32_t before = 0;
    for (uint32_t phase = 0; phase < a->count; phase++) {
        uint32_t longest = 0;
        for (uint32_t group = 0; group < groups; group++) {
            const uint32_t rounds = a->lines[(group + phase) % a->count].rounds;
            longest = rounds > longest ? rounds : longest;
        }
        for (uint32_t round = 1; round <= longest && status == GFAB_OK; round++) {
            for (uint32_t group = 0; group < groups && status == GFAB_OK; group++)
                status = append_lines(a, &a->lines[(group + phase) % a->count], round, before + round, group, schedule);
            if (status == GFAB_OK)
                status = gfab_solver_report(a->options, "rounds", before + round, 0);
        }
        before += longest + a->model->hop_rounds - 1;
    }
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    axes a = {.topology = topology,
              .model = model,
              .options = options,
              .nodes = (uint32_t)gfab_topology_node_count(topology),
              .blocks = gfab_schedule_goal(schedule).blocks};
    for (size_t axis = 0; axis < gfab_topology_dimensions(topology); axis++)
        a.count += gfab_topology_side(topology, axis) > 1;
    if (a.blocks > MAX_BLOCKS * a.count)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "%u blocks; at most %u on these %u axes", a.blocks,
                         MAX_BLOCKS * a.count, a.count);
    gfab_status status = make_lines(&a);
    if (status == GFAB_OK)
        status = append_phases(&a, schedule);
    for (uint32_t i = 0; i < a.count; i++) {
        gfab_schedule_destroy(a.lines[i].schedule);
        gfab_topology_destroy(a.lines[i].topology);
    }
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_axes, build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_axes = {
    .name = "axes",
    .summary =
        "all-reduce of one block an axis, or fewer, on meshes and tori: line by line along one axis after another",
    .source = "gossipfab, docs/theory/collective-trees.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
};
