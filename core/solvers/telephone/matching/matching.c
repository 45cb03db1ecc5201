/* SPDX-License-Identifier: MIT */
/* The matching heuristic as a solver: reads its settings, and searches for those that are not given. A try is one run
 * under settings drawn for it. Tries come in generations, whose settings depend on the generations before alone, and
 * the best try wins, the first of equals: neither threads nor their order show in the result. */
#define _POSIX_C_SOURCE 200809L
#include "matching_state.h"

#include <gossipfab/schedule/bound.h>
#include <pthread.h>
#include <stdlib.h>

#define GENERATION 16u
/* Deliveries that tries make up to, where effort is not given, and the most tries then. */
#define OWN_WORK ((uint64_t)1 << 24)
#define OWN_TRIES 200u
/* Up to so many deliveries a thread makes a whole try; above, all threads share one. */
#define SMALL_WORK ((uint64_t)1 << 21)
/* Distances, a byte each: of all nodes and of all tokens at all nodes. */
#define MAX_STATE ((uint64_t)1 << 29)
#define MAX_NODES ((size_t)1 << 20)

static const char *const keys[] = {"weights",    "dist-exp",  "num-exp", "need-exp", "matching",
                                   "look-ahead", "depth",     "haste",   "packets",  "class-noise",
                                   "noise",      "distances", "kernel",  "threads",  NULL};

/* What is settled beforehand. */
typedef struct fixed {
    gfab_matching_settings settings;                                           /* of those that are given */
    bool rule, dist_exp, num_exp, need_exp, haste, capped, noise, class_noise; /* which are */
    unsigned threads;
    bool search_distances;
} fixed;

/* ---- settings ---- */

/* The index of the value of key among names, or *index as it is where key is not there. */
static gfab_status read_name(const char *parameters, const char *key, const char *const *names, size_t *index,
                             gfab_diag *diag)
{
    size_t length;
    const char *text = gfab_parameter(parameters, key, &length);
    for (size_t i = 0; text && names[i]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            *index = i;
            return GFAB_OK;
        }
    if (!text)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s=%.*s: give %s, %s%s%s", key, length < 40 ? (int)length : 40, text,
                     names[0], names[1], names[2] ? " or " : "", names[2] ? names[2] : "");
}

/* An exponent from 0 to 60 in quarters: "3", "0.5", "2.25". */
static bool read_quarters(const char **at, uint32_t *quarters)
{
    static const struct {
        const char *text;
        uint32_t quarters;
    } fractions[] = {{".25", 1}, {".50", 2}, {".75", 3}, {".5", 2}, {".0", 0}};
    uint32_t whole = 0;
    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9' && whole <= 60; (*at)++)
        whole = 10 * whole + (uint32_t)(**at - '0');
    *quarters = 4 * whole;
    for (size_t i = 0; **at == '.' && i < sizeof fractions / sizeof *fractions; i++)
        if (strncmp(*at, fractions[i].text, strlen(fractions[i].text)) == 0) {
            *quarters += fractions[i].quarters;
            *at += strlen(fractions[i].text);
        }
    return *quarters <= 4 * 60;
}

/* "A", or where pairs are allowed "A:B"; first and last are equal for "A". */
static gfab_status read_exponent(const char *parameters, const char *key, uint32_t *first, uint32_t *last, bool *given,
                                 gfab_diag *diag)
{
    size_t length;
    const char *text = gfab_parameter(parameters, key, &length);
    const char *at = text;
    uint32_t pair[2];
    if (!text)
        return GFAB_OK;
    bool good = read_quarters(&at, &pair[0]);
    pair[1] = pair[0];
    if (good && *at == ':' && first != last) {
        at++;
        good = read_quarters(&at, &pair[1]);
    }
    if (!good || at != text + length)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s=%.*s is not a multiple of 0.25 from 0 to 60%s", key,
                         length < 40 ? (int)length : 40, text, first != last ? ", nor two of them, such as 8:2" : "");
    *first = pair[0];
    *last = pair[1];
    *given = true;
    return GFAB_OK;
}

static gfab_status read_number(const char *parameters, const char *key, uint64_t least, uint64_t most, uint32_t *value,
                               gfab_diag *diag)
{
    uint64_t number = *value;
    GFAB_TRY(gfab_parameter_number(parameters, key, least, most, &number, diag));
    *value = (uint32_t)number;
    return GFAB_OK;
}

