/* SPDX-License-Identifier: MIT */
/* Private: what the parts of the checker share. */
#ifndef GOSSIPFAB_VERIFY_INTERNAL_H
#define GOSSIPFAB_VERIFY_INTERNAL_H

#include <gossipfab/schedule/verify.h>

GFAB_C_BEGIN

#define GFAB_VERIFY_NONE UINT32_MAX

/* Enters a fault with its one line, and returns GFAB_ERR_FAULT. */
#ifdef __GNUC__
__attribute__((format(printf, 7, 8)))
#endif
gfab_status
gfab_verify_fault(gfab_verify_report *report, gfab_fault what, uint32_t round, uint32_t link, uint32_t node,
                  uint32_t token, const char *format, ...);

/* gfab_verify for a schedule that does not repeat. */
gfab_status gfab_verify_listed(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                               const gfab_progress *progress, gfab_verify_report *report);

/* Replays the contributions of a goal that combines, block by block, as far as round last, and where all rounds were
 * replayed checks that the totals are whole. The report gets the first fault by round, then block. OK, FAULT,
 * NO_MEMORY, INTERRUPTED. Time O(moves N / 64), memory O(N^2 / 8 + moves) bytes. */
gfab_status gfab_verify_contributions(const gfab_topology *topology, const gfab_model *model,
                                      const gfab_schedule *schedule, uint32_t last, const gfab_progress *progress,
                                      gfab_verify_report *report);

/* That the translations of a schedule kept as one tree are symmetries of its graph: each step along an axis brings the
 * nodes onto the nodes and every link onto a link. WRONG_TOPOLOGY at the first that it does not. OK, FAULT,
 * NO_MEMORY. */
gfab_status gfab_verify_translations(const gfab_topology *topology, gfab_verify_report *report);

GFAB_C_END
#endif
