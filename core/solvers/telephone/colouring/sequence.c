/* SPDX-License-Identifier: MIT */
/* Sequences of matchings as strings, and their replay. */
#include "matchings_internal.h"

#include "base/bits.h"
#include "base/progress.h"

#include <gossipfab/base/arena.h>
#include <string.h>

/* Words of tokens that are followed at a time: a node's part then fills a cache line. */
#define WIDTH 8

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

gfab_status gfab_sequence_read(const gfab_matchings *matchings, const char *text, gfab_sequence *sequence,
                               gfab_diag *diag)
{
    const size_t count = gfab_matchings_count(matchings);
    const size_t length = strlen(text);
    if (length == 0)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "a sequence of matchings has a digit for each round; this one is empty");
    if (length > GFAB_MAX_SEQUENCE)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a sequence of %zu matchings; at most %d are supported", length,
                         GFAB_MAX_SEQUENCE);
    for (size_t i = 0; i < length; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit || (size_t)(digit - digits) >= count)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "'%c', round %zu of the sequence, is no matching; %s has %zu, 0 to %c", text[i], i + 1,
                             gfab_topology_name(gfab_matchings_topology(matchings)), count, digits[count - 1]);
        sequence->at[i] = (uint8_t)(digit - digits);
    }
    sequence->length = length;
    return GFAB_OK;
}

void gfab_sequence_write(const gfab_sequence *sequence, char *text)
{
    for (size_t i = 0; i < sequence->length; i++)
        text[i] = digits[sequence->at[i]];
    text[sequence->length] = '\0';
}

typedef struct replay {
    const gfab_matchings *matchings;
    const gfab_sequence *sequence;
    size_t nodes;
    uint64_t *known;   /* [node * WIDTH + word]: of the tokens followed now */
    uint32_t *packets; /* [round * nodes + node]: tokens that the node has received in that round */
} replay;

/* Follows tokens first .. first + 64 * WIDTH - 1 through all rounds. */
GFAB_COUNTS_BITS static uint64_t follow(replay *r, size_t first)
{
    const size_t last = r->nodes - first < 64 * WIDTH ? r->nodes - first : 64 * WIDTH;
    memset(r->known, 0, r->nodes * WIDTH * sizeof *r->known);
    for (size_t t = 0; t < last; t++)
        r->known[(first + t) * WIDTH + t / 64] = (uint64_t)1 << (t % 64);
    for (size_t round = 0; round < r->sequence->length; round++) {
        const uint32_t *partner = gfab_matchings_partners(r->matchings, r->sequence->at[round]);
        uint32_t *packets = r->packets + round * r->nodes;
        for (size_t v = 0; v < r->nodes; v++) {
            const size_t u = partner[v];
            if (u <= v)
                continue;
            for (size_t w = 0; w < WIDTH; w++) {
                const uint64_t a = r->known[v * WIDTH + w], b = r->known[u * WIDTH + w];
                packets[v] += gfab_count_bits(b & ~a);
                packets[u] += gfab_count_bits(a & ~b);
                r->known[v * WIDTH + w] = r->known[u * WIDTH + w] = a | b;
            }
        }
    }
    uint64_t missing = (uint64_t)last * r->nodes;
    for (size_t i = 0; i < r->nodes * WIDTH; i++)
        missing -= gfab_count_bits(r->known[i]);
    return missing;
}

gfab_status gfab_sequence_replay(const gfab_matchings *matchings, const gfab_sequence *sequence,
                                 const gfab_progress *progress, gfab_sequence_report *report)
{
    const size_t nodes = gfab_topology_node_count(gfab_matchings_topology(matchings));
    replay r = {.matchings = matchings, .sequence = sequence, .nodes = nodes};
    *report = (gfab_sequence_report){0, 0};
    if (nodes > SIZE_MAX / GFAB_MAX_SEQUENCE / sizeof *r.packets)
        return GFAB_ERR_NO_MEMORY;
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    r.known = gfab_arena_zeroed(&arena, nodes * WIDTH, sizeof *r.known);
    r.packets = gfab_arena_zeroed(&arena, sequence->length * nodes + 1, sizeof *r.packets);
    GFAB_NEED(!arena.failed);
    for (size_t first = 0; first < nodes; first += 64 * WIDTH) {
        GFAB_TRY(gfab_progress_report(progress, "tokens replayed", first, nodes));
        report->missing += follow(&r, first);
    }
    for (size_t round = 0; round < sequence->length; round++) {
        uint32_t longest = 0;
        for (size_t v = 0; v < nodes; v++)
            if (r.packets[round * nodes + v] > longest)
                longest = r.packets[round * nodes + v];
        report->steps += longest;
    }
    return GFAB_OK;
}
