/* SPDX-License-Identifier: MIT */
/* Which schedule for which collective. Sums are made by the solver `bracket`: in one bracketing over the ranks, which
 * does not depend on whether a vector is whole or cut, so that lengths may choose between the two. What moves without
 * being added up is made by `library`. Every rank makes the same. */
#define _POSIX_C_SOURCE 200809L
#include "pmpi.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    pmpi_key key;
    gfab_topology *topology;
    gfab_schedule *schedule; /* NULL: there is none, and why */
    gfab_diag diag;
    struct entry *next;
} entry;

static entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The first of the environment's topologies that has so many nodes, none of them a relay; else any two ranks are
 * neighbours. */
static gfab_status find_topology(int ranks, gfab_topology **topology, gfab_diag *diag)
{
    const char *text = pmpi_settings_get()->topologies;
    char complete[32];
    while (text && *text) {
        const size_t length = strcspn(text, "; ");
        char *one = strndup(text, length);
        const gfab_status status = one ? gfab_topology_parse(one, topology, diag) : GFAB_ERR_NO_MEMORY;
        free(one);
        if (status != GFAB_OK)
            return status;
        if (gfab_topology_node_count(*topology) == (size_t)ranks && !gfab_topology_has_relays(*topology))
            return GFAB_OK;
        gfab_topology_destroy(*topology);
        *topology = NULL;
        text += length + strspn(text + length, "; ");
    }
    (void)snprintf(complete, sizeof complete, "complete:%d", ranks);
    return gfab_topology_parse(complete, topology, diag);
}

/* A solver's settings; "" for its own choice. */
static void choose(const pmpi_key *key, bool neighbours, const char **solver, const char **settings)
{
    static const char *const whole[GFAB_COLLECTIVES] = {"algorithm=bruck",    "form=parts", "form=whole",
                                                        "algorithm=binomial", "form=parts", "algorithm=dissemination",
                                                        "algorithm=bruck"};
    static const char *const cut[GFAB_COLLECTIVES] = {"algorithm=ring",         "form=parts", "form=parts",
                                                      "algorithm=scatter-ring", "form=parts", "algorithm=dissemination",
                                                      "algorithm=pairwise"};
    const bool sums = gfab_collective_combines(key->collective) && key->collective != GFAB_BARRIER;
    *solver = sums ? "bracket" : "library";
    *settings = !neighbours ? "" : key->cut ? cut[key->collective] : whole[key->collective];
}

static gfab_status solve(entry *e, const gfab_goal *goal, const char *name, const char *settings)
{
    const gfab_solver *solver = gfab_solver_find(name);
    const char *bracket = pmpi_settings_get()->bracket;
    const size_t room = strlen(settings) + strlen(bracket) + 16;
    GFAB_FREED char *parameters = malloc(room);
    gfab_solver_options options = gfab_solver_options_default();
    const gfab_model model = {GFAB_LINK_FULL, GFAB_PORT_ALL, (uint32_t)e->key.ranks, 1, GFAB_ROUTING_CIRCUIT};
    if (!parameters)
        return gfab_fail(&e->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    if (strcmp(name, "bracket") == 0)
        (void)snprintf(parameters, room, "bracket=%s%s%s", bracket, *settings ? "," : "", settings);
    else
        (void)snprintf(parameters, room, "%s", settings);
    options.goal = goal;
    options.linear = true; /* few messages: a startup is worth so many blocks */
    options.startup = (gfab_ratio){64, 1};
    options.parameters = *parameters ? parameters : NULL;
    return gfab_solve(solver, e->topology, &model, &options, &e->schedule, NULL, &e->diag);
}

/* Checked like any other schedule: one that is faulty is none. */
static void check(entry *e)
{
    gfab_verify_report report;
    const gfab_status status = gfab_verify(e->topology, gfab_schedule_model(e->schedule), e->schedule, NULL, &report);
    if (status != GFAB_OK) {
        gfab_fail(&e->diag, 0, status, "%s", report.message);
        gfab_schedule_destroy(e->schedule);
        e->schedule = NULL;
    }
}

static void make(entry *e)
{
    const pmpi_key *key = &e->key;
    const char *solver, *settings;
    gfab_goal goal;
    gfab_status status = find_topology(key->ranks, &e->topology, &e->diag);
    GFAB_THEN(status, gfab_goal_of(key->collective, (size_t)key->ranks, &goal, &e->diag));
    if (status != GFAB_OK)
        return;
    goal.root = (uint32_t)key->root;
    if (key->collective == GFAB_ALL_REDUCE && !key->cut)
        goal.blocks = 1;
    if (key->collective == GFAB_BROADCAST && key->cut)
        goal.blocks = (uint32_t)key->ranks;
    const bool neighbours = strncmp(gfab_topology_spec(e->topology), "complete:", 9) == 0;
    choose(key, neighbours, &solver, &settings);
    status = solve(e, &goal, solver, settings);
    if (status == GFAB_ERR_UNSUPPORTED && *settings) /* the best that there is */
        status = solve(e, &goal, solver, "");
    if (status == GFAB_OK)
        check(e);
}

static bool is(const pmpi_key *a, const pmpi_key *b)
{
    return a->ranks == b->ranks && a->collective == b->collective && a->root == b->root && a->cut == b->cut;
}

const gfab_schedule *pmpi_schedule(const pmpi_key *key, gfab_diag *diag)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = entries;
    while (e && !is(&e->key, key))
        e = e->next;
    if (!e && (e = calloc(1, sizeof *e))) {
        e->key = *key;
        make(e);
        e->next = entries;
        entries = e;
    }
    if (e && !e->schedule && diag)
        *diag = e->diag;
    const gfab_schedule *schedule = e ? e->schedule : NULL;
    (void)pthread_mutex_unlock(&lock);
    return schedule;
}

