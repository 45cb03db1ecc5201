/* SPDX-License-Identifier: MIT */
/* The memory of a gossip: what is known where, and what a run needs besides. */
#include "matching_state.h"

#include <stdlib.h>
#include <string.h>

/* On failure free_state is still due. */
static gfab_status init_state(gfab_matching_state *s, const gfab_matching_graph *g, size_t tokens)
{
    memset(s, 0, sizeof *s);
    s->tokens = tokens;
    s->words = (tokens + 63) / 64;
    s->known = malloc(g->nodes * s->words * sizeof *s->known);
    if (g->distance)
        s->far = malloc(tokens * g->padded);
    return s->known && (s->far || !g->distance) ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

static void free_state(gfab_matching_state *s)
{
    GFAB_FREE(s->known, s->far);
}

void gfab_matching_state_reset(gfab_matching_state *s, const gfab_matching_graph *g, const uint32_t *origin)
{
    memset(s->known, 0, g->nodes * s->words * sizeof *s->known);
    s->missing = (uint64_t)s->tokens * (g->nodes - 1);
    s->farthest = 0;
    for (size_t p = 0; p < s->tokens; p++) {
        s->known[origin[p] * s->words + p / 64] |= (uint64_t)1 << (p % 64);
        for (size_t t = 0; s->far && t < g->tiles; t++)
            memcpy(s->far + p * g->padded + t * GFAB_TILE, g->distance + (t * g->nodes + origin[p]) * GFAB_TILE,
                   GFAB_TILE);
        for (size_t v = 0; s->far && v < g->nodes; v++)
            if (s->far[p * g->padded + v] > s->farthest)
                s->farthest = s->far[p * g->padded + v];
    }
    s->farthest_first = s->farthest;
}

void gfab_matching_state_copy(gfab_matching_state *to, const gfab_matching_state *from, const gfab_matching_graph *g)
{
    memcpy(to->known, from->known, g->nodes * from->words * sizeof *to->known);
    if (from->far)
        memcpy(to->far, from->far, from->tokens * g->padded);
    to->farthest = from->farthest;
    to->farthest_first = from->farthest_first;
    to->missing = from->missing;
}

gfab_status gfab_matching_run_init(gfab_matching_run *run, const gfab_matching_problem *problem, bool lookahead,
                                   unsigned workers)
{
    const gfab_matching_graph *g = &problem->graph;
    memset(run, 0, sizeof *run);
    run->problem = problem;
    GFAB_TRY(gfab_matching_scratch_init(&run->scratch, g, workers));
    GFAB_TRY(init_state(&run->state, g, problem->tokens));
    if (lookahead)
        GFAB_TRY(init_state(&run->trial, g, problem->tokens));
    GFAB_ARRAYS(&run->arena, g->links, run->weights, run->altered, run->order);
    for (size_t i = 0; i < 4; i++)
        run->mate[i] = gfab_arena_zeroed(&run->arena, g->nodes, sizeof *run->mate[i]);
    run->chosen = gfab_arena_zeroed2(&run->arena, g->nodes, run->state.words, sizeof *run->chosen);
    run->gets = gfab_arena_zeroed(&run->arena, g->nodes, sizeof *run->gets);
    run->counts = gfab_arena_zeroed(&run->arena, problem->tokens + 1, sizeof *run->counts);
    if (problem->linear || problem->packet < problem->tokens) {
        run->priority = gfab_arena_zeroed2(&run->arena, problem->tokens, g->nodes, sizeof *run->priority);
        for (unsigned i = 0; i < workers; i++)
            run->candidates[i] = gfab_arena_zeroed(&run->arena, problem->tokens, sizeof *run->candidates[i]);
    }
    return run->arena.failed ? GFAB_ERR_NO_MEMORY : GFAB_OK;
}

void gfab_matching_run_free(gfab_matching_run *run)
{
    free_state(&run->state);
    free_state(&run->trial);
    gfab_matching_scratch_free(&run->scratch);
    gfab_arena_release(&run->arena);
}
