/* SPDX-License-Identifier: MIT */
/* Unit propagation with two watched literals a clause (Moskewicz et al., Chaff, 2001). */
#include "propagator.h"

#include <stdlib.h>

bool gfab_push_int(int **array, size_t *length, size_t *room, int value)
{
    if (*length == *room) {
        const size_t more = *room ? 2 * *room : 64;
        int *grown = realloc(*array, more * sizeof *grown);
        if (!grown)
            return false;
        *array = grown;
        *room = more;
    }
    (*array)[(*length)++] = value;
    return true;
}

static size_t index_of(int literal)
{
    return 2 * (size_t)abs(literal) + (literal < 0);
}

static int value_of(const gfab_propagator *p, int literal)
{
    return literal < 0 ? -p->value[-literal] : p->value[literal];
}

/* False where its opposite is true. */
static bool assign(gfab_propagator *p, int literal)
{
    const int value = value_of(p, literal);
    if (value != 0)
        return value > 0;
    p->value[abs(literal)] = literal < 0 ? -1 : 1;
    p->trail[p->trailed++] = literal;
    return true;
}

static void watch(gfab_propagator *p, int literal, size_t clause)
{
    gfab_watchers *w = &p->watching[index_of(literal)];
    if (w->count == w->room) {
        const size_t room = w->room ? 2 * w->room : 4;
        size_t *grown = realloc(w->clauses, room * sizeof *grown);
        if (!grown) {
            p->failed = true;
            return;
        }
        w->clauses = grown;
        w->room = room;
    }
    w->clauses[w->count++] = clause;
}

/* A literal has become false: each clause that watches it finds another one, or its other one is true now. False on a
 * conflict. */
static bool visit(gfab_propagator *p, int literal)
{
    gfab_watchers *w = &p->watching[index_of(literal)];
    bool good = true;
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        int *clause = p->pool + w->clauses[i];
        if (!good) {
            w->clauses[kept++] = w->clauses[i];
            continue;
        }
        if (clause[0] == literal) {
            clause[0] = clause[1];
            clause[1] = literal;
        }
        const bool is_true = value_of(p, clause[0]) > 0;
        size_t k = 2;
        while (!is_true && clause[k] && value_of(p, clause[k]) < 0)
            k++;
        if (is_true || !clause[k]) {
            w->clauses[kept++] = w->clauses[i];
            good = assign(p, clause[0]);
        } else {
            clause[1] = clause[k];
            clause[k] = literal;
            watch(p, clause[1], w->clauses[i]);
        }
    }
    w->count = kept;
    return good;
}

static bool propagate(gfab_propagator *p)
{
    while (p->propagated < p->trailed)
        if (!visit(p, -p->trail[p->propagated++]))
            return false;
    return true;
}

/* What is false for good is left out, so that the first two literals may be watched. */
void gfab_propagator_add(gfab_propagator *p, const int *literals, size_t count)
{
    const size_t start = p->length;
    bool holds = p->failed;
    for (size_t i = 0; i < count && !holds; i++) {
        const int value = value_of(p, literals[i]);
        holds = value > 0;
        if (value == 0 && !gfab_push_int(&p->pool, &p->length, &p->room, literals[i]))
            p->failed = holds = true;
    }
    const size_t open = p->length - start;
    const int unit = open == 1 ? p->pool[start] : 0;
    if (!holds && open >= 2 && gfab_push_int(&p->pool, &p->length, &p->room, 0)) {
        watch(p, p->pool[start], start);
        watch(p, p->pool[start + 1], start);
        return;
    }
    p->length = start;
    p->failed = p->failed || (!holds && open >= 2);
    if (holds || open >= 2)
        return;
    p->refuted = p->refuted || !unit || !assign(p, unit) || !propagate(p);
    p->fixed = p->trailed;
}

bool gfab_propagator_assume(gfab_propagator *p, int literal)
{
    return assign(p, literal) && propagate(p);
}

void gfab_propagator_undo(gfab_propagator *p, size_t trailed)
{
    while (p->trailed > trailed)
        p->value[abs(p->trail[--p->trailed])] = 0;
    p->propagated = trailed;
}

bool gfab_propagator_open(gfab_propagator *p)
{
    const size_t variables = (size_t)p->variables + 1;
    p->watching = gfab_arena_zeroed2(&p->arena, 2, variables, sizeof *p->watching);
    GFAB_ARRAYS(&p->arena, variables, p->value, p->trail);
    return !p->arena.failed;
}

void gfab_propagator_close(gfab_propagator *p)
{
    for (size_t i = 0; p->watching && i < 2 * ((size_t)p->variables + 1); i++)
        free(p->watching[i].clauses);
    gfab_arena_release(&p->arena);
    free(p->pool);
}
