/* SPDX-License-Identifier: MIT */
/* Schedules are made once, for all lengths. How many rounds a schedule takes is a function of its blocks alone, so that
 * a length only says which of them is best: those of a few blocks for short messages, and for long ones those that
 * repeat, in as many blocks as balance startups against the time in which the first and the last are under way. */
#include <gossipfab/solvers/lengths.h>

#include "solvers/collective/library/library_plan.h"

#include "base/grow.h"

#include <gossipfab/schedule/verify.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* Nodes times blocks, and blocks a node, up to which a schedule is asked for; the lower for solvers that plan every
 * block by itself. The fewest blocks are always asked for, and any number of those that repeat. */
#define MOST_HOLDINGS ((uint64_t)1 << 15)
#define MOST_SLOW_HOLDINGS ((uint64_t)1 << 12)
#define MOST_A_NODE 8
#define MOST_SLOW_A_NODE 1
#define MOST_FINE_A_NODE 16
#define FINE_PART 8u /* of the blocks: so many more, and one */
/* Ranks up to which algorithms are asked for that send as many messages a rank. */
#define MOST_PAIRS 512
/* Nodes times blocks up to which auto is asked once more. */
#define MOST_AGAIN ((uint64_t)1 << 14)
/* A cost's transfers stay below 2^62. */
#define MOST_TRANSFERS ((u128)1 << 62)
/* Units of a group times its packets up to which its last rounds are looked up unit by unit. */
#define MOST_TAIL ((uint64_t)1 << 28)
/* So many numbers of blocks are all tried. */
#define MOST_TRIES ((uint64_t)1 << 14)

/* A verified schedule: of so many blocks, or, where schedule is not NULL, one that repeats, of any number. */
typedef struct entry {
    const gfab_solver *asked;
    gfab_solver_options options; /* as it was asked; its goal is here: */
    gfab_goal goal;
    const char *solver, *parameters; /* the name is static */
    gfab_model model;
    uint32_t blocks;
    gfab_cost cost;
    gfab_schedule *schedule;
    uint32_t unit;  /* repeats: blocks come in multiples of it */
    uint32_t *tail; /* repeats: [i - 1]: the last round in which group 0 moves one of its first i units */
} entry;

struct gfab_lengths {
    const gfab_topology *topology;
    gfab_length_options options;
    size_t members;
    entry *entries;
    size_t count, room;
    gfab_length_advice *list;
    const entry **made_by; /* of each of the list */
    gfab_diag reason;      /* why a solver made none */
    uint32_t *again;       /* blocks that auto was asked for once they were the best of a length */
    size_t again_count, again_room;
};

gfab_status gfab_length_startup(gfab_ratio latency, gfab_ratio bandwidth, gfab_ratio *startup)
{
    const gfab_cost one = {latency.numerator, 0, 1};
    gfab_ratio up;
    if (latency.numerator >= (uint64_t)1 << 32 || bandwidth.numerator > UINT64_MAX / 1000 ||
        latency.denominator > UINT64_MAX / (bandwidth.denominator ? bandwidth.denominator : 1))
        return GFAB_ERR_LIMIT;
    const gfab_ratio unit = {1000 * bandwidth.numerator, latency.denominator * bandwidth.denominator};
    const gfab_status status = gfab_cost_total(&one, unit, &up);
    *startup = status == GFAB_OK ? up : (gfab_ratio){0, 1};
    return status;
}

/* ---- making schedules ---- */

static gfab_status add(gfab_lengths *l, const entry *e)
{
    entry *entries = gfab_grown(l->entries, l->count, &l->room, sizeof *entries);
    GFAB_NEED(entries);
    l->entries = entries;
    l->entries[l->count++] = *e;
    return GFAB_OK;
}

/* The name as the solver has it, since a schedule's does not outlive it. */
static const char *name_of(const gfab_schedule *schedule, const gfab_solver *solver)
{
    const gfab_solver *by = gfab_solver_find(gfab_schedule_solver(schedule));
    return by ? by->name : solver->name;
}

