/* SPDX-License-Identifier: MIT */
/* Private: the one way numbers are read from text. */
#ifndef GOSSIPFAB_NUMBER_H
#define GOSSIPFAB_NUMBER_H

#include <stdint.h>

typedef enum gfab_number_status {
    GFAB_NUMBER_OK,
    GFAB_NUMBER_NONE,    /* no digit here */
    GFAB_NUMBER_ZERO,    /* a leading zero */
    GFAB_NUMBER_OVERFLOW /* more than maximum */
} gfab_number_status;

/* Reads a decimal number of at most maximum, without sign or leading zeros, at
 * *text and moves *text past all its digits. *value is set on GFAB_NUMBER_OK only. */
static inline gfab_number_status gfab_number_read(const char **text, uint64_t maximum, uint64_t *value)
{
    const char *at = *text;
    uint64_t sum = 0;
    gfab_number_status status = GFAB_NUMBER_OK;
    if (*at < '0' || *at > '9')
        return GFAB_NUMBER_NONE;
    if (at[0] == '0' && at[1] >= '0' && at[1] <= '9')
        status = GFAB_NUMBER_ZERO;
    for (; *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (status == GFAB_NUMBER_OK && (sum > maximum / 10 || digit > maximum - 10 * sum))
            status = GFAB_NUMBER_OVERFLOW;
        if (status == GFAB_NUMBER_OK)
            sum = 10 * sum + digit;
    }
    *text = at;
    if (status == GFAB_NUMBER_OK)
        *value = sum;
    return status;
}

#endif