static gfab_status read_kernel(const char *parameters, const gfab_matching_kernel **kernel, gfab_diag *diag)
{
    static const char *const names[] = {"portable", "avx2", "avx512", NULL};
    size_t length, index = 0;
    GFAB_TRY(read_name(parameters, "kernel", names, &index, diag));
    const char *text = gfab_parameter(parameters, "kernel", &length);
    *kernel = gfab_matching_kernel_find(text ? names[index] : NULL);
    if (!*kernel)
        return GFAB_REFUSE(diag, "kernel=%s: this processor does not have it", names[index]);
    return GFAB_OK;
}

static gfab_status read_settings(const char *parameters, fixed *f, gfab_diag *diag)
{
    static const char *const rules[] = {"bfs", "flow", "potential", NULL};
    static const char *const matchings[] = {"exact", "greedy", NULL};
    static const char *const packets[] = {"all", "capped", NULL};
    static const char *const distances[] = {"table", "search", NULL};
    gfab_matching_settings *s = &f->settings;
    size_t rule = 0, matching = 0, capped = 0, distance = 0, length;
    uint32_t threads = f->threads;
    *s = (gfab_matching_settings){.lookahead = 1, .depth = 2, .haste = 100};
    GFAB_TRY(read_name(parameters, "weights", rules, &rule, diag));
    GFAB_TRY(read_name(parameters, "matching", matchings, &matching, diag));
    GFAB_TRY(read_name(parameters, "packets", packets, &capped, diag));
    GFAB_TRY(read_name(parameters, "distances", distances, &distance, diag));
    GFAB_TRY(read_exponent(parameters, "dist-exp", &s->dist_exp[0], &s->dist_exp[1], &f->dist_exp, diag));
    GFAB_TRY(read_exponent(parameters, "num-exp", &s->num_exp, &s->num_exp, &f->num_exp, diag));
    GFAB_TRY(read_exponent(parameters, "need-exp", &s->need_exp, &s->need_exp, &f->need_exp, diag));
    GFAB_TRY(read_number(parameters, "haste", 1, 1000, &s->haste, diag));
    GFAB_TRY(read_number(parameters, "look-ahead", 1, 1000, &s->lookahead, diag));
    GFAB_TRY(read_number(parameters, "depth", 0, 100, &s->depth, diag));
    GFAB_TRY(read_number(parameters, "noise", 0, 1000, &s->noise, diag));
    GFAB_TRY(read_number(parameters, "class-noise", 0, 1000, &s->class_noise, diag));
    GFAB_TRY(read_number(parameters, "threads", 1, GFAB_MAX_WORKERS, &threads, diag));
    s->rule = (gfab_matching_rule)rule;
    s->greedy = matching == 1;
    s->capped = capped == 1;
    f->haste = gfab_parameter(parameters, "haste", &length);
    f->noise = gfab_parameter(parameters, "noise", &length);
    f->class_noise = gfab_parameter(parameters, "class-noise", &length);
    f->capped = gfab_parameter(parameters, "packets", &length);
    f->rule = gfab_parameter(parameters, "weights", &length);
    f->search_distances = distance == 1;
    f->threads = threads;
    return GFAB_OK;
}

/* ---- the search ---- */

typedef struct search {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver_options *options;
    const fixed *fixed;
    gfab_matching_problem problem;
    gfab_matching_run *runs; /* [outer] */
    unsigned outer;          /* tries that are made at a time */
    uint32_t tries;
    uint32_t first; /* of the generation */
    gfab_matching_settings settings[GENERATION];
    pthread_mutex_t lock; /* of all that follows, and of the caller's progress function */
    gfab_schedule *best;
    uint64_t best_transfers;
    uint32_t best_try;
    gfab_matching_settings best_settings;
    uint64_t done; /* tries */
    gfab_status status;
} search;

typedef struct try_context {
    search *s;
    uint64_t deliveries;
} try_context;

/* Below 0 where the first is better: cheaper, or shorter with fewer transfers on a par. */
static int compare(const search *s, uint64_t rounds, uint64_t transfers, uint64_t other_rounds,
                   uint64_t other_transfers)
{
    if (s->problem.linear) {
        const gfab_cost a = {rounds, transfers, 1}, b = {other_rounds, other_transfers, 1};
        const int cost = gfab_cost_compare(&a, &b, s->problem.startup);
        if (cost != 0)
            return cost;
    }
    if (rounds != other_rounds)
        return rounds < other_rounds ? -1 : 1;
    return (transfers > other_transfers) - (transfers < other_transfers);
}

