/* SPDX-License-Identifier: MIT */
/* All-to-all on tori: the block for the node at some offset takes the same way from every node at the same time, so that
 * only one node's blocks are to be scheduled. In a round all nodes together use a direction of an axis for one offset at
 * most. Every order of the steps of a shortest path is a shortest path; so this is an open shop of unit operations:
 * offsets are jobs, directions are machines, and an edge colouring of the bipartite graph between them is a shortest
 * schedule (Konig 1916; Gonzalez & Sahni, Open shop scheduling to minimize finish time, 1976). */
#include "routes.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_MACHINES (2 * GFAB_MAX_DIMENSIONS)

/* A step of an offset's way. */
typedef struct step {
    uint32_t machine, round; /* round from 0: a colour */
    uint32_t axis;
    bool down; /* against the axis */
} step;

typedef struct shop {
    const gfab_topology *topology;
    uint32_t jobs; /* the offsets; 0 has no step */
    size_t axes;   /* sides of 1 left out */
    uint32_t side[GFAB_MAX_DIMENSIONS], stride[GFAB_MAX_DIMENSIONS];
    bool halves;       /* half duplex with a side of 2: a round of the shop is two rounds, one for each direction */
    uint32_t hop;      /* rounds of the shop from a job's step to its next, at least */
    uint32_t machines; /* an axis, or one of its directions */
    uint32_t rounds;
    size_t *start; /* [jobs + 1]: where its steps start */
    step *steps;
    uint32_t *at[MAX_MACHINES]; /* [rounds]: the job there */
    uint32_t *order;            /* [rounds]: which colour a round has; NONE: an idle round */
} shop;

/* The coordinate's offset, as steps in the shorter direction; of half a side they are the same in both. */
static uint32_t length(const shop *s, size_t axis, uint32_t offset, bool *down)
{
    const uint32_t side = s->side[axis], up = offset / s->stride[axis] % side;
    *down = up > side - up;
    return *down ? side - up : up;
}

static gfab_status measure(shop *s, const gfab_model *model, gfab_diag *diag)
{
    const gfab_topology *topology = s->topology;
    const bool torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    bool has_two = false, has_ends = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH;
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, i);
        if (side > 1) {
            s->side[s->axes] = side;
            s->stride[s->axes++] = stride;
        }
        has_two = has_two || side == 2;
        has_ends = has_ends || (side > 2 && !torus);
        stride *= side;
    }
    if (has_ends)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "no torus");
    s->halves = model->link_mode == GFAB_LINK_HALF && has_two;
    s->hop = s->halves ? model->hop_rounds / 2 + 1 : model->hop_rounds;
    s->jobs = stride;
    return GFAB_OK;
}

/* The number of a direction's machine. In half-duplex links both directions share one; both of a side of 2 are the same
 * arcs. */
static uint32_t machine_of(const uint32_t first[], const shop *s, const gfab_model *model, size_t axis, bool down)
{
    const bool shared = s->side[axis] == 2 || (model->link_mode == GFAB_LINK_HALF && !s->halves);
    return first[axis] + (down && !shared);
}

/* Steps without rounds, and the rounds of the shop: its longest job, or its busiest machine. Offsets of half a side go
 * up and down in turn. */
static gfab_status set_steps(shop *s, const gfab_model *model)
{
    uint32_t first[GFAB_MAX_DIMENSIONS], load[MAX_MACHINES] = {0}, turn[GFAB_MAX_DIMENSIONS] = {0};
    bool down;
    size_t count = 0;
    for (size_t axis = 0; axis < s->axes; axis++) {
        first[axis] = s->machines;
        s->machines = machine_of(first, s, model, axis, true) + 1;
    }
    s->start = calloc((size_t)s->jobs + 1, sizeof *s->start);
    if (!s->start)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t job = 0; job < s->jobs; job++) {
        for (size_t axis = 0; axis < s->axes; axis++)
            count += length(s, axis, job, &down);
        s->start[job + 1] = count;
        if (count - s->start[job] > s->rounds)
            s->rounds = (uint32_t)(count - s->start[job]);
    }
    if (!(s->steps = malloc((count + 1) * sizeof *s->steps)))
        return GFAB_ERR_NO_MEMORY;
    count = 0;
    for (uint32_t job = 0; job < s->jobs; job++)
        for (size_t axis = 0; axis < s->axes; axis++) {
            const uint32_t steps = length(s, axis, job, &down);
            if (2 * steps == s->side[axis])
                down = turn[axis]++ % 2;
            const uint32_t machine = machine_of(first, s, model, axis, down);
            load[machine] += steps;
            for (uint32_t i = 0; i < steps; i++)
                s->steps[count++] = (step){machine, NONE, (uint32_t)axis, down};
        }
    for (uint32_t m = 0; m < s->machines; m++)
        s->rounds = load[m] > s->rounds ? load[m] : s->rounds;
    return GFAB_OK;
}

