/* SPDX-License-Identifier: MIT */
/* The table of formats: its first rows are the schedule's own, the others an extra's (extras/formats/formats.c). */
#ifndef GOSSIPFAB_FORMAT_ROWS_H
#define GOSSIPFAB_FORMAT_ROWS_H

#include <gossipfab/formats/format.h>

/* Ends with a row without a name. */
extern const gfab_format gfab_foreign_formats[];

#endif
