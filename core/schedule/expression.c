/* SPDX-License-Identifier: MIT */
/* In which order a schedule adds up a block, found by following its messages round by round: each node has a term, and
 * a message that is combined makes the term (what was there + what came). A reduce on path:3 to node 1, in one round,
 * is ((n1 + n2) + n0).
 *
 * Whether all blocks are added up alike is asked of millions of terms. So each sum gets a number by a hash table of
 * pairs of numbers, the smaller one first (hash consing, Ershov 1958): equal bracketings, and those alone, have one
 * number, and blocks are compared by one number each. */
#include <gossipfab/schedule/expression.h>

#include <stdlib.h>

typedef struct pair {
    uint32_t left, right;
} pair;

struct gfab_expression {
    size_t nodes;
    uint32_t *result; /* [node]: its term */
    pair *sums;       /* term N + i */
    size_t sum_count, sum_capacity;
};

/* A message of the block in a round; term is what it carries. */
typedef struct arrival {
    uint32_t from, to, direction;
    uint32_t term;
    bool combine;
} arrival;

typedef struct arrivals {
    arrival *at;
    size_t count, capacity;
} arrivals;

static int compare_arrivals(const void *a, const void *b)
{
    const arrival *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->direction > y->direction) - (x->direction < y->direction);
}

/* Makes room for one more. */
static bool grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    void *grown = realloc(*array, (2 * count + 16) * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = 2 * count + 16;
    return true;
}

static bool add_arrival(arrivals *a, arrival one)
{
    void *at = a->at;
    const bool room = grow(&at, &a->capacity, a->count, sizeof *a->at);
    a->at = at;
    if (room)
        a->at[a->count++] = one;
    return room;
}

static bool add_sum(gfab_expression *e, uint32_t left, uint32_t right)
{
    void *sums = e->sums;
    const bool room = grow(&sums, &e->sum_capacity, e->sum_count, sizeof *e->sums);
    e->sums = sums;
    if (room)
        e->sums[e->sum_count++] = (pair){left, right};
    return room;
}

/* The messages of a kept block in a kept round in their order, without their terms. */
static bool collect(const gfab_schedule *schedule, uint32_t round, uint32_t block, arrivals *a)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    gfab_packet_iter packets = gfab_schedule_period(schedule) ? gfab_schedule_kept_round(schedule, round)
                                                              : gfab_schedule_round(schedule, round);
    a->count = 0;
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
        for (size_t i = 0; i < packet.token_count; i++) {
            const gfab_arc last = packet.arcs[packet.arc_count - 1];
            const uint32_t from = gfab_topology_arc_from(topology, packet.arcs[0]);
            const bool combine = packet.tokens[i] & GFAB_COMBINE;
            if ((packet.tokens[i] & ~GFAB_COMBINE) == block &&
                !add_arrival(a, (arrival){from, gfab_topology_arc_to(topology, last),
                                          gfab_topology_arrival(topology, last), 0, combine}))
                return false;
        }
    if (a->count > 1)
        qsort(a->at, a->count, sizeof *a->at, compare_arrivals);
    return true;
}

/* Of a block of the kept group. */
static bool follow(gfab_expression *e, const gfab_schedule *schedule, uint32_t block)
{
    arrivals a = {NULL, 0, 0};
    bool good = true;
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(schedule) && good; round++) {
        good = collect(schedule, round, block, &a);
        for (size_t i = 0; i < a.count; i++) /* all carry what their senders had before the round */
            a.at[i].term = e->result[a.at[i].from];
        for (size_t i = 0; i < a.count && good; i++) {
            uint32_t *result = &e->result[a.at[i].to];
            if (!a.at[i].combine)
                *result = a.at[i].term;
            else if ((good = add_sum(e, *result, a.at[i].term)))
                *result = (uint32_t)(e->nodes + e->sum_count - 1);
        }
    }
    free(a.at);
    return good;
}

static gfab_status check_sums(const gfab_goal *goal, gfab_diag *diag)
{
    if (!gfab_collective_combines(goal->collective))
        return GFAB_REFUSE(diag, "nothing is combined in %s, so that there is no expression",
                           gfab_collective_name(goal->collective));
    if (goal->idempotent)
        return GFAB_REFUSE(diag, "contributions may count more than once here: no operator minds their order");
    return GFAB_OK;
}

