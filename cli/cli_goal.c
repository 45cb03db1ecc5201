/* SPDX-License-Identifier: MIT */
/* What a schedule is for: --collective and what goes with it, and how reports say it. */
#include "cli_source.h"

#include <string.h>

/* --root as a rank: a number is one, a name is of a member. */
static gfab_status find_root(const cli_source *source, uint32_t *root, gfab_diag *diag)
{
    uint32_t node = 0;
    if (!source->root_name) {
        *root = source->root;
        return GFAB_OK;
    }
    gfab_diag why = {0, ""};
    const gfab_status status = gfab_topology_find_node(source->topology, source->root_name, &node, &why);
    if (status == GFAB_OK)
        *root = gfab_topology_rank(source->topology, node);
    if (status == GFAB_OK && *root != GFAB_NO_RANK)
        return GFAB_OK;
    if (status == GFAB_OK)
        snprintf(diag->message, sizeof diag->message, "--root: %.80s is a relay; a root is a member",
                 source->root_name);
    else
        snprintf(diag->message, sizeof diag->message, "--root: %.200s", why.message);
    return GFAB_ERR_INVALID;
}

/* The options as a goal. */
static gfab_status make_goal(const cli_source *source, size_t nodes, gfab_goal *goal, gfab_diag *diag)
{
    gfab_collective collective = GFAB_ALL_GATHER;
    gfab_status status = GFAB_OK;
    if (source->collective_text)
        status = gfab_collective_parse(source->collective_text, &collective, diag);
    GFAB_THEN(status, gfab_goal_of(collective, nodes, goal, diag));
    if (status != GFAB_OK)
        return status;
    if (source->blocks_given && !source->any_blocks)
        goal->blocks = source->blocks;
    if (source->root_given)
        GFAB_THEN(status, find_root(source, &goal->root, diag));
    if (status != GFAB_OK)
        return status;
    goal->idempotent = goal->idempotent || source->idempotent;
    return gfab_goal_check(goal, nodes, diag);
}

int cli_goal_read(const char *verb, cli_source *source)
{
    gfab_diag diag = {0, ""};
    const size_t nodes = gfab_topology_member_count(source->topology);
    if (!source->collective_text && !source->blocks_given && !source->root_given && !source->idempotent)
        return CLI_GO_ON;
    if (source->collective_text && strchr(source->collective_text, ','))
        return cli_error(verb, "--collective %s: generate and simulate put several in one fabric; give one",
                         source->collective_text);
    gfab_collective collective;
    if (source->collective_text && cli_collective_name(verb, source->collective_text, &collective) != CLI_GO_ON)
        return CLI_USAGE;
    CLI_TRY(cli_told(verb, make_goal(source, nodes, &source->goal, &diag), NULL, &diag));
    const gfab_goal gossip = gfab_goal_default(nodes);
    source->goal_given = source->any_blocks || !gfab_goal_equal(&source->goal, &gossip);
    return CLI_GO_ON;
}

/* A schedule that repeats gets the blocks that were asked for. */
static int play_blocks(const char *verb, const cli_source *source, const char *name)
{
    gfab_diag diag = {0, ""};
    gfab_goal goal = gfab_schedule_goal(source->schedule);
    if (!gfab_schedule_period(source->schedule) && source->any_blocks)
        return cli_error(verb, "%s: --blocks any, but the schedule does not repeat; leave the option out", name);
    if (!gfab_schedule_period(source->schedule) || !source->blocks_given)
        return CLI_GO_ON;
    goal.blocks = source->any_blocks ? gfab_schedule_group(source->schedule) : source->blocks;
    gfab_status status = gfab_goal_check(&goal, gfab_topology_member_count(source->topology), &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, "--blocks", &diag);
    status = source->any_blocks ? gfab_schedule_set_any_length(source->schedule)
                                : gfab_schedule_set_blocks(source->schedule, goal.blocks);
    if (status == GFAB_ERR_LIMIT)
        return cli_error(verb, "--blocks %u: more than %u rounds", goal.blocks, (unsigned)GFAB_MAX_PLAYED_ROUNDS);
    return cli_told(verb, status, name, NULL);
}

