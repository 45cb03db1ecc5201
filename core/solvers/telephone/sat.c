/* SPDX-License-Identifier: MIT */
/* Gossip in the telephone model by SAT, whole or among the schedules invariant under a group.
 *
 * One variable x(o, r) a usable link orbit and round, one h(p, v, r) for "v has p when round r is over", p the token of
 * an orbit's first node. As all links in use are a matching, a token comes over the one link in use or was there:
 *   not both x(o, r) and x(o', r) where o and o' meet at a node;
 *   h(p, v, r) and x(o, r), o the orbit of link (u, v)  =>  h(p, v, r - 1) or h(p, u, r - 1);
 *   h(p, v, r)  =>  h(p, v, r - 1) or x(o, r) for some link (u, v) of an orbit o whose u can have p by then;
 *   h(p, v, R).
 * h is left out, false, before the round in which p can come at all, and true for v = p and for r = R. No move has a
 * variable of its own: the formula is far smaller than the general one of prove.c. A model's x are a gossip; the other
 * way, what a gossip's nodes hold makes all clauses true. So where there is no model there is no gossip that the group
 * leaves as it is, in R rounds.
 *
 * Two settings leave fewer variables, and fewer schedules. With mirror=g, round R + 1 - r is the image of round r under
 * the symmetry g: they share their variables. With exchange=odd, of a shuffle-exchange graph, rounds of even number use
 * no exchange link, the first and the last one all of them. */
#include "prove/cadical_guard.h"
#include "telephone.h"

#include <gossipfab/schedule/bound.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VARIABLES 8000000
/* Conflicts that one effort stands for, at each number of rounds, and the effort where none is given. */
#define CONFLICTS 10000
#define EFFORT 10
#define ALWAYS INT_MAX /* in place of a variable: true; 0: false */

typedef struct formula {
    const gfab_topology *topology;
    const gfab_symmetry *symmetry;
    const gfab_solver_options *options;
    gfab_cadical *solver;
    uint32_t rounds;
    uint32_t *mirror; /* [orbit]: its image; NULL: no mirror */
    bool exchange_odd;
    int variables;
    int *x; /* [round - 1][orbit] */
    int *h; /* [node][round 0..rounds] of the token in hand */
    uint32_t *distance;
    uint32_t *work;
    bool stopped;
    bool failed; /* out of memory */
} formula;

static int *used(const formula *f, uint32_t round, uint32_t link)
{
    return &f->x[(size_t)(round - 1) * f->symmetry->link_orbits + f->symmetry->link_orbit[link]];
}

static int *has(const formula *f, uint32_t node, uint32_t round)
{
    return &f->h[(size_t)node * (f->rounds + 1) + round];
}

static void add(formula *f, int literal)
{
    f->failed = f->failed || gfab_cadical_add(f->solver, literal) != GFAB_OK;
}

static bool is_exchange(const gfab_symmetry *s, uint32_t orbit)
{
    const gfab_link link = gfab_topology_link(s->topology, s->link_list[s->link_start[orbit]]);
    return (link.node[0] ^ link.node[1]) == 1;
}

/* The variables of a round: new ones, or those of the round that it mirrors. */
static void add_round(formula *f, uint32_t round)
{
    const gfab_symmetry *s = f->symmetry;
    const uint32_t other = f->rounds + 1 - round;
    for (uint32_t o = 0; o < s->link_orbits; o++) {
        int *const x = &f->x[(size_t)(round - 1) * s->link_orbits + o];
        const bool exchange = f->exchange_odd && is_exchange(s, o);
        if (!s->usable[o] || (exchange && round % 2 == 0))
            continue;
        if (f->mirror && (other < round || (other == round && f->mirror[o] < o)))
            *x = f->x[(size_t)(other - 1) * s->link_orbits + f->mirror[o]];
        else
            *x = ++f->variables;
        if (exchange && (round == 1 || round == f->rounds)) {
            add(f, *x);
            add(f, 0);
        }
    }
}

static void add_matchings(formula *f)
{
    const gfab_symmetry *s = f->symmetry;
    for (uint32_t round = 1; round <= f->rounds; round++)
        add_round(f, round);
    for (uint32_t round = 1; round <= f->rounds; round++)
        for (uint32_t o = 0; o < s->node_orbits; o++) {
            size_t count;
            const gfab_port *ports = gfab_topology_ports(f->topology, s->first_node[o], &count);
            for (size_t i = 0; i < count; i++)
                for (size_t j = i + 1; j < count; j++) {
                    const int a = *used(f, round, ports[i].link), b = *used(f, round, ports[j].link);
                    if (a == 0 || b == 0)
                        continue;
                    add(f, -a);
                    add(f, -b);
                    add(f, 0);
                }
        }
}

/* What a literal of h adds to a clause in which it stands positive, or negative: nothing where it is false there.
 * Clauses in which it is true must not be made. */
static void add_held(formula *f, int held, int sign)
{
    if (held != 0 && held != ALWAYS)
        add(f, sign * held);
}

