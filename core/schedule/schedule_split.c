/* SPDX-License-Identifier: MIT */
/* Schedules like others: empty ones, and those of weighted links as ones of parallel links. */
#include <gossipfab/schedule/schedule.h>

#include <stdlib.h>
#include <string.h>

/* What nodes start with, where it is not a goal. */
static gfab_status copy_load(const gfab_schedule *from, gfab_schedule *to)
{
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(from));
    if (gfab_schedule_even_load(from))
        return gfab_schedule_set_load(to, NULL, gfab_schedule_parts(from));
    GFAB_FREED uint32_t *load = malloc(nodes * sizeof *load);
    GFAB_NEED(load);
    for (size_t v = 0; v < nodes; v++)
        load[v] = gfab_schedule_first_token(from, v + 1) - gfab_schedule_first_token(from, v);
    return gfab_schedule_set_load(to, load, gfab_schedule_parts(from));
}

gfab_status gfab_schedule_create_like(const gfab_schedule *from, const gfab_topology *topology,
                                      gfab_schedule **schedule)
{
    gfab_schedule *made = NULL;
    const gfab_goal goal = gfab_schedule_goal(from);
    gfab_status status = gfab_schedule_create(topology, gfab_schedule_model(from), &made);
    GFAB_THEN(status,
              goal.collective == GFAB_ALL_GATHER ? copy_load(from, made) : gfab_schedule_set_goal(made, &goal, NULL));
    GFAB_THEN(status, gfab_schedule_set_solver(made, gfab_schedule_solver(from)));
    return GFAB_HAND_OVER(status, made, gfab_schedule_destroy, schedule);
}

/* One round after the other. */
typedef struct links {
    const gfab_topology *weighted;
    gfab_schedule *made;
    uint32_t *first; /* [link]: of those in its place */
    uint32_t *used;  /* [arc]: packets of the round */
    gfab_arc *arcs;  /* of a packet, no more than there are */
    bool half;
} links;

static gfab_status create(links *l, const gfab_schedule *schedule)
{
    const size_t count = gfab_topology_link_count(l->weighted);
    uint32_t next = 0;
    l->half = gfab_schedule_model(schedule)->link_mode == GFAB_LINK_HALF;
    l->first = malloc((count + 1) * sizeof *l->first);
    l->used = malloc((2 * count + 1) * sizeof *l->used);
    for (size_t link = 0; l->first && link < count; link++) {
        l->first[link] = next;
        next += gfab_topology_weight(l->weighted, link);
    }
    l->arcs = malloc((2 * (size_t)next + 1) * sizeof *l->arcs);
    return l->first && l->used && l->arcs ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* The next arc that is free in the round, UINT32_MAX for none. The first links go both ways: packets of the way of less
 * weight have them from the first one on, those of the other way begin at the last. */
static gfab_arc next_arc(links *l, gfab_arc arc)
{
    const uint32_t all = gfab_topology_weight(l->weighted, arc / 2);
    const uint32_t weight = gfab_topology_arc_weight(l->weighted, arc);
    const bool from_last = weight == all && (arc % 2 || gfab_topology_arc_weight(l->weighted, arc ^ 1) < all);
    uint32_t *used = &l->used[arc];
    if (*used == weight || (l->half && *used + l->used[arc ^ 1] == all))
        return UINT32_MAX;
    const uint32_t link = l->first[arc / 2] + (from_last ? all - 1 - *used : *used);
    ++*used;
    return 2 * link + arc % 2;
}

static gfab_status append_packet(links *l, uint32_t round, const gfab_packet *packet, gfab_diag *diag)
{
    for (size_t i = 0; i < packet->arc_count; i++) {
        const gfab_arc arc = packet->arcs[i];
        l->arcs[i] = next_arc(l, arc);
        if (l->arcs[i] == UINT32_MAX)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: the link from node %u to node %u carries too much",
                             (unsigned)round, (unsigned)gfab_topology_arc_from(l->weighted, arc),
                             (unsigned)gfab_topology_arc_to(l->weighted, arc));
    }
    return gfab_schedule_append_packet(l->made, round, l->arcs, packet->arc_count, packet->tokens, packet->token_count);
}

gfab_status gfab_schedule_split(const gfab_schedule *schedule, const gfab_topology *parallel, gfab_schedule **made,
                                gfab_diag *diag)
{
    links l = {.weighted = gfab_schedule_topology(schedule)};
    GFAB_TRY(gfab_schedule_check_listed(schedule, diag));
    gfab_status status = gfab_schedule_create_like(schedule, parallel, &l.made);
    GFAB_THEN(status, create(&l, schedule));
    for (uint32_t round = 1; status == GFAB_OK && round <= gfab_schedule_rounds(schedule); round++) {
        gfab_packet_iter packets = gfab_schedule_round(schedule, round);
        memset(l.used, 0, 2 * gfab_topology_link_count(l.weighted) * sizeof *l.used);
        for (gfab_packet packet; status == GFAB_OK && gfab_packet_next(&packets, &packet);)
            status = append_packet(&l, round, &packet, diag);
    }
    GFAB_FREE(l.first, l.used, l.arcs);
    if (status == GFAB_OK) {
        *made = l.made;
        return GFAB_OK;
    }
    gfab_schedule_destroy(l.made);
    return status == GFAB_ERR_FAULT ? status : gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
}
