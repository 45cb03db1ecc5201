/* SPDX-License-Identifier: MIT */
/* Gossip in the telephone model by simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983) among the schedules
 * invariant under a group. A state is a maximal matching of link orbits for each of R rounds; its energy is the number
 * of deliveries missing at the end, of the tokens of the orbits' first nodes. A step puts one or two other link orbits
 * into one round, in place of those in their way, or exchanges two rounds. What the nodes hold after each round is
 * kept, a bit a token and node, so that a step is judged by replaying the rounds behind it: an OR a link. All is done
 * in whole numbers, so that the same seed makes the same schedule everywhere. */
#include "telephone.h"

#include "base/random.h"

#include <gossipfab/base/arena.h>
#include <gossipfab/schedule/bound.h>
#include <string.h>

#define NONE UINT32_MAX
#define MAX_WORDS ((size_t)1 << 27) /* of what is kept, 1 GiB */
#define STAGES 1024                 /* of falling temperature, in a run */
#define RUNS 4                      /* at a number of rounds, where no effort is given */
#define ONE ((uint64_t)1 << 16)     /* of temperatures and logarithms, in 16 bits behind the point */
#define END_TEMPERATURE (ONE / 2)

typedef struct pair {
    uint32_t a, b;
} pair;

typedef struct anneal {
    const gfab_symmetry *symmetry;
    const gfab_solver_options *options;
    size_t nodes, tokens, words; /* words: of a bit set of tokens */
    uint64_t steps;              /* in a run */
    uint64_t random;
    pair *pairs;      /* [links]: the ends, as symmetry->link_list */
    pair *ends;       /* [link orbits]: node orbits */
    uint32_t *usable; /* the usable link orbits */
    uint32_t usable_count;
    uint32_t *near;       /* usable link orbits at each node orbit */
    uint32_t *near_start; /* [tokens + 1] */
    uint32_t rounds;
    uint32_t *matching; /* [round * tokens]: the link orbit at a node orbit, or NONE */
    uint32_t *before;   /* [2 * tokens]: the matchings that a step replaces */
    uint32_t *loose;    /* [4]: node orbits that it sets free */
    uint64_t **held;    /* [rounds + 1]: of nodes * words, when so many rounds are over */
    uint64_t **tried;   /* and after a step that is not yet taken */
    uint64_t *store;    /* where they lie */
    gfab_arena arena;
    gfab_arena of_rounds; /* matching, held, tried, store */
} anneal;
GFAB_HOLDS_ARENA(anneal)

static uint32_t draw_below(anneal *a, size_t bound)
{
    return (uint32_t)(gfab_random(&a->random) % bound);
}

static uint32_t *round_of(const anneal *a, uint32_t round)
{
    return a->matching + round * a->tokens;
}

static void put(const anneal *a, uint32_t *matching, uint32_t orbit)
{
    matching[a->ends[orbit].a] = matching[a->ends[orbit].b] = orbit;
}

/* Takes away what matches a node orbit; gives the node orbits set free, twice the same where there is one. */
static size_t clear(const anneal *a, uint32_t *matching, uint32_t node_orbit, uint32_t *loose)
{
    const uint32_t orbit = matching[node_orbit];
    if (orbit == NONE)
        return 0;
    loose[0] = a->ends[orbit].a;
    loose[1] = a->ends[orbit].b;
    matching[loose[0]] = matching[loose[1]] = NONE;
    return 2;
}

/* Matches a node orbit, if a neighbour is free too, over a link orbit drawn at random. */
static void match(anneal *a, uint32_t *matching, uint32_t node_orbit)
{
    const uint32_t *near = a->near + a->near_start[node_orbit];
    const uint32_t count = a->near_start[node_orbit + 1] - a->near_start[node_orbit];
    if (matching[node_orbit] != NONE || count == 0)
        return;
    const uint32_t start = draw_below(a, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t orbit = near[(start + i) % count];
        if (matching[a->ends[orbit].a] == NONE && matching[a->ends[orbit].b] == NONE) {
            put(a, matching, orbit);
            return;
        }
    }
}

