/* SPDX-License-Identifier: MIT */
/* Plans on a line: their geometry and their price. docs/theory/startup-cost.md derives every formula here. */
#include "circgo_plan.h"

#include "circgo_shape.h"

/* Rounds in which a tree of `fan` branches gathers an arm of that many positions: by threes both sides of the head grow
 * to (3^R - 1) / 2 each, by twos one side to 2^R - 1. */
static uint32_t gather_rounds(bool one_port, uint32_t arm)
{
    uint32_t rounds = 0;
    uint64_t reached = 0, size = 1;
    while (reached < arm) {
        reached += size;
        size *= one_port ? 2 : 3;
        rounds++;
    }
    return rounds;
}

/* The middle of a cell of the largest size, counted from its begin; in one-port cells the head is the first
 * position. */
static uint32_t offset_in_cell(const gfab_circgo_line *line, uint32_t heads)
{
    return line->one_port ? 0 : (gfab_circgo_divide_up(line->nodes, heads) - 1) / 2;
}

uint32_t gfab_circgo_head(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, uint32_t i)
{
    if (form == GFAB_CIRCGO_ENDS)
        return gfab_circgo_split(i, line->nodes - 1, heads - 1);
    return gfab_circgo_split(i, line->nodes, heads) + offset_in_cell(line, heads);
}

uint32_t gfab_circgo_cell(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, uint32_t i)
{
    if (form == GFAB_CIRCGO_CENTRES)
        return gfab_circgo_split(i, line->nodes, heads);
    if (i == 0 || i == heads)
        return i ? line->nodes : 0;
    const uint32_t left = gfab_circgo_head(line, form, heads, i - 1);
    return left + 1 + (gfab_circgo_head(line, form, heads, i) - left) / 2;
}

uint32_t gfab_circgo_arm(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads)
{
    if (form == GFAB_CIRCGO_ENDS)
        return gfab_circgo_divide_up(line->nodes - 1, heads - 1) / 2;
    const uint32_t cell = gfab_circgo_divide_up(line->nodes, heads);
    return line->one_port ? cell - 1 : cell / 2;
}

gfab_circgo_spacing gfab_circgo_start(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads)
{
    const uint32_t n = line->nodes;
    if (form == GFAB_CIRCGO_ENDS) {
        const uint32_t gap = gfab_circgo_divide_up(n - 1, heads - 1);
        return (gfab_circgo_spacing){.gap = gap, .inner = gap};
    }
    const uint32_t cell = gfab_circgo_divide_up(n, heads);
    if (line->cycle || line->one_port)
        return (gfab_circgo_spacing){.gap = cell, .inner = cell};
    /* The last cell is of the largest size; where it is the only one, no gap is that long. */
    const uint32_t inner = heads == 1 ? 0 : n % heads == 1 ? cell - 1 : cell;
    const uint32_t offset = offset_in_cell(line, heads);
    return (gfab_circgo_spacing){.gap = cell, .inner = inner, .end = {offset, cell - 1 - offset}};
}

gfab_circgo_level_shape gfab_circgo_split_level(const gfab_circgo_line *line, gfab_circgo_spacing *spacing,
                                                uint32_t pieces)
{
    const uint32_t a = pieces < spacing->gap ? pieces : spacing->gap;
    const uint32_t gap = gfab_circgo_divide_up(spacing->gap, a);
    gfab_circgo_level_shape level = {.pieces = spacing->inner < 2 ? 1 : a < spacing->inner ? a : spacing->inner};
    uint32_t inner = gfab_circgo_divide_up(spacing->inner, level.pieces);
    if (level.pieces > 1)
        level.span = spacing->inner - inner - spacing->inner / level.pieces + 1;
    for (size_t side = 0; side < 2 && !line->one_port; side++) {
        const uint32_t stays = spacing->end[side] < gap / 2 ? spacing->end[side] : gap / 2;
        level.reach[side] = spacing->end[side] - stays;
        level.new_end[side] = gfab_circgo_divide_up(level.reach[side], gap);
        if (level.new_end[side]) {
            const uint32_t longest = gfab_circgo_divide_up(level.reach[side], level.new_end[side]);
            const uint32_t span = level.reach[side] - level.reach[side] / level.new_end[side] + 1;
            inner = inner < longest ? longest : inner;
            level.span = level.span < span ? span : level.span;
        }
        spacing->end[side] = stays;
        level.beyond = level.beyond < level.new_end[side] ? level.new_end[side] : level.beyond;
    }
    spacing->gap = gap;
    spacing->inner = inner;
    return level;
}

uint32_t gfab_circgo_fewest_rounds(const gfab_circgo_line *line, const gfab_circgo_level_shape *level,
                                   uint32_t messages)
{
    if (line->one_port)
        return messages + level->pieces - 2;
    const uint32_t inside = level->pieces < 2 ? 0 : (messages + level->pieces - 1) / 2;
    const uint32_t outside = level->beyond ? messages + level->beyond - 1 : 0;
    return inside < outside ? outside : inside;
}

