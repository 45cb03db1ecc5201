/* SPDX-License-Identifier: MIT */
/* Which solver of gossip is fastest at a startup cost r: all that apply, under each model, ranked. A cost is a number
 * of startups and a number of transfers, so that most of the work does not depend on r and is done once, whatever r
 * are asked about. A solver's formula is taken where it has one, up to any size; else its schedule is made and
 * verified, on up to run_nodes nodes. Costs are compared as fractions, so that a tie is a tie; the earlier solver of
 * the table then wins. */
#include <gossipfab/solvers/advise.h>

#include "solvers/candidates.h"

#include <gossipfab/schedule/verify.h>
#include <stdio.h>
#include <stdlib.h>

/* A solver under a model, and the last schedule that was made of it. */
typedef struct candidate {
    gfab_advice advice; /* what does not depend on the startup is set once */
    bool made;
    gfab_cost made_cost;
    uint64_t made_links;
} candidate;

struct gfab_adviser {
    const gfab_topology *topology;
    gfab_adviser_options options;
    candidate *candidates;
    size_t count;
    gfab_advice *list;
};

gfab_adviser_options gfab_adviser_options_default(void)
{
    return (gfab_adviser_options){.run_nodes = 256, .solver = gfab_solver_options_default()};
}

static const gfab_solver *solver_at(const gfab_adviser_options *options, size_t index)
{
    if (!options->solvers)
        return gfab_candidate_at(index);
    return index < options->solver_count ? options->solvers[index] : NULL;
}

/* Those made for circuit routing have a formula. A solver without one makes under circuit the schedule that it makes
 * for store-and-forward: it need not be run twice. */
static bool is_repeatable(const gfab_adviser_options *options, const gfab_solver *solver, const gfab_model *plain)
{
    bool listed = false;
    for (size_t m = 0; m < options->model_count; m++)
        listed = listed || gfab_model_equal(&options->models[m], plain);
    return !solver->cost && listed;
}

/* Is the solver asked about the model? NO_MEMORY where it had none to tell whether it applies. */
static gfab_status is_asked(const gfab_topology *topology, const gfab_adviser_options *options,
                            const gfab_solver *solver, const gfab_model *model, bool *asked)
{
    gfab_model plain = *model;
    plain.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    gfab_status status = gfab_solver_applies(solver, topology, model, NULL);
    *asked = status == GFAB_OK;
    if (*asked && model->routing == GFAB_ROUTING_CIRCUIT && is_repeatable(options, solver, &plain)) {
        status = gfab_solver_applies(solver, topology, &plain, NULL);
        *asked = status != GFAB_OK;
    }
    return gfab_solver_cut_short(status) ? status : GFAB_OK;
}

/* Takes down the pairs that apply; there is room for all. */
static gfab_status collect(gfab_adviser *adviser)
{
    const gfab_adviser_options *options = &adviser->options;
    const gfab_solver *solver;
    for (size_t i = 0; (solver = solver_at(options, i)); i++)
        for (size_t m = 0; m < options->model_count && (options->solvers || !solver->broadcasts); m++) {
            bool asked;
            GFAB_TRY(is_asked(adviser->topology, options, solver, &options->models[m], &asked));
            if (!asked)
                continue;
            gfab_advice *advice = &adviser->candidates[adviser->count++].advice;
            advice->solver = solver;
            advice->parameters = options->solvers && options->parameters ? options->parameters[i] : NULL;
            advice->model = options->models[m];
        }
    return GFAB_OK;
}

/* The timing of a narrow fabric for schedules in so many parts, with paths or not. */
static gfab_status time_fabric(const gfab_topology *topology, const gfab_machine_options *machine, uint32_t parts,
                               bool paths, gfab_timing *timing, gfab_diag *diag)
{
    gfab_layout_options layout = gfab_layout_options_default();
    const gfab_timing_options options = {
        .token_bits = machine->token_bits, .link_bits = machine->link_bits, .latency_cycles = machine->latency_cycles};
    layout.parts = parts;
    layout.paths = paths;
    return gfab_timing_of(topology, &layout, &options, timing, diag);
}

gfab_status gfab_adviser_create(const gfab_topology *topology, const gfab_adviser_options *options,
                                gfab_adviser **adviser, gfab_diag *diag)
{
    gfab_status status = GFAB_OK;
    gfab_timing timing;
    *adviser = NULL;
    for (size_t m = 0; m < options->model_count && status == GFAB_OK; m++)
        status = gfab_model_check(&options->models[m], diag);
    if (status != GFAB_OK)
        return status;
    gfab_adviser *made = calloc(1, sizeof *made);
    if (!made)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    const gfab_recognition *recognition = options->solver.recognition;
    made->topology = recognition && recognition->count ? recognition->at[0].topology : topology;
    made->options = *options;
    size_t solvers = 0;
    while (solver_at(options, solvers))
        solvers++;
    made->candidates = calloc(solvers * options->model_count + 1, sizeof *made->candidates);
    made->list = calloc(solvers * options->model_count + 1, sizeof *made->list);
    status = made->candidates && made->list ? collect(made) : GFAB_ERR_NO_MEMORY;
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    else if (options->machine)
        status = time_fabric(topology, options->machine, 1, false, &timing, diag);
    return GFAB_HAND_OVER(status, made, gfab_adviser_destroy, adviser);
}

