/* SPDX-License-Identifier: MIT */
/* The messages of a plan on a line. Sibeyn, Juurlink & Rao, section 4; rounding and ends: docs/theory/startup-cost.md.
 * */
#include "circgo_plan.h"

#include "base/ascending.h"
#include "base/grow.h"

#include "circgo_shape.h"

#include <stdlib.h>

typedef struct builder {
    const gfab_circgo_line *line;
    gfab_circgo_messages *plan;
    uint32_t *heads; /* positions, rising */
    uint32_t head_count;
    uint32_t *next;        /* heads after the level at work */
    uint32_t round;        /* the last one of the steps built */
    gfab_circgo_form form; /* of the heads' cells */
    gfab_status status;
} builder;

/* Its first item may be one behind the last: that is the first one again. */
static void add(builder *to, gfab_circgo_message message)
{
    gfab_circgo_messages *plan = to->plan;
    if (to->status != GFAB_OK || message.count == 0)
        return;
    if (!gfab_grow(&plan->messages, plan->count, &plan->capacity, sizeof *plan->messages)) {
        to->status = GFAB_ERR_NO_MEMORY;
        return;
    }
    const uint32_t total = gfab_circgo_total(to->line);
    message.begin -= message.begin < total ? 0 : total;
    plan->messages[plan->count++] = message;
}

/* What a tree reaches in `rounds` rounds on one side of its root, and the whole tree: 1, 3, 9 .. or 1, 2, 4 ..
 * nodes. */
static uint32_t tree_arm(const gfab_circgo_line *line, uint32_t rounds)
{
    uint64_t size = 1, arm = 0;
    for (uint32_t i = 0; i < rounds && arm < line->nodes; i++) {
        arm += size;
        size *= line->one_port ? 2 : 3;
    }
    return (uint32_t)(arm < line->nodes ? arm : line->nodes);
}

/* Gathers positions root - left .. root + right at root in the given rounds: side by side with the root, nearest first,
 * lie a subtree of 1 node, which sends in round 1, one of up to 3 (one-port: 2), which sends in round 2, and so on. */
static void gather(builder *to, uint32_t root, uint32_t left, uint32_t right, uint32_t rounds)
{
    const uint32_t m = to->line->items;
    for (uint32_t round = 1; round <= rounds; round++) {
        const uint32_t from = tree_arm(to->line, round - 1), up_to = tree_arm(to->line, round);
        for (int side = -1; side <= 1; side += 2) {
            const uint32_t arm = side < 0 ? left : right;
            if (arm <= from)
                continue;
            const uint32_t size = (arm < up_to ? arm : up_to) - from;
            const uint32_t begin = side < 0 ? root - from - size : root + from + 1;
            const uint32_t middle = to->line->one_port ? 0 : (size - 1) / 2;
            gather(to, begin + middle, middle, size - 1 - middle, round - 1);
            add(to, (gfab_circgo_message){round, begin + middle, root, -side, begin * m, size * m, 0, 0});
        }
    }
}

/* Approach 2. Every subtree but the root's own is whole, of 3^j (2^j) nodes, and n - 1 in base 3 (2) says how many of
 * each size lie at the root's sides; so all messages of a round are as long as each other: 3^j when gathering, n - 3^j
 * when the tree is run backwards and the receiver is spared what came from it. */
static void build_tree(builder *to)
{
    const uint32_t n = to->line->nodes, m = to->line->items, base = to->line->one_port ? 2 : 3;
    uint32_t left = 0, rounds = 0;
    uint64_t size = 1;
    for (; size < n; size *= base, rounds++)
        left += (n - 1) / size % base == 2 ? (uint32_t)size : 0;
    const uint32_t root = left;
    uint32_t low = root, high = root + 1;
    size = 1;
    for (uint32_t round = 1; round <= rounds; round++, size *= base) {
        const uint32_t count = (uint32_t)((n - 1) / size % base), whole = (uint32_t)size;
        const uint32_t middle = to->line->one_port ? 0 : (whole - 1) / 2;
        if (count > 0) {
            gather(to, high + middle, middle, whole - 1 - middle, round - 1);
            add(to, (gfab_circgo_message){round, high + middle, root, -1, high * m, whole * m, 0, 0});
            high += whole;
        }
        if (count > 1) {
            low -= whole;
            gather(to, low + middle, middle, whole - 1 - middle, round - 1);
            add(to, (gfab_circgo_message){round, low + middle, root, 1, low * m, whole * m, 0, 0});
        }
    }
    const size_t gathered = to->plan->count;
    for (size_t i = 0; i < gathered && to->status == GFAB_OK; i++) {
        const gfab_circgo_message up = to->plan->messages[i];
        add(to, (gfab_circgo_message){2 * rounds + 1 - up.round, up.to, up.from, -up.step, up.begin + up.count,
                                      n * m - up.count, 0, 0});
    }
    to->round = 2 * rounds;
}

