/* SPDX-License-Identifier: MIT */
#include <gossipfab/base/version.h>

const char *gfab_version(void)
{
    return GFAB_VERSION;
}
