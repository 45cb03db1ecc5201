/* SPDX-License-Identifier: MIT */
/* A few blocks on meshes, tori and hypercubes, whose axes are of two nodes: the all-reduce of a line on all lines of an
 * axis at once, then along the next axis, with what the lines before have added up. Blocks are dealt out to as many
 * groups as there are axes. Group g starts with axis g, so that groups do not meet. On a line trees do well; on a short
 * one a SAT solver looks for fewer rounds: on cycles totals then come about at several nodes at once.
 *
 * On a torus of two axes more blocks are spread: a group's blocks first flow together on the lines of its axis, each
 * block at a place of its own; there the other axis' line makes the total, of one block; and it flows back.
 * docs/theory/collective-trees.md. */
#include "solvers/solvers.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/prove.h>

/* Of a group: beyond these, trees that know all axes do better; on a hypercube beyond one. */
#define MAX_BLOCKS 4u
/* SAT: variables of a formula, and the conflicts after which it gives up; a few seconds at most. */
#define SAT_VARIABLES 10000u
#define SAT_CONFLICTS 30000u

/* Axes: those of a mesh, or of a hypercube of as many nodes as any solver takes. */
#define MAX_AXES 32u

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
    line lines[MAX_AXES];
    gfab_schedule *schedule; /* that is made, and its round at work */
    uint32_t round;
} axes;

/* The lines of an axis that have place `at` on the axis across; across NULL: all of them. */
typedef struct selection {
    const line *along, *across;
    uint32_t at;
} selection;

/* K of a hypercube whose nodes are neighbours where their numbers differ in one bit, as in hypercube:K; else 0. */
static uint32_t cube_axes(const gfab_topology *topology)
{
    const size_t nodes = gfab_topology_node_count(topology);
    uint32_t k = 0;
    while ((size_t)1 << k < nodes)
        k++;
    if ((size_t)1 << k != nodes || !gfab_topology_is_plain(topology) ||
        gfab_topology_link_count(topology) != k * nodes / 2)
        return 0;
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t axis = 0; axis < k; axis++) {
            gfab_arc arc;
            if (!gfab_topology_find_arc(topology, v, v ^ (uint32_t)1 << axis, &arc))
                return 0;
        }
    return k;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    if (gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH || cube_axes(topology))
        return GFAB_OK;
    return GFAB_REFUSE(diag, "axes is for meshes, tori and hypercubes, not for %s", gfab_topology_name(topology));
}

/* Fewer rounds, as long as the formula is small and SAT finds such. */
static gfab_status shorten(const axes *a, line *made, const gfab_goal *goal)
{
    gfab_bound least;
    GFAB_TRY(gfab_bound_goal_best(made->topology, a->model, goal, a->options->progress, &least));
    gfab_prove_options options = gfab_prove_options_default();
    options.max_conflicts = SAT_CONFLICTS;
    options.progress = a->options->progress;
    const size_t each = made->side + 2 * gfab_topology_link_count(made->topology);
    for (gfab_schedule *shorter;; made->schedule = shorter) {
        const uint32_t rounds = gfab_schedule_rounds(made->schedule) - 1;
        gfab_prove_report report;
        if (rounds < least.rounds || (uint64_t)goal->blocks * (made->side + 1) * each * rounds > SAT_VARIABLES)
            break;
        GFAB_TRY(gfab_prove_goal(made->topology, a->model, goal, rounds, &options, &report, &shorter, NULL));
        if (!shorter)
            break;
        gfab_schedule_destroy(made->schedule);
    }
    return GFAB_OK;
}

static gfab_status make_line(const axes *a, gfab_topology_kind kind, uint32_t blocks, line *made)
{
    const gfab_goal goal = {.collective = GFAB_ALL_REDUCE, .blocks = blocks};
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = a->options->progress;
    options.goal = &goal;
    GFAB_TRY(gfab_topology_create_grid(kind, 1, &made->side, &made->topology, NULL));
    GFAB_TRY(gfab_solver_trees.solve(made->topology, a->model, &options, &made->schedule, NULL));
    GFAB_TRY(shorten(a, made, &goal));
    made->rounds = gfab_schedule_rounds(made->schedule);
    return GFAB_OK;
}

static void list_lines(axes *a)
{
    uint32_t stride = 1;
    line *listed = a->lines;
    for (uint32_t axis = 0; gfab_topology_get_kind(a->topology) == GFAB_TOPOLOGY_GRAPH && axis < a->count; axis++)
        *listed++ = (line){.side = 2, .stride = (uint32_t)1 << axis};
    for (size_t axis = gfab_topology_dimensions(a->topology); axis-- > 0;) {
        const uint32_t side = gfab_topology_side(a->topology, axis);
        if (side > 1)
            *listed++ = (line){.side = side, .stride = stride};
        stride *= side;
    }
}

