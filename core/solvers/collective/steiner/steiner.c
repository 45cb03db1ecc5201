/* SPDX-License-Identifier: MIT */
/* Any collective on any graph, with relays, weighted and directed links: a Steiner tree or two for each block, and
 * round by round the messages that have the longest way to go before them. Several tries with other trees; the shortest
 * is kept. */
#include "steiner_plan.h"

#include "base/ascending.h"
#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/bound.h>

#include <stdlib.h>
#include <string.h>

#define MAX_HOLDINGS ((uint64_t)1 << 26) /* blocks times nodes */
#define WORK ((uint64_t)1 << 23)         /* of all tries, in messages looked at; a try at least */
#define WORK_A_MS ((uint64_t)1 << 15)
#define MAX_TRIES 500u
#define LOAD_WORK ((uint64_t)1 << 28) /* blocks times nodes^2, up to which trees go by load */
#define LOAD_PART 16u                 /* a message looked at is so much of that */
#define MAX_HURRY_BITS 12u

typedef struct job {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    gfab_steiner_builder builder;
    gfab_steiner_plan plan, best;
    uint64_t random;
    uint64_t work;
    uint32_t *round, *best_round; /* [moves]: in which it goes */
    bool *stored, *best_stored;   /* [moves]: on the way up, but first at a relay */
    size_t room;                  /* moves that the arrays have room for */
    uint32_t rounds;              /* of the best; 0: none yet */
    /* A try's: */
    uint64_t *key;    /* [moves]: tail, then at random */
    uint32_t *queue;  /* moves by the round from which they may go */
    uint32_t *active; /* moves that may go, the highest key first */
    uint32_t *merged;
    size_t queued, taken, active_count;
    uint32_t *arc_round, *arc_uses;   /* [arcs] */
    uint32_t *node_round, *node_link; /* [nodes]: one port: which link the node uses in which round */
    gfab_arena arena;
} job;

static uint32_t uses_of(const job *j, gfab_arc arc, uint32_t round)
{
    return j->arc_round[arc] == round ? j->arc_uses[arc] : 0;
}

static uint32_t packets(const job *j, uint32_t tokens)
{
    return tokens / j->model->packet_tokens + (tokens % j->model->packet_tokens != 0);
}

/* Is there room on its link and the ports of its ends, and may it come to its node now? */
static bool fits(const job *j, const gfab_steiner_move *m, uint32_t round)
{
    const bool half = j->model->link_mode == GFAB_LINK_HALF;
    const uint32_t there = packets(j, uses_of(j, m->arc, round) + 1);
    const gfab_steiner_gate *gate = &j->plan.gates[m->into];
    if (there > gfab_topology_arc_weight(j->topology, m->arc))
        return false;
    if (half && there + packets(j, uses_of(j, m->arc ^ 1, round)) > gfab_topology_weight(j->topology, m->arc / 2))
        return false;
    if (gate->stores_first && gate->seen == round)
        return false;
    if (j->model->port_mode == GFAB_PORT_ALL)
        return true;
    const uint32_t ends[2] = {gfab_topology_arc_from(j->topology, m->arc), gfab_topology_arc_to(j->topology, m->arc)};
    for (int i = 0; i < 2; i++)
        if (j->node_round[ends[i]] == round && j->node_link[ends[i]] != m->arc / 2)
            return false;
    return true;
}

static void send(job *j, uint32_t move, uint32_t round)
{
    const gfab_steiner_move *m = &j->plan.moves[move];
    gfab_steiner_gate *gate = &j->plan.gates[m->into];
    j->arc_uses[m->arc] = uses_of(j, m->arc, round) + 1;
    j->arc_round[m->arc] = round;
    const uint32_t ends[2] = {gfab_topology_arc_from(j->topology, m->arc), gfab_topology_arc_to(j->topology, m->arc)};
    for (int i = 0; i < 2; i++) {
        j->node_round[ends[i]] = round;
        j->node_link[ends[i]] = m->arc / 2;
    }
    j->round[move] = round;
    j->stored[move] = gate->stores_first && gate->seen == 0;
    if (gate->seen == 0)
        gate->seen = round;
    if (--gate->pending == 0)
        for (uint32_t i = 0; i < gate->count; i++) {
            j->queue[j->queued++] = gate->first + i;
            j->round[gate->first + i] = round + j->model->hop_rounds; /* until it goes: from when on it may */
        }
}