static step *step_in(const shop *s, uint32_t job, uint32_t round)
{
    for (size_t i = s->start[job]; i < s->start[job + 1]; i++)
        if (s->steps[i].round == round)
            return &s->steps[i];
    return NULL;
}

/* The machine's step in round b moves to a, where the machine is free; a step that the same job had in a moves to b; and
 * so on along the path of steps that alternate between the two. */
static void exchange(shop *s, uint32_t machine, uint32_t a, uint32_t b)
{
    uint32_t job = s->at[machine][b];
    s->at[machine][b] = NONE;
    while (job != NONE) {
        step *moved = step_in(s, job, b), *other = step_in(s, job, a);
        moved->round = a;
        s->at[machine][a] = job;
        if (!other)
            return;
        other->round = b;
        machine = other->machine;
        const uint32_t next = s->at[machine][b];
        s->at[machine][a] = NONE;
        s->at[machine][b] = job;
        job = next;
    }
}

/* Gives each step a round: one that is free for both its job and its machine, or else one that is free for the job and
 * is made free for the machine. The path of that exchange does not come to the job: it comes to jobs by steps in b. */
static gfab_status colour(shop *s, const gfab_solver_options *options)
{
    for (uint32_t m = 0; m < s->machines; m++) {
        if (!(s->at[m] = malloc(s->rounds * sizeof *s->at[m])))
            return GFAB_ERR_NO_MEMORY;
        memset(s->at[m], 0xff, s->rounds * sizeof *s->at[m]);
    }
    for (uint32_t job = 0; job < s->jobs; job++) {
        const gfab_status status = gfab_solver_report(options, "offsets", job, s->jobs);
        if (status != GFAB_OK)
            return status;
        for (size_t i = s->start[job]; i < s->start[job + 1]; i++) {
            const uint32_t machine = s->steps[i].machine;
            uint32_t a = 0, b = 0;
            while (s->at[machine][a] != NONE)
                a++;
            while (step_in(s, job, b))
                b++;
            if (!step_in(s, job, a))
                b = a;
            else if (s->at[machine][b] != NONE)
                exchange(s, machine, a, b);
            s->at[machine][b] = job;
            s->steps[i].round = b;
        }
    }
    return GFAB_OK;
}

/* Can this colour's jobs all go on in a round? Then what is left for them to do, in squares: long jobs are in a hurry. */
static bool is_ready(const shop *s, uint32_t colour, uint32_t round, const uint32_t *earliest, const uint32_t *left,
                     uint64_t *hurry)
{
    *hurry = 0;
    for (uint32_t m = 0; m < s->machines; m++) {
        const uint32_t job = s->at[m][colour];
        if (job == NONE)
            continue;
        if (earliest[job] > round)
            return false;
        *hurry += (uint64_t)left[job] * left[job];
    }
    return true;
}

/* Colours may come in any order: one in which a job rests between its steps as long as a hop takes. In each round the
 * colour in the greatest hurry of those that are ready; round by round into order, the rounds that it takes returned. */
static uint32_t arrange(const shop *s, uint32_t *order, uint32_t most, uint32_t *work, uint64_t *random)
{
    uint32_t *earliest = work, *left = work + s->jobs, *colours = work + 2 * (size_t)s->jobs;
    uint32_t round = 0;
    for (uint32_t job = 0; job < s->jobs; job++) {
        earliest[job] = 0;
        left[job] = (uint32_t)(s->start[job + 1] - s->start[job]);
    }
    for (uint32_t c = 0; c < s->rounds; c++)
        colours[c] = c;
    for (uint32_t count = s->rounds; count && round < most; round++) {
        uint64_t best = 0, hurry;
        uint32_t chosen = NONE, ties = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (!is_ready(s, colours[i], round, earliest, left, &hurry) || (chosen != NONE && hurry < best))
                continue;
            ties = chosen != NONE && hurry == best ? ties + 1 : 1;
            if (ties == 1 || gfab_random_below(random, ties) == 0)
                chosen = i;
            best = hurry;
        }
        order[round] = chosen == NONE ? NONE : colours[chosen];
        if (chosen == NONE)
            continue;
        for (uint32_t m = 0; m < s->machines; m++)
            if (s->at[m][order[round]] != NONE) {
                earliest[s->at[m][order[round]]] = round + s->hop;
                left[s->at[m][order[round]]]--;
            }
        colours[chosen] = colours[--count];
        if (!count)
            return round + 1;
    }
    return most + 1;
}

