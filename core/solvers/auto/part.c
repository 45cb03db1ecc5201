/* SPDX-License-Identifier: MIT */
/* What is contained in a graph is a graph, too: without its relays, without what links carry one way alone, with all
 * weights taken down to 1. A schedule there is one here, and more solvers are for such a graph. On machine:dgx1 a
 * barrier takes 2 rounds with its weights taken down, for which there is `trees`; 4 by what knows of weights. */
#include "part.h"

#include <stdlib.h>

typedef struct part {
    const gfab_topology *whole;
    gfab_topology *topology;
    uint32_t *node, *link; /* their numbers in the whole graph */
    gfab_recognition recognition;
    gfab_schedule *made;
} part;

static void release(part *p)
{
    gfab_schedule_destroy(p->made);
    gfab_recognition_release(&p->recognition);
    gfab_topology_destroy(p->topology);
    GFAB_FREE(p->node, p->link);
}

/* The schedule's numbers: those of the whole graph, whose members are the part's nodes, and so its tokens. */
static gfab_status bring_back(const part *p, gfab_schedule *schedule)
{
    const size_t links = gfab_topology_link_count(p->topology);
    if (gfab_schedule_parts(p->made) > 1)
        GFAB_TRY(gfab_schedule_set_load(schedule, NULL, gfab_schedule_parts(p->made)));
    GFAB_FREED gfab_arc *arc = malloc(2 * links * sizeof *arc);
    GFAB_NEED(arc);
    for (size_t a = 0; a < 2 * links; a++)
        arc[a] = (gfab_arc)(2 * p->link[a / 2] + a % 2);
    return gfab_solver_copy_rounds(p->made, arc, NULL, schedule);
}

/* What the graph without some marks has, in the place of the best of the others if it is better. */
static gfab_status try_part(const gfab_solver *by, const gfab_model *model, gfab_solver_options *asked, uint32_t marks,
                            part *best, gfab_diag *diag)
{
    part p = {.whole = best->whole};
    gfab_status status = gfab_topology_without(p.whole, marks, &p.topology, &p.node, &p.link, diag);
    GFAB_THEN(status, gfab_topology_recognise(p.topology, asked->progress, &p.recognition));
    asked->recognition = &p.recognition;
    GFAB_THEN(status, gfab_solve(by, p.topology, model, asked, &p.made, NULL, diag));
    asked->recognition = NULL;
    bool better = false;
    if (status == GFAB_OK && (gfab_schedule_parts(p.made) == 1 || gfab_schedule_even_load(p.made)))
        status = gfab_solver_compare(p.made, best->made, asked, &better);
    if (!better) {
        release(&p);
        return gfab_solver_cut_short(status) ? status : GFAB_OK;
    }
    release(best);
    *best = p;
    asked->rounds = asked->linear ? asked->rounds : gfab_schedule_rounds(p.made) - 1;
    return GFAB_OK;
}

gfab_status gfab_part_build(const gfab_solver *by, const gfab_topology *topology, const gfab_model *model,
                            const gfab_solver_options *options, gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t has = gfab_topology_marks(topology);
    const uint32_t marks = (has & (GFAB_MARK_RELAYS | GFAB_MARK_DIRECTED | GFAB_MARK_WEIGHTS)) |
                           (has & GFAB_MARK_PARALLEL ? GFAB_MARK_WEIGHTS : 0);
    gfab_solver_options asked = *options;
    GFAB_AT_END(release) part best = {.whole = topology};
    for (uint32_t some = marks; some; some = (some - 1) & marks)
        GFAB_TRY(try_part(by, model, &asked, some, &best, diag));
    return best.made ? bring_back(&best, schedule) : GFAB_ERR_UNSUPPORTED;
}
