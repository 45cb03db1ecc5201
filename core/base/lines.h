/* SPDX-License-Identifier: MIT */
/* Private: the texts of gossipfab/base/text.h byte by byte, and line by line, for readers that do not hold all. */
#ifndef GOSSIPFAB_BASE_LINES_H
#define GOSSIPFAB_BASE_LINES_H

#include <gossipfab/base/text.h>

#include <stdbool.h>

/* The next byte; LF for CR LF. */
static inline int gfab_text_getc(FILE *file)
{
    int c = getc(file);
    if (c == '\r') {
        const int next = getc(file);
        if (next == '\n')
            return next;
        if (next != EOF)
            ungetc(next, file);
    }
    return c;
}

/* At the start of a text: past its byte order mark, if there is one. PARSE for UTF-16. */
gfab_status gfab_text_skip_mark(FILE *file, gfab_diag *diag);

/* .file and .diag are the caller's to set, all else starts as 0. The file stands behind the last line that was read. */
typedef struct gfab_lines {
    FILE *file;
    gfab_diag *diag;
    size_t line; /* the number of the line in text; behind the last one more */
    char *text;  /* the line without its end; to be freed */
    size_t length, room;
} gfab_lines;

/* Reads the next line; *found is false at the end. Every line ends in LF. PARSE for a NUL byte, a CR that no LF
 * follows, and a last line without its end; LIMIT above GFAB_MAX_TEXT_BYTES; IO; NO_MEMORY. */
gfab_status gfab_lines_next(gfab_lines *l, bool *found);

#endif
