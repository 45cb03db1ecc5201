/* SPDX-License-Identifier: MIT */
/* The formula "there is a gossip of R rounds", given to CaDiCaL. docs/theory/certificates.md.
 * */
#include <gossipfab/schedule/prove.h>

#include "base/reason.h"
#include "cadical_guard.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* "v has t when round r is over", r from 0; "arc carries t in round r", r from 1. A variable that would be false in
 * every schedule, because t can't have come so far yet, is 0. */
typedef struct formula {
    const gfab_topology *topology;
    const gfab_model *model;
    size_t nodes, links;
    uint32_t rounds, max_transfers; /* max_transfers 0: any number */
    int *has;                       /* [node][token][round] */
    int *moves;                     /* [arc][token][round - 1] */
    int *longest;  /* [round - 1][n]: a packet of the round has more than n tokens; where transfers are limited */
    int *literals; /* the clauses, each ended by 0 */
    size_t length, room;
    uint64_t clauses;
    int variables;
    bool failed; /* out of memory, or of variables */
} formula;

static int new_variable(formula *f)
{
    if (f->variables == INT_MAX)
        f->failed = true;
    else
        f->variables++;
    return f->variables;
}

/* Adds a literal to the clause being made; 0 ends it. */
static void add(formula *f, int literal)
{
    if (f->length == f->room) {
        const size_t room = f->room ? 2 * f->room : 4096;
        int *grown = room <= SIZE_MAX / sizeof *grown ? realloc(f->literals, room * sizeof *grown) : NULL;
        if (!grown) {
            f->failed = true;
            return;
        }
        f->literals = grown;
        f->room = room;
    }
    f->literals[f->length++] = literal;
    f->clauses += literal == 0;
}

static void add_clause(formula *f, int a, int b, int c)
{
    const int clause[] = {a, b, c};
    for (size_t i = 0; i < 3; i++)
        if (clause[i])
            add(f, clause[i]);
    add(f, 0);
}

static int *has(const formula *f, size_t node, size_t token, size_t round)
{
    return &f->has[(node * f->nodes + token) * (f->rounds + 1) + round];
}

static int *moves(const formula *f, size_t arc, size_t token, size_t round)
{
    return &f->moves[(arc * f->nodes + token) * f->rounds + round - 1];
}

/* At most `most` of the literals: Sinz's sequential counter (2005, LT-SEQ); s(i, j) says that more than j of the
 * first i + 1 are true. All pairs where they are few. */
static void add_at_most(formula *f, const int *literals, size_t count, size_t most)
{
    if (count <= most)
        return;
    if (most == 1 && count <= 5) {
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++)
                add_clause(f, -literals[i], -literals[j], 0);
        return;
    }
    int first = 0; /* s(i - 1, 0) */
    for (size_t i = 0; i < count && !f->failed; i++) {
        if (i > 0)
            add_clause(f, -literals[i], -(first + (int)most - 1), 0);
        if (i + 1 == count)
            break;
        const int before = first;
        first = new_variable(f);
        for (size_t j = 1; j < most; j++)
            new_variable(f);
        add_clause(f, -literals[i], first, 0);
        for (int j = 0; i > 0 && j < (int)most; j++) {
            add_clause(f, -(before + j), first + j, 0);
            if (j > 0)
                add_clause(f, -literals[i], -(before + j - 1), first + j);
        }
    }
}

/* more[j] follows where more than j of the literals are true, for all j: the same counter. */
static void add_count(formula *f, const int *literals, size_t count, const int *more)
{
    int first = 0;
    for (size_t i = 0; i < count && !f->failed; i++) {
        const int before = first;
        first = new_variable(f);
        for (size_t j = 1; j <= i; j++)
            new_variable(f);
        add_clause(f, -literals[i], first, 0);
        add_clause(f, -first, more[0], 0);
        for (int j = 0; j < (int)i; j++) {
            add_clause(f, -(before + j), first + j, 0);
            add_clause(f, -literals[i], -(before + j), first + j + 1);
            add_clause(f, -(first + j + 1), more[j + 1], 0);
        }
    }
}

