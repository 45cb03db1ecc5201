/* SPDX-License-Identifier: MIT */
/* A solver's own settings: the text "key=value,key=value". */
#include "parameters.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

/* The next "key=value" at *at, which moves past it and the comma behind it; false at the end. A piece without a '='
 * has value NULL. */
static bool next_piece(const char **at, const char **key, size_t *key_length, const char **value, size_t *value_length)
{
    if (!*at)
        return false;
    const size_t length = strcspn(*at, ",");
    const char *equals = memchr(*at, '=', length);
    *key = *at;
    *key_length = equals ? (size_t)(equals - *at) : length;
    *value = equals ? equals + 1 : NULL;
    *value_length = equals ? length - *key_length - 1 : 0;
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

const char *gfab_parameter(const char *parameters, const char *key, size_t *length)
{
    const char *at = parameters && *parameters ? parameters : NULL;
    const char *name, *value;
    size_t name_length;
    while (next_piece(&at, &name, &name_length, &value, length))
        if (value && name_length == strlen(key) && memcmp(name, key, name_length) == 0)
            return value;
    *length = 0;
    return NULL;
}

gfab_status gfab_parameter_number(const char *parameters, const char *key, uint64_t least, uint64_t most,
                                  uint64_t *value, gfab_diag *diag)
{
    size_t length;
    const char *text = gfab_parameter(parameters, key, &length);
    if (!text)
        return GFAB_OK;
    const char *at = text;
    uint64_t number = 0;
    if (gfab_number_read(&at, most, &number) != GFAB_NUMBER_OK || at != text + length || number < least)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s=%.*s is not a whole number from %" PRIu64 " to %" PRIu64, key,
                         length < 40 ? (int)length : 40, text, least, most);
    *value = number;
    return GFAB_OK;
}

gfab_status gfab_parameter_list(const char *parameters, const char *key, gfab_parameter_range range, uint32_t *list,
                                uint32_t *count, gfab_diag *diag)
{
    size_t length;
    const char *text = gfab_parameter(parameters, key, &length), *at = text;
    *count = 0;
    while (at) {
        uint64_t number = 0;
        const gfab_number_status status = gfab_number_read(&at, range.most, &number);
        const bool more = at < text + length;
        if (status != GFAB_NUMBER_OK || number < range.least || (more && *at != ':') || *count == range.capacity)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                             "%s=%.*s is not a list such as 3:3:2 of at most %u numbers from %u to %u", key,
                             length < 40 ? (int)length : 40, text, range.capacity, range.least, range.most);
        list[(*count)++] = (uint32_t)number;
        at = more ? at + 1 : NULL;
    }
    return GFAB_OK;
}

static bool in_list(const char *const *keys, const char *key, size_t length)
{
    for (; keys && *keys; keys++)
        if (strlen(*keys) == length && memcmp(*keys, key, length) == 0)
            return true;
    return false;
}

gfab_status gfab_parameters_check(const char *parameters, const char *const *keys, gfab_diag *diag)
{
    const char *at = parameters && *parameters ? parameters : NULL;
    const char *key, *value;
    size_t key_length, value_length;
    while (next_piece(&at, &key, &key_length, &value, &value_length)) {
        const int shown = key_length < 40 ? (int)key_length : 40;
        if (!in_list(keys, key, key_length)) {
            char known[160] = "";
            for (size_t i = 0, used = 0; keys && keys[i] && used + strlen(keys[i]) + 3 < sizeof known; i++) {
                const char *comma = i ? ", " : "";
                memcpy(known + used, comma, strlen(comma));
                used += strlen(comma);
                memcpy(known + used, keys[i], strlen(keys[i]) + 1);
                used += strlen(keys[i]);
            }
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown setting \"%.*s\"; %s%s", shown, key,
                             *known ? "there are " : "this solver has none", known);
        }
        if (!value || value_length == 0)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "setting \"%.*s\" has no value; write %.*s=VALUE", shown, key,
                             shown, key);
        const char *rest = at, *other, *other_value;
        size_t other_length, other_value_length;
        while (next_piece(&rest, &other, &other_length, &other_value, &other_value_length))
            if (other_length == key_length && memcmp(other, key, key_length) == 0)
                return gfab_fail(diag, 0, GFAB_ERR_INVALID, "setting \"%.*s\" is given twice", shown, key);
    }
    return GFAB_OK;
}