/* The items of a head's cell. */
static uint32_t cell_items(const builder *to, uint32_t head)
{
    return (gfab_circgo_cell(to->line, to->form, to->head_count, head + 1) -
            gfab_circgo_cell(to->line, to->form, to->head_count, head)) *
           to->line->items;
}

/* Sends items of the cell of head `source`, counted from its first one, between the heads of these numbers. */
static void send_cell(builder *to, uint32_t source, gfab_circgo_message message)
{
    message.round += to->round;
    message.from = to->heads[message.from];
    message.to = to->heads[message.to];
    message.begin += gfab_circgo_cell(to->line, to->form, to->head_count, source) * to->line->items;
    add(to, message);
}

/* Step 2 on a cycle under all-port: both ways at once; among an even number of heads the last exchange brings every
 * head the opposite one's cell, half from each side. */
static void exchange_both_ways(builder *to)
{
    const uint32_t a = to->head_count, rounds = a / 2;
    for (uint32_t t = 1; t <= rounds; t++) {
        const bool halves = 2 * t == a;
        for (uint32_t i = 0; i < a; i++) {
            const uint32_t right = (i + a + 1 - t) % a, left = (i + t - 1) % a;
            const uint32_t right_size = cell_items(to, right), left_size = cell_items(to, left);
            const uint32_t right_part = halves ? (right_size + 1) / 2 : right_size;
            const uint32_t left_skip = halves ? (left_size + 1) / 2 : 0;
            send_cell(to, right, (gfab_circgo_message){t, i, (i + 1) % a, 1, 0, right_part, 0, 0});
            send_cell(to, left,
                      (gfab_circgo_message){t, i, (i + a - 1) % a, -1, left_skip, left_size - left_skip, 0, 0});
        }
    }
    to->round += rounds;
}

/* Step 2 on a path under all-port: every head passes on what came from one neighbour to the other. */
static void exchange_on_path(builder *to)
{
    const uint32_t a = to->head_count;
    for (uint32_t t = 1; t < a; t++) {
        for (uint32_t i = 0; i < a; i++) {
            if (i + 1 < a && i + 1 >= t) {
                const uint32_t c = i + 1 - t;
                send_cell(to, c, (gfab_circgo_message){t, i, i + 1, 1, 0, cell_items(to, c), 0, 0});
            }
            if (i > 0 && i + t - 1 < a) {
                const uint32_t c = i + t - 1;
                send_cell(to, c, (gfab_circgo_message){t, i, i - 1, -1, 0, cell_items(to, c), 0, 0});
            }
        }
    }
    to->round += a - 1;
}

/* The head at place i of a closed tour that uses each link of a path once in each direction: the even ones up, the odd
 * ones down. On a cycle the tour is the cycle. */
static uint32_t tour(const builder *to, uint32_t i)
{
    const uint32_t a = to->head_count;
    if (to->line->cycle)
        return i;
    return 2 * i < a ? 2 * i : 2 * (a - 1 - i) + 1;
}

/* Step 2 under one-port: one way round, a - 1 rounds. */
static void exchange_one_way(builder *to)
{
    const uint32_t a = to->head_count;
    for (uint32_t t = 1; t < a; t++) {
        for (uint32_t i = 0; i < a; i++) {
            const uint32_t from = tour(to, i), target = tour(to, (i + 1) % a), source = tour(to, (i + a + 1 - t) % a);
            const int step = to->line->cycle || from < target ? 1 : -1;
            send_cell(to, source, (gfab_circgo_message){t, from, target, step, 0, cell_items(to, source), 0, 0});
        }
    }
    to->round += a - 1;
}