/* One message, any, is longer than the others by a node's items, and cut so that it has the own items of all new heads
 * of the gap: to each of them it comes without the items that are its own. */
void gfab_circgo_set_messages(const gfab_circgo_line *line, gfab_circgo_level_shape *level, uint32_t messages,
                              bool spare)
{
    const uint32_t others = gfab_circgo_total(line) - line->items;
    level->messages = messages < gfab_circgo_total(line) ? messages : gfab_circgo_total(line);
    level->rounds = gfab_circgo_fewest_rounds(line, level, level->messages);
    level->spared = spare && level->messages <= others &&
                    (uint64_t)level->span * line->items <= (uint64_t)others / level->messages + line->items;
}

uint32_t gfab_circgo_level_items(const gfab_circgo_line *line, const gfab_circgo_level_shape *level)
{
    return gfab_circgo_total(line) - (level->spared ? line->items : 0);
}

uint32_t gfab_circgo_most_messages(const gfab_circgo_line *line, const gfab_circgo_level_shape *level, uint32_t rounds)
{
    const uint64_t b = rounds, a = level->pieces, h = level->beyond;
    uint64_t most = gfab_circgo_total(line);
    if (line->one_port) {
        const uint64_t fit = b + 2 > a ? b + 2 - a : 0;
        return (uint32_t)(fit < most ? fit : most);
    }
    if (a > 1) {
        const uint64_t fit = 2 * b + 2 > a ? 2 * b + 2 - a : 0;
        most = fit < most ? fit : most;
    }
    if (h) {
        const uint64_t fit = b + 1 > h ? b + 1 - h : 0;
        most = fit < most ? fit : most;
    }
    return (uint32_t)most;
}

/* In the middle of the order, so that the first rounds of a level, which bring the first messages from the left and the
 * last ones from the right, carry short ones alone. */
void gfab_circgo_long_messages(uint32_t total, uint32_t messages, uint32_t *first, uint32_t *count)
{
    *count = total % messages;
    *first = (messages - *count) / 2 + 1;
}

/* Round t of a level carries rightwards the messages t - w + 1 .. t, where w is the most new heads in a row, and in the
 * first b - (2b + 2 - a - k) rounds leftwards the same counted from the last. A round with a long one among them is
 * one transfer longer; those rounds follow one another. */
uint64_t gfab_circgo_level_transfers(const gfab_circgo_line *line, const gfab_circgo_level_shape *level)
{
    const uint64_t a = level->pieces, b = level->rounds, k = level->messages;
    uint32_t first, count;
    gfab_circgo_long_messages(gfab_circgo_level_items(line, level), level->messages, &first, &count);
    const uint64_t short_rounds = b * (gfab_circgo_level_items(line, level) / k);
    if (!count)
        return short_rounds;
    const uint64_t width = a - 1 > level->beyond ? a - 1 : level->beyond, end = first + count - 1;
    uint64_t last = end + width - 1 < b ? end + width - 1 : b;
    if (!line->one_port && a > 1) {
        const uint64_t leftwards = a + k - 2 - b, end_leftwards = k + 1 - first + a - 2;
        const uint64_t last_leftwards = leftwards < end_leftwards ? leftwards : end_leftwards;
        last = last < last_leftwards ? last_leftwards : last;
    }
    return short_rounds + last - first + 1;
}

/* Among the heads of a path with both ends, round t carries the cells 0 .. A - t and t .. A: the longest of them. */
static uint64_t ends_exchange(const gfab_circgo_line *line, uint32_t heads)
{
    const uint32_t last = heads - 1;
    uint64_t longest = 0, sum = 0;
    for (uint32_t round = last; round >= 1; round--) {
        const uint32_t joined[2] = {round == last ? 0 : last - round, round};
        for (size_t i = 0; i < 2; i++) {
            const uint32_t size = gfab_circgo_cell(line, GFAB_CIRCGO_ENDS, heads, joined[i] + 1) -
                                  gfab_circgo_cell(line, GFAB_CIRCGO_ENDS, heads, joined[i]);
            longest = longest < size ? size : longest;
        }
        if (round == last) {
            const uint32_t size = gfab_circgo_cell(line, GFAB_CIRCGO_ENDS, heads, heads) -
                                  gfab_circgo_cell(line, GFAB_CIRCGO_ENDS, heads, last);
            longest = longest < size ? size : longest;
        }
        sum += longest;
    }
    return sum * line->items;
}

void gfab_circgo_first_steps(const gfab_circgo_line *line, gfab_circgo_form form, uint32_t heads, gfab_cost *cost)
{
    const uint64_t m = line->items;
    const uint32_t arm = gfab_circgo_arm(line, form, heads);
    *cost = (gfab_cost){.startups = gather_rounds(line->one_port, arm), .transfers = arm * m, .parts = 1};
    if (heads == 1)
        return;
    if (form == GFAB_CIRCGO_ENDS) {
        cost->startups += heads - 1;
        cost->transfers += ends_exchange(line, heads);
        return;
    }
    const uint64_t cell = gfab_circgo_divide_up(line->nodes, heads) * m;
    if (line->one_port || !line->cycle) {
        cost->startups += heads - 1;
        cost->transfers += (heads - 1) * cell;
        return;
    }
    cost->startups += heads / 2;
    cost->transfers += (heads - 1) / 2 * cell + (heads % 2 ? 0 : (cell + 1) / 2);
}