/* Tries at an order: so many colours are looked at, about, unless the caller says how many tries. */
#define ARRANGE_WORK ((uint64_t)1 << 22)

/* The shortest of some orders of the colours; s->rounds becomes the rounds that it takes, idle ones included. */
static gfab_status arrange_best(shop *s, const gfab_solver_options *options)
{
    const uint64_t colours = s->rounds, most = colours * s->hop;
    uint64_t random = options->seed;
    uint64_t tries = options->effort ? options->effort : ARRANGE_WORK / (colours * colours) + 1;
    if (most > GFAB_MAX_ROUNDS / 2)
        return GFAB_ERR_LIMIT;
    uint32_t *work = malloc((2 * (size_t)s->jobs + colours) * sizeof *work);
    uint32_t *order = malloc(most * sizeof *order);
    s->order = malloc(most * sizeof *s->order);
    gfab_status status = work && order && s->order ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    uint32_t best = (uint32_t)most + 1;
    for (uint64_t i = 0; i < tries && best > colours && status == GFAB_OK; i++) {
        const uint32_t rounds = arrange(s, order, best - 1, work, &random);
        if (rounds < best) {
            best = rounds;
            memcpy(s->order, order, rounds * sizeof *order);
        }
        status = gfab_solver_report(options, "orders", i, tries);
    }
    free(work);
    free(order);
    s->rounds = best;
    return status;
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
static gfab_status append_step(const shop *s, uint32_t job, uint32_t from, uint32_t to, uint32_t round, int direction,
                               gfab_schedule *schedule)
{
    gfab_status status = GFAB_OK;
    for (uint32_t node = 0; node < s->jobs && status == GFAB_OK; node++) {
        gfab_arc arc = 0;
        gfab_topology_find_arc(s->topology, add(s, node, from), add(s, node, to), &arc);
        if (direction < 0 || arc % 2 == (gfab_arc)direction)
            status = gfab_schedule_append(schedule, round, arc, node * s->jobs + add(s, node, job));
    }
    return status;
}

/* Where a job is after the step that it has in a colour, from where it was. */
static uint32_t follow(const shop *s, uint32_t job, uint32_t colour, uint32_t from)
{
    const step *taken = step_in(s, job, colour);
    const uint32_t stride = s->stride[taken->axis], side = s->side[taken->axis];
    return add(s, from, taken->down ? (side - 1) * stride : stride);
}

static gfab_status emit(const shop *s, const gfab_solver_options *options, gfab_schedule *schedule)
{
    uint32_t *offset = calloc(s->jobs, sizeof *offset); /* how far a job's blocks are from where they started */
    gfab_status status = offset ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 0; round < s->rounds && status == GFAB_OK; round++) {
        const uint32_t colour = s->order[round];
        status = gfab_solver_report(options, "rounds", round, s->rounds);
        for (int half = 0; half <= (s->halves ? 1 : 0); half++)
            for (uint32_t m = 0; m < s->machines && colour != NONE && status == GFAB_OK; m++) {
                const uint32_t job = s->at[m][colour];
                if (job == NONE)
                    continue;
                const uint32_t to = follow(s, job, colour, offset[job]);
                status = append_step(s, job, offset[job], to, s->halves ? 2 * round + 1 + (uint32_t)half : round + 1,
                                     s->halves ? half : -1, schedule);
                if (half == (s->halves ? 1 : 0))
                    offset[job] = to;
            }
    }
    free(offset);
    return status;
}

gfab_status gfab_routes_torus(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    shop s = {.topology = topology};
    gfab_status status = measure(&s, model, diag);
    if (status != GFAB_OK)
        return status;
    if ((status = set_steps(&s, model)) == GFAB_OK)
        status = colour(&s, options);
    if (status == GFAB_OK)
        status = arrange_best(&s, options);
    if (status == GFAB_OK)
        status = emit(&s, options, schedule);
    free(s.start);
    free(s.steps);
    free(s.order);
    for (uint32_t m = 0; m < s.machines; m++)
        free(s.at[m]);
    return status;
}