/* Steps 1 and 2: the heads get all items. */
static void build_first_steps(builder *to)
{
    uint32_t rounds = 0;
    while (tree_arm(to->line, rounds) < gfab_circgo_arm(to->line, to->form, to->head_count))
        rounds++;
    for (uint32_t i = 0; i < to->head_count; i++) {
        to->heads[i] = gfab_circgo_head(to->line, to->form, to->head_count, i);
        const uint32_t begin = gfab_circgo_cell(to->line, to->form, to->head_count, i);
        const uint32_t end = gfab_circgo_cell(to->line, to->form, to->head_count, i + 1);
        gather(to, to->heads[i], to->heads[i] - begin, end - 1 - to->heads[i], rounds);
    }
    to->round = rounds;
    if (to->head_count == 1)
        return;
    if (to->line->one_port)
        exchange_one_way(to);
    else if (to->line->cycle)
        exchange_both_ways(to);
    else
        exchange_on_path(to);
}

/* A gap or an end that a level fills: the head before the new ones, these, and the head behind them. */
typedef struct chain {
    const gfab_circgo_level_shape *level;
    uint32_t *at;    /* at[1] .. at[length] are new */
    uint32_t length; /* new heads */
    uint32_t begin;  /* the item that message 1 starts with */
} chain;

/* Which message of a level, from 1, goes in which of its rounds from at[source] to at[target], up or down the line. */
typedef struct level_message {
    uint32_t number, round, source, target;
    int step;
} level_message;

/* Message 1 is the one that is cut so that all new heads' own items are in it. */
static void send_message(builder *to, const chain *along, level_message m)
{
    const gfab_circgo_level_shape *level = along->level;
    const gfab_circgo_line *line = to->line;
    const uint32_t number = m.number;
    const uint32_t total = gfab_circgo_total(line), items = gfab_circgo_level_items(line, level), own = total - items;
    const uint32_t size = items / level->messages;
    uint32_t first, count;
    gfab_circgo_long_messages(items, level->messages, &first, &count);
    const uint32_t before = number <= first ? 0 : number - first < count ? number - first : count;
    const uint32_t carried = size + (number >= first && number < first + count ? 1 : 0);
    const uint32_t behind = number > 1 ? (number - 1) * size + before + own : 0;
    const uint32_t begin = (uint32_t)(((uint64_t)along->begin + behind) % total);
    add(to, (gfab_circgo_message){to->round + m.round, along->at[m.source], along->at[m.target], m.step, begin, carried,
                                  0, 0});
    if (number == 1 && own && to->status == GFAB_OK) {
        gfab_circgo_message *message = &to->plan->messages[to->plan->count - 1];
        const uint32_t position = along->at[m.target] * line->items;
        message->hole = position >= begin ? position - begin : position + total - begin;
        message->left_out = own;
    }
}

/* From at[0] on, the source first: message j comes to the q-th new head in round j + q - 1, if that one takes j
 * messages from this side or more: min(k, max(0, b - q + 1)). */
static void send_chain(builder *to, const chain *along, int step)
{
    const gfab_circgo_level_shape *level = along->level;
    for (uint32_t q = 1; q <= along->length; q++) {
        const uint32_t fit = level->rounds + 1 > q ? level->rounds + 1 - q : 0;
        for (uint32_t j = 1; j <= level->messages && j <= fit; j++)
            send_message(to, along, (level_message){j, j + q - 1, q - 1, q, step});
    }
}

/* New heads between two: what one does not take from the left comes from the right, the last message first. */
static void send_back(builder *to, const chain *along)
{
    const gfab_circgo_level_shape *level = along->level;
    const uint32_t k = level->messages, pieces = along->length + 1;
    for (uint32_t q = 1; q < pieces; q++) {
        const uint32_t fit = level->rounds + 1 > q ? level->rounds + 1 - q : 0, from_left = fit < k ? fit : k;
        for (uint32_t j = 1; j <= k - from_left; j++)
            send_message(to, along, (level_message){k + 1 - j, j + pieces - q - 1, q + 1, q, -1});
    }
}

