/* SPDX-License-Identifier: MIT */
/* How a schedule repeats. */
#include "schedule_internal.h"

#include "base/tells.h"

/* Has every owner its own blocks, in an order of its own? */
static bool shared_out(gfab_collective collective)
{
    return collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
}

static bool can_repeat(const gfab_schedule *s, uint32_t group)
{
    const size_t members = gfab_topology_member_count(s->topology);
    const gfab_collective collective = s->goal.collective;
    if (collective == GFAB_BARRIER || collective == GFAB_ALL_TO_ALL || s->parts != 1 || s->model.packet_tokens != 1 ||
        s->model.routing != GFAB_ROUTING_STORE_AND_FORWARD || (shared_out(collective) && group % members != 0))
        return false;
    return collective != GFAB_ALL_GATHER || gfab_schedule_load(s);
}

/* For so many blocks, a number that the goal takes; of what is kept the last group's part is yet to be counted. */
static gfab_repeat repeat_for(const gfab_schedule *s, uint32_t period, uint32_t group, uint32_t blocks)
{
    const uint32_t owners = shared_out(s->goal.collective) ? (uint32_t)gfab_topology_member_count(s->topology) : 1;
    gfab_repeat r = {.period = period, .group = group, .share = group / owners, .length = blocks / owners};
    r.count = (r.length - 1) / r.share + 1;
    r.last = r.length - (r.count - 1) * r.share;
    return r;
}

/* Do the rounds of kept ones stay within the limit? */
static bool within_limit(const gfab_repeat *r, uint32_t kept_rounds)
{
    return (uint64_t)(r->count - 1) * r->period + kept_rounds <= GFAB_MAX_PLAYED_ROUNDS;
}

gfab_status gfab_schedule_set_period(gfab_schedule *schedule, uint32_t period, uint32_t group)
{
    if (schedule->word_count || schedule->numbers || period < 1 || group < 1 || !can_repeat(schedule, group))
        return GFAB_ERR_INVALID;
    const gfab_repeat repeat = repeat_for(schedule, period, group, schedule->goal.blocks);
    if (period > GFAB_MAX_ROUNDS || group >= GFAB_COMBINE || !within_limit(&repeat, 1))
        return GFAB_ERR_LIMIT;
    schedule->repeat = repeat;
    schedule->token_limit = group;
    return GFAB_OK;
}

GFAB_TELLS(uint32_t, gfab_schedule_period, gfab_schedule, repeat.period)

uint32_t gfab_schedule_group(const gfab_schedule *schedule)
{
    return schedule->repeat.period ? schedule->repeat.group : schedule->goal.blocks;
}

uint32_t gfab_schedule_group_count(const gfab_schedule *schedule)
{
    return schedule->repeat.period ? schedule->repeat.count : 1;
}

GFAB_TELLS(bool, gfab_schedule_any_length, gfab_schedule, repeat.any_length)

gfab_status gfab_schedule_set_blocks(gfab_schedule *schedule, uint32_t blocks)
{
    const size_t members = gfab_topology_member_count(schedule->topology);
    gfab_goal goal = schedule->goal;
    goal.blocks = blocks;
    if (!schedule->repeat.period)
        return GFAB_ERR_INVALID;
    GFAB_TRY(gfab_goal_check(&goal, members, NULL));
    gfab_repeat repeat = repeat_for(schedule, schedule->repeat.period, schedule->repeat.group, blocks);
    if (!within_limit(&repeat, schedule->rounds ? schedule->rounds : 1))
        return GFAB_ERR_LIMIT;
    for (uint32_t round = 1; round <= schedule->rounds; round++) {
        gfab_packet_iter packets = gfab_schedule_kept_round(schedule, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            gfab_repeat_count(&repeat, round, packet.tokens[0], packet.arc_count);
    }
    if (goal.collective == GFAB_ALL_GATHER)
        GFAB_TRY(gfab_schedule_load_members(schedule, repeat.length));
    schedule->goal = goal;
    schedule->repeat = repeat;
    return GFAB_OK;
}

gfab_status gfab_schedule_set_any_length(gfab_schedule *schedule)
{
    const gfab_status status = gfab_schedule_set_blocks(schedule, schedule->repeat.group);
    schedule->repeat.any_length = status == GFAB_OK && schedule->repeat.period;
    return status;
}