void gfab_adviser_destroy(gfab_adviser *adviser)
{
    if (!adviser)
        return;
    GFAB_FREE(adviser->candidates, adviser->list, adviser);
}

static bool same_cost(const gfab_cost *a, const gfab_cost *b)
{
    return a->startups == b->startups && a->transfers == b->transfers && a->parts == b->parts;
}

/* Makes the candidate's schedule and verifies it. UNSUPPORTED with the reason in diag where the solver gives none. */
static gfab_status make(const gfab_adviser *adviser, candidate *c, const gfab_solver_options *options, gfab_diag *diag)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_verify_report report;
    gfab_diag reason = {0, ""};
    const gfab_solver *solver = c->advice.solver;
    gfab_status status = solver->solve(adviser->topology, &c->advice.model, options, &schedule, &reason);
    if (gfab_solver_cut_short(status))
        return gfab_fail(diag, 0, status, "%s: %s", solver->name, gfab_status_string(status));
    if (status != GFAB_OK)
        return GFAB_REFUSE(diag, "%s", reason.message[0] ? reason.message : gfab_status_string(status));
    status = gfab_verify(adviser->topology, &c->advice.model, schedule, options->progress, &report);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "%s: %s", solver->name,
                         status == GFAB_ERR_FAULT ? report.message : gfab_status_string(status));
    c->made = true;
    c->made_cost = (gfab_cost){report.startups, report.transfers, report.parts};
    c->made_links = report.path_links;
    return GFAB_OK;
}

/* Cost and paths of a candidate. Circuit paths are not in a formula, and only a fabric asks for them. */
/* Is the solver, which has no formula, not run? The advice says why, then. */
static bool is_not_run(const gfab_adviser *adviser, gfab_advice *advice)
{
    const bool small = gfab_topology_node_count(adviser->topology) <= adviser->options.run_nodes;
    if (!small)
        (void)snprintf(advice->reason, sizeof advice->reason, "no formula, and not run on more than %zu nodes",
                       adviser->options.run_nodes);
    else if (advice->solver->on_request && !adviser->options.solvers)
        (void)snprintf(advice->reason, sizeof advice->reason, "no formula, not run unless named: it may take minutes");
    else
        return false;
    advice->source = GFAB_ADVICE_NONE;
    return true;
}

static gfab_status find_cost(const gfab_adviser *adviser, candidate *c, const gfab_solver_options *options,
                             gfab_diag *diag)
{
    gfab_advice *advice = &c->advice;
    const gfab_solver *solver = advice->solver;
    const bool circuit = advice->model.routing == GFAB_ROUTING_CIRCUIT;
    const bool small = gfab_topology_node_count(adviser->topology) <= adviser->options.run_nodes;
    gfab_cost cost;
    gfab_diag reason = {0, ""};
    gfab_status status = GFAB_OK;
    const gfab_status told =
        solver->cost ? solver->cost(adviser->topology, &advice->model, options, &cost, &reason) : GFAB_ERR_UNSUPPORTED;
    const bool formula = told == GFAB_OK;
    advice->path_links = 0;
    advice->reason[0] = '\0';
    if (gfab_solver_cut_short(told))
        return gfab_fail(diag, 0, told, "%s: %s", solver->name, gfab_status_string(told));
    if (!formula && is_not_run(adviser, advice))
        return GFAB_OK;
    const bool paths = formula && circuit && small && adviser->options.machine;
    if (!formula ? !c->made || solver->minds_startup : paths && !(c->made && same_cost(&c->made_cost, &cost)))
        status = make(adviser, c, options, &reason);
    if (status == GFAB_ERR_UNSUPPORTED && !formula) {
        advice->source = GFAB_ADVICE_NONE;
        (void)snprintf(advice->reason, sizeof advice->reason, "%.190s", reason.message);
        return GFAB_OK;
    }
    if (status == GFAB_OK && paths && !same_cost(&c->made_cost, &cost))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "%s: the schedule's cost is not the formula's", solver->name);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status == GFAB_ERR_UNSUPPORTED ? GFAB_ERR_FAULT : status, "%s", reason.message);
    advice->source = formula ? GFAB_ADVICE_FORMULA : GFAB_ADVICE_VERIFIED;
    advice->cost = formula ? cost : c->made_cost;
    if (!formula || paths)
        advice->path_links = c->made_links;
    else if (!circuit)
        advice->path_links = cost.startups;
    return GFAB_OK;
}