/* All lines, for so many blocks. */
static gfab_status make_lines(axes *a, uint32_t blocks)
{
    const bool wraps = gfab_topology_get_kind(a->topology) == GFAB_TOPOLOGY_TORUS;
    for (uint32_t i = 0; i < a->count; i++)
        GFAB_TRY(make_line(a, wraps && a->lines[i].side > 2 ? GFAB_TOPOLOGY_TORUS : GFAB_TOPOLOGY_MESH, blocks,
                           &a->lines[i]));
    return GFAB_OK;
}

static void free_lines(axes *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        gfab_schedule_destroy(a->lines[i].schedule);
        gfab_topology_destroy(a->lines[i].topology);
    }
}

static uint32_t place_on(const line *along, uint32_t node)
{
    return node / along->stride % along->side;
}

/* One packet between two places of a line, on all lines selected. */
static gfab_status append_packet(const axes *a, const selection *on, uint32_t from, uint32_t to, const uint32_t *tokens,
                                 size_t count)
{
    const line *along = on->along;
    for (uint32_t v = 0; v < a->nodes; v++) {
        gfab_arc arc;
        if (place_on(along, v) != from || (on->across && place_on(on->across, v) != on->at) ||
            !gfab_topology_find_arc(a->topology, v, v - from * along->stride + to * along->stride, &arc))
            continue;
        GFAB_TRY(gfab_schedule_append_packet(a->schedule, a->round, &arc, 1, tokens, count));
    }
    return GFAB_OK;
}

/* A round of a line's schedule. Its block b is block b * count + first of the whole. */
static gfab_status append_line(const axes *a, const selection *on, uint32_t line_round, uint32_t first)
{
    const line *along = on->along;
    gfab_packet_iter packets = gfab_schedule_round(along->schedule, line_round);
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
        uint32_t tokens[MAX_BLOCKS];
        size_t count = 0;
        for (size_t i = 0; i < packet.token_count; i++) {
            const uint32_t block = (packet.tokens[i] & ~GFAB_COMBINE) * a->count + first;
            if (block < a->blocks)
                tokens[count++] = block | (packet.tokens[i] & GFAB_COMBINE);
        }
        if (count > 0)
            GFAB_TRY(append_packet(a, on, gfab_topology_arc_from(along->topology, packet.arcs[0]),
                                   gfab_topology_arc_to(along->topology, packet.arcs[0]), tokens, count));
    }
    return GFAB_OK;
}

/* Rounds of phase p, which brings group g along axis g + p: those of the longest of its lines. */
static uint32_t phase_rounds(const axes *a, uint32_t phase)
{
    uint32_t longest = 0;
    for (uint32_t group = 0; group < a->count && group < a->blocks; group++) {
        const uint32_t rounds = a->lines[(group + phase) % a->count].rounds;
        longest = rounds > longest ? rounds : longest;
    }
    return longest;
}

static uint32_t count_phases(const axes *a)
{
    uint32_t sum = (a->count - 1) * (a->model->hop_rounds - 1);
    for (uint32_t phase = 0; phase < a->count; phase++)
        sum += phase_rounds(a, phase);
    return sum;
}

static gfab_status append_phases(axes *a)
{
    const uint32_t groups = a->blocks < a->count ? a->blocks : a->count;
    for (uint32_t phase = 0; phase < a->count; phase++) {
        const uint32_t longest = phase_rounds(a, phase);
        for (uint32_t round = 1; round <= longest; round++) {
            a->round++;
            for (uint32_t group = 0; group < groups; group++)
                GFAB_TRY(append_line(a, &(selection){.along = &a->lines[(group + phase) % a->count]}, round, group));
            GFAB_TRY(gfab_solver_report(a->options, "rounds", a->round, 0));
        }
        a->round += a->model->hop_rounds - 1;
    }
    return GFAB_OK;
}

/* ---- spread ---- */

/* How many blocks can flow together on a cycle, each at a place of its own, in half its length: in round t of the way
 * back block p is on the links p + t - 1 and p - t, and with even places the two differ by parity. */
static uint32_t places_of(const axes *a, const line *along)
{
    if (along->side < 3)
        return 0;
    return a->model->link_mode == GFAB_LINK_FULL ? along->side : along->side % 2 == 0 ? along->side / 2 : 0;
}

static uint32_t spread_places(const axes *a)
{
    if (gfab_topology_get_kind(a->topology) != GFAB_TOPOLOGY_TORUS || a->count != 2)
        return 0;
    const uint32_t first = places_of(a, &a->lines[0]), second = places_of(a, &a->lines[1]);
    return first < second ? first : second;
}

static uint32_t place_of(const axes *a, const line *along, uint32_t block)
{
    return block / a->count * (a->model->link_mode == GFAB_LINK_FULL ? 1 : 2) % along->side;
}