/* Of a block of the kept group. */
static gfab_status expression_of(const gfab_schedule *schedule, uint32_t block, gfab_expression **expression,
                                 gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_TRY(check_sums(&goal, diag));
    gfab_expression *e = calloc(1, sizeof *e);
    if (e) {
        e->nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
        e->result = malloc(e->nodes * sizeof *e->result);
        for (uint32_t v = 0; e->result && v < e->nodes; v++)
            e->result[v] = v;
    }
    if (!e || !e->result || !follow(e, schedule, block)) {
        gfab_expression_destroy(e);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    }
    *expression = e;
    return GFAB_OK;
}

gfab_status gfab_expression_create(const gfab_schedule *schedule, uint32_t block, gfab_expression **expression,
                                   gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const bool any = gfab_schedule_any_length(schedule) && goal.collective != GFAB_REDUCE_SCATTER;
    GFAB_TRY(check_sums(&goal, diag));
    if (block >= goal.blocks && !any)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "block %u does not exist; the schedule has 0 to %u", block,
                         goal.blocks - 1);
    return expression_of(schedule, gfab_schedule_kept_block(schedule, block), expression, diag);
}

void gfab_expression_destroy(gfab_expression *expression)
{
    if (!expression)
        return;
    GFAB_FREE(expression->result, expression->sums, expression);
}

size_t gfab_expression_term_count(const gfab_expression *expression)
{
    return expression->nodes + expression->sum_count;
}

bool gfab_expression_term(const gfab_expression *expression, uint32_t term, uint32_t *left, uint32_t *right)
{
    if (term < expression->nodes || term >= gfab_expression_term_count(expression))
        return false;
    *left = expression->sums[term - expression->nodes].left;
    *right = expression->sums[term - expression->nodes].right;
    return true;
}

uint32_t gfab_expression_result(const gfab_expression *expression, uint32_t node)
{
    return node < expression->nodes ? expression->result[node] : GFAB_NO_TERM;
}

gfab_status gfab_expression_write(const gfab_expression *expression, uint32_t term, FILE *file)
{
    /* What is still to be written, the next on top: a term, or one of the signs. Every term on the way down leaves at
     * most four there, and no way is longer than there are terms. */
    enum { PLUS = UINT32_MAX - 1, CLOSE = UINT32_MAX };
    if (term >= gfab_expression_term_count(expression))
        return GFAB_ERR_INVALID;
    GFAB_FREED uint32_t *stack = malloc((4 * gfab_expression_term_count(expression) + 4) * sizeof *stack);
    size_t count = 0;
    GFAB_NEED(stack);
    stack[count++] = term;
    while (count) {
        const uint32_t top = stack[--count];
        uint32_t left, right;
        if (top == PLUS) {
            fputs(" + ", file);
        } else if (top == CLOSE) {
            fputc(')', file);
        } else if (gfab_expression_term(expression, top, &left, &right)) {
            fputc('(', file);
            stack[count++] = CLOSE;
            stack[count++] = right;
            stack[count++] = PLUS;
            stack[count++] = left;
        } else {
            fprintf(file, "n%u", top);
        }
    }
    return GFAB_OK;
}

/* ---- are all the same? ---- */

/* Sums by what they add, the lower number first: a sum that is there already has its number, so that equal
 * bracketings, and those alone, have one number. Numbers below `nodes` are contributions. */
typedef struct sum_numbers {
    pair *sums;
    uint32_t *slots; /* [capacity], a power of two, at most half full: index + 1 of a sum, or 0 */
    size_t nodes, count, capacity;
    uint32_t total; /* of all blocks so far; UINT32_MAX: none yet */
} sum_numbers;

static size_t slot_of(const sum_numbers *s, pair sum)
{
    size_t at = (size_t)(((uint64_t)sum.left << 32 | sum.right) * 0x9e3779b97f4a7c15u >> 20) & (s->capacity - 1);
    while (s->slots[at] && (s->sums[s->slots[at] - 1].left != sum.left || s->sums[s->slots[at] - 1].right != sum.right))
        at = (at + 1) & (s->capacity - 1);
    return at;
}

