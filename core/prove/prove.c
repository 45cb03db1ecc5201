/* SPDX-License-Identifier: MIT */
/* The formula "there is a gossip of R rounds", given to CaDiCaL. docs/theory/certificates.md. */
#include "cnf.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

/* "v has t when round r is over", r from 0; "arc carries t in round r", r from 1. A variable that would be false in
 * every schedule, because t can't have come so far yet, is 0. */
typedef struct formula {
    const gfab_topology *topology;
    const gfab_model *model;
    size_t nodes, links, tokens;    /* a token a member */
    uint32_t rounds, max_transfers; /* max_transfers 0: any number */
    int *has;                       /* [node][token][round] */
    int *moves;                     /* [arc][token][round - 1] */
    int *longest; /* [round - 1][n]: a packet of the round has more than n tokens; where transfers are limited */
    gfab_cnf cnf;
    gfab_schedule **schedule; /* where it goes; may be NULL */
    gfab_arena arena;
} formula;

static int *has(const formula *f, size_t node, size_t token, size_t round)
{
    return &f->has[(node * f->tokens + token) * (f->rounds + 1) + round];
}

static int *moves(const formula *f, size_t arc, size_t token, size_t round)
{
    return &f->moves[(arc * f->tokens + token) * f->rounds + round - 1];
}

/* more[j] follows where more than j of the literals are true, for all j: the same counter. */
static void add_count(formula *f, const int *literals, size_t count, const int *more)
{
    int first = 0;
    for (size_t i = 0; i < count && !f->cnf.failed; i++) {
        const int before = first;
        first = gfab_cnf_variable(&f->cnf);
        for (size_t j = 1; j <= i; j++)
            gfab_cnf_variable(&f->cnf);
        gfab_cnf_clause(&f->cnf, -literals[i], first, 0);
        gfab_cnf_clause(&f->cnf, -first, more[0], 0);
        for (int j = 0; j < (int)i; j++) {
            gfab_cnf_clause(&f->cnf, -(before + j), first + j, 0);
            gfab_cnf_clause(&f->cnf, -literals[i], -(before + j), first + j + 1);
            gfab_cnf_clause(&f->cnf, -(first + j + 1), more[j + 1], 0);
        }
    }
}

/* The rounds that a token at least needs over so many links. */
static uint64_t least_rounds(const formula *f, uint32_t distance)
{
    return distance == 0 ? 0 : 1 + (uint64_t)f->model->hop_rounds * (distance - 1);
}

static gfab_status make_variables(formula *f)
{
    const size_t arcs = 2 * f->links;
    const uint64_t lambda = f->model->hop_rounds;
    f->has = gfab_arena_zeroed(&f->arena, f->nodes * f->tokens * (f->rounds + 1), sizeof *f->has);
    f->moves = gfab_arena_zeroed(&f->arena, arcs * f->tokens * f->rounds + 1, sizeof *f->moves);
    uint32_t *distances = gfab_arena_zeroed2(&f->arena, 2, f->nodes, sizeof *distances);
    GFAB_NEED(!f->arena.failed);
    for (size_t token = 0; token < f->tokens; token++) {
        const uint32_t origin = gfab_topology_member(f->topology, (uint32_t)token);
        gfab_topology_distances(f->topology, origin, distances, distances + f->nodes);
        for (size_t node = 0; node < f->nodes; node++)
            for (uint64_t round = least_rounds(f, distances[node]); round <= f->rounds; round++)
                *has(f, node, token, round) = gfab_cnf_variable(&f->cnf);
        for (size_t arc = 0; arc < arcs; arc++) {
            const uint32_t from = gfab_topology_arc_from(f->topology, (gfab_arc)arc);
            const uint32_t to = gfab_topology_arc_to(f->topology, (gfab_arc)arc);
            for (uint64_t round = 1 + lambda * distances[from]; to != origin && round <= f->rounds; round++)
                *moves(f, arc, token, round) = gfab_cnf_variable(&f->cnf);
        }
    }
    return GFAB_OK;
}