/* The rounds that a token at least needs over so many links. */
static uint64_t least_rounds(const formula *f, uint32_t distance)
{
    return distance == 0 ? 0 : 1 + (uint64_t)f->model->hop_rounds * (distance - 1);
}

static bool make_variables(formula *f)
{
    const size_t arcs = 2 * f->links;
    const uint64_t lambda = f->model->hop_rounds;
    f->has = calloc(f->nodes * f->nodes * (f->rounds + 1), sizeof *f->has);
    f->moves = calloc(arcs * f->nodes * f->rounds + 1, sizeof *f->moves);
    uint32_t *distances = calloc(2 * f->nodes, sizeof *distances);
    for (size_t token = 0; f->has && f->moves && distances && token < f->nodes; token++) {
        gfab_topology_distances(f->topology, (uint32_t)token, distances, distances + f->nodes);
        for (size_t node = 0; node < f->nodes; node++)
            for (uint64_t round = least_rounds(f, distances[node]); round <= f->rounds; round++)
                *has(f, node, token, round) = new_variable(f);
        for (size_t arc = 0; arc < arcs; arc++) {
            const uint32_t from = gfab_topology_arc_from(f->topology, (gfab_arc)arc);
            const uint32_t to = gfab_topology_arc_to(f->topology, (gfab_arc)arc);
            for (uint64_t round = 1 + lambda * distances[from]; to != token && round <= f->rounds; round++)
                *moves(f, arc, token, round) = new_variable(f);
        }
    }
    const bool good = f->has && f->moves && distances;
    free(distances);
    return good;
}

/* One token at one node: it keeps it, has it only if it came, gets it once, and has it at the end. */
static void add_holding(formula *f, size_t node, size_t token, int *scratch)
{
    size_t port_count, arrivals = 0;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &port_count);
    if (node == token)
        add_clause(f, *has(f, node, token, 0), 0, 0);
    for (uint32_t round = 1; round <= f->rounds; round++) {
        const int now = *has(f, node, token, round), before = *has(f, node, token, round - 1);
        if (before)
            add_clause(f, -before, now, 0);
        const size_t old = arrivals;
        for (size_t i = 0; i < port_count; i++) {
            const int move = *moves(f, 2 * ports[i].link + (ports[i].end == 0), token, round);
            if (!move)
                continue;
            scratch[arrivals++] = move;
            add_clause(f, -move, now, 0);
            if (before)
                add_clause(f, -move, -before, 0);
        }
        if (!now)
            continue;
        for (size_t i = old; i < arrivals; i++)
            add(f, scratch[i]);
        add_clause(f, -now, before, 0);
    }
    add_clause(f, *has(f, node, token, f->rounds), 0, 0);
    add_at_most(f, scratch, arrivals, 1);
}

/* The senders' side: what an arc carries has been with its sender for lambda rounds. */
static void add_sending(formula *f, gfab_arc arc, size_t token)
{
    const uint32_t from = gfab_topology_arc_from(f->topology, arc);
    const uint32_t lambda = f->model->hop_rounds;
    for (uint32_t round = 1; from != token && round <= f->rounds; round++) {
        const int move = *moves(f, arc, token, round);
        if (move)
            add_clause(f, -move, *has(f, from, token, round - lambda), 0);
    }
}

static size_t gather(const formula *f, size_t arc, uint32_t round, int *literals)
{
    size_t count = 0;
    for (size_t token = 0; token < f->nodes; token++)
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
        if (half) {
            add_at_most(f, scratch, both, model->packet_tokens);
        } else {
            add_at_most(f, scratch, there, model->packet_tokens);
            add_at_most(f, scratch + there, both - there, model->packet_tokens);
        }
        if (f->max_transfers) {
            const int *more = f->longest + (size_t)(round - 1) * f->nodes;
            add_count(f, scratch, there, more);
            add_count(f, scratch + there, both - there, more);
        }
        if (half && model->packet_tokens > 1) {
            const int direction = new_variable(f);
            for (size_t i = 0; i < both; i++)
                add_clause(f, -scratch[i], i < there ? -direction : direction, 0);
        }
        if (one) {
            used[link] = new_variable(f);
            for (size_t i = 0; i < both; i++)
                add_clause(f, -scratch[i], used[link], 0);
        }
    }
    for (size_t node = 0; one && node < f->nodes; node++) {
        size_t port_count;
        const gfab_port *ports = gfab_topology_ports(f->topology, node, &port_count);
        for (size_t i = 0; i < port_count; i++)
            scratch[i] = used[ports[i].link];
        add_at_most(f, scratch, port_count, 1);
    }
}