static uint32_t longest_flow(const axes *a)
{
    const uint32_t side = a->lines[0].side > a->lines[1].side ? a->lines[0].side : a->lines[1].side;
    return (side / 2 - 1) * a->model->hop_rounds + 1;
}

static uint32_t longest_total(const axes *a)
{
    return a->lines[0].rounds > a->lines[1].rounds ? a->lines[0].rounds : a->lines[1].rounds;
}

/* What a block does on the lines of an axis, `steps` rounds before it is together at its place, or after that on the
 * way back, counted from 0: it crosses the links between distances steps / hop and one more, where that is whole. */
static gfab_status append_flow(const axes *a, const line *along, uint32_t block, bool back, uint32_t steps)
{
    const selection on = {.along = along};
    const uint32_t side = along->side, place = place_of(a, along, block), near = steps / a->model->hop_rounds;
    if (steps % a->model->hop_rounds != 0 || near >= side / 2)
        return GFAB_OK;
    const uint32_t right[] = {(place + near) % side, (place + near + 1) % side};
    const uint32_t left[] = {(place + side - near) % side, (place + side - near - 1) % side};
    const uint32_t token = block | (back ? 0 : GFAB_COMBINE);
    GFAB_TRY(append_packet(a, &on, right[!back], right[back], &token, 1));
    if (2 * (near + 1) != side) /* what is opposite goes one way */
        GFAB_TRY(append_packet(a, &on, left[!back], left[back], &token, 1));
    return GFAB_OK;
}

/* Together along axis g, a total for each block along the other one, and back. */
static gfab_status append_spread(axes *a)
{
    const uint32_t hop = a->model->hop_rounds - 1, flow = longest_flow(a), total = longest_total(a);
    const uint32_t middle = flow + hop, last = middle + total + hop, rounds = last + flow;
    for (uint32_t round = 1; round <= rounds; round++) {
        a->round = round;
        for (uint32_t block = 0; block < a->blocks; block++) {
            const line *along = &a->lines[block % 2], *across = &a->lines[1 - block % 2];
            if (round <= flow)
                GFAB_TRY(append_flow(a, along, block, false, flow - round));
            else if (round > last)
                GFAB_TRY(append_flow(a, along, block, true, round - last - 1));
            else if (round > middle && round - middle <= across->rounds)
                GFAB_TRY(append_line(a, &(selection){across, along, place_of(a, along, block)}, round - middle, block));
        }
        GFAB_TRY(gfab_solver_report(a->options, "rounds", round, rounds));
    }
    return GFAB_OK;
}

/* By lines[0] and lines[1] of one block. */
static uint32_t count_spread(const axes *a)
{
    return 2 * (longest_flow(a) + a->model->hop_rounds - 1) + longest_total(a);
}

/* ---- the shorter of both ---- */

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    axes whole = {.topology = topology,
                  .model = model,
                  .options = options,
                  .schedule = schedule,
                  .nodes = (uint32_t)gfab_topology_node_count(topology),
                  .blocks = gfab_schedule_goal(schedule).blocks};
    const bool is_cube = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH;
    if (is_cube)
        whole.count = cube_axes(topology);
    for (size_t axis = 0; axis < gfab_topology_dimensions(topology); axis++)
        whole.count += gfab_topology_side(topology, axis) > 1;
    axes spread = whole;
    list_lines(&whole);
    list_lines(&spread);
    const uint32_t most = (is_cube ? 1 : MAX_BLOCKS) * whole.count, most_spread = spread_places(&spread) * spread.count;
    const bool by_phases = whole.blocks <= most, by_places = whole.blocks > whole.count && whole.blocks <= most_spread;
    if (!by_phases && !by_places)
        return GFAB_REFUSE(diag, "%u blocks; at most %u on these %u axes", whole.blocks,
                           most > most_spread ? most : most_spread, whole.count);
    gfab_status status = by_phases ? make_lines(&whole, (whole.blocks + whole.count - 1) / whole.count) : GFAB_OK;
    if (status == GFAB_OK && by_places)
        status = make_lines(&spread, 1);
    GFAB_THEN(status, by_places && (!by_phases || count_spread(&spread) < count_phases(&whole))
                          ? append_spread(&spread)
                          : append_phases(&whole));
    free_lines(&whole);
    free_lines(&spread);
    return status;
}

GFAB_SOLVE(solve, axes, build)

const gfab_solver gfab_solver_axes = {
    .name = "axes",
    .summary = "all-reduce of a few blocks on meshes, tori and hypercubes: line by line along one axis after another; "
               "on tori of "
               "two axes blocks also flow together first, each at a place of its own",
    .source = "gossipfab, docs/theory/collective-trees.md",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_BARRIER),
    .only = GFAB_ONLY_ALL_PORTS | GFAB_ONLY_STORED,
};