/* Those that may go from this round on join the active ones. The keys end in the moves' numbers. */
static void take_in(job *j, uint32_t round)
{
    const size_t first = j->taken;
    while (j->taken < j->queued && j->round[j->queue[j->taken]] <= round)
        j->taken++;
    const size_t count = j->taken - first;
    for (size_t i = 0; i < count; i++) {
        const uint32_t move = j->queue[first + i];
        const uint64_t tail = j->plan.moves[move].tail < 0xffff ? j->plan.moves[move].tail : 0xffff;
        j->key[i] = tail << 48 | (uint64_t)gfab_random_below(&j->random, 1 << 16) << 32 | move;
    }
    qsort(j->key, count, sizeof *j->key, gfab_descending);
    size_t a = 0, n = 0, at = 0;
    while (a < j->active_count || n < count) {
        const bool old = n == count || (a < j->active_count &&
                                        j->plan.moves[j->active[a]].tail >= j->plan.moves[(uint32_t)j->key[n]].tail);
        j->merged[at++] = old ? j->active[a++] : (uint32_t)j->key[n++];
    }
    uint32_t *swap = j->active;
    j->active = j->merged;
    j->merged = swap;
    j->active_count = at;
}

/* Sends all messages of the plan. *rounds: 0 where it takes as many as the best or more. */
static gfab_status run(job *j, uint32_t *rounds)
{
    const uint32_t limit = j->rounds ? j->rounds - 1 : GFAB_MAX_ROUNDS;
    size_t left = j->plan.move_count;
    j->queued = j->taken = j->active_count = 0;
    memset(j->arc_round, 0, 2 * gfab_topology_link_count(j->topology) * sizeof *j->arc_round);
    memset(j->node_round, 0, j->builder.nodes * sizeof *j->node_round);
    for (size_t g = 0; g < j->plan.gate_count; g++)
        for (uint32_t i = 0; j->plan.gates[g].pending == 0 && i < j->plan.gates[g].count; i++) {
            j->queue[j->queued++] = j->plan.gates[g].first + i;
            j->round[j->plan.gates[g].first + i] = 1;
        }
    *rounds = 0;
    for (uint32_t round = 1; left && round <= limit; round++) {
        size_t kept = 0;
        take_in(j, round);
        for (size_t i = 0; i < j->active_count; i++) {
            const uint32_t move = j->active[i];
            if (!fits(j, &j->plan.moves[move], round)) {
                j->active[kept++] = move;
                continue;
            }
            send(j, move, round);
            left--;
        }
        j->work += j->active_count + 1;
        j->active_count = kept;
        GFAB_TRY(gfab_solver_report(j->options, "messages", j->plan.move_count - left, j->plan.move_count));
        if (left == 0)
            *rounds = round;
    }
    return GFAB_OK;
}

static gfab_status make_room(job *j)
{
    const size_t moves = j->plan.move_count;
    if (moves <= j->room)
        return GFAB_OK;
    uint32_t **numbers[] = {&j->round, &j->best_round, &j->queue, &j->active, &j->merged};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint32_t *grown = realloc(*numbers[i], moves * sizeof *grown);
        if (!grown)
            return GFAB_ERR_NO_MEMORY;
        *numbers[i] = grown;
    }
    bool *stored = realloc(j->stored, moves * sizeof *stored);
    j->stored = stored ? stored : j->stored;
    bool *best = stored ? realloc(j->best_stored, moves * sizeof *best) : NULL;
    j->best_stored = best ? best : j->best_stored;
    uint64_t *key = best ? realloc(j->key, moves * sizeof *key) : NULL;
    j->key = key ? key : j->key;
    j->room = key ? moves : j->room;
    return key ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static void keep(job *j, uint32_t rounds)
{
    const gfab_steiner_plan plan = j->best;
    uint32_t *round = j->best_round;
    bool *stored = j->best_stored;
    j->rounds = rounds;
    j->best = j->plan;
    j->best_round = j->round;
    j->best_stored = j->stored;
    j->plan = plan;
    j->round = round;
    j->stored = stored;
}

/* Of a try: trees by load in turn with those of shortest ways where links differ in what they carry. */
static gfab_steiner_style style_of(const job *j, uint32_t index)
{
    const uint64_t nodes = j->builder.nodes, cells = j->builder.goal.blocks * nodes * nodes;
    const bool uneven = gfab_topology_marks(j->topology) & (GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED);
    const uint32_t turn = uneven ? index / 2 : index;
    return (gfab_steiner_style){.by_load = uneven && index % 2 == 1 && cells <= LOAD_WORK,
                                .spread = turn % 2 == 0,
                                .both_ways = j->model->link_mode == GFAB_LINK_HALF,
                                .slack = turn / 2 % 3,
                                .hurry = 1u << turn % (MAX_HURRY_BITS + 1)};
}

/* Until a try meets the bound, or enough have been made. */
static gfab_status search(job *j)
{
    const uint32_t tries = j->options->effort ? j->options->effort : MAX_TRIES;
    const gfab_goal goal = j->builder.goal;
    const uint64_t most = j->options->most_ms * WORK_A_MS, work = most && most < WORK ? most : WORK;
    gfab_bound least;
    GFAB_TRY(gfab_bound_goal_best(j->topology, j->model, &goal, j->options->progress, &least));
    for (uint32_t i = 0; i < tries && (i == 0 || j->rounds > least.rounds); i++) {
        uint32_t rounds = 0;
        if (i > 0 && !j->options->effort && j->work > work)
            break;
        const gfab_steiner_style style = style_of(j, i);
        if (style.by_load)
            j->work += (uint64_t)goal.blocks * j->builder.nodes * j->builder.nodes / LOAD_PART;
        GFAB_TRY(gfab_steiner_make(&j->builder, &style, &j->plan));
        GFAB_TRY(make_room(j));
        GFAB_TRY(run(j, &rounds));
        if (rounds)
            keep(j, rounds);
    }
    return GFAB_OK;
}

