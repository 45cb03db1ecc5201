/* SPDX-License-Identifier: MIT */
/* All-to-all on m x n tori with m odd and n = 2 h even, h odd. Where every node does the same at the same time a block
 * for half way round goes up for all nodes or down for all, and the two directions of the axis differ by n / 2 steps.
 * Here only nodes that are some rows or half a row apart do the same: of m h blocks for half way round one more goes up
 * than down, and as each takes a step in each of the h classes of columns the directions differ by one step in each.
 * List scheduling, the longest way first, give or take some chance. */
#include "routes.h"

#include "base/ascending.h"
#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>

/* Jobs times rounds, and tries. */
#define MAX_WORK ((uint64_t)1 << 25)
#define TRIES 20u
/* Of a job's worth: a step along the long axis, along the other, chance. */
#define STEP_X 2u
#define STEP_Y 1u
#define CHANCE 3u

/* The blocks for nodes at an offset from the nodes of a class: columns x and x + h, all rows. */
typedef struct job {
    uint32_t start; /* column, below h */
    uint32_t offset[2], steps[2];
    bool down[2];
    uint32_t gone[2], ready; /* steps taken, and the round from which the next may be */
} job;

typedef struct step {
    uint32_t round, job, gone[2], axis;
} step;

typedef struct halves {
    const gfab_topology *topology;
    const gfab_model *model;
    uint32_t side[2], axis[2]; /* the long one's first, and which they are of the topology's */
    uint32_t jobs, machines, target;
    job *job;
    uint64_t *order;
    uint32_t *busy; /* [machines]: the last round of a direction of an axis in a class of columns */
    step *steps;
    size_t count;
    uint64_t random;
    gfab_arena arena;
} halves;
GFAB_HOLDS_ARENA(halves)

/* Jobs with their ways; those of half way round go up and down by turns. */
static uint32_t set_jobs(halves *s)
{
    uint32_t turn = 0, load[2] = {0, 0}, at = 0;
    for (uint32_t start = 0; start < s->side[0] / 2; start++)
        for (uint32_t dx = 0; dx < s->side[0]; dx++)
            for (uint32_t dy = 0; dy < s->side[1]; dy++) {
                job *j = &s->job[at++];
                *j = (job){.start = start, .offset = {dx, dy}};
                for (int k = 0; k < 2; k++) {
                    j->down[k] = 2 * j->offset[k] > s->side[k];
                    j->steps[k] = j->down[k] ? s->side[k] - j->offset[k] : j->offset[k];
                }
                if (2 * dx == s->side[0])
                    j->down[0] = turn++ % 2;
                load[j->down[0]] += j->steps[0];
            }
    const uint32_t most = load[0] > load[1] ? load[0] : load[1];
    return most / (s->side[0] / 2);
}

/* Which machine a job's next step along an axis takes: an axis, a direction, a class of columns. */
static uint32_t machine_of(const halves *s, const job *j, int axis)
{
    const uint32_t h = s->side[0] / 2, gone = j->gone[0];
    uint32_t column = j->start + (j->down[0] ? 2 * h - gone : gone);
    if (axis == 0 && j->down[0])
        column += 2 * h - 1; /* the link's lower end */
    return (uint32_t)(2 * axis + j->down[axis]) * h + column % h;
}

/* A step of a job in a round, if a machine is free for one. */
static void move(halves *s, uint32_t index, uint32_t round)
{
    job *j = &s->job[index];
    const int first = j->gone[0] < j->steps[0] && gfab_random_below(&s->random, 5) > 0 ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        const int axis = i == 0 ? first : 1 - first;
        if (j->gone[axis] == j->steps[axis])
            continue;
        const uint32_t machine = machine_of(s, j, axis);
        if (s->busy[machine] == round)
            continue;
        s->busy[machine] = round;
        s->steps[s->count++] = (step){round, index, {j->gone[0], j->gone[1]}, (uint32_t)axis};
        j->gone[axis]++;
        j->ready = round + s->model->hop_rounds;
        return;
    }
}