/* A round whose longest packet has s tokens, or parts, takes s F cycles, F that of a part, and the gap; with paths also
 * the drain of its longest one, which is linear in its links; c comes once: docs/reference/fabric-timing.md. */
static gfab_status find_cycles(const gfab_adviser *adviser, gfab_advice *advice)
{
    const gfab_machine_options *machine = adviser->options.machine;
    const gfab_cost *cost = &advice->cost;
    gfab_timing timing;
    gfab_diag reason = {0, ""};
    gfab_status status = GFAB_OK;
    advice->cycles = 0;
    if (!machine || advice->source == GFAB_ADVICE_NONE)
        return GFAB_OK;
    const bool paths = advice->path_links > cost->startups;
    if (paths && advice->model.link_mode != GFAB_LINK_FULL)
        (void)snprintf(advice->reason, sizeof advice->reason,
                       "the fabric's half-duplex packets cross one link a round");
    else if (advice->path_links == 0)
        (void)snprintf(advice->reason, sizeof advice->reason, "paths not known: not run on more than %zu nodes",
                       adviser->options.run_nodes);
    else if ((status = time_fabric(adviser->topology, machine, cost->parts, paths, &timing, &reason)) != GFAB_OK)
        (void)snprintf(advice->reason, sizeof advice->reason, "%.190s", reason.message);
    else {
        advice->cycles =
            cost->transfers * timing.cycles_per_round + cost->startups * machine->gap_cycles + timing.overhead_cycles;
        if (paths) {
            const uint64_t first = gfab_timing_drain_cycles(&timing, 1);
            const uint64_t link = gfab_timing_drain_cycles(&timing, 2) - first;
            advice->cycles += cost->startups * first + (advice->path_links - cost->startups) * link;
        }
    }
    return gfab_solver_cut_short(status) ? status : GFAB_OK;
}

/* Below 0 where a is better. */
static int compare(const gfab_advice *a, const gfab_advice *b)
{
    const bool known_a = a->source != GFAB_ADVICE_NONE;
    const bool known_b = b->source != GFAB_ADVICE_NONE;
    if (!known_a || !known_b)
        return known_b - known_a;
    if ((a->cycles == 0) != (b->cycles == 0))
        return a->cycles == 0 ? 1 : -1;
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? -1 : 1;
    return gfab_ratio_compare(a->total, b->total);
}

/* Has the solver this cost under an earlier model, too? */
static bool has_twin(const gfab_adviser *adviser, size_t index)
{
    const gfab_advice *a = &adviser->candidates[index].advice;
    for (size_t i = index; i-- > 0 && adviser->candidates[i].advice.solver == a->solver &&
                           adviser->candidates[i].advice.parameters == a->parameters;) {
        const gfab_advice *b = &adviser->candidates[i].advice;
        if (a->source != GFAB_ADVICE_NONE && b->source != GFAB_ADVICE_NONE && same_cost(&a->cost, &b->cost) &&
            a->model.link_mode == b->model.link_mode && a->model.port_mode == b->model.port_mode)
            return true;
    }
    return false;
}

gfab_status gfab_adviser_rank(gfab_adviser *adviser, gfab_ratio startup, const gfab_advice **list, size_t *count,
                              gfab_diag *diag)
{
    gfab_solver_options options = gfab_solver_options_default();
    options.seed = adviser->options.solver.seed;
    options.effort = adviser->options.solver.effort;
    options.progress = adviser->options.solver.progress;
    options.startup = startup;
    options.linear = true;
    size_t listed = 0;
    for (size_t i = 0; i < adviser->count; i++) {
        candidate *c = &adviser->candidates[i];
        options.parameters = c->advice.parameters;
        gfab_status status = gfab_solver_check_options(c->advice.solver, &options, diag);
        GFAB_THEN(status, find_cost(adviser, c, &options, diag));
        if (status == GFAB_OK && c->advice.source != GFAB_ADVICE_NONE &&
            (status = gfab_cost_total(&c->advice.cost, startup, &c->advice.total)) != GFAB_OK)
            gfab_fail(diag, 0, status, "%s: its cost at this startup is too large", c->advice.solver->name);
        if (status != GFAB_OK)
            return status;
        if (has_twin(adviser, i))
            continue;
        status = find_cycles(adviser, &c->advice);
        if (status != GFAB_OK)
            return gfab_fail(diag, 0, status, "%s: %s", c->advice.solver->name, gfab_status_string(status));
        size_t at = listed++;
        for (; at > 0 && compare(&c->advice, &adviser->list[at - 1]) < 0; at--)
            adviser->list[at] = adviser->list[at - 1];
        adviser->list[at] = c->advice;
    }
    *list = adviser->list;
    *count = listed;
    return GFAB_OK;
}