/* The new heads in the stretch of gap positions from a head up. */
static void split_gap(const builder *to, uint32_t at, uint32_t gap, uint32_t pieces, chain *along)
{
    const uint32_t n = to->line->nodes, a = pieces < gap ? pieces : gap;
    along->at[0] = at;
    for (uint32_t x = 1; x <= a; x++) {
        const uint32_t position = at + gfab_circgo_split(x, gap, a);
        along->at[x] = to->line->cycle && position >= n ? position - n : position;
    }
    along->length = a - 1;
    along->begin = along->at[1] * to->line->items % gfab_circgo_total(to->line);
}

/* The new heads beyond the last one of a path (side 1) or the first (side 0). */
static void split_end(const builder *to, size_t side, uint32_t head, chain *along)
{
    const gfab_circgo_level_shape *level = along->level;
    along->at[0] = head;
    along->length = level->new_end[side];
    for (uint32_t x = 1; x <= along->length; x++) {
        const uint32_t distance = gfab_circgo_split(x, level->reach[side], along->length);
        along->at[x] = side ? head + distance : head - distance;
    }
    along->begin = along->at[side ? 1 : along->length] * to->line->items;
}

static void build_level(builder *to, gfab_circgo_spacing *spacing, const gfab_circgo_recipe *recipe, uint32_t number,
                        uint32_t *work)
{
    const gfab_circgo_line *line = to->line;
    const uint32_t count = to->head_count, pieces = recipe->levels[number].pieces;
    gfab_circgo_level_shape level = gfab_circgo_split_level(line, spacing, pieces);
    gfab_circgo_set_messages(line, &level, recipe->levels[number].messages, recipe->spare);
    chain along = {.level = &level, .at = work};
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = to->heads[i];
        to->next[found++] = at;
        if (i + 1 == count && !line->cycle && !line->one_port)
            break;
        const uint32_t up_to = i + 1 < count ? to->heads[i + 1] : line->nodes + (line->cycle ? to->heads[0] : 0);
        split_gap(to, at, up_to - at, pieces, &along);
        send_chain(to, &along, 1);
        if (!line->one_port)
            send_back(to, &along);
        for (uint32_t x = 1; x <= along.length; x++)
            to->next[found++] = along.at[x];
    }
    for (size_t side = 0; side < 2; side++) {
        if (!level.new_end[side])
            continue;
        split_end(to, side, to->heads[side ? count - 1 : 0], &along);
        send_chain(to, &along, side ? 1 : -1);
        for (uint32_t x = 1; x <= along.length; x++)
            to->next[found++] = along.at[x];
    }
    qsort(to->next, found, sizeof *to->next, gfab_ascending32);
    uint32_t *heads = to->heads;
    to->heads = to->next;
    to->next = heads;
    to->head_count = found;
    to->round += level.rounds;
}

static int by_round(const void *a, const void *b)
{
    const gfab_circgo_message *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

gfab_status gfab_circgo_build(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe,
                              gfab_circgo_messages *plan)
{
    *plan = (gfab_circgo_messages){NULL, 0, 0};
    const size_t size = ((size_t)line->nodes + 1) * sizeof(uint32_t);
    builder to = {.line = line, .plan = plan, .head_count = recipe->heads, .form = recipe->form};
    GFAB_FREED uint32_t *heads = malloc(size), *next = malloc(size), *work = malloc(size);
    GFAB_NEED(heads && next && work);
    to.heads = heads;
    to.next = next;
    if (recipe->form == GFAB_CIRCGO_TREE)
        build_tree(&to);
    else {
        build_first_steps(&to);
        gfab_circgo_spacing spacing = gfab_circgo_start(line, recipe->form, recipe->heads);
        for (uint32_t i = 0; i < recipe->level_count && to.status == GFAB_OK; i++)
            build_level(&to, &spacing, recipe, i, work);
    }
    if (to.status == GFAB_OK && plan->count)
        qsort(plan->messages, plan->count, sizeof *plan->messages, by_round);
    return to.status;
}

void gfab_circgo_messages_free(gfab_circgo_messages *plan)
{
    free(plan->messages);
    *plan = (gfab_circgo_messages){NULL, 0, 0};
}
