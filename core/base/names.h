/* SPDX-License-Identifier: MIT */
/* Private: names of an enum's values, and names in texts. */
#ifndef GOSSIPFAB_BASE_NAMES_H
#define GOSSIPFAB_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* names[value], of so many; "unknown" for a value that has none. */
static inline const char *gfab_name_of(const char *const *names, size_t count, size_t value)
{
    return value < count ? names[value] : "unknown";
}

#define GFAB_NAME_OF(names, value) gfab_name_of(names, sizeof(names) / sizeof *(names), (size_t)(value))

/* Are these characters of a text the name? */
static inline bool gfab_is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

#endif
