/* SPDX-License-Identifier: MIT */
/* Gossip in the telephone model by beam search among the schedules invariant under a group: round by round all maximal
 * matchings of link orbits are tried on each state kept, and the best states go on. A state is small: who has the token
 * of one node of each orbit. A state is the better the less its tokens still have to go: the sum of the powers of the
 * distances from all nodes to each token's holders, as in the cost of Beier & Sibeyn, section 4.2, Look-Ahead. */
#include "telephone.h"

#include "base/random.h"

#include <gossipfab/schedule/bound.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MATCHINGS 2000
#define MAX_VISITS 10000000
#define NOT_YET UINT32_MAX

/* A state to come: what a matching makes of one that is kept. */
typedef struct candidate {
    uint64_t score; /* smaller is better */
    uint64_t hash;  /* of the tokens' holders: equal ones are one state */
    uint32_t parent, matching;
} candidate;

/* How a state came about, over all rounds. */
typedef struct step {
    uint32_t parent, matching;
} step;

typedef struct beam {
    const gfab_topology *topology;
    const gfab_symmetry *symmetry;
    const gfab_solver_options *options;
    size_t nodes, tokens, words; /* tokens: those of the orbits' first nodes; words: of a bit set of nodes */
    size_t state_words;
    uint32_t matchings;
    uint32_t *orbits; /* [matching * tokens]: its link orbits, filled up with UINT32_MAX */
    uint32_t *mates;  /* [matching * nodes]; the node itself where it has none */
    size_t width;
    uint64_t *power; /* [nodes]: of a distance */
    uint64_t *kept;  /* [width * state_words] */
    uint64_t *made;
    size_t kept_count;
    candidate *candidates; /* [width * matchings] */
    step *steps;           /* of round after round, as many as states were kept in each */
    size_t *step_start;    /* [round] */
    size_t step_room, round_room;
    uint64_t *next;      /* [state_words] */
    uint32_t *distances; /* [nodes] */
    uint32_t *queue;     /* [nodes] */
} beam;

/* The matchings in the making. */
typedef struct choice {
    beam *b;
    uint32_t *orbits; /* [tokens] */
    uint32_t count;
    uint8_t *state; /* [node orbit]: 0 open, 1 matched, 2 left out */
    uint32_t visits;
    bool failed, too_many;
} choice;

static uint32_t other_end(const gfab_symmetry *s, uint32_t orbit, uint32_t node_orbit)
{
    const gfab_link link = gfab_topology_link(s->topology, s->link_list[s->link_start[orbit]]);
    const uint32_t a = s->node_orbit[link.node[0]], b = s->node_orbit[link.node[1]];
    return a == node_orbit ? b : a;
}

/* Whether the i-th port of an orbit's first node belongs to a usable link orbit that no port before it does. */
static bool is_first_port(const gfab_symmetry *s, const gfab_port *ports, size_t i)
{
    const uint32_t orbit = s->link_orbit[ports[i].link];
    for (size_t j = 0; j < i; j++)
        if (s->link_orbit[ports[j].link] == orbit)
            return false;
    return s->usable[orbit];
}

static void keep_matching(choice *c)
{
    beam *b = c->b;
    if (b->matchings == MAX_MATCHINGS) {
        c->too_many = true;
        return;
    }
    uint32_t *grown = realloc(b->orbits, (b->matchings + (size_t)1) * b->tokens * sizeof *grown);
    if (!grown) {
        c->failed = true;
        return;
    }
    b->orbits = grown;
    grown += b->matchings++ * b->tokens;
    memset(grown, 0xff, b->tokens * sizeof *grown);
    memcpy(grown, c->orbits, c->count * sizeof *grown);
}

/* All ways to match the node orbits from one on. Two neighbours are not both left out: more links never hurt. */
static void match_from(choice *c, uint32_t node_orbit)
{
    const gfab_symmetry *s = c->b->symmetry;
    size_t count;
    while (node_orbit < s->node_orbits && c->state[node_orbit] != 0)
        node_orbit++;
    if (node_orbit == s->node_orbits) {
        keep_matching(c);
        return;
    }
    c->too_many = ++c->visits == MAX_VISITS;
    bool must = false; /* it has a usable link to itself, or to one left out */
    const gfab_port *ports = gfab_topology_ports(s->topology, s->first_node[node_orbit], &count);
    for (size_t i = 0; i < count && !c->failed && !c->too_many; i++) {
        const uint32_t orbit = s->link_orbit[ports[i].link], other = other_end(s, orbit, node_orbit);
        if (!is_first_port(s, ports, i))
            continue;
        must = must || other == node_orbit || c->state[other] == 2;
        if (c->state[other] != 0)
            continue;
        c->state[node_orbit] = c->state[other] = 1;
        c->orbits[c->count++] = orbit;
        match_from(c, node_orbit + 1);
        c->count--;
        c->state[node_orbit] = c->state[other] = 0;
    }
    if (must || c->failed || c->too_many)
        return;
    c->state[node_orbit] = 2;
    match_from(c, node_orbit + 1);
    c->state[node_orbit] = 0;
}

