/* SPDX-License-Identifier: MIT */
/* What is taken where no solver is named: the best of the rows. The first is auto_gossip, which knows what closed forms
 * promise; the solvers of collectives follow, by the time they take; of these `part` tries what the graph contains. */
#include "auto_best.h"
#include "halves.h"
#include "part.h"
#include "past.h"
#include "solvers/collective/collectives.h"

static const gfab_solver *at(size_t index)
{
    return index ? gfab_collective_at(index - 1) : &gfab_solver_auto_gossip;
}

static const gfab_solver *or_part_at(size_t index)
{
    const gfab_solver *solver = at(index);
    return solver ? solver : at(index - 1) ? &gfab_solver_past : index > 1 && at(index - 2) ? &gfab_solver_part : NULL;
}

static gfab_status solve_by(gfab_solver_table *table, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    gfab_solver_options asked = *options;
    *schedule = NULL;
    gfab_status status = gfab_solver_check_options(&gfab_solver_auto, options, diag);
    if (status == GFAB_OK && options->load && !gfab_topology_is_plain(topology))
        return GFAB_REFUSE(
            diag,
            "%s has relays, weighted or directed links: there no solver takes what each node starts with; a broadcast, "
            "--collective broadcast, or a gossip of several blocks a member can be made",
            gfab_topology_name(topology));
    if (status == GFAB_OK && options->load)
        return gfab_solver_auto_gossip.solve(topology, model, options, schedule, diag);
    if (!options->goal)
        asked.goal = &gossip;
    GFAB_THEN(status, gfab_goal_check(asked.goal, gfab_topology_member_count(topology), diag));
    return status == GFAB_OK ? gfab_auto_best(table, topology, model, &asked, schedule, diag) : status;
}

static gfab_status solve_whole(const gfab_topology *topology, const gfab_model *model,
                               const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    return solve_by(at, topology, model, options, schedule, diag);
}

static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    return solve_by(or_part_at, topology, model, options, schedule, diag);
}

/* Where no gossip is made another collective may be: solve knows which is asked for. */
static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const bool switches = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    const bool stored = model->routing == GFAB_ROUTING_STORE_AND_FORWARD && !switches;
    const gfab_status gossip = gfab_solver_applies(&gfab_solver_auto_gossip, topology, model, diag);
    if (gossip == GFAB_OK || gfab_solver_cut_short(gossip) || gfab_topology_is_plain(topology))
        return gossip;
    const gfab_status other =
        gfab_solver_applies(stored ? &gfab_solver_steiner : &gfab_solver_library, topology, model, diag);
    return switches && other == GFAB_ERR_UNSUPPORTED ? gfab_solver_applies(&gfab_solver_past, topology, model, diag)
                                                     : other;
}

static gfab_status formula(const gfab_topology *topology, const gfab_model *model, uint64_t *rounds)
{
    if (!gfab_topology_is_plain(topology))
        return GFAB_ERR_UNSUPPORTED;
    return gfab_solver_auto_gossip.formula(topology, model, rounds);
}

static gfab_status auto_cost(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                             gfab_cost *cost, gfab_diag *diag)
{
    GFAB_TRY(gfab_solver_applies(&gfab_solver_auto_gossip, topology, model, diag));
    return gfab_solver_auto_gossip.cost(topology, model, options, cost, diag);
}

const gfab_solver gfab_solver_auto = {
    .name = "auto",
    .summary = "the default: a record; a closed form or comb at the lower bound; else exhaustive, search, or for one "
               "port mesh-telephone, matching and colouring: the shortest found; with a startup the cheapest of all; a "
               "broadcast by broadcast; other collectives: the best of all that make them",
    .source = "gossipfab, docs/theory/optimal-gossip.md",
    .applies = applies,
    .solve = solve,
    .formula = formula,
    .cost = auto_cost,
    .collectives = GFAB_MAKES_ALL,
    .knows = GFAB_MARKS,
    .most_nodes = SIZE_MAX,
    .takes_load = true,
    .repeats = true,
};

/* What part asks: auto without part. */
static const gfab_solver whole = {.name = "auto",
                                  .solve = solve_whole,
                                  .collectives = GFAB_MAKES_ALL,
                                  .knows = GFAB_MARKS,
                                  .most_nodes = SIZE_MAX,
                                  .takes_load = true,
                                  .repeats = true};

static gfab_status part_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    if (!gfab_topology_is_plain(topology))
        return GFAB_OK;
    return GFAB_REFUSE(diag, "part is for graphs with relays, one-way or weighted links, not for %s",
                       gfab_topology_name(topology));
}

static gfab_status part_build(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    return gfab_part_build(&whole, topology, model, options, schedule, diag);
}

GFAB_SOLVE(part_solve, part, part_build)

const gfab_solver gfab_solver_part = {
    .name = "part",
    .summary = "what the graph contains, by the best of all others: without relays, one-way links or weights",
    .source = "gossipfab, docs/theory/relays.md",
    .applies = part_applies,
    .solve = part_solve,
    .improve = part_solve,
    .collectives = GFAB_MAKES_ALL,
    .knows = GFAB_MARKS,
    .repeats = true,
};

/* ---- past switches ---- */

static gfab_status past_applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const bool switches = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    if (switches && (model->port_mode == GFAB_PORT_ALL || gfab_topology_has_single_links(topology)))
        return GFAB_OK;
    return GFAB_REFUSE(diag,
                       switches
                           ? "past-switches, with one port, is for nodes that have one link each, unlike those of %s"
                           : "past-switches is for graphs with switches, not for %s",
                       gfab_topology_name(topology));
}

/* What is made under a model that has as many rounds, or fewer, and brought to this one: where each node has one link,
 * one port is as good as all; in half duplex packets get other rounds, or links take turns. */
static gfab_status past_build(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const bool half = model->link_mode == GFAB_LINK_HALF;
    if (model->port_mode == GFAB_PORT_ALL && !half)
        return gfab_past_build(&whole, topology, model, options, schedule, diag);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    gfab_solver_options asked = *options;
    gfab_model easier = *model;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *made = NULL;
    if (half && options->any_length)
        return gfab_past_build_half(NULL, options, schedule, diag);
    easier.port_mode = GFAB_PORT_ALL;
    easier.link_mode = GFAB_LINK_FULL;
    asked.goal = &goal;
    asked.rounds = half ? 0 : options->rounds;
    GFAB_TRY(solve(topology, &easier, &asked, &made, diag));
    return half ? gfab_past_build_half(made, options, schedule, diag)
                : gfab_solver_copy_rounds(made, NULL, NULL, schedule);
}

static gfab_status past_solve(const gfab_topology *topology, const gfab_model *model,
                              const gfab_solver_options *options, gfab_schedule **schedule, gfab_diag *diag)
{
    return gfab_solver_run(&gfab_solver_past, past_build, topology, model, options, schedule, diag);
}

const gfab_solver gfab_solver_past = {
    .name = "past-switches",
    .summary = "switches are split off: the best of all solvers on the graph of members that is left; in half duplex "
               "its packets in rounds anew, or links that take turns",
    .source = "gossipfab, docs/theory/long-vectors/switches.md",
    .applies = past_applies,
    .solve = past_solve,
    .improve = past_solve,
    .collectives = GFAB_MAKES_ALL,
    .knows = GFAB_MARKS,
    .only = GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
    .repeats = true,
};