/* Why node has the token when a round is over. */
static void add_reasons(formula *f, uint32_t node, uint32_t round)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &count);
    const int now = *has(f, node, round), before = *has(f, node, round - 1);
    if (now == 0 || before == ALWAYS)
        return;
    for (size_t i = 0; i < count; i++) {
        const int x = *used(f, round, ports[i].link), there = *has(f, ports[i].peer, round - 1);
        if (x == 0 || there == 0 || there == ALWAYS)
            continue;
        add_held(f, now, -1);
        add_held(f, before, 1);
        add(f, -x);
        add(f, there);
        add(f, 0);
    }
    add_held(f, now, -1);
    add_held(f, before, 1);
    for (size_t i = 0; i < count; i++)
        if (*has(f, ports[i].peer, round - 1) != 0 && *used(f, round, ports[i].link) != 0)
            add(f, *used(f, round, ports[i].link));
    add(f, 0);
}

static gfab_status add_token(formula *f, uint32_t token)
{
    const uint32_t nodes = f->symmetry->nodes;
    gfab_topology_distances(f->topology, token, f->distance, f->work);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t round = 0; round <= f->rounds; round++) {
            const bool always = v == token || round == f->rounds;
            *has(f, v, round) = always ? ALWAYS : f->distance[v] > round ? 0 : ++f->variables;
        }
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t round = 1; v != token && round <= f->rounds; round++)
            add_reasons(f, v, round);
    return f->failed ? GFAB_ERR_NO_MEMORY : gfab_solver_report(f->options, "tokens", token, nodes);
}

static gfab_status make_formula(formula *f)
{
    const gfab_symmetry *s = f->symmetry;
    f->variables = 0;
    add_matchings(f);
    for (uint32_t o = 0; o < s->node_orbits; o++)
        GFAB_TRY(add_token(f, s->first_node[o]));
    return GFAB_OK;
}

static int on_terminate(void *state)
{
    formula *f = state;
    f->stopped = f->stopped || gfab_solver_report(f->options, "rounds", f->rounds, 0) != GFAB_OK;
    return f->stopped;
}

static gfab_status read_model(const formula *f, gfab_schedule *schedule)
{
    const gfab_symmetry *s = f->symmetry;
    GFAB_AT_END(gfab_rounds_release) gfab_rounds rounds = {0};
    GFAB_TRY(gfab_rounds_create(s, f->rounds, &rounds));
    uint32_t count = 0;
    for (uint32_t r = 0; r < f->rounds; r++) {
        for (uint32_t o = 0; o < s->link_orbits; o++) {
            const int x = f->x[(size_t)r * s->link_orbits + o];
            if (x != 0 && gfab_cadical_value(f->solver, x) > 0)
                rounds.orbits[count++] = o;
        }
        rounds.start[r + 1] = count;
    }
    return gfab_rounds_write(&rounds, s, schedule);
}

/* Asks for a gossip in f->rounds. *answer: 10 yes, 20 no, 0 given up; as CaDiCaL has it. */
static gfab_status ask(formula *f, gfab_schedule *schedule, int *answer, gfab_diag *diag)
{
    const gfab_symmetry *s = f->symmetry;
    const uint64_t effort = f->options->effort ? f->options->effort : EFFORT;
    if (f->exchange_odd && f->rounds % 2 == 0)
        return GFAB_REFUSE(diag, "exchange=odd is for an odd number of rounds, as --rounds says, not %u", f->rounds);
    if (s->node_orbits > MAX_VARIABLES / s->nodes / (f->rounds + 1))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "too large for SAT: %u tokens and %u nodes in %u rounds make more than %d variables; name a "
                         "larger group with symmetry=",
                         s->node_orbits, s->nodes, f->rounds, MAX_VARIABLES);
    f->x = calloc((size_t)f->rounds * s->link_orbits, sizeof *f->x);
    f->h = calloc((size_t)s->nodes * (f->rounds + 1), sizeof *f->h);
    const gfab_cadical_watch watch = {f, on_terminate, NULL};
    gfab_status status = f->x && f->h ? gfab_cadical_create(&watch, &f->solver) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_cadical_set_option(f->solver, "quiet", 1));
    GFAB_THEN(status, gfab_cadical_set_option(f->solver, "seed", (int)(f->options->seed % 2000000000)));
    GFAB_THEN(status, make_formula(f));
    GFAB_THEN(status,
              gfab_cadical_solve(f->solver, effort < INT_MAX / CONFLICTS ? (int)effort * CONFLICTS : INT_MAX, answer));
    GFAB_THEN(status, f->stopped ? GFAB_ERR_INTERRUPTED : *answer == 10 ? read_model(f, schedule) : GFAB_OK);
    gfab_cadical_release(f->solver, status);
    f->solver = NULL;
    GFAB_FREE(f->x, f->h);
    return status;
}

/* The number of rounds asked for; else from the lower bound upwards: impossible ones are quickly seen to be so, or
 * given up, and easy ones follow. */
