/* SPDX-License-Identifier: MIT */
/* The plan has said all: which step is next, where each block is, when it may be combined. Ranks take the steps of a
 * round in one order of all its messages, so that the first one not yet done has both its ends waiting for it: nothing
 * waits in a circle, even where no link stores a byte. */
#include "gfab_carry.h"

/* Elements before a piece of `count`; a piece past the end begins there. */
static size_t piece_start(const gfab_carry_plan *plan, const gfab_carry_call *call, size_t piece)
{
    const size_t count = call->count, pieces = plan->pieces;
    if (call->granule)
        return piece <= count / call->granule ? piece * call->granule : count;
    if (piece >= pieces)
        return count;
    return piece * (count / pieces) + (size_t)((uint32_t)piece * (uint32_t)(count % pieces) / pieces);
}

/* Elements of the longest piece. */
static size_t longest(const gfab_carry_plan *plan, size_t count, size_t granule)
{
    if (granule)
        return granule < count ? granule : count;
    if (plan->pieces == 0)
        return 0;
    return count / plan->pieces + (count % plan->pieces != 0);
}

/* Groups under way at once. */
static size_t flight(const gfab_carry_plan *plan)
{
    return plan->period ? (plan->round_count + (size_t)plan->period - 1) / plan->period : 1;
}

size_t gfab_carry_scratch(const gfab_carry_plan *plan, size_t count, size_t size, size_t granule)
{
    return (flight(plan) * plan->slots + plan->stages) * longest(plan, count, granule) * size;
}

/* Elements before block `block` of the input or the output. */
static size_t block_start(const gfab_carry_plan *plan, const gfab_carry_call *call, size_t block, size_t group)
{
    return block / plan->share * call->count + piece_start(plan, call, group * plan->share + block % plan->share);
}

static char *slot_at(const gfab_carry_plan *plan, const gfab_carry_call *call, size_t slot, size_t group)
{
    const size_t groups = flight(plan);
    slot += slot < plan->slots ? group % groups * plan->slots : (groups - 1) * plan->slots;
    return (char *)call->scratch + slot * longest(plan, call->count, call->granule) * call->size;
}

static void copy(char *to, const char *from, size_t bytes)
{
    while (bytes-- != 0)
        *to++ = *from++;
}

static int take_step(const gfab_carry_plan *plan, const gfab_carry_call *call, const gfab_carry_step *step,
                     size_t group)
{
    const size_t piece = group * plan->share + step->block % plan->share;
    const size_t elements = piece_start(plan, call, piece + 1) - piece_start(plan, call, piece);
    char *data;
    if (elements == 0)
        return 0;
    if (step->area == GFAB_CARRY_SCRATCH)
        data = slot_at(plan, call, step->slot, group);
    else
        data = (char *)(step->area == GFAB_CARRY_INPUT ? call->input : call->output) +
               block_start(plan, call, step->block, group) * call->size;
    switch (step->kind) {
    case GFAB_CARRY_SEND:
        return call->send(call->context, step->other, data, elements * call->size);
    case GFAB_CARRY_RECEIVE:
        return call->receive(call->context, step->other, data, elements * call->size);
    case GFAB_CARRY_COMBINE:
        call->combine(call->context, data, slot_at(plan, call, step->other, group), elements);
        return 0;
    default:
        copy(data, slot_at(plan, call, step->other, group), elements * call->size);
        return 0;
    }
}

static int take_steps(const gfab_carry_plan *plan, const gfab_carry_call *call, size_t first, size_t end, size_t group)
{
    int code = 0;
    for (size_t i = first; i < end && code == 0; i++)
        code = take_step(plan, call, &plan->steps[i], group);
    return code;
}

/* In round r of the vector group g is in round r - g period of its own. */
static int repeat(const gfab_carry_plan *plan, const gfab_carry_call *call)
{
    const size_t granule = call->granule;
    const size_t pieces = granule ? call->count / granule + (call->count % granule != 0) : plan->pieces;
    const size_t groups = (pieces + plan->share - 1) / plan->share, period = plan->period;
    size_t begun = 0, done = 0; /* groups */
    int code = 0;
    for (size_t round = 0; done < groups && code == 0; round++) {
        begun += begun < groups && round == begun * period;
        for (size_t g = done; g < begun && code == 0; g++) {
            const uint32_t *steps = &plan->rounds[round - g * period];
            code = take_steps(plan, call, steps[0], steps[1], g);
        }
        done += done < begun && round + 1 == done * period + plan->round_count;
    }
    return code;
}

int gfab_carry(const gfab_carry_plan *plan, const gfab_carry_call *call)
{
    if ((call->granule ? plan->period : plan->pieces) == 0 || (plan->whole && call->count % plan->pieces != 0) ||
        (plan->takes_input && !call->input))
        return GFAB_CARRY_BAD;
    if (plan->copied && call->input && call->input != call->output) {
        const size_t from = block_start(plan, call, plan->copy_from, 0);
        const size_t end = block_start(plan, call, plan->copy_from + (size_t)plan->copied, 0);
        copy((char *)call->output + block_start(plan, call, plan->copy_to, 0) * call->size,
             (const char *)call->input + from * call->size, (end - from) * call->size);
    }
    return plan->period ? repeat(plan, call) : take_steps(plan, call, 0, plan->step_count, 0);
}
