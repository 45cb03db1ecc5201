/* SPDX-License-Identifier: MIT */
/* The colouring heuristic: short gossips by sequences of a few matchings.
 * Source: Beier & Sibeyn, A powerful heuristic for telephone gossiping, section 6. */
#ifndef GOSSIPFAB_COLOURING_H
#define GOSSIPFAB_COLOURING_H

#include <gossipfab/telephone/matchings.h>

GFAB_C_BEGIN

typedef struct gfab_colouring_options {
    uint32_t keep_percent;         /* f: matchings are tried that move this part of what the best one moves; above 100:
                                      several values in turn, high ones first */
    bool no_return;                /* never a matching again that was the last but one, either; else both ways in turn
                                      where several f are tried */
    bool every_window;             /* each matching in any (number of matchings + 1) rounds */
    uint32_t rounds;               /* most rounds; 0: as few as are found */
    uint32_t enough_rounds;        /* no search for fewer than these: a lower bound */
    uint64_t effort;               /* visits of a node by the search for one number of rounds; 0: its own */
    const gfab_progress *progress; /* may be NULL */
} gfab_colouring_options;

gfab_colouring_options gfab_colouring_options_default(void);

/* The shortest sequence that is found. Deterministic. UNSUPPORTED where there is none of at most options->rounds, or
 * the matchings together do not connect all nodes; INVALID for a keep_percent above 101; LIMIT where the search takes
 * more than 2 GiB; INTERRUPTED; NO_MEMORY. */
gfab_status gfab_colouring_find(const gfab_matchings *matchings, const gfab_colouring_options *options,
                                gfab_sequence *sequence, gfab_diag *diag);

GFAB_C_END
#endif
