/* SPDX-License-Identifier: MIT */
/* Records: telephone gossips that took long to find, as short texts that come with the library. A text has the links
 * of each round, one for each orbit of a symmetry, so that a gossip of some hundred nodes is a few lines; or a string
 * of matchings, a digit a round. The reader takes it apart and the exchange (exchange.c) makes the packets. It does
 * not judge whether everybody ends with everything: the checker does, as for any other schedule. */
#include <gossipfab/telephone/record.h>

#include "base/number.h"
#include "exchange.h"
#include "record_texts.h"
#include "topology/symmetry.h"

#include <stdlib.h>
#include <string.h>

const char *gfab_record_at(size_t index)
{
    return index < gfab_record_text_count ? gfab_record_texts[index] : NULL;
}

const char *gfab_record_find(const gfab_topology *topology)
{
    const char *text;
    gfab_record record;
    for (size_t i = 0; (text = gfab_record_at(i)); i++)
        if (gfab_record_head(text, &record, NULL) == GFAB_OK &&
            strcmp(record.topology, gfab_topology_spec(topology)) == 0)
            return text;
    return NULL;
}

/* Where reading stands. */
typedef struct reader {
    const char *at;
    size_t line;
} reader;

static bool skip(reader *r, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    r->line += text[length - 1] == '\n';
    return true;
}

static gfab_status read_word(reader *r, const char *key, char *word, size_t size, gfab_diag *diag)
{
    const size_t length = skip(r, key) ? strcspn(r->at, "\n") : 0;
    if (length == 0 || length >= size || r->at[length] != '\n')
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "\"%s\" and 1 to %zu characters are expected", key, size - 1);
    memcpy(word, r->at, length);
    word[length] = '\0';
    r->at += length + 1;
    r->line++;
    return GFAB_OK;
}

static gfab_status read_head(reader *r, gfab_record *record, gfab_diag *diag)
{
    uint64_t rounds = 0;
    if (!skip(r, "gossipfab-record 1\n"))
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "\"gossipfab-record 1\" is expected");
    gfab_status status = read_word(r, "topology: ", record->topology, sizeof record->topology, diag);
    GFAB_THEN(status, read_word(r, "symmetry: ", record->symmetry, sizeof record->symmetry, diag));
    if (status != GFAB_OK)
        return status;
    if (!skip(r, "rounds: ") || gfab_number_read(&r->at, GFAB_MAX_ROUNDS, &rounds) != GFAB_NUMBER_OK || !skip(r, "\n"))
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "\"rounds: \" and a number are expected");
    record->rounds = (uint32_t)rounds;
    const bool named = strncmp(r->at, "matchings: ", strlen("matchings: ")) == 0;
    strcpy(record->matchings, "natural");
    if (named && (status = read_word(r, "matchings: ", record->matchings, sizeof record->matchings, diag)) != GFAB_OK)
        return status;
    record->sequence = strncmp(r->at, "sequence: ", strlen("sequence: ")) == 0;
    if (named && !record->sequence)
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "\"sequence: \" is expected behind \"matchings: \"");
    return GFAB_OK;
}

gfab_status gfab_record_head(const char *text, gfab_record *record, gfab_diag *diag)
{
    return read_head(&(reader){text, 1}, record, diag);
}

/* One "U-V" of a round; *orbit gets the link's. */
static gfab_status read_link(reader *r, const gfab_symmetry *symmetry, uint32_t *orbit, gfab_diag *diag)
{
    uint64_t from = 0, to = 0;
    gfab_arc arc;
    if (gfab_number_read(&r->at, symmetry->nodes - 1, &from) != GFAB_NUMBER_OK || !skip(r, "-") ||
        gfab_number_read(&r->at, symmetry->nodes - 1, &to) != GFAB_NUMBER_OK)
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "U-V with nodes up to %u is expected", symmetry->nodes - 1);
    if (!gfab_topology_find_arc(symmetry->topology, (uint32_t)from, (uint32_t)to, &arc))
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "there is no link %u-%u", (uint32_t)from, (uint32_t)to);
    *orbit = symmetry->link_orbit[arc / 2];
    return GFAB_OK;
}