/* The levels one after the other, as the heads before them stand. */
static gfab_circgo_level_shape next_level(const gfab_circgo_line *line, gfab_circgo_spacing *spacing,
                                          const gfab_circgo_recipe *recipe, uint32_t i)
{
    gfab_circgo_level_shape level = gfab_circgo_split_level(line, spacing, recipe->levels[i].pieces);
    gfab_circgo_set_messages(line, &level, recipe->levels[i].messages, recipe->spare);
    return level;
}

static gfab_status check_levels(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    gfab_circgo_spacing spacing = gfab_circgo_start(line, recipe->form, recipe->heads);
    uint32_t longest = 1;
    for (uint32_t i = 0; i < recipe->level_count; i++) {
        if (gfab_circgo_complete(&spacing))
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u levels are given where %u make every node a bridgehead",
                             recipe->level_count, i);
        if (recipe->levels[i].pieces < 2 || recipe->levels[i].messages < 1)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a level has 2 pieces or more, and 1 message or more");
        const gfab_circgo_level_shape level = next_level(line, &spacing, recipe, i);
        if (!level.rounds)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "level %u adds no bridgehead", i + 1);
        const uint32_t size = gfab_circgo_divide_up(gfab_circgo_level_items(line, &level), level.messages);
        longest = longest < size ? size : longest;
    }
    if (!gfab_circgo_complete(&spacing))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "after %u levels bridgeheads are still %u apart",
                         recipe->level_count, spacing.gap);
    const uint32_t cell = gfab_circgo_divide_up(line->nodes, recipe->heads) * line->items;
    if (recipe->heads == 1 && longest < gfab_circgo_total(line) - line->items)
        longest = gfab_circgo_total(line) - line->items; /* gathered in one node: any part of the others', to be sure */
    if (recipe->heads > 1 && recipe->form == GFAB_CIRCGO_CENTRES && longest < cell)
        longest = cell;
    for (uint32_t i = 0; i < recipe->heads && recipe->form == GFAB_CIRCGO_ENDS; i++) {
        const uint32_t size = (gfab_circgo_cell(line, recipe->form, recipe->heads, i + 1) -
                               gfab_circgo_cell(line, recipe->form, recipe->heads, i)) *
                              line->items;
        longest = longest < size ? size : longest;
    }
    if (longest > line->longest)
        return GFAB_REFUSE(diag, "a message has %u items here, more than the %u allowed", longest, line->longest);
    return GFAB_OK;
}

gfab_status gfab_circgo_check(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, gfab_diag *diag)
{
    if (recipe->form == GFAB_CIRCGO_TREE) {
        const uint32_t longest = gfab_circgo_total(line) - line->items;
        if (longest > line->longest)
            return GFAB_REFUSE(diag, "a message has %u items here, more than the %u allowed", longest, line->longest);
        return GFAB_OK;
    }
    const bool ends = recipe->form == GFAB_CIRCGO_ENDS;
    if (ends && (line->cycle || line->one_port))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "bridgeheads at both ends are for paths under all-port");
    if (recipe->heads < (ends ? 2U : 1U) || recipe->heads > line->nodes)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u bridgeheads to begin with; there can be %u to %u",
                         recipe->heads, ends ? 2U : 1U, line->nodes);
    if (recipe->level_count > GFAB_CIRCGO_MAX_LEVELS)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u levels; there can be %d", recipe->level_count,
                         GFAB_CIRCGO_MAX_LEVELS);
    return check_levels(line, recipe, diag);
}

void gfab_circgo_cost(const gfab_circgo_line *line, const gfab_circgo_recipe *recipe, gfab_cost *cost)
{
    *cost = (gfab_cost){.parts = 1};
    if (recipe->form == GFAB_CIRCGO_TREE) {
        uint64_t reached = 1;
        while (reached < line->nodes) {
            reached *= line->one_port ? 2 : 3;
            cost->startups += 2;
            cost->transfers += gfab_circgo_total(line);
        }
        return;
    }
    gfab_circgo_first_steps(line, recipe->form, recipe->heads, cost);
    gfab_circgo_spacing spacing = gfab_circgo_start(line, recipe->form, recipe->heads);
    for (uint32_t i = 0; i < recipe->level_count; i++) {
        const gfab_circgo_level_shape level = next_level(line, &spacing, recipe, i);
        cost->startups += level.rounds;
        cost->transfers += gfab_circgo_level_transfers(line, &level);
    }
}

gfab_circgo_recipe gfab_circgo_approach1(const gfab_circgo_line *line)
{
    return (gfab_circgo_recipe){.form = GFAB_CIRCGO_CENTRES, .heads = line->nodes};
}

gfab_circgo_recipe gfab_circgo_approach2(void)
{
    return (gfab_circgo_recipe){.form = GFAB_CIRCGO_TREE};
}
