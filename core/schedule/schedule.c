/* SPDX-License-Identifier: MIT */
/* Schedules are made: what they are for, packet after packet. schedule_packets.c gives the packets. */
#include "schedule_internal.h"

#include "base/tells.h"

#include <stdlib.h>
#include <string.h>

gfab_status gfab_schedule_create(const gfab_topology *topology, const gfab_model *model, gfab_schedule **schedule)
{
    GFAB_TRY(gfab_model_check(model, NULL));
    gfab_schedule *s = calloc(1, sizeof *s);
    GFAB_NEED(s);
    s->topology = topology;
    s->model = *model;
    s->arc_limit = 2 * gfab_topology_link_count(topology);
    s->switches = gfab_topology_marks(topology) & GFAB_MARK_SWITCHES;
    s->token_limit = gfab_topology_member_count(topology);
    s->goal = gfab_goal_default(s->token_limit);
    s->parts = 1;
    if (gfab_topology_has_relays(topology) && gfab_schedule_set_load(s, NULL, 1) != GFAB_OK) {
        gfab_schedule_destroy(s);
        return GFAB_ERR_NO_MEMORY;
    }
    *schedule = s;
    return GFAB_OK;
}

void gfab_schedule_destroy(gfab_schedule *schedule)
{
    if (!schedule)
        return;
    GFAB_FREE(schedule->first_token, schedule->words, schedule->round_start, schedule->numbers, schedule);
}

void gfab_schedule_at_end(gfab_schedule **schedule)
{
    gfab_schedule_destroy(*schedule);
}

/* first_token of a load, NULL standing for `parts` at every member; its last entry is the number of tokens. */
static uint32_t *sum_load(const gfab_topology *topology, const uint32_t *load, uint32_t parts)
{
    const size_t nodes = gfab_topology_node_count(topology);
    uint32_t *first = malloc((nodes + 1) * sizeof *first);
    if (!first)
        return NULL;
    first[0] = 0;
    for (uint32_t v = 0; v < nodes; v++)
        first[v + 1] = first[v] + (load ? load[v] : gfab_topology_is_relay(topology, v) ? 0 : parts);
    return first;
}

/* Is it said already how it is kept, or has it a packet? */
static bool begun(const gfab_schedule *s)
{
    return s->word_count || s->numbers || s->repeat.period;
}

gfab_status gfab_schedule_set_load(gfab_schedule *schedule, const uint32_t *load, uint32_t parts)
{
    const gfab_topology *topology = schedule->topology;
    const size_t nodes = gfab_topology_node_count(topology);
    if (begun(schedule) || parts < 1 || schedule->goal.collective != GFAB_ALL_GATHER)
        return GFAB_ERR_INVALID;
    uint64_t tokens = load ? 0 : (uint64_t)gfab_topology_member_count(topology) * parts;
    bool even = true;
    for (uint32_t v = 0; load && v < nodes; v++) {
        const bool member = !gfab_topology_is_relay(topology, v);
        if (!member && load[v])
            return GFAB_ERR_INVALID;
        even = even && (!member || load[v] == parts);
        tokens += load[v];
    }
    if (tokens == 0)
        return GFAB_ERR_INVALID;
    if (tokens >= GFAB_LONG_FORM)
        return GFAB_ERR_LIMIT;
    uint32_t *first = NULL;
    if ((!even || gfab_topology_has_relays(topology)) && !(first = sum_load(topology, load, parts)))
        return GFAB_ERR_NO_MEMORY;
    free(schedule->first_token);
    schedule->first_token = first;
    schedule->uneven = !even;
    schedule->parts = parts;
    schedule->token_limit = (size_t)tokens;
    schedule->goal.blocks = (uint32_t)tokens;
    return GFAB_OK;
}

gfab_status gfab_schedule_load_members(gfab_schedule *schedule, uint32_t blocks)
{
    uint32_t *first = NULL;
    if ((blocks > 1 || gfab_topology_has_relays(schedule->topology)) &&
        !(first = sum_load(schedule->topology, NULL, blocks)))
        return GFAB_ERR_NO_MEMORY;
    free(schedule->first_token);
    schedule->first_token = first;
    schedule->uneven = blocks > 1;
    return GFAB_OK;
}