/* One schedule; false where it takes more rounds than the target. */
static bool list(halves *s, size_t all)
{
    s->count = 0;
    for (uint32_t m = 0; m < s->machines; m++)
        s->busy[m] = 0;
    for (uint32_t i = 0; i < s->jobs; i++)
        s->job[i].gone[0] = s->job[i].gone[1] = s->job[i].ready = 0;
    for (uint32_t round = 1; round <= s->target && s->count < all; round++) {
        size_t waiting = 0;
        for (uint32_t i = 0; i < s->jobs; i++) {
            const job *j = &s->job[i];
            const uint64_t x = j->steps[0] - j->gone[0], y = j->steps[1] - j->gone[1];
            if (x + y == 0 || j->ready > round)
                continue;
            const uint64_t worth = ((STEP_X * x + STEP_Y * y) << 16) + gfab_random_below(&s->random, CHANCE << 16);
            s->order[waiting++] = worth << 32 | i;
        }
        if (waiting > 0)
            qsort(s->order, waiting, sizeof *s->order, gfab_descending);
        for (size_t i = 0; i < waiting; i++)
            move(s, (uint32_t)s->order[i], round);
    }
    return s->count == all;
}

/* The node so many steps from another along both axes. */
static uint32_t node_at(const halves *s, uint64_t x, uint64_t y)
{
    const uint32_t column = (uint32_t)(x % s->side[0]), row = (uint32_t)(y % s->side[1]);
    return s->axis[0] == 1 ? row * s->side[0] + column : column * s->side[1] + row;
}

/* A step for all nodes of its class. */
static gfab_status append(const halves *s, const step *made, gfab_schedule *schedule)
{
    const job *j = &s->job[made->job];
    const uint32_t nodes = s->side[0] * s->side[1], *side = s->side;
    uint64_t from[2], to[2];
    for (uint32_t k = 0; k < 2; k++) {
        const uint64_t back = 2 * (uint64_t)side[k];
        from[k] = j->down[k] ? back - made->gone[k] : made->gone[k];
        to[k] = from[k] + (k != made->axis ? 0 : j->down[k] ? side[k] - 1 : 1);
    }
    for (uint32_t y = 0; y < side[1]; y++)
        for (uint32_t x = j->start; x < side[0]; x += side[0] / 2) {
            const uint32_t block = node_at(s, x, y) * nodes + node_at(s, x + j->offset[0], y + j->offset[1]);
            gfab_arc arc = 0;
            gfab_topology_find_arc(s->topology, node_at(s, x + from[0], y + from[1]), node_at(s, x + to[0], y + to[1]),
                                   &arc);
            GFAB_TRY(gfab_schedule_append(schedule, made->round, arc, block));
        }
    return GFAB_OK;
}

static gfab_status run(halves *s, const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t tries = options->effort ? options->effort : TRIES;
    size_t all = 0;
    s->target = set_jobs(s);
    for (uint32_t i = 0; i < s->jobs; i++)
        all += s->job[i].steps[0] + s->job[i].steps[1];
    s->steps = gfab_arena_zeroed(&s->arena, all, sizeof *s->steps);
    GFAB_NEED(s->steps);
    bool made = false;
    for (uint32_t i = 0; i < tries && !made; i++) {
        made = list(s, all);
        GFAB_TRY(gfab_solver_report(options, "tries", i, tries));
    }
    if (!made)
        return GFAB_REFUSE(diag, "no schedule of %u rounds was found", s->target);
    for (size_t i = 0; i < s->count; i++)
        GFAB_TRY(append(s, &s->steps[i], schedule));
    return GFAB_OK;
}

gfab_status gfab_routes_halves(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(halves_release) halves s = {.topology = topology, .model = model, .random = options->seed};
    bool fits = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS && gfab_topology_dimensions(topology) == 2 &&
                model->link_mode == GFAB_LINK_FULL;
    for (uint32_t k = 0; k < 2 && fits; k++) {
        s.axis[0] = gfab_topology_side(topology, 1) % 2 == 0;
        s.axis[1] = 1 - s.axis[0];
        s.side[k] = gfab_topology_side(topology, s.axis[k]);
    }
    fits = fits && s.side[0] % 4 == 2 && s.side[0] >= 6 && s.side[1] % 2 == 1 && s.side[1] >= 3;
    s.jobs = s.side[0] / 2 * s.side[0] * s.side[1];
    s.machines = 2 * s.side[0];
    if (!fits || (uint64_t)s.jobs * s.side[0] * s.side[0] * s.side[1] / 8 > MAX_WORK)
        return GFAB_REFUSE(diag, "no torus of an odd and an even side that is short enough");
    GFAB_ARRAYS(&s.arena, s.jobs, s.job, s.order);
    s.busy = gfab_arena_zeroed(&s.arena, s.machines, sizeof *s.busy);
    GFAB_NEED(!s.arena.failed);
    return run(&s, options, schedule, diag);
}
