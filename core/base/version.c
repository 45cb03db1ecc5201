/* SPDX-License-Identifier: MIT */
/* The version that the library was built as, for programs that link a shared library: the header's GFAB_VERSION is
 * what they were compiled with, gfab_version() what they run with. */
#include <gossipfab/base/version.h>

const char *gfab_version(void)
{
    return GFAB_VERSION;
}