/* Ends a try that can't be the best any more: only one that is worse than another whatever may come. */
static gfab_status go_on(void *context, uint64_t rounds, uint64_t transfers, uint64_t missing)
{
    const try_context *t = context;
    search *s = t->s;
    pthread_mutex_lock(&s->lock);
    gfab_status status = s->status;
    GFAB_THEN(status, s->tries > 1
                          ? gfab_solver_report(s->options, "tries", s->done, s->tries)
                          : gfab_solver_report(s->options, "deliveries", t->deliveries - missing, t->deliveries));
    if (status == GFAB_OK && s->best &&
        compare(s, rounds, transfers, gfab_schedule_rounds(s->best), s->best_transfers) > 0)
        status = GFAB_ERR_LIMIT;
    pthread_mutex_unlock(&s->lock);
    return status;
}

static gfab_status create_schedule(const search *s, gfab_schedule **schedule)
{
    GFAB_TRY(gfab_schedule_create(s->topology, s->model, schedule));
    GFAB_TRY(gfab_schedule_set_solver(*schedule, gfab_solver_matching.name));
    return s->options->load ? gfab_schedule_set_load(*schedule, s->options->load, 1) : GFAB_OK;
}

static void make_try(void *context, unsigned worker, size_t index)
{
    search *s = context;
    try_context t = {s, (uint64_t)s->problem.tokens * (s->problem.graph.nodes - 1)};
    const gfab_matching_judge judge = {go_on, &t};
    const uint32_t number = s->first + (uint32_t)index;
    gfab_schedule *schedule = NULL;
    uint64_t transfers = 0;
    gfab_status status = create_schedule(s, &schedule);
    GFAB_THEN(status, gfab_matching_play(&s->runs[worker], &s->settings[index], &judge, schedule, &transfers));
    pthread_mutex_lock(&s->lock);
    s->done++;
    if (status == GFAB_OK) {
        const int order = s->best ? compare(s, gfab_schedule_rounds(schedule), transfers, gfab_schedule_rounds(s->best),
                                            s->best_transfers)
                                  : -1;
        if (order < 0 || (order == 0 && number < s->best_try)) {
            gfab_schedule *worse = s->best;
            s->best = schedule;
            s->best_transfers = transfers;
            s->best_try = number;
            s->best_settings = s->settings[index];
            schedule = worse;
        }
    } else if (status != GFAB_ERR_LIMIT && s->status == GFAB_OK) {
        s->status = status;
    }
    pthread_mutex_unlock(&s->lock);
    gfab_schedule_destroy(schedule);
}

static uint32_t pick(uint64_t *random, const uint32_t *values, size_t count)
{
    *random = gfab_matching_hash(*random);
    return values[*random % count];
}