static gfab_status make_formula(formula *f)
{
    const size_t arcs = 2 * f->links;
    if (!make_variables(f))
        return GFAB_ERR_NO_MEMORY;
    const size_t lengths = f->max_transfers ? f->nodes * f->rounds : 0;
    int *scratch = calloc(arcs * f->rounds + 2 * f->nodes, sizeof *scratch);
    int *used = calloc(f->links, sizeof *used);
    f->longest = calloc(lengths + 1, sizeof *f->longest);
    if (scratch && used && f->longest) {
        for (size_t i = 0; i < lengths; i++)
            f->longest[i] = new_variable(f);
        for (size_t node = 0; node < f->nodes && !f->failed; node++)
            for (size_t token = 0; token < f->nodes; token++)
                add_holding(f, node, token, scratch);
        for (size_t arc = 0; arc < arcs && !f->failed; arc++)
            for (size_t token = 0; token < f->nodes; token++)
                add_sending(f, (gfab_arc)arc, token);
        for (uint32_t round = 1; round <= f->rounds && !f->failed; round++)
            add_round(f, round, scratch, used);
        add_at_most(f, f->longest, lengths, f->max_transfers);
    }
    const bool good = scratch && used && f->longest && !f->failed;
    free(scratch);
    free(used);
    return good ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static gfab_status write_clauses(FILE *file, const formula *f, gfab_diag *diag)
{
    errno = 0;
    fprintf(file, "c gossip on %s in %u rounds\n", gfab_topology_name(f->topology), f->rounds);
    fprintf(file, "p cnf %d %llu\n", f->variables, (unsigned long long)f->clauses);
    for (size_t i = 0; i < f->length; i++)
        fprintf(file, f->literals[i] ? "%d " : "%d\n", f->literals[i]);
    if (ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the formula: %s", gfab_stream_reason());
    return GFAB_OK;
}

/* What CaDiCaL calls back. */
typedef struct watch {
    const gfab_progress *progress;
    FILE *proof;
    uint64_t learned;
    size_t length; /* of the clause under way */
    bool stopped;
    bool closed; /* the empty clause has been learned */
} watch;

static int on_terminate(void *state)
{
    watch *w = state;
    if (!w->stopped && w->progress && !w->progress->report(w->progress->context, "conflicts", w->learned, 0))
        w->stopped = true;
    return w->stopped;
}

static void on_learn(void *state, int literal)
{
    watch *w = state;
    if (w->proof)
        fprintf(w->proof, literal ? "%d " : "%d\n", literal);
    if (literal) {
        w->length++;
        return;
    }
    w->learned++;
    w->closed = w->closed || w->length == 0;
    w->length = 0;
}

/* Without these a solver learns by conflicts alone, and the clauses it hands out are all of its proof. */
static gfab_status set_options(gfab_cadical *solver)
{
    static const char *const off[] = {"inprocessing", "elim", "condition", "subsume", "lucky", "walk"};
    gfab_status status = gfab_cadical_set_option(solver, "quiet", 1);
    for (size_t i = 0; status == GFAB_OK && i < sizeof off / sizeof *off; i++)
        status = gfab_cadical_set_option(solver, off[i], 0);
    return status;
}

static gfab_status read_schedule(const formula *f, gfab_cadical *solver, gfab_schedule **schedule)
{
    gfab_status status = gfab_schedule_create(f->topology, f->model, schedule);
    if (status == GFAB_OK)
        status = gfab_schedule_set_solver(*schedule, "sat");
    uint32_t *tokens = calloc(f->nodes, sizeof *tokens);
    if (status == GFAB_OK && !tokens)
        status = GFAB_ERR_NO_MEMORY;
    for (uint32_t round = 1; status == GFAB_OK && round <= f->rounds; round++)
        for (gfab_arc arc = 0; status == GFAB_OK && arc < 2 * f->links; arc++) {
            size_t count = 0;
            for (uint32_t token = 0; token < f->nodes; token++) {
                const int move = *moves(f, arc, token, round);
                if (move && gfab_cadical_value(solver, move) > 0)
                    tokens[count++] = token;
            }
            if (count)
                status = gfab_schedule_append_packet(*schedule, round, &arc, 1, tokens, count);
        }
    free(tokens);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(*schedule);
        *schedule = NULL;
    }
    return status;
}

static gfab_status solve(const formula *f, const gfab_prove_options *options, gfab_prove_report *report,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    watch w = {.progress = options->progress, .proof = options->proof};
    const gfab_cadical_watch callbacks = {&w, on_terminate, on_learn};
    errno = 0;
    gfab_cadical *solver = NULL;
    int result = 0;
    gfab_status status = gfab_cadical_create(&callbacks, &solver);
    if (status == GFAB_OK)
        status = set_options(solver);
    for (size_t i = 0; status == GFAB_OK && i < f->length; i++)
        status = gfab_cadical_add(solver, f->literals[i]);
    const uint32_t most = options->max_conflicts;
    if (status == GFAB_OK)
        status = gfab_cadical_solve(solver, most == 0 ? -1 : most < INT_MAX ? (int)most : INT_MAX, &result);
    report->conflicts = w.learned;
    if (status != GFAB_OK) {
        gfab_fail(diag, 0, status, "out of memory for the proof");
    } else if (result == 10) {
        report->answer = GFAB_PROVE_POSSIBLE;
        if (schedule)
            status = read_schedule(f, solver, schedule);
    } else if (result == 20) {
        report->answer = GFAB_PROVE_IMPOSSIBLE;
        if (options->proof && !w.closed)
            fputs("0\n", options->proof);
    } else if (w.stopped) {
        status = GFAB_ERR_INTERRUPTED;
    }
    if (status == GFAB_OK && options->proof && ferror(options->proof))
        status = gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the proof: %s", gfab_stream_reason());
    gfab_cadical_release(solver, status);
    return status;
}

gfab_prove_options gfab_prove_options_default(void)
{
    const gfab_prove_options options = {0, 0, NULL, NULL, NULL};
    return options;
}

gfab_status gfab_prove_rounds(const gfab_topology *topology, const gfab_model *model, uint32_t rounds,
                              const gfab_prove_options *options, gfab_prove_report *report, gfab_schedule **schedule,
                              gfab_diag *diag)
{
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    memset(report, 0, sizeof *report);
    if (schedule)
        *schedule = NULL;
    gfab_status status = gfab_model_check(model, diag);
    if (status != GFAB_OK)
        return status;
    if (nodes > GFAB_PROVE_MAX_VARIABLES || links > GFAB_PROVE_MAX_VARIABLES ||
        (uint64_t)nodes * (nodes + 2 * links) > GFAB_PROVE_MAX_VARIABLES / ((uint64_t)rounds + 1))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "too large for a proof: %zu nodes and %zu links in %u rounds make more than %d variables",
                         nodes, links, rounds, GFAB_PROVE_MAX_VARIABLES);
    formula f = {.topology = topology,
                 .model = model,
                 .nodes = nodes,
                 .links = links,
                 .rounds = rounds,
                 .max_transfers = options->max_transfers};
    status = make_formula(&f);
    report->variables = (uint64_t)f.variables;
    report->clauses = f.clauses;
    if (status == GFAB_OK && options->cnf)
        status = write_clauses(options->cnf, &f, diag);
    if (status == GFAB_OK)
        status = solve(&f, options, report, schedule, diag);
    free(f.has);
    free(f.moves);
    free(f.longest);
    free(f.literals);
    return status;
}