/* Is there a schedule of this solver that is as good, whatever the length? */
static bool is_known(const gfab_lengths *l, const entry *made)
{
    for (size_t i = 0; i < l->count; i++) {
        const entry *e = &l->entries[i];
        if (strcmp(e->solver, made->solver) == 0 && e->parameters == made->parameters && e->blocks == made->blocks &&
            gfab_model_equal(&e->model, &made->model) && !e->schedule == !made->schedule &&
            e->cost.startups == made->cost.startups && e->cost.parts == made->cost.parts &&
            e->cost.transfers == made->cost.transfers &&
            (!e->schedule || gfab_schedule_period(e->schedule) == gfab_schedule_period(made->schedule)))
            return true;
    }
    return false;
}

static gfab_status verify(const gfab_lengths *l, const entry *e, const gfab_schedule *schedule, gfab_cost *cost,
                          gfab_diag *diag)
{
    gfab_verify_report report;
    const gfab_status status = gfab_verify(l->topology, &e->model, schedule, l->options.solver.progress, &report);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s: %s", e->solver,
                         status == GFAB_ERR_FAULT ? report.message : gfab_status_string(status));
    *cost = (gfab_cost){report.startups, report.link_transfers, report.parts * report.link_parts};
    return GFAB_OK;
}

/* Where a group may be left off: what it takes as the last one, with so many of its blocks. */
static gfab_status find_tail(const gfab_lengths *l, entry *e)
{
    const gfab_collective collective = l->options.goal.collective;
    const uint32_t group = gfab_schedule_group(e->schedule);
    e->unit = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER ? (uint32_t)l->members : 1;
    const uint32_t units = group / e->unit;
    const bool few = units * gfab_schedule_kept_count(e->schedule) <= MOST_TAIL;
    gfab_status status = GFAB_OK;
    e->tail = malloc(units * sizeof *e->tail);
    GFAB_NEED(e->tail);
    for (uint32_t i = 0; i < units && status == GFAB_OK; i++) {
        if (few)
            status = gfab_schedule_set_blocks(e->schedule, (i + 1) * e->unit);
        e->tail[i] =
            few && status == GFAB_OK ? gfab_schedule_rounds(e->schedule) : gfab_schedule_kept_rounds(e->schedule);
    }
    return status;
}

/* A solver's schedule under a model, verified, into the entries; what it can't make is no error. */
static gfab_status ask(gfab_lengths *l, const gfab_solver *solver, const gfab_model *model,
                       const gfab_solver_options *options, gfab_diag *diag)
{
    gfab_schedule *schedule = NULL;
    gfab_diag why = {0, ""};
    gfab_status status = gfab_solver_applies(solver, l->topology, model, &why);
    GFAB_THEN(status, gfab_solve(solver, l->topology, model, options, &schedule, NULL, &why));
    if (gfab_solver_cut_short(status))
        return gfab_fail(diag, 0, status, "%s: %s", solver->name, gfab_status_string(status));
    if (status != GFAB_OK && (l->options.solvers || !l->reason.message[0]))
        (void)gfab_fail(&l->reason, 0, status, "%s: %.180s", solver->name,
                        why.message[0] ? why.message : gfab_status_string(status));
    if (status != GFAB_OK)
        return GFAB_OK;
    const bool repeats = gfab_schedule_period(schedule) > 0;
    entry made = {.asked = solver,
                  .options = *options,
                  .goal = options->goal ? *options->goal : (gfab_goal){0},
                  .solver = name_of(schedule, solver),
                  .parameters = options->parameters,
                  .model = *model,
                  .schedule = repeats && !l->options.fixed_blocks ? schedule : NULL};
    if (gfab_schedule_any_length(schedule))
        status = gfab_schedule_set_blocks(schedule, gfab_schedule_group(schedule));
    made.blocks = gfab_schedule_goal(schedule).blocks;
    GFAB_THEN(status, verify(l, &made, schedule, &made.cost, diag));
    if (status == GFAB_OK && is_known(l, &made)) {
        gfab_schedule_destroy(schedule);
        return GFAB_OK;
    }
    if (status == GFAB_OK && made.schedule)
        status = find_tail(l, &made);
    GFAB_THEN(status, add(l, &made));
    if (status != GFAB_OK || !made.schedule)
        gfab_schedule_destroy(schedule);
    if (status != GFAB_OK)
        free(made.tail);
    if (status != GFAB_OK && status != GFAB_ERR_FAULT)
        gfab_fail(diag, 0, status, "%s: %s", solver->name, gfab_status_string(status));
    return status;
}

