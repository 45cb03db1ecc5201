/* SPDX-License-Identifier: MIT */
/* A rank's steps. A node sends what it had before the round: what comes waits in a stage until the block has left, and
 * until what comes in lower directions is combined; else it comes straight to its place. What is neither input nor
 * output stands in scratch memory, from when it comes until it has left for the last time. */
#include "c_plan.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NO_SLOT UINT32_MAX
#define STAGE UINT8_MAX /* for an area, until stages have their numbers */

/* Slots in use, by number; the lowest free one is taken. */
typedef struct slots {
    bool *used;
    size_t count, room; /* numbers that were ever in use */
} slots;

/* What comes in a round. */
typedef struct arrival {
    const gfab_act *act;
    uint32_t stage; /* NO_SLOT: it has not come */
    bool applied;
} arrival;

struct gfab_c_plan_maker {
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    gfab_goal goal; /* of one group */
    uint32_t members, share;
    uint16_t pieces;
    bool uneven;
    uint32_t rank; /* among the members; GFAB_NO_RANK */
    uint32_t node;
    uint32_t *slot_of; /* [block]: in scratch memory */
    uint32_t *left;    /* [block]: how often it is still sent */
    uint32_t *leaving; /* [block]: how often in this round */
    slots scratch, stages;
    arrival *arrivals; /* of a round: by block, direction */
    size_t arrival_count, arrival_room;
    gfab_c_plan made;
    gfab_status status; /* the first error */
    gfab_arena arena;
};

static void run_out(gfab_c_plan_maker *m)
{
    if (m->status == GFAB_OK)
        m->status = GFAB_ERR_NO_MEMORY;
}

static uint32_t take_slot(gfab_c_plan_maker *m, slots *s)
{
    size_t slot = 0;
    while (slot < s->count && s->used[slot])
        slot++;
    if (slot == s->count) {
        if (!gfab_grow(&s->used, s->count, &s->room, sizeof *s->used)) {
            run_out(m);
            return 0;
        }
        s->count++;
    }
    s->used[slot] = true;
    return (uint32_t)slot;
}

static void free_slot(slots *s, uint32_t slot)
{
    if (slot < s->count)
        s->used[slot] = false;
}

/* ---- blocks ---- */

static gfab_carry_area area_of(const gfab_c_plan_maker *m, uint32_t block)
{
    if (gfab_goal_wants(&m->goal, m->members, m->rank, block))
        return GFAB_CARRY_OUTPUT;
    const bool held = m->goal.collective != GFAB_ALL_GATHER && gfab_goal_holds(&m->goal, m->members, m->rank, block);
    return held ? GFAB_CARRY_INPUT : GFAB_CARRY_SCRATCH;
}

/* Its number in its area. In scratch memory only its length counts. */
static uint16_t number_in(const gfab_c_plan_maker *m, gfab_carry_area area, uint32_t block)
{
    if (m->goal.collective == GFAB_ALL_TO_ALL) {
        const uint32_t numbers[] = {[GFAB_CARRY_INPUT] = block % m->members,
                                    [GFAB_CARRY_OUTPUT] = block / m->members,
                                    [GFAB_CARRY_SCRATCH] = 0};
        return (uint16_t)numbers[area];
    }
    if (m->goal.collective == GFAB_REDUCE_SCATTER && area == GFAB_CARRY_OUTPUT)
        return (uint16_t)(block % m->share);
    return (uint16_t)block;
}

static void add_step(gfab_c_plan_maker *m, gfab_carry_kind kind, uint32_t block, uint32_t other)
{
    const gfab_carry_area area = area_of(m, block);
    if (!gfab_grow(&m->made.steps, m->made.plan.step_count, &m->made.room, sizeof *m->made.steps)) {
        run_out(m);
        return;
    }
    m->made.steps[m->made.plan.step_count++] =
        (gfab_carry_step){(uint8_t)kind, (uint8_t)area, (uint16_t)other, number_in(m, area, block),
                          (uint16_t)(area == GFAB_CARRY_SCRATCH ? m->slot_of[block] : 0)};
    if (area == GFAB_CARRY_INPUT)
        m->made.plan.takes_input = 1;
}

/* Before something comes to it. */
static void hold(gfab_c_plan_maker *m, uint32_t block)
{
    if (m->slot_of[block] == NO_SLOT && area_of(m, block) == GFAB_CARRY_SCRATCH)
        m->slot_of[block] = take_slot(m, &m->scratch);
}

/* Where it is not sent any more. */
static void let_go(gfab_c_plan_maker *m, uint32_t block)
{
    if (m->slot_of[block] == NO_SLOT || m->left[block] != 0)
        return;
    free_slot(&m->scratch, m->slot_of[block]);
    m->slot_of[block] = NO_SLOT;
}