gfab_status gfab_schedule_set_goal(gfab_schedule *schedule, const gfab_goal *goal, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_member_count(schedule->topology);
    GFAB_TRY(gfab_goal_check(goal, nodes, diag));
    if (begun(schedule))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a goal is set before the first packet");
    free(schedule->first_token);
    schedule->first_token = NULL;
    schedule->uneven = false;
    schedule->parts = 1;
    schedule->token_limit = goal->blocks;
    schedule->goal = *goal;
    schedule->flags = goal->collective == GFAB_ALL_GATHER ? 0 : GFAB_COMBINE;
    if (goal->collective == GFAB_ALL_GATHER &&
        gfab_schedule_load_members(schedule, (uint32_t)(goal->blocks / nodes)) != GFAB_OK)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    return GFAB_OK;
}

gfab_status gfab_schedule_set_translated(gfab_schedule *schedule)
{
    const size_t nodes = gfab_topology_node_count(schedule->topology);
    if (gfab_topology_get_kind(schedule->topology) != GFAB_TOPOLOGY_TORUS || schedule->word_count ||
        schedule->repeat.period || !gfab_schedule_even_load(schedule) || schedule->token_limit != nodes)
        return GFAB_ERR_INVALID;
    const size_t count = schedule->arc_limit > nodes ? schedule->arc_limit : nodes;
    if (!schedule->numbers)
        schedule->numbers = malloc(count * sizeof *schedule->numbers);
    GFAB_NEED(schedule->numbers);
    for (size_t i = 0; i < count; i++)
        schedule->numbers[i] = (uint32_t)i;
    return GFAB_OK;
}

GFAB_TELLS(bool, gfab_schedule_translated, gfab_schedule, numbers)
GFAB_TELLS(gfab_goal, gfab_schedule_goal, gfab_schedule, goal)
GFAB_TELLS(uint32_t, gfab_schedule_parts, gfab_schedule, parts)

bool gfab_schedule_even_load(const gfab_schedule *schedule)
{
    return !schedule->uneven && schedule->goal.collective == GFAB_ALL_GATHER;
}

uint32_t gfab_schedule_load(const gfab_schedule *schedule)
{
    const size_t members = gfab_topology_member_count(schedule->topology);
    uint32_t load = 0;
    for (uint32_t rank = 0; rank < members; rank++) {
        const uint32_t node = gfab_topology_member(schedule->topology, rank);
        const uint32_t own =
            gfab_schedule_first_token(schedule, node + (size_t)1) - gfab_schedule_first_token(schedule, node);
        if (rank && own != load)
            return 0;
        load = own;
    }
    return load;
}

GFAB_TELLS(size_t, gfab_schedule_token_count, gfab_schedule, goal.blocks)

uint32_t gfab_schedule_first_token(const gfab_schedule *schedule, size_t node)
{
    return schedule->first_token ? schedule->first_token[node] : (uint32_t)node * schedule->parts;
}

