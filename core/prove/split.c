/* SPDX-License-Identifier: MIT */
/* Cubes for a formula: the leaves of a tree of decisions. */
#include "cnf.h"

#include "refute/propagator.h"

typedef struct splitter {
    gfab_propagator propagator;
    const int *variables;
    size_t count;
    uint32_t depth;
    gfab_cubes *cubes;
    int path[GFAB_PROVE_MAX_DEPTH];
} splitter;

/* The cubes below the decisions path[0 .. made - 1]; variables before `next` are decided, or follow. */
static gfab_status split(splitter *s, size_t next, uint32_t made, bool open)
{
    gfab_propagator *p = &s->propagator;
    while (open && next < s->count && p->value[s->variables[next]] != 0)
        next++;
    if (!open || next == s->count || made == s->depth)
        return gfab_cubes_add(s->cubes, s->path, made);
    gfab_status status = GFAB_OK;
    for (int sign = 1; sign >= -1 && status == GFAB_OK; sign -= 2) {
        const size_t trailed = p->trailed;
        s->path[made] = sign * s->variables[next];
        status = split(s, next + 1, made + 1, gfab_propagator_assume(p, s->path[made]));
        gfab_propagator_undo(p, trailed);
    }
    return p->failed ? GFAB_ERR_NO_MEMORY : status;
}

gfab_status gfab_cnf_split(const gfab_cnf *f, const int *variables, size_t count, uint32_t depth, gfab_cubes *cubes)
{
    splitter s = {.propagator = {.variables = f->variables},
                  .variables = variables,
                  .count = count,
                  .depth = depth,
                  .cubes = cubes};
    gfab_status status = gfab_propagator_open(&s.propagator) ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (size_t at = 0; status == GFAB_OK && at < f->length; at++) {
        const size_t start = at;
        while (f->literals[at])
            at++;
        gfab_propagator_add(&s.propagator, f->literals + start, at - start);
    }
    GFAB_THEN(status, s.propagator.failed ? GFAB_ERR_NO_MEMORY : split(&s, 0, 0, !s.propagator.refuted));
    gfab_propagator_close(&s.propagator);
    return status;
}
