/* SPDX-License-Identifier: MIT */
/* The driver of the search: for each number of rounds from the lower bound on, some tries, each a greedy start and its
 * repair (docs/theory/optimal-gossip.md, Search). */
#include "search_state.h"

#include <assert.h>
#include <gossipfab/schedule/bound.h>
#include <gossipfab/schedule/prove.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Tries at each number of rounds where options->effort is 0. */
#define DEFAULT_EFFORT 16u
/* A small gossip gets more tries, as many as make this many deliveries. */
#define TRIED_DELIVERIES 3000u
/* A large one gets fewer, so that they make no more than this, but some; and the numbers of rounds tried lie ever
 * farther apart: each step is this part of all so far. With an effort given all are tried. */
#define MOST_DELIVERIES ((uint64_t)1 << 21)
#define LEAST_TRIES 3u
#define STEP_PART 2u
/* On so few nodes SAT is asked before the further tries whether they are of any use, and how many conflicts that may
 * take. */
#define PROVED_NODES 6u
#define PROVED_CONFLICTS 20000u
/* Steps of a repair: some, and some for each lost delivery. */
#define REPAIR_STEPS 20000u
#define REPAIR_STEPS_EACH 500u

static gfab_status lower_bound(const gfab_topology *topology, const gfab_model *model, const gfab_progress *progress,
                               gfab_bound *bound)
{
    gfab_model stepwise = *model; /* what it makes are packets over one link, under circuit routing, too */
    stepwise.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    return gfab_bound_best(topology, &stepwise, progress, bound);
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    if (model->packet_tokens > GFAB_SEARCH_MAX_PACKET && gfab_topology_node_count(topology) > GFAB_SEARCH_MAX_PACKET)
        return GFAB_REFUSE(diag, "search takes packets of at most %u tokens", GFAB_SEARCH_MAX_PACKET);
    gfab_bound bound;
    const gfab_status status = lower_bound(topology, model, NULL, &bound);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "search: %s", gfab_status_string(status));
    if (bound.rounds > GFAB_SEARCH_MAX_ROUNDS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s takes %" PRIu64 " rounds or more; search takes at most %u",
                         gfab_topology_name(topology), bound.rounds, GFAB_SEARCH_MAX_ROUNDS);
    return GFAB_OK;
}

/* Where a quarter turn brings nodes and arcs. */
static void set_turned(gfab_search *s)
{
    const uint32_t side = s->turns > 1 ? gfab_solver_shape(s->topology).side : 1;
    for (uint32_t v = 0; v < s->nodes; v++)
        s->node_turned[v] = s->turns > 1 ? v % side * side + (side - 1 - v / side) : v;
    for (gfab_arc arc = 0; arc < s->arcs; arc++) {
        s->arc_turned[arc] = arc;
        if (s->turns == 1)
            continue;
        bool found = gfab_topology_find_arc(s->topology, s->node_turned[s->arc_from[arc]],
                                            s->node_turned[s->arc_to[arc]], &s->arc_turned[arc]);
        assert(found);
        (void)found;
    }
}

static gfab_status open_search(gfab_search *s)
{
    GFAB_ARRAYS(&s->arena, s->nodes, s->node_turned, s->token_turned, s->token_at, s->arcs_in, s->ports, s->degree,
                s->home);
    GFAB_ARRAYS(&s->arena, s->arcs, s->arc_turned, s->arc_from, s->arc_to, s->port_to, s->room_count);
    s->came = gfab_arena_zeroed2(&s->arena, s->nodes, s->nodes, sizeof *s->came);
    s->by = gfab_arena_zeroed2(&s->arena, s->nodes, s->nodes, sizeof *s->by);
    GFAB_NEED(!s->arena.failed);
    for (gfab_arc arc = 0; arc < s->arcs; arc++) {
        s->arc_from[arc] = gfab_topology_arc_from(s->topology, arc);
        s->arc_to[arc] = gfab_topology_arc_to(s->topology, arc);
    }
    for (uint32_t v = 0; v < s->nodes; v++) {
        size_t degree;
        s->ports[v] = gfab_topology_ports(s->topology, v, &degree);
        s->degree[v] = (uint32_t)degree;
        s->home[v] = v;
        for (uint32_t p = 0; p < s->degree[v]; p++)
            s->port_to[gfab_search_in_arc(&s->ports[v][p])] = (uint16_t)p;
    }
    set_turned(s);
    return GFAB_OK;
}

