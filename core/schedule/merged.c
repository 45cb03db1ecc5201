/* SPDX-License-Identifier: MIT */
/* Switches that copy or combine within the round, as NVLink's do for multimem loads and stores, and InfiniBand's with
 * SHARP. A schedule has packets from member to member alone, so that its text, its replay and its expressions stay what
 * they are. What such a switch saves is room on links: packets of a block that are one message on a link count once.
 *
 * - Copied: packets with a block from one sender are one message up to the switches at which they part, where all of
 *   these copy.
 * - Combined: packets with a block to one receiver, all to be combined, are one message from the switches on at which
 *   they meet, where all of these combine.
 * - Both: where in a round a block has a sender with several receivers and a receiver with several senders, the packets
 *   of a link are one message where all of a set of senders send to all of a set of receivers. So every receiver behind
 *   the link gets the same sum, and nobody has to take a sum apart.
 *
 * All other packets count as they are. The rule is ours; it never counts less than what the links have to carry. A
 * proof of the last case: what is one message on a link stays together up to where its receivers part, since packets
 * to one receiver go on the same way. So along the paths each switch adds up messages that are whole, and copies
 * them. */
#include "merged.h"

#include <stdlib.h>
#include <string.h>

/* A token of a packet. */
typedef struct item {
    const gfab_arc *arcs;
    uint32_t arc_count, packet;
    uint32_t token; /* without GFAB_COMBINE */
    uint32_t from, to;
    bool combine;
    bool copied;   /* its sender's packets with this token part at switches that copy */
    bool combined; /* its receiver's meet at switches that combine */
    uint8_t mode;  /* of its token in the round */
} item;

enum { COPIES, COMBINES, BOTH };

/* An item on an arc, the position-th of its path. */
typedef struct use {
    const item *item;
    gfab_arc arc;
    uint32_t position;
} use;

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Arcs that two paths begin with together, or, from their ends, end with. */
static uint32_t common(const item *a, const item *b, bool ends)
{
    uint32_t i = 0;
    while (i < a->arc_count && i < b->arc_count &&
           a->arcs[ends ? a->arc_count - 1 - i : i] == b->arcs[ends ? b->arc_count - 1 - i : i])
        i++;
    return i;
}

/* By what differs first in their paths. */
static int compare_paths(const item *a, const item *b, bool ends)
{
    const uint32_t i = common(a, b, ends);
    if (i == a->arc_count || i == b->arc_count)
        return compare(a->arc_count, b->arc_count);
    return compare(a->arcs[ends ? a->arc_count - 1 - i : i], b->arcs[ends ? b->arc_count - 1 - i : i]);
}

static int by_sender(const void *x, const void *y)
{
    const item *a = x, *b = y;
    const int order = compare(a->token, b->token) ? compare(a->token, b->token) : compare(a->from, b->from);
    return order ? order : compare_paths(a, b, false);
}

static int by_receiver(const void *x, const void *y)
{
    const item *a = x, *b = y;
    const int order = compare(a->token, b->token) ? compare(a->token, b->token) : compare(a->to, b->to);
    return order ? order : compare_paths(a, b, true);
}

/* On an arc the packets of a token, those of a sender together, or where they are only combined those of a receiver. */
static int by_arc(const void *x, const void *y)
{
    const use *a = x, *b = y;
    const uint32_t keys[2][5] = {{a->item->token, a->arc, a->item->from, a->item->to, a->item->packet},
                                 {b->item->token, b->arc, b->item->from, b->item->to, b->item->packet}};
    const bool turned = a->item->mode == COMBINES;
    static const uint8_t order[2][5] = {{0, 1, 2, 3, 4}, {0, 1, 3, 2, 4}};
    for (size_t i = 0; i < 5; i++)
        if (keys[0][order[turned][i]] != keys[1][order[turned][i]])
            return compare(keys[0][order[turned][i]], keys[1][order[turned][i]]);
    return 0;
}

/* Does the node do so within the round? */
static bool helps(const gfab_topology *topology, uint32_t node, bool combines)
{
    return gfab_topology_is_switch(topology, node) &&
           (combines ? gfab_topology_combines(topology, node) : gfab_topology_copies(topology, node));
}

/* How many items from `at` on are of its token and sender, or receiver; do they all part, or meet, at switches that do
 * what it takes? Sorted by paths, so that what lies side by side parts where others do, too. */
static size_t find_run(const gfab_topology *topology, item *at, const item *end, bool ends)
{
    size_t count = 1;
    bool good = !ends || at->combine;
    for (; at + count < end; count++) {
        const item *a = at + count - 1, *b = at + count;
        if (b->token != at->token || (ends ? b->to != at->to : b->from != at->from))
            break;
        const uint32_t shared = common(a, b, ends);
        if (shared == a->arc_count || shared == b->arc_count || (ends && !b->combine))
            good = false;
        else if (shared > 0)
            good = good && helps(topology,
                                 ends ? gfab_topology_arc_from(topology, a->arcs[a->arc_count - shared])
                                      : gfab_topology_arc_to(topology, a->arcs[shared - 1]),
                                 ends);
    }
    for (size_t i = 0; i < count; i++)
        *(ends ? &at[i].combined : &at[i].copied) = good;
    return count;
}

