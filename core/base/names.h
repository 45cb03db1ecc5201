/* SPDX-License-Identifier: MIT */
/* Private: the names of an enum's values. */
#ifndef GOSSIPFAB_BASE_NAMES_H
#define GOSSIPFAB_BASE_NAMES_H

#include <stddef.h>

/* names[value], of so many; "unknown" for a value that has none. */
static inline const char *gfab_name_of(const char *const *names, size_t count, size_t value)
{
    return value < count ? names[value] : "unknown";
}

#define GFAB_NAME_OF(names, value) gfab_name_of(names, sizeof(names) / sizeof *(names), (size_t)(value))

#endif
