/* SPDX-License-Identifier: MIT */
/* All-to-all on tori: the block for the node at some offset takes the same way from every node at the same time, so
 * that only one node's blocks are to be scheduled. In a round all nodes together use a direction of an axis for one
 * offset at most. Every order of the steps of a shortest path is a shortest path; so this is an open shop of unit
 * operations: offsets are jobs, directions are machines. Its shortest schedule has as many rounds as the busiest
 * machine or the longest job has steps (Gonzalez & Sahni, Open shop scheduling to minimize finish time, 1976); list
 * scheduling with the longest jobs first, and some chance, finds it. */
#include "routes.h"

#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_AXES 14u /* of a hypercube of GFAB_SOLVER_MAX_NODES; a torus has fewer */
#define MAX_MACHINES (2 * MAX_AXES)
/* Work at schedules, in jobs that are looked at, unless the caller says how many tries. */
#define WORK ((uint64_t)1 << 24)

typedef struct shop {
    const gfab_topology *topology;
    gfab_schedule *schedule;
    uint32_t jobs; /* the offsets; 0 has no step */
    size_t axes;   /* sides of 1 left out */
    uint32_t side[MAX_AXES], stride[MAX_AXES];
    bool halves;       /* half duplex with a side of 2: a round of the shop is two rounds, one for each direction */
    uint32_t hop;      /* rounds of the shop from a job's step to its next, at least */
    uint32_t machines; /* an axis, or one of its directions */
    uint32_t axis_of[MAX_MACHINES], load[MAX_MACHINES];
    uint32_t *steps;           /* [jobs][machines]: how many a job has there */
    bool *down;                /* [jobs][axes]: they go against the axis */
    uint32_t *length;          /* [jobs]: steps in all */
    uint32_t bound, most;      /* no schedule has fewer rounds, none of ours more */
    uint32_t rounds;           /* of the best, UINT32_MAX before there is one */
    uint32_t *best, *at;       /* [rounds][machines]: the job there; the best, and the one that is tried */
    uint32_t *left, *earliest; /* [jobs]: steps to do, and the round from which the next may be */
    uint32_t *to_do;           /* [jobs][machines]: of steps, those to do */
    gfab_arena arena;
} shop;
GFAB_HOLDS_ARENA(shop)

/* An offset's steps along an axis, in the shorter direction; of half a side they are the same in both. */
static uint32_t distance(const shop *s, size_t axis, uint32_t offset, bool *down)
{
    const uint32_t side = s->side[axis], up = offset / s->stride[axis] % side;
    *down = up > side - up;
    return *down ? side - up : up;
}

/* Are two nodes linked if and only if their numbers differ in one bit? */
static bool is_hypercube(const gfab_topology *topology)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    uint32_t bits = 0;
    gfab_arc arc;
    for (; (uint32_t)1 << bits < nodes; bits++)
        for (uint32_t v = 0; v < nodes; v++)
            if ((v ^ (uint32_t)1 << bits) >= nodes ||
                !gfab_topology_find_arc(topology, v, v ^ (uint32_t)1 << bits, &arc))
                return false;
    return 2 * gfab_topology_link_count(topology) == (size_t)nodes * bits;
}

static void add_axis(shop *s, uint32_t side)
{
    if (side > 1) {
        s->side[s->axes] = side;
        s->stride[s->axes++] = s->jobs;
    }
    s->jobs *= side;
}

/* Sides of 2 make a torus of a mesh or a hypercube. */
static gfab_status measure(shop *s, const gfab_model *model, gfab_diag *diag)
{
    const gfab_topology *topology = s->topology;
    const gfab_topology_kind kind = gfab_topology_get_kind(topology);
    bool has_two = false, has_ends = kind == GFAB_TOPOLOGY_GRAPH && !is_hypercube(topology);
    s->jobs = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;)
        add_axis(s, gfab_topology_side(topology, i));
    while (!has_ends && s->jobs < gfab_topology_node_count(topology))
        add_axis(s, 2);
    for (size_t i = 0; i < s->axes; i++) {
        has_two = has_two || s->side[i] == 2;
        has_ends = has_ends || (s->side[i] > 2 && kind != GFAB_TOPOLOGY_TORUS);
    }
    if (has_ends)
        return GFAB_REFUSE(diag, "neither torus nor hypercube");
    s->halves = model->link_mode == GFAB_LINK_HALF && has_two;
    s->hop = s->halves ? model->hop_rounds / 2 + 1 : model->hop_rounds;
    return GFAB_OK;
}