static void close_search(gfab_search *s)
{
    gfab_arena_release(&s->arena);
    GFAB_FREE(s->slots, s->room, s->lost);
}

static size_t slot_count(const gfab_search *s)
{
    return (size_t)s->channels * (s->rounds + 1) * s->packet;
}

static gfab_status set_rounds(gfab_search *s, uint32_t rounds)
{
    GFAB_FREE(s->slots, s->room);
    s->rounds = rounds;
    s->round_words = rounds / 64 + 1;
    s->slots = NULL;
    s->room = NULL;
    if ((uint64_t)s->channels * (rounds + 1) * s->packet > SIZE_MAX / sizeof *s->slots)
        return GFAB_ERR_NO_MEMORY;
    s->slots = calloc(slot_count(s), sizeof *s->slots);
    s->room = calloc((size_t)s->arcs * s->round_words, sizeof *s->room);
    return s->slots && s->room ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* One try from nothing: number `try` of those at s->rounds. */
static gfab_status attempt(gfab_search *s, uint32_t try, bool far_apart)
{
    s->random = s->options->seed;
    s->random = gfab_search_random(s) + ((uint64_t)s->rounds << 32) + try;
    for (uint32_t i = s->nodes; i > 1; i--) {
        const uint32_t j = gfab_search_below(s, i), home = s->home[i - 1];
        s->home[i - 1] = s->home[j];
        s->home[j] = home;
    }
    for (uint32_t token = 0; token < s->nodes; token++)
        s->token_at[s->home[token]] = token;
    for (uint32_t token = 0; token < s->nodes; token++)
        s->token_turned[token] = s->token_at[s->node_turned[s->home[token]]];
    const size_t deliveries = (size_t)s->nodes * s->nodes;
    memset(s->came, 0xff, deliveries * sizeof *s->came);
    memset(s->by, 0xff, deliveries * sizeof *s->by);
    memset(s->slots, 0, slot_count(s) * sizeof *s->slots);
    GFAB_TRY(gfab_search_greedy(s, gfab_search_style_of(s, try, far_apart)));
    const uint64_t a_round = (uint64_t)s->channels * s->packet / s->turns;
    if (s->missing == 0 || s->missing > 4 * a_round)
        return GFAB_OK;
    return gfab_search_repair(s, REPAIR_STEPS + (uint64_t)REPAIR_STEPS_EACH * s->missing);
}

static gfab_status emit(const gfab_search *s, gfab_schedule *schedule)
{
    uint32_t tokens[GFAB_SEARCH_MAX_PACKET];
    for (uint32_t round = 1; round <= s->rounds; round++)
        for (uint32_t c = 0; c < s->channels; c++) {
            const uint16_t *slot = s->slots + ((size_t)c * (s->rounds + 1) + round) * s->packet;
            uint32_t count = 0;
            for (; count < s->packet && slot[count]; count++)
                tokens[count] = s->home[(slot[count] - 1u) / 2];
            const gfab_arc arc = s->full || !count ? c : 2 * c + (slot[0] - 1u) % 2;
            if (count)
                GFAB_TRY(gfab_schedule_append_packet(schedule, round, &arc, 1, tokens, count));
        }
    return GFAB_OK;
}

/* Asks SAT, which may not know. */
static gfab_status ask(const gfab_search *s, gfab_prove_answer *answer, gfab_schedule **found)
{
    gfab_model stepwise = *s->model;
    stepwise.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    gfab_prove_options options = gfab_prove_options_default();
    options.progress = s->options->progress;
    options.max_conflicts = PROVED_CONFLICTS;
    gfab_prove_report report = {.answer = GFAB_PROVE_UNKNOWN};
    const gfab_status status = gfab_prove_rounds(s->topology, &stepwise, s->rounds, &options, &report, found, NULL);
    *answer = status == GFAB_OK ? report.answer : GFAB_PROVE_UNKNOWN;
    return status == GFAB_ERR_LIMIT ? GFAB_OK : status;
}

static uint64_t large_effort(uint64_t deliveries)
{
    return deliveries * LEAST_TRIES < MOST_DELIVERIES ? MOST_DELIVERIES / deliveries : LEAST_TRIES;
}

/* Tries numbers of rounds from first to last until one succeeds. On few nodes SAT ends what the first tries do
 * not: *proved is its schedule (not one that stays the same under turns), else NULL. */
static gfab_status search(gfab_search *s, uint32_t first, uint32_t last, const gfab_bound *bound,
                          gfab_schedule **proved, gfab_diag *diag)
{
    const uint64_t deliveries = (uint64_t)s->nodes * (s->nodes - 1) / s->turns;
    const bool large = !s->options->effort && deliveries * DEFAULT_EFFORT > MOST_DELIVERIES;
    const uint64_t effort = s->options->effort ? s->options->effort : large ? large_effort(deliveries) : DEFAULT_EFFORT;
    const uint64_t tries = effort * (1 + TRIED_DELIVERIES / deliveries);
    const uint64_t a_round = (uint64_t)s->channels * s->packet / s->turns;
    const bool far_apart = strcmp(bound->name, "diameter") == 0;
    uint32_t fewest = UINT32_MAX;
    uint32_t step;
    for (uint32_t rounds = first; rounds <= last; rounds += step) {
        step = 1 + (large ? (rounds - first) / STEP_PART : 0);
        step = rounds < last && step > last - rounds ? last - rounds : step;
        gfab_status status = set_rounds(s, rounds);
        fewest = UINT32_MAX;
        for (uint32_t try = 0; try < tries && status == GFAB_OK; try++) {
            gfab_prove_answer answer = GFAB_PROVE_UNKNOWN;
            if (try == effort && s->nodes <= PROVED_NODES)
                status = ask(s, &answer, s->turns == 1 ? proved : NULL);
            if (status != GFAB_OK || *proved)
                return status;
            if (answer == GFAB_PROVE_IMPOSSIBLE)
                break;
            status = attempt(s, try, far_apart);
            if (status == GFAB_OK && s->missing == 0)
                return GFAB_OK;
            fewest = s->missing < fewest ? s->missing : fewest;
            if (fewest > 4 * a_round && rounds < last)
                break; /* more than some rounds short: no seed helps */
        }
        if (status != GFAB_OK)
            return status;
    }
    return GFAB_REFUSE(diag,
                       "no schedule of %" PRIu32 " rounds found in %" PRIu64 " tries (at best %" PRIu32 " deliveries "
                       "short; the lower bound is %" PRIu64 "); allow more rounds or more effort",
                       last, tries, fewest, bound->rounds);
}

gfab_status gfab_search_build(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, uint32_t turns, gfab_schedule *schedule,
                              gfab_diag *diag)
{
    gfab_bound bound;
    GFAB_TRY(lower_bound(topology, model, options->progress, &bound));
    uint32_t first = (uint32_t)bound.rounds, last = GFAB_SEARCH_MAX_ROUNDS;
    if (options->rounds && options->rounds < bound.rounds)
        return GFAB_REFUSE(diag, "no schedule%s has %" PRIu32 " rounds: the lower bound is %" PRIu64 " (%s)",
                           model->routing == GFAB_ROUTING_CIRCUIT ? " of packets over one link" : "", options->rounds,
                           bound.rounds, bound.name);
    if (options->rounds) {
        last = options->rounds < last ? options->rounds : last;
        first = last < 2 * first ? last : 2 * first; /* nearly always enough, and memory for no more */
    }
    const bool full = model->link_mode == GFAB_LINK_FULL;
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const uint32_t links = (uint32_t)gfab_topology_link_count(topology);
    gfab_search s = {.topology = topology,
                     .model = model,
                     .options = options,
                     .nodes = nodes,
                     .arcs = 2 * links,
                     .channels = full ? 2 * links : links,
                     .packet = model->packet_tokens < nodes ? model->packet_tokens : nodes,
                     .lambda = model->hop_rounds,
                     .full = full,
                     .turns = turns};
    if (s.lambda > last)
        s.lambda = last + 1; /* no second hop in time, and no overflow */
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *proved = NULL;
    gfab_status status = open_search(&s);
    GFAB_THEN(status, search(&s, first, last, &bound, &proved, diag));
    GFAB_THEN(status, proved ? gfab_schedule_append_all(schedule, proved) : emit(&s, schedule));
    close_search(&s);
    return status;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    return gfab_search_build(topology, model, options, 1, schedule, diag);
}

GFAB_SOLVE(solve, search, build)

const gfab_solver gfab_solver_search = {
    .name = "search",
    .summary = "greedy start, repaired along augmenting paths, from the lower bound upwards; no promise of its rounds",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .only = GFAB_ONLY_ALL_PORTS,
};