/* One token at one node: it keeps it, has it only if it came, gets it once, and has it at the end. */
static void add_holding(formula *f, size_t node, size_t token, int *scratch)
{
    size_t port_count, arrivals = 0;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &port_count);
    if (node == gfab_topology_member(f->topology, (uint32_t)token))
        gfab_cnf_clause(&f->cnf, *has(f, node, token, 0), 0, 0);
    for (uint32_t round = 1; round <= f->rounds; round++) {
        const int now = *has(f, node, token, round), before = *has(f, node, token, round - 1);
        if (before)
            gfab_cnf_clause(&f->cnf, -before, now, 0);
        const size_t old = arrivals;
        for (size_t i = 0; i < port_count; i++) {
            const int move = *moves(f, 2 * ports[i].link + (ports[i].end == 0), token, round);
            if (!move)
                continue;
            scratch[arrivals++] = move;
            gfab_cnf_clause(&f->cnf, -move, now, 0);
            if (before)
                gfab_cnf_clause(&f->cnf, -move, -before, 0);
        }
        if (!now)
            continue;
        for (size_t i = old; i < arrivals; i++)
            gfab_cnf_add(&f->cnf, scratch[i]);
        gfab_cnf_clause(&f->cnf, -now, before, 0);
    }
    if (!gfab_topology_is_relay(f->topology, node))
        gfab_cnf_clause(&f->cnf, *has(f, node, token, f->rounds), 0, 0);
    gfab_cnf_at_most(&f->cnf, scratch, arrivals, 1);
}

/* The senders' side: what an arc carries has been with its sender for lambda rounds. */
static void add_sending(formula *f, gfab_arc arc, size_t token)
{
    const uint32_t from = gfab_topology_arc_from(f->topology, arc);
    const uint32_t lambda = f->model->hop_rounds;
    const uint32_t origin = gfab_topology_member(f->topology, (uint32_t)token);
    for (uint32_t round = 1; from != origin && round <= f->rounds; round++) {
        const int move = *moves(f, arc, token, round);
        if (move)
            gfab_cnf_clause(&f->cnf, -move, *has(f, from, token, round - lambda), 0);
    }
}

static size_t gather(const formula *f, size_t arc, uint32_t round, int *literals)
{
    size_t count = 0;
    for (size_t token = 0; token < f->tokens; token++)
        if (*moves(f, arc, token, round))
            literals[count++] = *moves(f, arc, token, round);
    return count;
}

/* What links and ports can do in one round. */
static void add_round(formula *f, uint32_t round, int *scratch, int *used)
{
    const gfab_model *model = f->model;
    const bool half = model->link_mode == GFAB_LINK_HALF, one = model->port_mode == GFAB_PORT_ONE;
    for (size_t link = 0; link < f->links; link++) {
        const size_t there = gather(f, 2 * link, round, scratch);
        const size_t both = there + gather(f, 2 * link + 1, round, scratch + there);
        const uint32_t most = model->packet_tokens * gfab_topology_weight(f->topology, link);
        if (half) {
            gfab_cnf_at_most(&f->cnf, scratch, both, most);
        } else {
            gfab_cnf_at_most(&f->cnf, scratch, there, most);
            gfab_cnf_at_most(&f->cnf, scratch + there, both - there, most);
        }
        if (f->max_transfers) {
            const int *more = f->longest + (size_t)(round - 1) * f->tokens;
            add_count(f, scratch, there, more);
            add_count(f, scratch + there, both - there, more);
        }
        if (half && model->packet_tokens > 1) {
            const int direction = gfab_cnf_variable(&f->cnf);
            for (size_t i = 0; i < both; i++)
                gfab_cnf_clause(&f->cnf, -scratch[i], i < there ? -direction : direction, 0);
        }
        if (one) {
            used[link] = gfab_cnf_variable(&f->cnf);
            for (size_t i = 0; i < both; i++)
                gfab_cnf_clause(&f->cnf, -scratch[i], used[link], 0);
        }
    }
    for (size_t node = 0; one && node < f->nodes; node++) {
        size_t port_count;
        const gfab_port *ports = gfab_topology_ports(f->topology, node, &port_count);
        for (size_t i = 0; i < port_count; i++)
            scratch[i] = used[ports[i].link];
        gfab_cnf_at_most(&f->cnf, scratch, port_count, 1);
    }
}