static void set_mates(beam *b)
{
    const gfab_symmetry *s = b->symmetry;
    for (uint32_t m = 0; m < b->matchings; m++) {
        uint32_t *mates = b->mates + m * b->nodes;
        for (uint32_t v = 0; v < b->nodes; v++)
            mates[v] = v;
        for (size_t i = 0; i < b->tokens && b->orbits[m * b->tokens + i] != UINT32_MAX; i++) {
            const uint32_t orbit = b->orbits[m * b->tokens + i];
            for (uint32_t at = s->link_start[orbit]; at < s->link_start[orbit + 1]; at++) {
                const gfab_link link = gfab_topology_link(s->topology, s->link_list[at]);
                mates[link.node[0]] = link.node[1];
                mates[link.node[1]] = link.node[0];
            }
        }
    }
}

static gfab_status list_matchings(beam *b, gfab_diag *diag)
{
    choice c = {.b = b};
    c.orbits = calloc(b->tokens, sizeof *c.orbits);
    c.state = calloc(b->tokens, sizeof *c.state);
    c.failed = !c.orbits || !c.state;
    if (!c.failed)
        match_from(&c, 0);
    free(c.orbits);
    free(c.state);
    if (c.failed)
        return GFAB_ERR_NO_MEMORY;
    if (c.too_many)
        return gfab_fail(
            diag, 0, GFAB_ERR_UNSUPPORTED,
            "there are more than %d matchings to choose from; name a larger group with symmetry=", MAX_MATCHINGS);
    b->mates = calloc(b->matchings * b->nodes, sizeof *b->mates);
    if (!b->mates)
        return GFAB_ERR_NO_MEMORY;
    set_mates(b);
    return GFAB_OK;
}

static uint64_t apply(const beam *b, const uint64_t *state, uint32_t matching, uint64_t *next)
{
    const uint32_t *mates = b->mates + matching * b->nodes;
    uint64_t hash = 0;
    memcpy(next, state, b->state_words * sizeof *next);
    for (size_t i = 0; i < b->state_words; i++)
        for (uint64_t bits = state[i]; bits; bits &= bits - 1) {
            const uint32_t mate = mates[i % b->words * 64 + (size_t)__builtin_ctzll(bits)];
            next[i - i % b->words + mate / 64] |= (uint64_t)1 << mate % 64;
        }
    for (size_t i = 0; i < b->state_words; i++) {
        uint64_t seed = hash + next[i];
        hash = gfab_random(&seed);
    }
    return hash;
}

/* What one token still has to go; *farthest grows to the longest way. */
static uint64_t rate_token(const beam *b, const uint64_t *holders, uint32_t *farthest)
{
    size_t count = 0;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < b->nodes; v++) {
        const bool holds = holders[v / 64] >> v % 64 & 1;
        b->distances[v] = holds ? 0 : NOT_YET;
        if (holds)
            b->queue[count++] = v;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = b->queue[i];
        size_t degree;
        const gfab_port *ports = gfab_topology_ports(b->topology, v, &degree);
        for (size_t j = 0; j < degree; j++) {
            const uint32_t peer = ports[j].peer;
            if (b->distances[peer] != NOT_YET)
                continue;
            b->distances[peer] = b->distances[v] + 1;
            b->queue[count++] = peer;
            sum += b->power[b->distances[peer]];
        }
    }
    const uint32_t last = b->distances[b->queue[count - 1]];
    if (last > *farthest)
        *farthest = last;
    return sum;
}

/* Score 0: all is done. *farthest: rounds that it takes at least. */
static uint64_t rate(const beam *b, const uint64_t *state, uint32_t *farthest)
{
    uint64_t score = 0;
    *farthest = 0;
    for (size_t t = 0; t < b->tokens; t++)
        score += b->symmetry->node_count[t] * rate_token(b, state + t * b->words, farthest);
    return score;
}