/* What is copied and what is combined; then what happens to each token, of which the items lie together. */
static void sort_items(const gfab_topology *topology, item *items, size_t count)
{
    const item *end = items + count;
    for (int ends = 0; ends < 2; ends++) {
        qsort(items, count, sizeof *items, ends ? by_receiver : by_sender);
        for (item *first = items, *next; first < end; first = next) {
            bool several = false;
            for (next = first; next < end && next->token == first->token;) {
                const size_t run = find_run(topology, next, end, ends);
                several = several || run > 1;
                next += run;
            }
            for (item *at = first; at < next; at++) /* as by_sender left it: COPIES where some sender has several */
                at->mode = !ends ? (several ? COPIES : COMBINES) : at->mode == COPIES && several ? BOTH : at->mode;
        }
    }
}

/* Are a sender's uses of an arc one message as far as the arc, or a receiver's from it on? */
static bool is_one(const use *first, size_t count, bool ends)
{
    const use *a = first;
    bool good = ends ? a->item->combined : a->item->copied;
    for (size_t i = 1; i < count && good; i++) {
        const use *b = first + i;
        const uint32_t before_a = ends ? a->item->arc_count - a->position : a->position + 1;
        const uint32_t before_b = ends ? b->item->arc_count - b->position : b->position + 1;
        good = before_a == before_b && common(a->item, b->item, ends) >= before_a;
    }
    return good;
}

/* Uses from first on that have its sender, or receiver. */
static size_t of_one(const use *first, const use *end, bool ends)
{
    size_t count = 1;
    while (first + count < end &&
           (ends ? first[count].item->to == first->item->to : first[count].item->from == first->item->from))
        count++;
    return count;
}

/* Do all senders of an arc send to all its receivers, as one message? Sorted by senders, then receivers. */
static bool is_product(const use *first, const use *end)
{
    const size_t width = of_one(first, end, false);
    const bool several = first + width < end;
    for (const use *at = first; at < end; at += width) {
        if (of_one(at, end, false) != width || !is_one(at, width, false))
            return false;
        for (size_t i = 0; i < width; i++) { /* each receiver's with that of the first sender */
            const use pair[2] = {first[i], at[i]};
            if (at[i].item->to != first[i].item->to || (i > 0 && at[i].item->to == at[i - 1].item->to) ||
                (several && !is_one(pair, 2, true)))
                return false;
        }
    }
    return true;
}

/* Everything on an arc with one token. */
static void count_arc(gfab_merged *s, const use *first, const use *end)
{
    const uint8_t mode = first->item->mode;
    for (const use *at = first, *next; at < end; at = next) {
        next = mode == BOTH ? end : at + of_one(at, end, mode == COMBINES);
        const bool one = mode == BOTH ? is_product(at, end) : is_one(at, (size_t)(next - at), mode == COMBINES);
        for (const use *u = at; u < next; u++)
            s->load[s->first[u->item->packet] + u->position] += !one || u == at;
    }
}

static gfab_status reserve(void **array, size_t count, size_t *room, size_t size)
{
    if (count <= *room)
        return GFAB_OK;
    void *more = count < SIZE_MAX / 2 / size ? realloc(*array, 2 * count * size) : NULL;
    GFAB_NEED(more);
    *array = more;
    *room = 2 * count;
    return GFAB_OK;
}

static void list(const gfab_merged *s, const gfab_topology *topology, gfab_packet_iter round)
{
    item *items = s->items;
    uint32_t packets = 0, loads = 0;
    for (gfab_packet p; gfab_packet_next(&round, &p); packets++) {
        s->first[packets] = loads;
        loads += (uint32_t)p.arc_count;
        for (size_t i = 0; i < p.token_count; i++)
            *items++ = (item){.arcs = p.arcs,
                              .arc_count = (uint32_t)p.arc_count,
                              .packet = packets,
                              .token = p.tokens[i] & ~GFAB_COMBINE,
                              .combine = p.tokens[i] & GFAB_COMBINE,
                              .from = gfab_topology_arc_from(topology, p.arcs[0]),
                              .to = gfab_topology_arc_to(topology, p.arcs[p.arc_count - 1])};
    }
    memset(s->load, 0, loads * sizeof *s->load);
}

gfab_status gfab_merged_count(gfab_merged *s, const gfab_topology *topology, gfab_packet_iter round)
{
    size_t packets = 0, loads = 0, items = 0, count = 0;
    gfab_packet_iter it = round;
    for (gfab_packet p; gfab_packet_next(&it, &p); packets++) {
        loads += p.arc_count;
        items += p.token_count;
        count += p.arc_count * p.token_count;
    }
    if (loads > UINT32_MAX)
        return GFAB_ERR_NO_MEMORY;
    void *load = s->load, *first = s->first;
    GFAB_TRY(reserve(&load, loads, &s->room[0], sizeof *s->load));
    s->load = load;
    GFAB_TRY(reserve(&first, packets, &s->room[1], sizeof *s->first));
    s->first = first;
    GFAB_TRY(reserve(&s->items, items, &s->room[2], sizeof(item)));
    GFAB_TRY(reserve(&s->uses, count, &s->room[3], sizeof(use)));
    if (packets == 0)
        return GFAB_OK;
    list(s, topology, round);
    sort_items(topology, s->items, items);
    use *uses = s->uses, *at = uses;
    for (const item *i = s->items; i < (item *)s->items + items; i++)
        for (uint32_t position = 0; position < i->arc_count; position++)
            *at++ = (use){i, i->arcs[position], position};
    qsort(uses, count, sizeof *uses, by_arc);
    for (const use *from = uses, *end = uses + count, *next; from < end; from = next) {
        for (next = from + 1; next < end && next->item->token == from->item->token && next->arc == from->arc;)
            next++;
        count_arc(s, from, next);
    }
    return GFAB_OK;
}

void gfab_merged_release(gfab_merged *merged)
{
    GFAB_FREE(merged->load, merged->first, merged->items, merged->uses);
    *merged = (gfab_merged){0};
}