static gfab_status make_formula(formula *f)
{
    const size_t arcs = 2 * f->links;
    GFAB_TRY(make_variables(f));
    const size_t lengths = f->max_transfers ? f->tokens * f->rounds : 0;
    int *scratch = gfab_arena_zeroed(&f->arena, arcs * f->rounds + 2 * f->nodes + 2 * f->tokens, sizeof *scratch);
    int *used = gfab_arena_zeroed(&f->arena, f->links, sizeof *used);
    f->longest = gfab_arena_zeroed(&f->arena, lengths + 1, sizeof *f->longest);
    GFAB_NEED(!f->arena.failed);
    for (size_t i = 0; i < lengths; i++)
        f->longest[i] = gfab_cnf_variable(&f->cnf);
    for (size_t node = 0; node < f->nodes && !f->cnf.failed; node++)
        for (size_t token = 0; token < f->tokens; token++)
            add_holding(f, node, token, scratch);
    for (size_t arc = 0; arc < arcs && !f->cnf.failed; arc++)
        for (size_t token = 0; token < f->tokens; token++)
            add_sending(f, (gfab_arc)arc, token);
    for (uint32_t round = 1; round <= f->rounds && !f->cnf.failed; round++)
        add_round(f, round, scratch, used);
    gfab_cnf_at_most(&f->cnf, f->longest, lengths, f->max_transfers);
    return f->cnf.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

static gfab_status read_schedule(void *context, gfab_cadical *solver)
{
    const formula *f = context;
    gfab_schedule **schedule = f->schedule;
    if (!schedule)
        return GFAB_OK;
    gfab_status status = gfab_schedule_create(f->topology, f->model, schedule);
    GFAB_THEN(status, gfab_schedule_set_solver(*schedule, "sat"));
    GFAB_FREED uint32_t *tokens = calloc(f->tokens, sizeof *tokens);
    if (status == GFAB_OK && !tokens)
        status = GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 1; status == GFAB_OK && round <= f->rounds; round++)
        for (gfab_arc arc = 0; status == GFAB_OK && arc < 2 * f->links; arc++) {
            size_t count = 0;
            for (uint32_t token = 0; token < f->tokens; token++) {
                const int move = *moves(f, arc, token, round);
                if (move && gfab_cadical_value(solver, move) > 0)
                    tokens[count++] = token;
            }
            const bool single = f->model->packet_tokens == 1; /* a weighted link carries several */
            for (size_t i = 0; single && i < count && status == GFAB_OK; i++)
                status = gfab_schedule_append(*schedule, round, arc, tokens[i]);
            if (count && !single)
                status = gfab_schedule_append_packet(*schedule, round, &arc, 1, tokens, count);
        }
    return GFAB_LEAVE(status, gfab_schedule_destroy, schedule);
}

gfab_prove_options gfab_prove_options_default(void)
{
    const gfab_prove_options options = {.max_conflicts = 0};
    return options;
}

static gfab_status check_size(size_t nodes, size_t links, const gfab_model *model, uint32_t rounds, gfab_diag *diag)
{
    GFAB_TRY(gfab_model_check(model, diag));
    if (nodes > GFAB_PROVE_MAX_VARIABLES || links > GFAB_PROVE_MAX_VARIABLES ||
        (uint64_t)nodes * (nodes + 2 * links) > GFAB_PROVE_MAX_VARIABLES / ((uint64_t)rounds + 1))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "too large for a proof: %zu nodes and %zu links in %u rounds make more than %d variables",
                         nodes, links, rounds, GFAB_PROVE_MAX_VARIABLES);
    return GFAB_OK;
}