static bool grow_numbers(sum_numbers *s)
{
    if (2 * (s->count + 1) <= s->capacity)
        return true;
    const size_t capacity = s->capacity ? 2 * s->capacity : 256;
    uint32_t *slots = calloc(capacity, sizeof *slots);
    pair *sums = realloc(s->sums, capacity / 2 * sizeof *sums);
    s->sums = sums ? sums : s->sums;
    if (!slots || !sums) {
        free(slots);
        return false;
    }
    free(s->slots);
    s->slots = slots;
    s->capacity = capacity;
    for (size_t i = 0; i < s->count; i++)
        s->slots[slot_of(s, s->sums[i])] = (uint32_t)i + 1;
    return true;
}

/* The number of a sum; UINT32_MAX where memory runs out. */
static uint32_t number_of(sum_numbers *s, uint32_t left, uint32_t right)
{
    const pair sum = {left < right ? left : right, left < right ? right : left};
    if (!grow_numbers(s))
        return UINT32_MAX;
    const size_t at = slot_of(s, sum);
    if (!s->slots[at]) {
        s->sums[s->count] = sum;
        s->slots[at] = (uint32_t)++s->count;
    }
    return (uint32_t)s->nodes + s->slots[at] - 1;
}

/* The numbers of a block's terms into room; its totals all have the one number that the first one sets. */
static gfab_status check_block(const gfab_schedule *schedule, const gfab_expression *e, uint32_t block,
                               sum_numbers *numbers, uint32_t *room, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    gfab_goal goal = gfab_schedule_goal(schedule);
    goal.blocks = gfab_schedule_group(schedule);
    for (uint32_t t = 0; t < gfab_expression_term_count(e); t++) {
        uint32_t left, right;
        room[t] = gfab_expression_term(e, t, &left, &right) ? number_of(numbers, room[left], room[right]) : t;
        if (room[t] == UINT32_MAX)
            return GFAB_ERR_NO_MEMORY;
    }
    for (uint32_t v = 0; v < e->nodes; v++) {
        const uint32_t number = room[e->result[v]];
        if (!gfab_goal_node_wants(&goal, topology, v, block))
            continue;
        if (numbers->total != UINT32_MAX && number != numbers->total)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "block %u is added up at node %u in another bracketing than block 0", block, v);
        numbers->total = number;
    }
    return GFAB_OK;
}

gfab_status gfab_expression_check_one(const gfab_schedule *schedule, gfab_diag *diag)
{
    sum_numbers numbers = {.nodes = gfab_topology_node_count(gfab_schedule_topology(schedule)), .total = UINT32_MAX};
    const uint32_t group = gfab_schedule_group(schedule), blocks = gfab_schedule_goal(schedule).blocks;
    const uint32_t kept = group < blocks || gfab_schedule_any_length(schedule) ? group : blocks;
    gfab_status status = GFAB_OK;
    for (uint32_t block = 0; block < kept && status == GFAB_OK; block++) {
        gfab_expression *e = NULL;
        status = expression_of(schedule, block, &e, diag);
        uint32_t *room = e ? malloc(gfab_expression_term_count(e) * sizeof *room) : NULL;
        GFAB_THEN(status, room ? check_block(schedule, e, block, &numbers, room, diag) : GFAB_ERR_NO_MEMORY);
        free(room);
        gfab_expression_destroy(e);
    }
    GFAB_FREE(numbers.sums, numbers.slots);
    return status == GFAB_ERR_NO_MEMORY ? gfab_fail(diag, 0, status, "out of memory") : status;
}

gfab_status gfab_schedule_messages(const gfab_schedule *schedule, gfab_message **messages, size_t *count)
{
    const uint32_t blocks = gfab_schedule_goal(schedule).blocks;
    arrivals a = {NULL, 0, 0};
    void *made = NULL;
    size_t capacity = 0;
    bool room = true;
    *count = 0;
    for (uint32_t block = 0; block < blocks && room; block++)
        for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(schedule) && room; round++) {
            room = collect(schedule, round, gfab_schedule_kept_block(schedule, block), &a);
            for (size_t i = 0; i < a.count && room; i++)
                if ((room = grow(&made, &capacity, *count, sizeof **messages)))
                    ((gfab_message *)made)[(*count)++] =
                        (gfab_message){block, a.at[i].from, a.at[i].to, a.at[i].combine, i == 0};
        }
    free(a.at);
    return GFAB_HAND_OVER(room ? GFAB_OK : GFAB_ERR_NO_MEMORY, made, free, messages);
}