uint32_t gfab_schedule_origin(const gfab_schedule *schedule, uint32_t token)
{
    if (schedule->goal.collective == GFAB_BROADCAST)
        return gfab_topology_member(schedule->topology, schedule->goal.root);
    if (schedule->goal.collective == GFAB_ALL_TO_ALL)
        return gfab_topology_member(schedule->topology,
                                    token / (uint32_t)gfab_topology_member_count(schedule->topology));
    if (!schedule->first_token)
        return token / schedule->parts;
    size_t low = 0; /* first_token[low] <= token < first_token[high] */
    size_t high = gfab_topology_node_count(schedule->topology);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (schedule->first_token[middle] <= token)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* Makes *array hold at least need elements of a size, growing by half. */
static gfab_status reserve(void **array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return GFAB_OK;
    size_t wanted = *capacity + *capacity / 2 + 64;
    if (wanted < need)
        wanted = need;
    if (wanted > SIZE_MAX / 2 / size)
        return GFAB_ERR_NO_MEMORY;
    void *grown = realloc(*array, wanted * size);
    GFAB_NEED(grown);
    *array = grown;
    *capacity = wanted;
    return GFAB_OK;
}

/* Makes room for count words in a round, opening the round if need be; nothing changes on failure but capacities. */
static gfab_status open_room(gfab_schedule *s, uint32_t round, size_t count)
{
    if (count > SIZE_MAX / 8 - s->word_count)
        return GFAB_ERR_NO_MEMORY;
    void *words = s->words;
    GFAB_TRY(reserve(&words, &s->word_capacity, s->word_count + count, sizeof *s->words));
    s->words = words;
    if (round == s->rounds)
        return GFAB_OK;
    void *start = s->round_start;
    GFAB_TRY(reserve(&start, &s->round_capacity, round, sizeof *s->round_start));
    s->round_start = start;
    while (s->rounds < round)
        s->round_start[s->rounds++] = s->word_count;
    return GFAB_OK;
}

static gfab_status check_round(const gfab_schedule *s, uint32_t round)
{
    const gfab_repeat *r = &s->repeat;
    if (round < 1 || round < s->rounds)
        return GFAB_ERR_INVALID;
    if (r->period && (uint64_t)(r->count - 1) * r->period + round > GFAB_MAX_PLAYED_ROUNDS)
        return GFAB_ERR_LIMIT;
    return round > GFAB_MAX_ROUNDS ? GFAB_ERR_LIMIT : GFAB_OK;
}

gfab_status gfab_schedule_append(gfab_schedule *schedule, uint32_t round, gfab_arc arc, uint32_t token)
{
    if (round < 1 || arc >= schedule->arc_limit || (token & ~schedule->flags) >= schedule->token_limit)
        return GFAB_ERR_INVALID;
    if (schedule->numbers && token != 0)
        return GFAB_ERR_INVALID;
    if (round != schedule->rounds || schedule->word_capacity - schedule->word_count < 2) {
        GFAB_TRY(check_round(schedule, round));
        GFAB_TRY(open_room(schedule, round, 2));
    }
    schedule->words[schedule->word_count++] = arc;
    schedule->words[schedule->word_count++] = token;
    schedule->packet_count++;
    schedule->move_count++;
    if (schedule->repeat.period)
        gfab_repeat_count(&schedule->repeat, round, token, 1);
    return GFAB_OK;
}

gfab_status gfab_schedule_append_packet(gfab_schedule *schedule, uint32_t round, const gfab_arc *arcs, size_t arc_count,
                                        const uint32_t *tokens, size_t token_count)
{
    if (arc_count == 1 && token_count == 1)
        return gfab_schedule_append(schedule, round, arcs[0], tokens[0]);
    if (arc_count < 1 || schedule->numbers ||
        (schedule->repeat.period && (token_count != 1 || (arc_count > 1 && !schedule->switches))))
        return GFAB_ERR_INVALID;
    if (arc_count >= GFAB_LONG_FORM || token_count >= GFAB_LONG_FORM)
        return GFAB_ERR_LIMIT;
    for (size_t i = 0; i < arc_count; i++)
        if (arcs[i] >= schedule->arc_limit)
            return GFAB_ERR_INVALID;
    for (size_t i = 0; i < token_count; i++)
        if ((tokens[i] & ~schedule->flags) >= schedule->token_limit)
            return GFAB_ERR_INVALID;
    GFAB_TRY(check_round(schedule, round));
    GFAB_TRY(open_room(schedule, round, 2 + arc_count + token_count));
    uint32_t *at = schedule->words + schedule->word_count;
    *at++ = GFAB_LONG_FORM | (uint32_t)arc_count;
    *at++ = (uint32_t)token_count;
    memcpy(at, arcs, arc_count * sizeof *arcs);
    if (token_count)
        memcpy(at + arc_count, tokens, token_count * sizeof *tokens);
    schedule->word_count += 2 + arc_count + token_count;
    schedule->packet_count++;
    schedule->move_count += arc_count;
    if (schedule->repeat.period)
        gfab_repeat_count(&schedule->repeat, round, tokens[0], arc_count);
    return GFAB_OK;
}

gfab_status gfab_schedule_set_solver(gfab_schedule *schedule, const char *name)
{
    const size_t length = strlen(name);
    if (length >= sizeof schedule->solver || strcmp(name, "-") == 0)
        return GFAB_ERR_INVALID;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'))
            return GFAB_ERR_INVALID;
    }
    memcpy(schedule->solver, name, length + 1);
    return GFAB_OK;
}

GFAB_TELLS(const char *, gfab_schedule_solver, gfab_schedule, solver)
GFAB_TELLS(const gfab_topology *, gfab_schedule_topology, gfab_schedule, topology)

const gfab_model *gfab_schedule_model(const gfab_schedule *schedule)
{
    return &schedule->model;
}

gfab_status gfab_schedule_append_all(gfab_schedule *schedule, const gfab_schedule *from)
{
    GFAB_TRY(gfab_schedule_check_listed(from, NULL));
    for (uint32_t round = 1; round <= gfab_schedule_rounds(from); round++) {
        gfab_packet_iter packets = gfab_schedule_round(from, round);
        for (gfab_packet p; gfab_packet_next(&packets, &p);)
            GFAB_TRY(gfab_schedule_append_packet(schedule, round, p.arcs, p.arc_count, p.tokens, p.token_count));
    }
    return GFAB_OK;
}