gfab_status gfab_prove_check_weights(const gfab_topology *topology, const gfab_model *model, uint32_t max_transfers,
                                     gfab_diag *diag)
{
    if (gfab_topology_marks(topology) & GFAB_MARK_LIMITED)
        return GFAB_REFUSE(diag, "%s has relays that do not copy or combine; a proof is for relays that do both",
                           gfab_topology_name(topology));
    if (gfab_topology_marks(topology) & GFAB_MARK_SWITCHES)
        return GFAB_REFUSE(diag, "%s has switches; a proof is for relays that store", gfab_topology_name(topology));
    if (gfab_topology_is_directed(topology))
        return GFAB_REFUSE(diag, "%s has directed links; a proof is for links that go both ways",
                           gfab_topology_name(topology));
    if (gfab_topology_has_weights(topology) && (model->packet_tokens > 1 || max_transfers))
        return GFAB_REFUSE(diag, "with weighted links a proof is for packets of one token");
    return GFAB_OK;
}

/* Makes the formula, whose parts release_formula frees. */
static gfab_status open_formula(formula *f, gfab_diag *diag)
{
    f->nodes = gfab_topology_node_count(f->topology);
    f->links = gfab_topology_link_count(f->topology);
    f->tokens = gfab_topology_member_count(f->topology);
    GFAB_TRY(gfab_prove_check_weights(f->topology, f->model, f->max_transfers, diag));
    GFAB_TRY(check_size(f->nodes, f->links, f->model, f->rounds, diag));
    (void)snprintf(f->cnf.comment, sizeof f->cnf.comment, "gossip on %s in %u rounds", gfab_topology_name(f->topology),
                   f->rounds);
    return make_formula(f);
}

static void release_formula(formula *f)
{
    gfab_arena_release(&f->arena);
    free(f->cnf.literals);
}

gfab_status gfab_prove_rounds(const gfab_topology *topology, const gfab_model *model, uint32_t rounds,
                              const gfab_prove_options *options, gfab_prove_report *report, gfab_schedule **schedule,
                              gfab_diag *diag)
{
    formula f = {.topology = topology,
                 .model = model,
                 .rounds = rounds,
                 .max_transfers = options->max_transfers,
                 .schedule = schedule};
    memset(report, 0, sizeof *report);
    if (schedule)
        *schedule = NULL;
    gfab_status status = open_formula(&f, diag);
    GFAB_THEN(status, gfab_cnf_answer(&f.cnf, options, report, read_schedule, &f, diag));
    release_formula(&f);
    return status;
}

gfab_status gfab_prove_cubes(const gfab_topology *topology, const gfab_model *model, uint32_t rounds, uint32_t depth,
                             FILE *cnf, gfab_cubes *cubes, gfab_diag *diag)
{
    formula f = {.topology = topology, .model = model, .rounds = rounds};
    *cubes = (gfab_cubes){NULL, NULL, 0};
    if (depth > GFAB_PROVE_MAX_DEPTH)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "cubes of %u decisions; at most %d", depth, GFAB_PROVE_MAX_DEPTH);
    gfab_status status = open_formula(&f, diag);
    const size_t most = status == GFAB_OK ? 2 * f.links * f.nodes * rounds + 1 : 0;
    int *variables = gfab_arena_zeroed(&f.arena, most, sizeof *variables);
    GFAB_THEN(status, variables ? GFAB_OK : GFAB_ERR_NO_MEMORY);
    size_t count = 0;
    for (uint32_t round = 1; status == GFAB_OK && round <= rounds; round++)
        for (size_t arc = 0; arc < 2 * f.links; arc++)
            count += gather(&f, arc, round, variables + count);
    if (cnf)
        GFAB_THEN(status, gfab_cnf_write(&f.cnf, cnf, diag));
    GFAB_THEN(status, gfab_cnf_split(&f.cnf, variables, count, depth, cubes));
    if (status != GFAB_OK)
        gfab_cubes_release(cubes);
    release_formula(&f);
    return status;
}
