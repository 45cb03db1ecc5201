/* SPDX-License-Identifier: MIT */
/* Gossip on one path or cycle in the telephone model: Beier & Sibeyn, section 3, Lemma 1. */
#include "mesh_line.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Twins: in round r position r - 1 is left over on each cycle, and the two that are left over talk to each other; in
 * the last of the n/2 + 2 rounds all talk to their twins but for two neighbours in the middle. */
static size_t twin_partner(const gfab_mesh_line *g, uint32_t round, size_t position)
{
    const size_t n = g->length / 2, on = position % n, other = position - on;
    const size_t left = round - 1, away = (on + n - left % n) % n;
    if (round == n / 2 + 2 ? on != n / 2 && on != n / 2 + 1 : away == 0)
        return (position + n) % g->length;
    if (round == n / 2 + 2)
        return other + (on == n / 2 ? on + 1 : on - 1);
    return other + (away % 2 ? on + 1 : on + n - 1) % n;
}

size_t gfab_mesh_line_partner(const gfab_mesh_line *g, uint32_t round, size_t position)
{
    if (g->twins)
        return twin_partner(g, round, position);
    const size_t n = g->length;
    if (!g->cycle) {
        const size_t first = (round + 1) % 2; /* matched with the next one */
        if (position < first)
            return position;
        if ((position - first) % 2)
            return position - 1;
        return position + 1 < n ? position + 1 : position;
    }
    const size_t first = n % 2 ? (round + 1) % n : (round + 1) % 2;
    const size_t away = (position + n - first) % n;
    if (n % 2 && away == n - 1)
        return position;
    return (away % 2 ? position + n - 1 : position + 1) % n;
}

static gfab_status push_transfer(gfab_mesh_line *g, gfab_mesh_transfer t)
{
    GFAB_NEED(gfab_grow(&g->at, g->count, &g->capacity, sizeof *g->at));
    g->at[g->count++] = t;
    return GFAB_OK;
}

static bool lacks_any(const gfab_mesh_line *g, const uint32_t *since, size_t position)
{
    for (size_t q = 0; q < g->length; q++)
        if (since[position * g->length + q] == UINT32_MAX)
            return true;
    return false;
}

static bool is_odd_path(const gfab_mesh_line *g)
{
    return !g->cycle && g->length % 2 && g->length > 3;
}

/* The partner of every position. In the last round of a path of odd length both ends lack a superpacket, and of the
 * two matchings each reaches one end alone: there the partners are, from the left, neighbours of whom one lacks
 * something. */
static void match(const gfab_mesh_line *g, const uint32_t *since, uint32_t round, uint32_t *partners)
{
    const size_t n = g->length;
    for (size_t p = 0; p < n; p++)
        partners[p] = (uint32_t)gfab_mesh_line_partner(g, round, p);
    if (!is_odd_path(g) || round < n)
        return;
    for (size_t p = 0; p < n; p++)
        partners[p] = (uint32_t)p;
    for (size_t p = 0; p + 1 < n; p++)
        if (lacks_any(g, since, p) != lacks_any(g, since, p + 1)) {
            partners[p] = (uint32_t)p + 1;
            partners[p + 1] = (uint32_t)p;
            p++;
        }
}

/* Whether a transfer from number `first` on is of this superpacket. */
static bool is_among(const gfab_mesh_line *g, size_t first, size_t packet)
{
    for (size_t i = first; i < g->count; i++)
        if (g->at[i].packet == packet)
            return true;
    return false;
}

/* What `from` sends `to`: the superpackets that are new to it, those known longest first, at most g->most; on a path of
 * odd length one in the last two of the n rounds. since[p * n + q]: the round in which p learned q's, 0 for its own. */
static gfab_status send_new(gfab_mesh_line *g, const uint32_t *since, uint32_t round, size_t from, size_t to)
{
    const size_t n = g->length;
    const size_t most = is_odd_path(g) && round + 1 >= n ? 1 : g->most;
    const size_t before = g->count;
    while (g->count < before + most) {
        size_t best = n;
        for (size_t q = 0; q < n; q++)
            if (since[from * n + q] < round && since[to * n + q] == UINT32_MAX &&
                (best == n || since[from * n + q] < since[from * n + best]) && !is_among(g, before, q))
                best = q;
        if (best == n)
            return GFAB_OK;
        const gfab_status status = push_transfer(
            g, (gfab_mesh_transfer){round - g->first_is_free, (uint32_t)from, (uint32_t)to, (uint32_t)best});
        if (status != GFAB_OK)
            return status;
    }
    return GFAB_OK;
}

gfab_status gfab_mesh_line_play(gfab_mesh_line *g)
{
    const size_t n = g->length;
    if (n > SIZE_MAX / sizeof(uint32_t) / n - 1)
        return GFAB_ERR_NO_MEMORY;
    GFAB_FREED uint32_t *since = malloc((n + 1) * n * sizeof *since);
    GFAB_NEED(since);
    uint32_t *partners = since + n * n;
    memset(since, 0xff, n * n * sizeof *since);
    size_t missing = n * (n - 1);
    gfab_status status = GFAB_OK;
    for (size_t p = 0; p < n; p++)
        since[p * n + p] = 0;
    uint32_t round = 1;
    for (; g->first_is_free && round == 1; round++)
        for (size_t p = 0; p < n; p++)
            if (gfab_mesh_line_partner(g, 1, p) != p) {
                since[p * n + gfab_mesh_line_partner(g, 1, p)] = 1;
                missing--;
            }
    for (; missing > 0 && status == GFAB_OK; round++) {
        if (round > 2 * n) /* the tests play every length that is of use */
            status = GFAB_ERR_UNSUPPORTED;
        const size_t before = g->count;
        match(g, since, round, partners);
        for (size_t p = 0; p < n && status == GFAB_OK; p++)
            if (partners[p] != p)
                status = send_new(g, since, round, p, partners[p]);
        for (size_t i = before; i < g->count; i++)
            since[g->at[i].to * n + g->at[i].packet] = round;
        missing -= g->count - before;
    }
    g->rounds = round - 1 - g->first_is_free;
    return status;
}

gfab_status gfab_mesh_line_play_twins(gfab_mesh_line *g)
{
    do {
        g->count = 0;
        g->most++;
        GFAB_TRY(gfab_mesh_line_play(g));
    } while (g->rounds > g->length / 4 + 2 && g->most < g->length);
    return GFAB_OK;
}