static bool is_slow(const gfab_solver *solver)
{
    return solver == &gfab_solver_trees || solver == &gfab_solver_steiner || solver == &gfab_solver_calls;
}

/* One number of blocks; with packets of several tokens for a few startups, where the solver then chooses by it. */
static gfab_status ask_blocks(gfab_lengths *l, const gfab_solver *solver, const char *parameters,
                              const gfab_model *model, const gfab_goal *goal, gfab_diag *diag)
{
    static const gfab_ratio startups[] = {{1, 1}, {10, 1}, {100, 1}, {1000, 1}};
    gfab_solver_options options = l->options.solver;
    const bool packets = model->packet_tokens > 1 || model->routing == GFAB_ROUTING_CIRCUIT;
    const bool named = solver == &gfab_solver_library && parameters;
    const bool chooses = packets && !named && (solver->minds_startup || solver == &gfab_solver_reversed);
    options.parameters = parameters;
    options.goal = solver->collectives ? goal : NULL;
    options.linear = packets;
    for (size_t i = 0; i < (chooses ? sizeof startups / sizeof *startups : 1); i++) {
        options.startup = packets ? startups[i] : (gfab_ratio){0, 1};
        GFAB_TRY(ask(l, solver, model, &options, diag));
    }
    return GFAB_OK;
}

/* Is the solver one for this collective, and to be asked? Of gossip's, where packets have one token, the one that auto
 * chooses is enough; of the other collectives' all are asked, and auto has no more. */
static bool is_asked(const gfab_lengths *l, const gfab_solver *solver, const gfab_model *model)
{
    const gfab_collective collective = l->options.goal.collective;
    const bool packets = model->packet_tokens > 1 || model->routing == GFAB_ROUTING_CIRCUIT;
    if (solver == &gfab_solver_auto && !l->options.solvers)
        return collective == GFAB_ALL_GATHER && !packets;
    if (solver->collectives)
        return (l->options.solvers || !solver->on_request) && (solver->collectives & GFAB_MAKES(collective));
    return collective == GFAB_ALL_GATHER && !solver->broadcasts &&
           (l->options.solvers || (!solver->on_request && packets));
}

/* An all-reduce's blocks belong to nodes too, where there are as many: 1, 2, 4 .. below, then multiples. */
static uint32_t more_blocks(const gfab_lengths *l, uint32_t blocks, const gfab_library_algorithm *algorithm)
{
    const bool fine = algorithm && algorithm->fine;
    if (fine && algorithm->whole)
        return blocks + 1 + blocks / FINE_PART;
    if (fine && blocks >= l->members)
        return blocks + (uint32_t)l->members;
    return blocks < l->members && 2 * (uint64_t)blocks > l->members ? (uint32_t)l->members : 2 * blocks;
}

/* One number of blocks alone: that of a collective which has no other, or of a solver that makes none. */
static bool has_one_length(const gfab_solver *solver, gfab_collective collective)
{
    return collective == GFAB_BARRIER || collective == GFAB_ALL_TO_ALL || !solver->collectives ||
           solver == &gfab_solver_auto;
}

/* The most blocks that a solver is asked for. */
static uint64_t most_blocks(const gfab_lengths *l, const gfab_solver *solver, bool fine)
{
    const bool slow = is_slow(solver);
    /* On graphs with relays or weights there are few others that make long vectors. */
    const bool short_alone = slow && gfab_topology_is_plain(l->topology);
    const uint64_t a_node = short_alone ? MOST_SLOW_A_NODE : fine ? MOST_FINE_A_NODE : MOST_A_NODE;
    const uint64_t held = (slow ? MOST_SLOW_HOLDINGS : MOST_HOLDINGS) / gfab_topology_node_count(l->topology);
    return held < a_node * l->members ? held : a_node * l->members;
}