static gfab_status search(formula *f, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_solver_options *options = f->options;
    gfab_bound bound;
    int answer = 0;
    gfab_status status = gfab_bound_best(f->topology, gfab_schedule_model(schedule), options->progress, &bound);
    if (status != GFAB_OK)
        return status;
    if (options->rounds) {
        f->rounds = options->rounds < GFAB_MAX_ROUNDS ? options->rounds : GFAB_MAX_ROUNDS;
        status = ask(f, schedule, &answer, diag);
        if (status == GFAB_OK && answer != 10)
            return GFAB_REFUSE(diag,
                               answer != 20          ? "none of %u rounds was found; a greater --effort may"
                               : options->parameters ? "there is none of %u rounds with these settings, shown by SAT"
                                                     : "there is none of %u rounds, shown by SAT",
                               options->rounds);
        return status;
    }
    f->rounds = bound.rounds < GFAB_MAX_ROUNDS ? (uint32_t)bound.rounds : GFAB_MAX_ROUNDS;
    for (; status == GFAB_OK && answer != 10; f->rounds++)
        status = ask(f, schedule, &answer, diag);
    return status;
}

/* The image of each link orbit: in an orbit of the group with the mirror there are it and its image, or it alone. */
static gfab_status find_images(const gfab_symmetry *s, const gfab_symmetry *both, uint32_t *mirror)
{
    for (uint32_t o = 0; o < s->link_orbits; o++) {
        const uint32_t wide = both->link_orbit[s->link_list[s->link_start[o]]];
        mirror[o] = o;
        for (uint32_t i = both->link_start[wide]; i < both->link_start[wide + 1]; i++) {
            const uint32_t other = s->link_orbit[both->link_list[i]];
            if (other == o || other == mirror[o])
                continue;
            if (mirror[o] != o)
                return GFAB_ERR_UNSUPPORTED;
            mirror[o] = other;
        }
    }
    return GFAB_OK;
}

static gfab_status read_mirror(formula *f, const char *name, size_t length, gfab_diag *diag)
{
    const gfab_symmetry *s = f->symmetry;
    size_t group_length = 0;
    const char *group = gfab_parameter(f->options->parameters, "symmetry", &group_length);
    GFAB_AT_END(gfab_symmetry_release) gfab_symmetry both = {0};
    const bool alone = !group || (group_length == 4 && memcmp(group, "none", 4) == 0);
    const size_t room = length + group_length + 2;
    GFAB_FREED char *text = malloc(room);
    f->mirror = calloc(s->link_orbits, sizeof *f->mirror);
    GFAB_NEED(text && f->mirror);
    (void)snprintf(text, room, "%.*s%s%.*s", alone ? 0 : (int)group_length, alone ? "" : group, alone ? "" : "+",
                   (int)length, name);
    gfab_status status = gfab_symmetry_create(f->topology, text, strlen(text), &both, diag);
    GFAB_THEN(status, find_images(s, &both, f->mirror));
    if (status == GFAB_ERR_UNSUPPORTED)
        status = gfab_fail(diag, 0, status, "mirror=%.*s: done twice it is not in the group that symmetry= names",
                           length < 100 ? (int)length : 100, name);
    return status;
}

static gfab_status read_settings(formula *f, gfab_diag *diag)
{
    size_t length = 0;
    const char *text = gfab_parameter(f->options->parameters, "exchange", &length);
    if (text && (length != 3 || memcmp(text, "odd", 3) != 0))
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "exchange=%.*s: odd is expected", length < 100 ? (int)length : 100,
                         text);
    f->exchange_odd = text;
    if (text && strncmp(gfab_topology_spec(f->topology), "shuffle-exchange:", strlen("shuffle-exchange:")) != 0)
        return GFAB_REFUSE(diag, "exchange=odd is for shuffle-exchange graphs");
    text = gfab_parameter(f->options->parameters, "mirror", &length);
    return text ? read_mirror(f, text, length, diag) : GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    (void)model;
    GFAB_AT_END(gfab_symmetry_release) gfab_symmetry symmetry = {0};
    GFAB_TRY(gfab_telephone_symmetry(topology, options, "none", &symmetry, diag));
    formula f = {.topology = topology, .symmetry = &symmetry, .options = options};
    GFAB_FREED uint32_t *distance = calloc(symmetry.nodes, sizeof *distance);
    GFAB_FREED uint32_t *work = calloc(symmetry.nodes, sizeof *work);
    GFAB_NEED(distance && work);
    f.distance = distance;
    f.work = work;
    gfab_status status = read_settings(&f, diag);
    GFAB_THEN(status, search(&f, schedule, diag));
    free(f.mirror);
    return status;
}

GFAB_SOLVE(solve, sat, build)

static const char *const parameters[] = {"symmetry", "mirror", "exchange", NULL};

const gfab_solver gfab_solver_sat = {
    .name = "sat",
    .summary = "telephone model, small graphs: the fewest rounds by SAT, also among schedules with a symmetry",
    .source = "gossipfab, docs/theory/records.md",
    .applies = gfab_telephone_check,
    .solve = solve,
    .on_request = true,
    .parameters = parameters,
    .only = GFAB_ONLY_TELEPHONE,
};