/* By score, then equal states together, then in the order of making. */
static int compare(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return a->matching < b->matching ? -1 : a->matching > b->matching;
}

/* All children of the states kept that may be done in `left` rounds after this one, best first, each once. */
static gfab_status make_candidates(beam *b, uint32_t round, uint32_t left, size_t *count)
{
    size_t all = 0;
    for (uint32_t s = 0; s < b->kept_count; s++) {
        for (uint32_t m = 0; m < b->matchings; m++) {
            candidate *c = &b->candidates[all];
            uint32_t farthest;
            c->hash = apply(b, b->kept + s * b->state_words, m, b->next);
            c->score = rate(b, b->next, &farthest);
            c->parent = s;
            c->matching = m;
            all += farthest <= left;
        }
        const gfab_status status = gfab_solver_report(b->options, "rounds", round, 0);
        if (status != GFAB_OK)
            return status;
    }
    qsort(b->candidates, all, sizeof *b->candidates, compare);
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (*count == 0 || b->candidates[i].hash != b->candidates[*count - 1].hash)
            b->candidates[(*count)++] = b->candidates[i];
    return GFAB_OK;
}

static gfab_status keep_best(beam *b, uint32_t round, size_t count)
{
    const size_t start = b->step_start[round - 1];
    count = count < b->width ? count : b->width;
    if (start + count > b->step_room || round + (size_t)1 >= b->round_room) {
        const size_t room = 2 * (start + count), rounds = 2 * ((size_t)round + 1);
        step *steps = realloc(b->steps, room * sizeof *steps);
        b->steps = steps ? steps : b->steps;
        size_t *starts = steps ? realloc(b->step_start, rounds * sizeof *starts) : NULL;
        if (!starts)
            return GFAB_ERR_NO_MEMORY;
        b->step_start = starts;
        b->step_room = room;
        b->round_room = rounds;
    }
    for (size_t i = 0; i < count; i++) {
        const candidate *c = &b->candidates[i];
        b->steps[start + i] = (step){c->parent, c->matching};
        apply(b, b->kept + c->parent * b->state_words, c->matching, b->made + i * b->state_words);
    }
    uint64_t *swap = b->kept;
    b->kept = b->made;
    b->made = swap;
    b->kept_count = count;
    b->step_start[round] = start + count;
    return GFAB_OK;
}

/* The way to the best state of the last round. */
static gfab_status trace(const beam *b, uint32_t rounds, gfab_rounds *found)
{
    gfab_rounds_release(found);
    const gfab_status status = gfab_rounds_create(b->symmetry, rounds, found);
    uint32_t at = 0, *taken = status == GFAB_OK ? calloc(rounds, sizeof *taken) : NULL;
    if (!taken)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t r = rounds; r-- > 0;) {
        const step s = b->steps[b->step_start[r] + at];
        taken[r] = s.matching;
        at = s.parent;
    }
    uint32_t count = 0;
    for (uint32_t r = 0; r < rounds; r++) {
        const uint32_t *orbits = b->orbits + taken[r] * b->tokens;
        for (size_t i = 0; i < b->tokens && orbits[i] != UINT32_MAX; i++)
            found->orbits[count++] = orbits[i];
        found->start[r + 1] = count;
    }
    free(taken);
    return GFAB_OK;
}

/* One search for at most so many rounds; *found unchanged where there is none. */
static gfab_status search(beam *b, uint32_t limit, gfab_rounds *found, bool *success)
{
    gfab_status status = GFAB_OK;
    *success = false;
    memset(b->kept, 0, b->state_words * sizeof *b->kept);
    for (size_t t = 0; t < b->tokens; t++) {
        const uint32_t v = b->symmetry->first_node[t];
        b->kept[t * b->words + v / 64] |= (uint64_t)1 << v % 64;
    }
    b->kept_count = 1;
    b->step_start[0] = 0;
    for (uint32_t round = 1; status == GFAB_OK && round <= limit; round++) {
        size_t count = 0;
        status = make_candidates(b, round, limit - round, &count);
        if (status != GFAB_OK || count == 0)
            return status;
        *success = b->candidates[0].score == 0;
        status = keep_best(b, round, count);
        if (status == GFAB_OK && *success)
            return trace(b, round, found);
    }
    return status;
}