/* A solver under a model: the fewest blocks, then twice as many, and again; then any number. */
static gfab_status ask_all(gfab_lengths *l, const gfab_solver *solver, const char *parameters, const gfab_model *model,
                           const gfab_library_algorithm *algorithm, gfab_diag *diag)
{
    const gfab_collective collective = l->options.goal.collective;
    const bool owned = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
    const bool chooses = solver == &gfab_solver_auto;
    const bool one = has_one_length(solver, collective);
    const uint64_t most = most_blocks(l, solver, algorithm && algorithm->fine);
    gfab_goal goal = l->options.goal;
    if (l->options.fixed_blocks)
        return solver->collectives || goal.blocks == l->members ? ask_blocks(l, solver, parameters, model, &goal, diag)
                                                                : GFAB_OK;
    const bool shares = owned || solver == &gfab_solver_past || (algorithm && !algorithm->whole);
    if (!one || chooses) /* shorter vectors past switches are the library's */
        goal.blocks = shares ? (uint32_t)l->members : 1;
    const uint32_t first = goal.blocks;
    while (goal.blocks == first || (!one && goal.blocks <= most)) {
        GFAB_TRY(ask_blocks(l, solver, parameters, model, &goal, diag));
        goal.blocks = more_blocks(l, goal.blocks, algorithm);
    }
    if (one || !solver->repeats || model->packet_tokens > 1)
        return GFAB_OK;
    gfab_solver_options options = l->options.solver;
    goal.blocks = owned || collective == GFAB_ALL_REDUCE ? (uint32_t)l->members : 1;
    options.goal = &goal;
    options.parameters = parameters;
    options.any_length = true;
    return ask(l, solver, model, &options, diag);
}

/* Each of the algorithms by itself. */
static gfab_status ask_library(gfab_lengths *l, const gfab_model *model, gfab_diag *diag)
{
    const gfab_library_algorithm *a;
    for (size_t i = 0; (a = gfab_library_at(i)); i++)
        if ((a->collectives & GFAB_MAKES(l->options.goal.collective)) && !(a->pairs && l->members > MOST_PAIRS))
            GFAB_TRY(ask_all(l, &gfab_solver_library, a->setting, model, a, diag));
    return GFAB_OK;
}

static gfab_status collect(gfab_lengths *l, gfab_diag *diag)
{
    const gfab_length_options *o = &l->options;
    for (size_t m = 0; m < o->model_count; m++)
        for (size_t i = 0;; i++) {
            const gfab_solver *solver = !o->solvers ? gfab_solver_at(i) : i < o->solver_count ? o->solvers[i] : NULL;
            if (!solver)
                break;
            const char *parameters = o->solvers && o->parameters ? o->parameters[i] : NULL;
            if (is_asked(l, solver, &o->models[m]))
                GFAB_TRY(solver == &gfab_solver_library && !parameters
                             ? ask_library(l, &o->models[m], diag)
                             : ask_all(l, solver, parameters, &o->models[m], NULL, diag));
        }
    if (l->count == 0)
        return GFAB_REFUSE(diag, "%s",
                           l->reason.message[0] ? l->reason.message : "no solver makes such a schedule here");
    return GFAB_OK;
}

gfab_length_options gfab_length_options_default(void)
{
    return (gfab_length_options){.solver = gfab_solver_options_default()};
}

gfab_status gfab_lengths_create(const gfab_topology *topology, const gfab_length_options *options,
                                gfab_lengths **lengths, gfab_diag *diag)
{
    const size_t members = gfab_topology_member_count(topology);
    gfab_status status = gfab_goal_check(&options->goal, members, diag);
    *lengths = NULL;
    for (size_t m = 0; m < options->model_count && status == GFAB_OK; m++)
        status = gfab_model_check(&options->models[m], diag);
    if (status != GFAB_OK)
        return status;
    gfab_lengths *made = calloc(1, sizeof *made);
    if (!made)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    made->topology = topology;
    made->options = *options;
    made->members = members;
    status = collect(made, diag);
    if (status == GFAB_OK) {
        made->list = calloc(made->count, sizeof *made->list);
        made->made_by = calloc(made->count, sizeof *made->made_by);
    }
    if (status == GFAB_OK && (!made->list || !made->made_by))
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    return GFAB_HAND_OVER(status, made, gfab_lengths_destroy, lengths);
}

