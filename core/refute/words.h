/* SPDX-License-Identifier: MIT */
/* Private: texts of literals, as DIMACS, DRAT and iCNF have them. */
#ifndef GOSSIPFAB_REFUTE_WORDS_H
#define GOSSIPFAB_REFUTE_WORDS_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct gfab_words {
    FILE *file;
    gfab_diag *diag;
    size_t line;
} gfab_words;

/* What stands at the next word: *letter is a letter (and then has been read), 0 for a number, EOF at the end. IO;
 * PARSE for anything else. */
gfab_status gfab_words_next(gfab_words *w, int *letter);
/* A number of at most INT_MAX without its sign, which must end at a blank. PARSE. */
gfab_status gfab_words_number(gfab_words *w, int *number);
/* The rest of the line is passed over. */
void gfab_words_skip_line(gfab_words *w);

#endif