#define PICK(random, ...) \
    pick(random, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* For few rounds: what does well in most graphs, then anything. */
static gfab_matching_settings draw_unit(uint64_t *random, uint32_t number)
{
    gfab_matching_settings t = {.num_exp = 4, .haste = 100, .class_noise = 10, .dist_exp = {40, 40}};
    if (number < 2) {
        t.class_noise = number == 0 ? 10 : 0; /* hypercubes like it, tori do not */
        return t;
    }
    t.dist_exp[0] = PICK(random, 8, 16, 24, 40, 48, 64, 96);
    t.dist_exp[1] = PICK(random, 0, 0, 1, 2, 4, 8);
    t.num_exp = PICK(random, 2, 4, 4, 4, 6, 8);
    t.noise = PICK(random, 0, 0, 10, 50, 100, 100, 200, 400);
    t.class_noise = PICK(random, 0, 10, 50, 200);
    return t;
}

/* For low cost: small exponents, and more weight to who lags behind. */
static gfab_matching_settings draw_linear(uint64_t *random, uint32_t number)
{
    gfab_matching_settings t = {.num_exp = 4, .need_exp = 16, .haste = 50, .dist_exp = {2, 2}};
    if (number == 0)
        return t;
    t.rule = PICK(random, GFAB_MATCHING_BFS, GFAB_MATCHING_BFS, GFAB_MATCHING_FLOW);
    t.dist_exp[0] = PICK(random, 1, 1, 2, 2, 3, 4, 6, 8, 10, 16);
    t.dist_exp[1] = PICK(random, 0, 0, 0, 1, 2, 4);
    t.num_exp = PICK(random, 1, 2, 3, 4, 4, 6);
    t.need_exp = PICK(random, 0, 4, 16, 32, 64, 64, 128);
    t.haste = PICK(random, 5, 10, 25, 50, 50, 100, 100);
    t.capped = PICK(random, 0, 0, 1);
    t.noise = PICK(random, 0, 0, 0, 1, 10);
    t.class_noise = PICK(random, 0, 0, 10);
    return t;
}

/* Takes some of the settings from the best so far: all but one or two, one of three. */
static void mix(uint64_t *random, gfab_matching_settings *t, const gfab_matching_settings *best)
{
    if (PICK(random, 1, 1, 0)) {
        t->dist_exp[0] = best->dist_exp[0];
        t->dist_exp[1] = best->dist_exp[1];
    }
    if (PICK(random, 1, 1, 0)) {
        t->num_exp = best->num_exp;
        t->rule = best->rule;
    }
    if (PICK(random, 1, 1, 0))
        t->need_exp = best->need_exp;
    if (PICK(random, 1, 1, 0)) {
        t->haste = best->haste;
        t->capped = best->capped;
    }
    if (PICK(random, 1, 0)) {
        t->noise = best->noise;
        t->class_noise = best->class_noise;
    }
}

/* Settings of a try. After the first generation every other one starts from the best so far. */
static gfab_matching_settings draw(const search *s, uint32_t number)
{
    uint64_t random = gfab_matching_hash(s->options->seed ^ gfab_matching_hash(number));
    const fixed *f = s->fixed;
    gfab_matching_settings drawn = s->problem.linear ? draw_linear(&random, number) : draw_unit(&random, number);
    gfab_matching_settings t = f->settings;
    if (drawn.dist_exp[1] == 0 || drawn.dist_exp[1] > drawn.dist_exp[0])
        drawn.dist_exp[1] = drawn.dist_exp[0];
    if (s->best && number % 2 == 1)
        mix(&random, &drawn, &s->best_settings);
    t.seed = random;
    t.rule = f->rule ? t.rule : drawn.rule;
    if (!f->dist_exp)
        memcpy(t.dist_exp, drawn.dist_exp, sizeof t.dist_exp);
    t.num_exp = f->num_exp ? t.num_exp : drawn.num_exp;
    t.need_exp = f->need_exp ? t.need_exp : drawn.need_exp;
    t.haste = f->haste ? t.haste : drawn.haste;
    t.capped = f->capped ? t.capped : drawn.capped;
    t.noise = f->noise ? t.noise : drawn.noise;
    t.class_noise = f->class_noise ? t.class_noise : drawn.class_noise;
    return t;
}

/* Whether no schedule of fewer rounds is to be looked for. */
static bool is_enough(const search *s, uint64_t bound)
{
    const uint32_t rounds = s->best ? gfab_schedule_rounds(s->best) : UINT32_MAX;
    if (s->problem.linear)
        return false;
    return rounds <= bound || (s->options->rounds && rounds <= s->options->rounds);
}

static gfab_status run_tries(search *s)
{
    gfab_bound bound = {.rounds = 0};
    if (s->tries > 1 && !s->options->load)
        s->status = gfab_bound_best(s->topology, s->model, s->options->progress, &bound);
    for (s->first = 0; s->first < s->tries && s->status == GFAB_OK && !is_enough(s, bound.rounds);
         s->first += GENERATION) {
        const uint32_t left = s->tries - s->first, count = left < GENERATION ? left : GENERATION;
        for (uint32_t i = 0; i < count; i++)
            s->settings[i] = draw(s, s->first + i);
        gfab_parallel_for(s->outer, count, make_try, s);
    }
    return s->status;
}

/* ---- the problem ---- */

static gfab_status set_origins(search *s)
{
    const size_t nodes = gfab_topology_node_count(s->topology);
    const uint32_t *load = s->options->load;
    uint64_t tokens = load ? 0 : nodes;
    for (size_t v = 0; load && v < nodes; v++)
        tokens += load[v];
    if (tokens == 0)
        return GFAB_ERR_INVALID;
    if (tokens * nodes > MAX_STATE)
        return GFAB_ERR_LIMIT;
    s->problem.tokens = (size_t)tokens;
    s->problem.origin = malloc(s->problem.tokens * sizeof *s->problem.origin);
    GFAB_NEED(s->problem.origin);
    for (size_t v = 0, p = 0; v < nodes; v++)
        for (uint32_t i = 0; i < (load ? load[v] : 1); i++)
            s->problem.origin[p++] = (uint32_t)v;
    return GFAB_OK;
}

/* Tries, and how many at a time. */
static void set_tries(search *s)
{
    const uint64_t nodes = s->problem.graph.nodes;
    const uint64_t work = nodes * (s->problem.tokens > 16 ? s->problem.tokens : 16);
    const uint64_t own = OWN_WORK / work;
    s->tries = s->options->effort ? s->options->effort : own > OWN_TRIES ? OWN_TRIES : own < 1 ? 1 : (uint32_t)own;
    s->outer = work <= SMALL_WORK ? s->fixed->threads : 1;
    if (s->outer > s->tries)
        s->outer = s->tries;
}

static gfab_status set_up(search *s, gfab_diag *diag)
{
    gfab_status status = set_origins(s);
    if (status == GFAB_ERR_LIMIT)
        return gfab_fail(diag, 0, status, "%s: too many tokens at too many nodes; their product may be 2^29",
                         gfab_topology_name(s->topology));
    GFAB_THEN(status, read_kernel(s->options->parameters, &s->problem.kernel, diag));
    /* A table is made in the time of a search from every node. */
    const size_t nodes = gfab_topology_node_count(s->topology);
    const bool table = !s->fixed->search_distances && (nodes <= 1024 || s->problem.tokens >= nodes / 16);
    GFAB_THEN(status, gfab_matching_graph_init(&s->problem.graph, s->topology, table, s->fixed->threads));
    if (status != GFAB_OK)
        return status;
    s->problem.packet =
        s->model->packet_tokens < s->problem.tokens ? s->model->packet_tokens : (uint32_t)s->problem.tokens;
    s->problem.linear = s->options->linear;
    s->problem.startup = s->options->startup;
    set_tries(s);
    s->runs = calloc(s->outer, sizeof *s->runs);
    status = s->runs ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (unsigned i = 0; i < s->outer && status == GFAB_OK; i++)
        status = gfab_matching_run_init(&s->runs[i], &s->problem, s->fixed->settings.lookahead > 1,
                                        s->outer > 1 ? 1 : s->fixed->threads);
    return status;
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    fixed f = {.threads = gfab_parallel_workers()};
    search s = {.topology = topology, .model = model, .options = options, .fixed = &f};
    gfab_diag reason = {0, ""};
    *schedule = NULL;
    GFAB_TRY(gfab_solver_applies(&gfab_solver_matching, topology, model, diag));
    GFAB_TRY(gfab_solver_check_options(&gfab_solver_matching, options, diag));
    pthread_mutex_init(&s.lock, NULL);
    gfab_status status = read_settings(options->parameters, &f, &reason);
    GFAB_THEN(status, set_up(&s, &reason));
    GFAB_THEN(status, run_tries(&s));
    for (unsigned i = 0; s.runs && i < s.outer; i++)
        gfab_matching_run_free(&s.runs[i]);
    GFAB_FREE(s.runs, s.problem.origin);
    gfab_matching_graph_free(&s.problem.graph);
    pthread_mutex_destroy(&s.lock);
    if (status == GFAB_OK && options->rounds && gfab_schedule_rounds(s.best) > options->rounds) {
        status = GFAB_ERR_UNSUPPORTED;
        (void)gfab_fail(&reason, 0, status, "finds %u rounds here in %u tries, more than the %u asked for",
                        gfab_schedule_rounds(s.best), s.tries, options->rounds);
    }
    if (status != GFAB_OK) {
        gfab_schedule_destroy(s.best);
        return gfab_fail(diag, 0, status, "matching: %s",
                         reason.message[0] ? reason.message : gfab_status_string(status));
    }
    *schedule = s.best;
    return GFAB_OK;
}

const gfab_solver gfab_solver_matching = {
    .name = "matching",
    .summary = "telephone model: a heaviest matching a round, for few rounds or low cost; any graph, any load",
    .source = "Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 4; docs/theory/matching.md",
    .solve = solve,
    .takes_load = true,
    .minds_startup = true,
    .parameters = keys,
    .only = GFAB_ONLY_TELEPHONE,
    .most_nodes = MAX_NODES,
};