/* First without a limit, or with the one asked for, then for one round less as long as that is found. */
static gfab_status search_all(beam *b, gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_rounds found = {.rounds = 0};
    gfab_bound bound;
    gfab_status status = gfab_bound_best(b->topology, gfab_schedule_model(schedule), &bound);
    uint32_t limit = b->options->rounds ? b->options->rounds : GFAB_MAX_ROUNDS;
    bool success = true;
    while (status == GFAB_OK && success && limit >= bound.rounds) {
        status = search(b, limit, &found, &success);
        limit = found.rounds - 1;
        if (b->options->rounds)
            break;
    }
    if (status == GFAB_OK && found.rounds == 0)
        status = gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "none was found in %u rounds; a greater width may",
                           b->options->rounds);
    if (status == GFAB_OK)
        status = gfab_rounds_write(&found, b->symmetry, schedule);
    gfab_rounds_release(&found);
    return status;
}

static gfab_status allocate(beam *b, uint64_t exponent)
{
    const size_t most = SIZE_MAX / sizeof(candidate) / 2;
    if (b->width > most / b->state_words || b->width > most / b->matchings)
        return GFAB_ERR_NO_MEMORY;
    b->step_room = b->width;
    b->round_room = 64;
    b->power = calloc(b->nodes + 1, sizeof *b->power);
    b->kept = calloc(b->width * b->state_words, sizeof *b->kept);
    b->made = calloc(b->width * b->state_words, sizeof *b->made);
    b->candidates = calloc(b->width * b->matchings, sizeof *b->candidates);
    b->steps = calloc(b->step_room, sizeof *b->steps);
    b->step_start = calloc(b->round_room, sizeof *b->step_start);
    b->next = calloc(b->state_words, sizeof *b->next);
    b->distances = calloc(b->nodes, sizeof *b->distances);
    b->queue = calloc(b->nodes, sizeof *b->queue);
    if (!b->power || !b->kept || !b->made || !b->candidates || !b->steps || !b->step_start || !b->next ||
        !b->distances || !b->queue)
        return GFAB_ERR_NO_MEMORY;
    const uint64_t most_power = UINT64_MAX / b->nodes / b->nodes; /* so that scores fit */
    for (size_t d = 1; d <= b->nodes; d++) {
        b->power[d] = 1;
        for (uint64_t e = 0; e < exponent; e++)
            b->power[d] = b->power[d] < most_power / d ? b->power[d] * d : most_power;
    }
    return GFAB_OK;
}

static void release(beam *b)
{
    free(b->orbits);
    free(b->mates);
    free(b->power);
    free(b->kept);
    free(b->made);
    free(b->candidates);
    free(b->steps);
    free(b->step_start);
    free(b->next);
    free(b->distances);
    free(b->queue);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    uint64_t width = 300, exponent = 4;
    gfab_symmetry symmetry;
    gfab_status status = gfab_parameter_number(options->parameters, "width", 1, 10000000, &width, diag);
    if (status == GFAB_OK)
        status = gfab_parameter_number(options->parameters, "exponent", 0, 20, &exponent, diag);
    if (status == GFAB_OK)
        status = gfab_telephone_symmetry(topology, options, gfab_symmetry_default(topology), &symmetry, diag);
    if (status != GFAB_OK)
        return status;
    beam b = {.topology = topology,
              .symmetry = &symmetry,
              .options = options,
              .nodes = symmetry.nodes,
              .tokens = symmetry.node_orbits,
              .words = (symmetry.nodes + (size_t)63) / 64,
              .width = (size_t)width * (options->effort ? options->effort : 1)};
    b.state_words = b.tokens * b.words;
    status = list_matchings(&b, diag);
    if (status == GFAB_OK)
        status = allocate(&b, exponent);
    if (status == GFAB_OK)
        status = search_all(&b, schedule, diag);
    release(&b);
    gfab_symmetry_release(&symmetry);
    return status;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    return gfab_telephone_check(topology, model, "beam", diag);
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_beam, build, topology, model, options, schedule, diag);
}

static const char *const parameters[] = {"symmetry", "width", "exponent", NULL};

const gfab_solver gfab_solver_beam = {
    .name = "beam",
    .summary = "telephone model: a beam search among schedules that a symmetry of the graph leaves as they are",
    .source = "gossipfab, docs/theory/records.md",
    .applies = applies,
    .solve = solve,
    .on_request = true,
    .parameters = parameters,
};