int cli_goal_check(const char *verb, const cli_source *source, const char *name)
{
    const int played = play_blocks(verb, source, name);
    const gfab_goal is = gfab_schedule_goal(source->schedule);
    const bool asked = source->collective_text || source->blocks_given || source->root_given || source->idempotent;
    gfab_goal goal;
    gfab_diag diag = {0, ""};
    const bool length_alone = !source->collective_text && !source->root_given && !source->idempotent;
    if (!asked || played != CLI_GO_ON || (length_alone && gfab_schedule_period(source->schedule)))
        return played;
    CLI_TRY(cli_told(verb, make_goal(source, gfab_topology_member_count(source->topology), &goal, &diag), NULL, &diag));
    if (gfab_schedule_period(source->schedule)) /* as many as it has: the option said so, or nothing did */
        goal.blocks = is.blocks;
    if (gfab_schedule_period(source->schedule) && !source->collective_text)
        goal.collective = is.collective;
    if (gfab_goal_equal(&is, &goal))
        return CLI_GO_ON;
    return cli_error(verb, "%s: the file is for %s of %u blocks%s; leave --collective and what goes with it out", name,
                     gfab_collective_name(is.collective), is.blocks, is.idempotent ? ", idempotent" : "");
}

const char *cli_goal_result(const gfab_goal *goal, const gfab_topology *topology)
{
    static const char *const results[GFAB_COLLECTIVES][2] = {
        {"every node ends with every token", "every member ends with every token"},
        {"every node ends with the totals of its blocks", "every member ends with the totals of its blocks"},
        {"every node ends with the totals of all blocks", "every member ends with the totals of all blocks"},
        {"every node ends with all blocks of the root", "every member ends with all blocks of the root"},
        {"the root ends with the totals of all blocks", "the root ends with the totals of all blocks"},
        {"every node ends with something of every node", "every member ends with something of every member"},
        {"every node ends with a block from every node", "every member ends with a block from every member"},
    };
    return results[goal->collective][gfab_topology_has_relays(topology)];
}

void cli_goal_print_root(FILE *file, const gfab_goal *goal, const gfab_topology *topology)
{
    if (!gfab_collective_has_root(goal->collective))
        return;
    const uint32_t node = gfab_topology_member(topology, goal->root);
    const char *name = gfab_topology_node_name(topology, node);
    if (name)
        fprintf(file, ", root %s", name);
    else if (node != goal->root)
        fprintf(file, ", root %u: node %u", goal->root, node);
    else
        fprintf(file, ", root %u", goal->root);
}

void cli_goal_print(FILE *file, const gfab_schedule *schedule)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const uint32_t period = gfab_schedule_period(schedule), group = gfab_schedule_group(schedule);
    if (goal.collective == GFAB_ALL_GATHER && !period)
        return;
    if (gfab_schedule_any_length(schedule))
        fprintf(file, "collective   %s, any number of blocks", gfab_collective_name(goal.collective));
    else
        fprintf(file, "collective   %s, %u block%s", gfab_collective_name(goal.collective), goal.blocks,
                goal.blocks == 1 ? "" : "s");
    cli_goal_print_root(file, &goal, gfab_schedule_topology(schedule));
    fprintf(file, "%s\n", goal.idempotent ? ", for operators that are idempotent" : "");
    if (period)
        fprintf(file, "repeats      %u block%s every %u round%s, the first in %u: %s rounds for %u n blocks\n", group,
                group == 1 ? "" : "s", period, period == 1 ? "" : "s", gfab_schedule_kept_rounds(schedule),
                cli_repeat_formula(schedule).text, group);
}

cli_formula cli_repeat_formula(const gfab_schedule *schedule)
{
    const uint32_t period = gfab_schedule_period(schedule), first = gfab_schedule_kept_rounds(schedule);
    cli_formula formula;
    if (first == period)
        (void)snprintf(formula.text, sizeof formula.text, "%u n", period);
    else
        (void)snprintf(formula.text, sizeof formula.text, "%u n %c %u", period, first > period ? '+' : '-',
                       first > period ? first - period : period - first);
    return formula;
}

json_t *cli_repeat_json(const gfab_schedule *schedule)
{
    const bool any = gfab_schedule_any_length(schedule);
    return CLI_JSON(cli_json_object(), CLI_KEY("any_length", any), CLI_KEY("period", gfab_schedule_period(schedule)),
                    CLI_KEY("group", gfab_schedule_group(schedule)),
                    CLI_KEY("group_rounds", gfab_schedule_kept_rounds(schedule)),
                    CLI_KEY("groups", cli_json_number_if(!any, gfab_schedule_group_count(schedule))),
                    CLI_KEY("formula", cli_repeat_formula(schedule).text));
}

json_t *cli_goal_json(const gfab_goal *goal)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("collective", gfab_collective_name(goal->collective)),
                    CLI_KEY("blocks", goal->blocks),
                    CLI_KEY("root", cli_json_number_if(gfab_collective_has_root(goal->collective), goal->root)),
                    CLI_KEY("idempotent", goal->idempotent));
}