/* ---- for the report ---- */

static bool sums(const entry *e)
{
    return e->schedule && gfab_collective_combines(e->key.collective) && e->key.collective != GFAB_BARRIER;
}

/* The least rank of a term. */
static uint32_t least_of(const gfab_expression *e, uint32_t term)
{
    uint32_t left, right;
    if (!gfab_expression_term(e, term, &left, &right))
        return term;
    const uint32_t a = least_of(e, left), b = least_of(e, right);
    return a < b ? a : b;
}

/* In the order of the ranks: what commutes is the same, and what does not is added up so. */
static void write_term(const gfab_expression *e, uint32_t term, FILE *file)
{
    uint32_t left, right;
    if (!gfab_expression_term(e, term, &left, &right)) {
        fprintf(file, "n%u", term);
        return;
    }
    const bool turned = least_of(e, left) > least_of(e, right);
    fputc('(', file);
    write_term(e, turned ? right : left, file);
    fputs(" + ", file);
    write_term(e, turned ? left : right, file);
    fputc(')', file);
}

static void list_one(const entry *e, FILE *file)
{
    gfab_expression *expression = NULL;
    fprintf(file, "  sums of %d ranks, %s: ", e->key.ranks, gfab_topology_name(e->topology));
    if (gfab_expression_create(e->schedule, 0, &expression, NULL) == GFAB_OK) {
        const gfab_goal goal = gfab_schedule_goal(e->schedule);
        const uint32_t node = gfab_goal_owner(&goal, (size_t)e->key.ranks, 0);
        if (e->key.ranks <= 64)
            write_term(expression, gfab_expression_result(expression, node), file);
        else
            fputs(pmpi_settings_get()->bracket, file);
    }
    fputs(gfab_expression_check_one(e->schedule, NULL) == GFAB_OK ? "\n" : " (of block 0)\n", file);
    gfab_expression_destroy(expression);
}

void pmpi_schedule_list(FILE *file)
{
    (void)pthread_mutex_lock(&lock);
    for (const entry *e = entries; e; e = e->next) {
        const entry *other = e->next; /* one line for a size */
        while (other && !(sums(other) && other->key.ranks == e->key.ranks))
            other = other->next;
        if (sums(e) && !other)
            list_one(e, file);
        if (!e->schedule)
            fprintf(file, "  no schedule of %s for %d ranks: %s\n", gfab_collective_name(e->key.collective),
                    e->key.ranks, e->diag.message);
    }
    (void)pthread_mutex_unlock(&lock);
}