static void play(const anneal *a, const uint64_t *from, uint64_t *to, const uint32_t *matching)
{
    const size_t words = a->words;
    memcpy(to, from, a->nodes * words * sizeof *to);
    for (uint32_t s = 0; s < a->tokens; s++) {
        const uint32_t orbit = matching[s];
        if (orbit == NONE || a->ends[orbit].a != s)
            continue;
        const pair *end = a->pairs + a->symmetry->link_start[orbit + 1];
        for (const pair *p = a->pairs + a->symmetry->link_start[orbit]; p < end; p++)
            for (size_t w = 0; w < words; w++)
                to[p->a * words + w] = to[p->b * words + w] = from[p->a * words + w] | from[p->b * words + w];
    }
}

static uint64_t missing(const anneal *a, const uint64_t *held)
{
    uint64_t count = 0;
    for (size_t i = 0; i < a->nodes * a->words; i++)
        count += (uint64_t)__builtin_popcountll(held[i]);
    return (uint64_t)a->nodes * a->tokens - count;
}

/* Minus the binary logarithm of a number drawn evenly from 0 to 1; between powers of two a straight line. */
static uint64_t draw_logarithm(anneal *a)
{
    const uint64_t bits = gfab_random(&a->random) | 1;
    const unsigned zeros = (unsigned)__builtin_clzll(bits);
    const uint64_t mantissa = zeros < 63 ? bits << (zeros + 1) >> 48 : 0;
    return (zeros + 1) * ONE - mantissa;
}

/* From `start` down to END_TEMPERATURE, the same factor each stage but for straight lines between halvings. */
static uint64_t temperature(uint64_t start, uint32_t stage)
{
    uint64_t halvings = 0, fraction;
    while (start >> (halvings + 1) >= END_TEMPERATURE)
        halvings++;
    fraction = halvings * stage % STAGES;
    return (start - start * fraction / (2 * STAGES)) >> (halvings * stage / STAGES);
}

/* Changes one round, or two; gives the first, and the second or NONE. before has what they were. */
static void change(anneal *a, uint32_t *first, uint32_t *second)
{
    const uint32_t kind = draw_below(a, 16);
    const size_t size = a->tokens * sizeof *a->before;
    *first = draw_below(a, a->rounds);
    *second = NONE;
    memcpy(a->before, round_of(a, *first), size);
    if (kind == 0) {
        *second = draw_below(a, a->rounds);
        memcpy(a->before + a->tokens, round_of(a, *second), size);
        memcpy(round_of(a, *second), a->before, size);
        memcpy(round_of(a, *first), a->before + a->tokens, size);
        return;
    }
    uint32_t *matching = round_of(a, *first);
    for (uint32_t i = 0; i < (kind < 4 ? 2u : 1u); i++) {
        const uint32_t orbit = a->usable[draw_below(a, a->usable_count)];
        size_t count = 0;
        if (matching[a->ends[orbit].a] == orbit)
            continue;
        count += clear(a, matching, a->ends[orbit].a, a->loose);
        count += clear(a, matching, a->ends[orbit].b, a->loose + count);
        put(a, matching, orbit);
        const uint32_t start = draw_below(a, count + 1);
        for (size_t j = 0; j < count; j++)
            match(a, matching, a->loose[(start + j) % count]);
    }
}

static void undo(anneal *a, uint32_t first, uint32_t second)
{
    memcpy(round_of(a, first), a->before, a->tokens * sizeof *a->before);
    if (second != NONE)
        memcpy(round_of(a, second), a->before + a->tokens, a->tokens * sizeof *a->before);
}

/* One step; *energy becomes what it is then. */
static void step(anneal *a, uint64_t heat, uint64_t *energy)
{
    uint32_t first, second;
    change(a, &first, &second);
    const uint32_t from = second < first ? second : first;
    const uint64_t *at = a->held[from];
    for (uint32_t r = from; r < a->rounds; r++) {
        play(a, at, a->tried[r + 1], round_of(a, r));
        at = a->tried[r + 1];
    }
    const uint64_t now = missing(a, at);
    if (now > *energy && (now - *energy) * ONE > (draw_logarithm(a) * heat) / ONE) {
        undo(a, first, second);
        return;
    }
    *energy = now;
    for (uint32_t r = from + 1; r <= a->rounds; r++) {
        uint64_t *swap = a->held[r];
        a->held[r] = a->tried[r];
        a->tried[r] = swap;
    }
}