/* ---- rounds ---- */

static int compare(const void *a, const void *b)
{
    const gfab_act *x = ((const arrival *)a)->act, *y = ((const arrival *)b)->act;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void open_round(gfab_c_plan_maker *m, const gfab_act *acts, size_t count)
{
    m->arrival_count = 0;
    for (size_t i = 0; i < count && m->status == GFAB_OK; i++) {
        m->leaving[acts[i].block] += acts[i].sends;
        if (acts[i].sends)
            continue;
        if (!gfab_grow(&m->arrivals, m->arrival_count, &m->arrival_room, sizeof *m->arrivals)) {
            run_out(m);
            continue;
        }
        m->arrivals[m->arrival_count++] = (arrival){&acts[i], NO_SLOT, false};
    }
    if (m->arrival_count)
        qsort(m->arrivals, m->arrival_count, sizeof *m->arrivals, compare);
}

/* The first of a block that is not applied; NULL. */
static arrival *next_of(gfab_c_plan_maker *m, uint32_t block)
{
    for (arrival *a = m->arrivals; a < m->arrivals + m->arrival_count; a++)
        if (a->act->block == block && !a->applied)
            return a;
    return NULL;
}

/* What has come of a block, once it has left. */
static void apply(gfab_c_plan_maker *m, uint32_t block)
{
    for (arrival *a; m->leaving[block] == 0 && (a = next_of(m, block)) && a->stage != NO_SLOT;) {
        hold(m, block);
        add_step(m, a->act->combine ? GFAB_CARRY_COMBINE : GFAB_CARRY_STORE, block, a->stage);
        free_slot(&m->stages, a->stage);
        a->applied = true;
    }
}

/* Straight to its place, or to a stage. */
static void receive(gfab_c_plan_maker *m, const gfab_act *act)
{
    arrival *a = next_of(m, act->block);
    if (m->leaving[act->block] == 0 && a->act == act && !act->combine) {
        hold(m, act->block);
        add_step(m, GFAB_CARRY_RECEIVE, act->block, act->peer);
        a->applied = true;
        return;
    }
    while (a->act != act)
        a++;
    a->stage = take_slot(m, &m->stages);
    add_step(m, GFAB_CARRY_RECEIVE, act->block, act->peer);
    if (m->status != GFAB_OK)
        return;
    gfab_carry_step *step = &m->made.steps[m->made.plan.step_count - 1];
    step->area = STAGE;
    step->block = number_in(m, GFAB_CARRY_SCRATCH, act->block);
    step->slot = (uint16_t)a->stage;
}

static void make_round(gfab_c_plan_maker *m, const gfab_act *acts, size_t count)
{
    open_round(m, acts, count);
    for (size_t i = 0; i < count && m->status == GFAB_OK; i++) {
        const uint32_t block = acts[i].block;
        if (acts[i].sends) {
            add_step(m, GFAB_CARRY_SEND, block, acts[i].peer);
            m->leaving[block]--;
            m->left[block]--;
        } else
            receive(m, &acts[i]);
        apply(m, block);
    }
    for (size_t i = 0; i < count; i++)
        let_go(m, acts[i].block);
}

/* ---- a rank ---- */

/* What it gives that is in the output from the beginning. */
static void copy_own(gfab_c_plan_maker *m, gfab_carry_plan *plan)
{
    const uint32_t first = gfab_schedule_first_token(m->schedule, m->node);
    if (m->rank == GFAB_NO_RANK)
        return;
    switch (m->goal.collective) {
    case GFAB_ALL_GATHER:
        plan->copied = (uint16_t)(m->uneven ? gfab_schedule_first_token(m->schedule, m->node + 1) - first : m->share);
        plan->copy_to = (uint16_t)(m->uneven ? first : m->rank * m->share);
        break;
    case GFAB_REDUCE_SCATTER:
        plan->copied = (uint16_t)m->share;
        plan->copy_from = (uint16_t)(m->rank * m->share);
        break;
    case GFAB_ALL_TO_ALL:
        plan->copied = 1;
        plan->copy_from = plan->copy_to = (uint16_t)m->rank;
        break;
    default:
        plan->copied =
            (uint16_t)(gfab_collective_has_root(m->goal.collective) && m->rank != m->goal.root ? 0 : m->share);
    }
}

static void begin(gfab_c_plan_maker *m, uint32_t node, const gfab_act *acts, size_t count)
{
    m->node = node;
    m->rank = gfab_topology_rank(m->topology, node);
    m->scratch.count = m->stages.count = 0;
    m->made.plan = (gfab_carry_plan){.period = gfab_schedule_period(m->schedule),
                                     .round_count = gfab_schedule_kept_rounds(m->schedule),
                                     .pieces = m->pieces,
                                     .share = (uint16_t)m->share,
                                     .rank = (uint16_t)node,
                                     .ranks = (uint16_t)gfab_topology_node_count(m->topology),
                                     .whole = m->uneven};
    memset(m->left, 0, m->goal.blocks * sizeof *m->left);
    for (uint32_t block = 0; block < m->goal.blocks; block++)
        m->slot_of[block] = NO_SLOT;
    for (size_t i = 0; i < count; i++)
        m->left[acts[i].block] += acts[i].sends;
    copy_own(m, &m->made.plan);
}

/* Stages are behind the other slots. */
static gfab_status number_stages(gfab_c_plan_maker *m, gfab_diag *diag)
{
    gfab_carry_plan *plan = &m->made.plan;
    if (m->scratch.count + m->stages.count > UINT16_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "rank %u has more than %d blocks under way", m->node, UINT16_MAX);
    plan->slots = (uint16_t)m->scratch.count;
    plan->stages = (uint16_t)m->stages.count;
    for (gfab_carry_step *s = m->made.steps; s < m->made.steps + plan->step_count; s++) {
        if (s->area == STAGE)
            s->slot = (uint16_t)(s->slot + plan->slots);
        if (s->area == STAGE)
            s->area = GFAB_CARRY_SCRATCH;
        if (s->kind == GFAB_CARRY_COMBINE || s->kind == GFAB_CARRY_STORE)
            s->other = (uint16_t)(s->other + plan->slots);
    }
    return GFAB_OK;
}

gfab_status gfab_c_plan_make(gfab_c_plan_maker *m, uint32_t node, const gfab_act *acts, size_t count,
                             const gfab_c_plan **plan, gfab_diag *diag)
{
    const gfab_act *end = acts + count;
    begin(m, node, acts, count);
    for (uint32_t round = 1; round <= m->made.plan.round_count && m->status == GFAB_OK; round++) {
        const gfab_act *first = acts;
        m->made.rounds[round - 1] = m->made.plan.step_count;
        while (acts < end && acts->round == round)
            acts++;
        make_round(m, first, (size_t)(acts - first));
    }
    m->made.rounds[m->made.plan.round_count] = m->made.plan.step_count;
    *plan = &m->made;
    return m->status == GFAB_OK ? number_stages(m, diag) : gfab_format_no_memory(diag);
}

/* ---- all ranks ---- */

/* What the blocks are pieces of: a rank's data, or the vector. */
static void set_share(gfab_c_plan_maker *m)
{
    const gfab_collective collective = m->goal.collective;
    const bool shared = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
    m->members = (uint32_t)gfab_topology_member_count(m->topology);
    m->goal.blocks = gfab_schedule_group(m->schedule);
    m->share = collective == GFAB_ALL_TO_ALL ? 1 : m->goal.blocks / (shared ? m->members : 1);
    m->uneven = collective == GFAB_ALL_GATHER && !gfab_schedule_period(m->schedule) && !gfab_schedule_load(m->schedule);
    if (m->uneven)
        m->share = gfab_schedule_parts(m->schedule);
    const uint32_t all = gfab_schedule_any_length(m->schedule) ? 0 : gfab_schedule_goal(m->schedule).blocks;
    const uint32_t pieces = gfab_schedule_period(m->schedule) ? all / (shared ? m->members : 1) : m->share;
    m->pieces = pieces <= UINT16_MAX ? (uint16_t)pieces : 0;
}

gfab_status gfab_c_plan_maker_create(const gfab_schedule *schedule, gfab_c_plan_maker **maker, gfab_diag *diag)
{
    gfab_c_plan_maker *m = *maker = calloc(1, sizeof *m);
    GFAB_NEED_TOLD(m, diag);
    m->schedule = schedule;
    m->topology = gfab_schedule_topology(schedule);
    m->goal = gfab_schedule_goal(schedule);
    set_share(m);
    const size_t blocks = m->goal.blocks + (size_t)1;
    GFAB_ARRAYS(&m->arena, blocks, m->slot_of, m->left, m->leaving);
    m->made.rounds = malloc((gfab_schedule_kept_rounds(schedule) + (size_t)1) * sizeof *m->made.rounds);
    return !m->arena.failed && m->made.rounds ? GFAB_OK : gfab_format_no_memory(diag);
}

void gfab_c_plan_maker_destroy(gfab_c_plan_maker *m)
{
    if (!m)
        return;
    gfab_arena_release(&m->arena);
    GFAB_FREE(m->scratch.used, m->stages.used, m->arrivals, m->made.steps, m->made.rounds, m);
}