void gfab_lengths_destroy(gfab_lengths *lengths)
{
    if (!lengths)
        return;
    for (size_t i = 0; i < lengths->count; i++) {
        gfab_schedule_destroy(lengths->entries[i].schedule);
        free(lengths->entries[i].tail);
    }
    GFAB_FREE(lengths->entries, lengths->list, lengths->made_by, lengths->again, lengths);
}

/* ---- a length ---- */

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The time in transfers of a byte. */
static gfab_status total_of(const gfab_cost *cost, uint64_t block_bytes, gfab_ratio startup, gfab_ratio *total)
{
    const u128 transfers = (u128)cost->transfers * block_bytes;
    if (cost->startups > UINT32_MAX || transfers * cost->parts >= MOST_TRANSFERS)
        return GFAB_ERR_LIMIT;
    const gfab_cost whole = {cost->startups, (uint64_t)transfers, cost->parts};
    return gfab_cost_total(&whole, startup, total);
}

/* The rounds of a schedule that repeats, in so many blocks: docs/theory/long-vectors/periodic.md. 0: too many. */
static uint64_t rounds_of(const entry *e, uint64_t blocks)
{
    const uint64_t group = gfab_schedule_group(e->schedule), period = gfab_schedule_period(e->schedule);
    const uint64_t groups = divide_up(blocks, group), last = blocks - (groups - 1) * group;
    const uint64_t tail = (groups - 1) * period + e->tail[last / e->unit - 1];
    const uint64_t whole = groups > 1 ? (groups - 2) * period + gfab_schedule_kept_rounds(e->schedule) : 0;
    const uint64_t rounds = whole > tail ? whole : tail;
    return rounds <= GFAB_MAX_PLAYED_ROUNDS ? rounds : 0;
}

/* The time of a schedule that repeats, in so many blocks, as if every round had a packet. False where it is not made of
 * so many. */
static bool time_of(const entry *e, uint64_t blocks, uint64_t bytes, gfab_ratio startup, gfab_ratio *total)
{
    if (blocks == 0 || blocks > bytes || blocks > INT32_MAX)
        return false;
    const uint64_t rounds = rounds_of(e, blocks);
    const gfab_cost cost = {rounds, rounds, 1};
    return rounds > 0 && total_of(&cost, divide_up(bytes, blocks), startup, total) == GFAB_OK;
}

/* Takes so many blocks where they are better than what there is; *best 0: nothing yet. */
static void try_blocks(const entry *e, uint64_t blocks, uint64_t bytes, gfab_ratio startup, uint64_t *best,
                       gfab_ratio *least)
{
    gfab_ratio total;
    if (!time_of(e, blocks, bytes, startup, &total) || (*best > 0 && gfab_ratio_compare(total, *least) >= 0))
        return;
    *best = blocks;
    *least = total;
}

/* The best number of blocks: of 4, 5, 6 and 7 units times powers of two; then, where they are few, of all up to four
 * times as many and a few thousand, and else by steps, from large ones to a unit. 0: there is none. */
static uint32_t choose_blocks(const entry *e, uint64_t bytes, gfab_ratio startup)
{
    const uint64_t unit = e->unit;
    uint64_t best = 0;
    gfab_ratio least = {0, 1};
    for (uint64_t scale = 1; scale <= INT32_MAX; scale *= 2)
        for (uint64_t units = scale; units < 2 * scale; units += scale < 4 ? scale : scale / 4)
            try_blocks(e, units * unit, bytes, startup, &best, &least);
    if (4 * best / unit <= MOST_TRIES) {
        const uint64_t all = (bytes / unit < MOST_TRIES / 4 ? bytes / unit : MOST_TRIES / 4) * unit;
        for (uint64_t blocks = 4 * best > all ? 4 * best : all; blocks > 0; blocks -= unit)
            try_blocks(e, blocks, bytes, startup, &best, &least);
        return (uint32_t)best;
    }
    for (uint64_t step = best / (4 * unit) * unit; step > 0; step = step == unit ? 0 : step / (2 * unit) * unit)
        for (uint64_t from = 0; from != best;) {
            from = best;
            try_blocks(e, from + step, bytes, startup, &best, &least);
            try_blocks(e, from > step ? from - step : 0, bytes, startup, &best, &least);
        }
    return (uint32_t)best;
}