/* One machine for each direction of each axis; one for both where they are the same arcs, on a side of 2, or where
 * half-duplex links let only one of them go. */
static void set_machines(shop *s, const gfab_model *model, uint32_t first[MAX_AXES])
{
    for (uint32_t axis = 0; axis < s->axes; axis++) {
        first[axis] = s->machines;
        s->axis_of[s->machines++] = axis;
        if (s->side[axis] > 2 && (model->link_mode == GFAB_LINK_FULL || s->halves))
            s->axis_of[s->machines++] = axis;
    }
}

/* Offsets of half a side go up and down in turn. */
static gfab_status set_jobs(shop *s, const gfab_model *model)
{
    uint32_t first[MAX_AXES], turn[MAX_AXES] = {0}, longest = 0, busiest = 0;
    set_machines(s, model, first);
    s->steps = gfab_arena_zeroed2(&s->arena, s->jobs, s->machines, sizeof *s->steps);
    s->to_do = gfab_arena_zeroed2(&s->arena, s->jobs, s->machines, sizeof *s->to_do);
    s->down = gfab_arena_zeroed2(&s->arena, s->jobs, s->axes, sizeof *s->down);
    GFAB_ARRAYS(&s->arena, s->jobs, s->length, s->left, s->earliest);
    GFAB_NEED(!s->arena.failed);
    for (uint32_t job = 0; job < s->jobs; job++) {
        for (size_t axis = 0; axis < s->axes; axis++) {
            bool *down = &s->down[job * s->axes + axis];
            const uint32_t steps = distance(s, axis, job, down);
            if (2 * steps == s->side[axis])
                *down = turn[axis]++ % 2;
            const bool second = *down && first[axis] + 1 < s->machines && s->axis_of[first[axis] + 1] == axis;
            s->steps[job * s->machines + first[axis] + second] = steps;
            s->load[first[axis] + second] += steps;
            s->length[job] += steps;
        }
        longest = s->length[job] > longest ? s->length[job] : longest;
    }
    for (uint32_t m = 0; m < s->machines; m++)
        busiest = s->load[m] > busiest ? s->load[m] : busiest;
    /* A machine idles in a round only while the job that it does last is at work elsewhere, or rests after that. */
    const uint64_t most = busiest + (uint64_t)longest * s->hop;
    if (most > GFAB_MAX_ROUNDS / 2)
        return GFAB_ERR_LIMIT;
    const uint32_t path = (longest - 1) * s->hop + 1;
    s->bound = path > busiest ? path : busiest;
    s->most = (uint32_t)most;
    s->rounds = UINT32_MAX;
    s->at = gfab_arena_zeroed2(&s->arena, most, s->machines, sizeof *s->at);
    s->best = gfab_arena_zeroed2(&s->arena, most, s->machines, sizeof *s->best);
    return s->at && s->best ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* Of the jobs that may take a step on a machine, one that takes longest to end if it never waits any more, give or take
 * one step and a half; NONE if there is none. */
static uint32_t choose(const shop *s, uint32_t machine, uint32_t round, uint64_t *random)
{
    uint32_t chosen = NONE;
    uint64_t longest = 0;
    for (uint32_t job = 1; job < s->jobs; job++) {
        if (s->earliest[job] > round || !s->to_do[job * s->machines + machine])
            continue;
        const uint64_t key = ((uint64_t)s->left[job] << 17) + gfab_random_below(random, 3u << 16);
        if (chosen != NONE && key <= longest)
            continue;
        chosen = job;
        longest = key;
    }
    return chosen;
}

/* The machines, busiest first. */
static void sort_machines(const shop *s, const uint32_t *load, uint32_t *order)
{
    for (uint32_t m = 0; m < s->machines; m++) {
        uint32_t i = m;
        for (; i && load[order[i - 1]] < load[m]; i--)
            order[i] = order[i - 1];
        order[i] = m;
    }
}

/* One schedule, into at; its rounds, or UINT32_MAX if they are no fewer than the best's. */
static uint32_t list(shop *s, uint64_t *random)
{
    uint32_t load[MAX_MACHINES], order[MAX_MACHINES], round = 0;
    uint64_t steps = 0;
    memcpy(load, s->load, sizeof load);
    memcpy(s->to_do, s->steps, (size_t)s->jobs * s->machines * sizeof *s->to_do);
    for (uint32_t job = 0; job < s->jobs; job++) {
        s->left[job] = s->length[job];
        s->earliest[job] = 0;
        steps += s->length[job];
    }
    for (; steps && round + 1 < s->rounds; round++) {
        sort_machines(s, load, order);
        for (uint32_t i = 0; i < s->machines; i++) {
            const uint32_t m = order[i], job = load[m] ? choose(s, m, round, random) : NONE;
            s->at[(size_t)round * s->machines + m] = job;
            if (job == NONE)
                continue;
            s->to_do[job * s->machines + m]--;
            s->left[job]--;
            s->earliest[job] = round + s->hop;
            load[m]--;
            steps--;
        }
    }
    return steps ? UINT32_MAX : round;
}

static gfab_status list_best(shop *s, const gfab_solver_options *options)
{
    uint64_t random = options->seed;
    const uint64_t each = (uint64_t)s->bound * s->machines * s->jobs;
    const uint64_t tries = options->effort ? options->effort : WORK / each + 1;
    for (uint64_t i = 0; i < tries && s->rounds > s->bound; i++) {
        const uint32_t rounds = list(s, &random);
        if (rounds < s->rounds) {
            s->rounds = rounds;
            memcpy(s->best, s->at, (size_t)rounds * s->machines * sizeof *s->best);
        }
        GFAB_TRY(gfab_solver_report(options, "tries", i, tries));
    }
    return GFAB_OK;
}

/* The node at an offset from another. */
static uint32_t add(const shop *s, uint32_t node, uint32_t offset)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < s->axes; i++) {
        const uint32_t side = s->side[i], stride = s->stride[i];
        sum += (node / stride + offset / stride) % side * stride;
    }
    return sum;
}

