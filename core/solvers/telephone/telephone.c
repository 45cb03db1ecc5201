/* SPDX-License-Identifier: MIT */
/* What the searches for symmetric telephone gossips share: which models they are for, the group that a user names, and
 * rounds of link orbits written as a schedule. A group under which no gossip can exist is refused before the search:
 * only orbits of links that share no node are matchings, and these must connect the graph. */
#include "telephone.h"

#include "exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gfab_status gfab_rounds_create(const gfab_symmetry *symmetry, uint32_t rounds, gfab_rounds *made)
{
    *made = (gfab_rounds){.rounds = rounds};
    made->start = calloc((size_t)rounds + 1, sizeof *made->start);
    /* A matching has at most as many orbits as there are nodes' orbits: each covers one of its own. */
    if (rounds < UINT32_MAX / symmetry->node_orbits)
        made->orbits = calloc((size_t)rounds * symmetry->node_orbits + 1, sizeof *made->orbits);
    return made->start && made->orbits ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

void gfab_rounds_release(gfab_rounds *rounds)
{
    GFAB_FREE(rounds->orbits, rounds->start);
    *rounds = (gfab_rounds){.rounds = 0};
}

gfab_status gfab_rounds_write(const gfab_rounds *rounds, const gfab_symmetry *symmetry, gfab_schedule *schedule)
{
    GFAB_AT_END(gfab_exchange_release) gfab_exchange exchange = {0};
    GFAB_TRY(gfab_exchange_create(schedule, &exchange));
    GFAB_FREED bool *chosen = malloc(symmetry->link_orbits * sizeof *chosen);
    GFAB_NEED(chosen);
    for (uint32_t r = 0; r < rounds->rounds; r++) {
        memset(chosen, 0, symmetry->link_orbits * sizeof *chosen);
        for (uint32_t i = rounds->start[r]; i < rounds->start[r + 1]; i++)
            chosen[rounds->orbits[i]] = true;
        for (uint32_t l = 0; l < symmetry->links; l++)
            if (chosen[symmetry->link_orbit[l]])
                GFAB_TRY(gfab_exchange_link(&exchange, l));
        gfab_exchange_end_round(&exchange);
    }
    return GFAB_OK;
}

gfab_status gfab_telephone_check(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    const size_t most = gfab_topology_node_count(topology) - 1;
    if (model->packet_tokens < most)
        return GFAB_REFUSE(diag, "telephone gossip is for packets of any size: here of up to %zu tokens, not %" PRIu32,
                           most, model->packet_tokens);
    return GFAB_OK;
}

gfab_status gfab_telephone_symmetry(const gfab_topology *topology, const gfab_solver_options *options,
                                    const char *otherwise, gfab_symmetry *symmetry, gfab_diag *diag)
{
    size_t length = 0;
    const char *text = gfab_parameter(options->parameters, "symmetry", &length);
    bool connected = false;
    if (!text) {
        text = otherwise;
        length = strlen(text);
    }
    GFAB_TRY(gfab_symmetry_create(topology, text, length, symmetry, diag));
    gfab_status status = gfab_symmetry_is_connected(symmetry, &connected);
    if (status == GFAB_OK && !connected)
        status = GFAB_REFUSE(
            diag, "no gossip on %s is invariant under %.*s: the links that such a matching can have do not connect it",
            gfab_topology_name(topology), length < 100 ? (int)length : 100, text);
    if (status != GFAB_OK)
        gfab_symmetry_release(symmetry);
    return status;
}
