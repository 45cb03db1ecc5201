/* SPDX-License-Identifier: MIT */
/* A few fixed matchings of a graph, and gossip by a sequence of them: in each round all links of one matching exchange
 * all that their ends know. A schedule is then a short string, a digit a round.
 * Source: Beier & Sibeyn, A powerful heuristic for telephone gossiping, sections 6 and 8. */
#ifndef GOSSIPFAB_MATCHINGS_H
#define GOSSIPFAB_MATCHINGS_H

#include <gossipfab/topology/topology.h>

GFAB_C_BEGIN

/* Digits 0 to 9, then a to z. */
#define GFAB_MAX_MATCHINGS 36
/* The longest sequence. */
#define GFAB_MAX_SEQUENCE 4096

typedef struct gfab_matchings gfab_matchings;

/* The matchings of a topology, which is borrowed and must outlive them.
 * "natural"    those that come with the definition of the graph: hypercube, Knoedel, star and pancake graphs have one
 *              for each generator; CCC, butterflies as in section 8; shuffle-exchange and de Bruijn graphs by the
 *              rotations' cycles; an edge colouring for all others. NULL means "natural".
 * "symbols"    star graphs: those, and one for each doubling of what nodes know of each other's first symbols
 *              (docs/theory/records.md)
 * "edges"      an edge colouring with few colours, each completed to a matching that no link can be added to
 * "file:PATH"  from a file, a line a matching: links U-V, blanks between them; # starts a comment
 * Errors: PARSE and INVALID (with the file's line where there is one), IO, LIMIT (more than GFAB_MAX_MATCHINGS),
 * NO_MEMORY. */
gfab_status gfab_matchings_create(const gfab_topology *topology, const char *from, gfab_matchings **matchings,
                                  gfab_diag *diag);
void gfab_matchings_destroy(gfab_matchings *matchings);

size_t gfab_matchings_count(const gfab_matchings *matchings);
/* By node: its partner in matching index, itself where it has none. Borrowed. */
const uint32_t *gfab_matchings_partners(const gfab_matchings *matchings, size_t index);

/* A sequence of matchings as rounds. */
typedef struct gfab_sequence {
    size_t length;
    uint8_t at[GFAB_MAX_SEQUENCE]; /* the matching of round 1 first */
} gfab_sequence;

/* Reads "02102". PARSE with the place in the message; LIMIT. */
gfab_status gfab_sequence_read(const gfab_matchings *matchings, const char *text, gfab_sequence *sequence,
                               gfab_diag *diag);
/* Writes it; text has room for length + 1 characters. */
void gfab_sequence_write(const gfab_sequence *sequence, char *text);

typedef struct gfab_sequence_report {
    uint64_t missing; /* tokens that nodes lack at the end: 0 for a gossip */
    uint64_t steps;   /* S: sum over the rounds of the most tokens that a node sends its partner, which lacks them */
} gfab_sequence_report;

/* Replays a sequence for every token, knowing nothing of how it was found, nor of symmetry. A few hundred tokens are
 * followed at a time; memory O(length * N), time O(length * N^2 / 64). INTERRUPTED, NO_MEMORY. progress may be NULL. */
gfab_status gfab_sequence_replay(const gfab_matchings *matchings, const gfab_sequence *sequence,
                                 const gfab_progress *progress, gfab_sequence_report *report);

GFAB_C_END
#endif
