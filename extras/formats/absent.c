/* SPDX-License-Identifier: MIT */
/* What stands in for this extra where a build is without it: no rows in the table of formats. */
#include "schedule/text/format_rows.h"

const gfab_format gfab_foreign_formats[] = {{.name = NULL}};
