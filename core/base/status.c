/* SPDX-License-Identifier: MIT */
/* Statuses as phrases, and how a failure is told: a function fills a diagnostic and returns its status in one line,
 * `return gfab_fail(diag, 3, GFAB_ERR_PARSE, "..");`. The library itself never prints; whoever calls it decides what
 * becomes of the text. Control characters are replaced here, once, so that no reader has to think of what a file
 * contains. */
#include <gossipfab/base/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gfab_status_string(gfab_status status)
{
    switch (status) {
    case GFAB_OK:
        return "no error";
    case GFAB_ERR_NO_MEMORY:
        return "out of memory";
    case GFAB_ERR_INVALID:
        return "invalid argument";
    case GFAB_ERR_PARSE:
        return "malformed text";
    case GFAB_ERR_UNSUPPORTED:
        return "not supported";
    case GFAB_ERR_LIMIT:
        return "limit exceeded";
    case GFAB_ERR_IO:
        return "input or output failed";
    case GFAB_ERR_FAULT:
        return "check failed";
    case GFAB_ERR_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}

gfab_status gfab_fail(gfab_diag *diag, size_t line, gfab_status status, const char *format, ...)
{
    if (diag) {
        va_list arguments;
        va_start(arguments, format);
        if (vsnprintf(diag->message, sizeof diag->message, format, arguments) < 0)
            diag->message[0] = '\0';
        va_end(arguments);
        diag->line = line;
        /* A message quotes user input; control characters in it would break the one line. */
        for (char *c = diag->message; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = '?';
    }
    return status;
}

gfab_status gfab_told(gfab_status status, gfab_diag *diag)
{
    return status == GFAB_OK ? GFAB_OK : gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
}

void *gfab_take_at(void *pointer)
{
    void *at, *none = NULL;
    memcpy(&at, pointer, sizeof at);
    memcpy(pointer, &none, sizeof none);
    return at;
}

void gfab_free_at(void *pointer)
{
    free(gfab_take_at(pointer));
}

void gfab_free_each(void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pointers[i]);
}
