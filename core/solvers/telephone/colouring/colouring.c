/* SPDX-License-Identifier: MIT */
/* The colouring heuristic as a solver: settings, search or a given sequence, and the packets of it. */
#include "solvers/telephone/telephone.h"

#include "solvers/telephone/exchange.h"

#include <gossipfab/schedule/bound.h>
#include <gossipfab/telephone/colouring.h>
#include <stdlib.h>
#include <string.h>

/* Visits of a node by the search, for each unit of options->effort. */
#define VISITS_A_TRY 100000000u

static const char *const keys[] = {"matchings", "rounds", "f", "no-return", "window", NULL};

/* A setting as a text of its own, to be freed; NULL in *text where it is not there. */
static gfab_status copy_setting(const gfab_solver_options *options, const char *key, char **text)
{
    size_t length;
    const char *value = gfab_parameter(options->parameters, key, &length);
    *text = NULL;
    if (!value)
        return GFAB_OK;
    *text = malloc(length + 1);
    if (!*text)
        return GFAB_ERR_NO_MEMORY;
    memcpy(*text, value, length);
    (*text)[length] = '\0';
    return GFAB_OK;
}

static gfab_status read_flag(const gfab_solver_options *options, const char *key, bool *flag, gfab_diag *diag)
{
    uint64_t value = 0;
    GFAB_TRY(gfab_parameter_number(options->parameters, key, 0, 1, &value, diag));
    *flag = value != 0;
    return GFAB_OK;
}

static gfab_status read_settings(const gfab_solver_options *options, gfab_colouring_options *settings, gfab_diag *diag)
{
    char *f;
    gfab_status status = read_flag(options, "no-return", &settings->no_return, diag);
    GFAB_THEN(status, read_flag(options, "window", &settings->every_window, diag));
    GFAB_THEN(status, copy_setting(options, "f", &f));
    if (status == GFAB_OK && f) {
        gfab_ratio ratio;
        if (gfab_ratio_parse(f, &ratio, NULL) == GFAB_OK && ratio.numerator <= ratio.denominator)
            settings->keep_percent = (uint32_t)(ratio.numerator * 100 / ratio.denominator);
        else
            status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "f=%.20s: f is a fraction from 0 to 1, such as 0.9", f);
        free(f);
    }
    return status;
}

static gfab_status search(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                          const gfab_matchings *matchings, gfab_sequence *sequence, gfab_diag *diag)
{
    gfab_bound bound;
    gfab_colouring_options settings = gfab_colouring_options_default();
    settings.progress = options->progress;
    settings.rounds = options->rounds;
    settings.effort = (uint64_t)options->effort * VISITS_A_TRY;
    GFAB_TRY(read_settings(options, &settings, diag));
    GFAB_TRY(gfab_bound_best(topology, model, options->progress, &bound));
    settings.enough_rounds = (uint32_t)bound.rounds;
    return gfab_colouring_find(matchings, &settings, sequence, diag);
}

static gfab_status play(const gfab_matchings *matchings, const gfab_sequence *sequence,
                        const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_AT_END(gfab_exchange_release) gfab_exchange exchange = {0};
    GFAB_TRY(gfab_exchange_create(schedule, &exchange));
    for (size_t i = 0; i < sequence->length; i++) {
        GFAB_TRY(gfab_solver_report(options, "rounds", i, sequence->length));
        GFAB_TRY(gfab_exchange_matching(&exchange, gfab_matchings_partners(matchings, sequence->at[i])));
    }
    if (!gfab_exchange_complete(&exchange))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the %zu rounds given are no gossip: some node lacks a token",
                         sequence->length);
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    GFAB_FREED char *from = NULL, *given = NULL;
    gfab_matchings *matchings = NULL;
    GFAB_FREED gfab_sequence *sequence = malloc(sizeof *sequence);
    gfab_status status = sequence ? copy_setting(options, "matchings", &from) : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, copy_setting(options, "rounds", &given));
    GFAB_THEN(status, gfab_matchings_create(topology, from, &matchings, diag));
    GFAB_THEN(status, given ? gfab_sequence_read(matchings, given, sequence, diag)
                            : search(topology, model, options, matchings, sequence, diag));
    GFAB_THEN(status, play(matchings, sequence, options, schedule, diag));
    gfab_matchings_destroy(matchings);
    return status;
}

GFAB_SOLVE(solve, colouring, build)

const gfab_solver gfab_solver_colouring = {
    .name = "colouring",
    .summary = "telephone gossip by a sequence of a few matchings; best on CCC, butterflies, star and pancake graphs",
    .source = "Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 6",
    .applies = gfab_telephone_check,
    .solve = solve,
    .parameters = keys,
    .only = GFAB_ONLY_TELEPHONE,
};