static void start_anew(anneal *a)
{
    memset(a->matching, 0xff, a->rounds * a->tokens * sizeof *a->matching);
    for (uint32_t r = 0; r < a->rounds; r++) {
        const uint32_t start = draw_below(a, a->tokens);
        for (uint32_t s = 0; s < a->tokens; s++)
            match(a, round_of(a, r), (uint32_t)((start + s) % a->tokens));
        play(a, a->held[r], a->held[r + 1], round_of(a, r));
    }
}

/* One run. *found: the state has energy 0. */
static gfab_status run(anneal *a, bool *found)
{
    start_anew(a);
    uint64_t energy = missing(a, a->held[a->rounds]), heat = ONE, root = 1;
    while (root * root < (uint64_t)a->nodes * a->tokens)
        root++;
    for (uint64_t i = 0; i < a->steps && energy > 0; i++) {
        if (i % 256 == 0) {
            heat = temperature(root * ONE / 2, (uint32_t)(i * STAGES / a->steps));
            GFAB_TRY(gfab_solver_report(a->options, "steps", i, a->steps));
        }
        step(a, heat, &energy);
    }
    *found = energy == 0;
    return GFAB_OK;
}

/* Room for schedules of so many rounds. */
static gfab_status set_rounds(anneal *a, uint32_t rounds, gfab_diag *diag)
{
    const size_t part = a->nodes * a->words;
    if (part > MAX_WORDS / 2 / ((size_t)rounds + 1))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "%zu tokens and nodes in %u rounds take more than 1 GiB; name a larger group with symmetry=",
                         a->nodes, rounds);
    a->rounds = rounds;
    a->matching = gfab_arena_zeroed(&a->of_rounds, rounds * a->tokens + 1, sizeof *a->matching);
    GFAB_ARRAYS(&a->of_rounds, (size_t)rounds + 1, a->held, a->tried);
    a->store = gfab_arena_zeroed2(&a->of_rounds, 2 * part, (size_t)rounds + 1, sizeof *a->store);
    GFAB_NEED(!a->of_rounds.failed);
    for (uint32_t r = 0; r <= rounds; r++) {
        a->held[r] = a->store + 2 * r * part;
        a->tried[r] = a->held[r] + part;
    }
    for (size_t t = 0; t < a->tokens; t++)
        a->held[0][a->symmetry->first_node[t] * a->words + t / 64] |= (uint64_t)1 << t % 64;
    return GFAB_OK;
}

static gfab_status keep(const anneal *a, gfab_rounds *kept)
{
    gfab_rounds_release(kept);
    GFAB_TRY(gfab_rounds_create(a->symmetry, a->rounds, kept));
    uint32_t count = 0;
    for (uint32_t r = 0; r < a->rounds; r++) {
        for (uint32_t s = 0; s < a->tokens; s++) {
            const uint32_t orbit = round_of(a, r)[s];
            if (orbit != NONE && a->ends[orbit].a == s)
                kept->orbits[count++] = orbit;
        }
        kept->start[r + 1] = count;
    }
    return GFAB_OK;
}

/* Some runs for so many rounds. */
static gfab_status search(anneal *a, uint32_t rounds, gfab_rounds *kept, bool *found, gfab_diag *diag)
{
    const uint32_t runs = a->options->effort ? a->options->effort : RUNS;
    gfab_status status = set_rounds(a, rounds, diag);
    *found = false;
    for (uint32_t i = 0; status == GFAB_OK && !*found && i < runs; i++)
        status = run(a, found);
    if (status == GFAB_OK && *found)
        status = keep(a, kept);
    gfab_arena_release(&a->of_rounds);
    return status;
}

