/* SPDX-License-Identifier: MIT */
/* A forward checker of proofs by reverse unit propagation (Goldberg & Novikov 2003): a clause of the proof is checked
 * by assuming its opposite, and then holds, too. */
#include <gossipfab/schedule/refute.h>

#include "base/lines.h"
#include "base/progress.h"
#include "propagator.h"
#include "words.h"

#include <stdlib.h>

#define MAX_VARIABLES (1 << 28)

struct gfab_formula {
    int variables;
    int *literals; /* the clauses, each ended by 0 */
    size_t length, room;
};

/* ---- the formula ---- */

/* "p cnf VARIABLES CLAUSES", behind comments. */
static gfab_status read_head(gfab_words *w, int *variables, int *clauses)
{
    int letter = 0;
    gfab_status status;
    while ((status = gfab_words_next(w, &letter)) == GFAB_OK && letter == 'c')
        gfab_words_skip_line(w);
    if (status != GFAB_OK)
        return status;
    static const char rest[] = " cnf ";
    bool good = letter == 'p';
    for (size_t i = 0; good && i < sizeof rest - 1; i++)
        good = getc(w->file) == rest[i];
    if (!good)
        return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "not DIMACS: \"p cnf VARIABLES CLAUSES\" is expected");
    GFAB_TRY(gfab_words_number(w, variables));
    GFAB_TRY(gfab_words_next(w, &letter));
    if (letter == 0)
        GFAB_TRY(gfab_words_number(w, clauses));
    if (letter != 0 || *variables < 0 || *clauses < 0)
        return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "two numbers are expected");
    if (*variables > MAX_VARIABLES)
        return gfab_fail(w->diag, w->line, GFAB_ERR_LIMIT, "%d variables; at most %d are supported", *variables,
                         MAX_VARIABLES);
    return GFAB_OK;
}

static gfab_status read_clauses(gfab_words *w, gfab_formula *f, int expected)
{
    int letter = 0, found = 0, literal = 0;
    gfab_status status;
    while ((status = gfab_words_next(w, &letter)) == GFAB_OK && letter == 0) {
        GFAB_TRY(gfab_words_number(w, &literal));
        if (abs(literal) > f->variables)
            return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "variable %d; the header says %d", abs(literal),
                             f->variables);
        if (!gfab_push_int(&f->literals, &f->length, &f->room, literal))
            return gfab_told(GFAB_ERR_NO_MEMORY, w->diag);
        found += literal == 0;
    }
    if (status != GFAB_OK)
        return status;
    if (letter != EOF)
        return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "a clause is expected");
    if (found != expected || (f->length && f->literals[f->length - 1] != 0))
        return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "%d clauses; the header says %d", found, expected);
    return GFAB_OK;
}

gfab_status gfab_formula_read(FILE *file, gfab_formula **formula, gfab_diag *diag)
{
    gfab_words w = {file, diag, 1};
    int clauses = 0;
    *formula = NULL;
    gfab_formula *f = calloc(1, sizeof *f);
    if (!f)
        return gfab_told(GFAB_ERR_NO_MEMORY, diag);
    gfab_status status = gfab_text_skip_mark(file, diag);
    GFAB_THEN(status, read_head(&w, &f->variables, &clauses));
    GFAB_THEN(status, read_clauses(&w, f, clauses));
    return GFAB_HAND_OVER(status, f, gfab_formula_destroy, formula);
}

void gfab_formula_destroy(gfab_formula *formula)
{
    if (!formula)
        return;
    GFAB_FREE(formula->literals, formula);
}

/* ---- the proof ---- */

typedef struct proof {
    gfab_words words;
    int *clause;
    size_t length, room;
} proof;

/* The next clause that is added; *found is false at the end of the text. */
static gfab_status next_clause(proof *p, int variables, bool *found)
{
    int letter = 0, literal = 0;
    gfab_status status;
    p->length = 0;
    while ((status = gfab_words_next(&p->words, &letter)) == GFAB_OK && letter == 'd')
        gfab_words_skip_line(&p->words);
    *found = letter != EOF;
    while (status == GFAB_OK && letter == 0) {
        status = gfab_words_number(&p->words, &literal);
        if (status != GFAB_OK || literal == 0)
            return status;
        if (abs(literal) > variables)
            return gfab_fail(p->words.diag, p->words.line, GFAB_ERR_FAULT, "the formula has no variable %d",
                             abs(literal));
        if (!gfab_push_int(&p->clause, &p->length, &p->room, literal))
            return gfab_told(GFAB_ERR_NO_MEMORY, p->words.diag);
        status = gfab_words_next(&p->words, &letter);
    }
    if (status == GFAB_OK && (letter != EOF || p->length > 0))
        status = gfab_fail(p->words.diag, p->words.line, GFAB_ERR_PARSE, "the clause does not end in 0");
    return status;
}

/* The formula and the cube, as clauses. */
static bool open_checker(gfab_propagator *c, const gfab_formula *f, const int *cube, size_t length)
{
    c->variables = f->variables;
    if (!gfab_propagator_open(c))
        return false;
    for (size_t i = 0; i < length; i++)
        if (abs(cube[i]) <= c->variables)
            gfab_propagator_add(c, &cube[i], 1);
    for (size_t at = 0; at < f->length; at++) {
        const size_t start = at;
        while (f->literals[at])
            at++;
        gfab_propagator_add(c, f->literals + start, at - start);
    }
    return !c->failed;
}

/* Does the clause follow? */
static bool follows(gfab_propagator *c, const int *literals, size_t count)
{
    bool conflict = c->refuted;
    for (size_t i = 0; i < count && !conflict; i++)
        conflict = !gfab_propagator_assume(c, -literals[i]);
    gfab_propagator_undo(c, c->fixed);
    return conflict;
}

gfab_status gfab_formula_refuted(const gfab_formula *formula, const int *cube, size_t length, FILE *file,
                                 const gfab_progress *progress, size_t *clauses, gfab_diag *diag)
{
    GFAB_AT_END(gfab_propagator_close) gfab_propagator c = {0};
    proof p = {.words = {file, diag, 1}};
    size_t count = 0;
    bool found = true, closed = false;
    gfab_status status = open_checker(&c, formula, cube, length) ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
    GFAB_THEN(status, gfab_text_skip_mark(file, diag));
    while (status == GFAB_OK && !closed) {
        status = next_clause(&p, c.variables, &found);
        if (status != GFAB_OK || !found)
            break;
        count++;
        if (!follows(&c, p.clause, p.length))
            status = gfab_fail(diag, p.words.line, GFAB_ERR_FAULT, "the clause does not follow by unit propagation");
        closed = p.length == 0;
        gfab_propagator_add(&c, p.clause, p.length);
        if (status == GFAB_OK && c.failed)
            status = gfab_told(GFAB_ERR_NO_MEMORY, diag);
        if (status == GFAB_OK && count % 1024 == 0)
            status = gfab_progress_report(progress, "clauses of the proof", count, 0);
    }
    if (status == GFAB_OK && !closed && count > 0)
        status = gfab_fail(diag, p.words.line, GFAB_ERR_FAULT, "the proof ends without the empty clause");
    else if (status == GFAB_OK && !closed && !c.refuted)
        status =
            gfab_fail(diag, p.words.line, GFAB_ERR_FAULT,
                      "the proof has no clause; that is one only where unit propagation alone refutes the formula");
    if (clauses)
        *clauses = count;
    free(p.clause);
    return status;
}
