/* SPDX-License-Identifier: MIT */
/* Private: files that the library carries, by gfab_embed. */
#ifndef GOSSIPFAB_EMBEDDED_H
#define GOSSIPFAB_EMBEDDED_H

#include <stddef.h>

/* The last of a list has no path. */
typedef struct gfab_embedded {
    const char *path; /* relative to the root of the sources */
    const unsigned char *bytes;
    size_t size;
} gfab_embedded;

#endif