/* One line: links with a space before each. Orbits may come in any order, the schedule has them rising. */
static gfab_status read_round(reader *r, const gfab_symmetry *symmetry, bool *chosen, gfab_exchange *exchange,
                              gfab_diag *diag)
{
    memset(chosen, 0, symmetry->link_orbits * sizeof *chosen);
    if (!skip(r, "round:"))
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "\"round:\" and its links are expected");
    while (skip(r, " ")) {
        uint32_t orbit = 0;
        GFAB_TRY(read_link(r, symmetry, &orbit, diag));
        if (chosen[orbit])
            return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "two links are images of each other; give one");
        chosen[orbit] = true;
    }
    if (!skip(r, "\n"))
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "unexpected \"%.20s\"", r->at);
    for (uint32_t l = 0; l < symmetry->links; l++)
        if (chosen[symmetry->link_orbit[l]])
            GFAB_TRY(gfab_exchange_link(exchange, l));
    gfab_exchange_end_round(exchange);
    return GFAB_OK;
}

static gfab_status read_rounds(reader *r, uint32_t rounds, const gfab_symmetry *symmetry, gfab_schedule *schedule,
                               gfab_diag *diag)
{
    GFAB_AT_END(gfab_exchange_release) gfab_exchange exchange = {0};
    GFAB_TRY(gfab_exchange_create(schedule, &exchange));
    GFAB_FREED bool *chosen = malloc(symmetry->link_orbits * sizeof *chosen);
    GFAB_NEED(chosen);
    for (uint32_t round = 1; round <= rounds; round++)
        GFAB_TRY(read_round(r, symmetry, chosen, &exchange, diag));
    if (*r->at)
        return gfab_fail(diag, r->line, GFAB_ERR_PARSE, "unexpected text after %u rounds", rounds);
    return GFAB_OK;
}

gfab_status gfab_record_sequence(const char *text, const gfab_matchings *matchings, gfab_sequence *sequence,
                                 gfab_diag *diag)
{
    reader r = {text, 1};
    gfab_record record;
    char digits[GFAB_MAX_SEQUENCE + 1];
    gfab_diag reason = {0, ""};
    gfab_status status = read_head(&r, &record, diag);
    if (status == GFAB_OK && !record.sequence)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the record lists links; it has no sequence of matchings");
    GFAB_THEN(status, read_word(&r, "sequence: ", digits, sizeof digits, diag));
    if (status != GFAB_OK)
        return status;
    status = gfab_sequence_read(matchings, digits, sequence, &reason);
    if (status != GFAB_OK)
        return gfab_fail(diag, r.line - 1, status, "%s", reason.message);
    if (sequence->length != record.rounds || strcmp(record.symmetry, "none") != 0 || *r.at)
        return gfab_fail(diag, r.line - 1, GFAB_ERR_PARSE,
                         "a sequence of %u matchings, no symmetry and no text behind it are expected", record.rounds);
    return GFAB_OK;
}

/* The rounds of a record that has a string. */
static gfab_status expand_sequence(const char *text, const gfab_record *record, gfab_schedule *schedule,
                                   gfab_diag *diag)
{
    gfab_matchings *matchings = NULL;
    GFAB_AT_END(gfab_exchange_release) gfab_exchange exchange = {0};
    GFAB_FREED gfab_sequence *sequence = malloc(sizeof *sequence);
    gfab_status status = gfab_exchange_create(schedule, &exchange);
    if (status == GFAB_OK && !sequence)
        status = GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_matchings_create(gfab_schedule_topology(schedule), record->matchings, &matchings, diag));
    GFAB_THEN(status, gfab_record_sequence(text, matchings, sequence, diag));
    for (size_t i = 0; status == GFAB_OK && i < sequence->length; i++)
        status = gfab_exchange_matching(&exchange, gfab_matchings_partners(matchings, sequence->at[i]));
    gfab_matchings_destroy(matchings);
    return status;
}

gfab_status gfab_record_expand(const char *text, gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    reader r = {text, 1};
    gfab_record record;
    GFAB_AT_END(gfab_symmetry_release) gfab_symmetry symmetry = {0};
    GFAB_TRY(read_head(&r, &record, diag));
    if (strcmp(record.topology, gfab_topology_spec(topology)) != 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the record is for %s, not for %s", record.topology,
                         gfab_topology_name(topology));
    if (gfab_schedule_packet_count(schedule) > 0 || !gfab_schedule_even_load(schedule) ||
        gfab_schedule_parts(schedule) != 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is not an empty one of one token a node");
    if (record.sequence)
        return expand_sequence(text, &record, schedule, diag);
    GFAB_TRY(gfab_symmetry_create(topology, record.symmetry, strlen(record.symmetry), &symmetry, diag));
    return read_rounds(&r, record.rounds, &symmetry, schedule, diag);
}