/* What an entry takes for a length; *fits: is it for this length? */
static gfab_status advise(const gfab_lengths *l, const entry *e, uint64_t bytes, gfab_ratio startup,
                          gfab_length_advice *advice, bool *fits)
{
    const bool barrier = l->options.goal.collective == GFAB_BARRIER;
    *advice = (gfab_length_advice){.solver = e->solver,
                                   .parameters = e->parameters,
                                   .model = e->model,
                                   .blocks = e->schedule ? choose_blocks(e, bytes, startup) : e->blocks,
                                   .cost = e->cost,
                                   .repeats = !!e->schedule};
    *fits = advice->blocks > 0 && (barrier || advice->blocks <= bytes);
    if (!*fits)
        return GFAB_OK;
    if (e->schedule) {
        const uint64_t rounds = rounds_of(e, advice->blocks);
        advice->cost = (gfab_cost){rounds, rounds, 1};
    }
    advice->block_bytes = barrier ? 0 : divide_up(bytes, advice->blocks);
    return total_of(&advice->cost, advice->block_bytes, startup, &advice->total);
}

/* The schedule that repeats with the blocks that were chosen, verified: it takes no more than was thought, and less
 * where rounds are empty. */
static gfab_status confirm(const gfab_lengths *l, const entry *e, gfab_ratio startup, gfab_length_advice *advice,
                           gfab_diag *diag)
{
    const gfab_cost thought = advice->cost;
    GFAB_TRY(gfab_schedule_set_blocks(e->schedule, advice->blocks));
    GFAB_TRY(verify(l, e, e->schedule, &advice->cost, diag));
    if (advice->cost.startups > thought.startups || advice->cost.transfers > thought.transfers)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: %u blocks take more rounds than its period says", e->solver,
                         advice->blocks);
    return total_of(&advice->cost, advice->block_bytes, startup, &advice->total);
}

static bool same_series(const gfab_length_advice *a, const gfab_length_advice *b)
{
    return strcmp(a->solver, b->solver) == 0 && a->parameters == b->parameters;
}

/* Puts it in its place, where its solver has nothing better. */
static void insert(gfab_lengths *l, size_t *count, const gfab_length_advice *advice, const entry *e)
{
    gfab_length_advice *list = l->list;
    size_t at = 0;
    while (at < *count && !same_series(&list[at], advice))
        at++;
    if (at < *count && gfab_ratio_compare(advice->total, list[at].total) >= 0)
        return;
    if (at == *count)
        ++*count;
    for (; at > 0 && gfab_ratio_compare(advice->total, list[at - 1].total) < 0; at--) {
        list[at] = list[at - 1];
        l->made_by[at] = l->made_by[at - 1];
    }
    list[at] = *advice;
    l->made_by[at] = e;
}

/* All entries that fit, in the list; *listed gets their number. */
static gfab_status rank_all(gfab_lengths *l, uint64_t bytes, gfab_ratio startup, size_t *listed, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    *listed = 0;
    for (size_t i = 0; i < l->count && status == GFAB_OK; i++) {
        gfab_length_advice advice;
        bool fits;
        status = advise(l, &l->entries[i], bytes, startup, &advice, &fits);
        if (status == GFAB_OK && fits)
            insert(l, listed, &advice, &l->entries[i]);
    }
    for (size_t i = 0; i < *listed && status == GFAB_OK; i++) {
        gfab_length_advice advice = l->list[i];
        const entry *e = l->made_by[i];
        if (!advice.repeats || (status = confirm(l, e, startup, &advice, diag)) != GFAB_OK)
            continue;
        size_t at = i;
        for (; at > 0 && gfab_ratio_compare(advice.total, l->list[at - 1].total) < 0; at--) {
            l->list[at] = l->list[at - 1];
            l->made_by[at] = l->made_by[at - 1];
        }
        l->list[at] = advice;
        l->made_by[at] = e;
    }
    return status;
}

