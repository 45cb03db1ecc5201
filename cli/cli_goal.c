/* SPDX-License-Identifier: MIT */
/* What a schedule is for: --collective and what goes with it, and how reports say it. */
#include "cli_source.h"

#include <string.h>

/* The options as a goal. */
static gfab_status make_goal(const cli_source *source, size_t nodes, gfab_goal *goal, gfab_diag *diag)
{
    gfab_collective collective = GFAB_ALL_GATHER;
    gfab_status status = GFAB_OK;
    if (source->collective_text)
        status = gfab_collective_parse(source->collective_text, &collective, diag);
    if (status == GFAB_OK)
        status = gfab_goal_of(collective, nodes, goal, diag);
    if (status != GFAB_OK)
        return status;
    if (source->blocks_given)
        goal->blocks = source->blocks;
    if (source->root_given)
        goal->root = source->root;
    goal->idempotent = goal->idempotent || source->idempotent;
    return gfab_goal_check(goal, nodes, diag);
}

int cli_goal_read(const char *verb, cli_source *source)
{
    gfab_diag diag = {0, ""};
    const size_t nodes = gfab_topology_member_count(source->topology);
    const char *given = source->collective_text ? "collective"
                        : source->blocks_given  ? "blocks"
                        : source->root_given    ? "root"
                        : source->idempotent    ? "idempotent"
                                                : NULL;
    if (!given)
        return CLI_GO_ON;
    if (source->collective_text && strchr(source->collective_text, ','))
        return cli_error(verb, "--collective %s: generate and simulate put several in one fabric; give one",
                         source->collective_text);
    if (source->load_text || source->broadcast)
        return cli_error(verb, "--%s does not go with --%s; give one of them", given,
                         source->load_text ? "load" : "broadcast-from");
    const gfab_status status = make_goal(source, nodes, &source->goal, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, &diag);
    const gfab_goal gossip = gfab_goal_default(nodes);
    source->goal_given = !gfab_goal_equal(&source->goal, &gossip);
    return CLI_GO_ON;
}

int cli_goal_check(const char *verb, const cli_source *source, const char *name)
{
    const gfab_goal is = gfab_schedule_goal(source->schedule);
    const bool asked = source->collective_text || source->blocks_given || source->root_given || source->idempotent;
    gfab_goal goal;
    gfab_diag diag = {0, ""};
    if (!asked)
        return CLI_GO_ON;
    const gfab_status status = make_goal(source, gfab_topology_member_count(source->topology), &goal, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, &diag);
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

void cli_goal_print(FILE *file, const gfab_schedule *schedule)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    if (goal.collective == GFAB_ALL_GATHER)
        return;
    fprintf(file, "collective   %s, %u block%s", gfab_collective_name(goal.collective), goal.blocks,
            goal.blocks == 1 ? "" : "s");
    if (gfab_collective_has_root(goal.collective))
        fprintf(file, ", root %u", goal.root);
    fprintf(file, "%s\n", goal.idempotent ? ", for operators that are idempotent" : "");
}

json_t *cli_goal_json(const gfab_goal *goal)
{
    json_t *object = cli_json_object();
    cli_json_text(object, "collective", gfab_collective_name(goal->collective));
    cli_json_int(object, "blocks", goal->blocks);
    cli_json_set(object, "root",
                 gfab_collective_has_root(goal->collective) ? json_integer((json_int_t)goal->root) : json_null());
    cli_json_bool(object, "idempotent", goal->idempotent);
    return object;
}
