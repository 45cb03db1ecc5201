/* SPDX-License-Identifier: MIT */
/* Texts from outside, as all readers take them: UTF-8, with or without a byte order mark in front; lines end in LF, or
 * in CR LF, which is read as LF. There is no NUL byte in a text. */
#ifndef GOSSIPFAB_TEXT_H
#define GOSSIPFAB_TEXT_H

#include <gossipfab/base/status.h>

#include <stdbool.h>
#include <stdio.h>

GFAB_C_BEGIN

/* The longest text that is held in memory, and the longest line of one that is read line by line: 1 GiB. A file that
 * never ends is refused there. */
#define GFAB_MAX_TEXT_BYTES ((size_t)1 << 30)

typedef struct gfab_text {
    char *bytes; /* size of them, then a NUL; without the mark and the CRs; to be freed */
    size_t size;
} gfab_text;

/* Reads a text to its end. bytes is NULL after an error. PARSE with the line for a NUL byte, which is seen as soon as
 * it is read, and for UTF-16; LIMIT above GFAB_MAX_TEXT_BYTES; IO; NO_MEMORY. */
gfab_status gfab_text_read(FILE *file, gfab_text *text, gfab_diag *diag);

/* Opens what is to be read, "-" for standard input, and closes it, but for that. The message is the bare reason, for
 * the caller to say of what. IO, of a folder too; NO_MEMORY. */
gfab_status gfab_text_open(const char *path, FILE **file, gfab_diag *diag);
void gfab_text_close(FILE *file);

/* Closes a stream of open_memstream(); false where it is NULL, or where *text is not all that was written. fclose()
 * says nothing of writes for which there was no memory, and where it has none itself leaves NULL and returns 0. */
bool gfab_memory_close(FILE *file, char **text);

GFAB_C_END
#endif
