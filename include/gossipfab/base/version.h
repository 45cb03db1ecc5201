/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_VERSION_H
#define GOSSIPFAB_VERSION_H

#define GFAB_VERSION "0.1.0"

#include <gossipfab/base/linkage.h>

GFAB_C_BEGIN

/* The version the library was built as. Static. */
const char *gfab_version(void);

GFAB_C_END
#endif