/* The number of rounds asked for; else one less as long as that is found, from where random matchings will do. */
static gfab_status search_all(anneal *a, gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(gfab_rounds_release) gfab_rounds kept = {.rounds = 0};
    gfab_bound bound;
    const uint32_t asked = a->options->rounds;
    bool found = false;
    GFAB_TRY(gfab_bound_best(a->symmetry->topology, gfab_schedule_model(schedule), a->options->progress, &bound));
    if (asked || bound.rounds > GFAB_MAX_ROUNDS / 2)
        GFAB_TRY(search(a, asked && asked < GFAB_MAX_ROUNDS ? asked : GFAB_MAX_ROUNDS, &kept, &found, diag));
    else {
        for (uint32_t rounds = 2 * (uint32_t)bound.rounds; !found; rounds *= 2)
            GFAB_TRY(search(a, rounds, &kept, &found, diag));
        while (found && kept.rounds > bound.rounds)
            GFAB_TRY(search(a, kept.rounds - 1, &kept, &found, diag));
    }
    if (kept.rounds == 0)
        return GFAB_REFUSE(diag, "none of %u rounds was found; more steps or effort may", asked);
    return gfab_rounds_write(&kept, a->symmetry, schedule);
}

static gfab_status prepare(anneal *a)
{
    const gfab_symmetry *s = a->symmetry;
    a->pairs = gfab_arena_zeroed(&a->arena, s->links, sizeof *a->pairs);
    GFAB_ARRAYS(&a->arena, s->link_orbits, a->ends, a->usable);
    a->near = gfab_arena_zeroed(&a->arena, 2 * (size_t)s->link_orbits, sizeof *a->near);
    a->near_start = gfab_arena_zeroed(&a->arena, a->tokens + 1, sizeof *a->near_start);
    a->before = gfab_arena_zeroed2(&a->arena, 2, a->tokens, sizeof *a->before);
    a->loose = gfab_arena_zeroed(&a->arena, 4, sizeof *a->loose);
    GFAB_NEED(!a->arena.failed);
    for (uint32_t i = 0; i < s->links; i++) {
        const gfab_link link = gfab_topology_link(s->topology, s->link_list[i]);
        a->pairs[i] = (pair){link.node[0], link.node[1]};
    }
    for (uint32_t o = 0; o < s->link_orbits; o++) {
        const pair first = a->pairs[s->link_start[o]];
        a->ends[o] = (pair){s->node_orbit[first.a], s->node_orbit[first.b]};
        if (s->usable[o])
            a->usable[a->usable_count++] = o;
    }
    uint32_t count = 0;
    for (uint32_t v = 0; v < a->tokens; v++) {
        size_t ports;
        const gfab_port *port = gfab_topology_ports(s->topology, s->first_node[v], &ports);
        for (; ports > 0; ports--, port++) { /* usable: no other port of the node has the same */
            const uint32_t orbit = s->link_orbit[port->link];
            if (s->usable[orbit])
                a->near[count++] = orbit;
        }
        a->near_start[v + 1] = count;
    }
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    uint64_t steps = 500000;
    GFAB_AT_END(gfab_symmetry_release) gfab_symmetry symmetry = {0};
    GFAB_TRY(gfab_parameter_number(options->parameters, "steps", 1, UINT32_MAX, &steps, diag));
    GFAB_TRY(gfab_telephone_symmetry(topology, options, gfab_symmetry_default(topology), &symmetry, diag));
    GFAB_AT_END(anneal_release)
    anneal a = {.symmetry = &symmetry,
                .options = options,
                .nodes = symmetry.nodes,
                .tokens = symmetry.node_orbits,
                .words = (symmetry.node_orbits + (size_t)63) / 64,
                .steps = steps,
                .random = options->seed};
    GFAB_TRY(prepare(&a));
    return search_all(&a, schedule, diag);
}

GFAB_SOLVE(solve, anneal, build)

static const char *const parameters[] = {"symmetry", "steps", NULL};

const gfab_solver gfab_solver_anneal = {
    .name = "anneal",
    .summary = "telephone model: simulated annealing among schedules that a symmetry leaves as they are",
    .source = "gossipfab, docs/theory/records.md",
    .applies = gfab_telephone_check,
    .solve = solve,
    .on_request = true,
    .parameters = parameters,
    .only = GFAB_ONLY_TELEPHONE,
};