/* ---- the schedule ---- */

/* The best plan's messages by round, then by arc: each key has a move's number at its end. */
static gfab_status sort_messages(job *j, uint64_t *sorted)
{
    const gfab_steiner_plan *plan = &j->best;
    size_t *start = gfab_arena_zeroed(&j->arena, (size_t)j->rounds + 2, sizeof *start);
    if (!start)
        return GFAB_ERR_NO_MEMORY;
    for (size_t m = 0; m < plan->move_count; m++)
        start[j->best_round[m] + 1]++;
    for (uint32_t r = 1; r <= j->rounds + 1; r++)
        start[r] += start[r - 1];
    for (size_t m = 0; m < plan->move_count; m++)
        sorted[start[j->best_round[m]]++] = ~((uint64_t)plan->moves[m].arc << 32 | m);
    for (uint32_t r = 1; r <= j->rounds; r++) /* start[r] is now where round r ends */
        qsort(sorted + start[r - 1], start[r] - start[r - 1], sizeof *sorted, gfab_descending);
    return GFAB_OK;
}

static gfab_status emit(job *j, gfab_schedule *schedule)
{
    const size_t count = j->best.move_count, most = j->model->packet_tokens;
    uint64_t *sorted = gfab_arena_zeroed(&j->arena, count + 1, sizeof *sorted);
    uint32_t *tokens = gfab_arena_zeroed(&j->arena, count < most ? count : most, sizeof *tokens);
    if (j->arena.failed)
        return GFAB_ERR_NO_MEMORY;
    GFAB_TRY(sort_messages(j, sorted));
    for (size_t i = 0, taken; i < count; i += taken) {
        const gfab_steiner_move *first = &j->best.moves[(uint32_t)~sorted[i]];
        const uint32_t round = j->best_round[(uint32_t)~sorted[i]];
        for (taken = 0; taken < most && i + taken < count; taken++) {
            const uint32_t move = (uint32_t)~sorted[i + taken];
            const gfab_steiner_move *m = &j->best.moves[move];
            if (m->arc != first->arc || j->best_round[move] != round)
                break;
            tokens[taken] = m->block | (m->combine && !j->best_stored[move] ? GFAB_COMBINE : 0);
        }
        GFAB_TRY(gfab_schedule_append_packet(schedule, round, &first->arc, 1, tokens, taken));
    }
    return GFAB_OK;
}

static void release(job *j)
{
    gfab_steiner_close(&j->builder);
    gfab_steiner_release(&j->plan);
    gfab_steiner_release(&j->best);
    GFAB_FREE(j->round, j->best_round, j->stored, j->best_stored, j->key, j->queue, j->active, j->merged);
    gfab_arena_release(&j->arena);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const size_t nodes = gfab_topology_node_count(topology), arcs = 2 * gfab_topology_link_count(topology);
    if ((uint64_t)goal.blocks * nodes > MAX_HOLDINGS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%u blocks on %zu nodes; blocks times nodes may be at most %llu",
                         goal.blocks, nodes, (unsigned long long)MAX_HOLDINGS);
    if (goal.collective != GFAB_ALL_TO_ALL && gfab_topology_marks(topology) & GFAB_MARK_LIMITED)
        return GFAB_REFUSE(diag, "%s has relays that do not copy or combine: there steiner makes all-to-alls alone",
                           gfab_topology_name(topology));
    GFAB_AT_END(release) job j = {.topology = topology, .model = model, .options = options, .random = options->seed};
    GFAB_TRY(gfab_steiner_open(&j.builder, topology, &goal, options->seed));
    GFAB_ARRAYS(&j.arena, arcs, j.arc_round, j.arc_uses);
    GFAB_ARRAYS(&j.arena, nodes, j.node_round, j.node_link);
    if (j.arena.failed)
        return GFAB_ERR_NO_MEMORY;
    GFAB_TRY(search(&j));
    if (!j.rounds)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the schedule has too many rounds");
    return emit(&j, schedule);
}

GFAB_SOLVE(solve, steiner, build)

const gfab_solver gfab_solver_steiner = {
    .name = "steiner",
    .summary = "any collective, any topology, relays, weighted and directed links: a Steiner tree for each block, "
               "longest way first",
    .source = "gossipfab, docs/theory/relays.md",
    .solve = solve,
    .collectives = GFAB_MAKES_ALL,
    .knows = GFAB_MARKS_STORED,
    .only = GFAB_ONLY_STORED,
    .work = {.ns = 15000, .nodes = 1, .blocks = 1},
};