/* A job's step from where it is, for all nodes; with halves only those of one direction of the links. */
static gfab_status append_step(const shop *s, uint32_t job, uint32_t from, uint32_t to, uint32_t round, int direction)
{
    for (uint32_t node = 0; node < s->jobs; node++) {
        gfab_arc arc = 0;
        gfab_topology_find_arc(s->topology, add(s, node, from), add(s, node, to), &arc);
        if (direction < 0 || arc % 2 == (gfab_arc)direction)
            GFAB_TRY(gfab_schedule_append(s->schedule, round, arc, node * s->jobs + add(s, node, job)));
    }
    return GFAB_OK;
}

/* Where a job is after a step on a machine, from where it was. */
static uint32_t follow(const shop *s, uint32_t job, uint32_t machine, uint32_t from)
{
    const uint32_t axis = s->axis_of[machine], stride = s->stride[axis];
    return add(s, from, s->down[job * s->axes + axis] ? (s->side[axis] - 1) * stride : stride);
}

/* One round of the shop. offset[job] is how far its blocks are from where they started. */
static gfab_status append_round(const shop *s, uint32_t round, uint32_t *offset)
{
    const uint32_t *jobs = s->best + (size_t)round * s->machines;
    const int last = s->halves ? 1 : 0;
    for (int half = 0; half <= last; half++)
        for (uint32_t m = 0; m < s->machines; m++) {
            const uint32_t job = jobs[m];
            if (job == NONE)
                continue;
            const uint32_t to = follow(s, job, m, offset[job]);
            const uint32_t number = s->halves ? 2 * round + 1 + (uint32_t)half : round + 1;
            GFAB_TRY(append_step(s, job, offset[job], to, number, s->halves ? half : -1));
            if (half == last)
                offset[job] = to;
        }
    return GFAB_OK;
}

static gfab_status append_all(const shop *s, const gfab_solver_options *options)
{
    GFAB_FREED uint32_t *offset = calloc(s->jobs, sizeof *offset);
    GFAB_NEED(offset);
    for (uint32_t round = 0; round < s->rounds; round++) {
        GFAB_TRY(append_round(s, round, offset));
        GFAB_TRY(gfab_solver_report(options, "rounds", round, s->rounds));
    }
    return GFAB_OK;
}

gfab_status gfab_routes_torus(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(shop_release) shop s = {.topology = topology, .schedule = schedule};
    GFAB_TRY(measure(&s, model, diag));
    GFAB_TRY(set_jobs(&s, model));
    GFAB_TRY(list_best(&s, options));
    return append_all(&s, options);
}