/* In the blocks of the best one auto may make something better, as it asks all solvers for as many. *more: it is an
 * entry now. */
static gfab_status ask_again(gfab_lengths *l, uint32_t blocks, bool *more, gfab_diag *diag)
{
    const gfab_length_options *o = &l->options;
    const size_t before = l->count;
    gfab_status status = GFAB_OK;
    *more = false;
    for (size_t i = 0; i < l->again_count; i++)
        if (l->again[i] == blocks)
            return GFAB_OK;
    if (o->solvers || gfab_topology_node_count(l->topology) * blocks > MOST_AGAIN)
        return GFAB_OK;
    GFAB_NEED(gfab_grow(&l->again, l->again_count, &l->again_room, sizeof *l->again));
    l->again[l->again_count++] = blocks;
    gfab_goal goal = o->goal;
    goal.blocks = blocks;
    const uint32_t effort = o->solver.effort;
    l->options.solver.effort = effort > 1 ? effort : 0; /* as much as it takes of itself */
    for (size_t m = 0; m < o->model_count && status == GFAB_OK; m++)
        if (o->models[m].packet_tokens == 1 && o->models[m].routing == GFAB_ROUTING_STORE_AND_FORWARD)
            status = ask_blocks(l, &gfab_solver_auto, NULL, &o->models[m], &goal, diag);
    l->options.solver.effort = effort;
    *more = l->count > before;
    gfab_length_advice *list = status == GFAB_OK ? realloc(l->list, l->count * sizeof *list) : NULL;
    l->list = list ? list : l->list;
    const entry **made_by = list ? realloc(l->made_by, l->count * sizeof *made_by) : NULL;
    l->made_by = made_by ? made_by : l->made_by;
    return status == GFAB_OK && !made_by ? GFAB_ERR_NO_MEMORY : status;
}

gfab_status gfab_lengths_rank(gfab_lengths *lengths, uint64_t bytes, gfab_ratio startup,
                              const gfab_length_advice **list, size_t *count, gfab_diag *diag)
{
    size_t listed = 0;
    *list = lengths->list;
    *count = 0;
    if (bytes == 0 && lengths->options.goal.collective != GFAB_BARRIER)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a message of 0 bytes; it has at least 1");
    gfab_status status = rank_all(lengths, bytes, startup, &listed, diag);
    for (bool more = true; more && listed > 0 && status == GFAB_OK;) {
        status = ask_again(lengths, lengths->list[0].blocks, &more, diag);
        if (more)
            GFAB_THEN(status, rank_all(lengths, bytes, startup, &listed, diag));
    }
    *list = lengths->list;
    if (status == GFAB_ERR_LIMIT)
        return gfab_fail(diag, 0, status, "the time of %llu bytes is too large a number", (unsigned long long)bytes);
    if (status != GFAB_OK)
        return status;
    *count = listed;
    return GFAB_OK;
}

gfab_status gfab_lengths_make(const gfab_lengths *lengths, size_t index, gfab_schedule **schedule, gfab_diag *diag)
{
    const entry *e = lengths->made_by[index];
    gfab_solver_options options = e->options;
    gfab_cost cost;
    options.goal = options.goal ? &e->goal : NULL;
    gfab_status status = gfab_solve(e->asked, lengths->topology, &e->model, &options, schedule, NULL, diag);
    if (status != GFAB_OK)
        return status;
    if (gfab_schedule_any_length(*schedule))
        status = gfab_schedule_set_blocks(*schedule, lengths->list[index].blocks);
    GFAB_THEN(status, verify(lengths, e, *schedule, &cost, diag));
    if (status != GFAB_OK)
        gfab_schedule_destroy(*schedule);
    return status;
}
