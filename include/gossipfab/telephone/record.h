/* SPDX-License-Identifier: MIT */
/* Telephone gossips (F1, packets without limit) in fewer rounds than the literature has, kept in a short text form.
 * docs/theory/records.md has the form and where each comes from. */
#ifndef GOSSIPFAB_RECORD_H
#define GOSSIPFAB_RECORD_H

#include <gossipfab/schedule/schedule.h>
#include <gossipfab/telephone/matchings.h>

GFAB_C_BEGIN

typedef struct gfab_record {
    char topology[128]; /* its spec */
    char symmetry[128]; /* names of generators, joined by '+'; "none" */
    uint32_t rounds;
    bool sequence;      /* its rounds are a string of matchings; else lists of links */
    char matchings[32]; /* what gfab_matchings_create calls those; "natural" where the text names none */
} gfab_record;

/* The texts kept with the library, in the order of their names; NULL past the end. Static. */
const char *gfab_record_at(size_t index);
/* The first kept text for a topology, by its spec; NULL if there is none. */
const char *gfab_record_find(const gfab_topology *topology);

/* Reads the lines before the rounds. PARSE with the line. */
gfab_status gfab_record_head(const char *text, gfab_record *record, gfab_diag *diag);

/* The string of a record that has one, for matchings that gfab_matchings_create has made for its topology. INVALID for
 * a record without, PARSE with the line. */
gfab_status gfab_record_sequence(const char *text, const gfab_matchings *matchings, gfab_sequence *sequence,
                                 gfab_diag *diag);

/* Fills an empty schedule: in each round each named link, and each that the symmetry brings it to, or each of the named
 * matching, carries in both directions all that the other end lacks when the round begins. Whether that is a gossip is
 * gfab_verify's to say.
 * INVALID where the schedule is for another topology than the record's, has packets, or its nodes have other than
 * one token each; PARSE with the line; NO_MEMORY. */
gfab_status gfab_record_expand(const char *text, gfab_schedule *schedule, gfab_diag *diag);

GFAB_C_END
#endif
