/* SPDX-License-Identifier: MIT */
/* Broadcasts from all nodes: how long each takes, and which takes longest. Sources are solved side by side. */
#include "solvers/solvers.h"

#include "solvers/parallel.h"
#include "topology/symmetry.h"

#include <gossipfab/base/arena.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct survey {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_solver *solver;
    gfab_solver_options options; /* of a source's quick solving, its load left out */
    size_t nodes;
    uint32_t *source; /* one of each set of alike nodes */
    size_t sources;
    uint32_t *load;       /* [worker * nodes]: all 0 between sources */
    uint32_t *rounds;     /* [node] */
    pthread_mutex_t lock; /* of what follows, and of the caller's progress function */
    const gfab_progress *progress;
    size_t done;
    gfab_status status;
    gfab_diag diag;
} survey;

/* Sources done, whatever a solver has to say of its own. */
static int report(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    survey *s = context;
    (void)what;
    (void)done;
    (void)total;
    pthread_mutex_lock(&s->lock);
    if (s->status == GFAB_OK && s->progress &&
        !s->progress->report(s->progress->context, "sources", s->done, s->sources))
        s->status = GFAB_ERR_INTERRUPTED;
    const bool on = s->status == GFAB_OK;
    pthread_mutex_unlock(&s->lock);
    return on;
}

static gfab_status solve_from(const survey *s, const gfab_solver_options *options, uint32_t *load, uint32_t source,
                              uint32_t *rounds, gfab_diag *diag)
{
    gfab_solver_options own = *options;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    own.load = load;
    load[source] = 1;
    GFAB_TRY(s->solver->solve(s->topology, s->model, &own, &schedule, diag));
    load[source] = 0;
    if (gfab_schedule_rounds(schedule) < *rounds)
        *rounds = gfab_schedule_rounds(schedule);
    return GFAB_OK;
}

static void survey_source(void *context, unsigned worker, size_t index)
{
    survey *s = context;
    const uint32_t source = s->source[index];
    gfab_diag diag = {0, ""};
    if (!report(s, "sources", 0, 0))
        return;
    const gfab_status status =
        solve_from(s, &s->options, s->load + worker * s->nodes, source, &s->rounds[source], &diag);
    pthread_mutex_lock(&s->lock);
    s->done++;
    if (status != GFAB_OK && s->status == GFAB_OK) {
        s->status = status;
        s->diag = diag;
    }
    pthread_mutex_unlock(&s->lock);
}

/* Solves the source with most rounds, the lowest of equals, in earnest, until that source has been. */
static gfab_status settle_worst(survey *s, const gfab_solver_options *options, uint32_t *worst)
{
    GFAB_FREED bool *settled = calloc(s->nodes, sizeof *settled);
    GFAB_NEED(settled);
    for (;;) {
        *worst = s->source[0];
        for (size_t i = 1; i < s->sources; i++)
            if (s->rounds[s->source[i]] > s->rounds[*worst] ||
                (s->rounds[s->source[i]] == s->rounds[*worst] && settled[s->source[i]] && !settled[*worst]))
                *worst = s->source[i];
        if (settled[*worst])
            break;
        settled[*worst] = true;
        if (!options->effort)
            GFAB_TRY(solve_from(s, options, s->load, *worst, &s->rounds[*worst], &s->diag));
    }
    return GFAB_OK;
}

/* The options for one of many sources at a time: quick, and in the one thread. */
static gfab_status set_options(survey *s, const gfab_solver_options *options, const gfab_progress *progress,
                               char **text)
{
    bool threads = false;
    size_t length;
    s->options = *options;
    s->options.progress = progress;
    s->options.effort = options->effort ? options->effort : 1;
    for (const char *const *key = s->solver->parameters; key && *key; key++)
        threads = threads || strcmp(*key, "threads") == 0;
    if (!threads || gfab_parameter(options->parameters, "threads", &length))
        return GFAB_OK;
    const char *given = options->parameters ? options->parameters : "";
    const size_t size = strlen(given) + sizeof ",threads=1";
    *text = malloc(size);
    if (!*text)
        return GFAB_ERR_NO_MEMORY;
    (void)snprintf(*text, size, "%s%sthreads=1", given, *given ? "," : "");
    s->options.parameters = *text;
    return GFAB_OK;
}

/* Of a graph, a model, a solver and room for rounds. */
static gfab_status survey_all(survey *s, const gfab_solver_options *options, uint32_t *worst, gfab_diag *diag)
{
    const unsigned workers = gfab_parallel_workers();
    const gfab_progress progress = {report, s};
    GFAB_FREED char *parameters = NULL;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {NULL, false};
    s->nodes = gfab_topology_node_count(s->topology);
    s->progress = options->progress;
    uint32_t *alike = gfab_arena_zeroed(&arena, s->nodes, sizeof *alike);
    s->source = gfab_arena_zeroed(&arena, s->nodes, sizeof *s->source);
    s->load = gfab_arena_zeroed2(&arena, s->nodes, workers, sizeof *s->load);
    pthread_mutex_init(&s->lock, NULL);
    s->status = arena.failed ? GFAB_ERR_NO_MEMORY : gfab_symmetry_node_orbits(s->topology, alike);
    GFAB_THEN(s->status, set_options(s, options, &progress, &parameters));
    if (s->status == GFAB_OK) {
        for (uint32_t v = 0; v < s->nodes; v++) {
            s->rounds[v] = UINT32_MAX;
            if (alike[v] == v)
                s->source[s->sources++] = v;
        }
        gfab_parallel_for(workers, s->sources, survey_source, s);
    }
    GFAB_THEN(s->status, settle_worst(s, options, worst));
    for (size_t v = 0; v < s->nodes && s->status == GFAB_OK; v++)
        s->rounds[v] = s->rounds[alike[v]];
    pthread_mutex_destroy(&s->lock);
    if (s->status == GFAB_OK)
        return GFAB_OK;
    return gfab_fail(diag, 0, s->status, "%s", s->diag.message[0] ? s->diag.message : gfab_status_string(s->status));
}

gfab_status gfab_broadcast_survey(const gfab_topology *topology, const gfab_model *model, const gfab_solver *solver,
                                  const gfab_solver_options *options, uint32_t *rounds, uint32_t *worst,
                                  gfab_diag *diag)
{
    const gfab_recognition *recognition = options->recognition;
    survey s = {.topology = topology, .model = model, .solver = solver, .rounds = rounds};
    if (!recognition || !recognition->count)
        return survey_all(&s, options, worst, diag);
    const gfab_likeness *like = &recognition->at[0];
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED uint32_t *known = malloc(nodes * sizeof *known);
    uint32_t slowest;
    if (!known)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    s.topology = like->topology;
    s.rounds = known;
    GFAB_TRY(survey_all(&s, options, &slowest, diag));
    for (uint32_t v = 0; v < nodes; v++) {
        rounds[v] = known[like->image[v]];
        *worst = like->image[v] == slowest ? v : *worst;
    }
    return GFAB_OK;
}
