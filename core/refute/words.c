/* SPDX-License-Identifier: MIT */
/* Literals and letters out of DIMACS, DRAT and iCNF texts, one word at a time. Proofs may be gigabytes, so nothing is
 * held but the word at hand and the number of its line. These readers are part of the checker of proofs, which has to
 * be trusted, and core/refute/ uses nothing of core/prove/. */
#include "words.h"

#include "base/lines.h"
#include "base/reason.h"

#include <limits.h>

static int next_byte(gfab_words *w)
{
    const int c = gfab_text_getc(w->file);
    w->line += c == '\n';
    return c;
}

gfab_status gfab_words_next(gfab_words *w, int *letter)
{
    int c;
    errno = 0;
    do
        c = next_byte(w);
    while (c == ' ' || c == '\n' || c == '\t');
    if (c == EOF && ferror(w->file))
        return gfab_fail(w->diag, 0, GFAB_ERR_IO, "cannot read: %s", gfab_stream_reason());
    *letter = c;
    if (c == '-' || (c >= '0' && c <= '9')) {
        ungetc(c, w->file);
        *letter = 0;
        return GFAB_OK;
    }
    if (c == EOF || (c >= 'a' && c <= 'z'))
        return GFAB_OK;
    return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "a number is expected, or a letter that starts a line");
}

gfab_status gfab_words_number(gfab_words *w, int *number)
{
    int c = next_byte(w);
    const bool negative = c == '-';
    long long value = 0;
    bool good = true, digits = false;
    for (c = negative ? next_byte(w) : c; c >= '0' && c <= '9'; c = next_byte(w)) {
        value = 10 * value + (c - '0');
        digits = true;
        good = good && value <= INT_MAX;
        value = good ? value : 0;
    }
    if (!good || !digits || (c != ' ' && c != '\n' && c != EOF))
        return gfab_fail(w->diag, c == '\n' ? w->line - 1 : w->line, GFAB_ERR_PARSE,
                         "a number from %d to %d is expected", -INT_MAX, INT_MAX);
    if (c != EOF) { /* the line is that of the number */
        ungetc(c, w->file);
        w->line -= c == '\n';
    }
    *number = (int)(negative ? -value : value);
    return GFAB_OK;
}

void gfab_words_skip_line(gfab_words *w)
{
    int c;
    do
        c = next_byte(w);
    while (c != '\n' && c != EOF);
}
