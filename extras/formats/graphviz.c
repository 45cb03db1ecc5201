/* SPDX-License-Identifier: MIT */
/* A schedule as a picture: GraphViz's language, to be drawn by dot or neato. Links are grey lines, moves arrows with
 * their rounds. */
#include "formats/formats.h"

#include <stdlib.h>

/* Moves by link, then by round. */
static int compare(const void *a, const void *b)
{
    const gfab_move *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void put_moves(FILE *file, const gfab_moves *moves)
{
    for (size_t i = 0, end; i < moves->count; i = end) {
        const gfab_move *m = &moves->at[i];
        fprintf(file, "  %u -> %u [label=\"", m->from, m->to);
        for (end = i; end < moves->count && moves->at[end].from == m->from && moves->at[end].to == m->to; end++) {
            const gfab_move *n = &moves->at[end];
            const bool same = end > i && n[-1].round == n->round;
            if (same)
                fprintf(file, " %s%u", n->combine ? "+" : "", n->block);
            else
                fprintf(file, "%s%u: %s%u", end > i ? "\\n" : "", n->round, n->combine ? "+" : "", n->block);
        }
        fputs("\"];\n", file);
    }
}

/* A node with what it is called, if it is. */
static void put_node(const gfab_topology *topology, size_t v, FILE *file)
{
    const char *name = gfab_topology_node_name(topology, v);
    if (!name) {
        fprintf(file, "  %zu;\n", v);
        return;
    }
    fprintf(file, "  %zu [label=\"", v);
    for (; *name; name++)
        fprintf(file, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    fputs("\"];\n", file);
}

gfab_status gfab_graphviz_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    (void)progress;
    GFAB_TRY(gfab_moves_of(schedule, &moves, diag));
    if (moves.count)
        qsort(moves.at, moves.count, sizeof *moves.at, compare);
    fprintf(file,
            "digraph \"%s\" {\n  label=\"%s on %s, %u rounds; an arrow has its rounds, and the blocks that "
            "move\";\n  node [shape=circle];\n  edge [fontsize=9];\n",
            gfab_topology_name(topology), gfab_collective_name(goal.collective), gfab_topology_name(topology),
            gfab_schedule_rounds(schedule));
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++)
        put_node(topology, v, file);
    for (size_t l = 0; l < gfab_topology_link_count(topology); l++) {
        const gfab_link link = gfab_topology_link(topology, l);
        fprintf(file, "  %u -> %u [dir=none, color=grey, penwidth=4];\n", link.node[0], link.node[1]);
    }
    put_moves(file, &moves);
    fputs("}\n", file);
    return gfab_format_written(file, diag);
}
