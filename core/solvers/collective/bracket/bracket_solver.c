/* SPDX-License-Identifier: MIT */
/* Sums in one bracketing: that of every block is the same, whatever ways they take, so that an element's bits depend
 * neither on its place in the vector nor on what it is sent with. The bracketing is given, or chosen for few rounds.
 * docs/theory/bracket.md. */
#include "bracket.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    const gfab_topology *topology;
    const gfab_model *model;
    gfab_solver_options options; /* with the goal */
    const char *form;            /* NULL: the best of all */
    size_t form_length;
    gfab_schedule *best;
    gfab_status failed;
    gfab_diag reason;
} request;

static const char *const forms[] = {"links", "parts", "whole"};

static bool wants_form(const request *r, size_t form)
{
    return !r->form || (r->form_length == strlen(forms[form]) && memcmp(r->form, forms[form], r->form_length) == 0);
}

/* One bracketing in one form. */
static gfab_status try_form(request *r, const gfab_bracket *bracket, size_t form)
{
    gfab_schedule *made = NULL;
    gfab_diag why = {0, ""};
    const bool hops = r->model->hop_rounds == 1, whole = form == 2;
    if (!wants_form(r, form))
        return GFAB_OK;
    gfab_status status = gfab_schedule_create(r->topology, r->model, &made);
    GFAB_THEN(status, gfab_schedule_set_goal(made, r->options.goal, &why));
    if (status == GFAB_OK && form == 0)
        status = gfab_bracket_moves(&r->options, bracket, made, &why);
    else if (status == GFAB_OK &&
             (!hops || (r->model->port_mode == GFAB_PORT_ONE && r->model->routing == GFAB_ROUTING_STORE_AND_FORWARD)))
        status = GFAB_REFUSE(&why, "messages are for 1 round a hop, and for circuits with one port");
    else if (status == GFAB_OK)
        status = gfab_bracket_steps(&r->options, bracket, whole, made, &why);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(made);
        if (r->failed == GFAB_OK) {
            r->failed = status;
            r->reason = why;
        }
        return gfab_solver_cut_short(status) ? status : GFAB_OK;
    }
    bool better;
    return gfab_solver_keep(made, &r->options, &r->best, &better);
}

static gfab_status try_bracket(request *r, const gfab_bracket *bracket)
{
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
        GFAB_TRY(try_form(r, bracket, form));
    return GFAB_OK;
}

/* The node that is nearest to all. */
static gfab_status find_centre(const gfab_topology *topology, uint32_t *centre)
{
    const uint32_t n = (uint32_t)gfab_topology_node_count(topology);
    uint32_t *work = malloc(2 * (size_t)n * sizeof *work), least = UINT32_MAX;
    for (uint32_t v = 0; work && v < n; v++) {
        gfab_topology_distances(topology, v, work, work + n);
        if (work[work[2 * (size_t)n - 1]] < least) {
            least = work[work[2 * (size_t)n - 1]];
            *centre = v;
        }
    }
    free(work);
    return work ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* None is given: that of a tree from the root or the middle, and the binary one, whose totals can be at many nodes. */
static gfab_status try_own(request *r)
{
    const bool rooted = r->options.goal->collective == GFAB_REDUCE;
    uint32_t centre = r->options.goal->root;
    if (!rooted)
        GFAB_TRY(find_centre(r->topology, &centre));
    for (int i = 0; i < 2; i++) {
        GFAB_AT_END(gfab_bracket_release) gfab_bracket bracket = {0};
        GFAB_TRY(
            i == 0 ? gfab_bracket_of_tree(r->topology, centre, &bracket)
                   : gfab_bracket_parse("binary", 6, (uint32_t)gfab_topology_node_count(r->topology), &bracket, NULL));
        GFAB_TRY(try_bracket(r, &bracket));
    }
    return GFAB_OK;
}

static gfab_status try_given(request *r, const char *text, size_t length, gfab_diag *diag)
{
    GFAB_AT_END(gfab_bracket_release) gfab_bracket bracket = {0};
    GFAB_TRY(gfab_bracket_parse(text, length, (uint32_t)gfab_topology_node_count(r->topology), &bracket, diag));
    return try_bracket(r, &bracket);
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    request r = {.topology = topology, .model = model, .options = *options};
    size_t length;
    const char *text = gfab_parameter(options->parameters, "bracket", &length);
    r.form = gfab_parameter(options->parameters, "form", &r.form_length);
    if (!wants_form(&r, 0) && !wants_form(&r, 1) && !wants_form(&r, 2))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "form=%.*s: there are links, parts, whole", (int)r.form_length,
                         r.form);
    gfab_status status = text ? try_given(&r, text, length, diag) : try_own(&r);
    if (status == GFAB_OK && r.best)
        status = gfab_solver_copy_rounds(r.best, NULL, NULL, schedule);
    else if (status == GFAB_OK)
        status = gfab_fail(diag, 0, r.failed, "%s", r.reason.message);
    gfab_schedule_destroy(r.best);
    return status;
}

GFAB_SOLVE(solve, bracket, build)

static const char *const parameters[] = {"bracket", "form", NULL};

const gfab_solver gfab_solver_bracket = {
    .name = "bracket",
    .summary = "sums in one bracketing for all blocks: bracket=binary, linear, or ((n0+n1)+n2), ..; form=links, parts "
               "or whole",
    .source = "docs/theory/bracket.md; its steps are those of Rabenseifner 2004 and of recursive doubling",
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_REDUCE_SCATTER) | GFAB_MAKES(GFAB_ALL_REDUCE) | GFAB_MAKES(GFAB_REDUCE) |
                   GFAB_MAKES(GFAB_BARRIER),
    .minds_startup = true,
    .repeats = true,
    .parameters = parameters,
    .knows = GFAB_MARK_WEIGHTS,
    .most_nodes = GFAB_BRACKET_MAX_NODES,
    .work = {.ns = 100000, .nodes = 1, .blocks = 1},
};
