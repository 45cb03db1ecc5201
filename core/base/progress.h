/* SPDX-License-Identifier: MIT */
/* What long work calls now and then. */
#ifndef GOSSIPFAB_BASE_PROGRESS_H
#define GOSSIPFAB_BASE_PROGRESS_H

#include <gossipfab/base/status.h>
#include <stdint.h>

/* Reports done of total units of what, total 0 where it is not known; INTERRUPTED if the caller wants to stop. progress
 * may be NULL. */
static inline gfab_status gfab_progress_report(const gfab_progress *progress, const char *what, uint64_t done,
                                               uint64_t total)
{
    return progress && !progress->report(progress->context, what, done, total) ? GFAB_ERR_INTERRUPTED : GFAB_OK;
}

#endif
