/* SPDX-License-Identifier: MIT */
/* Why a stream failed. */
#ifndef GOSSIPFAB_BASE_REASON_H
#define GOSSIPFAB_BASE_REASON_H

#include <errno.h>
#include <string.h>

/* For calls behind errno = 0: a stream may have failed before, and then errno is of something else, or of nothing. */
static inline const char *gfab_stream_reason(void)
{
    return strerror(errno ? errno : EIO);
}

#endif
