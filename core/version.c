/* SPDX-License-Identifier: MIT */
#include <gossipfab/gossipfab.h>

const char *gfab_version(void)
{
    return GFAB_VERSION;
}
