/* SPDX-License-Identifier: MIT */
/* A formula for a SAT solver: clauses, "at most k of these", DIMACS text, and the question itself to CaDiCaL (Biere).
 * It is apart from what the formula says (prove.c, prove_goal.c). "At most k" is Sinz's sequential counter (2005),
 * whose clauses grow with n k for n literals; all pairs, n (n - 1) / 2 of them, are taken for k = 1 and n up to 5
 * alone.
 *
 * The proof is the list of learned clauses. So that it is complete, all parts of the solver that change clauses
 * without a conflict are switched off; then each clause follows by unit propagation, which core/refute/ checks. */
#include "cnf.h"

#include "base/grow.h"
#include "base/reason.h"

#include <limits.h>

int gfab_cnf_variable(gfab_cnf *f)
{
    if (f->variables == INT_MAX)
        f->failed = true;
    else
        f->variables++;
    return f->variables;
}

void gfab_cnf_add(gfab_cnf *f, int literal)
{
    if (!gfab_grow(&f->literals, f->length, &f->room, sizeof *f->literals)) {
        f->failed = true;
        return;
    }
    f->literals[f->length++] = literal;
    f->clauses += literal == 0;
}

void gfab_cnf_clause(gfab_cnf *f, int a, int b, int c)
{
    const int clause[] = {a, b, c};
    for (size_t i = 0; i < 3; i++)
        if (clause[i])
            gfab_cnf_add(f, clause[i]);
    gfab_cnf_add(f, 0);
}

/* s(i, j) says that more than j of the first i + 1 are true. */
void gfab_cnf_at_most(gfab_cnf *f, const int *literals, size_t count, size_t most)
{
    if (count <= most)
        return;
    if (most == 1 && count <= 5) {
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++)
                gfab_cnf_clause(f, -literals[i], -literals[j], 0);
        return;
    }
    int first = 0; /* s(i - 1, 0) */
    for (size_t i = 0; i < count && !f->failed; i++) {
        if (i > 0)
            gfab_cnf_clause(f, -literals[i], -(first + (int)most - 1), 0);
        if (i + 1 == count)
            break;
        const int before = first;
        first = gfab_cnf_variable(f);
        for (size_t j = 1; j < most; j++)
            gfab_cnf_variable(f);
        gfab_cnf_clause(f, -literals[i], first, 0);
        for (int j = 0; i > 0 && j < (int)most; j++) {
            gfab_cnf_clause(f, -(before + j), first + j, 0);
            if (j > 0)
                gfab_cnf_clause(f, -literals[i], -(before + j - 1), first + j);
        }
    }
}

gfab_status gfab_cnf_write(const gfab_cnf *f, FILE *file, gfab_diag *diag)
{
    errno = 0;
    fprintf(file, "c %s\n", f->comment);
    fprintf(file, "p cnf %d %llu\n", f->variables, (unsigned long long)f->clauses);
    for (size_t i = 0; i < f->length; i++)
        fprintf(file, f->literals[i] ? "%d " : "%d\n", f->literals[i]);
    if (ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the formula: %s", gfab_stream_reason());
    return GFAB_OK;
}

/* What CaDiCaL calls back. */
typedef struct watch {
    const gfab_progress *progress;
    FILE *proof;
    uint64_t learned;
    size_t length; /* of the clause under way */
    bool stopped;
    bool closed; /* the empty clause has been learned */
} watch;

static int on_terminate(void *state)
{
    watch *w = state;
    if (!w->stopped && w->progress && !w->progress->report(w->progress->context, "conflicts", w->learned, 0))
        w->stopped = true;
    return w->stopped;
}

static void on_learn(void *state, int literal)
{
    watch *w = state;
    if (w->proof)
        fprintf(w->proof, literal ? "%d " : "%d\n", literal);
    if (literal) {
        w->length++;
        return;
    }
    w->learned++;
    w->closed = w->closed || w->length == 0;
    w->length = 0;
}

/* Without these a solver learns by conflicts alone, and the clauses it hands out are all of its proof. */
static gfab_status set_options(gfab_cadical *solver)
{
    static const char *const off[] = {"inprocessing", "elim", "condition", "subsume", "lucky", "walk"};
    GFAB_TRY(gfab_cadical_set_option(solver, "quiet", 1));
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        GFAB_TRY(gfab_cadical_set_option(solver, off[i], 0));
    return GFAB_OK;
}

/* Answers, with what options says of conflicts, progress and proof. */
static gfab_status solve(const gfab_cnf *f, const gfab_prove_options *options, gfab_prove_report *report,
                         gfab_cnf_model read, void *context, gfab_diag *diag)
{
    watch w = {.progress = options->progress, .proof = options->proof};
    const gfab_cadical_watch callbacks = {&w, on_terminate, on_learn};
    errno = 0;
    gfab_cadical *solver = NULL;
    int result = 0;
    gfab_status status = gfab_cadical_create(&callbacks, &solver);
    GFAB_THEN(status, set_options(solver));
    for (size_t i = 0; status == GFAB_OK && i < f->length; i++)
        status = gfab_cadical_add(solver, f->literals[i]);
    for (size_t i = 0; status == GFAB_OK && i < 2 * options->cube_length; i++) /* each a clause of its own */
        status = gfab_cadical_add(solver, i % 2 ? 0 : options->cube[i / 2]);
    const uint32_t most = options->max_conflicts;
    GFAB_THEN(status, gfab_cadical_solve(solver, most == 0 ? -1 : most < INT_MAX ? (int)most : INT_MAX, &result));
    report->conflicts = w.learned;
    if (status != GFAB_OK) {
        gfab_fail(diag, 0, status, "out of memory for the proof");
    } else if (result == 10) {
        report->answer = GFAB_PROVE_POSSIBLE;
        status = read(context, solver);
    } else if (result == 20) {
        report->answer = GFAB_PROVE_IMPOSSIBLE;
        if (options->proof && !w.closed)
            fputs("0\n", options->proof);
    } else if (w.stopped) {
        status = GFAB_ERR_INTERRUPTED;
    }
    if (status == GFAB_OK && options->proof && ferror(options->proof))
        status = gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the proof: %s", gfab_stream_reason());
    gfab_cadical_release(solver, status);
    return status;
}

gfab_status gfab_cnf_answer(const gfab_cnf *f, const gfab_prove_options *options, gfab_prove_report *report,
                            gfab_cnf_model read, void *context, gfab_diag *diag)
{
    report->variables = (uint64_t)f->variables;
    report->clauses = f->clauses;
    if (options->cnf)
        GFAB_TRY(gfab_cnf_write(f, options->cnf, diag));
    return solve(f, options, report, read, context, diag);
}
