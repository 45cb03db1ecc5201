/* SPDX-License-Identifier: MIT */
/* The packets of a schedule: those that are kept, and all that they stand for.
 *
 * In a repeating schedule group g makes the kept moves g periods later, so that the packets of round R are those kept
 * in the rounds R, R - period, R - 2 period, ..: of the latest groups the first moves, of the oldest the last ones. */
#include "schedule_internal.h"
#include "topology/translate.h"

#include "base/tells.h"

#include <inttypes.h>

uint32_t gfab_schedule_rounds(const gfab_schedule *schedule)
{
    const gfab_repeat *r = &schedule->repeat;
    if (!r->period)
        return schedule->rounds;
    const uint32_t last = r->last_packets ? (r->count - 1) * r->period + r->last_rounds : 0;
    const uint32_t before = r->count > 1 && schedule->rounds ? (r->count - 2) * r->period + schedule->rounds : 0;
    return last > before ? last : before;
}

GFAB_TELLS(uint32_t, gfab_schedule_kept_rounds, gfab_schedule, rounds)

/* How many packets each kept one stands for, in a schedule that does not repeat. */
static uint64_t translates(const gfab_schedule *schedule)
{
    return schedule->numbers ? gfab_topology_node_count(schedule->topology) : 1;
}

uint64_t gfab_schedule_packet_count(const gfab_schedule *schedule)
{
    const gfab_repeat *r = &schedule->repeat;
    if (r->period)
        return (r->count - 1) * schedule->packet_count + r->last_packets;
    return schedule->packet_count * translates(schedule);
}

GFAB_TELLS(uint64_t, gfab_schedule_kept_count, gfab_schedule, packet_count)

uint64_t gfab_schedule_move_count(const gfab_schedule *schedule)
{
    const gfab_repeat *r = &schedule->repeat;
    if (r->period)
        return (r->count - 1) * schedule->move_count + r->last_moves;
    return schedule->move_count * translates(schedule);
}

gfab_status gfab_schedule_check_listed(const gfab_schedule *schedule, gfab_diag *diag)
{
    const uint64_t count = gfab_schedule_packet_count(schedule);
    const bool stands = schedule->numbers || schedule->repeat.period;
    if (schedule->repeat.any_length)
        return GFAB_REFUSE(diag, "the schedule is for any number of blocks; say how many there are, --blocks B");
    if (!stands || count <= GFAB_MAX_LISTED_PACKETS)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                     "the schedule for %s is kept as one %s; its %" PRIu64
                     " packets are too many to go through one by one, at most %u",
                     gfab_topology_name(schedule->topology), schedule->numbers ? "tree" : "group that repeats", count,
                     (unsigned)GFAB_MAX_LISTED_PACKETS);
}

gfab_packet_iter gfab_schedule_kept_round(const gfab_schedule *schedule, uint32_t round)
{
    if (round < 1 || round > schedule->rounds)
        return (gfab_packet_iter){.at = NULL};
    const size_t end = round < schedule->rounds ? schedule->round_start[round] : schedule->word_count;
    return (gfab_packet_iter){.at = schedule->words + schedule->round_start[round - 1], .end = schedule->words + end};
}

/* The groups that can have packets in a round: *first, and as a result the one after the last. */
static uint32_t groups_of(const gfab_schedule *s, uint32_t round, uint32_t *first)
{
    const gfab_repeat *r = &s->repeat;
    const uint32_t past = round > s->rounds ? round - s->rounds : 0; /* rounds since group 0 ended */
    const uint32_t end = round ? (round - 1) / r->period + 1 : 0;
    *first = past / r->period + (past % r->period != 0);
    return end < r->count ? end : r->count;
}

gfab_packet_iter gfab_schedule_round(const gfab_schedule *schedule, uint32_t round)
{
    if (schedule->repeat.period) {
        gfab_packet_iter iter = {.whole = schedule, .round = round};
        iter.groups_end = groups_of(schedule, round, &iter.next);
        return iter;
    }
    gfab_packet_iter iter = gfab_schedule_kept_round(schedule, round);
    iter.whole = schedule->numbers ? schedule : NULL;
    return iter;
}

/* The packet of the kept one that node iter->next sends; then that of the next node. */
static void translate(gfab_packet_iter *iter, gfab_packet *packet)
{
    const gfab_schedule *s = iter->whole;
    const uint32_t from = iter->next, sender = gfab_topology_arc_from(s->topology, iter->at[0]);
    const gfab_arc arc = gfab_translate_arc(s->topology, iter->at[0], from);
    *packet = (gfab_packet){s->numbers + arc, 1, s->numbers + gfab_translate_minus(s->topology, from, sender), 1};
    if (++iter->next < gfab_topology_node_count(s->topology))
        return;
    iter->next = 0;
    iter->at += 2;
}

uint32_t gfab_schedule_block_in(const gfab_schedule *schedule, uint32_t group, uint32_t block)
{
    const gfab_repeat *r = &schedule->repeat;
    if (!r->period)
        return block;
    if (group >= r->count || (group + 1 == r->count && !gfab_repeat_in_last(r, block)))
        return UINT32_MAX;
    return block / r->share * r->length + group * r->share + block % r->share;
}

uint32_t gfab_schedule_kept_block(const gfab_schedule *schedule, uint32_t block)
{
    const gfab_repeat *r = &schedule->repeat;
    if (!r->period)
        return block;
    if (r->share == r->group) /* one owner */
        return block % r->group;
    return block / r->length * r->share + block % r->length % r->share;
}

/* The packet as it was appended, and past it. */
static void take(gfab_packet_iter *iter, gfab_packet *packet)
{
    const uint32_t *at = iter->at;
    if (at[0] & GFAB_LONG_FORM) {
        packet->arc_count = at[0] & ~GFAB_LONG_FORM;
        packet->token_count = at[1];
        packet->arcs = at + 2;
        packet->tokens = at + 2 + packet->arc_count;
        iter->at = packet->tokens + packet->token_count;
    } else {
        *packet = (gfab_packet){at, 1, at + 1, 1};
        iter->at = at + 2;
    }
}

/* The next packet of a repeating schedule: group after group what it kept for the round. */
static bool repeated(gfab_packet_iter *iter, gfab_packet *packet)
{
    const gfab_schedule *s = iter->whole;
    for (;;) {
        if (iter->at == iter->end) {
            if (iter->next >= iter->groups_end)
                return false;
            const gfab_packet_iter kept = gfab_schedule_kept_round(s, iter->round - iter->next++ * s->repeat.period);
            iter->at = kept.at;
            iter->end = kept.end;
            continue;
        }
        take(iter, packet);
        const uint32_t kept = packet->tokens[0];
        const uint32_t block = gfab_schedule_block_in(s, iter->next - 1, kept & ~GFAB_COMBINE);
        if (block == UINT32_MAX)
            continue;
        iter->token = block | (kept & GFAB_COMBINE);
        packet->tokens = &iter->token;
        return true;
    }
}

bool gfab_packet_next(gfab_packet_iter *iter, gfab_packet *packet)
{
    if (iter->whole && iter->whole->repeat.period)
        return repeated(iter, packet);
    if (iter->at == iter->end)
        return false;
    if (iter->whole)
        translate(iter, packet);
    else
        take(iter, packet);
    return true;
}
